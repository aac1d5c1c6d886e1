//! Games as pages of their own: what the script gets, and what a browser without a network makes of it.

mod self_contained;

use std::path::{Path, PathBuf};
use std::process::Command;

use garrison::picture::Style;
use garrison::record::{GameRecord, Ply, Variation};
use garrison::viewer::{ViewerGame, ViewerPly, ViewerValue, page, without_commands};
use garrison_rules::catalogue::builtin_names;
use garrison_rules::random::SplitMix;
use garrison_rules::{Color, File, Position, Rank, find};
use self_contained::assert_needs_nothing;
use serde_json::Value;

/// A game of random moves.
fn random_game(name: &str, plies: usize) -> GameRecord {
    let mut position = Position::start(&find(name).expect("a game"));
    let mut record = GameRecord::new(&position);
    let mut random = SplitMix::new(7);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.status().outcome().is_some() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        record.push(mv, None);
        position.make(mv);
    }
    record
}

/// What the script of a page reads.
fn data(html: &str) -> Value {
    let (_, rest) =
        html.split_once("<script type=\"application/json\" id=\"data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(json).expect("JSON")
}

/// The pieces of a position as the script would show them, by their symbols.
fn shown(data: &Value, node: usize) -> (Vec<String>, [Vec<String>; 2]) {
    let symbol = |letter: &str| {
        let piece = data["pieces"].as_array().expect("pieces").iter();
        let found = piece.clone().find(|piece| piece[0] == letter);
        found.map(|piece| piece[1].as_str().expect("a symbol").to_string())
    };
    let mut path = vec![node];
    while let Some(parent) = data["nodes"][path[path.len() - 1]]["p"].as_u64() {
        path.push(parent as usize);
    }
    let size = data["files"].as_u64().expect("files") * data["ranks"].as_u64().expect("ranks");
    let mut board = vec![String::new(); size as usize];
    let mut hands = [Vec::new(), Vec::new()];
    for node in path.into_iter().rev().map(|node| &data["nodes"][node]) {
        for change in node["b"].as_array().into_iter().flatten() {
            let place = change[0].as_u64().expect("a square") as usize;
            board[place] = symbol(change[1].as_str().expect("a letter")).unwrap_or_default();
        }
        if let Some(both) = node["h"].as_array() {
            for (hand, letters) in hands.iter_mut().zip(both) {
                let letters = letters.as_str().expect("letters").chars();
                *hand = letters.map(|c| symbol(&c.to_string()).expect("a piece")).collect();
            }
        }
    }
    (board, hands)
}

/// The same of the position itself.
fn wanted(position: &Position, style: Style) -> (Vec<String>, [Vec<String>; 2]) {
    let (variant, geometry) = (position.variant(), position.variant().geometry());
    let symbol = |piece| garrison::picture::symbol_id(variant, piece, style);
    let mut board = Vec::new();
    for rank in (0..geometry.ranks()).rev() {
        for file in 0..geometry.files() {
            let square = geometry.square(File(file), Rank(rank)).expect("a square");
            board.push(position.at(square).map(symbol).unwrap_or_default());
        }
    }
    let hands = Color::ALL.map(|color| {
        let mut hand = Vec::new();
        for &kind in variant.hand_kinds() {
            for _ in 0..position.in_hand(color, kind) {
                hand.push(symbol(garrison_rules::Piece::new(color, kind)));
            }
        }
        hand
    });
    (board, hands)
}

#[test]
fn the_script_gets_every_position_of_every_game() {
    for name in builtin_names() {
        let record = random_game(name, 120);
        let html = page(&ViewerGame::of_record(&record), Style::Tiles);
        assert_needs_nothing(&html, name);
        let data = data(&html);
        let mut position = record.start.clone();
        assert_eq!(data["nodes"].as_array().expect("nodes").len(), record.plies.len() + 1);
        for (index, ply) in record.plies.iter().enumerate() {
            assert_eq!(shown(&data, index), wanted(&position, Style::Tiles), "{name}: {index}");
            position.make(ply.mv);
        }
        let last = record.plies.len();
        assert_eq!(shown(&data, last), wanted(&position, Style::Tiles), "{name}: the end");
    }
}

/// A game of chess with comments that look like markup, values, and variations within variations.
fn annotated() -> ViewerGame {
    let start = Position::start(&find("chess").expect("chess"));
    let mut record = GameRecord::new(&start);
    record.set_tag("White", "A </script><b>");
    record.set_tag("Black", "B & C");
    let mut position = start.clone();
    for text in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        let mv = position.parse_move(text).expect("a move");
        record.push(mv, Some(format!("<i>{text}</i> [%clk 0:01:00] </script>")));
        position.make(mv);
    }
    let mut game = ViewerGame::of_record(&record);
    for (ply, expected) in game.line.iter_mut().zip([0.5, 0.55, 0.9, 0.2]) {
        ply.value = Some(ViewerValue { expected, text: "+0.10".to_string(), best: None });
    }
    game.value =
        Some(ViewerValue { expected: 0.5, text: "0.00".into(), best: Some(record.plies[0].mv) });
    let mut before = start;
    before.make(record.plies[0].mv);
    let sicilian = before.parse_move("c7c5").expect("a move");
    let french = before.parse_move("e7e6").expect("a move");
    let inner = ViewerPly {
        variations: vec![vec![ViewerPly::plain(french)]],
        ..ViewerPly::plain(sicilian)
    };
    game.line[1].variations.push(vec![inner]);
    game.line[1].nags = vec![4];
    game
}

