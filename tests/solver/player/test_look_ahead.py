"""How safe the next guess is: the score of a cell beside a count of all layouts."""

from __future__ import annotations

import pytest

from demine.solver.player.kernels import look_ahead, offsets
from demine.solver.player.player_arrays import set_policy
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
