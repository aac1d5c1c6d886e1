"""A match of two settings of the engine, from random openings, each played with both sides.

    python match.py shoranji --pairs 10 --nodes 1000 4000
"""

from __future__ import annotations

import argparse
import math
import random

import garrison


def opening(variant: str, plies: int, generator: random.Random) -> garrison.Position:
    """A position after random moves in which the game is not over."""
    while True:
        position = garrison.Position(variant)
        position.keep_arrays()
        for _ in range(plies):
            if position.is_over:
                break
            position.push(generator.choice(position.legal_moves))
        if not position.is_over:
            return position


def play(start: garrison.Position, white: int, black: int, most_plies: int = 400) -> garrison.Game:
    """A game of two engines that search so many nodes for a move."""
    engines = {side: garrison.Engine(memory=4) for side in ("white", "black")}
    nodes = {"white": white, "black": black}
    position = start.copy()
    while not position.is_over and len(position.moves) < most_plies:
        side = position.turn
        position.push(engines[side].play(position, nodes=nodes[side]).move)
    game = garrison.Game.from_position(position)
    game.headers["White"], game.headers["Black"] = f"{white} nodes", f"{black} nodes"
    return game


def match(variant: str, pairs: int, nodes: tuple[int, int], seed: int) -> list[float]:
    """The points of the first setting in each game."""
    generator = random.Random(seed)
    points = []
    for _ in range(pairs):
        start = opening(variant, 6, generator)
        for first_is_white in (True, False):
            white, black = nodes if first_is_white else nodes[::-1]
            result = play(start, white, black).result
            of_white = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
            points.append(of_white if first_is_white else 1.0 - of_white)
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", nargs="?", default="minishogi")
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--nodes", type=int, nargs=2, default=(100, 400))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    points = match(options.variant, options.pairs, tuple(options.nodes), options.seed)
    score = sum(points) / len(points)
    elo = f"{-400 * math.log10(1 / score - 1):+.0f}" if 0 < score < 1 else "beyond what so few games say"
    print(f"{options.nodes[0]} nodes against {options.nodes[1]}: {sum(points)} of {len(points)} points, Elo {elo}")


if __name__ == "__main__":
    main()
