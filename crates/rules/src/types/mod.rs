//! The small value types of the rules: squares, pieces, hands, moves.

mod color;
mod hand;
mod letter;
mod moves;
mod phase;
mod piece;
mod square;

pub use color::{Color, PerColor};
pub use hand::{Hand, MAX_SLOTS};
pub use letter::Letter;
pub use moves::{MAX_SETUPS, Move, MoveBits, MoveList, Tag};
pub use phase::SetupPhase;
pub use piece::{MAX_PIECE_TYPES, Piece, PieceType, PieceTypeSet};
pub use square::{File, MAX_FILES, MAX_SQUARES, Rank, Square};
