"""A real server of PostgreSQL for a test run, and databases in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from tests.server_database import make_server_database

_NUMBERS: Final = count()
_USER: Final = "postgres"
_SECONDS: Final = 60
_SETTINGS: Final = "-c listen_addresses= -c unix_socket_directories={folder} {more}"
_FAST: Final = "-c fsync=off"
"""What is written by tests need not outlive the system."""


@cache
def programs() -> Path | None:
    """The folder of PostgreSQL's newest programs; None where there are none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


class PostgresServer:
    """A server that listens at a socket in a folder of its own."""

    def __init__(self, folder: Path, settings: str = _FAST) -> None:
        self.folder = folder
        self._settings = settings
        self._data = folder / "data"

    def run(self, program: str, *arguments: str) -> None:
        bin_folder = programs()
        assert bin_folder is not None
        command = [str(bin_folder / program), *arguments]
        if os.geteuid() == 0:  # no server of PostgreSQL runs as root
            command = [
                "setpriv",
                f"--reuid={_USER}",
                f"--regid={_USER}",
                "--clear-groups",
                *command,
            ]
        done = subprocess.run(
            command, cwd="/", check=False, timeout=_SECONDS, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "PGHOST": str(self.folder), "PGUSER": _USER},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout

    def start(self) -> None:
        settings = _SETTINGS.format(folder=self.folder, more=self._settings)
        log = self.folder / "log"
        self.run("pg_ctl", "start", "-w", "-D", str(self._data), "-o", settings, "-l", str(log))

    def stop(self, mode: str = "immediate") -> None:
        self.run("pg_ctl", "stop", "-m", mode, "-D", str(self._data))

    def new_database(self, template: str = "template1") -> str:
        """Make a database, an empty one or a copy of another; returns its address."""
        name = f"test{next(_NUMBERS)}"
        self.run("createdb", "-T", template, name)
        return self.address(name)

    def new_server_database(self) -> str:
        """Make a database with the tables of a server, a copy of the first; returns its address."""
        return self.new_database(self._with_tables)

    @cached_property
    def _with_tables(self) -> str:
        from demine.web.database.place import parse_place

        address = self.new_database()
        make_server_database(parse_place(address))
        return address.partition("@/")[2].partition("?")[0]

    def address(self, name: str) -> str:
        return f"postgresql://{_USER}@/{name}?host={self.folder}"

    def make(self) -> None:
        self.run("initdb", "-D", str(self._data), "-U", _USER, "-A", "trust", "-E", "UTF8", "-N")


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Start a server; skips the test where PostgreSQL or its driver is missing."""
    if not has_postgres():
        pytest.skip("PostgreSQL or its driver is not installed")
    with running_postgres_server() as server:
        yield server


def has_postgres() -> bool:
    """Whether both PostgreSQL and its driver are installed."""
    return programs() is not None and find_spec("psycopg") is not None


@contextmanager
def running_postgres_server(settings: str = _FAST) -> Iterator[PostgresServer]:
    """Start a server in a folder of its own, where PostgreSQL is installed."""
    # A short path: that of a socket may have some hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="demine-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, _USER, _USER)
        server = PostgresServer(folder, settings)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
