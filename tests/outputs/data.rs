//! Data that cannot be learned from: one line, and what was there stays.

use std::fs;

use crate::commands::folder;
use crate::runner::sh;

/// Every command that reads positions, with the file DATA beside a good one.
const READERS: [&str; 5] = [
    "garrison rescore --data DATA --nodes 20 --out new.gdata --threads 1",
    "garrison convert DATA new.txt",
    "garrison merge --pool 1.txt DATA --out new.gdata",
    "garrison tune --data games.txt DATA --epochs 1 --out old.toml --threads 1",
    "garrison tune --data games.txt DATA --epochs 1 --network --hidden 16 --out old.toml --threads 1",
];

#[test]
fn data_that_is_empty_cut_off_damaged_or_foreign_is_refused_in_one_line() {
    let folder = folder("data");
    let made = sh(
        &folder,
        "garrison selfplay --variant swda-oo --games 6 --nodes 20 --seed 2 --out good.gdata --threads 1 &&
         garrison convert good.gdata good.txt &&
         garrison selfplay --variant shogi --games 2 --nodes 20 --out shogi.gdata --threads 1 &&
         garrison selfplay --variant shogi --games 2 --nodes 20 --out shogi.txt --threads 1 &&
         garrison tune --show shogi --out shogi.toml && : > empty && echo old > old.nnue",
    );
    assert_eq!(made.status, 0, "{made:?}");
    let old = "[game]\ntempo = { mg = [1], eg = [1] }\n";
    fs::write(folder.0.join("old.toml"), old).expect("a file");
    let packed = fs::read(folder.0.join("good.gdata")).expect("a file");
    let text = folder.read("good.txt");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.0.join(name), bytes).expect(name);
    write("header.gdata", &packed[..40]);
    for (name, at, bits) in [("version.gdata", 8, 2), ("damaged.gdata", packed.len() / 2, 1)] {
        let mut damaged = packed.clone();
        damaged[at] ^= bits;
        write(name, &damaged);
    }
    write("damaged.txt", text.replacen("swda-oo|", "swda-oo|9", 1).as_bytes());
    write("game.txt", text.replace("# game 3\n", "").as_bytes());
    write("first.txt", text.split_once('\n').expect("a line").1.as_bytes());
    let bad = [
        "empty",
        "header.gdata",
        "version.gdata",
        "damaged.gdata",
        "damaged.txt",
        "game.txt",
        "first.txt",
    ];
    // Another game is refused where it is beside games of this one.
    let foreign = ["shogi.gdata", "shogi.txt"];
    let runs = bad.iter().flat_map(|data| READERS.map(|words| (words, *data)));
    let beside = foreign.iter().flat_map(|data| READERS[2..].iter().map(|words| (*words, *data)));
    for (words, data) in runs.chain(beside) {
        let words = words.replace("DATA", data);
        let run = sh(&folder, &format!("rm -f new.gdata new.txt; {words}"));
        assert!(run.status == 2 && run.is_orderly(), "{words}: {run:?}");
        assert!(run.line().contains(&format!("'{data}': ")), "{words}: {run:?}");
        assert_eq!([folder.read("old.toml"), folder.read("old.nnue")], [old, "old\n"], "{words}");
    }
    for words in [
        "garrison rescore --data good.gdata --nodes 20 --eval shogi.toml --out x.gdata",
        "garrison selfplay --variant swda-oo --games 2 --nodes 20 --eval shogi.toml --out x.gdata",
        "garrison tune --data good.gdata --epochs 1 --start shogi.toml --out old.toml",
    ] {
        let run = sh(&folder, words);
        assert!(run.status == 2 && run.is_orderly(), "{words}: {run:?}");
        assert!(run.line().starts_with("'shogi.toml': ") && !folder.0.join("x.gdata").exists());
    }
    assert_eq!(folder.read("old.toml"), old);
    // What was cut off behind a whole game is read as far as it goes.
    write("torn.gdata", &packed[..packed.len() - 9]);
    write("torn.txt", &text.as_bytes()[..text.len() - 9]);
    for (words, data) in
        ["torn.gdata", "torn.txt"].iter().flat_map(|data| READERS.map(|words| (words, *data)))
    {
        let words = words.replace("DATA", data);
        let run = sh(&folder, &format!("rm -f new.gdata new.txt; {words}"));
        assert!(run.status == 0 && run.is_orderly(), "{words}: {run:?}");
    }
    // Nothing is left of what was not finished.
    let left = folder.names(".").into_iter().filter(|name| name.ends_with(".part"));
    assert_eq!(left.count(), 0);
}
