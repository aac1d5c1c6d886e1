//! The pieces of an ending, as text and as a key.

use std::sync::Arc;

use garrison_rules::{Color, Letter, Piece, PieceType, Position, Square, Variant};

use super::fault::EndingFault;
use super::layout::Layout;

/// The most pieces of an ending, those of both sides together.
pub const MAX_PIECES: usize = 4;

/// Squares of the pieces of an ending, in their order; those beyond their number mean nothing.
pub(super) type Squares = [Square; MAX_PIECES];

/// The pieces of both sides, White's first, in the order of the definition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Material(Vec<Piece>);

/// The pieces as one number, in the order of [`Material`].
pub(super) type MaterialKey = u64;

/// The place of a piece in the order.
fn rank(piece: Piece) -> u64 {
    (piece.color().index() as u64) << 8 | piece.kind().index() as u64
}

impl Material {
    /// These pieces, at most [`MAX_PIECES`].
    ///
    /// # Errors
    /// There are more.
    pub fn new(variant: &Variant, mut pieces: Vec<Piece>) -> Result<Material, EndingFault> {
        pieces.sort_by_key(|&piece| rank(piece));
        let (count, material) = (pieces.len(), Material(pieces));
        if count > MAX_PIECES {
            return Err(EndingFault::TooManyPieces { text: material.text(variant), count });
        }
        Ok(material)
    }

    /// Reads White's pieces, `v`, Black's pieces: `KRvK` or `K R v K`, with `+` before promoted ones.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(variant: &Variant, text: &str) -> Result<Material, EndingFault> {
        let compact: String = text.split_whitespace().collect();
        let no_ending = || EndingFault::NoEnding(text.to_string());
        let sides: Vec<&str> = compact.split('v').collect();
        let [white, black] = sides.as_slice() else { return Err(no_ending()) };
        let mut pieces = Vec::new();
        for (color, side) in Color::ALL.into_iter().zip([white, black]) {
            for letter in Letter::split(side).ok_or_else(no_ending)? {
                let kind = variant.kind_of(letter);
                let kind = kind.filter(|&kind| variant.kinds_of(color).contains(kind));
                let unknown = || EndingFault::UnknownPiece {
                    text: text.to_string(),
                    letter: letter.to_string(),
                    known: known(variant, color),
                };
                pieces.push(Piece::new(color, kind.ok_or_else(unknown)?));
            }
        }
        if pieces.is_empty() {
            return Err(no_ending());
        }
        if pieces.len() > MAX_PIECES {
            let count = pieces.len();
            return Err(EndingFault::TooManyPieces { text: text.to_string(), count });
        }
        Material::new(variant, pieces)
    }

    /// All endings of up to `most` pieces that the game can have in which White has as many pieces as Black, or more. Where
    /// both may have the same piece types, each pair of equal numbers of pieces comes once.
    pub fn all(variant: &Arc<Variant>, most: usize) -> Vec<Material> {
        let [white, black] = Color::ALL.map(|color| sets(variant, color, most));
        let is_even = variant.kinds_of(Color::White).eq(variant.kinds_of(Color::Black));
        let mut all = Vec::new();
        for count in 2..=most {
            for (strong, white) in white.iter().enumerate() {
                for (weak, black) in black.iter().enumerate() {
                    let (ours, theirs) = (white.len(), black.len());
                    let is_twin = is_even && ours == theirs && weak < strong;
                    if ours + theirs != count || ours < theirs || is_twin {
                        continue;
                    }
                    let material = Material([white.as_slice(), black].concat());
                    if Layout::new(variant, &material).is_ok() {
                        all.push(material);
                    }
                }
            }
        }
        all
    }

    /// The pieces on the board; `None` if there are more than [`MAX_PIECES`].
    pub fn of(position: &Position) -> Option<Material> {
        let (_, _, count) = gather(position)?;
        let squares = Color::ALL.into_iter().flat_map(|color| position.pieces_of(color));
        let mut pieces: Vec<Piece> = squares.filter_map(|square| position.at(square)).collect();
        pieces.sort_by_key(|&piece| rank(piece));
        debug_assert_eq!(pieces.len(), count);
        Some(Material(pieces))
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    pub(super) fn key(&self) -> MaterialKey {
        self.0.iter().fold(0, |key, &piece| key << 16 | (rank(piece) + 1))
    }

    /// The ending as it is called: `KRvK`, royals first, then by value.
    pub fn text(&self, variant: &Variant) -> String {
        let side = |color| {
            let of_side = self.0.iter().filter(|piece| piece.color() == color);
            let mut kinds: Vec<PieceType> = of_side.map(|piece| piece.kind()).collect();
            kinds.sort_by_key(|&kind| {
                (!variant.royals().contains(kind), -variant.piece(kind).value, kind.index())
            });
            kinds.iter().map(|&kind| variant.piece(kind).letter.to_string()).collect::<String>()
        };
        format!("{}v{}", side(Color::White), side(Color::Black))
    }
}

/// All that a side may have, from one piece to `most`, fewer first, each in the order of [`rank`].
fn sets(variant: &Variant, color: Color, most: usize) -> Vec<Vec<Piece>> {
    let kinds: Vec<Piece> = variant.kinds_of(color).map(|kind| Piece::new(color, kind)).collect();
    let mut sets: Vec<Vec<Piece>> = Vec::new();
    let mut last: Vec<Vec<Piece>> = vec![Vec::new()];
    for _ in 0..most {
        let longer = |set: &Vec<Piece>| {
            let from = set.last().map_or(0, |piece| rank(*piece));
            let next = kinds.iter().filter(move |&&piece| rank(piece) >= from);
            let set = set.clone();
            next.map(move |&piece| [set.as_slice(), &[piece]].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        sets.extend(last.iter().cloned());
    }
    sets
}

/// The letters of the pieces that a side may have on the board.
fn known(variant: &Variant, color: Color) -> String {
    let kinds = variant.kinds_of(color).filter(|&kind| variant.piece(kind).reserve.is_empty());
    kinds.map(|kind| variant.piece(kind).letter.to_string()).collect::<Vec<_>>().join(" ")
}

/// The key of the pieces on the board, their squares and their number; `None` if they are too many.
pub(super) fn gather(position: &Position) -> Option<(MaterialKey, Squares, usize)> {
    let mut ranks = [0; MAX_PIECES];
    let mut squares = [Square::new(0); MAX_PIECES];
    let mut count = 0;
    for color in Color::ALL {
        let first = count;
        for square in position.pieces_of(color) {
            let piece = position.at(square)?;
            if count == MAX_PIECES {
                return None;
            }
            // Equal pieces stay in the order of their squares.
            let rank = rank(piece);
            let mut at = count;
            while at > first && ranks[at - 1] > rank {
                (ranks[at], squares[at]) = (ranks[at - 1], squares[at - 1]);
                at -= 1;
            }
            (ranks[at], squares[at]) = (rank, square);
            count += 1;
        }
    }
    let key = ranks[..count].iter().fold(0, |key, rank| key << 16 | (rank + 1));
    Some((key, squares, count))
}

/// What `variant` is of: positions and materials of different games do not mix.
pub(super) fn is_of(variant: &Arc<Variant>, position: &Position) -> bool {
    Arc::ptr_eq(variant, position.variant())
}
