//! The text of a game: what a `games/*.toml` file may say.
//!
//! Every key is optional in the file, because a game may be given as a base game and differences;
//! what a complete game needs is checked when the definition is compiled to a
//! [`Variant`](super::Variant).

use indexmap::IndexMap;
use serde::Deserialize;

use super::{DefinitionError, Letter};

/// What a game says, put over what its base says.
trait Overlay {
    fn over(self, base: Self) -> Self;
}

/// Tables are merged key by key, anything else is replaced.
impl<T: Overlay> Overlay for Option<T> {
    fn over(self, base: Self) -> Self {
        match (self, base) {
            (Some(own), Some(base)) => Some(own.over(base)),
            (own, base) => own.or(base),
        }
    }
}

/// A table with free names keeps the base's order; new names come behind.
impl<T: Overlay + Default> Overlay for IndexMap<String, T> {
    fn over(self, mut base: Self) -> Self {
        for (name, own) in self {
            let slot = base.entry(name).or_default();
            *slot = own.over(std::mem::take(slot));
        }
        base
    }
}

macro_rules! replaced {
    ($($type:ty),*) => {
        $(impl Overlay for $type {
            fn over(self, _base: Self) -> Self {
                self
            }
        })*
    };
}

replaced!(bool, u8, u16, u32, i32, String, Vec<String>, Vec<Gain>, Capture, RoyaltyKind, NoMoves);

/// Declares a table of optional keys.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Option<$type>,)*
        }

        impl Overlay for $name {
            fn over(self, base: Self) -> Self {
                $name { $($field: self.$field.over(base.$field),)* }
            }
        }
    };
}

table! {
    /// A game, or its differences from a base game.
    Definition {
        /// The variant's name in every protocol. With armies, `{white}` and `{black}` stand for
        /// the letters of the two armies.
        name: String,
        /// Other names for it.
        aliases: Vec<String>,
        /// The game that it differs from.
        base: String,
        /// The game's title.
        title: String,
        /// Who invented it.
        inventor: String,
        /// Where the rules were published.
        page: String,
        /// What a player should know, a sentence or two each.
        rules: Vec<String>,
        /// Where the inventor's page is silent or ambiguous: what is played here.
        rulings: Vec<String>,
        /// Size of the board.
        board: BoardTable,
        /// The start position as a FEN. With armies, `{white}` and `{black}` stand for their arrays.
        start: String,
        /// The men that can be in hand, in the order in which a FEN lists them.
        hand: String,
        /// Where captured men go.
        captures: Capture,
        /// Men of the base that this game does not have.
        without: String,
        /// Named sets of squares, as White sees them (see `region.rs` for the notation).
        regions: IndexMap<String, String>,
        /// The men by letter.
        men: IndexMap<String, ManTable>,
        /// Which man is royal, and how.
        royalty: RoyaltyTable,
        /// The setup phase, if there is one.
        setup: SetupTable,
        /// When the game ends.
        end: EndTable,
        /// Different armies: every pair of them makes a game.
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
    }
}

table! {
    /// `[men.X]`: a man. A promoted form has the letter `+X`.
    ManTable {
        /// Its name.
        name: String,
        /// How it moves; a man without this never moves.
        betza: String,
        /// What it is roughly worth, in hundredths of a pawn.
        value: i32,
        /// The squares it may move to.
        region: String,
        /// The squares it can never stand on (those where it must promote are added).
        never: String,
        /// What it becomes, and where.
        promotion: PromotionTable,
        /// Two steps straight ahead.
        double_step: DoubleStepTable,
        /// What it is in the hand of its captor, if that is something else.
        in_hand: String,
        /// Where it may be dropped.
        drop: DropTable,
        /// It exists in hand only and becomes one of these men when it is dropped.
        reserve: String,
        /// What its capture puts into the hands, for the first, second, … of a side to fall.
        gains: Vec<Gain>,
        /// The most a side may have, in hand and on the board.
        limit: u8,
        /// Its moves reset the move count.
        zeroing: bool,
        /// What it counts at an impasse (default 1).
        points: u8,
    }
}

table! {
    /// `[men.X.promotion]`
    PromotionTable {
        /// Where a move must end.
        zone: String,
        /// Where it is no choice.
        forced: String,
        /// What it may become.
        to: String,
    }
}

