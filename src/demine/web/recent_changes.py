"""Which cells the last acts on a game changed, for connections that come back after a break."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

ChangedCell: TypeAlias = tuple[int, int, int]
"""Row, column, `Face`."""
_REMEMBERED: Final = 64
"""How many acts are remembered."""


class RecentChanges:
    """The cells that the last acts changed; some 80 bytes an act. `seq` counts a game's events."""

    __slots__ = ("_acts", "_known_from", "_seq")

    def __init__(self, seq: int) -> None:
        self._seq = self._known_from = seq
        self._acts: list[array[int]] = []
        """For each act the number of events after it, then the cells that it changed."""

    def add(self, seq: int, cells: Sequence[int] | None) -> None:
        """Note the cells, `row * width + col`, of an act; None if any cell may have changed."""
        self._seq = seq
        if cells is None:
            self._acts.clear()
            self._known_from = seq
            return
        self._acts.append(array("q", (seq, *cells)))
        if len(self._acts) > _REMEMBERED:
            self._known_from = self._acts.pop(0)[0]

    def since(self, seq: int) -> list[int] | None:
        """Return the cells that changed after event `seq`, in order; None if that is not known.

        That holds for an event that never was, which a client may name.
        """
        if not self._known_from <= seq <= self._seq:
            return None
        return sorted({cell for act in self._acts if act[0] > seq for cell in act[1:]})
