//! A small neural network that judges the positions of a game: one layer over pieces, squares and hands,
//! as either side sees them, that is kept from one position to the next (the idea is Yu Nasu's,
//! "Efficiently Updatable Neural-Network-based Evaluation Functions", 2018), and one output by the
//! number of pieces on the board.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::Evaluator;
use garrison_rules::{Bitboard, Color, Hand, PieceType, Position, Square, Variant};
use std::sync::Arc;

/// Neurons of the hidden layer, for each side's view.
pub(crate) const HIDDEN: usize = 128;
/// Pieces of a kind in hand that are told apart.
const HELD: usize = 4;
/// Outputs: each judges positions with another number of pieces on the board.
pub(crate) const OUTPUTS: usize = 8;

/// A neuron's value of 1, and a weight of 1 of the first layer, in the whole numbers that are counted
/// with.
pub(crate) const FIRST_UNIT: i32 = 255;
/// A weight of 1 of the last layer. A neuron's largest value times the largest weight has 16 bits.
pub(crate) const LAST_UNIT: i32 = 256;
/// No weight is beyond this, so that each has 8 bits in either unit.
pub(crate) const MOST: f32 = 0.496;
/// An output of 1 in centipawns.
pub(crate) const SCALE: i32 = 400;

/// The numbers of a network's inputs: a piece of either side on a square, a piece in either hand, as one
/// side sees them.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    kinds: usize,
    squares: usize,
    slots: usize,
    /// The number of a square as each side sees it: its own first rank below, files as they are.
    numbers: [Vec<u16>; 2],
    /// The numbers of squares with files exchanged.
    mirrored: Vec<u16>,
    /// An output judges positions with so many numbers of pieces; the last all that have more.
    pieces_per_output: usize,
}

impl Inputs {
    pub fn new(variant: &Arc<Variant>) -> Inputs {
        let geometry = variant.geometry();
        let size = geometry.squares().map(|square| square.index() + 1).max().unwrap_or(0);
        let files = usize::from(geometry.files());
        let squares = files * usize::from(geometry.ranks());
        let pieces = Position::start(variant).occupied().len() as usize;
        let mut inputs = Inputs {
            kinds: variant.kinds().count(),
            squares,
            slots: variant.hand_kinds().len(),
            numbers: [vec![0; size], vec![0; size]],
            mirrored: (0..squares)
                .map(|at| (at - at % files + files - 1 - at % files) as u16)
                .collect(),
            pieces_per_output: pieces.div_ceil(OUTPUTS).max(1),
        };
        for square in geometry.squares() {
            for color in Color::ALL {
                let seen = if color == Color::White { square } else { geometry.mirrored(square) };
                let [file, rank] = [geometry.file(seen).0, geometry.rank(seen).0].map(usize::from);
                inputs.numbers[color.index()][square.index()] = (rank * files + file) as u16;
            }
        }
        inputs
    }

    /// How many inputs there are.
    pub fn len(&self) -> usize {
        2 * (self.kinds * self.squares + self.slots * HELD)
    }

    /// Which output judges a position: one of those between an empty board and that of the start.
    pub fn output_of(&self, position: &Position) -> usize {
        let pieces = position.occupied().len() as usize;
        (pieces.saturating_sub(1) / self.pieces_per_output).min(OUTPUTS - 1)
    }

    /// A piece as `view` sees it.
    #[inline]
    fn piece(&self, view: Color, color: Color, kind: PieceType, square: Square) -> usize {
        let number = usize::from(self.numbers[view.index()][square.index()]);
        let side = usize::from(view != color);
        (side * self.kinds + kind.index()) * self.squares + number
    }

    /// One more piece in hand than `number`, as `view` sees it.
    fn held(&self, view: Color, color: Color, slot: usize, number: usize) -> usize {
        let side = usize::from(view != color);
        2 * self.kinds * self.squares + (side * self.slots + slot) * HELD + number
    }

    /// The input with files exchanged.
    pub fn mirrored(&self, input: usize) -> usize {
        if input >= 2 * self.kinds * self.squares {
            return input;
        }
        input - input % self.squares + usize::from(self.mirrored[input % self.squares])
    }

    /// The inputs of a position, as White and as Black sees them.
    pub fn of(&self, position: &Position) -> Vec<[u16; 2]> {
        let mut all = Vec::new();
        let mut sight = Sight::empty(self);
        sight.follow(self, position, |inputs, _| all.push(inputs.map(|input| input as u16)));
        all
    }
}

