//! From a setup to a position that keeps the rules, and back.

use std::sync::Arc;

use super::board::Board;
use super::checks::ChecksGiven;
use super::{Passed, Position};
use crate::bitboard::Bitboard;
use crate::setup::{EnPassant, Setup, SetupError, SetupFault};
use crate::types::{Color, MAX_SETUPS, PerColor, Piece, SetupPhase, Square};
use crate::variant::{RoyaltyKind, Variant};

impl Position {
    /// The start position with the array of this number, from 0 up to those of the game
    /// ([`Variant::arrays`]); `None` for numbers beyond.
    ///
    /// ```
    /// use garrison_rules::definition::{DefinitionFile, load};
    /// use garrison_rules::Position;
    ///
    /// let text = "name = 'shuffled'\nbase = 'chess'\nshuffle = ['B light', 'B dark', 'Q', 'NN', 'RKR']";
    /// let games = load(vec![DefinitionFile { name: "shuffled.toml".into(), text: text.into() }]);
    /// let game = &games.expect("a definition without faults")[0];
    /// assert_eq!(game.arrays(), 960);
    /// let fen = |number| Position::start_array(game, number).map(|position| position.fen());
    /// let first = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
    /// assert_eq!(fen(0).as_deref(), Some(first));
    /// let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    /// assert_eq!(fen(518).as_deref(), Some(chess));
    /// assert_eq!(fen(960), None);
    /// ```
    pub fn start_array(variant: &Arc<Variant>, number: u64) -> Option<Position> {
        let start = Position::start(variant);
        let Some(shuffle) = variant.shuffle() else { return (number == 0).then_some(start) };
        let mut setup = Setup::from(&start);
        for (square, kind) in (number < shuffle.count()).then(|| shuffle.array(number))? {
            for color in Color::ALL {
                let own = variant.own_square(color, square);
                setup.set_piece(own, Some(Piece::new(color, kind)));
            }
        }
        setup.restart_castling();
        Position::try_from(setup).ok()
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    /// The position, if the setup keeps the rules of its game.
    ///
    /// # Errors
    /// Everything that breaks these rules. Attacks, en passant and the number of arrangements are checked only if
    /// nothing else is wrong.
    fn try_from(setup: Setup) -> Result<Position, SetupError> {
        let mut faults = setup.faults();
        if faults.is_empty() {
            let mut position = Position::unchecked(&setup);
            position.set_en_passant(&setup, &mut faults);
            position.check_attacks(&mut faults);
            if faults.is_empty() {
                return Ok(position);
            }
        }
        Err(SetupError::new(setup.variant(), faults))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut setup = Setup::empty(&position.variant);
        for square in position.occupied() {
            setup.set_piece(square, position.at(square));
        }
        for square in position.stones() {
            setup.set_stone(square, true);
        }
        for color in Color::ALL {
            for &kind in position.variant.hand_kinds() {
                setup.set_in_hand(color, kind, position.in_hand(color, kind));
            }
            setup.checks_given[color] = position.checks_given(color);
        }
        setup.side_to_move = position.side;
        setup.phase = position.setup;
        // The piece is named where several could have passed.
        setup.en_passant = position.ep.map(|passed| {
            let is_clear = !position.can_have_passed(passed.square()).is_many();
            let piece = (!is_clear).then(|| passed.piece());
            EnPassant { passed: passed.square(), piece }
        });
        setup.rights = position.rights;
        setup.all_rights = Arc::clone(&position.all_rights);
        setup.halfmoves = position.halfmoves;
        setup.count = position.count;
        setup.fullmove = position.fullmove;
        setup
    }
}

impl Position {
    /// The position of a setup whose pieces, hands and rights keep the rules; en passant aside.
    fn unchecked(setup: &Setup) -> Position {
        let mut board = Board::empty();
        setup.pieces().for_each(|(square, piece)| board.put(piece, square));
        setup.stones().for_each(|square| board.toggle_stone(square));
        for color in Color::ALL {
            for slot in setup.hand(color).slots() {
                (0..setup.hand(color).count(slot)).for_each(|_| board.add_to_hand(color, slot));
            }
        }
        Position {
            variant: Arc::clone(setup.variant()),
            board,
            side: setup.side_to_move,
            setup: setup.phase,
            ep: None,
            rights: setup.rights,
            all_rights: Arc::clone(&setup.all_rights),
            checks: ChecksGiven::new(setup.checks_given),
            halfmoves: setup.halfmoves,
            count: setup.count,
            fullmove: setup.fullmove,
            history: Vec::new(),
            blown_up: Vec::new(),
            earlier_stones: Vec::new(),
            earlier_counts: Vec::new(),
        }
    }

