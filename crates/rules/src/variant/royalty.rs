//! The royal pieces.

use super::{FacingAlong, RoyaltyKind};
use crate::types::{PieceType, PieceTypeSet};

/// The royal piece types of a game and the rules of their safety.
///
/// ```
/// use garrison_rules::game::RoyaltyKind;
/// use garrison_rules::find;
///
/// let royalty = *find("xiangqi")?.royalty().expect("xiangqi has generals");
/// assert_eq!(royalty.kind, RoyaltyKind::Absolute);
/// assert!(royalty.facing); // two generals may not face each other on an open file
/// assert_eq!(royalty.pieces.len(), 1);
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Royalty {
    /// The first royal piece type: the one that can be in hand, or appears late.
    pub piece: PieceType,
    /// All royal piece types.
    pub pieces: PieceTypeSet,
    /// What an attack on a royal means.
    pub kind: RoyaltyKind,
    /// The guards, if the royal of a side appears only when the last of its guards is captured.
    pub late: Option<PieceType>,
    /// Whether royals attack each other along a file, or another line, with nothing between them.
    pub facing: bool,
    /// The lines along which royals face each other.
    pub facing_along: FacingAlong,
    /// Whether a move may give check.
    pub checking: bool,
    /// Whether a royal in check may go elsewhere than to the only piece that checks it.
    pub flees: bool,
    /// Whether a side may have several royals on the board that must be kept safe: all of them, or one of them.
    pub several: bool,
    /// Whether a side may lose its last royal on the board: by its capture or by an explosion.
    pub can_fall: bool,
    /// Whether the safety of a royal depends on irregular attacks, on the royal that it faces, or on another
    /// royal, or captures explode: moves are then tested one by one.
    pub irregular_attacks: bool,
    /// The royal that must be dropped as soon as it is in hand. `None` where the first moves of a game place
    /// the pieces one by one, the royal among them.
    pub placed_at_once: Option<PieceType>,
}

impl Royalty {
    /// Whether royals that face each other are in check, so that neither side may open the file.
    #[inline]
    pub fn faces_as_check(&self) -> bool {
        self.facing && self.kind != RoyaltyKind::Captured
    }

    /// Whether of several royals only one must be kept safe.
    #[inline]
    pub fn one_is_enough(&self) -> bool {
        self.kind == RoyaltyKind::Duple
    }

    /// Whether a royal may capture the royal that it faces.
    #[inline]
    pub fn shoots(&self) -> bool {
        self.facing && self.kind == RoyaltyKind::Captured
    }
}
