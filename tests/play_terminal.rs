//! `play` at a terminal: whole turns on small screens, line editing, Ctrl-C, and games that go on after the program was
//! killed. Both sides are typed, or the program looks at few positions, so that nothing depends on speed.

#![cfg(unix)]

mod hangup;
mod terminal;

use std::fs;
use std::path::PathBuf;

use rustix::process::{Pid, Signal, kill_process};
use terminal::{CTRL_C, CTRL_D, TAB, Terminal, UP};

/// An empty folder for kept games.
fn state(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("play-terminal").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path.to_str().expect("a name").to_string()
}

/// The kept games.
fn kept(state: &str) -> Vec<String> {
    let entries = fs::read_dir(PathBuf::from(state).join("garrison/play"));
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    paths.map(|path| fs::read_to_string(path).expect("a game")).collect()
}

/// Each side has its rooks beside the enemy fortresses, and all else to set up and to drop.
const FORTRESSES: &str = "twf1t1fwt/R3R3R/9/9/9/9/9/9/9/9/r3r3r/TWF1T1FWT[] w Ss - 0 1";

/// The text in one line.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All ranks, the sentences and the prompt are on the screen, and no line was broken by the terminal.
fn assert_whole(terminal: &Terminal, sentences: &[&str]) {
    let text = terminal.text();
    let lines = terminal.lines();
    let top = lines.iter().rposition(|line| line.starts_with("12 ")).expect(&text);
    for (line, rank) in lines[top..].iter().zip((1..=12).rev()) {
        assert!(line.starts_with(&format!("{rank:>2} ")), "rank {rank}:\n{text}");
    }
    assert_eq!(lines[top + 12], "    a  b  c  d  e  f  g  h  i", "{text}");
    for sentence in sentences {
        assert!(words(&text).contains(sentence), "'{sentence}':\n{text}");
    }
    terminal.assert_nothing_is_wrapped();
}

/// The longest fortress game: setup, falling fortresses, drops, kings that appear.
fn play_a_fortress_game(columns: u16, lines: u16) {
    let state = state(&format!("fortress-{columns}"));
    let args = ["play", "--variant", "shoranji-maximus", "--side", "both", "--fen", FORTRESSES];
    let env = [("TERM", "xterm"), ("XDG_STATE_HOME", state.as_str()), ("NO_COLOR", "1")];
    let mut game = Terminal::with(columns, lines, &env, &args);
    let set_up = "White to set up: 'setup b1d1' swaps, 'done' ends it";
    game.until_prompt(set_up, "White>");
    assert_whole(&game, &["SHORANJI Maximus", "White holds []", "Black holds []"]);
    game.line("d1b1", "the setup comes first: 'done' keeps the pieces as they stand", "White>");
    game.line("setpu", "'setpu': did you mean 'setup'?", "White>");
    game.line("SETUP B1D1", "White to set up: 'setup c1b1' swaps, 'done' ends it", "White>");
    assert_whole(&game, &[" 1 T . F W T . F W T"]);
    game.line("done", "Black to set up: 'setup b12d12' swaps, 'done' ends it", "Black>");
    assert_whole(&game, &[]);
    game.line("done", "Move 1: White to move", "White>");
    game.line("e11e12", "Move 1: Black to move", "Black>");
    let falls = "Black's first fortress, on e12, falls: White gets a modern elephant and a knight, Black gets a guard \
                 reserve (G). G drops as W or F. Black has two left.";
    assert_whole(
        &game,
        &[falls, "[R]", "[.]", "White holds [NE]", "Black holds [g]", "White took t"],
    );
    game.press("G@d2=W\r");
    let refused = "no guard reserve may be dropped on d2, beside the fortress on e1";
    game.until("the refusal", |game| words(&game.text()).contains(refused));
    game.line("g@e6=w", "Move 2: White to move", "White>");
    assert_whole(&game, &["[w]"]);
    game.line("I11I12", "Move 2: Black to move", "Black>");
    assert_whole(&game, &["Black's second fortress, on i12, falls", "Black holds [h]"]);
    game.line("h@a5=m", "Move 3: White to move", "White>");
    game.line("a11a12", "Move 3: Black to move", "Black>");
    let falls = "Black's last fortress, on a12, falls: White gets two any reserves (A), Black gets the king and an any \
                 reserve (A). A drops as R, N, W, F, I, E or M. Black must place the king now.";
    assert_whole(&game, &[falls, "White took 3t"]);
    game.press("e6e5\r");
    game.until_text("Black must place the king first");
    game.press("K@b12\r");
    game.until_text("occupied");
    game.press("K@d12\r");
    let refused = "the king would be attacked on d12 by the rook on e12";
    game.until("the refusal", |game| words(&game.text()).contains(refused));
    game.line("K@c7", "Move 4: White to move", "White>");
    assert_whole(&game, &["Black's king appears on c7.", "[k]"]);
    game.press(CTRL_D);
    game.until_text("[keep]");
    game.press("n\r");
    let (status, text) = game.end();
    assert!(status.success() && text.ends_with("Good-bye."), "{text}");
    assert_eq!(kept(&state), Vec::<String>::new());
}