    /// Sets the square that has just been passed, if an enemy stands so that it can capture there.
    fn set_en_passant(&mut self, setup: &Setup, faults: &mut Vec<SetupFault>) {
        let Some(EnPassant { passed, piece }) = setup.en_passant else { return };
        if self.variant.trade().is_some() {
            // The piece that captured there may have left the square.
            match self.at(passed).filter(|piece| piece.color() == self.side) {
                None => self.ep = self.trade_at(!self.side, passed),
                Some(_) => faults.push(SetupFault::NotPassed(!self.side, passed)),
            }
            return;
        }
        let pieces = self.can_have_passed(passed);
        match piece.or(pieces.single()) {
            Some(piece) if pieces.contains(piece) => {
                let passed = Passed::new(passed, piece);
                self.ep =
                    Some(passed).filter(|&passed| self.can_capture_passing(self.side, passed));
            }
            None if pieces.is_many() => {
                faults.push(SetupFault::PassedByMany { passed, pieces: pieces.collect() });
            }
            _ => faults.push(SetupFault::NotPassed(!self.side, passed)),
        }
    }

    /// Puts these pieces on the board in place of all that is there, with `side` to move, nothing in hand, no rights and
    /// no history; returns whether the side that waits has its royals safe, as it must. Solvers of endings walk through
    /// all placements of a few pieces by it.
    ///
    /// The squares must differ, and each side must be allowed to have its pieces, on these squares: a [`Setup`] finds what
    /// is wrong with that. Otherwise the position is meaningless.
    ///
    /// ```
    /// use garrison_rules::{Color, Position, find};
    ///
    /// let chess = find("chess")?;
    /// let position = Position::from_fen(&chess, "7k/8/8/8/8/8/8/K6R b - - 0 1")?;
    /// let pieces: Vec<_> =
    ///     position.occupied().filter_map(|square| Some((square, position.at(square)?))).collect();
    /// let mut other = Position::start(&chess);
    /// assert!(other.place(&pieces, Color::Black));
    /// assert_eq!(other, position);
    /// assert!(!other.place(&pieces, Color::White)); // White could capture the king
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(&mut self, pieces: &[(Square, Piece)], side: Color) -> bool {
        self.board.set_stones(Bitboard::EMPTY);
        for square in self.board.occupied() {
            self.board.take(square);
        }
        let (hands, key) = (PerColor::default(), 0);
        self.board.restore_hands(hands, key);
        pieces.iter().for_each(|&(square, piece)| self.board.put(piece, square));
        self.side = side;
        self.setup = SetupPhase::Done;
        self.ep = None;
        self.rights = 0;
        self.checks = ChecksGiven::new(PerColor::default());
        (self.halfmoves, self.fullmove) = (0, 1);
        self.history.clear();
        self.blown_up.clear();
        self.earlier_stones.clear();
        !self.leaves_royal_attacked()
    }

    /// Whether the side that is not to move has a royal attacked that must be safe.
    fn leaves_royal_attacked(&self) -> bool {
        // Who has blown up the enemy royal may have left the own attacked.
        self.has_safe_royals() && !self.has_lost_royal(self.side) && self.is_attacked(!self.side)
    }

    /// Whether no royal may be left attacked, if there is any.
    pub(super) fn has_safe_royals(&self) -> bool {
        self.variant.royalty_kind() != Some(RoyaltyKind::Captured)
    }

    /// The side to move cannot capture a royal that must be safe, and a setup can choose from all its
    /// arrangements.
    fn check_attacks(&self, faults: &mut Vec<SetupFault>) {
        let attacked = |color| {
            let square = self.attacked_royals(color).into_iter().next()?;
            Some((square, self.at(square)?))
        };
        if self.leaves_royal_attacked() {
            faults.extend(attacked(!self.side).map(|(at, royal)| SetupFault::Attacked(at, royal)));
        } else if self.setup.is_pending() && self.has_safe_royals() {
            let royal = attacked(self.side);
            faults.extend(royal.map(|(at, royal)| SetupFault::AttackedInSetup(at, royal)));
        }
        let mut sides = Color::ALL.into_iter();
        if self.setup != SetupPhase::Done
            && sides.any(|side| self.permutation_count(side) > MAX_SETUPS)
        {
            faults.push(SetupFault::TooManyArrangements(MAX_SETUPS));
        }
    }

    /// Where the pieces stand that can just have made a double step over `passed`.
    pub(crate) fn can_have_passed(&self, passed: Square) -> Bitboard {
        let them = !self.side;
        let side = self.variant.side(them);
        let vacant = |square: Square| !self.occupied().contains(square);
        // The origin of a move is empty after it, or has the stone that the piece has left; where players put stones, one may
        // be there.
        let left = |square: Square| {
            let has_stone = self.stones().contains(square);
            if self.variant.leaves_stones() { has_stone } else { self.at(square).is_none() }
        };
        let mut pieces = Bitboard::EMPTY;
        for kind in side.passers {
            for double in &side.moves(kind).doubles {
                let (from, to) = (passed.offset(-double.delta), passed.offset(double.delta));
                let stands = self.at(to) == Some(Piece::new(them, kind));
                if stands && double.from.contains(from) && left(from) && vacant(passed) {
                    pieces.insert(to);
                }
            }
        }
        pieces
    }
}
