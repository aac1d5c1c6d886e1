//! Perft, which Ctrl-C stops.

use std::sync::atomic::{AtomicBool, Ordering};

use garrison_rules::{Position, perft_while};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::GarrisonError;
use crate::position::PyPosition;
use crate::reading::copied;
use crate::wait::interruptible;

/// The greatest depth: nobody lives to see its end, and its stack is bounded.
const MOST_DEPTH: u32 = 64;

/// The stack that a perft of this depth needs at most, in bytes: a list of moves for each ply.
const STACK_SIZE: usize = 16 << 20;

fn count(py: Python<'_>, mut position: Position, depth: u32) -> PyResult<u64> {
    let go_on = AtomicBool::new(true);
    let stop = || go_on.store(false, Ordering::Relaxed);
    let count = || perft_while(&mut position, depth, &|| go_on.load(Ordering::Relaxed));
    let nodes = interruptible(py, STACK_SIZE, stop, count)?;
    Ok(nodes.unwrap_or(0))
}

fn checked(depth: u32) -> PyResult<u32> {
    if depth <= MOST_DEPTH {
        return Ok(depth);
    }
    Err(GarrisonError::new_err(format!("depth {depth} is more than {MOST_DEPTH}")))
}

/// The number of legal move paths of `depth` plies. Other threads run meanwhile, and Ctrl-C stops it.
///
/// >>> import garrison
/// >>> garrison.perft(garrison.Position("chess"), 3)
/// 8902
#[pyfunction]
pub fn perft(py: Python<'_>, position: &Bound<'_, PyPosition>, depth: u32) -> PyResult<u64> {
    let position = copied(position)?;
    count(py, position, checked(depth)?)
}

/// The perft of each legal move, by its text; nothing for depth 0.
///
/// >>> import garrison
/// >>> counts = garrison.divide(garrison.Position("chess"), 2)
/// >>> counts["e2e4"], sum(counts.values())
/// (20, 400)
#[pyfunction]
pub fn divide<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyPosition>,
    depth: u32,
) -> PyResult<Bound<'py, PyDict>> {
    let position = copied(position)?;
    let counts = PyDict::new(py);
    let Some(below) = checked(depth)?.checked_sub(1) else { return Ok(counts) };
    for &mv in &position.legal_moves() {
        let mut after = position.without_history();
        after.make(mv);
        counts.set_item(position.move_text(mv), count(py, after, below)?)?;
    }
    Ok(counts)
}
