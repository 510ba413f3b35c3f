"""Executors on this machine: one that plays right here, and processes that may be killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import queue
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from demine.studies.worker_lifetime import ctrl_c_blocked, end_with_parent_only

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from typing import TypeAlias

    Task: TypeAlias = tuple[Future[Any], tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]

MAX_PROCESSES: Final = 61 if sys.platform == "win32" else 1024
"""Windows waits for no more processes at a time."""

P = ParamSpec("P")
T = TypeVar("T")


def processor_count() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class InlineExecutor(Executor):
    """Does what it is told at once, in the thread that tells it."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result hears of it
            future.set_exception(error)
        return future


class KillableProcessPool(Executor):
    """Processes of this machine that may be killed at any moment.

    What a process was at when it was killed ends in `BrokenExecutor`, and another takes its place;
    nothing else is lost. Each has a pipe of its own: with a shared queue, as the standard pool has,
    a process killed while it speaks leaves all others waiting. They hear no Ctrl-C, which is
    for their parent, and end with their parent however that ends.
    """

    def __init__(self, workers: int) -> None:
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._open = True
        self._workers = [_Worker(self._tasks) for _ in range(min(workers, MAX_PROCESSES))]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a function called in one of the processes."""
        if not self._open:
            raise RuntimeError("the pool is closed")
        future: Future[T] = Future()
        self._tasks.put((future, (fn, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end; with `cancel_futures` at once, whatever they are doing."""
        self._open = False
        if cancel_futures:
            with contextlib.suppress(queue.Empty):
                while (task := self._tasks.get_nowait()) is not None:
                    task[0].cancel()
        for _ in self._workers:
            self._tasks.put(None)
        for worker in self._workers:
            if cancel_futures:
                worker.kill()
        for worker in self._workers:
            if wait:
                worker.join()


class InlineThenProcessPool(Executor):
    """Does what comes in its first second at once, and has processes for what comes later.

    So what is done in a moment need not wait until processes have started.
    """

    def __init__(self, workers: int, seconds: float = 1.0) -> None:
        self._here = InlineExecutor()
        self._pool = KillableProcessPool(workers)
        self._seconds = seconds
        self._begun: float | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do it here and now, or have it done."""
        if self._begun is None:
            self._begun = time.monotonic()
        late = time.monotonic() - self._begun > self._seconds
        return (self._pool if late else self._here).submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


class _Worker:
    """A process, and the thread that hands it its tasks; another one if it is killed."""

    def __init__(self, tasks: queue.SimpleQueue[Task | None]) -> None:
        self._tasks = tasks
        self._process: SpawnProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        self._killed = False
        self._thread = threading.Thread(target=self._run_tasks, daemon=True)
        self._thread.start()

    def kill(self) -> None:
        """End the process whatever it is doing, and start no other."""
        self._killed = True
        process = self._process
        if process is not None:
            with contextlib.suppress(ValueError):
                process.kill()

    def join(self) -> None:
        """Wait until the process has ended."""
        self._thread.join()

    def _run_tasks(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not self._killed and future.set_running_or_notify_cancel():
                self._run_task(future, call)
        self._end_process()

    def _run_task(self, future: Future[Any], call: object) -> None:
        """Set the future to what the process says, or to `BrokenExecutor` if it says no more."""
        try:
            if self._pipe is None:
                self._pipe = self._start_process()
            self._pipe.send(call)
            fine, value = pickle.loads(self._pipe.recv_bytes())  # noqa: S301 - our own process
        except (EOFError, OSError) as error:
            self._end_process()
            future.set_exception(BrokenExecutor(f"a process was ended: {error}".rstrip(" :")))
            return
        except Exception as error:  # noqa: BLE001 - what cannot be sent; whoever asked hears of it
            future.set_exception(error)
            return
        if fine:
            future.set_result(value)
        else:
            future.set_exception(value)

    def _start_process(self) -> Connection[Any, Any]:
        # Not forked: Numba's threads and whatever else the parent runs would not survive it.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve_calls, args=(theirs,), daemon=True)
        with ctrl_c_blocked():
            self._process.start()
        # Its end is the process's alone: when that is gone, there is nothing more to hear.
        theirs.close()
        if self._killed:
            self._process.kill()
        return ours

    def _end_process(self) -> None:
        """Let the process end, or see that it has."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.join()
            self._process = None


def _serve_calls(pipe: Connection[Any, Any]) -> None:
    """Call what comes out of a pipe, in a process of its own, until the other end is closed."""
    end_with_parent_only()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_pickled_outcome(*pipe.recv()))


def _pickled_outcome(
    call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> bytes:
    """Return what a call came to: whether it went well, and its value or its error."""
    try:
        return pickle.dumps((True, call(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001 - whoever asked hears of it
        try:
            return pickle.dumps((False, error))
        except Exception:  # noqa: BLE001 - an error that cannot be sent
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
