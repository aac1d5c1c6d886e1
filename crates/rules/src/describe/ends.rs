//! How a game ends, in words.

use super::{count, list, ordinal, squares};
use crate::types::{Color, PieceType, PieceTypeSet};
use crate::variant::{
    ChaseRule, DeclareRule, EndCondition, EndResult, GoalAnswer, NoMoves, Repeated, RoyaltyKind,
    SpecialEnd, Variant,
};

impl Variant {
    /// All ends of the game but those that the royals bring.
    pub(super) fn ends_in_words(&self) -> Vec<String> {
        let end = self.end();
        let mut rules = vec![self.no_moves_in_words()];
        rules.extend(self.mates_in_words());
        rules.extend(self.may_stay().map(|pieces| {
            let pieces = self.row_of(pieces);
            format!(
                "A player with no more than {pieces} who is not in check and can do nothing but promote in place need not \
                 do so: that player counts as one without a legal move."
            )
        }));
        if end.bare_king {
            rules.push(self.bare_king_in_words());
        }
        rules.extend(end.checks.map(|checks| match checks {
            1 => "A player who gives check wins.".to_string(),
            more => format!("A player who has given {} checks wins.", count(more.into())),
        }));
        rules.extend(self.special_ends().iter().map(|end| self.special_end_in_words(end)));
        rules.extend(end.passes.map(|passes| {
            format!(
                "{} passes in a row end the game: {}.",
                super::capital(&count(passes.into())),
                self.more_points()
            )
        }));
        if end.facing {
            rules.push(format!(
                "A player to move whose {} faces the enemy's on an open file must part them or pass; that pass ends the \
                 game, by points as well.",
                self.king_alone()
            ));
        }
        rules.push(self.repetition_in_words());
        rules.extend(self.chase().map(|rule| self.chase_in_words(rule)));
        rules.extend(end.moves.map(|plies| match end.counted {
            Repeated::Draw => format!("{plies} plies without {} are a draw.", self.progress()),
            other => format!(
                "After {plies} plies without {}, {}.",
                self.progress(),
                Variant::repeated_in_words(other)
            ),
        }));
        rules.extend(self.draw_rules().iter().map(|rule| self.few_pieces(rule)));
        rules.extend(self.counts_in_words());
        rules.extend(end.drawn.map(|winner| format!("Every draw counts as a win of {winner}.")));
        rules.extend(self.declaration().map(|rule| self.declaration_in_words(rule)));
        if end.claim {
            let draws = [
                Some("repetition"),
                end.moves.map(|_| "plies"),
                self.draw_rules().first().map(|_| "few pieces"),
                self.count_rules().first().map(|_| "count"),
            ];
            let draws: Vec<String> =
                draws.into_iter().flatten().map(|draw| format!("by {draw}")).collect();
            rules.push(format!(
                "Draws {} are claimed by the player to move; in a match here they end the game at once.",
                list(&draws, "and")
            ));
        }
        rules
    }

    fn no_moves_in_words(&self) -> String {
        let has_check = self.royalty_kind().is_some_and(|kind| kind != RoyaltyKind::Captured);
        let late = self.royalty().is_some_and(|royalty| royalty.late.is_some());
        let king = self.king_alone();
        let end = self.end();
        let not_in_check = if has_check { " who is not in check" } else { "" };
        match (end.no_moves, has_check) {
            (NoMoves::Loss, true) if end.checkmate == NoMoves::Loss => {
                "A player without a legal move loses, in check or not.".to_string()
            }
            (NoMoves::Loss, _) => format!("A player without a legal move{not_in_check} loses."),
            (NoMoves::Draw, true) => {
                let also = if late { format!(", with or without a {king}") } else { String::new() };
                format!(
                    "Stalemate is a draw: a player without a legal move who is not in check{also}."
                )
            }
            (NoMoves::Draw, false) => "A player without a legal move draws.".to_string(),
            (NoMoves::Win, _) => format!("A player without a legal move{not_in_check} wins."),
            (NoMoves::White | NoMoves::Black | NoMoves::Fewer, _) => {
                let winner = Variant::winner_in_words(end.no_moves);
                format!("If a player{not_in_check} has no legal move, {winner}.")
            }
        }
    }

