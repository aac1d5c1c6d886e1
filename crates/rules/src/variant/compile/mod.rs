//! From a definition to a [`Variant`]. Every fault is noted with its key, and what it leaves open gets some value,
//! so that one reading finds all faults.

mod blast;
mod castling;
mod chases;
mod check;
mod dead;
mod ends;
mod gating;
mod moves;
mod pieces;
mod regions;
mod royalty;
mod shuffle;
mod sides;
mod start;
mod stones;
mod trade;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::definition::{ArmyTable, PieceTable};
use super::{
    Army, Capture, Definition, DefinitionError, DefinitionFault, DrawRule, Info, Letter,
    Obligation, SeenByBlack, SideRules, Variant, Written,
};
use crate::betza::Step;
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::types::{
    Color, MAX_FILES, MAX_PIECE_TYPES, MAX_SLOTS, MAX_SQUARES, PerColor, Piece, PieceType,
    PieceTypeSet, Square,
};
use crate::wide;

type Result<T> = std::result::Result<T, Vec<DefinitionError>>;

/// Compiles a complete definition; `matchup` names the armies of White and Black if it has armies. Whether the
/// start position is legal is not checked: that takes a position of the game.
///
/// # Errors
/// Every key that is missing or has a meaningless value.
pub(crate) fn compile(
    definition: &Definition,
    matchup: Option<&(String, String)>,
) -> Result<Variant> {
    let mut compiler = Compiler::new(definition, matchup)?;
    let variant = compiler.variant();
    let Some(mut faults) = compiler.faults.into_inner() else { return Ok(variant) };
    if !compiler.is_on_board {
        let is_of_board = |key: &str| ["board", "board.files", "board.ranks"].contains(&key);
        faults.retain(|error| is_of_board(&error.key) || !error.fault.depends_on_board());
    }
    Err(faults)
}

/// Whether a zeroing piece type can take back a move.
fn can_return(variant: &Variant, kind: PieceType) -> bool {
    let reach = |color, square| variant.reach(color, kind, square, Bitboard::EMPTY).1;
    variant.piece(kind).zeroing
        && Color::ALL.into_iter().any(|color| {
            let mut squares = variant.geometry().squares();
            squares.any(|from| reach(color, from).any(|to| reach(color, to).contains(from)))
        })
}

/// The faults noted so far; `None` if there are none.
#[derive(Default)]
struct Faults(RefCell<Vec<DefinitionError>>);

impl Faults {
    /// Notes a fault, if it has not been noted before.
    fn note(&self, key: impl Into<String>, fault: impl Into<DefinitionFault>) {
        let fault = DefinitionError::key(key, fault);
        let mut faults = self.0.borrow_mut();
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    fn are_none(&self) -> bool {
        self.0.borrow().is_empty()
    }

    fn into_inner(self) -> Option<Vec<DefinitionError>> {
        Some(self.0.into_inner()).filter(|faults| !faults.is_empty())
    }
}

/// A game that is being compiled.
struct Compiler<'a> {
    definition: &'a Definition,
    armies: Option<PerColor<(&'a str, &'a ArmyTable)>>,
    /// Whether the geometry is that of the definition.
    is_on_board: bool,
    geometry: Arc<Geometry>,
    letters: Vec<Letter>,
    tables: Vec<&'a PieceTable>,
    hand: Vec<PieceType>,
    /// The squares of the named regions.
    named_regions: BTreeMap<String, Bitboard>,
    /// The start position as a FEN.
    start_fen: String,
    /// The pieces of the start position; `None` if they cannot be read.
    start: Option<Vec<(Square, Piece)>>,
    faults: Faults,
}

