//! `garrison variants`: lists the games, and shows the rules of one.

mod import;
mod page;
mod show;

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::render::{PictureArgs, put};
use super::{CommandResult, lines, print};
use crate::definitions::add_games;
use crate::picture::{DiagramLook, diagram_svg};
use crate::rulebook::{PieceSheet, Sheet, page, poster};
use garrison_rules::catalogue::{builtin_names, own_names, reference_names};
use garrison_rules::{Catalogue, Color, Position, counted, find};

/// List the games, show one so that it can be learned, or check a definition of your own.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison variants
  garrison variants show shoranji
  garrison variants show swda                     (the four armies; swda-op: one match-up)
  garrison variants show shoranji --html shoranji.html
  garrison variants check mygame.toml
  garrison variants show mygame --variants mygame.toml
  garrison variants import variants.ini --out games      (a rule file of Fairy-Stockfish)")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The names of all games (the default)
    List,
    /// A game's board, pieces and their moves, hands, rules and rulings
    Show {
        /// The game; of a family such as `swda` all armies
        name: String,
        /// Write it as a page for a browser, with pictures, that needs no other file; `-` is standard output
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Draw the start position and how every piece moves; `-` is standard output
        #[arg(long, value_name = "FILE", conflicts_with = "html")]
        svg: Option<PathBuf>,
        /// With --svg, draw how one piece moves, by its letter
        #[arg(long, value_name = "LETTER", requires = "svg")]
        piece: Option<String>,
        #[command(flatten)]
        look: PictureArgs,
    },
    /// Check definitions: print every fault with its line, the text there and what is expected
    Check {
        /// Definitions, or folders of definitions
        #[arg(required = true, value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
    },
    /// Write definitions for the games of a rule file of Fairy-Stockfish, with a comment for each line that cannot be said
    Import(import::Args),
}

pub(super) fn run(args: &Args) -> CommandResult {
    match &args.command {
        None | Some(Command::List) => print(&list()),
        Some(Command::Show { name, html, svg, piece, look }) => {
            let sheet = Sheet::of(name)?;
            match (html, svg, piece) {
                (Some(path), ..) => put(path, &page(&sheet, look.style()))?,
                (_, Some(path), None) => put(path, &poster(&sheet, look.style(), look.theme()))?,
                (_, Some(path), Some(letter)) => put(path, &diagram(&sheet, letter, look)?)?,
                _ => print(&show::text(&sheet)),
            }
        }
        Some(Command::Check { paths }) => return check(paths),
        Some(Command::Import(args)) => return import::run(args),
    }
    Ok(())
}

/// How the piece with this letter moves.
fn diagram(sheet: &Sheet, letter: &str, look: &PictureArgs) -> CommandResult<String> {
    let is_it = |piece: &&PieceSheet| piece.letter.eq_ignore_ascii_case(letter);
    let piece = sheet.pieces.iter().find(is_it).ok_or_else(|| {
        let letters = sheet.pieces.iter().map(|piece| piece.letter.as_str());
        let letters = letters.collect::<Vec<_>>().join(" ");
        format!("--piece '{letter}': {} has no such piece, but {letters}", sheet.name)
    })?;
    let look = DiagramLook { style: look.style(), theme: look.theme(), ..DiagramLook::default() };
    let (variant, color) = (&sheet.games[piece.game], piece.owner.unwrap_or(Color::White));
    Ok(format!("{}\n", diagram_svg(variant, color, piece.kind, &look)))
}

/// The seven games, the reference games, the user's own.
fn list() -> String {
    rows(builtin_names()) + &rows(reference_names()) + &rows(&own_names())
}

/// Games by name, size and title.
fn rows(names: &[String]) -> String {
    let mut text = String::new();
    for variant in names.iter().filter_map(|name| find(name).ok()) {
        let (name, geometry) = (variant.name(), variant.geometry());
        let size = format!("{}x{}", geometry.files(), geometry.ranks());
        let _ = writeln!(text, "{name:<20} {size:<6} {}", variant.info().title);
    }
    text
}

/// Reads definitions without adding them.
fn check(paths: &[PathBuf]) -> CommandResult {
    let mut faults = Vec::new();
    for path in paths {
        let mut games = Catalogue::new();
        match add_games(&mut games, path) {
            Ok(names) => {
                for variant in names.iter().filter_map(|name| games.find(name).ok()) {
                    let moves = Position::start(&variant).count_legal_moves();
                    let (name, path) = (variant.name(), path.display());
                    print(&format!(
                        "{path}: {name} is right; {} at the start\n",
                        counted(moves, "move")
                    ));
                }
            }
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(lines(&faults).into()) }
}
