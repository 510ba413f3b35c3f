"""Choose the covered cell to open: a certainly safe one, else the best guess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, SupportsIndex

import numpy as np

from demine.logic.neighbours import neighbours
from demine.logic.rules import First, Rules
from demine.scene.seen_position import SeenPosition, position_of_object
from demine.solver.errors import NothingToOpen, TooComplex
from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.parse_board import checked_scene, covered_map
from demine.solver.exact.probability import mine_probability
from demine.solver.player import advise
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.first_cell import usual_first_cell
from demine.solver.player.move import Move
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_table import GUESSING
from demine.solver.player.resolve_policy import resolve_policy
from demine.solver.proof.partial_deduction_fallback import certain_else_half_probability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition
    from demine.solver.player.policy_types import PolicyLike

EQUAL_WITHIN: Final = 1e-9
"""Probabilities that differ by less count as equal, so that rounding never decides a move."""


def best_move(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    policy: PolicyLike | None = None,
    first: First | str | None = None,
    states: int = DEFAULT_STATES,
) -> Move:
    """Return the covered cell to open: a certainly safe one if there is any, else the best guess.

    With at most 1000 layouts left, the guess is the cell that wins most of them, found by searching
    the rest of the game. Before that it is the guess of the policy `strong`, which considers what
    the cell would reveal, so it is not always the least risky cell. This never waits for a
    compiler: until `demine.solver.player.advise.load_kernels` has loaded the kernels, the same cell
    is found in plain Python, in some tenths of a second at most. If a position is too much for
    them, the guess is the least risky cell; of equal ones, the one around which most is known.

    `policy` decides alone, as it does in a study: by name `safest`, `fast`, `strong`, `best` or
    `deep`. The last two are compiled first if Numba is installed, which takes long and is logged;
    or one of your own, see `demine.Policy`, which is asked on untouched boards too. It sees neither
    flags nor marks.

    While nothing is open the answer is a corner, unless so few layouts are possible that the best
    cell can be searched for. `first` is what the rules promise about that cell (`Rules.first`): it
    then has no risk, and with `zero` it lies further from the edges. A `demine.Game` tells that
    itself, and the cell where it must begin.

    In a position too complex to be solved as a whole, a cell that some of the numbers prove safe is
    still found.

    Flags are ignored, so a flagged cell may be the answer. Raises `NothingToOpen` if every covered
    cell is a mine, `PolicyError` for a policy that does not guess, fails or answers no covered
    cell, `NothingCertain` for one of your own that gives up, `RulesError` for a promise that does
    not fit the board; the other arguments and errors are those of `mine_probability`.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> demine.best_move(game).risk
    0.0
    """
    found = find_best_move(scene, mines, policy=policy, first=first, states=states)
    if found is None:
        raise NothingToOpen("every safe cell is open")
    return found


def find_best_move(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    policy: PolicyLike | None = None,
    first: First | str | None = None,
    states: int = DEFAULT_STATES,
) -> Move | None:
    """Return `best_move` of the same arguments, or None if every safe cell is open."""
    faces, number = checked_scene(scene, mines)
    name = None
    if policy is not None:
        if isinstance(policy, str) and ":" not in policy:
            check_policy_guesses(policy)
        player = resolve_policy(policy)
        if isinstance(player, CustomPolicy):
            return custom_move(scene, faces, number, player, first, states)
        name = player.name
        advise.load_kernels_for(name)
    begin = first_move(scene, faces, number, first)
    if begin is not None:
        return begin
    try:
        chance = mine_probability(faces, number, states=states)
    except TooComplex:
        chance = certain_else_half_probability(faces, number, states)
        if not (chance == 0.0).any():
            raise
        return least_risky_cell(chance)
    return best_move_by_probability(faces, number, chance, name)


def custom_move(
    scene: ArrayLike | HasPosition,
    faces: NDArray[np.uint8],
    mines: int,
    policy: CustomPolicy,
    first: First | str | None = None,
    states: int = DEFAULT_STATES,
) -> Move | None:
    """Return the move of a policy of one's own, or None if every safe cell is open."""
    chance = mine_probability(faces, mines, states=states)
    if not (chance < 1.0).any():
        return None
    told = position_of_object(scene, mines)
    start = None if told is None else told.start
    first = first or (None if told is None else told.first)
    rules = Rules(faces.shape[1], faces.shape[0], mines, first)
    cell = policy.choose_in(SeenPosition(faces, mines, rules.first, start), rules)
    begins = bool(covered_map(faces).all())
    promised = begins and first is not None and rules.first is not First.ANY
    return Move(*cell, 0.0 if promised else float(chance[cell]))


def first_move(
    scene: ArrayLike | HasPosition,
    faces: NDArray[np.uint8],
    mines: int,
    first: First | str | None = None,
) -> Move | None:
    """Return the move to begin with if a promise or a game's start decides it, else None."""
    if not covered_map(faces).all():
        return None
    start = None
    position = position_of_object(scene, mines)
    if position is not None:
        first, start = first or position.first, position.start
    if first is None:
        return None
    rules = Rules(faces.shape[1], faces.shape[0], mines, first)
    if rules.first is not First.ANY:
        return Move(*(start or usual_first_cell(rules)), 0.0)
    return None if start is None else Move(*start, mines / faces.size)


