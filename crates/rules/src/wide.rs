//! Games too large for the usual build: of more than 128 squares, or more than 32 piece types. They are played by a build
//! with the feature `wide`, in which every game is slower. A program may hold both builds, as two crates.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::geometry::MIN_STRIDE;
use crate::types::{MAX_FILES, MAX_PIECE_TYPES};

/// What the widest build can hold.
const WIDEST_SQUARES: usize = 256;
const WIDEST_PIECE_TYPES: usize = 64;

static WAS_ASKED: AtomicBool = AtomicBool::new(false);

/// Whether this build has the feature `wide`.
pub const IS_WIDE: bool = cfg!(feature = "wide");

/// Whether this process was asked for a game that only a build with the feature `wide` can play, and this build has
/// not. A program that holds both builds leaves it to the other then.
pub fn was_asked() -> bool {
    WAS_ASKED.load(Ordering::Relaxed)
}

/// Notes that such a game was asked for.
pub(crate) fn ask() {
    WAS_ASKED.store(true, Ordering::Relaxed);
}

/// Whether a board of this size fits only in a wider build than this one.
pub(crate) fn only_fits_board(files: u8, ranks: u8) -> bool {
    let bits = usize::from(files.max(MIN_STRIDE)) * usize::from(ranks);
    !IS_WIDE && (1..=MAX_FILES).contains(&files) && ranks >= 1 && bits <= WIDEST_SQUARES
}

/// Whether so many piece types fit only in a wider build than this one.
pub(crate) fn only_fits_pieces(count: usize) -> bool {
    !IS_WIDE && count > MAX_PIECE_TYPES && count <= WIDEST_PIECE_TYPES
}
