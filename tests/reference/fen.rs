//! Reading and writing FEN, with every refusal of the notation contract.

use std::sync::Arc;

use super::position::{Position, Setup};
use super::rules::{Family, PieceInfo, Rules, Side};

pub fn write(position: &Position) -> String {
    let rules = &position.rules;
    let files = rules.files as usize;
    let rows: Vec<String> = position.board.chunks(files).rev().map(write_row).collect();
    let mut text = rows.join("/");
    // notation: "Games without drops (`swda-*`) have no bracket."
    if rules.family != Family::Swda {
        text.push('[');
        for side in [Side::White, Side::Black] {
            for letter in rules.hand_order.chars() {
                let hand = &position.hands[side.index()];
                let held = hand.iter().filter(|held| **held == letter).count();
                text.extend(std::iter::repeat_n(side.letter(letter), held));
            }
        }
        text.push(']');
    }
    let side = match position.side {
        Side::White => "w",
        Side::Black => "b",
    };
    let setup = match position.setup {
        Setup::Both => "Ss",
        Setup::Black => "s",
        Setup::Done => "-",
    };
    let ep = position.ep.map_or("-".into(), |square| rules.square_name(square));
    format!("{text} {side} {setup} {ep} {} {}", position.halfmoves, position.fullmove)
}

/// One rank, file a first.
pub fn write_row(row: &[Option<PieceInfo>]) -> String {
    let runs = row.chunk_by(|one, next| one.is_none() && next.is_none());
    let texts = runs.map(|run| match run[0] {
        None => run.len().to_string(),
        Some(piece) if piece.promoted => format!("+{}", piece.side.letter(piece.letter)),
        Some(piece) => piece.side.letter(piece.letter).to_string(),
    });
    texts.collect()
}

/// Refuses the FEN with a line that says why, unless it is sound.
fn ensure(sound: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if sound { Ok(()) } else { Err(why()) }
}

pub fn parse(rules: Arc<Rules>, fen: &str) -> Result<Position, String> {
    // "`<board>[<hands>] <side> <setup> <ep> <halfmoves> <fullmove>`"; "The last two fields may be
    // missing on input (`0 1`)."
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let (halfmoves, fullmove) = match fields[..] {
        [_, _, _, _] => ("0", "1"),
        [_, _, _, _, halfmoves, fullmove] => (halfmoves, fullmove),
        _ => return Err(format!("{} fields in the FEN, not 4 or 6", fields.len())),
    };
    let (board, hands) = split_hands(&rules, fields[0])?;
    let side = match fields[1] {
        "w" => Side::White,
        "b" => Side::Black,
        other => return Err(format!("side to move is {other:?}, not w or b")),
    };
    let setup = match fields[2] {
        "Ss" => Setup::Both,
        "s" => Setup::Black,
        "-" => Setup::Done,
        other => return Err(format!("setup field is {other:?}, not Ss, s or -")),
    };
    let mut position = Position {
        board: read_board(&rules, board)?,
        hands: read_hands(&rules, hands)?,
        side,
        setup,
        ep: None,
        halfmoves: read_number(halfmoves, "halfmoves")?,
        // Some programs count from 0: it is read as 1.
        fullmove: read_number(fullmove, "fullmove")?.max(1),
        rules,
    };
    check_pieces(&position)?;
    check_kings(&position)?;
    check_setup(&position)?;
    position.ep = read_ep(&position, fields[3])?;
    // "the royal of the side not to move attacked (not in `shoogantshii`)".
    let waiting = position.side.other();
    let exempt = position.rules.family == Family::Shoogantshii;
    ensure(exempt || !position.royal_attacked(waiting), || {
        format!("the king of {}, who is not to move, is attacked", waiting.name())
    })?;
    Ok(position)
}

/// "hands: `[...]` directly after the board"; "On input `[-]` or a missing bracket reads as `[]`".
fn split_hands<'a>(rules: &Rules, field: &'a str) -> Result<(&'a str, &'a str), String> {
    let Some((board, rest)) = field.split_once('[') else {
        return Ok((field, ""));
    };
    if rules.family == Family::Swda {
        return Err("a bracket after the board, but this game has no hands".into());
    }
    match rest.strip_suffix(']') {
        None => Err("the bracket with the hands is not closed by ] at its end".into()),
        Some("-") => Ok((board, "")),
        Some(hands) => Ok((board, hands)),
    }
}

fn read_number(text: &str, what: &str) -> Result<u32, String> {
    let digits = text.chars().all(|c| c.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits => Ok(number),
        _ => Err(format!("{what} is {text:?}, not a number")),
    }
}

