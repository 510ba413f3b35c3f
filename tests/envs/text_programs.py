"""The programs of the text environment, run as users run them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"


def environment(**more: str) -> dict[str, str]:
    """The environment of a program that speaks English and reads the code under test."""
    return {**os.environ, "PYTHONPATH": str(SOURCE), "DEMINE_LANG": "en", **more}


def command(module: str, *words: str) -> list[str]:
    return [sys.executable, "-W", "error", "-m", f"demine.envs.text.{module}", *words]


def run(module: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(module, *words),
        capture_output=True,
        encoding="utf-8",
        env=environment(**more),
        check=False,
        timeout=120,
    )


@contextmanager
def running_server(
    *words: str, program: tuple[str, ...] = ("-m", "demine.envs.text.server")
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server, as its address and its process; Python runs it as `program` says."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", *program, "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    address = process.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:"), process.stderr.read()
    try:
        yield address.rstrip("/"), process
    finally:
        process.kill()
        process.communicate()
