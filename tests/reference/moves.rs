//! Where the pieces go: attacks and pseudo-legal moves (before the royal's safety is looked at).

use super::fen;
use super::position::{Position, Setup};
use super::rules::{Family, PieceInfo, Rules, Side};

#[derive(Clone, Debug)]
pub enum Move {
    /// §1 setup phase: the player's own first rank after it, file a first.
    Setup(Vec<Option<PieceInfo>>),
    /// The letter in hand, what it becomes (differs exactly for the reserves of §2), the square.
    Drop(char, char, usize),
    /// From, to, and the promotion: `+` in §5, the new letter elsewhere.
    Board(usize, usize, Option<char>),
}

impl Move {
    /// The text of a move, notation "Moves".
    pub fn text(&self, rules: &Rules) -> String {
        match self {
            // "`=` + the player's own first rank after it, as a FEN row in upper case"
            Move::Setup(row) => format!("={}", fen::write_row(row).to_ascii_uppercase()),
            Move::Drop(letter, becomes, to) => {
                let mut text = format!("{letter}@{}", rules.square_name(*to));
                if becomes != letter {
                    text.push(becomes.to_ascii_lowercase());
                }
                text
            }
            Move::Board(from, to, promotion) => {
                let mut text = rules.square_name(*from) + &rules.square_name(*to);
                text.extend(promotion.map(|letter| letter.to_ascii_lowercase()));
                text
            }
        }
    }
}

impl Position {
    /// Collects the squares the piece on `from` can go to by his piece move, an enemy on the last
    /// square being captured. Double steps and en passant are not in it.
    fn reach(&self, from: usize, squares: &mut Vec<usize>) {
        let rules = &self.rules;
        let piece = self.board[from].expect("a piece to move");
        let lines = rules.lines(piece.letter, piece.promoted).expect("a piece of this game");
        // §5: K and A go "only inside [their] palace".
        let palace = rules.family == Family::Shoogantshii && matches!(piece.letter, 'K' | 'A');
        for line in lines {
            let mut square = from;
            let mut hops_left = if line.hops { 1 } else { 0 };
            while let Some(next) = rules.step(piece.side, square, line.dx, line.dy) {
                square = next;
                let allowed = !palace || rules.in_palace(piece.side, square);
                match self.board[square] {
                    None => {
                        if line.moves && hops_left == 0 && allowed {
                            squares.push(square);
                        }
                    }
                    Some(_) if hops_left > 0 => hops_left -= 1,
                    Some(other) => {
                        if line.captures && other.side != piece.side && allowed {
                            squares.push(square);
                        }
                        break;
                    }
                }
                if !line.slide {
                    break;
                }
            }
        }
        // §5: "Two kings on one file with nothing between attack each other: the side to move may
        // capture (`e1e9`)".
        if rules.family == Family::Shoogantshii && piece.letter == 'K' {
            for dy in [1, -1] {
                let mut square = from;
                while let Some(next) = rules.step(piece.side, square, 0, dy) {
                    square = next;
                    if let Some(other) = self.board[square] {
                        if other.letter == 'K' && other.side != piece.side {
                            squares.push(square);
                        }
                        break;
                    }
                }
            }
        }
    }

    /// Whether the piece on `square` is attacked by a piece of `by`.
    pub(super) fn attacked(&self, square: usize, by: Side) -> bool {
        let mut squares = Vec::new();
        for from in self.squares_of(by) {
            squares.clear();
            self.reach(from, &mut squares);
            if squares.contains(&square) {
                return true;
            }
        }
        false
    }

    /// Whether a pawn of `side` stands so that it could capture on the (vacant) square.
    pub(super) fn pawn_could_capture_on(&self, square: usize, side: Side) -> bool {
        self.squares_of(side).any(|from| self.pawn_hits(from, square))
    }

    /// Whether `from` holds a pawn that captures on `square`, were an enemy there.
    fn pawn_hits(&self, from: usize, square: usize) -> bool {
        let piece = self.board[from].expect("a piece to move");
        let lines = self.rules.lines('P', false).expect("every game has pawns");
        piece.letter == 'P'
            && lines.iter().any(|line| {
                line.captures && self.rules.step(piece.side, from, line.dx, line.dy) == Some(square)
            })
    }

    pub(super) fn squares_of(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        let own = move |square: &usize| self.board[*square].is_some_and(|piece| piece.side == side);
        (0..self.rules.squares()).filter(own)
    }

