//! Positions of an ending as numbers: a product of the squares on which each piece may stand.

use std::sync::Arc;

use garrison_rules::fault::{Describe, SetupFault};
use garrison_rules::limits::MAX_SQUARES;
use garrison_rules::{Algebraic, Bitboard, Piece, Position, Setup, Square, Variant};

use super::fault::EndingFault;
use super::material::{MAX_PIECES, Material, MaterialKey, Squares};

/// The mark of a square on which a piece may not stand.
const NOWHERE: u32 = u32::MAX;

/// How the positions of an ending are numbered. The last piece changes its square the fastest.
#[derive(Debug)]
pub(super) struct Layout {
    pub material: Material,
    pub key: MaterialKey,
    /// The squares of each piece, lowest first.
    stands: Vec<Vec<Square>>,
    /// By piece and square: what the square adds to the number.
    offsets: Vec<Vec<u32>>,
    strides: Vec<u32>,
    /// Whether a piece is equal to the one before it; such pieces stand in the order of their squares.
    twins: Vec<bool>,
    has_twins: bool,
    /// How many numbers there are; some stand for no position.
    pub size: u64,
}

impl Layout {
    /// # Errors
    /// The sides cannot have these pieces.
    pub fn new(variant: &Arc<Variant>, material: &Material) -> Result<Layout, EndingFault> {
        let pieces = material.pieces();
        let stands: Vec<_> = pieces.iter().map(|&piece| standing_squares(variant, piece)).collect();
        if let Some(fault) = material_fault(variant, pieces, &stands) {
            return Err(EndingFault::Impossible { text: material.text(variant), fault });
        }
        let size = stands.iter().map(|squares| squares.len() as u64).product();
        let mut strides = vec![1_u32; pieces.len()];
        for at in (1..pieces.len()).rev() {
            strides[at - 1] = strides[at].saturating_mul(stands[at].len() as u32);
        }
        let offsets = stands.iter().zip(&strides).map(|(squares, stride)| {
            let mut offsets = vec![NOWHERE; MAX_SQUARES];
            for (number, square) in squares.iter().enumerate() {
                offsets[square.index()] = stride.saturating_mul(number as u32);
            }
            offsets
        });
        let twins: Vec<bool> =
            (0..pieces.len()).map(|at| at > 0 && pieces[at] == pieces[at - 1]).collect();
        Ok(Layout {
            material: material.clone(),
            key: material.key(),
            offsets: offsets.collect(),
            has_twins: twins.contains(&true),
            stands,
            strides,
            twins,
            size,
        })
    }

    /// The number of pieces.
    pub fn count(&self) -> usize {
        self.stands.len()
    }

    /// The squares on which a piece may stand.
    pub fn stands(&self, at: usize) -> Bitboard {
        self.stands[at].iter().copied().collect()
    }

    /// The number of the position with the pieces on these squares, equal ones in order; `None` if there is none.
    pub fn index(&self, squares: &Squares) -> Option<u32> {
        let mut index = 0;
        for (offsets, square) in self.offsets.iter().zip(squares) {
            let offset = offsets[square.index()];
            if offset == NOWHERE {
                return None;
            }
            index += offset;
        }
        Some(index)
    }

    /// The number after a piece has gone to a square on which it may stand.
    #[inline]
    pub fn moved(&self, index: u32, squares: &Squares, at: usize, to: Square) -> u32 {
        let offsets = &self.offsets[at];
        let moved = index - offsets[squares[at].index()] + offsets[to.index()];
        if self.has_twins { self.moved_twin(squares, at, to).unwrap_or(moved) } else { moved }
    }

    #[inline(never)]
    fn moved_twin(&self, squares: &Squares, mut at: usize, to: Square) -> Option<u32> {
        let mut squares = *squares;
        squares[at] = to;
        while self.twins[at] && squares[at - 1] > squares[at] {
            squares.swap(at - 1, at);
            at -= 1;
        }
        while at + 1 < self.count() && self.twins[at + 1] && squares[at + 1] < squares[at] {
            squares.swap(at + 1, at);
            at += 1;
        }
        self.index(&squares)
    }

    /// The squares of a number.
    pub fn squares(&self, mut index: u32) -> Squares {
        let mut squares = [Square::new(0); MAX_PIECES];
        for (at, stride) in self.strides.iter().enumerate() {
            squares[at] = self.stands[at][(index / stride) as usize];
            index %= stride;
        }
        squares
    }

    /// Whether the squares differ and equal pieces stand in order.
    pub fn is_proper(&self, squares: &Squares) -> bool {
        let occupied: Bitboard = squares[..self.count()].iter().copied().collect();
        let in_order = |at: usize| !self.twins[at] || squares[at - 1] < squares[at];
        occupied.len() as usize == self.count()
            && (!self.has_twins || (0..self.count()).all(in_order))
    }

    /// The pieces on these squares.
    pub fn placement(&self, squares: &Squares) -> [(Square, Piece); MAX_PIECES] {
        let pieces = self.material.pieces();
        let first = pieces.first().copied();
        std::array::from_fn(|at| {
            let piece = pieces.get(at).copied().or(first);
            (squares[at], piece.unwrap_or(Piece::new(garrison_rules::Color::White, ZERO)))
        })
    }
}

const ZERO: garrison_rules::PieceType = garrison_rules::PieceType::new(0);

/// The squares on which a setup may have this piece.
fn standing_squares(variant: &Arc<Variant>, piece: Piece) -> Vec<Square> {
    let may_stand = |square: &Square| {
        let mut setup = Setup::empty(variant);
        setup.set_piece(*square, Some(piece));
        let is_place = |fault: &SetupFault| {
            matches!(fault, SetupFault::NeverStands(..) | SetupFault::OutsideRegion(..))
        };
        Position::try_from(setup).err().is_none_or(|error| !error.faults().iter().any(is_place))
    };
    variant.geometry().squares().filter(may_stand).collect()
}

/// What is wrong with these pieces, wherever they stand.
fn material_fault(
    variant: &Arc<Variant>,
    pieces: &[Piece],
    stands: &[Vec<Square>],
) -> Option<String> {
    let mut setup = Setup::empty(variant);
    for (piece, squares) in pieces.iter().zip(stands) {
        let free = squares.iter().find(|&&square| setup.piece_at(square).is_none());
        let Some(&square) = free else {
            let piece = variant.piece(piece.kind()).letter.of_side(piece.color());
            return Some(format!("no square for '{piece}'"));
        };
        setup.set_piece(square, Some(*piece));
    }
    let error = Position::try_from(setup).err()?;
    let is_lasting = |fault: &&SetupFault| !matches!(fault, SetupFault::Attacked(..));
    let fault = error.faults().iter().find(is_lasting)?;
    Some(fault.through(variant, &Algebraic).to_string())
}
