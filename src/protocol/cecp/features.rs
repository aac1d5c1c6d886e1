//! The features and options that the engine sends to XBoard.

use crate::protocol::games::Games;
use crate::protocol::options::{self, Offer, Values};

/// The supported features. `highlight` promises an answer to every `lift`.
const FEATURES: &str = "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 \
                        sigterm=0 reuse=1 analyze=1 colors=0 ics=0 name=0 pause=0 nps=1 debug=1 \
                        memory=1 smp=1 highlight=1";

/// XBoard's name for chess, which needs no description.
pub(super) const NORMAL: &str = "normal";

/// The lines that answer `protover`.
pub(super) fn features(games: &Games) -> Vec<String> {
    let mut lines = vec![
        // With `done=0` XBoard waits for the rest.
        "feature done=0".to_string(),
        format!("feature myname=\"Garrison {}\"", env!("CARGO_PKG_VERSION")),
        FEATURES.to_string(),
        format!("feature variants=\"{NORMAL},{}\"", games.names().join(",")),
    ];
    lines.extend(offers().map(|offer| format!("feature option=\"{}\"", described(offer))));
    lines.push("feature done=1".to_string());
    lines
}

/// The options that XBoard shows: all for which it has no command of its own.
pub(super) fn offers() -> impl Iterator<Item = &'static Offer> {
    const COMMANDS: [&str; 5] = ["UCI_Variant", "Hash", "Threads", "Ponder", "UCI_AnalyseMode"];
    // XBoard shows scores alone, and its positions say how castling is written.
    const OF_UCI: [&str; 2] = ["UCI_ShowWDL", "UCI_Chess960"];
    let shown =
        |offer: &&Offer| ![&COMMANDS[..], &OF_UCI].iter().any(|names| names.contains(&offer.name));
    options::offers().filter(shown)
}

fn described(offer: &Offer) -> String {
    let values = match offer.values {
        Values::Number { default, range: (least, most), .. } => {
            format!("-spin {default} {least} {most}")
        }
        Values::Flag(default) => format!("-check {}", u8::from(default)),
        Values::Path => "-file ".to_string(),
        Values::Button => "-button".to_string(),
        Values::Text | Values::Game => "-string ".to_string(),
    };
    format!("{} {values}", plain(offer.name))
}

/// The name of an option as the engine offers it: some front ends cannot send one with spaces.
fn plain(name: &str) -> String {
    name.replace(' ', "")
}

/// The option of a name, with or without its spaces, whatever the case.
pub(super) fn find_offer(name: &str) -> Option<&'static Offer> {
    offers().find(|offer| plain(offer.name).eq_ignore_ascii_case(&plain(name)))
}
