//! What a FEN may not say although it reads: positions that break the rules of the game.

use std::sync::Arc;

use super::fen::{FenError, FenField, Setup};
use crate::bitboard::Bitboard;
use crate::position::{Position, SetupPhase};
use crate::types::{Color, MAX_SETUPS, Piece, PieceType, Rank, Square};
use crate::variant::{RoyaltyKind, Variant};

/// The most pieces in both hands together: with at most 128 on the board, no count of a hand can
/// ever exceed its eight bits.
const MAX_IN_HANDS: usize = 120;

type Result<T> = std::result::Result<T, FenError>;

impl Setup {
    /// Checks what can be seen before a position is made; all faults of the field are told.
    pub(super) fn check(&self, variant: &Variant) -> Result<()> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            self.check_limits(variant, color, &mut faults);
            self.check_royal(variant, color, &mut faults);
        }
        self.check_places(variant, &mut faults);
        tell(FenField::Board, faults)?;
        if self.hands.len() > MAX_IN_HANDS {
            let fault = format!("{} pieces; at most {MAX_IN_HANDS} are allowed", self.hands.len());
            return Err(FenError::new(FenField::Hands, fault));
        }
        self.check_royal_in_hand(variant)?;
        self.check_rights(variant)?;
        self.check_phase(variant)
    }

    /// Rights are those of pieces that stand where they stood at the start.
    fn check_rights(&self, variant: &Variant) -> Result<()> {
        let is_there =
            |square, color, kind| self.pieces.contains(&(square, Piece::new(color, kind)));
        let fault = |text: String| Err(FenError::new(FenField::Setup, text));
        for color in Color::ALL {
            for castle in &variant.side(color).castles {
                let has_pieces = is_there(castle.king.0, color, castle.pieces.0)
                    && is_there(castle.rook.0, color, castle.pieces.1);
                if self.rights & castle.right != 0 && !has_pieces {
                    let name = |square| variant.geometry().name(square);
                    return fault(format!(
                        "'{}', but the pieces on {} and {} are not those that castle",
                        castle.letter,
                        name(castle.king.0),
                        name(castle.rook.0)
                    ));
                }
            }
        }
        let mut firsts = variant.rights.firsts().filter(|(_, bit)| self.rights & bit != 0);
        let has_first = |square: Square| {
            let moves = |piece: Piece| variant.side(piece.color()).moves(piece.kind());
            self.pieces.iter().any(|&(at, piece)| at == square && moves(piece).has_first())
        };
        match firsts.find(|&(square, _)| !has_first(square)) {
            None => Ok(()),
            Some((square, _)) => {
                let name = variant.geometry().name(square);
                fault(format!("'{name}', but no piece there has a first move"))
            }
        }
    }

    /// A royal comes to hand by the other side's move and is placed by the next, unless the pieces are
    /// placed one by one.
    fn check_royal_in_hand(&self, variant: &Variant) -> Result<()> {
        let waiting = !self.side;
        match variant.late_royal().filter(|&royal| self.in_hand(waiting, royal) > 0) {
            None => Ok(()),
            Some(royal) => {
                let letter = variant.piece(royal).letter.of_side(waiting);
                let fault =
                    format!("'{letter}' of {waiting}, who is not to move: it is placed at once");
                Err(FenError::new(FenField::Hands, fault))
            }
        }
    }

    fn on_board(&self, color: Color, kind: PieceType) -> usize {
        self.pieces.iter().filter(|(_, piece)| *piece == Piece::new(color, kind)).count()
    }

    fn in_hand(&self, color: Color, kind: PieceType) -> usize {
        self.hands.iter().filter(|&&piece| piece == (color, kind)).count()
    }

    fn check_limits(&self, variant: &Variant, color: Color, faults: &mut Vec<String>) {
        for kind in variant.kinds_of(color) {
            let Some(limit) = variant.side(color).limit[kind.index()] else { continue };
            let count = self.on_board(color, kind) + self.in_hand(color, kind);
            if count > usize::from(limit) {
                let letter = variant.piece(kind).letter.of_side(color);
                faults.push(format!("too many '{letter}': {count}, {color} may have {limit}"));
            }
        }
    }

    fn check_royal(&self, variant: &Variant, color: Color, faults: &mut Vec<String>) {
        let Some(royalty) = &variant.royalty else { return };
        // A side may have no royal piece at all.
        if !variant.kinds_of(color).meets(royalty.pieces) {
            return;
        }
        let letter = variant.piece(royalty.piece).letter.of_side(color);
        let royals = |color| royalty.pieces.map(|kind| self.on_board(color, kind)).sum::<usize>();
        let held = self.in_hand(color, royalty.piece);
        let count = royals(color) + held;
        if let Some(late) = royalty.late {
            let guard = &variant.piece(late).name;
            match (self.on_board(color, late), count) {
                (0, 0) => faults.push(format!("no {guard} and no king '{letter}' of {color}")),
                (1.., 1..) => {
                    faults.push(format!(
                        "king '{letter}' beside a {guard} of {color}: it comes after the last"
                    ));
                }
                _ => {}
            }
        } else if royalty.kind == RoyaltyKind::Captured {
            if color == Color::White && count == 0 && royals(!color) == 0 {
                faults.push("no king at all; only one can be captured".to_string());
            }
        } else if count == 0 {
            faults.push(format!("no king '{letter}' of {color}"));
        }
    }

    fn check_places(&self, variant: &Variant, faults: &mut Vec<String>) {
        let geometry = variant.geometry();
        for &(square, piece) in &self.pieces {
            let (side, kind) = (variant.side(piece.color()), piece.kind());
            let letter = variant.piece(kind).letter.of_side(piece.color());
            let name = geometry.name(square);
            let is_born = side.born_on[kind.index()].contains(square);
            if side.never[kind.index()].contains(square) && !is_born {
                faults.push(format!("'{letter}' on {name}, where none can stand"));
            }
            if !self.region(variant, piece).contains(square) && !is_born {
                faults.push(format!("'{letter}' on {name}, outside its region"));
            }
            // A piece that can leave its file may come to one that holds enough.
            let rule = side.drops[kind.index()].per_file;
            let Some(most) = rule.filter(|_| side.file_bound.contains(kind)) else { continue };
            let before = self.pieces.iter().filter(|&&(other, own)| {
                own == piece && other < square && geometry.file(other) == geometry.file(square)
            });
            if before.count() == usize::from(most) {
                let count = if most == 1 { "two".to_string() } else { format!("over {most}") };
                faults.push(format!("{count} '{letter}' on file {}", geometry.file(square)));
            }
        }
    }

    /// Where a piece may stand. A royal that has captured another along a file stands in the other's
    /// region.
    fn region(&self, variant: &Variant, piece: Piece) -> Bitboard {
        let (color, kind) = (piece.color(), piece.kind());
        let own = variant.side(color).region[kind.index()];
        let shot = variant.royalty.is_some_and(|royalty| {
            royalty.shoots() && royalty.piece == kind && self.on_board(!color, kind) == 0
        });
        if shot { own | variant.side(!color).region[kind.index()] } else { own }
    }

    /// Before the first move nothing has been captured and no clock has advanced.
    fn check_phase(&self, variant: &Variant) -> Result<()> {
        if self.phase == SetupPhase::Done {
            return Ok(());
        }
        let late = variant.royalty.is_some_and(|royalty| royalty.late.is_some());
        let is_late = |(_, piece): &(_, Piece)| late && variant.royal() == Some(piece.kind());
        if !self.hands.is_empty() || self.pieces.iter().any(is_late) {
            let fault =
                "a setup is pending, but pieces in hand or a king show that a fortress has fallen";
            return Err(FenError::new(FenField::Setup, fault));
        }
        if self.ep.is_some() {
            return Err(FenError::new(FenField::EnPassant, "must be - while a setup is pending"));
        }
        if self.halfmoves != 0 {
            return Err(FenError::new(FenField::Halfmoves, "must be 0 while a setup is pending"));
        }
        if self.fullmove != 1 {
            return Err(FenError::new(FenField::Fullmove, "must be 1 while a setup is pending"));
        }
        Ok(())
    }
}

