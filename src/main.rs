//! The `garrison` program: without arguments a protocol session, else a command.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    // First of all: what follows may use the instructions that are asked for here.
    let missing = garrison::cpu::missing();
    if !missing.is_empty() {
        return refuse(&missing);
    }
    env_logger::init();
    // Games that are too large for the usual build are left to the wide one, which knows the others as well.
    garrison::cli::run(cfg!(feature = "wide-boards")).unwrap_or_else(run_wide)
}

#[cfg(feature = "wide-boards")]
fn run_wide() -> ExitCode {
    garrison_wide::cli::run(false).unwrap_or(ExitCode::FAILURE)
}

#[cfg(not(feature = "wide-boards"))]
fn run_wide() -> ExitCode {
    ExitCode::FAILURE
}

/// Says in one line why this CPU cannot run the program, and what to do.
#[cold]
#[inline(never)]
fn refuse(missing: &[&str]) -> ExitCode {
    // Piece by piece, without formatting: that moves its arguments by vectors, which may be what is missing.
    let mut error = std::io::stderr();
    let mut separator = "garrison: this CPU lacks ";
    for name in missing {
        for text in [separator, name] {
            let _ = error.write_all(text.as_bytes());
        }
        separator = ", ";
    }
    let advice = ", which the program was built with; build it for this machine with `make`\n";
    let _ = error.write_all(advice.as_bytes());
    ExitCode::FAILURE
}
