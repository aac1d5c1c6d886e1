//! Records of games that other programs and people wrote: what is read, what is refused and why, and that a file of any
//! length is read game by game.

use std::io::{BufRead, BufReader, Cursor, Read};

use garrison::record::GameRecord;
use garrison::record::pgn::{Fallback, Games, GamesError};
use garrison_rules::GameResult;

/// Chess where no tag says what the game is, as `analyze` reads files.
fn chess() -> Fallback {
    Fallback { missing: Some("chess".to_string()), ..Fallback::default() }
}

fn games(text: impl AsRef<[u8]>) -> Vec<Result<GameRecord, GamesError>> {
    Games::new(Cursor::new(text), chess()).collect()
}

/// The only game of a text.
fn game(text: impl AsRef<[u8]>) -> GameRecord {
    let [game] = games(text).try_into().expect("one game");
    game.unwrap_or_else(|error| panic!("{error}"))
}

/// The moves of the only game of a text as they are written here, with marks, comments and result.
fn moves(text: impl AsRef<[u8]>) -> String {
    let text = game(text).to_pgn();
    let (_, moves) = text.split_once("\n\n").expect("tags and moves");
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The faults of a text, and how many of its games are read.
fn faults(text: &str) -> (Vec<String>, usize) {
    let games = games(text);
    let faults: Vec<String> =
        games.iter().filter_map(|game| game.as_ref().err().map(ToString::to_string)).collect();
    let read = games.len() - faults.len();
    (faults, read)
}

#[test]
fn names_of_other_programs_name_the_game() {
    for (tag, name) in [
        // lichess, PyChess
        ("Standard", "chess"),
        ("From Position", "chess"),
        ("Crazyhouse", "crazyhouse"),
        ("Makruk", "makruk"),
        ("Xiangqi", "xiangqi"),
        ("Janggi", "janggi"),
        ("Minishogi", "minishogi"),
        ("Capablanca", "capablanca"),
        ("Grand", "grand"),
        // XBoard
        ("normal", "chess"),
        ("crazyhouse", "crazyhouse"),
        ("shogi", "shogi"),
        ("shatranj", "shatranj"),
        ("berolina", "berolina"),
        ("5x5+5_shogi", "minishogi"),
        // people
        ("Thai Chess", "makruk"),
        ("Chinese chess", "xiangqi"),
        ("CAPABLANCA CHESS", "capablanca"),
        // Nothing is said.
        ("?", "chess"),
        ("", "chess"),
    ] {
        let game = game(format!("[Variant \"{tag}\"]\n\n*\n"));
        assert_eq!(game.start.variant().name(), name, "{tag}");
    }
}

#[test]
fn games_that_are_not_played_are_refused_by_name() {
    for tag in ["fischerandom", "Chess960", "Three-check", "King of the Hill", "atomic", "Horde"] {
        let (faults, read) = faults(&format!("[Variant \"{tag}\"]\n\n1. e4 *\n\n1. e4 *\n"));
        assert!(
            faults[0].starts_with(&format!("game 1, line 1: no variant '{tag}'; ")),
            "{faults:?}"
        );
        assert_eq!((faults.len(), read), (1, 1), "{tag}");
    }
}

#[test]
fn a_fallback_names_the_game() {
    let text =
        "1. e3 e6 *\n\n[Variant \"Home rules\"]\n\n1. e3 e6 *\n\n[Variant \"chess\"]\n\n1. e4 *\n";
    let read = |fallback: Fallback| -> Vec<Option<String>> {
        let name = |game: GameRecord| game.start.variant().name().to_string();
        Games::new(text.as_bytes(), fallback).map(|game| game.ok().map(name)).collect()
    };
    let swda = || Some("swda-oo".to_string());
    let name = |name: &str| Some(name.to_string());
    assert_eq!(read(Fallback::default()), [None, None, name("chess")]);
    assert_eq!(read(chess()), [name("chess"), None, name("chess")]);
    let both = Fallback { missing: swda(), unknown: swda(), own: None };
    assert_eq!(read(both), [swda(), swda(), name("chess")]);
    // What was assumed is said.
    let (faults, _) = faults("1. e2e9 *\n");
    assert!(
        faults[0].ends_with(" (without a known tag Variant it is read as chess)"),
        "{faults:?}"
    );
}

#[test]
fn other_spellings_of_moves_are_read() {
    for (tags, text, canonical) in [
        // Castling with zeros and letters, behind a number without a space.
        ("", "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 Nf6", "O-O Nf6 *"),
        ("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]", "1. O-O-O 0-0", "1. O-O-O O-O *"),
        (
            "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1\"]",
            "1...0-0-0+ 2.e1g1",
            "1... O-O-O 2. O-O *",
        ),
        // Long algebraic, coordinates of UCI, the letter of a pawn, check marks that are not needed.
        ("", "1. e2-e4 e7e5 2. Ng1-f3 b8c6 3. Bf1b5+ Pa6", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"),
        ("", "1. e2e4 d7d5 2. e4xd5 Qd8xd5", "1. e4 d5 2. exd5 Qxd5 *"),
        // Dashes of typography.
        ("", "1. e2–e4 e7—e5 1–0", "1. e4 e5 1-0"),
        // En passant, with and without the words for it.
        ("", "1. e4 a6 2. e5 d5 3. exd6e.p. cxd6", "3. exd6 cxd6 *"),
        ("", "1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6", "3. exd6 cxd6 *"),
        // Promotions.
        ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", "1. a8=Q+", "1. a8=Q+ *"),
        ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", "1. a8Q+", "1. a8=Q+ *"),
        ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", "1. a7-a8=N", "1. a8=N *"),
        ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", "1. a7a8r", "1. a8=R+ *"),
        // Drops.
        (
            "[Variant \"Crazyhouse\"]",
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. P@e4 P@e6",
            "P@e4 P@e6 *",
        ),
        ("[Variant \"Crazyhouse\"]", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. @e4 @e6", "P@e4 P@e6 *"),
        // Judgments of the Informant.
        ("", "1. e4! e5?? 2. Nf3!? +- Nc6?! ± 3. Bb5 = ∓ a6", "3. Bb5 a6 *"),
        // A pass, where the game has one.
        ("[Variant \"janggi\"]", "1. -- 0000", "1. 0000 0000 *"),
    ] {
        let moves = moves(format!("{tags}\n\n{text}"));
        assert!(moves.ends_with(canonical), "{text}: {moves}");
    }
}

#[test]
fn what_is_no_move_is_said_clearly() {
    for (text, fault) in [
        ("1. e4 --", "illegal move '--': a null move is no move of this game"),
        ("1. e4 Z0", "illegal move 'Z0': a null move is no move of this game"),
        ("1. e4 0-0", "illegal move '0-0': Black cannot castle like that now"),
        ("1. e4 hello", "'hello' is no move text of chess (such as a6)"),
        ("1. e4 Ke3", "illegal move 'Ke3': no king of Black can go to e3"),
    ] {
        let (faults, read) = faults(&format!("{text} *\n\n1. d4 *\n"));
        assert_eq!((faults.len(), read), (1, 1), "{text}");
        assert!(
            faults[0].contains(&format!("game 1, line 1: move 1 of Black: {fault}")),
            "{faults:?}"
        );
    }
}

/// As a server exports a game: clocks, evaluations, names of openings, no result in the moves.
const SERVER: &str = "\u{feff}[Event \"Casual game\"]\r
[Site \"https://example.org/abcd\"]\r
[White \"Ann\"]\r
[Black \"Ben\"]\r
[Result \"1-0\"]\r
[Variant \"From Position\"]\r
[SetUp \"1\"]\r
[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\r
\r
1. e4 { [%eval 5.1] [%clk 0:03:00] } 1... Kd7 { [%eval 5.0] [%clk 0:02:59] } (1... Ke7 2. Kd2 { better })\r
2. Kd2 $6 { a { brace } ; to the end of the line (and this too)\r
% a line for other programs { ( [\r
2... Kd6 $146\r
\r
[Event \"The next\"]\r
\r
1. e4 *\r
";

#[test]
fn exports_of_servers_are_read() {
    let games = games(SERVER);
    let [Ok(game), Ok(next)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!((game.plies.len(), next.plies.len()), (4, 1));
    assert_eq!((game.tag("White"), game.result), (Some("Ann"), GameResult::White));
    assert_eq!(game.plies[0].comment.as_deref(), Some("[%eval 5.1] [%clk 0:03:00]"));
    assert_eq!(game.plies[2].nags, [6]);
    assert_eq!(
        game.plies[2].comment.as_deref(),
        Some("a { brace to the end of the line (and this too)")
    );
    assert_eq!(game.plies[3].nags, [146]);
    assert_eq!(game.start.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
}

#[test]
fn old_character_sets_and_unescaped_values_are_read() {
    // "Müller" and "José" in Latin-1, beside a line in UTF-8.
    let mut text = b"[White \"M\xfcller\"]\n[Black \"Jos\xe9\"]\n".to_vec();
    text.extend(
        "[Site \"Šibenik\"]\n[Event \"The \"Big\" One\"]\n[FEN \"\"]\n\n1. e4 {\u{e9}t\u{e9}} *\n"
            .bytes(),
    );
    let game = game(text);
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Müller"), Some("José")));
    assert_eq!((game.tag("Site"), game.tag("Event")), (Some("Šibenik"), Some("The \"Big\" One")));
    assert_eq!(game.plies[0].comment.as_deref(), Some("été"));
}

#[test]
fn each_faulty_game_is_reported_and_the_others_read() {
    let text = "[Event \"1\"]\n\n1. e4 e5 *\n\n[Event \"2\"]\n[White \"no end\n\n1. e4 *\n\n\
        [Event \"3\"]\n\n1. e4 e4 *\n\n[Event \"4\"]\n[Variant \"ludo\"]\n\n1. e4 *\n\n\
        [Event \"5\"]\n\n1. e4 {not closed\n\n[Event \"6\"]\n[FEN \"8/8 w\"]\n\n*\n\n[Event \"7\"]\n\n1. d4 *\n";
    let (faults, read) = faults(text);
    assert_eq!(read, 2);
    let starts = [
        "game 2, line 6: the value of the tag White is not closed",
        "game 3, line 12: move 1 of Black: illegal move 'e4': ",
        "game 4, line 15: no variant 'ludo'; ",
        "game 5, line 21: the comment is not closed",
        "game 6, line 24: FEN ",
    ];
    assert_eq!(faults.len(), starts.len(), "{faults:?}");
    for (fault, start) in faults.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault}");
    }
}

/// A source that makes its text as it is read, and counts what was asked for.
struct Endless {
    piece: &'static [u8],
    at: usize,
    read: u64,
}

impl Endless {
    fn of(piece: &'static str) -> Endless {
        Endless { piece: piece.as_bytes(), at: 0, read: 0 }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.piece[self.at];
            self.at = (self.at + 1) % self.piece.len();
        }
        self.read += buffer.len() as u64;
        Ok(buffer.len())
    }
}

#[test]
fn games_are_read_one_by_one_from_a_source_without_an_end() {
    let mut source = BufReader::new(Endless::of("[Event \"x\"]\n\n1. e4 e5 *\n\n"));
    let mut games = Games::new(source.by_ref(), chess());
    for number in 1..=1000 {
        assert!(games.next().is_some_and(|game| game.is_ok()));
        assert_eq!(games.number(), number);
    }
    drop(games);
    // The game, and what the reader keeps ahead of it.
    assert!(source.get_ref().read < 1000 * 26 + 65_536, "{}", source.get_ref().read);
    assert!(source.fill_buf().is_ok_and(|rest| !rest.is_empty()));
}

#[test]
fn what_is_too_long_is_refused() {
    // A line without an end, and a game of good lines.
    for (piece, fault) in [
        ("e4 ", "line 1 has more than 1048576 bytes"),
        ("\0", "line 1 has more than 1048576 bytes"),
        ("{ and so on\n", "game 1, line 349526: the game has more than 4194304 bytes"),
        ("( Nf3 Nc6\n", "game 1, line 419431: the game has more than 4194304 bytes"),
        ("Nf3 Nc6\n", "game 1, line 524289: the game has more than 4194304 bytes"),
    ] {
        // Behind it comes a good game, if the fault is not one of the file.
        let most = 5 << 20;
        let long = Endless::of(piece).take(most - most % piece.len() as u64);
        let source = long.chain(Cursor::new("\n[Event \"next\"]\n\n1. e4 *\n"));
        let games: Vec<_> = Games::new(BufReader::new(source), chess()).collect();
        let first = games[0].as_ref().expect_err(piece).to_string();
        assert_eq!(first, fault, "{piece}");
        let is_of_the_file = matches!(games[0], Err(GamesError::Read(_)));
        assert_eq!(games.len(), if is_of_the_file { 1 } else { 2 }, "{piece}");
        assert!(is_of_the_file || games[1].is_ok(), "{piece}: {:?}", games[1]);
    }
}
