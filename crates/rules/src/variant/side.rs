//! The rules of one side: a [`PieceRules`] for each piece type, and the sets and tables that follow from them.

use super::RoyaltyKind;
use super::moves::{OnCapture, PieceMoves, Table, empty_table};
use super::royalty::Royalty;
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{PieceType, PieceTypeSet};

/// How a piece in hand may be dropped.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DropRule {
    /// The squares on which it may be dropped.
    pub zone: Bitboard,
    /// It may not be dropped next to an enemy piece of this type.
    pub not_beside: Option<PieceType>,
    /// The most pieces of its type that its side may have on a file.
    pub per_file: Option<u8>,
    /// Whether a drop that mates is illegal.
    pub no_mate: bool,
    /// It may not be dropped on a square of a color on which its side has a piece of its type.
    pub other_color: bool,
    /// It may not be dropped so that it gives check.
    pub no_check: bool,
}

/// Where and to what a piece type promotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Promotion {
    /// A move to one of these squares may promote.
    pub zone: Bitboard,
    /// A move to one of these squares must promote; part of the zone.
    pub forced: Bitboard,
    /// The piece types to choose from.
    pub to: PieceTypeSet,
    /// Whether moves that start in `zone` and `forced` promote as well.
    pub leaving: bool,
    /// Whether a piece type of which the side has as many as it may have is no choice.
    pub limited: bool,
    /// Whether the piece types of one letter, with and without +, are counted together for that.
    pub together: bool,
    /// Whether a piece that starts in the zone promotes only by capturing, wherever it goes, or on the squares of `late`.
    pub once: bool,
    /// A part of the zone.
    pub late: Bitboard,
    /// Whether it promotes where it stands in the zone, by [`InPlace`], and not by its moves.
    pub in_place: bool,
}

/// How a piece type promotes as a turn of its own, without a move or by a step that is only made so.
#[derive(Debug)]
pub(crate) struct InPlace {
    /// The steps to an empty square by which it may promote as well.
    pub by: Option<Box<PieceMoves>>,
    /// Whether the last piece of its type may promote wherever it stands.
    pub alone: bool,
    /// Whether the new piece may attack nothing, and no check may follow.
    pub peaceful: bool,
}

/// The rules of one piece type of one side: how it moves, promotes and is dropped, and where it may stand.
#[derive(Debug)]
pub(crate) struct PieceRules {
    pub moves: PieceMoves,
    pub promotion: Option<Promotion>,
    /// Where the promotion is one in place, how.
    pub in_place: Option<InPlace>,
    pub drop: DropRule,
    /// The squares to which it may move.
    pub region: Bitboard,
    /// The squares on which it can never stand, inside its region or not.
    pub never: Bitboard,
    /// The squares on which it may appear by a drop, a promotion or a capture, even outside its region.
    pub born_on: Bitboard,
    /// The most pieces of this type that the side may have, on the board and in hand.
    pub limit: Option<u8>,
    /// The piece types of the other side that may capture it en passant after a double step.
    pub passed_by: PieceTypeSet,
}

