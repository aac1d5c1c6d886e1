//! `variants show`: a game so that it can be learned. All sentences but those of its author follow from the definition.

use std::sync::Arc;

use super::super::CommandResult;
use super::page::Page;
use crate::engine::Evaluation;
use garrison_rules::catalogue::candidates;
use garrison_rules::game::{Army, Info};
use garrison_rules::{Color, PieceType, PieceTypeSet, Position, Variant};

/// What there is to know of the game of this name, or of a family of games.
pub(super) fn text(name: &str) -> CommandResult<String> {
    let found = candidates(name).map_err(|unknown| unknown.to_string())?;
    let family = found.all()[0].family();
    // `swda` is a game, but whoever asks what it is wants to see all armies.
    let is_family = |games: &[Arc<Variant>]| games.len() > 1 && games[0].family() == family;
    let all = candidates(&format!("{family}-random")).ok().filter(|games| is_family(games.all()));
    Ok(match all {
        Some(all) if found.are_open() || !names_one(name, all.all()) => show_family(all.all()),
        _ => show_game(&found.all()[0]),
    })
}

/// Whether a name is that of a match-up, and not of its family.
fn names_one(name: &str, games: &[Arc<Variant>]) -> bool {
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    letters(name) != letters(games[0].family())
}

fn show_game(variant: &Arc<Variant>) -> String {
    let mut page = Page::new();
    let info = variant.info();
    page.paragraph("", &format!("{} ({})", info.title, variant.name()));
    sources(&mut page, info);
    if let Some(armies) = &info.armies {
        let name = |color: Color| &armies[color].name;
        let (white, black) = (name(Color::White), name(Color::Black));
        page.paragraph("", &format!("White plays the {white}, Black the {black}."));
    }
    board(&mut page, variant);
    page.plain(&format!("\n{}", Position::start(variant).picture()));
    page.plain(&format!("Start: {}", variant.start_fen()));
    pieces(&mut page, variant, &[Arc::clone(variant)]);
    legend(&mut page, &[Arc::clone(variant)]);
    gains(&mut page, variant);
    hands(&mut page, variant);
    page.heading("Rules");
    page.items(variant.rules_in_words());
    page.items(&info.rules);
    rulings(&mut page, &info.rulings);
    page.into_text()
}

/// Who published the rules, where and when, as far as that is known.
fn sources(page: &mut Page, info: &Info) {
    let year = info.year.map(|year| year.to_string()).unwrap_or_default();
    let sources = [
        ("Author: ", &info.inventor),
        ("Page: ", &info.page),
        ("Address: ", &info.url),
        ("Year: ", &year),
    ];
    for (what, text) in sources.into_iter().filter(|(_, text)| !text.is_empty()) {
        page.paragraph(what, text);
    }
}

fn board(page: &mut Page, variant: &Variant) {
    let geometry = variant.geometry();
    let holes = variant.holes_in_words().map(|holes| format!(". {holes}")).unwrap_or_default();
    page.paragraph(
        "Board: ",
        &format!("{} files, {} ranks{holes}", geometry.files(), geometry.ranks()),
    );
}

/// The pieces that can take part in these games of one family, each with its moves.
fn pieces(page: &mut Page, first: &Arc<Variant>, games: &[Arc<Variant>]) {
    page.heading("Pieces: letter, name, Betza's notation, value in pawns as this program plays");
    let evaluation = Evaluation::new(first);
    let linear = &evaluation.linear;
    let pawn = first.kinds().find(|&kind| first.piece(kind).letter.to_string() == "P");
    let pawn = pawn.map_or(100, |pawn| linear.piece_value(pawn)).max(1);
    for kind in first.kinds() {
        let Some(variant) = games.iter().find(|game| takes_part(game, kind)) else { continue };
        let piece = variant.piece(kind);
        let centipawns = if piece.reserve.is_empty() {
            linear.piece_value(kind)
        } else {
            linear.hand_value(kind)
        };
        let is_royal = variant.royals().contains(kind);
        let value = match is_royal {
            true => "royal".to_string(),
            false => format!("{:.1}", f64::from(centipawns) / f64::from(pawn)),
        };
        let betza = if piece.betza.is_empty() { "-" } else { &piece.betza };
        let (letter, name) = (piece.letter.to_string(), variant.piece_names(kind));
        let who = whose(variant, kind).filter(|_| games.len() == 1).unwrap_or_default();
        page.plain(format!("  {letter:<3} {name:<22} {betza:<10} {value:>5}  {who}").trim_end());
        page.paragraph("      ", &words(games, kind).join(" "));
    }
}

