//! Moves as people write them, and records of games: what is written reads back, whatever is read
//! does no harm.
//!
//! `GARRISON_SEED` and `GARRISON_PLIES` choose other and longer walks.

mod walk;

/// The reference, whose examples are tests.
const REFERENCE: &str = include_str!("../protocol.md");

use garrison::record::pgn::{Fallback, Games};
use garrison::record::{GameRecord, MOST_DEPTH, MOST_VARIATIONS, Ply, Variation, pgn};
use garrison_rules::catalogue::builtin_names;
use garrison_rules::{GameResult, Position, find};
use proptest::prelude::*;
use walk::{Random, env_number};

/// Every legal move has a text of its own, which reads back in all its forms.
fn check_san(position: &Position, forms: &mut Forms) {
    let fen = position.fen();
    let moves = position.legal_moves();
    let mut texts: Vec<String> = Vec::with_capacity(moves.len());
    for &mv in &moves {
        let text = position.san(mv);
        assert_eq!(position.parse_san(&text), Ok(mv), "{fen} {text}");
        let coordinates = position.move_text(mv);
        assert_eq!(position.parse_san(&coordinates), Ok(mv), "{fen} {coordinates}");
        let unmarked = unmarked(&text);
        assert_eq!(position.parse_san(unmarked), Ok(mv), "{fen} {unmarked}");
        texts.push(unmarked.to_string());
        forms.see(&text);
    }
    texts.sort_unstable();
    let count = texts.len();
    texts.dedup();
    assert_eq!(texts.len(), count, "{fen}: two moves have one text");
}

/// How often each form of text was seen, so that a test that sees none of a form is found out.
#[derive(Debug, Default)]
struct Forms([u64; 11]);

impl Forms {
    fn see(&mut self, text: &str) {
        let body = unmarked(text);
        let origin = body.trim_start_matches(|c: char| c == '+' || c.is_ascii_uppercase());
        let squares = origin.matches(|c: char| c.is_ascii_lowercase() && c != 'x').count();
        let seen = [
            body.len() < text.len() && text.ends_with('+'),
            text.ends_with('#'),
            body.contains('x'),
            body.ends_with("=+"),
            body.ends_with(|c: char| c.is_ascii_uppercase()) && !body.contains('@'),
            body.contains('@') && !body.contains('='),
            body.contains('@') && body.contains('='),
            body.starts_with('+'),
            body.starts_with('='),
            squares == 2 && !origin.contains('@') && !origin.starts_with('='),
            origin.starts_with(|c: char| c.is_ascii_digit()),
        ];
        self.0.iter_mut().zip(seen).for_each(|(count, seen)| *count += u64::from(seen));
    }
}

/// A move without its mark of check or mate: the `+` behind `=` belongs to the move.
fn unmarked(text: &str) -> &str {
    match text.strip_suffix(['+', '#']) {
        Some(rest) if !rest.ends_with('=') => rest,
        _ => text,
    }
}

/// A random game of at most `plies` plies.
fn random_game(name: &str, random: &mut Random, plies: usize) -> Position {
    let mut position = Position::start(&find(name).expect("a built-in game"));
    while position.moves_made().len() < plies && position.status().outcome().is_none() {
        let Some(mv) = random.choose(&position) else { break };
        position.make(mv);
    }
    position
}

#[test]
fn every_move_has_a_text_of_its_own() {
    let mut random = Random::new(env_number("GARRISON_SEED", 5));
    let plies = env_number("GARRISON_PLIES", 250) as usize;
    let mut forms = Forms::default();
    for name in builtin_names().iter().flat_map(|name| [name; 8]) {
        let mut position = random_game(name, &mut random, plies);
        while position.moves_made().len() > 0 {
            check_san(&position, &mut forms);
            position.unmake();
        }
        check_san(&position, &mut forms);
    }
    assert!(forms.0.iter().all(|&count| count > 0), "{forms:?}");
}

