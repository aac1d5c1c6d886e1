//! The games as the page lists them, and what it shows of one game: board, pieces, names. All of it comes from the
//! definition.

use serde::{Deserialize, Serialize};

use super::line::game;
use super::refusal::Refusal;
use super::view::letter;
use garrison_rules::catalogue::{builtin_names, candidates, own_names, reference_names};
use garrison_rules::game::Army;
use garrison_rules::{Bitboard, Color, Geometry, PieceType, Variant, find};

/// A game in the list.
#[derive(Debug, Serialize)]
pub struct Listed {
    name: String,
    title: String,
    inventor: String,
    files: u8,
    ranks: u8,
    /// `own`, `first` or `reference`.
    group: &'static str,
    /// The games of one family share it.
    family: String,
    family_title: String,
    /// Keys and names of White's and Black's army.
    armies: Option<[ArmyView; 2]>,
}

#[derive(Debug, Serialize)]
struct ArmyView {
    key: String,
    name: String,
}

/// All games, the user's first.
pub fn list() -> Vec<Listed> {
    let own = own_names();
    let groups: [(&str, &[String]); 3] =
        [("own", &own), ("first", builtin_names()), ("reference", reference_names())];
    let games = groups.into_iter().flat_map(|(group, names)| {
        names.iter().filter_map(move |name| Some(Listed::of(&*find(name).ok()?, group)))
    });
    let mut list: Vec<Listed> = Vec::new();
    for game in games {
        // A user's game may stand in for a shipped one.
        if list.iter().all(|other| other.name != game.name) {
            list.push(game);
        }
    }
    list
}

impl Listed {
    fn of(variant: &Variant, group: &'static str) -> Listed {
        let info = variant.info();
        let view = |army: &Army| ArmyView { key: army.key.clone(), name: army.name.clone() };
        Listed {
            name: variant.name().to_string(),
            title: info.title.clone(),
            inventor: info.inventor.clone(),
            files: variant.geometry().files(),
            ranks: variant.geometry().ranks(),
            group,
            family: variant.family().to_string(),
            family_title: info.family_title.clone(),
            armies: info.armies.as_ref().map(|armies| armies.0.each_ref().map(view)),
        }
    }
}

/// The name of the game that a user asks for, which may leave armies open (`swda-random`, `swda-??`).
///
/// # Errors
/// There is no such game.
pub fn chosen(name: &str, seed: u64) -> Result<String, Refusal> {
    let found = candidates(name).map_err(Refusal::from_display)?;
    Ok(found.by_chance(seed).name().to_string())
}

/// What the page shows of a game beside its positions.
#[derive(Debug, Serialize)]
pub struct GameView {
    name: String,
    title: String,
    files: u8,
    ranks: u8,
    holes: Vec<String>,
    start: String,
    has_hands: bool,
    has_setup: bool,
    pieces: Vec<PieceView>,
    /// Small regions that a piece may not leave, such as palaces.
    regions: Vec<Vec<String>>,
    /// The squares on which moves of White and of Black may promote.
    promotion: [Vec<String>; 2],
}

#[derive(Debug, Serialize)]
struct PieceView {
    letter: String,
    name: String,
    betza: String,
    /// How it moves, promotes and is dropped.
    words: String,
    promoted: bool,
    /// Whether it can be in hand, and whether only there.
    in_hand: bool,
    hand_only: bool,
    royal: bool,
    /// Which sides may have it.
    sides: [bool; 2],
}

/// Which game the page asks for.
#[derive(Debug, Deserialize)]
pub struct GameRequest {
    variant: String,
}

/// What the page shows of a game.
///
/// # Errors
/// There is no such game.
pub fn view(request: &GameRequest) -> Result<GameView, Refusal> {
    let variant = game(&request.variant)?;
    let geometry = variant.geometry();
    let info = variant.info();
    Ok(GameView {
        name: variant.name().to_string(),
        title: info.title.clone(),
        files: geometry.files(),
        ranks: geometry.ranks(),
        holes: holes(geometry),
        start: variant.start_fen().to_string(),
        has_hands: !variant.hand_kinds().is_empty(),
        has_setup: variant.has_setup(),
        pieces: variant.kinds().map(|kind| PieceView::of(&variant, kind)).collect(),
        regions: regions(&variant),
        promotion: Color::ALL.map(|color| names(geometry, variant.promotion_squares(color))),
    })
}

fn names(geometry: &Geometry, squares: Bitboard) -> Vec<String> {
    squares.map(|square| geometry.name(square)).collect()
}

/// The squares that a board of this size has and this one lacks.
fn holes(geometry: &Geometry) -> Vec<String> {
    let whole = Geometry::of(geometry.files(), geometry.ranks());
    let all = whole.map_or(Bitboard::EMPTY, |whole| whole.squares());
    names(geometry, all & !geometry.squares())
}

/// The regions of at most a fourth of the board that some piece may not leave.
fn regions(variant: &Variant) -> Vec<Vec<String>> {
    let geometry = variant.geometry();
    let most = geometry.squares().len() / 4;
    let mut regions: Vec<Bitboard> = Vec::new();
    for color in Color::ALL {
        for kind in variant.kinds_of(color) {
            let region = variant.standing_squares(color, kind);
            let is_small = !region.is_empty() && region.len() <= most;
            if is_small && !variant.piece(kind).betza.is_empty() && !regions.contains(&region) {
                regions.push(region);
            }
        }
    }
    regions.into_iter().map(|region| names(geometry, region)).collect()
}

impl PieceView {
    fn of(variant: &Variant, kind: PieceType) -> PieceView {
        let piece = variant.piece(kind);
        PieceView {
            letter: letter(variant, kind),
            name: piece.name.clone(),
            betza: piece.betza.clone(),
            words: variant.piece_in_words(kind).join(" "),
            promoted: piece.letter.promoted,
            in_hand: piece.slot.is_some(),
            hand_only: !piece.reserve.is_empty(),
            royal: variant.royals().contains(kind),
            sides: Color::ALL.map(|color| variant.kinds_of(color).contains(kind)),
        }
    }
}