fn takes_part(variant: &Variant, kind: PieceType) -> bool {
    Color::ALL.iter().any(|&color| variant.kinds_of(color).contains(kind))
}

/// The only side that can have a piece.
fn whose(variant: &Variant, kind: PieceType) -> Option<String> {
    let owns = Color::ALL.map(|color| variant.kinds_of(color).contains(kind));
    let only = Color::ALL.into_iter().zip(owns).filter(|(_, owns)| *owns);
    let only: Vec<Color> = only.map(|(color, _)| color).collect();
    (only.len() == 1).then(|| format!("{} only", only[0]))
}

/// What is said of a piece in all these games, and what in the games of one army.
fn words(games: &[Arc<Variant>], kind: PieceType) -> Vec<String> {
    let all: Vec<(&Arc<Variant>, Vec<String>)> = games
        .iter()
        .filter(|game| takes_part(game, kind))
        .map(|game| (game, game.piece_in_words(kind)))
        .collect();
    common_and_own(&all)
}

/// The sentences that all games share, then those of some with the names of their armies.
fn common_and_own(all: &[(&Arc<Variant>, Vec<String>)]) -> Vec<String> {
    let is_common = |text: &String| all.iter().all(|(_, texts)| texts.contains(text));
    let mut words: Vec<String> = all
        .first()
        .map_or(Vec::new(), |(_, texts)| texts.iter().filter(|t| is_common(t)).cloned().collect());
    let mut own: Vec<(&String, Vec<&str>)> = Vec::new();
    for (game, texts) in all {
        let army = game.info().armies.as_ref().map_or("", |armies| &armies[Color::White].name);
        for text in texts.iter().filter(|text| !is_common(text)) {
            match own.iter_mut().find(|(other, _)| *other == text) {
                Some((_, armies)) => armies.push(army),
                None => own.push((text, vec![army])),
            }
        }
    }
    words.extend(own.iter().map(|(text, armies)| format!("{}: {text}", armies.join(", "))));
    words
}

