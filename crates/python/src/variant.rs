//! `Variant`: a game and what there is to know of it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use garrison::rulebook::{self, PieceSheet, Sheet};
use garrison_rules::definition::DefinitionFile;
use garrison_rules::{Position, Variant, catalogue, find};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::definitions;
use crate::errors::{GarrisonError, unknown_variant};
use crate::position::PyPosition;
use crate::words;

/// A game: `Variant("shoranji")` is one that ships with the package, by any of its names or its title.
///
/// Wherever a variant is asked for, its name will do. Two variants are equal if they are the same game.
///
/// >>> import garrison
/// >>> shoranji = garrison.Variant("shoranji")
/// >>> shoranji.title, shoranji.files, shoranji.ranks, shoranji.has_setup, shoranji.has_hands
/// ('SHORANJI', 9, 10, True, True)
/// >>> garrison.Variant("Šōgantšī").name
/// 'shoogantshii'
/// >>> garrison.Variant("xianqi")
/// Traceback (most recent call last):
/// garrison.UnknownVariantError: no variant 'xianqi'; did you mean xiangqi?
#[pyclass(frozen, module = "garrison", name = "Variant")]
pub struct PyVariant {
    pub game: Arc<Variant>,
    sheet: OnceLock<Sheet>,
}

impl PyVariant {
    pub fn new(game: Arc<Variant>) -> PyVariant {
        PyVariant { game, sheet: OnceLock::new() }
    }

    fn sheet(&self) -> &Sheet {
        self.sheet.get_or_init(|| Sheet::of_game(&self.game))
    }
}

/// The variant that an argument is or names.
pub fn variant_of(value: &Bound<'_, PyAny>) -> PyResult<Arc<Variant>> {
    if let Ok(variant) = value.cast::<PyVariant>() {
        return Ok(Arc::clone(&variant.get().game));
    }
    let Ok(name) = value.cast::<PyString>() else {
        let given = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a Variant or its name is needed, not {given}")));
    };
    named(value.py(), &name.to_cow()?)
}

fn named(py: Python<'_>, name: &str) -> PyResult<Arc<Variant>> {
    find(name).map_err(|error| unknown_variant(py, error))
}

#[pymethods]
impl PyVariant {
    #[new]
    fn py_new(py: Python<'_>, name: &str) -> PyResult<PyVariant> {
        named(py, name).map(PyVariant::new)
    }

    /// The game that a file defines; of several, the one with this name. Its definition may name a game that ships
    /// with the package as its base. See docs/variants.md for all keys.
    ///
    /// Raises DefinitionError with all faults.
    #[staticmethod]
    #[pyo3(signature = (path, name=None))]
    fn from_file(py: Python<'_>, path: PathBuf, name: Option<&str>) -> PyResult<PyVariant> {
        definitions::only(definitions::from_file(py, &path)?, name).map(PyVariant::new)
    }

    /// The game that a text defines; of several, the one with this name.
    ///
    /// >>> import garrison
    /// >>> text = "name = 'passchess'\ntitle = 'Chess with passes'\nbase = 'chess'\npass = true"
    /// >>> game = garrison.Variant.from_text(text)
    /// >>> game.title
    /// 'Chess with passes'
    /// >>> "0000" in garrison.Position(game).legal_moves
    /// True
    #[staticmethod]
    #[pyo3(signature = (text, name=None))]
    fn from_text(py: Python<'_>, text: String, name: Option<&str>) -> PyResult<PyVariant> {
        definitions::only(definitions::from_texts(py, vec![text])?, name).map(PyVariant::new)
    }

    /// The name, which is the same in every protocol.
    #[getter]
    fn name(&self) -> &str {
        self.game.name()
    }

    /// The title.
    #[getter]
    fn title(&self) -> &str {
        &self.game.info().title
    }

    /// Other names by which it is found.
    #[getter]
    fn aliases(&self) -> Vec<&str> {
        self.game.aliases().iter().map(String::as_str).collect()
    }

    /// The name of the definition: `swda` for all its match-ups of armies.
    #[getter]
    fn family(&self) -> &str {
        self.game.family()
    }

