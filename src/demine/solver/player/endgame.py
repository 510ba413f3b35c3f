"""The endgame searched exactly in plain Python: how many of the last layouts each cell wins.

A position is the set of layouts that are still possible, as the bits of one integer. What a cell
shows splits that set; a cell that can show only one number is useless, and one that is safe
everywhere costs nothing to open. Two layouts that no cell distinguishes while it is safe in both
are never both won: sorted into classes of such layouts, a position wins no more than the number of
classes.

The kernels in `demine.solver.player.kernels.endgame` search in the same order and find the same
cell. Compiled, they are ten times as fast as this; interpreted, ten times as slow. This also
finishes searches for which their budget is too small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.solver.player.kernels.list_layouts import BOMB

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

MAX_POSITIONS: Final = 50_000
"""How many positions one search may visit; a few thousand are the most it ever needed."""


class EndgameTooLong(Exception):
    """The search would take too long."""


class _Cell(NamedTuple):
    """A cell that can show several numbers: the layouts where it is safe, and those by number.

    `at` is its index; layouts are bits.
    """

    at: int
    safe: int
    parts: tuple[int, ...]


class Endgame:
    """The layouts of a position, searched by playing every game to its end.

    `numbers` holds what each cell shows in each layout, `(layouts, cells)`, `BOMB` for a mine.
    Cells are its column indices. Values of positions are remembered between calls.
    """

    def __init__(self, numbers: NDArray[np.uint8], max_positions: int = MAX_POSITIONS) -> None:
        self._numbers = numbers
        self._left = max_positions
        self._whole = (1 << len(numbers)) - 1
        self._known: dict[int, tuple[int, bool]] = {}
        """By position: its value and True, or an upper bound and False."""
        self._cells = _telling_cells(numbers)
        self._tells = _layouts_told_apart(self._cells, len(numbers))

    def best_cell_index(self) -> int:
        """Return the cell that wins most layouts; of equal ones the safest, of those the last.

        If no cell tells anything, it is the first of the safest. Raises `EndgameTooLong`.
        """
        if not self._cells:
            return int((self._numbers == BOMB).sum(axis=0).argmin())
        most, best = 0, -1
        for cell in self._cells:
            if cell.safe.bit_count() > most:
                wins = self._wins_after(self._whole, cell, self._cells, most)
                if wins > most:
                    most, best = wins, cell.at
        return best

    def wins_if_opened_first(self, cell_index: int) -> int:
        """Return how many layouts the best play wins if it opens this cell first.

        Raises `EndgameTooLong`.
        """
        shown = self._numbers[:, cell_index]
        parts = [part for number in range(BOMB) if (part := _as_bits(shown == number))]
        return self._sum_of_values(parts, self._cells, -1)

    def _wins_after(self, layouts: int, cell: _Cell, living: list[_Cell], must_exceed: int) -> int:
        """Return how many layouts a cell wins; an upper bound if not more than `must_exceed`."""
        return self._sum_of_values(
            [part for each in cell.parts if (part := layouts & each)], living, must_exceed
        )

    def _sum_of_values(self, parts: Iterable[int], living: list[_Cell], must_exceed: int) -> int:
        """Return the sum of the values of positions, or an upper bound, as in `_wins_after`."""
        total = rest = 0
        unknown = []
        for size, part in sorted((part.bit_count(), part) for part in parts):
            value, exact = (1, True) if size == 1 else self._value_or_bound(part)
            if exact:
                total += value
            else:
                unknown.append((part, value))
                rest += value
        for part, bound in unknown:
            if total + rest <= must_exceed:
                break
            rest -= bound
            total += self._search_value(part, bound, living, must_exceed - total - rest)
        return total + rest

    def _value_or_bound(self, layouts: int) -> tuple[int, bool]:
        """Return the value of a position and True if it is known or plain; else a bound, False."""
        known = self._known.get(layouts)
        if known is None:
            # Not remembered here: the search does that, and most positions are never searched.
            classes = self._count_indistinguishable(layouts)
            return classes, classes == 1
        return known

    def _count_indistinguishable(self, layouts: int) -> int:
        """Return how many classes of layouts that no cell distinguishes a position has."""
        tells = self._tells
        found = 0
        while layouts:
            found += 1
            left = layouts
            while left:
                low = left & -left
                layouts ^= low
                left &= ~(tells[low.bit_length() - 1] | low)
        return found

    def _search_value(self, layouts: int, bound: int, above: list[_Cell], must_exceed: int) -> int:
        """Return how many layouts of a position are won; a bound if not more than `must_exceed`."""
        if self._left <= 0:
            raise EndgameTooLong
        self._left -= 1
        living = [cell for cell in above if _can_tell(cell, layouts)]
        free = [cell for cell in living if layouts & cell.safe == layouts]
        if not living:
            value, exact = 1, True
        elif free:
            value = self._sum_of_values(_split_by_cells(layouts, free), living, must_exceed)
            exact = value > must_exceed
        else:
            value, exact = self._try_cells(layouts, bound, living, must_exceed)
        self._known[layouts] = value, exact
        return value

    def _try_cells(
        self, layouts: int, bound: int, living: list[_Cell], must_exceed: int
    ) -> tuple[int, bool]:
        """Try every cell, the safest first; return the value and True, or a bound and False."""
        best, reach = must_exceed, 0
        trials = [((layouts & cell.safe).bit_count(), cell) for cell in living]
        for safe, cell in sorted(trials, reverse=True):
            if safe <= best:
                reach = max(reach, safe)
                break
            wins = self._wins_after(layouts, cell, living, best)
            reach = max(reach, wins)
            best = max(best, wins)
            if best == bound:
                break
        return (best, True) if best > must_exceed else (reach, False)


def _telling_cells(numbers: NDArray[np.uint8]) -> list[_Cell]:
    """Return the cells that can show several numbers, the safest first, of equal ones the last.

    Of cells that split the layouts into the same parts, only the last is kept.
    """
    found: dict[tuple[int, ...], _Cell] = {}
    for at in range(numbers.shape[1] - 1, -1, -1):
        shown = numbers[:, at]
        parts = tuple(part for number in range(BOMB) if (part := _as_bits(shown == number)))
        if len(parts) > 1 and parts not in found:
            largest_first = tuple(sorted(parts, key=int.bit_count, reverse=True))
            found[parts] = _Cell(at, _as_bits(shown != BOMB), largest_first)
    return sorted(found.values(), key=lambda cell: -cell.safe.bit_count())


def _layouts_told_apart(cells: list[_Cell], layouts: int) -> list[int]:
    """Return for each layout the ones that some cell, safe in both, distinguishes from it."""
    tells = [0] * layouts
    for cell in cells:
        for part in cell.parts:
            others = cell.safe ^ part
            left = part
            while left:
                low = left & -left
                tells[low.bit_length() - 1] |= others
                left ^= low
    return tells


def _can_tell(cell: _Cell, layouts: int) -> bool:
    """Return whether a cell can show several numbers in a position."""
    safe = layouts & cell.safe
    for part in cell.parts:
        if shown := safe & part:
            return shown != safe
    return False


def _split_by_cells(layouts: int, cells: list[_Cell]) -> list[int]:
    """Return the positions that a position splits into when several cells are opened."""
    found = [layouts]
    for cell in cells:
        found = [both for each in found for part in cell.parts if (both := each & part)]
    return found


def _as_bits(chosen: NDArray[np.bool_]) -> int:
    """Return the chosen layouts as the bits of an integer."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")
