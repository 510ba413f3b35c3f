"""The client of a solver in another process, for a window that must never wait.

The window asks and gets a `Future`. The process starts with the first question and answers at once,
without compiled kernels. If these are not cached, a third process of low priority compiles them
meanwhile, and the solver loads them when they are ready. All processes end with the window, however
that ends. Where no process can be started, a thread of the window's process answers instead, and
nothing is compiled.
"""

from __future__ import annotations

import pickle
import threading
import time
import weakref
from collections import deque
from typing import TYPE_CHECKING, Final

from demine.solver.errors import Stopped
from demine.solver.service.server import (
    ALL_COMPILED,
    COMPILE_MESSAGES,
    DONE,
    FAILED,
    HELLO,
    NOT_CACHED,
    PROGRESS,
    SolverClientError,
    answer_question,
    demine_version,
    encode_question,
)
from demine.solver.service.solver_process import PROCESS_ENDED, SolverProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future
    from typing import Self, TypeAlias

    _Message: TypeAlias = tuple[SolverProcess, str, object]
    _Outcome: TypeAlias = tuple[str, object]

DROPPED_QUESTION_SECONDS: Final = 0.2
"""How many seconds the process may go on with a cancelled question while another one waits.
Starting a new process takes about as long."""
START_SECONDS: Final = 10.0
"""How many seconds a new process has to say hello before it is killed."""
CLOSE_SECONDS: Final = 0.8
"""How many seconds `close` waits at most."""
_TRIES: Final = 2
"""How often a process is started for a question, or a start is tried, before giving up."""


