//! What a definition says of the rules of play, but for those of single pieces and of the end.

use super::overlay::table;
use crate::variant::words::{EachMove, FacingAlong, OneSide, RoyaltyKind};

table! {
    /// `[royalty]`
    RoyaltyTable {
        /// The royal piece, or several.
        piece: String,
        /// What becomes of it (default absolute).
        kind: RoyaltyKind,
        /// It appears only when the last piece of this type of its side has been captured.
        late: String,
        /// Royals on one file with nothing between attack each other.
        facing: bool,
        /// The lines on which they do (default files).
        facing_along: FacingAlong,
        /// Whether a move may give check (default true).
        checking: bool,
        /// Whether a royal in check may go elsewhere than to the piece that checks it (default true).
        flees: bool,
    }
}

table! {
    /// `[blast]`
    BlastTable {
        /// How far from the square of a capture pieces are removed, in king's steps. The piece that captures is
        /// removed even if it is 0.
        radius: u8,
        /// The pieces that are removed only where they capture or are captured.
        spares: String,
        /// The pieces that are not removed even where they capture.
        immune: String,
    }
}

table! {
    /// `[gating]`
    GatingTable {
        /// The pieces in hand that may come.
        pieces: String,
        /// The squares to which they may come: when the piece that starts there leaves it for the first time.
        squares: String,
    }
}

table! {
    /// `[stones]`
    StonesTable {
        /// What every move does with them.
        each_move: EachMove,
        /// The squares on which it may put one, the same for both sides (all).
        squares: String,
    }
}

table! {
    /// `[trade]`
    TradeTable {
        /// The pieces, all alike. One captures another that is not adjacent only where it cannot be recaptured; and if
        /// another piece captures one, no other piece may at once capture one elsewhere.
        pieces: String,
        /// The pieces whose capture by the first of two legs does not lift the first of these rules.
        cheap: String,
    }
}

table! {
    /// `[[castling]]`: as White sees it.
    Castling {
        /// The squares from which and to which the king goes: `e1g1`.
        king: String,
        /// The squares from which and to which the rook goes: `h1f1`.
        rook: String,
        /// The only side that may castle so.
        only: OneSide,
        /// The letters of king and rook, which gain the right when the second of them is dropped on its square.
        dropped: String,
    }
}

table! {
    /// `[setup]`
    SetupTable {
        /// The pieces that may be rearranged.
        pieces: String,
        /// The own rank over whose free squares they may be rearranged.
        rank: u8,
        /// Instead of `pieces`: the rows, as a FEN writes them for White, of which a player chooses one for that rank.
        arrays: Vec<String>,
    }
}
