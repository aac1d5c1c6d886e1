//! The text of a game: what a `games/*.toml` file may say.
//!
//! Every key is optional in the file, because a game may be given as a base game and differences;
//! what a complete game needs is checked when the definition is compiled to a
//! [`Variant`](super::Variant).

mod ends;
mod overlay;
mod pieces;
mod rules;

use indexmap::IndexMap;

use super::schema::{Rest, Source};
use super::words::{Capture, SeenByBlack};
use super::{DefinitionError, Letter};
pub use ends::{
    ChaseTable, ChasedThough, EndCount, EndDraw, EndTable, EndWhen, MateTable, Unchased,
};
use overlay::{Overlay, table};
pub use pieces::{DoubleStepTable, DropTable, ExtraMove, PieceTable, PromotionTable, SideTable};
pub use rules::{
    BlastTable, Castling, GatingTable, RoyaltyTable, SetupTable, StonesTable, TradeTable,
};

/// Keys that had another name: the table that holds them (`*` for any), the old name, the new one.
pub(super) const RENAMED: [(&str, &str, &str); 6] = [
    ("", "men", "pieces"),
    ("royalty", "man", "piece"),
    ("setup", "men", "pieces"),
    ("end.when", "men", "pieces"),
    ("end.draw", "per_man", "per_piece"),
    ("armies.*", "men", "pieces"),
];

table! {
    /// The text of a game as values: a complete game, or its differences from a base. Every key is optional.
    ///
    /// ```
    /// use garrison_rules::definition::Definition;
    ///
    /// let definition = Definition::parse("name = 'passchess'\nbase = 'chess'\npass = true")?;
    /// assert_eq!(definition.base.as_deref(), Some("chess"));
    /// assert_eq!(definition.pass, Some(true));
    /// assert_eq!(definition.must_capture, None); // as in the base
    /// # Ok::<(), Vec<garrison_rules::definition::DefinitionError>>(())
    /// ```
    Definition {
        /// The name of the game in every protocol. With armies, `{white}` and `{black}` stand for
        /// the letters of the two armies.
        name: String,
        /// Other names for it.
        aliases: Vec<String>,
        /// The game that it differs from.
        base: String,
        /// The game's title.
        title: String,
        /// Its inventor.
        inventor: String,
        /// Where the rules were published.
        page: String,
        /// The address of that page.
        url: String,
        /// The year in which they were published.
        year: u16,
        /// The special rules, a sentence or two each.
        rules: Vec<String>,
        /// What is played where the inventor's page is silent or ambiguous.
        rulings: Vec<String>,
        /// The file of the evaluation by which the engine judges positions, or its folder; a relative path begins at the
        /// definition. The rules only carry it.
        evaluation: String,
        /// Size of the board.
        board: BoardTable,
        /// The start position as a FEN. With armies, `{white}` and `{black}` stand for their arrays.
        start: String,
        /// The pieces of one rank of White's whose places are drawn by lot before a game, in the order in which they
        /// are placed on free squares: letters, and `light` or `dark` for the squares of one color.
        shuffle: Vec<String>,
        /// The pieces that can be in hand, in the order in which a FEN lists them.
        hand: String,
        /// What becomes of captured pieces.
        captures: Capture,
        /// Whether a player who is not in check may pass.
        pass: bool,
        /// While a player has one of these pieces in hand, only such pieces may be dropped and nothing may move.
        must_drop: String,
        /// Whether a player who can capture must.
        must_capture: bool,
        /// Pieces that come from hand to a square that is left for the first time.
        gating: GatingTable,
        /// What every move does with stones, which block their squares.
        stones: StonesTable,
        /// Strong pieces that are not exchanged.
        trade: TradeTable,
        /// The pieces of the base that this game does not have.
        without: String,
        /// Named sets of squares, as White sees them (see `region.rs` for the notation).
        regions: IndexMap<String, String>,
        /// The pieces by letter.
        pieces: IndexMap<String, PieceTable>,
        /// Which piece is royal, and how.
        royalty: RoyaltyTable,
        /// What a capture removes beside the captured piece.
        blast: BlastTable,
        /// Castling.
        castling: Vec<Castling>,
        /// The setup phase, if there is one.
        setup: SetupTable,
        /// The rules that end the game.
        end: EndTable,
        /// Different armies: each pair of them makes a game.
        armies: IndexMap<String, ArmyTable>,
    }
}

table! {
    /// `[board]`
    BoardTable {
        /// The number of files.
        files: u8,
        /// The number of ranks.
        ranks: u8,
        /// The squares that the board lacks, as White sees them.
        holes: String,
        /// How Black sees regions, castling and sideways steps.
        black: SeenByBlack,
    }
}

table! {
    /// `[armies.x]`
    ArmyTable {
        /// Its name.
        name: String,
        /// Its back rank, from file a.
        array: String,
        /// The pieces it can have.
        pieces: String,
        /// What its pieces promote to, over what `[pieces]` says.
        promotes: IndexMap<String, String>,
        /// How many it may have, over what `[pieces]` says.
        limits: IndexMap<String, u8>,
        /// What is played where the inventor's page is silent on this army.
        rulings: Vec<String>,
    }
}

