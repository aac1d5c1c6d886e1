//! Fits the prior: the coefficients that make weights for a game that nobody has trained, by logistic regression over
//! positions of many games at once. Every game counts alike, however many positions there are of it. Half of the positions
//! are judged as if the definitions wrote no values, so that both is learned: what moves say, and how far to trust values.

use std::io::BufRead;
use std::sync::Arc;

use rayon::prelude::*;

use super::adam::Adam;
use super::corpus::{Corpus, Dataset, PER_CENTIPAWN, Part, Room, Settings};
use super::data::{Packing, Record};
use super::examples::Examples;
use super::prior::scale_of;
use super::sample::{LineError, SampleError};
use super::tune::{Data, example};
use crate::engine::LinearEval;
use crate::engine::eval::Layout;
use crate::engine::eval::prior::{
    COLUMNS, Coefficients, Design, evaluation_by, names, untrained, weights_by,
};
use garrison_rules::Variant;
use garrison_rules::random::SplitMix;

/// Positions of each game in a step.
const BATCH: usize = 512;
/// The first and the last learning rate, in centipawns; between them it falls along a cosine.
const RATES: (f64, f64) = (2.0, 0.01);
/// The pull to the start, as a share of what the data say of a coefficient, and as if each game that has its basis had it
/// once in that share of positions: of what pieces are worth, of passed pawns, and of all else. With ten times less, games
/// that were left out gain half as much; passed pawns, which few positions have, count for half as much with more (bench/README.md).
const PULL_OF_VALUES: (f64, f64) = (0.03, 0.003);
const PULL_OF_PASSED_PAWNS: (f64, f64) = (0.01, 0.001);
const PULL: (f64, f64) = (0.1, 0.01);
/// After so many steps, and by so many positions, it is looked anew how decisive each game is.
const STEPS_OF_SCALES: usize = 25;
const POSITIONS_OF_SCALES: usize = 4_000;
/// How far that may be from the mean of the games.
const SCALES: (f64, f64) = (0.3, 3.0);

/// A game to learn from.
#[derive(Debug)]
struct Game {
    variant: Arc<Variant>,
    /// With the values that its definition writes, and without.
    designs: [Design; 2],
    corpus: Corpus,
    /// The positions to learn from and those held out, once all files are read.
    data: [Data; 2],
}

/// Positions of many games.
#[derive(Debug, Default)]
pub struct Pool {
    games: Vec<Game>,
}

/// The validation losses of a game by different weights.
#[derive(Debug, Clone, Copy)]
pub struct GameLosses {
    /// By the values of its definition times the scale that fits best.
    pub plain: f64,
    /// By the prior.
    pub prior: f64,
    /// By the prior without the values that its definition writes.
    pub prior_of_moves: f64,
}

/// Coefficients of the prior.
#[derive(Debug, Clone)]
pub struct PriorCoefficients(pub(crate) Coefficients);

impl Pool {
    /// Adds a game with the positions of a file; files of one family can be added one after the other.
    ///
    /// # Errors
    /// The first line that is wrong, or is of a game of another family.
    pub fn add(
        &mut self,
        variant: &Arc<Variant>,
        file: impl BufRead,
        settings: &Settings,
    ) -> Result<(), LineError> {
        let known = self.games.iter().position(|game| game.variant.family() == variant.family());
        let at = known.unwrap_or_else(|| {
            let designs = [true, false].map(|hints| Design::new(variant, hints));
            let (variant, corpus) = (Arc::clone(variant), Corpus::default());
            self.games.push(Game { variant, designs, corpus, data: Default::default() });
            self.games.len() - 1
        });
        self.games[at].corpus.add(variant, file, &settings.room)?;
        Ok(())
    }

    /// Makes what the fit needs of all positions that were added.
    ///
    /// # Errors
    /// A record is damaged, or there is no memory for them.
    pub fn extract(&mut self, settings: &Settings) -> Result<(), SampleError> {
        for game in &mut self.games {
            let layout = Layout::new(&game.variant);
            let linear = LinearEval::plain(&game.variant);
            let make = |packing: &Packing, record: &Record| {
                Ok(example(&layout, &linear, &packing.sample(record)?, settings))
            };
            let room = Room { memory: usize::MAX, ..settings.room.clone() };
            game.data = Examples::new(&game.corpus, &room, &make)?.into_memory()?;
        }
        Ok(())
    }

