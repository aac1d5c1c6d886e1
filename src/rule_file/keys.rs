//! The keys of a rule file, as its documentation lists them: what each takes, what holds without it, and whether a
//! definition can say it.

use Said::{Elsewhere, No, Yes};
use Takes::{Counts, Flag, Kinds, Number, Pairs, Squares, Text, Word};

/// What stands behind a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// `true` or `false`.
    Flag,
    /// A number; a file may be a letter.
    Number,
    /// Letters of piece types.
    Kinds,
    /// Squares: `e4`, `*4` for a rank, `e*` for a file.
    Squares,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Piece types with numbers: `q:1 r:2`.
    Counts,
    /// Piece types with piece types: `p:g b:h`.
    Pairs,
    /// Anything.
    Text,
}

/// Where the meaning of a key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// Into the definition, or into a comment where this value cannot be said.
    Yes,
    /// Into a comment, unless it is what holds without it.
    No,
    /// Nowhere: it is no rule, but how the game is shown or judged.
    Elsewhere,
    /// Into these keys, which hold for one side each.
    Both(&'static [&'static str]),
}

/// A key.
#[derive(Debug)]
pub(super) struct Key {
    pub name: &'static str,
    pub takes: Takes,
    /// What holds without it; piece types by their names.
    pub default: &'static str,
    pub said: Said,
}

const fn key(name: &'static str, takes: Takes, default: &'static str, said: Said) -> Key {
    Key { name, takes, default, said }
}

