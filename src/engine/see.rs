//! Static exchange evaluation (SEE): what a series of captures on one square gains, each side capturing with its
//! cheapest piece and free to stop. Sliders and hoppers join in as the lines of the square open.

use garrison_rules::limits::MAX_PIECE_TYPES;
use garrison_rules::{
    Bitboard, Color, Move, PieceType, PieceTypeSet, Position, Square, Tag, Variant,
};

/// The value of a royal whose loss ends the game, in centipawns.
const ROYAL_VALUE: i32 = 20_000;

/// The value of promoting to one more royal, where a side may have several, in centipawns.
const EXTRA_ROYAL_VALUE: i32 = 400;

/// The values of pieces in exchanges, in centipawns.
#[derive(Debug, Clone)]
pub(super) struct ExchangeValues {
    /// On the board.
    board: [i32; MAX_PIECE_TYPES],
    /// The change when one is captured: its own value, and its value in the hand of the side that captures.
    swing: [i32; MAX_PIECE_TYPES],
    /// What the capture of the first, second, … piece of a type brings beyond that.
    capture_gains: [[i32; 4]; MAX_PIECE_TYPES],
    /// The piece types with such gains.
    giving: PieceTypeSet,
    /// The piece types of both sides, the cheapest first.
    cheapest_first: [Vec<PieceType>; 2],
}

impl ExchangeValues {
    /// From the values of pieces on the board and in hand, in centipawns.
    pub fn new(
        variant: &Variant,
        on_board: impl Fn(PieceType) -> i32,
        in_hand: impl Fn(PieceType) -> i32,
    ) -> ExchangeValues {
        let mut values = ExchangeValues {
            board: [0; MAX_PIECE_TYPES],
            swing: [0; MAX_PIECE_TYPES],
            capture_gains: [[0; 4]; MAX_PIECE_TYPES],
            giving: PieceTypeSet::EMPTY,
            cheapest_first: [Vec::new(), Vec::new()],
        };
        let slot_value = |slot: usize| in_hand(variant.hand_kinds()[slot]);
        let total = |slots: &[usize]| slots.iter().map(|&slot| slot_value(slot)).sum::<i32>();
        for kind in variant.kinds() {
            let (index, piece) = (kind.index(), variant.piece(kind));
            let royal = variant.royals().contains(kind);
            values.board[index] = if royal { ROYAL_VALUE } else { on_board(kind) };
            let captured = piece.captured_slot.filter(|_| !royal).map_or(0, slot_value);
            values.swing[index] = values.board[index] + captured;
            for (gains, sum) in piece.gains.iter().zip(&mut values.capture_gains[index]) {
                *sum = total(&gains.capturer) - total(&gains.owner);
                values.giving.insert(kind);
            }
        }
        values.cheapest_first = Color::ALL.map(|color| {
            let mut kinds: Vec<_> = variant.kinds_of(color).collect();
            kinds.sort_by_key(|kind| values.board[kind.index()]);
            kinds
        });
        values
    }

    /// The value of a piece on the board.
    #[inline]
    pub fn piece_value(&self, kind: PieceType) -> i32 {
        self.board[kind.index()]
    }

    /// What the capture of a piece of this color and type gains for the side that captures.
    #[inline]
    fn capture_gain(&self, position: &Position, color: Color, kind: PieceType) -> i32 {
        let swing = self.swing[kind.index()];
        if !self.giving.contains(kind) {
            return swing;
        }
        let left = position.pieces(color, kind).len() as usize;
        let count = position.variant().piece(kind).gains.len();
        let captured = count.saturating_sub(left);
        swing + self.capture_gains[kind.index()].get(captured).copied().unwrap_or(0)
    }