def best_move_by_probability(
    faces: NDArray[np.uint8],
    mines: int,
    probability: NDArray[np.float64],
    policy: str | None = None,
) -> Move | None:
    """Return the `best_move` of a checked scene board whose `mine_probability` is given."""
    least = least_risky_cell(probability)
    if least is None or least.risk == 0.0:
        return least
    if covered_map(faces).all():
        cell = None if policy else advise.best_start_if_few_layouts(faces, mines)
    elif policy is None:
        cell = advise.best_guess(faces, mines)
    else:
        cell = advise.policy_choice(faces, mines, policy)
    return least if cell is None else Move(*cell, float(probability[cell]))


def nearest_equally_safe_move(
    probability: NDArray[np.float64], move: Move, near: tuple[int, int]
) -> Move:
    """Return the move, or one on a twin of its cell that is nearer to `near`, `(row, col)`.

    Twins are two covered cells with the same neighbours, apart from each other and certain mines.
    Nothing changes on the board if they change places, so that neither is the better guess.
    `probability` is the `mine_probability` of the board.
    """
    height, width = probability.shape
    chosen = move.row, move.col

    def distance(cell: tuple[int, int]) -> int:
        return (cell[0] - near[0]) ** 2 + (cell[1] - near[1]) ** 2

    def other_neighbours(cell: tuple[int, int], left_out: tuple[int, int]) -> set[tuple[int, int]]:
        around = set(neighbours(*cell, height, width)) - {left_out}
        return {at for at in around if probability[at] != 1.0}

    reach = range(-2, 3)
    twins = [
        (row, col)
        for row, col in ((move.row + down, move.col + right) for down in reach for right in reach)
        if 0 <= row < height
        and 0 <= col < width
        and not np.isnan(probability[row, col])
        and other_neighbours((row, col), chosen) == other_neighbours(chosen, (row, col))
    ]
    return Move(*min([chosen, *twins], key=distance), move.risk)


def least_risky_cell(probability: NDArray[np.float64]) -> Move | None:
    """Return the cell with the lowest `mine_probability`; None if every covered cell is a mine.

    Among safe cells it is the one most likely to show no number, which opens more. Among others it
    is the one around which most is known, as in the policy `fast`: many opened neighbours, then few
    uncertain ones, then the first by row and column.
    """
    cell = int(least_risky_cells(probability[np.newaxis])[0])
    if cell < 0:
        return None
    row, col = divmod(cell, probability.shape[1])
    return Move(row, col, float(probability[row, col]))


def least_risky_cells(probability: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the `least_risky_cell` of many boards, as `row * width + col`; -1 stands for None.

    `probability` has the shape `(boards, height, width)`.
    """
    covered = ~np.isnan(probability)
    chance = np.where(covered, probability, 1.0)
    least = chance.min(axis=(1, 2), keepdims=True)
    good = chance <= least * (1 + EQUAL_WITHIN)
    is_safe = least[:, 0, 0] == 0.0
    promise = np.empty_like(chance)
    promise[is_safe] = _chance_of_zero(np.where(covered, probability, 0.0)[is_safe])
    promise[~is_safe] = _known_around(covered[~is_safe], chance[~is_safe])
    most = np.where(good, promise, -np.inf).max(axis=(1, 2), keepdims=True)
    good &= promise >= most - EQUAL_WITHIN
    first = good.reshape(len(good), -1).argmax(axis=1)
    return np.where(least[:, 0, 0] < 1.0, first, -1)


def _chance_of_zero(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely each cell has no mine around, its neighbours taken as independent."""
    zero = np.ones_like(chance)
    for near in _neighbour_values(chance):
        zero *= 1 - near
    return zero


def _known_around(covered: NDArray[np.bool_], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a score for each cell: 10 for each opened neighbour, -1 for each uncertain one."""
    known = np.where(covered, np.where((chance > 0.0) & (chance < 1.0), -1.0, 0.0), 10.0)
    # The cell itself is left out: among cells of equal risk it makes no difference.
    total = np.zeros_like(known)
    for near in _neighbour_values(known):
        total += near
    return total


def _neighbour_values(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield an array for each of the eight directions: the neighbours' values, 0 off the board.

    `values` has the shape `(boards, height, width)`.
    """
    boards, height, width = values.shape
    padded = np.zeros((boards, height + 2, width + 2))
    padded[:, 1:-1, 1:-1] = values
    for row, col in neighbours(1, 1, 3, 3):
        yield padded[:, row : row + height, col : col + width]


def check_policy_guesses(policy: str) -> None:
    """Raise `PolicyError` for a policy that does not exist or does not guess."""
    if policy not in GUESSING:
        raise PolicyError(
            "there is no policy {policy!r} that guesses; there are {known}",
            policy=policy,
            known=", ".join(GUESSING),
        ).with_suggestion(policy, GUESSING)
