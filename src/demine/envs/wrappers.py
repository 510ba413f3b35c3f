"""Other observations of the same environments, single and vector ones alike.

Each function takes an environment of this package and returns one that shows something else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from gymnasium import Env, Wrapper, spaces
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.logic.rules import Rules

AnyEnv: TypeAlias = "Env[Any, Any] | VectorEnv[Any, Any, Any]"
ShowAs: TypeAlias = "Callable[[Any, NDArray[np.int8]], Any]"
"""Makes an observation of another one and its action mask, of one board or of many."""
_FACES: Final = np.arange(len(Face), dtype=np.uint8)[:, None, None]
_SHOWN_AT_END: Final = (Face.MINE, Face.WRONG)
_MINES: Final = (Face.MINE, Face.BLOWN, Face.FLAG)


def one_hot_planes(env: AnyEnv) -> AnyEnv:
    """Return an environment that shows a plane for each `demine.Face`, 1 on the cells that show it.

    The observation is uint8 `(15, height, width)`, with a leading axis for a vector environment.
    """
    shape = len(Face), *_rules(env).shape
    return _transformed(env, _planes, spaces.Box(0, 1, shape, np.uint8))


def mine_probabilities(env: AnyEnv) -> AnyEnv:
    """Return an environment that shows the exact probability of a mine beside each board.

    The observation is a dict of `seen`, the observation of `env`, and `mine_probability`, float32
    `(height, width)`: 0 on opened cells, 1 on opened mines, and 0 or 1 once a lost game shows the
    mines.
    """
    rules = _rules(env)
    seen = env.single_observation_space if isinstance(env, VectorEnv) else env.observation_space
    plane = spaces.Box(0.0, 1.0, rules.shape, np.float32)

    space = spaces.Dict({"seen": seen, "mine_probability": plane})
    return _transformed(env, partial(_with_probability, rules), space)


def action_mask_in_observation(env: AnyEnv) -> AnyEnv:
    """Return an environment whose observation is a dict of `observation` and `action_mask`.

    Libraries that do not look at `info` find the mask there.
    """
    if isinstance(env, VectorEnv):
        seen, actions = env.single_observation_space, env.single_action_space
    else:
        seen, actions = env.observation_space, env.action_space
    count = int(actions.n) if isinstance(actions, spaces.Discrete) else 0
    mask = spaces.Box(0, 1, (count,), np.int8)
    return _transformed(env, _with_mask, spaces.Dict({"observation": seen, "action_mask": mask}))


def _rules(env: AnyEnv) -> Rules:
    rules: Rules = env.unwrapped.rules  # type: ignore[union-attr]
    return rules


def _transformed(env: AnyEnv, show_as: ShowAs, space: spaces.Space[Any]) -> AnyEnv:
    """Return an environment whose observations, those of `space`, a function makes."""
    if isinstance(env, VectorEnv):
        return _VectorShownAs(env, show_as, space)
    return _ShownAs(env, show_as, space)


# ----- Wrappers: Gymnasium's own know no masks, and refuse vector environments with SAME_STEP


class _ShownAs(Wrapper[Any, Any, Any, Any]):
    def __init__(self, env: Env[Any, Any], show_as: ShowAs, space: spaces.Space[Any]) -> None:
        super().__init__(env)
        self._show_as = show_as
        self.observation_space = space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        seen, info = self.env.reset(seed=seed, options=options)
        return self._show_as(seen, info["action_mask"]), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:  # noqa: ANN401
        seen, reward, ended, truncated, info = self.env.step(action)
        return self._show_as(seen, info["action_mask"]), reward, ended, truncated, info


class _VectorShownAs(VectorWrapper[Any, Any, Any, Any, Any]):
    def __init__(
        self, env: VectorEnv[Any, Any, Any], show_as: ShowAs, space: spaces.Space[Any]
    ) -> None:
        super().__init__(env)
        self._show_as = show_as
        self._masks: NDArray[np.int8] | None = None
        self.single_observation_space = space
        self.observation_space = batch_space(space, env.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        seen, infos = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]  # a list
        return self._shown(seen, infos), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:  # noqa: ANN401
        seen, rewards, ended, truncated, infos = self.env.step(actions)
        if "final_obs" in infos:
            last, masks = infos["final_obs"], infos["final_info"]["action_mask"]
            for board in np.flatnonzero(infos["_final_obs"]):
                last[board] = self._show_as(last[board], masks[board])
        return self._shown(seen, infos), rewards, ended, truncated, infos

    def _shown(self, seen: Any, infos: dict[str, Any]) -> Any:  # noqa: ANN401 - of any space
        # A reset of some boards has no masks of the others, whose observations stay.
        masks, given = infos["action_mask"], infos["_action_mask"][:, None]
        self._masks = np.where(given, masks, 0 if self._masks is None else self._masks)
        return self._show_as(seen, self._masks)


# ----- What they show


def _with_mask(seen: Any, mask: NDArray[np.int8]) -> dict[str, Any]:  # noqa: ANN401
    return {"observation": seen, "action_mask": mask.copy()}


def _planes(faces: NDArray[np.uint8], mask: NDArray[np.int8]) -> NDArray[np.uint8]:
    del mask
    planes: NDArray[np.uint8] = (faces[..., None, :, :] == _FACES).astype(np.uint8)
    return planes


def _with_probability(
    rules: Rules, faces: NDArray[np.uint8], mask: NDArray[np.int8]
) -> dict[str, Any]:
    del mask
    boards = faces.reshape(-1, *rules.shape)
    planes = np.array([_probability(board, rules) for board in boards], np.float32)
    return {"seen": faces, "mine_probability": planes.reshape(faces.shape)}


def _probability(faces: NDArray[np.uint8], rules: Rules) -> NDArray[np.floating[Any]]:
    from demine.solver.exact.probability import mine_probability

    blown = faces == Face.BLOWN
    if np.isin(faces, _SHOWN_AT_END).any() or blown.sum() >= rules.lives:
        return np.isin(faces, _MINES).astype(np.float64)
    return np.where(blown, 1.0, np.nan_to_num(mine_probability(faces, rules.mines)))
