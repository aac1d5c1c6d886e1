//! What the page says of a game: how its pieces move, its rules, and a game as a page of its own.

use serde_json::{Value, json};

use crate::chromium::{Browser, Page};
use crate::play::begin;
use crate::server::Server;

/// Whether all pictures of the dialog have been drawn.
const DRAWN: &str = "document.querySelectorAll('.piece-card .moves').length && \
     [...document.querySelectorAll('.piece-card img')].every((image) => image.complete && image.naturalWidth > 0)";

fn cards(page: &mut Page) -> u64 {
    page.value("document.querySelectorAll('.piece-card').length").as_u64().expect("a number")
}

#[test]
fn a_piece_shows_how_it_moves() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.address);
    begin(&mut page, "shoranji", None);
    page.value(
        "document.querySelector('[data-square=\"b9\"]').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))",
    );
    page.wait(DRAWN);
    assert_eq!(cards(&mut page), 1);
    let text = page.value("document.querySelector('.piece-card').innerText");
    let text = text.as_str().expect("a text");
    assert!(
        text.contains("knight") && text.contains("two squares one way and one across"),
        "{text}"
    );
    page.click("#all-pieces");
    page.wait("document.querySelectorAll('.piece-card').length > 10");
    page.wait(DRAWN);
    let all = page.value("garrison.game.description.pieces.length").as_u64().expect("a number");
    assert_eq!(cards(&mut page), all);
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}

#[test]
fn the_rules_are_a_page_with_its_own_style() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let base = server.address.split('?').next().expect("an address").to_string();
    let mut page = browser.open(&format!("{base}rules/tiles/shoogantshii.html"));
    page.wait("document.querySelector('.card')");
    assert_eq!(
        page.value("getComputedStyle(document.querySelector('.card')).borderRadius"),
        "12px"
    );
    assert_eq!(page.value("document.querySelector('h1').textContent"), "Šōgantšī");
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}

/// The page that the server makes of a game.
fn exported(page: &mut Page, game: &Value, line: &Value) -> String {
    let body = json!({ "game": game, "line": line, "style": "figures" }).to_string();
    page.value(&format!(
        "window.exported = null; fetch('api/export', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: {} }})\
         .then((answer) => answer.json()).then(({{ html }}) => {{ window.exported = html; }}), 0",
        json!(body)
    ));
    page.wait("window.exported").as_str().expect("a page").to_string()
}

#[test]
fn a_game_is_exported_as_a_page_that_needs_no_server() {
    let Some(browser) = Browser::start() else { return };
    let mut server = Server::start();
    let mut page = browser.open(&server.address);
    // A game with a variation, as the page itself would export it.
    begin(&mut page, "chess", None);
    page.value(
        "['e2e4', 'e7e5'].forEach((text) => garrison.game.tree.play(text)); garrison.game.tree.at = garrison.game.tree.root.children[0]; \
         garrison.game.tree.play('c7c5').score = { text: '+0.20', expected: 0.53 }; garrison.game.tree.at = garrison.game.tree.root; 0",
    );
    let line = page.value("garrison.game.tree.toLine()");
    assert_eq!(line[1]["variations"][0][0]["text"], "c7c5", "{line}");
    let html =
        exported(&mut page, &json!({ "variant": "chess", "moves": [], "result": "*" }), &line);
    assert!(html.contains("(1... <a") && html.contains("[53,\"+0.20\"]"), "{html}");
    let moves = [
        json!({ "text": "e2e4", "comment": "[%eval 0.30,8]", "nags": [] }),
        json!({ "text": "f7f5", "comment": "bold [%eval 1.20,8] best e5 Nf3 (0.30,8)", "nags": [4] }),
    ];
    let game = json!({ "variant": "chess", "moves": moves, "result": "*" });
    let html = exported(&mut page, &game, &json!(null));
    server.kill();
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported.html");
    std::fs::write(&file, html).expect("written");
    let mut page = browser.open(&format!("file://{}#2", file.display()));
    page.wait("document.getElementById('now').textContent.includes('f5??')");
    let now = page.value("document.getElementById('now').textContent");
    assert!(
        now.as_str().is_some_and(|text| text.contains("+1.20") && text.contains("bold")),
        "{now}"
    );
    assert_eq!(page.value("document.querySelectorAll('.variation a').length"), 2);
    assert_eq!(page.value("document.querySelectorAll('#placed use').length"), 32);
    page.key("ArrowLeft");
    page.wait("document.getElementById('now').textContent.includes('e4')");
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}