    /// The names of the games, and how many positions of each there are to learn from.
    pub fn games(&self) -> impl Iterator<Item = (&str, usize)> {
        self.games.iter().map(|game| (game.variant.name(), game.corpus.len(Part::Training)))
    }

    /// The games that are too much like this one to be learned from where it is left out: itself, and those whose
    /// pieces move like its own, most of them, on a board of the same size.
    pub fn relatives(&self, variant: &Variant) -> Vec<bool> {
        self.games.iter().map(|game| is_relative(&game.variant, variant)).collect()
    }

    /// Fits the coefficients to all games that are not left out. `report` gets the share of the work that is done.
    pub fn fit(
        &self,
        left_out: &[bool],
        steps: usize,
        seed: u64,
        mut report: impl FnMut(f64),
    ) -> PriorCoefficients {
        let games = self.games.iter().zip(left_out).filter(|(_, out)| !**out);
        let games: Vec<&Game> =
            games.map(|(game, _)| game).filter(|game| game.data[0].len() > 0).collect();
        let begin = untrained();
        let curvature = curvature(&games, begin.len());
        // Steps as large in what they change, not in the coefficient.
        let rates: Coefficients = curvature
            .iter()
            .map(|row| {
                row.map(|size| {
                    (PER_CENTIPAWN * PER_CENTIPAWN / 4.0 / size.max(1e-12)).sqrt().clamp(0.2, 5.0)
                })
            })
            .collect();
        let pulls = pulls(&curvature, &presence(&games, begin.len()));
        let mut coefficients = begin.clone();
        let mut scaled = vec![[0.0; COLUMNS]; begin.len()];
        let mut adam = Adam::new(begin.len());
        let mut scales = vec![1.0; games.len()];
        for step in 0..steps {
            if step > 0 && step % STEPS_OF_SCALES == 0 {
                scales = scales_of(&games, &coefficients);
            }
            let parts: Vec<Coefficients> = games
                .par_iter()
                .enumerate()
                .map(|(index, game)| {
                    let seed = seed ^ (step as u64) << 20 ^ (index as u64) << 50;
                    game.gradient(&coefficients, scales[index], &mut SplitMix::new(seed))
                })
                .collect();
            let mut gradient = vec![[0.0; COLUMNS]; begin.len()];
            for (index, row) in gradient.iter_mut().enumerate() {
                for (column, sum) in row.iter_mut().enumerate() {
                    let mean = parts.iter().map(|part| part[index][column]).sum::<f64>()
                        / games.len().max(1) as f64;
                    let away = coefficients[index][column] - begin[index][column];
                    *sum = (mean + pulls[index][column] * away) * rates[index][column];
                }
            }
            let done = step as f64 / steps as f64;
            let cosine = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
            adam.step(&mut scaled, &gradient, RATES.1 + (RATES.0 - RATES.1) * cosine);
            for (index, row) in coefficients.iter_mut().enumerate() {
                for (column, coefficient) in row.iter_mut().enumerate() {
                    *coefficient =
                        begin[index][column] + scaled[index][column] * rates[index][column];
                }
            }
            report(done);
        }
        PriorCoefficients(coefficients)
    }

    /// The validation losses of each game.
    pub fn losses(&self, coefficients: &PriorCoefficients) -> Vec<GameLosses> {
        self.games.par_iter().map(|game| game.losses(&coefficients.0)).collect()
    }
}

/// The pull of each coefficient to the start, by its curvature and by the share of the games that have its basis.
fn pulls(curvature: &Coefficients, presence: &Coefficients) -> Coefficients {
    let rows = curvature.iter().zip(presence).zip(names());
    rows.map(|((sizes, shares), (group, _))| {
        let (share, least) = match group {
            "value" | "hand_1" | "hand_2" | "hand_3" => PULL_OF_VALUES,
            "passed" | "passed_free" | "escort" => PULL_OF_PASSED_PAWNS,
            _ => PULL,
        };
        let least = least * PER_CENTIPAWN * PER_CENTIPAWN / 4.0;
        std::array::from_fn(|column| share * sizes[column] + least * shares[column])
    })
    .collect()
}

