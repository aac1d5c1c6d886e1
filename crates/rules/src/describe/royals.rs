//! Royal pieces in words.

use super::article;
use crate::types::{Color, PieceType};
use crate::variant::{FacingAlong, Royalty, RoyaltyKind, Variant};

impl Variant {
    /// What may happen to the royal pieces.
    pub(super) fn royals_in_words(&self) -> Vec<String> {
        let Some(royalty) = self.royalty() else { return Vec::new() };
        let mut rules = Vec::new();
        rules.extend(self.late_in_words(royalty));
        let falls_by_blast = self.royals_explode();
        rules.push(match royalty.kind {
            RoyaltyKind::Captured => self.capture_wins(),
            RoyaltyKind::Last => self.last_in_words(),
            RoyaltyKind::Duple => self.duple_in_words(),
            RoyaltyKind::Absolute => self.absolute_in_words(royalty),
        });
        if falls_by_blast && royalty.kind == RoyaltyKind::Absolute {
            rules.push(self.blown_up_in_words());
        }
        let names = self.royal_names();
        let line = match royalty.facing_along {
            FacingAlong::File => "file",
            FacingAlong::Straight => "file or rank",
            FacingAlong::Diagonal => "diagonal",
            FacingAlong::Any => "file, rank or diagonal",
        };
        if royalty.shoots() {
            rules.push(format!(
                "Two {names} on one {line} with nothing between them attack each other: the side to move may capture."
            ));
        } else if royalty.facing {
            rules.push(format!(
                "The {names} may not face each other on a {line} with nothing between them."
            ));
        }
        if !royalty.flees {
            let king = self.king_alone();
            rules.push(format!(
                "A {king} in check may not leave its square, except to capture the only piece that checks it."
            ));
        }
        if !royalty.checking {
            rules.push("No move may give check.".to_string());
        }
        rules
    }

    fn late_in_words(&self, royalty: &Royalty) -> Option<String> {
        let guard = &self.piece(royalty.late?).name;
        let king = self.king_alone();
        Some(format!(
            "There is no {king} at first. While a player has {} {guard}, none of that player's pieces is royal, and there \
             is no check on that player. When the last {guard} falls its owner gets the {king}, and to place it on a \
             vacant square that no enemy piece attacks is the owner's whole next turn. If there is no such square, that \
             is checkmate.",
            article(guard)
        ))
    }

    fn absolute_in_words(&self, royalty: &Royalty) -> String {
        let king = self.king_alone();
        let mated = self.checkmate_in_words();
        if royalty.several {
            let names = self.royal_names();
            return format!(
                "All {names} are royal: no move may leave one of them attacked. A player who is in check and cannot \
                 help it {mated}."
            );
        }
        let once = if royalty.late.is_some() { "Once on the board, the" } else { "The" };
        format!(
            "{once} {king} is royal: no move may leave it attacked. A player who is in check and cannot help it {mated}."
        )
    }

    fn duple_in_words(&self) -> String {
        let names = self.royal_names();
        let mated = self.checkmate_in_words();
        format!(
            "A player with several {names} is in check only if all of them are attacked, and no move may leave all of \
             them attacked; the others may be captured like any piece. A player who is in check and cannot help it {mated}."
        )
    }

    fn capture_wins(&self) -> String {
        let king = self.king_alone();
        if self.royals_explode() {
            return format!(
                "The game is won by removing the {king}, by capture or by an explosion; who removes both loses. To move \
                 into check and to leave the {king} attacked is legal."
            );
        }
        let last = if self.has_many_royals() { "last " } else { "" };
        format!(
            "The game is won by capturing the {last}{king}. To move into check and to leave the {king} attacked is legal."
        )
    }

    /// Whether explosions remove royals.
    fn royals_explode(&self) -> bool {
        self.blast().is_some_and(|blast| {
            self.royals().any(|king| !blast.immune.contains(king) && !blast.spares.contains(king))
        })
    }

    fn blown_up_in_words(&self) -> String {
        let king = self.king_alone();
        format!(
            "A player whose {king} is removed by an explosion loses at once, in check or not; no move may remove its own \
             {king}. While a {king} stands so near to the enemy's that its capture would remove both, it is not in check."
        )
    }

    /// Whether a side may have several royals, by its limit or by promotion.
    fn has_many_royals(&self) -> bool {
        self.royals().len() > 1 || Color::ALL.into_iter().any(|color| self.can_multiply(color))
    }

    /// Whether a side may have several pieces of the royal type.
    fn can_multiply(&self, color: Color) -> bool {
        self.royals().any(|royal| self.side(color).piece(royal).limit != Some(1))
    }

    fn last_in_words(&self) -> String {
        let king = self.piece(self.royals().next().unwrap_or(PieceType::new(0))).letter;
        let mated = self.checkmate_in_words();
        let single = format!(
            "no move may leave it attacked. A player who is in check and cannot help it {mated}"
        );
        let sides: Vec<Color> =
            Color::ALL.into_iter().filter(|&color| self.can_multiply(color)).collect();
        let who = match sides.as_slice() {
            [] => return format!("The {} is royal: {single}.", self.king_alone()),
            [only] => only.to_string(),
            _ => "A player".to_string(),
        };
        let promoting = self.sides().find(|&(color, kind)| {
            self.promotes_to(color, kind).any(|to| self.royals().contains(to))
        });
        let answer = promoting.map_or(String::new(), |(_, kind)| {
            let name = &self.piece(kind).name;
            format!(" So to promote {} {name} is an answer to check.", article(name))
        });
        format!(
            "{king} is royal while it is the only one of its side: {single}. {who} may get more: with two or more, they \
             may be attacked and captured like any other piece, and there is no check. The capture that leaves one makes \
             it royal at once, and may itself give check or mate.{answer}"
        )
    }
}
