//! Moves as people write them, in the notations that pyffish knows: SAN and long algebraic notation, three forms of
//! Western shogi notation (<https://en.wikipedia.org/wiki/Shogi_notation>), that of janggi
//! (<http://www.janggi.pl/janggi-notation/>), that of the World Xiangqi Federation
//! (<https://en.wikipedia.org/wiki/Xiangqi#Notation>) and two of Thai chess.

use garrison_rules::{
    Bitboard, Color, Letter, Move, PieceType, Position, Scope, Square, Tag, Variant,
};
use pyo3::PyResult;

use super::known::{Known, shown_kind};
use super::{error, moves, wxf};

/// A notation, under the number that pyffish gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    San = 1,
    Lan = 2,
    /// `P76`, `S'34`
    Hosking = 3,
    /// `P-7f`, `S*3d`
    Hodges = 4,
    /// `P-76`, `S*34`
    HodgesNumber = 5,
    /// `H02-83`
    Janggi = 6,
    /// `H2+3`
    Wxf = 7,
    ThaiSan = 8,
    ThaiLan = 9,
}

/// The number of the notation that is usual for a game.
pub const DEFAULT: i64 = 0;

const THAI_FILES: [char; 12] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ', 'ต', 'ถ', 'ธ', 'น'];
const THAI_ZERO: u32 = '๐' as u32;

/// The names of pieces in Thai notation, by their letters in makruk.
const THAI_PIECES: [(char, &str); 6] =
    [('K', "ข"), ('S', "ค"), ('M', "ม็"), ('N', "ม"), ('R', "ร"), ('P', "บ")];

impl Style {
    /// All notations.
    const ALL: [Style; 9] = [
        Style::San,
        Style::Lan,
        Style::Hosking,
        Style::Hodges,
        Style::HodgesNumber,
        Style::Janggi,
        Style::Wxf,
        Style::ThaiSan,
        Style::ThaiLan,
    ];

    /// The notation of a number, in a game that can be written in it.
    ///
    /// # Errors
    /// The number is that of no notation, or a piece of the game has no name in it.
    pub fn of(number: i64, variant: &Variant) -> PyResult<Style> {
        let usual = match Known::of(variant).is_shogi {
            true => Style::HodgesNumber,
            false => Style::San,
        };
        if number == DEFAULT {
            return Ok(usual);
        }
        let style = Style::ALL.into_iter().find(|style| *style as i64 == number);
        let unknown = || error(format!("{number} is no notation: they are 0 to 9"));
        let style = style.ok_or_else(unknown)?;
        if style.is_thai() {
            let has_name = |kind| thai_name(variant.piece(kind).letter).is_some();
            let nameless = variant.kinds().find(|&kind| !has_name(kind));
            let fits = usize::from(variant.geometry().files()) <= THAI_FILES.len();
            if let Some(kind) = nameless.filter(|_| fits) {
                let (piece, game) = (&variant.piece(kind).name, variant.name());
                return Err(error(format!("the {piece} of {game} has no name in Thai notation")));
            }
        }
        Ok(style)
    }

    fn is_shogi(self) -> bool {
        matches!(self, Style::Hosking | Style::Hodges | Style::HodgesNumber)
    }

    fn is_thai(self) -> bool {
        matches!(self, Style::ThaiSan | Style::ThaiLan)
    }

    /// Whether the whole origin is always written.
    fn is_long(self) -> bool {
        matches!(self, Style::Lan | Style::ThaiLan | Style::Janggi)
    }

    /// Whether a pawn is written without its letter.
    fn omits_pawn(self) -> bool {
        matches!(self, Style::San | Style::Lan | Style::ThaiSan)
    }

    fn file(self, position: &Position, square: Square) -> String {
        let geometry = position.variant().geometry();
        let file = geometry.file(square).0;
        match self {
            Style::Hosking | Style::Hodges | Style::HodgesNumber => {
                (geometry.files() - file).to_string()
            }
            Style::Janggi => (file + 1).to_string(),
            Style::Wxf => wxf::file(position, square),
            Style::ThaiSan | Style::ThaiLan => {
                THAI_FILES.get(usize::from(file)).map(char::to_string).unwrap_or_default()
            }
            Style::San | Style::Lan => geometry.file(square).to_string(),
        }
    }

