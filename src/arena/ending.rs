//! Why a game of a match ended: one enum with one text, which reports print and logs keep.

use std::fmt;
use std::str::FromStr;

use garrison_rules::{Reason, shown};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A kind of fault of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The program could not be started.
    NoStart,
    /// It did not answer `uci` or `isready` in time.
    NoHandshake,
    /// The process ended.
    Crash,
    /// It did not answer `go` and `stop`.
    Stall,
    /// It used more time than it had.
    TimeLoss,
    /// It printed too much.
    Flood,
    /// Its `bestmove` is not written like a move.
    Garbage,
    /// Its move is against the rules.
    IllegalMove,
    /// None: the match was stopped during its search.
    Interrupted,
}

impl FaultKind {
    const ALL: [FaultKind; 9] = [
        FaultKind::NoStart,
        FaultKind::NoHandshake,
        FaultKind::Crash,
        FaultKind::Stall,
        FaultKind::TimeLoss,
        FaultKind::Flood,
        FaultKind::Garbage,
        FaultKind::IllegalMove,
        FaultKind::Interrupted,
    ];

    /// Its name in reports and logs.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::NoStart => "no start",
            FaultKind::NoHandshake => "no handshake",
            FaultKind::Crash => "crash",
            FaultKind::Stall => "stall",
            FaultKind::TimeLoss => "time loss",
            FaultKind::Flood => "flood",
            FaultKind::Garbage => "garbage",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// By a rule of the game.
    Rule(Reason),
    /// Adjudicated as lost: both engines scored it so.
    Resignation,
    /// Adjudicated as drawn: both engines scored it as even.
    EvenScores,
    /// Adjudicated as drawn: it became too long.
    Length,
    /// Adjudicated as a table of endings says.
    Table,
    /// An engine lost it by a fault.
    Fault(FaultKind),
}

impl EndReason {
    /// All reasons.
    pub fn all() -> impl Iterator<Item = EndReason> {
        let adjudicated =
            [EndReason::Resignation, EndReason::EvenScores, EndReason::Length, EndReason::Table];
        let faults = FaultKind::ALL.into_iter().map(EndReason::Fault);
        Reason::ALL.iter().copied().map(EndReason::Rule).chain(adjudicated).chain(faults)
    }

    /// The value of the PGN tag `Termination`.
    pub fn termination(self) -> &'static str {
        match self {
            EndReason::Rule(_) => "normal",
            EndReason::Resignation
            | EndReason::EvenScores
            | EndReason::Length
            | EndReason::Table => "adjudication",
            EndReason::Fault(FaultKind::TimeLoss) => "time forfeit",
            EndReason::Fault(FaultKind::IllegalMove | FaultKind::Garbage) => "rules infraction",
            EndReason::Fault(_) => "abandoned",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndReason::Rule(reason) => reason.fmt(f),
            EndReason::Resignation => f.write_str("resignation (adjudged)"),
            EndReason::EvenScores => f.write_str("even scores (adjudged)"),
            EndReason::Length => f.write_str("length (adjudged)"),
            EndReason::Table => f.write_str("ending table (adjudged)"),
            EndReason::Fault(kind) => kind.fmt(f),
        }
    }
}

/// A text that names no reason.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{}' is no reason for the end of a game", shown(.0))]
pub struct UnknownReason(pub String);

impl FromStr for EndReason {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<EndReason, UnknownReason> {
        let reason = EndReason::all().find(|reason| reason.to_string() == text);
        reason.ok_or_else(|| UnknownReason(text.to_string()))
    }
}

impl FromStr for FaultKind {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<FaultKind, UnknownReason> {
        let kind = FaultKind::ALL.into_iter().find(|kind| kind.name() == text);
        kind.ok_or_else(|| UnknownReason(text.to_string()))
    }
}

/// Serde by the texts of `Display` and `FromStr`.
macro_rules! serde_by_text {
    ($($name:ty),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

serde_by_text!(EndReason, FaultKind);

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_reason_is_read_as_it_is_written() {
        let mut texts = HashSet::new();
        for reason in EndReason::all() {
            let text = reason.to_string();
            assert_eq!(text.parse(), Ok(reason));
            assert!(texts.insert(text), "{reason} twice");
        }
        assert!("boredom".parse::<EndReason>().is_err());
        for kind in FaultKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }
}
