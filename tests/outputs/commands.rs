//! The commands, and how each is made to print, write, read, last long or ask for memory.

use crate::runner::{Folder, sh};

/// What one command is tried with. The words are those of a shell; `FILE` stands for a file or a device.
pub struct Case {
    /// Its name in `garrison --help`; empty for the session that runs without a command.
    pub name: &'static str,
    /// A short run that prints something.
    pub short: &'static str,
    /// Short runs that write FILE.
    pub writes: &'static [&'static str],
    /// Short runs that fill the folder FILE.
    pub fills: &'static [&'static str],
    /// Runs that read FILE.
    pub reads: &'static [&'static str],
    /// A run that asks for more memory than there is, where options allow it.
    pub large: Option<&'static str>,
    /// A run that lasts until it is stopped.
    pub long: Option<Long>,
}

/// A run that lasts until it is stopped.
pub struct Long {
    pub words: &'static str,
    pub readiness: Readiness,
}

/// When a run has something to lose.
pub enum Readiness {
    /// At once: it keeps nothing.
    Started,
    /// When it catches SIGTERM.
    Catches,
    /// When a file has more than three lines.
    Writes(&'static str),
}

const NOTHING: Case =
    Case { name: "", short: "", writes: &[], fills: &[], reads: &[], large: None, long: None };

macro_rules! long {
    ($words:literal, $readiness:expr) => {
        Some(Long { words: $words, readiness: $readiness })
    };
}

pub const CASES: &[Case] = &[
    Case { short: "echo uci | garrison", long: long!("garrison", Readiness::Started), ..NOTHING },
    Case {
        name: "perft",
        short: "garrison perft --variant swda-oo 2",
        large: Some("garrison perft --variant swda-oo 2 --threads 1024"),
        long: long!("garrison perft --variant shoranji 20", Readiness::Started),
        ..NOTHING
    },
    Case {
        name: "solve",
        short: "garrison solve --variant swda-oo KRvK --threads 1",
        large: Some("garrison solve --variant swda-oo KRvK --threads 1024"),
        long: long!("garrison solve --variant chess --all 4 --threads 1", Readiness::Started),
        ..NOTHING
    },
    Case {
        name: "analyze",
        short: "garrison analyze --variant swda-oo --depth 2",
        writes: &[
            "garrison analyze --pgn games.pgn --nodes 20 --out FILE",
            "garrison analyze --pgn games.pgn --nodes 20 --svg FILE",
            "garrison analyze --pgn games.pgn --nodes 20 --html FILE",
        ],
        reads: &[
            "garrison analyze --pgn FILE --nodes 20",
            "garrison analyze --epd FILE --nodes 20",
        ],
        large: Some("garrison analyze --variant swda-oo --depth 2 --hash 65536"),
        long: long!("garrison analyze --pgn games.pgn --movetime 6000000", Readiness::Catches),
        ..NOTHING
    },
    Case {
        name: "play",
        short: "garrison play --variant swda-oo --level 1",
        long: long!("garrison play --variant swda-oo --level 1", Readiness::Catches),
        ..NOTHING
    },
    Case {
        name: "board",
        short: "garrison board --no-open --port 0 --idle 0",
        long: long!("garrison board --no-open --port 0", Readiness::Catches),
        ..NOTHING
    },
    Case {
        name: "match",
        short: "garrison match --variant swda-oo --games 2 --depth 1 --max-plies 6",
        writes: &[
            "garrison match --variant swda-oo --games 2 --depth 1 --max-plies 6 --pgn FILE",
            "garrison match --variant swda-oo --games 2 --depth 1 --max-plies 6 --log FILE",
            "garrison match --variant swda-oo --games 2 --depth 1 --max-plies 6 --chart FILE",
        ],
        reads: &[
            "garrison match --variant swda-oo --depth 1 --openings FILE",
            "garrison match --merge FILE",
        ],
        large: Some("garrison match --variant swda-oo --games 2000 --depth 1 --concurrency 1024"),
        long: long!(
            "garrison match --variant swda-oo --games 1000000 --depth 1 --max-plies 6 --log on.jsonl",
            Readiness::Writes("on.jsonl")
        ),
        ..NOTHING
    },
    Case {
        name: "tournament",
        short: "garrison tournament cup.toml --max-plies 6",
        writes: &["garrison tournament cup.toml --max-plies 6 --log FILE"],
        reads: &["garrison tournament FILE"],
        large: Some("garrison tournament large.toml --concurrency 1024"),
        long: long!(
            "garrison tournament large.toml --max-plies 6 --log cup.jsonl",
            Readiness::Writes("cup.jsonl")
        ),
        ..NOTHING
    },
    Case {
        name: "openings",
        short: "garrison openings --variant swda-oo --count 2 --nodes 20",
        large: Some("garrison openings --variant swda-oo --count 2 --nodes 20 --threads 1024"),
        long: long!("garrison openings --variant shoranji --count 10000000", Readiness::Started),
        ..NOTHING
    },
    Case {
        name: "render",
        short: "garrison render --variant swda-oo --svg -",
        writes: &["garrison render --variant swda-oo --svg FILE"],
        ..NOTHING
    },
    Case {
        name: "bench",
        short: "garrison bench 1",
        long: long!("garrison bench 20", Readiness::Started),
        ..NOTHING
    },
    Case {
        name: "learn",
        short: "garrison learn swda-oo --generations 1 --games 4 --pairs 1 --threads 1",
        fills: &[
            "garrison learn swda-oo --generations 1 --games 4 --pairs 1 --threads 1 --out FILE",
        ],
        large: Some("garrison learn swda-oo --generations 1 --games 4 --threads 1024"),
        long: long!(
            "garrison learn swda-oo --threads 1 --out on",
            Readiness::Writes("on/data/001.gdata")
        ),
        ..NOTHING
    },
    Case {
        name: "selfplay",
        short: "garrison selfplay --variant swda-oo --games 2 --nodes 20 --out /dev/null --threads 1",
        writes: &[
            "garrison selfplay --variant swda-oo --games 2 --nodes 20 --out FILE --threads 1",
        ],
        reads: &[
            "garrison selfplay --variant swda-oo --games 2 --nodes 20 --out /dev/null --eval FILE --threads 1",
        ],
        large: Some(
            "garrison selfplay --variant swda-oo --games 2 --nodes 20 --out /dev/null --hash 65536 --threads 1",
        ),
        long: long!(
            "garrison selfplay --variant swda-oo --games 1000000 --nodes 20 --out on.txt",
            Readiness::Writes("on.txt")
        ),
        ..NOTHING
    },
    Case {
        name: "rescore",
        short: "garrison rescore --data games.txt --nodes 20 --out /dev/null --threads 1",
        writes: &["garrison rescore --data games.txt --nodes 20 --out FILE"],
        reads: &[
            "garrison rescore --data FILE --nodes 20 --out /dev/null",
            "garrison rescore --data games.txt --nodes 20 --out /dev/null --eval FILE --threads 1",
        ],
        large: Some("garrison rescore --data games.txt --nodes 20 --out /dev/null --threads 1024"),
        long: long!(
            "garrison rescore --data games.txt --nodes 1000000000 --out again.txt",
            Readiness::Catches
        ),
        ..NOTHING
    },
    Case {
        name: "merge",
        short: "garrison merge 1.txt 2.txt --out /dev/null",
        writes: &["garrison merge 1.txt 2.txt --out FILE"],
        reads: &["garrison merge 1.txt FILE --out /dev/null"],
        ..NOTHING
    },
    Case {
        name: "convert",
        short: "garrison convert games.txt /dev/null",
        writes: &["garrison convert games.txt FILE"],
        reads: &["garrison convert FILE /dev/null"],
        ..NOTHING
    },
    Case {
        name: "tune",
        short: "garrison tune --data games.txt --epochs 1 --out /dev/null --threads 1",
        writes: &[
            "garrison tune --data games.txt --epochs 1 --out FILE",
            "garrison tune --data games.txt --epochs 1 --network --hidden 16 --out FILE",
            "garrison tune --data games.txt --epochs 1 --out /dev/null --svg FILE",
        ],
        reads: &[
            "garrison tune --data FILE --out /dev/null",
            "garrison tune --data games.txt --out /dev/null --start FILE",
        ],
        large: Some("garrison tune --data games.txt --epochs 1 --out /dev/null --threads 1024"),
        long: long!(
            "garrison tune --data games.txt --epochs 10000 --out long.toml",
            Readiness::Catches
        ),
        ..NOTHING
    },
    Case {
        name: "spsa",
        short: "garrison spsa --list",
        writes: &[
            "garrison spsa --variant swda-oo --engine cmd=./tunable --params 'lmr_*' --iterations 2 --pairs 1 --depth 1 --max-plies 6 --log FILE",
            "garrison spsa --report spsa.jsonl --chart FILE",
        ],
        reads: &["garrison spsa --report FILE"],
        large: Some(
            "garrison spsa --variant swda-oo --engine cmd=./tunable --pairs 1000 --depth 1 --concurrency 1024",
        ),
        long: long!(
            "garrison spsa --variant swda-oo --engine cmd=./tunable --params lmr_base --iterations 1000000 --pairs 1 --depth 1 --max-plies 6 --log on.jsonl",
            Readiness::Writes("on.jsonl")
        ),
        ..NOTHING
    },
    Case {
        name: "variants",
        short: "garrison variants",
        writes: &[
            "garrison variants show swda-oo --html FILE",
            "garrison variants show swda-oo --svg FILE",
        ],
        reads: &["garrison variants check FILE", "garrison variants --variants FILE"],
        ..NOTHING
    },
    Case {
        name: "xboard",
        short: "garrison xboard --variant swda-oo --print",
        fills: &["XDG_CACHE_HOME=FILE garrison xboard --variant swda-oo --print"],
        ..NOTHING
    },
    Case { name: "completions", short: "garrison completions bash", ..NOTHING },
    Case { name: "man", short: "garrison man", fills: &["garrison man FILE"], ..NOTHING },
    Case { name: "help", short: "garrison help", ..NOTHING },
];

/// A program that offers the constants of the search as options, as a build for tuning does, and ignores them.
const TUNABLE: &str = r#"#!/bin/sh
number='\([-0-9]*\)'
option="s/^\([a-z_]*\), int, $number, $number, $number,.*/option name \1 type spin default \2 min \3 max \4/"
while read -r line; do
    case "$line" in
        "setoption name UCI_Variant "*) echo "$line" ;;
        "setoption name "*) ;;
        *) echo "$line" ;;
    esac
