//! A game as data: what a definition says, compiled to tables.

mod builtin;
mod compile;
mod definition;
mod error;
mod load;
mod paths;
mod region;
mod rights;
mod schema;
mod tables;
mod words;

use std::sync::Arc;

pub use builtin::{all_names, builtin_names, find, own_names, reference_names};
pub use definition::Definition;
pub use error::{DefinitionError, Fault};
pub use load::{DefinitionFile, add, load};
pub(crate) use rights::{Rights, checks_of, with_check, without_checks};
pub use tables::Shift;
pub(crate) use tables::{Castle, Extras, OnCapture, PieceMoves, Promotion, Side};
pub use words::{Capture, EndResult, NoMoves, Repeated, RoyaltyKind};
use words::{OneSide, SeenByBlack};

use super::attacks::Geometry;
use super::bitboard::Bitboard;
pub use super::types::Letter;
use super::types::{Color, PerColor, PieceType, PieceTypeSet, Square};

/// What one fallen piece gives to the two hands, as hand slots.
#[derive(Debug, Clone, Default)]
pub struct GainSlots {
    /// To the hand of the side that captured it.
    pub capturer: Vec<usize>,
    /// To the hand of the side that lost it.
    pub owner: Vec<usize>,
}

/// A piece type.
#[derive(Debug, Clone)]
pub struct PieceInfo {
    /// How it is written.
    pub letter: Letter,
    /// What it is called.
    pub name: String,
    /// How it moves; empty if it never does.
    pub betza: String,
    /// What it is roughly worth, in hundredths of a pawn.
    pub value: i32,
    /// The pieces a reserve becomes when it is dropped; empty for any other piece.
    pub reserve: PieceTypeSet,
    /// Whether its moves reset the move count.
    pub zeroing: bool,
    /// What it counts at an impasse.
    pub points: u32,
    /// Its slot in the hands, if it can be in hand.
    pub slot: Option<usize>,
    /// The slot that it goes to when it is captured, if captured pieces go to the hand.
    pub captured_slot: Option<usize>,
    /// Whether that is a slot of its owner.
    pub returns: bool,
    /// What its capture gives, for the first, second, … of its side to fall.
    pub gains: Vec<GainSlots>,
    /// Whether a double step may be answered by an en-passant capture; `None` if it makes none.
    pub double_step: Option<bool>,
}

/// The royal pieces and what becomes of them.
#[derive(Debug, Clone, Copy)]
pub struct Royalty {
    /// The first of the royal kinds.
    pub piece: PieceType,
    /// All of them.
    pub pieces: PieceTypeSet,
    /// What becomes of them.
    pub kind: RoyaltyKind,
    /// The piece after whose last fall the royal appears.
    pub late: Option<PieceType>,
    /// Royals on one file with nothing between attack each other.
    pub facing: bool,
    /// Whether a move may give check.
    pub checking: bool,
}

impl Royalty {
    /// Whether royals that face each other are in check, so that neither side may open the file.
    #[inline]
    pub fn faces_as_check(&self) -> bool {
        self.facing && self.kind != RoyaltyKind::Captured
    }

    /// Whether a royal may capture the one that it faces.
    #[inline]
    pub fn shoots(&self) -> bool {
        self.facing && self.kind == RoyaltyKind::Captured
    }
}

/// The setup phase: each side in turn may rearrange these pieces over the free squares of one rank.
#[derive(Debug, Clone)]
pub(crate) struct SetupRule {
    pub pieces: PieceTypeSet,
    pub squares: PerColor<Bitboard>,
}

/// When the game ends, beyond mate.
#[derive(Debug, Clone, Copy)]
pub struct EndRule {
    /// What becomes of a player without a legal move who is not in check.
    pub no_moves: NoMoves,
    /// Whether a player with nothing but his royal loses.
    pub bare_king: bool,
    /// The occurrence of a position that ends the game.
    pub repetition: u32,
    /// Who wins then.
    pub repeated: Repeated,
    /// Whether the side that alone checked with every move loses at that occurrence.
    pub perpetual_check: bool,
    /// At that occurrence, the only player with more than this many points wins.
    pub impasse: Option<u32>,
    /// The number of plies without progress that makes a draw.
    pub moves: Option<u16>,
    /// Whether a draw by repetition, move count or few pieces must be claimed: who is asked for a move then
    /// has one.
    pub claim: bool,
    /// After this many passes in a row the player with more points wins.
    pub passes: Option<u8>,
    /// What Black is given in points then, in tenths.
    pub bonus: u32,
    /// Whether royals that face each other may be answered by a pass, which ends the game by points.
    pub facing: bool,
    /// Who gives check for this time wins.
    pub checks: Option<u8>,
}

