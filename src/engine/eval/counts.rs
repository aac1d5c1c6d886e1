//! What the linear evaluation counts in a position, in one pass over the pieces.

use super::layout::{ATTACKERS, BOXED, FLIGHTS, FORTRESSES, IN_HAND, KindTerms, Layout};
use garrison_rules::{Bitboard, Color, PieceType, Position, Square, Variant};

/// What counts are handed to: a sum of weights, or a record of the counts for the tuner.
pub(crate) trait Ledger {
    /// A term counts `count` times for White; negative for Black.
    fn add(&mut self, term: usize, count: i32);

    /// A piece stands on a square: its value and its place.
    #[inline]
    fn stands(&mut self, counts: &Counts, color: Color, kind: PieceType, square: Square) {
        let terms = counts.terms(kind);
        self.add(terms.value, sign(color));
        self.add(terms.squares + counts.place(color, square), sign(color));
    }

    /// A piece can go to so many squares.
    #[inline]
    fn reaches(&mut self, counts: &Counts, color: Color, kind: PieceType, squares: u32) {
        let terms = counts.terms(kind);
        self.add(terms.mobility, sign(color) * squares as i32);
        self.add(terms.boxed, sign(color) * squares.min(BOXED) as i32);
    }
}

/// The counts of White are positive, those of Black negative.
#[inline]
fn sign(color: Color) -> i32 {
    if color == Color::White { 1 } else { -1 }
}

/// Counts the pieces of a set.
#[inline]
fn count<L: Ledger>(ledger: &mut L, term: usize, pieces: Bitboard, sign: i32) {
    if !pieces.is_empty() {
        ledger.add(term, sign * pieces.len() as i32);
    }
}

/// The terms of a game, and what is known of its board.
#[derive(Debug)]
pub(crate) struct Counts {
    pub layout: Layout,
    /// A square's place among those of its kind's table, by side.
    folded: [Vec<u16>; 2],
    /// The rank as its side counts it.
    rank: [Vec<u8>; 2],
    /// All squares but those of the first file, and all but those of the last.
    not_first: Bitboard,
    not_last: Bitboard,
}

/// What is known of one side of a position.
#[derive(Clone, Copy, Default)]
struct Side {
    pawns: Bitboard,
    pawn_attacks: Bitboard,
    /// Its royal's square and those around it.
    zone: Bitboard,
    /// Pieces whose fall gives something.
    fortresses: Bitboard,
    /// The squares on which its pieces capture.
    attacked: Bitboard,
    /// How many of its pieces attack the other royal's zone.
    attackers: i32,
}

/// What the pieces of a side aim at.
#[derive(Clone, Copy)]
struct Aims {
    sign: i32,
    /// The other side's royal and fortresses.
    zone: Bitboard,
    fortresses: Bitboard,
    attacked: Bitboard,
    attackers: i32,
}

impl Aims {
    /// Adds attacks of one piece, or of several on different squares; tells whether the zone is among
    /// what they attack.
    #[inline]
    fn take<L: Ledger>(&mut self, attacks: Bitboard, terms: &KindTerms, ledger: &mut L) -> bool {
        self.attacked |= attacks;
        count(ledger, terms.royal_attack, attacks & self.zone, self.sign);
        count(ledger, terms.fortress_attack, attacks & self.fortresses, self.sign);
        attacks.meets(self.zone)
    }
}

impl Counts {
    pub fn new(variant: &Variant) -> Counts {
        let layout = Layout::new(variant);
        let geometry = variant.geometry();
        let size = geometry.squares().map(|square| square.index() + 1).max().unwrap_or(0);
        let mut counts = Counts {
            folded: [vec![0; size], vec![0; size]],
            rank: [vec![0; size], vec![0; size]],
            not_first: Bitboard::EMPTY,
            not_last: Bitboard::EMPTY,
            layout,
        };
        let files = usize::from(geometry.files());
        for square in geometry.squares() {
            let at = square.index();
            let file = usize::from(geometry.file(square).0);
            if file > 0 {
                counts.not_first.insert(square);
            }
            if file + 1 < files {
                counts.not_last.insert(square);
            }
            for color in Color::ALL {
                let rank = geometry.rank(geometry.relative(color, square)).0;
                let row = usize::from(rank) * counts.layout.half_files;
                counts.rank[color.index()][at] = rank;
                counts.folded[color.index()][at] = (row + file.min(files - 1 - file)) as u16;
            }
        }
        counts
    }

    /// The place of a square in the table of a kind, as its side sees it.
    #[inline]
    pub fn place(&self, color: Color, square: Square) -> usize {
        usize::from(self.folded[color.index()][square.index()])
    }

    #[inline]
    fn terms(&self, kind: PieceType) -> &KindTerms {
        &self.layout.kinds[kind.index()]
    }

