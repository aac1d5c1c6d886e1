//! Strong pieces that are not exchanged.

use super::Compiler;
use crate::types::PieceTypeSet;
use crate::variant::definition::{PieceTable, TradeTable};
use crate::variant::{DefinitionFault, Trade};

impl Compiler<'_> {
    /// The rule about pieces that are not exchanged.
    pub(super) fn trade(&self, table: &TradeTable) -> Option<Trade> {
        let Some(letters) = &table.pieces else {
            self.faults.note("trade.pieces", DefinitionFault::Missing);
            return None;
        };
        let kinds = self.kind_set("trade.pieces", letters);
        let cheap = table.cheap.as_deref().unwrap_or("");
        let cheap = self.kind_set("trade.cheap", cheap);
        if cheap.meets(kinds) {
            self.faults.note("trade.cheap", "a piece that is not exchanged is not cheap");
        }
        let definition = self.definition;
        let passes = |table: &PieceTable| {
            table.double_step.as_ref().is_some_and(|double| double.en_passant == Some(true))
        };
        let beside = [
            // A FEN has one field for both.
            (self.tables.iter().any(|table| passes(table)), "en passant"),
            (definition.blast.is_some(), "'blast'"),
            (definition.must_capture == Some(true), "'must_capture'"),
        ];
        for (_, rule) in beside.iter().filter(|(is_used, _)| *is_used) {
            self.faults.note("trade", format!("cannot stand beside {rule}"));
        }
        Some(Trade { kinds, cheap })
    }

    /// Refuses a royal that is not exchanged: what it attacks would depend on what protects what.
    pub(super) fn check_trade(&self, trade: &Trade, royals: PieceTypeSet) {
        if trade.kinds.meets(royals) {
            self.faults.note("trade.pieces", "a royal piece cannot be among them");
        }
    }
}
