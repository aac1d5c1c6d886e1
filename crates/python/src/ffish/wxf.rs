//! The notation of the World Xiangqi Federation: the piece, its file from the right of the player, whether it moves
//! forward (`+`), backward (`-`) or sideways (`=`), and where to: the new file, or the number of ranks on the same file.
//! Of two pieces on one file the sign of the front one (`+`) or the rear one (`-`) stands in place of the file; of more,
//! or of two such files, the number of the piece from the front in place of its name.

use garrison_rules::{Color, PieceType, Position, Square};

use super::known::shown_kind;
use super::notation::is_forward;

/// The number of the file of a square, counted from the right of the side to move.
pub fn file(position: &Position, square: Square) -> String {
    let geometry = position.variant().geometry();
    let file = geometry.file(square).0;
    match position.side_to_move() {
        Color::White => (geometry.files() - file).to_string(),
        Color::Black => (file + 1).to_string(),
    }
}

/// A move from square to square of a piece with this name.
pub fn write(
    position: &Position,
    kind: PieceType,
    name: &str,
    (from, to): (Square, Square),
) -> String {
    let geometry = position.variant().geometry();
    let (color, rank) = (position.side_to_move(), |square| geometry.rank(square).0);
    let direction = match (rank(from), rank(to)) {
        (a, b) if a == b => '=',
        (a, b) if is_forward(color, a, b) => '+',
        _ => '-',
    };
    let target = match geometry.file(from) == geometry.file(to) {
        true => rank(from).abs_diff(rank(to)).to_string(),
        false => file(position, to),
    };
    format!("{}{direction}{target}", described(position, kind, name, (from, to)))
}

/// The piece and what is needed to find it.
fn described(
    position: &Position,
    kind: PieceType,
    name: &str,
    (from, to): (Square, Square),
) -> String {
    let variant = position.variant();
    let geometry = variant.geometry();
    let color = position.side_to_move();
    let is_such = |square: &Square| {
        position.at(*square).is_some_and(|piece| shown_kind(variant, piece.kind()) == kind)
    };
    let all: Vec<Square> = position.pieces_of(color).filter(is_such).collect();
    let on_file = |square: Square| {
        let file = geometry.file(square);
        all.iter().copied().filter(move |&other| geometry.file(other) == file)
    };
    let beside: Vec<Square> = on_file(from).filter(|&other| other != from).collect();
    let is_ahead = |other: Square| is_forward(color, geometry.rank(from).0, geometry.rank(other).0);
    // Each file with several pieces is met once for each of them.
    let crowded = all.iter().filter(|&&square| {
        let others = on_file(square).filter(|&other| other != square);
        others.clone().next().is_some() && others.min() > Some(square)
    });
    let has_several_crowds = crowded.count() >= 2;
    let number = 1 + beside.iter().filter(|&&other| is_ahead(other)).count();
    match beside[..] {
        [] => {}
        [other] if !has_several_crowds => {
            // Of two elephants or advisors on a file only one can make a move.
            let (dx, dy) = (
                geometry.file(to).0 as i8 - geometry.file(from).0 as i8,
                geometry.rank(to).0 as i8 - geometry.rank(from).0 as i8,
            );
            let target = geometry.step(other, dx, dy);
            let could = |square| variant.standing_squares(color, kind).contains(square);
            if target.is_some_and(could) {
                let sign = if is_ahead(other) { '-' } else { '+' };
                return format!("{name}{sign}");
            }
        }
        _ => return format!("{number}{}", file(position, from)),
    }
    format!("{name}{}", file(position, from))
}
