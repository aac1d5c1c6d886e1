//! The gain sequences: how far a constant is varied in an iteration, and how far it moves.

use super::constant::Constant;

/// The exponent by which moves shrink (Spall's practical choice).
const ALPHA: f64 = 0.602;
/// The exponent by which variations shrink (the same).
const GAMMA: f64 = 0.101;
/// The stability constant `A` as a part of all iterations (the same).
const STABILITY: f64 = 0.1;

/// How far a constant is varied and moves in the iteration with number `k`, from 1, of `n`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gains {
    /// Both sides differ from the value by this: `c_k = c / k^γ`, where `c` makes `c_n` the constant's `c_end`.
    pub variation: f64,
    /// The value moves by this for each game that one side won more than it lost: `a_k / c_k` with
    /// `a_k = a / (A + k)^α`, where `a` makes `a_n / c_n²` the constant's `r_end`.
    pub step: f64,
}

impl Gains {
    pub fn of(constant: &Constant, k: u32, n: u32) -> Gains {
        let (k, n) = (f64::from(k), f64::from(n));
        let stability = STABILITY * n;
        let variation = constant.c_end * (n / k).powf(GAMMA);
        let last = constant.r_end * constant.c_end * constant.c_end;
        let gain = last * ((stability + n) / (stability + k)).powf(ALPHA);
        Gains { variation, step: gain / variation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_iteration_has_what_was_asked_for() {
        let constant = Constant { c_end: 8.0, ..super::super::tests::constant("x", 50, 0, 100) };
        let last = Gains::of(&constant, 1000, 1000);
        assert!((last.variation - 8.0).abs() < 1e-12);
        assert!((last.step - 0.002 * 8.0).abs() < 1e-12);
        // c_1 = 8 · 1000^0.101, a_1 = 0.002 · 64 · (1100 / 101)^0.602.
        let first = Gains::of(&constant, 1, 1000);
        assert!((first.variation - 16.0724).abs() < 1e-3, "{first:?}");
        assert!((first.step - 0.128 * 4.2096 / 16.0724).abs() < 1e-4, "{first:?}");
        for k in 1..1000 {
            let [now, next] = [k, k + 1].map(|k| Gains::of(&constant, k, 1000));
            assert!(next.variation < now.variation);
            assert!(next.step * next.variation < now.step * now.variation);
        }
    }
}
