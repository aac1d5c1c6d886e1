//! Moves as people write them: `e4`, `Nbxd5`, `+Rc7`, `Rc7=+`, `N@e5`, `G@e5=W`, `=TWF1T1FWT`, `e4,d5`, `Nxf5-g6`.

use super::move_error::{MoveError, MoveFault};
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::naming::Algebraic;
use crate::position::{Position, Scope};
use crate::types::{Color, File, Move, PieceType, Rank, Square, Tag};
use crate::variant::Letter;

/// The piece that is written without its letter.
const PAWN: Letter = Letter { capital: 'P', promoted: false };

/// The marks of check and mate behind a move.
const MARKS: [char; 2] = ['+', '#'];

/// How a null move is written: here, in ChessBase and elsewhere, and by XBoard.
const NULL_MOVES: [&str; 4] = ["0000", "--", "Z0", "@@@@"];

/// What a text says of a move; what it leaves open is `None`.
struct San {
    letter: Letter,
    drop: bool,
    file: Option<File>,
    rank: Option<Rank>,
    captures: bool,
    /// Where the first of two legs captures.
    via: Option<Square>,
    to: Square,
    /// What stands behind `=`: a capital, or `+` for the promoted form.
    choice: Option<char>,
    /// Where the stone goes that comes with the move.
    stone: Option<Square>,
    /// The piece that comes from hand with the move.
    gated: Option<Letter>,
}

impl Position {
    /// A legal move in standard algebraic notation (SAN), with `+` for check and `#` if it wins the game at once.
    ///
    /// ```
    /// use garrison_rules::{Position, find};
    ///
    /// let game = find("shoogantshii").expect("a built-in game");
    /// let fen = "4k4/9/R8/9/9/9/9/9/3K5[N] w - - 0 1";
    /// let position = Position::from_fen(&game, fen).expect("a valid FEN");
    /// let san = |text| position.parse_move(text).map(|mv| position.san(mv));
    /// assert_eq!(san("a7a8"), Ok("Ra8".to_string()));
    /// assert_eq!(san("a7a8+"), Ok("Ra8=+".to_string()));
    /// assert_eq!(san("a7a9+"), Ok("Ra9=++".to_string()));
    /// ```
    pub fn san(&self, mv: Move) -> String {
        match mv.tag() {
            Tag::Setup => self.move_text(mv),
            Tag::Pass => self.move_text(mv) + self.mark(mv),
            _ => self.san_without_mark(mv) + self.mark(mv),
        }
    }

    /// The moves of a line as [`Position::san`] writes them, up to the first illegal one.
    pub fn line_san(&self, line: &[Move]) -> Vec<String> {
        self.line_with(line, Position::san)
    }