#[test]
fn comments_and_variations_are_in_their_places() {
    let html = page(&annotated(), Style::Figures);
    assert_needs_nothing(&html, "annotated");
    assert!(!html.contains("<i>") && !html.contains("</script><b>"), "texts are escaped");
    let data = data(&html);
    let nodes = data["nodes"].as_array().expect("nodes");
    let texts: Vec<&str> = nodes.iter().map(|node| node["t"].as_str().expect("a text")).collect();
    assert_eq!(texts, ["Start", "1. e4", "1... e5??", "1... c5", "1... e6", "2. Nf3", "2... Nc6"]);
    let parents: Vec<Option<u64>> = nodes.iter().map(|node| node["p"].as_u64()).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(1), Some(2), Some(5)]);
    assert_eq!(nodes[1]["c"], "<i>e2e4</i> </script>");
    assert_eq!(nodes[0]["a"], serde_json::json!([52, 36]));
    assert!(html.contains("class=\"dot blunder\"") && html.contains("(1... <a"), "{html}");
}

#[test]
fn commands_of_programs_are_no_comments() {
    assert_eq!(without_commands("a [%clk 0:00:30] b [%eval 0.1,8]"), "a b");
    assert_eq!(without_commands("[%clk 0:00:30"), "");
}

/// Chromium, if it is installed.
fn chromium() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success())
    });
    if found.is_none() {
        println!("skipped: Chromium is not installed");
    }
    found
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// What Chromium makes of a page from disk without a network, after a script of the test has run.
fn opened(program: &str, html: &str, address: &str, script: &str) -> String {
    let folder = folder(&format!("viewer-{}", address.trim_start_matches('#')));
    let file = folder.join("game.html");
    let html = html.replace("</body>", &format!("<script>{script}</script></body>"));
    std::fs::write(&file, html).expect("written");
    let run = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}{address}", file.display()))
        .output()
        .expect("Chromium runs");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[test]
