//! Pictures of pieces and of their moves, and the page about a game.

use std::sync::Arc;

use super::{edit, line};
use crate::picture::{DiagramLook, Style, Theme, diagram_svg, piece_svg};
use crate::rulebook::{self, Sheet};
use garrison_rules::{Piece, Variant};

const PICTURE: &str = "image/svg+xml";

/// The media type of pages that bring their own style and need nothing from this server.
pub const WHOLE_PAGE: &str = "text/html; charset=UTF-8";

/// What there is at one of these paths, with its media type: `piece/figures/shoogantshii/w+P.svg`, the moves of the piece
/// at `moves/figures/shoogantshii/w+P.svg`, and the rules at `rules/figures/shoogantshii.html`.
pub fn resource(path: &str) -> Option<(&'static str, Vec<u8>)> {
    let (what, path) = path.split_once('/')?;
    let (style, path) = path.split_once('/')?;
    let (style, theme) = look_of(style)?;
    match what {
        "piece" => {
            let (variant, piece) = piece(path)?;
            Some((PICTURE, piece_svg(&variant, piece, style).into_bytes()))
        }
        "moves" => {
            let (variant, piece) = piece(path)?;
            let look = DiagramLook { style, theme, ..DiagramLook::default() };
            let svg = diagram_svg(&variant, piece.color(), piece.kind(), &look);
            Some((PICTURE, svg.into_bytes()))
        }
        "rules" => {
            let name = percent_decoded(path.strip_suffix(".html")?)?;
            let variant = line::game(&name).ok()?;
            Some((WHOLE_PAGE, rulebook::page(&sheet(&variant), style).into_bytes()))
        }
        _ => None,
    }
}

/// What there is to know of a game; of one with different armies, of all its family.
fn sheet(variant: &Arc<Variant>) -> Sheet {
    let has_armies = variant.info().armies.is_some();
    let family = has_armies.then(|| Sheet::of(variant.family()).ok()).flatten();
    family.unwrap_or_else(|| Sheet::of_game(variant))
}

/// A style, and the theme behind it if that is not the system's: `figures`, `tiles-dark`.
pub fn look_of(name: &str) -> Option<(Style, Theme)> {
    let (style, theme) = name.split_once('-').unwrap_or((name, "auto"));
    let style = match style {
        "figures" => Style::Figures,
        "tiles" => Style::Tiles,
        _ => return None,
    };
    let theme = match theme {
        "auto" => Theme::Auto,
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        _ => return None,
    };
    Some((style, theme))
}

/// A game and a piece of it: `shoogantshii/w+P.svg`.
fn piece(path: &str) -> Option<(Arc<Variant>, Piece)> {
    let (name, code) = path.split_once('/')?;
    let variant = line::game(&percent_decoded(name)?).ok()?;
    let code = percent_decoded(code)?;
    let piece = edit::read_piece(&variant, code.strip_suffix(".svg")?).ok()?;
    Some((variant, piece))
}

/// A part of a path in which `%20` stands for a space, and so on.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
        bytes.push((high << 4 | low) as u8);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_paths_and_nothing_else_has() {
        for path in [
            "piece/figures/chess/wN.svg",
            "piece/tiles/shoogantshii/b+P.svg",
            "piece/figures/shoogantshii/b%2BP.svg",
            "moves/figures-dark/xiangqi/wC.svg",
            "moves/tiles/sixfortresses/bT.svg",
        ] {
            let found = resource(path);
            let is_picture =
                found.is_some_and(|(kind, svg)| kind == PICTURE && svg.starts_with(b"<svg"));
            assert!(is_picture, "{path}");
        }
        for path in [
            "piece/figures/chess/N.svg",
            "piece/figures/none/wN.svg",
            "piece/x/chess/wN.svg",
            "../page.rs",
            "piece/figures/chess/wé.svg",
            "piece/figures/chess/w%zz.svg",
            "moves/figures-pink/chess/wN.svg",
            "rules/figures/none.html",
            "rules/figures/../page.html",
        ] {
            assert_eq!(resource(path), None, "{path}");
        }
    }

    #[test]
    fn a_match_up_has_the_page_of_its_family() {
        for (path, title) in [
            ("rules/figures/shoranji.html", "SHORANJI"),
            ("rules/tiles/swda-op.html", "Shatranj With Different Armies"),
        ] {
            let (kind, page) = resource(path).expect("a page");
            let page = String::from_utf8(page).expect("text");
            assert!(kind == WHOLE_PAGE && page.contains(&format!("<h1>{title}</h1>")), "{path}");
        }
    }
}