impl<'a> Compiler<'a> {
    fn new(definition: &'a Definition, matchup: Option<&(String, String)>) -> Result<Compiler<'a>> {
        let faults = Faults::default();
        let board = board(definition, &faults);
        let pieces = || definition.pieces.iter().flatten();
        if pieces().count() == 0 {
            faults.note("pieces", "there are none");
        }
        if wide::only_fits_pieces(pieces().count()) {
            wide::ask();
            let fault = format!("{} piece types", pieces().count());
            faults.note("pieces", DefinitionFault::NeedsWide(fault));
        } else if pieces().count() > MAX_PIECE_TYPES {
            let fault =
                format!("{} piece types; at most {MAX_PIECE_TYPES} are allowed", pieces().count());
            faults.note("pieces", fault);
        }
        let letters = pieces().map(|(key, _)| key).map(|key| match Letter::split(key).as_deref() {
            Some(&[letter]) => letter,
            _ => {
                faults.note(format!("pieces.{key}"), "a piece's letter is A to Z or +A to +Z");
                Letter { capital: '?', promoted: false }
            }
        });
        let letters: Vec<Letter> = letters.collect();
        let count = letters.len();
        if !(1..=MAX_PIECE_TYPES).contains(&count) || letters.iter().any(|l| l.capital == '?') {
            return Err(faults.into_inner().unwrap_or_default());
        }
        let is_on_board = board.is_some();
        // Without a board the rest is read on some other one, for the faults that it has on every board.
        let Some(geometry) = board.or_else(|| Geometry::of(MAX_FILES, 8)) else {
            return Err(faults.into_inner().unwrap_or_default());
        };
        let mut compiler = Compiler {
            definition,
            armies: None,
            is_on_board,
            geometry,
            letters,
            tables: pieces().map(|(_, table)| table).collect(),
            hand: Vec::new(),
            named_regions: BTreeMap::new(),
            start_fen: String::new(),
            start: None,
            faults,
        };
        compiler.name_regions();
        let holes = definition.board.as_ref().and_then(|board| board.holes.as_deref());
        compiler.cut_holes(holes);
        compiler.armies = matchup.map(|(white, black)| {
            PerColor([compiler.army(white, &NO_ARMY), compiler.army(black, &NO_ARMY)])
        });
        compiler.hand = compiler.hand();
        compiler.start_fen = compiler.start_fen();
        compiler.start = compiler.start_pieces();
        Ok(compiler)
    }

    /// Removes the holes from the board.
    fn cut_holes(&mut self, holes: Option<&str>) {
        let holes = holes.map_or(Bitboard::EMPTY, |text| self.region("board.holes", text));
        let files = self.geometry.files();
        match Geometry::with_holes(files, self.geometry.ranks(), holes) {
            Some(geometry) if !geometry.squares().is_empty() => self.geometry = geometry,
            _ => self.faults.note("board.holes", "no square is left"),
        }
    }

    /// The key and the table of an army.
    fn army(&self, name: &str, none: &'a ArmyTable) -> (&'a str, &'a ArmyTable) {
        let armies = self.definition.armies.as_ref();
        match armies.and_then(|armies| armies.get_key_value(name)) {
            Some((key, army)) => (key.as_str(), army),
            None => {
                self.faults.note(format!("armies.{name}"), DefinitionFault::Missing);
                ("", none)
            }
        }
    }

    /// The piece types that can be in hand, by slot.
    fn hand(&self) -> Vec<PieceType> {
        let mut hand = self.kinds("hand", self.definition.hand.as_deref().unwrap_or(""));
        if let Some(kind) = hand.iter().find(|kind| self.letters[kind.index()].promoted) {
            let letter = self.letters[kind.index()];
            self.faults
                .note("hand", format!("a promoted piece such as {letter} cannot be in hand"));
        }
        if hand.is_empty() && self.definition.captures.is_some_and(|to| to != Capture::Removed) {
            let fault = "no piece can be in hand; say which with 'hand'";
            self.faults.note("captures", fault);
        }
        for (index, kind) in hand.iter().enumerate() {
            if hand[..index].contains(kind) {
                let letter = self.letters[kind.index()];
                self.faults.note("hand", format!("{letter} stands twice"));
            }
        }
        if hand.len() > MAX_SLOTS {
            let fault = format!("{} piece types; at most {MAX_SLOTS} can be in hand", hand.len());
            self.faults.note("hand", fault);
            hand.truncate(MAX_SLOTS);
        }
        hand
    }

    fn variant(&mut self) -> Variant {
        let definition = self.definition;
        let pieces = self.pieces();
        let mut sides = PerColor::from_fn(|color| self.side(color));
        for color in Color::ALL {
            let other = &sides[!color];
            let captors = other.passers.flat_map(|kind| other.piece(kind).passed_by).collect();
            sides[color].set_captors(&self.geometry, captors);
        }
        let end = self.end();
        let drop_first = self.drop_first();
        let royalty = definition.royalty.as_ref();
        let royalty = royalty.and_then(|table| self.royalty(table, &sides, &end, drop_first));
        let trade = definition.trade.as_ref().and_then(|table| self.trade(table));
        if let (Some(trade), Some(royalty)) = (&trade, &royalty) {
            self.check_trade(trade, royalty.pieces);
        }
        let trades = trade.is_some();
        sides.0.iter_mut().for_each(|side| side.find_exceptions(royalty.as_ref(), trades));
        let blast = definition.blast.as_ref();
        let blast = blast.and_then(|table| self.blast(table, royalty.as_ref()));
        let stones = definition.stones.as_ref();
        let stone_rule = stones.and_then(|table| self.stones(table, royalty.as_ref(), &sides));
        let leaves_stones = stone_rule.is_some_and(|rule| !rule.is_choice());
        let places_stones = stone_rule.is_some_and(|rule| rule.is_choice());
        let gating = definition.gating.as_ref();
        let gating = gating.and_then(|table| self.gating(table, &pieces, &sides));
        let special_ends = self.special_ends();
        let draws = self.draws();
        let counts = self.counts(&sides);
        let chase = self.chase();
        let declaration = self.declaration();
        let name = self.required(&definition.name, "name").clone();
        let family = definition.family().to_string();
        let checks_forbidden = royalty.is_some_and(|royalty| !royalty.checking);
        let mut variant = Variant {
            name: self.fill(&name, |key, _| key.to_string()),
            aliases: self.aliases(),
            family,
            info: self.info(),
            start_fen: self.start_fen.clone(),
            geometry: Arc::clone(&self.geometry),
            hand: self.hand.clone(),
            setup: definition.setup.as_ref().and_then(|table| self.setup(table)),
            obligations: self.obligations(places_stones, drop_first, checks_forbidden),
            pass: definition.pass.unwrap_or(false),
            rights: Arc::new(self.castling_rights()),
            shuffle: self.shuffle(),
            board_ends: ends::board_ends(&end, royalty.as_ref(), &special_ends),
            may_stay: self.may_stay(),
            draws_up_to: 0,
            returning: PieceTypeSet::EMPTY,
            draws,
            special_ends,
            chase,
            mate: self.mate(),
            declaration,
            end,
            royalty,
            moves_have_effects: blast.is_some()
                || leaves_stones
                || sides.0.iter().any(SideRules::has_legs),
            trade,
            blast,
            has_stones: stone_rule.is_some() || self.petrifies(),
            stone_rule,
            leaves_stones,
            places_stones,
            gating,
            moves_go_on: places_stones || gating.is_some() || !counts.is_empty(),
            counts,
            sides,
            pieces,
            written: self.written(),
        };
        variant.returning = variant.kinds().filter(|&kind| can_return(&variant, kind)).collect();
        let names_draws = definition.end.as_ref().is_some_and(|end| end.draw.is_some());
        if !names_draws && self.faults.are_none() {
            variant.draws = dead::dead_draws(&variant);
        }
        variant.draws_up_to = variant.draws.iter().map(DrawRule::most_pieces).max().unwrap_or(0);
        self.check_sense(&variant);
        self.check_writing(&variant);
        self.check_texts();
        if self.faults.are_none() {
            variant.rights =
                Arc::new(self.all_rights(&variant.rights, &variant.sides, variant.gating.as_ref()));
        }
        variant
    }

    /// The piece types that must be dropped before anything else is played.
    fn drop_first(&self) -> PieceTypeSet {
        let key = "must_drop";
        let kinds = self.kinds(key, self.definition.must_drop.as_deref().unwrap_or(""));
        for &kind in kinds.iter().filter(|&&kind| self.slot(kind).is_none()) {
            let letter = self.letters[kind.index()];
            self.faults.note(key, format!("{letter} cannot be in hand; add it to 'hand'"));
        }
        kinds.into_iter().collect()
    }

    /// Whether a capture can turn a piece to stone.
    pub(super) fn petrifies(&self) -> bool {
        self.tables.iter().any(|table| table.on_capture.as_deref() == Some("stone"))
    }

    /// What limits the choice among the moves, the most urgent first.
    fn obligations(
        &self,
        places_stones: bool,
        drop_first: PieceTypeSet,
        checks_forbidden: bool,
    ) -> Vec<Obligation> {
        let must_capture = self.definition.must_capture == Some(true);
        if checks_forbidden && must_capture {
            self.faults.note("royalty.checking", "cannot stand beside 'must_capture'");
        }
        let all = [
            (places_stones, Obligation::Stone),
            (!drop_first.is_empty(), Obligation::DropFirst(drop_first)),
            (checks_forbidden, Obligation::NoChecks),
            (must_capture, Obligation::Capture),
        ];
        all.into_iter().filter_map(|(holds, obligation)| holds.then_some(obligation)).collect()
    }

    /// Replaces `{white}` and `{black}` by what `of` finds in the armies.
    fn fill(&self, text: &str, of: impl Fn(&str, &ArmyTable) -> String) -> String {
        let Some(armies) = &self.armies else {
            return text.to_string();
        };
        let [white, black] = armies.0.map(|(key, army)| of(key, army));
        text.replace("{white}", &white).replace("{black}", &black)
    }

    fn info(&self) -> Info {
        let definition = self.definition;
        let name = |_: &str, army: &ArmyTable| army.name.clone().unwrap_or_default();
        let title = definition.title.as_ref().or(definition.name.as_ref());
        let title = title.map_or("", String::as_str);
        let of_all = title.split('{').next().unwrap_or(title);
        let armies = self.armies.as_ref().map(|armies| armies.0.map(|(key, army)| (key, army)));
        Info {
            title: self.fill(title, name),
            family_title: of_all.trim_end_matches([' ', ':', '-', ',']).to_string(),
            inventor: definition.inventor.clone().unwrap_or_default(),
            page: definition.page.clone().unwrap_or_default(),
            url: definition.url.clone().unwrap_or_default(),
            year: definition.year,
            rules: definition.rules.clone().unwrap_or_default(),
            rulings: self.rulings(),
            armies: armies.map(|armies| {
                PerColor(armies.map(|(key, army)| Army {
                    key: key.to_string(),
                    name: army.name.clone().unwrap_or_default(),
                    array: army.array.clone().unwrap_or_default(),
                }))
            }),
        }
    }

    /// The rulings of the game, and those on its armies, each once.
    fn rulings(&self) -> Vec<String> {
        let mut rulings = self.definition.rulings.clone().unwrap_or_default();
        let armies = self.armies.iter().flat_map(|armies| armies.0);
        for ruling in armies.flat_map(|(_, army)| army.rulings.iter().flatten()) {
            if !rulings.contains(ruling) {
                rulings.push(ruling.clone());
            }
        }
        rulings
    }

    /// Other names for the game that is being compiled.
    fn aliases(&self) -> Vec<String> {
        let games: Vec<String> =
            self.definition.games().into_iter().map(|(name, _)| name).collect();
        let own =
            self.fill(self.definition.name.as_deref().unwrap_or(""), |key, _| key.to_string());
        let mut aliases = Vec::new();
        for (key, names) in self.definition.split_aliases() {
            match names {
                Some((alias, name)) if is_name(alias) && games.iter().any(|game| game == name) => {
                    if name == own {
                        aliases.push(alias.to_string());
                    }
                }
                _ => {
                    let fault = format!(
                        "expected is \"other-name = {}\"",
                        games.join("\" or \"other-name = ")
                    );
                    self.faults.note(key, fault);
                }
            }
        }
        aliases
    }

    /// The text of a key that every game must have.
    fn required(&self, value: &'a Option<String>, key: &str) -> &'a String {
        const NONE: &String = &String::new();
        value.as_ref().unwrap_or_else(|| {
            self.faults.note(key, DefinitionFault::Missing);
            NONE
        })
    }

    /// The piece type with this letter.
    fn kind(&self, key: &str, text: &str) -> Option<PieceType> {
        match self.kinds(key, text).as_slice() {
            &[kind] => Some(kind),
            [] if !text.is_empty() => None,
            _ => {
                self.faults.note(key, format!("'{text}' is not one piece's letter"));
                None
            }
        }
    }

    /// The piece types of a row of letters.
    fn kinds(&self, key: &str, text: &str) -> Vec<PieceType> {
        let Some(letters) = Letter::split(text) else {
            self.faults.note(key, DefinitionFault::NotLetters(text.to_string()));
            return Vec::new();
        };
        let kind = |letter: Letter| {
            let index = self.letters.iter().position(|&other| other == letter);
            if index.is_none() {
                let known = self.letters.iter().map(Letter::to_string).collect();
                self.faults.note(key, DefinitionFault::UnknownPiece { letter, known });
            }
            index.map(|index| PieceType::new(index as u8))
        };
        letters.into_iter().filter_map(kind).collect()
    }

    /// [`Compiler::kinds`], as a set.
    fn kind_set(&self, key: &str, text: &str) -> PieceTypeSet {
        self.kinds(key, text).into_iter().collect()
    }

    /// The hand slot of a piece type.
    fn slot(&self, kind: PieceType) -> Option<usize> {
        self.hand.iter().position(|&other| other == kind)
    }

    /// How Black sees the board.
    fn seen_by_black(&self) -> SeenByBlack {
        let seen = self.definition.board.as_ref().and_then(|board| board.black);
        seen.unwrap_or(SeenByBlack::Turned)
    }

    /// The square that is to `color` what `square` is to White.
    fn own_square(&self, color: Color, square: Square) -> Square {
        self.seen_by_black().own_square(&self.geometry, color, square)
    }

    /// The squares that are to `color` what `set` is to White.
    fn own(&self, color: Color, set: Bitboard) -> Bitboard {
        self.seen_by_black().own(&self.geometry, color, set)
    }

    /// What the definition says of the pieces, for descriptions.
    fn written(&self) -> Written {
        let of_side = |color| self.tables.iter().map(|table| table.of_side(color)).collect();
        Written {
            pieces: PerColor::from_fn(of_side),
            regions: self.named_regions.clone(),
            seen_by_black: self.seen_by_black(),
            captured: self.tables.iter().map(|table| captured(self.definition, table)).collect(),
        }
    }

    /// Steps of `color`, written from its point of view, in White's directions.
    fn own_steps(&self, color: Color, steps: &[Step]) -> Vec<Step> {
        self.seen_by_black().turned(color, steps)
    }
}

/// The board of a definition; none, and a fault, if there is no such board.
fn board(definition: &Definition, faults: &Faults) -> Option<Arc<Geometry>> {
    let board = definition.board.clone().unwrap_or_default();
    for (size, key) in [(board.files, "files"), (board.ranks, "ranks")] {
        if size.is_none() {
            faults.note(format!("board.{key}"), format!("the number of {key} is missing"));
        }
    }
    let (files, ranks) = board.files.zip(board.ranks)?;
    let geometry = Geometry::of(files, ranks);
    if geometry.is_none() {
        if wide::only_fits_board(files, ranks) {
            wide::ask();
            let fault = DefinitionFault::NeedsWide(format!("{files}x{ranks} squares"));
            faults.note("board", fault);
            return None;
        }
        let fault = if files == 0 || ranks == 0 {
            "expected are at least one file and one rank".to_string()
        } else if files > MAX_FILES {
            format!("{files} files; at most {MAX_FILES} are possible")
        } else {
            format!(
                "{files}x{ranks} does not fit: files (at least 9) times ranks may be {MAX_SQUARES}"
            )
        };
        faults.note("board", fault);
    }
    geometry
}

/// Whether a text can be the name of a game: 1 to 40 small letters, digits, `-` and `_`.
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    (1..=40).contains(&text.len()) && text.chars().all(fits)
}

static NO_ARMY: ArmyTable = ArmyTable {
    name: None,
    array: None,
    pieces: None,
    promotes: None,
    limits: None,
    rulings: None,
};

/// Where captured pieces of a type go: out of the game unless the definition says otherwise.
fn captured(definition: &Definition, table: &PieceTable) -> Capture {
    table.captured.or(definition.captures).unwrap_or(Capture::Removed)
}
