"""`garrison.ffish`: what its functions return, what the README says of pyffish, and wrong arguments."""

import gc
import random

import pytest

import garrison.ffish as sf

CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

#: The functions of pyffish 0.0.90 with arguments that are right.
CALLS = {
    "version": (),
    "info": (),
    "variants": (),
    "set_option": ("UCI_Variant", "chess"),
    "load_variant_config": ("name = 'argumentchess'\nbase = 'chess'\npass = true",),
    "start_fen": ("chess",),
    "two_boards": ("chess",),
    "captures_to_hand": ("chess",),
    "get_san": ("chess", CHESS, "e2e4", False, sf.NOTATION_SAN),
    "get_san_moves": ("chess", CHESS, ["e2e4"], False, sf.NOTATION_SAN),
    "legal_moves": ("chess", CHESS, ["e2e4"], False),
    "get_fen": ("chess", CHESS, ["e2e4"], False, False, False, 0),
    "gives_check": ("chess", CHESS, ["e2e4"], False),
    "is_capture": ("chess", CHESS, [], "e2e4", False),
    "piece_to_partner": ("chess", CHESS, ["e2e4"], False),
    "game_result": ("chess", CHESS, ["f2f3", "e7e5", "g2g4", "d8h4"], False),
    "is_immediate_game_end": ("chess", CHESS, ["e2e4"], False),
    "is_optional_game_end": ("chess", CHESS, ["e2e4"], False, 0),
    "has_insufficient_material": ("chess", CHESS, ["e2e4"], False),
    "validate_fen": (CHESS, "chess", False),
    "get_fog_fen": (CHESS, "chess", False),
}

HOSTILE = [
    None,
    True,
    0,
    -1,
    2**31,
    -(2**63),
    10**40,
    1.5,
    float("nan"),
    b"chess",
    object(),
    type,
    "",
    " ",
    "\0",
    "chess\0",
    "\ud800",
    "e2e4\udfff",
    "😀" * 50,
    "é",
    "x" * 100_000,
    "[" * 1000,
    "9" * 1000,
    "/" * 1000,
    "e2e4 " * 1000,
    [],
    [None],
    ["e2e4"] * 3,
    ["\ud800"],
    ["\0"],
    [["e2e4"]],
    [b"e2e4"],
    ["x" * 100_000],
    [""] * 100_000,
    ("e2e4",),
    {"e2e4": 1},
    {"e2e4"},
    iter(["e2e4"]),
]


class BadStr(str):
    """A text that fails where Python code of it is run."""

    def __eq__(self, other):
        raise RuntimeError("compared")

    __hash__ = str.__hash__

    def __str__(self):
        raise RuntimeError("printed")


class NoTruth:
    """An object that is neither true nor false."""

    def __bool__(self):
        raise TypeError("neither true nor false")


def test_all_functions_and_constants_of_pyffish_are_there():
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    names = {name for name in dir(pyffish) if not name.startswith("_")}
    assert names <= set(sf.__all__)
    for name in names:
        if name.isupper():
            assert getattr(sf, name) == getattr(pyffish, name), name
    assert set(CALLS) == {name for name in names if name.islower()} - {"error"}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_are_exceptions(name):
    function, right = getattr(sf, name), CALLS[name]
    for index in range(len(right)):
        for wrong in [*HOSTILE, BadStr("chess"), NoTruth()]:
            arguments = [*right[:index], wrong, *right[index + 1 :]]
            try:
                function(*arguments)
            except (TypeError, ValueError, RuntimeError) as error:
                assert str(error), arguments
                assert isinstance(error, (TypeError, ValueError)) or "printed" in str(error)
    for count in (len(right) + 1, 20):
        with pytest.raises(TypeError):
            function(*right, *[None] * (count - len(right)))
    # All of that has left it as it was.
    if name not in ("get_fog_fen", "load_variant_config"):
        function(*right)


def test_two_wrong_arguments_at_once():
    chance = random.Random(5)
    for name, right in CALLS.items():
        for _ in range(30 if right else 0):
            arguments = [chance.choice([value, chance.choice(HOSTILE)]) for value in right]
            try:
                getattr(sf, name)(*arguments)
            except (TypeError, ValueError):
                pass


