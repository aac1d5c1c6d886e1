//! A game as data: what its definition says, compiled to tables.

mod blast;
mod castling;
mod compile;
mod definition;
mod ends;
mod error;
mod gating;
mod legs;
mod moves;
mod obligation;
mod paths;
mod piece_info;
mod region;
mod royalty;
pub(crate) mod schema;
mod shuffle;
mod side;
mod stones;
mod trade;
mod words;
mod write;

use std::collections::BTreeMap;
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
use region::Regions;
pub use royalty::Royalty;
pub(crate) use shuffle::Shuffle;
pub(crate) use side::{InPlace, Promotion, SideRules};
pub(crate) use stones::StoneRule;
pub(crate) use trade::Trade;
pub use words::{
    Capture, EachMove, EndDrawn, EndResult, FacingAlong, NoMoves, OneSide, Repeated, RoyaltyKind,
    SeenByBlack,
};

use super::betza::Step;
use super::bitboard::Bitboard;
use super::geometry::Geometry;
pub use super::types::Letter;
use super::types::{Color, File, PerColor, Piece, PieceType, PieceTypeSet, Square};

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

/// What the definition says of the pieces, for descriptions.
pub(crate) struct Written {
    /// The pieces as each side has them, by piece type.
    pub pieces: PerColor<Vec<PieceTable>>,
    /// The named regions, as White sees them.
    pub regions: BTreeMap<String, Bitboard>,
    pub seen_by_black: SeenByBlack,
    /// Where captured pieces go, by piece type.
    pub captured: Vec<Capture>,
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

    /// The piece types whose letter is that of `kind`, with and without `+`.
    pub(crate) fn kinds_with_letter(&self, kind: PieceType) -> PieceTypeSet {
        let capital = self.piece(kind).letter.capital;
        self.kinds().filter(|&other| self.piece(other).letter.capital == capital).collect()
    }

    /// Whether the piece type with this letter moves like its promoted form, as in crazyhouse: they differ only when
    /// they are captured.
    pub fn has_double(&self, capital: char) -> bool {
        let betza = |promoted| {
            let kind = self.kind_of(Letter { capital, promoted })?;
            Some(&self.piece(kind).betza)
        };
        matches!((betza(false), betza(true)), (Some(own), Some(double)) if own == double)
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

    /// All moves of a piece type of `color` as shifts of a bitboard, if it has only a few single steps; else empty.
    #[inline]
    pub fn shifts(&self, color: Color, kind: PieceType) -> &[Shift] {
        &self.side(color).moves(kind).shifts
    }

    /// The piece types of `color` that move.
    #[inline]
    pub fn movers(&self, color: Color) -> PieceTypeSet {
        self.side(color).movers
    }

    /// The squares to which a piece type of `color` may move and on which it may stay. Drops and promotions may put
    /// it on other squares.
    pub fn standing_squares(&self, color: Color, kind: PieceType) -> Bitboard {
        let rules = self.side(color).piece(kind);
        rules.region & !rules.never
    }

    /// The squares, occupied or not, that a piece of `color` attacks from a square of a board with these squares
    /// `occupied`, and the empty squares to which it moves without capturing. Only the piece's own moves count:
    /// neither first moves and double steps, nor what it spares or does not hop over.
    ///
    /// ```
    /// use garrison_rules::{Bitboard, Color, Letter, find};
    ///
    /// let chess = find("chess")?;
    /// let rook = chess.kind_of(Letter { capital: 'R', promoted: false }).expect("a rook");
    /// let (a1, _) = chess.geometry().parse_square("a1").expect("a square");
    /// let (attacks, quiet) = chess.reach(Color::White, rook, a1, Bitboard::EMPTY);
    /// assert_eq!((attacks.len(), quiet.len()), (14, 14));
    /// # Ok::<(), garrison_rules::UnknownGame>(())
    /// ```
    pub fn reach(
        &self,
        color: Color,
        kind: PieceType,
        from: Square,
        occupied: Bitboard,
    ) -> (Bitboard, Bitboard) {
        let moves = self.side(color).moves(kind);
        let mut attacks = moves.leaps_capture[from.index()];
        let mut quiet = moves.leaps_quiet[from.index()];
        if let Some(slides) = &moves.slides {
            let reach = self.geometry.slide(from, occupied, slides.lines);
            attacks |= reach & slides.capture[from.index()];
            quiet |= reach & slides.quiet[from.index()];
        }
        if let Some(hops) = &moves.hops {
            let reach = self.geometry.hop(from, occupied, hops.lines);
            attacks |= reach & hops.capture[from.index()];
            quiet |= reach & hops.quiet[from.index()];
        }
        let paths = moves.irregular.as_ref().and_then(|irregular| irregular.paths.as_ref());
        if let Some(paths) = paths {
            let (capture, move_only) = paths.reach(from, occupied);
            attacks |= capture;
            quiet |= move_only;
        }
        (attacks, quiet & !occupied)
    }

    /// The squares on which a move of a piece type of `color` may promote; empty if it does not promote.
    pub fn promotion_zone(&self, color: Color, kind: PieceType) -> Bitboard {
        self.side(color).promotion(kind).map_or(Bitboard::EMPTY, |rule| rule.zone)
    }

    /// Whether a player who can capture must.
    pub fn must_capture(&self) -> bool {
        self.obligations.contains(&Obligation::Capture)
    }

    /// The value of a piece type in centipawns that the definition writes; none if it is only estimated by the
    /// number of moves.
    pub fn written_value(&self, kind: PieceType) -> Option<i32> {
        self.written(Color::White, kind).value
    }

    /// The squares on which a move of a piece type of `color` must promote.
    pub fn forced_promotion(&self, color: Color, kind: PieceType) -> Bitboard {
        self.side(color).promotion(kind).map_or(Bitboard::EMPTY, |rule| rule.forced)
    }

    /// Whether kings and rooks may start on any square of their rank, as in Chess960: rights are named by the files of
    /// rooks, and castling is written as the king that takes the rook.
    pub fn castles_by_rook(&self) -> bool {
        self.rights.are_by_rook()
    }

    /// The number of start arrays from which one is drawn by lot, 1 in most games;
    /// [`Position::start_array`](crate::Position::start_array) sets them up.
    pub fn arrays(&self) -> u64 {
        self.shuffle.as_ref().map_or(1, Shuffle::count)
    }

    /// The rule by which start arrays are drawn.
    pub(crate) fn shuffle(&self) -> Option<&Shuffle> {
        self.shuffle.as_ref()
    }

    /// The letters by which a FEN names the castling rights of `color`: of the castling moves, or of all files
    /// where a [rook on any of them](Variant::castles_by_rook) may castle.
    pub fn castling_letters(&self, color: Color) -> impl Iterator<Item = char> + '_ {
        let castles = self.rights.castles(color);
        let by_rook = self.castles_by_rook() && !castles.is_empty();
        let files = if by_rook { self.geometry.files() } else { 0 };
        let letters = castles.iter().filter(move |_| !by_rook).map(|castle| castle.letter);
        letters.chain((0..files).map(move |file| file_letter(color, File(file))))
    }

