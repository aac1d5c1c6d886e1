//! What a position is worth: men on the board and in hand, and how far they move.

use super::Score;
use crate::rules::{Color, PieceKind, Position, Variant};

/// What one square that a man can go to is worth, in centipawns.
const MOBILITY: i32 = 3;
/// What the right to move is worth, in centipawns.
const TEMPO: i32 = 10;

pub trait Evaluator: std::fmt::Debug {
    fn evaluate(&mut self, position: &Position) -> i32;
}
#[derive(Debug)]
pub struct Linear(Vec<i32>);
impl Linear {
    pub fn new(variant: &Variant) -> Linear {
        Linear(variant.kinds().map(|kind| variant.man(kind).value).collect())
    }
    pub fn man_value(&self, kind: PieceKind) -> i32 { self.0[kind.index()] }
    pub fn hand_value(&self, kind: PieceKind) -> i32 { self.0[kind.index()] }
}
impl Evaluator for Linear {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let side = position.side();
        side_value(position, side) - side_value(position, !side) + TEMPO
    }
}

/// The value of a position to the side to move.
pub fn evaluate(position: &Position) -> Score {
    let side = position.side();
    Score::centipawns(side_value(position, side) - side_value(position, !side) + TEMPO)
}

fn side_value(position: &Position, color: Color) -> i32 {
    let variant = position.variant();
    let men: i32 = variant
        .kinds_of(color)
        .map(|kind| {
            let count =
                position.men(color, kind).len() as i32 + i32::from(position.in_hand(color, kind));
            count * variant.man(kind).value
        })
        .sum();
    men + MOBILITY * position.mobility(color) as i32
}
