"""SQLite's log is copied beside the commits, begun anew when it is long, and lost nowhere."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Engine

from demine.web.database import sqlite_file
from demine.web.database.log_checkpoints import LogCheckpoints, copy_log
from demine.web.database.sqlite_file import open_file

PAGE = 4096
NEVER_S = 3600.0


@contextmanager
def opened(path: Path, monkeypatch: pytest.MonkeyPatch, every_s: float) -> Iterator[Engine]:
    """What writes a new database whose log is copied every so often."""
    monkeypatch.setattr(
        sqlite_file, "LogCheckpoints", lambda path: LogCheckpoints(path, every_s=every_s)
    )
    engines = open_file(path)
    try:
        yield engines.writer
    finally:
        assert engines.log_checkpoints is not None
        engines.log_checkpoints.close()
        engines.readers.dispose()
        engines.writer.dispose()
        engines.lock.release()


def write_pages(writer: Engine, pages: int) -> None:
    """Commit so many pages, some at a time."""
    with writer.connect() as connection:
        for _ in range(pages // 50):
            with connection.begin():
                connection.execute(text(f"INSERT INTO kept VALUES (zeroblob({50 * PAGE}))"))


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def test_commits_leave_the_copying_to_others_and_a_long_log_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "server.sqlite"
    with (
        opened(path, monkeypatch, NEVER_S) as writer,
        closing(sqlite3.connect(path)) as other,
    ):
        other.execute("CREATE TABLE kept (bytes BLOB)")
        copy_log(other, long_pages=1)
        before = path.stat().st_size
        write_pages(writer, 2000)  # twice as many as SQLite lets wait by default
        assert path.stat().st_size == before
        copy_log(other)
        assert path.stat().st_size >= before + 2000 * PAGE
        length = log_of(path).stat().st_size
        copy_log(other, long_pages=2000)
        write_pages(writer, 2000)
        assert log_of(path).stat().st_size == length


def test_without_a_copy_for_long_a_commit_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "COMMIT_COPIES_PAGES", 500)
    path = tmp_path / "server.sqlite"
    with opened(path, monkeypatch, NEVER_S) as writer:
        with writer.begin() as connection:
            connection.execute(text("CREATE TABLE kept (bytes BLOB)"))
        write_pages(writer, 1000)
        assert path.stat().st_size > 400 * PAGE


def test_the_thread_copies_and_outlives_errors(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "server.sqlite"
    copies = LogCheckpoints(path, every_s=0.02)
    try:
        until(lambda: "cannot be copied" in caplog.text)
        assert not path.exists()  # nothing is made in its place
        with closing(sqlite3.connect(tmp_path / "made")) as made:
            made.execute("PRAGMA journal_mode = WAL")
            made.execute("CREATE TABLE kept (bytes BLOB)")
        (tmp_path / "made").rename(path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("INSERT INTO kept VALUES (zeroblob(400000))")
            connection.commit()
            until(lambda: path.stat().st_size > 400_000)
        assert caplog.text.count("cannot be copied") == 1  # said once, however long it lasts
    finally:
        copies.close()
    assert not copies._thread.is_alive()


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
