//! The text of a game: what a `games/*.toml` file may say.
//!
//! Every key is optional in the file, because a game may be given as a base game and differences;
//! what a complete game needs is checked when the definition is compiled to a
//! [`Variant`](super::Variant).

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::DeValue;

use super::schema::{Keyed, Rest, Source, check_table};
use super::words::{
    Capture, EachMove, EndDrawn, EndResult, FacingAlong, NoMoves, OneSide, Repeated, RoyaltyKind,
    SeenByBlack,
};
use super::{DefinitionError, Letter};
use crate::types::Color;

/// Keys that had another name: the table that holds them (`*` for any), the old name, the new one.
pub(super) const RENAMED: [(&str, &str, &str); 6] = [
    ("", "men", "pieces"),
    ("royalty", "man", "piece"),
    ("setup", "men", "pieces"),
    ("end.when", "men", "pieces"),
    ("end.draw", "per_man", "per_piece"),
    ("armies.*", "men", "pieces"),
];

/// A part of a definition that can be put over the same part of its base.
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

replaced!(bool, u8, u16, u32, i32, String, Vec<String>, Vec<Gain>, Vec<ExtraMove>, Vec<Castling>);
replaced!(
    Vec<EndWhen>,
    Vec<EndDraw>,
    Vec<EndCount>,
    Vec<Unchased>,
    Vec<ChasedThough>,
    Capture,
    RoyaltyKind,
    NoMoves,
    EndResult,
    EndDrawn,
    EachMove,
    FacingAlong,
    Repeated,
    SeenByBlack,
    OneSide
);

/// Declares a table of optional keys.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Option<$type>,)*
        }

        impl Overlay for $name {
            fn over(self, base: Self) -> Self {
                $name { $($field: self.$field.over(base.$field),)* }
            }
        }

        impl Keyed for $name {
            const EXPECTED: &'static str = "a table of keys";
            const KEYS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn check(source: &Source, value: &Spanned<DeValue>, key: &str) {
                check_table(source, value, key, &[
                    $((stringify!($field), <$type as Keyed>::check),)*
                ]);
            }
        }
    };
}

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
    /// `[pieces.X]`: a piece. A promoted form has the letter `+X`.
    PieceTable {
        /// Its name.
        name: String,
        /// What it is called when another piece has become it.
        promoted_name: String,
        /// How it moves; a piece without this never moves.
        betza: String,
        /// What it is roughly worth, in hundredths of a pawn.
        value: i32,
        /// Moves that it has on some squares only.
        extra: Vec<ExtraMove>,
        /// Further moves, without capture, that it has until it has moved. Field 3 of a FEN lists the squares of
        /// the pieces that have not, behind the castling letters.
        first: String,
        /// Enemy pieces: it loses its first moves when one of them moves to where it would attack it on an empty board.
        first_lost: String,
        /// The pieces that it cannot capture.
        spares: String,
        /// The pieces that it cannot hop over.
        not_over: String,
        /// What it becomes when it captures: a piece, `taken` for what it captured, or `stone`.
        on_capture: String,
        /// The squares it may move to.
        region: String,
        /// The squares it can never stand on nor move to (where it must promote it cannot stand either).
        never: String,
        /// What it becomes, and where.
        promotion: PromotionTable,
        /// Two steps at once.
        double_step: DoubleStepTable,
        /// What it is in the hand of its captor, if that is something else.
        in_hand: String,
        /// Where it goes when it is captured, if not where others go.
        captured: Capture,
        /// Where it may be dropped.
        drop: DropTable,
        /// It exists in hand only and becomes one of these pieces when it is dropped.
        reserve: String,
        /// What its capture puts into the hands, for the first, second, … of a side to be captured.
        gains: Vec<Gain>,
        /// The most a side may have, in hand and on the board.
        limit: u8,
        /// Its moves reset the move count.
        zeroing: bool,
        /// What it counts at an impasse (default 1).
        points: u8,
        /// The only side that has it.
        only: OneSide,
        /// What is different for White.
        white: SideTable,
        /// What is different for Black.
        black: SideTable,
    }
}

