//! The network: its accumulators against fresh ones, its arithmetic against plain sums, its file.

use std::sync::Arc;

use super::weights::{Coarse, FeatureWeights, MAX_OUTPUTS};
use super::*;
use crate::engine::eval::hash::checksum;
use garrison_rules::catalogue::{builtin_names, reference_names};
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Variant, find};

fn game(name: &str) -> Arc<Variant> {
    find(name).expect("a built-in game")
}

const OUTPUTS: usize = 8;

/// Some weights for a game, with so many hidden neurons: fine ones of 8 bits and without skip weights if they are for the
/// old form, with them if not, and coarse ones if features depend on what is attacked, else of 16 bits.
fn weights_for(variant: &Variant, form: FeatureForm, hidden: usize, seed: u64) -> Weights {
    let features = FeatureSet::new(variant, form).len();
    let mut random = SplitMix::new(seed);
    let mut weight = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
    let is_old = form == FeatureForm::OLD;
    let mut bytes = |count: usize| (0..count).map(|_| weight(127) as i8).collect::<Vec<i8>>();
    let (rows, outputs) = (bytes(features * hidden), bytes(2 * OUTPUTS * hidden));
    let wide = |rows: &[i8]| rows.iter().map(|&weight| 3 * i16::from(weight)).collect();
    Weights {
        hidden,
        features: if is_old {
            FeatureWeights::Bytes(rows.into())
        } else if form.attacks {
            FeatureWeights::Coarse(rows.into_iter().map(Coarse).collect())
        } else {
            FeatureWeights::Words(wide(&rows))
        },
        outputs,
        output_unit: if is_old { 256 } else { 64 },
        skip: (0..if is_old { 0 } else { features }).map(|_| weight(9000) as i16).collect(),
        bias: (0..hidden).map(|_| weight(300) as i16).collect(),
        output_bias: (0..OUTPUTS).map(|_| weight(9000)).collect(),
        bounds: (1..OUTPUTS as u16).map(|output| 5 * output).collect(),
    }
}

/// Some weights for a game in the form of new networks.
pub(crate) fn random_weights(variant: &Variant, hidden: usize, seed: u64) -> Weights {
    weights_for(variant, FeatureForm::of(variant), hidden, seed)
}

/// The forms that a game's features have: of version 1, and of version 2 without and with what is attacked.
fn forms(variant: &Variant) -> [FeatureForm; 3] {
    let form = FeatureForm::of(variant);
    [FeatureForm::OLD, FeatureForm { attacks: false, ..form }, form]
}

fn network(variant: &Variant, form: FeatureForm, hidden: usize) -> Network {
    Network::new(FeatureSet::new(variant, form), weights_for(variant, form, hidden, 5))
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
    let mut turns = std::collections::BTreeSet::new();
    for name in builtin_names().iter().chain(reference_names()) {
        let variant = game(name);
        for form in forms(&variant) {
            let fresh = network(&variant, form, 32);
            let mut updated = fresh.clone();
            let mut values = std::collections::BTreeSet::new();
            walk(&variant, 300, |position| {
                let value = fresh.clone().evaluate(position);
                assert_eq!(updated.evaluate(position), value, "{name} {}", position.fen());
                if values.insert(value) {
                    // As if no move had led to it.
                    let alone = updated.evaluate(&position.without_history());
                    assert_eq!(alone, value, "{name} {}", position.fen());
                }
                turns.insert((name, updated.features.turns(position)));
            });
            assert!(values.len() > 50, "{name}: nearly all positions have the same value");
        }
    }
    let names: std::collections::BTreeSet<&String> = turns.iter().map(|(name, _)| *name).collect();
    assert!(turns.len() > 2 * names.len(), "royals seldom cross the middle");
}

/// A royal that crosses the middle with every move, while pieces are captured on the other half.
#[test]
fn crossing_royals_leave_no_sums_behind() {
    let variant = game("chess");
    let form = FeatureForm::of(&variant);
    let fresh = network(&variant, form, 16);
    let mut updated = fresh.clone();
    let mut position =
        Position::from_fen(&variant, "4k2r/8/8/3q4/4P3/8/8/3K3R w - - 0 1").expect("a position");
    let moves = "d1e1 e8d8 e4d5 d8e8 e1d1 h8h1 d1d2 e8d8 d2e2 d8e8 e2d2";
    for text in moves.split(' ') {
        let played = position.parse_move(text).expect("a legal move");
        position.make(played);
        assert_eq!(updated.evaluate(&position), fresh.clone().evaluate(&position), "{text}");
    }
}

