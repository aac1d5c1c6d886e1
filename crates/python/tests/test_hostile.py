"""Hostile arguments for every public callable: an exception of Python, never a panic or an end of the process."""

import inspect

import pytest

import garrison
from garrison import _garrison


class Odd:
    """An object that answers nothing well."""

    def __iter__(self):
        raise RuntimeError("no iteration")

    def __str__(self):
        raise RuntimeError("no text")

    def __index__(self):
        raise RuntimeError("no number")

    def __fspath__(self):
        raise RuntimeError("no path")


ODD = [
    None,
    True,
    0,
    -1,
    7,
    255,
    256,
    2**31,
    2**32,
    2**64,
    -(2**70),
    float("nan"),
    float("inf"),
    -1.5,
    "",
    "\0",
    "a\0b",
    "\ud800",
    "e2e4",
    "=",
    "@",
    "N@",
    "0000",
    "é" * 100,
    "e2e4" * 5_000,
    "[" * 5_000,
    "(" * 5_000,
    "chess",
    "swda-??",
    "/nonexistent",
    "/",
    "/dev/null",
    b"bytes",
    [],
    ["e2e4"],
    [None],
    [("a1", "h8")],
    [("z9", "\0")],
    (1, 2),
    (float("nan"), -1.0),
    (10**30, 10**30),
    {},
    object,
    object(),
    Odd(),
    garrison.Variant("chess"),
    garrison.Position("shogi"),
    garrison.Position("shogi").legal_moves[0],
    garrison.Position("shoranji").legal_moves[5],
    garrison.Game("xiangqi"),
]


def subjects():
    """A value of each public class, made anew for every attack."""
    engine = garrison.Engine(memory=1)
    position = garrison.Position("crazyhouse", moves=["e2e4"])
    game = garrison.Game.from_pgn("1. e4 (1. d4) e5 *", "chess")
    result = engine.play(position, nodes=50)
    return {
        "Variant": position.variant,
        "PieceType": position.variant.pieces[0],
        "Position": position,
        "Move": position.legal_moves[0],
        "Status": position.status,
        "Game": game,
        "Headers": game.headers,
        "Ply": game.plies[0],
        "Variation": game.plies[0].variations[0],
        "Games": garrison.parse_pgn("1. e4 *", "chess"),
        "Engine": engine,
        "SearchResult": result,
        "Score": result.score,
        "Info": engine.play(position, depth=2).lines[0],
        "Analysis": engine.analyze(position, nodes=50),
    }


EXCEPTIONS = (ValueError, AttributeError, TypeError, OverflowError, LookupError, OSError, RuntimeError, StopIteration)
# Not ours: what `object` has, and what every class does alike.
INHERITED = {"__class__", "__new__", "__init__", "__getattribute__", "__subclasshook__", "__init_subclass__"}


def attack(function, keywords=()):
    """Calls a function with all hostile values, alone and in pairs, and with each for every keyword."""
    for first in ODD:
        for arguments in [(first,), (first, first), ("chess", first), (first, "chess"), (0, first)]:
            call(function, arguments, {})
        for keyword in keywords:
            call(function, (), {keyword: first})
    call(function, (), {})


def call(function, arguments, keywords):
    try:
        value = function(*arguments, **keywords)
        if inspect.isawaitable(value):
            value.close()
        # Texts of what came out are made too.
        repr(value)
    except EXCEPTIONS:
        pass


def keywords_of(function):
    try:
        return [name for name, p in inspect.signature(function).parameters.items() if p.kind != p.POSITIONAL_ONLY]
    except (TypeError, ValueError):
        return []