/// A text that is hard to write down, of one line and with single spaces.
fn awkward_text(random: &mut Random) -> String {
    const WORDS: [&str; 16] = [
        "+0.31/8", "0.052s", "}", "\\", "\\)", "\\}", "{", "\"", "[Event", "%", ";", "(e4)", "é♔",
        "$3", "1-0", "a\\\\b",
    ];
    let words: Vec<&str> =
        (0..1 + random.below(30)).filter_map(|_| random.pick(&WORDS).copied()).collect();
    words.join(" ")
}

/// The plies that begin here, with random variations within each other down to a depth.
fn with_variations(
    start: &Position,
    plies: Vec<Ply>,
    random: &mut Random,
    depth: usize,
) -> Vec<Ply> {
    let mut position = start.clone();
    let mut grown = Vec::with_capacity(plies.len());
    for mut ply in plies {
        while depth > 0 && random.below(8) == 0 {
            let mut end = position.clone();
            let mut line = Vec::new();
            while line.len() <= random.below(6) && end.status().outcome().is_none() {
                let Some(mv) = random.choose(&end) else { break };
                let comment = (random.below(4) == 0).then(|| awkward_text(random));
                line.push(Ply { comment, ..Ply::plain(mv) });
                end.make(mv);
            }
            let comment = (random.below(4) == 0).then(|| awkward_text(random));
            let plies = with_variations(&position, line, random, depth - 1);
            ply.variations.push(Variation { comment, plies });
        }
        position.make(ply.mv);
        grown.push(ply);
    }
    grown
}

fn random_record(name: &str, random: &mut Random) -> GameRecord {
    let game = random_game(name, random, 120);
    let mut start = game.clone();
    let skipped = if random.below(2) == 0 { 0 } else { random.below(40) };
    while start.moves_made().len() > skipped {
        start.unmake();
    }
    let mut record = GameRecord::new(&start);
    record.set_tag("White", &awkward_text(random));
    record.set_tag("Termination", &awkward_text(random));
    record.set_tag("Round", "3");
    record.comment = (random.below(2) == 0).then(|| awkward_text(random));
    for mv in game.moves_made().skip(start.moves_made().len()) {
        let comment = (random.below(4) == 0).then(|| awkward_text(random));
        let nags = if random.below(8) == 0 { vec![random.next() as u8, 1] } else { Vec::new() };
        record.plies.push(Ply { comment, nags, ..Ply::plain(mv) });
    }
    record.plies = with_variations(&start.without_history(), record.plies, random, 3);
    record.result = random.pick(&GameResult::ALL).copied().expect("a result");
    assert_eq!(record.end(), game.without_history());
    record
}

#[test]
fn games_read_back_as_they_were_written() {
    let mut random = Random::new(env_number("GARRISON_SEED", 7));
    let names = builtin_names().iter();
    let records: Vec<GameRecord> =
        names.flat_map(|name| [name; 3]).map(|name| random_record(name, &mut random)).collect();
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    let again = pgn::read(&text);
    assert_eq!(again.len(), records.len());
    for (record, again) in records.iter().zip(again) {
        let again = again.unwrap_or_else(|error| panic!("{error}\n{record}"));
        let sorted = |record: &GameRecord| {
            let mut tags = record.tags.clone();
            tags.sort();
            tags
        };
        assert_eq!(sorted(&again), sorted(record));
        assert_eq!(again.start, record.start);
        assert_eq!(again.comment, record.comment);
        assert_eq!(again.plies, record.plies);
        assert_eq!(again.result, record.result);
        assert_eq!(again.to_pgn(), record.to_pgn());
    }
}

/// The content of the blocks of the reference that are marked with this word.
fn blocks(mark: &str) -> Vec<&'static str> {
    let begin = format!("```{mark}\n");
    let behind = REFERENCE.split(begin.as_str()).skip(1);
    behind.filter_map(|text| text.split("```").next()).collect()
}

