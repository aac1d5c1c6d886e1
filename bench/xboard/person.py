"""A person who wants to promote and to drop: strong enough to play as he likes against a weak engine."""

from judge import is_drop, is_promotion, squares

GAMES = ["swda-op", "shoogantshii", "chesstonia", "sixfortresses", "shoranji", "shoranji-maximus"]
# How long a game may last without both, in moves; then another is begun, in which the person thinks more.
MOST_MOVES = 100
NODES = [3000, 4000, 6000]
# A game that is won by so much, in centipawns, is won: more is worth next to nothing. So a person has time.
WON = 200
MORE = 0.02
# What the person likes, in centipawns: an own promotion, and a first drop, each the sooner the better
# (by plies); up to four pieces that can promote; and that the three farthest of them go on.
PROMOTION, DROP, MAN, FAR = 3000, 600, 150, 800
LATER_PROMOTION, LATER_DROP, MEN, SHARES = 200, 50, 4, (1.0, 0.4, 0.2)
# After so many plies going on counts twice as much.
PATIENCE = 40


def choose(judge, dropped, promoted, nodes):
    """The move that the person likes best; one that ends the game only if all do."""
    lines = judge.lines(nodes)
    likes = {move: liked(judge, *line, dropped, promoted) for move, line in lines.items()}
    by_liking = sorted(likes, key=likes.get, reverse=True)
    for move in by_liking + judge.legal:
        if not judge.ends(move):
            return move
    return by_liking[0]


def liked(judge, worth, line, dropped, promoted):
    """What a line of play is worth to the person, in centipawns."""
    value = min(worth, WON) + MORE * min(max(worth - WON, 0), 3000)
    if judge.has_hands and not dropped:
        drop = next((ply for ply, move in enumerate(line) if ply % 2 == 0 and is_drop(move)), None)
        value += early(drop, DROP, LATER_DROP)
    if not promoted:
        promotion, ranks = follow(judge, line)
        value += early(promotion, PROMOTION, LATER_PROMOTION)
        value += MAN * min(len(ranks), MEN)
        advance = sum(share * (rank / judge.ranks) ** 2 for share, rank in zip(SHARES, ranks))
        value += (1 + len(judge.moves) / PATIENCE) * FAR * advance
    return value


def early(ply, bonus, later):
    """The bonus for something that happens at a ply, or never."""
    return 0 if ply is None else bonus - later * ply


def follow(judge, line):
    """Looks at White's pieces that can promote: the ply at which the first does, and, from the farthest on, the
    ranks behind the first move of those that outlive the line and do not."""
    start_of = {square: square for square in judge.promoters}
    promotion, rank = None, {}
    for ply, move in enumerate(line):
        start, end = (None if is_drop(move) else squares(move)[0]), squares(move)[-1]
        origin = start_of.pop(start, None)
        start_of.pop(end, None)
        if origin and is_promotion(move):
            promotion = ply if promotion is None else promotion
        elif origin:
            start_of[end] = origin
        if ply == 0:
            rank = {origin: int(square[1:]) for square, origin in start_of.items()}
    return promotion, sorted((rank[origin] for origin in start_of.values() if origin in rank), reverse=True)
