//! The commands of `garrison play`.

use std::path::PathBuf;
use std::time::Duration;

use garrison_rules::shown;
use thiserror::Error;

use crate::player::{LEVELS, Strength};

/// A line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Move(String),
    /// The legal moves, of one square or all.
    Moves(Option<String>),
    Back,
    Hint,
    /// The program makes the move of the side to move.
    Go,
    Save {
        path: PathBuf,
        /// Whether a file that exists may be replaced.
        replace: bool,
    },
    /// Pairs of squares whose contents change places; none prints the state of the setup.
    Setup(Vec<String>),
    Done,
    Board,
    Flip,
    /// The position as FEN.
    Fen,
    /// The moves so far.
    History,
    Eval,
    /// The strength of the program, to be changed or shown.
    Strength(Option<Strength>),
    /// The time that each side has used.
    Clock,
    Draw,
    Resign,
    New,
    /// Goes on with the game that was kept last.
    Resume,
    Help,
    Quit,
}

/// The text of `help`, at most 60 columns wide.
pub(super) const HELP: &str = " e3e4, e4, Nxd5, N@e5  a move: coordinates, or as written
 moves [SQUARE]        legal moves: all, or those of a piece
 hint, go              what the program would play; play it
 back                  take back your move (undo, takeback)
 board, flip           show the board; turn it around
 fen, history          the position as text; the moves
 eval                  what the position is worth
 level N, time SECONDS how strong the program plays
 clock                 the time that each side has used
 setup b1d1, done      in the setup phase: swap; finish
 draw                  offer, accept or claim a draw
 save [--force] FILE   write the game as PGN
 new, resume           begin again; go on with a kept game
 resign, quit          give up; leave (Ctrl-C, Ctrl-D)
";

/// The commands with the other words for each; the first letters of a word are no command.
const WORDS: [(&str, &[&str]); 22] = [
    ("moves", &["legal", "list"]),
    ("back", &["undo", "takeback", "take-back"]),
    ("hint", &["suggest"]),
    ("go", &["engine"]),
    ("save", &["write"]),
    ("setup", &["swap", "arrange"]),
    ("done", &["keep"]),
    ("board", &["show", "print", "position", "d"]),
    ("flip", &["turn", "rotate"]),
    ("fen", &["sfen"]),
    ("history", &["pgn", "record", "game"]),
    ("eval", &["evaluate", "evaluation", "score"]),
    ("level", &["strength", "skill"]),
    ("time", &["movetime"]),
    ("clock", &["clocks", "timer"]),
    ("draw", &["claim", "accept"]),
    ("resign", &["surrender"]),
    ("new", &["restart"]),
    ("resume", &["continue"]),
    ("help", &["?", "h", "commands"]),
    ("quit", &["exit", "q", "bye", "leave"]),
    ("load", &["open"]),
];

/// A line that is no command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum CommandError {
    /// `save` alone.
    #[error("save needs the name of a file, as in: save game.pgn")]
    SaveWithoutName,
    /// A level that there is not.
    #[error("'{}' is no level; there are 1 to {LEVELS}", shown(.0))]
    Level(String),
    /// A time that is none.
    #[error("'{}' is no time; write seconds for a move, as in: time 2.5", shown(.0))]
    Time(String),
    /// `load`, which is an option.
    #[error("a saved game is opened by 'garrison play --pgn FILE', a kept one by 'resume'")]
    Load,
    /// Several words, the first of which is no command.
    #[error("'{}' is no move and no command; {}", shown(.0), advice(.0))]
    Unknown(String),
}

/// The commands, for completion.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(name, _)| *name).filter(|&name| name != "load")
}

/// The command that a wrong word was meant to be, if it is like one.
pub(super) fn nearest(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let all = WORDS.iter().flat_map(|(name, others)| others.iter().chain([name]));
    let long: Vec<&str> = all.copied().filter(|name| name.len() > 3).collect();
    // A move, which has a digit, is not meant to be a command.
    if word.chars().count() < 3 || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    // The first letter is seldom wrong.
    let same = long.iter().copied().filter(|name| name.chars().next() == word.chars().next());
    garrison_rules::nearest_word(&word, same)
        .or_else(|| garrison_rules::nearest_word(&word, long.iter().copied()))
}

/// What to do in place of a line that means nothing.
pub(super) fn advice(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default();
    match nearest(word) {
        Some(name) => format!("did you mean '{name}'?"),
        None => "try 'help'".to_string(),
    }
}

