"""Executors that break for good, and are killed in earnest: the study comes to the same."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pytest

import demine
from demine.studies import run as runs
from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger
from demine.studies.process_pool import InlineExecutor, KillableProcessPool
from demine.studies.result import StudyEndedEarly
from demine.studies.run import MemoryLedger, play_missing_games
from tests.studies.samples import PAIR, SMALL, outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from demine.studies.plan import StudyPlan

KILL: Final = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
# Processes that begin clean, and where it can be had with everything imported.
SPAWN: Final = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
SPAWN.set_forkserver_preload(["demine.studies.chunk", "numba"])


def pool() -> ProcessPoolExecutor:
    """Two processes of the standard kind."""
    return ProcessPoolExecutor(2, mp_context=SPAWN)


def workers_of(executor: ProcessPoolExecutor) -> list[int]:
    """The processes of a standard pool that live."""
    return [pid for pid, each in dict(executor._processes or {}).items() if each.is_alive()]


class Killer:
    """Makes pools, and kills a worker of the last one once for each of some numbers of games."""

    def __init__(self, *due: int) -> None:
        self.pools: list[ProcessPoolExecutor] = []
        self.killed: list[int] = []
        self._due = list(due)

    def make(self) -> ProcessPoolExecutor:
        self.pools.append(pool())
        return self.pools[-1]

    def told(self, done: int, _games: int = 0) -> None:
        """Kill, if so many games are done."""
        if not self._due or done < self._due[0]:
            return
        for executor in reversed(self.pools):
            if found := [each for each in workers_of(executor) if each not in self.killed]:
                os.kill(found[0], KILL)
                self.killed.append(found[0])
                self._due.pop(0)
                return


def test_a_function_that_makes_pools_outlives_kills() -> None:
    plan = replace(PAIR, games=700)
    memory, killer = MemoryLedger.empty(plan), Killer(1, 100, 300)
    assert play_missing_games(memory, killer.make, workers=2, on_progress=killer.told)
    assert len(set(killer.killed)) == 3
    assert len(killer.pools) >= 2
    assert memory.counts.without_time == outcome(plan)
    assert list(memory.done) == [(0, 700)]
    # They were the study's, so it has ended them.
    for executor in killer.pools:
        with pytest.raises(RuntimeError):
            executor.submit(abs, 1)
        assert not workers_of(executor)


def test_a_standard_pool_is_made_anew_as_it_was() -> None:
    """Given as it is, and killed with all it does; whoever gave it still has his own."""
    plan = replace(PAIR, games=700)
    killer = Killer(1, 200)
    with killer.make() as given:
        result = demine.study(
            plan.rules,
            games=700,
            policy=("logic", "safest"),
            seed=plan.seed,
            executor=given,
            workers=2,
            progress=killer.told,
        )
        assert killer.killed
        assert result.is_complete
        assert result.counts.without_time == outcome(plan)
        with pytest.raises(BrokenProcessPool):
            given.submit(abs, 1)


def greet(folder: Path) -> None:
    """Leave a sign that a process has begun as it should."""
    (folder / str(os.getpid())).touch()


def test_what_is_made_anew_begins_as_the_first_did(tmp_path: Path) -> None:
    plan = replace(SMALL, games=60)
    with ProcessPoolExecutor(1, mp_context=SPAWN, initializer=greet, initargs=(tmp_path,)) as given:
        first = given.submit(os.getpid).result(60)
        os.kill(first, KILL)
        with pytest.raises(BrokenProcessPool):
            given.submit(os.getpid).result(60)
        memory = MemoryLedger.empty(plan)
        assert play_missing_games(memory, given, workers=1)
    assert memory.counts.without_time == outcome(plan)
    assert len({path.name for path in tmp_path.iterdir()} - {str(first)}) == 1


@pytest.mark.parametrize("wanted", [0, 36])
def test_a_worker_that_dies_at_the_same_games_each_time(wanted: int, tmp_path: Path) -> None:
    """Everything else is played and kept, whatever died with it."""
    with Ledger.open(tmp_path / "a", SMALL) as ledger:
        with pytest.raises(StudyError, match="a worker process dies each time it plays") as told:
            play_missing_games(ledger, partial(Deadly, wanted), workers=2)
        first, last = told.value.params["first"], told.value.params["last"]
        assert isinstance(first, int)
        assert isinstance(last, int)
        assert first <= wanted <= last
        assert ledger.counts.games == SMALL.games - (last - first + 1)
        assert "BrokenProcessPool" in str(told.value)
    # Where it does not die, the study goes on.
    with Ledger.open(tmp_path / "a", SMALL, resume=True) as ledger:
        assert play_missing_games(ledger, InlineExecutor())
        assert ledger.counts.without_time == outcome(SMALL)


class Deadly(ProcessPoolExecutor):
    """Real processes; one that is to play a certain game kills itself."""

    def __init__(self, wanted: int) -> None:
        super().__init__(2, mp_context=SPAWN)
        self._wanted = wanted

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have it done by a process that may die of it."""
        return super().submit(deadly, self._wanted, fn, *args, **kwargs)


