"""A log, its index or the database taken away or cut under an open game: the next act notices."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from demine.logic.event import Act, Verb
from demine.logic.rules import EXPERT
from demine.store import Store
from demine.store.database_paths import database_files
from demine.store.lost_write_ahead_log import WriteAheadLog
from demine.store.transactions import WAL_SIZE_LIMIT
from tests.store.playing import keep_win, opened, safe_cells, win

BEFORE = 12


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as before:
        for number in range(BEFORE):
            keep_win(before, 1000 + number)
        before.settings.set("theme", "dark")
    with Store.open(path) as store:
        yield store


def killed(path: Path, folder: Path) -> Path:
    """Copy what a kill at this moment would leave on the disk."""
    folder.mkdir()
    for file in database_files(path):
        if file.exists() and not file.name.endswith("-shm"):
            shutil.copyfile(file, folder / file.name)
    return folder / path.name


def take_away(path: Path, what: str) -> None:
    """Do to the files of an open database what nobody should."""
    log, index = path.with_name("demine.db-wal"), path.with_name("demine.db-shm")
    if what == "log":
        log.unlink()
    elif what == "index":
        index.unlink()
    elif what == "both":
        log.unlink()
        index.unlink()
    elif what == "another log":
        content = log.read_bytes()
        log.unlink()
        log.write_bytes(content[: len(content) // 2])
    elif what == "log moved":
        log.rename(path.with_name("moved"))
    elif what == "all":
        for file in database_files(path):
            file.unlink(missing_ok=True)
    elif what == "database":
        path.unlink()
    else:
        name, share = what.split()
        cut = {"database": path, "log": log, "index": index}[name]
        os.truncate(cut, int(cut.stat().st_size * float(share)))


@pytest.mark.parametrize("reader", [False, True], ids=["alone", "read"])
@pytest.mark.parametrize(
    "what",
    [
        "log", "index", "both", "another log", "log moved", "database", "all",
        "log 0", "log 0.3", "log 0.7", "log 0.99", "database 0.2", "database 0.9",
        "index 0", "index 0.5",
    ],
)  # fmt: skip
def test_the_next_act_notices_and_all_is_kept_whole(
    store: Store, path: Path, tmp_path: Path, what: str, reader: bool
) -> None:
    with ExitStack() as stack:
        if reader:  # nothing of the log reaches the database while somebody reads what was before
            reading = sqlite3.connect(path, isolation_level=None)
            stack.callback(reading.close)
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM games").fetchone()
        ended = [keep_win(store, 500 + number) for number in range(3)]
        store.settings.set("zoom", 3)
        live = store.begin(opened(EXPERT))
        for row, col in safe_cells(live.game)[:5]:
            live.play(Act(10, Verb.FLAG, row, col))
        take_away(path, what)
        live.play(Act(20, Verb.UNDO))
        left = killed(path, tmp_path / "left")
        with Store.open(left) as after:
            assert after.take_notices() == ()
            resumed = after.resume()
            assert resumed is not None
            assert resumed.game == live.game
            assert after.settings.get("zoom") == 3
            if not what.startswith("database 0"):  # its pages are gone
                for each in ended:
                    assert after.load_game(each.id) == each.game
                    assert after.game_row(each.id).result == "won"
                assert len(after.games(limit=-1)) == BEFORE + 3
                assert after.settings.get("theme") == "dark"
    live.play(Act(30, Verb.FLAG, *safe_cells(live.game)[7]))
    store.close()
    with Store.open(path) as after:
        resumed = after.resume()
        assert resumed is not None
        assert resumed.game == live.game


def test_an_end_whose_log_goes_at_once_is_kept(store: Store, path: Path, tmp_path: Path) -> None:
    live = store.begin(opened())
    path.with_name("demine.db-wal").unlink()
    win(live.game, 300)
    live.record()
    with Store.open(killed(path, tmp_path / "left")) as after:
        assert after.load_game(live.id) == live.game
        assert len(after.games(limit=-1)) == BEFORE + 1


def test_other_programs_find_the_game_after_the_log_was_taken(store: Store, path: Path) -> None:
    live = store.begin(opened())
    path.with_name("demine.db-wal").unlink()
    live.tick(50)
    with Store.open(path) as other:
        assert other.take_notices() == ()
        assert other.load_game(live.id) == live.game
        keep_win(other, 77)
        live.tick(60)
        assert len(store.games(limit=-1)) == BEFORE + 1


@pytest.mark.parametrize("begins_long", [False, True])
def test_a_log_that_begins_anew_is_no_damage(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch, begins_long: bool
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(
        "demine.store.self_replacing_database.find_damage", lambda *found, **_: asked.append(found)
    )
    live = store.begin(opened())
    log = path.with_name("demine.db-wal")
    t = 0
    while log.stat().st_size <= WAL_SIZE_LIMIT + 400_000:
        t += 1
        live.tick(t)
    length = log.stat().st_size
    assert store._database.checkpoint()
    if begins_long:  # with an import, by another connection
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute(f"PRAGMA journal_size_limit = {WAL_SIZE_LIMIT}")
            other.execute("INSERT INTO settings VALUES ('k', ?)", (f'"{"x" * WAL_SIZE_LIMIT}"',))
        assert WAL_SIZE_LIMIT < log.stat().st_size < length
    live.tick(t + 1)
    live.tick(t + 2)
    assert begins_long or log.stat().st_size == WAL_SIZE_LIMIT
    assert asked == []
    assert store.take_notices() == ()


def test_an_act_looks_at_the_files_and_reads_none(tmp_path: Path) -> None:
    (tmp_path / "demine.db-shm").write_bytes(bytes(100))
    log = WriteAheadLog(tmp_path / "demine.db")
    assert not log.is_unchanged()  # it went before it was seen
    (tmp_path / "demine.db-wal").write_bytes(bytes(100))
    assert not log.is_unchanged()
    assert log.is_replaced()
    log.note_files()
    assert log.is_unchanged()
    (tmp_path / "demine.db-wal").write_bytes(bytes(99))
    assert log.is_unchanged()
    assert log.was_cut
    assert log.is_unchanged()
    assert not log.was_cut