    /// Who invented it; empty if nobody is named.
    #[getter]
    fn inventor(&self) -> &str {
        &self.game.info().inventor
    }

    /// The year in which its rules were published, if that is known.
    #[getter]
    fn year(&self) -> Option<u16> {
        self.game.info().year
    }

    /// The address of the page with its rules; empty if none is named.
    #[getter]
    fn url(&self) -> &str {
        &self.game.info().url
    }

    /// The number of files.
    #[getter]
    fn files(&self) -> u8 {
        self.game.geometry().files()
    }

    /// The number of ranks.
    #[getter]
    fn ranks(&self) -> u8 {
        self.game.geometry().ranks()
    }

    /// The names of all squares, from a1 file by file and rank by rank. A board with holes has fewer than files times
    /// ranks.
    ///
    /// >>> import garrison
    /// >>> garrison.Variant("chess").squares[:9]
    /// ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1', 'a2']
    #[getter]
    fn squares(&self) -> Vec<String> {
        let geometry = self.game.geometry();
        geometry.squares().map(|square| geometry.name(square)).collect()
    }

    /// The start position as a FEN.
    #[getter]
    fn start_fen(&self) -> &str {
        self.game.start_fen()
    }

    /// The piece types that can take part, in the order of the definition.
    ///
    /// >>> import garrison
    /// >>> [(piece.letter, piece.name, piece.betza) for piece in garrison.Variant("xiangqi").pieces[:2]]
    /// [('P', 'pawn', 'fW'), ('N', 'horse', 'nN')]
    #[getter]
    fn pieces(&self) -> Vec<PyPieceType> {
        self.sheet().pieces.iter().map(|piece| PyPieceType::new(&self.game, piece)).collect()
    }

    /// Whether pieces can be in hand.
    #[getter]
    fn has_hands(&self) -> bool {
        !self.game.hand_kinds().is_empty()
    }

    /// The letters of the pieces that can be in hand, in the order of a FEN.
    #[getter]
    fn hand_letters(&self) -> Vec<String> {
        let kinds = self.game.hand_kinds().iter();
        kinds.map(|&kind| self.game.piece(kind).letter.to_string()).collect()
    }

    /// Whether the game begins with a setup phase, in which each side may rearrange pieces.
    #[getter]
    fn has_setup(&self) -> bool {
        self.game.has_setup()
    }

    /// The rules in sentences, which follow from the definition.
    ///
    /// >>> import garrison
    /// >>> "A player without a legal move loses, in check or not." in garrison.Variant("xiangqi").rules
    /// True
    #[getter]
    fn rules(&self) -> Vec<&str> {
        self.sheet().rules.iter().map(String::as_str).collect()
    }

    /// What is played where the inventor's page is silent.
    #[getter]
    fn rulings(&self) -> Vec<&str> {
        self.game.info().rulings.iter().map(String::as_str).collect()
    }

    /// The rule book as a page for a browser, with a diagram for every piece. `style` is `figures` or `tiles`.
    #[pyo3(signature = (style="figures"))]
    fn html(&self, style: &str) -> PyResult<String> {
        Ok(rulebook::page(self.sheet(), words::style(style)?))
    }

    /// The pieces and their moves in one picture (SVG). `theme` is `light`, `dark` or `auto`.
    #[pyo3(signature = (style="figures", theme="light"))]
    fn poster(&self, style: &str, theme: &str) -> PyResult<String> {
        Ok(rulebook::poster(self.sheet(), words::style(style)?, words::theme(theme)?))
    }

    /// The start position.
    fn start(&self) -> PyPosition {
        PyPosition::from(Position::start(&self.game))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyVariant>().is_ok_and(|other| Arc::ptr_eq(&self.game, &other.get().game))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.game.name().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<Variant {}>", self.game.name())
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce_variant(py, &self.game)
    }
}

