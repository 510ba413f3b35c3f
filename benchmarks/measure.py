"""What a benchmark is given and what it returns, and the one way in which work takes turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

Work = Callable[[], object]

SECONDS: Final = 0.4


@dataclass(frozen=True)
class Run:
    """How long a benchmark may take."""

    quick: bool = False
    """Whether few repeats are enough, to try that everything works."""
    repeats: int = 1
    """How many times as often as usual everything is repeated, on a machine that is not quiet."""

    def often(self, usual: int) -> int:
        """Return how often to do what is usually done so often."""
        return max(1, usual // 8) if self.quick else usual * self.repeats

    def seconds(self, usual: float = SECONDS) -> float:
        """Return how long to repeat what is usually repeated for so long."""
        return usual / 8 if self.quick else usual * self.repeats


@dataclass(frozen=True)
class Row:
    """One figure, and its peer's of the same run."""

    what: str
    demine: float
    unit: str
    peer: str = ""
    theirs: float | None = None
    goal: float | None = None
    """How many times as fast as the peer demine means to be."""
    limit: float | None = None
    """The most that the figure may be."""
    more_is_better: bool = False

    @property
    def times(self) -> float | None:
        """How many times as good as the peer; None without one."""
        if self.theirs is None or not self.theirs or not self.demine:
            return None
        return self.demine / self.theirs if self.more_is_better else self.theirs / self.demine

    @property
    def misses(self) -> bool:
        """Whether the figure is worse than what it was meant to be."""
        times = self.times
        behind = self.goal is not None and times is not None and times < self.goal
        return behind or (self.limit is not None and self.demine > self.limit)


def taking_turns(
    works: Sequence[Work],
    run: Run,
    seconds: float = SECONDS,
    *,
    turn: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Return the least seconds of each work; they take turns, `turn` calls at a time."""
    least = [float("inf")] * len(works)
    end = time.perf_counter() + run.seconds(seconds) * len(works)
    rounds = 0
    while rounds < 3 or time.perf_counter() < end:
        for number, work in enumerate(works):
            for _ in range(turn):
                begin = clock()
                work()
                least[number] = min(least[number], clock() - begin)
        rounds += 1
    return least


def fresh_turns(
    makes: Sequence[Callable[[], Work]], run: Run, seconds: float = SECONDS
) -> list[float]:
    """The same for work that can be done once: what makes it is not timed."""
    least = [float("inf")] * len(makes)
    end = time.perf_counter() + run.seconds(seconds) * len(makes)
    rounds = 0
    while rounds < 3 or time.perf_counter() < end:
        for number, make in enumerate(makes):
            work = make()
            begin = time.perf_counter()
            work()
            least[number] = min(least[number], time.perf_counter() - begin)
        rounds += 1
    return least


def peer_version(name: str) -> str:
    """Return the version of an installed distribution, or nothing."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def module_or_none(name: str) -> Any:  # noqa: ANN401 - peers have no types
    """Return an imported module, or None where it is not installed."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        return None
