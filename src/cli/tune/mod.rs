//! `garrison tune`: fits the evaluation of a game to the positions that `selfplay` wrote.

mod chart;
mod show;
mod warnings;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;
use indicatif::ProgressBar;

use self::chart::picture;
use self::show::{show, values};
use self::warnings::warnings;
use super::samples::{open, warn_of_torn};
use super::signals::{self, stopped_by_signal};
use super::{
    BYTES, BarLook, CommandResult, complain, each_named, pool_or_all, print, progress_bar,
    refuse_shared, write_file,
};
use crate::engine::eval::network::{DEFAULT_HIDDEN, HIDDEN_SIZES, LANES, Network, encode};
use crate::engine::{EvalFile, Evaluation, GameProfile, LinearEval};
use crate::eval_files::{network_beside, read_eval_file, unlike_evaluation};
use crate::files::{WholeFile, fault_in, in_file, is_special, unwritten, write_whole};
use crate::training::corpus::{Corpus, Losses, Room, Settings};
use crate::training::network::Trainer;
use crate::training::prior;
use crate::training::sample::header;
use crate::training::tune::Tuner;
use garrison_rules::{Variant, find, shown};

/// Fit the evaluation of a game to the positions that `selfplay` wrote.
///
/// The evaluation weights say what each piece is worth on each square, in hand, by its mobility, and so on,
/// in centipawns for the middle game and the end game. With --network, a small neural network is trained
/// that judges positions in their place, and written to a file beside the weights; it needs millions of
/// positions. An engine reads either file by the option EvalFile.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison selfplay --variant shoranji --games 5000 --nodes 2000 --out games.gdata
  garrison tune --data games.gdata --out shoranji.toml --svg loss.svg
  garrison tune --data games.gdata --network --epochs 12 --out shoranji-network.toml
  garrison tune --show shoranji                        what the pieces are worth now
  garrison tune --show shoranji --start shoranji.toml  and by the weights of a file
  garrison tune --show shoranji --out shipped.toml     the evaluation that ships, to edit or begin with")]
pub(super) struct Args {
    /// Files of `garrison selfplay`, packed or text, all of one game or of games of one family
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "show")]
    data: Vec<PathBuf>,
    /// The evaluation weights to write; with a network, also a file of the same name that ends in .nnue
    #[arg(long, value_name = "FILE.toml", required_unless_present = "show")]
    out: Option<PathBuf>,
    /// A chart of the losses by epoch
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// The evaluation to begin with [default: the one that ships, or else the prior, which is fitted to
    /// other games]; with --network, the training of its network goes on, if it has one
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Begin with the values of the definition, whatever ships
    #[arg(long, conflicts_with_all = ["start", "network"])]
    plain: bool,
    /// As how many positions the evaluation to begin with counts [default: 200000; 20000 for the prior, 5000
    /// for the values of a definition]
    #[arg(long, value_name = "N", conflicts_with = "network")]
    prior: Option<u64>,
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
    /// Memory for the positions, in MiB; what does not fit is read from a temporary file beside the data, or
    /// where TMPDIR says, in each epoch
    #[arg(long, value_name = "MIB", default_value_t = Room::USUAL_MEBIBYTES,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// Train a network that judges in place of the weights of --start [default: those that ship]
    #[arg(long)]
    network: bool,
    /// Neurons of the hidden layer of a new network, a multiple of 16 from 16 to 512 [default: 128]
    #[arg(long, value_name = "N", requires = "network", value_parser = hidden_size)]
    hidden: Option<usize>,
    /// Only print what the pieces of this game are worth, and where the evaluation comes from; with --out,
    /// write that evaluation too
    #[arg(long, value_name = "NAME", conflicts_with_all = ["data", "svg", "network", "prior"])]
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
    check_files(args)?;
    if let Some(name) = &args.show {
        let variant = find(name)?;
        return show(args, &variant);
    }
    let (Some(out), Some(first)) = (&args.out, args.data.first()) else {
        return Err("needs --data and --out".into());
    };
    let room = room(args, first);
    let settings = Settings { epochs: args.epochs, blend: args.blend, seed: args.seed, room };
    let variant = variant_of(first)?;
    let start = start(args, &variant)?;
    let pool = pool_or_all(args.threads)?;
    let fitted = pool.install(|| {
        if args.network {
            train(args, &variant, &start, &settings, &network_beside(out).1)
        } else {
            fit(args, &variant, start, &settings)
        }
    })?;
    let epochs = fitted.losses.len() - 1;
    write(out, &fitted.weights, fitted.network.as_deref())?;
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

