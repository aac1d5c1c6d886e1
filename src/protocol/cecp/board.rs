//! How XBoard is told a game that it does not know: its men, its board and its start, from the data of
//! the variant.
//!
//! XBoard keeps a table of 66 sorts of men a side. The place of a man in it says which picture it has and,
//! for a few places, how it behaves; a game gives letters to the places that it needs.

use garrison_rules::betza::{self, Step};
use garrison_rules::{Color, KindSet, Letter, PieceKind, RoyaltyKind, Variant};

/// The most files on screen; the hands take four of them.
const MAX_FILES: u8 = 16;
const HAND_FILES: u8 = 4;
/// The most ranks.
const MAX_RANKS: u8 = 15;

/// The place of the man that XBoard takes for a pawn: one that goes straight and may pass.
const PAWN: usize = 0;
/// How far a promoted form stands behind its man, for men up to [`LAST_PROMOTING`].
const PROMOTED: usize = 11;
const LAST_PROMOTING: usize = 8;
/// In XBoard's shogi the men of these places must promote on the last rank, and on the last two.
const FORCED_ONE: usize = 4;
const FORCED_TWO: usize = 1;
/// The other places with a promoted form, the best first. The form of the last one looks like a king, and one
/// that is not here behaves like a lance.
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
/// The picture of the royal man, whose place is the last.
const ROYAL_PICTURE: &str = "King";
/// Places that behave in their own way: cannon, lance and lion.
const PECULIAR: [usize; 3] = [11, 18, 21];

/// The game of XBoard's own that ours is like: it says what becomes of captured men and of drops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parent {
    /// No hands.
    Fairy,
    /// Captured men change sides.
    Crazyhouse,
    /// The same, and men promote to forms of their own.
    Shogi,
    /// Captured men are gone, and men not in hand may be dropped: only the engine knows what is in the
    /// hands.
    Bughouse,
}

