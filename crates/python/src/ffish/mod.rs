//! `garrison.ffish`: the functions of pyffish, Fairy-Stockfish's Python module, for every game of Garrison. They have no
//! state but the games that were added: each call names the game, a FEN and the moves made from there.

mod cache;
mod fen;
mod known;
mod moves;
mod notation;
mod options;
mod results;
mod validate;
mod wxf;

use std::fmt::Display;
use std::sync::Arc;

use cache::{Items, with_position};
use garrison_rules::definition::{DefinitionFile, Fault};
use garrison_rules::{Color, Position, Variant, catalogue, find};
use notation::Style;
use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

create_exception!(
    garrison.ffish,
    FfishError,
    PyValueError,
    "What is wrong with a game, a FEN, a move, a definition or an option, in one line each."
);

/// The most definitions that one call may add.
const MOST_DEFINITIONS: usize = 256;

/// The exception for what is wrong with an argument.
fn error(wrong: impl Display) -> PyErr {
    FfishError::new_err(wrong.to_string())
}

/// Faults of definitions, a line each.
fn lines(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")
}

/// Calls a function with the position of a call.
fn on<T>(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
    function: impl FnOnce(&mut Position) -> PyResult<T>,
) -> PyResult<T> {
    let by_rook = chess960.map_or(Ok(false), |value| value.is_truthy())?;
    with_position(variant, fen, movelist, by_rook, function)
}

fn style(number: Option<&Bound<'_, PyAny>>, variant: &Variant) -> PyResult<Style> {
    Style::of(number.map_or(Ok(notation::DEFAULT), integer)?, variant)
}

/// # Errors
/// The object is no integer, or too large for one of the processor.
fn integer(number: &Bound<'_, PyAny>) -> PyResult<i64> {
    number.extract().map_err(|wrong: PyErr| {
        match wrong.is_instance_of::<PyTypeError>(number.py()) {
            true => wrong,
            false => error(format!("{number} is out of range")),
        }
    })
}

/// version() -> tuple[int, int, int]: the version of Garrison.
#[pyfunction]
fn version() -> (u16, u16, u16) {
    let part = |text: &str| text.parse().unwrap_or(0);
    (
        part(env!("CARGO_PKG_VERSION_MAJOR")),
        part(env!("CARGO_PKG_VERSION_MINOR")),
        part(env!("CARGO_PKG_VERSION_PATCH")),
    )
}

/// The name of the program and its version.
#[pyfunction]
fn info() -> String {
    format!("Garrison {}", env!("CARGO_PKG_VERSION"))
}

/// The names of all games, in the order of the alphabet; games that were added are among them.
#[pyfunction]
fn variants() -> Vec<String> {
    let mut names = catalogue::all_names();
    names.sort();
    names
}

/// Sets an option by its name in UCI. `VariantPath` adds the games of a file or folder of definitions, `UCI_Variant` checks
/// the name of a game; options of a search are accepted and do nothing here.
#[pyfunction]
fn set_option(name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let value = value.str()?;
    options::set(name, value.to_str()?)
}

/// Adds games from the text of a definition in Garrison's form, or from a list of such texts, of which one may be the base
/// of another. The exception has all faults, a line each; no game is added then.
#[pyfunction]
fn load_variant_config(config: &Bound<'_, PyAny>) -> PyResult<()> {
    let file = |name: String, text: &Bound<'_, PyString>| -> PyResult<DefinitionFile> {
        Ok(DefinitionFile { name, text: text.to_str()?.to_string() })
    };
    let files = match config.cast::<PyString>() {
        Ok(text) => vec![file("config".to_string(), text)?],
        Err(_) => {
            let items = Items::of(config)?;
            if items.len() > MOST_DEFINITIONS {
                let count = items.len();
                return Err(error(format!(
                    "{count} definitions; at most {MOST_DEFINITIONS} are added at once"
                )));
            }
            let numbered = |index: usize| file(format!("config {}", index + 1), &items.at(index)?);
            (0..items.len()).map(numbered).collect::<PyResult<_>>()?
        }
    };
    catalogue::add(files).map(drop).map_err(|faults| error(lines(&faults)))
}

/// The start position of a game as FEN.
#[pyfunction]
fn start_fen(variant: &str) -> PyResult<String> {
    Ok(fen::start(&*find(variant).map_err(error)?))
}

/// Whether a game is played on two boards; none is.
#[pyfunction]
fn two_boards(variant: &str) -> PyResult<bool> {
    find(variant).map(|_| false).map_err(error)
}

/// Whether captured pieces go to the hand of the captor.
#[pyfunction]
fn captures_to_hand(variant: &str) -> PyResult<bool> {
    find(variant).map(|variant| variant.captures_change_sides()).map_err(error)
}