    /// The royal piece types and the rules of their safety, if the game has any.
    #[inline]
    pub fn royalty(&self) -> Option<&Royalty> {
        self.royalty.as_ref()
    }

    /// The explosion that every capture sets off, if the game has that.
    #[inline]
    pub(crate) fn blast(&self) -> Option<&Blast> {
        self.blast.as_ref()
    }

    /// Whether a capture removes the pieces around it.
    pub fn has_blasts(&self) -> bool {
        self.blast.is_some()
    }

    /// Whether stones may stand on the board: squares blocked for the rest of the game.
    #[inline]
    pub fn has_stones(&self) -> bool {
        self.has_stones
    }

    /// What every move does with stones, if it does anything.
    #[inline]
    pub(crate) fn stone_rule(&self) -> Option<&StoneRule> {
        self.stone_rule.as_ref()
    }

    /// Whether every move also puts a stone on a square that the player chooses, [`Move::stone`](crate::Move::stone).
    #[inline]
    pub fn moves_place_stones(&self) -> bool {
        self.places_stones
    }

    /// Whether a move may change other squares than those of the piece that moves and the piece that it captures.
    #[inline]
    pub(crate) fn moves_have_effects(&self) -> bool {
        self.moves_have_effects
    }

    /// Whether every square that a piece leaves becomes a stone.
    #[inline]
    pub fn leaves_stones(&self) -> bool {
        self.leaves_stones
    }

    /// Which pieces come from hand when a piece leaves the square on which it started.
    #[inline]
    pub(crate) fn gating(&self) -> Option<&Gating> {
        self.gating.as_ref()
    }

    /// What forbids the exchange of strong pieces, if anything does.
    #[inline]
    pub(crate) fn trade(&self) -> Option<&Trade> {
        self.trade.as_ref()
    }

    /// The pieces that may come from hand when a piece leaves the square on which it started.
    pub fn gated_kinds(&self) -> PieceTypeSet {
        self.gating.map_or(PieceTypeSet::EMPTY, |gating| gating.kinds)
    }

    /// Whether something follows a move: a stone of choice or a piece from hand that comes with it, or a count.
    #[inline]
    pub(crate) fn moves_go_on(&self) -> bool {
        self.moves_go_on
    }

