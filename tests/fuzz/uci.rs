//! Lines of UCI and USI.

use garrison_rules::Position;

use crate::form::Form;
use crate::session::{Case, Dialect, Expect, Wanted};
use crate::stock::Stock;
use crate::walk::Random;
use crate::words::{any, damaged, giant, noise, number, small, with_noise, word, words};

/// Files that are tables or games, and files that are none.
const FILES: [&str; 7] = [
    "<empty>",
    "",
    "no/such/file",
    concat!(env!("CARGO_MANIFEST_DIR"), "/crates/weights/games/chesstonia.toml"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/crates/rules/games/chesstonia.toml"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"),
    env!("CARGO_MANIFEST_DIR"),
];

/// Options and values; none makes searches long or tables large.
const OPTIONS: [(&str, &[&str]); 14] = [
    ("Hash", &["1", "2", "3", "0", "65537", "-1", "x", ""]),
    ("Threads", &["1", "2", "3", "0", "513", "x", ""]),
    ("Skill Level", &["0", "1", "2", "21", "-1", "x", ""]),
    ("MultiPV", &["1", "2", "5", "256", "0", "257", "x"]),
    ("Move Overhead", &["0", "10", "5000", "5001", "-1", "x"]),
    ("Clear Hash", &["", "x"]),
    ("Ponder", &["true", "false", "x", ""]),
    ("UCI_ShowWDL", &["true", "false", "TRUE", ""]),
    ("UCI_AnalyseMode", &["false", "x"]),
    ("Without", &["<empty>", "", "null-move", "null-move,null-move", "x", ","]),
    ("EvalFile", &FILES),
    ("Ending Tables", &["0", "2", "3", "5", "x", ""]),
    ("Contempt", &["-200", "0", "80", "201", "x", ""]),
    ("VariantPath", &FILES),
];

/// Commands that change nothing.
const QUIET: [&str; 10] =
    ["d", "legal", "variants", "eval", "isready", "debug on", "register later", "stop", "", "   "];

/// Commands that take words.
const COMMANDS: [&str; 9] = [
    "position",
    "position startpos moves",
    "position fen",
    "position sfen",
    "setoption name",
    "setoption name MultiPV value",
    "variant",
    "setup",
    "eval",
];

/// Commands without what they need.
const WRONG: [&str; 6] =
    ["ponderhit", "position", "position startposition", "setoption", "variant", "go depth"];

/// Refused while a search goes on.
const DISTURBING: [&str; 7] = [
    "position startpos",
    "go depth 1",
    "setoption name MultiPV value 1",
    "variant shoranji",
    "setup",
    "perft 1",
    "bench 1",
];

pub struct Uci<'s> {
    form: Form,
    stock: &'s Stock,
    game: usize,
    position: Position,
    /// Whether a position was refused, so that there is none to search.
    is_lost: bool,
    questions: u64,
}

