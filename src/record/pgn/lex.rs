//! Splits a PGN text into games, and each game into tags, moves, comments and results, without checking the
//! moves. It is fed line by line, so that a file of any length can be read; only the game at hand is kept. A fault
//! stays with its game, so that the next games can still be read.

use std::collections::VecDeque;

use super::PgnFault;
use super::text::{
    glyph, is_space, looks_like_tag, move_of, result, unescaped, unescaped_value, value_length,
};
use crate::record::MOST_DEPTH;
use garrison_rules::GameResult;

/// An item of the movetext.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Move(String),
    Comment(String),
    Nag(u8),
    Result(GameResult),
    /// A variation begins; each is closed.
    Open,
    /// A variation ends.
    Close,
    /// A variation begins that is too deep within others, and left out. Only the first is there.
    TooDeep,
}

/// Something and the line on which it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct At<T> {
    pub line: usize,
    pub what: T,
}

/// A game as written.
#[derive(Debug, Default)]
pub(super) struct RawGame {
    pub line: usize,
    pub tags: Vec<At<(String, String)>>,
    pub items: Vec<At<Item>>,
    /// The first thing that is no PGN.
    pub fault: Option<At<PgnFault>>,
    is_over: bool,
    /// Whether it has moves, comments or a result, also those that were not kept because of a fault.
    has_items: bool,
    is_too_deep: bool,
}

impl RawGame {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.has_items && self.fault.is_none()
    }
}

/// The most bytes of text of a game, comments and variations included.
pub(super) const MOST_BYTES: usize = 4 << 20;

/// Takes a text line by line and hands out its games.
#[derive(Debug, Default)]
pub(super) struct Lexer {
    /// The number of the line, from 1.
    line: usize,
    game: RawGame,
    /// How much text of the game was read.
    bytes: usize,
    /// Games that are complete.
    complete: VecDeque<RawGame>,
    /// How many variations are open, and the line on which the outermost begins.
    variations: usize,
    variation_line: usize,
    /// The open comment: the line on which it begins, and its text so far.
    comment: Option<At<String>>,
}

impl Lexer {
    /// The next line, without its end.
    pub fn read_line(&mut self, text: &str) {
        self.line += 1;
        if !self.is_within_game() {
            self.bytes = 0;
        }
        // A comment that is not closed must not swallow the next games.
        if text.starts_with("[Event \"") {
            self.break_comment();
        }
        let text = if self.line == 1 { text.trim_start_matches('\u{feff}') } else { text };
        match self.comment {
            Some(_) => {
                let rest = self.go_on_with_comment(text);
                self.read_words(rest, text.len());
            }
            None if text.starts_with('%') => {}
            None => self.read_words(text, text.len()),
        }
        self.count(text.len() + 1);
    }

    /// The rest of a line, which has `whole` bytes.
    fn read_words(&mut self, mut rest: &str, whole: usize) {
        while let Some(c) = rest.chars().next() {
            rest = match c {
                c if is_space(c) => &rest[c.len_utf8()..],
                '{' => self.comment(&rest[1..]),
                ';' => self.line_comment(&rest[1..]),
                '[' => self.bracket(rest, rest.len() == whole),
                '(' | ')' => self.parenthesis(rest),
                '$' => self.nag(&rest[1..]),
                '}' | ']' => {
                    self.fault(PgnFault::NothingToClose(c));
                    &rest[1..]
                }
                _ => self.word(rest),
            };
        }
    }

    /// There are no more lines.
    pub fn end(&mut self) {
        self.break_comment();
        self.end_game();
    }

    /// The next complete game.
    pub fn take_game(&mut self) -> Option<RawGame> {
        self.complete.pop_front()
    }

    /// Counts the text of a game, of which no more is kept once it is too long.
    fn count(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes > MOST_BYTES && self.is_within_game() && self.game.fault.is_none() {
            self.fault(PgnFault::TooLong);
        }
    }

    fn is_within_game(&self) -> bool {
        !self.game.is_empty() || self.variations > 0 || self.comment.is_some()
    }

    fn fault(&mut self, what: PgnFault) {
        self.fault_at(self.line, what);
    }

    fn fault_at(&mut self, line: usize, what: PgnFault) {
        self.begin();
        self.game.fault.get_or_insert(At { line, what });
        // A faulty game is not played.
        self.game.items.clear();
    }

    fn begin(&mut self) {
        if self.game.is_empty() {
            self.game.line = self.line;
        }
    }

    fn end_game(&mut self) {
        if self.variations > 0 {
            self.fault_at(self.variation_line, PgnFault::VariationNotClosed);
            self.variations = 0;
        }
        self.bytes = 0;
        let game = std::mem::take(&mut self.game);
        if !game.is_empty() {
            self.complete.push_back(game);
        }
    }

    /// Adds an item to the game. After a result, a comment still belongs to the game; a move begins the
    /// next one.
    fn add(&mut self, line: usize, what: Item) {
        if self.variations > 0 {
            // Where a line of a variation ends, its result says nothing of the game.
            if !matches!(what, Item::Result(_)) {
                self.add_inside(line, what);
            }
            return;
        }
        if self.game.is_over && matches!(what, Item::Move(_) | Item::Result(_)) {
            self.end_game();
        }
        self.begin();
        self.game.is_over |= matches!(what, Item::Result(_));
        self.game.has_items = true;
        if self.game.fault.is_none() {
            self.game.items.push(At { line, what });
        }
    }

