//! Networks as binary files. docs/tuning.md has the table of offsets; all numbers are little endian. Version 2 of the
//! format is written; version 1 is a special case of it, with another meaning of two fields, and is read too.

use garrison_rules::{Letter, Variant};
use thiserror::Error;

use super::Network;
use super::features::{FeatureForm, FeatureSet};
use super::weights::{Coarse, FeatureWeights, HIDDEN_SIZES, LANES, MAX_OUTPUTS, Weights};
use crate::engine::eval::hash::{checksum, fnv1a};

const MAGIC: &[u8; 8] = b"GARRNNUE";
const VERSION: u16 = 2;
const OLD_VERSION: u16 = 1;
/// The number of the only feature set of version 1: pieces on squares and in hand, four of a type.
const OLD_FEATURE_SET: u16 = 1;
/// The quantization of the outputs in version 1.
const OLD_OUTPUT_UNIT: i32 = 256;
/// The bytes of the fixed part in version 1; version 2 has two more.
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
    #[error("is in version {0} of the format; this program reads versions 1 and {VERSION}")]
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
    #[error("has feature set {0}; this program knows feature set {OLD_FEATURE_SET}")]
    FeatureSet(u16),
    /// It has properties that this program does not know.
    #[error("has flags {0}; this program knows flags up to {KNOWN_FLAGS}")]
    Flags(u16),
    /// Two of its properties exclude each other.
    #[error(
        "has flags {0}: weights of features cannot be of 16 bits (flag {WIDE}) and coarse (flag {COARSE})"
    )]
    RowForms(u16),
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

/// What a file of version 2 says by single bits.
const MIRRORED: u16 = 1;
const WIDE: u16 = 2;
const SKIP: u16 = 4;
const FURTHER: u16 = 8;
const ATTACKS: u16 = 16;
const COARSE: u16 = 32;
const KNOWN_FLAGS: u16 = MIRRORED | WIDE | SKIP | FURTHER | ATTACKS | COARSE;

/// How the weights of features are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowForm {
    Bytes,
    Coarse,
    Words,
}

impl RowForm {
    fn of(weights: &FeatureWeights) -> RowForm {
        match weights {
            FeatureWeights::Bytes(_) => RowForm::Bytes,
            FeatureWeights::Coarse(_) => RowForm::Coarse,
            FeatureWeights::Words(_) => RowForm::Words,
        }
    }

    /// What flags say; none if they say two things at once.
    fn of_flags(flags: u16) -> Option<RowForm> {
        match flags & (WIDE | COARSE) {
            0 => Some(RowForm::Bytes),
            COARSE => Some(RowForm::Coarse),
            WIDE => Some(RowForm::Words),
            _ => None,
        }
    }

    /// The flag that says so.
    fn flag(self) -> u16 {
        match self {
            RowForm::Bytes => 0,
            RowForm::Coarse => COARSE,
            RowForm::Words => WIDE,
        }
    }

