//! Late move reductions: how many plies a late move is searched less deep at first.

#[cfg(feature = "tuning")]
use std::collections::HashMap;
use std::sync::LazyLock;
#[cfg(feature = "tuning")]
use std::sync::{Mutex, PoisonError};

use super::{MAX_PLY, params};

/// Plies are counted in so many parts, so that small reasons can add up.
const PLY: i32 = 1024;

/// Later moves are reduced like this one.
const MOVES: usize = 128;

/// The formula's values by depth and number of the move, in 1/1024 ply.
#[cfg(not(feature = "tuning"))]
static BASE: LazyLock<Vec<i32>> = LazyLock::new(values);

/// The same for every base and divisor that was asked for. There are few, and each takes 66 kB, so they are kept.
#[cfg(feature = "tuning")]
static BASES: LazyLock<Mutex<Bases>> = LazyLock::new(Mutex::default);

/// Values by base and divisor.
#[cfg(feature = "tuning")]
type Bases = HashMap<(i32, i32), &'static [i32]>;

fn values() -> Vec<i32> {
    let of_depth = |depth| (0..MOVES).map(move |number| formula(depth, number));
    (0..=MAX_PLY as i32).flat_map(of_depth).collect()
}

/// Reductions grow with the logarithms of depth and number of the move; in 1/1024 ply.
fn formula(depth: i32, number: usize) -> i32 {
    let (depth, number) = (f64::from(depth.max(1)).ln(), (number.max(1) as f64).ln());
    let (base, divisor) =
        (params::hundredths(params::lmr_base()), params::hundredths(params::lmr_divisor()));
    ((base + depth * number / divisor) * f64::from(PLY)) as i32
}

/// The table of the formula's values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reductions(&'static [i32]);

impl Reductions {
    #[cfg(not(feature = "tuning"))]
    pub fn new() -> Reductions {
        Reductions(&BASE)
    }

    /// By the base and divisor that are set now.
    #[cfg(feature = "tuning")]
    pub fn new() -> Reductions {
        let mut bases = BASES.lock().unwrap_or_else(PoisonError::into_inner);
        let set = (params::lmr_base(), params::lmr_divisor());
        let values = || -> &'static [i32] { Vec::leak(values()) };
        Reductions(bases.entry(set).or_insert_with(values))
    }

    /// The formula's reduction in 1/1024 ply.
    #[inline]
    pub fn base(self, depth: i32, number: usize) -> i32 {
        let depth = depth.clamp(0, MAX_PLY as i32) as usize;
        self.0[depth * MOVES + number.min(MOVES - 1)]
    }

    /// The formula's reduction in whole plies.
    #[inline]
    pub fn plies(self, depth: i32, number: usize) -> i32 {
        self.base(depth, number) / PLY
    }
}

/// What makes a late move likely or unlikely to be good.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LateMove {
    /// The formula's reduction in 1/1024 ply.
    pub base: i32,
    /// It captures or promotes.
    pub tactical: bool,
    /// It is one of the killers of its ply.
    pub killer: bool,
    /// It gives check, or the other side must capture after it.
    pub gives_check: bool,
    /// Its histories together.
    pub history: i32,
    pub pv_node: bool,
    /// The position was once on a principal variation, but the window is closed.
    pub tt_pv: bool,
    pub cut_node: bool,
    pub forced: bool,
    pub improving: bool,
    pub tt_move_is_tactical: bool,
    /// How many moves at the next ply have failed high.
    pub child_cutoffs: i32,
}

impl LateMove {
    /// The reduction in plies; below 0 is an extension.
    #[inline]
    pub fn reduction(self) -> i32 {
        // The formula is for quiet moves: reducing captures and promotions by it hides sacrifices.
        let mut reduction = if self.tactical { 0 } else { self.base };
        reduction -= params::lmr_pv() * i32::from(self.pv_node);
        reduction -= params::lmr_tt_pv() * i32::from(self.tt_pv);
        reduction += params::lmr_cut_node() * i32::from(self.cut_node);
        reduction -= params::lmr_gives_check() * i32::from(self.gives_check);
        reduction -= params::lmr_in_check() * i32::from(self.forced);
        reduction += params::lmr_not_improving() * i32::from(!self.improving && !self.forced);
        reduction +=
            params::lmr_tactical_tt_move() * i32::from(self.tt_move_is_tactical && !self.tactical);
        let many_cutoffs = self.child_cutoffs > params::lmr_child_cutoff_count();
        reduction += params::lmr_child_cutoffs() * i32::from(many_cutoffs);
        let divisor = if self.tactical {
            params::lmr_capture_history_divisor()
        } else {
            params::lmr_history_divisor()
        };
        reduction -= self.history * PLY / divisor;
        reduction -= params::lmr_killer() * i32::from(self.killer);
        reduction / PLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new();
        assert_eq!(reductions.plies(1, 1), 0);
        assert_eq!(reductions.plies(10, 10), 3);
        assert_eq!(reductions.base(10, 1), 634);
        for depth in 2..100 {
            assert!(reductions.base(depth, 20) <= reductions.base(depth + 1, 20));
            assert!(reductions.base(depth, 20) < reductions.base(depth, 21));
        }
        assert_eq!(reductions.base(500, 500), reductions.base(MAX_PLY as i32, MOVES - 1));
    }

    #[cfg(feature = "tuning")]
    #[test]
    fn the_table_follows_its_constants() {
        // A divisor that changes no whole number of plies which another test asks for.
        let before = Reductions::new();
        params::set("lmr_divisor", 216);
        let after = Reductions::new();
        params::set("lmr_divisor", 215);
        assert!(after.base(60, 60) < before.base(60, 60));
        assert_eq!(Reductions::new().base(60, 60), before.base(60, 60));
    }

    #[test]
    fn a_good_sign_reduces_less_and_a_bad_one_more() {
        let quiet = LateMove { base: 3 * PLY, improving: true, ..LateMove::default() };
        assert_eq!(quiet.reduction(), 3);
        let less = [
            LateMove { killer: true, ..quiet },
            LateMove { pv_node: true, ..quiet },
            LateMove { gives_check: true, ..quiet },
            LateMove { forced: true, ..quiet },
            LateMove { history: params::lmr_history_divisor(), ..quiet },
            LateMove { tactical: true, ..quiet },
        ];
        assert!(less.iter().all(|late| late.reduction() < 3), "{less:?}");
        assert_eq!(less[4].reduction(), 2);
        assert_eq!(less[5].reduction(), 0, "the formula is not for captures");
        let half = LateMove { base: 3 * PLY + PLY / 2, ..quiet };
        let more = [
            LateMove { cut_node: true, ..half },
            LateMove { improving: false, ..half },
            LateMove { tt_move_is_tactical: true, ..half },
            LateMove { child_cutoffs: params::lmr_child_cutoff_count() + 1, ..half },
            LateMove { history: -params::lmr_history_divisor(), ..half },
        ];
        assert!(more.iter().all(|late| late.reduction() == 4), "{more:?}");
        let early = LateMove { base: 0, gives_check: true, killer: true, pv_node: true, ..quiet };
        assert_eq!(early.reduction(), -2, "an extension");
    }
}