table! {
    /// `[pieces.X.white]`, `[pieces.X.black]`: what is different for one side.
    SideTable {
        /// How it moves.
        betza: String,
        /// Moves that it has on some squares only.
        extra: Vec<ExtraMove>,
        /// Further moves that it has until it has moved.
        first: String,
        /// The squares it may move to.
        region: String,
        /// The squares it can never stand on.
        never: String,
        /// What it becomes, and where.
        promotion: PromotionTable,
        /// Two steps at once.
        double_step: DoubleStepTable,
        /// Where it may be dropped.
        drop: DropTable,
        /// The most this side may have.
        limit: u8,
    }
}

table! {
    /// `[[pieces.X.extra]]`
    ExtraMove {
        /// The moves.
        betza: String,
        /// The squares on which it has them (all).
        from: String,
        /// The squares that they may lead to (all of its region).
        to: String,
    }
}

table! {
    /// `[pieces.X.promotion]`
    PromotionTable {
        /// Where a move must end.
        zone: String,
        /// Where a move must promote.
        forced: String,
        /// What it may become.
        to: String,
        /// Whether a move out of the zone may promote as well.
        leaving: bool,
        /// Whether it may become only a piece of which its side has fewer than the limit.
        limited: bool,
        /// Whether pieces of the same letter, with and without +, count together for that.
        together: bool,
        /// Whether a piece that starts in the zone may promote only by capturing, wherever it goes.
        once: bool,
        /// Squares of the zone on which it may promote nevertheless.
        late: String,
        /// Whether it promotes where it stands in the zone, as a turn of its own, and not by its moves.
        in_place: bool,
        /// With that, steps to an empty square by which a piece in the zone may promote as well, in Betza notation.
        by: String,
        /// With that, whether the last piece of its type may promote wherever it stands.
        alone: bool,
        /// With that, whether it may promote only where the new piece attacks nothing and no check follows.
        peaceful: bool,
    }
}

table! {
    /// `[pieces.X.double_step]`
    DoubleStepTable {
        /// Where it may start.
        from: String,
        /// The single step that it makes twice (default `fW`, straight ahead).
        along: String,
        /// Whether it may be captured in passing, on the next ply, by a piece of the same type that could have captured
        /// it on the square passed.
        en_passant: bool,
        /// The pieces that may do so (default the same type).
        en_passant_by: String,
    }
}

table! {
    /// `[pieces.X.drop]`
    DropTable {
        /// Where, within the piece's own region and not where it can never stand (default: all of that
        /// but the squares where it would have to promote had it moved there).
        region: String,
        /// Not next to an enemy piece of this type.
        not_beside: String,
        /// Not on a file with this many own pieces of the same type.
        per_file: u8,
        /// Not on a square of a color on which an own piece of the same type stands.
        other_color: bool,
        /// Whether the drop may end the game (default true).
        mate: bool,
        /// Whether the drop may give check (default true).
        check: bool,
    }
}

table! {
    /// `[royalty]`
    RoyaltyTable {
        /// The royal piece, or several.
        piece: String,
        /// What becomes of it (default absolute).
        kind: RoyaltyKind,
        /// It appears only when the last piece of this type of its side has been captured.
        late: String,
        /// Royals on one file with nothing between attack each other.
        facing: bool,
        /// The lines on which they do (default files).
        facing_along: FacingAlong,
        /// Whether a move may give check (default true).
        checking: bool,
        /// Whether a royal in check may go elsewhere than to the piece that checks it (default true).
        flees: bool,
    }
}

table! {
    /// `[blast]`
    BlastTable {
        /// How far from the square of a capture pieces are removed, in king's steps. The piece that captures is
        /// removed even if it is 0.
        radius: u8,
        /// The pieces that are removed only where they capture or are captured.
        spares: String,
        /// The pieces that are not removed even where they capture.
        immune: String,
    }
}

table! {
    /// `[gating]`
    GatingTable {
        /// The pieces in hand that may come.
        pieces: String,
        /// The squares to which they may come: when the piece that starts there leaves it for the first time.
        squares: String,
    }
}

table! {
    /// `[stones]`
    StonesTable {
        /// What every move does with them.
        each_move: EachMove,
        /// The squares on which it may put one, the same for both sides (all).
        squares: String,
    }
}

table! {
    /// `[trade]`
    TradeTable {
        /// The pieces, all alike. One captures another that is not adjacent only where it cannot be recaptured; and if
        /// another piece captures one, no other piece may at once capture one elsewhere.
        pieces: String,
        /// The pieces whose capture by the first of two legs does not lift the first of these rules.
        cheap: String,
    }
}