    fn rank(self, position: &Position, square: Square) -> String {
        let geometry = position.variant().geometry();
        let rank = geometry.rank(square).0;
        let from_top = geometry.ranks() - rank;
        match self {
            Style::Hosking | Style::HodgesNumber => from_top.to_string(),
            Style::Hodges => char::from(b'a' + from_top - 1).to_string(),
            // The tenth is written 0.
            Style::Janggi => (from_top % 10).to_string(),
            Style::ThaiSan | Style::ThaiLan => thai_number(rank + 1),
            Style::San | Style::Lan | Style::Wxf => (rank + 1).to_string(),
        }
    }

    fn square(self, position: &Position, square: Square) -> String {
        let (file, rank) = (self.file(position, square), self.rank(position, square));
        if self == Style::Janggi { rank + &file } else { file + &rank }
    }
}

fn thai_name(letter: Letter) -> Option<&'static str> {
    let name = THAI_PIECES.iter().find(|(capital, _)| *capital == letter.capital)?.1;
    (!letter.promoted).then_some(name)
}

fn thai_number(number: u8) -> String {
    let digit = |c: char| char::from_u32(THAI_ZERO + c.to_digit(10).unwrap_or(0)).unwrap_or(c);
    number.to_string().chars().map(digit).collect()
}

/// A legal move in a notation. A pass is a step of the king to where it stands; setups are written in coordinates.
pub fn write(position: &mut Position, mv: Move, style: Style) -> String {
    if mv.tag() == Tag::Setup {
        return position.move_text(mv);
    }
    let mut text = without_mark(position, mv, style);
    if !style.is_shogi() && style != Style::Wxf {
        position.make(mv);
        if position.is_check() {
            text.push(if position.has_legal_move() { '+' } else { '#' });
        }
        position.unmake();
    }
    text
}

fn without_mark(position: &Position, mv: Move, style: Style) -> String {
    let variant = position.variant();
    if mv.tag() == Tag::Castle {
        let file = |square| variant.geometry().file(square);
        let is_short = file(mv.to()) > file(mv.from());
        return if is_short { "O-O" } else { "O-O-O" }.to_string();
    }
    let Some((kind, from, to)) = squares(position, mv) else { return position.move_text(mv) };
    let name = piece_name(position, kind, mv, style);
    if style == Style::Wxf && mv.tag() != Tag::Drop {
        return wxf::write(position, shown_kind(variant, kind), &name, (from, to));
    }
    let needed = origin(position, kind, mv, style);
    let sign = match mv.tag() {
        Tag::Drop if style == Style::Hosking => "'",
        Tag::Drop if style.is_shogi() => "*",
        Tag::Drop => "@",
        _ if moves::captured(position, mv).is_some() => "x",
        _ if style.is_long() => "-",
        _ if style == Style::Hosking && needed.is_empty() => "",
        _ if style.is_shogi() => "-",
        _ if style == Style::ThaiSan && !name.is_empty() => "-",
        _ => "",
    };
    let space = if style == Style::ThaiLan { " " } else { "" };
    let suffix = choice(position, kind, mv, style);
    format!("{name}{space}{needed}{sign}{}{suffix}", style.square(position, to))
}

/// The piece that moves, its origin and its target; those of the king for a pass. None if a pass has no king.
fn squares(position: &Position, mv: Move) -> Option<(PieceType, Square, Square)> {
    match mv.tag() {
        Tag::Drop => Some((mv.dropped(), mv.to(), mv.to())),
        Tag::Pass => {
            let king = position.royal_square(position.side_to_move())?;
            Some((position.at(king)?.kind(), king, king))
        }
        _ => Some((position.at(mv.from())?.kind(), mv.from(), mv.to())),
    }
}

