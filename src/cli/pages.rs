//! `garrison completions` and `garrison man`: shell completions and manual pages.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Command};
use clap_complete::Shell;

use super::{CommandResult, print};
use crate::files::fault_in;

/// Print the completions for a shell.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison completions bash > ~/.local/share/bash-completion/completions/garrison
  garrison completions fish > ~/.config/fish/completions/garrison.fish
  garrison completions zsh > ~/.zfunc/_garrison")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> CommandResult {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "garrison", &mut text);
    print(&String::from_utf8_lossy(&text));
    Ok(())
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
    match &args.dir {
        Some(dir) => {
            let fault = |error| format!("cannot write to {}", fault_in(dir, &error));
            Ok(write_pages(command, dir).map_err(fault)?)
        }
        None => {
            let mut text = Vec::new();
            let page = clap_mangen::Man::new(command);
            page.render(&mut text)?;
            print(&String::from_utf8_lossy(&text));
            Ok(())
        }
    }
}

/// Writes all pages into a folder within the folder first, so that no page is ever there in part.
fn write_pages(command: Command, dir: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let part = dir.join(format!(".{}.part", std::process::id()));
    std::fs::create_dir(&part)?;
    let written = clap_mangen::generate_to(command, &part).and_then(|()| {
        for page in std::fs::read_dir(&part)? {
            let page = page?;
            std::fs::rename(page.path(), dir.join(page.file_name()))?;
        }
        Ok(())
    });
    // What is left of it is of no use; if it cannot be removed, so be it.
    let _ = std::fs::remove_dir_all(&part);
    written
}
