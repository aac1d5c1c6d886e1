//! Games that a table decides, for arbiters.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use garrison_rules::game::Repeated;
use garrison_rules::{Color, Position};

use super::material::Material;
use super::solve::Endings;
use super::table::{Table, Value};

/// Tables of any games, made when they are first asked for.
#[derive(Debug)]
pub struct Arbiter {
    /// The most pieces on the board with which a table is asked.
    most: usize,
    /// By name of the game; `None` where the game has no tables.
    games: Mutex<HashMap<String, Option<Endings>>>,
}

impl Arbiter {
    /// Decides endings of up to `most` pieces; none if that is 0.
    pub fn new(most: usize) -> Arbiter {
        Arbiter { most, games: Mutex::default() }
    }

    /// Who wins with best play, `Some(None)` in a draw; `None` if there is no table for the position, or if it cannot say
    /// for certain.
    pub fn verdict(&self, position: &Position) -> Option<Option<Color>> {
        if position.occupied().len() as usize > self.most {
            return None;
        }
        let material = Material::of(position)?;
        let variant = position.variant();
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let name = variant.name().to_string();
        let endings = games.entry(name).or_insert_with(|| Endings::new(variant).ok()).as_mut()?;
        endings.solve(&material).ok()?;
        Some(endings.certain_value(position)?.winner(position.side_to_move()))
    }
}

impl Endings {
    /// The value of a position in a game; `None` if there is no table for it, or if the table cannot say: where the count of
    /// moves stands so high that it may end the game first, where a player with little left counts, and where a repetition is
    /// no draw. Earlier occurrences of positions are not looked at.
    pub fn certain_value(&self, position: &Position) -> Option<Value> {
        let value = self.value(position)?;
        let variant = position.variant();
        let Some(plies) = value.plies() else {
            let end = variant.end();
            let is_draw = end.repeated == Repeated::Draw
                && !end.perpetual_check
                && end.impasse.is_none()
                && variant.chase().is_none();
            return is_draw.then_some(value);
        };
        // The tables know nothing of how far a player with little left has counted.
        if variant.has_counts() {
            return None;
        }
        let is_counted_out = |limit: u16| position.halfmoves().saturating_add(plies) > limit;
        let limit = self.table_of(position).and_then(Table::limit);
        (!limit.is_some_and(is_counted_out)).then_some(value)
    }
}
