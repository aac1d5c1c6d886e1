//! Draws by few pieces that follow from the rules: a game that is decided by checkmate alone is drawn as soon as nobody can
//! be checkmated any more (a dead position, 5.2.2 of the FIDE Laws of Chess). They are found by trying every position of two
//! kings and one piece.

use crate::bitboard::Bitboard;
use crate::types::{Color, PieceType, PieceTypeSet, Square};
use crate::variant::moves::Irregular;
use crate::variant::{DrawRule, Material, NoMoves, Repeated, Royalty, RoyaltyKind, Variant};

/// The most pieces of a type that a side has in a draw with all pieces on squares of one color.
const MOST_ON_ONE_COLOR: u8 = 9;

/// The draws by few pieces of a game that names none; none where a game can be won by anything but checkmate.
pub(super) fn dead_draws(variant: &Variant) -> Vec<DrawRule> {
    let royalty = variant.royalty().filter(|royalty| is_won_by_mate(variant, royalty));
    let Some(royalty) = royalty else { return Vec::new() };
    let kings = Kings { variant, king: royalty.piece };
    let end = variant.end();
    if end.no_moves != NoMoves::Draw && !kings.always_move() {
        return Vec::new();
    }
    let mut rules = vec![kings.draw_with(&[], 0)];
    // A stalemate, an explosion or a check that counts can be had with less than a mate.
    let wins_by_less = end.no_moves != NoMoves::Draw || variant.blast().is_some();
    if wins_by_less || end.checks.is_some() || end.perpetual_check {
        return rules;
    }
    let helpers = || variant.kinds().filter(|&kind| kind != kings.king && kings.is_plain(kind));
    let harmless =
        helpers().filter(|&kind| !Color::ALL.iter().any(|&color| kings.mate(color, kind)));
    rules.extend(harmless.map(|kind| kings.draw_with(&[kind], 1)));
    let bound: Vec<PieceType> = helpers().filter(|&kind| kings.is_bound_to_color(kind)).collect();
    if !bound.is_empty() && kings.always_flee_to_other_color() {
        let one_color = bound.iter().copied().collect();
        let rule = kings.draw_with(&bound, MOST_ON_ONE_COLOR);
        let material = Material { side: rule.material.other.clone(), ..rule.material };
        rules.push(DrawRule { material, one_color, ..rule });
    }
    rules
}

/// Whether nothing ends the game but checkmate, stalemate and what is a draw otherwise, whoever wins by them.
fn is_won_by_mate(variant: &Variant, royalty: &Royalty) -> bool {
    let end = variant.end();
    let is_usual_royal = royalty.kind == RoyaltyKind::Absolute
        && royalty.pieces == PieceTypeSet::of(royalty.piece)
        && royalty.late.is_none()
        && !royalty.facing
        && royalty.checking
        && royalty.flees;
    let is_usual_end = !end.bare_king
        && end.repeated == Repeated::Draw
        && end.counted == Repeated::Draw
        && end.impasse.is_none()
        && end.passes.is_none()
        && variant.special_ends().is_empty()
        && variant.declaration().is_none();
    is_usual_royal
        && is_usual_end
        && !variant.kinds().any(|kind| variant.piece(kind).fills_hands())
        && !variant.has_setup()
        && !variant.has_stones()
        && !variant.must_capture()
        && variant.trade().is_none()
        && Color::ALL.into_iter().all(|color| {
            let rules = variant.side(color).piece(royalty.piece);
            // What it could do else, as a first leap, only helps it to flee.
            let leaps = |irregular: &Irregular| {
                !irregular.affects_attacks()
                    && irregular.on_capture.is_none()
                    && irregular.legs.is_none()
            };
            let irregular = rules.moves.irregular.as_deref();
            rules.promotion.is_none()
                && rules.moves.slides.is_none()
                && rules.moves.hops.is_none()
                && irregular.is_none_or(leaps)
        })
}

/// A king of each side, and what a piece beside one of them can do.
struct Kings<'a> {
    variant: &'a Variant,
    king: PieceType,
}

