//! Every constant of the search, its ordering, its histories and its time management, with the range that a
//! tuner may vary it in.
//!
//! Each constant is a function without arguments that returns its default and costs nothing. Margins are in
//! centipawns, depths in plies, reductions in 1/1024 ply, histories in units of [`history_max`]; percentages
//! and hundredths say so. Sizes of tables and encodings are no parameters and stand where they are used.
//!
//! In a build with the feature `tuning` the functions read variables, which `set` changes: those are options of
//! UCI there, and `garrison spsa` varies them.

#[cfg(feature = "tuning")]
use std::sync::atomic::{AtomicI32, Ordering};

/// A constant of the search as a tuner needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name, the same in code and in a tuner's output.
    pub name: &'static str,
    /// What it is for, in one sentence.
    pub description: &'static str,
    /// The value that the program uses.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// The change that a tuner tries first (`c_end` of SPSA).
    pub step: i32,
}

/// Declares the constants: description, name, default, range and step.
macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        $(
            $(#[doc = $doc])+
            #[cfg(not(feature = "tuning"))]
            #[inline]
            pub(in crate::engine) const fn $name() -> i32 {
                $default
            }

            $(#[doc = $doc])+
            #[cfg(feature = "tuning")]
            #[inline]
            pub(in crate::engine) fn $name() -> i32 {
                values::$name.load(Ordering::Relaxed)
            }
        )*

        /// What the constants are set to, under their names.
        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals)]
        mod values {
            use super::AtomicI32;

            $(pub static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// The same in the order of [`ALL`].
        #[cfg(feature = "tuning")]
        const VALUES: &[&AtomicI32] = &[$(&values::$name),*];

        /// Every constant, in the order of its declaration.
        const ALL: &[Param] = &[$(Param {
            name: stringify!($name),
            description: concat!($($doc),+).trim_ascii_start(),
            default: $default,
            min: $min,
            max: $max,
            step: $step,
        }),*];
    };
}

/// Every constant of the search that can be tuned.
pub fn all() -> &'static [Param] {
    ALL
}

/// Sets a constant for all searches that begin after it, and returns whether there is one of this name. What is kept
/// from earlier searches, such as histories, was made with the old value.
#[cfg(feature = "tuning")]
pub fn set(name: &str, value: i32) -> bool {
    let at = ALL.iter().position(|param| param.name == name);
    let (Some(param), Some(variable)) = (at.map(|at| &ALL[at]), at.map(|at| VALUES[at])) else {
        return false;
    };
    variable.store(value.clamp(param.min, param.max), Ordering::Relaxed);
    true
}

/// A number of hundredths as a factor.
#[inline]
pub(in crate::engine) fn hundredths(value: i32) -> f64 {
    f64::from(value) / 100.0
}

