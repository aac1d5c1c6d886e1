//! What the next generation does, and how long: tables first, which need few positions, then networks, whose size follows
//! from the positions that there are.

use super::state::{Generation, State};
use crate::training::sample::Keep;

/// The nodes of a move in the first games of self-play, which are doubled so many times at most. At first many positions of
/// small searches teach more than few of larger ones (docs/tuning.md).
pub(super) const NODES: u64 = 200;
const DOUBLINGS: usize = 3;

/// How often they are doubled in the first games for networks. The shipped ones were made so (bench/README.md).
const NETWORK_DOUBLINGS: usize = 1;

/// The nodes of a move in games that deepen a network, and how many positions they are to have for each of those that it
/// learned from before. So few of deeper searches gave seven networks 10 to 100 Elo each (bench/README.md).
const DEEPER_NODES: u64 = 1_000;
const SHARE_OF_DEEPER: f64 = 0.12;

/// The neurons that networks may have.
pub(super) const SIZES: [u32; 5] = [16, 32, 64, 128, 256];

/// The most neurons of the first network.
const FIRST: u32 = 32;

/// With fewer positions for each of its weights a network loses to the table of the same positions (bench/README.md).
const POSITIONS_OF_A_WEIGHT: u64 = 90;

/// With less time in all, in seconds, a table is better.
const LEAST_FOR_NETWORKS: f64 = 1_800.0;

/// The share of the time that belongs to tables, if networks follow.
const SHARE_OF_TABLES: f64 = 0.2;

/// A generation of a table takes this share of the time, but no more than so many seconds.
const SHARE_OF_A_TABLE: f64 = 1.0 / 6.0;
const LONGEST_TABLE: f64 = 240.0;

/// What a generation is to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    /// The neurons of its network, as far as can be foreseen; 0 for a table.
    pub hidden: u32,
    /// The generation whose network it deepens; 0 for none.
    pub deepens: u32,
    /// How long it plays, in seconds.
    pub play: f64,
    /// How long its match may last, in seconds.
    pub test: f64,
}

/// The nodes of a move in the games of the first generation.
pub(super) fn first_nodes() -> u64 {
    NODES
}

/// What is kept of the games of the first generation.
pub(super) fn first_keep() -> Keep {
    keep(0)
}

/// The nodes of a move in the games of a generation of this plan and number: more from one pair of tables to the next, and
/// after two generations in vain. Where games teach no more, deeper searches do (bench/README.md).
pub(super) fn nodes(plan: &Plan, number: u32, failures: usize) -> u64 {
    let Plan { hidden, deepens, .. } = *plan;
    if deepens > 0 {
        return DEEPER_NODES;
    }
    let pairs = (number.max(1) as usize - 1) / 2;
    let first = if hidden == 0 { pairs.min(2) } else { NETWORK_DOUBLINGS };
    NODES << (first + failures / 2).min(DOUBLINGS)
}

/// The positions of its games that are learned from. A table needs quiet ones; a network learns from more of all kinds
/// (bench/README.md).
pub(super) fn keep(hidden: u32) -> Keep {
    if hidden == 0 { Keep::Aside } else { Keep::Any }
}

/// What a plan depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outlook<'a> {
    /// What was done.
    pub state: &'a State,
    /// The time in all, that of earlier runs included, in seconds.
    pub total: f64,
    /// The weights of a network for each of its neurons.
    pub weights_of_a_neuron: u64,
    /// The positions that there are for networks.
    pub positions: u64,
}

