"""The player's settings: names with JSON values."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.store.damage_checks import check_types
from demine.store.errors import LONG_NAME, NO_SETTING, Reason, StoreError

if TYPE_CHECKING:
    from demine.store.self_replacing_database import Database

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
        value = _parse_json(row[0], default)
        return value if valid is None or valid(value) else default

    def set(self, key: str, value: object) -> None:
        """Keep a setting; raises `StoreError` for what JSON cannot say."""
        self.update({key: value})

    def update(self, settings: Mapping[str, object]) -> None:
        """Keep several settings at once, or none of them."""
        rows = [(key, json_text(key, value)) for key, value in settings.items()]
        self._database.write(lambda connection: write_settings(connection, rows))
        self._said |= dict(rows)

    def set_or_queue(self, settings: Mapping[str, object]) -> None:
        """Save several settings now, or as soon as it can be done.

        Raises `StoreError` where it could not be done yet, or not at all for what JSON cannot say.
        """
        rows = {key: json_text(key, value) for key, value in settings.items()}
        self._said |= rows
        self._waiting |= rows.keys()
        self.retry_saving()

    def delete(self, key: str) -> None:
        """Forget a setting, if it was ever made."""
        self._database.write(
            lambda connection: connection.execute("DELETE FROM settings WHERE key = ?", (key,))
        )
        self._said.pop(key, None)
        self._waiting.discard(key)

    @property
    def has_unsaved(self) -> bool:
        """Whether some are not saved yet."""
        return bool(self._waiting)

    def retry_saving(self) -> None:
        """Try again to save what could not be saved."""
        if self._waiting:
            self._database.write(self.write_unsaved)
            self._waiting.clear()

    def write_unsaved(self, connection: sqlite3.Connection) -> None:
        """Write the unsaved settings into a database."""
        write_settings(connection, [(key, self._said[key]) for key in sorted(self._waiting)])

    def write_into_new_database(self, connection: sqlite3.Connection) -> None:
        """Write all settings that this program has changed into another database."""
        write_settings(connection, list(self._said.items()))
        self._waiting.clear()

    def mark_unsaved(self) -> None:
        """Note that none of the settings of this program are in the database."""
        self._waiting = set(self._said)

    def all(self) -> dict[str, Json]:
        """Return every setting, by name; what is no JSON any more is left out."""
        return parse_settings(self._database.read(read_settings))


def read_settings(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return names and JSON texts of all settings, by name."""
    found = connection.execute("SELECT key, value FROM settings ORDER BY key").fetchall()
    for row in found:
        check_types(row, str, str)
    return found


def parse_settings(pairs: list[tuple[str, str]]) -> dict[str, Json]:
    """Return settings given as JSON texts by name; what is no JSON any more is left out."""
    missing: Json = ["missing"]
    found = ((key, _parse_json(text, missing)) for key, text in pairs)
    return {key: value for key, value in found if value is not missing}


def write_settings(connection: sqlite3.Connection, pairs: list[tuple[str, str]]) -> None:
    """Write settings given as JSON texts."""
    connection.executemany("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", pairs)


def json_text(key: str, value: object) -> str:
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


def _parse_json(text: object, default: Json) -> Json:
    if not isinstance(text, str):
        return default
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return default
    return value
