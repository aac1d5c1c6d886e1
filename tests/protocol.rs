//! The program as others see it: every transcript of `protocol.md` is replayed against it, and
//! what the reference promises for bad input, searches and the end of a session is tried.

mod talk;

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use talk::{PATIENCE, Talk, run, spawn, wait};

const REFERENCE: &str = include_str!("../protocol.md");

const ERROR: &str = "info string error: ";

// Transcripts

/// The transcripts of the reference, each with the number of its first line.
fn transcripts() -> Vec<(usize, Vec<&'static str>)> {
    let mut found: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for (index, line) in REFERENCE.lines().enumerate() {
        match (inside, line) {
            (false, "```transcript") => {
                inside = true;
                found.push((index + 2, Vec::new()));
            }
            (true, "```") => inside = false,
            (true, line) => found.last_mut().expect("a block").1.push(line),
            (false, _) => {}
        }
    }
    assert!(!inside, "a transcript has no end");
    found
}

/// Whether a line is the pattern, in which `…` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn patterns_match_what_they_should() {
    for (pattern, line) in
        [("a", "a"), ("a … c", "a b c"), ("…b…", "abc"), ("a …", "a "), ("", ""), ("x…x", "xx")]
    {
        assert!(matches(pattern, line), "{pattern} {line}");
    }
    for (pattern, line) in [("a", "ab"), ("a … c", "a c"), ("…b", "abc"), ("", "a"), ("x…x", "x")]
    {
        assert!(!matches(pattern, line), "{pattern} {line}");
    }
}

/// What a command answers that does not start a search, in the dialect of `first`.
fn ask_in(talk: &mut Talk, first: &str, command: &str) -> Vec<String> {
    if first.starts_with("xboard") { talk.ask_pong(command) } else { talk.ask(command) }
}

fn replay(first: usize, lines: &[&str]) {
    let mut engine = Talk::program();
    let mut any = false;
    // The first line chooses the dialect.
    let dialect = lines.iter().find_map(|line| line.strip_prefix("> ")).unwrap_or("");
    for (index, line) in lines.iter().enumerate() {
        let place = format!("protocol.md:{}", first + index);
        if let Some(command) = line.strip_prefix("> ") {
            if any {
                ask_in(&mut engine, dialect, "");
                any = false;
            }
            engine.send(command);
            continue;
        }
        let wanted = line.strip_prefix('<').unwrap_or_else(|| panic!("{place}: '{line}'"));
        let wanted = wanted.strip_prefix(' ').unwrap_or(wanted);
        if wanted == "…" {
            any = true;
            continue;
        }
        loop {
            let found = engine.next_line(&format!("{place}: '{wanted}'"));
            let found = found.unwrap_or_else(|| panic!("{place}: no '{wanted}', but the end"));
            if matches(wanted, &found) {
                break;
            }
            let may_come = any || found.starts_with("info depth ");
            assert!(may_come, "{place}: wanted '{wanted}', found '{found}'");
        }
        any = false;
    }
    let mut rest = ask_in(&mut engine, dialect, "");
    rest.retain(|line| !line.starts_with("info depth "));
    assert!(any || rest.is_empty(), "protocol.md:{}: more comes: {rest:?}", first + lines.len());
    engine.quit();
}

#[test]
fn every_transcript_of_the_reference_is_true() {
    let transcripts = transcripts();
    let sent = |lines: &[&str]| lines.iter().filter(|line| line.starts_with("> ")).count();
    let commands: usize = transcripts.iter().map(|(_, lines)| sent(lines)).sum();
    assert!(transcripts.len() >= 18, "only {} transcripts", transcripts.len());
    assert!(commands >= 160, "only {commands} commands");
    for hello in ["uci", "usi", "xboard"] {
        let begins = |lines: &[&str]| lines.first() == Some(&format!("> {hello}").as_str());
        assert!(transcripts.iter().any(|(_, lines)| begins(lines)), "no transcript of {hello}");
    }
    for (first, lines) in &transcripts {
        replay(*first, lines);
    }
}

#[test]
fn the_reference_names_every_game_and_option() {
    let mut engine = Talk::program();
    let mut options = 0;
    for line in engine.ask("uci") {
        let Some(option) = line.strip_prefix("option name ") else { continue };
        let (name, _) = option.split_once(" type ").expect("a type");
        assert!(REFERENCE.contains(&format!("| `{name}` |")), "{name}");
        options += 1;
    }
    assert!(options >= 4);
    for game in engine.ask("variants") {
        let name = if game.starts_with("swda-") { "swda-xy" } else { &game };
        assert!(REFERENCE.contains(&format!("| `{name}` |")), "{game}");
        assert_eq!(engine.ask(&format!("variant {game}")).len(), 1);
        let start = engine.shown("Fen: ", false);
        assert_eq!(engine.ask(&format!("position fen {start}")), Vec::<String>::new());
        assert_eq!(engine.shown("Fen: ", false), start);
    }
    engine.quit();
}