#[test]
fn a_fortress_game_fits_80_columns_and_24_lines() {
    play_a_fortress_game(80, 24);
}

#[test]
fn a_fortress_game_fits_60_columns_and_20_lines() {
    play_a_fortress_game(60, 20);
}

#[test]
fn boards_of_ten_ranks_are_drawn_once_a_turn() {
    let state = state("once");
    let mut game =
        Terminal::start(80, 24, &state, &["play", "--variant", "shoranji", "--level", "1"]);
    game.until_text("White>");
    game.line("done", "Move 1: White to move", "White>");
    let before = game.printed.len();
    game.line("e5", "Move 2: White to move", "White>");
    let turn = String::from_utf8_lossy(&game.printed[before..]).into_owned();
    assert_eq!(turn.matches("a  b  c  d  e  f  g  h  i").count(), 1, "{turn}");
    // The program's move stands below the board.
    let lines = game.lines();
    let files = lines.iter().rposition(|line| line.ends_with("a  b  c  d  e  f  g  h  i"));
    let below = lines[files.expect("a board") + 1..].iter().find(|line| !line.is_empty());
    assert!(below.expect("a line").starts_with("Black plays "), "{}", game.text());
    game.assert_nothing_is_wrapped();
    game.kill();
}

#[test]
fn a_killed_game_goes_on_where_it_was() {
    let state = state("killed");
    let fen_of = |game: &mut Terminal, standing: &str| {
        game.press("fen\r");
        game.until("the FEN", |game| game.text().contains("> fen\n") && game.text().ends_with('>'));
        let text = game.text();
        assert!(text.contains(standing), "{text}");
        let behind = text.rsplit_once("> fen\n").expect("a FEN").1.to_string();
        // The terminal breaks it, in a space even.
        let fen = behind.rsplit_once('\n').expect("a prompt").0;
        fen.chars().filter(|c| !c.is_whitespace()).collect::<String>()
    };
    let mut game =
        Terminal::start(80, 24, &state, &["play", "--variant", "shoranji", "--level", "2"]);
    game.until_text("White>");
    game.line("setup b1d1", "White to set up: 'setup c1b1' swaps, 'done' ends it", "White>");
    game.line("done", "Move 1: White to move", "White>");
    game.line("e5", "Move 2: White to move", "White>");
    let fen = fen_of(&mut game, "Move 2: White to move");
    game.kill();
    assert_eq!(kept(&state).len(), 1);

    // On another terminal, and then by a signal.
    let mut game = Terminal::start(60, 20, &state, &["play", "--resume"]);
    game.until_prompt("Move 2: White to move", "White>");
    assert_eq!(fen_of(&mut game, "Move 2: White to move"), fen);
    game.line("level", "The program plays at level 2.", "White>");
    game.line("a4", "Move 3: White to move", "White>");
    // While it is played, nobody else goes on with it.
    let other = Terminal::start(80, 24, &state, &["play", "--resume"]);
    let (status, text) = other.end();
    assert_eq!(
        (status.code(), text.as_str()),
        (Some(2), "garrison: there is no game to go on with")
    );
    let process = Pid::from_raw(game.process() as i32).expect("a process");
    kill_process(process, Signal::TERM).expect("a signal");
    game.until_text("the game is kept for 'garrison play --resume'");
    game.until("the terminal as before", Terminal::echoes);
    assert_eq!(game.end().0.code(), Some(143));

    // And from within another game, which is kept as well.
    let mut game = Terminal::start(80, 24, &state, &["play", "--variant", "swda", "--level", "1"]);
    game.until_prompt("Move 1: White to move", "White>");
    game.line("Nc3", "Move 2: White to move", "White>");
    game.press("resume\r");
    game.until_text("Leave this game?");
    game.press("y\r");
    game.until_prompt("Move 3: White to move", "White>");
    assert!(game.text().contains("SHORANJI"), "{}", game.text());
    game.press(CTRL_C);
    game.until_text("[keep]");
    game.press("\r");
    let (status, text) = game.end();
    assert!(status.success(), "{text}");
    assert!(
        text.contains("The game is kept: 'garrison play --resume' goes on with it.\nGood-bye.")
    );
    assert_eq!(kept(&state).len(), 2);
    assert!(kept(&state).iter().all(|game| game.contains("[Result \"*\"]")));
}

