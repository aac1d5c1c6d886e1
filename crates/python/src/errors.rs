//! The exceptions, and how the errors of the crates become them.

use garrison_rules::UnknownGame;
use garrison_rules::definition::Fault;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

create_exception!(
    garrison,
    GarrisonError,
    PyValueError,
    "What was wrong with a value that was given; the base of all exceptions of this package."
);
create_exception!(
    garrison,
    UnknownVariantError,
    GarrisonError,
    "No game has this name; `nearest` holds up to three names that may have been meant."
);
create_exception!(
    garrison,
    DefinitionError,
    GarrisonError,
    "The definition of a game is wrong; `faults` holds all its faults, each a `Fault`."
);
create_exception!(garrison, FenError, GarrisonError, "A text is no position of the game.");
create_exception!(
    garrison,
    MoveError,
    GarrisonError,
    "A text is no move, or a move is not legal, and why."
);
create_exception!(garrison, PgnError, GarrisonError, "A game of a PGN text cannot be read.");
create_exception!(
    garrison,
    EvalError,
    GarrisonError,
    "An evaluation cannot be read, is for another game, or lacks what is asked for."
);
create_exception!(
    garrison,
    EngineError,
    GarrisonError,
    "A search cannot begin: a limit is missing, the game is over, or the engine is busy."
);

/// A fault of a definition, and where it stands.
///
/// >>> import garrison
/// >>> try:
/// ...     garrison.Variant.from_text("name = 'mine'\nbase = 'chess'\npas = true")
/// ... except garrison.DefinitionError as error:
/// ...     fault = error.faults[0]
/// >>> fault.line, fault.column, fault.key
/// (3, 1, 'pas')
/// >>> fault.message
/// "unknown key; the nearest is 'pass'"
/// >>> print(fault)
/// text: line 3, column 1: pas: unknown key; the nearest is 'pass'
#[pyclass(frozen, get_all, module = "garrison", name = "Fault")]
pub struct PyFault {
    /// The name of the file; `text` for a text.
    file: String,
    /// The line, from 1; 0 if it is unknown.
    line: usize,
    /// The column, from 1; 0 if it is unknown.
    column: usize,
    /// The key at fault, such as `pieces.P.betza`; empty if the text is not TOML.
    key: String,
    /// Its value as it is written; empty if it has none or a long one.
    value: String,
    /// What is wrong, and what would be right.
    message: String,
    /// All of it in one line.
    text: String,
}

#[pymethods]
impl PyFault {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Fault {}>", self.text)
    }
}

impl From<&Fault> for PyFault {
    fn from(fault: &Fault) -> PyFault {
        let error = &fault.error;
        PyFault {
            file: fault.file.clone(),
            line: error.line,
            column: error.column,
            key: error.key.clone(),
            value: error.value.clone(),
            message: error.fault.to_string(),
            text: fault.to_string(),
        }
    }
}

/// An exception with a value under a name of its own.
fn with_value<'py>(
    error: PyErr,
    name: &str,
    value: impl IntoPyObject<'py>,
    py: Python<'py>,
) -> PyErr {
    match error.value(py).setattr(name, value) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// All faults of definitions as one exception; its text has a line for each.
pub fn definition_error(py: Python<'_>, faults: &[Fault]) -> PyErr {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    let objects: PyResult<Vec<_>> =
        faults.iter().map(|fault| Bound::new(py, PyFault::from(fault))).collect();
    match objects {
        Ok(objects) => {
            with_value(DefinitionError::new_err(lines.join("\n")), "faults", objects, py)
        }
        Err(error) => error,
    }
}

/// The exception of a name that no game has.
pub fn unknown_variant(py: Python<'_>, error: UnknownGame) -> PyErr {
    let message =
        error.to_string().replace("'variants' lists them", "garrison.variants() lists them");
    with_value(UnknownVariantError::new_err(message), "nearest", error.nearest, py)
}

/// Adds the exceptions to the module. What they carry is empty where a user makes one.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for (name, exception) in [
        ("GarrisonError", py.get_type::<GarrisonError>()),
        ("UnknownVariantError", py.get_type::<UnknownVariantError>()),
        ("DefinitionError", py.get_type::<DefinitionError>()),
        ("FenError", py.get_type::<FenError>()),
        ("MoveError", py.get_type::<MoveError>()),
        ("PgnError", py.get_type::<PgnError>()),
        ("EvalError", py.get_type::<EvalError>()),
        ("EngineError", py.get_type::<EngineError>()),
    ] {
        module.add(name, exception)?;
    }
    py.get_type::<UnknownVariantError>().setattr("nearest", PyTuple::empty(py))?;
    py.get_type::<DefinitionError>().setattr("faults", PyTuple::empty(py))?;
    module.add_class::<PyFault>()
}
