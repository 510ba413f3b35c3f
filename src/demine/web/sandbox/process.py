"""Reads what strangers send in a process of its own, with little memory and little time.

Each file gets a new process, which is given the bytes and the language of who sent them, and gives
bytes back: nothing that it says is taken for a program. It cannot hold up the event loop, and what
it breaks ends with it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

from demine.kernels.kernel_set import KernelSet
from demine.logic.errors import DemineError
from demine.scene.python_program import python_program
from demine.scene.translation import current_language, explain, speaking
from demine.web.errors import RequestError, TooMuchWork

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_AT_ONCE: Final = 2
"""How many files are read at the same time; others wait."""
MOST_ANSWER: Final = 1 << 28
"""Bytes of the longest answer."""
_MEMORY: Final = 1 << 30
_NICE: Final = 10
_DONE: Final = b"+"
_FAILED: Final = b"-"
_PART: Final = 1 << 16
_PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[4:]; from demine.web.sandbox import process; "
    "process.answer(sys.argv[1], sys.argv[2], int(sys.argv[3]))"
)
# A pool of threads for linear algebra would reserve memory for every processor.
_ENVIRONMENT: Final[Mapping[str, str]] = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
}  # fmt: skip


class Unreadable(RequestError):
    """A file that cannot be read; the message says why, in the language of who sent it."""

    status = 422
    what = "unreadable"


class Sandbox:
    """Starts a process for every file, few at a time."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(MOST_AT_ONCE)

    async def read(self, function: str, data: bytes, seconds: int = 20) -> bytes:
        """Return what a function (`package.module:name`) makes of the bytes of a file.

        The process may use a gigabyte of memory and so many seconds of processor time. Raises
        `Unreadable` with what the function raised, and `TooMuchWork`.
        """
        async with self._turn:
            answer = await _run(function, data, seconds)
        kind, content = answer[:1], answer[1:]
        if kind == _FAILED:
            raise Unreadable("{reason}", reason=content.decode("utf-8", "replace"))
        if kind != _DONE:
            raise TooMuchWork("this file takes more time or memory to read than one file may")
        return content


async def _run(function: str, data: bytes, seconds: int) -> bytes:
    """Return all that the process says, nothing if it had to be ended."""
    process = await asyncio.create_subprocess_exec(
        python_program(), "-W", "ignore", "-c", _PROGRAM,
        function, current_language(), str(seconds), *map(os.path.abspath, sys.path),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, env={**os.environ, **_ENVIRONMENT},
    )  # fmt: skip
    try:
        # It may have to share its processor with others.
        async with asyncio.timeout(4 * seconds):
            return await _talk(process, data)
    except TimeoutError:
        return b""
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _talk(process: asyncio.subprocess.Process, data: bytes) -> bytes:
    sink, source = process.stdin, process.stdout
    if sink is None or source is None:
        return b""
    answer = bytearray()

    async def send() -> None:
        try:
            sink.write(data)
            await sink.drain()
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has ended: its answer says why
        sink.close()

    sending = asyncio.create_task(send())
    try:
        while part := await source.read(_PART):
            answer += part
            if len(answer) > MOST_ANSWER:
                return b""
        await process.wait()
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    return bytes(answer) if process.returncode == 0 else b""


# In the process


def answer(function: str, language: str, seconds: int) -> None:
    """Answer on standard output what a function makes of the bytes on standard input."""
    _limit(seconds)
    # Neither a thread nor another process is to work for a file.
    KernelSet.loads_in_background = False
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    module, _, name = function.partition(":")
    with speaking(language):
        try:
            found = _DONE + getattr(import_module(module), name)(sys.stdin.buffer.read())
        except DemineError as error:
            found = _FAILED + explain(error).encode("utf-8", "backslashreplace")
    with sink:
        sink.write(found)


def _limit(seconds: int) -> None:
    """Limit the memory and the time of this process, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(_NICE)
    for kind, most in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
