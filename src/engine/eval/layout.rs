//! Which terms the linear evaluation of a game has, and where the weights of each are.

use std::collections::BTreeMap;

use garrison_rules::game::{EndCondition, EndResult};
use garrison_rules::{Bitboard, Color, PieceType, PieceTypeSet, Square, Variant};

/// Terms that belong together: the `length` terms from `start` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermGroup {
    /// The piece type it is about, or none.
    pub kind: Option<PieceType>,
    /// Its name in a file of weights.
    pub name: &'static str,
    pub start: usize,
    pub length: usize,
}

/// Numbers of attackers of a royal's neighborhood with a term each: 0, 1, …, all that are more.
pub(super) const ATTACKERS: usize = 8;
/// Numbers of flight squares with a term each: 0, 1, …, all that are more.
pub(super) const FLIGHTS: usize = 6;
/// Pieces of one type in hand with a term each: the first, the second, all further ones.
pub(super) const IN_HAND: usize = 3;
/// Numbers of fortresses with a term each: 0, 1, …, all that are more.
pub(super) const FORTRESSES: usize = 4;
/// Numbers of checks that a side must still give to win, with a term each: 1, 2, all that are more.
pub(super) const CHECKS: usize = 3;
/// Numbers of moves in which a side may reach a goal, with a term each: 0, 1, …, all that are more.
pub(super) const RACE: usize = 5;
/// Numbers of pieces that a side has beyond those without which it loses, with a term each: 0, 1, all that are more.
pub(super) const SPARE: usize = 3;
/// Mobility up to this is counted a second time, as the first squares matter more than further ones.
pub(super) const BOXED: u32 = 4;

/// The first term of each group of a piece type; `usize::MAX` for groups that it does not have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PieceTerms {
    pub value: usize,
    pub squares: usize,
    pub hand: usize,
    pub mobility: usize,
    pub boxed: usize,
    pub royal_attack: usize,
    pub drop_check: usize,
    pub shelter: usize,
    pub fortress_attack: usize,
    pub pawn_threat: usize,
    pub lesser_threat: usize,
    pub safe_check: usize,
    pub pair: usize,
    pub hanging: usize,
    pub en_prise: usize,
    pub passed: usize,
    pub protected: usize,
    pub phalanx: usize,
    pub doubled: usize,
    pub isolated: usize,
    pub blocked: usize,
    pub passed_free: usize,
    pub escort: usize,
}

/// The terms of a game.
#[derive(Debug)]
pub(crate) struct Layout {
    pub groups: Vec<TermGroup>,
    pub terms: usize,
    pub(super) kinds: Vec<PieceTerms>,
    pub(super) tempo: usize,
    pub(super) attackers: usize,
    pub(super) attackers_hand: usize,
    pub(super) flights: usize,
    pub(super) fortresses: usize,
    pub(super) fortress_exposed: usize,
    pub(super) checks: usize,
    pub(super) safe_checks: usize,
    pub(super) unsafe_checks: usize,
    pub(super) check_squares: usize,
    pub(super) spare: usize,
    pub(super) race: usize,
    /// Piece types that win by reaching squares, and those of each side.
    pub(super) goals: Vec<(PieceType, [Bitboard; 2])>,
    /// Piece types of which a side loses that has no more than so many.
    pub(super) needed: Vec<(PieceTypeSet, u32)>,
    /// Pieces on the board other than pawns and the royal.
    pub(super) non_pawns: PieceTypeSet,
    /// Pieces that capture one rank ahead only.
    pub(super) pawns: PieceTypeSet,
    /// Pieces whose capture gives something.
    pub(super) fortress_kinds: PieceTypeSet,
    /// Files from the edge to the middle.
    pub half_files: usize,
}

/// Numbers the terms, group by group.
#[derive(Default)]
struct Builder {
    groups: Vec<TermGroup>,
    next: usize,
}

impl Builder {
    fn add(&mut self, kind: Option<PieceType>, name: &'static str, length: usize) -> usize {
        let start = self.next;
        self.groups.push(TermGroup { kind, name, start, length });
        self.next += length;
        start
    }
}

