//! USI's texts. Its commands are those of UCI.

pub(super) mod text;
