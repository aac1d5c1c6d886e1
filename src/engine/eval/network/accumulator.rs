//! The accumulators: the sums of the hidden layer before its activation, kept from one position to the
//! next (Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions", 2018).

use garrison_rules::{Bitboard, Color, Hand, Key, PieceType, Position, Square, Variant};

use super::features::FeatureSet;
use super::pieces::Pieces;
use super::rows::{AnySize, Exchange, RowWeight, Rows};
use super::weights::Weights;

/// The accumulators of the positions that were judged last. That of a position begins with the one of the position
/// before its last move, or before the last two: few of the pieces are others there.
#[derive(Debug, Clone)]
pub(super) struct Accumulators {
    /// By the number of moves that led to the position, the remainder by [`PLIES`].
    plies: Vec<Accumulator>,
    /// The place of the one that was updated last.
    last: usize,
    /// The pieces that an accumulator stood for, while it is updated in place.
    before: Pieces,
    /// By side, and by whether it sees files exchanged: sums for when its royal crosses the middle, and the pieces that
    /// these stand for, which are those of the last time that it did so.
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

    /// Takes away a feature that is gone, and adds one that has come.
    #[inline(always)]
    fn exchange<R: Rows, W: RowWeight>(&mut self, table: Table<W>, change: Exchange) {
        let skip = |feature: Option<usize>| {
            feature.and_then(|at| table.skip.get(at)).map_or(0, |&weight| i32::from(weight))
        };
        R::exchange(&mut self.sums, table.rows, change);
        self.skip = self.skip.wrapping_sub(skip(change.gone)).wrapping_add(skip(change.come));
    }

    /// Goes from the pieces of one type to others. On `changed` squares, the state of a piece is another one.
    #[inline(always)]
    fn follow<R: Rows, W: RowWeight>(
        &mut self,
        table: Table<W>,
        view: usize,
        piece: (Color, PieceType),
        [old, new]: [&Pieces; 2],
        changed: Bitboard,
    ) {
        let features = table.features.pieces((view, self.is_turned), piece);
        let feature = |pieces: &Pieces, square: Option<Square>| {
            square.map(|square| features.on(square, pieces.attacks.state(piece.0, square)))
        };
        let [before, now] = [old, new].map(|pieces| pieces.on_board(piece));
        let (mut gone, mut come) = (before & (!now | changed), now & (!before | changed));
        while !(gone | come).is_empty() {
            let (gone, come) = (feature(old, gone.next()), feature(new, come.next()));
            self.exchange::<R, W>(table, Exchange { gone, come });
        }
    }

    /// Goes from one hand to another.
    #[inline(always)]
    fn follow_hand<R: Rows, W: RowWeight>(
        &mut self,
        table: Table<W>,
        view: usize,
        color: Color,
        [before, now]: [Hand; 2],
    ) {
        for slot in 0..table.features.slots {
            let [before, now] = [before, now].map(|hand| usize::from(hand.count(slot)));
            for number in before.min(now)..before.max(now) {
                let feature = table.features.in_hand(view, color, slot, number);
                let gone = feature.filter(|_| before > now);
                let come = feature.filter(|_| now > before);
                self.exchange::<R, W>(table, Exchange { gone, come });
            }
        }
    }

    /// Goes from all pieces that it stands for to others: what happens seldom, and is compiled once for all sizes.
    #[cold]
    fn catch_up<W: RowWeight>(
        &mut self,
        table: Table<W>,
        view: usize,
        [old, new]: [&Pieces; 2],
        variant: &Variant,
    ) {
        let changed = old.attacks.changes(&new.attacks);
        for color in Color::ALL {
            for kind in variant.kinds_of(color) {
                self.follow::<AnySize, W>(table, view, (color, kind), [old, new], changed);
            }
            let hands = [old, new].map(|pieces| pieces.hands[color.index()]);
            self.follow_hand::<AnySize, W>(table, view, color, hands);
        }
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
            before: pieces(),
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
        let (nearest, this) = (self.nearest(position, ply), ply % PLIES);
        self.last = this;
        let (this, before) = match self.plies.get_disjoint_mut([nearest, this]) {
            Ok([nearest, this]) => {
                this.copy_views::<R>(nearest);
                (this, &nearest.pieces)
            }
            Err(_) => {
                self.before.copy(&self.plies[this].pieces);
                (&mut self.plies[this], &self.before)
            }
        };
        this.key = position.key();
        this.pieces.follow(before, position, table.features.form().attacks);
        for (number, turned) in table.features.turns(position).into_iter().enumerate() {
            let view = &mut this.views[number];
            if view.is_turned != turned {
                let (crossed, pieces) = &mut self.crossed[number][usize::from(turned)];
                crossed.catch_up(table, number, [pieces, before], position.variant());
                pieces.copy(before);
                view.copy::<R>(crossed);
            }
        }
        this.follow::<R, W>(table, before, position.variant());
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
    fn copy_views<R: Rows>(&mut self, other: &Accumulator) {
        for (view, other) in self.views.iter_mut().zip(&other.views) {
            view.copy::<R>(other);
        }
    }

    /// Brings the sums, which stand for the pieces before, up to date with those of today.
    #[inline(always)]
    fn follow<R: Rows, W: RowWeight>(
        &mut self,
        table: Table<W>,
        before: &Pieces,
        variant: &Variant,
    ) {
        let Accumulator { pieces, views, .. } = self;
        let change = [before, &*pieces];
        let changed = before.attacks.changes(&pieces.attacks);
        for color in Color::ALL {
            for kind in variant.kinds_of(color) {
                let piece = (color, kind);
                let [old, new] = change.map(|pieces| pieces.on_board(piece));
                if old == new && !new.meets(changed) {
                    continue;
                }
                for (number, view) in views.iter_mut().enumerate() {
                    view.follow::<R, W>(table, number, piece, change, changed);
                }
            }
            let hands = change.map(|pieces| pieces.hands[color.index()]);
            if hands[0] != hands[1] {
                for (number, view) in views.iter_mut().enumerate() {
                    view.follow_hand::<R, W>(table, number, color, hands);
                }
            }
        }
    }
}
