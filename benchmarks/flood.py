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
from demine.logic.undoable_openings import WorkLimit, open_opening

Numbers: TypeAlias = NDArray[np.uint8]
Opened: TypeAlias = NDArray[np.bool_]
Peer: TypeAlias = Callable[[Numbers, int, int], Opened]
Kernels: TypeAlias = "dict[str, Callable[..., Any]]"

SIDES: Final = (16, 30, 100, 200, 500, 1000, 2000, 4000)
QUICK_SIDES: Final = (30, 1000)
PERCENTS: Final = (5, 10, 15)
AROUND: Final = np.ones((3, 3), np.uint8)
SEED: Final = 1
SECONDS: Final = 0.25
TRIAL: Final = 0.05


def rows(run: Run) -> list[Row]:
    """Return the milliseconds of every board: the rule alone, and whole acts of a game."""
    OPENING_KERNELS.load()
    return [
        row
        for percent in PERCENTS
        for side in (QUICK_SIDES if run.quick else SIDES)
        for row in of_board(side, percent, run)
    ]


def of_board(side: int, percent: int, run: Run) -> Iterator[Row]:
    """Yield the rows of one board, whose ways take turns."""
    rules = Rules(side, side, side * side * percent // 100)
    row, col = in_the_largest_opening(count_around(deal(rules, SEED)))
    mines = deal(rules, SEED, (row, col))
    numbers = count_around(mines)
    compiled = dict(OPENING_KERNELS.loaded)

    def game(kernels: Kernels) -> Game:
        OPENING_KERNELS.loaded = kernels
        made = Game(rules, SEED)
        made.lay(Lay(0, mines))
        return made

    def act(kernels: Kernels) -> Work:
        return partial(game(kernels).open, row, col)

    def rule(kernels: Kernels) -> Work:
        OPENING_KERNELS.loaded = kernels
        hint, opened = bytearray(numbers), bytearray(rules.cells)
        start = row * side + col
        return partial(open_opening, hint, opened, rules.shape, start, WorkLimit(), mixed=False)

    expected = opened_by(game(compiled), row, col)
    if not np.array_equal(opened_by(game({}), row, col), expected):
        raise SystemExit(f"other cells open on {rules} without Numba")
    ways = [("the rule", rule, compiled), ("`game.open`", act, compiled)]
    ways = [*(ways if compiled else []), ("`game.open` without Numba", act, {})]
    makes: list[Callable[[], Work]] = [partial(way, kernels) for _, way, kernels in ways]
    best = best_peer(numbers, (row, col), expected, run)
    if best:
        makes.append(partial(partial, peers()[best], numbers, row, col))
    times = [1e3 * each for each in fresh_turns(makes, run, SECONDS)]
    OPENING_KERNELS.loaded = compiled
    opens = f"{side}x{side}, {percent} %, {np.count_nonzero(expected):,} cells"
    for (name, way, kernels), ours in zip(ways, times, strict=False):
        limit = 15.0 if (side, percent) == (4000, 5) and way is act and kernels else None
        yield Row(
            f"{opens}: {name}", ours, "ms", best, times[-1] if best else None,
            goal=1.0 if kernels else None, limit=limit,
        )  # fmt: skip


def opened_by(game: Game, row: int, col: int) -> Opened:
    """Return what is open after an opening."""
    game.open(row, col)
    return game.board.open_map


def best_peer(numbers: Numbers, cell: tuple[int, int], expected: Opened, run: Run) -> str:
    """Return the name of the fastest peer, after a short trial; raises if one opens other cells."""
    ways = peers()
    for name, way in ways.items():
        if not np.array_equal(way(numbers, *cell), expected):
            raise SystemExit(f"{name} opens other cells")
    trials = taking_turns([partial(way, numbers, *cell) for way in ways.values()], run, TRIAL)
    return min(zip(trials, ways, strict=True), default=(0.0, ""))[1]


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
