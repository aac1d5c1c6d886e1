//! `garrison spsa`: tuning the constants of the search by games.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args as ClapArgs;

use super::arena::{Conditions, STANDING, is_reported};
use super::games::several;
use super::match_::{pass_games, shard};
use super::{
    CommandResult, complain, each_named, print, progress_bar, refuse_shared, signals, write_file,
};
use crate::arena::schedule::Match;
use crate::arena::spec::{EngineSpec, parse_spec};
use crate::files::fault_in;
use crate::training::spsa::{
    Constant, Course, End, Games, Header, Plan, Writer, read_parts, report, run as tune, selected,
    svg,
};
use garrison_rules::{counted, shown};

const EXAMPLES: &str = "\
Examples:
  The constants, with start, range and steps, as OpenBench reads them:
    garrison spsa --list --params 'lmr_*'
  Tune late move reductions in two games; goes on after Ctrl-C with --resume:
    garrison spsa --variant swda-oo,shoranji --params 'lmr_*' --iterations 5000 --pairs 4 \\
      --nodes 1000 --openings random:8 --concurrency 8 --log lmr.jsonl --chart lmr.svg
  How far it is, from another terminal:
    garrison spsa --report lmr.jsonl --chart lmr.svg
  Two independent runs on two machines, and the mean of both:
    garrison spsa --variant swda-oo --params 'lmr_*' --nodes 1000 --shard 1/2 --log 1.jsonl
    garrison spsa --variant swda-oo --params 'lmr_*' --nodes 1000 --shard 2/2 --log 2.jsonl
    garrison spsa --report 1.jsonl 2.jsonl";

/// Tune the constants of the search by games of the program against itself.
///
/// By simultaneous perturbation (SPSA), see docs/spsa.md. The program must be one built with `cargo build --release
/// --features tuning`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The games: names with commas between, or `all`; they take turns, as in match
    #[arg(long, value_name = "NAME,…", required_unless_present_any = ["list", "report"])]
    variant: Option<String>,
    /// The constants: names or patterns with commas between, as in 'lmr_*,aspiration_window'
    #[arg(long, value_name = "NAME,…", default_value = "*", hide_default_value = true)]
    params: String,
    /// How many times the constants move. The first moves are greater than the last, so it cannot be changed later
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: u32,
    /// Pairs of games in each iteration, played at once as far as --concurrency allows
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pairs: u32,
    /// The program: cmd=PATH arg=WORD option.NAME=VALUE …; the option of a constant is where it begins [default: this one]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    engine: Vec<String>,
    #[command(flatten)]
    conditions: Conditions,
    /// Write a line of JSON for each iteration; finished iterations are never lost
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Continue the run of --log
    #[arg(long, requires = "log")]
    resume: bool,
    /// Draw the course of every constant as SVG
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,
    /// Be part I of N runs (1/4 … 4/4) that do not know of each other: each has all iterations, and random numbers and
    /// games of its own
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Print the constants as OpenBench reads them: name, type, start, least, greatest, c_end, r_end
    #[arg(long, conflicts_with_all = ["variant", "report"])]
    list: bool,
    /// Report on a log, or on those of parts: then the constants are the mean, weighed by iterations
    #[arg(long, visible_alias = "merge", value_name = "LOG", num_args = 1.., conflicts_with_all = ["variant", "engine", "log", "shard"])]
    report: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, own: &[PathBuf]) -> CommandResult {
    let written = [("--log", args.log.as_deref()), ("--chart", args.chart.as_deref())];
    refuse_shared(&written, &each_named("--report", &args.report))?;
    if !args.report.is_empty() {
        let (header, courses) = read_parts(&args.report)?;
        return show(&header, &courses, args);
    }
    let mut constants = selected(&args.params)?;
    if args.list {
        let lines = constants.iter().map(|constant| constant.line() + "\n");
        print(&lines.collect::<String>());
        return Ok(());
    }
    let mut engine = parse_spec(&args.engine)?;
    begin_at_options(&mut constants, &mut engine)?;
    check_program(&engine)?;
    let (part, parts) = shard(args.shard.as_deref())?;
    // What is too large for the type is too large for the plan.
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let plan = Plan {
        constants,
        iterations: args.iterations,
        pairs: args.pairs,
        seed: args.conditions.seed,
        part: (number(part + 1), number(parts)),
    };
    plan.check()?;
    play(args, plan, engine, own)
}

