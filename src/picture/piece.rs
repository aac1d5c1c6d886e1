//! The picture of one piece, in a square of 100 by 100.

use garrison_rules::betza::{Step, Way};
use garrison_rules::{Color, Piece, Variant};

use super::Style;
use super::figures::{DARK, Drawing, Shape, base_of, drawings};
use super::paint::{BLACK, BLACK_TILE, CROWN, PROMOTED, PROMOTED_ON_DARK, RIM, WHITE, WHITE_TILE};

/// The letters of pieces.
const FONT: &str = "font-family=\"serif\" font-weight=\"bold\" text-anchor=\"middle\"";

/// How lines end and meet.
const ROUND: &str = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";

/// The picture of a piece as a document of its own, which needs nothing else.
///
/// ```
/// use garrison::picture::{Style, piece_svg};
/// use garrison_rules::{Color, Letter, Piece, find};
///
/// let shogi = find("shogi").expect("a game");
/// let rook = shogi.kind_of(Letter { capital: 'R', promoted: true }).expect("a promoted rook");
/// let svg = piece_svg(&shogi, Piece::new(Color::Black, rook), Style::Tiles);
/// assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"));
/// ```
pub fn piece_svg(variant: &Variant, piece: Piece, style: Style) -> String {
    let inside = inside(variant, &drawings(variant), piece, style);
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">{inside}</svg>")
}

/// The identifier of the symbol of a piece in a document.
pub fn symbol_id(variant: &Variant, piece: Piece, style: Style) -> String {
    let style = match style {
        Style::Figures => 'f',
        Style::Tiles => 't',
    };
    let letter = variant.piece(piece.kind()).letter;
    let promoted = if letter.promoted { "p" } else { "" };
    format!("g{style}{}{promoted}{}", piece.color().letter(), letter.capital)
}

/// The symbols of these pieces, each under its [`symbol_id`], to be used by the pictures of a document.
pub fn symbols(variant: &Variant, pieces: impl IntoIterator<Item = Piece>, style: Style) -> String {
    let drawings = drawings(variant);
    let symbol = |piece| {
        let (id, inside) =
            (symbol_id(variant, piece, style), inside(variant, &drawings, piece, style));
        format!("<symbol id=\"{id}\" viewBox=\"0 0 100 100\">{inside}</symbol>")
    };
    pieces.into_iter().map(symbol).collect()
}

/// What is drawn of a piece.
pub(super) fn inside(
    variant: &Variant,
    drawings: &[Drawing],
    piece: Piece,
    style: Style,
) -> String {
    let drawing = drawings[piece.kind().index()];
    match style {
        Style::Figures => figure(variant, drawing, piece) + &badge(drawing),
        Style::Tiles => tile(variant, drawing, piece),
    }
}

fn figure(variant: &Variant, drawing: Drawing, piece: Piece) -> String {
    let body = match drawing.shape {
        Shape::Figure(text) => body_of(text),
        Shape::Letter => disc(variant, piece),
        Shape::Reserve => card(variant, piece),
    };
    let layer = |fill: &str, ink: &str, width: &str| {
        format!(
            "<g fill=\"{fill}\" stroke=\"{ink}\" color=\"{ink}\" stroke-width=\"{width}\" {ROUND}>{body}</g>"
        )
    };
    match piece.color() {
        Color::White => layer(WHITE.0, WHITE.1, "3"),
        Color::Black => layer(BLACK.0, RIM, "6") + &layer(BLACK.0, BLACK.1, "2.4"),
    }
}

/// The shapes of a figure, which take their colors from the element around them.
fn body_of(text: &str) -> String {
    let start = text.find("<g").and_then(|group| Some(group + text[group..].find('>')? + 1));
    let end = text.rfind("</g>");
    let body = start.zip(end).map_or("", |(start, end)| &text[start..end]);
    body.replace(DARK, "currentColor").replace('\n', "")
}

/// A disc with the letter of a piece and its directions.
fn disc(variant: &Variant, piece: Piece) -> String {
    let letter = variant.piece(base(variant, piece)).letter.capital;
    format!(
        "<circle cx=\"50\" cy=\"50\" r=\"42\"/>{}{}",
        text(letter.to_string(), (50, 65), 42, "currentColor"),
        directions(variant, piece, ((50.0, 50.0), 33.0, 33.0))
    )
}

/// A card with the letter of a reserve and what it may become.
fn card(variant: &Variant, piece: Piece) -> String {
    let info = variant.piece(piece.kind());
    let choices: String = info.reserve.map(|kind| variant.piece(kind).letter.capital).collect();
    let size = (64 / choices.len().max(3)).min(20);
    format!(
        "<rect x=\"18\" y=\"8\" width=\"64\" height=\"84\" rx=\"9\"/><path fill=\"none\" d=\"M26 64h48\"/>{}{}",
        text(info.letter.capital.to_string(), (50, 54), 46, "currentColor"),
        text(choices, (50, 76 + size as i32 / 4), size as u32 + 3, "currentColor")
    )
}