/// The value of a position by the definition of the network, one neuron at a time.
fn by_definition(weights: &Weights, features: &FeatureSet, position: &Position) -> i32 {
    let active = features.extract(position);
    let output = weights.output_for(position.occupied().len() as usize);
    let (mut sum, mut skip) = (0i64, 0i64);
    for (is_enemy, view) in [(false, position.side_to_move()), (true, !position.side_to_move())] {
        let seen = || active.iter().map(|views| usize::from(views[view.index()]));
        for neuron in 0..weights.hidden {
            let mut value = i64::from(weights.bias[neuron]);
            for feature in seen() {
                value += i64::from(weights.features.get(feature * weights.hidden + neuron));
            }
            let clipped = value.clamp(0, i64::from(QA));
            let weight = weights.output_row(output, is_enemy)[neuron];
            sum += clipped * clipped * i64::from(weight);
        }
        let sign = if is_enemy { -1 } else { 1 };
        skip +=
            sign * seen().map(|at| weights.skip.get(at).map_or(0, |&w| i64::from(w))).sum::<i64>();
    }
    let value = sum / i64::from(QA) + i64::from(weights.output_bias[output]);
    let hidden = value * i64::from(SCALE) / i64::from(QA * weights.output_unit);
    (hidden + skip * i64::from(SCALE) / i64::from(2 * SKIP_UNIT)) as i32
}

#[test]
fn networks_of_every_size_compute_what_they_are_defined_to() {
    for (name, hidden) in
        [("swda-oo", 16), ("shoranji", 48), ("chess", 32), ("shoogantshii", 272), ("swda-jp", 512)]
    {
        let variant = game(name);
        for form in forms(&variant) {
            let mut network = network(&variant, form, hidden);
            let features = FeatureSet::new(&variant, form);
            walk(&variant, 60, |position| {
                let wanted = by_definition(network.weights(), &features, position);
                assert_eq!(network.evaluate(position), wanted, "{name} {}", position.fen());
            });
        }
    }
}

#[test]
fn the_largest_weights_do_not_overflow() {
    let variant = game("swda-oo");
    let form = FeatureForm::of(&variant);
    let (features, position) = (FeatureSet::new(&variant, form), Position::start(&variant));
    let largest = |feature: i16| {
        let mut weights = random_weights(&variant, 512, 1);
        weights.features = FeatureWeights::Words(vec![feature; weights.features.len()].into());
        weights.skip.fill(i16::MIN);
        weights.bias.fill(i16::MAX);
        weights.outputs.fill(i8::MIN);
        weights.output_bias.fill(i32::MIN);
        Network::new(features.clone(), weights)
    };
    let mut network = largest(0);
    let wanted = by_definition(network.weights(), &features, &position);
    assert_eq!(network.evaluate(&position), wanted);
    // Here the sums of 16 bits wrap.
    largest(i16::MAX).evaluate(&position);
}

fn encoded(name: &str, hidden: usize) -> Vec<u8> {
    let variant = game(name);
    let form = FeatureForm::of(&variant);
    let weights = random_weights(&variant, hidden, 5);
    encode(&variant, form, &weights, &["where from".into(), "what".into()])
}

#[test]
fn a_network_file_is_read_as_it_was_written() {
    for (name, hidden) in
        [("swda-aj", 128), ("shoogantshii", 16), ("shoranji-maximus", 512), ("shogi", 48)]
    {
        let variant = game(name);
        for form in forms(&variant) {
            let weights = || weights_for(&variant, form, hidden, 5);
            let bytes = encode(&variant, form, &weights(), &["where from".into(), "what".into()]);
            let file = NetworkFile::parse(&bytes).expect("a network file");
            assert_eq!((file.game, file.provenance), (variant.family(), "where from\nwhat"));
            assert_eq!((file.hidden, file.outputs, file.form), (hidden, OUTPUTS, form));
            let network = file.network(&variant).expect("a network of the game");
            assert!(*network.weights() == weights(), "{name}");
        }
    }
}

