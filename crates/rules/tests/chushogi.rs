//! Chu Shogi beside a slow player of its own, which knows the rules as they are published (Wikipedia's "Chu shogi", the
//! Japanese Chu Shogi Association, lishogi.org) and nothing of Garrison's definition, and beside published facts.
//!
//! `GARRISON_SEED` and `GARRISON_PLIES` choose other and more random games.

#![cfg(feature = "wide")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use garrison_rules::random::SplitMix;
use garrison_rules::{Position, find};

const FACTS: &str = include_str!("data/chushogi.txt");
const START: &str = "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/MVRHDQNDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL w - - 0 1";

/// Files and ranks.
const SIZE: i8 = 12;

/// How a piece moves. Directions are those of a keypad, as its owner sees them: 8 is straight ahead, 7 to the left of
/// that, 2 straight back.
struct Kind {
    name: &'static str,
    /// One square.
    steps: &'static str,
    /// Any number of vacant squares.
    slides: &'static str,
    /// Two squares, over whatever stands between.
    jumps: &'static str,
    /// The first of two steps that it may make in a turn.
    power: &'static str,
}

/// The name, the steps, the slides, the jumps and the lion power of each kind.
const KINDS: [[&str; 5]; 39] = [
    ["K", "12346789", "", "", ""],
    ["E", "1346789", "", "", ""],
    ["+E", "12346789", "", "", ""],
    ["G", "246789", "", "", ""],
    ["+G", "", "2468", "", ""],
    ["S", "13789", "", "", ""],
    ["+S", "46", "28", "", ""],
    ["C", "2789", "", "", ""],
    ["+C", "28", "46", "", ""],
    ["F", "123789", "", "", ""],
    ["+F", "", "1379", "", ""],
    ["T", "1234679", "", "", ""],
    ["+T", "134679", "28", "", ""],
    ["X", "2468", "", "1379", ""],
    ["+X", "", "12346789", "", ""],
    ["O", "1379", "", "2468", ""],
    ["+O", "", "", "", "12346789"],
    ["L", "", "8", "", ""],
    ["+L", "", "2789", "", ""],
    ["A", "", "28", "", ""],
    ["+A", "", "1238", "", ""],
    ["B", "", "1379", "", ""],
    ["+B", "2468", "1379", "", ""],
    ["R", "", "2468", "", ""],
    ["+R", "1379", "2468", "", ""],
    ["H", "2468", "1379", "", ""],
    ["+H", "", "1234679", "", "8"],
    ["D", "1379", "2468", "", ""],
    ["+D", "", "123468", "", "79"],
    ["M", "28", "46", "", ""],
    ["+M", "", "134679", "", ""],
    ["V", "46", "28", "", ""],
    ["+V", "", "123789", "", ""],
    ["Q", "", "12346789", "", ""],
    ["N", "", "", "", "12346789"],
    ["I", "28", "", "", ""],
    ["+I", "1346789", "", "", ""],
    ["P", "8", "", "", ""],
    ["+P", "246789", "", "", ""],
];