fn read_board(rules: &Rules, text: &str) -> Result<Vec<Option<PieceInfo>>, String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != rules.ranks as usize {
        return Err(format!("{} ranks, not {}", rows.len(), rules.ranks));
    }
    let mut board = Vec::new();
    for (i, row) in rows.iter().enumerate().rev() {
        let rank = rules.ranks as usize - i;
        let pieces = read_row(rules, row).map_err(|why| format!("rank {rank}: {why}"))?;
        if pieces.len() != rules.files as usize {
            let files = rules.files;
            return Err(format!("rank {rank}: {} files, not {files}", pieces.len()));
        }
        board.extend(pieces);
    }
    Ok(board)
}

fn read_row(rules: &Rules, row: &str) -> Result<Vec<Option<PieceInfo>>, String> {
    let mut pieces = Vec::new();
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() {
            // "a number is a run of empty squares (may have two digits)".
            let mut number = c.to_string();
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                number.push(digit);
            }
            match number.parse::<usize>() {
                Ok(run) if run <= rules.files as usize && !number.starts_with('0') => {
                    pieces.extend(std::iter::repeat_n(None, run));
                }
                _ => return Err(format!("run of {number} empty squares")),
            }
            continue;
        }
        let promoted = c == '+';
        let letter = if promoted { chars.next().ok_or("a + without a letter")? } else { c };
        let upper = letter.to_ascii_uppercase();
        if rules.lines(upper, promoted).is_none() {
            let plus = if promoted { "+" } else { "" };
            return Err(format!("unknown letter {plus}{letter}"));
        }
        let side = side_of(letter);
        // "a letter of the wrong army".
        if rules.family == Family::Swda && !rules.in_army(side, upper) {
            return Err(format!("{letter} is not in the army of {}", side.name()));
        }
        pieces.push(Some(PieceInfo { side, letter: upper, promoted }));
    }
    Ok(pieces)
}

fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::White } else { Side::Black }
}

fn read_hands(rules: &Rules, text: &str) -> Result<[Vec<char>; 2], String> {
    let mut hands = [Vec::new(), Vec::new()];
    for letter in text.chars() {
        // "hand letters the game cannot hold".
        let upper = letter.to_ascii_uppercase();
        if !rules.hand_order.contains(upper) {
            return Err(format!("letter {letter} cannot be in a hand"));
        }
        hands[side_of(letter).index()].push(upper);
    }
    Ok(hands)
}

/// Pieces on squares where they cannot be.
fn check_pieces(position: &Position) -> Result<(), String> {
    let rules = &position.rules;
    for (square, piece) in position.board.iter().enumerate() {
        let Some(piece) = piece.filter(|piece| !piece.promoted) else {
            continue;
        };
        let rank = rules.own_rank(piece.side, square);
        // "fortress games: ranks 1–2 and last; `swda-*`: P on ranks 1 and 8, Q and L on 8; drop
        // games: last rank, horse also eighth".
        let misplaced = match (rules.family, piece.letter) {
            (Family::Fortress, 'P') => rank <= 2 || rank == rules.ranks,
            (Family::Swda, 'P') => rank == 1 || rank == 8,
            (Family::Swda, 'Q' | 'L') => rank == 8,
            (_, letter) => position.stuck(letter, rank),
        };
        ensure(!misplaced, || {
            let letter = piece.side.letter(piece.letter);
            format!("{letter} cannot stand on {}", rules.square_name(square))
        })?;
    }
    for side in [Side::White, Side::Black] {
        if matches!(rules.family, Family::Chesstonia | Family::Shoogantshii) {
            check_doubled_pawns(position, side)?;
        }
    }
    Ok(())
}

/// "two unpromoted own pawns on a file in the drop games".
fn check_doubled_pawns(position: &Position, side: Side) -> Result<(), String> {
    let pawn = Some(PieceInfo { side, letter: 'P', promoted: false });
    for file in 0..position.rules.files {
        let mut squares = (0..position.rules.ranks).filter_map(|r| position.rules.square(file, r));
        let first = squares.find(|square| position.board[*square] == pawn);
        let second = squares.find(|square| position.board[*square] == pawn);
        ensure(first.is_none() || second.is_none(), || {
            let file = (b'a' + file as u8) as char;
            format!("two pawns of {} on file {file}", side.name())
        })?;
    }
    Ok(())
}

