//! The pictures of the pieces, as files that XBoard reads.
//!
//! A picture is drawn once, for White; Black's is the same with the two colors exchanged. XBoard puts its
//! own colors in their place.

use crate::picture::figures::{DARK, Drawing, LIGHT, Shape, drawings};
use crate::protocol::cecp::board::PieceTable;
use garrison_rules::{Color, PieceType, Variant};

macro_rules! picture {
    ($name:literal) => {
        include_str!(concat!("../../../assets/pieces/", $name, ".svg"))
    };
}

/// A mark in the corner, for promoted forms.
const PROMOTED: &str = picture!("promoted");
/// For pieces that no other picture fits: a `?`, in whose place the letter is written.
const OTHER: &str = picture!("other");

/// The pictures of a game: a name of a file, as XBoard wants it, and its text.
pub(super) fn files(variant: &Variant, table: &PieceTable) -> Vec<(String, String)> {
    let drawings = drawings(variant);
    let mut files = Vec::new();
    for (kind, picture) in table.pictures() {
        let white = text(variant, kind, drawings[kind.index()]);
        files.push((format!("White{picture}.svg"), of_side(&white, Color::White)));
        files.push((format!("Black{picture}.svg"), of_side(&white, Color::Black)));
    }
    files
}

/// The picture of a piece as it is drawn, White's.
fn text(variant: &Variant, kind: PieceType, drawing: Drawing) -> String {
    let letter = variant.piece(kind).letter.capital.to_string();
    let shape = match drawing.shape {
        Shape::Figure(text) => text.to_string(),
        Shape::Letter | Shape::Reserve => OTHER.replace('?', &letter),
    };
    if drawing.promoted { over(&shape, PROMOTED) } else { shape }
}

/// One picture put over another.
fn over(below: &str, above: &str) -> String {
    let start = above.find("<g").unwrap_or(0);
    match below.rfind("</svg>") {
        Some(end) => format!("{}{}", &below[..end], &above[start..]),
        None => below.to_string(),
    }
}

fn of_side(picture: &str, side: Color) -> String {
    match side {
        Color::White => picture.to_string(),
        Color::Black => picture.replace(LIGHT, "\0").replace(DARK, LIGHT).replace('\0', DARK),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use garrison_rules::catalogue::builtin_names;
    use garrison_rules::find;

    #[test]
    fn every_piece_of_every_game_has_a_picture_of_its_own() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let table = PieceTable::of(&variant).expect("room for its pieces");
            let files = files(&variant, &table);
            assert_eq!(files.len(), 2 * table.pictures().count(), "{name}");
            let names: HashSet<_> = files.iter().map(|(file, _)| file).collect();
            let pictures: HashSet<_> = files.iter().map(|(_, text)| text).collect();
            assert_eq!((names.len(), pictures.len()), (files.len(), files.len()), "{name}");
            for (file, text) in &files {
                assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"), "{name} {file}");
                assert_eq!(text.matches("<svg").count(), 1, "{name} {file}");
                assert!(!text.contains('?'), "{name} {file}: a piece without a picture");
            }
        }
    }
}
