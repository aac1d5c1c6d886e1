//! A game as the page sends it: its name, its start, its moves. The server keeps no game, so that a page goes on after a
//! reload or a restart with nothing but what it has itself.

use std::sync::Arc;

use serde::Deserialize;

use super::invent;
use super::refusal::Refusal;
use garrison_rules::fault::Describe;
use garrison_rules::{Algebraic, Position, Variant, find, shown};

/// The most plies of a game that are played on the page.
const MOST_PLIES: usize = 4096;

/// A game up to the position that is looked at.
#[derive(Debug, Clone, Deserialize)]
pub struct Line {
    /// The name of the game.
    variant: String,
    /// The start position, if it is not that of the game.
    #[serde(default)]
    fen: Option<String>,
    /// The moves, as coordinates.
    #[serde(default)]
    moves: Vec<String>,
    /// While a setup is pending: pairs of squares whose contents have changed places, such as `b1d1`.
    #[serde(default)]
    arranged: Vec<String>,
}

impl Line {
    /// The position after the moves, with its history; what is being arranged is not done yet.
    ///
    /// # Errors
    /// There is no such game, position or move.
    pub fn position(&self) -> Result<Position, Refusal> {
        check_length(self.moves.len())?;
        let mut position = self.start()?;
        for (index, text) in self.moves.iter().enumerate() {
            let mv = position.parse_move(text);
            let mv = mv.map_err(|error| format!("ply {}: {error}", index + 1))?;
            position.make(mv);
        }
        Ok(position)
    }

    /// The position before the moves.
    ///
    /// # Errors
    /// There is no such game or position.
    pub fn start(&self) -> Result<Position, Refusal> {
        start(&self.variant, self.fen.as_deref())
    }

    /// The position as its player has arranged it so far, during a setup.
    ///
    /// # Errors
    /// No setup is pending, or two of the squares cannot change places.
    pub fn arranged(&self, position: &Position) -> Result<Option<Position>, Refusal> {
        if self.arranged.is_empty() {
            return Ok(None);
        }
        if !position.setup_phase().is_pending() || self.arranged.len() > MOST_PLIES {
            return Err("no setup is pending".into());
        }
        let geometry = position.variant().geometry();
        let mut arranged = position.clone();
        for pair in &self.arranged {
            let squares = geometry.parse_two_squares(pair);
            let (a, b) = squares.ok_or_else(|| format!("'{}' is not two squares", shown(pair)))?;
            let exchanged = arranged.with_exchanged(a, b);
            arranged =
                exchanged.map_err(|why| why.through(position.variant(), &Algebraic).to_string())?;
        }
        Ok(Some(arranged))
    }
}

/// Refuses a game of too many plies.
///
/// # Errors
/// It is one.
pub fn check_length(plies: usize) -> Result<(), Refusal> {
    if plies > MOST_PLIES {
        return Err(format!("a game of more than {MOST_PLIES} plies").into());
    }
    Ok(())
}

/// The start of a game: this position, if there is one, or else its own.
///
/// # Errors
/// There is no such game or position.
pub fn start(variant: &str, fen: Option<&str>) -> Result<Position, Refusal> {
    let variant = game(variant)?;
    match fen {
        None => Ok(Position::start(&variant)),
        Some(fen) => Position::from_fen(&variant, fen).map_err(Refusal::from_display),
    }
}

/// The game of this name.
///
/// # Errors
/// There is none.
pub fn game(name: &str) -> Result<Arc<Variant>, Refusal> {
    match invent::find(name) {
        Some(own) => Ok(own),
        None => find(name).map_err(Refusal::from_display),
    }
}
