//! What a network keeps of positions: those of the data, and others aside of them.

use std::cmp::Ordering;
use std::ops::Range;

use super::gradient::sum_loss;
use super::model::{Example, Model};
use crate::engine::eval::hash::fnv1a;
use crate::engine::eval::network::{FeatureSet, output_for};
use crate::engine::eval::{Evaluator, LinearEval};
use crate::training::corpus::{Dataset, Rows, Settings, expected_score};
use crate::training::data::{Packing, Record};
use crate::training::sample::SampleError;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, Position};

/// The most random moves to a position aside.
const MOST_MOVES_ASIDE: usize = 3;

/// Feature numbers as they are, and with files exchanged; and the bounds of the outputs.
#[derive(Debug)]
pub(super) struct Sight {
    maps: [Vec<u16>; 2],
    pub bounds: Vec<u16>,
}

impl Sight {
    pub fn new(features: &FeatureSet, bounds: Vec<u16>) -> Sight {
        let all = 0..features.len();
        Sight {
            maps: [
                all.clone().map(|feature| feature as u16).collect(),
                all.map(|feature| features.mirrored(feature) as u16).collect(),
            ],
            bounds,
        }
    }
}

/// Positions as a network sees them.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// As the side to move and as the other sees them.
    features: Rows<[u16; 2]>,
    /// For each position: whether either view may be seen with files exchanged as well, since no royal says how.
    free: Vec<[bool; 2]>,
    /// The pieces on the board.
    pieces: Vec<u8>,
    /// The expected score of the side to move.
    targets: Vec<f32>,
}

/// One position.
#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    features: Vec<[u16; 2]>,
    free: [bool; 2],
    pieces: u8,
    target: f32,
}

impl Entry {
    /// A position of the data.
    ///
    /// # Errors
    /// It is none by the rules of its game.
    pub fn judged(
        features: &FeatureSet,
        packing: &Packing,
        record: &Record,
        settings: &Settings,
    ) -> Result<Entry, SampleError> {
        let target = settings.target(record.centipawns, record.end) as f32;
        let target = if record.side_to_move == Color::White { target } else { 1.0 - target };
        Ok(Entry::new(features, &packing.position(record)?, target))
    }

    fn new(features: &FeatureSet, position: &Position, target: f32) -> Entry {
        let side = position.side_to_move();
        let mut extracted = features.extract(position);
        if side == Color::Black {
            extracted.iter_mut().for_each(|views| views.reverse());
        }
        Entry {
            features: extracted,
            free: [side, !side].map(|view| features.tilt(position, view) == Ordering::Equal),
            pieces: position.occupied().len() as u8,
            target,
        }
    }

    /// So many positions some random moves away from one, as the linear evaluation judges them; fewer where the game
    /// is over then, and none away from all but a share of the positions.
    pub fn aside(
        features: &FeatureSet,
        linear: &LinearEval,
        position: &Position,
        count: usize,
        share: f64,
    ) -> Vec<Entry> {
        let mut random = SplitMix::new(fnv1a(position.fen().as_bytes()));
        if random.fraction() >= share {
            return Vec::new();
        }
        let mut linear = linear.clone();
        let aside = |_| {
            let mut position = position.clone();
            for _ in 0..=random.below(MOST_MOVES_ASIDE) {
                let moves = position.legal_moves();
                if moves.is_empty() || position.status().outcome().is_some() {
                    return None;
                }
                position.make(moves[random.below(moves.len())]);
            }
            let value = f64::from(linear.evaluate(&position));
            Some(Entry::new(features, &position, expected_score(value) as f32))
        };
        (0..count).filter_map(aside).collect()
    }
}

impl Dataset for Entries {
    type Example = Entry;

    fn push(&mut self, entry: Entry) {
        self.features.push(entry.features);
        self.free.push(entry.free);
        self.pieces.push(entry.pieces);
        self.targets.push(entry.target);
    }

    fn len(&self) -> usize {
        self.features.len()
    }

    fn bytes(&self) -> usize {
        let of_one = size_of::<[bool; 2]>() + size_of::<u8>() + size_of::<f32>();
        self.features.bytes() + self.len() * of_one
    }
}

impl Entries {
    /// A position, its views with files exchanged if asked for, where that is the same position to the rules.
    fn example<'a>(&'a self, index: usize, sight: &'a Sight, is_turned: bool) -> Example<'a> {
        Example {
            features: self.features.row(index),
            maps: self.free[index]
                .map(|free| sight.maps[usize::from(free && is_turned)].as_slice()),
            output: output_for(self.pieces[index].into(), &sight.bounds),
            target: self.targets[index],
        }
    }