/// The rules of one side.
#[derive(Debug)]
pub(crate) struct SideRules {
    /// The piece types it may have.
    pub kinds: PieceTypeSet,
    /// Those that move.
    pub movers: PieceTypeSet,
    /// Those that capture by leaps, by slides, by hops. Irregular attackers are in none of these three.
    pub leapers: PieceTypeSet,
    pub sliders: PieceTypeSet,
    pub hoppers: PieceTypeSet,
    /// Those whose attacks are irregular.
    pub irregular_attackers: PieceTypeSet,
    /// Those that can be captured en passant.
    pub passers: PieceTypeSet,
    /// Those that capture en passant.
    pub captors_in_passing: PieceTypeSet,
    /// Those of them that may also go without capturing where they capture. To the square passed they go by capturing.
    pub ambiguous_captors: PieceTypeSet,
    /// Those whose promotion makes royals that must be kept safe beside those that there are.
    pub making_guarded_royals: PieceTypeSet,
    /// Those whose promotion makes a second royal where only the last one is royal. (A royal that becomes another one
    /// remains the last.)
    pub lifting_royalty: PieceTypeSet,
    /// Royals that may not leave a check.
    pub staying_in_check: PieceTypeSet,
    /// Those that the move generator cannot treat as all others: of the sets above, with moves of two legs, with a
    /// promotion that depends on the position, or all where some pieces are not exchanged.
    pub exceptional: PieceTypeSet,
    /// The enemy piece types by whose moves a piece of this side may lose its first moves.
    pub first_lost: PieceTypeSet,
    /// Whether a piece is dropped only on squares of a color on which no other one of its type stands.
    pub bound_to_other_colors: bool,
    /// Those that never leave their file.
    pub file_bound: PieceTypeSet,
    /// Per square: from where any regular piece captures there by a leap.
    pub leap_zone: Table,
    /// Per square: from where any irregular piece attacks it on some board.
    pub irregular_zone: Table,
    /// By piece type, whether this side may have it or not.
    pieces: Vec<PieceRules>,
}

impl SideRules {
    /// The rules of a side that may have `kinds`; `pieces` holds those of every piece type of the game.
    pub fn new(geometry: &Geometry, kinds: PieceTypeSet, pieces: Vec<PieceRules>) -> SideRules {
        let mut side = SideRules {
            kinds,
            movers: PieceTypeSet::EMPTY,
            leapers: PieceTypeSet::EMPTY,
            sliders: PieceTypeSet::EMPTY,
            hoppers: PieceTypeSet::EMPTY,
            irregular_attackers: PieceTypeSet::EMPTY,
            passers: PieceTypeSet::EMPTY,
            captors_in_passing: PieceTypeSet::EMPTY,
            ambiguous_captors: PieceTypeSet::EMPTY,
            making_guarded_royals: PieceTypeSet::EMPTY,
            lifting_royalty: PieceTypeSet::EMPTY,
            staying_in_check: PieceTypeSet::EMPTY,
            exceptional: PieceTypeSet::EMPTY,
            first_lost: PieceTypeSet::EMPTY,
            bound_to_other_colors: false,
            file_bound: PieceTypeSet::EMPTY,
            leap_zone: empty_table(),
            irregular_zone: empty_table(),
            pieces,
        };
        side.bound_to_other_colors = side.pieces.iter().any(|rules| rules.drop.other_color);
        side.find_birth_squares(geometry);
        for kind in kinds {
            side.classify(geometry, kind);
        }
        side
    }

    /// The rules of a piece type.
    #[inline]
    pub fn piece(&self, kind: PieceType) -> &PieceRules {
        &self.pieces[kind.index()]
    }

    /// How a piece type moves.
    #[inline]
    pub fn moves(&self, kind: PieceType) -> &PieceMoves {
        &self.piece(kind).moves
    }

    /// Where and to what a piece type promotes, if it does.
    #[inline]
    pub fn promotion(&self, kind: PieceType) -> Option<&Promotion> {
        self.piece(kind).promotion.as_ref()
    }

    /// Sets the piece types that capture en passant.
    pub fn set_captors(&mut self, geometry: &Geometry, captors: PieceTypeSet) {
        self.captors_in_passing = captors;
        let goes_there = |&kind: &PieceType| self.moves(kind).may_go_where_it_captures(geometry);
        self.ambiguous_captors = captors.filter(goes_there).collect();
    }

    /// Whether a piece has moves of two legs.
    pub fn has_legs(&self) -> bool {
        self.kinds.clone().any(|kind| self.moves(kind).legs().is_some())
    }