    /// Reads a legal move of this position in SAN or in coordinates. The marks of check may be missing, and more of
    /// the origin given than needed; the `=` of a promotion may be missing, and a null move is also `--`, `Z0`, `@@@@`.
    ///
    /// # Errors
    /// The text is not written like a move, is not legal, or could be several moves.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        if text.starts_with('=') {
            return self.parse_move(text);
        }
        if NULL_MOVES.contains(&text.trim_end_matches(MARKS)) {
            let pass = self.read_pass();
            return pass.map_err(|fault| MoveError::new(self.variant(), &Algebraic, text, fault));
        }
        let Some((plain, stone)) = self.split_stone(&Algebraic, text.trim_end_matches(MARKS))
        else {
            return Err(MoveError::new(self.variant(), &Algebraic, text, self.no_san()));
        };
        if let Some(mv) = self.parse_castle(plain, stone) {
            return Ok(mv);
        }
        // Coordinates come first: `c6c7+` promotes. San never writes two squares side by side.
        if let Some(mv) = self.read_coordinates(&Algebraic, text).filter(|&mv| self.is_legal(mv)) {
            return Ok(mv);
        }
        let unmarked = text.trim_end_matches(MARKS);
        if let Some(mv) =
            self.read_coordinates(&Algebraic, unmarked).filter(|&mv| self.is_legal(mv))
        {
            return Ok(mv);
        }
        let san = if stone.is_some() { plain } else { text };
        let fault = match San::parse(self.variant().geometry(), san) {
            None if castle_letter(text).is_some() => self.why_no_castle(),
            None => self.no_san(),
            Some(san) => match self.find_san(&San { stone, ..san }) {
                Ok(mv) => return Ok(mv),
                Err(fault) => self
                    .read_coordinates(&Algebraic, text)
                    .map_or(fault, |mv| self.why_illegal(&Algebraic, mv)),
            },
        };
        Err(MoveError::new(self.variant(), &Algebraic, text, fault))
    }

    /// `O-O` and `O-O-O`, with letters or zeros, if that is legal.
    fn parse_castle(&self, text: &str, stone: Option<Square>) -> Option<Move> {
        let letter = castle_letter(text)?;
        let is_meant =
            |mv: &Move| mv.is_castling() && stone.is_none_or(|stone| mv.stone() == stone);
        let mut castles = self.legal_moves().into_iter().filter(is_meant);
        let gate = text.trim_end_matches(MARKS).find('/').map_or("", |at| &text[at..]);
        castles.find(|&mv| {
            self.castle_of(mv).is_some_and(|castle| castle.letter.eq_ignore_ascii_case(&letter))
                && gate.trim_end_matches(MARKS) == self.gate_text(mv)
        })
    }

    fn san_without_mark(&self, mv: Move) -> String {
        let san = self.san_without_stone(mv);
        if !self.variant().moves_place_stones() {
            return san;
        }
        format!("{san},{}", self.variant().geometry().name(mv.stone()))
    }

    fn san_without_stone(&self, mv: Move) -> String {
        if let Some(castle) = self.castle_of(mv).filter(|_| mv.is_castling()) {
            let castle = if castle.is_short() { "O-O" } else { "O-O-O" };
            return format!("{castle}{}", self.gate_text(mv));
        }
        let to = self.variant().geometry().name(mv.to());
        let choice = self.choice(mv).map(|choice| format!("={choice}")).unwrap_or_default();
        if mv.is_drop() {
            return format!("{}@{to}{choice}", self.variant().piece(mv.dropped()).letter);
        }
        let Some(kind) = self.mover(mv) else {
            return self.move_text(mv);
        };
        let letter = self.variant().piece(kind).letter;
        let letter = if letter == PAWN { String::new() } else { letter.to_string() };
        let origin = self.origin(kind, mv);
        if mv.has_legs() && mv.via() != mv.from() {
            let via = self.variant().geometry().name(mv.via());
            let joint = if self.takes(mv) { 'x' } else { '-' };
            return format!("{letter}{origin}x{via}{joint}{to}");
        }
        // Two squares side by side are coordinates.
        let joint = match (self.takes(mv), origin.len()) {
            (true, _) => "x",
            (false, 0) => "",
            (false, _) if self.variant().geometry().parse_square(&origin).is_some() => "-",
            (false, _) => "",
        };
        format!("{letter}{origin}{joint}{to}{choice}{}", self.gate_text(mv))
    }

    /// What comes from hand with a move: `/H`, and where in castling, `/He1`.
    fn gate_text(&self, mv: Move) -> String {
        if !mv.is_gate() {
            return String::new();
        }
        let letter = self.variant().piece(mv.becomes()).letter;
        let square = self.variant().geometry().name(mv.gate_square());
        format!("/{letter}{}", if mv.is_castling() { square } else { String::new() })
    }

    /// What a move must say of where it comes from: nothing, the file, else the rank, else both. A
    /// pawn that captures always names its file.
    fn origin(&self, kind: PieceType, mv: Move) -> String {
        let geometry = self.variant().geometry();
        let (file, rank) = (geometry.file(mv.from()), geometry.rank(mv.from()));
        if mv == Move::stay(mv.from()) {
            return geometry.name(mv.from());
        }
        let is_like = |other: Move| {
            self.mover(other) == Some(kind)
                && self.takes(other) == self.takes(mv)
                && other.has_legs() == mv.has_legs()
                && (!mv.has_legs() || other.via() == mv.via())
        };
        let rivals: Vec<Square> = self
            .moves_to(mv.to())
            .filter(|&other| is_like(other))
            .map(Move::from)
            .filter(|&from| from != mv.from())
            .collect();
        let is_pawn = self.variant().piece(kind).letter == PAWN;
        if rivals.is_empty() && !(is_pawn && self.takes(mv)) {
            String::new()
        } else if rivals.iter().all(|&other| geometry.file(other) != file) {
            file.to_string()
        } else if rivals.iter().all(|&other| geometry.rank(other) != rank) {
            rank.to_string()
        } else {
            geometry.name(mv.from())
        }
    }

    /// `#` if the move wins the game, `+` if it gives check. Draws have no mark, and what depends on
    /// the past of the game plays no part.
    fn mark(&self, mv: Move) -> &'static str {
        let mut after = self.without_history();
        after.make(mv);
        match after.status().outcome() {
            Some(outcome) if outcome.winner == Some(self.side_to_move()) => "#",
            _ if after.is_check() => "+",
            _ => "",
        }
    }

    /// The legal moves to a square.
    fn moves_to(&self, to: Square) -> impl Iterator<Item = Move> + use<> {
        let mut scope = Scope::ALL;
        scope.to = Bitboard::of(to);
        self.legal_moves_in(&scope).into_iter()
    }

    /// The kind of the piece on the board that moves.
    fn mover(&self, mv: Move) -> Option<PieceType> {
        let from_board = !matches!(mv.tag(), Tag::Drop | Tag::Setup | Tag::Pass);
        from_board.then(|| self.at(mv.from())).flatten().map(|piece| piece.kind())
    }

    fn takes(&self, mv: Move) -> bool {
        let on = self.en_passant_by(mv).unwrap_or(mv.to());
        self.mover(mv).is_some() && on != mv.from() && self.at(on).is_some()
    }

    /// What a move chooses: the piece to promote to, or what a reserve becomes.
    fn choice(&self, mv: Move) -> Option<char> {
        let chooses = match mv.tag() {
            Tag::Promotion => true,
            Tag::Drop => !self.variant().piece(mv.dropped()).reserve.is_empty(),
            _ => false,
        };
        let kind = if mv.is_drop() { mv.dropped() } else { self.mover(mv)? };
        let suffix = chooses.then(|| self.variant().suffix(kind, mv.becomes()))?;
        suffix.chars().next().map(|c| c.to_ascii_uppercase())
    }

    /// Whether a move has this piece and origin.
    fn is_described(&self, san: &San, mv: Move) -> bool {
        let geometry = self.variant().geometry();
        let kind = if mv.is_drop() { Some(mv.dropped()) } else { self.mover(mv) };
        san.drop == mv.is_drop()
            && kind.is_some_and(|kind| self.variant().piece(kind).letter == san.letter)
            && san.file.is_none_or(|file| geometry.file(mv.from()) == file)
            && san.rank.is_none_or(|rank| geometry.rank(mv.from()) == rank)
            && match san.via {
                Some(via) => mv.has_legs() && mv.via() == via,
                None => !mv.has_legs() || mv.via() == mv.from(),
            }
            && san.stone.is_none_or(|stone| mv.stone() == stone)
            && mv.is_gate() == san.gated.is_some()
            && san.gated.is_none_or(|letter| self.variant().piece(mv.becomes()).letter == letter)
    }

    fn find_san(&self, san: &San) -> Result<Move, MoveFault> {
        let kind = self.variant().kind_of(san.letter);
        if let Some(fault) = self.why_nothing_but(kind.filter(|_| san.drop)) {
            return Err(fault);
        }
        let near: Vec<Move> =
            self.moves_to(san.to).filter(|&mv| self.is_described(san, mv)).collect();
        let mut found = near.clone();
        found.retain(|&mv| self.choice(mv) == san.choice);
        // A pawn may reach a square both straight ahead and by capturing in passing.
        if found.iter().any(|&mv| self.takes(mv) == san.captures) {
            found.retain(|&mv| self.takes(mv) == san.captures);
        }
        let texts = |moves: &[Move]| -> Vec<String> {
            moves.iter().map(|&mv| self.san_without_mark(mv)).collect()
        };
        match (found.as_slice(), near.as_slice()) {
            (&[mv], _) => Ok(mv),
            ([], []) => Err(self.why_no_san(san)),
            ([], near) => Err(MoveFault::Only(texts(near))),
            (found, _) => Err(MoveFault::Ambiguous(texts(found))),
        }
    }

    fn why_no_castle(&self) -> MoveFault {
        let has_castling =
            Color::ALL.iter().any(|&c| self.variant().castling_letters(c).count() > 0);
        let none = || match has_castling {
            true => MoveFault::CannotCastle(self.side_to_move()),
            false => MoveFault::NoCastling,
        };
        self.why_nothing_but(None).unwrap_or_else(none)
    }

    fn why_no_san(&self, san: &San) -> MoveFault {
        let color = self.side_to_move();
        let Some(kind) = self.variant().kind_of(san.letter) else {
            return MoveFault::NoSuchLetter(san.letter);
        };
        if san.drop {
            return self.why_illegal(&Algebraic, Move::drop(kind, kind, san.to));
        }
        // A piece that could go there if its royal were safe is what was meant.
        let mut possible = self.unguarded_moves_of(kind, san.to).into_iter();
        match possible.find(|&mv| self.is_described(san, mv)) {
            Some(mv) => self.why_illegal(&Algebraic, mv),
            None => {
                let has_origin = (san.file, san.rank) != (None, None);
                MoveFault::NobodyGoes { color, kind, to: san.to, has_origin }
            }
        }
    }

    fn no_san(&self) -> MoveFault {
        let example = self.legal_moves().first().map(|&mv| self.san(mv));
        MoveFault::Syntax { example: example.unwrap_or_else(|| "Na1".to_string()) }
    }
}

