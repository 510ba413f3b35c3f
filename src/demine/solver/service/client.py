"""The solver in another process, for a window that must never wait.

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
    COLD,
    COMPILED,
    DONE,
    FAILED,
    HELLO,
    NEWS,
    TOLD,
    AsideError,
    answer,
    question,
    version,
)
from demine.solver.service.subprocess import ENDED, Helper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future
    from types import TracebackType
    from typing import Self, TypeAlias

    _Heard: TypeAlias = tuple[Helper, str, object]
    _Outcome: TypeAlias = tuple[str, object]

GRACE: Final = 0.2
"""So many seconds a dropped question may still take before the next one gets a new process, which
takes about as long to start."""
START_SECONDS: Final = 10.0
"""A process that has not begun after so long never will."""
CLOSE_SECONDS: Final = 0.8
_TRIES: Final = 2


class Aside:
    """Answers a window's questions in another process, one after the other.

    Made at no cost. It is a context manager; without that or `close`, it ends with the program.
    `kernels` names the sets (`package.module:SET`) of other floors that are compiled and loaded
    after the solver's own.
    """

    def __init__(self, kernels: Sequence[str] = ()) -> None:
        self._office = _Office(kernels)
        self._ending = weakref.finalize(self, self._office.close)

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
        for a function that takes one, is called as by `ask_told`.

        The future holds the function's result or its error, or `AsideError` if the process ended
        twice over this question. It is set, and its callbacks run, **in a thread of this object**:
        a window goes back to its own by a signal or an event. `cancel` works until the answer is
        there. A question that has begun is then given up, together with its process if the next
        one would have to wait.

        Raises `AsideError` for an unknown name, for arguments that cannot be sent, and after
        `close`.
        """
        tell = kwargs.pop("progress", None)
        if callable(tell):
            return self.ask_told(tell, name, *args, **kwargs)
        return self._office.ask(question(name, args, kwargs))

    def ask_told(
        self, tell: Callable[..., object], name: str, /, *args: object, **kwargs: object
    ) -> Future[object]:
        """Ask a function that takes a `progress`; `tell` hears what it is called with.

        As `ask`; `tell` is called in the thread of this object too, and must not raise.
        """
        return self._office.ask(question(name, args, kwargs, told=True), tell)

    def close(self) -> None:
        """End the processes and cancel what is not answered yet; less than a second, any time."""
        self._ending()


class _Question:
    """A question on its way."""

    def __init__(self, message: bytes, future: Future[object], tell: Callable[..., object]) -> None:
        self.message = message
        self.future = future
        self.tell = tell
        self.in_the_way_since: float | None = None


