//! What the next generation does, and how long: tables first, which need few positions, then networks, whose size follows
//! from the positions that there are.

use super::state::{Generation, State};
use crate::training::sample::Keep;

/// The nodes of a move in the first games of self-play, which are doubled so many times at most. At first many positions of
/// small searches teach more than few of larger ones (docs/tuning.md).
pub(super) const NODES: u64 = 200;
const DOUBLINGS: usize = 3;

/// The nodes of a move in games for a network that is trained anew. The shipped ones were made so (bench/README.md).
const TRAINING_NODES: u64 = 400;

/// The nodes of a move in games that deepen a network, and in those that deepen one which was deepened before. Scores of
/// searches that a network has learned from teach it little more, those of deeper ones do (bench/README.md).
const DEEPER_NODES: u64 = 1_000;
const DEEPEST_NODES: u64 = 3_000;

/// How long these games are to last, as a share of what those that the network was trained on would take: an eighth as many
/// positions of a thousand nodes.
const TIME_OF_DEEPER: f64 = 0.3;

/// Networks are deepened as long as they win. One that does not beat the table yet is deepened so often in a row.
const MOST_IN_VAIN: usize = 3;

/// The neurons that networks may have.
pub(super) const SIZES: [u32; 5] = [16, 32, 64, 128, 256];

/// The most neurons of the first network. It need not win: it plays the games for a larger one.
const FIRST: u32 = 32;

/// The positions for each weight of a network (bench/README.md).
const POSITIONS_OF_A_WEIGHT: u64 = 60;

/// With less time in all, in seconds, a table is better.
const LEAST_FOR_NETWORKS: f64 = 1_800.0;

/// The share of the time that belongs to tables, if networks follow, but no more than so many seconds.
const SHARE_OF_TABLES: f64 = 0.2;
const LONGEST_TABLES: f64 = 900.0;

/// The most of the time left that the games of a network take, and the first network's.
const SHARE_OF_GAMES: f64 = 0.45;
const SHARE_OF_FIRST: f64 = 0.2;

/// The most of the time left that the fit of a larger network may take.
const SHARE_OF_FIT: f64 = 0.4;

/// The share of the time left for the first games, if learning began with a network: its speed is not known yet.
const SHARE_OF_UNTIMED: f64 = 0.15;

/// The most of the time left that the match of a network takes, and that of the first one.
const SHARE_OF_MATCH: f64 = 0.15;
const SHARE_OF_FIRST_MATCH: f64 = 0.06;

/// A generation of a table takes this share of the time, but no more than so many seconds.
const SHARE_OF_A_TABLE: f64 = 1.0 / 6.0;
const LONGEST_TABLE: f64 = 240.0;

/// What a generation is to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    /// The neurons of its network, as far as can be foreseen; 0 for a table.
    pub hidden: u32,
    /// The generation whose network plays; 0 for the best evaluation.
    pub played_by: u32,
    /// Whether the network that plays goes on learning, by these games alone.
    pub deeper: bool,
    /// The nodes of a move in these games.
    pub nodes: u64,
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

/// The nodes of a move in the games for a table, after so many generations, the last `failures` of them in vain: more from
/// one pair to the next, and after two in vain. Where games teach no more, deeper searches do (bench/README.md).
fn nodes_for_table(generations: usize, failures: usize) -> u64 {
    NODES << ((generations / 2).min(2) + failures / 2).min(DOUBLINGS)
}

/// The positions of its games that are learned from. A table needs quiet ones; a network learns from more of all kinds
/// (bench/README.md).
pub(super) fn keep(hidden: u32) -> Keep {
    if hidden == 0 { Keep::Aside } else { Keep::Any }
}

