"""Solves the positions of an EPD file, several at once: a thread and an engine each, while Python waits.

    python solve_epd.py bench/suites/wins.epd --nodes 50000 --threads 4
"""

from __future__ import annotations

import argparse
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import garrison

ENGINES = threading.local()


@dataclass
class Problem:
    """A position, its best moves, and what it is called."""

    name: str
    position: garrison.Position
    best: list[str]


def read(line: str) -> Problem:
    """A line of an EPD file: a FEN, whose counters may be missing, and operations: `bm`, `id` and `variant` are read."""
    words = line.split()
    fields = 6 if words[4:6] and all(word.isdigit() for word in words[4:6]) else 4
    fen = " ".join(words[:fields])
    operations = {}
    for operation in " ".join(words[fields:]).split(";"):
        name, _, value = operation.strip().partition(" ")
        operations[name] = value.strip('"')
    position = garrison.Position(operations.get("variant", "chess"), fen)
    return Problem(operations.get("id", fen), position, operations["bm"].split())


def solve(problem: Problem, nodes: int) -> str | None:
    """The move that is found if it is a best one."""
    if not hasattr(ENGINES, "engine"):
        ENGINES.engine = garrison.Engine()
    ENGINES.engine.clear()
    move = ENGINES.engine.play(problem.position, nodes=nodes).move
    is_best = any(problem.position.parse_san(text) == move for text in problem.best)
    return problem.position.san(move) if is_best else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    lines = options.file.read_text(encoding="utf-8").splitlines()
    problems = [read(line) for line in lines if line.strip() and not line.startswith("#")]
    with ThreadPoolExecutor(options.threads) as pool:
        found = list(pool.map(lambda problem: solve(problem, options.nodes), problems))
    for problem, move in zip(problems, found):
        print(f"{'solved' if move else 'failed'}  {problem.name:<32} {move or '-'}")
    print(f"solved {sum(move is not None for move in found)}/{len(problems)}")


if __name__ == "__main__":
    main()
