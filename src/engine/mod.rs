//! Searching a position for its best move. Knows the rules and no protocol.

pub mod bench;
mod ending_tables;
pub(crate) mod eval;
mod history;
mod limits;
mod line_aligned;
pub(crate) mod memory;
pub mod openings;
mod picker;
mod profile;
mod score;
mod search;
mod see;
mod time;
mod transposition;
mod wdl;

pub use eval::{EvalError, EvalFile, Evaluation, Evaluator, LinearEval, NetworkError, evaluate};
pub use limits::{Clock, Control, FULL_SKILL, Limits, skill_nodes};
pub(crate) use picker::is_tactical;
pub use profile::{GameProfile, ProfileError};
pub use score::Score;
#[cfg(feature = "tuning")]
pub use search::params::set as set_search_param;
pub use search::params::{Param, all as search_params};
pub use search::{
    MAX_THREADS, SearchEvent, SearchInfo, SearchResult, Searcher, Technique, Techniques,
    UnknownTechnique,
};
pub use transposition::TranspositionTable;
pub use wdl::wdl;

/// The stack that a thread needs for a search, in bytes. A node takes about a kilobyte of it, as lists of moves
/// stand in buffers of the thread.
pub const STACK_SIZE: usize = 4 << 20;

/// The greatest distance from the root that is searched, in plies.
pub const MAX_PLY: usize = 128;
