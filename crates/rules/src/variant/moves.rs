//! How a piece type moves, as tables for move generation: targets per square for leaps, slides, hops and double
//! steps, and what is irregular about it.

use arrayvec::ArrayVec;

use super::legs::LegTables;
use super::paths::Paths;
use crate::betza::{Legs, Step, Way};
use crate::bitboard::Bitboard;
use crate::geometry::{Geometry, Lines};
use crate::types::{MAX_SQUARES, PieceType, PieceTypeSet, Square};

/// A set of squares per square.
pub(crate) type Table = Box<[Bitboard; MAX_SQUARES]>;

pub(super) fn empty_table() -> Table {
    Box::new([Bitboard::EMPTY; MAX_SQUARES])
}

/// The sliding or hopping moves of a piece type: the lines it moves along, and which squares of those lines it
/// may reach from each square.
#[derive(Debug)]
pub(crate) struct Slides {
    pub lines: Lines,
    pub quiet: Table,
    pub capture: Table,
    /// Per square: from where such a piece captures there on an empty board.
    pub captured_from: Table,
}

/// A single step that moves all pieces of a type by one shift of their bitboard.
#[derive(Debug, Clone, Copy)]
pub struct Shift {
    /// The difference of the square indices of target and origin.
    pub delta: i8,
    /// The squares from which the step stays on the board and in the region of the piece type.
    pub from: Bitboard,
    /// Whether it may go to an empty square.
    pub quiet: bool,
    /// Whether it may capture.
    pub capture: bool,
}

/// The most steps a piece type may have for its pieces to be moved by shifts.
const MAX_SHIFTS: usize = 3;

/// A double step: the same single step twice, over an empty square to an empty square.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Double {
    /// The difference of the square indices of the single step.
    pub delta: i8,
    /// The squares from which it may start.
    pub from: Bitboard,
}

/// What a piece becomes by capturing another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnCapture {
    /// This piece type.
    Becomes(PieceType),
    /// The piece type that it captured.
    Takes,
    /// A stone, which blocks its square for the rest of the game.
    Stone,
}

/// The irregular part of how a piece type moves: everything beyond leaps, slides, hops and double steps. Slower
/// code handles it, so that regular pieces pay nothing.
#[derive(Debug, Default)]
pub(crate) struct Irregular {
    /// Moves with conditions on the squares they pass.
    pub paths: Option<Paths>,
    /// Non-capturing moves that a piece has as long as it has not moved.
    pub first: Option<Box<PieceMoves>>,
    /// The enemy piece types that take its first moves by moving to where they would attack it on an empty board.
    pub first_lost: PieceTypeSet,
    /// The piece types that it cannot capture.
    pub spares: PieceTypeSet,
    /// The piece types that it cannot hop over.
    pub not_over: PieceTypeSet,
    /// What it becomes by capturing.
    pub on_capture: Option<OnCapture>,
    /// Its moves of two legs.
    pub legs: Option<LegTables>,
}

impl Irregular {
    /// Whether the regular tables alone would give wrong moves.
    pub fn affects_moves(&self) -> bool {
        self.affects_attacks() || self.first.is_some()
    }

    /// Whether the regular tables alone would give wrong attacks.
    pub fn affects_attacks(&self) -> bool {
        self.paths.is_some() || !self.spares.is_empty() || !self.not_over.is_empty()
    }
}

/// How a piece type of one side moves.
#[derive(Debug)]
pub(crate) struct PieceMoves {
    pub leaps_quiet: Table,
    pub leaps_capture: Table,
    /// Per square: from where such a piece captures there by a leap.
    pub captured_from: Table,
    pub slides: Option<Slides>,
    pub hops: Option<Slides>,
    /// All its moves, if they are so few single steps that shifting the bitboard of all its pieces is faster.
    pub shifts: ArrayVec<Shift, MAX_SHIFTS>,
    pub doubles: ArrayVec<Double, MAX_SHIFTS>,
    /// What is irregular about it, if anything is.
    pub irregular: Option<Box<Irregular>>,
}

