//! The tables of one side that move generation reads: leaps, rays and zones per piece and square.

use arrayvec::ArrayVec;

use super::paths::Paths;
use crate::attacks::{Geometry, Lines};
use crate::betza::{Step, Way};
use crate::bitboard::Bitboard;
use crate::types::{MAX_SQUARES, PieceType, PieceTypeSet, Square};

/// A set of squares per square.
pub(crate) type Table = Box<[Bitboard; MAX_SQUARES]>;

pub(super) fn empty_table() -> Table {
    Box::new([Bitboard::EMPTY; MAX_SQUARES])
}

/// Sliding or hopping moves of a piece: on which lines it goes, and which of the squares of those
/// lines it may go to, from each square.
#[derive(Debug)]
pub(crate) struct Slides {
    pub lines: Lines,
    pub quiet: Table,
    pub capture: Table,
    /// The squares from which such a piece could capture on a square of an empty board.
    pub captured_from: Table,
}

/// A step that all pieces of a kind make at once: by how many indices, from which squares.
#[derive(Debug, Clone, Copy)]
pub struct Shift {
    /// By how many indices it goes.
    pub delta: i8,
    /// From which squares.
    pub from: Bitboard,
    /// Whether to an empty square.
    pub quiet: bool,
    /// Whether by capturing.
    pub capture: bool,
}

/// The most steps of a piece that is moved with the others of its kind at once.
const MAX_SHIFTS: usize = 3;

/// Two steps in one direction at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Double {
    /// By how many indices the single step goes.
    pub delta: i8,
    /// From which squares both stay on the board.
    pub from: Bitboard,
}

/// What becomes of a piece that captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnCapture {
    /// It becomes this.
    Becomes(PieceType),
    /// It becomes what it captured.
    Takes,
}

/// Rules that only few pieces have. Those that do are moved by slower code, so that the others pay nothing.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// Moves that depend on what stands in the way.
    pub paths: Option<Paths>,
    /// Moves without capturing that it has while it has not moved.
    pub first: Option<Box<PieceMoves>>,
    /// What it cannot capture.
    pub spares: PieceTypeSet,
    /// What it cannot hop over.
    pub not_over: PieceTypeSet,
    /// What becomes of it when it captures.
    pub on_capture: Option<OnCapture>,
}

impl Extras {
    /// Whether its moves depend on them.
    fn shape_moves(&self) -> bool {
        self.shape_attacks() || self.first.is_some()
    }

    /// Whether what it attacks depends on them.
    fn shape_attacks(&self) -> bool {
        self.paths.is_some() || !self.spares.is_empty() || !self.not_over.is_empty()
    }
}

/// How a piece of one side moves.
#[derive(Debug)]
pub(crate) struct PieceMoves {
    pub leaps_quiet: Table,
    pub leaps_capture: Table,
    /// The squares from which such a piece could leap to a square, capturing.
    pub captured_from: Table,
    pub slides: Option<Slides>,
    pub hops: Option<Slides>,
    /// Its steps, if it has so few that all pieces of the kind are better moved at once.
    pub shifts: ArrayVec<Shift, MAX_SHIFTS>,
    /// Double steps over an empty square to an empty square.
    pub doubles: ArrayVec<Double, MAX_SHIFTS>,
    /// What is special about it, if anything is.
    pub extras: Option<Box<Extras>>,
}

/// Moves that a piece has on some squares: as `color` sees the steps, from these squares to those.
#[derive(Debug, Clone)]
pub(crate) struct Moves {
    pub steps: Vec<Step>,
    pub from: Bitboard,
    pub to: Bitboard,
}

/// How a piece in hand may be dropped, beyond the zone.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DropRule {
    /// Not next to an enemy piece of this kind.
    pub not_beside: Option<PieceType>,
    /// The most own pieces of the kind on a file.
    pub per_file: Option<u8>,
    /// Not so that the drop ends the game.
    pub no_mate: bool,
}

/// Where and to what a piece promotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Promotion {
    pub zone: Bitboard,
    pub forced: Bitboard,
    pub to: PieceTypeSet,
    /// Whether a move out of the zone promotes as well, out of the forced part always.
    pub leaving: bool,
    /// Whether it becomes only what its side has fewer of than it may have.
    pub limited: bool,
}

