//! How an engine is described before it is started: `cmd=PATH name=NAME option.NAME=VALUE …`.

use std::path::PathBuf;

use garrison_rules::shown;
use thiserror::Error;

use super::clock::{Pace, PaceError};

/// The description of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSpec {
    /// Its name in reports.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// UCI options by name.
    pub options: Vec<(String, String)>,
    /// A limit of its own in place of the match's.
    pub pace: Option<Pace>,
}

/// Why a description of an engine is refused.
#[derive(Debug, Error)]
pub enum SpecError {
    /// A word that describes nothing.
    #[error(
        "engine '{}': write cmd=PATH name=NAME arg=WORD option.NAME=VALUE or a limit",
        shown(.0)
    )]
    Word(String),
    /// A wrong limit.
    #[error(transparent)]
    Pace(#[from] PaceError),
    /// Without `cmd=` the engine is this program, whose file is not known.
    #[error("this program: {0}")]
    ThisProgram(#[source] std::io::Error),
}

/// Reads `cmd=PATH name=NAME arg=X option.NAME=VALUE tc=…|movetime=…|nodes=…|depth=…`.
///
/// # Errors
/// The word at fault.
pub fn parse_spec(words: &[String]) -> Result<EngineSpec, SpecError> {
    let (mut command, mut name) = (None, None);
    let mut spec = EngineSpec {
        name: String::new(),
        command: PathBuf::new(),
        arguments: Vec::new(),
        options: Vec::new(),
        pace: None,
    };
    for word in words {
        let fault = || SpecError::Word(word.clone());
        let (key, value) = word.split_once('=').ok_or_else(fault)?;
        match key {
            "cmd" => command = Some(PathBuf::from(value)),
            "name" if !value.is_empty() => name = Some(value.to_string()),
            "arg" => spec.arguments.push(value.to_string()),
            "tc" | "movetime" | "nodes" | "depth" => spec.pace = Some(Pace::parse(key, value)?),
            _ => {
                let option = key.strip_prefix("option.").filter(|name| !name.is_empty());
                let option = option.ok_or_else(fault)?;
                if value.contains(['\n', '\r']) || option.contains(['\n', '\r']) {
                    return Err(fault());
                }
                spec.options.push((option.to_string(), value.to_string()));
            }
        }
    }
    spec.command = match command {
        Some(command) => command,
        None => std::env::current_exe().map_err(SpecError::ThisProgram)?,
    };
    let stem = || spec.command.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    spec.name = name.or_else(stem).unwrap_or_else(|| "engine".to_string());
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read() {
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let spec =
            parse_spec(&words("cmd=/bin/x name=N option.Hash=64 option.A=b=c arg=-v nodes=5"));
        let spec = spec.expect("an engine");
        assert_eq!((spec.name.as_str(), spec.arguments.as_slice()), ("N", &["-v".to_string()][..]));
        let options =
            [("Hash".to_string(), "64".to_string()), ("A".to_string(), "b=c".to_string())];
        assert_eq!((spec.options.as_slice(), spec.pace), (&options[..], Some(Pace::Nodes(5))));
        assert_eq!(parse_spec(&words("cmd=/bin/y.exe")).expect("an engine").name, "y");
        for wrong in ["x", "foo=1", "option.=1", "name=", "tc=0", "depth=x"] {
            assert!(parse_spec(&words(wrong)).is_err(), "{wrong}");
        }
    }
}
