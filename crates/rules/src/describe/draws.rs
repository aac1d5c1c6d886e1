//! Draws in words: by few pieces, by the move count, and by the count of a player who has little left.

use super::list;
use crate::types::{PieceType, PieceTypeSet};
use crate::variant::{CountRule, DrawRule, Material, Variant};

/// More pieces of a type are counted, not written one by one.
const MOST_LETTERS: u8 = 3;

impl Variant {
    /// Which moves begin the count of plies anew.
    pub(super) fn progress(&self) -> String {
        let mut moves = vec!["capture".to_string()];
        let counted: PieceTypeSet = self.kinds().filter(|&kind| self.piece(kind).zeroing).collect();
        let is_there = |kind: &_| self.sides().any(|(_, other)| other == *kind);
        // "pawn" of "pawn (bia)".
        let short = |name: &str| name.split(" (").next().unwrap_or(name).to_string();
        let names: Vec<String> = counted
            .filter(is_there)
            .map(|kind| {
                let returns = self.returning().contains(kind);
                let back = if returns { " that it cannot take back" } else { "" };
                format!("{} move{back}", short(&self.piece(kind).name))
            })
            .collect();
        moves.extend(names);
        let promotes = self.sides().any(|(color, kind)| {
            !self.piece(kind).zeroing && !self.promotes_to(color, kind).is_empty()
        });
        if promotes {
            moves.push("promotion".to_string());
        }
        if !self.hand_kinds().is_empty() {
            moves.push("drop".to_string());
        }
        list(&moves, "or")
    }

    /// The letters of pieces that are counted by type, royals first.
    pub(super) fn row_of(&self, pieces: &[u8]) -> String {
        let mut counted: Vec<_> = self.kinds().zip(pieces).collect();
        counted.sort_by_key(|&(kind, _)| !self.royals().contains(kind));
        let letter = |kind: PieceType| self.piece(kind).letter.to_string();
        let (few, many): (Vec<_>, Vec<_>) =
            counted.into_iter().partition(|&(_, &count)| count <= MOST_LETTERS);
        let few = few.into_iter().map(|(kind, &count)| letter(kind).repeat(count.into()));
        let many =
            many.into_iter().map(|(kind, count)| format!(" with up to {count} {}", letter(kind)));
        few.chain(many).collect()
    }

    /// What the second side has, and what neither side has.
    fn other_material(&self, material: &Material) -> String {
        let mut text = match &material.other {
            Some(other) => format!("no more than {}", self.row_of(other)),
            None if material.has.iter().all(|&count| count == 0) => "anything".to_string(),
            None => format!("at least {}", self.row_of(&material.has)),
        };
        if !material.none.is_empty() {
            text += &format!(" without {}", list(&self.letters(material.none), "and"));
        }
        text
    }

    /// The counts of a player who has little left.
    pub(super) fn counts_in_words(&self) -> Vec<String> {
        let mut rules: Vec<String> =
            self.count_rules().iter().map(|rule| self.count_in_words(rule)).collect();
        if !rules.is_empty() {
            rules.push(
                "A count begins when the player who counts is to move, goes on through captures, and is a draw when it \
                 exceeds its limit; the first line that fits holds, and nobody counts against a single piece."
                    .to_string(),
            );
        }
        rules
    }

    fn count_in_words(&self, rule: &CountRule) -> String {
        let Material { side, has, none, .. } = &rule.material;
        let mut text = match (side, rule.pieces) {
            (Some(side), _) => format!("A player with no more than {}", self.row_of(side)),
            (None, Some(most)) => format!("A player with no more than {most} pieces"),
            (None, None) => "A player".to_string(),
        };
        if has.iter().any(|&count| count > 0) {
            text += &format!(" against at least {}", self.row_of(has));
        }
        text += &match rule.limit {
            0 => " does not count".to_string(),
            limit => format!(" counts up to {limit} plies"),
        };
        if !none.is_empty() {
            text += &format!(" once no {} is left", list(&self.letters(*none), "or"));
        }
        if rule.per_piece > 0 {
            text += &format!(", beginning at {} for each piece on the board", rule.per_piece);
        }
        if rule.anew {
            text += ", anew at every capture and promotion";
        }
        text + "."
    }

    /// A draw by the pieces that are left.
    pub(super) fn few_pieces(&self, rule: &DrawRule) -> String {
        let side = rule.material.side.as_deref().unwrap_or_default();
        let mut text =
            format!("{} against {}", self.row_of(side), self.other_material(&rule.material));
        if !rule.one_color.is_empty() {
            let kinds = list(&self.letters(rule.one_color), "and");
            text += &format!(", every {kinds} on squares of one color,");
        }
        let without = self.progress();
        match rule.moves {
            0 => text + " is a draw.",
            plies => {
                text += &format!(" is a draw after {plies} plies without {without}");
                if rule.per_piece > 0 {
                    text +=
                        &format!("; each piece on the board counts as {} of them", rule.per_piece);
                }
                text + "."
            }
        }
    }

    /// What the pieces count for, where points decide.
    pub(super) fn points_in_words(&self) -> String {
        let mut values: Vec<u32> = self.kinds().map(|kind| self.piece(kind).points).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        values.dedup();
        let of = |value: u32| {
            let kinds = self.kinds().filter(|&kind| {
                self.piece(kind).points == value && self.sides().any(|(_, other)| other == kind)
            });
            list(&self.letters(kinds.collect()), "and")
        };
        let parts = values.into_iter().filter(|&value| value > 0);
        let parts: Vec<String> = parts.map(|value| format!("{value} for {}", of(value))).collect();
        parts.join(", ")
    }

    /// The royals, as in "the kings".
    pub(super) fn royal_names(&self) -> String {
        list(&self.plurals(self.royals()), "and")
    }
}
