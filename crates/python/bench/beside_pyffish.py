#!/usr/bin/env python3
"""How quickly random games are played through Garrison and through pyffish, both in one run.

Every position is asked for its legal moves and its FEN, in three ways:

  replay    start position and all moves, as `legal_moves(game, start, moves)` and `get_fen(game, start, moves)`
  chain     from FEN to FEN, as `legal_moves(game, fen, [])` and `get_fen(game, fen, [move])`
  position  `garrison.Position` with `legal_moves`, `push` and `fen`, beside the chain of pyffish

The figures are positions a second of pyffish and how many times as many Garrison makes: the best of several rounds,
in which the two take turns.
"""

import argparse
import random
import time

import pyffish

import garrison
import garrison.ffish as ffish

GAMES = "chess crazyhouse shogi xiangqi makruk janggi minishogi shatranj capablanca grand".split()


def random_game(game, number, longest):
    """The moves of a random game, which both modules can play."""
    chance, moves, start = random.Random(f"{game} {number}"), [], ffish.start_fen(game)
    fen = start
    while len(moves) < longest:
        # By the moves: two passes end a game of janggi, which a FEN does not say.
        own = ffish.legal_moves(game, start, moves)
        legal = sorted(set(own) & set(pyffish.legal_moves(game, fen, [])))
        if not legal:
            break
        moves.append(chance.choice(legal))
        fen = ffish.get_fen(game, fen, moves[-1:])
    return moves


def replay(module, game, games):
    """Each position from the start."""
    start, positions = module.start_fen(game), 0
    for moves in games:
        for ply in range(len(moves) + 1):
            so_far = moves[:ply]
            module.legal_moves(game, start, so_far)
            module.get_fen(game, start, so_far)
            positions += 1
    return positions


def chain(module, game, games):
    """Each position from the FEN before it."""
    positions = 0
    for moves in games:
        fen = module.start_fen(game)
        for move in moves:
            module.legal_moves(game, fen, [])
            fen = module.get_fen(game, fen, [move])
            positions += 1
    return positions


def by_position(_, game, games):
    """Each position by a move on the one before it."""
    variant, positions = garrison.Variant(game), 0
    for moves in games:
        position = garrison.Position(variant)
        for move in moves:
            position.legal_moves  # noqa: B018  (the list is made)
            # A pass is written there as a move of the king to where it stands.
            half = len(move) // 2
            position.push("0000" if move[:half] == move[half:] else move)
            position.fen  # noqa: B018
            positions += 1
    return positions


def seconds(play, *arguments):
    """The seconds of one run and its positions."""
    began = time.perf_counter()
    positions = play(*arguments)
    return time.perf_counter() - began, positions


def rate(runs):
    """Positions a second of the best of several runs."""
    return max(positions / taken for taken, positions in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--games", type=int, default=5, help="random games of each kind")
    parser.add_argument("--longest", type=int, default=120, help="plies of a game at most")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=GAMES, choices=GAMES)
    args = parser.parse_args()
    ways = [("replay", replay, replay), ("chain", chain, chain), ("position", by_position, chain)]
    print("game        " + "".join(f"{name:>20}" for name, _, _ in ways))
    for game in args.only:
        games = [random_game(game, number, args.longest) for number in range(args.games)]
        cells = []
        for _, own_way, other_way in ways:
            own, other = [], []
            for _ in range(args.rounds):
                own.append(seconds(own_way, ffish, game, games))
                other.append(seconds(other_way, pyffish, game, games))
            cells.append(f"{rate(other):12.0f} {rate(own) / rate(other):5.2f} x")
        print(f"{game:<12}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