fn kind(name: &str) -> Kind {
    let row = KINDS.iter().find(|row| row[0] == name).expect("a piece of Chu Shogi");
    let [name, steps, slides, jumps, power] = *row;
    Kind { name, steps, slides, jumps, power }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Square {
    file: i8,
    rank: i8,
}

impl Square {
    fn read(text: &str) -> Square {
        let (file, rank) = text.split_at(1);
        Square {
            file: (file.as_bytes()[0] - b'a') as i8,
            rank: rank.parse::<i8>().expect("a rank") - 1,
        }
    }

    fn all() -> impl Iterator<Item = Square> {
        (0..SIZE).flat_map(|rank| (0..SIZE).map(move |file| Square { file, rank }))
    }

    fn index(self) -> usize {
        self.rank as usize * SIZE as usize + self.file as usize
    }

    /// The square so many steps away in a direction of a side's keypad, if the board has it.
    fn step(self, direction: char, count: i8, white: bool) -> Option<Square> {
        let key = direction.to_digit(10).expect("a key") as i8 - 1;
        let ahead = if white { count } else { -count };
        let square = Square {
            file: self.file + (key % 3 - 1) * ahead,
            rank: self.rank + (key / 3 - 1) * ahead,
        };
        let on_board = (0..SIZE).contains(&square.file) && (0..SIZE).contains(&square.rank);
        on_board.then_some(square)
    }

    /// Whether a king could step from one to the other.
    fn is_beside(self, other: Square) -> bool {
        (self.file - other.file).abs().max((self.rank - other.rank).abs()) == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file as u8) as char, self.rank + 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Piece {
    white: bool,
    name: &'static str,
}

impl Piece {
    fn is_lion(self) -> bool {
        matches!(self.name, "N" | "+O")
    }

    fn is_royal(self) -> bool {
        matches!(self.name, "K" | "+E")
    }

    fn promoted(self) -> Option<Piece> {
        let name = KINDS
            .iter()
            .map(|row| row[0])
            .find(|name| name.strip_prefix('+') == Some(self.name))?;
        Some(Piece { name, ..self })
    }

    /// Whether a square lies in the four ranks where it promotes.
    fn promotes_on(self, square: Square) -> bool {
        if self.white { square.rank >= SIZE - 4 } else { square.rank < 4 }
    }

    fn is_at_the_end(self, square: Square) -> bool {
        square.rank == if self.white { SIZE - 1 } else { 0 }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.white { f.write_str(self.name) } else { f.write_str(&self.name.to_lowercase()) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    from: Square,
    /// Where it captures on its way.
    via: Option<Square>,
    to: Square,
    promotes: bool,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from)?;
        if let Some(via) = self.via {
            write!(f, "{via},{via}")?;
        }
        write!(f, "{}{}", self.to, if self.promotes { "+" } else { "" })
    }
}

#[derive(Clone)]
struct Board {
    squares: [Option<Piece>; 144],
    white: bool,
    /// Where the last move captured a lion with a piece that is none.
    lion_lost: Option<Square>,
    halfmoves: u32,
    fullmove: u32,
}

/// Why a lion may not be captured.
#[derive(Clone, Copy, PartialEq)]
enum Forbidden {
    Protected,
    Counterstrike,
}

impl Board {
    fn read(fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let number = |index: usize| fields[index].parse().expect("a number");
        let mut board = Board {
            squares: [None; 144],
            white: fields[1] == "w",
            lion_lost: (fields[3] != "-").then(|| Square::read(fields[3])),
            halfmoves: number(4),
            fullmove: number(5),
        };
        for (row, rank) in fields[0].split('/').zip((0..SIZE).rev()) {
            let (mut file, mut name, mut run) = (0, String::new(), 0);
            for c in row.chars() {
                if let Some(digit) = c.to_digit(10) {
                    run = run * 10 + digit as i8;
                    continue;
                }
                file += std::mem::take(&mut run);
                name.push(c.to_ascii_uppercase());
                if c != '+' {
                    let piece = Piece { white: c.is_uppercase(), name: kind(&name).name };
                    board.squares[Square { file, rank }.index()] = Some(piece);
                    file += 1;
                    name.clear();
                }
            }
        }
        board
    }

    /// The FEN. It holds where a lion was captured only if its captor's side has another that must then be left alone.
    fn fen(&self) -> String {
        let row = |rank| {
            let (mut row, mut run) = (String::new(), 0);
            for file in 0..SIZE {
                match self.at(Square { file, rank }) {
                    None => run += 1,
                    Some(piece) => {
                        row += &written_run(run);
                        row += &piece.to_string();
                        run = 0;
                    }
                }
            }
            row + &written_run(run)
        };
        let rows: Vec<String> = (0..SIZE).rev().map(row).collect();
        let lost = self.lion_lost.filter(|&lost| {
            self.side(!self.white).any(|(square, piece)| square != lost && piece.is_lion())
        });
        let lost = lost.map_or("-".to_string(), |square| square.to_string());
        let side = if self.white { 'w' } else { 'b' };
        format!("{} {side} - {lost} {} {}", rows.join("/"), self.halfmoves, self.fullmove)
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// The pieces of a side and where they stand.
    fn side(&self, white: bool) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let pieces = Square::all().filter_map(|square| Some((square, self.at(square)?)));
        pieces.filter(move |(_, piece)| piece.white == white)
    }

    fn is_enemy(&self, square: Square) -> bool {
        self.at(square).is_some_and(|piece| piece.white != self.white)
    }

    /// The squares that a piece reaches without capturing on its way, whoever stands there.
    fn reach(&self, from: Square, piece: Piece) -> BTreeSet<Square> {
        let (kind, white) = (kind(piece.name), piece.white);
        let mut reached = BTreeSet::new();
        reached.extend(kind.steps.chars().filter_map(|way| from.step(way, 1, white)));
        reached.extend(kind.jumps.chars().filter_map(|way| from.step(way, 2, white)));
        for way in kind.slides.chars() {
            for square in (1..SIZE).map_while(|count| from.step(way, count, white)) {
                reached.insert(square);
                if self.at(square).is_some() {
                    break;
                }
            }
        }
        // Lion power goes to each of its two squares, over what stands on the first.
        for (first, second) in two_steps(from, piece) {
            reached.extend([first, second]);
        }
        reached.remove(&from);
        reached
    }

    /// The moves of a piece by the way that it moves alone, unpromoted.
    fn piece_moves(&self, from: Square, piece: Piece) -> BTreeSet<Move> {
        let is_own = |square| self.at(square).is_some() && !self.is_enemy(square);
        let go = |via, to| Move { from, via, to, promotes: false };
        let reached = self.reach(from, piece).into_iter().filter(|&to| !is_own(to));
        let mut moves: BTreeSet<Move> = reached.map(|to| go(None, to)).collect();
        for (first, second) in two_steps(from, piece) {
            if self.is_enemy(first) && (second == from || !is_own(second)) {
                moves.insert(go(Some(first), second));
            } else if self.at(first).is_none() && second == from {
                moves.insert(go(None, from));
            }
        }
        moves
    }

    /// Where a move captures.
    fn captures(&self, mv: Move) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let squares = mv.via.into_iter().chain([mv.to]);
        let found = squares.filter_map(|square| Some((square, self.at(square)?)));
        found.filter(|(_, piece)| piece.white != self.white)
    }

    /// Whether a piece may promote: when it enters the four farthest ranks, when it captures from, to or within them, and
    /// a pawn or a lance on the last rank.
    fn may_promote(&self, mv: Move, piece: Piece) -> bool {
        let (from, to) = (piece.promotes_on(mv.from), piece.promotes_on(mv.to));
        let enters = to && !from;
        let captures = (from || to) && self.captures(mv).next().is_some();
        let is_stuck = matches!(piece.name, "P" | "L") && piece.is_at_the_end(mv.to);
        piece.promoted().is_some() && (enters || captures || is_stuck)
    }

    /// Why a move would exchange lions against the rules.
    fn forbidden(&self, mv: Move) -> Option<Forbidden> {
        let mover = self.at(mv.from)?;
        let lions: Vec<Square> =
            self.captures(mv).filter(|(_, piece)| piece.is_lion()).map(|(at, _)| at).collect();
        if !mover.is_lion() {
            let lost = self.lion_lost?;
            return lions.iter().any(|&lion| lion != lost).then_some(Forbidden::Counterstrike);
        }
        // A worthy capture on the way permits the exchange; one of a pawn or a go-between does not.
        let on_the_way = mv.via.and_then(|via| self.at(via));
        if on_the_way.is_some_and(|piece| !matches!(piece.name, "P" | "I")) {
            return None;
        }
        let mut far = lions.into_iter().filter(|lion| !lion.is_beside(mv.from));
        far.any(|lion| self.is_protected(lion, mv)).then_some(Forbidden::Protected)
    }

    /// Whether a lion could be avenged. A protector may stand behind the lion that captures it, and what that captures on
    /// its way still counts as one.
    fn is_protected(&self, lion: Square, mv: Move) -> bool {
        let mut cleared = self.clone();
        cleared.squares[mv.from.index()] = None;
        if let Some(via) = mv.via {
            cleared.squares[via.index()] = None;
        }
        self.side(!self.white).any(|(from, piece)| cleared.reach(from, piece).contains(&lion))
    }

    /// The moves, those that would exchange lions against the rules among them.
    fn all_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, piece) in self.side(self.white) {
            for mv in self.piece_moves(from, piece) {
                moves.push(mv);
                if self.may_promote(mv, piece) {
                    moves.push(Move { promotes: true, ..mv });
                }
            }
        }
        moves
    }

    fn moves(&self) -> Vec<Move> {
        if self.decided().is_some() {
            return Vec::new();
        }
        let mut moves = self.all_moves();
        moves.retain(|&mv| self.forbidden(mv).is_none());
        moves
    }

    fn make(&mut self, mv: Move) {
        let captured: Vec<(Square, Piece)> = self.captures(mv).collect();
        let mover = self.squares[mv.from.index()].take().expect("a piece that moves");
        let lost = captured.iter().rev().find(|(_, piece)| piece.is_lion());
        self.lion_lost = lost.filter(|_| !mover.is_lion()).map(|&(square, _)| square);
        captured.iter().for_each(|(square, _)| self.squares[square.index()] = None);
        let placed = if mv.promotes { mover.promoted() } else { Some(mover) };
        self.squares[mv.to.index()] = placed;
        let is_progress = !captured.is_empty() || mv.promotes || mover.name == "P";
        self.halfmoves = if is_progress { 0 } else { self.halfmoves + 1 };
        self.fullmove += u32::from(!self.white);
        self.white = !self.white;
    }

    /// How the game ended on the board: both royals captured, or a side with a king or prince alone. Whoever is to move
    /// may still bare the other.
    fn decided(&self) -> Option<String> {
        let wins = |white, how| Some(format!("{} wins ({how})", side_name(white)));
        for white in [true, false] {
            if !self.side(white).any(|(_, piece)| piece.is_royal()) {
                return wins(!white, "king captured");
            }
        }
        let count = |white| self.side(white).count();
        match (count(self.white), count(!self.white)) {
            (1, 1) => Some("draw (bare kings)".to_string()),
            (_, 1) => wins(self.white, "bare king"),
            (1, 2) if self.all_moves().iter().any(|&mv| self.captures(mv).count() > 0) => None,
            (1, _) => wins(!self.white, "bare king"),
            _ => None,
        }
    }

    /// How the game stands, after this position has occurred so often.
    fn status(&self, occurrences: u32) -> String {
        if let Some(decided) = self.decided() {
            decided
        } else if self.moves().is_empty() {
            format!("{} wins (stalemate)", side_name(!self.white))
        } else if occurrences >= 4 {
            "draw (repetition)".to_string()
        } else {
            "ongoing".to_string()
        }
    }

    /// How often Lishogi counts a move: once, and once for each vacant square by which two steps make it.
    fn ways(&self, mv: Move) -> usize {
        let mover = self.at(mv.from).expect("a piece that moves");
        if mv.via.is_some() {
            return 1;
        }
        let vias = two_steps(mv.from, mover).into_iter();
        let vacant = vias.filter(|&(first, to)| to == mv.to && self.at(first).is_none()).count();
        vacant + usize::from(mv.to != mv.from)
    }
}

