//! A position as the page shows it: pieces, hands, legal moves, what the last move did, how the game stands.

use serde::{Deserialize, Serialize};

use super::line::Line;
use super::refusal::Refusal;
use crate::player::events;
use crate::record::move_number;
use garrison_rules::{
    Color, Fall, GameResult, Geometry, Move, Piece, PieceType, Position, Square, Status, Tag,
    Variant,
};

/// What the page asks for.
#[derive(Debug, Deserialize)]
pub struct ViewRequest {
    #[serde(flatten)]
    line: Line,
    /// Whether all plies are described, not only the last.
    #[serde(default)]
    all: bool,
}

/// A position, and how it came about.
#[derive(Debug, Serialize)]
pub struct View {
    fen: String,
    side: char,
    number: u32,
    board: Vec<Stand>,
    /// The squares with stones.
    stones: Vec<String>,
    hands: [Vec<Held>; 2],
    /// The legal moves; none during a setup, which has `setup` in their place, and after the end.
    moves: Vec<Choice>,
    setup: Option<SetupView>,
    /// The squares of the royals of the side to move that stand in check.
    check: Vec<String>,
    /// The piece type that must be placed now, and nothing else may be done.
    place: Option<String>,
    status: StatusView,
    /// The plies asked for.
    plies: Vec<PlyView>,
}

/// A piece on a square. Pieces are written as side and letter: `wN`, `b+P`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Stand {
    /// The square.
    pub square: String,
    /// What stands there.
    pub piece: String,
}

/// Pieces in hand.
#[derive(Debug, Serialize, Deserialize)]
pub struct Held {
    /// The letter of the piece type.
    pub kind: String,
    /// How many there are.
    pub count: u8,
}

/// What is in a hand, by the number of each piece type.
pub fn held(variant: &Variant, count: impl Fn(PieceType) -> u8) -> Vec<Held> {
    let held = |&kind| Held { kind: letter(variant, kind), count: count(kind) };
    variant.hand_kinds().iter().map(held).filter(|held| held.count > 0).collect()
}

/// A legal move.
#[derive(Debug, Serialize)]
struct Choice {
    text: String,
    /// The origin, except for drops and passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// The piece type that leaves the hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    drop: Option<String>,
    /// The target, except for passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// The piece type afterwards, if it is another than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    becomes: Option<String>,
    /// The piece type that comes from hand to the square left.
    #[serde(skip_serializing_if = "Option::is_none")]
    gated: Option<String>,
    /// That square, where castling leaves two.
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<String>,
    /// Where the first of two legs captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<String>,
    /// The square to which a stone goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    stone: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    captures: bool,
}

/// The setup that is pending.
#[derive(Debug, Serialize)]
struct SetupView {
    /// The squares whose contents may change places.
    squares: Vec<String>,
    /// The move that ends the setup with the pieces as they stand.
    done: String,
    /// The move that keeps the pieces as they stood.
    keep: String,
}

/// How the game stands.
#[derive(Debug, Serialize)]
struct StatusView {
    over: bool,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// Such as `white wins (checkmate)`.
    text: String,
    /// The rule, such as `checkmate`.
    reason: Option<String>,
    /// The rule by which the side to move may claim a draw.
    claim: Option<String>,
}

/// A ply of the game.
#[derive(Debug, Serialize)]
pub struct PlyView {
    text: String,
    /// As people write it.
    san: String,
    side: char,
    /// The move number; 0 for a setup.
    number: u32,
    from: Option<String>,
    to: Option<String>,
    captured: Option<String>,
    /// What it did beside: a fortress that falls, a king that appears.
    event: Option<String>,
    fall: Option<FallView>,
    check: bool,
}

/// What fell, and who got what.
#[derive(Debug, Serialize)]
struct FallView {
    square: String,
    owner: char,
    captor_gets: Vec<String>,
    owner_gets: Vec<String>,
}

/// The view of a position.
///
/// # Errors
/// There is no such game, position or move.
pub fn view(request: &ViewRequest) -> Result<View, Refusal> {
    let position = request.line.position()?;
    let arranged = request.line.arranged(&position)?;
    let shown = arranged.as_ref().unwrap_or(&position);
    let plies = plies(&request.line.start()?, &position, request.all);
    Ok(View::of(&position, shown, plies))
}

impl View {
    /// The view after a move that is to be made in this position.
    pub fn after(position: &Position, mv: Move) -> View {
        let mut after = position.clone();
        let ply = PlyView::made(&mut after, mv);
        View::of(&after, &after, vec![ply])
    }

    /// The view of a position whose pieces stand as in `shown`.
    fn of(position: &Position, shown: &Position, plies: Vec<PlyView>) -> View {
        let (variant, side) = (position.variant(), position.side_to_move());
        let status = StatusView::of(position);
        let attacked = position.attacked_royals(side);
        View {
            fen: position.fen(),
            side: side.letter(),
            number: position.fullmove(),
            board: stands(shown),
            stones: shown.stones().map(|square| variant.geometry().name(square)).collect(),
            hands: Color::ALL.map(|color| held(variant, |kind| position.in_hand(color, kind))),
            moves: if status.over { Vec::new() } else { choices(position) },
            setup: SetupView::of(position, shown),
            check: attacked.map(|square| variant.geometry().name(square)).collect(),
            place: placed_now(position),
            status,
            plies,
        }
    }
}

/// The letter of a piece type: `N`, `+P`.
pub fn letter(variant: &Variant, kind: PieceType) -> String {
    variant.piece(kind).letter.to_string()
}

