//! The letters before an atom: what its moves may do, how they get past other pieces, and in which directions they go.

use super::{Atom, BetzaError, Step, Way};

/// The modifiers before an atom, or those of one of its two legs.
#[derive(Default)]
pub(super) struct Modifiers {
    pub(super) move_only: bool,
    pub(super) capture_only: bool,
    pub(super) lame: bool,
    pub(super) hop: bool,
    pub(super) grasshop: bool,
    pub(super) directions: String,
}

impl Modifiers {
    /// Reads the letters that begin behind so many characters of the text.
    pub(super) fn parse(chars: &[char], start: usize) -> Result<Modifiers, BetzaError> {
        let mut modifiers = Modifiers::default();
        for (offset, &letter) in chars.iter().enumerate() {
            let flag = match letter {
                'm' => &mut modifiers.move_only,
                'c' => &mut modifiers.capture_only,
                'n' => &mut modifiers.lame,
                'p' => &mut modifiers.hop,
                'g' => &mut modifiers.grasshop,
                _ => {
                    modifiers.directions.push(letter);
                    continue;
                }
            };
            if std::mem::replace(flag, true) {
                return Err(BetzaError::Twice { column: start + offset + 1, found: letter });
            }
        }
        Ok(modifiers)
    }

    /// Adds the steps of an atom, or of a part of one such as the `W` of `K`.
    pub(super) fn apply(
        &self,
        (leap, slides): Atom,
        range: Option<u8>,
        (atom, column): (char, usize),
        steps: &mut Vec<Step>,
    ) -> Result<(), BetzaError> {
        let range = match range {
            Some(0) => u8::MAX,
            Some(range) => range,
            None if slides => u8::MAX,
            None => 1,
        };
        let way = self.way(leap, range, atom, column)?;
        let before = steps.len();
        for (dx, dy) in symmetric(leap) {
            if self.selects(dx, dy) {
                steps.push(Step {
                    dx,
                    dy,
                    range,
                    way,
                    lame: self.lame,
                    quiet: !self.capture_only || self.move_only,
                    capture: !self.move_only || self.capture_only,
                });
            }
        }
        if steps.len() == before {
            let directions = self.directions.clone();
            return Err(BetzaError::Directions { column, atom, directions });
        }
        Ok(())
    }

    /// How steps of this leap and range get past other pieces.
    fn way(&self, leap: (i8, i8), range: u8, atom: char, column: usize) -> Result<Way, BetzaError> {
        let near = leap.0.max(leap.1) == 1;
        for (is_given, mode) in [(self.hop, 'p'), (self.grasshop, 'g')] {
            if is_given && (!near || range == 1) {
                return Err(BetzaError::Hopper { column, mode, atom });
            }
        }
        if self.lame && (near || self.hop || self.grasshop) {
            let why = if near { "it leaps over nothing" } else { "it hops" };
            return Err(BetzaError::Lame { column, atom, why });
        }
        Ok(match () {
            () if self.grasshop => Way::Grasshop,
            () if self.hop => Way::Hop,
            () if self.lame || (!near && range > 1) => Way::Path,
            () if range == 1 => Way::Leap,
            () => Way::Slide,
        })
    }

    /// Whether the direction letters of a second leg let it through, which goes so far to the right and ahead as seen
    /// from the first: one letter is one direction of eight, two are the one between.
    pub(super) fn selects_turn(&self, right: i8, ahead: i8) -> bool {
        let to = (right.signum(), ahead.signum());
        let mut letters = self.directions.chars().peekable();
        let mut any = self.directions.is_empty();
        while let Some(letter) = letters.next() {
            let aside = matches!(letter, 'f' | 'b').then(|| letters.peek().copied()).flatten();
            let ahead = if letter == 'f' { 1 } else { -1 };
            any |= match (letter, aside) {
                ('f' | 'b', Some('l')) => to == (-1, ahead),
                ('f' | 'b', Some('r')) => to == (1, ahead),
                ('f' | 'b', Some('s')) => to.0 != 0 && to.1 == ahead,
                ('f' | 'b', _) => to == (0, ahead),
                ('v', _) => to.0 == 0,
                ('s', _) => to.1 == 0,
                ('l', _) => to == (-1, 0),
                _ => to == (1, 0),
            };
            if matches!(aside, Some('l' | 'r' | 's')) {
                letters.next();
            }
        }
        any
    }

    /// Whether the direction letters let a step through.
    pub(super) fn selects(&self, dx: i8, dy: i8) -> bool {
        let letters: Vec<char> = self.directions.chars().collect();
        let mut at = 0;
        let mut any = letters.is_empty();
        while at < letters.len() {
            let pair =
                letters.get(at + 1).and_then(|&next| pair_selects(letters[at], next, dx, dy));
            any |= pair.unwrap_or_else(|| half_selects(letters[at], dx, dy));
            at += if pair.is_some() { 2 } else { 1 };
        }
        any
    }
}

/// What one direction letter selects.
fn half_selects(letter: char, dx: i8, dy: i8) -> bool {
    let oblique = dx != 0 && dy != 0 && dx.abs() != dy.abs();
    match letter {
        'f' => dy > 0,
        'b' => dy < 0,
        'l' => dx < 0,
        'r' => dx > 0,
        's' if oblique => dx.abs() > dy.abs(),
        'v' if oblique => dx.abs() < dy.abs(),
        's' => dx != 0,
        _ => dy != 0,
    }
}

/// What two direction letters select together; `None` if they are to be read one by one.
fn pair_selects(first: char, second: char, dx: i8, dy: i8) -> Option<bool> {
    if dx == 0 || dy == 0 {
        return None;
    }
    let both = half_selects(first, dx, dy) && half_selects(second, dx, dy);
    let (narrow, wide) = (dx.abs() < dy.abs(), dx.abs() > dy.abs());
    match (first, second) {
        ('f' | 'b', 'l' | 'r') => Some(both),
        ('l' | 'r', 'f' | 'b') if dx.abs() == dy.abs() => Some(both),
        _ if dx.abs() == dy.abs() => None,
        ('f', 'f') | ('b', 'b') => Some(both && narrow),
        ('l', 'l') | ('r', 'r') => Some(both && wide),
        ('f' | 'b', 's') | ('l' | 'r', 'v') => Some(both),
        _ => None,
    }
}

/// The up to eight steps that are the same as `(a, b)` by symmetry of the board.
pub(super) fn symmetric((a, b): (i8, i8)) -> Vec<(i8, i8)> {
    let mut all = Vec::with_capacity(8);
    for (x, y) in [(a, b), (b, a)] {
        for (dx, dy) in [(x, y), (x, -y), (-x, y), (-x, -y)] {
            if !all.contains(&(dx, dy)) {
                all.push((dx, dy));
            }
        }
    }
    all
}
