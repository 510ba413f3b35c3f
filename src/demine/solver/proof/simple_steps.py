"""Steps on one number, and on one number less another, until nothing more follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from demine.solver.exact.parse import contradiction, talk_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray


class Step(NamedTuple):
    """One step, in what was unknown when it was made.

    `plus` asks for as many mines more than `minus` as it has cells that `minus` has not: those are
    `mines`, and what only `minus` has is `safe`. Of a step on one number, one of them is empty.
    `need` is how many mines `plus` asks for.
    """

    plus: tuple[int, ...]
    minus: tuple[int, ...]
    mines: frozenset[int]
    safe: frozenset[int]
    need: int


class Steps:
    """Numbers, and what is known of their cells.

    `rooms` are the unknown cells beside each number, `needs` the mines it still asks for, `known`
    what steps have found. What can be found does not depend on the order: a step that is possible
    stays possible until its cells are known.
    """

    def __init__(
        self,
        faces: NDArray[np.uint8],
        rooms: Mapping[int, Iterable[int]],
        needs: Mapping[int, int],
    ) -> None:
        self._faces = faces
        self.rooms = {number: set(room) for number, room in rooms.items()}
        self.needs = {number: needs[number] for number in rooms}
        self.talk = talk_of(rooms)
        self.known: dict[int, bool] = {}
        self.made: list[Step] = []

    def singles(self) -> None:
        """Make every step on one number. Raises `InconsistentBoard`."""
        self._singles(dict.fromkeys(self.rooms))

    def pairs(self) -> None:
        """Make every step on one number, or on one less another. Raises `InconsistentBoard`."""
        waiting = self._singles(dict.fromkeys(self.rooms))
        while waiting:
            number, _ = waiting.popitem()
            others = {other for cell in self.rooms[number] for other in self.talk[cell]}
            for other in sorted(others - {number}):
                touched = self._compare(number, other) or self._compare(other, number)
                if touched:
                    waiting |= self._singles(touched)
                    waiting[number] = None
                    break

    def _singles(self, waiting: dict[int, None]) -> dict[int, None]:
        """Make the steps on one number that these numbers begin; return the numbers touched."""
        touched = dict(waiting)
        while waiting:
            number, _ = waiting.popitem()
            room, need = self.rooms[number], self.needs[number]
            if not 0 <= need <= len(room):
                raise contradiction(self._faces, number)
            if room and need in {0, len(room)}:
                found, nothing = frozenset(room), frozenset[int]()
                step = (
                    Step((number,), (), found, nothing, need)
                    if need
                    else Step((), (number,), nothing, found, 0)
                )
                more = self._make(step)
                waiting |= more
                touched |= more
        return touched

    def _compare(self, plus: int, minus: int) -> dict[int, None]:
        """Make the step of one number less another, if it is one; return the numbers touched."""
        more, less = self.rooms[plus], self.rooms[minus]
        only = more - less
        gap = self.needs[plus] - self.needs[minus] - len(only)
        if gap > 0:
            raise contradiction(self._faces, plus)
        if gap or (not only and len(less) == len(more)):
            return {}
        step = Step((plus,), (minus,), frozenset(only), frozenset(less - more), self.needs[plus])
        return self._make(step)

    def _make(self, step: Step) -> dict[int, None]:
        """Keep what a step has found; return the numbers beside it."""
        touched: dict[int, None] = {}
        self.made.append(step)
        for is_mine, cells in ((True, step.mines), (False, step.safe)):
            for cell in cells:
                self.known[cell] = is_mine
                for number in self.talk[cell]:
                    self.rooms[number].discard(cell)
                    self.needs[number] -= is_mine
                    touched[number] = None
        return touched