/// Another way in which a game ends, looked at on the board.
#[derive(Debug, Clone, Copy)]
pub struct When {
    /// A side that has not more than `count` of these pieces, on the board and in hand.
    pub lacks: Option<PieceTypeSet>,
    /// The most of them at which it holds.
    pub count: u32,
    /// Whether both sides must lack them.
    pub both: bool,
    /// The side that has just moved has a piece on one of these squares.
    pub reaches: PerColor<Bitboard>,
    /// Which pieces count for that.
    pub pieces: PieceTypeSet,
    /// Only those that the other side cannot capture there.
    pub safe: bool,
    /// Whether it is looked at after Black's moves only, for both sides.
    pub answer: bool,
    /// What it means for that side.
    pub result: EndResult,
}

/// A draw because of what pieces are left, at once or after some plies without progress.
#[derive(Debug, Clone)]
pub struct DrawRule {
    /// What one side has at most: how many of each kind.
    pub side: Vec<u8>,
    /// What the other has at most, if that matters.
    pub other: Option<Vec<u8>>,
    /// What the other has at least.
    pub has: Vec<u8>,
    /// What neither has.
    pub none: PieceTypeSet,
    /// The plies without progress that make the draw; 0 if it is one at once.
    pub moves: u16,
    /// For how many of those plies every piece on the board counts.
    pub per_piece: u8,
}

/// What can end a game on the board: found once, so that no game looks for what it has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decides {
    /// Nothing but the lack of moves.
    Nothing,
    /// The capture of the only royal.
    Captured,
    /// A bare king.
    Bare,
    /// Several such rules, or others.
    More,
}

/// What a person wants to know of a game.
#[derive(Debug, Clone, Default)]
pub struct Info {
    /// The game's title.
    pub title: String,
    /// Who invented it.
    pub inventor: String,
    /// Where the rules were published.
    pub page: String,
    /// The special rules, a sentence or two each.
    pub rules: Vec<String>,
    /// What is played where the inventor's page is silent.
    pub rulings: Vec<String>,
    /// The names of the two armies, if the game has different ones.
    pub armies: Option<PerColor<String>>,
}

/// A game, ready to be played: immutable, shared by all positions of it.
#[derive(Debug)]
pub struct Variant {
    name: String,
    aliases: Vec<String>,
    family: String,
    info: Info,
    start_fen: String,
    geometry: Arc<Geometry>,
    pieces: Vec<PieceInfo>,
    hand: Vec<PieceType>,
    sides: PerColor<Side>,
    pub(crate) royalty: Option<Royalty>,
    /// Whether a side may have several royals all of which must be kept safe.
    pub(crate) several_royals: bool,
    /// Whether attacks on a royal are more than leaps and lines, or there may be several royals.
    pub(crate) odd_attacks: bool,
    pub(crate) setup: Option<SetupRule>,
    end: EndRule,
    pub(crate) whens: Vec<When>,
    pub(crate) draws: Vec<DrawRule>,
    /// The most pieces on the board with which one of the draws is possible.
    pub(crate) few_pieces: u32,
    pub(crate) decides: Decides,
    /// While a player has one of these in hand, he may only drop such pieces.
    pub(crate) must_drop: PieceTypeSet,
    /// Whether a player who is not in check may pass.
    pub(crate) pass: bool,
    /// Whether a player who can capture must.
    pub(crate) must_capture: bool,
    /// Whether no move may give check.
    pub(crate) checkless: bool,
    /// Whether one of the three holds at times.
    pub(crate) compels: bool,
    pub(crate) rights: Rights,
}

impl Variant {
    /// The name in every protocol.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether this is its name, or another name for it.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// The name of the text that defines it: `swda` for all sixteen games `swda-oo` to `swda-aa`,
    /// which share their pieces.
    pub fn family(&self) -> &str {
        &self.family
    }

    /// Title, inventor, rules in words.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The start position.
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

    /// What a piece type is.
    #[inline]
    pub fn piece(&self, kind: PieceType) -> &PieceInfo {
        &self.pieces[kind.index()]
    }

    /// The kind that is written with this letter.
    pub fn kind_of(&self, letter: Letter) -> Option<PieceType> {
        self.kinds().find(|&kind| self.piece(kind).letter == letter)
    }

    /// Whether the piece of this letter and the promoted one of the same letter move alike, as in crazyhouse:
    /// the one differs from the other only when it is captured.
    pub fn has_double(&self, capital: char) -> bool {
        let betza = |promoted| {
            let kind = self.kind_of(Letter { capital, promoted })?;
            Some(&self.piece(kind).betza)
        };
        matches!((betza(false), betza(true)), (Some(own), Some(double)) if own == double)
    }

    /// The kinds that can be in hand, in the order in which a FEN lists them: slot by slot.
    #[inline]
    pub fn hand_kinds(&self) -> &[PieceType] {
        &self.hand
    }

    /// The tables of one side.
    #[inline]
    pub(crate) fn side(&self, color: Color) -> &Side {
        &self.sides[color]
    }

    /// The steps of a kind of `color` that all pieces of the kind can make at once; empty if it has others
    /// as well.
    #[inline]
    pub fn shifts(&self, color: Color, kind: PieceType) -> &[Shift] {
        &self.side(color).moves(kind).shifts
    }

    /// The kinds of `color` that move.
    #[inline]
    pub fn movers(&self, color: Color) -> PieceTypeSet {
        self.side(color).movers
    }

