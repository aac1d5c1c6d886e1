//! Feature extraction of the linear evaluation: how often each of its terms occurs in a position, in one pass
//! over the pieces.

mod ends;
mod pawns;

use super::layout::{ATTACKERS, BOXED, FLIGHTS, FORTRESSES, IN_HAND, Layout, PieceTerms};
use arrayvec::ArrayVec;
use garrison_rules::attacks::RoyalView;
use garrison_rules::limits::MAX_PIECE_TYPES;
use garrison_rules::{Bitboard, Color, PieceType, PieceTypeSet, Position, Square, Variant};

/// Takes the terms that occur in a position: sums their weights, or counts them for the tuner.
pub(crate) trait TermSink {
    /// A term occurs `count` times for White, or, negative, for Black.
    fn add(&mut self, term: usize, count: i32);

    /// A piece on a square: its value and its square.
    #[inline]
    fn piece_on(&mut self, extractor: &Extractor, color: Color, kind: PieceType, square: Square) {
        let terms = extractor.terms(kind);
        self.add(terms.value, sign(color));
        self.add(terms.squares + extractor.square_term(color, square), sign(color));
    }

    /// The number of squares that a piece can move to.
    #[inline]
    fn mobility(&mut self, extractor: &Extractor, color: Color, kind: PieceType, squares: u32) {
        let terms = extractor.terms(kind);
        self.add(terms.mobility, sign(color) * squares as i32);
        self.add(terms.boxed, sign(color) * squares.min(BOXED) as i32);
    }
}

/// Terms count positive for White and negative for Black.
#[inline]
fn sign(color: Color) -> i32 {
    if color == Color::White { 1 } else { -1 }
}

/// A term occurs once for each piece of a set.
#[inline]
fn add_set<S: TermSink>(sink: &mut S, term: usize, pieces: Bitboard, sign: i32) {
    if !pieces.is_empty() {
        sink.add(term, sign * pieces.len() as i32);
    }
}

/// The terms of a game, and what is precomputed of its board.
#[derive(Debug)]
pub(crate) struct Extractor {
    pub layout: Layout,
    /// The piece types of both sides from the least value to the greatest, royals last.
    turns: Vec<Turn>,
    /// A square's place among the `squares` terms, by side: both wings share them.
    folded: [Vec<u16>; 2],
    /// The rank of a square as each side counts it.
    rank: [Vec<u8>; 2],
    /// All squares but those of the first file, and all but those of the last.
    not_first: Bitboard,
    not_last: Bitboard,
}

/// Facts of one side of a position that the other side's terms need.
#[derive(Clone, Copy, Default)]
struct Side {
    pawns: Bitboard,
    pawn_attacks: Bitboard,
    /// The squares ahead of its pawns on their files.
    ahead_of_pawns: Bitboard,
    /// The royal's square and those around it.
    zone: Bitboard,
    /// How sliders and hoppers see the royal.
    view: Option<RoyalView>,
    /// Pieces whose capture gives something.
    fortresses: Bitboard,
    /// The squares on which its pieces capture.
    attacked: Bitboard,
    /// How many of its pieces attack the enemy royal's zone.
    attackers: i32,
    /// Where its officers could give check with their next move, if checks are counted.
    checks: Bitboard,
}

/// The attacks of a side, collected piece by piece.
#[derive(Clone, Copy)]
struct Attacks {
    sign: i32,
    enemies: Bitboard,
    /// The squares that count as mobility: no own piece stands there, and no enemy pawn attacks them.
    open: Bitboard,
    /// The enemy royal's zone and the enemy fortresses.
    zone: Bitboard,
    fortresses: Bitboard,
    attacked: Bitboard,
    /// The part of it that pieces of the type attack that is looked at.
    by_kind: Bitboard,
    attackers: i32,
}

impl Attacks {
    fn new(position: &Position, color: Color, enemy: &Side) -> Attacks {
        Attacks {
            sign: sign(color),
            enemies: position.pieces_of(!color),
            open: !position.pieces_of(color) & !enemy.pawn_attacks,
            zone: enemy.zone,
            fortresses: enemy.fortresses,
            attacked: Bitboard::EMPTY,
            by_kind: Bitboard::EMPTY,
            attackers: 0,
        }
    }

