//! What the definition of a game wrote, for those who describe it, and how Black sees it.

use std::collections::BTreeMap;

use super::region::Regions;
use super::{Capture, PieceTable, SeenByBlack, Variant};
use crate::betza::Step;
use crate::bitboard::Bitboard;
use crate::types::{Color, PerColor, PieceType, Square};

/// What the definition says of the pieces, for descriptions.
pub(crate) struct Written {
    /// The pieces as each side has them, by piece type.
    pub(super) pieces: PerColor<Vec<PieceTable>>,
    /// The named regions, as White sees them.
    pub(super) regions: BTreeMap<String, Bitboard>,
    pub(super) seen_by_black: SeenByBlack,
    /// Where captured pieces go, by piece type.
    pub(super) captured: Vec<Capture>,
}

impl Variant {
    /// A piece as the definition has it for a side.
    pub(crate) fn written(&self, color: Color, kind: PieceType) -> &PieceTable {
        &self.written.pieces[color][kind.index()]
    }

    /// Where a captured piece goes.
    pub(crate) fn captured_to(&self, kind: PieceType) -> Capture {
        // What can be in no hand leaves the game, whatever the definition says of captures.
        match self.piece(kind).captured_slot {
            Some(_) => self.written.captured[kind.index()],
            None => Capture::Removed,
        }
    }

    /// The named regions, as White sees them.
    pub(crate) fn regions(&self) -> impl Iterator<Item = Bitboard> + '_ {
        self.written.regions.values().copied()
    }

    /// The named regions with their names, as White sees them.
    pub(crate) fn named_region_sets(&self) -> impl Iterator<Item = (&str, Bitboard)> {
        self.written.regions.iter().map(|(name, set)| (name.as_str(), *set))
    }

    /// The name of a region, if the definition gives it one.
    pub(crate) fn region_named(&self, set: Bitboard) -> Option<&str> {
        let mut regions = self.written.regions.iter();
        regions.find(|(_, region)| **region == set).map(|(name, _)| name.as_str())
    }

    /// The squares of a region that a definition names, as White sees them.
    pub(crate) fn squares_of(&self, region: &str) -> Bitboard {
        let regions = Regions { geometry: &self.geometry, named: &self.written.regions };
        regions.parse(region).unwrap_or_default() & self.geometry.squares()
    }

    /// Steps of `color`, written from its point of view, with the directions that they have on the board.
    pub(crate) fn turned(&self, color: Color, steps: &[Step]) -> Vec<Step> {
        self.written.seen_by_black.turned(color, steps)
    }

    /// The squares that are to `color` what `set` is to White.
    pub(crate) fn own(&self, color: Color, set: Bitboard) -> Bitboard {
        self.written.seen_by_black.own(&self.geometry, color, set)
    }

    /// The square that is to `color` what `square` is to White.
    pub(crate) fn own_square(&self, color: Color, square: Square) -> Square {
        self.written.seen_by_black.own_square(&self.geometry, color, square)
    }
}
