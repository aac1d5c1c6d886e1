//! The accumulator: the sums of the hidden layer before its activation, kept from one position to the
//! next (Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions", 2018).

use garrison_rules::{Bitboard, Color, Hand, PieceType, Position};

use super::features::{AttackMaps, FeatureSet};
use super::rows::{RowWeight, Rows};
use super::weights::Weights;

/// The sums of one position, as White and as Black sees it, and the pieces that they stand for.
#[derive(Debug, Clone)]
pub(super) struct Accumulator {
    pieces: Pieces,
    views: [View; 2],
    /// The sums of either side with files the other way round, and the pieces that these stand for: when a royal
    /// crosses the middle and comes back, most of them are still there.
    parked: [(View, Pieces); 2],
}

/// Where the pieces of a position are.
#[derive(Debug, Clone)]
struct Pieces {
    board: [Vec<Bitboard>; 2],
    hands: [Hand; 2],
    attacks: AttackMaps,
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

/// What is attacked before and now.
struct AttackChange {
    maps: [AttackMaps; 2],
    /// Where the state of a piece is another one.
    changed: Bitboard,
}

impl AttackChange {
    #[inline(always)]
    fn new(before: AttackMaps, now: AttackMaps) -> AttackChange {
        AttackChange { maps: [before, now], changed: before.changes(&now) }
    }
}

impl View {
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
        let view = (view, self.is_turned);
        for (squares, maps, adds) in
            [(before & !(now & stays), old, false), (now & !(before & stays), new, true)]
        {
            for square in squares {
                let state = maps.state(piece.0, square);
                let feature = table.features.piece(view, piece, square, state);
                self.change::<R, W>(table, feature, adds);
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
}

impl Accumulator {
    /// That of an empty board.
    pub fn new(features: &FeatureSet, weights: &Weights) -> Accumulator {
        let board = || vec![Bitboard::EMPTY; features.kinds];
        let pieces = || Pieces {
            board: [board(), board()],
            hands: [Hand::default(); 2],
            attacks: AttackMaps::default(),
        };
        let view = |is_turned| View { sums: weights.bias.clone(), skip: 0, is_turned };
        Accumulator {
            pieces: pieces(),
            views: [view(false), view(false)],
            parked: [(view(true), pieces()), (view(true), pieces())],
        }
    }

    /// The sums as a side sees the position.
    #[inline(always)]
    pub fn view(&self, view: Color) -> &[i16] {
        &self.views[view.index()].sums
    }

    /// The sum of the skip weights as a side sees the position.
    #[inline(always)]
    pub fn skip(&self, view: Color) -> i64 {
        self.views[view.index()].skip.into()
    }

    /// Adds and subtracts the rows of the features by which the position differs from the last one.
    #[inline(always)]
    pub fn update<R: Rows, W: RowWeight>(&mut self, table: Table<W>, position: &Position) {
        let turns = table.features.turns(position);
        for (view, turned) in turns.into_iter().enumerate() {
            if self.views[view].is_turned != turned {
                self.turn::<R, W>(table, view, position);
            }
        }
        let Accumulator { pieces, views, .. } = self;
        let now = table.features.attack_maps(position);
        let attacks = AttackChange::new(std::mem::replace(&mut pieces.attacks, now), now);
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let now = position.pieces(color, kind);
                let known = &mut pieces.board[color.index()][kind.index()];
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

    /// Takes the sums of a side with files the other way round, and brings them to the pieces of those put aside.
    #[inline(always)]
    fn turn<R: Rows, W: RowWeight>(&mut self, table: Table<W>, number: usize, position: &Position) {
        let Accumulator { pieces, views, parked } = self;
        let (view, (other, old)) = (&mut views[number], &mut parked[number]);
        std::mem::swap(view, other);
        let now = pieces.attacks;
        let attacks = AttackChange::new(std::mem::replace(&mut old.attacks, now), now);
        for color in Color::ALL {
            for kind in position.variant().kinds_of(color) {
                let now = pieces.board[color.index()][kind.index()];
                let known = &mut old.board[color.index()][kind.index()];
                let before = std::mem::replace(known, now);
                view.move_pieces::<R, W>(table, number, (color, kind), [before, now], &attacks);
            }
            let now = pieces.hands[color.index()];
            let before = std::mem::replace(&mut old.hands[color.index()], now);
            if now != before {
                view.move_hand::<R, W>(table, number, color, [before, now]);
            }
        }
    }
}
