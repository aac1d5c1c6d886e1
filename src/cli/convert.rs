//! `garrison convert`: files of positions as text or packed.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::CommandResult;
use super::samples::{Out, Writer, games_of, open};
use super::signals::stopped_by_signal;
use crate::files::fault_in;
use crate::training::sample;
use crate::training::sink::Format;

/// Write a file of positions in the other form: packed as text, or text packed.
///
/// Both hold the same: everything that is said of how the games were played, the games by number, and the positions
/// with score and result. After Ctrl-C or a crash, --resume goes on.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison convert games.gdata games.txt      to look at, or for another program
  garrison convert games.txt games.gdata      less than half the size")]
pub(super) struct Args {
    /// A file of `garrison selfplay` or `garrison rescore`
    #[arg(value_name = "FROM")]
    data: PathBuf,
    /// The file to write
    #[arg(value_name = "TO")]
    out: PathBuf,
    /// How positions are written [default: text if TO ends in .txt, or is a device or a pipe; else packed]
    #[arg(long)]
    format: Option<Format>,
    /// Continue a file that an earlier run has begun
    #[arg(long)]
    resume: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let surveyed = sample::survey(open(&args.data)?);
    let (header, games) = surveyed.map_err(|error| fault_in(&args.data, &error))?;
    let last = header.last_game(games);
    let out = Out::open(&args.out, args.format, args.resume, last, &header)?;
    let control = stopped_by_signal()?;
    let first = out.next();
    let mut writer = Writer::new(out, last);
    games_of(&args.data, |game| {
        if game.number >= first {
            writer.take(&game, &control);
        }
        !control.is_stopped()
    })?;
    writer.end()
}
