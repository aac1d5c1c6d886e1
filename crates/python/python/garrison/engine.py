"""The engine with its methods for asyncio. Everything else is in Rust."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from . import _garrison

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from ._garrison import Info, Move, Position, SearchResult


class Engine(_garrison.Engine):
    """The search, in this process.

    ``threads`` is how many search together, ``memory`` the size of the transposition table in MiB, and
    ``evaluation`` a file of weights, a network, or a folder of ``garrison learn``, in place of what ships.

    An engine searches one position at a time: a second search that begins meanwhile, also in another thread,
    raises EngineError. Use an engine for each thread. What it learns helps its next search of the same game.

    >>> import garrison
    >>> engine = garrison.Engine(threads=1, memory=16)
    >>> result = engine.play(garrison.Position("shoranji"), nodes=1000)
    >>> result.move.is_setup
    True
    """

    async def play_async(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        movetime: float | None = None,
        clock: tuple[float, float] | None = None,
        increment: tuple[float, float] | None = None,
        byoyomi: float | None = None,
        moves_to_go: int | None = None,
        mate: int | None = None,
        level: int | None = None,
        moves: Iterable[Move | str] | None = None,
    ) -> SearchResult:
        """Does what ``play`` does while the event loop runs on. A task that is cancelled stops its search.

        >>> import asyncio, garrison
        >>> position = garrison.Position("chess")
        >>> result = asyncio.run(garrison.Engine().play_async(position, nodes=500))
        >>> result.move in position.legal_moves
        True
        """
        limits = (nodes, depth, movetime, clock, mate, level)
        if all(limit is None for limit in limits):
            raise _garrison.EngineError(
                "a limit is missing: nodes, depth, movetime, clock, mate or level"
            )
        analysis = self.analyze(
            position,
            nodes=nodes,
            depth=depth,
            movetime=movetime,
            clock=clock,
            increment=increment,
            byoyomi=byoyomi,
            moves_to_go=moves_to_go,
            mate=mate,
            level=level,
            moves=moves,
        )
        try:
            return await asyncio.to_thread(analysis.wait)
        finally:
            analysis.stop()

    async def analyze_async(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        movetime: float | None = None,
        clock: tuple[float, float] | None = None,
        increment: tuple[float, float] | None = None,
        byoyomi: float | None = None,
        moves_to_go: int | None = None,
        mate: int | None = None,
        level: int | None = None,
        moves: Iterable[Move | str] | None = None,
        multipv: int = 1,
    ) -> AsyncIterator[Info]:
        """Yields what ``analyze`` does while the event loop runs on. The search stops when the iteration is closed.

        >>> import asyncio, garrison
        >>> async def deepest():
        ...     position = garrison.Position("chess")
        ...     return [info.depth async for info in garrison.Engine().analyze_async(position, depth=3)][-1]
        >>> asyncio.run(deepest())
        3
        """
        analysis = self.analyze(
            position,
            nodes=nodes,
            depth=depth,
            movetime=movetime,
            clock=clock,
            increment=increment,
            byoyomi=byoyomi,
            moves_to_go=moves_to_go,
            mate=mate,
            level=level,
            moves=moves,
            multipv=multipv,
        )
        end: Any = object()
        try:
            while (info := await asyncio.to_thread(next, analysis, end)) is not end:
                yield info
        finally:
            analysis.stop()
