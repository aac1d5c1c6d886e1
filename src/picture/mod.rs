//! Pictures as SVG: pieces in two styles, boards, and diagrams of how pieces move. Everything in them follows from the
//! definition of a game, so that a game of one's own has them too.

mod board;
mod diagram;
pub(crate) mod figures;
mod paint;
mod piece;
mod squares;

pub use board::{
    BoardLook, Ground, SQUARE_PIXELS, all_pieces, board_svg, ground, move_squares, page_parts,
    placed,
};
pub use diagram::{DiagramLook, diagram_svg, legend_of};
pub use paint::{Theme, style_sheet};
pub use piece::{piece_svg, symbol_id, symbols};

/// How pieces look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Style {
    /// Figures as on a western board, on squares of two colors.
    #[default]
    Figures,
    /// Tiles with letters and directions that point at the enemy, as in shogi, on a board with lines.
    Tiles,
}