#[test]
fn the_reference_names_every_command() {
    let sources = [
        include_str!("../src/protocol/uci/command.rs"),
        include_str!("../src/protocol/cecp/command.rs"),
    ];
    for source in sources {
        let arms = source.split("match word {").nth(1).and_then(|rest| rest.split("_ =>").next());
        // Words stand between quotes: every second part.
        let words: Vec<&str> =
            arms.expect("a list of words").split('"').skip(1).step_by(2).collect();
        assert!(words.len() >= 20, "{words:?}");
        for word in words {
            let named =
                ["`", " ", ","].iter().any(|end| REFERENCE.contains(&format!("`{word}{end}")));
            assert!(named, "protocol.md does not name '{word}'");
        }
    }
}

// Bad input

/// Each line must give one error line and leave the position as it was.
fn refuse(engine: &mut Talk, lines: &[&str]) {
    let before = engine.ask("d");
    for line in lines {
        let answer = engine.ask(line);
        assert!(answer.len() == 1 && answer[0].starts_with(ERROR), "{line}: {answer:?}");
        assert!(answer[0].len() > ERROR.len() + 5, "{line}: {answer:?}");
        assert_eq!(engine.ask("d"), before, "{line}");
    }
}

#[test]
fn bad_commands_options_and_searches_change_nothing() {
    let mut engine = Talk::program();
    let bad = [
        "hello",
        "UCI",
        "ucix",
        "usi",
        "xboard",
        "\u{feff}uci",
        "go depth",
        "go depth x",
        "go depth -1",
        "go depth 4294967296",
        "go depth 1.5",
        "go nodes -1",
        "go nodes 18446744073709551616",
        "go movetime",
        "go movetime soon",
        "go wtime 1s",
        "go winc",
        "go movestogo 10001",
        "go mate 1001",
        "go searchmoves",
        "go searchmoves e3e4",
        "go depth 1 searchmoves depth 1",
        "go depth 1 searchmoves =TWF1T1FWT e3e4",
        "go perft",
        "go perft x",
        "go perft 65",
        "perft",
        "perft -1",
        "bench 0",
        "bench 33",
        "bench x",
        "variant",
        "variant checkers",
        "variant shoranjy",
        "variant shoranji x",
        "setoption",
        "setoption Hash 3",
        "setoption name",
        "setoption name Nothing",
        "setoption name Nothing value 1",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value 0",
        "setoption name Hash value 65537",
        "setoption name Hash value -1",
        "setoption name Hash value 16MB",
        "setoption name Ponder value yes",
        "setoption name UCI_Variant",
        "setoption name UCI_Variant value checkers",
    ];
    refuse(&mut engine, &bad);
    engine.ask("position startpos moves e3e4");
    refuse(&mut engine, &bad);
    refuse(&mut engine, &["setup", "setup done", "setup b1d1"]);
    engine.quit();
}

#[test]
fn bad_positions_and_moves_change_nothing() {
    let mut engine = Talk::program();
    let bad = [
        "position",
        "position fen",
        "position moves e3e4",
        "position start",
        "position startpos e3e4",
        "position startposmoves e3e4",
        "position fen startpos",
        "position fen t8/9/9/9/9/9/9/9/T8 w",
        "position fen t8/9/9/9/9/9/9/9/T8 w - - 0",
        "position fen t8/9/9/9/9/9/9/9/T8 w - - 0 1 1",
        "position fen t8/9/9/9/9/9/9/T8 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/9/T8 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T7 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T80 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T08 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T99999999999999999999 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T7+ w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T7é w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/TTTT5 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/TK7 w - - 0 1",
        "position fen 9/9/9/9/9/9/9/9/9 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/9[K] b - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8[k] w - - 0 1",
        "position fen t8/9/9/9/9/9/9/P8/T8 w - - 0 1",
        "position fen t8/p8/9/9/9/9/9/9/T8 w - - 0 1",
        "position fen t7P/9/9/9/9/9/9/9/T8 w - - 0 1",
        "position fen k7R/9/9/9/9/9/9/9/T8 w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8[N w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8[N]] w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8[W] w - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8 W - - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w sS - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8 b Ss - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w s - 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w Ss - 3 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w Ss - 0 2",
        "position fen t8/9/9/9/9/9/9/9/T8 w - e10 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w - e6 0 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w - - -1 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w - - +1 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w - - 65536 1",
        "position sfen t8/9/9/9/9/9/9/9/T8 w - - 0 1",
        "position sfen t8/9/9/9/9/9/9/9/T8",
        "position fen t8/9/9/9/9/9/9/9/T8 b - 1",
        "position fen t8/9/9/9/9/9/9/9/T8 w - - 0 1000000",
        "position startpos moves 0000",
        "position startpos moves e3e5",
        "position startpos moves e3e4 e7e6 e4e5 e3e4",
        "position startpos moves e4e5",
        "position startpos moves e7e6",
        "position startpos moves e3e4q",
        "position startpos moves E3E4",
        "position startpos moves e3",
        "position startpos moves e3-e4",
        "position startpos moves z3z4",
        "position startpos moves N@e5",
        "position startpos moves n@e5",
        "position startpos moves @e5",
        "position startpos moves N@",
        "position startpos moves P@e5",
        "position startpos moves =",
        "position startpos moves =TWF1T1FW",
        "position startpos moves =TWF1T1WWT",
        "position startpos moves =WTF1T1FWT",
        "position startpos moves =twf1t1fwt",
        "position startpos moves e3e4 =TWF1T1FWT",
        "position startpos moves =TWF1T1FWT =TWF1T1FWT =TWF1T1FWT",
        "position fen 8k/4P4/9/9/9/9/9/9/K8 w - - 0 1 moves e8e9",
        "position fen 4k4/9/9/9/9/9/9/9/8R[K] w - - 0 1 moves i1i2",
    ];
    refuse(&mut engine, &bad);
    refuse(
        &mut engine,
        &["setup a1b1", "setup b1b2", "setup d1e1", "setup b1b1", "setup x", "setup b1d1 a1b1"],
    );
    engine.ask("position startpos moves =TFW1T1FWT");
    refuse(&mut engine, &bad);
    engine.quit();
}

