"""Garrison as a judge: it is asked over UCI which moves there are and how good they are."""

import re
import subprocess

from gui import Fault

# How XBoard's text of a drop is read: the piece himself first, then the reserve with the fewest choices.
RESERVES = "GHA"
# The most lines that a search prints.
MOST_LINES = 256
# The worth of a mate, in centipawns.
MATE = 20000


class Judge:
    """A game as Garrison knows it, kept beside the one on the screen. Its thinking is limited by nodes, so
    that it is the same on every machine."""

    def __init__(self, garrison, name, skill=20):
        self.engine = subprocess.Popen(
            [garrison], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.moves = []
        self.say(f"setoption name Skill Level value {skill}")
        self.say(f"setoption name UCI_Variant value {name}")
        output = self.until(r"info string variant \S+ files (\d+) ranks (\d+) pocket (\d+)")
        self.files, self.ranks = int(output[1]), int(output[2])
        self.has_hands = output[3] != "0"
        shown = subprocess.run([garrison, "variants", "show", name], capture_output=True, text=True, check=True)
        self.can_promote = re.findall(r"^ +([A-Z]) .* promotes to ", shown.stdout, re.M)
        self.ask()
        # A person who just moves has left his pieces as they stand.
        while self.legal and self.legal[0].startswith("="):
            rows = self.fen.split("[")[0].split("/")
            self.play("=" + (rows[-1] if self.fen.split()[1] == "w" else rows[0].upper()))

    def say(self, line):
        self.engine.stdin.write(line + "\n")
        self.engine.stdin.flush()

    def until(self, pattern):
        """What fits in the first line that does."""
        for line in self.engine.stdout:
            if "string error" in line:
                raise Fault(f"the judge says: {line.strip()}")
            found = re.search(pattern, line)
            if found:
                return found
        raise Fault(f"the judge ended before '{pattern}'")

    def ask(self):
        """Position, status and legal moves after the moves so far."""
        self.status = self.status_after()
        self.say("legal")
        legal = self.until("(.*)")[1].split()
        self.legal = [] if self.over() else legal
        self.promoters = self.squares_of(self.can_promote)

    def status_after(self, *more):
        self.say(" ".join(["position startpos moves", *self.moves, *more]))
        self.say("d")
        fen = self.until("Fen: (.*)")[1]
        if not more:
            self.fen = fen
        return self.until("Status: (.*)")[1]

    def over(self):
        return self.status != "ongoing"

    def ends(self, move):
        """Whether a move ends the game."""
        return self.status_after(move) != "ongoing"

    def play(self, move):
        self.moves.append(move)
        self.ask()

    def lines(self, nodes):
        """For each move, as far as the nodes reach: its worth in centipawns, and how play may go on."""
        self.say(f"setoption name MultiPV value {MOST_LINES}")
        self.status_after()
        self.say(f"go nodes {nodes}")
        lines = {}
        while True:
            found = self.until(r" score (cp|mate) (-?\d+).* pv (.*)|^bestmove")
            if not found[1]:
                return lines
            worth, line = int(found[2]), found[3].split()
            if found[1] == "mate":
                worth = (MATE if worth > 0 else -MATE) - worth
            lines[line[0]] = worth, line

    def move_of_its_own(self):
        """What Garrison plays here at its level."""
        self.status_after()
        self.say("go nodes 1000000")
        return self.until(r"^bestmove (\S+)")[1]

    def squares_of(self, pieces):
        """Where White's pieces of these letters stand."""
        found = []
        for rank, row in zip(range(self.ranks, 0, -1), self.fen.split()[0].split("[")[0].split("/")):
            file = ord("a")
            for word in re.findall(r"\d+|\+?[A-Za-z]~?", row):
                if word in pieces:
                    found.append(f"{chr(file)}{rank}")
                file += int(word) if word.isdigit() else 1
        return found

    def shown(self, move):
        """A move as XBoard writes it: with what a reserve becomes, and on ten ranks counted from 0."""
        drop = re.match(r"(\w)@([a-z]\d+)(\w?)$", move)
        if drop:
            move = f"{(drop[3] or drop[1]).upper()}@{drop[2]}"
        first = 0 if self.ranks == 10 else 1
        return re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1 + first), move)

    def read(self, text):
        """The legal move that XBoard writes so."""
        def choices(move):
            return 1 + RESERVES.index(move[0]) if re.search(r"@.*[a-z]$", move) else 0

        found = [move for move in self.legal if self.shown(move) == text.rstrip("=")]
        if not found:
            raise Fault(f"{text} is not legal in {self.fen}")
        return min(found, key=choices)

    def close(self):
        self.say("quit")
        self.engine.wait()


def is_drop(move):
    return "@" in move


def is_promotion(move):
    return bool(re.search(r"\d[a-z+]$", move)) and not is_drop(move)


def squares(move):
    return re.findall(r"[a-z]\d+", move)
