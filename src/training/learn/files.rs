//! The folder of a game that is being learned, and what stands in it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fault::LearnError;
use super::lock::Lock;
use super::state::{FILE, State};
use crate::definitions::own_rules;
use crate::engine::eval::hash::fnv1a;
use crate::engine::{EvalFile, Evaluation, GameProfile, LinearEval};
use crate::eval_files::{IN_FOLDER, network_beside, read_eval_file};
use crate::files::write_whole;
use garrison_rules::{Color, Variant};

/// Where the games and the evaluations of generations are, and the report.
const DATA: &str = "data";
const GENERATIONS: &str = "generations";
const REPORT: &str = "report.html";

/// A folder in which a game is learned.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

/// The evaluation of a generation, read from its files.
#[derive(Debug)]
pub(super) struct Saved {
    pub evaluation: Evaluation,
    pub profile: Option<GameProfile>,
    /// As headers of games have it.
    pub checksum: String,
    comment: Vec<String>,
    network: Option<Vec<u8>>,
}

impl Folder {
    /// The folder of this name, which is made if there is none.
    ///
    /// # Errors
    /// It cannot be made.
    pub(super) fn new(path: &Path) -> Result<Folder, LearnError> {
        let made = std::fs::create_dir_all(path);
        made.map_err(|error| LearnError::unwritten(path, &error))?;
        Ok(Folder(path.to_path_buf()))
    }

    /// The folder of this name, whether it is there or not.
    pub fn of(path: &Path) -> Folder {
        Folder(path.to_path_buf())
    }

    /// Where the best evaluation is.
    pub fn evaluation(&self) -> PathBuf {
        self.0.join(IN_FOLDER)
    }

    /// Where the report is.
    pub fn report(&self) -> PathBuf {
        self.0.join(REPORT)
    }

    /// Where the games of a generation are.
    pub(super) fn data(&self, generation: u32) -> PathBuf {
        self.0.join(DATA).join(format!("{generation:03}.gdata"))
    }

    /// Where the weights of a generation are; 0 is what was begun with.
    fn weights(&self, generation: u32) -> PathBuf {
        self.0.join(GENERATIONS).join(Folder::weights_name(generation))
    }

    /// The name of the weights of a generation in their folder.
    pub(super) fn weights_name(generation: u32) -> String {
        format!("{generation:03}.toml")
    }

    /// The name by which the weights of a generation name its network.
    pub(super) fn network_name(generation: u32) -> String {
        format!("{generation:03}.nnue")
    }

    /// The state of the folder, or a beginning, with the evaluation that the game has now as generation 0.
    ///
    /// # Errors
    /// It was begun for another game or with another seed, is broken, holds something else, or cannot be written.
    pub(super) fn begin(
        &self,
        variants: &[Arc<Variant>],
        seed: Option<u64>,
    ) -> Result<State, LearnError> {
        let variant = &variants[0];
        let game = if variants.len() == 1 { variant.name() } else { variant.family() };
        let rules = rules_hash(variants);
        let folder = || self.0.clone();
        let shipped = Evaluation::shipped_file(variant);
        let state = match State::read(&self.0)? {
            Some(state) if state.game != game => {
                let (found, wanted) = (state.game, game.to_string());
                return Err(LearnError::OtherGame { folder: folder(), found, wanted });
            }
            Some(state) if !is_of_rules(&state.rules, &rules) => {
                return Err(LearnError::OtherRules { folder: folder(), game: game.to_string() });
            }
            Some(state) => match seed.filter(|&seed| seed != state.seed) {
                Some(wanted) => {
                    let found = state.seed;
                    return Err(LearnError::OtherSeed { folder: folder(), found, wanted });
                }
                None => state,
            },
            None => {
                self.refuse_foreign()?;
                let mut state = State::new(game, &rules, seed.unwrap_or(1));
                state.fitted = shipped.is_some();
                let begun = Evaluation::new(variant);
                state.begun_hidden =
                    begun.network().map_or(0, |network| network.weights().hidden as u32);
                state.write(&self.0)?;
                state
            }
        };
        for name in [DATA, GENERATIONS] {
            let path = self.0.join(name);
            let made = std::fs::create_dir_all(&path);
            made.map_err(|error| LearnError::unwritten(&path, &error))?;
        }
        self.sweep();
        if state.generations.is_empty() && !self.weights(0).exists() {
            self.save_first(variant, shipped.as_ref())?;
        }
        Ok(state)
    }

