//! What else the page does: take back, reload, restart, tabs, analysis, files, positions, armies, keyboard.

use std::time::Duration;

use garrison::record::pgn;
use garrison_rules::{Position, find};
use serde_json::json;

use crate::chromium::{Browser, Page};
use crate::play::{begin, play};
use crate::server::Server;

/// The position of a game after these moves, made on the page.
fn play_all(page: &mut Page, variant: &str, moves: &[&str]) -> Position {
    begin(page, variant, None);
    let mut position = Position::start(&find(variant).expect("a game"));
    for text in moves {
        let mv = position.parse_move(text).expect("a legal move");
        play(page, &mut position, mv);
    }
    position
}

fn assert_no_faults(page: &Page) {
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}

const CHESSTONIA: [&str; 6] = ["e3e4", "e10e9", "a3a4", "i10i9", "b3b4", "h10h9"];

#[test]
fn a_game_survives_taking_back_reloading_and_a_restart() {
    let Some(browser) = Browser::start() else { return };
    let mut server = Server::start();
    let mut page = browser.open(&server.page());
    let position = play_all(&mut page, "chesstonia", &CHESSTONIA);
    let mut before = position.clone();
    before.unmake();
    page.click("#do-back");
    page.wait(&format!(
        "garrison.game.view.fen === {} && !garrison.game.pending",
        json!(before.fen())
    ));
    let mut again = before.clone();
    let mv = again.parse_move(CHESSTONIA[5]).expect("a legal move");
    play(&mut page, &mut again, mv);
    page.command("Page.reload", json!({}));
    page.wait(&format!("window.garrison?.game?.view?.fen === {}", json!(position.fen())));
    assert_eq!(page.value("garrison.game.tree.path().length"), 6);
    // The server dies; the page says so, and keeps the game for the next one.
    let port = server.port.to_string();
    server.kill();
    page.click("#do-hint");
    page.wait("document.querySelector('.note.fault')");
    let next = Server::start_with(&["--port", &port]);
    page.go(&next.address);
    page.wait(&format!("window.garrison?.game?.view?.fen === {}", json!(position.fen())));
    let mut position = position;
    let mv = position.parse_move("c3c4").expect("a legal move");
    play(&mut page, &mut position, mv);
}

#[test]
fn games_end_by_agreement_by_resignation_by_claim_and_on_time() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    let result = |page: &mut Page, result: &str| {
        page.wait(&format!(
            "garrison.game.ending && !garrison.game.pending && garrison.game.result() === '{result}'"
        ));
    };
    play_all(&mut page, "chess", &["e2e4"]);
    page.click("#do-draw");
    page.wait("document.getElementById('do-draw').textContent === 'Accept draw'");
    page.click("#do-draw");
    result(&mut page, "1/2-1/2");
    play_all(&mut page, "chess", &["e2e4"]);
    page.click("#do-resign");
    page.wait("document.querySelector('dialog .strong') !== null");
    page.click("dialog .strong");
    result(&mut page, "1-0");
    let repeated = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
    play_all(&mut page, "chess", &repeated);
    page.wait("document.getElementById('do-draw').textContent === 'Claim draw'");
    page.click("#do-draw");
    result(&mut page, "1/2-1/2");
    let game = json!({
        "variant": "chess",
        "clock": { "base": 1000, "increment": 0 },
        "players": { "w": { "kind": "person" }, "b": { "kind": "person" } }
    });
    page.value(&format!("garrison.begin({game}).then(() => true)"));
    page.drag("[data-square=e2]", "[data-square=e4]");
    result(&mut page, "1-0");
    // With the move its time is taken back.
    page.click("#do-back");
    page.wait("!garrison.game.ending && garrison.game.clock.of('b') === 1000");
    assert_no_faults(&page);
}

#[test]
fn tabs_have_games_of_their_own() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut first = browser.open(&server.page());
    let one = play_all(&mut first, "chesstonia", &CHESSTONIA[..2]);
    let mut second = browser.open(&server.page());
    let two = play_all(&mut second, "shoogantshii", &["e3e4"]);
    for (page, position) in [(&mut first, &one), (&mut second, &two)] {
        page.command("Page.reload", json!({}));
        page.wait(&format!("window.garrison?.game?.view?.fen === {}", json!(position.fen())));
        assert_no_faults(page);
    }
}

#[test]
fn a_tab_goes_back_to_a_game_that_it_had() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    let position = play_all(&mut page, "chesstonia", &CHESSTONIA[..2]);
    play_all(&mut page, "chess", &["e2e4"]);
    page.click("#kept");
    page.wait("document.querySelectorAll('.kept li').length === 3");
    page.click(".kept li:nth-child(2) button");
    page.wait(&format!("garrison.game.view.fen === {}", json!(position.fen())));
    page.wait("!document.querySelector('dialog')");
    assert_no_faults(&page);
}

