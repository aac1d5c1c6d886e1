//! The bases of squares: how near they are to what matters to a piece there.

use super::design::{Builder, flag, slow};
use garrison_rules::{Bitboard, Color, File, PieceType, Rank, Square};

impl Builder<'_> {
    /// How near a rank is to the promotion zone, 1 in it and less with each rank before it: fast, slowly.
    pub(super) fn steps(&self, kind: PieceType, rank: u8) -> [f64; 2] {
        let color = self.traced.kinds[kind.index()].color;
        color.map_or([0.0; 2], |color| {
            self.ranks_to(self.variant.promotion_zone(color, kind), color, rank)
        })
    }

    /// The same for ranks on which the piece type wins.
    pub(super) fn goal_rank(&self, kind: PieceType, rank: u8) -> [f64; 2] {
        let color = self.traced.kinds[kind.index()].color;
        color.map_or([0.0; 2], |color| {
            self.ranks_to(self.layout.goal_squares(kind, color), color, rank)
        })
    }

    /// How near a rank is to the next of some squares ahead of it.
    fn ranks_to(&self, squares: Bitboard, color: Color, rank: u8) -> [f64; 2] {
        let geometry = self.variant.geometry();
        let ahead = squares
            .map(|square| geometry.rank(geometry.relative(color, square)).0)
            .filter(|&there| there >= rank)
            .min();
        ahead.map_or([0.0; 2], |there| near(f64::from(there - rank)))
    }

    /// All squares of a piece type.
    pub(super) fn squares(&mut self, kind: PieceType) {
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
                    self.royal_square(term, &place);
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
            let near = |at| 1.0 - f64::from(geometry.distance(at, royal)) / 4.0;
            near(square).max(near(mirrored)).max(-1.0)
        };
        let [own, enemy] =
            [self.traced.royals[color.index()], self.traced.royals[(!color).index()]];
        let goals = self.layout.goal_squares(kind, color);
        let goal = goals
            .map(|goal| geometry.distance(geometry.relative(color, goal), square))
            .min()
            .map_or([0.0; 2], |steps| near(f64::from(steps)));
        Place {
            file_middle: middle(file, geometry.files()),
            rank_middle: middle(rank, ranks),
            advance,
            rank,
            start: flag(traits.start.contains(square) || traits.start.contains(mirrored)),
            freedom: f64::midpoint(
                traits.freedom[square.index()],
                traits.freedom[mirrored.index()],
            ),
            own_royal: closeness(own, color),
            enemy_royal: closeness(enemy, color),
            steps: self.steps(kind, rank),
            in_zone: flag(
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

    fn royal_square(&mut self, term: usize, at: &Place) {
        let home = flag(at.rank == 0);
        let bases = [
            at.file_middle,
            at.rank_middle,
            at.advance,
            at.advance * at.advance,
            home,
            flag(at.rank == 1),
            home * (1.0 - at.file_middle) / 2.0,
            at.start,
            at.freedom,
            at.goal[0],
            at.goal[1],
        ];
        self.set(term, "squares_royal", &bases);
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
