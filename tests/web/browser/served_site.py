"""A real server's process, at a port that it keeps when it is started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.web.database.place import DatabasePlace

READY_SECONDS = 60.0


class ServedSite:
    """`demine serve` on a database of its own.

    `constants` (`package.module:NAME`) have other values in it, so that a test need not wait for
    as long as a server does.
    """

    def __init__(
        self,
        folder: Path,
        constants: Mapping[str, float] | None = None,
        database: str = "",
        options: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self._options = options
        self._database = ["--database", database] if database else []
        self._program = _program(constants or {})
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def place(self) -> DatabasePlace:
        """Where its database is."""
        from demine.web.database.place import parse_place

        return parse_place(self._database[-1]) if self._database else self.folder / "server.sqlite"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *program: str, source: Path | None = None) -> None:
        """Start it, or a program in its place, and wait until it says where it listens.

        `source` is a folder with another package.
        """
        env = {
            **os.environ,
            **({} if source is None else {"PYTHONPATH": str(source)}),
            "DEMINE_DATA_DIR": str(self.folder),
            "LC_ALL": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
        }
        command = [sys.executable, *(program or self._program), "serve", "--port", str(self.port)]
        command += [*self._database, *self._options]
        log = self.folder / "server.log"
        with log.open("w", encoding="utf-8") as file:
            self.process = subprocess.Popen(
                command, env=env, stdin=subprocess.DEVNULL, stdout=file, stderr=file
            )
        until = time.monotonic() + READY_SECONDS
        while not (found := re.search(r"http://[^\s/]+:(\d+)", log.read_text(encoding="utf-8"))):
            assert self.process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < until, "the server does not say that it is ready"
            time.sleep(0.05)
        self.port = int(found[1])

    def kill(self) -> None:
        """End it as a power failure would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self._wait()

    def _wait(self) -> None:
        assert self.process is not None
        self.process.wait(READY_SECONDS)

    def text(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=READY_SECONDS) as answer:
            return str(answer.read().decode())


def _program(constants: Mapping[str, float]) -> list[str]:
    """The arguments with which Python runs demine."""
    if not constants:
        return ["-m", "demine"]
    lines = [
        "import sys",
        "from importlib import import_module",
        "from demine.__main__ import main",
    ]
    for name, value in constants.items():
        module, _, constant = name.partition(":")
        lines.append(f"vars(import_module({module!r}))[{constant!r}] = {value!r}")
    return ["-c", "\n".join([*lines, "from demine.__main__ import main", "sys.exit(main())"])]
