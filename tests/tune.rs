//! `garrison tune`: recovers the weights by which positions were judged, trains networks of several sizes, and
//! refuses what is not its data.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use garrison::engine::{EvalFile, Evaluation, Evaluator, LinearEval};
use garrison::eval_files::read_eval_file;
use garrison_rules::definition::DefinitionFile;
use garrison_rules::random::SplitMix;
use garrison_rules::{Catalogue, Color, Position, find};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn tune(data: &PathBuf, out: &PathBuf, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.arg("tune").arg("--data").arg(data).arg("--out").arg(out).args(more);
    command.output().expect("the program runs")
}

/// The evaluation file that was written, which must be a good one.
fn written(out: &Path) -> EvalFile {
    read_eval_file(out).unwrap_or_else(|fault| panic!("{}: {fault}", out.display()))
}

fn refused(name: &str, text: &str) -> String {
    let data = path(name);
    std::fs::write(&data, text).expect("written");
    let out = path("refused.toml");
    let _ = std::fs::remove_file(&out);
    let done = tune(&data, &out, &[]);
    assert_eq!(done.status.code(), Some(2), "{name}");
    assert!(!out.exists(), "{name}");
    String::from_utf8(done.stderr).expect("UTF-8")
}

/// The positions of some games of random moves, without those in check.
fn games(name: &str, count: usize, seed: u64) -> Vec<Vec<Position>> {
    let variant = find(name).expect("a built-in game");
    let mut random = SplitMix::new(seed);
    let mut game = || {
        let mut position = Position::start(&variant);
        let mut all = Vec::new();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.status().outcome().is_some() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
            if !position.is_check() && position.status().outcome().is_none() {
                all.push(position.without_history());
            }
        }
        all
    };
    (0..count).map(|_| game()).collect()
}

const HEADER: &str =
    "# garrison selfplay seed 1 nodes 1 plies 8 hash 1 version 0.1.0 variants shoogantshii\n";

/// The value of a position for White.
fn for_white(evaluator: &mut impl Evaluator, position: &Position) -> i32 {
    let value = evaluator.evaluate(position);
    if position.side_to_move() == Color::White { value } else { -value }
}

/// A file of so many games, whose positions have the scores of this evaluator.
fn judged(name: &str, count: usize, judge: &mut impl Evaluator) -> String {
    let mut text = HEADER.replace("shoogantshii", name);
    for (number, game) in games(name, count, 3).iter().enumerate() {
        let _ = writeln!(text, "# game {}", number + 1);
        for position in game {
            let value = for_white(judge, position).clamp(-1400, 1400);
            let _ = writeln!(text, "{name}|{}|{value}|0.5", position.fen());
        }
    }
    text
}

