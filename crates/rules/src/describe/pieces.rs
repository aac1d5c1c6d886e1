//! What there is to know of one piece, in words.

use super::{capital, list, moves, squares};
use crate::betza::{self, Step};
use crate::bitboard::Bitboard;
use crate::types::{Color, Letter, PieceType, PieceTypeSet};
use crate::variant::{InPlace, OnCapture, Promotion, Variant};

impl Variant {
    /// How a piece moves, promotes and is dropped, in sentences: first those that hold for both sides, then those of
    /// one side. Empty if no side can have the piece.
    ///
    /// ```
    /// use garrison_rules::{Letter, find};
    ///
    /// let shogi = find("shogi")?;
    /// let lance = shogi.kind_of(Letter { capital: 'L', promoted: false }).expect("a lance");
    /// assert_eq!(shogi.piece_in_words(lance)[0], "Goes any number of squares straight ahead.");
    /// # Ok::<(), garrison_rules::UnknownGame>(())
    /// ```
    pub fn piece_in_words(&self, kind: PieceType) -> Vec<String> {
        let of = |color: Color| {
            self.kinds_of(color).contains(kind).then(|| self.side_in_words(color, kind))
        };
        match Color::ALL.map(of) {
            [None, None] => Vec::new(),
            [Some(words), None] | [None, Some(words)] => words,
            [Some(white), Some(black)] => {
                let shared = white.iter().filter(|text| black.contains(text)).cloned();
                let mut words: Vec<String> = shared.collect();
                for (color, all) in [(Color::White, &white), (Color::Black, &black)] {
                    let own = all.iter().filter(|text| !words.contains(text));
                    let own: Vec<String> = own.map(|text| format!("{color}'s: {text}")).collect();
                    words.extend(own);
                }
                words
            }
        }
    }

    /// The name of a piece, with what it is called when another has become it, if that can be: "king, crown prince".
    pub fn piece_names(&self, kind: PieceType) -> String {
        let name = &self.piece(kind).name;
        let arises =
            self.sides().any(|(color, from)| self.promotes_to(color, from).any(|to| to == kind));
        let second = self.piece(kind).promoted_name.as_ref().filter(|_| arises);
        second.map_or_else(|| name.clone(), |second| format!("{name}, {second}"))
    }

    fn side_in_words(&self, color: Color, kind: PieceType) -> Vec<String> {
        let piece = self.piece(kind);
        if !piece.reserve.is_empty() {
            let written = self.written(color, kind).reserve.as_deref();
            let kinds = self.as_written(piece.reserve, written).into_iter();
            let becomes: Vec<String> =
                kinds.map(|kind| self.piece(kind).letter.to_string()).collect();
            let becomes = list(&becomes, "or");
            let text = format!(
                "Exists in hand only: when it is dropped, it becomes {becomes}, as the player chooses."
            );
            return [vec![text], self.drops_in_words(color, kind)].concat();
        }
        let sentences = [
            self.moves_in_words(color, kind),
            self.limits_in_words(color, kind),
            self.double_step_in_words(color, kind),
            self.promotion_in_words(color, kind).into_iter().collect(),
            self.drops_in_words(color, kind),
        ];
        sentences.concat()
    }

    /// Piece types in the order in which a text of the definition has their letters.
    fn as_written(&self, kinds: PieceTypeSet, text: Option<&str>) -> Vec<PieceType> {
        let letters = text.and_then(Letter::split).unwrap_or_default();
        let mut kinds: Vec<PieceType> = kinds.collect();
        kinds.sort_by_key(|&kind| {
            let letter = self.piece(kind).letter;
            letters.iter().position(|&other| other == letter)
        });
        kinds
    }

    /// The steps of a text in Betza notation; those of a compiled game have no faults.
    pub(super) fn steps_of(text: Option<&String>) -> Vec<Step> {
        text.and_then(|text| betza::parse(text).ok()).unwrap_or_default()
    }

