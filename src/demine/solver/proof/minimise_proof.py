"""The fewest numbers that prove a cell.

Every layout in which the cell is the opposite breaks some numbers, and a proof must contain at
least one of them. So a proof hits each of these sets of broken numbers. A smallest set that hits
those found so far is either a proof, and then a smallest one, or some layout satisfies it, which
adds one more set to hit (implicit hitting sets: Ignatiev et al. 2015, "Smallest MUS extraction with
minimal hitting set dualization").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.solver.errors import TOO_MANY_STATES, TooComplex
from demine.solver.exact.semirings import bit_positions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.solver.proof.local_layout_search import LocalConstraints

MAX_LAYOUTS: Final = 60
"""How many layouts are looked at before the proof found otherwise has to do."""
MAX_TRIES: Final = 4_000
"""How many partial sets are looked at in one round."""


def minimum_proof_indices(constraints: LocalConstraints, max_numbers: int) -> list[int] | None:
    """Return the indices of the fewest numbers, up to a limit, that prove a cell; else None."""
    broken: list[int] = []
    try:
        for _ in range(MAX_LAYOUTS):
            chosen = smallest_hitting_set(broken, max_numbers)
            if chosen is None:
                return None
            layout = constraints.find_counterexample(chosen)
            if layout is None:
                return chosen
            broken.append(
                sum(1 << index for index in constraints.numbers_broken_after_repair(layout, chosen))
            )
    except TooComplex:
        pass
    return None


def smallest_hitting_set(sets: Sequence[int], max_size: int) -> list[int] | None:
    """Return a smallest set of bit positions that hits each set; None for more than `max_size`.

    Raises `TooComplex` beyond `MAX_TRIES`.
    """
    tries = MAX_TRIES
    for size in range(max_size + 1):
        waiting = [(0, 0)]
        while waiting:
            tries -= 1
            if not tries:
                raise TooComplex(TOO_MANY_STATES, states=MAX_TRIES)
            chosen, count = waiting.pop()
            left = [one for one in sets if not one & chosen]
            if not left:
                return bit_positions(chosen)
            if count + _disjoint_sets(left) > size:
                continue
            smallest = min(left, key=int.bit_count)
            waiting += [(chosen | 1 << bit, count + 1) for bit in reversed(bit_positions(smallest))]
    return None


def _disjoint_sets(sets: Sequence[int]) -> int:
    """Return a lower bound of how many sets are disjoint, each of which needs a bit of its own."""
    taken = count = 0
    for one in sorted(sets, key=int.bit_count):
        if not one & taken:
            taken |= one
            count += 1
    return count


def drop_redundant(numbers: Sequence[int], proves: Callable[[list[int]], bool]) -> list[int]:
    """Drop numbers from a proof, in ever shorter runs, until none can be spared."""
    kept = list(numbers)
    run = max(len(kept) // 2, 1)
    while True:
        at = 0
        while at < len(kept):
            fewer_numbers = kept[:at] + kept[at + run :]
            if proves(fewer_numbers):
                kept = fewer_numbers
            else:
                at += run
        if run == 1:
            return kept
        run //= 2
