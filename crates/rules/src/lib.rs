//! Rules of chess variants: boards, pieces, legal moves, results and notation of any game that a readable
//! definition describes, from chess, shogi and xiangqi to your own.
//!
//! ```
//! use garrison_rules::{Position, find};
//!
//! // Load a game by name and set up its start position.
//! let game = find("crazyhouse")?;
//! let mut position = Position::start(&game);
//!
//! // List the legal moves, as coordinates and as people write them.
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 20);
//! assert!(moves.iter().any(|&mv| position.move_text(mv) == "g1f3" && position.san(mv) == "Nf3"));
//!
//! // Play: text is read and made in one step, a `Move` can be taken back.
//! for text in ["e2e4", "d7d5", "e4d5"] {
//!     position.play(text)?;
//! }
//! let mv = position.parse_san("Qxd5")?;
//! position.make(mv);
//! position.unmake();
//!
//! // Write the position as FEN, hands included, and read it back.
//! let fen = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq - 0 2";
//! assert_eq!(position.fen(), fen);
//! assert_eq!(Position::from_fen(&game, fen)?, position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Main items
//!
//! | purpose | items |
//! |---|---|
//! | find games by name, or load them from text | [`find`], [`catalogue::all_names`], [`Catalogue`], [`definition::load`], [`definition::DefinitionFile`] |
//! | a game and its rules | [`Variant`], [`PieceInfo`], [`game::Royalty`], [`game::EndRule`], [`definition::Definition`] |
//! | play | [`Position`], [`Move`], [`MoveList`], [`Scope`], [`Tag`], [`SetupPhase`] |
//! | results | [`Status`], [`Outcome`], [`Reason`], [`GameResult`] |
//! | put a position together | [`Setup`], [`Piece`], [`PieceType`], [`Color`], [`EnPassant`] |
//! | the board | [`Geometry`], [`Square`], [`File`], [`Rank`], [`Bitboard`], [`attacks::Lines`] |
//! | pieces by type, side and hand | [`PieceTypeSet`], [`PerColor`], [`Hand`], [`Letter`] |
//! | errors | [`UnknownGame`], [`FenError`], [`SetupError`], [`MoveError`], [`definition::DefinitionError`], [`definition::Fault`] |
//! | notations other than this crate's | [`Notation`], [`Algebraic`], [`fault::Describe`] |
//! | test and measure move generation | [`perft()`], [`random::SplitMix`], [`Key`] |
//! | how a piece moves, as text | [`betza`] |
//!
//! # A game of your own
//!
//! A game is a text in TOML: a complete game, or the differences from a base. [`definition::load`] compiles such texts;
//! [`Catalogue::add`] also makes them available by name beside the games that ship with the crate. A text with
//! faults is refused with all of them, each with its line, its column and what would be right.
//!
//! ```
//! use garrison_rules::definition::DefinitionFile;
//! use garrison_rules::{Catalogue, Position};
//!
//! let text = r#"
//!     name = "knightmate"
//!     title = "Knightmate"
//!     base = "chess"
//!     start = "rkbqnbkr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBKR w KQkq - 0 1"
//!
//!     [royalty]
//!     piece = "N"
//!
//!     [pieces]
//!     N = { name = "royal knight", limit = 1 }
//!     K = { name = "commoner", value = 300, limit = 16 }
//!     P = { promotion = { to = "QRBK" } }
//! "#;
//! let file = DefinitionFile { name: "knightmate.toml".to_string(), text: text.to_string() };
//! let mut games = Catalogue::new();
//! games.add(vec![file]).expect("a definition without faults");
//!
//! let knightmate = games.find("Knightmate")?;
//! assert_eq!(Position::start(&knightmate).legal_moves().len(), 18);
//! # Ok::<(), garrison_rules::UnknownGame>(())
//! ```
//!
//! # A position from its parts
//!
//! A [`Setup`] holds any arrangement of pieces, legal or not. `Position::try_from` turns it into a [`Position`]
//! or returns everything that breaks the rules of the game. A `Position` is legal when it is built and stays
//! legal as long as only legal moves are made.
//!
//! ```
//! use garrison_rules::{Color, Letter, Piece, Position, Setup, find};
//!
//! let shogi = find("minishogi")?;
//! let kind = |capital| shogi.kind_of(Letter { capital, promoted: false }).expect("a piece type");
//! let square = |name| shogi.geometry().parse_square(name).expect("a square of the board").0;
//!
//! let mut setup = Setup::empty(&shogi);
//! setup.set_piece(square("a1"), Some(Piece::new(Color::White, kind('K'))));
//! setup.set_piece(square("e5"), Some(Piece::new(Color::Black, kind('K'))));
//! setup.set_in_hand(Color::White, kind('G'), 1);
//! let position = Position::try_from(setup)?;
//! assert_eq!(position.fen(), "4k/5/5/5/K4[G] w - - 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors and notations
//!
//! Errors are values: squares, colors, piece types and counts, which a program can match. They are printed in
//! the notation of this crate, [`Algebraic`], or through the [`Notation`] of another protocol.
//!
//! ```
//! use garrison_rules::fault::{Describe, MoveFault};
//! use garrison_rules::{Algebraic, Color, Position, find};
//!
//! let chess = find("chess")?;
//! let mut position = Position::start(&chess);
//! let error = position.play("e7e5").unwrap_err();
//! let MoveFault::NotOwn(color, square) = *error.fault() else { panic!("{error}") };
//! assert_eq!((color, chess.geometry().name(square)), (Color::White, "e7".to_string()));
//! assert_eq!(error.to_string(), "illegal move 'e7e5': the piece on e7 is not White's");
//! assert_eq!(error.fault().through(&chess, &Algebraic).to_string(), error.reason());
//! # Ok::<(), garrison_rules::UnknownGame>(())
//! ```
//!
//! # Perft
//!
//! [`perft()`] counts the legal move paths of a given length: the usual test of move generation, and the usual
//! measure of its speed.
//!
//! ```
//! use garrison_rules::{Position, find, perft};
//!
//! let mut position = Position::start(&find("xiangqi")?);
//! assert_eq!(perft(&mut position, 2), 1920);
//! # Ok::<(), garrison_rules::UnknownGame>(())
//! ```
//!
//! # What this crate does not do
//!
//! It reads no files, prints nothing, has no clock, starts no threads and contains no unsafe code. It does not
//! search or evaluate, and it speaks no protocol. The text of a definition is passed in by the caller. The only
//! shared state is the catalogue of the process, to which [`catalogue::add`] adds games, and a cache of board geometries.