impl Layout {
    /// The terms of a game. Games of one family have the same terms.
    pub fn new(variant: &Variant) -> Layout {
        let geometry = variant.geometry();
        let (files, ranks) = (usize::from(geometry.files()), usize::from(geometry.ranks()));
        let half_files = files.div_ceil(2);
        let pawns: PieceTypeSet = variant.kinds().filter(|&kind| is_pawn(variant, kind)).collect();
        let fortress_kinds: PieceTypeSet =
            variant.kinds().filter(|&kind| !variant.piece(kind).gains.is_empty()).collect();
        let drops = !variant.hand_kinds().is_empty();
        let royal = variant.royal();
        let mut builder = Builder::default();
        let (mut kinds, mut non_pawns) = (Vec::new(), PieceTypeSet::EMPTY);
        for kind in variant.kinds() {
            let piece = variant.piece(kind);
            let on_board = piece.reserve.is_empty();
            // A piece may have moves on some squares only.
            let moves = !piece.betza.is_empty()
                || Color::ALL.into_iter().any(|color| variant.movers(color).contains(kind));
            let mut terms = PieceTerms::default();
            let mut add = |name, length, wanted: bool| {
                if wanted { builder.add(Some(kind), name, length) } else { usize::MAX }
            };
            let common = on_board && royal != Some(kind);
            terms.value = add("value", 1, on_board);
            terms.hand = add("hand", IN_HAND, piece.slot.is_some());
            terms.mobility = add("mobility", 1, on_board && moves);
            terms.boxed = add("boxed", 1, on_board && moves);
            terms.royal_attack = add("royal_attack", 1, royal.is_some() && on_board && moves);
            terms.drop_check = add("drop_check", 1, royal.is_some() && piece.slot.is_some());
            terms.shelter = add("shelter", 1, royal.is_some() && common);
            terms.fortress_attack =
                add("fortress_attack", 1, !fortress_kinds.is_empty() && on_board && moves);
            let pawn = pawns.contains(kind);
            let non_pawn = common && !pawn;
            terms.pawn_threat = add("pawn_threat", 1, non_pawn);
            terms.lesser_threat = add("lesser_threat", 1, non_pawn);
            terms.safe_check = add("safe_check", 1, non_pawn && royal.is_some());
            terms.pair = add("pair", 1, non_pawn);
            if non_pawn {
                non_pawns.insert(kind);
            }
            terms.hanging = add("hanging", 1, common);
            terms.en_prise = add("en_prise", 1, common);
            terms.protected = add("protected", 1, pawn);
            terms.phalanx = add("phalanx", 1, pawn);
            terms.doubled = add("doubled", 1, pawn);
            terms.isolated = add("isolated", 1, pawn);
            terms.passed = add("passed", ranks, pawn);
            terms.blocked = add("blocked", 1, pawn);
            terms.passed_free = add("passed_free", ranks, pawn);
            terms.escort = add("escort", ranks, pawn && royal.is_some());
            terms.squares = add("squares", half_files * ranks, on_board);
            kinds.push(terms);
        }
        let mut add = |name, length, wanted: bool| {
            if wanted { builder.add(None, name, length) } else { usize::MAX }
        };
        let tempo = add("tempo", 1, true);
        let attackers = add("attackers", ATTACKERS, royal.is_some());
        let attackers_hand = add("attackers_hand", 1, royal.is_some() && drops);
        let flights = add("flights", FLIGHTS, royal.is_some());
        let fortresses = add("fortresses", FORTRESSES, !fortress_kinds.is_empty());
        let fortress_exposed = add("fortress_exposed", FORTRESSES, !fortress_kinds.is_empty());
        let needed = needed(variant);
        let counts_checks = variant.end().checks.is_some();
        let checks = add("checks", CHECKS, counts_checks);
        let safe_checks = add("safe_checks", CHECKS, counts_checks);
        let unsafe_checks = add("unsafe_checks", CHECKS, counts_checks);
        let check_squares = add("check_squares", CHECKS, counts_checks);
        let spare = add("spare", SPARE, !needed.is_empty());
        let goals = goals(variant);
        let race = add("race", RACE, !goals.is_empty());
        Layout {
            terms: builder.next,
            groups: builder.groups,
            kinds,
            tempo,
            attackers,
            attackers_hand,
            flights,
            fortresses,
            fortress_exposed,
            checks,
            safe_checks,
            unsafe_checks,
            check_squares,
            spare,
            race,
            goals,
            needed,
            non_pawns,
            pawns,
            fortress_kinds,
            half_files,
        }
    }

