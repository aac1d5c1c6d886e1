//! Positions: playing a move, legality, the board rules of the end.

use std::sync::Arc;

use super::fen;
use super::moves::Move;
use super::rules::{Family, PieceInfo, Rules, Side};

/// Field 3 of the FEN: `Ss`, `s`, `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    Both,
    Black,
    Done,
}

#[derive(Clone, Debug)]
pub struct Position {
    pub(super) rules: Arc<Rules>,
    pub(super) board: Vec<Option<PieceInfo>>,
    /// Upper-case letters, one per piece, in no particular order.
    pub(super) hands: [Vec<char>; 2],
    pub(super) side: Side,
    pub(super) setup: Setup,
    /// The passed square, only while an enemy pawn stands so that it could capture there.
    pub(super) ep: Option<usize>,
    pub(super) halfmoves: u32,
    pub(super) fullmove: u32,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Win(Side, &'static str),
    Draw(&'static str),
}

impl End {
    pub fn text(self) -> String {
        match self {
            End::Win(side, reason) => format!("{} wins ({reason})", side.name()),
            End::Draw(reason) => format!("draw ({reason})"),
        }
    }
}

impl Position {
    /// The start position; panics on an unknown variant name.
    pub fn start(variant: &str) -> Position {
        let rules = Rules::of(variant).unwrap_or_else(|| panic!("unknown variant {variant}"));
        let start = rules.start.clone();
        fen::parse(Arc::new(rules), &start).expect("the start position is sound")
    }

    pub fn from_fen(variant: &str, fen: &str) -> Result<Position, String> {
        let rules = Rules::of(variant).ok_or_else(|| format!("unknown variant {variant}"))?;
        fen::parse(Arc::new(rules), fen)
    }

    pub fn fen(&self) -> String {
        fen::write(self)
    }

    /// The texts of the legal moves, sorted.
    pub fn legal_moves(&self) -> Vec<String> {
        let moves = self.legal();
        let mut texts: Vec<String> = moves.iter().map(|m| m.text(&self.rules)).collect();
        texts.sort();
        texts
    }

    pub fn play(&self, text: &str) -> Result<Position, String> {
        if let Some(found) = self.legal().iter().find(|m| m.text(&self.rules) == text) {
            return Ok(self.after(found));
        }
        // notation: "A normal move given while setups are still pending means: those who have not
        // set up keep their array."
        if self.setup != Setup::Done && !text.starts_with('=') {
            let row = self.board[self.rules.first_rank(self.side)].to_vec();
            return self.after(&Move::Setup(row)).play(text);
        }
        Err(format!("illegal move {text} in {}", self.fen()))
    }

    /// Whether the royal of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.royal_attacked(self.side)
    }

    /// The status, of the history only the move count being considered.
    pub fn status(&self) -> String {
        let end = self.end_on_board().or_else(|| self.end_by_move_count());
        end.map_or("ongoing".into(), End::text)
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|m| self.after(m).perft(depth - 1)).sum()
    }

