"""Components of the frontier, and the order in which their boxes are best decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from demine.solver.survey import Box, Survey

WIDE: Final = 10
"""With more numbers than this waiting at once, other orders are looked at too."""


class Component(NamedTuple):
    """A part of the frontier that can be solved by itself, its boxes in the order to decide them.

    `needs` says how many mines each of its numbers asks for.
    """

    boxes: tuple[Box, ...]
    needs: Mapping[int, int]

    @property
    def cells(self) -> int:
        """How many cells its boxes have."""
        return sum(len(box.cells) for box in self.boxes)


def components(position: Survey) -> list[Component]:
    """Split the frontier into components, each with its boxes in a good order."""
    parts = _split(position.boxes)
    return [
        Component(
            tuple(_ordered(part, position.shape[1])),
            {number: position.needs[number] for box in part for number in box.numbers},
        )
        for part in parts
    ]


def _split(boxes: Sequence[Box]) -> list[list[Box]]:
    """Part the boxes by union-find over their numbers."""
    parent: dict[int, int] = {}

    def root(number: int) -> int:
        while parent.setdefault(number, number) != number:
            parent[number] = number = parent[parent[number]]
        return number

    for box in boxes:
        first = root(box.numbers[0])
        for number in box.numbers[1:]:
            parent[root(number)] = first
    parts: dict[int, list[Box]] = {}
    for box in boxes:
        parts.setdefault(root(box.numbers[0]), []).append(box)
    return list(parts.values())


def _ordered(boxes: list[Box], width: int) -> list[Box]:
    """Return the boxes in an order that keeps few numbers waiting at a time."""
    beside = _beside(boxes)
    order = [boxes[index] for index in _greedy(boxes, beside, _far_end(boxes, beside))]
    if max(_profile(order)) <= WIDE:
        return order
    sweeps = (
        sorted(boxes, key=lambda box: min(box.cells)),
        sorted(boxes, key=lambda box: min((cell % width, cell // width) for cell in box.cells)),
    )
    return min((order, *sweeps), key=_cost)


def _beside(boxes: Sequence[Box]) -> dict[int, list[int]]:
    """Return the indices of the boxes beside each number."""
    beside: dict[int, list[int]] = {}
    for index, box in enumerate(boxes):
        for number in box.numbers:
            beside.setdefault(number, []).append(index)
    return beside


def _far_end(boxes: Sequence[Box], beside: Mapping[int, list[int]]) -> int:
    """Return a box that is as far away as any from the first."""
    seen = {0: None}
    waiting = [0]
    for index in waiting:
        for number in boxes[index].numbers:
            for other in beside[number]:
                if other not in seen:
                    seen[other] = None
                    waiting.append(other)
    return waiting[-1]


def _greedy(boxes: Sequence[Box], beside: Mapping[int, list[int]], start: int) -> list[int]:
    """Walk the boxes, next always the touched one that adds fewest waiting numbers."""
    waiting = {number: len(indices) for number, indices in beside.items()}
    begun: set[int] = set()
    touched: dict[int, None] = {start: None}
    order: list[int] = []
    done: set[int] = set()

    def growth(index: int) -> int:
        return sum(
            (number not in begun) - (waiting[number] == 1) for number in boxes[index].numbers
        )

    while touched:
        index = min(touched, key=growth)
        del touched[index]
        done.add(index)
        order.append(index)
        for number in boxes[index].numbers:
            waiting[number] -= 1
            if number not in begun:
                begun.add(number)
                touched.update(dict.fromkeys(i for i in beside[number] if i not in done))
    return order


def _profile(order: Iterable[Box]) -> list[int]:
    """Return how many numbers wait after each box of an order."""
    boxes = list(order)
    last = {number: index for index, box in enumerate(boxes) for number in box.numbers}
    begun: set[int] = set()
    profile = []
    for index, box in enumerate(boxes):
        begun.update(box.numbers)
        begun.difference_update([number for number in box.numbers if last[number] == index])
        profile.append(len(begun))
    return profile


def _cost(order: Sequence[Box]) -> int:
    """Return a guess of the number of states of an order: three for each waiting number."""
    return sum(3**waiting for waiting in _profile(order))
