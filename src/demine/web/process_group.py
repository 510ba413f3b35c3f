"""Several processes that serve at one address, and the process that looks after them.

One that dies is started again, and one whose event loop hangs is killed first. Told to (SIGHUP),
all are replaced one after the other, each by one that is ready before the old one ends, so that
nobody who connects is refused.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.web.errors import ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

_LOG: Final = logging.getLogger("demine.web")
_SPAWN: Final = multiprocessing.get_context("spawn")
_READY_S: Final = 60.0
"""How long a process may take until it is ready."""
_END_S: Final = 30.0
"""How long one may take to end once it is told to."""
_AGAIN_S: Final = 1.0
"""How long to wait before one that died is started again."""
_OFTEN_S: Final = 60.0
_LONGEST_REST_S: Final = 30.0
"""The same for one that dies within a minute again and again."""
_SILENT_S: Final = 30.0
"""One that has given no sign of life for so long is killed: its players wait for nothing."""
_LOOK_S: Final = 1.0
"""How often that is looked at."""
_HANGUP: Final = getattr(signal, "SIGHUP", None)


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    told: Connection
    """Where it says that it is ready, later that it lives, and in the end why it cannot serve."""
    heard_at: float = field(default_factory=time.monotonic)
    is_ready: bool = False
    last_word: DemineError | None = None
    is_closed: bool = False
    """Whether it will say no more."""

    def listen(self) -> None:
        """Take all that it has said."""
        try:
            while not self.is_closed and self.told.poll():
                self.last_word = self.told.recv()
                self.heard_at, self.is_ready = time.monotonic(), True
        except (EOFError, OSError):
            self.is_closed = True


class ProcessGroup:
    """Processes that all run `serve`.

    That is handed a function to call once it is ready, and again every few seconds: one that has
    been silent for `silent_s` is killed. `serve` is a function of a module, or a `partial` of one,
    with arguments that can be pickled.
    """

    def __init__(
        self,
        count: int,
        serve: Callable[[Callable[[], None]], None],
        silent_s: float = _SILENT_S,
    ) -> None:
        self._count = count
        self._serve = serve
        self._silent_s = silent_s
        self._looked_at = time.monotonic()
        self._workers: list[_Worker] = []
        self._is_stopping = False
        self._is_restarting = False
        self._rest_s = _AGAIN_S
        self._rested_at = -_OFTEN_S

    def run(self, on_ready: Callable[[], None]) -> None:
        """Run them until SIGINT or SIGTERM; `on_ready` is called once all are ready.

        Raises `ServerError`, or what `serve` raises, if one of them cannot start at the beginning.
        """
        with self._signals() as woken:
            try:
                self._workers = [self._start() for _ in range(self._count)]
                for worker in self._workers:
                    self._wait_until_ready(worker)
                on_ready()
                while not self._is_stopping:
                    self._look_after(woken)
            finally:
                self._end(self._workers)

    def _look_after(self, woken: socket.socket) -> None:
        """Wait until something happens, and do what is to be done then."""
        sentinels = [worker.process.sentinel for worker in self._workers]
        if woken in connection.wait([*sentinels, woken], _LOOK_S):
            woken.recv(4096)
        self._kill_silent()
        if self._is_restarting and not self._is_stopping:
            self._is_restarting = False
            self._replace_all()
        elif not self._is_stopping:
            self._start_dead_again()

    def _kill_silent(self) -> None:
        now, before = time.monotonic(), self._looked_at
        self._looked_at = now
        for worker in self._workers:
            worker.listen()
            if now - before > _LOOK_S + self._silent_s / 2:  # this process did not run itself
                worker.heard_at = now
            most_s = self._silent_s if worker.is_ready else max(self._silent_s, _READY_S)
            if now - worker.heard_at > most_s and worker.process.is_alive():
                _LOG.error("a process hangs and is killed")
                worker.process.kill()
                worker.process.join()

    def _replace_all(self) -> None:
        for place, old in enumerate(self._workers):
            if self._is_stopping or not self._replace(place, old):
                return

    def _replace(self, place: int, old: _Worker) -> bool:
        """Put a new process in the place of an old one, which stays if that is not possible."""
        new = self._start()
        try:
            self._wait_until_ready(new)
        except DemineError as error:
            _LOG.error("the processes are not replaced: %s", error)
            self._end([new])
            return False
        self._workers[place] = new
        self._end([old])
        self._looked_at = 0.0  # all of them are given time anew
        return True

    def _start_dead_again(self) -> None:
        for place, worker in enumerate(self._workers):
            if worker.process.is_alive() or self._is_stopping:
                continue
            _LOG.warning(
                "a process has ended (exit code %s%s) and is started again",
                worker.process.exitcode,
                _last_word(worker),
            )
            self._rest()
            self._end([worker])
            self._workers[place] = self._start()
            self._looked_at = 0.0

    def _rest(self) -> None:
        """Wait before one is started again, the longer the more often it happens."""
        now = time.monotonic()
        is_again = now - self._rested_at < _OFTEN_S
        self._rest_s = min(2 * self._rest_s, _LONGEST_REST_S) if is_again else _AGAIN_S
        until = now + self._rest_s
        while not self._is_stopping and time.monotonic() < until:
            time.sleep(0.1)
        self._rested_at = time.monotonic()

    def _start(self) -> _Worker:
        told, tell = _SPAWN.Pipe(duplex=False)
        process = _SPAWN.Process(target=_run, args=(self._serve, tell))
        process.start()
        tell.close()
        return _Worker(process, told)

    def _wait_until_ready(self, worker: _Worker) -> None:
        until = time.monotonic() + _READY_S
        while not worker.told.poll(0.2):
            if time.monotonic() > until or self._is_stopping:
                raise ServerError("a process does not become ready")
        worker.listen()
        if worker.last_word is not None:
            raise worker.last_word
        if worker.is_closed:
            raise ServerError("a process ended before it was ready")

    def _end(self, workers: list[_Worker]) -> None:
        for worker in workers:
            worker.process.terminate()
        until = time.monotonic() + _END_S
        for worker in workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.told.close()

    @contextmanager
    def _signals(self) -> Iterator[socket.socket]:
        """Take signals, each of which makes the socket readable."""
        woken, waker = socket.socketpair()
        woken.setblocking(False)
        waker.setblocking(False)
        asked = [signal.SIGINT, signal.SIGTERM, *([_HANGUP] if _HANGUP is not None else [])]
        before = {each: signal.signal(each, self._hear) for each in asked}
        fd = signal.set_wakeup_fd(waker.fileno())
        try:
            yield woken
        finally:
            signal.set_wakeup_fd(fd)
            for each, handler in before.items():
                signal.signal(each, handler)
            woken.close()
            waker.close()

    def _hear(self, number: int, _frame: object) -> None:
        if number == _HANGUP:
            self._is_restarting = True
        else:
            self._is_stopping = True


def _run(serve: Callable[[Callable[[], None]], None], tell: Connection) -> None:
    """Serve in a process of its own, which ends with the one that started it."""
    if _HANGUP is not None:  # a closed terminal tells all of them; the parent decides
        signal.signal(_HANGUP, signal.SIG_IGN)
    # The service manager hears of the group as a whole.
    os.environ.pop("NOTIFY_SOCKET", None)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # A parent that does not listen holds up nobody.
    os.set_blocking(tell.fileno(), False)

    def say(word: DemineError | None = None) -> None:
        with suppress(OSError):
            tell.send(word)

    try:
        serve(say)
    except DemineError as error:
        say(error)


def _last_word(worker: _Worker) -> str:
    """Return why a process says that it cannot serve, to stand behind its exit code."""
    worker.listen()
    return "" if worker.last_word is None else f": {worker.last_word}"


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        signal.raise_signal(signal.SIGTERM)