    /// The one royal of a side, if it has one on the board.
    fn royal(&self, side: Side) -> Option<usize> {
        let is_king = |square: &usize| self.board[*square].is_some_and(|piece| piece.letter == 'K');
        let kings: Vec<usize> = self.squares_of(side).filter(is_king).collect();
        // §1: "While a player has a fortress, nothing of his is royal" (he then has no king).
        // §4: "A player's K is royal exactly while it is his only K."
        match kings[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    pub(super) fn royal_attacked(&self, side: Side) -> bool {
        self.royal(side).is_some_and(|square| self.attacked(square, side.other()))
    }

    /// The legal moves. Notation: "a position decided on the board (king captured, bare king) has
    /// none".
    pub(super) fn legal(&self) -> Vec<Move> {
        if self.decided().is_some() {
            return Vec::new();
        }
        self.safe_moves()
    }

    /// The legal moves if the position is not decided on the board.
    fn safe_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_moves();
        moves.retain(|m| match self.rules.family {
            // §5: "moving into check or leaving the king attacked is legal".
            Family::Shoogantshii => !self.dooms_by_pawn_drop(m),
            // §0: a royal "may not be left attacked after one's own move". For a king placement
            // that is §1's "on vacant squares that no enemy piece attacks". §4: "A move is legal if
            // after it the mover has two or more K, or his only K is not attacked".
            _ => !self.after(m).royal_attacked(self.side) && !self.mates_by_pawn_drop(m),
        });
        moves
    }

    /// §3: a pawn may be dropped "not so as to give checkmate by that drop".
    fn mates_by_pawn_drop(&self, m: &Move) -> bool {
        if self.rules.family != Family::Chesstonia || !matches!(m, Move::Drop('P', ..)) {
            return false;
        }
        let after = self.after(m);
        after.in_check() && after.legal().is_empty()
    }

    /// §5: "no pawn drop after which the enemy king is attacked (by the pawn, or by a cannon or
    /// fóðētu using it as its screen, or otherwise) and every reply of the enemy leaves his king
    /// open to capture (a reply that captures one's own king is an escape) [attacked is needed;
    /// replies are judged without this pawn-drop rule]".
    fn dooms_by_pawn_drop(&self, m: &Move) -> bool {
        if !matches!(m, Move::Drop('P', ..)) {
            return false;
        }
        let after = self.after(m);
        after.in_check()
            && after.pseudo_moves().iter().all(|reply| {
                let answered = after.after(reply);
                let escaped = answered.royal(self.side).is_none();
                !escaped && answered.royal_attacked(after.side)
            })
    }

    /// Status step (1) of §0: "win/draw by a rule that looks at the board".
    fn decided(&self) -> Option<End> {
        match self.rules.family {
            Family::Shoogantshii => [Side::White, Side::Black]
                .into_iter()
                .find(|side| self.royal(*side).is_none())
                .map(|side| End::Win(side.other(), "king captured")),
            Family::Swda => {
                let (mover, other) = (self.side, self.side.other());
                match (self.bare(mover), self.bare(other)) {
                    // §4: "Position with both bare: draw."
                    (true, true) => Some(End::Draw("bare kings")),
                    // "The side not to move bare, the side to move not: the side to move wins."
                    (false, true) => Some(End::Win(mover, "bare king")),
                    // "The side to move bare, the other not: he loses, unless he has a legal move
                    // that bares the other; then play goes on with all his legal moves".
                    (true, false) => {
                        let saved = self.safe_moves().iter().any(|m| self.after(m).bare(other));
                        (!saved).then_some(End::Win(other, "bare king"))
                    }
                    (false, false) => None,
                }
            }
            Family::Fortress | Family::Chesstonia => None,
        }
    }

    /// §4: "a player with one K and nothing else is bare".
    fn bare(&self, side: Side) -> bool {
        // A player always has a K, so a single piece is that K.
        self.squares_of(side).count() == 1
    }

    /// Status steps (1) and (2) of §0: the board rules, then no legal move.
    pub(super) fn end_on_board(&self) -> Option<End> {
        if let Some(end) = self.decided() {
            return Some(end);
        }
        if !self.legal().is_empty() {
            return None;
        }
        let winner = self.side.other();
        // §1: with a king in hand and no square for it "the player is checkmated".
        let king_in_hand = self.hands[self.side.index()].contains(&'K');
        Some(if self.in_check() || king_in_hand {
            End::Win(winner, "checkmate")
        } else if self.rules.family == Family::Fortress {
            End::Draw("stalemate") // §1: "No legal move without check is stalemate: a draw"
        } else {
            End::Win(winner, "stalemate") // §3, §4, §5: "a player without a legal move loses"
        })
    }

    /// Status step (4) of §0.
    pub(super) fn end_by_move_count(&self) -> Option<End> {
        let limit = self.rules.move_count()?;
        (self.halfmoves >= limit).then_some(End::Draw("move count"))
    }

    /// The position after a (pseudo-legal) move of the side to move.
    pub(super) fn after(&self, m: &Move) -> Position {
        let mut next = self.clone();
        next.side = self.side.other();
        next.ep = None;
        match m {
            // §1: "This is not a turn: move numbers and clocks do not advance." Field 3: "`Ss` with
            // White to move, then `s` with Black to move, then `-`".
            Move::Setup(row) => {
                next.board[self.rules.first_rank(self.side)].copy_from_slice(row);
                next.setup = match self.setup {
                    Setup::Both => Setup::Black,
                    Setup::Black | Setup::Done => Setup::Done,
                };
                return next;
            }
            Move::Drop(letter, becomes, to) => {
                let hand = &mut next.hands[self.side.index()];
                let held = hand.iter().position(|held| held == letter);
                hand.remove(held.expect("a piece in hand"));
                next.board[*to] =
                    Some(PieceInfo { side: self.side, letter: *becomes, promoted: false });
                next.halfmoves = 0;
            }
            Move::Board(from, to, promotion) => next.move_piece(self, *from, *to, *promotion),
        }
        // notation: "fullmove: from 1, up after Black's move".
        if self.side == Side::Black {
            next.fullmove = next.fullmove.saturating_add(1);
        }
        next
    }

    fn move_piece(&mut self, before: &Position, from: usize, to: usize, promotion: Option<char>) {
        let rules = before.rules.clone();
        let mut piece = self.board[from].take().expect("a piece to move");
        let is_pawn = piece.letter == 'P' && !piece.promoted;
        let mut captured = self.board[to];
        if is_pawn && before.ep == Some(to) && rules.file(from) != rules.file(to) {
            // §2, en passant: the captured pawn stands one square behind the passed square.
            let stands = rules.step(piece.side, to, 0, -1).expect("a pawn to capture");
            captured = self.board[stands].take();
        }
        // notation: halfmoves are "plies since the last capture, drop, promotion or pawn move (P;
        // in `swda-*` also Q)". A promoted pawn of §5 is no longer a P (note 8).
        let pawn_move = is_pawn || rules.family == Family::Swda && piece.letter == 'Q';
        self.halfmoves = if captured.is_some() || promotion.is_some() || pawn_move {
            0
        } else {
            before.halfmoves.saturating_add(1)
        };
        match promotion {
            None => {}
            Some('+') => piece.promoted = true,
            Some(letter) => piece.letter = letter,
        }
        self.board[to] = Some(piece);
        if let Some(captured) = captured {
            self.gain(captured, piece.side);
        }
        if rules.en_passant && is_pawn && rules.step(piece.side, from, 0, 2) == Some(to) {
            // notation: "ep: the passed square if an enemy pawn stands so that it could capture
            // there (pins not considered), else `-`".
            let passed = rules.step(piece.side, from, 0, 1).expect("a passed square");
            if self.pawn_could_capture_on(passed, piece.side.other()) {
                self.ep = Some(passed);
            }
        }
    }

    /// What a capture brings into the hands.
    fn gain(&mut self, captured: PieceInfo, capturer: Side) {
        match self.rules.family {
            // §1: "nothing goes to a hand, except by a fortress". The captured fortress is off the
            // board by now: "Which fortress fell is three minus those still standing".
            Family::Fortress if captured.letter == 'T' => {
                let owner = captured.side;
                let fell = 3 - self.count(owner, 'T');
                let (to_capturer, to_owner) = match (self.rules.short, fell) {
                    (false, 1) => ("BN", "I"),
                    (false, 2) => ("NR", "I"),
                    (false, _) => ("NQ", "K"),
                    (true, 1) => ("EN", "G"),
                    (true, 2) => ("NM", "H"),
                    (true, _) => ("AA", "KA"),
                };
                self.hands[capturer.index()].extend(to_capturer.chars());
                self.hands[owner.index()].extend(to_owner.chars());
            }
            Family::Fortress | Family::Swda => {}
            // §3: a captured piece goes "to the capturer's hand as what it is". §5: captured pieces
            // "lose their promotion"; "A captured king goes to no hand."
            Family::Chesstonia | Family::Shoogantshii => {
                if captured.letter != 'K' {
                    self.hands[capturer.index()].push(captured.letter);
                }
            }
        }
    }

    /// How many unpromoted pieces of that letter a side has on the board.
    pub(super) fn count(&self, side: Side, letter: char) -> usize {
        let wanted = Some(PieceInfo { side, letter, promoted: false });
        self.board.iter().filter(|place| **place == wanted).count()
    }
}
