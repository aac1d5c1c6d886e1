//! What is the same for both sides of a piece type.

use super::{Compiler, captured};
use crate::betza;
use crate::types::PieceType;
use crate::variant::definition::PieceTable;
use crate::variant::{Capture, GainSlots, PieceInfo};

/// The highest value of a piece, in centipawns, so that no sum of pieces exceeds the scores of an engine.
const MAX_VALUE: i32 = 5000;

impl Compiler<'_> {
    pub(super) fn pieces(&self) -> Vec<PieceInfo> {
        self.tables.iter().enumerate().map(|(index, table)| self.piece(index, table)).collect()
    }

    fn piece(&self, index: usize, table: &PieceTable) -> PieceInfo {
        let letter = self.letters[index];
        let key = format!("pieces.{letter}");
        let kind = PieceType::new(index as u8);
        let in_hand = table
            .in_hand
            .as_ref()
            .filter(|text| !text.is_empty())
            .and_then(|text| self.kind(&format!("{key}.in_hand"), text))
            .unwrap_or(kind);
        let captured = captured(self.definition, table);
        let has_other = table.in_hand.as_deref().is_some_and(|text| !text.is_empty());
        if has_other && captured == Capture::Removed {
            let fault = "captured pieces do not go to a hand; set 'captures' or 'captured'";
            self.faults.note(format!("{key}.in_hand"), fault);
        }
        if has_other && captured != Capture::Removed && self.slot(in_hand).is_none() {
            let fault = format!("{} is not in 'hand'", self.letters[in_hand.index()]);
            self.faults.note(format!("{key}.in_hand"), fault);
        }
        if table.value.is_some_and(|value| !(0..=MAX_VALUE).contains(&value)) {
            let fault = format!("expected is a value from 0 to {MAX_VALUE} hundredths of a pawn");
            self.faults.note(format!("{key}.value"), fault);
        }
        let reserve_key = format!("{key}.reserve");
        let reserve = self.kinds(&reserve_key, table.reserve.as_deref().unwrap_or(""));
        if !reserve.is_empty() && (table.betza.is_some() || self.slot(kind).is_none()) {
            let fault = "a reserve exists in hand only: it stands in 'hand' and has no 'betza'";
            self.faults.note(reserve_key, fault);
        }
        PieceInfo {
            letter,
            name: table.name.clone().unwrap_or_else(|| letter.to_string()),
            promoted_name: table.promoted_name.clone(),
            betza: table.betza.clone().unwrap_or_default(),
            value: table.value.unwrap_or_else(|| self.estimate(table)),
            reserve: reserve.into_iter().collect(),
            zeroing: table.zeroing.unwrap_or(false),
            points: u32::from(table.points.unwrap_or(1)),
            slot: self.slot(kind),
            captured_slot: (captured != Capture::Removed).then(|| self.slot(in_hand)).flatten(),
            returns: captured == Capture::Owner,
            gains: self.gains(&key, table),
            double_step: table.double_step.as_ref().map(|d| d.en_passant.unwrap_or(false)),
        }
    }

    fn gains(&self, key: &str, table: &PieceTable) -> Vec<GainSlots> {
        let key = format!("{key}.gains");
        let slots = |text: &Option<String>| {
            let kinds = self.kinds(&key, text.as_deref().unwrap_or(""));
            let slots = kinds.into_iter().map(|kind| {
                let slot = self.slot(kind);
                if slot.is_none() {
                    let letter = self.letters[kind.index()];
                    self.faults.note(&key, format!("{letter} cannot be in hand; add it to 'hand'"));
                }
                slot
            });
            slots.flatten().collect()
        };
        let gains = table.gains.as_deref().unwrap_or_default();
        if !gains.is_empty() && table.limit.map(usize::from) != Some(gains.len()) {
            let fault = format!("needs 'limit = {}': one gain for each that can fall", gains.len());
            self.faults.note(&key, fault);
        }
        gains
            .iter()
            .map(|gain| GainSlots { capturer: slots(&gain.capturer), owner: slots(&gain.owner) })
            .collect()
    }

    /// The value, in centipawns, of a piece type whose definition gives none: by the average number of its moves on an
    /// empty board. A knight is worth 3 pawns, a rook 5.
    fn estimate(&self, table: &PieceTable) -> i32 {
        let steps = table.betza.as_ref().and_then(|text| betza::parse(text).ok());
        let squares = self.geometry.squares();
        let mut worth = 0;
        for step in steps.iter().flatten() {
            let weight = match (step.quiet && step.capture, step.range) {
                (true, 1) => 60,
                (true, _) => 36,
                (false, 1) => 30,
                (false, _) => 18,
            };
            for from in squares {
                let reach = self.geometry.walk(from, step.dx, step.dy);
                worth += weight * reach.take(usize::from(step.range)).count() as i32;
            }
        }
        (worth / squares.len().max(1) as i32).max(50)
    }
}
