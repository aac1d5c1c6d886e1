//! Takes the games of a match as they end, and writes and counts them in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::log::{Header, Writer};
use super::record::Record;
use super::report::Standing;
use super::schedule::{End, Match, MatchError};
use super::stats::{Sprt, Verdict};
use super::worker::Finished;

/// So many games in a row without a move end the match: no engine works. Where only one fails at its first move,
/// the other makes a move in every second game.
const MOST_UNBEGUN: usize = 3;

/// Takes the games of all workers and puts them in order.
pub(super) struct Collector<'a> {
    pub plan: &'a Match,
    pub header: Header,
    pub writer: &'a mut Writer,
    pub indices: &'a [usize],
    /// The next of the indices.
    pub at: usize,
    /// Games whose turn has come, but which ended without a move: they count once a later one has moves.
    pub unbegun: Vec<Record>,
    /// Finished games whose turn has not come.
    pub ready: BTreeMap<usize, Record>,
    pub standing: Standing,
    pub on_game: &'a mut dyn FnMut(&Record, &Standing),
}

impl Collector<'_> {
    pub fn collect(
        &mut self,
        finished: &Receiver<Finished>,
        stop: &AtomicBool,
    ) -> Result<End, MatchError> {
        loop {
            if let Some(end) = self.drain()? {
                return Ok(end);
            }
            if stop.load(Ordering::Relaxed) {
                // Workers may still hold a finished game in the channel.
                while let Ok(Ok(Some(record))) = finished.try_recv() {
                    self.take(record)?;
                }
                return Ok(self.drain()?.unwrap_or(End::Interrupted));
            }
            match finished.recv_timeout(Duration::from_millis(50)) {
                Ok(result) => result?.map_or(Ok(()), |record| self.take(record))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(MatchError::Worker),
            }
        }
    }

    fn take(&mut self, record: Record) -> Result<(), MatchError> {
        if self.indices.get(self.at) != Some(&record.game) {
            self.writer.keep(&record)?;
        }
        self.ready.insert(record.game, record);
        Ok(())
    }

    /// Writes and reports the games whose turn has come; returns how the match ended, if it did.
    fn drain(&mut self) -> Result<Option<End>, MatchError> {
        while let Some(record) =
            self.indices.get(self.at).and_then(|index| self.ready.remove(index))
        {
            let is_logged = self.at < self.writer.logged().len();
            self.at += 1;
            if !is_logged && !self.plan.stop_on_fault && record.is_without_moves() {
                self.unbegun.push(record);
                self.check_unbegun(MOST_UNBEGUN)?;
                continue;
            }
            let waiting = std::mem::take(&mut self.unbegun);
            for record in waiting.into_iter().chain([record]) {
                if let Some(end) = self.count(&record, is_logged)? {
                    return Ok(Some(end));
                }
            }
        }
        if self.at < self.indices.len() {
            return Ok(None);
        }
        if !self.standing.has_games() {
            self.check_unbegun(1)?;
        }
        for record in std::mem::take(&mut self.unbegun) {
            self.count(&record, false)?;
        }
        Ok(Some(End::Complete))
    }

    /// Ends the match after so many games in a row without a move.
    fn check_unbegun(&self, most: usize) -> Result<(), MatchError> {
        match self.unbegun.last().and_then(|record| record.fault.clone()) {
            Some(fault) if self.unbegun.len() >= most => {
                Err(MatchError::NoMoves { games: self.unbegun.len(), fault })
            }
            _ => Ok(()),
        }
    }

    /// Writes and reports a game; returns how the match ended, if it did.
    fn count(&mut self, record: &Record, is_logged: bool) -> Result<Option<End>, MatchError> {
        if !is_logged {
            self.writer.write(record, &self.header)?;
        }
        self.standing.add(record);
        (self.on_game)(record, &self.standing);
        if let (Some(fault), true) = (&record.fault, self.plan.stop_on_fault) {
            let (game, fault) = (record.game, fault.clone());
            return Err(MatchError::StoppedByFault { game, fault });
        }
        let verdict = |sprt: &Sprt| sprt.verdict(&self.standing.first().pairs);
        let verdict = self.plan.sprt.as_ref().map(verdict);
        Ok(verdict.filter(|verdict| *verdict != Verdict::Continue).map(End::Decided))
    }
}
