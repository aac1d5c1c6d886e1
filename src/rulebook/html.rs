//! The page of a game for a browser: one file that needs nothing else.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Gains, PieceSheet, Sheet, first_owner, owners};
use crate::page_texts::{piece_of, rulebook as texts};
use crate::picture::{
    BoardLook, DiagramLook, Style, Theme, board_svg, diagram_svg, legend_of, symbol_id,
};
use crate::text::escaped;
use crate::web_page::document;
use garrison_rules::game::Army;
use garrison_rules::{Color, Letter, Piece, PieceType, Position, Variant};

const STYLE: &str = include_str!("page.css");

/// The page of a game or of a family of games.
pub fn page(sheet: &Sheet, style: Style) -> String {
    let page = Page { sheet, style };
    let title = escaped(&sheet.title);
    let mut body = format!(
        "{}<main>\n<header><h1>{title}</h1><p class=\"soft\">{}</p></header>\n",
        page.symbols(),
        page.sources()
    );
    if sheet.is_family() {
        body += &page.armies();
        body += &section(texts::RULES, &items(&sheet.rules));
    } else {
        body += &page.start();
        body += &page.gains();
    }
    body += &page.pieces();
    if !sheet.rulings.is_empty() {
        let about = escaped(&capital(texts::ABOUT_RULINGS));
        let about = format!("<p class=\"soft\">{about}</p>");
        body += &section(texts::RULINGS, &(about + &items(&sheet.rulings)));
    }
    body += &page.betza();
    body += "</main>";
    document(&sheet.title, STYLE, &body, "")
}

struct Page<'a> {
    sheet: &'a Sheet,
    style: Style,
}