impl Command {
    /// Reads a line; `None` for an empty one.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if word.is_empty() {
            return Ok(None);
        }
        let lower = word.to_lowercase();
        let is_called =
            |(name, others): &&(&str, &[&str])| *name == lower || others.contains(&lower.as_str());
        let Some((name, _)) = WORDS.iter().find(is_called) else {
            return match rest.is_empty() {
                true => Ok(Some(Command::Move(word.to_string()))),
                false => Err(CommandError::Unknown(line.to_string())),
            };
        };
        Command::with_rest(name, rest).map(Some)
    }

    /// The command of this name with what stands behind it.
    fn with_rest(name: &str, rest: &str) -> Result<Command, CommandError> {
        let mut words = rest.split_whitespace().map(str::to_string);
        Ok(match name {
            "moves" => Command::Moves(words.next()),
            "save" => read_save(rest)?,
            "setup" => Command::Setup(words.collect()),
            "level" => Command::Strength(words.next().map(|text| read_level(&text)).transpose()?),
            "time" => Command::Strength(words.next().map(|text| read_time(&text)).transpose()?),
            "load" => return Err(CommandError::Load),
            "back" => Command::Back,
            "hint" => Command::Hint,
            "go" => Command::Go,
            "done" => Command::Done,
            "board" => Command::Board,
            "flip" => Command::Flip,
            "fen" => Command::Fen,
            "history" => Command::History,
            "eval" => Command::Eval,
            "clock" => Command::Clock,
            "draw" => Command::Draw,
            "resign" => Command::Resign,
            "new" => Command::New,
            "resume" => Command::Resume,
            "help" => Command::Help,
            _ => Command::Quit,
        })
    }
}

fn read_save(rest: &str) -> Result<Command, CommandError> {
    let forced = rest.strip_prefix("--force").filter(|rest| rest.starts_with([' ', '\t']));
    let path = forced.unwrap_or(rest).trim();
    if path.is_empty() || path == "--force" {
        return Err(CommandError::SaveWithoutName);
    }
    Ok(Command::Save { path: PathBuf::from(path), replace: forced.is_some() })
}

fn read_level(text: &str) -> Result<Strength, CommandError> {
    let level = text.parse().ok().filter(|level| (1..=LEVELS).contains(level));
    level.map(Strength::Level).ok_or_else(|| CommandError::Level(text.to_string()))
}

/// The longest time for a move, in seconds.
const MOST_SECONDS: f64 = 86_400.0;

fn read_time(text: &str) -> Result<Strength, CommandError> {
    let seconds: Option<f64> = text.trim_end_matches('s').parse().ok();
    let seconds = seconds.filter(|seconds| (0.001..=MOST_SECONDS).contains(seconds));
    let time = seconds.map(Duration::from_secs_f64);
    time.map(Strength::Time).ok_or_else(|| CommandError::Time(text.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let save = |path: &str, replace| Command::Save { path: path.into(), replace };
        for (line, command) in [
            ("e3e4", Command::Move("e3e4".into())),
            ("moves  e3", Command::Moves(Some("e3".into()))),
            ("save my game.pgn", save("my game.pgn", false)),
            ("save --force my game.pgn", save("my game.pgn", true)),
            ("save --forced.pgn", save("--forced.pgn", false)),
            ("setup b1d1 c1b1", Command::Setup(vec!["b1d1".into(), "c1b1".into()])),
            ("UNDO", Command::Back),
            ("takeback", Command::Back),
            ("FEN", Command::Fen),
            ("history", Command::History),
            ("HELP", Command::Help),
            ("?", Command::Help),
            ("exit", Command::Quit),
            ("level 7", Command::Strength(Some(Strength::Level(7)))),
            ("level", Command::Strength(None)),
            ("time 2.5", Command::Strength(Some(Strength::Time(Duration::from_millis(2500))))),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(command)), "{line}");
        }
        assert_eq!(Command::parse(""), Ok(None));
        for wrong in ["save", "save ", "save --force", "what now", "e3 e4", "level 11", "time -1"] {
            assert!(Command::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn wrong_words_get_the_nearest_command() {
        assert_eq!(nearest("hlep"), Some("help"));
        assert_eq!(nearest("mvoes"), Some("moves"));
        assert_eq!(nearest("Undoo"), Some("undo"));
        assert_eq!(nearest("setpu"), Some("setup"));
        assert_eq!(nearest("e2e4"), None);
        assert_eq!(nearest("Ne"), None);
        assert_eq!(nearest("castle"), None);
    }

    #[test]
    fn help_fits_a_narrow_terminal() {
        assert!(HELP.lines().all(|line| line.chars().count() <= 60), "{HELP}");
        assert!(HELP.lines().count() <= 18);
        for name in names().filter(|&name| name != "help") {
            assert!(HELP.contains(name), "{name}");
        }
    }
}
