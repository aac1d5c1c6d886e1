//! The Python module `garrison._garrison`: games, positions, game records and the engine as Python classes.
//! `python/garrison` is its face; it holds no rule.

use pyo3::prelude::*;

/// Adds everything to the module.
#[pymodule]
fn _garrison(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
