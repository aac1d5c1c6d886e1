//! Runs the program under a shell: with limits, devices, small disks and signals.

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// After so long a run hangs; none takes a hundredth of it on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A folder of its own, empty at first.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect(name)
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect(name)
    }

    /// The names of the files in it, in order.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("UTF-8");
        let mut names: Vec<String> = entries.flatten().map(name).collect();
        names.sort();
        names
    }
}

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// As a shell has it: 128 and the number of the signal that ended it.
    pub status: i32,
    pub out: String,
    pub error: String,
}

impl Run {
    /// What it complains of on standard error. Warnings and reports are no complaints.
    pub fn complaints(&self) -> impl Iterator<Item = &str> {
        let own = self.error.lines().filter_map(|line| line.strip_prefix("garrison: "));
        own.filter(|line| !line.starts_with("warning: "))
    }

    /// The first complaint.
    pub fn line(&self) -> &str {
        self.complaints().next().unwrap_or_default()
    }

    /// Whether it ended well without a word of complaint, or badly with one line, its last.
    pub fn is_orderly(&self) -> bool {
        let last = self.error.lines().last().unwrap_or_default();
        let is_last = last == format!("garrison: {}", self.line());
        match self.complaints().count() {
            0 => self.status == 0,
            1 => self.status == 2 && is_last,
            _ => false,
        }
    }
}

/// The signals that end commands: SIGHUP, SIGINT and SIGTERM.
const ENDING: [u32; 3] = [1, 2, 15];

/// Begins a script in which `garrison` is the program. It ignores no signal, even if the tests do, as they are begun by
/// `nohup` or in the background of a script; no shell can undo that, but `env` of GNU can.
pub fn begin(folder: &Folder, script: &str) -> Child {
    let programs = Path::new(env!("CARGO_BIN_EXE_garrison")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let shell: &[&str] =
        if ENDING.into_iter().any(ignores) { &["env", "--default-signal", "sh"] } else { &["sh"] };
    Command::new(shell[0])
        .args(&shell[1..])
        .args(["-c", script])
        .current_dir(&folder.0)
        .env("PATH", format!("{}:{path}", programs.display()))
        .env("XDG_CACHE_HOME", folder.0.join("cache"))
        .env("XDG_STATE_HOME", folder.0.join("state"))
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell")
}

/// Runs a script to its end.
pub fn sh(folder: &Folder, script: &str) -> Run {
    end(begin(folder, script), script)
}

/// Waits for the end of a script.
pub fn end(mut child: Child, script: &str) -> Run {
    let out = child.stdout.take().map(collect);
    let error = child.stderr.take().map(collect);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("'{script}' does not end");
        }
        sleep(Duration::from_millis(2));
    };
    let text = |reader: Option<JoinHandle<String>>| {
        reader.map_or_else(String::new, |reader| reader.join().expect("a reader"))
    };
    let status = status.code().or(status.signal().map(|signal| 128 + signal)).expect("an end");
    Run { status, out: text(out), error: text(error) }
}

fn collect(mut source: impl Read + Send + 'static) -> JoinHandle<String> {
    spawn(move || {
        let mut bytes = Vec::new();
        let _ = source.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Runs a script of which nobody reads the output.
pub fn with_closed_pipe(folder: &Folder, script: &str) -> Run {
    let mut child = begin(folder, script);
    drop(child.stdout.take());
    end(child, script)
}

/// A script that runs with a disk of 64 KiB mounted at `small`, after `before`; then the files of that disk are
/// copied to `saved`. Where nothing may be mounted, no file may become longer than 64 KiB, or than nothing if `is_full`.
pub fn on_small_disk(before: &str, script: &str, is_full: bool) -> String {
    let fill = if is_full { "head -c 70000 /dev/zero > small/filler 2> /dev/null;" } else { "" };
    let after = "status=$?; rm -f small/filler; cp -r small saved; exit $status";
    if can_mount() {
        let inner = format!("{before}\n{fill} {script}\n{after}").replace('\'', r"'\''");
        format!(
            "rm -rf small saved; mkdir small; \
             unshare -rm sh -c 'mount -t tmpfs -o size=64k tmpfs small\n{inner}'"
        )
    } else {
        // In blocks of 512 bytes. A signal that is ignored is an error of the write.
        let most = if is_full { 0 } else { 128 };
        format!(
            "rm -rf small saved; mkdir small\n{before}\n\
             (trap '' XFSZ; ulimit -f {most}; {script})\n{after}"
        )
    }
}

/// Whether a disk may be mounted here.
pub fn can_mount() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        // So that a machine which may can be tried as one which may not.
        if std::env::var_os("GARRISON_NO_MOUNT").is_some() {
            return false;
        }
        let script = "mkdir -p small && unshare -rm mount -t tmpfs -o size=64k tmpfs small";
        sh(&Folder::new("mount"), script).status == 0
    })
}

/// Sends a signal by its name, as in `TERM`.
pub fn send(child: &Child, signal: &str) {
    let words = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &words]).status().expect("a shell").success());
}

/// Whether a program catches a signal.
pub fn catches(child: &Child, signal: u32) -> bool {
    has_signal(&child.id().to_string(), "SigCgt:", signal)
}

/// Whether this program ignores a signal, and so does whatever it begins.
fn ignores(signal: u32) -> bool {
    has_signal("self", "SigIgn:", signal)
}

/// Whether a signal is in one of the sets of a process.
fn has_signal(process: &str, set: &str, signal: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix(set));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal - 1)) != 0
}

/// Waits until something is so.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "never: {what}");
        sleep(Duration::from_millis(2));
    }
}
