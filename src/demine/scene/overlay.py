"""What may be laid over a scene board to advise the player: marks, and the risk of covered cells.

An overlay says nothing by itself: a solver or a review decides what is marked and how risky a cell
is, and every scene shows the same overlay in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN: Final = 255
"""The risk of a cell that shows none."""


class OverlayError(DemineError, ValueError):
    """Marks or risks that cannot be laid over a board; the sentence says which and why."""


class Mark(IntEnum):
    """What one cell is marked as; stored as uint8 beside a scene array."""

    NONE = 0
    SAFE = 1
    """Open this one: it is proven safe."""
    MINE = 2
    """Proven to be a mine."""
    BECAUSE = 3
    """A number that the proof rests on."""
    ABOUT = 4
    """A covered cell that the proof is about."""
    GUESS = 5
    """Nothing is certain, and nothing is less risky than this one."""
    MISTAKE = 6
    """Opened, and should not have been."""
    MISSED = 7
    """Proven safe, and not opened."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """Marks and risks of one board, equal when both are.

    `marks` is uint8 (H, W) of `Mark`; `risk` is uint8 (H, W) of percent, 0 to 100, and `UNKNOWN`
    where none is shown. A risk shows on covered cells, flagged and questioned ones among them, and
    is passed over on all others. Both arrays are copied and cannot be written to.

    Raises OverlayError for arrays that are not of this kind.
    """

    marks: NDArray[np.uint8]
    risk: NDArray[np.uint8]

    def __post_init__(self) -> None:
        for name in ("marks", "risk"):
            kept = _checked(getattr(self, name), name).copy()
            kept.flags.writeable = False
            object.__setattr__(self, name, kept)
        if self.marks.shape != self.risk.shape:
            raise OverlayError(
                "marks of the shape {marks} and risks of the shape {risk} are not of one board",
                marks=self.marks.shape,
                risk=self.risk.shape,
            )
        _check_values(self.marks, self.marks >= len(Mark), "marks")
        _check_values(self.risk, (self.risk > 100) & (self.risk != UNKNOWN), "risk")

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> Overlay:
        """Return the overlay that shows nothing on a board of `shape` (height, width)."""
        return cls(np.zeros(shape, np.uint8), np.full(shape, UNKNOWN, np.uint8))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the board."""
        height, width = self.marks.shape
        return height, width

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Overlay):
            return NotImplemented
        return self is other or (
            np.array_equal(self.marks, other.marks) and np.array_equal(self.risk, other.risk)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def main_cell(self) -> tuple[int, int] | None:
        """The cell (row, col) that it is about in the first place, if it is about any."""
        for kind in (Mark.SAFE, Mark.MINE, Mark.GUESS, Mark.MISTAKE):
            found = np.argwhere(self.marks == kind)
            if len(found):
                return int(found[0][0]), int(found[0][1])
        return None

    def __bool__(self) -> bool:
        """Whether anything is shown."""
        return bool(self.marks.any() or (self.risk != UNKNOWN).any())

    def with_marks(self, mark: Mark, cells: Iterable[tuple[int, int]]) -> Overlay:
        """Return the overlay with some cells (row, col) marked; raises OverlayError off the board.

        A cell has one mark: the last one given.
        """
        marks = self.marks.copy()
        height, width = self.shape
        for row, col in cells:
            if not (0 <= row < height and 0 <= col < width):
                raise OverlayError(
                    "the cell {cell} to mark is not on a board of {high} rows and {wide} columns",
                    cell=(row, col),
                    high=height,
                    wide=width,
                )
            marks[row, col] = mark
        return Overlay(marks, self.risk)

    def with_risks(self, probability: NDArray[np.float64]) -> Overlay:
        """Return the overlay with the risks of a mine probability, as `to_percent` tells them."""
        return Overlay(self.marks, to_percent(probability))

    def cropped(self, row: int, col: int, row_end: int, col_end: int) -> Overlay:
        """Return the overlay of some of the board: from a cell on, up to an end not part of it."""
        part = np.s_[row:row_end, col:col_end]
        return Overlay(self.marks[part], self.risk[part])

    def differences(self, other: Overlay) -> NDArray[np.bool_]:
        """Return where two overlays differ, bool (H, W): everywhere when the boards do."""
        if self is other:
            return np.zeros(self.shape, np.bool_)
        if self.shape != other.shape:
            return np.ones(self.shape, np.bool_)
        differ: NDArray[np.bool_] = self.marks != other.marks
        differ |= self.risk != other.risk
        return differ


def to_percent(probability: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return probabilities, float64 with NaN for none, as whole percent, uint8, `UNKNOWN` for NaN.

    Halves round up. 0 and 100 are certainties: only exactly 0.0 and 1.0 become them, and whatever
    lies between stays within 1 to 99. Raises OverlayError for what is no probability.
    """
    known = ~np.isnan(probability)
    outside = known & ~((probability >= 0) & (probability <= 1))
    if outside.any():
        raise OverlayError(
            "{value} is no probability: they are 0 to 1", value=float(probability[outside][0])
        )
    chance = np.where(known, probability, 0.0)
    whole = np.clip(np.floor(chance * 100 + 0.5), 1, 99)
    whole = np.where(chance == 0, 0, np.where(chance == 1, 100, whole))
    return np.where(known, whole, UNKNOWN).astype(np.uint8)


def least_risky_cells(probability: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where a mine is least probable, bool in the shape given; nowhere when all is NaN.

    Whole percents hide small differences: this compares the probabilities themselves, apart from
    what adding them up in another order may change.
    """
    known = ~np.isnan(probability)
    if not known.any():
        return known
    least = float(probability[known].min())
    with np.errstate(invalid="ignore"):
        found: NDArray[np.bool_] = known & (probability <= least * (1 + 1e-9))
    return found


def _checked(array: object, name: str) -> NDArray[np.uint8]:
    if isinstance(array, np.ndarray) and array.dtype == np.uint8 and array.ndim == 2:
        return array
    found = getattr(array, "dtype", type(array).__name__)
    raise OverlayError(
        "{name} must be a uint8 array with rows and columns, not {found}", name=name, found=found
    )


def _check_values(array: NDArray[np.uint8], strange: NDArray[np.bool_], name: str) -> None:
    if not strange.any():
        return
    row, col = (int(at) for at in np.argwhere(strange)[0])
    raise OverlayError(
        "{name} has {value} at row {row}, column {col}, which it cannot show",
        name=name,
        value=int(array[row, col]),
        row=row,
        col=col,
    )
