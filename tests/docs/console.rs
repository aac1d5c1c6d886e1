//! A folder in which the examples of a file are run, one after the other, by bash.

use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The folder of the repository.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A folder in which commands are run; what they write there stays there.
pub struct Console {
    folder: PathBuf,
    /// The folder of the program that is called `garrison`.
    programs: PathBuf,
}

impl Console {
    /// With the program and the files of the repository.
    pub fn new(name: &str) -> Console {
        let program = Path::new(env!("CARGO_BIN_EXE_garrison"));
        let console = Console::with(name, program.parent().expect("a folder").to_path_buf());
        for entry in std::fs::read_dir(ROOT).expect("the repository").flatten() {
            let name = entry.file_name();
            if name != "target" && name != ".git" {
                symlink(entry.path(), console.folder.join(name)).expect("a link");
            }
        }
        console
    }

    /// Empty, and with a script in place of the program.
    pub fn with_script(name: &str, script: &str) -> Console {
        let programs =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(format!("{name}.bin"));
        std::fs::create_dir_all(&programs).expect("a folder");
        let file = programs.join("garrison");
        std::fs::write(&file, script).expect("written");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("may run");
        Console::with(name, programs)
    }

    fn with(name: &str, programs: PathBuf) -> Console {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        for below in [
            ".local/share/bash-completion/completions",
            ".local/share/man/man1",
            ".config/fish/completions",
            ".zfunc",
        ] {
            std::fs::create_dir_all(folder.join(below)).expect("a folder");
        }
        Console { folder, programs }
    }

    /// Writes a file that the text shows.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("written");
    }

    /// The text of a file that was written here.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }

    /// What a command prints, both outputs in one as at a terminal, and its status.
    pub fn run(&self, command: &str, input: &str) -> (String, Option<i32>) {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut child = Command::new("bash")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", self.programs.display()))
            .env("HOME", &self.folder)
            .env("COLUMNS", "80")
            .env_remove("XDG_STATE_HOME")
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_string();
        // A command that reads nothing may end before all is written.
        let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
        let done = child.wait_with_output().expect("output");
        let _ = writer.join();
        (String::from_utf8(done.stdout).expect("UTF-8"), done.status.code())
    }
}
