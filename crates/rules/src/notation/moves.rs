//! Moves as text: `e3e4`, `e8e9q`, `c6c7+`, `N@e5`, `G@e5w`, `=TWF1T1FWT`, `e2e4,e4d5`, `f4f5,f5g6`.

use super::fen::row_text;
use super::move_error::{MoveError, MoveFault};
use crate::geometry::Geometry;
use crate::naming::{Algebraic, Notation};
use crate::placement::{self, OnSquare};
use crate::position::Position;
use crate::types::{Color, File, Letter, Move, Piece, PieceType, Rank, Square, Tag};
use crate::variant::Variant;

impl Position {
    /// Reads a legal move of this position.
    ///
    /// # Errors
    /// The text is not written like a move, or the move is not legal, and why.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_move_in(&Algebraic, text)
    }

    /// Reads a legal move of this position in another notation, in which errors are printed as well.
    ///
    /// # Errors
    /// As [`Position::parse_move`].
    pub fn parse_move_in(
        &self,
        notation: &'static dyn Notation,
        text: &str,
    ) -> Result<Move, MoveError> {
        let mv = self.read_legal_move(notation, text);
        mv.map_err(|fault| MoveError::new(self.variant(), notation, text, fault))
    }

    fn read_legal_move(&self, notation: &dyn Notation, text: &str) -> Result<Move, MoveFault> {
        if let Some(row) = text.strip_prefix('=') {
            return self.parse_setup(row);
        }
        if text == "0000" {
            return self.read_pass();
        }
        match self.read_coordinates(notation, text) {
            None => Err(MoveFault::Syntax { example: self.example(notation, text) }),
            Some(mv) if self.is_legal(mv) => Ok(mv),
            Some(mv) => Err(self.why_illegal(notation, mv)),
        }
    }

    /// A pass, if the game has it.
    pub(super) fn read_pass(&self) -> Result<Move, MoveFault> {
        let pass = Move::pass();
        match self.variant().allows_pass() {
            true if self.is_legal(pass) => Ok(pass),
            true => Err(MoveFault::NoPass),
            false => Err(MoveFault::NullMove),
        }
    }

    /// Reads a move and makes it; returns the number of plies made. If setups are pending and the move is not a
    /// setup, the sides that have not set up keep their arrays: their setup plies are made first.
    ///
    /// # Errors
    /// As [`Position::parse_move`]; nothing is changed then.
    pub fn play(&mut self, text: &str) -> Result<usize, MoveError> {
        self.play_in(&Algebraic, text)
    }

    /// [`Position::play`] in another notation.
    ///
    /// # Errors
    /// As [`Position::parse_move`]; nothing is changed then.
    pub fn play_in(
        &mut self,
        notation: &'static dyn Notation,
        text: &str,
    ) -> Result<usize, MoveError> {
        let kept = if text.starts_with('=') { 0 } else { self.keep_arrays() };
        match self.parse_move_in(notation, text) {
            Ok(mv) => {
                self.make(mv);
                Ok(kept + 1)
            }
            Err(error) => {
                (0..kept).for_each(|_| self.unmake());
                Err(error)
            }
        }
    }

    /// A legal move as text in coordinates: `e3e4`, `e8e9q`, `N@e5`.
    pub fn move_text(&self, mv: Move) -> String {
        self.move_text_in(&Algebraic, mv)
    }

    /// A legal move as text in another notation.
    pub fn move_text_in(&self, notation: &dyn Notation, mv: Move) -> String {
        let moved = (mv.tag() == Tag::Promotion).then(|| self.at(mv.from())).flatten();
        let text = self.variant().move_text_in(notation, mv, moved.map(Piece::kind));
        text.unwrap_or_else(|| match mv.tag() {
            Tag::Castle | Tag::GateCastle => {
                let name = |square| notation.square(self.variant().geometry(), square);
                let to = self.castling_target(mv);
                if mv.is_gate() {
                    return self.gate_castle_text(notation, mv, to);
                }
                let text = format!("{}{}", name(mv.from()), name(to));
                self.variant().with_stone_text(notation, text, to, mv)
            }
            _ => format!("={}", self.setup_text(mv)),
        })
    }

    /// Castling that lets a piece come from hand: `e1g1h` to the square of the king, `h1e1h` to that of the rook.
    fn gate_castle_text(&self, notation: &dyn Notation, mv: Move, to: Square) -> String {
        let name = |square| notation.square(self.variant().geometry(), square);
        let gate = mv.gate_square();
        let (from, to) = if gate == mv.from() { (gate, to) } else { (gate, mv.from()) };
        format!("{}{}{}", name(from), name(to), self.variant().gate_suffix(mv.becomes()))
    }

    /// The moves of a line as [`Position::move_text`] writes them, up to the first illegal one or the end of the
    /// game, which may be a repetition or a count.
    ///
    /// ```
    /// use garrison_rules::{Position, find};
    ///
    /// let mut position = Position::from_fen(&find("chess")?, "7k/8/8/8/8/8/8/KR6 w - - 98 80")?;
    /// let mut line = Vec::new();
    /// for text in ["b1b2", "h8g8", "b2b3"] {
    ///     line.push(position.parse_move(text)?);
    ///     position.make(line[line.len() - 1]);
    /// }
    /// let start = Position::from_fen(&find("chess")?, "7k/8/8/8/8/8/8/KR6 w - - 98 80")?;
    /// assert_eq!(start.line_text(&line), ["b1b2", "h8g8"]); // the 50-move rule
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn line_text(&self, line: &[Move]) -> Vec<String> {
        self.line_with(line, Position::move_text)
    }

    /// The moves of a line as `text` writes each of them in its position, as far as [`Position::line_text`] does.
    pub fn line_with(
        &self,
        line: &[Move],
        text: impl Fn(&Position, Move) -> String,
    ) -> Vec<String> {
        let mut position = self.clone();
        let mut texts = Vec::with_capacity(line.len());
        for &mv in line {
            if !position.is_legal(mv) {
                break;
            }
            texts.push(text(&position, mv));
            position.make(mv);
            if position.status().outcome().is_some() {
                break;
            }
        }
        texts
    }

    pub(super) fn setup_text(&self, mv: Move) -> String {
        let row = self.setup_rank().map(|square| (square, self.after_setup(mv, square)));
        // The row is written in capitals, whoever sets up.
        let white = |piece: Piece| Piece::new(Color::White, piece.kind());
        let row = row.map(|(square, piece)| (square, piece.map(white)));
        row_text(self.variant(), self.stones(), row)
    }

    fn parse_setup(&self, row: &str) -> Result<Move, MoveFault> {
        let variant = self.variant();
        let geometry = variant.geometry();
        let is_pending = self.setup_phase().is_pending();
        let first = self.setup_rank().next().filter(|_| is_pending);
        let rank = geometry.rank(first.ok_or(MoveFault::NoSetupPending)?);
        if row.contains(|c: char| c.is_lowercase()) {
            return Err(MoveFault::SmallLetters);
        }
        let pieces = placement::read_row(geometry, &**variant, row, rank)
            .map_err(|fault| MoveFault::SetupRow(rank, fault))?;
        let piece_on = |square: Square| match pieces[usize::from(geometry.file(square).0)] {
            OnSquare::Piece(piece) => Some(piece.kind()),
            OnSquare::Nothing | OnSquare::Stone => None,
        };
        let same = |square: Square| self.at(square).map(Piece::kind) == piece_on(square);
        let movable = |square: Square| {
            let is_movable = |kind| variant.setup_kinds().contains(kind);
            self.at(square).is_none_or(|piece| is_movable(piece.kind()))
        };
        match self.setup_rank().find(|&square| !movable(square) && !same(square)) {
            Some(square) => Err(MoveFault::NotMovable(square)),
            None => {
                let other = || match variant.setup_rows() {
                    [] => MoveFault::OtherPieces(variant.setup_kinds()),
                    _ => MoveFault::Only(
                        self.legal_moves().iter().map(|&mv| self.move_text(mv)).collect(),
                    ),
                };
                self.setup_to(piece_on).ok_or_else(other)
            }
        }
    }

    /// Reads what is written like a drop or a move from square to square, legal or not.
    pub(super) fn read_coordinates(&self, notation: &dyn Notation, text: &str) -> Option<Move> {
        let (text, stone) = self.split_stone(notation, text)?;
        let with_stone = |mv: Move| stone.map_or(mv, |stone| mv.with_stone(stone));
        match text.split_once(notation.drop_sign()) {
            Some((letter, rest)) => self.read_drop(notation, letter, rest).map(with_stone),
            None => self.read_board_move(notation, text, with_stone),
        }
    }

    /// A text without the square of the stone that goes with the move, and that square, if the moves of the game come
    /// with stones; `None` if it lacks one.
    pub(super) fn split_stone<'t>(
        &self,
        notation: &dyn Notation,
        text: &'t str,
    ) -> Option<(&'t str, Option<Square>)> {
        let variant = self.variant();
        if !variant.moves_place_stones() {
            return Some((text, None));
        }
        let (text, rest) = text.rsplit_once(',')?;
        let (first, rest) = notation.parse_square(variant.geometry(), rest)?;
        if rest.is_empty() {
            return Some((text, Some(first)));
        }
        // Two squares are the target of the move and that of the stone.
        let (second, rest) = notation.parse_square(variant.geometry(), rest)?;
        rest.is_empty().then_some((text, Some(second)))
    }

    fn read_drop(&self, notation: &dyn Notation, letter: &str, rest: &str) -> Option<Move> {
        let variant = self.variant();
        let &[letter] = Letter::split(letter)?.as_slice() else { return None };
        let kind = variant.kind_of(letter).filter(|&kind| variant.piece(kind).slot.is_some())?;
        let (to, choice) = notation.parse_square(variant.geometry(), rest)?;
        let reserve = variant.piece(kind).reserve;
        let becomes = if reserve.is_empty() {
            choice.is_empty().then_some(kind)?
        } else {
            reserve.into_iter().find(|&becomes| variant.suffix(kind, becomes) == choice)?
        };
        Some(Move::drop(kind, becomes, to))
    }

    /// Reads a move from square to square, and adds the stone that goes with it.
    fn read_board_move(
        &self,
        notation: &dyn Notation,
        text: &str,
        with_stone: impl Fn(Move) -> Move,
    ) -> Option<Move> {
        let geometry = self.variant().geometry();
        let (from, rest) = notation.parse_square(geometry, text)?;
        let (to, choice) = notation.parse_square(geometry, rest)?;
        if choice.is_empty() && from == to {
            return Some(with_stone(Move::stay(from)));
        }
        if choice.is_empty() {
            let tags = [Tag::Normal, Tag::DoubleStep, Tag::EnPassant, Tag::Castle];
            let moves = tags.map(|tag| with_stone(Move::tagged(from, to, tag)));
            let castle = self.castle_taking(from, to).map(&with_stone);
            let mut moves_then_castle = moves.into_iter().chain(castle);
            return moves_then_castle.find(|&mv| self.is_legal(mv)).or(castle).or(Some(moves[0]));
        }
        let variant = self.variant();
        if let Some(gate) = self.read_gate(from, to, choice) {
            return Some(gate);
        }
        if let Some(target) = read_second_leg(notation, geometry, to, choice) {
            return Some(Move::legs(from, to, target));
        }
        let Some(piece) = self.at(from) else {
            let known = |kind| variant.suffix(kind, kind) == choice;
            return variant
                .kinds()
                .find(|&kind| known(kind))
                .map(|kind| with_stone(Move::promotion(from, to, kind)));
        };
        let suffix = |kind: &PieceType| variant.suffix(piece.kind(), *kind) == choice;
        let chosen = variant.promotes_to(piece.color(), piece.kind()).find(&suffix);
        let any = || variant.kinds().find(&suffix);
        chosen.or_else(any).map(|kind| with_stone(Move::promotion(from, to, kind)))
    }

    /// A move from square to square, or castling, that lets the piece of this suffix come from hand.
    fn read_gate(&self, from: Square, to: Square, suffix: &str) -> Option<Move> {
        let variant = self.variant();
        let kind =
            variant.gated_kinds().into_iter().find(|&kind| variant.gate_suffix(kind) == suffix)?;
        let by_rook = self
            .castles(self.side_to_move())
            .filter(|castle| (castle.rook.0, castle.king.0) == (from, to));
        let by_king = self.castles(self.side_to_move()).filter(|castle| castle.king == (from, to));
        let castles = by_king.chain(by_rook);
        let castles =
            castles.map(|castle| Move::gate_castle(castle.king.0, castle.king.1, kind, from));
        let mut all = castles.chain([Move::gate(from, to, kind)]);
        all.find(|&mv| self.is_legal(mv))
    }

    /// An example for who typed this: a drop as it is written, a legal move, or something that is written like a move.
    fn example(&self, notation: &dyn Notation, text: &str) -> String {
        // What was typed, but for a drop's letter, which is a capital one.
        let capital: String = text.chars().take(1).flat_map(char::to_uppercase).collect();
        let drop: String = capital.chars().chain(text.chars().skip(1)).collect();
        if drop.contains('@') && self.read_coordinates(notation, &drop).is_some() {
            return drop;
        }
        let geometry = self.variant().geometry();
        let corner = |rank: u8| geometry.square(File(0), Rank(rank));
        match self.legal_moves().first() {
            Some(&mv) => self.move_text_in(notation, mv),
            None => {
                let squares = corner(0).into_iter().chain(corner(1));
                squares.map(|square| notation.square(geometry, square)).collect()
            }
        }
    }
}

