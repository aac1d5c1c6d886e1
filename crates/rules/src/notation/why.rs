//! The first thing that forbids a move that is written correctly but is not legal.

use super::move_error::MoveFault;
use crate::bitboard::Bitboard;
use crate::naming::Notation;
use crate::position::{DropObstacle, Exposure, Position};
use crate::types::{Move, PieceType, Square, Tag};

impl Position {
    /// The first thing that forbids a move that is not legal.
    pub(super) fn why_illegal(&self, notation: &dyn Notation, mv: Move) -> MoveFault {
        let side = self.side_to_move();
        let dropped = mv.is_drop().then(|| mv.dropped());
        if let Some(fault) = self.why_nothing_but(dropped) {
            return fault;
        }
        if let Some(fault) = self.why_no_stone(mv) {
            return fault;
        }
        if let Some(kind) = dropped {
            return self.why_no_drop(kind, mv);
        }
        match self.at(mv.from()) {
            None => MoveFault::NoPiece(mv.from()),
            Some(piece) if piece.color() != side => MoveFault::NotOwn(side, mv.from()),
            Some(piece) => self.why_piece_cannot(notation, piece.kind(), mv),
        }
    }

    /// Why nothing is legal here, or nothing but the drop of another piece than the `dropped` one.
    pub(super) fn why_nothing_but(&self, dropped: Option<PieceType>) -> Option<MoveFault> {
        let side = self.side_to_move();
        if let Some(outcome) = self.decided() {
            return Some(MoveFault::GameOver(outcome.reason));
        }
        if self.setup_phase().is_pending() {
            let keep = format!("={}", self.setup_text(self.setup_as_is()));
            return Some(MoveFault::SetupPending { color: side, keep });
        }
        let royal = self.variant().royal().filter(|&royal| self.in_hand(side, royal) > 0)?;
        (dropped != Some(royal)).then_some(MoveFault::MustPlace(side, royal))
    }

    /// That the stone cannot go there which comes with a move that is legal with another one.
    fn why_no_stone(&self, mv: Move) -> Option<MoveFault> {
        let is_same = |other: &Move| {
            let promotes = |mv: Move| mv.tag() == Tag::Promotion;
            (other.from(), other.to(), other.becomes()) == (mv.from(), mv.to(), mv.becomes())
                && other.is_drop() == mv.is_drop()
                && promotes(*other) == promotes(mv)
        };
        let comes_with_stone = self.variant().moves_place_stones();
        let is_possible = comes_with_stone && self.legal_moves().iter().any(is_same);
        is_possible.then(|| MoveFault::NoStone(mv.stone()))
    }

    fn why_no_drop(&self, kind: PieceType, mv: Move) -> MoveFault {
        let (side, to) = (self.side_to_move(), mv.to());
        if self.in_hand(side, kind) == 0 {
            return MoveFault::NotInHand(side, kind);
        }
        if self.at(to).is_some() {
            return MoveFault::Occupied(to);
        }
        let obstacle = self.drop_obstacle(kind, to);
        match obstacle {
            Some(DropObstacle::Zone) => return MoveFault::DropForbidden(kind, to),
            Some(DropObstacle::Beside(enemy, square)) => {
                return MoveFault::DropBeside { kind, to, enemy: (enemy, square) };
            }
            Some(DropObstacle::File(own)) => return MoveFault::DropOnFile(kind, own),
            Some(DropObstacle::Color(own)) => return MoveFault::DropOnColor(kind, own),
            Some(DropObstacle::Last) => return MoveFault::DropOnLast(kind, to),
            Some(DropObstacle::Check | DropObstacle::Mate) | None => {}
        }
        match self.why_unsafe(kind, mv) {
            Some(fault) => fault,
            None if obstacle == Some(DropObstacle::Check) => MoveFault::DropChecks(kind, to),
            None if obstacle.is_some() => MoveFault::DropMates(kind, to),
            None => self.why_obliged(),
        }
    }

    fn why_piece_cannot(&self, notation: &dyn Notation, kind: PieceType, mv: Move) -> MoveFault {
        let (from, to) = (mv.from(), mv.to());
        let legal = self.legal_moves();
        let mut same = legal;
        same.retain(|other| !other.is_drop() && (other.from(), other.to()) == (from, to));
        // One stone each is enough.
        same.dedup_by_key(|other| other.without_stone());
        let choices: Vec<String> =
            same.iter().map(|&other| self.move_text_in(notation, other)).collect();
        if !choices.is_empty() {
            return MoveFault::OnlyAs(kind, choices);
        }
        if let Some(obstacle) = self.trade_obstacle(kind, mv) {
            return obstacle;
        }
        match self.unguarded_moves(from, to).first() {
            None => MoveFault::CannotGo { kind, from, to },
            Some(&possible) => self
                .why_unsafe(kind, possible)
                .or_else(|| self.why_no_flight(kind))
                .unwrap_or_else(|| self.why_obliged()),
        }
    }

    /// The royal that the move leaves to an enemy piece, if it does.
    fn why_unsafe(&self, kind: PieceType, mv: Move) -> Option<MoveFault> {
        let side = self.side_to_move();
        let own_royal = |square: Square| {
            let piece = self.at(square).filter(|piece| piece.color() == side)?;
            Some(piece.kind()).filter(|kind| self.variant().royals().contains(*kind))
        };
        let blown_up = if mv.is_drop() { Bitboard::EMPTY } else { self.blown_up_by(mv) };
        // A royal that captures goes as well; what stood on the target was an enemy.
        let own = (blown_up & !Bitboard::of(mv.to())).into_iter();
        let captor = Some(mv.from()).filter(|_| blown_up.contains(mv.to()));
        if let Some(royal) = own.chain(captor).find_map(own_royal) {
            return Some(MoveFault::BlowsUpRoyal(royal));
        }
        let exposure = self.exposure(mv)?;
        let Exposure { royal: (royal, square), attacker: by } = exposure;
        let is_in_check = self.exposed_royal(side).is_some();
        Some(if square == mv.to() && royal == kind {
            MoveFault::Attacked { royal, to: square, by }
        } else if is_in_check {
            MoveFault::InCheck(side, by)
        } else if !mv.is_drop() && self.is_shield(mv.from(), &exposure) {
            MoveFault::Pinned { kind, from: mv.from(), by }
        } else {
            MoveFault::Exposes { royal, by }
        })
    }

    /// Why a piece may not capture one that is not exchanged, if that is what it would do.
    fn trade_obstacle(&self, kind: PieceType, mv: Move) -> Option<MoveFault> {
        let (square, is_protected) = self.forbidden_trade(kind, mv)?;
        let captured = self.at(square)?.kind();
        Some(match is_protected {
            true => MoveFault::Protected { kind: captured, on: square },
            false => MoveFault::TradedElsewhere { kind: captured, on: square },
        })
    }

    /// Why a royal in check may not go to a safe square.
    fn why_no_flight(&self, kind: PieceType) -> Option<MoveFault> {
        let royalty = self.variant().royalty()?;
        let stays = !royalty.flees && royalty.pieces.contains(kind) && self.is_check();
        stays.then_some(MoveFault::MayNotFlee(kind))
    }

    /// Why a safe move of a piece is not legal.
    fn why_obliged(&self) -> MoveFault {
        let side = self.side_to_move();
        if self.must_capture() { MoveFault::MustCapture(side) } else { MoveFault::GivesCheck }
    }
}
