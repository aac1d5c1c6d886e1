//! Moves of more than two clicks: with a stone, whose square is clicked after the move, with a piece from hand, or of two
//! legs.

use std::path::Path;

use garrison::definitions::read_definitions;
use garrison_rules::definition::load;
use garrison_rules::{Position, Tag};
use serde_json::json;

use crate::chromium::{Browser, Page};
use crate::play::begin;
use crate::server::Server;

/// The folder with the games that are played.
fn games() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games");
    folder.to_string_lossy().into_owned()
}

/// The start of a game of the folder.
fn start(name: &str) -> Position {
    let path = Path::new(&games()).join(format!("{name}.toml"));
    let games =
        read_definitions(&path).and_then(load).unwrap_or_else(|faults| panic!("{faults:?}"));
    Position::start(&games[0])
}

fn wait_for(page: &mut Page, position: &Position) {
    let fen = json!(position.fen());
    page.wait(&format!("garrison.game.view.fen === {fen} && !garrison.game.pending"));
}

/// Plays a move by clicks, and then clicks this element of the page if there is one.
fn play(page: &mut Page, position: &mut Position, text: &str, then: Option<&str>) {
    let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
    let square = |square| format!("[data-square={}]", position.variant().geometry().name(square));
    let (from, to, stone) = (square(mv.from()), square(mv.to()), square(mv.stone()));
    page.click(&from);
    page.click(&to);
    if let Some(element) = then {
        page.wait(&format!("document.querySelector({}) !== null", json!(element)));
        page.click(element);
    }
    if position.variant().moves_place_stones() {
        page.wait(&format!("document.querySelector('{stone}.target') !== null"));
        page.click(&stone);
    }
    assert_ne!(mv.tag(), Tag::Drop);
    position.make(mv);
    wait_for(page, position);
}

#[test]
fn a_duck_is_put_somewhere_after_the_move() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start_with(&["--port", "0", "--variants", &games()]);
    let mut page = browser.open(&server.page());
    begin(&mut page, "duck", None);
    let mut position = start("duck");
    play(&mut page, &mut position, "e2e4,e4e5", None);
    assert_eq!(page.value("document.querySelectorAll('.square.stone').length"), 1);
    assert_eq!(page.value("document.querySelector('.square.stone').dataset.square"), "e5");
    // Whoever thinks better of it puts the piece back.
    page.click("[data-square=g8]");
    page.click("[data-square=f6]");
    page.wait("document.querySelectorAll('.square.target').length === 31");
    page.click("[data-square=f6]");
    page.wait("document.querySelectorAll('.square.target').length === 0");
    play(&mut page, &mut position, "g8f6,f6g8", None);
    assert_eq!(page.value("document.querySelector('.square.stone').dataset.square"), "g8");
    let san = page.value("garrison.game.tree.at.san");
    assert_eq!(san, "Nf6,g8");
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}

#[test]
fn a_piece_comes_from_hand_by_choice() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start_with(&["--port", "0", "--variants", &games()]);
    let mut page = browser.open(&server.page());
    begin(&mut page, "seirawan", None);
    let mut position = start("seirawan");
    let choice = |kind: &str| format!("dialog[open] .choice[data-kind='{kind}']");
    play(&mut page, &mut position, "b1c3h", Some(&choice("H")));
    play(&mut page, &mut position, "g8f6", Some(&choice("")));
    play(&mut page, &mut position, "g1f3", Some(&choice("")));
    play(&mut page, &mut position, "b8c6e", Some(&choice("E")));
    for text in ["g2g3", "a7a6", "f1g2", "a6a5"] {
        let asks = text == "f1g2";
        play(&mut page, &mut position, text, asks.then(|| choice("")).as_deref());
    }
    // Castling leaves two squares.
    play(&mut page, &mut position, "h1e1e", Some("dialog[open] .choice[title='elephant, h1']"));
    assert!(position.fen().starts_with("rebqkb1r/1ppppppp/2n2n2/p7/8/2N2NP1/PPPPPPBP/RHBQ1RKE"));
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}

const LIONS: &str = r#"
name = "lion-hunt"
base = "chess"
start = "4k3/8/8/3p4/3pp3/3L4/8/4K3 w - - 0 1"
castling = []
without = "N"
[pieces]
L = { betza = "KNADcaKmabK" }
P = { promotion = { to = "QRB" } }
"#;

#[test]
fn a_lion_goes_on_after_a_capture() {
    let Some(browser) = Browser::start() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lion-hunt");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("lion-hunt.toml"), LIONS).expect("a file");
    let server = Server::start_with(&["--port", "0", "--variants", &folder.to_string_lossy()]);
    let mut page = browser.open(&server.page());
    begin(&mut page, "lion-hunt", None);
    let games =
        read_definitions(&folder).and_then(load).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut position = Position::start(&games[0]);
    let mut play = |text: &str, clicks: &[&str]| {
        for (index, square) in clicks.iter().enumerate() {
            let target = if index > 0 { ".target" } else { "" };
            let square = format!("[data-square={square}]{target}");
            page.wait(&format!("document.querySelector('{square}') !== null"));
            page.click(&square);
        }
        position.play(text).unwrap_or_else(|error| panic!("{error}"));
        wait_for(&mut page, &position);
    };
    // Both pawns at once, the last one without moving, and a step to where nothing is captured.
    play("d3d4,d4d5", &["d3", "d4", "d5"]);
    play("e8f8", &["e8", "f8"]);
    play("d5e4,e4d5", &["d5", "e4", "d5"]);
    play("f8g8", &["f8", "g8"]);
    play("d5e4", &["d5", "e4"]);
    assert_eq!(position.fen(), "6k1/8/8/8/4L3/8/8/4K3 b - - 2 3");
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}