fn side_name(white: bool) -> &'static str {
    if white { "white" } else { "black" }
}

/// A run of vacant squares as a FEN writes it.
fn written_run(run: usize) -> String {
    if run == 0 { String::new() } else { run.to_string() }
}

/// The squares where the first and the second step of lion power lead. A lion turns as it likes, a falcon and an eagle go
/// on or come back.
fn two_steps(from: Square, piece: Piece) -> Vec<(Square, Square)> {
    let mut ways = Vec::new();
    for first in kind(piece.name).power.chars() {
        let Some(via) = from.step(first, 1, piece.white) else { continue };
        let seconds = "12346789".chars().filter_map(|way| via.step(way, 1, piece.white));
        let straight = [Some(from), from.step(first, 2, piece.white)];
        let may_go = |&to: &Square| piece.is_lion() || straight.contains(&Some(to));
        ways.extend(seconds.filter(may_go).map(|to| (via, to)));
    }
    ways
}

/// The same game on Garrison's board and on that of this test.
struct Pair {
    position: Position,
    board: Board,
    occurrences: HashMap<String, u32>,
}

impl Pair {
    fn new(fen: &str) -> Pair {
        let game = find("chushogi").expect("a game that ships with Garrison");
        let position =
            Position::from_fen(&game, fen).unwrap_or_else(|fault| panic!("{fen}: {fault}"));
        let mut pair = Pair { position, board: Board::read(fen), occurrences: HashMap::new() };
        pair.count();
        pair
    }

