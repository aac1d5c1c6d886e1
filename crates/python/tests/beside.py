"""What the comparisons with other programs share: random games, and differences that a published rule explains."""

import collections
import os
import random

#: Games of each kind; the full comparison plays 300.
GAMES = int(os.environ.get("GARRISON_GAMES", "1"))

#: A game that is not over by then is given up, in plies.
LONGEST = 1500


class Differences:
    """The differences of a game kind that a published rule explains, by the rule."""

    def __init__(self, game):
        self.game = game
        self.explained = collections.Counter()
        self.seen = collections.Counter()

    def explain(self, rule):
        """Counts a difference that a rule explains."""
        self.explained[rule] += 1

    def report(self):
        """Prints what was compared and what was explained."""
        figures = ", ".join(f"{count} {what}" for what, count in sorted(self.seen.items()))
        print(f"\n{self.game}: {figures}")
        for rule, count in self.explained.most_common():
            print(f"  explained {count} times: {rule}")


def rng(game, number):
    """The chance of one game; the same in every run."""
    return random.Random(f"{game} {number}")


def lively(chance, moves, is_capture, replies):
    """A random move. Captures come more often than chance would have it, and so do moves that leave the other side few
    `replies`, so that games end, many of them by mate."""
    mood = chance.random()
    some = chance.sample(moves, min(8, len(moves)))
    if mood < 0.3:
        some = [move for move in some if is_capture(move)]
        if some:
            return some[0]
    elif mood < 0.5:
        return min(some, key=replies)
    return chance.choice(moves)
