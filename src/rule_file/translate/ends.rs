//! How a game ends.

use garrison_rules::Color;
use garrison_rules::definition::tables::{
    ChaseTable, ChasedThough, EndCount, EndDrawn, EndResult, EndTable, EndWhen, MateTable, NoMoves,
    Repeated, Unchased,
};

use super::Draft;
use super::forms::{by_side, targets};
use super::start::fields;
use crate::rule_file::kinds::{ALL, Kind};

impl Draft<'_> {
    pub(super) fn ends(&mut self) {
        let mut end = EndTable {
            no_moves: Some(self.stalemate()),
            checkmate: match self.rules.text("checkmateValue").as_str() {
                "win" => Some(NoMoves::Win),
                "draw" => Some(NoMoves::Draw),
                _ => None,
            },
            drawn: match self.rules.text("materialCounting").as_str() {
                "whitedrawodds" => Some(EndDrawn::White),
                "blackdrawodds" => Some(EndDrawn::Black),
                _ => None,
            },
            ..EndTable::default()
        };
        if self.rules.flag("shatarMateRule") {
            let letters = |kinds: &[Kind]| Some(self.forms.letters(kinds));
            end.mate = Some(MateTable {
                never_by: letters(&["knight"]),
                needs: letters(&["knight", "rook", "bers"]),
            });
        }
        if self.steps_in_place(Color::White).is_some() {
            end.may_stay = Some(self.forms.letters(&["king", "pawn"]));
        }
        self.repetition(&mut end);
        let moves = self.rules.number("nMoveRule").saturating_mul(2);
        end.moves = u16::try_from(moves).ok().filter(|moves| *moves > 0);
        if self.rules.flag("checkCounting") {
            let text = self.rules.text("startFen");
            let checks =
                fields(&text).checks.and_then(|checks| checks.split('+').next()?.parse().ok());
            end.checks = Some(checks.unwrap_or(1));
        }
        self.points(&mut end);
        let mut when = Vec::new();
        self.extinction(&mut end, &mut when);
        self.flags(&mut when);
        end.when = Some(when).filter(|when| !when.is_empty());
        end.count = Some(self.counts()).filter(|counts| !counts.is_empty());
        self.definition.end = Some(end);
    }

    /// The counts of the games of Southeast Asia.
    fn counts(&mut self) -> Vec<EndCount> {
        // What the opponent of a bare king has, and the moves that he has then; the last row is for anything.
        type Honors = [(Kind, usize, u16); 5];
        const MAKRUK: Honors = [
            ("rook", 2, 8),
            ("rook", 1, 16),
            ("silver", 2, 22),
            ("knight", 2, 32),
            ("silver", 1, 44),
        ];
        let rule = self.rules.text("countingRule");
        let honors: Vec<(Kind, usize, u16)> = match rule.as_str() {
            "makruk" => MAKRUK.to_vec(),
            // The opponent has a move less.
            "cambodian" => {
                MAKRUK.iter().map(|&(kind, count, moves)| (kind, count, moves - 1)).collect()
            }
            "asean" => vec![("rook", 1, 16), ("silver", 1, 44), ("knight", 1, 64)],
            _ => return Vec::new(),
        };
        let letters =
            |kind: Kind| Some(self.forms.letters(&[kind])).filter(|text| !text.is_empty());
        let Some(king) = letters("king") else {
            self.leave("countingRule");
            return Vec::new();
        };
        let from_pieces = (rule != "asean").then_some(2);
        let bare = |has: Option<String>, moves: u16| EndCount {
            side: Some(king.clone()),
            has,
            none: letters("pawn"),
            moves: Some(2 * moves),
            per_piece: from_pieces,
            anew: Some(true),
            ..EndCount::default()
        };
        let mut counts: Vec<EndCount> = honors
            .into_iter()
            .filter_map(|(kind, count, moves)| {
                Some(bare(Some(letters(kind)?.repeat(count)), moves))
            })
            .collect();
        match rule.as_str() {
            "makruk" => {
                counts.push(bare(None, 64));
                counts.push(EndCount {
                    none: letters("pawn"),
                    moves: Some(128),
                    ..EndCount::default()
                });
            }
            "cambodian" => {
                counts.push(bare(None, 63));
                counts.push(EndCount {
                    side: Some(king.clone()),
                    moves: Some(0),
                    ..EndCount::default()
                });
                counts.push(EndCount { pieces: Some(3), moves: Some(126), ..EndCount::default() });
            }
            _ => {}
        }
        counts
    }

    /// The result for a player who cannot move.
    fn stalemate(&mut self) -> NoMoves {
        let value = self.rules.text("stalemateValue");
        match (value.as_str(), self.rules.flag("stalematePieceCount")) {
            ("win", true) => return NoMoves::Fewer,
            ("draw", true) | (_, false) => {}
            (_, true) => self.leave("stalematePieceCount"),
        }
        match value.as_str() {
            "loss" => NoMoves::Loss,
            "win" => NoMoves::Win,
            _ => NoMoves::Draw,
        }
    }

    /// Ends by points, as in janggi: after two passes, or a pass while the kings face each other.
    fn points(&mut self, end: &mut EndTable) {
        if !self.counts_points() {
            if !self.rules.text("materialCounting").ends_with("drawodds") {
                self.leave("materialCounting");
            }
            return self.leave("bikjangRule");
        }
        (end.passes, end.bonus) = (Some(2), Some(15));
        end.facing = self.rules.flag("bikjangRule").then_some(true);
    }

    /// Whether the points of janggi are counted when both sides have passed.
    pub(super) fn counts_points(&self) -> bool {
        self.rules.text("materialCounting") == "janggi" && self.definition.pass == Some(true)
    }

    fn repetition(&mut self, end: &mut EndTable) {
        let count = self.rules.number("nFoldRule");
        if count < 2 {
            self.leave("chasingRule");
            return self.leave("nFoldRule");
        }
        self.chases(end);
        end.repetition = u8::try_from(count).ok();
        end.perpetual_check = self.rules.flag("perpetualCheckIllegal").then_some(true);
        let is_absolute = self.rules.flag("nFoldValueAbsolute");
        end.repeated = match (self.rules.text("nFoldValue").as_str(), is_absolute) {
            ("win", true) => Some(Repeated::White),
            ("loss", true) => Some(Repeated::Black),
            ("win", false) => Some(Repeated::Mover),
            ("loss", false) => Some(Repeated::Repeater),
            _ => None,
        };
    }

    /// Perpetual chases, by the rules of the Asian Xiangqi Federation.
    fn chases(&mut self, end: &mut EndTable) {
        if self.rules.text("chasingRule") != "axf" {
            return;
        }
        if self.rules.flag("blastOnCapture") || self.rules.flag("extinctionPseudoRoyal") {
            return self.leave("chasingRule");
        }
        let letters =
            |kinds: &[Kind]| Some(self.forms.letters(kinds)).filter(|text| !text.is_empty());
        let river = self.rules.number("soldierPromotionRank");
        let unchased = letters(&["soldier"]).filter(|_| river > 1).map(|soldier| Unchased {
            pieces: Some(soldier),
            on: Some(format!("ranks1-{}", river - 1)),
        });
        let strong: [(&[Kind], &[Kind]); 2] = [
            (&["horse", "cannon"], &["rook"]),
            (&["elephant", "fers"], &["rook", "cannon", "horse"]),
        ];
        let even_protected = strong.into_iter().filter_map(|(by, of)| {
            Some(ChasedThough { by: Some(letters(by)?), of: Some(letters(of)?) })
        });
        end.perpetual_chase = Some(true);
        end.chase = Some(ChaseTable {
            never_by: letters(&["king", "soldier"]),
            never_of: unchased.map(|unchased| vec![unchased]),
            even_protected: Some(even_protected.collect()).filter(|list: &Vec<_>| !list.is_empty()),
        });
    }

    /// Ends by pieces that a side has no longer.
    fn extinction(&mut self, end: &mut EndTable, when: &mut Vec<EndWhen>) {
        let result = match self.rules.text("extinctionValue").as_str() {
            "win" => EndResult::Win,
            "loss" => EndResult::Loss,
            "draw" => EndResult::Draw,
            _ => return,
        };
        if self.rules.flag("extinctionPseudoRoyal") {
            return;
        }
        let count = self.rules.number("extinctionPieceCount");
        let opponent = self.rules.number("extinctionOpponentPieceCount");
        let has_all = self.rules.kinds("extinctionPieceTypes").contains(&ALL);
        if has_all
            && (count, opponent, result) == (1, 2, EndResult::Loss)
            && self.rules.flag("extinctionClaim")
        {
            end.bare_king = Some(true);
            return;
        }
        if opponent > 0 {
            self.leave("extinctionClaim");
        }
        let kinds = self.rules.present("extinctionPieceTypes");
        let mut lacking = Vec::new();
        if has_all {
            let reserves: String = self.reserves().into_iter().map(|(letter, _)| letter).collect();
            lacking.push(self.forms.letters(&kinds) + &reserves);
        } else {
            lacking.extend(kinds.into_iter().map(|kind| self.forms.letters(&[kind])));
        }
        for lacks in lacking.into_iter().filter(|lacks| !lacks.is_empty()) {
            let count = u8::try_from(count).ok().filter(|count| *count > 0);
            when.push(EndWhen {
                lacks: Some(lacks),
                count,
                enemy: u8::try_from(opponent).ok().filter(|enemy| *enemy > 0),
                result: Some(result),
                ..EndWhen::default()
            });
        }
    }

    /// Wins by a piece on a goal.
    fn flags(&mut self, when: &mut Vec<EndWhen>) {
        const REGIONS: [&str; 2] = ["flagRegionWhite", "flagRegionBlack"];
        const PIECES: [&str; 2] = ["flagPieceWhite", "flagPieceBlack"];
        let goals = Color::ALL.map(|color| {
            let area = self.rules.area(by_side(color, REGIONS));
            (self.board.seen_all(color, &area), self.rules.kinds(by_side(color, PIECES)))
        });
        let is_shared = goals[0] == goals[1];
        let sides = Color::ALL.into_iter().zip(goals).take(if is_shared { 1 } else { 2 });
        for (color, (area, kinds)) in sides.filter(|(_, (area, _))| !area.is_empty()) {
            let is_all = kinds.contains(&ALL);
            let kinds = self.rules.present(by_side(color, PIECES));
            // A goal is one of both sides, unless the other has no piece that could reach it.
            if !is_shared && kinds.iter().any(|kind| self.has(!color, kind)) {
                self.leave(by_side(color, REGIONS));
                self.leave(by_side(color, PIECES));
                continue;
            }
            let is_answered = self.rules.flag("flagMove");
            let is_race = is_answered && self.is_race();
            let is_safe = self.rules.flag("flagPieceSafe");
            let letters = self.forms.letters(&kinds);
            let goal = EndWhen {
                reaches: Some(self.board.written(&area)),
                pieces: Some(letters).filter(|_| !is_all || !is_shared),
                safe: is_safe.then_some(true),
                answer: is_race.then_some(true),
                kept: (is_answered && !is_race && !is_safe).then_some(true),
                result: Some(EndResult::Win),
                ..EndWhen::default()
            };
            // A piece that was attacked there wins by staying until it is not.
            let stays = is_safe.then(|| EndWhen { kept: Some(true), ..goal.clone() });
            when.push(goal);
            when.extend(stays);
        }
    }

    /// Whether kings race, and Black, who moves second, has a move more.
    fn is_race(&self) -> bool {
        self.rules.kinds("flagPieceWhite") == ["king"] && !self.rules.flag("flagPieceSafe")
    }

    /// Whether a side can ever have a piece.
    fn has(&self, color: Color, kind: &Kind) -> bool {
        if self.returns_captures() {
            return true;
        }
        let text = self.rules.text("startFen");
        let start = text.split_whitespace().next().unwrap_or("");
        let is_own = |c: char| c.is_ascii_uppercase() == (color == Color::White);
        let mut has: Vec<Kind> = Vec::new();
        for c in start.chars().filter(|c| c.is_ascii_alphabetic() && is_own(*c)) {
            has.extend(self.rules.kind_of(c).ok());
        }
        let mut at = 0;
        while let Some(owned) = has.get(at).copied() {
            at += 1;
            let mut next = targets(self.rules, color, owned);
            next.extend(self.rules.promoted(owned));
            next.retain(|kind| !has.contains(kind));
            has.extend(next);
        }
        has.contains(kind)
    }
}
