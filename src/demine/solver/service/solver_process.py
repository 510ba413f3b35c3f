"""A process of the solver, as its parent sees it."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from demine.solver.service.server import FAILED, read_message, write_message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    OnMessage: TypeAlias = "Callable[[SolverProcess, str, object], None]"

PROCESS_ENDED: Final = "ended"
"""What is posted last: the process is gone."""

# The parent's own search path, so that the same demine is found: from a folder of the environment,
# from an archive, or because a program put it there.
_PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[3:]; "
    "import demine.solver.service.server as own; getattr(own, sys.argv[1])(*sys.argv[2].split())"
)


class SolverProcess:
    """One process that runs a function of `demine.solver.service.server` for sets of kernels.

    What it says is posted from a thread as `(helper, kind, value)`, at last `PROCESS_ENDED`. Raises
    OSError if it cannot be started.
    """

    def __init__(self, role: str, kernels: Sequence[str], on_message: OnMessage) -> None:
        try:
            self._start(role, kernels, on_message)
        except RuntimeError as error:
            # From 3.12 on neither a process nor a thread begins while Python ends.
            raise OSError(str(error)) from error

    def _start(self, role: str, kernels: Sequence[str], on_message: OnMessage) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own words
            [
                _python_executable(),
                "-W",
                "ignore",
                "-c",
                _PROGRAM,
                role,
                " ".join(kernels),
                *_search_path(),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            # A terminal's signals are for the window; Windows shall not open a console.
            start_new_session=True,
            creationflags=_creation_flags(role),
        )
        self._speech = cast(BinaryIO, self._process.stdin)
        self._reader = threading.Thread(target=self._read, args=(on_message,), daemon=True)
        try:
            self._reader.start()
        except RuntimeError:
            with self._process:
                self.kill()
            raise

    def send(self, message: bytes) -> None:
        """Send a message to the process; if it is gone, nothing is raised."""
        with suppress(OSError):
            write_message(self._speech, message)

    def kill(self) -> None:
        """End the process at once; from any thread, any number of times."""
        with suppress(OSError):
            self._process.kill()

    def close(self, seconds: float = 5.0) -> None:
        """End the process and give back everything; from the thread that sends."""
        self.kill()
        with suppress(OSError):
            self._speech.close()
        self._reader.join(seconds)

    def _read(self, on_message: OnMessage) -> None:
        with BufferedReader(cast(RawIOBase, self._process.stdout)) as source:
            while (message := read_message(source)) is not None:
                try:
                    kind, value = pickle.loads(message)  # noqa: S301 - our own process
                except Exception as error:  # noqa: BLE001 - an answer that cannot be read
                    kind, value = FAILED, error
                on_message(self, kind, value)
        self.kill()
        self._process.wait()
        on_message(self, PROCESS_ENDED, None)


def _python_executable() -> str:
    """Return the Python interpreter; raises OSError in a frozen program, which has none."""
    # What a frozen program or one with Python inside calls its executable is itself.
    if getattr(sys, "frozen", False) or not sys.executable:
        raise FileNotFoundError("there is no Python interpreter to start")
    return sys.executable


def _search_path() -> list[str]:
    """Return the search path as it is now, independent of where a process begins."""
    return [os.path.abspath(folder) for folder in sys.path]  # noqa: PTH100 - may be no path


def _creation_flags(role: str) -> int:
    if sys.platform == "win32":
        low = subprocess.BELOW_NORMAL_PRIORITY_CLASS if role == "compile_kernels" else 0
        return subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP | low
    return 0
