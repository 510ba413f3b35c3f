"""Proofs that need the mine count: some numbers, and the mines they leave for the other cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.semirings import PossibleCounts
from demine.solver.proof.minimise_proof import drop_redundant
from demine.solver.proof.prove_from_numbers import is_certain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from demine.solver.proof.prove_from_numbers import NumberConstraints, SolvedPart

Numbers = tuple[int, ...]


class MineCountProof:
    """Checks whether numbers and the mine count prove a cell.

    Groups of numbers that share no cells are connected only by the mine count. So each group is
    solved by itself, and only once.
    """

    def __init__(self, constraints: NumberConstraints, cell: int) -> None:
        self._constraints = constraints
        self._cell = cell
        self._parts: dict[Numbers, tuple[SolvedPart, int]] = {}

    def drop_redundant(self, numbers: Sequence[int]) -> list[int]:
        """Drop numbers, in ever shorter runs, until none can be spared."""
        groups = self._connected_groups(numbers)

        def proves(kept: list[int]) -> bool:
            # Only groups that lost a number are split again.
            nonlocal groups
            left = set(kept)
            fewer: list[Numbers] = []
            for group in groups:
                if left.issuperset(group):
                    fewer.append(group)
                else:
                    fewer += self._connected_groups([one for one in group if one in left])
            if is_proof := self.proves(fewer):
                groups = fewer
            return is_proof

        return drop_redundant(numbers, proves)

    def proves(self, groups: Iterable[Numbers]) -> bool:
        """Return whether the mine count and these groups, which share no cells, prove the cell."""
        ring = PossibleCounts()
        totals, sea, home = 1, self._constraints.covered_count, None
        for group in groups:
            part, total = self._part_and_totals(group)
            sea -= part.cells
            if any(self._cell in self._constraints.covered_beside[number] for number in group):
                home = part
            else:
                totals = ring.convolve(totals, total)
        mines = self._constraints.mines_left
        if home is None:
            rest = [mines - total for total in range(totals.bit_length()) if totals >> total & 1]
            some = any(0 < left <= sea for left in rest)
            return not (some and any(0 <= left < sea for left in rest))
        if self._cell in home.settled:
            return True
        graph = home.graph_of_cell(self._cell)
        totals = ring.convolve(
            ring.convolve(totals, home.possible_mine_count_bits(left_out=graph)), (2 << sea) - 1
        )
        # The mine counts that are left for the component of the cell.
        left = ring.carry_weights_back(1 << mines, totals)
        return graph is not None and is_certain(graph, self._cell, left)

    def _part_and_totals(self, group: Numbers) -> tuple[SolvedPart, int]:
        if group not in self._parts:
            part = self._constraints.solve_part(group)
            self._parts[group] = part, part.possible_mine_count_bits()
        return self._parts[group]

    def _connected_groups(self, numbers: Iterable[int]) -> list[Numbers]:
        """Group numbers so that those of different groups share no cells."""
        left = dict.fromkeys(numbers)
        groups = []
        while left:
            group = [next(iter(left))]
            del left[group[0]]
            for number in group:
                for other in self._constraints.with_adjacent_numbers([number]):
                    if other in left:
                        del left[other]
                        group.append(other)
            groups.append(tuple(sorted(group)))
        return groups
