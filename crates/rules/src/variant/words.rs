//! The words that some keys of a definition take.

use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::DeValue;

use super::schema::{Keyed, Source};
use crate::betza::{Legs, Step};
use crate::bitboard::Bitboard;
use crate::geometry::{Geometry, Lines};
use crate::types::{Color, Square};

/// Declares an enum that is written as one of a few words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
        pub enum $name {
            $($(#[$word_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl Keyed for $name {
            const EXPECTED: &'static str = concat!("one of the words", $(" \"", $word, "\""),*);

            fn check(source: &Source, value: &Spanned<DeValue>, key: &str) {
                let known = value.get_ref().as_str().is_some_and(|text| [$($word),*].contains(&text));
                source.expect(known, Self::EXPECTED, value, key);
            }
        }
    };
}

words! {
    /// Where captured pieces go.
    Capture {
        /// Out of the game.
        Removed = "removed",
        /// To the hand of the captor, changing sides.
        Hand = "hand",
        /// Back to the hand of their owner.
        Owner = "owner",
    }
}

words! {
    /// What every move does with stones.
    EachMove {
        /// The piece leaves one on the square that it leaves.
        Leaves = "leaves",
        /// The player puts a further one on a vacant square.
        Places = "places",
        /// The player takes the only one away and puts it on another vacant square.
        Moves = "moves",
        /// The player puts a further one on a vacant square to which the piece could move next.
        Shoots = "shoots",
    }
}

words! {
    /// How the royal piece decides the game.
    RoyaltyKind {
        /// It may not be left attacked: check and checkmate. This holds for each of several royals.
        Absolute = "absolute",
        /// As absolute, but only while it is the last royal of its side.
        Last = "last",
        /// Of several royals of a side, at least one may not be left attacked.
        Duple = "duple",
        /// It may be left attacked, and captured: the game is won by capturing the last royal.
        Captured = "captured",
    }
}

words! {
    /// The lines along which royals face each other.
    FacingAlong {
        /// Files.
        File = "file",
        /// Files and ranks.
        Straight = "straight",
        /// Diagonals.
        Diagonal = "diagonal",
        /// Files, ranks and diagonals.
        Any = "any",
    }
}

impl FacingAlong {
    /// The lines that are meant.
    pub fn lines(self) -> Lines {
        match self {
            FacingAlong::File => Lines::FILE,
            FacingAlong::Straight => Lines::FILE.with(Lines::RANK),
            FacingAlong::Diagonal => Lines::DIAGONAL.with(Lines::ANTIDIAGONAL),
            FacingAlong::Any => Lines::ALL,
        }
    }
}

words! {
    /// The result for a player without a legal move: of stalemate, or of checkmate.
    NoMoves {
        /// It is a draw.
        Draw = "draw",
        /// The player loses.
        Loss = "loss",
        /// The player wins.
        Win = "win",
        /// White wins, whoever cannot move.
        White = "white",
        /// Black wins, whoever cannot move.
        Black = "black",
        /// The side with fewer pieces on the board wins; if both have as many it is a draw.
        Fewer = "fewer",
    }
}

words! {
    /// The result of an end for a side.
    EndResult {
        /// It wins.
        Win = "win",
        /// It loses.
        Loss = "loss",
        /// Nobody wins.
        Draw = "draw",
    }
}

words! {
    /// Who wins when a position has occurred too often, or too many plies brought no progress.
    Repeated {
        /// Nobody.
        Draw = "draw",
        /// White.
        White = "white",
        /// Black.
        Black = "black",
        /// The side to move: the other side repeated the position.
        Mover = "mover",
        /// The side that has just moved: the side to move loses.
        Repeater = "repeater",
    }
}

words! {
    /// Who wins what would be a draw otherwise.
    EndDrawn {
        /// Nobody.
        Draw = "draw",
        /// White.
        White = "white",
        /// Black.
        Black = "black",
    }
}

impl EndDrawn {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Color> {
        match self {
            EndDrawn::Draw => None,
            EndDrawn::White => Some(Color::White),
            EndDrawn::Black => Some(Color::Black),
        }
    }
}

words! {
    /// How Black sees the board: regions, castling and sideways steps.
    SeenByBlack {
        /// Rotated by 180 degrees: Black's a-file is White's last file.
        Turned = "turned",
        /// Mirrored upside down: both have the same a-file.
        Mirrored = "mirrored",
        /// As White does: both move up the board.
        Same = "same",
    }
}

impl SeenByBlack {
    /// The square that is to `color` what `square` is to White.
    pub fn own_square(self, geometry: &Geometry, color: Color, square: Square) -> Square {
        match (color, self) {
            (Color::White, _) | (_, SeenByBlack::Same) => square,
            (_, SeenByBlack::Mirrored) => geometry.mirrored(square),
            (_, SeenByBlack::Turned) => geometry.relative(color, square),
        }
    }

    /// The squares that are to `color` what `set` is to White.
    pub fn own(self, geometry: &Geometry, color: Color, set: Bitboard) -> Bitboard {
        let squares = set.map(|square| self.own_square(geometry, color, square));
        squares.collect::<Bitboard>() & geometry.squares()
    }

    /// Steps of `color`, written from its point of view, in White's directions.
    pub fn turned(self, color: Color, steps: &[Step]) -> Vec<Step> {
        let (dx, dy) = self.signs(color);
        steps.iter().map(|step| Step { dx: step.dx * dx, dy: step.dy * dy, ..*step }).collect()
    }

    /// Moves of two legs of `color`, written from its point of view, in White's directions.
    pub(crate) fn turned_legs(self, color: Color, legs: &[Legs]) -> Vec<Legs> {
        let (dx, dy) = self.signs(color);
        let turned = |(x, y): (i8, i8)| (x * dx, y * dy);
        let legs = legs.iter();
        legs.map(|leg| Legs { first: turned(leg.first), second: turned(leg.second), ..*leg })
            .collect()
    }

    /// What directions of `color` are multiplied by to become White's.
    fn signs(self, color: Color) -> (i8, i8) {
        match (color, self) {
            (Color::White, _) | (_, SeenByBlack::Same) => (1, 1),
            (_, SeenByBlack::Mirrored) => (1, -1),
            (_, SeenByBlack::Turned) => (-1, -1),
        }
    }
}

impl OneSide {
    /// The side that is meant.
    pub fn color(self) -> Color {
        match self {
            OneSide::White => Color::White,
            OneSide::Black => Color::Black,
        }
    }
}

words! {
    /// One of the sides.
    OneSide {
        /// White.
        White = "white",
        /// Black.
        Black = "black",
    }
}
