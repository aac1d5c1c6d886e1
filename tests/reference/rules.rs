//! What differs from game to game: the board, the array, the pieces and their moves.

use super::betza::{self, Line};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// §1 and §2: Six Fortresses, its short range form, SHORANJI, SHORANJI Maximus.
    Fortress,
    /// §3: Shogi of Chesstonia.
    Chesstonia,
    /// §4: Shatranj With Different Armies.
    Swda,
    /// §5: Šōgantšī.
    Shoogantshii,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    White,
    Black,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    pub fn index(self) -> usize {
        match self {
            Side::White => 0,
            Side::Black => 1,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// White's letters are written upper case, Black's lower case.
    pub fn letter(self, letter: char) -> char {
        match self {
            Side::White => letter.to_ascii_uppercase(),
            Side::Black => letter.to_ascii_lowercase(),
        }
    }
}

/// A piece on the board; `letter` is always upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceInfo {
    pub side: Side,
    pub letter: char,
    /// `+X` of §5; in every other game a promoted piece simply is another piece.
    pub promoted: bool,
}

#[derive(Debug)]
pub struct Rules {
    pub family: Family,
    pub files: i32,
    pub ranks: i32,
    pub start: String,
    /// §2: the short family (E and M for B and Q, reserves in hand).
    pub short: bool,
    /// §2: double step and en passant (`shoranji`, `shoranji-maximus`).
    pub en_passant: bool,
    /// §4: the armies of White and Black.
    pub armies: [char; 2],
    /// The letters that a hand can hold, in the canonical order of notation.
    pub hand_order: &'static str,
    lines: Vec<(char, bool, Vec<Line>)>,
}

/// §4: "Back ranks from file a".
fn back_rank(army: char) -> &'static str {
    match army {
        'o' => "RNAFKANR",
        'j' => "LDSGKSDL",
        'p' => "QOBWKBOQ",
        'a' => "TIECKEIT",
        other => panic!("unknown army {other}"),
    }
}

impl Rules {
    pub fn of(variant: &str) -> Option<Rules> {
        let mut rules = Rules {
            family: Family::Fortress,
            files: 9,
            ranks: 9,
            start: String::new(),
            short: variant != "sixfortresses",
            en_passant: matches!(variant, "shoranji" | "shoranji-maximus"),
            armies: ['-', '-'],
            hand_order: "NEMKGHA",
            lines: Vec::new(),
        };
        match variant {
            // §1.
            "sixfortresses" => {
                rules.hand_order = "RNBQIK";
                rules.start = "twf1t1fwt/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/TWF1T1FWT[] w Ss - 0 1".into();
            }
            // §2.
            "sixfortresses-short" => {
                rules.start = "twf1t1fwt/rnemimenr/ppppppppp/9/9/9/PPPPPPPPP/RNEMIMENR/TWF1T1FWT[] w Ss - 0 1".into();
            }
            "shoranji" => {
                rules.ranks = 10;
                rules.start = "twf1t1fwt/rnemimenr/ppppppppp/9/9/9/9/PPPPPPPPP/RNEMIMENR/TWF1T1FWT[] w Ss - 0 1".into();
            }
            "shoranji-maximus" => {
                rules.ranks = 12;
                rules.start = "twf1t1fwt/rnemimenr/ppppppppp/9/9/9/9/9/9/PPPPPPPPP/RNEMIMENR/TWF1T1FWT[] w Ss - 0 1".into();
            }
            // §3.
            "chesstonia" => {
                rules.family = Family::Chesstonia;
                rules.ranks = 12;
                rules.hand_order = "PDHQNEMWF";
                rules.start = "nemfkwmen/1d1wqf1h1/ppppppppp/9/9/9/9/9/9/PPPPPPPPP/1H1FQW1D1/NEMWKFMEN[] w - - 0 1".into();
            }
            // §5.
            "shoogantshii" => {
                rules.family = Family::Shoogantshii;
                rules.hand_order = "AGNLBRCFP";
                rules.start =
                    "lngakagnl/1rc3bf1/ppppppppp/9/9/9/PPPPPPPPP/1FB3CR1/LNGAKAGNL[] w - - 0 1"
                        .into();
            }
            // §4: "`swda` alone is `swda-oo`".
            _ => {
                let armies = match variant {
                    "swda" => "oo",
                    _ => variant.strip_prefix("swda-")?,
                };
                let armies: Vec<char> = armies.chars().collect();
                if armies.len() != 2 || armies.iter().any(|a| !"ojpa".contains(*a)) {
                    return None;
                }
                rules.family = Family::Swda;
                rules.files = 8;
                rules.ranks = 8;
                rules.hand_order = "";
                rules.armies = [armies[0], armies[1]];
                rules.start = format!(
                    "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w - - 0 1",
                    back_rank(armies[1]).to_ascii_lowercase(),
                    back_rank(armies[0])
                );
            }
        }
        for promoted in [false, true] {
            for entry in rules.table(promoted).split_whitespace() {
                let (letter, moves) = entry.split_once(':').expect("letter and Betza text");
                let letter = letter.chars().next().expect("a letter");
                rules.lines.push((letter, promoted, betza::parse(moves)));
            }
        }
        Some(rules)
    }

