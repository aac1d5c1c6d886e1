//! Captures, hands and drops in words.

use super::{article, capital, count, list, plural, squares};
use crate::types::{Color, PieceType, PieceTypeSet};
use crate::variant::{Capture, RoyaltyKind, Variant};

impl Variant {
    /// Where captured pieces go, and how pieces in hand are dropped.
    pub(super) fn captures_in_words(&self) -> Vec<String> {
        let mut rules: Vec<String> = self.destinations().into_iter().collect();
        rules.extend(self.gains_in_words());
        rules.extend(self.blast_in_words());
        if !self.hand_kinds().is_empty() {
            rules.push(self.drop_in_words());
        }
        rules
    }

    fn destinations(&self) -> Option<String> {
        let goes = |capture| {
            let kinds = self.kinds().filter(|&kind| self.captured_to(kind) == capture);
            kinds.filter(|&kind| !self.royals().contains(kind)).collect::<Vec<_>>()
        };
        let (removed, hand, owner) =
            (goes(Capture::Removed), goes(Capture::Hand), goes(Capture::Owner));
        let place = |capture| match capture {
            Capture::Removed => "leave the game",
            Capture::Hand => "change sides and go to the hand of their captor",
            Capture::Owner => "go back to the hand of their owner",
        };
        let groups = [(Capture::Removed, removed), (Capture::Hand, hand), (Capture::Owner, owner)];
        let usual = groups.iter().max_by_key(|(_, kinds)| kinds.len())?.0;
        let mut text = format!("Captured pieces {}", place(usual));
        text += self.after_promotion().unwrap_or_default();
        text.push('.');
        for (capture, kinds) in
            groups.iter().filter(|(capture, kinds)| *capture != usual && !kinds.is_empty())
        {
            let names: Vec<String> =
                kinds.iter().map(|&kind| plural(&self.piece(kind).name)).collect();
            // Reserves and late pieces that are never captured need no word.
            text += &format!(" Captured {} {}.", list(&names, "and"), place(*capture));
        }
        Some(text)
    }

    /// What a capture removes beside the captured piece.
    fn blast_in_words(&self) -> Option<String> {
        let blast = self.blast()?;
        let around = match blast.radius {
            0 => String::new(),
            radius => {
                let squares = if radius == 1 { "square" } else { "squares" };
                let far = count(radius.into());
                format!(", and so is every other piece up to {far} {squares} away in any direction")
            }
        };
        let names = |kinds: PieceTypeSet| list(&self.plurals(kinds), "and");
        let spared = match blast.radius {
            0 => PieceTypeSet::EMPTY,
            _ => blast.spares.filter(|&kind| !blast.immune.contains(kind)).collect(),
        };
        let but =
            if spared.is_empty() { String::new() } else { format!(", {} excepted", names(spared)) };
        let mut text = format!(
            "Every capture explodes: the piece that captures is removed as well{around}{but}."
        );
        if !blast.immune.is_empty() {
            text += &format!(" No explosion removes {}.", names(blast.immune));
        }
        Some(text)
    }

