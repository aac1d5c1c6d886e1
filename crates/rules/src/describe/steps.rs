//! How a piece moves as its definition writes it, for pictures.

use crate::betza::{self, Step};
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType};
use crate::variant::Variant;

/// How a piece type of one side moves as its definition writes it: the steps, with the directions that they have on
/// the board.
///
/// ```
/// use garrison_rules::{Color, Letter, find};
///
/// let chess = find("chess")?;
/// let pawn = chess.kind_of(Letter { capital: 'P', promoted: false }).expect("a pawn");
/// let moves = chess.written_moves(Color::Black, pawn);
/// assert_eq!(moves.usual.len(), 3);
/// assert!(moves.usual.iter().all(|step| step.dy == -1));
/// assert_eq!((moves.double.len(), moves.double[0].dy), (1, -1));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WrittenMoves {
    /// The steps that it has on all squares.
    pub usual: Vec<Step>,
    /// Those that it has on some squares only.
    pub extra: Vec<ExtraSteps>,
    /// Those without capture that it has as long as it has not moved.
    pub first: Vec<Step>,
    /// The single steps that it may make twice at once, over an empty square to an empty one.
    pub double: Vec<Step>,
}

/// Steps that a piece type has on some squares only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraSteps {
    /// The steps.
    pub steps: Vec<Step>,
    /// Where they begin.
    pub from: Bitboard,
    /// Where they may end.
    pub to: Bitboard,
}

impl Variant {
    /// How a piece type of `color` moves as the definition writes it. Where the piece may go and what it may not
    /// capture is not part of it.
    pub fn written_moves(&self, color: Color, kind: PieceType) -> WrittenMoves {
        let table = self.written(color, kind);
        let steps = |text: Option<&String>| self.turned(color, &Variant::steps_of(text));
        let all = self.geometry().squares();
        let squares = |text: &Option<String>| {
            text.as_ref().map_or(all, |text| self.own(color, self.squares_of(text)))
        };
        let extra = table.extra.iter().flatten().map(|extra| ExtraSteps {
            steps: steps(extra.betza.as_ref()),
            from: squares(&extra.from),
            to: squares(&extra.to),
        });
        let first = table.first.as_ref().filter(|text| !text.is_empty());
        let doubles = !self.side(color).moves(kind).doubles.is_empty();
        let double = table.double_step.as_ref().filter(|_| doubles).map(|double| {
            betza::parse(double.along.as_deref().unwrap_or("fW")).unwrap_or_default()
        });
        WrittenMoves {
            usual: steps(table.betza.as_ref()),
            extra: extra.collect(),
            first: steps(first),
            double: self.turned(color, &double.unwrap_or_default()),
        }
    }

    /// The named regions of the definition, as `color` has them.
    pub fn named_regions(&self, color: Color) -> impl Iterator<Item = (&str, Bitboard)> {
        self.named_region_sets().map(move |(name, set)| (name, self.own(color, set)))
    }
}
