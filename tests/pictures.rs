//! Pictures of pieces, boards and moves, and the pages made of them: for every game that there is a definition of.

mod self_contained;

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use garrison::picture::{
    BoardLook, DiagramLook, Style, Theme, board_svg, diagram_svg, piece_svg, symbol_id, symbols,
};
use garrison::rulebook::{Sheet, page, poster};
use garrison_rules::catalogue::{builtin_names, reference_names};
use self_contained::assert_needs_nothing;

use garrison_rules::{Catalogue, Color, Letter, Piece, Position, Variant, find};

/// Every game: the shipped ones and those of the tests.
fn all_games() -> Vec<Arc<Variant>> {
    let shipped = builtin_names().iter().chain(reference_names());
    let mut games: Vec<Arc<Variant>> = shipped.map(|name| find(name).expect("shipped")).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games");
    let mut own = Catalogue::new();
    let names = garrison::definitions::add_games(&mut own, &folder).expect("right definitions");
    games.extend(names.iter().map(|name| own.find(name).expect("just added")));
    assert!(games.len() > 50, "{}", games.len());
    games
}

fn pieces(game: &Variant) -> Vec<Piece> {
    let of = |color: Color| game.kinds_of(color).map(move |kind| Piece::new(color, kind));
    Color::ALL.into_iter().flat_map(of).collect()
}

/// Parses a text as XML; what is no XML fails the test.
fn parse<'a>(text: &'a str, what: &str) -> roxmltree::Document<'a> {
    roxmltree::Document::parse(text).unwrap_or_else(|fault| panic!("{what}: {fault}\n{text}"))
}

/// Every reference of a document is to something in it.
fn assert_complete(text: &str, what: &str) {
    let document = parse(text, what);
    for node in document.descendants() {
        let Some(id) = node.attribute("href") else { continue };
        let id = id.strip_prefix('#').unwrap_or_else(|| panic!("{what}: outside reference {id}"));
        assert!(
            document.descendants().any(|node| node.attribute("id") == Some(id)),
            "{what}: {id}"
        );
    }
}

#[test]
fn every_piece_of_every_game_has_a_picture_of_its_own() {
    for game in all_games() {
        for style in [Style::Figures, Style::Tiles] {
            let mut seen: HashMap<String, Piece> = HashMap::new();
            for piece in pieces(&game) {
                let what = format!("{} {style:?} {piece:?}", game.name());
                let svg = piece_svg(&game, piece, style);
                parse(&svg, &what);
                assert!(svg.len() < 4000, "{what}: {} bytes", svg.len());
                if let Some(other) = seen.insert(svg, piece) {
                    panic!("{what} looks like {other:?}");
                }
            }
        }
    }
}

#[test]
fn all_pieces_of_the_seven_games_are_small() {
    let mut all: HashMap<String, usize> = HashMap::new();
    for game in builtin_names().iter().map(|name| find(name).expect("shipped")) {
        for style in [Style::Figures, Style::Tiles] {
            for piece in pieces(&game) {
                let svg = piece_svg(&game, piece, style);
                let length = svg.len();
                all.insert(svg, length);
            }
        }
    }
    let bytes: usize = all.values().sum();
    assert!(bytes < 100_000, "{} pictures of {bytes} bytes", all.len());
}

#[test]
fn symbols_have_names_of_their_own() {
    let game = find("shoogantshii").expect("a game");
    let text = symbols(&game, pieces(&game), Style::Tiles);
    let document = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{text}</svg>");
    let document = parse(&document, "symbols");
    let mut ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), count), (count, pieces(&game).len()));
    let rook = game.kind_of(Letter { capital: 'R', promoted: true }).expect("a promoted rook");
    let id = symbol_id(&game, Piece::new(Color::Black, rook), Style::Tiles);
    assert!(ids.contains(&id.as_str()), "{id}");
}

#[test]
fn every_board_and_every_diagram_is_a_whole_document() {
    for game in all_games() {
        let position = Position::start(&game);
        for (style, bottom, theme) in
            [(Style::Figures, Color::White, Theme::Auto), (Style::Tiles, Color::Black, Theme::Dark)]
        {
            let look = BoardLook { style, bottom, theme, ..BoardLook::default() };
            assert_complete(&board_svg(&position, &look), game.name());
            for piece in pieces(&game) {
                let look = DiagramLook { style, theme, ..DiagramLook::default() };
                let svg = diagram_svg(&game, piece.color(), piece.kind(), &look);
                assert_complete(&svg, &format!("{} {piece:?}", game.name()));
            }
        }
    }
}