/// Weights that a file of version 1 can hold: four pieces per output.
fn old_weights(variant: &Variant) -> Weights {
    let bounds = (1..OUTPUTS as u16).map(|output| 4 * output).collect();
    Weights { bounds, ..weights_for(variant, FeatureForm::OLD, 32, 5) }
}

/// A file of version 1, as the program wrote it before there was version 2.
fn in_version_1(variant: &Variant) -> Vec<u8> {
    let bytes = encode(variant, FeatureForm::OLD, &old_weights(variant), &["where from".into()]);
    // There are no features of a type in hand, and no bounds.
    let end = bytes.len() - 8 - 2 * (OUTPUTS - 1);
    let old = [&bytes[..40], &bytes[42..end], &[0; 8]].concat();
    // The version, the feature set and the pieces per output.
    [(8, 1), (10, 1), (20, 4)]
        .iter()
        .fold(old, |old, &(at, number)| changed(&old, at, &[number, 0]))
}

#[test]
fn a_network_file_of_version_1_is_read() {
    let variant = game("swda-oo");
    let bytes = in_version_1(&variant);
    let file = NetworkFile::parse(&bytes).expect("a network file");
    assert_eq!(
        (bytes[8], file.form, file.hidden, file.outputs),
        (1, FeatureForm::OLD, 32, OUTPUTS)
    );
    assert_eq!((file.game, file.provenance), ("swda", "where from"));
    let mut network = file.network(&variant).expect("a network of the game");
    assert_eq!(network.weights().bounds, [4, 8, 12, 16, 20, 24, 28]);
    assert!(*network.weights() == old_weights(&variant));
    // Written again in version 2, it judges as before.
    let again = encode(&variant, file.form, network.weights(), &[]);
    let file = NetworkFile::parse(&again).expect("a network file");
    let mut rewritten = file.network(&variant).expect("a network of the game");
    walk(&variant, 40, |position| {
        assert_eq!(network.evaluate(position), rewritten.evaluate(position));
    });
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
    assert_eq!(fault(&good[..49]), "is too short: 49 bytes of 50");
    assert_eq!(
        fault(&good[..length - 1]),
        format!("is too short: {} bytes of {length}", length - 1)
    );
    assert_eq!(
        fault(&[&good[..], b"x"].concat()),
        format!("is too long: {} bytes, its header says {length}", length + 1)
    );
    assert_eq!(
        fault(&changed(&good, 8, &[3, 0])),
        "is in version 3 of the format; this program reads versions 1 and 2"
    );
    assert_eq!(
        fault(&changed(&good, 10, &[64, 0])),
        "has flags 64; this program knows flags up to 63"
    );
    assert_eq!(
        fault(&changed(&good, 10, &[2 + 32, 0])),
        "has flags 34: weights of features cannot be of 16 bits (flag 2) and coarse (flag 32)"
    );
    let old = in_version_1(&variant);
    assert_eq!(
        fault(&changed(&old, 10, &[7, 0])),
        "has feature set 7; this program knows feature set 1"
    );
    assert_eq!(fault(&changed(&old, 20, &[0, 0])), "has 0 pieces per output; it must be 1 or more");
    assert_eq!(
        fault(&changed(&good, 40, &[0, 0])),
        "has 0 features of a type in hand; it must be 1 to 32"
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
        "has 0 as the unit of outputs; it must be 1 or more"
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
    assert_eq!(fault(&forged), "has 9416 features; it must be 9216 for swda");
    let forged = changed(&good, 46, b"XY");
    assert!(fault(&forged).starts_with("lists the pieces XYRN"), "{}", fault(&forged));
}

#[test]
fn views_of_both_sides_are_symmetric() {
    // The two views of a start position with like armies are the same.
    let variant = game("swda-oo");
    let mut network = network(&variant, FeatureForm::of(&variant), 64);
    network.evaluate(&Position::start(&variant));
    assert_eq!(network.accumulators.view(Color::White), network.accumulators.view(Color::Black));
}
