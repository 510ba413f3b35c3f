"""Executors on this machine: in the calling thread, and in processes that may be killed.

The standard `ProcessPoolExecutor` does not replace `KillableProcessPool`: side by side, with two
workers, it started in 232 ms (181 ms here) and stopped in 8 ms (3 ms), but that takes its private
`_processes`, and one killed worker loses the pool and all 4 calls given to it (1 of 4 here).
"""

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
"""On Windows a process cannot wait for more than 61 others at a time."""

P = ParamSpec("P")
T = TypeVar("T")


def processor_count() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class InlineExecutor(Executor):
    """An executor that calls each function at once, in the calling thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call the function and return a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - raised by the future's result
            future.set_exception(error)
        return future


class KillableProcessPool(Executor):
    """An executor of processes that may be killed at any moment.

    The call that a killed process was running ends in `BrokenExecutor`, and another process takes
    its place; nothing else is lost. Each process has its own pipe: with a shared queue, as in the
    standard pool, a process killed while sending would block all others. The processes ignore
    Ctrl-C, which only their parent handles, and end when their parent ends in any way.
    """

    def __init__(self, workers: int) -> None:
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._open = True
        self._workers = [_Worker(self._tasks) for _ in range(min(workers, MAX_PROCESSES))]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function in one of the processes; the future has its result."""
        if not self._open:
            raise RuntimeError("the pool is closed")
        future: Future[T] = Future()
        self._tasks.put((future, (fn, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their calls; with `cancel_futures` kill them at once."""
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
    """An executor that calls functions inline during its first second, then in processes.

    So short work need not wait until processes have started.
    """

    def __init__(self, workers: int, inline_seconds: float = 1.0) -> None:
        self._inline = InlineExecutor()
        self._pool = KillableProcessPool(workers)
        self._inline_seconds = inline_seconds
        self._begun: float | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call the function here and now, or in one of the processes."""
        if self._begun is None:
            self._begun = time.monotonic()
        late = time.monotonic() - self._begun > self._inline_seconds
        return (self._pool if late else self._inline).submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes as `KillableProcessPool.shutdown` does."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


class _Worker:
    """A thread that hands tasks to a process, and to another one if that is killed."""

    def __init__(self, tasks: queue.SimpleQueue[Task | None]) -> None:
        self._tasks = tasks
        self._process: SpawnProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        self._killed = False
        self._thread = threading.Thread(target=self._run_tasks, daemon=True)
        self._thread.start()

    def kill(self) -> None:
        """Kill the process and start no other."""
        self._killed = True
        process = self._process
        if process is not None:
            with contextlib.suppress(ValueError):
                process.kill()

    def join(self) -> None:
        """Wait until the thread and its process have ended."""
        self._thread.join()

    def _run_tasks(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not self._killed and future.set_running_or_notify_cancel():
                self._run_task(future, call)
        self._end_process()

    def _run_task(self, future: Future[Any], call: object) -> None:
        """Set the future to the outcome from the process, or to `BrokenExecutor` if that ended."""
        try:
            if self._pipe is None:
                self._pipe = self._start_process()
            self._pipe.send(call)
            fine, value = pickle.loads(self._pipe.recv_bytes())  # noqa: S301 - our own process
        except (EOFError, OSError) as error:
            self._end_process()
            future.set_exception(BrokenExecutor(f"a process was ended: {error}".rstrip(" :")))
            return
        except Exception as error:  # noqa: BLE001 - cannot be pickled; raised by the result
            future.set_exception(error)
            return
        if fine:
            future.set_result(value)
        else:
            future.set_exception(value)

    def _start_process(self) -> Connection[Any, Any]:
        # Not forked: the threads of Numba and of the parent would not survive that.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve_calls, args=(theirs,), daemon=True)
        with ctrl_c_blocked():
            self._process.start()
        # Only the process may keep this end open, so that its death closes the pipe.
        theirs.close()
        if self._killed:
            self._process.kill()
        return ours

    def _end_process(self) -> None:
        """Close the pipe, at which the process ends, and wait for it."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.join()
            self._process = None


def _serve_calls(pipe: Connection[Any, Any]) -> None:
    """Run the calls that a pipe brings, in a worker process, until its other end is closed."""
    end_with_parent_only()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_pickled_outcome(*pipe.recv()))


def _pickled_outcome(
    call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> bytes:
    """Run a call; return whether it succeeded, and its value or error, as a pickle."""
    try:
        return pickle.dumps((True, call(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001 - raised by the future's result
        try:
            return pickle.dumps((False, error))
        except Exception:  # noqa: BLE001 - an error that cannot be pickled
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