/// A move of king and rook at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Castle {
    /// How the right is written in a FEN.
    pub letter: char,
    /// The bit of the right.
    pub right: u32,
    /// From where to where.
    pub king: (Square, Square),
    pub rook: (Square, Square),
    /// Which pieces they are.
    pub pieces: (PieceType, PieceType),
    /// What must be empty.
    pub empty: Bitboard,
    /// Where the king may not be attacked.
    pub safe: Bitboard,
}

/// What the rules say of one side.
#[derive(Debug)]
pub(crate) struct Side {
    /// The pieces it may have.
    pub pieces: PieceTypeSet,
    /// Those of them that move.
    pub movers: PieceTypeSet,
    /// Those of the movers whose moves depend on more than leaps and lines: they are moved by slower
    /// code.
    pub quirky: PieceTypeSet,
    /// Those that capture by leaping, sliding, hopping.
    pub leapers: PieceTypeSet,
    pub sliders: PieceTypeSet,
    pub hoppers: PieceTypeSet,
    /// Those that capture in a way that depends on more than that, or not everything; they are in
    /// none of the three sets before.
    pub special: PieceTypeSet,
    /// Those that can be captured in passing.
    pub passers: PieceTypeSet,
    /// Those that never leave their file.
    pub file_bound: PieceTypeSet,
    /// Per square: from where any of them could capture there by a leap.
    pub leap_zone: Table,
    pub moves: Vec<PieceMoves>,
    pub promotions: Vec<Option<Promotion>>,
    /// Per kind: where it may be dropped.
    pub drop_zone: Vec<Bitboard>,
    /// Per kind: where it can never stand.
    pub never: Vec<Bitboard>,
    /// Per kind: the squares it may move to.
    pub region: Vec<Bitboard>,
    /// Per kind: the squares on which it may be dropped or another piece may become it, wherever it may
    /// move itself.
    pub born_on: Vec<Bitboard>,
    /// Per kind: the most it may have.
    pub limit: Vec<Option<u8>>,
    /// Per kind: how it may be dropped, beyond the zone.
    pub drops: Vec<DropRule>,
    pub castles: Vec<Castle>,
}

impl Side {
    /// The tables of how a piece moves.
    #[inline]
    pub fn moves(&self, kind: PieceType) -> &PieceMoves {
        &self.moves[kind.index()]
    }

    /// Where and to what a piece promotes, if it does.
    #[inline]
    pub fn promotion(&self, kind: PieceType) -> Option<&Promotion> {
        self.promotions[kind.index()].as_ref()
    }

    /// Fills the tables that follow from those of the single pieces.
    pub fn derive(&mut self, geometry: &Geometry) {
        self.born_on = self.drop_zone.clone();
        for kind in self.pieces {
            if let Some(rule) = self.promotion(kind).copied() {
                let zone = if rule.leaving { geometry.squares() } else { rule.zone };
                rule.to.for_each(|to| self.born_on[to.index()] |= zone);
            }
            match self.moves(kind).extras.as_ref().and_then(|extras| extras.on_capture) {
                None => {}
                Some(OnCapture::Becomes(to)) => self.born_on[to.index()] = geometry.squares(),
                Some(OnCapture::Takes) => self.born_on.fill(geometry.squares()),
            }
        }
        for kind in self.pieces {
            let moves = &self.moves[kind.index()];
            if moves.can_move(geometry) {
                self.movers.insert(kind);
                if moves.extras.as_ref().is_some_and(|extras| extras.shape_moves()) {
                    self.quirky.insert(kind);
                }
            }
            if moves.stay_on_file(geometry) {
                self.file_bound.insert(kind);
            }
            let captures = |table: &Table| geometry.squares().any(|s| !table[s.index()].is_empty());
            if moves.extras.as_ref().is_some_and(|extras| extras.shape_attacks()) {
                self.special.insert(kind);
                continue;
            }
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
        }
        // To move all pieces of a kind at once would leave out what is special about them.
        for kind in self.quirky {
            self.moves[kind.index()].shifts.clear();
        }
    }