#[test]
fn a_game_that_is_refused_changes_nothing() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    let mut position = play_all(&mut page, "chess", &["e2e4"]);
    page.value(
        "garrison.guard(() => garrison.begin({ variant: 'shoranji', fen: '9/9 w' })).then(() => true)",
    );
    page.wait("document.querySelector('.note.fault')?.textContent.includes('FEN')");
    // A kept game may be one that the program does not know any more.
    page.value(
        "{ const key = Object.keys(localStorage).find((own) => own.startsWith('garrison.game.')); \
         const game = JSON.parse(localStorage.getItem(key)); \
         localStorage.setItem('garrison.game.lost', JSON.stringify({ ...game, variant: 'lost', time: 0 })); }",
    );
    page.click("#kept");
    page.click(".kept li:last-child button");
    page.wait("[...document.querySelectorAll('.note.fault')].some((own) => own.textContent.includes(\"'lost'\"))");
    page.value("document.querySelector('dialog').close()");
    let mv = position.parse_move("e7e5").expect("a legal move");
    play(&mut page, &mut position, mv);
    let variant = page.value("JSON.parse(localStorage.getItem('garrison.game.lost')).variant");
    assert_eq!(variant, "lost");
}

#[test]
fn the_program_answers_hints_and_analyzes() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    page.wait("window.garrison?.game?.view");
    let game = json!({
        "variant": "swda-ao",
        "players": { "w": { "kind": "person" }, "b": { "kind": "program", "limit": { "level": 1 } } }
    });
    page.value(&format!("garrison.begin({game}).then(() => true)"));
    page.drag("[data-square=e2]", "[data-square=e3]");
    page.wait("garrison.game.tree.path().length === 2 && garrison.game.view.side === 'w'");
    page.click("#do-hint");
    page.wait("document.querySelectorAll('.arrows .arrow').length === 1");
    page.click("#do-analysis");
    page.wait("document.querySelectorAll('#analysis .lines li').length === 3");
    page.wait("document.querySelectorAll('.arrows .arrow').length === 3");
    page.wait("!document.getElementById('gauge').hidden");
    let plies = page.value("garrison.game.tree.path().length").as_u64().expect("a number");
    page.click("#analysis .lines button.small");
    page.wait(&format!("garrison.game.tree.path().length > {plies} && !garrison.game.pending"));
    page.click("#do-analysis");
    page.wait("document.getElementById('analysis').hidden");
    // What was tried is a variation: the game goes on where it was.
    assert_eq!(page.value("garrison.game.tree.texts(garrison.game.live).length"), plies);
    page.click("#step-first");
    page.wait(
        "garrison.game.tree.at === garrison.game.tree.root && garrison.game.view.moves.length > 0",
    );
    page.click("#step-last");
    page.wait("garrison.game.tree.at !== garrison.game.tree.root");
    assert_no_faults(&page);
}

#[test]
fn the_analysis_says_why_it_has_nothing_to_analyze() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    begin(&mut page, "shoranji", None);
    page.click("#do-analysis");
    page.wait("document.querySelector('#analysis > .quiet').textContent.includes('set up')");
    begin(&mut page, "chess", Some("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"));
    page.wait(
        "document.querySelector('#analysis > .quiet').textContent === 'The game is over here.'",
    );
    assert_eq!(page.value("document.querySelector('#gauge div').style.height"), "100%");
    assert_no_faults(&page);
}