    /// Counts the occurrence of the position, whatever the numbers at its end.
    fn count(&mut self) {
        let fen = self.board.fen();
        *self.occurrences.entry(key(&fen).to_string()).or_default() += 1;
    }

    /// The moves of both, which are the same.
    fn moves(&self) -> Vec<Move> {
        let mut ours: Vec<String> =
            self.position.legal_moves().iter().map(|&mv| self.position.move_text(mv)).collect();
        let moves = self.board.moves();
        let mut theirs: Vec<String> = moves.iter().map(Move::to_string).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        if ours != theirs {
            let lacks = |some: &[String], others: &[String]| {
                let missing = others.iter().filter(|text| !some.contains(text));
                missing.cloned().collect::<Vec<_>>().join(" ")
            };
            let (missing, added) = (lacks(&ours, &theirs), lacks(&theirs, &ours));
            panic!("{}: Garrison lacks [{missing}] and adds [{added}]", self.position.fen());
        }
        assert_eq!(
            self.position.count_legal_moves(),
            moves.len() as u64,
            "{}",
            self.position.fen()
        );
        moves
    }

    /// How the game stands, as both say. Both write the same FEN, and Garrison reads what it writes.
    fn status(&self) -> String {
        let fen = self.board.fen();
        assert_eq!(self.position.fen(), fen);
        assert_eq!(Position::from_fen(self.position.variant(), &fen).as_ref(), Ok(&self.position));
        let occurrences = self.occurrences.get(key(&fen)).copied().unwrap_or(1);
        let (ours, theirs) = (self.position.status().to_string(), self.board.status(occurrences));
        assert_eq!(ours, theirs, "{fen}");
        theirs
    }

