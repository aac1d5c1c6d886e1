//! `garrison learn`: self-play, fits and matches in turn, until the time is over.

mod progress;

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use self::progress::Progress;
use super::games::several;
use super::signals::{self, stopped_by_signal};
use super::{CommandResult, complain, limits, print, processors};
use crate::training::learn::{Folder, LearnError, Learner, Settings};
use garrison_rules::Variant;
use garrison_rules::catalogue::own_names;
use garrison_rules::shown;
use std::sync::Arc;

/// Let the engine learn a game by itself, any game, also one of your own.
///
/// It plays against itself, fits an evaluation to the games, and lets that play against the one before; what wins is kept,
/// and the next generation begins: first tables of weights that a person can read, then, with half an hour or more,
/// networks; a network that comes with the game learns on at once. Everything stands in one folder: the evaluation
/// (eval.toml, eval.nnue), a report for the browser (report.html), the games, and what was done, so that after Ctrl-C or a
/// crash the same command goes on.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison learn capablanca --time 10m
  garrison learn mygame --variants mygame.toml --time 2h --out mygame
  garrison learn mygame --variants mygame.toml --time 8h --out mygame    (goes on for six hours)
  garrison learn swda --time 1h                                          (all sixteen match-ups)
  garrison match --variant capablanca --games 100 --nodes 5000 --openings random:6 \\
      --engine name=learned option.EvalFile=capablanca --engine name=before")]
pub(super) struct Args {
    /// The game (see `garrison variants`); of a family such as `swda` all match-ups take turns
    #[arg(value_name = "GAME")]
    game: String,
    /// How long in all, with the runs before in the same folder: 90s, 10m, 1h, 1h30m
    #[arg(long, default_value = "1h", value_parser = time)]
    time: f64,
    /// Games that are played at once [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The folder for everything [default: the name of the game]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of the random numbers [default: 1, or that of the folder]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Size of the transposition table of each searcher in MiB, two for each thread
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// End after so many generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,
    /// Games of self-play in each generation, in place of a share of the time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// The most pairs of games in the match of each generation, in place of a share of the time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: Option<u64>,
}

/// Reads a time such as `1h30m` as seconds.
fn time(text: &str) -> Result<f64, String> {
    const MOST: f64 = 1e8;
    let fault = || "not a time such as 90s, 10m, 1h or 1h30m".to_string();
    let (mut seconds, mut rest) = (0.0, text);
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(fault)?;
        let (number, unit) = rest.split_at(end);
        let is_number =
            !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.');
        let number: f64 = number.parse().ok().filter(|_| is_number).ok_or_else(fault)?;
        let factor = match unit.chars().next() {
            Some('s') => 1.0,
            Some('m') => 60.0,
            Some('h') => 3600.0,
            Some('d') => 86_400.0,
            _ => return Err(fault()),
        };
        seconds += number * factor;
        rest = &unit[1..];
    }
    if seconds > 0.0 && seconds <= MOST { Ok(seconds) } else { Err(fault()) }
}

pub(super) fn run(args: &Args, own: &[PathBuf]) -> CommandResult {
    let variants = variants(&args.game)?;
    let threads = usize::from(args.threads.unwrap_or_else(processors));
    // Two searchers on each thread, in matches.
    limits::check_searchers(2 * threads, args.hash, limits::FEWER_THREADS_OR_HASH)?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(name(&variants)));
    let is_own = |variant: &Arc<Variant>| own_names().iter().any(|name| name == variant.name());
    let definition = own.first().filter(|_| variants.iter().any(is_own));
    let settings = Settings {
        folder: folder.clone(),
        definition: definition.cloned(),
        time: args.time,
        threads,
        hash: args.hash,
        seed: args.seed,
        generations: args.generations,
        games: args.games,
        pairs: args.pairs,
    };
    let control = stopped_by_signal()?;
    let mut learner = Learner::open(variants.clone(), settings)?;
    let mut progress = Progress::new(args.time);
    progress.begin(learner.state(), &folder);
    let before = learner.state().generations.len();
    let outcome = learner.learn(&control, &mut |event| progress.show(event));
    progress.end();
    match outcome {
        Ok(()) => {}
        Err(LearnError::Stopped) => {
            let number = learner.state().generations.len() + 1;
            let folder = folder.display();
            complain(&format!(
                "stopped in generation {number}; the same command goes on, and {folder} can be used as it is"
            ));
            signals::end();
        }
        Err(fault) => return Err(fault.into()),
    }
    let is_new = learner.state().generations.len() > before;
    print(&format!("{}\n{}", learner.summary(), usage(&folder, definition, is_new)));
    Ok(())
}

