"""A study comes to the same on every executor, whatever order and whatever breaks."""

from __future__ import annotations

import random
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from demine import __version__
from demine.studies.chunk import Chunk
from demine.studies.errors import StudyError
from demine.studies.process_pool import InlineExecutor
from demine.studies.run import MemoryLedger, play_missing_games
from tests.studies.samples import PAIR, SMALL, outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.studies.plan import StudyPlan


class Unruly(Executor):
    """Finishes what it is told in a random order, and now and then breaks with all it has."""

    def __init__(self, seed: int, breaks: float) -> None:
        self._dice = random.Random(seed)
        self._breaks = breaks
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Take something, and finish something or break."""
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: fn(*args, **kwargs)))
        if len(self._waiting) >= 4:
            if self._dice.random() < self._breaks:
                for each, _ in self._waiting:
                    each.set_exception(BrokenExecutor("killed"))
                self._waiting.clear()
            else:
                each, call = self._waiting.pop(self._dice.randrange(len(self._waiting)))
                each.set_result(call())
        return future

    def finish(self) -> None:
        """Finish what waits for others to come."""
        for each, call in self._waiting:
            each.set_result(call())
        self._waiting.clear()


def played(plan: StudyPlan, executor: Executor, workers: int) -> MemoryLedger:
    memory = MemoryLedger.empty(plan)
    assert play_missing_games(memory, executor, workers=workers)
    return memory


@pytest.mark.parametrize("plan", [SMALL, PAIR], ids=["one", "two"])
def test_every_executor_comes_to_the_same(plan: StudyPlan) -> None:
    assert played(plan, InlineExecutor(), 1).counts.without_time == outcome(plan)
    with ThreadPoolExecutor(3) as threads:
        assert played(plan, threads, 3).counts.without_time == outcome(plan)


@pytest.mark.parametrize("seed", range(6))
def test_what_breaks_is_played_again_and_once(seed: int) -> None:
    """In a random order, a third of the time broken with all that was under way."""
    plan = replace(SMALL, games=200)
    memory, executor = MemoryLedger.empty(plan), Unruly(seed, 0.3)
    asked = iter(range(1000))

    def stop() -> bool:
        executor.finish()
        return next(asked) == 999

    assert play_missing_games(memory, executor, workers=4, should_stop=stop)
    assert memory.counts.without_time == outcome(plan)
    assert list(memory.done) == [(0, 200)]


def test_workers_that_always_break_are_given_up() -> None:
    class Dead(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            """Break."""
            del fn, args, kwargs
            raise BrokenExecutor("no processes here")

    with pytest.raises(StudyError, match="keep dying: BrokenExecutor: no processes here"):
        play_missing_games(MemoryLedger.empty(SMALL), Dead(), workers=2)


class Wrong(InlineExecutor):
    """Plays, and hands back something else."""

    def __init__(self, change: Callable[[Chunk], Chunk]) -> None:
        self._change = change

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play and change what comes back."""
        return super().submit(lambda: self._change(fn(*args, **kwargs)))


def test_workers_of_another_version_are_refused() -> None:
    old = Wrong(lambda chunk: replace(chunk, version="0.0.1"))
    with pytest.raises(StudyError, match=rf"demine 0\.0\.1, but this is demine {__version__}"):
        play_missing_games(MemoryLedger.empty(SMALL), old)


def test_a_failing_worker_says_why() -> None:
    def fail(_chunk: Chunk) -> Chunk:
        raise MemoryError("no room")

    with pytest.raises(StudyError, match="a worker failed: MemoryError: no room"):
        play_missing_games(MemoryLedger.empty(SMALL), Wrong(fail))


def test_it_stops_when_asked_and_goes_on_later() -> None:
    memory = MemoryLedger.empty(SMALL)
    assert not play_missing_games(
        memory, InlineExecutor(), should_stop=lambda: memory.counts.games > 0
    )
    assert 0 < memory.counts.games < SMALL.games
    heard: list[int] = []
    assert play_missing_games(memory, InlineExecutor(), on_progress=heard.append)
    assert memory.counts.without_time == outcome(SMALL)
    assert heard == sorted(heard)
    assert heard[-1] == SMALL.games


@pytest.mark.parametrize(("worth", "asked"), [(1e9, False), (0.0, True)])
def test_workers_come_in_when_they_are_worth_it(
    monkeypatch: pytest.MonkeyPatch, worth: float, asked: bool
) -> None:
    monkeypatch.setattr("demine.studies.run.SECONDS_WORTH_WORKERS", worth)
    submitted: list[int] = []

    class Counted(InlineExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            """Note the first game of a chunk and play it."""
            submitted.append(args[1])
            return super().submit(fn, *args, **kwargs)

    memory = MemoryLedger.empty(PAIR)
    assert play_missing_games(memory, Counted(), workers=2, begin_here=True)
    assert memory.counts.without_time == outcome(PAIR)
    assert bool(submitted) is asked
    assert 0 not in submitted
