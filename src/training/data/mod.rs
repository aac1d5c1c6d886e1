//! Packed files: positions of any game in some forty bytes each, in blocks of whole games. They are written as games are
//! played and read from any block on; docs/data.md describes the bytes.

mod bits;
mod error;
mod file;
mod packing;
mod read;
mod write;

pub use error::PackedError;
pub use file::{MAGIC, PackedHeader, Records};
pub use packing::{Packing, Record};
pub use read::{DataReader, Torn};
pub use write::DataWriter;
