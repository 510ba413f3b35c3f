"""A random stream of layouts, cells and numbers, the same in every version of NumPy."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.layout import guaranteed_safe_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.logic.rules import Rules

_NEVER: Final = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


class LayoutStream:
    """A random stream of layouts of `rules`, which keep the rules' promise for the cell `first`.

    A layout takes the next `rules.cells` random keys and has its mines at the smallest ones, so the
    first layout is the one that `demine.logic.layout.deal` lays for this seed.
    """

    def __init__(self, rules: Rules, seed: int, first: tuple[int, int]) -> None:
        from numpy.random import PCG64

        self.rules = rules
        self.never_mined = guaranteed_safe_cells(rules, first)
        self._stream = PCG64(seed)

    def draw_layouts(self, count: int) -> NDArray[np.bool_]:
        """Draw layouts: bool, shape `(count, height, width)`, True for a mine."""
        shape, mines = (count, *self.rules.shape), self.rules.mines
        if not mines:
            return np.zeros(shape, np.bool_)
        keys = self._stream.random_raw(count * self.rules.cells).reshape(count, self.rules.cells)
        keys[:, self.never_mined] = _NEVER
        bars = np.partition(keys, mines - 1, axis=1)[:, mines - 1]
        mine_maps: NDArray[np.bool_] = keys <= bars[:, None]
        mine_maps[:, self.never_mined] = False
        for at in np.flatnonzero(np.count_nonzero(mine_maps, axis=1) > mines):
            # Of cells with equal keys only the first get a mine.
            mine_maps[at, np.flatnonzero(mine_maps[at])[mines:]] = False
        return mine_maps.reshape(shape)

    @property
    def layout_count(self) -> int:
        """How many different layouts there are to draw."""
        return comb(self.rules.cells - len(self.never_mined), self.rules.mines)

    def all_layouts(self) -> NDArray[np.bool_]:
        """Return every layout once: bool, shape `(layout_count, height, width)`."""
        may = np.delete(np.arange(self.rules.cells), self.never_mined)
        places = np.array([*combinations(may.tolist(), self.rules.mines)], np.intp)
        mine_maps = np.zeros((len(places), self.rules.cells), np.bool_)
        mine_maps[np.arange(len(places))[:, None], places] = True
        return mine_maps.reshape(len(places), *self.rules.shape)

    def draw_int_below(self, bound: int) -> int:
        """Draw an integer from 0 to `bound - 1`."""
        return int(self._stream.random_raw()) % bound

    def draw_cell(self, cells: NDArray[np.intp]) -> int:
        """Draw one of these cells, which are flat indices."""
        return int(cells[self.draw_int_below(cells.size)])

    def draw_layout_from(self, layouts: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
        """Draw one of these layouts."""
        return layouts[self.draw_int_below(len(layouts))]
