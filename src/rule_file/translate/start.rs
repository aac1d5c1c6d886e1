//! The start position of a rule file as a definition writes it.

use super::Draft;
use crate::rule_file::squares::{Area, At};

/// The fields of a start position.
pub(super) struct Fields<'t> {
    pub board: &'t str,
    /// The pieces in hand, if the position shows hands.
    pub hand: Option<&'t str>,
    pub turn: &'t str,
    /// Castling and other rights.
    pub rights: &'t str,
    /// The checks that each side still needs: `3+3`.
    pub checks: Option<&'t str>,
}

/// Reads a start position; fields that are missing are empty.
pub(super) fn fields(text: &str) -> Fields<'_> {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("");
    let (board, hand) = match first.split_once('[') {
        Some((board, hand)) => (board, Some(hand.trim_end_matches(']').trim_matches('-'))),
        None => (first, None),
    };
    let rest: Vec<&str> = words.collect();
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let rights =
        rest.get(1).copied().filter(|word| !is_number(word) && !word.contains('+')).unwrap_or("-");
    let checks = rest
        .iter()
        .copied()
        .find(|word| word.split_once('+').is_some_and(|(a, b)| is_number(a) && is_number(b)));
    Fields { board, hand, turn: rest.first().copied().unwrap_or("w"), rights, checks }
}

impl Draft<'_> {
    /// The start position, with the rights that the definition's castling gives.
    pub(super) fn start(&self) -> String {
        let text = self.rules.text("startFen");
        let fields = fields(&text);
        let board = self.start_board(fields.board);
        let hand = if self.has_hands() {
            format!("[{}]", self.in_reserve(fields.hand.unwrap_or("")))
        } else {
            String::new()
        };
        let turn = if fields.turn == "b" { "b" } else { "w" };
        let castles = self.castles();
        let rights: String = fields
            .rights
            .chars()
            .filter(|c| {
                // In a game with gates they may be files of gates as well.
                self.rules.flag("seirawanGating")
                    || castles.iter().any(|castle| castle.letter == *c)
            })
            .collect();
        let rights = if rights.is_empty() { "-".to_string() } else { rights };
        let checks = fields.checks.filter(|_| self.rules.flag("checkCounting"));
        let checks = checks.map_or(String::new(), |checks| format!("{checks} "));
        format!("{board}{hand} {turn} {rights} - {checks}0 1")
    }

    /// The board with the letters of the definition for promoted pieces.
    fn start_board(&self, board: &str) -> String {
        let mut text = board.replace('~', "");
        for form in &self.forms.all {
            let origin = form.origin.and_then(|origin| self.rules.piece(origin));
            let Some(origin) = origin.filter(|_| !form.letter.starts_with('+')) else { continue };
            let written = format!("+{}", origin.letter);
            text = text.replace(&written, &form.letter);
            text = text.replace(&written.to_lowercase(), &form.letter.to_lowercase());
        }
        text
    }

    /// The squares that are walls from the start.
    pub(super) fn holes(&self) -> Area {
        let text = self.rules.text("startFen");
        let cells = cells(fields(&text).board, self.board.ranks);
        cells.into_iter().filter(|(_, c)| *c == '*').map(|(at, _)| at).collect()
    }
}

/// The squares of a board that are not empty, with what stands there.
pub(super) fn cells(board: &str, ranks: u8) -> Vec<(At, char)> {
    let mut cells = Vec::new();
    for (row, rank) in board.split('/').zip((0..ranks).rev()) {
        let (mut file, mut run) = (0_u8, 0_u8);
        for c in row.chars().filter(|c| !matches!(c, '+' | '~')) {
            if let Some(digit) = c.to_digit(10) {
                run = run.saturating_mul(10).saturating_add(digit as u8);
                continue;
            }
            file = file.saturating_add(std::mem::take(&mut run));
            cells.push(((rank, file), c));
            file = file.saturating_add(1);
        }
    }
    cells
}
