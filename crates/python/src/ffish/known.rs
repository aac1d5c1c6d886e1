//! How pyffish writes the games that it knows as well, where that is not how Garrison writes them.

use garrison_rules::{PieceType, Variant};

/// A game that pyffish knows.
#[derive(Debug)]
pub struct Known {
    name: &'static str,
    /// The letters of the pieces in hand, in the order in which a FEN has them; empty in a game without hands.
    pub hands: &'static str,
    /// Letters of pieces, and those that stand for them in notations of moves; both are read in a FEN.
    pub synonyms: &'static [(char, char)],
    /// Whether a pawn has its letter in SAN.
    pub has_pawn_letter: bool,
    /// Whether moves are written as in shogi unless another notation is asked for.
    pub is_shogi: bool,
}

const CHESS_LIKE: Known =
    Known { name: "", hands: "", synonyms: &[], has_pawn_letter: false, is_shogi: false };

const HORSE_AND_ELEPHANT: &[(char, char)] = &[('N', 'H'), ('B', 'E')];

const KNOWN: [Known; 6] = [
    Known { name: "crazyhouse", hands: "QRBNP", ..CHESS_LIKE },
    Known { name: "shogi", hands: "GNLPSRB", has_pawn_letter: true, is_shogi: true, ..CHESS_LIKE },
    Known {
        name: "minishogi",
        hands: "GPSRB",
        has_pawn_letter: true,
        is_shogi: true,
        ..CHESS_LIKE
    },
    Known { name: "xiangqi", synonyms: HORSE_AND_ELEPHANT, has_pawn_letter: true, ..CHESS_LIKE },
    Known { name: "janggi", synonyms: HORSE_AND_ELEPHANT, has_pawn_letter: true, ..CHESS_LIKE },
    Known { name: "berolina", has_pawn_letter: true, ..CHESS_LIKE },
];

impl Known {
    /// How this game is written; as Garrison does unless pyffish does otherwise.
    pub fn of(variant: &Variant) -> &'static Known {
        KNOWN.iter().find(|known| known.name == variant.name()).unwrap_or(&CHESS_LIKE)
    }

    /// The letter of a piece in notations of moves.
    pub fn letter(&self, capital: char) -> char {
        self.synonyms.iter().find(|(own, _)| *own == capital).map_or(capital, |(_, other)| *other)
    }
}

/// The piece type that a notation shows: a piece that differs from its unpromoted form only when it is captured, as the
/// queen that was a pawn in crazyhouse, is written like that form.
pub fn shown_kind(variant: &Variant, kind: PieceType) -> PieceType {
    let letter = variant.piece(kind).letter;
    if !letter.promoted || !variant.has_double(letter.capital) {
        return kind;
    }
    let plain = garrison_rules::Letter { promoted: false, ..letter };
    variant.kind_of(plain).unwrap_or(kind)
}