class _Office:
    """What an `Aside` does, in a thread that does not keep it alive.

    `_news` guards what the window and the processes say; all else belongs to the thread.
    """

    def __init__(self, kernels: Sequence[str]) -> None:
        self._kernels = kernels
        self._news = threading.Condition()
        self._questions: deque[_Question] = deque()
        self._heard: deque[_Heard] = deque()
        self._now: _Question | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

        self._solver: Helper | None = None
        self._compiler: Helper | None = None
        self._compilations = 0
        self._compiled = ""
        self._failed_starts = 0

    # What others call

    def ask(self, message: bytes, tell: Callable[..., object] = lambda *_: None) -> Future[object]:
        """Take a question."""
        # It takes the logging module with it: not before somebody asks.
        from concurrent.futures import Future

        future: Future[object] = Future()
        with self._news:
            if self._closed:
                raise AsideError("the solver is closed")
            self._questions.append(_Question(message, future, tell))
            self._news.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="solver", daemon=True)
                self._thread.start()
        future.add_done_callback(self._stir)
        return future

    def close(self) -> None:
        """Drop every question and end the processes."""
        with self._news:
            self._closed = True
            left = [*self._questions, *([self._now] if self._now else [])]
            self._questions.clear()
            self._news.notify_all()
        for each in left:
            each.future.cancel()
        if self._thread not in {None, threading.current_thread()}:
            self._thread.join(CLOSE_SECONDS)

    def _stir(self, _future: Future[object]) -> None:
        """Look again: a question may have been dropped."""
        with self._news:
            self._news.notify_all()

    def _post(self, helper: Helper, kind: str, value: object) -> None:
        """Hear what a process says."""
        with self._news:
            self._heard.append((helper, kind, value))
            self._news.notify_all()

    # The thread

    def _run(self) -> None:
        try:
            while (each := self._next()) is not None:
                _settle(each.future, self._answered(each))
        finally:
            self.close()
            for helper in (self._solver, self._compiler):
                if helper is not None:
                    helper.close()

    def _next(self) -> _Question | None:
        """Return the next question, or None when all is over."""
        while True:
            with self._news:
                self._now = None
                self._news.wait_for(lambda: self._closed or self._heard or self._questions)
                if self._closed:
                    return None
                heard = self._heard.popleft() if self._heard else None
                if heard is None:
                    self._now = self._questions.popleft()
                    return self._now
            self._notice(*heard)

    def _answered(self, each: _Question) -> _Outcome:
        """Return what came of a question."""
        for _ in range(_TRIES):
            solver = self._ready_solver()
            if self._closed or each.future.cancelled():
                break
            if solver is None:
                kind, value = pickle.loads(answer(each.message, self._telling(each)))  # noqa: S301 - ours
                return kind, value
            solver.send(each.message)
            while self._solver is solver:
                helper, kind, value = self._hear(solver, lambda: self._patience(each))
                if helper is solver and kind in {DONE, FAILED}:
                    return kind, value
                if helper is solver and kind == TOLD and isinstance(value, tuple):
                    each.tell(*value)
                self._notice(helper, kind, value)
        return FAILED, AsideError("the solver's process ended before it had an answer")

    def _telling(self, each: _Question) -> Callable[..., object]:
        """Return what hears how far an answer in this thread is, and ends what is not wanted."""

        def tell(*how_far: object) -> None:
            if self._closed or each.future.cancelled():
                raise Stopped("nobody waits for this answer any more")
            each.tell(*how_far)

        return tell

    def _ready_solver(self) -> Helper | None:
        """Return a process that has said hello, or None if there can be none."""
        while self._solver is None and self._failed_starts < _TRIES and not self._closed:
            try:
                helper = self._solver = Helper("main", self._kernels, self._post)
            except OSError:
                self._failed_starts += 1
                continue
            self._failed_starts = 0 if self._met(helper) else self._failed_starts + 1
        return self._solver

    def _met(self, solver: Helper) -> bool:
        """Wait until a new process says hello; return whether it did."""
        until = time.monotonic() + START_SECONDS
        kind = ""
        while self._solver is solver and kind != HELLO:
            speaker, kind, value = self._hear(
                solver, lambda: 0.0 if self._closed else until - time.monotonic()
            )
            kind = self._notice(speaker, kind, value)
        return self._solver is solver

    def _hear(self, helper: Helper, patience: Callable[[], float | None]) -> _Heard:
        """Return what is said next, if need be by killing a process whose time is up."""
        with self._news:
            while not self._heard:
                left = patience()
                if left is not None and left <= 0:
                    helper.kill()
                    left = CLOSE_SECONDS
                self._news.wait(left)
            return self._heard.popleft()

    def _patience(self, each: _Question) -> float | None:
        """Return how many seconds the process may still take, None for as many as it likes."""
        if self._closed:
            return 0.0
        wanted = (other for other in self._questions if not other.future.cancelled())
        if not each.future.cancelled() or next(wanted, None) is None:
            each.in_the_way_since = None
            return None
        now = time.monotonic()
        each.in_the_way_since = each.in_the_way_since or now
        return each.in_the_way_since + GRACE - now

    def _notice(self, helper: Helper, kind: str, value: object) -> str:
        """Take note of what is no answer; returns its kind if the solver said it."""
        ended = kind == ENDED
        if kind == HELLO and value != version():
            # An upgrade under the running window: the two would not understand each other.
            ended, self._failed_starts = True, _TRIES
        if kind == COLD:
            self._compile(helper)
        if helper is self._compiler and kind in NEWS:
            self._compiled = kind
            ended = kind == COMPILED
            if self._solver is not None:
                self._solver.send(NEWS[kind])
        if ended:
            helper.close()
            self._solver = None if helper is self._solver else self._solver
            self._compiler = None if helper is self._compiler else self._compiler
        return kind if helper is self._solver else ""

    def _compile(self, solver: Helper) -> None:
        """Have the kernels compiled, once; what the cache could not keep, the solver compiles."""
        if self._compiled:
            solver.send(NEWS[self._compiled])
        elif not self._compilations:
            self._compilations += 1
            try:
                self._compiler = Helper("compile_kernels", self._kernels, self._post)
            except OSError:
                return


def _settle(future: Future[object], outcome: _Outcome) -> None:
    """Tell whoever asked, unless they do not want to know any more."""
    kind, value = outcome
    if not future.set_running_or_notify_cancel():
        return
    if isinstance(value, BaseException) and kind == FAILED:
        future.set_exception(value)
    else:
        future.set_result(value)
