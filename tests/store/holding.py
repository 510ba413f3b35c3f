"""Another process that holds a database, and disks that are full."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from demine.store import Store

HOLD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
if sys.argv[2] == "ALONE":
    held.execute("PRAGMA locking_mode = EXCLUSIVE")
held.execute("BEGIN " + sys.argv[2].replace("ALONE", "EXCLUSIVE"))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path: Path, how: str = "IMMEDIATE") -> Iterator[subprocess.Popen[bytes]]:
    """Have another process hold a database until the end of the block, or until it is killed.

    IMMEDIATE and EXCLUSIVE keep writers out, ALONE lets nobody open it.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), how], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"held\n"
        yield process
    finally:
        process.kill()
        process.stdin.close()
        process.stdout.close()
        process.wait()


@contextmanager
def small_disk(folder: Path, kilobytes: int = 512) -> Iterator[Path]:
    """Mount a disk of so many kilobytes for the length of the block; skip where nobody may."""
    folder.mkdir(parents=True, exist_ok=True)
    sized = ["-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(["mount", "-t", "tmpfs", *sized], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount on this system")
    if done.returncode:
        pytest.skip(f"this user may mount no disk: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Fill a disk to its last byte; return the file that does, to be removed for room."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as stream:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    stream.write(os.urandom(size))
            except OSError:
                continue
    return ballast


def results_of(path: Path) -> list[str]:
    """How the games in the records stand, as the next start finds them."""
    with Store.open(path) as store:
        return [row.status for row in store.games(limit=-1)]
