//! The prior: weights of the linear evaluation for a game that nobody has trained. Each weight is a sum of bases – what the
//! piece type can do on this board, where the square lies, what the rules are – times coefficients that are the same for all
//! games, and were fitted to positions of many games at once (`examples/fit_prior.rs`).

mod traits;

use std::sync::{Arc, LazyLock};

use super::LinearEval;
use super::layout::{ATTACKERS, CHECKS, FLIGHTS, FORTRESSES, IN_HAND, Layout, SPARE};
use garrison_rules::{Color, File, PieceType, Position, Rank, Square, Variant};
use toml::{Table, Value};
use traits::{Traced, Traits, distance};

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

/// The groups of coefficients, by the terms that they are for, and their bases.
const GROUPS: [(&str, &[&str]); 33] = [
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
    ("tempo", ONE),
    ("attackers", EIGHT),
    ("attackers_hand", ONE),
    ("flights", SIX),
    ("fortresses", FOUR),
    ("fortress_exposed", FOUR),
    ("checks", THREE),
    ("spare", THREE),
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
fn offset(group: &str) -> usize {
    let before = GROUPS.iter().take_while(|(name, _)| *name != group);
    before.map(|(_, bases)| bases.len()).sum()
}

/// The bases of every term of a game.
#[derive(Debug)]
pub(crate) struct Design {
    /// By term: the bases that it has and how large they are.
    rows: Vec<Vec<(u16, f32)>>,
    drops: bool,
    giveaway: bool,
}

impl Design {
    /// Of a game; `hints`: whether the values that its definition writes count.
    pub fn new(variant: &Arc<Variant>, hints: bool) -> Design {
        let layout = Layout::new(variant);
        let start = Position::start(variant);
        let traced = Traced::new(variant, &start, hints);
        let mut builder = Builder {
            variant,
            layout: &layout,
            traced: &traced,
            rows: vec![Vec::new(); layout.terms],
        };
        for kind in variant.kinds() {
            builder.piece(kind);
            builder.relations(kind);
            builder.squares(kind);
        }
        builder.game();
        let rows = builder.rows;
        Design { rows, drops: traced.drops, giveaway: traced.giveaway }
    }

    /// The columns of the coefficients that count, for a phase (0 middle game, 1 end game).
    fn columns(&self, phase: usize) -> &'static [usize] {
        match (self.giveaway, self.drops, phase) {
            (true, _, 0) => &[4],
            (true, _, _) => &[5],
            (false, true, 0) => &[0, 2],
            (false, true, _) => &[1, 3],
            (false, false, 0) => &[0],
            (false, false, _) => &[1],
        }
    }

    /// The weights by coefficients, in centipawns.
    pub fn weights(&self, coefficients: &Coefficients) -> Vec<[f64; 2]> {
        let weight = |row: &[(u16, f32)], phase: usize| -> f64 {
            let columns = self.columns(phase);
            row.iter()
                .map(|&(basis, size)| {
                    let coefficient = &coefficients[usize::from(basis)];
                    f64::from(size) * columns.iter().map(|&at| coefficient[at]).sum::<f64>()
                })
                .sum()
        };
        self.rows.iter().map(|row| [weight(row, 0), weight(row, 1)]).collect()
    }

    /// Adds to the gradient by coefficients what follows from one by weights, times `factor`.
    pub fn add_gradient(&self, weights: &[[f64; 2]], factor: f64, gradient: &mut Coefficients) {
        for (row, pair) in self.rows.iter().zip(weights) {
            for &(basis, size) in row {
                for (phase, slope) in pair.iter().enumerate() {
                    for &column in self.columns(phase) {
                        gradient[usize::from(basis)][column] += factor * f64::from(size) * slope;
                    }
                }
            }
        }
    }

    /// Adds, by coefficient, how much of the curvature of the loss by each weight it has, as if terms were independent.
    pub fn add_curvature(&self, weights: &[[f64; 2]], factor: f64, curvature: &mut Coefficients) {
        for (row, pair) in self.rows.iter().zip(weights) {
            for &(basis, size) in row {
                for (phase, slope) in pair.iter().enumerate() {
                    for &column in self.columns(phase) {
                        curvature[usize::from(basis)][column] +=
                            factor * f64::from(size).powi(2) * slope;
                    }
                }
            }
        }
    }
}

