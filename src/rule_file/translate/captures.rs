//! Captures that explode, and squares that are blocked in play.

use garrison_rules::Color;
use garrison_rules::definition::tables::{
    BlastTable, EachMove, PieceTable, RoyaltyKind, StonesTable,
};

use super::Draft;
use super::forms::{Form, by_side};

impl Draft<'_> {
    /// What captures do beside capturing, and what moves do with walls.
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
        self.stones();
    }

    /// What moves do with walls. A royal may not be bound by them.
    fn stones(&mut self) {
        let rule = self.rules.text("wallingRule");
        let each_move = match rule.as_str() {
            "none" => return,
            "past" => EachMove::Leaves,
            "static" => EachMove::Places,
            "duck" => EachMove::Moves,
            "arrow" => EachMove::Shoots,
            _ => return self.leave("wallingRule"),
        };
        let royalty = self.definition.royalty.as_ref();
        let is_guarded = royalty.is_some_and(|royalty| royalty.kind != Some(RoyaltyKind::Captured));
        let castles = self.definition.castling.as_ref().is_some_and(|castles| !castles.is_empty());
        if is_guarded || each_move == EachMove::Leaves && castles {
            return self.leave("wallingRule");
        }
        let area =
            |color| self.rules.area(by_side(color, ["wallingRegionWhite", "wallingRegionBlack"]));
        let [white, black] = Color::ALL.map(area);
        if white != black {
            self.leave("wallingRegionBlack");
        }
        let chosen = each_move != EachMove::Leaves && white != self.board.all();
        self.definition.stones = Some(StonesTable {
            each_move: Some(each_move),
            squares: chosen.then(|| self.board.written(&white)),
        });
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
