"""Policies as an engine plays them: with a time limit, playouts, or neither."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

from demine.logic.rules import First
from demine.solver.errors import TooComplex
from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.parse_board import checked_scene, covered_map
from demine.solver.exact.probability import mine_probability
from demine.solver.player import advise
from demine.solver.player.choose_cell import best_move_by_probability, least_risky_cell
from demine.solver.player.custom_policy import CustomPolicy, without_marks
from demine.solver.player.first_cell import best_first_cell, usual_first_cell
from demine.solver.player.policy_table import policy_by_name
from demine.solver.proof.partial_deduction_fallback import certain_else_half_probability
from demine.solver.win_chances import analyse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.engine.protocol import SearchLimits
    from demine.solver.player.resolve_policy import ResolvedPolicy

    Cell = tuple[int, int]

_SHARE_OF_TIME: Final = 0.9
"""The share of the time left that playouts may take; the rest is for the answer."""


class FoundMove(NamedTuple):
    """The cell to open, `(row, col)`, or None to give up, and what is known about it.

    `risk` is its probability to be a mine, `win` the chance to win if it is opened, estimated on
    so many `playouts`, or exact if these are 0.
    """

    cell: Cell | None
    risk: float | None = None
    win: float | None = None
    playouts: int | None = None


@dataclass
class Search:
    """One search: the position, the limits, and the best move found so far.

    `best` is legal from the start, and replaced as better ones are found, by the thread that
    searches. `stopped` asks it to end.
    """

    scene: NDArray[np.uint8]
    rules: Rules
    limits: SearchLimits
    best: FoundMove = field(init=False)
    deadline: float | None = None
    stopped: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        covered = np.argwhere(covered_map(self.scene))
        self.best = FoundMove((int(covered[0][0]), int(covered[0][1])) if covered.size else None)
        if self.limits.movetime is not None:
            self.deadline = time.monotonic() + self.limits.movetime / 1000

    @property
    def seconds_left(self) -> float | None:
        """How many seconds are left, None without a limit."""
        return None if self.deadline is None else self.deadline - time.monotonic()


class EnginePlayer(Protocol):
    """Who plays behind the protocol."""

    def load(self) -> None:
        """Load what makes it fast, however long that takes."""
        ...

    def search(self, search: Search) -> None:
        """Find the best move of a search; raises `DemineError` if there is none to be found."""
        ...


class BuiltInPlayer:
    """One of our own policies.

    Without limits it chooses as in a study. With them it then has the promising cells played out,
    and changes its mind if one of them wins clearly more often than the policy's choice.
    """

    def __init__(self, policy: str) -> None:
        self._policy = policy_by_name(policy)

    def load(self) -> None:
        """Load the compiled kernels, compiling them if the cache has none."""
        advise.load_kernels()

    def search(self, search: Search) -> None:
        """Find the best move: the least risky cell first, then the policy's, then the playouts'."""
        faces, mines = checked_scene(search.scene, search.rules.mines)
        if covered_map(faces).all():
            search.best = self._first_move(search.rules)
            return
        if search.deadline is None and search.limits.playouts is None:
            search.best = self._quick_choice(faces, mines) or self._choice(search, faces, mines)
            return
        search.best = self._choice(search, faces, mines)
        if search.best.cell is not None and search.best.risk:
            self._improve_by_playouts(search, faces, mines)

    def _first_move(self, rules: Rules) -> FoundMove:
        cell = best_first_cell(rules) if self._policy.best_start else usual_first_cell(rules)
        return FoundMove(cell, rules.mines / rules.cells if rules.first is First.ANY else 0.0)

    def _quick_choice(self, faces: NDArray[np.uint8], mines: int) -> FoundMove | None:
        """Return the policy's choice by compiled kernels alone, or None if they cannot tell."""
        if not advise.is_compiled():
            return None
        found = advise.policy_choice_and_risk(faces, mines, self._policy.name)
        return None if found is None else FoundMove(*found)

    def _choice(self, search: Search, faces: NDArray[np.uint8], mines: int) -> FoundMove:
        """Return the policy's choice; the least risky cell is the best move until it is found."""
        chance = _probability(faces, mines)
        least = least_risky_cell(chance)
        if least is None:
            return FoundMove(None)
        search.best = FoundMove((least.row, least.col), least.risk)
        if least.risk == 0.0:
            return search.best
        if not self._policy.guesses:
            return FoundMove(None)
        move = best_move_by_probability(faces, mines, chance, self._policy.name) or least
        return FoundMove((move.row, move.col), move.risk)

    @staticmethod
    def _improve_by_playouts(search: Search, faces: NDArray[np.uint8], mines: int) -> None:
        """Have the promising cells played out; take the best if the choice is clearly behind it."""
        seconds = search.seconds_left
        if seconds is not None and (seconds := seconds * _SHARE_OF_TIME) <= 0:
            return
        try:
            found = analyse(
                faces,
                mines,
                seconds=seconds,
                playouts=search.limits.playouts,
                stop=search.stopped.is_set,
            )
        except TooComplex:
            return
        by_cell = {(each.row, each.col): each for each in found.cells}
        chosen = search.best.cell
        own = None if chosen is None else by_cell.get(chosen)
        # A cell that was dropped on the way, clearly behind the best, was played out less often.
        dropped = own is not None and own.playouts < found.playouts
        best = found.cells[0] if found.cells and (found.exact or dropped) else own
        if best is not None:
            search.best = FoundMove((best.row, best.col), best.risk, best.win, best.playouts)


class CustomPlayer:
    """A policy of one's own; playouts mean nothing to it, and a time limit only ends it."""

    def __init__(self, policy: CustomPolicy) -> None:
        self._policy = policy

    def load(self) -> None:
        """Do nothing: who knows what it would load."""

    def search(self, search: Search) -> None:
        """Ask the policy; with a time limit the least risky cell is the best move before that."""
        scene = without_marks(search.scene)
        if search.deadline is not None and not covered_map(scene).all():
            least = least_risky_cell(_probability(*checked_scene(scene, search.rules.mines)))
            if least is not None:
                search.best = FoundMove((least.row, least.col), least.risk)
        search.best = FoundMove(self._policy.choose(scene, search.rules))


def player_of_policy(policy: ResolvedPolicy) -> EnginePlayer:
    """Return a policy as an engine plays it."""
    return CustomPlayer(policy) if isinstance(policy, CustomPolicy) else BuiltInPlayer(policy.name)


def _probability(faces: NDArray[np.uint8], mines: int) -> NDArray[np.float64]:
    """Return the mine probability of each cell; of a position too complex what is certain."""
    try:
        return mine_probability(faces, mines)
    except TooComplex:
        return certain_else_half_probability(faces, mines, DEFAULT_STATES)