    /// Adds the attacks of one piece, or of several pieces on different squares; returns whether they meet
    /// the royal's zone.
    #[inline]
    fn add<S: TermSink>(&mut self, attacks: Bitboard, terms: &PieceTerms, sink: &mut S) -> bool {
        self.by_kind |= attacks;
        add_set(sink, terms.royal_attack, attacks & self.zone, self.sign);
        add_set(sink, terms.fortress_attack, attacks & self.fortresses, self.sign);
        attacks.meets(self.zone)
    }
}

/// Squares from which pieces of one type could give check with their next move.
#[derive(Clone, Copy)]
struct Checks {
    color: Color,
    term: usize,
    from: Bitboard,
}

/// A piece type of one side, when it is its turn to be looked at.
#[derive(Debug)]
struct Turn {
    kind: PieceType,
    color: Color,
    /// Whether it is worth more than those before.
    is_of_greater_value: bool,
}

/// The piece types of a game by what its definition says that they are worth, or else by their moves; of each White's, then
/// Black's.
fn turns(variant: &Variant) -> Vec<Turn> {
    let mut values = std::collections::BTreeMap::new();
    for kind in variant.kinds() {
        let value =
            if variant.royal() == Some(kind) { i32::MAX } else { variant.piece(kind).value };
        let kinds: &mut PieceTypeSet = values.entry(value).or_default();
        kinds.insert(kind);
    }
    let of_value = |kinds: PieceTypeSet| {
        let both = kinds.flat_map(|kind| Color::ALL.map(|color| (kind, color)));
        both.enumerate().map(|(place, (kind, color))| Turn {
            kind,
            color,
            is_of_greater_value: place == 0,
        })
    };
    values.into_values().flat_map(of_value).collect()
}

impl Extractor {
    pub fn new(variant: &Variant) -> Extractor {
        let layout = Layout::new(variant);
        let geometry = variant.geometry();
        let size = geometry.squares().map(|square| square.index() + 1).max().unwrap_or(0);
        let mut extractor = Extractor {
            folded: [vec![0; size], vec![0; size]],
            rank: [vec![0; size], vec![0; size]],
            not_first: Bitboard::EMPTY,
            not_last: Bitboard::EMPTY,
            turns: turns(variant),
            layout,
        };
        let files = usize::from(geometry.files());
        for square in geometry.squares() {
            let at = square.index();
            let file = usize::from(geometry.file(square).0);
            if file > 0 {
                extractor.not_first.insert(square);
            }
            if file + 1 < files {
                extractor.not_last.insert(square);
            }
            for color in Color::ALL {
                let rank = geometry.rank(geometry.relative(color, square)).0;
                let row = usize::from(rank) * extractor.layout.half_files;
                extractor.rank[color.index()][at] = rank;
                extractor.folded[color.index()][at] = (row + file.min(files - 1 - file)) as u16;
            }
        }
        extractor
    }

    /// The place of a square among the `squares` terms, as its side sees it.
    #[inline]
    pub fn square_term(&self, color: Color, square: Square) -> usize {
        usize::from(self.folded[color.index()][square.index()])
    }

    #[inline]
    fn terms(&self, kind: PieceType) -> &PieceTerms {
        &self.layout.kinds[kind.index()]
    }

    /// Passes all terms of a position to `sink`.
    pub fn extract<S: TermSink>(&self, position: &Position, sink: &mut S) {
        // `map` of an array would copy each of them several times.
        let mut sides = [self.side(position, Color::White), self.side(position, Color::Black)];
        self.all_pieces(position, &mut sides, sink);
        for color in Color::ALL {
            self.relations(position, color, &sides, sink);
            self.pawns(position, color, &sides, sink);
            self.hand(position, color, sink);
            self.royal(position, color, &sides, sink);
            self.fortresses(position, color, &sides, sink);
            self.ends(position, color, &sides, sink);
        }
        sink.add(self.layout.tempo, sign(position.side_to_move()));
    }

