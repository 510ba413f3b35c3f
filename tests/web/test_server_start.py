"""A server that cannot start ends with an error that says why, and makes nothing."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from demine.cli.exit_codes import BAD_INPUT
from demine.web.database import sqlite_file
from demine.web.errors import DatabaseError, ServerError
from demine.web.server import serve
from tests.web.browser.served_site import ServedSite

END_SECONDS = 200.0


@pytest.mark.parametrize("contents", [b"no database at all\n" * 100, None])
def test_a_database_that_cannot_be_opened_is_told_of(
    contents: bytes | None, tmp_path: Path
) -> None:
    path, ready = tmp_path / "server.sqlite", list[str]()
    if contents is None:
        path.mkdir()
    else:
        path.write_bytes(contents)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        serve("127.0.0.1", 0, path, ready.append)
    assert ready == []


@pytest.mark.parametrize("host", ["a..b", "a" * 70, "256.0.0.1"])
def test_a_host_that_is_none_is_told_of(host: str, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=f"nobody can listen at {host}, port 0"):
        serve(host, 0, tmp_path / "server.sqlite", print)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A server's database."""
    ServedSite(tmp_path).stop()
    return tmp_path / "server.sqlite"


def changed(file: Path, name: str, sql: str) -> Path:
    """A copy of a database in which something was changed."""
    other = file.with_name(name)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(other)) as copy:
        source.backup(copy)
        copy.executescript(sql)
    return other


@pytest.fixture
def failures(file: Path) -> Iterator[dict[str, tuple[str, ...]]]:
    """Arguments of starts that fail, by what they say; all of it holds until the test ends."""
    newer = changed(file, "newer", "UPDATE alembic_version SET version_num = '9999'")
    foreign = changed(file, "foreign", "PRAGMA application_id = 7")
    unwritable = changed(
        file, "unwritable",
        "DELETE FROM secrets; CREATE TRIGGER full BEFORE INSERT ON secrets"
        " BEGIN SELECT RAISE(ABORT, 'no room is left'); END",
    )  # fmt: skip
    with ExitStack() as held:
        taken = held.enter_context(socket.create_server(("127.0.0.1", 0)))
        locked = held.enter_context(closing(sqlite3.connect(file, isolation_level=None)))
        locked.execute("BEGIN IMMEDIATE")
        yield {
            "another program listens there already": ("--port", str(taken.getsockname()[1])),
            "this computer has no such address": ("--host", "203.0.113.7"),
            "part of its path is not a folder": ("--database", str(newer / "folder" / "file")),
            "was made by a newer demine (format 9999": ("--database", str(newer)),
            "is not a database of demine's server": ("--database", str(foreign)),
            "cannot be written: no room is left": ("--database", str(unwritable)),
            "cannot be opened: another program is using it": ("--database", str(file)),
        }


def test_every_failed_start_ends_with_a_sentence(failures: dict[str, tuple[str, ...]]) -> None:
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    started = {
        said: subprocess.Popen(
            [sys.executable, "-m", "demine", "serve", "--port", "0", *arguments],
            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )
        for said, arguments in failures.items()
    }  # fmt: skip
    for said, process in started.items():
        out, error = process.communicate(timeout=END_SECONDS)
        assert (process.returncode, out) == (BAD_INPUT, ""), error
        assert error.startswith("demine serve: "), error
        assert error.count("\n") == 1, error
        assert said in error


def test_one_database_has_one_server(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of them would each play on with games that the other one has changed."""
    monkeypatch.setattr(sqlite_file, "_BUSY_MS", 200)
    site = ServedSite(file.parent)
    try:
        with pytest.raises(DatabaseError, match="cannot be opened: another program is using it"):
            serve("127.0.0.1", 0, file, print)
    finally:
        site.stop()
    ServedSite(file.parent).stop()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("soft", "hard", "told"),
    [(150, 300, "allows 200 connections at once"), (150, 3000, "")],
)
def test_few_files_are_told_of_and_many_are_taken(
    soft: int, hard: int, told: str, tmp_path: Path
) -> None:
    limits = f'ulimit -Sn {soft} && ulimit -Hn {hard} && exec "$@"'
    serving = [sys.executable, "-m", "demine", "serve", "--port", "0"]
    with subprocess.Popen(
        ["sh", "-c", limits, "sh", *serving],
        env={**os.environ, "DEMINE_DATA_DIR": str(tmp_path), "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://[^\s/]+", said)
        assert found, said
        with urllib.request.urlopen(found[0], timeout=END_SECONDS):
            process.terminate()  # it has said what it says
        said += process.stdout.read()
    assert ("at once" in said) == bool(told)
    assert told in said
