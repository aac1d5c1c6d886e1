//! The moves of a game as a list for people, and as the nodes that the script steps through.

use std::fmt::Write as _;

use serde::Serialize;

use super::{ViewerGame, ViewerPly, ViewerValue};
use crate::page_texts::{piece_of, viewer as texts};
use crate::picture::{Style, all_pieces, move_squares, symbol_id};
use crate::record::{SIGNS, numbered};
use crate::review::Mark;
use crate::text::escaped;
use garrison_rules::fault::Describe;
use garrison_rules::limits::MAX_PIECE_TYPES;
use garrison_rules::{Algebraic, Color, Geometry, Piece, Position, Square, Variant};

/// A position, as it differs from the one before.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Node {
    /// The node before.
    #[serde(rename = "p", skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    /// Squares that changed, with the letter of the piece there, or `.`. Squares are counted from the upper left corner
    /// as White sees it, row by row.
    #[serde(rename = "b", skip_serializing_if = "Vec::is_empty")]
    changes: Vec<(usize, char)>,
    /// Both hands, White's first: a letter for each piece. Those of the node before if there are none.
    #[serde(rename = "h", skip_serializing_if = "Option::is_none")]
    hands: Option<[String; 2]>,
    /// The squares of the move.
    #[serde(rename = "m", skip_serializing_if = "Vec::is_empty")]
    last: Vec<usize>,
    /// The squares of the royals of the side to move that stand in check.
    #[serde(rename = "k", skip_serializing_if = "Vec::is_empty")]
    check: Vec<usize>,
    /// The move in words: its number, what it is, what happened.
    #[serde(rename = "t")]
    text: String,
    /// What is said of it.
    #[serde(rename = "c", skip_serializing_if = "String::is_empty")]
    comment: String,
    /// The expected score of White in percent, and the score as text.
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    value: Option<(u8, String)>,
    /// The squares of the best move.
    #[serde(rename = "a", skip_serializing_if = "Vec::is_empty")]
    best: Vec<usize>,
    /// The place in the game: the number of plies before, for nodes of the game itself.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
}

/// Letters for pieces in the nodes; after them come those from [`MORE_LETTERS`] on. None of them means anything in JSON.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+*";

/// The first of 128 letters of Unicode's block Latin Extended-A.
const MORE_LETTERS: usize = 0x100;

const _: () = assert!(LETTERS.len() + 128 >= 2 * MAX_PIECE_TYPES);

/// Writes the list of moves and collects the nodes.
pub(super) struct Writer<'a> {
    variant: &'a Variant,
    style: Style,
    /// The pieces of the game; the letter of each is that at its place in [`LETTERS`].
    known: Vec<Piece>,
    pub nodes: Vec<Node>,
}

