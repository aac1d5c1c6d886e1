//! Which figure shows which piece: by its moves, by its name, or by its letter.

use std::collections::HashSet;

use garrison_rules::betza::{self, Step};
use garrison_rules::{Letter, PieceType, Variant};

macro_rules! figures {
    ($($name:literal)*) => {
        /// The figures by name: texts of SVG, drawn once for White in two colors, [`LIGHT`] and [`DARK`].
        const FIGURES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../assets/pieces/", $name, ".svg")))),*];
    };
}

figures! {
    "alfil" "amazon" "archbishop" "berolina" "bishop" "camel" "cannon" "centaur" "champion" "chancellor" "crab"
    "dragon-horse" "dragon-king" "drunk-elephant" "elephant" "ferz" "fodhetu" "fortress" "gold" "grasshopper" "guard"
    "imposter" "king" "kirin" "knight" "lance" "lion" "nightrider" "pawn" "queen" "ring" "rook" "silver" "toad"
    "war-machine" "wazir" "wizard" "zebra"
}

/// The color of a piece's body in the texts of the figures.
pub(crate) const LIGHT: &str = "#ffffcc";
/// The color of outlines and details in them.
pub(crate) const DARK: &str = "#000000";

/// Figures of pieces whose name, or its first word, says more than their moves.
const BY_FIRST_NAME: [(&str, &str); 7] = [
    ("king", "king"),
    // A piece without a name is called by its letter.
    ("k", "king"),
    ("imposter", "imposter"),
    ("lion", "lion"),
    ("camel", "camel"),
    ("zebra", "zebra"),
    ("fortress", "fortress"),
];

/// Figures by moves, in Betza notation.
const BY_MOVES: [(&str, &str); 45] = [
    ("mfWcfF", "pawn"),
    ("fW", "pawn"),
    ("fsW", "pawn"),
    ("mfWfF", "pawn"),
    ("mfFcfW", "berolina"),
    ("R", "rook"),
    ("N", "knight"),
    ("ffN", "knight"),
    ("nN", "knight"),
    ("B", "bishop"),
    ("Q", "queen"),
    ("K", "guard"),
    ("W", "wazir"),
    ("F", "ferz"),
    ("A", "alfil"),
    ("nA", "alfil"),
    ("nZ", "alfil"),
    ("FA", "elephant"),
    ("WD", "war-machine"),
    ("RF", "dragon-king"),
    ("BW", "dragon-horse"),
    ("fR", "lance"),
    ("fbRsW", "lance"),
    ("FfW", "silver"),
    ("WfF", "gold"),
    ("ND", "ring"),
    ("FH", "toad"),
    ("FD", "kirin"),
    ("FfsW", "drunk-elephant"),
    ("ffNbsN", "crab"),
    ("mRcpR", "cannon"),
    ("pR", "cannon"),
    ("mBcpB", "fodhetu"),
    ("RN", "chancellor"),
    ("BN", "archbishop"),
    ("QN", "amazon"),
    ("KN", "centaur"),
    ("DAW", "champion"),
    ("CF", "wizard"),
    ("C", "camel"),
    ("Z", "zebra"),
    ("FDH", "lion"),
    ("gQ", "grasshopper"),
    ("NN", "nightrider"),
    ("", "fortress"),
];

/// Figures by the first word of a name, for pieces whose moves no figure has.
const BY_NAME: [(&str, &str); 20] = [
    ("pawn", "pawn"),
    ("soldier", "pawn"),
    ("knight", "knight"),
    ("horse", "knight"),
    ("bishop", "bishop"),
    ("rook", "rook"),
    ("chariot", "rook"),
    ("queen", "queen"),
    ("elephant", "elephant"),
    ("cannon", "cannon"),
    ("lance", "lance"),
    ("silver", "silver"),
    ("gold", "gold"),
    ("guard", "guard"),
    ("wizard", "wizard"),
    ("champion", "champion"),
    ("unicorn", "kirin"),
    ("kirin", "kirin"),
    ("toad", "toad"),
    ("crab", "crab"),
];

/// What a piece is shown by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// A figure: its text.
    Figure(&'static str),
    /// Its letter and the directions of its moves: no figure fits, or another piece of the game has it.
    Letter,
    /// Its letter, for a piece that exists in hand only.
    Reserve,
}

/// How a piece is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Drawing {
    pub shape: Shape,
    /// It has the mark of promoted forms.
    pub promoted: bool,
    /// It has a small crown: a royal piece that does not look like a king.
    pub crowned: bool,
}

/// The drawings of all pieces of a game, by piece type. Those with letters aside, no two are the same.
pub(crate) fn drawings(variant: &Variant) -> Vec<Drawing> {
    let mut used = HashSet::new();
    let mut drawings: Vec<Drawing> = Vec::new();
    for kind in variant.kinds() {
        let drawing = first_choice(variant, kind);
        let has_letter = matches!(drawing.shape, Shape::Letter | Shape::Reserve);
        let is_free = has_letter || used.insert(drawing);
        drawings.push(if is_free { drawing } else { Drawing { shape: Shape::Letter, ..drawing } });
    }
    // A promoted form looks like what it was, with a mark.
    for kind in variant.kinds() {
        if let Some(base) = base_of(variant, kind) {
            drawings[kind.index()] = Drawing { promoted: true, ..drawings[base.index()] };
        }
    }
    drawings
}