/// Finds the bases of the terms of a game.
struct Builder<'a> {
    variant: &'a Variant,
    layout: &'a Layout,
    traced: &'a Traced,
    rows: Vec<Vec<(u16, f32)>>,
}

/// Slow pieces are those that attack no more squares on an empty board than on a full one: 1; a rook is 0.
fn slow(traits: &Traits) -> f64 {
    1.0 - traits.slides
}

impl Builder<'_> {
    /// The bases of a term, in the order of its group.
    fn set(&mut self, term: usize, group: &str, bases: &[f64]) {
        let first = offset(group);
        let Some(row) = self.rows.get_mut(term) else { return };
        for (index, &size) in bases.iter().enumerate() {
            if size != 0.0 && size.is_finite() {
                row.push(((first + index) as u16, size as f32));
            }
        }
    }

    /// One basis of a term.
    fn set_one(&mut self, term: usize, group: &str, index: usize) {
        let Some(row) = self.rows.get_mut(term) else { return };
        row.push(((offset(group) + index) as u16, 1.0));
    }

    fn flag(flag: bool) -> f64 {
        if flag { 1.0 } else { 0.0 }
    }

    /// What a piece type is worth on the board and in hand, and what its moves are.
    fn piece(&mut self, kind: PieceType) {
        let traits = &self.traced.kinds[kind.index()];
        let terms = self.layout.kinds[kind.index()];
        let pawn = Self::flag(self.layout.pawns.contains(kind));
        let royal = Self::flag(self.variant.royals().contains(kind));
        let value = traits.value;
        // A single royal is never exchanged.
        if self.variant.royal() != Some(kind) {
            let gives = Self::flag(self.layout.fortress_kinds.contains(kind));
            let bases = [
                1.0,
                value,
                traits.attack[0] / 4.0,
                traits.attack[1] / 4.0,
                traits.attack[2] / 4.0,
                traits.quiet[1] / 4.0,
                traits.quiet[2] / 4.0,
                traits.forward / 4.0,
                traits.backward / 4.0,
                traits.near / 4.0,
                traits.reach,
                traits.twice,
                traits.hops,
                traits.gain / 4.0,
                traits.gain * traits.nearness / 2.0,
                pawn,
                royal,
                gives,
            ];
            self.set(terms.value, "value", &bases);
        }
        let hand = [1.0, value, traits.attack[1] / 4.0, traits.near / 4.0, traits.gain / 4.0, pawn];
        for (number, group) in ["hand_1", "hand_2", "hand_3"].into_iter().enumerate() {
            if terms.hand != usize::MAX && number < IN_HAND {
                self.set(terms.hand + number, group, &hand);
            }
        }
        let moves = (traits.attack[1] + traits.quiet[1]) / 2.0;
        let scarce = (4.0 / moves.max(1.0)).min(3.0);
        let mobility =
            [1.0, traits.slides, traits.hops, value / 4.0, scarce, slow(traits), pawn, royal];
        self.set(terms.mobility, "mobility", &mobility);
        self.set(terms.boxed, "boxed", &mobility);
        let attack = [1.0, traits.slides, traits.hops, value / 4.0, traits.near / 4.0, pawn, royal];
        self.set(terms.royal_attack, "royal_attack", &attack);
    }

    /// What pieces have to do with others.
    fn relations(&mut self, kind: PieceType) {
        let traits = &self.traced.kinds[kind.index()];
        let terms = self.layout.kinds[kind.index()];
        let pawn = Self::flag(self.layout.pawns.contains(kind));
        let bases = [1.0, traits.value / 4.0, traits.slides, slow(traits), pawn];
        for (term, group) in [
            (terms.drop_check, "drop_check"),
            (terms.shelter, "shelter"),
            (terms.fortress_attack, "fortress_attack"),
            (terms.pawn_threat, "pawn_threat"),
            (terms.lesser_threat, "lesser_threat"),
            (terms.safe_check, "safe_check"),
            (terms.pair, "pair"),
            (terms.hanging, "hanging"),
            (terms.en_prise, "en_prise"),
        ] {
            self.set(term, group, &bases);
        }
        for (term, group) in [
            (terms.protected, "protected"),
            (terms.phalanx, "phalanx"),
            (terms.doubled, "doubled"),
            (terms.isolated, "isolated"),
            (terms.blocked, "blocked"),
        ] {
            self.set(term, group, &[1.0]);
        }
        if terms.passed == usize::MAX {
            return;
        }
        for rank in 0..self.variant.geometry().ranks() {
            let [one, three] = self.steps(kind, rank);
            let goal = self.goal_rank(kind, rank);
            let gain = self.traced.kinds[kind.index()].gain / 4.0;
            let bases = [1.0, one, three, one * gain, three * gain, goal[0], goal[1]];
            self.set(terms.passed + usize::from(rank), "passed", &bases);
        }
    }

    /// How near a rank is to the promotion zone, 1 in it and less with each rank before it: fast, slowly.
    fn steps(&self, kind: PieceType, rank: u8) -> [f64; 2] {
        let traits = &self.traced.kinds[kind.index()];
        let Some(color) = traits.color else { return [0.0; 2] };
        let geometry = self.variant.geometry();
        let zone = self.variant.promotion_zone(color, kind);
        let ahead = zone
            .map(|square| geometry.rank(geometry.relative(color, square)).0)
            .filter(|&there| there >= rank)
            .min();
        ahead.map_or([0.0; 2], |there| near(f64::from(there - rank)))
    }

    /// The same for ranks on which the piece type wins.
    fn goal_rank(&self, kind: PieceType, rank: u8) -> [f64; 2] {
        let Some(color) = self.traced.kinds[kind.index()].color else { return [0.0; 2] };
        let geometry = self.variant.geometry();
        let goals = self.traced.goals[kind.index()][color.index()];
        let ahead = goals
            .map(|square| geometry.rank(geometry.relative(color, square)).0)
            .filter(|&there| there >= rank)
            .min();
        ahead.map_or([0.0; 2], |there| near(f64::from(there - rank)))
    }

    fn squares(&mut self, kind: PieceType) {
        let first = self.layout.kinds[kind.index()].squares;
        let Some(color) = self.traced.kinds[kind.index()].color else { return };
        if first == usize::MAX {
            return;
        }
        let geometry = self.variant.geometry();
        let half = self.layout.half_files;
        for rank in 0..geometry.ranks() {
            for file in 0..half as u8 {
                let Some(square) = geometry.square(File(file), Rank(rank)) else { continue };
                let term = first + usize::from(rank) * half + usize::from(file);
                let place = self.place(kind, color, square, file, rank);
                if self.variant.royals().contains(kind) {
                    self.royal_square(term, kind, &place);
                } else if self.layout.pawns.contains(kind) {
                    self.pawn_square(term, kind, &place);
                } else {
                    self.officer_square(term, kind, &place);
                }
            }
        }
    }

    /// A square as its side sees it; `square` is as White does.
    fn place(&self, kind: PieceType, color: Color, square: Square, file: u8, rank: u8) -> Place {
        let geometry = self.variant.geometry();
        let traits = &self.traced.kinds[kind.index()];
        let middle = |at: u8, count: u8| {
            let mid = f64::from(count - 1) / 2.0;
            if mid > 0.0 { 1.0 - 2.0 * (f64::from(at) - mid).abs() / mid } else { 0.0 }
        };
        let ranks = geometry.ranks();
        let advance =
            if ranks > 1 { 2.0 * f64::from(rank) / f64::from(ranks - 1) - 1.0 } else { 0.0 };
        let mirrored = geometry.mirrored(square);
        let closeness = |royal: Option<Square>, side: Color| {
            let Some(royal) = royal.map(|royal| geometry.relative(side, royal)) else { return 0.0 };
            // Both wings share a term.
            let near = |at| 1.0 - f64::from(distance(self.variant, at, royal)) / 4.0;
            near(square).max(near(mirrored)).max(-1.0)
        };
        let [own, enemy] =
            [self.traced.royals[color.index()], self.traced.royals[(!color).index()]];
        let goals = self.traced.goals[kind.index()][color.index()];
        let goal = goals
            .map(|goal| distance(self.variant, geometry.relative(color, goal), square))
            .min()
            .map_or([0.0; 2], |steps| near(f64::from(steps)));
        Place {
            file_middle: middle(file, geometry.files()),
            rank_middle: middle(rank, ranks),
            advance,
            rank,
            start: Self::flag(traits.start.contains(square) || traits.start.contains(mirrored)),
            freedom: f64::midpoint(
                traits.freedom[square.index()],
                traits.freedom[mirrored.index()],
            ),
            own_royal: closeness(own, color),
            enemy_royal: closeness(enemy, color),
            steps: self.steps(kind, rank),
            in_zone: Self::flag(
                self.variant.promotion_zone(color, kind).contains(geometry.relative(color, square)),
            ),
            goal,
        }
    }

    fn officer_square(&mut self, term: usize, kind: PieceType, at: &Place) {
        let traits = &self.traced.kinds[kind.index()];
        let (value, slow, gain) = (traits.value / 4.0, slow(traits), traits.gain / 4.0);
        let advance_2 = at.advance * at.advance;
        let bases = [
            at.file_middle,
            at.rank_middle,
            at.advance,
            advance_2,
            at.start,
            at.freedom,
            at.enemy_royal,
            at.file_middle * value,
            at.rank_middle * value,
            at.advance * value,
            advance_2 * value,
            at.start * value,
            at.freedom * value,
            at.enemy_royal * value,
            at.file_middle * slow,
            at.rank_middle * slow,
            at.advance * slow,
            advance_2 * slow,
            at.start * slow,
            at.enemy_royal * slow,
            at.own_royal * slow,
            at.in_zone * gain,
            at.goal[0],
            at.goal[1],
        ];
        self.set(term, "squares_officer", &bases);
    }

    fn pawn_square(&mut self, term: usize, kind: PieceType, at: &Place) {
        let gain = self.traced.kinds[kind.index()].gain / 4.0;
        let bases = [
            at.file_middle,
            at.advance,
            at.advance * at.advance,
            at.advance * at.file_middle,
            at.start,
            at.start * at.file_middle,
            at.steps[0],
            at.steps[1],
            at.steps[0] * gain,
            at.steps[1] * gain,
            at.freedom,
            at.goal[0],
            at.goal[1],
        ];
        self.set(term, "squares_pawn", &bases);
    }

    fn royal_square(&mut self, term: usize, _: PieceType, at: &Place) {
        let home = Self::flag(at.rank == 0);
        let bases = [
            at.file_middle,
            at.rank_middle,
            at.advance,
            at.advance * at.advance,
            home,
            Self::flag(at.rank == 1),
            home * (1.0 - at.file_middle) / 2.0,
            at.start,
            at.freedom,
            at.goal[0],
            at.goal[1],
        ];
        self.set(term, "squares_royal", &bases);
    }

    /// The terms of no piece type.
    fn game(&mut self) {
        let layout = self.layout;
        self.set(layout.tempo, "tempo", &[1.0]);
        self.set(layout.attackers_hand, "attackers_hand", &[1.0]);
        let mut each = |first: usize, length: usize, group: &str| {
            for number in (0..length).filter(|_| first != usize::MAX) {
                self.set_one(first + number, group, number);
            }
        };
        each(layout.attackers, ATTACKERS, "attackers");
        each(layout.flights, FLIGHTS, "flights");
        each(layout.fortresses, FORTRESSES, "fortresses");
        each(layout.fortress_exposed, FORTRESSES, "fortress_exposed");
        each(layout.checks, CHECKS, "checks");
        each(layout.spare, SPARE, "spare");
    }
}