/// The target of the second leg of a move by way of `via`: `,f5g6`, or only `g6`.
fn read_second_leg(
    notation: &dyn Notation,
    geometry: &Geometry,
    via: Square,
    text: &str,
) -> Option<Square> {
    let text = match text.strip_prefix(',') {
        Some(leg) => {
            let (start, rest) = notation.parse_square(geometry, leg)?;
            (start == via).then_some(rest)?
        }
        None => text,
    };
    let (target, rest) = notation.parse_square(geometry, text)?;
    rest.is_empty().then_some(target)
}

impl Variant {
    /// A move as text in a notation, without its position; `moved` is the type of the piece that makes it, which only
    /// promotions need. `None` for a setup ply or castling, whose text says what stands in its position.
    ///
    /// ```
    /// use garrison_rules::{Algebraic, Position, find};
    ///
    /// let shogi = find("minishogi")?;
    /// let position = Position::start(&shogi);
    /// let mv = position.parse_move("a2a3")?;
    /// assert_eq!(shogi.move_text_in(&Algebraic, mv, None).as_deref(), Some("a2a3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_text_in(
        &self,
        notation: &dyn Notation,
        mv: Move,
        moved: Option<PieceType>,
    ) -> Option<String> {
        let name = |square| notation.square(self.geometry(), square);
        let text = match mv.tag() {
            Tag::Pass => return Some("0000".to_string()),
            Tag::Setup | Tag::Castle | Tag::GateCastle => return None,
            Tag::Gate => {
                format!("{}{}{}", name(mv.from()), name(mv.to()), self.gate_suffix(mv.becomes()))
            }
            Tag::Drop => {
                let dropped = self.piece(mv.dropped());
                let choice = if dropped.reserve.is_empty() {
                    String::new()
                } else {
                    self.suffix(mv.dropped(), mv.becomes())
                };
                format!("{}{}{}{choice}", dropped.letter, notation.drop_sign(), name(mv.to()))
            }
            Tag::Promotion => {
                let suffix = moved.map(|moved| self.suffix(moved, mv.becomes()));
                format!("{}{}{}", name(mv.from()), name(mv.to()), suffix.unwrap_or_default())
            }
            Tag::Legs if mv.via() != mv.from() => {
                let (from, via, to) = (name(mv.from()), name(mv.via()), name(mv.to()));
                format!("{from}{via},{via}{to}")
            }
            Tag::Normal | Tag::EnPassant | Tag::DoubleStep | Tag::Legs => {
                format!("{}{}", name(mv.from()), name(mv.to()))
            }
        };
        Some(self.with_stone_text(notation, text, mv.to(), mv))
    }

    /// What stands behind a move that lets a piece of this type come from hand.
    fn gate_suffix(&self, kind: PieceType) -> String {
        self.piece(kind).letter.to_string().to_ascii_lowercase()
    }

    /// The text of a move and, if the game has that, behind it where the stone goes that comes with it: `,e4d5`, from the
    /// target of the move as if it were thrown.
    fn with_stone_text(
        &self,
        notation: &dyn Notation,
        text: String,
        to: Square,
        mv: Move,
    ) -> String {
        if !self.moves_place_stones() {
            return text;
        }
        let name = |square| notation.square(self.geometry(), square);
        format!("{text},{}{}", name(to), name(mv.stone()))
    }
}
