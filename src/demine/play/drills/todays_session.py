"""The next set of a player: drills of the games in the store, and of made boards besides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from demine.logic.daily_board import LEVELS
from demine.play.drills.find_or_make import drill_filter
from demine.play.drills.made_games import daily_drill
from demine.play.drills.pool import DrillPool
from demine.play.drills.schedule import SET_SIZE, asked_about_on
from demine.play.drills.session import DrillSession

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from demine.store.store import Store

_SEARCH_SECONDS: Final = 3.0
"""How long the games of the store are searched before the first question."""
_USUAL_LEVEL: Final = "intermediate"
"""The level of the boards that are made where games do not suffice."""


@dataclass(frozen=True, slots=True)
class DrillChoice:
    """Which drills a set has: of a kind, of a pattern, of made boards of a level; None for any.

    With `is_daily` it is the drill of the day alone.
    """

    kind: str | None = None
    pattern: str | None = None
    level: str | None = None
    is_daily: bool = False
    count: int = SET_SIZE


ANY_DRILLS: Final = DrillChoice()


def todays_session(
    store: Store,
    choice: DrillChoice = ANY_DRILLS,
    *,
    should_stop: Callable[[], bool] = lambda: False,
    on_board: Callable[[], object] = lambda: None,
    utc_now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> DrillSession:
    """Return a session with the next set, of positions not asked today if there are enough.

    Games of the store that were never searched are searched first, for some seconds. No further one
    is, and no further board is made, when `should_stop()` returns True; `on_board` is called after
    each board. It computes for a while, so a window calls it in a thread. Raises `StoreError`, and
    `DrillError` for a kind or a pattern that there is not, and for two that exclude each other.
    """
    day = utc_now().date()
    pool = DrillPool(None if choice.is_daily or choice.level else store)
    if choice.is_daily:
        pool.add([daily_drill(day)])
    else:
        pool.search_store(_SEARCH_SECONDS, should_stop)
        pool.keep(drill_filter(choice.kind, choice.pattern))
        _fill_up(pool, choice, store, day, should_stop, on_board)
    return DrillSession.of_today(pool, store, choice.count, utc_now=utc_now)


def _fill_up(
    pool: DrillPool,
    choice: DrillChoice,
    store: Store,
    day: date,
    should_stop: Callable[[], bool],
    on_board: Callable[[], object],
) -> None:
    """Add drills of made boards where the pool has too few that were not asked today."""
    pool.fill_up(
        LEVELS[choice.level or _USUAL_LEVEL],
        day,
        choice.count,
        kind=choice.kind,
        pattern=choice.pattern,
        known=asked_about_on(day, store.drill_reviews()),
        on_board=on_board,
        should_stop=should_stop,
    )
