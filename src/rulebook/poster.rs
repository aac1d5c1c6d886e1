//! The page of a game as one picture: its start position, and how every piece moves.

use std::fmt::Write as _;

use super::{PieceSheet, Sheet, first_owner};
use crate::picture::{
    BoardLook, DiagramLook, Style, Theme, board_svg, diagram_svg, legend_of, style_sheet,
};
use crate::text::{escaped, lines_of};
use garrison_rules::{Color, Position};

/// The width of the picture, of a column of diagrams, and the height of a row.
const WIDTH: usize = 1200;
const COLUMNS: usize = 5;
const ROW: usize = 296;

/// The width and height of the start position.
const BOARD: usize = 620;

const FONT: &str = "font-family=\"Georgia,'DejaVu Serif',serif\"";

/// The picture of a game or of a family: what it is called, the start position of each of its games, and a diagram for
/// every piece with its name.
pub fn poster(sheet: &Sheet, style: Style, theme: Theme) -> String {
    let boards = if sheet.is_family() { sheet.games.len().div_ceil(2) } else { 1 };
    let rows = sheet.pieces.len().div_ceil(COLUMNS);
    let legend = legend(sheet);
    let legend_rows = legend.len().div_ceil(2);
    let top = 110;
    let below = top + boards * (BOARD + 40);
    let height = below + 46 * legend_rows + 40 + rows * ROW + 20;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\
         <title>{0}</title><style>{1}</style><defs>{2}</defs>\
         <text class=\"gb-text\" {FONT} font-weight=\"bold\" font-size=\"44\" x=\"40\" y=\"58\">{0}</text>",
        escaped(&sheet.title),
        style_sheet(theme),
        sheet.symbols(style)
    );
    let sources: Vec<&str> = sheet.sources.iter().map(|(_, text)| text.as_str()).collect();
    let _ = write!(
        text,
        "<text class=\"gb-text\" {FONT} font-size=\"19\" x=\"40\" y=\"90\">{}</text>",
        escaped(lines_of(sources.join(" · ").split(' '), 110)[0].trim_end_matches([' ', '·']))
    );
    text += &start_positions(sheet, style, top);
    for (index, (mark, words)) in legend.iter().enumerate() {
        let (column, row) = (index % 2, index / 2);
        let (x, y) = (40 + column * 580, below + row * 46);
        let _ = write!(
            text,
            "{}<text class=\"gb-text\" font-family=\"sans-serif\" font-size=\"20\" x=\"{}\" y=\"{}\">{words}</text>",
            placed(mark, (x, y), (50, 40)),
            x + 62,
            y + 27
        );
    }
    let first = below + 46 * legend_rows + 20;
    for (index, piece) in sheet.pieces.iter().enumerate() {
        let pitch = (WIDTH - 40) / COLUMNS;
        let at = (20 + index % COLUMNS * pitch, first + index / COLUMNS * ROW);
        text += &diagram(sheet, piece, style, at, pitch);
    }
    text + "</svg>\n"
}

/// The start positions: one in the middle, or those of a family two in a row.
fn start_positions(sheet: &Sheet, style: Style, top: usize) -> String {
    let mut text = String::new();
    for (index, variant) in sheet.games.iter().enumerate() {
        let position = Position::start(variant);
        let has_hands = Color::ALL.into_iter().any(|color| !position.hand(color).is_empty());
        let look = BoardLook { style, hands: has_hands, is_whole: false, ..BoardLook::default() };
        let board = board_svg(&position, &look);
        let (column, row) = (index % 2, index / 2);
        let (x, y) = match sheet.is_family() {
            false => (0, top),
            true => (column * WIDTH / 2, top + row * (BOARD + 40)),
        };
        let width = if sheet.is_family() { WIDTH / 2 } else { WIDTH };
        let name =
            sheet.armies().nth(index).map(|(army, _)| army.name.as_str()).unwrap_or_default();
        let _ = write!(
            text,
            "{}<text class=\"gb-text\" {FONT} font-size=\"24\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
            placed(&board, (x, y), (width, BOARD - 30)),
            x + width / 2,
            y + BOARD,
            escaped(name)
        );
    }
    text
}

fn diagram(
    sheet: &Sheet,
    piece: &PieceSheet,
    style: Style,
    (x, y): (usize, usize),
    pitch: usize,
) -> String {
    let variant = &sheet.games[piece.game];
    let look = DiagramLook { style, legend: false, is_whole: false, ..DiagramLook::default() };
    let svg = diagram_svg(variant, first_owner(variant, piece.kind), piece.kind, &look);
    let mut text = placed(&svg, (x + 8, y), (pitch - 16, 212));
    let names = format!("{} {}", piece.letter, piece.names);
    for (line, words) in lines_of(names.split(' '), 18).iter().take(3).enumerate() {
        let _ = write!(
            text,
            "<text class=\"gb-text\" {FONT} font-size=\"20\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
            x + pitch / 2,
            y + 240 + 24 * line,
            escaped(words)
        );
    }
    text
}

/// The legend of all diagrams.
fn legend(sheet: &Sheet) -> Vec<(String, &'static str)> {
    legend_of(sheet.pieces.iter().map(|piece| {
        let variant = &*sheet.games[piece.game];
        (variant, first_owner(variant, piece.kind), piece.kind)
    }))
}

/// A picture inside another: at this place, as large as fits into this size. Its own size is left out.
fn placed(svg: &str, (x, y): (usize, usize), (width, height): (usize, usize)) -> String {
    let start = svg.find("viewBox").unwrap_or(0);
    let end = svg.find('>').unwrap_or(svg.len());
    let view = svg[start..end].split('"').nth(1).unwrap_or("0 0 100 100");
    format!(
        "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" viewBox=\"{view}\"{}",
        &svg[end..]
    )
}
