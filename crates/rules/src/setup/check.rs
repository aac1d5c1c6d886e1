//! The rules that a setup can break, as far as they can be seen without attacks.

use super::{MAX_IN_HANDS, Setup, SetupFault};
use crate::bitboard::Bitboard;
use crate::types::{Color, Piece, PieceType, SetupPhase, Square};

impl Setup {
    /// Everything that breaks a rule of the game, attacks and en passant aside.
    pub(crate) fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        self.check_pieces(&mut faults);
        for color in Color::ALL {
            self.check_limits(color, &mut faults);
            self.check_royal(color, &mut faults);
        }
        self.check_places(&mut faults);
        self.check_hands(&mut faults);
        self.check_rights(&mut faults);
        self.check_phase(&mut faults);
        if self.fullmove == 0 {
            faults.push(SetupFault::MoveZero);
        }
        faults
    }

    /// Pieces stand on squares, and are of the army of their side.
    fn check_pieces(&self, faults: &mut Vec<SetupFault>) {
        for (square, piece) in self.pieces() {
            if !self.variant.geometry().squares().contains(square) {
                faults.push(SetupFault::OffBoard(square));
            }
            if !self.variant.piece(piece.kind()).reserve.is_empty() {
                faults.push(SetupFault::HandOnly(square, piece));
            } else if !self.variant.kinds_of(piece.color()).contains(piece.kind()) {
                faults.push(SetupFault::WrongArmy(square, piece));
            }
        }
    }

    fn check_limits(&self, color: Color, faults: &mut Vec<SetupFault>) {
        for kind in self.variant.kinds_of(color) {
            let Some(limit) = self.variant.side(color).piece(kind).limit else { continue };
            let count = self.on_board(color, kind) + usize::from(self.in_hand(color, kind));
            if count > usize::from(limit) {
                faults.push(SetupFault::TooMany { color, kind, count, limit });
            }
        }
    }

    fn check_royal(&self, color: Color, faults: &mut Vec<SetupFault>) {
        let Some(royalty) = self.variant.royalty() else { return };
        // A side may have no royal piece at all.
        if !self.variant.kinds_of(color).meets(royalty.pieces) {
            return;
        }
        let royal = royalty.piece;
        let royals = |color| royalty.pieces.map(|kind| self.on_board(color, kind)).sum::<usize>();
        let count = royals(color) + usize::from(self.in_hand(color, royal));
        if let Some(guard) = royalty.late {
            match (self.on_board(color, guard), count) {
                (0, 0) => faults.push(SetupFault::NoRoyalNorGuard { color, royal, guard }),
                (1.., 1..) => faults.push(SetupFault::RoyalBesideGuard { color, royal, guard }),
                _ => {}
            }
        } else if royalty.can_fall {
            // An explosion may take both; elsewhere, only one can be captured.
            let one_stays = !self.variant.has_blasts() || !self.variant.captures_royals();
            if color == Color::White && count == 0 && royals(!color) == 0 && one_stays {
                faults.push(SetupFault::NoRoyals);
            }
        } else if count == 0 {
            faults.push(SetupFault::NoRoyal(color, royal));
        }
    }

    fn check_places(&self, faults: &mut Vec<SetupFault>) {
        let geometry = self.variant.geometry();
        for (square, piece) in self.pieces() {
            let (side, kind) = (self.variant.side(piece.color()), piece.kind());
            let rules = side.piece(kind);
            let is_born = rules.born_on.contains(square);
            if rules.never.contains(square) && !is_born {
                faults.push(SetupFault::NeverStands(square, piece));
            }
            if !self.region(piece).contains(square) && !is_born {
                faults.push(SetupFault::OutsideRegion(square, piece));
            }
            // A piece that can leave its file may come to one that holds enough.
            let rule = rules.drop.per_file;
            let Some(limit) = rule.filter(|_| side.file_bound.contains(kind)) else { continue };
            let file = geometry.file(square);
            let before = self.pieces().filter(|&(other, same)| {
                same == piece && other < square && geometry.file(other) == file
            });
            if before.count() == usize::from(limit) {
                faults.push(SetupFault::CrowdedFile { file, piece, limit });
            }
        }
    }

    /// Where a piece may stand. A royal that has captured another along a file stands in the other's
    /// region.
    fn region(&self, piece: Piece) -> Bitboard {
        let (color, kind) = (piece.color(), piece.kind());
        let own = self.variant.side(color).piece(kind).region;
        let shot = self.variant.royalty().is_some_and(|royalty| {
            royalty.shoots() && royalty.piece == kind && self.on_board(!color, kind) == 0
        });
        if shot { own | self.variant.side(!color).piece(kind).region } else { own }
    }

    /// A royal comes to hand by the other side's move and is placed by the next, unless the pieces are
    /// placed one by one.
    fn check_hands(&self, faults: &mut Vec<SetupFault>) {
        let count = Color::ALL.into_iter().map(|color| self.hands[color].total()).sum();
        if count > MAX_IN_HANDS {
            faults.push(SetupFault::CrowdedHands(count));
        }
        let waiting = !self.side_to_move;
        let royal = self.variant.royal_placed_at_once();
        if let Some(royal) = royal.filter(|&royal| self.in_hand(waiting, royal) > 0) {
            faults.push(SetupFault::RoyalInHand(waiting, royal));
        }
    }

    /// Rights are those of pieces that stand where they stood at the start.
    fn check_rights(&self, faults: &mut Vec<SetupFault>) {
        let is_there = |square: Square, color: Color, kind: PieceType| {
            self.piece_at(square) == Some(Piece::new(color, kind))
        };
        for color in Color::ALL {
            for castle in self.all_rights.castles(color) {
                let (king, rook) = (castle.king.0, castle.rook.0);
                let has_pieces = is_there(king, color, castle.pieces.0)
                    && is_there(rook, color, castle.pieces.1);
                if self.rights & castle.right != 0 && !has_pieces {
                    faults.push(SetupFault::Castling { letter: castle.letter, king, rook });
                }
            }
            if let Some(limit) = self.variant.end().checks
                && self.checks_given[color] > limit
            {
                let count = self.checks_given[color];
                faults.push(SetupFault::Checks { color, count, limit });
            }
        }
        let held = self.all_rights.firsts().filter(|(_, bit)| self.rights & bit != 0);
        for (square, _) in held {
            let moves = |piece: Piece| self.variant.side(piece.color()).moves(piece.kind());
            if !self.piece_at(square).is_some_and(|piece| moves(piece).has_first()) {
                faults.push(SetupFault::FirstMove(square));
            }
        }
        for color in Color::ALL {
            for (square, right) in self.all_rights.gate_squares(color) {
                let stands = self.piece_at(square).is_some_and(|piece| piece.color() == color);
                if self.rights & right != 0 && !stands {
                    faults.push(SetupFault::Gate(square, color));
                }
            }
        }
    }

    /// Before the first move nothing has been captured and no clock has advanced.
    fn check_phase(&self, faults: &mut Vec<SetupFault>) {
        let mover = match self.phase {
            SetupPhase::Done => return,
            SetupPhase::Both => Color::White,
            SetupPhase::Second => Color::Black,
        };
        if !self.variant.has_setup() {
            faults.push(SetupFault::NoSetupPhase);
        }
        if self.side_to_move != mover {
            faults.push(SetupFault::SetupOutOfTurn(mover));
        }
        let late = self.variant.royalty().is_some_and(|royalty| royalty.late.is_some());
        let is_late = |(_, piece): (_, Piece)| late && self.variant.royal() == Some(piece.kind());
        let mut hands = Color::ALL.into_iter().map(|color| self.hands[color]);
        if !hands.all(|hand| hand.is_empty()) || self.pieces().any(is_late) {
            faults.push(SetupFault::SetupAfterCapture);
        }
        if self.en_passant.is_some() {
            faults.push(SetupFault::SetupAfterDoubleStep);
        }
        if self.halfmoves != 0 {
            faults.push(SetupFault::SetupAfterPlies);
        }
        if self.fullmove > 1 {
            faults.push(SetupFault::SetupAfterMoves);
        }
    }
}
