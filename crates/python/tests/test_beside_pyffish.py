"""Random games beside pyffish, Fairy-Stockfish's Python module: at every ply legal moves, FEN, check, captures, SAN and
ends are those of `garrison.ffish`, or a published rule explains the difference.

`GARRISON_GAMES=300` plays 300 games of each kind.
"""

import pytest

import garrison.ffish as ours
from beside import GAMES, LONGEST, Differences, lively, rng

theirs = pytest.importorskip("pyffish", reason="pyffish is not installed: nothing is compared with it")

GAMES_OF_BOTH = (
    "chess crazyhouse shogi xiangqi makruk janggi minishogi shatranj capablanca grand".split()
)


class Ply:
    """A position of a game as both modules see it."""

    def __init__(self, game, start, moves):
        self.call = (game, start, moves)
        self.game, self.moves = game, moves
        self.own = sorted(ours.legal_moves(*self.call))
        self.other = sorted(theirs.legal_moves(*self.call))

    def both(self, name, *arguments):
        """The answers of both to one function."""
        return getattr(ours, name)(*self.call, *arguments), getattr(theirs, name)(*self.call, *arguments)

    def place(self):
        """Where it is, for a message."""
        return f"{self.game} {ours.get_fen(*self.call)} after {' '.join(self.moves)}"


def compare_moves(ply, found):
    """Legal moves."""
    found.seen["moves"] += len(ply.other)
    for move in sorted(set(ply.own) ^ set(ply.other)):
        side = "here" if move in ply.own else "there"
        pytest.fail(f"{move} is legal {side} only: {ply.place()}")


def compare_fen(ply, found):
    """FEN."""
    own, other = ply.both("get_fen")
    if own != other:
        pytest.fail(f"{own} is {other} there: {ply.place()}")


def compare_check(ply, found):
    """Check."""
    own, other = ply.both("gives_check")
    if own != other:
        pytest.fail(f"check is {own} here, {other} there: {ply.place()}")


def compare_move(ply, move, found):
    """How a move is written, and whether it captures."""
    for notation in (ours.NOTATION_DEFAULT, ours.NOTATION_LAN):
        own, other = [
            module.get_san(ply.game, module.get_fen(*ply.call), move, False, notation)
            for module in (ours, theirs)
        ]
        if own != other:
            pytest.fail(f"{move} is {own} here, {other} there: {ply.place()}")
    own, other = ply.both("is_capture", move)
    assert own == other, f"{move} captures: {own} here, {other} there: {ply.place()}"


def compare_end(ply, found):
    """Whether and how the game is over; true if it is."""
    own, other = ply.both("is_immediate_game_end")
    if own[0] != other[0] or own[0] and own != other:
        pytest.fail(f"the end is {own} here, {other} there: {ply.place()}")
    if not ply.own:
        own, other = ply.both("game_result")
        if own != other:
            pytest.fail(f"the result is {own} here, {other} there: {ply.place()}")
        found.seen["ends without moves"] += 1
        return True
    own, other = ply.both("is_optional_game_end")
    if own[0] != other[0] or own[0] and own != other:
        pytest.fail(f"the optional end is {own} here, {other} there: {ply.place()}")
    own_few, other_few = ply.both("has_insufficient_material")
    if own_few != other_few:
        pytest.fail(f"too few pieces are {own_few} here, {other_few} there: {ply.place()}")
    found.seen["optional ends"] += own[0]
    return own[0]


def play(game, number, found):
    """One game to its end."""
    chance, moves = rng(game, number), []
    start = theirs.start_fen(game)
    assert ours.start_fen(game) == start
    found.seen["games"] += 1
    while len(moves) < LONGEST:
        ply = Ply(game, start, moves)
        found.seen["positions"] += 1
        compare_moves(ply, found)
        compare_fen(ply, found)
        compare_check(ply, found)
        if compare_end(ply, found):
            return
        move = lively(chance, ply.other, lambda move: ours.is_capture(*ply.call, move))
        compare_move(ply, move, found)
        moves.append(move)
    found.seen["games cut"] += 1


@pytest.mark.parametrize("game", GAMES_OF_BOTH)
def test_random_games(game):
    found = Differences(game)
    for number in range(GAMES):
        play(game, number, found)
    found.report()
