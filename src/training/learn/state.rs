//! What was done in a folder so far: one small file that a person can read, written whole after every step.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::fault::LearnError;
use super::plan;
use crate::arena::stats::{Elo, Tally, elo_of_score, pentanomial_elo};
use crate::files::{read_text, write_whole};
use crate::training::sample::Keep;

/// The name of the file.
pub(super) const FILE: &str = "learn.toml";

/// The version of the file.
const FORMAT: u32 = 1;

/// The most bytes of the file; a generation takes some 300.
const MOST_BYTES: u64 = 1 << 22;

/// What was done in a folder.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    format: u32,
    /// The game.
    pub game: String,
    /// A hash of its rules.
    pub rules: String,
    /// Of all random numbers.
    pub seed: u64,
    /// The time that all runs have taken so far, in seconds.
    pub seconds: f64,
    /// The generation with the best evaluation; 0 for the one begun with.
    pub best: u32,
    /// Whether the evaluation begun with was fitted to games, and is no guess from the definition.
    pub fitted: bool,
    /// The neurons of the network begun with; 0 for a table.
    #[serde(default)]
    pub begun_hidden: u32,
    /// The generation that is being made.
    pub step: Option<Step>,
    /// Those that are done.
    #[serde(default, rename = "generation")]
    pub generations: Vec<Generation>,
}

/// What a generation is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Games of the best evaluation against itself.
    Play,
    /// A new evaluation is fitted to the games.
    Fit,
    /// The new one plays against the best.
    Match,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Play => "play",
            Phase::Fit => "fit",
            Phase::Match => "match",
        }
    }
}

/// A generation that is being made.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Step {
    /// What it does now.
    pub phase: Phase,
    /// How long it may play, in seconds, and has played.
    pub play: [f64; 2],
    /// How long its match may last, in seconds, and has lasted.
    #[serde(rename = "match")]
    pub test: [f64; 2],
    /// What is known of it so far.
    #[serde(flatten)]
    pub made: Generation,
}

/// A generation: games, a fit, a match.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    /// The neurons of its network; 0 for a table of weights.
    pub hidden: u32,
    /// The generation that it had to beat.
    pub from: u32,
    /// The generation whose network plays its games; 0 for the one that it had to beat.
    #[serde(default, alias = "deepens")]
    pub played_by: u32,
    /// Whether the network that plays goes on learning by these games alone, which are of deeper searches.
    #[serde(default)]
    pub deeper: bool,
    /// The nodes of a move in its games. A file of before this was kept is read as if all were those of the first.
    #[serde(default = "plan::first_nodes")]
    pub play_nodes: u64,
    /// Which positions of its games are kept. A file of before this was kept is read as if all were those of a table.
    #[serde(default = "plan::first_keep")]
    pub keep: Keep,
    /// Games played.
    pub games: u64,
    /// Positions kept of them.
    pub positions: u64,
    /// Positions learned from, those of earlier generations included.
    pub learned: u64,
    /// The validation loss before the fit and after it.
    pub loss: [f64; 2],
    /// The nodes of a move in the match: its own, and those of the best before it.
    pub nodes: [u64; 2],
    /// Games of the match that it lost, drew and won.
    pub results: [u64; 3],
    /// Pairs of games by twice the score: 0, ½, 1, 1½, 2 points.
    pub pairs: [u64; 5],
    /// The time that its games took, in seconds.
    #[serde(default)]
    pub play_seconds: f64,
    /// The time that its fit took, in seconds.
    pub fit_seconds: f64,
    /// The time that all took, in seconds.
    pub seconds: f64,
    /// Whether it beat its predecessor and took its place.
    pub kept: bool,
}

impl Generation {
    /// The generation whose evaluation plays its games, and whose network goes on learning if it has as many neurons.
    pub(super) fn player(&self) -> u32 {
        if self.played_by > 0 { self.played_by } else { self.from }
    }

    /// The time that its games took, in seconds; in a file of before this was kept, as if they had taken all of it.
    pub(super) fn play_seconds(&self) -> f64 {
        if self.play_seconds > 0.0 { self.play_seconds } else { self.seconds }
    }

