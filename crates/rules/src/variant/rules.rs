//! The rules that a game has.

use std::sync::Arc;

use super::castling::file_letter;
use super::{
    Blast, BoardEnds, ChaseRule, CountRule, DeclareRule, DrawRule, EndCondition, EndResult,
    EndRule, Gating, MateRule, Obligation, Rights, Royalty, RoyaltyKind, SetupRule, Shuffle,
    SpecialEnd, StoneRule, Trade, Variant,
};
use crate::types::{Color, File, PieceType};

impl Variant {
    /// Whether a player who can capture must.
    pub fn must_capture(&self) -> bool {
        self.obligations.contains(&Obligation::Capture)
    }

    /// Whether kings and rooks may start on any square of their rank, as in Chess960: rights are named by the files of
    /// rooks, and castling is written as the king that takes the rook.
    pub fn castles_by_rook(&self) -> bool {
        self.rights.are_by_rook()
    }

    /// The number of start arrays from which one is drawn by lot, 1 in most games;
    /// [`Position::start_array`](crate::Position::start_array) sets them up.
    pub fn arrays(&self) -> u64 {
        self.shuffle.as_ref().map_or(1, Shuffle::count)
    }

    /// The rule by which start arrays are drawn.
    pub(crate) fn shuffle(&self) -> Option<&Shuffle> {
        self.shuffle.as_ref()
    }