    /// What becomes of promoted pieces that go to a hand.
    fn after_promotion(&self) -> Option<&'static str> {
        let is_other = |kind: PieceType| {
            let slot = self.piece(kind).captured_slot;
            slot.is_some_and(|slot| self.hand_kinds()[slot] != kind)
        };
        let mut promoted = Color::ALL
            .into_iter()
            .flat_map(|color| {
                self.kinds_of(color).flat_map(move |kind| self.promotes_to(color, kind))
            })
            .filter(|&to| self.piece(to).captured_slot.is_some())
            .peekable();
        promoted.peek()?;
        let (lose, keep) = (
            ", where promoted ones are again what they were",
            ", promoted ones as what they have become",
        );
        if promoted.all(is_other) { Some(lose) } else { Some(keep) }
    }

    /// Which pieces put others into the hands when they are captured.
    fn gains_in_words(&self) -> Option<String> {
        let names: Vec<String> = self
            .kinds()
            .filter(|&kind| !self.piece(kind).gains.is_empty())
            .map(|kind| self.piece(kind).name.clone())
            .collect();
        if names.is_empty() {
            return None;
        }
        let promoting: PieceTypeSet = self
            .sides()
            .filter(|&(color, kind)| !self.promotes_to(color, kind).is_empty())
            .map(|(_, kind)| kind)
            .collect();
        let promotes = match list(&self.named(promoting), "or") {
            none if none.is_empty() => String::new(),
            who => format!(
                " {} {who} that takes one where it promotes does both.",
                capital(article(&who))
            ),
        };
        Some(format!(
            "A captured {} also puts pieces into both hands, as the table shows.{promotes}",
            list(&names, "or")
        ))
    }

    fn drop_in_words(&self) -> String {
        let has_mate = self.sides().any(|(color, kind)| {
            self.piece(kind).slot.is_some() && !self.side(color).piece(kind).drop.no_mate
        });
        let mate =
            if has_mate && self.royalty_kind().is_some_and(|kind| kind != RoyaltyKind::Captured) {
                " It may give check and mate."
            } else {
                ""
            };
        let promotes = self.sides().any(|(color, kind)| {
            self.piece(kind).slot.is_some() && self.side(color).promotion(kind).is_some()
        });
        let promotes = if promotes { " A drop never promotes." } else { "" };
        format!(
            "A drop is a turn of its own: one piece from hand to any vacant square, but for the limits that stand beside \
             the pieces.{promotes}{mate}"
        )
    }

    /// Each piece type of each side.
    pub(super) fn sides(&self) -> impl Iterator<Item = (Color, PieceType)> + '_ {
        Color::ALL.into_iter().flat_map(|color| self.kinds_of(color).map(move |kind| (color, kind)))
    }

    /// Where a piece may not be dropped.
    pub(super) fn drops_in_words(&self, color: Color, kind: PieceType) -> Vec<String> {
        if self.piece(kind).slot.is_none() {
            return Vec::new();
        }
        let drop = self.side(color).piece(kind).drop;
        let board = self.geometry().squares();
        let zone = self.own(color, drop.zone);
        let mut sentences = Vec::new();
        let mut never = Vec::new();
        if zone.len() * 2 < board.len() {
            sentences.push(format!("Dropped only {}.", squares::inside(self, zone)));
        } else {
            never = squares::outside(self, zone);
        }
        if let Some(other) = drop.not_beside {
            never.push(format!("next to an enemy {}", self.piece(other).name));
        }
        if let Some(most) = drop.per_file {
            let own = format!(
                "{}{}",
                if self.has_form(kind) { "unpromoted " } else { "" },
                self.piece(kind).name
            );
            never.push(match most {
                1 => format!("on a file with an own {own}"),
                most => format!("on a file with {most} own {}", plural(&own)),
            });
        }
        if drop.other_color {
            let own = &self.piece(kind).name;
            never.push(format!("on a square of a color on which an own {own} stands"));
        }
        if let Some(other) = self.bound_to_other_color(color).filter(|&other| other != kind) {
            let other = &self.piece(other).name;
            never.push(format!("on the last square of a color that a {other} in hand needs"));
        }
        if drop.no_check {
            never.push("so that it gives check".to_string());
        }
        if drop.no_mate {
            never.push(match self.royalty_kind() {
                Some(RoyaltyKind::Captured) => {
                    "so that the enemy king is attacked and every reply leaves it open to capture"
                        .to_string()
                }
                _ => "so that it gives checkmate".to_string(),
            });
        }
        if !never.is_empty() {
            sentences.push(capital(&format!("may not be dropped {}.", list(&never, "or"))));
        }
        sentences
    }

    /// A piece type in hand that must stand on squares of different colors.
    fn bound_to_other_color(&self, color: Color) -> Option<PieceType> {
        let mut kinds = self.hand_kinds().iter().copied();
        kinds.find(|&kind| self.side(color).piece(kind).drop.other_color)
    }

    /// Whether a piece has a promoted form of its own.
    fn has_form(&self, kind: PieceType) -> bool {
        let own = self.piece(kind).letter;
        self.kinds().any(|other| {
            let letter = self.piece(other).letter;
            letter.promoted && !own.promoted && letter.capital == own.capital
        })
    }
}
