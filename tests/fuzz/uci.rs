//! Lines of UCI.

use std::sync::Arc;

use garrison::rules::Position;

use crate::session::{Case, Dialect, Expect};
use crate::stock::Stock;
use crate::walk::Random;
use crate::words::{any, damaged, giant, noise, number, small, word, words};

/// A table that is one of a game, and files that are none.
const FILES: [&str; 6] = [
    "<empty>",
    "",
    "no/such/file",
    concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/eval/tables/chesstonia.toml"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"),
    env!("CARGO_MANIFEST_DIR"),
];

/// Refused while a search goes on.
const DISTURBING: [&str; 8] = [
    "position startpos",
    "go depth 1",
    "setoption name MultiPV value 1",
    "ucinewgame",
    "variant shoranji",
    "setup",
    "perft 1",
    "bench 1",
];

pub struct Uci<'s> {
    stock: &'s Stock,
    game: usize,
    position: Position,
}

impl<'s> Uci<'s> {
    pub fn new(stock: &'s Stock) -> Uci<'s> {
        let game = stock.game("sixfortresses").expect("the first game");
        Uci { stock, game, position: Position::start(&stock.variants[game]) }
    }

    fn legal(&self) -> Vec<String> {
        self.position.legal_moves().iter().map(|&mv| self.position.move_text(mv)).collect()
    }

    /// A position of the game that is set.
    fn right_position(&self, random: &mut Random) -> Case {
        let line = self.stock.line(random, self.game);
        let plies = random.below(line.moves.len() + 1);
        let from = if random.below(3) == 0 { random.below(plies + 1) } else { 0 };
        let start = match from {
            0 => "startpos".to_string(),
            from => format!("fen {}", line.fens[from]),
        };
        let plies =
            if random.below(4) == 0 { plies } else { plies.min(from + random.below(6)) }.max(from);
        let moves = &line.moves[from..plies];
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        Case::new(format!("position {start}{moves}"), Expect::At(line.fens[plies].clone()))
    }

    fn damaged_fen(&self, random: &mut Random) -> String {
        let fen = self.stock.fen(random, self.game);
        damaged(random, fen)
    }

    fn any_position(&self, random: &mut Random) -> Case {
        let right = self.right_position(random);
        let line = String::from_utf8_lossy(&right.line).into_owned();
        match random.below(8) {
            0 | 1 => Case::new(damaged(random, &line), Expect::Any),
            2 => Case::new(format!("position fen {}", self.damaged_fen(random)), Expect::Any),
            3 => {
                // Of another game.
                let game = random.below(self.stock.variants.len());
                Case::new(format!("position fen {}", self.stock.fen(random, game)), Expect::Any)
            }
            _ => right,
        }
    }

    fn variant(&self, random: &mut Random) -> Case {
        let variant = random.pick(&self.stock.variants).expect("games");
        let name = if random.below(6) == 0 {
            damaged(random, variant.name())
        } else {
            variant.name().to_string()
        };
        let command = any(
            random,
            &["variant ", "setoption name UCI_Variant value ", "setoption name uci_variant value "],
        );
        Case::new(format!("{command}{name}"), Expect::Any)
    }

    fn go(&self, random: &mut Random) -> Case {
        let limit = any(random, &["depth", "nodes", "movetime", "mate"]);
        let searched = match random.below(6) {
            0 => format!(" searchmoves {}", any_moves(random, &self.legal())),
            _ => String::new(),
        };
        match random.below(9) {
            0 => Case::new(format!("go perft {}", small(random)), Expect::Endless),
            1 => Case::new(format!("go infinite{searched}"), Expect::Endless),
            2 => Case::new(format!("go ponder {limit} {}", number(random)), Expect::Endless),
            3 => Case::new(format!("go {limit} {}{searched}", number(random)), Expect::Endless),
            4 => {
                let words = [
                    "wtime",
                    "btime",
                    "winc",
                    "binc",
                    "movestogo",
                    "byoyomi",
                    "depth",
                    "searchmoves",
                    "fast",
                    "ponder",
                ];
                let pairs: Vec<String> = (0..random.below(6))
                    .map(|_| format!("{} {}", any(random, &words), number(random)))
                    .collect();
                Case::new(format!("go {}", pairs.join(" ")), Expect::Endless)
            }
            5 => Case::new(
                format!("go wtime {} btime 10 winc {}", 1 + random.below(3000), random.below(9)),
                Expect::Work,
            ),
            6 => Case::new(format!("perft {}", random.below(2)), Expect::Work),
            _ => Case::new(format!("go {limit} {}", 1 + random.below(2)), Expect::Work),
        }
    }

    /// Options; none that makes searches long or tables large.
    fn option(&self, random: &mut Random) -> Case {
        let (name, value) = match random.below(14) {
            0 => ("Hash", any(random, &["1", "2", "3", "0", "65537", "-1", "x", ""])),
            1 => ("Threads", any(random, &["1", "2", "3", "0", "513", "x", ""])),
            2 => ("Skill Level", any(random, &["0", "1", "2", "21", "-1", "x", ""])),
            3 => ("MultiPV", any(random, &["1", "2", "5", "256", "0", "257", "x"])),
            4 => ("Move Overhead", number(random)),
            5 => ("Clear Hash", any(random, &["", "x"])),
            6 => ("Ponder", any(random, &["true", "false", "x", ""])),
            7 => ("UCI_ShowWDL", any(random, &["true", "false", "TRUE", ""])),
            8 => (
                "Without",
                any(random, &["<empty>", "", "null-move", "null-move,null-move", "x", ","]),
            ),
            9 => ("EvalFile", any(random, &FILES)),
            10 => ("UCI_AnalyseMode", any(random, &["true", "false", "x"])),
            11 => ("VariantPath", any(random, &FILES)),
            _ => (word(random), number(random)),
        };
        match random.below(6) {
            0 => Case::new(format!("setoption name {name}"), Expect::Any),
            1 => Case::new(format!("setoption {name} {value}"), Expect::Any),
            _ => Case::new(format!("setoption name {name} value {value}"), Expect::Any),
        }
    }

    fn setup(&self, random: &mut Random) -> Case {
        let squares = [
            "",
            " done",
            " b1d1",
            " a1b1 c1d1",
            " b9d9",
            " a1a1",
            " x1b1",
            " b1d1 done",
            " b1",
            " é1b1",
        ];
        Case::new(format!("setup{}", any(random, &squares)), Expect::Any)
    }
}

/// Some moves: right ones, and now and then a wrong one among them.
fn any_moves(random: &mut Random, legal: &[String]) -> String {
    let mut moves: Vec<String> =
        (0..1 + random.below(4)).filter_map(|_| random.pick(legal).cloned()).collect();
    if random.below(3) == 0 {
        moves.push(word(random).to_string());
    }
    moves.join(" ")
}

impl Dialect for Uci<'_> {
    fn prologue(&self) -> Vec<String> {
        ["uci", "setoption name Skill Level value 0", "setoption name Hash value 1"]
            .map(str::to_string)
            .into()
    }

