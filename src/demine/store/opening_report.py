"""The status of a database file that was just opened: what is to be done and reported."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from demine.store.damage_checks import SQL_ERRORS
from demine.store.database_paths import set_aside_files
from demine.store.errors import UnusableDatabase
from demine.store.notices import NoticeKind

T = TypeVar("T")


class RunBatch(Protocol):
    """Runs `work(connection, other living owners)` in a transaction of its own."""

    def __call__(self, work: Callable[[sqlite3.Connection, set[str]], T], /) -> T:
        """Return what the work returned."""


@dataclass(frozen=True, slots=True)
class OpenedFileStatus:
    """What is to be done and reported about the database at `path`, which was just opened.

    `problem` says what was wrong with the file that was there before, and `set_aside_path` where
    that file is now, if it was set aside. `was_replaced`: the connection led to another database
    before. `unreadable_in_memory`: games were held in memory meanwhile and have been copied here;
    this is how many of them could not be read. `to_salvage` are the damaged files, set aside at any
    time, whose games have not been copied yet. `side_database` is the file that took games while
    this one could not be used; they are to be imported. `has_partial_import`: an import was
    interrupted, and the games it had written are to be deleted.
    """

    path: Path
    problem: UnusableDatabase | None = None
    set_aside_path: Path | None = None
    was_replaced: bool = False
    unreadable_in_memory: int | None = None
    to_salvage: tuple[Path, ...] = ()
    side_database: Path | None = None
    has_partial_import: bool = False

    def __bool__(self) -> bool:
        return any(
            (
                self.was_replaced,
                self.unreadable_in_memory is not None,
                self.problem,
                self.set_aside_path,
                self.to_salvage,
                self.side_database,
                self.has_partial_import,
            )
        )

    @property
    def is_replacement(self) -> bool:
        """Whether the database is another one than before, which lacks the games being played."""
        return (
            self.was_replaced
            or self.unreadable_in_memory is not None
            or self.set_aside_path is not None
        )


def files_to_salvage(connection: sqlite3.Connection, path: Path) -> tuple[Path, ...]:
    """Return the damaged files set aside whose games have not been copied yet."""
    asides = set_aside_files(path, NoticeKind.DAMAGED.value)
    done = set[str]()
    if asides:
        with suppress(*SQL_ERRORS):
            done = {name for (name,) in connection.execute("SELECT name FROM salvaged")}
    return tuple(each for each in asides if each.name not in done)


def has_partial_import(connection: sqlite3.Connection) -> bool:
    """Return whether there are games of an import that was interrupted or is under way."""
    with suppress(*SQL_ERRORS):
        return connection.execute("SELECT 1 FROM arrivals LIMIT 1").fetchone() is not None
    return False