table! {
    /// `[[castling]]`: as White sees it.
    Castling {
        /// The squares from which and to which the king goes: `e1g1`.
        king: String,
        /// The squares from which and to which the rook goes: `h1f1`.
        rook: String,
        /// The only side that may castle so.
        only: OneSide,
        /// The letters of king and rook, which gain the right when the second of them is dropped on its square.
        dropped: String,
    }
}

table! {
    /// `[setup]`
    SetupTable {
        /// The pieces that may be rearranged.
        pieces: String,
        /// The own rank over whose free squares they may be rearranged.
        rank: u8,
        /// Instead of `pieces`: the rows, as a FEN writes them for White, of which a player chooses one for that rank.
        arrays: Vec<String>,
    }
}

table! {
    /// `[end]`
    EndTable {
        /// The result for a player who has no legal move and is not in check.
        no_moves: NoMoves,
        /// The result for a player who has no legal move and is in check (default loss).
        checkmate: NoMoves,
        /// The pieces with which a player need not promote in place: who has no more than these and no other legal move,
        /// and is not in check, has the result of `no_moves`.
        may_stay: String,
        /// Who wins what would be a draw otherwise (default nobody).
        drawn: EndDrawn,
        /// Whether a player with nothing but a royal loses.
        bare_king: bool,
        /// The occurrence of a position that ends the game (default 3).
        repetition: u8,
        /// Who wins at that occurrence (default nobody).
        repeated: Repeated,
        /// At that occurrence, the side that alone checked with every move loses.
        perpetual_check: bool,
        /// Otherwise, the side that alone chased the same enemy piece with every move loses.
        perpetual_chase: bool,
        /// Which threats are chases.
        chase: ChaseTable,
        /// Which checkmates do not count as others.
        mate: MateTable,
        /// At that occurrence, the only player with more than this many points wins.
        impasse: u32,
        /// The number of plies without progress that makes a draw (0: none are).
        moves: u16,
        /// Who wins after so many plies (default nobody).
        counted: Repeated,
        /// Whether draws by occurrences, plies and few pieces must be claimed: the engine plays on.
        claim: bool,
        /// After this many passes in a row the player with more points wins (0: never).
        passes: u8,
        /// What the side that moves second is given in points, in tenths.
        bonus: u16,
        /// Whether royals that face each other on an open file must be parted by the next move, unless
        /// the player passes, even in check: that ends the game as enough passes do.
        facing: bool,
        /// The player who gives this many checks wins (0: checks are not counted).
        checks: u8,
        /// When a player whose king has entered the enemy's camp may declare the game won.
        declare: DeclareTable,
        /// Other ends of the game, in the order in which they are checked.
        when: Vec<EndWhen>,
        /// Draws by few pieces; the first rule that matches the pieces counts.
        draw: Vec<EndDraw>,
        /// When a player who has little left counts moves, and how far; the first rule that matches the pieces counts.
        count: Vec<EndCount>,
    }
}

table! {
    /// `[end.mate]`
    MateTable {
        /// The player who is mated wins if only these pieces give check.
        never_by: String,
        /// Any other mate is a draw unless one of these pieces gave check in it or in the unbroken series of checks that
        /// led to it.
        needs: String,
    }
}

table! {
    /// `[end.chase]`
    ChaseTable {
        /// The pieces that never chase.
        never_by: String,
        /// The pieces that are never chased.
        never_of: Vec<Unchased>,
        /// The pieces that are chased even where they are protected.
        even_protected: Vec<ChasedThough>,
    }
}

table! {
    /// `[[end.chase.never_of]]`
    Unchased {
        /// The pieces that are never chased.
        pieces: String,
        /// The squares on which they are not, as their owner sees them (all).
        on: String,
    }
}

table! {
    /// `[[end.chase.even_protected]]`
    ChasedThough {
        /// The pieces that chase.
        by: String,
        /// The pieces that they chase even where these are protected.
        of: String,
    }
}

table! {
    /// `[end.declare]`
    DeclareTable {
        /// Where the royal must stand, and what else counts.
        zone: String,
        /// The fewest other pieces there.
        pieces: u8,
        /// The fewest points that White needs there and in hand; 0 if nobody may declare.
        white: u16,
        /// Those that Black needs (default as White).
        black: u16,
    }
}