    /// What a move gains before any reply, by capture and promotion.
    #[inline]
    pub fn move_gain(&self, position: &Position, mv: Move) -> i32 {
        if position.variant().has_blasts() {
            let blown_up = position.blown_up_by(mv);
            if !blown_up.is_empty() {
                return self.blast_gain(position, mv, blown_up);
            }
        }
        match mv.tag() {
            Tag::Setup | Tag::Drop | Tag::Pass | Tag::Castle | Tag::GateCastle => 0,
            // The piece captured is of the same type as the one that captures.
            Tag::EnPassant => {
                position.at(mv.from()).map_or(0, |piece| self.swing[piece.kind().index()])
            }
            Tag::Legs => {
                let captured = position.captured_on(mv).filter_map(|square| position.at(square));
                captured.map(|piece| self.capture_gain(position, piece.color(), piece.kind())).sum()
            }
            tag => {
                let captured = position
                    .at(position.en_passant_by(mv).unwrap_or(mv.to()))
                    // What promotes in place captures nothing.
                    .filter(|_| mv.to() != mv.from())
                    .map_or(0, |piece| self.capture_gain(position, piece.color(), piece.kind()));
                let promoted = match (tag, position.at(mv.from())) {
                    (Tag::Promotion, Some(piece)) => {
                        self.promoted_value(position, mv.becomes())
                            - self.board[piece.kind().index()]
                    }
                    _ => 0,
                };
                captured + promoted
            }
        }
    }

    /// What a capture gains that removes the pieces of these squares and, if its target is among them, the piece that
    /// captures.
    #[cold]
    fn blast_gain(&self, position: &Position, mv: Move, blown_up: Bitboard) -> i32 {
        let us = position.side_to_move();
        let captor = Some(mv.from()).filter(|_| blown_up.contains(mv.to()));
        // A piece that survives its capture stands where the captured one stood.
        let removed = (blown_up | Bitboard::of(mv.to())).into_iter().chain(captor);
        let swings = removed.filter_map(|square| position.at(square)).map(|piece| {
            let swing = self.capture_gain(position, piece.color(), piece.kind());
            if piece.color() == us { -swing } else { swing }
        });
        swings.sum()
    }

    /// What the reply gains that captures a piece of this type on the target of a move and is removed by the explosion;
    /// what stands around is left out.
    #[cold]
    fn blast_reply(&self, position: &Position, mv: Move, placed: PieceType) -> i32 {
        let to = mv.to();
        if position.blown_up_by(mv).contains(to) {
            return 0;
        }
        let (them, royals) = (!position.side_to_move(), position.variant().royals());
        let left = if mv.is_drop() { Bitboard::EMPTY } else { Bitboard::of(mv.from()) };
        let occupied = position.occupied() & !left | Bitboard::of(to);
        let kings = position.pieces_of_kinds(them, royals);
        let attackers = position.attackers(to, them, occupied) & !kings;
        let reply = self.cheapest(position, them, attackers);
        reply.map_or(0, |(kind, _)| (self.swing[placed.index()] - self.board[kind.index()]).max(0))
    }

    /// The value of what a piece promotes to. An extra royal, where a side may have several, has a value of its
    /// own: its loss does not end the game.
    fn promoted_value(&self, position: &Position, kind: PieceType) -> i32 {
        let royal = position.variant().royals().contains(kind);
        if royal { EXTRA_ROYAL_VALUE } else { self.board[kind.index()] }
    }