    fn vacant_squares(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rules.squares()).filter(|square| self.board[*square].is_none())
    }

    /// All moves of the side to move, the safety of royals and pawn-drop mate not yet judged.
    pub(super) fn pseudo_moves(&self) -> Vec<Move> {
        if self.setup != Setup::Done {
            return self.arrangements();
        }
        // §1: "while a king is in hand the only legal moves are `K@square`".
        let king_in_hand = self.hands[self.side.index()].contains(&'K');
        let mut moves = Vec::new();
        if !king_in_hand {
            self.board_moves(&mut moves);
        }
        self.drops(king_in_hand, &mut moves);
        moves
    }

    fn board_moves(&self, moves: &mut Vec<Move>) {
        let mut squares = Vec::new();
        for from in self.squares_of(self.side) {
            let piece = self.board[from].expect("a piece to move");
            squares.clear();
            self.reach(from, &mut squares);
            if piece.letter == 'P' && !piece.promoted {
                squares.extend(self.double_step(from));
                // §2: "an enemy pawn that could have captured it on the passed square may do so en
                // passant on the very next ply".
                squares.extend(self.ep.filter(|ep| self.pawn_hits(from, *ep)));
            }
            for &to in &squares {
                for promotion in self.promotions(piece, to) {
                    moves.push(Move::Board(from, to, promotion));
                }
            }
        }
    }

    fn double_step(&self, from: usize) -> Option<usize> {
        let rules = &self.rules;
        let own_rank = rules.own_rank(self.side, from);
        let may = match rules.family {
            // §2: "a pawn on its own third rank may step two squares straight ahead over an empty
            // square onto an empty square".
            Family::Fortress => rules.en_passant && own_rank == 3,
            // §3: "on its own first, second or third rank it may also go two straight ahead,
            // without capturing and over an empty square only".
            Family::Chesstonia => own_rank <= 3,
            Family::Swda | Family::Shoogantshii => false,
        };
        let passed = rules.step(self.side, from, 0, 1)?;
        let to = rules.step(self.side, from, 0, 2)?;
        (may && self.board[passed].is_none() && self.board[to].is_none()).then_some(to)
    }

    /// The ways to end a move of `piece` on `to`; `None` is "without promotion".
    fn promotions(&self, piece: PieceInfo, to: usize) -> Vec<Option<char>> {
        let rank = self.rules.own_rank(piece.side, to);
        let last = self.rules.ranks;
        let named = |letters: &str| letters.chars().map(Some).collect::<Vec<_>>();
        match (self.rules.family, piece.letter) {
            // §1: "on the last rank must promote to R, N, B or Q"; §2: "promotes on the last rank
            // (must) to R, N, E, M, I, W or F".
            (Family::Fortress, 'P') if rank == last => {
                named(if self.rules.short { "RNEMIWF" } else { "RNBQ" })
            }
            // §3: "only pawns, when their move ends on one of the last four ranks, to E, M, W, F or
            // N; optional, but a pawn that reaches the last rank must promote".
            (Family::Chesstonia, 'P') if rank == last => named("EMWFN"),
            (Family::Chesstonia, 'P') if rank > last - 4 => {
                let mut all = named("EMWFN");
                all.push(None);
                all
            }
            // §4: "P on the last rank must become the piece its own army started on the d-file. Q
            // on the last rank must become K. L on the seventh rank may, on the eighth must, become
            // G. Nothing else promotes."
            (Family::Swda, 'P') if rank == 8 => vec![Some(self.rules.d_file_piece(piece.side))],
            (Family::Swda, 'Q') if rank == 8 => vec![Some('K')],
            (Family::Swda, 'L') if rank == 7 => vec![None, Some('G')],
            (Family::Swda, 'L') if rank == 8 => vec![Some('G')],
            // §5: "optional at the end of a move that *ends* on the last three ranks; P and L must
            // promote on the ninth rank, N on the eighth and ninth".
            (Family::Shoogantshii, letter)
                if rank >= 7 && !piece.promoted && self.rules.lines(letter, true).is_some() =>
            {
                if self.stuck(letter, rank) {
                    vec![Some('+')]
                } else {
                    vec![None, Some('+')]
                }
            }
            _ => vec![None],
        }
    }

    /// The drop games' "P (and L) not on the last rank, N not on the eighth or ninth"; here and in
    /// a FEN such a piece "must have promoted or cannot be".
    pub(super) fn stuck(&self, letter: char, own_rank: i32) -> bool {
        match (self.rules.family, letter) {
            (Family::Chesstonia, 'P') => own_rank == 12,
            (Family::Shoogantshii, 'P' | 'L') => own_rank == 9,
            (Family::Shoogantshii, 'N') => own_rank >= 8,
            _ => false,
        }
    }

    fn drops(&self, king_in_hand: bool, moves: &mut Vec<Move>) {
        let mut letters = self.hands[self.side.index()].clone();
        letters.sort();
        letters.dedup();
        for letter in letters {
            if king_in_hand && letter != 'K' {
                continue;
            }
            for to in self.vacant_squares() {
                if self.may_drop(letter, to) {
                    for becomes in self.choices(letter) {
                        moves.push(Move::Drop(letter, becomes, to));
                    }
                }
            }
        }
    }

    /// What a hand letter can become when dropped.
    fn choices(&self, letter: char) -> Vec<char> {
        match (self.rules.family, self.rules.short, letter) {
            // §2, the reserves.
            (Family::Fortress, true, 'G') => vec!['W', 'F'],
            (Family::Fortress, true, 'H') => vec!['E', 'M'],
            (Family::Fortress, true, 'A') => vec!['R', 'N', 'E', 'M', 'I', 'W', 'F'],
            _ => vec![letter],
        }
    }

    fn may_drop(&self, letter: char, to: usize) -> bool {
        let rules = &self.rules;
        let own_rank = rules.own_rank(self.side, to);
        match rules.family {
            // §1: "put one piece from hand on any vacant square"; "the imposter may not be dropped
            // on a square next to (8 neighbors) an enemy fortress". §2: so too G and H, and not A.
            Family::Fortress => {
                let restricted = matches!(letter, 'I' | 'G' | 'H');
                !(restricted && self.next_to_fortress(to, self.side.other()))
            }
            // §3: "any vacant square, except: a pawn not on the last rank, not on a file that holds
            // an own pawn". Pawn-drop mate is judged later.
            Family::Chesstonia => {
                letter != 'P' || !self.stuck('P', own_rank) && !self.own_pawn_on_file(to)
            }
            Family::Swda => unreachable!("no hands in this game"),
            // §5: "P not on a file with an own unpromoted pawn; A only inside one's own palace;
            // every other piece only *outside* one's own palace; P and L not on the ninth rank, N
            // not on the eighth or ninth". The pawn drop that dooms is judged later.
            Family::Shoogantshii => {
                rules.in_palace(self.side, to) == (letter == 'A')
                    && !self.stuck(letter, own_rank)
                    && !(letter == 'P' && self.own_pawn_on_file(to))
            }
        }
    }

    fn next_to_fortress(&self, square: usize, owner: Side) -> bool {
        (-1..=1).any(|dx| {
            (-1..=1).any(|dy| {
                (dx, dy) != (0, 0)
                    && self
                        .rules
                        .step(owner, square, dx, dy)
                        .and_then(|neighbor| self.board[neighbor])
                        .is_some_and(|piece| piece.letter == 'T' && piece.side == owner)
            })
        })
    }

    fn own_pawn_on_file(&self, square: usize) -> bool {
        self.squares_of(self.side).any(|other| {
            self.rules.file(other) == self.rules.file(square)
                && self.board[other].is_some_and(|piece| piece.letter == 'P' && !piece.promoted)
        })
    }

    /// §1 setup phase: the player's W and F "over the squares of their own first rank that hold no
    /// fortress and no other piece".
    fn arrangements(&self) -> Vec<Move> {
        let mut row: Vec<Option<PieceInfo>> = self.board[self.rules.first_rank(self.side)].to_vec();
        let is_movable =
            |piece: &PieceInfo| piece.side == self.side && matches!(piece.letter, 'W' | 'F');
        let mut pieces: Vec<PieceInfo> = row.iter().copied().flatten().filter(is_movable).collect();
        for place in &mut row {
            if place.as_ref().is_some_and(is_movable) {
                *place = None;
            }
        }
        pieces.sort_by_key(|piece| piece.letter);
        let mut moves = Vec::new();
        arrange(&row, 0, &pieces, &mut moves);
        moves
    }
}

/// Puts the pieces on free places from `place` on in every distinguishable way.
fn arrange(row: &[Option<PieceInfo>], place: usize, pieces: &[PieceInfo], moves: &mut Vec<Move>) {
    if pieces.is_empty() {
        moves.push(Move::Setup(row.to_vec()));
        return;
    }
    if place == row.len() {
        return;
    }
    arrange(row, place + 1, pieces, moves); // nothing (more) here
    if row[place].is_some() {
        return;
    }
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 && pieces[i - 1] == *piece {
            continue; // two wazirs cannot be distinguished
        }
        let mut filled = row.to_vec();
        filled[place] = Some(*piece);
        let mut rest = pieces.to_vec();
        rest.remove(i);
        arrange(&filled, place + 1, &rest, moves);
    }
}
