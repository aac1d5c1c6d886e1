//! Files of self-play read game by game.

use std::io::BufRead;

use std::collections::VecDeque;

use super::data::{DataReader, Record, Torn};
use super::sample::{self, Cursor, Header, Line, LineError, Place, Sample, SampleError};
use super::selfplay::Game;
use crate::files::Lines;

/// The games of a file, text or packed, one by one, so that no more than one of them, or than a packed block, is in
/// memory. Nothing comes after an error.
pub struct Games<R> {
    source: Source<R>,
    header: Header,
    cursor: Cursor,
    torn: Option<Torn>,
    has_ended: bool,
}

enum Source<R> {
    Text {
        lines: Lines<R>,
        /// Lines read so far.
        number: usize,
        /// The number of the game whose positions come next.
        begun: Option<u64>,
    },
    Packed {
        reader: Box<DataReader<R>>,
        /// What is left of the last block: the numbers of games, and their records.
        block: VecDeque<(u64, Vec<Vec<u8>>)>,
        record: Record,
    },
}

impl<R: BufRead> Games<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// It is not that of such a file, or cannot be read.
    pub fn new(mut file: R) -> Result<Games<R>, LineError> {
        let (source, header) = if sample::is_packed(&mut file)? {
            let reader = sample::begin_packed(file)?;
            let header = reader.header().header.clone();
            let (block, record) = (VecDeque::new(), Record::default());
            (Source::Packed { reader: Box::new(reader), block, record }, header)
        } else {
            let (lines, header) = sample::begin_text(file)?;
            (Source::Text { lines, number: 1, begun: None }, header)
        };
        let cursor = Cursor::first(&header);
        Ok(Games { source, header, cursor, torn: None, has_ended: false })
    }

    /// Everything that the games depend on except their number.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What was left out at the end.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    fn read(&mut self) -> Result<Option<Game>, LineError> {
        let cursor = &mut self.cursor;
        match &mut self.source {
            Source::Text { lines, number, begun } => {
                let read = read_text(lines, number, begun, cursor)?;
                if read.is_none() && !lines.is_whole() {
                    self.torn = Some(Torn::Line);
                }
                Ok(read)
            }
            Source::Packed { reader, block, record } => {
                while block.is_empty() {
                    let read = reader.block(|_, number, records| {
                        block.push_back((number, records.map(<[u8]>::to_vec).collect()));
                        Ok::<(), SampleError>(())
                    });
                    let place = Place::Block(reader.blocks());
                    if !read.map_err(|error| LineError { place, error })? {
                        self.torn = reader.torn();
                        return Ok(None);
                    }
                }
                let game = block.pop_front().map(|(number, records)| {
                    cursor.check_game(number)?;
                    let sample = |packed: &Vec<u8>| {
                        let packing = reader.header().packing_of(packed)?;
                        packing.unpack(packed, record)?;
                        Ok::<Sample, SampleError>(packing.sample(record)?)
                    };
                    let samples = records.iter().map(sample).collect::<Result<_, _>>()?;
                    Ok(Game { number, samples })
                });
                let place = Place::Block(reader.blocks());
                game.transpose().map_err(|error| LineError { place, error })
            }
        }
    }
}

/// The next game of a text. At its end, and before a line in part, comes the game that was begun.
fn read_text<R: BufRead>(
    lines: &mut Lines<R>,
    number: &mut usize,
    begun: &mut Option<u64>,
    cursor: &mut Cursor,
) -> Result<Option<Game>, LineError> {
    let mut samples = Vec::new();
    // Behind a line in part there is nothing.
    while let Some(line) = lines.next() {
        *number += 1;
        let fault = |error| LineError { place: Place::Line(*number), error };
        let line = line.map_err(|error| fault(error.into()))?;
        if !lines.is_whole() {
            break;
        }
        match cursor.read_line(&String::from_utf8_lossy(&line)).map_err(fault)? {
            Line::Sample(sample) => samples.push(*sample),
            Line::Game(next) => {
                if let Some(whole) = begun.replace(next) {
                    return Ok(Some(Game { number: whole, samples }));
                }
            }
        }
    }
    Ok(begun.take().map(|number| Game { number, samples }))
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Game, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let game = self.read().transpose();
        self.has_ended = !matches!(game, Some(Ok(_)));
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "# garrison selfplay seed 7 nodes 20 plies 8 hash 4 version 0.1.0 variants swda-oo\n";
    const LINE: &str = "swda-oo|r2k4/8/8/8/8/8/8/R2K4 w - - 0 1|-31|0.5\n";

    fn games(text: &str) -> Vec<Result<(u64, usize), String>> {
        let games = Games::new(text.as_bytes()).expect("a header");
        let shape = |game: Result<Game, LineError>| match game {
            Ok(game) => Ok((game.number, game.samples.len())),
            Err(error) => Err(error.to_string()),
        };
        games.map(shape).collect()
    }

    #[test]
    fn games_come_one_by_one() {
        assert_eq!(games(HEADER), []);
        let text = format!("{HEADER}# game 1\n{LINE}{LINE}# game 2\n# game 3\n{LINE}");
        assert_eq!(games(&text), [Ok((1, 2)), Ok((2, 0)), Ok((3, 1))]);
        let part = text.replace("version", "shard 2/5 of 12 version");
        let part = part.replace("game 3", "game 12").replace("game 2", "game 7");
        assert_eq!(games(&part.replace("game 1\n", "game 2\n")).len(), 3);
    }

    #[test]
    fn nothing_comes_after_an_error_and_a_torn_line_is_left_out() {
        let fault = "line 3: 'x' is no VARIANT|FEN|CP|RESULT".to_string();
        assert_eq!(games(&format!("{HEADER}# game 1\nx\n{LINE}# game 2\n")), [Err(fault)]);
        let text = format!("{HEADER}# game 1\n{LINE}swda-oo|r2k4");
        let mut torn = Games::new(text.as_bytes()).expect("a header");
        assert_eq!(torn.next().expect("a game").expect("a good one").samples.len(), 1);
        assert!(torn.next().is_none() && torn.torn() == Some(Torn::Line));
    }
}
