//! The picture of a piece for the page.

use garrison_rules::{Color, Piece, Variant};

/// A picture as SVG, in a square of 100 by 100.
pub fn piece_svg(variant: &Variant, piece: Piece) -> String {
    let info = variant.piece(piece.kind());
    let (fill, ink) = match piece.color() {
        Color::White => ("#fbf6e9", "#2b2620"),
        Color::Black => ("#38342f", "#f6efdf"),
    };
    let letter = info.letter.capital;
    let ink = if info.letter.promoted { "#d0342c" } else { ink };
    let outline = match piece.color() {
        Color::White => "M50 6 80 18 90 94H10L20 18Z",
        Color::Black => "M50 94 80 82 90 6H10L20 82Z",
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><path d=\"{outline}\" fill=\"{fill}\" \
         stroke=\"#2b2620\" stroke-width=\"4\" stroke-linejoin=\"round\"/><text x=\"50\" y=\"69\" font-size=\"50\" \
         font-weight=\"700\" font-family=\"sans-serif\" text-anchor=\"middle\" fill=\"{ink}\">{letter}</text></svg>"
    )
}
