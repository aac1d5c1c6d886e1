//! The pieces that a game can have, by their letters in a definition: those that a rule file names, and those that
//! others become and are then written with a `+`.

use std::collections::BTreeSet;

use garrison_rules::Color;

use crate::rule_file::kinds::Kind;
use crate::rule_file::rules::Rules;

/// A piece as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// `P`, or `+P` of a promoted piece.
    pub letter: String,
    /// How it moves.
    pub kind: Kind,
    /// What it was, if it is promoted.
    pub origin: Option<Kind>,
}

/// The pieces of a game.
#[derive(Debug)]
pub(super) struct Forms {
    pub all: Vec<Form>,
    /// Whether pawns become pieces that are pawns again in hand.
    pub marks_pawns: bool,
    /// Letters that no piece has.
    free: Vec<char>,
}

impl Forms {
    /// The pieces that stand at the start or can come up.
    pub fn of(rules: &Rules) -> Forms {
        let board = rules.text("startFen");
        let board = board.split_whitespace().next().unwrap_or("").to_string();
        let is_used = |letter: &char| rules.kind_of(*letter).is_ok();
        let mut forms = Forms {
            all: Vec::new(),
            marks_pawns: rules.flag("capturesToHand") && !rules.flag("dropLoop"),
            free: ('A'..='Z').rev().filter(|letter| !is_used(letter)).collect(),
        };
        let mut is_promoted = false;
        for c in board.chars() {
            if let Ok(kind) = rules.kind_of(c) {
                forms.add_plain(rules, kind);
                if is_promoted && let Some(to) = rules.promoted(kind) {
                    forms.add(rules, kind, to);
                }
            }
            is_promoted = c == '+';
        }
        let mut at = 0;
        while let Some(form) = forms.all.get(at).cloned() {
            at += 1;
            forms.add_promotions(rules, &form);
        }
        forms.all.sort_by_key(|form| {
            let place = rules
                .pieces
                .values()
                .position(|(kind, _)| *kind == form.origin.unwrap_or(form.kind));
            (form.origin.is_some(), place)
        });
        forms
    }

    fn add_plain(&mut self, rules: &Rules, kind: Kind) {
        let Some(piece) = rules.piece(kind) else { return };
        let form = Form { letter: piece.letter.to_string(), kind, origin: None };
        if !self.all.contains(&form) {
            self.all.push(form);
        }
    }

    /// A promoted form: what was `origin` moves as `kind`.
    fn add(&mut self, rules: &Rules, origin: Kind, kind: Kind) {
        let is_there = self.all.iter().any(|form| form.origin == Some(origin) && form.kind == kind);
        let Some(piece) = rules.piece(origin).filter(|_| !is_there) else { return };
        let letter =
            if has_faces(rules) { self.face(rules, kind) } else { format!("+{}", piece.letter) };
        self.all.push(Form { letter, kind, origin: Some(origin) });
    }

    /// The letter of the other face of a piece, which may be dropped on either: that of what it moves as, or one that
    /// no piece has.
    fn face(&mut self, rules: &Rules, kind: Kind) -> String {
        let own = rules.piece(kind).map(|piece| piece.letter.to_string());
        let is_taken = |letter: &String| self.all.iter().any(|form| form.letter == *letter);
        own.filter(|letter| !is_taken(letter))
            .or_else(|| self.free.pop().map(String::from))
            .unwrap_or_default()
    }

    /// The promoted form of a type by its letter.
    pub fn promoted(&self, origin: Kind, kind: Kind) -> Option<&str> {
        let mut forms = self.all.iter();
        forms
            .find(|form| form.origin == Some(origin) && form.kind == kind)
            .map(|form| form.letter.as_str())
    }

    /// Letters that no piece has, for pieces in hand that have two faces.
    pub fn free(&self) -> impl Iterator<Item = char> {
        self.free.iter().rev().copied()
    }

    fn add_promotions(&mut self, rules: &Rules, form: &Form) {
        if form.origin.is_some() {
            return;
        }
        if let Some(to) = rules.promoted(form.kind) {
            self.add(rules, form.kind, to);
        }
        for color in Color::ALL {
            for to in targets(rules, color, form.kind) {
                if self.marks_pawns {
                    self.add_marked(rules, form.kind, to)
                } else {
                    self.add_plain(rules, to)
                }
            }
        }
    }

    /// The piece of another type that was a pawn: `+Q`.
    fn add_marked(&mut self, rules: &Rules, pawn: Kind, to: Kind) {
        let Some(piece) = rules.piece(to) else { return };
        let form = Form { letter: format!("+{}", piece.letter), kind: to, origin: Some(pawn) };
        if !self.all.contains(&form) {
            self.all.push(form);
        }
    }

    /// The letters of all pieces that move as a type.
    pub fn letters(&self, kinds: &[Kind]) -> String {
        self.all
            .iter()
            .filter(|form| kinds.contains(&form.kind))
            .map(|form| form.letter.as_str())
            .collect()
    }

    /// The letters of the pieces that were not promoted.
    pub fn plain(&self) -> impl Iterator<Item = &Form> {
        self.all.iter().filter(|form| form.origin.is_none())
    }

    /// The letters of the pieces that a pawn of a side becomes on the last ranks.
    pub fn pawn_targets(&self, rules: &Rules, color: Color, pawn: Kind) -> String {
        let targets = targets(rules, color, pawn);
        let is_target = |form: &&Form| {
            let origin = if self.marks_pawns { Some(pawn) } else { None };
            targets.contains(&form.kind) && form.origin == origin
        };
        self.all.iter().filter(is_target).map(|form| form.letter.as_str()).collect()
    }

    /// Letters that two pieces would share.
    pub fn shared(&self) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let letters = self.all.iter().map(|form| form.letter.clone());
        letters.filter(|letter| !seen.insert(letter.clone())).collect()
    }
}

/// Whether pieces may be dropped on either of two faces.
pub(super) fn has_faces(rules: &Rules) -> bool {
    rules.flag("dropPromoted") && rules.flag("pieceDrops")
}

/// What pawns of a side become by a move to the promotion region.
pub(super) fn targets(rules: &Rules, color: Color, pawn: Kind) -> Vec<Kind> {
    if !rules
        .kinds(by_side(color, ["promotionPawnTypesWhite", "promotionPawnTypesBlack"]))
        .contains(&pawn)
    {
        return Vec::new();
    }
    rules.present(by_side(color, ["promotionPieceTypesWhite", "promotionPieceTypesBlack"]))
}

/// The key of one side.
pub(super) fn by_side(color: Color, keys: [&'static str; 2]) -> &'static str {
    match color {
        Color::White => keys[0],
        Color::Black => keys[1],
    }
}
