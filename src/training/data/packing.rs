//! How the positions of one game are packed into few bytes.
//!
//! A record is a row of bits: which game of the file it is of, the side to move, the result, the score, the counters,
//! what is rare behind a bit that says whether it is there, then a bit for each square that is occupied or not, a
//! number for each piece, and each count of pieces in hand as so many ones before a zero. docs/data.md has the table.

use std::sync::Arc;

use super::bits::{BitReader, BitWriter};
use super::error::PackedError;
use crate::engine::eval::hash::fnv1a;
use crate::training::sample::{End, Sample};
use garrison_rules::limits::{MAX_PIECE_TYPES, MAX_SQUARES};
use garrison_rules::{
    Bitboard, Color, EnPassant, Letter, Piece, PieceType, PieceTypeSet, Position, Right,
    RunningCount, Setup, SetupPhase, Square, Variant,
};

/// The most games of a file.
pub(super) const MAX_GAMES: usize = 1 << GAME_BITS;
/// The bits of a game's number if there are several.
const GAME_BITS: u32 = 10;
/// The bits of a usual score, a usual count of plies without progress and a usual move number; and of any.
const SCORE_BITS: [u32; 2] = [12, 32];
const HALFMOVE_BITS: [u32; 2] = [7, 16];
const FULLMOVE_BITS: [u32; 2] = [9, 32];
const CHECK_BITS: u32 = 8;
const SQUARE_BITS: u32 = MAX_SQUARES.trailing_zeros();
/// Squares that are read at once.
const SQUARES: usize = 56;

/// How the positions of one game are packed.
#[derive(Debug, Clone)]
pub struct Packing {
    variant: Arc<Variant>,
    /// The squares of the board, lowest first.
    squares: Vec<Square>,
    /// What the number of a piece stands for.
    pieces: Vec<Piece>,
    /// The number of each piece by its index; `NO_PIECE` for one that cannot be on the board.
    numbers: [u8; 2 * MAX_PIECE_TYPES],
    /// The bits of a piece's number.
    piece_bits: u32,
    /// The piece types in hand, in the order of the file.
    hand: Vec<PieceType>,
    /// The rights of pieces that have not moved.
    rights: Vec<Right>,
    /// The number of this game in its file, and the bits that say so.
    number: usize,
    number_bits: u32,
}

const NO_PIECE: u8 = u8::MAX;

/// A record taken apart, which costs much less than a [`Position`]. It can be used again for the next record.
#[derive(Debug, Clone)]
pub struct Record {
    /// The number of the game among those of the file.
    pub game: usize,
    /// The side to move.
    pub side_to_move: Color,
    /// The score for White in centipawns.
    pub centipawns: i32,
    /// How its game ended; none for a position that was not played.
    pub end: Option<End>,
    /// The squares with stones.
    pub stones: Bitboard,
    /// The pieces on the board, lowest square first.
    pub pieces: Vec<(Square, Piece)>,
    /// The pieces in hand, White's first: by hand slot of the game, how many.
    pub hands: [[u8; 16]; 2],
    /// Plies since the last capture, drop, promotion or pawn move.
    pub halfmoves: u16,
    /// The move number, from 1.
    pub fullmove: u32,
    phase: SetupPhase,
    en_passant: Option<EnPassant>,
    checks: [u8; 2],
    count: Option<RunningCount>,
    /// A bit for each right of the packing.
    rights: u64,
}

impl Default for Record {
    fn default() -> Record {
        Record {
            game: 0,
            side_to_move: Color::White,
            centipawns: 0,
            end: None,
            stones: Bitboard::EMPTY,
            pieces: Vec::new(),
            hands: [[0; 16]; 2],
            halfmoves: 0,
            fullmove: 1,
            phase: SetupPhase::Done,
            en_passant: None,
            checks: [0; 2],
            count: None,
            rights: 0,
        }
    }
}

