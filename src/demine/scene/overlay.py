"""Overlays: advice drawn over a scene board, as marks on cells and risks of covered cells.

A solver or a review decides what is marked and how risky a cell is; every scene shows the same
overlay in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN: Final = 255
"""The risk of a cell for which none is shown."""
_DEEP: Final = 4
"""How many cells from the edge of its region the risk far from numbers is written at most."""
_NOWHERE: Final = np.zeros((1, 1), np.bool_)


class OverlayError(DemineError, ValueError):
    """Invalid marks or risks; the message says which and why.

    >>> import numpy as np
    >>> import demine
    >>> try:
    ...     overlay = demine.Overlay(np.zeros((2, 2), np.uint8), np.zeros((3, 3), np.uint8))
    ... except demine.OverlayError as error:
    ...     print(str(error)[-20:])
    are not of one board
    """


class Mark(IntEnum):
    """The mark on one cell; stored as uint8 beside a scene array."""

    NONE = 0
    SAFE = 1
    """A cell to open: it is proven safe."""
    MINE = 2
    """A cell proven to be a mine."""
    BECAUSE = 3
    """A number that the proof uses."""
    ABOUT = 4
    """A covered cell that the proof is about."""
    GUESS = 5
    """A cell to guess: none is certain, and none is less risky."""
    MISTAKE = 6
    """A cell that was opened by mistake."""
    MISSED = 7
    """A proven safe cell that was not opened."""
    ASSUMED_MINE = 8
    """A cell that the player's draft takes for a mine."""
    ASSUMED_SAFE = 9
    """A cell that the player's draft takes for safe."""
    BROKEN = 10
    """A number that cannot hold under what the draft assumes."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """The marks and risks of one board, compared by value.

    `marks` is uint8 (H, W) of `Mark`; `risk` is uint8 (H, W) of percent, 0 to 100, and `UNKNOWN`
    where none is shown. Risks are shown on covered cells, with or without a flag or question mark,
    and ignored on others. `unwritten` is bool (H, W): where a risk is shown by its colour alone,
    as `risks_without_figure` finds; nowhere by default. All arrays are copied and read-only.

    Raises OverlayError for any other arrays.

    >>> import demine
    >>> overlay = demine.Overlay.empty((2, 3))
    >>> overlay.shape
    (2, 3)
    """

    marks: NDArray[np.uint8]
    risk: NDArray[np.uint8]
    unwritten: NDArray[np.bool_] = field(default_factory=lambda: _NOWHERE)

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
        unwritten: NDArray[np.bool_] = np.broadcast_to(self.unwritten, self.risk.shape)
        # Where all is written, as on most boards, one value takes no memory.
        unwritten = unwritten.copy() if unwritten.any() else np.broadcast_to(False, unwritten.shape)
        unwritten.flags.writeable = False
        object.__setattr__(self, "unwritten", unwritten)
        _check_values(self.marks, self.marks >= len(Mark), "marks")
        _check_values(self.risk, (self.risk > 100) & (self.risk != UNKNOWN), "risk")

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> Overlay:
        """Return an overlay without marks and risks for a board of `shape` (height, width)."""
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
            np.array_equal(self.marks, other.marks)
            and np.array_equal(self.risk, other.risk)
            and np.array_equal(self.unwritten, other.unwritten)
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def main_cell(self) -> tuple[int, int] | None:
        """The first (row, col) marked SAFE, else MINE, else GUESS, else MISTAKE; None if none."""
        for kind in (Mark.SAFE, Mark.MINE, Mark.GUESS, Mark.MISTAKE):
            found = np.argwhere(self.marks == kind)
            if len(found):
                return int(found[0][0]), int(found[0][1])
        return None

    def __bool__(self) -> bool:
        """Return whether there is any mark or risk."""
        return bool(self.marks.any() or (self.risk != UNKNOWN).any())

    def with_marks(self, mark: Mark, cells: Iterable[tuple[int, int]]) -> Overlay:
        """Return an overlay with some cells (row, col) marked, in place of their former marks.

        Raises OverlayError for a cell off the board.
        """
        marks = self.marks.copy()
        height, width = self.shape
        for row, col in cells:
            if not (0 <= row < height and 0 <= col < width):
                raise OverlayError(
                    "row {row}, column {col} is not on a board of {high} rows and {wide} columns",
                    row=row,
                    col=col,
                    high=height,
                    wide=width,
                )
            marks[row, col] = mark
        return Overlay(marks, self.risk, self.unwritten)

    def with_risks(
        self, probability: NDArray[np.float64], faces: NDArray[np.uint8] | None = None
    ) -> Overlay:
        """Return an overlay with the risks of mine probabilities, as `to_percent` rounds them.

        With the faces of the board, only the few are written that `risks_without_figure` leaves.
        """
        risk = to_percent(probability)
        unwritten = _NOWHERE if faces is None else risks_without_figure(risk, faces)
        return Overlay(self.marks, risk, unwritten)

    def cropped(self, row: int, col: int, row_end: int, col_end: int) -> Overlay:
        """Return the overlay of the cells from (row, col) up to, but excluding, the two ends."""
        part = np.s_[row:row_end, col:col_end]
        return Overlay(self.marks[part], self.risk[part], self.unwritten[part])

    def differences(self, other: Overlay) -> NDArray[np.bool_]:
        """Return where two overlays differ, bool (H, W): everywhere if their shapes differ."""
        if self is other:
            return np.zeros(self.shape, np.bool_)
        if self.shape != other.shape:
            return np.ones(self.shape, np.bool_)
        differ: NDArray[np.bool_] = self.marks != other.marks
        differ |= self.risk != other.risk
        differ |= self.unwritten != other.unwritten
        return differ


def to_percent(probability: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Round probabilities to whole percent, uint8; NaN becomes `UNKNOWN`.

    Halves round up. Only exactly 0.0 and 1.0 become 0 and 100, which are certainties; what lies
    between stays within 1 to 99. Raises OverlayError for a value that is no probability.
    """
    known = ~np.isnan(probability)
    outside = known & ~((probability >= 0) & (probability <= 1))
    if outside.any():
        raise OverlayError(
            "{value} is not a probability from 0 to 1", value=float(probability[outside][0])
        )
    chance = np.where(known, probability, 0.0)
    whole = np.clip(np.floor(chance * 100 + 0.5), 1, 99)
    whole = np.where(chance == 0, 0, np.where(chance == 1, 100, whole))
    return np.where(known, whole, UNKNOWN).astype(np.uint8)


