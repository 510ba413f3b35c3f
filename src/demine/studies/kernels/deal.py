"""The board of a seed, a twin of `demine.logic.layout.deal` bit for bit.

The seed is spread as NumPy's SeedSequence does it (M. O'Neill's `randutils`), the keys are PCG64's
raw stream (M. O'Neill, "PCG", 2014; XSL RR 128/64), and the cells with the smallest keys get the
mines. All is unsigned arithmetic of 64 bits that wraps: interpreted, the kernels want
`numpy.errstate(over="ignore")` around them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORDS: Final = 16
"""How many numbers `dice` has: the pool and the states of the generator."""

_0: Final = np.uint64(0)
_1: Final = np.uint64(1)
_LOW: Final = np.uint64(0xFFFF_FFFF)
_OVER: Final = np.uint64(1 << 32)
_HALF: Final = np.uint64(32)
_SHIFT: Final = np.uint64(16)
_ROUND: Final = np.uint64(63)
_TURN: Final = np.uint64(58)
_INIT_A: Final = np.uint64(0x43B0_D7E5)
_MULT_A: Final = np.uint64(0x931E_8875)
_INIT_B: Final = np.uint64(0x8B51_F9DD)
_MULT_B: Final = np.uint64(0x58F3_8DED)
_MIX_L: Final = np.uint64(0xCA01_F9DD)
_MIX_R: Final = np.uint64(0x4973_F715)
_PCG_HIGH: Final = np.uint64(2549297995355413924)
_PCG_LOW: Final = np.uint64(4865540595714422341)
_PCG_LOW_1: Final = np.uint64(4865540595714422341 >> 32)
_PCG_LOW_0: Final = np.uint64(4865540595714422341 & 0xFFFF_FFFF)


def deal_into(
    low: np.uint64,
    high: np.uint64,
    mines: int,
    free: NDArray[np.uint8],
    mine_map: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    counts: NDArray[np.int64],
    dice: NDArray[np.uint64],
) -> None:
    """Lay the mines of the seed `high << 64 | low`.

    `free` is 1 on the cells that the first click keeps free, `mine_map` becomes 1 on the mines;
    both are flat, one byte a cell. `keys` holds as many numbers as there are cells, `counts` is
    `counts_size` long, `dice` `WORDS`; what they hold does not matter. At most as many mines as
    cells that are not free.
    """
    deal_seed(low, high, dice)
    deal_keys(dice, keys)
    deal_mines(keys, mines, free, mine_map, counts)


def counts_size(cells: int) -> int:
    """Return how long `counts` is for a board: a power of two, at least the number of cells."""
    return max(2, 1 << (cells - 1).bit_length())


def deal_seed(low: np.uint64, high: np.uint64, dice: NDArray[np.uint64]) -> None:
    """Put the generator into `dice[0:4]`: state high and low, increment high and low."""
    dice[4] = low & _LOW
    dice[5] = low >> _HALF
    dice[6] = high & _LOW
    dice[7] = high >> _HALF
    factor = _INIT_A
    for place in range(4, 8):
        value = dice[place] ^ factor
        factor = (factor * _MULT_A) & _LOW
        value = (value * factor) & _LOW
        dice[place] = value ^ (value >> _SHIFT)
    for source in range(4, 8):
        for place in range(4, 8):
            if source != place:
                value = dice[source] ^ factor
                factor = (factor * _MULT_A) & _LOW
                value = (value * factor) & _LOW
                value ^= value >> _SHIFT
                less = (_MIX_R * value) & _LOW
                mixed = (((_MIX_L * dice[place]) & _LOW) + (_OVER - less)) & _LOW
                dice[place] = mixed ^ (mixed >> _SHIFT)
    factor = _INIT_B
    for place in range(8):
        value = dice[4 + place % 4] ^ factor
        factor = (factor * _MULT_B) & _LOW
        value = (value * factor) & _LOW
        dice[8 + place] = value ^ (value >> _SHIFT)
    # The state as PCG's own seeding leaves it: one step from the increment plus the seed.
    start_high = dice[8] | dice[9] << _HALF
    start_low = dice[10] | dice[11] << _HALF
    step_high = dice[12] | dice[13] << _HALF
    step_low = dice[14] | dice[15] << _HALF
    dice[2] = step_high << _1 | step_low >> _ROUND
    dice[3] = step_low << _1 | _1
    dice[1] = dice[3] + start_low
    dice[0] = dice[2] + start_high + (_1 if dice[1] < start_low else _0)
    deal_keys(dice, dice[8:9])


def deal_keys(dice: NDArray[np.uint64], keys: NDArray[np.uint64]) -> None:
    """Fill `keys` with the next numbers of the generator in `dice[0:4]`."""
    high, low, step_high, step_low = dice[0], dice[1], dice[2], dice[3]
    for place in range(keys.size):
        # The upper half of `low` times the lower factor, by halves: a product of 64 bits is cut.
        low_1, low_0 = low >> _HALF, low & _LOW
        cross = low_1 * _PCG_LOW_0 + (low_0 * _PCG_LOW_0 >> _HALF)
        over = low_0 * _PCG_LOW_1 + (cross & _LOW)
        upper = low_1 * _PCG_LOW_1 + (cross >> _HALF) + (over >> _HALF)
        high = high * _PCG_LOW + low * _PCG_HIGH + upper + step_high
        low = low * _PCG_LOW + step_low
        if low < step_low:
            high += _1
        turn = high >> _TURN
        word = high ^ low
        keys[place] = word >> turn | word << ((np.uint64(64) - turn) & _ROUND)
    dice[0], dice[1] = high, low


def deal_mines(
    keys: NDArray[np.uint64],
    mines: int,
    free: NDArray[np.uint8],
    mine_map: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Put mines on the cells with the smallest keys; of equal ones the later cells yield."""
    mine_map[:] = 0
    if mines <= 0:
        return
    # Keys spread evenly, so a bin for each cell holds about one key: only the bin that the last
    # mine falls into has to be sorted out.
    shift = np.uint64(64)
    width = 1
    while width < counts.size:
        width *= 2
        shift -= _1
    counts[:] = 0
    for cell in range(keys.size):
        if not free[cell]:
            counts[np.int64(keys[cell] >> shift)] += 1
    edge = 0
    below = 0
    while below + counts[edge] < mines:
        below += counts[edge]
        edge += 1
    bar = _deal_bar(keys, mines - below, free, np.uint64(edge), shift)
    laid = 0
    for cell in range(keys.size):
        if keys[cell] <= bar and not free[cell]:
            mine_map[cell] = 1
            laid += 1
    cell = keys.size - 1
    while laid > mines:
        laid -= mine_map[cell]
        mine_map[cell] = 0
        cell -= 1


def _deal_bar(
    keys: NDArray[np.uint64],
    rank: int,
    free: NDArray[np.uint8],
    edge: np.uint64,
    shift: np.uint64,
) -> np.uint64:
    """Return the key of this rank, from 1, among those in a bin."""
    bar = _0
    found = 0
    while found < rank:
        # The smallest key above those found, and how many cells have it.
        least = ~_0
        same = 0
        for cell in range(keys.size):
            key = keys[cell]
            if key >> shift == edge and not free[cell] and (found == 0 or key > bar):
                if key < least:
                    least = key
                    same = 0
                if key == least:
                    same += 1
        bar = least
        found += same
    return bar
