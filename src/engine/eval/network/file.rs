//! Networks as binary files. docs/tuning.md has the table of offsets; all numbers are little endian.

use garrison_rules::{Letter, Variant};
use thiserror::Error;

use super::Network;
use super::features::FeatureSet;
use super::weights::{HIDDEN_SIZES, LANES, MAX_OUTPUTS, Weights};
use crate::engine::eval::hash::{checksum, fnv1a};

const MAGIC: &[u8; 8] = b"GARRNNUE";
const VERSION: u16 = 1;
/// The number of the only feature set that there is: pieces on squares and in hand, four of a type.
const FEATURE_SET: u16 = 1;
/// The bytes of the fixed part.
const HEADER: usize = 40;
/// The bytes of the checksum at the end.
const CHECKSUM: usize = 8;

/// Why a network is refused. The sentences go on where the file was named.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// It does not begin as a network file does.
    #[error("is not a network file")]
    Magic,
    /// It is written in another version of the format.
    #[error("is in version {0} of the format; this program reads version {VERSION}")]
    Version(u16),
    /// Bytes are missing.
    #[error("is too short: {found} bytes of {expected}")]
    Short {
        /// How many bytes it has.
        found: u64,
        /// How many it should have, at least.
        expected: u64,
    },
    /// There are bytes behind its end.
    #[error("is too long: {found} bytes, its header says {expected}")]
    Long {
        /// How many bytes it has.
        found: u64,
        /// How many it should have.
        expected: u64,
    },
    /// Its bytes are not those that were written.
    #[error("is damaged: the checksum is wrong")]
    Checksum,
    /// Its weights are for features that this program does not compute.
    #[error("has feature set {0}; this program knows feature set {FEATURE_SET}")]
    FeatureSet(u16),
    /// A size is out of range.
    #[error("has {found} {what}; it must be {wanted}")]
    Size {
        /// What there are so many of.
        what: &'static str,
        /// How many.
        found: u64,
        /// What this program reads.
        wanted: String,
    },
    /// It was made for a game with another board or other pieces.
    #[error("was made for {made_for}; the board or the pieces of {game} are different")]
    Game {
        /// The game that it was made for.
        made_for: String,
        /// The game that it was to be used for.
        game: String,
    },
    /// Its lists of letters are not those of the game, though its hash is.
    #[error("lists the pieces {found}, which are not those of {game}")]
    Letters {
        /// The letters in the file.
        found: String,
        /// The game.
        game: String,
    },
}

/// A network file that is complete and undamaged, whatever game it is for.
#[derive(Debug)]
pub(crate) struct NetworkFile<'a> {
    /// The game, or family of games, that it was made for.
    pub game: &'a str,
    /// Where it comes from, some lines.
    pub provenance: &'a str,
    /// Neurons of the hidden layer.
    pub hidden: usize,
    pub outputs: usize,
    pub features: usize,
    pieces_per_output: usize,
    game_hash: u64,
    /// The letters of the piece types and of the hand slots, in the order of the weights.
    pieces: &'a str,
    hand: &'a str,
    weights: &'a [u8],
}

/// Takes one field after the other.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// The next bytes; fewer only at the end of a file, whose length was looked at before.
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn number<const SIZE: usize>(&mut self) -> u64 {
        let bytes = self.bytes(SIZE).iter().rev();
        bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    fn u16(&mut self) -> u16 {
        self.number::<2>() as u16
    }

    fn text(&mut self, bytes: u64) -> Option<&'a str> {
        std::str::from_utf8(self.bytes(bytes as usize)).ok()
    }
}

