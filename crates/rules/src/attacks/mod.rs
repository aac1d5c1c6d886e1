//! Where lines of a board go and how far a slider gets on them.

mod geometry;
mod lines;

pub use geometry::Geometry;
pub use lines::Lines;
