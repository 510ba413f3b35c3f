"""The components of the frontier, and a good order for deciding the boxes of each."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from demine.solver.exact.parse_board import Box, ParsedBoard

MAX_WAITING: Final = 10
"""If more numbers than this wait at once, other orders are tried too."""
HOPELESS_WAITING: Final = 64
"""If this many numbers wait at once, no budget is enough, and all orders are equally bad."""


class Component(NamedTuple):
    """A part of the frontier that shares no number with the rest, with its boxes in a good order.

    `needs` says how many mines each of its numbers needs in its boxes.
    """

    boxes: tuple[Box, ...]
    needs: Mapping[int, int]

    @property
    def cell_count(self) -> int:
        """How many cells its boxes have together."""
        return sum(len(box.cells) for box in self.boxes)


def find_components(board: ParsedBoard) -> list[Component]:
    """Split the frontier into components, each with its boxes in a good order."""
    return [
        ordered_component(part, board.needs, board.shape[1])
        for part in split_into_components(board.boxes)
    ]


def ordered_component(boxes: list[Box], needs: Mapping[int, int], width: int) -> Component:
    """Return a component with its boxes in a good order; `width` is that of the board."""
    return Component(
        tuple(order_boxes(boxes, width)),
        {number: needs[number] for box in boxes for number in box.numbers},
    )


def split_into_components(boxes: Sequence[Box]) -> list[list[Box]]:
    """Group boxes that share numbers, directly or through others, by union-find."""
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
    """Return the boxes in an order in which few numbers wait at a time; `width` is the board's.

    A number waits while some, but not all, of its boxes are decided.
    """
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
    """Return the index of a box as far as possible from the first."""
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
    """Return indices of boxes, next always the touched box that adds the fewest waiting numbers.

    Among equals it is the one touched first. What a box adds never increases, so outdated entries
    of the heap, which are larger, do not change the order.
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
    """Return how many numbers wait after each box of an order is decided."""
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
    """Estimate how many states an order has, three times as many for each waiting number."""
    return sum(3 ** min(waiting, HOPELESS_WAITING) for waiting in _waiting_after_each(order))
