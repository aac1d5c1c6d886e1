//! Move ordering in stages, so that nothing is generated before it is needed: the transposition table's move,
//! good captures, killers and counter move, quiet moves and drops by their histories, bad captures.

use super::history::{History, PieceTo};
use super::search::{Technique, Techniques, params};
use super::see::ExchangeValues;
use garrison_rules::attacks::RoyalView;
use garrison_rules::{Move, MoveList, Position, Scope, Tag};

/// Whether a move captures or promotes.
#[inline]
pub(crate) fn is_tactical(position: &Position, mv: Move) -> bool {
    match mv.tag() {
        Tag::Setup | Tag::Drop | Tag::Pass | Tag::Castle | Tag::GateCastle => false,
        Tag::Promotion | Tag::EnPassant => true,
        Tag::Legs => mv.via() != mv.from(),
        Tag::Normal | Tag::DoubleStep | Tag::Gate => position.at(mv.to()).is_some(),
    }
}

/// Where tactical and quiet moves are ordered together, tactical ones have this much over any history.
pub(super) const TACTICAL_ORDER: i32 = 1 << 20;

/// What is to be tried next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    /// Killers and counter move, by index.
    Refutations(usize),
    GenerateQuiets,
    Quiets,
    BadCaptures,
    /// All moves in one stage: in check, and in the setup phase.
    GenerateAll,
    All,
    Done,
}

/// What moves are ordered by, beside the position.
pub(super) struct MoveOrdering<'a> {
    pub exchange_values: &'a ExchangeValues,
    pub history: &'a History,
    /// The moves one, two and four plies before.
    pub continuation: [PieceTo; 3],
    /// Killers and counter move.
    pub refutations: [Option<Move>; 3],
    /// The depth left, in plies: the deeper, the more of the bad quiet moves are sorted.
    pub depth: i32,
    pub techniques: Techniques,
}

/// Moves with their order, the higher the sooner.
pub(super) type ScoredMoves = Vec<(i32, Move)>;

/// The moves of one node, from the most promising to the least.
pub(super) struct Picker {
    stage: Stage,
    single_stage: bool,
    tt_move: Option<Move>,
    moves: ScoredMoves,
    /// The index of the next of `moves`.
    next: usize,
    bad_captures: ScoredMoves,
    skip_quiets: bool,
    /// Once quiet moves are generated.
    checks: Checks,
}

impl Picker {
    /// A picker that begins with `tt_move`, which must be legal. `lists` are buffers to be used again.
    pub fn new(tt_move: Option<Move>, single_stage: bool, lists: [ScoredMoves; 2]) -> Picker {
        let [mut moves, mut bad_captures] = lists;
        moves.clear();
        bad_captures.clear();
        let stage =
            if tt_move.is_some() { Stage::TtMove } else { Picker::generation(single_stage) };
        let (next, skip_quiets, checks) = (0, false, Checks(None));
        Picker { stage, single_stage, tt_move, moves, next, bad_captures, skip_quiets, checks }
    }

    /// The stage after the transposition table's move.
    fn generation(single_stage: bool) -> Stage {
        if single_stage { Stage::GenerateAll } else { Stage::GenerateCaptures }
    }

    /// Gives the buffers back.
    pub fn into_lists(self) -> [ScoredMoves; 2] {
        [self.moves, self.bad_captures]
    }