impl Packing {
    /// Packs the positions of the game with this number among `games` games of a file.
    pub(super) fn new(variant: &Arc<Variant>, number: usize, games: usize) -> Packing {
        let pieces = Color::ALL.into_iter().flat_map(|color| {
            let kinds =
                variant.kinds_of(color).filter(|&kind| variant.piece(kind).reserve.is_empty());
            kinds.map(move |kind| Piece::new(color, kind))
        });
        Packing::with(variant, pieces.collect(), variant.hand_kinds().to_vec(), number, games)
    }

    fn with(
        variant: &Arc<Variant>,
        pieces: Vec<Piece>,
        hand: Vec<PieceType>,
        number: usize,
        games: usize,
    ) -> Packing {
        let mut numbers = [NO_PIECE; 2 * MAX_PIECE_TYPES];
        pieces.iter().enumerate().for_each(|(number, piece)| numbers[piece.index()] = number as u8);
        Packing {
            squares: variant.geometry().squares().collect(),
            piece_bits: bits_for(pieces.len()),
            pieces,
            numbers,
            hand,
            rights: rights_of(variant),
            number,
            number_bits: if games > 1 { GAME_BITS } else { 0 },
            variant: Arc::clone(variant),
        }
    }

    /// Reads what the header of a file says of a game: the letters of White's pieces, of Black's, and of those in hand.
    pub(super) fn from_letters(
        variant: &Arc<Variant>,
        letters: [&str; 3],
        number: usize,
        games: usize,
    ) -> Option<Packing> {
        let [white, black, hand] = letters.map(|text| kinds(variant, text));
        let own = Packing::new(variant, number, games);
        let of = |color, kinds: Vec<_>| kinds.into_iter().map(move |kind| Piece::new(color, kind));
        let pieces: Vec<Piece> = of(Color::White, white?).chain(of(Color::Black, black?)).collect();
        let found = Packing::with(variant, pieces, hand?, number, games);
        let is_complete = own.pieces.iter().all(|piece| found.pieces.contains(piece))
            && own.hand.iter().all(|kind| found.hand.contains(kind));
        let is_same_length =
            own.pieces.len() == found.pieces.len() && own.hand.len() == found.hand.len();
        (is_complete && is_same_length).then_some(found)
    }

    /// What the header of a file says of the game: as [`Packing::from_letters`] reads it.
    pub(super) fn letters(&self) -> [String; 3] {
        let letter = |kind| self.variant.piece(kind).letter.to_string();
        let of = |color| {
            let own = self.pieces.iter().filter(move |piece| piece.color() == color);
            own.map(|piece| letter(piece.kind())).collect::<String>()
        };
        [of(Color::White), of(Color::Black), self.hand.iter().copied().map(letter).collect()]
    }

    /// The game.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// Whether records of the other packing can be read with this one.
    pub(super) fn packs_as(&self, other: &Packing) -> bool {
        Arc::ptr_eq(&self.variant, &other.variant)
            && self.pieces == other.pieces
            && self.hand == other.hand
    }

