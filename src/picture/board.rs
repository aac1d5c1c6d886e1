//! The picture of a position.

use std::fmt::Write as _;
use std::sync::Arc;

use garrison_rules::{
    Bitboard, Color, File, Move, Piece, PieceType, Position, Rank, Square, Tag, Variant,
};

use super::Style;
use super::paint::{Theme, style_sheet};
use super::piece::{symbol_id, symbols};
use super::squares::{Squares, outline};
use crate::page_texts::picture as texts;
use crate::text::escaped;

/// The side of a square in the units of a picture.
pub(super) const UNIT: i32 = 100;

/// The margin for coordinates.
const MARGIN: i32 = 46;

/// The height of a hand, and its distance from the board.
const HAND: i32 = 104;
const GAP: i32 = 14;

/// The size of a square in pixels, if nothing else is said.
pub const SQUARE_PIXELS: u32 = 48;

/// How a board is drawn and what is drawn on it.
#[derive(Debug, Clone)]
pub struct BoardLook {
    /// How pieces look.
    pub style: Style,
    /// On which ground.
    pub theme: Theme,
    /// The side at the bottom.
    pub bottom: Color,
    /// Whether files and ranks have their names at the edge.
    pub coordinates: bool,
    /// Whether hands are drawn, in games that have them.
    pub hands: bool,
    /// The size of a square in pixels.
    pub square: u32,
    /// Arrows, each from a square to another.
    pub arrows: Vec<(Square, Square)>,
    /// Squares with a ring.
    pub marks: Vec<Square>,
    /// The squares of the last move.
    pub last: Vec<Square>,
    /// Whether the picture brings its style sheet and the symbols of its pieces, as a document of its own must. In a
    /// page with many boards [`page_parts`] has them once for all.
    pub is_whole: bool,
}

impl Default for BoardLook {
    fn default() -> BoardLook {
        BoardLook {
            style: Style::Figures,
            theme: Theme::Light,
            bottom: Color::White,
            coordinates: true,
            hands: true,
            square: SQUARE_PIXELS,
            arrows: Vec::new(),
            marks: Vec::new(),
            last: Vec::new(),
            is_whole: true,
        }
    }
}

/// What the boards of a page share: a hidden picture with a symbol for each piece that the game can have.
pub fn page_parts(variant: &Variant, style: Style) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>{}</defs></svg>",
        symbols(variant, all_pieces(variant), style)
    )
}

/// The pieces that a game can have, White's first.
pub fn all_pieces(variant: &Variant) -> impl Iterator<Item = Piece> + '_ {
    let of = |color| variant.kinds_of(color).map(move |kind| Piece::new(color, kind));
    Color::ALL.into_iter().flat_map(of)
}

/// The squares of a move: from where and to where, as far as it has them.
pub fn move_squares(mv: Move) -> Vec<Square> {
    match mv.tag() {
        Tag::Setup | Tag::Pass => Vec::new(),
        Tag::Drop => vec![mv.to()],
        _ => vec![mv.from(), mv.to()],
    }
}

/// The board, the hands beside it and what the look adds, as SVG.
///
/// ```
/// use garrison::picture::{BoardLook, board_svg};
/// use garrison_rules::{Position, find};
///
/// let position = Position::start(&find("shoranji").expect("a game"));
/// let svg = board_svg(&position, &BoardLook::default());
/// assert!(svg.contains("<title>SHORANJI: White to set up</title>"));
/// ```
pub fn board_svg(position: &Position, look: &BoardLook) -> String {
    let painter = Painter::new(position, look);
    let (width, height) = painter.size();
    let scale = f64::from(look.square) / f64::from(UNIT);
    let pixels = |units: i32| (f64::from(units) * scale).round();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\" role=\"img\">\
         <title>{}</title><desc>{}</desc>",
        pixels(width),
        pixels(height),
        escaped(&painter.title()),
        escaped(&position.fen())
    );
    if look.is_whole {
        let symbols = symbols(position.variant(), painter.pieces(), look.style);
        let _ = write!(text, "<style>{}</style><defs>{symbols}</defs>", style_sheet(look.theme));
    }
    text += &painter.ground();
    text += &painter.regions();
    text += &painter.highlights();
    text += &painter.placed();
    text += &painter.coordinates();
    text += &painter.hand(Color::White);
    text += &painter.hand(Color::Black);
    text += &painter.drawn_over();
    text + "</svg>"
}

/// A board without pieces, for pages whose script puts pieces on it.
#[derive(Debug, Clone)]
pub struct Ground {
    /// The width and the height of the picture.
    pub size: (i32, i32),
    /// The upper left corner of the board in it.
    pub origin: (i32, i32),
    /// The side of a square.
    pub square: i32,
    /// The squares, regions and coordinates.
    pub inside: String,
}

