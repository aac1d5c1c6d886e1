//! The description of a game for XBoard: pieces, board and start, from the data of the variant.
//!
//! XBoard has a table of 66 piece types a side. The place of a piece in it determines its picture and, for a few
//! places, its behavior; a game assigns letters to the places that it needs.

use super::known::Known;
use garrison_rules::betza::{self, Step};
use garrison_rules::game::RoyaltyKind;
use garrison_rules::{Color, Letter, PieceType, PieceTypeSet, Variant};

/// The most files on screen; the hands take four of them.
const MAX_FILES: u8 = 16;
const HAND_FILES: u8 = 4;
/// The most ranks.
const MAX_RANKS: u8 = 15;

/// The place of the piece that XBoard treats as a pawn: it moves straight ahead and may double-step.
const PAWN: usize = 0;
/// The offset of a promoted form from its piece, for pieces up to [`LAST_PROMOTING`].
const PROMOTED: usize = 11;
const LAST_PROMOTING: usize = 8;
/// In XBoard's shogi the pieces of these places must promote on the last rank, and on the last two.
const FORCED_ONE: usize = 4;
const FORCED_TWO: usize = 1;
/// The other places with a promoted form, the best first. The promoted form of the last one looks like a king; one
/// place is left out because it behaves like a lance.
const FREE_TO_PROMOTE: [usize; 5] = [2, 3, 5, 8, 6];

/// Names of the pictures of the places up to 28, as XBoard names its files.
const PICTURES: [&str; 29] = [
    "Pawn",
    "Knight",
    "Bishop",
    "Rook",
    "Queen",
    "Advisor",
    "Elephant",
    "Archbishop",
    "Marshall",
    "Gold",
    "Commoner",
    "Canon",
    "Nightrider",
    "CrownedBishop",
    "CrownedRook",
    "Crown",
    "Chancellor",
    "Hawk",
    "Lance",
    "Cobra",
    "Unicorn",
    "Lion",
    "Sword",
    "Zebra",
    "Camel",
    "Tower",
    "Wolf",
    "Hat",
    "Duck",
];
/// Places whose pictures have other names in shogi.
const SHOGI_PICTURES: [(usize, &str); 5] =
    [(4, "Lance"), (11, "GoldPawn"), (12, "GoldKnight"), (15, "GoldLance"), (16, "GoldSilver")];
/// The picture of the royal piece, whose place is the last.
const ROYAL_PICTURE: &str = "King";
/// Places with built-in behavior: cannon, lance and lion.
const PECULIAR: [usize; 3] = [11, 18, 21];

/// The game of XBoard's own that a game is derived from: it determines captures to hand and drops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parent {
    /// No hands.
    Fairy,
    /// Captured pieces change sides.
    Crazyhouse,
    /// The same, and pieces promote to forms of their own.
    Shogi,
    /// Captured pieces are gone, and XBoard allows drops of pieces that it does not see in hand: only the engine
    /// knows the hands.
    Bughouse,
}

impl Parent {
    /// The parent of a game.
    pub fn of(variant: &Variant) -> Parent {
        let pieces = || variant.kinds().map(|kind| variant.piece(kind));
        if variant.hand_kinds().is_empty() {
            Parent::Fairy
        } else if pieces().all(|piece| piece.captured_slot.is_none()) {
            Parent::Bughouse
        } else if variant.kinds().any(|kind| is_own_form(variant, kind)) {
            Parent::Shogi
        } else {
            Parent::Crazyhouse
        }
    }

    fn name(self) -> &'static str {
        match self {
            Parent::Fairy => "fairy",
            Parent::Crazyhouse => "crazyhouse",
            Parent::Shogi => "shogi",
            Parent::Bughouse => "bughouse",
        }
    }
}

/// The places of the pieces in XBoard's piece table, the same for both sides.
#[derive(Debug, Clone)]
pub struct PieceTable {
    places: Vec<Option<PieceType>>,
    parent: Parent,
    /// The piece at the last place, which XBoard treats as royal.
    royal: Option<PieceType>,
    /// XBoard's own game of this name, whose places these are.
    known: Option<&'static Known>,
}