impl Outlook<'_> {
    /// The next generation; none if the time is over.
    pub fn plan(&self) -> Option<Plan> {
        let left = self.total - self.state.seconds;
        // What could be done in less would prove nothing.
        let least = (self.total * 0.04).clamp(1.0, 60.0);
        (left >= least)
            .then(|| if self.is_for_networks(left) { self.network(left) } else { self.table(left) })
    }

    fn generations(&self) -> &[Generation] {
        &self.state.generations
    }

    fn table(&self, left: f64) -> Plan {
        let usual = (self.total * SHARE_OF_A_TABLE).min(LONGEST_TABLE);
        // Games and pairs in vain say that more of both is needed.
        let slice = usual * (1.0 + 0.5 * self.state.failures().min(4) as f64);
        // What would be left for another one is too little: this one has it.
        let slice = if left < 1.5 * slice { left } else { slice };
        let without_fit = slice - self.fit().unwrap_or(slice * 0.1).min(slice * 0.5);
        Plan { hidden: 0, deepens: 0, play: without_fit * 2.0 / 3.0, test: without_fit / 3.0 }
    }

    /// How long a fit lasts, as the last ones of tables did, in seconds.
    fn fit(&self) -> Option<f64> {
        let tables = self.generations().iter().rev().filter(|made| made.hidden == 0);
        let known = tables.take(2).map(|made| made.fit_seconds).filter(|seconds| *seconds > 0.0);
        known.reduce(f64::max)
    }

    /// Whether the next generation is a network.
    fn is_for_networks(&self, left: f64) -> bool {
        let has_network = self.generations().iter().any(|generation| generation.hidden > 0);
        if has_network || self.state.best_hidden() > 0 {
            return true;
        }
        let used = self.state.seconds;
        let tables = self.generations().len();
        let is_done =
            used >= self.total * SHARE_OF_TABLES || tables >= 3 && self.state.failures() >= 2;
        self.total >= LEAST_FOR_NETWORKS
            && tables >= 2
            && is_done
            && self.positions as f64 + self.rate() * left * 0.5 >= self.needed(SIZES[0]) as f64
    }

    /// Positions that a network needs.
    fn needed(&self, hidden: u32) -> u64 {
        self.weights_of_a_neuron * u64::from(hidden) * POSITIONS_OF_A_WEIGHT
    }

    /// Positions of games for networks that a second would bring, as fast as the last generations were.
    fn rate(&self) -> f64 {
        let last = || self.generations().iter().rev().take(3);
        let nodes =
            |generation: &Generation| generation.positions as f64 * generation.play_nodes as f64;
        let seconds: f64 = last().map(|generation| generation.seconds).sum();
        last().map(nodes).sum::<f64>() / (NODES << NETWORK_DOUBLINGS) as f64 / seconds.max(1.0)
    }

    /// The neurons of the next network, with so many positions.
    pub fn size(&self, positions: u64) -> u32 {
        let best = self.state.best_hidden();
        let last =
            self.generations().last().filter(|last| !last.kept).map_or(0, |last| last.hidden);
        if best > 0 && last > best {
            // A larger one was too weak: the best goes on learning, and the larger one is tried again after it.
            return best;
        }
        // Larger by one step at a time: a small one has learned something sooner. If none has won yet, from the largest one
        // that was tried.
        let tried = self.generations().iter().map(|made| made.hidden).max().unwrap_or(0);
        let most = if best > 0 { 2 * best } else { FIRST.max(2 * tried) };
        let fits = |size: &u32| *size <= most && self.needed(*size) <= positions;
        SIZES.into_iter().filter(fits).max().unwrap_or(SIZES[0]).max(best)
    }

    /// The last generation, if its network was trained anew or by more games of the usual nodes: the next one deepens it,
    /// even if it was not kept.
    fn shallow(&self) -> Option<&Generation> {
        self.generations().last().filter(|last| {
            last.hidden > 0 && last.deepens == 0 && last.learned > 0 && !last.found_nothing()
        })
    }

    fn network(&self, left: f64) -> Plan {
        let rate = self.rate().max(1e-3);
        let test = (left * 0.15).clamp(left.min(20.0) * 0.5, 600.0);
        if let Some(last) = self.shallow() {
            let deeper = DEEPER_NODES as f64 / (NODES << NETWORK_DOUBLINGS) as f64;
            let play = last.learned as f64 * SHARE_OF_DEEPER * deeper / rate;
            let play = play.clamp(left * 0.1, left * 0.45);
            return Plan { hidden: last.hidden, deepens: last.number, play, test };
        }
        let missing = self.needed(SIZES[0]).saturating_sub(self.positions) as f64 / rate;
        // Half as many positions again, more after a generation in vain.
        let more = self.positions as f64 / rate * 0.5 * (1.0 + self.state.failures().min(3) as f64);
        let play = missing.max(more).clamp(left * 0.1, left * 0.45);
        let expected = self.positions + (play * rate) as u64;
        let hidden = self.size(expected);
        Plan { hidden, deepens: 0, play, test }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a whole learning with so many positions a second; `beats` says which generations are kept.
    fn run(total: f64, rate: f64, weights: u64, beats: impl Fn(u32) -> bool) -> Vec<Plan> {
        let mut state = State::new("chess", "", 1, false);
        let (mut plans, mut positions) = (Vec::new(), 0);
        loop {
            let outlook = Outlook { state: &state, total, weights_of_a_neuron: weights, positions };
            let Some(plan) = outlook.plan() else { return plans };
            assert!(plan.play > 0.0 && plan.test > 0.0, "{plan:?}");
            assert!(state.seconds + plan.play + plan.test <= total * 1.001, "{plan:?}");
            let number = state.generations.len() as u32 + 1;
            let play_nodes = nodes(&plan, number, state.failures());
            let played = (plan.play * rate) as u64;
            let seconds = plan.play * 1.1 + plan.test;
            positions += played;
            state.seconds += seconds;
            let kept = beats(number);
            if kept {
                state.best = number;
            }
            state.generations.push(Generation {
                number,
                hidden: plan.hidden,
                deepens: plan.deepens,
                play_nodes,
                positions: played,
                learned: positions,
                loss: [0.6, 0.5],
                seconds,
                kept,
                ..Generation::default()
            });
            plans.push(plan);
            assert!(plans.len() < 100, "it does not end");
        }
    }

    #[test]
    fn ten_minutes_are_for_tables() {
        let plans = run(600.0, 3_000.0, 1_000, |_| true);
        assert!((4..=7).contains(&plans.len()), "{plans:?}");
        assert!(plans.iter().all(|plan| plan.hidden == 0));
    }

    #[test]
    fn later_tables_learn_from_deeper_searches() {
        let plan = |hidden, deepens| Plan { hidden, deepens, play: 1.0, test: 1.0 };
        let (table, network) = (plan(0, 0), plan(32, 0));
        let tables = [1, 2, 3, 4, 5, 6, 99].map(|number| nodes(&table, number, 0));
        assert_eq!(tables, [200, 200, 400, 400, 800, 800, 800]);
        assert_eq!(
            [0, 1, 2, 4, 6, 99].map(|vain| nodes(&network, 9, vain)),
            [400, 400, 800, 1600, 1600, 1600]
        );
        assert_eq!([2, 9].map(|vain| nodes(&table, 9, vain)), [1600, 1600]);
        assert_eq!([0, 99].map(|vain| nodes(&plan(32, 8), 9, vain)), [1000, 1000]);
    }

    #[test]
    fn games_for_networks_are_foreseen_from_those_of_other_depths() {
        let mut state = State::new("chess", "", 1, false);
        for play_nodes in [200, 800] {
            let made = Generation { positions: 9_000, play_nodes, seconds: 5.0, ..<_>::default() };
            state.generations.push(made);
        }
        let outlook =
            Outlook { state: &state, total: 7_200.0, weights_of_a_neuron: 1, positions: 0 };
        // 4,500 and 18,000 of 400 nodes.
        assert!((outlook.rate() - 2_250.0).abs() < 1e-9, "{}", outlook.rate());
    }

    #[test]
    fn a_fit_that_takes_long_leaves_less_time_for_games() {
        let mut state = State::new("chess", "", 1, false);
        let fitted = |fit_seconds| Generation { fit_seconds, kept: true, ..Generation::default() };
        let plan = |state: &State| {
            let outlook = Outlook { state, total: 600.0, weights_of_a_neuron: 1_000, positions: 0 };
            outlook.plan().expect("there is time")
        };
        let first = plan(&state);
        assert!((first.play + first.test - 90.0).abs() < 1e-9, "{first:?}");
        state.generations.push(fitted(40.0));
        let next = plan(&state);
        assert!((next.play + next.test - 60.0).abs() < 1e-9, "{next:?}");
        // As long as a fit may last, half of the time is for games.
        state.generations.push(fitted(400.0));
        let last = plan(&state);
        assert!((last.play + last.test - 50.0).abs() < 1e-9, "{last:?}");
    }

    #[test]
    fn hours_bring_networks_that_grow_with_the_positions() {
        let plans = run(7_200.0, 4_000.0, 2_000, |_| true);
        let tables = plans.iter().take_while(|plan| plan.hidden == 0).count();
        assert!((3..=9).contains(&tables) && plans.len() > tables + 2, "{plans:?}");
        let sizes: Vec<u32> = plans[tables..].iter().map(|plan| plan.hidden).collect();
        assert!(sizes.is_sorted() && sizes.iter().all(|size| SIZES.contains(size)), "{sizes:?}");
        assert!(sizes.last() > sizes.first(), "{sizes:?}");
        // Every second one deepens the one before it.
        let number = |index: usize| (tables + index) as u32;
        for (index, plan) in plans[tables..].iter().enumerate() {
            let deepens = if index % 2 == 1 { number(index) } else { 0 };
            assert_eq!(plan.deepens, deepens, "{plans:?}");
        }
        // Where positions come slowly, and weights are many, there is no network.
        let slow = run(3_600.0, 100.0, 4_000, |_| true);
        assert!(slow.iter().all(|plan| plan.hidden == 0), "{slow:?}");
    }

    #[test]
    fn after_a_first_network_in_vain_more_positions_bring_a_larger_one() {
        let mut state = State::new("chess", "", 1, false);
        let size = |state: &State, positions| {
            let outlook = Outlook { state, total: 7_200.0, weights_of_a_neuron: 1_000, positions };
            outlook.size(positions)
        };
        assert_eq!([size(&state, 3_000_000), size(&state, 9_000_000)], [32, 32]);
        let in_vain = |number, hidden| Generation { number, hidden, ..Generation::default() };
        state.generations.push(in_vain(1, 32));
        assert_eq!([size(&state, 3_000_000), size(&state, 9_000_000)], [32, 64]);
        state.generations.push(in_vain(2, 64));
        assert_eq!([size(&state, 9_000_000), size(&state, 12_000_000)], [64, 128]);
    }

    #[test]
    fn whatever_fails_the_time_is_used_up_and_the_plan_ends() {
        for total in [0.5, 2.0, 30.0, 600.0, 3_600.0, 100_000.0] {
            let plans = run(total, 2_000.0, 1_000, |_| false);
            assert_eq!(plans.is_empty(), total < 1.0, "{total}");
            run(total, 2_000.0, 1_000, |number| number % 2 == 0);
        }
    }
}
