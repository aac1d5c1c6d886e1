//! What each piece of each side may do.

use garrison_rules::Color;
use garrison_rules::definition::tables::{DoubleStepTable, ExtraMove, PieceTable, SideTable};
use indexmap::IndexMap;

use super::Draft;
use super::forms::{Form, by_side, targets};
use super::moves::{Moves, moves};
use crate::rule_file::kinds::{Kind, is_custom, name_of};
use crate::rule_file::squares::Area;

impl Draft<'_> {
    pub(super) fn pieces(&mut self) {
        let mut tables = IndexMap::new();
        for form in self.forms.all.clone() {
            tables.insert(form.letter.clone(), self.piece(&form));
        }
        for (letter, of) in self.reserves() {
            let table = PieceTable { reserve: Some(of), ..PieceTable::default() };
            tables.insert(letter, table);
        }
        self.definition.pieces = Some(tables);
    }

    fn piece(&mut self, form: &Form) -> PieceTable {
        let white = self.side(form, Color::White);
        let black = self.side(form, Color::Black);
        let mut table = joined(white, black);
        table.name = name_of(form.kind);
        let is_zeroing = |key| self.rules.kinds(key).contains(&form.kind);
        if is_zeroing("nMoveRuleTypesWhite") || is_zeroing("nMoveRuleTypesBlack") {
            table.zeroing = Some(true);
        }
        if self.returns_captures() {
            table.in_hand = self.in_hand(form);
        }
        if self.counts_points() {
            table.points = Some(janggi_points(form.kind));
        }
        self.own_captures(form, &mut table);
        if form.kind == "janggiCannon" {
            let letters = self.forms.letters(&[form.kind]);
            (table.spares, table.not_over) = (Some(letters.clone()), Some(letters));
        }
        table
    }

    /// A piece as one side has it.
    fn side(&mut self, form: &Form, color: Color) -> SideTable {
        let Moves { betza, first, .. } = self.moves(form, color);
        let region = self.region(form, color);
        let (promotion, forced) = self.promotion(form, color);
        let never = self.never(&betza, &forced);
        let (double_step, extra) = self.first_moves(form, color, &first);
        let mut extra = extra;
        extra.extend(self.extra_moves(form, color));
        let drop = self.drop(form, color, &region, &never, &forced);
        let written = |area: &Area| Some(self.board.written(area)).filter(|text| !text.is_empty());
        SideTable {
            betza: Some(betza).filter(|betza| !betza.is_empty()),
            extra: Some(extra).filter(|extra| !extra.is_empty()),
            first: None,
            region: region.as_ref().and_then(written),
            never: written(&never),
            promotion,
            double_step,
            drop,
            limit: self.limit(form),
        }
    }

    /// The moves of a piece; a comment says which of them cannot be said.
    fn moves(&mut self, form: &Form, color: Color) -> Moves {
        let Some(piece) = self.rules.piece(form.kind) else { return Moves::default() };
        if form.kind == "soldier" && self.rules.number("soldierPromotionRank") > 1 {
            return Moves { betza: "fW".to_string(), ..Moves::default() };
        }
        let (found, fault) = match moves(&piece.betza) {
            Ok(found) if found.mute.is_empty() => return found,
            Ok(found) => {
                let fault = format!("to '{}' Fairy-Stockfish gives no moves", found.mute.join(" "));
                (found, fault)
            }
            Err(fault) => (Moves::default(), fault),
        };
        if color == Color::White {
            let letter = piece.letter.to_ascii_lowercase();
            self.unsaid.push(format!("{} = {letter}:{} ({fault})", form.kind, piece.betza));
        }
        found
    }

    /// Where it may stand, as its side sees the board, if not everywhere.
    fn region(&self, form: &Form, color: Color) -> Option<Area> {
        let own = self.rules.region(color, form.kind).map(|area| self.board.seen_all(color, &area));
        let is_pawn = self
            .rules
            .kinds(by_side(color, ["promotionPawnTypesWhite", "promotionPawnTypesBlack"]));
        let must_promote =
            is_pawn.contains(&form.kind) && self.rules.flag("mandatoryPawnPromotion");
        // A pawn that must promote and has nothing to become stays out of the region.
        let cannot = targets(self.rules, color, form.kind).is_empty()
            && self.rules.promoted(form.kind).is_none();
        if !(must_promote && cannot && form.origin.is_none()) {
            return own;
        }
        let zone = self.zone(color);
        let area = own.unwrap_or_else(|| self.board.all());
        Some(area.difference(&zone).copied().collect())
    }

    /// Double steps, and other moves that pieces have only where they start.
    fn first_moves(
        &mut self,
        form: &Form,
        color: Color,
        first: &[String],
    ) -> (Option<DoubleStepTable>, Vec<ExtraMove>) {
        let steps = if form.kind == "pawn" { vec!["fmnD".to_string()] } else { first.to_vec() };
        if steps.is_empty() || (form.kind == "pawn" && !self.rules.flag("doubleStep")) {
            return (None, Vec::new());
        }
        let from =
            self.rules.area(by_side(color, ["doubleStepRegionWhite", "doubleStepRegionBlack"]));
        let from = self.board.seen_all(color, &from);
        let (passing, other) = self.passing(form, color, &from);
        let (passing, beyond) = self.stays(form, color, passing);
        let other: Area = other.union(&beyond).copied().collect();
        let mut double = None;
        let mut extra = Vec::new();
        for betza in steps {
            let along = along(&betza).filter(|_| double.is_none());
            let plain = if along.is_some() { &other } else { &from };
            if let Some(along) = along
                && !passing.is_empty()
            {
                double = Some(DoubleStepTable {
                    from: Some(self.board.written(&passing)),
                    along: Some(along.to_string()).filter(|along| along != "fW"),
                    en_passant: Some(true),
                    en_passant_by: self.captors(form, color),
                });
            }
            if !plain.is_empty() {
                let from = Some(self.board.written(plain));
                extra.push(ExtraMove { betza: Some(betza), from, to: None });
            }
        }
        extra.extend(self.triple_step(form, color));
        (double, extra)
    }

    /// The pieces that may capture a double step of this one in passing, if not its own type alone.
    fn captors(&self, form: &Form, color: Color) -> Option<String> {
        let keys = ["enPassantTypesWhite", "enPassantTypesBlack"];
        let letters = self.forms.letters(&self.rules.present(by_side(!color, keys)));
        Some(letters).filter(|letters| *letters != form.letter)
    }

    /// Three steps at once, which a definition has without the capture in passing.
    fn triple_step(&mut self, form: &Form, color: Color) -> Option<ExtraMove> {
        let key = by_side(color, ["tripleStepRegionWhite", "tripleStepRegionBlack"]);
        let from = self.board.seen_all(color, &self.rules.area(key));
        if form.kind != "pawn" || from.is_empty() {
            return None;
        }
        let line = self.rules.line(key).unwrap_or_default();
        self.unsaid
            .push(format!("{line} (the three steps are said, their capture in passing is not)"));
        let from = Some(self.board.written(&from));
        Some(ExtraMove { betza: Some("mfnH".to_string()), from, to: None })
    }

    /// The squares from which a double step straight ahead ends where the piece need not promote, and those from which
    /// it must; those from which it leaves the board are left out.
    fn stays(&self, form: &Form, color: Color, from: Area) -> (Area, Area) {
        let holes = self.board.seen_all(color, &self.holes());
        let is_stepper = form.kind == "pawn";
        let must = is_stepper && self.rules.flag("mandatoryPawnPromotion");
        let zone = if must { self.zone(color) } else { Area::new() };
        let is_on_board = |(rank, file): &(u8, u8)| {
            let way = [(rank + 1, *file), (rank + 2, *file)];
            !is_stepper || (rank + 2 < self.board.ranks && !way.iter().any(|at| holes.contains(at)))
        };
        let from = from.into_iter().filter(is_on_board);
        from.partition(|(rank, file)| !zone.contains(&(rank + 2, *file)))
    }

    /// The squares from which a double step may be captured in passing, and the others.
    fn passing(&self, form: &Form, color: Color, from: &Area) -> (Area, Area) {
        let captor = !color;
        let captors =
            self.rules.kinds(by_side(captor, ["enPassantTypesWhite", "enPassantTypesBlack"]));
        let may_be_passed = |kind| form.kind == "pawn" || is_custom(kind);
        if captors.is_empty() || !may_be_passed(form.kind) {
            return (Area::new(), from.clone());
        }
        let allowed =
            self.rules.area(by_side(captor, ["enPassantRegionWhite", "enPassantRegionBlack"]));
        let allowed = self.board.seen_all(color, &allowed);
        from.iter().partition(|(rank, file)| allowed.contains(&(rank + 1, *file)))
    }

    /// Moves on some squares only: soldiers beyond the river, and the lines of palaces.
    fn extra_moves(&self, form: &Form, color: Color) -> Vec<ExtraMove> {
        let mut extra = Vec::new();
        let rank = self.rules.number("soldierPromotionRank");
        if form.kind == "soldier" && rank > 1 {
            let last = self.board.ranks;
            let from = if rank == u32::from(last) {
                "last".to_string()
            } else {
                format!("ranks{rank}-{last}")
            };
            extra.push(ExtraMove { betza: Some("sW".to_string()), from: Some(from), to: None });
        }
        let lines = self.board.seen_all(color, &self.rules.area("diagonalLines"));
        let king_steps = self.rules.piece("king").is_some_and(|king| king.betza == "W");
        let betza = match form.kind {
            "rook" => "B",
            "janggiCannon" => "pB",
            "soldier" => "fF",
            "wazir" => "F",
            "king" if king_steps => "F",
            _ => return extra,
        };
        if !lines.is_empty() {
            let lines = Some(self.board.written(&lines));
            extra.push(ExtraMove {
                betza: Some(betza.to_string()),
                from: lines.clone(),
                to: lines,
            });
        }
        extra
    }
}

