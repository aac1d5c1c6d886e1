//! Moves with conditions on the squares they pass: lame leapers, riders of oblique leaps, grasshoppers. Each is a
//! short list of paths per square.

use super::moves::{Table, empty_table};
use crate::betza::{Step, Way};
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{MAX_SQUARES, Square};

/// Targets that can be reached while some squares are empty and others are occupied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Path {
    /// The squares that must be empty.
    pub empty: Bitboard,
    /// The squares that must be occupied.
    pub over: Bitboard,
    /// The targets; in a list by target, the origins.
    pub ends: Bitboard,
    pub quiet: bool,
    pub capture: bool,
}

impl Path {
    #[inline]
    fn is_open(&self, occupied: Bitboard) -> bool {
        !self.empty.meets(occupied) && (self.over & !occupied).is_empty()
    }

    /// The squares whose occupation opens or closes it.
    #[inline]
    fn way(&self) -> Bitboard {
        self.empty | self.over
    }
}

/// The conditional moves of a piece.
#[derive(Debug)]
pub(crate) struct Paths {
    /// By origin.
    from: Box<[Vec<Path>]>,
    /// The capturing ones by target.
    back: Box<[Vec<Path>]>,
    /// Per square: from where such a piece captures there if the path is open.
    pub captured_from: Table,
}

impl Paths {
    /// No paths.
    pub fn none() -> Paths {
        let lists = || vec![Vec::new(); MAX_SQUARES].into_boxed_slice();
        Paths { from: lists(), back: lists(), captured_from: empty_table() }
    }

    /// Whether there is no path at all.
    pub fn is_empty(&self) -> bool {
        self.from.iter().all(Vec::is_empty)
    }

    /// Adds the moves by a step from a square that end in `to`.
    pub fn add(&mut self, geometry: &Geometry, step: &Step, from: Square, to: Bitboard) {
        match step.way {
            Way::Path => self.add_rider(geometry, step, from, to),
            Way::Grasshop => self.add_grasshopper(geometry, step, from, to),
            Way::Leap | Way::Slide | Way::Hop => {}
        }
    }

    fn add_rider(&mut self, geometry: &Geometry, step: &Step, from: Square, to: Bitboard) {
        let mut empty = Bitboard::EMPTY;
        let mut at = from;
        for target in geometry.walk(from, step.dx, step.dy).take(usize::from(step.range)) {
            if step.lame {
                match passed(geometry, at, step) {
                    Some(passed) => empty |= passed,
                    None => return,
                }
            }
            self.insert(step, from, target, (empty, Bitboard::EMPTY), to);
            empty.insert(target);
            at = target;
        }
    }

    fn add_grasshopper(&mut self, geometry: &Geometry, step: &Step, from: Square, to: Bitboard) {
        let mut empty = Bitboard::EMPTY;
        let mut hurdle = None;
        for target in geometry.walk(from, step.dx, step.dy).take(usize::from(step.range)) {
            if let Some(hurdle) = hurdle {
                self.insert(step, from, target, (empty, Bitboard::of(hurdle)), to);
                empty.insert(hurdle);
            }
            hurdle = Some(target);
        }
    }

    fn insert(
        &mut self,
        step: &Step,
        from: Square,
        target: Square,
        (empty, over): (Bitboard, Bitboard),
        to: Bitboard,
    ) {
        if !to.contains(target) {
            return;
        }
        let path = Path {
            empty,
            over,
            ends: Bitboard::of(target),
            quiet: step.quiet,
            capture: step.capture,
        };
        merge(&mut self.from[from.index()], path);
        if step.capture {
            merge(&mut self.back[target.index()], Path { ends: Bitboard::of(from), ..path });
            self.captured_from[target.index()].insert(from);
        }
    }

    /// Where the paths from a square end, whatever is occupied.
    pub fn ends(&self, from: Square) -> Bitboard {
        self.from[from.index()].iter().fold(Bitboard::EMPTY, |ends, path| ends | path.ends)
    }

