"""The clearing by chains; the kernel of `demine.statistics.zini_variants.ChainClearing`.

Cells are numbered as in `demine.statistics.kernels.zini`. Rows of `numbers` beyond those of that
module: the first openings that a cell borders on; the parent of each chorded number on the way to
the root of its chain, -1 for others; what joining chains adds to each premium; and, by opening, a
chorded number on its border.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.statistics.kernels.zini import (
    ASIDE,
    BORDER,
    COUNT,
    FIRST,
    HIGHEST,
    KIND,
    LEVEL,
    LOW,
    PREMIUM,
    SECOND,
    zini_change_premium,
    zini_flag_for_chord,
    zini_open_within,
    zini_prepare,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONE: Final = 5
OTHER: Final = 6
ROOT: Final = 7
BONUS: Final = 8
BESIDE: Final = 9
NONE: Final = -2
"""No opening; differs from the -1 of cells that border on none."""
TOP: Final = HIGHEST + 2
"""The highest premium there is, joining chains included."""


def chain_root(cell: int, numbers: NDArray[np.int64]) -> int:
    """Return the root of the chain of a cell, and shorten the path to it."""
    while numbers[ROOT, cell] != cell:
        numbers[ROOT, cell] = numbers[ROOT, numbers[ROOT, cell]]
        cell = numbers[ROOT, cell]
    return cell


def chain_list_root_once(root: int, count: int, roots: NDArray[np.int64]) -> int:
    """Append a root to the first `count` of `roots` unless it is there; return the new count."""
    for at in range(count):
        if roots[at] == root:
            return count
    roots[count] = root
    return count + 1


def chain_find_linked_roots(
    cell: int, tall: int, numbers: NDArray[np.int64], roots: NDArray[np.int64]
) -> int:
    """Write the roots of the chains that a number is linked with to `roots`; return the count."""
    count = 0
    for col in range(-1, 2):
        for row in range(-1, 2):
            other = cell + col * tall + row
            if other != cell and numbers[ROOT, other] >= 0:
                count = chain_list_root_once(chain_root(other, numbers), count, roots)
    for kept in range(ONE, OTHER + 1):
        opening = numbers[kept, cell]
        if opening >= 0 and numbers[BESIDE, opening] >= 0:
            count = chain_list_root_once(
                chain_root(numbers[BESIDE, opening], numbers), count, roots
            )
    return count


def chain_update_premium(
    cell: int, tall: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64],
    roots: NDArray[np.int64],
) -> None:  # fmt: skip
    """Set what joining chains adds to the premium of a number."""
    if marks[KIND, cell] < BORDER or numbers[ROOT, cell] >= 0:
        return
    bonus = max(0, chain_find_linked_roots(cell, tall, numbers, roots) - 1)
    if bonus != numbers[BONUS, cell]:
        zini_change_premium(cell, bonus - numbers[BONUS, cell], marks, numbers)
        numbers[BONUS, cell] = bonus


def chain_merge_linked(
    cell: int, count: int, tall: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64],
    roots: NDArray[np.int64],
) -> None:  # fmt: skip
    """Join a chorded number and the chains of `count` roots; update the premiums that change."""
    numbers[ROOT, cell] = cell
    for at in range(count):
        numbers[ROOT, roots[at]] = cell
    one, other = numbers[ONE, cell], numbers[OTHER, cell]
    # Openings beside which nothing was chorded yet: their borders become linked.
    one = one if one >= 0 and numbers[BESIDE, one] < 0 else NONE
    other = other if other >= 0 and numbers[BESIDE, other] < 0 else NONE
    for kept in range(ONE, OTHER + 1):
        if numbers[kept, cell] >= 0:
            numbers[BESIDE, numbers[kept, cell]] = cell
    if count > 1 or one != NONE or other != NONE:
        for place in range(marks.shape[1]):
            first, second = numbers[ONE, place], numbers[OTHER, place]
            if (
                (count > 1 and numbers[BONUS, place] > 0)
                or first in (one, other)
                or second in (one, other)
            ):
                chain_update_premium(place, tall, marks, numbers, roots)
    for col in range(-1, 2):
        for row in range(-1, 2):
            chain_update_premium(cell + col * tall + row, tall, marks, numbers, roots)


def chain_clicks_of_clearing(
    mines: NDArray[np.uint8], height: int, order: NDArray[np.int64],
    marks: NDArray[np.uint8], numbers: NDArray[np.int64], roots: NDArray[np.int64],
) -> int:  # fmt: skip
    """Return the clicks of one clearing that prefers cells in this order, without a wall."""
    tall, cells = height + 2, marks.shape[1]
    left = zini_prepare(mines, height, 1, marks, numbers)
    for level in range(HIGHEST + 1, min(TOP + 1, cells)):
        numbers[COUNT, level] = 0
        numbers[LOW, level] = cells
    for cell in range(cells):
        numbers[ONE, cell], numbers[OTHER, cell] = numbers[FIRST, cell], numbers[SECOND, cell]
        numbers[ROOT, cell] = numbers[BESIDE, cell] = -1
        numbers[BONUS, cell] = 0
    clicks = 0
    while left > 0:
        best = min(TOP, cells - 1)
        while best >= 0 and numbers[COUNT, best] == 0:
            best -= 1
        if best < 0:
            break
        at = 0
        cell = (order[0] // height + 1) * tall + order[0] % height + 1
        while marks[PREMIUM, cell] != LEVEL + best:
            at += 1
            cell = (order[at] // height + 1) * tall + order[at] % height + 1
        count = chain_find_linked_roots(cell, tall, numbers, roots)
        clicks += zini_flag_for_chord(cell, tall, marks, numbers) - max(0, count - 1)
        left -= zini_open_within(cell, 1, tall, 1, marks, numbers)
        zini_change_premium(cell, ASIDE - int(marks[PREMIUM, cell]), marks, numbers)
        chain_merge_linked(cell, count, tall, marks, numbers, roots)
    return clicks + left


def chain_fewest_clicks(
    mines: NDArray[np.uint8], height: int, orders: NDArray[np.int64],
    marks: NDArray[np.uint8], numbers: NDArray[np.int64], roots: NDArray[np.int64],
) -> int:  # fmt: skip
    """Return the fewest clicks of the clearings by each of the orders, `(runs, cells)`."""
    least = mines.size * 3
    for run in range(orders.shape[0]):
        least = min(
            least, chain_clicks_of_clearing(mines, height, orders[run], marks, numbers, roots)
        )
    return least