impl PieceTable {
    /// The piece table of a game; `None` if XBoard has no room for its pieces.
    pub fn of(variant: &Variant) -> Option<PieceTable> {
        let parent = Parent::of(variant);
        let mut pieces = shown_pieces(variant);
        if let Some(known) = Known::of(variant)
            && let Some((places, royal)) = known.places(variant, &pieces)
        {
            return Some(PieceTable { places, parent, royal, known: Some(known) });
        }
        let places = vec![None; PICTURES.len()];
        let mut table = PieceTable { places, parent, royal: None, known: None };
        // XBoard cannot treat a piece as royal that comes late, or of which there may be several.
        let lasting = variant.royalty_kind() != Some(RoyaltyKind::Last);
        table.royal = variant.royal().filter(|_| lasting && parent != Parent::Bughouse);
        pieces.retain(|&kind| Some(kind) != table.royal);
        if let Some(pawn) = pieces.iter().position(|&kind| is_pawn(variant, kind)) {
            table.places[PAWN] = Some(pieces.remove(pawn));
        }
        match parent {
            Parent::Shogi => table.place_promoting(variant, &mut pieces)?,
            Parent::Crazyhouse => table.place_marked(variant, &mut pieces)?,
            Parent::Fairy | Parent::Bughouse => {}
        }
        let free = |place: &usize| *place != PAWN && !PECULIAR.contains(place);
        for kind in pieces {
            let mut places = (0..PICTURES.len()).filter(free);
            let from = if parent == Parent::Shogi { LAST_PROMOTING + 1 } else { 1 };
            let place = places.find(|&at| at >= from && table.places[at].is_none())?;
            table.places[place] = Some(kind);
        }
        while table.places.last() == Some(&None) {
            table.places.pop();
        }
        Some(table)
    }

    /// Gives places to the pieces that pawns become, and to what a pawn became: it looks like the piece, but is a pawn
    /// again when it is captured.
    fn place_marked(&mut self, variant: &Variant, pieces: &mut Vec<PieceType>) -> Option<()> {
        pieces.retain(|&kind| !variant.piece(kind).letter.promoted);
        let (marked, rest): (Vec<_>, Vec<_>) =
            pieces.iter().copied().partition(|&kind| promoted_form(variant, kind).is_some());
        for kind in marked {
            let place = (PAWN + 1..PROMOTED).find(|&at| self.places[at].is_none())?;
            self.places[place] = Some(kind);
            self.places[place + PROMOTED] = promoted_form(variant, kind);
        }
        *pieces = rest;
        Some(())
    }

    /// Gives places to the pieces with promoted forms, and to the forms.
    fn place_promoting(&mut self, variant: &Variant, pieces: &mut Vec<PieceType>) -> Option<()> {
        let form = |kind| promoted_form(variant, kind);
        pieces.retain(|&kind| !variant.piece(kind).letter.promoted);
        pieces.extend(self.places[PAWN]);
        let (mut promoting, rest): (Vec<_>, Vec<_>) =
            pieces.iter().copied().partition(|&kind| form(kind).is_some());
        let forced = |kind| forced_ranks(variant, kind);
        // Pieces that need a certain place come first.
        promoting.sort_by_key(|&kind| {
            std::cmp::Reverse((self.places[PAWN] == Some(kind), forced(kind)))
        });
        for kind in promoting {
            let claimed = match forced(kind) {
                _ if self.places[PAWN] == Some(kind) => Some(PAWN),
                1 => Some(FORCED_ONE),
                2.. => Some(FORCED_TWO),
                0 => None,
            };
            let claimed = claimed.filter(|&at| at == PAWN || self.places[at].is_none());
            let mut others = FREE_TO_PROMOTE.into_iter();
            let place = claimed.or_else(|| others.find(|&at| self.places[at].is_none()))?;
            self.places[place] = Some(kind);
            self.places[place + PROMOTED] = form(kind);
        }
        *pieces = rest;
        pieces.retain(|&kind| self.places[PAWN] != Some(kind));
        Some(())
    }