/// The marks of a diagram by their class.
fn marks(game: &str, letter: char, color: Color) -> HashMap<String, usize> {
    let game = find(game).expect("a game");
    let kind = game.kind_of(Letter { capital: letter, promoted: false }).expect("a piece");
    let look = DiagramLook { legend: false, ..DiagramLook::default() };
    let svg = diagram_svg(&game, color, kind, &look);
    let document = parse(&svg, "a diagram");
    let mut counts = HashMap::new();
    for node in document.descendants() {
        let class = node.attribute("class").unwrap_or_default();
        if ["gb-both", "gb-quiet", "gb-capture", "gb-screen"].contains(&class) {
            *counts.entry(class.to_string()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn diagrams_keep_moves_and_captures_apart() {
    let of = |pairs: &[(&str, usize)]| -> HashMap<String, usize> {
        pairs.iter().map(|&(class, count)| (class.to_string(), count)).collect()
    };
    assert_eq!(marks("chess", 'N', Color::White), of(&[("gb-both", 8)]));
    assert_eq!(marks("chess", 'P', Color::Black), of(&[("gb-quiet", 2), ("gb-capture", 2)]));
    let cannon = of(&[("gb-quiet", 4), ("gb-capture", 4), ("gb-screen", 4)]);
    assert_eq!(marks("xiangqi", 'C', Color::White), cannon);
    assert_eq!(marks("sixfortresses", 'T', Color::White), of(&[]));
}

#[test]
fn a_diagram_points_forward_for_its_side() {
    let game = find("shogi").expect("a game");
    let lance = game.kind_of(Letter { capital: 'L', promoted: false }).expect("a lance");
    let [white, black] =
        Color::ALL.map(|color| diagram_svg(&game, color, lance, &DiagramLook::default()));
    assert_ne!(white, black);
    // The tip of the only line is far above the middle for White, far below for Black.
    let tip = |svg: &str| {
        let document = parse(svg, "a lance");
        let line = document
            .descendants()
            .find(|node| node.attribute("class") == Some("gb-both"))
            .and_then(|group| group.first_element_child()?.attribute("d").map(str::to_string))
            .expect("a line");
        let tip =
            line.split('L').nth(3).and_then(|point| point.split(' ').nth(1)?.parse::<i32>().ok());
        tip.expect("a tip")
    };
    assert!(tip(&white) < 150 && tip(&black) > 550, "{} {}", tip(&white), tip(&black));
}

#[test]
fn the_page_and_the_picture_of_every_game_need_nothing_else() {
    for game in all_games() {
        let sheet = Sheet::of_game(&game);
        assert_complete(&poster(&sheet, Style::Figures, Theme::Light), game.name());
        let html = page(&sheet, Style::Tiles);
        assert_needs_nothing(&html, game.name());
        for piece in &sheet.pieces {
            assert!(html.contains(&format!("<h3>{}</h3>", piece.names.replace('\'', "&#39;"))));
        }
        for rule in sheet.rules.iter().chain(&sheet.rulings) {
            let rule = rule.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;");
            assert!(html.contains(&rule.replace('<', "&lt;").replace('>', "&gt;")), "{rule}");
        }
    }
}

#[test]
fn a_family_has_its_armies_side_by_side() {
    let sheet = Sheet::of("swda").expect("a family");
    let html = page(&sheet, Style::Figures);
    assert_needs_nothing(&html, "swda");
    for army in ["Orderly Originals", "Japanese Jostlers", "Posh Protectors", "Amphibian Attackers"]
    {
        assert!(html.contains(&format!("<h3>{army} (")), "{army}");
    }
    assert!(html.contains("<th class=\"number\">written</th><th class=\"number\">learned</th>"));
    assert_complete(&poster(&sheet, Style::Figures, Theme::Light), "swda");
}

fn garrison(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_garrison")).args(words).output().expect("the program runs")
}

#[test]
fn render_draws_what_it_is_asked_for() {
    let words = [
        "render",
        "--variant",
        "shoranji",
        "--moves",
        "d3d5",
        "--arrow",
        "e3e4",
        "a1a2",
        "--mark",
        "e4,d4",
        "--svg",
        "-",
        "--theme",
        "auto",
        "--size",
        "20",
        "--flip",
    ];
    let run = garrison(&words);
    assert!(run.status.success(), "{run:?}");
    let text = String::from_utf8(run.stdout).expect("text");
    assert_complete(&text, "render");
    for (class, count) in [("gb-arrow", 2), ("gb-mark", 2), ("gb-last", 1), ("gb-tray", 2)] {
        assert_eq!(text.matches(&format!("class=\"{class}\"")).count(), count, "{class}");
    }
    assert!(text.contains("prefers-color-scheme:dark"), "both themes");
}

#[test]
fn faults_of_render_are_one_line() {
    for (words, fault) in [
        (vec!["--arrow", "e2x9"], "--arrow 'e2x9': expected are two squares"),
        (vec!["--mark", "e44"], "--mark 'e44': expected is a square"),
        (vec!["--fen", "8/8 w - - 0 1"], "FEN"),
        (vec!["--moves", "e2e5"], "move 1"),
        (vec!["--variant", "chesss"], "chesss"),
        (vec!["--svg", "/nowhere/at/all.svg"], "cannot write"),
    ] {
        let with_file = words.contains(&"--svg");
        let mut all = vec!["render"];
        all.extend(words.iter().copied());
        if !with_file {
            all.extend(["--svg", "-"]);
        }
        let run = garrison(&all);
        let error = String::from_utf8(run.stderr).expect("text");
        assert_eq!((run.status.code(), error.lines().count()), (Some(2), 1), "{words:?}: {error}");
        assert!(error.contains(fault) && run.stdout.is_empty(), "{words:?}: {error}");
    }
}

#[test]
#[cfg(unix)]
fn the_pictures_of_the_documentation_are_those_that_the_program_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-pictures");
    std::fs::create_dir_all(&folder).expect("a folder");
    let run = Command::new("bash")
        .arg(root.join("make"))
        .args([Path::new(env!("CARGO_BIN_EXE_garrison")), &folder])
        .output()
        .expect("bash runs");
    assert!(run.status.success(), "{run:?}");
    for name in ["shoranji.svg", "shoogantshii.svg", "cannon.svg"] {
        let [kept, new] = [&root, &folder].map(|folder| std::fs::read(folder.join(name)).ok());
        assert!(kept.is_some() && kept == new, "{name}: docs/pictures/make draws it anew");
    }
}

#[test]
fn a_diagram_of_one_piece_is_a_picture_of_its_own() {
    let run = garrison(&["variants", "show", "shogi", "--piece", "+r", "--svg", "-"]);
    let text = String::from_utf8(run.stdout).expect("text");
    assert_complete(&text, "+r");
    assert!(run.status.success() && text.contains("<title>+R: dragon king</title>"), "{text}");
    let run = garrison(&["variants", "show", "shogi", "--piece", "X", "--svg", "-"]);
    let error = String::from_utf8(run.stderr).expect("text");
    assert_eq!((run.status.code(), error.lines().count()), (Some(2), 1), "{error}");
}

#[test]
fn of_two_royals_the_one_in_check_is_marked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games");
    let mut own = Catalogue::new();
    garrison::definitions::add_games(&mut own, &folder).expect("right definitions");
    let coregal = own.find("coregal").expect("just added");
    let marked = |fen: &str| {
        let position = Position::from_fen(&coregal, fen).expect("a position");
        let svg = board_svg(&position, &BoardLook::default());
        let document = parse(&svg, fen);
        let mark = document.descendants().find(|node| node.attribute("class") == Some("gb-check"));
        mark.and_then(|mark| mark.attribute("d")).map_or(0, |path| path.matches('M').count())
    };
    assert_eq!(marked("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"), 0);
    assert_eq!(marked("3rk3/8/8/8/8/8/8/3QK3 w - - 0 1"), 1);
    assert_eq!(marked("4k3/8/8/8/8/2n5/8/3QK2r w - - 0 1"), 2);
}