    /// These positions, at random half of those that may be with files exchanged.
    fn examples<'a>(
        &'a self,
        indices: impl Iterator<Item = usize>,
        sight: &'a Sight,
        random: &mut SplitMix,
    ) -> Vec<Example<'a>> {
        let mut bits = 0;
        let one = |(at, index): (usize, usize)| {
            bits = if at % 64 == 0 { random.number() } else { bits >> 1 };
            self.example(index, sight, bits & 1 == 1)
        };
        indices.enumerate().map(one).collect()
    }

    /// The summed loss of some positions.
    pub fn loss(&self, range: Range<usize>, model: &Model, sight: &Sight) -> f64 {
        sum_loss(model, range, |index| self.example(index, sight, false))
    }

    /// Adds to each count of a number of pieces the positions that have so many.
    pub fn count_pieces(&self, range: Range<usize>, counts: &mut [u64]) {
        self.pieces[range].iter().for_each(|&pieces| counts[usize::from(pieces)] += 1);
    }
}

/// Positions aside of those of the data, in rows.
#[derive(Debug, Default)]
pub(super) struct Asides {
    entries: Entries,
    /// Where the row of each position of the data ends.
    ends: Vec<u32>,
}

impl Dataset for Asides {
    type Example = Vec<Entry>;

    fn push(&mut self, row: Vec<Entry>) {
        row.into_iter().for_each(|entry| self.entries.push(entry));
        self.ends.push(self.entries.len() as u32);
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn bytes(&self) -> usize {
        self.entries.bytes() + self.ends.capacity() * size_of::<u32>()
    }
}

/// What a descent goes by.
pub(super) trait Batches: Dataset {
    /// The positions that belong to those of the data with these numbers.
    fn batch<'a>(
        &'a self,
        indices: &[u32],
        sight: &'a Sight,
        random: &mut SplitMix,
    ) -> Vec<Example<'a>>;
}

impl Batches for Entries {
    fn batch<'a>(
        &'a self,
        indices: &[u32],
        sight: &'a Sight,
        random: &mut SplitMix,
    ) -> Vec<Example<'a>> {
        self.examples(indices.iter().map(|&index| index as usize), sight, random)
    }
}

impl Batches for Asides {
    fn batch<'a>(
        &'a self,
        indices: &[u32],
        sight: &'a Sight,
        random: &mut SplitMix,
    ) -> Vec<Example<'a>> {
        let row = |&index: &u32| {
            let index = index as usize;
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
            start as usize..self.ends[index] as usize
        };
        self.entries.examples(indices.iter().flat_map(row), sight, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::eval::network::FeatureForm;
    use crate::engine::openings::play_random_moves;
    use crate::training::corpus::Room;
    use crate::training::data::PackedHeader;
    use crate::training::sample::{End, Header, Sample};
    use garrison_rules::find;

    /// Games with and without hands, with armies, with royals that say how views are mirrored, and with setups.
    const GAMES: &str = "chess crazyhouse shoranji swda-oo xiangqi";

    #[test]
    fn a_record_is_seen_as_its_position() {
        let line =
            format!("# garrison selfplay seed 1 nodes 9 plies 8 hash 4 version 1 variants {GAMES}");
        let header: Header = line.parse().expect("a header");
        let packed = PackedHeader::new(&header).expect("games");
        let settings = Settings { epochs: 1, blend: 0.25, seed: 1, room: Room::default() };
        let mut random = SplitMix::new(5);
        let mut record = Record::default();
        for name in GAMES.split(' ') {
            let variant = find(name).expect("a built-in game");
            let features = FeatureSet::new(&variant, FeatureForm::of(&variant));
            let mut position = Position::start(&variant);
            for ply in 0..80 {
                if position.status().outcome().is_some() {
                    break;
                }
                play_random_moves(&mut position, 1, &mut random);
                let end = Some(End(Some(Color::Black)));
                let sample = Sample { position: position.clone(), centipawns: 9 * ply, end };
                let bytes = packed.pack(&sample).expect("a game of the header");
                let packing = packed.packing_of(&bytes).expect("a game of the header");
                packing.unpack(&bytes, &mut record).expect("a record");
                let white = settings.target(sample.centipawns, end) as f32;
                let is_white = position.side_to_move() == Color::White;
                let target = if is_white { white } else { 1.0 - white };
                let judged = Entry::judged(&features, packing, &record, &settings);
                let wanted = Entry::new(&features, &position, target);
                assert_eq!(judged.expect("a position"), wanted, "{}", position.fen());
            }
        }
    }
}
