//! Games of the engine against itself. A game depends only on the conditions and on its number, so that any
//! number of threads plays the same games.

use std::sync::Arc;

use super::sample::{End, Header, Keep, Origin, Sample};
use super::shard::Shard;
use crate::definitions::own_rules;
use crate::engine::openings::{OpeningRequirements, candidate, is_even, play_random_moves};
use crate::engine::{Control, Limits, Score, SearchEvent, Searcher, is_tactical};
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Move, Position, Variant};

/// The conditions that games are played under.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The games, which take turns; at least one.
    pub variants: Vec<Arc<Variant>>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Positions visited for a move.
    pub nodes: u64,
    /// Random plies of the opening, after those of a setup phase.
    pub plies: u32,
    /// The size of the transposition table in MiB.
    pub hash: u32,
    /// Which positions are kept.
    pub keep: Keep,
    /// Which games of the run are played, if not all.
    pub shard: Option<Shard>,
    /// The checksum of the evaluation, if it is not the one that ships with the program.
    pub evaluation: Option<String>,
}

/// A game that was played.
#[derive(Debug, Clone)]
pub struct Game {
    /// Its number, from 1.
    pub number: u64,
    /// The positions kept of it, in their order.
    pub samples: Vec<Sample>,
}

/// The most centipawns that an opening may put a side ahead: little is learned from a decided game.
const MAX_OPENING_SCORE: u32 = 600;

/// Openings tried for a game before it is left empty.
const OPENING_TRIES: u64 = 64;

/// Adjudication: a game is won when both sides see the same side ahead by so many centipawns …
const WIN_SCORE: i32 = 2000;

/// … for so many plies in a row.
const WIN_PLIES: u32 = 4;

/// Adjudication: a game of so many plies after its opening is drawn.
pub(super) const MAX_PLIES: u32 = 400;

/// A position with a score of so many centipawns is decided, and is not kept.
const DECIDED: i32 = 1500;

impl Conditions {
    /// The header of a file of these games.
    pub fn header(&self) -> Header {
        Header {
            origin: Origin::SelfPlay { seed: self.seed, nodes: self.nodes, plies: self.plies },
            hash: self.hash,
            keep: self.keep,
            shard: self.shard,
            version: env!("CARGO_PKG_VERSION").to_string(),
            evaluation: self.evaluation.clone(),
            rules: own_rules(&self.variants),
            rescored: None,
            variants: self.variants.iter().map(|variant| variant.name().to_string()).collect(),
            others: Vec::new(),
        }
    }

    /// Plays the game of this number, from 1; `None` if it was stopped. Clears the
    /// searcher first.
    ///
    /// It needs a stack of [`crate::engine::STACK_SIZE`], as every search does.
    pub fn play(&self, number: u64, searcher: &mut Searcher, control: &Control) -> Option<Game> {
        let mut samples = Vec::new();
        if let Some(opening) = self.opening(number, searcher, control) {
            searcher.clear();
            samples = self.play_on(opening, number, searcher, control)?;
        }
        (!control.is_stopped()).then_some(Game { number, samples })
    }

    fn limits(&self) -> Limits {
        Limits { nodes: Some(self.nodes), ..Limits::default() }
    }

    /// The first random position for this game in which neither side is far ahead.
    fn opening(&self, number: u64, searcher: &mut Searcher, control: &Control) -> Option<Position> {
        let turn = number.checked_rem(self.variants.len() as u64)?;
        let variant = &self.variants[turn as usize];
        let wanted = OpeningRequirements {
            plies: self.plies,
            window: MAX_OPENING_SCORE,
            limits: self.limits(),
            seed: self.seed,
        };
        let tries = (0..OPENING_TRIES)
            .map(|attempt| number.wrapping_mul(OPENING_TRIES).wrapping_add(attempt));
        tries
            .take_while(|_| !control.is_stopped())
            .filter_map(|attempt| candidate(variant, &wanted, attempt))
            .find(|position| is_even(position, &wanted, searcher))
    }

    /// Plays a game from its opening; the positions kept of it, or `None` if it was stopped.
    fn play_on(
        &self,
        mut position: Position,
        number: u64,
        searcher: &mut Searcher,
        control: &Control,
    ) -> Option<Vec<Sample>> {
        let mut random = SplitMix::new(!self.seed ^ SplitMix::new(number).number());
        let mut next_kept = random.below(3) as u32;
        let (mut kept, mut adjudication) = (Vec::new(), WinAdjudication::default());
        let mut ending = End(None);
        let limits = self.limits();
        for ply in 0..MAX_PLIES {
            if let Some(outcome) = position.status().outcome() {
                ending = End(outcome.winner);
                break;
            }
            let (best, score) = search(&position, &limits, searcher, control)?;
            if let Some(score) = score {
                if let Some(winner) = adjudication.winner(score) {
                    ending = End(Some(winner));
                    break;
                }
                if ply >= next_kept
                    && let Some(sample) = quiet_sample(&position, best, score)
                {
                    kept.push((sample, true));
                    next_kept = ply + 1;
                    if self.keep == Keep::Some {
                        next_kept += 1 + random.below(2) as u32;
                    }
                }
            }
            if self.keep.has_asides() {
                let aside = step_aside(&position, &mut random);
                if aside.status().outcome().is_none() {
                    let (best, score) = search(&aside, &limits, searcher, control)?;
                    let found =
                        score.and_then(|score| aside_sample(self.keep, &aside, best, score));
                    kept.extend(found.map(|sample| (sample, false)));
                }
            }
            position.make(best);
        }
        let with_end =
            |(sample, played): (Sample, bool)| Sample { end: played.then_some(ending), ..sample };
        Some(kept.into_iter().map(with_end).collect())
    }
}

