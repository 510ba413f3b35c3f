"""`MinesweeperEnv`: one game at a time, as a Gymnasium environment."""

from __future__ import annotations

import operator
from array import array
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from demine.envs.env_settings import EnvSettings, seed_of_boards
from demine.envs.errors import EnvSettingError
from demine.envs.kernels import PLAYED, WON
from demine.envs.rendering import Renderer
from demine.game import Game
from demine.logic.errors import quoted
from demine.logic.event import Act, Lay
from demine.logic.layout import checked_mine_map

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.envs.env_settings import Actions, Invalid
    from demine.envs.rewards import RewardFunction
    from demine.logic.rules import Rules

_ONE: Final = np.ones(1, np.bool_)


class MinesweeperEnv(gymnasium.Env[Any, Any]):
    """One game at a time, by exactly the rules of `demine.Game`.

    The observation is what the player sees, uint8 of `demine.Face`, `(height, width)`. The action
    is a cell to open, `row * width + col`; with `actions="all"` also one to flag, plus the number
    of cells, or to chord, plus twice that. `info["action_mask"]` says which actions are legal, int8
    of 0 and 1. An episode ends with a win or a loss; then `info["is_success"]` says which, and
    the observation shows the mines, as every scene does.

    `reward` is a name of `demine.envs.rewards.REWARDS`, or a function that takes an `ActionResult`.
    `invalid` is what becomes of an action that the rules refuse: "ignore" it, "penalize" it by -1,
    or "end" the episode with that reward. `render_mode` is "ansi", "rgb_array" or "human".

    Boards are dealt one after the other from the seed of the last seeded `reset`. With
    `reset(options={"mine_map": ...})`, a bool array, that layout is played instead of a dealt one.
    Raises `EnvSettingError` and `RulesError` for what cannot be played. Under guess-free rules
    `step` raises `NoGuessFreeBoard`, and plays nothing, if there is none from the first cell.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": ["ansi", "rgb_array", "human"],
        "render_fps": 4,
    }

    def __init__(
        self,
        rules: Rules | str = "beginner",
        *,
        actions: Actions = "open",
        reward: str | RewardFunction = "win_loss",
        invalid: Invalid = "ignore",
        render_mode: str | None = None,
    ) -> None:
        self._settings = EnvSettings.of(rules, actions, reward, invalid)
        self._renderer = Renderer.of(render_mode, self._settings.rules)
        self.render_mode = render_mode
        self.observation_space = self._settings.observation_space
        self.action_space = self._settings.action_space
        self._boards = self._settings.boards(1)
        self._action = np.zeros(1, np.int64)
        self._played = array("i")
        self._is_over = True
        self._is_seeded = False

    @property
    def rules(self) -> Rules:
        """The rules of its games."""
        return self._settings.rules

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin the next game, the first one of `seed` if that is given."""
        mine_map = self._checked_mine_map(options or {})
        super().reset(seed=seed)
        boards = self._boards
        if seed is not None or not self._is_seeded:
            boards.seed(slice(None), seed_of_boards(self._drawn_seed()))
            self._is_seeded = True
        boards.reset(_ONE)
        if mine_map is not None:
            boards.lay(0, mine_map)
        boards.ended[0] = False
        self._played = array("i")  # flags may come and go for ever
        self._is_over = False
        self._show()
        shown = boards.new_shown()
        boards.show(_ONE, shown)
        return shown.faces[0], {"action_mask": shown.masks[0]}

    def step(
        self, action: int | np.integer[Any]
    ) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Play an action; raises `ResetNeeded` if no game is under way.

        Raises `EnvSettingError` for an action that is no integer. An error of a reward function is
        raised after the action was played.
        """
        if self._is_over:
            raise ResetNeeded("the game is over: call reset")
        boards = self._boards
        try:
            self._action[0] = number = operator.index(action)
        except (TypeError, OverflowError):
            raise EnvSettingError(
                "{action} is not an action: actions are integers", action=quoted(action)
            ) from None
        shown = boards.new_shown()
        try:
            self._settings.play(boards, self._action, shown, resets=False)
        finally:
            # A reward function that raises comes after the action.
            if boards.outcomes[0] == PLAYED:
                self._played.append(number)
            self._is_over = bool(boards.ended[0])
        info: dict[str, Any] = {"action_mask": shown.masks[0]}
        if self._is_over:
            info["is_success"] = bool(boards.status[0] == WON)
        self._show()
        return shown.faces[0], float(boards.rewards[0]), self._is_over, False, info

    def sample_action(self) -> int:
        """Return a random legal action, all with the same chance; 0 where none is legal.

        The seed of `reset` decides them too. Raises `ResetNeeded` before the first `reset`.
        """
        if not self._is_seeded:
            raise ResetNeeded("there is no game yet: call reset")
        return int(self._boards.sample()[0])

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions the rules allow, bool `(actions,)`, as sb3-contrib asks for it."""
        shown = self._boards.new_shown()
        self._boards.show(_ONE, shown)
        masks: NDArray[np.bool_] = shown.masks[0].astype(np.bool_)
        return masks

    @property
    def game(self) -> Game:
        """The present episode as a `Game`, to be saved, watched or reviewed.

        Each act is a millisecond after the one before: an environment has no clock.
        """
        game = Game(self.rules, 0)
        mine_map = self._boards.mine_map(0)
        if mine_map is not None:
            game.lay(Lay(0, mine_map))
        for time, action in enumerate(self._played):
            verb, cell = divmod(action, self.rules.cells)
            row, col = divmod(cell, self.rules.width)
            game.play(Act(time if game.begun else 0, self._settings.verbs[verb], row, col))
        return game

    def render(self) -> Any:  # noqa: ANN401 - as Gymnasium has it
        """Return the board as text ("ansi") or picture ("rgb_array"); None for "human"."""
        if self._renderer is None:
            gymnasium.logger.warn("render() needs a render_mode, given when the env is made")
            return None
        return self._renderer.render(self._boards.faces[0])

    def close(self) -> None:
        """Close the window of "human"."""
        if self._renderer is not None:
            self._renderer.close()

    def _checked_mine_map(self, options: dict[str, Any]) -> NDArray[np.bool_] | None:
        unknown = options.keys() - {"mine_map"}
        if unknown:
            raise EnvSettingError(
                "{name} is not an option of reset: use mine_map", name=quoted(min(unknown))
            )
        return checked_mine_map(self.rules, options["mine_map"]) if options else None

    def _drawn_seed(self) -> int:
        """Return the seed of `np_random`, drawn where the user has put a generator of their own."""
        known = self.np_random_seed
        return known if known >= 0 else int(self.np_random.integers(1 << 62))

    def _show(self) -> None:
        if self.render_mode == "human" and self._renderer is not None:
            self._renderer.render(self._boards.faces[0])