    /// The facts of a side that do not need its pieces' moves.
    fn side(&self, position: &Position, color: Color) -> Side {
        let variant = position.variant();
        let zone = position.royal_square(color).map_or(Bitboard::EMPTY, |royal| {
            variant.geometry().neighbors(royal) | Bitboard::of(royal)
        });
        let pieces = |kind| position.pieces(color, kind);
        let union = |all, pieces| all | pieces;
        let mut side = Side {
            zone,
            view: position.royal_view(color),
            fortresses: self.layout.fortress_kinds.map(pieces).fold(Bitboard::EMPTY, union),
            ..Side::default()
        };
        for kind in self.layout.pawns {
            let pieces = position.pieces(color, kind);
            if pieces.is_empty() {
                continue;
            }
            side.pawns |= pieces;
            side.pawn_attacks |= position.attacked_by_type(color, kind);
        }
        if !side.pawns.is_empty() {
            side.ahead_of_pawns = Extractor::ahead_of(position, color, side.pawns);
        }
        side
    }

    /// All piece types, from the least value to the greatest: their squares and numbers, mobility, attacks and checks.
    fn all_pieces<S: TermSink>(&self, position: &Position, sides: &mut [Side; 2], sink: &mut S) {
        let mut attacks =
            Color::ALL.map(|color| Attacks::new(position, color, &sides[(!color).index()]));
        let mut checks: ArrayVec<Checks, { 2 * MAX_PIECE_TYPES }> = ArrayVec::new();
        // What pieces of less value attack.
        let mut lesser = [Bitboard::EMPTY; 2];
        for &Turn { kind, color, is_of_greater_value } in &self.turns {
            if is_of_greater_value {
                lesser = attacks.map(|attacks| attacks.attacked);
            }
            let pieces = position.pieces(color, kind);
            if pieces.is_empty() {
                continue;
            }
            let (own, enemy) = (&mut attacks[color.index()], &sides[(!color).index()]);
            self.pieces(position, (color, kind), enemy, own, sink);
            own.attacked |= own.by_kind;
            if !self.layout.non_pawns.contains(kind) {
                continue;
            }
            let terms = self.terms(kind);
            add_set(sink, terms.lesser_threat, pieces & lesser[(!color).index()], own.sign);
            if pieces.len() > 1 {
                sink.add(terms.pair, own.sign * (pieces.len() as i32 - 1));
            }
            if let Some(view) = &enemy.view {
                let from = own.by_kind & position.drop_check_squares(color, kind, view);
                checks.push(Checks { color, term: terms.safe_check, from });
            }
        }
        for (side, attacks) in sides.iter_mut().zip(attacks) {
            (side.attacked, side.attackers) = (attacks.attacked, attacks.attackers);
        }
        for &Checks { color, term, from } in &checks {
            add_set(sink, term, from & !sides[(!color).index()].attacked, sign(color));
            if self.layout.counts_checks() {
                sides[color.index()].checks |= from;
            }
        }
    }

    /// For the pieces of one type and color: their squares, mobility, attacks.
    #[inline]
    fn pieces<S: TermSink>(
        &self,
        position: &Position,
        (color, kind): (Color, PieceType),
        enemy: &Side,
        collected: &mut Attacks,
        sink: &mut S,
    ) {
        let variant = position.variant();
        let pieces = position.pieces(color, kind);
        collected.by_kind = Bitboard::EMPTY;
        let shifts = variant.shifts(color, kind);
        let moves = variant.movers(color).contains(kind);
        if !moves || !shifts.is_empty() {
            for square in pieces {
                sink.piece_on(self, color, kind, square);
            }
        }
        if !moves {
            return;
        }
        let (enemies, open) = (collected.enemies, collected.open);
        let terms = self.terms(kind);
        if shifts.is_empty() {
            position.reach_of_type(color, kind, |from, attacks, quiet| {
                sink.piece_on(self, color, kind, from);
                let squares = ((attacks & enemies | quiet) & open).len();
                sink.mobility(self, color, kind, squares);
                collected.attackers += i32::from(collected.add(attacks, terms, sink));
            });
            return;
        }
        // With at most `BOXED` steps, both mobility terms count all squares: they can be summed.
        let (mut squares, mut attackers) = (0, Bitboard::EMPTY);
        for shift in shifts {
            let to = (pieces & shift.from).shift(shift.delta);
            let quiet = if shift.quiet { to & !position.occupied() } else { Bitboard::EMPTY };
            let captures = if shift.capture { to } else { Bitboard::EMPTY };
            squares += ((captures & enemies | quiet) & open).len();
            if collected.add(captures, terms, sink) {
                attackers |= (captures & enemy.zone).shift(-shift.delta);
            }
        }
        sink.add(terms.mobility, sign(color) * squares as i32);
        sink.add(terms.boxed, sign(color) * squares as i32);
        collected.attackers += attackers.len() as i32;
    }

