"""Garrison against itself in python-chess: python_chess.py ENGINE PROTOCOL GAME GAMES NODES MOVES.

One line for each game, `Finished game N (first vs second): RESULT {why}`. The library raises an error at a move
that its board does not allow. Two games begin with the same random moves.
"""

import collections
import random
import sys

import chess
import chess.engine
import chess.variant


def open_engine(program, protocol):
    """A process that speaks this protocol."""
    start = {"uci": chess.engine.SimpleEngine.popen_uci, "xboard": chess.engine.SimpleEngine.popen_xboard}
    return start[protocol](program, timeout=60)


def opening(board, seed, plies=8):
    """The board after random moves, which it forgets: the library gives a crazyhouse board that has a past
    wrong pockets at the start."""
    chance = random.Random(seed)
    for _ in range(plies):
        board.push(chance.choice(list(board.legal_moves)))
    return type(board)(board.fen())


def play(engines, number, board, limit, moves):
    """One game; its result and why it ended. Positions are counted here: the library takes moves back for that, and
    gives a crazyhouse board wrong pockets when it does."""
    seen = collections.Counter()
    while not board.is_game_over():
        seen[board.epd()] += 1
        if seen[board.epd()] == 3:
            return "1/2-1/2", "threefold repetition"
        if board.halfmove_clock >= 100:
            return "1/2-1/2", "fifty moves"
        if board.fullmove_number > moves:
            return "1/2-1/2", "Draw by length"
        result = engines[board.turn].play(board, limit, game=number, info=chess.engine.INFO_SCORE)
        if result.resigned or result.move is None:
            return "*", "No result: no move at a position that goes on"
        if "score" not in result.info:
            return "*", "No result: a move without a score"
        board.push(result.move)
    outcome = board.outcome()
    return outcome.result(), outcome.termination.name.lower().replace("_", " ")


def main():
    program, protocol, game, games, nodes, moves = sys.argv[1:]
    # Nodes of CECP are a clock that counts nodes, which python-chess does not send: there a depth.
    limit = chess.engine.Limit(nodes=int(nodes)) if protocol == "uci" else chess.engine.Limit(depth=3)
    kind = chess.variant.find_variant(game)
    engines = [open_engine(program, protocol), open_engine(program, protocol)]
    try:
        for number in range(1, int(games) + 1):
            try:
                board = opening(kind(), (number - 1) // 2)
                result, why = play(engines[::(-1) ** number], number, board, limit, int(moves))
            except chess.engine.EngineError as error:
                result, why = "*", f"Error: {error}"
            print(f"Finished game {number} (first vs second): {result} {{{why}}}", flush=True)
    finally:
        for engine in engines:
            engine.quit()


main()