/// The piece type of which this one is the promoted form.
pub(super) fn base_of(variant: &Variant, kind: PieceType) -> Option<PieceType> {
    let letter = variant.piece(kind).letter;
    letter.promoted.then(|| variant.kind_of(Letter { promoted: false, ..letter })).flatten()
}

/// How a piece would be drawn if no other looked the same.
fn first_choice(variant: &Variant, kind: PieceType) -> Drawing {
    let piece = variant.piece(kind);
    let plain = |shape| Drawing { shape, promoted: false, crowned: false };
    if piece.letter.promoted && base_of(variant, kind).is_some() {
        // Drawn from its base, so it takes no figure from another.
        return plain(Shape::Letter);
    }
    if !piece.reserve.is_empty() {
        return plain(Shape::Reserve);
    }
    let is_royal = variant.royals().contains(kind);
    let shape = shape(variant, kind);
    let is_own = is_royal && steps_like_a_king(&steps(variant, kind));
    match first_named(variant, kind) {
        None if is_own && variant.royal() == Some(kind) => plain(figure("king")),
        None if is_own => Drawing { crowned: true, ..plain(figure("guard")) },
        Some("king") if is_royal => plain(shape),
        _ => Drawing { crowned: is_royal, ..plain(shape) },
    }
}

/// The figure of a piece whose name says more than its moves.
fn first_named(variant: &Variant, kind: PieceType) -> Option<&'static str> {
    named(&BY_FIRST_NAME, variant, kind)
}

/// The figure of the first word of a piece's name.
fn named(
    table: &[(&str, &'static str)],
    variant: &Variant,
    kind: PieceType,
) -> Option<&'static str> {
    let name = variant.piece(kind).name.to_lowercase();
    let first = name.split(' ').next().unwrap_or_default();
    table.iter().find(|(word, _)| *word == first).map(|&(_, name)| name)
}

fn shape(variant: &Variant, kind: PieceType) -> Shape {
    let steps = steps(variant, kind);
    let by_moves = || {
        BY_MOVES.iter().find(|(text, _)| same_steps(&parse(text), &steps)).map(|&(_, name)| name)
    };
    first_named(variant, kind)
        .or_else(by_moves)
        .or_else(|| named(&BY_NAME, variant, kind))
        .map_or(Shape::Letter, figure)
}

/// The figure of this name; there is one for every name of the tables, which a test makes sure of.
fn figure(name: &str) -> Shape {
    let found = FIGURES.iter().find(|(other, _)| *other == name);
    found.map_or(Shape::Letter, |(_, text)| Shape::Figure(text))
}

fn parse(text: &str) -> Vec<Step> {
    betza::parse(text).unwrap_or_default()
}

/// The usual steps of a piece, from its side's point of view.
fn steps(variant: &Variant, kind: PieceType) -> Vec<Step> {
    parse(&variant.piece(kind).betza)
}

/// Whether these are the same steps in any order.
fn same_steps(a: &[Step], b: &[Step]) -> bool {
    a.iter().all(|step| b.contains(step)) && b.iter().all(|step| a.contains(step))
}

fn steps_like_a_king(steps: &[Step]) -> bool {
    let near = |step: &Step| step.range == 1 && step.dx.abs().max(step.dy.abs()) == 1;
    !steps.is_empty() && steps.iter().all(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_tables_has_a_figure() {
        let names = BY_FIRST_NAME.iter().chain(&BY_MOVES).chain(&BY_NAME);
        for (key, name) in names {
            assert!(matches!(figure(name), Shape::Figure(_)), "{key}: no figure {name}");
        }
        for (text, name) in BY_MOVES.iter().filter(|(text, _)| !text.is_empty()) {
            assert!(betza::parse(text).is_ok(), "{name}: {text}");
        }
    }

    #[test]
    fn figures_have_the_form_that_is_relied_on() {
        for (name, text) in FIGURES {
            assert!(text.starts_with("<svg xmlns=") && text.ends_with("</g>\n</svg>\n"), "{name}");
            let colors = text.matches('#').count();
            let known = text.matches(LIGHT).count() + text.matches(DARK).count();
            assert_eq!(colors, known, "{name}: a color that is not replaced");
            assert!(text.len() < 1500, "{name}: {} bytes", text.len());
        }
    }

    #[test]
    fn the_order_of_atoms_does_not_matter() {
        assert!(same_steps(&parse("DW"), &parse("WD")));
        assert!(same_steps(&parse("FsfW"), &parse("FfsW")));
        assert!(!same_steps(&parse("W"), &parse("WD")) && !same_steps(&parse("WD"), &parse("W")));
    }
}
