//! `garrison tune`: fits the evaluation of a game to the positions that `selfplay` wrote.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressBarIter};
use plotters::prelude::*;

use super::samples::open;
use super::signals::{self, stopped_by_signal};
use super::{BarLook, CommandResult, complain, pool_or_all, print, progress_bar, write_file};
use crate::engine::eval::network::{DEFAULT_HIDDEN, HIDDEN_SIZES, LANES, Network, encode};
use crate::engine::{EvalFile, Evaluation, GameProfile, LinearEval};
use crate::eval_files::{network_beside, read_eval_file};
use crate::files::{fault_in, write_whole};
use crate::training::corpus::{Losses, Settings};
use crate::training::network::Trainer;
use crate::training::sample::{LineError, header};
use crate::training::tune::Tuner;
use garrison_rules::{Variant, find};

/// Fit the evaluation of a game to the positions that `selfplay` wrote.
///
/// The evaluation weights say what each piece is worth on each square, in hand, by its mobility, and so on,
/// in centipawns for the middle game and the end game. With --network, a small neural network is trained
/// that judges positions in their place, and written to a file beside the weights; it needs millions of
/// positions. An engine reads either file by the option EvalFile.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison selfplay --variant shoranji --games 5000 --nodes 2000 --out games.txt
  garrison tune --data games.txt --out shoranji.toml --svg loss.svg
  garrison tune --data games.txt --network --epochs 12 --out shoranji-network.toml
  garrison tune --show shoranji                    what the pieces are worth now
  garrison tune --show shoranji --start shoranji.toml       and by the weights of a file")]
pub(super) struct Args {
    /// Files of `garrison selfplay`, all of one game or of games of one family
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "show")]
    data: Vec<PathBuf>,
    /// The evaluation weights to write; with --network, also a file of the same name that ends in .nnue
    #[arg(long, value_name = "FILE.toml", required_unless_present = "show")]
    out: Option<PathBuf>,
    /// A chart of the losses by epoch
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// The evaluation to begin with [default: the values of the definition]; with --network, the training
    /// of its network goes on, if it has one
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Passes over all positions
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// The share of the game's result in the target; the rest is the score of the search
    #[arg(long, default_value_t = 0.7, value_parser = share)]
    blend: f64,
    /// Seed of the random numbers: the order of the positions, the initial weights of a network
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that share the work [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Train a network that judges in place of the weights of --start [default: those that ship]
    #[arg(long)]
    network: bool,
    /// Neurons of the hidden layer of a new network, a multiple of 16 from 16 to 512 [default: 128]
    #[arg(long, value_name = "N", requires = "network", value_parser = hidden_size)]
    hidden: Option<usize>,
    /// Only print what the pieces of this game are worth, and where the evaluation comes from
    #[arg(long, value_name = "NAME", conflicts_with_all = ["data", "out", "svg", "network"])]
    show: Option<String>,
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("not from 0 to 1".to_string()) }
}

fn hidden_size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| HIDDEN_SIZES.contains(size) && size % LANES == 0);
    let (least, most) = HIDDEN_SIZES.into_inner();
    size.ok_or_else(|| format!("not a multiple of {LANES} from {least} to {most}"))
}

/// How the bar shows epochs and losses.
const EPOCHS: BarLook = ("{pos}/{len} epochs, {msg}, {eta} left {wide_bar}", "█░");

/// Of the files together, in bytes.
const BYTES: BarLook = ("{bytes}/{total_bytes} read, {eta} left {wide_bar}", "█░");

const TOO_SMALL: &str = "too few games: nothing to learn from, or nothing for validation";

/// What was fitted, as the files to write, and the losses by epoch.
struct Fitted {
    weights: String,
    network: Option<Vec<u8>>,
    losses: Vec<Losses>,
    /// Whether a signal came before the last epoch.
    is_stopped: bool,
}