    /// The pieces with places, in the order of the places, and the name of the picture of each.
    pub fn pictures(&self) -> impl Iterator<Item = (PieceType, &'static str)> + '_ {
        let shogi = SHOGI_PICTURES.iter().filter(|_| self.parent == Parent::Shogi);
        let placed = self.places.iter().zip(PICTURES).enumerate();
        let placed = placed.filter_map(move |(place, (&kind, picture))| {
            let other = shogi.clone().find(|(at, _)| *at == place);
            Some((kind?, other.map_or(picture, |(_, name)| name)))
        });
        placed.chain(self.royal.map(|kind| (kind, ROYAL_PICTURE)))
    }

    /// The pieces of a hand from its first slot on: all that have no `+`, up to the last that can be in hand.
    pub fn hand(&self, variant: &Variant) -> Vec<PieceType> {
        let kinds = self.places.iter().flatten().copied();
        let mut pieces: Vec<_> =
            kinds.filter(|&kind| !variant.piece(kind).letter.promoted).collect();
        let can = held(variant);
        while pieces.last().is_some_and(|&kind| !can.contains(kind)) {
            pieces.pop();
        }
        pieces
    }

    /// The height of a hand on the screen.
    fn hand_height(&self, variant: &Variant) -> usize {
        self.known.map_or_else(|| self.hand(variant).len(), |known| known.hand)
    }

    /// The name of the game of XBoard's own that the game is derived from.
    fn parent_name(&self) -> &'static str {
        self.known.map_or(self.parent.name(), |known| known.name)
    }

    /// The letters of the table, White's and then Black's.
    fn letters(&self, variant: &Variant) -> String {
        let letter = |kind: &Option<PieceType>| match kind.map(|kind| variant.piece(kind).letter) {
            None => '.',
            Some(Letter { promoted: true, .. }) if self.parent == Parent::Crazyhouse => '~',
            Some(Letter { promoted: true, .. }) => '+',
            Some(letter) => letter.capital,
        };
        let half: String = self.places.iter().chain([&self.royal]).map(letter).collect();
        format!("{half}{}", half.to_lowercase())
    }
}

/// The lines that describe a game to XBoard: `setup` with pieces, size and start, and a `piece` line for each piece;
/// one `tellusererror` line if XBoard has no room for the game.
pub fn describe(variant: &Variant) -> Vec<String> {
    let geometry = variant.geometry();
    let parent = Parent::of(variant);
    let refusal =
        |what: &str| vec![format!("tellusererror XBoard cannot show {}: {what}", variant.name())];
    let room = MAX_FILES - if parent == Parent::Fairy { 0 } else { HAND_FILES };
    if geometry.files() > room || geometry.ranks() > MAX_RANKS {
        return refusal(&format!("it has room for {room} files and {MAX_RANKS} ranks"));
    }
    let Some(table) = PieceTable::of(variant) else {
        return refusal("it has too many pieces");
    };
    let hand = table.hand_height(variant);
    let board = variant.start_fen().split([' ', '[']).next().unwrap_or("");
    let hands = match parent {
        Parent::Fairy => String::new(),
        Parent::Crazyhouse | Parent::Shogi => "[-]".to_string(),
        Parent::Bughouse => format!("[{}]", Color::ALL.map(|side| store(variant, side)).concat()),
    };
    let mut lines = vec![format!(
        "setup ({}) {}x{}+{hand}_{} {board}{hands} w - - 0 1",
        table.letters(variant),
        geometry.files(),
        geometry.ranks(),
        table.parent_name(),
    )];
    lines.extend(table.pictures().map(|(kind, _)| piece_line(variant, kind)));
    lines
}

/// The promoted form of a piece type, if there is one.
pub(super) fn promoted_form(variant: &Variant, kind: PieceType) -> Option<PieceType> {
    let capital = variant.piece(kind).letter.capital;
    variant.kind_of(Letter { capital, promoted: true })
}

