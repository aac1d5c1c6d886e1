//! `Headers`: the tags of a game as a mapping.

use std::collections::HashMap;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::GarrisonError;
use crate::game::{PyGame, parse_result};

/// The tags that follow from the start position.
const OF_START: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// The tags of a game, a mapping of names to values that changes the game.
///
/// >>> import garrison
/// >>> game = garrison.Game("chess")
/// >>> game.headers["White"] = "Anna"
/// >>> game.headers["White"], game.headers.get("Black"), "Variant" in game.headers, len(game.headers)
/// ('Anna', None, True, 3)
/// >>> dict(game.headers)
/// {'Variant': 'chess', 'White': 'Anna', 'Result': '*'}
#[pyclass(frozen, mapping, module = "garrison", name = "Headers")]
pub struct PyHeaders {
    pub game: Py<PyGame>,
}

#[pymethods]
impl PyHeaders {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        self.get(py, name, None)?.ok_or_else(|| PyKeyError::new_err(name.to_string()))
    }

    /// Letters, digits and underscores make a name.
    fn __setitem__(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            let given = garrison_rules::shown(name);
            let message =
                format!("'{given}' is no name of a tag: it has letters, digits and underscores");
            return Err(GarrisonError::new_err(message));
        }
        if OF_START.contains(&name) {
            let message = format!("the tag {name} follows from the start position");
            return Err(GarrisonError::new_err(message));
        }
        if name == "Result" {
            parse_result(value)?;
        }
        self.game.try_borrow_mut(py)?.record.set_tag(name, value);
        Ok(())
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        if OF_START.contains(&name) || name == "Result" {
            return Err(GarrisonError::new_err(format!("every game has the tag {name}")));
        }
        let tags = &mut self.game.try_borrow_mut(py)?.record.tags;
        let index = tags.iter().position(|(other, _)| other == name);
        tags.remove(index.ok_or_else(|| PyKeyError::new_err(name.to_string()))?);
        Ok(())
    }

    fn __contains__(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(name) = name.extract::<String>() else { return Ok(false) };
        Ok(self.game.try_borrow(py)?.record.tag(&name).is_some())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.keys(py)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys(py)?)?.try_iter()?.into_any())
    }

    /// The value of a tag, or the default.
    #[pyo3(signature = (name, default=None))]
    fn get(&self, py: Python<'_>, name: &str, default: Option<String>) -> PyResult<Option<String>> {
        let game = self.game.try_borrow(py)?;
        Ok(game.record.tag(name).map(str::to_string).or(default))
    }

    /// The names of the tags.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let game = self.game.try_borrow(py)?;
        let names = game.record.tags.iter().map(|(name, _)| name.clone());
        Ok(names.chain(["Result".to_string()]).collect())
    }

    /// The values of the tags.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.items(py)?.into_iter().map(|(_, value)| value).collect())
    }

    /// The names and values of the tags.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let game = self.game.try_borrow(py)?;
        let result = ("Result".to_string(), game.record.result.text().to_string());
        Ok(game.record.tags.iter().cloned().chain([result]).collect())
    }

    /// Takes a tag away and returns its value; the default, if it is given and there is no such tag.
    #[pyo3(signature = (name, default=None))]
    fn pop(&self, py: Python<'_>, name: &str, default: Option<String>) -> PyResult<String> {
        match (self.get(py, name, None)?, default) {
            (Some(value), _) => {
                self.__delitem__(py, name)?;
                Ok(value)
            }
            (None, Some(default)) => Ok(default),
            (None, None) => Err(PyKeyError::new_err(name.to_string())),
        }
    }

    /// Sets the tags of a dict, one after the other; those before a wrong one stay set.
    fn update(&self, py: Python<'_>, tags: &Bound<'_, PyDict>) -> PyResult<()> {
        for (name, value) in tags.iter() {
            self.__setitem__(py, &name.extract::<String>()?, &value.extract::<String>()?)?;
        }
        Ok(())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(other) = other.cast::<PyHeaders>() {
            return Ok(self.items(py)? == other.get().items(py)?);
        }
        let own: HashMap<_, _> = self.items(py)?.into_iter().collect();
        Ok(other.cast::<PyDict>().is_ok_and(|other| {
            other.extract::<HashMap<String, String>>().is_ok_and(|other| own == other)
        }))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let items = self.items(py)?;
        let items = items.iter().map(|(name, value)| format!("{name}: {value}"));
        Ok(format!("<Headers {}>", items.collect::<Vec<_>>().join(", ")))
    }
}