/// The best move, and the score for White unless the search ended before it had one; `None` if it was stopped.
pub(super) fn search(
    position: &Position,
    limits: &Limits,
    searcher: &mut Searcher,
    control: &Control,
) -> Option<(Move, Option<Score>)> {
    let mut score = None;
    let found = searcher.search(position, limits, control, |news| {
        if let SearchEvent::Info(line) = news {
            score = Some(for_white(line.score, position.side_to_move()));
        }
    });
    found.best.filter(|_| !control.is_stopped()).map(|best| (best, score))
}

/// Gives the positions of a game the scores of new searches, as if the game were played again; those
/// that are not quiet by these are left out, unless they were kept quiet or not. `None` if it was stopped. Clears the
/// searcher first.
///
/// It needs a stack of [`crate::engine::STACK_SIZE`], as every search does.
pub fn rescore(
    game: &Game,
    keep: Keep,
    nodes: u64,
    searcher: &mut Searcher,
    control: &Control,
) -> Option<Game> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut samples = Vec::new();
    searcher.clear();
    for old in &game.samples {
        let (best, score) = search(&old.position, &limits, searcher, control)?;
        let new = score.and_then(|score| match old.end {
            Some(_) => quiet_sample(&old.position, best, score),
            None => aside_sample(keep, &old.position, best, score),
        });
        samples.extend(new.map(|new| Sample { end: old.end, ..new }));
    }
    Some(Game { number: game.number, samples })
}

/// A position with its score, if a static evaluation can learn it: not decided, not in check.
fn sample(position: &Position, score: Score) -> Option<Sample> {
    let centipawns = score.as_centipawns().filter(|score| score.abs() < DECIDED)?;
    let sample = || Sample { position: position.without_history(), centipawns, end: None };
    (!position.is_check()).then(sample)
}

/// The same, if it is quiet: the best move neither captures nor promotes.
fn quiet_sample(position: &Position, best: Move, score: Score) -> Option<Sample> {
    sample(position, score).filter(|_| !is_tactical(position, best))
}

/// A position that was not played.
fn aside_sample(keep: Keep, position: &Position, best: Move, score: Score) -> Option<Sample> {
    match keep {
        Keep::Any => sample(position, score),
        _ => quiet_sample(position, best, score),
    }
}

/// The position after one or two random moves, or fewer if the game ends there.
fn step_aside(position: &Position, random: &mut SplitMix) -> Position {
    let mut aside = position.clone();
    let plies = 1 + random.below(2);
    play_random_moves(&mut aside, plies, random);
    aside
}

fn for_white(score: Score, side: Color) -> Score {
    match side {
        Color::White => score,
        Color::Black => -score,
    }
}

/// Adjudicates wins: for how many plies in a row one side has been far ahead.
#[derive(Debug, Default)]
pub(super) struct WinAdjudication {
    side: Option<Color>,
    plies: u32,
}

impl WinAdjudication {
    /// The winner after a move with this score for White: by a mate, or far ahead for so many plies that both
    /// sides have seen it.
    pub fn winner(&mut self, score: Score) -> Option<Color> {
        let ahead = if score > Score::DRAW { Color::White } else { Color::Black };
        if score.is_mate() {
            return Some(ahead);
        }
        let is_won = score.as_centipawns().is_some_and(|score| score.abs() >= WIN_SCORE);
        let side = is_won.then_some(ahead);
        self.plies = if side.is_some() && side == self.side { self.plies + 1 } else { 1 };
        self.side = side;
        side.filter(|_| self.plies >= WIN_PLIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_won_when_both_sides_see_it_for_long_enough() {
        let mut adjudication = WinAdjudication::default();
        let scores = [2000, 2000, 1999, -2500, -2500, -2500, 3000, 2000, 2100];
        for score in scores {
            assert_eq!(adjudication.winner(Score::centipawns(score)), None);
        }
        assert_eq!(adjudication.winner(Score::centipawns(2000)), Some(Color::White));
        assert_eq!(WinAdjudication::default().winner(Score::mated_in(3)), Some(Color::Black));
    }
}
