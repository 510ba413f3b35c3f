"""Opening the largest opening of a board, beside the strongest peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, Run, Work, fresh_turns, module_or_none, taking_turns
from demine.game import Game
from demine.logic.event import Lay
from demine.logic.kernels import OPENING_KERNELS
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules

Numbers: TypeAlias = NDArray[np.uint8]
Opened: TypeAlias = NDArray[np.bool_]
Peer: TypeAlias = Callable[[Numbers, int, int], Opened]

SIDES: Final = (16, 30, 100, 200, 500, 1000, 2000, 4000)
QUICK_SIDES: Final = (30, 1000)
PERCENTS: Final = (5, 10, 15)
AROUND: Final = np.ones((3, 3), np.uint8)
SEED: Final = 1


def rows(run: Run) -> list[Row]:
    """Return the milliseconds of every board, compiled and not."""
    compiled = OPENING_KERNELS.load()
    return [
        row
        for percent in PERCENTS
        for side in (QUICK_SIDES if run.quick else SIDES)
        for row in of_board(side, percent, run, compiled)
    ]


def of_board(side: int, percent: int, run: Run, compiled: bool) -> Iterator[Row]:
    """Yield the rows of one board."""
    rules = Rules(side, side, side * side * percent // 100)
    row, col = in_the_largest_opening(count_around(deal(rules, SEED)))
    mines = deal(rules, SEED, (row, col))
    numbers = count_around(mines)
    loaded = dict(OPENING_KERNELS.loaded)

    def game(kernels: dict[str, Any]) -> Work:
        OPENING_KERNELS.loaded = kernels
        made = Game(rules, SEED)
        made.lay(Lay(0, mines))
        return partial(made.open, row, col)

    expected = opened_by(game({}))
    theirs = {}
    for name, way in peers().items():
        if not np.array_equal(way(numbers, row, col), expected):
            raise SystemExit(f"{name} opens other cells on {rules}")
        theirs[name] = taking_turns([partial(way, numbers, row, col)], run)[0]
    best = min(theirs, key=lambda name: theirs[name], default="")
    opens = f"{side}x{side}, {percent} %, {np.count_nonzero(expected):,} cells"
    for kernels, name in ((loaded, ""), ({}, ", without Numba")):
        if not (kernels or name):
            continue
        if not np.array_equal(opened_by(game(kernels)), expected):
            raise SystemExit(f"other cells open on {rules}")
        others = [partial(partial, peers()[best], numbers, row, col)] if best else []
        ours, *beside = fresh_turns([partial(game, kernels), *others], run)
        limit = 15.0 if (side, percent, name) == (4000, 5, "") else None
        yield Row(
            opens + name, ours * 1e3, "ms", best, beside[0] * 1e3 if beside else None,
            goal=1.0, limit=limit,
        )  # fmt: skip
    OPENING_KERNELS.loaded = loaded if compiled else {}


def opened_by(opening: Any) -> Opened:  # noqa: ANN401 - a partial of a game's method
    """Return what is open after an opening."""
    opening()
    found: Opened = opening.func.__self__.board.open_map
    return found


def in_the_largest_opening(numbers: Numbers) -> tuple[int, int]:
    """Return a cell of the largest opening: one that OpenCV or SciPy counts most often."""
    cv2, ndimage = module_or_none("cv2"), module_or_none("scipy.ndimage")
    zeros = (numbers == 0).view(np.uint8)
    if cv2 is not None:
        labels = cv2.connectedComponents(zeros, connectivity=8)[1]
    elif ndimage is not None:
        labels = ndimage.label(zeros, structure=AROUND)[0]
    else:
        raise SystemExit("neither OpenCV nor SciPy is installed: install the group `bench`")
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    cells = np.argwhere(labels == sizes.argmax())
    row, col = cells[len(cells) // 2].tolist()
    return row, col


def peers() -> dict[str, Peer]:
    """Return the peers that are installed."""
    found: dict[str, Peer] = {}
    if (ndimage := module_or_none("scipy.ndimage")) is not None:
        found["SciPy label"] = partial(scipy_label, ndimage)
    if (cv2 := module_or_none("cv2")) is not None:
        cv2.setNumThreads(1)
        found["OpenCV floodFill"] = partial(opencv_flood_fill, cv2)
        found["OpenCV floodFill, cut out"] = partial(opencv_flood_fill_cut, cv2)
        found["OpenCV connectedComponents"] = partial(opencv_components, cv2)
    return found


def scipy_label(ndimage: Any, numbers: Numbers, row: int, col: int) -> Opened:  # noqa: ANN401
    """Label all openings, then shift one of them along rows and columns."""
    labels = ndimage.label(numbers == 0, structure=AROUND)[0]
    zeros = labels == labels[row, col]
    tall = zeros.copy()
    tall[1:] |= zeros[:-1]
    tall[:-1] |= zeros[1:]
    opened: Opened = tall.copy()
    opened[:, 1:] |= tall[:, :-1]
    opened[:, :-1] |= tall[:, 1:]
    return opened


def mask_of(cv2: Any, numbers: Numbers, row: int, col: int) -> tuple[Numbers, list[int]]:  # noqa: ANN401
    """Return OpenCV's mask of the zeros of an opening, and the rectangle around them."""
    height, width = numbers.shape
    mask = np.zeros((height + 2, width + 2), np.uint8)
    flags = 8 | cv2.FLOODFILL_MASK_ONLY | (1 << 8)
    rectangle = cv2.floodFill(numbers, mask, (col, row), 1, 0, 0, flags)[3]
    return mask[1:-1, 1:-1], list(rectangle)


def opencv_flood_fill(cv2: Any, numbers: Numbers, row: int, col: int) -> Opened:  # noqa: ANN401
    """Fill the zeros of the opening, then dilate the whole board."""
    mask, _ = mask_of(cv2, numbers, row, col)
    border = cv2.BORDER_CONSTANT | cv2.BORDER_ISOLATED
    opened: Opened = cv2.dilate(mask, AROUND, borderType=border).view(np.bool_)
    return opened


def opencv_flood_fill_cut(cv2: Any, numbers: Numbers, row: int, col: int) -> Opened:  # noqa: ANN401
    """The same, dilating only the rectangle around the opening."""
    mask, (left, top, wide, high) = mask_of(cv2, numbers, row, col)
    rows = slice(max(0, top - 1), min(numbers.shape[0], top + high + 1))
    cols = slice(max(0, left - 1), min(numbers.shape[1], left + wide + 1))
    opened = np.zeros(numbers.shape, np.uint8)
    border = cv2.BORDER_CONSTANT | cv2.BORDER_ISOLATED
    cv2.dilate(mask[rows, cols], AROUND, dst=opened[rows, cols], borderType=border)
    return opened.view(np.bool_)


def opencv_components(cv2: Any, numbers: Numbers, row: int, col: int) -> Opened:  # noqa: ANN401
    """Label all openings, then dilate one of them."""
    labels = cv2.connectedComponents((numbers == 0).view(np.uint8), connectivity=8)[1]
    zeros = cv2.compare(labels, int(labels[row, col]), cv2.CMP_EQ)
    opened: Opened = cv2.dilate(zeros, AROUND) != 0
    return opened