/// The position that was looked at last.
#[derive(Debug, Clone)]
struct Sight {
    pieces: [Vec<Bitboard>; 2],
    hands: [Hand; 2],
}

impl Sight {
    fn empty(inputs: &Inputs) -> Sight {
        let pieces = || vec![Bitboard::EMPTY; inputs.kinds];
        Sight { pieces: [pieces(), pieces()], hands: [Hand::default(); 2] }
    }

    /// Tells the inputs that another position has more or less, and keeps that position.
    #[inline]
    fn follow(
        &mut self,
        inputs: &Inputs,
        position: &Position,
        mut changed: impl FnMut([usize; 2], bool),
    ) {
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let pieces = position.pieces(color, kind);
                let old = std::mem::replace(&mut self.pieces[color.index()][kind.index()], pieces);
                if pieces == old {
                    continue;
                }
                let views = |square| Color::ALL.map(|view| inputs.piece(view, color, kind, square));
                for square in old & !pieces {
                    changed(views(square), false);
                }
                for square in pieces & !old {
                    changed(views(square), true);
                }
            }
            let hand = position.hand(color);
            let old = std::mem::replace(&mut self.hands[color.index()], hand);
            if hand != old {
                for slot in 0..inputs.slots {
                    let [now, before] =
                        [hand, old].map(|hand| usize::from(hand.count(slot)).min(HELD));
                    for number in now.min(before)..now.max(before) {
                        let views = Color::ALL.map(|view| inputs.held(view, color, slot, number));
                        changed(views, now > before);
                    }
                }
            }
        }
    }
}

/// The weights of a network.
#[derive(Debug)]
pub(crate) struct Weights {
    /// By input.
    pub first: Vec<[i8; HIDDEN]>,
    pub bias: [i16; HIDDEN],
    /// By output: for the view of the side to move, and for the other's.
    pub last: [[[i8; HIDDEN]; 2]; OUTPUTS],
    pub last_bias: [i32; OUTPUTS],
}

/// A network and the sums of the position that it looked at last.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    inputs: Arc<Inputs>,
    weights: Arc<Weights>,
    sight: Sight,
    sums: [[i16; HIDDEN]; 2],
}

impl Network {
    pub fn new(inputs: Inputs, weights: Weights) -> Network {
        Network {
            sight: Sight::empty(&inputs),
            sums: [weights.bias; 2],
            inputs: Arc::new(inputs),
            weights: Arc::new(weights),
        }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The weights as text, in lines: all bytes of the first layer, then its bias, the last layer and
    /// its biases, the low byte of each number first.
    pub fn to_base64(&self) -> String {
        let Weights { first, bias, last, last_bias } = &*self.weights;
        let byte = |weight: &i8| weight.to_le_bytes()[0];
        let mut bytes: Vec<u8> = first.iter().flatten().map(byte).collect();
        bytes.extend(bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(last.iter().flatten().flatten().map(byte));
        bytes.extend(last_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let text = BASE64.encode(bytes);
        let lines = text.as_bytes().chunks(120);
        lines.map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect()
    }

    /// Reads what [`Network::to_base64`] writes; `None` if it is none for this game.
    pub fn from_base64(variant: &Arc<Variant>, text: &str) -> Option<Network> {
        let inputs = Inputs::new(variant);
        let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let bytes = BASE64.decode(text).ok()?;
        let mut rest = bytes.as_slice();
        let mut take = |count: usize| {
            let (taken, after) = rest.split_at_checked(count)?;
            rest = after;
            Some(taken)
        };
        let row = |bytes: &[u8]| std::array::from_fn(|at| i8::from_le_bytes([bytes[at]]));
        let first = take(inputs.len() * HIDDEN)?.chunks_exact(HIDDEN).map(row).collect();
        let biases = take(2 * HIDDEN)?;
        let bias =
            std::array::from_fn(|at| i16::from_le_bytes([biases[2 * at], biases[2 * at + 1]]));
        let rows = take(2 * OUTPUTS * HIDDEN)?;
        let last = std::array::from_fn(|output| {
            std::array::from_fn(|view| row(&rows[(2 * output + view) * HIDDEN..][..HIDDEN]))
        });
        let biases = take(4 * OUTPUTS)?;
        let last_bias = std::array::from_fn(|at| {
            i32::from_le_bytes(std::array::from_fn(|byte| biases[4 * at + byte]))
        });
        let weights = Weights { first, bias, last, last_bias };
        rest.is_empty().then(|| Network::new(inputs, weights))
    }
}

impl Evaluator for Network {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let Network { inputs, weights, sight, sums } = self;
        let first = &weights.first;
        sight.follow(inputs, position, |views, more| {
            for (sums, input) in sums.iter_mut().zip(views) {
                add(sums, &first[input], more);
            }
        });
        let side = position.side();
        let at = inputs.output_of(position);
        let [own, other] = &weights.last[at];
        // No sum leaves its 32 bits: 128 neurons of at most 255 * 255 * 128.
        let sum = i64::from(output(&sums[side.index()], own))
            + i64::from(output(&sums[(!side).index()], other));
        let whole = sum / i64::from(FIRST_UNIT) + i64::from(weights.last_bias[at]);
        (whole * i64::from(SCALE) / i64::from(FIRST_UNIT * LAST_UNIT)) as i32
    }
}

/// Adds a row to sums, or takes it off. Sums of too many pieces wrap, as they would if they were made
/// anew: taken off again, the pieces leave nothing.
#[inline]
fn add(sums: &mut [i16; HIDDEN], row: &[i8; HIDDEN], more: bool) {
    if more {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(i16::from(weight));
        }
    } else {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_sub(i16::from(weight));
        }
    }
}

