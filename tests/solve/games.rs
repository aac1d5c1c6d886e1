//! Small games with rules of many kinds.

use std::sync::Arc;

use garrison_rules::Variant;
use garrison_rules::definition::{DefinitionFile, load};

/// A game on a small board.
#[derive(Debug, Clone, Copy)]
pub struct Tiny {
    pub name: &'static str,
    pub files: u8,
    pub ranks: u8,
    /// Its pieces and rules, as in a definition.
    pub rules: &'static str,
    pub start: &'static str,
    /// What is compared.
    pub endings: &'static [&'static str],
    /// What is compared with the count of moves.
    pub counted: &'static [&'static str],
    pub count: Option<u16>,
}

impl Tiny {
    pub fn with_count(&self, plies: u16) -> Tiny {
        Tiny { count: Some(plies), ..*self }
    }
}

const PLAIN: Tiny = Tiny {
    name: "",
    files: 4,
    ranks: 4,
    rules: "",
    start: "kn2/4/4/2NK w - - 0 1",
    endings: &[],
    counted: &[],
    count: None,
};

/// Pieces of most kinds of moves: leaps, lines, lame leaps, hops, pawns.
const PIECES: &str = r#"
K = { name = "king", betza = "K", value = 0 }
R = { name = "rook", betza = "R", value = 500 }
N = { name = "knight", betza = "N", value = 300 }
F = { name = "ferz", betza = "F", value = 150 }
H = { name = "horse", betza = "nN", value = 250 }
C = { name = "cannon", betza = "mRcpR", value = 250 }
G = { name = "grasshopper", betza = "gQ", value = 200 }
L = { name = "lance", betza = "fR", value = 200, promotion = { zone = "last", to = "F" } }
"#;

pub const GAMES: &[Tiny] = &[
    Tiny {
        name: "mate",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, never = "rank1", promotion = { zone = "last", forced = "last", to = "RN" } }
[royalty]
piece = "K"
[end]
no_moves = "draw"
"#,
        endings: &[
            "KRvK", "KvKR", "KPvK", "KRvKN", "KNNvK", "KPvKP", "KCvKF", "KGvKF", "KHvKF", "KLvK",
            "KFFvK",
        ],
        counted: &["KRvK", "KPvK", "KLvK"],
        ..PLAIN
    },
    Tiny {
        name: "bare",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, never = "rank1", promotion = { zone = "last", forced = "last", to = "F" } }
[royalty]
piece = "K"
[end]
no_moves = "loss"
bare_king = true
"#,
        endings: &["KRvK", "KRvKN", "KFvKF", "KPvKP", "KNvKF"],
        counted: &["KFvKF"],
        ..PLAIN
    },
    Tiny {
        name: "steps",
        ranks: 5,
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, never = "rank1", double_step = { from = "rank2", en_passant = true }, promotion = { zone = "last", forced = "last", to = "R" } }
[royalty]
piece = "K"
[end]
no_moves = "draw"
"#,
        start: "kn2/4/4/4/2NK w - - 0 1",
        endings: &["KPvK", "KPvKP"],
        counted: &["KPvK"],
        ..PLAIN
    },
    Tiny {
        name: "captured",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, promotion = { zone = "last", forced = "last", to = "K" } }
[royalty]
piece = "K"
kind = "captured"
[end]
no_moves = "loss"
"#,
        endings: &["KRvK", "KNvKF", "KKvKR", "KPvK"],
        counted: &["KRvK"],
        ..PLAIN
    },
    Tiny {
        name: "several",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, promotion = { zone = "last", forced = "last", to = "K" } }
[royalty]
piece = "K"
kind = "last"
[end]
no_moves = "loss"
bare_king = true
"#,
        endings: &["KKvK", "KKvKR", "KPvKF"],
        counted: &["KKvK"],
        ..PLAIN
    },
    Tiny {
        name: "duple",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, promotion = { zone = "last", forced = "last", to = "R" } }
[royalty]
piece = "K"
kind = "duple"
[end]
no_moves = "draw"
"#,
        endings: &["KKvKR", "KRvKK"],
        counted: &[],
        ..PLAIN
    },
    Tiny {
        name: "goal",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true }
[royalty]
piece = "K"
[end]
no_moves = "loss"
[[end.when]]
reaches = "last"
pieces = "KN"
result = "win"
"#,
        endings: &["KRvK", "KNvKF", "KPvKR"],
        counted: &["KFvKF"],
        ..PLAIN
    },
    Tiny {
        name: "suicide",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, promotion = { zone = "last", forced = "last", to = "RK" } }
[end]
no_moves = "win"
[[end.when]]
lacks = "KRNFHCGLP"
result = "win"
"#,
        endings: &["RvK", "NRvF", "KvPF", "KvK"],
        counted: &["RvK", "PvN"],
        ..PLAIN
    },
    Tiny {
        name: "pass",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, promotion = { zone = "last", forced = "last", to = "R" } }
[royalty]
piece = "K"
[end]
no_moves = "draw"
"#,
        endings: &["KRvK", "KPvK"],
        counted: &["KRvK"],
        ..PLAIN
    },
    Tiny {
        name: "blast",
        rules: r#"
P = { name = "pawn", betza = "mfWcfF", value = 100, zeroing = true, promotion = { zone = "last", forced = "last", to = "R" } }
[royalty]
piece = "K"
kind = "captured"
[blast]
radius = 1
spares = "P"
[end]
no_moves = "draw"
"#,
        endings: &["KRvKP", "KPvK", "KNvKR"],
        counted: &[],
        ..PLAIN
    },
];

pub fn game(tiny: &Tiny) -> Arc<Variant> {
    let (name, files, ranks, start) = (tiny.name, tiny.files, tiny.ranks, tiny.start);
    let head = match name {
        "suicide" => "must_capture = true\n",
        "pass" => "pass = true\n",
        _ => "",
    };
    let count = tiny.count.map_or(String::new(), |plies| format!("moves = {plies}\n"));
    let rules = tiny.rules.replace("[end]\n", &format!("[end]\n{count}"));
    let text = format!(
        "name = '{name}'\ntitle = '{name}'\nstart = '{start}'\ncaptures = 'removed'\n{head}\
         [board]\nfiles = {files}\nranks = {ranks}\n[pieces]{PIECES}{rules}"
    );
    let file = DefinitionFile { name: format!("{name}.toml"), text };
    match load(vec![file]) {
        Ok(games) => Arc::clone(&games[0]),
        Err(faults) => panic!("{faults:?}"),
    }
}
