"""Rewards of the environments: one table of those that have a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from demine.envs.errors import EnvSettingError
from demine.logic.errors import quoted
from demine.logic.rules import First

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.envs.action_result import ActionResult

RewardFunction: TypeAlias = "Callable[[ActionResult], NDArray[np.float64]]"
"""Gives the reward of each board, float64 `(n,)`; only those of played actions count."""


@dataclass(frozen=True, slots=True)
class Reward:
    """A way to reward actions: a sum of numbers, or a function."""

    win: float = 0.0
    loss: float = 0.0
    share_opened: float = 0.0
    """For opening all safe cells; for some of them the same part of it."""
    function: RewardFunction | None = None
    """What gives the reward in place of these."""
    opens_only: bool = False
    """Whether it is defined for actions that open a single cell alone."""


def _risk(result: ActionResult) -> NDArray[np.float64]:
    """Return minus the exact chance that the opened cell was a mine, as the player saw it."""
    rewards = np.zeros(result.actions.size)
    for board in np.flatnonzero(~result.refused):
        rewards[board] = -_chance_of_mine(result, int(board))
    return rewards


def _chance_of_mine(result: ActionResult, board: int) -> float:
    from demine.solver.exact.probability import mine_probability

    rules, seen = result.rules, result.seen[board]
    if rules.first is not First.ANY and not result.laid[board]:
        return 0.0
    row, col = divmod(int(result.actions[board]), rules.width)
    return float(mine_probability(seen, rules.mines)[row, col])


REWARDS: Final = {
    "win_loss": Reward(win=1.0, loss=-1.0),
    "progress": Reward(share_opened=1.0, loss=-1.0),
    "risk": Reward(function=_risk, opens_only=True),
}
"""The rewards by name.

`win_loss` is 1 for a win and -1 for a loss. `progress` is the share of the safe cells that an
action opened, and -1 for a loss. `risk` is minus the exact probability that the opened cell was a
mine, given what the player saw.
"""


def reward_of(reward: object, *, opens_only: bool) -> Reward:
    """Return the reward of a name or `RewardFunction`; raises `EnvSettingError` for others.

    `opens_only` says whether every action opens a single cell.
    """
    if callable(reward):
        return Reward(function=reward)
    known = REWARDS.get(reward) if isinstance(reward, str) else None
    if known is None:
        raise EnvSettingError(
            "{value} is not a reward: use {choices}, or a function",
            value=quoted(reward),
            choices=", ".join(REWARDS),
        )
    if known.opens_only and not opens_only:
        raise EnvSettingError(
            "the reward {name} is for actions that open one cell: use actions='open'",
            name=quoted(reward),
        )
    return known