    /// Finds the piece types that the move generator cannot treat as all others, once captors and royals are known.
    pub fn find_exceptions(&mut self, royalty: Option<&Royalty>, trades: bool) {
        let royals = royalty.map_or(PieceTypeSet::EMPTY, |royalty| royalty.pieces);
        let promoting = |holds: &dyn Fn(&Promotion) -> bool| -> PieceTypeSet {
            self.kinds.filter(|&kind| self.promotion(kind).is_some_and(holds)).collect()
        };
        let limited = promoting(&|rule| rule.limited || rule.once || rule.in_place);
        let with_legs = |kind: &PieceType| self.moves(*kind).legs().is_some();
        let with_legs: PieceTypeSet = self.kinds.filter(with_legs).collect();
        // Every capture of a piece that is not exchanged has to be looked at.
        let traders = if trades { self.kinds } else { PieceTypeSet::EMPTY };
        let making_royals = promoting(&|rule| rule.to.meets(royals));
        if royalty.is_some_and(|royalty| royalty.several) {
            self.making_guarded_royals = making_royals;
        }
        if royalty.is_some_and(|royalty| royalty.kind == RoyaltyKind::Last) {
            self.lifting_royalty = making_royals.filter(|&kind| !royals.contains(kind)).collect();
        }
        if royalty.is_some_and(|royalty| !royalty.flees) {
            self.staying_in_check = royals;
        }
        let sets = [
            self.ambiguous_captors,
            self.making_guarded_royals,
            self.lifting_royalty,
            self.staying_in_check,
            limited,
            with_legs,
            traders,
        ];
        self.exceptional = sets.into_iter().flatten().collect();
    }

    /// Finds where each piece type may appear by a drop, a promotion or a capture.
    fn find_birth_squares(&mut self, geometry: &Geometry) {
        for rules in &mut self.pieces {
            rules.born_on = rules.drop.zone;
        }
        for kind in self.kinds {
            if let Some(rule) = self.promotion(kind).copied() {
                let in_place = self.piece(kind).in_place.as_ref();
                let roams = in_place.is_some_and(|rule| rule.alone || rule.by.is_some());
                let anywhere = rule.leaving || rule.once || roams;
                let zone = if anywhere { geometry.squares() } else { rule.zone };
                rule.to.for_each(|to| self.pieces[to.index()].born_on |= zone);
            }
            let irregular = self.moves(kind).irregular.as_ref();
            match irregular.and_then(|irregular| irregular.on_capture) {
                None | Some(OnCapture::Stone) => {}
                Some(OnCapture::Becomes(to)) => {
                    self.pieces[to.index()].born_on = geometry.squares();
                }
                Some(OnCapture::Takes) => {
                    self.pieces.iter_mut().for_each(|rules| rules.born_on = geometry.squares());
                }
            }
        }
    }

    /// Puts a piece type into the sets by which move generation looks for movers and attackers.
    fn classify(&mut self, geometry: &Geometry, kind: PieceType) {
        let moves = &mut self.pieces[kind.index()].moves;
        let irregular = moves.irregular.as_ref();
        if let Some(irregular) = irregular {
            self.first_lost = self.first_lost.chain(irregular.first_lost).collect();
        }
        let affects_attacks = irregular.is_some_and(|irregular| irregular.affects_attacks());
        if irregular.is_some_and(|irregular| irregular.affects_moves()) {
            // A shift would leave out what is irregular.
            moves.shifts.clear();
        }
        if moves.can_move(geometry) {
            self.movers.insert(kind);
        }
        if moves.stay_on_file(geometry) {
            self.file_bound.insert(kind);
        }
        if affects_attacks {
            self.irregular_attackers.insert(kind);
            for square in geometry.squares() {
                self.irregular_zone[square.index()] |= moves.attacking_squares(square);
            }
            return;
        }
        let captures = |table: &Table| geometry.squares().any(|s| !table[s.index()].is_empty());
        if captures(&moves.captured_from) {
            self.leapers.insert(kind);
        }
        if moves.slides.as_ref().is_some_and(|slides| captures(&slides.captured_from)) {
            self.sliders.insert(kind);
        }
        if moves.hops.as_ref().is_some_and(|hops| captures(&hops.captured_from)) {
            self.hoppers.insert(kind);
        }
        for square in geometry.squares() {
            self.leap_zone[square.index()] |= moves.captured_from[square.index()];
        }
    }
}