    /// The record of a sample of this game: at most 255 bytes.
    pub(super) fn pack(&self, sample: &Sample) -> Vec<u8> {
        let setup = Setup::from(&sample.position);
        let mut bits = BitWriter::default();
        bits.put(self.number as u64, self.number_bits);
        bits.put(u64::from(setup.side_to_move == Color::Black), 1);
        let end = match sample.end {
            None => 0,
            Some(End(Some(Color::White))) => 1,
            Some(End(None)) => 2,
            Some(End(Some(Color::Black))) => 3,
        };
        bits.put(end, 2);
        let usual = 1i64 << (SCORE_BITS[0] - 1);
        let score = i64::from(sample.centipawns);
        let is_usual = (-usual..usual).contains(&score);
        let size = SCORE_BITS[usize::from(!is_usual)];
        bits.put(u64::from(!is_usual), 1);
        bits.put(score.cast_unsigned() & !(!0 << size), size);
        put_number(&mut bits, u64::from(setup.halfmoves), HALFMOVE_BITS);
        put_number(&mut bits, u64::from(setup.fullmove), FULLMOVE_BITS);
        self.put_rare(&mut bits, &setup);
        for part in self.squares.chunks(SQUARES) {
            let occupied = part
                .iter()
                .enumerate()
                .map(|(index, &square)| u64::from(setup.piece_at(square).is_some()) << index);
            bits.put(occupied.sum(), part.len() as u32);
        }
        if self.variant.has_stones() {
            for square in &self.squares {
                bits.put(u64::from(setup.stones().contains(*square)), 1);
            }
        }
        for piece in self.squares.iter().filter_map(|&square| setup.piece_at(square)) {
            bits.put(u64::from(self.numbers[piece.index()]), self.piece_bits);
        }
        for color in Color::ALL {
            for &kind in &self.hand {
                (0..setup.in_hand(color, kind)).for_each(|_| bits.put(1, 1));
                bits.put(0, 1);
            }
        }
        bits.into_bytes()
    }

    /// What few positions have.
    fn put_rare(&self, bits: &mut BitWriter, setup: &Setup) {
        bits.put(u64::from(setup.phase != SetupPhase::Done), 1);
        if setup.phase != SetupPhase::Done {
            bits.put(u64::from(setup.phase == SetupPhase::Second), 1);
        }
        bits.put(u64::from(setup.en_passant.is_some()), 1);
        if let Some(EnPassant { passed, piece }) = setup.en_passant {
            bits.put(passed.index() as u64, SQUARE_BITS);
            bits.put(u64::from(piece.is_some()), 1);
            if let Some(piece) = piece {
                bits.put(piece.index() as u64, SQUARE_BITS);
            }
        }
        let has_checks = setup.checks_given.0 != [0; 2];
        bits.put(u64::from(has_checks), 1);
        if has_checks {
            setup.checks_given.0.iter().for_each(|&count| bits.put(count.into(), CHECK_BITS));
        }
        if self.variant.has_counts() {
            bits.put(u64::from(setup.count.is_some()), 1);
            if let Some(count) = setup.count {
                put_number(bits, u64::from(count.plies), HALFMOVE_BITS);
                put_number(bits, u64::from(count.limit), HALFMOVE_BITS);
            }
        }
        if !self.rights.is_empty() {
            let held = setup.rights_held();
            for right in &self.rights {
                bits.put(u64::from(held.contains(right)), 1);
            }
        }
    }

    /// The number of the game of a record in a file of so many games.
    pub(super) fn game_of(record: &[u8], games: usize) -> usize {
        if games <= 1 {
            return 0;
        }
        BitReader::new(record).take(GAME_BITS).map_or(usize::MAX, |number| number as usize)
    }

    /// Takes a record apart.
    ///
    /// # Errors
    /// It is none of this game.
    pub fn unpack(&self, bytes: &[u8], record: &mut Record) -> Result<(), PackedError> {
        self.take(bytes, record).ok_or(PackedError::Record)
    }