def deadly(
    wanted: int, fn: Callable[..., Any], plan: StudyPlan, first: int, count: int, *a: Any
) -> Any:
    """Play, or die."""
    if first <= wanted < first + count:
        os.kill(os.getpid(), KILL)
    return fn(plan, first, count, *a)


def test_the_error_has_what_was_done() -> None:
    """Without a ledger too."""
    with pytest.raises(StudyEndedEarly) as told:
        demine.study("6x6/7", games=40, seed=5, executor=partial(Deadly, 36), workers=2)
    result = told.value.result
    assert not result.is_complete
    lost = int(str(told.value.params["last"])) - int(str(told.value.params["first"])) + 1
    assert result.policies[0].games == 40 - lost
    again = pickle.loads(pickle.dumps(told.value))
    assert (str(again), again.result) == (str(told.value), result)


def test_a_worker_that_always_dies_is_tried_a_few_times() -> None:
    made: list[Executor] = []
    with pytest.raises(StudyError, match=r"keep dying"):
        play_missing_games(MemoryLedger.empty(SMALL), Everywhere(made), workers=1)
    assert 2 <= len(made) <= 2 * runs.MAX_BREAKS


class Everywhere:
    """Makes pools whose workers all kill themselves."""

    def __init__(self, made: list[Executor]) -> None:
        self._made = made

    def __call__(self) -> Executor:
        self._made.append(Mortal())
        return self._made[-1]


class Mortal(Deadly):
    def __init__(self) -> None:
        super().__init__(0)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Kill whoever takes it."""
        plan, first, *rest = args
        self._wanted = first
        return super().submit(fn, plan, first, *rest, **kwargs)


class Refusing(Executor):
    """Does a few things, and then nothing more; what it refused with comes each time."""

    def __init__(self, most: int, error: Exception) -> None:
        self._left = most
        self._error = error

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it here, or refuse."""
        if self._left == 0:
            raise self._error
        self._left -= 1
        return InlineExecutor().submit(fn, *args, **kwargs)


@pytest.mark.parametrize(
    "error", [RuntimeError("cannot schedule"), OSError("no room"), BrokenExecutor("gone")]
)
def test_an_executor_that_refuses(error: Exception) -> None:
    """Another one goes on; where there is none, what is done is in the error."""
    memory = MemoryLedger.empty(SMALL)
    assert play_missing_games(memory, lambda: Refusing(2, error))
    assert memory.counts.without_time == outcome(SMALL)
    with pytest.raises(StudyEndedEarly, match=str(error)) as told:
        demine.study("6x6/7", games=40, seed=5, executor=Refusing(2, error), workers=1)
    assert 0 < told.value.result.policies[0].games < 40


def test_a_function_that_makes_none() -> None:
    asked: list[int] = []

    def make() -> Executor:
        asked.append(1)
        raise OSError("no processes left")

    with pytest.raises(StudyError, match="keep dying: OSError: no processes left"):
        play_missing_games(MemoryLedger.empty(SMALL), make, workers=2)
    assert 1 < len(asked) < 100


