//! The arguments of `go`.

use std::iter::Peekable;
use std::str::SplitWhitespace;
use std::time::Duration;

use super::Form;
use crate::engine::{Clock, Limits};
use garrison_rules::{Color, Position, shown};
use thiserror::Error;

/// The task of a `go`.
#[derive(Debug, Clone)]
pub(super) enum Go {
    /// A search.
    Search {
        /// When it ends.
        limits: Limits,
        /// Whether it runs until it is stopped.
        infinite: bool,
        /// Whether it is a ponder search.
        ponder: bool,
    },
    /// Perft to this depth.
    Perft(u32),
    /// A forced win, as USI asks for it: within a time, or however long it takes.
    Mate(Option<Duration>),
}

/// Whether the arguments of `go` ask for a count.
pub(super) fn is_count(text: &str) -> bool {
    text.split_whitespace().any(|word| word == "perft")
}

/// The deepest perft that may be asked for.
const MAX_PERFT: u32 = 64;

/// The keywords of `go`.
const WORDS: [&str; 14] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "byoyomi",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Why the arguments of `go` are refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(in crate::protocol) enum GoError {
    /// `perft` with other words.
    #[error("go perft takes one number only")]
    PerftWithMore,
    /// USI's `mate` without its one value, or with other words.
    #[error("go mate takes a number of milliseconds or 'infinite', and nothing else")]
    MateSyntax,
    /// A keyword without its number.
    #[error("go {0} needs a number")]
    NeedsNumber(String),
    /// A value that is no number, or too large.
    #[error("go {word} '{}' is no number from 0 to {most}", shown(.value))]
    NotANumber {
        /// The keyword.
        word: String,
        /// The value.
        value: String,
        /// The largest value allowed.
        most: u64,
    },
    /// A keyword without its time.
    #[error("go {0} needs a number of milliseconds")]
    NeedsTime(String),
    /// A value that is no time.
    #[error("go {word} '{}' is no number of milliseconds", shown(.value))]
    NotATime {
        /// The keyword.
        word: String,
        /// The value.
        value: String,
    },
    /// A word behind `searchmoves` that is no legal move.
    #[error("go searchmoves '{}' is no legal move", shown(.0))]
    SearchMove(String),
    /// A clock without the time of the side to move.
    #[error("go with a clock needs {keyword}: {side} is to move")]
    NeedsClock {
        /// The keyword of its time.
        keyword: &'static str,
        /// The side to move, as the dialect calls it.
        side: Color,
    },
}

/// Reads the arguments of `go`. Unknown words are skipped, as UCI demands, and returned as text.
pub(super) fn parse(text: &str, position: &Position, form: Form) -> Result<(Go, String), GoError> {
    let mut reader = Reader {
        words: text.split_whitespace().peekable(),
        position,
        form,
        limits: Limits::default(),
        clock: None,
        infinite: false,
        ponder: false,
    };
    let mut skipped: Vec<&str> = Vec::new();
    while let Some(word) = reader.words.next() {
        match word {
            "perft" => {
                let depth = reader.number(word, u64::from(MAX_PERFT))? as u32;
                return if text.split_whitespace().count() == 2 {
                    Ok((Go::Perft(depth), String::new()))
                } else {
                    Err(GoError::PerftWithMore)
                };
            }
            "mate" if form == Form::Usi => return reader.usi_mate(text),
            _ if reader.limit(word)? => {}
            _ => skipped.push(word),
        }
    }
    Ok((reader.search(text)?, skipped.join(" ")))
}

/// The arguments read so far.
struct Reader<'t> {
    words: Peekable<SplitWhitespace<'t>>,
    position: &'t Position,
    form: Form,
    limits: Limits,
    clock: Option<Clock>,
    infinite: bool,
    ponder: bool,
}