    /// A side without pieces.
    pub fn new(pieces: PieceTypeSet) -> Side {
        Side {
            pieces,
            movers: PieceTypeSet::EMPTY,
            quirky: PieceTypeSet::EMPTY,
            leapers: PieceTypeSet::EMPTY,
            sliders: PieceTypeSet::EMPTY,
            hoppers: PieceTypeSet::EMPTY,
            special: PieceTypeSet::EMPTY,
            passers: PieceTypeSet::EMPTY,
            file_bound: PieceTypeSet::EMPTY,
            leap_zone: empty_table(),
            moves: Vec::new(),
            promotions: Vec::new(),
            drop_zone: Vec::new(),
            never: Vec::new(),
            region: Vec::new(),
            born_on: Vec::new(),
            limit: Vec::new(),
            drops: Vec::new(),
            castles: Vec::new(),
        }
    }
}

impl PieceMoves {
    /// The tables of a piece that has these moves.
    pub fn new(geometry: &Geometry, moves: &[Moves]) -> PieceMoves {
        let (mut quiet, mut capture) = (empty_table(), empty_table());
        let mut paths = Paths::none();
        for Moves { steps, from, to } in moves {
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
        PieceMoves {
            captured_from: reversed(&capture),
            leaps_quiet: quiet,
            leaps_capture: capture,
            slides: Slides::new(geometry, moves, Way::Slide),
            hops: Slides::new(geometry, moves, Way::Hop),
            shifts: shifts(geometry, moves),
            doubles: ArrayVec::new(),
            extras: (!paths.is_empty())
                .then(|| Box::new(Extras { paths: Some(paths), ..Extras::default() })),
        }
    }

    /// Lets it make two of these steps at once from these squares.
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
            .collect();
    }

    /// What is special about it, to be changed.
    pub fn extras_mut(&mut self) -> &mut Extras {
        self.extras.get_or_insert_default()
    }

    /// Whether it has moves while it has not moved.
    pub fn has_first(&self) -> bool {
        self.extras.as_ref().is_some_and(|extras| extras.first.is_some())
    }

    /// Whether all moves lead along the file.
    fn stay_on_file(&self, geometry: &Geometry) -> bool {
        let stay = |lines: &Option<Slides>| {
            lines.as_ref().is_none_or(|slides| Lines::FILE.has(slides.lines))
        };
        let leaps = |s: Square| self.leaps_quiet[s.index()] | self.leaps_capture[s.index()];
        let stride = geometry.stride() as i8;
        self.extras.is_none()
            && stay(&self.slides)
            && stay(&self.hops)
            && self.doubles.iter().all(|double| double.delta.abs() == stride)
            && geometry.squares().all(|s| (leaps(s) & !geometry.file_squares(s)).is_empty())
    }

    /// Where it could go from a square without capturing, were the board empty; hops aside.
    pub(super) fn quiet_reach(&self, from: Square) -> Bitboard {
        let slides = self.slides.as_ref().map(|slides| slides.quiet[from.index()]);
        let paths = self.extras.as_ref().and_then(|extras| extras.paths.as_ref());
        let paths = paths.map(|paths| paths.reach(from, Bitboard::EMPTY).1);
        self.leaps_quiet[from.index()]
            | slides.unwrap_or(Bitboard::EMPTY)
            | paths.unwrap_or(Bitboard::EMPTY)
    }

    fn can_move(&self, geometry: &Geometry) -> bool {
        let leaps = |s: Square| self.leaps_quiet[s.index()] | self.leaps_capture[s.index()];
        self.slides.is_some()
            || self.hops.is_some()
            || self.extras.is_some()
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

    fn new(geometry: &Geometry, moves: &[Moves], way: Way) -> Option<Slides> {
        let mut slides = Slides::none();
        for Moves { steps, from, to } in moves {
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

/// The steps as shifts, if there are few and no two are the same.
fn shifts(geometry: &Geometry, moves: &[Moves]) -> ArrayVec<Shift, MAX_SHIFTS> {
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