#[test]
fn games_go_out_and_come_in_as_pgn_and_are_annotated() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    let position = play_all(&mut page, "chesstonia", &CHESSTONIA);
    page.click("#files");
    page.wait("document.getElementById('pgn')");
    let text = page.value("document.getElementById('pgn').value");
    let text = text.as_str().expect("a text").to_string();
    let records = pgn::read(&text);
    let record = records[0].as_ref().expect("a game");
    assert_eq!(record.end(), position);
    let varied = text.replacen("1. e4", "1. e4 (1. d4 {closed} (1. f4))", 1);
    let broken = text.replacen("1. e4", "1. e4 (1. d4 e5 2. f4)", 1);
    let faulty = text.replace("1. e4", "1. e6");
    page.value(&format!("document.getElementById('load-text').value = {}", json!(faulty)));
    page.click("#load");
    page.wait("document.querySelector('dialog .fault').textContent.includes('move 1 of White')");
    page.value(&format!("document.getElementById('load-text').value = {}", json!(text)));
    page.click("#load");
    page.wait("!document.querySelector('dialog') && garrison.game.tree.main().length === 6");
    page.click("#step-last");
    page.wait(&format!("garrison.game.view.fen === {}", json!(position.fen())));
    page.click("#files");
    page.wait("document.getElementById('load-text')");
    page.value(&format!("document.getElementById('load-text').value = {}", json!(broken)));
    page.click("#load");
    // What is right of the variation is there; what is not is said.
    page.wait("document.querySelector('#notes .fault')?.textContent.includes('in a variation of 1. e4: move 1 of Black: illegal move')");
    page.wait("!document.querySelector('dialog') && garrison.game.tree.root.children.length === 2");
    assert_eq!(
        page.value("garrison.game.tree.root.children.map((node) => node.children.length)"),
        json!([1, 0])
    );
    page.wait("garrison.game.tree.main().length === 6");
    page.click("#files");
    page.wait("document.getElementById('load-text')");
    page.value(&format!("document.getElementById('load-text').value = {}", json!(varied)));
    page.click("#load");
    page.wait("!document.querySelector('dialog') && garrison.game.tree.root.children.length === 3");
    page.click("#files");
    page.wait("document.getElementById('pgn')?.value.includes('(1. d4 {closed}) (1. f4)')");
    page.wait("document.getElementById('annotate-nodes')");
    page.value("document.getElementById('annotate-nodes').value = 200");
    page.click("#annotate");
    page.wait("garrison.game.tree.main().every((node) => node.comment?.includes('[%eval'))");
    page.wait("document.querySelector('.graph .curve')");
    assert_no_faults(&page);
}

#[test]
fn positions_are_put_together_with_their_faults() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    begin(&mut page, "sixfortresses", None);
    page.click("#edit");
    page.wait("document.querySelector('#editor-board .square') && garrison.sections.editor.legal");
    page.click("#editor-clear");
    page.wait("document.querySelectorAll('.faults .fault').length >= 2");
    assert_eq!(page.value("document.getElementById('editor-use').disabled"), true);
    let put = |page: &mut Page, piece: &str, square: &str| {
        page.click(&format!(".palette [data-piece={piece}]"));
        page.click(&format!("#editor-board [data-square={square}]"));
        page.wait(&format!("garrison.sections.editor.pieces.get('{square}') === '{piece}'"));
        page.click(&format!(".palette [data-piece={piece}]"));
    };
    put(&mut page, "wT", "a1");
    put(&mut page, "bT", "i9");
    put(&mut page, "wP", "e1");
    page.wait("document.querySelector('#editor-board [data-square=e1].fault')");
    page.drag("#editor-board [data-square=e1]", "#editor-board [data-square=e4]");
    page.value("{ const own = document.getElementById('editor-state'); own.value = '-'; own.dispatchEvent(new Event('change')); }");
    page.wait("garrison.sections.editor.legal === '8t/9/9/9/9/4P4/9/9/T8[] w - - 0 1'");
    page.click("#editor-analyze");
    page.wait("garrison.game.view.fen === '8t/9/9/9/9/4P4/9/9/T8[] w - - 0 1'");
    assert_no_faults(&page);
}

#[test]
fn a_new_game_is_chosen_with_its_armies() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&format!("{}?game=swda-jp", server.address));
    page.wait("window.garrison?.game?.variant === 'swda-jp' && garrison.game.view");
    page.click("#new");
    page.wait("document.getElementById('begin')");
    let armies = page.value(
        "[...document.querySelectorAll('dialog .pair')][0].querySelectorAll('select').length",
    );
    assert_eq!(armies, 2);
    page.value("{ const own = document.getElementById('new-hash'); own.value = '256'; }");
    // White's army is chosen in secret by a person, Black's by chance by the program.
    page.value("{ for (const list of document.querySelectorAll('dialog .pair')[0].querySelectorAll('select')) list.value = '?'; }");
    page.click("#begin");
    page.wait("document.querySelectorAll('dialog .column button').length === 4");
    page.click("dialog .column button:nth-child(4)");
    page.wait("garrison.game.variant?.startsWith('swda-a') && garrison.game.view?.fen.startsWith('') && !document.querySelector('dialog')");
    page.wait("[...document.querySelectorAll('.note')].some((note) => note.textContent.includes('Black plays'))");
    page.wait("garrison.game.people.b.threads === 1 && garrison.game.people.b.hash === 256");
    assert_no_faults(&page);
}

