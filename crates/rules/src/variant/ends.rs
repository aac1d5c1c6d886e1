//! How a game ends, beyond mate.

use super::{EndResult, NoMoves, Repeated};
use crate::bitboard::Bitboard;
use crate::types::{Color, MAX_SQUARES, PerColor, PieceType, PieceTypeSet};

/// The most checks that a game may count.
pub(crate) const MAX_CHECKS: u8 = 15;

/// The rules that end a game, beyond mate, [special ends](SpecialEnd) and [draws by few pieces](DrawRule).
///
/// ```
/// use garrison_rules::game::NoMoves;
/// use garrison_rules::find;
///
/// let chess = find("chess")?;
/// assert_eq!(chess.end().no_moves, NoMoves::Draw); // stalemate
/// assert_eq!(chess.end().moves, Some(100)); // the 50-move rule, in plies
/// assert_eq!(find("xiangqi")?.end().no_moves, NoMoves::Loss);
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct EndRule {
    /// The result for a player who has no legal move and is not in check.
    pub no_moves: NoMoves,
    /// The result for a player who has no legal move and is in check.
    pub checkmate: NoMoves,
    /// Who wins what would be a draw otherwise; `None` if nobody does.
    pub drawn: Option<Color>,
    /// Whether a player who has nothing but a royal on the board loses.
    pub bare_king: bool,
    /// The occurrence of a position that ends the game, from 2: 3 for threefold repetition.
    pub repetition: u32,
    /// Who wins at that occurrence.
    pub repeated: Repeated,
    /// Whether a side loses by repetition if it alone gave check with every move in between.
    pub perpetual_check: bool,
    /// The points that a player must exceed to win by repetition, if the other does not exceed them.
    pub impasse: Option<u32>,
    /// The number of plies without progress that ends the game.
    pub moves: Option<u16>,
    /// Who wins then.
    pub counted: Repeated,
    /// Whether draws by repetition, move count and few pieces are not automatic: the player to move claims
    /// them.
    pub claim: bool,
    /// The number of passes in a row after which the player with more points wins.
    pub passes: Option<u8>,
    /// What is added to Black's points after these passes, in tenths of a point.
    pub bonus: u32,
    /// Whether a pass is legal while royals face each other, and ends the game by points.
    pub facing: bool,
    /// The number of checks by which a player wins, `1..=15`.
    pub checks: Option<u8>,
}

/// Which threats are chases. By repetition a side loses that alone chased the same enemy piece with every move in
/// between.
///
/// A move chases a piece if it threatens it after the move in a way in which it did not before: a piece that may
/// capture it, where nothing may recapture. A piece that could itself capture an attacker of its own type is not
/// threatened by it. Royals are never chased: an attack on them is a check.
///
/// ```
/// use garrison_rules::{Letter, find};
///
/// let xiangqi = find("xiangqi")?;
/// let chase = xiangqi.chase().expect("it has perpetual chases");
/// let [cannon, rook] =
///     ['C', 'R'].map(|capital| xiangqi.kind_of(Letter { capital, promoted: false }).unwrap());
/// assert!(chase.even_protected(cannon).contains(rook));
/// assert!(!chase.even_protected(rook).contains(cannon));
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct ChaseRule {
    /// The piece types that chase.
    pub chasers: PieceTypeSet,
    /// The squares on which a piece of each type of each side is never chased.
    pub(super) spared: PerColor<Vec<Bitboard>>,
    /// By the type of the attacker, the piece types that it threatens even where they are protected.
    pub(super) even_protected: Vec<PieceTypeSet>,
}

impl ChaseRule {
    /// The squares on which a piece of this type of `color` is never chased.
    pub fn spared(&self, color: Color, kind: PieceType) -> Bitboard {
        self.spared[color][kind.index()]
    }

    /// The piece types that a piece of this type threatens even where they are protected.
    pub fn even_protected(&self, attacker: PieceType) -> PieceTypeSet {
        self.even_protected[attacker.index()]
    }
}

/// Which checkmates do not count as others, as in shatar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MateRule {
    /// If only these give check, the player who is mated wins.
    pub never_by: PieceTypeSet,
    /// Otherwise it is a draw if there are some of these, but none of them gave check in the unbroken series of checks that
    /// ends with the mate.
    pub needs: PieceTypeSet,
}

