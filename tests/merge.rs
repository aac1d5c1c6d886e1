//! `--shard` of `selfplay` and `rescore`, and `garrison merge`: the parts together are the whole run, byte for byte, and
//! what does not belong together is refused in one line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of a test's own, which cargo provides, with the words of the runs in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("merge").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Runs the program in the folder; the words have blanks between.
    fn run(&self, words: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
        command.current_dir(&self.0).args(words.split(' ')).output().expect("the program runs")
    }

    fn works(&self, words: &str) -> String {
        let done = self.run(words);
        assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("UTF-8")
    }

    /// The one line by which a run is refused.
    fn refused(&self, words: &str) -> String {
        let done = self.run(words);
        let text = String::from_utf8(done.stderr).expect("UTF-8");
        assert_eq!((done.status.code(), text.lines().count()), (Some(2), 1), "{words}: {text}");
        text.trim_end().trim_start_matches("garrison: ").to_string()
    }

    /// The games of a run of seven games, or of a part of it.
    fn play(&self, file: &str, more: &str) {
        self.works(&format!("{GAMES} --games 7 --out {file}{more}"));
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect(name);
    }

    /// The names in it that are not those of `but`.
    fn names_but(&self, but: &[&str]) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().into_string().expect("UTF-8"));
        names.filter(|name| !but.contains(&name.as_str())).collect()
    }
}

const GAMES: &str =
    "selfplay --variant swda-jp --variant swda-oo --nodes 30 --hash 1 --threads 1 --keep aside";

#[test]
fn the_parts_together_are_the_whole_run() {
    let folder = Folder::new("parts");
    folder.play("whole.txt", "");
    for parts in [1, 2, 3, 9] {
        let mut names = Vec::new();
        for part in 1..=parts {
            let name = format!("{part}-of-{parts}.txt");
            folder.play(&name, &format!(" --shard {part}/{parts}"));
            names.push(name);
        }
        if parts == 1 {
            // One part of one is the whole.
            assert!(folder.read(&names[0]) == folder.read("whole.txt"));
            continue;
        }
        let first = folder.read(&names[1]);
        assert!(
            first.starts_with(
                "# garrison selfplay seed 1 nodes 30 plies 8 hash 1 keep aside shard 2/"
            )
        );
        names.reverse();
        let out = format!("all-{parts}.txt");
        let said = folder.works(&format!("merge {} --out {out}", names.join(" ")));
        assert!(said.starts_with("7 games, ") && said.ends_with(&format!(" of {parts} files\n")));
        assert!(folder.read(&out) == folder.read("whole.txt"), "{parts} parts");
    }
}

#[test]
fn parts_and_whole_may_be_packed_or_text() {
    let folder = Folder::new("forms");
    for form in ["txt", "gdata"] {
        folder.play(&format!("whole.{form}"), "");
        for part in ["1", "2"] {
            folder.play(&format!("{part}.{form}"), &format!(" --shard {part}/2"));
        }
    }
    assert!(!folder.bytes("whole.gdata").starts_with(b"# garrison"));
    for (number, (one, two)) in
        [("gdata", "gdata"), ("txt", "gdata"), ("gdata", "txt")].iter().enumerate()
    {
        for form in ["txt", "gdata"] {
            let out = format!("all-{number}.{form}");
            folder.works(&format!("merge 1.{one} 2.{two} --out {out}"));
            assert!(
                folder.bytes(&out) == folder.bytes(&format!("whole.{form}")),
                "{one} {two} {form}"
            );
        }
    }
    // A part in packed form goes on by itself, wherever it was cut off.
    let whole = folder.bytes("2.gdata");
    for cut in [0, 10, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        folder.write("torn.gdata", &whole[..cut]);
        if (whole.len() / 3..whole.len()).contains(&cut) {
            let fault = folder.refused("merge 1.gdata torn.gdata --out x.gdata");
            assert!(fault.starts_with("'torn.gdata': ends before game 2 of 7; "), "{fault}");
        }
        folder.play("torn.gdata", " --shard 2/2 --resume");
        assert!(folder.bytes("torn.gdata") == whole, "cut at {cut}");
    }
    // One file alone is written in the other form, and back.
    folder.works("convert 2.gdata two.txt");
    assert!(folder.read("two.txt") == folder.read("2.txt"));
    folder.works("convert two.txt two.gdata");
    assert!(folder.bytes("two.gdata") == whole);
    folder.works("merge whole.gdata --out as-text.txt");
    assert!(folder.read("as-text.txt") == folder.read("whole.txt"));
    // A pool of packed files, of runs of different variants.
    folder.works("selfplay --variant swda-pa --nodes 20 --hash 1 --games 3 --out other.gdata");
    folder.works("merge --pool other.gdata whole.gdata --out pool.gdata");
    folder.works("merge --pool other.gdata whole.txt --out pool.txt");
    folder.works("convert pool.gdata pool-as.txt");
    assert!(folder.read("pool-as.txt") == folder.read("pool.txt"));
    folder.works("rescore --data pool.gdata --nodes 20 --threads 1 --out again.gdata");
    folder.works("tune --data pool.gdata --epochs 1 --out weights.toml --threads 1");
    // Damage is one line, and what was there stays.
    let mut damaged = whole;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    folder.write("damaged.gdata", &damaged);
    let fault = folder.refused("merge 1.gdata damaged.gdata --out x.gdata");
    assert!(fault.starts_with("'damaged.gdata': block 1: "), "{fault}");
    assert!(!folder.0.join("x.gdata").exists());
}