    /// What its match came to.
    pub fn tally(&self) -> Tally {
        Tally { games: self.results, pairs: self.pairs }
    }

    /// Whether its fit found nothing better than it began with, so that both are equal.
    pub fn found_nothing(&self) -> bool {
        self.learned > 0 && self.loss[1] == self.loss[0]
    }

    /// How much stronger it is than the one before, with half the width of the 95 % interval, in Elo; none without a
    /// match. A score of 0 or 1 counts as half a game less, as if one more had been drawn.
    pub fn elo(&self) -> Option<Elo> {
        let elo = pentanomial_elo(&self.pairs)?;
        if elo.difference.is_finite() && elo.error.is_finite() {
            return Some(elo);
        }
        let games = self.tally().total() as f64;
        let score = (self.tally().points() + 0.5) / (games + 1.0);
        let spread = (score * (1.0 - score) / (games + 1.0)).sqrt();
        let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
        Some(Elo { difference: elo_of_score(score), error: 1.96 * spread * slope })
    }

    /// What it is, in a word or two.
    pub fn kind(&self) -> String {
        match (self.hidden, self.deeper) {
            (0, _) => "table".to_string(),
            (neurons, false) => format!("network {neurons}"),
            (neurons, true) => format!("network {neurons} deepened"),
        }
    }

    fn write(&self, text: &mut String) {
        let Generation { number, hidden, from, played_by, deeper, play_nodes, .. } = self;
        let Generation { games, positions, learned, .. } = self;
        let keep = self.keep.name();
        let [before, after] = self.loss;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "number = {number}\nhidden = {hidden}\nfrom = {from}\nplayed_by = {played_by}\ndeeper = {deeper}\n\
             play_nodes = {play_nodes}\nkeep = \"{keep}\"\n\
             games = {games}\npositions = {positions}\nlearned = {learned}\nloss = [{before:?}, {after:?}]\n\
             nodes = {:?}\nresults = {:?}\npairs = {:?}\n\
             play_seconds = {:.1}\nfit_seconds = {:.1}\nseconds = {:.1}\nkept = {}\n",
            self.nodes,
            self.results,
            self.pairs,
            self.play_seconds,
            self.fit_seconds,
            self.seconds,
            self.kept
        );
    }
}

impl State {
    /// A beginning.
    pub fn new(game: &str, rules: &str, seed: u64) -> State {
        State {
            format: FORMAT,
            game: game.to_string(),
            rules: rules.to_string(),
            seed,
            seconds: 0.0,
            best: 0,
            fitted: false,
            begun_hidden: 0,
            step: None,
            generations: Vec::new(),
        }
    }

