//! The graph of White's expected score, to be clicked on.

use std::fmt::Write as _;

use super::ViewerGame;
use crate::page_texts::viewer as texts;
use crate::review::Mark;

/// The size of the graph in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;

/// The graph of a game; empty if its positions are not judged.
pub(super) fn graph(game: &ViewerGame) -> String {
    let values = std::iter::once(game.value.as_ref())
        .chain(game.line.iter().map(|ply| ply.value.as_ref()))
        .map(|value| value.map(|value| value.expected));
    let values: Vec<Option<f64>> = values.collect();
    if values.iter().flatten().count() < 2 {
        return String::new();
    }
    let step = WIDTH / (values.len() - 1).max(1) as f64;
    let points: Vec<(f64, f64)> = values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| Some((index as f64 * step, HEIGHT * (1.0 - (*value)?))))
        .collect();
    let mut path = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
    }
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let mut dots = String::new();
    for (index, ply) in game.line.iter().enumerate() {
        let Some(mark) = ply.nags.first().copied().and_then(Mark::of_nag) else { continue };
        let class = mark.name();
        let Some(value) = values[index + 1] else { continue };
        let (x, y) = ((index + 1) as f64 * step, HEIGHT * (1.0 - value));
        // A line without length and with round ends: a dot whatever the graph's proportions.
        let _ = write!(dots, "<path class=\"dot {class}\" d=\"M{x:.1} {y:.1}h0\"/>");
    }
    format!(
        "<figure class=\"graph\"><svg id=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{about}\" data-count=\"{count}\">\
         <path class=\"below\" d=\"{path}L{last:.1} {HEIGHT}L{first:.1} {HEIGHT}z\"/><path class=\"half\" d=\"M0 {half}H{WIDTH}\"/>\
         <path class=\"curve\" d=\"{path}\"/>{dots}<path id=\"cursor\" d=\"M0 0V{HEIGHT}\"/></svg>\
         <figcaption class=\"soft\">{caption}</figcaption></figure>\n",
        about = texts::GRAPH,
        caption = texts::ABOUT_GRAPH,
        count = values.len(),
        half = HEIGHT / 2.0
    )
}
