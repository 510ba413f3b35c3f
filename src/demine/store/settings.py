"""The player's settings: names and JSON values, kept as they are said."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.store.connection import typed
from demine.store.errors import LONG_NAME, NO_SETTING, Reason, StoreError

if TYPE_CHECKING:
    from demine.store.database import Database

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_KEY: Final = 200


class Settings:
    """Settings by name, read anew each time, so that a change in one window reaches the others.

    The last writer wins. Names this program does not know survive.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._said: dict[str, str] = {}
        self._waiting: set[str] = set()

    def get(
        self, key: str, default: Json = None, valid: Callable[[Json], bool] | None = None
    ) -> Json:
        """Return a setting, or `default` when it was never made or is not `valid`."""
        row = self._database.read(
            lambda connection: connection.execute(
                "SELECT value FROM settings WHERE key = ?", (key,)
            ).fetchone()
        )
        if row is None:
            return default
        value = _parse(row[0], default)
        return value if valid is None or valid(value) else default

    def set(self, key: str, value: object) -> None:
        """Keep a setting; raises `StoreError` for what JSON cannot say."""
        self.update({key: value})

    def update(self, settings: Mapping[str, object]) -> None:
        """Keep several settings at once, or none of them."""
        rows = [(key, text_of(key, value)) for key, value in settings.items()]
        self._database.write(lambda connection: put(connection, rows))
        self._said |= dict(rows)

    def remember(self, settings: Mapping[str, object]) -> None:
        """Keep several settings, now or as soon as it can be done.

        Raises `StoreError` where it could not be done yet, or not at all for what JSON cannot say.
        """
        rows = {key: text_of(key, value) for key, value in settings.items()}
        self._said |= rows
        self._waiting |= rows.keys()
        self.settle()

    def delete(self, key: str) -> None:
        """Forget a setting, if it was ever made."""
        self._database.write(
            lambda connection: connection.execute("DELETE FROM settings WHERE key = ?", (key,))
        )
        self._said.pop(key, None)
        self._waiting.discard(key)

    @property
    def waits(self) -> bool:
        """Whether some were not kept yet."""
        return bool(self._waiting)

    def settle(self) -> None:
        """Try again to keep what waits."""
        if self._waiting:
            self._database.write(self.copy)
            self._waiting.clear()

    def copy(self, connection: sqlite3.Connection) -> None:
        """Write what waits into a database."""
        put(connection, [(key, self._said[key]) for key in sorted(self._waiting)])

    def rewrite(self, connection: sqlite3.Connection) -> None:
        """Write all that this program has kept into another database."""
        put(connection, list(self._said.items()))
        self._waiting.clear()

    def unkeep(self) -> None:
        """Know that rewriting failed: all of it waits."""
        self._waiting = set(self._said)

    def all(self) -> dict[str, Json]:
        """Return every setting, by name; what is no JSON any more is left out."""
        return parsed(self._database.read(rows))


def rows(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return names and JSON texts of all settings, by name."""
    found = connection.execute("SELECT key, value FROM settings ORDER BY key").fetchall()
    for row in found:
        typed(row, str, str)
    return found


def parsed(pairs: list[tuple[str, str]]) -> dict[str, Json]:
    """Return settings given as JSON texts by name; what is no JSON any more is left out."""
    missing: Json = ["missing"]
    found = ((key, _parse(text, missing)) for key, text in pairs)
    return {key: value for key, value in found if value is not missing}


def put(connection: sqlite3.Connection, pairs: list[tuple[str, str]]) -> None:
    """Write settings given as JSON texts."""
    connection.executemany("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", pairs)


def text_of(key: str, value: object) -> str:
    """Return a setting's value as JSON; raises `StoreError` when it has no such form."""
    if not 0 < len(key) <= MAX_KEY:
        raise StoreError(
            NO_SETTING, key=key[:80], value=value, reason=Reason(LONG_NAME, most=MAX_KEY)
        )
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True)
        (key + text).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(NO_SETTING, key=key, value=value, reason=error) from error
    return text


def _parse(text: object, default: Json) -> Json:
    if not isinstance(text, str):
        return default
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return default
    return value
