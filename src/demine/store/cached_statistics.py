"""The few statistics that lists and plots need, worked out once for each game and kept.

A game that goes on is not held up for them: they follow when there is time, the newest games first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.logic.errors import DemineError
from demine.store import checksums, game_rows
from demine.store.errors import StoreError

if TYPE_CHECKING:
    from demine.game import Game
    from demine.store.database import Database

Figures: TypeAlias = tuple[object, ...]
NAMES: Final = ("bv", "bv_solved", "clicks", "bv_s", "ioe")
"""The statistics that are kept, by their names in `demine.stats`."""
EDITION: Final = 1
"""Grows when a definition changes: what an older edition worked out is worked out again."""
_BATCH: Final = 16
_NOTHING: Final[Figures] = (None,) * len(NAMES)
_WRITE: Final = (
    f"INSERT OR REPLACE INTO figures (num, edition, {', '.join(NAMES)})"  # noqa: S608 (names)
    f" SELECT num, {EDITION}, ?, ?, ?, ?, ? FROM games WHERE num = ? AND id = ? AND acts = ?"
)
_SEAL: Final = f"UPDATE figures SET seal = {checksums.SEAL_OF_FIGURES} WHERE num = ?"  # noqa: S608 (names)


def figures_of(game: Game) -> Figures:
    """Return the statistics of a game that is over, in the order of `NAMES`."""
    from demine.statistics.compute import stats

    try:
        found = stats(game)
    except DemineError:  # no mines, no figures
        return _NOTHING
    return tuple(found[name] for name in NAMES)


def catch_up(database: Database, stop: Callable[[], bool], most: int | None = None) -> int:
    """Work out and keep what is missing, a few games at a time; return how many games that was."""
    waiting = database.look(_waiting)[:most]
    done = 0
    for first in range(0, len(waiting), _BATCH):
        found: list[tuple[object, ...]] = []
        for num in waiting[first : first + _BATCH]:
            if stop():
                break
            # Read, worked out and written one after the other: nobody waits for the middle.
            found += _worked_out(database, num)
        if found:
            database.write(partial(_keep, found))
            done += len(found)
        if stop():
            break
    return done


def _waiting(connection: sqlite3.Connection) -> Sequence[int]:
    found = connection.execute(
        "SELECT num FROM games WHERE status IN ('won', 'lost', 'resigned') AND NOT EXISTS"
        " (SELECT 1 FROM figures WHERE figures.num = games.num AND edition = ?)"
        " ORDER BY coalesce(finished_at, seen_at) DESC",
        (EDITION,),
    )
    return [num for (num,) in found]


def _worked_out(database: Database, num: int) -> list[tuple[object, ...]]:
    """Return the values for `_WRITE`; none for a game that is gone meanwhile."""
    row = database.look(lambda connection: game_rows.select(connection, "WHERE num = ?", (num,)))
    if not row or row[0].status not in ("won", "lost", "resigned"):
        return []
    try:
        text = database.look(lambda connection: game_rows.journal_text(connection, row[0].id, num))
        figures = figures_of(game_rows.loaded(text, row[0].id))
    except StoreError:
        # Lost for good: asking again would not help.
        figures = _NOTHING
    return [(*figures, num, row[0].id, row[0].acts)]


def _keep(found: Sequence[tuple[object, ...]], connection: sqlite3.Connection) -> None:
    connection.executemany(_WRITE, found)
    # Sealed as they came to lie there: a column of real numbers makes 3 a 3.0.
    connection.executemany(_SEAL, [(num,) for *_, num, _, _ in found])