impl<'a> NetworkFile<'a> {
    /// Whether a file begins as a network does.
    pub fn is_network(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file without regard to a game.
    ///
    /// # Errors
    /// It is no network, one that this program does not know, incomplete or damaged.
    pub fn parse(bytes: &'a [u8]) -> Result<NetworkFile<'a>, NetworkError> {
        let found = bytes.len() as u64;
        let mut fields = Fields(bytes);
        if fields.bytes(MAGIC.len()) != MAGIC {
            return Err(NetworkError::Magic);
        }
        let short = |expected| NetworkError::Short { found, expected };
        if bytes.len() < HEADER + CHECKSUM {
            return Err(short((HEADER + CHECKSUM) as u64));
        }
        match fields.u16() {
            VERSION => {}
            other => return Err(NetworkError::Version(other)),
        }
        match fields.u16() {
            FEATURE_SET => {}
            other => return Err(NetworkError::FeatureSet(other)),
        }
        let features = fields.number::<4>();
        let [hidden, outputs, pieces_per_output] = std::array::from_fn(|_| u64::from(fields.u16()));
        check_sizes(hidden, outputs, pieces_per_output)?;
        let [game, pieces, hand] = std::array::from_fn(|_| u64::from(fields.u16()));
        let provenance = fields.number::<4>();
        let game_hash = fields.number::<8>();
        let texts = game + pieces + hand + provenance;
        let weights = features * hidden + 2 * hidden + 2 * outputs * hidden + 4 * outputs;
        let expected = HEADER as u64 + texts + weights + CHECKSUM as u64;
        if found < expected {
            return Err(short(expected));
        }
        if found > expected {
            return Err(NetworkError::Long { found, expected });
        }
        let (checked, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if Fields(sum).number::<CHECKSUM>() != checksum(checked) {
            return Err(NetworkError::Checksum);
        }
        let mut text = |length| fields.text(length).ok_or(NetworkError::Checksum);
        let (game, pieces, hand) = (text(game)?, text(pieces)?, text(hand)?);
        let provenance = text(provenance)?;
        Ok(NetworkFile {
            game,
            provenance,
            hidden: hidden as usize,
            outputs: outputs as usize,
            features: features as usize,
            pieces_per_output: pieces_per_output as usize,
            game_hash,
            pieces,
            hand,
            weights: fields.bytes(weights as usize),
        })
    }

    /// The network for a game, whatever the order of the pieces in its definition.
    ///
    /// # Errors
    /// It was made for another game.
    pub fn network(&self, variant: &Variant) -> Result<Network, NetworkError> {
        let game = || variant.family().to_string();
        if self.game_hash != game_hash(variant) {
            return Err(NetworkError::Game { made_for: self.game.to_string(), game: game() });
        }
        let features = FeatureSet::new(variant);
        if self.features != features.len() {
            let wanted = format!("{} for {}", features.len(), game());
            let found = self.features as u64;
            return Err(NetworkError::Size { what: "features", found, wanted });
        }
        let letters = |found: &str, own: &[Letter]| {
            places(found, own)
                .ok_or_else(|| NetworkError::Letters { found: found.to_string(), game: game() })
        };
        let [own_pieces, own_hand] = own_letters(variant);
        let kinds = letters(self.pieces, &own_pieces)?;
        let slots = letters(self.hand, &own_hand)?;
        let weights = self.weights(&features, &kinds, &slots);
        Ok(Network::new(features, weights))
    }

    /// The weights with those of the features in the order of a game; `kinds` and `slots` say where each piece
    /// type and hand slot of the game stands in the file.
    fn weights(&self, features: &FeatureSet, kinds: &[usize], slots: &[usize]) -> Weights {
        let mut fields = Fields(self.weights);
        let rows = fields.bytes(self.features * self.hidden);
        let mut own_rows = Vec::with_capacity(rows.len());
        let mut copy = |first: usize, count: usize| {
            let rows = &rows[first * self.hidden..][..count * self.hidden];
            own_rows.extend(rows.iter().map(|byte| byte.cast_signed()));
        };
        for is_enemy in [false, true] {
            for &kind in kinds {
                copy(features.piece_start(is_enemy, kind), features.squares);
            }
        }
        for is_enemy in [false, true] {
            for &slot in slots {
                copy(features.hand_start(is_enemy, slot), super::features::HAND_FEATURES);
            }
        }
        let bias = (0..self.hidden).map(|_| fields.u16().cast_signed()).collect();
        let outputs = fields.bytes(2 * self.outputs * self.hidden);
        Weights {
            hidden: self.hidden,
            features: own_rows,
            bias,
            outputs: outputs.iter().map(|byte| byte.cast_signed()).collect(),
            output_bias: (0..self.outputs).map(|_| fields.number::<4>() as i32).collect(),
            pieces_per_output: self.pieces_per_output,
        }
    }
}

fn check_sizes(hidden: u64, outputs: u64, pieces_per_output: u64) -> Result<(), NetworkError> {
    let refuse = |what, found, wanted| Err(NetworkError::Size { what, found, wanted });
    let (least, most) = HIDDEN_SIZES.into_inner();
    let is_read = HIDDEN_SIZES.contains(&(hidden as usize)) && hidden.is_multiple_of(LANES as u64);
    if !is_read {
        let wanted = format!("a multiple of {LANES} from {least} to {most}");
        return refuse("hidden neurons", hidden, wanted);
    }
    if !(1..=MAX_OUTPUTS as u64).contains(&outputs) {
        return refuse("outputs", outputs, format!("1 to {MAX_OUTPUTS}"));
    }
    if pieces_per_output == 0 {
        return refuse("pieces per output", 0, "1 or more".to_string());
    }
    Ok(())
}

/// The letters of a game's piece types and of its hand slots, in the order of its definition.
fn own_letters(variant: &Variant) -> [Vec<Letter>; 2] {
    let letter = |kind| variant.piece(kind).letter;
    [
        variant.kinds().map(letter).collect(),
        variant.hand_kinds().iter().map(|&kind| letter(kind)).collect(),
    ]
}

/// Where each of some letters stands in a text of the same letters; `None` if it has others.
fn places(text: &str, own: &[Letter]) -> Option<Vec<usize>> {
    let found = Letter::split(text).filter(|found| found.len() == own.len())?;
    own.iter().map(|letter| found.iter().position(|other| other == letter)).collect()
}

/// The bytes of a network file.
pub(crate) fn encode(variant: &Variant, weights: &Weights, provenance: &[String]) -> Vec<u8> {
    let [pieces, hand] =
        own_letters(variant).map(|letters| letters.iter().map(Letter::to_string).collect());
    let texts: [String; 4] = [variant.family().to_string(), pieces, hand, provenance.join("\n")];
    let outputs = weights.output_bias.len();
    let features = weights.features.len() / weights.hidden;
    let mut bytes = MAGIC.to_vec();
    let mut short = |number: usize| bytes.extend((number as u16).to_le_bytes());
    short(usize::from(VERSION));
    short(usize::from(FEATURE_SET));
    // The low and the high half of 32 bits.
    short(features);
    short(features >> 16);
    short(weights.hidden);
    short(outputs);
    short(weights.pieces_per_output);
    texts[..3].iter().for_each(|text| short(text.len()));
    short(texts[3].len());
    short(texts[3].len() >> 16);
    bytes.extend(game_hash(variant).to_le_bytes());
    bytes.extend(texts.iter().flat_map(|text| text.bytes()));
    let byte = |weight: &i8| weight.cast_unsigned();
    bytes.extend(weights.features.iter().map(byte));
    bytes.extend(weights.bias.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes.extend(weights.outputs.iter().map(byte));
    bytes.extend(weights.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// A hash of what the features of a game mean: the board and the piece types with their moves, whatever their
/// order. Games of one family have the same.
fn game_hash(variant: &Variant) -> u64 {
    fnv1a(describe(variant).as_bytes())
}

/// What is hashed, as text: the board, its holes, and the piece types by letter.
fn describe(variant: &Variant) -> String {
    let geometry = variant.geometry();
    let mut text = format!("board {}x{}\n", geometry.files(), geometry.ranks());
    let [files, ranks] = [geometry.files(), geometry.ranks()];
    for (rank, file) in (0..ranks).flat_map(|rank| (0..files).map(move |file| (rank, file))) {
        let square = geometry.square(garrison_rules::File(file), garrison_rules::Rank(rank));
        if square.is_none_or(|square| !geometry.squares().contains(square)) {
            text += &format!("hole {file} {rank}\n");
        }
    }
    let mut pieces: Vec<String> = variant
        .kinds()
        .map(|kind| {
            let piece = variant.piece(kind);
            let mut becomes: Vec<String> =
                piece.reserve.map(|kind| variant.piece(kind).letter.to_string()).collect();
            becomes.sort();
            let hand = if piece.slot.is_some() { " hand" } else { "" };
            let becomes = becomes.iter().fold(String::new(), |text, letter| text + " " + letter);
            format!("{} {}{hand}{becomes}\n", piece.letter, piece.betza)
        })
        .collect();
    pieces.sort();
    text + &pieces.concat()
}
