"""Proofs that need the mine count: some numbers, and how many mines they leave for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.semirings import Possible
from demine.solver.proof.number_constraints import sure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from demine.solver.proof.number_constraints import Evidence, Part

Numbers = tuple[int, ...]


class Tally:
    """Which numbers prove a cell with the mine count, answered part by part.

    Numbers that share no cells meet only in the mine count. So each such part is solved by itself,
    and only once.
    """

    def __init__(self, evidence: Evidence, cell: int) -> None:
        self._evidence = evidence
        self._cell = cell
        self._parts: dict[Numbers, tuple[Part, int]] = {}

    def drop(self, numbers: Sequence[int]) -> list[int]:
        """Drop numbers, in runs that get shorter, until each of the rest is needed."""
        kept = list(numbers)
        groups = self._groups(kept)
        run = max(len(kept) // 2, 1)
        while True:
            at = 0
            while at < len(kept):
                gone = set(kept[at : at + run])
                fewer = [group for group in groups if gone.isdisjoint(group)]
                for group in groups:
                    if not gone.isdisjoint(group):
                        fewer += self._groups([one for one in group if one not in gone])
                if self.proves(fewer):
                    groups, kept = fewer, kept[:at] + kept[at + run :]
                else:
                    at += run
            if run == 1:
                return kept
            run //= 2

    def proves(self, groups: Iterable[Numbers]) -> bool:
        """Return whether the cell is certain by groups of numbers that share no cells."""
        ring = Possible()
        totals, sea, home = 1, self._evidence.covered, None
        for group in groups:
            part, total = self._solved(group)
            sea -= part.cells
            if any(self._cell in self._evidence.rooms[number] for number in group):
                home = part
            else:
                totals = ring.convolve(totals, total)
        mines = self._evidence.left
        if home is None:
            rest = [mines - total for total in range(totals.bit_length()) if totals >> total & 1]
            some = any(0 < left <= sea for left in rest)
            return not (some and any(0 <= left < sea for left in rest))
        if self._cell in home.settled:
            return True
        graph = home.home(self._cell)
        totals = ring.convolve(ring.convolve(totals, home.totals(but=graph)), (2 << sea) - 1)
        # What is left for the component of the cell, of the mines in all.
        left = ring.correlate(1 << mines, totals)
        return graph is not None and sure(graph, self._cell, left)

    def _solved(self, group: Numbers) -> tuple[Part, int]:
        if group not in self._parts:
            part = self._evidence.part(group)
            self._parts[group] = part, part.totals()
        return self._parts[group]

    def _groups(self, numbers: Iterable[int]) -> list[Numbers]:
        """Part numbers so that those of different groups share no cells."""
        left = dict.fromkeys(numbers)
        groups = []
        while left:
            group = [next(iter(left))]
            del left[group[0]]
            for number in group:
                for other in self._evidence.around([number]):
                    if other in left:
                        del left[other]
                        group.append(other)
            groups.append(tuple(sorted(group)))
        return groups
