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
        assert fen == board.fen(en_passant="xfen"), place
        assert ours.gives_check(*call) == board.is_check(), place
        end = own_end(call)
        assert end == other_end(board, game), place
        if end:
            found.seen["ends"] += 1
            return
        compare_sans(game, fen, board, found, place)
        text = lively(chance, legal, lambda move: ours.is_capture(*call, move))
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