fn piece_name(position: &Position, kind: PieceType, mv: Move, style: Style) -> String {
    let variant = position.variant();
    let letter = variant.piece(shown_kind(variant, kind)).letter;
    let is_pawn = letter.capital == 'P' && !letter.promoted;
    let known = Known::of(variant);
    if is_pawn && mv.tag() != Tag::Drop && style.omits_pawn() && !known.has_pawn_letter {
        return String::new();
    }
    if style.is_thai() {
        return thai_name(letter).unwrap_or_default().to_string();
    }
    Letter { capital: known.letter(letter.capital), ..letter }.to_string()
}

/// What must be said of the origin.
fn origin(position: &Position, kind: PieceType, mv: Move, style: Style) -> String {
    let Some((_, from, to)) = squares(position, mv).filter(|_| mv.tag() != Tag::Drop) else {
        return String::new();
    };
    let variant = position.variant();
    let geometry = variant.geometry();
    if style.is_long() {
        return style.square(position, from);
    }
    let is_pawn = piece_name(position, kind, mv, Style::San).is_empty();
    if is_pawn && style.omits_pawn() && moves::captured(position, mv).is_some() {
        return style.file(position, from);
    }
    let same_kind = |from: Square| {
        position.at(from).is_some_and(|piece| match style.is_shogi() {
            true => piece.kind() == kind,
            false => shown_kind(variant, piece.kind()) == shown_kind(variant, kind),
        })
    };
    let mut scope = Scope::ALL;
    scope.to = Bitboard::of(to);
    let rivals: Vec<Square> = position
        .legal_moves_in(&scope)
        .into_iter()
        .filter(|other| is_like(*other, mv) && same_kind(other.from()) && other.from() != from)
        .map(Move::from)
        .collect();
    let file = |square| geometry.file(square);
    let rank = |square| geometry.rank(square);
    if rivals.is_empty() {
        String::new()
    } else if style.is_shogi() {
        style.square(position, from)
    } else if rivals.iter().all(|&rival| file(rival) != file(from)) {
        style.file(position, from)
    } else if rivals.iter().all(|&rival| rank(rival) != rank(from)) {
        style.rank(position, from)
    } else {
        style.square(position, from)
    }
}

/// Whether two moves to the same square differ in nothing but their origin.
fn is_like(a: Move, b: Move) -> bool {
    let promotes = |mv: Move| (mv.tag() == Tag::Promotion).then(|| mv.becomes());
    let is_passing = |mv: Move| mv.tag() == Tag::EnPassant;
    let from_board = |mv: Move| {
        !matches!(mv.tag(), Tag::Drop | Tag::Setup | Tag::Pass | Tag::Castle | Tag::GateCastle)
    };
    from_board(a) && promotes(a) == promotes(b) && is_passing(a) == is_passing(b)
}

/// What the piece becomes: `=Q`; in notations of shogi `+`, and `=` where it might have promoted.
fn choice(position: &Position, kind: PieceType, mv: Move, style: Style) -> String {
    let variant = position.variant();
    let letter = |kind| variant.piece(shown_kind(variant, kind)).letter;
    match mv.tag() {
        Tag::Promotion if style.is_shogi() && letter(mv.becomes()).promoted => "+".to_string(),
        Tag::Promotion => format!("={}", letter(mv.becomes())),
        Tag::Drop if mv.becomes() != kind => format!("={}", letter(mv.becomes())),
        Tag::Normal if style.is_shogi() => {
            let color = position.side_to_move();
            let promoted = variant.promotes_to(color, kind);
            let mut others = promoted.map(|becomes| Move::promotion(mv.from(), mv.to(), becomes));
            if others.any(|other| position.is_legal(other)) { "=" } else { "" }.to_string()
        }
        _ => String::new(),
    }
}

/// The direction in which a side moves up the board.
pub fn is_forward(color: Color, from: u8, to: u8) -> bool {
    if color == Color::White { to > from } else { to < from }
}
