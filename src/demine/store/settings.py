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
    """Settings by name, read from the database each time, so that all windows share changes.

    The last writer wins. Settings that this program does not know are preserved.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._changed: dict[str, str] = {}
        self._queued: set[str] = set()

    def get(
        self, key: str, default: Json = None, valid: Callable[[Json], bool] | None = None
    ) -> Json:
        """Return a setting, or `default` if there is none or it is not `valid`."""
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
        """Save a setting; raises `StoreError` for a value that JSON cannot express."""
        self.update({key: value})

    def update(self, settings: Mapping[str, object]) -> None:
        """Save several settings in one transaction. Raises as `set` does."""
        rows = [(key, json_text(key, value)) for key, value in settings.items()]
        self._database.write(lambda connection: write_settings(connection, rows))
        self._changed |= dict(rows)

    def set_or_queue(self, settings: Mapping[str, object]) -> None:
        """Save several settings now, or as soon as that is possible.

        Raises `StoreError` if it is not possible yet (they stay queued), and for a value that JSON
        cannot express.
        """
        rows = {key: json_text(key, value) for key, value in settings.items()}
        self._changed |= rows
        self._queued |= rows.keys()
        self.retry_saving()

    def delete(self, key: str) -> None:
        """Delete a setting, if there is one."""
        self._database.write(
            lambda connection: connection.execute("DELETE FROM settings WHERE key = ?", (key,))
        )
        self._changed.pop(key, None)
        self._queued.discard(key)

    @property
    def has_unsaved(self) -> bool:
        """Whether settings are queued and not saved yet."""
        return bool(self._queued)

    def retry_saving(self) -> None:
        """Save the queued settings; raises `StoreError` if that still fails."""
        if self._queued:
            self._database.write(self.write_unsaved)
            self._queued.clear()

    def write_unsaved(self, connection: sqlite3.Connection) -> None:
        """Write the queued settings into a database; they stay queued."""
        write_settings(connection, [(key, self._changed[key]) for key in sorted(self._queued)])

    def write_into_new_database(self, connection: sqlite3.Connection) -> None:
        """Write all settings that this program has changed into a new database."""
        write_settings(connection, list(self._changed.items()))
        self._queued.clear()

    def mark_unsaved(self) -> None:
        """Queue all settings that this program has changed: the database lost them."""
        self._queued = set(self._changed)

    def all(self) -> dict[str, Json]:
        """Return all settings by name, without those that are not valid JSON."""
        return parse_settings(self._database.read(read_settings))


def read_settings(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the names and JSON texts of all settings, sorted by name."""
    found = connection.execute("SELECT key, value FROM settings ORDER BY key").fetchall()
    for row in found:
        check_types(row, str, str)
    return found


def parse_settings(pairs: list[tuple[str, str]]) -> dict[str, Json]:
    """Parse names and JSON texts; what is not valid JSON is skipped."""
    missing: Json = ["missing"]
    found = ((key, _parse_json(text, missing)) for key, text in pairs)
    return {key: value for key, value in found if value is not missing}


def write_settings(connection: sqlite3.Connection, pairs: list[tuple[str, str]]) -> None:
    """Write settings, given as names and JSON texts."""
    connection.executemany("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", pairs)


def json_text(key: str, value: object) -> str:
    """Return a setting's value as JSON text; raises `StoreError` for a bad name or value."""
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
