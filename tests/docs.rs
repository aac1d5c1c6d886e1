//! The examples of README.md, protocol.md and docs: what a ```` ```console ```` block shows behind `$ ` is run, and must
//! print what is pasted; what a ```` ```sh ```` block shows, and the examples of `--help`, must be commands and options
//! that exist. CONTRIBUTING.md says how a block is written.
//!
//! `GARRISON_DOCS=write cargo test --release --test docs` pastes what is printed now.

#![cfg(unix)]

#[path = "docs/blocks.rs"]
mod blocks;
#[path = "docs/compare.rs"]
mod compare;
#[path = "docs/console.rs"]
mod console;

use std::path::{Path, PathBuf};
use std::thread;

use blocks::{Example, blocks, examples, typed};
use compare::{matches, renewed};
use console::Console;

/// The files with examples.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).expect("docs").flatten();
    let mut all: Vec<PathBuf> = docs.map(|entry| entry.path()).collect();
    all.extend(["README.md", "protocol.md"].map(|name| root.join(name)));
    all.retain(|path| path.extension().is_some_and(|end| end == "md"));
    all.sort();
    all
}

fn read(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a document");
    text.lines().map(String::from).collect()
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The lines of a text, without empty ones at its end.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// The lines that a command printed, without the root move at which a search is: that comes after a second, which an
/// example takes on a loaded machine alone.
fn printed(output: &str) -> Vec<&str> {
    let is_current_move = |line: &str| line.starts_with("info ") && line.contains(" currmove ");
    lines(output).into_iter().filter(|line| !is_current_move(line)).collect()
}

/// Runs an example: what is wrong with it.
fn check(console: &Console, example: &Example, pasted: &[String]) -> Result<(), String> {
    let input: String =
        pasted.iter().filter_map(|line| typed(line)).map(|text| format!("{text}\n")).collect();
    let pattern: Vec<&str> =
        pasted.iter().filter(|line| typed(line).is_none()).map(String::as_str).collect();
    let (output, status) = console.run(&example.command, &input);
    // A command that fails must say so, unless what it says is not wanted.
    let is_silent = example.command.contains("2>");
    let is_error =
        |line: &str| line.starts_with("garrison: ") && !line.starts_with("garrison: warning");
    let shows_error = lines(&output).into_iter().any(is_error);
    if status != Some(0) && !shows_error && !is_silent {
        return Err(format!("status {status:?} after\n{output}"));
    }
    if matches(&lines(&pattern.join("\n")), &printed(&output)) { Ok(()) } else { Err(output) }
}

/// What is to be pasted behind a command. Where each line is typed is found by running it with fewer lines: what two
/// runs print alike comes before the line that one of them lacks.
fn paste(console: &Console, example: &Example, pasted: &[String]) -> Vec<String> {
    let inputs: Vec<&str> = pasted.iter().filter_map(|line| typed(line)).collect();
    let outputs: Vec<String> = (0..=inputs.len())
        .map(|count| {
            let input: String = inputs[..count].iter().map(|line| format!("{line}\n")).collect();
            console.run(&example.command, &input).0
        })
        .collect();
    let mut sections = pasted.split(|line| typed(line).is_some());
    let mut prompts = pasted.iter().filter(|line| typed(line).is_some());
    let (mut result, mut start) = (Vec::new(), 0);
    for (count, output) in outputs.iter().enumerate() {
        let all = printed(output);
        let alike =
            |next: &String| all.iter().zip(printed(next)).take_while(|(a, b)| **a == *b).count();
        let mut end = outputs.get(count + 1).map_or(all.len(), alike).max(start);
        let old: Vec<&str> = sections.next().unwrap_or(&[]).iter().map(String::as_str).collect();
        // The end of the input is answered like `quit`: then only the old text says what comes before it.
        let is_silent = outputs.get(count + 1).is_some_and(|next| next == output);
        if is_silent && all.get(start..start + old.len()).is_some_and(|lines| matches(&old, lines))
        {
            end = start + old.len();
        }
        result.extend(renewed(&old, &all[start.min(end)..end]));
        result.extend(prompts.next().cloned());
        start = end;
    }
    result
}

/// Runs the examples of a file, or pastes their outputs; reports what differs.
fn run_document(path: &Path, write: bool) -> Vec<String> {
    let mut text = read(path);
    let console = Console::new(&name(path));
    let mut faults = Vec::new();
    let mut pastes: Vec<(std::ops::Range<usize>, Vec<String>)> = Vec::new();
    for block in blocks(&text) {
        if let [language, file] = block.info.as_slice()
            && Path::new(file).extension().is_some_and(|end| *end == **language)
        {
            console.write(file, &(text[block.lines.clone()].join("\n") + "\n"));
        }
        if block.info.first().is_none_or(|language| language != "console") {
            continue;
        }
        for example in examples(&text, &block) {
            let pasted = &text[example.pasted.clone()];
            if write {
                pastes.push((example.pasted.clone(), paste(&console, &example, pasted)));
            } else if let Err(output) = check(&console, &example, pasted) {
                let line = example.pasted.start;
                let command = &example.command;
                faults.push(format!("{}:{line}: $ {command}\n{output}", path.display()));
            }
        }
    }
    for (range, lines) in pastes.into_iter().rev() {
        text.splice(range, lines);
    }
    if write {
        std::fs::write(path, text.join("\n") + "\n").expect("written");
    }
    faults
}

#[test]
fn examples_print_what_is_pasted() {
    let write = std::env::var("GARRISON_DOCS").is_ok_and(|what| what == "write");
    let run = |path: PathBuf| thread::spawn(move || run_document(&path, write));
    let running: Vec<_> = documents().into_iter().map(run).collect();
    let faults: Vec<String> =
        running.into_iter().flat_map(|document| document.join().expect("a document")).collect();
    assert!(
        faults.is_empty(),
        "{} examples print something else; GARRISON_DOCS=write pastes it:\n\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

#[test]
fn there_are_examples() {
    let count = |path: &PathBuf| {
        let text = read(path);
        let consoles = blocks(&text)
            .into_iter()
            .filter(|block| block.info.first().is_some_and(|l| l == "console"));
        consoles.map(|block| examples(&text, &block).len()).sum::<usize>()
    };
    let all: usize = documents().iter().map(count).sum();
    assert!(all >= 15, "{all}");
}

/// Takes the place of the program: reads the options, does nothing, and notes what is wrong with them. The last option,
/// `--help`, ends the program once all others are read.
const ONLY_READ: &str = r#"#!/bin/bash
echo >>"$HOME/count"
case "$1" in "" | --help | --version | help) exit ;; esac
for word; do [ "$word" = -- ] && break; words+=("$word"); done
"$PROGRAM" "${words[@]}" --help >/dev/null 2>"$HOME/fault" || { echo "garrison $*"; cat "$HOME/fault"; } >>"$HOME/faults"
"#;

/// What is wrong with the options of these commands, of which as many must be of this program.
fn options_of(name: &str, script: &str, least: usize) -> String {
    let program = format!("PROGRAM='{}'", env!("CARGO_BIN_EXE_garrison"));
    let console =
        Console::with_script(name, &ONLY_READ.replacen('\n', &format!("\n{program}\n"), 1));
    // Another program in a pipe need not be there.
    console.run(&format!("command_not_found_handle() {{ :; }}\n{script}"), "");
    let count = console.read("count").lines().count();
    let faults = console.read("faults");
    if count < least {
        format!("{faults}only {count} of {least} commands were read")
    } else {
        faults
    }
}

#[test]
fn commands_that_are_shown_exist() {
    for path in documents() {
        let text = read(&path);
        let shown = blocks(&text).into_iter().filter(|block| block.info == ["sh"]);
        let lines: Vec<&str> =
            shown.flat_map(|block| block.lines).map(|index| text[index].as_str()).collect();
        let text = lines.join("\n").replace("\\\n", " ");
        // Other programs are not run, and what is left out cannot be read.
        let is_ours = |line: &&str| {
            (line.starts_with("garrison ") || line.contains("| garrison ")) && !line.contains('…')
        };
        let lines: Vec<&str> = text.lines().filter(is_ours).collect();
        let least = lines.len();
        let faults = options_of(&format!("sh-{}", name(&path)), &lines.join("\n"), least);
        assert!(faults.is_empty(), "{}: {faults}", path.display());
    }
}

#[test]
fn examples_of_help_exist() {
    let console = Console::new("help");
    // As man pages have them: `--help` breaks long lines.
    let (pages, _) = console.run("garrison man pages && cat pages/*", "");
    let pages = pages.replace("\\-", "-").replace("\\*(Aq", "'").replace("\\\\", "\\");
    let (mut script, mut least) = (String::new(), 0);
    for page in pages.split("\n.SH EXAMPLES\n").skip(1) {
        let examples = page.split("\n.SH ").next().unwrap_or("").lines().map(str::trim);
        for line in examples.skip_while(|line| !line.starts_with("Examples:")).skip(1) {
            // What the example does stands behind it.
            let line = line.split("  ").next().unwrap_or("");
            if !line.ends_with(':') && !line.contains("COMMAND") {
                script += &format!("{line}\n");
                least += usize::from(line.starts_with("garrison "));
            }
        }
    }
    assert!(least > 20, "{script}");
    let faults = options_of("help-options", &script, least);
    assert!(faults.is_empty(), "{faults}\n{script}");
}
