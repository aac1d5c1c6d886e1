//! XBoard's protocol as `protocol.md` documents it: games, thinking, taking back, pondering, analysis,
//! and what is refused.

mod talk;
mod walk;

use std::sync::Arc;

use garrison::protocol::cecp::text;
use garrison_rules::catalogue::builtin_names;
use garrison_rules::{Position, Variant, find};
use talk::Talk;
use walk::Random;

fn game(name: &str) -> Arc<Variant> {
    find(name).expect("a built-in game")
}

/// The start of a game as XBoard has it: without setups.
fn start(name: &str) -> Position {
    let mut position = Position::start(&game(name));
    position.keep_arrays();
    position
}

/// The move that the engine makes, of its answers.
fn moved(lines: &[String]) -> &str {
    let mv = lines.iter().find_map(|line| line.strip_prefix("move "));
    mv.unwrap_or_else(|| panic!("no move in {lines:?}"))
}

fn fen(talk: &mut Talk) -> String {
    talk.shown("# Fen: ", true)
}

#[test]
fn it_says_what_it_can_do() {
    let mut talk = Talk::start();
    talk.send("xboard");
    let lines = talk.ask_pong("protover 2");
    assert_eq!(lines.first().map(String::as_str), Some("feature done=0"));
    assert_eq!(lines.last().map(String::as_str), Some("feature done=1"));
    assert!(lines.iter().all(|line| line.starts_with("feature ")), "{lines:?}");
    let variants = lines.iter().find(|line| line.starts_with("feature variants=")).expect("games");
    for name in builtin_names() {
        assert!(variants.contains(name.as_str()), "{name}");
    }
    // Every option is taken as it is offered.
    let options = lines.iter().filter_map(|line| line.strip_prefix("feature option=\""));
    let mut number = 0;
    for option in options {
        let (name, values) = option.trim_end_matches('"').split_once(" -").expect("a type");
        let value = match values.split(' ').collect::<Vec<_>>()[..] {
            ["spin", default, ..] => format!("={default}"),
            ["check", default] => format!("={default}"),
            ["button"] => String::new(),
            ["string" | "file", ..] => "=".to_string(),
            _ => panic!("{option}"),
        };
        assert_eq!(talk.ask_pong(&format!("option {name}{value}")), Vec::<String>::new(), "{name}");
        number += 1;
    }
    assert!(number >= 7, "only {number} options");
    assert_eq!(talk.ask_pong("memory 3"), Vec::<String>::new());
    assert_eq!(talk.ask_pong("cores 2"), Vec::<String>::new());
    assert_eq!(talk.quit(), Vec::<String>::new());
}