/// Steps that a piece type has on some squares only, in White's directions.
#[derive(Debug, Clone)]
pub(crate) struct RegionalSteps {
    pub steps: Vec<Step>,
    /// Moves of two legs.
    pub legs: Vec<Legs>,
    /// Where they start.
    pub from: Bitboard,
    /// Where they may end.
    pub to: Bitboard,
}

impl PieceMoves {
    /// The tables of a piece type that has these moves.
    pub fn new(geometry: &Geometry, moves: &[RegionalSteps]) -> PieceMoves {
        let (mut quiet, mut capture) = (empty_table(), empty_table());
        let mut paths = Paths::none();
        let mut legs = LegTables::none();
        for RegionalSteps { steps, legs: all, from, to } in moves {
            all.iter().for_each(|leg| legs.add(geometry, leg, *from, *to));
            for (step, from) in steps.iter().flat_map(|step| from.map(move |from| (step, from))) {
                paths.add(geometry, step, from, *to);
                let target = geometry.step(from, step.dx, step.dy).filter(|&t| to.contains(t));
                let Some(target) = target.filter(|_| step.way == Way::Leap) else { continue };
                if step.quiet {
                    quiet[from.index()].insert(target);
                }
                if step.capture {
                    capture[from.index()].insert(target);
                }
            }
        }
        let irregular = Irregular {
            paths: (!paths.is_empty()).then_some(paths),
            legs: (!legs.is_empty()).then_some(legs),
            ..Irregular::default()
        };
        let is_irregular = irregular.paths.is_some() || irregular.legs.is_some();
        PieceMoves {
            captured_from: reversed(&capture),
            leaps_quiet: quiet,
            leaps_capture: capture,
            slides: Slides::new(geometry, moves, Way::Slide),
            hops: Slides::new(geometry, moves, Way::Hop),
            shifts: shifts(geometry, moves),
            doubles: ArrayVec::new(),
            irregular: is_irregular.then(|| Box::new(irregular)),
        }
    }

    /// Adds double steps: each of these steps twice, starting from `from`.
    pub fn add_doubles(&mut self, geometry: &Geometry, steps: &[Step], from: Bitboard) {
        self.doubles = steps
            .iter()
            .take(MAX_SHIFTS)
            .map(|step| Double {
                delta: step.dy * geometry.stride() as i8 + step.dx,
                from: from
                    .filter(|&s| geometry.walk(s, step.dx, step.dy).nth(1).is_some())
                    .collect(),
            })
            .filter(|double| !double.from.is_empty())
            .collect();
    }

    /// The irregular part, added empty if there is none.
    pub fn irregular_mut(&mut self) -> &mut Irregular {
        self.irregular.get_or_insert_default()
    }

    /// Its moves of two legs, if it has any.
    #[inline]
    pub fn legs(&self) -> Option<&LegTables> {
        self.irregular.as_ref()?.legs.as_ref()
    }

    /// Its moves with conditions on the squares passed, if it has any.
    #[inline]
    pub fn paths(&self) -> Option<&Paths> {
        self.irregular.as_ref()?.paths.as_ref()
    }

    /// Whether it has first moves: those of a piece that has not moved.
    pub fn has_first(&self) -> bool {
        self.irregular.as_ref().is_some_and(|irregular| irregular.first.is_some())
    }

    /// Whether all moves stay on the file.
    pub(super) fn stay_on_file(&self, geometry: &Geometry) -> bool {
        let stay = |lines: &Option<Slides>| {
            lines.as_ref().is_none_or(|slides| Lines::FILE.has(slides.lines))
        };
        let leaps = |s: Square| self.leaps_quiet[s.index()] | self.leaps_capture[s.index()];
        let stride = geometry.stride() as i8;
        self.irregular.is_none()
            && stay(&self.slides)
            && stay(&self.hops)
            && self.doubles.iter().all(|double| double.delta.abs() == stride)
            && geometry.squares().all(|s| (leaps(s) & !geometry.file_squares(s)).is_empty())
    }