#[test]
fn a_part_that_was_interrupted_goes_on_by_itself() {
    let folder = Folder::new("resumed");
    folder.play("2.txt", " --shard 2/3");
    let whole = folder.read("2.txt");
    let second = whole.find("# game 5\n").expect("its second game");
    for cut in [0, 20, second - 30, second, second + 4, second + 40, whole.len()] {
        folder.write("torn.txt", &whole[..cut]);
        folder.play("torn.txt", " --shard 2/3 --resume");
        assert!(folder.read("torn.txt") == whole, "cut at {cut}");
    }
    // Another part, another number of parts or of games is another file.
    for other in [" --shard 1/3", " --shard 2/4", ""] {
        let words = format!("{GAMES} --games 7 --out torn.txt --resume{other}");
        assert!(folder.refused(&words).starts_with("'torn.txt': has other games, "), "{other}");
    }
    let words = format!("{GAMES} --games 8 --out torn.txt --resume --shard 2/3");
    assert!(folder.refused(&words).contains(" shard 2/3 of 7 "));
    assert!(folder.read("torn.txt") == whole);
}

#[test]
fn parts_rescored_are_the_whole_rescored() {
    let folder = Folder::new("rescored");
    folder.play("whole.txt", "");
    let rescore = |from: &str, to: &str, more: &str| {
        folder.works(&format!("rescore --data {from} --nodes 40 --threads 1 --out {to}{more}"));
    };
    rescore("whole.txt", "wanted.txt", "");
    // The whole file in parts.
    rescore("whole.txt", "a1.txt", " --shard 1/2");
    rescore("whole.txt", "a2.txt", " --shard 2/2");
    folder.works("merge a1.txt a2.txt --out a.txt");
    // Each part as a whole.
    for part in ["1", "2"] {
        folder.play(&format!("{part}.txt"), &format!(" --shard {part}/2"));
        rescore(&format!("{part}.txt"), &format!("b{part}.txt"), "");
    }
    folder.works("merge b1.txt b2.txt --out b.txt");
    for name in ["a.txt", "b.txt"] {
        assert!(folder.read(name) == folder.read("wanted.txt"), "{name}");
    }
    assert!(folder.read("a1.txt") == folder.read("b1.txt"));
    // Interrupted, a part goes on.
    let part = folder.read("a2.txt");
    folder.write("a2.txt", &part[..part.len() / 2]);
    rescore("whole.txt", "a2.txt", " --shard 2/2 --resume");
    assert!(folder.read("a2.txt") == part);
    assert_eq!(
        folder.refused("rescore --data 1.txt --nodes 40 --shard 1/2 --out c.txt"),
        "'1.txt': is part 1/2 of a run itself; rescore it without --shard"
    );
}

