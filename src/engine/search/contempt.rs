//! Contempt: the side that searches prefers play to a draw, and a board with many pieces to one with few.
//!
//! A weaker opponent errs more often the longer it has to play, and the more there is on the board.

use super::{Limits, Score};
use garrison_rules::{Color, Position};

/// What play is worth to the side that searches, beside what both sides see alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contempt {
    side: Color,
    /// In centipawns, with all pieces of the start array.
    most: i32,
    /// The pieces of the start array; `None` where captured pieces come back, so that there are always as many.
    start_pieces: Option<i32>,
    /// What play is worth at the root.
    at_root: i32,
}

impl Contempt {
    /// For a search of `root` by the side to move, to which a draw with all pieces on the board is worth so many
    /// centipawns less than an even position; none for 0, so that an ordinary search is spared the arithmetic.
    pub fn new(centipawns: i32, root: &Position) -> Option<Contempt> {
        if centipawns == 0 {
            return None;
        }
        let most = centipawns.clamp(-Limits::MOST_CONTEMPT, Limits::MOST_CONTEMPT);
        let variant = root.variant();
        let start_pieces = || (Position::start(variant).occupied().len() as i32).max(1);
        let mut contempt = Contempt {
            side: root.side_to_move(),
            most,
            start_pieces: variant.hand_kinds().is_empty().then(start_pieces),
            at_root: 0,
        };
        contempt.at_root = contempt.of_play(root);
        Some(contempt)
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub fn draw(&self, position: &Position) -> Score {
        Score::centipawns(self.for_side_to_move(position, -self.at_root))
    }

    /// What more or fewer pieces than at the root are worth to the side to move, in centipawns.
    #[inline]
    pub fn of_pieces(&self, position: &Position) -> i32 {
        self.for_side_to_move(position, self.of_play(position) - self.at_root)
    }

    /// What play is worth in a position to the side that searches: the less the fewer pieces are left.
    #[inline]
    fn of_play(&self, position: &Position) -> i32 {
        let left = |start: i32| self.most * position.occupied().len() as i32 / start;
        self.start_pieces.map_or(self.most, left)
    }

    #[inline]
    fn for_side_to_move(&self, position: &Position, value: i32) -> i32 {
        if position.side_to_move() == self.side { value } else { -value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    fn position(game: &str, fen: &str) -> Position {
        Position::from_fen(&find(game).expect("a built-in game"), fen).expect("a position")
    }

    #[test]
    fn a_draw_is_worth_less_to_the_side_that_searches() {
        let root = Position::start(&find("chess").expect("a built-in game"));
        let contempt = Contempt::new(64, &root).expect("it is not 0");
        assert_eq!(contempt.draw(&root), Score::centipawns(-64));
        let mut reply = root.clone();
        reply.make(root.legal_moves()[0]);
        assert_eq!(contempt.draw(&reply), Score::centipawns(64));
    }

    #[test]
    fn more_than_the_most_counts_as_the_most() {
        let root = Position::start(&find("chess").expect("a built-in game"));
        for (asked, most) in [(i32::MAX, 200), (i32::MIN, -200)] {
            let contempt = Contempt::new(asked, &root).expect("it is not 0");
            assert_eq!(contempt.draw(&root), Score::centipawns(-most));
        }
    }

    #[test]
    fn fewer_pieces_are_worth_less_to_the_side_that_searches() {
        let root = position("chess", "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w - - 0 1");
        let contempt = Contempt::new(64, &root).expect("it is not 0");
        // 20 of 32 pieces.
        assert_eq!(contempt.draw(&root), Score::centipawns(-40));
        assert_eq!(contempt.of_pieces(&root), 0);
        let fewer = "4k3/pppppppp/8/8/8/8/PP2PPPP/R3K3";
        assert_eq!(contempt.of_pieces(&position("chess", &format!("{fewer} w - - 0 1"))), -6);
        assert_eq!(contempt.of_pieces(&position("chess", &format!("{fewer} b - - 0 1"))), 6);
    }

    #[test]
    fn where_captured_pieces_come_back_their_number_counts_nothing() {
        let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R[QQn] w - - 0 1";
        let root = position("crazyhouse", fen);
        let contempt = Contempt::new(64, &root).expect("it is not 0");
        assert_eq!(contempt.draw(&root), Score::centipawns(-64));
        let fewer = position("crazyhouse", &fen.replace("R3K2R[QQn]", "4K3[QQn]"));
        assert_eq!(contempt.of_pieces(&fewer), 0);
    }
}