    /// Whether the exchange that a move begins gains at least `threshold` centipawns.
    pub fn see_ge(&self, position: &Position, mv: Move, threshold: i32) -> bool {
        let us = position.side_to_move();
        let to = mv.to();
        let (mover, left) = match mv.tag() {
            Tag::Setup | Tag::Pass | Tag::Castle | Tag::GateCastle => return threshold <= 0,
            Tag::Drop => (mv.becomes(), Bitboard::EMPTY),
            _ => match position.at(mv.from()) {
                Some(piece) => (piece.kind(), Bitboard::of(mv.from())),
                None => return threshold <= 0,
            },
        };
        let mut balance = self.move_gain(position, mv) - threshold;
        if balance < 0 {
            return false;
        }
        let placed = if mv.tag() == Tag::Promotion { mv.becomes() } else { mover };
        if position.variant().has_blasts() {
            return self.blast_reply(position, mv, placed) <= balance;
        }
        balance -= self.swing[placed.index()];
        if balance >= 0 {
            return true;
        }
        let mut occupied = position.occupied() & !left | Bitboard::of(to);
        if let Some(passed) = position.en_passant_by(mv) {
            occupied &= !Bitboard::of(passed);
        }
        if mv.has_legs() {
            occupied = occupied & !Bitboard::of(mv.via()) | Bitboard::of(to);
        }
        let mut side = !us;
        loop {
            let attackers = position.attackers(to, side, occupied);
            let Some((kind, from)) = self.cheapest(position, side, attackers) else {
                break;
            };
            occupied &= !Bitboard::of(from);
            // A royal may not capture what is protected.
            let royal = position.variant().royals().contains(kind);
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

    /// The cheapest of a side's attackers and its square.
    fn cheapest(
        &self,
        position: &Position,
        side: Color,
        attackers: Bitboard,
    ) -> Option<(PieceType, Square)> {
        if attackers.is_empty() {
            return None;
        }
        self.cheapest_first[side.index()]
            .iter()
            .find_map(|&kind| Some((kind, (attackers & position.pieces(side, kind)).first()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::catalogue::{Catalogue, DefinitionFile};
    use garrison_rules::find;
    use std::sync::Arc;

    /// What the exchange of a move gains by the piece values of the definition: the greatest threshold that it
    /// reaches.
    fn exchange(game: &str, fen: &str, mv: &str) -> i32 {
        exchange_in(&find(game).expect("a game"), fen, mv)
    }

    fn exchange_in(variant: &Arc<Variant>, fen: &str, mv: &str) -> i32 {
        let value = |kind| variant.piece(kind).value;
        let values = ExchangeValues::new(variant, value, value);
        let position = Position::from_fen(variant, fen).expect("a position");
        let mv = position.parse_move(mv).expect("a move");
        let gain = (-3000..=3000).rev().find(|&threshold| values.see_ge(&position, mv, threshold));
        gain.expect("a threshold")
    }

    #[test]
    fn exchanges_gain_what_a_player_would_count() {
        // An unprotected pawn; one that a pawn protects.
        assert_eq!(exchange("swda-oo", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100);
        assert_eq!(exchange("swda-oo", "4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), -400);
        // Two rooks in a row against a protected rook: the second recaptures.
        assert_eq!(exchange("swda-oo", "3rk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 500);
        // The king may not capture what is protected.
        assert_eq!(exchange("swda-oo", "8/8/8/3pk3/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
    }

    #[test]
    fn a_capture_that_explodes_counts_what_it_removes_on_both_sides() {
        let text = "name = 'own'\nbase = 'chess'\nblast = { radius = 1, spares = 'P' }";
        let mut games = Catalogue::new();
        let file = DefinitionFile { name: "own.toml".to_string(), text: text.to_string() };
        games.add(vec![file]).expect("a game");
        let atomic = games.find("own").expect("just added");
        // A rook for a pawn; with a queen beside it; with own pieces and the pawn beside it.
        for (fen, gain) in [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", 100 - 500),
            ("4k3/8/2q5/3p4/8/8/8/3RK3 w - - 0 1", 100 + 950 - 500),
            ("4k3/8/2q1N3/2Pp4/2B5/8/8/3RK3 w - - 0 1", 100 + 950 - 500 - 320 - 330),
        ] {
            assert_eq!(exchange_in(&atomic, fen, "d1d5"), gain, "{fen}");
        }
        // A rook beside the king is enough.
        let fen = "3rk3/8/8/8/8/8/8/3RK3 w - - 0 1";
        assert_eq!(exchange_in(&atomic, fen, "d1d8"), 3000, "the bound of what is looked for");
    }

    #[test]
    fn hoppers_join_in_where_they_have_a_screen() {
        // The captured pawn leaves the board; the piece that captured it is the screen of the cannon on its file.
        let fen = "4k4/9/9/9/4p4/9/4R4/9/4CK3[] w - - 0 1";
        assert_eq!(exchange("shoogantshii", fen, "e3e5"), 200);
        // A protected pawn costs the rook, which the other side gets in hand, and gains a pawn in hand.
        let fen = "4k4/9/4r4/9/4p4/9/4R4/9/3K5[] w - - 0 1";
        assert!(exchange("shoogantshii", fen, "e3e5") < -1000);
    }

    #[test]
    fn a_captured_fortress_counts_what_it_brings_both_sides() {
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
