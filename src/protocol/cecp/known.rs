//! The games that XBoard knows itself. It keeps to its own board, places of the pieces and hands for them, whatever the
//! engine says: a game that differs is another one to it, which a second engine does not play, and which is gone with
//! the next game.

use super::board::promoted_form;
use garrison_rules::{Letter, PieceType, Variant};

/// A game of XBoard's own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Its name, here and there.
    pub name: &'static str,
    /// The height of a hand.
    pub hand: usize,
    /// Files and ranks.
    size: (u8, u8),
    /// The letters of the pieces at their places, the royal one last: a `+` for the promoted form of the piece eleven
    /// places before, a `~` for a pawn that looks like it.
    letters: &'static str,
}

const fn known(name: &'static str, size: (u8, u8), hand: usize, letters: &'static str) -> Known {
    Known { name, hand, size, letters }
}

/// The hand of grand shows the pieces to which a pawn may promote. The king of xiangqi has no place of a royal piece.
const ALL: [Known; 8] = [
    known("crazyhouse", (8, 8), 5, "PNBRQ.......~~~~K"),
    known("shatranj", (8, 8), 0, "PN.R.QB...K"),
    known("makruk", (8, 8), 0, "PN.R.M....SK"),
    known("shogi", (9, 9), 7, "PNBRLS...G.++++++K"),
    known("xiangqi", (9, 10), 0, "PN.R.AB..K.C."),
    known("capablanca", (10, 8), 0, "PNBRQ..ACK"),
    known("grand", (10, 10), 7, "PNBRQ..ACK"),
    known("berolina", (8, 8), 0, "PNBRQ...........K"),
];

/// How far behind a piece its promoted form stands.
const PROMOTED: usize = 11;

impl Known {
    /// XBoard's game of the same name and size.
    pub fn of(variant: &Variant) -> Option<&'static Known> {
        let geometry = variant.geometry();
        let size = (geometry.files(), geometry.ranks());
        ALL.iter().find(|known| known.name == variant.name() && known.size == size)
    }

    /// The pieces at its places, and the royal one; `None` if these are not all pieces of the game.
    pub fn places(
        &self,
        variant: &Variant,
        pieces: &[PieceType],
    ) -> Option<(Vec<Option<PieceType>>, Option<PieceType>)> {
        let of = |capital| variant.kind_of(Letter { capital, promoted: false });
        let mut places: Vec<Option<PieceType>> = Vec::new();
        for (place, letter) in self.letters.chars().enumerate() {
            let kind = match letter {
                '.' => None,
                '+' | '~' => Some(promoted_form(variant, places[place.checked_sub(PROMOTED)?]?)?),
                capital => Some(of(capital)?),
            };
            places.push(kind);
        }
        let all = pieces.iter().all(|&kind| places.contains(&Some(kind)));
        let royal = places.pop().flatten();
        all.then_some((places, royal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::cecp::board::describe;
    use garrison_rules::find;

    #[test]
    fn games_of_xboard_keep_its_board_and_places() {
        for known in &ALL {
            let variant = find(known.name).expect("a built-in game");
            let lines = describe(&variant);
            let both = format!("{}{}", known.letters, known.letters.to_lowercase());
            let (files, ranks) = known.size;
            let beginning =
                format!("setup ({both}) {files}x{ranks}+{}_{} ", known.hand, known.name);
            assert!(lines[0].starts_with(&beginning), "{lines:?}");
        }
    }
}
