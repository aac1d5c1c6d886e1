//! A position that is being put together: its parts, its text, and everything that is wrong with it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::line::game;
use super::refusal::Refusal;
use super::view::{Held, Stand, held, piece_code};
use garrison_rules::fault::{Describe, FenFault};
use garrison_rules::{
    Algebraic, Color, FenError, Geometry, Letter, Piece, Position, Setup, Variant, shown,
};

/// A position as text or in parts.
#[derive(Debug, Deserialize)]
pub struct EditRequest {
    variant: String,
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    parts: Option<Parts>,
}

/// What a position is made of.
#[derive(Debug, Serialize, Deserialize)]
struct Parts {
    board: Vec<Stand>,
    hands: [Vec<Held>; 2],
    side: char,
    /// The setups that are pending, or the rights of pieces that have not moved, as in a FEN.
    state: String,
    passed: String,
    halfmoves: u16,
    fullmove: u32,
    /// The count of a player who has little left, as in a FEN; none in most positions.
    #[serde(default)]
    count: Option<String>,
}

/// The position with its faults.
#[derive(Debug, Default, Serialize)]
pub struct Edited {
    /// None for text that cannot be read.
    parts: Option<Parts>,
    /// The parts as text.
    text: String,
    /// The canonical FEN, if the position keeps the rules.
    fen: Option<String>,
    faults: Vec<FaultView>,
}

#[derive(Debug, Serialize)]
struct FaultView {
    text: String,
    /// The squares at which it is shown; none for what is wrong elsewhere.
    squares: Vec<String>,
}

/// Reads a position and says what is wrong with it.
///
/// # Errors
/// There is no such game, square or piece.
pub fn edit(request: &EditRequest) -> Result<Edited, Refusal> {
    let variant = game(&request.variant)?;
    let (setup, faults) = match (&request.parts, &request.fen) {
        (Some(parts), _) => parts.setup(&variant)?,
        (None, Some(fen)) => match Setup::from_fen(&variant, fen) {
            Ok(setup) => (setup, Vec::new()),
            Err(error) => {
                return Ok(Edited { faults: views(&variant, &error), ..Edited::default() });
            }
        },
        (None, None) => return Err("neither a text nor parts of a position".into()),
    };
    let mut edited =
        Edited { parts: Some(Parts::of(&setup)), text: setup.fen(), ..Edited::default() };
    if !faults.is_empty() {
        // What was written stays as it was written.
        let written =
            request.parts.as_ref().map(|parts| (parts.state.clone(), parts.passed.clone()));
        if let (Some(parts), Some((state, passed))) = (&mut edited.parts, written) {
            (parts.state, parts.passed) = (state, passed);
        }
        edited.faults = views(&variant, &FenError::new(&variant, faults));
        return Ok(edited);
    }
    match setup.into_position() {
        Ok(position) => edited.fen = Some(Position::fen(&position)),
        Err(error) => edited.faults = views(&variant, &error),
    }
    Ok(edited)
}

fn views(variant: &Variant, error: &FenError) -> Vec<FaultView> {
    let names = |fault: &FenFault| {
        fault.squares().iter().map(|&square| variant.geometry().name(square)).collect()
    };
    let view = |fault: &FenFault| {
        let text = fault.through(variant, &Algebraic).to_string();
        FaultView { text, squares: names(fault) }
    };
    error.faults().iter().map(view).collect()
}

impl Parts {
    fn of(setup: &Setup) -> Parts {
        let variant = setup.variant();
        let stand = |(square, piece)| Stand {
            square: variant.geometry().name(square),
            piece: piece_code(variant, piece),
        };
        Parts {
            board: setup.pieces().map(stand).collect(),
            hands: Color::ALL.map(|color| held(variant, |kind| setup.in_hand(color, kind))),
            side: setup.side_to_move.letter(),
            state: setup.state_text(),
            passed: setup.passed_text(&Algebraic),
            halfmoves: setup.halfmoves,
            fullmove: setup.fullmove,
            count: setup.count_text(),
        }
    }

