//! How a piece type of one side moves.

use super::Compiler;
use crate::betza::{self, Legs, Step, Way};
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceTypeSet, Square};
use crate::variant::DefinitionFault;
use crate::variant::definition::PieceTable;
use crate::variant::moves::{OnCapture, PieceMoves, RegionalSteps};

impl Compiler<'_> {
    /// Reads the moves of one leg, and those of two; none if the text is missing.
    fn betza(&self, key: &str, text: &Option<String>) -> (Vec<Step>, Vec<Legs>) {
        let Some(text) = text else { return (Vec::new(), Vec::new()) };
        betza::parse_all(text).unwrap_or_else(|fault| {
            self.faults.note(key, fault);
            (Vec::new(), Vec::new())
        })
    }

    /// How a piece type moves within `region`, and never to squares of `never`.
    pub(super) fn moves(
        &self,
        color: Color,
        key: &str,
        table: &PieceTable,
        region: Bitboard,
        never: Bitboard,
    ) -> PieceMoves {
        let all = self.geometry.squares();
        let letter = key.strip_prefix("pieces.").unwrap_or(key);
        let captures = !self.cannot_capture(letter, table);
        let made = |steps: &[Step], legs: &[Legs], from, to| RegionalSteps {
            legs: if captures { self.seen_by_black().turned_legs(color, legs) } else { Vec::new() },
            steps: self
                .own_steps(color, steps)
                .into_iter()
                .map(|step| Step { capture: step.capture && captures, ..step })
                .collect(),
            from: self.own(color, from),
            to: self.own(color, to),
        };
        let (steps, legs) = self.betza(&format!("{key}.betza"), &table.betza);
        let mut moves = vec![made(&steps, &legs, all, region)];
        for (index, extra) in table.extra.iter().flatten().enumerate() {
            let key = format!("{key}.extra[{index}]");
            if extra.betza.is_none() {
                self.faults.note(format!("{key}.betza"), DefinitionFault::Missing);
            }
            let from = self.region_or(&format!("{key}.from"), &extra.from, all);
            let to = self.region_or(&format!("{key}.to"), &extra.to, all) & region;
            let (steps, legs) = self.betza(&format!("{key}.betza"), &extra.betza);
            moves.push(made(&steps, &legs, from, to));
        }
        let mut tables = PieceMoves::new(&self.geometry, &moves);
        if let Some(first) = table.first.clone().filter(|text| !text.is_empty()) {
            let moves = self.quiet_moves(color, &format!("{key}.first"), first, region);
            tables.irregular_mut().first = Some(Box::new(moves));
        }
        self.check_legs(key, table, &tables);
        self.add_doubles(color, key, table, never | (all & !region), &mut tables);
        self.add_irregular(key, table, &mut tables);
        tables
    }

    /// The moves of a text, all without capture, within `region`.
    pub(super) fn quiet_moves(
        &self,
        color: Color,
        key: &str,
        text: String,
        region: Bitboard,
    ) -> PieceMoves {
        let (steps, _) = self.betza(key, &Some(text));
        let quiet = |step: Step| Step { quiet: true, capture: false, ..step };
        let steps: Vec<Step> = steps.into_iter().map(quiet).collect();
        let moves = RegionalSteps {
            legs: Vec::new(),
            steps: self.own_steps(color, &steps),
            from: self.own(color, self.geometry.squares()),
            to: self.own(color, region),
        };
        PieceMoves::new(&self.geometry, &[moves])
    }

    /// Refuses moves of two legs that nothing else in the rules reckons with.
    fn check_legs(&self, key: &str, table: &PieceTable, tables: &PieceMoves) {
        let Some(legs) = tables.legs() else { return };
        let betza = format!("{key}.betza");
        // What a piece attacks follows from its moves of one leg.
        if !legs.attack_within(|from| tables.leaps_capture[from.index()]) {
            let fault = "what two legs ('a') capture must be in reach of a single leap as well, as in KNADcaK";
            self.faults.note(&betza, fault);
        }
        if table.promotion.as_ref().is_some_and(|promotion| promotion.to.as_deref() != Some("")) {
            let fault = "a piece with moves of two legs ('a' in betza) cannot promote";
            self.faults.note(format!("{key}.promotion"), fault);
        }
        if self.definition.stones.is_some() {
            self.faults.note(&betza, "moves of two legs ('a') cannot stand beside 'stones'");
        }
        if table.on_capture.is_some() || table.spares.is_some() {
            let of = if table.on_capture.is_some() { "on_capture" } else { "spares" };
            let fault = "cannot stand beside moves of two legs ('a' in betza)";
            self.faults.note(format!("{key}.{of}"), fault);
        }
    }

    /// Adds what it cannot capture, what it cannot hop over, and what it becomes by capturing.
    fn add_irregular(&self, key: &str, table: &PieceTable, tables: &mut PieceMoves) {
        let kinds = |name: &str, text: &Option<String>| -> PieceTypeSet {
            let text = text.as_deref().unwrap_or("");
            self.kind_set(&format!("{key}.{name}"), text)
        };
        let (spares, not_over) =
            (kinds("spares", &table.spares), kinds("not_over", &table.not_over));
        let first_lost = kinds("first_lost", &table.first_lost);
        if !first_lost.is_empty() && !tables.has_first() {
            self.faults.note(format!("{key}.first_lost"), "needs 'first'");
        } else if !first_lost.is_empty() {
            tables.irregular_mut().first_lost = first_lost;
        }
        if !spares.is_empty() {
            tables.irregular_mut().spares = spares;
        }
        if !not_over.is_empty() {
            let first = tables.irregular_mut().first.as_ref();
            if first.is_none_or(|first| first.hops.is_none()) && tables.hops.is_none() {
                self.faults.note(format!("{key}.not_over"), "the piece does not hop (Betza's 'p')");
            }
            tables.irregular_mut().not_over = not_over;
        }
        let becomes = table.on_capture.as_deref().and_then(|text| match text {
            "taken" => Some(OnCapture::Takes),
            "stone" => Some(OnCapture::Stone),
            text if text.starts_with(|c: char| c.is_ascii_lowercase()) => {
                let fault = "expected is a piece's letter, \"taken\" or \"stone\"";
                self.faults.note(format!("{key}.on_capture"), fault);
                None
            }
            text => self.kind(&format!("{key}.on_capture"), text).map(OnCapture::Becomes),
        });
        if becomes.is_some() {
            tables.irregular_mut().on_capture = becomes;
        }
    }

    /// Adds the double steps; they end on no square of `never`.
    fn add_doubles(
        &self,
        color: Color,
        key: &str,
        table: &PieceTable,
        never: Bitboard,
        tables: &mut PieceMoves,
    ) {
        let Some(double) = &table.double_step else { return };
        let key = format!("{key}.double_step");
        let Some(from) = &double.from else {
            return self.faults.note(format!("{key}.from"), DefinitionFault::Missing);
        };
        let from = self.region(&format!("{key}.from"), from);
        let along = double.along.clone().or_else(|| Some("fW".to_string()));
        let (steps, _) = self.betza(&format!("{key}.along"), &along);
        if steps.len() > 3
            || steps.iter().any(|s| s.way != Way::Leap || s.dx.abs().max(s.dy.abs()) > 1)
        {
            let fault = "expected are one to three single steps, such as fW or fF";
            return self.faults.note(format!("{key}.along"), fault);
        }
        let end = |square: Square| {
            let ends = steps.iter().map(move |s| self.geometry.walk(square, s.dx, s.dy).nth(1));
            ends.collect::<Vec<_>>()
        };
        let is_wrong = |square: Square| {
            let ends = end(square);
            ends.iter().all(Option::is_none) || ends.iter().flatten().any(|&s| never.contains(s))
        };
        if from.into_iter().any(is_wrong) {
            let fault = "a double step from there ends where the piece cannot stay";
            self.faults.note(format!("{key}.from"), fault);
        }
        let reached = |square: Square| {
            let ends = end(square).into_iter().flatten().map(|end| self.own_square(color, end));
            let from = self.own_square(color, square);
            ends.collect::<Bitboard>().meets(tables.quiet_reach(from))
        };
        if from.into_iter().any(reached) {
            let fault = "the piece reaches the end of a double step by a move of its own";
            self.faults.note(format!("{key}.from"), fault);
        }
        tables.add_doubles(&self.geometry, &self.own_steps(color, &steps), self.own(color, from));
    }
}