    fn make(&mut self, mv: Move) {
        let (before, text) = (self.position.fen(), mv.to_string());
        let moves = self.position.legal_moves();
        let found = moves.into_iter().find(|&legal| self.position.move_text(legal) == text);
        self.position.make(found.unwrap_or_else(|| panic!("{before}: {text} is no legal move")));
        self.board.make(mv);
        assert_eq!(self.position.fen(), self.board.fen(), "{before} {text}");
        self.count();
    }

    fn play(&mut self, text: &str) {
        let found = self.moves().into_iter().find(|mv| mv.to_string() == text);
        self.make(found.unwrap_or_else(|| panic!("{text} is no move")));
    }

    /// The leaves of all moves to a depth, of which the last are not made.
    fn leaves(&mut self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let board = self.board.clone();
        let mut leaves = 0;
        for mv in moves {
            self.make(mv);
            leaves += self.leaves(depth - 1);
            self.position.unmake();
            self.board = board.clone();
        }
        leaves
    }
}

/// What of a FEN makes two positions the same.
fn key(fen: &str) -> &str {
    fen.rsplitn(3, ' ').last().unwrap_or(fen)
}

/// What a debug build compares in a few seconds.
const PLIES: u64 = 20_000;

fn env_number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Positions in which lions meet, with protectors in front, behind and on the way, and their leaves at depths 1 and 2.
const TACTICS: [(&str, [u64; 2]); 10] = [
    // Lions side by side, each with a protector and something to capture besides.
    ("5k6/4g7/12/3p1p6/4gnb5/5N6/4PIS5/12/12/5G6/5K6/12 w - - 0 1", [64, 3021]),
    // Protectors behind the capturing lion: a bishop on the diagonal, a lance and a rook on the file.
    ("5k6/12/5r6/12/3n1n6/4i7/5N6/12/7b4/5R6/5L6/6K5 w - - 0 1", [46, 3554]),
    // Two steps by way of pawns, go-betweens and better pieces.
    ("5k6/12/12/5n6/4pis5/4pgi5/5N6/4P1P5/12/12/5K6/4R1B5 w - - 0 1", [68, 2198]),
    // Both sides have two lions and pieces that attack them.
    ("k5r5/6d5/12/4n3+o3/12/12/3h8/5N1+O4/12/2D3H5/5Q6/K11 w - - 0 1", [108, 11735]),
    // A lion has just been captured on f6 by a piece that is none.
    ("k5r5/12/12/4n3n3/12/12/5h6/5P6/3D3H4/12/12/K3B3R3 w - f6 3 20", [63, 6172]),
    // Falcons and eagles ahead of rows of pieces, of both sides and at the edge.
    ("k11/3+h4+d3/3P4P3/3n2P1N3/12/12/12/12/3p2n1p3/3P4P3/3+H4+D3/K11 w - - 0 1", [70, 6948]),
    ("k3+H6+D/12/12/12/3pp1pp4/3pppp5/4+D1+H5/12/12/12/+d10+h/K11 w - - 0 1", [107, 6273]),
    // Kirins that capture lions and become lions.
    ("k11/12/12/3N4n3/12/3o3B4/4r7/12/12/3n4N3/3O2Ro4/K4q6 w - - 0 1", [108, 13340]),
    // Promotion on entry, by a capture only, and on the last rank.
    (
        "k4l2g3/1P1L2p1I2p/PLi2VMSP1b1/2G1ACTFXRHE/4PE1OP3/12/12/3p4o3/1g2actfxrhe/pl2v1ms2P1/2p1L1I1p1l1/K3P7 w - - 0 1",
        [72, 6715],
    ),
    // Kings and princes within reach of lions.
    ("3+ek7/3NP7/12/12/12/4N1n5/12/12/12/4p7/3n1+E6/4K7 w - - 0 1", [65, 3619]),
];