    /// Adds an item of a variation. By itself it makes no game.
    fn add_inside(&mut self, line: usize, what: Item) {
        if self.variations <= MOST_DEPTH && self.game.fault.is_none() {
            self.game.items.push(At { line, what });
        }
    }

    fn open_variation(&mut self) {
        if self.variations == 0 {
            self.variation_line = self.line;
        }
        self.variations += 1;
        self.add_inside(self.line, Item::Open);
        let is_too_deep = self.variations > MOST_DEPTH;
        if is_too_deep && !self.game.is_too_deep && self.game.fault.is_none() {
            self.game.is_too_deep = true;
            self.game.items.push(At { line: self.line, what: Item::TooDeep });
        }
    }

    fn close_variation(&mut self) {
        let is_bare = self.game.items.last().is_some_and(|item| item.what == Item::Open);
        if is_bare && self.variations <= MOST_DEPTH {
            self.game.items.pop();
        } else {
            self.add_inside(self.line, Item::Close);
        }
        self.variations -= 1;
    }

    /// A comment, behind its brace; returns the rest of the line behind it.
    fn comment<'t>(&mut self, rest: &'t str) -> &'t str {
        self.comment = Some(At { line: self.line, what: String::new() });
        self.go_on_with_comment(rest)
    }

    fn go_on_with_comment<'t>(&mut self, rest: &'t str) -> &'t str {
        let Some(At { line, what: mut text }) = self.comment.take() else { return rest };
        let (more, behind) = match rest.split_once('}') {
            Some((more, behind)) => (more, Some(behind)),
            None => (rest, None),
        };
        if self.game.fault.is_none() {
            text.push_str(more);
            text.push('\n');
        }
        match behind {
            Some(_) => self.add_comment(line, &unescaped(&text)),
            None => self.comment = Some(At { line, what: text }),
        }
        behind.unwrap_or_default()
    }

    /// Ends a comment that is not closed.
    fn break_comment(&mut self) {
        if let Some(At { line, .. }) = self.comment.take() {
            self.fault_at(line, PgnFault::CommentNotClosed);
        }
    }

    fn line_comment<'t>(&mut self, rest: &'t str) -> &'t str {
        self.add_comment(self.line, rest);
        ""
    }

    fn add_comment(&mut self, line: usize, content: &str) {
        let words: Vec<&str> = content.split(is_space).filter(|word| !word.is_empty()).collect();
        if !words.is_empty() {
            self.add(line, Item::Comment(words.join(" ")));
        }
    }

    fn parenthesis<'t>(&mut self, rest: &'t str) -> &'t str {
        match (rest.starts_with('('), self.variations) {
            (true, _) => self.open_variation(),
            (false, 0) => self.fault(PgnFault::VariationNotOpen),
            (false, _) => self.close_variation(),
        }
        &rest[1..]
    }

    fn nag<'t>(&mut self, rest: &'t str) -> &'t str {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // Glyphs end at 255; a larger number is skipped.
        if let Ok(nag) = rest[..digits].parse() {
            self.add(self.line, Item::Nag(nag));
        }
        &rest[digits..]
    }

    fn bracket<'t>(&mut self, rest: &'t str, is_line_start: bool) -> &'t str {
        // Within a variation, only a tag at the start of a line begins the next game.
        if !looks_like_tag(rest) || (self.variations > 0 && !is_line_start) {
            self.fault(PgnFault::NotATag(rest.to_string()));
            return "";
        }
        if self.game.has_items || self.variations > 0 || self.is_next_event(rest) {
            self.end_game();
        }
        self.tag(rest)
    }

    /// Whether the tag that begins here is the first of another game though this one has no moves: a
    /// second `Event`, or one behind a fault.
    fn is_next_event(&self, rest: &str) -> bool {
        let name = rest[1..].trim_start().strip_prefix("Event");
        let is_event = name.is_some_and(|rest| rest.starts_with([' ', '\t', '"']));
        let has_event = || self.game.tags.iter().any(|tag| tag.what.0 == "Event");
        is_event && (self.game.fault.is_some() || has_event())
    }

    /// A tag, whose name and first quotation mark are there.
    fn tag<'t>(&mut self, rest: &'t str) -> &'t str {
        let (name, rest) = rest.split_at(rest.find('"').unwrap_or_default());
        let name = name[1..].trim().to_string();
        let Some(length) = value_length(rest) else {
            self.fault(PgnFault::ValueNotClosed(name));
            return "";
        };
        let value = unescaped_value(&rest[1..length - 1]);
        self.begin();
        if self.game.fault.is_none() {
            self.game.tags.push(At { line: self.line, what: (name, value) });
        }
        let rest = rest[length..].trim_start_matches([' ', '\t']);
        rest.strip_prefix(']').unwrap_or_else(|| {
            self.fault(PgnFault::TagNotClosed);
            ""
        })
    }

    /// A move, its number, a result, or several of these without a space between them.
    fn word<'t>(&mut self, rest: &'t str) -> &'t str {
        let ends = |c: char| is_space(c) || "{}()[]$;".contains(c);
        let (word, rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        let bare = word.trim_end_matches(['!', '?']);
        if let Some(result) = result(bare) {
            self.add(self.line, Item::Result(result));
            return rest;
        }
        if let Some(mv) = move_of(bare) {
            self.add(self.line, Item::Move(mv));
        }
        if let Some(nag) = glyph(&word[bare.len()..]) {
            self.add(self.line, Item::Nag(nag));
        }
        rest
    }
}
