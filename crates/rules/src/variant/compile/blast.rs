//! Explosions.

use super::Compiler;
use crate::types::PieceTypeSet;
use crate::variant::blast::Blast;
use crate::variant::definition::BlastTable;
use crate::variant::{DefinitionFault, Royalty, RoyaltyKind};

/// The farthest that an explosion may reach.
const MAX_RADIUS: u8 = 7;

impl Compiler<'_> {
    /// The explosion that a capture sets off.
    pub(super) fn blast(&self, table: &BlastTable, royalty: Option<&Royalty>) -> Option<Blast> {
        let kinds = |name: &str, text: &Option<String>| -> PieceTypeSet {
            let text = text.as_deref().unwrap_or("");
            self.kind_set(&format!("blast.{name}"), text)
        };
        let (spares, immune) = (kinds("spares", &table.spares), kinds("immune", &table.immune));
        if royalty.is_some_and(|royalty| royalty.kind == RoyaltyKind::Last) {
            self.faults.note("blast", "needs 'absolute' or 'captured' as royalty.kind");
        }
        if royalty.is_some_and(|royalty| royalty.several) {
            let fault =
                "where royals must be kept safe, a side may have only one: needs 'limit = 1'";
            self.faults.note("blast", fault);
        }
        let Some(radius) = table.radius else {
            self.faults.note("blast.radius", DefinitionFault::Missing);
            return None;
        };
        if radius > MAX_RADIUS {
            let fault = format!("expected are 0 to {MAX_RADIUS} squares");
            self.faults.note("blast.radius", fault);
        }
        Some(Blast::new(&self.geometry, radius.min(MAX_RADIUS), spares, immune))
    }
}