    /// The squares on which a piece on `from` captures, and those to which it moves without capturing, occupied or not.
    #[inline]
    pub fn reach(&self, from: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let (mut capture, mut quiet) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for path in self.from[from.index()].iter().filter(|path| path.is_open(occupied)) {
            if path.capture {
                capture |= path.ends;
            }
            if path.quiet {
                quiet |= path.ends;
            }
        }
        (capture, quiet)
    }

    /// Those of `pieces` that attack `square`.
    #[inline]
    pub fn attackers(&self, square: Square, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
        self.capturing(square, pieces)
            .filter(|path| path.is_open(occupied))
            .fold(Bitboard::EMPTY, |attackers, path| attackers | path.ends & pieces)
    }

    /// The squares whose occupation decides whether one of `pieces` attacks `square`.
    pub fn ways(&self, square: Square, pieces: Bitboard) -> Bitboard {
        self.capturing(square, pieces).fold(Bitboard::EMPTY, |ways, path| ways | path.way())
    }

    /// The paths, open or not, by which one of `pieces` captures on `square`.
    #[inline]
    fn capturing(&self, square: Square, pieces: Bitboard) -> impl Iterator<Item = &Path> {
        // Most often there is none, which is seen without a look at each.
        let any = self.captured_from[square.index()].meets(pieces);
        let back = if any { &self.back[square.index()][..] } else { &[] };
        back.iter().filter(move |path| path.ends.meets(pieces))
    }
}

/// Adds a path; paths that differ only in their ends become one.
fn merge(paths: &mut Vec<Path>, path: Path) {
    match paths.iter_mut().find(|other| Path { ends: path.ends, ..**other } == path) {
        Some(same) => same.ends |= path.ends,
        None => paths.push(path),
    }
}

/// The squares that a lame leap passes, first straight, then diagonally. `None` if one of them is a hole.
fn passed(geometry: &Geometry, from: Square, step: &Step) -> Option<Bitboard> {
    let (across, up) = (step.dx.abs(), step.dy.abs());
    let straight = if across > up { (step.dx.signum(), 0) } else { (0, step.dy.signum()) };
    let mut at = from;
    let mut passed = Bitboard::EMPTY;
    for count in 1..across.max(up) {
        let (dx, dy) = if count <= (across - up).abs() {
            straight
        } else {
            (step.dx.signum(), step.dy.signum())
        };
        at = geometry.step(at, dx, dy)?;
        passed.insert(at);
    }
    Some(passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::betza;

    fn squares(geometry: &Geometry, names: &str) -> Bitboard {
        let square = |name: &str| geometry.parse_square(name).expect("a square").0;
        names.split_whitespace().map(square).collect()
    }

    fn reach(text: &str, from: &str, pieces: &str) -> Vec<String> {
        let geometry = Geometry::of(9, 10).expect("a board");
        let mut paths = Paths::none();
        for step in betza::parse(text).expect("valid") {
            for from in geometry.squares() {
                paths.add(&geometry, &step, from, geometry.squares());
            }
        }
        let from = squares(&geometry, from).first().expect("a square");
        let occupied = squares(&geometry, pieces);
        let (capture, _) = paths.reach(from, occupied);
        for target in geometry.squares() {
            let attacks = paths.attackers(target, Bitboard::of(from), occupied);
            assert_eq!(!attacks.is_empty(), capture.contains(target), "{text}");
        }
        capture.map(|square| geometry.name(square)).collect()
    }

    #[test]
    fn what_stands_in_the_way_matters() {
        assert_eq!(reach("nN", "e5", "e6 d5"), ["d3", "f3", "g4", "g6"]);
        assert_eq!(reach("nA", "e5", "f6"), ["c3", "g3", "c7"]);
        assert_eq!(reach("fnZ", "e5", "d7"), ["b7", "h7", "g8"]);
        assert_eq!(reach("ffNN", "a1", "b3"), ["b3"]);
        assert_eq!(reach("ffNN", "a1", "c5"), ["b3", "c5"]);
        assert_eq!(reach("gR", "e5", "e7 g5 h5 a5"), ["h5", "e8"]);
    }
}
