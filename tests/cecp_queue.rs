//! What acts at once in XBoard's protocol, whatever was sent before. No test measures time: the searches asked for last
//! longer than a test has patience.

mod talk;

use talk::Talk;

/// A time for each move by which no move comes before a test gives up.
const LONG: &str = "st 100000";

fn thinking() -> Talk {
    let mut talk = Talk::xboard("swda-oo");
    talk.send(LONG);
    talk.send("go");
    talk
}

const REFUSED: &str = "Error (the engine is thinking already): ";

#[test]
fn a_second_go_is_refused_and_begins_no_search() {
    let mut talk = thinking();
    talk.send("go\ngo\nplayother");
    for line in ["go", "go", "playother"] {
        assert_eq!(talk.next_line("a refusal"), Some(format!("{REFUSED}{line}")));
    }
    // The search goes on, and is the only one.
    talk.send("?\nping 1");
    let lines = talk.until("pong 1");
    assert!(lines.len() == 2 && lines[0].starts_with("move "), "{lines:?}");
    assert_eq!(talk.quit(), Vec::<String>::new());
}

#[test]
fn quit_ends_everything() {
    for before in
        ["go\ngo", "usermove a7a6\nusermove a2a3\ngo\nusermove b7b6", "ping 1\ngo\nanalyze"]
    {
        let mut talk = thinking();
        talk.send(before);
        let rest = talk.quit();
        assert!(rest.iter().all(|line| !line.starts_with("move ")), "{before}: {rest:?}");
    }
}

#[test]
fn what_cancels_a_move_cancels_those_before_it() {
    for cancel in ["force", "new", "result 0-1 {}", "setboard r3k3/8/8/8/8/8/8/R3K3 b - - 0 1"] {
        let mut talk = thinking();
        // Each of these would be answered with a move.
        talk.send("usermove a7a6\ngo\nusermove a2a3\nplayother\ngo");
        talk.send(cancel);
        let lines = talk.ask_pong("");
        assert!(lines.iter().all(|line| !line.starts_with("move ")), "{cancel}: {lines:?}");
        talk.ask_pong("force");
        assert_eq!(talk.quit(), Vec::<String>::new());
    }
}

#[test]
fn a_move_is_wanted_now_whatever_waits() {
    let mut talk = thinking();
    talk.send("usermove a7a6\nusermove b7b6\nping 1\n?");
    let lines = talk.until("pong 1");
    let moves = lines.iter().filter(|line| line.starts_with("move ")).count();
    let refused = lines.iter().filter(|line| line.starts_with("Illegal move")).count();
    // White moves; each move of Black that is legal is answered.
    assert_eq!((moves + refused, lines.len()), (3, 4), "{lines:?}");
    assert!(moves >= 1, "{lines:?}");
}

#[test]
fn a_refused_line_does_not_cost_the_engine_its_move() {
    let mut talk = thinking();
    talk.send("undo\nremove");
    assert_eq!(
        talk.next_line("a refusal").as_deref(),
        Some("Error (only 0 moves were made): undo")
    );
    assert!(
        talk.next_line("a refusal").expect("a line").starts_with("Error (only 0 moves were made)")
    );
    talk.send("?\nping 1");
    let lines = talk.until("pong 1");
    assert!(lines.len() == 2 && lines[0].starts_with("move "), "{lines:?}");
}

#[test]
fn a_refused_position_leaves_none() {
    let mut talk = thinking();
    // The front end believes in another position than the engine: moves for the old one are of no use to it.
    talk.send("setboard 8/8 w");
    assert!(
        talk.next_line("a refusal").expect("a line").starts_with("tellusererror Illegal position")
    );
    let none = "there is no position: the last one was refused";
    assert_eq!(talk.ask_pong("go"), [format!("Error ({none}): go")]);
    assert_eq!(talk.ask_pong("usermove e2e3"), [format!("Illegal move ({none}): e2e3")]);
    assert_eq!(talk.ask_pong("analyze"), Vec::<String>::new());
    talk.send("exit\nsetboard r3k3/8/8/8/8/8/8/R3K3 w - - 0 1\nsd 1");
    assert!(talk.ask_pong("go")[0].starts_with("move "));
}

#[test]
fn the_end_of_an_analysis_waits_for_no_move() {
    let mut talk = thinking();
    // There is no analysis to end, and nothing to wait for; nor for `easy`.
    talk.send("exit\neasy\ntime 100\nsd x");
    assert_eq!(
        talk.next_line("an answer").as_deref(),
        Some("Error ('x' is no number from 0 to 4294967295): sd x")
    );
    talk.send("analyze\nusermove e2e3\nexit\nping 2");
    talk.until("pong 2");
    assert_eq!(talk.quit(), Vec::<String>::new());
}

#[test]
fn the_end_of_input_ends_a_search_by_time() {
    // The move found so far is printed: there is nobody to wait for a better one.
    for before in ["", "usermove a7a6\ngo\n", "analyze\n", "hard\n"] {
        let mut talk = thinking();
        talk.send(before);
        let rest = talk.end();
        let moves = rest.iter().filter(|line| line.starts_with("move ")).count();
        assert_eq!(moves > 0, before != "analyze\n", "{before}: {rest:?}");
    }
    // One with another limit is finished.
    let mut talk = Talk::xboard("swda-oo");
    talk.send("st 100000\nsd 3\npost\ngo");
    let rest = talk.end();
    assert!(rest.iter().any(|line| line.starts_with("3 ")), "{rest:?}");
}
