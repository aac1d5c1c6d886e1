//! The network: its accumulator against a fresh one, its arithmetic against plain sums, its file.

use std::sync::Arc;

use super::weights::MAX_OUTPUTS;
use super::*;
use crate::engine::eval::hash::checksum;
use garrison_rules::catalogue::builtin_names;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Variant, find};

fn game(name: &str) -> Arc<Variant> {
    find(name).expect("a built-in game")
}

/// Some weights for a game, with so many hidden neurons.
pub(crate) fn random_weights(variant: &Variant, hidden: usize, seed: u64) -> Weights {
    let features = FeatureSet::new(variant).len();
    let outputs = DEFAULT_OUTPUTS;
    let mut random = SplitMix::new(seed);
    let mut weight = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
    let mut bytes =
        |rows: usize| (0..rows * hidden).map(|_| weight(127) as i8).collect::<Vec<i8>>();
    Weights {
        hidden,
        features: bytes(features),
        outputs: bytes(2 * outputs),
        bias: (0..hidden).map(|_| weight(300) as i16).collect(),
        output_bias: (0..outputs).map(|_| weight(9000)).collect(),
        pieces_per_output: 5,
    }
}

fn network(variant: &Variant, hidden: usize) -> Network {
    Network::new(FeatureSet::new(variant), random_weights(variant, hidden, 5))
}

/// Calls `visit` with positions of random games, that follow on each other by moves made and unmade.
fn walk(variant: &Arc<Variant>, steps: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix::new(3);
    let (mut position, mut made) = (Position::start(variant), 0);
    for _ in 0..steps {
        let moves = position.legal_moves();
        // Forward and back, and now and then to another game.
        if moves.is_empty() || position.status().outcome().is_some() {
            (position, made) = (Position::start(variant), 0);
        } else if random.below(4) == 0 && made > 0 {
            position.unmake();
            made -= 1;
        } else {
            position.make(moves[random.below(moves.len())]);
            made += 1;
        }
        visit(&position);
    }
}

#[test]
fn an_updated_accumulator_is_the_same_as_a_fresh_one() {
    for name in builtin_names() {
        let variant = game(name);
        let fresh = network(&variant, 128);
        let mut updated = fresh.clone();
        let mut values = std::collections::BTreeSet::new();
        walk(&variant, 300, |position| {
            let value = fresh.clone().evaluate(position);
            assert_eq!(updated.evaluate(position), value, "{name} {}", position.fen());
            values.insert(value);
        });
        assert!(values.len() > 50, "{name}: nearly all positions have the same value");
    }
}

/// The value of a position by the definition of the network, one neuron at a time.
fn by_definition(weights: &Weights, features: &FeatureSet, position: &Position) -> i32 {
    let active = features.extract(position);
    let output = weights.output_for(position.occupied().len() as usize);
    let mut sum = 0i64;
    for (is_enemy, view) in [(false, position.side_to_move()), (true, !position.side_to_move())] {
        for neuron in 0..weights.hidden {
            let mut value = i64::from(weights.bias[neuron]);
            for feature in &active {
                value += i64::from(
                    weights.features[usize::from(feature[view.index()]) * weights.hidden + neuron],
                );
            }
            let clipped = value.clamp(0, i64::from(QA));
            let weight = weights.output_row(output, is_enemy)[neuron];
            sum += clipped * clipped * i64::from(weight);
        }
    }
    let value = sum / i64::from(QA) + i64::from(weights.output_bias[output]);
    (value * i64::from(SCALE) / i64::from(QA * QB)) as i32
}

#[test]
fn networks_of_every_size_compute_what_they_are_defined_to() {
    for (name, hidden) in
        [("swda-oo", 16), ("shoranji", 48), ("shoogantshii", 272), ("swda-jp", 512)]
    {
        let variant = game(name);
        let mut network = network(&variant, hidden);
        let features = FeatureSet::new(&variant);
        walk(&variant, 60, |position| {
            let wanted = by_definition(network.weights(), &features, position);
            assert_eq!(network.evaluate(position), wanted, "{name} {}", position.fen());
        });
    }
}

#[test]
fn the_largest_weights_do_not_overflow() {
    let variant = game("swda-oo");
    let (features, position) = (FeatureSet::new(&variant), Position::start(&variant));
    let largest = |feature: i8| {
        let mut weights = random_weights(&variant, 512, 1);
        weights.features.fill(feature);
        weights.bias.fill(i16::MAX);
        weights.outputs.fill(i8::MIN);
        weights.output_bias.fill(i32::MIN);
        Network::new(features.clone(), weights)
    };
    let mut network = largest(0);
    let wanted = by_definition(network.weights(), &features, &position);
    assert_eq!(network.evaluate(&position), wanted);
    // Here the sums of 16 bits wrap.
    largest(i8::MAX).evaluate(&position);
}