/// The letter of the right by which `O-O` or `O-O-O`, with letters or zeros, castles.
fn castle_letter(text: &str) -> Option<char> {
    let castle = text.split('/').next().unwrap_or(text);
    match castle.trim_end_matches(MARKS).replace('0', "O").as_str() {
        "O-O" => Some('k'),
        "O-O-O" => Some('q'),
        _ => None,
    }
}

impl San {
    fn parse(geometry: &Geometry, text: &str) -> Option<San> {
        let (letter, rest) = split_letter(text);
        if let Some(rest) = rest.strip_prefix('@') {
            let (to, rest) = geometry.parse_square(rest)?;
            let choice = parse_choice(rest)?;
            let (file, rank, captures, via) = (None, None, false, None);
            let (drop, stone, gated) = (true, None, None);
            return Some(San { letter, drop, file, rank, captures, via, to, choice, stone, gated });
        }
        let origins = [square_origin(geometry, rest), file_origin(rest), rank_origin(rest)];
        // The longest origin that leaves a target square behind it.
        origins.into_iter().flatten().chain([(None, None, rest)]).find_map(|(file, rank, rest)| {
            let captures = rest.starts_with('x');
            let rest = rest.strip_prefix(['x', '-']).unwrap_or(rest);
            let (first, rest) = geometry.parse_square(rest)?;
            let second = rest.strip_prefix(['x', '-']).filter(|_| captures);
            let second = second.and_then(|text| geometry.parse_square(text));
            let via = second.map(|_| first);
            let captures = if second.is_some() { rest.starts_with('x') } else { captures };
            let (to, rest) = second.unwrap_or((first, rest));
            let (rest, gated) = split_gated(rest)?;
            let choice = parse_choice(rest)?;
            let (drop, stone) = (false, None);
            Some(San { letter, drop, file, rank, captures, via, to, choice, stone, gated })
        })
    }
}