    /// The letters by which a FEN names the castling rights of `color`: of the castling moves, or of all files
    /// where a [rook on any of them](Variant::castles_by_rook) may castle.
    pub fn castling_letters(&self, color: Color) -> impl Iterator<Item = char> + '_ {
        let castles = self.rights.castles(color);
        let by_rook = self.castles_by_rook() && !castles.is_empty();
        let files = if by_rook { self.geometry.files() } else { 0 };
        let letters = castles.iter().filter(move |_| !by_rook).map(|castle| castle.letter);
        letters.chain((0..files).map(move |file| file_letter(color, File(file))))
    }

    /// The royal piece types and the rules of their safety, if the game has any.
    #[inline]
    pub fn royalty(&self) -> Option<&Royalty> {
        self.royalty.as_ref()
    }

    /// The explosion that every capture sets off, if the game has that.
    #[inline]
    pub(crate) fn blast(&self) -> Option<&Blast> {
        self.blast.as_ref()
    }

    /// Whether a capture removes the pieces around it.
    pub fn has_blasts(&self) -> bool {
        self.blast.is_some()
    }

    /// Whether stones may stand on the board: squares blocked for the rest of the game.
    #[inline]
    pub fn has_stones(&self) -> bool {
        self.has_stones
    }

    /// What every move does with stones, if it does anything.
    #[inline]
    pub(crate) fn stone_rule(&self) -> Option<&StoneRule> {
        self.stone_rule.as_ref()
    }

    /// Whether every move also puts a stone on a square that the player chooses, [`Move::stone`](crate::Move::stone).
    #[inline]
    pub fn moves_place_stones(&self) -> bool {
        self.places_stones
    }

    /// Whether a move may change other squares than those of the piece that moves and the piece that it captures.
    #[inline]
    pub(crate) fn moves_have_effects(&self) -> bool {
        self.moves_have_effects
    }

    /// Whether every square that a piece leaves becomes a stone.
    #[inline]
    pub fn leaves_stones(&self) -> bool {
        self.leaves_stones
    }

    /// Which pieces come from hand when a piece leaves the square on which it started.
    #[inline]
    pub(crate) fn gating(&self) -> Option<&Gating> {
        self.gating.as_ref()
    }

    /// What forbids the exchange of strong pieces, if anything does.
    #[inline]
    pub(crate) fn trade(&self) -> Option<&Trade> {
        self.trade.as_ref()
    }

    /// Whether something follows a move: a stone of choice or a piece from hand that comes with it, or a count.
    #[inline]
    pub(crate) fn moves_go_on(&self) -> bool {
        self.moves_go_on
    }

    /// What limits the choice among the moves, the most urgent first.
    #[inline]
    pub(crate) fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// Whether a player may pass.
    #[inline]
    pub(crate) fn allows_pass(&self) -> bool {
        self.pass
    }

    /// The rights of pieces that have not moved.
    #[inline]
    pub(crate) fn rights(&self) -> &Arc<Rights> {
        &self.rights
    }

    /// The setup phase, if the game has one.
    #[inline]
    pub(crate) fn setup(&self) -> Option<&SetupRule> {
        self.setup.as_ref()
    }

    /// Which rules can end the game on the board.
    #[inline]
    pub(crate) fn board_ends(&self) -> BoardEnds {
        self.board_ends
    }

    /// Whether a move may win by a special end or by the last of some checks.
    #[inline]
    pub(crate) fn has_wins_without_mate(&self) -> bool {
        !self.special_ends.is_empty() || self.end.checks.is_some()
    }

    /// The most pieces on the board with which one of the [draw rules](Variant::draw_rules) can apply; 0 if
    /// there are none.
    #[inline]
    pub(crate) fn draws_up_to(&self) -> u32 {
        self.draws_up_to
    }

    /// The further ways in which the game ends, in the order in which they are tested.
    pub fn special_ends(&self) -> &[SpecialEnd] {
        &self.special_ends
    }

    /// Whether a side wins by losing pieces, as in antichess.
    pub fn is_giveaway(&self) -> bool {
        let wins = |end: &SpecialEnd| end.result == EndResult::Win;
        let lacks = |end: &SpecialEnd| matches!(end.condition, EndCondition::Lacks { .. });
        self.special_ends.iter().any(|end| wins(end) && lacks(end))
    }

    /// The draws by few pieces; the first rule that fits the pieces left decides.
    pub fn draw_rules(&self) -> &[DrawRule] {
        &self.draws
    }

    /// Whether a player who has little left counts moves.
    pub fn has_counts(&self) -> bool {
        !self.counts.is_empty()
    }

    /// The counts of a player who has little left; the first rule that fits the pieces left decides.
    pub fn count_rules(&self) -> &[CountRule] {
        &self.counts
    }

    /// The royal that must be dropped as soon as it is in hand.
    #[inline]
    pub(crate) fn royal_placed_at_once(&self) -> Option<PieceType> {
        self.royalty.as_ref()?.placed_at_once
    }

    /// Whether a side may have several royals on the board that must all be kept safe.
    #[inline]
    pub(crate) fn has_several_royals(&self) -> bool {
        self.royalty.as_ref().is_some_and(|royalty| royalty.several)
    }

    /// What an attack on a royal means, if the game has any.
    pub fn royalty_kind(&self) -> Option<RoyaltyKind> {
        self.royalty.map(|royalty| royalty.kind)
    }

    /// Whether royals may be left attacked, and captured.
    pub(crate) fn captures_royals(&self) -> bool {
        self.royalty_kind() == Some(RoyaltyKind::Captured)
    }

    /// Which checkmates do not count as others.
    pub(crate) fn mate_rule(&self) -> Option<MateRule> {
        self.mate
    }

    /// The most pieces, by type, with which a player need not promote in place even if there is no other move.
    #[inline]
    pub(crate) fn may_stay(&self) -> Option<&[u8]> {
        self.may_stay.as_deref()
    }

    /// The rules that end the game, beyond mate, special ends and draws by few pieces.
    #[inline]
    pub fn end(&self) -> &EndRule {
        &self.end
    }

    /// Whether the game has rights of pieces that have not moved: to castle, or to make a first move.
    pub fn has_rights(&self) -> bool {
        self.rights.any()
    }

    /// Which threats are chases, if a perpetual chase loses.
    #[inline]
    pub fn chase(&self) -> Option<&ChaseRule> {
        self.chase.as_ref()
    }

    /// When a player may declare the game won, if the game knows that.
    pub fn declaration(&self) -> Option<&DeclareRule> {
        self.declaration.as_ref()
    }

    /// Whether a rule of the game counts plies without progress.
    pub fn counts_moves(&self) -> bool {
        self.end.moves.is_some() || self.draw_rules().iter().any(|rule| rule.moves > 0)
    }

    /// Whether the game begins with a setup phase.
    pub fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    /// The arrays from which a setup chooses, as the definition writes them; none if any rearrangement is possible.
    pub(crate) fn setup_rows(&self) -> &[String] {
        self.setup.as_ref().map_or(&[], |rule| &rule.rows)
    }
}