impl Position {
    pub(super) fn from_setup(variant: &Arc<Variant>, setup: &Setup) -> Position {
        let mut position = Position::empty(variant);
        setup.pieces.iter().for_each(|&(square, piece)| position.put(piece, square));
        setup.hands.iter().for_each(|&(color, kind)| position.put_in_hand(color, kind));
        position.set_turn(setup.side, setup.phase, setup.halfmoves, setup.fullmove);
        position.set_rights(setup.rights);
        position
    }

    /// Checks what needs a position: attacks, the en-passant square, the number of setups.
    pub(super) fn checked(mut self, setup: &Setup) -> Result<Position> {
        let variant = Arc::clone(self.variant());
        let waiting = !self.side();
        let captured = variant.royalty.is_some_and(|r| r.kind == RoyaltyKind::Captured);
        if !captured && self.is_attacked(waiting) {
            let fault = format!("the king of {waiting}, who is not to move, is attacked");
            return Err(FenError::new(FenField::Board, fault));
        }
        if setup.phase != SetupPhase::Done
            && Color::ALL.iter().any(|&color| self.setup_count(color) > MAX_SETUPS)
        {
            let fault = format!("more than {MAX_SETUPS} arrangements to choose from");
            return Err(FenError::new(FenField::Setup, fault));
        }
        if let Some((square, piece)) = setup.ep {
            let pieces = self.can_have_passed(square);
            let name = |square| variant.geometry().name(square);
            let fault = match (piece.or(pieces.single()), name(square)) {
                (Some(piece), _) if pieces.contains(piece) => {
                    self.set_en_passant(square, piece);
                    return Ok(self);
                }
                (None, square) if pieces.is_many() => {
                    let both: Vec<String> =
                        pieces.map(|piece| format!("{square}{}", name(piece))).collect();
                    format!("several pieces can have passed {square}: write {}", both.join(" or "))
                }
                (_, square) => format!("no piece of {waiting} can just have passed {square}"),
            };
            return Err(FenError::new(FenField::EnPassant, fault));
        }
        Ok(self)
    }
}

fn tell(field: FenField, faults: Vec<String>) -> Result<()> {
    const MOST: usize = 4;
    if faults.is_empty() {
        return Ok(());
    }
    let more = faults.len().saturating_sub(MOST);
    let mut text = faults[..faults.len().min(MOST)].join("; ");
    if more > 0 {
        text += &format!("; and {more} more");
    }
    Err(FenError::new(field, text))
}

/// The rank of a setup row.
pub(super) fn setup_rank(position: &Position) -> Option<Rank> {
    position.setup_rank().next().map(|square| position.variant().geometry().rank(square))
}