    /// The squares on which a kind of `color` may stand, wherever it may be dropped or come to be.
    pub fn standing_squares(&self, color: Color, kind: PieceType) -> Bitboard {
        let side = self.side(color);
        side.region[kind.index()] & !side.never[kind.index()]
    }

    /// The squares on which a move of a kind of `color` must promote it.
    pub fn forced_promotion(&self, color: Color, kind: PieceType) -> Bitboard {
        self.side(color).promotion(kind).map_or(Bitboard::EMPTY, |rule| rule.forced)
    }

    /// The letters of the castling rights of `color` in a FEN.
    pub fn castling_letters(&self, color: Color) -> impl Iterator<Item = char> + '_ {
        self.side(color).castles.iter().map(|castle| castle.letter)
    }

    /// The bit of the right to castle that has this letter in a FEN.
    pub(crate) fn castling_bit(&self, letter: char) -> Option<u32> {
        let mut castles = Color::ALL.into_iter().flat_map(|color| &self.side(color).castles);
        castles.find(|castle| castle.letter == letter).map(|castle| castle.right)
    }

    /// The bit of the right of the piece on a square to make its first move; 0 if there is none.
    pub(crate) fn first_move_bit(&self, square: Square) -> u32 {
        self.rights.first(square)
    }

    /// The royal pieces and what becomes of them, if the game has any.
    pub fn royalty(&self) -> Option<&Royalty> {
        self.royalty.as_ref()
    }

    /// Whether a move may give check.
    pub fn forbids_checks(&self) -> bool {
        self.checkless
    }

    /// The further ways in which the game ends, in the order in which they are looked at.
    pub fn special_ends(&self) -> &[When] {
        &self.whens
    }

    /// The draws because of what pieces are left; the first that speaks of them counts.
    pub fn draw_rules(&self) -> &[DrawRule] {
        &self.draws
    }

    /// The royal kind, the first one if there are several, if the game has one.
    #[inline]
    pub fn royal(&self) -> Option<PieceType> {
        self.royalty.map(|royalty| royalty.piece)
    }

    /// The royal that must be placed as soon as it is in hand: it is none where the pieces are placed one by
    /// one, and the royal has its time.
    #[inline]
    pub(crate) fn late_royal(&self) -> Option<PieceType> {
        self.royal().filter(|&royal| !self.must_drop.contains(royal))
    }

    /// All royal kinds.
    #[inline]
    pub fn royals(&self) -> PieceTypeSet {
        self.royalty.map_or(PieceTypeSet::EMPTY, |royalty| royalty.pieces)
    }

    /// What stands behind a move, or a drop, by which a `kind` becomes another: `+` for its own
    /// promoted form, else a small letter.
    pub fn suffix(&self, kind: PieceType, becomes: PieceType) -> String {
        let (own, letter) = (self.piece(kind).letter, self.piece(becomes).letter);
        if letter.promoted && (own.capital == letter.capital || own.promoted) {
            "+".to_string()
        } else {
            letter.capital.to_ascii_lowercase().to_string()
        }
    }

    /// The kinds that `color` may have, on the board or in hand.
    pub fn kinds_of(&self, color: Color) -> PieceTypeSet {
        self.side(color).pieces
    }

    /// The kinds that a piece of `color` may promote to; empty if it does not promote.
    pub fn promotes_to(&self, color: Color, kind: PieceType) -> PieceTypeSet {
        self.side(color).promotions[kind.index()]
            .as_ref()
            .map_or(PieceTypeSet::EMPTY, |rule| rule.to)
    }

    /// What becomes of the royal piece, if the game has one.
    pub fn royalty_kind(&self) -> Option<RoyaltyKind> {
        self.royalty.map(|royalty| royalty.kind)
    }

    /// Whether royals may be left attacked and captured.
    pub(crate) fn captures_royals(&self) -> bool {
        self.royalty_kind() == Some(RoyaltyKind::Captured)
    }

    /// When the game ends, beyond mate.
    #[inline]
    pub fn end(&self) -> &EndRule {
        &self.end
    }

    /// The letters of the pieces that the capture of a `kind` puts into the hands of its captor and of
    /// its owner, for the first, second, … to fall.
    pub fn gains_of(&self, kind: PieceType) -> Vec<[Vec<String>; 2]> {
        let letters = |slots: &[usize]| {
            slots.iter().map(|&slot| self.piece(self.hand[slot]).letter.to_string()).collect()
        };
        let gains = self.piece(kind).gains.iter();
        gains.map(|gain| [letters(&gain.capturer), letters(&gain.owner)]).collect()
    }

    /// Whether a piece can have a right to castle or to make a first move.
    pub fn has_rights(&self) -> bool {
        self.rights.any()
    }

    /// Whether a setup phase precedes the first move.
    pub fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    /// The kinds that the setup phase may rearrange.
    pub fn setup_kinds(&self) -> PieceTypeSet {
        self.setup.as_ref().map_or(PieceTypeSet::EMPTY, |rule| rule.pieces)
    }
}