    fn moves_in_words(&self, color: Color, kind: PieceType) -> Vec<String> {
        let table = self.written(color, kind);
        let usual = Variant::steps_of(table.betza.as_ref());
        let mut sentences = Vec::new();
        if !usual.is_empty() {
            sentences.push(format!("{}.", capital(&moves::sentence(&usual))));
        }
        for extra in table.extra.iter().flatten() {
            let mut words = moves::sentence(&Variant::steps_of(extra.betza.as_ref()));
            match &extra.to {
                Some(to) if extra.from.as_ref() == Some(to) => {
                    words += ", but only to another of these squares";
                }
                Some(to) => {
                    let place = squares::inside(self, self.squares_of(to));
                    words += &format!(", but only to a square {place}");
                }
                None => {}
            }
            sentences.push(match &extra.from {
                Some(from) => {
                    format!(
                        "{} it also {words}.",
                        capital(&squares::inside(self, self.squares_of(from)))
                    )
                }
                None => format!("{}.", capital(&words)),
            });
        }
        for text in [&table.betza].into_iter().chain(table.extra.iter().flatten().map(|e| &e.betza))
        {
            let legs = text.as_ref().and_then(|text| betza::parse_legs(text).ok());
            sentences.extend(moves::legs_in_words(&legs.unwrap_or_default()));
        }
        let first = Variant::steps_of(table.first.as_ref().filter(|text| !text.is_empty()));
        if !first.is_empty() {
            let quiet: Vec<Step> = first
                .into_iter()
                .map(|step| Step { quiet: true, capture: false, ..step })
                .collect();
            let irregular = self.side(color).moves(kind).irregular.as_ref();
            let lost = irregular.map_or(PieceTypeSet::EMPTY, |irregular| irregular.first_lost);
            let or_aimed = if lost.is_empty() {
                String::new()
            } else {
                let letters = list(&self.letters(lost), "or");
                format!(
                    " and no enemy {letters} has moved to where it would attack it on an empty board"
                )
            };
            let words = moves::sentence(&quiet);
            sentences.push(format!("As long as it has not moved{or_aimed}, it also {words}."));
        }
        if sentences.is_empty() {
            sentences.push(self.never_moves(kind));
        }
        sentences
    }

    /// What is said of a piece that never moves.
    fn never_moves(&self, kind: PieceType) -> String {
        let is_spared = Color::ALL.into_iter().any(|color| {
            let spares = |other: PieceType| {
                let irregular = self.side(color).moves(other).irregular.as_ref();
                irregular.is_some_and(|irregular| irregular.spares.contains(kind))
            };
            self.kinds_of(color).any(spares)
        });
        let by = if is_spared { "" } else { " Any enemy piece may capture it by moving onto it." };
        format!("Never moves, captures nothing and gives no check.{by}")
    }

    /// Where it may go, and what it may not capture or hop over.
    fn limits_in_words(&self, color: Color, kind: PieceType) -> Vec<String> {
        let mut sentences = Vec::new();
        let rules = self.side(Color::White).piece(kind);
        if rules.region != self.geometry().squares() && self.kinds_of(Color::White).contains(kind) {
            sentences.push(format!("Moves only {}.", squares::inside(self, rules.region)));
        }
        if self.looks_royal(kind) {
            sentences.push("It is not royal.".to_string());
        }
        let Some(irregular) = self.side(color).moves(kind).irregular.as_ref() else {
            return sentences;
        };
        if !irregular.spares.is_empty() {
            let names = list(&self.letters(irregular.spares), "or");
            sentences.push(format!("Cannot capture {names}."));
        }
        if !irregular.not_over.is_empty() {
            let names = list(&self.letters(irregular.not_over), "or");
            sentences.push(format!("Cannot hop over {names}."));
        }
        sentences.extend(irregular.on_capture.map(|becomes| match becomes {
            OnCapture::Becomes(other) => {
                format!("When it captures, it becomes {}.", self.piece(other).letter)
            }
            OnCapture::Takes => "When it captures, it becomes what it has captured.".to_string(),
            OnCapture::Stone if self.royals().contains(kind) && !self.captures_royals() => {
                "It may not capture, since it would turn to stone, and so attacks nothing.".to_string()
            }
            OnCapture::Stone => {
                "When it captures, it turns to stone and blocks its square for the rest of the game."
                    .to_string()
            }
        }));
        sentences
    }

    /// Whether a piece moves as a royal piece does, but is none.
    fn looks_royal(&self, kind: PieceType) -> bool {
        let betza = |kind: PieceType| &self.piece(kind).betza;
        !self.royals().contains(kind)
            && self.royals().any(|royal| betza(royal) == "K" && betza(kind) == "K")
    }

