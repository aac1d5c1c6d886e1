//! The command line: one file or folder per command.

mod analyze;
mod arena;
mod bench;
mod board;
mod convert;
mod games;
mod learn;
mod limits;
mod look;
mod match_;
mod merge;
mod notation;
mod openings;
mod pages;
mod perft;
mod play;
mod position;
mod render;
mod rescore;
mod samples;
mod selfplay;
mod session;
mod signals;
mod solve;
mod spsa;
mod tournament;
mod tune;
mod variants;
mod xboard;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use crate::definitions::add_games_for_all;
use crate::engine::STACK_SIZE;
use crate::files::{fault_in, in_file, is_special, unwritten, write_whole};
use crate::record::pgn::PgnError;
use garrison_rules::definition::{DefinitionFault, Fault};
use garrison_rules::{UnknownGame, counted, wide};

/// An engine for chess variants that no engine plays.
///
/// Without a command it speaks UCI, USI or XBoard's protocol on standard input and output (see protocol.md).
#[derive(Debug, Parser)]
#[command(name = "garrison", version, max_term_width = 100)]
#[command(after_help = "Examples:
  garrison variants show shoranji                  learn a game
  garrison board --variant shoranji                play it in the browser
  garrison play --variant shoranji --level 3       play it in the terminal
  garrison analyze --variant swda-op --multipv 3   look at a position
  garrison analyze --pgn games.pgn --svg eval.svg  look at games
  garrison COMMAND --help                          examples of each command")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Games of your own: a definition or a folder of definitions (see docs/variants.md)
    #[arg(long, global = true, value_name = "FILE|DIR")]
    variants: Vec<PathBuf>,
    /// Room for games of more than 128 squares, in a session too; all games are slower then
    ///
    /// A command that is given such a game makes room by itself.
    #[arg(long, global = true)]
    wide: bool,
}

impl Cli {
    /// Whether the games that are too large for the usual build are among those that it is about.
    fn is_about_all_games(&self) -> bool {
        self.wide || matches!(self.command, Some(Command::Variants(_)))
    }
}

// There is only one value of this type, so its size does not matter.
#[allow(clippy::large_enum_variant)]
// Each variant is documented at its options.
#[derive(Debug, Subcommand)]
enum Command {
    Perft(perft::Args),
    Analyze(analyze::Args),
    Play(play::Args),
    Board(board::Args),
    Match(Box<match_::Args>),
    Tournament(Box<tournament::Args>),
    Openings(openings::Args),
    Render(render::Args),
    Solve(solve::Args),
    Bench(bench::Args),
    Learn(learn::Args),
    Selfplay(selfplay::Args),
    Rescore(rescore::Args),
    Merge(merge::Args),
    Convert(convert::Args),
    Tune(tune::Args),
    Spsa(Box<spsa::Args>),
    Variants(variants::Args),
    Xboard(xboard::Args),
    Completions(pages::CompletionsArgs),
    Man(pages::ManArgs),
}

/// Why a command cannot be carried out: one line, or one for each fault of a definition.
type CommandError = Box<dyn std::error::Error + Send + Sync>;

/// The result of a command, or of a part of it.
type CommandResult<T = ()> = Result<T, CommandError>;

/// Runs the program; the exit status is 0 for success and 2 for wrong usage or bad input. If it may leave games that are
/// too large for this build to another one, and is asked for one, it has done nothing and returns `None`.
pub fn run(may_leave: bool) -> Option<ExitCode> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return Some(print_answer(&answer)),
    };
    if may_leave && cli.is_about_all_games() {
        return None;
    }
    let has_own = !cli.variants.is_empty();
    match add_own(&cli.variants, may_leave).and_then(|()| run_command(cli)) {
        Ok(()) => Some(ExitCode::SUCCESS),
        Err(_) if may_leave && wide::was_asked() => None,
        Err(fault) => {
            let hint = match fault.downcast_ref::<UnknownGame>() {
                Some(unknown) if !has_own && !unknown.is_open && !unknown.is_wide => {
                    " (--variants FILE adds a game of your own)"
                }
                _ => "",
            };
            format!("{fault}{hint}").lines().for_each(complain);
            Some(ExitCode::from(2))
        }
    }
}

/// Prints what was asked for (help, the version) or what is wrong with the words of the command line.
fn print_answer(answer: &clap::Error) -> ExitCode {
    if answer.use_stderr() {
        let _ = answer.print();
        return ExitCode::from(2);
    }
    let text = answer.render();
    let has_color = look::Look::of_stdout().has_color();
    print(&if has_color { text.ansi().to_string() } else { text.to_string() });
    ExitCode::SUCCESS
}

/// Adds the games of these files and folders for all commands. Files of a folder that have faults are left out, with a
/// line for each fault; those that another build can play, if they may be left to it, without one.
fn add_own(paths: &[PathBuf], may_leave: bool) -> CommandResult {
    for path in paths {
        let left_out = add_games_for_all(path).map_err(|faults| lines(&faults))?;
        let is_left =
            |fault: &Fault| matches!(fault.error.fault, DefinitionFault::NeedsWide(_)) && may_leave;
        let said = left_out.iter().filter(|fault| !is_left(fault));
        said.for_each(|fault| complain(&format!("left out: {fault}")));
    }
    Ok(())
}

/// Faults of definitions, each on a line.
fn lines(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")
}