impl<'s> Uci<'s> {
    pub fn new(form: Form, stock: &'s Stock) -> Uci<'s> {
        let first = if form == Form::Usi { "shogi" } else { "chess" };
        let game = stock.game(first).expect("the first game");
        let position = Position::start(&stock.variants[game]);
        Uci { form, stock, game, position, is_lost: false, questions: 0 }
    }

    /// A move in this form.
    fn text(&self, own: &str) -> String {
        self.form.move_text(self.position.variant().geometry(), own)
    }

    /// A position of the game that is set, in this form.
    fn position_text(&self, fen: &str) -> String {
        let variant = self.position.variant();
        format!("{} {}", self.form.position_word(), self.form.position_text(variant, fen))
    }

    /// Some moves, separated by blanks: right ones, and now and then another word among them.
    fn any_moves(&self, random: &mut Random) -> String {
        let legal = self.position.legal_moves();
        let mut moves = Vec::new();
        for _ in 0..1 + random.below(4) {
            let mv = random.pick(&legal).map(|&mv| self.position.move_text(mv));
            moves.extend(mv.map(|own| self.text(&own)));
        }
        if random.below(3) == 0 {
            moves.push(word(random).to_string());
        }
        moves.join(" ")
    }

    /// A position of the game that is set, from its start or from another, with or without moves.
    fn right_position(&self, random: &mut Random) -> Case {
        let line = self.stock.line(random, self.game);
        let from = if random.below(3) == 0 { random.below(line.fens.len()) } else { 0 };
        let rest = line.moves.len() - from;
        let most = if random.below(4) == 0 { rest } else { rest.min(5) };
        let to = from + random.below(most + 1);
        let start = match from {
            0 => "startpos".to_string(),
            from => self.position_text(&line.fens[from]),
        };
        let moves: Vec<String> = line.moves[from..to].iter().map(|own| self.text(own)).collect();
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let there = self.form.position_text(self.position.variant(), &line.fens[to]);
        Case::new(format!("position {start}{moves}"), Expect::At(there))
    }

    fn any_position(&self, random: &mut Random) -> Case {
        let right = self.right_position(random);
        match random.below(8) {
            0 | 1 => {
                let line = String::from_utf8_lossy(&right.line).into_owned();
                Case::new(damaged(random, &line), Expect::Any)
            }
            2 => {
                let fen = self.position_text(self.stock.fen(random, self.game));
                Case::new(format!("position {}", damaged(random, &fen)), Expect::Any)
            }
            3 => {
                let game = random.below(self.stock.variants.len());
                let fen = self.stock.fen(random, game);
                Case::new(format!("position {} {fen}", self.form.position_word()), Expect::Any)
            }
            4 => Case::new(
                format!("position startpos moves {}", self.any_moves(random)),
                Expect::Any,
            ),
            _ => right,
        }
    }

    fn variant(&self, random: &mut Random) -> Case {
        let variant = random.pick(&self.stock.variants).expect("games");
        let wrong = random.below(6) == 0;
        let name = if wrong { damaged(random, variant.name()) } else { variant.name().to_string() };
        let option = self.form.option("UCI_Variant");
        let command = match random.below(3) {
            0 => "variant".to_string(),
            1 => format!("setoption name {option} value"),
            _ => format!("setoption name {} value", option.to_lowercase()),
        };
        Case::new(format!("{command} {name}"), Expect::Any)
    }

    fn go(&self, random: &mut Random) -> Case {
        const CLOCK: [&str; 9] = [
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "byoyomi",
            "depth",
            "searchmoves",
            "fast",
        ];
        let limit = any(random, &["depth", "nodes", "movetime"]);
        match random.below(10) {
            0 => Case::new(format!("go perft {}", small(random)), Expect::Maybe),
            1 => Case::new("go infinite", Expect::Endless),
            2 => Case::new(format!("go ponder {limit} {}", number(random)), Expect::Maybe),
            3 => Case::new(format!("go {limit} {}", number(random)), Expect::Maybe),
            4 => {
                let pairs: Vec<String> = (0..random.below(6))
                    .map(|_| format!("{} {}", any(random, &CLOCK), number(random)))
                    .collect();
                Case::new(format!("go {}", pairs.join(" ")), Expect::Maybe)
            }
            5 => Case::new(format!("go wtime {} btime 9 binc 1", random.below(3000)), Expect::Work),
            6 => Case::new(format!("perft {}", random.below(2)), Expect::Work),
            7 => Case::new(
                format!("go {limit} 9 searchmoves {}", self.any_moves(random)),
                Expect::Maybe,
            ),
            8 => Case::new(format!("go mate {}", number(random)), Expect::Maybe),
            _ => Case::new(format!("go {limit} {}", 1 + random.below(2)), Expect::Work),
        }
    }

    fn option(&self, random: &mut Random) -> Case {
        let (name, values) = *random.pick(&OPTIONS).expect("options");
        let (name, value) = match random.below(8) {
            0 => (word(random).to_string(), number(random)),
            _ => (self.form.option(name), any(random, values)),
        };
        match random.below(8) {
            0 => Case::new(format!("setoption name {name}"), Expect::Any),
            1 => Case::new(format!("setoption {name} {value}"), Expect::Any),
            _ => Case::new(format!("setoption name {name} value {value}"), Expect::Any),
        }
    }

    fn setup(&self, random: &mut Random) -> Case {
        const SQUARES: [&str; 8] = ["", "b1d1", "a1b1 c1d1", "b9d9", "a1a1", "x1b1", "b1", "é1b1"];
        if random.below(4) == 0 {
            return Case::new("setup done", Expect::Any);
        }
        let text = self.text(any(random, &SQUARES));
        Case::new(format!("setup {text}"), Expect::Any)
    }
}

impl Dialect for Uci<'_> {
    fn prologue(&self) -> Vec<String> {
        let option =
            |name, value| format!("setoption name {} value {value}", self.form.option(name));
        vec![self.form.name().into(), option("Skill Level", "0"), option("Hash", "1")]
    }