    fn double_step_in_words(&self, color: Color, kind: PieceType) -> Vec<String> {
        let table = self.written(color, kind);
        let doubles = &self.side(color).moves(kind).doubles;
        let Some(double) = table.double_step.as_ref().filter(|_| !doubles.is_empty()) else {
            return Vec::new();
        };
        let from = double.from.as_ref().map(|from| self.squares_of(from));
        let along = betza::parse(double.along.as_deref().unwrap_or("fW")).unwrap_or_default();
        let quiet: Vec<Step> =
            along.into_iter().map(|step| Step { quiet: true, capture: true, ..step }).collect();
        let once = moves::sentence(&quiet);
        let twice = once.strip_prefix("goes one square").unwrap_or(&once).to_string();
        let from =
            from.map_or(String::new(), |from| format!("{} it ", squares::inside(self, from)));
        let en_passant = if double.en_passant == Some(true) {
            let by = self.side(color).piece(kind).passed_by;
            let name = if by == PieceTypeSet::of(kind) {
                self.piece(kind).name.clone()
            } else {
                list(&self.letters(by), "or")
            };
            format!(
                " {} enemy {name} that could have captured it on the square it passed may do so en passant on the very \
                 next ply.",
                capital("an")
            )
        } else {
            " It cannot be captured en passant.".to_string()
        };
        vec![format!(
            "{}may also go two squares{twice} without capturing, if both squares are empty.{en_passant}",
            capital(&from)
        )]
    }

    fn promotion_in_words(&self, color: Color, kind: PieceType) -> Option<String> {
        let rule = self.side(color).promotion(kind)?;
        let own = |set: Bitboard| self.own(color, set);
        let written = self.written(color, kind).promotion.as_ref();
        let written = written.and_then(|promotion| promotion.to.as_deref());
        let letters: Vec<String> = self
            .as_written(rule.to, written)
            .into_iter()
            .map(|to| match &self.piece(to).promoted_name {
                Some(name) => {
                    format!("{} ({} {name})", self.piece(to).letter, super::article(name))
                }
                None => self.piece(to).letter.to_string(),
            })
            .collect();
        let to = list(&letters, "or");
        let (zone, forced) = (own(rule.zone), own(rule.forced));
        let in_place = self.side(color).piece(kind).in_place.as_ref();
        let mut text = if let Some(how) = in_place {
            self.in_place_in_words(color, kind, how, zone, &to)
        } else if forced == zone {
            format!("{} it must become {to}.", capital(&squares::inside(self, zone)))
        } else {
            self.choice_in_words(rule, zone, &to)
        };
        if forced != zone && !forced.is_empty() {
            text += &format!(" {} it must.", capital(&squares::inside(self, forced)));
        }
        if rule.limited {
            let together = if rule.together { ", those with and without + together" } else { "" };
            let stuck = if in_place.is_some() {
                ""
            } else {
                "; where it would have to promote and there is none, it may not move, but it still gives check"
            };
            text += &format!(
                " It may become only a piece of which its side has fewer than it may have{together}{stuck}."
            );
        }
        Some(text)
    }

    /// A promotion that is a turn of its own.
    fn in_place_in_words(
        &self,
        color: Color,
        kind: PieceType,
        how: &InPlace,
        zone: Bitboard,
        to: &str,
    ) -> String {
        let written = self.written(color, kind).promotion.as_ref();
        let by = written.and_then(|promotion| promotion.by.as_ref()).filter(|_| how.by.is_some());
        let quiet = |step: Step| Step { quiet: true, capture: false, ..step };
        let steps: Vec<Step> = Variant::steps_of(by).into_iter().map(quiet).collect();
        let step = match steps.as_slice() {
            [] => String::new(),
            steps => format!(", or with a step by which it {}", moves::sentence(steps)),
        };
        let mut text = format!(
            "Does not promote by its moves: {} it may become {to} as a turn of its own, where it stands{step}.",
            squares::inside(self, zone)
        );
        if how.alone {
            text += " The last one of a side may do so wherever it stands.";
        }
        if how.peaceful {
            text += " It may do so only if it attacks nothing then and no check follows.";
        }
        text
    }

    fn choice_in_words(&self, rule: &Promotion, zone: Bitboard, to: &str) -> String {
        let zone = squares::inside(self, zone);
        if !rule.once {
            let ends = if rule.leaving { "begins or ends" } else { "ends" };
            return format!("With a move that {ends} {zone} it may become {to}.");
        }
        let late = squares::inside(self, self.own(Color::White, rule.late));
        let late =
            if rule.late.is_empty() { String::new() } else { format!(" or by ending {late}") };
        format!(
            "With a move from elsewhere that ends {zone} it may become {to}; from there only by capturing{late}."
        )
    }
}
