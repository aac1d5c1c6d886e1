//! What a piece type can do on the board of its game, as a few numbers: what its value follows from.

use garrison_rules::random::SplitMix;
use garrison_rules::{Bitboard, Color, PieceType, Position, Square, Variant};

/// Shares of the board that are occupied, beside none.
const FILLINGS: [f64; 2] = [0.25, 0.5];
/// Random boards for each of them.
const BOARDS: usize = 4;
/// From how many squares it is looked how much of the board a piece can ever reach.
const ORIGINS: usize = 5;
/// Values that differ more than by this factor from what moves say are taken to be in another unit.
const UNIT: f64 = 3.0;
/// A value is trusted if it is less than so many times what moves say, and a pawn.
const TRUST: f64 = 2.0;

/// A piece type of a game. Numbers of squares are means over the squares on which it may stand.
#[derive(Debug, Clone, Default)]
pub(super) struct Traits {
    /// The squares that it attacks on a board with nothing on it, a quarter full, half full.
    pub attack: [f64; 3],
    /// The empty squares to which it can go without capturing.
    pub quiet: [f64; 3],
    /// Of the moves on a board a quarter full: those ahead, those back.
    pub forward: f64,
    pub backward: f64,
    /// Squares that it attacks beside its own.
    pub near: f64,
    /// The share of the board that it can ever reach.
    pub reach: f64,
    /// The share of the board that it reaches in two moves on a board a quarter full.
    pub twice: f64,
    /// How much of its attack an empty board adds to that on a board half full, 0 to 1; and how much it takes.
    pub slides: f64,
    pub hops: f64,
    /// What it is worth in pawns: by its definition, or by its moves.
    pub value: f64,
    /// What it gains by promoting, in pawns, and how near that is, 0 to 1.
    pub gain: f64,
    pub nearness: f64,
    /// By square of the board, as White sees it: its moves there relative to the mean, -1 to 1.
    pub freedom: Vec<f64>,
    /// Where it stands in the start array.
    pub start: Bitboard,
    /// The side by which it is described.
    pub color: Option<Color>,
}

/// A game as the prior sees it.
pub(super) struct Traced {
    pub kinds: Vec<Traits>,
    /// Whether captured pieces go to hands.
    pub drops: bool,
    /// Whether a side wins by losing its pieces.
    pub giveaway: bool,
    /// Where White's and Black's royals stand in the start array.
    pub royals: [Option<Square>; 2],
    /// The royal of which no side begins with several: it is never exchanged.
    pub single_royal: Option<PieceType>,
}

impl Traced {
    /// `hints`: whether the values that the definition writes count.
    pub fn new(variant: &Variant, start: &Position, hints: bool) -> Traced {
        let boards = boards(variant);
        let mut kinds: Vec<Traits> =
            variant.kinds().map(|kind| Traits::of(variant, kind, start, &boards)).collect();
        set_values(variant, start, hints, &mut kinds);
        Traced {
            kinds,
            drops: variant.captures_change_sides(),
            giveaway: variant.is_giveaway(),
            royals: Color::ALL.map(|color| start.royal_square(color)),
            single_royal: variant.royal().filter(|&kind| {
                Color::ALL.iter().all(|&color| start.pieces(color, kind).len() <= 1)
            }),
        }
    }
}

/// Random boards, the same for all piece types: so many empty ones, a quarter full, half full.
fn boards(variant: &Variant) -> [Vec<Bitboard>; 3] {
    let mut random = SplitMix::new(1);
    let mut filled = |share: f64| -> Vec<Bitboard> {
        let mut board = || {
            variant.geometry().squares().filter(|_| random.fraction() < share).collect::<Bitboard>()
        };
        (0..BOARDS).map(|_| board()).collect()
    };
    [vec![Bitboard::EMPTY], filled(FILLINGS[0]), filled(FILLINGS[1])]
}