fn position(game: &str, fen: &str) -> Position {
    let variant = find(game).unwrap_or_else(|unknown| panic!("{unknown}"));
    Position::from_fen(&variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn moves_of_the_reference_are_written_so() {
    let lines: Vec<&str> = blocks("san").iter().flat_map(|block| block.lines()).collect();
    assert!(lines.len() >= 25, "only {} moves", lines.len());
    for line in lines {
        let fields: Vec<&str> = line.split(" | ").collect();
        let &[game, fen, coordinates, san] = fields.as_slice() else { panic!("{line}") };
        let position = position(game, fen);
        let mv = position.parse_move(coordinates).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(position.san(mv), san, "{line}");
        check_san(&position, &mut Forms::default());
    }
}

#[test]
fn games_of_the_reference_are_written_so() {
    for block in blocks("pgn") {
        let games = pgn::read(block);
        assert_eq!(games.len(), 2);
        let texts: Vec<String> = games
            .into_iter()
            .map(|game| game.unwrap_or_else(|error| panic!("{error}")).to_pgn())
            .collect();
        assert_eq!(texts.join("\n"), block);
    }
}

#[test]
fn moves_are_read_in_other_spellings() {
    const ROOKS: &str = "4k3/7p/8/8/8/R7/8/R3K2R w - - 0 1";
    for (game, fen, text, san) in [
        ("swda-oo", ROOKS, "Ra1d1", "Rd1"),
        ("swda-oo", ROOKS, "Ra1-d1", "Rd1"),
        ("swda-oo", ROOKS, "R1d1", "Rd1"),
        ("swda-oo", ROOKS, "Rad1", "Rd1"),
        ("swda-oo", ROOKS, "a1d1#", "Rd1"),
        ("swda-oo", ROOKS, "Rd1+", "Rd1"),
        ("swda-oo", ROOKS, "Ra8", "Ra8+"),
        ("swda-oo", ROOKS, "Ra8#", "Ra8+"),
        ("swda-oo", ROOKS, "Rh7", "Rxh7#"),
        ("swda-oo", ROOKS, "R1xa2", "R1a2"),
        ("sixfortresses", "8k/4P4/9/9/9/9/9/9/K8 w - - 0 1", "Pe8-e9=q", "e9=Q+"),
        ("sixfortresses", "8k/4P4/9/9/9/9/9/9/K8 w - - 0 1", "e8e9q+", "e9=Q+"),
        ("shoranji", "9/9/9/9/9/9/4k4/9/9/T8[NEGHA] w - - 0 1", "G@e5w+", "G@e5=W+"),
        ("shoogantshii", "4k4/9/9/2P6/9/9/9/9/3K5 w - - 0 1", "c6c7+", "c7=+"),
        ("shoogantshii", "4k4/9/9/2P6/9/9/9/9/3K5 w - - 0 1", "c7+", "c7"),
        ("shoogantshii", "4k4/9/9/9/2P6/9/9/9/3K5 w - - 0 1", "c5c6+", "c6"),
    ] {
        let position = position(game, fen);
        let mv = position.parse_san(text).unwrap_or_else(|error| panic!("{game} {error}"));
        assert_eq!(position.san(mv), san, "{game} {text}");
    }
}

#[test]
fn moves_that_are_none_are_refused() {
    const ROOKS: &str = "4k3/7p/8/8/8/R7/8/R3K2R w - - 0 1";
    const QUEEN: &str = "8k/4P4/9/9/9/9/9/9/K8 w - - 0 1";
    const HANDS: &str = "t8/9/9/9/9/9/9/9/9/T8[NEGHA] w - - 0 1";
    for (game, fen, text, error) in [
        ("swda-oo", ROOKS, "Ra2", "illegal move 'Ra2': it could be R1a2, R3a2"),
        ("swda-oo", ROOKS, "Rxa2", "illegal move 'Rxa2': it could be R1a2, R3a2"),
        ("swda-oo", ROOKS, "e4", "illegal move 'e4': no pawn of White can go to e4"),
        ("swda-oo", ROOKS, "Rhb3", "illegal move 'Rhb3': no such rook of White can go to b3"),
        ("swda-oo", ROOKS, "+Ra2", "illegal move '+Ra2': no piece of swda-oo is written +R"),
        ("swda-oo", ROOKS, "R@a4", "illegal move 'R@a4': White has no rook in hand"),
        ("swda-oo", ROOKS, "a1b2", "illegal move 'a1b2': the rook on a1 cannot go to b2"),
        ("swda-oo", ROOKS, "Kf1=N", "illegal move 'Kf1=N': legal is only Kf1"),
        ("swda-oo", ROOKS, "0000", "illegal move '0000': a null move is no move of this game"),
        ("swda-oo", ROOKS, "O-O", "illegal move 'O-O': swda-oo has no castling"),
        ("swda-oo", ROOKS, "Ra9", "'Ra9' is no move text of swda-oo (such as Kd1)"),
        ("swda-oo", ROOKS, "Ré", "'Ré' is no move text of swda-oo (such as Kd1)"),
        ("swda-oo", ROOKS, "", "'' is no move text of swda-oo (such as Kd1)"),
        (
            "swda-oo",
            "4k2r/7p/8/8/8/R7/8/4K2r w - - 0 1",
            "Ra4",
            "illegal move 'Ra4': White is in check from the rook on h1 and stays so",
        ),
        ("sixfortresses", QUEEN, "e9", "illegal move 'e9': legal is only e9=R, e9=N, e9=B, e9=Q"),
        (
            "sixfortresses",
            QUEEN,
            "e9=I",
            "illegal move 'e9=I': legal is only e9=R, e9=N, e9=B, e9=Q",
        ),
        (
            "sixfortresses",
            "4k4/9/9/9/9/9/9/9/8R[K] w - - 0 1",
            "Ri2",
            "illegal move 'Ri2': White must place the king first",
        ),
        ("shoranji", HANDS, "G@e5", "illegal move 'G@e5': legal is only G@e5=W, G@e5=F"),
        ("shoranji", HANDS, "N@a1", "illegal move 'N@a1': a1 is occupied"),
        (
            "shoranji",
            HANDS,
            "G@b9=W",
            "illegal move 'G@b9=W': no guard reserve may be dropped on b9, beside the fortress on a10",
        ),
        (
            "shoogantshii",
            "4K4/9/9/9/9/9/9/9/9[] b - - 0 1",
            "Ke8",
            "illegal move 'Ke8': the game is over (king captured)",
        ),
    ] {
        let result = position(game, fen).parse_san(text);
        assert_eq!(result.map_err(|error| error.to_string()), Err(error.to_string()), "{text}");
    }
}

/// What other programs and people may write.
const FOREIGN: &str = "\u{feff}% made by hand\r
[ Event  \"A \\\"fine\\\" game\" ]\r
[Variant \"SWDA-oo\"] [Annotator \"C:\\\\me\"]\r
[WhiteClock \"0:05\"]\r
[Result \"0-1\"]\r
\r
{ At the \r
start } 1.Nc3! ( 1. a3 {a (quiet} ( 1. h3 ) a6 ; no ) here\r
) 1... Nc6 $2 $300 $1 ; a line } of its own\r
% not for me { ( \r
{and\tmore} 2.b1xb2?! {} b3 ..... a6 3 Nb5!? 3...axb5+ {[%clk 0:04]} *\r
";

#[test]
fn what_others_write_is_read() {
    let text = FOREIGN.replace("b1xb2?! {} b3", "b2-b3?! {}");
    let games = pgn::read(&text);
    let [Ok(game)] = games.as_slice() else { panic!("{games:?}") };
    let expected = "\
[Event \"A \\\"fine\\\" game\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"?\"]
[Black \"?\"]
[Result \"0-1\"]
[Variant \"swda-oo\"]
[Annotator \"C:\\\\me\"]
[WhiteClock \"0:05\"]

{At the start} 1. Nc3 $1 (1. a3 {a (quiet} (1. h3) 1... a6 {no ) here}) 1... Nc6
$2 $1 {a line \\) of its own and more} 2. b3 $6 a6 3. Nb5 $5 axb5 {[%clk 0:04]}
0-1
";
    assert_eq!(game.to_pgn(), expected);
    assert_eq!(game.tag("Annotator"), Some("C:\\me"));
    assert_eq!(game.tag("Result"), Some("0-1"));
    assert_eq!(pgn::read(expected), games);
}

/// Records that name no game are games of chess.
fn chess() -> Fallback {
    Fallback { missing: Some("chess".to_string()), ..Fallback::default() }
}

/// What the variations of these moves of chess are, written again, with the faults.
fn reread(moves: &str) -> (String, Vec<String>) {
    let games = pgn::read_all(&format!("[Variant \"chess\"] {moves}"), &Fallback::default());
    let [Ok(game)] = games.as_slice() else { panic!("{games:?}") };
    let text = game.record.to_pgn();
    assert_eq!(pgn::read(&text), [Ok(game.record.clone())]);
    let faults = game.faults.iter().map(|fault| fault.to_string()).collect();
    let moves = text.split_once("\n\n").expect("moves").1.trim_end().to_string();
    (moves, faults)
}

#[test]
fn variations_are_values_of_the_moves_that_they_replace() {
    let text = "1. e4 e5 {open} (1... c5 $5 2. Nf3 (2. c3 d5) 2... d6) ({or} 1... e6) 2. Nf3 Nc6\n\
                3. Bb5 (3. Bc4) (3. d4 {Scotch}) 3... a6 *";
    assert_eq!(reread(text), (text.to_string(), vec![]));
    let game = pgn::read_with(text, Some("chess")).remove(0).expect("a game");
    let sicilian = &game.plies[1].variations[0];
    assert_eq!((game.plies.len(), sicilian.plies.len(), sicilian.plies[0].nags[0]), (6, 3, 5));
    assert_eq!(sicilian.plies[1].variations[0].plies.len(), 2);
    assert_eq!(game.plies[1].variations[1].comment.as_deref(), Some("or"));
    assert_eq!(game.plies[4].variations.len(), 2);
}

#[test]
fn a_fault_in_a_variation_costs_only_its_rest() {
    for (text, kept, fault) in [
        (
            "1. e4\n(1. d4 d5 2. e5 e6 (2... c6) 3. c3) e5 2. Nf3 *",
            "1. e4 (1. d4 d5) 1... e5 2. Nf3 *",
            "game 1, line 2: in a variation of 1. e4: move 2 of White: illegal move 'e5': no pawn of White can go to e5; \
             its rest is left out",
        ),
        (
            "(1. d4) 1. e4 *",
            "1. e4 *",
            "game 1, line 1: the variation replaces no move; it is left out",
        ),
        (
            "1. e4 (x9 {nothing}) () e5 *",
            "1. e4 e5 *",
            "game 1, line 1: in a variation of 1. e4: move 1 of White: ",
        ),
        (
            "1. e4 e5 (1... c5 2. Nf3 (2. c3 d9)) 2. d4 *",
            "1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. d4 *",
            "game 1, line 1: in a variation of 2. Nf3: move 2 of Black: 'd9' is no move text of chess",
        ),
    ] {
        let (again, faults) = reread(text);
        assert_eq!(again, kept);
        assert!(faults.len() == 1 && faults[0].starts_with(fault), "{faults:?}");
        let mut games = Games::new(text.as_bytes(), chess());
        assert!(games.next().is_some_and(|game| game.is_ok()));
        assert_eq!(games.faults().len(), 1);
    }
}

#[test]
fn variations_without_bounds_do_no_harm() {
    let deep = |depth: usize| {
        let ways = ["d4 ", "e4 "].iter().cycle().take(depth);
        let inner: String = ways.map(|way| format!("({way}")).collect();
        reread(&format!("e4 {inner}{} e5 *", ")".repeat(depth)))
    };
    let (kept, faults) = deep(MOST_DEPTH);
    assert_eq!((kept.matches('(').count(), faults.len()), (MOST_DEPTH, 0));
    let (kept, faults) = deep(500_000);
    assert_eq!(kept.matches('(').count(), MOST_DEPTH);
    let told =
        "game 1, line 1: variations are nested more than 30 deep; the inner ones are left out";
    assert_eq!(faults, [told]);
    let (kept, faults) = reread(&format!("e4 {} e5 *", "(d4)".repeat(MOST_VARIATIONS + 9)));
    assert_eq!(kept.matches('(').count(), MOST_VARIATIONS);
    let told = "game 1, line 1: the game has more than 20000 variations; the others are left out";
    assert_eq!(faults, [told]);
    let (kept, faults) = reread(&format!("e4 {}{} e5 *", "()".repeat(500_000), "(x9)".repeat(99)));
    assert_eq!((kept.as_str(), faults.len()), ("1. e4 e5 *", 10));
}

#[test]
fn games_end_where_they_end() {
    let count = |text: &str| pgn::read_with(text, Some("swda")).len();
    assert_eq!(count(""), 0);
    assert_eq!(count(" \r\n% nothing\n"), 0);
    assert_eq!(count("1. e3 1-0 1. d3 0-1 *"), 3);
    assert_eq!(count("1. e3 1-0 {White wins} $1 ; really\n"), 1);
    assert_eq!(count("1. e3 [White \"x\"] d3"), 2);
    assert_eq!(count("[Event \"a\"]\n[Round \"1\"]\n\n[Event \"b\"]\n[EventDate \"?\"]\n"), 2);
    for result in ["1-0", "0-1", "1/2-1/2"] {
        let games = pgn::read_with(&format!("1. e3 {result}"), Some("swda"));
        let results: Vec<String> =
            games.iter().flatten().map(|game| game.result.to_string()).collect();
        assert_eq!(results, [result]);
    }
}

#[test]
fn skipped_setups_keep_the_array() {
    let first = |text: &str| pgn::read_with(text, Some("sixfortresses")).into_iter().next();
    let text = |text: &str| first(text).and_then(Result::ok).map(|game| game.to_pgn());
    let full = text("0. =TWF1T1FWT =TWF1T1FWT 1. e4 *");
    assert!(full.as_ref().is_some_and(|text| text.contains("\n0. =TWF1T1FWT =TWF1T1FWT 1. e4 *")));
    assert_eq!(text("1. e3e4 *"), full);
    assert_eq!(text("=TWF1T1FWT e4"), full);
    let second = "[FEN \"twf1t1fwt/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/TFW1T1FWT[] b s - 0 1\"] e4 e6";
    let second = text(second).unwrap_or_default();
    assert!(second.ends_with("\n\n0... =TWF1T1FWT 1. e4 e6 *\n"), "{second}");
}

#[test]
fn faults_are_named() {
    for (text, error) in [
        ("1. e4", "game 1, line 1: the tag Variant is missing"),
        (
            "\n[Variant \"checkers\"]\n1. e4",
            "game 1, line 2: no variant 'checkers'; 'variants' lists them",
        ),
        (
            "[Variant \"swda\"]\n[FEN \"8/8 w - - 0 1\"]\n\n1. e3 *",
            "game 1, line 2: FEN field 'board': 2 ranks, swda-oo has 8",
        ),
        (
            "[Variant \"swda\"]\n\n1. e3 e6\n2. e5 e4",
            "game 1, line 4: move 2 of White: illegal move 'e5': no pawn of White can go to e5",
        ),
        (
            "[Variant \"swda\"]\n\n1. e3 O-O",
            "game 1, line 3: move 1 of Black: illegal move 'O-O': swda-oo has no castling",
        ),
        ("[Variant \"swda\"]\n1. e3 {\n(", "game 1, line 2: the comment is not closed"),
        ("[Variant \"swda\"]\n1. e3\n((", "game 1, line 3: the variation is not closed"),
        ("[Variant \"swda\"]\n1. e3 )", "game 1, line 2: ')' without '('"),
        ("[Variant \"swda\"]\n1. e3 }", "game 1, line 2: '}' closes nothing"),
        ("[Variant \"swda\"]\n1. e3 [e6", "game 1, line 2: '[e6' is no tag"),
        ("[Variant \"swda\"", "game 1, line 1: the tag is not closed"),
        ("[Variant \"swda]\n", "game 1, line 1: the value of the tag Variant is not closed"),
    ] {
        // The next game is read all the same.
        let text = format!("{text}\n[Event \"next\"]\n[Variant \"swda\"]\n1. e3 *");
        let games = pgn::read(&text);
        let errors: Vec<String> = games
            .iter()
            .filter_map(|game| game.as_ref().err().map(|error| error.to_string()))
            .collect();
        assert_eq!(errors, [error], "{text}");
        let last = games.last().and_then(|game| game.as_ref().ok());
        assert!(last.is_some_and(|game| game.plies.len() == 1), "{games:?}");
    }
}

#[test]
fn tags_are_kept_in_order_and_escaped() {
    let mut record = GameRecord::new(&Position::start(&find("swda").expect("a built-in game")));
    assert_eq!(record.tag("Variant"), Some("swda-oo"));
    record.set_tag("Zeta", "1");
    record.set_tag("White \"x\"]", "two\nlines");
    record.set_tag("Black", "\\\"");
    record.set_tag("Zeta", "2");
    record.set_tag("FEN", "nonsense");
    record.set_tag("Result", "1-0");
    record.set_tag("Result", "nonsense");
    let text = record.to_pgn();
    let expected = "\
[Event \"?\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"?\"]
[Black \"\\\\\\\"\"]
[Result \"1-0\"]
[Variant \"swda-oo\"]
[Zeta \"2\"]
[White__x__ \"two lines\"]

1-0
";
    assert_eq!(text, expected);
    let games = pgn::read(&text);
    assert!(matches!(games.as_slice(), [Ok(game)] if game.to_pgn() == text), "{games:?}");
}

/// A thing that stands in records of games, more or less.
fn scrap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "[Event \"x\"]",
        "[Variant \"swda\"]",
        "[FEN \"",
        "\"]",
        "\n",
        " ",
        "\r\n%",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\\",
        "\"",
        "1.",
        "e3",
        "e6",
        "Nc3",
        "a2a3",
        "=TWF1T1FWT",
        "$",
        "$5",
        "!?",
        ";",
        "*",
        "1-0",
        "=",
        "+",
        "é",
        "N@e5",
        "x",
        "…",
        "0000",
        "\u{0}",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = pgn::read_with(&String::from_utf8_lossy(&bytes), Some("shoranji"));
    }

    #[test]
    fn plausible_text_does_no_harm(scraps in prop::collection::vec(scrap(), 0..60)) {
        for game in pgn::read_with(&scraps.concat(), Some("sixfortresses")).into_iter().flatten() {
            // What is read can be written and read again.
            let text = game.to_pgn();
            let again = pgn::read(&text);
            prop_assert!(matches!(again.as_slice(), [Ok(again)] if again.to_pgn() == text), "{text}");
        }
    }

    #[test]
    fn arbitrary_text_as_san_does_no_harm(game in 0usize..22, text in ".*") {
        let variant = find(&builtin_names()[game]).expect("a built-in game");
        let _ = Position::start(&variant).parse_san(&text);
    }

    #[test]
    fn plausible_text_as_san_does_no_harm(game in 0usize..22, text in "[+]?[KNRPA]?[a-jx]?[0-9]*[-x@]?[a-j][0-9]{1,2}(=[A-Z+])?[+#]?") {
        let mut position = Position::start(&find(&builtin_names()[game]).expect("a built-in game"));
        position.keep_arrays();
        if let Ok(mv) = position.parse_san(&text) {
            prop_assert!(position.is_legal(mv));
        }
    }
}