    fn take(&self, bytes: &[u8], record: &mut Record) -> Option<()> {
        let mut bits = BitReader::new(bytes);
        record.game = bits.take(self.number_bits)? as usize;
        record.side_to_move = if bits.take(1)? == 1 { Color::Black } else { Color::White };
        record.end = match bits.take(2)? {
            0 => None,
            1 => Some(End(Some(Color::White))),
            2 => Some(End(None)),
            _ => Some(End(Some(Color::Black))),
        };
        let size = SCORE_BITS[bits.take(1)? as usize];
        // Shifted up and down again, so that the sign is that of the highest bit.
        let score = (bits.take(size)? << (64 - size)).cast_signed() >> (64 - size);
        record.centipawns = score as i32;
        record.halfmoves = take_number(&mut bits, HALFMOVE_BITS)? as u16;
        record.fullmove = take_number(&mut bits, FULLMOVE_BITS)? as u32;
        self.take_rare(&mut bits, record)?;
        record.pieces.clear();
        for part in self.squares.chunks(SQUARES) {
            let mut occupied = bits.take(part.len() as u32)?;
            while occupied != 0 {
                // The pieces follow all squares.
                let square = part[occupied.trailing_zeros() as usize];
                record.pieces.push((square, self.pieces[0]));
                occupied &= occupied - 1;
            }
        }
        record.stones = Bitboard::EMPTY;
        if self.variant.has_stones() {
            for square in &self.squares {
                if bits.take(1)? == 1 {
                    record.stones.insert(*square);
                }
            }
        }
        for (_, piece) in &mut record.pieces {
            *piece = *self.pieces.get(bits.take(self.piece_bits)? as usize)?;
        }
        record.hands = [[0; 16]; 2];
        for hand in &mut record.hands {
            for &kind in &self.hand {
                let slot = self.variant.piece(kind).slot?;
                hand[slot] = u8::try_from(bits.take_ones()?).ok()?;
            }
        }
        bits.is_at_end().then_some(())
    }

    fn take_rare(&self, bits: &mut BitReader, record: &mut Record) -> Option<()> {
        record.phase = match bits.take(1)? {
            0 => SetupPhase::Done,
            _ if bits.take(1)? == 1 => SetupPhase::Second,
            _ => SetupPhase::Both,
        };
        record.en_passant = None;
        if bits.take(1)? == 1 {
            let mut square = || Some(Square::new(bits.take(SQUARE_BITS)? as u8));
            let passed = square()?;
            let is_named = bits.take(1)? == 1;
            let piece =
                if is_named { Some(Square::new(bits.take(SQUARE_BITS)? as u8)) } else { None };
            record.en_passant = Some(EnPassant { passed, piece });
        }
        record.checks = [0; 2];
        if bits.take(1)? == 1 {
            for count in &mut record.checks {
                *count = bits.take(CHECK_BITS)? as u8;
            }
        }
        record.count = None;
        if self.variant.has_counts() && bits.take(1)? == 1 {
            let mut number = || Some(take_number(bits, HALFMOVE_BITS)? as u16);
            record.count = Some(RunningCount { plies: number()?, limit: number()? });
        }
        record.rights = bits.take(self.rights.len() as u32)?;
        Some(())
    }

    /// The position of a record that this packing took apart.
    ///
    /// # Errors
    /// It breaks a rule of the game.
    pub fn position(&self, record: &Record) -> Result<Position, PackedError> {
        let mut setup = Setup::empty(&self.variant);
        for &(square, piece) in &record.pieces {
            setup.set_piece(square, Some(piece));
        }
        for square in record.stones {
            setup.set_stone(square, true);
        }
        for color in Color::ALL {
            for (slot, &kind) in self.variant.hand_kinds().iter().enumerate() {
                setup.set_in_hand(color, kind, record.hands[color.index()][slot]);
            }
            setup.checks_given[color] = record.checks[color.index()];
        }
        setup.side_to_move = record.side_to_move;
        setup.phase = record.phase;
        setup.en_passant = record.en_passant;
        for (index, right) in self.rights.iter().enumerate() {
            if record.rights >> index & 1 == 1 {
                match *right {
                    Right::Castling(letter) => setup.set_castling(letter, true),
                    Right::FirstMove(square) => setup.set_first_move(square, true),
                    Right::Gate(square) => setup.set_gate(square, true),
                };
            }
        }
        setup.halfmoves = record.halfmoves;
        setup.count = record.count;
        setup.fullmove = record.fullmove;
        Position::try_from(setup).map_err(|error| PackedError::Position(error.to_string()))
    }

    /// The sample of a record that this packing took apart.
    ///
    /// # Errors
    /// Its position breaks a rule of the game.
    pub fn sample(&self, record: &Record) -> Result<Sample, PackedError> {
        let position = self.position(record)?;
        Ok(Sample { position, centipawns: record.centipawns, end: record.end })
    }