/// By coefficient, the share of the games in which it counts for anything: what only few games have is not pulled to the
/// start the more for it.
fn presence(games: &[&Game], size: usize) -> Coefficients {
    let mut shares = vec![[0.0; COLUMNS]; size];
    for game in games {
        let mut own = vec![[0.0; COLUMNS]; size];
        let every = vec![[1.0; 2]; Layout::new(&game.variant).terms];
        game.designs[0].add_curvature(&every, 1.0, &mut own);
        for (sum, own) in shares.iter_mut().flatten().zip(own.iter().flatten()) {
            *sum += if *own > 0.0 { 1.0 / games.len() as f64 } else { 0.0 };
        }
    }
    shares
}

/// By what the weights of each game are multiplied to fit its own positions best, the geometric mean being 1, of games in
/// which captured pieces go to hands and of all others. One piece more is worth little where most games are drawn, and
/// much where games are short; the coefficients say what weights are to each other, and no game is to change those of the
/// others by that. Hands have coefficients of their own, by which a centipawn means the same with and without them.
fn scales_of(games: &[&Game], coefficients: &Coefficients) -> Vec<f64> {
    let logarithms: Vec<f64> = games.par_iter().map(|game| game.scale(coefficients).ln()).collect();
    let drops = |game: &Game| game.variant.captures_change_sides();
    let means = [false, true].map(|with_drops| {
        let of = games.iter().zip(&logarithms).filter(|(game, _)| drops(game) == with_drops);
        let of: Vec<f64> = of.map(|(_, logarithm)| *logarithm).collect();
        of.iter().sum::<f64>() / of.len().max(1) as f64
    });
    let scale = |(game, logarithm): (&&Game, &f64)| {
        (logarithm - means[usize::from(drops(game))]).exp().clamp(SCALES.0, SCALES.1)
    };
    games.iter().zip(&logarithms).map(scale).collect()
}

/// Whether most pieces of two games move alike, on boards of the same size.
fn is_relative(a: &Variant, b: &Variant) -> bool {
    let size = |variant: &Variant| (variant.geometry().files(), variant.geometry().ranks());
    let pieces = |variant: &Variant| -> std::collections::BTreeSet<String> {
        let of = |kind| variant.piece(kind).betza.clone();
        variant.kinds().map(of).filter(|betza| !betza.is_empty()).collect()
    };
    let (own, other) = (pieces(a), pieces(b));
    let (both, all) = (own.intersection(&other).count(), own.union(&other).count());
    a.family() == b.family() || size(a) == size(b) && 3 * both >= 2 * all
}

/// The curvature of the mean loss by each coefficient, as if terms occurred independently.
fn curvature(games: &[&Game], size: usize) -> Coefficients {
    let mut sums = vec![[0.0; COLUMNS]; size];
    for game in games {
        let data = &game.data[0];
        let mut squares = vec![[0.0; 2]; Layout::new(&game.variant).terms];
        data.add_squares_of_counts(0..data.len(), &mut squares);
        let factor = PER_CENTIPAWN * PER_CENTIPAWN / 4.0 / (data.len() * games.len() * 2) as f64;
        for design in &game.designs {
            design.add_curvature(&squares, factor, &mut sums);
        }
    }
    sums
}

impl Game {
    /// By what its weights are multiplied to fit some of its positions best.
    fn scale(&self, coefficients: &Coefficients) -> f64 {
        let data = &self.data[0];
        let count = data.len().min(POSITIONS_OF_SCALES);
        let values = data.values(0..count, &self.designs[0].weights(coefficients));
        scale_of(&values, &data.targets()[..count])
    }

    /// The gradient of the mean loss of some positions, with weights multiplied by `scale`.
    fn gradient(
        &self,
        coefficients: &Coefficients,
        scale: f64,
        random: &mut SplitMix,
    ) -> Coefficients {
        let mut gradient = vec![[0.0; COLUMNS]; coefficients.len()];
        let data = &self.data[0];
        for design in &self.designs {
            let mut weights = design.weights(coefficients);
            weights.iter_mut().flatten().for_each(|weight| *weight *= scale);
            let mut by_weight = vec![[0.0; 2]; weights.len()];
            for _ in 0..BATCH / 2 {
                data.add_gradient(random.below(data.len()), &weights, &mut by_weight);
            }
            design.add_gradient(&by_weight, 1.0 / BATCH as f64, &mut gradient);
        }
        gradient
    }

