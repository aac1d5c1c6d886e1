//! The options by which every command takes a position.

use std::sync::Arc;

use clap::Args;

use super::CommandResult;
use garrison_rules::{Position, Variant, find};

#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// The game (see `garrison variants`)
    #[arg(long, value_name = "NAME", required = true)]
    pub variant: Option<String>,
    /// The position [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// Moves to make from there, as in `--moves e3e4 e7e6`
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
}

impl PositionArgs {
    /// The position after the moves.
    pub fn position(&self) -> CommandResult<Position> {
        self.position_after(&self.moves)
    }

    /// The position after the moves in this game in place of the one given.
    pub fn position_of(&self, variant: &Arc<Variant>) -> CommandResult<Position> {
        self.position_in(variant, &self.moves)
    }

    /// The position after these moves in place of those given.
    pub fn position_after(&self, moves: &[String]) -> CommandResult<Position> {
        let variant = find(self.name())?;
        self.position_in(&variant, moves)
    }

    fn name(&self) -> &str {
        self.variant.as_deref().unwrap_or("")
    }

    fn position_in(&self, variant: &Arc<Variant>, moves: &[String]) -> CommandResult<Position> {
        let mut position = match &self.fen {
            None => Position::start(variant),
            Some(fen) => Position::from_fen(variant, fen)?,
        };
        for (index, text) in moves.iter().flat_map(|moves| moves.split_whitespace()).enumerate() {
            position.play(text).map_err(|error| format!("move {}: {error}", index + 1))?;
        }
        Ok(position)
    }
}