    /// The position, and what of the text in it cannot be read.
    fn setup(&self, variant: &Arc<Variant>) -> Result<(Setup, Vec<FenFault>), Refusal> {
        let mut setup = Setup::empty(variant);
        for Stand { square, piece } in &self.board {
            let own = read_square(variant.geometry(), square)?;
            setup.set_piece(own, Some(read_piece(variant, piece)?));
        }
        for (color, held) in Color::ALL.into_iter().zip(&self.hands) {
            for Held { kind, count } in held {
                let piece = read_piece(variant, &format!("w{kind}"))?;
                if !setup.set_in_hand(color, piece.kind(), *count) {
                    return Err(format!("'{}' cannot be in hand", shown(kind)).into());
                }
            }
        }
        (setup.halfmoves, setup.fullmove) = (self.halfmoves, self.fullmove);
        let mut faults = Vec::new();
        faults.extend(setup.read_side(&self.side.to_string(), ['w', 'b']).err());
        faults.extend(setup.read_state(self.state.trim()).err());
        faults.extend(setup.read_passed(self.passed.trim(), &Algebraic).err());
        if let Some(count) = &self.count {
            faults.extend(setup.read_count(count).err());
        }
        Ok((setup, faults))
    }
}

fn read_square(geometry: &Geometry, text: &str) -> Result<garrison_rules::Square, Refusal> {
    match geometry.parse_square(text) {
        Some((square, "")) => Ok(square),
        _ => Err(format!("'{}' is no square", shown(text)).into()),
    }
}

/// Reads a piece such as `wN` or `b+P`.
///
/// # Errors
/// The game has no such piece.
pub fn read_piece(variant: &Variant, code: &str) -> Result<Piece, Refusal> {
    let unknown = || Refusal::from(format!("'{}' is no piece of this game", shown(code)));
    let color = Color::ALL.into_iter().find(|color| code.starts_with(color.letter()));
    let color = color.ok_or_else(unknown)?;
    let letters = Letter::split(&code[1..]).ok_or_else(unknown)?;
    let &[letter] = letters.as_slice() else { return Err(unknown()) };
    let kind = variant.kind_of(letter).ok_or_else(unknown)?;
    Ok(Piece::new(color, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json, to_value};

    fn edited(request: serde_json::Value) -> serde_json::Value {
        let request = from_value(request).expect("a request");
        to_value(edit(&request).expect("an answer")).expect("JSON")
    }

    #[test]
    fn parts_and_text_are_one_position() {
        for (variant, fen) in [
            ("shoogantshii", "4k4/9/9/9/9/4+P4/9/9/4K4[A] b - - 0 1"),
            (
                "sixfortresses",
                "twf1t1fwt/rnbqiqbnr/ppppppppp/9/9/9/PPPPPPPPP/RNBQIQBNR/TWF1T1FWT[] w Ss - 0 1",
            ),
            ("chess", "4k3/8/8/8/3pP3/8/8/R3K3 b Q e3 0 7"),
        ] {
            let first = edited(json!({ "variant": variant, "fen": fen }));
            assert_eq!(first["fen"], fen);
            let again = edited(json!({ "variant": variant, "parts": first["parts"] }));
            assert_eq!((&again["fen"], &again["text"]), (&first["fen"], &first["text"]));
        }
    }

    #[test]
    fn faults_come_with_their_squares() {
        let fen = "4k3/8/8/8/8/8/8/P3K3 w - - 0 1";
        let found = edited(json!({ "variant": "chess", "fen": fen }));
        assert_eq!((&found["fen"], &found["text"]), (&json!(null), &json!(fen)));
        assert_eq!(found["faults"][0]["squares"], json!(["a1"]));
        let unread = edited(json!({ "variant": "chess", "fen": "8/8 w" }));
        assert!(unread["parts"].is_null() && unread["faults"][0]["text"].is_string());
        let mut parts = edited(json!({ "variant": "chess", "fen": fen }))["parts"].clone();
        parts["state"] = json!("XY");
        let wrong = edited(json!({ "variant": "chess", "parts": parts }));
        assert_eq!(wrong["parts"]["state"], "XY");
        assert!(wrong["faults"][0]["text"].as_str().is_some_and(|text| text.contains("'X")));
    }
}
