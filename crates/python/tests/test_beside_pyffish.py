"""Random games beside pyffish, Fairy-Stockfish's Python module: at every ply legal moves, FEN, check, captures, SAN and
ends are those of `garrison.ffish`, or a published rule explains the difference.

`GARRISON_GAMES=300` plays 300 games of each kind.
"""

import pytest

import garrison.ffish as ours
from beside import GAMES, LONGEST, Differences, lively, rng

theirs = pytest.importorskip("pyffish", reason="pyffish is not installed: nothing is compared with it")

GAMES_OF_BOTH = (
    "chess crazyhouse shogi xiangqi makruk janggi minishogi shatranj capablanca grand".split()
)

#: pyffish replays all moves of a call: a game goes on from a FEN once there are so many since the last one.
WINDOW = {"shogi": 60, "minishogi": 60, "crazyhouse": 60}
USUAL_WINDOW = 30

# Differences that are none of a fault, with the rule of each side.
BARE_KING = (
    "shatranj: a bare king has lost unless it can bare the other at once (Wikipedia, Shatranj); "
    "there it may move on against a king and one piece that it cannot capture"
)
BARE_KING_RESULT = (
    "shatranj: two bare kings are a draw, and a king that bares the other wins at once (Wikipedia, Shatranj); there only "
    "the side without moves or pieces is looked at"
)
PAWN_DROP_MATE = (
    "shogi: a dropped pawn may not mate (uchifuzume), so the move is illegal; there it is legal and loses"
)
SIXTY_MOVES = (
    "xiangqi: a draw after 60 moves without a capture (Chinese competition rules); there after 50"
)
DEAD_BISHOPS = (
    "bishops on one color alone, several of a side: a dead position (FIDE Laws of Chess, 5.2.2), which is not seen here"
)
DEAD_PAWNS = (
    "makruk: pawns and mets that can never mate, as king and pawn against king: a dead position, which is not seen here"
)
REPEATED_POINTS = (
    "janggi: a position repeated three times is a draw, or lost by perpetual check, here; there the points decide"
)


class Ply:
    """A position of a game as both modules see it."""

    def __init__(self, game, starts, moves, all_moves):
        self.calls = [(game, start, moves) for start in starts]
        self.game, self.all_moves = game, all_moves
        self.own, self.other = map(sorted, self.both("legal_moves"))
        self.own_fen, self.fen = self.both("get_fen")

    def both(self, name, *arguments):
        """The answers of both to one function."""
        modules = zip((ours, theirs), self.calls)
        return [getattr(module, name)(*call, *arguments) for module, call in modules]

    def here(self, name, *arguments):
        """The answers of both to one function, without the moves that led here."""
        modules = ((ours, self.own_fen), (theirs, self.fen))
        return [getattr(module, name)(self.game, fen, [], *arguments) for module, fen in modules]

    def is_capture(self, move):
        """Whether a move captures."""
        return ours.is_capture(self.game, self.own_fen, [], move)

    def count_replies(self, move):
        """The number of answers to a move."""
        return len(ours.legal_moves(self.game, self.own_fen, [move]))

    def fail(self, what, own, other):
        """Fails with the difference and where it is."""
        moves = " ".join(self.all_moves)
        pytest.fail(f"{what}: {own} here, {other} there; {self.game} {self.fen} after {moves}")

    def halfmoves(self):
        """The count of plies in the FEN."""
        return int(self.fen.split()[4])

    def letters(self):
        """The letters of the pieces on the board."""
        return "".join(letter for letter in self.fen.split()[0].partition("[")[0] if letter.isalpha())


def compare_moves(ply, found):
    """Legal moves."""
    found.seen["moves"] += len(ply.other)
    for move in sorted(set(ply.own) ^ set(ply.other)):
        rule = why_moves_differ(ply, move)
        if not rule:
            ply.fail(f"legal is {move}", move in ply.own, move in ply.other)
        found.explain(rule)


def why_moves_differ(ply, move):
    """The rule by which a move is legal on one side only."""
    if move in ply.own:
        return None
    if ply.game == "shatranj" and not ply.own and ours.is_immediate_game_end(*ply.calls[0])[0]:
        return BARE_KING
    if ply.game in ("shogi", "minishogi") and move.startswith("P@"):
        call = (ply.game, ply.fen, [move])
        if theirs.gives_check(*call) and not theirs.legal_moves(*call):
            return PAWN_DROP_MATE
    return None


def compare_fen(ply, found):
    """FEN."""
    own, other = ply.own_fen.split(), ply.fen.split()
    if own == other:
        return
    ply.fail("FEN", ply.own_fen, ply.fen)


