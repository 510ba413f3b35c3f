"""What is chosen when an environment is made, the same for one board and for many."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np
from gymnasium import spaces

from demine.envs.action_result import ActionResult
from demine.envs.board_batch import BitBoards, BoardBatch, RewardWeights
from demine.envs.errors import EnvSettingError
from demine.envs.game_boards import GameBoards
from demine.envs.kernels import LOST, MOST_COLUMNS, PLAYED, WON
from demine.envs.rewards import reward_of
from demine.logic.errors import quoted
from demine.logic.event import Verb
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.solver.deal.guess_free import check_board_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.envs.board_batch import Shown
    from demine.envs.rewards import Reward, RewardFunction

Actions: TypeAlias = Literal["open", "all"]
Invalid: TypeAlias = Literal["ignore", "penalize", "end"]
VERBS: Final[dict[str, tuple[Verb, ...]]] = {
    "open": (Verb.OPEN,),
    "all": (Verb.OPEN, Verb.FLAG, Verb.CHORD),
}
"""The verbs of an action space: action `i * cells + cell` is verb `i` on a cell."""
PENALTY: Final = -1.0
"""The reward of an action that the rules refuse, unless these are ignored."""
MOST_THREADS: Final = 256
"""The most threads for the boards of one environment."""
MOST_BYTES: Final = 2 << 30
"""The most memory for the boards of one environment, and what they show: two gibibytes."""


@dataclass(frozen=True, slots=True)
class EnvSettings:
    """The settings of an environment, checked."""

    rules: Rules
    verbs: tuple[Verb, ...]
    reward: Reward
    invalid: Invalid

    @classmethod
    def of(
        cls, rules: Rules | str, actions: str, reward: str | RewardFunction, invalid: str
    ) -> EnvSettings:
        """Return the settings that arguments give; raises `EnvSettingError` and `RulesError`."""
        if actions not in VERBS:
            raise _no_choice("actions", actions, tuple(VERBS))
        if invalid not in get_args(Invalid):
            raise _no_choice("invalid", invalid, get_args(Invalid))
        verbs, rules = VERBS[actions], Rules.of(rules)
        if rules.guess_free:
            check_board_size(rules)
        return cls(
            rules,
            verbs,
            reward_of(reward, opens_only=len(verbs) == 1),
            invalid,  # type: ignore[arg-type]  # it is one of them
        )

    def checked_count(self, count: SupportsIndex) -> int:
        """Return a number of boards as a plain integer.

        Raises `EnvSettingError` for less than one, and for more than memory may be taken for.
        """
        boards, kind = operator.index(count), self._kind_of_boards
        if boards < 1:
            raise EnvSettingError("{count} boards are too few", count=quoted(boards))
        # Spaces have four bounds a cell; faces and masks are held, and returned as copies.
        of_cell = 4 + 2 * (1 + len(self.verbs)) + kind.bytes_of_cell
        most = MOST_BYTES // (self.rules.cells * of_cell + kind.bytes_of_board)
        if boards > most:
            raise EnvSettingError(
                "{count} boards of {rules} do not fit into memory: {most} at most",
                count=quoted(boards),
                rules=self.rules,
                most=most,
            )
        return boards

    @property
    def observation_space(self) -> spaces.Box:
        """What the player of one board sees: uint8 of `Face`, `(height, width)`."""
        return spaces.Box(0, int(max(Face)), self.rules.shape, np.uint8)

    @property
    def action_space(self) -> spaces.Discrete:
        """The actions on one board."""
        return spaces.Discrete(len(self.verbs) * self.rules.cells)

    def boards(self, count: int, threads: SupportsIndex = 1) -> BoardBatch:
        """Return boards that are played with these settings, on so many threads if kernels do it.

        Raises `EnvSettingError` for a number of threads that cannot be.
        """
        threads = operator.index(threads)
        if not 1 <= threads <= MOST_THREADS:
            raise EnvSettingError(
                "an environment has 1 to {most} threads, not {count}",
                count=quoted(threads),
                most=MOST_THREADS,
            )
        reward = self.reward
        weights = RewardWeights(
            reward.win,
            reward.loss,
            reward.share_opened / max(1, self.rules.safe_cells),
            0.0 if self.invalid == "ignore" else PENALTY,
        )
        verbs, ends = len(self.verbs), self.invalid == "end"
        if self._kind_of_boards is GameBoards:
            return GameBoards(self.rules, count, verbs, weights, invalid_ends=ends)
        return BitBoards(self.rules, count, verbs, weights, invalid_ends=ends, threads=threads)

    @property
    def _kind_of_boards(self) -> type[BitBoards | GameBoards]:
        return BitBoards if self.rules.width <= MOST_COLUMNS else GameBoards

    def play(
        self, boards: BoardBatch, actions: NDArray[np.int64], shown: Shown, *, resets: bool
    ) -> None:
        """Play an action on each board, and write what it shows then.

        `boards.rewards` and `boards.ended` say what came of it.
        With `resets`, a board whose game was over begins the next one instead, for no reward.
        """
        function = self.reward.function
        if function is None:
            boards.play(actions, shown, resets=resets)
            return
        seen, laid = boards.faces.copy(), boards.are_laid.copy()
        boards.play(actions, shown, resets=resets)
        played = boards.outcomes == PLAYED
        won, lost = played & (boards.status == WON), played & (boards.status == LOST)
        opened, chosen = boards.opened.copy(), actions.copy()
        result = ActionResult(self.rules, chosen, seen, laid, opened, ~played, won, lost)
        boards.rewards[played] = _checked_rewards(function(result), actions.size)[played]


def seed_of_boards(seed: int | None) -> np.uint64:
    """Return the seed of 64 bits from which boards are dealt after a `reset`, random for None."""
    return np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


def _checked_rewards(answer: object, count: int) -> NDArray[np.float64]:
    try:
        rewards = np.asarray(answer, np.float64)
    except (TypeError, ValueError):
        rewards = None
    if rewards is None or rewards.shape != (count,):
        raise EnvSettingError(
            "a reward function returns a number for each of {count} boards, not {answer}",
            count=count,
            answer=quoted(answer),
        )
    return rewards


def _no_choice(name: str, value: Any, choices: tuple[str, ...]) -> EnvSettingError:  # noqa: ANN401
    return EnvSettingError(
        "{value} is not valid for {name}: use {choices}",
        value=quoted(value),
        name=name,
        choices=", ".join(choices),
    )