/// Refuses files that cannot be written, or that hold something else: a long fit must not find out at its end.
fn check_files(args: &Args) -> CommandResult {
    let Some(out) = args.out.as_deref() else { return Ok(()) };
    if let Some(fault) = unlike_evaluation(out) {
        return Err(format!("--out {}", in_file(out, fault)).into());
    }
    let network = network_beside(out).0;
    let network = Some(network.as_path()).filter(|network| args.network && *network != out);
    let svg = args.svg.as_deref();
    let written = [("--out", Some(out)), ("the network of --out", network), ("--svg", svg)];
    refuse_shared(&written, &each_named("--data", &args.data))?;
    written.iter().filter_map(|(_, path)| *path).try_for_each(check_writable)
}

/// Begins a file and takes it back. A device or a pipe is opened once only, when it is written.
fn check_writable(path: &Path) -> CommandResult {
    if is_special(path) {
        return Ok(());
    }
    if path.is_dir() {
        return Err(unwritten(path, &"is a folder").into());
    }
    let begun = WholeFile::create(path);
    begun.map_err(|error| unwritten(path, &error))?;
    Ok(())
}

/// The room for the positions: memory, and a file beside the data, or where TMPDIR says.
fn room(args: &Args, data: &Path) -> Room {
    let folder = match data.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let temporary = std::env::temp_dir();
    let is_chosen = std::env::var_os("TMPDIR").is_some();
    let folders = if is_chosen { vec![temporary, folder] } else { vec![folder, temporary] };
    Room { memory: (args.memory as usize) << 20, folders }
}

/// Writes an evaluation: weights to this file and a network beside them; only the network if the name is that of one.
fn write(out: &Path, weights: &str, network: Option<&[u8]>) -> CommandResult {
    let write = |path: &Path, bytes: &[u8]| {
        write_whole(path, bytes).map_err(|error| unwritten(path, &error))
    };
    let beside = network_beside(out).0;
    // The network first: weights never name one that is not there.
    if let Some(network) = network {
        write(&beside, network)?;
    }
    if network.is_none() || beside != out {
        write(out, weights.as_bytes())?;
    }
    Ok(())
}

/// The evaluation of --start, or the one that ships with the program or else the prior, or with --plain the values of
/// the definition.
fn start(args: &Args, variant: &Arc<Variant>) -> Result<Start, String> {
    if args.plain {
        return Ok(Start { evaluation: LinearEval::plain(variant).into(), file: None });
    }
    let Some(path) = &args.start else {
        let evaluation = Evaluation::new(variant);
        return Ok(Start { evaluation, file: Evaluation::shipped_file(variant) });
    };
    let place = |fault: &dyn std::fmt::Display| fault_in(path, fault);
    let file = read_eval_file(path).map_err(|fault| place(&fault))?;
    let evaluation = file.evaluation(variant).map_err(|error| place(&error))?;
    Ok(Start { evaluation, file: Some(file) })
}

