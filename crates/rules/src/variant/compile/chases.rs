//! Which threats are chases.

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::types::{Color, PerColor, PieceType, PieceTypeSet};
use crate::variant::definition::{ChaseTable, ChasedThough, Unchased};
use crate::variant::{ChaseRule, DefinitionFault};

impl Compiler<'_> {
    /// The rule about perpetual chases, if the game has it.
    pub(super) fn chase(&self) -> Option<ChaseRule> {
        let end = self.definition.end.as_ref()?;
        let is_on = match end.perpetual_chase {
            Some(is_on) => is_on,
            None => {
                let fault = "needs 'perpetual_chase = true'";
                end.chase.iter().for_each(|_| self.faults.note("end.chase", fault));
                end.chase.is_some()
            }
        };
        // What is switched off may speak of pieces that only the base has.
        let rule = is_on.then(|| self.chase_rule(&end.chase.clone().unwrap_or_default()))?;
        if self.definition.blast.is_some() {
            self.faults.note("end.perpetual_chase", "cannot stand beside 'blast'");
        }
        Some(rule)
    }

    fn chase_rule(&self, table: &ChaseTable) -> ChaseRule {
        let never = self.kind_set("end.chase.never_by", table.never_by.as_deref().unwrap_or(""));
        let kinds = || (0..self.tables.len() as u8).map(PieceType::new);
        let chasers: PieceTypeSet = kinds().filter(|&kind| !never.contains(kind)).collect();
        if chasers.is_empty() {
            self.faults.note("end.chase.never_by", "no piece is left that chases");
        }
        let mut spared = PerColor::from_fn(|_| vec![Bitboard::EMPTY; self.tables.len()]);
        for (index, unchased) in table.never_of.iter().flatten().enumerate() {
            self.spare(&format!("end.chase.never_of[{index}]"), unchased, &mut spared);
        }
        let mut even_protected = vec![PieceTypeSet::EMPTY; self.tables.len()];
        for (index, though) in table.even_protected.iter().flatten().enumerate() {
            let key = format!("end.chase.even_protected[{index}]");
            let (by, of) = self.chased_though(&key, though);
            by.for_each(|kind| {
                let all = &mut even_protected[kind.index()];
                *all = all.chain(of).collect();
            });
        }
        ChaseRule { chasers, spared, even_protected }
    }

    /// Adds the squares on which pieces are never chased.
    fn spare(&self, key: &str, table: &Unchased, spared: &mut PerColor<Vec<Bitboard>>) {
        let kinds = self.needed_set(&format!("{key}.pieces"), table.pieces.as_deref());
        let all = self.geometry.squares();
        let on = self.region_or(&format!("{key}.on"), &table.on, all);
        for color in Color::ALL {
            kinds.for_each(|kind| spared[color][kind.index()] |= self.own(color, on));
        }
    }

    /// The pieces that chase, and those that they chase even where these are protected.
    fn chased_though(&self, key: &str, table: &ChasedThough) -> (PieceTypeSet, PieceTypeSet) {
        let by = self.needed_set(&format!("{key}.by"), table.by.as_deref());
        (by, self.needed_set(&format!("{key}.of"), table.of.as_deref()))
    }

    /// The piece types of a row of letters that may not be left out.
    fn needed_set(&self, key: &str, text: Option<&str>) -> PieceTypeSet {
        if text.is_none() {
            self.faults.note(key, DefinitionFault::Missing);
        }
        self.kind_set(key, text.unwrap_or(""))
    }
}
