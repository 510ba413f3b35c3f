"""The endgame searched exactly in plain Python: on how many of the last layouts each cell wins.

A position is the set of layouts that it still allows, kept as the bits of one whole number. What a
cell can show parts that set; a cell that shows one number only is of no use, and one that is safe
everywhere is opened for nothing. Two layouts that no cell tells apart, safe in both of them, are
never both won: sorted into classes of such layouts, a position wins no more than there are classes.

The kernels in `demine.solver.player.kernels.endgame` search in the same order and find the same
cell. They are ten times as fast once they are compiled, and this is ten times as fast as they are
before; it also ends where they run out of their budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.solver.player.kernels.list_layouts import BOMB

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

MAX_POSITIONS: Final = 50_000
"""How many positions a search looks at; the most ever seen to be needed are a few thousand."""


class EndgameTooLong(Exception):
    """A search that would take too long."""


class _Cell(NamedTuple):
    """A cell that can show several numbers: the layouts where it is safe, and those by number."""

    at: int
    safe: int
    parts: tuple[int, ...]


class Endgame:
    """The layouts of a position, to be played out.

    `numbers` tells what each cell shows in each layout, `(layouts, cells)`, `BOMB` for a mine. What
    was found of a position is kept for the next question.
    """

    def __init__(self, numbers: NDArray[np.uint8], steps: int = MAX_POSITIONS) -> None:
        self._numbers = numbers
        self._left = steps
        self._whole = (1 << len(numbers)) - 1
        self._known: dict[int, tuple[int, bool]] = {}
        """By position: its value, or a bound above it; whether it is the value."""
        self._cells = _telling_cells(numbers)
        self._tells = _layouts_told_apart(self._cells, len(numbers))

    def best_cell(self) -> int:
        """Return the cell with which most layouts are won, of equal ones the safest.

        Of several such it is the last, and where no cell tells anything the first of the safest.
        Raises `EndgameTooLong` where that would take too long.
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

    def wins_with(self, cell: int) -> int:
        """Return on how many layouts the best play wins that opens a cell first.

        Raises `EndgameTooLong` where that would take too long.
        """
        shown = self._numbers[:, cell]
        parts = [part for number in range(BOMB) if (part := _as_bits(shown == number))]
        return self._sum_of_values(parts, self._cells, -1)

    def _wins_after(self, layouts: int, cell: _Cell, living: list[_Cell], needed: int) -> int:
        """Return how many layouts are won with a cell; a bound above if that is up to `needed`."""
        return self._sum_of_values(
            [part for each in cell.parts if (part := layouts & each)], living, needed
        )

    def _sum_of_values(self, parts: Iterable[int], living: list[_Cell], needed: int) -> int:
        """Return the sum of the values of positions, or a bound above it, as in `_wins_after`."""
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
            if total + rest <= needed:
                break
            rest -= bound
            total += self._search_value(part, bound, living, needed - total - rest)
        return total + rest

    def _value_or_bound(self, layouts: int) -> tuple[int, bool]:
        """Return the value of a position if it is known or plain, else a bound above it."""
        known = self._known.get(layouts)
        if known is None:
            # Nothing of it is kept: the search does that, and most are not searched.
            classes = self._count_classes(layouts)
            return classes, classes == 1
        return known

    def _count_classes(self, layouts: int) -> int:
        """Return into how many classes of layouts that nothing tells apart a position falls."""
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

    def _search_value(self, layouts: int, bound: int, above: list[_Cell], needed: int) -> int:
        """Return how many layouts of a position are won; a bound above if up to `needed`."""
        if self._left <= 0:
            raise EndgameTooLong
        self._left -= 1
        living = [cell for cell in above if _can_tell(cell, layouts)]
        free = [cell for cell in living if layouts & cell.safe == layouts]
        if not living:
            value, exact = 1, True
        elif free:
            value = self._sum_of_values(_split_by_cells(layouts, free), living, needed)
            exact = value > needed
        else:
            value, exact = self._try_cells(layouts, bound, living, needed)
        self._known[layouts] = value, exact
        return value

    def _try_cells(
        self, layouts: int, bound: int, living: list[_Cell], needed: int
    ) -> tuple[int, bool]:
        """Try every cell, the safest first; return the value, or a bound above it and False."""
        best, reach = needed, 0
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
        return (best, True) if best > needed else (reach, False)


def _telling_cells(numbers: NDArray[np.uint8]) -> list[_Cell]:
    """Return the cells that can show several numbers, the safest first, of equal ones the last.

    Of cells that part the layouts alike the last stands for all.
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
    """Return for each layout those that a cell tells from it that is safe in both."""
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
    """Whether a cell can show several numbers in a position."""
    safe = layouts & cell.safe
    for part in cell.parts:
        if shown := safe & part:
            return shown != safe
    return False


def _split_by_cells(layouts: int, cells: list[_Cell]) -> list[int]:
    """Return the positions that a position parts into where several cells are opened."""
    found = [layouts]
    for cell in cells:
        found = [both for each in found for part in cell.parts if (both := each & part)]
    return found


def _as_bits(chosen: NDArray[np.bool_]) -> int:
    """Return the layouts that are chosen as the bits of a number."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")
