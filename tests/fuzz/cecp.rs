//! Lines of XBoard's protocol.

use garrison::protocol::cecp::text;
use garrison_rules::Position;

use crate::session::{Case, Dialect, Expect, Wanted};
use crate::stock::Stock;
use crate::walk::Random;
use crate::words::{any, damaged, giant, noise, number, small, with_noise, word, words};

/// Commands that change nothing of the position and are never refused.
const QUIET: [&str; 26] = [
    "xboard",
    "protover 2",
    "accepted setboard",
    "rejected san",
    "random",
    "computer",
    "name x",
    "rating 1 2",
    "ics -",
    "hint",
    "bk",
    ".",
    "?",
    "draw",
    "easy",
    "post",
    "nopost",
    "d",
    "legal",
    "variants",
    "",
    "force",
    "result * {none}",
    "exit",
    "lift",
    "put é1",
];

/// Commands that take words.
const COMMANDS: [&str; 19] = [
    "protover", "variant", "level", "st", "sd", "time", "otim", "usermove", "ping", "result",
    "setboard", "memory", "cores", "option", "lift", "put", "hover", "setup", "name",
];

/// Commands with values, right and wrong.
const SETTINGS: [(&str, &[&str]); 15] = [
    ("level", &["40 5 0", "0 0:01 0", "0 0 0", "40 5", "x 5 0", "40 5 -1", "1 1 1 1", ""]),
    ("st", &["1", "0.01", "0", "-1", "NaN", "inf", "x", ""]),
    ("sd", &["1", "2", "0", "-1", "x", "99999999999"]),
    ("time", &["1", "1000", "-100", "NaN", "1e300", "x", ""]),
    ("otim", &["1", "1000", "-100", "NaN", "1e300", "x", ""]),
    ("memory", &["1", "2", "0", "-1", "x", ""]),
    ("cores", &["1", "2", "0", "-1", "x", ""]),
    (
        "option",
        &["Skill Level=0", "Skill Level=1", "Skill Level=21", "Skill Level", "Skill Level=x"],
    ),
    ("option", &["MultiPV=2", "multipv=1", "MultiPV=257", "MultiPV"]),
    ("option", &["Clear Hash", "Clear Hash=1", "Setup Phase=1", "Setup Phase=0", "Setup Phase=2"]),
    (
        "option",
        &["EvalFile=no/such", "EvalFile=", "VariantPath=no/such", "VariantPath=", "=", "x=1"],
    ),
    (
        "option",
        &["Move Overhead=0", "Move Overhead=5001", "Without=null-move", "Without=", "Without=x"],
    ),
    ("protover", &["1", "3", "x", ""]),
    ("accepted", &["usermove", ""]),
    ("ping", &["1", "x", ""]),
];

pub struct Cecp<'s> {
    stock: &'s Stock,
    game: usize,
    position: Position,
    pings: u64,
    /// What was said last, if the answer depends on it.
    said: String,
}

impl<'s> Cecp<'s> {
    pub fn new(stock: &'s Stock) -> Cecp<'s> {
        let game = stock.game("chess").expect("the first game");
        let position = Position::start(&stock.variants[game]);
        Cecp { stock, game, position, pings: 1_000_000, said: String::new() }
    }

    /// A move: mostly a legal one.
    fn any_move(&self, random: &mut Random) -> String {
        let legal = self.position.legal_moves();
        let right = random.pick(&legal).map(|&mv| text::move_text(&self.position, mv));
        let right = right.unwrap_or_else(|| "e2e4".to_string());
        match random.below(8) {
            0 => damaged(random, &right),
            1 => word(random).to_string(),
            _ => right,
        }
    }

    fn any_board(&self, random: &mut Random) -> String {
        let own = random.below(8) != 0;
        let game = if own { self.game } else { random.below(self.stock.variants.len()) };
        let fen = self.stock.fen(random, game).to_string();
        if random.below(3) == 0 { damaged(random, &fen) } else { fen }
    }

    fn any_square(&self, random: &mut Random) -> String {
        let file = b'_' + random.below(18) as u8;
        format!("{}{}", char::from(file), random.below(15))
    }
}

impl Dialect for Cecp<'_> {
    fn prologue(&self) -> Vec<String> {
        ["xboard", "protover 2", "option Skill Level=0", "memory 1", "sd 1"]
            .map(str::to_string)
            .into()
    }

