"""Every layout that the first click allows is as likely as any other: exact counts, chi-square.

Seeds are fixed, so these tests always see the same boards: they cannot fail by bad luck, only by
another way of dealing.
"""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb, sqrt

import numpy as np
import pytest

from demine.logic.layout import deal
from demine.logic.neighbours import block_around
from demine.logic.rules import First, Rules, most_mines

CORNER, EDGE, CENTRE = (0, 0), (0, 1), (1, 1)


def allowed(rules: Rules, first: tuple[int, int]) -> int:
    """How many layouts the first click leaves possible."""
    kept = np.zeros(rules.shape, dtype=np.bool_)
    if rules.first is First.SAFE:
        kept[first] = True
    elif rules.first is First.ZERO:
        kept[block_around(*first, *rules.shape)] = True
    return comb(rules.cells - int(kept.sum()), rules.mines)


def too_far(chi_square: float, degrees: int) -> bool:
    """Whether a chi-square value is what a fair deal gives once in 100,000 (Wilson-Hilferty)."""
    spread = 2 / (9 * degrees)
    return bool((chi_square / degrees) ** (1 / 3) > 1 - spread + 4.265 * sqrt(spread))


def chi_square(counts: Counter[bytes], kinds: int, total: int) -> float:
    expected = total / kinds
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (kinds - len(counts)) * expected


CASES = [
    (Rules(width, height, mines, first=promise), cell)
    for (width, height), promise, cell in itertools.product(
        [(3, 3), (4, 3)], First, [CORNER, EDGE, CENTRE]
    )
    for mines in {1, 2, most_mines(width, height, promise) - 1, most_mines(width, height, promise)}
    if 1 <= mines <= most_mines(width, height, promise)
] + [(Rules(7, 1, 3, first=promise), (0, cell)) for promise in First for cell in (0, 1, 3)]


@pytest.mark.parametrize(("rules", "first"), CASES, ids=lambda value: str(value).replace(" ", ""))
def test_every_allowed_layout_is_as_likely(rules: Rules, first: tuple[int, int]) -> None:
    kinds = allowed(rules, first)
    total = max(400, 20 * kinds)
    counts = Counter(deal(rules, seed, first).tobytes() for seed in range(total))
    assert len(counts) <= kinds
    if kinds > 1:
        assert len(counts) == kinds
        assert not too_far(chi_square(counts, kinds, total), kinds - 1)


def test_every_cell_of_a_real_board_is_a_mine_as_often() -> None:
    rules, first, total = Rules(16, 16, 40), (0, 5), 4000
    seen = sum(deal(rules, seed, first).astype(np.int64) for seed in range(total))
    assert isinstance(seen, np.ndarray)
    free = np.ones(rules.shape, dtype=np.bool_)
    free[block_around(*first, *rules.shape)] = False
    assert not seen[~free].any()
    chance = rules.mines / free.sum()
    # A fixed number of mines makes the cells depend a little on each other: one degree less.
    variance = total * chance * (1 - chance)
    spread = float((((seen[free] - total * chance) ** 2) / variance).sum())
    assert not too_far(spread, int(free.sum()) - 1)


def test_the_judge_knows_a_loaded_die() -> None:
    fair = Counter({bytes([side]): 1000 for side in range(6)})
    loaded = fair + Counter({b"\x05": 200})
    assert not too_far(chi_square(fair, 6, 6000), 5)
    assert too_far(chi_square(loaded, 6, 6200), 5)


@pytest.mark.parametrize("density", [0.2, 0.5, 0.9, 0.999, 1.0])
def test_full_boards_are_dealt_at_once(density: float) -> None:
    for promise in First:
        most = most_mines(300, 200, promise)
        mines = deal(Rules(300, 200, int(density * most), first=promise), 3, (199, 0))
        assert np.count_nonzero(mines) == int(density * most)