/// A square as a piece type of one side sees it. Middle and advance go from -1 to 1.
struct Place {
    file_middle: f64,
    rank_middle: f64,
    advance: f64,
    rank: u8,
    start: f64,
    freedom: f64,
    own_royal: f64,
    enemy_royal: f64,
    steps: [f64; 2],
    in_zone: f64,
    goal: [f64; 2],
}

/// 1 at a distance of 0, less with each step: fast, slowly.
fn near(steps: f64) -> [f64; 2] {
    [(-steps).exp(), (-steps / 3.0).exp()]
}

/// No weight is farther from nothing, in centipawns.
const MOST: f64 = 3_000.0;

/// The coefficients that ship with the program.
static SHIPPED: LazyLock<Coefficients> =
    // A test reads the file.
    LazyLock::new(|| parse(include_str!("../prior.toml")).unwrap_or_else(|_| untrained()));

/// No piece that can be captured is worth less on the board, in centipawns.
const LEAST: i32 = 15;

/// Where nothing that is captured comes to a hand, a piece there only waits for its place: it is worth no larger share of
/// what it is on the board.
const WAITING: f64 = 0.9;

/// The evaluation of a game by the coefficients that ship with the program.
pub(super) fn evaluation(variant: &Arc<Variant>) -> LinearEval {
    evaluation_by(variant, &SHIPPED, true)
}

