"""The examples and the pages: scripts, the notebook, the README."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import garrison

HERE = Path(__file__).parents[1]
EXAMPLES = HERE / "examples"
ROOT = HERE.parents[1]


def run(script, *arguments, **options):
    return subprocess.run(
        [sys.executable, EXAMPLES / script, *map(str, arguments)], capture_output=True, text=True, **options
    )


def test_a_match():
    found = run("match.py", "minishogi", "--pairs", 2, "--nodes", 20, 400)
    assert re.fullmatch(r"20 nodes against 400: [\d.]+ of 4 points, Elo .+\n", found.stdout), found.stderr


def test_statistics(tmp_path):
    found = run("random_games.py", "minishogi", "--games", 20)
    assert found.stdout.startswith("Minishogi") and "length" in found.stdout, found.stderr
    own = tmp_path / "own.toml"
    own.write_text("name = 'own'\ntitle = 'Own'\nbase = 'chess'\npass = true\n")
    assert run("random_games.py", own, "--games", 3, "--plies", 20).stdout.startswith("Own: 3 random games")
    assert run("random_games.py", "nothing").stderr.startswith("no variant 'nothing'")


def test_an_epd_file():
    found = run("solve_epd.py", ROOT / "bench/suites/wins.epd", "--nodes", 50_000)
    assert found.stdout.splitlines()[-1] == "solved 18/18", found.stdout + found.stderr


def test_the_bridge():
    chess = pytest.importorskip("chess")
    import chess.engine

    sys.path.insert(0, str(EXAMPLES))
    try:
        import uci_bridge
    finally:
        sys.path.pop(0)
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert uci_bridge.best_move(garrison.Engine(), board, depth=3) == chess.Move.from_uci("a1a8")
    board = chess.Board()
    board.push_san("e4")
    assert uci_bridge.position_of(board).moves == ["e2e4"]
    with chess.engine.SimpleEngine.popen_uci([sys.executable, EXAMPLES / "uci_bridge.py"]) as engine:
        for limit in [chess.engine.Limit(nodes=500), chess.engine.Limit(white_clock=1, black_clock=1)]:
            assert engine.play(board, limit).move in board.legal_moves
        info = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), chess.engine.Limit(depth=3))
        assert info["score"].relative == chess.engine.Mate(1)


def test_the_notebook():
    """By nbclient if that is installed, else cell by cell."""
    path = EXAMPLES / "garrison.ipynb"
    page = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in page["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
    try:
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError:
        names = {}
        for cell in cells:
            exec("".join(cell["source"]), names)
        return
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)


README = (HERE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page, least", [(HERE / "README.md", 5), (ROOT / "README.md", 1)], ids=["own", "root"])
def test_the_examples_of_the_pages(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    assert len(blocks) >= least
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {"__name__": "__main__"})


def test_the_readme_names_everything_public():
    for name in garrison.__all__:
        if not name.startswith("__"):
            assert re.search(rf"`[^`]*\b{name}\b", README), f"README.md does not name {name}"