/// Fits the linear evaluation.
fn fit(
    args: &Args,
    variant: &Arc<Variant>,
    Start { evaluation, file }: Start,
    settings: &Settings,
) -> CommandResult<Fitted> {
    let start = match file {
        Some(_) => prior::Start::Fitted(evaluation.linear),
        None if args.plain => prior::Start::Definition,
        None => prior::Start::General(evaluation.linear),
    };
    let prior = args.prior.unwrap_or_else(|| start.usual_prior());
    let corpus = read(args, variant, &settings.room)?;
    let positions = corpus.positions();
    let tuner = Tuner::new(variant, corpus);
    let bar = progress_bar(u64::from(args.epochs), EPOCHS);
    // Until now there was nothing to keep.
    let control = stopped_by_signal()?;
    let fit = tuner.fit(&start, prior, settings, |epoch, losses| {
        show_losses(&bar, epoch, losses);
        !control.is_stopped()
    });
    bar.finish_and_clear();
    let fit = fit?;
    let (before, after) = (fit.losses[0].validation, fit.losses[fit.best].validation);
    let stopped = stopped_after(&fit.losses, settings);
    let how = format!("{}--prior {prior} ", how(args));
    let provenance: Vec<String> =
        tuner.provenance(settings, &how).into_iter().chain(stopped).collect();
    let begun = begun_with(args, &start, fit.scale);
    let GameProfile { draws, plies } = fit.profile;
    print(&format!(
        "{}\nbegun with {begun}, which count as {prior} positions\n\
         validation loss: {before:.5} before, {after:.5} after epoch {}\n\
         profile of these games: share of draws {draws:.3}, {plies:.0} plies per game\n\n{}",
        provenance[0],
        fit.best,
        values(variant, &fit.linear)
    ));
    for warning in warnings(variant, &start, &fit, positions) {
        complain(&format!("warning: {warning}"));
    }
    let weights = EvalFile::text(variant, &provenance, None, Some(fit.profile), &fit.linear);
    let is_stopped = stopped_after(&fit.losses, settings).is_some();
    Ok(Fitted { weights, network: None, losses: fit.losses, is_stopped })
}

/// The options by which the start was chosen, as a part of the command.
fn how(args: &Args) -> String {
    match args.start.as_deref().and_then(Path::file_name) {
        Some(name) => format!("--start {} ", name.to_string_lossy()),
        None if args.plain => "--plain ".to_string(),
        None => String::new(),
    }
}

/// The initial weights in words; `scale` is the factor of the definition's values.
fn begun_with(args: &Args, start: &prior::Start, scale: Option<f64>) -> String {
    match (&args.start, start, scale) {
        (_, _, Some(scale)) => format!("the values of the definition times {scale:.2}"),
        (Some(path), _, None) => format!("the weights of '{}'", shown(&path.to_string_lossy())),
        (None, prior::Start::General(_), None) => "the weights of the prior".to_string(),
        (None, _, None) => "the weights that ship".to_string(),
    }
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
    // A network that ships is not gone on with unless somebody names it.
    let begun = args.start.as_ref().and_then(|_| evaluation.network());
    let hidden = hidden_of(args, begun)?;
    let corpus = read(args, variant, &settings.room)?;
    let trainer = Trainer::new(variant, corpus, hidden, begun).with_values(&evaluation.linear);
    let bar = progress_bar(u64::from(args.epochs), EPOCHS);
    let control = stopped_by_signal()?;
    let report = |epoch, losses| {
        show_losses(&bar, epoch, losses);
        !control.is_stopped()
    };
    let trained = trainer.train(settings, begun, report);
    bar.finish_and_clear();
    let (network, losses) = trained?;
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
    let network = encode(variant, network.features().form(), network.weights(), &provenance);
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

/// The positions of all files, read one after the other; an error if they are too few.
fn read(args: &Args, variant: &Variant, room: &Room) -> CommandResult<Corpus> {
    let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    let bar = progress_bar(args.data.iter().map(length).sum(), BYTES);
    let mut corpus = Corpus::default();
    for path in &args.data {
        let torn = corpus
            .add(variant, bar.wrap_read(open(path)?), room)
            .map_err(|error| fault_in(path, &error))?;
        warn_of_torn(path, torn);
    }
    bar.finish_and_clear();
    if corpus.is_too_small() { Err(TOO_SMALL.into()) } else { Ok(corpus) }
}

/// The first game that a file names.
fn variant_of(path: &Path) -> Result<Arc<Variant>, String> {
    let header = header(open(path)?).map_err(|error| fault_in(path, &error))?;
    let name = header.variants.first().map_or("", String::as_str);
    find(name).map_err(|unknown| fault_in(path, &unknown))
}