    /// Which checkmates do not count as others.
    fn mates_in_words(&self) -> Vec<String> {
        let Some(rule) = self.mate_rule() else { return Vec::new() };
        let letters = |kinds| list(&self.letters(kinds), "or");
        let never = (!rule.never_by.is_empty()).then(|| {
            format!(
                "Checkmate may not be given by {} alone: who is mated so wins.",
                letters(rule.never_by)
            )
        });
        let needs = (!rule.needs.is_empty()).then(|| {
            format!(
                "Checkmate is a draw if {} gave check neither in it nor in the unbroken series of checks before it.",
                letters(rule.needs)
            )
        });
        never.into_iter().chain(needs).collect()
    }

    /// "White wins", and the like, where a player has no legal move.
    fn winner_in_words(result: NoMoves) -> &'static str {
        match result {
            NoMoves::Loss => "that player loses",
            NoMoves::Win => "that player wins",
            NoMoves::Draw => "it is a draw",
            NoMoves::White => "White wins",
            NoMoves::Black => "Black wins",
            NoMoves::Fewer => {
                "the player with fewer pieces on the board wins, and if both have as many it is a draw"
            }
        }
    }

    /// What becomes of a player who is checkmated.
    pub(super) fn checkmate_in_words(&self) -> String {
        match self.end().checkmate {
            NoMoves::Loss => "is checkmated and loses".to_string(),
            NoMoves::Win => "is checkmated and wins".to_string(),
            other => format!("is checkmated, and {}", Variant::winner_in_words(other)),
        }
    }

    fn bare_king_in_words(&self) -> String {
        let letters = list(&self.letters(self.royals()), "or");
        format!(
            "A player with one {letters} and nothing else on the board is bare. Both bare: a draw. The side to move wins \
             if the other side is bare. A bare side to move loses, unless it can bare the other side at once: then it may \
             play any legal move, and the game goes on."
        )
    }

    fn special_end_in_words(&self, end: &SpecialEnd) -> String {
        let (wins, draw) = match end.result {
            EndResult::Win => ("wins", "is a win"),
            EndResult::Loss => ("loses", "is a loss"),
            EndResult::Draw => ("draws", "is a draw"),
        };
        match end.condition {
            EndCondition::Reaches { squares, kinds, safe, answer } => {
                let place = squares::on_one_of(self, squares[Color::White]);
                let all = self.kinds().all(|kind| kinds.clone().any(|other| other == kind));
                let pieces =
                    if all { "a piece".to_string() } else { list(&self.letters(kinds), "or") };
                let safe = if safe { ", where it cannot be captured," } else { "" };
                let when = match answer {
                    GoalAnswer::Other => "still after the opponent's reply",
                    _ => "after a move of that player's own",
                };
                let answer = if answer == GoalAnswer::Black {
                    "; where Black can answer White's move at once in the same way, he may, and it is a draw"
                } else {
                    ""
                };
                format!("A player who has {pieces} {place}{safe} {when} {wins}{answer}.")
            }
            EndCondition::Lacks { kinds, count: most, both, enemy } => {
                let letters = list(&self.letters(kinds), "or");
                let left = match most {
                    0 => format!("no {letters} left"),
                    more => format!("at most {more} of {letters} left"),
                };
                if both {
                    format!("If both players have {left}, it {draw}.")
                } else {
                    let while_enemy = match enemy {
                        0 => String::new(),
                        fewest => format!(" while the opponent has {fewest} or more,"),
                    };
                    format!(
                        "A player who has {left}, on the board and in hand,{while_enemy} {wins}."
                    )
                }
            }
        }
    }

    /// Who has more points after passes.
    fn more_points(&self) -> String {
        let bonus = self.end().bonus;
        let extra = match (bonus / 10, bonus % 10) {
            (0, 0) => String::new(),
            (whole, 0) => format!(", and Black gets {whole} more"),
            (whole, tenth) => format!(", and Black gets {whole}.{tenth} more"),
        };
        format!(
            "the player whose pieces on the board have more points wins ({}{extra})",
            self.points_in_words()
        )
    }

    fn declaration_in_words(&self, rule: &DeclareRule) -> String {
        let king = self.king_alone();
        let at = squares::inside(self, rule.zone[Color::White]);
        let others = match rule.pieces {
            0 => String::new(),
            pieces => format!(", and {} other pieces,", count(pieces as usize)),
        };
        let points = match rule.points.0 {
            [white, black] if white == black => format!("{white} points"),
            [white, black] => format!("{white} points (Black: {black})"),
        };
        format!(
            "A player to move who is not in check, with the {king}{others} {at}, may declare the game won with {points} \
             there and in hand, the {king} left out ({}).",
            self.points_in_words()
        )
    }

    fn repetition_in_words(&self) -> String {
        let end = self.end();
        let which = ordinal(end.repetition);
        let checks = if self.royalty_kind() == Some(RoyaltyKind::Captured) {
            format!("attacked the enemy {}", self.king_alone())
        } else {
            "gave check".to_string()
        };
        let perpetual = |what: &str| {
            format!(
                "if every move of one side only since the first occurrence {what}, that side loses; otherwise "
            )
        };
        let perpetual = [
            end.perpetual_check.then(|| perpetual(&checks)),
            self.chase().map(|_| perpetual("chased the same enemy piece")),
        ];
        let perpetual: String = perpetual.into_iter().flatten().collect();
        let result = match (end.impasse, end.repeated) {
            (Some(limit), _) => format!(
                "the points of the pieces on the board are counted ({}): the only player with more than {limit} wins, and \
                 if there is none it is a draw",
                self.points_in_words()
            ),
            (None, repeated) => Variant::repeated_in_words(repeated).to_string(),
        };
        format!("At the {which} occurrence of a position, {perpetual}{result}.")
    }

    /// What a chase is.
    fn chase_in_words(&self, rule: &ChaseRule) -> String {
        let (most, never): (Vec<_>, Vec<_>) =
            self.kinds().partition(|&kind| rule.chasers.contains(kind));
        let mut exceptions = Vec::new();
        for (of, by) in self.even_protected_in_words(rule, &most) {
            exceptions.push(format!("an attack of {by} on {of} counts although it is protected"));
        }
        if !never.is_empty() {
            let letters = list(&self.letters(never.into_iter().collect()), "and");
            exceptions.push(format!("{letters} never chase"));
        }
        exceptions.extend(self.kinds().filter_map(|kind| self.never_chased_in_words(rule, kind)));
        let exceptions: String = exceptions.iter().map(|text| format!("; {text}")).collect();
        format!(
            "A move chases a piece that it newly threatens to capture: no piece may recapture, nor can it capture an \
             attacker of its own type{exceptions}."
        )
    }

    /// The pieces that are chased although they are protected, and by which, those with the same targets together.
    fn even_protected_in_words(
        &self,
        rule: &ChaseRule,
        chasers: &[PieceType],
    ) -> Vec<(String, String)> {
        let mut groups: Vec<(PieceTypeSet, PieceTypeSet)> = Vec::new();
        for &kind in chasers {
            let of = rule.even_protected(kind);
            match groups.iter_mut().find(|(other, _)| *other == of) {
                Some((_, by)) => by.insert(kind),
                None if of.is_empty() => {}
                None => groups.push((of, PieceTypeSet::of(kind))),
            }
        }
        let letters = |kinds| list(&self.letters(kinds), "or");
        groups.into_iter().map(|(of, by)| (letters(of), letters(by))).collect()
    }

    /// Where a piece is never chased, if there is such a place.
    fn never_chased_in_words(&self, rule: &ChaseRule, kind: PieceType) -> Option<String> {
        let (letter, spared) = (self.piece(kind).letter, rule.spared(Color::White, kind));
        if spared.is_empty() {
            return None;
        }
        let all = self.geometry().squares();
        let at = if spared == all {
            String::new()
        } else {
            format!(" {}", squares::inside(self, spared))
        };
        Some(format!("{letter}{at} is never chased"))
    }

    /// Who wins by repetition, or by the count of plies.
    fn repeated_in_words(winner: Repeated) -> &'static str {
        match winner {
            Repeated::Draw => "it is a draw",
            Repeated::White => "White wins",
            Repeated::Black => "Black wins",
            Repeated::Mover => "the side to move wins",
            Repeated::Repeater => "the side to move loses",
        }
    }

    /// The royals, as in "the enemy king".
    pub(super) fn king_alone(&self) -> String {
        list(&self.named(self.royals()), "or")
    }
}
