//! The games: boards, pieces, moves, notation. No search, no protocol, no input or output.

pub mod betza;
mod bitboard;
mod catalogue;
mod geometry;
mod naming;
mod notation;
mod perft;
mod placement;
mod position;
mod random;
mod setup;
mod shown;
mod spelling;
mod start_check;
mod types;
mod variant;
mod zobrist;

pub use bitboard::Bitboard;
pub use catalogue::{
    Catalogue, DefinitionFile, UnknownGame, add, all_names, builtin_names, catalogue, find, load,
    own_names, reference_names,
};
pub use geometry::{Geometry, Lines};
pub use naming::{Algebraic, Describe, Described, Notation};
pub use notation::{FenError, FenFault, FenField, GameResult, MoveError, MoveFault};
pub use perft::{perft, perft_while};
pub use placement::{PlacementError, RowFault};
pub use position::{ExchangeError, Outcome, Position, Reason, RoyalView, Scope, Status};
pub use random::SplitMix;
pub use setup::{EnPassant, Setup, SetupError, SetupFault};
pub use shown::shown;
pub use types::{
    Color, File, Hand, MAX_MOVES, MAX_PIECE_TYPES, MAX_SETUPS, MAX_SQUARES, Move, MoveList,
    PerColor, Piece, PieceType, PieceTypeSet, Rank, SetupPhase, Square, Tag,
};
pub use variant::{
    Capture, Definition, DefinitionError, DefinitionFault, DrawRule, EndCondition, EndResult,
    EndRule, Fault, GainSlots, Info, Letter, NoMoves, PieceInfo, RegionError, Repeated, Royalty,
    RoyaltyKind, Shift, SpecialEnd, Variant,
};
pub use zobrist::Key;