    fn question(&mut self) -> (String, String) {
        self.questions += 1;
        let question = format!("question{}", self.questions);
        let answer = format!("info string error: unknown command '{question}'");
        (question, answer)
    }

    fn case(&mut self, random: &mut Random) -> Case {
        if std::mem::take(&mut self.is_lost) {
            return self.right_position(random);
        }
        match random.below(40) {
            0..=11 => self.any_position(random),
            12..=19 => self.go(random),
            20..=24 => self.option(random),
            25 | 26 => self.variant(random),
            27 | 28 => self.setup(random),
            29..=32 => Case::new(any(random, &QUIET), Expect::Fine),
            33 => Case::new(self.form.name(), Expect::Fine),
            34 => Case::new(format!("{}newgame", self.form.name()), Expect::Fine),
            35 => Case::new(any(random, &WRONG), Expect::Refused),
            36 => match random.below(2) {
                0 => Case::new(noise(random), Expect::Any),
                _ => Case::new(with_noise(random, &COMMANDS), Expect::Any),
            },
            37 | 38 => Case::new(words(random), Expect::Any),
            _ => match random.below(300) {
                0 => Case::new(giant(random), Expect::Any),
                1 | 2 => Case::new("bench 1", Expect::Work),
                _ => Case::new(format!("hello {}", words(random)), Expect::Any),
            },
        }
    }

    fn meanwhile(&mut self, random: &mut Random) -> Case {
        match random.below(6) {
            0..=2 => Case::new(any(random, &DISTURBING), Expect::Refused),
            3 => Case::new("ponderhit", Expect::Refused),
            4 => Case::new(any(random, &["d", "legal", "variants", "isready"]), Expect::Fine),
            _ => Case::new(noise(random), Expect::Any),
        }
    }

    fn stop(&self) -> &'static str {
        "stop"
    }

    fn refuses(&self, line: &str) -> bool {
        // Evaluation weights of another game are reported when they are used, and ignored.
        line.starts_with("info string error: ") && !line.starts_with("info string error: EvalFile:")
    }

    fn is_over(&self) -> bool {
        // There is a move behind draws by repetition and move count.
        !self.position.has_legal_move()
    }

    fn ends_work(&self, line: &str) -> Result<bool, String> {
        let Some(rest) = line.strip_prefix("bestmove ") else {
            // The last line of a search for a mate, of a count, and of the fixed work.
            let ends = ["checkmate ", "Nodes searched: ", "info string perft stopped"];
            // The lines of single games in a bench have a colon.
            let bench = line.ends_with(" nps") && !line.starts_with("info") && !line.contains(':');
            return Ok(bench || ends.iter().any(|end| line.starts_with(end)));
        };
        let none = if self.form == Form::Uci { "(none)" } else { "resign" };
        if self.is_over() {
            return if rest == none { Ok(true) } else { Err(format!("{line}: the game is over")) };
        }
        let mut position = self.position.clone();
        for text in rest.split(' ').filter(|&word| word != "ponder") {
            let mv = self.form.find(&position, text);
            position.make(mv.ok_or_else(|| format!("{line}: {text} is not legal"))?);
        }
        Ok(true)
    }

    fn show(&self) -> &'static str {
        "d"
    }

    fn shown(&mut self, answer: &[String], wanted: Wanted<'_>) -> Result<(), String> {
        let text = answer.iter().find_map(|line| line.strip_prefix(self.form.title()));
        let text = text.ok_or("no position is shown")?;
        let before = self.form.position_text(self.position.variant(), &self.position.fen());
        match wanted {
            Wanted::Same if text != before => {
                return Err(format!("changed without a reason: {text} was {before}"));
            }
            Wanted::This(wanted) if text != wanted => {
                return Err(format!("at {text} in place of {wanted}"));
            }
            Wanted::Same => return Ok(()),
            _ => {}
        }
        self.position = self.form.position(&self.stock.variants[self.game], text)?;
        Ok(())
    }

    fn refused(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        // A line that is too long to be read counts as a position.
        self.is_lost |= line.contains("position") || line.len() >= 4 << 20;
    }

    fn heard(&mut self, answer: &[String]) -> Result<(), String> {
        for line in answer {
            let name =
                line.strip_prefix("info string variant ").and_then(|rest| rest.split(' ').next());
            if let Some(game) = name.and_then(|name| self.stock.game(name)) {
                self.game = game;
                self.position = Position::start(&self.stock.variants[game]);
            }
        }
        Ok(())
    }
}
