//! `garrison board`: play and analyze in the browser.

use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args as ClapArgs;

use super::{CommandResult, print, signals};
use crate::board::{PORT, Server};
use garrison_rules::catalogue::candidates;

/// Play and analyze any game in the browser.
///
/// The page comes from this program and is for the browser of this computer only: it is reached by an address that the
/// program prints, which nobody else knows. Games are kept in the browser, also when the program ends. Ctrl-C ends it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison board
  garrison board --variant shoranji
  garrison board --variant 'swda-??'               (armies by chance)
  garrison --variants games/ board --no-open       (with games of your own; prints the address only)")]
pub(super) struct Args {
    /// The game to begin with [default: the game played last]
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// The port to listen on; 0 for any. A browser keeps games by the port [default: 8427 or one of the next]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Print the address, and open no browser
    #[arg(long)]
    no_open: bool,
    /// End when no page has been open for so long; a page in the background counts for two minutes
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    if let Some(name) = &args.variant {
        candidates(name)?;
    }
    let port = args.port;
    let server = Server::bind(port)
        .map_err(|error| format!("cannot listen on port {}: {error}", port.unwrap_or(PORT)))?;
    let mut address = server.address();
    if let Some(name) = &args.variant {
        address += &format!("?game={}", percent_encoded(name));
    }
    let stopper = server.stopper();
    signals::on_signal(move || stopper.stop())?;
    print(&format!("The board is at {address}\nCtrl-C ends it.\n"));
    if !args.no_open {
        open(&address);
    }
    if let Some(seconds) = args.idle {
        server.end_when_idle(Duration::from_secs(seconds))?;
    }
    server.run();
    signals::end_if_signaled();
    Ok(())
}

/// A text as a part of an address.
fn percent_encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let encoded = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// Opens the address in the user's browser. If that does not work, the address is printed anyway.
fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let waits = std::thread::Builder::new().name("browser".into());
    // A thread waits for it, since it stays a process as long as nobody does.
    let opened = command.spawn().and_then(|mut child| waits.spawn(move || drop(child.wait())));
    if opened.is_err() {
        print("No browser could be opened; open the address yourself.\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_parts_of_addresses() {
        assert_eq!(percent_encoded("swda-??"), "swda-%3F%3F");
        assert_eq!(percent_encoded("a&b=š"), "a%26b%3D%C5%A1");
    }
}
