//! The order in which moves are tried, in stages, so that nothing is generated before it is needed:
//! the table's move, captures that win, moves that were good elsewhere, quiet moves and drops by
//! their histories, captures that lose.

use super::exchange::Worth;
use super::history::{Arrival, History};
use garrison_rules::{Bitboard, MAX_PIECE_TYPES, Move, MoveList, Position, Scope, Tag};

/// Whether a move takes a piece or makes one of another kind.
#[inline]
pub(crate) fn is_tactical(position: &Position, mv: Move) -> bool {
    match mv.tag() {
        Tag::Setup | Tag::Drop | Tag::Pass | Tag::Castle => false,
        Tag::Promotion | Tag::EnPassant => true,
        Tag::Normal | Tag::DoubleStep => position.at(mv.to()).is_some(),
    }
}

/// What is left to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    Captures,
    GoodCaptures,
    Refutations(usize),
    Quiets,
    GoodQuiets,
    BadCaptures,
    /// All moves at once, where the royal is attacked or a setup is to be made.
    Together,
    Rest,
    Done,
}

/// What the order goes by beside the position.
pub(super) struct Guide<'a> {
    pub worth: &'a Worth,
    pub history: &'a History,
    /// The arrivals one, two and four plies before.
    pub before: [Arrival; 3],
    /// Killers and counter move.
    pub refutations: [Option<Move>; 3],
    /// The depth, by which it is decided how many of the bad quiet moves are sorted.
    pub depth: i32,
    pub uses_quiet: bool,
    pub uses_continuation: bool,
    pub uses_checks: bool,
}

/// Moves with their places in the order.
type Scored = Vec<(i32, Move)>;

/// The stages of one node.
pub(super) struct Picker {
    stage: Stage,
    table: Option<Move>,
    left: Scored,
    /// The next of `left`.
    next: usize,
    bad: Scored,
    skip_quiets: bool,
}

/// The order of a quiet promotion is that of a good quiet move, plus this for each centipawn.
const PROMOTION_WEIGHT: i32 = 24;
/// What a check is worth in the order of quiet moves, in units of the histories.
const CHECK_ORDER: i32 = 4000;

impl Picker {
    /// `left` and `bad` are lists to be used again, so that no memory is asked for at each node.
    pub fn new(table: Option<Move>, at_once: bool, lists: [Scored; 2]) -> Picker {
        let [mut left, mut bad] = lists;
        left.clear();
        bad.clear();
        let stage = match (table, at_once) {
            (Some(_), _) => Stage::Table,
            (None, true) => Stage::Together,
            (None, false) => Stage::Captures,
        };
        Picker { stage, table, left, next: 0, bad, skip_quiets: false }
    }

    /// Gives the lists back.
    pub fn into_lists(self) -> [Scored; 2] {
        [self.left, self.bad]
    }