    /// A hash of what the records of the game mean: the same board, pieces, moves and start, whatever things are called.
    pub(super) fn rules_hash(&self) -> u64 {
        fnv1a(rules_text(&self.variant).as_bytes())
    }
}

/// The bits that number so many things.
fn bits_for(count: usize) -> u32 {
    count.saturating_sub(1).checked_ilog2().map_or(0, |bits| bits + 1)
}

/// Writes a number in as few bits as usual, or else in more, behind a bit that says which.
fn put_number(bits: &mut BitWriter, number: u64, sizes: [u32; 2]) {
    let is_large = number >> sizes[0] != 0;
    bits.put(u64::from(is_large), 1);
    bits.put(number, sizes[usize::from(is_large)]);
}

fn take_number(bits: &mut BitReader, sizes: [u32; 2]) -> Option<u64> {
    let is_large = bits.take(1)?;
    bits.take(sizes[is_large as usize])
}

/// The piece types of a text of letters such as `PR+R`; none if one is unknown.
fn kinds(variant: &Variant, text: &str) -> Option<Vec<PieceType>> {
    Letter::split(text)?.into_iter().map(|letter| variant.kind_of(letter)).collect()
}

/// The rights of a game: to castle, then to make first moves, by square.
fn rights_of(variant: &Arc<Variant>) -> Vec<Right> {
    let castling = Color::ALL.into_iter().flat_map(|color| variant.castling_letters(color));
    let mut rights: Vec<Right> = castling.map(Right::Castling).collect();
    let mut setup = Setup::empty(variant);
    let squares = variant.geometry().squares();
    let mut has_first = |square: &Square| setup.set_first_move(*square, true);
    rights.extend(squares.filter(|square| has_first(square)).map(Right::FirstMove));
    let mut has_gate = |square: &Square| setup.set_gate(*square, true);
    rights.extend(squares.filter(|square| has_gate(square)).map(Right::Gate));
    rights
}

/// What is hashed, as text: the board, its holes, the start, and the piece types by letter with what each side may
/// do with them.
fn rules_text(variant: &Arc<Variant>) -> String {
    let geometry = variant.geometry();
    let bits = |set: Bitboard| set.map(|square| geometry.name(square)).collect::<Vec<_>>().join("");
    let mut lines: Vec<String> = variant
        .kinds()
        .map(|kind| {
            let piece = variant.piece(kind);
            let letters = |kinds: PieceTypeSet| {
                let mut all: Vec<_> =
                    kinds.map(|kind| variant.piece(kind).letter.to_string()).collect();
                all.sort();
                all.concat()
            };
            let royal = if variant.royals().contains(kind) { " royal" } else { "" };
            let hand = if piece.slot.is_some() { " hand" } else { "" };
            let mut text =
                format!("{} {}{royal}{hand} {}", piece.letter, piece.betza, letters(piece.reserve));
            for color in Color::ALL {
                let may_have = variant.kinds_of(color).contains(kind);
                text += &format!(
                    " {may_have} {} {} {}",
                    letters(variant.promotes_to(color, kind)),
                    bits(variant.forced_promotion(color, kind)),
                    bits(variant.standing_squares(color, kind))
                );
            }
            text
        })
        .collect();
    lines.sort();
    let rights: String = rights_of(variant)
        .into_iter()
        .map(|right| match right {
            Right::Castling(letter) => letter.to_string(),
            Right::FirstMove(square) => geometry.name(square),
            Right::Gate(square) => format!("/{}", geometry.name(square)),
        })
        .collect();
    let stones = if variant.has_stones() { " stones" } else { "" };
    let counts = if variant.has_counts() { " counts" } else { "" };
    format!(
        "board {}x{} {}{stones}{counts}\nstart {}\nrights {rights}\n{}",
        geometry.files(),
        geometry.ranks(),
        bits(geometry.squares()),
        variant.start_fen(),
        lines.join("\n")
    )
}