/// The meaning of Betza's letters.
const LEGEND: [(char, &str); 24] = [
    ('W', "one square straight"),
    ('F', "one square diagonally"),
    ('D', "a leap of two straight"),
    ('A', "a leap of two diagonally"),
    ('H', "a leap of three straight"),
    ('N', "the knight's leap"),
    ('C', "a leap (3,1)"),
    ('Z', "a leap (3,2)"),
    ('G', "a leap of three diagonally"),
    ('R', "any number of squares straight"),
    ('B', "any number of squares diagonally"),
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

fn legend(page: &mut Page, games: &[Arc<Variant>]) {
    let used: String = games
        .iter()
        .flat_map(|game| {
            game.kinds().filter(|&kind| takes_part(game, kind)).map(|kind| &game.piece(kind).betza)
        })
        .map(String::as_str)
        .collect();
    let known = LEGEND.iter().filter(|(letter, _)| used.contains(*letter));
    let entries: Vec<String> =
        known.map(|(letter, meaning)| format!("{letter} {meaning}")).collect();
    page.heading("Betza's letters, modifiers before what they modify");
    page.paragraph("  ", &format!("{}.", entries.join("; ")));
}

/// The pieces that captures put into the hands.
fn gains(page: &mut Page, variant: &Variant) {
    for kind in variant.kinds() {
        let gains = variant.gains_of(kind);
        if gains.is_empty() {
            continue;
        }
        page.heading(&format!("What a captured {} puts into the hands", variant.piece(kind).name));
        for (fallen, [captor, owner]) in gains.iter().enumerate() {
            let which = ["first", "second", "third"].get(fallen).copied().unwrap_or("next");
            let hand = |pieces: &[String]| match pieces {
                [] => "nothing".to_string(),
                pieces => pieces.join(" "),
            };
            let (captor, owner) = (hand(captor), hand(owner));
            page.plain(&format!(
                "  the owner's {which:<7} its captor {captor:<4} its owner {owner}"
            ));
        }
    }
}

fn hands(page: &mut Page, variant: &Variant) {
    if variant.hand_kinds().is_empty() {
        page.heading("Hands: none, this game has no drops.");
        return;
    }
    let kinds: Vec<String> =
        variant.hand_kinds().iter().map(|&kind| variant.piece(kind).letter.to_string()).collect();
    page.heading(&format!("Hands can hold (in the order of a FEN): {}", kinds.join(" ")));
}

fn rulings(page: &mut Page, rulings: &[String]) {
    if rulings.is_empty() {
        return;
    }
    page.heading(
        "Rulings: decided by this program's rule book where the author's page is silent or ambiguous, or does not show the \
         point in words. A FEN or a definition of your own overrides an array.",
    );
    page.items(rulings);
}

/// A family of games: its armies, and the rules that all match-ups share.
fn show_family(games: &[Arc<Variant>]) -> String {
    let mut page = Page::new();
    let first = &games[0];
    let info = first.info();
    page.paragraph("", &format!("{} ({})", info.family_title, first.family()));
    sources(&mut page, info);
    board(&mut page, first);
    let alike: Vec<Arc<Variant>> = games.iter().filter(|game| is_alike(game)).cloned().collect();
    page.heading(&format!(
        "{} armies, {} match-ups: {}",
        alike.len(),
        games.len(),
        games.iter().map(|game| game.name()).collect::<Vec<_>>().join(" ")
    ));
    page.paragraph(
        "",
        &format!("{0}-random leaves both armies to chance, {0}-?? as well.", first.family()),
    );
    alike.iter().for_each(|game| army(&mut page, game));
    pieces(&mut page, first, &alike);
    legend(&mut page, &alike);
    page.heading("Rules");
    let rules: Vec<(&Arc<Variant>, Vec<String>)> =
        alike.iter().map(|game| (game, game.rules_in_words())).collect();
    page.items(common_and_own(&rules));
    page.items(&info.rules);
    let mut all: Vec<String> = Vec::new();
    for ruling in alike.iter().flat_map(|game| &game.info().rulings) {
        if !all.contains(ruling) {
            all.push(ruling.clone());
        }
    }
    rulings(&mut page, &all);
    page.into_text()
}

/// Whether both sides have the same army.
fn is_alike(variant: &Variant) -> bool {
    variant
        .info()
        .armies
        .as_ref()
        .is_some_and(|armies| armies[Color::White] == armies[Color::Black])
}

/// An army: its key, its name, its back rank, and the pieces that it can have.
fn army(page: &mut Page, variant: &Variant) {
    let Some(Army { key, name, array }) =
        variant.info().armies.as_ref().map(|armies| &armies[Color::White])
    else {
        return;
    };
    let array: Vec<String> = array.chars().map(String::from).collect();
    let kinds: PieceTypeSet = variant.kinds_of(Color::White);
    let names: Vec<String> = kinds.map(|kind| variant.piece_names(kind)).collect();
    page.plain("");
    page.plain(&format!("  {key}  {name:<20} {}", array.join(" ")));
    page.paragraph("     ", &names.join(", "));
}