def risks_without_figure(risk: NDArray[np.uint8], faces: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where a board full of risks is readable by colour alone, bool (H, W).

    Written are certainties, the first of neighbours beside numbers that share a risk, and once the
    risk of all cells far from numbers, in the midst of them.
    """
    known = (risk != UNKNOWN) & (faces == Face.COVERED)
    sure = (risk == 0) | (risk == 100)
    far = known & ~sure & (count_around(faces <= Face.EIGHT) == 0)
    near = known & ~sure & ~far
    written = near & ~_continues_a_group(np.where(near, risk, UNKNOWN))
    place = _midst(far)
    if place is not None:
        written[place] = True
    unwritten: NDArray[np.bool_] = known & ~sure & ~written
    return unwritten


def _continues_a_group(risk: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where a cell above or to the left has the same risk."""
    high, wide = risk.shape
    around = np.pad(risk, 1, constant_values=UNKNOWN)
    found = np.zeros(risk.shape, np.bool_)
    for down, right in ((0, 0), (0, 1), (0, 2), (1, 0)):
        found |= (risk != UNKNOWN) & (around[down : down + high, right : right + wide] == risk)
    return found


def _midst(cells: NDArray[np.bool_]) -> tuple[int, int] | None:
    """Return the cell nearest to the middle of those that have most of their kind around them."""
    if not cells.any():
        return None
    inner = cells
    for _ in range(_DEEP):
        deeper = inner & (count_around(~np.pad(inner, 1))[1:-1, 1:-1] == 0)
        if not deeper.any():
            break
        inner = deeper
    found = np.argwhere(inner)
    nearest = ((found - np.argwhere(cells).mean(axis=0)) ** 2).sum(axis=1).argmin()
    return int(found[nearest][0]), int(found[nearest][1])


def least_risky_cells(probability: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where a mine is least probable, bool of the same shape; nowhere if all are NaN.

    The probabilities themselves are compared, because whole percents hide small differences, with a
    tolerance for rounding errors.
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
