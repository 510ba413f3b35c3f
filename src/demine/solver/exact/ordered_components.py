"""The frontier: its components, and the order in which their boxes are best decided."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from demine.solver.exact.parse_board import Box, ParsedBoard

MAX_WAITING: Final = 10
"""With more numbers than this waiting at once, other orders are tried too."""
HOPELESS_WAITING: Final = 64
"""With this many numbers waiting no budget is enough, and one order is as bad as another."""


class Component(NamedTuple):
    """A part of the frontier that can be solved by itself, its boxes in the order to decide them.

    `needs` says how many mines each of its numbers asks for.
    """

    boxes: tuple[Box, ...]
    needs: Mapping[int, int]

    @property
    def cell_count(self) -> int:
        """How many cells its boxes have."""
        return sum(len(box.cells) for box in self.boxes)


def find_components(board: ParsedBoard) -> list[Component]:
    """Split the frontier into components, each with its boxes in a good order."""
    return [
        ordered_component(part, board.needs, board.shape[1])
        for part in split_into_components(board.boxes)
    ]


def ordered_component(boxes: list[Box], needs: Mapping[int, int], width: int) -> Component:
    """Return a component with its boxes in a good order; `width` is the width of the board."""
    return Component(
        tuple(order_boxes(boxes, width)),
        {number: needs[number] for box in boxes for number in box.numbers},
    )


def split_into_components(boxes: Sequence[Box]) -> list[list[Box]]:
    """Split boxes into components by union-find over their numbers."""
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


def order_boxes(boxes: list[Box], width: int) -> list[Box]:
    """Return the boxes in an order that keeps few numbers waiting at a time."""
    beside = _boxes_beside_numbers(boxes)
    order = [boxes[index] for index in _greedy_order(boxes, beside, _farthest_box(boxes, beside))]
    if max(_waiting_after_each(order)) <= MAX_WAITING:
        return order
    sweeps = (
        sorted(boxes, key=lambda box: min(box.cells)),
        sorted(boxes, key=lambda box: min((cell % width, cell // width) for cell in box.cells)),
    )
    return min((order, *sweeps), key=_estimated_states)


def _boxes_beside_numbers(boxes: Sequence[Box]) -> dict[int, list[int]]:
    """Return the indices of the boxes beside each number."""
    beside: dict[int, list[int]] = {}
    for index, box in enumerate(boxes):
        for number in box.numbers:
            beside.setdefault(number, []).append(index)
    return beside


def _farthest_box(boxes: Sequence[Box], beside: Mapping[int, list[int]]) -> int:
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


def _greedy_order(boxes: Sequence[Box], beside: Mapping[int, list[int]], start: int) -> list[int]:
    """Return an order in which the next box is the touched one that adds fewest waiting numbers.

    Of equal ones the one touched first. How many a box adds only ever falls, so a heap that still
    holds what it would have added before gives the same order, and a wide frontier takes no longer.
    """
    waiting = {number: len(indices) for number, indices in beside.items()}
    adds = [sum(waiting[number] > 1 for number in box.numbers) for box in boxes]
    begun: set[int] = set()
    turns = {start: 0}
    heap = [(adds[start], 0, start)]
    order: list[int] = []
    done = [False] * len(boxes)

    while heap:
        *_, index = heappop(heap)
        if done[index]:
            continue
        done[index] = True
        order.append(index)
        for number in boxes[index].numbers:
            waiting[number] -= 1
            fewer = (number not in begun) + (waiting[number] == 1)
            begun.add(number)
            for other in beside[number] if fewer else ():
                if not done[other]:
                    adds[other] -= fewer
                    turn = turns.setdefault(other, len(turns))
                    heappush(heap, (adds[other], turn, other))
    return order


def _waiting_after_each(order: Iterable[Box]) -> list[int]:
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


def _estimated_states(order: Sequence[Box]) -> int:
    """Estimate the number of states of an order: a factor of three for each waiting number."""
    return sum(3 ** min(waiting, HOPELESS_WAITING) for waiting in _waiting_after_each(order))