def test_a_long_game_is_played():
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 10_000
    assert sf.get_fen("chess", CHESS, moves).endswith(" w KQkq - 40000 20001")
    with pytest.raises(ValueError, match="move 40001 of the list: illegal move 'e2e5'"):
        sf.get_fen("chess", CHESS, [*moves, "e2e5"])


def test_calls_do_not_depend_on_those_before():
    chance = random.Random(11)
    games = {}
    for name in ("chess", "crazyhouse", "shogi", "janggi", "shoranji", "makruk"):
        start, moves, seen = sf.start_fen(name), [], []
        for _ in range(40):
            legal = sf.legal_moves(name, start, moves)
            seen.append((list(moves), legal, sf.get_fen(name, start, moves)))
            if not legal:
                break
            moves.append(chance.choice(legal))
        games[name] = (start, seen)
    for _ in range(600):
        name = chance.choice(list(games))
        start, seen = games[name]
        moves, legal, fen = chance.choice(seen)
        assert sf.legal_moves(name, start, moves) == legal
        assert sf.get_fen(name, start, moves) == fen
        with pytest.raises(ValueError):
            sf.get_fen(name, start, [*moves, "a1a1a1"])


def test_garbage_collection_may_call_in_between():
    class Caller:
        def __del__(self):
            sf.legal_moves("xiangqi", "startpos", [])

    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(200):
            ring = [Caller()]
            ring.append(ring)
            del ring
            assert len(sf.legal_moves("chess", CHESS, ["e2e4"])) == 20
    finally:
        gc.set_threshold(*threshold)


def test_every_game_has_every_function():
    for name in sf.variants():
        start = sf.start_fen(name)
        assert sf.validate_fen(start, name) == sf.FEN_OK, name
        moves = sf.legal_moves(name, start, [])
        assert moves, name
        assert sf.get_san_moves(name, start, moves[:1]) == [sf.get_san(name, start, moves[0])]
        after = (name, start, moves[:1])
        fen = sf.get_fen(*after)
        assert sf.validate_fen(fen, name) == sf.FEN_OK, (name, fen)
        assert sf.get_fen(name, fen, []) == fen
        assert sf.gives_check(*after) is False
        assert sf.is_capture(name, start, [], moves[0]) is False
        assert sf.piece_to_partner(*after) == ""
        assert sf.is_immediate_game_end(*after) == (False, sf.VALUE_DRAW)
        assert sf.is_optional_game_end(*after) == (False, sf.VALUE_DRAW)
        assert sf.two_boards(name) is False
        assert isinstance(sf.captures_to_hand(name), bool)
        sf.get_fen(name, start, moves[:1], False, True)


def test_notations_are_written_as_their_pages_have_them():
    shogi, xiangqi, makruk = (sf.start_fen(name) for name in ("shogi", "xiangqi", "makruk"))
    for name, fen, move, notation, text in [
        ("chess", "4k3/8/3R4/8/1R3R2/8/3R4/4K3 w - - 0 1", "d2d4", sf.NOTATION_SAN, "R2d4"),
        ("chess", "1r2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1", "c7b8q", sf.NOTATION_LAN, "c7xb8=Q+"),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", sf.NOTATION_DEFAULT, "Ra8#"),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", sf.NOTATION_DEFAULT, "O-O-O"),
        ("shogi", shogi, "i3i4", sf.NOTATION_DEFAULT, "P-16"),
        ("shogi", shogi, "i3i4", sf.NOTATION_SHOGI_HOSKING, "P16"),
        ("shogi", shogi, "f1e2", sf.NOTATION_SHOGI_HODGES, "G4i-5h"),
        ("xiangqi", xiangqi, "h1g3", sf.NOTATION_DEFAULT, "Hg3"),
        ("xiangqi", xiangqi, "h3h10", sf.NOTATION_XIANGQI_WXF, "C2+7"),
        # Two horses, and then three pawns, on one file.
        (
            "xiangqi",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/4P4/1NB6/P1P1P3P/1C1A3C1/9/RNBAK4 w - - 0 1",
            "b5c7",
            sf.NOTATION_XIANGQI_WXF,
            "H++7",
        ),
        (
            "xiangqi",
            "rnbakabnr/9/1c5c1/p1p1P1p1p/4P4/9/P3P3P/1C5C1/9/RNBAKABNR w - - 0 1",
            "e6d6",
            sf.NOTATION_XIANGQI_WXF,
            "25=6",
        ),
        ("janggi", sf.start_fen("janggi"), "b1c3", sf.NOTATION_JANGGI, "H02-83"),
        ("makruk", makruk, "e3e4", sf.NOTATION_THAI_SAN, "จ๔"),
        ("makruk", makruk, "e3e4", sf.NOTATION_THAI_LAN, "บ จ๓-จ๔"),
    ]:
        assert sf.get_san(name, fen, move, False, notation) == text
    lance = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[Bb] w "
    assert sf.get_san("shogi", lance, "B@g7", False, sf.NOTATION_SHOGI_HODGES) == "B*3c"
    bishop = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -"
    assert sf.get_san("shogi", bishop, "b2h8", False, sf.NOTATION_SHOGI_HODGES) == "Bx2b="
    assert sf.get_san("shogi", bishop, "b2h8+", False, sf.NOTATION_SHOGI_HODGES) == "Bx2b+"