/// What a piece counts in janggi.
fn janggi_points(kind: Kind) -> u8 {
    match kind {
        "rook" => 13,
        "janggiCannon" => 7,
        "horse" => 5,
        "janggiElephant" | "wazir" | "fers" => 3,
        "soldier" => 2,
        _ => 0,
    }
}

/// The direction of a double step, if moves from the start are one.
fn along(betza: &str) -> Option<&'static str> {
    let has =
        |letters: &str| letters.chars().all(|c| betza.contains(c)) && betza.len() == letters.len();
    if has("fmnD") {
        Some("fW")
    } else if has("fmnA") || has("fmA") {
        Some("fF")
    } else {
        None
    }
}

/// The table of a piece, with what both sides have in common written once.
fn joined(white: SideTable, black: SideTable) -> PieceTable {
    let mut table = PieceTable::default();
    let (mut own_white, mut own_black) = (SideTable::default(), SideTable::default());
    macro_rules! join {
        ($($field:ident),*) => {
            $(if white.$field == black.$field {
                table.$field = white.$field;
            } else {
                (own_white.$field, own_black.$field) = (white.$field, black.$field);
            })*
        };
    }
    join!(betza, extra, region, never, promotion, double_step, drop, limit);
    table.white = Some(own_white).filter(|side| *side != SideTable::default());
    table.black = Some(own_black).filter(|side| *side != SideTable::default());
    table
}
