//! What a capture sets off beyond the captured piece itself: in the fortress games, the fall of a fortress.

use std::fmt;

use super::Position;
use crate::describe::{article, count, list, ordinal, plural};
use crate::naming::{Describe, Notation};
use crate::types::{Color, Move, PieceType, PieceTypeSet, Square, Tag};
use crate::variant::Variant;

/// The fall of a piece whose capture puts pieces into hands, such as a fortress.
///
/// It is printed as a sentence through a notation:
///
/// ```
/// use garrison_rules::fault::Describe;
/// use garrison_rules::{Algebraic, Position, find};
///
/// let game = find("sixfortresses")?;
/// let fen = "t8/9/9/9/9/9/9/9/T3Tr3[] b - - 0 1";
/// let position = Position::from_fen(&game, fen)?;
/// let mv = position.parse_move("f1e1")?;
/// let fall = position.fall_by(mv).expect("a fortress falls");
/// assert_eq!(
///     fall.through(&game, &Algebraic).to_string(),
///     "White's second fortress, on e1, falls: Black gets a knight and a rook, White gets an \
///      imposter. White has one left."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fall {
    /// Whose piece falls.
    pub owner: Color,
    /// What falls.
    pub kind: PieceType,
    /// Where it stood.
    pub square: Square,
    /// How many of its type the owner had lost before.
    pub before: usize,
    /// How many of its type the owner still has.
    pub left: usize,
    /// What the captor takes in hand.
    pub to_captor: Vec<PieceType>,
    /// What the owner takes in hand.
    pub to_owner: Vec<PieceType>,
}

impl Position {
    /// What falls by a legal move that was not made yet; `None` if the move captures nothing whose capture puts pieces
    /// into hands.
    pub fn fall_by(&self, mv: Move) -> Option<Fall> {
        if matches!(mv.tag(), Tag::Drop | Tag::Setup | Tag::Pass | Tag::Castle | Tag::GateCastle) {
            return None;
        }
        let square = mv.to();
        let captured = self.at(square)?;
        let (owner, kind) = (captured.color(), captured.kind());
        let gains = &self.variant.piece(kind).gains;
        let left = (self.pieces(owner, kind).len() as usize).saturating_sub(1);
        let before = gains.len().checked_sub(1 + left)?;
        let gain = gains.get(before)?;
        let kinds = |slots: &[usize]| {
            slots.iter().map(|&slot| self.variant.hand_kinds()[slot]).collect::<Vec<_>>()
        };
        let (to_captor, to_owner) = (kinds(&gain.capturer), kinds(&gain.owner));
        Some(Fall { owner, kind, square, before, left, to_captor, to_owner })
    }
}

impl Fall {
    /// Whether the owner's royal piece enters the game by it, and must be placed next.
    fn brings_royal(&self, variant: &Variant) -> bool {
        let late = variant.royalty().and_then(|royalty| royalty.late);
        self.left == 0 && late == Some(self.kind)
    }

    /// ` G drops as W or F.` for each reserve among the gains.
    fn describe_reserves(&self, variant: &Variant, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gained: PieceTypeSet = self.to_captor.iter().chain(&self.to_owner).copied().collect();
        for kind in gained {
            let piece = variant.piece(kind);
            if !piece.reserve.is_empty() {
                let letters = piece.reserve.map(|kind| variant.piece(kind).letter.to_string());
                let letters = list(&letters.collect::<Vec<_>>(), "or");
                write!(f, " {} drops as {letters}.", piece.letter)?;
            }
        }
        Ok(())
    }
}

impl Describe for Fall {
    type Context = Variant;

    fn describe(
        &self,
        variant: &Variant,
        notation: &dyn Notation,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let (owner, captor) = (notation.color(self.owner), notation.color(!self.owner));
        let name = &variant.piece(self.kind).name;
        let at = notation.square(variant.geometry(), self.square);
        let which = which(self.before, self.left);
        write!(f, "{owner}'s {which}{name}, on {at}, falls")?;
        let gains = [(captor, &self.to_captor), (owner, &self.to_owner)];
        let gains = gains.iter().filter(|(_, kinds)| !kinds.is_empty());
        let gains: Vec<String> =
            gains.map(|(who, kinds)| format!("{who} gets {}", listed(variant, kinds))).collect();
        if !gains.is_empty() {
            write!(f, ": {}", gains.join(", "))?;
        }
        write!(f, ".")?;
        self.describe_reserves(variant, f)?;
        if self.brings_royal(variant) {
            let royal = variant.royal().map_or("", |kind| &variant.piece(kind).name);
            write!(f, " {owner} must place the {royal} now.")
        } else if self.left > 0 {
            write!(f, " {owner} has {} left.", count(self.left))
        } else {
            Ok(())
        }
    }
}