#[test]
fn a_definition_with_two_faults_is_mended_and_played() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    page.wait("window.garrison?.game?.view");
    page.click("#invent");
    page.wait(
        "document.querySelector('#definition-faults .right') && garrison.sections.inventor.view",
    );
    let change = |page: &mut Page, from: &str, to: &str| {
        let script = format!(
            "{{ const own = document.getElementById('definition'); own.value = own.value.replace({}, {}); \
             own.dispatchEvent(new Event('input')); }}",
            json!(from),
            json!(to)
        );
        page.value(&script);
    };
    change(&mut page, "betza = \"N\"", "betza = \"N!\"");
    change(&mut page, "royalty =", "royality =");
    page.wait("document.querySelectorAll('.linenumbers .wrong').length === 2");
    page.wait("document.getElementById('definition-faults').textContent.includes(\"the nearest is 'royalty'\")");
    assert_eq!(page.value("document.getElementById('invent-play').disabled"), true);
    change(&mut page, "royality =", "royalty =");
    page.wait("document.querySelectorAll('.linenumbers .wrong').length === 1");
    change(&mut page, "betza = \"N!\"", "betza = \"N\"");
    page.wait("document.querySelector('#definition-faults .right')");
    page.click("#invent-perft");
    page.wait("document.getElementById('counts').textContent.includes('perft 2: 49 ')");
    page.click("#invent-play");
    page.wait("garrison.game.view?.fen.startsWith('rnkbr/') && !garrison.game.pending && !document.getElementById('play').hidden");
    page.drag("[data-square=a2]", "[data-square=a3]");
    page.wait("garrison.game.tree.path().length === 2");
    // The text goes with the game, so that another program knows it too.
    page.command("Page.reload", json!({}));
    page.wait("window.garrison?.game?.variant?.startsWith('~') && garrison.game.view && garrison.game.tree.path().length === 2");
    // Records name it as its definition does; one that is loaded again has the definition too.
    page.value("garrison.match.program.cancel()");
    page.click("#files");
    page.wait("document.getElementById('pgn')?.value.includes('[Variant \"hook\"]')");
    page.value("document.getElementById('load-text').value = document.getElementById('pgn').value");
    page.click("#load");
    page.wait("!document.querySelector('dialog') && garrison.game.tags.length > 0 && !garrison.game.pending");
    assert_eq!(page.value("garrison.game.tree.main().length"), 2);
    assert_eq!(page.value("garrison.game.definition.startsWith('name = \"hook\"')"), true);
    assert_no_faults(&page);
}

#[test]
fn the_keyboard_plays_and_everything_is_named() {
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    begin(&mut page, "chess", None);
    page.value("document.querySelector('[data-square=e2]').focus()");
    page.key("Enter");
    page.wait("document.querySelector('[data-square=e4]').getAttribute('aria-label').includes('may move here')");
    page.key("ArrowUp");
    page.key("ArrowUp");
    assert_eq!(page.value("document.activeElement.dataset.square"), "e4");
    page.key("Enter");
    page.wait("garrison.game.view.side === 'b'");
    page.wait("document.getElementById('says').textContent === 'White plays e4'");
    let label = page.value("document.querySelector('[data-square=e4]').getAttribute('aria-label')");
    assert_eq!(label, "e4, White pawn, last move");
    assert_no_faults(&page);
}

/// Deque's axe-core, as a file named by `GARRISON_AXE` (npm's package `axe-core` has it).
#[test]
fn an_audit_of_accessibility_finds_nothing_serious() {
    let Some(path) = std::env::var_os("GARRISON_AXE") else {
        eprintln!("skipped: GARRISON_AXE names no axe.min.js");
        return;
    };
    let axe = std::fs::read_to_string(path).expect("axe-core");
    let Some(browser) = Browser::start() else { return };
    let server = Server::start();
    let mut page = browser.open(&server.page());
    begin(&mut page, "shoranji-maximus", None);
    page.value(&axe);
    let states = [
        ("a game", "true"),
        ("analysis", "(garrison.toggleAnalysis(), true)"),
        ("new game", "(garrison.newGame(), true)"),
        ("files", "(document.querySelector('dialog').close(), garrison.openFiles(), true)"),
        ("settings", "(document.querySelector('dialog').close(), garrison.openSettings(), true)"),
        (
            "editor",
            "(document.querySelector('dialog').close(), garrison.sections.openEditor(), true)",
        ),
        ("inventor", "(garrison.sections.openInventor(), true)"),
    ];
    for (name, act) in states {
        page.value(act);
        std::thread::sleep(Duration::from_millis(500));
        for (width, height) in [(1440, 900), (360, 640)] {
            page.resize(width, height);
            let script = "axe.run().then((found) => found.violations.filter((own) => ['serious', 'critical'].includes(own.impact)) \
                .map((own) => `${own.id}: ${own.nodes.map((node) => node.html).join(' ')}`))";
            let found = page.value(script);
            assert_eq!(found, json!([]), "{name} at {width}×{height}");
        }
    }
}
