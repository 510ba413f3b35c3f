"""Client of the solver in another process, for a window that must never wait.

A window asks and goes on; the answer comes as a `Future`. The process starts with the first
question and answers interpreted at once. The kernels are compiled meanwhile in a third process of
low priority, if the cache has none, and then loaded beside the answers. Everything ends with the
window, however that ends. Where no process can be started, a thread of the window's own answers,
and compiles nothing.
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
    encode_question,
    running_version,
)
from demine.solver.service.solver_process import PROCESS_ENDED, SolverProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future
    from types import TracebackType
    from typing import Self, TypeAlias

    _Heard: TypeAlias = tuple[SolverProcess, str, object]
    _Outcome: TypeAlias = tuple[str, object]

DROPPED_QUESTION_SECONDS: Final = 0.2
"""How many seconds a cancelled question may go on before the next one gets a new process, which
takes about as long to start."""
START_SECONDS: Final = 10.0
"""A process that has not begun after this long never will."""
CLOSE_SECONDS: Final = 0.8
_TRIES: Final = 2


class SolverClient:
    """Answers a window's questions in another process, one after the other.

    Made at no cost. It is a context manager; without that or `close`, it ends with the program.
    `kernels` names the sets (`package.module:SET`) of other floors that are compiled and loaded
    after the solver's own.
    """

    def __init__(self, kernels: Sequence[str] = ()) -> None:
        self._answering_thread = _AnsweringThread(kernels)
        self._finalizer = weakref.finalize(self, self._answering_thread.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        """Ask for what a function of the solver returns; never waits.

        `name` is a key of `demine.solver.service.server.QUESTIONS`; the other arguments are the
        function's, as they are now: changing an array afterwards changes no question. `"ready"`
        only starts the process, for a window that has a moment before its player asks. `progress`,
        for a function that takes one, is called in a thread of this object and must not raise.

        The future holds the function's result or its error, or `SolverClientError` if the process
        ended twice over this question. It is set, and its callbacks run, **in a thread of this
        object**: a window goes back to its own by a signal or an event. `cancel` works until the
        answer is there. A question that has begun is then given up, together with its process if
        the next one would have to wait.

        Raises `SolverClientError` for an unknown name, for arguments that cannot be sent, and after
        `close`.
        """
        progress = kwargs.pop("progress", None)
        message = encode_question(name, args, kwargs, with_progress=callable(progress))
        return self._answering_thread.ask(message, progress if callable(progress) else _ignore)

    def close(self) -> None:
        """End the processes and cancel what is not answered yet; less than a second, any time."""
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
    """The thread of a `SolverClient`, which does not keep the client alive.

    `_condition` guards what the window and the processes say; all else belongs to the thread.
    """

    def __init__(self, kernels: Sequence[str]) -> None:
        self._kernels = kernels
        self._condition = threading.Condition()
        self._questions: deque[_PendingQuestion] = deque()
        self._messages: deque[_Heard] = deque()
        self._current: _PendingQuestion | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

        self._solver: SolverProcess | None = None
        self._compiler: SolverProcess | None = None
        self._compilations = 0
        self._compile_progress = ""
        self._failed_starts = 0

    # What others call

    def ask(self, message: bytes, on_progress: Callable[..., object]) -> Future[object]:
        """Queue a question and return its future."""
        # It takes the logging module with it: not before somebody asks.
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
        """Drop every question and end the processes."""
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
        """Wake the thread: a question may have been cancelled."""
        with self._condition:
            self._condition.notify_all()

    def _receive(self, process: SolverProcess, kind: str, value: object) -> None:
        """Queue a message of a process."""
        with self._condition:
            self._messages.append((process, kind, value))
            self._condition.notify_all()

    # The thread

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
        """Return the next question, or None when all is over."""
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
        """Have a question answered and return the outcome."""
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
        """Return a progress callback for answers in this thread; it ends those nobody waits for."""

        def tell(*how_far: object) -> None:
            if self._closed or question.future.cancelled():
                raise Stopped("nobody waits for this answer any more")
            question.on_progress(*how_far)

        return tell

    def _running_solver(self) -> SolverProcess | None:
        """Return a process that has said hello, or None if there can be none."""
        while self._solver is None and self._failed_starts < _TRIES and not self._closed:
            try:
                process = self._solver = SolverProcess(
                    "answer_questions", self._kernels, self._receive
                )
            except OSError:
                self._failed_starts += 1
                continue
            self._failed_starts = 0 if self._wait_for_hello(process) else self._failed_starts + 1
        return self._solver

    def _wait_for_hello(self, solver: SolverProcess) -> bool:
        """Wait until a new process says hello; return whether it did."""
        until = time.monotonic() + START_SECONDS
        kind = ""
        while self._solver is solver and kind != HELLO:
            speaker, kind, value = self._next_message(
                solver, lambda: 0.0 if self._closed else until - time.monotonic()
            )
            kind = self._handle_message(speaker, kind, value)
        return self._solver is solver

    def _next_message(self, process: SolverProcess, patience: Callable[[], float | None]) -> _Heard:
        """Wait for the next message; a process whose time is up is killed."""
        with self._condition:
            while not self._messages:
                left = patience()
                if left is not None and left <= 0:
                    process.kill()
                    left = CLOSE_SECONDS
                self._condition.wait(left)
            return self._messages.popleft()

    def _seconds_left(self, question: _PendingQuestion) -> float | None:
        """Return how many seconds the process may still take, None for as many as it likes."""
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
        """Handle a message that is no answer; return its kind if it came from the solver."""
        ended = kind == PROCESS_ENDED
        if kind == HELLO and value != running_version():
            # An upgrade under the running window: the two would not understand each other.
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
        """Have the kernels compiled, once; what the cache could not keep, the solver compiles."""
        if self._compile_progress:
            solver.send(COMPILE_MESSAGES[self._compile_progress])
        elif not self._compilations:
            self._compilations += 1
            try:
                self._compiler = SolverProcess("compile_kernels", self._kernels, self._receive)
            except OSError:
                return


def _ignore(*_how_far: object) -> None:
    """Hear how far an answer is, for those who did not ask."""


def _set_outcome(future: Future[object], outcome: _Outcome) -> None:
    """Set the result or the error of a future, unless it was cancelled."""
    kind, value = outcome
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(value, BaseException) and kind == FAILED:
        future.set_exception(value)
    else:
        future.set_result(value)
