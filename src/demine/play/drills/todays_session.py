"""The next set of a player: drills of the games in the store, and of made boards besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.logic.daily_board import LEVELS
from demine.play.drills.pool import DrillPool
from demine.play.drills.schedule import SET_SIZE, subject_of
from demine.play.drills.session import DrillSession
from demine.store.daily import today_utc

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.store.store import Store

_SEARCH_SECONDS: Final = 3.0
"""How long the games of the store are searched before the first question."""


def todays_session(store: Store, should_stop: Callable[[], bool] = lambda: False) -> DrillSession:
    """Return a session with the next set, of positions not asked today; raises `StoreError`.

    Games of the store that were never searched are searched first, for some seconds or until
    `should_stop()` returns True. It computes for a while, so a window calls it in a thread.
    """
    pool, today = DrillPool(store), today_utc()
    pool.search_store(_SEARCH_SECONDS, should_stop)
    asked = {
        subject_of(review.drill)
        for review in store.drill_reviews()
        if review.at.startswith(today.isoformat())
    }
    # What was asked about today counts twice: the day's boards are made from the first on again.
    pool.fill_up(LEVELS["intermediate"], today, SET_SIZE + 2 * len(asked))
    pool.keep(lambda key: subject_of(key) not in asked)
    return DrillSession.of_today(pool, store)
