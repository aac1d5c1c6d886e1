//! What there is to know of a game, for people: as a value that a terminal, a page and a picture show. All sentences but
//! those of its author follow from the definition.

mod html;
mod poster;

use std::sync::Arc;

pub use html::page;
pub use poster::poster;

use crate::engine::Evaluation;
use crate::page_texts::rulebook as texts;
use crate::picture::{Style, symbols};
use garrison_rules::catalogue::candidates;
use garrison_rules::game::{Army, Info};
use garrison_rules::{Color, Piece, PieceType, UnknownGame, Variant};

/// What there is to know of a game, or of a family of games with different armies.
#[derive(Debug)]
pub struct Sheet {
    /// The title.
    pub title: String,
    /// The name by which commands know it.
    pub name: String,
    /// Who published the rules, where and when, as far as that is known: what, and its text.
    pub sources: Vec<(&'static str, String)>,
    /// Who plays which army, in a match-up of different armies.
    pub players: Option<String>,
    /// The size of the board and what it lacks.
    pub board: String,
    /// The game; of a family, one game for each army, which both sides play.
    pub games: Vec<Arc<Variant>>,
    /// The names of all match-ups of a family; empty for one game.
    pub match_ups: Vec<String>,
    /// The pieces that can take part.
    pub pieces: Vec<PieceSheet>,
    /// The letters of Betza's notation that are used, with their meanings.
    pub legend: Vec<(char, &'static str)>,
    /// What captures put into the hands.
    pub gains: Vec<Gains>,
    /// The pieces that a hand can hold, in the order of a FEN.
    pub hands: Vec<PieceType>,
    /// The rules, a sentence or two each.
    pub rules: Vec<String>,
    /// What was decided where the author's page is silent.
    pub rulings: Vec<String>,
}

/// What there is to know of a piece.
#[derive(Debug)]
pub struct PieceSheet {
    /// The piece type.
    pub kind: PieceType,
    /// The place in [`Sheet::games`] of a game in which it takes part.
    pub game: usize,
    /// The letter.
    pub letter: String,
    /// Its name, and what it is called when another piece has become it.
    pub names: String,
    /// How it moves in Betza's notation; `-` if it never moves.
    pub betza: String,
    /// Its value in pawns as this program plays; `None` if it is royal.
    pub value: Option<f64>,
    /// The value in pawns that the definition writes, if it does.
    pub written: Option<f64>,
    /// The only side that can have it.
    pub owner: Option<Color>,
    /// How it moves, promotes and is dropped.
    pub words: Vec<String>,
}

/// What captured pieces of one type put into the hands.
#[derive(Debug)]
pub struct Gains {
    /// The name of the piece.
    pub piece: String,
    /// For the first of a side that is captured, the second, and so on: what its captor gets and what its owner.
    pub rows: Vec<[Vec<String>; 2]>,
}

impl Sheet {
    /// What there is to know of the game of this name, or of a family of games.
    ///
    /// # Errors
    /// There is no game of this name.
    pub fn of(name: &str) -> Result<Sheet, UnknownGame> {
        let found = candidates(name)?;
        let family = found.all()[0].family();
        // `swda` is a game, but whoever asks what it is wants to see all armies.
        let is_family = |games: &[Arc<Variant>]| games.len() > 1 && games[0].family() == family;
        let all =
            candidates(&format!("{family}-random")).ok().filter(|games| is_family(games.all()));
        Ok(match all {
            Some(all) if found.are_open() || !names_one(name, all.all()) => {
                Sheet::of_family(all.all())
            }
            _ => Sheet::of_game(&found.all()[0]),
        })
    }

    /// What there is to know of this game.
    pub fn of_game(variant: &Arc<Variant>) -> Sheet {
        let info = variant.info();
        let players = info.armies.as_ref().map(|armies| {
            let name = |color: Color| &armies[color].name;
            let (white, black) = (name(Color::White), name(Color::Black));
            texts::players(white, black)
        });
        let mut rules = variant.rules_in_words();
        rules.extend(info.rules.clone());
        let games = vec![Arc::clone(variant)];
        Sheet {
            title: info.title.clone(),
            name: variant.name().to_string(),
            sources: sources(info),
            players,
            board: board(variant),
            match_ups: Vec::new(),
            pieces: pieces(variant, &games),
            legend: legend(&games),
            gains: gains(variant),
            hands: variant.hand_kinds().to_vec(),
            rules,
            rulings: info.rulings.clone(),
            games,
        }
    }

    /// What there is to know of a family: its armies, and the rules that all match-ups share.
    fn of_family(all: &[Arc<Variant>]) -> Sheet {
        let first = &all[0];
        let info = first.info();
        let games: Vec<Arc<Variant>> = all.iter().filter(|game| is_alike(game)).cloned().collect();
        let own: Vec<(&Arc<Variant>, Vec<String>)> =
            games.iter().map(|game| (game, game.rules_in_words())).collect();
        let mut rules = common_and_own(&own);
        rules.extend(info.rules.clone());
        let mut rulings: Vec<String> = Vec::new();
        for ruling in games.iter().flat_map(|game| &game.info().rulings) {
            if !rulings.contains(ruling) {
                rulings.push(ruling.clone());
            }
        }
        Sheet {
            title: info.family_title.clone(),
            name: first.family().to_string(),
            sources: sources(info),
            players: None,
            board: board(first),
            match_ups: all.iter().map(|game| game.name().to_string()).collect(),
            pieces: pieces(first, &games),
            legend: legend(&games),
            gains: Vec::new(),
            hands: Vec::new(),
            rules,
            rulings,
            games,
        }
    }

    /// The pictures of all pieces of both sides, once, for the pictures of a document.
    fn symbols(&self, style: Style) -> String {
        let of = |piece: &PieceSheet| {
            let variant = &self.games[piece.game];
            let sides = owners(variant, piece.kind).into_iter();
            symbols(variant, sides.map(|color| Piece::new(color, piece.kind)), style)
        };
        self.pieces.iter().map(of).collect()
    }

    /// Whether it is about a family of games.
    pub fn is_family(&self) -> bool {
        !self.match_ups.is_empty()
    }

    /// The armies of a family, each with the game in which both sides play it.
    pub fn armies(&self) -> impl Iterator<Item = (&Army, &Arc<Variant>)> {
        self.games.iter().filter(|_| self.is_family()).filter_map(|game| {
            game.info().armies.as_ref().map(|armies| (&armies[Color::White], game))
        })
    }
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

fn sources(info: &Info) -> Vec<(&'static str, String)> {
    let year = info.year.map(|year| year.to_string()).unwrap_or_default();
    let sources = [
        (texts::AUTHOR, info.inventor.clone()),
        (texts::PAGE, info.page.clone()),
        (texts::ADDRESS, info.url.clone()),
        (texts::YEAR, year),
    ];
    sources.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

fn board(variant: &Variant) -> String {
    let geometry = variant.geometry();
    let holes = variant.holes_in_words().map(|holes| format!(". {holes}")).unwrap_or_default();
    texts::board_size(geometry.files(), geometry.ranks()) + &holes
}

/// The pieces that can take part in these games of one family.
fn pieces(first: &Arc<Variant>, games: &[Arc<Variant>]) -> Vec<PieceSheet> {
    let evaluation = Evaluation::new(first);
    let linear = &evaluation.linear;
    let pawn = first.kinds().find(|&kind| first.piece(kind).letter.to_string() == "P");
    let in_pawns = |centipawns: i32, pawn: i32| f64::from(centipawns) / f64::from(pawn.max(1));
    let learned = pawn.map_or(100, |pawn| linear.piece_value(pawn));
    let piece = |kind| {
        let game = games.iter().position(|game| takes_part(game, kind))?;
        let variant = &games[game];
        let piece = variant.piece(kind);
        let centipawns = if piece.reserve.is_empty() {
            linear.piece_value(kind)
        } else {
            linear.hand_value(kind)
        };
        let is_royal = variant.royals().contains(kind);
        let written = variant.written_value(kind).map(|value| in_pawns(value, 100));
        Some(PieceSheet {
            kind,
            game,
            letter: piece.letter.to_string(),
            names: variant.piece_names(kind),
            betza: if piece.betza.is_empty() { "-".to_string() } else { piece.betza.clone() },
            value: (!is_royal).then(|| in_pawns(centipawns, learned)),
            written: written.filter(|_| !is_royal),
            owner: owner(variant, kind).filter(|_| games.len() == 1),
            words: words(games, kind),
        })
    };
    first.kinds().filter_map(piece).collect()
}

/// The sides that can have a piece.
fn owners(variant: &Variant, kind: PieceType) -> Vec<Color> {
    Color::ALL.into_iter().filter(|&color| variant.kinds_of(color).contains(kind)).collect()
}

/// The first side that can have a piece.
fn first_owner(variant: &Variant, kind: PieceType) -> Color {
    owners(variant, kind).first().copied().unwrap_or(Color::White)
}

fn takes_part(variant: &Variant, kind: PieceType) -> bool {
    !owners(variant, kind).is_empty()
}

/// The only side that can have a piece.
fn owner(variant: &Variant, kind: PieceType) -> Option<Color> {
    match owners(variant, kind)[..] {
        [only] => Some(only),
        _ => None,
    }
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

fn legend(games: &[Arc<Variant>]) -> Vec<(char, &'static str)> {
    let used: String = games
        .iter()
        .flat_map(|game| {
            game.kinds().filter(|&kind| takes_part(game, kind)).map(|kind| &game.piece(kind).betza)
        })
        .map(String::as_str)
        .collect();
    texts::LETTERS.into_iter().filter(|(letter, _)| used.contains(*letter)).collect()
}

fn gains(variant: &Variant) -> Vec<Gains> {
    let of = |kind| Gains { piece: variant.piece(kind).name.clone(), rows: variant.gains_of(kind) };
    variant.kinds().map(of).filter(|gains| !gains.rows.is_empty()).collect()
}

/// Whether both sides have the same army.
fn is_alike(variant: &Variant) -> bool {
    variant
        .info()
        .armies
        .as_ref()
        .is_some_and(|armies| armies[Color::White] == armies[Color::Black])
}
