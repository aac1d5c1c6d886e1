//! The royal pieces: the king, and pieces whose last one may not be left attacked.

use garrison_rules::Color;
use garrison_rules::definition::tables::{FacingAlong, RoyaltyKind, RoyaltyTable};

use super::Draft;
use super::start::fields;
use crate::rule_file::kinds::Kind;

impl Draft<'_> {
    /// The types that may not be left attacked, at some time at least.
    pub(super) fn royal_kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = self.rules.piece("king").map(|_| "king").into_iter().collect();
        kinds.extend(self.pseudo_royals());
        kinds
    }

    /// The types whose last pieces are royal.
    fn pseudo_royals(&self) -> Vec<Kind> {
        let is_said = self.rules.text("extinctionValue") != "none"
            && self.rules.flag("extinctionPseudoRoyal");
        if is_said { self.rules.present("extinctionPieceTypes") } else { Vec::new() }
    }

    pub(super) fn royals(&mut self) {
        let letters = self.forms.letters(&self.royal_kinds());
        if letters.is_empty() {
            return;
        }
        let kind = if self.pseudo_royals().is_empty() {
            None
        } else {
            Some(self.pseudo_kind()).filter(|kind| *kind != RoyaltyKind::Absolute)
        };
        self.limit_royals(&letters);
        let facing = self.rules.flag("flyingGeneral") && self.rules.piece("king").is_some();
        // On ranks as well, unless they never stand on one.
        let is_straight = facing && !self.keeps_ranks_apart();
        self.definition.royalty = Some(RoyaltyTable {
            piece: Some(letters),
            kind,
            facing: facing.then_some(true),
            facing_along: is_straight.then_some(FacingAlong::Straight),
            checking: (!self.rules.flag("checking")).then_some(false),
            flees: self.rules.flag("makpongRule").then_some(false),
            ..RoyaltyTable::default()
        });
    }

    /// Whether each of them is royal, or only the last.
    fn pseudo_kind(&mut self) -> RoyaltyKind {
        let royal_at = self.rules.number("extinctionPieceCount") + 1;
        if self.rules.flag("dupleCheck") {
            return RoyaltyKind::Duple;
        }
        if royal_at > 8 || (self.most_royals() <= royal_at && !self.gains_royals()) {
            return RoyaltyKind::Absolute;
        }
        if royal_at > 1 {
            self.leave("extinctionPieceCount");
        }
        RoyaltyKind::Last
    }

    /// The most royal pieces that a side has at the start.
    fn most_royals(&self) -> u32 {
        let kinds = self.royal_kinds();
        let text = self.rules.text("startFen");
        let start = fields(&text);
        let most = Color::ALL.into_iter().map(|color| {
            let is_own = |c: &char| c.is_ascii_uppercase() == (color == Color::White);
            let pieces = start.board.chars().filter(|c| c.is_ascii_alphabetic()).filter(is_own);
            let royal =
                pieces.filter(|c| self.rules.kind_of(*c).is_ok_and(|kind| kinds.contains(&kind)));
            royal.count() as u32
        });
        most.max().unwrap_or(0)
    }

    /// Whether a piece can become royal.
    fn gains_royals(&self) -> bool {
        let kinds = self.royal_kinds();
        let promotes_to_royal = |color| {
            self.forms.plain().any(|form| {
                let targets = super::forms::targets(self.rules, color, form.kind);
                targets.iter().any(|kind| kinds.contains(kind))
            })
        };
        self.forms.all.iter().any(|form| form.origin.is_some() && kinds.contains(&form.kind))
            || Color::ALL.into_iter().any(promotes_to_royal)
    }

    /// Notes that a side can have only one royal piece, as explosions and kings that stay in check ask for.
    fn limit_royals(&mut self, letters: &str) {
        let is_asked = self.rules.flag("blastOnCapture") || self.rules.flag("makpongRule");
        if !is_asked || self.most_royals() != 1 || self.gains_royals() {
            return;
        }
        let tables = self.definition.pieces.as_mut();
        if let Some(table) = tables.and_then(|tables| tables.get_mut(letters)) {
            table.limit = table.limit.or(Some(1));
        }
    }

    /// Whether kings can never stand on one rank, so that they face each other on files alone.
    fn keeps_ranks_apart(&self) -> bool {
        let ranks = |color| {
            let region = self.rules.region(color, "king").unwrap_or_else(|| self.board.all());
            region.into_iter().map(|(rank, _)| rank).collect::<Vec<u8>>()
        };
        let (white, black) = (ranks(Color::White), ranks(Color::Black));
        !white.iter().any(|rank| black.contains(rank))
    }
}
