//! The openings of a match: from a file, or made of random moves.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use garrison_rules::random::SplitMix;
use garrison_rules::{FenError, MoveError, Position, Status, Variant, find, shown};
use thiserror::Error;

use crate::engine::openings::random_start;
use crate::files::{LONGEST_POSITION_LINE, Lines, ReadError, open_source, read_source};
use crate::record::pgn::{PgnError, read_with};

/// Why an opening cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// Its position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of its moves.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// Why it cannot be made.
        error: MoveError,
    },
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The value of `--openings`, or the file that it names.
    #[error("openings '{}': {fault}", shown(.name))]
    Source {
        /// The value.
        name: String,
        /// What is wrong.
        fault: OpeningsFault,
    },
    /// Every attempt at random plies ended the game.
    #[error("{plies} random plies always end a game of {game}")]
    AlwaysOver {
        /// The number of plies asked for.
        plies: u32,
        /// The game.
        game: String,
    },
}

/// Why a source of openings is refused.
#[derive(Debug, Error)]
pub enum OpeningsFault {
    /// `random:` without a number of plies in range.
    #[error("random: needs plies from 1 to 200, as in random:8")]
    Plies,
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file has more openings than this for a game.
    #[error("more than {0} openings for a game")]
    TooMany(usize),
    /// The file has no opening for a game of the match.
    #[error("none for {0}")]
    NoneFor(String),
    /// A line for one of several games does not name it.
    #[error("line {line}: a line for a match of several games begins with NAME;")]
    NoName {
        /// The line, from 1.
        line: usize,
    },
    /// A line is no position of its game.
    #[error("line {line}: {error}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// A game of a PGN file.
    #[error(transparent)]
    Pgn(#[from] PgnError),
}

/// Where a game begins: a position, and moves from there that are given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position as canonical FEN.
    pub fen: String,
    /// The moves.
    pub moves: Vec<String>,
}

impl Opening {
    /// The start of a game.
    pub fn start(variant: &Arc<Variant>) -> Opening {
        Opening { fen: Position::start(variant).fen(), moves: Vec::new() }
    }

    /// The position behind the moves.
    ///
    /// # Errors
    /// The FEN or a move is none of this game.
    pub fn position(&self, variant: &Arc<Variant>) -> Result<Position, OpeningError> {
        let mut position = Position::from_fen(variant, &self.fen)?;
        for (index, text) in self.moves.iter().enumerate() {
            let number = index + 1;
            position.play(text).map_err(|error| OpeningError::Move { number, error })?;
        }
        Ok(position)
    }
}

/// All openings of a match.
#[derive(Debug, Clone)]
pub enum Openings {
    /// The start of the game, again and again.
    Start,
    /// So many random plies from the start of the game.
    Random {
        /// Plies, setups included.
        plies: u32,
    },
    /// A list for each game, in the order of the match's games.
    Lists(Vec<Vec<Opening>>),
}

/// The most bytes of a file of games.
const MOST_PGN: u64 = 1 << 28;
/// The most openings of a game: more than a match has games.
const MOST_OPENINGS: usize = 10_000_000;

/// How many random lines are tried to find one that does not end the game.
const ATTEMPTS: u64 = 1000;

impl Openings {
    /// Reads the value of `--openings`: `random:PLIES`, or a file of FEN or EPD lines or (with the
    /// ending `.pgn`) of games. With a seed other than 0 the openings of a file are shuffled.
    ///
    /// # Errors
    /// What is wrong with the value or the file, and where.
    pub fn load(
        text: &str,
        variants: &[Arc<Variant>],
        seed: u64,
    ) -> Result<Openings, OpeningsError> {
        let loaded = Openings::from_source(text, variants, seed);
        loaded.map_err(|fault| OpeningsError::Source { name: text.to_string(), fault })
    }

