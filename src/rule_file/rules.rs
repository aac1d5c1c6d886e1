//! The rules of one game of a rule file: its pieces, and the value of every key, its own or its base's.

use std::collections::BTreeMap;

use garrison_rules::{Color, nearest_word};
use indexmap::IndexMap;

use super::RuleFault;
use super::keys::{KEYS, Key, Said, Takes, find};
use super::kinds::{ALL, KINDS, Kind, is_custom, kind, moves_of};
use super::sections::{Entry, Section};
use super::squares::{Area, Board};

/// A piece type of a game.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Its letter, a capital.
    pub letter: char,
    /// How it moves, in the notation of the rule file.
    pub betza: String,
}

/// What stands behind a key.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Flag(bool),
    Number(u32),
    Kinds(Vec<Kind>),
    Counts(BTreeMap<Kind, u32>),
    Pairs(BTreeMap<Kind, Option<Kind>>),
    /// Squares, a word, anything.
    Text(String),
}

/// The value of a key and how it was written.
#[derive(Debug, Clone)]
struct Setting {
    value: Value,
    written: String,
}

/// The rules of one game.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    /// In the order of their types.
    pub pieces: BTreeMap<usize, (Kind, Piece)>,
    settings: IndexMap<&'static str, Setting>,
    /// Where pieces may stand, by side and type.
    regions: BTreeMap<(Color, Kind), String>,
    /// Lines with keys that no rule file has.
    pub unknown: Vec<String>,
}

impl Rules {
    /// A game without pieces, otherwise like chess.
    pub fn bare() -> Rules {
        let mut rules = Rules {
            pieces: BTreeMap::new(),
            settings: IndexMap::new(),
            regions: BTreeMap::new(),
            unknown: Vec::new(),
        };
        // Without pieces nothing can be promoted to either.
        for key in ["promotionPieceTypesWhite", "promotionPieceTypesBlack"] {
            rules.set(key, Value::Kinds(Vec::new()), "-");
        }
        rules
    }

    /// Chess.
    pub fn chess() -> Rules {
        let mut rules = Rules { settings: IndexMap::new(), ..Rules::bare() };
        for (kind, letter) in [
            ("pawn", 'P'),
            ("knight", 'N'),
            ("bishop", 'B'),
            ("rook", 'R'),
            ("queen", 'Q'),
            ("king", 'K'),
        ] {
            rules.add_piece(kind, letter, moves_of(kind));
        }
        rules
    }

    /// These rules with what a section changes.
    ///
    /// # Errors
    /// All faults of its lines.
    pub fn changed_by(mut self, section: &Section) -> Result<Rules, Vec<RuleFault>> {
        let mut faults = Vec::new();
        self.unknown.clear();
        let entry = |key: &str| section.entries.iter().find(|entry| entry.key == key);
        let mut note = |entry: &Entry, result: Result<(), String>| {
            let fault =
                |text| RuleFault { line: entry.line, text: format!("{}: {text}", entry.key) };
            faults.extend(result.err().map(fault));
        };
        for (kind, _) in KINDS {
            if let Some(entry) = entry(kind) {
                note(entry, self.set_piece(kind, &entry.value));
            }
        }
        for key in KEYS {
            if let Some(entry) = entry(key.name) {
                note(entry, self.set_key(key, &entry.value));
            }
        }
        for entry in &section.entries {
            if kind(&entry.key).is_some() || find(&entry.key).is_some() {
                continue;
            }
            match region_key(&entry.key) {
                Some(of) => {
                    let read = self.board().read(&entry.value).map(|_| ());
                    note(entry, read);
                    self.regions.insert(of, entry.value.clone());
                }
                None => self.unknown.push(unknown(entry)),
            }
        }
        if faults.is_empty() { Ok(self) } else { Err(faults) }
    }

    fn set(&mut self, key: &'static str, value: Value, written: &str) {
        self.settings.insert(key, Setting { value, written: written.to_string() });
    }

    fn set_key(&mut self, key: &'static Key, text: &str) -> Result<(), String> {
        let names: &[&'static str] = match &key.said {
            Said::Both(sides) => sides,
            _ => &[key.name],
        };
        for name in names {
            let mut value = self.read(key.takes, text)?;
            // Of maps the lines of base and game hold together.
            match (&mut value, self.settings.get(name).map(|setting| &setting.value)) {
                (Value::Counts(new), Some(Value::Counts(old))) => {
                    old.iter().for_each(|(kind, count)| {
                        new.entry(kind).or_insert(*count);
                    });
                }
                (Value::Pairs(new), Some(Value::Pairs(old))) => {
                    old.iter().for_each(|(kind, to)| {
                        new.entry(kind).or_insert(*to);
                    });
                }
                _ => {}
            }
            self.set(name, value, text);
        }
        Ok(())
    }

