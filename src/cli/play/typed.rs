//! Moves as people type them and as they are shown to people.

use crate::cli::notation::read_move;
use crate::protocol::Usi;
use garrison_rules::{Move, MoveError, Position};

/// Reads a move as coordinates, as people write it, in whatever case, or in the coordinates of shogi.
pub(super) fn read(position: &Position, text: &str) -> Result<Move, MoveError> {
    let error = match read_move(position, text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let mut better = None;
    for spelling in spellings(text) {
        match read_move(position, &spelling) {
            Ok(mv) => return Ok(mv),
            Err(error) if !error.is_syntax() => better = better.or(Some(error)),
            Err(_) => {}
        }
    }
    if let Some(result) = shogi_coordinates(position, text) {
        match result {
            Ok(mv) => return Ok(mv),
            Err(error) if !error.is_syntax() => better = better.or(Some(error)),
            Err(_) => {}
        }
    }
    Err(better.filter(|_| error.is_syntax()).unwrap_or(error))
}

/// The text in other cases: `E2E4` as `e2e4`, `NXD5` as `Nxd5`, `n@e5` as `N@e5`, `o-o` as `O-O`.
fn spellings(text: &str) -> Vec<String> {
    if !text.is_ascii() || text.is_empty() {
        return Vec::new();
    }
    let lower = text.to_ascii_lowercase();
    let (first, rest) = text.split_at(1);
    let mut all = vec![
        first.to_string() + &rest.to_ascii_lowercase(),
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase(),
        text.to_ascii_uppercase(),
    ];
    // A letter and a digit begin coordinates; `E2e4` would be an elephant of the second rank.
    let is_square = text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    all.insert(if is_square { 0 } else { 2 }, lower);
    all.retain(|spelling| spelling != text);
    all
}

/// The text read in the coordinates of shogi (`7g7f`, `P*5e`, or in digits `7776`), in games in which captured pieces
/// change sides and nothing castles.
fn shogi_coordinates(position: &Position, text: &str) -> Option<Result<Move, MoveError>> {
    let variant = position.variant();
    let changes_sides = variant.kinds().any(|kind| variant.piece(kind).captured_slot.is_some());
    if !changes_sides || variant.has_rights() {
        return None;
    }
    let text = lettered(text).unwrap_or_else(|| lower_squares(text));
    Some(position.parse_move_in(&Usi, &text))
}

/// `7G7F` as `7g7f`; the letter of a drop stays.
fn lower_squares(text: &str) -> String {
    match text.split_once('*') {
        Some((piece, square)) => format!("{piece}*{}", square.to_ascii_lowercase()),
        None => text.to_ascii_lowercase(),
    }
}

/// `7776` with letters for ranks: `7g7f`.
fn lettered(text: &str) -> Option<String> {
    let (digits, rest) = text.split_at_checked(4)?;
    let is_plain = rest.is_empty() || rest == "+";
    if !is_plain || !digits.bytes().all(|c| (b'1'..=b'9').contains(&c)) {
        return None;
    }
    let letter = |at: usize, c: char| match at % 2 {
        0 => c,
        _ => char::from(b'a' + (c as u8 - b'1')),
    };
    Some(digits.chars().enumerate().map(|(at, c)| letter(at, c)).chain(rest.chars()).collect())
}

/// A move in SAN, with its coordinates where they differ.
pub(super) fn both_texts(position: &Position, mv: Move) -> String {
    let (san, coordinates) = (position.san(mv), position.move_text(mv));
    if san == coordinates { san } else { format!("{san} ({coordinates})") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::find;

    #[test]
    fn moves_are_read_in_any_case_and_in_the_coordinates_of_shogi() {
        const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let fortress = "t8/9/9/9/9/9/9/9/9/T8[NE] w - - 0 1";
        for (game, fen, text, coordinates) in [
            ("shoranji", None, "E3E5", "e3e5"),
            ("shoranji", None, "E5", "e3e5"),
            ("shoranji", Some(fortress), "N@E5", "N@e5"),
            ("shoranji", Some(fortress), "n@e5", "N@e5"),
            ("chess", None, "NF3", "g1f3"),
            ("chess", None, "nf3", "g1f3"),
            ("chess", None, "E2E4", "e2e4"),
            ("chess", Some(CASTLING), "0-0", "e1g1"),
            ("chess", Some(CASTLING), "o-o-o", "e1c1"),
            ("shogi", None, "7g7f", "c3c4"),
            ("shogi", None, "7776", "c3c4"),
            ("shogi", None, "7G7F", "c3c4"),
            ("shogi", Some("4k4/9/9/9/9/9/9/9/4K4[P] w - - 0 1"), "P*5e", "P@e5"),
            ("shogi", Some("4k4/9/6R2/9/9/9/9/9/4K4[] w - - 0 1"), "3343+", "g7f7+"),
        ] {
            let variant = find(game).expect("a game");
            let mut position = match fen {
                None => Position::start(&variant),
                Some(fen) => Position::from_fen(&variant, fen).expect(fen),
            };
            position.keep_arrays();
            let mv = read(&position, text).unwrap_or_else(|error| panic!("{game}: {error}"));
            assert_eq!(position.move_text(mv), coordinates, "{game} {text}");
        }
    }

    #[test]
    fn errors_are_those_of_the_move_that_was_meant() {
        let chess = Position::start(&find("chess").expect("a game"));
        let error = |text| read(&chess, text).expect_err("illegal").to_string();
        assert_eq!(error("E2E5"), "illegal move 'e2e5': the pawn on e2 cannot go to e5");
        assert_eq!(error("0-0"), "illegal move '0-0': White cannot castle like that now");
        assert!(error("7g7f").contains("is no move text"), "{}", error("7g7f"));
        let shogi = Position::start(&find("shogi").expect("a game"));
        let error = read(&shogi, "7g7e").expect_err("illegal").to_string();
        assert_eq!(error, "illegal move '7g7e': the pawn on 7g cannot go to 7e");
    }
}