/// The board of a game without pieces and hands, in the colors of the [style sheet](super::style_sheet).
pub fn ground(variant: &Arc<Variant>, style: Style, bottom: Color) -> Ground {
    let look = ground_look(style, bottom);
    let position = Position::start(variant);
    let painter = Painter::new(&position, &look);
    Ground {
        size: painter.size(),
        origin: painter.squares.origin,
        square: UNIT,
        inside: painter.ground() + &painter.regions() + &painter.coordinates(),
    }
}

/// The pieces of a position on the [`ground`] of its game.
pub fn placed(position: &Position, style: Style, bottom: Color) -> String {
    Painter::new(position, &ground_look(style, bottom)).placed()
}

fn ground_look(style: Style, bottom: Color) -> BoardLook {
    BoardLook { style, bottom, hands: false, ..BoardLook::default() }
}

struct Painter<'a> {
    position: &'a Position,
    look: &'a BoardLook,
    squares: Squares,
    has_hands: bool,
}

impl<'a> Painter<'a> {
    fn new(position: &'a Position, look: &'a BoardLook) -> Painter<'a> {
        let variant = position.variant();
        let has_hands = look.hands && !variant.hand_kinds().is_empty();
        let left = if look.coordinates { MARGIN } else { 4 };
        let top = if has_hands { HAND + GAP } else { 4 };
        let geometry = variant.geometry();
        let squares = Squares {
            files: i32::from(geometry.files()),
            ranks: i32::from(geometry.ranks()),
            bottom: look.bottom,
            origin: (left, top),
        };
        Painter { position, look, squares, has_hands }
    }

    fn variant(&self) -> &Variant {
        self.position.variant()
    }

    fn size(&self) -> (i32, i32) {
        let (x, y) = self.squares.origin;
        let below = match (self.look.coordinates, self.has_hands) {
            (true, true) => MARGIN + HAND,
            (false, true) => GAP + HAND,
            (true, false) => MARGIN,
            (false, false) => 4,
        };
        (x + self.squares.files * UNIT + 4, y + self.squares.ranks * UNIT + below)
    }

    fn title(&self) -> String {
        let position = self.position;
        let is_setup = position.setup_phase().is_pending();
        texts::board(&self.variant().info().title, position.side_to_move(), is_setup)
    }

    /// The pieces that are to be seen, each once.
    fn pieces(&self) -> Vec<Piece> {
        let all = Color::ALL
            .into_iter()
            .flat_map(|color| self.variant().kinds().map(move |kind| Piece::new(color, kind)));
        let on_board =
            |piece: &Piece| !self.position.pieces(piece.color(), piece.kind()).is_empty();
        let in_hand = |piece: &Piece| {
            self.has_hands && self.position.in_hand(piece.color(), piece.kind()) > 0
        };
        all.filter(|piece| on_board(piece) || in_hand(piece)).collect()
    }

    /// The squares: in two colors for figures, in one with lines for tiles. What the board lacks, and what a stone blocks,
    /// is water.
    fn ground(&self) -> String {
        let geometry = self.variant().geometry();
        let mut text = String::new();
        let (x, y) = self.squares.origin;
        let (wide, high) = (self.squares.files * UNIT, self.squares.ranks * UNIT);
        let is_plain = self.look.style == Style::Tiles;
        let base = if is_plain { "gb-wood" } else { "gb-light" };
        let _ = write!(
            text,
            "<rect class=\"{base}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\"/>"
        );
        let (mut dark, mut holes, mut waves) = (String::new(), String::new(), String::new());
        for (square, (x, y)) in self.squares.all(geometry) {
            let is_hole =
                !geometry.squares().contains(square) || self.position.stones().contains(square);
            let parity = geometry.file(square).0 + geometry.rank(square).0;
            if is_hole {
                let _ = write!(holes, "M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z");
                for row in [30, 54, 78] {
                    let _ = write!(waves, "M{} {}q12-14 24 0t24 0 24 0", x + 14, y + row);
                }
            } else if parity.is_multiple_of(2) && !is_plain {
                let _ = write!(dark, "M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z");
            }
        }
        let _ = write!(text, "<path class=\"gb-dark\" d=\"{dark}\"/>");
        if !holes.is_empty() {
            let _ = write!(
                text,
                "<path class=\"gb-hole\" d=\"{holes}\"/><path class=\"gb-wave\" fill=\"none\" stroke-width=\"4\" d=\"{waves}\"/>"
            );
        }
        let mut lines = format!("M{x} {y}h{wide}v{high}h-{wide}z");
        if is_plain {
            for file in 1..self.squares.files {
                let _ = write!(lines, "M{} {y}v{high}", x + file * UNIT);
            }
            for rank in 1..self.squares.ranks {
                let _ = write!(lines, "M{x} {}h{wide}", y + rank * UNIT);
            }
        }
        let _ = write!(
            text,
            "<path class=\"gb-line\" fill=\"none\" stroke-width=\"3\" d=\"{lines}\"/>"
        );
        text
    }

    /// The regions that the definition names, the lines along which pieces go inside them, and the edges of promotion
    /// zones of more than the last rank.
    fn regions(&self) -> String {
        let variant = self.variant();
        let mut text = String::new();
        let mut drawn: Vec<Bitboard> = Vec::new();
        for (_, region) in Color::ALL.into_iter().flat_map(|color| variant.named_regions(color)) {
            if drawn.contains(&region) {
                continue;
            }
            drawn.push(region);
            let fill: String =
                region.map(|square| self.squares.rectangle(variant.geometry(), square)).collect();
            let edge = outline(variant.geometry(), &self.squares, region, true);
            let _ = write!(
                text,
                "<path class=\"gb-region\" fill-opacity=\".16\" d=\"{fill}\"/>\
                 <path class=\"gb-edge\" fill=\"none\" stroke-width=\"4\" d=\"{edge}\"/>"
            );
        }
        let diagonals = self.diagonals();
        if !diagonals.is_empty() {
            let _ = write!(
                text,
                "<path class=\"gb-edge\" fill=\"none\" stroke-width=\"3\" stroke-opacity=\".6\" d=\"{diagonals}\"/>"
            );
        }
        for color in Color::ALL {
            let zone = variant.promotion_squares(color);
            let far = match color {
                Color::White => Rank(variant.geometry().ranks() - 1),
                Color::Black => Rank(0),
            };
            let far = variant.geometry().rank_squares(far);
            if !(zone & !far).is_empty() && zone != variant.geometry().squares() {
                let edge = outline(variant.geometry(), &self.squares, zone, false);
                let _ = write!(
                    text,
                    "<path class=\"gb-zone\" fill=\"none\" stroke-width=\"5\" stroke-dasharray=\"14 12\" d=\"{edge}\"/>"
                );
            }
        }
        text
    }

    /// The diagonals along which some piece goes only between these squares, as in a palace.
    fn diagonals(&self) -> String {
        let variant = self.variant();
        let geometry = variant.geometry();
        let mut lines: Vec<(Square, Square)> = Vec::new();
        let sides = Color::ALL.into_iter();
        let kinds = sides.flat_map(|color| variant.kinds_of(color).map(move |kind| (color, kind)));
        for (color, kind) in kinds {
            for extra in variant.written_moves(color, kind).extra {
                if extra.from != extra.to {
                    continue;
                }
                for step in extra.steps.iter().filter(|step| step.dx != 0 && step.dy != 0) {
                    for from in extra.from {
                        let to = geometry.step(from, step.dx, step.dy);
                        if let Some(to) = to.filter(|&to| extra.to.contains(to)) {
                            let line = if from < to { (from, to) } else { (to, from) };
                            if !lines.contains(&line) {
                                lines.push(line);
                            }
                        }
                    }
                }
            }
        }
        let draw = |(from, to)| {
            let ((a, b), (c, d)) =
                (self.squares.center(geometry, from), self.squares.center(geometry, to));
            format!("M{a} {b}L{c} {d}")
        };
        lines.into_iter().map(draw).collect()
    }

    /// The last move and a royal in check.
    fn highlights(&self) -> String {
        let geometry = self.variant().geometry();
        let filled = |class: &str, squares: &[Square]| match squares {
            [] => String::new(),
            squares => {
                let path: String = squares
                    .iter()
                    .map(|&square| self.squares.rectangle(geometry, square))
                    .collect();
                format!("<path class=\"{class}\" fill-opacity=\".45\" d=\"{path}\"/>")
            }
        };
        let attacked = self.position.attacked_royals(self.position.side_to_move());
        filled("gb-last", &self.look.last) + &filled("gb-check", &attacked.collect::<Vec<_>>())
    }

    fn placed(&self) -> String {
        let geometry = self.variant().geometry();
        let mut text = String::new();
        for (square, (x, y)) in self.squares.all(geometry) {
            if let Some(piece) = self.position.at(square) {
                text += &self.piece(piece, (x + 5, y + 5), UNIT - 10);
            }
        }
        text
    }

    /// A piece in a square of this size at this place.
    fn piece(&self, piece: Piece, (x, y): (i32, i32), size: i32) -> String {
        let id = symbol_id(self.variant(), piece, self.look.style);
        format!("<use href=\"#{id}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\"/>")
    }

    fn coordinates(&self) -> String {
        if !self.look.coordinates {
            return String::new();
        }
        let (x, y) = self.squares.origin;
        let mut text = String::from(
            "<g class=\"gb-text\" font-family=\"sans-serif\" font-size=\"30\" text-anchor=\"middle\">",
        );
        for column in 0..self.squares.files {
            let file = self.squares.file_of(column);
            let (at, below) = (x + column * UNIT + UNIT / 2, y + self.squares.ranks * UNIT + 33);
            let _ = write!(text, "<text x=\"{at}\" y=\"{below}\">{}</text>", File(file));
        }
        for row in 0..self.squares.ranks {
            let rank = self.squares.rank_of(row);
            let at = y + row * UNIT + UNIT / 2 + 11;
            let _ = write!(text, "<text x=\"{}\" y=\"{at}\">{}</text>", x - 24, Rank(rank));
        }
        text + "</g>"
    }

    /// The hand of a side, above or below the board: each piece with its count.
    fn hand(&self, color: Color) -> String {
        if !self.has_hands {
            return String::new();
        }
        let (x, _) = self.squares.origin;
        let (wide, (_, height)) = (self.squares.files * UNIT, self.size());
        let y = if color == self.look.bottom { height - HAND } else { 0 };
        let held: Vec<(PieceType, u8)> = self
            .variant()
            .hand_kinds()
            .iter()
            .map(|&kind| (kind, self.position.in_hand(color, kind)))
            .filter(|&(_, count)| count > 0)
            .collect();
        let mut text = format!(
            "<rect class=\"gb-tray\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{HAND}\" rx=\"12\"/>"
        );
        let pitch = (wide - 12) / (held.len().max(1) as i32);
        let pitch = pitch.min(HAND + 32);
        let size = (HAND - 12).min(pitch - 34).max(20);
        for (index, (kind, count)) in held.into_iter().enumerate() {
            let at = (x + 6 + index as i32 * pitch, y + (HAND - size) / 2);
            text += &self.piece(Piece::new(color, kind), at, size);
            let _ = write!(
                text,
                "<text class=\"gb-text\" font-family=\"sans-serif\" font-weight=\"bold\" font-size=\"34\" x=\"{}\" y=\"{}\">{count}</text>",
                at.0 + size + 1,
                y + HAND / 2 + 12
            );
        }
        text
    }

    /// Rings and arrows.
    fn drawn_over(&self) -> String {
        let geometry = self.variant().geometry();
        let mut text = String::new();
        for &square in &self.look.marks {
            let (x, y) = self.squares.center(geometry, square);
            let _ = write!(
                text,
                "<circle class=\"gb-mark\" fill=\"none\" stroke-width=\"7\" stroke-opacity=\".85\" cx=\"{x}\" cy=\"{y}\" r=\"44\"/>"
            );
        }
        for &(from, to) in &self.look.arrows {
            let (from, to) =
                (self.squares.center(geometry, from), self.squares.center(geometry, to));
            if from != to {
                let shape = arrow(from, to);
                let _ =
                    write!(text, "<path class=\"gb-arrow\" fill-opacity=\".8\" d=\"{shape}\"/>");
            }
        }
        text
    }
}

/// The outline of an arrow from one place to another.
pub(super) fn arrow((ax, ay): (i32, i32), (bx, by): (i32, i32)) -> String {
    let (dx, dy) = (f64::from(bx - ax), f64::from(by - ay));
    let length = dx.hypot(dy).max(1.0);
    // Along the arrow and across it, from the center of the first square.
    let at = |along: f64, across: f64| {
        let (ux, uy) = (dx / length, dy / length);
        let (x, y) =
            (f64::from(ax) + ux * along - uy * across, f64::from(ay) + uy * along + ux * across);
        format!("{x:.0} {y:.0}")
    };
    let (tail, tip) = (26.0, length - 8.0);
    let neck = tip - 38.0;
    [(tail, 8.0), (neck, 8.0), (neck, 25.0), (tip, 0.0), (neck, -25.0), (neck, -8.0), (tail, -8.0)]
        .iter()
        .enumerate()
        .map(|(index, &(along, across))| {
            format!("{}{}", if index == 0 { "M" } else { "L" }, at(along, across))
        })
        .collect::<String>()
        + "z"
}
