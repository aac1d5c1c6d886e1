//! What a person sees while the engine learns: a bar on a terminal, a line for each step elsewhere too.

use std::path::Path;

use indicatif::ProgressBar;

use crate::cli::{BarLook, print, progress_bar};
use crate::training::learn::report::duration;
use crate::training::learn::{Event, Generation, Phase, Progress as Done, State, Step};
use garrison_rules::counted;

/// How the bar shows the time that is used up, in seconds.
const TIME: BarLook = ("{wide_msg}\n{percent:>3} % {wide_bar}", "█░");

/// Shows what happens.
pub(super) struct Progress {
    bar: ProgressBar,
    total: f64,
    /// What is done now: generation, kind and phase.
    phase: String,
}

impl Progress {
    /// For runs of so many seconds in all.
    pub fn new(total: f64) -> Progress {
        let bar = progress_bar(total.ceil() as u64, TIME);
        Progress { bar, total, phase: String::new() }
    }

    /// Says what is begun, or gone on with.
    pub fn begin(&self, state: &State, folder: &Path) {
        let folder = folder.display();
        let left = duration(self.total - state.seconds);
        let text = match state.generations.len() {
            0 => format!("learning {} in {folder}: {left}\n", state.game),
            some => {
                let done = counted(some as u64, "generation");
                format!("going on with {} in {folder}: {done} done, {left} left\n", state.game)
            }
        };
        print(&text);
    }

    pub fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Begins(_, step) => self.phase = phase(step),
            Event::Progress(state, done) => self.draw(state, *done),
            Event::Ends(_, step) => self.line(&ended(step)),
            Event::Generation(state, made) => self.line(&generation(state, made)),
        }
    }

    fn draw(&self, state: &State, done: Done) {
        let done = match done {
            Done::Games(games, positions, rate) => {
                format!("{games} games, {rate:.1}/s, {positions} positions")
            }
            Done::Reading => "reading".to_string(),
            Done::Epochs(epoch, epochs, loss) => format!("epoch {epoch}/{epochs}, loss {loss:.5}"),
            Done::Match(tally) => {
                let [lost, drawn, won] = tally.games;
                format!("+{won} ={drawn} -{lost}")
            }
        };
        let elo = state.elo().difference;
        let left = duration(self.total - state.seconds);
        self.bar.set_position((state.seconds as u64).min(self.total as u64));
        self.bar.set_message(format!("{}: {done} | Elo {elo:+.0} | {left} left", self.phase));
    }

    /// A line that stays.
    fn line(&self, text: &str) {
        self.bar.suspend(|| print(&format!("{text}\n")));
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn phase(step: &Step) -> String {
    let what = match step.phase {
        Phase::Play => "games",
        Phase::Fit => "fit",
        Phase::Match => "match",
    };
    format!("{}, {}, {what}", step.made.number, step.made.kind())
}

/// What a phase came to.
fn ended(step: &Step) -> String {
    let made = &step.made;
    let head = format!("generation {}, {}:", made.number, made.kind());
    match step.phase {
        Phase::Play => {
            let games = counted(made.games, "game");
            format!(
                "{head} {games}, {} in {}",
                counted(made.positions, "position"),
                duration(step.play[1])
            )
        }
        _ => {
            let [before, after] = made.loss;
            let positions = counted(made.learned, "position");
            format!(
                "{head} loss {before:.5} to {after:.5}, of {positions}, in {}",
                duration(made.fit_seconds)
            )
        }
    }
}

/// What a generation came to.
fn generation(state: &State, made: &Generation) -> String {
    let head = format!("generation {}, {}:", made.number, made.kind());
    let Some(elo) = made.elo() else {
        let why = if made.learned == 0 {
            "too few games for a fit; the next one has these as well"
        } else if made.found_nothing() {
            "nothing better was found; the next one has more games"
        } else {
            "no time was left for its match: not kept"
        };
        return format!("{head} {why}");
    };
    let [lost, drawn, won] = made.results;
    let kept = if made.kept { "kept" } else { "not kept" };
    let so_far = state.elo();
    format!(
        "{head} +{won} ={drawn} -{lost}, Elo {:+.0} ± {:.0}: {kept}; so far {:+.0} ± {:.0}",
        elo.difference, elo.error, so_far.difference, so_far.error
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_without_a_match_says_why() {
        let state = State::new("chess", "", 1);
        let said = |learned, loss| {
            let made = Generation { number: 3, learned, loss, ..Generation::default() };
            generation(&state, &made)
        };
        assert!(said(0, [0.0; 2]).starts_with("generation 3, table: too few games"));
        assert!(said(900, [0.5, 0.5]).starts_with("generation 3, table: nothing better"));
        assert!(said(900, [0.5, 0.4]).starts_with("generation 3, table: no time was left"));
    }
}
