"""The board of a seed: kernels that lay the same mines as `demine.logic.layout.deal`.

The seed is expanded as by NumPy's SeedSequence (M. O'Neill's `randutils`), the keys are the raw
stream of PCG64 (M. O'Neill, "PCG", 2014; XSL RR 128/64), and the cells with the smallest keys get
the mines. All arithmetic is unsigned, of 64 bits, and wraps: call interpreted kernels within
`numpy.errstate(over="ignore")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORDS: Final = 16
"""The size of `generator`: its state, the pool of the seed and the expanded seed."""

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


def deal_many(
    high: np.uint64,
    begin: int,
    mines: int,
    free: NDArray[np.uint8],
    mine_maps: NDArray[np.uint8],
) -> None:
    """Write the mines of seeds from `high << 64 | begin` on, uint8 (seeds, cells)."""
    count, cells = mine_maps.shape
    size = 2
    while size < cells:
        size *= 2
    keys = np.empty(cells, np.uint64)
    counts = np.empty(size, np.int64)
    generator = np.empty(WORDS, np.uint64)
    for place in range(count):
        low = np.uint64(begin + place)
        deal_mines_of_seed(low, high, mines, free, mine_maps[place], keys, counts, generator)


def deal_mines_of_seed(
    low: np.uint64,
    high: np.uint64,
    mines: int,
    free: NDArray[np.uint8],
    mine_map: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    counts: NDArray[np.int64],
    generator: NDArray[np.uint64],
) -> None:
    """Write the mines of the seed `high << 64 | low` to `mine_map`.

    `free` is 1 on the cells that the first click keeps free, `mine_map` becomes 1 on mines and 0
    elsewhere; both are flat, one byte a cell. There are at most as many mines as cells not free.
    The others are work arrays: `keys` of as many numbers as cells, `counts` of `counts_size`,
    `generator` of `WORDS`.
    """
    seed_generator(low, high, generator)
    draw_keys(generator, keys)
    lay_mines(keys, mines, free, mine_map, counts)


def counts_size(cells: int) -> int:
    """Return the size of `counts` for a board: a power of two, at least the number of cells."""
    return max(2, 1 << (cells - 1).bit_length())


def seed_generator(low: np.uint64, high: np.uint64, generator: NDArray[np.uint64]) -> None:
    """Seed `generator[0:4]`: the high and low half of the state, then of the increment."""
    generator[4] = low & _LOW
    generator[5] = low >> _HALF
    generator[6] = high & _LOW
    generator[7] = high >> _HALF
    factor = _INIT_A
    for place in range(4, 8):
        value = generator[place] ^ factor
        factor = (factor * _MULT_A) & _LOW
        value = (value * factor) & _LOW
        generator[place] = value ^ (value >> _SHIFT)
    for source in range(4, 8):
        for place in range(4, 8):
            if source != place:
                value = generator[source] ^ factor
                factor = (factor * _MULT_A) & _LOW
                value = (value * factor) & _LOW
                value ^= value >> _SHIFT
                less = (_MIX_R * value) & _LOW
                mixed = (((_MIX_L * generator[place]) & _LOW) + (_OVER - less)) & _LOW
                generator[place] = mixed ^ (mixed >> _SHIFT)
    factor = _INIT_B
    for place in range(8):
        value = generator[4 + place % 4] ^ factor
        factor = (factor * _MULT_B) & _LOW
        value = (value * factor) & _LOW
        generator[8 + place] = value ^ (value >> _SHIFT)
    # PCG's own seeding: one step from the increment plus the seed.
    start_high = generator[8] | generator[9] << _HALF
    start_low = generator[10] | generator[11] << _HALF
    step_high = generator[12] | generator[13] << _HALF
    step_low = generator[14] | generator[15] << _HALF
    generator[2] = step_high << _1 | step_low >> _ROUND
    generator[3] = step_low << _1 | _1
    generator[1] = generator[3] + start_low
    generator[0] = generator[2] + start_high + (_1 if generator[1] < start_low else _0)
    draw_keys(generator, generator[8:9])


def draw_keys(generator: NDArray[np.uint64], keys: NDArray[np.uint64]) -> None:
    """Fill `keys` with the next numbers of the generator, and advance it."""
    high, low, step_high, step_low = generator[0], generator[1], generator[2], generator[3]
    for place in range(keys.size):
        # The upper half of `low` times the lower factor, by halves, since products wrap.
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
    generator[0], generator[1] = high, low


def lay_mines(
    keys: NDArray[np.uint64],
    mines: int,
    free: NDArray[np.uint8],
    mine_map: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Put mines on the cells with the smallest keys, of equal keys on the first cells."""
    mine_map[:] = 0
    if mines <= 0:
        return
    # Keys are uniform, so of as many bins as cells each holds about one: only the bin of the last
    # mine has to be sorted.
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
    last_key = _key_of_rank(keys, mines - below, free, np.uint64(edge), shift)
    laid = 0
    for cell in range(keys.size):
        if keys[cell] <= last_key and not free[cell]:
            mine_map[cell] = 1
            laid += 1
    cell = keys.size - 1
    while laid > mines:
        laid -= mine_map[cell]
        mine_map[cell] = 0
        cell -= 1


def _key_of_rank(
    keys: NDArray[np.uint64],
    rank: int,
    free: NDArray[np.uint8],
    edge: np.uint64,
    shift: np.uint64,
) -> np.uint64:
    """Return the key of this rank, from 1, in the bin `edge`."""
    reached = _0
    found = 0
    while found < rank:
        # The smallest key above those found, and how many cells have it.
        least = ~_0
        same = 0
        for cell in range(keys.size):
            key = keys[cell]
            if key >> shift == edge and not free[cell] and (found == 0 or key > reached):
                if key < least:
                    least = key
                    same = 0
                if key == least:
                    same += 1
        reached = least
        found += same
    return reached