/// A legal move in a notation.
#[pyfunction]
#[pyo3(signature = (variant, fen, r#move, chess960 = None, notation = None))]
fn get_san(
    py: Python<'_>,
    variant: &str,
    fen: &str,
    r#move: &str,
    chess960: Option<&Bound<'_, PyAny>>,
    notation: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    on(variant, fen, PyList::empty(py).as_any(), chess960, |position| {
        let style = style(notation, position.variant())?;
        let mv = moves::read(position, r#move).map_err(error)?;
        Ok(notation::write(position, mv, style))
    })
}

/// The moves of a game in a notation.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None, notation = None))]
fn get_san_moves(
    py: Python<'_>,
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
    notation: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<String>> {
    let items = Items::of(movelist)?;
    on(variant, fen, PyList::empty(py).as_any(), chess960, |position| {
        let style = style(notation, position.variant())?;
        let mut game = position.clone();
        let mut texts = Vec::with_capacity(items.len().min(1 << 16));
        for index in 0..items.len() {
            let item = items.at(index)?;
            let wrong = |fault| error(format!("move {} of the list: {fault}", index + 1));
            let mv = moves::read(&game, item.to_str()?).map_err(wrong)?;
            texts.push(notation::write(&mut game, mv, style));
            game.make(mv);
        }
        Ok(texts)
    })
}

/// The legal moves as text.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None))]
fn legal_moves<'py>(
    py: Python<'py>,
    variant: &str,
    fen: &str,
    movelist: &Bound<'py, PyAny>,
    chess960: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    on(variant, fen, movelist, chess960, |position| {
        let mut text = String::new();
        let texts = position.legal_moves().into_iter().map(|mv| {
            text.clear();
            moves::write(position, mv, &mut text);
            PyString::new(py, &text)
        });
        PyList::new(py, texts.collect::<Vec<_>>())
    })
}

/// The position as FEN. With `sfen` as SFEN, as shogi programs write positions. `show_promoted` and `count_started`
/// change nothing: games here do not keep what became of a pawn unless it matters, and count moves from their rules.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None, sfen = None, show_promoted = None, count_started = None))]
fn get_fen(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
    sfen: Option<&Bound<'_, PyAny>>,
    show_promoted: Option<&Bound<'_, PyAny>>,
    count_started: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let as_sfen = sfen.map_or(Ok(false), |sfen| sfen.is_truthy())?;
    show_promoted.map_or(Ok(false), |shown| shown.is_truthy())?;
    count_started.map_or(Ok(0), integer)?;
    on(variant, fen, movelist, chess960, |position| {
        Ok(if as_sfen { garrison::protocol::sfen(position) } else { fen::write(position) })
    })
}

/// Whether the side to move is in check.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None))]
fn gives_check(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    on(variant, fen, movelist, chess960, |position| Ok(position.is_check()))
}

/// Whether a legal move captures.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, r#move, chess960 = None))]
fn is_capture(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    r#move: &str,
    chess960: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    on(variant, fen, movelist, chess960, |position| {
        let mv = moves::read(position, r#move).map_err(error)?;
        Ok(moves::captured(position, mv).is_some())
    })
}

/// The letter of the piece that the last move captured, without its promotion; empty if it captured nothing.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None))]
fn piece_to_partner(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    on(variant, fen, movelist, chess960, |position| Ok(fen::captured_letter(position)))
}

/// The result of a game that is over by a rule of the board or by the lack of legal moves, for the side to move:
/// `VALUE_MATE` if it has won, `-VALUE_MATE` if it has lost, `VALUE_DRAW`.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None))]
fn game_result(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
) -> PyResult<i32> {
    on(variant, fen, movelist, chess960, |position| {
        let outcome = results::forced_outcome(position);
        let outcome = outcome.ok_or_else(|| error("the game goes on: there are legal moves"))?;
        Ok(results::value(position, outcome))
    })
}

/// Whether a rule of the board has ended the game, other than by the lack of legal moves, and the result for the side to
/// move; `(False, VALUE_DRAW)` if not.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None))]
fn is_immediate_game_end(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
) -> PyResult<(bool, i32)> {
    on(variant, fen, movelist, chess960, |position| {
        let outcome = position.decided();
        Ok((outcome.is_some(), outcome.map_or(0, |outcome| results::value(position, outcome))))
    })
}

/// Whether the game ends by repetition or by a count of moves, and the result for the side to move; `(False, VALUE_DRAW)`
/// if not.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None, count_started = None))]
fn is_optional_game_end(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
    count_started: Option<&Bound<'_, PyAny>>,
) -> PyResult<(bool, i32)> {
    count_started.map_or(Ok(0), integer)?;
    on(variant, fen, movelist, chess960, |position| {
        let outcome = results::optional_outcome(position);
        Ok((outcome.is_some(), outcome.map_or(0, |outcome| results::value(position, outcome))))
    })
}

/// Whether White and whether Black has too few pieces to win.
#[pyfunction]
#[pyo3(signature = (variant, fen, movelist, chess960 = None))]
fn has_insufficient_material(
    variant: &str,
    fen: &str,
    movelist: &Bound<'_, PyAny>,
    chess960: Option<&Bound<'_, PyAny>>,
) -> PyResult<(bool, bool)> {
    on(variant, fen, movelist, chess960, |position| {
        let [white, black] = Color::ALL.map(|color| results::cannot_win(position, color));
        Ok((white, black))
    })
}

/// `FEN_OK`, or the number of the first thing that is wrong with a FEN. The FEN comes first.
#[pyfunction]
#[pyo3(signature = (fen, variant, chess960 = None))]
fn validate_fen(fen: &str, variant: &str, chess960: Option<&Bound<'_, PyAny>>) -> PyResult<i32> {
    // A FEN may name the rights to castle in either way.
    let _ = chess960;
    let variant: Arc<Variant> = find(variant).map_err(error)?;
    Ok(validate::code(&variant, fen))
}

/// Refuses: no game here hides squares from a player.
#[pyfunction]
#[pyo3(signature = (fen, variant, chess960 = None))]
fn get_fog_fen(fen: &str, variant: &str, chess960: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let _ = chess960;
    let variant = find(variant).map_err(error)?;
    fen::read(&variant, fen).map_err(error)?;
    Err(error(format!("{} hides no square from a player: it has no fog", variant.name())))
}

/// Adds the module `ffish`.
///
/// # Errors
/// Those of Python.
pub fn register(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = parent.py();
    let module = PyModule::new(py, "ffish")?;
    add_functions(&module)?;
    // `error` is pyffish's name for it; an exception that is pickled is found by its own.
    module.add("error", py.get_type::<FfishError>())?;
    module.add("FfishError", py.get_type::<FfishError>())?;
    module.add("VALUE_MATE", results::MATE)?;
    module.add("VALUE_DRAW", 0)?;
    for (name, number) in NOTATIONS {
        module.add(format!("NOTATION_{name}"), number)?;
    }
    for (name, code) in FEN_CODES {
        module.add(format!("FEN_{name}"), code)?;
    }
    parent.add_submodule(&module)
}

fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(version, module)?)?;
    module.add_function(wrap_pyfunction!(info, module)?)?;
    module.add_function(wrap_pyfunction!(variants, module)?)?;
    module.add_function(wrap_pyfunction!(set_option, module)?)?;
    module.add_function(wrap_pyfunction!(load_variant_config, module)?)?;
    module.add_function(wrap_pyfunction!(start_fen, module)?)?;
    module.add_function(wrap_pyfunction!(two_boards, module)?)?;
    module.add_function(wrap_pyfunction!(captures_to_hand, module)?)?;
    module.add_function(wrap_pyfunction!(get_san, module)?)?;
    module.add_function(wrap_pyfunction!(get_san_moves, module)?)?;
    module.add_function(wrap_pyfunction!(legal_moves, module)?)?;
    module.add_function(wrap_pyfunction!(get_fen, module)?)?;
    module.add_function(wrap_pyfunction!(gives_check, module)?)?;
    module.add_function(wrap_pyfunction!(is_capture, module)?)?;
    module.add_function(wrap_pyfunction!(piece_to_partner, module)?)?;
    module.add_function(wrap_pyfunction!(game_result, module)?)?;
    module.add_function(wrap_pyfunction!(is_immediate_game_end, module)?)?;
    module.add_function(wrap_pyfunction!(is_optional_game_end, module)?)?;
    module.add_function(wrap_pyfunction!(has_insufficient_material, module)?)?;
    module.add_function(wrap_pyfunction!(validate_fen, module)?)?;
    module.add_function(wrap_pyfunction!(get_fog_fen, module)?)
}