fn text(text: String, (x, y): (i32, i32), size: u32, fill: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" {FONT} font-size=\"{size}\" fill=\"{fill}\" stroke=\"none\">{text}</text>"
    )
}

/// The piece type by whose figure and letter a piece is known: for promoted forms, what they were.
fn base(variant: &Variant, piece: Piece) -> garrison_rules::PieceType {
    base_of(variant, piece.kind()).unwrap_or(piece.kind())
}

/// The marks in the corner.
fn badge(drawing: Drawing) -> String {
    let at_corner = |color: &str, shape: &str| {
        format!(
            "<circle cx=\"81\" cy=\"19\" r=\"15\" fill=\"{color}\" stroke=\"#fff\" stroke-width=\"2.5\"/>\
             <path fill=\"#fff\" d=\"{shape}\"/>"
        )
    };
    match drawing {
        Drawing { promoted: true, .. } => {
            at_corner(PROMOTED, "M78.5 9.5h5v7h7v5h-7v7h-5v-7h-7v-5h7z")
        }
        Drawing { crowned: true, .. } => at_corner(CROWN, "M72 26l-2-12 6 5 5-9 5 9 6-5-2 12z"),
        _ => String::new(),
    }
}

/// A tile as in shogi: it points at the enemy, and has a letter and the directions of its piece.
fn tile(variant: &Variant, drawing: Drawing, piece: Piece) -> String {
    let is_white = piece.color() == Color::White;
    let (face, edge) = if is_white { WHITE_TILE } else { BLACK_TILE };
    let letter = variant.piece(piece.kind()).letter.to_string();
    let ink = match (drawing.promoted, is_white) {
        (true, true) => PROMOTED,
        (true, false) => PROMOTED_ON_DARK,
        (false, true) => WHITE.1,
        (false, false) => BLACK_TILE.1,
    };
    let (shape, middle) = if is_white {
        ("M50 4L80 18 90 94H10L20 18z", 55.0)
    } else {
        ("M50 96L80 82 90 6H10L20 82z", 45.0)
    };
    let size = if letter.len() > 1 { 34 } else { 42 };
    let baseline = middle as i32 + size as i32 / 3;
    let dashes = if drawing.shape == Shape::Reserve { " stroke-dasharray=\"7 6\"" } else { "" };
    let rim = if is_white {
        ""
    } else {
        "<path fill=\"none\" stroke=\"#15110e\" stroke-width=\"6\" d=\""
    };
    let rim = if rim.is_empty() { String::new() } else { format!("{rim}{shape}\"/>") };
    let marks = directions(variant, piece, ((50.0, middle), 29.0, 31.0));
    let crown = if drawing.crowned || variant.royals().contains(piece.kind()) {
        let turn = if is_white { "" } else { " transform=\"translate(0 75)\"" };
        format!(
            "<path fill=\"{CROWN}\" stroke=\"none\"{turn} d=\"M42 18l-2-8 5 3 5-6 5 6 5-3-2 8z\"/>"
        )
    } else {
        String::new()
    };
    format!(
        "<g {ROUND}>{rim}<path fill=\"{face}\" stroke=\"{edge}\" stroke-width=\"3\"{dashes} d=\"{shape}\"/>{}\
         <g fill=\"none\" stroke=\"{ink}\" color=\"{ink}\" stroke-width=\"3\">{marks}</g>{crown}</g>",
        text(letter, (50, baseline), size, ink)
    )
}

/// A mark for every direction of a piece around its letter: a dot for a step, a dash for a line, a ring for a leap.
fn directions(
    variant: &Variant,
    piece: Piece,
    ((x, y), wide, high): ((f64, f64), f64, f64),
) -> String {
    let (mut dots, mut lines, mut rings) = (Vec::new(), Vec::new(), Vec::new());
    for step in variant.written_moves(piece.color(), piece.kind()).usual {
        let (dx, dy) = (f64::from(step.dx), -f64::from(step.dy));
        let length = dx.hypot(dy);
        let at = |part: f64| (x + dx / length * wide * part, y + dy / length * high * part);
        let (cx, cy) = at(1.0);
        let (paths, path) = if is_line(&step) {
            let ((ax, ay), (bx, by)) = (at(0.85), at(1.15));
            (&mut lines, format!("M{ax:.0} {ay:.0}L{bx:.0} {by:.0}"))
        } else if step.dx.abs().max(step.dy.abs()) > 1 {
            (&mut rings, format!("M{:.0} {cy:.0}a3 3 0 1 0 6 0a3 3 0 1 0-6 0", cx - 3.0))
        } else {
            // A line without length, whose round ends make a dot.
            (&mut dots, format!("M{cx:.0} {cy:.0}h0"))
        };
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    [(dots, 7), (lines, 3), (rings, 2)]
        .into_iter()
        .filter(|(paths, _)| !paths.is_empty())
        .map(|(paths, width)| {
            format!("<path fill=\"none\" stroke-width=\"{width}\" d=\"{}\"/>", paths.concat())
        })
        .collect()
}

fn is_line(step: &Step) -> bool {
    step.range > 1 || matches!(step.way, Way::Hop | Way::Grasshop)
}
