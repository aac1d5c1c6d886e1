//! `garrison xboard`: starts XBoard with this program as its engine, ready for a game.

mod pieces;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args as ClapArgs;

use super::{CommandResult, print, write_file};
use crate::protocol::cecp::board::PieceTable;
use garrison_rules::wide::IS_WIDE;
use garrison_rules::{Variant, find};

/// Play in XBoard, with a board, pieces and a mouse.
///
/// Needs XBoard 4.9 (Debian: `apt install xboard`). The program checks the moves; XBoard shows them.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison xboard --variant shoranji
  garrison xboard --variant chesstonia --two
  garrison xboard --variant swda-op -- -timeControl 15 -timeIncrement 10
  garrison xboard --variant shoogantshii --print")]
pub(super) struct Args {
    /// Name of the game (`garrison variants` lists them)
    #[arg(long)]
    variant: String,
    /// The program plays both sides
    #[arg(long)]
    two: bool,
    /// Print the command that would be run
    #[arg(long)]
    print: bool,
    /// More options for XBoard itself
    #[arg(last = true, value_name = "OPTION")]
    more: Vec<String>,
}

/// Where to look for XBoard: by its name, and where Debian puts games, which is not on every path.
const PROGRAMS: [&str; 2] = ["xboard", "/usr/games/xboard"];

/// The options for every game: the engine alone checks moves, marks the squares that a piece may go to, and decides
/// promotions; XBoard does not save these settings.
const OPTIONS: [&str; 10] = [
    "-testLegality",
    "false",
    "-showTargetSquares",
    "true",
    "-highlightDragging",
    "true",
    "-sweepPromotions",
    "true",
    "-saveSettingsOnExit",
    "false",
];

pub(super) fn run(args: &Args, own_games: &[PathBuf]) -> CommandResult {
    let variant = find(&args.variant)?;
    let table = PieceTable::of(&variant)
        .ok_or_else(|| format!("XBoard has no room for the pieces of {}", variant.name()))?;
    let pictures = unpack(&variant, &table)?;
    let options = options(args, own_games, &variant, &pictures)?;
    if args.print {
        let words = std::iter::once(PROGRAMS[0]).chain(options.iter().map(String::as_str));
        let words: Vec<String> = words.map(quoted).collect();
        print(&format!("{}\n", words.join(" ")));
        return Ok(());
    }
    for program in PROGRAMS {
        match Command::new(program).args(&options).status() {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => return Err(format!("XBoard ended with {status}").into()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot start {program}: {error}").into()),
        }
    }
    Err("XBoard is not installed: there is no program 'xboard' (Debian: apt install xboard)".into())
}

fn options(
    args: &Args,
    own_games: &[PathBuf],
    variant: &Variant,
    pictures: &Path,
) -> CommandResult<Vec<String>> {
    let engine = engine(own_games)?;
    let mut options = vec!["-fcp".to_string(), engine.clone()];
    if args.two {
        options.extend(["-scp".to_string(), engine, "-mode".into(), "TwoMachines".into()]);
    }
    options.extend(["-variant".to_string(), variant.name().to_string()]);
    options.extend(OPTIONS.map(str::to_string));
    options.extend(["-pieceImageDirectory".to_string(), pictures.display().to_string()]);
    options.extend(args.more.iter().cloned());
    Ok(options)
}

/// The command of this program for XBoard, which splits the text at spaces and may start it elsewhere.
fn engine(own_games: &[PathBuf]) -> CommandResult<String> {
    let own = std::env::current_exe();
    let own = own.map_err(|error| format!("cannot find this program itself: {error}"))?;
    let mut words = vec![quoted(&own.display().to_string())];
    words.extend(IS_WIDE.then(|| "--wide".to_string()));
    for path in own_games {
        let whole = std::path::absolute(path);
        let whole = whole.map_err(|error| format!("'{}': {error}", path.display()))?;
        words.extend(["--variants".to_string(), quoted(&whole.display().to_string())]);
    }
    Ok(words.join(" "))
}

/// Writes the pictures of a game where XBoard finds them: a folder of its own in the user's cache.
fn unpack(variant: &Variant, table: &PieceTable) -> CommandResult<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let folder = cache.unwrap_or_else(std::env::temp_dir);
    let folder = folder.join("garrison").join("xboard").join(variant.name());
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make the folder '{}': {error}", folder.display()))?;
    for (name, text) in pieces::files(variant, table) {
        write_file(&folder.join(name), &text)?;
    }
    Ok(folder)
}

/// A word as a shell, or XBoard, reads it as one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_they_must_be() {
        for (word, text) in [("-fcp", "-fcp"), ("a b", "'a b'"), ("", "''"), ("it's", r"'it'\''s'")]
        {
            assert_eq!(quoted(word), text);
        }
    }
}
