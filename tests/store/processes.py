"""Players in processes of their own, and what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("child.py")


def environment() -> dict[str, str]:
    """What a child needs to find the library and the tests."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}


class Player:
    """A child process that plays; `says` is what it said so far, line by line."""

    def __init__(self, path: Path, seed: int, what: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(CHILD), str(path), str(seed), what],
            stdout=subprocess.PIPE,
            env=environment(),
        )

    def line(self) -> dict[str, Any]:
        """What the player says next; an empty object when there is no more."""
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        # A line cut off by the kill was never said.
        return json.loads(text) if text.endswith(b"\n") else {}

    def rest(self) -> list[dict[str, Any]]:
        """Everything the player still says until it ends."""
        return list(iter(self.line, {}))

    def kill(self) -> list[dict[str, Any]]:
        """Kill the player at once; return what it had said and nobody heard."""
        self.process.kill()
        heard = self.rest()
        self.end()
        return heard

    def end(self) -> int:
        """Wait for the end; return the exit code."""
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.process.wait(timeout=30)


@contextmanager
def player(path: Path, seed: int, what: str) -> Iterator[Player]:
    """Start a player, and make sure that none is left behind."""
    child = Player(path, seed, what)
    try:
        yield child
    finally:
        child.process.kill()
        child.end()
