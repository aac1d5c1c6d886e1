//! What happens in a forced win, so that a suite has some of everything.

use garrison_rules::{Move, PieceType, Position, Reason, Tag, Variant};

/// Something that happens in a line, or how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// The end is checkmate or the capture of the king, whatever the other side does.
    Mate,
    /// The end is a bare king.
    BareKing,
    /// The end is a stalemate that loses.
    Stalemate,
    /// The winner drops a piece.
    Drop,
    /// The winner promotes one.
    Promotion,
    /// The winner takes a fortress.
    Fortress,
    /// A king is placed on the board, or cannot be.
    Placement,
    /// A move of the winner's, not the last, that is no check.
    Quiet,
}

impl Theme {
    pub fn name(self) -> &'static str {
        match self {
            Theme::Mate => "mate",
            Theme::BareKing => "bare king",
            Theme::Stalemate => "stalemate",
            Theme::Drop => "drop",
            Theme::Promotion => "promotion",
            Theme::Fortress => "fortress",
            Theme::Placement => "king placement",
            Theme::Quiet => "quiet move",
        }
    }
}

/// How many wins of a suite have each theme at least.
pub fn wanted(variant: &Variant) -> &'static [(Theme, usize)] {
    use Theme::{BareKing, Drop, Fortress, Mate, Placement, Promotion, Quiet, Stalemate};
    if variant.end().bare_king {
        &[(Mate, 18), (BareKing, 4), (Stalemate, 1), (Promotion, 3), (Quiet, 6)]
    } else if variant.kinds().any(|kind| never_moves(variant, kind)) {
        &[(Mate, 24), (Drop, 6), (Promotion, 1), (Fortress, 1), (Placement, 1), (Quiet, 4)]
    } else {
        &[(Mate, 24), (Drop, 6), (Promotion, 3), (Quiet, 4)]
    }
}

/// A fortress, or a reserve, which is never on the board.
fn never_moves(variant: &Variant, kind: PieceType) -> bool {
    let piece = variant.piece(kind);
    piece.betza.is_empty() && piece.reserve.is_empty()
}

/// What happens in a line from a position to the end of the game, how it ends first.
pub fn themes(position: &Position, line: &[Move]) -> Vec<Theme> {
    let mut found = Vec::new();
    let mut add = |theme| {
        if !found.contains(&theme) {
            found.push(theme);
        }
    };
    let (mut position, winner) = (position.clone(), position.side_to_move());
    for (index, &mv) in line.iter().enumerate() {
        if position.must_place_royal(position.side_to_move()).is_some() {
            add(Theme::Placement);
        }
        let is_winner = position.side_to_move() == winner;
        if is_winner {
            one_move(&position, mv).into_iter().for_each(&mut add);
        }
        position.make(mv);
        if is_winner && index + 1 < line.len() && !position.is_check() {
            add(Theme::Quiet);
        }
    }
    if position.must_place_royal(position.side_to_move()).is_some() {
        add(Theme::Placement);
    }
    let end = match position.status().outcome().map(|outcome| outcome.reason) {
        Some(Reason::BareKing) => Theme::BareKing,
        Some(Reason::Stalemate) => Theme::Stalemate,
        _ => Theme::Mate,
    };
    found.insert(0, end);
    found
}

/// What a move is by itself.
fn one_move(position: &Position, mv: Move) -> Option<Theme> {
    if mv.is_drop() {
        let is_royal = position.variant().royal() == Some(mv.dropped());
        return (!is_royal).then_some(Theme::Drop);
    }
    let taken = position.at(mv.to()).filter(|piece| piece.color() != position.side_to_move());
    if taken.is_some_and(|piece| never_moves(position.variant(), piece.kind())) {
        return Some(Theme::Fortress);
    }
    (mv.tag() == Tag::Promotion).then_some(Theme::Promotion)
}