/// Takes the options that are constants out of those of the engine: there the constants begin.
fn begin_at_options(constants: &mut [Constant], engine: &mut EngineSpec) -> CommandResult {
    for (name, value) in std::mem::take(&mut engine.options) {
        let same = |constant: &&mut Constant| constant.name.eq_ignore_ascii_case(&name);
        let Some(constant) = constants.iter_mut().find(same) else {
            engine.options.push((name, value));
            continue;
        };
        let (min, max) = (constant.min, constant.max);
        let start = value.parse().ok().filter(|start| (min..=max).contains(start));
        let fault =
            || format!("{} '{}' is no whole number from {min} to {max}", name, shown(&value));
        constant.start = start.ok_or_else(fault)?;
    }
    Ok(())
}

/// Refuses this program if its constants cannot be set.
fn check_program(engine: &EngineSpec) -> CommandResult {
    let is_own = std::env::current_exe().is_ok_and(|own| own == engine.command);
    if is_own && !cfg!(feature = "tuning") {
        return Err("the constants of this build cannot be set; one whose constants are options is built with: \
                    cargo build --release --features tuning"
            .into());
    }
    Ok(())
}

fn play(args: &Args, plan: Plan, engine: EngineSpec, own: &[PathBuf]) -> CommandResult {
    let conditions = &args.conditions;
    let variants = several(args.variant.as_deref().unwrap_or_default(), conditions.seed)?;
    let mut engines =
        ["plus", "minus"].map(|name| EngineSpec { name: name.into(), ..engine.clone() });
    pass_games(&mut engines, own);
    let (pace, openings) = (conditions.pace()?, conditions.openings.as_deref());
    let games: Match = conditions.plan(
        "Garrison spsa",
        variants,
        engines.into(),
        pace,
        openings,
        conditions.seed,
    )?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    signals::on_signal(move || stopped.store(true, Ordering::Relaxed))?;
    let mut games = Games::new(games, &plan.constants, Arc::clone(&stop));
    if let Err(error) = games.check(&plan.trial(&plan.start(), 1)) {
        if stop.load(Ordering::Relaxed) {
            complain("stopped before the first game");
            signals::end();
        }
        return Err(error.into());
    }
    let header = Header::new(plan, games.conditions());
    let (mut writer, mut course) = match &args.log {
        Some(path) => Writer::open(path, args.resume, &header)?,
        None => (Writer::default(), Course::new(header.plan.clone())),
    };
    let iterations = header.plan.iterations;
    let bar = progress_bar(u64::from(iterations), STANDING);
    bar.set_position(course.iterations().len() as u64);
    bar.reset_eta();
    let end = tune(&mut course, &mut games, &mut writer, &mut |course| {
        let [lost, drawn, won] = course.games();
        let games = counted(lost + drawn + won, "game");
        bar.inc(1);
        bar.set_message(format!("{games}, {drawn} drawn"));
        let done = course.iterations().len();
        if bar.is_hidden() && is_reported(done, iterations as usize) {
            let iterations = counted(u64::from(iterations), "iteration");
            complain(&format!("{done} of {iterations}: {games}, {drawn} drawn"));
        }
    });
    bar.finish_and_clear();
    let done = course.iterations().len();
    if done > 0 {
        show(&header, &[course], args)?;
    }
    // Behind an error too, iterations that are whole are kept.
    let end = end.map_err(|error| match (&args.log, done) {
        (Some(_), 1..) => format!("{error}; finished iterations are kept, --resume goes on"),
        _ => error.to_string(),
    });
    match end? {
        End::Complete => Ok(()),
        End::Interrupted => {
            let hint = if args.log.is_some() { "; go on with --resume" } else { "" };
            let iterations = counted(u64::from(iterations), "iteration");
            complain(&format!("stopped after {done} of {iterations}{hint}"));
            signals::end();
        }
    }
}

/// Prints the report, and draws the chart if asked for.
fn show(header: &Header, courses: &[Course], args: &Args) -> CommandResult {
    print(&report(header, courses));
    let Some(path) = &args.chart else {
        return Ok(());
    };
    let drawn = svg(header, courses);
    write_file(path, &drawn.map_err(|error| format!("chart {}", fault_in(path, &error)))?)
}
