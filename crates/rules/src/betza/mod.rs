//! Betza notation in XBoard's dialect: how a piece moves, as text.
//!
//! A piece is a sequence of atoms, each with lower-case modifiers in front and possibly a range
//! behind: `mfWcfF`, `RF`, `mRcpR`, `ffNbsN`, `W3`.
//!
//! | part | letters |
//! |---|---|
//! | atoms | `W F D N A H C Z G` leap (1,0) (1,1) (2,0) (2,1) (2,2) (3,0) (3,1) (3,2) (3,3); `R B` slide; `Q` = `RB`, `K` = `WF` |
//! | modes | `m` moves only, `c` captures only, `n` lame: what it would leap over must be empty |
//! | hoppers | `p` over exactly one piece of either side and on (`R B Q`), `g` to the square right behind that piece |
//! | directions | `f b l r` from the moving side, `s` = `lr`, `v` = `fb` |
//! | range | a number: at most that many equal steps, blocked by pieces; 0 = no limit; a doubled atom (`NN`) is the same as 0 |
//!
//! A lame piece walks the straight part of its leap first and then the diagonal part: `nN` is the horse of
//! xiangqi, `nA` its elephant, `nZ` the elephant of janggi.
//!
//! On diagonal atoms a vertical letter beside a horizontal one is one direction (`flB`, `lfB`). On
//! `N C Z` a pair is `ff bb ll rr` the two leaps that go farthest that way, `fs bs` the two wide ones,
//! `lv rv` the two narrow ones, `fl fr bl br` the two of a quarter; a single letter is the four of that
//! half, `s` the four wide and `v` the four narrow leaps.
//!
//! With `a` (again) between its modifiers, an atom is a move of two legs in one turn: those in front of the `a` are of
//! the first leg, those behind it of the second, whose directions are seen from the first (`f` goes on, `b` goes back,
//! `v` is both, none is any). The first leg captures (`caK`), or the piece only comes back (`mabK`, a pass). The lion of
//! chu shogi is `KNADcaKmabK`.

mod error;
mod modifiers;

pub use error::BetzaError;
use modifiers::{Modifiers, symmetric};

/// How pieces on the way affect a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To its target, whatever stands between.
    Leap,
    /// Step by step along a line: pieces block it.
    Slide,
    /// Over exactly one piece, to the squares behind it up to and including the next piece.
    Hop,
    /// To the square directly behind the first piece on the line.
    Grasshop,
    /// As [`Way::Leap`], if what it passes is empty; of repeated leaps, as a rider.
    Path,
}

/// One direction of one atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Files to the right, from the moving side.
    pub dx: i8,
    /// Ranks forward.
    pub dy: i8,
    /// How often the step may be repeated; `u8::MAX` for no limit.
    pub range: u8,
    /// How pieces on the way affect it.
    pub way: Way,
    /// Whether the single step is lame: what it would leap over must be empty.
    pub lame: bool,
    /// Whether it may go to an empty square.
    pub quiet: bool,
    /// Whether it may capture.
    pub capture: bool,
}

/// One way to move in two legs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legs {
    /// The first leg: files to the right, from the moving side, and ranks forward.
    pub first: (i8, i8),
    /// The second leg.
    pub second: (i8, i8),
    /// Whether the first leg captures. If not, its target must be empty, and the second leg leads back.
    pub captures_first: bool,
    /// Whether the second leg may go to an empty square, such as the one where the piece started.
    pub quiet: bool,
    /// Whether the second leg may capture.
    pub capture: bool,
}

/// Reads the moves of one leg in Betza notation.
///
/// # Errors
/// A [`BetzaError`] with the column of the first fault.
///
/// ```
/// use garrison_rules::betza;
/// assert_eq!(betza::parse("ffN").unwrap().len(), 2);
/// assert_eq!(betza::parse("WX").unwrap_err().to_string(),
///     "column 2: 'X' is no atom (WFDNAHCZGRBQK) and no modifier (mcnpgfblrsva)");
/// ```
pub fn parse(text: &str) -> Result<Vec<Step>, BetzaError> {
    parse_all(text).map(|(steps, _)| steps)
}

/// Reads the moves of two legs in Betza notation.
///
/// # Errors
/// As [`parse`].
///
/// ```
/// use garrison_rules::betza;
/// let legs = betza::parse_legs("BWfDfcavW")?;
/// assert_eq!(legs.len(), 2);
/// assert_eq!((legs[0].first, legs[0].second), ((0, 1), (0, 1)));
/// assert_eq!((legs[1].first, legs[1].second), ((0, 1), (0, -1)));
/// # Ok::<(), betza::BetzaError>(())
/// ```
pub fn parse_legs(text: &str) -> Result<Vec<Legs>, BetzaError> {
    parse_all(text).map(|(_, legs)| legs)
}

