"""Drafts: what a player assumes about covered cells, to see what would follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Assumption(NamedTuple):
    """A covered cell, (row, col), and whether it is assumed to be a mine or to be safe."""

    cell: tuple[int, int]
    is_mine: bool


class BrokenCounts(NamedTuple):
    """The opened numbers, (row, col), that can no longer hold, and whether the mine count can."""

    numbers: tuple[tuple[int, int], ...]
    mine_count: bool

    def __bool__(self) -> bool:
        """Return whether anything can no longer hold."""
        return bool(self.numbers) or self.mine_count


@dataclass(frozen=True, slots=True)
class Draft:
    """Assumptions in the order in which they were made, at most one for each cell."""

    assumptions: tuple[Assumption, ...] = ()

    def toggled(self, cell: tuple[int, int], *, is_mine: bool) -> Draft:
        """Return the draft with one more assumption, the last one.

        One about the same cell goes; that is all if it assumed the same.
        """
        others = tuple(each for each in self.assumptions if each.cell != cell)
        new = Assumption(cell, is_mine)
        return Draft(others if new in self.assumptions else (*others, new))

    def without_last(self) -> Draft:
        """Return the draft without the assumption made last."""
        return Draft(self.assumptions[:-1])

    def still_covered(self, faces: NDArray[np.uint8]) -> Draft:
        """Return the draft without assumptions about cells that have been opened since."""
        return Draft(tuple(one for one in self.assumptions if faces[one.cell] in _COVERED))

    def cells(self, *, mines: bool) -> tuple[tuple[int, int], ...]:
        """Return the cells that are assumed to be mines, or those assumed to be safe."""
        return tuple(each.cell for each in self.assumptions if each.is_mine is mines)

    def with_flags(self, faces: NDArray[np.uint8]) -> Draft:
        """Return the draft with the flags of a scene board as the first of its assumptions.

        A cell of the draft is what the draft says.
        """
        drafted = {each.cell for each in self.assumptions}
        flagged = ((row, col) for row, col in np.argwhere(faces == Face.FLAG).tolist())
        flags = (Assumption(cell, True) for cell in flagged if cell not in drafted)
        return Draft((*flags, *self.assumptions))

    def broken_counts(self, faces: NDArray[np.uint8], mines: int) -> BrokenCounts:
        """Return which counts cannot hold under the assumptions, each number looked at by itself.

        `faces` is uint8 (height, width) of a running game with `mines` mines; its flags are
        assumptions too.
        """
        assumed = self.with_flags(faces)
        is_mine = faces == Face.BLOWN
        open_to_both = np.isin(faces, _COVERED)
        for cell, mine in assumed.assumptions:
            is_mine[cell] = mine
            open_to_both[cell] = False
        found, space = count_around(is_mine), count_around(open_to_both)
        broken = (faces <= Face.EIGHT) & ((found > faces) | (found + space < faces))
        total, left = int(is_mine.sum()), int(open_to_both.sum())
        return BrokenCounts(
            tuple((row, col) for row, col in np.argwhere(broken).tolist()),
            not total <= mines <= total + left,
        )


_COVERED = (Face.COVERED, Face.FLAG, Face.QUESTION)