impl Page<'_> {
    fn game(&self, piece: &PieceSheet) -> &Arc<Variant> {
        &self.sheet.games[piece.game]
    }

    /// The pictures of all pieces, once.
    fn symbols(&self) -> String {
        let all = self.sheet.symbols(self.style);
        format!(
            "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>{all}</defs></svg>\n"
        )
    }

    fn sources(&self) -> String {
        let source = |(what, text): &(&str, String)| {
            let shown = escaped(text);
            if text.starts_with("https://") || text.starts_with("http://") {
                format!("{what}: <a href=\"{shown}\" rel=\"noreferrer\">{shown}</a>")
            } else {
                format!("{what}: {shown}")
            }
        };
        let mut all: Vec<String> = self.sheet.sources.iter().map(source).collect();
        all.push(format!("{}: {}", texts::BOARD, escaped(&self.sheet.board)));
        all.push(format!("{}: <code>{}</code>", texts::NAME, escaped(&self.sheet.name)));
        all.join(" · ")
    }

    /// The start position beside the rules.
    fn start(&self) -> String {
        let variant = &self.sheet.games[0];
        let position = Position::start(variant);
        let has_hands =
            !position.hand(Color::White).is_empty() || !position.hand(Color::Black).is_empty();
        let look = BoardLook {
            style: self.style,
            theme: Theme::Auto,
            hands: has_hands,
            is_whole: false,
            ..BoardLook::default()
        };
        let players = self.sheet.players.as_ref();
        let players = players.map_or(String::new(), |text| format!("<p>{}</p>", escaped(text)));
        format!(
            "<div class=\"top\"><figure>{}<figcaption class=\"soft\"><code>{}</code></figcaption></figure>\
             <section>{players}<h2>{}</h2>{}{}</section></div>\n",
            board_svg(&position, &look),
            escaped(variant.start_fen()),
            texts::RULES,
            items(&self.sheet.rules),
            self.hands()
        )
    }

    /// What a hand can hold.
    fn hands(&self) -> String {
        let hands = &self.sheet.hands;
        if hands.is_empty() {
            return String::new();
        }
        let variant = &self.sheet.games[0];
        let pieces: String =
            hands.iter().map(|&kind| self.picture(variant, Color::White, kind)).collect();
        format!("<p>{}</p><div class=\"row\">{pieces}</div>", texts::HANDS)
    }

    /// A small picture of a piece, named for those who cannot see it.
    fn picture(&self, variant: &Variant, color: Color, kind: PieceType) -> String {
        let piece = Piece::new(color, kind);
        let name = escaped(&piece_of(color, &variant.piece(kind).name));
        let id = symbol_id(variant, piece, self.style);
        format!(
            "<svg class=\"piece\" viewBox=\"0 0 100 100\" role=\"img\"><title>{name}</title><use href=\"#{id}\"/></svg>"
        )
    }

    fn pieces(&self) -> String {
        let shown = |piece: &PieceSheet| {
            let game = self.game(piece);
            (&**game, first_owner(game, piece.kind), piece.kind)
        };
        let legend: String = legend_of(self.sheet.pieces.iter().map(shown))
            .into_iter()
            .map(|(mark, words)| format!("<li>{mark}{words}</li>"))
            .collect();
        let cards: String = self.sheet.pieces.iter().map(|piece| self.card(piece)).collect();
        let about = texts::ABOUT_VALUES;
        section(
            texts::PIECES,
            &format!(
                "<ul class=\"legend\">{legend}</ul><p class=\"soft\">{about}</p><div class=\"cards\">{cards}</div>"
            ),
        )
    }

    fn card(&self, piece: &PieceSheet) -> String {
        let (variant, kind) = (self.game(piece), piece.kind);
        let sides = owners(variant, kind);
        let pictures: String =
            sides.iter().map(|&color| self.picture(variant, color, kind)).collect();
        let look = DiagramLook {
            style: self.style,
            theme: Theme::Auto,
            legend: false,
            is_whole: false,
            ..DiagramLook::default()
        };
        let mut shown = vec![first_owner(variant, kind)];
        if sides.len() > 1 && sides_differ(variant, kind) {
            shown.push(Color::Black);
        }
        let has_diagram = variant.piece(kind).reserve.is_empty();
        let diagrams: String = shown
            .into_iter()
            .filter(|_| has_diagram)
            .map(|color| diagram_svg(variant, color, kind, &look))
            .collect();
        let becomes = self.becomes(piece);
        let words = escaped(&piece.words.join(" "));
        let owner = piece.owner.map_or(String::new(), |color| format!(" · {}", texts::only(color)));
        format!(
            "<article class=\"card\"><header>{pictures}<div><h3>{}</h3><span class=\"soft\">{}{owner}</span></div></header>\
             {diagrams}<p>{words}</p>{becomes}<div class=\"facts\"><span>{}</span><span>{} <code>{}</code></span></div></article>\n",
            escaped(&piece.names),
            escaped(&piece.letter),
            values(piece),
            texts::BETZA,
            escaped(&piece.betza)
        )
    }

    /// The pieces that a piece may become by promotion or when it is dropped.
    fn becomes(&self, piece: &PieceSheet) -> String {
        let (variant, kind) = (self.game(piece), piece.kind);
        let color = first_owner(variant, kind);
        let reserve = variant.piece(kind).reserve;
        let (what, kinds) = match reserve.is_empty() {
            true => (texts::PROMOTES, variant.promotes_to(color, kind)),
            false => (texts::BECOMES, reserve),
        };
        if kinds.is_empty() {
            return String::new();
        }
        let pictures: String = kinds.map(|kind| self.picture(variant, color, kind)).collect();
        format!("<div class=\"row\"><span class=\"soft\">{what}&nbsp;</span>{pictures}</div>")
    }

    /// What captures put into the hands, with pictures.
    fn gains(&self) -> String {
        let variant = &self.sheet.games[0];
        let hand = |letters: &[String]| -> String {
            if letters.is_empty() {
                return texts::NOTHING.to_string();
            }
            let kinds = letters.iter().filter_map(|letter| Letter::split(letter)?.first().copied());
            let kinds = kinds.filter_map(|letter| variant.kind_of(letter));
            let pictures: String =
                kinds.map(|kind| self.picture(variant, Color::White, kind)).collect();
            format!("<div class=\"row\">{pictures}</div>")
        };
        let table = |gains: &Gains| {
            let mut rows = String::new();
            for (index, [captor, owner]) in gains.rows.iter().enumerate() {
                let _ = write!(
                    rows,
                    "<tr><th>{}</th><td>{}</td><td>{}</td></tr>",
                    texts::owners(index),
                    hand(captor),
                    hand(owner)
                );
            }
            let name = escaped(&gains.piece);
            let heads = [texts::CAPTURED, texts::CAPTOR_GETS, texts::OWNER_GETS];
            let heads = heads.map(|head| format!("<th>{head}</th>")).concat();
            let table =
                format!("<div class=\"scroll\"><table><tr>{heads}</tr>{rows}</table></div>");
            section(&texts::gains(&name), &table)
        };
        self.sheet.gains.iter().map(table).collect()
    }

    /// The armies side by side, each with its first rank and its pieces.
    fn armies(&self) -> String {
        let armies: String =
            self.sheet.armies().map(|(army, game)| self.army(army, game)).collect();
        let code = |text: &str| format!("<code>{}</code>", escaped(text));
        let names = code(&self.sheet.match_ups.join(" "));
        let random = code(&format!("{}-random", self.sheet.name));
        let match_ups = texts::match_ups(self.sheet.match_ups.len(), &names, &random);
        section(
            &texts::armies(self.sheet.games.len()),
            &format!("<div class=\"armies\">{armies}</div><p class=\"soft\">{match_ups}</p>"),
        )
    }

    fn army(&self, army: &Army, variant: &Variant) -> String {
        let letters = army
            .array
            .chars()
            .filter_map(|letter| variant.kind_of(Letter { capital: letter, promoted: false }));
        let rank: String = letters.map(|kind| self.picture(variant, Color::White, kind)).collect();
        let kinds = variant.kinds_of(Color::White);
        let rows: String = self
            .sheet
            .pieces
            .iter()
            .filter(|piece| kinds.contains(piece.kind))
            .map(|piece| {
                let number =
                    |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.2}"));
                let played = piece.value.map_or(texts::ROYAL.to_string(), |value| format!("{value:.2}"));
                format!(
                    "<tr><td><div class=\"row\">{}</div></td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{played}</td></tr>",
                    self.picture(variant, Color::White, piece.kind),
                    escaped(&piece.names),
                    number(piece.written)
                )
            })
            .collect();
        format!(
            "<article class=\"card\"><h3>{} ({})</h3><div class=\"rank\">{rank}</div><table><tr><td></td><th>{}</th>\
             <th class=\"number\">{}</th><th class=\"number\">{}</th></tr>{rows}</table></article>\n",
            escaped(&army.name),
            escaped(&army.key),
            texts::PIECE,
            texts::WRITTEN,
            texts::LEARNED
        )
    }

    /// The meaning of the letters of Betza's notation.
    fn betza(&self) -> String {
        let row = |(letter, meaning): &(char, &str)| {
            format!("<li><code>{letter}</code>&nbsp;{}</li>", escaped(meaning))
        };
        let rows: String = self.sheet.legend.iter().map(row).collect();
        section(
            texts::BETZA_LETTERS,
            &format!(
                "<p class=\"soft\">{}</p><ul class=\"legend\">{rows}</ul>",
                texts::ABOUT_MODIFIERS
            ),
        )
    }
}

/// Whether the moves of a piece are not the same for both sides, each seen from its own side of the board.
fn sides_differ(variant: &Variant, kind: PieceType) -> bool {
    let [white, black] = Color::ALL.map(|color| variant.written_moves(color, kind));
    let alike = |dx: i8, dy: i8| {
        let turned = |step: &garrison_rules::betza::Step| garrison_rules::betza::Step {
            dx: step.dx * dx,
            dy: step.dy * dy,
            ..*step
        };
        white.usual.len() == black.usual.len()
            && black.usual.iter().all(|step| white.usual.contains(&turned(step)))
    };
    ![(1, 1), (1, -1), (-1, -1)].into_iter().any(|(dx, dy)| alike(dx, dy))
}

fn values(piece: &PieceSheet) -> String {
    let value = piece.value.map(|value| texts::value(value, piece.written));
    value.unwrap_or_else(|| texts::ROYAL.to_string())
}

fn section(title: &str, inside: &str) -> String {
    format!("<section><h2>{title}</h2>{inside}</section>\n")
}

fn items(texts: &[String]) -> String {
    let items: String = texts.iter().map(|text| format!("<li>{}</li>", escaped(text))).collect();
    format!("<ul>{items}</ul>")
}

/// With a capital at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