/// The evaluation that a fit begins with, and the file that it is from, if it is from one.
struct Start {
    evaluation: Evaluation,
    file: Option<EvalFile>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    if let Some(name) = &args.show {
        let variant = find(name)?;
        return show(args, &variant);
    }
    let (Some(out), Some(first)) = (&args.out, args.data.first()) else {
        return Err("needs --data and --out".into());
    };
    let settings = Settings { epochs: args.epochs, blend: args.blend, seed: args.seed };
    let variant = variant_of(first)?;
    let mut start = start(args, &variant)?;
    if args.start.is_none() {
        let linear =
            if args.network { start.evaluation.linear } else { LinearEval::plain(&variant) };
        start.evaluation = linear.into();
    }
    let (network_path, network_name) = network_beside(out);
    let pool = pool_or_all(args.threads)?;
    let fitted = pool.install(|| {
        if args.network {
            train(args, &variant, &start, &settings, &network_name)
        } else {
            fit(args, &variant, &start.evaluation.linear, &settings)
        }
    })?;
    let write = |path: &Path, bytes: &[u8]| {
        write_whole(path, bytes).map_err(|error| format!("cannot write {}", fault_in(path, &error)))
    };
    let epochs = fitted.losses.len() - 1;
    // The network first: weights never name one that is not there.
    if let Some(network) = &fitted.network {
        write(&network_path, network)?;
    }
    if !args.network || network_path != *out {
        write(out, fitted.weights.as_bytes())?;
    }
    if let Some(path) = &args.svg {
        write_file(path, &picture(&fitted.losses)?)?;
    }
    if fitted.is_stopped {
        let all = args.epochs;
        complain(&format!(
            "stopped after epoch {epochs} of {all}; go on with --start and the file written"
        ));
        signals::end();
    }
    Ok(())
}

/// The evaluation of --start, or the one that ships with the program.
fn start(args: &Args, variant: &Arc<Variant>) -> Result<Start, String> {
    let Some(path) = &args.start else {
        let evaluation = Evaluation::new(variant);
        return Ok(Start { evaluation, file: Evaluation::shipped_file(variant) });
    };
    let place = |fault: &dyn std::fmt::Display| fault_in(path, fault);
    let file = read_eval_file(path).map_err(|fault| place(&fault))?;
    let evaluation = file.evaluation(variant).map_err(|error| place(&error))?;
    Ok(Start { evaluation, file: Some(file) })
}

/// Prints what pieces are worth, how games go, and where the evaluation comes from.
fn show(args: &Args, variant: &Arc<Variant>) -> CommandResult {
    let Start { evaluation, file } = start(args, variant)?;
    let profile = file.as_ref().and_then(EvalFile::profile);
    let GameProfile { draws, plies } = profile.unwrap_or_else(|| GameProfile::of(variant));
    let mut text = values(variant, &evaluation.linear);
    text += &format!("\nprofile: share of draws {draws:.3}, {plies:.0} plies per game\n");
    for source in file.iter().flat_map(|file| [file.comment().to_vec(), file.network_info()]) {
        if !source.is_empty() {
            text += &format!("\n{}\n", source.join("\n"));
        }
    }
    print(&text);
    Ok(())
}

/// Fits the linear evaluation.
fn fit(
    args: &Args,
    variant: &Arc<Variant>,
    start: &LinearEval,
    settings: &Settings,
) -> CommandResult<Fitted> {
    let mut tuner = Tuner::new(variant, start);
    read(args, |file| tuner.add(file, settings))?;
    if tuner.is_too_small() {
        return Err(TOO_SMALL.into());
    }
    let bar = progress_bar(u64::from(args.epochs), EPOCHS);
    // Until now there was nothing to keep.
    let control = stopped_by_signal()?;
    let fit = tuner.fit(settings, |epoch, losses| {
        show_losses(&bar, epoch, losses);
        !control.is_stopped()
    });
    bar.finish_and_clear();
    let (before, after) = (fit.losses[0].validation, fit.losses[fit.best].validation);
    let stopped = stopped_after(&fit.losses, settings);
    let provenance: Vec<String> = tuner.provenance(settings).into_iter().chain(stopped).collect();
    let GameProfile { draws, plies } = fit.profile;
    print(&format!(
        "{}\nvalidation loss: {before:.5} before, {after:.5} after epoch {}\n\
         profile of these games: share of draws {draws:.3}, {plies:.0} plies per game\n\n{}",
        provenance[0],
        fit.best,
        values(variant, &fit.linear)
    ));
    let weights = EvalFile::text(variant, &provenance, None, Some(fit.profile), &fit.linear);
    let is_stopped = stopped_after(&fit.losses, settings).is_some();
    Ok(Fitted { weights, network: None, losses: fit.losses, is_stopped })
}