    /// Hanging pieces, pieces beside their royal, pieces attacked by pawns.
    fn relations<S: TermSink>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        sink: &mut S,
    ) {
        let (us, them) = (&sides[color.index()], &sides[(!color).index()]);
        let hanging = them.attacked & !us.attacked;
        let concerned = position.pieces_of(color) & (hanging | us.zone | them.pawn_attacks);
        if concerned.is_empty() {
            return;
        }
        let variant = position.variant();
        for kind in variant.kinds_of(color) {
            let pieces = position.pieces(color, kind) & concerned;
            if pieces.is_empty() || variant.royal() == Some(kind) {
                continue;
            }
            let terms = self.terms(kind);
            add_set(sink, terms.hanging, pieces & hanging, sign(color));
            if position.side_to_move() != color {
                add_set(sink, terms.en_prise, pieces & hanging, sign(color));
            }
            add_set(sink, terms.shelter, pieces & us.zone, sign(color));
            if self.layout.non_pawns.contains(kind) {
                add_set(sink, terms.pawn_threat, pieces & them.pawn_attacks, sign(color));
            }
        }
    }

    fn hand<S: TermSink>(&self, position: &Position, color: Color, sink: &mut S) {
        let hand = position.hand(color);
        for slot in hand.slots() {
            let terms = self.terms(position.variant().hand_kinds()[slot]);
            let pieces = usize::from(hand.count(slot));
            for number in 0..pieces.min(IN_HAND) {
                sink.add(terms.hand + number, sign(color));
            }
            if pieces > IN_HAND {
                sink.add(terms.hand + IN_HAND - 1, sign(color) * (pieces - IN_HAND) as i32);
            }
        }
    }

    /// Royal safety, if the side has a royal on the board.
    fn royal<S: TermSink>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        sink: &mut S,
    ) {
        let (us, them) = (&sides[color.index()], &sides[(!color).index()]);
        if us.zone.is_empty() {
            return;
        }
        let variant = position.variant();
        let mut attackers = them.attackers;
        let hand = position.hand(!color);
        if !hand.is_empty()
            && let Some(view) = &us.view
        {
            let mut pieces = 0;
            for slot in hand.slots() {
                let kind = variant.hand_kinds()[slot];
                pieces += i32::from(hand.count(slot));
                let checks = position.drop_check_squares(!color, kind, view);
                if checks.meets(!us.attacked) {
                    attackers += 1;
                    sink.add(self.terms(kind).drop_check, -sign(color));
                }
            }
            sink.add(self.layout.attackers_hand, -sign(color) * attackers * pieces.min(8));
        }
        let attackers = (attackers as usize).min(ATTACKERS - 1);
        sink.add(self.layout.attackers + attackers, -sign(color));
        let flights = us.zone & !position.pieces_of(color) & !them.attacked;
        let flights = (flights & variant.geometry().squares()).len() as usize;
        sink.add(self.layout.flights + flights.min(FLIGHTS - 1), sign(color));
    }

    /// Pieces whose capture gives something: how many are left, and how often each is attacked.
    fn fortresses<S: TermSink>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        sink: &mut S,
    ) {
        if self.layout.fortress_kinds.is_empty() {
            return;
        }
        let (all, attacked) = (sides[color.index()].fortresses, sides[(!color).index()].attacked);
        let left = (all.len() as usize).min(FORTRESSES - 1);
        sink.add(self.layout.fortresses + left, sign(color));
        let occupied = position.occupied();
        for square in all & attacked {
            let attackers = position.attackers(square, !color, occupied).len();
            let defenders = position.attackers(square, color, occupied).len();
            let exposed = (attackers.saturating_sub(defenders) as usize).min(FORTRESSES - 1);
            sink.add(self.layout.fortress_exposed + exposed, -sign(color));
        }
    }
}
