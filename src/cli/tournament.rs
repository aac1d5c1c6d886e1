//! `garrison tournament`: more than two engines, from a TOML file.

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::CommandResult;
use super::arena::{Common, play_match};
use super::games::several;
use super::match_::{make_names_unique, pass_games};
use crate::arena::clock::Pace;
use crate::arena::schedule::Match;
use crate::arena::tournament::Plan;
use crate::files::{fault_in, read_source, text};

const EXAMPLE: &str = "\
Example: garrison tournament cup.toml --concurrency 2 --log cup.jsonl --pgn cup.pgn

  format = \"round-robin\"            # or \"gauntlet\": the first against all others
  variants = [\"shoranji\", \"swda\"]   # or \"all\"; \"swda-random\" leaves armies to chance
  games = 20                        # of each pairing, two with each opening
  limit = \"tc=10+0.1\"               # or movetime=100, nodes=1000, depth=6
  openings = \"random:8\"             # or a file
  seed = 1
  [[engine]]
  name = \"new\"
  cmd = \"./garrison-new\"            # this program, if it is left out
  options = { Hash = 64 }
  [[engine]]
  name = \"old\"
  cmd = \"./garrison-old\"
  limit = \"nodes=1000\"              # a limit of its own";

/// The most bytes of the file.
const MOST_BYTES: u64 = 1 << 20;

/// Play a tournament of several engines: round robin or gauntlet, from a TOML file.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// The tournament; limit, openings and seed may be given as options in their place
    file: PathBuf,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &Args, own: &[PathBuf]) -> CommandResult {
    let place = |fault: &dyn Display| format!("tournament {}", fault_in(&args.file, fault));
    let text = read_source(&args.file, MOST_BYTES).and_then(text).map_err(|error| place(&error))?;
    let file = Plan::parse(&text).map_err(|error| place(&error))?;
    let (common, conditions) = (&args.common, &args.common.conditions);
    let seed = if conditions.seed == 0 { file.seed } else { conditions.seed };
    let variants = several(&file.variant_names(), seed).map_err(|error| place(&error))?;
    let mut engines = file.engine_specs().map_err(|error| place(&error))?;
    make_names_unique(&mut engines);
    pass_games(&mut engines, own);
    let limit = file.limit.as_deref().map(|limit| {
        let (name, value) = limit.split_once('=').unwrap_or((limit, ""));
        Pace::parse(name, value)
    });
    let pace = match (conditions.given_pace()?, limit.transpose().map_err(|error| place(&error))?) {
        (Some(pace), _) | (None, Some(pace)) => pace,
        (None, None) => conditions.pace()?,
    };
    let openings = conditions.openings.as_deref().or(file.openings.as_deref());
    let event = file.event.as_deref().unwrap_or("Garrison tournament");
    let plan = common.plan(event, variants, engines, pace, openings, seed)?;
    let plan = Match { pairings: file.pairings(), games: file.games as usize, ..plan };
    play_match(&plan, common)
}