/// The evaluation of a game by these coefficients; `hints`: whether the values that its definition writes count.
pub(crate) fn evaluation_by(
    variant: &Arc<Variant>,
    coefficients: &Coefficients,
    hints: bool,
) -> LinearEval {
    let design = Design::new(variant, hints);
    let by_design = weights_by(&design, coefficients);
    let linear = LinearEval::from_weights(variant, &by_design);
    // Where pieces are given away they may well be worth less than nothing.
    if design.giveaway {
        return linear;
    }
    let mut weights = by_design.clone();
    let is_placed_once = !design.drops && linear.layout().fortress_kinds.is_empty();
    for kind in variant.kinds() {
        let terms = linear.layout().kinds[kind.index()];
        let value = linear.piece_value(kind);
        let is_captured = variant.royal() != Some(kind) && terms.value < weights.len();
        if is_captured && value < LEAST {
            weights[terms.value].iter_mut().for_each(|weight| *weight += f64::from(LEAST - value));
        }
        if is_placed_once && terms.hand < weights.len() {
            let most = f64::from(value.max(LEAST)) * WAITING;
            let in_hand = weights[terms.hand..][..IN_HAND].iter_mut().flatten();
            in_hand.for_each(|weight| *weight = weight.min(most).round());
        }
    }
    if weights == by_design { linear } else { LinearEval::from_weights(variant, &weights) }
}

