//! What a definition says of a piece: `[pieces.X]`.

use super::overlay::{Overlay, table};
use crate::types::Color;
use crate::variant::words::{Capture, OneSide};

table! {
    /// `[pieces.X]`: a piece. A promoted form has the letter `+X`.
    PieceTable {
        /// Its name.
        name: String,
        /// What it is called when another piece has become it.
        promoted_name: String,
        /// How it moves; a piece without this never moves.
        betza: String,
        /// What it is roughly worth, in hundredths of a pawn.
        value: i32,
        /// Moves that it has on some squares only.
        extra: Vec<ExtraMove>,
        /// Further moves, without capture, that it has until it has moved. Field 3 of a FEN lists the squares of
        /// the pieces that have not, behind the castling letters.
        first: String,
        /// Enemy pieces: it loses its first moves when one of them moves to where it would attack it on an empty board.
        first_lost: String,
        /// The pieces that it cannot capture.
        spares: String,
        /// The pieces that it cannot hop over.
        not_over: String,
        /// What it becomes when it captures: a piece, `taken` for what it captured, or `stone`.
        on_capture: String,
        /// The squares it may move to.
        region: String,
        /// The squares it can never stand on nor move to (where it must promote it cannot stand either).
        never: String,
        /// What it becomes, and where.
        promotion: PromotionTable,
        /// Two steps at once.
        double_step: DoubleStepTable,
        /// What it is in the hand of its captor, if that is something else.
        in_hand: String,
        /// Where it goes when it is captured, if not where others go.
        captured: Capture,
        /// Where it may be dropped.
        drop: DropTable,
        /// It exists in hand only and becomes one of these pieces when it is dropped.
        reserve: String,
        /// What its capture puts into the hands, for the first, second, … of a side to be captured.
        gains: Vec<Gain>,
        /// The most a side may have, in hand and on the board.
        limit: u8,
        /// Its moves reset the move count.
        zeroing: bool,
        /// What it counts at an impasse (default 1).
        points: u8,
        /// The only side that has it.
        only: OneSide,
        /// What is different for White.
        white: SideTable,
        /// What is different for Black.
        black: SideTable,
    }
}

table! {
    /// `[pieces.X.white]`, `[pieces.X.black]`: what is different for one side.
    SideTable {
        /// How it moves.
        betza: String,
        /// Moves that it has on some squares only.
        extra: Vec<ExtraMove>,
        /// Further moves that it has until it has moved.
        first: String,
        /// The squares it may move to.
        region: String,
        /// The squares it can never stand on.
        never: String,
        /// What it becomes, and where.
        promotion: PromotionTable,
        /// Two steps at once.
        double_step: DoubleStepTable,
        /// Where it may be dropped.
        drop: DropTable,
        /// The most this side may have.
        limit: u8,
    }
}

table! {
    /// `[[pieces.X.extra]]`
    ExtraMove {
        /// The moves.
        betza: String,
        /// The squares on which it has them (all).
        from: String,
        /// The squares that they may lead to (all of its region).
        to: String,
    }
}

table! {
    /// `[pieces.X.promotion]`
    PromotionTable {
        /// Where a move must end.
        zone: String,
        /// Where a move must promote.
        forced: String,
        /// What it may become.
        to: String,
        /// Whether a move out of the zone may promote as well.
        leaving: bool,
        /// Whether it may become only a piece of which its side has fewer than the limit.
        limited: bool,
        /// Whether pieces of the same letter, with and without +, count together for that.
        together: bool,
        /// Whether a piece that starts in the zone may promote only by capturing, wherever it goes.
        once: bool,
        /// Squares of the zone on which it may promote nevertheless.
        late: String,
        /// Whether it promotes where it stands in the zone, as a turn of its own, and not by its moves.
        in_place: bool,
        /// With that, steps to an empty square by which a piece in the zone may promote as well, in Betza notation.
        by: String,
        /// With that, whether the last piece of its type may promote wherever it stands.
        alone: bool,
        /// With that, whether it may promote only where the new piece attacks nothing and no check follows.
        peaceful: bool,
    }
}

table! {
    /// `[pieces.X.double_step]`
    DoubleStepTable {
        /// Where it may start.
        from: String,
        /// The single step that it makes twice (default `fW`, straight ahead).
        along: String,
        /// Whether it may be captured in passing, on the next ply, by a piece of the same type that could have captured
        /// it on the square passed.
        en_passant: bool,
        /// The pieces that may do so (default the same type).
        en_passant_by: String,
    }
}

table! {
    /// `[pieces.X.drop]`
    DropTable {
        /// Where, within the piece's own region and not where it can never stand (default: all of that
        /// but the squares where it would have to promote had it moved there).
        region: String,
        /// Not next to an enemy piece of this type.
        not_beside: String,
        /// Not on a file with this many own pieces of the same type.
        per_file: u8,
        /// Not on a square of a color on which an own piece of the same type stands.
        other_color: bool,
        /// Whether the drop may end the game (default true).
        mate: bool,
        /// Whether the drop may give check (default true).
        check: bool,
    }
}

table! {
    /// `[[pieces.X.gains]]`: what a captured piece puts into the hands.
    Gain {
        /// To the side that captured it.
        capturer: String,
        /// To the side that lost it.
        owner: String,
    }
}

impl PieceTable {
    /// Whether it says where the piece may be dropped.
    pub(crate) fn says_drops(&self) -> bool {
        let of_side =
            |side: &Option<SideTable>| side.as_ref().is_some_and(|side| side.drop.is_some());
        self.drop.is_some() || of_side(&self.white) || of_side(&self.black)
    }

    /// The piece as one side has it.
    pub(in crate::variant) fn of_side(&self, color: Color) -> PieceTable {
        let side = match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        };
        let mut piece = self.clone();
        let Some(side) = side.clone() else { return piece };
        piece.betza = side.betza.over(piece.betza);
        piece.extra = side.extra.over(piece.extra);
        piece.first = side.first.over(piece.first);
        piece.region = side.region.over(piece.region);
        piece.never = side.never.over(piece.never);
        piece.promotion = side.promotion.over(piece.promotion);
        piece.double_step = side.double_step.over(piece.double_step);
        piece.drop = side.drop.over(piece.drop);
        piece.limit = side.limit.over(piece.limit);
        piece
    }
}
