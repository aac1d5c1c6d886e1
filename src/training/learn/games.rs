//! The games of a generation on disk: written game by game, so that a crash loses only what was not finished.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::fault::LearnError;
use crate::files::open_file;
use crate::training::sample::{self, Header, Line};
use crate::training::selfplay::Game;

/// A file of games that grows.
#[derive(Debug)]
pub(super) struct GameFile {
    file: File,
    path: PathBuf,
    /// The games in it.
    pub games: u64,
    /// The positions kept of them.
    pub positions: u64,
}

impl GameFile {
    /// Begins a file, or goes on with one of the same games. Its last game may be torn and is cut off.
    ///
    /// # Errors
    /// It cannot be read or written, or has other games.
    pub fn open(path: &Path, header: &Header) -> Result<GameFile, LearnError> {
        let unwritten = |error: std::io::Error| LearnError::unwritten(path, &error);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(unwritten)?;
        let first_line = format!("{header}\n");
        let length = file.metadata().map_err(unwritten)?.len();
        let whole =
            if length < first_line.len() as u64 { None } else { Some(Whole::of(path, header)?) };
        let Whole { end, games, positions } = whole.unwrap_or_default();
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(unwritten)?;
        if end == 0 {
            file.write_all(first_line.as_bytes()).map_err(unwritten)?;
        }
        Ok(GameFile { file, path: path.to_path_buf(), games, positions })
    }

    /// Writes the next game in one go.
    ///
    /// # Errors
    /// It cannot be written; what was there is kept.
    pub fn push(&mut self, game: &Game) -> Result<(), LearnError> {
        let mut text = format!("# game {}\n", game.number);
        for sample in &game.samples {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{sample}");
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| LearnError::unwritten(&self.path, &error))?;
        self.games += 1;
        self.positions += game.samples.len() as u64;
        Ok(())
    }
}

/// What is whole in a file: up to where, and how many games and positions.
#[derive(Debug, Default)]
struct Whole {
    end: u64,
    games: u64,
    positions: u64,
}

impl Whole {
    fn of(path: &Path, header: &Header) -> Result<Whole, LearnError> {
        let place = |fault: &dyn std::fmt::Display| LearnError::of(path, fault);
        let file = open_file(path).map_err(|error| place(&error))?;
        let (mut whole, mut since) = (Whole::default(), 0);
        let found = sample::read(file, |line, at| {
            match line {
                Line::Game(number) => {
                    whole =
                        Whole { end: at, games: number - 1, positions: whole.positions + since };
                    since = 0;
                }
                Line::Sample(_) => since += 1,
            }
            Ok(())
        });
        let found = found.map_err(|error| place(&error))?;
        // A newer program may go on with the games of an older one.
        if (Header { version: header.version.clone(), ..found.clone() }) != *header {
            return Err(place(&format!("has other games, '{found}'; it cannot be gone on with")));
        }
        if whole.end == 0 {
            // There is no game: what stands behind the first line is nothing.
            whole.end = format!("{found}\n").len() as u64;
        }
        Ok(whole)
    }
}

/// Reads the games of a file to learn from.
pub(super) fn learn_from<E: std::fmt::Display>(
    path: &Path,
    learn: impl FnOnce(BufReader<File>) -> Result<(), E>,
) -> Result<(), LearnError> {
    let refuse = |fault: &dyn std::fmt::Display| {
        LearnError::of(path, &format!("{fault}; delete it to go on without it"))
    };
    let file = open_file(path).map_err(|error| refuse(&error))?;
    learn(file).map_err(|error| refuse(&error))
}

/// The memory that a fit takes for each byte of its games, at most.
const MEMORY_OF_A_BYTE: u64 = 8;

/// The last of these files for whose games there is memory, the newest at least.
pub(super) fn with_room(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    let has_room = |paths: &[PathBuf]| {
        let bytes = paths.iter().map(size).sum::<u64>().saturating_mul(MEMORY_OF_A_BYTE);
        let mut room: Vec<u8> = Vec::new();
        usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok())
    };
    while paths.len() > 1 && !has_room(&paths) {
        paths.remove(0);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::sample::{Keep, Sample};

    #[test]
    fn a_torn_file_is_gone_on_with() {
        let name = format!("garrison-games-{}.txt", std::process::id());
        let path = std::env::temp_dir().join(name);
        let header = Header {
            seed: 1,
            nodes: 2,
            plies: 3,
            hash: 4,
            keep: Keep::Aside,
            version: "0".to_string(),
            evaluation: None,
            rescored: None,
            shard: None,
            others: Vec::new(),
            variants: vec!["chess".to_string()],
        };
        let fen = "chess|k7/8/8/8/8/8/8/K6R w - - 0 1|30|1";
        let samples = vec![fen.parse::<Sample>().expect("a position"); 2];
        let game = |number| Game { number, samples: samples.clone() };
        let _ = std::fs::remove_file(&path);
        let mut whole = GameFile::open(&path, &header).expect("a new file");
        for number in 1..=3 {
            whole.push(&game(number)).expect("room");
        }
        assert_eq!((whole.games, whole.positions), (3, 6));
        let text = std::fs::read(&path).expect("a file");
        for length in 0..=text.len() {
            std::fs::write(&path, &text[..length]).expect("a file");
            let mut file = GameFile::open(&path, &header).expect("the same games");
            assert_eq!(file.positions, 2 * file.games);
            while file.games < 3 {
                file.push(&game(file.games + 1)).expect("room");
            }
            assert_eq!(std::fs::read(&path).expect("a file"), text, "{length}");
        }
        let newer = Header { version: "9".to_string(), ..header.clone() };
        assert!(GameFile::open(&path, &newer).is_ok());
        let other = Header { seed: 2, ..header };
        let fault = GameFile::open(&path, &other).expect_err("other games").to_string();
        assert!(fault.contains("has other games"), "{fault}");
        std::fs::remove_file(&path).expect("it is gone");
    }
}
