//! `garrison render`: a position as a picture.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::position::PositionArgs;
use super::{CommandResult, print, write_file};
use crate::picture::{BoardLook, SQUARE_PIXELS, Style, Theme, board_svg, move_squares};
use garrison_rules::{Color, Geometry, Square};

/// Draw a position as SVG: board, hands, arrows and marks, for documents and pages.
///
/// The last of the moves given is marked. Fortresses, palaces and other regions, promotion zones of several ranks and
/// squares that the board lacks are drawn as the game's definition has them.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("variant", |arg| arg.required(false).default_value("chess")))]
#[command(after_help = "Examples:
  garrison render --variant shoranji --svg shoranji.svg
  garrison render --variant shoogantshii --style tiles --svg - > start.svg
  garrison render --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' --arrow e2e4 --mark d5 --svg chess.svg
  garrison render --variant swda-op --moves e2e3 e7e6 --flip --theme dark --size 64 --svg game.svg")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Where the picture goes; `-` is standard output
    #[arg(long, value_name = "FILE", required = true)]
    svg: PathBuf,
    /// Draw an arrow from a square to another
    #[arg(long, value_name = "SQUARES", num_args = 1..)]
    arrow: Vec<String>,
    /// Draw a ring around a square
    #[arg(long, value_name = "SQUARE", num_args = 1..)]
    mark: Vec<String>,
    /// Black at the bottom
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    look: PictureArgs,
    /// The size of a square in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = SQUARE_PIXELS, value_parser = clap::value_parser!(u32).range(8..=512))]
    size: u32,
    /// Leave out the names of files and ranks
    #[arg(long)]
    no_coordinates: bool,
    /// Leave out the hands
    #[arg(long)]
    no_hands: bool,
}

/// How pictures look.
#[derive(Debug, ClapArgs)]
pub(super) struct PictureArgs {
    /// How pieces look
    #[arg(long, value_enum, default_value_t)]
    style: StyleArg,
    /// Colors for a light page, a dark one, or as the reader's system has it
    #[arg(long, value_enum, default_value_t)]
    theme: ThemeArg,
}

impl PictureArgs {
    /// How pieces look.
    pub fn style(&self) -> Style {
        self.style.into()
    }

    /// The ground of the pictures.
    pub fn theme(&self) -> Theme {
        self.theme.into()
    }
}

/// How pieces look, as an option.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(super) enum StyleArg {
    /// Figures on squares of two colors
    #[default]
    Figures,
    /// Tiles with letters and directions that point at the enemy
    Tiles,
}

impl From<StyleArg> for Style {
    fn from(style: StyleArg) -> Style {
        match style {
            StyleArg::Figures => Style::Figures,
            StyleArg::Tiles => Style::Tiles,
        }
    }
}

/// The ground of a picture, as an option.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ThemeArg {
    /// For a light page
    #[default]
    Light,
    /// For a dark page
    Dark,
    /// As the reader's system has it
    Auto,
}

impl From<ThemeArg> for Theme {
    fn from(theme: ThemeArg) -> Theme {
        match theme {
            ThemeArg::Light => Theme::Light,
            ThemeArg::Dark => Theme::Dark,
            ThemeArg::Auto => Theme::Auto,
        }
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    let position = args.position.position()?;
    let geometry = position.variant().geometry();
    let arrows =
        words(&args.arrow).map(|text| read_arrow(geometry, text)).collect::<Result<_, _>>()?;
    let marks =
        words(&args.mark).map(|text| read_mark(geometry, text)).collect::<Result<_, _>>()?;
    let look = BoardLook {
        style: args.look.style(),
        theme: args.look.theme(),
        bottom: if args.flip { Color::Black } else { Color::White },
        coordinates: !args.no_coordinates,
        hands: !args.no_hands,
        square: args.size,
        arrows,
        marks,
        last: position.moves_made().last().map(move_squares).unwrap_or_default(),
        is_whole: true,
    };
    put(&args.svg, &format!("{}\n", board_svg(&position, &look)))
}

/// Writes a text to a file, or to standard output for `-`.
pub(super) fn put(path: &Path, text: &str) -> CommandResult {
    if path == Path::new("-") {
        print(text);
        return Ok(());
    }
    write_file(path, text)
}

fn words(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().flat_map(|text| text.split([' ', ','])).filter(|text| !text.is_empty())
}

fn read_arrow(geometry: &Geometry, text: &str) -> CommandResult<(Square, Square)> {
    geometry.parse_two_squares(text).ok_or_else(|| {
        format!("--arrow '{text}': expected are two squares of the board, as in e2e4").into()
    })
}

fn read_mark(geometry: &Geometry, text: &str) -> CommandResult<Square> {
    let whole = geometry.parse_square(text).filter(|(_, rest)| rest.is_empty());
    whole.map(|(square, _)| square).ok_or_else(|| {
        format!("--mark '{text}': expected is a square of the board, as in e4").into()
    })
}
