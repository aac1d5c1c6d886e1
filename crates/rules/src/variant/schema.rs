//! The keys that a definition may have, checked one by one so that every fault is reported with its
//! place; the TOML parser would stop at the first.

use std::cell::RefCell;
use std::ops::Range;

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::definition::{Definition, RENAMED};
use super::{DefinitionError, DefinitionFault};
use crate::spelling::nearest_word;

/// The text of a definition, read as TOML, and the faults found in it.
pub(crate) struct Source<'t> {
    text: &'t str,
    table: DeTable<'t>,
    faults: RefCell<Vec<DefinitionError>>,
    blamed: RefCell<Vec<String>>,
}

/// What was read of a text: all but its faulty keys.
pub(crate) struct Rest<T> {
    /// What the other keys say, if they can be read without the faulty ones.
    pub value: Option<T>,
    pub faults: Vec<DefinitionError>,
    /// The faulty keys, and the keys that were probably meant by unknown ones.
    pub blamed: Vec<String>,
}

/// What may stand behind a key.
pub(crate) trait Keyed {
    /// What the key takes, in words.
    const EXPECTED: &'static str;
    /// The keys of a table.
    const KEYS: &'static [&'static str] = &[];

    /// Notes the faults of a value.
    fn check(source: &Source, value: &Spanned<DeValue>, key: &str);
}

/// How the value of a key is checked.
type Check = fn(&Source, &Spanned<DeValue>, &str);

impl<'t> Source<'t> {
    /// Reads the text. Keys that were renamed are read as what they are called now; each is a fault.
    ///
    /// # Errors
    /// All faults of a text that is not TOML.
    pub fn parse(text: &'t str) -> Result<Source<'t>, Vec<DefinitionError>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let table = table.into_inner();
        let (faults, blamed) = (RefCell::default(), RefCell::default());
        let mut source = Source { text, table, faults, blamed };
        if errors.is_empty() {
            source.rename_old_keys();
            return Ok(source);
        }
        let faults = errors.iter().map(|error| source.of_toml(error));
        let mut faults: Vec<DefinitionError> = faults.collect();
        faults.sort_by_key(|fault| (fault.line, fault.column));
        // What follows on the same line mostly comes of the first.
        faults.dedup_by_key(|fault| fault.line);
        Err(faults)
    }

    /// Reads renamed keys as what they are called now, so that nothing else is blamed for them.
    fn rename_old_keys(&mut self) {
        let mut found = Vec::new();
        for (path, old, new) in RENAMED {
            rename(&mut self.table, "", path, (old, new), &mut found);
        }
        for Renaming { at, key, old, new, beside } in found {
            self.add_fault(at..at, &key, DefinitionFault::Renamed { old, new });
            self.blamed.borrow_mut().extend(beside);
        }
    }

    /// A fault that the TOML parser found.
    fn of_toml(&self, error: &toml::de::Error) -> DefinitionError {
        let span = error.span().unwrap_or(0..0);
        let (line, column) = self.line_and_column(span.start);
        let fault = syntax_fault(error.message(), self.text, span);
        DefinitionError { key: String::new(), value: String::new(), fault, line, column }
    }

    /// Checks all keys and the types of their values, and reads the rest.
    pub fn check<T: Keyed + for<'d> Deserialize<'d>>(&self) -> Rest<T> {
        let table = DeValue::Table(self.table.clone());
        T::check(self, &Spanned::new(0..self.text.len(), table), "");
        let (mut faults, blamed) = (self.faults.take(), self.blamed.take());
        let mut table = self.table.clone();
        blamed.iter().for_each(|key| take_out(&mut table, key));
        let spanned = Spanned::new(0..self.text.len(), table);
        let value = T::deserialize(toml::Deserializer::from(spanned));
        if faults.is_empty()
            && let Err(error) = &value
        {
            faults.push(self.of_toml(error));
        }
        Rest { value: value.ok(), faults, blamed }
    }

    /// Notes a fault of a value unless it is as expected.
    pub fn expect(
        &self,
        is_right: bool,
        expected: &'static str,
        value: &Spanned<DeValue>,
        key: &str,
    ) {
        if !is_right {
            self.note(value.span(), key, DefinitionFault::Expected(expected));
        }
    }

    /// Adds a fault of a key and leaves the key out of what is read.
    fn note(&self, span: Range<usize>, key: &str, fault: DefinitionFault) {
        self.blamed.borrow_mut().push(key.to_string());
        self.add_fault(span, key, fault);
    }

    /// Adds a fault for which the value of its key is not to blame.
    fn add_fault(&self, span: Range<usize>, key: &str, fault: DefinitionFault) {
        let (line, column) = self.line_and_column(span.start);
        let value = as_written(self.text.get(span).unwrap_or_default());
        let key = key.to_string();
        self.faults.borrow_mut().push(DefinitionError { key, value, fault, line, column });
    }

