"""Find why some assumptions about covered cells cannot all be true: the fewest numbers that clash.

Assumptions are believed one after the other. The first that makes the board impossible is about a
cell that is certain, given those before it, to be the opposite; so the numbers that clash are a
smallest proof of that.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

from demine.scene.cell_faces import Face
from demine.scene.cell_names import cell_name
from demine.scene.draft import Assumption
from demine.scene.translation import ntr, tr
from demine.solver.errors import InconsistentBoard
from demine.solver.exact.dynamic_program import DEFAULT_STATES, Contradiction
from demine.solver.exact.parse_board import checked_covered_cell, checked_scene
from demine.solver.exact.semirings import PossibleCounts
from demine.solver.proof.prove_from_numbers import NumberConstraints
from demine.solver.proof.sentences import MAX_NAMED, Clue, clue_phrases_or_count, join_phrases
from demine.solver.proof.smallest_proof import find_smallest_proof

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition


@dataclass(frozen=True, slots=True)
class Clash:
    """Why assumptions cannot all be true.

    `numbers` are the opened numbers that cannot all hold under `assumptions`, together
    with the mine count of the board if `uses_mine_count`. No assumption, number or count can be
    left out.
    """

    assumptions: tuple[Assumption, ...]
    numbers: tuple[Clue, ...]
    uses_mine_count: bool

    def __str__(self) -> str:
        """Return the clash as a sentence in the current language."""
        counted = [tr("the mine count")] if self.uses_mine_count else []
        if self.numbers:
            counts = clue_phrases_or_count(self.numbers, *counted)
        else:
            counts = join_phrases(counted)
        return ntr(
            "If {assumptions}, {counts} cannot hold.",
            "If {assumptions}, {counts} cannot all hold.",
            len(self.numbers) + len(counted),
            assumptions=self._assumption_phrases(),
            counts=counts,
        )

    def _assumption_phrases(self) -> str:
        if len(self.assumptions) > MAX_NAMED:
            return tr("all {n} assumptions are true", n=len(self.assumptions))
        return join_phrases([_assumption_phrase(each) for each in self.assumptions])


def find_clash(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None,
    assumptions: Sequence[tuple[tuple[int, int], bool]],
    *,
    states: int = DEFAULT_STATES,
) -> Clash | None:
    """Return why assumptions about covered cells cannot all be true; None if they can.

    Each is a cell, (row, col), and whether it is a mine. `scene` and `mines` are those of
    `demine.mine_probability`; flags are not assumptions. Raises `SceneError` for malformed input
    and for a cell that is not covered, `InconsistentBoard` if no layout fits even without
    assumptions, and `TooComplex` beyond `states` states.
    """
    faces, number = checked_scene(scene, mines)
    asked = [
        Assumption(checked_covered_cell(cell, faces), bool(mine)) for cell, mine in assumptions
    ]
    asked = list({each.cell: each for each in asked}.values())

    def fits(some: Sequence[Assumption]) -> bool:
        try:
            return _have_layout(_constraints(faces, number, some, states))
        except (InconsistentBoard, Contradiction):
            return False

    if fits(asked):
        return None
    if not fits(()):
        raise InconsistentBoard("no layout of mines fits this board")
    needed = _fewest_assumptions(asked, fits)
    *others, last = needed
    width = faces.shape[1]
    row, col = last.cell
    proof = find_smallest_proof(
        _constraints(faces, number, others, states), row * width + col, is_mine=not last.is_mine
    )
    return Clash(
        tuple(needed),
        tuple(Clue(int(faces.flat[at]), *divmod(at, width)) for at in proof.numbers),
        proof.uses_mine_count,
    )


def _fewest_assumptions(
    asked: Sequence[Assumption], fits: Callable[[Sequence[Assumption]], bool]
) -> list[Assumption]:
    """Return assumptions that clash, none of which can be left out, in their order.

    The last of them is the first in `asked` at which the board became impossible.
    """
    end = bisect_left(range(len(asked) + 1), True, key=lambda end: not fits(asked[:end]))
    kept = list(asked[:end])
    for each in kept[-2::-1]:
        fewer = [one for one in kept if one is not each]
        if not fits(fewer):
            kept = fewer
    return kept


def _constraints(
    faces: NDArray[np.uint8], mines: int, assumptions: Sequence[Assumption], states: int
) -> NumberConstraints:
    """Return what the numbers demand under assumptions.

    Raises `InconsistentBoard` if one of them cannot hold. Assumed mines are like mines that blew
    and were forgiven: known, and not to be found any more.
    """
    assumed = faces.copy()
    for cell, is_mine in assumptions:
        assumed[cell] = Face.BLOWN if is_mine else Face.COVERED
    width = faces.shape[1]
    safe = [row * width + col for (row, col), is_mine in assumptions if not is_mine]
    return NumberConstraints(assumed, mines, states, safe_cells=safe)


def _have_layout(constraints: NumberConstraints) -> bool:
    """Return whether any layout satisfies all numbers and the mine count.

    Raises `InconsistentBoard` or `Contradiction` if none satisfies the numbers.
    """
    part = constraints.solve_part(constraints.covered_beside)
    far_cells = constraints.covered_count - part.cells
    possible = PossibleCounts().convolve(part.possible_mine_count_bits(), (2 << far_cells) - 1)
    mines = constraints.mines_left
    return mines >= 0 and bool(possible >> mines & 1)


def _assumption_phrase(assumption: Assumption) -> str:
    where = cell_name(*assumption.cell)
    if assumption.is_mine:
        return tr("{cell} is a mine", cell=where)
    return tr("{cell} is safe", cell=where)
