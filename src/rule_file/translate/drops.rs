//! Hands, and where pieces are dropped.

use garrison_rules::Color;
use garrison_rules::definition::tables::{DropTable, GatingTable};

use super::Draft;
use super::forms::{Form, by_side, has_faces};
use super::start::fields;
use crate::rule_file::kinds::{ALL, Kind};
use crate::rule_file::squares::Area;

impl Draft<'_> {
    /// Whether the game has hands.
    pub(super) fn has_hands(&self) -> bool {
        !self.hand_kinds().is_empty()
    }

    /// The types that can be in hand.
    fn hand_kinds(&self) -> Vec<Kind> {
        if !self.rules.flag("pieceDrops") && !self.has_gates() {
            return Vec::new();
        }
        let text = self.rules.text("startFen");
        let hand = fields(&text).hand.unwrap_or("");
        let at_start: Vec<Kind> = hand.chars().filter_map(|c| self.rules.kind_of(c).ok()).collect();
        let royals = self.royal_kinds();
        let plain = self.forms.plain().map(|form| form.kind);
        let can = |kind: &Kind| {
            at_start.contains(kind)
                || (self.returns_captures() && !royals.contains(kind) && self.can_drop(kind))
        };
        plain.filter(can).collect()
    }

    /// Whether pieces come from hand to squares that are left.
    fn has_gates(&self) -> bool {
        self.rules.flag("seirawanGating")
    }

    /// Pieces that come from hand to the squares of the first rank that are left.
    pub(super) fn gating(&mut self) {
        if !self.has_gates() {
            return self.leave("gating");
        }
        let can_come = |kind: &Kind| {
            let form = self.forms.plain().find(|form| form.kind == *kind);
            form.is_some_and(|form| {
                let area = self.drop_area(form, Color::White, &self.board.all());
                area.iter().any(|at| at.0 == 0)
            })
        };
        let kinds = self.hand_kinds().into_iter().filter(can_come);
        let letters: String = kinds.filter_map(|kind| self.letter_in_hand(&kind)).collect();
        self.definition.gating =
            Some(GatingTable { pieces: Some(letters), squares: Some("rank1".to_string()) });
    }

    /// Whether a piece may be dropped anywhere at all.
    fn can_drop(&self, kind: &Kind) -> bool {
        !(self.rules.kinds("dropNoDoubled").contains(kind)
            && self.rules.number("dropNoDoubledCount") == 0)
    }

    pub(super) fn hands(&mut self) {
        let kinds = self.hand_kinds();
        if kinds.is_empty() {
            return;
        }
        let letters: String = kinds.iter().filter_map(|kind| self.letter_in_hand(kind)).collect();
        self.definition.hand = Some(letters.clone());
        if self.rules.flag("mustDrop") {
            let must = self.rules.kinds("mustDropType");
            let letter = must.first().and_then(|kind| self.letter_in_hand(kind));
            self.definition.must_drop = if must.contains(&ALL) { Some(letters) } else { letter };
        }
        if self.rules.flag("dropLoop") && self.forms.all.iter().any(|form| form.origin.is_some()) {
            self.leave("dropLoop");
        }
    }

    /// What a piece is in the hand of its captor, if that is something else.
    pub(super) fn in_hand(&self, form: &Form) -> Option<String> {
        let kind = form.origin.unwrap_or(form.kind);
        let letter = self.letter_in_hand(&kind)?;
        (letter != form.letter && self.hand_kinds().contains(&kind)).then_some(letter)
    }

    /// The letter of a type in hand.
    fn letter_in_hand(&self, kind: &Kind) -> Option<String> {
        let reserve = self.faces().into_iter().find(|(_, of)| of == kind);
        let plain = self.rules.piece(kind)?.letter.to_string();
        Some(reserve.map_or(plain, |(letter, _)| letter))
    }

    /// Pieces that may be dropped on either of their faces exist in hand as a piece of their own, which becomes one of
    /// the two: their letters, with the types that they are.
    fn faces(&self) -> Vec<(String, Kind)> {
        if !has_faces(self.rules) {
            return Vec::new();
        }
        let turning = self.forms.plain().filter(|form| self.rules.promoted(form.kind).is_some());
        self.forms.free().map(String::from).zip(turning.map(|form| form.kind)).collect()
    }

    /// The pieces that exist in hand only, with the two that each may become.
    pub(super) fn reserves(&self) -> Vec<(String, String)> {
        let faces = self.faces().into_iter().filter_map(|(letter, kind)| {
            let other = self.forms.promoted(kind, self.rules.promoted(kind)?)?;
            Some((letter, format!("{}{other}", self.rules.piece(kind)?.letter)))
        });
        faces.collect()
    }

    /// The pieces in hand at the start, by the letters that they have there.
    pub(super) fn in_reserve(&self, hand: &str) -> String {
        let letter = |c: char| {
            let own = self.letter_in_hand(&self.rules.kind_of(c).ok()?)?;
            Some(if c.is_ascii_uppercase() { own } else { own.to_lowercase() })
        };
        hand.chars().filter_map(letter).collect()
    }

    /// How a piece is dropped, if not wherever it may stand.
    pub(super) fn drop(
        &self,
        form: &Form,
        color: Color,
        region: &Option<Area>,
        never: &Area,
        forced: &Area,
    ) -> Option<DropTable> {
        let is_face = has_faces(self.rules);
        if !self.hand_kinds().contains(&form.origin.unwrap_or(form.kind))
            || (form.origin.is_some() && !is_face)
        {
            return None;
        }
        let mut stand = region.clone().unwrap_or_else(|| self.board.all());
        stand.retain(|at| !never.contains(at));
        let usual: Area = stand.difference(forced).copied().collect();
        let wanted = match self.rules.flag("pieceDrops") {
            true => self.drop_area(form, color, &stand),
            // It only comes to squares that are left.
            false => Area::new(),
        };
        let is_single = self.rules.kinds("dropNoDoubled").contains(&form.kind);
        let per_file = u8::try_from(self.rules.number("dropNoDoubledCount")).ok();
        let is_pawn = form.kind == "shogiPawn" && self.rules.flag("shogiPawnDropMateIllegal");
        let is_bishop = form.kind == "bishop" && self.rules.flag("dropOppositeColoredBishop");
        let table = DropTable {
            region: (wanted != usual).then(|| self.board.written(&wanted)),
            not_beside: None,
            per_file: per_file.filter(|_| is_single),
            other_color: is_bishop.then_some(true),
            mate: is_pawn.then_some(false),
            check: (!self.rules.flag("dropChecks")).then_some(false),
        };
        Some(table).filter(|table| *table != DropTable::default())
    }

    /// The squares of those where a piece may stand on which it may be dropped.
    fn drop_area(&self, form: &Form, color: Color, stand: &Area) -> Area {
        let allowed = self.rules.area(by_side(color, ["dropRegionWhite", "dropRegionBlack"]));
        let allowed = self.board.seen_all(color, &allowed);
        let mut area: Area = stand.intersection(&allowed).copied().collect();
        if form.kind == "pawn" {
            let zone = self.zone(color);
            let to_zone = self.rules.flag("promotionZonePawnDrops");
            let to_first = self.rules.flag("firstRankPawnDrops");
            area.retain(|at| (to_zone || !zone.contains(at)) && (to_first || at.0 != 0));
        }
        if form.kind == "rook" && self.rules.flag("sittuyinRookDrop") {
            area.retain(|at| at.0 == 0);
        }
        if self.rules.flag("immobilityIllegal") {
            let moves = self.rules.piece(form.kind).map(|piece| super::moves::moves(&piece.betza));
            let betza = moves.and_then(Result::ok).unwrap_or_default().betza;
            let stuck = super::moves::stuck(self.board, &betza);
            area.retain(|at| !stuck.contains(at));
        }
        area
    }
}