fn encoded(name: &str, hidden: usize) -> Vec<u8> {
    let variant = game(name);
    encode(&variant, &random_weights(&variant, hidden, 5), &["where from".into(), "what".into()])
}

#[test]
fn a_network_file_is_read_as_it_was_written() {
    for (name, hidden) in [("swda-aj", 128), ("shoogantshii", 16), ("shoranji-maximus", 512)] {
        let variant = game(name);
        let bytes = encoded(name, hidden);
        let file = NetworkFile::parse(&bytes).expect("a network file");
        assert_eq!((file.game, file.provenance), (variant.family(), "where from\nwhat"));
        assert_eq!((file.hidden, file.outputs), (hidden, DEFAULT_OUTPUTS));
        let network = file.network(&variant).expect("a network of the game");
        assert!(*network.weights() == random_weights(&variant, hidden, 5), "{name}");
    }
}

#[test]
fn the_games_of_a_family_read_the_same_file() {
    let bytes = encoded("swda-oo", 16);
    let file = NetworkFile::parse(&bytes).expect("a network file");
    for name in builtin_names() {
        let variant = game(name);
        assert_eq!(file.network(&variant).is_ok(), variant.family() == "swda", "{name}");
    }
}

/// A file with other bytes from `at` on, and the right checksum.
fn changed(bytes: &[u8], at: usize, to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes[..bytes.len() - 8].to_vec();
    bytes[at..at + to.len()].copy_from_slice(to);
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn every_fault_of_a_network_file_has_its_own_line() {
    let variant = game("swda-oo");
    let good = encoded("swda-oo", 32);
    let length = good.len();
    let fault = |bytes: &[u8]| {
        let read = NetworkFile::parse(bytes).and_then(|file| file.network(&variant));
        let text = read.map(|_| ()).expect_err("a fault").to_string();
        assert!(!text.contains('\n'), "{text}");
        text
    };
    assert_eq!(fault(b""), "is not a network file");
    assert_eq!(fault(b"[game]\ntempo = 1\n"), "is not a network file");
    assert_eq!(fault(&good[..20]), "is too short: 20 bytes of 48");
    assert_eq!(
        fault(&good[..length - 1]),
        format!("is too short: {} bytes of {length}", length - 1)
    );
    assert_eq!(
        fault(&[&good[..], b"x"].concat()),
        format!("is too long: {} bytes, its header says {length}", length + 1)
    );
    assert_eq!(
        fault(&changed(&good, 8, &[2, 0])),
        "is in version 2 of the format; this program reads version 1"
    );
    assert_eq!(
        fault(&changed(&good, 10, &[7, 0])),
        "has feature set 7; this program knows feature set 1"
    );
    let hidden = "hidden neurons; it must be a multiple of 16 from 16 to 512";
    for size in [0u16, 8, 40, 528, u16::MAX] {
        let wrong = changed(&good, 16, &size.to_le_bytes());
        assert_eq!(fault(&wrong), format!("has {size} {hidden}"));
    }
    assert_eq!(fault(&changed(&good, 18, &[0, 0])), "has 0 outputs; it must be 1 to 64");
    assert_eq!(MAX_OUTPUTS, 64);
    assert_eq!(
        fault(&changed(&good, 20, &[0, 0])),
        "has 0 pieces per output; it must be 1 or more"
    );
    for at in [25, 45, length / 2, length - 1] {
        let mut damaged = good.clone();
        damaged[at] ^= 4;
        let text = fault(&damaged);
        let wanted = ["is damaged: the checksum is wrong", "is too short: "];
        assert!(wanted.iter().any(|wanted| text.starts_with(wanted)), "byte {at}: {text}");
    }
    assert_eq!(
        fault(&encoded("shoranji", 32)),
        "was made for shoranji; the board or the pieces of swda are different"
    );
    // The hash of another game.
    let wrong_hash = changed(&good, 32, &[0; 8]);
    assert_eq!(
        fault(&wrong_hash),
        "was made for swda; the board or the pieces of swda are different"
    );
    // The right hash, but sizes and letters of another game.
    let other = encoded("shoranji", 32);
    let forged = changed(&other, 32, &good[32..40]);
    assert_eq!(fault(&forged), "has 2396 features; it must be 2304 for swda");
    let forged = changed(&good, 44, b"XY");
    assert!(fault(&forged).starts_with("lists the pieces XYRN"), "{}", fault(&forged));
}

#[test]
fn views_of_both_sides_are_symmetric() {
    // The two views of a start position with like armies are the same.
    let variant = game("swda-oo");
    let mut network = network(&variant, 64);
    network.evaluate(&Position::start(&variant));
    assert_eq!(network.accumulator.view(Color::White), network.accumulator.view(Color::Black));
}
