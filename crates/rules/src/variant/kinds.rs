//! What the piece types of a game can do, and become.

use super::{PieceInfo, Shift, Variant};
use crate::bitboard::Bitboard;
use crate::types::{Color, Letter, Piece, PieceType, PieceTypeSet, Square};

impl Variant {
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

    /// Whether the pieces of a type, which attack these squares and stand still, are known to attack the same when
    /// `changed` squares become occupied or empty: those that leap do, and those that slide if they attack none of them.
    ///
    /// ```
    /// use garrison_rules::{Bitboard, Color, Letter, Position, find};
    ///
    /// let chess = find("chess")?;
    /// let position = Position::start(&chess);
    /// let bishop = chess.kind_of(Letter { capital: 'B', promoted: false }).expect("a bishop");
    /// let attacks = position.attacked_by_type(Color::White, bishop); // b2, d2, e2 and g2
    /// let squares = ["e2", "e4"].map(|name| chess.geometry().parse_square(name).expect("a square").0);
    /// let [e2, e4] = squares.map(Bitboard::of);
    /// assert!(chess.keeps_attacks(Color::White, bishop, attacks, e4));
    /// assert!(!chess.keeps_attacks(Color::White, bishop, attacks, e2 | e4));
    /// # Ok::<(), garrison_rules::UnknownGame>(())
    /// ```
    #[inline]
    pub fn keeps_attacks(
        &self,
        color: Color,
        kind: PieceType,
        attacks: Bitboard,
        changed: Bitboard,
    ) -> bool {
        let moves = self.side(color).moves(kind);
        let blockable = moves.slides.is_some() && attacks.meets(changed);
        !blockable && moves.hops.is_none() && moves.irregular.is_none()
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
        if let Some(paths) = moves.paths() {
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

    /// The value of a piece type in centipawns that the definition writes; none if it is only estimated by the
    /// number of moves.
    pub fn written_value(&self, kind: PieceType) -> Option<i32> {
        self.written(Color::White, kind).value
    }

    /// The squares on which a move of a piece type of `color` must promote.
    pub fn forced_promotion(&self, color: Color, kind: PieceType) -> Bitboard {
        self.side(color).promotion(kind).map_or(Bitboard::EMPTY, |rule| rule.forced)
    }

    /// The squares on which some piece of `color` may promote.
    pub fn promotion_squares(&self, color: Color) -> Bitboard {
        let zones = self.kinds_of(color).map(|kind| self.promotion_zone(color, kind));
        zones.fold(Bitboard::EMPTY, |all, zone| all | zone)
    }

    /// The piece types to which a piece type of `color` may promote; empty if it does not promote.
    pub fn promotes_to(&self, color: Color, kind: PieceType) -> PieceTypeSet {
        self.side(color).promotion(kind).map_or(PieceTypeSet::EMPTY, |rule| rule.to)
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

    /// The pieces that may come from hand when a piece leaves the square on which it started.
    pub fn gated_kinds(&self) -> PieceTypeSet {
        self.gating.map_or(PieceTypeSet::EMPTY, |gating| gating.kinds)
    }

    /// The piece types that the setup phase may rearrange.
    pub fn setup_kinds(&self) -> PieceTypeSet {
        self.setup.as_ref().map_or(PieceTypeSet::EMPTY, |rule| rule.pieces)
    }

    /// The first royal piece type, if the game has any.
    #[inline]
    pub fn royal(&self) -> Option<PieceType> {
        self.royalty.map(|royalty| royalty.piece)
    }

    /// All royal piece types.
    #[inline]
    pub fn royals(&self) -> PieceTypeSet {
        self.royalty.map_or(PieceTypeSet::EMPTY, |royalty| royalty.pieces)
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

    /// Whether captured pieces go to the hand of their captor, as in shogi.
    pub fn captures_change_sides(&self) -> bool {
        let changes = |info: &PieceInfo| info.captured_slot.is_some() && !info.returns;
        self.kinds().any(|kind| changes(self.piece(kind)))
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
}