#[test]
fn perft_of_the_start() {
    let counts: Vec<u64> = (1..=3).map(|depth| Pair::new(START).leaves(depth)).collect();
    assert_eq!(counts, [36, 1296, 48_747]);
}

#[test]
#[ignore = "slow in a debug build; run with --release -- --ignored"]
fn deep_perft_of_the_start() {
    assert_eq!(Pair::new(START).leaves(4), 1_817_743);
}

#[test]
fn perft_of_tactical_positions() {
    for (fen, counts) in TACTICS {
        let found = [1, 2].map(|depth| Pair::new(fen).leaves(depth));
        assert_eq!(found, counts, "{fen}");
    }
}

/// How often random games came across what they are to test.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, u64>);

impl Seen {
    fn note(&mut self, what: &'static str, has_happened: bool) {
        *self.0.entry(what).or_default() += u64::from(has_happened);
    }

    fn position(&mut self, board: &Board, moves: &[Move]) {
        self.note("positions", true);
        *self.0.entry("moves").or_default() += moves.len() as u64;
        let all = board.all_moves();
        let forbidden = |why| all.iter().any(|&mv| board.forbidden(mv) == Some(why));
        self.note("protected lions", forbidden(Forbidden::Protected));
        self.note("counterstrikes", forbidden(Forbidden::Counterstrike));
        let is_permitted_on_the_way = |&mv: &Move| {
            let without = Move { via: None, ..mv };
            mv.via.is_some() && board.forbidden(without).is_some()
        };
        let exchanges = moves.iter().any(is_permitted_on_the_way);
        self.note("exchanges by a capture on the way", exchanges);
    }

    fn step(&mut self, board: &Board, mv: Move) {
        let mover = board.at(mv.from).expect("a piece that moves");
        let captures = board.captures(mv).count();
        let within = mover.promotes_on(mv.from);
        self.note("captures", captures > 0);
        self.note("double captures", captures == 2);
        self.note("igui", mv.via.is_some() && mv.to == mv.from);
        self.note("passes", mv.via.is_none() && mv.to == mv.from);
        self.note(
            "captures by falcon and eagle in two steps",
            mv.via.is_some() && !mover.is_lion(),
        );
        self.note("promotions on entry", mv.promotes && !within);
        self.note("promotions by a capture within", mv.promotes && within && captures > 0);
        self.note("promotions on the last rank", mv.promotes && within && captures == 0);
    }

    /// Everything that the test is about has happened, unless it was to be short.
    fn check(&self) {
        println!("{:#?}", self.0);
        let missing: Vec<_> = self.0.iter().filter(|(_, count)| **count == 0).collect();
        let is_short = env_number("GARRISON_PLIES", PLIES) < PLIES;
        assert!(is_short || missing.is_empty(), "never seen: {missing:?}");
    }
}