fn run_command(cli: Cli) -> CommandResult {
    match cli.command {
        None => session::run(),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Match(args)) => match_::run(&args, &cli.variants),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Board(args)) => board::run(&args),
        Some(Command::Openings(args)) => openings::run(&args),
        Some(Command::Render(args)) => render::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Tournament(args)) => tournament::run(&args, &cli.variants),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Learn(args)) => learn::run(&args, &cli.variants),
        Some(Command::Selfplay(args)) => selfplay::run(&args),
        Some(Command::Rescore(args)) => rescore::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Spsa(args)) => spsa::run(&args, &cli.variants),
        Some(Command::Variants(args)) => variants::run(&args),
        Some(Command::Xboard(args)) => xboard::run(&args, &cli.variants),
        Some(Command::Completions(args)) => pages::completions(&args, Cli::command()),
        Some(Command::Man(args)) => pages::man(&args, Cli::command()),
    }
}

/// Writes to standard output, at once. A reader that stops early (`garrison … | head`) is no error, and ends the
/// program quietly; a full disk ends it with an error.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            complain(&format!("cannot write to standard output: {error}"));
            std::process::exit(2);
        }
    }
}

/// The report of a game of a PGN file that cannot be read; `is_named`: whether `--variant` names a game.
fn skipped_game(path: &Path, fault: &PgnError, is_named: bool) -> String {
    let is_open = !is_named && fault.is_of_doubtful_game();
    let hint = if is_open { "; --variant NAME names another game" } else { "" };
    format!("{}{hint}; game skipped", fault_in(path, fault))
}

/// Writes a line to standard error. If even that fails, there is nobody left to report it to.
fn complain(line: &str) {
    use std::io::Write;
    let _ = std::io::stderr().lock().write_all(format!("garrison: {line}\n").as_bytes());
}

/// An option and the file that it names, if it is given.
type Named<'a> = (&'static str, Option<&'a Path>);

/// The files of an option that names several.
fn each_named<'a>(option: &'static str, paths: &'a [PathBuf]) -> Vec<Named<'a>> {
    paths.iter().map(|path| (option, Some(path.as_path()))).collect()
}

/// Refuses to write a file that another option names as well, to be written or to be read.
fn refuse_shared(written: &[Named], read: &[Named]) -> CommandResult {
    let place = |path: &Path| match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(whole), ..) => whole,
        // A file that is not there yet.
        (Err(_), Some(folder), Some(name)) => {
            let folder = if folder == Path::new("") { Path::new(".") } else { folder };
            folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf()).join(name)
        }
        _ => path.to_path_buf(),
    };
    for (index, &(option, path)) in written.iter().enumerate() {
        let Some(path) = path.filter(|path| !is_special(path)) else { continue };
        let mut others = written[index + 1..].iter().chain(read);
        let is_same = |other: &Path| place(other) == place(path);
        if let Some((other, _)) = others.find(|(_, other)| other.is_some_and(is_same)) {
            let fault = in_file(path, format!("is the file of {option} and of {other}"));
            return Err(format!("{fault}; choose another name").into());
        }
    }
    Ok(())
}

/// Runs a search, which needs more stack than the main thread may have.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> CommandResult<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("no thread for the search: {error}"))?;
        thread.join().map_err(|_| "the search failed".into())
    })
}

/// Threads that share work, each with enough stack for a search.
fn pool(threads: u16) -> CommandResult<rayon::ThreadPool> {
    // A thread that has begun and finds no memory ends the program: all must have room before the first begins.
    limits::check_threads(usize::from(threads), STACK_SIZE >> 20)?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .stack_size(STACK_SIZE)
        .build()
        .map_err(|error| {
            let threads = counted(u64::from(threads), "thread");
            format!("{threads} cannot be started: {error}; fewer --threads need less memory").into()
        })
}

/// So many threads, or one for each processor.
fn pool_or_all(threads: Option<u16>) -> CommandResult<rayon::ThreadPool> {
    pool(threads.unwrap_or_else(processors))
}

/// The number of processors, as far as there may be threads.
fn processors() -> u16 {
    std::thread::available_parallelism().map_or(1, usize::from).clamp(1, 1024) as u16
}

/// The style of a progress bar: its template and the characters it is drawn with.
type BarLook = (&'static str, &'static str);

/// For work on a file or a set.
const WORK: BarLook = ("{pos}/{len} {elapsed}, {eta} left {wide_bar}", "█░");

/// For the reading of files, in bytes.
const BYTES: BarLook = ("{bytes}/{total_bytes} read, {eta} left {wide_bar}", "█░");

/// A progress bar on standard error, if that is a terminal. It must have room in 60 columns: what varies in width
/// is `wide_bar` or `wide_msg`.
fn progress_bar(length: u64, (template, characters): BarLook) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars(characters)),
        Err(_) => bar,
    }
}

/// Writes a file with this text, whole or not at all.
fn write_file(path: &std::path::Path, text: &str) -> CommandResult {
    write_whole(path, text.as_bytes()).map_err(|error| unwritten(path, &error).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_line_in_the_protocol() {
        let lines = || include_str!("../../protocol.md").lines();
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let is_its_line = |line: &str| {
                line.strip_prefix("garrison ")
                    .is_some_and(|rest| rest.split(' ').any(|word| word == name))
            };
            assert!(lines().any(is_its_line), "{name}");
        }
    }
}
