"""Minesweeper as environments for Gymnasium; importing this registers their ids.

>>> import gymnasium
>>> import demine.envs
>>> env = gymnasium.make("demine/Expert-v0")
>>> seen, info = env.reset(seed=7)
>>> seen.shape, int(info["action_mask"].sum())
((16, 30), 480)

`gymnasium.make_vec` with the same ids makes many boards that are played side by side.
"""

from demine.envs.action_result import ActionResult
from demine.envs.errors import EnvSettingError
from demine.envs.registration import register_ids
from demine.envs.rewards import REWARDS
from demine.envs.single_env import MinesweeperEnv
from demine.envs.vector_env import MinesweeperVectorEnv

__all__ = [
    "REWARDS",
    "ActionResult",
    "EnvSettingError",
    "MinesweeperEnv",
    "MinesweeperVectorEnv",
]

register_ids()
