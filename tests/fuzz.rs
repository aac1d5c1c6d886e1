//! Broken, arbitrary and hostile input: texts of positions, moves and games, and whole sessions. What it is
//! and what it found is described in docs/fuzzing.md.
//!
//! `GARRISON_SEED` chooses other input, `GARRISON_COMMANDS` how many lines the sessions hear.

#[path = "fuzz/cecp.rs"]
mod cecp;
#[path = "fuzz/form.rs"]
mod form;
#[path = "fuzz/interleaved.rs"]
mod interleaved;
#[path = "fuzz/pauses.rs"]
mod pauses;
#[path = "fuzz/session.rs"]
mod session;
#[path = "fuzz/stock.rs"]
mod stock;
#[path = "fuzz/talk.rs"]
mod talk;
#[path = "fuzz/texts.rs"]
mod texts;
#[path = "fuzz/uci.rs"]
mod uci;
mod walk;
#[path = "fuzz/words.rs"]
mod words;

use std::time::Instant;

use cecp::Cecp;
use form::Form;
use session::{Dialect, Tally, poured, step_by_step};
use stock::Stock;
use uci::Uci;
use walk::{Random, env_number};

/// Lines that the sessions of a usual run hear.
const COMMANDS: u64 = 50_000;
/// Those of the long form, unless a number is given.
const MANY_COMMANDS: u64 = 300_000;
/// Sessions with pauses of a usual run, and of the long form.
const SESSIONS: u64 = 40;
const MANY_SESSIONS: u64 = 5_000;
/// The longest session.
const SESSION: usize = 600;
/// After how many lines a long run says how far it is.
const REPORT: u64 = 100_000;

/// Plays sessions until they have heard so many lines.
fn sessions(commands: u64) {
    talk::watch_panics();
    let seed = env_number("GARRISON_SEED", 1);
    let stock = Stock::new(seed);
    let start = Instant::now();
    let (mut tally, mut reported) = (Tally::default(), 0);
    for number in 0.. {
        if tally.lines >= commands {
            break;
        }
        // Each session depends on its own seed only.
        let own = seed.wrapping_mul(1_000_003).wrapping_add(number);
        let session = session(&stock, &mut Random::new(own));
        tally.add(
            session.unwrap_or_else(|fault| panic!("session {number} of seed {seed}: {fault}")),
        );
        if tally.lines / REPORT > reported || tally.lines >= commands {
            reported = tally.lines / REPORT;
            println!("{tally:?}, {} sessions, {:.0} s", number + 1, start.elapsed().as_secs_f64());
        }
    }
    // What is never tried is never found.
    assert!(tally.refused > tally.lines / 200 && tally.worked > tally.lines / 200, "{tally:?}");
}

fn session(stock: &Stock, random: &mut Random) -> Result<Tally, String> {
    let mut dialect: Box<dyn Dialect> = match random.below(4) {
        0 | 1 => Box::new(Uci::new(Form::Uci, stock)),
        2 => Box::new(Uci::new(Form::Usi, stock)),
        _ => Box::new(Cecp::new(stock)),
    };
    let lines = 1 + random.below(SESSION);
    match random.below(10) {
        0..=6 => step_by_step(dialect.as_mut(), random, lines),
        7 | 8 => poured(dialect.as_mut(), random, lines, None),
        _ => {
            let read = random.below(200);
            poured(dialect.as_mut(), random, lines, Some(read))
        }
    }
}

#[test]
fn sessions_come_to_no_harm() {
    sessions(env_number("GARRISON_COMMANDS", COMMANDS));
}

#[test]
#[ignore = "long: GARRISON_COMMANDS says how many lines"]
fn long_sessions_come_to_no_harm() {
    sessions(env_number("GARRISON_COMMANDS", MANY_COMMANDS));
}

/// Plays so many sessions of UCI and USI with pauses between the lines.
fn interleavings(sessions: u64) {
    talk::watch_panics();
    let seed = env_number("GARRISON_SEED", 1);
    for number in 0..sessions {
        let mut random = Random::new(seed.wrapping_mul(1_000_033).wrapping_add(number));
        let form = if number % 3 == 0 { Form::Usi } else { Form::Uci };
        interleaved::interleaved(form, &mut random)
            .unwrap_or_else(|fault| panic!("session {number} of seed {seed}: {fault}"));
    }
}

#[test]
fn stop_and_quit_wait_for_no_search() {
    interleavings(env_number("GARRISON_SESSIONS", 60));
}

#[test]
#[ignore = "long: GARRISON_SESSIONS says how many"]
fn stop_and_quit_wait_for_no_search_in_many_sessions() {
    interleavings(env_number("GARRISON_SESSIONS", 5_000));
}

#[test]
fn texts_of_positions_and_moves_come_to_no_harm() {
    texts::positions_and_moves(env_number("GARRISON_TEXTS", 40_000));
}

#[test]
fn texts_of_games_come_to_no_harm() {
    texts::definitions(env_number("GARRISON_TEXTS", 40_000) / 20);
}

/// Plays so many sessions of XBoard's protocol with pauses between the lines.
fn pauses(sessions: u64) {
    talk::watch_panics();
    let seed = env_number("GARRISON_SEED", 1);
    for number in 0..sessions {
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let played = pauses::interleaved(&pauses::CECP, &mut random);
        played.unwrap_or_else(|fault| panic!("session {number} of seed {seed}: {fault}"));
    }
}

#[test]
fn what_acts_at_once_waits_for_no_search() {
    pauses(env_number("GARRISON_SESSIONS", SESSIONS));
}

#[test]
#[ignore = "long: GARRISON_SESSIONS says how many"]
fn what_acts_at_once_waits_for_no_search_in_many_sessions() {
    pauses(env_number("GARRISON_SESSIONS", MANY_SESSIONS));
}

/// A reader that is gone ends a session, though its input goes on.
#[test]
fn a_session_ends_with_its_reader() {
    talk::watch_panics();
    for (read, lines) in
        [(0, vec!["uci"]), (3, vec!["d"]), (1, vec!["isready", "go infinite", "isready"])]
    {
        let mut session = talk::Talk::start(read);
        for line in lines {
            session.send(line.as_bytes());
        }
        // The input stays open until here.
        session.wait_for_end().unwrap_or_else(|fault| panic!("{fault}"));
    }
}