/// Kings and fortresses: too many, too few, or where they cannot be.
fn check_kings(position: &Position) -> Result<(), String> {
    let kings_of = |side: Side| position.count(side, 'K');
    for side in [Side::White, Side::Black] {
        let name = side.name();
        let kings = kings_of(side);
        let in_hand = position.hands[side.index()].iter();
        let kings_in_hand = in_hand.filter(|letter| **letter == 'K').count();
        match position.rules.family {
            Family::Fortress => {
                let towers = position.count(side, 'T');
                let all = kings + kings_in_hand;
                let free = kings_in_hand == 0 || side == position.side;
                ensure(towers <= 3, || format!("{name} has more than three fortresses"))?;
                ensure(all <= 1, || format!("{name} has {all} kings"))?;
                ensure(towers == 0 || all == 0, || format!("{name} has a king beside a fortress"))?;
                ensure(towers + all > 0, || format!("{name} has no fortress and no king"))?;
                ensure(free, || format!("{name}, not to move, has a king in hand"))?;
            }
            Family::Chesstonia => ensure(kings == 1, || format!("{name} has {kings} kings"))?,
            Family::Swda => {
                // "K beyond what Berolina pawns allow (one, for Protectors up to three)".
                let army = position.rules.armies[side.index()];
                let most = if army == 'p' { 3 } else { 1 };
                ensure((1..=most).contains(&kings), || format!("{name} has {kings} kings"))?;
            }
            Family::Shoogantshii => {
                // "exactly one king may be missing (a finished game; …)".
                let any = kings_of(Side::White) + kings_of(Side::Black) > 0;
                ensure(kings <= 1, || format!("{name} has {kings} kings"))?;
                ensure(any, || "no king on the board".into())?;
                check_palace(position, side)?;
            }
        }
    }
    Ok(())
}

/// "K or A outside its palace"; in a finished game "the capturing king may then stand outside its
/// palace": on the square where it captured the other, in that one's palace (note 3).
fn check_palace(position: &Position, side: Side) -> Result<(), String> {
    let rules = &position.rules;
    let finished = position.count(side.other(), 'K') == 0;
    for square in position.squares_of(side) {
        let letter = position.board[square].expect("a piece").letter;
        let captor = letter == 'K' && finished && rules.in_palace(side.other(), square);
        let bound = matches!(letter, 'K' | 'A') && !captor;
        ensure(!bound || rules.in_palace(side, square), || {
            let square = rules.square_name(square);
            format!("{} on {square} is outside its palace", side.letter(letter))
        })?;
    }
    Ok(())
}

/// "setup: `Ss` (White to move) while both setups are pending, `s` (Black to move) after White's,
/// else `-`; both setup positions are `0 1`."
fn check_setup(position: &Position) -> Result<(), String> {
    let mover = match position.setup {
        Setup::Done => return Ok(()),
        Setup::Both => Side::White,
        Setup::Black => Side::Black,
    };
    let rules = &position.rules;
    let phase = rules.family == Family::Fortress;
    let counters = (position.halfmoves, position.fullmove);
    ensure(phase, || "a setup is pending, but this game has none".into())?;
    ensure(position.side == mover, || format!("this setup needs {} to move", mover.name()))?;
    ensure(counters == (0, 1), || "counters are not 0 1 while a setup is pending".into())?;
    // §1: before White's first move nothing can have moved but W and F on their own first rank, so
    // everything else is as in the start array (note 1).
    let without_guards = |board: &[Option<PieceInfo>]| -> Vec<Option<PieceInfo>> {
        let mut rest = board.to_vec();
        for side in [Side::White, Side::Black] {
            for square in rules.first_rank(side) {
                let guard = |piece: PieceInfo| {
                    piece.side == side && (piece.letter == 'W' || piece.letter == 'F')
                };
                rest[square] = rest[square].filter(|piece| !guard(*piece));
            }
        }
        rest
    };
    let start_field = rules.start.split('[').next().expect("a start board");
    let start = read_board(rules, start_field)?;
    let same_rest = without_guards(&start) == without_guards(&position.board);
    let two_each = [Side::White, Side::Black]
        .into_iter()
        .all(|side| position.count(side, 'W') == 2 && position.count(side, 'F') == 2);
    let empty_hands = position.hands.iter().all(Vec::is_empty);
    ensure(same_rest && two_each && empty_hands, || {
        "a setup is pending, but the pieces are not in the start array".into()
    })
}

/// "a given square that no pawn attacks reads as `-`, one that no pawn can just have passed is
/// refused".
fn read_ep(position: &Position, field: &str) -> Result<Option<usize>, String> {
    if field == "-" {
        return Ok(None);
    }
    let rules = &position.rules;
    let passed = rules
        .square_of(field)
        .ok_or_else(|| format!("ep field is {field:?}, neither - nor a square"))?;
    let refusal = || Err(format!("no pawn can just have passed {field}"));
    // §2: a double step goes from the own third rank, over an empty square, to an empty square. A
    // king in hand means that the last ply captured a fortress, so it was no double step (note 5).
    let pusher = position.side.other();
    if !rules.en_passant
        || rules.own_rank(pusher, passed) != 4
        || position.hands[position.side.index()].contains(&'K')
    {
        return refusal();
    }
    let from = rules.step(pusher, passed, 0, -1).expect("third rank");
    let to = rules.step(pusher, passed, 0, 1).expect("fifth rank");
    let pawn = Some(PieceInfo { side: pusher, letter: 'P', promoted: false });
    if (position.board[from], position.board[passed]) != (None, None) || position.board[to] != pawn
    {
        return refusal();
    }
    let attacked = position.pawn_could_capture_on(passed, position.side);
    Ok(attacked.then_some(passed))
}
