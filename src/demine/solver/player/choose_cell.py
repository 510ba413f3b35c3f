"""Choosing the covered cell to open: a certainly safe one, else the best guess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.neighbours import neighbours
from demine.logic.rules import First, Rules
from demine.solver.errors import TooComplex
from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.parse_board import checked_scene, covered_map
from demine.solver.exact.probability import mine_probability
from demine.solver.player import advise
from demine.solver.player.first_cell import usual_first_cell
from demine.solver.player.policy_table import GUESSING
from demine.solver.proof.deduce_some_cells import certain_cells_as_probability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

EQUAL_WITHIN: Final = 1e-9
"""Chances that differ less than this are taken for equal, so that rounding never decides a move."""


class PolicyError(DemineError, ValueError):
    """A policy that there is none of, or that does not guess."""


class Move(NamedTuple):
    """A cell to open, and the probability that it is a mine: exactly 0.0 if it is proven safe."""

    row: int
    col: int
    risk: float


def best_move(
    scene: ArrayLike,
    mines: SupportsIndex,
    *,
    policy: str | None = None,
    first: First | str | None = None,
    states: int = DEFAULT_STATES,
) -> Move | None:
    """Return the covered cell to open: a certainly safe one if there is any, else the best guess.

    Where at most 1000 layouts are left, a guess is the cell with which most of them are won, by a
    search of the whole game. Before that it is the guess of the policy `strong`, which weighs what
    a cell would tell. So it is not always the least risk. Nothing is ever waited for: until
    `demine.solver.player.advise.load_kernels` has got the compiled player ready the same is found
    in plain Python, in some tenths of a second at most. For positions that are too much for the
    player it is the cell of the least risk, of equal ones that around which most is known. `policy`
    names one that is to decide alone (`safest`, `fast`, `strong`, `best`), as it does in a study;
    that one is waited for, compiled where Numba is installed and played in plain Python where it is
    not.

    Where nothing is open yet the answer is a corner, unless so few layouts are left that the best
    cell is known. `first` is what the rules promise of that cell (`Rules.first`): with `zero` it
    lies further in, and what is promised has no risk.

    A position too complex to be solved whole is answered too where a part of its numbers proves a
    cell safe.

    A flag is a note, so a flagged cell may be the answer. None means that every covered cell is a
    mine: the board is solved. Raises `PolicyError` for a policy that does not guess, `RulesError`
    for a promise that does not fit; the other arguments and errors are those of
    `mine_probability`.
    """
    if policy is not None:
        check_policy_guesses(policy)
        advise.load_kernels()
    faces, number = checked_scene(scene, mines)
    if first is not None and covered_map(faces).all():
        rules = Rules(faces.shape[1], faces.shape[0], number, first)
        if rules.first is not First.ANY:
            return Move(*usual_first_cell(rules), 0.0)
    try:
        chance = mine_probability(faces, number, states=states)
    except TooComplex:
        chance = certain_cells_as_probability(faces, number, states)
        if not (chance == 0.0).any():
            raise
        return least_risky_cell(chance)
    return best_move_given(faces, number, chance, policy)


def best_move_given(
    faces: NDArray[np.uint8],
    mines: int,
    probability: NDArray[np.float64],
    policy: str | None = None,
) -> Move | None:
    """Return the `best_move` of a checked position whose `mine_probability` is known."""
    least = least_risky_cell(probability)
    if least is None or least.risk == 0.0:
        return least
    if covered_map(faces).all():
        cell = None if policy else advise.best_opening(faces, mines)
    elif policy is None:
        cell = advise.best_guess(faces, mines)
    else:
        cell = advise.policy_choice(faces, mines, policy)
    return least if cell is None else Move(*cell, float(probability[cell]))


def least_risky_cell(probability: NDArray[np.float64]) -> Move | None:
    """Return the cell of the least risk in a position whose `mine_probability` is known, or None.

    Of safe cells it is the one most likely to show no number, which opens more. Of others it is
    that around which most is known, as for the policy `fast`: many opened cells, then few that are
    not certain; then the first by row and column.
    """
    covered = ~np.isnan(probability)
    if not covered.any() or float(np.nanmin(probability)) == 1.0:
        return None
    chance = np.where(covered, probability, 1.0)
    least = chance.min()
    good = chance <= least * (1 + EQUAL_WITHIN)
    promise = (
        _chance_of_zero(np.where(covered, probability, 0.0))
        if least == 0.0
        else _known_around(covered, chance)
    )
    good &= promise >= promise[good].max() - EQUAL_WITHIN
    row, col = divmod(int(np.flatnonzero(good)[0]), good.shape[1])
    return Move(row, col, float(probability[row, col]))


def _chance_of_zero(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely each cell has no mine around, its neighbours taken as independent."""
    zero = np.ones_like(chance)
    for near in _neighbour_values(chance):
        zero *= 1 - near
    return zero


def _known_around(covered: NDArray[np.bool_], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ten for each opened cell around a cell, less one for each that is not certain."""
    known = np.where(covered, np.where((chance > 0.0) & (chance < 1.0), -1.0, 0.0), 10.0)
    # The cell itself is no more certain than its equals.
    total = np.zeros_like(known)
    for near in _neighbour_values(known):
        total += near
    return total


def _neighbour_values(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield what each cell's neighbours have, one direction after the other; 0 off the board."""
    height, width = values.shape
    padded = np.zeros((height + 2, width + 2))
    padded[1:-1, 1:-1] = values
    for row, col in neighbours(1, 1, 3, 3):
        yield padded[row : row + height, col : col + width]


def check_policy_guesses(policy: str) -> None:
    """Raise `PolicyError` for a policy that does not exist or does not guess."""
    if policy not in GUESSING:
        raise PolicyError(
            "there is no policy {policy!r} that guesses; there are {known}",
            policy=policy,
            known=", ".join(GUESSING),
        )
