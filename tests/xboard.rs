//! The program in a real XBoard, on a screen without a monitor: `bench/xboard/run` plays with the mouse and
//! checks what XBoard shows and writes. Where XBoard or what drives it is missing, this says so and tries
//! nothing.

use std::env;
use std::path::Path;
use std::process::Command;

/// What the script needs, besides itself.
const TOOLS: [&str; 6] = ["python3", "xboard", "Xvfb", "xdotool", "import", "montage"];

/// Where Debian puts games, which is not on every path.
const GAMES: &str = "/usr/games";

fn missing() -> Vec<&'static str> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = env::split_paths(&path).chain([GAMES.into()]).collect();
    let there = |tool: &&str| folders.iter().any(|folder| folder.join(tool).is_file());
    TOOLS.into_iter().filter(|tool| !there(tool)).collect()
}

/// Runs the script; its pictures, logs and games go to a folder of this name.
fn drive(folder: &str, arguments: &[&str]) {
    let missing = missing();
    if !missing.is_empty() {
        eprintln!("skipped: not installed: {}", missing.join(", "));
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/xboard/run");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let done = Command::new("python3")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_garrison"))
        .args(arguments)
        .arg("--out")
        .arg(&out)
        // The pictures of the pieces.
        .env("XDG_CACHE_HOME", &out)
        .output()
        .expect("python3 starts");
    let output = [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(done.status.success(), "{}{}", output[0], output[1]);
    print!("{}", output[0]);
}

#[test]
fn a_few_moves_in_xboard() {
    drive("xboard", &["--game", "swda-op", "--moves", "3", "--short"]);
}

#[test]
#[ignore = "a minute, on a busy machine several"]
fn every_game_in_xboard_and_two_machines() {
    drive("xboard-long", &[]);
}
