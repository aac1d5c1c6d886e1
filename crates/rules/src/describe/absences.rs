//! What a chess player may expect and a game does not have; and what a player must do.

use super::{capital, list, squares};
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType};
use crate::variant::{EachMove, Obligation, Variant};

impl Variant {
    /// Castling, and the rules of chess that the game lacks.
    pub(super) fn absences(&self) -> Vec<String> {
        let mut rules = Vec::new();
        let mut missing = Vec::new();
        if self.sides().any(|(color, kind)| self.is_pawn(color, kind)) {
            let has =
                |test: &dyn Fn(Color, PieceType) -> bool| self.sides().any(|(c, k)| test(c, k));
            if !has(&|color, kind| !self.side(color).moves(kind).doubles.is_empty()) {
                missing.push("no double step".to_string());
            }
            if !has(&|color, kind| self.side(color).passers.contains(kind)) {
                missing.push("no en passant".to_string());
            }
        }
        if self.sides().all(|(color, _)| self.rights().castles(color).is_empty()) {
            missing.extend(self.royalty().map(|_| "no castling".to_string()));
        } else {
            rules.push(self.castling_in_words());
        }
        if !missing.is_empty() {
            rules.push(format!("There is {}.", list(&missing, "and")));
        }
        if self.sides().all(|(color, kind)| self.promotes_to(color, kind).is_empty()) {
            rules.push("Nothing promotes.".to_string());
        }
        rules
    }

    /// Whether a piece is a pawn: all its moves go one square ahead, straight or diagonally, from where it stands.
    fn is_pawn(&self, color: Color, kind: PieceType) -> bool {
        let table = self.written(color, kind);
        let steps = Variant::steps_of(table.betza.as_ref());
        let goes_ahead =
            steps.iter().all(|step| step.range == 1 && step.dy == 1 && step.dx.abs() <= 1);
        let captures = steps.iter().any(|step| step.capture);
        !steps.is_empty() && captures && goes_ahead && steps.len() <= 3
    }

    /// Passes, and what a player must do before anything else.
    pub(super) fn obligations_in_words(&self) -> Vec<String> {
        let mut rules = Vec::new();
        for obligation in self.obligations() {
            rules.extend(match *obligation {
                Obligation::DropFirst(kinds) => Some(format!(
                    "A player with {} in hand may only drop such a piece.",
                    list(&self.letters(kinds), "or")
                )),
                Obligation::Capture => Some("A player who can capture must capture.".to_string()),
                // They stand among the rules of the royals and of stones.
                Obligation::NoChecks | Obligation::Stone => None,
            });
        }
        rules.extend(self.stones_in_words());
        rules.extend(self.gating_in_words());
        rules.extend(self.trade_in_words());
        if self.allows_pass() {
            let unless = if self.royalty().is_some() { " who is not in check" } else { "" };
            rules.push(format!("A player{unless} may pass."));
        }
        rules
    }

    /// Which pieces come from hand when a square is left for the first time.
    fn gating_in_words(&self) -> Option<String> {
        let gating = self.gating()?;
        let squares = squares::inside(self, gating.squares[Color::White]);
        Some(format!(
            "When a piece moves for the first time from the square on which it started {squares}, a {} in hand may come to \
             that square, in castling to that of the king or of the rook.",
            list(&self.letters(gating.kinds), "or")
        ))
    }

    /// Which pieces are not exchanged.
    fn trade_in_words(&self) -> Option<String> {
        let trade = self.trade()?;
        let kinds = list(&self.letters(trade.kinds), "or");
        let cheap = if trade.cheap.is_empty() {
            String::new()
        } else {
            format!(" other than {}", list(&self.letters(trade.cheap), "or"))
        };
        Some(format!(
            "{kinds} captures {kinds} that does not stand next to it only where it cannot be recaptured, unless it captures \
             a piece{cheap} on the way. If another piece captures {kinds}, the next move may capture {kinds} only by such \
             a piece itself or on the same square."
        ))
    }

    /// What every move does with stones.
    fn stones_in_words(&self) -> Option<String> {
        let rule = self.stone_rule()?;
        let squares = match rule.squares == self.geometry().squares() {
            true => String::new(),
            false => format!(" {}", squares::inside(self, rule.squares)),
        };
        Some(match rule.each_move {
            EachMove::Leaves => {
                "Every square that a piece leaves is blocked for the rest of the game.".to_string()
            }
            EachMove::Places => format!(
                "After moving, a player blocks a vacant square{squares} for the rest of the game."
            ),
            EachMove::Moves => format!(
                "After moving, a player takes the stone that blocks a square and puts it on another vacant \
                 square{squares}; the first move of the game brings it to the board."
            ),
            EachMove::Shoots => format!(
                "After moving, a player blocks a vacant square{squares} to which the piece could move next, for the \
                 rest of the game."
            ),
        })
    }

    /// The squares that the board lacks, if it lacks any.
    pub fn holes_in_words(&self) -> Option<String> {
        let geometry = self.geometry();
        let rows =
            (0..geometry.ranks()).map(|rank| geometry.rank_squares(crate::types::Rank(rank)));
        let whole = rows.fold(Bitboard::EMPTY, |all, row| all | row);
        let holes: Vec<String> =
            (whole & !geometry.squares()).map(|square| geometry.name(square)).collect();
        (!holes.is_empty()).then(|| capital(&format!("the board lacks {}.", list(&holes, "and"))))
    }
}
