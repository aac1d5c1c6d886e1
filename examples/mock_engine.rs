//! An engine for the tests of `garrison match`: it plays legal moves that depend on the position only, and
//! misbehaves on request.
//!
//! `mock_engine [MODE[:N]]`: in its N-th move of a game (default 3) it does what MODE says: `crash`, `stall`
//! (says nothing any more, not even to `stop`), `late` (answers after 12 s and reports that it took
//! 1 ms), `garbage` (no move text), `illegal`, `flood` (talks without end), `longline` (without a line
//! feed). `noise` plays well between lines of nonsense, `mute` never answers `uci`, `quits` ends after each game,
//! `refuses` plays no game.

use std::io::{BufRead, Write};
use std::time::Duration;

use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, Variant, find};

struct Mock {
    mode: String,
    at: u32,
    moves: u32,
    variant: std::sync::Arc<Variant>,
    position: Position,
}

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_default();
    let (mode, at) = argument.split_once(':').unwrap_or((&argument, "3"));
    let variant = find("swda-oo").expect("a built-in game");
    let position = Position::start(&variant);
    let at = at.parse().expect("MODE:N with a number");
    let mut mock = Mock { mode: mode.to_string(), at, moves: 0, variant, position };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if !mock.obey(&line) {
            return;
        }
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

impl Mock {
    /// Does what a line says; whether it goes on.
    fn obey(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] if self.mode == "mute" => {}
            ["uci"] => {
                say(&format!("id name Mock {}", self.mode));
                let names: Vec<String> =
                    builtin_names().iter().map(|n| format!(" var {n}")).collect();
                let names = names.concat();
                say(&format!("option name UCI_Variant type combo default swda-oo{names}"));
                say("option name Hash type spin default 1 min 1 max 1024");
                say("uciok");
            }
            ["isready"] => say("readyok"),
            ["setoption", "name", "UCI_Variant", ..] if self.mode == "refuses" => {
                say("info string error: not that game");
            }
            ["setoption", "name", "UCI_Variant", "value", name] => {
                self.variant = find(name).expect("a known game");
            }
            ["ucinewgame"] => {
                if self.mode == "quits" && self.moves > 0 {
                    return false;
                }
                self.moves = 0;
            }
            ["position", rest @ ..] => self.set_position(rest),
            ["go", ..] => return self.go(),
            ["quit"] => return self.mode == "stall",
            _ => {}
        }
        true
    }

    fn set_position(&mut self, words: &[&str]) {
        let split = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        self.position = match &words[..split] {
            ["fen", fen @ ..] => {
                Position::from_fen(&self.variant, &fen.join(" ")).expect("a position of the game")
            }
            _ => Position::start(&self.variant),
        };
        for text in words.iter().skip(split + 1) {
            self.position.play(text).expect("a legal move");
        }
    }

    fn go(&mut self) -> bool {
        self.moves += 1;
        if self.moves == self.at {
            match self.mode.as_str() {
                "crash" => return false,
                "stall" => loop {
                    std::thread::sleep(Duration::from_secs(60));
                },
                "late" => {
                    std::thread::sleep(Duration::from_secs(12));
                    say("info depth 1 score cp 0 nodes 1 time 1");
                }
                "garbage" => {
                    say("bestmove \u{1b}[31mI resign!");
                    return true;
                }
                "illegal" => {
                    say("bestmove a1a1");
                    return true;
                }
                "flood" => loop {
                    say("info string and another thing");
                },
                "longline" => loop {
                    print!("{}", "and another thing, ".repeat(1000));
                },
                _ => {}
            }
        }
        if self.mode == "noise" {
            say("\u{1b}[2J%%% bestmove");
            say("info depth x score cp score mate pv bestmove");
            say("");
        }
        self.answer();
        true
    }

    /// Plays the move whose text and position mix to the smallest number.
    fn answer(&self) {
        let key = self.position.key().to_string();
        let mix = |text: &str| {
            key.bytes().chain(text.bytes()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3).rotate_left(17)
            })
        };
        let list = self.position.legal_moves();
        let texts = list.iter().map(|&mv| self.position.move_text(mv));
        let best = texts.min_by_key(|text| mix(text)).unwrap_or("(none)".to_string());
        let hash = mix(&best);
        // Games end in another order than they begin when several are played at once.
        std::thread::sleep(Duration::from_micros(hash % 500));
        let (depth, score, nodes) = (1 + hash % 9, hash as i64 % 300, 1 + hash % 1000);
        say(&format!(
            "info depth {depth} score cp {score} nodes {nodes} time {} pv {best}",
            hash % 7
        ));
        say(&format!("bestmove {best}"));
    }
}