/// What stands behind a target without the piece that comes from hand, and that piece; `None` if it has no letter.
fn split_gated(text: &str) -> Option<(&str, Option<Letter>)> {
    let Some((rest, gated)) = text.split_once('/') else { return Some((text, None)) };
    let letters = Letter::split(gated.trim_end_matches(MARKS))?;
    let &[letter] = letters.as_slice() else { return None };
    Some((rest, Some(letter)))
}

/// What an origin names, and the text behind it.
type OriginText<'t> = (Option<File>, Option<Rank>, &'t str);

fn square_origin<'t>(geometry: &Geometry, text: &'t str) -> Option<OriginText<'t>> {
    let (square, rest) = geometry.parse_square(text)?;
    Some((Some(geometry.file(square)), Some(geometry.rank(square)), rest))
}

fn file_origin(text: &str) -> Option<OriginText<'_>> {
    let file = text.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    // `x` captures, it is no file: boards have files up to p.
    (file < b'x' - b'a').then(|| (Some(File(file)), None, &text[1..]))
}

fn rank_origin(text: &str) -> Option<OriginText<'_>> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: u8 = text[..text.len() - rest.len()].parse().ok()?;
    Some((None, Some(Rank(number.checked_sub(1)?)), rest))
}

/// The letter of the piece in front of a move; a pawn if there is none.
fn split_letter(text: &str) -> (Letter, &str) {
    let promoted = text.starts_with('+');
    let rest = text.strip_prefix('+').unwrap_or(text);
    match rest.chars().next() {
        Some(capital @ 'A'..='Z') => (Letter { capital, promoted }, &rest[1..]),
        _ => (PAWN, text),
    }
}

/// The choice behind a target square: `=Q`, `=+`, `Q` or none, and then marks of check. `None` if anything else
/// stands there.
fn parse_choice(text: &str) -> Option<Option<char>> {
    let are_marks = |marks: &str| marks.chars().all(|c| MARKS.contains(&c));
    let choice = match text.strip_prefix('=') {
        Some(choice) => choice,
        // `e8Q`, as the PGN of some programs has it. A bare `+` is check.
        None if text.starts_with(|c: char| c.is_ascii_uppercase()) => text,
        None => return are_marks(text).then_some(None),
    };
    let mut chars = choice.chars();
    let letter = chars.next().filter(|&c| c == '+' || c.is_ascii_alphabetic())?;
    are_marks(chars.as_str()).then_some(Some(letter.to_ascii_uppercase()))
}
