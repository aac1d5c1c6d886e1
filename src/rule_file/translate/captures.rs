//! Captures that explode, and squares that are blocked in play.

use garrison_rules::definition::tables::{BlastTable, PieceTable};

use super::Draft;
use super::forms::Form;

impl Draft<'_> {
    /// What captures do beside capturing, and the walls that need no choice.
    pub(super) fn captures(&mut self) {
        if self.rules.flag("blastOnCapture") {
            let immune = self.forms.letters(&self.rules.kinds("blastImmuneTypes"));
            self.definition.blast = Some(BlastTable {
                radius: Some(1),
                // Pawns are removed only where they capture or are captured.
                spares: Some(self.forms.letters(&["pawn"])),
                immune: Some(immune).filter(|letters| !letters.is_empty()),
            });
        }
        let is_bound = self.definition.royalty.is_some() || self.definition.castling.is_some();
        match self.rules.text("wallingRule").as_str() {
            "none" => {}
            "past" if !is_bound => self.definition.leaves_stones = Some(true),
            _ => self.leave("wallingRule"),
        }
    }

    /// What a piece of this form cannot capture, and what becomes of it when it captures.
    pub(super) fn own_captures(&self, form: &Form, table: &mut PieceTable) {
        if self.rules.kinds("mutuallyImmuneTypes").contains(&form.kind) {
            table.spares = Some(self.forms.letters(&[form.kind]));
        }
        if self.rules.kinds("petrifyOnCaptureTypes").contains(&form.kind) {
            table.on_capture = Some("stone".to_string());
        }
    }
}
