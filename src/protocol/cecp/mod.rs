//! XBoard's protocol: what is peculiar to it.

pub mod board;
pub mod highlight;
pub mod text;
