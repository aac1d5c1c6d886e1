use super::*;
use crate::engine::eval::Evaluator;
use crate::engine::eval::network::{Coarse, FeatureWeights, Weights};
use crate::engine::openings::play_random_moves;
use crate::training::corpus::Room;
use garrison_rules::{Color, Position, find};

#[test]
fn training_goes_on_with_the_same_weights() {
    let mut random = SplitMix::new(3);
    let mut weight = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
    for hidden in [16, 128] {
        let rows = (0..40 * hidden).map(|_| Coarse(weight(126) as i8)).collect();
        let mut words = |count: usize| (0..count).map(|_| weight(500) as i16).collect();
        let weights = Weights {
            hidden,
            features: FeatureWeights::Coarse(rows),
            skip: words(40),
            bias: words(hidden),
            outputs: (0..2 * 3 * hidden).map(|at| (at as i32 % 251 - 125) as i8).collect(),
            output_unit: 64,
            output_bias: vec![-30_000, 0, 29_000],
            bounds: vec![5, 9],
        };
        let again = Model::from(&weights).quantize(&weights.bounds);
        assert_eq!((&again.skip, &again.bias), (&weights.skip, &weights.bias));
        assert!(again.features == weights.features);
        // As fine as the largest weight allows.
        assert_eq!(again.output_unit, 65);
        for (new, old) in again.outputs.iter().zip(&weights.outputs) {
            assert!((f64::from(*new) / 65.0 - f64::from(*old) / 64.0).abs() < 0.01);
        }
    }
}

#[test]
fn bounds_share_positions_out_evenly() {
    let mut counts = vec![0; 256];
    counts[2..34].fill(10);
    assert_eq!(model::bounds(&counts, 4), [9, 17, 25]);
    // One number of pieces: one output.
    let mut counts = vec![0; 256];
    counts[24] = 1000;
    assert!(model::bounds(&counts, 8).is_empty());
    counts[26] = 1;
    assert_eq!(model::bounds(&counts, 8), [24]);
}

/// Positions of random games with a made-up score.
fn data() -> String {
    let variant = find("shoranji").expect("a built-in game");
    let mut random = SplitMix::new(8);
    let mut text =
        "# garrison selfplay seed 1 nodes 1 plies 8 hash 1 version 0.1.0 variants shoranji\n"
            .to_string();
    for game in 1..=40 {
        text += &format!("# game {game}\n");
        let mut position = garrison_rules::Position::start(&variant);
        for _ in 0..40 {
            if position.status().outcome().is_some() {
                break;
            }
            play_random_moves(&mut position, 1, &mut random);
            let pieces = |color| -> i32 {
                variant.kinds().map(|kind| position.pieces(color, kind).len() as i32).sum()
            };
            let score = 60 * (pieces(Color::White) - pieces(Color::Black));
            text += &format!("shoranji|{}|{score}|*\n", position.fen());
        }
    }
    text
}

fn corpus(variant: &Variant, text: &str) -> Corpus {
    let mut corpus = Corpus::default();
    corpus.add(variant, text.as_bytes(), &Room::default()).expect("positions");
    corpus
}

fn trained(threads: usize, skip: bool) -> (Vec<u8>, Vec<Losses>) {
    let variant = find("shoranji").expect("a built-in game");
    let settings = Settings { epochs: 6, blend: 0.0, seed: 4, room: Room::default() };
    let mut trainer = Trainer::new(&variant, corpus(&variant, &data()), 16, None);
    trainer.recipe = Recipe { batch: 256, has_skip: skip, ..Recipe::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let trained = pool.install(|| trainer.train(&settings, None, |_, _| true));
    let (network, losses) = trained.expect("room");
    assert_eq!(network.weights().skip.is_empty(), !skip);
    let form = network.features().form();
    (crate::engine::eval::network::encode(&variant, form, network.weights(), &[]), losses)
}

#[test]
fn threads_do_not_matter_and_the_loss_falls() {
    for skip in [false, true] {
        let (one, losses) = trained(1, skip);
        assert!(trained(3, skip).0 == one, "the weights differ");
        let [first, last] = [losses[0], losses[losses.len() - 1]].map(|losses| losses.validation);
        assert!(last < first - 0.001, "{first} {last}");
    }
}

/// What a network knows before it has seen a judged position: the linear evaluation, by positions aside of the data.
#[test]
fn a_new_network_begins_with_the_linear_evaluation() {
    let variant = find("shoranji").expect("a built-in game");
    let settings = Settings { epochs: 0, blend: 0.0, seed: 4, room: Room::default() };
    let linear = crate::engine::Evaluation::new(&variant).linear;
    let before = |asides: usize| {
        let mut text = String::new();
        for line in data().lines() {
            // The scores are those of the linear evaluation.
            let judged = line.split('|').nth(1).map(|fen| {
                let position = Position::from_fen(&variant, fen).expect("a position");
                let value = linear.clone().evaluate(&position);
                let white = if position.side_to_move() == Color::White { value } else { -value };
                format!("shoranji|{fen}|{white}|*")
            });
            text += &(judged.unwrap_or(line.to_string()) + "\n");
        }
        let corpus = corpus(&variant, &text);
        let mut trainer = Trainer::new(&variant, corpus, 16, None).with_values(&linear);
        trainer.recipe = Recipe { batch: 64, asides, ..Recipe::default() };
        trainer.train(&settings, None, |_, _| true).expect("room").1[0].validation
    };
    let [without, with] = [0, 4].map(before);
    assert!(with < without, "{with} {without}");
}