/// What pickle calls, and with what.
pub type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// How pickle makes a game again; one of a user travels with its definitions.
pub fn reduce_variant<'py>(py: Python<'py>, game: &Arc<Variant>) -> PyResult<Reduced<'py>> {
    let module = py.import("garrison._garrison")?;
    let Some(files) = definitions::files_of(game) else {
        return Ok((module.getattr("Variant")?, (game.name(),).into_pyobject(py)?));
    };
    let files: Vec<(&str, &str)> =
        files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
    Ok((module.getattr("_load_definitions")?, (files, game.name()).into_pyobject(py)?))
}

/// The names of all games that ship with the package: first the games of its own, then well-known ones. Other names
/// for them, which `Variant` knows too, are left out.
///
/// >>> import garrison
/// >>> names = garrison.variants()
/// >>> names[0], "chess" in names, "shogi" in names
/// ('sixfortresses', True, True)
#[pyfunction]
pub fn variants() -> Vec<String> {
    catalogue::all_names()
}

/// All games that a file defines, or all `.toml` files of a folder, which may be based on each other.
///
/// Raises DefinitionError with all faults of all files.
#[pyfunction]
pub fn load_variants(py: Python<'_>, path: PathBuf) -> PyResult<Vec<PyVariant>> {
    Ok(definitions::from_file(py, &path)?.into_iter().map(PyVariant::new).collect())
}

/// All games that texts define, which may be based on each other.
///
/// >>> import garrison
/// >>> one = "name = 'one'\nbase = 'chess'\npass = true"
/// >>> two = "name = 'two'\nbase = 'one'\ntitle = 'Two'"
/// >>> [game.name for game in garrison.parse_variants(two, one)]
/// ['two', 'one']
#[pyfunction]
#[pyo3(signature = (*texts))]
pub fn parse_variants(py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<PyVariant>> {
    if texts.is_empty() {
        return Err(GarrisonError::new_err("no text is given; a definition of a game is needed"));
    }
    Ok(definitions::from_texts(py, texts)?.into_iter().map(PyVariant::new).collect())
}

/// For pickle: the game of this name of definitions as `Variant.__reduce__` writes them.
#[pyfunction]
pub fn _load_definitions(
    py: Python<'_>,
    files: Vec<(String, String)>,
    name: &str,
) -> PyResult<PyVariant> {
    let files = files.into_iter().map(|(name, text)| DefinitionFile { name, text }).collect();
    definitions::only(definitions::load(py, files)?, Some(name)).map(PyVariant::new)
}

/// A piece type of a game.
///
/// >>> import garrison
/// >>> cannon = next(piece for piece in garrison.Variant("xiangqi").pieces if piece.name == "cannon")
/// >>> cannon.letter, cannon.betza, cannon.is_royal, cannon.value > 2
/// ('C', 'mRcpR', False, True)
#[pyclass(frozen, get_all, module = "garrison", name = "PieceType")]
pub struct PyPieceType {
    /// The letter, a capital; a promoted piece may have a `+` before it.
    letter: String,
    /// The name.
    name: String,
    /// How it moves, in Betza's notation; empty if it never moves.
    betza: String,
    /// What it is worth in pawns as the engine plays; None if it is royal.
    value: Option<f64>,
    /// Whether it must be kept safe.
    is_royal: bool,
    /// The only side that can have it, `white` or `black`; None if both can.
    owner: Option<&'static str>,
    /// Whether it can be in hand.
    in_hand: bool,
    /// How it moves, promotes and is dropped, in sentences.
    words: Vec<String>,
}

impl PyPieceType {
    fn new(game: &Arc<Variant>, piece: &PieceSheet) -> PyPieceType {
        let info = game.piece(piece.kind);
        PyPieceType {
            letter: piece.letter.clone(),
            name: info.name.clone(),
            betza: info.betza.clone(),
            value: piece.value,
            is_royal: game.royals().contains(piece.kind),
            owner: piece.owner.map(words::color_word),
            in_hand: info.slot.is_some(),
            words: piece.words.clone(),
        }
    }
}

#[pymethods]
impl PyPieceType {
    fn __repr__(&self) -> String {
        format!("<PieceType {} {} {}>", self.letter, self.name, self.betza)
    }
}
