//! The game on disk: kept after every move, so that nothing is lost however the program ends, and saved as PGN.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Side;
use crate::cli::CommandError;
use crate::files::{fault_in, read_text, write_whole};
use crate::player::Strength;
use crate::record::{GameRecord, pgn};
use garrison_rules::{GameResult, PerColor};

/// The most bytes that are read of a file with games.
const MOST_BYTES: u64 = 64 << 20;
/// So many unfinished games are kept; of more, the oldest go.
const MOST_KEPT: usize = 20;

/// What a kept game knows beside its moves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings {
    pub side: Option<Side>,
    pub strength: Option<Strength>,
    /// The time that each side has used.
    pub used: PerColor<Duration>,
}

/// The tags of a kept game that a saved one does not have.
const SIDE: &str = "PlaySide";
const LEVEL: &str = "PlayLevel";
const TIME: &str = "PlayTime";
const USED: &str = "PlayClock";

impl Settings {
    /// Writes them into the tags of a game.
    pub fn write(&self, record: &mut GameRecord) {
        if let Some(side) = self.side {
            record.set_tag(SIDE, side.name());
        }
        match self.strength {
            Some(Strength::Level(level)) => record.set_tag(LEVEL, &level.to_string()),
            Some(Strength::Time(time)) => record.set_tag(TIME, &time.as_millis().to_string()),
            None => {}
        }
        let [white, black] = self.used.0.map(|time| time.as_millis());
        record.set_tag(USED, &format!("{white} {black}"));
    }

    /// Takes them out of the tags of a game; what is not there, or is none, stays open.
    pub fn take(record: &mut GameRecord) -> Settings {
        let mut take = |name: &str| {
            let at = record.tags.iter().position(|(tag, _)| tag == name)?;
            Some(record.tags.remove(at).1)
        };
        let side = take(SIDE).and_then(|name| Side::named(&name));
        let level = take(LEVEL).and_then(|text| text.parse().ok()).map(Strength::Level);
        let milliseconds = |text: &str| text.parse().ok().map(Duration::from_millis);
        let time = take(TIME).and_then(|text| milliseconds(&text)).map(Strength::Time);
        let used = take(USED).unwrap_or_default();
        let mut times = used.split(' ').map(|text| milliseconds(text).unwrap_or_default());
        let mut next = || times.next().unwrap_or_default();
        Settings { side, strength: time.or(level), used: PerColor([next(), next()]) }
    }
}

/// The file in which the game of this session is kept.
#[derive(Debug)]
pub(super) struct Keeper {
    /// None if there is no folder for it.
    path: Option<PathBuf>,
    is_kept: bool,
    has_failed: bool,
}

impl Keeper {
    pub fn new() -> Keeper {
        let path = folder().map(|folder| folder.join(new_name()));
        Keeper { path, is_kept: false, has_failed: false }
    }

    /// Whether the game as it was last is in the file.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Keeps a game. The first time that this fails, the reason is returned.
    pub fn keep(&mut self, record: &GameRecord) -> Option<String> {
        let kept = self.write(record.to_pgn().as_bytes());
        self.is_kept = kept.is_ok();
        let fault = kept.err().filter(|_| !self.has_failed)?;
        self.has_failed = true;
        Some(format!("this game is not kept for --resume: {fault}"))
    }

    fn write(&self, bytes: &[u8]) -> Result<(), String> {
        let path = self.path.as_ref().ok_or("neither XDG_STATE_HOME nor HOME is set")?;
        let folder = path.parent().unwrap_or(Path::new("."));
        if !self.is_kept {
            std::fs::create_dir_all(folder).map_err(|error| fault_in(folder, &error))?;
            prune(folder);
        }
        write_whole(path, bytes).map_err(|error| fault_in(path, &error))
    }

    /// Removes the kept game.
    pub fn discard(&mut self) {
        if let Some(path) = self.path.as_ref().filter(|_| self.is_kept) {
            // A game that stays is offered again, no more.
            let _ = std::fs::remove_file(path);
        }
        self.is_kept = false;
    }

