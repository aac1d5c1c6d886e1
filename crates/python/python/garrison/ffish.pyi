from typing import Any

__all__ = [
    "FEN_EMPTY",
    "FEN_ILLEGAL",
    "FEN_INVALID_BOARD_GEOMETRY",
    "FEN_INVALID_CASTLING_INFO",
    "FEN_INVALID_CHAR",
    "FEN_INVALID_CHECK_COUNT",
    "FEN_INVALID_EN_PASSANT_SQ",
    "FEN_INVALID_HALF_MOVE_COUNTER",
    "FEN_INVALID_MOVE_COUNTER",
    "FEN_INVALID_NB_PARTS",
    "FEN_INVALID_NUMBER_OF_KINGS",
    "FEN_INVALID_POCKET_INFO",
    "FEN_INVALID_PROMOTED_PIECE",
    "FEN_INVALID_SIDE_TO_MOVE",
    "FEN_OK",
    "FEN_TOUCHING_KINGS",
    "FfishError",
    "NOTATION_DEFAULT",
    "NOTATION_JANGGI",
    "NOTATION_LAN",
    "NOTATION_SAN",
    "NOTATION_SHOGI_HODGES",
    "NOTATION_SHOGI_HODGES_NUMBER",
    "NOTATION_SHOGI_HOSKING",
    "NOTATION_THAI_LAN",
    "NOTATION_THAI_SAN",
    "NOTATION_XIANGQI_WXF",
    "VALUE_DRAW",
    "VALUE_MATE",
    "captures_to_hand",
    "error",
    "game_result",
    "get_fen",
    "get_fog_fen",
    "get_san",
    "get_san_moves",
    "gives_check",
    "has_insufficient_material",
    "info",
    "is_capture",
    "is_immediate_game_end",
    "is_optional_game_end",
    "legal_moves",
    "load_variant_config",
    "piece_to_partner",
    "set_option",
    "start_fen",
    "two_boards",
    "validate_fen",
    "variants",
    "version",
]

VALUE_MATE: int
VALUE_DRAW: int

NOTATION_DEFAULT: int
NOTATION_SAN: int
NOTATION_LAN: int
NOTATION_SHOGI_HOSKING: int
NOTATION_SHOGI_HODGES: int
NOTATION_SHOGI_HODGES_NUMBER: int
NOTATION_JANGGI: int
NOTATION_XIANGQI_WXF: int
NOTATION_THAI_SAN: int
NOTATION_THAI_LAN: int

FEN_OK: int
FEN_EMPTY: int
FEN_INVALID_MOVE_COUNTER: int
FEN_INVALID_HALF_MOVE_COUNTER: int
FEN_INVALID_NUMBER_OF_KINGS: int
FEN_INVALID_EN_PASSANT_SQ: int
FEN_INVALID_CASTLING_INFO: int
FEN_INVALID_SIDE_TO_MOVE: int
FEN_INVALID_POCKET_INFO: int
FEN_INVALID_BOARD_GEOMETRY: int
FEN_TOUCHING_KINGS: int
FEN_INVALID_CHAR: int
FEN_INVALID_NB_PARTS: int
FEN_INVALID_PROMOTED_PIECE: int
FEN_INVALID_CHECK_COUNT: int
FEN_ILLEGAL: int

class FfishError(ValueError): ...

error = FfishError

_Moves = list[str] | tuple[str, ...]

def version() -> tuple[int, int, int]: ...
def info() -> str: ...
def variants() -> list[str]: ...
def set_option(name: str, value: Any) -> None: ...
def load_variant_config(config: str | list[str] | tuple[str, ...]) -> None: ...
def start_fen(variant: str) -> str: ...
def two_boards(variant: str) -> bool: ...
def captures_to_hand(variant: str) -> bool: ...
def get_san(variant: str, fen: str, move: str, chess960: object = None, notation: int | None = None) -> str: ...
def get_san_moves(
    variant: str, fen: str, movelist: _Moves, chess960: object = None, notation: int | None = None
) -> list[str]: ...
def legal_moves(variant: str, fen: str, movelist: _Moves, chess960: object = None) -> list[str]: ...
def get_fen(
    variant: str,
    fen: str,
    movelist: _Moves,
    chess960: object = None,
    sfen: object = None,
    show_promoted: object = None,
    count_started: int | None = None,
) -> str: ...
def gives_check(variant: str, fen: str, movelist: _Moves, chess960: object = None) -> bool: ...
def is_capture(variant: str, fen: str, movelist: _Moves, move: str, chess960: object = None) -> bool: ...
def piece_to_partner(variant: str, fen: str, movelist: _Moves, chess960: object = None) -> str: ...
def game_result(variant: str, fen: str, movelist: _Moves, chess960: object = None) -> int: ...
def is_immediate_game_end(variant: str, fen: str, movelist: _Moves, chess960: object = None) -> tuple[bool, int]: ...
def is_optional_game_end(
    variant: str, fen: str, movelist: _Moves, chess960: object = None, count_started: int | None = None
) -> tuple[bool, int]: ...
def has_insufficient_material(
    variant: str, fen: str, movelist: _Moves, chess960: object = None
) -> tuple[bool, bool]: ...
def validate_fen(fen: str, variant: str, chess960: object = None) -> int: ...
def get_fog_fen(fen: str, variant: str, chess960: object = None) -> str: ...
