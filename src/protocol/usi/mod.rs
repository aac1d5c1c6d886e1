//! USI's texts. Its commands are those of UCI.

pub(crate) mod text;