done | garrison | while read -r line; do
    if [ "$line" = uciok ]; then garrison spsa --list | sed "$option"; fi
    echo "$line"
done
"#;

/// Puts that program into a folder.
pub fn add_tunable(folder: &Folder) {
    use std::os::unix::fs::PermissionsExt;
    folder.write("tunable", TUNABLE);
    let rights = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.0.join("tunable"), rights).expect("rights");
}

/// A folder with the files that the runs above read.
pub fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    add_tunable(&folder);
    let made =
        "mkfifo in && garrison selfplay --variant swda-oo --games 12 --nodes 20 --out games.txt --threads 1 &&
        for part in 1 2; do
            garrison selfplay --variant swda-oo --games 4 --nodes 20 --shard $part/2 --out $part.txt --threads 1 || exit
        done &&
        garrison match --variant swda-oo --games 2 --depth 1 --max-plies 6 --pgn games.pgn &&
        garrison spsa --variant swda-oo --engine cmd=./tunable --params 'lmr_*' --iterations 2 --pairs 1 --depth 1 --max-plies 6 --log spsa.jsonl";
    let made = sh(&folder, made);
    assert_eq!(made.status, 0, "{}", made.error);
    let engines = "[[engine]]\nname = 'a'\n[[engine]]\nname = 'b'\n[[engine]]\nname = 'c'\n";
    for (name, games) in [("cup.toml", 2), ("large.toml", 1_000_000)] {
        let head = format!("variants = 'swda-oo'\ngames = {games}\nlimit = 'depth=1'\n");
        folder.write(name, &(head + engines));
    }
    folder
}

#[test]
fn every_command_of_the_help_has_its_case() {
    let help = sh(&Folder::new("help"), "garrison --help").out;
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let rows = list.lines().take_while(|line| !line.is_empty());
    // The words of a long description are further in.
    let rows = rows.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let named: Vec<&str> = rows.filter_map(|line| line.split_whitespace().next()).collect();
    let known: Vec<&str> =
        CASES.iter().map(|case| case.name).filter(|name| !name.is_empty()).collect();
    let missing: Vec<_> = named.iter().filter(|name| !known.contains(name)).collect();
    assert!(missing.is_empty(), "without a case in tests/outputs/commands.rs: {missing:?}");
    let gone: Vec<_> = known.iter().filter(|name| !named.contains(name)).collect();
    assert!(gone.is_empty(), "with a case, but not in --help: {gone:?}");
}