/// A further way in which a game ends, found on the board.
#[derive(Debug, Clone, Copy)]
pub struct SpecialEnd {
    /// When the game ends.
    pub condition: EndCondition,
    /// The result for the side that meets the condition.
    pub result: EndResult,
}

/// The condition of a [`SpecialEnd`].
#[derive(Debug, Clone, Copy)]
pub enum EndCondition {
    /// A side has few pieces of some types left.
    Lacks {
        /// The piece types that count.
        kinds: PieceTypeSet,
        /// The most pieces of them, on the board and in hand, with which the condition holds.
        count: u32,
        /// Whether both sides must lack them.
        both: bool,
        /// The fewest of them that the other side must have.
        enemy: u32,
    },
    /// A side has a piece on one of its goal squares after its own move, or after the reply.
    Reaches {
        /// The goal squares of each side.
        squares: PerColor<Bitboard>,
        /// The piece types that count.
        kinds: PieceTypeSet,
        /// Whether only pieces count that the other side cannot capture there.
        safe: bool,
        /// Whether, and by whom, the arrival can be answered.
        answer: GoalAnswer,
    },
}

/// Who may answer when a piece reaches its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalAnswer {
    /// Nobody: the goal counts at once.
    Nobody,
    /// Black, if a legal move reaches the goal at once: both have made as many moves then.
    Black,
    /// The other side: it is tested when the side whose goal it is has the move again, or the other side has none.
    Other,
}

/// When a player whose royal has entered the enemy's camp may declare the game won, as in shogi: not in check, with
/// enough other pieces and points in the zone. Only a player who knows of it can use it.
#[derive(Debug, Clone, Copy)]
pub struct DeclareRule {
    /// The zone of each side.
    pub zone: PerColor<Bitboard>,
    /// The fewest pieces there, the royal not counted.
    pub pieces: u32,
    /// The fewest points of each side, there and in hand, the royal not counted.
    pub points: PerColor<u32>,
}

/// The pieces that two sides have, within limits; piece counts are indexed by piece type.
#[derive(Debug, Clone, Default)]
pub struct Material {
    /// The most pieces of each type that one side has; `None` if it may have any.
    pub side: Option<Vec<u8>>,
    /// The most pieces of each type that the other side has; `None` if it may have any.
    pub other: Option<Vec<u8>>,
    /// The fewest pieces of each type that the other side has.
    pub has: Vec<u8>,
    /// The piece types that neither side has.
    pub none: PieceTypeSet,
}

/// A draw by few pieces, at once or after some plies without progress.
#[derive(Debug, Clone)]
pub struct DrawRule {
    /// The pieces that are left.
    pub material: Material,
    /// The piece types that all stand on squares of one color; none if that does not matter.
    pub one_color: PieceTypeSet,
    /// The plies without progress that make the draw; 0 if it is one at once.
    pub moves: u16,
    /// The number of plies by which each piece on the board shortens that limit.
    pub per_piece: u8,
}

impl DrawRule {
    /// The most pieces on the board with which the draw is possible.
    pub(super) fn most_pieces(&self) -> u32 {
        let sum = |pieces: &[u8]| pieces.iter().map(|&count| u32::from(count)).sum::<u32>();
        match (&self.material.side, &self.material.other) {
            (Some(side), Some(other)) => sum(side) + sum(other),
            _ => MAX_SQUARES as u32,
        }
    }
}

/// When a player who has little left counts moves, and how far: the honor of board and pieces in makruk. The count
/// begins when it is that player's turn, goes on through captures, and is a draw when it exceeds its limit. Nobody counts
/// against a player who has a single piece.
#[derive(Debug, Clone)]
pub struct CountRule {
    /// The pieces that are left; the player who counts is the first side.
    pub material: Material,
    /// The most pieces that this player has, whatever they are.
    pub pieces: Option<u32>,
    /// The plies to which the count may go; 0 if with these pieces nobody counts.
    pub limit: u16,
    /// The plies that each piece on the board counts when the count begins.
    pub per_piece: u8,
    /// Whether the count begins anew at every capture and promotion after which the rule fits.
    pub anew: bool,
}

/// Which rules can end a game on the board. Derived once, so that a position is tested for nothing that its game
/// does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoardEnds {
    /// None: the game ends only by the lack of moves, by repetition and by move count.
    None,
    /// The capture of the only royal.
    KingCapture,
    /// A bare king.
    BareKing,
    /// Others, or several.
    Several,
}