def test_results_are_those_of_the_side_to_move():
    mate = ("chess", CHESS, ["f2f3", "e7e5", "g2g4", "d8h4"])
    assert sf.game_result(*mate) == -sf.VALUE_MATE
    assert sf.game_result("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", []) == sf.VALUE_DRAW
    assert sf.is_immediate_game_end(*mate) == (False, sf.VALUE_DRAW)
    shuffle = ("chess", CHESS, ["g1f3", "g8f6", "f3g1", "f6g8"] * 2)
    assert sf.is_optional_game_end(*shuffle) == (True, sf.VALUE_DRAW)
    passed = ("janggi", sf.start_fen("janggi"), ["e2e2", "e9e9"])
    assert sf.legal_moves(*passed) == []
    assert sf.is_immediate_game_end(*passed) == (True, -sf.VALUE_MATE)


def test_all_faults_of_a_definition_come_in_one_exception():
    text = "name = 'faultychess'\nbase = 'chess'\n[pieces.P]\nvalue = 'much'\nmany = 3\n"
    with pytest.raises(sf.error) as wrong:
        sf.load_variant_config(text)
    lines = str(wrong.value).split("\n")
    assert len(lines) == 2 and "line 4" in lines[0] and "line 5" in lines[1], lines
    assert "faultychess" not in sf.variants()


def test_a_game_that_is_added_is_played():
    sf.load_variant_config("name = 'ffishpass'\nbase = 'chess'\npass = true")
    assert "ffishpass" in sf.variants()
    assert "e1e1" in sf.legal_moves("ffishpass", CHESS, [])
    # It replaces one of its name, which calls before knew.
    sf.load_variant_config("name = 'ffishpass'\nbase = 'chess'\npass = false")
    assert "e1e1" not in sf.legal_moves("ffishpass", CHESS, [])
    base = "name = 'ffishbase'\nbase = 'chess'\npass = true"
    sf.load_variant_config([base, "name = 'ffishupon'\nbase = 'ffishbase'\n[end]\nmoves = 30"])
    assert "e1e1" in sf.legal_moves("ffishupon", CHESS, [])


# What the README says of pyffish, in the order of its table.


def test_readme_errors():
    for call in [
        lambda: sf.legal_moves("no such game", CHESS, []),
        lambda: sf.legal_moves("chess", "no position", []),
        lambda: sf.legal_moves("chess", CHESS, ["e2e5"]),
        lambda: sf.get_san("chess", CHESS, "e2e5"),
        lambda: sf.is_capture("chess", CHESS, [], "e2e5"),
        lambda: sf.set_option("no such option", 1),
    ]:
        with pytest.raises(sf.error):
            call()
    assert issubclass(sf.error, ValueError)


def test_readme_names():
    assert sf.legal_moves("Chess", CHESS, []) == sf.legal_moves("chess", CHESS, [])
    assert sf.start_fen("Xiàngqí") == sf.start_fen("xiangqi")


def test_readme_definitions():
    with pytest.raises(sf.error, match="config"):
        sf.load_variant_config("[allwayspawns:chess]\npawn = p\n")


