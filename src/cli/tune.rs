//! `garrison tune`: fits the evaluation of a game to the positions that `selfplay` wrote.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;
use plotters::prelude::*;

use super::position::unknown_variant;
use super::{BarLook, CommandResult, pool, print, progress_bar, read_file, write_file};
use crate::engine::Linear;
use crate::rules::{Variant, find};
use crate::training::sample::Header;
use crate::training::tune::{Losses, Settings, Tuner};

/// Fit the evaluation of a game to the positions that `selfplay` wrote.
///
/// The table says what each man is worth on each square, in hand, by its mobility, and so on, in
/// centipawns for the middle game and the end game. An engine reads it by the option EvalFile.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison selfplay --variant shoranji --games 5000 --nodes 2000 --out games.txt
  garrison tune --data games.txt --out shoranji.toml --svg loss.svg
  garrison tune --show shoranji                    what the men are worth now")]
pub(super) struct Args {
    /// Files of `garrison selfplay`, all of one game or of games that share their men
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "show")]
    data: Vec<PathBuf>,
    /// The table to write
    #[arg(long, value_name = "FILE", required_unless_present = "show")]
    out: Option<PathBuf>,
    /// A picture of the losses
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// The table to begin with [default: the values of the definition]
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// How often all positions are gone through
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// How much of the target is the result of the game; the rest is the score of the search
    #[arg(long, default_value_t = 0.7, value_parser = share)]
    blend: f64,
    /// Of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads share the work [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Only tell what the men of this game are worth
    #[arg(long, value_name = "NAME", conflicts_with_all = ["data", "out", "svg"])]
    show: Option<String>,
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "no number".to_string())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("not from 0 to 1".to_string()) }
}

/// How the bar shows epochs and losses.
const EPOCHS: BarLook = ("{bar:30} {pos}/{len} epochs, {msg} (about {eta} left)", "█░");

pub(super) fn run(args: &Args) -> CommandResult {
    if let Some(name) = &args.show {
        let variant = find(name).ok_or_else(|| unknown_variant(name))?;
        print(&values(&variant, &Linear::new(&variant)));
        return Ok(());
    }
    let (Some(out), Some(first)) = (&args.out, args.data.first()) else {
        return Err("needs --data and --out".to_string());
    };
    let settings = Settings { epochs: args.epochs, blend: args.blend, seed: args.seed };
    let variant = variant_of(first)?;
    let start = match &args.start {
        None => Linear::plain(&variant),
        Some(path) => Linear::from_text(&variant, &read_file(path)?)
            .map_err(|error| format!("'{}': {error}", path.display()))?,
    };
    let processors = || std::thread::available_parallelism().map_or(1, |number| number.get());
    let pool = pool(args.threads.unwrap_or_else(|| processors().clamp(1, 1024) as u16))?;
    let mut tuner = Tuner::new(&variant, &start);
    for path in &args.data {
        let file = open(path)?;
        pool.install(|| tuner.add(file, &settings))
            .map_err(|error| format!("'{}': {error}", path.display()))?;
    }
    if tuner.learned.is_empty() || tuner.held_out.is_empty() {
        return Err("too few games: nothing to learn from, or nothing held out".to_string());
    }
    let bar = progress_bar(u64::from(args.epochs), EPOCHS);
    let fit = pool.install(|| {
        tuner.fit(&settings, |epoch, losses| {
            bar.set_position(epoch as u64);
            bar.set_message(format!("loss {:.5}, held out {:.5}", losses.learned, losses.held_out));
            true
        })
    });
    bar.finish_and_clear();
    write_file(out, &fit.linear.to_text(&variant, &tuner.provenance(&settings)))?;
    if let Some(path) = &args.svg {
        write_file(path, &picture(&fit.losses)?)?;
    }
    let (before, after) = (fit.losses[0], fit.losses[fit.best]);
    print(&format!(
        "{} positions, {} held out\nloss held out: {:.5} before, {:.5} after epoch {}\n\n{}",
        tuner.learned.len(),
        tuner.held_out.len(),
        before.held_out,
        after.held_out,
        fit.best,
        values(&variant, &fit.linear)
    ));
    Ok(())
}

fn open(path: &Path) -> Result<BufReader<File>, String> {
    let file = File::open(path);
    let file = file.map_err(|error| format!("cannot read '{}': {error}", path.display()))?;
    Ok(BufReader::new(file))
}

/// The first game of a file.
fn variant_of(path: &Path) -> Result<Arc<Variant>, String> {
    let mut line = String::new();
    open(path)?.read_line(&mut line).map_err(|error| format!("'{}': {error}", path.display()))?;
    let header: Result<Header, _> = line.trim_end().parse();
    let header = header.map_err(|error| format!("'{}': {error}", path.display()))?;
    let name = header.variants.first().map_or("", String::as_str);
    find(name).ok_or_else(|| unknown_variant(name))
}

/// What the men are worth, a line each, in pawns.
fn values(variant: &Variant, linear: &Linear) -> String {
    let pawn = variant.kinds().next().map_or(100, |_| {
        let pawn = variant.kinds().find(|&kind| variant.man(kind).letter.to_string() == "P");
        pawn.map_or(100, |pawn| linear.man_value(pawn)).max(1)
    });
    let in_pawns = |value: i32| f64::from(value) / f64::from(pawn);
    let mut text = format!("{:<4} {:<20} {:>6} {:>6} {:>8}\n", "man", "", "cp", "pawns", "in hand");
    for kind in variant.kinds() {
        let man = variant.man(kind);
        let (board, hand) = (linear.man_value(kind), linear.hand_value(kind));
        let hand = if man.slot.is_some() { format!("{:.2}", in_pawns(hand)) } else { "-".into() };
        let letter = man.letter.to_string();
        text += &format!(
            "{letter:<4} {:<20} {board:>6} {:>6.2} {hand:>8}\n",
            man.name,
            in_pawns(board)
        );
    }
    text
}

/// The losses by epoch.
fn picture(losses: &[Losses]) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, losses).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(text: &mut String, losses: &[Losses]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, (760, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let all = losses.iter().flat_map(|losses| [losses.learned, losses.held_out]);
    let (least, most) = all.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let room = (most - least).max(1e-6) * 0.05;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(0..losses.len() - 1, least - room..most + room)?;
    chart.configure_mesh().x_desc("epoch").y_desc("mean loss").draw()?;
    let lines = [
        ("learned from", RGBColor(0x4c, 0x8c, 0x6a), losses.iter().map(|l| l.learned).collect()),
        ("held out", RGBColor(0x3d, 0x4a, 0x57), losses.iter().map(|l| l.held_out).collect()),
    ];
    for (label, color, values) in lines {
        let values: Vec<f64> = values;
        let points = values.into_iter().enumerate();
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).draw()?;
    area.present()?;
    drop(chart);
    Ok(())
}