    fn from_source(
        text: &str,
        variants: &[Arc<Variant>],
        seed: u64,
    ) -> Result<Openings, OpeningsFault> {
        let (word, plies) = text.split_once(':').unwrap_or((text, ""));
        if word == "random" {
            let plies = plies.parse().ok().filter(|plies| (1..=200).contains(plies));
            return Ok(Openings::Random { plies: plies.ok_or(OpeningsFault::Plies)? });
        }
        let path = Path::new(text);
        let is_pgn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
        let mut lists = if is_pgn {
            from_pgn(&String::from_utf8_lossy(&read_source(path, MOST_PGN)?), variants)?
        } else {
            from_lines(open_source(path)?, variants)?
        };
        for (list, variant) in lists.iter_mut().zip(variants) {
            if list.is_empty() {
                return Err(OpeningsFault::NoneFor(variant.name().to_string()));
            }
            if seed != 0 {
                shuffle(list, &mut SplitMix::new(seed));
            }
        }
        Ok(Openings::Lists(lists))
    }

    /// The opening with this number (from 0) of one of the match's games.
    ///
    /// # Errors
    /// Random plies always end the game.
    pub fn get(
        &self,
        variant: usize,
        variants: &[Arc<Variant>],
        seed: u64,
        number: usize,
    ) -> Result<Opening, OpeningsError> {
        let game = &variants[variant];
        match self {
            Openings::Start => Ok(Opening::start(game)),
            Openings::Lists(lists) => {
                let list = &lists[variant];
                Ok(list[number % list.len()].clone())
            }
            Openings::Random { plies } => random(game, *plies, seed, number as u64),
        }
    }
}

/// Puts a list in random order (Fisher and Yates).
fn shuffle<T>(list: &mut [T], rng: &mut SplitMix) {
    for last in (1..list.len()).rev() {
        list.swap(last, rng.below(last + 1));
    }
}

/// Random legal plies from the start, depending on the game's name, the seed and the number only.
fn random(
    variant: &Arc<Variant>,
    plies: u32,
    seed: u64,
    number: u64,
) -> Result<Opening, OpeningsError> {
    // With the name, games with the same moves (the SWDA match-ups) get different openings.
    let mix = |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte));
    let name = variant.name().bytes().fold(0, mix);
    for attempt in 0..ATTEMPTS {
        let mut rng = SplitMix::new(seed);
        let mut rng = SplitMix::new(rng.number() ^ name);
        let mut rng = SplitMix::new(rng.number() ^ number);
        let mut rng = SplitMix::new(rng.number() ^ attempt);
        let mut position = random_start(variant, &mut rng);
        let start = position.fen();
        let mut moves = Vec::with_capacity(plies as usize);
        for _ in 0..plies {
            if position.status() != Status::Ongoing {
                break;
            }
            let list = position.legal_moves();
            let mv = list[rng.below(list.len())];
            moves.push(position.move_text(mv));
            position.make(mv);
        }
        if moves.len() == plies as usize && position.status() == Status::Ongoing {
            return Ok(Opening { fen: start, moves });
        }
    }
    Err(OpeningsError::AlwaysOver { plies, game: variant.name().to_string() })
}

/// FEN or EPD lines. A line may begin with `NAME;`, the game it is for; without a name it is for the
/// only game of the match.
fn from_lines(
    source: impl BufRead,
    variants: &[Arc<Variant>],
) -> Result<Vec<Vec<Opening>>, OpeningsFault> {
    let mut lists = vec![Vec::new(); variants.len()];
    for (index, bytes) in Lines::new(source, LONGEST_POSITION_LINE).enumerate() {
        let (line, bytes) = (index + 1, bytes?);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let named = text.split_once(';').filter(|(name, _)| find(name.trim()).is_ok());
        let (game, text) = match named {
            Some((name, rest)) => (game_named(name.trim(), variants), rest.trim()),
            None if variants.len() == 1 => (Some(0), text),
            None => return Err(OpeningsFault::NoName { line }),
        };
        let Some(game) = game else {
            continue;
        };
        let position = Position::from_fen(&variants[game], fen_of(text))
            .map_err(|error| OpeningsFault::Line { line, error })?;
        if position.status() == Status::Ongoing {
            lists[game].push(Opening { fen: position.fen(), moves: Vec::new() });
        }
        if lists[game].len() > MOST_OPENINGS {
            return Err(OpeningsFault::TooMany(MOST_OPENINGS));
        }
    }
    Ok(lists)
}

