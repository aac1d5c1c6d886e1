//! The tables of one side that move generation reads: leaps, rays and zones per man and square.

use arrayvec::ArrayVec;

use crate::rules::attacks::{Geometry, Lines};
use crate::rules::betza::Step;
use crate::rules::bitboard::Bitboard;
use crate::rules::types::{Color, KindSet, MAX_SQUARES, PieceKind, Square};

/// A set of squares per square.
pub(crate) type Table = Box<[Bitboard; MAX_SQUARES]>;

fn empty_table() -> Table {
    Box::new([Bitboard::EMPTY; MAX_SQUARES])
}

/// Sliding or hopping moves of a man: on which lines it goes, and which of the squares of those
/// lines it may go to, from each square.
#[derive(Debug)]
pub(crate) struct Slides {
    pub lines: Lines,
    pub quiet: Table,
    pub capture: Table,
    /// The squares from which such a man could capture on a square of an empty board.
    pub captured_from: Table,
}

/// A step that all men of a kind make at once: by how many indices, from which squares.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shift {
    pub delta: i8,
    pub from: Bitboard,
    pub quiet: bool,
    pub capture: bool,
}

/// The most steps of a man that is moved with the others of its kind at once.
const MAX_SHIFTS: usize = 3;

/// How a man of one side moves.
#[derive(Debug)]
pub(crate) struct ManMoves {
    pub leaps_quiet: Table,
    pub leaps_capture: Table,
    /// The squares from which such a man could leap to a square, capturing.
    pub captured_from: Table,
    pub slides: Option<Slides>,
    pub hops: Option<Slides>,
    /// Its steps, if it has so few that all men of the kind are better moved at once.
    pub shifts: ArrayVec<Shift, MAX_SHIFTS>,
    /// One step straight ahead in indices, and the squares from which two are allowed.
    pub forward: i8,
    pub double_from: Bitboard,
}

/// Where and to what a man promotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Promotion {
    pub zone: Bitboard,
    pub forced: Bitboard,
    pub to: KindSet,
}

/// What the rules say of one side.
#[derive(Debug)]
pub(crate) struct Side {
    /// The men it may have.
    pub men: KindSet,
    /// Those of them that move.
    pub movers: KindSet,
    /// Those that capture by leaping, sliding, hopping.
    pub leapers: KindSet,
    pub sliders: KindSet,
    pub hoppers: KindSet,
    /// Per square: from where any of them could capture there by a leap.
    pub leap_zone: Table,
    pub moves: Vec<ManMoves>,
    pub promotions: Vec<Option<Promotion>>,
    /// Per kind: where it may be dropped.
    pub drop_zone: Vec<Bitboard>,
    /// Per kind: where it can never stand.
    pub never: Vec<Bitboard>,
    /// Per kind: the squares it may move to.
    pub region: Vec<Bitboard>,
    /// Per kind: the most it may have.
    pub limit: Vec<Option<u8>>,
}

impl Side {
    /// The tables of how a man moves.
    #[inline]
    pub fn moves(&self, kind: PieceKind) -> &ManMoves {
        &self.moves[kind.index()]
    }

    /// Where and to what a man promotes, if it does.
    #[inline]
    pub fn promotion(&self, kind: PieceKind) -> Option<&Promotion> {
        self.promotions[kind.index()].as_ref()
    }

    /// Fills the tables that follow from those of the single men.
    pub fn derive(&mut self, geometry: &Geometry) {
        for kind in self.men {
            let moves = &self.moves[kind.index()];
            let captures = |table: &Table| geometry.squares().any(|s| !table[s.index()].is_empty());
            if captures(&moves.captured_from) {
                self.leapers.insert(kind);
            }
            if moves.slides.as_ref().is_some_and(|slides| captures(&slides.captured_from)) {
                self.sliders.insert(kind);
            }
            if moves.hops.as_ref().is_some_and(|hops| captures(&hops.captured_from)) {
                self.hoppers.insert(kind);
            }
            for square in geometry.squares() {
                self.leap_zone[square.index()] |= moves.captured_from[square.index()];
            }
            if moves.can_move(geometry) {
                self.movers.insert(kind);
            }
        }
    }

