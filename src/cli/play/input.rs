//! Lines from a person: edited at a terminal, with history and completion; plain from anything else.

use std::io::{BufRead, IsTerminal};

use rustyline::completion::Completer;
use rustyline::config::{BellStyle, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

use crate::cli::print;

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the end of a file.
    End,
}

pub(super) struct Input {
    /// At a terminal.
    editor: Option<Editor<Words, MemHistory>>,
    /// Whether a person types, so that there is a prompt.
    has_prompt: bool,
}

impl Input {
    /// Lines of standard input.
    pub fn new() -> Input {
        let has_prompt = std::io::stdin().is_terminal();
        let edits = has_prompt && std::io::stdout().is_terminal();
        Input { editor: edits.then(editor).flatten(), has_prompt }
    }

    /// Whether a person sits at a terminal, who can be asked.
    pub fn is_conversation(&self) -> bool {
        self.editor.is_some()
    }

    /// A line behind a prompt; `words` are completed.
    pub fn read(&mut self, prompt: &str, words: Vec<String>) -> Line {
        let has_history = !words.is_empty();
        let Some(editor) = &mut self.editor else {
            if self.has_prompt {
                print(prompt);
            }
            return plain_line();
        };
        editor.set_helper(Some(Words(words)));
        match editor.readline(prompt) {
            Ok(text) => {
                if has_history && !text.trim().is_empty() {
                    // A line that cannot be remembered is still carried out.
                    let _ = editor.add_history_entry(text.trim());
                }
                Line::Text(text)
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Line::Interrupt,
            Err(_) => Line::End,
        }
    }

    /// The answer to a question, if a person can be asked.
    pub fn ask(&mut self, question: &str) -> Option<Line> {
        self.is_conversation().then(|| self.read(question, Vec::new()))
    }

    /// A line that is not shown while it is typed.
    pub fn read_hidden(&mut self, prompt: &str) -> Line {
        let shows = self.has_prompt;
        let line = without_echo(|| {
            if shows {
                print(prompt);
            }
            plain_line()
        });
        if shows {
            print("\n");
        }
        line
    }
}

fn editor() -> Option<Editor<Words, MemHistory>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .bell_style(BellStyle::None)
        // A signal may end the program in the midst of a line, and this mode would stay.
        .bracketed_paste(false)
        .build();
    let history = MemHistory::with_config(&config);
    Editor::with_history(config, history).ok()
}

fn plain_line() -> Line {
    let mut line = Vec::new();
    match std::io::stdin().lock().read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => Line::End,
        Ok(_) => Line::Text(String::from_utf8_lossy(&line).into_owned()),
    }
}

/// Reads something from a terminal that does not show it.
#[cfg(unix)]
fn without_echo(read: impl FnOnce() -> Line) -> Line {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let Ok(before) = tcgetattr(std::io::stdin()) else { return read() };
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    let is_silent = tcsetattr(std::io::stdin(), OptionalActions::Flush, &silent).is_ok();
    let line = read();
    if is_silent {
        // If it fails, the person sees it; nothing else can be done.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &before);
    }
    line
}

#[cfg(not(unix))]
fn without_echo(read: impl FnOnce() -> Line) -> Line {
    read()
}

/// The words that complete what is typed: commands and legal moves.
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..at];
        let found = self.0.iter().filter(|word| word.starts_with(typed)).cloned().collect();
        Ok((0, found))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
