//! How long a move may take: an optimum, by which the search ends if nothing speaks against it, and a
//! maximum, at which it is broken off.

use std::time::Duration;

use super::limits::{Clock, Limits};
use garrison_rules::Color;

/// What an iteration tells about whether another is worth its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Iteration {
    pub depth: u32,
    /// For how many iterations the best move has been the same.
    pub stable_for: u32,
    /// By how many centipawns the score has fallen below that of the iterations before.
    pub score_drop: i32,
    /// The share of all nodes that was spent on the best move, 0 to 1.
    pub effort: f64,
    /// The moves that there are.
    pub moves: usize,
}

/// The times of one move.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeManager {
    maximum: Option<Duration>,
    /// Only where a clock runs: a fixed time for a move is used up.
    optimum: Option<Duration>,
}

/// The moves that are expected to come where none are named, as a part of the plies that games of the
/// kind last: at any time four fifths of a whole game, as what lasts long lasts longer still, and an
/// iteration goes beyond its plan.
const MOVES_TO_COME: f64 = 0.4;
/// The fewest and the most of them.
const FEWEST_TO_COME: f64 = 20.0;
const MOST_TO_COME: f64 = 70.0;
/// What is not planned to be spent: for so long the machine may stand still without a game lost.
const RESERVE: Duration = Duration::from_millis(80);
/// The most of the clock that one move may take, as a divisor.
const MOST_OF_CLOCK: u32 = 4;
/// How many times the optimum a move may take.
const STRETCH: u32 = 4;
/// An iteration takes longer than all before it: with this share of the optimum gone no other begins.
const BEGUN_BY: f64 = 0.85;

impl TimeManager {
    /// `told` is a clock that has been told since, in place of that of the limits; `plies` is how long a
    /// game lasts on average.
    pub fn new(limits: &Limits, told: Option<Clock>, side: Color, plies: f64) -> TimeManager {
        if let Some(time) = limits.move_time {
            return TimeManager { maximum: Some(time), optimum: None };
        }
        let clock = told.or(limits.clock);
        let times = clock.map(|clock| clock_times(&clock, side, limits.overhead, plies));
        TimeManager { maximum: times.map(|times| times.1), optimum: times.map(|times| times.0) }
    }

    /// The time at which the search is broken off.
    pub fn maximum(&self) -> Option<Duration> {
        self.maximum
    }

    /// Whether no further iteration is to begin.
    pub fn is_enough(&self, elapsed: Duration, facts: &Iteration) -> bool {
        let Some(optimum) = self.optimum else { return false };
        if facts.moves == 1 {
            return true;
        }
        // The surer the best move is, the sooner the search ends.
        let stability = 1.25 - 0.07 * f64::from(facts.stable_for.min(8));
        let falling = 1.0 + f64::from(facts.score_drop.clamp(-20, 60)) / 100.0;
        let effort = if facts.depth >= 6 { 1.6 - 0.9 * facts.effort } else { 1.0 };
        elapsed >= optimum.mul_f64(BEGUN_BY * stability * falling * effort)
    }
}

