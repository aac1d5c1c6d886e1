//! The names of the coefficients of the prior: groups, by the terms that they are for, and the bases of each.

/// Bases of groups that several piece types share.
const ONE: &[&str] = &["one"];
const VALUE: &[&str] = &[
    "one",
    "value",
    "attack_0",
    "attack_25",
    "attack_50",
    "quiet_25",
    "quiet_50",
    "forward",
    "backward",
    "near",
    "reach",
    "twice",
    "hops",
    "gain",
    "gain_near",
    "pawn",
    "royal",
    "captured_gives",
];
const HAND: &[&str] = &["one", "value", "attack_25", "near", "gain", "pawn"];
const OFFICER_SQUARES: &[&str] = &[
    "file_middle",
    "rank_middle",
    "advance",
    "advance_2",
    "start",
    "freedom",
    "enemy_royal",
    "file_middle_value",
    "rank_middle_value",
    "advance_value",
    "advance_2_value",
    "start_value",
    "freedom_value",
    "enemy_royal_value",
    "file_middle_slow",
    "rank_middle_slow",
    "advance_slow",
    "advance_2_slow",
    "start_slow",
    "enemy_royal_slow",
    "own_royal_slow",
    "zone_gain",
    "goal_1",
    "goal_3",
];
const PAWN_SQUARES: &[&str] = &[
    "file_middle",
    "advance",
    "advance_2",
    "advance_file_middle",
    "start",
    "start_file_middle",
    "steps_1",
    "steps_3",
    "steps_1_gain",
    "steps_3_gain",
    "freedom",
    "goal_1",
    "goal_3",
];
const ROYAL_SQUARES: &[&str] = &[
    "file_middle",
    "rank_middle",
    "advance",
    "advance_2",
    "home",
    "second",
    "home_edge",
    "start",
    "freedom",
    "goal_1",
    "goal_3",
];
const MOBILITY: &[&str] = &["one", "slides", "hops", "value", "scarce", "slow", "pawn", "royal"];
const ATTACK: &[&str] = &["one", "slides", "hops", "value", "near", "pawn", "royal"];
const OF_PIECE: &[&str] = &["one", "value", "slides", "slow", "pawn"];
const PASSED: &[&str] =
    &["one", "steps_1", "steps_3", "steps_1_gain", "steps_3_gain", "goal_1", "goal_3"];
const EIGHT: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7"];
const SIX: &[&str] = &["0", "1", "2", "3", "4", "5"];
const THREE: &[&str] = &["0", "1", "2"];
const FOUR: &[&str] = &["0", "1", "2", "3"];
const FIVE: &[&str] = &["0", "1", "2", "3", "4"];

/// The groups of coefficients, by the terms that they are for, and their bases.
const GROUPS: [(&str, &[&str]); 39] = [
    ("value", VALUE),
    ("hand_1", HAND),
    ("hand_2", HAND),
    ("hand_3", HAND),
    ("squares_officer", OFFICER_SQUARES),
    ("squares_pawn", PAWN_SQUARES),
    ("squares_royal", ROYAL_SQUARES),
    ("mobility", MOBILITY),
    ("boxed", MOBILITY),
    ("royal_attack", ATTACK),
    ("drop_check", OF_PIECE),
    ("shelter", OF_PIECE),
    ("fortress_attack", OF_PIECE),
    ("pawn_threat", OF_PIECE),
    ("lesser_threat", OF_PIECE),
    ("safe_check", OF_PIECE),
    ("pair", OF_PIECE),
    ("hanging", OF_PIECE),
    ("en_prise", OF_PIECE),
    ("protected", ONE),
    ("phalanx", ONE),
    ("doubled", ONE),
    ("isolated", ONE),
    ("passed", PASSED),
    ("blocked", ONE),
    ("passed_free", PASSED),
    ("escort", PASSED),
    ("tempo", ONE),
    ("attackers", EIGHT),
    ("attackers_hand", ONE),
    ("flights", SIX),
    ("fortresses", FOUR),
    ("fortress_exposed", FOUR),
    ("checks", THREE),
    ("safe_checks", THREE),
    ("unsafe_checks", THREE),
    ("check_squares", THREE),
    ("spare", THREE),
    ("race", FIVE),
];

/// The columns of a coefficient: in centipawns for middle game and end game, in all games; what is added to them in games
/// in which captured pieces go to hands; and both in games that are won by losing pieces, in place of the others.
pub(crate) const COLUMNS: usize = 6;

/// Coefficients, by group and basis.
pub(crate) type Coefficients = Vec<[f64; COLUMNS]>;

/// The names of group and basis of each coefficient.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    GROUPS.iter().flat_map(|&(group, bases)| bases.iter().map(move |&basis| (group, basis)))
}

/// Where the bases of a group begin.
pub(super) fn offset(group: &str) -> usize {
    let before = GROUPS.iter().take_while(|(name, _)| *name != group);
    before.map(|(_, bases)| bases.len()).sum()
}
