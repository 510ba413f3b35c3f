"""`MinesweeperVectorEnv`: many games side by side, as a Gymnasium vector environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from demine.envs.board_batch import Shown
from demine.envs.env_settings import EnvSettings, seed_of_boards
from demine.envs.errors import EnvSettingError
from demine.envs.kernels import WON
from demine.envs.output_arrays import AlternatingArrays, UnheldArrays
from demine.envs.rendering import Renderer
from demine.envs.single_env import MinesweeperEnv
from demine.logic.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from demine.envs.env_settings import Actions, Invalid
    from demine.envs.rewards import RewardFunction
    from demine.logic.rules import Rules


class MinesweeperVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games side by side: the same, for the same seeds, as that many `MinesweeperEnv`.

    Arguments are those of `MinesweeperEnv`, and `num_envs`. `autoreset_mode` is what becomes of a
    board whose episode has ended: the next step begins another one ("NextStep"), the same step does
    ("SameStep"; `infos["final_obs"]` and `["final_info"]` have the end), or `reset` with
    `options={"reset_mask": ...}` has to ("Disabled"). With `copy=False`, observations and masks are
    written to two buffers by turns: those of a step are overwritten by the next step but one.
    `threads` play as many ranges of boards at once, with the same results, if the boards have at
    most 62 columns; that pays for thousands of boards on processors that are idle.
    """

    def __init__(  # noqa: PLR0913 - `gymnasium.make_vec` hands each over by its name
        self,
        num_envs: int = 1,
        rules: Rules | str = "beginner",
        *,
        actions: Actions = "open",
        reward: str | RewardFunction = "win_loss",
        invalid: Invalid = "ignore",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
    ) -> None:
        self._settings = EnvSettings.of(rules, actions, reward, invalid)
        self._renderer = Renderer.of(render_mode, self._settings.rules)
        self.render_mode = render_mode
        num_envs = self.num_envs = self._settings.checked_count(num_envs)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**MinesweeperEnv.metadata, "autoreset_mode": self._mode}
        self.single_observation_space = self._settings.observation_space
        self.single_action_space = self._settings.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._boards = self._settings.boards(num_envs, threads)
        arrays = UnheldArrays if copy else AlternatingArrays
        self._faces = arrays((num_envs, *self.rules.shape), np.uint8)
        self._masks = arrays((num_envs, int(self.single_action_space.n)), np.int8)
        self._all = np.ones(num_envs, np.bool_)
        self._none = np.zeros(num_envs, np.bool_)
        self._is_seeded = self._none.copy()
        self._can_step = False

    @property
    def rules(self) -> Rules:
        """The rules of its games."""
        return self._settings.rules

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin the next game on all boards, or on those of `options["reset_mask"]`.

        Board `i` gets the seed `seed + i`, or that of a list.
        """
        which = self._reset_mask(options or {})
        self._seed(which, seed)
        self._boards.reset(which)
        shown = self._new_shown()
        self._boards.show(self._all, shown)
        return shown.faces, _with_presence("action_mask", _only(shown.masks, which), which)

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play an action on every board; raises `EnvSettingError` if they are not integers."""
        self._check_games()
        if self._mode is AutoresetMode.DISABLED and (self._boards.status >= WON).any():
            raise ResetNeeded("a game is over: call reset with its reset_mask")
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise EnvSettingError("actions are integers, not {kind}", kind=given.dtype.name)
        chosen = np.ascontiguousarray(given, np.int64)
        if chosen.shape != (self.num_envs,):
            raise EnvSettingError(
                "there are {count} boards, but the actions have the shape {shape}",
                count=self.num_envs,
                shape=chosen.shape,
            )
        boards, shown = self._boards, self._new_shown()
        next_step = self._mode is AutoresetMode.NEXT_STEP
        self._settings.play(boards, chosen, shown, resets=next_step)
        ended = boards.ended.copy()
        infos: dict[str, Any] = {}
        if np.count_nonzero(ended):
            if self._mode is AutoresetMode.SAME_STEP:
                self._put_final(infos, ended, shown)
                boards.reset(ended)
                boards.show(ended, shown)
            else:
                infos.update(_with_presence("is_success", ended & (boards.status == WON), ended))
        infos.update(_with_presence("action_mask", shown.masks, self._all))
        return shown.faces, boards.rewards.copy(), ended, self._none.copy(), infos

    def sample_actions(self) -> NDArray[np.int64]:
        """Return a random legal action of every board, int64 `(num_envs,)`; 0 where none is legal.

        All legal actions of a board have the same chance. The seed of `reset` decides them too:
        board `i` draws what a single environment of its seed draws.
        """
        self._check_games()
        return self._boards.sample()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions the rules allow on each board, bool `(num_envs, actions)`."""
        shown = self._boards.new_shown()
        self._boards.show(self._all, shown)
        return shown.masks.astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Return every board as text ("ansi") or picture ("rgb_array")."""
        if self._renderer is None:
            return None
        return tuple(self._renderer.render(faces) for faces in self._boards.faces)

    def close_extras(self, **_: Any) -> None:  # noqa: ANN401 - as Gymnasium has it
        """Close the window of "human", and end the threads."""
        self._boards.close()
        if self._renderer is not None:
            self._renderer.close()

    def _reset_mask(self, options: dict[str, Any]) -> NDArray[np.bool_]:
        unknown = options.keys() - {"reset_mask"}
        if unknown:
            raise EnvSettingError(
                "{name} is not an option of reset: use reset_mask", name=quoted(min(unknown))
            )
        which = options.get("reset_mask", self._all)
        is_mask = isinstance(which, np.ndarray) and which.dtype == np.bool_
        if not is_mask or which.shape != (self.num_envs,) or not which.any():
            raise EnvSettingError(
                "reset_mask is a bool array with an entry for each of {count} boards, and one of "
                "them True",
                count=self.num_envs,
            )
        mask: NDArray[np.bool_] = which
        return mask

    def _seed(self, which: NDArray[np.bool_], seed: int | Sequence[int | None] | None) -> None:
        if isinstance(seed, int):
            super().reset(seed=seed)
            given: Sequence[int | None] = range(seed, seed + self.num_envs)
        elif seed is None:
            given = [None] * self.num_envs
        else:
            given = seed
        if len(given) != self.num_envs:
            raise EnvSettingError(
                "there are {count} boards, but {given} seeds",
                count=self.num_envs,
                given=len(given),
            )
        for board in np.flatnonzero(which).tolist():
            value = given[board]
            if value is not None or not self._is_seeded[board]:
                self._boards.seed(slice(board, board + 1), seed_of_boards(value))
        self._is_seeded |= which
        self._can_step = bool(self._is_seeded.all())

    def _check_games(self) -> None:
        if not self._can_step:
            raise ResetNeeded("a board has no game yet: call reset")

    def _new_shown(self) -> Shown:
        return Shown(self._faces.take(), self._masks.take())

    def _put_final(self, infos: dict[str, Any], ended: NDArray[np.bool_], shown: Shown) -> None:
        """Put the last observations and infos of episodes that ended into `infos`."""
        last = np.full(self.num_envs, None, dtype=object)
        for board in np.flatnonzero(ended):
            last[board] = shown.faces[board].copy()
        infos.update(_with_presence("final_obs", last, ended))
        final = {
            **_with_presence("action_mask", np.zeros_like(shown.masks), ended),
            **_with_presence("is_success", ended & (self._boards.status == WON), ended),
        }
        infos.update(_with_presence("final_info", final, ended))


def _only(values: NDArray[Any], which: NDArray[np.bool_]) -> NDArray[Any]:
    """Return values of some boards, and zeros for the others."""
    if not which.all():
        values[~which] = 0
    return values


def _with_presence(name: str, values: Any, which: NDArray[np.bool_]) -> dict[str, Any]:  # noqa: ANN401
    """Return an entry of `infos`, and the one that says which boards have it."""
    return {name: values, f"_{name}": which.copy()}
