"""A process of the solver, as the parent uses it."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from demine.scene.python_program import python_program
from demine.solver.service.server import FAILED, read_message, write_message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    OnMessage: TypeAlias = "Callable[[SolverProcess, str, object], None]"

PROCESS_ENDED: Final = "ended"
"""The kind of the last message: the process has ended."""

# It gets the search path of the parent, so that it finds the same demine: in a folder of the
# environment, in an archive, or wherever a program has put it.
_PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[3:]; "
    "import demine.solver.service.server as own; getattr(own, sys.argv[1])(*sys.argv[2].split())"
)


class SolverProcess:
    """One process that runs the function `role` of `demine.solver.service.server`.

    A thread calls `on_message(self, kind, value)` for each of its messages, and at the end with
    `PROCESS_ENDED`. Raises `OSError` if it cannot be started.
    """

    def __init__(self, role: str, kernel_set_names: Sequence[str], on_message: OnMessage) -> None:
        try:
            self._start(role, kernel_set_names, on_message)
        except RuntimeError as error:
            # From 3.12 on neither a process nor a thread can be started while Python ends.
            raise OSError(str(error)) from error

    def _start(self, role: str, kernel_set_names: Sequence[str], on_message: OnMessage) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [
                python_program(),
                "-W",
                "ignore",
                "-c",
                _PROGRAM,
                role,
                " ".join(kernel_set_names),
                *_search_path(),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            # Signals of the terminal must reach only the window, and no console may open on
            # Windows.
            start_new_session=True,
            creationflags=_creation_flags(role),
        )
        self._stdin = cast(BinaryIO, self._process.stdin)
        self._reader = threading.Thread(target=self._read, args=(on_message,), daemon=True)
        try:
            self._reader.start()
        except RuntimeError:
            with self._process:
                self.kill()
            raise

    def send(self, message: bytes) -> None:
        """Send a message to the process; does nothing if it has ended."""
        with suppress(OSError):
            write_message(self._stdin, message)

    def kill(self) -> None:
        """End the process at once; may be called from any thread and more than once."""
        with suppress(OSError):
            self._process.kill()

    def close(self, seconds: float = 5.0) -> None:
        """End the process and close its pipes, waiting `seconds` at most for its thread.

        Must be called by the thread that calls `send`.
        """
        self.kill()
        with suppress(OSError):
            self._stdin.close()
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


def _search_path() -> list[str]:
    """Return the current search path as absolute paths, which hold in any working directory."""
    return [os.path.abspath(folder) for folder in sys.path]  # noqa: PTH100 - may be no path


def _creation_flags(role: str) -> int:
    if sys.platform == "win32":
        low = subprocess.BELOW_NORMAL_PRIORITY_CLASS if role == "compile_kernels" else 0
        return subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP | low
    return 0
