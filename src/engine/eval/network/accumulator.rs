//! The accumulators: the sums of the hidden layer before its activation, kept from one position to the
//! next (Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions", 2018).

use garrison_rules::{Bitboard, Color, Hand, Key, PieceType, Position};

use super::features::FeatureSet;
use super::pieces::{AttackChange, AttackMaps, Pieces};
use super::rows::{RowWeight, Rows};
use super::weights::Weights;

/// The accumulators of the positions that were judged last. That of a position begins with the one of the position
/// before its last move, or before the last two: few of the pieces are others there.
#[derive(Debug, Clone)]
pub(super) struct Accumulators {
    /// By the number of moves that led to the position, the remainder by [`PLIES`].
    plies: Vec<Accumulator>,
    /// The place of the one that was updated last.
    last: usize,
    /// By side, and by whether it sees files exchanged: sums for when its royal crosses the middle, of pieces that stood
    /// when it did so before.
    crossed: [[(View, Pieces); 2]; 2],
}

/// How many accumulators are kept: more than the plies that a search goes beyond a position before it comes back.
const PLIES: usize = 64;

/// The sums of one position, as White and as Black sees it, and the pieces that they stand for.
#[derive(Debug, Clone)]
struct Accumulator {
    key: Key,
    pieces: Pieces,
    views: [View; 2],
}

/// What one side sees.
#[derive(Debug, Clone)]
struct View {
    sums: Vec<i16>,
    /// The sum of the skip weights; 0 if there are none.
    skip: i32,
    /// Whether files are exchanged.
    is_turned: bool,
}

/// The weights of the features, in rows.
#[derive(Clone, Copy)]
pub(super) struct Table<'a, W> {
    pub features: &'a FeatureSet,
    pub rows: &'a [W],
    pub skip: &'a [i16],
}

impl View {
    #[inline(always)]
    fn copy<R: Rows>(&mut self, other: &View) {
        R::copy(&mut self.sums, &other.sums);
        (self.skip, self.is_turned) = (other.skip, other.is_turned);
    }

    /// Adds or subtracts the row of a feature. Sums of too many pieces wrap, as they would if they were computed anew:
    /// with the pieces subtracted again, nothing is left of them.
    #[inline(always)]
    fn change<R: Rows, W: RowWeight>(&mut self, table: Table<W>, feature: usize, adds: bool) {
        let skip = table.skip.get(feature).map_or(0, |&weight| i32::from(weight));
        if adds {
            R::change(&mut self.sums, table.rows, feature, i16::wrapping_add);
            self.skip = self.skip.wrapping_add(skip);
        } else {
            R::change(&mut self.sums, table.rows, feature, i16::wrapping_sub);
            self.skip = self.skip.wrapping_sub(skip);
        }
    }

    /// Subtracts the row of one feature and adds that of another.
    #[inline(always)]
    fn exchange<R: Rows, W: RowWeight>(&mut self, table: Table<W>, gone: usize, new: usize) {
        let skip = |feature| table.skip.get(feature).map_or(0, |&weight| i32::from(weight));
        R::exchange(&mut self.sums, table.rows, gone, new);
        self.skip = self.skip.wrapping_sub(skip(gone)).wrapping_add(skip(new));
    }

    /// Goes from some pieces of one type to others.
    #[inline(always)]
    fn move_pieces<R: Rows, W: RowWeight>(
        &mut self,
        table: Table<W>,
        view: usize,
        piece: (Color, PieceType),
        [before, now]: [Bitboard; 2],
        attacks: &AttackChange,
    ) {
        let (stays, [old, new]) = (!attacks.changed, &attacks.maps);
        let features = table.features.pieces((view, self.is_turned), piece);
        let feature = |square, maps: &AttackMaps| features.on(square, maps.state(piece.0, square));
        let (mut gone, mut come) = (before & !(now & stays), now & !(before & stays));
        loop {
            match (gone.next(), come.next()) {
                (Some(from), Some(to)) => {
                    self.exchange::<R, W>(table, feature(from, old), feature(to, new));
                }
                (Some(from), None) => self.change::<R, W>(table, feature(from, old), false),
                (None, Some(to)) => self.change::<R, W>(table, feature(to, new), true),
                (None, None) => break,
            }
        }
    }

    /// Goes from one hand to another.
    #[inline(always)]
    fn move_hand<R: Rows, W: RowWeight>(
        &mut self,
        table: Table<W>,
        view: usize,
        color: Color,
        [before, now]: [Hand; 2],
    ) {
        for slot in 0..table.features.slots {
            let [before, now] = [before, now].map(|hand| usize::from(hand.count(slot)));
            let (numbers, adds) =
                if now > before { (before..now, true) } else { (now..before, false) };
            for feature in
                numbers.filter_map(|number| table.features.in_hand(view, color, slot, number))
            {
                self.change::<R, W>(table, feature, adds);
            }
        }
    }

