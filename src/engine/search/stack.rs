//! The search stack: what each ply keeps for the plies around it, with buffers that are used again.

use std::ops::{Index, IndexMut};

use super::{MAX_PLY, Score};
use crate::engine::history::{CorrectionSlots, PieceTo};
use crate::engine::picker::ScoredMoves;
use garrison_rules::Move;

/// Frames before the root, so that every node can look four plies back.
const BEFORE_ROOT: usize = 4;

/// Frames after the deepest ply, which nodes reset in advance.
const AFTER_DEEPEST: usize = 4;

/// The moves of a node that were searched and did not fail high: they get a malus when a later one does.
#[derive(Debug, Clone, Default)]
pub(super) struct Tried {
    pub quiets: Vec<Move>,
    /// Captures and promotions.
    pub captures: Vec<Move>,
}

impl Tried {
    /// The most moves of either kind.
    const MOST: usize = 64;

    pub fn clear(&mut self) {
        self.quiets.clear();
        self.captures.clear();
    }

    /// Adds a move, unless there are too many.
    #[inline]
    pub fn add(&mut self, mv: Move, tactical: bool) {
        let moves = if tactical { &mut self.captures } else { &mut self.quiets };
        if moves.len() < Tried::MOST {
            moves.push(mv);
        }
    }
}

/// What a node keeps for its children, its grandchildren and its other visits.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The static evaluation with its correction, unless the side to move is forced.
    pub static_eval: Option<Score>,
    /// Where the position stands in the correction histories. Set with the static evaluation.
    pub corrections: CorrectionSlots,
    /// Whether the side to move is [forced](super::worker::Worker::is_forced). Set by whoever makes the move that leads
    /// here.
    pub forced: bool,
    /// The move that led here, as piece and square. Set by whoever makes it.
    pub piece_to: PieceTo,
    /// Whether that move was a null move.
    pub after_null_move: bool,
    /// The move that led here, if it is a quiet one. Set by whoever makes it.
    pub quiet_move: Option<Move>,
    /// By how many plies the search of this node is reduced.
    pub reduction: i32,
    /// The position is, or once was, on a principal variation.
    pub tt_pv: bool,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// The last quiet moves that failed high at this ply.
    pub killers: [Option<Move>; 2],
    /// The extensions by two plies in the line that led here.
    pub double_extensions: i32,
    /// How many nodes at this ply failed high since their parent was entered.
    pub cutoffs: i32,
    /// The principal variation from here on.
    pub pv: Vec<Move>,
    /// Buffers of the move picker.
    pub picker_lists: [ScoredMoves; 2],
    /// The moves that were searched here.
    pub tried: Tried,
}

impl Frame {
    /// Begins the frame of a position that a move led to; a pass is no move of a piece.
    #[inline]
    pub fn enter(&mut self, piece_to: PieceTo, forced: bool, after_null_move: bool) {
        self.piece_to = piece_to;
        self.forced = forced;
        self.after_null_move = after_null_move;
        self.quiet_move = None;
        self.reduction = 0;
    }
}

/// The frames of all plies, indexed by ply from 0 at the root to a few beyond [`MAX_PLY`].
#[derive(Debug)]
pub(super) struct Stack(Vec<Frame>);

impl Stack {
    /// Frames without any knowledge; `none` stands for no move.
    pub fn new(none: PieceTo) -> Stack {
        let frame = Frame {
            static_eval: None,
            corrections: CorrectionSlots::default(),
            forced: false,
            piece_to: none,
            after_null_move: false,
            quiet_move: None,
            reduction: 0,
            tt_pv: false,
            excluded: None,
            killers: [None; 2],
            double_extensions: 0,
            cutoffs: 0,
            pv: Vec::new(),
            picker_lists: Default::default(),
            tried: Tried::default(),
        };
        Stack(vec![frame; BEFORE_ROOT + MAX_PLY + AFTER_DEEPEST])
    }

    /// The frame `back` plies before this one; up to four before the root.
    #[inline]
    pub fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT - back]
    }

    /// Makes `mv`, followed by the principal variation of the next ply, that of this one.
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let (this, next) = self.0.split_at_mut(ply + BEFORE_ROOT + 1);
        let (Some(this), Some(next)) = (this.last_mut(), next.first()) else { return };
        this.pv.clear();
        this.pv.push(mv);
        this.pv.extend_from_slice(&next.pv);
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE_ROOT]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE_ROOT]
    }
}
