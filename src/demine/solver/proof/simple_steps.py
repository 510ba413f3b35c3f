"""Simple steps: on one number, and on one number minus another, until nothing more follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from demine.solver.exact.parse_board import contradiction_error, numbers_beside_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray


class SimpleStep(NamedTuple):
    """One step, in terms of the cells that were unknown when it was made.

    `plus` needs as many mines more than `minus` as it has cells that `minus` has not: those are
    `mines`, and the cells that only `minus` has are `safe`. In a step on one number, `plus` or
    `minus` is empty. `need` is how many mines `plus` lacks, `shared` the cells beside both.
    """

    plus: tuple[int, ...]
    minus: tuple[int, ...]
    mines: frozenset[int]
    safe: frozenset[int]
    need: int
    shared: frozenset[int] = frozenset()


class SimpleSteps:
    """The simple steps on some numbers, and what these steps have found.

    `unknown_beside` are the unknown cells beside each number, `needs` the mines it still lacks,
    `known` the cells found, with whether they are mines, `made` the steps so far. The result does
    not depend on the order of steps: a step that is possible stays possible until its cells are
    known.
    """

    def __init__(
        self,
        faces: NDArray[np.uint8],
        unknown_beside: Mapping[int, Iterable[int]],
        needs: Mapping[int, int],
    ) -> None:
        self._faces = faces
        self.unknown_beside = {number: set(room) for number, room in unknown_beside.items()}
        self.needs = {number: needs[number] for number in unknown_beside}
        self.numbers_beside = numbers_beside_cells(unknown_beside)
        self.known: dict[int, bool] = {}
        self.made: list[SimpleStep] = []

    def apply_single_number_steps(self) -> None:
        """Make steps on one number until there are no more. Raises `InconsistentBoard`."""
        self._make_single_steps(dict.fromkeys(self.unknown_beside))

    def apply_number_pair_steps(self) -> None:
        """Make steps on one or two numbers until there are no more. Raises `InconsistentBoard`."""
        waiting = self._make_single_steps(dict.fromkeys(self.unknown_beside))
        while waiting:
            number, _ = waiting.popitem()
            others = {
                other for cell in self.unknown_beside[number] for other in self.numbers_beside[cell]
            }
            for other in sorted(others - {number}):
                touched = self._make_pair_step(number, other) or self._make_pair_step(other, number)
                if touched:
                    waiting |= self._make_single_steps(touched)
                    waiting[number] = None
                    break

    def _make_single_steps(self, waiting: dict[int, None]) -> dict[int, None]:
        """Make the steps on one number that start from these numbers; return those touched."""
        touched = dict(waiting)
        while waiting:
            number, _ = waiting.popitem()
            room, need = self.unknown_beside[number], self.needs[number]
            if not 0 <= need <= len(room):
                raise contradiction_error(self._faces, number)
            if room and need in {0, len(room)}:
                found, nothing = frozenset(room), frozenset[int]()
                step = (
                    SimpleStep((number,), (), found, nothing, need)
                    if need
                    else SimpleStep((), (number,), nothing, found, 0)
                )
                more = self._record(step)
                waiting |= more
                touched |= more
        return touched

    def _make_pair_step(self, plus: int, minus: int) -> dict[int, None]:
        """Make the step of one number minus another, if possible; return the numbers touched."""
        more, less = self.unknown_beside[plus], self.unknown_beside[minus]
        only = more - less
        gap = self.needs[plus] - self.needs[minus] - len(only)
        if gap > 0:
            raise contradiction_error(self._faces, plus)
        if gap or (not only and len(less) == len(more)):
            return {}
        safe, shared = frozenset(less - more), frozenset(more & less)
        step = SimpleStep((plus,), (minus,), frozenset(only), safe, self.needs[plus], shared)
        return self._record(step)

    def _record(self, step: SimpleStep) -> dict[int, None]:
        """Record what a step has found; return the numbers beside it."""
        touched: dict[int, None] = {}
        self.made.append(step)
        for is_mine, cells in ((True, step.mines), (False, step.safe)):
            for cell in cells:
                self.known[cell] = is_mine
                for number in self.numbers_beside[cell]:
                    self.unknown_beside[number].discard(cell)
                    self.needs[number] -= is_mine
                    touched[number] = None
        return touched
