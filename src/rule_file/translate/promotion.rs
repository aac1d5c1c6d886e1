//! What pieces become, where they must, and where they can never stand.

use garrison_rules::Color;
use garrison_rules::definition::tables::PromotionTable;

use super::Draft;
use super::forms::{Form, by_side, targets};
use super::moves::{moves, stuck};
use crate::rule_file::squares::Area;

impl Draft<'_> {
    /// The promotion region of a side, as it sees the board.
    pub(super) fn zone(&self, color: Color) -> Area {
        let area =
            self.rules.area(by_side(color, ["promotionRegionWhite", "promotionRegionBlack"]));
        self.board.seen_all(color, &area)
    }

    /// What a piece becomes, and where it must.
    pub(super) fn promotion(
        &mut self,
        form: &Form,
        color: Color,
    ) -> (Option<PromotionTable>, Area) {
        let none = (None, Area::new());
        if let Some(origin) = form.origin {
            let is_back =
                self.rules.flag("pieceDemotion") && self.rules.promoted(origin) == Some(form.kind);
            let Some(piece) = self.rules.piece(origin).filter(|_| is_back) else { return none };
            let letter = piece.letter.to_string();
            return self.promotion_of(
                form,
                color,
                letter,
                self.rules.flag("mandatoryPiecePromotion"),
                true,
            );
        }
        let pawn_targets = self.forms.pawn_targets(self.rules, color, form.kind);
        let is_pawn = !targets(self.rules, color, form.kind).is_empty();
        let promoted = self.rules.promoted(form.kind);
        let promoted =
            promoted.and_then(|to| self.forms.promoted(form.kind, to)).map(str::to_string);
        match (is_pawn, promoted) {
            (false, None) => none,
            (true, None) if form.kind == "pawn" && self.rules.flag("sittuyinPromotion") => {
                self.promotion_in_place(form, color, pawn_targets)
            }
            (true, None) => {
                let must = self.rules.flag("mandatoryPawnPromotion");
                self.promotion_of(form, color, pawn_targets, must, false)
            }
            // A pawn promotes by a move to the region, other pieces by one out of it as well.
            (is_pawn, Some(promoted)) => {
                let is_stepper = form.kind == "pawn";
                let must_as_pawn =
                    (is_stepper || is_pawn) && self.rules.flag("mandatoryPawnPromotion");
                let must = must_as_pawn || self.rules.flag("mandatoryPiecePromotion");
                let to = pawn_targets + &promoted;
                self.promotion_of(form, color, to, must, !is_stepper && !is_pawn)
            }
        }
    }

    /// As in sittuyin: a pawn becomes the piece where it stands, or by a move of that piece.
    fn promotion_in_place(
        &mut self,
        form: &Form,
        color: Color,
        to: String,
    ) -> (Option<PromotionTable>, Area) {
        let Some(by) = self.steps_in_place(color) else {
            self.leave("sittuyinPromotion");
            return (None, Area::new());
        };
        let (table, _) = self.promotion_of(form, color, to, false, false);
        let table = table.map(|table| PromotionTable {
            forced: None,
            in_place: Some(true),
            by: Some(by),
            alone: Some(true),
            peaceful: Some(true),
            ..table
        });
        (table, Area::new())
    }

    /// The moves by which pawns promote as in sittuyin, where they become one sort of piece.
    pub(super) fn steps_in_place(&self, color: Color) -> Option<String> {
        self.rules.piece("pawn")?;
        let kinds = targets(self.rules, color, "pawn");
        let &[kind] = kinds.as_slice() else { return None };
        let piece = self.rules.piece(kind).filter(|_| self.rules.flag("sittuyinPromotion"))?;
        moves(&piece.betza).ok().map(|moves| moves.betza)
    }

    fn promotion_of(
        &self,
        form: &Form,
        color: Color,
        to: String,
        must: bool,
        leaving: bool,
    ) -> (Option<PromotionTable>, Area) {
        let zone = self.zone(color);
        let reach =
            self.rules.region(color, form.kind).map(|area| self.board.seen_all(color, &area));
        let zone: Area = match reach {
            Some(reach) if !leaving => zone.intersection(&reach).copied().collect(),
            _ => zone,
        };
        if zone.is_empty() {
            return (None, Area::new());
        }
        let forced = if must {
            zone.clone()
        } else {
            self.stuck(form).intersection(&zone).copied().collect()
        };
        let table = PromotionTable {
            zone: Some(self.board.written(&zone)),
            forced: Some(self.board.written(&forced)).filter(|text| !text.is_empty()),
            to: Some(to),
            leaving: leaving.then_some(true),
            limited: self.is_limited(form, color).then_some(true),
            ..PromotionTable::default()
        };
        (Some(table), forced)
    }

    /// The squares from which it could not move, where pieces may not stand on such.
    fn stuck(&self, form: &Form) -> Area {
        let Some(piece) =
            self.rules.piece(form.kind).filter(|_| self.rules.flag("immobilityIllegal"))
        else {
            return Area::new();
        };
        stuck(self.board, &moves(&piece.betza).unwrap_or_default().betza)
    }

    /// The squares where a piece with these moves may not stand and need not promote.
    pub(super) fn never(&self, betza: &str, forced: &Area) -> Area {
        if !self.rules.flag("immobilityIllegal") || betza.is_empty() {
            return Area::new();
        }
        stuck(self.board, betza).difference(forced).copied().collect()
    }

    /// Whether a side can promote only to pieces of which it has few enough.
    fn is_limited(&self, form: &Form, color: Color) -> bool {
        let limits = self.rules.counts("promotionLimit");
        let mut to = targets(self.rules, color, form.kind);
        to.extend(self.rules.promoted(form.kind));
        !self.returns_captures()
            && to.iter().any(|kind| limits.get(kind).is_some_and(|limit| *limit > 0))
    }

    /// How many of a piece a side may have by promoting.
    pub(super) fn limit(&mut self, form: &Form) -> Option<u8> {
        let limit = self
            .rules
            .counts("promotionLimit")
            .get(form.kind)
            .copied()
            .filter(|limit| *limit > 0)?;
        if self.returns_captures() {
            self.leave("promotionLimit");
            return None;
        }
        u8::try_from(limit).ok()
    }
}