/// Reads the moves of one leg, and those of two.
pub(crate) fn parse_all(text: &str) -> Result<(Vec<Step>, Vec<Legs>), BetzaError> {
    let chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return Err(BetzaError::Empty);
    }
    let (mut steps, mut legs) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        while at < chars.len() && "mcnpgfblrsva".contains(chars[at]) {
            at += 1;
        }
        let mut parts = chars[start..at].split(|&letter| letter == 'a');
        let first_part = parts.next().unwrap_or_default();
        let modifiers = Modifiers::parse(first_part, start)?;
        let second = parts.next().map(|part| Modifiers::parse(part, start + first_part.len() + 1));
        let second = second.transpose()?;
        let Some(&atom) = chars.get(at) else {
            let modifiers = chars[start..].iter().collect();
            return Err(BetzaError::NoAtom { column: start + 1, modifiers });
        };
        let atoms = atoms(atom).ok_or(BetzaError::Unknown { column: at + 1, found: atom })?;
        let column = at + 1;
        at += 1;
        let doubled = chars.get(at) == Some(&atom) && !matches!(atom, 'R' | 'B' | 'Q');
        at += usize::from(doubled);
        let digits = chars[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let range = parse_range(atom, &chars[at..at + digits], at)?;
        let range = if doubled { range.or(Some(0)) } else { range };
        at += digits;
        if let Some(second) = second {
            if parts.next().is_some() {
                return Err(BetzaError::Legs {
                    column,
                    why: "a move has at most two legs (one 'a')",
                });
            }
            if range.is_some() || atoms.iter().any(|&(_, slides)| slides) {
                let why = "a move of two legs needs an atom that does not slide, without a range";
                return Err(BetzaError::Legs { column, why });
            }
            let leaps: Vec<(i8, i8)> = atoms.iter().map(|&(leap, _)| leap).collect();
            add_legs(&modifiers, &second, &leaps, (atom, column), &mut legs)?;
            continue;
        }
        for &base in atoms {
            modifiers.apply(base, range, (atom, column), &mut steps)?;
        }
    }
    Ok((steps, legs))
}

/// Adds the moves of two legs by these leaps.
fn add_legs(
    first: &Modifiers,
    second: &Modifiers,
    leaps: &[(i8, i8)],
    (atom, column): (char, usize),
    legs: &mut Vec<Legs>,
) -> Result<(), BetzaError> {
    let fault = |why| Err(BetzaError::Legs { column, why });
    if [first, second].iter().any(|leg| leg.lame || leg.hop || leg.grasshop) {
        return fault("a leg of two cannot be lame or hop ('n', 'p', 'g')");
    }
    let captures_first = first.capture_only;
    if captures_first && first.move_only {
        return fault("the first of two legs either captures ('ca') or comes back ('mab')");
    }
    if !captures_first && second.directions != "b" {
        return fault("a first leg that does not capture must come back ('mab')");
    }
    let all: Vec<(i8, i8)> = leaps.iter().flat_map(|&leap| symmetric(leap)).collect();
    let before = legs.len();
    for &(dx, dy) in all.iter().filter(|&&(dx, dy)| first.selects(dx, dy)) {
        let goes_on = |&&(x, y): &&(i8, i8)| {
            // The second leg as it looks to somebody who faces along the first.
            second.selects_turn(x * dy - y * dx, x * dx + y * dy)
        };
        legs.extend(all.iter().filter(goes_on).map(|&then| Legs {
            first: (dx, dy),
            second: then,
            captures_first,
            quiet: !second.capture_only || second.move_only,
            capture: captures_first && (!second.move_only || second.capture_only),
        }));
    }
    if legs.len() == before {
        let directions = format!("{}a{}", first.directions, second.directions);
        return Err(BetzaError::Directions { column, atom, directions });
    }
    Ok(())
}

/// A leap and whether it repeats without limit.
type Atom = ((i8, i8), bool);

fn atoms(letter: char) -> Option<&'static [Atom]> {
    Some(match letter {
        'W' => &[((1, 0), false)],
        'F' => &[((1, 1), false)],
        'D' => &[((2, 0), false)],
        'N' => &[((2, 1), false)],
        'A' => &[((2, 2), false)],
        'H' => &[((3, 0), false)],
        'C' => &[((3, 1), false)],
        'Z' => &[((3, 2), false)],
        'G' => &[((3, 3), false)],
        'K' => &[((1, 0), false), ((1, 1), false)],
        'R' => &[((1, 0), true)],
        'B' => &[((1, 1), true)],
        'Q' => &[((1, 0), true), ((1, 1), true)],
        _ => return None,
    })
}

