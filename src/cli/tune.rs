//! `garrison tune`: fits the evaluation of a game to the positions that `selfplay` wrote.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressBarIter};
use plotters::prelude::*;

use super::samples::open;
use super::{BarLook, CommandResult, pool_or_all, print, progress_bar, read_file, write_file};
use crate::engine::{Evaluation, Linear};
use crate::files::fault_in;
use crate::training::corpus::{Losses, Settings};
use crate::training::network::Trainer;
use crate::training::sample::{Header, LineError};
use crate::training::tune::Tuner;
use garrison_rules::{Variant, find};

/// Fit the evaluation of a game to the positions that `selfplay` wrote.
///
/// The table says what each piece is worth on each square, in hand, by its mobility, and so on, in
/// centipawns for the middle game and the end game. With --network, a small neural network is trained
/// that judges positions in place of the table; it wants millions of positions. An engine reads the
/// file by the option EvalFile.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison selfplay --variant shoranji --games 5000 --nodes 2000 --out games.txt
  garrison tune --data games.txt --out shoranji.toml --svg loss.svg
  garrison tune --data games.txt --network --epochs 12 --out shoranji-network.toml
  garrison tune --show shoranji                    what the pieces are worth now")]
pub(super) struct Args {
    /// Files of `garrison selfplay`, all of one game or of games that share their pieces
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "show")]
    data: Vec<PathBuf>,
    /// The table to write
    #[arg(long, value_name = "FILE", required_unless_present = "show")]
    out: Option<PathBuf>,
    /// A picture of the losses
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// The table to begin with [default: the values of the definition]; with --network, a network
    /// in it is gone on with
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
    /// Train a network that judges in place of the table of --start [default: the program's own]
    #[arg(long)]
    network: bool,
    /// Only tell what the pieces of this game are worth
    #[arg(long, value_name = "NAME", conflicts_with_all = ["data", "out", "svg"])]
    show: Option<String>,
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "no number".to_string())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("not from 0 to 1".to_string()) }
}

/// How the bar shows epochs and losses.
const EPOCHS: BarLook = ("{bar:30} {pos}/{len} epochs, {msg} (about {eta} left)", "█░");

/// Of the files together, in bytes.
const BYTES: BarLook = ("{bar:30} {bytes}/{total_bytes} read (about {eta} left)", "█░");

const TOO_SMALL: &str = "too few games: nothing to learn from, or nothing held out";

pub(super) fn run(args: &Args) -> CommandResult {
    if let Some(name) = &args.show {
        let variant = find(name).map_err(|unknown| unknown.to_string())?;
        print(&values(&variant, &Evaluation::new(&variant).linear));
        return Ok(());
    }
    let (Some(out), Some(first)) = (&args.out, args.data.first()) else {
        return Err("needs --data and --out".into());
    };
    let settings = Settings { epochs: args.epochs, blend: args.blend, seed: args.seed };
    let variant = variant_of(first)?;
    let start = match &args.start {
        None if args.network => Evaluation::new(&variant).linear.into(),
        None => Linear::plain(&variant).into(),
        Some(path) => Evaluation::from_text(&variant, &read_file(path)?)
            .map_err(|error| fault_in(path, &error))?,
    };
    let pool = pool_or_all(args.threads)?;
    let (text, losses) = pool.install(|| {
        if args.network {
            train(args, &variant, start, &settings)
        } else {
            fit(args, &variant, &start.linear, &settings)
        }
    })?;
    write_file(out, &text)?;
    args.svg.as_deref().map_or(Ok(()), |path| write_file(path, &picture(&losses)?))
}

