//! Royals, the setup phase, and how the game ends.

use super::Compiler;
use crate::rules::bitboard::Bitboard;
use crate::rules::types::{Color, PerColor, Rank};
use crate::rules::variant::definition::{EndWhen, RoyaltyTable, SetupTable};
use crate::rules::variant::{
    EndResult, EndRule, NoMoves, Repeated, Royalty, RoyaltyKind, SetupRule, When,
};

impl Compiler<'_> {
    pub(super) fn royalty(&self, table: &RoyaltyTable) -> Option<Royalty> {
        let Some(men) = &table.man else {
            self.faults.note("royalty.man", "is missing");
            return None;
        };
        let men = self.kinds("royalty.man", men);
        if men.is_empty() && table.man.as_deref() == Some("") {
            self.faults.note("royalty.man", "expected is a man's letter, or several");
        }
        let kind = table.kind.unwrap_or(RoyaltyKind::Absolute);
        let late = table.late.as_ref();
        Some(Royalty {
            man: *men.first()?,
            men: men.into_iter().collect(),
            kind,
            late: late.and_then(|text| self.kind("royalty.late", text)),
            facing: table.facing.unwrap_or(false),
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
        if table.bare_king == Some(true) && self.definition.royalty.is_none() {
            self.faults.note("end.bare_king", "needs a royal man");
        }
        if table.moves == Some(0) {
            self.faults.note("end.moves", "expected is at least 1 ply");
        }
        if table.facing == Some(true) && self.definition.royalty.is_none() {
            self.faults.note("end.facing", "needs a royal man");
        }
        if table.passes.is_some() && self.definition.pass != Some(true) {
            self.faults.note("end.passes", "needs 'pass = true'");
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
            passes: table.passes,
            bonus: u32::from(table.bonus.unwrap_or(0)),
            facing: table.facing.unwrap_or(false),
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
        let all =
            || (0..self.tables.len() as u8).map(crate::rules::types::PieceKind::new).collect();
        if table.lacks.is_some() == table.reaches.is_some() {
            self.faults.note(&key, "expected is either 'lacks' or 'reaches'");
        }
        for (name, is_given) in [("count", table.count.is_some()), ("both", table.both.is_some())] {
            if is_given && table.lacks.is_none() {
                self.faults.note(format!("{key}.{name}"), "belongs to 'lacks', which is missing");
            }
        }
        if table.men.is_some() && table.reaches.is_none() {
            self.faults.note(format!("{key}.men"), "belongs to 'reaches', which is missing");
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
            result: table.result.unwrap_or(EndResult::Draw),
        }
    }
}