    /// The unfinished game that was kept last and that nobody plays now. It is this session's from then on.
    pub fn take_last(&mut self) -> Result<GameRecord, CommandError> {
        let none = "there is no game to go on with";
        let folder = folder().ok_or(none)?;
        let mut unread = None;
        for path in kept_games(&folder).into_iter().rev() {
            if self.path.as_ref() == Some(&path) || is_played(&path) {
                continue;
            }
            match read_games(&path, None) {
                Ok(mut games) => {
                    let Some(game) = games.pop() else { continue };
                    if game.result == GameResult::Unknown && self.claim(&folder, &path) {
                        return Ok(game);
                    }
                }
                Err(fault) => unread = unread.or(Some(fault)),
            }
        }
        Err(unread.unwrap_or_else(|| none.into()))
    }

    /// Makes a kept game that of this session; only one session can.
    fn claim(&mut self, folder: &Path, path: &Path) -> bool {
        let own = folder.join(new_name());
        let is_own = std::fs::rename(path, &own).is_ok();
        if is_own {
            *self = Keeper { path: Some(own), is_kept: true, has_failed: false };
        }
        is_own
    }
}

/// The folder of kept games: `$XDG_STATE_HOME/garrison/play`, by default in `~/.local/state`
/// (<https://specifications.freedesktop.org/basedir-spec>).
fn folder() -> Option<PathBuf> {
    let path = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = path("XDG_STATE_HOME").or_else(|| Some(path("HOME")?.join(".local/state")))?;
    Some(state.join("garrison/play"))
}

/// A name that no other file has: the time in milliseconds, a number within the process, and the process.
fn new_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{:015}-{number}-{}.pgn", now.as_millis(), std::process::id())
}

/// The kept games of a folder, the one kept last at the end.
fn kept_games(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut games: Vec<(SystemTime, PathBuf)> = entries
        .filter(|entry| entry.path().extension().is_some_and(|name| name == "pgn"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    games.sort();
    games.into_iter().map(|(_, path)| path).collect()
}

/// Removes the oldest games that nobody plays, if there are too many.
fn prune(folder: &Path) {
    let games = kept_games(folder);
    let too_many = (games.len() + 1).saturating_sub(MOST_KEPT);
    for path in games.iter().take(too_many).filter(|path| !is_played(path)) {
        // What cannot be removed stays.
        let _ = std::fs::remove_file(path);
    }
}

/// Whether the process whose game this is still runs, and is not this one.
fn is_played(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let process = name.rsplit('-').next().and_then(|text| text.parse::<u32>().ok());
    process.is_some_and(|process| process != std::process::id() && runs(process))
}

/// Whether a process runs that is this program: its number may have gone to another one, after a restart of the machine
/// for example.
#[cfg(unix)]
fn runs(process: u32) -> bool {
    let name = |process: &str| std::fs::read_to_string(format!("/proc/{process}/comm")).ok();
    if let Some(own) = name("self") {
        return name(&process.to_string()) == Some(own);
    }
    use rustix::process::{Pid, test_kill_process};
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    process.is_some_and(|process| test_kill_process(process) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn runs(_: u32) -> bool {
    false
}

/// The games of a file. Those without the tag `Variant` are of `variant`.
fn read_games(path: &Path, variant: Option<&str>) -> Result<Vec<GameRecord>, CommandError> {
    let text = read_text(path, MOST_BYTES).map_err(|fault| fault_in(path, &fault))?;
    let games: Result<Vec<GameRecord>, _> = pgn::read_with(&text, variant).into_iter().collect();
    Ok(games.map_err(|fault| fault_in(path, &fault))?)
}

/// The game with this number, from 1, or the last one of a PGN file. A faulty game beside it does not matter.
pub(super) fn read_game(
    path: &Path,
    number: Option<usize>,
    variant: Option<&str>,
) -> Result<GameRecord, CommandError> {
    let text = read_text(path, MOST_BYTES).map_err(|fault| fault_in(path, &fault))?;
    let mut games = pgn::read_with(&text, variant);
    let (count, number) = (games.len(), number.unwrap_or(games.len()));
    if count == 0 {
        return Err(fault_in(path, &"there is no game in it").into());
    }
    if number == 0 || number > count {
        let fault = format!("there is no game {number}; it has {count}");
        return Err(fault_in(path, &fault).into());
    }
    Ok(games.swap_remove(number - 1).map_err(|fault| fault_in(path, &fault))?)
}

/// Today, as PGN has it.
pub(super) fn today() -> String {
    jiff::Zoned::now().strftime("%Y.%m.%d").to_string()
}
