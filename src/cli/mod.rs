//! The command line: one file per command.

mod analyze;
mod arena;
mod bench;
mod match_;
mod perft;
mod position;
mod tournament;
mod variants;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An engine for chess variants that no engine plays.
///
/// Without a command it speaks UCI on standard input and output (see protocol.md).
#[derive(Debug, Parser)]
#[command(name = "garrison", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count legal move paths
    Perft(perft::Args),
    /// Search a position and show the board, the principal variation as it grows, the best move
    Analyze(analyze::Args),
    /// Play engines against each other: Elo, SPRT, PGN, a log that can be resumed
    Match(Box<match_::Args>),
    /// Play a tournament of several engines, from a TOML file
    Tournament(Box<tournament::Args>),
    /// Search fixed positions of every game: node count and nodes a second
    Bench(bench::Args),
    /// List the games, or show one so that it can be learned
    Variants(variants::Args),
}

/// What a command ends with when it cannot do what it was told: one clear line.
type CommandResult = Result<(), String>;

/// Runs the program; the exit status is 0 for success and 2 for wrong usage or bad input.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        None => {
            crate::protocol::run(std::io::BufReader::new(std::io::stdin()), std::io::stdout());
            Ok(())
        }
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Match(args)) => match_::run(&args),
        Some(Command::Tournament(args)) => tournament::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Variants(args)) => variants::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("garrison: {fault}");
            ExitCode::from(2)
        }
    }
}

/// Writes to standard output; a reader that has gone away (`garrison … | head`) is no fault.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Runs a search, which needs more stack than the main thread may have.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work);
        thread
            .map_err(|error| error.to_string())?
            .join()
            .map_err(|_| "the search failed".to_string())
    })
}
