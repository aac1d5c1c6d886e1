//! Fits the coefficients of the prior (src/engine/eval/prior.toml), by which a game that nobody has trained is judged, to
//! files of `garrison selfplay` of many games, and prints the validation losses of each. `--without GAME` leaves out a
//! game and those whose pieces and board are like its own; `--weights` then writes what the game gets by the others, to be
//! played with by `EvalFile`. `bench/prior/run` makes the data and calls this.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use garrison::definitions::read_definitions;
use garrison::engine::EvalFile;
use garrison::training::corpus::{Room, Settings};
use garrison::training::pooled::{Pool, PriorCoefficients};
use garrison::training::sample::header;
use garrison_rules::{Variant, catalogue, find};

#[derive(Debug, Parser)]
#[command(about = "Fits the coefficients of the prior to positions of many games")]
struct Args {
    /// Files of `garrison selfplay`, each of one game or of games of one family
    #[arg(long, num_args = 1.., required_unless_present = "coefficients")]
    data: Vec<PathBuf>,
    /// A definition or a folder of definitions
    #[arg(long)]
    variants: Option<PathBuf>,
    /// A game to leave out, with those that are like it
    #[arg(long)]
    without: Option<String>,
    /// The lines of each file that are read
    #[arg(long, default_value_t = 30_000)]
    lines: usize,
    /// The share of the game's result in the target; the rest is the score of the search
    #[arg(long, default_value_t = 0.3)]
    blend: f64,
    /// Steps of the descent, each with 512 positions of every game
    #[arg(long, default_value_t = 1500)]
    steps: usize,
    /// Of the choice of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Coefficients that were fitted before, for --weights
    #[arg(long, conflicts_with_all = ["data", "without"])]
    coefficients: Option<PathBuf>,
    /// The coefficients to write
    #[arg(long)]
    out: Option<PathBuf>,
    /// The evaluation weights of a game to write, by these coefficients
    #[arg(long, value_name = "GAME=FILE")]
    weights: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    if let Some(path) = &args.variants {
        let listed = |faults: Vec<_>| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            lines.join("\n")
        };
        let files = read_definitions(path).map_err(listed)?;
        catalogue::add(files).map_err(listed)?;
    }
    let coefficients = match &args.coefficients {
        Some(path) => PriorCoefficients::parse(&std::fs::read_to_string(path)?)?,
        None => fit(&args)?,
    };
    for text in &args.weights {
        let (name, path) = text.split_once('=').ok_or("--weights needs GAME=FILE")?;
        let variant = find(name)?;
        let comment = ["The prior, by examples/fit_prior.rs".to_string()];
        std::fs::write(
            path,
            EvalFile::text_of(&variant, &comment, &coefficients.evaluation(&variant)),
        )?;
    }
    Ok(())
}

/// Reads the data, fits the coefficients, prints the losses.
fn fit(args: &Args) -> Result<PriorCoefficients, Box<dyn Error>> {
    let settings =
        Settings { epochs: 1, blend: args.blend, seed: args.seed, room: Room::default() };
    let mut pool = Pool::default();
    let mut headers = Vec::new();
    for path in &args.data {
        let (variant, line) = game_of(path)?;
        let text = first_lines(path, args.lines)?;
        pool.add(&variant, text.as_bytes(), &settings)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        headers.push(line);
    }
    pool.extract(&settings)?;
    let without = args.without.as_deref().map(find).transpose()?;
    let left_out: Vec<bool> = match &without {
        Some(variant) => pool.relatives(variant),
        None => pool.games().map(|_| false).collect(),
    };
    let coefficients = pool.fit(&left_out, args.steps, args.seed, |_| {});
    println!(
        "{:<24}{:>10}{:>9}{:>9}{:>9}",
        "validation loss", "positions", "plain", "prior", "moves"
    );
    for (((name, positions), losses), out) in
        pool.games().zip(pool.losses(&coefficients)).zip(&left_out)
    {
        let note = if *out { "  left out" } else { "" };
        println!(
            "{name:<24}{positions:>10}{:>9.4}{:>9.4}{:>9.4}{note}",
            losses.plain, losses.prior, losses.prior_of_moves
        );
    }
    if let Some(out) = &args.out {
        let positions: usize = pool.games().map(|(_, positions)| positions).sum();
        let mut comment = vec![
            format!(
                "The coefficients of the prior (docs/tuning.md), fitted by examples/fit_prior.rs --blend {} --lines {} --steps {}",
                args.blend, args.lines, args.steps
            ),
            format!(
                "--seed {} to {positions} positions of {} games (bench/prior/run):",
                args.seed,
                left_out.len()
            ),
        ];
        comment.extend(headers);
        comment.push("Columns: middle game and end game of all games; what is added where captured pieces go to hands;".to_string());
        comment.push("both where a side wins by losing its pieces. In centipawns.".to_string());
        std::fs::write(out, coefficients.text(&comment))?;
    }
    Ok(coefficients)
}

/// The first game that a file names, and its header.
fn game_of(path: &Path) -> Result<(Arc<Variant>, String), Box<dyn Error>> {
    let header = header(BufReader::new(File::open(path)?))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let name = header.variants.first().ok_or("a file of no game")?;
    Ok((find(name)?, header.to_string().trim_start_matches("# ").to_string()))
}

/// The first lines of a file.
fn first_lines(path: &Path, count: usize) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for line in BufReader::new(File::open(path)?).lines().take(count) {
        text += &line?;
        text.push('\n');
    }
    Ok(text)
}