/// A lively move: often a capture, though not of a royal, a move of a piece with lion power, or a promotion.
fn choose(board: &Board, moves: &[Move], random: &mut SplitMix) -> Move {
    let wanted: Vec<Move> = match random.below(8) {
        0..3 => {
            let spares = |mv: &Move| !board.captures(*mv).any(|(_, piece)| piece.is_royal());
            let captures = moves.iter().filter(|mv| board.captures(**mv).count() > 0);
            captures.copied().filter(spares).collect()
        }
        3..5 => {
            let has_power = |mv: &&Move| {
                board.at(mv.from).is_some_and(|piece| !kind(piece.name).power.is_empty())
            };
            moves.iter().filter(has_power).copied().collect()
        }
        5 => moves.iter().filter(|mv| mv.promotes).copied().collect(),
        _ => Vec::new(),
    };
    let from = if wanted.is_empty() { moves } else { &wanted };
    from[random.below(from.len())]
}

/// The FENs of the published counts.
fn published() -> Vec<&'static str> {
    FACTS
        .lines()
        .filter_map(|line| Some(line.strip_prefix("ways ")?.split_once(" = ")?.0))
        .collect()
}

/// Plays a random game, if it goes on so long; returns its plies.
fn random_game(start: &str, plies: u64, random: &mut SplitMix, seen: &mut Seen) -> u64 {
    let mut pair = Pair::new(start);
    for _ in 0..plies {
        let (status, moves) = (pair.status(), pair.moves());
        seen.position(&pair.board, &moves);
        seen.note("kings captured", status.contains("king captured"));
        seen.note("bare kings", status.contains("bare king"));
        if moves.is_empty() {
            break;
        }
        let mv = choose(&pair.board, &moves, random);
        seen.step(&pair.board, mv);
        pair.make(mv);
    }
    let made = pair.position.moves_made().len();
    (0..made).for_each(|_| pair.position.unmake());
    assert_eq!(pair.position, Pair::new(start).position, "all moves taken back");
    made as u64
}

#[test]
fn random_games() {
    let mut random = SplitMix::new(env_number("GARRISON_SEED", 12));
    let mut left = env_number("GARRISON_PLIES", PLIES);
    let published = published();
    let mut seen = Seen::default();
    while left > 0 {
        let start = match random.below(3) {
            0 => START,
            1 => TACTICS[random.below(TACTICS.len())].0,
            _ => published[random.below(published.len())],
        };
        left -= random_game(start, left.min(400), &mut random, &mut seen);
    }
    seen.check();
}

/// A board on which lions stand close together among other pieces.
fn crowd(random: &mut SplitMix) -> Board {
    let white = random.below(2) == 0;
    let mut board =
        Board { squares: [None; 144], white, lion_lost: None, halfmoves: 0, fullmove: 1 };
    let corner = [random.below(7), random.below(7)];
    let near = |random: &mut SplitMix, size: usize| {
        let [file, rank] = corner.map(|corner| (corner + random.below(size)) as i8);
        Square { file, rank }
    };
    for _ in 0..24 {
        let name = match random.below(8) {
            0 | 1 => "N",
            2 => "+O",
            3 => ["P", "I", "+H", "+D"][random.below(4)],
            _ => KINDS[random.below(KINDS.len())][0],
        };
        let square = near(random, if kind(name).power.len() > 2 { 4 } else { 6 });
        board.squares[square.index()] = Some(Piece { white: random.below(2) == 0, name });
    }
    for white in [true, false] {
        let free: Vec<Square> = Square::all().filter(|&at| board.at(at).is_none()).collect();
        let square = free[random.below(free.len())];
        board.squares[square.index()] = Some(Piece { white, name: "K" });
    }
    let lost = near(random, 6);
    let may_be_lost =
        random.below(3) == 0 && board.at(lost).is_none_or(|piece| piece.white != board.white);
    board.lion_lost = may_be_lost.then_some(lost);
    board
}

#[test]
fn random_crowds() {
    let mut random = SplitMix::new(env_number("GARRISON_SEED", 12));
    let mut seen = Seen::default();
    for _ in 0..env_number("GARRISON_PLIES", PLIES) / 4 {
        let mut pair = Pair::new(&crowd(&mut random).fen());
        let moves = pair.moves();
        pair.status();
        seen.position(&pair.board, &moves);
        if !moves.is_empty() {
            let mv = choose(&pair.board, &moves, &mut random);
            seen.step(&pair.board, mv);
            pair.make(mv);
            pair.status();
            pair.moves();
        }
    }
    seen.check();
}

