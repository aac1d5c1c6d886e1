//! The words by which Python names sides, styles and themes.

use garrison::picture::{Style, Theme};
use garrison_rules::Color;
use pyo3::prelude::*;

use crate::errors::GarrisonError;

/// The word for a side.
pub fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// One of a few words, or an exception that lists them.
fn choice<T: Copy>(what: &str, text: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let words: Vec<String> = known.iter().map(|(word, _)| format!("'{word}'")).collect();
        let given = garrison_rules::shown(text);
        GarrisonError::new_err(format!("{what} '{given}' is none of {}", words.join(", ")))
    })
}

/// The side of a word.
pub fn color(text: &str) -> PyResult<Color> {
    choice("side", text, &Color::ALL.map(|color| (color_word(color), color)))
}

/// The style of a word.
pub fn style(text: &str) -> PyResult<Style> {
    choice("style", text, &[("figures", Style::Figures), ("tiles", Style::Tiles)])
}

/// The theme of a word.
pub fn theme(text: &str) -> PyResult<Theme> {
    choice("theme", text, &[("light", Theme::Light), ("dark", Theme::Dark), ("auto", Theme::Auto)])
}
