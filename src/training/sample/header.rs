//! What the first line of a file says: how its games were played, and which of their positions were kept.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use thiserror::Error;

use super::SampleError;
use crate::training::shard::{Shard, part_of};
use garrison_rules::shown;

/// Which positions of a game are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Keep {
    /// Every second or third position, if it is quiet.
    #[default]
    Some,
    /// Every quiet position.
    All,
    /// Every quiet position, and beside each that was played another quiet one, one or two random moves away.
    Aside,
    /// The same, but those away are kept quiet or not.
    Any,
}

impl Keep {
    /// All of them by name.
    pub const NAMES: [(&str, Keep); 4] =
        [("some", Keep::Some), ("all", Keep::All), ("aside", Keep::Aside), ("any", Keep::Any)];

    /// Whether positions are kept that were not played.
    pub fn has_asides(self) -> bool {
        matches!(self, Keep::Aside | Keep::Any)
    }

    /// Its name, as `--keep` takes it.
    pub fn name(self) -> &'static str {
        Keep::NAMES.iter().find(|(_, keep)| *keep == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for Keep {
    type Err = UnknownKeep;

    fn from_str(text: &str) -> Result<Keep, UnknownKeep> {
        let found = Keep::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, keep)| *keep).ok_or(UnknownKeep)
    }
}

impl TryFrom<String> for Keep {
    type Error = UnknownKeep;

    fn try_from(name: String) -> Result<Keep, UnknownKeep> {
        name.parse()
    }
}

/// A word that names no choice of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("neither some, all, aside nor any")]
pub struct UnknownKeep;

/// The first line of a file: everything that its games depend on except their number, so that a file can be
/// continued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Who played the games.
    pub origin: Origin,
    /// The size of the transposition table in MiB.
    pub hash: u32,
    /// Which positions were kept.
    pub keep: Keep,
    /// Which games of the run are in the file, if not all.
    pub shard: Option<Shard>,
    /// The version of the program.
    pub version: String,
    /// The checksum of the evaluation, if it was not the one that ships with the program.
    pub evaluation: Option<String>,
    /// The checksum of the rules of a user's games ([`own_rules`]), if there are any.
    ///
    /// [`own_rules`]: crate::definitions::own_rules
    pub rules: Option<String>,
    /// How the scores were found, if not while the games were played.
    pub rescored: Option<Rescored>,
    /// The games, which take turns.
    pub variants: Vec<String>,
    /// The further runs of a pool, whose games follow those of this one. The games of a pool are numbered anew.
    pub others: Vec<Header>,
}

/// Who played the games of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The engine against itself.
    SelfPlay {
        /// Seed of the random numbers.
        seed: u64,
        /// Positions visited for a move.
        nodes: u64,
        /// Random plies of an opening.
        plies: u32,
    },
    /// Anybody: they were read from a file of PGN.
    Pgn {
        /// The checksum of the games.
        checksum: u64,
    },
}

impl Origin {
    fn is_self_play(self) -> bool {
        matches!(self, Origin::SelfPlay { .. })
    }
}

/// What the first line begins with.
const START: &str = "# garrison ";

/// What follows it where the engine played the first run. Further runs do without.
const SELF_PLAY: &str = "selfplay ";

/// What stands between the runs of a pool.
const AND: &str = " + ";

/// How positions were given new scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rescored {
    /// Positions visited for a score.
    pub nodes: u64,
    /// The checksum of the evaluation, if it was not the one that ships with the program.
    pub evaluation: Option<String>,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(START)?;
        if self.origin.is_self_play() {
            f.write_str(SELF_PLAY)?;
        }
        self.write_run(f)?;
        for other in &self.others {
            f.write_str(AND)?;
            other.write_run(f)?;
        }
        Ok(())
    }
}

impl FromStr for Header {
    type Err = SampleError;

    fn from_str(line: &str) -> Result<Header, SampleError> {
        Header::read(line).ok_or_else(|| SampleError::Header(shown(line)))
    }
}

impl Header {
    fn read(line: &str) -> Option<Header> {
        let runs = line.strip_prefix(START)?;
        let self_play = runs.strip_prefix(SELF_PLAY);
        let mut runs = self_play.unwrap_or(runs).split(AND).map(Header::read_run);
        let mut header = runs.next()??;
        header.others = runs.collect::<Option<_>>()?;
        (self_play.is_some() == header.origin.is_self_play()).then_some(header)
    }