#[test]
fn every_game_is_described_and_played_by_the_rules() {
    let mut random = Random::new(3);
    for name in builtin_names() {
        let mut talk = Talk::xboard(name);
        let mut position = start(name);
        talk.send("level 0 1 0\nsd 1\neasy\nnopost");
        let mut answer = talk.ask_pong("go");
        for _ in 0..8 {
            let engine = text::parse_move(&position, moved(&answer));
            position.make(engine.unwrap_or_else(|fault| panic!("{name}: {answer:?}: {fault}")));
            let moves = position.legal_moves();
            if moves.is_empty() || position.status().outcome().is_some() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            let sent = text::move_text(&position, mv);
            // A piece in hand and a reserve may give the same drop.
            let mv = text::parse_move(&position, &sent).expect("a legal move");
            answer = talk.ask_pong(&format!("usermove {sent}"));
            position.make(mv);
            assert!(!answer.is_empty(), "{name}: {sent}");
            if position.status().outcome().is_some() {
                break;
            }
        }
        assert_eq!(talk.quit(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn results_are_printed_with_their_reason() {
    for (name, fen, mv, result) in [
        ("swda-oo", "4k3/R7/1R6/7p/8/8/8/4K3 w - - 0 1", "b6b8", "1-0 {checkmate}"),
        ("swda-oo", "4k2r/8/8/8/8/8/8/4K2R w - - 0 1", "h1h8", "1-0 {bare king}"),
        ("shoogantshii", "4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1", "e1e9", "1-0 {king captured}"),
        ("sixfortresses", "7k1/9/7K1/9/9/9/9/9/R8[] w - - 0 1", "a1a9", "1-0 {checkmate}"),
    ] {
        let mut talk = Talk::xboard(name);
        assert_eq!(talk.ask_pong(&format!("setboard {fen}")), Vec::<String>::new());
        assert_eq!(talk.ask_pong(&format!("usermove {mv}")), [result], "{name}");
        // The engine finds the same result, and prints it once more after `go`, and nothing else.
        assert_eq!(talk.ask_pong("go"), [result]);
        talk.ask_pong(&format!("force\nsetboard {fen}"));
        assert_eq!(talk.ask_pong("sd 3\ngo"), [&format!("move {mv}"), result], "{name}");
        assert_eq!(talk.ask_pong("undo\ngo"), [&format!("move {mv}"), result], "{name}");
    }
}

#[test]
fn a_wrong_line_is_refused_and_changes_nothing() {
    let mut talk = Talk::xboard("chesstonia");
    talk.ask_pong("force\nusermove e3e5");
    let before = fen(&mut talk);
    for (line, refusal) in [
        ("usermove e3e4", "Illegal move (there is no piece on e3): e3e4"),
        ("usermove e10e7", "Illegal move (the pawn on e10 cannot go to e7): e10e7"),
        ("usermove N@e6", "Illegal move (Black has no knight in hand): N@e6"),
        ("usermove x", "Illegal move ('x' is no move text of chesstonia"),
        ("usermove", "Illegal move ("),
        ("usermove =NEMWKFMEN", "Illegal move (no setup is pending)"),
        ("hello", "Error (unknown command): hello"),
        ("e3e4", "Error (unknown command, and no move: there is no piece on e3): e3e4"),
        ("variant draughts", "Error (no variant 'draughts'"),
        ("setboard", "tellusererror Illegal position: "),
        ("setboard 9/9 w", "tellusererror Illegal position: "),
        ("setboard 4k4/9/9/9/9/9/9/9/9/9/9/9 w - - 0 1", "tellusererror Illegal position: "),
        ("remove", "Error (only 1 moves were made): remove"),
        ("level 40", "Error ("),
        ("st soon", "Error ("),
        ("sd x", "Error ("),
        ("time x", "Error ("),
        ("otim", "Error ("),
        ("ping", "Error ("),
        ("ping x", "Error ("),
        ("memory x", "Error ("),
        ("cores -1", "Error ("),
        ("option MultiPV=0", "Error (MultiPV '0' is no number of lines"),
        ("option Nothing=1", "Error (no option 'Nothing'"),
        ("option", "Error ("),
        ("setup b1d1", "Error (no setup is pending)"),
        ("usi", "Error (unknown command): usi"),
    ] {
        let answer = talk.ask_pong(line);
        assert!(answer.len() == 1 && answer[0].starts_with(refusal), "{line}: {answer:?}");
        assert_eq!(fen(&mut talk), before, "{line}");
    }
}

#[test]
fn lines_without_meaning_here_are_taken() {
    let mut talk = Talk::xboard("swda-oo");
    for line in [
        "accepted ping",
        "rejected san",
        "random",
        "computer",
        "name Someone",
        "rating 1 2",
        "hard",
        "easy",
        "post",
        "nopost",
        "?",
        ".",
        "hint",
        "draw",
        "exit",
        "result * {nothing}",
        "force",
        "put e4",
    ] {
        assert_eq!(talk.ask_pong(line), Vec::<String>::new(), "{line}");
    }
    assert_eq!(talk.ask_pong("bk"), [" there is no book", ""]);
}

#[test]
fn moves_are_taken_back() {
    let mut talk = Talk::xboard("shoranji");
    let starts = fen(&mut talk);
    talk.ask_pong("force\nusermove c2c4\nusermove c7c5");
    let after = fen(&mut talk);
    talk.ask_pong("usermove e2e3\nundo");
    assert_eq!(fen(&mut talk), after);
    assert_eq!(talk.ask_pong("remove"), Vec::<String>::new());
    assert_eq!(fen(&mut talk), starts);
    assert_eq!(talk.ask_pong("undo"), ["Error (only 0 moves were made): undo"]);
}

#[test]
fn the_engine_plays_the_side_that_was_chosen() {
    let mut talk = Talk::xboard("swda-oo");
    talk.send("sd 1");
    // Black after `new`.
    assert_eq!(talk.ask_pong("usermove e2e3").len(), 1);
    // In force mode neither.
    assert_eq!(talk.ask_pong("force\nusermove d2d3"), Vec::<String>::new());
    assert_eq!(talk.ask_pong("playother"), Vec::<String>::new());
    talk.send("legal");
    let legal = talk.until("# ").pop().expect("moves");
    let mv = legal.split(' ').nth(1).expect("a move").to_string();
    assert_eq!(talk.ask_pong(&format!("usermove {mv}")).len(), 1, "it has White now");
    // The side whose turn it is.
    assert_eq!(talk.ask_pong("go").len(), 1);
}

#[test]
fn thinking_lines_are_printed_after_post() {
    let mut talk = Talk::xboard("swda-oo");
    let lines = talk.ask_pong("post\nsd 3\ngo");
    let (last, thoughts) = lines.split_last().expect("lines");
    assert!(last.starts_with("move ") && thoughts.len() >= 3, "{lines:?}");
    for line in thoughts {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(words.len() >= 5, "{line}");
        assert!(words[..4].iter().all(|word| word.parse::<i64>().is_ok()), "{line}");
    }
    let mate = "setboard 4k3/R7/1R6/7p/8/8/8/4K3 w - - 0 1";
    let lines = talk.ask_pong(&format!("force\n{mate}\nsd 2\ngo"));
    assert!(lines.iter().any(|line| line.contains(" 100001 ")), "{lines:?}");
    assert_eq!(talk.ask_pong(&format!("nopost\nforce\n{mate}\ngo")).len(), 2);
}

#[test]
fn a_search_is_ended_by_what_makes_it_needless() {
    let mut talk = Talk::xboard("swda-oo");
    for line in ["force", "new", "result 1-0 {done}", "setboard 4k3/R7/8/8/8/8/8/4K3 b - - 0 1"] {
        talk.ask_pong("new\nvariant swda-oo\nlevel 0 500 0");
        talk.send("go");
        assert_eq!(talk.ask_pong(line), Vec::<String>::new(), "{line}");
    }
    // `?` wants the move now, also behind a line that waits.
    talk.send("new\nlevel 0 500 0\ngo\nping 1\n?");
    let lines = talk.until("pong 1");
    assert!(lines.len() == 2 && lines[0].starts_with("move "), "{lines:?}");
    talk.send("undo\ngo");
    assert_eq!(talk.quit(), Vec::<String>::new());
}

/// Lets the engine move for the side to move, and returns the reply that it expects. The search has no other end than
/// `?`, which is sent once a line of two moves was reported at this depth; a line cut short by a later iteration is tried again.
fn move_and_expected_reply(talk: &mut Talk, level: &str) -> String {
    for depth in 4..12 {
        talk.send(&format!("new\nvariant swda-oo\nhard\npost\n{level}\ngo"));
        let is_deep = |line: &str| {
            let mut words = line.split(' ');
            words
                .next()
                .and_then(|word| word.parse().ok())
                .is_some_and(|reached: u32| reached >= depth)
                && words.count() >= 5
        };
        while !is_deep(&talk.next_line("a line of two moves").expect("a line")) {}
        talk.send("?");
        talk.until("move ");
        let answer = talk.ask_pong("nopost\nhint");
        if let Some(hint) = answer.iter().find_map(|line| line.strip_prefix("Hint: ")) {
            return hint.to_string();
        }
    }
    panic!("no reply is expected at any depth");
}

/// A clock by which no move comes before a test gives up: 500 minutes, and 600 seconds for each move.
const LONG_CLOCK: &str = "level 0 500 600";

#[test]
fn it_thinks_on_the_other_sides_time() {
    let mut talk = Talk::xboard("swda-oo");
    // The expected move ends the pondering by the limits of a search of the engine's own: here by its clock.
    let expected = move_and_expected_reply(&mut talk, LONG_CLOCK);
    let lines = talk.ask_pong(&format!("time 10\notim 10\nusermove {expected}"));
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
    // Another move ends it at once; the engine thinks anew.
    let expected = move_and_expected_reply(&mut talk, LONG_CLOCK);
    let before = fen(&mut talk);
    let position = Position::from_fen(&game("swda-oo"), &before).expect("a position");
    let moves = position.legal_moves();
    let mut others = moves.iter().map(|&mv| text::move_text(&position, mv));
    let other = others.find(|mv| *mv != expected).expect("another move");
    let lines = talk.ask_pong(&format!("st 0.1\nusermove {other}"));
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
    assert_eq!(talk.ask_pong("easy"), Vec::<String>::new());
    assert_eq!(talk.quit(), Vec::<String>::new());
}

#[test]
fn a_clock_sent_before_the_expected_move_counts() {
    let mut talk = Talk::xboard("swda-oo");
    let expected = move_and_expected_reply(&mut talk, LONG_CLOCK);
    // By the engine's own count hours are left after its move; the front end says that it is a tenth of a second.
    talk.send(&format!("time 10\notim 10\nusermove {expected}"));
    talk.until("move ");
    assert_eq!(talk.quit(), Vec::<String>::new());
}

#[test]
fn a_person_may_analyze() {
    let mut talk = Talk::xboard("swda-oo");
    talk.send("analyze");
    let is_thought = |line: &str| line.split(' ').next().is_some_and(|w| w.parse::<u32>().is_ok());
    while !is_thought(&talk.next_line("a thought").expect("a line")) {}
    talk.send(".");
    let status = talk.until("stat01: ").pop().expect("a status");
    assert!(status.split(' ').count() >= 6, "{status}");
    // Moves go on, and so does the analysis.
    talk.send("usermove e2e3\nusermove e7e6\nundo\nping 2");
    talk.until("pong 2");
    while !is_thought(&talk.next_line("a thought").expect("a line")) {}
    // A new game too.
    talk.send("new\nusermove e2e3\nping 3");
    talk.until("pong 3");
    while !is_thought(&talk.next_line("a thought").expect("a line")) {}
    talk.send("exit\nping 4");
    talk.until("pong 4");
    let now = fen(&mut talk);
    assert!(now.contains(" b "), "{now}");
    assert_eq!(talk.quit(), Vec::<String>::new());
}

#[test]
fn setups_are_kept_unless_they_are_asked_for() {
    let mut talk = Talk::xboard("sixfortresses");
    assert!(moved(&talk.ask_pong("sd 1\ngo")).len() >= 4);
    // As plies, from both sides.
    let mut talk = Talk::xboard("sixfortresses");
    assert!(moved(&talk.ask_pong("option Setup Phase=1\nsd 1\ngo")).starts_with('='));
    assert_eq!(talk.ask_pong("force\nusermove =TFW1T1FWT"), Vec::<String>::new());
    let now = fen(&mut talk);
    assert!(now.starts_with("tfw1t1fwt/") && now.ends_with(" w - - 0 1"), "{now}");
    talk.ask_pong("undo");
    assert!(fen(&mut talk).ends_with(" b s - 0 1"));
    // With commands.
    talk.ask_pong("new\nvariant sixfortresses");
    let answer = talk.ask_pong("setup b1d1");
    assert!(answer[0].starts_with("# setup pending: White; movable F@c1 W@d1"), "{answer:?}");
    talk.ask_pong("setup done\nsetup done");
    assert!(fen(&mut talk).contains("/T1FWT1FWT[] w - -"));
    // With a first move that leaves them out.
    talk.ask_pong("new\nvariant sixfortresses\nforce\nusermove e3e4");
    assert!(fen(&mut talk).ends_with(" b - - 0 1"));
}

#[test]
fn a_mouse_is_answered() {
    let mut talk = Talk::xboard("chesstonia");
    let lift = talk.ask_pong("lift e3");
    assert_eq!(lift.len(), 1);
    assert!(lift[0].starts_with("highlight ") && lift[0].contains('Y'), "{lift:?}");
    talk.ask_pong("force\nsetboard 4k4/9/9/9/4P4/9/9/9/9/9/9/4K4[] w - - 0 1\nlift e8");
    let choice = talk.ask_pong("put e9");
    assert!(choice.len() == 1 && choice[0].starts_with("choice "), "{choice:?}");
    // Whatever is lifted, there is an answer.
    assert_eq!(talk.ask_pong("lift")[0], talk.ask_pong("lift z99")[0]);
}

#[test]
fn a_plain_drag_promotes_to_the_strongest_piece() {
    let mut talk = Talk::xboard("crazyhouse");
    talk.ask_pong("force\nsetboard 1r2k3/P7/8/8/8/8/8/4K3[] w - - 0 1");
    assert_eq!(talk.ask_pong("lift a7"), ["highlight MM6/8/8/8/8/8/8/8"]);
    assert_eq!(talk.ask_pong("put b8"), ["choice QRNB"]);
    // As XBoard's shogi sends it.
    assert_eq!(talk.ask_pong("usermove a7b8+"), Vec::<String>::new());
    assert_eq!(fen(&mut talk), "1+Q2k3/8/8/8/8/8/8/4K3[R] b - - 0 1");
}

#[test]
fn a_person_is_told_what_xboard_does_not_show() {
    let mut talk = Talk::start();
    talk.send("xboard\nprotover 2\nnew");
    let told = |lines: &[String]| -> Vec<String> {
        let texts = lines.iter().filter_map(|line| line.strip_prefix("telluser "));
        texts.map(|text| text.trim_start_matches('\\').replace(r"\n", " ")).collect()
    };
    let lines = talk.ask_pong("variant shoranji");
    assert_eq!(
        told(&lines),
        [
            "XBoard has no setup phase: the first move keeps both arrays ('garrison play' lets you rearrange \
             yours). The pieces beside the board are not your hand: drag from there what you hold. You are told \
             what you get. G (guard reserve): drag W or F. H (heavy reserve): drag E or M. A (any reserve): drag \
             R, N, W, F, I, E or M."
        ]
    );
    // Once for each game in a row, not at each start.
    assert_eq!(told(&talk.ask_pong("new\nvariant shoranji")), Vec::<String>::new());
    // A fortress falls, by either side; the squares are those of XBoard.
    let fen = "t3t3t/4R4/9/9/9/9/9/9/9/T3T3T[] w - - 0 1";
    talk.ask_pong(&format!("force\nsetboard {fen}\nsd 1\nplayother"));
    let fall = "Black's first fortress, on e9, falls: White gets a modern elephant and a knight, Black gets a guard \
                reserve (G). G drops as W or F. Black has two left.";
    assert_eq!(told(&talk.ask_pong("usermove e8e9")), [fall]);
    talk.ask_pong(&format!("force\nsetboard {fen}"));
    assert_eq!(told(&talk.ask_pong("go")), [fall]);
    // A program is told nothing, and nobody is where moves are only entered.
    talk.ask_pong(&format!("force\nsetboard {fen}"));
    assert_eq!(told(&talk.ask_pong("usermove e8e9")), Vec::<String>::new());
    talk.ask_pong(&format!("computer\nsetboard {fen}"));
    assert_eq!(told(&talk.ask_pong("go")), Vec::<String>::new());
    assert_eq!(told(&talk.ask_pong("variant sixfortresses")), Vec::<String>::new());
}

#[test]
fn the_reason_of_a_refusal_is_shown_to_the_mouse() {
    let mut talk = Talk::xboard("sixfortresses");
    let refused = "Illegal move (White has no knight in hand): N@e5";
    assert_eq!(talk.ask_pong("usermove N@e5"), [refused]);
    // XBoard itself shows only that the move was refused.
    talk.ask_pong("lift k1");
    let shown = "tellusererror Illegal move N@e5: White has no knight in hand";
    assert_eq!(talk.ask_pong("usermove N@e5"), [refused, shown]);
}

#[test]
fn nodes_may_count_as_time() {
    let mut talk = Talk::xboard("swda-oo");
    let nodes = |lines: &[String]| -> Vec<u64> {
        let nodes = lines.iter().filter_map(|line| line.split(' ').nth(3)?.parse().ok());
        nodes.collect()
    };
    // As python-chess asks for 3000 nodes; and by a clock.
    for limit in ["nps 1\nst 3000", "nps 1\nlevel 0 2000:00 0", "nps 1000\nlevel 10 0:30 0"] {
        let lines = talk.ask_pong(&format!("new\nvariant swda-oo\npost\n{limit}\ngo"));
        assert!(lines.last().is_some_and(|line| line.starts_with("move ")), "{lines:?}");
        let nodes = nodes(&lines);
        assert!(nodes.len() >= 3 && nodes.iter().all(|n| *n <= 3000), "{limit}: {lines:?}");
    }
    for wrong in ["nps", "nps -1", "nps x"] {
        assert!(talk.ask_pong(wrong)[0].starts_with("Error ("), "{wrong}");
    }
    // A new game measures time again.
    talk.send("new\nvariant swda-oo\nsd 4\ngo\nping 1");
    let lines = talk.until("pong 1");
    assert!(lines.iter().any(|line| line.starts_with("4 ")), "{lines:?}");
}

#[test]
fn a_draw_by_repetition_or_count_is_offered_and_played_on() {
    // The third occurrence is a draw.
    let mut talk = Talk::xboard("makruk");
    talk.ask_pong("setboard r3k3/8/8/8/8/8/8/R3K3 w - - 0 1\nsd 1\nforce");
    for _ in 0..2 {
        talk.ask_pong("usermove a1b1\nusermove a8b8\nusermove b1a1\nusermove b8a8");
    }
    assert_eq!(talk.shown("# Status: ", true), "draw (repetition)");
    let reason = "telluser By the rules this is a draw (repetition), which is offered.";
    let answer = talk.ask_pong("go");
    assert!(answer.len() == 3 && answer[1].starts_with("move "), "{answer:?}");
    assert_eq!([&answer[0], &answer[2]], ["offer draw", reason]);
    // Who agrees is answered; who plays on, too.
    talk.ask_pong("undo\nforce");
    assert_eq!(talk.ask_pong("draw"), ["offer draw"]);
    // The move that makes a draw comes with the offer. A person is told once.
    talk.ask_pong("usermove a1b1\nusermove a8b8\nusermove b1a1");
    let answer = talk.ask_pong("go");
    assert_eq!(answer.iter().filter(|line| line.starts_with("move ")).count(), 1, "{answer:?}");
    // By the count of moves; the opponent's move makes it, and the engine moves on.
    let mut talk = Talk::xboard("swda-oo");
    talk.ask_pong("setboard r3k3/8/8/8/8/8/8/R3K3 w - - 139 80\nsd 1");
    let answer = talk.ask_pong("usermove e1e2");
    assert_eq!(answer[0], "offer draw");
    assert!(answer[1].starts_with("move "), "{answer:?}");
    assert!(answer[2].starts_with("telluser ") && answer[2].contains("(move count)"), "{answer:?}");
    // With few pieces left.
    let mut talk = Talk::start();
    talk.send("xboard\nprotover 2\nnew\ncomputer\nsetboard 4k3/8/8/8/8/8/4n3/4K3 w - - 0 1\nsd 1");
    let answer = talk.ask_pong("go");
    let mut moves = answer.iter().filter(|line| line.starts_with("move "));
    assert!(moves.next().is_some() && answer.iter().all(|line| !line.starts_with("telluser")));
    assert!(answer.iter().all(|line| !line.starts_with("1/2")), "{answer:?}");
    // A stalemate is on the board, and so is every result without a legal move.
    talk.ask_pong("force\nsetboard 7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(talk.ask_pong("go"), ["1/2-1/2 {stalemate}"]);
}

#[test]
fn positions_of_other_programs_are_read() {
    for (game, board, read) in [
        // Hands as a ninth rank, as PyChess sends them.
        (
            "crazyhouse",
            "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/n w KQkq - 0 3",
            "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[n] w KQkq - 0 3",
        ),
        (
            "shogi",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1",
        ),
        (
            "chess",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        ("chess", "4k3/8/8/8/8/8/8/R3K3", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
    ] {
        let mut talk = Talk::xboard(game);
        talk.ask_pong("force");
        assert_eq!(talk.ask_pong(&format!("setboard {board}")), Vec::<String>::new(), "{board}");
        assert_eq!(fen(&mut talk), read);
    }
}

#[test]
fn options_are_found_with_and_without_spaces() {
    let mut talk = Talk::xboard("swda-oo");
    for name in ["SkillLevel", "Skill Level", "skilllevel", "Move Overhead", "MoveOverhead"] {
        assert_eq!(talk.ask_pong(&format!("option {name}=3")), Vec::<String>::new(), "{name}");
    }
    assert_eq!(talk.ask_pong("option ClearHash\noption Clear Hash"), Vec::<String>::new());
    let lines = talk.ask_pong("protover 2");
    let options = lines.iter().filter_map(|line| line.strip_prefix("feature option=\""));
    // The first word is the name, the second the type: so python-chess reads them.
    for option in options {
        assert!(option.split(' ').nth(1).is_some_and(|word| word.starts_with('-')), "{option}");
    }
}

#[test]
fn the_end_of_input_ends_it() {
    for lines in ["", "go", "hard\nusermove e2e3", "analyze", "go\nusermove e2e3\nundo\nping 1"] {
        let mut talk = Talk::xboard("swda-oo");
        talk.send(&format!("st 0.2\n{lines}"));
        let rest = talk.end();
        let moves = rest.iter().filter(|line| line.starts_with("move ")).count();
        let wanted = usize::from(["go", "hard\nusermove e2e3"].contains(&lines));
        assert_eq!(moves, wanted, "{lines}: {rest:?}");
    }
}
