//! A new evaluation against the best so far: pairs of games from one opening with exchanged colors, within this process,
//! until a sequential test has decided.

use std::sync::Arc;
use std::time::Instant;

use super::state::Generation;
use crate::arena::stats::{EloModel, Sprt, Tally, Verdict, superiority};
use crate::engine::openings::{OpeningRequirements, candidate, is_even};
use crate::engine::{Control, Limits, Searcher};
use crate::training::selfplay::{MAX_PLIES, WinAdjudication, search};
use garrison_rules::{Color, Position, Variant};

/// The nodes of a move, where both evaluations take the same time for one: in a match of tables, and in one with a network.
/// Networks are worth more in longer searches (bench/README.md).
pub(super) const NODES: u64 = 1_000;
pub(super) const NETWORK_NODES: u64 = 8_000;

/// The hypotheses in normalized Elo, and the probabilities of error. A generation that is worth less than a few Elo is not
/// worth the time that it takes to see that.
const ELO: (f64, f64) = (0.0, 15.0);
const ERROR: f64 = 0.1;

/// No decision falls before so many pairs: a few lucky games are none.
const LEAST_PAIRS: u64 = 8;

/// After so many pairs the match ends without a decision.
pub(super) const MOST_PAIRS: u64 = 1_000;

/// A match that ends without a decision is won if the new evaluation is the stronger one with this probability.
const LIKELY: f64 = 0.85;

/// Random plies of an opening, the most that a side may be ahead after them, in centipawns, and how many are tried for one
/// where neither is further ahead. In a game in which one side always is, the last one is played.
const PLIES: u32 = 6;
const WINDOW: u32 = 200;
const TRIES: u64 = 24;

/// The new evaluation and the best so far, in this order.
pub(super) type Rivals = [Searcher; 2];

/// The conditions of a match.
#[derive(Debug)]
pub(super) struct Match {
    /// The games, which take turns.
    pub variants: Vec<Arc<Variant>>,
    /// Other seeds give other openings.
    pub seed: u64,
    /// The nodes of a move, for each side.
    pub nodes: [u64; 2],
}

impl Match {
    /// Plays the pair of this number; the points of the new evaluation in each of its games, twice; none if it was stopped.
    /// It needs a stack of [`crate::engine::STACK_SIZE`], as every search does.
    pub fn pair(&self, number: u64, rivals: &mut Rivals, control: &Control) -> Option<[usize; 2]> {
        let opening = self.opening(number, &mut rivals[1], control)?;
        let mut points = [0; 2];
        for (points, own) in points.iter_mut().zip(Color::ALL) {
            rivals.iter_mut().for_each(Searcher::clear);
            let winner = self.game(opening.clone(), own, rivals, control)?;
            *points = winner.map_or(1, |winner| 2 * usize::from(winner == own));
        }
        Some(points)
    }

    /// A random position in which neither side is far ahead, by the best evaluation so far.
    fn opening(&self, number: u64, judge: &mut Searcher, control: &Control) -> Option<Position> {
        let variant = &self.variants[(number % self.variants.len() as u64) as usize];
        let limits = Limits { nodes: Some(self.nodes[1]), ..Limits::default() };
        let wanted = OpeningRequirements { plies: PLIES, window: WINDOW, limits, seed: self.seed };
        let mut last = None;
        for attempt in 0..TRIES {
            if control.is_stopped() {
                return None;
            }
            let found =
                candidate(variant, &wanted, number.wrapping_mul(TRIES).wrapping_add(attempt));
            let Some(position) = found else { continue };
            if is_even(&position, &wanted, judge) {
                return Some(position);
            }
            last = Some(position);
        }
        Some(last.unwrap_or_else(|| Position::start(variant)))
    }

    /// The winner of a game in which the new evaluation has `own`; none for a draw.
    fn game(
        &self,
        mut position: Position,
        own: Color,
        rivals: &mut Rivals,
        control: &Control,
    ) -> Option<Option<Color>> {
        let limits = self.nodes.map(|nodes| Limits { nodes: Some(nodes), ..Limits::default() });
        let mut adjudication = WinAdjudication::default();
        for _ in 0..MAX_PLIES {
            if let Some(outcome) = position.status().outcome() {
                return Some(outcome.winner);
            }
            let who = usize::from(position.side_to_move() != own);
            let (best, score) = search(&position, &limits[who], &mut rivals[who], control)?;
            if let Some(winner) = score.and_then(|score| adjudication.winner(score)) {
                return Some(Some(winner));
            }
            position.make(best);
        }
        Some(None)
    }
}