/// A piece as the page writes it.
pub fn piece_code(variant: &Variant, piece: Piece) -> String {
    format!("{}{}", piece.color().letter(), letter(variant, piece.kind()))
}

/// The pieces of a position by square.
fn stands(position: &Position) -> Vec<Stand> {
    let variant = position.variant();
    let stand = |square: Square| {
        let piece = piece_code(variant, position.at(square)?);
        Some(Stand { square: variant.geometry().name(square), piece })
    };
    position.occupied().filter_map(stand).collect()
}

/// The legal moves, except for setups.
fn choices(position: &Position) -> Vec<Choice> {
    if position.setup_phase().is_pending() {
        return Vec::new();
    }
    position.legal_moves().iter().map(|&mv| Choice::of(position, mv)).collect()
}

impl Choice {
    fn of(position: &Position, mv: Move) -> Choice {
        let variant = position.variant();
        let name = |square| Some(variant.geometry().name(square));
        // A piece that stays where it is passes.
        let stays = mv == Move::stay(mv.from());
        let (from, drop) = match mv.tag() {
            Tag::Setup | Tag::Pass => (None, None),
            _ if stays => (None, None),
            Tag::Drop => (None, Some(letter(variant, mv.dropped()))),
            _ => (name(mv.from()), None),
        };
        let becomes = match mv.tag() {
            Tag::Promotion => Some(mv.becomes()),
            Tag::Drop => Some(mv.becomes()).filter(|&kind| kind != mv.dropped()),
            _ => None,
        };
        Choice {
            text: position.move_text(mv),
            from,
            drop,
            to: name(mv.to()).filter(|_| !stays && !matches!(mv.tag(), Tag::Setup | Tag::Pass)),
            via: name(mv.via()).filter(|_| mv.has_legs() && !stays),
            becomes: becomes.map(|kind| letter(variant, kind)),
            gated: mv.is_gate().then(|| letter(variant, mv.becomes())),
            gate: name(mv.gate_square()).filter(|_| mv.tag() == Tag::GateCastle),
            stone: name(mv.stone()).filter(|_| variant.moves_place_stones()),
            captures: !position.captured_on(mv).is_empty(),
        }
    }
}

impl SetupView {
    /// The setup of the side to move; `shown` is the position as it is arranged so far.
    fn of(position: &Position, shown: &Position) -> Option<SetupView> {
        if !position.setup_phase().is_pending() {
            return None;
        }
        let variant = position.variant();
        let is_free = |square: &Square| {
            let piece = shown.at(*square);
            piece.is_none_or(|piece| variant.setup_kinds().contains(piece.kind()))
        };
        let squares = position.setup_rank().filter(is_free);
        let keep = position.setup_as_is();
        let kind_at = |square| shown.at(square).map(Piece::kind);
        Some(SetupView {
            squares: squares.map(|square| variant.geometry().name(square)).collect(),
            done: position.move_text(position.setup_to(kind_at).unwrap_or(keep)),
            keep: position.move_text(keep),
        })
    }
}

impl StatusView {
    fn of(position: &Position) -> StatusView {
        let claim = events::claimable(position);
        let status = match claim {
            Some(_) => Status::Ongoing,
            None => position.status(),
        };
        StatusView {
            over: status != Status::Ongoing,
            result: GameResult::from(status).text(),
            text: status.to_string(),
            reason: status.outcome().map(|outcome| outcome.reason.to_string()),
            claim: claim.map(|reason| reason.to_string()),
        }
    }
}

/// The piece type that the side to move must place, if every legal move does.
fn placed_now(position: &Position) -> Option<String> {
    let kind = position.must_place_royal(position.side_to_move())?;
    Some(letter(position.variant(), kind))
}

/// The plies of a game, all or the last.
fn plies(start: &Position, end: &Position, all: bool) -> Vec<PlyView> {
    let count = end.moves_made().len();
    let skipped = if all { 0 } else { count.saturating_sub(1) };
    let mut position = start.clone();
    let mut views = Vec::with_capacity(count - skipped);
    for (index, mv) in end.moves_made().enumerate() {
        if index < skipped {
            position.make(mv);
        } else {
            views.push(PlyView::made(&mut position, mv));
        }
    }
    views
}

impl PlyView {
    /// Makes a move; its view.
    fn made(position: &mut Position, mv: Move) -> PlyView {
        let variant = position.variant();
        let geometry = variant.geometry();
        let choice = Choice::of(position, mv);
        let fall = position.fall_by(mv);
        let mut view = PlyView {
            text: choice.text,
            san: position.san(mv),
            side: position.side_to_move().letter(),
            number: move_number(position, mv),
            from: choice.from,
            to: choice.to,
            captured: events::captured(position, mv).last().map(|piece| piece_code(variant, piece)),
            event: events::sentence(position, mv),
            fall: fall.map(|fall| FallView::of(variant, geometry, &fall)),
            check: false,
        };
        position.make(mv);
        view.check = position.is_check();
        view
    }
}

impl FallView {
    fn of(variant: &Variant, geometry: &Geometry, fall: &Fall) -> FallView {
        let letters =
            |kinds: &[PieceType]| kinds.iter().map(|&kind| letter(variant, kind)).collect();
        FallView {
            square: geometry.name(fall.square),
            owner: fall.owner.letter(),
            captor_gets: letters(&fall.to_captor),
            owner_gets: letters(&fall.to_owner),
        }
    }
}
