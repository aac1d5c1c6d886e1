//! What `match` and `tournament` share: options, live standing, Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{
    BarLook, CommandResult, Named, complain, print, progress_bar, refuse_shared, signals,
    write_file,
};
use crate::arena::adjudication::{Adjudication, AdjudicationError, Draw, Resign};
use crate::arena::chart;
use crate::arena::clock::{Pace, PaceError};
use crate::arena::log::Writer;
use crate::arena::openings::Openings;
use crate::arena::report::Standing;
use crate::arena::schedule::{End, Match, run};
use crate::arena::spec::EngineSpec;
use crate::arena::stats::{EloModel, Sprt, SprtError};
use crate::files::fault_in;
use garrison_rules::{Variant, counted};

/// How games are played: options of everything that plays games.
#[derive(Debug, Args)]
pub(super) struct Conditions {
    /// Games that are played at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// A clock: [MOVES/]SECONDS[+INCREMENT], as in 10+0.1 or 40/60+0.5
    #[arg(long, value_name = "TC", group = "limit")]
    tc: Option<String>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", group = "limit")]
    movetime: Option<String>,
    /// Positions a move
    #[arg(long, value_name = "N", group = "limit")]
    nodes: Option<String>,
    /// Plies a move
    #[arg(long, value_name = "PLIES", group = "limit")]
    depth: Option<String>,
    /// How many ms a move may take beyond its time before it loses
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=3_600_000))]
    margin: u32,
    /// Seconds after which an engine that does not answer has stalled, where no clock runs
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    patience: f64,
    /// A file of FEN, EPD or (*.pgn) games, or random:PLIES [default: the start of the game]
    #[arg(long, value_name = "FILE|random:PLIES")]
    pub openings: Option<String>,
    /// Seed of random openings, and of the order of given ones (0: as they stand)
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// End a game as lost when both engines score it so: score=600 moves=4 (centipawns, moves of each)
    #[arg(long, num_args = 1..=2, value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// End a game as drawn when both score it so: score=10 moves=8 after=40 (after: move number)
    #[arg(long, num_args = 1..=3, value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// End a game as drawn at this length, opening included
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(2..=20_000))]
    max_plies: u32,
    /// End a game as a table of its ending says, once so few pieces are left (see docs/endings.md)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(3..=4))]
    endings: Option<u16>,
    /// The effect of an illegal move, crash, stall, loss on time or flood: it loses the game, or stops the match
    #[arg(long, value_enum, default_value_t = OnFault::Lose)]
    on_fault: OnFault,
    /// Restart the engines for each game
    #[arg(long)]
    restart: bool,
}

/// The options of matches and tournaments.
#[derive(Debug, Args)]
pub(super) struct Common {
    #[command(flatten)]
    pub conditions: Conditions,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write a line of JSON for each game; finished games are never lost
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Draw lengths and White's results in each game as SVG
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
    /// Continue the match of --log: play the missing games
    #[arg(long, requires = "log")]
    resume: bool,
    /// Leave times and dates out of PGN and log [default with --nodes and --depth]
    #[arg(long)]
    reproducible: bool,
    /// The tag Event of PGN
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnFault {
    Lose,
    Stop,
}

impl Conditions {
    /// A match of the first two engines by these options, which the commands complete.
    pub fn plan(
        &self,
        event: &str,
        variants: Vec<Arc<Variant>>,
        engines: Vec<EngineSpec>,
        pace: Pace,
        openings: Option<&str>,
        seed: u64,
    ) -> CommandResult<Match> {
        Ok(Match {
            event: event.to_string(),
            pairings: vec![(0, 1)],
            games: 0,
            first: 0,
            openings: match openings {
                None => Openings::Start,
                Some(text) => Openings::load(text, &variants, seed)?,
            },
            openings_text: openings.unwrap_or("start").to_string(),
            seed,
            pace,
            margin: Duration::from_millis(u64::from(self.margin)),
            patience: self.patience()?,
            adjudication: self.adjudication()?,
            sprt: None,
            concurrency: usize::from(self.concurrency),
            shard: (0, 1),
            stop_on_fault: self.on_fault == OnFault::Stop,
            // No record has times where no engine has a time limit.
            reproducible: engines.iter().all(|spec| spec.pace.unwrap_or(pace).is_reproducible()),
            restart: self.restart,
            variants,
            engines,
        })
    }

    /// The limit given, if there is one.
    pub fn given_pace(&self) -> Result<Option<Pace>, PaceError> {
        let given = [
            ("tc", &self.tc),
            ("movetime", &self.movetime),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
        ];
        let given = given.into_iter().find_map(|(name, value)| Some((name, value.as_ref()?)));
        given.map(|(name, value)| Pace::parse(name, value)).transpose()
    }

    /// The limit given, or 10+0.1.
    pub fn pace(&self) -> Result<Pace, PaceError> {
        Ok(self.given_pace()?.unwrap_or(Pace::parse("tc", "10+0.1")?))
    }