// Aspiration windows.
params! {
    /// Half the width of the first aspiration window, in centipawns.
    aspiration_window: 9, 2..=30, 2;
    /// The least depth of an iteration that begins with an aspiration window.
    aspiration_min_depth: 5, 2..=10, 1;
    /// Growth of the aspiration window after a fail low or high, in percent.
    aspiration_growth: 60, 10..=200, 10;
    /// Growth of the aspiration window beside the percentage, in centipawns.
    aspiration_growth_base: 2, 1..=15, 1;
    /// Beyond this half width the window is opened to infinity, in centipawns.
    aspiration_max_window: 500, 100..=2000, 50;
    /// The most plies taken off the depth after repeated fail highs.
    aspiration_max_reduction: 3, 0..=6, 1;

    /// The greatest depth at which razoring is tried.
    razor_max_depth: 3, 1..=8, 1;
    /// Razoring margin at depth 0, in centipawns.
    razor_base: 110, 25..=300, 15;
    /// Razoring margin for each squared ply of depth, in centipawns.
    razor_factor: 90, 25..=200, 10;

    /// The greatest depth at which reverse futility pruning is tried.
    reverse_futility_max_depth: 8, 3..=14, 1;
    /// Reverse futility margin for each ply, in centipawns.
    reverse_futility_factor: 28, 15..=100, 4;
    /// The least reverse futility margin, in centipawns.
    reverse_futility_min_margin: 10, 0..=50, 3;
    /// The weight of beta beside that of the evaluation, which is 1, in the score returned.
    reverse_futility_beta_weight: 2, 0..=8, 1;

    /// The least depth at which a null move is tried.
    null_move_min_depth: 3, 1..=6, 1;
    /// Null move reduction at depth 0, in plies.
    null_move_reduction: 3, 2..=6, 1;
    /// One more ply of null move reduction for each so many plies of depth.
    null_move_depth_divisor: 3, 2..=8, 1;
    /// One more ply of null move reduction for each so many centipawns above beta.
    null_move_eval_divisor: 90, 30..=200, 10;
    /// The most plies of null move reduction by the evaluation.
    null_move_max_eval_reduction: 3, 1..=6, 1;
    /// How far above beta the static evaluation must be for a null move at depth 0, in centipawns.
    null_move_static_margin: 30, -25..=150, 8;
    /// By how many centipawns that margin shrinks with each ply of depth.
    null_move_static_factor: 10, 0..=30, 2;
    /// The least number of pieces beside royals and pawns for a null move, unless there is a hand.
    null_move_min_pieces: 2, 1..=4, 1;
    /// From this depth on a null move's fail high is verified by a search without null moves.
    null_move_verification_depth: 12, 6..=20, 1;
    /// For how much of its depth the verification search does without null moves, in percent.
    null_move_verification_plies: 75, 30..=100, 8;
    /// The least depth that is counted for that, in plies.
    null_move_verification_min: 4, 1..=8, 1;

    /// The greatest depth at which late moves are pruned by their number.
    late_move_pruning_max_depth: 8, 3..=12, 1;
    /// The quiet moves that are searched at depth 0 where the evaluation improves.
    late_move_pruning_base: 6, 2..=20, 1;
    /// The moves added for each squared ply of depth, in hundredths.
    late_move_pruning_factor: 190, 50..=300, 15;
    /// How many of these moves are searched where the evaluation does not improve, in percent.
    late_move_pruning_not_improving: 50, 20..=100, 6;

    /// The greatest depth, after reduction, at which quiet moves are pruned by the evaluation.
    futility_max_depth: 7, 3..=12, 1;
    /// How far below alpha the evaluation must be for that at depth 0, in centipawns.
    futility_base: 55, 10..=150, 8;
    /// What each ply of reduced depth adds to it, in centipawns.
    futility_factor: 45, 15..=125, 6;

    /// The history that adds a ply to the depth by which quiet moves are pruned.
    prune_history_divisor: 8000, 2000..=30000, 500;

    /// The least depth at which ProbCut is tried.
    prob_cut_min_depth: 5, 3..=8, 1;
    /// How far above beta a capture must be, in centipawns.
    prob_cut_margin: 75, 40..=200, 8;
    /// How many plies less deep the capture is searched.
    prob_cut_reduction: 4, 2..=5, 1;

    /// The least depth of a node that is reduced for want of a move of the transposition table.
    internal_reduction_min_depth: 3, 2..=8, 1;

    /// The greatest depth at which moves that lose material are pruned.
    see_pruning_max_depth: 7, 3..=12, 1;
    /// What a capture may lose for each ply of depth, in centipawns.
    see_capture_margin: 41, 15..=125, 5;
    /// The capture history that counts as one centipawn there.
    see_capture_history: 120, 20..=800, 16;
    /// What a quiet move may lose for each squared ply of reduced depth, in centipawns.
    see_quiet_margin: 17, 4..=40, 2;

    /// The least depth at which the transposition table's move is tested for a singular extension.
    singular_min_depth: 7, 4..=10, 1;
    /// By how many plies the stored depth may be less than the depth of the node.
    singular_depth_margin: 3, 1..=5, 1;
    /// How much worse all other moves must be for each ply of depth, in centipawns.
    singular_margin: 1, 1..=3, 1;
    /// The depth of the singular search is that of the node divided by this.
    singular_depth_divisor: 2, 2..=4, 1;
    /// Beyond so many times the iteration's depth no move is extended.
    singular_ply_factor: 2, 1..=4, 1;
    /// How much worse still the others must be for an extension by two plies, in centipawns.
    double_extension_margin: 10, 0..=30, 2;
    /// The most extensions by two plies in a line.
    max_double_extensions: 6, 0..=16, 1;
    /// The reduction of a move that is not singular, where its stored score is above beta, in plies.
    singular_beta_reduction: 2, 0..=3, 1;
    /// The reduction of a move that is not singular at a cut node, in plies.
    singular_cut_node_reduction: 1, 0..=3, 1;

    /// The least depth at which late moves are reduced.
    lmr_min_depth: 2, 1..=5, 1;
    /// Reductions apply to tactical moves only beyond this number, except at cut nodes.
    lmr_tactical_move_count: 3, 1..=10, 1;
    /// The constant of the reduction formula, in hundredths of a ply.
    lmr_base: 62, 0..=200, 10;
    /// The divisor of ln(depth) ln(number) in the reduction formula, in hundredths.
    lmr_divisor: 215, 120..=400, 15;
    /// Less reduction at a PV node, in 1/1024 ply.
    lmr_pv: 1024, 0..=2048, 128;
    /// More reduction at a cut node, in 1/1024 ply.
    lmr_cut_node: 1024, 0..=3072, 128;
    /// Less reduction where the position was once on a principal variation, in 1/1024 ply.
    lmr_tt_pv: 1024, 0..=2048, 128;
    /// Less reduction for a move that gives check, in 1/1024 ply.
    lmr_gives_check: 700, 0..=2048, 128;
    /// Less reduction for a move out of check, in 1/1024 ply.
    lmr_in_check: 450, 0..=2048, 128;
    /// More reduction where the evaluation does not improve, in 1/1024 ply.
    lmr_not_improving: 700, 0..=2048, 128;
    /// More reduction for a quiet move where the transposition table's move is tactical, in 1/1024 ply.
    lmr_tactical_tt_move: 860, 0..=2048, 128;
    /// More reduction where many children failed high, in 1/1024 ply.
    lmr_child_cutoffs: 800, 0..=2048, 128;
    /// How many fail highs of children are not yet many.
    lmr_child_cutoff_count: 3, 0..=8, 1;
    /// Less reduction for a killer move, in 1/1024 ply.
    lmr_killer: 700, 0..=2048, 128;
    /// The history that takes one ply off a reduction.
    lmr_history_divisor: 9000, 3000..=20000, 800;
    /// The capture history that takes one ply off the reduction of a capture.
    lmr_capture_history_divisor: 7000, 2000..=20000, 800;

    /// The least reduction, in plies, with which a node is searched deeper if the move before it lost nothing.
    hindsight_deeper_reduction: 3, 1..=6, 1;
    /// A reduced node is searched less deep if the move before it lost more than this, in centipawns.
    hindsight_less_margin: 55, 10..=125, 8;

    /// The greatest value of a history.
    history_max: 16384, 4096..=32000, 1500;
    /// The bonus of a history for each ply of depth.
    history_bonus_linear: 140, 0..=300, 20;
    /// The bonus of a history for each squared ply of depth.
    history_bonus_quadratic: 16, 1..=60, 4;
    /// The greatest bonus of a history.
    history_bonus_max: 1700, 500..=4000, 200;
    /// The malus of a history, in percent of the bonus.
    history_malus: 125, 30..=250, 12;
    /// The bonus of a quiet move which a fail low follows, in percent of the other bonus.
    prior_move_bonus: 60, 0..=150, 12;
    /// The share of continuation history four plies back, in ordering and in updates, in percent.
    continuation_four_plies: 50, 0..=100, 8;
    /// The greatest correction of the static evaluation, in 1/256 centipawn.
    correction_max: 4096, 1024..=12000, 512;
    /// The share of the greatest correction by which one search may change it, as a divisor.
    correction_max_step_divisor: 4, 2..=16, 1;
    /// An error of the static evaluation counts as its size times depth divided by this.
    correction_divisor: 8, 2..=32, 2;

    /// The capture history that counts as one centipawn in the order of captures.
    order_capture_history: 80, 20..=400, 20;
    /// A capture is tried early if it loses no more than its own gain divided by this.
    order_capture_divisor: 4, 1..=16, 1;
    /// What a quiet promotion has over a quiet move, in units of the histories.
    order_promotion: 8000, 0..=20000, 1000;
    /// What each centipawn gained by a quiet promotion adds to that.
    order_promotion_weight: 48, 0..=200, 12;
    /// What an en-passant capture has over a quiet move, in units of the histories.
    order_en_passant: 8000, 0..=20000, 1000;
    /// What a check has over another quiet move, in units of the histories.
    order_check: 7000, 0..=16000, 800;
    /// Quiet moves are sorted down to minus this for each ply of depth, in units of the histories.
    order_sort_factor: 2500, 500..=6000, 300;

    /// Delta pruning: a capture must come within this of alpha, in centipawns.
    quiescence_delta: 80, 25..=200, 10;
    /// The most quiet replies to a check, once one reply is known not to lose at once.
    quiescence_evasions: 2, 1..=6, 1;
    /// The plies of quiescence search in which captures that must be made and threats of wins without mate leave no choice.
    quiescence_forced_plies: 6, 0..=32, 1;
    /// The weight of what a capture gains against the value of the piece that captures.
    quiescence_gain_weight: 16, 2..=32, 2;

    /// How many plies of depth one generation of age counts when an entry is replaced.
    tt_age_weight: 4, 1..=10, 1;
    /// An entry of the same position is kept if it is deeper by more than so many plies.
    tt_depth_margin: 3, 0..=8, 1;
    /// No cutoffs by the transposition table within so many plies of the end by move count.
    tt_move_count_margin: 20, 4..=40, 4;

    /// The least number of nodes with which the mate search begins.
    mate_search_min_nodes: 1000, 100..=10000, 400;
    /// The nodes of the iterations before the mate search takes a share, where no win is in sight.
    mate_search_free_nodes: 150000, 20000..=500000, 20000;
    /// Nodes of the mate search once a win is known, in sixteenths of those of the iterations.
    mate_search_win_share: 64, 8..=128, 8;
    /// The same, where the limits ask for a mate.
    mate_search_asked_share: 48, 8..=128, 8;
    /// The same, where the score is above [`mate_search_good_score`].
    mate_search_good_share: 32, 2..=96, 4;
    /// The same, for any other score that is no loss.
    mate_search_share: 1, 0..=8, 1;
    /// The score at which a mate is likely, in centipawns.
    mate_search_good_score: 300, 100..=750, 40;
    /// The least number of nodes with which the search for a win by checks begins, or goes on.
    proof_search_min_nodes: 300, 50..=3000, 100;
    /// The first nodes of the search for a win by checks, of which it may spend four times those of the iterations.
    proof_search_first_nodes: 120000, 10000..=400000, 10000;
    /// Its nodes beyond them, in sixteenths of those of the iterations.
    proof_search_share: 8, 1..=64, 4;
    /// What a tactical move has over a quiet one in the mate search, in units of the histories.
    mate_search_order_tactical: 4000, 0..=16000, 800;

    /// The moves expected to come, in percent of the plies that a game lasts.
    time_moves_to_come: 40, 20..=80, 4;
    /// The fewest moves that are expected to come.
    time_min_moves_to_come: 20, 8..=40, 2;
    /// The most moves that are expected to come.
    time_max_moves_to_come: 70, 30..=120, 5;
    /// The most moves to the next time control that are counted.
    time_max_moves_to_go: 50, 20..=80, 4;
    /// What is never planned to be spent, in milliseconds.
    time_reserve: 80, 20..=300, 15;
    /// The share of the increment that is planned to be spent, in percent.
    time_increment: 90, 50..=100, 4;
    /// The share of byoyomi that is planned to be spent, in percent.
    time_byoyomi: 80, 50..=100, 4;
    /// The most of the clock that one move may take, as a divisor.
    time_max_clock_divisor: 4, 2..=10, 1;
    /// The most of the clock that the last move before a time control may take, in percent.
    time_last_move: 90, 50..=95, 4;
    /// How many times the optimum a move may take.
    time_stretch: 4, 2..=8, 1;
    /// With this share of the optimum gone no iteration begins, in percent.
    time_iteration_start: 85, 40..=120, 5;
    /// The factor of the optimum for a best move that has just changed, in hundredths.
    time_stability_base: 125, 90..=200, 6;
    /// By how much it falls with each iteration that keeps the best move, in hundredths.
    time_stability_step: 7, 0..=15, 1;
    /// The most iterations that are counted for that.
    time_stability_max: 8, 3..=15, 1;
    /// The greatest rise of the score that shortens a move, in centipawns: each is one percent.
    time_max_score_rise: 20, 0..=60, 4;
    /// The greatest fall of the score that lengthens a move, in centipawns: each is one percent.
    time_max_score_fall: 60, 20..=150, 8;
    /// The weight of earlier iterations, beside that of the last one, which is 1, in the average score.
    time_score_average_weight: 3, 1..=9, 1;
    /// The factor of the optimum for a best move without effort, in hundredths.
    time_effort_base: 160, 110..=220, 8;
    /// By how much it falls where all nodes went to the best move, in hundredths.
    time_effort_weight: 90, 20..=150, 8;
    /// The least depth at which effort counts.
    time_effort_min_depth: 6, 3..=12, 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn defaults_are_in_range_and_steps_are_useful() {
        for param in all() {
            let Param { name, default, min, max, step, .. } = *param;
            assert!(min < max && (min..=max).contains(&default), "{name}");
            assert!(step >= 1 && step <= (max - min) / 2, "{name}: step {step}");
        }
    }

    #[test]
    fn names_are_unique_and_described() {
        let names: HashSet<_> = all().iter().map(|param| param.name).collect();
        assert_eq!(names.len(), all().len());
        for param in all() {
            assert!(param.description.ends_with('.'), "{}", param.name);
            assert!(!param.description.starts_with(' '), "{}", param.name);
        }
    }

    #[test]
    fn a_declared_constant_is_listed_with_its_value() {
        let listed =
            |name| all().iter().find(|param| param.name == name).map(|param| param.default);
        assert_eq!(listed("aspiration_window"), Some(aspiration_window()));
        assert_eq!(listed("time_reserve"), Some(time_reserve()));
    }

    #[cfg(feature = "tuning")]
    #[test]
    fn a_constant_is_set_within_its_range() {
        // One that no other test reads.
        assert!(set("tt_move_count_margin", 30));
        assert_eq!(tt_move_count_margin(), 30);
        assert!(set("tt_move_count_margin", 1000));
        assert_eq!(tt_move_count_margin(), 40);
        assert!(set("tt_move_count_margin", 20) && !set("nothing", 1));
    }
}