impl Definition {
    /// Reads one definition.
    ///
    /// # Errors
    /// All faults: the text is not TOML, or has unknown keys or values of a wrong type.
    pub fn parse(text: &str) -> Result<Definition, Vec<DefinitionError>> {
        let Rest { value, faults, .. } = Source::parse(text)?.check::<Definition>();
        value.filter(|_| faults.is_empty()).ok_or(faults)
    }

    /// This definition, with every key that it lacks taken from its base. Not taken are `aliases`, who published the
    /// game where and when (`inventor`, `page`, `url`, `year`), `evaluation`, `end.draw`, the pieces named by `without`,
    /// the `value` of pieces that move in another way here and, in a game in which captured pieces are removed, `in_hand`.
    pub fn over_base(mut self, base: &Definition) -> Definition {
        let mut base = base.clone();
        base.aliases = None;
        // It was learned from other rules.
        base.evaluation = None;
        // Another game has another author and another page.
        (base.inventor, base.page, base.url, base.year) = (None, None, None, None);
        // Pieces that cannot force a win in one game may do so in another.
        if let Some(end) = &mut base.end {
            end.draw = None;
        }
        // Without hands for captured pieces, the base's keys of what they become there mean nothing.
        if self.captures == Some(Capture::Removed) {
            base.pieces.iter_mut().flatten().for_each(|(_, piece)| piece.in_hand = None);
        }
        base.forget_values(&self);
        let without = Letter::split(&self.without.take().unwrap_or_default()).unwrap_or_default();
        if let Some(end) = &mut base.end {
            if let Some(chase) = &mut end.chase {
                chase.leave_out(&without);
            }
            if let Some(counts) = &mut end.count {
                counts.retain_mut(|rule| rule.leave_out(&without));
            }
        }
        if let Some(pieces) = &mut base.pieces {
            pieces.retain(|key, _| !without.iter().any(|letter| letter.to_string() == *key));
        }
        self.over(base)
    }

    /// Takes away the values of those pieces that move in another way in `own`, a game on this base: a value is that of the
    /// moves which it was written for.
    fn forget_values(&mut self, own: &Definition) {
        let (Some(own), Some(pieces)) = (&own.pieces, &mut self.pieces) else { return };
        for (key, piece) in own {
            let moves_otherwise =
                |old: &&mut PieceTable| piece.betza.is_some() && piece.betza != old.betza;
            if let Some(old) = pieces.get_mut(key).filter(moves_otherwise) {
                old.value = None;
            }
        }
    }

    /// The lines of `aliases`: the key of each, and the new name and the game it is for, if it has both.
    pub(super) fn split_aliases(&self) -> impl Iterator<Item = (String, Option<(&str, &str)>)> {
        self.aliases.iter().flatten().enumerate().map(|(index, text)| {
            let names = text.split_once('=').map(|(alias, name)| (alias.trim(), name.trim()));
            (format!("aliases[{index}]"), names)
        })
    }

    /// The other names of a game, with the keys at which they stand.
    pub(crate) fn aliases_of(&self, name: &str) -> impl Iterator<Item = (String, &str)> {
        self.split_aliases().filter_map(move |(key, names)| {
            names.filter(|&(_, game)| game == name).map(|(alias, _)| (key, alias))
        })
    }

    /// The title of the game that these armies play, or of the only game; the name if it has none.
    pub(crate) fn title_of(&self, matchup: Option<&(String, String)>) -> String {
        let title = self.title.clone().or_else(|| self.name.clone()).unwrap_or_default();
        let Some((white, black)) = matchup else { return title };
        let army = |key: &str| self.armies.as_ref()?.get(key)?.name.clone();
        let name = |key: &str| army(key).unwrap_or_default();
        title.replace("{white}", &name(white)).replace("{black}", &name(black))
    }

    /// The name without the letters of armies: `swda` of `swda-{white}{black}`.
    pub(crate) fn family(&self) -> &str {
        let name = self.name.as_deref().unwrap_or_default();
        name.split('{').next().unwrap_or(name).trim_end_matches('-')
    }

    /// The name of the game that these armies play.
    pub(crate) fn name_of(&self, white: &str, black: &str) -> String {
        let name = self.name.as_deref().unwrap_or_default();
        name.replace("{white}", white).replace("{black}", black)
    }

    /// The games that this definition makes: the name of each, and the keys of the armies of White and Black if it has
    /// armies.
    pub fn games(&self) -> Vec<(String, Option<(String, String)>)> {
        let Some(armies) = &self.armies else {
            return vec![(self.name.clone().unwrap_or_default(), None)];
        };
        let pairs = armies.keys().flat_map(|white| armies.keys().map(move |black| (white, black)));
        pairs
            .map(|(white, black)| {
                (self.name_of(white, black), Some((white.clone(), black.clone())))
            })
            .collect()
    }
}
