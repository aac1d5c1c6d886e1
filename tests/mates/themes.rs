//! What happens in a forced win, so that a suite has some of everything.

use garrison::rules::{Move, PieceKind, Position, Reason, Tag, Variant};

/// Something that happens in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// The winner drops a man.
    Drop,
    /// The winner promotes one.
    Promotion,
    /// The winner takes a fortress.
    Fortress,
    /// A king is placed on the board.
    Placement,
    /// A move of the winner's, not the last, that is no check.
    Quiet,
    /// The end is checkmate or the capture of the king.
    Mate,
    /// The end is a bare king.
    Bare,
}

/// How many wins of a suite have each theme at least.
pub fn wanted(variant: &Variant) -> &'static [(Theme, usize)] {
    use Theme::{Bare, Drop, Fortress, Mate, Placement, Promotion, Quiet};
    if variant.end().bare_king {
        &[(Mate, 12), (Bare, 3), (Promotion, 3), (Quiet, 6)]
    } else if variant.kinds().any(|kind| never_moves(variant, kind)) {
        &[(Mate, 24), (Drop, 6), (Promotion, 2), (Fortress, 3), (Placement, 2), (Quiet, 3)]
    } else {
        &[(Mate, 24), (Drop, 6), (Promotion, 3), (Quiet, 3)]
    }
}

/// A fortress, or a reserve, which is never on the board.
fn never_moves(variant: &Variant, kind: PieceKind) -> bool {
    let man = variant.man(kind);
    man.betza.is_empty() && man.reserve.is_empty()
}

/// What happens in a line from a position to the end of the game.
pub fn themes(position: &Position, line: &[Move]) -> Vec<Theme> {
    let mut found = Vec::new();
    let mut add = |theme| {
        if !found.contains(&theme) {
            found.push(theme);
        }
    };
    let (mut position, winner) = (position.clone(), position.side());
    for (index, &mv) in line.iter().enumerate() {
        if position.must_place_royal(position.side()).is_some() {
            add(Theme::Placement);
        }
        let is_winner = position.side() == winner;
        if is_winner {
            one_move(&position, mv).into_iter().for_each(&mut add);
        }
        position.make(mv);
        if is_winner && index + 1 < line.len() && !position.is_check() {
            add(Theme::Quiet);
        }
    }
    match position.status().outcome().map(|outcome| outcome.reason) {
        Some(Reason::Checkmate | Reason::KingCaptured) => add(Theme::Mate),
        Some(Reason::BareKing) => add(Theme::Bare),
        _ => {}
    }
    found
}

/// What a move is by itself.
fn one_move(position: &Position, mv: Move) -> Option<Theme> {
    if mv.is_drop() {
        let is_royal = position.variant().royal() == Some(mv.dropped());
        return (!is_royal).then_some(Theme::Drop);
    }
    let taken = position.at(mv.to()).filter(|man| man.color() != position.side());
    if taken.is_some_and(|man| never_moves(position.variant(), man.kind())) {
        return Some(Theme::Fortress);
    }
    (mv.tag() == Tag::Promotion).then_some(Theme::Promotion)
}
