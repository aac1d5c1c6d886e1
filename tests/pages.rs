//! What the program writes for shells and for `man`: completions that know the games, pages that refer to pages there are.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

fn garrison(arguments: &[&str]) -> Output {
    let done = Command::new(env!("CARGO_BIN_EXE_garrison")).args(arguments).output();
    let done = done.expect("the program runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    done
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(garrison(arguments).stdout).expect("UTF-8")
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What bash offers behind these words of a command line.
#[cfg(unix)]
fn bash_offers(script: &str, words: &[&str]) -> Vec<String> {
    let file = path("completions.bash");
    std::fs::write(&file, script).expect("written");
    let ask = r#"
        source "$1"; shift
        COMP_WORDS=(garrison "$@"); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
        _garrison garrison "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash = Command::new("bash");
    let done = bash.args(["-c", ask, "bash"]).arg(&file).args(words).output().expect("bash");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8").lines().map(String::from).collect()
}

#[test]
#[cfg(unix)]
fn bash_completes_the_names_of_games() {
    let script = text(&["completions", "bash"]);
    let offers = |words: &[&str]| bash_offers(&script, words);
    for command in ["play", "analyze", "perft", "openings", "selfplay", "xboard", "match"] {
        assert_eq!(offers(&[command, "--variant", "shor"]), ["shoranji", "shoranji-maximus"]);
    }
    let armies = offers(&["play", "--variant", "swda-"]);
    assert!(armies.len() >= 16 && armies.contains(&"swda-jp".to_string()), "{armies:?}");
    assert!(offers(&["match", "--variant", "al"]).contains(&"all".to_string()));
    assert_eq!(offers(&["variants", "show", "chessto"]), ["chesstonia"]);
    assert_eq!(offers(&["tune", "--show", "xian"]), ["xiangqi"]);
    // What is no game is completed as before.
    assert_eq!(offers(&["variants", "sh"]), ["show"]);
}

#[test]
fn every_shell_knows_the_games_and_help_does_not_list_them() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&["completions", shell]);
        // The scripts of these two complete no values of options.
        let known = script.contains("swda-jp") && script.contains("shoranji-maximus");
        assert!(known || ["elvish", "powershell"].contains(&shell), "{shell}");
    }
    for command in ["play", "analyze", "match"] {
        assert!(!text(&[command, "--help"]).contains("swda-jp"), "{command}");
    }
}

#[test]
fn completions_know_games_of_ones_own() {
    let own = path("own-hook.toml");
    let definition = r#"
name = "hook"
board = { files = 5, ranks = 6 }
start = "rnkbr/ppppp/5/5/PPPPP/RNKBR w - - 0 1"
royalty = { piece = "K" }
[pieces]
K = { betza = "K" }
R = { betza = "R" }
N = { betza = "N" }
B = { betza = "B" }
P = { betza = "mfWcfF", promotion = { zone = "last", to = "R", forced = "last" } }
"#;
    std::fs::write(&own, definition).expect("written");
    let own = own.to_str().expect("a path");
    assert!(text(&["--variants", own, "completions", "fish"]).contains("hook"));
    assert!(!text(&["completions", "fish"]).contains("hook"));
    // And a game that the completions do not know is played.
    let done = garrison(&["perft", "--variants", own, "--variant", "hook", "1"]);
    assert!(!done.stdout.is_empty());
}

/// The pages that a page refers to, as NAME.1.
fn references(page: &str) -> BTreeSet<String> {
    let plain = page.replace("\\-", "-").replace("\\fB", " ").replace("\\fR", "");
    let words = plain.split(|c: char| !(c.is_alphanumeric() || "-()".contains(c)));
    words
        .filter_map(|word| word.strip_suffix("(1)"))
        .map(|name| format!("{}.1", name.trim_start_matches('(')))
        .collect()
}

#[test]
fn pages_refer_to_pages_that_are_there() {
    let folder = path("pages");
    let _ = std::fs::remove_dir_all(&folder);
    garrison(&["man", folder.to_str().expect("a path")]);
    let entries = std::fs::read_dir(&folder).expect("a folder").flatten();
    let files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let there: BTreeSet<String> = files.iter().map(name).collect();
    let mut referred = BTreeSet::from(["garrison.1".to_string()]);
    for file in &files {
        let page = std::fs::read_to_string(file).expect("a page");
        let found = references(&page);
        assert!(found.is_subset(&there), "{}: {found:?}", file.display());
        assert!(page.contains("\n.SH SEE ALSO\n"), "{}", file.display());
        referred.extend(found);
    }
    // And each is referred to.
    assert_eq!(referred, there);
    let single = text(&["man"]);
    assert!(references(&single).is_subset(&there), "{:?}", references(&single));
    assert!(single.contains("garrison man"));
}
