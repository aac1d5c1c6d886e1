//! The piece types that a rule file knows by name, and how they move.

/// A piece type, by its key in a rule file.
pub(super) type Kind = &'static str;

/// The types in the order in which their keys are read, with their moves. Moves of custom pieces stand in the file.
pub(super) const KINDS: [(Kind, &str); 61] = [
    ("pawn", "mfWcfF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "mfWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("customPiece1", ""),
    ("customPiece2", ""),
    ("customPiece3", ""),
    ("customPiece4", ""),
    ("customPiece5", ""),
    ("customPiece6", ""),
    ("customPiece7", ""),
    ("customPiece8", ""),
    ("customPiece9", ""),
    ("customPiece10", ""),
    ("customPiece11", ""),
    ("customPiece12", ""),
    ("customPiece13", ""),
    ("customPiece14", ""),
    ("customPiece15", ""),
    ("customPiece16", ""),
    ("customPiece17", ""),
    ("customPiece18", ""),
    ("customPiece19", ""),
    ("customPiece20", ""),
    ("customPiece21", ""),
    ("customPiece22", ""),
    ("customPiece23", ""),
    ("customPiece24", ""),
    ("king", "K"),
];

/// Every piece type, where a set of them is expected.
pub(super) const ALL: Kind = "*";

/// The type with this key.
pub(super) fn kind(key: &str) -> Option<Kind> {
    KINDS.iter().map(|(kind, _)| *kind).find(|kind| *kind == key)
}

/// How a type moves of which the file says nothing else.
pub(super) fn moves_of(kind: Kind) -> &'static str {
    KINDS.iter().find(|(other, _)| *other == kind).map_or("", |(_, betza)| betza)
}

/// Whether its moves stand in the file.
pub(super) fn is_custom(kind: Kind) -> bool {
    kind.starts_with("customPiece")
}

/// What a reader calls it: `shogiPawn` is a shogi pawn. Custom pieces have no name.
pub(super) fn name_of(kind: Kind) -> Option<String> {
    if is_custom(kind) {
        return None;
    }
    let mut name = String::new();
    for c in kind.chars() {
        if c.is_ascii_uppercase() {
            name.push(' ');
        }
        name.push(c.to_ascii_lowercase());
    }
    Some(name)
}
