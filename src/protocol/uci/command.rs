//! The parser of command lines: the first known word is the command, the rest its arguments.

use super::Form;

/// The command of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Identify,
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
    /// `debug` and `register` of UCI and `gameover` of USI, which change nothing here.
    Ignored,
}

impl Command<'_> {
    /// Whether it begins, ends or changes what is searched.
    pub fn may_change_a_search(&self) -> bool {
        !matches!(
            self,
            Command::Identify
                | Command::IsReady
                | Command::PonderHit
                | Command::Display
                | Command::Legal
                | Command::Variants
                | Command::Eval
                | Command::Ignored
        )
    }
}

/// Reads a line. Unknown words before the command are skipped, as UCI demands, and returned with it. `None`
/// if there is no command in the line.
pub(super) fn parse(line: &str, form: Form) -> Option<(Command<'_>, &str)> {
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if word.is_empty() {
            return None;
        }
        if let Some(command) = command(word, behind.trim(), rest, form) {
            return Some((command, line[..line.len() - rest.len()].trim()));
        }
        rest = behind;
    }
}

/// The command that begins with this word, if any: `rest` is the text after it, `whole` includes it.
fn command<'a>(word: &str, rest: &'a str, whole: &'a str, form: Form) -> Option<Command<'a>> {
    Some(match word {
        "uci" if form == Form::Uci => Command::Identify,
        "usi" if form == Form::Usi => Command::Identify,
        "isready" => Command::IsReady,
        "ucinewgame" if form == Form::Uci => Command::NewGame,
        "usinewgame" if form == Form::Usi => Command::NewGame,
        "gameover" if form == Form::Usi => Command::Ignored,
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
        "perft" => Command::Go(whole),
        "debug" | "register" => Command::Ignored,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(parse("d", Form::Uci), Some((Command::Display, "")));
        assert_eq!(parse("joho  go  depth 1", Form::Uci), Some((Command::Go("depth 1"), "joho")));
        assert_eq!(parse("a b perft 3", Form::Uci), Some((Command::Go("perft 3"), "a b")));
        for none in ["", "hello", "usi", "isreadyx", "ä ö"] {
            assert_eq!(parse(none, Form::Uci), None, "{none}");
        }
        assert_eq!(parse("usi", Form::Usi), Some((Command::Identify, "")));
        assert_eq!(parse("ucinewgame", Form::Usi), None);
    }
}
