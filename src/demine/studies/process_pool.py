"""Executors on this machine: in the calling thread, and in processes that may be killed.

The standard `ProcessPoolExecutor` does not replace `KillableProcessPool`: one killed worker loses
that pool and every call given to it, and its processes run the main program again as they start.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Any, BinaryIO, Final, ParamSpec, TypeVar, cast

from demine.scene.python_program import python_program
from demine.scene.sanitized_console import sanitize_output
from demine.studies.main_guard import missing_guard

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Task: TypeAlias = tuple[Future[Any], tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]

MAX_WORKERS: Final = 1024
_PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[1:]; del sys.argv[1:]; "
    "import demine.studies.process_pool as own; own.serve_calls()"
)
_is_worker = False
"""Whether this process is one of a pool."""

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
    its place; nothing else is lost. Each process has its own pipes: with a shared queue, as in the
    standard pool, a process killed while sending would block all others. A process starts at its
    first call, does not hear of Ctrl-C, and ends when its parent ends in any way. It does not run
    the main program; what its calls print goes to standard error.
    """

    def __init__(self, workers: int) -> None:
        if _is_worker:
            raise missing_guard()
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._open = True
        self._workers = [_Worker(self._tasks) for _ in range(workers)]

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
                worker.thread.join()


class _Worker:
    """A thread that hands tasks to a process, and to another one if that is killed."""

    def __init__(self, tasks: queue.SimpleQueue[Task | None]) -> None:
        self._tasks = tasks
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self.thread = threading.Thread(target=self._run_tasks, daemon=True)
        self.thread.start()

    def kill(self) -> None:
        """Kill the process and start no other."""
        self._killed = True
        process = self._process
        if process is not None:
            process.kill()

    def _run_tasks(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not self._killed and future.set_running_or_notify_cancel():
                self._run_task(future, call)
        self._end_process()

    def _run_task(self, future: Future[Any], call: object) -> None:
        """Set the future to the outcome from the process, or to `BrokenExecutor` if that ended."""
        try:
            # First, as what cannot be pickled is no reason to end the process.
            data = pickle.dumps(call)
            process = self._process = self._process or _start_process()
            if self._killed:
                process.kill()
            _write_message(cast(BinaryIO, process.stdin), data)
            fine, value = pickle.loads(_read_message(cast(BinaryIO, process.stdout)))  # noqa: S301 - our own process
        except (EOFError, OSError) as error:
            code = self._end_process()
            reason = error if code is None else f"exit code {code}"
            future.set_exception(BrokenExecutor(f"a process was ended: {reason}"))
        except Exception as error:  # noqa: BLE001 - cannot be pickled; raised by the result
            future.set_exception(error)
        else:
            future.set_result(value) if fine else future.set_exception(value)

    def _end_process(self) -> int | None:
        """Close the pipes, at which the process ends; return its exit code, None without one."""
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(OSError), process:
            pass
        return process.wait()


def _start_process() -> subprocess.Popen[bytes]:
    # Not forked: the threads of Numba and of the parent would not survive that. Not by
    # `multiprocessing`, which runs the main program again.
    path = [os.path.abspath(folder) for folder in sys.path]  # noqa: PTH100 - may be no path
    return subprocess.Popen(  # noqa: S603 - our own command
        [python_program(), "-c", _PROGRAM, *path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Only the parent handles Ctrl-C.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def serve_calls() -> None:
    """Run the calls that come from standard input, in a worker process, until that is closed."""
    global _is_worker  # noqa: PLW0603 - of the process
    _is_worker = True
    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    source, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What policies print must not come between the results.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sanitize_output()
    threading.Thread(target=_receive_calls, args=(source, calls), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        while True:
            outcome = _pickled_outcome(calls.get())
            # The process ends without the end of Python, which would flush it.
            sys.stdout.flush()
            _write_message(results, outcome)


def _receive_calls(source: BinaryIO, calls: queue.SimpleQueue[bytes]) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            calls.put(_read_message(source))
    # The parent has ended, whatever the call under way is at.
    os._exit(0)


def _pickled_outcome(message: bytes) -> bytes:
    """Run a call; return whether it succeeded, and its value or error, as a pickle."""
    try:
        call, args, kwargs = pickle.loads(message)  # noqa: S301 - from the parent process
        return pickle.dumps((True, call(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001 - raised by the future's result
        try:
            return pickle.dumps((False, error))
        except Exception:  # noqa: BLE001 - an error that cannot be pickled
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))


def _write_message(sink: BinaryIO, message: bytes) -> None:
    sink.write(len(message).to_bytes(8, "big"))
    sink.write(message)
    sink.flush()


def _read_message(source: BinaryIO) -> bytes:
    """Return the next message of a pipe; raises EOFError at its end."""
    head = source.read(8)
    message = source.read(int.from_bytes(head, "big")) if len(head) == 8 else b""
    if not message:
        raise EOFError
    return message
