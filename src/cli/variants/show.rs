//! `variants show`: a game as text, so that it can be learned.

use super::page::Page;
use crate::page_texts::rulebook as texts;
use crate::rulebook::{Gains, PieceSheet, Sheet};
use garrison_rules::game::Army;
use garrison_rules::{Color, PieceTypeSet, Position, Variant};

/// What there is to know of a game, or of a family of games.
pub(super) fn text(sheet: &Sheet) -> String {
    let mut page = Page::new();
    page.paragraph("", &format!("{} ({})", sheet.title, sheet.name));
    for (what, text) in &sheet.sources {
        page.paragraph(&format!("{what}: "), text);
    }
    if let Some(players) = &sheet.players {
        page.paragraph("", players);
    }
    page.paragraph("Board: ", &sheet.board);
    if sheet.is_family() {
        armies(&mut page, sheet);
    } else {
        let variant = &sheet.games[0];
        page.plain(&format!("\n{}", Position::start(variant).picture()));
        page.plain(&format!("Start: {}", variant.start_fen()));
    }
    pieces(&mut page, &sheet.pieces);
    legend(&mut page, sheet);
    if !sheet.is_family() {
        gains(&mut page, &sheet.gains);
        hands(&mut page, sheet);
    }
    page.heading("Rules");
    page.items(&sheet.rules);
    if !sheet.rulings.is_empty() {
        page.heading(&format!("{}: {}", texts::RULINGS, texts::ABOUT_RULINGS));
        page.items(&sheet.rulings);
    }
    page.into_text()
}

/// Each piece with its moves.
fn pieces(page: &mut Page, pieces: &[PieceSheet]) {
    page.heading("Pieces: letter, name, Betza's notation, value in pawns as this program plays");
    for piece in pieces {
        let value = piece.value.map_or("royal".to_string(), |value| format!("{value:.1}"));
        let PieceSheet { letter, names, betza, .. } = piece;
        let who = piece.owner.map(|color| format!("{color} only")).unwrap_or_default();
        page.plain(format!("  {letter:<3} {names:<22} {betza:<10} {value:>5}  {who}").trim_end());
        page.paragraph("      ", &piece.words.join(" "));
    }
}

fn legend(page: &mut Page, sheet: &Sheet) {
    let entries = sheet.legend.iter().map(|(letter, meaning)| format!("{letter} {meaning}"));
    let entries: Vec<String> = entries.collect();
    page.heading("Betza's letters, modifiers before what they modify");
    page.paragraph("  ", &format!("{}.", entries.join("; ")));
}

/// The pieces that captures put into the hands.
fn gains(page: &mut Page, all: &[Gains]) {
    for gains in all {
        page.heading(&format!("What a captured {} puts into the hands", gains.piece));
        for (fallen, [captor, owner]) in gains.rows.iter().enumerate() {
            let hand = |pieces: &[String]| match pieces {
                [] => "nothing".to_string(),
                pieces => pieces.join(" "),
            };
            let (which, captor, owner) = (texts::which(fallen), hand(captor), hand(owner));
            page.plain(&format!(
                "  the owner's {which:<7} its captor {captor:<4} its owner {owner}"
            ));
        }
    }
}

fn hands(page: &mut Page, sheet: &Sheet) {
    if sheet.hands.is_empty() {
        page.heading("Hands: none, this game has no drops.");
        return;
    }
    let letter = |&kind| sheet.games[0].piece(kind).letter.to_string();
    let kinds: Vec<String> = sheet.hands.iter().map(letter).collect();
    page.heading(&format!("Hands can hold (in the order of a FEN): {}", kinds.join(" ")));
}

/// The armies of a family, and the names of their match-ups.
fn armies(page: &mut Page, sheet: &Sheet) {
    let (armies, games) = (sheet.games.len(), sheet.match_ups.len());
    let names = sheet.match_ups.join(" ");
    page.heading(&format!("{armies} armies, {games} match-ups: {names}"));
    page.paragraph(
        "",
        &format!("{0}-random leaves both armies to chance, {0}-?? as well.", sheet.name),
    );
    sheet.armies().for_each(|(of, game)| army(page, of, game));
}

/// An army: its key, its name, its back rank, and the pieces that it can have.
fn army(page: &mut Page, Army { key, name, array }: &Army, variant: &Variant) {
    let array: Vec<String> = array.chars().map(String::from).collect();
    let kinds: PieceTypeSet = variant.kinds_of(Color::White);
    let names: Vec<String> = kinds.map(|kind| variant.piece_names(kind)).collect();
    page.plain("");
    page.plain(&format!("  {key}  {name:<20} {}", array.join(" ")));
    page.paragraph("     ", &names.join(", "));
}