/// `second `; nothing for the only one.
fn which(before: usize, left: usize) -> String {
    match (before, left) {
        (0, 0) => String::new(),
        (_, 0) => "last ".to_string(),
        _ => format!("{} ", ordinal(before as u32 + 1)),
    }
}

/// `a rook, two wazirs and a guard reserve (G)`
fn listed(variant: &Variant, kinds: &[PieceType]) -> String {
    let mut counts: Vec<(PieceType, usize)> = Vec::new();
    for &kind in kinds {
        match counts.iter_mut().find(|(counted, _)| *counted == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    let parts = counts.into_iter().map(|(kind, count)| some(variant, kind, count));
    list(&parts.collect::<Vec<_>>(), "and")
}

/// `a rook`, `the king`, `two any reserves (A)`
fn some(variant: &Variant, kind: PieceType, number: usize) -> String {
    let piece = variant.piece(kind);
    let name = &piece.name;
    let named = match number {
        1 if variant.royals().contains(kind) => format!("the {name}"),
        1 => format!("{} {name}", article(name)),
        _ => format!("{} {}", count(number), plural(name)),
    };
    if piece.reserve.is_empty() { named } else { format!("{named} ({})", piece.letter) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naming::Algebraic;

    fn sentence(game: &str, fen: &str, mv: &str) -> Option<String> {
        let variant = crate::find(game).expect("a built-in game");
        let position = Position::from_fen(&variant, fen).expect("a legal position");
        let mv = position.parse_move(mv).expect("a legal move");
        let fall = position.fall_by(mv)?;
        // It says what making the move does.
        let mut after = position.clone();
        after.make(mv);
        for (color, gained) in [(fall.owner, &fall.to_owner), (!fall.owner, &fall.to_captor)] {
            for kind in variant.hand_kinds() {
                let more = gained.iter().filter(|gained| *gained == kind).count();
                let held = usize::from(position.in_hand(color, *kind));
                assert_eq!(usize::from(after.in_hand(color, *kind)), held + more, "{fen}");
            }
        }
        Some(fall.through(&variant, &Algebraic).to_string())
    }

    #[test]
    fn a_fall_says_whose_which_and_who_gets_what() {
        for (game, white_fortresses, said) in [
            (
                "sixfortresses",
                "T3T3T",
                "White's first fortress, on e1, falls: Black gets a bishop and a knight, White gets an \
                 imposter. White has two left.",
            ),
            (
                "sixfortresses",
                "T3T4",
                "White's second fortress, on e1, falls: Black gets a knight and a rook, White gets an \
                 imposter. White has one left.",
            ),
            (
                "sixfortresses",
                "4T4",
                "White's last fortress, on e1, falls: Black gets a knight and a queen, White gets the king. \
                 White must place the king now.",
            ),
            (
                "shoranji",
                "T3T3T",
                "White's first fortress, on e1, falls: Black gets a modern elephant and a knight, White gets \
                 a guard reserve (G). G drops as W or F. White has two left.",
            ),
            (
                "shoranji-maximus",
                "4T4",
                "White's last fortress, on e1, falls: Black gets two any reserves (A), White gets the king and \
                 an any reserve (A). A drops as R, N, W, F, I, E or M. White must place the king now.",
            ),
        ] {
            let variant = crate::find(game).expect("a built-in game");
            let between = "9/".repeat(usize::from(variant.geometry().ranks()) - 3);
            let fen = format!("t8/{between}4r4/{white_fortresses}[] b - - 0 1");
            assert_eq!(sentence(game, &fen, "e2e1").as_deref(), Some(said), "{fen}");
        }
    }

    #[test]
    fn other_captures_let_nothing_fall() {
        let fen = "t8/9/9/9/9/9/9/4r4/T3P3T[] b - - 0 1";
        let fen = fen.replace('P', "W");
        assert_eq!(sentence("sixfortresses", &fen, "e2e1"), None);
        assert_eq!(sentence("sixfortresses", &fen, "e2e5"), None);
        let chess = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
        assert_eq!(sentence("chess", chess, "e1e2"), None);
    }
}
