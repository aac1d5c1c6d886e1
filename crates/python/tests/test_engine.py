"""The engine: limits, lines, threads, asyncio, Ctrl-C."""

import asyncio
import gc
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import garrison

ROOT = Path(__file__).parents[3]
MATE = garrison.Position("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")


def test_a_mate_is_found():
    result = garrison.Engine().play(MATE, depth=4)
    assert result.move == "a1a8" and result.score.mate == 1 and str(result.score) == "#1"
    assert result.san == ["Ra8#"] and result.pv == ["a1a8"] and result.ponder is None
    assert result.lines[0].score == result.score and result.depth >= 1
    assert garrison.Engine().play(MATE, mate=2).move == "a1a8"


@pytest.mark.parametrize("name", garrison.variants())
def test_every_game_is_searched(name):
    position = garrison.Position(name)
    engine = garrison.Engine(memory=1)
    result = engine.play(position, nodes=300)
    assert result.move in position.legal_moves
    line = position.copy()
    for move in result.pv:
        line.push(move)
    assert len(result.san) == len(result.pv) > 0
    assert isinstance(engine.evaluate(position), int)


def test_searches_of_one_thread_are_the_same():
    position = garrison.Position("shogi")
    engine = garrison.Engine()
    found = []
    for _ in range(2):
        result = engine.play(position, nodes=2000)
        found.append((str(result.move), result.score, result.nodes, [str(move) for move in result.pv]))
        engine.clear()
    assert found[0] == found[1]
    other = garrison.Engine().play(position, nodes=2000)
    assert (str(other.move), other.score, other.nodes) == found[0][:3]


def test_lines_of_several_moves():
    with garrison.Engine().analyze(garrison.Position("chess"), depth=5, multipv=3) as analysis:
        infos = list(analysis)
        result = analysis.wait()
    assert {info.multipv for info in infos} == {1, 2, 3}
    assert [line.multipv for line in result.lines] == [1, 2, 3]
    assert len({str(line.pv[0]) for line in result.lines}) == 3
    assert result.lines[0].score >= result.lines[1].score >= result.lines[2].score
    assert not analysis.is_running and list(analysis) == []
    assert infos[-1].nodes > 0 and infos[-1].time >= 0 and infos[-1].seldepth >= 1


def test_the_moves_at_the_root_can_be_chosen():
    position = garrison.Position("chess")
    result = garrison.Engine().play(position, depth=4, moves=["a2a3", "Nh3"])
    assert result.move in ["a2a3", "g1h3"]
    with pytest.raises(garrison.MoveError):
        garrison.Engine().play(position, depth=4, moves=["e2e5"])


def test_times_and_levels_end_a_search():
    engine, position = garrison.Engine(), garrison.Position("xiangqi")
    for limits in [
        {"movetime": 0.05},
        {"clock": (1.0, 1), "increment": (0, 0.5)},
        {"clock": (0, 0), "byoyomi": 0.1},
        {"clock": (1, 1), "moves_to_go": 20},
        {"level": 1},
    ]:
        assert engine.play(position, **limits).move in position.legal_moves


def test_a_search_goes_on_until_it_is_stopped():
    engine, position = garrison.Engine(), garrison.Position("chess")
    analysis = engine.analyze(position)
    first = next(analysis)
    assert first.pv[0] in position.legal_moves and analysis.is_running
    with pytest.raises(garrison.EngineError, match="this engine is searching"):
        engine.play(position, nodes=10)
    with pytest.raises(garrison.EngineError, match="this engine is searching"):
        engine.clear()
    analysis.stop()
    # A search that was stopped is waited for.
    assert engine.play(position, nodes=10).move in position.legal_moves
    assert analysis.wait().move in position.legal_moves


def test_an_analysis_that_nobody_needs_is_stopped():
    engine, position = garrison.Engine(), garrison.Position("chess")
    for _ in range(3):
        with engine.analyze(position):
            pass
        analysis = engine.analyze(position)
        del analysis
        gc.collect()
    assert engine.play(position, nodes=10).move in position.legal_moves


def test_what_repeats_counts():
    position = garrison.Position("chess")
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        position.push(move)
    # A draw by repetition of chess has to be claimed, or is over; either way nothing is lost.
    try:
        assert garrison.Engine().play(position, nodes=50).move in position.legal_moves
    except garrison.EngineError as error:
        assert "repetition" in str(error)


def test_scores_are_ordered():
    ahead = garrison.Engine().play(garrison.Position("chess", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), depth=2).score
    assert -ahead < ahead and ahead > -ahead and ahead == -(-ahead) and hash(ahead) == hash(-(-ahead))
    assert ahead.centipawns > 300 and ahead.mate is None and 0.5 < ahead.expectation < 1
    assert ahead < garrison.Engine().play(MATE, depth=3).score


def test_features():
    numpy = pytest.importorskip("numpy")
    engine, position = garrison.Engine(), garrison.Position("swda-oj")
    white, black = engine.features(position)
    assert white.dtype == black.dtype == numpy.uint16 and white.shape == black.shape == (32,)
    assert len(set(white.tolist())) == 32 and max(white.max(), black.max()) < engine.feature_count("swda-oj")
    position.push("e2e3")
    changed = set(engine.features(position)[0].tolist()) ^ set(white.tolist())
    assert changed
    with pytest.raises(garrison.EvalError):
        engine.feature_count("janggi")


