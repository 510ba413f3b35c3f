"""The smallest proof of a cell: the fewest numbers from which it follows.

A proof is a set of opened numbers, perhaps with the mine count: in every layout that satisfies just
these, the cell is safe, or a mine. An opened cell is known to be safe, but says no more unless its
number is in the proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from demine.solver.errors import TooComplex
from demine.solver.proof.cell_levels import Sea, levels_beyond_simple_steps
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.local_layout_search import LocalConstraints
from demine.solver.proof.mine_count_proof import MineCountProof
from demine.solver.proof.minimise_proof import drop_redundant, minimum_proof_indices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from demine.solver.proof.prove_from_numbers import NumberConstraints

MAX_NUMBERS_SEARCHED: Final = 80
"""Among how many numbers near the cell a smaller proof is searched."""


class Proof(NamedTuple):
    """Numbers (flat indices), whether the mine count is needed too, and the hardest step."""

    numbers: tuple[int, ...]
    uses_mine_count: bool
    pattern: Pattern


def find_smallest_proof(constraints: NumberConstraints, cell: int, *, is_mine: bool) -> Proof:
    """Return a smallest proof of a certain cell, without the mine count if possible.

    Among equally small ones it is the one with the easiest pattern, then with the numbers closest
    to the cell. No number, nor the mine count, can be left out. Raises `TooComplex`.
    """
    counted = False
    found = short_proofs(constraints, cell, is_mine=is_mine)
    if not found:
        counted = not constraints.proves(constraints.covered_beside, cell)
        found = (
            _proofs_with_mine_count(constraints, cell)
            if counted
            else list(_longer_proofs(constraints, cell, is_mine))
        )
    proofs = (
        Proof(
            numbers,
            counted,
            hardest_pattern(constraints, numbers, cell, with_mine_count=counted, is_mine=is_mine),
        )
        for numbers in set(found)
    )
    return min(proofs, key=lambda proof: _proof_sort_key(constraints, proof, cell))


def short_proofs(
    constraints: NumberConstraints, cell: int, *, is_mine: bool
) -> list[tuple[int, ...]]:
    """Return all proofs by one number; if there are none, all by two; perhaps an empty list."""
    return list(_proofs_by_one_number(constraints, cell, is_mine)) or list(
        _proofs_by_two_numbers(constraints, cell, is_mine)
    )


def _proofs_with_mine_count(constraints: NumberConstraints, cell: int) -> list[tuple[int, ...]]:
    return [
        tuple(
            sorted(
                MineCountProof(constraints, cell).drop_redundant(list(constraints.covered_beside))
            )
        )
    ]


def _proof_sort_key(
    constraints: NumberConstraints, proof: Proof, cell: int
) -> tuple[int, int, int, tuple[int, ...]]:
    """Return the sort key of a proof: size, level, distance from the cell, numbers."""
    width = constraints.faces.shape[1]
    row, col = divmod(cell, width)
    spread = sum(
        (number // width - row) ** 2 + (number % width - col) ** 2 for number in proof.numbers
    )
    return len(proof.numbers), proof.pattern.level, spread, proof.numbers


def hardest_pattern(
    constraints: NumberConstraints,
    numbers: Sequence[int],
    cell: int,
    *,
    with_mine_count: bool,
    is_mine: bool,
) -> Pattern:
    """Return the pattern of the hardest step that these numbers need to prove a cell."""
    steps = constraints.simple_steps(numbers)
    steps.apply_single_number_steps()
    if cell in steps.known:
        return Pattern.SATISFIED
    steps.apply_number_pair_steps()
    if cell in steps.known:
        return Pattern.INSIDE
    left = constraints.mines_left - sum(steps.known.values())
    sea = (
        Sea(constraints.covered_count - len(steps.numbers_beside), left)
        if with_mine_count
        else None
    )
    return Pattern.of(levels_beyond_simple_steps(steps, {cell: is_mine}, sea)[cell])


def _proofs_by_one_number(
    constraints: NumberConstraints, cell: int, is_mine: bool
) -> Iterator[tuple[int, ...]]:
    """Yield each number that proves a cell by itself."""
    for number in constraints.numbers_beside.get(cell, ()):
        if constraints.needs[number] == (len(constraints.covered_beside[number]) if is_mine else 0):
            yield (number,)


def _proofs_by_two_numbers(
    constraints: NumberConstraints, cell: int, is_mine: bool
) -> Iterator[tuple[int, ...]]:
    """Yield each pair of numbers that proves a cell: only one of the two is beside it."""
    for number in constraints.numbers_beside.get(cell, ()):
        room = set(constraints.covered_beside[number])
        for other in sorted({other for near in room for other in constraints.numbers_beside[near]}):
            rest = set(constraints.covered_beside[other])
            if cell in rest:
                continue
            plus, minus = (room - rest, other) if is_mine else (rest - room, number)
            gap = (
                constraints.needs[number] + constraints.needs[other] - 2 * constraints.needs[minus]
            )
            if gap == len(plus):
                yield tuple(sorted((number, other)))


def _longer_proofs(
    constraints: NumberConstraints, cell: int, is_mine: bool
) -> Iterator[tuple[int, ...]]:
    """Yield proofs of three numbers or more without the mine count."""
    ball = _nearest_numbers_that_prove(constraints, cell)
    used = _numbers_used_by_steps(constraints, ball, cell)
    try_out = _ProofCheck(constraints, ball, cell, is_mine=is_mine)
    proofs = [
        drop_redundant(order, try_out.proves) for order in (used, sorted(used), sorted(used)[::-1])
    ]
    yield from map(tuple, map(sorted, proofs))
    most = min(map(len, proofs)) - 1
    if most < 3:
        return
    # The numbers of a proof are connected, so a smaller one reaches no farther than this.
    reach = constraints.numbers_beside[cell]
    for _ in range(most - 1):
        reach = constraints.with_adjacent_numbers(reach)
    local = LocalConstraints(
        reach[:MAX_NUMBERS_SEARCHED],
        constraints.covered_beside,
        constraints.needs,
        cell,
        is_mine=is_mine,
    )
    found = minimum_proof_indices(local, most)
    if found is not None:
        yield tuple(sorted(reach[index] for index in found))


class _ProofCheck:
    """Checks whether some numbers near a cell prove it: by trying layouts, else by state graphs."""

    def __init__(
        self, constraints: NumberConstraints, ball: Sequence[int], cell: int, *, is_mine: bool
    ) -> None:
        self._constraints = constraints
        self._cell = cell
        self._index = {number: index for index, number in enumerate(ball)}
        self._local = LocalConstraints(
            ball, constraints.covered_beside, constraints.needs, cell, is_mine=is_mine
        )

    def proves(self, numbers: Sequence[int]) -> bool:
        try:
            return (
                self._local.find_counterexample([self._index[number] for number in numbers]) is None
            )
        except TooComplex:
            return self._constraints.proves(numbers, self._cell)


def _nearest_numbers_that_prove(constraints: NumberConstraints, cell: int) -> list[int]:
    """Return the numbers around a cell that prove it without the mine count, nearest first."""
    ball = list(constraints.numbers_beside[cell])
    while not constraints.proves(ball, cell):
        # In ever wider steps, so that a proof that reaches far takes few attempts.
        for _ in range(1 + len(ball) // 60):
            ball = constraints.with_adjacent_numbers(ball)
    return ball


def _numbers_used_by_steps(constraints: NumberConstraints, ball: list[int], cell: int) -> list[int]:
    """Return the numbers that steps on up to two numbers use to find a cell; else all."""
    steps = constraints.simple_steps(ball)
    steps.apply_single_number_steps()
    if cell not in steps.known:
        steps.apply_number_pair_steps()
    if cell not in steps.known:
        return list(ball[::-1])
    made_at = {found: at for at, step in enumerate(steps.made) for found in step.mines | step.safe}
    used: dict[int, None] = {}
    waiting = [made_at[cell]]
    seen = set(waiting)
    for at in waiting:
        for number in steps.made[at].plus + steps.made[at].minus:
            used[number] = None
            for near in constraints.covered_beside[number]:
                before = made_at.get(near, at)
                if before < at and before not in seen:
                    seen.add(before)
                    waiting.append(before)
    return list(used)[::-1]
