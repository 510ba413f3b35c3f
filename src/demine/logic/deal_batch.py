"""Many boards dealt at once: those of `demine.logic.layout.deal`, as one array."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.errors import LayoutError, RulesError, quoted
from demine.logic.kernels import DEALING_KERNELS
from demine.logic.layout import checked_seed, deal, game_seed, guaranteed_safe_cells, random_keys

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    from numpy.typing import NDArray

    from demine.logic.rules import Rules

MAX_CELLS: Final = 1 << 32
"""The most cells of all boards together, which take a byte each."""
_AT_ONCE: Final = 1 << 20
"""How many cells are dealt at a time, so that keys stay in the cache and Ctrl-C is heard."""


def deal_batch(
    rules: Rules,
    seed: int,
    count: SupportsIndex,
    first: tuple[int, int] | None = None,
    *,
    index: int = 0,
) -> NDArray[np.bool_]:
    """Return many random mine maps, bool `(count, height, width)`.

    Board `i` is that of `deal(rules, game_seed(seed, index + i), first)`. Memory beyond the
    result stays below 20 MB on boards of up to a million cells. Raises `LayoutError` for a seed
    that is not below 2**64, a count that is not a number or is more than `MAX_CELLS` cells, and
    what `deal` raises.
    """
    if rules.guess_free:
        raise RulesError("guess-free boards need the solver to lay them")
    boards = checked_board_count(rules, seed, count)
    free = guaranteed_safe_cells(rules, first)
    mine_maps = np.zeros((boards, rules.cells), np.bool_)
    step = max(1, _AT_ONCE // rules.cells)
    for begin in range(0, boards if rules.mines else 0, step):
        part = mine_maps[begin : begin + step]
        kernel = DEALING_KERNELS.compiled_kernel("deal_many")  # it may be loaded meanwhile
        if kernel is not None:
            _deal_compiled(kernel, rules, seed, index + begin, free, part)
        elif step == 1:
            part[0] = deal(rules, game_seed(seed, index + begin), first).reshape(-1)
        else:
            _deal_plainly(rules, seed, index + begin, free, part)
    return mine_maps.reshape(boards, *rules.shape)


def checked_board_count(rules: Rules, seed: int, count: SupportsIndex) -> int:
    """Return a number of boards as a plain integer; raises `LayoutError` for what is not one.

    So it does for a seed that leaves no room to number the boards.
    """
    if checked_seed(seed) >= 1 << 64:
        raise LayoutError("a seed of many boards is less than 2**64, not {seed}", seed=seed)
    try:
        boards = operator.index(count)
    except TypeError:
        raise LayoutError("{count} is not a number of boards", count=quoted(count)) from None
    if boards < 0:
        raise LayoutError("{count} boards cannot be made", count=quoted(boards))
    if boards * rules.cells > MAX_CELLS:
        raise LayoutError(
            "{count} boards of {width}x{height} are too many at once: make {most} at a time, each "
            "time with another seed",
            count=quoted(boards),
            width=rules.width,
            height=rules.height,
            most=MAX_CELLS // rules.cells,
        )
    return boards


def _deal_compiled(
    kernel: Callable[..., Any],
    rules: Rules,
    seed: int,
    begin: int,
    free: NDArray[np.intp],
    mine_maps: NDArray[np.bool_],
) -> None:
    is_free = np.zeros(rules.cells, np.uint8)
    is_free[free] = 1
    kernel(np.uint64(seed), begin, rules.mines, is_free, mine_maps.view(np.uint8))


@DEALING_KERNELS.stands_in
def _deal_plainly(
    rules: Rules, seed: int, begin: int, free: NDArray[np.intp], mine_maps: NDArray[np.bool_]
) -> None:
    keys = np.empty(mine_maps.shape, np.uint64)
    for place in range(len(keys)):
        keys[place] = random_keys(game_seed(seed, begin + place), rules.cells)
    keys[:, free] = ~np.uint64(0)
    bars = np.partition(keys, rules.mines - 1, axis=1)[:, rules.mines - 1 : rules.mines]
    np.less_equal(keys, bars, out=mine_maps)
    mine_maps[:, free] = False
    for place in np.flatnonzero(np.count_nonzero(mine_maps, axis=1) > rules.mines).tolist():
        # Of equal keys the first ones count, as in `deal`.
        mine_maps[place, np.flatnonzero(mine_maps[place])[rules.mines :]] = False
