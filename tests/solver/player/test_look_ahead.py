"""How safe the next guess is: the score of a cell beside a count of all layouts."""

from __future__ import annotations

import numpy as np
import pytest

from demine.scene.cell_faces import Face
from demine.solver.player.kernels import advice_tasks, look_ahead, offsets
from demine.solver.player.kernels.certain_or_safest import write_risks
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_table import policy_by_name
from tests.solver.player.test_policies import MINE, positions
from tests.solver.player.test_unavoidable_guesses import Counted


def survival(here: Counted, cell: int) -> float:
    """Return the chance to survive a cell and then the safest one, counted in the layouts."""
    at = here.covered.index(cell)
    others = [
        here.covered.index(other)
        for other in here.covered
        if other != cell and here.is_unknown(divmod(other, here.width))
    ]
    won = 0
    for number in {layout[at] for layout in here.layouts} - {MINE}:
        left = [layout for layout in here.layouts if layout[at] == number]
        safe = [sum(layout[other] != MINE for layout in left) for other in others]
        won += max(safe, default=len(left))
    return won / len(here.layouts)


@pytest.mark.parametrize(("size", "mines"), [((5, 5), 6), ((3, 8), 6)])
def test_the_scores_are_those_of_all_layouts(size: tuple[int, int], mines: int) -> None:
    looked = 0
    for position in positions(11, 4, size, mines, 150):
        here = Counted(position)
        set_policy(here.arrays, policy_by_name("best"))
        for place in here.covered:
            cell = divmod(place, here.width)
            risk = here.values[offsets.RISK + here.padded(cell)]
            if here.is_unknown(cell) and risk < 1.0:
                found = look_ahead.survival_one_ahead(
                    0, here.padded(cell), 1.0 - risk, here.total, -1.0, here.work, here.values
                )
                assert found == pytest.approx(survival(here, place), rel=1e-9)
                looked += 1
    assert looked > 15


def listed_cells(faces: np.ndarray, mines: int, *, one_far_cell: bool) -> set[tuple[int, int]]:
    """Return the cells that a look ahead compares, of all that are safe enough."""
    height, width = faces.shape
    arrays = PlayerArrays()
    set_policy(arrays, policy_by_name("deep"))
    arrays.values[offsets.DIALS + offsets.DIAL_ONE_FAR_CELL] = float(one_far_cell)
    flat = faces.ravel().astype(np.int64)
    advice_tasks.evaluate_scene(height, width, mines, flat, arrays.work, arrays.values)  # type: ignore[arg-type]
    write_risks(0, arrays.work, arrays.values)
    found = look_ahead.list_safest_cells(0, 300, 0.5, arrays.work, arrays.values)
    cells = arrays.work[offsets.CHOICES : offsets.CHOICES + found]
    rows, cols = np.divmod(np.asarray(cells), width + 2)
    return set(zip((rows - 1).tolist(), (cols - 1).tolist(), strict=True))


@pytest.mark.parametrize("size", [(9, 16), (12, 12), (3, 30)])
def test_one_cell_stands_for_those_far_from_numbers(size: tuple[int, int]) -> None:
    faces = np.full(size, np.uint8(Face.COVERED))
    faces[0, 0] = 1
    every = listed_cells(faces, 20, one_far_cell=False)
    assert len(every) == faces.size - 1
    height, width = size
    near = {cell for cell in every if max(cell) <= 3}  # two steps from a neighbour of the number
    far: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for row, col in every - near:
        to_sides = min(row, height - 1 - row, 2), min(col, width - 1 - col, 2)
        far.setdefault(to_sides, set()).add((row, col))
    listed = listed_cells(faces, 20, one_far_cell=True)
    assert near < listed
    assert len(listed) == len(near) + len(far)
    for cells in far.values():
        assert len(cells & listed) == 1
    assert len(far) > 3