    fn limit(&self) -> &'static str {
        "sd 1"
    }

    fn question(&mut self) -> (String, String) {
        self.pings += 1;
        (format!("ping {}", self.pings), format!("pong {}", self.pings))
    }

    fn case(&mut self, random: &mut Random) -> Case {
        let case = match random.below(40) {
            0..=9 => Case::new(format!("usermove {}", self.any_move(random)), Expect::Any),
            10 => Case::new(self.any_move(random), Expect::Any),
            11..=13 => Case::new("go", Expect::Any),
            14 => Case::new(any(random, &["playother", "analyze", "hard", "new"]), Expect::Any),
            15 | 16 => Case::new(any(random, &["undo", "remove"]), Expect::Any),
            17 | 18 => Case::new(format!("setboard {}", self.any_board(random)), Expect::Any),
            19..=21 => {
                let command = any(random, &["lift", "put", "hover"]);
                Case::new(format!("{command} {}", self.any_square(random)), Expect::Fine)
            }
            22 | 23 => {
                let variant = random.pick(&self.stock.variants).expect("games");
                let wrong = random.below(4) == 0;
                let name = if wrong {
                    damaged(random, variant.name())
                } else {
                    variant.name().to_string()
                };
                Case::new(format!("variant {name}"), Expect::Any)
            }
            24..=27 => {
                let (command, values) = *random.pick(&SETTINGS).expect("settings");
                Case::new(format!("{command} {}", any(random, values)), Expect::Any)
            }
            28..=32 => Case::new(any(random, &QUIET), Expect::Any),
            33 => Case::new(
                format!("setup {}", any(random, &["", "b1d1", "done", "x", "a1a1"])),
                Expect::Any,
            ),
            34 => match random.below(2) {
                0 => Case::new(noise(random), Expect::Any),
                _ => Case::new(with_noise(random, &COMMANDS), Expect::Any),
            },
            35 => Case::new(words(random), Expect::Any),
            36 => Case::new(format!("{} {}", word(random), number(random)), Expect::Any),
            37 if random.below(100) == 0 => Case::new(giant(random), Expect::Any),
            38 => Case::new(format!("ping {}", small(random)), Expect::Any),
            _ => Case::new(format!("ping {}", word(random)), Expect::Any),
        };
        self.said = String::from_utf8_lossy(&case.line).trim().to_string();
        case
    }

    fn meanwhile(&mut self, random: &mut Random) -> Case {
        self.case(random)
    }

    fn stop(&self) -> &'static str {
        "?"
    }

    fn refuses(&self, line: &str) -> bool {
        let marks = ["Error (", "Illegal move (", "tellusererror "];
        marks.iter().any(|mark| line.starts_with(mark))
            && !line.starts_with("tellusererror EvalFile:")
            // Beside the refusal itself.
            && !line.starts_with("tellusererror Illegal move ")
    }

    fn is_over(&self) -> bool {
        self.position.status().outcome().is_some()
    }

    fn ends_work(&self, line: &str) -> Result<bool, String> {
        Ok(line.starts_with("move "))
    }

    fn show(&self) -> &'static str {
        "d"
    }

    fn shown(&mut self, answer: &[String], wanted: Wanted<'_>) -> Result<(), String> {
        let fen = answer
            .iter()
            .find_map(|line| line.strip_prefix("# Fen: "))
            .ok_or("no position is shown")?;
        let before = self.position.fen();
        if wanted == Wanted::Same && fen != before {
            return Err(format!("changed without a reason: {fen} was {before}"));
        }
        self.position = Position::from_fen(&self.stock.variants[self.game], fen)
            .map_err(|error| format!("{fen} does not read back: {error}"))?;
        Ok(())
    }

    fn heard(&mut self, answer: &[String]) -> Result<(), String> {
        let said = std::mem::take(&mut self.said);
        let is_new = said.split_whitespace().next() == Some("new");
        let chosen = if is_new { Some("chess") } else { said.strip_prefix("variant ") };
        if let Some(game) = chosen.and_then(|name| self.stock.game(name.trim())) {
            self.game = game;
            self.position = Position::start(&self.stock.variants[game]);
        }
        if answer.iter().any(|line| line.starts_with("move ")) {
            self.check_moves(&said, answer)?;
        }
        Ok(())
    }
}

impl Cecp<'_> {
    /// The engine has moved, after a move of the other side or of its own accord: its move must be legal.
    fn check_moves(&mut self, said: &str, answer: &[String]) -> Result<(), String> {
        if said.starts_with("setup") {
            return Ok(());
        }
        let mut position = self.position.clone();
        let mut after = position.clone();
        let own = said.strip_prefix("usermove ").unwrap_or(said).trim();
        keep_arrays(&mut after, own);
        if let Ok(mv) = text::parse_move(&after, own) {
            after.make(mv);
            position = after;
        }
        for text in answer.iter().filter_map(|line| line.strip_prefix("move ")) {
            keep_arrays(&mut position, text);
            let mv = text::parse_move(&position, text);
            position.make(mv.map_err(|fault| format!("move {text} after '{said}': {fault}"))?);
        }
        Ok(())
    }
}

/// Before a move that is no setup, the pieces stay as they stand.
fn keep_arrays(position: &mut Position, text: &str) {
    if !text.starts_with('=') {
        position.keep_arrays();
    }
}