    /// Whether a quiet move that was generated gives check by the piece that moves, or is dropped. Killers and counter
    /// moves are not asked for it.
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        self.checks.has(position, mv)
    }

    /// Skips the quiet moves that are left.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move to be tried. Moves are generated into `buffer`.
    pub fn next(
        &mut self,
        position: &Position,
        ordering: &MoveOrdering<'_>,
        buffer: &mut MoveList,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Picker::generation(self.single_stage);
                    return self.tt_move;
                }
                Stage::GenerateCaptures => {
                    self.generate(position, &Scope::captures(position), buffer, |mv| {
                        capture_order(position, mv, ordering)
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.pick_best() {
                    Some((gain, mv)) => {
                        let threshold = -gain / params::order_capture_divisor();
                        if ordering.exchange_values.see_ge(position, mv, threshold) {
                            return Some(mv);
                        }
                        self.bad_captures.push((gain, mv));
                    }
                    None => self.stage = Stage::Refutations(0),
                },
                Stage::Refutations(index) => {
                    self.stage = match index {
                        _ if self.skip_quiets => Stage::GenerateQuiets,
                        2 => Stage::GenerateQuiets,
                        _ => Stage::Refutations(index + 1),
                    };
                    if let Some(mv) = self.refutation(position, index, ordering) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(position, ordering, buffer);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let quiet = self.moves.get(self.next).filter(|_| !self.skip_quiets);
                    if let Some(&(_, mv)) = quiet {
                        self.next += 1;
                        return Some(mv);
                    }
                    std::mem::swap(&mut self.moves, &mut self.bad_captures);
                    self.next = 0;
                    self.stage = Stage::BadCaptures;
                }
                Stage::GenerateAll => {
                    self.generate(position, &Scope::ALL, buffer, |mv| {
                        if is_tactical(position, mv) {
                            TACTICAL_ORDER + capture_order(position, mv, ordering)
                        } else {
                            quiet_order(position, mv, ordering)
                        }
                    });
                    self.stage = Stage::All;
                }
                Stage::BadCaptures | Stage::All => match self.pick_best() {
                    Some((_, mv)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Generates the moves of a scope with their order, except the transposition table's move.
    fn generate(
        &mut self,
        position: &Position,
        scope: &Scope,
        buffer: &mut MoveList,
        order: impl Fn(Move) -> i32,
    ) {
        buffer.clear();
        position.add_legal_moves(scope, buffer);
        self.moves.clear();
        self.next = 0;
        let others = buffer.iter().filter(|&&mv| Some(mv) != self.tt_move);
        self.moves.extend(others.map(|&mv| (order(mv), mv)));
    }

    /// Generates and sorts the quiet moves, except those tried as refutations.
    fn generate_quiets(
        &mut self,
        position: &Position,
        ordering: &MoveOrdering<'_>,
        buffer: &mut MoveList,
    ) {
        let checks = Checks::new(position, ordering);
        self.generate(position, &Scope::quiets(position), buffer, |mv| {
            quiet_order(position, mv, ordering) + checks.order(position, mv)
        });
        self.checks = checks;
        let refutations = ordering.refutations;
        self.moves.retain(|&(_, mv)| !refutations.contains(&Some(mv)));
        self.sort_above(-params::order_sort_factor() * ordering.depth);
    }

    /// Takes the best of the moves that are left.
    fn pick_best(&mut self) -> Option<(i32, Move)> {
        let best = take_best(&mut self.moves, self.next)?;
        self.next += 1;
        Some(best)
    }

    /// Sorts the moves of at least this order to the front; the others follow unsorted.
    fn sort_above(&mut self, threshold: i32) {
        let mut sorted = 0;
        for at in 0..self.moves.len() {
            if self.moves[at].0 >= threshold {
                self.moves.swap(sorted, at);
                sorted += 1;
            }
        }
        self.moves[..sorted].sort_by_key(|entry| -entry.0);
    }

    /// A killer or the counter move, if it is a quiet legal move here that was not tried before.
    fn refutation(
        &self,
        position: &Position,
        index: usize,
        ordering: &MoveOrdering<'_>,
    ) -> Option<Move> {
        let mv = ordering.refutations[index]?;
        let new = Some(mv) != self.tt_move && !ordering.refutations[..index].contains(&Some(mv));
        (new && !is_tactical(position, mv) && position.is_legal(mv)).then_some(mv)
    }
}

/// Swaps the best of the moves from `next` on to that place, and returns it; the first of several.
#[inline]
pub(super) fn take_best(moves: &mut [(i32, Move)], next: usize) -> Option<(i32, Move)> {
    let mut best = next;
    for at in next + 1..moves.len() {
        if moves[at].0 > moves[best].0 {
            best = at;
        }
    }
    let found = *moves.get(best)?;
    moves.swap(next, best);
    Some(found)
}

/// The order of a capture: what it gains, and its history.
fn capture_order(position: &Position, mv: Move, ordering: &MoveOrdering<'_>) -> i32 {
    let gain = ordering.exchange_values.move_gain(position, mv);
    if !ordering.techniques.has(Technique::CaptureHistory) {
        return gain;
    }
    gain + ordering.history.capture(position, mv) / params::order_capture_history()
}

/// The order of a quiet move or a drop, and of a promotion or en-passant capture among them.
fn quiet_order(position: &Position, mv: Move, ordering: &MoveOrdering<'_>) -> i32 {
    let history = ordering.history;
    let mut order = 0;
    if ordering.techniques.has(Technique::History) {
        order += history.quiet(position.side_to_move(), mv);
    }
    if ordering.techniques.has(Technique::Continuation) {
        let piece_to = history.piece_to(position, mv);
        let [one, two, four] = ordering.continuation;
        order += history.continuation(one, piece_to)
            + history.continuation(two, piece_to)
            + history.continuation(four, piece_to) * params::continuation_four_plies() / 100;
    }
    match mv.tag() {
        Tag::Promotion => {
            let gain = ordering.exchange_values.move_gain(position, mv).max(0);
            order + params::order_promotion() + gain * params::order_promotion_weight()
        }
        Tag::EnPassant => order + params::order_en_passant(),
        _ => order,
    }
}

/// How the enemy royal is attacked; `None` if checks have no order of their own.
#[derive(Clone, Copy)]
struct Checks(Option<RoyalView>);

impl Checks {
    fn new(position: &Position, ordering: &MoveOrdering<'_>) -> Checks {
        let wanted = ordering.techniques.has(Technique::CheckOrder);
        Checks(position.royal_view(!position.side_to_move()).filter(|_| wanted))
    }

    /// Whether the piece that moves, or is dropped, gives check.
    #[inline]
    fn has(&self, position: &Position, mv: Move) -> bool {
        let Some(view) = &self.0 else { return false };
        let kind = match mv.tag() {
            Tag::Drop => Some(mv.becomes()),
            _ => position.at(mv.from()).map(|piece| piece.kind()),
        };
        let gives = |kind| position.drop_check_squares(position.side_to_move(), kind, view);
        kind.is_some_and(|kind| gives(kind).contains(mv.to()))
    }

    /// What a quiet move has over others if the piece that moves, or is dropped, gives check.
    #[inline]
    fn order(&self, position: &Position, mv: Move) -> i32 {
        if self.has(position, mv) { params::order_check() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::catalogue::builtin_names;
    use garrison_rules::random::SplitMix;
    use garrison_rules::{Position, find};

    /// All moves that the picker returns.
    fn picked(
        position: &Position,
        tt_move: Option<Move>,
        ordering: &MoveOrdering<'_>,
    ) -> Vec<Move> {
        let single_stage = position.is_check() || position.setup_phase().is_pending();
        let mut picker = Picker::new(tt_move, single_stage, Default::default());
        let mut buffer = MoveList::new();
        std::iter::from_fn(|| picker.next(position, ordering, &mut buffer)).collect()
    }

    #[test]
    fn the_picker_returns_every_legal_move_once() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let history = History::new(&variant);
            let values = ExchangeValues::new(&variant, |kind| variant.piece(kind).value, |_| 100);
            let mut random = SplitMix::new(11);
            let mut position = Position::start(&variant);
            let mut earlier: Vec<Move> = Vec::new();
            for _ in 0..120 {
                let mut legal = position.legal_moves().to_vec();
                if legal.is_empty() || position.status().outcome().is_some() {
                    break;
                }
                let mv = legal[random.below(legal.len())];
                // Moves of other positions may be illegal here, or captures.
                let old = |n: usize| earlier.len().checked_sub(n).map(|at| earlier[at]);
                let ordering = MoveOrdering {
                    exchange_values: &values,
                    history: &history,
                    continuation: [history.no_piece_to(); 3],
                    refutations: [old(2), old(4), Some(legal[0])],
                    depth: 3,
                    techniques: Techniques::default(),
                };
                for tt_move in [None, Some(mv)] {
                    let mut picked = picked(&position, tt_move, &ordering);
                    if tt_move.is_some() {
                        assert_eq!(picked.first(), tt_move.as_ref());
                    }
                    picked.sort_unstable();
                    legal.sort_unstable();
                    assert_eq!(picked, legal, "{name} {}", position.fen());
                }
                earlier.push(mv);
                position.make(mv);
            }
        }
    }
}