    fn read(&self, takes: Takes, text: &str) -> Result<Value, String> {
        let wrong = |expected: &str| Err(format!("'{text}': expected is {expected}"));
        Ok(match takes {
            Takes::Flag => match text {
                "true" => Value::Flag(true),
                "false" => Value::Flag(false),
                _ => return wrong("true or false"),
            },
            Takes::Number => match number(text) {
                Some(number) => Value::Number(number),
                None => return wrong("a number, or a letter for a file"),
            },
            Takes::Word(words) if !words.contains(&text) => {
                return wrong(&format!("one of the words {}", words.join(", ")));
            }
            Takes::Squares => self.board().read(text).map(|_| Value::Text(text.to_string()))?,
            Takes::Word(_) | Takes::Text => Value::Text(text.to_string()),
            Takes::Kinds => Value::Kinds(self.kinds_in(text)?),
            Takes::Counts => {
                let mut counts = BTreeMap::new();
                for (letter, count) in pairs(text)? {
                    let count =
                        count.parse().map_err(|_| format!("'{count}': expected is a number"))?;
                    counts.insert(self.kind_of(letter)?, count);
                }
                Value::Counts(counts)
            }
            Takes::Pairs => {
                let mut found = BTreeMap::new();
                for (letter, to) in pairs(text)? {
                    let to = match to.chars().next().filter(|&c| c != '-') {
                        Some(to) => Some(self.kind_of(to)?),
                        None => None,
                    };
                    found.insert(self.kind_of(letter)?, to);
                }
                Value::Pairs(found)
            }
        })
    }

    fn kinds_in(&self, text: &str) -> Result<Vec<Kind>, String> {
        let mut kinds = Vec::new();
        for letter in text.chars().filter(|c| !c.is_whitespace()).take_while(|&c| c != '-') {
            let kind = if letter == '*' { ALL } else { self.kind_of(letter)? };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(kinds)
    }

    /// The type with a letter.
    pub fn kind_of(&self, letter: char) -> Result<Kind, String> {
        let capital = letter.to_ascii_uppercase();
        let found = self.pieces.values().find(|(_, piece)| piece.letter == capital);
        found.map(|(kind, _)| *kind).ok_or_else(|| {
            let letters: String = self.pieces.values().map(|(_, piece)| piece.letter).collect();
            format!("there is no piece '{letter}' (there are {})", letters.to_lowercase())
        })
    }

    fn set_piece(&mut self, kind: Kind, text: &str) -> Result<(), String> {
        let mut chars = text.chars();
        match chars.next().unwrap_or('-') {
            '-' => self.remove_piece(kind),
            letter if letter.is_ascii_alphabetic() => {
                let betza = chars.as_str().trim_start_matches([':', ' ']);
                if is_custom(kind) && betza.is_empty() {
                    return Err(format!(
                        "'{text}': expected is a letter with the moves, such as p:mfWcfF"
                    ));
                }
                let betza = if betza.is_empty() { moves_of(kind) } else { betza };
                self.add_piece(kind, letter.to_ascii_uppercase(), betza);
            }
            _ => return Err(format!("'{text}': expected is a letter, or - for no such piece")),
        }
        Ok(())
    }

    /// Adds a type in the place of one with the same letter.
    fn add_piece(&mut self, kind: Kind, letter: char, betza: &str) {
        if let Ok(other) = self.kind_of(letter)
            && other != kind
        {
            self.remove_piece(other);
        }
        self.pieces.insert(place(kind), (kind, Piece { letter, betza: betza.to_string() }));
        // `e` says that it captures in passing.
        if is_custom(kind) && betza.contains('e') {
            for key in ["enPassantTypesWhite", "enPassantTypesBlack"] {
                let mut kinds = self.kinds(key);
                kinds.push(kind);
                self.set(key, Value::Kinds(kinds), "");
            }
        }
    }

    /// Removes a type; nothing promotes to it any more.
    fn remove_piece(&mut self, kind: Kind) {
        self.pieces.remove(&place(kind));
        for key in ["promotionPieceTypesWhite", "promotionPieceTypesBlack"] {
            let mut kinds = self.kinds(key);
            kinds.retain(|other| *other != kind);
            self.set(key, Value::Kinds(kinds), "");
        }
    }

    /// The value of a key.
    fn value(&self, name: &str) -> Value {
        if let Some(setting) = self.settings.get(name) {
            return setting.value.clone();
        }
        default(name)
    }

    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Value::Flag(true))
    }

    pub fn number(&self, name: &str) -> u32 {
        if let Value::Number(number) = self.value(name) { number } else { 0 }
    }

    pub fn text(&self, name: &str) -> String {
        if let Value::Text(text) = self.value(name) { text } else { String::new() }
    }

    /// The types that a key names, as far as the game has them.
    pub fn present(&self, name: &str) -> Vec<Kind> {
        let named = self.kinds(name);
        let all = self.pieces.values().map(|(kind, _)| *kind);
        all.filter(|kind| named.contains(kind) || named.contains(&ALL)).collect()
    }

    pub fn kinds(&self, name: &str) -> Vec<Kind> {
        if let Value::Kinds(kinds) = self.value(name) { kinds } else { Vec::new() }
    }

    pub fn counts(&self, name: &str) -> BTreeMap<Kind, u32> {
        if let Value::Counts(counts) = self.value(name) { counts } else { BTreeMap::new() }
    }

    /// What a type promotes to, of the types of the game.
    pub fn promoted(&self, of: Kind) -> Option<Kind> {
        let Value::Pairs(pairs) = self.value("promotedPieceType") else { return None };
        pairs.get(of).copied().flatten().filter(|kind| self.pieces.contains_key(&place(kind)))
    }

    /// A type of the game.
    pub fn piece(&self, kind: Kind) -> Option<&Piece> {
        self.pieces.get(&place(kind)).map(|(_, piece)| piece)
    }

    /// The board as White sees it.
    pub fn board(&self) -> Board {
        let size = |key| u8::try_from(self.number(key)).unwrap_or(u8::MAX);
        let black = garrison_rules::definition::tables::SeenByBlack::Mirrored;
        Board { files: size("maxFile").min(26), ranks: size("maxRank").min(26), black }
    }

    /// The squares that a key names.
    pub fn area(&self, name: &str) -> Area {
        self.board().read(&self.text(name)).unwrap_or_default()
    }

    /// Where a piece type of a side may stand, if that is said.
    pub fn region(&self, color: Color, kind: Kind) -> Option<Area> {
        let text = self.regions.get(&(color, kind))?;
        self.board().read(text).ok()
    }

    /// The keys that no definition can say and whose values are not what holds without them, as they are written.
    pub fn unsayable(&self) -> Vec<String> {
        let unsayable = KEYS.iter().filter(|key| key.said == Said::No);
        let mut lines: Vec<String> = unsayable.filter_map(|key| self.line(key.name)).collect();
        lines.extend(self.unknown.iter().cloned());
        lines
    }

    /// A key with its value as it is written, if that is not what holds without it.
    pub fn line(&self, name: &str) -> Option<String> {
        let setting = self.settings.get(name).filter(|setting| setting.value != default(name))?;
        Some(format!("{name} = {}", setting.written))
    }
}

