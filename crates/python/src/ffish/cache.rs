//! The position of a call: game, FEN and moves. Calls without a state would read the FEN and replay the moves each time;
//! each thread keeps the position of its last call, and plays on from the moves that both calls share.

use std::cell::Cell;
use std::sync::Arc;

use garrison_rules::{Position, Variant, catalogue, find};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use super::{error, fen, moves};

/// The position of a call.
pub struct Cached {
    /// The name by which the game was asked for.
    name: String,
    /// How often games had been added when it was looked up.
    additions: u64,
    variant: Arc<Variant>,
    fen: String,
    /// Whether castling is written as in Chess960.
    by_rook: bool,
    /// The moves, and for each the number of plies made up to it: setups that are left out are made too.
    texts: Vec<String>,
    plies: Vec<usize>,
    /// The position after these moves.
    pub position: Position,
}

thread_local! {
    /// Taken out while it is used: what Python runs meanwhile may call again.
    static LAST: Cell<Option<Cached>> = const { Cell::new(None) };
}

/// Calls a function with the position after the moves; castling is written `by_rook`, as in Chess960, or not.
///
/// # Errors
/// The game is unknown, the FEN or a move is wrong, or the function fails.
pub fn with_position<T>(
    variant: &str,
    text: &str,
    movelist: &Bound<'_, PyAny>,
    by_rook: bool,
    function: impl FnOnce(&mut Position) -> PyResult<T>,
) -> PyResult<T> {
    let items = Items::of(movelist)?;
    let last = LAST.take();
    let mut cached = match last {
        Some(cached) if cached.is_of(variant, text, by_rook) => cached,
        last => Cached::new(last, variant, text, by_rook)?,
    };
    let found = cached.play(&items).and_then(|()| function(&mut cached.position));
    LAST.set(Some(cached));
    found
}

impl Cached {
    fn new(last: Option<Cached>, name: &str, text: &str, by_rook: bool) -> PyResult<Cached> {
        let additions = catalogue::additions();
        let variant = match last {
            Some(last) if last.name == name && last.additions == additions => last.variant,
            _ => find(name).map_err(error)?,
        };
        let mut position = fen::read(&variant, text).map_err(error)?;
        position.set_castles_by_rook(by_rook || variant.castles_by_rook());
        Ok(Cached {
            name: name.to_string(),
            additions,
            variant,
            fen: text.to_string(),
            by_rook,
            texts: Vec::new(),
            plies: Vec::new(),
            position,
        })
    }

    fn is_of(&self, name: &str, text: &str, by_rook: bool) -> bool {
        (self.fen.as_str(), self.name.as_str(), self.by_rook) == (text, name, by_rook)
            && self.additions == catalogue::additions()
    }

    /// Takes back the moves that are not in the list, and plays those that are missing.
    fn play(&mut self, items: &Items<'_, '_>) -> PyResult<()> {
        let mut shared = 0;
        while shared < self.texts.len() && shared < items.len() {
            if items.at(shared)?.to_str()? != self.texts[shared] {
                break;
            }
            shared += 1;
        }
        self.texts.truncate(shared);
        self.plies.truncate(shared);
        let kept = self.plies.last().copied().unwrap_or(0);
        let made = self.position.moves_made().len();
        (kept..made).for_each(|_| self.position.unmake());
        for index in shared..items.len() {
            let item = items.at(index)?;
            let text = item.to_str()?;
            moves::play(&mut self.position, text)
                .map_err(|fault| error(format!("move {} of the list: {fault}", index + 1)))?;
            self.texts.push(text.to_string());
            self.plies.push(self.position.moves_made().len());
        }
        Ok(())
    }
}

/// A list or tuple of moves.
pub enum Items<'a, 'py> {
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
}

impl<'a, 'py> Items<'a, 'py> {
    /// # Errors
    /// The object is neither.
    pub fn of(movelist: &'a Bound<'py, PyAny>) -> PyResult<Items<'a, 'py>> {
        if let Ok(list) = movelist.cast::<PyList>() {
            return Ok(Items::List(list));
        }
        movelist.cast::<PyTuple>().map(Items::Tuple).map_err(|_| {
            let found = movelist.get_type();
            PyTypeError::new_err(format!("the moves must be a list of str, not {found}"))
        })
    }

    pub fn len(&self) -> usize {
        match self {
            Items::List(list) => list.len(),
            Items::Tuple(tuple) => tuple.len(),
        }
    }

    /// # Errors
    /// The item is no text.
    pub fn at(&self, index: usize) -> PyResult<Bound<'py, PyString>> {
        let item = match self {
            Items::List(list) => list.get_item(index)?,
            Items::Tuple(tuple) => tuple.get_item(index)?,
        };
        item.cast_into::<PyString>().map_err(|wrong| {
            let found = wrong.into_inner().get_type();
            PyTypeError::new_err(format!("move {} of the list must be str, not {found}", index + 1))
        })
    }
}
