//! The small value types of the rules: squares, men, hands, moves.

mod color;
mod hand;
mod man;
mod moves;
mod square;

pub use color::{Color, PerColor};
pub use hand::{Hand, MAX_SLOTS};
pub use man::{KindSet, MAX_KINDS, Piece, PieceKind};
pub use moves::{MAX_MOVES, MAX_SETUPS, Move, MoveList, Tag};
pub use square::{File, MAX_FILES, MAX_SQUARES, Rank, Square};
