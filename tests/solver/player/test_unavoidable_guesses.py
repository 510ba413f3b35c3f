"""Groups of cells that no number tells apart: their chances beside a count of all layouts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from demine.logic.neighbours import neighbours
from demine.solver.player.kernels import advice_tasks, look_ahead, offsets
from demine.solver.player.kernels import unavoidable_guesses as module
from demine.solver.player.kernels.certain_or_safest import write_risks
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_table import policy_by_name
from tests.solver.player.test_policies import MINE, Position, hint_table, positions

Cell = tuple[int, int]


class Counted:
    """A position whose layouts are listed, and the same position in the player's arrays."""

    def __init__(self, position: Position) -> None:
        self.height, self.width = position.faces.shape
        self.covered, self.layouts = hint_table(position)
        self.arrays = PlayerArrays()
        flat = position.faces.ravel().astype(np.int64)
        self.work, self.values = self.arrays.work, self.arrays.values
        advice_tasks.evaluate_scene(
            self.height, self.width, position.mines, flat, self.work, self.values  # type: ignore[arg-type]
        )  # fmt: skip
        self.total = float(self.values[offsets.TOTAL_WEIGHT])
        write_risks(0, self.work, self.values)

    def padded(self, cell: Cell) -> int:
        return int((cell[0] + 1) * (self.width + 2) + cell[1] + 1)

    def is_unknown(self, cell: Cell) -> bool:
        inside = 0 <= cell[0] < self.height and 0 <= cell[1] < self.width
        return inside and bool(self.work[offsets.KIND + self.padded(cell)] == offsets.UNKNOWN)

    def chance(self, mines: Sequence[Cell], safe: Sequence[Cell]) -> float:
        """Return in what share of layouts these cells could be swapped and nobody would see."""
        outside = self.cells_that_tell(mines, safe)
        if any(row * self.width + col not in self.covered for row, col in outside):
            return 0.0
        wanted = {*mines, *outside}
        fits = [
            layout
            for layout in self.layouts
            if all(self.is_mine(layout, cell) for cell in wanted)
            and not any(self.is_mine(layout, cell) for cell in safe)
        ]
        return len(fits) / len(self.layouts)

    def cells_that_tell(self, mines: Sequence[Cell], safe: Sequence[Cell]) -> set[Cell]:
        around = {cell: set(neighbours(*cell, self.height, self.width)) for cell in (*mines, *safe)}
        seen = {other for each in around.values() for other in each} - set(around)
        return {
            other
            for other in seen
            if sum(other in around[cell] for cell in mines)
            != sum(other in around[cell] for cell in safe)
        }

    def is_mine(self, layout: tuple[int, ...], cell: Cell) -> bool:
        return layout[self.covered.index(cell[0] * self.width + cell[1])] == MINE

    def is_left_out(self, mines: Sequence[Cell], safe: Sequence[Cell]) -> bool:
        """Whether a group may be passed over: it is unlikely, or too much of it is uncertain."""
        outside = [cell for cell in self.cells_that_tell(mines, safe) if self.is_unknown(cell)]
        product = np.prod(
            [self.values[offsets.RISK + self.padded(cell)] for cell in (*mines, *outside)]
        )
        return len(outside) > module.MAX_UNCERTAIN or bool(product < module.LEAST)

    def touches_number(self, mines: Sequence[Cell], safe: Sequence[Cell]) -> bool:
        """Whether one of the uncertain cells is beside a number, so that no product will do."""
        cells = [*mines, *safe, *self.cells_that_tell(mines, safe)]
        return any(
            module.touches_number(self.padded(cell), self.work)
            for cell in filter(self.is_unknown, cells)
        )


def groups(cell: Cell) -> list[tuple[str, tuple[int, int], list[Cell], list[Cell]]]:
    """Return each kernel, its steps in rows and columns, the mines and the safe cells."""
    row, col = cell
    found = [
        ("pair", (down, right), [cell], [(row + down, col + right)])
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))
    ]
    found += [
        ("square", (down, right), [cell, (row + down, col + right)],
         [(row + down, col), (row, col + right)])
        for down in (1, -1) for right in (1, -1)
    ]  # fmt: skip
    return found


@pytest.mark.parametrize(("size", "mines"), [((4, 4), 5), ((3, 6), 6)])
def test_the_chances_are_those_of_all_layouts(size: tuple[int, int], mines: int) -> None:
    likely = 0
    for position in positions(3, 12, size, mines, 200):
        here = Counted(position)
        stride = size[1] + 2
        for place in here.covered:
            cell = divmod(place, size[1])
            for shape, (down, right), mined, safe in groups(cell):
                if not all(map(here.is_unknown, (*mined, *safe))):
                    continue
                if shape == "pair":
                    step, side = (right, stride) if right else (down * stride, 1)
                    found = module.chance_of_pair(
                        here.padded(cell), step, side, here.total, here.work, here.values
                    )
                else:
                    found = module.chance_of_square(
                        here.padded(cell), down * stride, right, here.total, here.work, here.values
                    )
                expected = here.chance(mined, safe)
                if here.is_left_out(mined, safe):
                    assert found == 0.0
                elif here.touches_number(mined, safe):
                    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
                    likely += expected > 0
    assert likely > 10


def test_what_is_supposed_is_undone() -> None:
    for position in positions(5, 6, (4, 5), 5, 200):
        here = Counted(position)
        before = here.work[offsets.KIND : offsets.NEIGHBOUR_HASH].copy()
        single = here.work[[offsets.COVERED, offsets.MINES_LEFT]].copy()
        for place in here.covered:
            cell = divmod(place, 5)
            if here.is_unknown(cell):
                risk = here.values[offsets.RISK + here.padded(cell)]
                found = module.unavoidable_risk(
                    here.padded(cell), here.total, here.work, here.values
                )
                assert 0.0 <= found <= min(risk, 1 - risk)
        np.testing.assert_array_equal(here.work[offsets.KIND : offsets.NEIGHBOUR_HASH], before)
        np.testing.assert_array_equal(here.work[[offsets.COVERED, offsets.MINES_LEFT]], single)


def test_what_cannot_be_avoided_does_not_hang_on_the_position_before() -> None:
    unavoidable = slice(offsets.UNAVOIDABLE, offsets.DIALS)
    forgiven = 0
    for position in positions(5, 12, (4, 5), 5, 200):
        here = Counted(position)
        set_policy(here.arrays, policy_by_name("deep"))
        look_ahead.find_unavoidable_risks(here.total, 0.75, here.work, here.values)
        expected = here.values[unavoidable].copy()
        # As a position leaves it in which other cells stood in corners.
        here.values[unavoidable] = 0.5
        look_ahead.find_unavoidable_risks(here.total, 0.75, here.work, here.values)
        board = [here.padded(divmod(place, here.width)) for place in here.covered]
        np.testing.assert_array_equal(here.values[unavoidable][board], expected[board])
        forgiven += bool(expected.any())
    assert forgiven