table! {
    /// `[men.X.double_step]`
    DoubleStepTable {
        /// Where it may start.
        from: String,
        /// Whether it may be captured in passing, on the next ply, by a man of the same kind.
        en_passant: bool,
    }
}

table! {
    /// `[men.X.drop]`
    DropTable {
        /// Where.
        region: String,
        /// Not next to an enemy man of this kind.
        not_beside: String,
        /// Not on a file that holds an own man of this kind.
        one_per_file: bool,
        /// Whether the drop may end the game (default true).
        mate: bool,
    }
}

table! {
    /// `[royalty]`
    RoyaltyTable {
        /// The royal man.
        man: String,
        /// What becomes of it.
        kind: RoyaltyKind,
        /// It appears only after the last man of this kind of its side has fallen.
        late: String,
        /// Royals on one file with nothing between attack each other.
        facing: bool,
    }
}

table! {
    /// `[setup]`
    SetupTable {
        /// The men that may be rearranged.
        men: String,
        /// Over the free squares of which own rank.
        rank: u8,
    }
}

table! {
    /// `[end]`
    EndTable {
        /// What becomes of a player who has no legal move and is not in check.
        no_moves: NoMoves,
        /// Whether a player with nothing but his royal loses.
        bare_king: bool,
        /// The occurrence of a position that ends the game.
        repetition: u8,
        /// At that occurrence, the side that alone checked with every move loses.
        perpetual_check: bool,
        /// At that occurrence, the only player with more than this many points wins.
        impasse: u32,
        /// The number of plies without progress that makes a draw.
        moves: u16,
    }
}

table! {
    /// `[armies.x]`
    ArmyTable {
        /// Its name.
        name: String,
        /// Its back rank, from file a.
        array: String,
        /// The men it can have.
        men: String,
        /// What its men promote to, over what `[men]` says.
        promotes: IndexMap<String, String>,
        /// How many it may have, over what `[men]` says.
        limits: IndexMap<String, u8>,
    }
}

/// What a fallen man gives.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gain {
    /// To the side that captured it.
    pub capturer: String,
    /// To the side that lost it.
    pub owner: String,
}

/// Where captured men go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Capture {
    /// Out of the game.
    Removed,
    /// To the hand of the captor, changing sides.
    Hand,
}

/// What becomes of a royal man.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoyaltyKind {
    /// It may not be left attacked; its unavoidable capture is mate.
    Absolute,
    /// As absolute, but only while it is the only one of its side.
    Last,
    /// It may be left attacked; the game is won by capturing it.
    Captured,
}

/// What becomes of a player without a legal move who is not in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoMoves {
    /// Stalemate is a draw.
    Draw,
    /// He loses.
    Loss,
}

impl Definition {
    /// Reads one definition.
    ///
    /// # Errors
    /// The place and the fault, if it is not TOML or has an unknown key or a value of a wrong type.
    pub fn parse(text: &str) -> Result<Definition, DefinitionError> {
        toml::from_str(text).map_err(|error| {
            let (line, column) =
                error.span().map_or((1, 1), |span| line_and_column(text, span.start));
            let fault = error.message().lines().collect::<Vec<_>>().join("; ");
            DefinitionError::Text { line, column, fault }
        })
    }

    /// This definition over its base, without the men the base has in excess.
    pub fn over_base(mut self, base: &Definition) -> Definition {
        let mut base = base.clone();
        base.aliases = None;
        let without = Letter::split(&self.without.take().unwrap_or_default()).unwrap_or_default();
        if let Some(men) = &mut base.men {
            men.retain(|key, _| !without.iter().any(|letter| letter.to_string() == *key));
        }
        self.over(base)
    }

    /// The names of the two armies' keys for every game that this definition makes: one pair of
    /// `None`s if it has no armies.
    pub fn matchups(&self) -> Vec<Option<(String, String)>> {
        let Some(armies) = &self.armies else {
            return vec![None];
        };
        armies
            .keys()
            .flat_map(|white| armies.keys().map(|black| Some((white.clone(), black.clone()))))
            .collect()
    }
}

/// The line and column (from 1) of a byte of a text.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
