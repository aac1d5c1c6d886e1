//! Static exchange evaluation: what a series of captures on one square comes to, each side taking
//! with its cheapest piece and free to stop. Sliders and hoppers join as the square's lines open.

use garrison_rules::{
    Bitboard, Color, MAX_PIECE_TYPES, Move, PieceType, PieceTypeSet, Position, Square, Tag, Variant,
};

/// What losing a royal for good counts as, in centipawns.
const ROYAL: i32 = 20_000;

/// What pieces are worth in exchanges, in centipawns.
#[derive(Debug, Clone)]
pub(super) struct Worth {
    /// On the board.
    board: [i32; MAX_PIECE_TYPES],
    /// What changes when one is captured: its own worth, and what it is worth in the other hand.
    swing: [i32; MAX_PIECE_TYPES],
    /// What the first, second, … of a kind gives when it falls, beyond its own worth.
    gains: [[i32; 4]; MAX_PIECE_TYPES],
    /// The kinds that have gains.
    giving: PieceTypeSet,
    /// Both sides' pieces, the cheapest first.
    order: [Vec<PieceType>; 2],
}

impl Worth {
    /// Computes the tables from the worth of pieces on the board and in hand.
    pub fn new(
        variant: &Variant,
        on_board: impl Fn(PieceType) -> i32,
        in_hand: impl Fn(PieceType) -> i32,
    ) -> Worth {
        let mut worth = Worth {
            board: [0; MAX_PIECE_TYPES],
            swing: [0; MAX_PIECE_TYPES],
            gains: [[0; 4]; MAX_PIECE_TYPES],
            giving: PieceTypeSet::EMPTY,
            order: [Vec::new(), Vec::new()],
        };
        for kind in variant.kinds() {
            let (index, piece) = (kind.index(), variant.piece(kind));
            let royal = variant.royal() == Some(kind);
            worth.board[index] = if royal { ROYAL } else { on_board(kind) };
            let slot = piece.captured_slot.filter(|_| !royal);
            let taken = slot.map_or(0, |slot| in_hand(variant.hand_kinds()[slot]));
            worth.swing[index] = worth.board[index] + taken;
            let total = |slots: &[usize]| -> i32 {
                slots.iter().map(|&slot| in_hand(variant.hand_kinds()[slot])).sum()
            };
            for (gains, sum) in piece.gains.iter().zip(&mut worth.gains[index]) {
                *sum = total(&gains.capturer) - total(&gains.owner);
                worth.giving.insert(kind);
            }
        }
        worth.order = Color::ALL.map(|color| {
            let mut kinds: Vec<_> = variant.kinds_of(color).collect();
            kinds.sort_by_key(|kind| worth.board[kind.index()]);
            kinds
        });
        worth
    }

    /// What a piece on the board is worth.
    #[inline]
    pub fn board(&self, kind: PieceType) -> i32 {
        self.board[kind.index()]
    }

    /// What the capture of a piece of `color` brings its captor.
    #[inline]
    pub fn captured(&self, position: &Position, color: Color, kind: PieceType) -> i32 {
        let swing = self.swing[kind.index()];
        if !self.giving.contains(kind) {
            return swing;
        }
        let standing = position.pieces(color, kind).len() as usize;
        let count = position.variant().piece(kind).gains.len();
        let fallen = count.saturating_sub(standing);
        swing + self.gains[kind.index()].get(fallen).copied().unwrap_or(0)
    }

    /// What a move wins at once: the piece captured and what the mover becomes.
    #[inline]
    pub fn of_move(&self, position: &Position, mv: Move) -> i32 {
        match mv.tag() {
            Tag::Setup | Tag::Drop | Tag::Pass | Tag::Castle => 0,
            Tag::EnPassant => {
                position.at(mv.from()).map_or(0, |piece| self.swing[piece.kind().index()])
            }
            tag => {
                let captured = position
                    .at(mv.to())
                    .map_or(0, |piece| self.captured(position, piece.color(), piece.kind()));
                let promoted = match (tag, position.at(mv.from())) {
                    (Tag::Promotion, Some(piece)) => {
                        self.promoted(position, mv.becomes()) - self.board[piece.kind().index()]
                    }
                    _ => 0,
                };
                captured + promoted
            }
        }
    }

