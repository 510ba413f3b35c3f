"""Explain why a cell is safe or a mine: the fewest numbers that prove it, in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex

import numpy as np

from demine.logic.json_text import ToJson
from demine.scene.html_fragments import paragraph
from demine.solver.errors import NothingCertain, TooComplex
from demine.solver.exact.deduce import deduce
from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.parse_board import checked_covered_cell, checked_scene
from demine.solver.proof.cell_levels import HARDEST_LEVEL, Grade, grade_cells
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.make_argument import make_argument
from demine.solver.proof.partial_deduction_fallback import deduce_some_cells
from demine.solver.proof.prove_from_numbers import NumberConstraints
from demine.solver.proof.sentences import Argument
from demine.solver.proof.smallest_proof import Proof, find_smallest_proof, short_proofs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition

MAX_SHORT_PROOFS: Final = 16
"""How many cells with a short proof are compared to find the easiest."""
MAX_LONG_PROOFS: Final = 3
"""How many cells are compared if none has a short proof."""

__all__ = ["Pattern", "Reason", "explain"]


@dataclass(frozen=True, slots=True)
class Reason(ToJson):
    r"""Why a covered cell is safe or a mine.

    `because` are the opened numbers, `(row, col)`, that prove it, together with the mine count of
    the board if `uses_mine_count`. None of them can be left out. `pattern` is the hardest step that
    they need. `cells` are the covered cells beside them, and the cell itself: what to look at.

    >>> import demine
    >>> reason = demine.explain("3x2/1\n1 # #\n1 # #", cell=(0, 2))
    >>> print(reason)
    The only mine is beside the 1 at row 2, column 1, so all cells elsewhere are safe.
    """

    cell: tuple[int, int]
    safe: bool
    pattern: Pattern
    because: tuple[tuple[int, int], ...]
    uses_mine_count: bool
    cells: tuple[tuple[int, int], ...]
    argument: Argument = field(repr=False)

    def __str__(self) -> str:
        """Return the reason in one or two sentences, in the current language."""
        return str(self.argument)

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as plain values, with its sentences as `text`."""
        return {
            "cell": list(self.cell),
            "is_safe": self.safe,
            "pattern": self.pattern.value,
            "because": [list(cell) for cell in self.because],
            "uses_mine_count": self.uses_mine_count,
            "text": str(self),
        }

    def _repr_html_(self) -> str:
        """Return the sentences as HTML for notebooks."""
        return paragraph(str(self))


def explain(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    cell: tuple[SupportsIndex, SupportsIndex] | None = None,
    *,
    near: tuple[int, int] | None = None,
    states: int = DEFAULT_STATES,
) -> Reason:
    r"""Return why a covered cell, `(row, col)`, is safe or a mine.

    Without a cell, one is chosen that is easiest to prove: a safe one if there is any, else a mine.
    Of equally easy ones it is the one nearest to `near`, `(row, col)`, else the first.
    `scene` and `mines` are those of `mine_probability`.

    Raises `NothingCertain` if the cell may be either, or if no cell is certain; `SceneError` for
    malformed input and for a cell that is not covered; `InconsistentBoard` if no layout fits;
    `TooComplex` if the answer needs more than `states` states and no subset of the numbers gives
    it. Without a cell, the search stops at the first easy safe cells, so that a contradiction
    elsewhere may go unnoticed.

    >>> import demine
    >>> print(demine.explain("3x2/1\n1 # #\n1 # #", cell=(0, 2)))
    The only mine is beside the 1 at row 2, column 1, so all cells elsewhere are safe.
    """
    faces, number = checked_scene(scene, mines)
    constraints = NumberConstraints(faces, number, states)
    if cell is None:
        place, is_mine, proof = _easiest_cell(constraints, near, states)
    else:
        row, col = checked_covered_cell(cell, faces)
        is_mine = _is_certain_mine(faces, number, (row, col), states)
        place = row * faces.shape[1] + col
        proof = find_smallest_proof(constraints, place, is_mine=is_mine)
    width = faces.shape[1]
    beside = {cell for number in proof.numbers for cell in constraints.covered_beside[number]}
    row, col = divmod(place, width)
    return Reason(
        cell=(row, col),
        safe=not is_mine,
        pattern=proof.pattern,
        because=tuple(divmod(number, width) for number in proof.numbers),
        uses_mine_count=proof.uses_mine_count,
        cells=tuple(divmod(cell, width) for cell in sorted(beside | {place})),
        argument=make_argument(constraints, proof, place, is_mine=is_mine),
    )


def _is_certain_mine(
    faces: NDArray[np.uint8], mines: int, cell: tuple[int, int], states: int
) -> bool:
    """Return whether a certain cell is a mine; raises `NothingCertain` for other cells."""
    try:
        certain = deduce(faces, mines, states=states)
    except TooComplex:
        certain = deduce_some_cells(faces, mines, states)
        if not (certain.safe[cell] or certain.mines[cell]):
            raise
    if not (certain.safe[cell] or certain.mines[cell]):
        row, col = cell
        raise NothingCertain("row {row}, column {col} may be a mine or safe", row=row, col=col)
    return bool(certain.mines[cell])


class _ProvenCell(NamedTuple):
    """A certain cell as a flat index, whether it is a mine, and the proof."""

    cell: int
    is_mine: bool
    proof: Proof


def _easiest_cell(
    constraints: NumberConstraints, near: tuple[int, int] | None, states: int
) -> _ProvenCell:
    """Return a certain cell of the lowest level, with its proof; a safe one if there is any.

    Of several cells it is the one with the easiest pattern, then with the fewest numbers, then the
    nearest to `near`.
    """
    width = constraints.faces.shape[1]

    def distance(cell: int) -> int:
        row, col = divmod(cell, width)
        return 0 if near is None else (row - near[0]) ** 2 + (col - near[1]) ** 2

    try:
        grades = grade_cells(constraints.faces, constraints.mines, stop_at_safe=True, states=states)
    except TooComplex:
        safe = np.flatnonzero(
            deduce_some_cells(constraints.faces, constraints.mines, states).safe
        ).tolist()
        if not safe:
            raise
        grades = dict.fromkeys(safe, Grade(HARDEST_LEVEL, False))
    if not grades:
        raise NothingCertain("no covered cell is certain")
    is_mine, lowest = min((is_mine, level) for level, is_mine in grades.values())
    cells = sorted(cell for cell, grade in grades.items() if grade == (lowest, is_mine))
    cells.sort(key=distance)
    simple = [cell for cell in cells if short_proofs(constraints, cell, is_mine=is_mine)]
    found = [
        _ProvenCell(cell, is_mine, find_smallest_proof(constraints, cell, is_mine=is_mine))
        for cell in simple[:MAX_SHORT_PROOFS] or cells[:MAX_LONG_PROOFS]
    ]
    return min(found, key=lambda one: (one.proof.pattern.level, len(one.proof.numbers)))
