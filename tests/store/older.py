"""Files of older formats, with games that were played."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from demine.store import schema


def make_older(path: Path, number: int) -> None:
    """Turn a closed database of today into one of an older format, with the rows that it knows."""
    new = path.with_name("older.db")
    connection = sqlite3.connect(new, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("BEGIN")
    for step in schema.MIGRATIONS[:number]:
        for sql in step:
            connection.execute(sql)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("COMMIT")
    connection.execute("ATTACH ? AS today", (str(path),))
    tables = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
    for (name,) in tables.fetchall():
        columns = ", ".join(
            row[1] for row in connection.execute(f"PRAGMA main.table_info({name})").fetchall()
        )
        connection.execute(
            f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM today.{name}"
        )
    connection.close()
    new.replace(path)
