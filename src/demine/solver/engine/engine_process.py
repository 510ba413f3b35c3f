"""A program that is talked to line by line, and that never outlives whoever started it.

What it says and what it is told go through threads, so that nothing it does, or does not do, can
block the caller: output that never ends fills a short queue and then waits, and input that it does
not read is given up at the time limit. On POSIX systems it leads a session of its own, where Ctrl-C
does not reach it and all its processes can be killed together; a shell beside it does that when
this process ends in any way, even by a kill. Elsewhere it notices the end of its input.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from demine.scene.system_errors import system_error_reason
from demine.solver.engine.bounded_lines import LineTooLong, read_lines
from demine.solver.engine.errors import (
    EngineAnswerError,
    EngineEnded,
    EngineError,
    EngineStartError,
    EngineTimeout,
)
from demine.solver.engine.protocol import LONGEST_ANSWER, QUIT

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINES_AHEAD: Final = 256
"""How many lines of an engine are kept before it has to wait."""
_LAST_WORDS: Final = 5
"""How many of the last lines on standard error are kept."""
_SECONDS_TO_QUIT: Final = 1.0
_SECONDS_OF_A_WAIT: Final = 0.2
"""How long an answer is waited for without looking whether Ctrl-C was pressed."""
_GUARD: Final = 'read line || kill -9 "-$1"'
"""Waits for a line or the end of its input, and at that kills the session of the engine."""
_MOST_SHOWN: Final = 80
_SHELL: Final = "/bin/sh"


def command_text(command: str | Sequence[str]) -> str:
    """Return the command of an engine as it is told: in one line, a long one cut in the middle."""
    line = " ".join((command if isinstance(command, str) else shlex.join(command)).split())
    half = _MOST_SHOWN // 2
    return line if len(line) <= _MOST_SHOWN else f"{line[:half]} ... {line[-half:]}"


class EngineProcess:
    """One running engine; raises `EngineStartError` if it cannot be started.

    `command` is a command line or its words.
    """

    def __init__(self, command: str | Sequence[str]) -> None:
        self.name = command_text(command)
        self.last_command = ""
        """The line that was sent last, shortened."""
        self._lines: queue.Queue[str | LineTooLong | None] = queue.Queue(_LINES_AHEAD)
        self._input: queue.Queue[bytes | None] = queue.Queue(_LINES_AHEAD)
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._closed = False
        self._process = self._start(_words(command, self.name))
        self._guard = _start_guard(self._process.pid)
        self._threads = [
            threading.Thread(target=each, daemon=True)
            for each in (self._read, self._read_errors, self._write)
        ]
        for thread in self._threads:
            thread.start()

    def _start(self, words: str | Sequence[str]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 - the program that the user names
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                creationflags=_creation_flags(),
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise EngineStartError(
                "the engine {engine} cannot be started: {reason}",
                engine=self.name,
                reason=system_error_reason(error),
            ) from error

    def send(self, line: str) -> None:
        """Send a line; what the engine does not read is noticed by `receive`."""
        self.last_command = line if len(line) <= 60 else f"{line[:60]}..."
        with suppress(queue.Full):
            self._input.put_nowait(line.encode() + b"\n")

    def receive(self, until: float) -> str:
        """Return the next line of the engine; `until` is a time of `time.monotonic`.

        Raises `EngineTimeout`, `EngineEnded`, or `EngineAnswerError` for a line without end.
        """
        try:
            line = self._next_line(until)
        except queue.Empty:
            raise EngineTimeout(
                "the engine {engine} did not answer {command!r} in time",
                engine=self.name,
                command=self.last_command,
            ) from None
        if line is None:
            raise self._ended()
        if isinstance(line, LineTooLong):
            raise EngineAnswerError(
                "the engine {engine} answered {command!r} with a line of more than {most} bytes",
                engine=self.name,
                command=self.last_command,
                most=LONGEST_ANSWER,
            )
        return line

    def _next_line(self, until: float) -> str | LineTooLong | None:
        # A signal that arrives just before a wait begins does not end that wait, so it is short.
        while (left := until - time.monotonic()) > _SECONDS_OF_A_WAIT:
            with suppress(queue.Empty):
                return self._lines.get(timeout=_SECONDS_OF_A_WAIT)
        return self._lines.get(timeout=max(0.0, left))

    def pending_lines(self) -> list[str]:
        """Return what the engine has said before it was asked, without waiting."""
        found: list[str] = []
        with suppress(queue.Empty):
            while len(found) < _LINES_AHEAD and isinstance(line := self._lines.get_nowait(), str):
                found.append(line)
        return found

    def _ended(self) -> EngineEnded:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TO_QUIT)
        self._threads[1].join(_SECONDS_TO_QUIT)
        if not self._last_words:
            return EngineEnded(
                "the engine {engine} ended (exit code {code}) instead of answering {command!r}",
                engine=self.name,
                code=self._process.returncode,
                command=self.last_command,
            )
        return EngineEnded(
            "the engine {engine} ended (exit code {code}) instead of answering {command!r}: "
            "{last_words}",
            engine=self.name,
            code=self._process.returncode,
            command=self.last_command,
            last_words=" ".join(self._last_words)[-300:],
        )

    def close(self) -> None:
        """Ask the engine to quit, and kill it with all its processes if it does not at once."""
        if self._closed:
            return
        self.send(QUIT)
        with suppress(queue.Full):
            self._input.put_nowait(None)
        end = time.monotonic() + _SECONDS_TO_QUIT
        with suppress(EngineError):
            while time.monotonic() < end:
                self.receive(end)
        self.kill()

    def kill(self) -> None:
        """End the engine and all its processes at once; may be called more than once."""
        if self._closed:
            return
        self._closed = True
        # First the guard, or it might kill a process that got the same number later.
        _dismiss(self._guard)
        with suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                # Before it is waited for: until then nobody else can get its number.
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(queue.Full):
            self._input.put_nowait(None)
        self._drain()
        for thread in self._threads:
            thread.join(_SECONDS_TO_QUIT)

    def _drain(self) -> None:
        """Let the reading thread get to the end of what the engine said."""
        end = time.monotonic() + _SECONDS_TO_QUIT
        while self._threads[0].is_alive() and time.monotonic() < end:
            with suppress(queue.Empty):
                if self._lines.get(timeout=0.05) is None:
                    return

    def _read(self) -> None:
        with cast(BinaryIO, self._process.stdout) as source:
            for line in read_lines(source.fileno(), LONGEST_ANSWER):
                self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        with cast(BinaryIO, self._process.stderr) as source:
            for line in read_lines(source.fileno(), LONGEST_ANSWER):
                if isinstance(line, str) and line.strip():
                    self._last_words.append(line.strip())

    def _write(self) -> None:
        with suppress(OSError, ValueError), cast(BinaryIO, self._process.stdin) as target:
            while (data := self._input.get()) is not None:
                view = memoryview(data)
                while view:
                    view = view[target.write(view) :]


def _words(command: str | Sequence[str], name: str) -> str | Sequence[str]:
    """Return a command as the system takes it: Windows splits a line itself."""
    if not isinstance(command, str) or sys.platform == "win32":
        return command
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineStartError(
            "the engine {engine} cannot be started: {reason}", engine=name, reason=str(error)
        ) from error
    if not words:
        raise EngineStartError("the command of an engine is empty", engine=name)
    return words


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
    return 0


def _start_guard(engine: int) -> subprocess.Popen[bytes] | None:
    """Start what kills the session of the engine once this process has ended; None elsewhere."""
    if sys.platform == "win32":
        return None
    try:
        return subprocess.Popen(  # noqa: S603 - our own command
            [_SHELL, "-c", _GUARD, "demine-engine-guard", str(engine)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, RuntimeError):
        return None


def _dismiss(guard: subprocess.Popen[bytes] | None) -> None:
    if guard is not None:
        with suppress(OSError):
            guard.communicate(b"\n")
