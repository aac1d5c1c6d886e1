//! Time management: an optimum, at which no other iteration begins, and a maximum, at which the search is
//! broken off.

use std::time::Duration;

use super::limits::{Clock, Limits};
use super::search::params::{self, hundredths};
use garrison_rules::Color;

/// The statistics of an iteration by which time management decides whether another begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct IterationStats {
    /// In plies.
    pub depth: i32,
    /// For how many iterations the best move has been the same.
    pub stable_for: u32,
    /// By how many centipawns the score is below the average of the iterations before.
    pub score_drop: i32,
    /// The share of all nodes that was spent on the best move, 0 to 1.
    pub effort: f64,
    /// The number of moves at the root.
    pub root_moves: usize,
}

/// The times of one move.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeManager {
    maximum: Option<Duration>,
    /// Only with a clock: a fixed time for a move is used up.
    optimum: Option<Duration>,
}

impl TimeManager {
    /// The times for a move of `side`. `clock` replaces the clock of the limits where a ponder hit brought one;
    /// `game_plies` is how long a game lasts on average.
    pub fn new(limits: &Limits, clock: Option<Clock>, side: Color, game_plies: f64) -> TimeManager {
        if let Some(time) = limits.move_time {
            return TimeManager { maximum: Some(time), optimum: None };
        }
        let clock = clock.or(limits.clock);
        let times = clock.map(|clock| clock_times(&clock, side, limits.overhead, game_plies));
        TimeManager { maximum: times.map(|times| times.1), optimum: times.map(|times| times.0) }
    }

    /// The time at which the search is broken off.
    pub fn maximum(&self) -> Option<Duration> {
        self.maximum
    }

    /// Whether no further iteration is to begin. An iteration takes longer than all before it together, so the
    /// decision falls before the optimum.
    pub fn should_stop(&self, elapsed: Duration, stats: &IterationStats) -> bool {
        let Some(optimum) = self.optimum else { return false };
        if stats.root_moves == 1 {
            return true;
        }
        let start = hundredths(params::time_iteration_start());
        let factor = start * stability_factor(stats) * score_factor(stats) * effort_factor(stats);
        elapsed >= optimum.mul_f64(factor)
    }
}

/// Less time the longer the best move has been the same. Where the constants are at the ends of their ranges, none is
/// left, but not less.
fn stability_factor(stats: &IterationStats) -> f64 {
    let iterations = f64::from(stats.stable_for.min(params::time_stability_max() as u32));
    let less = hundredths(params::time_stability_step()) * iterations;
    (hundredths(params::time_stability_base()) - less).max(0.0)
}

/// More time if the score falls, less if it rises: one percent for each centipawn.
fn score_factor(stats: &IterationStats) -> f64 {
    let (rise, fall) = (params::time_max_score_rise(), params::time_max_score_fall());
    1.0 + hundredths(stats.score_drop.clamp(-rise, fall))
}

/// Less time the more of the nodes went to the best move, and at least none.
fn effort_factor(stats: &IterationStats) -> f64 {
    if stats.depth < params::time_effort_min_depth() {
        return 1.0;
    }
    let less = hundredths(params::time_effort_weight()) * stats.effort;
    (hundredths(params::time_effort_base()) - less).max(0.0)
}

/// What is never planned to be spent: so long may the machine stand still without a loss on time.
fn reserve() -> Duration {
    Duration::from_millis(params::time_reserve() as u64)
}

/// The moves that are expected to come before the clock gets new time. Where the time is for the whole game they
/// are a fixed part of its average length, however many have been played: a game that lasts long will last
/// longer still, and iterations go beyond their plan.
fn moves_to_come(clock: &Clock, game_plies: f64) -> u32 {
    let (fewest, most) = (params::time_min_moves_to_come(), params::time_max_moves_to_come());
    let expected = game_plies * hundredths(params::time_moves_to_come());
    let expected = expected.clamp(f64::from(fewest), f64::from(most)) as u32;
    clock
        .moves_to_go
        .map_or(expected, |moves| moves.clamp(1, params::time_max_moves_to_go() as u32))
}