const NOTATIONS: [(&str, i64); 10] = [
    ("DEFAULT", notation::DEFAULT),
    ("SAN", Style::San as i64),
    ("LAN", Style::Lan as i64),
    ("SHOGI_HOSKING", Style::Hosking as i64),
    ("SHOGI_HODGES", Style::Hodges as i64),
    ("SHOGI_HODGES_NUMBER", Style::HodgesNumber as i64),
    ("JANGGI", Style::Janggi as i64),
    ("XIANGQI_WXF", Style::Wxf as i64),
    ("THAI_SAN", Style::ThaiSan as i64),
    ("THAI_LAN", Style::ThaiLan as i64),
];

const FEN_CODES: [(&str, i32); 16] = [
    ("OK", validate::OK),
    ("EMPTY", validate::EMPTY),
    ("INVALID_MOVE_COUNTER", validate::MOVE_COUNTER),
    ("INVALID_HALF_MOVE_COUNTER", validate::HALF_MOVE_COUNTER),
    ("INVALID_NUMBER_OF_KINGS", validate::NUMBER_OF_KINGS),
    ("INVALID_EN_PASSANT_SQ", validate::EN_PASSANT_SQUARE),
    ("INVALID_CASTLING_INFO", validate::CASTLING_INFO),
    ("INVALID_SIDE_TO_MOVE", validate::SIDE_TO_MOVE),
    ("INVALID_POCKET_INFO", validate::POCKET_INFO),
    ("INVALID_BOARD_GEOMETRY", validate::BOARD_GEOMETRY),
    ("TOUCHING_KINGS", validate::TOUCHING_KINGS),
    ("INVALID_CHAR", validate::CHAR),
    ("INVALID_NB_PARTS", validate::NB_PARTS),
    ("INVALID_PROMOTED_PIECE", validate::PROMOTED_PIECE),
    ("INVALID_CHECK_COUNT", validate::CHECK_COUNT),
    ("ILLEGAL", validate::ILLEGAL),
];