    /// Whether no move may give check.
    pub fn forbids_checks(&self) -> bool {
        self.obligations.contains(&Obligation::NoChecks)
    }

    /// What limits the choice among the moves, the most urgent first.
    #[inline]
    pub(crate) fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// Whether a player may pass.
    #[inline]
    pub(crate) fn allows_pass(&self) -> bool {
        self.pass
    }

    /// The rights of pieces that have not moved.
    #[inline]
    pub(crate) fn rights(&self) -> &Arc<Rights> {
        &self.rights
    }

    /// The setup phase, if the game has one.
    #[inline]
    pub(crate) fn setup(&self) -> Option<&SetupRule> {
        self.setup.as_ref()
    }

    /// Which rules can end the game on the board.
    #[inline]
    pub(crate) fn board_ends(&self) -> BoardEnds {
        self.board_ends
    }

    /// The most pieces on the board with which one of the [draw rules](Variant::draw_rules) can apply; 0 if
    /// there are none.
    #[inline]
    pub(crate) fn draws_up_to(&self) -> u32 {
        self.draws_up_to
    }

    /// The zeroing piece types that can take back some of their moves, as pawns that go sideways. Those moves are no
    /// progress.
    pub(crate) fn returning(&self) -> PieceTypeSet {
        self.returning
    }

    /// Whether a zeroing piece that has moved from one square to another could go back.
    #[inline]
    pub(crate) fn leads_back(&self, mover: Piece, from: Square, to: Square) -> bool {
        self.returning.contains(mover.kind())
            && self.reach(mover.color(), mover.kind(), to, Bitboard::EMPTY).1.contains(from)
    }

    /// The further ways in which the game ends, in the order in which they are tested.
    pub fn special_ends(&self) -> &[SpecialEnd] {
        &self.special_ends
    }

    /// The draws by few pieces; the first rule that fits the pieces left decides.
    pub fn draw_rules(&self) -> &[DrawRule] {
        &self.draws
    }

    /// Whether a player who has little left counts moves.
    pub fn has_counts(&self) -> bool {
        !self.counts.is_empty()
    }

    /// The counts of a player who has little left; the first rule that fits the pieces left decides.
    pub fn count_rules(&self) -> &[CountRule] {
        &self.counts
    }

    /// The first royal piece type, if the game has any.
    #[inline]
    pub fn royal(&self) -> Option<PieceType> {
        self.royalty.map(|royalty| royalty.piece)
    }

    /// The royal that must be dropped as soon as it is in hand.
    #[inline]
    pub(crate) fn royal_placed_at_once(&self) -> Option<PieceType> {
        self.royalty.as_ref()?.placed_at_once
    }

    /// Whether a side may have several royals on the board that must all be kept safe.
    #[inline]
    pub(crate) fn has_several_royals(&self) -> bool {
        self.royalty.as_ref().is_some_and(|royalty| royalty.several)
    }

    /// All royal piece types.
    #[inline]
    pub fn royals(&self) -> PieceTypeSet {
        self.royalty.map_or(PieceTypeSet::EMPTY, |royalty| royalty.pieces)
    }

    /// The suffix of a move by which a piece of type `kind` becomes another: `+` for its own promoted form, else a
    /// lower-case letter.
    pub fn suffix(&self, kind: PieceType, becomes: PieceType) -> String {
        let (own, letter) = (self.piece(kind).letter, self.piece(becomes).letter);
        if letter.promoted && (own.capital == letter.capital || own.promoted) {
            "+".to_string()
        } else {
            letter.capital.to_ascii_lowercase().to_string()
        }
    }

    /// The piece types that `color` may have, on the board or in hand.
    pub fn kinds_of(&self, color: Color) -> PieceTypeSet {
        self.side(color).kinds
    }

    /// The piece types to which a piece type of `color` may promote; empty if it does not promote.
    pub fn promotes_to(&self, color: Color, kind: PieceType) -> PieceTypeSet {
        self.side(color).promotion(kind).map_or(PieceTypeSet::EMPTY, |rule| rule.to)
    }

    /// What an attack on a royal means, if the game has any.
    pub fn royalty_kind(&self) -> Option<RoyaltyKind> {
        self.royalty.map(|royalty| royalty.kind)
    }

    /// Whether royals may be left attacked, and captured.
    pub(crate) fn captures_royals(&self) -> bool {
        self.royalty_kind() == Some(RoyaltyKind::Captured)
    }

    /// Which checkmates do not count as others.
    pub(crate) fn mate_rule(&self) -> Option<MateRule> {
        self.mate
    }

