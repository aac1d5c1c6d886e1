//! The commands of `garrison play`.

use garrison_rules::shown;
use thiserror::Error;

/// A line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Move(String),
    /// The legal moves, of one square or all.
    Moves(Option<String>),
    Back,
    Hint,
    Save(String),
    /// Pairs of squares whose contents change places; none prints the state of the setup.
    Setup(Vec<String>),
    Done,
    Board,
    Flip,
    Resign,
    Help,
    Quit,
}

/// The text of `help`.
pub(super) const HELP: &str = "\
  e3e4, e4, Nxd5, N@e5   a move: coordinates, or as people write it
  moves [SQUARE]         the legal moves, of the piece on a square or all
  back                   take back your last move and the answer to it
  hint                   what the program would play
  setup b1d1 …           in the setup phase: let the contents of two squares change places
  done                   end your setup (also at once, to keep the pieces as they stand)
  board, flip            show the board, turn it around
  save FILE              write the game as PGN
  resign, quit           give up, leave
";

/// A line that is no command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum CommandError {
    /// `save` alone.
    #[error("save needs the name of a file, as in: save game.pgn")]
    SaveWithoutName,
    /// Several words, the first of which is no command.
    #[error("'{}' is no move and no command; try 'help'", shown(.0))]
    Unknown(String),
}

impl Command {
    /// Reads a line; `None` for an empty one.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let mut words = rest.split_whitespace().map(str::to_string);
        let command = match word {
            "" => return Ok(None),
            "moves" => Command::Moves(words.next()),
            "save" if rest.is_empty() => return Err(CommandError::SaveWithoutName),
            "save" => Command::Save(rest.to_string()),
            "setup" => Command::Setup(words.collect()),
            "back" => Command::Back,
            "hint" => Command::Hint,
            "done" => Command::Done,
            "board" => Command::Board,
            "flip" => Command::Flip,
            "resign" => Command::Resign,
            "help" | "?" => Command::Help,
            "quit" | "exit" => Command::Quit,
            _ if rest.is_empty() => Command::Move(word.to_string()),
            _ => return Err(CommandError::Unknown(line.to_string())),
        };
        Ok(Some(command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(Command::parse(""), Ok(None));
        assert_eq!(Command::parse("e3e4"), Ok(Some(Command::Move("e3e4".into()))));
        assert_eq!(Command::parse("moves  e3"), Ok(Some(Command::Moves(Some("e3".into())))));
        assert_eq!(
            Command::parse("save my game.pgn"),
            Ok(Some(Command::Save("my game.pgn".into())))
        );
        assert_eq!(
            Command::parse("setup b1d1 c1b1"),
            Ok(Some(Command::Setup(vec!["b1d1".into(), "c1b1".into()])))
        );
        for wrong in ["save", "save ", "what now", "e3 e4"] {
            assert!(Command::parse(wrong).is_err(), "{wrong}");
        }
    }
}
