//! Random walks: a small generator, choices of moves that get into interesting positions, damage
//! to texts. Seeded, so that every failure can be repeated.

#![allow(dead_code)]

use garrison_rules::random::SplitMix;
use garrison_rules::{Move, Position, Tag};

/// The program's generator with the choices of a walk.
pub struct Random(SplitMix);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// A legal move: captures, promotions and checks more often than chance would have it, so that
    /// fortresses fall, hands fill and kings are hunted.
    pub fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let lively: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| {
                let captures =
                    !mv.is_drop() && mv.tag() != Tag::Setup && position.at(mv.to()).is_some();
                captures || matches!(mv.tag(), Tag::Promotion | Tag::EnPassant | Tag::DoubleStep)
            })
            .collect();
        match self.below(3) {
            0 if !lively.is_empty() => self.pick(&lively).copied(),
            _ => self.pick(&moves).copied(),
        }
    }

    /// [`Random::choose`] as text.
    pub fn choose_move(&mut self, position: &Position) -> String {
        self.choose(position).map(|mv| position.move_text(mv)).unwrap_or_default()
    }

    /// The text with one character changed, taken out, put in, or two fields exchanged.
    pub fn damage(&mut self, text: &str) -> String {
        const ALPHABET: &[u8] = b"KkQqRrBbNnPpTtWwFfEeMmIiAaGgHhLlDdCcSsOo123456789+-/[] wSs0xZ=@~";
        let mut bytes = text.as_bytes().to_vec();
        let (at, other) = (self.below(bytes.len()), self.below(bytes.len()));
        let new = ALPHABET[self.below(ALPHABET.len())];
        match self.below(4) {
            0 => bytes[at] = new,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, new),
            _ => bytes.swap(at, other),
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A number from the environment.
pub fn env_number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