    /// The bytes of a weight.
    fn bytes(self) -> usize {
        match self {
            RowForm::Bytes | RowForm::Coarse => 1,
            RowForm::Words => 2,
        }
    }
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
    /// What the features are.
    pub form: FeatureForm,
    /// How the weights of the features are written.
    pub rows: RowForm,
    /// Whether every feature has a skip weight.
    pub has_skip: bool,
    is_old: bool,
    /// In version 1 the pieces per output, in version 2 the quantization of the outputs.
    number: usize,
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
        let is_old = match fields.u16() {
            OLD_VERSION => true,
            VERSION => false,
            other => return Err(NetworkError::Version(other)),
        };
        let header = HEADER + if is_old { 0 } else { 2 };
        if bytes.len() < header + CHECKSUM {
            return Err(short((header + CHECKSUM) as u64));
        }
        let flags = match (is_old, fields.u16()) {
            (true, OLD_FEATURE_SET) => 0,
            (true, other) => return Err(NetworkError::FeatureSet(other)),
            (false, flags) if flags & !KNOWN_FLAGS != 0 => return Err(NetworkError::Flags(flags)),
            (false, flags) => flags,
        };
        let rows = RowForm::of_flags(flags).ok_or(NetworkError::RowForms(flags))?;
        let has_skip = flags & SKIP != 0;
        let features = fields.number::<4>();
        let [hidden, outputs, number] = std::array::from_fn(|_| u64::from(fields.u16()));
        check_sizes(hidden, outputs, number, is_old)?;
        let [game, pieces, hand] = std::array::from_fn(|_| u64::from(fields.u16()));
        let provenance = fields.number::<4>();
        let game_hash = fields.number::<8>();
        let form = if is_old { FeatureForm::OLD } else { read_form(flags, fields.u16())? };
        let texts = game + pieces + hand + provenance;
        let skip_bytes = if has_skip { 2 * features } else { 0 };
        let bound_bytes = if is_old { 0 } else { 2 * (outputs - 1) };
        let weights = features * hidden * rows.bytes() as u64
            + skip_bytes
            + 2 * hidden
            + 2 * outputs * hidden
            + 4 * outputs
            + bound_bytes;
        let expected = header as u64 + texts + weights + CHECKSUM as u64;
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
            form,
            rows,
            has_skip,
            is_old,
            number: number as usize,
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
        if self.game_hash != game_hash(variant, self.form) {
            return Err(NetworkError::Game { made_for: self.game.to_string(), game: game() });
        }
        let features = FeatureSet::new(variant, self.form);
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
        // Features that stand together, in the order of the game.
        let of_kind = |(state, is_enemy)| {
            let start = move |&kind| features.piece_start(is_enemy, kind, state);
            kinds.iter().map(move |kind| (start(kind), features.squares))
        };
        let of_slot = |is_enemy| {
            slots.iter().map(move |&slot| (features.hand_start(is_enemy, slot), self.form.in_hand))
        };
        let sides = |state| [(state, false), (state, true)];
        let groups: Vec<(usize, usize)> = (0..features.states)
            .flat_map(sides)
            .flat_map(of_kind)
            .chain([false, true].into_iter().flat_map(of_slot))
            .collect();
        let mut take = |bytes_of_feature: usize| -> Vec<u8> {
            let rows = fields.bytes(self.features * bytes_of_feature);
            let group = |&(first, count): &(usize, usize)| {
                &rows[first * bytes_of_feature..][..count * bytes_of_feature]
            };
            groups.iter().flat_map(group).copied().collect()
        };
        let words = |bytes: &[u8]| {
            let (pairs, _) = bytes.as_chunks::<2>();
            pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect::<Vec<i16>>()
        };
        let signed =
            |bytes: &[u8]| bytes.iter().map(|byte| byte.cast_signed()).collect::<Vec<i8>>();
        let rows = take(self.rows.bytes() * self.hidden);
        let rows = match self.rows {
            RowForm::Bytes => FeatureWeights::Bytes(signed(&rows).into()),
            RowForm::Coarse => {
                FeatureWeights::Coarse(rows.iter().map(|byte| Coarse(byte.cast_signed())).collect())
            }
            RowForm::Words => FeatureWeights::Words(words(&rows).into()),
        };
        let skip = if self.has_skip { words(&take(2)) } else { Vec::new() };
        let bias = words(fields.bytes(2 * self.hidden));
        let outputs = signed(fields.bytes(2 * self.outputs * self.hidden));
        let output_bias = (0..self.outputs).map(|_| fields.number::<4>() as i32).collect();
        let bounds = (1..self.outputs).map(|output| {
            if self.is_old {
                (output * self.number).min(usize::from(u16::MAX)) as u16
            } else {
                fields.u16()
            }
        });
        Weights {
            hidden: self.hidden,
            features: rows,
            skip,
            bias,
            outputs,
            output_unit: if self.is_old { OLD_OUTPUT_UNIT } else { self.number as i32 },
            output_bias,
            bounds: bounds.collect(),
        }
    }
}

