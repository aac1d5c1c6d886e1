//! Which terms the evaluation of a game has, and where each stands among the weights.

use std::collections::BTreeMap;

use garrison_rules::{Color, PieceType, PieceTypeSet, Variant};

/// Terms that belong together: `length` of them from `start` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The piece type it is about, or none.
    pub kind: Option<PieceType>,
    /// What it is called in a table.
    pub name: &'static str,
    pub start: usize,
    pub length: usize,
}

/// Distinct attackers of a royal's neighborhood that are told apart, and one more for none.
pub(super) const ATTACKERS: usize = 8;
/// Flight squares that are told apart, none included.
pub(super) const FLIGHTS: usize = 6;
/// Pieces of a kind in hand that are told apart.
pub(super) const IN_HAND: usize = 3;
/// Fortresses that are told apart, none included.
pub(super) const FORTRESSES: usize = 4;
/// Mobility up to this is counted once more: to be boxed in is worse than a straight line.
pub(super) const BOXED: u32 = 4;

/// Where the terms about one piece type begin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KindTerms {
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
    pub hanging: usize,
    pub passed: usize,
    pub protected: usize,
    pub phalanx: usize,
    pub doubled: usize,
    pub isolated: usize,
}

/// The terms of a game.
#[derive(Debug)]
pub(crate) struct Layout {
    pub groups: Vec<Group>,
    pub terms: usize,
    pub(super) kinds: Vec<KindTerms>,
    pub(super) tempo: usize,
    pub(super) attackers: usize,
    pub(super) attackers_hand: usize,
    pub(super) flights: usize,
    pub(super) fortresses: usize,
    pub(super) fortress_exposed: usize,
    /// Pieces that step forward only.
    pub(super) pawns: PieceTypeSet,
    /// Pieces whose capture gives something.
    pub(super) fortress_kinds: PieceTypeSet,
    /// Files from the edge to the middle.
    pub half_files: usize,
}

/// Adds groups one after the other.
#[derive(Default)]
struct Builder {
    groups: Vec<Group>,
    next: usize,
}

impl Builder {
    fn add(&mut self, kind: Option<PieceType>, name: &'static str, length: usize) -> usize {
        let start = self.next;
        self.groups.push(Group { kind, name, start, length });
        self.next += length;
        start
    }
}

impl Layout {
    /// The terms of a game. Games of one family have the same.
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
        let mut kinds = Vec::new();
        for kind in variant.kinds() {
            let piece = variant.piece(kind);
            let on_board = piece.reserve.is_empty();
            let moves = !piece.betza.is_empty();
            let mut terms = KindTerms::default();
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
            terms.pawn_threat = add("pawn_threat", 1, common && !pawn);
            terms.hanging = add("hanging", 1, common);
            terms.protected = add("protected", 1, pawn);
            terms.phalanx = add("phalanx", 1, pawn);
            terms.doubled = add("doubled", 1, pawn);
            terms.isolated = add("isolated", 1, pawn);
            terms.passed = add("passed", ranks, pawn);
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
            pawns,
            fortress_kinds,
            half_files,
        }
    }

    /// The weights that say what the definition says: its values of pieces, a little for mobility and
    /// for the move. Pairs of middle game and end game, in centipawns.
    pub fn plain(&self, variant: &Variant) -> Vec<[f64; 2]> {
        let mut weights = vec![[0.0; 2]; self.terms];
        let mut set = |term: usize, length: usize, value: f64| {
            if let Some(range) = term.checked_add(length).and_then(|end| weights.get_mut(term..end))
            {
                range.fill([value; 2]);
            }
        };
        for kind in variant.kinds() {
            let terms = &self.kinds[kind.index()];
            let value = f64::from(variant.piece(kind).value);
            set(terms.value, 1, value);
            set(terms.hand, IN_HAND, value);
            set(terms.mobility, 1, 3.0);
        }
        set(self.tempo, 1, 10.0);
        weights
    }

    /// The groups by the letter of their piece and their name; those of no piece have the letter `game`.
    pub fn by_name(&self, variant: &Variant) -> BTreeMap<(String, &'static str), &Group> {
        let letter = |group: &Group| match group.kind {
            Some(kind) => variant.piece(kind).letter.to_string(),
            None => "game".to_string(),
        };
        self.groups.iter().map(|group| ((letter(group), group.name), group)).collect()
    }
}

/// Whether a piece steps forward only, one rank at a time. (Whether it promotes is a matter of the
/// army, and games of one family have the same terms.)
fn is_pawn(variant: &Variant, kind: PieceType) -> bool {
    let stride = variant.geometry().stride() as i8;
    Color::ALL.into_iter().any(|color| {
        let shifts = variant.shifts(color, kind);
        let ahead = if color == Color::White { stride } else { -stride };
        let forward = |delta: i8| (delta - ahead).abs() <= 1;
        !shifts.is_empty() && shifts.iter().all(|shift| forward(shift.delta))
    })
}