fn a_browser_steps_through_the_game_without_a_network() {
    let Some(program) = chromium() else { return };
    let record = random_game("shoogantshii", 60);
    let html = page(&ViewerGame::of_record(&record), Style::Figures);
    let mut position = record.start.clone();
    record.plies[..40].iter().for_each(|ply| position.make(ply.mv));
    let pieces = position.occupied().len() as usize;
    // From the address, then one back and one forward by keys.
    let keys = "for (const key of ['ArrowLeft', 'ArrowRight']) \
                document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));";
    let dom = opened(program, &html, "#40", keys);
    let current = dom
        .split("aria-current=\"true\"")
        .next()
        .and_then(|before| before.rsplit("data-n=\"").next());
    assert!(current.is_some_and(|number| number.starts_with("40\"")), "{current:?}");
    let placed = dom.split("id=\"placed\">").nth(1).and_then(|rest| rest.split("</g>").next());
    let placed = placed.expect("the pieces").matches("<use").count();
    assert_eq!(placed, pieces);
    let held: u32 =
        Color::ALL.iter().map(|&color| position.hand(color).slots().count() as u32).sum();
    assert_eq!(dom.matches("class=\"held\"").count() as u32, held);
    let san = {
        let mut before = record.start.clone();
        record.plies[..39].iter().for_each(|ply| before.make(ply.mv));
        before.san(record.plies[39].mv)
    };
    let now = dom.split("id=\"now\"").nth(1).and_then(|rest| rest.split("</p>").next());
    assert!(now.is_some_and(|now| now.contains(&san)), "{san}: {now:?}");
}

#[test]
fn a_browser_flips_the_board_and_goes_to_the_ends() {
    let Some(program) = chromium() else { return };
    let html = page(&annotated(), Style::Tiles);
    let script = "document.getElementById('flip').click(); document.getElementById('last').click(); \
                  document.getElementById('first').click(); document.getElementById('best').click();";
    let dom = opened(program, &html, "#2", script);
    assert!(dom.contains("id=\"ground-white\" hidden"), "turned");
    assert!(dom.contains("marker-end=\"url(#head)\""), "the best move of the start is drawn");
    let above = dom.split("id=\"name-above\">").nth(1).and_then(|rest| rest.split('<').next());
    assert!(above.is_some_and(|name| name.starts_with("A ")), "{above:?}");
}

#[test]
fn analyze_writes_a_page_for_every_game() {
    let folder = folder("analyze-html");
    let games = folder.join("games.pgn");
    let mut record = random_game("swda-op", 12);
    // The variations of the file are kept beside what the analysis finds better.
    let line = record.plies[..2].iter().map(|ply| Ply::plain(ply.mv)).collect();
    let comment = Some("the file's own".to_string());
    record.plies[0].variations.push(Variation { comment, plies: line });
    std::fs::write(&games, format!("{record}\n{record}")).expect("written");
    let file = folder.join("game.html");
    let run = Command::new(env!("CARGO_BIN_EXE_garrison"))
        .args(["analyze", "--nodes", "200", "--pgn"])
        .arg(&games)
        .arg("--html")
        .arg(&file)
        .output()
        .expect("the program runs");
    assert!(run.status.success(), "{run:?}");
    for name in ["game.html", "game-2.html"] {
        let html = std::fs::read_to_string(folder.join(name)).expect("a page");
        assert_needs_nothing(&html, name);
        let data = data(&html);
        let nodes = data["nodes"].as_array().expect("nodes");
        let judged = nodes.iter().filter(|node| node["i"].is_u64());
        assert!(judged.clone().all(|node| node["e"][0].is_u64()), "{name}");
        assert_eq!(judged.count(), 13);
        let own = nodes.iter().position(|node| node["c"] == "the file's own").expect("a variation");
        assert_eq!((&nodes[own]["p"], &nodes[own + 1]["p"]), (&0.into(), &own.into()));
        assert!(html.contains("accuracy ") && html.contains("id=\"graph\""), "{name}");
    }
    let alone = Command::new(env!("CARGO_BIN_EXE_garrison"))
        .args(["analyze", "--variant", "chess", "--html", "a.html"])
        .output()
        .expect("the program runs");
    assert_eq!(alone.status.code(), Some(2));
}
