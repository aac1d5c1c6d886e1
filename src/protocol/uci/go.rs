//! What stands behind `go`.

use std::iter::Peekable;
use std::str::SplitWhitespace;
use std::time::Duration;

use super::Form;
use crate::engine::{Clock, Limits};
use garrison_rules::{Color, Position, shown};

/// What `go` asks for.
#[derive(Debug, Clone)]
pub(super) enum Go {
    /// A search.
    Search {
        /// When it ends.
        limits: Limits,
        /// Whether it goes on until it is stopped, whatever it finds.
        infinite: bool,
        /// Whether it thinks on the other side's time.
        ponder: bool,
    },
    /// Counts of legal move paths.
    Perft(u32),
    /// A forced win, as USI asks for it: within a time, or however long it takes.
    Mate(Option<Duration>),
}

/// The deepest perft that may be asked for.
const MAX_PERFT: u32 = 64;

/// What may stand behind `go`.
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

/// Reads the words behind `go`. Unknown ones are skipped, as UCI demands; they are returned too.
pub(super) fn parse(text: &str, position: &Position, form: Form) -> Result<(Go, String), String> {
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
                    Err("go perft takes one number only".into())
                };
            }
            "mate" if form == Form::Usi => return reader.usi_mate(text),
            _ if reader.limit(word)? => {}
            _ => skipped.push(word),
        }
    }
    Ok((reader.search(text)?, skipped.join(" ")))
}

/// What has been read of a `go`.
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
    /// Reads a limit and its value; says whether it was one.
    fn limit(&mut self, word: &str) -> Result<bool, String> {
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

    /// Whose clock a word is about. In USI the side that moves first is called Black.
    fn side(&self, word: &str) -> Color {
        if word.starts_with('w') == (self.form == Form::Uci) { Color::White } else { Color::Black }
    }

    fn clock(&mut self) -> &mut Clock {
        self.clock.get_or_insert_default()
    }

    fn number(&mut self, word: &str, most: u64) -> Result<u64, String> {
        let value = self.words.next().ok_or_else(|| format!("go {word} needs a number"))?;
        let fault = || format!("go {word} '{}' is no number from 0 to {most}", shown(value));
        value.parse::<u64>().ok().filter(|number| *number <= most).ok_or_else(fault)
    }

    /// A time in milliseconds. A clock that has run out may be negative.
    fn time(&mut self, word: &str) -> Result<Duration, String> {
        let value = self.words.next();
        let value = value.ok_or_else(|| format!("go {word} needs a number of milliseconds"))?;
        let fault = || format!("go {word} '{}' is no number of milliseconds", shown(value));
        let number: i64 = value.parse().map_err(|_| fault())?;
        Ok(Duration::from_millis(number.clamp(0, 1 << 40) as u64))
    }

    fn search_moves(&mut self) -> Result<(), String> {
        while let Some(word) = self.words.peek() {
            let Ok(mv) = self.form.parse_move(self.position, word) else { break };
            self.limits.search_moves.push(mv);
            self.words.next();
        }
        let next = self.words.peek().copied().unwrap_or("");
        if self.limits.search_moves.is_empty() || !(next.is_empty() || WORDS.contains(&next)) {
            return Err(format!("go searchmoves '{}' is no legal move", shown(next)));
        }
        Ok(())
    }

    /// `mate <ms>`, `mate infinite`.
    fn usi_mate(mut self, text: &str) -> Result<(Go, String), String> {
        if text.split_whitespace().count() != 2 {
            return Err(
                "go mate takes a number of milliseconds or 'infinite', and nothing else".into()
            );
        }
        let time = match self.words.peek() {
            Some(&"infinite") => None,
            _ => Some(self.time("mate")?),
        };
        Ok((Go::Mate(time), String::new()))
    }

    fn search(self, text: &str) -> Result<Go, String> {
        let mover = self.position.side();
        let own = match (mover, self.form) {
            (Color::White, Form::Uci) | (Color::Black, Form::Usi) => "wtime",
            (Color::Black, Form::Uci) | (Color::White, Form::Usi) => "btime",
        };
        // A front end of USI may leave out clocks that have nothing but byoyomi.
        let needs = |clock: &Clock| self.form == Form::Uci || clock.byoyomi.is_zero();
        let given = text.split_whitespace().any(|word| word == own);
        if self.clock.as_ref().is_some_and(needs) && !given {
            return Err(format!("go with a clock needs {own}: {mover} is to move"));
        }
        let limits = Limits { clock: self.clock, ..self.limits };
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

    fn go(text: &str) -> Result<Go, String> {
        read(text, Form::Uci).map(|(go, _)| go)
    }

    fn read(text: &str, form: Form) -> Result<(Go, String), String> {
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