#[test]
fn what_does_not_belong_together_is_refused_in_one_line() {
    let folder = Folder::new("refused");
    let seven = format!("{GAMES} --games 7");
    let runs: [(&str, String); 6] = [
        ("1.txt", format!("{seven} --shard 1/2")),
        ("2.txt", format!("{seven} --shard 2/2")),
        ("seed.txt", format!("{seven} --shard 2/2 --seed 2")),
        ("keep.txt", format!("{seven} --shard 2/2").replace("aside", "all")),
        ("games.txt", format!("{seven}0 --shard 2/200").replace("--games 70", "--games 8")),
        ("whole.txt", seven),
    ];
    for (file, words) in &runs {
        folder.works(&format!("{} --out {file}", words.replace("2/200", "2/2")));
    }
    folder
        .works("selfplay --variant chess --nodes 9 --hash 1 --games 4 --shard 2/2 --out chess.txt");
    let merge = |files: &str| folder.refused(&format!("merge {files} --out all.txt"));
    let like_first = |what: &str| format!("has {what}");
    for (files, fault) in [
        ("1.txt seed.txt", "'seed.txt': ".to_string() + &like_first("seed 2, but '1.txt' has 1")),
        ("1.txt keep.txt", "'keep.txt': has keep all, but '1.txt' has aside".to_string()),
        ("1.txt games.txt", "'games.txt': has games of all parts 8, but '1.txt' has 7".to_string()),
        (
            "1.txt chess.txt",
            "'chess.txt': has variants chess, but '1.txt' has swda-jp swda-oo".to_string(),
        ),
        ("1.txt 2.txt 1.txt", "'1.txt': has the same games as '1.txt'".to_string()),
        ("1.txt", "there are 1 of 2 parts: 2/2 is missing".to_string()),
        (
            "1.txt whole.txt",
            "'whole.txt': is no part of a run (--shard); --pool joins different runs".to_string(),
        ),
        ("--pool 1.txt whole.txt", "'whole.txt': has the same games as '1.txt'".to_string()),
        (
            "--pool 1.txt chess.txt",
            "'chess.txt': chess is no game of the family of swda-jp, which '1.txt' has".to_string(),
        ),
        (
            "1.txt none.txt",
            "'none.txt': cannot be read: No such file or directory (os error 2)".to_string(),
        ),
    ] {
        assert_eq!(merge(files), fault);
    }
    // A part that is not finished: without its last game, within a line, or with a line that is damaged.
    let text = folder.read("2.txt");
    let last = text.find("# game 6\n").expect("its last game");
    folder.write("short.txt", &text[..last]);
    assert_eq!(
        merge("1.txt short.txt"),
        "'short.txt': ends before game 6 of 7; finish it with --resume, or join what there is with --pool"
    );
    folder.write("torn.txt", &text[..text.len() - 1]);
    assert_eq!(merge("1.txt torn.txt"), "'torn.txt': ends within a game; finish it with --resume");
    folder.write("damaged.txt", text.replacen("swda-jp|", "swda-jp|x", 1));
    assert!(merge("1.txt damaged.txt").starts_with("'damaged.txt': line 3: FEN field "));
    folder.write("log.jsonl", "{\"event\":\"Garrison match\"}\n");
    assert!(merge("1.txt log.jsonl").starts_with("'log.jsonl': line 1: "));
    // What is there is not overwritten, and of what was refused nothing is left.
    assert_eq!(
        folder.refused("merge 1.txt 2.txt --out 1.txt"),
        "'1.txt': exists; choose another name"
    );
    let known = ["short.txt", "torn.txt", "damaged.txt", "log.jsonl", "chess.txt"];
    let known: Vec<&str> = known.into_iter().chain(runs.iter().map(|(file, _)| *file)).collect();
    assert_eq!(folder.names_but(&known), [""; 0]);
    folder.works("merge 1.txt 2.txt --out all.txt");
    assert!(folder.read("all.txt") == folder.read("whole.txt"));
}

#[test]
fn games_by_other_rules_of_a_game_of_ones_own_do_not_mix() {
    let folder = Folder::new("rules");
    let define = |more: &str| {
        folder.write("mychess.toml", format!("name = 'mychess'\nbase = 'chess'\n{more}"));
    };
    let own = "--variants mychess.toml --variant mychess";
    let play = format!("selfplay {own} --nodes 9 --hash 1 --games 4 --shard");
    let matched = format!("match {own} --engine name=a --engine name=b --nodes 9 --max-plies 8");
    let matched = format!("{matched} --log match.jsonl");
    define("pass = true");
    folder.works(&format!("{play} 1/2 --out passing.txt"));
    folder.works(&format!("{matched} --games 2"));
    assert!(folder.read("passing.txt").lines().next().expect("a line").contains(" rules "));
    // Another title plays the same games.
    define("pass = true\ntitle = 'Unhurried'");
    folder.works(&format!("{play} 1/2 --out passing.txt --resume"));
    folder.works(&format!("{matched} --games 2 --resume"));
    define("");
    let kept = [folder.read("passing.txt"), folder.read("match.jsonl")];
    let fault = folder.refused(&format!("{play} 1/2 --out passing.txt --resume"));
    assert!(fault.starts_with("'passing.txt': has other games, "), "{fault}");
    let fault = folder.refused(&format!("{matched} --games 4 --resume"));
    assert_eq!(
        fault,
        "'match.jsonl': this log has other rules of its games; it cannot be continued"
    );
    assert_eq!(kept, [folder.read("passing.txt"), folder.read("match.jsonl")]);
    folder.works(&format!("{play} 2/2 --out other.txt"));
    let fault = folder.refused("merge passing.txt other.txt --out x.txt --variants mychess.toml");
    assert!(fault.starts_with("'other.txt': has rules "), "{fault}");
}

