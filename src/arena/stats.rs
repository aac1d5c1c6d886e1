//! Statistics of match results: Elo with error bars, the likelihood of superiority, and the sequential
//! test (SPRT) that stops a match as soon as it is decided.
//!
//! Sources: M. Van den Bergh, *The generalized sequential probability ratio test for Elo*
//! and *Comments on normalized Elo* (hardy.uhasselt.be/Fishtest); the same formulas are used by fishtest
//! and fastchess, whose published numbers the tests compare with.

use std::f64::consts::{LN_10, SQRT_2};

use thiserror::Error;

/// Half the width of a 95 % interval in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// One unit of `(score − ½) / σ` of a single game, in normalized Elo.
const NORMALIZED_UNIT: f64 = 800.0 / LN_10;

/// Counts of games and of pairs of games with one opening and exchanged colors, from one side's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games lost, drawn, won.
    pub games: [u64; 3],
    /// Pairs by twice the score: 0, ½, 1, 1½, 2 points.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Adds a game by twice the points (0, 1, 2).
    pub fn add_game(&mut self, half_points: usize) {
        self.games[half_points.min(2)] += 1;
    }

    /// Adds the sum of a pair by twice the points (0 to 4); its games are added apart.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs[half_points.min(4)] += 1;
    }

    /// All games.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Points from all games.
    pub fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }

    /// The same counts for the opponent.
    pub fn reversed(mut self) -> Tally {
        self.games.reverse();
        self.pairs.reverse();
        self
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: &Tally) {
        self.games.iter_mut().zip(other.games).for_each(|(a, b)| *a += b);
        self.pairs.iter_mut().zip(other.pairs).for_each(|(a, b)| *a += b);
    }
}

/// A difference in strength and half the width of its 95 % interval, both in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elo {
    /// The difference; infinite for a score of 0 or 1.
    pub difference: f64,
    /// Plus or minus; infinite with the difference.
    pub error: f64,
}

/// The Elo difference that gives an expected score (0 to 1).
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score (0 to 1) at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Mean and variance of outcomes that are spread evenly from 0 to 1.
fn mean_and_variance(counts: &[f64]) -> (f64, f64) {
    let total: f64 = counts.iter().sum();
    let values = || outcomes(counts.len()).zip(counts);
    let mean = values().map(|(value, count)| value * count).sum::<f64>() / total;
    let square = |(value, count): (f64, &f64)| (value - mean).powi(2) * count;
    (mean, values().map(square).sum::<f64>() / total)
}

/// The scores that `number` counts stand for: 0, ½, 1 or 0, ¼, ½, ¾, 1.
fn outcomes(number: usize) -> impl Iterator<Item = f64> {
    (0..number).map(move |index| index as f64 / (number - 1) as f64)
}

fn to_f64<const N: usize>(counts: &[u64; N]) -> [f64; N] {
    counts.map(|count| count as f64)
}

fn elo(counts: &[f64]) -> Option<Elo> {
    let total: f64 = counts.iter().sum();
    if total == 0.0 {
        return None;
    }
    let (mean, variance) = mean_and_variance(counts);
    let half = Z95 * (variance / total).sqrt();
    // The interval of the score is taken to Elo end by end; an end beyond certainty is infinite.
    let end = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
    let error = (end(mean + half) - end(mean - half)) / 2.0;
    let error = if error.is_nan() { f64::INFINITY } else { error };
    Some(Elo { difference: elo_of_score(mean), error })
}

/// The Elo difference by single games; `None` without games.
pub fn trinomial_elo(games: &[u64; 3]) -> Option<Elo> {
    elo(&to_f64(games))
}

/// The Elo difference by pairs of games, whose error is smaller because an opening's bias cancels
/// out; `None` without pairs.
pub fn pentanomial_elo(pairs: &[u64; 5]) -> Option<Elo> {
    elo(&to_f64(pairs))
}

/// The difference in normalized Elo, which is about the number of games needed to see it;
/// `None` without pairs or if all pairs ended alike.
pub fn normalized_elo(pairs: &[u64; 5]) -> Option<Elo> {
    let counts = to_f64(pairs);
    let total: f64 = counts.iter().sum();
    let (mean, variance) = mean_and_variance(&counts);
    if total == 0.0 || variance <= 0.0 {
        return None;
    }
    // The deviation of a pair's mean is that of a game divided by √2.
    let unit = NORMALIZED_UNIT / SQRT_2;
    let difference = (mean - 0.5) / variance.sqrt() * unit;
    Some(Elo { difference, error: Z95 * unit / total.sqrt() })
}

/// The probability (0 to 1) that the side is the stronger one; `None` if nothing can be said.
pub fn superiority(tally: &Tally) -> Option<f64> {
    let by_pairs = tally.pairs != [0; 5];
    let counts =
        if by_pairs { to_f64(&tally.pairs).to_vec() } else { to_f64(&tally.games).to_vec() };
    let total: f64 = counts.iter().sum();
    let (mean, variance) = mean_and_variance(&counts);
    if total == 0.0 || variance <= 0.0 {
        return None;
    }
    Some(normal_probability((mean - 0.5) / (variance / total).sqrt()))
}