def test_a_pool_that_its_owner_shuts_down_is_not_made_anew() -> None:
    with pool() as given:
        given.submit(abs, 1).result(60)
    with pytest.raises(StudyError, match="keep dying: RuntimeError: cannot schedule"):
        play_missing_games(MemoryLedger.empty(SMALL), given, workers=2)


def test_what_its_owner_cancels_is_played_again() -> None:
    memory, cancelled = MemoryLedger.empty(replace(SMALL, games=400)), list[bool]()
    with ThreadPoolExecutor(1) as threads:

        class Cancelling(Executor):
            def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
                """Do it, but cancel the third."""
                future = threads.submit(fn, *args, **kwargs)
                cancelled.append(len(cancelled) % 5 == 3 and future.cancel())
                return future

        assert play_missing_games(memory, Cancelling(), workers=2)
    assert any(cancelled)
    assert memory.counts.without_time == outcome(memory.plan)


def test_what_is_done_when_another_fails_is_kept() -> None:
    """Both are there at the same time, and the failing one is looked at first."""

    class Pair(Executor):
        def __init__(self) -> None:
            self._first: Future[Any] | None = None

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            """Do nothing until all there is has come, then fail at the first and do the rest."""
            future: Future[Any] = Future()
            if self._first is None:
                self._first = future
                return future
            future.set_result(fn(*args, **kwargs))
            if not self._first.done():
                self._first.set_exception(MemoryError("no room"))
            return future

    for _ in range(8):
        with pytest.raises(StudyEndedEarly, match="no room") as told:
            demine.study("6x6/7", games=40, seed=5, executor=Pair(), workers=2)
        # Four chunks were under way, of which three are done.
        assert told.value.result.policies[0].games == 3 * runs.MIN_CHUNK_GAMES


@pytest.mark.parametrize("make", [KillableProcessPool, ThreadPoolExecutor], ids=["own", "threads"])
def test_other_executors_by_a_function(make: Callable[[int], Executor]) -> None:
    memory = MemoryLedger.empty(PAIR)
    assert play_missing_games(memory, lambda: make(2), workers=2)
    assert memory.counts.without_time == outcome(PAIR)


def test_a_study_in_a_thread_while_python_ends(tmp_path: Path) -> None:
    """Nothing hangs: what is done is kept, and the study goes on in another process."""
    script = tmp_path / "ends.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys, threading
            from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
            import demine

            def play(kind, ledger):
                begun = threading.Event()
                def told(done, games):
                    if done:
                        begun.set()
                def study():
                    try:
                        demine.study("6x6/7", games=4_000_000, seed=5, executor=kind, workers=2,
                                     ledger=ledger, progress=told)
                    except demine.DemineError as error:
                        print(type(error).__name__, error.result.policies[0].games > 0)
                threading.Thread(target=study).start()
                begun.wait(300)

            if __name__ == "__main__":
                kind = {"threads": ThreadPoolExecutor, "processes": ProcessPoolExecutor}
                chosen = kind[sys.argv[1]]
                play(chosen(2) if sys.argv[2] == "given" else lambda: chosen(2), sys.argv[3])
            """
        )
    )
    for kind in ("threads", "processes"):
        for how in ("given", "made"):
            ledger = tmp_path / f"{kind}-{how}"
            found = subprocess.run(
                [sys.executable, str(script), kind, how, str(ledger)],
                capture_output=True, text=True, timeout=300, check=False,
            )  # fmt: skip
            assert found.stdout == "StudyEndedEarly True\n", (kind, how, found.stderr)
            assert found.returncode == 0
            plan = replace(SMALL, games=4_000_000)
            with Ledger.open(ledger, plan, resume=True) as kept:
                assert kept.counts.games > 0


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """No thread of a pool is left behind."""
    before = threading.active_count()
    yield
    assert threading.active_count() <= before + 1
