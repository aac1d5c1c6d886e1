"""Random games beside python-chess: at every ply legal moves, FEN, check, SAN and results are those of
`garrison.ffish`, or a published rule explains the difference.

`GARRISON_GAMES=300` plays 300 games of each kind.
"""

import pytest

import garrison.ffish as ours
from beside import GAMES, LONGEST, Differences, lively, rng

chess = pytest.importorskip("chess", reason="python-chess is not installed: nothing is compared with it")
import chess.variant  # noqa: E402  (it exists only if chess does)

#: In both, both forms are read; the standard for PGN of crazyhouse (FICS, lichess) writes `P@h6`.
PAWN_DROPS = "python-chess writes the drop of a pawn without its letter, @h6"

#: Every drop is progress here and in pyffish, since what is dropped was captured before; the count draws no game.
DROPS_COUNT = "crazyhouse: python-chess counts the plies without progress on through drops"

#: FIDE Laws of Chess, 5.2.2. The definition of chess here names at most one bishop of each side.
DEAD_BISHOPS = "bishops on one color alone, several of a side: a dead position, which is not seen here"

BOARDS = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}


def own_end(call):
    """The end of the game here, as python-chess names it; none while it goes on."""
    if not ours.legal_moves(*call):
        value = ours.game_result(*call)
        assert value in (ours.VALUE_DRAW, -ours.VALUE_MATE)
        return "1/2-1/2" if value == ours.VALUE_DRAW else "lost"
    is_over, value = ours.is_optional_game_end(*call)
    if is_over or ours.has_insufficient_material(*call) == (True, True):
        assert value == ours.VALUE_DRAW
        return "1/2-1/2"
    return None


def other_end(board, game):
    """The end of the game there."""
    outcome = board.outcome(claim_draw=False)
    if outcome:
        return "1/2-1/2" if outcome.winner is None else "lost"
    # The rules of crazyhouse know no count of moves.
    counted = game == "chess" and board.halfmove_clock >= 100
    return "1/2-1/2" if counted or board.is_repetition(3) else None


def has_dead_bishops(board):
    """Whether only kings and bishops are left, all on squares of one color, more than one of a side."""
    only = board.kings | board.bishops
    on_one_color = not (board.bishops & chess.BB_LIGHT_SQUARES and board.bishops & chess.BB_DARK_SQUARES)
    return board.occupied == only and on_one_color and chess.popcount(board.bishops) > 1


def compare_fen(game, fen, board, found, place):
    """FEN."""
    own, other = fen.split(), board.fen(en_passant="xfen").split()
    if game == "crazyhouse" and own[4] != other[4]:
        found.explain(DROPS_COUNT)
        own[4] = other[4]
    assert own == other, place


def compare_sans(game, fen, board, found, place):
    """How all legal moves are written."""
    for move in board.legal_moves:
        own, other = ours.get_san(game, fen, move.uci()), board.san(move)
        if own != other and other.startswith("@") and own == "P" + other:
            found.explain(PAWN_DROPS)
        else:
            assert own == other, place


def play(game, number, found):
    """One game to its end."""
    chance, moves, board = rng(game, number), [], BOARDS[game]()
    start = ours.start_fen(game)
    assert board.fen(en_passant="xfen") == start
    found.seen["games"] += 1
    while len(moves) < LONGEST:
        call = (game, start, moves)
        legal = sorted(move.uci() for move in board.legal_moves)
        place = f"{game} {board.fen()} after {' '.join(moves)}"
        found.seen["positions"] += 1
        found.seen["moves"] += len(legal)
        assert sorted(ours.legal_moves(*call)) == legal, place
        fen = ours.get_fen(*call)
        compare_fen(game, fen, board, found, place)
        assert ours.gives_check(*call) == board.is_check(), place
        end = own_end(call)
        other = other_end(board, game)
        if (end, other) == (None, "1/2-1/2") and has_dead_bishops(board):
            found.explain(DEAD_BISHOPS)
            return
        assert end == other, place
        if end:
            found.seen["ends"] += 1
            return
        compare_sans(game, fen, board, found, place)
        replies = lambda move: len(ours.legal_moves(game, fen, [move]))  # noqa: E731
        text = lively(chance, legal, lambda move: ours.is_capture(*call, move), replies)
        move = chess.Move.from_uci(text)
        assert ours.is_capture(*call, text) == board.is_capture(move), (text, place)
        board.push(move)
        moves.append(text)
    found.seen["games cut"] += 1


@pytest.mark.parametrize("game", BOARDS)
def test_random_games(game):
    found = Differences(game)
    for number in range(GAMES):
        play(game, number, found)
    found.report()