pub mod betza;
mod bitboard;
mod bits;
pub mod catalogue;
mod describe;
mod geometry;
mod naming;
mod notation;
mod perft;
mod placement;
mod position;
pub mod random;
mod setup;
mod shown;
mod spelling;
mod start_check;
mod types;
mod variant;
pub mod wide;
mod zobrist;

pub use bitboard::Bitboard;
pub use catalogue::{Catalogue, UnknownGame, find};
pub use geometry::Geometry;
pub use naming::{Algebraic, Notation};
pub use notation::{FenError, GameResult, MoveError};
pub use perft::{perft, perft_while};
pub use position::{Fall, Outcome, Position, Reason, RunningCount, Scope, Status};
pub use setup::{EnPassant, Right, Setup, SetupError};
pub use shown::{counted, shown};
pub use spelling::nearest_word;
pub use types::{
    Color, File, Hand, Letter, Move, MoveBits, MoveList, PerColor, Piece, PieceType, PieceTypeSet,
    Rank, SetupPhase, Square, Tag,
};
pub use variant::{PieceInfo, Variant};
pub use zobrist::Key;

/// Definitions of games as text, and what can be wrong with them.
pub mod definition {
    pub use crate::catalogue::{DefinitionFile, load};
    pub use crate::variant::{Definition, DefinitionError, DefinitionFault, Fault, RegionError};

    /// The tables of a definition, and the words that their keys take.
    pub mod tables {
        pub use crate::variant::{
            BlastTable, BoardTable, Capture, Castling, ChaseTable, ChasedThough, DoubleStepTable,
            DropTable, EachMove, EndCount, EndDrawn, EndResult, EndTable, EndWhen, ExtraMove,
            FacingAlong, GatingTable, MateTable, NoMoves, OneSide, PieceTable, PromotionTable,
            Repeated, RoyaltyKind, RoyaltyTable, SeenByBlack, SideTable, StonesTable, TradeTable,
            Unchased,
        };
    }
}

/// What the rules of a game say, beside its pieces.
pub mod game {
    pub use crate::describe::{ExtraSteps, WrittenMoves};
    pub use crate::variant::{
        Army, Capture, ChaseRule, CountRule, DeclareRule, DrawRule, EndCondition, EndResult,
        EndRule, FacingAlong, GainSlots, GoalAnswer, Info, Material, NoMoves, Repeated, Royalty,
        RoyaltyKind, Shift, SpecialEnd,
    };
}

/// What can be wrong with a position or a move, as values, and how they are printed.
pub mod fault {
    pub use crate::naming::{Describe, Described};
    pub use crate::notation::{FenFault, FenField, MoveFault};
    pub use crate::placement::{PlacementError, RowFault};
    pub use crate::position::ExchangeError;
    pub use crate::setup::SetupFault;
}

/// How pieces attack along lines, for evaluations.
pub mod attacks {
    pub use crate::geometry::Lines;
    pub use crate::position::RoyalView;
}

/// The sizes that bound every game.
pub mod limits {
    pub use crate::types::{MAX_PIECE_TYPES, MAX_SETUPS, MAX_SQUARES};
}
