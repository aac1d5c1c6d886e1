//! `garrison variants import`: definitions for the games of a rule file of Fairy-Stockfish.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use garrison_rules::{counted, nearest_word};

use crate::cli::{CommandResult, print};
use crate::files::{in_file, read_text, unwritten, write_whole};
use crate::rule_file::{self, Imported};

/// The most bytes that a rule file may have.
const MAX_BYTES: u64 = 4 << 20;

#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The rule file, such as variants.ini
    #[arg(value_name = "FILE.ini")]
    file: PathBuf,
    /// Only this game
    #[arg(long, value_name = "GAME")]
    name: Option<String>,
    /// Write a file for each game into this folder; without it one game is printed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let text = read_text(&args.file, MAX_BYTES).map_err(|fault| in_file(&args.file, fault))?;
    let games = rule_file::read(&text).map_err(|faults| {
        let lines = faults.iter().map(|fault| in_file(&args.file, fault.to_string()).to_string());
        lines.collect::<Vec<_>>().join("\n")
    })?;
    let chosen = chosen(&games, args)?;
    match (&args.out, chosen.as_slice()) {
        (Some(folder), chosen) => write_all(chosen, folder),
        (None, [game]) => {
            let fault = fault(game).map(|fault| format!("{}: {fault}", game.name));
            print(&game.text());
            fault.map_or(Ok(()), |fault| Err(fault.into()))
        }
        (None, _) => {
            let games = counted(chosen.len() as u64, "game");
            Err(format!(
                "{} has {games}; choose one with --name, or a folder for all with --out",
                args.file.display()
            )
            .into())
        }
    }
}

/// The game that was asked for, or all.
fn chosen<'g>(games: &'g [Imported], args: &Args) -> CommandResult<Vec<&'g Imported>> {
    let Some(name) = &args.name else { return Ok(games.iter().collect()) };
    if let Some(game) = games.iter().find(|game| game.name == *name) {
        return Ok(vec![game]);
    }
    let nearest = nearest_word(name, games.iter().map(|game| game.name.as_str()));
    let hint = nearest.map_or(String::new(), |nearest| format!("; the nearest is '{nearest}'"));
    Err(format!("--name '{name}': {} has no such game{hint}", args.file.display()).into())
}

/// Writes a file for each game that can be played, and prints a line for every game.
fn write_all(games: &[&Imported], folder: &Path) -> CommandResult {
    std::fs::create_dir_all(folder)
        .map_err(|error| in_file(folder, format!("cannot be made: {error}")))?;
    let mut left_out = 0;
    for game in games {
        if let Some(fault) = fault(game) {
            left_out += 1;
            print(&format!("{}: not written: {fault}{}\n", game.name, unsaid(game)));
            continue;
        }
        let name = game.definition.name.as_deref().unwrap_or(&game.name);
        let path = folder.join(format!("{name}.toml"));
        let text = game.text();
        if std::fs::read(&path).is_ok_and(|found| !found.is_empty() && found != text.as_bytes()) {
            return Err(in_file(&path, "exists and is another one; choose another folder").into());
        }
        write_whole(&path, text.as_bytes()).map_err(|error| unwritten(&path, &error))?;
        print(&format!("{}: {}{}\n", game.name, path.display(), unsaid(game)));
    }
    let written = games.len() - left_out;
    print(&format!("{} written, {left_out} not\n", counted(written as u64, "game")));
    if written == 0 { Err("no game could be written".into()) } else { Ok(()) }
}

/// What keeps a game from being played.
fn fault(game: &Imported) -> Option<String> {
    let fault = game.faults().into_iter().next()?;
    Some(format!("{}: {}", fault.key, fault.fault))
}

/// The lines that the definition does not say.
fn unsaid(game: &Imported) -> String {
    if game.unsaid.is_empty() {
        String::new()
    } else {
        format!("; not said: {}", game.unsaid.join("; "))
    }
}
