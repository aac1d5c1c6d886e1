"""What random games say of a game, one of your own too: balance, length, choice of moves, ends.

    python random_games.py shoranji
    python random_games.py mygame.toml --games 500
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass, field

import garrison


@dataclass
class Statistics:
    """What was counted."""

    results: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)


def measure(variant: garrison.Variant, games: int, most_plies: int, seed: int) -> Statistics:
    """Plays random games."""
    generator = random.Random(seed)
    found = Statistics()
    for _ in range(games):
        position = variant.start()
        position.keep_arrays()
        plies = 0
        while plies < most_plies and not position.is_over:
            moves = position.legal_moves
            found.choices.append(len(moves))
            position.push(generator.choice(moves))
            plies += 1
        found.results[position.result] += 1
        found.reasons[position.status.reason or "not over"] += 1
        found.lengths.append(plies)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", help="a name, or the file of a definition")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--plies", type=int, default=300, help="after so many a game is broken off")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        if options.variant.endswith(".toml"):
            variant = garrison.Variant.from_file(options.variant)
        else:
            variant = garrison.Variant(options.variant)
    except garrison.GarrisonError as error:
        raise SystemExit(str(error)) from None
    found = measure(variant, options.games, options.plies, options.seed)
    print(f"{variant.title}: {options.games} random games")
    for result, count in found.results.most_common():
        print(f"  {result:<8} {100 * count / options.games:5.1f} %")
    for reason, count in found.reasons.most_common():
        print(f"  {reason:<24} {100 * count / options.games:5.1f} %")
    print(f"  length {sum(found.lengths) / len(found.lengths):.0f} plies, ", end="")
    print(f"choice {sum(found.choices) / max(1, len(found.choices)):.0f} moves")


if __name__ == "__main__":
    main()
