"""Other observations of the same environments, single and vector ones alike.

Each function takes an environment of this package and returns one that shows something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from gymnasium import Env, Wrapper, spaces
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import TransformObservation
from gymnasium.wrappers.vector import TransformObservation as VectorTransformObservation

from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from demine.logic.rules import Rules

AnyEnv: TypeAlias = "Env[Any, Any] | VectorEnv[Any, Any, Any]"
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
    `(height, width)`: 0 on opened cells, and 0 or 1 once the mines are shown.
    """
    rules = _rules(env)
    seen = env.single_observation_space if isinstance(env, VectorEnv) else env.observation_space
    plane = spaces.Box(0.0, 1.0, rules.shape, np.float32)

    def with_probability(faces: NDArray[np.uint8]) -> dict[str, Any]:
        boards = faces.reshape(-1, *rules.shape)
        planes = np.array([_probability(board, rules) for board in boards], np.float32)
        return {"seen": faces, "mine_probability": planes.reshape(faces.shape)}

    space = spaces.Dict({"seen": seen, "mine_probability": plane})
    return _transformed(env, with_probability, space)


def action_mask_in_observation(env: AnyEnv) -> AnyEnv:
    """Return an environment whose observation is a dict of `observation` and `action_mask`.

    Libraries that do not look at `info` find the mask there.
    """
    return _VectorMasked(env) if isinstance(env, VectorEnv) else _Masked(env)


class _Masked(Wrapper[Any, Any, Any, Any]):
    def __init__(self, env: Env[Any, Any]) -> None:
        super().__init__(env)
        self.observation_space = _with_mask(env.observation_space, env.action_space)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        seen, info = self.env.reset(seed=seed, options=options)
        return {"observation": seen, "action_mask": info["action_mask"].copy()}, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:  # noqa: ANN401
        seen, reward, ended, truncated, info = self.env.step(action)
        shown = {"observation": seen, "action_mask": info["action_mask"].copy()}
        return shown, reward, ended, truncated, info


class _VectorMasked(VectorWrapper[Any, Any, Any, Any, Any]):
    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        space = _with_mask(env.single_observation_space, env.single_action_space)
        self.single_observation_space = space
        self.observation_space = batch_space(space, env.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        seen, infos = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]  # a list
        return {"observation": seen, "action_mask": infos["action_mask"].copy()}, infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:  # noqa: ANN401
        seen, rewards, ended, truncated, infos = self.env.step(actions)
        shown = {"observation": seen, "action_mask": infos["action_mask"].copy()}
        return shown, rewards, ended, truncated, infos


def _with_mask(seen: spaces.Space[Any], actions: spaces.Space[Any]) -> spaces.Dict:
    count = int(actions.n) if isinstance(actions, spaces.Discrete) else 0
    mask = spaces.Box(0, 1, (count,), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask})


def _rules(env: AnyEnv) -> Rules:
    rules: Rules = env.unwrapped.rules  # type: ignore[union-attr]
    return rules


def _transformed(
    env: AnyEnv, function: Callable[[NDArray[np.uint8]], Any], space: spaces.Space[Any]
) -> AnyEnv:
    """Return an environment whose observations are what a function makes of them."""
    if isinstance(env, VectorEnv):
        batched = batch_space(space, env.num_envs)
        return VectorTransformObservation(env, function, batched, space)
    return TransformObservation(env, function, space)


def _planes(faces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    planes: NDArray[np.uint8] = (faces[..., None, :, :] == _FACES).astype(np.uint8)
    return planes


def _probability(faces: NDArray[np.uint8], rules: Rules) -> NDArray[np.floating[Any]]:
    from demine.solver.exact.probability import mine_probability

    if np.isin(faces, _SHOWN_AT_END).any():
        return np.isin(faces, _MINES).astype(np.float64)
    return np.nan_to_num(mine_probability(faces, rules.mines))
