"""Servers in processes of their own, with databases of their own, and what they take."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.web.postgres_server import has_postgres, running_postgres_server

SQLITE: Final = "SQLite"
POSTGRES: Final = "PostgreSQL"
"""The two kinds of databases, as the page names them."""


@dataclass(frozen=True)
class Served:
    """A server that runs."""

    address: str
    database: str
    """As that of `demine serve`; empty for one without any."""
    pids: Sequence[int]

    def processor_seconds(self) -> float:
        """Return the processor time of its processes, and of those that they started."""
        return sum(_processor_seconds(pid) for pid in _family(self.pids))

    def resident_kb(self) -> float:
        """Return how much memory its processes hold, in kilobytes."""
        return sum(_status(pid, "VmRSS") for pid in self.pids)

    def open_files(self) -> float:
        """Return how many files and connections its first process may have open."""
        limits = Path(f"/proc/{self.pids[0]}/limits").read_text(encoding="ascii")
        return float(re.findall(r"Max open files\s+(\d+)", limits)[0])


@contextmanager
def demine_server(folder: Path, database: str, processes: int = 1) -> Iterator[Served | None]:
    """Run `demine serve` on a new database; yields None where PostgreSQL is not installed."""
    command = [sys.executable, "-m", "demine", "serve", "--port", "0"]
    if processes > 1:
        command += ["--processes", str(processes)]
    if database == SQLITE:
        place = str(folder / "server.sqlite")
        with _served([*command, "--database", place], place) as server:
            yield server
    elif has_postgres():
        with running_postgres_server("") as postgres:
            place = postgres.new_database()
            with _served([*command, "--database", place], place) as server:
                yield server
    else:
        yield None


@contextmanager
def echo_server() -> Iterator[Served]:
    """Run a bare uvicorn that sends every message back."""
    with _served([sys.executable, "-m", "benchmarks.websocket_echo"], "") as server:
        yield server


@contextmanager
def _served(command: list[str], database: str) -> Iterator[Served]:
    """Run a server that prints its address."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            found = None
            while not found:
                line = process.stdout.readline()
                assert line, "the server ended"
                found = re.search(r"http://[^\s/]+", line)
            yield Served(found[0], database, [process.pid])
        finally:
            process.terminate()
            process.wait()


def allow_many_files() -> None:
    """Let this process have as many connections as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _family(pids: Sequence[int]) -> set[int]:
    """Return processes and all that they started."""
    parents = {
        int(each.name): int(_stat(int(each.name))[1])
        for each in Path("/proc").iterdir()
        if each.name.isdecimal() and (each / "stat").exists()
    }
    found = set(pids)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _processor_seconds(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str]:
    """Return what the system tells of a process, from its state on; zeros for one that has gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50


def _status(pid: int, name: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return float(re.findall(rf"{name}:\s+(\d+)", status)[0])
