//! The tables of one side.

use super::Compiler;
use crate::betza::{self, Step, Way};
use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType, PieceTypeSet, Square};
use crate::variant::OneSide;
use crate::variant::definition::{ArmyTable, Castling, PieceTable};
use crate::variant::tables::{Castle, DropRule, Moves, OnCapture, PieceMoves, Promotion, Side};

/// The steps of every piece of a side, as White makes them: everywhere, and on some squares only.
pub(super) type Steps = Vec<Vec<Step>>;

impl Compiler<'_> {
    /// The steps that the pieces of `color` make, on whatever squares.
    pub(super) fn steps(&self, color: Color) -> Steps {
        let all = |(index, table): (usize, &&PieceTable)| {
            let key = self.key(index);
            let table = table.of_side(color);
            let mut steps = self.betza(&format!("{key}.betza"), &table.betza);
            for (index, extra) in table.extra.iter().flatten().enumerate() {
                steps.extend(self.betza(&format!("{key}.extra[{index}].betza"), &extra.betza));
            }
            let first = table.first.clone().filter(|text| !text.is_empty());
            steps.extend(self.betza(&format!("{key}.first"), &first));
            steps
        };
        self.tables.iter().enumerate().map(all).collect()
    }

    fn key(&self, index: usize) -> String {
        format!("pieces.{}", self.letters[index])
    }

    /// Steps as they are written; none if nothing is.
    fn betza(&self, key: &str, text: &Option<String>) -> Vec<Step> {
        let Some(text) = text else { return Vec::new() };
        betza::parse(text).unwrap_or_else(|fault| {
            self.faults.note(key, fault.to_string());
            Vec::new()
        })
    }

    pub(super) fn side(&self, color: Color) -> Side {
        let army = self.armies.as_ref().map(|armies| armies[color]);
        let mut side = Side::new(self.allowed(color, army));
        for (index, table) in self.tables.iter().enumerate() {
            let (key, table) = (self.key(index), table.of_side(color));
            let letter = self.letters[index].to_string();
            let all = self.geometry.squares();
            let region = self.region_or(&format!("{key}.region"), &table.region, all);
            let promotion = self.promotion(&key, &letter, &table, army.map(|(_, army)| army));
            let forced = promotion.map_or(Bitboard::EMPTY, |promotion| promotion.forced);
            let never = self.region_or(&format!("{key}.never"), &table.never, Bitboard::EMPTY);
            let drop = table.drop.clone().unwrap_or_default();
            // Where it can never stand it cannot go, unless it becomes something else there.
            let reach = region & !(never & !forced);
            // A region for drops is meant as it stands: there a piece may wait where it could not go.
            let drop_zone = match &drop.region {
                Some(text) => self.region(&format!("{key}.drop.region"), text) & region & !never,
                None => reach & !forced,
            };
            let never = never | forced;
            let never_moves =
                table.betza.is_none() && table.extra.is_none() && table.first.is_none();
            if color == Color::White && never_moves && table.promotion.is_some() {
                self.faults
                    .note(format!("{key}.promotion"), "a piece that never moves cannot promote");
            }
            if table.double_step.as_ref().is_some_and(|double| double.en_passant == Some(true)) {
                side.passers.insert(PieceType::new(index as u8));
            }
            side.moves.push(self.moves(color, &key, &table, reach, never));
            side.promotions.push(promotion.map(|promotion| Promotion {
                zone: self.own(color, promotion.zone),
                forced: self.own(color, promotion.forced),
                ..promotion
            }));
            side.drop_zone.push(self.own(color, drop_zone));
            side.never.push(self.own(color, never));
            side.region.push(self.own(color, region));
            let limit = army.and_then(|(_, army)| army.limits.as_ref()?.get(&letter).copied());
            side.limit.push(limit.or(table.limit));
            if drop.per_file == Some(0) {
                self.faults.note(format!("{key}.drop.per_file"), "expected is at least 1");
            }
            let beside = drop.not_beside.as_ref().filter(|text| !text.is_empty());
            side.drops.push(DropRule {
                not_beside: beside.and_then(|t| self.kind(&format!("{key}.drop.not_beside"), t)),
                per_file: drop.per_file,
                no_mate: !drop.mate.unwrap_or(true),
            });
        }
        for (index, castling) in self.definition.castling.iter().flatten().enumerate() {
            side.castles.extend(self.castle(color, index, castling));
        }
        side
    }

    /// The pieces that a side may have.
    fn allowed(&self, color: Color, army: Option<(&str, &ArmyTable)>) -> PieceTypeSet {
        let kinds: Vec<PieceType> = match army {
            Some((name, army)) => {
                let key = format!("armies.{name}.pieces");
                if army.pieces.is_none() {
                    self.faults.note(&key, "is missing");
                }
                self.kinds(&key, army.pieces.as_deref().unwrap_or(""))
            }
            None => (0..self.tables.len() as u8).map(PieceType::new).collect(),
        };
        let only = |kind: &PieceType| self.tables[kind.index()].only.map(OneSide::color);
        kinds.into_iter().filter(|kind| only(kind) != Some(!color)).collect()
    }

    fn moves(
        &self,
        color: Color,
        key: &str,
        table: &PieceTable,
        region: Bitboard,
        never: Bitboard,
    ) -> PieceMoves {
        let all = self.geometry.squares();
        let made = |steps: &[Step], from, to| Moves {
            steps: self.own_steps(color, steps),
            from: self.own(color, from),
            to: self.own(color, to),
        };
        let mut moves = vec![made(&self.betza(&format!("{key}.betza"), &table.betza), all, region)];
        for (index, extra) in table.extra.iter().flatten().enumerate() {
            let key = format!("{key}.extra[{index}]");
            if extra.betza.is_none() {
                self.faults.note(format!("{key}.betza"), "is missing");
            }
            let from = self.region_or(&format!("{key}.from"), &extra.from, all);
            let to = self.region_or(&format!("{key}.to"), &extra.to, all) & region;
            moves.push(made(&self.betza(&format!("{key}.betza"), &extra.betza), from, to));
        }
        let mut tables = PieceMoves::new(&self.geometry, &moves);
        let first = table.first.clone().filter(|text| !text.is_empty());
        let first = self.betza(&format!("{key}.first"), &first);
        if !first.is_empty() {
            let quiet: Vec<Step> =
                first.into_iter().map(|s| Step { quiet: true, capture: false, ..s }).collect();
            let moves = PieceMoves::new(&self.geometry, &[made(&quiet, all, region)]);
            tables.extras_mut().first = Some(Box::new(moves));
        }
        self.add_doubles(color, key, table, never, &mut tables);
        self.add_habits(key, table, &mut tables);
        tables
    }

    /// What it spares, cannot hop over, becomes when it captures.
    fn add_habits(&self, key: &str, table: &PieceTable, tables: &mut PieceMoves) {
        let kinds = |name: &str, text: &Option<String>| -> PieceTypeSet {
            let text = text.as_deref().unwrap_or("");
            self.kinds(&format!("{key}.{name}"), text).into_iter().collect()
        };
        let (spares, not_over) =
            (kinds("spares", &table.spares), kinds("not_over", &table.not_over));
        if !spares.is_empty() {
            tables.extras_mut().spares = spares;
        }
        if !not_over.is_empty() {
            let first = tables.extras_mut().first.as_ref();
            if first.is_none_or(|first| first.hops.is_none()) && tables.hops.is_none() {
                self.faults.note(format!("{key}.not_over"), "the piece does not hop (Betza's 'p')");
            }
            tables.extras_mut().not_over = not_over;
        }
        let becomes = table.on_capture.as_deref().and_then(|text| match text {
            "taken" => Some(OnCapture::Takes),
            text if text.starts_with(|c: char| c.is_ascii_lowercase()) => {
                let fault = "expected is a piece's letter, or \"taken\"";
                self.faults.note(format!("{key}.on_capture"), fault);
                None
            }
            text => self.kind(&format!("{key}.on_capture"), text).map(OnCapture::Becomes),
        });
        if becomes.is_some() {
            tables.extras_mut().on_capture = becomes;
        }
    }

    fn add_doubles(
        &self,
        color: Color,
        key: &str,
        table: &PieceTable,
        never: Bitboard,
        tables: &mut PieceMoves,
    ) {
        let Some(double) = &table.double_step else { return };
        let key = format!("{key}.double_step");
        let Some(from) = &double.from else {
            return self.faults.note(format!("{key}.from"), "is missing");
        };
        let from = self.region(&format!("{key}.from"), from);
        let along = double.along.clone().or_else(|| Some("fW".to_string()));
        let steps = self.betza(&format!("{key}.along"), &along);
        if steps.len() > 3
            || steps.iter().any(|s| s.way != Way::Leap || s.dx.abs().max(s.dy.abs()) > 1)
        {
            let fault = "expected are one to three single steps, such as fW or fF";
            return self.faults.note(format!("{key}.along"), fault);
        }
        let end = |square: Square| {
            let ends = steps.iter().map(move |s| self.geometry.walk(square, s.dx, s.dy).nth(1));
            ends.collect::<Vec<_>>()
        };
        let is_wrong = |square: Square| {
            let ends = end(square);
            ends.iter().all(Option::is_none) || ends.iter().flatten().any(|&s| never.contains(s))
        };
        if from.into_iter().any(is_wrong) {
            let fault = "a double step from there ends where the piece cannot stay";
            self.faults.note(format!("{key}.from"), fault);
        }
        let reached = |square: Square| {
            let ends = end(square).into_iter().flatten().map(|end| self.own_square(color, end));
            let from = self.own_square(color, square);
            ends.collect::<Bitboard>().meets(tables.quiet_reach(from))
        };
        if from.into_iter().any(reached) {
            let fault = "the piece reaches the end of a double step by a move of its own";
            self.faults.note(format!("{key}.from"), fault);
        }
        tables.add_doubles(&self.geometry, &self.own_steps(color, &steps), self.own(color, from));
    }

    /// The promotion of a piece, as White sees it.
    fn promotion(
        &self,
        key: &str,
        letter: &str,
        table: &PieceTable,
        army: Option<&ArmyTable>,
    ) -> Option<Promotion> {
        let promotion = table.promotion.as_ref()?;
        // A text without letters takes away what the base says.
        if promotion.to.as_deref() == Some("") {
            return None;
        }
        let key = format!("{key}.promotion");
        let of_army = army.and_then(|army| army.promotes.as_ref()?.get(letter));
        let to = match of_army.or(promotion.to.as_ref()) {
            Some(text) => self.kinds(&format!("{key}.to"), text),
            // A piece that other armies promote and this one does not have.
            None if army.is_some() => return None,
            None => {
                self.faults.note(format!("{key}.to"), "is missing");
                Vec::new()
            }
        };
        if let Some(&kind) = to.iter().find(|kind| self.tables[kind.index()].reserve.is_some()) {
            let fault = format!("{} exists in hand only", self.letters[kind.index()]);
            self.faults.note(format!("{key}.to"), fault);
        }
        if promotion.zone.is_none() {
            self.faults.note(format!("{key}.zone"), "is missing");
        }
        let zone = self.region_or(&format!("{key}.zone"), &promotion.zone, Bitboard::EMPTY);
        let forced = self.region_or(&format!("{key}.forced"), &promotion.forced, Bitboard::EMPTY);
        if !zone.is_empty() && !(forced & !zone).is_empty() {
            let fault = "holds squares that are not in the zone, where it cannot promote";
            self.faults.note(format!("{key}.forced"), fault);
        }
        Some(Promotion {
            zone,
            forced: forced & zone,
            to: to.into_iter().collect(),
            leaving: promotion.leaving.unwrap_or(false),
            limited: promotion.limited.unwrap_or(false),
        })
    }

    fn castle(&self, color: Color, index: usize, castling: &Castling) -> Option<Castle> {
        let key = format!("castling[{index}]");
        let path = |name: &str, text: &Option<String>| {
            let key = format!("{key}.{name}");
            let squares = self.geometry.parse_two_squares(text.as_deref().unwrap_or(""));
            let same_rank =
                squares.filter(|&(a, b)| self.geometry.rank(a) == self.geometry.rank(b) && a != b);
            if same_rank.is_none() {
                let fault = "expected are two squares of one rank, such as e1g1";
                self.faults.note(key, fault);
            }
            same_rank
        };
        let (king, rook) = (path("king", &castling.king), path("rook", &castling.rook));
        let (white_king, white_rook) = (king?, rook?);
        let only = castling.only.map(OneSide::color);
        if only.is_some_and(|only| only != color) {
            return None;
        }
        let own = |(a, b)| (self.own_square(color, a), self.own_square(color, b));
        let (king, rook) = (own(white_king), own(white_rook));
        let line = |(a, b): (Square, Square)| {
            self.geometry.between(a, b) | Bitboard::of(a) | Bitboard::of(b)
        };
        let right = self.rights.get();
        self.rights.set(right + 1);
        let squares = if only == Some(Color::Black) {
            (king.0, rook.0)
        } else {
            (white_king.0, white_rook.0)
        };
        let pieces = self.castling_pieces(&key, only.unwrap_or(Color::White), squares)?;
        let to_the_right = white_king.1 > white_king.0;
        let letter = if to_the_right { 'K' } else { 'Q' };
        Some(Castle {
            letter: if color == Color::White { letter } else { letter.to_ascii_lowercase() },
            right: 1u32.checked_shl(right)?,
            king,
            rook,
            pieces,
            empty: (line(king) | line(rook) | self.geometry.between(king.0, rook.0))
                & !Bitboard::of(king.0)
                & !Bitboard::of(rook.0),
            safe: line(king),
        })
    }

    /// The pieces that castle: those of this side that stand on these squares at the start.
    fn castling_pieces(
        &self,
        key: &str,
        color: Color,
        (king, rook): (Square, Square),
    ) -> Option<(PieceType, PieceType)> {
        let start = self.definition.start.as_deref().unwrap_or("");
        let piece = |name: &str, square: Square| {
            let piece = self.start_piece(start, color, square);
            if piece.is_none() {
                let name_of = self.geometry.name(square);
                let fault = format!("{color} has no piece on {name_of} at the start");
                self.faults.note(format!("{key}.{name}"), fault);
            }
            piece
        };
        piece("king", king).zip(piece("rook", rook))
    }

    /// The piece of a side on a square of the start position, read without the tables of the game, which
    /// are being made.
    fn start_piece(&self, start: &str, color: Color, square: Square) -> Option<PieceType> {
        let row = start
            .split(['/', ' ', '['])
            .nth(usize::from(self.geometry.ranks() - 1 - self.geometry.rank(square).0))?;
        let mut file = 0;
        let mut rest = row;
        while let Some(c) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                file += rest[..digits].parse::<u8>().ok()?;
                rest = &rest[digits..];
                continue;
            }
            let promoted = c == '+';
            let capital = rest[usize::from(promoted)..].chars().next()?;
            if file == self.geometry.file(square).0 {
                let own = capital.is_ascii_uppercase() == (color == Color::White);
                let capital = capital.to_ascii_uppercase();
                let letter = super::Letter { capital, promoted };
                let index = self.letters.iter().position(|&other| other == letter);
                return index.filter(|_| own).map(|index| PieceType::new(index as u8));
            }
            file = file.checked_add(1)?;
            rest = &rest[usize::from(promoted) + capital.len_utf8()..];
        }
        None
    }
}