/// The standard normal distribution function, with an error below 1e-7 (Abramowitz and Stegun 26.2.17).
fn normal_probability(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum;
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The unit of the bounds of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EloModel {
    /// Normalized Elo: the expected length of a test does not depend on the share of draws.
    #[default]
    Normalized,
    /// Logistic Elo, as printed for a match.
    Logistic,
}

/// A sequential probability ratio test: is the difference `elo0` (H0) or `elo1` (H1)?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The Elo of H0.
    pub elo0: f64,
    /// The Elo of H1, above `elo0`.
    pub elo1: f64,
    /// The probability of taking H1 though H0 is true.
    pub alpha: f64,
    /// The probability of taking H0 though H1 is true.
    pub beta: f64,
    /// The unit of the bounds.
    pub model: EloModel,
}

/// Why a sequential test is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SprtError {
    /// The bounds are not in order.
    #[error("--sprt {elo0} {elo1}: the first Elo must be below the second")]
    Bounds {
        /// The Elo of H0.
        elo0: f64,
        /// The Elo of H1.
        elo1: f64,
    },
    /// An error probability out of range.
    #[error("--sprt … {0}: an error probability lies between 0 and 0.5")]
    Probability(f64),
}

/// The decision of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No decision yet.
    Continue,
    /// The difference is not above `elo0`.
    H0,
    /// The difference is at least `elo1`.
    H1,
}

impl Sprt {
    /// A test with these bounds and error probabilities.
    ///
    /// # Errors
    /// `elo0` is not below `elo1`, or a probability is not between 0 and ½.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Sprt, SprtError> {
        if !elo0.is_finite() || !elo1.is_finite() || elo0 >= elo1 {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        if let Some(wrong) = [alpha, beta].into_iter().find(|p| !(*p > 0.0 && *p < 0.5)) {
            return Err(SprtError::Probability(wrong));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The bounds of the log-likelihood ratio: H0 at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0 after these pairs; 0 without any.
    pub fn ratio(&self, pairs: &[u64; 5]) -> f64 {
        self.ratio_of(&to_f64(pairs))
    }

    /// The same by single games (lost, drawn, won).
    pub fn trinomial_ratio(&self, games: &[u64; 3]) -> f64 {
        self.ratio_of(&to_f64(games))
    }

    fn ratio_of(&self, counts: &[f64]) -> f64 {
        if counts.iter().sum::<f64>() == 0.0 {
            return 0.0;
        }
        // Outcomes that never came get a little weight, or the first results would decide all.
        let counts: Vec<f64> =
            counts.iter().map(|&count| if count == 0.0 { 1e-3 } else { count }).collect();
        let total: f64 = counts.iter().sum();
        let seen: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => likeliest_with_mean(&seen, score_of_elo(elo)),
            EloModel::Normalized => {
                let pair = if counts.len() == 5 { SQRT_2 } else { 1.0 };
                likeliest_with_t(&seen, elo / NORMALIZED_UNIT * pair)
            }
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let logs = counts.iter().zip(p0.iter().zip(&p1));
        logs.map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
    }

    /// Whether the test is decided after these pairs.
    pub fn verdict(&self, pairs: &[u64; 5]) -> Verdict {
        let ((low, high), ratio) = (self.bounds(), self.ratio(pairs));
        if ratio >= high {
            Verdict::H1
        } else if ratio <= low {
            Verdict::H0
        } else {
            Verdict::Continue
        }
    }
}

/// The `x` with Σ pᵢ·aᵢ / (1 + x·aᵢ) = 0, by bisection: the sum falls between its poles. Some `a` must be
/// negative and some positive.
fn solve(p: &[f64], a: &[f64]) -> f64 {
    let (least, most) = a.iter().fold((0.0, 0.0), |(l, m), &a| (f64::min(l, a), f64::max(m, a)));
    if least >= 0.0 || most <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let sum: f64 = p.iter().zip(a).map(|(p, a)| p * a / (1.0 + middle * a)).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The likeliest distribution with this mean, given the frequencies seen (empirical likelihood).
fn likeliest_with_mean(seen: &[f64], mean: f64) -> Vec<f64> {
    let off: Vec<f64> = outcomes(seen.len()).map(|value| value - mean).collect();
    let x = solve(seen, &off);
    seen.iter().zip(&off).map(|(p, a)| p / (1.0 + x * a)).collect()
}

/// The likeliest distribution with (mean − ½) / σ = `t`: the constraint is made linear at the last guess
/// until it stands.
fn likeliest_with_t(seen: &[f64], t: f64) -> Vec<f64> {
    let mut found = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..50 {
        let (mean, variance) = mean_and_variance(&found);
        let sigma = variance.sqrt();
        let off: Vec<f64> = outcomes(seen.len())
            .map(|value| value - 0.5 - t * sigma * (1.0 + ((mean - value) / sigma).powi(2)) / 2.0)
            .collect();
        let x = solve(seen, &off);
        let next: Vec<f64> = seen.iter().zip(&off).map(|(p, a)| p / (1.0 + x * a)).collect();
        let change = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-10 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests;
