"""A program with types, which mypy checks strictly and a test runs."""

from __future__ import annotations

import asyncio

import garrison


def random_moves(name: str, plies: int) -> list[str]:
    position = garrison.Position(name)
    for _ in range(plies):
        moves: list[garrison.Move] = position.legal_moves
        position.push(moves[-1])
    return [move.text for move in position.moves]


def best(engine: garrison.Engine, position: garrison.Position) -> tuple[str, int | None]:
    result = engine.play(position, nodes=500)
    return position.san(result.move), result.score.centipawns


def faults(text: str) -> list[tuple[int, str]]:
    try:
        garrison.Variant.from_text(text)
    except garrison.DefinitionError as error:
        return [(fault.line, fault.message) for fault in error.faults]
    return []


async def depths(engine: garrison.Engine, position: garrison.Position) -> list[int]:
    return [info.depth async for info in engine.analyze_async(position, depth=3)]


def annotated(position: garrison.Position) -> garrison.Game:
    game = garrison.Game.from_position(position)
    game.headers["White"] = "Anna"
    game.result = "1/2-1/2"
    if game.plies:
        game.annotate(0, comment="first", nags=[1])
    return game


def main() -> None:
    engine = garrison.Engine(memory=1)
    position = garrison.Position("minishogi")
    assert len(random_moves("minishogi", 4)) == 4
    assert best(engine, position)[0]
    assert faults("name = 'a'")
    assert asyncio.run(depths(engine, position))[-1] == 3
    assert str(annotated(position))
    hands: dict[str, int] = position.hands["white"]
    assert hands == {}


if __name__ == "__main__":
    main()