/// Whether a piece type is the promoted form of the one that becomes it, as in shogi; in crazyhouse a `+Q` is what a
/// pawn became.
fn is_own_form(variant: &Variant, form: PieceType) -> bool {
    let letter = variant.piece(form).letter;
    let base = variant.kind_of(Letter { promoted: false, ..letter });
    let becomes = |base| Color::ALL.iter().any(|&c| variant.promotes_to(c, base).contains(form));
    letter.promoted && base.is_some_and(becomes)
}

/// The pieces that a player may come to hold in a game whose hands XBoard cannot follow: the user drags them from
/// there when the engine allows it.
fn store(variant: &Variant, side: Color) -> String {
    let mut text = String::new();
    let gains = variant.kinds().flat_map(|kind| &variant.piece(kind).gains);
    for slot in gains.flat_map(|gain| gain.capturer.iter().chain(&gain.owner)) {
        for kind in becomes(variant, variant.hand_kinds()[*slot]) {
            text += &variant.piece(kind).letter.of_side(side);
        }
    }
    text
}

/// The piece types that a piece in hand may become when it is dropped: itself, or one of several for a reserve.
fn becomes(variant: &Variant, kind: PieceType) -> PieceTypeSet {
    let reserve = variant.piece(kind).reserve;
    if reserve.is_empty() { PieceTypeSet::of(kind) } else { reserve }
}

/// The piece types that drops can put on the board.
fn held(variant: &Variant) -> PieceTypeSet {
    variant.hand_kinds().iter().flat_map(|&kind| becomes(variant, kind)).collect()
}

/// The piece types that can stand on the board: first those that can be in hand, in the order of the hands.
fn shown_pieces(variant: &Variant) -> Vec<PieceType> {
    let in_hand = variant.hand_kinds().iter().flat_map(|&kind| becomes(variant, kind));
    let any = variant.kinds().filter(|&kind| {
        let of = |side| variant.kinds_of(side).contains(kind);
        variant.piece(kind).reserve.is_empty() && Color::ALL.into_iter().any(of)
    });
    let mut pieces: Vec<PieceType> = Vec::new();
    for kind in in_hand.chain(any) {
        if !pieces.contains(&kind) {
            pieces.push(kind);
        }
    }
    pieces
}

/// Whether XBoard may treat a piece as a pawn: one without diagonal moves to empty squares, which XBoard takes for
/// en passant.
fn is_pawn(variant: &Variant, kind: PieceType) -> bool {
    let piece = variant.piece(kind);
    let steps = betza::parse(&piece.betza).unwrap_or_default();
    let straight = |step: &Step| step.dx == 0 || !step.quiet;
    piece.zeroing && !piece.letter.promoted && !steps.is_empty() && steps.iter().all(straight)
}

/// The number of last ranks on which a piece must promote.
fn forced_ranks(variant: &Variant, kind: PieceType) -> u32 {
    variant.forced_promotion(Color::White, kind).len()
        / u32::from(variant.geometry().files().max(1))
}

/// `piece X& MOVES`
fn piece_line(variant: &Variant, kind: PieceType) -> String {
    let piece = variant.piece(kind);
    let mut moves = in_order(&piece.betza);
    match piece.double_step {
        Some(true) => moves = moves.replace("fcF", "fceF") + "ifmW2",
        Some(false) => moves += "ifmW2",
        None => {}
    }
    // `z`, a direction without a move, stands for a piece that cannot move.
    let moves = if moves.is_empty() { "z".to_string() } else { moves };
    format!("piece {}& {moves}", piece.letter)
}

/// Betza notation with the directions of each part before its other letters, as XBoard wants it.
fn in_order(betza: &str) -> String {
    let mut text = String::new();
    let mut modes = String::new();
    for c in betza.chars() {
        match c {
            'm' | 'c' | 'p' => modes.push(c),
            'A'..='Z' => {
                text += &std::mem::take(&mut modes);
                text.push(c);
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
