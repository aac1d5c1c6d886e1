//! Endings of few pieces, solved exactly: tables of all their positions, made in memory by retrograde analysis.
//!
//! [`Endings`] holds the tables of a game. A game's definition is all that they need: legal moves and ends come from
//! [`garrison_rules`], so that a bare king, a stalemate that loses, several royals or a goal count by themselves.
//! `docs/endings.md` says what the values mean.
//!
//! ```
//! use garrison::endings::{Endings, Material, Value};
//! use garrison_rules::{Color, Position, find};
//!
//! let chess = find("chess")?;
//! let mut endings = Endings::new(&chess)?;
//! let table = endings.solve(&Material::parse(&chess, "K R v K")?)?;
//! let longest = table.longest(Color::White, Color::White).expect("a rook wins");
//! assert_eq!(longest.plies.div_ceil(2), 16);
//! let position = Position::from_fen(&chess, "7k/8/6K1/8/8/8/8/R7 w - - 0 1")?;
//! assert_eq!(endings.value(&position), Some(Value::Won(1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counted;
mod expand;
mod fault;
mod layout;
mod line;
mod material;
mod node;
mod retrograde;
mod solve;
mod steps;
mod summary;
mod table;
mod verdict;

pub use fault::EndingFault;
pub use line::{RatedMove, line, rated_moves};
pub use material::{MAX_PIECES, Material};
pub use solve::Endings;
pub use summary::{Longest, Summary};
pub use table::{Table, Value};
pub use verdict::Arbiter;