def test_chess960():
    fen = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1"
    assert {"f1h1", "f1b1"} <= set(sf.legal_moves("chess", fen, [], True))
    assert sf.get_fen("chess", fen, ["f1h1"], True) == "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"
    assert sf.get_san("chess", fen, "f1b1", True) == "O-O-O"
    usual = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert {"e1h1", "e1a1"} <= set(sf.legal_moves("chess", usual, [], True))
    assert {"e1g1", "e1c1"} <= set(sf.legal_moves("chess", usual, [], False))
    assert sf.get_fen("chess", usual, [], True) == "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1"
    assert sf.get_fen("chess", usual, [], False) == usual
    assert sf.legal_moves("xiangqi", "startpos", [], True)
    sf.set_option("UCI_Chess960", "true")


def test_readme_game_result():
    with pytest.raises(sf.error, match="goes on"):
        sf.game_result("chess", CHESS, [])


def test_readme_show_promoted_and_count_started():
    after = ("makruk", "4k3/8/8/5P2/8/8/r7/4K3 w - - 0 1", ["f5f6m"])
    assert sf.get_fen(*after, False, False, True, -1) == sf.get_fen(*after)


def test_readme_sfen():
    hands = "4k4/9/9/9/9/9/9/9/4K4[PPLNSGBRplnsgbr] w - - 0 1"
    assert sf.get_fen("shogi", hands, [], False, True).endswith(" b RBGSNL2Prbgsnlp 1")


def test_readme_shogi_letters():
    fen = "4k4/9/9/9/9/9/9/1+R7/4K4[] w - - 0 1"
    assert sf.get_san("shogi", fen, "b2b3", False, sf.NOTATION_SAN) == "+Rb3"


def test_readme_thai():
    with pytest.raises(sf.error, match="no name in Thai notation"):
        sf.get_san("chess", CHESS, "e2e4", False, sf.NOTATION_THAI_SAN)


def test_readme_makruk_count():
    fen = "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1"
    counted = "8/3k4/6M1/2K1S3/8/8/8/8 b - 88 8 1"
    assert sf.get_fen("makruk", fen, ["g5g6m"]) == counted
    assert sf.get_fen("makruk", counted, []) == counted
    assert sf.is_optional_game_end("makruk", counted.replace(" 8 1", " 88 1"), [])[0] is False
    assert sf.is_optional_game_end("makruk", counted.replace(" 8 1", " 89 1"), [])[0] is True
    # Board's honor, which goes on through captures.
    honor = "3k4/2m5/5M2/4M3/3KS3/8/8/8 b - 128 0 1"
    assert sf.get_fen("makruk", "3k4/2m5/8/4MP2/3KS3/8/8/8 w - - 0 1", ["f5f6m"]) == honor
    assert sf.get_fen("makruk", honor, ["c7d6", "e5d6"]).endswith(" b - 88 10 2")
    assert sf.is_optional_game_end("makruk", honor.replace(" 0 1", " 128 1"), [])[0] is False
    assert sf.is_optional_game_end("makruk", honor.replace(" 0 1", " 129 1"), [])[0] is True


def test_readme_validate_fen():
    for fen, code in [
        ("", sf.FEN_EMPTY),
        ("8/8/8/8/8/8/8/8 w - - 0 1", sf.FEN_INVALID_NUMBER_OF_KINGS),
        ("4k3/8/8/8/8/8/8/4K3", sf.FEN_OK),
        ("4k3/8/8/8/8/8/8/4K3 w", sf.FEN_OK),
        ("4k3/8/8/8/8/8/8/4K3 w - -", sf.FEN_OK),
        ("4k3/8/8/8/8/8/8/4K3 w 0 1", sf.FEN_OK),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", sf.FEN_INVALID_SIDE_TO_MOVE),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", sf.FEN_INVALID_NUMBER_OF_KINGS),
        ("8/8/8/8/4k3/4K3/8/8 w - - 0 1", sf.FEN_TOUCHING_KINGS),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", sf.FEN_INVALID_CASTLING_INFO),
        ("4k3/8/8/8/8/8/8/4K3 w 12 - 0 1", sf.FEN_INVALID_CASTLING_INFO),
        ("4k3/8/8/8/8/8/8/4K3 w - z 0 1", sf.FEN_INVALID_EN_PASSANT_SQ),
        ("4k3/8/8/8/8/8/8/4K3 w - - a 1", sf.FEN_INVALID_HALF_MOVE_COUNTER),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 b", sf.FEN_INVALID_MOVE_COUNTER),
        ("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", sf.FEN_INVALID_CHAR),
        ("4x3/8/8/8/8/8/8/4K3 w - - 0 1", sf.FEN_INVALID_CHAR),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", sf.FEN_INVALID_NB_PARTS),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", sf.FEN_INVALID_BOARD_GEOMETRY),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", sf.FEN_INVALID_BOARD_GEOMETRY),
        # Positions that pyffish accepts: a pawn on the last rank, the king of the other side attacked, a square
        # that nothing has passed.
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", sf.FEN_ILLEGAL),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", sf.FEN_ILLEGAL),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", sf.FEN_INVALID_EN_PASSANT_SQ),
    ]:
        assert sf.validate_fen(fen, "chess") == code, fen
    shogi = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNS+GKGSNL[-] w - - 0 1"
    assert sf.validate_fen(shogi, "shogi") == sf.FEN_INVALID_PROMOTED_PIECE
    assert sf.validate_fen("4k4/9/9/9/9/9/9/9/4K4[X] w - - 0 1", "shogi") == sf.FEN_INVALID_POCKET_INFO