#[test]
fn published_facts() {
    let mut counts = BTreeMap::new();
    for line in FACTS.lines().filter(|line| !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').expect("a word and a fact");
        check_fact(word, rest).unwrap_or_else(|| panic!("'{line}' is no fact"));
        *counts.entry(word).or_insert(0) += 1;
    }
    assert!(
        ["perft", "ways", "legal", "illegal", "status"].iter().all(|&word| counts[word] > 1),
        "{counts:?}"
    );
}

fn check_fact(word: &str, rest: &str) -> Option<()> {
    let separator = if matches!(word, "legal" | "illegal") { " : " } else { " = " };
    let (subject, wanted) = rest.split_once(separator)?;
    let (depth, subject) = if word == "perft" { subject.split_once(' ')? } else { ("0", subject) };
    let (fen, before) = subject.split_once(" after ").unwrap_or((subject, ""));
    let mut pair = Pair::new(fen);
    before.split_whitespace().for_each(|text| pair.play(text));
    let moves = pair.moves();
    let is_legal = |text: &str| moves.iter().any(|mv| mv.to_string() == text);
    match word {
        "perft" => assert_eq!(pair.leaves(depth.parse().ok()?), wanted.parse().ok()?, "{fen}"),
        "ways" => {
            let found: usize = moves.iter().map(|&mv| pair.board.ways(mv)).sum();
            assert_eq!(found, wanted.parse().ok()?, "{fen}");
        }
        "legal" => wanted.split(' ').for_each(|text| assert!(is_legal(text), "{subject}: {text}")),
        "illegal" => {
            wanted.split(' ').for_each(|text| assert!(!is_legal(text), "{subject}: {text}"))
        }
        "status" => assert_eq!(pair.status(), wanted, "{subject}"),
        _ => return None,
    }
    Some(())
}

/// Positions with what is played and how the game stands then, also where no published example is known.
const ENDS: [(&str, &str, &str); 9] = [
    // A king is captured while a prince lives on, and then the prince.
    ("k1+e9/2r9/N11/12/12/12/12/12/12/12/12/5K5R w - - 0 1", "a10a12", "ongoing"),
    (
        "k1+e9/2r9/N11/12/12/12/12/12/12/12/12/5K5R w - - 0 1",
        "a10a12 c11d11 a12c12",
        "white wins (king captured)",
    ),
    ("k11/2r9/N11/12/12/12/12/12/12/12/12/5K5R w - - 0 1", "a10a12", "white wins (king captured)"),
    // A lion captures both at once.
    (
        "k+e10/2r9/N11/12/12/12/12/12/12/12/12/5K5R w - - 0 1",
        "a10a11 c11c10 a11a12,a12b12",
        "white wins (king captured)",
    ),
    // A prince alone is bare.
    ("+e11/2r9/2R9/12/12/12/12/12/12/12/12/5K6 w - - 0 1", "c10c11", "white wins (bare king)"),
    // A bare king captures the only piece beside the other king.
    ("12/12/12/12/6kr4/7G4/6K5/12/12/12/12/12 w - - 0 1", "h7h8 g8h8", "draw (bare kings)"),
    // The same where it stays away.
    ("12/12/12/12/6kr4/7G4/6K5/12/12/12/12/12 w - - 0 1", "h7h8 g8f8", "white wins (bare king)"),
    // Who cannot move loses.
    ("KP10/PP10/12/12/12/12/12/12/12/12/12/k10r b - - 0 1", "l1l2", "black wins (stalemate)"),
    // Lions that pass repeat the position; the fourth occurrence is a draw.
    (
        "k4n6/12/12/12/12/12/12/12/12/12/12/K4N6 w - - 0 1",
        "f1f1 f12f12 f1f1 f12f12 f1f1 f12f12",
        "draw (repetition)",
    ),
];

#[test]
fn ends_of_games() {
    for (fen, moves, wanted) in ENDS {
        let mut pair = Pair::new(fen);
        for text in moves.split(' ') {
            assert_eq!(pair.status(), "ongoing", "{fen} before {text} of {moves}");
            pair.play(text);
        }
        assert_eq!(pair.status(), wanted, "{fen} {moves}");
    }
}
