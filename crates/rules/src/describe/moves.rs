//! How a piece moves in words, from its steps.

use super::{count, list};
use crate::betza::{Legs, Step, Way};

/// Steps that are described together: they differ in their direction only.
#[derive(PartialEq, Eq)]
struct Like {
    quiet: bool,
    capture: bool,
    way: Way,
    range: u8,
    lame: bool,
    /// The shorter and the longer part of the step; a step to a neighboring square has (1, 1), straight or diagonal.
    leap: (i8, i8),
}

impl Like {
    fn of(step: &Step) -> Like {
        let (a, b) = (step.dx.abs(), step.dy.abs());
        let leap = if a.max(b) == 1 { (1, 1) } else { (a.min(b), a.max(b)) };
        let Step { quiet, capture, way, range, lame, .. } = *step;
        Like { quiet, capture, way, range, lame, leap }
    }
}

/// A sentence, without its period: "Goes one square straight ahead without capturing; captures one square diagonally
/// ahead". In lower case it continues another sentence.
pub(super) fn sentence(steps: &[Step]) -> String {
    let mut kinds: Vec<(Like, Vec<(i8, i8)>)> = Vec::new();
    for step in steps {
        let like = Like::of(step);
        let to = (step.dx, step.dy);
        match kinds.iter_mut().find(|(other, _)| *other == like) {
            Some((_, directions)) if directions.contains(&to) => {}
            Some((_, directions)) => directions.push(to),
            None => kinds.push((like, vec![to])),
        }
    }
    let is_plain = kinds.iter().all(|(like, _)| like.quiet && like.capture);
    let phrases: Vec<String> =
        kinds.iter().map(|(like, directions)| phrase(like, directions, is_plain)).collect();
    phrases.join("; ")
}

/// Moves of two legs, in sentences.
pub(super) fn legs_in_words(legs: &[Legs]) -> Vec<String> {
    let mut sentences = Vec::new();
    let capturing: Vec<&Legs> = legs.iter().filter(|leg| leg.captures_first).collect();
    let first = |leg: &&Legs| {
        let (dx, dy) = leg.first;
        Step { dx, dy, range: 1, way: Way::Leap, lame: false, quiet: true, capture: true }
    };
    if !capturing.is_empty() {
        let where_to = sentence(&capturing.iter().map(first).collect::<Vec<_>>());
        let where_to = where_to.trim_start_matches("goes ").trim_start_matches("leaps ");
        let on = |leg: &&Legs| leg.second == leg.first;
        let back = |leg: &&Legs| leg.second == (-leg.first.0, -leg.first.1);
        let [goes_on, comes_back] = [capturing.iter().any(on), capturing.iter().any(back)];
        let turns = capturing.iter().any(|leg| !on(leg) && !back(leg));
        let second = match (turns, goes_on, comes_back) {
            (true, _, true) => {
                "then make a second step, capturing again or not, also back to where it stood"
            }
            (true, _, false) => "then make a second step",
            (false, true, true) => {
                "then go on in the same direction, capturing again or not, or come back"
            }
            (false, true, false) => "then go on in the same direction",
            (false, false, _) => "come back, so that it captures without moving",
        };
        sentences.push(format!("In one turn it may capture {where_to} and {second}."));
    }
    if legs.iter().any(|leg| !leg.captures_first) {
        let text =
            "It may stay where it is, as its turn, if it could step to an empty square and back.";
        sentences.push(text.to_string());
    }
    sentences
}

fn phrase(like: &Like, directions: &[(i8, i8)], is_plain: bool) -> String {
    let is_leap = like.leap != (1, 1);
    let verb = match (like.quiet, like.capture) {
        (false, _) => "captures",
        (true, true) if !is_plain => "goes or captures",
        _ if is_leap && !like.lame => "leaps",
        _ => "goes",
    };
    let without = if like.quiet && !like.capture { " without capturing" } else { "" };
    if is_leap {
        format!("{verb} {}{without}{}", leap(like, directions), condition(like))
    } else {
        format!("{verb} {}{without}", line(like, directions))
    }
}