def test_readme_fens_are_read_leniently():
    for fen, read in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w 1 2", "w - - 1 2"),
        ("8/rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "w KQ - 0 1"),
        (CHESS.replace("-", "e3"), "w KQkq - 0 1"),
    ]:
        assert sf.get_fen("chess", fen, []) == f"{fen.split()[0]} {read}"
    other = "rhea1aehr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RHEA1AEHR w - - 0 1"
    assert sf.get_fen("janggi", other, []) == sf.start_fen("janggi")


def test_readme_insufficient_material():
    for name, fen, found in [
        ("chess", CHESS, (False, False)),
        ("chess", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", (False, True)),
        ("chess", "4k3/8/8/8/8/8/8/4K2N w - - 0 1", (True, True)),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3KN4 w - - 0 1", (False, True)),
        ("xiangqi", "4k4/9/4b4/9/9/9/9/4B4/9/4K4 w - - 0 1", (True, True)),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", (False, False)),
    ]:
        assert sf.has_insufficient_material(name, fen, []) == found, fen


def test_readme_fog():
    with pytest.raises(sf.error, match="no fog"):
        sf.get_fog_fen(CHESS, "chess")


def test_readme_piece_to_partner():
    assert sf.piece_to_partner("chess", CHESS, ["e2e4", "d7d5", "e4d5"]) == "p"
    tokin = "4k4/9/9/9/4+p4/4P4/9/9/4K4[] w - - 0 1"
    assert sf.piece_to_partner("shogi", tokin, ["e4e5"]) == "p"


def test_readme_rules_that_differ():
    # The pawn would mate; without the gold beside it the king could go to h9.
    rest = "8G/9/9/9/9/9/4K4[P] w - - 0 1"
    assert "P@i8" not in sf.legal_moves("shogi", f"8k/6G2/{rest}", [])
    assert "P@i8" in sf.legal_moves("shogi", f"8k/9/{rest}", [])
    assert sf.is_immediate_game_end("shatranj", "4k3/8/8/8/8/8/R7/4K3 b - - 0 1", []) == (
        True,
        -sf.VALUE_MATE,
    )
    xiangqi = "4k4/9/9/9/9/9/9/9/r3R4/3K5 b - - {} 100"
    assert sf.is_optional_game_end("xiangqi", xiangqi.format(119), [])[0] is False
    assert sf.is_optional_game_end("xiangqi", xiangqi.format(120), []) == (True, sf.VALUE_DRAW)


def test_readme_repetition_and_bishops():
    again = ["a1a2", "a10a9", "a2a1", "a9a10"] * 2
    janggi = ("janggi", sf.start_fen("janggi"), again)
    assert sf.is_optional_game_end(*janggi) == (True, sf.VALUE_DRAW)
    bishops = ("chess", "4B3/2k5/8/8/2K5/3B4/8/8 b - - 0 88", [])
    assert sf.has_insufficient_material(*bishops) == (True, True)


def test_errors_are_pickled():
    import pickle

    try:
        sf.start_fen("no such game")
    except sf.error as error:
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