    /// The most pieces, by type, with which a player need not promote in place even if there is no other move.
    #[inline]
    pub(crate) fn may_stay(&self) -> Option<&[u8]> {
        self.may_stay.as_deref()
    }

    /// The rules that end the game, beyond mate, special ends and draws by few pieces.
    #[inline]
    pub fn end(&self) -> &EndRule {
        &self.end
    }

    /// The letters of the pieces that the capture of a piece of this type adds to the hands of captor and owner: an
    /// entry for the first one of a side that is captured, for the second, and so on.
    pub fn gains_of(&self, kind: PieceType) -> Vec<[Vec<String>; 2]> {
        let letters = |slots: &[usize]| {
            slots.iter().map(|&slot| self.piece(self.hand[slot]).letter.to_string()).collect()
        };
        let gains = self.piece(kind).gains.iter();
        gains.map(|gain| [letters(&gain.capturer), letters(&gain.owner)]).collect()
    }

    /// A piece as the definition has it for a side.
    pub(crate) fn written(&self, color: Color, kind: PieceType) -> &PieceTable {
        &self.written.pieces[color][kind.index()]
    }

    /// Where a captured piece goes.
    pub(crate) fn captured_to(&self, kind: PieceType) -> Capture {
        self.written.captured[kind.index()]
    }

    /// The named regions, as White sees them.
    pub(crate) fn regions(&self) -> impl Iterator<Item = Bitboard> + '_ {
        self.written.regions.values().copied()
    }

    /// The named regions with their names, as White sees them.
    pub(crate) fn named_region_sets(&self) -> impl Iterator<Item = (&str, Bitboard)> {
        self.written.regions.iter().map(|(name, set)| (name.as_str(), *set))
    }

    /// The squares on which some piece of `color` may promote.
    pub fn promotion_squares(&self, color: Color) -> Bitboard {
        let zones = self.kinds_of(color).map(|kind| self.promotion_zone(color, kind));
        zones.fold(Bitboard::EMPTY, |all, zone| all | zone)
    }

    /// Steps of `color`, written from its point of view, with the directions that they have on the board.
    pub(crate) fn turned(&self, color: Color, steps: &[Step]) -> Vec<Step> {
        self.written.seen_by_black.turned(color, steps)
    }

    /// The name of a region, if the definition gives it one.
    pub(crate) fn region_named(&self, set: Bitboard) -> Option<&str> {
        let mut regions = self.written.regions.iter();
        regions.find(|(_, region)| **region == set).map(|(name, _)| name.as_str())
    }

    /// The squares of a region that a definition names, as White sees them.
    pub(crate) fn squares_of(&self, region: &str) -> Bitboard {
        let regions = Regions { geometry: &self.geometry, named: &self.written.regions };
        regions.parse(region).unwrap_or_default() & self.geometry.squares()
    }

    /// The squares that are to `color` what `set` is to White.
    pub(crate) fn own(&self, color: Color, set: Bitboard) -> Bitboard {
        self.written.seen_by_black.own(&self.geometry, color, set)
    }

    /// The square that is to `color` what `square` is to White.
    pub(crate) fn own_square(&self, color: Color, square: Square) -> Square {
        self.written.seen_by_black.own_square(&self.geometry, color, square)
    }

    /// Whether the game has rights of pieces that have not moved: to castle, or to make a first move.
    pub fn has_rights(&self) -> bool {
        self.rights.any()
    }

    /// Which threats are chases, if a perpetual chase loses.
    #[inline]
    pub fn chase(&self) -> Option<&ChaseRule> {
        self.chase.as_ref()
    }

    /// When a player may declare the game won, if the game knows that.
    pub fn declaration(&self) -> Option<&DeclareRule> {
        self.declaration.as_ref()
    }

    /// Whether a rule of the game counts plies without progress.
    pub fn counts_moves(&self) -> bool {
        self.end.moves.is_some() || self.draw_rules().iter().any(|rule| rule.moves > 0)
    }

    /// Whether captured pieces go to the hand of their captor, as in shogi.
    pub fn captures_change_sides(&self) -> bool {
        let changes = |info: &PieceInfo| info.captured_slot.is_some() && !info.returns;
        self.kinds().any(|kind| changes(self.piece(kind)))
    }

    /// Whether the game begins with a setup phase.
    pub fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    /// The arrays from which a setup chooses, as the definition writes them; none if any rearrangement is possible.
    pub(crate) fn setup_rows(&self) -> &[String] {
        self.setup.as_ref().map_or(&[], |rule| &rule.rows)
    }

    /// The piece types that the setup phase may rearrange.
    pub fn setup_kinds(&self) -> PieceTypeSet {
        self.setup.as_ref().map_or(PieceTypeSet::EMPTY, |rule| rule.pieces)
    }
}