    fn question(&mut self) -> (String, String) {
        ("isready".into(), "readyok".into())
    }

    fn case(&mut self, random: &mut Random) -> Case {
        match random.below(40) {
            0..=9 => self.any_position(random),
            10..=17 => self.go(random),
            18..=21 => self.option(random),
            22 | 23 => self.variant(random),
            24 | 25 => self.setup(random),
            26..=29 => {
                let quiet = [
                    "d",
                    "legal",
                    "variants",
                    "eval",
                    "uci",
                    "isready",
                    "debug on",
                    "register later",
                    "",
                    "   ",
                    "stop",
                ];
                Case::new(any(random, &quiet), Expect::Fine)
            }
            30 => Case::new("ucinewgame", Expect::Fine),
            31 => Case::new(
                any(
                    random,
                    &[
                        "ponderhit",
                        "position",
                        "position fen",
                        "setoption",
                        "variant",
                        "position startposition",
                    ],
                ),
                Expect::Refused,
            ),
            32 | 33 => Case::new(noise(random), Expect::Any),
            34 | 35 => Case::new(harmless(words(random)), Expect::Any),
            36 if random.below(300) == 0 => Case::new(giant(random), Expect::Any),
            37 if random.below(100) == 0 => Case::new("bench 1", Expect::Work),
            _ => {
                let moves = any_moves(random, &self.legal());
                Case::new(format!("position startpos moves {moves}"), Expect::Any)
            }
        }
    }