FUNCTIONS = [name for name in dir(_garrison) if inspect.isroutine(getattr(_garrison, name))]
CLASSES = [name for name in garrison.__all__ if inspect.isclass(getattr(garrison, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function = getattr(_garrison, name)
    attack(function, keywords_of(function))
    if name in ("perft", "divide"):
        position = garrison.Position("chess")
        for depth in [None, -1, 65, 2**32, 2**64, "3", 1.5, Odd()]:
            with pytest.raises((ValueError, TypeError, OverflowError, RuntimeError)):
                function(position, depth)


@pytest.mark.parametrize("name", CLASSES)
def test_constructors(name):
    made = getattr(garrison, name)
    attack(made, keywords_of(made))


def methods():
    for name, value in subjects().items():
        for member in dir(type(value)):
            if member not in INHERITED and callable(getattr(type(value), member)):
                yield name, member


@pytest.mark.parametrize("name, member", list(methods()))
def test_methods(name, member):
    if (name, member) in {("Engine", "play"), ("Engine", "analyze")}:
        return  # Below: without a limit they would search on.
    value = subjects()[name]
    method = getattr(value, member)
    attack(method, keywords_of(method))


@pytest.mark.parametrize("member", ["fen", "comment", "result", "turn", "moves", "headers"])
@pytest.mark.parametrize("name", ["Game", "Position"])
def test_attributes(name, member):
    value = subjects()[name]
    for odd in ODD:
        try:
            setattr(value, member, odd)
        except EXCEPTIONS:
            pass
    str(value), repr(value)


LIMITS = ["nodes", "depth", "movetime", "clock", "increment", "byoyomi", "moves_to_go", "mate", "level", "moves", "multipv"]


@pytest.mark.parametrize("limit", LIMITS)
def test_limits(limit):
    engine = garrison.Engine(memory=1)
    position = garrison.Position("chess")
    for odd in ODD:
        try:
            with engine.analyze(position, **{"nodes": 30, limit: odd}) as analysis:
                next(analysis, None)
        except EXCEPTIONS:
            pass
    for odd in ODD:
        try:
            engine.play(odd, nodes=10)
        except EXCEPTIONS:
            pass
    for message, limits in {
        "a limit is missing": {},
        "nodes is 0": {"nodes": 0},
        "depth is 0": {"depth": 0},
        "movetime of -1 s": {"movetime": -1},
        "movetime of NaN s": {"movetime": float("nan")},
        "need a clock": {"increment": (1, 1)},
        "level 11 is not from 1 to 10": {"level": 11},
        "moves is empty": {"moves": [], "nodes": 1},
    }.items():
        with pytest.raises(garrison.EngineError, match=message):
            engine.play(position, **limits)
    with pytest.raises(garrison.EngineError, match="multipv 0 is not"):
        engine.analyze(position, nodes=1, multipv=0)
    assert engine.play(position, nodes=10).move in position.legal_moves


def test_an_argument_that_changes_the_position_while_it_is_read():
    position = garrison.Position("chess")
    game = garrison.Game("chess")

    def moves(change):
        yield "e2e4"
        change()
        yield "e7e5"

    assert position.san_line(["e2e4"]) == ["e4"]
    with pytest.raises(RuntimeError):
        position.san_line(moves(lambda: position.push("d2d4")))
    game.add("d4")
    with pytest.raises(RuntimeError):
        game.add_variation(0, moves(game.remove_last))
    assert len(game) == 1 and position.moves == []


def test_the_texts_of_errors():
    for message, work in {
        "no variant 'chesss'; did you mean chess?": lambda: garrison.Variant("chesss"),
        "no variant '\\\\0'; garrison.variants\\(\\) lists them": lambda: garrison.Variant("\0"),
        "a Variant or its name is needed, not int": lambda: garrison.Position(3),
        "a Move or its text is needed, not NoneType": lambda: garrison.Position("chess").push(None),
        "there is no move to take back": lambda: garrison.Position("chess").pop(),
        "there is no square 'a9' in chess": lambda: garrison.Position("chess").piece_at("a9"),
        "side 'White' is none of 'white', 'black'": lambda: garrison.Position("chess").picture("White"),
        "depth 65 is more than 64": lambda: garrison.perft(garrison.Position("chess"), 65),
        "size 7 is not from 8 to 512": lambda: garrison.Position("chess").svg(size=7),
        "result '2-0' is none of": lambda: setattr(garrison.Game("chess"), "result", "2-0"),
        "threads 0 is not from 1 to 512": lambda: garrison.Engine(threads=0),
        "memory of 0 MiB is not from 1 to 65536": lambda: garrison.Engine(memory=0),
        "the game is over: white wins": lambda: garrison.Engine().play(
            garrison.Position("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), depth=1
        ),
        "no network judges shatranj": lambda: garrison.Engine().features(garrison.Position("shatranj")),
        "'/nonexistent': cannot be read: ": lambda: garrison.Engine(evaluation="/nonexistent"),
    }.items():
        with pytest.raises((garrison.GarrisonError, TypeError), match=message):
            work()