    /// From now on quiet moves are not wanted.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move to be tried.
    pub fn next(&mut self, position: &Position, at_once: bool, guide: &Guide<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = if at_once { Stage::Together } else { Stage::Captures };
                    return self.table;
                }
                Stage::Captures => {
                    self.fill(position, &Scope::captures(position), |mv| {
                        guide.worth.of_move(position, mv)
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best() {
                    Some((order, mv)) => {
                        if guide.worth.wins(position, mv, -order / 4) {
                            return Some(mv);
                        }
                        self.bad.push((order, mv));
                    }
                    None => self.stage = Stage::Refutations(0),
                },
                Stage::Refutations(index) => {
                    self.stage = match index {
                        _ if self.skip_quiets => Stage::Quiets,
                        2 => Stage::Quiets,
                        _ => Stage::Refutations(index + 1),
                    };
                    if let Some(mv) = self.refutation(position, index, guide) {
                        return Some(mv);
                    }
                }
                Stage::Quiets => {
                    if !self.skip_quiets {
                        let refutations = guide.refutations;
                        let checks = Checks::new(position, guide);
                        self.fill(position, &Scope::quiets(position), |mv| {
                            quiet(position, mv, guide) + checks.order(position, mv)
                        });
                        self.left.retain(|&(_, mv)| !refutations.contains(&Some(mv)));
                        self.sort_above(-2500 * guide.depth);
                    }
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => match self.left.get(self.next).filter(|_| !self.skip_quiets) {
                    Some(&(_, mv)) => {
                        self.next += 1;
                        return Some(mv);
                    }
                    None => {
                        std::mem::swap(&mut self.left, &mut self.bad);
                        self.next = 0;
                        self.stage = Stage::BadCaptures;
                    }
                },
                Stage::Together => {
                    self.fill(position, &Scope::ALL, |mv| {
                        if is_tactical(position, mv) {
                            (1 << 20) + guide.worth.of_move(position, mv)
                        } else {
                            quiet(position, mv, guide)
                        }
                    });
                    self.stage = Stage::Rest;
                }
                Stage::BadCaptures | Stage::Rest => match self.best() {
                    Some((_, mv)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Generates the moves of a scope, but for the table's.
    fn fill(&mut self, position: &Position, scope: &Scope, order: impl Fn(Move) -> i32) {
        let mut moves = MoveList::new();
        position.add_legal_moves(scope, &mut moves);
        self.left.clear();
        self.next = 0;
        let wanted = moves.iter().filter(|&&mv| Some(mv) != self.table);
        self.left.extend(wanted.map(|&mv| (order(mv), mv)));
    }

    /// Takes the best of what is left.
    fn best(&mut self) -> Option<(i32, Move)> {
        let rest = self.left.get(self.next..)?;
        let (at, _) =
            rest.iter().enumerate().max_by_key(|(at, entry)| (entry.0, usize::MAX - at))?;
        self.left.swap(self.next, self.next + at);
        self.next += 1;
        self.left.get(self.next - 1).copied()
    }

    /// Sorts the moves of at least this order to the front; the others stay as they were generated.
    fn sort_above(&mut self, least: i32) {
        let mut sorted = 0;
        for at in 0..self.left.len() {
            if self.left[at].0 >= least {
                self.left.swap(sorted, at);
                sorted += 1;
            }
        }
        self.left[..sorted].sort_by_key(|entry| -entry.0);
    }

    /// A killer or the counter move, if it is a quiet move here that was not tried before.
    fn refutation(&self, position: &Position, index: usize, guide: &Guide<'_>) -> Option<Move> {
        let mv = guide.refutations[index]?;
        let new = Some(mv) != self.table && !guide.refutations[..index].contains(&Some(mv));
        (new && !is_tactical(position, mv) && position.is_legal(mv)).then_some(mv)
    }
}

/// The order of a quiet move or a drop.
fn quiet(position: &Position, mv: Move, guide: &Guide<'_>) -> i32 {
    let mut order = 0;
    if guide.uses_quiet {
        order += guide.history.quiet(position.side(), mv);
    }
    if guide.uses_continuation {
        let arrival = guide.history.arrival(position, mv);
        let [one, two, four] = guide.before;
        order += guide.history.continuation(one, arrival)
            + guide.history.continuation(two, arrival)
            + guide.history.continuation(four, arrival) / 2;
    }
    match mv.tag() {
        Tag::Promotion => {
            order + 8000 + guide.worth.of_move(position, mv).max(0) * PROMOTION_WEIGHT
        }
        Tag::EnPassant => order + 8000,
        _ => order,
    }
}

/// The vacant squares from which each piece type would attack the other side's royal.
struct Checks(Option<[Bitboard; MAX_PIECE_TYPES]>);

impl Checks {
    fn new(position: &Position, guide: &Guide<'_>) -> Checks {
        let side = position.side();
        let view = position.royal_view(!side).filter(|_| guide.uses_checks);
        Checks(view.map(|view| {
            let mut squares = [Bitboard::EMPTY; MAX_PIECE_TYPES];
            for kind in position.variant().kinds_of(side) {
                squares[kind.index()] = position.drop_check_squares(side, kind, &view);
            }
            squares
        }))
    }

    /// What a quiet move gains in the order if the piece that moves, or is dropped, checks by itself.
    #[inline]
    fn order(&self, position: &Position, mv: Move) -> i32 {
        let Some(squares) = &self.0 else { return 0 };
        let kind = match mv.tag() {
            Tag::Drop => Some(mv.becomes()),
            _ => position.at(mv.from()).map(|piece| piece.kind()),
        };
        let checks = kind.is_some_and(|kind| squares[kind.index()].contains(mv.to()));
        if checks { CHECK_ORDER } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::{Position, SplitMix, builtin_names, find};

    /// All moves that the stages give.
    fn staged(position: &Position, table: Option<Move>, guide: &Guide<'_>) -> Vec<Move> {
        let at_once = position.is_check() || position.setup_phase().is_pending();
        let mut picker = Picker::new(table, at_once, Default::default());
        std::iter::from_fn(|| picker.next(position, at_once, guide)).collect()
    }

    #[test]
    fn the_stages_give_every_legal_move_once() {
        for name in builtin_names() {
            let variant = find(name).expect("a built-in game");
            let history = History::new(&variant);
            let worth = Worth::new(&variant, |kind| variant.piece(kind).value, |_| 100);
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
                let guide = Guide {
                    worth: &worth,
                    history: &history,
                    before: [history.no_arrival(); 3],
                    refutations: [old(2), old(4), Some(legal[0])],
                    depth: 3,
                    uses_quiet: true,
                    uses_continuation: true,
                    uses_checks: true,
                };
                for table in [None, Some(mv)] {
                    let mut given = staged(&position, table, &guide);
                    if table.is_some() {
                        assert_eq!(given.first(), table.as_ref());
                    }
                    given.sort_unstable();
                    legal.sort_unstable();
                    assert_eq!(given, legal, "{name} {}", position.fen());
                }
                earlier.push(mv);
                position.make(mv);
            }
        }
    }
}