def test_features_without_numpy():
    script = """
        import sys
        sys.modules["numpy"] = None
        import garrison
        try:
            garrison.Engine().features(garrison.Position("swda-oo"))
        except ImportError as error:
            print(error)
    """
    found = python(script)
    assert found.stdout == "features are arrays of NumPy, which is not installed: pip install numpy\n", found.stderr


def test_an_evaluation_of_a_user(tmp_path):
    weights = (ROOT / "crates/weights/games/janggi.toml").read_text(encoding="utf-8")
    file = tmp_path / "janggi.toml"
    file.write_text(weights, encoding="utf-8")
    engine = garrison.Engine(evaluation=file)
    janggi = garrison.Position("janggi")
    assert engine.evaluate(janggi) == garrison.Engine().evaluate(janggi)
    assert engine.play(janggi, nodes=100).move in janggi.legal_moves
    with pytest.raises(garrison.EvalError):
        engine.play(garrison.Position("chess"), nodes=100)
    with pytest.raises(garrison.EvalError):
        engine.evaluate(garrison.Position("chess"))
    assert engine.play(janggi, nodes=100).move in janggi.legal_moves
    file.write_text("weights = 'none'")
    with pytest.raises(garrison.EvalError):
        garrison.Engine(evaluation=file).evaluate(janggi)
    file.write_bytes(b"\xff")
    with pytest.raises(garrison.EvalError, match="is neither evaluation weights in TOML nor a network file"):
        garrison.Engine(evaluation=file).evaluate(janggi)


def test_threads_search_at_once_with_an_engine_each():
    position = garrison.Position("makruk")
    expected = str(garrison.Engine(memory=1).play(position, nodes=3000).move)

    def search(_):
        return str(garrison.Engine(memory=1).play(position, nodes=3000).move)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(search, range(8))) == {expected}


def test_one_position_is_read_by_threads_while_another_searches():
    position = garrison.Position("chess")
    with garrison.Engine().analyze(position) as analysis:
        next(analysis)
        # The search has a copy: the position can be changed meanwhile.
        for _ in range(50):
            position.push(position.legal_moves[0])
        result_of_thread = []
        thread = threading.Thread(target=lambda: result_of_thread.append(garrison.perft(position.root(), 3)))
        thread.start()
        thread.join()
    assert result_of_thread == [8902]


@pytest.mark.parametrize("work", ["play", "perft"])
def test_a_position_can_be_changed_while_another_thread_works_on_it(work):
    position, engine, found = garrison.Position("chess"), garrison.Engine(), []
    begun, ended = threading.Event(), threading.Event()

    def run():
        begun.set()
        found.append(engine.play(position, nodes=50_000) if work == "play" else garrison.perft(position, 5))
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    changes = 0
    while not ended.is_set():
        # Both at once, or the work would not begin with the start.
        position.push("e2e4"), position.pop()
        changes += 1
    thread.join()
    assert len(found) == 1 and changes > 0


def test_one_analysis_is_read_by_threads():
    analysis = garrison.Engine().analyze(garrison.Position("chess"), depth=6)
    with ThreadPoolExecutor(3) as pool:
        parts = list(pool.map(lambda _: list(analysis), range(3)))
    assert sum(len(part) for part in parts) >= 6
    assert analysis.wait().depth == 6


def test_asyncio():
    async def both():
        position = garrison.Position("chess")
        one, two = garrison.Engine(memory=1), garrison.Engine(memory=1)
        results = await asyncio.gather(one.play_async(position, nodes=500), two.play_async(position, nodes=500))
        assert {str(result.move) for result in results} == {str(results[0].move)}
        depths = [info.depth async for info in one.analyze_async(position, depth=4)]
        assert depths[-1] == 4
        # One that runs without a limit ends with the iteration, and one that is cancelled with its task.
        async for _ in one.analyze_async(position):
            break
        task = asyncio.create_task(two.play_async(position, movetime=3600))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert two.play(position, nodes=10).move in position.legal_moves
        with pytest.raises(garrison.EngineError, match="a limit is missing"):
            await one.play_async(position)

    asyncio.run(both())


def python(script, **options):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, **options
    )


@pytest.mark.parametrize(
    "work",
    [
        "garrison.Engine().play(position, movetime=3600)",
        "list(garrison.Engine().analyze(position))",
        "garrison.perft(position, 20)",
        "garrison.divide(position, 20)",
        "asyncio.run(garrison.Engine().play_async(position, movetime=3600))",
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal are those of POSIX")
def test_ctrl_c(work):
    """A real SIGINT ends the work, and the program goes on after it."""
    script = f"""
        import asyncio, garrison, signal
        # A program that a shell started in the background ignores it, and so would those that it starts.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        position = garrison.Position("chess")
        try:
            print("ready", flush=True)
            {work}
        except KeyboardInterrupt:
            print(garrison.perft(position, 2))
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    # The signal may come before the work has begun: then it is caught all the same.
    threading.Event().wait(0.3)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert (out, process.returncode) == ("400\n", 0), errors


def test_a_program_ends_while_a_search_runs():
    found = python(
        """
        import garrison
        analysis = garrison.Engine().analyze(garrison.Position("chess"))
        next(analysis)
        print("end")
        """
    )
    assert (found.stdout, found.returncode) == ("end\n", 0), found.stderr


def test_processes():
    position = garrison.Position("shogi", moves=["Pg4"])
    again = pickle.loads(pickle.dumps(position))
    move = garrison.Engine().play(position, nodes=100).move
    assert again.push(pickle.loads(pickle.dumps(move))) == move