/// Trains a network, beside the weights that it begins with.
fn train(
    args: &Args,
    variant: &Arc<Variant>,
    start: &Start,
    settings: &Settings,
    name: &str,
) -> CommandResult<Fitted> {
    let Start { evaluation, file } = start;
    let begun = evaluation.network();
    let hidden = hidden_of(args, begun)?;
    let mut trainer = Trainer::new(variant, hidden, begun);
    read(args, |file| trainer.add(file, settings))?;
    if trainer.is_too_small() {
        return Err(TOO_SMALL.into());
    }
    let bar = progress_bar(u64::from(args.epochs), EPOCHS);
    let control = stopped_by_signal()?;
    let report = |epoch, losses| {
        show_losses(&bar, epoch, losses);
        !control.is_stopped()
    };
    let (network, losses) = trainer.train(settings, begun, report);
    bar.finish_and_clear();
    let (before, after) = (losses[0].validation, losses[losses.len() - 1].validation);
    let begun_in = args.start.as_ref().filter(|_| begun.is_some());
    let begun_in = begun_in.and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
    let stopped = stopped_after(&losses, settings);
    let provenance = trainer.provenance(settings, begun_in.as_deref()).into_iter();
    let provenance: Vec<String> = provenance.chain(stopped).collect();
    print(&format!("{}\nvalidation loss: {before:.5} before, {after:.5} after\n", provenance[0]));
    let comment = file.as_ref().map_or(&[][..], EvalFile::comment);
    let profile = file.as_ref().and_then(EvalFile::profile);
    let weights = EvalFile::text(variant, comment, Some(name), profile, &evaluation.linear);
    let network = encode(variant, network.weights(), &provenance);
    let is_stopped = stopped_after(&losses, settings).is_some();
    Ok(Fitted { weights, network: Some(network), losses, is_stopped })
}

/// A line for the file if a signal came before the last epoch.
fn stopped_after(losses: &[Losses], settings: &Settings) -> Option<String> {
    let epochs = losses.len() - 1;
    (epochs < settings.epochs as usize).then(|| format!("Stopped after epoch {epochs}."))
}

/// The size of the hidden layer of the network to train.
fn hidden_of(args: &Args, begun: Option<&Network>) -> Result<usize, String> {
    let begun = begun.map(|network| network.weights().hidden);
    match (args.hidden, begun) {
        (Some(wanted), Some(size)) if wanted != size => {
            Err(format!("--hidden {wanted}: the network of --start has {size} neurons"))
        }
        (wanted, begun) => Ok(wanted.or(begun).unwrap_or(DEFAULT_HIDDEN)),
    }
}

fn show_losses(bar: &ProgressBar, epoch: usize, losses: Losses) {
    bar.set_position(epoch as u64);
    bar.set_message(format!("loss {:.5}, validation {:.5}", losses.training, losses.validation));
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

/// The first game that a file names.
fn variant_of(path: &Path) -> Result<Arc<Variant>, String> {
    let header = header(open(path)?).map_err(|error| fault_in(path, &error))?;
    let name = header.variants.first().map_or("", String::as_str);
    find(name).map_err(|unknown| unknown.to_string())
}

/// What the pieces are worth, a line each, in centipawns and in pawns.
fn values(variant: &Variant, linear: &LinearEval) -> String {
    let pawn = variant.kinds().find(|&kind| variant.piece(kind).letter.to_string() == "P");
    let pawn = pawn.map_or(100, |pawn| linear.piece_value(pawn)).max(1);
    let in_pawns = |value: i32| f64::from(value) / f64::from(pawn);
    let mut text = format!("{:<25} {:>6} {:>6} {:>8}\n", "piece", "cp", "pawns", "in hand");
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
    let all = losses.iter().flat_map(|losses| [losses.training, losses.validation]);
    let (least, most) = all.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let room = (most - least).max(1e-6) * 0.05;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(0..losses.len() - 1, least - room..most + room)?;
    chart.configure_mesh().x_desc("epoch").y_desc("mean loss").draw()?;
    let lines = [
        ("training", RGBColor(0x4c, 0x8c, 0x6a), losses.iter().map(|l| l.training).collect()),
        ("validation", RGBColor(0x3d, 0x4a, 0x57), losses.iter().map(|l| l.validation).collect()),
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
