#!/usr/bin/env python3
"""How many nodes a second the search makes in Python and in the program, both in one run.

Each game is searched from its start with one thread, 16 MiB of table and the same number of nodes, in turns; the best of
several rounds counts. Give the program that was built as the package is: `target/release/garrison`.
"""

import argparse
import subprocess
import time

import garrison

GAMES = "swda-oo shoogantshii shoranji chesstonia sixfortresses chess shogi xiangqi".split()


class Program:
    """The program, spoken to over UCI."""

    def __init__(self, path):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([path], text=True, bufsize=1, **pipes)

    def search(self, game, nodes):
        """The nodes of a search and its seconds."""
        self.ask(f"setoption name UCI_Variant value {game}\nucinewgame\nisready", "readyok")
        began = time.perf_counter()
        lines = self.ask(f"position startpos\ngo nodes {nodes}", "bestmove")
        taken = time.perf_counter() - began
        words = next(line for line in reversed(lines) if " nodes " in line).split()
        return int(words[words.index("nodes") + 1]), taken

    def ask(self, command, last):
        """The lines that answer a command, up to one that begins with `last`."""
        self.process.stdin.write(command + "\n")
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(last):
                return lines
        raise SystemExit(f"the program ended at '{command}'")


def search_here(game, nodes):
    """The nodes of a search of the package and its seconds."""
    engine, position = garrison.Engine(threads=1, memory=16), garrison.Position(game)
    began = time.perf_counter()
    result = engine.play(position, nodes=nodes)
    return result.nodes, time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", help="target/release/garrison")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=GAMES)
    args = parser.parse_args()
    program = Program(args.program)
    for game in args.only:
        own, other = [], []
        for _ in range(args.rounds):
            own.append(search_here(game, args.nodes))
            other.append(program.search(game, args.nodes))
        rates = [max(nodes / taken for nodes, taken in runs) for runs in (own, other)]
        print(f"{game:<16}{rates[1]:>12.0f} nodes/s in the program, {rates[0] / rates[1]:.3f} of that here", flush=True)


if __name__ == "__main__":
    main()