    /// The tables of §1 to §5: each letter of the game and its Betza text.
    fn table(&self, promoted: bool) -> &'static str {
        match (self.family, promoted) {
            // A fortress "never moves, never captures, gives no check".
            (Family::Fortress, false) if self.short => {
                "P:mfWcfF R:R N:N E:FA M:WD W:W F:F I:K T: K:K"
            }
            (Family::Fortress, false) => "P:mfWcfF R:R N:N B:B Q:Q W:W F:F I:K T: K:K",
            (Family::Chesstonia, false) => "P:fW D:RF H:BW Q:Q K:K N:N E:FA M:WD W:W F:F",
            (Family::Swda, false) => {
                "K:K P:mfWcfF R:R N:N A:A F:F L:fR D:BW S:FfW Q:mfFcfW O:ND B:B W:W T:FH I:FD \
                 E:FfsW C:ffNbsN G:WfF"
            }
            (Family::Shoogantshii, false) => {
                "K:K A:F G:FfW N:ffN L:fR B:B R:R C:mRcpR F:mBcpB P:fW"
            }
            (Family::Shoogantshii, true) => "N:N L:fbRsW B:BW R:RF C:mRcpRmF F:mBcpBmW P:WfF",
            (_, true) => "",
        }
    }

    /// The directions of a piece, `None` if the game has no such piece.
    pub fn lines(&self, letter: char, promoted: bool) -> Option<&[Line]> {
        let mut all = self.lines.iter();
        let found = all.find(|(l, p, _)| (*l, *p) == (letter, promoted));
        found.map(|(_, _, lines)| &lines[..])
    }

    /// §4: the pieces of an army are its back rank and pawns. (Every promotion leads to a letter of
    /// the own back rank: o F, j G, p W, a C; L to G; Q to K.)
    pub fn in_army(&self, side: Side, letter: char) -> bool {
        letter == 'P' || back_rank(self.armies[side.index()]).contains(letter)
    }

    /// §4: "the piece its own army started on the d-file (o F, j G, p W, a C)".
    pub fn d_file_piece(&self, side: Side) -> char {
        let rank = back_rank(self.armies[side.index()]);
        rank.chars().nth(3).expect("eight pieces on a back rank")
    }

    /// How often an identical position must occur to end the game.
    pub fn occurrences(&self) -> usize {
        match self.family {
            Family::Fortress | Family::Swda => 3, // §1, §4: "third occurrence"
            Family::Chesstonia | Family::Shoogantshii => 4, // §3, §5: "fourth occurrence"
        }
    }

    /// The move-count rule, where there is one.
    pub fn move_count(&self) -> Option<u32> {
        match self.family {
            Family::Fortress => Some(100), // §1: "100 plies without capture, …"
            Family::Swda => Some(140),     // §4: "140 plies without capture, …"
            Family::Chesstonia | Family::Shoogantshii => None,
        }
    }

    pub fn squares(&self) -> usize {
        (self.files * self.ranks) as usize
    }

    pub fn square(&self, file: i32, rank: i32) -> Option<usize> {
        let inside = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        inside.then(|| (rank * self.files + file) as usize)
    }

    pub fn file(&self, square: usize) -> i32 {
        square as i32 % self.files
    }

    pub fn rank(&self, square: usize) -> i32 {
        square as i32 / self.files
    }

    /// §0: ranks are counted "from the moving player's own side"; the first rank is 1.
    pub fn own_rank(&self, side: Side, square: usize) -> i32 {
        match side {
            Side::White => self.rank(square) + 1,
            Side::Black => self.ranks - self.rank(square),
        }
    }

    /// The square `dx` to the right and `dy` forward, seen by `side`.
    pub fn step(&self, side: Side, from: usize, dx: i32, dy: i32) -> Option<usize> {
        let sign = match side {
            Side::White => 1,
            Side::Black => -1,
        };
        self.square(self.file(from) + sign * dx, self.rank(from) + sign * dy)
    }

    /// The squares of a player's own first rank, file a first.
    pub fn first_rank(&self, side: Side) -> std::ops::Range<usize> {
        let files = self.files as usize;
        match side {
            Side::White => 0..files,
            Side::Black => self.squares() - files..self.squares(),
        }
    }

    /// §5: "its palace (d1–f3; Black d7–f9)".
    pub fn in_palace(&self, side: Side, square: usize) -> bool {
        (3..=5).contains(&self.file(square)) && self.own_rank(side, square) <= 3
    }

    pub fn square_name(&self, square: usize) -> String {
        let file = (b'a' + self.file(square) as u8) as char;
        format!("{file}{}", self.rank(square) + 1)
    }

    pub fn square_of(&self, name: &str) -> Option<usize> {
        (0..self.squares()).find(|square| self.square_name(*square) == name)
    }
}