/// Steps along ranks, files and diagonals.
fn line(like: &Like, directions: &[(i8, i8)]) -> String {
    let to = toward(directions);
    let far = match like.range {
        u8::MAX => "any number of squares".to_string(),
        1 => "one square".to_string(),
        range => format!("up to {} squares", count(usize::from(range))),
    };
    match like.way {
        Way::Hop => format!("{far} {to}, over exactly one piece of either side"),
        Way::Grasshop => {
            format!("{to} over the first piece in its way, to the square right behind it")
        }
        _ => format!("{far} {to}"),
    }
}

/// Steps to squares that are no neighbors.
fn leap(like: &Like, directions: &[(i8, i8)]) -> String {
    let (short, long) = like.leap;
    let squares = |number: i8| match number {
        1 => "one square".to_string(),
        more => format!("{} squares", count(more.unsigned_abs().into())),
    };
    let to = if short == 0 || short == long {
        let unit: Vec<(i8, i8)> =
            directions.iter().map(|(dx, dy)| (dx.signum(), dy.signum())).collect();
        format!("{} {}", squares(long), toward(&unit))
    } else if directions.len() == 8 {
        let name = if like.leap == (1, 2) { " (a knight's move)" } else { "" };
        format!("{} one way and {} across{name}", squares(long), count(short.unsigned_abs().into()))
    } else {
        let parts: Vec<String> = [(short, long), (long, short), (long, -short), (short, -long)]
            .into_iter()
            .filter_map(|(dx, dy)| crooked(directions, dx, dy))
            .collect();
        list(&parts, "or")
    };
    let is_lame = like.lame && short != 0 && short != long;
    if is_lame { format!("{to}, first straight and then diagonally") } else { to }
}

/// What must be empty on the way of a leap, and how often it may be repeated.
fn condition(like: &Like) -> String {
    let over = if like.lame { ", if all squares that it passes are empty" } else { "" };
    let again = match like.range {
        1 => String::new(),
        u8::MAX => ", any number of times in one direction over empty squares".to_string(),
        range => {
            format!(", up to {} times in one direction over empty squares", count(range.into()))
        }
    };
    format!("{over}{again}")
}

/// The leaps so many ranks ahead (or back) and so many files to the side, if there are any.
fn crooked(directions: &[(i8, i8)], dx: i8, dy: i8) -> Option<String> {
    let side = match [-dx, dx].map(|dx| directions.contains(&(dx, dy))) {
        [true, true] => "side",
        [true, false] => "left",
        [false, true] => "right",
        [false, false] => return None,
    };
    let ahead = if dy > 0 { "ahead" } else { "back" };
    let squares = if dy.abs() == 1 { "square" } else { "squares" };
    let (forth, aside) = (count(dy.unsigned_abs().into()), count(dx.unsigned_abs().into()));
    Some(format!("{forth} {squares} {ahead} and {aside} to the {side}"))
}