    /// Reads the state of a folder; none if it has none.
    ///
    /// # Errors
    /// It cannot be read or is none.
    pub fn read(folder: &Path) -> Result<Option<State>, LearnError> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let place = |fault: &dyn std::fmt::Display| LearnError::of(&path, fault);
        let text = read_text(&path, MOST_BYTES).map_err(|error| place(&error))?;
        let state: State = toml::from_str(&text).map_err(|error: toml::de::Error| {
            place(&format!("is not what 'garrison learn' wrote: {}", error.message()))
        })?;
        if state.format != FORMAT {
            let fault = format!("is of format {}, and this program reads {FORMAT}", state.format);
            return Err(place(&fault));
        }
        match state.fault() {
            None => Ok(Some(state)),
            Some(fault) => Err(place(&format!("is not what 'garrison learn' wrote: {fault}"))),
        }
    }

    /// What does not fit together.
    fn fault(&self) -> Option<&'static str> {
        let is_known = |number: u32, before: u32| {
            number == 0 || number < before && self.generations[number as usize - 1].kept
        };
        let next = self.generations.len() as u32 + 1;
        let made = self.step.iter().map(|step| &step.made);
        for (index, generation) in self.generations.iter().chain(made).enumerate() {
            let number = index as u32 + 1;
            if generation.number != number {
                return Some("a generation is missing");
            }
            if !is_known(generation.from, number) {
                return Some("a generation comes from one that was not kept");
            }
            let player = generation.played_by;
            let is_network = |number: u32| self.generations[number as usize - 1].hidden > 0;
            if player > 0 && (player >= number || !is_network(player)) {
                return Some("a generation is played by what is no network before it");
            }
        }
        let numbers = self.generations.iter().map(|generation| generation.seconds);
        if !numbers.chain([self.seconds]).all(|seconds| seconds.is_finite() && seconds >= 0.0) {
            return Some("a time is none");
        }
        (!is_known(self.best, next)).then_some("the best generation was not kept")
    }

    /// Writes it to its folder, whole or not at all.
    ///
    /// # Errors
    /// The system refuses; then the file is as it was.
    pub fn write(&self, folder: &Path) -> Result<(), LearnError> {
        let path = folder.join(FILE);
        let written = write_whole(&path, self.to_text().as_bytes());
        written.map_err(|error| LearnError::unwritten(&path, &error))
    }

    fn to_text(&self) -> String {
        let State { format, game, rules, seed, seconds, best, fitted, begun_hidden, .. } = self;
        let mut text = format!(
            "# What 'garrison learn' has done in this folder; the same command goes on from here.\n\
             format = {format}\ngame = \"{game}\"\nrules = \"{rules}\"\nseed = {seed}\nseconds = {seconds:.1}\n\
             best = {best}\nfitted = {fitted}\nbegun_hidden = {begun_hidden}\n"
        );
        if let Some(step) = &self.step {
            let _ = write!(
                text,
                "\n[step]\nphase = \"{}\"\nplay = {:?}\nmatch = {:?}\n",
                step.phase.name(),
                step.play,
                step.test
            );
            step.made.write(&mut text);
        }
        for generation in &self.generations {
            text += "\n[[generation]]\n";
            generation.write(&mut text);
        }
        text
    }

    /// The generations that were kept, in order.
    pub fn kept(&self) -> impl Iterator<Item = &Generation> {
        self.generations.iter().filter(|generation| generation.kept)
    }

    /// How many games there are, if none of them gave a position to learn from; else 0.
    pub fn fruitless(&self) -> u64 {
        let made = &self.generations;
        let is_fruitless = made.iter().all(|made| made.positions == 0);
        if is_fruitless { made.iter().map(|made| made.games).sum() } else { 0 }
    }

    /// How many at the end were not kept.
    pub fn failures(&self) -> usize {
        self.generations.iter().rev().take_while(|generation| !generation.kept).count()
    }

    /// The neurons of the best network; 0 if the best is a table.
    pub fn best_hidden(&self) -> u32 {
        let best = self.generations.iter().find(|generation| generation.number == self.best);
        best.map_or(self.begun_hidden, |best| best.hidden)
    }

    /// How much stronger the evaluation of each generation is than the one begun with: its number and the sum of the
    /// differences up to it, whose errors are independent. Those that were not kept are measured from the best before
    /// them.
    pub fn elo_by_generation(&self) -> Vec<(&Generation, Elo)> {
        let (mut sum, mut square, mut all) = (0.0, 0.0, Vec::new());
        for generation in &self.generations {
            let Some(elo) = generation.elo() else { continue };
            let total = sum + elo.difference;
            let squares = square + elo.error * elo.error;
            all.push((generation, Elo { difference: total, error: f64::sqrt(squares) }));
            if generation.kept {
                (sum, square) = (total, squares);
            }
        }
        all
    }

    /// How much stronger the best evaluation is than the one begun with.
    pub fn elo(&self) -> Elo {
        let all = self.elo_by_generation();
        let best = all.into_iter().rfind(|(generation, _)| generation.kept);
        best.map_or(Elo { difference: 0.0, error: 0.0 }, |(_, elo)| elo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(number: u32, from: u32, kept: bool) -> Generation {
        Generation {
            number,
            from,
            kept,
            pairs: [1, 2, 3, 4, 10],
            results: [6, 7, 27],
            ..Generation::default()
        }
    }

    fn example() -> State {
        let mut state = State::new("chess", "77", 3);
        state.generations =
            vec![generation(1, 0, true), generation(2, 1, false), generation(3, 1, true)];
        state.best = 3;
        let made = generation(4, 3, false);
        state.step = Some(Step { phase: Phase::Match, play: [1.5, 1.0], test: [9.0, 0.25], made });
        state
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("garrison-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = folder("state");
        assert_eq!(State::read(&folder).expect("nothing is wrong"), None);
        for state in [State::new("chess", "77", u64::from(u32::MAX)), example()] {
            state.write(&folder).expect("room");
            assert_eq!(State::read(&folder).expect("a state"), Some(state));
        }
        // As it was written before.
        let mut deepened = example();
        deepened.generations[1].hidden = 16;
        deepened.step.as_mut().expect("a step").made.played_by = 2;
        let named = deepened.to_text().replace("played_by = ", "deepens = ");
        std::fs::write(folder.join(FILE), named).expect("room");
        assert_eq!(State::read(&folder).expect("a state"), Some(deepened));
        let later = "played_by = 0\ndeeper = false\nplay_nodes = 0\nkeep = \"some\"\n";
        let text = example().to_text().replace(later, "").replace("play_seconds = 0.0\n", "");
        assert!(!text.contains("play_"), "{text}");
        std::fs::write(folder.join(FILE), &text).expect("room");
        let state = State::read(&folder).expect("a state").expect("one");
        let is_first =
            |made: &Generation| (made.play_nodes, made.keep) == (plan::NODES, Keep::Aside);
        assert!(state.generations.iter().all(is_first), "{text}");
        std::fs::remove_dir_all(&folder).expect("it is gone");
    }

    #[test]
    fn a_broken_state_is_refused_in_one_line() {
        let folder = folder("broken");
        let text = example().to_text();
        let changes: [(&str, &str, &str); 7] = [
            ("best = 3", "best = 2", "the best generation was not kept"),
            ("number = 2", "number = 7", "a generation is missing"),
            ("format = 1", "format = 2", "is of format 2, and this program reads 1"),
            ("kept = true", "kept = false", "comes from one that was not kept"),
            ("played_by = 0", "played_by = 1", "is played by what is no network before it"),
            ("seed = 3", "", "missing field `seed`"),
            ("seconds = 0.0\nbest", "seconds = nan\nbest", "a time is none"),
        ];
        for (old, new, expected) in changes {
            assert!(text.contains(old), "{old}");
            std::fs::write(folder.join(FILE), text.replacen(old, new, 1)).expect("room");
            let fault = State::read(&folder).expect_err(new).to_string();
            assert!(fault.contains(expected) && fault.lines().count() == 1, "{fault}");
        }
        for length in [0, 30, text.len() / 2] {
            std::fs::write(folder.join(FILE), &text[..length]).expect("room");
            let fault = State::read(&folder).expect_err("a part").to_string();
            assert!(fault.contains("learn.toml': ") && fault.lines().count() == 1, "{fault}");
        }
        std::fs::remove_dir_all(&folder).expect("it is gone");
    }

    #[test]
    fn elo_is_summed_over_what_was_kept() {
        let state = example();
        let one = generation(1, 0, true).elo().expect("games");
        let all = state.elo_by_generation();
        assert_eq!(all.len(), 3);
        assert!((all[1].1.difference - 2.0 * one.difference).abs() < 1e-9);
        assert!((all[2].1.difference - 2.0 * one.difference).abs() < 1e-9);
        assert!((state.elo().error - 2f64.sqrt() * one.error).abs() < 1e-9);
        // All won: as if one game more were drawn.
        let won =
            Generation { pairs: [0, 0, 0, 0, 10], results: [0, 0, 20], ..generation(1, 0, true) };
        let elo = won.elo().expect("games");
        assert!(
            elo.difference > 500.0 && elo.difference < 800.0 && elo.error.is_finite(),
            "{elo:?}"
        );
    }
}