    /// Adds place and value to a fault that was found later: those of its key, or of the table that holds it.
    pub fn locate(&self, error: &mut DefinitionError) {
        let (span, is_whole) = self.find(&error.key);
        (error.line, error.column) = self.line_and_column(span.start);
        let value = self.text.get(span).filter(|_| is_whole).unwrap_or_default();
        error.value = as_written(value);
    }

    /// Where the value of a key stands in the text, and whether it is that very value and not a table around it.
    fn find(&self, key: &str) -> (Range<usize>, bool) {
        let mut table = &self.table;
        let mut span = 0..0;
        let mut parts = key.split(['.', '[']).map(|part| part.trim_end_matches(']')).peekable();
        while let Some(part) = parts.next() {
            let Some((name, mut value)) =
                table.iter().find(|(name, _)| name.get_ref().as_ref() == part)
            else {
                return (span, false);
            };
            span = name.span();
            while let (DeValue::Array(list), Some(index)) = (value.get_ref(), parts.peek()) {
                let Some(item) = index.parse::<usize>().ok().and_then(|index| list.get(index))
                else {
                    break;
                };
                value = item;
                span = item.span();
                parts.next();
            }
            match value.get_ref() {
                DeValue::Table(inner) if parts.peek().is_some() => table = inner,
                DeValue::Table(_) | DeValue::Array(_) => return (span, false),
                _ => return (value.span(), parts.peek().is_none()),
            }
        }
        (span, false)
    }

