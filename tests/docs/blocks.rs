//! The fenced blocks of a Markdown file, and the examples in those of consoles.

use std::ops::Range;

/// A fenced block.
pub struct Block {
    /// The words behind the fence, such as `console` or `toml hook.toml`.
    pub info: Vec<String>,
    /// The lines between the fences, by their indices in the file.
    pub lines: Range<usize>,
}

/// The blocks of a file.
pub fn blocks(lines: &[String]) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<(Vec<String>, usize)> = None;
    for (index, line) in lines.iter().enumerate() {
        let Some(info) = line.strip_prefix("```") else { continue };
        open = match open {
            Some((info, start)) => {
                found.push(Block { info, lines: start..index });
                None
            }
            None => Some((info.split_whitespace().map(String::from).collect(), index + 1)),
        };
    }
    assert!(open.is_none(), "a block has no end");
    found
}

/// A command of a console, and what is pasted behind it.
pub struct Example {
    /// The text for the shell.
    pub command: String,
    /// The lines behind the command, by their indices in the file.
    pub pasted: Range<usize>,
}

/// The examples of a console: `$ ` begins a command, `> ` right behind it goes on with it.
pub fn examples(lines: &[String], block: &Block) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut is_command = false;
    for index in block.lines.clone() {
        let line = &lines[index];
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(Example { command: command.to_string(), pasted: index + 1..index + 1 });
            is_command = true;
        } else if let (true, Some(more)) = (is_command, line.strip_prefix("> ")) {
            let example = found.last_mut().expect("a command");
            example.command += &format!("\n{more}");
            example.pasted = index + 1..index + 1;
        } else {
            is_command = false;
            let example = found.last_mut().expect("a console begins with a command");
            example.pasted.end = index + 1;
        }
    }
    found
}

/// What is typed at a line of a game: all behind the prompt.
pub fn typed(line: &str) -> Option<&str> {
    let (prompt, typed) = line.split_once("> ")?;
    ["White", "Black", ""].contains(&prompt).then_some(typed)
}
