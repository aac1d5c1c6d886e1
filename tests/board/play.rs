//! Whole games by mouse: White's pieces are dragged, Black's are clicked. After every ply the page shows the position that
//! the rules say.

use garrison_rules::{Color, GameResult, Move, Piece, Position, Tag};
use serde_json::json;

use crate::chromium::{Browser, Page};
use crate::script::{Events, choices, eventful};
use crate::server::Server;

/// The games that are played.
pub const GAMES: [&str; 7] = [
    "sixfortresses",
    "sixfortresses-short",
    "shoranji",
    "shoranji-maximus",
    "chesstonia",
    "swda-jp",
    "shoogantshii",
];

/// Begins a game of two people on the page.
pub fn begin(page: &mut Page, variant: &str, fen: Option<&str>) {
    page.wait("window.garrison?.game?.view");
    let game = json!({
        "variant": variant, "fen": fen, "players": { "w": { "kind": "person" }, "b": { "kind": "person" } }
    });
    page.value(&format!("garrison.begin({game}).then(() => true)"));
}

/// Makes a move by mouse, and waits for the position behind it.
pub fn play(page: &mut Page, position: &mut Position, mv: Move) {
    let drags = position.side_to_move() == Color::White;
    let geometry = position.variant().geometry();
    let square = |square| format!("[data-square={}]", geometry.name(square));
    match mv.tag() {
        Tag::Setup => arrange(page, position, mv, drags),
        Tag::Pass => page.click("#do-pass"),
        _ => {
            let source = match mv.tag() {
                Tag::Drop => {
                    let letter = position.variant().piece(mv.dropped()).letter;
                    let side = if drags { "#near" } else { "#far" };
                    format!("{side} [data-kind='{letter}']")
                }
                _ => square(mv.from()),
            };
            if drags {
                page.drag(&source, &square(mv.to()));
            } else {
                page.click(&source);
                page.click(&square(mv.to()));
            }
            if choices(position, mv) > 1 {
                let kind = match mv.tag() {
                    Tag::Drop | Tag::Promotion => {
                        position.variant().piece(mv.becomes()).letter.to_string()
                    }
                    _ => String::new(),
                };
                let choice = format!("dialog[open] .choice[data-kind='{kind}']");
                page.wait(&format!("document.querySelector({}) !== null", json!(choice)));
                page.click(&choice);
            }
        }
    }
    position.make(mv);
    page.wait(&format!(
        "garrison.game.view.fen === {} && !garrison.game.pending",
        json!(position.fen())
    ));
}

/// Makes a setup: exchanges squares until each piece stands where it is wanted.
fn arrange(page: &mut Page, position: &Position, mv: Move, drags: bool) {
    let geometry = position.variant().geometry();
    let mut after = position.clone();
    after.make(mv);
    let squares: Vec<_> = position.setup_rank().collect();
    let mut now: Vec<Option<Piece>> = squares.iter().map(|&square| position.at(square)).collect();
    let mut exchanges = 0;
    for index in 0..squares.len() {
        let wanted = after.at(squares[index]);
        if now[index] == wanted {
            continue;
        }
        let other =
            (index + 1..squares.len()).find(|&other| now[other] == wanted).expect("it is there");
        // A piece is taken up, an empty square cannot be.
        let (from, to) = if now[index].is_some() { (index, other) } else { (other, index) };
        let [from, to] =
            [from, to].map(|at| format!("[data-square={}]", geometry.name(squares[at])));
        if drags {
            page.drag(&from, &to);
        } else {
            page.click(&from);
            page.click(&to);
        }
        now.swap(index, other);
        exchanges += 1;
        page.wait(&format!(
            "garrison.game.arranged.length === {exchanges} && !garrison.game.pending"
        ));
    }
    page.click("#setup-done");
}

/// Plays a script on the page; returns what happened.
fn play_whole(page: &mut Page, variant: &str) -> Events {
    let script = eventful(variant);
    begin(page, variant, None);
    let mut position = script.start.clone();
    for &mv in &script.moves {
        let sentence = position.fall_by(mv).is_some();
        play(page, &mut position, mv);
        if sentence {
            let event = page.value("document.querySelector('#standing .event').textContent");
            assert!(event.as_str().is_some_and(|text| text.contains("falls: ")), "{event}");
        }
    }
    let result = GameResult::from(position.status()).text();
    assert_ne!(result, "*", "{variant} has not ended");
    assert_eq!(page.value("garrison.game.view.status.result"), result);
    let state = page.value("document.querySelector('#standing .state').textContent");
    let reason = position.status().outcome().expect("an end").reason.to_string();
    assert!(state.as_str().is_some_and(|text| text.contains(&reason)), "{state}: {reason}");
    script.events
}

#[test]
fn whole_games_of_all_seven_are_played_by_mouse() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    let mut all = Events::default();
    for variant in GAMES {
        let events = play_whole(&mut page, variant);
        all.setups += events.setups;
        all.chosen_drops += events.chosen_drops;
        all.chosen_promotions += events.chosen_promotions;
        all.falls += events.falls;
        all.late_kings += events.late_kings;
    }
    assert!(all.setups == 8 && all.falls >= 8 && all.late_kings >= 2, "{all:?}");
    assert!(all.chosen_drops >= 2 && all.chosen_promotions >= 2, "{all:?}");
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}