/// Directions of one square, in words.
fn toward(directions: &[(i8, i8)]) -> String {
    let has = |to: &[(i8, i8)]| to.iter().all(|step| directions.contains(step));
    let straight = [(0, 1), (0, -1), (-1, 0), (1, 0)];
    let diagonal = [(-1, 1), (1, 1), (-1, -1), (1, -1)];
    if has(&straight) && has(&diagonal) {
        return "in any direction".to_string();
    }
    let mut words = Vec::new();
    let mut name = |steps: &[(&[(i8, i8)], &str)]| {
        let mut named: Vec<(i8, i8)> = Vec::new();
        for (all, word) in steps {
            if has(all) && !all.iter().all(|step| named.contains(step)) {
                named.extend_from_slice(all);
                words.push(word.to_string());
            }
        }
    };
    name(&[
        (&straight, "straight"),
        (&[(0, 1)], "straight ahead"),
        (&[(0, -1)], "straight back"),
        (&[(-1, 0), (1, 0)], "sideways"),
        (&[(-1, 0)], "to the left"),
        (&[(1, 0)], "to the right"),
    ]);
    name(&[
        (&diagonal, "diagonally"),
        (&[(-1, 1), (1, 1)], "diagonally ahead"),
        (&[(-1, -1), (1, -1)], "diagonally back"),
        (&[(-1, 1)], "diagonally ahead to the left"),
        (&[(1, 1)], "diagonally ahead to the right"),
        (&[(-1, -1)], "diagonally back to the left"),
        (&[(1, -1)], "diagonally back to the right"),
    ]);
    list(&words, "or")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::betza::parse;

    #[test]
    fn moves_of_two_legs_have_their_words() {
        let words = |text: &str| legs_in_words(&crate::betza::parse_legs(text).expect("valid"));
        assert_eq!(
            words("KNADcaKmabK"),
            [
                "In one turn it may capture one square in any direction and then make a second step, capturing again or \
                 not, also back to where it stood.",
                "It may stay where it is, as its turn, if it could step to an empty square and back.",
            ]
        );
        assert_eq!(
            words("fcavF"),
            [
                "In one turn it may capture one square diagonally ahead and then go on in the same direction, capturing \
              again or not, or come back."
            ]
        );
        assert_eq!(
            words("cabN"),
            [
                "In one turn it may capture two squares one way and one across (a knight's move) and come back, so that it \
              captures without moving."
            ]
        );
        assert!(words("K").is_empty());
    }

    #[test]
    fn every_atom_and_modifier_has_its_words() {
        for (betza, words) in [
            ("K", "goes one square in any direction"),
            ("W", "goes one square straight"),
            ("F", "goes one square diagonally"),
            ("R", "goes any number of squares straight"),
            ("B", "goes any number of squares diagonally"),
            ("Q", "goes any number of squares in any direction"),
            ("N", "leaps two squares one way and one across (a knight's move)"),
            ("C", "leaps three squares one way and one across"),
            ("H", "leaps three squares straight"),
            ("G", "leaps three squares diagonally"),
            (
                "mfWcfF",
                "goes one square straight ahead without capturing; captures one square diagonally ahead",
            ),
            (
                "mfFcfW",
                "goes one square diagonally ahead without capturing; captures one square straight ahead",
            ),
            ("FfW", "goes one square straight ahead or diagonally"),
            ("WfF", "goes one square straight or diagonally ahead"),
            ("fsW", "goes one square straight ahead or sideways"),
            ("FfsW", "goes one square straight ahead, sideways or diagonally"),
            ("fR", "goes any number of squares straight ahead"),
            (
                "fbRsW",
                "goes any number of squares straight ahead or straight back; goes one square sideways",
            ),
            ("WD", "goes one square straight; leaps two squares straight"),
            ("FA", "goes one square diagonally; leaps two squares diagonally"),
            ("ffN", "leaps two squares ahead and one to the side"),
            (
                "ffNbsN",
                "leaps two squares ahead and one to the side or one square back and two to the side",
            ),
            (
                "mRcpR",
                "goes any number of squares straight without capturing; captures any number of squares straight, \
                 over exactly one piece of either side",
            ),
            ("R3", "goes up to three squares straight"),
            (
                "NN",
                "leaps two squares one way and one across (a knight's move), any number of times in one direction \
                 over empty squares",
            ),
            ("nA", "goes two squares diagonally, if all squares that it passes are empty"),
            (
                "nZ",
                "goes three squares one way and two across, first straight and then diagonally, if all squares that it \
                 passes are empty",
            ),
            (
                "gQ",
                "goes in any direction over the first piece in its way, to the square right behind it",
            ),
            ("flF", "goes one square diagonally ahead to the left"),
            (
                "mfnD",
                "goes two squares straight ahead without capturing, if all squares that it passes are empty",
            ),
            (
                "mKcN",
                "goes one square in any direction without capturing; captures two squares one way and one \
              across (a knight's move)",
            ),
            (
                "mWF",
                "goes one square straight without capturing; goes or captures one square diagonally",
            ),
        ] {
            let steps = parse(betza).unwrap_or_else(|fault| panic!("{betza}: {fault}"));
            assert_eq!(sentence(&steps), words, "{betza}");
        }
    }
}