#[test]
fn a_pool_is_learned_from_like_its_files() {
    let folder = Folder::new("pool");
    folder.play("1.txt", "");
    folder.play("2.txt", " --seed 2");
    folder.play("3.txt", " --seed 3 --shard 3/3");
    let said = folder.works("merge --pool 1.txt 2.txt 3.txt --out pool.txt");
    // Of the seven games of the third run its third part has the third and the sixth.
    assert!(said.starts_with("16 games, ") && said.ends_with(" of 3 files\n"), "{said}");
    let pool = folder.read("pool.txt");
    let first = pool.lines().next().expect("a line");
    assert_eq!((first.matches(" + seed ").count(), first.contains("shard 3/3 of 7")), (2, true));
    let positions = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
    let all = ["1.txt", "2.txt", "3.txt"].map(|name| positions(&folder.read(name)));
    assert_eq!(positions(&pool), all.iter().sum::<usize>());
    assert!(pool.contains("\n# game 16\n") && !pool.contains("\n# game 17\n"));
    // Its positions can be rescored and fitted, and it joins a greater pool, but not with one of its own runs.
    folder.works("rescore --data pool.txt --nodes 20 --threads 1 --out again.txt");
    assert_eq!(folder.read("again.txt").matches(" rescored 20 variants ").count(), 3);
    let fault = folder.refused("rescore --data pool.txt --nodes 20 --shard 1/2 --out x.txt");
    assert_eq!(fault, "'pool.txt': is a pool of several runs; rescore it without --shard");
    folder.works("tune --data pool.txt --epochs 1 --out weights.toml --threads 1");
    assert!(folder.read("weights.toml").contains("seed 1 nodes 30 plies 8"));
    folder.play("4.txt", " --seed 4");
    folder.works("merge --pool pool.txt 4.txt --out greater.txt");
    let fault = folder.refused("merge --pool greater.txt 2.txt --out x.txt");
    assert_eq!(fault, "'2.txt': has the same games as 'greater.txt'");
    // A file that was interrupted gives what it has, with a word.
    let text = folder.read("4.txt");
    folder.write("torn.txt", &text[..text.len() - 5]);
    let done = folder.run("merge --pool 1.txt torn.txt --out y.txt");
    let warning = String::from_utf8(done.stderr).expect("UTF-8");
    assert_eq!(warning, "garrison: warning: 'torn.txt': ends within a line, which is left out\n");
    assert_eq!(done.status.code(), Some(0));
    folder.play("5.gdata", " --seed 5");
    let packed = folder.bytes("5.gdata");
    folder.write("torn.gdata", &packed[..packed.len() - 1]);
    for command in [
        "merge --pool 1.txt torn.gdata --out z.txt",
        "tune --data 1.txt torn.gdata --epochs 1 --out z.toml --threads 1",
    ] {
        let done = folder.run(command);
        let warning = String::from_utf8(done.stderr).expect("UTF-8");
        let block =
            "garrison: warning: 'torn.gdata': ends within a block of 7 games, which are left out\n";
        assert!(warning.contains(block) && done.status.success(), "{command}: {warning}");
    }
}

#[test]
fn shards_that_make_no_sense_are_refused() {
    let folder = Folder::new("words");
    for wrong in ["0/2", "3/2", "2", "a/b", "1/0"] {
        for words in [
            format!("{GAMES} --games 2 --out x.txt --shard {wrong}"),
            format!("match --variant shoranji --games 2 --nodes 1 --shard {wrong}"),
        ] {
            let fault = folder.refused(&words);
            let wanted = format!("--shard '{wrong}': write it as 1/4, the first of four parts");
            assert_eq!(fault, wanted);
        }
    }
}
