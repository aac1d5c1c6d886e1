//! The Python module `garrison._garrison`: games, positions, game records and the engine as Python classes.
//! `python/garrison` is its face; it holds no rule.

mod analysis;
mod definitions;
mod engine;
mod errors;
mod ffish;
mod game;
mod headers;
mod limits;
mod moves;
mod perft;
mod pgn;
mod pieces;
mod ply;
mod position;
mod reading;
mod score;
mod search;
mod status;
mod variant;
mod wait;
mod words;

use pyo3::prelude::*;

/// Adds everything to the module.
#[pymodule]
fn _garrison(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(module)?;
    module.add_class::<variant::PyVariant>()?;
    module.add_class::<variant::PyPieceType>()?;
    module.add_function(wrap_pyfunction!(variant::variants, module)?)?;
    module.add_function(wrap_pyfunction!(variant::load_variants, module)?)?;
    module.add_function(wrap_pyfunction!(variant::parse_variants, module)?)?;
    module.add_function(wrap_pyfunction!(variant::_load_definitions, module)?)?;
    module.add_class::<moves::PyMove>()?;
    module.add_function(wrap_pyfunction!(moves::_make_move, module)?)?;
    module.add_class::<status::PyStatus>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<headers::PyHeaders>()?;
    module.add_class::<ply::PyPly>()?;
    module.add_class::<ply::PyVariation>()?;
    module.add_class::<pgn::PyGames>()?;
    module.add_function(wrap_pyfunction!(pgn::read_pgn, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::parse_pgn, module)?)?;
    module.add_class::<score::PyScore>()?;
    module.add_class::<analysis::PyInfo>()?;
    module.add_class::<analysis::PySearchResult>()?;
    module.add_class::<analysis::PyAnalysis>()?;
    module.add_class::<engine::PyEngine>()?;
    module.add_function(wrap_pyfunction!(perft::perft, module)?)?;
    module.add_function(wrap_pyfunction!(perft::divide, module)?)?;
    ffish::register(module)?;
    // `garrison` says what is public.
    module.delattr("__all__")
}