/// A network that is to be deepened.
#[derive(Debug, Clone, Copy)]
struct Base {
    /// Its generation; 0 for what was begun with.
    number: u32,
    neurons: u32,
    /// The positions that it, or what it was deepened from, was trained on.
    positions: u64,
    /// Whether it was deepened before, as those that ship were.
    is_deepened: bool,
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
        let (play, test) = (without_fit * 2.0 / 3.0, without_fit / 3.0);
        let nodes = nodes_for_table(self.generations().len(), self.state.failures());
        Plan { hidden: 0, played_by: 0, deeper: false, nodes, play, test }
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
        if has_network || self.state.begun_hidden > 0 {
            return true;
        }
        let used = self.state.seconds;
        let tables = self.generations().len();
        let share = (self.total * SHARE_OF_TABLES).min(LONGEST_TABLES);
        let is_done = used >= share || tables >= 3 && self.state.failures() >= 2;
        self.total >= LEAST_FOR_NETWORKS
            && tables >= 2
            && is_done
            && self.positions as f64 + self.rate() * left * 0.5 >= self.needed(SIZES[0]) as f64
    }

    /// Positions that a network needs.
    fn needed(&self, hidden: u32) -> u64 {
        self.weights_of_a_neuron * u64::from(hidden) * POSITIONS_OF_A_WEIGHT
    }

    /// Positions of games for networks that a second of play would bring, as fast as the last generations were.
    fn rate(&self) -> f64 {
        let last = || self.generations().iter().rev().take(3);
        let nodes =
            |generation: &Generation| generation.positions as f64 * generation.play_nodes as f64;
        let seconds: f64 = last().map(Generation::play_seconds).sum();
        last().map(nodes).sum::<f64>() / TRAINING_NODES as f64 / seconds.max(1.0)
    }

    /// The networks, without those that had too few games for a fit.
    fn networks(&self) -> impl DoubleEndedIterator<Item = &Generation> {
        self.generations().iter().filter(|made| made.hidden > 0 && made.learned > 0)
    }

    /// The neurons of the next network that is trained anew, with so many positions: larger by one step at a time, as a
    /// small one has learned something sooner.
    pub fn size(&self, positions: u64) -> u32 {
        let most = self.largest().map_or(FIRST, |largest| 2 * largest);
        let fits = |size: &u32| *size <= most && self.needed(*size) <= positions;
        let size = SIZES.into_iter().filter(fits).max().unwrap_or(SIZES[0]);
        size.max(self.state.best_hidden())
    }

    /// The neurons of the largest network so far.
    fn largest(&self) -> Option<u32> {
        self.networks().map(|made| made.hidden).max()
    }

    /// Whether the games that there is time for are enough for a larger network than there has been, with time for its fit.
    fn can_grow(&self, left: f64) -> bool {
        let expected = self.positions + (left * SHARE_OF_GAMES * self.rate()) as u64;
        let size = self.size(expected);
        let is_larger = self.largest().is_none_or(|largest| size > largest);
        is_larger && self.fit_of_network(size, expected) <= left * SHARE_OF_FIT
    }

    /// How long a network of these neurons is fitted to so many positions, in seconds, as the last one was that was trained
    /// anew.
    fn fit_of_network(&self, hidden: u32, positions: u64) -> f64 {
        self.networks().rfind(|made| !made.deeper).map_or(0.0, |made| {
            let more = f64::from(hidden) * positions as f64;
            made.fit_seconds * more / (f64::from(made.hidden) * made.learned as f64)
        })
    }

    /// The network that the next generation deepens; none if that trains one anew.
    fn next_to_deepen(&self, left: f64) -> Option<Base> {
        let Some(last) = self.networks().next_back() else { return self.best_network() };
        let last_network = || self.base(last.number, last.hidden);
        // What was trained anew is deepened, even if it was not kept, unless it is only there to play for a larger one.
        let in_row = self.networks().rev().take_while(|made| made.deeper).count();
        let begins = !last.deeper && self.networks().count() > 1;
        let trained = self.networks().rfind(|made| !made.deeper).map_or(0, |made| made.number);
        let is_on_its_way = in_row < MOST_IN_VAIN && self.state.best < trained;
        if begins || last.deeper && (last.kept || is_on_its_way) {
            return Some(last_network());
        }
        (!self.can_grow(left)).then(|| self.best_network().unwrap_or_else(last_network))
    }

    /// The best evaluation, if it is a network.
    fn best_network(&self) -> Option<Base> {
        let neurons = self.state.best_hidden();
        (neurons > 0).then(|| self.base(self.state.best, neurons))
    }

    fn base(&self, number: u32, neurons: u32) -> Base {
        let trained = self.networks().rfind(|made| made.number <= number && !made.deeper);
        let positions = trained.map_or_else(|| self.needed(neurons), |made| made.learned);
        let is_deepened = trained.is_none_or(|made| made.number < number);
        Base { number, neurons, positions, is_deepened }
    }

    fn network(&self, left: f64) -> Plan {
        match self.next_to_deepen(left) {
            Some(network) => self.deeper(network, left),
            None => self.anew(left),
        }
    }

    /// Deepens a network, by more games after one in vain.
    fn deeper(&self, Base { number, neurons, positions, is_deepened }: Base, left: f64) -> Plan {
        let nodes = if is_deepened { DEEPEST_NODES } else { DEEPER_NODES };
        let rate = self.rate();
        let seconds = positions as f64 * TIME_OF_DEEPER / rate;
        let usual = if rate > 0.0 { seconds } else { left * SHARE_OF_UNTIMED };
        let is_again = self.networks().next_back().is_some_and(|last| last.deeper && !last.kept);
        let more = if is_again { self.state.failures().min(3) as f64 } else { 0.0 };
        let play = (usual * (1.0 + 0.5 * more)).clamp(left * 0.1, left * SHARE_OF_GAMES);
        let test = Self::test(play.max(60.0), left * SHARE_OF_MATCH, left);
        Plan { hidden: neurons, played_by: number, deeper: true, nodes, play, test }
    }

    /// Trains a network anew, by the games of all generations. The best network plays them, or else the last one: its games
    /// are better than those of a table even if it is not stronger yet.
    fn anew(&self, left: f64) -> Plan {
        let rate = self.rate().max(1e-3);
        let seconds_for = |positions: u64| positions.saturating_sub(self.positions) as f64 / rate;
        let (play, most, share) = match self.largest() {
            None => {
                let least = seconds_for(self.needed(SIZES[0]));
                let most = (left * SHARE_OF_FIRST).max(least).min(left * SHARE_OF_GAMES);
                (seconds_for(self.needed(FIRST)), most, SHARE_OF_FIRST_MATCH)
            }
            Some(largest) => {
                let next = self.needed((2 * largest).min(SIZES[SIZES.len() - 1]));
                // The games of tables teach less, so that those of the first network are twice as many.
                let growth = if self.networks().count() == 1 { 2.0 } else { 0.5 };
                let more = (self.positions as f64 * (1.0 + growth)) as u64;
                (seconds_for(next.max(more)), left * SHARE_OF_GAMES, SHARE_OF_MATCH)
            }
        };
        let play = play.clamp(left * 0.1, most);
        let hidden = self.size(self.positions + (play * rate) as u64);
        let last = self.networks().next_back().map_or(0, |made| made.number);
        let played_by = if self.state.best_hidden() > 0 { 0 } else { last };
        let test = Self::test(play, left * share, left);
        Plan { hidden, played_by, deeper: false, nodes: TRAINING_NODES, play, test }
    }

    /// The time of a match: as long as the games take, but no more than a share of the time that is left, and ten seconds
    /// or half of that at least.
    fn test(usual: f64, most: f64, left: f64) -> f64 {
        usual.min(most).max(left.min(20.0) * 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a whole learning with so many positions a second; `beats` says which generations are kept.
    fn run(total: f64, rate: f64, weights: u64, beats: impl Fn(u32) -> bool) -> Vec<Plan> {
        let mut state = State::new("chess", "", 1);
        let (mut plans, mut positions) = (Vec::new(), 0);
        loop {
            let outlook = Outlook { state: &state, total, weights_of_a_neuron: weights, positions };
            let Some(plan) = outlook.plan() else { return plans };
            assert!(plan.play > 0.0 && plan.test > 0.0, "{plan:?}");
            assert!(state.seconds + plan.play + plan.test <= total * 1.001, "{plan:?}");
            let number = state.generations.len() as u32 + 1;
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
                played_by: plan.played_by,
                deeper: plan.deeper,
                play_nodes: plan.nodes,
                positions: played,
                learned: if plan.deeper { played } else { positions },
                play_seconds: plan.play,
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
        let tables = [0, 1, 2, 3, 4, 5, 98].map(|generations| nodes_for_table(generations, 0));
        assert_eq!(tables, [200, 200, 400, 400, 800, 800, 800]);
        assert_eq!([2, 9].map(|vain| nodes_for_table(8, vain)), [1600, 1600]);
    }

    #[test]
    fn games_for_networks_are_foreseen_from_those_of_other_depths() {
        let mut state = State::new("chess", "", 1);
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
        let mut state = State::new("chess", "", 1);
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
        // After two of them each deepens the one before it.
        for (before, plan) in plans.iter().enumerate().skip(tables) {
            let is_deeper = before >= tables + 2;
            assert_eq!(plan.deeper, is_deeper, "{plans:?}");
            assert_eq!(plan.played_by, if is_deeper { before as u32 } else { 0 }, "{plans:?}");
            let nodes = [400, 400, 1000].get(before - tables).copied().unwrap_or(3000);
            assert_eq!(plan.nodes, nodes, "{plans:?}");
        }
        // Where positions come slowly, and weights are many, there is no network.
        let slow = run(3_600.0, 100.0, 4_000, |_| true);
        assert!(slow.iter().all(|plan| plan.hidden == 0), "{slow:?}");
    }

    #[test]
    fn networks_go_on_while_tables_are_better() {
        let plans = run(7_200.0, 4_000.0, 1_000, |number| number < 4);
        let tables = plans.iter().take_while(|plan| plan.hidden == 0).count();
        let networks = &plans[tables..];
        let number = |index: usize| (tables + index) as u32;
        // The first plays for the second, which is deepened three times; its last plays for a larger one.
        let expected = [(32, 0, 400), (64, 1, 400), (64, 2, 1000), (64, 3, 3000), (64, 4, 3000)];
        for (plan, (hidden, player, nodes)) in networks.iter().zip(expected) {
            let played_by = if player == 0 { 0 } else { number(player) };
            assert_eq!((plan.hidden, plan.played_by, plan.nodes), (hidden, played_by, nodes));
            assert_eq!(plan.deeper, nodes > 400);
        }
        let next = networks.get(5).expect("there is time");
        assert_eq!((next.hidden, next.played_by, next.deeper), (128, number(5), false));
    }

    #[test]
    fn a_network_that_was_begun_with_is_deepened() {
        let mut state = State::new("chess", "", 1);
        state.begun_hidden = 64;
        let plan = |state: &State| {
            let outlook = Outlook { state, total: 600.0, weights_of_a_neuron: 1_000, positions: 0 };
            outlook.plan().expect("there is time")
        };
        let summary = |plan: &Plan| (plan.hidden, plan.played_by, plan.deeper);
        let first = plan(&state);
        assert_eq!((summary(&first), first.nodes), ((64, 0, true), 3000));
        assert!((first.play - 90.0).abs() < 1e-9, "{first:?}");
        let made = Generation { number: 1, hidden: 64, deeper: true, learned: 1, ..<_>::default() };
        state.generations.push(made);
        assert_eq!(summary(&plan(&state)), (64, 0, true), "it was in vain");
        state.generations[0].kept = true;
        state.best = 1;
        assert_eq!(summary(&plan(&state)), (64, 1, true));
    }

    #[test]
    fn what_gains_no_more_is_trained_anew_or_has_more_games() {
        let network = |number, hidden, deeper, kept| Generation {
            number,
            hidden,
            deeper,
            kept,
            learned: 1_000_000,
            positions: 1_000_000,
            play_nodes: 400,
            play_seconds: 250.0,
            ..Generation::default()
        };
        let mut state = State::new("chess", "", 1);
        state.generations = vec![
            network(1, 32, false, true),
            network(2, 64, false, true),
            network(3, 64, true, true),
            network(4, 64, true, false),
        ];
        state.best = 3;
        let plan = |state: &State, positions, total| {
            let outlook = Outlook { state, total, weights_of_a_neuron: 1_000, positions };
            outlook.plan().expect("there is time")
        };
        let larger = plan(&state, 5_000_000, 7_200.0);
        assert_eq!((larger.hidden, larger.played_by, larger.deeper), (128, 0, false));
        let again = plan(&state, 5_000_000, 1_000.0);
        assert_eq!((again.hidden, again.played_by, again.deeper), (64, 3, true));
        assert_eq!([larger.nodes, again.nodes], [400, 3000]);
        // 0.3 of what the million took, and half as much again for what was in vain.
        assert!((again.play - 112.5).abs() < 1e-6, "{again:?}");
        // With these games a larger one would be fitted for twice 18 times as long as the second was.
        for (fit_seconds, is_larger) in [(79.0, true), (81.0, false)] {
            state.generations[1].fit_seconds = fit_seconds;
            let next = plan(&state, 5_000_000, 7_200.0);
            assert_eq!((next.hidden == 128, next.deeper), (is_larger, !is_larger), "{next:?}");
        }
    }

    #[test]
    fn after_a_first_network_in_vain_more_positions_bring_a_larger_one() {
        let mut state = State::new("chess", "", 1);
        let size = |state: &State, positions| {
            let outlook = Outlook { state, total: 7_200.0, weights_of_a_neuron: 1_000, positions };
            outlook.size(positions)
        };
        assert_eq!([size(&state, 1_500_000), size(&state, 9_000_000)], [16, 32]);
        let in_vain =
            |number, hidden| Generation { number, hidden, learned: 1, ..Generation::default() };
        state.generations.push(in_vain(1, 32));
        assert_eq!([size(&state, 3_000_000), size(&state, 9_000_000)], [32, 64]);
        state.generations.push(in_vain(2, 64));
        assert_eq!([size(&state, 7_000_000), size(&state, 9_000_000)], [64, 128]);
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