impl Parent {
    /// The parent of a game.
    pub fn of(variant: &Variant) -> Parent {
        let men = || variant.kinds().map(|kind| variant.man(kind));
        if variant.hand_kinds().is_empty() {
            Parent::Fairy
        } else if men().all(|man| man.captured_slot.is_none()) {
            Parent::Bughouse
        } else if men().any(|man| man.letter.promoted) {
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

/// Which man stands at which place of XBoard's table, the same for both sides.
#[derive(Debug, Clone)]
pub struct Table {
    places: Vec<Option<PieceKind>>,
    parent: Parent,
    /// The man at the last place, which XBoard takes for royal.
    royal: Option<PieceKind>,
}

impl Table {
    /// The table of a game; `None` if XBoard has no room for its men.
    pub fn of(variant: &Variant) -> Option<Table> {
        let parent = Parent::of(variant);
        let mut table = Table { places: vec![None; PICTURES.len()], parent, royal: None };
        let mut men = shown_men(variant);
        // A royal that comes late, or of which there may be several, is none to XBoard.
        let lasting = variant.royalty_kind() != Some(RoyaltyKind::Last);
        table.royal = variant.royal().filter(|_| lasting && parent != Parent::Bughouse);
        men.retain(|&kind| Some(kind) != table.royal);
        if let Some(pawn) = men.iter().position(|&kind| is_pawn(variant, kind)) {
            table.places[PAWN] = Some(men.remove(pawn));
        }
        if parent == Parent::Shogi {
            table.place_promoting(variant, &mut men)?;
        }
        let free = |place: &usize| *place != PAWN && !PECULIAR.contains(place);
        for kind in men {
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

    /// Gives places to the men with promoted forms, and to the forms.
    fn place_promoting(&mut self, variant: &Variant, men: &mut Vec<PieceKind>) -> Option<()> {
        let form = |kind: PieceKind| {
            let capital = variant.man(kind).letter.capital;
            variant.kind_of(Letter { capital, promoted: true })
        };
        men.retain(|&kind| !variant.man(kind).letter.promoted);
        men.extend(self.places[PAWN]);
        let (mut promoting, rest): (Vec<_>, Vec<_>) =
            men.iter().copied().partition(|&kind| form(kind).is_some());
        let forced = |kind| forced_ranks(variant, kind);
        // Those that may claim a place come first.
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
        *men = rest;
        men.retain(|&kind| self.places[PAWN] != Some(kind));
        Some(())
    }

    /// The men with places, in the order of the places, and the name of the picture of each.
    pub fn pictures(&self) -> impl Iterator<Item = (PieceKind, &'static str)> + '_ {
        let shogi = SHOGI_PICTURES.iter().filter(|_| self.parent == Parent::Shogi);
        let placed = self.places.iter().zip(PICTURES).enumerate();
        let placed = placed.filter_map(move |(place, (&kind, picture))| {
            let other = shogi.clone().find(|(at, _)| *at == place);
            Some((kind?, other.map_or(picture, |(_, name)| name)))
        });
        placed.chain(self.royal.map(|kind| (kind, ROYAL_PICTURE)))
    }

    /// The men of a hand from its first slot on: all that have no `+`, up to the last that can be in hand.
    pub fn hand(&self, variant: &Variant) -> Vec<PieceKind> {
        let kinds = self.places.iter().flatten().copied();
        let mut men: Vec<_> = kinds.filter(|&kind| !variant.man(kind).letter.promoted).collect();
        let can = held(variant);
        while men.last().is_some_and(|&kind| !can.contains(kind)) {
            men.pop();
        }
        men
    }

    /// The letters of the table, White's and then Black's.
    fn letters(&self, variant: &Variant) -> String {
        let letter = |kind: &Option<PieceKind>| match kind.map(|kind| variant.man(kind).letter) {
            None => '.',
            Some(Letter { promoted: true, .. }) => '+',
            Some(letter) => letter.capital,
        };
        let half: String = self.places.iter().chain([&self.royal]).map(letter).collect();
        format!("{half}{}", half.to_lowercase())
    }
}

/// The lines that tell XBoard the game: `setup` with men, size and start, and a `piece` line for each man;
/// one `tellusererror` line if it has no room for the game.
pub fn describe(variant: &Variant) -> Vec<String> {
    let geometry = variant.geometry();
    let parent = Parent::of(variant);
    let refusal =
        |what: &str| vec![format!("tellusererror XBoard cannot show {}: {what}", variant.name())];
    let room = MAX_FILES - if parent == Parent::Fairy { 0 } else { HAND_FILES };
    if geometry.files() > room || geometry.ranks() > MAX_RANKS {
        return refusal(&format!("it has room for {room} files and {MAX_RANKS} ranks"));
    }
    let Some(table) = Table::of(variant) else {
        return refusal("it has too many men");
    };
    let hand = table.hand(variant).len();
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
        parent.name(),
    )];
    lines.extend(table.pictures().map(|(kind, _)| piece_line(variant, kind)));
    lines
}

/// What a side may come to hold in the course of a game whose hands XBoard cannot follow: men to be
/// dragged from there when the engine allows it.
fn store(variant: &Variant, side: Color) -> String {
    let mut text = String::new();
    let gains = variant.kinds().flat_map(|kind| &variant.man(kind).gains);
    for slot in gains.flat_map(|gain| gain.capturer.iter().chain(&gain.owner)) {
        for kind in becomes(variant, variant.hand_kinds()[*slot]) {
            text += &variant.man(kind).letter.of_side(side);
        }
    }
    text
}

/// What a man in hand is on the board: itself, or one of several for a reserve.
fn becomes(variant: &Variant, kind: PieceKind) -> KindSet {
    let reserve = variant.man(kind).reserve;
    if reserve.is_empty() { KindSet::of(kind) } else { reserve }
}

/// The men that can be dropped, as what they are then.
fn held(variant: &Variant) -> KindSet {
    variant.hand_kinds().iter().flat_map(|&kind| becomes(variant, kind)).collect()
}

/// The men that stand on boards: first those that can be in hand, in the order of the hands.
fn shown_men(variant: &Variant) -> Vec<PieceKind> {
    let in_hand = variant.hand_kinds().iter().flat_map(|&kind| becomes(variant, kind));
    let any = variant.kinds().filter(|&kind| {
        let of = |side| variant.kinds_of(side).contains(kind);
        variant.man(kind).reserve.is_empty() && Color::ALL.into_iter().any(of)
    });
    let mut men: Vec<PieceKind> = Vec::new();
    for kind in in_hand.chain(any) {
        if !men.contains(&kind) {
            men.push(kind);
        }
    }
    men
}

/// Whether XBoard may take a man for a pawn, whose slanting moves to empty squares it believes to be en
/// passant.
fn is_pawn(variant: &Variant, kind: PieceKind) -> bool {
    let man = variant.man(kind);
    let steps = betza::parse(&man.betza).unwrap_or_default();
    let straight = |step: &Step| step.dx == 0 || !step.quiet;
    man.zeroing && !man.letter.promoted && !steps.is_empty() && steps.iter().all(straight)
}

/// On how many of the last ranks a man must promote.
fn forced_ranks(variant: &Variant, kind: PieceKind) -> u32 {
    variant.forced_promotion(Color::White, kind).len()
        / u32::from(variant.geometry().files().max(1))
}

/// `piece X& MOVES`
fn piece_line(variant: &Variant, kind: PieceKind) -> String {
    let man = variant.man(kind);
    let mut moves = in_order(&man.betza);
    match man.double_step {
        Some(true) => moves = moves.replace("fcF", "fceF") + "ifmW2",
        Some(false) => moves += "ifmW2",
        None => {}
    }
    // A letter for directions without a move behind it: it stays where it is.
    let moves = if moves.is_empty() { "z".to_string() } else { moves };
    format!("piece {}& {moves}", man.letter)
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