#[test]
fn weights_that_judged_the_data_are_recovered() {
    let name = "shoogantshii";
    let variant = find(name).expect("a built-in game");
    // The weights that ship are far from the values of the definition.
    let mut planted = Evaluation::new(&variant).linear;
    let (data, out) = (path("planted.txt"), path("planted.toml"));
    std::fs::write(&data, judged(name, 400, &mut planted)).expect("written");
    let done = tune(&data, &out, &["--blend", "0", "--epochs", "200", "--plain"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let file = written(&out);
    let mut found = file.evaluation(&variant).expect("good weights");
    let mut plain = LinearEval::plain(&variant);
    let (mut error, mut before, mut count) = (0, 0, 0);
    for position in games(name, 30, 4).iter().flatten() {
        let value = planted.evaluate(position);
        if value.abs() < 1000 {
            error += (found.evaluate(position) - value).abs();
            before += (plain.evaluate(position) - value).abs();
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
    assert!(error * 4 < before, "off by {} cp, {} before", error / count, before / count);
    // Games of at most 80 random plies, whatever the shipped profile says.
    let profile = file.profile().expect("a profile");
    assert!((60.0..80.0).contains(&profile.plies), "{profile}");
    let shown = show(name, &out);
    assert!(shown.contains(&format!("{:.0} plies per game", profile.plies)), "{shown}");
    assert!(shown.contains("\nWeights in centipawns, fitted by `garrison tune"), "{shown}");
}

/// Judges by another evaluator, times a factor and with an error of up to so many centipawns.
#[derive(Debug)]
struct Distorted<'a, E> {
    judge: &'a mut E,
    factor: f64,
    error: usize,
    random: SplitMix,
}

impl<E: Evaluator> Evaluator for Distorted<'_, E> {
    fn evaluate(&mut self, position: &Position) -> i32 {
        let value = f64::from(self.judge.evaluate(position)) * self.factor;
        value.round() as i32 + self.random.below(2 * self.error + 1) as i32 - self.error as i32
    }
}

#[test]
fn thin_data_does_not_spoil_the_weights_that_ship() {
    let name = "shoranji";
    let variant = find(name).expect("a built-in game");
    let mut shipped = Evaluation::new(&variant).linear;
    let mut noisy = Distorted {
        judge: &mut shipped.clone(),
        factor: 1.0,
        error: 400,
        random: SplitMix::new(5),
    };
    let (data, out) = (path("thin.txt"), path("thin.toml"));
    std::fs::write(&data, judged(name, 30, &mut noisy)).expect("written");
    let done = tune(&data, &out, &["--blend", "0.3"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8_lossy(&done.stdout);
    let begun = "begun with the weights that ship, which count as 200000 positions";
    assert!(text.contains(begun), "{text}");
    let mut found = written(&out).evaluation(&variant).expect("good weights");
    for position in games(name, 10, 4).iter().flatten() {
        let (new, old) = (found.evaluate(position), shipped.evaluate(position));
        assert!((new - old).abs() <= 30 + old.abs() / 5, "{new} was {old}: {}", position.fen());
    }
    let warned = String::from_utf8_lossy(&done.stderr);
    assert!(warned.starts_with("garrison: warning: thin data: "), "{warned}");
}

#[test]
fn values_of_a_definition_are_scaled_to_the_data() {
    let name = "capablanca";
    let variant = find(name).expect("a built-in game");
    let mut plain = LinearEval::plain(&variant);
    let mut third =
        Distorted { judge: &mut plain, factor: 0.3, error: 0, random: SplitMix::new(1) };
    let (data, out) = (path("scaled.txt"), path("scaled.toml"));
    std::fs::write(&data, judged(name, 60, &mut third)).expect("written");
    let done = tune(&data, &out, &["--blend", "0", "--epochs", "1", "--plain"]);
    let text = String::from_utf8_lossy(&done.stdout);
    let begun = "begun with the values of the definition times 0.30, which count as 5000 positions";
    assert!(text.contains(begun), "{text}");
}

#[test]
fn what_ships_can_be_written_and_begun_with() {
    // With weights alone, and with a network beside them.
    for name in ["shoranji", "swda-oo"] {
        let variant = find(name).expect("a built-in game");
        let [out, data, more] =
            ["toml", "txt", "more"].map(|end| path(&format!("ship-{name}.{end}")));
        let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
        command.args(["tune", "--show", name, "--out"]).arg(&out);
        assert!(command.output().expect("the program runs").status.success(), "{name}");
        let mut found = written(&out).evaluation(&variant).expect("a good evaluation");
        let mut shipped = Evaluation::new(&variant);
        assert_eq!(found.has_network(), shipped.has_network(), "{name}");
        for position in games(name, 5, 4).iter().flatten() {
            assert_eq!(found.evaluate(position), shipped.evaluate(position), "{}", position.fen());
        }
        std::fs::write(&data, judged(name, 12, &mut shipped)).expect("written");
        let start = out.to_str().expect("a path");
        let done = tune(&data, &more, &["--start", start, "--epochs", "1"]);
        let text = String::from_utf8_lossy(&done.stdout);
        assert!(text.contains(&format!("begun with the weights of '{start}'")), "{text}");
    }
}

#[test]
fn the_prior_of_a_game_of_ones_own_can_be_written() {
    let definition = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games/janus.toml");
    let out = path("janus-prior.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.args(["tune", "--variants", definition, "--show", "janus", "--out"]).arg(&out);
    assert!(command.output().expect("the program runs").status.success());
    let text = std::fs::read_to_string(definition).expect("a definition");
    let mut games = Catalogue::new();
    games.add(vec![DefinitionFile { name: "janus.toml".to_string(), text }]).expect("a game");
    let variant = games.find("janus").expect("just added");
    let mut found = written(&out).evaluation(&variant).expect("a good evaluation");
    let mut prior = Evaluation::new(&variant);
    let mut position = Position::start(&variant);
    for ply in 0..30 {
        assert_eq!(found.evaluate(&position), prior.evaluate(&position), "{}", position.fen());
        let moves = position.legal_moves();
        position.make(moves[ply * 7 % moves.len()]);
    }
}

#[test]
fn other_data_is_refused_with_the_place() {
    assert!(refused("other.txt", "something else\n").contains("other.txt"));
    let fen = find("shoogantshii").expect("a built-in game").start_fen().to_string();
    let line = |score: &str, result: &str| {
        format!("{HEADER}# game 1\nshoogantshii|{fen}|{score}|{result}\n")
    };
    for (text, wrong) in [
        (line("x", "1"), "'x'"),
        (line("10", "2"), "'2'"),
        (line("10", "1").replace("# game 1", "# game 7"), "# game 1"),
        (line("10", "1").replace("shoogantshii|", "chess960|"), "chess960"),
        (line("10", "1"), "too few games"),
    ] {
        let fault = refused("broken.txt", &text);
        assert!(fault.contains(wrong), "{fault}");
        assert_eq!(fault.trim_end().lines().count(), 1, "{fault}");
    }
}

#[test]
fn a_network_learns_the_linear_evaluation() {
    let name = "swda-oo";
    let variant = find(name).expect("a built-in game");
    let mut linear = Evaluation::new(&variant).linear;
    let (data, out) = (path("network.txt"), path("network.toml"));
    std::fs::write(&data, judged(name, 300, &mut linear)).expect("written");
    let more = ["--network", "--blend", "0", "--epochs", "60", "--threads"];
    let mut networks = Vec::new();
    for threads in ["1", "3"] {
        let done = tune(&data, &out, &[&more[..], &[threads]].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        networks.push(std::fs::read(out.with_extension("nnue")).expect("a network"));
    }
    assert!(networks[0] == networks[1], "it depends on the number of threads");
    let text = std::fs::read_to_string(&out).expect("weights");
    assert!(text.contains("\nnetwork = \"network.nnue\"\n"), "{text}");
    let mut learned = written(&out).evaluation(&variant).expect("a good network");
    assert!(learned.has_network());
    let (mut error, mut size) = (0, 0);
    for position in games(name, 30, 4).iter().flatten() {
        let value = linear.evaluate(position);
        error += (learned.evaluate(position) - value).abs();
        size += value.abs();
    }
    assert!(error * 2 < size, "off by {error} of {size}");
    let shown = show(name, &out);
    assert!(shown.contains("network for swda: 9216 features, 2 x 128 hidden neurons"), "{shown}");
    assert!(
        shown.contains("A network, fitted by `garrison tune --network --hidden 128"),
        "{shown}"
    );
}

/// What `tune --show` prints of an evaluation file.
fn show(name: &str, file: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garrison"));
    command.args(["tune", "--show", name, "--start"]).arg(file);
    let done = command.output().expect("the program runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

#[test]
fn networks_have_the_size_that_is_asked_for() {
    let name = "shoogantshii";
    let variant = find(name).expect("a built-in game");
    let data = path("sizes.txt");
    let mut linear = Evaluation::new(&variant).linear;
    std::fs::write(&data, judged(name, 40, &mut linear)).expect("written");
    let train = |out: &Path, hidden: &str, more: &[&str]| {
        let args = ["--network", "--epochs", "1", "--hidden", hidden];
        tune(&data, &out.to_path_buf(), &[&args[..], more].concat())
    };
    for hidden in ["16", "48", "512"] {
        // Without weights beside it, a network comes with those that ship.
        let out = path(&format!("size-{hidden}.nnue"));
        let done = train(&out, hidden, &[]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let mut network = written(&out).evaluation(&variant).expect("a good network");
        assert!(network.has_network());
        let values: std::collections::BTreeSet<i32> =
            games(name, 2, 4).iter().flatten().map(|position| network.evaluate(position)).collect();
        assert!(values.len() > 20, "{values:?}");
    }
    // Where a network ships, a new one is begun all the same.
    let swda = path("sizes-swda.txt");
    let mut linear = Evaluation::new(&find("swda-oo").expect("a built-in game")).linear;
    std::fs::write(&swda, judged("swda-oo", 20, &mut linear)).expect("written");
    let args = ["--network", "--epochs", "1", "--hidden", "16"];
    let done = tune(&swda, &path("size-swda.nnue"), &args);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let [small, other] = ["size-16.nnue", "size-other.nnue"].map(path);
    let start = small.to_str().expect("a path");
    for (hidden, wrong) in [("100", "100"), ("8", "16 to 512"), ("32", "has 16 neurons")] {
        let done = train(&other, hidden, &["--start", start]);
        let fault = String::from_utf8(done.stderr).expect("UTF-8");
        assert_eq!(done.status.code(), Some(2), "{fault}");
        assert!(fault.contains(wrong), "{fault}");
    }
    assert!(!other.exists());
}

/// The validation losses before the first epoch and after the last, as `tune` prints them.
fn losses(done: &Output) -> [f64; 2] {
    let text = String::from_utf8_lossy(&done.stdout);
    let line = text.lines().find(|line| line.starts_with("validation loss")).expect("the losses");
    let numbers: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().expect("two losses")
}

#[test]
fn the_training_of_a_network_can_go_on() {
    let name = "swda-oo";
    let mut linear = Evaluation::new(&find(name).expect("a built-in game")).linear;
    let [data, out, more] = ["go-on.txt", "begun.toml", "gone-on.toml"].map(path);
    std::fs::write(&data, judged(name, 300, &mut linear)).expect("written");
    let args = ["--network", "--blend", "0", "--epochs", "20"];
    let begun = losses(&tune(&data, &out, &args));
    let start = out.to_str().expect("a path");
    let gone_on = losses(&tune(&data, &more, &[&args[..], &["--start", start]].concat()));
    // It begins where the other ended, which knew the linear evaluation that judged these positions from the start.
    assert!((gone_on[0] - begun[1]).abs() < 0.002, "{begun:?} {gone_on:?}");
    assert!(gone_on[1] < gone_on[0] + 0.002, "{begun:?} {gone_on:?}");
}

#[test]
fn files_that_cannot_be_written_are_refused_before_the_fit() {
    let data = path("unwritable.txt");
    std::fs::write(
        &data,
        judged("shatranj", 3, &mut Evaluation::new(&find("shatranj").expect("a game"))),
    )
    .expect("written");
    let folder = path("a-folder");
    std::fs::create_dir_all(&folder).expect("a folder");
    let svg = path("no-such-folder/loss.svg");
    for (out, more, fault) in [
        (&data, vec![], "exists and holds no evaluation"),
        (&folder, vec![], "is a folder"),
        (&path("no-such-folder/x.toml"), vec![], "No such file"),
        (&path("x.toml"), vec!["--svg", svg.to_str().expect("a path")], "No such file"),
        (
            &path("x.toml"),
            vec!["--svg", data.to_str().expect("a path")],
            "is the file of --svg and of --data",
        ),
    ] {
        let before = std::fs::read(&data).expect("a file");
        let done = tune(&data, out, &more);
        let line = String::from_utf8(done.stderr).expect("UTF-8");
        assert_eq!((done.status.code(), done.stdout.len()), (Some(2), 0), "{line}");
        assert!(line.contains(fault) && line.lines().count() == 1, "{line}");
        assert_eq!(std::fs::read(&data).expect("a file"), before, "{line}");
    }
}