    /// A side without men.
    pub fn new(men: KindSet) -> Side {
        Side {
            men,
            movers: KindSet::EMPTY,
            leapers: KindSet::EMPTY,
            sliders: KindSet::EMPTY,
            hoppers: KindSet::EMPTY,
            leap_zone: empty_table(),
            moves: Vec::new(),
            promotions: Vec::new(),
            drop_zone: Vec::new(),
            never: Vec::new(),
            region: Vec::new(),
            limit: Vec::new(),
        }
    }
}

impl ManMoves {
    /// The tables of a man of `color` that makes these steps inside `region`, with double steps
    /// from `double_from`.
    pub fn new(
        geometry: &Geometry,
        color: Color,
        steps: &[Step],
        region: Bitboard,
        double_from: Bitboard,
    ) -> ManMoves {
        let sign = if color == Color::White { 1 } else { -1 };
        let steps: Vec<Step> =
            steps.iter().map(|s| Step { dx: s.dx * sign, dy: s.dy * sign, ..*s }).collect();
        let (mut quiet, mut capture) = (empty_table(), empty_table());
        for step in steps.iter().filter(|step| step.leap) {
            for from in geometry.squares() {
                let target =
                    geometry.step(from, step.dx, step.dy).filter(|&to| region.contains(to));
                let Some(to) = target else { continue };
                if step.quiet {
                    quiet[from.index()].insert(to);
                }
                if step.capture {
                    capture[from.index()].insert(to);
                }
            }
        }
        let slides = |hop| Slides::new(geometry, &steps, hop, region);
        ManMoves {
            captured_from: reversed(&capture),
            leaps_quiet: quiet,
            leaps_capture: capture,
            slides: slides(false),
            hops: slides(true),
            shifts: shifts(geometry, &steps, region),
            forward: geometry.stride() as i8 * sign,
            double_from,
        }
    }

    fn can_move(&self, geometry: &Geometry) -> bool {
        let leaps = |s: Square| self.leaps_quiet[s.index()] | self.leaps_capture[s.index()];
        self.slides.is_some()
            || self.hops.is_some()
            || geometry.squares().any(|s| !leaps(s).is_empty())
    }
}

impl Slides {
    fn new(geometry: &Geometry, steps: &[Step], hop: bool, region: Bitboard) -> Option<Slides> {
        let steps: Vec<&Step> = steps.iter().filter(|s| !s.leap && s.hop == hop).collect();
        if steps.is_empty() {
            return None;
        }
        let mut slides = Slides {
            lines: Lines::NONE,
            quiet: empty_table(),
            capture: empty_table(),
            captured_from: empty_table(),
        };
        for step in steps {
            slides.lines = slides.lines.with(Lines::of_step(step.dx, step.dy));
            for from in geometry.squares() {
                let reach = geometry.walk(from, step.dx, step.dy).take(usize::from(step.range));
                let reach = reach.collect::<Bitboard>() & region;
                if step.quiet {
                    slides.quiet[from.index()] |= reach;
                }
                if step.capture {
                    slides.capture[from.index()] |= reach;
                }
            }
        }
        slides.captured_from = reversed(&slides.capture);
        Some(slides)
    }
}

/// The squares from which a table leads to a square.
fn reversed(table: &Table) -> Table {
    let mut reversed = empty_table();
    for (from, targets) in table.iter().enumerate() {
        for to in *targets {
            reversed[to.index()].insert(Square::new(from as u8));
        }
    }
    reversed
}

fn shifts(geometry: &Geometry, steps: &[Step], region: Bitboard) -> ArrayVec<Shift, MAX_SHIFTS> {
    if steps.len() > MAX_SHIFTS || steps.iter().any(|step| !step.leap) {
        return ArrayVec::new();
    }
    steps
        .iter()
        .map(|step| Shift {
            delta: step.dy * geometry.stride() as i8 + step.dx,
            from: geometry
                .squares()
                .filter(|&s| {
                    geometry.step(s, step.dx, step.dy).is_some_and(|to| region.contains(to))
                })
                .collect(),
            quiet: step.quiet,
            capture: step.capture,
        })
        .collect()
}
