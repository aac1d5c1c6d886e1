//! Squares in words, as the side sees them to which they belong.

use crate::bitboard::Bitboard;
use crate::types::{Color, Rank};
use crate::variant::Variant;

use super::{count, list, ordinal};

/// The most squares that are named one by one.
const MOST_NAMED: u32 = 24;

/// Where something may be, with its preposition: "on the last rank", "inside its palace (d1-f3, Black's d7-f9)". The set
/// is White's.
pub(super) fn inside(variant: &Variant, set: Bitboard) -> String {
    place(variant, set, "and")
}

/// The same of something that needs to be on one of the squares: "on a8 or f8".
pub(super) fn on_one_of(variant: &Variant, set: Bitboard) -> String {
    place(variant, set, "or")
}

/// `last`: the word before the last square of a list.
fn place(variant: &Variant, set: Bitboard, last: &str) -> String {
    let shape = |set| shape(variant, set, last);
    let black = variant.own(Color::Black, set);
    let white = shape(set);
    if let Some(name) = variant.region_named(set) {
        let at = if white.contains('-') { "inside" } else { "on" };
        return match black == set {
            true => format!("{at} the {name} ({white})"),
            false => format!("{at} its {name} ({white}, Black's {})", shape(black)),
        };
    }
    match ranks(variant, set) {
        Some(ranks) => format!("on {ranks}"),
        None if black == set => format!("on {white}"),
        None => format!("on {white} (Black: {})", shape(black)),
    }
}

/// Where something may not be: each part of the board that the set, White's, leaves out.
pub(super) fn outside(variant: &Variant, set: Bitboard) -> Vec<String> {
    let missing = variant.geometry().squares() & !set;
    let mut rest = missing;
    let mut parts = Vec::new();
    let mut take = |part: Bitboard, rest: &mut Bitboard| {
        if !part.is_empty() && (part & !missing).is_empty() && part.meets(*rest) {
            *rest &= !part;
            parts.push(inside(variant, part));
        }
    };
    variant.regions().for_each(|region| take(region, &mut rest));
    let last = variant.geometry().ranks();
    let whole = |rank: &u8| (row(variant, *rank) & !missing).is_empty();
    let from_above = (1..=last).rev().take_while(whole).map(|rank| row(variant, rank));
    let above = from_above.fold(Bitboard::EMPTY, |all, rank| all | rank);
    let from_below = (1..=last).take_while(whole).map(|rank| row(variant, rank));
    let below = from_below.fold(Bitboard::EMPTY, |all, rank| all | rank);
    take(above, &mut rest);
    take(below, &mut rest);
    take(rest, &mut rest.clone());
    parts
}

fn row(variant: &Variant, rank: u8) -> Bitboard {
    variant.geometry().rank_squares(Rank(rank - 1)) & variant.geometry().squares()
}

/// Whole ranks in a row, in words; `None` if the set is anything else.
fn ranks(variant: &Variant, set: Bitboard) -> Option<String> {
    let last = variant.geometry().ranks();
    let held: Vec<u8> = (1..=last).filter(|&rank| set.meets(row(variant, rank))).collect();
    let (&first, &top) = (held.first()?, held.last()?);
    let all = (first..=top).fold(Bitboard::EMPTY, |all, rank| all | row(variant, rank));
    let height = usize::from(top - first) + 1;
    (all == set).then(|| match (first, top) {
        _ if top == last && first == 1 => "any rank".to_string(),
        _ if top == last && height == 1 => "the last rank".to_string(),
        _ if top == last => format!("the last {} ranks", count(height)),
        (1, 1) => "its own first rank".to_string(),
        (1, _) => format!("its own first {} ranks", count(height)),
        _ if height == 1 => format!("its own {} rank", ordinal(u32::from(first))),
        _ => format!("its own ranks {first} to {top}"),
    })
}

/// Squares by name: one, a rectangle by two of its corners, or a list.
fn shape(variant: &Variant, set: Bitboard, last: &str) -> String {
    let geometry = variant.geometry();
    let files: Vec<u8> = set.map(|square| geometry.file(square).0).collect();
    let ranks: Vec<u8> = set.map(|square| geometry.rank(square).0).collect();
    let span = |values: &[u8]| Some((*values.iter().min()?, *values.iter().max()?));
    let (Some((left, right)), Some((low, high))) = (span(&files), span(&ranks)) else {
        return "no square".to_string();
    };
    let area = u32::from(right - left + 1) * u32::from(high - low + 1);
    let names = || set.map(|square| geometry.name(square)).collect::<Vec<_>>();
    match (set.len(), set.first(), names().last()) {
        (1, ..) => names().concat(),
        (size, Some(corner), Some(other)) if size == area => {
            format!("{}-{other}", geometry.name(corner))
        }
        (size, ..) if size > MOST_NAMED => format!("{size} squares"),
        _ => list(&names(), last),
    }
}