/// The weights of a game by these coefficients, as they are played with: whole centipawns, as files have them.
pub(crate) fn weights_by(design: &Design, coefficients: &Coefficients) -> Vec<[f64; 2]> {
    let clamp =
        |weight: f64| if weight.is_finite() { weight.clamp(-MOST, MOST).round() } else { 0.0 };
    design.weights(coefficients).into_iter().map(|pair| pair.map(clamp)).collect()
}

/// What a fit begins with: what pieces are worth by their definitions or moves, 3 for a move, 10 for the side to move.
pub(crate) fn untrained() -> Coefficients {
    let begin = |(group, basis): (&str, &str)| {
        let size = match (group, basis) {
            ("value", "value") => 60.0,
            ("hand_1" | "hand_2" | "hand_3", "value") => 60.0,
            ("mobility", "one") => 3.0,
            ("tempo", "one") => 10.0,
            _ => 0.0,
        };
        [size, size, 0.0, 0.0, 0.0, 0.0]
    };
    names().map(begin).collect()
}

/// Reads coefficients.
///
/// # Errors
/// What is wrong, in a line.
pub(crate) fn parse(text: &str) -> Result<Coefficients, String> {
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| error.message().to_string())?;
    let row = |(group, basis): (&str, &str)| {
        let value = table.get(group).and_then(|group| group.get(basis));
        let numbers =
            value.and_then(Value::as_array).map(|row| row.iter().filter_map(Value::as_float));
        let numbers: Vec<f64> = numbers.into_iter().flatten().collect();
        <[f64; COLUMNS]>::try_from(numbers)
            .map_err(|_| format!("'{group}.{basis}' must be a list of {COLUMNS} numbers"))
    };
    names().map(row).collect()
}

/// Coefficients as a person can read them, behind a comment.
pub(crate) fn to_text(comment: &[String], coefficients: &Coefficients) -> String {
    let mut text: String = comment.iter().map(|line| format!("# {line}\n")).collect();
    let mut last = "";
    for ((group, basis), row) in names().zip(coefficients) {
        if group != last {
            text += &format!("\n[{group}]\n");
            last = group;
        }
        let row: Vec<String> = row.iter().map(|number| format!("{:.2}", number + 0.0)).collect();
        text += &format!("{basis} = [{}]\n", row.join(", "));
    }
    text
}

#[cfg(test)]
mod tests;
