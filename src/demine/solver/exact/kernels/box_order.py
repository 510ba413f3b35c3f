"""The components, and the order in which the boxes of each are decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import (
    BESIDE,
    COUNT,
    DONE,
    LENGTH,
    NUMBERS,
    ORDER,
    PART,
    PART_END,
    QUEUE,
    WAITING,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import IntArray


def order_all_boxes(box_count: int, work: IntArray) -> int:
    """Order the boxes of one component after the other; return how many components there are."""
    component_count = 0
    turn = 0
    for box in range(box_count):
        if work[DONE + box] == 0:
            work[PART + component_count] = turn
            turn = order_component(farthest_box(box, work), turn, work)
            work[PART_END + component_count] = turn
            component_count += 1
    return component_count


def give_last_turns(box: int, component_count: int, work: IntArray) -> int:
    """Give the last turns to the component of a box, which keeps its index; return that index."""
    component = component_of(box, component_count, work)
    begin = work[PART + component]
    end = work[PART_END + component]
    size = end - begin
    for at in range(begin, end):
        work[QUEUE + at - begin] = work[ORDER + at]
    for later in range(component + 1, component_count):
        for at in range(work[PART + later], work[PART_END + later]):
            work[ORDER + at - size] = work[ORDER + at]
        end = work[PART_END + later]
        work[PART + later] -= size
        work[PART_END + later] -= size
    work[PART + component] = end - size
    work[PART_END + component] = end
    for at in range(size):
        work[ORDER + end - size + at] = work[QUEUE + at]
    return component


def component_of(box: int, component_count: int, work: IntArray) -> int:
    """Return the component of a box."""
    for component in range(component_count):
        for turn in range(work[PART + component], work[PART_END + component]):
            if work[ORDER + turn] == box:
                return component
    return -1


def farthest_box(box: int, work: IntArray) -> int:
    """Return a box of the same component, as far away from `box` as possible."""
    work[QUEUE] = box
    work[DONE + box] = 1
    size = 1
    at = 0
    while at < size:
        box = work[QUEUE + at]
        at += 1
        for index in range(8 * box, 8 * box + work[COUNT + box]):
            name = work[NUMBERS + index]
            for other in range(8 * name, 8 * name + work[LENGTH + name]):
                near = work[BESIDE + other]
                if work[DONE + near] == 0:
                    work[DONE + near] = 1
                    work[QUEUE + size] = near
                    size += 1
    return box


def order_component(box: int, turn: int, work: IntArray) -> int:
    """Order a component from `box` on, which gets `turn`; return the turn after its last box.

    Next is always the touched box that adds the fewest waiting numbers.
    """
    work[QUEUE] = box
    work[DONE + box] = 2
    touched = 1
    while touched > 0:
        best = 0
        least = 99
        for at in range(touched):
            box = work[QUEUE + at]
            growth = 0
            for index in range(8 * box, 8 * box + work[COUNT + box]):
                name = work[NUMBERS + index]
                if work[WAITING + name] == work[LENGTH + name]:
                    growth += 1
                if work[WAITING + name] == 1:
                    growth -= 1
            if growth < least:
                least = growth
                best = at
        box = work[QUEUE + best]
        touched -= 1
        for at in range(best, touched):
            work[QUEUE + at] = work[QUEUE + at + 1]
        work[ORDER + turn] = box
        turn += 1
        for index in range(8 * box, 8 * box + work[COUNT + box]):
            name = work[NUMBERS + index]
            work[WAITING + name] -= 1
            for other in range(8 * name, 8 * name + work[LENGTH + name]):
                near = work[BESIDE + other]
                if work[DONE + near] == 1:
                    work[DONE + near] = 2
                    work[QUEUE + touched] = near
                    touched += 1
    return turn