/// Optimum and maximum for a move of `side`.
fn clock_times(clock: &Clock, side: Color, overhead: Duration, plies: f64) -> (Duration, Duration) {
    let (left, increment) = (clock.left[side], clock.increment[side]);
    let to_come = (plies * MOVES_TO_COME).clamp(FEWEST_TO_COME, MOST_TO_COME) as u32;
    let moves = clock.moves_to_go.map_or(to_come, |moves| moves.clamp(1, 50));
    let usable = left.saturating_sub(overhead);
    let planned = usable.saturating_sub(RESERVE);
    // What comes back behind every move can be spent, but never what is not there yet, and less of it
    // near the reserve: so what a halt of the machine took is saved again.
    let spent = 0.9 * usable.div_duration_f64(2 * RESERVE).min(1.0);
    let share = planned / moves + increment.mul_f64(spent) + clock.byoyomi.mul_f64(0.8);
    let part = match moves {
        1 => usable.mul_f64(0.9),
        2..=3 => usable / 2,
        _ => usable / MOST_OF_CLOCK,
    };
    // With byoyomi the main time may be used up; what is left of it is added to the period.
    let period = clock.byoyomi.saturating_sub(overhead);
    let most = if clock.byoyomi.is_zero() { part } else { part.max(period) };
    let maximum = (share * STRETCH).min(most).max(Limits::LEAST);
    (share.min(maximum), maximum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::PerColor;

    const OVERHEAD: Duration = Duration::from_millis(10);
    const PLIES: f64 = 120.0;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>, byoyomi: u64) -> Clock {
        let both = |ms| PerColor([Duration::from_millis(ms); 2]);
        Clock {
            left: both(left),
            increment: both(increment),
            moves_to_go,
            byoyomi: Duration::from_millis(byoyomi),
        }
    }

    /// Plays moves that each take their optimum, or their maximum; the least that is ever left on the
    /// clock.
    fn least_left(start: u64, increment: u64, moves: u32, most: bool) -> Duration {
        let mut left = Duration::from_millis(start);
        let mut least = left;
        for _ in 0..moves {
            let now = clock(left.as_millis() as u64, increment, None, 0);
            let (optimum, maximum) = clock_times(&now, Color::White, OVERHEAD, PLIES);
            assert!(optimum <= maximum && maximum <= left, "{left:?} {maximum:?}");
            left = left.saturating_sub(if most { maximum } else { optimum });
            least = least.min(left);
            left += Duration::from_millis(increment);
        }
        least
    }

    #[test]
    fn no_game_is_lost_on_time() {
        assert!(least_left(1000, 10, 400, true) >= OVERHEAD);
        assert!(least_left(60_000, 1000, 400, true) >= OVERHEAD);
        assert!(least_left(10_000, 0, 20, true) >= OVERHEAD);
        assert!(least_left(10_000, 0, 150, false) >= OVERHEAD);
    }

    #[test]
    fn a_reserve_is_kept() {
        assert!(least_left(1000, 10, 400, false) >= RESERVE);
        assert!(least_left(10_000, 0, 400, false) >= RESERVE);
        let (late, _) = clock_times(&clock(40, 10, None, 0), Color::White, OVERHEAD, PLIES);
        assert!(late < Duration::from_millis(10), "{late:?}");
    }

    #[test]
    fn a_reserve_comes_back() {
        let mut left = Duration::from_millis(40);
        for _ in 0..60 {
            let now = clock(left.as_millis() as u64, 10, None, 0);
            let (optimum, _) = clock_times(&now, Color::White, OVERHEAD, PLIES);
            // A move takes a little longer than planned.
            left = left + Duration::from_millis(10) - optimum - Duration::from_millis(1);
        }
        assert!(left >= 3 * RESERVE / 2, "{left:?}");
    }

    #[test]
    fn a_game_uses_its_time() {
        // In sixty moves; a game that lasts so long on average keeps more for those that last longer.
        for (plies, least) in [(60.0, 8), (PLIES, 7)] {
            let (mut left, mut used) = (Duration::from_secs(10), Duration::ZERO);
            for _ in 0..60 {
                let now = clock(left.as_millis() as u64, 0, None, 0);
                let (optimum, _) = clock_times(&now, Color::White, OVERHEAD, plies);
                (left, used) = (left - optimum, used + optimum);
            }
            assert!(used > Duration::from_secs(least), "{plies} plies: {used:?}");
        }
    }

    #[test]
    fn a_long_game_is_given_less_for_a_move() {
        let optimum = |plies| {
            clock_times(&clock(10_000, 0, None, 0), Color::White, OVERHEAD, plies).0.as_millis()
        };
        assert!(optimum(60.0) > 2 * optimum(140.0));
        assert_eq!(optimum(1.0), optimum(50.0));
        assert_eq!(optimum(175.0), optimum(2000.0));
    }

    #[test]
    fn time_controls_are_kept() {
        let (_, last) = clock_times(&clock(1000, 0, Some(1), 0), Color::Black, OVERHEAD, PLIES);
        assert!(last <= Duration::from_millis(990) && last >= Duration::from_millis(500));
        let (_, period) = clock_times(&clock(0, 0, None, 500), Color::White, OVERHEAD, PLIES);
        assert_eq!(period, Duration::from_millis(490));
        let (_, none) = clock_times(&clock(0, 0, None, 0), Color::White, OVERHEAD, PLIES);
        assert_eq!(none, Limits::LEAST);
    }

    #[test]
    fn a_sure_move_is_played_sooner() {
        let limits = Limits { clock: Some(clock(60_000, 0, None, 0)), ..Limits::default() };
        let time = TimeManager::new(&limits, None, Color::White, PLIES);
        let late = TimeManager::new(&limits, Some(clock(40, 0, None, 0)), Color::White, PLIES);
        assert!(late.maximum < Some(Duration::from_millis(10)), "{late:?}");
        let facts = |stable_for, score_drop, effort| Iteration {
            depth: 12,
            stable_for,
            score_drop,
            effort,
            moves: 30,
        };
        let optimum = time.optimum.expect("a clock");
        assert!(time.is_enough(optimum / 2, &facts(9, 0, 0.95)));
        assert!(!time.is_enough(optimum / 2, &facts(0, 50, 0.3)));
        assert!(time.is_enough(Duration::ZERO, &Iteration { moves: 1, ..facts(0, 0, 0.0) }));
    }
}