    /// The worth of what a piece becomes. A second royal of a kind that may have several is worth
    /// something, but no game.
    fn promoted(&self, position: &Position, kind: PieceType) -> i32 {
        let royal = position.variant().royal() == Some(kind);
        if royal { 400 } else { self.board[kind.index()] }
    }

    /// Whether the exchange that a move begins wins at least `least` centipawns.
    pub fn wins(&self, position: &Position, mv: Move, least: i32) -> bool {
        let us = position.side();
        let to = mv.to();
        let (mover, left) = match mv.tag() {
            Tag::Setup | Tag::Pass | Tag::Castle => return least <= 0,
            Tag::Drop => (mv.becomes(), Bitboard::EMPTY),
            _ => match position.at(mv.from()) {
                Some(piece) => (piece.kind(), Bitboard::of(mv.from())),
                None => return least <= 0,
            },
        };
        let mut balance = self.of_move(position, mv) - least;
        if balance < 0 {
            return false;
        }
        let placed = if mv.tag() == Tag::Promotion { mv.becomes() } else { mover };
        balance -= self.swing[placed.index()];
        if balance >= 0 {
            return true;
        }
        let mut occupied = position.occupied() & !left | Bitboard::of(to);
        if let (Tag::EnPassant, Some(passed)) = (mv.tag(), position.passed_piece()) {
            occupied &= !Bitboard::of(passed);
        }
        let mut side = !us;
        loop {
            let attackers = position.attackers(to, side, occupied);
            let Some((kind, from)) = self.cheapest(position, side, attackers) else {
                break;
            };
            occupied &= !Bitboard::of(from);
            let royal = position.variant().royal() == Some(kind);
            if royal && !position.attackers(to, !side, occupied).is_empty() {
                break;
            }
            side = !side;
            balance = -balance - 1 - self.swing[kind.index()];
            if balance >= 0 {
                break;
            }
        }
        side != us
    }

    fn cheapest(
        &self,
        position: &Position,
        side: Color,
        attackers: Bitboard,
    ) -> Option<(PieceType, Square)> {
        if attackers.is_empty() {
            return None;
        }
        self.order[side.index()]
            .iter()
            .find_map(|&kind| Some((kind, (attackers & position.pieces(side, kind)).first()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    /// What the exchange of a move is worth by the hint values of the definition: the most that it
    /// still wins.
    fn exchange(game: &str, fen: &str, mv: &str) -> i32 {
        let variant = find(game).expect("a game");
        let value = |kind| variant.piece(kind).value;
        let worth = Worth::new(&variant, value, value);
        let position = Position::from_fen(&variant, fen).expect("a position");
        let mv = position.parse_move(mv).expect("a move");
        let won = (-3000..=3000).rev().find(|&least| worth.wins(&position, mv, least));
        won.expect("a bound")
    }

    #[test]
    fn exchanges_come_to_what_they_win() {
        // A pawn that nothing protects; one that a pawn protects.
        assert_eq!(exchange("swda-oo", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100);
        assert_eq!(exchange("swda-oo", "4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), -400);
        // Two rooks in a row against a protected rook: the second takes back.
        assert_eq!(exchange("swda-oo", "3rk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 500);
        // The king may not take what is protected.
        assert_eq!(exchange("swda-oo", "8/8/8/3pk3/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
    }

    #[test]
    fn hoppers_join_as_their_screens_stand() {
        // Taking the pawn takes it off the board: the cannon behind has the mover as its screen.
        let fen = "4k4/9/9/9/4p4/9/4R4/9/4CK3[] w - - 0 1";
        assert_eq!(exchange("shoogantshii", fen, "e3e5"), 200);
        // A protected pawn costs the rook, in the other hand too, and gains the pawn in one's own.
        let fen = "4k4/9/4r4/9/4p4/9/4R4/9/3K5[] w - - 0 1";
        assert!(exchange("shoogantshii", fen, "e3e5") < -1000);
    }

    #[test]
    fn the_fall_of_a_fortress_counts_what_it_gives() {
        let fen = "t3t3t/9/9/9/9/9/9/9/T3T3R[] w - - 0 1";
        let variant = find("sixfortresses").expect("a game");
        let value = |letter: &str| {
            let kind =
                variant.kinds().find(|&kind| variant.piece(kind).letter.to_string() == letter);
            variant.piece(kind.expect("a piece")).value
        };
        let wanted = value("T") + value("B") + value("N") - value("I");
        assert_eq!(exchange("sixfortresses", fen, "i1i9"), wanted);
    }
}