/// What the features of a file of version 2 are, by its flags and its number of features of a type in hand.
fn read_form(flags: u16, in_hand: u16) -> Result<FeatureForm, NetworkError> {
    let most = FeatureForm::MOST_IN_HAND;
    if !(1..=most).contains(&usize::from(in_hand)) {
        return Err(NetworkError::Size {
            what: "features of a type in hand",
            found: in_hand.into(),
            wanted: format!("1 to {most}"),
        });
    }
    let has = |flag: u16| flags & flag != 0;
    Ok(FeatureForm {
        mirrored: has(MIRRORED),
        in_hand: in_hand.into(),
        further: has(FURTHER),
        attacks: has(ATTACKS),
    })
}

/// Refuses sizes that this program does not read; `number` is that of [`NetworkFile::number`].
fn check_sizes(hidden: u64, outputs: u64, number: u64, is_old: bool) -> Result<(), NetworkError> {
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
    if number == 0 {
        let what = if is_old { "pieces per output" } else { "as the unit of outputs" };
        return refuse(what, 0, "1 or more".to_string());
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

/// The bytes of a network file for features of this form.
pub(crate) fn encode(
    variant: &Variant,
    form: FeatureForm,
    weights: &Weights,
    provenance: &[String],
) -> Vec<u8> {
    let [pieces, hand] =
        own_letters(variant).map(|letters| letters.iter().map(Letter::to_string).collect());
    let texts: [String; 4] = [variant.family().to_string(), pieces, hand, provenance.join("\n")];
    let outputs = weights.output_bias.len();
    let features = weights.features.len() / weights.hidden;
    let flags = [
        (MIRRORED, form.mirrored),
        (SKIP, !weights.skip.is_empty()),
        (FURTHER, form.further),
        (ATTACKS, form.attacks),
    ];
    let flags = flags.iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag).sum::<u16>()
        + RowForm::of(&weights.features).flag();
    let mut bytes = MAGIC.to_vec();
    let mut short = |number: usize| bytes.extend((number as u16).to_le_bytes());
    short(usize::from(VERSION));
    short(usize::from(flags));
    // The low and the high half of 32 bits.
    short(features);
    short(features >> 16);
    short(weights.hidden);
    short(outputs);
    short(weights.output_unit as usize);
    texts[..3].iter().for_each(|text| short(text.len()));
    short(texts[3].len());
    short(texts[3].len() >> 16);
    bytes.extend(game_hash(variant, form).to_le_bytes());
    bytes.extend((form.in_hand as u16).to_le_bytes());
    bytes.extend(texts.iter().flat_map(|text| text.bytes()));
    let words =
        |words: &[i16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let signed = |bytes: &[i8]| bytes.iter().map(|byte| byte.cast_unsigned()).collect::<Vec<_>>();
    bytes.extend(match &weights.features {
        FeatureWeights::Bytes(rows) => signed(rows),
        FeatureWeights::Coarse(rows) => rows.iter().map(|row| row.0.cast_unsigned()).collect(),
        FeatureWeights::Words(rows) => words(rows),
    });
    bytes.extend(words(&weights.skip));
    bytes.extend(words(&weights.bias));
    bytes.extend(signed(&weights.outputs));
    bytes.extend(weights.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes.extend(weights.bounds.iter().flat_map(|bound| bound.to_le_bytes()));
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// A hash of what the features of a game mean: the board and the piece types with their moves, whatever their
/// order, and the royal if features are mirrored by it. Games of one family have the same.
fn game_hash(variant: &Variant, form: FeatureForm) -> u64 {
    let mut text = describe(variant);
    if let Some(royal) = variant.royal().filter(|_| form.mirrored) {
        text += &format!("mirrored by {}\n", variant.piece(royal).letter);
    }
    fnv1a(text.as_bytes())
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
