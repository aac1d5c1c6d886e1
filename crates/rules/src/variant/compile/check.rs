//! Faults of a game as a whole, where each key alone makes sense.

use super::{Compiler, is_name};
use crate::types::{Color, PieceType, PieceTypeSet};
use crate::variant::{DefinitionFault, EndResult, NoMoves, OnCapture, RoyaltyKind, Variant};

impl Compiler<'_> {
    /// Refuses games that nobody can win, and rules that exclude each other.
    pub(super) fn check_sense(&self, variant: &Variant) {
        let decides = |result| matches!(result, EndResult::Win | EndResult::Loss);
        let end = variant.end();
        let can_be_won = variant.royalty().is_some()
            || variant.special_ends().iter().any(|end| decides(end.result))
            || end.no_moves != NoMoves::Draw
            || end.drawn.is_some()
            || end.passes.is_some();
        if !can_be_won && !self.has_royal() {
            self.faults.note("end", DefinitionFault::NeverEnds);
        }
        let has_first = |index: &usize| {
            Color::ALL.iter().any(|&c| self.tables[*index].of_side(c).first.is_some())
        };
        let rights = self.definition.castling.as_ref().is_some_and(|list| !list.is_empty())
            || (0..self.tables.len()).any(|index| has_first(&index));
        if rights && variant.setup().is_some() {
            let fault = "cannot stand beside castling or first moves: a FEN has one field for both";
            self.faults.note("setup", fault);
        }
        self.check_blast(variant);
        if variant.royalty_kind() == Some(RoyaltyKind::Absolute) {
            self.check_changes(variant);
        }
        for color in Color::ALL {
            self.check_promotions(variant, color);
            self.check_limits(variant, color);
            self.check_castles(variant, color);
        }
    }

    /// Refuses a piece that becomes another by a capture of which nothing is left.
    fn check_blast(&self, variant: &Variant) {
        let Some(blast) = variant.blast() else { return };
        let changes = |kind: &PieceType| {
            let irregular = &variant.side(Color::White).moves(*kind).irregular;
            irregular.as_ref().is_some_and(|irregular| irregular.on_capture.is_some())
        };
        for kind in variant.kinds().filter(|kind| !blast.immune.contains(*kind)).filter(changes) {
            let key = format!("pieces.{}.on_capture", variant.piece(kind).letter);
            self.faults
                .note(key, "its own explosion removes it, unless 'blast.immune' has its letter");
        }
    }

    /// Where royals must be kept safe, a royal appears only by a drop or a promotion, and never becomes another piece.
    fn check_changes(&self, variant: &Variant) {
        let royals = variant.royals();
        let only = "needs 'last' or 'captured' as royalty.kind";
        for kind in variant.kinds() {
            let key = format!("pieces.{}", variant.piece(kind).letter);
            let to = Color::ALL.map(|color| variant.promotes_to(color, kind));
            if royals.contains(kind) && to.into_iter().any(|to| !to.is_empty()) {
                let fault = format!("a royal piece that becomes another {only}");
                self.faults.note(format!("{key}.promotion.to"), fault);
            }
            let irregular = &variant.side(Color::White).moves(kind).irregular;
            let becomes_royal = match irregular.as_ref().and_then(|irregular| irregular.on_capture)
            {
                Some(OnCapture::Becomes(other)) => royals.contains(other),
                Some(OnCapture::Takes) => false,
                // It captures nothing.
                Some(OnCapture::Stone) | None => continue,
            };
            if becomes_royal || royals.contains(kind) {
                let fault = format!("a piece that becomes royal, or a royal another, {only}");
                self.faults.note(format!("{key}.on_capture"), fault);
            }
        }
    }

    /// Refuses promotions and reserves whose choices the side may not have, or whose moves would be written alike.
    fn check_promotions(&self, variant: &Variant, color: Color) {
        for kind in variant.kinds_of(color) {
            let letter = variant.piece(kind).letter;
            let (key, choices) = if variant.piece(kind).reserve.is_empty() {
                (format!("pieces.{letter}.promotion.to"), variant.promotes_to(color, kind))
            } else {
                (format!("pieces.{letter}.reserve"), variant.piece(kind).reserve)
            };
            let in_place = variant.side(color).piece(kind).in_place.is_some();
            let royals = variant.royals();
            if in_place && (royals.contains(kind) || choices.meets(royals)) {
                let fault = "cannot stand beside a royal piece that promotes or is promoted to";
                self.faults.note(format!("pieces.{letter}.promotion.in_place"), fault);
            }
            let all: Vec<PieceType> = choices.into_iter().collect();
            for (index, &choice) in all.iter().enumerate() {
                if choice == kind {
                    self.faults.note(&key, format!("{letter} is what it is already"));
                } else if !variant.kinds_of(color).contains(choice) {
                    let fault = format!("{color} has no {}", variant.piece(choice).letter);
                    self.faults.note(&key, fault);
                }
                let alike = |&other: &PieceType| {
                    variant.suffix(kind, other) == variant.suffix(kind, choice)
                };
                if let Some(&other) = all[..index].iter().find(|other| alike(other)) {
                    let pieces = [other, choice].map(|kind| variant.piece(kind).letter);
                    let fault = format!("{} and {} would be written alike", pieces[0], pieces[1]);
                    self.faults.note(&key, fault);
                }
            }
        }
    }

    /// Refuses promotions by which a side could get more pieces of a type than its limit allows: such a position could
    /// not be set up.
    fn check_limits(&self, variant: &Variant, color: Color) {
        let Some(start) = &self.start else { return };
        let side = variant.side(color);
        let becomes = |kind: PieceType, other: PieceType| {
            variant.promotes_to(color, kind).any(|to| to == other)
        };
        for kind in variant.kinds_of(color) {
            let Some(limit) = side.piece(kind).limit else { continue };
            // All that are of this type or can become it.
            let mut all = PieceTypeSet::of(kind);
            for _ in variant.kinds() {
                let sources = variant.kinds_of(color);
                let more = sources.filter(|&source| all.clone().any(|to| becomes(source, to)));
                all = all.chain(more).collect();
            }
            let pieces = start.iter().map(|(_, piece)| piece);
            let most = pieces.filter(|p| p.color() == color && all.contains(p.kind())).count();
            let is_free = |source: &PieceType| {
                side.promotion(*source).is_some_and(|rule| rule.to.contains(kind) && !rule.limited)
            };
            let Some(source) = variant.kinds_of(color).find(is_free) else { continue };
            if most > usize::from(limit) {
                let [from, to] = [source, kind].map(|kind| variant.piece(kind).letter);
                let fault = format!(
                    "there could be {most} {to}, and its limit is {limit}; raise pieces.{to}.limit, or say \
                     'limited = true'"
                );
                self.faults.note(format!("pieces.{from}.promotion.to"), fault);
            }
        }
    }

    fn check_castles(&self, variant: &Variant, color: Color) {
        let castles = variant.rights().castles(color);
        for (index, castle) in castles.iter().enumerate() {
            let key = format!("castling[{index}]");
            if castles[..index].iter().any(|other| other.letter == castle.letter) {
                let way = if castle.is_short() { "right" } else { "left" };
                self.faults.note(&key, format!("the king castles to the {way} twice"));
            }
            let moves = variant.side(color).moves(castle.pieces.0);
            if moves.quiet_reach(castle.king.0).contains(castle.king.1) {
                let fault = "the king reaches that square by a move of its own";
                self.faults.note(format!("{key}.king"), fault);
            }
            if variant.royals().contains(castle.pieces.1) {
                let name = &variant.piece(castle.pieces.1).name;
                let fault = format!("a royal piece, the {name}, cannot be the partner");
                self.faults.note(format!("{key}.rook"), fault);
            }
            if castle.king.1 == castle.rook.1 {
                self.faults.note(format!("{key}.rook"), "king and rook end on the same square");
            }
        }
    }

    /// Refuses texts with line breaks or other control characters.
    pub(super) fn check_texts(&self) {
        let definition = self.definition;
        let plain = [("title", &definition.title), ("inventor", &definition.inventor)];
        let mut texts: Vec<(String, &String)> = Vec::new();
        for (key, text) in
            plain.into_iter().chain([("page", &definition.page), ("url", &definition.url)])
        {
            texts.extend(text.iter().map(|text| (key.to_string(), text)));
        }
        for (key, list) in [("rules", &definition.rules), ("rulings", &definition.rulings)] {
            let list = list.iter().flatten().enumerate();
            texts.extend(list.map(|(index, text)| (format!("{key}[{index}]"), text)));
        }
        for (key, piece) in definition.pieces.iter().flatten() {
            texts.extend(piece.name.iter().map(|text| (format!("pieces.{key}.name"), text)));
            let second = piece.promoted_name.iter();
            texts.extend(second.map(|text| (format!("pieces.{key}.promoted_name"), text)));
        }
        for (key, army) in definition.armies.iter().flatten() {
            texts.extend(army.name.iter().map(|text| (format!("armies.{key}.name"), text)));
            let rulings = army.rulings.iter().flatten().enumerate();
            texts.extend(rulings.map(|(i, text)| (format!("armies.{key}.rulings[{i}]"), text)));
        }
        for (key, text) in texts {
            if text.chars().any(char::is_control) {
                self.faults.note(key, "expected is one line without control characters");
            }
        }
    }

    /// Refuses a letter of two piece types, and a name that protocols cannot print as one word.
    pub(super) fn check_writing(&self, variant: &Variant) {
        let mut seen = PieceTypeSet::EMPTY;
        for kind in variant.kinds() {
            let letter = variant.piece(kind).letter;
            if seen.clone().any(|other| variant.piece(other).letter == letter) {
                self.faults.note(format!("pieces.{letter}"), "the letter stands twice");
            }
            seen.insert(kind);
        }
        if self.definition.name.is_some() && !is_name(variant.name()) {
            let fault = "expected are at most 40 small letters, digits, '-' and '_'";
            self.faults.note("name", fault);
        }
    }
}
