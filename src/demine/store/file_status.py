"""What a database is found to be when a program comes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from demine.store.connection import SQL_ERRORS
from demine.store.errors import NoticeKind, Unfit
from demine.store.paths import set_asides

T = TypeVar("T")


class Batch(Protocol):
    """Does `work(connection, living owners but this one)` in a transaction of its own."""

    def __call__(self, work: Callable[[sqlite3.Connection, set[str]], T], /) -> T:
        """Return what the work returned."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What is to be done or told about the database that lies at `path` now.

    `unfit` says what was wrong with the file that lay there, and `kept` where it lies now, if it
    was set aside. `moved`: the connection led to another database before. `healed`: what
    was kept in memory meanwhile was carried into it. `owed` are the damaged
    files, set aside at any time, from which nothing was carried over yet. `left` is the file beside
    in which games were kept while this one could not be used; they are to be taken in. `halves`: an
    import was cut off, and what it had written is to be taken back.
    """

    path: Path
    unfit: Unfit | None = None
    kept: Path | None = None
    moved: bool = False
    healed: int | None = None
    owed: tuple[Path, ...] = ()
    left: Path | None = None
    halves: bool = False

    def __bool__(self) -> bool:
        return any(
            (
                self.moved,
                self.healed is not None,
                self.unfit,
                self.kept,
                self.owed,
                self.left,
                self.halves,
            )
        )

    @property
    def is_new(self) -> bool:
        """Whether the database is another one than before, without the games being played."""
        return self.moved or self.healed is not None or self.kept is not None


def owed(connection: sqlite3.Connection, path: Path) -> tuple[Path, ...]:
    """Return the damaged files set aside that nobody carried anything over from yet."""
    asides = set_asides(path, NoticeKind.DAMAGED.value)
    done = set[str]()
    if asides:
        with suppress(*SQL_ERRORS):
            done = {name for (name,) in connection.execute("SELECT name FROM salvaged")}
    return tuple(each for each in asides if each.name not in done)


def has_halves(connection: sqlite3.Connection) -> bool:
    """Whether there are games of an import that came to no end, or still goes on."""
    with suppress(*SQL_ERRORS):
        return connection.execute("SELECT 1 FROM arrivals LIMIT 1").fetchone() is not None
    return False