    /// Goes from the pieces that it stands for to others.
    #[inline(always)]
    fn catch_up<R: Rows, W: RowWeight>(
        &mut self,
        table: Table<W>,
        view: usize,
        (old, new): (&mut Pieces, &Pieces),
        position: &Position,
    ) {
        let attacks = AttackChange::new(old.attacks, new.attacks);
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let change =
                    [&*old, new].map(|pieces| pieces.board[color.index()][kind.index()].squares);
                self.move_pieces::<R, W>(table, view, (color, kind), change, &attacks);
            }
            let change = [&*old, new].map(|pieces| pieces.hands[color.index()]);
            self.move_hand::<R, W>(table, view, color, change);
        }
        old.copy(new);
    }
}

impl Accumulators {
    /// Those of an empty board.
    pub fn new(features: &FeatureSet, weights: &Weights) -> Accumulators {
        let pieces = || Pieces::none(features.kinds);
        let view = |is_turned| View { sums: weights.bias.clone(), skip: 0, is_turned };
        let empty = || Accumulator { key: 0, pieces: pieces(), views: [view(false), view(false)] };
        let crossed = || [false, true].map(|is_turned| (view(is_turned), pieces()));
        Accumulators {
            plies: std::iter::repeat_with(empty).take(PLIES).collect(),
            last: 0,
            crossed: [crossed(), crossed()],
        }
    }

    /// The sums as a side sees the position that was judged last.
    #[inline(always)]
    pub fn view(&self, view: Color) -> &[i16] {
        &self.plies[self.last].views[view.index()].sums
    }

    /// The sum of the skip weights as a side sees that position.
    #[inline(always)]
    pub fn skip(&self, view: Color) -> i64 {
        self.plies[self.last].views[view.index()].skip.into()
    }

    /// Brings the accumulator of a position up to date.
    #[inline(always)]
    pub fn update<R: Rows, W: RowWeight>(&mut self, table: Table<W>, position: &Position) {
        let ply = position.moves_made().len();
        let nearest = self.nearest(position, ply);
        self.last = ply % PLIES;
        if let Ok([nearest, this]) = self.plies.get_disjoint_mut([nearest, self.last]) {
            this.copy::<R>(nearest);
        }
        let this = &mut self.plies[self.last];
        for (view, turned) in table.features.turns(position).into_iter().enumerate() {
            if this.views[view].is_turned != turned {
                let (crossed, pieces) = &mut self.crossed[view][usize::from(turned)];
                crossed.catch_up::<R, W>(table, view, (pieces, &this.pieces), position);
                this.views[view].copy::<R>(crossed);
            }
        }
        this.update::<R, W>(table, position);
        this.key = position.key();
    }

    /// The place of an accumulator whose position is near to this one: before its last move, or the last two, or else
    /// the one that was updated last.
    #[inline(always)]
    fn nearest(&self, position: &Position, ply: usize) -> usize {
        for (back, key) in (1..=2).zip(position.past_keys()) {
            let place = (ply - back) % PLIES;
            if self.plies[place].key == key {
                return place;
            }
        }
        self.last
    }
}

impl Accumulator {
    #[inline(always)]
    fn copy<R: Rows>(&mut self, other: &Accumulator) {
        self.pieces.copy(&other.pieces);
        for (view, other) in self.views.iter_mut().zip(&other.views) {
            view.copy::<R>(other);
        }
    }

    /// Adds and subtracts the rows of the features by which the position differs from the one before.
    #[inline(always)]
    fn update<R: Rows, W: RowWeight>(&mut self, table: Table<W>, position: &Position) {
        let Accumulator { pieces, views, .. } = self;
        let attacks = if table.features.form().attacks {
            pieces.attack(position)
        } else {
            AttackChange::default()
        };
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let now = position.pieces(color, kind);
                let known = &mut pieces.board[color.index()][kind.index()].squares;
                let before = std::mem::replace(known, now);
                if now != before || now.meets(attacks.changed) {
                    let (piece, change) = ((color, kind), [before, now]);
                    for (number, view) in views.iter_mut().enumerate() {
                        view.move_pieces::<R, W>(table, number, piece, change, &attacks);
                    }
                }
            }
            let now = position.hand(color);
            let before = std::mem::replace(&mut pieces.hands[color.index()], now);
            if now != before {
                for (number, view) in views.iter_mut().enumerate() {
                    view.move_hand::<R, W>(table, number, color, [before, now]);
                }
            }
        }
    }
}
