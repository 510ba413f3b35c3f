"""The numbers around a cell as bit sets, to test quickly which of them prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.solver.errors import TOO_MANY_STATES, TooComplex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_NODES: Final = 300
"""How many partial layouts one search may visit."""
MAX_REPAIR_NODES: Final = 60
"""How many it may visit to satisfy one more number."""

Constraint = tuple[int, int]
"""The cells of a number as bits, and how many mines they hold."""


class LocalConstraints:
    """Numbers, by index, as constraints on layouts in which a cell is the opposite of what it is.

    Some of the numbers prove the cell if no such layout satisfies them. Cells are bits.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        covered_beside: Mapping[int, Sequence[int]],
        needs: Mapping[int, int],
        cell: int,
        *,
        is_mine: bool,
    ) -> None:
        self.numbers = numbers
        bits: dict[int, int] = {}
        for number in numbers:
            for near in covered_beside[number]:
                bits.setdefault(near, 1 << len(bits))
        self._constraints: list[Constraint] = [
            (sum(bits[near] for near in covered_beside[number]), needs[number])
            for number in numbers
        ]
        self._all = (1 << len(bits)) - 1
        flipped = bits[cell]
        self._mines, self._safe = (0, flipped) if is_mine else (flipped, 0)

    def find_counterexample(self, chosen: Iterable[int]) -> int | None:
        """Return the mines of a layout that satisfies the chosen numbers, or None.

        The cell is the opposite in it, so that None means that these numbers prove the cell. Raises
        `TooComplex` beyond `MAX_NODES`.
        """
        return _find_layout(
            [self._constraints[index] for index in chosen], self._mines, self._safe, MAX_NODES
        )

    def numbers_broken_after_repair(self, layout: int, chosen: Iterable[int]) -> list[int]:
        """Return the numbers that a layout breaks after it has been changed to break fewer.

        The layout satisfies the chosen numbers, and continues to. Numbers with a low index are
        repaired first.
        """
        kept = set(chosen)
        for index, (mask, need) in enumerate(self._constraints):
            if (layout & mask).bit_count() == need:
                kept.add(index)
        for index in range(len(self._constraints)):
            if index not in kept:
                better = self._repaired(layout, kept, index)
                if better is not None:
                    layout = better
                    kept.add(index)
        return [
            index
            for index, (mask, need) in enumerate(self._constraints)
            if (layout & mask).bit_count() != need
        ]

    def _repaired(self, layout: int, kept: Iterable[int], index: int) -> int | None:
        """Return a layout, changed near a number, that satisfies it and the kept ones; or None."""
        constraints = [self._constraints[one] for one in kept] + [self._constraints[index]]
        area = self._constraints[index][0]
        for _ in range(2):
            area = _union_of_masks(mask for mask, _ in constraints if mask & area)
        fixed = self._all & ~area
        near = [each for each in constraints if each[0] & area]
        mines, safe = layout & fixed | self._mines, fixed & ~layout | self._safe
        try:
            found = _find_layout(near, mines, safe, MAX_REPAIR_NODES)
        except TooComplex:
            return None
        return found


def _union_of_masks(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


def _find_layout(
    constraints: Sequence[Constraint], mines: int, safe: int, nodes: int
) -> int | None:
    """Return the mines of a layout that has these mines and safe cells, or None."""
    waiting = [(constraints, mines, safe)]
    most = nodes
    while waiting:
        nodes -= 1
        if not nodes:
            raise TooComplex(TOO_MANY_STATES, states=most)
        found = _propagate(*waiting.pop())
        if found is None:
            continue
        constraints, mines, safe = found
        if not constraints:
            return mines
        open_to = [mask & ~(mines | safe) for mask, _ in constraints]
        free = min(open_to, key=int.bit_count)
        one = free & -free
        alike = free
        for mask in open_to:
            alike &= mask if mask & one else ~mask
        # If no layout has a mine in this cell, none has one in a cell with the same numbers.
        waiting += [(constraints, mines, safe | alike), (constraints, mines | one, safe)]
    return None


def _propagate(
    constraints: Sequence[Constraint], mines: int, safe: int
) -> tuple[list[Constraint], int, int] | None:
    """Settle by single numbers; return what is open, mines, safe cells; None if contradictory."""
    while True:
        still = []
        before = mines, safe
        for ask in constraints:
            mask, need = ask
            free = mask & ~(mines | safe)
            lack = need - (mines & mask).bit_count()
            room = free.bit_count()
            if 0 < lack < room:
                still.append(ask)
            elif lack not in {0, room}:
                return None
            elif lack:
                mines |= free
            else:
                safe |= free
        if before == (mines, safe):
            return still, mines, safe
        constraints = still