/// The squares of what the neurons give, times their weights.
#[inline]
fn output(sums: &[i16; HIDDEN], weights: &[i8; HIDDEN]) -> i32 {
    let one = |(&sum, &weight): (&i16, &i8)| {
        let given = sum.clamp(0, FIRST_UNIT as i16);
        i32::from(given * i16::from(weight)) * i32::from(given)
    };
    sums.iter().zip(weights).map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::{SplitMix, builtin_names, find};

    /// Some network for a game.
    fn network(variant: &Arc<Variant>) -> Network {
        let inputs = Inputs::new(variant);
        let mut random = SplitMix::new(5);
        let mut weight = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
        let weights = Weights {
            first: (0..inputs.len()).map(|_| std::array::from_fn(|_| weight(127) as i8)).collect(),
            bias: std::array::from_fn(|_| weight(300) as i16),
            last: std::array::from_fn(|_| {
                std::array::from_fn(|_| std::array::from_fn(|_| weight(127) as i8))
            }),
            last_bias: std::array::from_fn(|_| weight(9000)),
        };
        Network::new(inputs, weights)
    }

    #[test]
    fn what_is_kept_from_position_to_position_is_what_would_be_made_anew() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let fresh = network(&variant);
            let mut kept = fresh.clone();
            let mut random = SplitMix::new(3);
            let mut position = Position::start(&variant);
            let (mut values, mut made) = (Vec::new(), 0);
            for _ in 0..300 {
                let moves = position.legal_moves();
                // Forward and back, and now and then to another game.
                if moves.is_empty() || position.status().outcome().is_some() {
                    (position, made) = (Position::start(&variant), 0);
                } else if random.below(4) == 0 && made > 0 {
                    position.unmake();
                    made -= 1;
                } else {
                    position.make(moves[random.below(moves.len())]);
                    made += 1;
                }
                let value = fresh.clone().evaluate(&position);
                assert_eq!(kept.evaluate(&position), value, "{name} {}", position.fen());
                values.push(value);
            }
            values.sort_unstable();
            values.dedup();
            assert!(values.len() > 50, "{name}: a network that says always the same");
        }
    }

    #[test]
    fn weights_are_read_as_they_are_written() {
        for name in ["swda-aj", "shoogantshii"] {
            let variant = find(name).expect("a built-in game");
            let network = network(&variant);
            let text = network.to_base64();
            let again = Network::from_base64(&variant, &text).expect("a network");
            assert_eq!(again.to_base64(), text);
            let position = Position::start(&variant);
            assert_eq!(again.clone().evaluate(&position), network.clone().evaluate(&position));
            for wrong in [&text[..text.len() / 2], "", "?", &format!("{text}AAAA")] {
                assert!(Network::from_base64(&variant, wrong).is_none());
            }
            let other = find("chesstonia").expect("a built-in game");
            assert!(Network::from_base64(&other, &text).is_none());
        }
    }

    #[test]
    fn the_largest_weights_leave_no_room_for_overflow() {
        let variant = find("swda-oo").expect("a built-in game");
        let inputs = Inputs::new(&variant);
        let weights = Weights {
            first: vec![[i8::MAX; HIDDEN]; inputs.len()],
            bias: [i16::MAX; HIDDEN],
            last: [[[i8::MIN; HIDDEN]; 2]; OUTPUTS],
            last_bias: [i32::MIN; OUTPUTS],
        };
        let mut network = Network::new(inputs, weights);
        network.evaluate(&Position::start(&variant));
    }
}
