//! The last step of compiling a game: a look at its start position. It stands above the positions, which stand above
//! the games.

use std::sync::Arc;

use crate::position::{Position, Status};
use crate::variant::{Definition, DefinitionError, Variant, compile};

impl Variant {
    /// Compiles a complete definition, with nothing left to its base; `matchup` names the armies of White and Black if
    /// it has armies.
    ///
    /// # Errors
    /// Every key that is missing or has a meaningless value; if there is none, a start position that is illegal or in
    /// which the game is over.
    pub fn compile(
        definition: &Definition,
        matchup: Option<&(String, String)>,
    ) -> Result<Arc<Variant>, Vec<DefinitionError>> {
        let variant = Arc::new(compile(definition, matchup)?);
        let start = Position::from_fen(&variant, variant.start_fen());
        let fault = match start.map(|start| start.status()) {
            Ok(Status::Ongoing) => return Ok(variant),
            Ok(over) => format!("the game is over at once: {over}"),
            Err(error) => error.to_string(),
        };
        Err(vec![DefinitionError::key("start", fault)])
    }
}
