//! A game as data: what its definition says, compiled to tables.

mod blast;
mod castling;
mod compile;
mod definition;
mod ends;
mod error;
mod gating;
mod kinds;
mod legs;
mod moves;
mod obligation;
mod paths;
mod piece_info;
mod region;
mod royalty;
mod rules;
pub(crate) mod schema;
mod shuffle;
mod side;
mod stones;
mod trade;
mod words;
mod write;
mod written;

use std::fmt;
use std::sync::Arc;

pub(crate) use blast::Blast;
pub(crate) use castling::{Castle, Rights, file_letter};
pub(crate) use compile::compile;
pub use definition::{
    BlastTable, BoardTable, Castling, ChaseTable, ChasedThough, Definition, DoubleStepTable,
    DropTable, EndCount, EndTable, EndWhen, ExtraMove, GatingTable, MateTable, PieceTable,
    PromotionTable, RoyaltyTable, SideTable, StonesTable, TradeTable, Unchased,
};
pub(crate) use ends::{BoardEnds, MAX_CHECKS, MateRule};
pub use ends::{
    ChaseRule, CountRule, DeclareRule, DrawRule, EndCondition, EndRule, GoalAnswer, Material,
    SpecialEnd,
};
pub use error::{DefinitionError, DefinitionFault, Fault};
pub(crate) use gating::Gating;
pub use moves::Shift;
pub(crate) use moves::{Irregular, OnCapture, PieceMoves};
pub(crate) use obligation::Obligation;
pub use piece_info::{GainSlots, PieceInfo};
pub use region::RegionError;
pub use royalty::Royalty;
pub(crate) use shuffle::Shuffle;
pub(crate) use side::{InPlace, Promotion, SideRules};
pub(crate) use stones::StoneRule;
pub(crate) use trade::Trade;
pub use words::{
    Capture, EachMove, EndDrawn, EndResult, FacingAlong, NoMoves, OneSide, Repeated, RoyaltyKind,
    SeenByBlack,
};
pub(crate) use written::Written;

use super::bitboard::Bitboard;
use super::geometry::Geometry;
pub use super::types::Letter;
use super::types::{Color, PerColor, PieceType, PieceTypeSet, Square};

/// The setup phase: each side in turn may rearrange pieces of these types over the free squares of one rank.
#[derive(Debug, Clone)]
pub(crate) struct SetupRule {
    pub pieces: PieceTypeSet,
    pub squares: PerColor<Bitboard>,
    /// What the whole rank may hold then; anything if there are none.
    pub arrays: PerColor<Vec<Array>>,
    /// The arrays as the definition writes them.
    pub rows: Vec<String>,
}

/// What stands on the squares of a rank, from file a.
pub(crate) type Array = Vec<(Square, Option<PieceType>)>;

/// An army of a game with different armies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Army {
    /// What stands for it in the names of games: the `o` of `swda-op`.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Its back rank, from file a, in capitals.
    pub array: String,
}

/// What people read about a game.
#[derive(Debug, Clone, Default)]
pub struct Info {
    /// The game's title.
    pub title: String,
    /// The title without the names of armies; the same as the title if the game has none.
    pub family_title: String,
    /// Who invented it.
    pub inventor: String,
    /// Where the rules were published.
    pub page: String,
    /// The address of that page.
    pub url: String,
    /// The year in which they were published.
    pub year: Option<u16>,
    /// What its author says of it, a sentence or two each, beyond [what follows from the
    /// definition](Variant::rules_in_words).
    pub rules: Vec<String>,
    /// What is played where the inventor's page is silent.
    pub rulings: Vec<String>,
    /// The armies of the two sides, if the game has different ones.
    pub armies: Option<PerColor<Army>>,
}

/// A game, compiled from its definition: immutable, and shared by all its positions.
///
/// ```
/// use garrison_rules::find;
///
/// let xiangqi = find("xiangqi")?;
/// assert_eq!(xiangqi.info().title, "Xiangqi (Chinese chess)");
/// assert_eq!((xiangqi.geometry().files(), xiangqi.geometry().ranks()), (9, 10));
/// let names: Vec<&str> = xiangqi.kinds().map(|kind| xiangqi.piece(kind).name.as_str()).collect();
/// assert!(names.contains(&"cannon"));
/// assert!(xiangqi.hand_kinds().is_empty() && !xiangqi.has_setup());
/// # Ok::<(), garrison_rules::UnknownGame>(())
/// ```
pub struct Variant {
    name: String,
    aliases: Vec<String>,
    family: String,
    info: Info,
    start_fen: String,
    geometry: Arc<Geometry>,
    pieces: Vec<PieceInfo>,
    /// The piece types that can be in hand, by slot.
    hand: Vec<PieceType>,
    sides: PerColor<SideRules>,
    royalty: Option<Royalty>,
    blast: Option<Blast>,
    /// Whether there can be stones.
    has_stones: bool,
    stone_rule: Option<StoneRule>,
    leaves_stones: bool,
    places_stones: bool,
    gating: Option<Gating>,
    /// Whether moves put stones of choice somewhere, or pieces from hand, or go on with a count.
    moves_go_on: bool,
    /// Whether captures explode, pieces leave stones, or moves have two legs.
    moves_have_effects: bool,
    trade: Option<Trade>,
    setup: Option<SetupRule>,
    obligations: Vec<Obligation>,
    pass: bool,
    rights: Arc<Rights>,
    shuffle: Option<Shuffle>,
    end: EndRule,
    special_ends: Vec<SpecialEnd>,
    chase: Option<ChaseRule>,
    mate: Option<MateRule>,
    declaration: Option<DeclareRule>,
    draws: Vec<DrawRule>,
    /// The most pieces, by type, with which a player need not promote in place.
    may_stay: Option<Vec<u8>>,
    /// The most pieces on the board with which one of the draws is possible.
    draws_up_to: u32,
    counts: Vec<CountRule>,
    /// The zeroing piece types that can take back some of their moves.
    returning: PieceTypeSet,
    board_ends: BoardEnds,
    written: Written,
}

/// Its name only: the tables would fill a screen with every error that holds a game.
impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Variant").field(&self.name).finish()
    }
}

impl Variant {
    /// The name, which is the same in every protocol.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Other names for it.
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// The name of the text that defines it: `swda` for all sixteen games `swda-oo` to `swda-aa`,
    /// which share their pieces.
    pub fn family(&self) -> &str {
        &self.family
    }

    /// What people read about the game: title, inventor, rules.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The start position as a FEN.
    pub fn start_fen(&self) -> &str {
        &self.start_fen
    }

    /// The board.
    #[inline]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// All piece types, in the order of the definition.
    pub fn kinds(&self) -> impl Iterator<Item = PieceType> + use<> {
        (0..self.pieces.len() as u8).map(PieceType::new)
    }

    /// A piece type: what is the same for both sides.
    #[inline]
    pub fn piece(&self, kind: PieceType) -> &PieceInfo {
        &self.pieces[kind.index()]
    }

    /// The piece type with this letter.
    pub fn kind_of(&self, letter: Letter) -> Option<PieceType> {
        self.kinds().find(|&kind| self.piece(kind).letter == letter)
    }

    /// The piece types that can be in hand, by slot, in the order of a FEN.
    #[inline]
    pub fn hand_kinds(&self) -> &[PieceType] {
        &self.hand
    }

    /// The rules of one side.
    #[inline]
    pub(crate) fn side(&self, color: Color) -> &SideRules {
        &self.sides[color]
    }
}
