"""Estimates the 3BV of boards under some rules from freshly dealt samples, in a thread."""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev
from threading import Event, Thread
from typing import Final

from demine.logic.layout import deal
from demine.logic.rules import Rules, most_mines
from demine.statistics.board_3bv import three_bv

BOARDS: Final = 300
SECONDS: Final = 1.5
"""When to stop before `BOARDS` samples; one is always taken."""
LARGEST: Final = 1 << 20
"""Cells of the largest board that is sampled whole."""


@dataclass(frozen=True, slots=True)
class DifficultyEstimate:
    """The 3BV of sampled boards: mean, standard deviation, number of boards.

    `spread` is None for a single board. `piece` is the size, (width, height) in cells, of the piece
    that was sampled instead of a board that is too large, else None.
    """

    mean: float
    spread: float | None
    boards: int
    piece: tuple[int, int] | None


class DifficultyEstimator:
    """Samples boards in a thread from its creation until it is `done` or stopped."""

    def __init__(self, rules: Rules) -> None:
        self.done = False
        self._rules, self._scale = rules_to_sample(rules)
        self._whole = self._rules.cells == rules.cells
        self._found: list[int] = []
        self._stopped = Event()
        self._thread = Thread(target=self._count, name="3BV", daemon=True)
        self._thread.start()

    @property
    def estimate(self) -> DifficultyEstimate | None:
        """The estimate so far; None before the first sample."""
        found = list(self._found)
        if not found:
            return None
        # The 3BV of a board is a sum over its parts, so means and variances add up.
        spread = stdev(found) * sqrt(self._scale) if len(found) > 1 else None
        piece = None if self._whole else (self._rules.width, self._rules.height)
        return DifficultyEstimate(fmean(found) * self._scale, spread, len(found), piece)

    def stop(self) -> None:
        """Ask the thread to stop."""
        self._stopped.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the thread; return False if it has not ended in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _count(self) -> None:
        dice, end = random.Random(os.urandom(8)), time.monotonic() + SECONDS
        while not self._stopped.is_set() and len(self._found) < BOARDS:
            if self._found and time.monotonic() > end:
                break
            first = dice.randrange(self._rules.height), dice.randrange(self._rules.width)
            self._found.append(three_bv(deal(self._rules, dice.getrandbits(48), first)))
        self.done = True


def rules_to_sample(rules: Rules) -> tuple[Rules, float]:
    """Return the rules of sample boards, and how many times as large the wanted board is.

    A board of more than `LARGEST` cells is sampled by a piece of the same density. Guess-free
    boards are sampled by ordinary ones, because hundreds of them take too long.
    """
    rules = replace(rules, guess_free=False)
    if rules.cells <= LARGEST:
        return rules, 1.0
    side = int(sqrt(LARGEST))
    height = min(rules.height, max(side, LARGEST // rules.width))
    width = min(rules.width, LARGEST // height)
    scale = rules.cells / (width * height)
    mines = min(round(rules.mines / scale), most_mines(width, height, rules.first))
    return Rules(width, height, mines, rules.first), scale
