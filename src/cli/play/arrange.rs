//! The setup phase.

use super::game::Game;
use crate::cli::CommandResult;
use garrison_rules::fault::Describe;
use garrison_rules::{Algebraic, Square, shown};

impl Game {
    /// An example of a setup command, with squares whose contents can change places.
    pub fn setup_example(&self) -> Option<String> {
        let geometry = self.position.variant().geometry();
        let position = self.arranged.as_ref().unwrap_or(&self.position);
        let squares: Vec<Square> = position.setup_rank().collect();
        let vacant = *squares.iter().find(|&&square| position.at(square).is_none())?;
        let piece =
            squares.iter().find(|&&piece| position.with_exchanged(piece, vacant).is_ok())?;
        let (piece, vacant) = (geometry.name(*piece), geometry.name(vacant));
        Some(format!(": 'setup {piece}{vacant}' swaps, 'done' ends it"))
    }

    pub fn set_up(&mut self, words: &[String]) -> CommandResult {
        self.check_setup()?;
        let geometry = self.position.variant().geometry();
        let mut position = self.arranged.clone().unwrap_or_else(|| self.position.clone());
        for word in words {
            let text = shown(word);
            let (a, b) = geometry
                .parse_two_squares(&word.to_lowercase())
                .ok_or_else(|| format!("'{text}' is not two squares; as in: setup b1d1"))?;
            position = position.with_exchanged(a, b).map_err(|why| {
                format!("setup {text}: {}", why.through(position.variant(), &Algebraic))
            })?;
        }
        self.arranged = Some(position);
        self.show();
        Ok(())
    }

    fn check_setup(&self) -> CommandResult {
        self.check_ongoing()?;
        let pending = self.position.setup_phase().is_pending();
        if pending { Ok(()) } else { Err("no setup is pending".into()) }
    }

    pub fn end_setup(&mut self) -> CommandResult {
        self.check_setup()?;
        let mv = match &self.arranged {
            None => Some(self.position.setup_as_is()),
            Some(pieces) => {
                self.position.setup_to(|square| pieces.at(square).map(|piece| piece.kind()))
            }
        };
        self.make_and_show(mv.ok_or("these pieces cannot stand like that")?);
        Ok(())
    }
}