    /// Removes what a run that was killed left of files that it was writing. If one cannot be removed, so be it.
    fn sweep(&self) {
        for folder in [self.0.clone(), self.0.join(GENERATIONS)] {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_own = folder != self.0
                    || [FILE, REPORT, IN_FOLDER, "eval.nnue"]
                        .iter()
                        .any(|own| name.starts_with(own));
                if is_own && name.ends_with(".part") {
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Refuses a folder that holds something else.
    fn refuse_foreign(&self) -> Result<(), LearnError> {
        let unread =
            |error: std::io::Error| LearnError::of(&self.0, &format!("cannot be read: {error}"));
        for entry in std::fs::read_dir(&self.0).map_err(unread)? {
            let name = entry.map_err(unread)?.file_name().to_string_lossy().into_owned();
            // The first file of a run that was killed at once.
            if !Lock::is_its(&name) && !name.starts_with(FILE) {
                let fault = "is not empty and nothing was learned there; take another --out";
                return Err(LearnError::of(&self.0, &fault));
            }
        }
        Ok(())
    }

    /// Writes what was begun with.
    fn save_first(
        &self,
        variant: &Arc<Variant>,
        shipped: Option<&EvalFile>,
    ) -> Result<(), LearnError> {
        let evaluation = Evaluation::new(variant);
        let defined = ["What follows from the definition (docs/tuning.md).".to_string()];
        let comment = shipped.map_or(&defined[..], EvalFile::comment);
        let network = shipped.and_then(EvalFile::network_bytes);
        let profile = shipped.and_then(EvalFile::profile);
        let name = network.map(|_| Folder::network_name(0));
        let text = EvalFile::text(variant, comment, name.as_deref(), profile, &evaluation.linear);
        self.save(0, &text, network)
    }

    /// Writes the evaluation of a generation, the network first: weights never name one that is not there.
    pub(super) fn save(
        &self,
        generation: u32,
        weights: &str,
        network: Option<&[u8]>,
    ) -> Result<(), LearnError> {
        write_both(&self.weights(generation), weights, network)
    }

    /// Reads the evaluation of a generation.
    ///
    /// # Errors
    /// A file of it cannot be read, or is wrong.
    pub(super) fn load(
        &self,
        generation: u32,
        variant: &Arc<Variant>,
    ) -> Result<Saved, LearnError> {
        let path = self.weights(generation);
        let file = read_eval_file(&path).map_err(|error| LearnError::of(&path, &error))?;
        let evaluation = file.evaluation(variant).map_err(|error| LearnError::of(&path, &error))?;
        Ok(Saved {
            evaluation,
            profile: file.profile(),
            checksum: format!("{:016x}", file.checksum()),
            comment: file.comment().to_vec(),
            network: file.network_bytes().map(<[u8]>::to_vec),
        })
    }

    /// Writes the evaluation of a generation under the name that others use.
    pub(super) fn publish(
        &self,
        generation: u32,
        variant: &Arc<Variant>,
    ) -> Result<(), LearnError> {
        let saved = self.load(generation, variant)?;
        let path = self.evaluation();
        let name = saved.network.as_ref().map(|_| network_beside(&path).1);
        let linear: &LinearEval = &saved.evaluation.linear;
        let text = EvalFile::text(variant, &saved.comment, name.as_deref(), saved.profile, linear);
        write_both(&path, &text, saved.network.as_deref())
    }

    /// Writes the report.
    pub(super) fn write_report(&self, text: &str) -> Result<(), LearnError> {
        write(&self.report(), text.as_bytes())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), LearnError> {
    // What is there already need not be written: a full disk hinders nobody who changes nothing.
    if std::fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    write_whole(path, bytes).map_err(|error| LearnError::unwritten(path, &error))
}

fn write_both(path: &Path, weights: &str, network: Option<&[u8]>) -> Result<(), LearnError> {
    if let Some(network) = network {
        write(&network_beside(path).0, network)?;
    }
    write(path, weights.as_bytes())
}

/// A hash of what games are played by: with other rules, old games teach wrong things. Behind it, for a user's game,
/// the checksum of its definition ([`own_rules`]).
fn rules_hash(variants: &[Arc<Variant>]) -> String {
    let mut text = String::new();
    for variant in variants {
        let geometry = variant.geometry();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} {} {}x{} {:?} {:?} {:?}",
            variant.name(),
            variant.start_fen(),
            geometry.files(),
            geometry.ranks(),
            variant.royalty_kind(),
            variant.end(),
            variant.special_ends(),
        );
        for kind in variant.kinds() {
            let piece = variant.piece(kind);
            let becomes = Color::ALL.map(|color| {
                let letter = |kind| variant.piece(kind).letter.to_string();
                variant.promotes_to(color, kind).map(letter).collect::<String>()
            });
            let _ = writeln!(text, "{} {} {:?} {becomes:?}", piece.letter, piece.betza, piece.slot);
        }
    }
    let rules = format!("{:016x}", fnv1a(text.as_bytes()));
    match own_rules(variants) {
        Some(own) => format!("{rules}-{own}"),
        None => rules,
    }
}

/// Whether a folder with the one hash is for games with the other. Once folders had none of the definition.
fn is_of_rules(found: &str, wanted: &str) -> bool {
    let old = wanted.split_once('-').map_or(wanted, |(rules, _)| rules);
    found == wanted || found == old
}