/// What a match says after some pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// Nothing yet.
    Open,
    /// The new evaluation is the stronger one.
    Won,
    /// It is not.
    Lost,
}

/// What the pairs so far say.
pub(super) fn decision(tally: &Tally) -> Decision {
    let pairs: u64 = tally.pairs.iter().sum();
    // The numbers are right, as a test says.
    let test = Sprt::new(ELO.0, ELO.1, ERROR, ERROR, EloModel::Normalized);
    let verdict = test.map_or(Verdict::Continue, |test| test.verdict(&tally.pairs));
    match verdict {
        Verdict::H1 if pairs >= LEAST_PAIRS => Decision::Won,
        Verdict::H0 if pairs >= LEAST_PAIRS => Decision::Lost,
        _ => Decision::Open,
    }
}

/// Whether the new evaluation takes the place of the best, as no more pairs are played.
pub(super) fn is_won(made: &Generation) -> bool {
    let tally = made.tally();
    match decision(&tally) {
        Decision::Won => true,
        Decision::Lost => false,
        Decision::Open => {
            let pairs: u64 = tally.pairs.iter().sum();
            let is_ahead = 2.0 * tally.points() > tally.total() as f64;
            // All pairs may have ended alike: then there is no deviation to measure by.
            pairs >= LEAST_PAIRS
                && is_ahead
                && superiority(&tally).is_none_or(|likely| likely >= LIKELY)
        }
    }
}

/// The nodes of a move for each rival, about so many, so that both take the same time: measured by turns on some
/// positions, of which the median counts, as other work of the machine may delay some of the searches.
pub(super) fn fair_nodes(
    variants: &[Arc<Variant>],
    mean: u64,
    rivals: &mut Rivals,
    control: &Control,
) -> [u64; 2] {
    /// How much faster one may be counted.
    const MOST: f64 = 3.0;
    let limits = Limits { nodes: Some(4_000), ..Limits::default() };
    let wanted = OpeningRequirements { plies: 12, window: 0, limits: limits.clone(), seed: 1 };
    let mut ratios = Vec::new();
    for number in 0..48 {
        let variant = &variants[number as usize % variants.len()];
        let Some(position) = candidate(variant, &wanted, number) else { continue };
        let [new, old] = rivals.each_mut().map(|searcher| {
            searcher.clear();
            let start = Instant::now();
            searcher.search(&position, &limits, control, |_| {});
            searcher.nodes() as f64 / start.elapsed().as_secs_f64().max(1e-9)
        });
        if new > 0.0 && old > 0.0 {
            ratios.push(new / old);
        }
    }
    let middle = ratios.len() / 2;
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios.get(middle).map_or(1.0, |ratio| ratio.clamp(1.0 / MOST, MOST));
    let nodes = |factor: f64| (mean as f64 * factor).round() as u64;
    [nodes(ratio.sqrt()), nodes(1.0 / ratio.sqrt())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(pairs: [u64; 5]) -> Generation {
        let points: u64 = pairs.iter().zip(0..).map(|(count, points)| count * points).sum();
        let games = 2 * pairs.iter().sum::<u64>();
        let won = points / 2;
        let drawn = points % 2;
        Generation { pairs, results: [games - won - drawn, drawn, won], ..Generation::default() }
    }

    #[test]
    fn a_match_is_decided_by_what_was_played() {
        assert!(Sprt::new(ELO.0, ELO.1, ERROR, ERROR, EloModel::Normalized).is_ok());
        assert_eq!(decision(&made([0; 5]).tally()), Decision::Open);
        assert_eq!(decision(&made([0, 0, 0, 0, 7]).tally()), Decision::Open);
        assert_eq!(decision(&made([10, 30, 150, 90, 70]).tally()), Decision::Won);
        assert_eq!(decision(&made([70, 90, 150, 30, 10]).tally()), Decision::Lost);
        assert!(is_won(&made([10, 30, 150, 90, 70])));
        assert!(!is_won(&made([70, 90, 150, 30, 10])));
    }

    #[test]
    fn a_match_without_a_decision_needs_more_than_luck() {
        assert!(!is_won(&made([0; 5])));
        assert!(!is_won(&made([0, 0, 0, 0, 3])), "too few");
        assert!(!is_won(&made([0, 0, 300, 0, 0])), "all drawn");
        assert!(!is_won(&made([3, 3, 3, 3, 4])), "nearly even");
        assert!(is_won(&made([1, 2, 6, 6, 5])), "clearly ahead");
    }
}