impl Kings<'_> {
    /// The draw of a bare king against a king with up to so many of each of these pieces.
    fn draw_with(&self, helpers: &[PieceType], count: u8) -> DrawRule {
        let counts = |helpers: &[PieceType]| {
            let mut counts = vec![0; self.variant.kinds().count()];
            helpers.iter().for_each(|kind| counts[kind.index()] = count);
            counts[self.king.index()] = 1;
            counts
        };
        let material = Material {
            side: Some(counts(&[])),
            other: Some(counts(helpers)),
            has: vec![0; self.variant.kinds().count()],
            none: PieceTypeSet::EMPTY,
        };
        DrawRule { material, one_color: PieceTypeSet::EMPTY, moves: 0, per_piece: 0 }
    }

    /// Whether a piece is what it is, and attacks as its moves say, so that [`Variant::reach`] says all of it.
    fn is_plain(&self, kind: PieceType) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rules = self.variant.side(color).piece(kind);
            let irregular = rules.moves.irregular.as_ref();
            let is_irregular = irregular.is_some_and(|irregular| {
                irregular.legs.is_some()
                    || irregular.on_capture.is_some()
                    || !irregular.spares.is_empty()
                    || !irregular.not_over.is_empty()
            });
            rules.promotion.is_none() && !is_irregular
        })
    }

    /// Whether a king and this piece of `color` can checkmate a bare king: whether such a position exists.
    fn mate(&self, color: Color, kind: PieceType) -> bool {
        let squares = self.variant.standing_squares(color, kind);
        self.pairs(!color).any(|(bare, own)| {
            let kings = Bitboard::of(bare) | Bitboard::of(own);
            let flights = self.steps(!color, bare);
            let guarded = self.attacks(color, own);
            let open = flights & !guarded;
            (squares & !kings).any(|square| {
                let helper = Bitboard::of(square);
                // The bare king does not stand in the way of what attacks the squares behind it.
                let occupied = helper | Bitboard::of(own);
                let (attacks, _) = self.variant.reach(color, kind, square, occupied);
                attacks.contains(bare)
                    && (open & !helper & !attacks).is_empty()
                    && !(self.attacks(!color, bare) & !guarded).contains(square)
            })
        })
    }

    /// Whether a piece stays on squares of one color.
    fn is_bound_to_color(&self, kind: PieceType) -> bool {
        let geometry = self.variant.geometry();
        let dark = geometry.dark_squares();
        Color::ALL.into_iter().all(|color| {
            let moves = self.variant.side(color).moves(kind);
            let paths = moves.paths();
            let stays = |from: Square| {
                let (attacks, quiet) = self.variant.reach(color, kind, from, Bitboard::EMPTY);
                // Some paths are open on no empty board: those of a grasshopper.
                let paths = paths.map_or(Bitboard::EMPTY, |paths| paths.ends(from));
                let other = if dark.contains(from) { geometry.squares() & !dark } else { dark };
                !(attacks | quiet | paths).meets(other)
            };
            geometry.squares().all(stays) && moves.hops.is_none() && !moves.has_first()
        })
    }

    /// Whether a bare king always has a move beside a bare king.
    fn always_move(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            self.pairs(color)
                .all(|(king, other)| self.steps(color, king).meets(!self.attacks(!color, other)))
        })
    }

    /// Whether the enemy king alone never guards all squares of the other color to which a king can go.
    fn always_flee_to_other_color(&self) -> bool {
        let dark = self.variant.geometry().dark_squares();
        Color::ALL.into_iter().all(|color| {
            self.pairs(color).all(|(king, other)| {
                let open = self.steps(color, king) & !self.attacks(!color, other);
                open.meets(if dark.contains(king) { !dark } else { dark })
            })
        })
    }

    /// All squares of the king of `color` and of the other king, neither of which attacks the other.
    fn pairs(&self, color: Color) -> impl Iterator<Item = (Square, Square)> + '_ {
        let squares = |color| self.variant.standing_squares(color, self.king);
        squares(color).flat_map(move |king| {
            let near = self.attacks(color, king) | Bitboard::of(king);
            let others = squares(!color) & !near;
            others
                .filter(move |&other| !self.attacks(!color, other).contains(king))
                .map(move |other| (king, other))
        })
    }

    /// Where a king attacks on an empty board.
    fn attacks(&self, color: Color, square: Square) -> Bitboard {
        self.variant.reach(color, self.king, square, Bitboard::EMPTY).0
    }

    /// Where a king can go on an empty board.
    fn steps(&self, color: Color, square: Square) -> Bitboard {
        self.variant.reach(color, self.king, square, Bitboard::EMPTY).1
    }
}
