//! `garrison completions` and `garrison man`: shell completions and manual pages.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args as ClapArgs, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::{CommandResult, print, write_file};
use crate::files::fault_in;
use garrison_rules::catalogue::{builtin_names, own_names, reference_names};
use garrison_rules::find;

/// Print the completions for a shell: commands, options, files, and the names of the games.
///
/// With --variants, they know the games of these files too.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison completions bash > ~/.local/share/bash-completion/completions/garrison
  garrison completions fish > ~/.config/fish/completions/garrison.fish
  garrison completions zsh > ~/.zfunc/_garrison
  garrison --variants games/ completions bash     with games of your own")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs, command: Command) -> CommandResult {
    let mut text = Vec::new();
    let mut command = with_games(command, &game_names());
    clap_complete::generate(args.shell, &mut command, "garrison", &mut text);
    print(&String::from_utf8_lossy(&text));
    Ok(())
}

/// The names of all games, and of the families that stand for several.
fn game_names() -> Vec<String> {
    let mut names = [builtin_names(), reference_names(), &own_names()].concat();
    let families = names.iter().filter_map(|name| find(name).ok());
    let families: Vec<String> = families.map(|game| game.family().to_string()).collect();
    for family in families {
        if !names.contains(&family) {
            names.push(family);
        }
    }
    names
}

/// The command as completions are made from it: what takes the name of a game lists the games. When the program reads its
/// arguments it takes any text there, since a game may have other names, and finds the nearest name for a wrong one.
fn with_games(command: Command, names: &[String]) -> Command {
    let takes_a_game = |arg: &Arg, command: &str| match arg.get_id().as_str() {
        "variant" => true,
        "show" => command == "tune",
        "name" => command == "show",
        _ => false,
    };
    let own = command.get_name().to_string();
    let several = own == "match";
    let all = several.then(|| "all".to_string());
    let values: Vec<String> = names.iter().cloned().chain(all).collect();
    command
        .mut_args(|arg| {
            if takes_a_game(&arg, &own) {
                arg.value_parser(PossibleValuesParser::new(values.clone()))
            } else {
                arg
            }
        })
        .mut_subcommands(|command| with_games(command, names))
}

/// Print the man page, or write one for each command into a folder.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison man | man -l -
  garrison man ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// The folder; it is made if it is not there
    dir: Option<PathBuf>,
}

pub(super) fn man(args: &ManArgs, command: Command) -> CommandResult {
    // `help` is no command with a page of its own.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    match &args.dir {
        Some(dir) => {
            let fault = |error| format!("cannot write to {}", fault_in(dir, &error));
            std::fs::create_dir_all(dir).map_err(fault)?;
            write_pages(dir, &command, None)
        }
        None => {
            print(&page(&command, None)?);
            Ok(())
        }
    }
}

/// Writes the page of a command and those of the commands below it.
fn write_pages(dir: &Path, command: &Command, above: Option<&str>) -> CommandResult {
    let name = page_name(command);
    write_file(&dir.join(format!("{name}.1")), &page(command, above)?)?;
    command.get_subcommands().try_for_each(|below| write_pages(dir, below, Some(&name)))
}

fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_string()
}

/// The page of a command; `above` is the page of the command it is a part of.
fn page(command: &Command, above: Option<&str>) -> CommandResult<String> {
    let mut text = Vec::new();
    let man = Man::new(command.clone());
    man.source(concat!("Garrison ", env!("CARGO_PKG_VERSION"))).render(&mut text)?;
    let text = String::from_utf8_lossy(&text).replace(".SH EXTRA\n", ".SH EXAMPLES\n");
    let see = match above {
        Some(page) => format!("\\fB{}\\fR(1)", page.replace('-', "\\-")),
        None => {
            "The page of each command is written by \\fBgarrison man\\fR \\fIDIR\\fR.".to_string()
        }
    };
    Ok(format!(
        "{text}.SH SEE ALSO\n{see}\n.PP\nThe file protocol.md and the folder docs are those of the sources of Garrison.\n"
    ))
}
