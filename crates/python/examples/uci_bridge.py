"""A bridge to python-chess: the engine for boards of python-chess, and a tiny UCI engine for any program of chess.

    python uci_bridge.py            # speaks UCI; give it to chess.engine.SimpleEngine.popen_uci
"""

from __future__ import annotations

import sys

import chess

import garrison


def position_of(board: chess.Board) -> garrison.Position:
    """The position of a board of python-chess, with its moves, so that repetitions count."""
    return garrison.Position("chess", board.root().fen(), [move.uci() for move in board.move_stack])


def best_move(engine: garrison.Engine, board: chess.Board, **limits: object) -> chess.Move:
    """The engine's move for a board of python-chess."""
    return chess.Move.from_uci(str(engine.play(position_of(board), **limits).move))  # type: ignore[arg-type]


def limits_of(words: list[str]) -> dict[str, object]:
    """The limits of a UCI command `go`."""
    values = {name: int(value) for name, value in zip(words, words[1:]) if value.lstrip("-").isdigit()}
    limits: dict[str, object] = {name: values[name] for name in ("nodes", "depth", "mate") if name in values}
    if "movetime" in values:
        limits["movetime"] = values["movetime"] / 1000
    if "wtime" in values and "btime" in values:
        limits["clock"] = (max(0, values["wtime"]) / 1000, max(0, values["btime"]) / 1000)
        limits["increment"] = (values.get("winc", 0) / 1000, values.get("binc", 0) / 1000)
    return limits or {"nodes": 10_000}


def main() -> None:
    engine, position = garrison.Engine(), garrison.Position("chess")
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name Garrison by Python\nid author the authors of Garrison\nuciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["ucinewgame"]:
                engine.clear()
            case ["position", "startpos", *rest]:
                position = garrison.Position("chess", moves=rest[1:])
            case ["position", "fen", *rest]:
                position = garrison.Position("chess", " ".join(rest[:6]), rest[7:])
            case ["go", *words]:
                for info in (analysis := engine.analyze(position, **limits_of(words))):  # type: ignore[arg-type]
                    mate, moves = info.score.mate, " ".join(map(str, info.pv))
                    score = f"cp {info.score.centipawns}" if mate is None else f"mate {mate}"
                    print(f"info depth {info.depth} score {score} nodes {info.nodes} pv {moves}", flush=True)
                print(f"bestmove {analysis.wait().move}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