    fn read_run(text: &str) -> Option<Header> {
        let mut words = text.split(' ').peekable();
        let mut after = |name| {
            let named = words.next_if(|word| *word == name);
            named.and_then(|_| words.next())
        };
        let origin = match after("pgn") {
            Some(checksum) => Origin::Pgn { checksum: u64::from_str_radix(checksum, 16).ok()? },
            None => Origin::SelfPlay {
                seed: after("seed")?.parse().ok()?,
                nodes: after("nodes")?.parse().ok()?,
                plies: after("plies")?.parse().ok()?,
            },
        };
        let header = Header {
            origin,
            hash: after("hash")?.parse().ok()?,
            keep: after("keep").map_or(Some(Keep::default()), |name| name.parse().ok())?,
            shard: match after("shard") {
                Some(name) => {
                    let (part, parts) = part_of(name)?;
                    Some(Shard { part, parts, games: after("of")?.parse().ok()? })
                }
                None => None,
            },
            version: after("version")?.to_string(),
            evaluation: (after("eval").or_else(|| after("table"))).map(str::to_string),
            rules: after("rules").map(str::to_string),
            rescored: match after("rescored") {
                Some(nodes) => Some(Rescored {
                    nodes: nodes.parse().ok()?,
                    evaluation: after("by").map(str::to_string),
                }),
                None => None,
            },
            variants: after("variants").into_iter().chain(words).map(str::to_string).collect(),
            others: Vec::new(),
        };
        (!header.variants.is_empty()).then_some(header)
    }

    fn write_run(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { hash, version, variants, .. } = self;
        match self.origin {
            Origin::SelfPlay { seed, nodes, plies } => {
                write!(f, "seed {seed} nodes {nodes} plies {plies} ")?;
            }
            Origin::Pgn { checksum } => write!(f, "pgn {checksum:016x} ")?,
        }
        write!(f, "hash {hash} ")?;
        if self.keep != Keep::default() {
            write!(f, "keep {} ", self.keep.name())?;
        }
        if let Some(shard) = &self.shard {
            write!(f, "shard {shard} ")?;
        }
        write!(f, "version {version} ")?;
        if let Some(checksum) = &self.evaluation {
            write!(f, "eval {checksum} ")?;
        }
        if let Some(checksum) = &self.rules {
            write!(f, "rules {checksum} ")?;
        }
        if let Some(Rescored { nodes, evaluation }) = &self.rescored {
            write!(f, "rescored {nodes} ")?;
            if let Some(checksum) = evaluation {
                write!(f, "by {checksum} ")?;
            }
        }
        write!(f, "variants {}", variants.join(" "))
    }

    /// The runs of the file: one, or those of a pool.
    pub fn runs(&self) -> impl Iterator<Item = &Header> {
        std::iter::once(self).chain(&self.others)
    }

    /// Says of all runs how their positions were given new scores.
    pub fn set_rescored(&mut self, rescored: &Rescored) {
        self.rescored = Some(rescored.clone());
        self.others.iter_mut().for_each(|other| other.rescored = Some(rescored.clone()));
    }

    /// The part of a run that the file is, unless it is a whole run or a pool.
    pub fn part(&self) -> Option<Shard> {
        self.shard.filter(|_| self.others.is_empty())
    }

    /// The variants of all runs, each once.
    pub fn variants_of_all_runs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.runs().flat_map(|run| &run.variants) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The number of the first game of the file.
    pub fn first_game(&self) -> u64 {
        self.part().map_or(1, |shard| shard.part)
    }

    /// The number of the last of so many games; 0 if there are none.
    pub fn last_game(&self, games: u64) -> u64 {
        let further = games.checked_sub(1);
        further.map_or(0, |further| self.first_game() + further * self.step())
    }

    /// By how much the number of a game is greater than that of the game before it.
    pub fn step(&self) -> u64 {
        self.part().map_or(1, |shard| shard.parts)
    }

    /// The number of a game, if this is the line before its positions.
    pub(super) fn game(line: &str) -> Option<u64> {
        line.strip_prefix("# game ")?.parse().ok()
    }
}
