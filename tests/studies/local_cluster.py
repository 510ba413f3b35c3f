"""A Dask cluster on this machine: a scheduler and two workers in processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.hand import wait_for

DASK: Final = (sys.executable, "-m", "dask")


class Cluster:
    """A scheduler on a free port, and two workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        paths = (os.path.abspath(path) for path in sys.path)  # noqa: PTH100
        self._env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--port", "0", "--host", "127.0.0.1")
        self.address = self._said(0, r"Scheduler at:\s+(tcp://\S+)")
        self.workers = [
            self._start(
                "worker", self.address, "--nthreads", "1", "--no-nanny",
                "--local-directory", str(folder),
            )
            for _ in range(2)
        ]  # fmt: skip
        for number in (1, 2):
            self._said(number, r"Registered to:\s+(tcp://\S+)")

    def _start(self, *args: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{len(self._processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [*DASK, *args, "--no-dashboard"], stdout=log, stderr=log, env=self._env
            )
        self._processes.append(process)
        return process

    def _said(self, number: int, pattern: str) -> str:
        log = self._folder / f"{number}.log"
        found: list[str] = []

        def heard() -> bool:
            found[:] = re.findall(pattern, log.read_text("utf-8", "replace"))
            return bool(found)

        wait_for(heard, f"{log.name} to say {pattern}")
        return found[0]

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait(30)
