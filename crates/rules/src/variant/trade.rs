//! Rules that forbid the exchange of strong pieces, as of the lions of chu shogi.

use crate::types::PieceTypeSet;

/// Which pieces are not exchanged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trade {
    /// The piece types, all alike. One of them captures another on a square that is not adjacent only if it cannot be
    /// recaptured there. If another piece captures one, no other piece may at once capture one elsewhere.
    pub kinds: PieceTypeSet,
    /// What is captured by the first leg of a move lifts the first of these rules, unless it is of these types.
    pub cheap: PieceTypeSet,
}