#[test]
fn signals_keep_the_game_and_restore_the_terminal() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        if signal == Signal::HUP && hangup::is_ignored() {
            continue;
        }
        let state = state(&format!("signal-{status}"));
        let args = ["play", "--variant", "shoranji", "--side", "both"];
        let mut game = Terminal::start(60, 20, &state, &args);
        game.until_text("White>");
        game.line("done", "Black to set up: 'setup b10d10' swaps, 'done' ends it", "Black>");
        assert!(!game.echoes());
        let process = Pid::from_raw(game.process() as i32).expect("a process");
        kill_process(process, signal).expect("a signal");
        game.until_text("the game is kept for 'garrison play --resume'");
        assert!(game.echoes());
        assert_eq!(game.end().0.code(), Some(status));
        assert_eq!(kept(&state).len(), 1);
    }
}

#[test]
fn leaving_asks_and_ctrl_c_goes_on_or_saves() {
    let state = state("leaving");
    let file = format!("{state}/game.pgn");
    fs::write(&file, "mine\n").expect("a file");
    let mut game =
        Terminal::start(80, 24, &state, &["play", "--variant", "swda", "--side", "both"]);
    game.until_prompt("Move 1: White to move", "White>");
    game.line("Nc3", "Move 1: Black to move", "Black>");
    game.press("quit\r");
    game.until_text("[keep]");
    game.press("c\r");
    game.until("the prompt", |game| game.text().ends_with("\n[keep] c\nBlack>"));
    game.press(CTRL_C);
    game.until("the question", |game| game.text().ends_with("\n[keep]"));
    // A file that is there is not replaced without a question.
    game.press(&format!("{file}\r"));
    game.until_text("Replace it? [y/N]");
    game.press("\r");
    game.until_text("not saved");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine\n");
    game.press(&format!("{file}\r"));
    game.until("another question", |game| game.text().matches("Replace it?").count() == 2);
    game.press("y\r");
    assert!(game.end().0.success());
    let saved = fs::read_to_string(&file).expect("a file");
    assert!(saved.contains("[White \"Person\"]") && saved.contains("\n1. Nc3 *\n"), "{saved}");
    assert!(!saved.contains("Play"), "{saved}");
    let date = saved.split("[Date \"").nth(1).expect("a date");
    assert!(date[..10].chars().all(|c| c == '.' || c.is_ascii_digit()), "{saved}");
}

