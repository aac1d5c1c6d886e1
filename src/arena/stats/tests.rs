//! Against numbers computed by hand, numbers published by other projects, and simulation.

use super::*;

fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted} ± {within}");
}

/// The published numbers are rounded, and compared by their authors within 1 %.
fn published(found: f64, wanted: f64) {
    near(found, wanted, 0.01 * (1.0 + wanted.abs()));
}

fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test")
}

/// 60 won, 20 drawn, 20 lost: mean 0.7, variance 0.6·0.09 + 0.2·0.04 + 0.2·0.49 = 0.16, so the
/// mean's deviation is 0.04 and the interval 0.7 ± 0.0784.
#[test]
fn elo_by_hand() {
    let elo = trinomial_elo(&[20, 20, 60]).expect("games");
    near(elo.difference, 400.0 * (7f64 / 3.0).log10(), 1e-9);
    let half: f64 = 0.04 * Z95;
    let end = |score: f64| 400.0 * (score / (1.0 - score)).log10();
    near(elo.error, (end(0.7 + half) - end(0.7 - half)) / 2.0, 1e-9);
    near(elo.difference, 147.19, 0.01);
    near(elo.error, 66.22, 0.3);
}

#[test]
fn elo_at_the_edges() {
    assert_eq!(trinomial_elo(&[0, 0, 0]), None);
    let all_won = trinomial_elo(&[0, 0, 10]).expect("games");
    assert!(all_won.difference == f64::INFINITY && all_won.error == f64::INFINITY);
    let all_drawn = trinomial_elo(&[0, 10, 0]).expect("games");
    assert_eq!((all_drawn.difference.abs(), all_drawn.error), (0.0, 0.0));
    assert_eq!(normalized_elo(&[0, 0, 7, 0, 0]), None);
    assert_eq!(superiority(&Tally::default()), None);
    assert_eq!(sprt(0.0, 5.0, EloModel::Normalized).ratio(&[0; 5]), 0.0);
}

/// Match results that the authors of fastchess, cutechess-cli and Rustic published with their Elo.
#[test]
fn elo_as_published() {
    for (lost, drawn, won, difference, error) in [
        (36, 14, 0, -315.34, 95.43),
        (772, 1329, 859, 10.21, 9.28),
        (1267, 3049, 1164, -6.53, 6.12),
        (646, 357, 869, 41.6, 14.2),
        (197, 133, 409, 102.5, 23.5),
        (276, 275, 449, 60.7, 18.5),
    ] {
        let elo = trinomial_elo(&[lost, drawn, won]).expect("games");
        published(elo.difference, difference);
        published(elo.error, error);
    }
    for (pairs, difference, error, normalized, normalized_error) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
        ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
    ] {
        let elo = pentanomial_elo(&pairs).expect("pairs");
        published(elo.difference, difference);
        published(elo.error, error);
        let elo = normalized_elo(&pairs).expect("pairs");
        published(elo.difference, normalized);
        published(elo.error, normalized_error);
    }
}

#[test]
fn superiority_as_published() {
    // The likelihood of superiority is symmetric, and 97.5 % at 1.96 deviations.
    near(normal_probability(0.0), 0.5, 1e-7);
    near(normal_probability(Z95), 0.975, 1e-6);
    near(normal_probability(-Z95), 0.025, 1e-6);
    let tally = Tally { games: [34, 0, 356], pairs: [0; 5] };
    assert!(superiority(&tally).expect("games") > 0.9999);
    let even = Tally { games: [10, 5, 10], pairs: [0; 5] };
    near(superiority(&even).expect("games"), 0.5, 1e-6);
}

/// The numbers with which fastchess tests its own; they come from fishtest.
#[test]
fn ratios_as_published() {
    use EloModel::{Logistic, Normalized};
    for (pairs, elo0, elo1, model, ratio) in [
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01),
        ([0, 0, 0, 0, 5550], 0.0, 5.0, Normalized, 111.82),
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
    ] {
        published(sprt(elo0, elo1, model).ratio(&pairs), ratio);
    }
    for (games, elo0, elo1, model, ratio) in [
        ([36027, 68692, 36433], 0.0, 2.0, Normalized, 0.92),
        ([10650, 20431, 10871], -1.75, 0.25, Normalized, 2.30),
        ([0, 0, 4250], 0.0, 10.0, Normalized, 120.56),
        ([21184, 40708, 21404], 0.5, 2.5, Logistic, -1.57),
        ([57030, 106_593, 57433], 0.0, 2.0, Logistic, -2.59),
    ] {
        published(sprt(elo0, elo1, model).trinomial_ratio(&games), ratio);
    }
}

