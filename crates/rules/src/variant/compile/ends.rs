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
    /// Whether a piece is said to be royal.
    pub(super) fn has_royal(&self) -> bool {
        self.definition.royalty.as_ref().is_some_and(|table| table.piece.as_deref() != Some(""))
    }

    /// The royals; an empty text takes away those of a base.
    pub(super) fn royalty(&self, table: &RoyaltyTable) -> Option<Royalty> {
        let Some(pieces) = &table.piece else {
            self.faults.note("royalty.piece", "is missing");
            return None;
        };
        let pieces = self.kinds("royalty.piece", pieces);
        let kind = table.kind.unwrap_or(RoyaltyKind::Absolute);
        let late = table.late.as_ref();
        Some(Royalty {
            piece: *pieces.first()?,
            pieces: pieces.into_iter().collect(),
            kind,
            late: late
                .filter(|text| !text.is_empty())
                .and_then(|text| self.kind("royalty.late", text)),
            facing: table.facing.unwrap_or(false),
            checking: table.checking.unwrap_or(true),
        })
    }

    pub(super) fn setup(&self, table: &SetupTable) -> Option<SetupRule> {
        let pieces = self.kinds("setup.pieces", table.pieces.as_deref().unwrap_or(""));
        if pieces.is_empty() && table.pieces.as_deref().unwrap_or("").is_empty() {
            self.faults
                .note("setup.pieces", "expected are the letters of the pieces to be rearranged");
        }
        let rank = table.rank.unwrap_or(0);
        if !(1..=self.geometry.ranks()).contains(&rank) {
            self.faults.note("setup.rank", format!("there is no rank {rank}"));
            return None;
        }
        let squares = self.geometry.rank_squares(Rank(rank - 1));
        Some(SetupRule {
            pieces: pieces.into_iter().collect(),
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
            self.faults.note("end.bare_king", "needs a royal piece");
        }
        if table.moves == Some(0) {
            self.faults.note("end.moves", "expected is at least 1 ply");
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

    /// The draws by few pieces.
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
        let pieces = |name: &str, text: &Option<String>| {
            let mut pieces = vec![0u8; self.tables.len()];
            for kind in self.kinds(&format!("{key}.{name}"), text.as_deref().unwrap_or("")) {
                pieces[kind.index()] = pieces[kind.index()].saturating_add(1);
            }
            pieces
        };
        let none = self.kinds(&format!("{key}.none"), table.none.as_deref().unwrap_or(""));
        DrawRule {
            side: pieces("side", &table.side),
            other: table.other.as_ref().map(|_| pieces("other", &table.other)),
            has: pieces("has", &table.has),
            none: none.into_iter().collect(),
            moves: table.moves.unwrap_or(0),
            per_piece: table.per_piece.unwrap_or(0),
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
        let all = || (0..self.tables.len() as u8).map(crate::types::PieceType::new).collect();
        if table.lacks.is_some() == table.reaches.is_some() {
            self.faults.note(&key, "expected is either 'lacks' or 'reaches'");
        }
        for (name, is_given) in [("count", table.count.is_some()), ("both", table.both.is_some())] {
            if is_given && table.lacks.is_none() {
                self.faults.note(format!("{key}.{name}"), "belongs to 'lacks', which is missing");
            }
        }
        let of_goals = [
            ("pieces", table.pieces.is_some()),
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
        let pieces = table.pieces.as_ref().map(|text| self.kinds(&format!("{key}.pieces"), text));
        let lacks = table.lacks.as_ref().map(|text| self.kinds(&format!("{key}.lacks"), text));
        When {
            lacks: lacks.map(|kinds| kinds.into_iter().collect()),
            count: u32::from(table.count.unwrap_or(0)),
            both: table.both.unwrap_or(false),
            reaches: PerColor::from_fn(|color: Color| {
                self.own(color, reaches.unwrap_or(Bitboard::EMPTY))
            }),
            pieces: pieces.map_or_else(all, |kinds| kinds.into_iter().collect()),
            safe: table.safe.unwrap_or(false),
            answer: table.answer.unwrap_or(false),
            result: table.result.unwrap_or(EndResult::Draw),
        }
    }
}

impl DrawRule {
    /// The most pieces on the board with which it is possible.
    pub(super) fn most_pieces(&self) -> u32 {
        let sum = |pieces: &[u8]| pieces.iter().map(|&count| u32::from(count)).sum::<u32>();
        match &self.other {
            Some(other) => sum(&self.side) + sum(other),
            None => MAX_SQUARES as u32,
        }
    }
}
