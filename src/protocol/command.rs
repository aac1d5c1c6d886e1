//! A line as a command: the first word says which, the rest belongs to it.

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Uci,
    IsReady,
    NewGame,
    Position(&'a str),
    Go(&'a str),
    Stop,
    PonderHit,
    Quit,
    SetOption(&'a str),
    Display,
    Legal,
    Variants,
    Variant(&'a str),
    Setup(&'a str),
    Eval,
    Bench(&'a str),
    /// `debug` and `register`, which UCI has and which change nothing here.
    Ignored,
}

/// Reads a line; `None` for a word that is no command.
pub(super) fn parse(line: &str) -> Option<Command<'_>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    Some(match word {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(rest),
        "go" => Command::Go(rest),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "setoption" => Command::SetOption(rest),
        "d" => Command::Display,
        "legal" => Command::Legal,
        "variants" => Command::Variants,
        "variant" => Command::Variant(rest),
        "setup" => Command::Setup(rest),
        "eval" => Command::Eval,
        "bench" => Command::Bench(rest),
        "perft" => Command::Go(line),
        "debug" | "register" => Command::Ignored,
        _ => return None,
    })
}