    /// Tells all counts of a position.
    pub fn tell<L: Ledger>(&self, position: &Position, ledger: &mut L) {
        let mut sides = Color::ALL.map(|color| self.side(position, color));
        for color in Color::ALL {
            self.pieces(position, color, &mut sides, ledger);
        }
        for color in Color::ALL {
            self.relations(position, color, &sides, ledger);
            self.pawns(position, color, &sides, ledger);
            self.hand(position, color, ledger);
            self.royal(position, color, &sides, ledger);
            self.fortresses(position, color, &sides, ledger);
        }
        ledger.add(self.layout.tempo, sign(position.side()));
    }

    /// What is known of a side before its pieces are looked at one by one.
    fn side(&self, position: &Position, color: Color) -> Side {
        let variant = position.variant();
        let zone = position.royal_square(color).map_or(Bitboard::EMPTY, |royal| {
            variant.geometry().neighbors(royal) | Bitboard::of(royal)
        });
        let pieces = |kind| position.pieces(color, kind);
        let union = |all, pieces| all | pieces;
        let mut side = Side {
            zone,
            fortresses: self.layout.fortress_kinds.map(pieces).fold(Bitboard::EMPTY, union),
            ..Side::default()
        };
        for kind in self.layout.pawns {
            let pieces = position.pieces(color, kind);
            if pieces.is_empty() {
                continue;
            }
            side.pawns |= pieces;
            for shift in variant.shifts(color, kind) {
                if shift.capture {
                    side.pawn_attacks |= (pieces & shift.from).shift(shift.delta);
                }
            }
        }
        side
    }

    /// Every piece: where it stands, where it can go, what it aims at.
    #[inline]
    fn pieces<L: Ledger>(
        &self,
        position: &Position,
        color: Color,
        sides: &mut [Side; 2],
        ledger: &mut L,
    ) {
        let variant = position.variant();
        let them = sides[(!color).index()];
        let enemies = position.pieces_of(!color);
        let open = !position.pieces_of(color) & !them.pawn_attacks;
        let mut aims = Aims {
            sign: sign(color),
            zone: them.zone,
            fortresses: them.fortresses,
            attacked: Bitboard::EMPTY,
            attackers: 0,
        };
        for kind in position.variant().kinds_of(color) {
            let pieces = position.pieces(color, kind);
            for square in pieces {
                ledger.stands(self, color, kind, square);
            }
            if !variant.movers(color).contains(kind) {
                continue;
            }
            let terms = self.terms(kind);
            let shifts = variant.shifts(color, kind);
            if shifts.is_empty() {
                for from in pieces {
                    let (attacks, quiet) = position.reach(color, kind, from);
                    let squares = ((attacks & enemies | quiet) & open).len();
                    ledger.reaches(self, color, kind, squares);
                    aims.attackers += i32::from(aims.take(attacks, terms, ledger));
                }
                continue;
            }
            // Pieces of so few steps are never free enough not to be boxed in: their squares add up.
            let (mut squares, mut attackers) = (0, Bitboard::EMPTY);
            for shift in shifts {
                let to = (pieces & shift.from).shift(shift.delta);
                let quiet = if shift.quiet { to & !position.occupied() } else { Bitboard::EMPTY };
                let captures = if shift.capture { to } else { Bitboard::EMPTY };
                squares += ((captures & enemies | quiet) & open).len();
                if aims.take(captures, terms, ledger) {
                    attackers |= (captures & them.zone).shift(-shift.delta);
                }
            }
            ledger.add(terms.mobility, sign(color) * squares as i32);
            ledger.add(terms.boxed, sign(color) * squares as i32);
            aims.attackers += attackers.len() as i32;
        }
        let us = &mut sides[color.index()];
        (us.attacked, us.attackers) = (aims.attacked, aims.attackers);
    }

