//! Games of PGN texts and files, one by one.

use std::io::{BufRead, Cursor};
use std::path::PathBuf;
use std::sync::Mutex;

use garrison::files::{in_file, open_file};
use garrison::record::pgn::{Fallback, Games, GamesError};
use pyo3::prelude::*;

use crate::errors::PgnError;
use crate::game::PyGame;
use crate::search::lock;
use crate::variant::variant_of;

/// A text or a file.
type Source = Box<dyn BufRead + Send>;

fn fallback(variant: Option<&Bound<'_, PyAny>>) -> PyResult<Fallback> {
    Ok(Fallback { own: variant.map(variant_of).transpose()?, ..Fallback::default() })
}

/// The games of a text.
pub fn games_of_text(text: String, variant: Option<&Bound<'_, PyAny>>) -> PyResult<Games<Source>> {
    Ok(Games::new(Box::new(Cursor::new(text.into_bytes())), fallback(variant)?))
}

/// An iterator over the games of a PGN text or file, of which only one is kept at a time.
///
/// A faulty game raises PgnError, and the next call of `next` goes on with the game after it; or it is skipped, and
/// kept in `faults`.
#[pyclass(frozen, module = "garrison", name = "Games")]
pub struct PyGames {
    games: Mutex<Games<Source>>,
    skip_faulty: bool,
    faults: Mutex<Vec<String>>,
}

impl PyGames {
    fn new(games: Games<Source>, skip_faulty: bool) -> PyGames {
        PyGames { games: Mutex::new(games), skip_faulty, faults: Mutex::default() }
    }
}

#[pymethods]
impl PyGames {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyGame>> {
        loop {
            let (game, faults) = py.detach(|| {
                let mut games = lock(&self.games);
                let game = games.next();
                (game, games.faults().iter().map(ToString::to_string).collect())
            });
            match game {
                None => return Ok(None),
                Some(Ok(record)) => return Ok(Some(PyGame::new(record, faults))),
                Some(Err(GamesError::Game(error))) if self.skip_faulty => {
                    lock(&self.faults).push(error.to_string());
                    py.check_signals()?;
                }
                Some(Err(error)) => return Err(PgnError::new_err(error.to_string())),
            }
        }
    }

    /// What was wrong with the games that were skipped, a line each.
    #[getter]
    fn faults(&self) -> Vec<String> {
        lock(&self.faults).clone()
    }
}

/// The games of a PGN file, one by one; files of any length are read with little memory.
///
/// `variant` is for games without the tag Variant, or that name this game. With `skip_faulty` a faulty game is skipped.
#[pyfunction]
#[pyo3(signature = (path, variant=None, *, skip_faulty=false))]
pub fn read_pgn(
    path: PathBuf,
    variant: Option<&Bound<'_, PyAny>>,
    skip_faulty: bool,
) -> PyResult<PyGames> {
    let file = open_file(&path);
    let file = file.map_err(|error| PgnError::new_err(in_file(&path, error).to_string()))?;
    Ok(PyGames::new(Games::new(Box::new(file), fallback(variant)?), skip_faulty))
}

/// The games of a PGN text, one by one.
///
/// >>> import garrison
/// >>> text = '''[Variant "chess"]
/// ...
/// ... 1. e4 e5 *
/// ...
/// ... [Variant "shogi"]
/// ...
/// ... 1. Pg4 *
/// ... '''
/// >>> [game.variant.name for game in garrison.parse_pgn(text)]
/// ['chess', 'shogi']
#[pyfunction]
#[pyo3(signature = (text, variant=None, *, skip_faulty=false))]
pub fn parse_pgn(
    text: String,
    variant: Option<&Bound<'_, PyAny>>,
    skip_faulty: bool,
) -> PyResult<PyGames> {
    Ok(PyGames::new(games_of_text(text, variant)?, skip_faulty))
}
