"""Backups of the server's database: copied, put in place, and never mixed with what was there."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from demine.store.database_paths import database_files
from demine.web import players
from demine.web.database.administration import Administration, restore
from demine.web.database.database import Database
from demine.web.errors import DatabaseError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with one player, in a folder of its own."""
    file = tmp_path / "data" / "server.sqlite"

    async def make() -> None:
        opened = await Database.open(file)
        await players.create(opened)
        await opened.close()

    asyncio.run(make())
    return file


def back_up(path: Path, target: Path) -> None:
    with Administration.open(path) as opened:
        opened.back_up(target)


def player_count(path: Path) -> int:
    with Administration.open(path) as opened:
        return len(opened.players())


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


@contextmanager
def with_players_in_log(path: Path, count: int) -> Iterator[None]:
    """Players that stand in the log of a database alone, as after a kill."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        rows = [(f"{num:036}", "2026-01-01") for num in range(count)]
        connection.executemany("INSERT INTO players (id, created_at) VALUES (?, ?)", rows)
        connection.commit()
        yield


def kill_after_adding(path: Path, count: int) -> None:
    """Leave a database with the log that a killed server leaves beside it."""
    killed = path.with_name("killed")
    killed.mkdir()
    with with_players_in_log(path, count):
        for file in database_files(path):
            with suppress(FileNotFoundError):
                shutil.copy(file, killed)
    for file in killed.iterdir():
        file.rename(path.with_name(file.name))
    killed.rmdir()


@pytest.mark.parametrize("is_database_gone", [True, False])
def test_the_log_of_the_database_before_does_not_get_into_the_backup(
    path: Path, tmp_path: Path, is_database_gone: bool
) -> None:
    copy = tmp_path / "copy.sqlite"
    back_up(path, copy)
    kill_after_adding(path, 2000)
    if is_database_gone:
        path.unlink()
    kept = restore(path, copy)
    assert player_count(path) == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert kept is not None
    if is_database_gone:
        assert kept.name.endswith("-wal")
    else:
        assert player_count(kept) == 2001
    assert kept.stat().st_size > 50_000


@pytest.mark.parametrize("name", ["server.sqlite.copy", "copy"])
def test_a_backup_beside_the_database_is_left_as_it_is(path: Path, name: str) -> None:
    source = path.with_name(name)
    back_up(path, source)
    before = source.read_bytes()
    restore(path, source)
    assert source.read_bytes() == before
    assert player_count(path) == 1


def test_files_with_similar_names_are_left_alone(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "monday.sqlite.copy"
    other.write_text("a letter")
    back_up(path, tmp_path / "monday.sqlite")
    assert other.read_text() == "a letter"
    assert names(tmp_path) == {"data", "monday.sqlite", "monday.sqlite.copy"}


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal", ".lock"])
def test_no_backup_takes_the_place_of_a_file_of_the_database(path: Path, suffix: str) -> None:
    own = path.with_name(path.name + suffix)
    linked = path.with_name("link")
    linked.symlink_to(own.name)
    for target in (own, linked):
        with pytest.raises(DatabaseError, match="is the database itself"):
            back_up(path, target)
    assert player_count(path) == 1
    with Administration.open(path) as opened:
        assert opened.log() == []


def test_no_backup_takes_the_place_of_a_database_in_use(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    back_up(path, other)
    with with_players_in_log(other, 3), pytest.raises(DatabaseError, match="in use as a database"):
        back_up(path, other)
    assert player_count(other) == 4


def test_no_backup_takes_the_place_of_anything_but_a_backup(path: Path, tmp_path: Path) -> None:
    letter, empty, other = (tmp_path / name for name in ("letter", "empty", "other.sqlite"))
    letter.write_text("Dear Ada,\n" * 99)
    empty.touch()
    back_up(path, empty)
    back_up(path, empty)
    restore(other, empty)  # the database of another server
    before = other.read_bytes()
    for target, reason in ((letter, "file is not a database"), (other, "in use as a database")):
        with pytest.raises(DatabaseError, match=reason):
            back_up(path, target)
    assert letter.read_text() == "Dear Ada,\n" * 99
    assert other.read_bytes() == before


def test_a_database_that_another_program_has_open_is_not_replaced(
    path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    back_up(path, copy)
    with with_players_in_log(path, 3), pytest.raises(DatabaseError, match="another program"):
        restore(path, copy)
    assert player_count(path) == 4
    assert names(path.parent) == {"server.sqlite", "server.sqlite.lock"}


def test_a_damaged_database_is_kept_with_its_log(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    back_up(path, copy)
    kill_after_adding(path, 50)
    garbage = b"\xff" * path.stat().st_size
    log = path.with_name("server.sqlite-wal")
    for file in (path, log):
        file.write_bytes(garbage)
    kept = restore(path, copy)
    assert kept is not None
    assert kept.read_bytes() == garbage
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == garbage
    assert player_count(path) == 1


def test_a_link_to_a_database_leads_to_the_restored_one(path: Path, tmp_path: Path) -> None:
    copy, link = tmp_path / "copy.sqlite", tmp_path / "link.sqlite"
    back_up(path, copy)
    kill_after_adding(path, 3)
    link.symlink_to(path)
    assert restore(link, copy) is not None
    assert link.is_symlink()
    assert player_count(path) == player_count(link) == 1


def test_the_log_says_only_what_was_done(path: Path, tmp_path: Path) -> None:
    for target in (tmp_path / "none" / "copy.sqlite", tmp_path):
        with pytest.raises(DatabaseError):
            back_up(path, target)
        with Administration.open(path) as opened:
            assert opened.log() == []
    back_up(path, tmp_path / "copy.sqlite")
    with Administration.open(path) as opened:
        assert [each.action for each in opened.log()] == ["backup"]
    assert names(tmp_path) == {"data", "copy.sqlite"}


def test_a_backup_that_cannot_be_noted_is_kept(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON admin_log "
            "BEGIN SELECT RAISE(ABORT, 'no more notes'); END"
        )
    with pytest.raises(DatabaseError, match=r"the backup is in .*, but not in the log: .*no more"):
        back_up(path, tmp_path / "copy.sqlite")
    assert player_count(tmp_path / "copy.sqlite") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_nothing_but_a_file_is_replaced(path: Path, tmp_path: Path) -> None:
    copy, pipe = tmp_path / "copy.sqlite", tmp_path / "pipe"
    back_up(path, copy)
    os.mkfifo(pipe)
    for target, reason in ((pipe, "it is a pipe or a device"), (tmp_path, "it is a folder")):
        with pytest.raises(DatabaseError, match=reason):
            back_up(path, target)
        with pytest.raises(DatabaseError, match=reason):
            restore(target, copy)
    assert pipe.is_fifo()
    assert names(tmp_path) == {"data", "copy.sqlite", "pipe"}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="this user gives nothing away")
def test_a_restored_database_belongs_to_whom_it_belonged(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    back_up(path, copy)
    os.chown(path, 1, 2)
    restore(path, copy)
    assert (path.stat().st_uid, path.stat().st_gid) == (1, 2)


KILLED_RESTORE = """
import os, signal, sys
from pathlib import Path
from demine.web.database.administration import restore
path, source, step = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
def end_at_step(event, arguments):
    global step
    if event in ("os.link", "os.rename"):
        step -= 1
        if not step:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(end_at_step)
restore(path, source)
"""
"""Restores, and is killed just before a file gets another name."""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_restore_that_is_killed_leaves_one_of_both(path: Path, tmp_path: Path) -> None:
    copy, spare = tmp_path / "copy.sqlite", tmp_path / "spare"
    back_up(path, copy)
    kill_after_adding(path, 9)
    shutil.copytree(path.parent, spare)
    step = 1
    while (code := killed_restore(path, copy, step)) == -signal.SIGKILL:
        assert player_count(path) == 10
        restore(path, copy)
        assert player_count(path) == 1
        shutil.rmtree(path.parent)
        shutil.copytree(spare, path.parent)
        step += 1
    assert (code, step) == (0, 3)
    assert player_count(path) == 1


def killed_restore(path: Path, source: Path, step: int) -> int:
    """Restore in a process that is killed at a step; return its exit code."""
    arguments = [sys.executable, "-c", KILLED_RESTORE, str(path), str(source), str(step)]
    return subprocess.run(arguments, check=False).returncode
