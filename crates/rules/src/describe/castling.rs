//! Castling, and start arrays that are drawn by lot.

use super::list;
use crate::types::{Color, Square};
use crate::variant::Variant;

impl Variant {
    /// Castling, in a game that has it.
    pub(super) fn castling_in_words(&self) -> String {
        let geometry = self.geometry();
        let ways = |color: Color| -> Vec<String> {
            let castles = self.rights().castles(color).iter();
            castles
                .map(|castle| {
                    let name = |square| geometry.name(square);
                    let ((king, to), (rook, beside)) = (castle.king, castle.rook);
                    let (k, r) = (castle.pieces.0, castle.pieces.1);
                    let [k, r] = [k, r].map(|kind| self.piece(kind).letter);
                    format!(
                        "{k} {}-{} with {r} {}-{}",
                        name(king),
                        name(to),
                        name(rook),
                        name(beside)
                    )
                })
                .collect()
        };
        let [white, black] = Color::ALL.map(|color| list(&ways(color), "or"));
        if self.castles_by_rook() {
            return self.castling_by_rook_in_words();
        }
        let by_drops = self.rights().come_by_drops();
        let unmoved = if by_drops {
            "once both have been dropped on these squares, until one of them moves, if"
        } else {
            "if neither piece has moved,"
        };
        let sides: Vec<String> = [("White", white), ("Black", black)]
            .into_iter()
            .filter(|(_, ways)| !ways.is_empty())
            .map(|(side, ways)| format!("{side} {ways}"))
            .collect();
        format!(
            "Castling, {unmoved} nothing stands between them, and the first is attacked neither before nor on its way nor \
             after: {}.",
            sides.join("; ")
        )
    }

    /// Castling where king and rook start anywhere on their rank.
    fn castling_by_rook_in_words(&self) -> String {
        let geometry = self.geometry();
        let castles = self.rights().castles(Color::White).iter();
        let ways: Vec<String> = castles
            .map(|castle| {
                let [k, r] = [castle.pieces.0, castle.pieces.1].map(|kind| self.piece(kind).letter);
                let side = if castle.is_short() { "right" } else { "left" };
                let name = |square: Square| geometry.name(square);
                let (king, rook) = (name(castle.king.1), name(castle.rook.1));
                format!("{k} to {king} with the {r} on its {side} to {rook}")
            })
            .collect();
        format!(
            "Castling, wherever both start, if neither piece has moved, nothing else stands where they go or pass, and \
             the first is attacked neither before nor on its way nor after: White {}, Black in the same way.",
            list(&ways, "or")
        )
    }

    /// The pieces whose places are drawn by lot.
    pub(super) fn shuffle_in_words(&self) -> Option<String> {
        let shuffle = self.shuffle()?;
        let dark = self.geometry().dark_squares();
        let steps: Vec<String> = shuffle
            .steps
            .iter()
            .map(|step| {
                let letters: Vec<String> =
                    step.kinds.iter().map(|&kind| self.piece(kind).letter.to_string()).collect();
                let letters = letters.join(" ");
                match (step.on.meets(dark), step.on.meets(!dark & self.geometry().squares())) {
                    (true, true) => letters,
                    (true, false) => format!("{letters} on a dark square"),
                    _ => format!("{letters} on a light square"),
                }
            })
            .collect();
        let squares: Vec<String> =
            shuffle.squares.map(|square| self.geometry().name(square)).collect();
        Some(format!(
            "Before a game the pieces on {} are placed by lot, one after the other and several from left to right: {}. That \
             makes {} arrays; Black's is the same.",
            squares.join(" "),
            steps.join(", "),
            shuffle.count()
        ))
    }
}