class SolverClient:
    """Answers a window's questions in another process, one after the other.

    Creating one costs nothing. Use it as a context manager or call `close`; else it ends with the
    program. `kernel_set_names` (`package.module:SET`) name sets of other packages, which are
    compiled and loaded after the solver's own.
    """

    def __init__(self, kernel_set_names: Sequence[str] = ()) -> None:
        self._answering_thread = _AnsweringThread(kernel_set_names)
        self._finalizer = weakref.finalize(self, self._answering_thread.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        """Have a function of the solver called and return its future result; never waits.

        `name` is a key of `demine.solver.service.server.QUESTIONS`. The other arguments are passed
        to the function as they are now, so arrays may be changed afterwards. `"ready"` only starts
        the process, before the player asks anything. `progress`, for a function that takes it, is
        called in a thread of this object and must not raise.

        The future gets the function's result or error, or `SolverClientError` if the process died
        twice over this question. It is set, and its callbacks run, **in a thread of this object**:
        a window returns to its own thread by a signal or an event. `cancel` works until the answer
        is there. The process goes on with a cancelled question that has begun, and is replaced if
        another question would have to wait.

        Raises `SolverClientError` for an unknown name, for arguments that cannot be sent, and after
        `close`.
        """
        progress = kwargs.pop("progress", None)
        message = encode_question(name, args, kwargs, with_progress=callable(progress))
        return self._answering_thread.ask(message, progress if callable(progress) else _ignore)

    def close(self) -> None:
        """End the processes and cancel all open questions, in less than a second.

        It may be called at any time, and more than once.
        """
        self._finalizer()


class _PendingQuestion:
    """A question that is not answered yet."""

    def __init__(
        self, message: bytes, future: Future[object], on_progress: Callable[..., object]
    ) -> None:
        self.message = message
        self.future = future
        self.on_progress = on_progress
        self.cancelled_since: float | None = None


class _AnsweringThread:
    """The thread of a `SolverClient`; it holds no reference to the client.

    `_condition` guards what other threads use: the questions, the messages, `_current` and
    `_closed`. Everything else is used by this thread alone.
    """

    def __init__(self, kernel_set_names: Sequence[str]) -> None:
        self._kernel_set_names = kernel_set_names
        self._condition = threading.Condition()
        self._questions: deque[_PendingQuestion] = deque()
        self._messages: deque[_Message] = deque()
        self._current: _PendingQuestion | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

        self._solver: SolverProcess | None = None
        self._compiler: SolverProcess | None = None
        self._compilations = 0
        self._compile_progress = ""
        self._failed_starts = 0

    # Called by other threads

    def ask(self, message: bytes, on_progress: Callable[..., object]) -> Future[object]:
        """Queue a question and return its future."""
        # This imports the logging module, so it waits until somebody asks.
        from concurrent.futures import Future

        future: Future[object] = Future()
        with self._condition:
            if self._closed:
                raise SolverClientError("the solver is closed")
            self._questions.append(_PendingQuestion(message, future, on_progress))
            self._condition.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="solver", daemon=True)
                self._thread.start()
        future.add_done_callback(self._wake)
        return future

    def close(self) -> None:
        """Cancel all questions and end the thread, which ends the processes."""
        with self._condition:
            self._closed = True
            left = [*self._questions, *([self._current] if self._current else [])]
            self._questions.clear()
            self._condition.notify_all()
        for question in left:
            question.future.cancel()
        if self._thread not in {None, threading.current_thread()}:
            self._thread.join(CLOSE_SECONDS)

    def _wake(self, _future: Future[object]) -> None:
        """Wake the thread, because a question may have been cancelled."""
        with self._condition:
            self._condition.notify_all()

    def _receive(self, process: SolverProcess, kind: str, value: object) -> None:
        """Queue a message of a process."""
        with self._condition:
            self._messages.append((process, kind, value))
            self._condition.notify_all()

    # Called by this thread

    def _run(self) -> None:
        try:
            while (question := self._next_question()) is not None:
                _set_outcome(question.future, self._outcome_of(question))
        finally:
            self.close()
            for process in (self._solver, self._compiler):
                if process is not None:
                    process.close()

    def _next_question(self) -> _PendingQuestion | None:
        """Wait for the next question and return it, or None after `close`."""
        while True:
            with self._condition:
                self._current = None
                self._condition.wait_for(lambda: self._closed or self._messages or self._questions)
                if self._closed:
                    return None
                heard = self._messages.popleft() if self._messages else None
                if heard is None:
                    self._current = self._questions.popleft()
                    return self._current
            self._handle_message(*heard)

    def _outcome_of(self, question: _PendingQuestion) -> _Outcome:
        """Have a question answered and return the kind of the answer, and the result or error."""
        for _ in range(_TRIES):
            solver = self._running_solver()
            if self._closed or question.future.cancelled():
                break
            if solver is None:
                kind, value = pickle.loads(  # noqa: S301 - ours
                    answer_question(question.message, self._progress_in_this_thread(question))
                )
                return kind, value
            solver.send(question.message)
            while self._solver is solver:
                process, kind, value = self._next_message(
                    solver, lambda: self._seconds_left(question)
                )
                if process is solver and kind in {DONE, FAILED}:
                    return kind, value
                if process is solver and kind == PROGRESS and isinstance(value, tuple):
                    question.on_progress(*value)
                self._handle_message(process, kind, value)
        return FAILED, SolverClientError("the solver's process ended before it had an answer")

    def _progress_in_this_thread(self, question: _PendingQuestion) -> Callable[..., object]:
        """Return a callback for answers in this thread; it raises `Stopped` for cancelled ones."""

        def on_progress(*progress: object) -> None:
            if self._closed or question.future.cancelled():
                raise Stopped("this answer is no longer needed")
            question.on_progress(*progress)

        return on_progress

    def _running_solver(self) -> SolverProcess | None:
        """Return a process that is ready, started if need be, or None if none can be started."""
        while self._solver is None and self._failed_starts < _TRIES and not self._closed:
            try:
                process = self._solver = SolverProcess(
                    "answer_questions", self._kernel_set_names, self._receive
                )
            except OSError:
                self._failed_starts += 1
                continue
            self._failed_starts = 0 if self._wait_for_hello(process) else self._failed_starts + 1
        return self._solver

    def _wait_for_hello(self, solver: SolverProcess) -> bool:
        """Wait until a new process says hello; return False if it ended instead."""
        until = time.monotonic() + START_SECONDS
        kind = ""
        while self._solver is solver and kind != HELLO:
            speaker, kind, value = self._next_message(
                solver, lambda: 0.0 if self._closed else until - time.monotonic()
            )
            kind = self._handle_message(speaker, kind, value)
        return self._solver is solver

    def _next_message(
        self, process: SolverProcess, seconds_left: Callable[[], float | None]
    ) -> _Message:
        """Wait for the next message of any process; `process` is killed when its time is up."""
        with self._condition:
            while not self._messages:
                left = seconds_left()
                if left is not None and left <= 0:
                    process.kill()
                    left = CLOSE_SECONDS
                self._condition.wait(left)
            return self._messages.popleft()

    def _seconds_left(self, question: _PendingQuestion) -> float | None:
        """Return how many seconds a question may still take; None for no limit."""
        if self._closed:
            return 0.0
        wanted = (other for other in self._questions if not other.future.cancelled())
        if not question.future.cancelled() or next(wanted, None) is None:
            question.cancelled_since = None
            return None
        now = time.monotonic()
        question.cancelled_since = question.cancelled_since or now
        return question.cancelled_since + DROPPED_QUESTION_SECONDS - now

    def _handle_message(self, process: SolverProcess, kind: str, value: object) -> str:
        """Handle a message that is no answer; return its kind, or "" if it is not the solver's."""
        ended = kind == PROCESS_ENDED
        if kind == HELLO and value != demine_version():
            # demine was upgraded while the window runs: the two might not understand each other.
            ended, self._failed_starts = True, _TRIES
        if kind == NOT_CACHED:
            self._compile_kernels_once(process)
        if process is self._compiler and kind in COMPILE_MESSAGES:
            self._compile_progress = kind
            ended = kind == ALL_COMPILED
            if self._solver is not None:
                self._solver.send(COMPILE_MESSAGES[kind])
        if ended:
            process.close()
            self._solver = None if process is self._solver else self._solver
            self._compiler = None if process is self._compiler else self._compiler
        return kind if process is self._solver else ""

    def _compile_kernels_once(self, solver: SolverProcess) -> None:
        """Have the kernels compiled, once; the solver itself compiles what cannot be cached."""
        if self._compile_progress:
            solver.send(COMPILE_MESSAGES[self._compile_progress])
        elif not self._compilations:
            self._compilations += 1
            try:
                self._compiler = SolverProcess(
                    "compile_kernels", self._kernel_set_names, self._receive
                )
            except OSError:
                return


def _ignore(*_progress: object) -> None:
    """Ignore the progress of an answer."""


def _set_outcome(future: Future[object], outcome: _Outcome) -> None:
    """Set the result or the error of a future, unless it was cancelled."""
    kind, value = outcome
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(value, BaseException) and kind == FAILED:
        future.set_exception(value)
    else:
        future.set_result(value)
