"""What is computed of a game that is over, from its journal alone, in whichever process.

Nothing here needs a database, so that the process that computes need not load what speaks to one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from demine.game import Game
from demine.logic.game import Status
from demine.play.end_summary import three_bv_of
from demine.scene.click_counter import ClickCounter
from demine.store.cached_statistics import DEFINITIONS_VERSION, STATISTIC_NAMES, statistic_values
from demine.web.verification import is_verified

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    FiguresFinder: TypeAlias = Callable[[str, int | None], Awaitable["GameFigures"]]
    """Has the figures of a journal computed, as `game_figures` does."""


class GameFigures(NamedTuple):
    """What is computed of a game that is over."""

    statistics: dict[str, object]
    """As `computed_statistics` returns them."""
    time_ms: int
    clicks: int
    three_bv: int
    """0 of a game that was not won: its end says nothing about the board."""
    is_verified_win: bool
    """Whether it was won as leaderboards want it: `demine.web.verification`."""


def game_figures(journal: str, arrived_ms: int | None) -> GameFigures:
    """Return the figures of a game that took `arrived_ms` by the server's clock, None if unknown.

    Raises `DemineError` for what is no journal.
    """
    game = Game.from_journal(journal)
    is_won = game.status is Status.WON
    return GameFigures(
        computed_statistics(game),
        game.time_ms,
        ClickCounter(game).count,
        three_bv_of(game) if is_won else 0,
        is_won and is_verified(game, arrived_ms),
    )


async def figures_in_thread(journal: str, arrived_ms: int | None) -> GameFigures:
    """Return what `game_figures` does, computed in a thread of this process."""
    return await asyncio.to_thread(game_figures, journal, arrived_ms)


def computed_statistics(game: Game) -> dict[str, object]:
    """Return the columns of `GAMES` that hold the statistics of a game that is over, by name."""
    values = zip(STATISTIC_NAMES, statistic_values(game), strict=True)
    return {**dict(values), "statistics_version": DEFINITIONS_VERSION}
