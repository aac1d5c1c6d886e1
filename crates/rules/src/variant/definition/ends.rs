//! What a definition says of how the game ends: `[end]`.

use super::overlay::table;
use crate::variant::Letter;
use crate::variant::words::{EndDrawn, EndResult, NoMoves, Repeated};

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

impl ChaseTable {
    /// Takes pieces out of it that a game does not have.
    pub(super) fn leave_out(&mut self, without: &[Letter]) {
        let never_of = self.never_of.iter_mut().flatten().map(|unchased| &mut unchased.pieces);
        let strong = self.even_protected.iter_mut().flatten();
        let strong = strong.flat_map(|though| [&mut though.by, &mut though.of]);
        for text in never_of.chain(strong).chain([&mut self.never_by]).flatten() {
            leave_out(text, without);
        }
    }
}

impl EndCount {
    /// Takes pieces out of it that a game does not have. Whether the rule can still fit: not if it needs one of them.
    pub(super) fn leave_out(&mut self, without: &[Letter]) -> bool {
        for text in [&mut self.side, &mut self.none].into_iter().flatten() {
            leave_out(text, without);
        }
        let needed = self.has.as_deref().and_then(Letter::split).unwrap_or_default();
        !needed.iter().any(|letter| without.contains(letter))
    }
}

/// Takes letters out of a text of them.
fn leave_out(text: &mut String, without: &[Letter]) {
    let letters = Letter::split(text).unwrap_or_default();
    let left = letters.iter().filter(|letter| !without.contains(letter));
    *text = left.map(Letter::to_string).collect();
}
