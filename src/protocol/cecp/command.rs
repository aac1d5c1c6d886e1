//! A line of XBoard's protocol as a command.

/// The command of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// Asks for the features; the version of the front end.
    Protover(&'a str),
    New,
    Variant(&'a str),
    Quit,
    Force,
    Go,
    PlayOther,
    Level(&'a str),
    SecondsPerMove(&'a str),
    Depth(&'a str),
    /// The nodes that count as a second.
    NodeRate(&'a str),
    /// The engine's own clock, in hundredths of a second.
    Time(&'a str),
    /// The opponent's.
    OtherTime(&'a str),
    Move(&'a str),
    MoveNow,
    Ping(&'a str),
    Draw,
    Result,
    SetBoard(&'a str),
    Hint,
    Book,
    Undo,
    Remove,
    /// The opponent is a program.
    Computer,
    Ponder(bool),
    Post(bool),
    Analyze,
    Exit,
    Status,
    Memory(&'a str),
    Cores(&'a str),
    Option(&'a str),
    Lift(&'a str),
    Put(&'a str),
    /// Arranges pieces before the first move; an extension.
    Setup(&'a str),
    /// Prints the position; an extension.
    Display,
    /// Lists the legal moves; an extension.
    Legal,
    /// Lists the games; an extension.
    Variants,
    /// Commands without effect.
    Ignored,
    /// Not a command: perhaps a move.
    Other(&'a str),
}

/// Reads a line.
pub(super) fn parse(line: &str) -> Command<'_> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "protover" => Command::Protover(rest),
        "new" => Command::New,
        "variant" => Command::Variant(rest),
        "quit" => Command::Quit,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => Command::Level(rest),
        "st" => Command::SecondsPerMove(rest),
        "sd" => Command::Depth(rest),
        "nps" => Command::NodeRate(rest),
        "time" => Command::Time(rest),
        "otim" => Command::OtherTime(rest),
        "usermove" => Command::Move(rest),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(rest),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "setboard" => Command::SetBoard(rest),
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::Status,
        "memory" => Command::Memory(rest),
        "cores" => Command::Cores(rest),
        "option" => Command::Option(rest),
        "lift" => Command::Lift(rest),
        "put" | "hover" => Command::Put(rest),
        "setup" => Command::Setup(rest),
        "d" => Command::Display,
        "legal" => Command::Legal,
        "variants" => Command::Variants,
        "computer" => Command::Computer,
        "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "egtpath" => {
            Command::Ignored
        }
        _ => Command::Other(line),
    }
}

impl Command<'_> {
    /// Whether the engine must be idle for it: it changes the position or the options of a search.
    pub fn needs_idle(self) -> bool {
        use Command::*;
        matches!(
            self,
            New | Variant(_)
                | Force
                | Go
                | PlayOther
                | Move(_)
                | Other(_)
                | SetBoard(_)
                | Undo
                | Remove
                | Ponder(false)
                | Analyze
                | Exit
                | Result
                | Memory(_)
                | Cores(_)
                | Option(_)
                | Setup(_)
        )
    }

    /// Whether the move that the engine is searching for is no longer wanted.
    pub fn drops_the_move(self) -> bool {
        use Command::*;
        matches!(
            self,
            New | Variant(_) | Force | SetBoard(_) | Undo | Remove | Analyze | Result | Quit
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(parse("usermove  e2e4"), Command::Move("e2e4"));
        assert_eq!(parse("."), Command::Status);
        assert_eq!(parse("option Hash=3 4"), Command::Option("Hash=3 4"));
        assert_eq!(parse("e2e4"), Command::Other("e2e4"));
        assert_eq!(parse("goal"), Command::Other("goal"));
        for command in ["new", "force", "undo", "setboard x", "result * {}"] {
            assert!(parse(command).drops_the_move() && parse(command).needs_idle(), "{command}");
        }
    }
}
