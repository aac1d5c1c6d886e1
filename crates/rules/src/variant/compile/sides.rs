//! The rules of one side.

use super::Compiler;
use crate::betza;
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType, PieceTypeSet};
use crate::variant::definition::{ArmyTable, PieceTable, PromotionTable};
use crate::variant::side::{DropRule, InPlace, PieceRules, Promotion, SideRules};
use crate::variant::{DefinitionFault, OneSide};

impl Compiler<'_> {
    /// The key of a piece type in the definition.
    pub(super) fn key(&self, index: usize) -> String {
        format!("pieces.{}", self.letters[index])
    }

    /// The rules of one side.
    pub(super) fn side(&self, color: Color) -> SideRules {
        let army = self.armies.as_ref().map(|armies| armies[color]);
        let tables: Vec<PieceTable> =
            self.tables.iter().map(|table| table.of_side(color)).collect();
        let rules = tables.iter().enumerate();
        let rules = rules.map(|(index, table)| self.piece_rules(color, index, table, army));
        let mut side = SideRules::new(&self.geometry, self.allowed(color, army), rules.collect());
        let kinds = (0..tables.len() as u8).map(PieceType::new);
        side.passers = kinds.filter(|&kind| !side.piece(kind).passed_by.is_empty()).collect();
        side
    }

    /// The rules of one piece type of one side.
    fn piece_rules(
        &self,
        color: Color,
        index: usize,
        table: &PieceTable,
        army: Option<(&str, &ArmyTable)>,
    ) -> PieceRules {
        let (key, letter) = (self.key(index), self.letters[index].to_string());
        let all = self.geometry.squares();
        let region = self.region_or(&format!("{key}.region"), &table.region, all);
        let promotion = self.promotion(&key, &letter, table, army.map(|(_, army)| army));
        let forced = promotion.map_or(Bitboard::EMPTY, |promotion| promotion.forced);
        let never = self.region_or(&format!("{key}.never"), &table.never, Bitboard::EMPTY);
        // It may move to a square on which it can never stand if it must promote there.
        let reach = region & !(never & !forced);
        let never_moves = table.betza.is_none() && table.extra.is_none() && table.first.is_none();
        if color == Color::White && never_moves && table.promotion.is_some() {
            self.faults.note(format!("{key}.promotion"), "a piece that never moves cannot promote");
        }
        let drop = self.drop_rule(color, &key, table, (region & !never, reach & !forced));
        let never = never | forced;
        let limit = army.and_then(|(_, army)| army.limits.as_ref()?.get(&letter).copied());
        PieceRules {
            moves: self.moves(color, &key, table, reach, never),
            promotion: promotion.map(|promotion| Promotion {
                zone: self.own(color, promotion.zone),
                forced: self.own(color, promotion.forced),
                late: self.own(color, promotion.late),
                ..promotion
            }),
            in_place: promotion
                .filter(|promotion| promotion.in_place)
                .map(|_| self.in_place(color, &key, table, region & !never)),
            drop,
            region: self.own(color, region),
            never: self.own(color, never),
            born_on: Bitboard::EMPTY,
            limit: limit.or(table.limit),
            passed_by: self.passed_by(&key, PieceType::new(index as u8), table),
        }
    }

    /// How a piece type is dropped: on squares of its drop region where it can `stand`, or without such a
    /// region where it can also `stay` without promoting. A drop region may hold squares to which the piece
    /// cannot move.
    fn drop_rule(
        &self,
        color: Color,
        key: &str,
        table: &PieceTable,
        (stand, stay): (Bitboard, Bitboard),
    ) -> DropRule {
        let drop = table.drop.clone().unwrap_or_default();
        let zone = match &drop.region {
            Some(text) => self.region(&format!("{key}.drop.region"), text) & stand,
            None => stay,
        };
        if drop.per_file == Some(0) {
            self.faults.note(format!("{key}.drop.per_file"), "expected is at least 1");
        }
        let beside = drop.not_beside.as_ref().filter(|text| !text.is_empty());
        DropRule {
            zone: self.own(color, zone),
            not_beside: beside.and_then(|t| self.kind(&format!("{key}.drop.not_beside"), t)),
            per_file: drop.per_file,
            no_mate: !drop.mate.unwrap_or(true),
            other_color: drop.other_color.unwrap_or(false),
            no_check: !drop.check.unwrap_or(true),
        }
    }

    /// The piece types that may capture a piece of this type en passant.
    fn passed_by(&self, key: &str, kind: PieceType, table: &PieceTable) -> PieceTypeSet {
        let Some(double) = &table.double_step else { return PieceTypeSet::EMPTY };
        let key = format!("{key}.double_step.en_passant_by");
        match (&double.en_passant_by, double.en_passant == Some(true)) {
            (None, true) => PieceTypeSet::of(kind),
            (Some(text), true) => self.kind_set(&key, text),
            (Some(_), false) => {
                self.faults.note(key, "needs 'en_passant = true'");
                PieceTypeSet::EMPTY
            }
            (None, false) => PieceTypeSet::EMPTY,
        }
    }

    /// The piece types that a side may have.
    fn allowed(&self, color: Color, army: Option<(&str, &ArmyTable)>) -> PieceTypeSet {
        let kinds: Vec<PieceType> = match army {
            Some((name, army)) => {
                let key = format!("armies.{name}.pieces");
                if army.pieces.is_none() {
                    self.faults.note(&key, DefinitionFault::Missing);
                }
                self.kinds(&key, army.pieces.as_deref().unwrap_or(""))
            }
            None => (0..self.tables.len() as u8).map(PieceType::new).collect(),
        };
        let only = |kind: &PieceType| self.tables[kind.index()].only.map(OneSide::color);
        kinds.into_iter().filter(|kind| only(kind) != Some(!color)).collect()
    }

    /// The promotion of a piece type, from White's point of view.
    fn promotion(
        &self,
        key: &str,
        letter: &str,
        table: &PieceTable,
        army: Option<&ArmyTable>,
    ) -> Option<Promotion> {
        let promotion = table.promotion.as_ref()?;
        // An empty text removes the promotion of the base.
        if promotion.to.as_deref() == Some("") {
            return None;
        }
        let key = format!("{key}.promotion");
        let of_army = army.and_then(|army| army.promotes.as_ref()?.get(letter));
        let to = match of_army.or(promotion.to.as_ref()) {
            Some(text) => self.kinds(&format!("{key}.to"), text),
            // Other armies promote this piece type; this army does not have it.
            None if army.is_some() => return None,
            None => {
                self.faults.note(format!("{key}.to"), DefinitionFault::Missing);
                Vec::new()
            }
        };
        if let Some(&kind) = to.iter().find(|kind| self.tables[kind.index()].reserve.is_some()) {
            let fault = format!("{} exists in hand only", self.letters[kind.index()]);
            self.faults.note(format!("{key}.to"), fault);
        }
        if promotion.zone.is_none() {
            self.faults.note(format!("{key}.zone"), DefinitionFault::Missing);
        }
        let zone = self.region_or(&format!("{key}.zone"), &promotion.zone, Bitboard::EMPTY);
        let forced = self.region_or(&format!("{key}.forced"), &promotion.forced, Bitboard::EMPTY);
        if !zone.is_empty() && !(forced & !zone).is_empty() {
            let fault = "holds squares that are not in the zone, where it cannot promote";
            self.faults.note(format!("{key}.forced"), fault);
        }
        let late = self.region_or(&format!("{key}.late"), &promotion.late, Bitboard::EMPTY);
        if promotion.late.is_some() && promotion.once != Some(true) {
            self.faults.note(format!("{key}.late"), "needs 'once = true'");
        }
        if promotion.once == Some(true) && promotion.leaving == Some(true) {
            self.faults.note(format!("{key}.once"), "cannot stand beside 'leaving = true'");
        }
        if promotion.together == Some(true) && promotion.limited != Some(true) {
            self.faults.note(format!("{key}.together"), "needs 'limited = true'");
        }
        self.check_in_place(&key, promotion);
        Some(Promotion {
            zone,
            forced: forced & zone,
            to: to.into_iter().collect(),
            leaving: promotion.leaving.unwrap_or(false),
            limited: promotion.limited.unwrap_or(false),
            together: promotion.together.unwrap_or(false),
            once: promotion.once.unwrap_or(false),
            late: late & zone,
            in_place: promotion.in_place.unwrap_or(false),
        })
    }

    /// Refuses keys that do not belong to a promotion in place, or to another one, and rules that do not reckon with it.
    fn check_in_place(&self, key: &str, promotion: &PromotionTable) {
        let of_moves = [
            ("forced", promotion.forced.as_ref().is_some_and(|text| !text.is_empty())),
            ("leaving", promotion.leaving == Some(true)),
            ("once", promotion.once == Some(true)),
        ];
        let of_its_own = [
            ("by", promotion.by.as_ref().is_some_and(|text| !text.is_empty())),
            ("alone", promotion.alone == Some(true)),
            ("peaceful", promotion.peaceful == Some(true)),
        ];
        let is_in_place = promotion.in_place == Some(true);
        let (wrong, fault) = if is_in_place {
            (of_moves, "cannot stand beside 'in_place = true'")
        } else {
            (of_its_own, "needs 'in_place = true'")
        };
        for (name, _) in wrong.into_iter().filter(|(_, is_given)| *is_given) {
            self.faults.note(format!("{key}.{name}"), fault);
        }
        if is_in_place && self.definition.stones.is_some() {
            self.faults.note(format!("{key}.in_place"), "cannot stand beside 'stones'");
        }
    }

    /// How a piece type of one side promotes in place; a step ends on a square of `region`.
    fn in_place(&self, color: Color, key: &str, table: &PieceTable, region: Bitboard) -> InPlace {
        let table = table.promotion.clone().unwrap_or_default();
        let by = table.by.filter(|text| !text.is_empty());
        let by = by.map(|by| {
            let key = format!("{key}.promotion.by");
            if betza::parse_legs(&by).is_ok_and(|legs| !legs.is_empty()) {
                self.faults.note(&key, "moves of two legs ('a') are no such steps");
            }
            Box::new(self.quiet_moves(color, &key, by, region))
        });
        InPlace {
            by,
            alone: table.alone.unwrap_or(false),
            peaceful: table.peaceful.unwrap_or(false),
        }
    }
}
