//! How the game ends.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::types::{Color, PerColor, PieceType, PieceTypeSet};
use crate::variant::definition::{EndCount, EndDraw, EndWhen, PieceTable};
use crate::variant::words::EndDrawn;
use crate::variant::{
    BoardEnds, CountRule, DeclareRule, DefinitionFault, DrawRule, EndCondition, EndResult, EndRule,
    GoalAnswer, MAX_CHECKS, MateRule, Material, NoMoves, Repeated, Royalty, RoyaltyKind, SideRules,
    SpecialEnd,
};

impl Compiler<'_> {
    pub(super) fn end(&self) -> EndRule {
        let mut table = self.definition.end.clone().unwrap_or_default();
        // 0 switches off what a base has.
        table.checks = table.checks.filter(|&checks| checks > 0);
        table.passes = table.passes.filter(|&passes| passes > 0);
        let repetition = table.repetition.unwrap_or(3);
        if repetition < 2 {
            self.faults.note("end.repetition", "expected are 2 or more occurrences");
        }
        if table.bare_king == Some(true) && !self.has_royal() {
            self.faults.note("end.bare_king", "needs a royal piece");
        }
        if table.facing == Some(true) && !self.has_royal() {
            self.faults.note("end.facing", "needs a royal piece");
        }
        if table.passes.is_some() && self.definition.pass != Some(true) {
            self.faults.note("end.passes", "needs 'pass = true'");
        }
        if table.checks.is_some() && !self.has_royal() {
            self.faults.note("end.checks", "needs a royal piece");
        }
        if table.checks.is_some() && self.definition.setup.is_some() {
            self.faults.note("end.checks", "cannot stand beside a setup phase");
        }
        if table.checks.is_some_and(|checks| checks > MAX_CHECKS) {
            self.faults.note("end.checks", format!("expected are at most {MAX_CHECKS} checks"));
        }
        EndRule {
            no_moves: table.no_moves.unwrap_or(NoMoves::Draw),
            checkmate: table.checkmate.unwrap_or(NoMoves::Loss),
            drawn: table.drawn.and_then(EndDrawn::winner),
            bare_king: table.bare_king.unwrap_or(false),
            repetition: u32::from(repetition),
            repeated: table.repeated.unwrap_or(Repeated::Draw),
            perpetual_check: table.perpetual_check.unwrap_or(false),
            impasse: table.impasse,
            moves: table.moves.filter(|&plies| plies > 0),
            counted: table.counted.unwrap_or(Repeated::Draw),
            claim: table.claim.unwrap_or(false),
            passes: table.passes,
            bonus: u32::from(table.bonus.unwrap_or(0)),
            facing: table.facing.unwrap_or(false),
            checks: table.checks.map(|checks| checks.min(MAX_CHECKS)),
        }
    }

    /// Which checkmates do not count as others.
    pub(super) fn mate(&self) -> Option<MateRule> {
        let table = self.definition.end.as_ref()?.mate.as_ref()?;
        let royalty = self.definition.royalty.as_ref();
        let is_captured = royalty.and_then(|table| table.kind) == Some(RoyaltyKind::Captured);
        if !self.has_royal() || is_captured {
            self.faults.note("end.mate", "needs a royal piece that must be kept safe");
        }
        let kinds = |name: &str, text: &Option<String>| {
            self.kind_set(&format!("end.mate.{name}"), text.as_deref().unwrap_or(""))
        };
        let rule = MateRule {
            never_by: kinds("never_by", &table.never_by),
            needs: kinds("needs", &table.needs),
        };
        (!rule.never_by.is_empty() || !rule.needs.is_empty()).then_some(rule)
    }

    /// The most pieces with which a player need not promote in place.
    pub(super) fn may_stay(&self) -> Option<Vec<u8>> {
        let key = "end.may_stay";
        let text = self.definition.end.as_ref()?.may_stay.as_ref();
        let text = text.filter(|text| !text.is_empty())?;
        let promotes_in_place = |table: &&PieceTable| {
            let sides = Color::ALL.map(|color| table.of_side(color).promotion);
            sides.into_iter().flatten().any(|promotion| promotion.in_place == Some(true))
        };
        if !self.tables.iter().any(promotes_in_place) {
            self.faults.note(key, "needs a piece with 'promotion.in_place = true'");
        }
        Some(self.numbers(key, text))
    }

    /// The draws by few pieces.
    pub(super) fn draws(&self) -> Vec<DrawRule> {
        let table = self.definition.end.as_ref().and_then(|end| end.draw.as_ref());
        let draws = table.iter().flat_map(|draws| draws.iter().enumerate());
        let draws = draws.map(|(index, table)| self.draw(index, table));
        // A drop can be on any color.
        let has_drops = self.definition.hand.as_ref().is_some_and(|hand| !hand.is_empty());
        draws.filter(|rule| rule.one_color.is_empty() || !has_drops).collect()
    }

    fn draw(&self, index: usize, table: &EndDraw) -> DrawRule {
        let key = format!("end.draw[{index}]");
        if table.side.is_none() {
            self.faults.note(format!("{key}.side"), DefinitionFault::Missing);
        }
        let one_color = table.one_color.as_deref().unwrap_or("");
        let side = table.side.as_deref().or(Some(""));
        let other = table.other.as_deref();
        DrawRule {
            material: self.material(&key, side, other, [&table.has, &table.none]),
            one_color: self.kind_set(&format!("{key}.one_color"), one_color),
            moves: table.moves.unwrap_or(0),
            per_piece: table.per_piece.unwrap_or(0),
        }
    }

    /// The pieces of two sides, from the keys `side`, `other`, `has` and `none`.
    fn material(
        &self,
        key: &str,
        side: Option<&str>,
        other: Option<&str>,
        [has, none]: [&Option<String>; 2],
    ) -> Material {
        let numbers = |name: &str, text: &str| self.numbers(&format!("{key}.{name}"), text);
        Material {
            side: side.map(|text| numbers("side", text)),
            other: other.map(|text| numbers("other", text)),
            has: numbers("has", has.as_deref().unwrap_or("")),
            none: self.kind_set(&format!("{key}.none"), none.as_deref().unwrap_or("")),
        }
    }

    /// How often a text names each piece type.
    fn numbers(&self, key: &str, text: &str) -> Vec<u8> {
        let mut numbers = vec![0u8; self.tables.len()];
        for kind in self.kinds(key, text) {
            numbers[kind.index()] = numbers[kind.index()].saturating_add(1);
        }
        numbers
    }

    /// The counts of a player who has little left.
    pub(super) fn counts(&self, sides: &PerColor<SideRules>) -> Vec<CountRule> {
        let table = self.definition.end.as_ref().and_then(|end| end.count.as_ref());
        let counts = table.iter().flat_map(|counts| counts.iter().enumerate());
        let counts: Vec<_> = counts.map(|(index, table)| self.count(index, table)).collect();
        if !counts.is_empty() && sides.0.iter().any(SideRules::has_legs) {
            self.faults.note("end.count", "cannot stand beside moves of two legs ('a')");
        }
        counts
    }

    fn count(&self, index: usize, table: &EndCount) -> CountRule {
        let key = format!("end.count[{index}]");
        if table.moves.is_none() {
            self.faults.note(format!("{key}.moves"), DefinitionFault::Missing);
        }
        if table.moves == Some(0) && (table.anew.is_some() || table.per_piece.is_some()) {
            let fault = "where 'moves' is 0 nobody counts, so leave out 'anew' and 'per_piece'";
            self.faults.note(&key, fault);
        }
        CountRule {
            material: self.material(&key, table.side.as_deref(), None, [&table.has, &table.none]),
            pieces: table.pieces.map(u32::from),
            limit: table.moves.unwrap_or(0),
            per_piece: table.per_piece.unwrap_or(0),
            anew: table.anew.unwrap_or(false),
        }
    }

    /// When a player may declare the game won.
    pub(super) fn declaration(&self) -> Option<DeclareRule> {
        let table = self.definition.end.as_ref().and_then(|end| end.declare.as_ref())?;
        let white = table.white.unwrap_or(0);
        if white == 0 {
            return None;
        }
        if !self.has_royal() {
            self.faults.note("end.declare", "needs a royal piece");
        }
        if table.zone.is_none() {
            self.faults.note("end.declare.zone", DefinitionFault::Missing);
        }
        let zone = self.region("end.declare.zone", table.zone.as_deref().unwrap_or("all"));
        let points = [white, table.black.unwrap_or(white)].map(u32::from);
        Some(DeclareRule {
            zone: PerColor::from_fn(|color| self.own(color, zone)),
            pieces: u32::from(table.pieces.unwrap_or(0)),
            points: PerColor(points),
        })
    }

    /// The further ways in which the game ends.
    pub(super) fn special_ends(&self) -> Vec<SpecialEnd> {
        let table = self.definition.end.as_ref().and_then(|end| end.when.as_ref());
        let whens = table.iter().flat_map(|whens| whens.iter().enumerate());
        whens.map(|(index, table)| self.special_end(index, table)).collect()
    }

    fn special_end(&self, index: usize, table: &EndWhen) -> SpecialEnd {
        let key = format!("end.when[{index}]");
        self.check_special_end(&key, table);
        let kinds = |name: &str, text: &str| -> PieceTypeSet {
            self.kind_set(&format!("{key}.{name}"), text)
        };
        let squares =
            table.reaches.as_ref().map(|text| self.region(&format!("{key}.reaches"), text));
        let moving = table.pieces.as_ref().map(|text| kinds("pieces", text));
        let condition = match &table.lacks {
            Some(text) => EndCondition::Lacks {
                kinds: kinds("lacks", text),
                count: u32::from(table.count.unwrap_or(0)),
                both: table.both.unwrap_or(false),
                enemy: u32::from(table.enemy.unwrap_or(0)),
            },
            None => EndCondition::Reaches {
                squares: PerColor::from_fn(|color| {
                    self.own(color, squares.unwrap_or(Bitboard::EMPTY))
                }),
                kinds: moving
                    .unwrap_or_else(|| (0..self.tables.len() as u8).map(PieceType::new).collect()),
                safe: table.safe.unwrap_or(false),
                answer: match (table.answer, table.kept) {
                    (_, Some(true)) => GoalAnswer::Other,
                    (Some(true), _) => GoalAnswer::Black,
                    _ => GoalAnswer::Nobody,
                },
            },
        };
        SpecialEnd { condition, result: table.result.unwrap_or(EndResult::Draw) }
    }

    /// Notes keys of a special end that are missing or do not belong together.
    fn check_special_end(&self, key: &str, table: &EndWhen) {
        if table.lacks.is_some() == table.reaches.is_some() {
            self.faults.note(key, "expected is either 'lacks' or 'reaches'");
        }
        if table.enemy.is_some() && table.both == Some(true) {
            self.faults.note(format!("{key}.enemy"), "cannot stand beside 'both'");
        }
        let of_losses = [
            ("count", table.count.is_some()),
            ("both", table.both.is_some()),
            ("enemy", table.enemy.is_some()),
        ];
        for (name, is_given) in of_losses {
            if is_given && table.lacks.is_none() {
                self.faults.note(format!("{key}.{name}"), "belongs to 'lacks', which is missing");
            }
        }
        let of_goals = [
            ("pieces", table.pieces.is_some()),
            ("safe", table.safe.is_some()),
            ("answer", table.answer.is_some()),
            ("kept", table.kept.is_some()),
        ];
        for (name, is_given) in of_goals {
            if is_given && table.reaches.is_none() {
                self.faults.note(format!("{key}.{name}"), "belongs to 'reaches', which is missing");
            }
        }
        if table.kept == Some(true) && table.answer == Some(true) {
            self.faults.note(format!("{key}.kept"), "cannot stand beside 'answer'");
        }
        if table.result.is_none() {
            self.faults.note(format!("{key}.result"), DefinitionFault::Missing);
        }
    }
}

/// Which rules can end the game on the board.
pub(super) fn board_ends(
    end: &EndRule,
    royalty: Option<&Royalty>,
    special_ends: &[SpecialEnd],
) -> BoardEnds {
    let several_royals = royalty.is_some_and(|royalty| royalty.pieces.len() > 1);
    let captured = royalty.is_some_and(|royalty| royalty.can_fall);
    let others = end.passes.is_some() || end.facing || end.checks.is_some();
    if !special_ends.is_empty() || others || several_royals || captured && end.bare_king {
        BoardEnds::Several
    } else if captured {
        BoardEnds::KingCapture
    } else if end.bare_king {
        BoardEnds::BareKing
    } else {
        BoardEnds::None
    }
}
