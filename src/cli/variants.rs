//! `garrison variants`: lists the games, and shows the rules of one.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::{CommandResult, lines, print};
use crate::definitions::read_definitions;
use garrison_rules::catalogue::{builtin_names, own_names, reference_names};
use garrison_rules::definition::load;
use garrison_rules::game::{
    DrawRule, EndCondition, EndResult, NoMoves, Repeated, RoyaltyKind, SpecialEnd,
};
use garrison_rules::{Color, PieceType, PieceTypeSet, Position, Variant, find};

/// List the games, show one so that it can be learned, or check a definition of your own.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  garrison variants
  garrison variants show shoranji
  garrison variants check mygame.toml
  garrison variants show mygame --variants mygame.toml")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The names of all games (the default)
    List,
    /// A game's board, pieces, hands, special rules and start FEN
    Show {
        /// The game
        name: String,
    },
    /// Check definitions: print every fault with its line, the text there and what is expected
    Check {
        /// Definitions, or folders of definitions
        #[arg(required = true, value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
    },
}

pub(super) fn run(args: &Args) -> CommandResult {
    match &args.command {
        None | Some(Command::List) => print(&list()),
        Some(Command::Show { name }) => {
            let variant = find(name).map_err(|unknown| unknown.to_string())?;
            print(&show(&variant, &Position::start(&variant)));
        }
        Some(Command::Check { paths }) => return check(paths),
    }
    Ok(())
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
        match read_definitions(path).and_then(load) {
            Ok(variants) => {
                for variant in variants {
                    let moves = Position::start(&variant).count_legal_moves();
                    let (name, path) = (variant.name(), path.display());
                    print(&format!("{path}: {name} is right; {moves} moves at the start\n"));
                }
            }
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(lines(&faults).into()) }
}

/// The rules of a game in words, from its definition.
fn show(variant: &Variant, start: &Position) -> String {
    let info = variant.info();
    let geometry = variant.geometry();
    let mut text = format!("{} ({})\n", info.title, variant.name());
    let sources = [("Invented by ", &info.inventor), ("rules at ", &info.page)];
    let sources = sources.iter().filter(|(_, text)| !text.is_empty());
    let sources: Vec<String> = sources.map(|(what, text)| format!("{what}{text}")).collect();
    if !sources.is_empty() {
        let _ = writeln!(text, "{}", sources.join("; "));
    }
    if let Some(armies) = &info.armies {
        let _ = writeln!(
            text,
            "White plays the {}, Black the {}",
            armies[Color::White],
            armies[Color::Black]
        );
    }
    let _ = writeln!(text, "Board: {} files, {} ranks\n", geometry.files(), geometry.ranks());
    let _ = writeln!(text, "{}\nStart: {}\n", start.picture(), variant.start_fen());
    text += &pieces(variant);
    text += &legend(variant);
    text += &gains(variant);
    text += &hands(variant);
    text += "\nRules\n";
    text += &bullets(info.rules.iter().cloned().chain(ends(variant)));
    if info.rulings.is_empty() {
        return text;
    }
    text += "\nRulings (decided by this program's rule book where the inventor's page is silent, ambiguous or\n\
             shows the point only in a picture; a FEN or a definition of your own overrides the array)\n";
    text += &bullets(info.rulings.iter().cloned());
    text
}

/// A list, wrapped to the width of a page.
fn bullets(items: impl Iterator<Item = String>) -> String {
    const WIDTH: usize = 98;
    let mut text = String::new();
    for item in items {
        let mut line = String::from("-");
        for word in item.split(' ') {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                text += &line;
                text.push('\n');
                line = String::from(" ");
            }
            line.push(' ');
            line += word;
        }
        text += &line;
        text.push('\n');
    }
    text
}

fn letters(variant: &Variant, kinds: PieceTypeSet) -> String {
    kinds.map(|kind| variant.piece(kind).letter.to_string()).collect::<Vec<_>>().join(" ")
}