table! {
    /// `[[end.when]]`
    EndWhen {
        /// A side that has none of these pieces left on the board and in hand (or no more than `count`).
        lacks: String,
        /// The most pieces of `lacks` at which it holds (default 0).
        count: u8,
        /// Whether both sides must lack them.
        both: bool,
        /// The fewest pieces of `lacks` that the other side must have (default 0).
        enemy: u8,
        /// The side that has just moved has a piece on one of these squares.
        reaches: String,
        /// Which pieces count for `reaches` (default all).
        pieces: String,
        /// Only those that the other side cannot capture there.
        safe: bool,
        /// Black may still answer where a move of his reaches the squares at once; it is a draw if it holds for both then.
        answer: bool,
        /// The other side may always answer: it holds if a piece still stands there after the reply.
        kept: bool,
        /// What it means for that side.
        result: EndResult,
    }
}

table! {
    /// `[[end.draw]]`
    EndDraw {
        /// The most that one side has left: each piece as often as its letter is written.
        side: String,
        /// The same of the other side (default anything).
        other: String,
        /// Pieces that the other side has at least.
        has: String,
        /// Pieces that neither side has.
        none: String,
        /// Pieces that all stand on squares of one color, whoever they belong to. Not where pieces can be dropped.
        one_color: String,
        /// The plies without progress that make the draw (default 0: it is one at once).
        moves: u16,
        /// Every piece on the board counts as this many of these plies (default 0).
        per_piece: u8,
    }
}

table! {
    /// `[[end.count]]`
    EndCount {
        /// The most that the player who counts has left: each piece as often as its letter is written (default
        /// anything).
        side: String,
        /// The most pieces that this player has, whatever they are (default any number).
        pieces: u8,
        /// Pieces that the opponent has at least.
        has: String,
        /// Pieces that neither side has.
        none: String,
        /// How far the count may go, in plies; 0 if with these pieces nobody counts.
        moves: u16,
        /// Every piece on the board counts as this many plies when the count begins (default 0).
        per_piece: u8,
        /// Whether the count begins anew at every capture and promotion after which the rule fits.
        anew: bool,
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

table! {
    /// `[[pieces.X.gains]]`: what a captured piece puts into the hands.
    Gain {
        /// To the side that captured it.
        capturer: String,
        /// To the side that lost it.
        owner: String,
    }
}

impl PieceTable {
    /// Whether it says where the piece may be dropped.
    pub(crate) fn says_drops(&self) -> bool {
        let of_side =
            |side: &Option<SideTable>| side.as_ref().is_some_and(|side| side.drop.is_some());
        self.drop.is_some() || of_side(&self.white) || of_side(&self.black)
    }

    /// The piece as one side has it.
    pub(super) fn of_side(&self, color: Color) -> PieceTable {
        let side = match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        };
        let mut piece = self.clone();
        let Some(side) = side.clone() else { return piece };
        piece.betza = side.betza.over(piece.betza);
        piece.extra = side.extra.over(piece.extra);
        piece.first = side.first.over(piece.first);
        piece.region = side.region.over(piece.region);
        piece.never = side.never.over(piece.never);
        piece.promotion = side.promotion.over(piece.promotion);
        piece.double_step = side.double_step.over(piece.double_step);
        piece.drop = side.drop.over(piece.drop);
        piece.limit = side.limit.over(piece.limit);
        piece
    }
}

impl ChaseTable {
    /// Takes pieces out of it that a game does not have.
    fn leave_out(&mut self, without: &[Letter]) {
        let never_of = self.never_of.iter_mut().flatten().map(|unchased| &mut unchased.pieces);
        let strong = self.even_protected.iter_mut().flatten();
        let strong = strong.flat_map(|though| [&mut though.by, &mut though.of]);
        for text in never_of.chain(strong).chain([&mut self.never_by]).flatten() {
            leave_out(text, without);
        }
    }
}

/// Takes letters out of a text of them.
fn leave_out(text: &mut String, without: &[Letter]) {
    let letters = Letter::split(text).unwrap_or_default();
    let left = letters.iter().filter(|letter| !without.contains(letter));
    *text = left.map(Letter::to_string).collect();
}

impl EndCount {
    /// Takes pieces out of it that a game does not have. Whether the rule can still fit: not if it needs one of them.
    fn leave_out(&mut self, without: &[Letter]) -> bool {
        for text in [&mut self.side, &mut self.none].into_iter().flatten() {
            leave_out(text, without);
        }
        let needed = self.has.as_deref().and_then(Letter::split).unwrap_or_default();
        !needed.iter().any(|letter| without.contains(letter))
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