impl<'a> Writer<'a> {
    pub fn new(variant: &'a Variant, style: Style) -> Writer<'a> {
        Writer { variant, style, known: all_pieces(variant).collect(), nodes: Vec::new() }
    }

    /// The letters of the pieces with their symbols and names.
    pub fn pieces(&self) -> Vec<(char, String, String)> {
        let piece = |&piece: &Piece| {
            let name = piece_of(piece.color(), &self.variant.piece(piece.kind()).name);
            (self.letter(piece), symbol_id(self.variant, piece, self.style), name)
        };
        self.known.iter().map(piece).collect()
    }

    fn letter(&self, piece: Piece) -> char {
        let place = self.known.iter().position(|&other| other == piece).unwrap_or_default();
        let more = || char::from_u32((MORE_LETTERS + place - LETTERS.len()) as u32);
        LETTERS.chars().nth(place).or_else(more).unwrap_or('-')
    }

    /// Writes a game: its list of moves.
    pub fn write(&mut self, game: &ViewerGame) -> String {
        let first = self.node(None, None, &game.start);
        let first = Node {
            text: texts::START.to_string(),
            comment: game.comment.clone().unwrap_or_default(),
            ply: Some(0),
            ..self.judged(first, &game.start, game.value.as_ref())
        };
        self.nodes.push(first);
        let mut list =
            format!("<p><a href=\"#0\" data-n=\"0\" class=\"start\">{}</a> ", texts::START);
        if let Some(comment) = &game.comment {
            let _ = write!(list, "<q>{}</q> ", escaped(comment));
        }
        list += &self.line(&game.start, 0, &game.line, true);
        let _ = write!(list, "<b class=\"result\">{}</b></p>", escaped(&game.result));
        list
    }

    /// Writes a line that begins in this position, which is that of the node `parent`.
    fn line(
        &mut self,
        start: &Position,
        mut parent: usize,
        line: &[ViewerPly],
        is_game: bool,
    ) -> String {
        let mut position = start.clone();
        let mut list = String::new();
        let mut needs_number = true;
        for (index, ply) in line.iter().enumerate() {
            if !position.is_legal(ply.mv) {
                break;
            }
            let before = position.without_history();
            position.make(ply.mv);
            let ply_number = is_game.then_some(index + 1);
            let place = self.add(&before, &position, parent, ply, ply_number);
            list += &self.entry(&before, ply, place, needs_number);
            needs_number = false;
            if let Some(comment) = &ply.comment {
                let _ = write!(list, "<q>{}</q> ", escaped(comment));
                needs_number = true;
            }
            for variation in &ply.variations {
                let inside = self.line(&before, parent, variation, false);
                let _ = write!(list, "<span class=\"variation\">({})</span> ", inside.trim_end());
                needs_number = true;
            }
            parent = place;
        }
        list
    }

    /// A move of the list: its number where there must be one, and a link to its position.
    fn entry(
        &self,
        before: &Position,
        ply: &ViewerPly,
        place: usize,
        needs_number: bool,
    ) -> String {
        let number = numbered(before, ply.mv, needs_number);
        let (san, signs) = (escaped(&before.san(ply.mv)), signs(&ply.nags));
        let class = match ply.nags.first() {
            Some(1 | 3) => " class=\"good\"".to_string(),
            nag => nag
                .and_then(|&nag| Mark::of_nag(nag))
                .map_or(String::new(), |mark| format!(" class=\"{}\"", mark.name())),
        };
        format!("{number}<a href=\"#{place}\" data-n=\"{place}\"{class}>{san}{signs}</a> ")
    }

    /// Adds the node of a move.
    fn add(
        &mut self,
        before: &Position,
        after: &Position,
        parent: usize,
        ply: &ViewerPly,
        place: Option<usize>,
    ) -> usize {
        let node = self.node(Some(before), Some(parent), after);
        let fall = before.fall_by(ply.mv);
        let fall = fall.map(|fall| format!(" {}", fall.through(self.variant, &Algebraic)));
        let ending = match after.status().outcome() {
            Some(_) => format!(" {}", after.status()),
            None if after.is_check() => format!(" {}", texts::CHECK),
            None => String::new(),
        };
        let text = format!(
            "{}{}{}{}{ending}",
            numbered(before, ply.mv, true),
            before.san(ply.mv),
            signs(&ply.nags),
            fall.unwrap_or_default()
        );
        let node = Node {
            last: move_squares(ply.mv).into_iter().map(|square| self.index(square)).collect(),
            text,
            comment: ply.comment.clone().unwrap_or_default(),
            ply: place,
            ..self.judged(node, after, ply.value.as_ref())
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A node with the pieces of this position.
    fn node(&self, before: Option<&Position>, parent: Option<usize>, after: &Position) -> Node {
        let geometry = self.variant.geometry();
        let at = |position: &Position, square: Square| {
            position.at(square).map_or('.', |piece| self.letter(piece))
        };
        let changes = geometry.squares().filter_map(|square| {
            let (old, new) = (before.map_or('.', |before| at(before, square)), at(after, square));
            (old != new).then(|| (self.index(square), new))
        });
        let hands = |position: &Position| Color::ALL.map(|color| self.hand(position, color));
        let new_hands = hands(after);
        let changed = before.is_none_or(|before| hands(before) != new_hands);
        let attacked = after.attacked_royals(after.side_to_move());
        Node {
            parent,
            changes: changes.collect(),
            hands: changed.then_some(new_hands),
            check: attacked.map(|square| self.index(square)).collect(),
            ..Node::default()
        }
    }

    /// The node with how its position is judged.
    fn judged(&self, node: Node, position: &Position, value: Option<&ViewerValue>) -> Node {
        let Some(value) = value else { return node };
        let best = value.best.filter(|&best| position.is_legal(best));
        let best = best.map(move_squares).unwrap_or_default();
        Node {
            value: Some(((value.expected * 100.0).round() as u8, value.text.clone())),
            best: best.into_iter().map(|square| self.index(square)).collect(),
            ..node
        }
    }

    fn hand(&self, position: &Position, color: Color) -> String {
        let kinds = self.variant.hand_kinds().iter();
        kinds
            .flat_map(|&kind| {
                let count = usize::from(position.in_hand(color, kind));
                std::iter::repeat_n(self.letter(Piece::new(color, kind)), count)
            })
            .collect()
    }

    fn index(&self, square: Square) -> usize {
        index(self.variant.geometry(), square)
    }
}

/// The place of a square, counted from the upper left corner as White sees it.
fn index(geometry: &Geometry, square: Square) -> usize {
    let (file, rank) = (geometry.file(square).0, geometry.rank(square).0);
    usize::from(geometry.ranks() - 1 - rank) * usize::from(geometry.files()) + usize::from(file)
}

/// Annotation glyphs as people write them.
fn signs(nags: &[u8]) -> &'static str {
    let found =
        nags.iter().find_map(|&nag| SIGNS.get(usize::from(nag)).filter(|sign| !sign.is_empty()));
    found.copied().unwrap_or_default()
}
