"""One trouble after another: a lock and a look, a failed rewrite, a damaged file deleted."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NoReturn

import pytest

from demine.logic.event import Act, Verb
from demine.store import Store, StoreError, schema
from demine.store.file_lock import OwnerLocks
from demine.store.opening_report import OpenedFileStatus
from demine.store.transactions import run_transaction
from tests.store.playing import keep_win, opened, safe_cells, win


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for long, neither for another's lock nor to try again."""
    monkeypatch.setattr("demine.store.self_replacing_database._WRITE_WAIT_S", 0.2)
    monkeypatch.setattr("demine.store.self_replacing_database._RETRY_AFTER_S", 0.0)


def test_reading_beside_a_lock_makes_no_act_wait_again(path: Path) -> None:
    with Store.open(path) as store, sqlite3.connect(path, isolation_level=None) as other:
        live = store.begin(opened())
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError):
            live.play(Act(30, Verb.FLAG, *safe_cells(live.game)[0]))
        database = store._database
        waited = database._wait_seconds(2.0)
        store.games()
        assert database._wait_seconds(2.0) == waited < 2.0
        other.execute("ROLLBACK")
        live.record()
        assert database._wait_seconds(2.0) == 2.0
    other.close()


def test_a_store_is_closed_once(path: Path) -> None:
    store = Store.open(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for _ in range(2):
        with suppress(StoreError):
            store.settings.set_or_queue({"zoom": 3})
    with pytest.raises(StoreError):
        store.close()
    store.close()
    other.close()


def test_a_setting_that_was_deleted_stays_so(path: Path) -> None:
    with Store.open(path) as store:
        with sqlite3.connect(path, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError):
                store.settings.set_or_queue({"zoom": 3})
            other.execute("ROLLBACK")
        other.close()
        store.settings.delete("zoom")
        store.retry_queue.retry()
        assert store.settings.get("zoom") is None


def test_what_could_not_be_written_anew_waits(path: Path) -> None:
    with Store.open(path) as store:
        live = store.begin(opened())
        win(live.game, 800)
        live.record()
        database = store._database

        def full(work: Callable[[sqlite3.Connection, set[str]], object]) -> NoReturn:
            def ends(connection: sqlite3.Connection) -> NoReturn:
                work(connection, set())
                raise sqlite3.OperationalError("database or disk is full")

            run_transaction(database._usable_connection(), ends, "BEGIN IMMEDIATE", durable=True)
            raise AssertionError

        database.write(lambda connection: connection.execute("DELETE FROM games"))
        store._on_opened(full, OpenedFileStatus(path, was_replaced=True))
        assert store.retry_queue
        store.retry_queue.retry()
        assert [row.time_ms for row in store.games()] == [800]


def test_two_starts_that_wait_for_an_older_program_do_not_wait_for_each_other(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        for step in schema.MIGRATIONS[:3]:
            for sql in step:
                old.execute(sql)
        old.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        old.execute("PRAGMA user_version = 3")
    older = OwnerLocks(path, "f" * 16)
    with older.exclusive_access(1.0):
        older.register()
    with Store.open_or_wait(path) as one, Store.open_or_wait(path) as two:
        assert one.retry_queue.reason_in_memory is not None
        assert two.retry_queue.reason_in_memory is not None
        older.unregister(1.0)
        for store in (one, two):
            store._database._retry_at = 0.0
            store.retry_queue.retry()
            assert store.retry_queue.reason_in_memory is None


def test_a_damaged_page_of_a_deleted_file_costs_what_was_on_it(path: Path) -> None:
    with Store.open(path) as store:
        for number in range(300):
            keep_win(store, 900 + number)
        store._database.checkpoint()
    size = path.stat().st_size
    with Store.open(path) as store:
        live = store.begin(opened())
        noise = random.Random(1).randbytes(4096)
        for page in range(size // 4096 - 4, size // 4096):
            with path.open("r+b", buffering=0) as file:
                file.seek(page * 4096)
                file.write(noise)
        path.unlink()
        live.play(Act(30, Verb.FLAG, *safe_cells(live.game)[0]))
    with Store.open(path) as after:
        resumed = after.resume()
        assert resumed is not None
        assert resumed.game == live.game
        assert len(after.games(limit=-1)) >= 250