fn parse_range(atom: char, digits: &[char], at: usize) -> Result<Option<u8>, BetzaError> {
    if digits.is_empty() {
        return Ok(None);
    }
    let text: String = digits.iter().collect();
    match text.parse::<u8>() {
        Ok(range) if range <= 15 => Ok(Some(range)),
        _ => Err(BetzaError::Range { column: at + 1, atom, range: text }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str, filter: impl Fn(&Step) -> bool) -> Vec<(i8, i8)> {
        let mut found: Vec<_> =
            parse(text).unwrap().into_iter().filter(filter).map(|s| (s.dx, s.dy)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn atoms_have_their_leaps() {
        for (text, count) in [
            ("W", 4),
            ("F", 4),
            ("D", 4),
            ("N", 8),
            ("A", 4),
            ("H", 4),
            ("K", 8),
            ("Q", 8),
            ("FA", 8),
        ] {
            assert_eq!(parse(text).unwrap().len(), count, "{text}");
        }
    }

    #[test]
    fn modifiers_of_the_rule_book() {
        assert_eq!(targets("mfWcfF", |s| s.quiet), [(0, 1)]);
        assert_eq!(targets("mfWcfF", |s| s.capture), [(-1, 1), (1, 1)]);
        assert_eq!(targets("FfsW", |s| s.dx == 0 || s.dy == 0), [(-1, 0), (0, 1), (1, 0)]);
        assert_eq!(targets("ffNbsN", |_| true), [(-2, -1), (-1, 2), (1, 2), (2, -1)]);
        assert_eq!(targets("WfF", |s| s.dx != 0 && s.dy != 0), [(-1, 1), (1, 1)]);
        assert_eq!(targets("fbRsW", |s| s.range > 1), [(0, -1), (0, 1)]);
        assert_eq!(targets("flB", |_| true), [(-1, 1)]);
        assert_eq!(targets("lfF", |_| true), [(-1, 1)]);
        assert_eq!(targets("rbB", |_| true), [(1, -1)]);
        assert_eq!(targets("fN", |_| true), [(-2, 1), (-1, 2), (1, 2), (2, 1)]);
        let cannon = parse("mRcpRmF").unwrap();
        assert!(cannon.iter().all(|s| (s.way == Way::Hop) == s.capture && s.quiet != s.capture));
    }

    #[test]
    fn ways_past_other_pieces() {
        let ways =
            |text: &str| parse(text).expect("valid").iter().map(|s| s.way).collect::<Vec<_>>();
        for (text, way) in [
            ("N", Way::Leap),
            ("nN", Way::Path),
            ("NN", Way::Path),
            ("D3", Way::Path),
            ("F2", Way::Slide),
            ("R", Way::Slide),
            ("pR", Way::Hop),
            ("pF2", Way::Hop),
            ("gQ", Way::Grasshop),
        ] {
            assert!(ways(text).iter().all(|&found| found == way), "{text}");
        }
        assert_eq!(parse("NN"), parse("N0"));
        assert_eq!(parse("KK"), parse("K0"));
    }

    #[test]
    fn two_legs_of_a_turn() {
        let legs = |text: &str| parse_legs(text).expect("valid");
        let lion = legs("KNADcaKmabK");
        assert_eq!(lion.len(), 64 + 8);
        let back = |leg: &&Legs| leg.second == (-leg.first.0, -leg.first.1);
        assert_eq!(lion.iter().filter(back).count(), 16);
        assert!(lion.iter().all(|leg| leg.captures_first || back(&leg) && !leg.capture));
        assert_eq!(legs("caK").len(), 64);
        assert_eq!(legs("fcavF").iter().filter(back).count(), 2);
        assert_eq!(legs("fcavF").len(), 4);
        assert_eq!(legs("cafsK").len(), 16);
        assert_eq!(legs("camfK").iter().map(|leg| leg.second).collect::<Vec<_>>(), {
            legs("camfK").iter().map(|leg| leg.first).collect::<Vec<_>>()
        });
        assert!(legs("caK").iter().all(|leg| leg.quiet && leg.capture));
        assert!(legs("camfW").iter().all(|leg| leg.quiet && !leg.capture));
        assert_eq!(parse("KNADcaKmabK"), parse("KNAD"));
    }

    #[test]
    fn faults_name_their_column() {
        let fault = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(parse(""), Err(BetzaError::Empty));
        assert!(fault("WxF").starts_with("column 2: 'x'"));
        assert!(fault("Wm").starts_with("column 2: modifiers 'm'"));
        assert!(fault("mmW").starts_with("column 2: modifier 'm'"));
        assert!(fault("N16").starts_with("column 2: 'N'"));
        assert!(fault("nW").starts_with("column 2: 'n' means nothing on 'W'"));
        assert!(fault("gpN").starts_with("column 3: 'p' needs"));
        assert!(fault("R99").starts_with("column 2: 'R'"));
        assert!(fault("pN").starts_with("column 2: 'p'"));
        assert!(fault("W é").starts_with("column 2: ' '"));
        assert!(fault("caR").starts_with("column 3: a move of two legs needs an atom that"));
        assert!(fault("caK2").starts_with("column 3: a move of two legs needs an atom that"));
        assert!(fault("cacaK").starts_with("column 5: a move has at most two legs"));
        assert!(fault("aK").starts_with("column 2: a first leg that does not capture must come"));
        assert!(fault("mcabK").starts_with("column 5: the first of two legs either captures"));
        assert!(fault("cnaK").starts_with("column 4: a leg of two cannot be lame or hop"));
        assert!(fault("caflW").starts_with("column 5: directions 'afl' mean nothing"));
    }
}