#[test]
fn bounds_by_hand() {
    let (low, high) = sprt(0.0, 5.0, EloModel::Normalized).bounds();
    near(high, 19f64.ln(), 1e-12);
    near(low, -(19f64.ln()), 1e-12);
    let (low, high) = Sprt::new(0.0, 5.0, 0.1, 0.2, EloModel::Logistic).expect("a test").bounds();
    near(high, 8f64.ln(), 1e-12);
    near(low, (2f64 / 9.0).ln(), 1e-12);
}

#[test]
fn wrong_tests_are_refused() {
    for (elo0, elo1, alpha, beta) in [
        (5.0, 0.0, 0.05, 0.05),
        (1.0, 1.0, 0.05, 0.05),
        (f64::NAN, 1.0, 0.05, 0.05),
        (0.0, f64::INFINITY, 0.05, 0.05),
        (0.0, 5.0, 0.0, 0.05),
        (0.0, 5.0, 0.05, 0.5),
        (0.0, 5.0, f64::NAN, 0.05),
    ] {
        assert!(Sprt::new(elo0, elo1, alpha, beta, EloModel::Normalized).is_err());
    }
}

/// The shares of 0, ½, 1, 1½, 2 points of pairs between engines whose games, independent of each other,
/// are drawn with probability `draws` and have this mean.
fn shares(mean: f64, draws: f64) -> [f64; 5] {
    let win = mean - draws / 2.0;
    let p = [1.0 - win - draws, draws, win];
    let mut pairs = [0.0; 5];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in p.iter().enumerate() {
            pairs[i + j] += a * b;
        }
    }
    pairs
}

/// Runs a test on simulated pairs; whether H1 was taken, and after how many pairs.
fn simulate(test: &Sprt, shares: &[f64; 5], seed: u64) -> (bool, u64) {
    let mut rng = garrison_rules::random::SplitMix::new(seed);
    let mut pairs = [0; 5];
    for number in 1..200_000 {
        let mut x = rng.fraction();
        let outcome = shares.iter().position(|share| {
            x -= share;
            x < 0.0
        });
        pairs[outcome.unwrap_or(4)] += 1;
        match test.verdict(&pairs) {
            Verdict::Continue => {}
            verdict => return (verdict == Verdict::H1, number),
        }
    }
    (false, 200_000)
}

/// With the difference at `elo0` H1 is taken in about α of all tests, at `elo1` in about 1 − β.
#[test]
fn errors_are_as_rare_as_they_should_be() {
    let test = Sprt::new(0.0, 60.0, 0.05, 0.1, EloModel::Normalized).expect("a test");
    let runs = 1000;
    let draws = 0.4;
    // Normalized Elo is (mean − ½) / σ of a game, where σ² = mean·(1 − mean) − draws/4.
    let mean_at = |elo: f64| {
        let t = elo / NORMALIZED_UNIT;
        let mut mean: f64 = 0.5;
        for _ in 0..50 {
            mean = 0.5 + t * (mean * (1.0 - mean) - draws / 4.0).sqrt();
        }
        mean
    };
    let taken = |elo: f64, base: u64| {
        let shares = shares(mean_at(elo), draws);
        (0..runs).filter(|run| simulate(&test, &shares, base + run).0).count() as f64 / runs as f64
    };
    // Three standard deviations of 1000 trials are 0.021 at 5 % and 0.028 at 10 %; the overshoot of the
    // bounds makes errors a little rarer than asked, never more frequent.
    let first = taken(0.0, 1);
    let second = 1.0 - taken(60.0, 1_000_000);
    println!("type I {first:.3} (0.05), type II {second:.3} (0.10)");
    assert!((0.02..0.072).contains(&first), "type I errors: {first}");
    assert!((0.06..0.13).contains(&second), "type II errors: {second}");
}
