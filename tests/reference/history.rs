//! A position with the moves played from it: repetition, perpetual check, impasse.

use super::position::{End, Position};
use super::rules::{Family, Side};

#[derive(Clone, Debug)]
pub struct Game {
    /// Never empty. Notation: "Occurrences for repetition are counted from the position given,
    /// which is the first."
    positions: Vec<Position>,
}

impl Game {
    pub fn new(start: Position) -> Game {
        Game { positions: vec![start] }
    }

    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has a position")
    }

    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let next = self.position().play(text)?;
        self.positions.push(next);
        Ok(())
    }

    /// The status in the order of §0: board rules, no legal move, repetition, move count.
    pub fn status(&self) -> String {
        let position = self.position();
        let end = position
            .end_on_board()
            .or_else(|| self.end_by_repetition())
            .or_else(|| position.end_by_move_count());
        end.map_or("ongoing".into(), End::text)
    }

    fn end_by_repetition(&self) -> Option<End> {
        let rules = &self.position().rules;
        let now = identity(self.position());
        let same = |i: &usize| identity(&self.positions[*i]) == now;
        let occurrences: Vec<usize> = (0..self.positions.len()).filter(same).collect();
        if occurrences.len() < rules.occurrences() {
            return None;
        }
        Some(match rules.family {
            Family::Fortress | Family::Swda => End::Draw("repetition"),
            Family::Chesstonia | Family::Shoogantshii => {
                // §3: "if every move of one side only since the first occurrence gave check, that
                // side loses, else (neither, or both) it is a draw"; so too §5.
                let white = self.always_checked(Side::White, occurrences[0]);
                let black = self.always_checked(Side::Black, occurrences[0]);
                match (white, black) {
                    (true, false) => End::Win(Side::Black, "perpetual check"),
                    (false, true) => End::Win(Side::White, "perpetual check"),
                    _ if rules.family == Family::Chesstonia => End::Draw("repetition"),
                    _ => self.impasse(),
                }
            }
        })
    }

    /// Whether every move of `side` after position number `first` gave check.
    fn always_checked(&self, side: Side, first: usize) -> bool {
        let later = &self.positions[first + 1..];
        let mut replies = later.iter().filter(|position| position.side != side);
        replies.all(Position::in_check)
    }

    /// §5: "impasse: each player counts his pieces on the board, 5 for each C, F, R, B (promoted or
    /// not), 1 for each other non-king; if exactly one player is above 34 he wins, else it is a
    /// draw."
    fn impasse(&self) -> End {
        let points = |side: Side| -> u32 {
            let pieces = self.position().board.iter().flatten();
            pieces
                .filter(|piece| piece.side == side)
                .map(|piece| match piece.letter {
                    'C' | 'F' | 'R' | 'B' => 5,
                    'K' => 0,
                    _ => 1,
                })
                .sum()
        };
        match (points(Side::White) > 34, points(Side::Black) > 34) {
            (true, false) => End::Win(Side::White, "impasse"),
            (false, true) => End::Win(Side::Black, "impasse"),
            _ => End::Draw("impasse"),
        }
    }
}

/// What makes two positions the same: board, hands, side to move, setup and ep fields.
fn identity(position: &Position) -> Vec<String> {
    let fen = position.fen();
    fen.split(' ').take(4).map(str::to_owned).collect()
}
