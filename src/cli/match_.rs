//! `garrison match`: engine against engine.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::arena::{Common, play_match, show};
use super::games::several;
use super::samples::wrong_shard;
use super::{CommandResult, each_named, refuse_shared};
use crate::arena::log::{Header, merge};
use crate::arena::record::Record;
use crate::arena::report::Standing;
use crate::arena::schedule::Match;
use crate::arena::spec::{EngineSpec, parse_spec};
use crate::training::shard::part_of;
use garrison_rules::Variant;
use garrison_rules::catalogue::all_names;
use garrison_rules::wide::IS_WIDE;

const EXAMPLES: &str = "\
Examples:
  The program against itself, all games, a fixed number of nodes, two games at once:
    garrison match --variant all --games 1000 --concurrency 2 --nodes 500 --openings random:8
  Is a change worth at least 5 Elo? Stops when it is decided; goes on after Ctrl-C with --resume:
    garrison match --variant shoranji --engine cmd=./new name=new --engine cmd=./old name=old \\
      --games 20000 --tc 10+0.1 --openings random:8 --sprt 0 5 0.05 0.05 --log t.jsonl --pgn t.pgn
  Different options for the sides:
    garrison match --variant swda --engine name=big option.Hash=64 --engine name=small option.Hash=1 --depth 5
  Two parts of one match on two machines, and one report:
    garrison match --variant swda --games 200 --nodes 500 --shard 1/2 --log 1.jsonl
    garrison match --variant swda --games 200 --nodes 500 --shard 2/2 --log 2.jsonl
    garrison match --merge 1.jsonl 2.jsonl --log all.jsonl --pgn all.pgn";

/// Play engines against each other: Elo with error bars, SPRT, PGN, a log that can be resumed.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The games: names with commas between, or `all` for the seven games of the house. `swda-random`, `swda-o?` and
    /// `swda-?p` leave armies to chance: the match-ups take turns, in an order by --seed
    #[arg(long, value_name = "NAME,…")]
    variant: Option<String>,
    #[command(flatten)]
    engines: Engines,
    /// How many games, two with each opening
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    #[command(flatten)]
    common: Common,
    /// Stop when it is decided whether the first engine is ELO0 or ELO1 (normalized Elo) stronger
    #[arg(long, num_args = 4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    sprt: Vec<f64>,
    /// The bounds of --sprt are logistic Elo
    #[arg(long, requires = "sprt")]
    logistic: bool,
    /// Play only part I of N of the games (1/4 … 4/4), for a job array
    #[arg(long, value_name = "I/N", conflicts_with = "sprt")]
    shard: Option<String>,
    /// Report on the logs of parts of one match, and write them as one with --log and --pgn
    #[arg(long, value_name = "LOG", num_args = 1.., conflicts_with_all = ["variant", "engine", "shard", "resume"])]
    merge: Vec<PathBuf>,
}

/// `--engine KEY=VALUE …`, one group of words for each engine. The derived parser would lose the groups.
#[derive(Debug, Default)]
struct Engines(Vec<Vec<String>>);

impl clap::FromArgMatches for Engines {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let groups = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(Engines(groups.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Engines::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        let help = "An engine: cmd=PATH name=NAME arg=WORD option.NAME=VALUE …, and a limit of its own \
                    (tc= movetime= nodes= depth=) [default: this program, twice]";
        command.arg(
            clap::Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(clap::ArgAction::Append)
                .help(help),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Engines::augment_args(command)
    }
}

pub(super) fn run(args: &Args, own: &[PathBuf]) -> CommandResult {
    let sprt = args.common.sprt(&args.sprt, args.logistic)?;
    if !args.merge.is_empty() {
        return report_merged(args, sprt.as_ref());
    }
    let conditions = &args.common.conditions;
    let variants = variants(args.variant.as_deref().unwrap_or_default(), conditions.seed)?;
    let mut engines = engines(&args.engines.0)?;
    pass_games(&mut engines, own);
    let pace = conditions.pace()?;
    let (openings, seed) = (conditions.openings.as_deref(), conditions.seed);
    let plan = args.common.plan("Garrison match", variants, engines, pace, openings, seed)?;
    let shard = shard(args.shard.as_deref())?;
    let plan = Match { games: args.games as usize, sprt, shard, ..plan };
    play_match(&plan, &args.common)
}

/// The games named, which must be given.
fn variants(text: &str, seed: u64) -> CommandResult<Vec<Arc<Variant>>> {
    if text.is_empty() {
        let hint = "as in: garrison match --variant shoranji --nodes 1000";
        let names = all_names().join(" ");
        return Err(format!("match needs a game, {hint}; there are: all {names}").into());
    }
    several(text, seed)
}

/// Two engines with different names.
fn engines(groups: &[Vec<String>]) -> CommandResult<Vec<EngineSpec>> {
    let mut specs = groups.iter().map(|words| parse_spec(words)).collect::<Result<Vec<_>, _>>()?;
    if specs.len() > 2 {
        return Err("match is for two engines; for more there is garrison tournament".into());
    }
    while specs.len() < 2 {
        specs.push(parse_spec(&[])?);
    }
    make_names_unique(&mut specs);
    Ok(specs)
}

/// Lets those engines that are this program know the games that are known here: the user's own, and large ones.
pub(super) fn pass_games(specs: &mut [EngineSpec], own: &[PathBuf]) {
    let Ok(program) = std::env::current_exe() else { return };
    for spec in specs.iter_mut().filter(|spec| spec.command == program) {
        spec.arguments.extend(IS_WIDE.then(|| "--wide".to_string()));
        for path in own {
            spec.arguments.extend(["--variants".to_string(), path.display().to_string()]);
        }
    }
}

/// Numbers engines of the same name.
pub(super) fn make_names_unique(specs: &mut [EngineSpec]) {
    for index in 1..specs.len() {
        let (before, rest) = specs.split_at_mut(index);
        let taken = |name: &str| before.iter().any(|other| other.name == name);
        if !taken(&rest[0].name) {
            continue;
        }
        let base = rest[0].name.clone();
        let mut names = (2..).map(|number| format!("{base}-{number}"));
        if let Some(name) = names.find(|name| !taken(name)) {
            rest[0].name = name;
        }
    }
}

/// Reads `I/N` as number from 0 and count.
pub(super) fn shard(text: Option<&str>) -> CommandResult<(usize, usize)> {
    let Some(text) = text else {
        return Ok((0, 1));
    };
    let (part, parts) = part_of(text).ok_or_else(|| wrong_shard(text))?;
    Ok((part as usize - 1, parts as usize))
}

/// One report over the logs of parts.
fn report_merged(args: &Args, sprt: Option<&crate::arena::stats::Sprt>) -> CommandResult {
    refuse_shared(&args.common.files(), &each_named("--merge", &args.merge))?;
    let (header, records) = merge(&args.merge)?;
    let mut standing =
        Standing::of(header.engines.iter().map(|engine| engine.name.clone()).collect());
    records.iter().for_each(|record| standing.add(record));
    write_merged(args, &header, &records)?;
    show(&standing, sprt, &args.common)
}

fn write_merged(args: &Args, header: &Header, records: &[Record]) -> CommandResult {
    let (log, pgn) = (args.common.log.as_deref(), args.common.pgn.as_deref());
    let (mut writer, _) = crate::arena::log::Writer::open(log, pgn, false, header)?;
    for record in records {
        writer.write(record, header)?;
    }
    writer.finish();
    Ok(())
}