/// A table of the pieces that can take part.
fn pieces(variant: &Variant) -> String {
    let mut text = format!("Pieces\n  {:<6} {:<20} {:<12} notes\n", "letter", "name", "Betza");
    let (white, black) = (variant.kinds_of(Color::White), variant.kinds_of(Color::Black));
    for kind in variant.kinds() {
        let side = match (white.contains(kind), black.contains(kind)) {
            (true, true) => "",
            (true, false) => "White only",
            (false, true) => "Black only",
            (false, false) => continue,
        };
        let piece = variant.piece(kind);
        let betza = if piece.betza.is_empty() { "-" } else { &piece.betza };
        let notes: Vec<String> = Some(side.to_string())
            .into_iter()
            .chain(notes(variant, kind))
            .filter(|n| !n.is_empty())
            .collect();
        let letter = piece.letter.to_string();
        let line = format!("  {letter:<6} {:<20} {betza:<12} {}", piece.name, notes.join("; "));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn notes(variant: &Variant, kind: PieceType) -> Vec<String> {
    let piece = variant.piece(kind);
    let mut notes = Vec::new();
    if variant.royals().contains(kind) {
        notes.push("royal".to_string());
    }
    if !piece.reserve.is_empty() {
        notes.push(format!("in hand only; dropped as {}", letters(variant, piece.reserve)));
    }
    if let Some(en_passant) = piece.double_step {
        let passing = if en_passant { "may be captured en passant" } else { "no en passant" };
        notes.push(format!("double step ({passing})"));
    }
    let to = Color::ALL.map(|color| variant.promotes_to(color, kind));
    if to[0] == to[1] {
        notes.extend(
            (!to[0].is_empty()).then(|| format!("promotes to {}", letters(variant, to[0]))),
        );
    } else {
        for (color, to) in Color::ALL.into_iter().zip(to) {
            if !to.is_empty() {
                notes.push(format!("{color}'s promotes to {}", letters(variant, to)));
            }
        }
    }
    notes
}

/// The meaning of Betza's letters.
const LEGEND: [(char, &str); 24] = [
    ('W', "one square orthogonally"),
    ('F', "one square diagonally"),
    ('D', "a leap of two orthogonally"),
    ('A', "a leap of two diagonally"),
    ('H', "a leap of three orthogonally"),
    ('N', "the knight's leap"),
    ('C', "a leap (3,1)"),
    ('Z', "a leap (3,2)"),
    ('G', "a leap of three diagonally"),
    ('R', "any way orthogonally"),
    ('B', "any way diagonally"),
    ('Q', "R and B"),
    ('K', "W and F"),
    ('m', "only to move"),
    ('c', "only to capture"),
    ('n', "not over pieces: what it would leap over must be empty"),
    ('p', "by hopping over exactly one piece of either side"),
    ('g', "to the square right behind the piece that it hops over"),
    ('f', "forward (ff: the two narrow leaps)"),
    ('b', "backward (bs: the two wide leaps)"),
    ('l', "to the left"),
    ('r', "to the right"),
    ('s', "to both sides"),
    ('v', "forward and backward"),
];

fn legend(variant: &Variant) -> String {
    let kinds = variant
        .kinds()
        .filter(|&kind| Color::ALL.iter().any(|&color| variant.kinds_of(color).contains(kind)));
    let used: String = kinds.map(|kind| variant.piece(kind).betza.as_str()).collect();
    let known = LEGEND.iter().filter(|(letter, _)| used.contains(*letter));
    let entries: Vec<String> =
        known.map(|(letter, meaning)| format!("{letter} {meaning}")).collect();
    format!(
        "\nBetza's letters, modifiers before what they modify\n{}",
        bullets(entries.into_iter())
    )
}

/// The pieces that captures put into the hands.
fn gains(variant: &Variant) -> String {
    let mut text = String::new();
    for kind in variant.kinds() {
        let gains = variant.gains_of(kind);
        if gains.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\nWhat a fallen {} puts into the hands", variant.piece(kind).name);
        for (fallen, [captor, owner]) in gains.iter().enumerate() {
            let which = ["first", "second", "third"].get(fallen).copied().unwrap_or("next");
            let (captor, owner) = (captor.join(" "), owner.join(" "));
            let _ =
                writeln!(text, "  the owner's {which:<7} its captor {captor:<4} its owner {owner}");
        }
    }
    text
}

fn hands(variant: &Variant) -> String {
    if variant.hand_kinds().is_empty() {
        return "\nHands: none, this game has no drops.\n".to_string();
    }
    let kinds: Vec<String> =
        variant.hand_kinds().iter().map(|&kind| variant.piece(kind).letter.to_string()).collect();
    format!("\nHands can hold (in the order of a FEN): {}\n", kinds.join(" "))
}

/// How the game ends, from the definition itself.
fn ends(variant: &Variant) -> Vec<String> {
    let end = variant.end();
    let mut ways: Vec<String> = match variant.royalty_kind() {
        Some(RoyaltyKind::Captured) => vec!["the king's capture wins".to_string()],
        Some(_) => vec!["checkmate wins".to_string()],
        None => Vec::new(),
    };
    let no_moves = match end.no_moves {
        NoMoves::Draw => "draws",
        NoMoves::Loss => "loses",
        NoMoves::Win => "wins",
    };
    ways.push(format!("no legal move and no check {no_moves}"));
    if end.bare_king {
        ways.push("a bare king loses".to_string());
    }
    if variant.forbids_checks() {
        ways.push("no move may give check".to_string());
    }
    ways.extend(end.checks.map(|checks| match checks {
        1 => "a check wins".to_string(),
        more => format!("{more} checks win"),
    }));
    ways.extend(variant.special_ends().iter().map(|end| special_end(variant, end)));
    let which = match end.repetition {
        2 => "second".to_string(),
        3 => "third".to_string(),
        4 => "fourth".to_string(),
        more => format!("{more}th"),
    };
    let exception = if end.perpetual_check { " (perpetual check loses)" } else { "" };
    let result = match end.impasse {
        Some(limit) => format!("is decided by points above {limit}"),
        None => match end.repeated {
            Repeated::Draw => "draws".to_string(),
            Repeated::White => "wins for White".to_string(),
            Repeated::Black => "wins for Black".to_string(),
            Repeated::Mover => "wins for who moves next".to_string(),
        },
    };
    ways.push(format!("the {which} occurrence of a position {result}{exception}"));
    ways.extend(end.moves.map(|plies| format!("{plies} plies without progress draw")));
    ways.extend(variant.draw_rules().iter().map(|rule| few_pieces(variant, rule)));
    ways.extend(
        end.passes.map(|passes| format!("{passes} passes in a row end the game by points")),
    );
    vec![format!("In short: {}.", ways.join("; "))]
}

/// A draw by the pieces that are left.
fn few_pieces(variant: &Variant, rule: &DrawRule) -> String {
    let row = |pieces: &[u8]| -> String {
        let counted = variant.kinds().zip(pieces);
        counted
            .map(|(kind, &count)| variant.piece(kind).letter.to_string().repeat(usize::from(count)))
            .collect()
    };
    let mut text = format!("{} against ", row(&rule.side));
    match &rule.other {
        Some(other) => text += &format!("no more than {}", row(other)),
        None if rule.has.iter().all(|&count| count == 0) => text += "anything",
        None => text += &format!("at least {}", row(&rule.has)),
    }
    if !rule.none.is_empty() {
        text += &format!(" without {}", letters(variant, rule.none));
    }
    match rule.moves {
        0 => text + " draws",
        plies => {
            text + &format!(" draws after {plies} plies without progress")
                + &match rule.per_piece {
                    0 => String::new(),
                    each => format!(", {each} of them for each piece on the board"),
                }
        }
    }
}

/// A way to end the game that only this game has.
fn special_end(variant: &Variant, end: &SpecialEnd) -> String {
    let result = match end.result {
        EndResult::Win => "wins",
        EndResult::Loss => "loses",
        EndResult::Draw => "draws",
    };
    match end.condition {
        EndCondition::Reaches { squares, kinds, safe, answer } => {
            let names = squares[Color::White].map(|square| variant.geometry().name(square));
            let squares = names.collect::<Vec<_>>().join(" ");
            let pieces = letters(variant, kinds);
            let safe = if safe { ", safe there," } else { "" };
            let answer = if answer { " unless Black does the same at once" } else { "" };
            format!("a piece of {pieces} on {squares} (as White sees it){safe} {result}{answer}")
        }
        EndCondition::Lacks { kinds, count, both } => {
            let who = if both { "when both sides have" } else { "a side with" };
            let how_many = match count {
                0 => "nothing".to_string(),
                count => format!("at most {count}"),
            };
            format!("{who} {how_many} of {} {result}", letters(variant, kinds))
        }
    }
}
