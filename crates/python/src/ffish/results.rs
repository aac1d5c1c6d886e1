//! Results as numbers from the side of the player to move, and who can still win.

use garrison_rules::game::{EndCondition, NoMoves, Repeated, RoyaltyKind};
use garrison_rules::{Bitboard, Color, Outcome, Position, Reason, Variant};

/// The value of a game that the side to move has won; that of a lost one is its negative.
pub const MATE: i32 = 32_000;

/// The value of an outcome for the side to move.
pub fn value(position: &Position, outcome: Outcome) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == position.side_to_move() => MATE,
        Some(_) => -MATE,
    }
}

/// The outcome by a rule of the board or by the lack of moves; none while the game goes on, whatever a player might
/// claim.
pub fn forced_outcome(position: &Position) -> Option<Outcome> {
    let is_over = position.decided().is_some() || !position.has_legal_move();
    position.status().outcome().filter(|_| is_over)
}

/// The draw or win that a player could claim, or that an arbiter declares: by repetition or by a count of moves.
pub fn optional_outcome(position: &Position) -> Option<Outcome> {
    let repeated = position.repetition_outcome(position.variant().end().repetition);
    repeated.or_else(|| {
        let outcome = position.move_count_outcome()?;
        // Stalemate: nothing is left but a promotion in place that need not be made.
        matches!(outcome.reason, Reason::MoveCount | Reason::Stalemate).then_some(outcome)
    })
}

/// Whether a side can no longer win by any sequence of moves, as far as its pieces show: it has nothing that can reach
/// the enemy royal, or a rule of the game draws with so few pieces.
pub fn cannot_win(position: &Position, color: Color) -> bool {
    let variant = position.variant();
    if variant.captures_change_sides()
        || !position.hand(color).is_empty()
        || wins_without_mate(variant)
    {
        return false;
    }
    let is_drawn_at_once = position.few_pieces_rule().is_some_and(|rule| rule.moves == 0);
    is_drawn_at_once || !has_mating_piece(position, color)
}

/// Whether a game can be won other than by leaving the enemy royal without moves.
fn wins_without_mate(variant: &Variant) -> bool {
    let end = variant.end();
    let special = variant.special_ends().iter().any(|end| match end.condition {
        EndCondition::Lacks { .. } | EndCondition::Reaches { .. } => true,
    });
    special
        || end.bare_king
        || end.checks.is_some()
        || end.impasse.is_some()
        || end.repeated != Repeated::Draw
        || end.no_moves == NoMoves::Win
        || !matches!(variant.royalty_kind(), Some(RoyaltyKind::Absolute | RoyaltyKind::Last))
}

/// Whether a side has a piece besides its royals that can ever attack a square on which an enemy royal may stand.
fn has_mating_piece(position: &Position, color: Color) -> bool {
    let variant = position.variant();
    let of_enemy_royals = variant
        .royals()
        .map(|royal| variant.standing_squares(!color, royal))
        .fold(Bitboard::EMPTY, |all, squares| all | squares);
    variant.kinds().any(|kind| {
        let meets_royals = variant.standing_squares(color, kind).meets(of_enemy_royals);
        meets_royals && !variant.royals().contains(kind) && !position.pieces(color, kind).is_empty()
    })
}
