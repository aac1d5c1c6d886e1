//! Royals, the setup phase, and how the game ends.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::types::{Color, MAX_SQUARES, PerColor, Rank};
use crate::variant::definition::{EndDraw, EndWhen, RoyaltyTable, SetupTable};
use crate::variant::rights::MAX_CHECKS;
use crate::variant::{
    DrawRule, EndResult, EndRule, NoMoves, Repeated, Royalty, RoyaltyKind, SetupRule, When,
};

impl Compiler<'_> {
    /// Whether a man is said to be royal.
    pub(super) fn has_royal(&self) -> bool {
        self.definition.royalty.as_ref().is_some_and(|table| table.man.as_deref() != Some(""))
    }

    /// The royals; an empty text takes away those of a base.
    pub(super) fn royalty(&self, table: &RoyaltyTable) -> Option<Royalty> {
        let Some(men) = &table.man else {
            self.faults.note("royalty.man", "is missing");
            return None;
        };
        let men = self.kinds("royalty.man", men);
        let kind = table.kind.unwrap_or(RoyaltyKind::Absolute);
        let late = table.late.as_ref();
        Some(Royalty {
            man: *men.first()?,
            men: men.into_iter().collect(),
            kind,
            late: late
                .filter(|text| !text.is_empty())
                .and_then(|text| self.kind("royalty.late", text)),
            facing: table.facing.unwrap_or(false),
            checking: table.checking.unwrap_or(true),
        })
    }

    pub(super) fn setup(&self, table: &SetupTable) -> Option<SetupRule> {
        let men = self.kinds("setup.men", table.men.as_deref().unwrap_or(""));
        if men.is_empty() && table.men.as_deref().unwrap_or("").is_empty() {
            self.faults.note("setup.men", "expected are the letters of the men to be rearranged");
        }
        let rank = table.rank.unwrap_or(0);
        if !(1..=self.geometry.ranks()).contains(&rank) {
            self.faults.note("setup.rank", format!("there is no rank {rank}"));
            return None;
        }
        let squares = self.geometry.rank_squares(Rank(rank - 1));
        Some(SetupRule {
            men: men.into_iter().collect(),
            squares: PerColor::from_fn(|color| self.own(color, squares)),
        })
    }

    pub(super) fn end(&self) -> EndRule {
        let table = self.definition.end.clone().unwrap_or_default();
        let repetition = table.repetition.unwrap_or(3);
        if repetition < 2 {
            self.faults.note("end.repetition", "expected are 2 or more occurrences");
        }
        if table.bare_king == Some(true) && !self.has_royal() {
            self.faults.note("end.bare_king", "needs a royal man");
        }
        if table.moves == Some(0) {
            self.faults.note("end.moves", "expected is at least 1 ply");
        }
        if table.facing == Some(true) && !self.has_royal() {
            self.faults.note("end.facing", "needs a royal man");
        }
        if table.passes.is_some() && self.definition.pass != Some(true) {
            self.faults.note("end.passes", "needs 'pass = true'");
        }
        if table.checks.is_some() && !self.has_royal() {
            self.faults.note("end.checks", "needs a royal man");
        }
        if table.checks.is_some() && self.definition.setup.is_some() {
            self.faults.note("end.checks", "cannot stand beside a setup phase");
        }
        if table.checks.is_some_and(|checks| !(1..=MAX_CHECKS).contains(&checks)) {
            self.faults.note("end.checks", format!("expected are 1 to {MAX_CHECKS} checks"));
        }
        if table.passes == Some(0) {
            self.faults.note("end.passes", "expected is at least 1 pass");
        }
        EndRule {
            no_moves: table.no_moves.unwrap_or(NoMoves::Draw),
            bare_king: table.bare_king.unwrap_or(false),
            repetition: u32::from(repetition),
            repeated: table.repeated.unwrap_or(Repeated::Draw),
            perpetual_check: table.perpetual_check.unwrap_or(false),
            impasse: table.impasse,
            moves: table.moves,
            claim: table.claim.unwrap_or(false),
            passes: table.passes,
            bonus: u32::from(table.bonus.unwrap_or(0)),
            facing: table.facing.unwrap_or(false),
            checks: table.checks.map(|checks| checks.clamp(1, MAX_CHECKS)),
        }
    }

    /// The draws by few men.
    pub(super) fn draws(&self) -> Vec<DrawRule> {
        let table = self.definition.end.as_ref().and_then(|end| end.draw.as_ref());
        let draws = table.iter().flat_map(|draws| draws.iter().enumerate());
        draws.map(|(index, table)| self.draw(index, table)).collect()
    }

    fn draw(&self, index: usize, table: &EndDraw) -> DrawRule {
        let key = format!("end.draw[{index}]");
        if table.side.is_none() {
            self.faults.note(format!("{key}.side"), "is missing");
        }
        let men = |name: &str, text: &Option<String>| {
            let mut men = vec![0u8; self.tables.len()];
            for kind in self.kinds(&format!("{key}.{name}"), text.as_deref().unwrap_or("")) {
                men[kind.index()] = men[kind.index()].saturating_add(1);
            }
            men
        };
        let none = self.kinds(&format!("{key}.none"), table.none.as_deref().unwrap_or(""));
        DrawRule {
            side: men("side", &table.side),
            other: table.other.as_ref().map(|_| men("other", &table.other)),
            has: men("has", &table.has),
            none: none.into_iter().collect(),
            moves: table.moves.unwrap_or(0),
            per_man: table.per_man.unwrap_or(0),
        }
    }

    pub(super) fn whens(&self) -> Vec<When> {
        let table = self.definition.end.as_ref().and_then(|end| end.when.as_ref());
        table
            .iter()
            .flat_map(|whens| whens.iter().enumerate())
            .map(|(i, w)| self.when(i, w))
            .collect()
    }

    fn when(&self, index: usize, table: &EndWhen) -> When {
        let key = format!("end.when[{index}]");
        let all = || (0..self.tables.len() as u8).map(crate::types::PieceKind::new).collect();
        if table.lacks.is_some() == table.reaches.is_some() {
            self.faults.note(&key, "expected is either 'lacks' or 'reaches'");
        }
        for (name, is_given) in [("count", table.count.is_some()), ("both", table.both.is_some())] {
            if is_given && table.lacks.is_none() {
                self.faults.note(format!("{key}.{name}"), "belongs to 'lacks', which is missing");
            }
        }
        let of_goals = [
            ("men", table.men.is_some()),
            ("safe", table.safe.is_some()),
            ("answer", table.answer.is_some()),
        ];
        for (name, is_given) in of_goals {
            if is_given && table.reaches.is_none() {
                self.faults.note(format!("{key}.{name}"), "belongs to 'reaches', which is missing");
            }
        }
        if table.result.is_none() {
            self.faults.note(format!("{key}.result"), "is missing");
        }
        let reaches = table.reaches.as_ref();
        let reaches = reaches.map(|text| self.region(&format!("{key}.reaches"), text));
        let men = table.men.as_ref().map(|text| self.kinds(&format!("{key}.men"), text));
        let lacks = table.lacks.as_ref().map(|text| self.kinds(&format!("{key}.lacks"), text));
        When {
            lacks: lacks.map(|kinds| kinds.into_iter().collect()),
            count: u32::from(table.count.unwrap_or(0)),
            both: table.both.unwrap_or(false),
            reaches: PerColor::from_fn(|color: Color| {
                self.own(color, reaches.unwrap_or(Bitboard::EMPTY))
            }),
            men: men.map_or_else(all, |kinds| kinds.into_iter().collect()),
            safe: table.safe.unwrap_or(false),
            answer: table.answer.unwrap_or(false),
            result: table.result.unwrap_or(EndResult::Draw),
        }
    }
}

impl DrawRule {
    /// The most men on the board with which it is possible.
    pub(super) fn most_men(&self) -> u32 {
        let sum = |men: &[u8]| men.iter().map(|&count| u32::from(count)).sum::<u32>();
        match &self.other {
            Some(other) => sum(&self.side) + sum(other),
            None => MAX_SQUARES as u32,
        }
    }
}
