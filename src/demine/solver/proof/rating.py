"""Rate how hard a guess-free board is, and prove it step by step.

A board is opened in rounds. Each opens all safe cells that can be proven at the lowest level that
proves any. So a level is counted only if nothing easier helps.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

import numpy as np

from demine.logic.errors import LayoutError, TextError
from demine.logic.flood import flood
from demine.logic.layout import as_bool_array
from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face
from demine.solver.errors import NeedsGuess, NothingCertain
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.explain import explain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from demine.solver.proof.explain import Reason

    Cell = tuple[int, int]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Rating:
    """How often each pattern was the easiest that helped. Equal to what its text parses to.

    >>> import demine
    >>> print(demine.Rating({demine.Pattern.SATISFIED: 31, demine.Pattern.CHAIN: 2}))
    satisfied 31, chain 2
    >>> demine.Rating.parse("satisfied 31, chain 2").hardest.value
    'chain'
    """

    counts: tuple[int, ...]
    """How many rounds needed each pattern, easiest first."""

    def __init__(self, times: Mapping[Pattern, int]) -> None:
        counts = tuple(operator.index(times.get(pattern, 0)) for pattern in Pattern)
        object.__setattr__(self, "counts", counts)

    @property
    def times(self) -> dict[Pattern, int]:
        """How many rounds needed each pattern, without patterns that were not needed."""
        both = zip(Pattern, self.counts, strict=True)
        return {pattern: count for pattern, count in both if count}

    @property
    def hardest(self) -> Pattern:
        """The hardest pattern needed; the easiest there is if the first cell opened everything."""
        return max(self.times, key=lambda pattern: pattern.level, default=Pattern.SATISFIED)

    def __str__(self) -> str:
        times = self.times or {Pattern.SATISFIED: 0}
        return ", ".join(f"{pattern.value} {count}" for pattern, count in times.items())

    def __repr__(self) -> str:
        return f"Rating.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Rating:
        """Parse what `str` returns: patterns and counts. Raises `TextError` for other text."""
        times: dict[Pattern, int] = {}
        for part in text.split(","):
            found = re.fullmatch(r"\s*([a-z]+) +(\d{1,9})\s*", part, re.ASCII)
            if found is None or found[1] not in set(Pattern) or Pattern(found[1]) in times:
                raise TextError(
                    "{text!r} is not part of a rating: write each of {names} at most once, with "
                    "how often",
                    text=part[:80],
                    names=", ".join(Pattern),
                )
            times[Pattern(found[1])] = int(found[2])
        return cls(times)


class ProofStep(NamedTuple):
    """One step of a proof: why a cell is safe, and all cells, `(row, col)`, that open with it.

    The first step has no reason, as the first cell is given.

    >>> import demine
    >>> mine_map = demine.make("9x9/10", 3, (4, 4), guess_free=True)
    >>> first, *others = demine.prove_step_by_step(mine_map, (4, 4))
    >>> first.reason is None, len(others)
    (True, 16)
    """

    reason: Reason | None
    opened: tuple[Cell, ...]


def rate(mine_map: ArrayLike, first: tuple[SupportsIndex, SupportsIndex]) -> Rating:
    """Return how hard a guess-free board is if it is opened from `first`, `(row, col)`.

    Raises `NeedsGuess` if at some point no safe cell can be proven, `LayoutError` for a first cell
    that is a mine or outside the board, and `TooComplex` like `deduce`.

    >>> import demine
    >>> mine_map = demine.make("9x9/10", 3, (4, 4), guess_free=True)
    >>> demine.rate(mine_map, (4, 4)).hardest
    <Pattern.SATISFIED: 'satisfied'>
    """
    table = _OpenedBoard(mine_map)
    table.open(table.checked_first_cell(first))
    times = dict.fromkeys(Pattern, 0)
    while table.safe_cells_left:
        grades = levels(table.faces, table.mines, stop_at_safe=True)
        grades[table.mine_map] = 0
        if not grades.any():
            raise _needs_guess_error(table)
        level = int(grades[grades > 0].min())
        times[Pattern.of(level)] += 1
        for cell in np.flatnonzero(grades == level):
            table.open(int(cell))
    return Rating(times)


def prove_step_by_step(
    mine_map: ArrayLike, first: tuple[SupportsIndex, SupportsIndex]
) -> tuple[ProofStep, ...]:
    """Return a proof that a board needs no guess: the cells to open, easiest first, and why.

    Errors are those of `rate`.

    >>> import demine
    >>> mine_map = demine.make("9x9/10", 3, (4, 4), guess_free=True)
    >>> steps = demine.prove_step_by_step(mine_map, (4, 4))
    >>> sum(len(step.opened) for step in steps)
    71
    """
    table = _OpenedBoard(mine_map)
    steps = [ProofStep(None, table.open(table.checked_first_cell(first)))]
    while table.safe_cells_left:
        try:
            reason = explain(table.faces, table.mines)
        except NothingCertain:
            raise _needs_guess_error(table) from None
        if not reason.safe:
            raise _needs_guess_error(table)
        row, col = reason.cell
        steps.append(ProofStep(reason, table.open(row * table.mine_map.shape[1] + col)))
    return tuple(steps)


def _needs_guess_error(table: _OpenedBoard) -> NeedsGuess:
    return NeedsGuess(
        "this board needs a guess when {left} safe cells are left", left=table.safe_cells_left
    )


class _OpenedBoard:
    """A board with a known layout that is opened cell by cell."""

    def __init__(self, mine_map: ArrayLike) -> None:
        self.mine_map = as_bool_array(mine_map)
        if self.mine_map.ndim != 2 or 0 in self.mine_map.shape:
            raise LayoutError("a mine map has the shape (height, width), with cells in it")
        self.mines = int(np.count_nonzero(self.mine_map))
        self.safe_cells_left = self.mine_map.size - self.mines
        """How many safe cells are still covered."""
        self._hints = count_around(self.mine_map)
        self._numbers = self._hints.tobytes()
        self._opened = bytearray(self.mine_map.size)

    @property
    def faces(self) -> NDArray[np.uint8]:
        """What the player sees, uint8 `(height, width)`."""
        opened = np.frombuffer(bytes(self._opened), np.bool_).reshape(self.mine_map.shape)
        faces: NDArray[np.uint8] = np.where(opened, self._hints, np.uint8(Face.COVERED))
        return faces

    def checked_first_cell(self, first: tuple[SupportsIndex, SupportsIndex]) -> int:
        """Return the flat index of the first cell; raises `LayoutError` if it cannot be one."""
        try:
            row, col = map(operator.index, first)
        except (TypeError, ValueError):
            raise LayoutError("a cell is a row and a column, not {cell!r}", cell=first) from None
        height, width = self.mine_map.shape
        if not (0 <= row < height and 0 <= col < width):
            raise LayoutError(
                "row {row}, column {col} is outside the {width}x{height} board",
                row=row,
                col=col,
                width=width,
                height=height,
            )
        if self.mine_map[row, col]:
            raise LayoutError("row {row}, column {col} is a mine", row=row, col=col)
        place: int = row * width + col
        return place

    def open(self, cell: int) -> tuple[Cell, ...]:
        """Open a safe cell, with its opening if it has no number; return all cells that opened."""
        if self._opened[cell]:
            return ()
        height, width = self.mine_map.shape
        fresh = sorted(flood(self._numbers, self._opened, width, height, cell))
        self.safe_cells_left -= len(fresh)
        return tuple(divmod(place, width) for place in fresh)