    /// Pieces that hang, that stand beside their royal, that pawns attack.
    fn relations<L: Ledger>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        ledger: &mut L,
    ) {
        let (us, them) = (&sides[color.index()], &sides[(!color).index()]);
        let hanging = them.attacked & !us.attacked;
        let named = position.pieces_of(color) & (hanging | us.zone | them.pawn_attacks);
        if named.is_empty() {
            return;
        }
        let variant = position.variant();
        for kind in variant.kinds_of(color) {
            let pieces = position.pieces(color, kind) & named;
            if pieces.is_empty() || variant.royal() == Some(kind) {
                continue;
            }
            let terms = self.terms(kind);
            count(ledger, terms.hanging, pieces & hanging, sign(color));
            count(ledger, terms.shelter, pieces & us.zone, sign(color));
            if !self.layout.pawns.contains(kind) {
                count(ledger, terms.pawn_threat, pieces & them.pawn_attacks, sign(color));
            }
        }
    }

    /// A set and the squares to its left and right.
    #[inline]
    fn beside(&self, set: Bitboard) -> Bitboard {
        (set & self.not_first).shift(-1) | (set & self.not_last).shift(1)
    }

    /// The squares of a board that lie before those of a set, as `color` sees it, in one file.
    #[inline]
    fn before(position: &Position, color: Color, set: Bitboard) -> Bitboard {
        let geometry = position.variant().geometry();
        let stride = geometry.stride() as i8 * sign(color) as i8;
        let mut ahead = set.shift(stride);
        for times in [1, 2, 4] {
            ahead |= ahead.shift(stride * times);
        }
        // A board of up to 15 ranks: 8 of them are a shift too long for one byte.
        let rest = ahead.shift(stride * 4).shift(stride * 4);
        (ahead | rest) & geometry.squares()
    }

    /// The structure of pawns.
    fn pawns<L: Ledger>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        ledger: &mut L,
    ) {
        let (us, them) = (&sides[color.index()], &sides[(!color).index()]);
        if us.pawns.is_empty() {
            return;
        }
        let ahead = Counts::before(position, color, us.pawns);
        let behind = Counts::before(position, !color, us.pawns);
        let guarded = Counts::before(position, !color, them.pawns);
        let phalanx = self.beside(us.pawns);
        let joined = self.beside(us.pawns | ahead | behind);
        let stopped = guarded | self.beside(guarded);
        for kind in self.layout.pawns {
            let pieces = position.pieces(color, kind);
            if pieces.is_empty() {
                continue;
            }
            let terms = self.terms(kind);
            count(ledger, terms.protected, pieces & us.pawn_attacks, sign(color));
            count(ledger, terms.phalanx, pieces & phalanx, sign(color));
            count(ledger, terms.doubled, pieces & behind, sign(color));
            count(ledger, terms.isolated, pieces & !joined, sign(color));
            for square in pieces & !stopped {
                let rank = self.rank[color.index()][square.index()];
                ledger.add(terms.passed + usize::from(rank), sign(color));
            }
        }
    }

    fn hand<L: Ledger>(&self, position: &Position, color: Color, ledger: &mut L) {
        let hand = position.hand(color);
        for slot in hand.slots() {
            let terms = self.terms(position.variant().hand_kinds()[slot]);
            let pieces = usize::from(hand.count(slot));
            for number in 0..pieces.min(IN_HAND) {
                ledger.add(terms.hand + number, sign(color));
            }
            if pieces > IN_HAND {
                ledger.add(terms.hand + IN_HAND - 1, sign(color) * (pieces - IN_HAND) as i32);
            }
        }
    }

    /// The safety of a side's royal, if it has one on the board.
    fn royal<L: Ledger>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        ledger: &mut L,
    ) {
        let (us, them) = (&sides[color.index()], &sides[(!color).index()]);
        if us.zone.is_empty() {
            return;
        }
        let variant = position.variant();
        let mut attackers = them.attackers;
        let hand = position.hand(!color);
        if !hand.is_empty()
            && let Some(view) = position.royal_view(color)
        {
            let mut pieces = 0;
            for slot in hand.slots() {
                let kind = variant.hand_kinds()[slot];
                pieces += i32::from(hand.count(slot));
                let checks = position.drop_check_squares(!color, kind, &view);
                if checks.meets(!us.attacked) {
                    attackers += 1;
                    ledger.add(self.terms(kind).drop_check, -sign(color));
                }
            }
            ledger.add(self.layout.attackers_hand, -sign(color) * attackers * pieces.min(8));
        }
        let attackers = (attackers as usize).min(ATTACKERS - 1);
        ledger.add(self.layout.attackers + attackers, -sign(color));
        let flights = us.zone & !position.pieces_of(color) & !them.attacked;
        let flights = (flights & variant.geometry().squares()).len() as usize;
        ledger.add(self.layout.flights + flights.min(FLIGHTS - 1), sign(color));
    }

    /// The pieces whose fall gives something: how many are left, and what aims at them.
    fn fortresses<L: Ledger>(
        &self,
        position: &Position,
        color: Color,
        sides: &[Side; 2],
        ledger: &mut L,
    ) {
        if self.layout.fortress_kinds.is_empty() {
            return;
        }
        let (all, attacked) = (sides[color.index()].fortresses, sides[(!color).index()].attacked);
        let left = (all.len() as usize).min(FORTRESSES - 1);
        ledger.add(self.layout.fortresses + left, sign(color));
        let occupied = position.occupied();
        for square in all & attacked {
            let attackers = position.attackers(square, !color, occupied).len();
            let defenders = position.attackers(square, color, occupied).len();
            let exposed = (attackers.saturating_sub(defenders) as usize).min(FORTRESSES - 1);
            ledger.add(self.layout.fortress_exposed + exposed, -sign(color));
        }
    }
}
