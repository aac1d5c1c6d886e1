//! The pictures of the pieces, as files that XBoard reads.
//!
//! A picture is drawn once, for White; Black's is the same with the two colors exchanged. XBoard puts its
//! own colors in their place.

use crate::protocol::cecp::board::PieceTable;
use garrison_rules::{Color, Letter, PieceType, Variant};

/// The two colors of the pictures.
const LIGHT: &str = "#ffffcc";
const DARK: &str = "#000000";

macro_rules! picture {
    ($name:literal) => {
        include_str!(concat!("../../../assets/pieces/", $name, ".svg"))
    };
}

/// The pictures by the moves of the pieces, in Betza notation.
const BY_MOVES: [(&str, &str); 28] = [
    ("mfWcfF", picture!("pawn")),
    ("fW", picture!("pawn")),
    ("mfFcfW", picture!("berolina")),
    ("R", picture!("rook")),
    ("N", picture!("knight")),
    ("ffN", picture!("knight")),
    ("B", picture!("bishop")),
    ("Q", picture!("queen")),
    ("K", picture!("imposter")),
    ("W", picture!("wazir")),
    ("F", picture!("ferz")),
    ("A", picture!("alfil")),
    ("FA", picture!("elephant")),
    ("WD", picture!("war-machine")),
    ("", picture!("fortress")),
    ("RF", picture!("dragon-king")),
    ("BW", picture!("dragon-horse")),
    ("fR", picture!("lance")),
    ("FfW", picture!("silver")),
    ("WfF", picture!("gold")),
    ("ND", picture!("ring")),
    ("FH", picture!("toad")),
    ("FD", picture!("kirin")),
    ("FfsW", picture!("drunk-elephant")),
    ("ffNbsN", picture!("crab")),
    ("mRcpR", picture!("cannon")),
    ("mBcpB", picture!("fodhetu")),
    ("fbRsW", picture!("lance")),
];
const KING: &str = picture!("king");
/// A mark in the corner, for promoted forms.
const PROMOTED: &str = picture!("promoted");
/// For pieces that no other picture fits: a `?`, in whose place the letter is written.
const OTHER: &str = picture!("other");

/// The pictures of a game: a name of a file, as XBoard wants it, and its text.
pub(super) fn files(variant: &Variant, table: &PieceTable) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (kind, picture) in table.pictures() {
        let white = drawing(variant, kind);
        files.push((format!("White{picture}.svg"), of_side(&white, Color::White)));
        files.push((format!("Black{picture}.svg"), of_side(&white, Color::Black)));
    }
    files
}

/// The picture of a piece as it is drawn, White's.
fn drawing(variant: &Variant, kind: PieceType) -> String {
    let piece = variant.piece(kind);
    if piece.letter.promoted {
        let base = variant.kind_of(Letter { promoted: false, ..piece.letter });
        if let Some(base) = base {
            return over(&drawing(variant, base), PROMOTED);
        }
    }
    if variant.royal() == Some(kind) {
        return KING.to_string();
    }
    match BY_MOVES.iter().find(|(moves, _)| *moves == piece.betza) {
        Some((_, picture)) => picture.to_string(),
        None => OTHER.replace('?', &piece.letter.capital.to_string()),
    }
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