/// A key that stands for others.
const fn both(name: &'static str, takes: Takes, sides: &'static [&'static str]) -> Key {
    Key { name, takes, default: "", said: Said::Both(sides) }
}

const RESULT: Takes = Word(&["win", "loss", "draw", "none"]);
const ENCLOSING: Takes =
    Word(&["reversi", "ataxx", "quadwrangle", "snort", "anyside", "top", "none"]);

/// The keys in the order in which they are read: a key for both sides comes before those for one.
pub(super) const KEYS: &[Key] = &[
    key("variantTemplate", Text, "", Elsewhere),
    key("pieceToCharTable", Text, "", Elsewhere),
    key("pocketSize", Number, "0", Elsewhere),
    key("pieceValueMg", Text, "", Elsewhere),
    key("pieceValueEg", Text, "", Elsewhere),
    key("maxRank", Number, "8", Yes),
    key("maxFile", Number, "8", Yes),
    key("chess960", Flag, "false", No),
    key("twoBoards", Flag, "false", No),
    key("startFen", Text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Yes),
    both(
        "pawnTypes",
        Kinds,
        &[
            "promotionPawnTypesWhite",
            "promotionPawnTypesBlack",
            "enPassantTypesWhite",
            "enPassantTypesBlack",
            "nMoveRuleTypesWhite",
            "nMoveRuleTypesBlack",
        ],
    ),
    key("promotionRegionWhite", Squares, "*8", Yes),
    key("promotionRegionBlack", Squares, "*1", Yes),
    both("promotionPawnTypes", Kinds, &["promotionPawnTypesWhite", "promotionPawnTypesBlack"]),
    key("promotionPawnTypesWhite", Kinds, "pawn", Yes),
    key("promotionPawnTypesBlack", Kinds, "pawn", Yes),
    both("promotionPieceTypes", Kinds, &["promotionPieceTypesWhite", "promotionPieceTypesBlack"]),
    key("promotionPieceTypesWhite", Kinds, "queen rook bishop knight", Yes),
    key("promotionPieceTypesBlack", Kinds, "queen rook bishop knight", Yes),
    key("sittuyinPromotion", Flag, "false", Yes),
    key("promotionLimit", Counts, "", Yes),
    key("promotedPieceType", Pairs, "", Yes),
    key("piecePromotionOnCapture", Flag, "false", No),
    key("mandatoryPawnPromotion", Flag, "true", Yes),
    key("mandatoryPiecePromotion", Flag, "false", Yes),
    key("pieceDemotion", Flag, "false", Yes),
    key("blastOnCapture", Flag, "false", Yes),
    key("blastImmuneTypes", Kinds, "", Yes),
    key("mutuallyImmuneTypes", Kinds, "", Yes),
    key("petrifyOnCaptureTypes", Kinds, "", Yes),
    key("petrifyBlastPieces", Flag, "false", No),
    key("doubleStep", Flag, "true", Yes),
    key("doubleStepRegionWhite", Squares, "*2", Yes),
    key("doubleStepRegionBlack", Squares, "*7", Yes),
    key("tripleStepRegionWhite", Squares, "-", Yes),
    key("tripleStepRegionBlack", Squares, "-", Yes),
    both("enPassantRegion", Squares, &["enPassantRegionWhite", "enPassantRegionBlack"]),
    key("enPassantRegionWhite", Squares, "*", Yes),
    key("enPassantRegionBlack", Squares, "*", Yes),
    both("enPassantTypes", Kinds, &["enPassantTypesWhite", "enPassantTypesBlack"]),
    key("enPassantTypesWhite", Kinds, "pawn", Yes),
    key("enPassantTypesBlack", Kinds, "pawn", Yes),
    key("castling", Flag, "true", Yes),
    key("castlingDroppedPiece", Flag, "false", No),
    key("castlingKingsideFile", Number, "7", Yes),
    key("castlingQueensideFile", Number, "3", Yes),
    key("castlingRank", Number, "1", Yes),
    key("castlingKingFile", Number, "5", Yes),
    both("castlingKingPiece", Kinds, &["castlingKingPieceWhite", "castlingKingPieceBlack"]),
    key("castlingKingPieceWhite", Kinds, "king", Yes),
    key("castlingKingPieceBlack", Kinds, "king", Yes),
    key("castlingRookKingsideFile", Number, "12", Yes),
    key("castlingRookQueensideFile", Number, "1", Yes),
    both("castlingRookPieces", Kinds, &["castlingRookPiecesWhite", "castlingRookPiecesBlack"]),
    key("castlingRookPiecesWhite", Kinds, "rook", Yes),
    key("castlingRookPiecesBlack", Kinds, "rook", Yes),
    key("oppositeCastling", Flag, "false", No),
    key("checking", Flag, "true", Yes),
    key("dropChecks", Flag, "true", Yes),
    key("mustCapture", Flag, "false", Yes),
    key("mustDrop", Flag, "false", Yes),
    key("mustDropType", Kinds, "*", Yes),
    key("pieceDrops", Flag, "false", Yes),
    key("dropLoop", Flag, "false", Yes),
    key("capturesToHand", Flag, "false", Yes),
    key("firstRankPawnDrops", Flag, "false", Yes),
    key("promotionZonePawnDrops", Flag, "false", Yes),
    key("enclosingDrop", ENCLOSING, "none", No),
    key("enclosingDropStart", Squares, "-", No),
    key("dropRegionWhite", Squares, "*", Yes),
    key("dropRegionBlack", Squares, "*", Yes),
    key("sittuyinRookDrop", Flag, "false", Yes),
    key("dropOppositeColoredBishop", Flag, "false", Yes),
    key("dropPromoted", Flag, "false", Yes),
    key("dropNoDoubled", Kinds, "", Yes),
    key("dropNoDoubledCount", Number, "1", Yes),
    key("immobilityIllegal", Flag, "false", Yes),
    key("gating", Flag, "false", Yes),
    key("wallingRule", Word(&["arrow", "duck", "edge", "past", "static", "none"]), "none", Yes),
    both("wallingRegion", Squares, &["wallingRegionWhite", "wallingRegionBlack"]),
    key("wallingRegionWhite", Squares, "*", Yes),
    key("wallingRegionBlack", Squares, "*", Yes),
    key("wallOrMove", Flag, "false", No),
    key("seirawanGating", Flag, "false", Yes),
    key("cambodianMoves", Flag, "false", No),
    key("diagonalLines", Squares, "-", Yes),
    both("pass", Flag, &["passWhite", "passBlack"]),
    key("passWhite", Flag, "false", Yes),
    key("passBlack", Flag, "false", Yes),
    both("passOnStalemate", Flag, &["passOnStalemateWhite", "passOnStalemateBlack"]),
    key("passOnStalemateWhite", Flag, "false", No),
    key("passOnStalemateBlack", Flag, "false", No),
    key("makpongRule", Flag, "false", Yes),
    key("flyingGeneral", Flag, "false", Yes),
    key("soldierPromotionRank", Number, "1", Yes),
    key("flipEnclosedPieces", ENCLOSING, "none", No),
    both("nMoveRuleTypes", Kinds, &["nMoveRuleTypesWhite", "nMoveRuleTypesBlack"]),
    key("nMoveRuleTypesWhite", Kinds, "pawn", Yes),
    key("nMoveRuleTypesBlack", Kinds, "pawn", Yes),
    key("nMoveRule", Number, "50", Yes),
    key("nFoldRule", Number, "3", Yes),
    key("nFoldValue", RESULT, "draw", Yes),
    key("nFoldValueAbsolute", Flag, "false", Yes),
    key("perpetualCheckIllegal", Flag, "false", Yes),
    key("moveRepetitionIllegal", Flag, "false", No),
    key("chasingRule", Word(&["axf", "none"]), "none", Yes),
    key("stalemateValue", RESULT, "draw", Yes),
    key("stalematePieceCount", Flag, "false", Yes),
    key("checkmateValue", RESULT, "loss", Yes),
    key("shogiPawnDropMateIllegal", Flag, "false", Yes),
    key("shatarMateRule", Flag, "false", Yes),
    key("bikjangRule", Flag, "false", Yes),
    key("extinctionValue", RESULT, "none", Yes),
    key("extinctionClaim", Flag, "false", Yes),
    key("extinctionPseudoRoyal", Flag, "false", Yes),
    key("dupleCheck", Flag, "false", Yes),
    key("extinctionPieceTypes", Kinds, "", Yes),
    key("extinctionPieceCount", Number, "0", Yes),
    key("extinctionOpponentPieceCount", Number, "0", Yes),
    both("flagPiece", Kinds, &["flagPieceWhite", "flagPieceBlack"]),
    key("flagPieceWhite", Kinds, "*", Yes),
    key("flagPieceBlack", Kinds, "*", Yes),
    both("flagRegion", Squares, &["flagRegionWhite", "flagRegionBlack"]),
    key("flagRegionWhite", Squares, "-", Yes),
    key("flagRegionBlack", Squares, "-", Yes),
    key("flagPieceCount", Number, "1", No),
    key("flagPieceBlockedWin", Flag, "false", No),
    key("flagMove", Flag, "false", Yes),
    key("flagPieceSafe", Flag, "false", Yes),
    key("checkCounting", Flag, "false", Yes),
    key("connectN", Number, "0", No),
    key("connectPieceTypes", Kinds, "*", No),
    key("connectVertical", Flag, "true", No),
    key("connectHorizontal", Flag, "true", No),
    key("connectDiagonal", Flag, "true", No),
    key("connectRegion1White", Squares, "-", No),
    key("connectRegion2White", Squares, "-", No),
    key("connectRegion1Black", Squares, "-", No),
    key("connectRegion2Black", Squares, "-", No),
    key("connectNxN", Number, "0", No),
    key("collinearN", Number, "0", No),
    key("connectValue", RESULT, "win", No),
    key(
        "materialCounting",
        Word(&["janggi", "unweighted", "whitedrawodds", "blackdrawodds", "none"]),
        "none",
        Yes,
    ),
    key("adjudicateFullBoard", Flag, "false", No),
    key("countingRule", Word(&["makruk", "cambodian", "asean", "none"]), "none", Yes),
    key("castlingWins", Text, "-", No),
];

/// The row of a key.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}
