#!/usr/bin/env python3
"""Garrison beside Fairy-Stockfish in games that both know: leaves and nodes per second from the start, in turns
in one run, as a table.

    bench/peers/reference.py GARRISON PEER-8x8 PEER-LARGE [ROUNDS] [NODES]
"""

import re
import statistics
import subprocess
import sys
import time

# Game, depth of perft, whether the 8x8 build of the peer knows it.
GAMES = (
    ("chess", 6, True),
    ("crazyhouse", 5, True),
    ("makruk", 5, True),
    ("shogi", 5, False),
    ("xiangqi", 5, False),
    ("capablanca", 5, False),
    ("grand", 4, False),
)


class Engine:
    """An engine, one thread, its own evaluation, over UCI."""

    def __init__(self, path, game):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([path], text=True, bufsize=1, **pipes)
        self.ask("uci", "uciok")
        for name, value in (("Use NNUE", "false"), ("Hash", 64), ("Threads", 1), ("UCI_Variant", game)):
            self.process.stdin.write(f"setoption name {name} value {value}\n")
        self.ask("ucinewgame\nposition startpos\nisready", "readyok")

    def ask(self, command, word):
        """The lines that answer, up to one that begins with the word."""
        self.process.stdin.write(command + "\n")
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        sys.exit(f"the engine ended at '{command}'")

    def perft(self, depth):
        """Leaves, and million of them a second."""
        begin = time.perf_counter()
        output = self.ask(f"go perft {depth}", "Nodes searched")[-1]
        leaves = int(re.sub(r"\D", "", output))
        return leaves, leaves / (time.perf_counter() - begin) / 1e6

    def search(self, nodes):
        """Thousand nodes a second of a search of so many nodes."""
        begin = time.perf_counter()
        output = self.ask(f"go nodes {nodes}", "bestmove")
        found = [int(n) for line in output for n in re.findall(r"\bnodes (\d+)", line)]
        return found[-1] / (time.perf_counter() - begin) / 1e3

    def quit(self):
        self.process.stdin.write("quit\n")
        self.process.wait()


def measure(path, game, depth, nodes):
    engine = Engine(path, game)
    leaves, perft = engine.perft(depth)
    speed = engine.search(nodes)
    engine.quit()
    return leaves, perft, speed


def main():
    own, small, large = sys.argv[1:4]
    rounds, nodes = (int(text) for text in (sys.argv[4:] + ["3", "1000000"][len(sys.argv) - 4 :])[:2])
    print("| game | leaves, depth | M/s | peer's | ratio | thousand nodes/s | peer's | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for game, depth, is_small in GAMES:
        peer = small if is_small else large
        results = {own: [], peer: []}
        for _ in range(rounds):
            for path in results:
                results[path].append(measure(path, game, depth, nodes))
        if len({leaves for found in results.values() for leaves, _, _ in found}) > 1:
            sys.exit(f"{game}: the leaves differ: {results}")
        (leaves, _, _), *_ = results[own]
        row = [game, f"{leaves:,}, {depth}"]
        for index, form in ((1, "{:.1f}"), (2, "{:.0f}")):
            mine, theirs = (statistics.median(found[index] for found in results[path]) for path in (own, peer))
            row += [form.format(mine), form.format(theirs), f"{mine / theirs:.2f}"]
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