#[test]
fn positions_that_break_a_game_are_refused() {
    let games = [
        (
            "swda-po",
            vec![
                "rnafkanr/pppppppp/8/8/8/8/PPPPPPPP/QOBWKBOQ[] w - - 0 1",
                "rnafkanr/pppppppp/8/8/8/8/PPPPPPPP/QOBWKBOA w - - 0 1",
                "rnafkanr/pppppppp/8/8/8/KKK5/PPPPPPPP/QOBWKBOQ w - - 0 1",
                "rnafkknr/pppppppp/8/8/8/8/PPPPPPPP/QOBWKBOQ w - - 0 1",
                "rnaf1anr/pppppppp/8/8/8/8/PPPPPPPP/QOBWKBOQ w - - 0 1",
                "4k2Q/8/8/8/8/8/8/4K3 w - - 0 1",
                "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
                "4k3/3B4/8/8/8/8/8/O3K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/4K3 w Ss - 0 1",
                "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            ],
        ),
        (
            "shoranji",
            vec![
                "Gt7/9/9/9/9/9/9/9/9/T8 w - - 0 1",
                "t8/9/9/9/9/9/9/9/9/T8[W] w - - 0 1",
                "t8/9/9/9/9/2P6/9/9/9/T8 b - d4 0 1",
                "t8/9/9/9/9/2P6/9/9/9/T8 w - c4 0 1",
                "t8/9/9/9/9/9/9/9/9/T8 w Ss c4 0 1",
            ],
        ),
        (
            "chesstonia",
            vec![
                "4k4/9/9/9/9/9/9/9/9/P8/P8/4K4[] w - - 0 1",
                "P3k4/9/9/9/9/9/9/9/9/9/9/4K4[] w - - 0 1",
                "4k4/9/9/9/9/9/9/9/9/9/9/4K4[K] w - - 0 1",
                "4k4/9/9/9/9/9/9/9/9/9/9/9[] w - - 0 1",
                "4k4/9/9/9/9/9/9/9/9/9/9/KK7[] w - - 0 1",
                "4k3R/9/9/9/9/9/9/9/9/9/9/4K4[] w - - 0 1",
            ],
        ),
        (
            "shoogantshii",
            vec![
                "9/9/9/9/9/9/9/9/9[] w - - 0 1",
                "4k4/9/9/9/4K4/9/9/9/9[] w - - 0 1",
                "4k4/9/9/9/9/9/9/A8/4K4[] w - - 0 1",
                "4k4/8N/9/9/9/9/9/9/4K4[] w - - 0 1",
                "4k3L/9/9/9/9/9/9/9/4K4[] w - - 0 1",
                "4k4/9/9/9/9/9/9/9/4K3p[] w - - 0 1",
                "4k4/9/9/9/P8/P8/9/9/4K4[] w - - 0 1",
                "4k4/9/9/9/+K8/9/9/9/4K4[] w - - 0 1",
                "4k4/9/9/9/9/9/9/9/4K4[+P] w - - 0 1",
            ],
        ),
    ];
    for (game, fens) in games {
        let mut engine = Talk::playing(game);
        let lines: Vec<String> = fens.iter().map(|fen| format!("position fen {fen}")).collect();
        refuse(&mut engine, &lines.iter().map(String::as_str).collect::<Vec<_>>());
        engine.quit();
    }
}

/// Positions as PyChess, cutechess, pyffish and programs for shogi send them.
#[test]
fn positions_of_other_programs_are_read() {
    const SHOGI: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    for (game, sent, fen) in [
        (
            "crazyhouse",
            "fen r1bqkbnr/pppp1ppp/2n5/4p3/4P3/8/PPPP1PPP/R1BQKBNR/n w KQkq - moves d2d4"
                .to_string(),
            "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/8/PPP2PPP/R1BQKBNR[n] b KQkq - 0 1".to_string(),
        ),
        ("shogi", format!("fen {SHOGI}[-] w - 1"), format!("{SHOGI}[] w - - 0 1")),
        ("shogi", format!("fen {SHOGI}[-] w 0 1"), format!("{SHOGI}[] w - - 0 1")),
        ("shogi", format!("fen {SHOGI} b - 1"), format!("{SHOGI}[] w - - 0 1")),
        ("shogi", format!("sfen {SHOGI} w - 2"), format!("{SHOGI}[] b - - 0 1")),
        (
            "shogi",
            "fen 4k4/9/9/9/9/9/9/9/4K4 b 2Pg 1 moves P@e5".to_string(),
            "4k4/9/9/9/4P4/9/9/9/4K4[Pg] b - - 0 1".to_string(),
        ),
        ("shogi", format!("fen {SHOGI}"), format!("{SHOGI}[] w - - 0 1")),
        (
            "chess",
            "fen 4k3/8/8/8/8/8/8/4K3 moves e1e2".to_string(),
            "4k3/8/8/8/8/8/4K3/8 b - - 1 1".to_string(),
        ),
        (
            "chess",
            "fen 4k3/8/8/8/8/8/8/4K3 b - - 0 0".to_string(),
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1".to_string(),
        ),
    ] {
        let mut engine = Talk::playing(game);
        let answer = engine.ask(&format!("position {sent}"));
        assert_eq!(answer, Vec::<String>::new(), "{game} {sent}");
        assert_eq!(engine.shown("Fen: ", false), fen, "{game} {sent}");
        engine.quit();
    }
    // A fault is reported in the words of the text: a SFEN calls the first player Black.
    let mut engine = Talk::playing("shogi");
    let answer = engine.ask("position fen 4k4/9/9/9/9/9/9/9/4K4 b 2X 1");
    assert_eq!(answer, [format!("{ERROR}SFEN field 'hands': shogi holds no 'X' in hand")]);
    engine.quit();
}

#[test]
fn hands_have_a_limit() {
    let mut engine = Talk::playing("chesstonia");
    let fen = |pieces| {
        format!("position fen 4k4/9/9/9/9/9/9/9/9/9/9/4K4[{}] w - - 0 1", "N".repeat(pieces))
    };
    refuse(&mut engine, &[&fen(121)]);
    assert_eq!(engine.ask(&fen(120)), Vec::<String>::new());
    engine.quit();
}

/// A small generator of numbers: xorshift64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// A line of random bytes, of random words, or of words with random bytes in it.
fn random_line(random: &mut Random) -> Vec<u8> {
    // No `quit`, no `bench`, no large numbers: the test is to end, and soon.
    const WORDS: &str = "uci isready ucinewgame position go stop ponderhit setoption d legal variants variant \
        setup eval perft debug startpos fen moves name value Hash UCI_Variant Ponder Clear Hash \
        shoranji swda-jp shoogantshii chesstonia infinite ponder depth nodes movetime wtime \
        searchmoves done b1d1 e3e4 e7e6 =TFW1T1FWT N@e5 t8/9/9/9/9/9/9/9/T8[] w b - 0 1";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut line = Vec::new();
    let kind = random.below(4);
    if kind == 0 {
        line.extend((0..random.below(60)).map(|_| random.next() as u8));
    } else {
        for _ in 0..=random.below(8) {
            line.extend_from_slice(words[random.below(words.len())].as_bytes());
            line.push(b' ');
        }
    }
    if kind == 1 {
        for _ in 0..=random.below(3) {
            let at = random.below(line.len());
            line[at] = random.next() as u8;
        }
    }
    line.retain(|&byte| byte != b'\n');
    line.push(b'\n');
    line
}

#[test]
fn random_bytes_neither_crash_nor_hang_it() {
    for seed in [1, 0x9e37_79b9_7f4a_7c15] {
        let mut random = Random(seed);
        let mut engine = Talk::program();
        for number in 0..2000 {
            let line = random_line(&mut random);
            engine.send_bytes(&line);
            if number % 100 == 99 {
                // There are words `isready` among the random ones: this answer is unmistakable.
                engine.send("stop");
                engine.send(&format!("line-{number}"));
                engine.until(&format!("{ERROR}unknown command 'line-{number}'"));
            }
        }
        let mut long = vec![b'x'; 8 << 20];
        long.push(b'\n');
        engine.send_bytes(&long);
        let answer = engine.ask("debug");
        assert!(answer.len() == 1 && answer[0].starts_with(ERROR), "{answer:?}");
        engine.ask("variant swda-oo");
        assert_eq!(engine.go("go depth 1").last().map(|line| &line[..9]), Some("bestmove "));
        engine.quit();
    }
}

#[test]
fn a_line_may_be_almost_four_mebibytes_long() {
    let mut engine = Talk::playing("swda-oo");
    let shuffle = " b1c3 b8c6 c3b1 c6b8".repeat(1000);
    let padding = " ".repeat((4 << 20) - 1 - "position startpos moves".len() - shuffle.len());
    assert_eq!(
        engine.ask(&format!("position startpos moves{padding}{shuffle}")),
        Vec::<String>::new()
    );
    assert_eq!(engine.shown("Status: ", false), "draw (repetition)");
    refuse(&mut engine, &[&format!("position startpos moves{padding} {shuffle}")]);
    engine.quit();
}

// Searches

#[test]
fn isready_is_answered_and_stop_obeyed_during_a_search() {
    let mut engine = Talk::playing("shoogantshii");
    for command in ["go infinite", "go", "go ponder depth 1", "go depth 1 infinite"] {
        engine.send(command);
        // No `bestmove` comes before `readyok`: the search goes on, and ends by nothing but `stop`.
        let answer = engine.ask("debug");
        assert!(answer.iter().all(|line| line.starts_with("info depth ")), "{answer:?}");
        thread::sleep(Duration::from_millis(100));
        let lines = engine.go("stop");
        let best = lines.last().expect("a line");
        assert!(best.len() >= "bestmove a1a2".len() && best != "bestmove (none)", "{best}");
    }
    engine.quit();
}

#[test]
fn a_search_refuses_what_would_change_it() {
    let mut engine = Talk::playing("swda-oo");
    let before = engine.ask("d");
    engine.send("go infinite");
    for command in [
        "position startpos moves e2e3",
        "go depth 1",
        "go perft 1",
        "perft 1",
        "setoption name Hash value 1",
        "setoption name UCI_Variant value shoranji",
        "variant shoranji",
        "setup",
        "ucinewgame",
        "bench 1",
    ] {
        let mut answer = engine.ask(command);
        answer.retain(|line| !line.starts_with("info depth "));
        assert!(answer.len() == 1 && answer[0].starts_with(ERROR), "{command}: {answer:?}");
    }
    for (command, last) in
        [("uci", "uciok"), ("variants", "twinlakes"), ("eval", "Evaluation: cp ")]
    {
        let mut answer = engine.ask(command);
        answer.retain(|line| !line.starts_with("info depth "));
        assert!(answer.last().is_some_and(|line| line.starts_with(last)), "{command}: {answer:?}");
    }
    engine.go("stop");
    assert_eq!(engine.ask("d"), before);
    engine.quit();
}

#[test]
fn a_stop_waits_for_nothing() {
    let mut engine = Talk::playing("swda-oo");
    // What pondered without any limit has none after the hit either.
    for commands in
        [vec!["go ponder", "ponderhit"], vec!["go depth 120"], vec!["go nodes 99999999999"]]
    {
        for command in commands {
            engine.send(command);
        }
        engine.send("position startpos moves e2e3");
        engine.send("stop");
        engine.until("bestmove ");
        assert_eq!(engine.ask(""), Vec::<String>::new());
    }
    engine.quit();
}

/// The number behind a word of an info line.
fn number(info: &str, word: &str) -> Option<u64> {
    info.split(' ').skip_while(|&found| found != word).nth(1)?.parse().ok()
}

#[test]
fn limits_end_a_search() {
    let mut engine = Talk::playing("swda-oo");
    // Where nothing but the clock ends the search, its end is all that is asked for: how long it takes is measured
    // by `cargo bench --bench latency`.
    for (command, depth, nodes) in [
        ("go depth 3", 3, u64::MAX),
        ("go nodes 1", u64::MAX, 1),
        ("go nodes 2000", u64::MAX, 2000),
        ("go movetime 0", u64::MAX, u64::MAX),
        ("go movetime 50", u64::MAX, u64::MAX),
        ("go movetime -5", u64::MAX, u64::MAX),
        ("go wtime 500 btime 500", u64::MAX, u64::MAX),
        ("go wtime 500 btime 500 winc 10 binc 10 movestogo 5", u64::MAX, u64::MAX),
        ("go depth 100 nodes 500 movetime 3600000", 100, 500),
        ("go searchmoves e2e3 d2d3 depth 2", 2, u64::MAX),
        ("go depth 0", 1, u64::MAX),
    ] {
        let lines = engine.go(command);
        let (best, infos) = lines.split_last().expect("a line");
        for info in infos {
            let words: Vec<&str> = info.split(' ').collect();
            assert_eq!(words[..2], ["info", "depth"], "{info}");
            for word in ["seldepth", "score", "nodes", "nps", "hashfull", "time", "pv"] {
                assert!(words.contains(&word), "{command}: no {word} in {info}");
            }
            assert!(
                number(info, "depth").is_some_and(|reached| reached <= depth),
                "{command}: {info}"
            );
            assert!(
                number(info, "nodes").is_some_and(|visited| visited <= nodes),
                "{command}: {info}"
            );
        }
        if command.contains("searchmoves") {
            assert!(best.starts_with("bestmove e2e3") || best.starts_with("bestmove d2d3"));
        }
    }
    engine.quit();
}

#[test]
fn the_next_command_may_follow_bestmove_at_once() {
    let mut engine = Talk::playing("swda-oo");
    for _ in 0..200 {
        engine.send("position startpos moves e2e3");
        engine.send("go depth 1");
        let lines = engine.until("bestmove ");
        assert!(!lines.iter().any(|line| line.starts_with(ERROR)), "{lines:?}");
    }
    for _ in 0..200 {
        engine.send("go perft 1");
        let lines = engine.until("Nodes searched: ");
        assert!(!lines.iter().any(|line| line.starts_with(ERROR)), "{lines:?}");
    }
    engine.quit();
}

#[test]
fn a_weak_level_ponders_no_deeper() {
    let mut engine = Talk::playing("swda-oo");
    engine.send("setoption name Skill Level value 2");
    engine.send("go ponder wtime 60000 btime 60000");
    thread::sleep(Duration::from_millis(100));
    let lines = engine.go("ponderhit");
    let nodes = lines.iter().rev().find_map(|line| number(line, "nodes"));
    assert!(nodes.is_some_and(|nodes| nodes <= 1024), "{lines:?}");
    engine.quit();
}

#[test]
fn a_ponder_search_waits_for_its_hit() {
    let mut engine = Talk::playing("swda-oo");
    engine.send("go ponder movetime 1");
    thread::sleep(Duration::from_millis(100));
    let lines = engine.ask("debug");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.go("ponderhit");
    engine.quit();
}

#[test]
fn a_finished_game_has_a_score_and_no_best_move() {
    for (game, position, status, score) in [
        ("swda-oo", "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "draw (bare kings)", "cp 0"),
        // The winner is to move.
        ("swda-oo", "fen 8/8/4k3/8/8/4K3/8/R7 w - - 0 1", "white wins (bare king)", "mate 1"),
        (
            "swda-oj",
            "fen 8/1R6/8/2p5/k3N3/R3P3/1P5K/8 b - - 1 46",
            "white wins (checkmate)",
            "mate 0",
        ),
        (
            "sixfortresses",
            "fen 6B2/2R6/3K5/5k2N/7Q1/9/3I5/9/9[] b - - 2 88",
            "draw (stalemate)",
            "cp 0",
        ),
        (
            "shoogantshii",
            "fen 4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1 moves e1e9",
            "white wins (king captured)",
            "mate 0",
        ),
        ("chess", "startpos moves f2f3 e7e5 g2g4 d8h4", "black wins (checkmate)", "mate 0"),
    ] {
        let mut engine = Talk::playing(game);
        assert_eq!(engine.ask(&format!("position {position}")), Vec::<String>::new());
        assert_eq!(engine.shown("Status: ", false), status);
        for limits in
            ["depth 3", "movetime 1000", "nodes 1", "wtime 900 btime 900", "infinite", "ponder"]
        {
            let answer = engine.go(&format!("go {limits}"));
            let wanted = [format!("info depth 0 score {score}"), "bestmove (none)".to_string()];
            assert_eq!(answer, wanted, "{game} {position} {limits}");
        }
        engine.quit();
    }
}

/// A runner that does not know a rule of draws goes on, and must not take the answer for a resignation.
#[test]
fn a_drawn_game_with_legal_moves_has_a_best_move() {
    const OVER: &str = "info string the game is over: ";
    for (game, position, said) in [
        (
            "swda-oo",
            "startpos moves b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8",
            format!("{OVER}draw (repetition)"),
        ),
        (
            "swda-oo",
            "fen rnafkanr/pppppppp/8/8/8/8/PPPPPPPP/RNAFKANR w - - 140 90",
            format!("{OVER}draw (move count)"),
        ),
        (
            "makruk",
            "startpos moves b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8",
            format!("{OVER}draw (repetition)"),
        ),
        (
            "chess",
            "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
            "info string a draw can be claimed: draw (repetition)".to_string(),
        ),
        // A repetition that one side loses is of the same kind.
        (
            "shogi",
            "fen 4k4/9/9/9/9/9/9/9/R3K4[] w - - 0 1 moves a1a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 \
             a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9",
            format!("{OVER}black wins (perpetual check)"),
        ),
    ] {
        let mut engine = Talk::playing(game);
        assert_eq!(engine.ask(&format!("position {position}")), Vec::<String>::new(), "{game}");
        let legal = engine.ask("legal").remove(0);
        for limits in ["depth 3", "nodes 500", "movetime 50", "wtime 900 btime 900"] {
            let answer = engine.go(&format!("go {limits}"));
            assert_eq!(answer[0], said, "{game} {limits}");
            let best = answer.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
            assert!(legal.split(' ').any(|mv| mv == best), "{game} {limits}: {answer:?}");
        }
        engine.quit();
    }
}

/// The line ends where the game does, whatever the search believed.
#[test]
fn no_line_runs_past_a_draw_by_count() {
    let mut engine = Talk::playing("swda-oo");
    engine.ask("position fen rnafkanr/8/8/8/8/8/8/RNAFKANR w - - 137 90");
    for line in engine.go("go depth 6") {
        let Some((_, pv)) = line.split_once(" pv ") else { continue };
        engine.ask(&format!("position fen rnafkanr/8/8/8/8/8/8/RNAFKANR w - - 137 90 moves {pv}"));
        let words: Vec<&str> = pv.split(' ').collect();
        for count in 1..words.len() {
            let moves = words[..count].join(" ");
            engine.ask(&format!(
                "position fen rnafkanr/8/8/8/8/8/8/RNAFKANR w - - 137 90 moves {moves}"
            ));
            assert_eq!(engine.shown("Status: ", false), "ongoing", "{line}");
        }
    }
    engine.quit();
}

#[test]
fn a_refused_position_leaves_none_to_search() {
    let nowhere = format!("{ERROR}there is no position: the last one was refused");
    for wrong in [
        "position startpos moves e2e4 e7e5 e4e5",
        "position fen 8/8/8 w - - 0 1",
        "position somewhere",
        "position",
    ] {
        let mut engine = Talk::playing("chess");
        engine.ask("position startpos moves e2e4");
        let before = engine.ask("d");
        let refused = engine.ask(wrong);
        assert!(refused.len() == 1 && refused[0].starts_with(ERROR), "{wrong}: {refused:?}");
        for limits in ["depth 3", "infinite", "ponder"] {
            let answer = engine.go(&format!("go {limits}"));
            assert_eq!(answer, [nowhere.as_str(), "bestmove (none)"], "{wrong} {limits}");
        }
        assert_eq!(engine.ask("go perft 1"), [nowhere.as_str()], "{wrong}");
        // What is shown is the last position that was accepted.
        assert_eq!(engine.ask("d"), before, "{wrong}");
        engine.ask("ucinewgame");
        assert_eq!(engine.go("go depth 1"), [nowhere.as_str(), "bestmove (none)"], "{wrong}");
        engine.ask("position startpos moves e2e4");
        assert_ne!(engine.go("go depth 1").last().expect("a line"), "bestmove (none)");
        engine.ask(wrong);
        engine.ask("variant chess");
        assert_ne!(engine.go("go depth 1").last().expect("a line"), "bestmove (none)");
        engine.quit();
    }
}

#[test]
fn a_line_too_long_to_be_read_is_a_position_that_is_refused() {
    let mut engine = Talk::playing("chess");
    engine.send(&format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(300_000)));
    let answer = engine.go("go depth 1");
    assert_eq!(answer.last().expect("a line"), "bestmove (none)", "{answer:?}");
    engine.quit();
}

#[test]
fn perft_is_stopped() {
    let mut engine = Talk::playing("swda-oo");
    engine.send("go perft 20");
    thread::sleep(Duration::from_millis(50));
    assert_eq!(engine.ask("stop"), ["info string perft stopped"]);
    engine.ask("variant shoogantshii");
    let hands = "AAGGNNLLRBCFPPPPPPPPPaaggnnllrbcfppppppppp";
    engine.ask(&format!("position fen 4k4/9/9/9/9/9/9/9/4K4[{hands}] w - - 0 1"));
    engine.send("go perft 4");
    assert_eq!(engine.ask("stop"), ["info string perft stopped"]);
    assert_eq!(engine.count("go perft 0"), ["", "Nodes searched: 1"]);
    engine.quit();
}

#[test]
fn all_ways_to_count_agree() {
    for game in ["swda-oj", "shoranji", "shoogantshii", "chesstonia"] {
        let mut engine = Talk::playing(game);
        let counts = engine.count("go perft 2");
        assert_eq!(engine.count("perft 2"), counts);
        assert_eq!(counts.len() - 2, shown_moves(&mut engine));
        let done = run(&["perft", "--variant", game, "2", "--divide"], b"");
        assert_eq!(done.code, Some(0), "{}", done.err);
        let printed: Vec<&str> = done.out.lines().take(counts.len()).collect();
        assert_eq!(printed, counts);
        engine.quit();
    }
}

/// How many moves `legal` lists.
fn shown_moves(engine: &mut Talk) -> usize {
    let answer = engine.ask("legal");
    assert_eq!(answer.len(), 1);
    answer[0].split_whitespace().count()
}

// The end of a session

#[test]
fn quit_ends_the_program_also_during_a_search() {
    Talk::program().quit();
    for command in ["go infinite", "go ponder", "go depth 50"] {
        let mut engine = Talk::playing("swda-oo");
        engine.send(command);
        engine.quit();
    }
}

/// A search that no test can wait for.
const ENDLESS: &str = "go nodes 99999999999999";

#[test]
fn a_second_go_is_an_error_and_not_another_search() {
    let busy = format!("{ERROR}go while a search is running; send stop first");
    let mut engine = Talk::playing("swda-oo");
    engine.send(ENDLESS);
    for _ in 0..3 {
        engine.send(ENDLESS);
        engine.until(&busy);
    }
    // One for another position may wait for its turn, but no other for that.
    engine.send("position startpos moves e2e3");
    engine.send("go depth 1");
    engine.send("go depth 1");
    engine.until(&busy);
    engine.send("stop");
    let lines = engine.until("bestmove ");
    assert!(!lines.iter().any(|line| line.starts_with(ERROR)), "{lines:?}");
    engine.until("bestmove ");
    assert_eq!(engine.ask(""), Vec::<String>::new());
    // Behind a stop it is a search of its own.
    engine.send(ENDLESS);
    engine.send("stop");
    engine.send("go depth 1");
    engine.until("bestmove ");
    engine.until("bestmove ");
    engine.quit();
}

/// Also a search that begins while the `stop` waits for its turn behind another line.
#[test]
fn a_stop_ends_what_begins_before_its_turn() {
    let mut engine = Talk::playing("swda-oo");
    for line in [ENDLESS, "position startpos moves e2e3", ENDLESS, "position startpos", "stop"] {
        engine.send(line);
    }
    engine.until("bestmove ");
    engine.until("bestmove ");
    assert_eq!(engine.ask(""), Vec::<String>::new());
    engine.quit();
}

#[test]
fn quit_acts_at_once_whatever_was_sent_before() {
    for between in [
        vec![],
        vec![ENDLESS, ENDLESS],
        vec!["position startpos moves e2e3", ENDLESS, "go perft 9"],
        vec!["isready", "d", "ucinewgame", "bench 20"],
        vec!["setoption name Threads value 3", ENDLESS],
    ] {
        let mut engine = Talk::playing("swda-oo");
        engine.send(ENDLESS);
        between.iter().for_each(|line| engine.send(line));
        let lines = engine.quit();
        let moves = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(moves, 1, "{between:?}: {lines:?}");
    }
}

#[test]
fn stop_and_quit_act_behind_more_lines_than_may_wait() {
    let mut engine = Talk::playing("swda-oo");
    engine.send(ENDLESS);
    let long = format!("position startpos moves {}", "x".repeat(3 << 20));
    for _ in 0..20 {
        engine.send(&long);
    }
    engine.until(&format!("{ERROR}too many commands wait"));
    engine.quit();
}

/// The other side of a game on a clock has gone.
#[test]
fn the_end_of_input_ends_a_search_on_a_clock() {
    for command in [
        "go wtime 99999999999 btime 99999999999",
        "go wtime 99999999999 btime 99999999999 movestogo 1",
        "go wtime 0 btime 0 byoyomi 99999999999",
    ] {
        let mut engine = Talk::playing("swda-oo");
        engine.send(command);
        let lines = engine.end();
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{command}");
    }
}

#[test]
fn lines_behind_quit_do_not_hold_it_up() {
    let mut engine = Talk::playing("swda-oo");
    engine.send("go infinite");
    let lines = format!("quit\n{}", "d\n".repeat(20_000));
    // It may have ended before it got all of that.
    let _ = engine.input().write_all(lines.as_bytes());
    engine.ended();
}

#[test]
fn what_waits_is_bounded() {
    let mut engine = Talk::playing("swda-oo");
    // A search with a limit, so that lines wait for its end; it is far away.
    engine.send("go nodes 99999999999");
    let long = format!("position startpos moves {}", "x".repeat(3 << 20));
    for _ in 0..20 {
        engine.send(&long);
    }
    engine.until(&format!("{ERROR}too many commands wait"));
    engine.send("stop");
    engine.until("bestmove ");
    engine.quit();
}

#[test]
fn the_end_of_input_lets_a_limited_search_finish() {
    for (command, last) in [
        ("go depth 3", "bestmove "),
        ("go nodes 3000", "bestmove "),
        ("go movetime 50", "bestmove "),
        ("go perft 2", "Nodes searched: 256"),
    ] {
        let mut engine = Talk::playing("swda-oo");
        engine.send(command);
        let lines = engine.end();
        assert!(lines.last().is_some_and(|line| line.starts_with(last)), "{command}: {lines:?}");
        if command == "go depth 3" {
            assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")), "{lines:?}");
        }
    }
}

#[test]
fn the_end_of_input_stops_an_endless_search() {
    for command in ["go infinite", "go", "go depth 2 infinite", "go ponder", "go ponder depth 2"] {
        let mut engine = Talk::playing("swda-oo");
        engine.send(command);
        let lines = engine.end();
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{command}");
    }
    assert_eq!(Talk::program().end(), Vec::<String>::new());
}

#[test]
fn the_last_line_needs_no_line_end() {
    assert_eq!(run(&[], b"isready").out, "readyok\n");
    assert_eq!(run(&[], b"\r\n  \nisready\r\n").out, "readyok\n");
    let done = run(&[], b"variant swda\ngo depth 2");
    assert!(done.out.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
}

#[test]
fn a_closed_output_ends_the_program() {
    for command in ["isready\n", "go infinite\n", "d\n"] {
        let mut child = spawn(&[]);
        let mut input = child.stdin.take().expect("piped");
        drop(child.stdout.take());
        let _ = input.write_all(command.as_bytes());
        // The input stays open: only its next lines show the program that nobody reads.
        let start = Instant::now();
        let mut status = None;
        while status.is_none() && start.elapsed() < PATIENCE {
            let _ = input.write_all(b"isready\n");
            status = wait(&mut child, Duration::from_millis(100));
        }
        let _ = child.kill();
        let _ = child.wait();
        let code = status.and_then(|status| status.code());
        assert_eq!(code, Some(0), "{command}: the program goes on");
    }
}

// What protocol.md lists under "Known limits". Each of these is to be run with the others, and its
// line there to go, once the program does better.

#[test]
fn ponderhit_without_ponder_leaves_the_clock_alone() {
    let mut engine = Talk::playing("shoogantshii");
    engine.send("go movetime 500");
    // If each of them began the time anew, the search would go on as long as they come.
    let refused = format!("{ERROR}ponderhit, but no search ponders");
    let start = Instant::now();
    loop {
        let lines = engine.ask("ponderhit");
        assert!(lines.iter().any(|line| line.starts_with(&refused)), "{lines:?}");
        if lines.iter().any(|line| line.starts_with("bestmove ")) {
            break;
        }
        assert!(start.elapsed() < PATIENCE, "the search goes on");
        thread::sleep(Duration::from_millis(20));
    }
    engine.quit();
}

#[test]
fn bench_is_stopped() {
    let mut engine = Talk::program();
    engine.send("bench 20");
    assert_eq!(engine.ask("stop"), ["info string error: bench was stopped"]);
    engine.quit();
}

#[test]
fn every_fen_that_is_written_is_read() {
    let mut engine = Talk::playing("swda-oo");
    let shuffle = " b1c3 b8c6 c3b1 c6b8".repeat(2501);
    assert_eq!(engine.ask(&format!("position startpos moves{shuffle}")), Vec::<String>::new());
    let fen = engine.shown("Fen: ", false);
    assert_eq!(engine.ask(&format!("position fen {fen}")), Vec::<String>::new());
    engine.ask("variant sixfortresses");
    for fen in ["t8/9/9/9/9/9/9/9/1WF6[K] w Ss - 0 1", "t8/9/9/9/9/9/9/9/K1F5r[] w Ss - 0 1"] {
        if engine.ask(&format!("position fen {fen}")).is_empty() {
            engine.ask("setup done");
            let fen = engine.shown("Fen: ", false);
            assert_eq!(engine.ask(&format!("position fen {fen}")), Vec::<String>::new());
        }
    }
    engine.quit();
}