impl<'t> Reader<'t> {
    /// Reads a limit and its value; returns false if the word is no limit.
    fn limit(&mut self, word: &str) -> Result<bool, GoError> {
        match word {
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            "depth" => {
                let depth = self.number(word, u64::from(u32::MAX))?;
                self.limits.depth = Some(at_least_one(depth) as u32);
            }
            "mate" => self.limits.mate = Some(at_least_one(self.number(word, 1000)?) as u32),
            "nodes" => self.limits.nodes = Some(at_least_one(self.number(word, u64::MAX)?)),
            "movetime" => self.limits.move_time = Some(self.time(word)?),
            "searchmoves" => self.search_moves()?,
            "movestogo" => {
                let moves = at_least_one(self.number(word, 10_000)?) as u32;
                self.clock().moves_to_go = Some(moves);
            }
            "byoyomi" => self.clock().byoyomi = self.time(word)?,
            "wtime" | "btime" => {
                let side = self.side(word);
                self.clock().left[side] = self.time(word)?;
            }
            "winc" | "binc" => {
                let side = self.side(word);
                self.clock().increment[side] = self.time(word)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The player whose clock a keyword sets. In USI the player who moves first is called Black.
    fn side(&self, word: &str) -> Color {
        let named = if word.starts_with('w') { Color::White } else { Color::Black };
        self.form.color(named)
    }

    fn clock(&mut self) -> &mut Clock {
        self.clock.get_or_insert_default()
    }

    fn number(&mut self, word: &str, most: u64) -> Result<u64, GoError> {
        let value = self.words.next().ok_or_else(|| GoError::NeedsNumber(word.to_string()))?;
        let number = value.parse::<u64>().ok().filter(|number| *number <= most);
        let (word, value) = (word.to_string(), value.to_string());
        number.ok_or(GoError::NotANumber { word, value, most })
    }

    /// A time in milliseconds. A clock that has run out may be negative.
    fn time(&mut self, word: &str) -> Result<Duration, GoError> {
        let value = self.words.next().ok_or_else(|| GoError::NeedsTime(word.to_string()))?;
        let fault = |_| GoError::NotATime { word: word.to_string(), value: value.to_string() };
        let number: i64 = value.parse().map_err(fault)?;
        Ok(Duration::from_millis(number.clamp(0, 1 << 40) as u64))
    }

    fn search_moves(&mut self) -> Result<(), GoError> {
        while let Some(word) = self.words.peek() {
            let Ok(mv) = self.form.parse_move(self.position, word) else { break };
            self.limits.search_moves.push(mv);
            self.words.next();
        }
        let next = self.words.peek().copied().unwrap_or("");
        if self.limits.search_moves.is_empty() || !(next.is_empty() || WORDS.contains(&next)) {
            return Err(GoError::SearchMove(next.to_string()));
        }
        Ok(())
    }

    /// `mate <ms>`, `mate infinite`.
    fn usi_mate(mut self, text: &str) -> Result<(Go, String), GoError> {
        if text.split_whitespace().count() != 2 {
            return Err(GoError::MateSyntax);
        }
        let time = match self.words.peek() {
            Some(&"infinite") => None,
            _ => Some(self.time("mate")?),
        };
        Ok((Go::Mate(time), String::new()))
    }

    fn search(self, text: &str) -> Result<Go, GoError> {
        let side = self.form.color(self.position.side_to_move());
        let keyword = match side {
            Color::White => "wtime",
            Color::Black => "btime",
        };
        // A front end of USI may leave out clocks that have nothing but byoyomi.
        let needs = |clock: &Clock| self.form == Form::Uci || clock.byoyomi.is_zero();
        let given = text.split_whitespace().any(|word| word == keyword);
        if self.clock.as_ref().is_some_and(needs) && !given {
            return Err(GoError::NeedsClock { keyword, side });
        }
        let limits = Limits { clock: self.clock, plays_on: true, ..self.limits };
        let (ponder, infinite) = (self.ponder, self.infinite);
        Ok(Go::Search { infinite: infinite || (limits.is_infinite() && !ponder), limits, ponder })
    }
}

fn at_least_one(number: u64) -> u64 {
    number.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    fn go(text: &str) -> Result<Go, GoError> {
        read(text, Form::Uci).map(|(go, _)| go)
    }

    fn read(text: &str, form: Form) -> Result<(Go, String), GoError> {
        parse(text, &Position::start(&find("swda-oo").expect("a game")), form)
    }

    #[test]
    fn unknown_words_are_skipped() {
        let (go, skipped) = read("fast depth 2 and 7 easy", Form::Uci).expect("a search");
        assert_eq!(skipped, "fast and 7 easy");
        assert!(matches!(go, Go::Search { limits: Limits { depth: Some(2), .. }, .. }));
    }

    #[test]
    fn black_moves_first_in_usi() {
        let (go, _) = read("btime 5 wtime 7 binc 1 winc 2", Form::Usi).expect("a search");
        let Go::Search { limits, .. } = go else { panic!("a search") };
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.left.0, [5, 7].map(Duration::from_millis));
        assert_eq!(clock.increment.0, [1, 2].map(Duration::from_millis));
        assert!(read("wtime 7", Form::Usi).is_err());
        assert!(read("byoyomi 7", Form::Usi).is_ok());
        assert!(matches!(read("mate 500", Form::Usi), Ok((Go::Mate(Some(_)), _))));
        assert!(matches!(read("mate infinite", Form::Usi), Ok((Go::Mate(None), _))));
        assert!(read("mate", Form::Usi).is_err() && read("mate x", Form::Usi).is_err());
    }

    #[test]
    fn limits_are_read() {
        let Ok(Go::Search { limits, infinite, .. }) = go(
            "wtime 1000 btime -5 byoyomi 50 winc 10 binc 0 movestogo 7 depth 3 searchmoves e2e3 d2d3",
        ) else {
            panic!("a search");
        };
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.byoyomi, Duration::from_millis(50));
        assert_eq!(clock.left.0, [Duration::from_secs(1), Duration::ZERO]);
        assert_eq!(
            (clock.moves_to_go, limits.depth, limits.search_moves.len()),
            (Some(7), Some(3), 2)
        );
        assert!(!infinite);
        assert!(matches!(go(""), Ok(Go::Search { infinite: true, .. })));
        assert!(matches!(go("perft 3"), Ok(Go::Perft(3))));
    }

    #[test]
    fn wrong_words_are_refused() {
        for wrong in [
            "depth",
            "depth x",
            "depth -1",
            "movetime",
            "movetime 1.5",
            "searchmoves",
            "searchmoves e2e5",
            "searchmoves e2e3 e2e5",
            "perft 2 depth 1",
            "depth 1 perft 2",
            "btime 1000",
            "movestogo 5",
            "perft 1000",
            "nodes 99999999999999999999999",
        ] {
            assert!(go(wrong).is_err(), "{wrong}");
        }
    }
}
