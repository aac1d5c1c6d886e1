//! The games: boards, men, moves, notation. No search, no protocol, no input or output but the files
//! of definitions.

pub mod attacks;
pub mod betza;
mod bitboard;
mod notation;
mod perft;
mod position;
mod random;
mod types;
mod variant;
mod zobrist;

pub use bitboard::Bitboard;
pub use notation::{FenError, FenField, GameResult, MoveError, shown};
pub use perft::{divide, perft, perft_while};
pub use position::{Outcome, Position, Reason, Scope, SetupPhase, Status};
pub use random::SplitMix;
pub use types::{
    Color, File, Hand, KindSet, MAX_KINDS, MAX_MOVES, MAX_SETUPS, MAX_SQUARES, Move, MoveList,
    PerColor, Piece, PieceKind, Rank, Square, Tag,
};
pub use variant::{
    Capture, Definition, DefinitionError, EndResult, EndRule, Fault, Info, Letter, Man, NoMoves,
    Repeated, RoyaltyKind, Variant, add, all_names, builtin_names, find, load, own_names,
    reference_names,
};
pub(crate) use variant::{DrawRule, When};
pub use zobrist::Key;