    fn losses(&self, coefficients: &Coefficients) -> GameLosses {
        let [training, held_out] = &self.data;
        let plain = Layout::new(&self.variant).plain(&self.variant);
        // The scale says how decisive the games of this data are, which differs with the strength of play.
        let loss = |weights: &[[f64; 2]]| {
            let scale = scale_of(&training.values(0..training.len(), weights), training.targets());
            let scaled: Vec<_> = weights.iter().map(|pair| pair.map(|part| part * scale)).collect();
            let loss = held_out.loss(0..held_out.len(), &scaled);
            loss / held_out.len().max(1) as f64
        };
        let [with, without] =
            [0, 1].map(|index: usize| loss(&weights_by(&self.designs[index], coefficients)));
        GameLosses { plain: loss(&plain), prior: with, prior_of_moves: without }
    }
}

impl PriorCoefficients {
    /// The file of the coefficients, behind a comment of these lines.
    pub fn text(&self, comment: &[String]) -> String {
        crate::engine::eval::prior::to_text(comment, &self.0)
    }

    /// Reads a file of coefficients.
    ///
    /// # Errors
    /// What is wrong, in a line.
    pub fn parse(text: &str) -> Result<PriorCoefficients, String> {
        crate::engine::eval::prior::parse(text).map(PriorCoefficients)
    }

    /// The evaluation of a game by these coefficients.
    pub fn evaluation(&self, variant: &Arc<Variant>) -> LinearEval {
        evaluation_by(variant, &self.0, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::eval::Evaluator;
    use crate::engine::openings::play_random_moves;
    use crate::training::sample::Sample;
    use garrison_rules::{Color, Position, find};

    /// Positions of random games of a game, with its values times `decisive` for scores.
    fn positions(name: &str, decisive: f64) -> String {
        let variant = find(name).expect("a game");
        let mut linear = LinearEval::plain(&variant);
        let mut random = SplitMix::new(7);
        let mut text = format!(
            "# garrison selfplay seed 1 nodes 9 plies 8 hash 4 version 1 variants {name}\n"
        );
        for game in 1..=40 {
            text += &format!("# game {game}\n");
            let mut position = Position::start(&variant);
            while position.status().outcome().is_none() && position.fullmove() <= 30 {
                play_random_moves(&mut position, 1, &mut random);
                let sign = if position.side_to_move() == Color::White { 1.0 } else { -1.0 };
                let centipawns = (sign * f64::from(linear.evaluate(&position)) * decisive) as i32;
                let sample = Sample { position: position.without_history(), centipawns, end: None };
                text += &format!("{sample}\n");
            }
        }
        text
    }

    #[test]
    fn each_game_has_a_scale_of_its_own() {
        let settings = Settings { epochs: 1, blend: 0.0, seed: 1, room: Room::default() };
        let mut pool = Pool::default();
        for (name, decisive) in [("chess", 0.6), ("makruk", 0.3)] {
            let text = positions(name, decisive);
            pool.add(&find(name).expect("a game"), text.as_bytes(), &settings).expect("positions");
        }
        pool.extract(&settings).expect("memory");
        let games: Vec<&Game> = pool.games.iter().collect();
        let scales = scales_of(&games, &untrained());
        assert!((scales[0] * scales[1] - 1.0).abs() < 1e-6, "{scales:?}");
        let ratio = scales[0] / scales[1];
        assert!((1.6..2.4).contains(&ratio), "{scales:?}");
        // Games with drops have a mean of their own.
        let text = positions("crazyhouse", 0.1);
        pool.add(&find("crazyhouse").expect("a game"), text.as_bytes(), &settings)
            .expect("positions");
        pool.extract(&settings).expect("memory");
        let games: Vec<&Game> = pool.games.iter().collect();
        let with_drops = scales_of(&games, &untrained());
        assert_eq!(with_drops[..2], scales[..]);
        assert!((with_drops[2] - 1.0).abs() < 1e-6, "{with_drops:?}");
    }
}