    fn meanwhile(&mut self, random: &mut Random) -> Case {
        match random.below(6) {
            0..=2 => Case::new(any(random, &DISTURBING), Expect::Any),
            3 => Case::new(
                any(random, &["d", "legal", "eval", "uci", "variants", "isready", "hello"]),
                Expect::Any,
            ),
            4 => Case::new("ponderhit", Expect::Any),
            _ => Case::new(noise(random), Expect::Any),
        }
    }

    fn stop(&self) -> &'static str {
        "stop"
    }

    fn refuses(&self, line: &str) -> bool {
        // A table of another game is told when it is used, and done without.
        line.starts_with("info string error: ") && !line.starts_with("info string error: EvalFile:")
    }

    fn ends_work(&self, line: &str) -> Result<bool, String> {
        if let Some(rest) = line.strip_prefix("bestmove ") {
            let mut words = rest.split(' ');
            let best = words.next().unwrap_or("");
            if !self.position.has_legal_move() || self.position.status().outcome().is_some() {
                return if best == "(none)" {
                    Ok(true)
                } else {
                    Err(format!("{line}, but the game is over"))
                };
            }
            let mut position = self.position.clone();
            position.play(best).map_err(|error| format!("{line}: {error}"))?;
            if let (Some("ponder"), Some(reply)) = (words.next(), words.next()) {
                position.play(reply).map_err(|error| format!("{line}: {error}"))?;
            }
            return Ok(true);
        }
        // The last line of a count, of one that was stopped, and of the fixed work.
        let ends = line.starts_with("Nodes searched: ")
            || line == "info string perft stopped"
            || line.ends_with(" nps");
        Ok(ends && !line.starts_with("info depth"))
    }

    fn show(&self) -> &'static str {
        "d"
    }

    fn shown(&mut self, answer: &[String], wanted: Option<&str>) -> Result<(), String> {
        let fen = answer
            .iter()
            .find_map(|line| line.strip_prefix("Fen: "))
            .ok_or("no position is shown")?;
        match wanted {
            Some("") if fen != self.position.fen() => {
                return Err(format!(
                    "changed without a reason: {} was {}",
                    fen,
                    self.position.fen()
                ));
            }
            Some(wanted) if !wanted.is_empty() && fen != wanted => {
                return Err(format!("at {fen} in place of {wanted}"));
            }
            Some("") => return Ok(()),
            _ => {}
        }
        self.position = Position::from_fen(&self.stock.variants[self.game], fen)
            .map_err(|error| format!("{fen} does not read back: {error}"))?;
        Ok(())
    }

    fn heard(&mut self, answer: &[String]) {
        for line in answer {
            let name =
                line.strip_prefix("info string variant ").and_then(|rest| rest.split(' ').next());
            if let Some(game) = name.and_then(|name| self.stock.game(name)) {
                self.game = game;
                self.position = Position::start(&Arc::clone(&self.stock.variants[game]));
            }
        }
    }
}

/// A line that begins no long work.
fn harmless(line: String) -> String {
    let first = line.split_whitespace().next().unwrap_or("");
    if ["go", "perft", "bench", "quit"].contains(&first) { format!("no {line}") } else { line }
}