    /// Weights from the definition alone: its piece values, 3 for mobility, 10 for the side to move; where pieces are to
    /// be lost, they count for the other side. Pairs of middle game and end game, in centipawns.
    pub fn plain(&self, variant: &Variant) -> Vec<[f64; 2]> {
        let mut weights = vec![[0.0; 2]; self.terms];
        let mut set = |term: usize, length: usize, value: f64| {
            if let Some(range) = term.checked_add(length).and_then(|end| weights.get_mut(term..end))
            {
                range.fill([value; 2]);
            }
        };
        let sign = if variant.is_giveaway() { -1.0 } else { 1.0 };
        for kind in variant.kinds() {
            let terms = &self.kinds[kind.index()];
            let value = sign * f64::from(variant.piece(kind).value);
            set(terms.value, 1, value);
            set(terms.hand, IN_HAND, value);
            set(terms.mobility, 1, 3.0);
        }
        set(self.tempo, 1, 10.0);
        weights
    }

    /// Whether enough checks win.
    #[inline]
    pub(super) fn counts_checks(&self) -> bool {
        self.checks != usize::MAX
    }

    /// The squares by reaching which a piece type of a side wins.
    pub fn goal_squares(&self, kind: PieceType, color: Color) -> Bitboard {
        let own = self.goals.iter().find(|(winner, _)| *winner == kind);
        own.map_or(Bitboard::EMPTY, |(_, squares)| squares[color.index()])
    }

    /// The groups by the letter of their piece type and their name; those of no piece type have the letter
    /// `game`.
    pub fn by_name(&self, variant: &Variant) -> BTreeMap<(String, &'static str), &TermGroup> {
        let letter = |group: &TermGroup| match group.kind {
            Some(kind) => variant.piece(kind).letter.to_string(),
            None => "game".to_string(),
        };
        self.groups.iter().map(|group| ((letter(group), group.name), group)).collect()
    }
}

/// The piece types that a side must not lose, and the number of them with which it has lost.
fn needed(variant: &Variant) -> Vec<(PieceTypeSet, u32)> {
    let ends = variant.special_ends().iter();
    let lost = ends.filter_map(|end| match end.condition {
        EndCondition::Lacks { kinds, count, both: false, .. } if end.result == EndResult::Loss => {
            Some((kinds, count))
        }
        _ => None,
    });
    lost.collect()
}

/// The piece types that win by reaching squares, and the squares of each side.
fn goals(variant: &Variant) -> Vec<(PieceType, [Bitboard; 2])> {
    let mut goals = BTreeMap::new();
    for end in variant.special_ends().iter().filter(|end| end.result == EndResult::Win) {
        let EndCondition::Reaches { squares, kinds, .. } = end.condition else { continue };
        for kind in kinds {
            let of_kind: &mut [Bitboard; 2] = goals.entry(kind).or_default();
            Color::ALL.into_iter().for_each(|color| of_kind[color.index()] |= squares[color]);
        }
    }
    goals.into_iter().collect()
}

/// Whether a piece type captures only one rank ahead of it, on its file or beside it, and otherwise makes short steps, in
/// any direction. Promotion does not matter: it may depend on the army, while games of one family must have the same terms.
fn is_pawn(variant: &Variant, kind: PieceType) -> bool {
    let geometry = variant.geometry();
    Color::ALL.into_iter().any(|color| {
        let mut captures = false;
        let are_of_pawn = |from: Square| {
            // How many files and ranks ahead a square is.
            let steps = |to: Square| {
                let [from, to] = [from, to].map(|square| geometry.relative(color, square));
                let files = geometry.file(to).0.abs_diff(geometry.file(from).0);
                (files, geometry.rank(to).0 as i8 - geometry.rank(from).0 as i8)
            };
            let (mut attacks, mut quiet) = variant.reach(color, kind, from, Bitboard::EMPTY);
            captures |= !attacks.is_empty();
            attacks.all(|to| matches!(steps(to), (0 | 1, 1)))
                && quiet.all(|to| matches!(steps(to), (0 | 1, -1..=2)))
        };
        geometry.squares().all(are_of_pawn) && captures
    })
}