/// The value of a key that no line gives.
fn default(name: &str) -> Value {
    let Some(key) = find(name) else { return Value::Text(String::new()) };
    match key.takes {
        Takes::Flag => Value::Flag(key.default == "true"),
        Takes::Number => Value::Number(number(key.default).unwrap_or(0)),
        Takes::Kinds if key.default == ALL => Value::Kinds(vec![ALL]),
        Takes::Kinds => Value::Kinds(key.default.split_whitespace().filter_map(kind).collect()),
        Takes::Counts => Value::Counts(BTreeMap::new()),
        Takes::Pairs => Value::Pairs(BTreeMap::new()),
        Takes::Squares | Takes::Word(_) | Takes::Text => Value::Text(key.default.to_string()),
    }
}

/// The place of a type among all.
fn place(kind: Kind) -> usize {
    KINDS.iter().position(|(other, _)| *other == kind).unwrap_or(KINDS.len())
}

/// A number, or the number of the file with a letter.
fn number(text: &str) -> Option<u32> {
    let first = text.bytes().next()?;
    if first.is_ascii_lowercase() && text.len() == 1 {
        return Some(u32::from(first - b'a') + 1);
    }
    text.parse().ok()
}

/// Pairs such as `p:g b:h`; spaces may stand anywhere.
fn pairs(text: &str) -> Result<Vec<(char, String)>, String> {
    let joined = text.replace(" :", ":").replace(": ", ":");
    let pair = |word: &str| {
        let (letter, value) = word.split_once(':')?;
        let letter = letter.chars().next().filter(|_| letter.chars().count() == 1)?;
        (!value.is_empty()).then(|| (letter, value.to_string()))
    };
    let words = joined.split_whitespace();
    words
        .map(|word| {
            pair(word).ok_or_else(|| format!("'{word}': expected are pairs such as p:g b:h"))
        })
        .collect()
}

/// The side and the type of `mobilityRegionWhiteKing`.
fn region_key(key: &str) -> Option<(Color, Kind)> {
    let rest = key.strip_prefix("mobilityRegion")?;
    let (color, of) = match rest.strip_prefix("White") {
        Some(of) => (Color::White, of),
        None => (Color::Black, rest.strip_prefix("Black")?),
    };
    let (first, others) = (of.get(..1)?, of.get(1..)?);
    Some((color, kind(&format!("{}{others}", first.to_ascii_lowercase()))?))
}

/// A line with a key that no rule file has, with the key that may be meant.
fn unknown(entry: &Entry) -> String {
    let Entry { key, value, .. } = entry;
    let known = KEYS.iter().map(|key| key.name).chain(KINDS.iter().map(|(kind, _)| *kind));
    match nearest_word(key, known) {
        Some(nearest) => {
            format!("{key} = {value} (no key of rule files; the nearest is {nearest})")
        }
        None => format!("{key} = {value} (no key of rule files)"),
    }
}
