"""A screen without a monitor, XBoard on it, and a hand that clicks and types."""

import os
import re
import shlex
import subprocess
import time

TOOLS = ["Xvfb", "xdotool", "import"]
PRESS, RELEASE = ["mousedown", "1"], ["mouseup", "1"]
# Where Debian puts XBoard.
os.environ["PATH"] += ":/usr/games"


class Fault(Exception):
    """What went wrong, in one line."""


# How long anything may take, in seconds: much, as the machine may be busy.
PATIENCE = 60


def wait_for(what, found, seconds=PATIENCE):
    """Asks until the answer is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = found()
        if answer:
            return answer
        time.sleep(0.01)
    raise Fault(f"{what}: not within {seconds} s")


class Screen:
    """An X server of its own, with nothing but what is started on it."""

    def __init__(self, size="1400x1000"):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size + "x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise Fault("Xvfb does not start")
        self.environment = dict(os.environ, DISPLAY=f":{number}", LANG="C.UTF-8")

    def run(self, *words):
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=30)
        return done.stdout

    def close(self):
        self.server.terminate()
        self.server.wait()


class XBoard:
    """XBoard as `garrison xboard` starts it, with a debug file of all that it reads and writes."""

    def __init__(self, screen, garrison, name, game, folder, options=(), launcher=()):
        self.screen = screen
        self.files, self.ranks, self.hands = game.files, game.ranks, game.has_hands
        self.debug = os.path.join(folder, f"{name}.debug")
        more = ["-debugMode", "true", "-nameOfDebugFile", self.debug, "-popupExitMessage", "false",
                "-popupMoveErrors", "false", "-animateMoving", "false", "-ringBellAfterMoves", "false", *options]
        command = subprocess.run(
            [garrison, "xboard", "--variant", name, "--print", *launcher, "--", *more],
            capture_output=True, text=True, check=True).stdout
        if os.path.exists(self.debug):
            os.remove(self.debug)
        self.process = subprocess.Popen(
            shlex.split(command), env=screen.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # XBoard learns the size of the board and makes its window as large.
        self.hear("<first : pong")
        self.window = wait_for("XBoard's window", self.steady_window)

    def steady_window(self):
        """The window, once it stays as it is."""
        first = self.find_window()
        time.sleep(0.3)
        return first if first == self.find_window() else None

    def find_window(self):
        """Number, place and size of the window of the board."""
        best = None
        for number in self.screen.run("xdotool", "search", "--onlyvisible", "--class", "xboard").split():
            text = self.screen.run("xdotool", "getwindowgeometry", "--shell", number)
            place = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", text)}
            if place.get("WIDTH", 0) >= 200 and (best is None or place["HEIGHT"] > best["HEIGHT"]):
                best = place
        return best

    def log(self):
        if not os.path.exists(self.debug):
            return []
        with open(self.debug, encoding="utf-8", errors="replace") as file:
            # The last line may not be whole.
            return [line.rstrip("\n") for line in file if line.endswith("\n")]

    def said(self, pattern, since=0):
        """The first line from a place on that fits: its place and what fits."""
        for number, line in enumerate(self.log()[since:], since):
            found = re.search(pattern, line)
            if found:
                return number, found
        return None

    def hear(self, pattern, since=0, seconds=PATIENCE):
        """What the debug file says, or will say, from a line on."""
        return wait_for(f"'{pattern}' in {self.debug}", lambda: self.said(pattern, since), seconds)

    def side(self):
        """The width of a cell."""
        return (self.window["WIDTH"] - 4) / (self.files + (4 if self.hands else 0))

    def place(self, column, row):
        """The middle of a cell of the board, counted from the top left."""
        side = self.side()
        left = self.window["X"] + 2
        top = self.window["Y"] + self.window["HEIGHT"] - side * self.ranks - 6
        return str(int(left + side * (column + 0.5))), str(int(top + side * (row + 0.5)))

    def square(self, name):
        """The middle of a square, in the notation of the rules, White below."""
        column = ord(name[0]) - ord("a") + (2 if self.hands else 0)
        return self.place(column, self.ranks - int(name[1:]))

    def slot(self, number):
        """The middle of a slot of White's hand, counted from below."""
        return self.place(self.files + 3, self.ranks - 1 - number)

    def mouse(self, place, *words):
        """Goes to a place, and presses or lets go the button there."""
        self.screen.run("xdotool", "mousemove", *place, *words)

    def lift(self, square, shown):
        """Clicks at a piece, and waits until the engine has said where it may go. The window may have got
        another size since it was measured: then XBoard has taken another piece, or none."""
        for _ in range(3):
            since = len(self.log())
            self.mouse(self.square(square), *PRESS, *RELEASE)
            try:
                self.hear(f">first : lift {shown}$", since, 10)
                return self.hear("<first : highlight", since)
            except Fault:
                self.window = self.find_window()
        raise Fault(f"XBoard takes no piece from {shown}")

    def put(self, place, choice):
        """Clicks at a place for the piece that was lifted; the engine may have to say what it becomes."""
        since = len(self.log())
        self.mouse(place, *PRESS)
        self.hear("<first : choice" if choice else ">first : put", since)
        self.mouse(place, *RELEASE)

    def drag(self, start, end):
        since = len(self.log())
        self.mouse(start, *PRESS)
        self.hear("<first : highlight", since)
        for step in (1, 2, 3):
            self.mouse([str(int(a) + (int(b) - int(a)) * step // 3) for a, b in zip(start, end)])
        self.mouse(end, *RELEASE)

    def picture(self, path):
        """A picture of the window, taken when the board stays as it is: all is drawn then."""
        window = [self.window[key] for key in ("WIDTH", "HEIGHT", "X", "Y")]
        # Above the board clocks tick.
        above = window[1] - int(self.side() * self.ranks)
        board = [window[0], window[1] - above, window[2], window[3] + above]

        def take(place):
            place = "{}x{}+{}+{}".format(*place)
            self.screen.run("import", "-window", "root", "-crop", place, "+repage", "-strip", path)
            with open(path, "rb") as file:
                return file.read()

        wait_for("a board that stays", lambda: take(board) == (time.sleep(0.2) or take(board)))
        take(window)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