def compare_move(ply, move):
    """How a move is written, at every fourth ply in all notations, and whether it captures."""
    compare_notation(ply, move, ours.NOTATION_DEFAULT)
    if len(ply.all_moves) % 4:
        return
    is_shogi = ply.game in ("shogi", "minishogi")
    notations = {
        "xiangqi": [ours.NOTATION_XIANGQI_WXF],
        "janggi": [ours.NOTATION_JANGGI],
    }.get(ply.game, [])
    if is_shogi:
        notations += [ours.NOTATION_SHOGI_HOSKING, ours.NOTATION_SHOGI_HODGES]
    else:
        notations += [ours.NOTATION_SAN, ours.NOTATION_LAN]
    for notation in notations:
        compare_notation(ply, move, notation)
    own, other = ply.here("is_capture", move)
    if own != other:
        ply.fail(f"{move} captures", own, other)


def compare_notation(ply, move, notation):
    """How a move is written in a notation."""
    modules = ((ours, ply.own_fen), (theirs, ply.fen))
    own, other = [module.get_san(ply.game, fen, move, False, notation) for module, fen in modules]
    if own != other:
        ply.fail(f"notation {notation} of {move}", own, other)


def compare_end(ply, found):
    """Whether and how the game is over; true if it is."""
    own, other = ply.both("is_immediate_game_end")
    if own[0] != other[0] or own[0] and own != other:
        rule = why_ends_differ(ply, own, other)
        if not rule:
            ply.fail("immediate end", own, other)
        found.explain(rule)
        return True
    if not ply.own:
        own, other = ply.both("game_result")
        if own != other:
            ply.fail("result", own, other)
        found.seen["ends without moves"] += 1
        return True
    own, other = ply.here("has_insufficient_material")
    if own != other:
        rule = why_too_few_differ(ply)
        if not rule:
            ply.fail("too few pieces", own, other)
        found.explain(rule)
        return True
    if own == (True, True):
        found.seen["ends by too few pieces"] += 1
        return True
    return compare_optional_end(ply, found)


def why_too_few_differ(ply):
    """The rule by which the pieces are too few on one side only: only kings and pieces bound to a color are left."""
    letters = set(ply.letters().lower())
    if ply.game in ("chess", "capablanca", "grand") and letters == {"k", "b"}:
        return DEAD_BISHOPS
    if ply.game == "makruk" and letters <= {"k", "m", "p"}:
        return DEAD_PAWNS
    return None


def why_ends_differ(ply, own, other):
    """The rule by which an immediate end differs."""
    if ply.game == "shatranj" and sum(map(str.isupper, ply.letters())) == 1:
        return BARE_KING_RESULT
    if ply.game == "shatranj" and sum(map(str.islower, ply.letters())) == 1:
        return BARE_KING_RESULT
    return None


def compare_optional_end(ply, found):
    """Repetition and counts of moves; true if one of them ends the game."""
    own, other = ply.both("is_optional_game_end")
    if own[0] != other[0] or own[0] and own != other:
        rule = why_optional_ends_differ(ply, own, other)
        if not rule:
            ply.fail("optional end", own, other)
        found.explain(rule)
        # Goes on where only one side sees an end by a count; a repetition ends the game.
        return own[0] and other[0]
    found.seen["optional ends"] += own[0]
    return own[0]


def why_optional_ends_differ(ply, own, other):
    """The rule by which an end by repetition or by a count of moves differs."""
    if ply.game == "xiangqi" and not own[0] and ply.halfmoves() >= 100:
        return SIXTY_MOVES
    if ply.game == "janggi" and own[0] and other[0]:
        return REPEATED_POINTS
    return None


def rebased(ply, starts, moves):
    """The FENs and the moves from which the game goes on: as they are, or the FENs alone after progress."""
    is_long = len(moves) >= WINDOW.get(ply.game, USUAL_WINDOW)
    has_progressed = ply.game in WINDOW or ply.own_fen.split()[4] == "0"
    return ((ply.own_fen, ply.fen), []) if is_long and has_progressed else (starts, moves)


def play(game, number, found):
    """One game to its end."""
    chance, moves, all_moves = rng(game, number), [], []
    starts = (ours.start_fen(game), theirs.start_fen(game))
    assert starts[0] == starts[1]
    found.seen["games"] += 1
    while len(all_moves) < LONGEST:
        ply = Ply(game, starts, moves, all_moves)
        found.seen["positions"] += 1
        compare_moves(ply, found)
        compare_fen(ply, found)
        # By the moves: a pass that ends a game of janggi may leave a check, which no FEN may.
        own, other = ply.both("gives_check")
        if own != other:
            ply.fail("check", own, other)
        if compare_end(ply, found):
            return
        both = sorted(set(ply.own) & set(ply.other))
        move = lively(chance, both, ply.is_capture, ply.count_replies)
        compare_move(ply, move)
        starts, moves = rebased(ply, starts, moves)
        moves, all_moves = [*moves, move], [*all_moves, move]
    found.seen["games cut"] += 1


@pytest.mark.parametrize("game", GAMES_OF_BOTH)
def test_random_games(game):
    found = Differences(game)
    for number in range(GAMES):
        play(game, number, found)
    found.report()
