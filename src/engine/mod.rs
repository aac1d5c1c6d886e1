//! Searching a position for its best move. Knows the rules and no protocol.

pub mod bench;
pub(crate) mod eval;
mod exchange;
mod history;
mod limits;
mod memory;
pub mod openings;
mod picker;
mod score;
mod search;
mod table;
mod time;
mod wdl;

pub use eval::{Evaluation, Evaluator, Linear, TableError, evaluate};
pub use limits::{Clock, Control, FULL_SKILL, Limits, skill_nodes};
pub(crate) use picker::is_tactical;
pub use score::Score;
pub use search::{Found, MOST_THREADS, News, Progress, Searcher, Technique, Techniques};
pub use table::Table;
pub use wdl::wdl;

/// The stack that a thread needs for a search, in bytes: it goes as deep as its lines, and every ply
/// keeps a list of moves.
pub const STACK_SIZE: usize = 64 << 20;

/// The deepest line that is searched, in plies.
pub const MAX_PLY: usize = 128;
