#!/usr/bin/env python3
"""A walk beside Fairy-Stockfish: random games of the reference games, and with --examples of the games in that folder,
the legal moves of every position compared move by move with those of pyffish, its Python module.

An example is compared with the game that its file is called, or with the one that a comment of it names:
`# In Fairy-Stockfish: knightmate, letters m=k k=n`, with `, chess960` where castling is written by rook.

With --rounds, games are played until one of the two says that they are over: by a mate or another end without moves, a
repetition, a count of moves, few pieces. pyffish is given the last moves of a game only, as it makes all of them again at
every question; a repetition or a draw by plies that is seen here is asked for with all moves, one that is seen there alone
only with --whole.

Without --inside the script makes a private environment, installs pyffish from PyPI there and runs itself
in it; where that cannot be done it says `SKIPPED: ` and why, and ends with status 77. Status 0 means that
no difference was left unexplained, 1 that one was.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys

GAMES = (
    "chess crazyhouse shatranj makruk shogi minishogi xiangqi janggi capablanca grand berolina"
).split()
SKIPPED = 77


def install(folder):
    """The Python of a private environment that has pyffish."""
    python = os.path.join(folder, "bin", "python")
    pip = "install --quiet --disable-pip-version-check --retries 1 --timeout 15 --only-binary :all: pyffish"
    steps = [
        [sys.executable, "-m", "venv", folder],
        [python, "-m", "pip", *pip.split()],
    ]
    has_it = [python, "-c", "import pyffish"]
    if os.path.exists(python) and subprocess.run(has_it, capture_output=True).returncode == 0:
        return python
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True)
        except OSError as error:
            skip(f"{step[0]}: {error.strerror}")
        if done.returncode != 0:
            output = (done.stderr or done.stdout).strip().splitlines() or ["no word of why"]
            skip(output[-1])
    return python


def skip(why):
    print(f"SKIPPED: pyffish cannot be had ({why}); nothing was compared")
    sys.exit(SKIPPED)


class Garrison:
    """The program under test, spoken to over UCI."""

    def __init__(self, path):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([path], text=True, bufsize=1, **pipes)
        self.ask("uci", "uciok")

    def ask(self, command, last):
        """The lines that answer a command, up to one that begins with `last`."""
        self.process.stdin.write(command + "\n")
        lines = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line.startswith("info string error"):
                sys.exit(f"garrison refused '{command}': {line}")
            lines.append(line)
            if line.startswith(last):
                return lines
        sys.exit(f"garrison ended at '{command}'")

    def set_game(self, name):
        self.process.stdin.write(f"setoption name UCI_Variant value {name}\n")
        self.ask("isready", "readyok")

    def add_games(self, folder):
        self.process.stdin.write(f"setoption name VariantPath value {os.path.abspath(folder)}\n")
        self.ask("isready", "readyok")

    def look(self, moves):
        """The legal moves, the board, the status and whether there is a check after these moves from the start."""
        text = "position startpos" + (" moves " + " ".join(moves) if moves else "")
        output = self.ask(f"{text}\nlegal\nd", "Status: ")
        fields = dict(re.findall(r"^(\w+): ?(.*)$", "\n".join(output), re.M))
        board = output.index(next(line for line in output if line.startswith("Fen: ")))
        legal = output[0].split() if board > 0 else []
        return set(legal), fields["Fen"], fields["Status"], fields["Checkers"] != ""


class Pyffish:
    """The module beside it; its moves as Garrison writes them."""

    def __init__(self):
        import pyffish

        self.module = pyffish
        self.window = 12

    def set_game(self, name, letters=(), chess960=False):
        self.game, self.start, self.chess960 = name, self.module.start_fen(name), chess960
        self.letters = {**dict(letters), **{a.upper(): b.upper() for a, b in letters}}

    def own_letters(self, text):
        """A text with pieces in the letters of Garrison."""
        return "".join(self.letters.get(letter, letter) for letter in text)

    def own_move(self, move, with_stones):
        move, comma, stone = move.partition(",")
        move = ours(move)
        if move[-1].isalpha():
            move = move[:-1] + self.own_letters(move[-1])
        # Where pieces leave stones behind, only pyffish says where they are.
        return move + comma + stone if with_stones else move

    def look(self, at, with_stones):
        """Legal moves of a position by their text in Garrison, and the board."""
        fen, moves = self.fen(at), self.module.legal_moves(self.game, *at, self.chess960)
        board, rest = fen.split(" ", 1)
        return {self.own_move(move, with_stones): move for move in moves}, f"{self.own_letters(board)} {rest}"

    def after(self, at, move):
        """A FEN and the moves after it for the position after a move. The last moves are kept, since a FEN does not say
        what they were, as a pass or kings that faced each other; all of them would be made again for every question.
        """
        fen, moves = at
        moves = moves + [move]
        if len(moves) > self.window:
            fen, moves = self.fen((fen, moves[:8])), moves[8:]
        return fen, moves

    def fen(self, at):
        return self.module.get_fen(self.game, *at, self.chess960)

    def is_check(self, at):
        return self.module.gives_check(self.game, *at, self.chess960)

    def is_mate_by_drop(self, at, move):
        after = self.after(at, move)
        return self.is_check(after) and not self.module.legal_moves(self.game, *after, self.chess960)

    def result(self, own):
        return self.module.game_result(self.game, self.start, own, self.chess960)

    def early_end(self, at):
        """What an end in spite of legal moves means for the side to move, 1, 0 or -1; None if the game goes on."""
        for name in ("is_immediate_game_end", "is_optional_game_end"):
            is_over, value = getattr(self.module, name)(self.game, *at, self.chess960)
            if is_over:
                return (value > 0) - (value < 0)
        too_few = self.module.has_insufficient_material(self.game, *at, self.chess960)
        return 0 if all(too_few) else None


def ours(move):
    """A move of pyffish as Garrison writes it: a pass is a move of the king to where it stands there."""
    half = len(move) // 2
    return "0000" if move[:half] == move[half:] else move


def placement(fen):
    """Pieces on the board and in hand, written in one way."""
    pieces = fen.split()[0]
    board, _, hand = pieces.partition("[")
    text, at = "", 0
    while at < len(board):
        # pyffish writes a queen that was a pawn as Q~, Garrison as +Q.
        if board[at + 1 : at + 2] == "~":
            text, at = text + "+" + board[at], at + 2
        else:
            text, at = text + board[at], at + 1
    return text, "".join(sorted(hand.rstrip("]").replace("-", "")))


def explained(peer, at, move, is_extra, status, text):
    """Why a difference is no fault, by the status here and the definition; None if it is one."""
    if not is_extra and move.endswith("+") and 'kind = "last"' in text:
        return "a second king lifts the check here, as both must be captured (Wikipedia, Sho shogi); there it does not"
    if is_extra and "bare king" in status:
        if len(pieces_of(peer.fen(at))) <= 3:
            return "there a bare king may still move against a bare king, or one with a piece that it cannot capture"
    if is_extra and "@" in move:
        if peer.is_mate_by_drop(at, move):
            return "a pawn drop that mates is a legal move there that loses"
    return None


def check_explained(text, is_here):
    """Why a check is seen on one side only, by the definition of the game; None if it is not known."""
    if is_here and re.search(r'kind = "captured"', text):
        return "a royal that may be captured is in check here, and never there"
    if not is_here and re.search(r'on_capture = "stone"', text):
        return "a king that would turn to stone if it captured attacks nothing here, and gives check there"
    return None


JANGGI = "janggi janggimodern janggicasual janggitraditional".split()


def end_explained(game, fen, status, there):
    """Why an end in spite of legal moves differs; None if it is not known. `there` is None if the game goes on there."""
    letters, halfmoves = pieces_of(fen), int(fen.split()[4])
    if "insufficient" in status and there is None:
        return "a king and a piece that never mate are a draw here; there a piece of one's own is taken to mate"
    if "bare king" in status:
        return "a bare king loses, or two are a draw, here; there only moves and pieces count (Wikipedia, Shatranj)"
    if "insufficient" in status and there == 0:
        return "a draw counts as a win of Black here; there few pieces have no result of their own"
    if game in JANGGI and "repetition" in status:
        return "a position that is repeated is a draw here; there the points decide"
    if status != "ongoing":
        return None
    if game in JANGGI and halfmoves >= 100:
        return "50 moves without a capture end the game there; rules of janggi do not know that"
    if game in JANGGI and set("".join(letters).lower()) <= set("kab"):
        return "generals and guards alone are a draw there; in janggi the points decide when both pass"
    # A running count stands behind the other fields; without one 50 moves may have ended the game.
    is_counted = len(fen.split()) > 6
    if there == 0 and (halfmoves < 100 or is_counted) and len(letters) <= 4:
        return "too few pieces by a list of kinds there; here only where no square lets them mate"
    if there == 0 and set("".join(letters).lower()) <= set("kmfq") and is_on_one_color(fen):
        return "pieces that stay on squares of one color are a draw there; here the count ends the game"
    if game == "xiangqi" and halfmoves >= 100:
        return "60 moves without a capture are a draw (Chinese competition rules); there 50"
    return None


def pieces_of(fen):
    """The letters of all pieces on the board."""
    return [letter for letter in fen.split()[0] if letter.isalpha()]


def is_on_one_color(fen):
    """Whether all pieces but the kings stand on squares of one color."""
    squares = [square for square, letter in occupied(fen).items() if letter not in "Kk"]
    return len({(ord(square[0]) + int(square[1:])) % 2 for square in squares}) <= 1


def value_of(status, side):
    """What a status means for the side to move: 1, 0 or -1."""
    if status.startswith("draw"):
        return 0
    return 1 if status.startswith(side) else -1


class Comparison:
    """All the differences of a run."""

    def __init__(self, garrison, peer):
        self.garrison, self.peer = garrison, peer
        self.positions = self.moves = self.ends = 0
        self.faults, self.reasons = [], collections.Counter()

    def fault(self, game, own, text):
        self.faults.append(f"{game} after '{' '.join(own)}': {text}")

    def compare(self, game, own, played, at):
        """Compares one position, `at` this one there; the moves that both know, ours and theirs."""
        legal, fen, status, is_check = self.garrison.look(own)
        theirs, their_fen = self.peer.look(at, any("," in move for move in legal))
        self.positions += 1
        self.moves += len(legal | set(theirs))
        is_over = not legal and not theirs
        # A captured royal ends the game; there it is in hand then.
        boards = [placement(text)[: 1 if is_over else 2] for text in (fen, their_fen)]
        if boards[0] != boards[1]:
            self.fault(game, own, f"the board is {fen} here, {their_fen} there")
        if is_check != self.peer.is_check(at) and not is_over:
            if why := check_explained(self.text, is_check):
                self.reasons[why] += 1
            else:
                self.fault(game, own, f"there is a check {'here' if is_check else 'there'} only ({fen})")
        for move in sorted(legal ^ set(theirs)):
            is_extra = move not in legal
            why = explained(self.peer, at, theirs.get(move, move), is_extra, status, self.text)
            if why:
                self.reasons[why] += 1
            else:
                self.fault(game, own, f"{move} is legal {'there' if is_extra else 'here'} only ({fen})")
        if is_over:
            self.compare_ends(game, own, played, fen, status)
        elif self.is_over_early(game, own, played, at, fen, status):
            return []
        return [(move, theirs[move]) for move in sorted(legal & set(theirs))]

    def is_over_early(self, game, own, played, at, fen, status):
        """Compares ends in spite of legal moves. Whether the game is over."""
        is_here, side = status != "ongoing", "white" if fen.split()[1] == "w" else "black"
        here = value_of(status, side) if is_here else None
        # A FEN has neither earlier positions nor, while a count runs there, the plies without progress.
        needs_all = "repetition" in status or "move count" in status
        there = self.peer.early_end((self.peer.start, played) if needs_all else at)
        if here == there:
            self.ends += is_here
            return is_here
        why = end_explained(self.peer.game, fen, status, there)
        if why:
            self.reasons[why] += 1
            self.ends += is_here
            return is_here
        self.fault(game, own, f"the end is '{status}' here, {there} for {side} there ({fen})")
        return True

    def compare_ends(self, game, own, played, fen, status):
        self.ends += 1
        side = "white" if fen.split()[1] == "w" else "black"
        found = self.peer.result(played)
        sign = (found > 0) - (found < 0)
        if sign != value_of(status, side) and re.search(r'on_capture = "stone"', self.text):
            why = "a king that would turn to stone if it captured attacks nothing here: stalemate, there mate"
            self.reasons[why] += 1
        elif sign != value_of(status, side):
            self.fault(game, own, f"the end is '{status}' here, {found} for {side} there ({fen})")

    def walk(self, game, text, positions, rounds, seed):
        """Random games until so many positions were seen, or so many games were played to their end. `text` is the
        definition, if there is a file of it.
        """
        self.text = text
        chance = random.Random(f"{game} {seed}")
        wanted, ends, faults = self.positions + positions, self.ends + rounds, len(self.faults)

        def goes_on():
            return self.ends < ends if rounds else self.positions < wanted

        tries = 0
        while goes_on() and len(self.faults) < faults + 20 and tries < 4 * (rounds or positions):
            tries += 1
            own, played, at = [], [], (self.peer.start, [])
            while (rounds or self.positions < wanted) and len(own) < (400 if rounds else 200):
                both = self.compare(game, own, played, at)
                if not both:
                    break
                move, their_move = pick(chance, both, self.peer.fen(at))
                own.append(move)
                played.append(their_move)
                at = self.peer.after(at, their_move)


def occupied(fen):
    """The squares of a FEN on which pieces stand, and the pieces."""
    squares, rows = {}, fen.split()[0].partition("[")[0].split("/")
    for rank, row in zip(range(len(rows), 0, -1), rows):
        file = 0
        for part in re.findall(r"\d+|\+?[A-Za-z]~?", row):
            if part.isdigit():
                file += int(part)
            else:
                squares[f"{chr(ord('a') + file)}{rank}"] = part
                file += 1
    return squares


def pick(chance, moves, fen):
    """Some move; captures and promotions more often than chance would have it, passes less often."""
    moves = [pair for pair in moves if pair[0] != "0000" or chance.random() < 0.1] or moves
    if chance.random() < 0.4:
        pieces = occupied(fen)
        lively = [
            pair
            for pair in moves
            if not pair[0][-1].isdigit() or re.sub(r"^[a-z]\d+", "", pair[0]) in pieces
        ]
        moves = lively or moves
    return chance.choice(moves)


def examples(folder):
    """The games of a folder of definitions that pyffish knows: name, name there, letters that differ, whether castling is
    written by rook, and the text with that of its base.
    """
    import pyffish

    known, found, texts = set(pyffish.variants()), [], {}
    for file in sorted(os.listdir(folder)):
        with open(os.path.join(folder, file), encoding="utf-8") as text:
            texts[file.removesuffix(".toml")] = text.read()
    for file, text in texts.items():
        base = re.search(r'^base = "(.*)"', text, re.M)
        name = re.search(r'^name = "(.*)"', text, re.M).group(1)
        there = re.search(
            r"^# In Fairy-Stockfish: ([\w-]+)(, chess960)?(?:, letters (.*))?$", text, re.M
        )
        peer = there.group(1) if there else file
        letters = [pair.split("=") for pair in ((there and there.group(3)) or "").split()]
        if peer in known:
            whole = text + texts.get(base.group(1) if base else "", "")
            found.append((name, peer, letters, bool(there and there.group(2)), whole))
        else:
            print(f"{name:<11} is not known to pyffish")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", required=True, help="garrison")
    parser.add_argument("--folder", default="pyffish", help="where the private environment is or will be")
    parser.add_argument("--positions", type=int, default=300, help="positions of each game")
    parser.add_argument("--rounds", type=int, default=0, help="games to their end, instead of positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", help="a folder of definitions whose games are walked instead")
    parser.add_argument("--games", nargs="*", help="only these")
    parser.add_argument("--whole", action="store_true", help="give pyffish all moves of a game at every question")
    parser.add_argument("--inside", action="store_true", help="pyffish is there: compare")
    args = parser.parse_args()
    if not args.inside:
        python = install(args.folder)
        done = subprocess.run([python, os.path.abspath(__file__), *sys.argv[1:], "--inside"])
        sys.exit(done.returncode)
    comparison = Comparison(Garrison(args.program), Pyffish())
    if args.whole:
        comparison.peer.window = sys.maxsize
    games = [(game, game, [], False, "") for game in GAMES]
    if args.examples:
        games = examples(args.examples)
        comparison.garrison.add_games(args.examples)
    for game, peer, letters, chess960, text in games:
        if args.games and game not in args.games:
            continue
        comparison.garrison.set_game(game)
        comparison.peer.set_game(peer, letters, chess960)
        before = (comparison.positions, comparison.moves, comparison.ends)
        comparison.walk(game, text, args.positions, args.rounds, args.seed)
        after = (comparison.positions, comparison.moves, comparison.ends)
        positions, moves, ends = (b - a for a, b in zip(before, after))
        print(f"{game:<11} {positions} positions, {moves} moves, {ends} ends", flush=True)
    for why, count in comparison.reasons.items():
        print(f"explained, {count} moves: {why}")
    for fault in comparison.faults:
        print(f"DIFFERENCE: {fault}")
    print(f"{len(comparison.faults)} differences unexplained")
    sys.exit(1 if comparison.faults else 0)


if __name__ == "__main__":
    main()
