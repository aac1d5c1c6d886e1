//! Splits a PGN text into games, and each game into tags, moves, comments and results, without checking the
//! moves. A fault stays with its game, so that the next games can still be read.

use super::PgnFault;
use super::text::{
    glyph, is_space, looks_like_tag, result, unescaped, unescaped_value, value_length,
    without_number,
};
use garrison_rules::GameResult;

/// An item of the movetext; variations are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Move(String),
    Comment(String),
    Nag(u8),
    Result(GameResult),
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
}

impl RawGame {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.items.is_empty() && self.fault.is_none()
    }
}

/// The games of a text.
pub(super) fn games(text: &str) -> Vec<RawGame> {
    let mut lexer = Lexer {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 1,
        is_line_start: true,
        games: Vec::new(),
        game: RawGame::default(),
        variations: Vec::new(),
    };
    lexer.run();
    lexer.games
}

struct Lexer<'t> {
    rest: &'t str,
    line: usize,
    is_line_start: bool,
    games: Vec<RawGame>,
    game: RawGame,
    /// The lines on which the open variations begin.
    variations: Vec<usize>,
}

impl<'t> Lexer<'t> {
    fn run(&mut self) {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '%' if self.is_line_start => drop(self.take_line()),
                c if is_space(c) => drop(self.take(c.len_utf8())),
                '{' => self.comment(),
                ';' => self.line_comment(),
                '[' => self.bracket(),
                '(' => {
                    self.variations.push(self.line);
                    self.take(1);
                }
                ')' => {
                    if self.variations.pop().is_none() {
                        self.fault(PgnFault::VariationNotOpen);
                    }
                    self.take(1);
                }
                '$' => self.nag(),
                '}' | ']' => {
                    self.fault(PgnFault::NothingToClose(c));
                    self.take(1);
                }
                _ => self.word(),
            }
        }
        self.end_game();
    }

    /// The next bytes, which end at the boundary of a character.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        if !taken.is_empty() {
            self.is_line_start = taken.ends_with('\n');
        }
        self.rest = rest;
        taken
    }

    /// The rest of the line, without its end.
    fn take_line(&mut self) -> &'t str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    fn fault(&mut self, what: PgnFault) {
        self.fault_at(self.line, what);
    }

    fn fault_at(&mut self, line: usize, what: PgnFault) {
        self.begin();
        self.game.fault.get_or_insert(At { line, what });
    }

    fn begin(&mut self) {
        if self.game.is_empty() {
            self.game.line = self.line;
        }
    }

    fn end_game(&mut self) {
        if let Some(&line) = self.variations.first() {
            self.fault_at(line, PgnFault::VariationNotClosed);
            self.variations.clear();
        }
        let game = std::mem::take(&mut self.game);
        if !game.is_empty() {
            self.games.push(game);
        }
    }

    /// Adds an item to the game. After a result, a comment still belongs to the game; a move begins the
    /// next one.
    fn add(&mut self, line: usize, what: Item) {
        if !self.variations.is_empty() {
            return;
        }
        if self.game.is_over && matches!(what, Item::Move(_) | Item::Result(_)) {
            self.end_game();
        }
        self.begin();
        self.game.is_over |= matches!(what, Item::Result(_));
        self.game.items.push(At { line, what });
    }

    fn comment(&mut self) {
        let line = self.line;
        self.take(1);
        // A comment that is not closed must not swallow the next games.
        let next_game = |at: usize| self.rest[at + 1..].starts_with("[Event \"");
        let ends = |&(at, byte): &(usize, u8)| byte == b'}' || (byte == b'\n' && next_game(at));
        let end = self.rest.bytes().enumerate().find(ends);
        let content = self.take(end.map_or(self.rest.len(), |(at, _)| at));
        if self.rest.starts_with('}') {
            self.take(1);
            self.add_comment(line, &unescaped(content));
        } else {
            self.fault_at(line, PgnFault::CommentNotClosed);
        }
    }

    fn line_comment(&mut self) {
        let line = self.line;
        let content = self.take_line();
        self.add_comment(line, &content[1..]);
    }

    fn add_comment(&mut self, line: usize, content: &str) {
        let words: Vec<&str> = content.split(is_space).filter(|word| !word.is_empty()).collect();
        if !words.is_empty() {
            self.add(line, Item::Comment(words.join(" ")));
        }
    }

    fn nag(&mut self) {
        self.take(1);
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (line, digits) = (self.line, self.take(digits));
        // Glyphs end at 255; a larger number is skipped.
        if let Ok(nag) = digits.parse() {
            self.add(line, Item::Nag(nag));
        }
    }

    fn bracket(&mut self) {
        // Within a variation, only a tag at the start of a line begins the next game.
        if !looks_like_tag(self.rest) || (!self.variations.is_empty() && !self.is_line_start) {
            let line = self.rest.lines().next().unwrap_or_default();
            self.fault(PgnFault::NotATag(line.to_string()));
            self.take_line();
            return;
        }
        if !self.game.items.is_empty() || !self.variations.is_empty() || self.is_next_event() {
            self.end_game();
        }
        self.tag();
    }

    /// Whether the tag that begins here is the first of another game though this one has no moves: a
    /// second `Event`, or one behind a fault.
    fn is_next_event(&self) -> bool {
        let name = self.rest[1..].trim_start().strip_prefix("Event");
        let is_event = name.is_some_and(|rest| rest.starts_with([' ', '\t', '"']));
        let has_event = || self.game.tags.iter().any(|tag| tag.what.0 == "Event");
        is_event && (self.game.fault.is_some() || has_event())
    }

    /// A tag, whose name and first quotation mark are there.
    fn tag(&mut self) {
        let line = self.line;
        let quote = self.rest.find('"').unwrap_or_default();
        let name = self.take(quote)[1..].trim().to_string();
        let Some(length) = value_length(self.rest) else {
            self.fault(PgnFault::ValueNotClosed(name));
            self.take_line();
            return;
        };
        let value = unescaped_value(&self.take(length)[1..length - 1]);
        self.begin();
        self.game.tags.push(At { line, what: (name, value) });
        let spaces = self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len();
        self.take(spaces);
        if self.rest.starts_with(']') {
            self.take(1);
        } else {
            self.fault(PgnFault::TagNotClosed);
            self.take_line();
        }
    }

    /// A move, its number, a result, or several of these without a space between them.
    fn word(&mut self) {
        let line = self.line;
        let ends = |c: char| is_space(c) || "{}()[]$;".contains(c);
        let word = self.take(self.rest.find(ends).unwrap_or(self.rest.len()));
        let bare = word.trim_end_matches(['!', '?']);
        if let Some(result) = result(bare) {
            self.add(line, Item::Result(result));
            return;
        }
        let mv = without_number(bare);
        // Some programs write check marks and `e.p.` as separate words; the move needs neither.
        if !["", "+", "++", "#", "e.p.", "ep"].contains(&mv) {
            self.add(line, Item::Move(mv.to_string()));
        }
        if let Some(nag) = glyph(&word[bare.len()..]) {
            self.add(line, Item::Nag(nag));
        }
    }
}