    /// The targets of its non-capturing moves on an empty board, hops excepted.
    pub(super) fn quiet_reach(&self, from: Square) -> Bitboard {
        let slides = self.slides.as_ref().map(|slides| slides.quiet[from.index()]);
        let paths = self.paths().map(|paths| paths.reach(from, Bitboard::EMPTY).1);
        self.leaps_quiet[from.index()]
            | slides.unwrap_or(Bitboard::EMPTY)
            | paths.unwrap_or(Bitboard::EMPTY)
    }

    /// The squares from which it attacks `target` on some board.
    pub fn attacking_squares(&self, target: Square) -> Bitboard {
        let lines = [&self.slides, &self.hops].into_iter().flatten();
        let lines = lines.map(|lines| lines.captured_from[target.index()]);
        let paths = self.paths().map(|paths| paths.captured_from[target.index()]);
        lines.chain(paths).fold(self.captured_from[target.index()], |all, from| all | from)
    }

    /// Whether it attacks by leaps alone.
    #[inline]
    pub fn only_leaps(&self) -> bool {
        self.slides.is_none() && self.hops.is_none() && self.irregular.is_none()
    }

    /// Whether there may be a square to which it can both capture and go without capturing.
    pub(super) fn may_go_where_it_captures(&self, geometry: &Geometry) -> bool {
        let both = |s: Square| self.leaps_quiet[s.index()].meets(self.leaps_capture[s.index()]);
        !self.only_leaps() || geometry.squares().any(both)
    }

    /// Whether it has any move.
    pub(super) fn can_move(&self, geometry: &Geometry) -> bool {
        let leaps = |s: Square| self.leaps_quiet[s.index()] | self.leaps_capture[s.index()];
        self.slides.is_some()
            || self.hops.is_some()
            || self.irregular.is_some()
            || geometry.squares().any(|s| !leaps(s).is_empty())
    }
}

impl Slides {
    fn none() -> Slides {
        Slides {
            lines: Lines::NONE,
            quiet: empty_table(),
            capture: empty_table(),
            captured_from: empty_table(),
        }
    }

    fn new(geometry: &Geometry, moves: &[RegionalSteps], way: Way) -> Option<Slides> {
        let mut slides = Slides::none();
        for RegionalSteps { steps, from, to, .. } in moves {
            for step in steps.iter().filter(|step| step.way == way) {
                slides.lines = slides.lines.with(Lines::of_step(step.dx, step.dy));
                for from in *from {
                    let reach = geometry.walk(from, step.dx, step.dy).take(usize::from(step.range));
                    let reach = reach.collect::<Bitboard>() & *to;
                    if step.quiet {
                        slides.quiet[from.index()] |= reach;
                    }
                    if step.capture {
                        slides.capture[from.index()] |= reach;
                    }
                }
            }
        }
        slides.captured_from = reversed(&slides.capture);
        (!slides.lines.is_empty()).then_some(slides)
    }
}

/// The inverse of a table of targets: per target, the origins.
fn reversed(table: &Table) -> Table {
    let mut reversed = empty_table();
    for (from, targets) in table.iter().enumerate() {
        for to in *targets {
            reversed[to.index()].insert(Square::new(from as u8));
        }
    }
    reversed
}

/// The steps as shifts; empty if there are other moves, too many steps, or two in one direction.
fn shifts(geometry: &Geometry, moves: &[RegionalSteps]) -> ArrayVec<Shift, MAX_SHIFTS> {
    let steps = || moves.iter().flat_map(|m| m.steps.iter().map(move |step| (step, m)));
    let twice = steps().enumerate().any(|(index, (step, _))| {
        steps().take(index).any(|(other, _)| (other.dx, other.dy) == (step.dx, step.dy))
    });
    if twice || steps().count() > MAX_SHIFTS || steps().any(|(step, _)| step.way != Way::Leap) {
        return ArrayVec::new();
    }
    steps()
        .map(|(step, m)| Shift {
            delta: step.dy * geometry.stride() as i8 + step.dx,
            from: m
                .from
                .filter(|&s| geometry.step(s, step.dx, step.dy).is_some_and(|to| m.to.contains(to)))
                .collect(),
            quiet: step.quiet,
            capture: step.capture,
        })
        .collect()
}
