//! From the rules of a rule file to a definition: the same game in other words.

mod captures;
mod castling;
mod drops;
mod ends;
mod forms;
mod moves;
mod pieces;
mod promotion;
mod royals;
mod start;

use garrison_rules::definition::Definition;
use garrison_rules::definition::tables::{BoardTable, Capture, SeenByBlack};
use garrison_rules::{Catalogue, Color};

use super::Imported;
use super::rules::Rules;
use super::squares::Board;
use forms::Forms;
use moves::Moves;

/// A definition in the making.
struct Draft<'r> {
    rules: &'r Rules,
    board: Board,
    forms: Forms,
    definition: Definition,
    /// The lines of the rule file that the definition does not say.
    unsaid: Vec<String>,
}

/// The definition of a game.
pub(super) fn translate(name: &str, rules: &Rules) -> Imported {
    let forms = Forms::of(rules);
    let board = Board { black: seen_by_black(rules, &forms), ..rules.board() };
    let unsaid = rules.unsayable();
    let definition = Definition { name: Some(own_name(name)), ..Definition::default() };
    let mut draft = Draft { rules, board, forms, definition, unsaid };
    draft.frame();
    draft.pieces();
    draft.royals();
    draft.castling();
    draft.captures();
    draft.ends();
    let Draft { definition, unsaid, .. } = draft;
    Imported { name: name.to_string(), definition, unsaid }
}

/// How Black sees the board: both go to the same goal, or a piece has a right and a left, or as in chess.
fn seen_by_black(rules: &Rules, forms: &Forms) -> SeenByBlack {
    let pieces = forms.all.iter().filter_map(|form| rules.piece(form.kind));
    let moves: Vec<Moves> =
        pieces.map(|piece| moves::moves(&piece.betza).unwrap_or_default()).collect();
    let all_are = |is: fn(&str) -> bool| {
        let mut texts = moves.iter().flat_map(|moves| moves.first.iter().chain([&moves.betza]));
        texts.all(|betza| is(betza))
    };
    let goals = ["flagRegionWhite", "flagRegionBlack"].map(|key| rules.area(key));
    let board = rules.board();
    let is_race = goals[0] == goals[1] && board.seen_all(Color::Black, &goals[1]) != goals[0];
    if is_race && all_are(moves::goes_both_ways) {
        SeenByBlack::Same
    } else if all_are(moves::is_even) {
        SeenByBlack::Mirrored
    } else {
        SeenByBlack::Turned
    }
}

/// The name of a game in a definition: small letters, digits, `-` and `_`, and not that of a game that ships.
fn own_name(name: &str) -> String {
    let is_right = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let name: String =
        name.to_ascii_lowercase().chars().map(|c| if is_right(c) { c } else { '-' }).collect();
    if Catalogue::new().find(&name).is_ok() { format!("{name}-imported") } else { name }
}

impl Draft<'_> {
    /// Board, start, hands and what a player must do.
    fn frame(&mut self) {
        let holes = self.holes();
        self.definition.board = Some(BoardTable {
            files: Some(self.board.files),
            ranks: Some(self.board.ranks),
            holes: (!holes.is_empty()).then(|| self.board.written(&holes)),
            black: Some(self.board.black),
        });
        self.definition.start = Some(self.start());
        self.hands();
        self.gating();
        for letter in self.forms.shared() {
            self.unsaid.push(format!(
                "promotedPieceType, promotionPieceTypes: two pieces would be written '{letter}'"
            ));
        }
        let captures = if self.returns_captures() { Capture::Hand } else { Capture::Removed };
        self.definition.captures = Some(captures);
        let passes = [self.rules.flag("passWhite"), self.rules.flag("passBlack")];
        self.definition.pass = (passes == [true, true]).then_some(true);
        if passes[0] != passes[1] {
            self.leave("passWhite");
            self.leave("passBlack");
        }
        self.definition.must_capture = self.rules.flag("mustCapture").then_some(true);
    }

    /// Notes a key whose value the definition does not say.
    fn leave(&mut self, key: &str) {
        if let Some(line) = self.rules.line(key).filter(|line| !self.unsaid.contains(line)) {
            self.unsaid.push(line);
        }
    }

    /// Whether captured pieces go to the hand of the captor.
    fn returns_captures(&self) -> bool {
        self.rules.flag("capturesToHand") && self.rules.flag("pieceDrops")
    }
}
