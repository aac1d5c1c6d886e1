//! The `garrison` program: without arguments a protocol session, else a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::init();
    garrison::cli::run()
}
