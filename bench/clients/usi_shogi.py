"""Garrison against itself in cshogi: usi_shogi.py ENGINE GAMES NODES MOVES.

One line for each game, `Finished game N (first vs second): RESULT {why}`. Two games begin with
the same random moves.
"""

import random
import sys

import cshogi
from cshogi.usi import Engine

# What the library says of a position that was there before, to the side to move.
REPEATED = {cshogi.REPETITION_DRAW: ("1/2-1/2", "Draw by repetition"),
            cshogi.REPETITION_WIN: ("win", "perpetual check"),
            cshogi.REPETITION_LOSE: ("loss", "perpetual check")}


def of_side(result, turn):
    """A result of the side to move as a score; Black moves first in shogi and is the first player."""
    first_wins = (result == "win") == (turn == cshogi.BLACK)
    return result if result not in ("win", "loss") else "1-0" if first_wins else "0-1"


def opening(seed, plies=8):
    """A board after random moves, and these."""
    chance, board, moves = random.Random(seed), cshogi.Board(), []
    for _ in range(plies):
        move = chance.choice(list(board.legal_moves))
        moves.append(cshogi.move_to_usi(move))
        board.push(move)
    return board, moves


def play(engines, opened, nodes, most_moves):
    """One game from a board with its moves; its result and why it ended."""
    board, moves = opened
    for engine in engines:
        engine.usinewgame()
    while True:
        repeated = REPEATED.get(board.is_draw())
        if repeated:
            return of_side(repeated[0], board.turn), repeated[1]
        if board.is_game_over():
            return of_side("loss", board.turn), "mate"
        if len(moves) >= 2 * most_moves:
            return "1/2-1/2", "Draw by length"
        text, _ = engines[board.turn].go_after(moves, nodes)
        if text == "resign":
            return of_side("loss", board.turn), "resigns"
        if text == "win":
            fair = board.is_nyugyoku()
            return of_side("win" if fair else "loss", board.turn), "entering king" if fair else "false claim"
        move = board.move_from_usi(text)
        if not board.is_legal(move):
            return "*", f"illegal move {text} after {' '.join(moves)}"
        board.push(move)
        moves.append(text)


class Player(Engine):
    """An engine that is given the game with every move."""

    def go_after(self, moves, nodes):
        """The best move after these moves."""
        self.position(moves)
        return self.go(nodes=nodes)


def main():
    program, games, nodes, most_moves = sys.argv[1], *map(int, sys.argv[2:])
    engines = [Player(program), Player(program)]
    for engine in engines:
        engine.isready()
    for number in range(1, games + 1):
        result, why = play(engines[::(-1) ** number], opening((number - 1) // 2), nodes, most_moves)
        print(f"Finished game {number} (first vs second): {result} {{{why}}}", flush=True)
    for engine in engines:
        engine.quit()


main()