/// Optimum and maximum for a move of `side`.
fn clock_times(
    clock: &Clock,
    side: Color,
    overhead: Duration,
    game_plies: f64,
) -> (Duration, Duration) {
    let (left, increment) = (clock.left[side], clock.increment[side]);
    let moves = moves_to_come(clock, game_plies);
    let usable = left.saturating_sub(overhead);
    let planned = usable.saturating_sub(reserve());
    // The increment comes back with every move and can be spent, but less of it near the reserve: so the clock
    // recovers what a halt of the machine took.
    let far_from_reserve = usable.div_duration_f64(2 * reserve()).min(1.0);
    let increment_share = hundredths(params::time_increment()) * far_from_reserve;
    let optimum = planned / moves
        + increment.mul_f64(increment_share)
        + clock.byoyomi.mul_f64(hundredths(params::time_byoyomi()));
    let part_of_clock = match moves {
        1 => usable.mul_f64(hundredths(params::time_last_move())),
        2..=3 => usable / 2,
        _ => usable / params::time_max_clock_divisor() as u32,
    };
    // With byoyomi the main time may be used up, as every move has a period besides.
    let period = clock.byoyomi.saturating_sub(overhead);
    let limit = if clock.byoyomi.is_zero() { part_of_clock } else { part_of_clock.max(period) };
    let maximum = (optimum * params::time_stretch() as u32).min(limit).max(Limits::MIN_TIME);
    (optimum.min(maximum), maximum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::PerColor;

    const OVERHEAD: Duration = Duration::from_millis(10);
    const GAME_PLIES: f64 = 120.0;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>, byoyomi: u64) -> Clock {
        let both = |ms| PerColor([Duration::from_millis(ms); 2]);
        Clock {
            left: both(left),
            increment: both(increment),
            moves_to_go,
            byoyomi: Duration::from_millis(byoyomi),
        }
    }

    /// Plays moves that each take their optimum, or their maximum, and returns the least that is ever left on the
    /// clock.
    fn least_left(start: u64, increment: u64, moves: u32, most: bool) -> Duration {
        let mut left = Duration::from_millis(start);
        let mut least = left;
        for _ in 0..moves {
            let now = clock(left.as_millis() as u64, increment, None, 0);
            let (optimum, maximum) = clock_times(&now, Color::White, OVERHEAD, GAME_PLIES);
            assert!(optimum <= maximum && maximum <= left, "{left:?} {maximum:?}");
            left = left.saturating_sub(if most { maximum } else { optimum });
            least = least.min(left);
            left += Duration::from_millis(increment);
        }
        least
    }

    #[test]
    fn the_clock_never_runs_out() {
        assert!(least_left(1000, 10, 400, true) >= OVERHEAD);
        assert!(least_left(60_000, 1000, 400, true) >= OVERHEAD);
        assert!(least_left(10_000, 0, 20, true) >= OVERHEAD);
        assert!(least_left(10_000, 0, 150, false) >= OVERHEAD);
    }

    #[test]
    fn a_reserve_stays_on_the_clock() {
        assert!(least_left(1000, 10, 400, false) >= reserve());
        assert!(least_left(10_000, 0, 400, false) >= reserve());
        let (late, _) = clock_times(&clock(40, 10, None, 0), Color::White, OVERHEAD, GAME_PLIES);
        assert!(late < Duration::from_millis(10), "{late:?}");
    }

    #[test]
    fn the_clock_recovers_its_reserve() {
        let mut left = Duration::from_millis(40);
        for _ in 0..60 {
            let now = clock(left.as_millis() as u64, 10, None, 0);
            let (optimum, _) = clock_times(&now, Color::White, OVERHEAD, GAME_PLIES);
            // A move takes a little longer than planned.
            left = left + Duration::from_millis(10) - optimum - Duration::from_millis(1);
        }
        assert!(left >= 3 * reserve() / 2, "{left:?}");
    }

    #[test]
    fn a_game_uses_its_time() {
        // Most of it within sixty moves, though games may last longer.
        for (plies, least) in [(60.0, 8), (GAME_PLIES, 7)] {
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
    fn a_long_game_has_less_time_for_a_move() {
        let optimum = |plies| {
            clock_times(&clock(10_000, 0, None, 0), Color::White, OVERHEAD, plies).0.as_millis()
        };
        assert!(optimum(60.0) > 2 * optimum(140.0));
        assert_eq!(optimum(1.0), optimum(50.0));
        assert_eq!(optimum(175.0), optimum(2000.0));
    }

    #[test]
    fn time_controls_bound_the_time_for_a_move() {
        let (_, last) =
            clock_times(&clock(1000, 0, Some(1), 0), Color::Black, OVERHEAD, GAME_PLIES);
        assert!(last <= Duration::from_millis(990) && last >= Duration::from_millis(500));
        let (_, period) = clock_times(&clock(0, 0, None, 500), Color::White, OVERHEAD, GAME_PLIES);
        assert_eq!(period, Duration::from_millis(490));
        let (_, none) = clock_times(&clock(0, 0, None, 0), Color::White, OVERHEAD, GAME_PLIES);
        assert_eq!(none, Limits::MIN_TIME);
    }

    #[test]
    fn a_stable_best_move_is_played_sooner() {
        let limits = Limits { clock: Some(clock(60_000, 0, None, 0)), ..Limits::default() };
        let time = TimeManager::new(&limits, None, Color::White, GAME_PLIES);
        let late = TimeManager::new(&limits, Some(clock(40, 0, None, 0)), Color::White, GAME_PLIES);
        assert!(late.maximum < Some(Duration::from_millis(10)), "{late:?}");
        let stats = |stable_for, score_drop, effort| IterationStats {
            depth: 12,
            stable_for,
            score_drop,
            effort,
            root_moves: 30,
        };
        let optimum = time.optimum.expect("a clock");
        assert!(time.should_stop(optimum / 2, &stats(9, 0, 0.95)));
        assert!(!time.should_stop(optimum / 2, &stats(0, 50, 0.3)));
        assert!(
            time.should_stop(Duration::ZERO, &IterationStats { root_moves: 1, ..stats(0, 0, 0.0) })
        );
    }
}