impl Traits {
    fn of(
        variant: &Variant,
        kind: PieceType,
        start: &Position,
        boards: &[Vec<Bitboard>; 3],
    ) -> Traits {
        let geometry = variant.geometry();
        let color = Color::ALL.into_iter().find(|&color| variant.kinds_of(color).contains(kind));
        let size = geometry.squares().map(|square| square.index() + 1).max().unwrap_or(0);
        let mut traits = Traits { color, freedom: vec![0.0; size], ..Traits::default() };
        let Some(color) = color else { return traits };
        traits.start = Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, side| {
            let own = start.pieces(side, kind);
            all | own.map(|square| geometry.relative(side, square)).collect::<Bitboard>()
        });
        let squares = variant.standing_squares(color, kind) & geometry.squares();
        let count = squares.len().max(1) as f64;
        for (filling, boards) in boards.iter().enumerate() {
            let share = 1.0 / (count * boards.len() as f64);
            for from in squares {
                for &board in boards {
                    let occupied = board & !Bitboard::of(from);
                    let (attacks, quiet) = variant.reach(color, kind, from, occupied);
                    traits.attack[filling] += share * f64::from(attacks.len());
                    traits.quiet[filling] += share * f64::from(quiet.len());
                    if filling == 1 {
                        let moves = f64::from(attacks.len() + quiet.len()) / 2.0;
                        let own = geometry.relative(color, from);
                        traits.freedom[own.index()] += moves / boards.len() as f64;
                        traits.near +=
                            share * f64::from((attacks & geometry.neighbors(from)).len());
                        traits.add_directions(variant, color, from, attacks | quiet, share);
                    }
                }
            }
        }
        let mean = (traits.attack[1] + traits.quiet[1]) / 2.0;
        for square in squares {
            let own = &mut traits.freedom[geometry.relative(color, square).index()];
            *own = (*own / mean.max(0.1) - 1.0).clamp(-1.0, 1.0);
        }
        let change = traits.attack[0] - traits.attack[2];
        traits.slides = (change / traits.attack[0].max(0.1)).clamp(0.0, 1.0);
        traits.hops = (-change / traits.attack[2].max(0.1)).clamp(0.0, 1.0);
        (traits.reach, traits.twice) = ranges(variant, color, kind, squares, boards);
        traits
    }

    /// Counts moves ahead and back.
    fn add_directions(
        &mut self,
        variant: &Variant,
        color: Color,
        from: Square,
        moves: Bitboard,
        share: f64,
    ) {
        let geometry = variant.geometry();
        let rank = |square| geometry.rank(geometry.relative(color, square)).0;
        for to in moves {
            match rank(to).cmp(&rank(from)) {
                std::cmp::Ordering::Greater => self.forward += share,
                std::cmp::Ordering::Less => self.backward += share,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
}

/// The share of the board that a piece can ever reach, and that it reaches in two moves, from some squares.
fn ranges(
    variant: &Variant,
    color: Color,
    kind: PieceType,
    squares: Bitboard,
    boards: &[Vec<Bitboard>; 3],
) -> (f64, f64) {
    let all = variant.geometry().squares().len().max(1) as f64;
    let moves = |from: Square, board: Bitboard| {
        let (attacks, quiet) = variant.reach(color, kind, from, board & !Bitboard::of(from));
        attacks | quiet
    };
    let (mut ever, mut twice, mut origins) = (0.0, 0.0, 0.0);
    let apart = (squares.len() as usize / ORIGINS).max(1);
    for origin in squares.step_by(apart).take(ORIGINS) {
        let (mut reached, mut new) = (Bitboard::EMPTY, Bitboard::of(origin));
        while !new.is_empty() {
            let next = new.fold(Bitboard::EMPTY, |next, from| {
                next | moves(from, Bitboard::EMPTY) | moves(from, boards[1][0])
            });
            new = next & !reached;
            reached |= new;
        }
        let board = boards[1][0];
        let once = moves(origin, board);
        let two = once.fold(once, |all, from| all | moves(from, board));
        ever += f64::from(reached.len()) / all;
        twice += f64::from(two.len()) / all;
        origins += 1.0;
    }
    (ever / f64::max(origins, 1.0), twice / f64::max(origins, 1.0))
}

/// Sets what pieces are worth, and what follows from that.
fn set_values(variant: &Variant, start: &Position, hints: bool, kinds: &mut [Traits]) {
    let by_moves: Vec<f64> = kinds
        .iter()
        .map(|traits| {
            let moves = traits.attack[1] + traits.quiet[1];
            0.33 * moves * (0.5 + 0.5 * traits.reach)
        })
        .collect();
    let near: Vec<f64> = variant.kinds().map(|kind| nearness(variant, kind, kinds)).collect();
    let promoted = |values: &[f64], kind: PieceType| {
        let colors = Color::ALL.into_iter();
        let kinds = colors.flat_map(|color| variant.promotes_to(color, kind).into_iter());
        let own = values[kind.index()];
        kinds.map(|to| values[to.index()] - own).fold(0.0, f64::max)
    };
    let mut values = by_moves.clone();
    for kind in variant.kinds() {
        values[kind.index()] += 0.4 * near[kind.index()] * promoted(&by_moves, kind);
    }
    let royals = variant.royals();
    if hints {
        let written =
            |kind: PieceType| variant.written_value(kind).map(|value| f64::from(value) / 100.0);
        let unit = unit(variant, start, &values, written);
        for kind in variant.kinds() {
            let value = &mut values[kind.index()];
            let [least, most] = [(*value - 1.0) / TRUST, *value * TRUST + 1.0];
            *value = written(kind).map_or(*value, |written| (written * unit).clamp(least, most));
        }
    }
    for kind in royals {
        // A royal that a piece becomes, or that is one of several, is worth an officer.
        values[kind.index()] = values[kind.index()].max(by_moves[kind.index()]);
    }
    for kind in variant.kinds() {
        let traits = &mut kinds[kind.index()];
        traits.value = values[kind.index()].clamp(0.1, 20.0);
        traits.nearness = near[kind.index()];
        traits.gain = promoted(&values, kind).clamp(0.0, 12.0);
    }
    for kind in variant.kinds() {
        let Some(best) = best_of_reserve(variant, kind, |kind| kinds[kind.index()].value) else {
            continue;
        };
        let Traits { value, attack, near, gain, .. } = kinds[best.index()];
        let reserve = &mut kinds[kind.index()];
        (reserve.value, reserve.attack, reserve.near, reserve.gain) = (value, attack, near, gain);
    }
}

/// The most valuable of the piece types that one in reserve may become; `None` for what is no reserve.
pub(super) fn best_of_reserve(
    variant: &Variant,
    kind: PieceType,
    value: impl Fn(PieceType) -> f64,
) -> Option<PieceType> {
    variant.piece(kind).reserve.into_iter().max_by(|&a, &b| value(a).total_cmp(&value(b)))
}

/// The factor that makes pawns of the values that a definition writes: 1, unless all of them together are far from what
/// moves say.
fn unit(
    variant: &Variant,
    start: &Position,
    by_moves: &[f64],
    written: impl Fn(PieceType) -> Option<f64>,
) -> f64 {
    let (mut moves, mut said) = (0.0, 0.0);
    for kind in variant.kinds().filter(|kind| !variant.royals().contains(*kind)) {
        let count = start.pieces(Color::White, kind).len() + start.pieces(Color::Black, kind).len();
        let Some(value) = written(kind) else { continue };
        moves += f64::from(count) * by_moves[kind.index()];
        said += f64::from(count) * value;
    }
    if said <= 0.0 || moves <= 0.0 {
        return 1.0;
    }
    let ratio = moves / said;
    if (1.0 / UNIT..=UNIT).contains(&ratio) { 1.0 } else { ratio }
}

/// How near the promotion zone is to where a piece type starts: 1 if it starts there, half if a king's step away, …, the mean
/// of those in the start array; of others, as from the third rank.
fn nearness(variant: &Variant, kind: PieceType, kinds: &[Traits]) -> f64 {
    let traits = &kinds[kind.index()];
    let Some(color) = traits.color else { return 0.0 };
    let geometry = variant.geometry();
    let zone: Bitboard = variant
        .promotion_zone(color, kind)
        .map(|square| geometry.relative(color, square))
        .collect();
    let third = || geometry.squares().filter(|&square| geometry.rank(square).0 == 2).collect();
    let from: Bitboard = if traits.start.is_empty() { third() } else { traits.start };
    let of_square = |square| zone.map(|there| geometry.distance(square, there)).min();
    let near = from.filter_map(of_square).map(|steps| 1.0 / (1.0 + f64::from(steps)));
    near.sum::<f64>() / from.len().max(1) as f64
}
