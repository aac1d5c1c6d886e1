//! A small pseudorandom number generator, with the same numbers on every machine.

/// A small pseudorandom number generator, with the same numbers on every machine.
///
/// It is SplitMix64 of Steele, Lea and Flood (2014), and not for cryptography.
///
/// ```
/// use garrison_rules::random::SplitMix;
/// use garrison_rules::{Position, find};
///
/// let mut random = SplitMix::new(7);
/// let mut position = Position::start(&find("shogi")?);
/// for _ in 0..10 {
///     let moves = position.legal_moves();
///     position.make(moves[random.below(moves.len())]);
/// }
/// assert_eq!(position.moves_made().len(), 10);
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

/// The increment of the state at each step.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number that the generator returns in this state.
pub(super) const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl SplitMix {
    /// A generator whose numbers depend on the seed alone.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next number, uniform over all 64-bit numbers.
    pub fn number(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        number
    }

    /// A number in `0..bound`; 0 if `bound` is 0. It takes one step of the generator.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0`, a multiple of 2⁻⁵³.
    pub fn fraction(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for the seed 1234567, as listed by Rosetta Code.
        let mut random = SplitMix::new(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([random.number(), random.number()], first);
    }
}