    /// The line and column (from 1) of a byte of the text.
    fn line_and_column(&self, at: usize) -> (usize, usize) {
        // What lacks an end is noted at the end of the last line, not below it.
        let at = at.min(self.text.trim_end().len());
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

/// What the TOML parser's message means. It reports what is wrong in English only, so its sentences are
/// compared here, and nowhere else.
fn syntax_fault(message: &str, text: &str, span: Range<usize>) -> DefinitionFault {
    let found = text.get(span.start..).unwrap_or_default();
    let is_word = found.starts_with(|c: char| c.is_alphabetic());
    let sentence = match message {
        _ if found.starts_with(['“', '”', '„', '‘', '’', '«', '»']) => {
            "expected are straight quotes, \" or '".to_string()
        }
        _ if found.starts_with(':') => {
            "expected is = between a key and its value, not :".to_string()
        }
        message if message.starts_with("extra `=`") => {
            "a key and its value are joined by one =".to_string()
        }
        message if message.starts_with("invalid unquoted key") && found.starts_with('+') => {
            let letter: String = found.chars().take_while(|c| !". =]\n".contains(*c)).collect();
            format!("a key with + needs quotes: \"{letter}\"")
        }
        "duplicate key" => {
            let key = as_written(text.get(span).unwrap_or_default());
            return DefinitionFault::Duplicate(key);
        }
        message if message.starts_with("cannot extend value of type inline table") => {
            "nothing can be added to a table that was given in braces { }; write it as [tables], or \
             all of it in the braces"
                .to_string()
        }
        message if message.starts_with("invalid multi-line") && found.is_empty() => {
            "a text that begins with three quotes has no end".to_string()
        }
        message if message.starts_with("cannot recurse") => {
            "the brackets are nested too deeply".to_string()
        }
        // The parser takes a word for one of the few that are values.
        message if message.starts_with("invalid") && is_word => {
            "expected is a value: a text in quotes, a number, true, false, a list or a table".to_string()
        }
        message => message.lines().collect::<Vec<_>>().join("; "),
    };
    DefinitionFault::Syntax(sentence)
}

/// A key that was found under its old name.
struct Renaming {
    /// Where it stands in the text.
    at: usize,
    /// The whole key, as it is written.
    key: String,
    old: &'static str,
    new: &'static str,
    /// The key under its new name, if that is there as well: what the old one says is left out then.
    beside: Option<String>,
}

/// Renames a key in the tables at a path, of which `table`, with the key `parent`, is the first.
fn rename(
    table: &mut DeTable,
    parent: &str,
    path: &str,
    (old, new): (&'static str, &'static str),
    found: &mut Vec<Renaming>,
) {
    if path.is_empty() {
        let Some(at) = table.keys().find(|key| key.get_ref() == old).map(Spanned::span) else {
            return;
        };
        let beside = table.contains_key(new).then(|| inside(parent, new));
        if let Some(value) = table.remove(old).filter(|_| beside.is_none()) {
            table.insert(Spanned::new(at.clone(), new.into()), value);
        }
        return found.push(Renaming { at: at.start, key: inside(parent, old), old, new, beside });
    }
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    for (name, value) in
        table.iter_mut().filter(|(name, _)| first == "*" || name.get_ref() == first)
    {
        let key = inside(parent, name.get_ref());
        match value.get_mut() {
            DeValue::Table(inner) => rename(inner, &key, rest, (old, new), found),
            DeValue::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let DeValue::Table(inner) = item.get_mut() {
                        rename(inner, &format!("{key}[{index}]"), rest, (old, new), found);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Takes a key out of a table; of a list, which has no keys, all of it.
fn take_out(table: &mut DeTable, key: &str) {
    let key = key.split('[').next().unwrap_or(key);
    let (name, rest) = match key.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (key, None),
    };
    let found = table.iter_mut().find(|(other, _)| other.get_ref() == name);
    match (found, rest) {
        (None, _) => {}
        (Some((_, value)), Some(rest)) => {
            if let DeValue::Table(inner) = value.get_mut() {
                take_out(inner, rest);
            }
        }
        (Some(_), None) => {
            table.remove(name);
        }
    }
}

/// The first line of a text as it stands in a file, cut where it is long.
fn as_written(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(MOST).filter(|c| !c.is_control()).collect();
    if short.len() < text.trim_end().len() {
        short.push('…');
    }
    short
}

/// A key inside another.
fn inside(key: &str, name: &str) -> String {
    if key.is_empty() { name.to_string() } else { format!("{key}.{name}") }
}

/// Whether a name is a key of the whole game that stands in a table with these keys.
fn is_of_game(name: &str, known: &[(&'static str, Check)]) -> bool {
    Definition::KEYS.contains(&name) && !known.iter().any(|(key, _)| *key == name)
}

/// Checks a table that has these keys.
pub(super) fn check_table(
    source: &Source,
    value: &Spanned<DeValue>,
    key: &str,
    known: &[(&'static str, Check)],
) {
    let Some(table) = value.get_ref().as_table() else {
        return source.expect(false, "a table of keys", value, key);
    };
    let parent = key;
    for (name, value) in table {
        let key = inside(parent, name.get_ref());
        match known.iter().find(|(other, _)| other == name.get_ref()) {
            Some((_, check)) => check(source, value, &key),
            None if is_of_game(name.get_ref(), known) => {
                let fault = DefinitionFault::BelowTable(name.get_ref().to_string());
                let at = name.span().start;
                source.note(at..at, &key, fault);
            }
            None => {
                let names = || known.iter().map(|(name, _)| *name);
                let nearest = nearest_word(name.get_ref(), names());
                let at = name.span().start;
                let known = names().collect();
                source.note(at..at, &key, DefinitionFault::UnknownKey { nearest, known });
                // A key that is there as well was not meant.
                let meant = nearest.filter(|&name| !table.contains_key(name));
                let meant = meant.map(|nearest| inside(parent, nearest));
                source.blamed.borrow_mut().extend(meant);
            }
        }
    }
}

macro_rules! leaf {
    ($($type:ty: $expected:literal, $is_right:expr;)*) => {
        $(impl Keyed for $type {
            const EXPECTED: &'static str = $expected;

            fn check(source: &Source, value: &Spanned<DeValue>, key: &str) {
                let is_right: fn(&DeValue) -> bool = $is_right;
                source.expect(is_right(value.get_ref()), Self::EXPECTED, value, key);
            }
        })*
    };
}

/// Whether a value is a whole number of this span.
fn is_number(value: &DeValue, least: i64, most: i64) -> bool {
    let number = value.as_integer().and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok());
    number.is_some_and(|number| (least..=most).contains(&number))
}

leaf! {
    bool: "true or false", |value| value.is_bool();
    u8: "a whole number from 0 to 255", |value| is_number(value, 0, 255);
    u16: "a whole number from 0 to 65535", |value| is_number(value, 0, 65535);
    u32: "a whole number from 0 to 4294967295", |value| is_number(value, 0, 4_294_967_295);
    i32: "a whole number", |value| is_number(value, -2_147_483_648, 2_147_483_647);
    String: "a text in quotes", |value| value.is_str();
}

impl<T: Keyed> Keyed for Vec<T> {
    const EXPECTED: &'static str = "a list in brackets";

    fn check(source: &Source, value: &Spanned<DeValue>, key: &str) {
        let Some(list) = value.get_ref().as_array() else {
            if value.get_ref().is_table() && !T::KEYS.is_empty() {
                let at = value.span().start;
                return source.note(at..at, key, DefinitionFault::OneOfMany(key.to_string()));
            }
            return source.expect(false, Self::EXPECTED, value, key);
        };
        for (index, item) in list.iter().enumerate() {
            T::check(source, item, &format!("{key}[{index}]"));
        }
    }
}

impl<T: Keyed> Keyed for IndexMap<String, T> {
    const EXPECTED: &'static str = "a table of names";

    fn check(source: &Source, value: &Spanned<DeValue>, key: &str) {
        let Some(table) = value.get_ref().as_table() else {
            return source.expect(false, Self::EXPECTED, value, key);
        };
        for (name, value) in table {
            let key = inside(key, name.get_ref());
            // A table under [pieces] is a piece, whatever its name; anything else stands too low in the file.
            let is_table = value.get_ref().is_table();
            if !T::KEYS.is_empty()
                && !is_table
                && Definition::KEYS.contains(&name.get_ref().as_ref())
            {
                let fault = DefinitionFault::BelowTable(name.get_ref().to_string());
                let at = name.span().start;
                source.note(at..at, &key, fault);
            } else {
                T::check(source, value, &key);
            }
        }
    }
}