    fn patience(&self) -> CommandResult<Duration> {
        let seconds = self.patience;
        if !(0.01..=86_400.0).contains(&seconds) {
            return Err(format!("--patience {seconds}: seconds from 0.01 to 86400").into());
        }
        Ok(Duration::from_secs_f64(seconds))
    }

    fn adjudication(&self) -> Result<Adjudication, AdjudicationError> {
        let resign = (!self.resign.is_empty()).then(|| Resign::parse(&self.resign)).transpose()?;
        let draw = (!self.draw.is_empty()).then(|| Draw::parse(&self.draw)).transpose()?;
        let (max_plies, endings) = (self.max_plies, self.endings.unwrap_or(0));
        Ok(Adjudication { resign, draw, max_plies, endings })
    }
}

impl Common {
    /// A match as [`Conditions::plan`] makes it, with the options of its files.
    pub fn plan(
        &self,
        event: &str,
        variants: Vec<Arc<Variant>>,
        engines: Vec<EngineSpec>,
        pace: Pace,
        openings: Option<&str>,
        seed: u64,
    ) -> CommandResult<Match> {
        let event = self.event.as_deref().unwrap_or(event);
        let plan = self.conditions.plan(event, variants, engines, pace, openings, seed)?;
        Ok(Match { reproducible: self.reproducible || plan.reproducible, ..plan })
    }

    /// The files to write.
    pub fn files(&self) -> [Named<'_>; 3] {
        [("--log", &self.log), ("--pgn", &self.pgn), ("--chart", &self.chart)]
            .map(|(option, path)| (option, path.as_deref()))
    }

    /// The test with these four numbers, if they are given.
    pub fn sprt(&self, numbers: &[f64], logistic: bool) -> Result<Option<Sprt>, SprtError> {
        let &[elo0, elo1, alpha, beta] = numbers else {
            return Ok(None);
        };
        let model = if logistic { EloModel::Logistic } else { EloModel::Normalized };
        Sprt::new(elo0, elo1, alpha, beta, model).map(Some)
    }
}

/// The bar with the live standing.
pub(super) const STANDING: BarLook = ("{pos}/{len} {wide_msg} {eta} left", "=> ");

/// Plays a match with a progress bar and prints its report.
pub(super) fn play_match(plan: &Match, common: &Common) -> CommandResult {
    let openings = common.conditions.openings.as_deref().map(Path::new);
    refuse_shared(&common.files(), &[("--openings", openings)])?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    signals::on_signal(move || stopped.store(true, Ordering::Relaxed))?;
    if let Err(error) = plan.check_engines(&stop) {
        if stop.load(Ordering::Relaxed) {
            complain("stopped before the first game");
            signals::end();
        }
        return Err(error.into());
    }
    let header = plan.header();
    let (log, pgn) = (common.log.as_deref(), common.pgn.as_deref());
    let (mut writer, done) = Writer::open(log, pgn, common.resume, &header)?;
    let games = plan.indices().len();
    let bar = progress_bar(games as u64, STANDING);
    let mut last = Standing::new(&plan.engines);
    let end = run(plan, &mut writer, &done, &stop, &mut |record, standing| {
        bar.inc(1);
        bar.set_message(standing.short(plan.sprt.as_ref()));
        let played = bar.position() as usize;
        if bar.is_hidden() && played > done.len() && is_reported(played, games) {
            let short = standing.short(plan.sprt.as_ref());
            complain(&format!("{played} of {} {short}", counted(games as u64, "game")));
        }
        last.add(record);
    });
    let played = bar.position();
    bar.finish_and_clear();
    if played > 0 {
        show(&last, plan.sprt.as_ref(), common)?;
    }
    // Behind an error too, games that are whole are kept.
    let end = end.map_err(|error| match (log, played) {
        (Some(_), 1..) => format!("{error}; finished games are kept, --resume goes on"),
        _ => error.to_string(),
    });
    match end? {
        End::Complete | End::Decided(_) => {
            writer.finish();
            Ok(())
        }
        End::Interrupted => {
            let hint = if log.is_some() { "; go on with --resume" } else { "" };
            let games = counted(games as u64, "game");
            complain(&format!("stopped after {played} of {games}{hint}"));
            signals::end();
        }
    }
}

/// Whether the standing is printed after so many games where no progress bar is seen: twenty times in a match, at
/// least every hundred games, at most every ten, and not at the end, which the report follows.
pub(super) fn is_reported(played: usize, games: usize) -> bool {
    played.is_multiple_of((games / 20).clamp(10, 100)) && played < games
}

/// Prints the report, and draws the chart if asked for.
pub(super) fn show(standing: &Standing, sprt: Option<&Sprt>, common: &Common) -> CommandResult {
    print(&standing.report(sprt));
    let Some(path) = &common.chart else {
        return Ok(());
    };
    let svg = chart::svg(&standing.rows());
    write_file(path, &svg.map_err(|error| format!("chart {}", fault_in(path, &error)))?)
}