/// Fits a table; its text, and the losses by epoch.
fn fit(
    args: &Args,
    variant: &Arc<Variant>,
    start: &Linear,
    settings: &Settings,
) -> CommandResult<(String, Vec<Losses>)> {
    let mut tuner = Tuner::new(variant, start);
    read(args, |file| tuner.add(file, settings))?;
    if tuner.is_too_small() {
        return Err(TOO_SMALL.into());
    }
    let bar = progress_bar(u64::from(args.epochs), EPOCHS);
    let fit = tuner.fit(settings, |epoch, losses| show(&bar, epoch, losses));
    bar.finish_and_clear();
    let (before, after) = (fit.losses[0].held_out, fit.losses[fit.best].held_out);
    let provenance = tuner.provenance(settings);
    print(&format!(
        "{}\nloss held out: {before:.5} before, {after:.5} after epoch {}\n\n{}",
        provenance[0],
        fit.best,
        values(variant, &fit.linear)
    ));
    let fitted = Evaluation::from(fit.linear);
    Ok((fitted.to_text(variant, &provenance, &[]), fit.losses))
}

/// Trains a network; its text behind that of the table it begins with, and the losses by epoch.
fn train(
    args: &Args,
    variant: &Arc<Variant>,
    start: Evaluation,
    settings: &Settings,
) -> CommandResult<(String, Vec<Losses>)> {
    let mut trainer = Trainer::new(variant);
    read(args, |file| trainer.add(file, settings))?;
    if trainer.is_too_small() {
        return Err(TOO_SMALL.into());
    }
    let bar = progress_bar(u64::from(args.epochs), EPOCHS);
    let told = |epoch, losses| show(&bar, epoch, losses);
    let (network, losses) = trainer.train(settings, start.network(), told);
    bar.finish_and_clear();
    let (before, after) = (losses[0].held_out, losses[losses.len() - 1].held_out);
    let begun = args.start.as_ref().filter(|_| start.has_network());
    let begun = begun.and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
    let provenance = trainer.provenance(settings, begun.as_deref());
    print(&format!("{}\nloss held out: {before:.5} before, {after:.5} after\n", provenance[0]));
    let trained = Evaluation::with_network(start.linear, network);
    Ok((trained.to_text(variant, &[], &provenance), losses))
}

fn show(bar: &ProgressBar, epoch: usize, losses: Losses) {
    bar.set_position(epoch as u64);
    bar.set_message(format!("loss {:.5}, held out {:.5}", losses.learned, losses.held_out));
}

/// Reads the files one after the other.
fn read(
    args: &Args,
    mut add: impl FnMut(ProgressBarIter<BufReader<File>>) -> Result<(), LineError>,
) -> CommandResult {
    let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    let bar = progress_bar(args.data.iter().map(length).sum(), BYTES);
    for path in &args.data {
        add(bar.wrap_read(open(path)?)).map_err(|error| fault_in(path, &error))?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// The first game of a file.
fn variant_of(path: &Path) -> Result<Arc<Variant>, String> {
    let mut line = String::new();
    open(path)?.read_line(&mut line).map_err(|error| fault_in(path, &error))?;
    let header: Result<Header, _> = line.trim_end().parse();
    let header = header.map_err(|error| fault_in(path, &error))?;
    let name = header.variants.first().map_or("", String::as_str);
    find(name).map_err(|unknown| unknown.to_string())
}

/// What the pieces are worth, a line each, in pawns.
fn values(variant: &Variant, linear: &Linear) -> String {
    let pawn = variant.kinds().next().map_or(100, |_| {
        let pawn = variant.kinds().find(|&kind| variant.piece(kind).letter.to_string() == "P");
        pawn.map_or(100, |pawn| linear.piece_value(pawn)).max(1)
    });
    let in_pawns = |value: i32| f64::from(value) / f64::from(pawn);
    let mut text = format!("{:<4} {:<20} {:>6} {:>6} {:>8}\n", "man", "", "cp", "pawns", "in hand");
    for kind in variant.kinds() {
        let piece = variant.piece(kind);
        let (board, hand) = (linear.piece_value(kind), linear.hand_value(kind));
        let hand = if piece.slot.is_some() { format!("{:.2}", in_pawns(hand)) } else { "-".into() };
        let letter = piece.letter.to_string();
        text += &format!(
            "{letter:<4} {:<20} {board:>6} {:>6.2} {hand:>8}\n",
            piece.name,
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