fn game_named(name: &str, variants: &[Arc<Variant>]) -> Option<usize> {
    let full = find(name).ok()?;
    variants.iter().position(|variant| variant.name() == full.name())
}

/// The FEN of an EPD line: four fields, and two more if they are numbers; operations follow.
fn fen_of(line: &str) -> &str {
    let mut end = 0;
    for (index, field) in line.split_whitespace().enumerate() {
        let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
        if index == 6 || (index >= 4 && !is_number) {
            break;
        }
        end = field.as_ptr() as usize - line.as_ptr() as usize + field.len();
    }
    &line[..end]
}

/// The games of a PGN file, each up to its last position that is not over.
fn from_pgn(content: &str, variants: &[Arc<Variant>]) -> Result<Vec<Vec<Opening>>, OpeningsFault> {
    let mut lists = vec![Vec::new(); variants.len()];
    let only = (variants.len() == 1).then(|| variants[0].name());
    for game in read_with(content, only) {
        let game = game?;
        let name = game.start.variant().name();
        let Some(index) = variants.iter().position(|variant| variant.name() == name) else {
            continue;
        };
        let mut position = game.start.without_history();
        let mut moves = Vec::with_capacity(game.plies.len());
        for ply in &game.plies {
            let text = position.move_text(ply.mv);
            position.make(ply.mv);
            if position.status() != Status::Ongoing {
                break;
            }
            moves.push(text);
        }
        if game.start.status() == Status::Ongoing {
            lists[index].push(Opening { fen: game.start.fen(), moves });
        }
    }
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::catalogue::builtin_names;

    fn games(names: &[&str]) -> Vec<Arc<Variant>> {
        names.iter().map(|name| find(name).expect("a built-in game")).collect()
    }

    #[test]
    fn random_openings_are_the_same_for_a_seed() {
        let variants: Vec<_> =
            builtin_names().iter().map(|name| find(name).expect("a built-in game")).collect();
        let openings = Openings::load("random:8", &variants, 0).expect("openings");
        for (index, variant) in variants.iter().enumerate() {
            let get = |seed, number| openings.get(index, &variants, seed, number).expect("one");
            assert_eq!(get(1, 5), get(1, 5));
            assert_ne!(get(1, 5), get(2, 5));
            assert_ne!(get(1, 5), get(1, 6));
            let position = get(1, 5).position(variant).expect("legal moves");
            assert_eq!((position.moves_made().len(), position.status()), (8, Status::Ongoing));
        }
    }

    #[test]
    fn lines_are_read() {
        let variants = games(&["swda-oo"]);
        let text = "# a comment\n\n4k3/7p/8/8/8/8/8/R3K3 w - - 0 1\n4k3/7p/8/8/8/8/8/R3K3 b - - bm e8e7; id \"x\";\n\
                    swda-oo; 4k3/7p/8/8/8/8/8/R3K3 b - - 3 9\nshoranji; anything\n";
        let lists = from_lines(text.as_bytes(), &variants).expect("openings");
        let fens: Vec<_> = lists[0].iter().map(|opening| opening.fen.as_str()).collect();
        assert_eq!(fens.len(), 3);
        assert_eq!(fens[1], "4k3/7p/8/8/8/8/8/R3K3 b - - 0 1");
        let error = from_lines(&b"x"[..], &variants).expect_err("no FEN").to_string();
        assert!(error.starts_with("line 1: "), "{error}");
        let error =
            from_lines(&b"\n4k3/7p/8/8/8/8/8/R3K3 w - -"[..], &games(&["swda", "shoranji"]));
        assert!(matches!(error, Err(OpeningsFault::NoName { line: 2 })));
    }

    #[test]
    fn shuffling_keeps_all() {
        let mut list: Vec<u32> = (0..100).collect();
        shuffle(&mut list, &mut SplitMix::new(7));
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn wrong_openings_are_refused() {
        let variants = games(&["swda-oo"]);
        for wrong in ["random", "random:", "random:0", "random:x", "random:201", "/no/such/file"] {
            let error = Openings::load(wrong, &variants, 0).expect_err(wrong).to_string();
            assert!(error.starts_with("openings '"), "{error}");
        }
    }
}
