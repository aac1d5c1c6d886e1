//! The rule by which start arrays are drawn by lot.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::types::{Color, Letter, Piece, PieceType, Rank, Square};
use crate::variant::shuffle::{Shuffle, ShuffleStep};

const EXPECTED: &str =
    "expected are the letters of pieces, then perhaps 'light' or 'dark', such as \"B light\"";

impl Compiler<'_> {
    /// The rule of the arrays, if the game has one. The pieces that it names stand on one rank at the start, the same
    /// of both sides.
    pub(super) fn shuffle(&self) -> Option<Shuffle> {
        let texts = self.definition.shuffle.as_deref().filter(|texts| !texts.is_empty())?;
        let (key, start) = ("shuffle", self.start.as_ref()?);
        let mut steps = Vec::new();
        for text in texts {
            let Some(step) = self.shuffle_step(text) else {
                self.faults.note(key, format!("'{text}': {EXPECTED}"));
                return None;
            };
            steps.push(step);
        }
        let all = self.geometry.squares();
        if !steps.is_sorted_by_key(|step| step.on == all) {
            self.faults.note(key, "those on light or dark squares come first");
            return None;
        }
        let mut named: Vec<PieceType> = steps.iter().flat_map(|step| step.kinds.clone()).collect();
        named.sort_unstable();
        let mut ranks =
            (0..self.geometry.ranks()).map(|rank| self.geometry.rank_squares(Rank(rank)));
        let same_on = |rank: &Bitboard| {
            let mut kinds: Vec<PieceType> =
                self.shuffled_on(start, *rank, &named).into_iter().map(|(_, kind)| kind).collect();
            kinds.sort_unstable();
            kinds == named
        };
        let Some(rank) = ranks.find(same_on) else {
            self.faults.note(
                key,
                "these are not all pieces of their types on one rank of White at the start",
            );
            return None;
        };
        let pieces = self.shuffled_on(start, rank, &named);
        let is_mirrored = |&(square, kind): &(Square, PieceType)| {
            start.contains(&(self.own_square(Color::Black, square), Piece::new(Color::Black, kind)))
        };
        if !pieces.iter().all(is_mirrored) {
            self.faults.note(key, "Black's pieces do not stand as White's at the start");
        }
        let squares =
            pieces.into_iter().fold(Bitboard::EMPTY, |set, (at, _)| set | Bitboard::of(at));
        let shuffle = Shuffle { squares, steps };
        if shuffle.count() == 0 {
            self.faults.note(key, "there are not so many light or dark squares for them");
        }
        Some(shuffle)
    }

    /// White's pieces of these types on a rank.
    fn shuffled_on(
        &self,
        start: &[(Square, Piece)],
        rank: Bitboard,
        kinds: &[PieceType],
    ) -> Vec<(Square, PieceType)> {
        let is_one = |&&(square, piece): &&(Square, Piece)| {
            rank.contains(square) && piece.color() == Color::White && kinds.contains(&piece.kind())
        };
        start.iter().filter(is_one).map(|&(square, piece)| (square, piece.kind())).collect()
    }

    /// `RKR`, or `B light`.
    fn shuffle_step(&self, text: &str) -> Option<ShuffleStep> {
        let mut words = text.split_whitespace();
        let letters = Letter::split(words.next()?)?;
        let kind = |letter: &Letter| {
            let index = self.letters.iter().position(|other| other == letter)?;
            Some(PieceType::new(index as u8))
        };
        let kinds: Option<Vec<PieceType>> = letters.iter().map(kind).collect();
        let dark = self.geometry.dark_squares();
        let on = match (words.next(), words.next()) {
            (None, None) => self.geometry.squares(),
            (Some("light"), None) => self.geometry.squares() & !dark,
            (Some("dark"), None) => self.geometry.squares() & dark,
            _ => return None,
        };
        Some(ShuffleStep { kinds: kinds?, on })
    }
}