/// The games that are learned together: one, or those of one family.
fn variants(name: &str) -> CommandResult<Vec<Arc<Variant>>> {
    // The name of a family means all its games here.
    let all = several(&format!("{name}-random"), 1).or_else(|_| several(name, 1));
    let mut variants = match all {
        Ok(variants) => variants,
        Err(_) => several(name, 1)?,
    };
    if variants.iter().any(|other| other.family() != variants[0].family()) {
        return Err(format!(
            "'{}' names games of several families; learn them one by one",
            shown(name)
        )
        .into());
    }
    variants.sort_by(|one, other| one.name().cmp(other.name()));
    Ok(variants)
}

/// The name of the game, or of the family.
fn name(variants: &[Arc<Variant>]) -> &str {
    if variants.len() == 1 { variants[0].name() } else { variants[0].family() }
}

/// How to use what was learned; `definition` is the file or folder of a user's game.
fn usage(folder: &Path, definition: Option<&PathBuf>, is_new: bool) -> String {
    let at = Folder::of(folder);
    let mut text =
        format!("evaluation: {}\nreport: {}\n", at.evaluation().display(), at.report().display());
    if !is_new {
        text += "the time is used up; a longer --time goes on\n";
    }
    text += &match definition {
        Some(file) => format!(
            "to use it without options, write into '{}': evaluation = \"{}\"\n",
            file.display(),
            relative(file, folder).display()
        ),
        None => format!("to use it: setoption name EvalFile value {}\n", folder.display()),
    };
    text
}

/// A folder as seen from the folder of a definition, or from the root if it is not below that.
fn relative(definition: &Path, folder: &Path) -> PathBuf {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (definition, folder) = (whole(definition), whole(folder));
    let base = if definition.is_dir() { Some(definition.as_path()) } else { definition.parent() };
    let inside = base.and_then(|base| folder.strip_prefix(base).ok());
    inside.filter(|path| !path.as_os_str().is_empty()).map_or(folder.clone(), Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, seconds) in [
            ("90s", 90.0),
            ("10m", 600.0),
            ("1h", 3600.0),
            ("1h30m", 5400.0),
            ("0.5s", 0.5),
            ("2d", 172_800.0),
        ] {
            assert_eq!(time(text), Ok(seconds), "{text}");
        }
        for text in ["", "5", "h", "1x", "-3s", "0s", "1e9h", "1h 30m", "nan s", "99999999d", "1hé"]
        {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn families_are_learned_as_a_whole() {
        let games = |text| variants(text).map(|games| games.len());
        assert_eq!(games("swda").expect("a family"), 16);
        assert_eq!(games("swda-op").expect("a game"), 1);
        assert_eq!(games("chess").expect("a game"), 1);
        assert!(games("chess,shogi").is_err() && games("nothing").is_err());
    }

    #[test]
    fn an_evaluation_below_its_definition_has_a_short_path() {
        let at =
            |definition: &str, folder: &str| relative(Path::new(definition), Path::new(folder));
        assert_eq!(at("/a/game.toml", "/a/learned/x"), Path::new("learned/x"));
        assert_eq!(at("/a/game.toml", "/b/x"), Path::new("/b/x"));
        assert_eq!(at("game.toml", "x"), Path::new("x"));
    }
}