#[test]
fn ctrl_c_while_the_program_thinks_makes_it_move() {
    let state = state("now");
    let mut game = Terminal::start(80, 24, &state, &["play", "--variant", "swda"]);
    game.until_prompt("Move 1: White to move", "White>");
    game.line("time 86400", "The program plays at 86400000 ms a move.", "White>");
    game.press("Nc3\r");
    game.until_text("Black thinks (Ctrl-C: move now)");
    game.press(CTRL_C);
    game.until_prompt("Move 2: White to move", "White>");
    assert!(game.text().contains("\nBlack plays ") && !game.text().contains("thinks"));
    game.press("hint\r");
    game.until_text("White thinks");
    game.press(CTRL_C);
    game.until_text("hint: ");
    // At the prompt it asks.
    game.until("the prompt", |game| game.text().ends_with("\nWhite>"));
    game.press(CTRL_C);
    game.until_text("[keep]");
    game.kill();
}

#[test]
fn lines_have_history_and_completion() {
    let state = state("lines");
    let mut game =
        Terminal::start(80, 24, &state, &["play", "--variant", "swda", "--side", "both"]);
    game.until_prompt("Move 1: White to move", "White>");
    game.press(&format!("Nc{TAB}\r"));
    game.until_prompt("Move 1: Black to move", "Black>");
    game.press(&format!("hi{TAB}"));
    // Two commands begin like this.
    game.press(&format!("s{TAB}"));
    game.until_text("Black> history");
    game.press("\r");
    game.until_text("1. Nc3 *");
    game.press(UP);
    game.until("the line again", |game| game.text().matches("Black> history").count() == 2);
    game.kill();
}

#[test]
fn the_last_move_is_colored_unless_the_terminal_has_none() {
    let arguments = ["play", "--variant", "shoranji", "--side", "both", "--moves", "e3e5"];
    let state = state("colors");
    let mut game = Terminal::start(80, 24, &state, &arguments);
    game.until_prompt("Move 1: Black to move", "Black>");
    let background = |game: &Terminal, label: &str, column: u16| {
        let row = game.lines().iter().position(|line| line.starts_with(label)).expect(label);
        game.screen().cell(row as u16, column).expect("a cell").bgcolor()
    };
    // File e begins at column 15: three for the rank, three for each file.
    let [from, to, other] = [" 3 ", " 5 ", " 4 "].map(|label| background(&game, label, 16));
    assert_eq!(
        (from, to, other),
        (vt100::Color::Idx(3), vt100::Color::Idx(3), vt100::Color::Default)
    );
    game.kill();
    for plain in [("TERM", "dumb"), ("NO_COLOR", "1")] {
        let env = [("TERM", "xterm"), ("XDG_STATE_HOME", state.as_str()), plain];
        let mut game = Terminal::with(80, 24, &env, &arguments);
        game.until_prompt("Move 1: Black to move", "Black>");
        assert!(game.text().contains("[P]") && game.text().contains("[.]"), "{}", game.text());
        assert_eq!(background(&game, " 5 ", 16), vt100::Color::Default);
        if plain.0 == "TERM" {
            assert!(!game.printed.contains(&0x1b), "{:?}", String::from_utf8_lossy(&game.printed));
        }
        game.kill();
    }
}

#[test]
fn two_people_choose_their_armies_unseen() {
    let state = state("armies");
    let mut game =
        Terminal::start(80, 24, &state, &["play", "--variant", "swda-??", "--side", "both"]);
    game.until("the question", |game| game.text().ends_with("White's army>"));
    assert!(!game.echoes());
    game.press("a\n");
    game.until("the other question", |game| game.text().ends_with("Black's army>"));
    // The screen was cleared, and the letter never shown.
    assert!(!game.text().contains("White, choose"), "{}", game.text());
    assert!(!game.echoes());
    game.press("p\n");
    game.until_prompt("Move 1: White to move", "White>");
    let printed = String::from_utf8_lossy(&game.printed).into_owned();
    assert!(!printed.contains("army> a") && !printed.contains("army> p"), "{printed}");
    assert!(game.text().contains("(swda-ap)"), "{}", game.text());
    game.kill();
}
