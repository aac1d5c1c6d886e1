"""The positions of an independent implementation of the rule book, through the Python face."""

import json
from pathlib import Path

import pytest

import garrison

FILE = Path(__file__).parents[3] / "tests" / "vectors.jsonl"
VECTORS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_all_are_there():
    assert len(VECTORS) == 198


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['variant']} {v['fen']}"[:60])
def test_vector(vector):
    position = garrison.Position(vector["variant"], vector["fen"])
    assert position.fen == vector["fen"]
    moves = position.legal_moves
    assert sorted(str(move) for move in moves) == vector["moves"]
    assert position.count_legal_moves() == len(moves)
    assert str(position.status) == vector["status"]
    for depth in (2, 3):
        if vector.get(f"perft{depth}") is not None:
            assert garrison.perft(position, depth) == vector[f"perft{depth}"]
    if vector.get("perft2") is not None:
        divided = garrison.divide(position, 2)
        assert sorted(divided) == vector["moves"]
        assert sum(divided.values()) == vector["perft2"]
    for move in moves:
        assert position.parse_san(position.san(move)) == move
        assert position.parse_move(move.text) == move
    assert position.fen == vector["fen"]
