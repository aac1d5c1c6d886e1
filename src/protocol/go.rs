//! What stands behind `go`.

use std::time::Duration;

use crate::engine::{Clock, Limits};
use crate::rules::{Color, Position, shown};

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

/// Reads the words behind `go`.
pub(super) fn parse(text: &str, position: &Position) -> Result<Go, String> {
    let mut words = text.split_whitespace().peekable();
    let mut limits = Limits::default();
    let mut clock: Option<Clock> = None;
    let (mut infinite, mut ponder) = (false, false);
    while let Some(word) = words.next() {
        let mut number = |most: u64| {
            let value = words.next().ok_or_else(|| format!("go {word} needs a number"))?;
            let fault = || format!("go {word} '{}' is no number from 0 to {most}", shown(value));
            value.parse::<u64>().ok().filter(|number| *number <= most).ok_or_else(fault)
        };
        match word {
            "infinite" => infinite = true,
            "ponder" => ponder = true,
            "depth" => limits.depth = Some(at_least_one(number(u64::from(u32::MAX))?) as u32),
            "mate" => limits.mate = Some(at_least_one(number(1000)?) as u32),
            "nodes" => limits.nodes = Some(at_least_one(number(u64::MAX)?)),
            "perft" => {
                let depth = number(u64::from(MAX_PERFT))? as u32;
                let alone = text.split_whitespace().count() == 2;
                return if alone {
                    Ok(Go::Perft(depth))
                } else {
                    Err("go perft takes one number only".into())
                };
            }
            "movestogo" => {
                clock.get_or_insert_default().moves_to_go =
                    Some(at_least_one(number(10_000)?) as u32);
            }
            "movetime" => limits.move_time = Some(time(words.next(), word)?),
            "wtime" => clock.get_or_insert_default().left[Color::White] = time(words.next(), word)?,
            "btime" => clock.get_or_insert_default().left[Color::Black] = time(words.next(), word)?,
            "byoyomi" => clock.get_or_insert_default().byoyomi = time(words.next(), word)?,
            "winc" => {
                clock.get_or_insert_default().increment[Color::White] = time(words.next(), word)?
            }
            "binc" => {
                clock.get_or_insert_default().increment[Color::Black] = time(words.next(), word)?
            }
            "searchmoves" => {
                while let Some(mv) = words.peek().and_then(|text| position.parse_move(text).ok()) {
                    limits.search_moves.push(mv);
                    words.next();
                }
                let next = words.peek().copied().unwrap_or("");
                if limits.search_moves.is_empty() || !(next.is_empty() || WORDS.contains(&next)) {
                    return Err(format!("go searchmoves '{}' is no legal move", shown(next)));
                }
            }
            _ => return Err(format!("go '{}' is unknown", shown(word))),
        }
    }
    let (needed, mover) = match position.side() {
        Color::White => ("wtime", Color::White),
        Color::Black => ("btime", Color::Black),
    };
    if clock.is_some() && !text.split_whitespace().any(|word| word == needed) {
        return Err(format!("go with a clock needs {needed}: {mover} is to move"));
    }
    limits.clock = clock;
    Ok(Go::Search { infinite: infinite || (limits.is_infinite() && !ponder), limits, ponder })
}

fn at_least_one(number: u64) -> u64 {
    number.max(1)
}

/// A time in milliseconds. A clock that has run out may be negative.
fn time(value: Option<&str>, word: &str) -> Result<Duration, String> {
    let value = value.ok_or_else(|| format!("go {word} needs a number of milliseconds"))?;
    let fault = || format!("go {word} '{}' is no number of milliseconds", shown(value));
    let number: i64 = value.parse().map_err(|_| fault())?;
    Ok(Duration::from_millis(number.clamp(0, 1 << 40) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::find;

    fn go(text: &str) -> Result<Go, String> {
        parse(text, &Position::start(&find("swda-oo").expect("a game")))
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
            "fast",
            "perft 1000",
            "nodes 99999999999999999999999",
        ] {
            assert!(go(wrong).is_err(), "{wrong}");
        }
    }
}
