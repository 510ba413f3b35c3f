"""`TextMinesweeperEnv`: one game at a time, in text, as a Gymnasium environment."""

from __future__ import annotations

import string
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from demine.envs.env_settings import VERBS
from demine.envs.errors import EnvSettingError
from demine.envs.single_env import MinesweeperEnv
from demine.envs.text.answer import MOST_READ, AnswerError, TextAction, read_action
from demine.envs.text.prompt import numbered_board, usual_instructions
from demine.logic.errors import ActError, DemineError, quoted
from demine.logic.event import Act, Verb
from demine.scene.cell_faces import Face
from demine.scene.translation import explain, ntr, speaking, tr
from demine.solver.errors import NoGuessFreeBoard
from demine.solver.hint import join_sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.envs.env_settings import Actions, Invalid
    from demine.envs.rewards import RewardFunction
    from demine.game import Game
    from demine.logic.rules import Rules

    _Played = tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]

_REFUSED_ACTION: Final = -1
"""An action of the board that it refuses; answers that cannot be played become this one."""
_LONGEST_TOLD: Final = 2000
"""More characters than the sentences have that change from turn to turn."""
_RANGES: Final = ((0x2010, 0x2030), (0x3000, 0x3040), (0x4E00, 0xA000), (0xFF00, 0xFFF0))
_CHARACTERS: Final = frozenset(string.printable).union(
    *(map(chr, range(first, end)) for first, end in _RANGES)
)
"""The characters of the sentences, in English and Chinese."""


@dataclass(slots=True)
class TurnCounts:
    """What the answers of an episode came to."""

    turn: int = 0
    """How many answers there were."""
    unreadable: int = 0
    """How many of them had no action."""
    illegal: int = 0
    """How many had one that the rules refuse."""


class TextMinesweeperEnv(gymnasium.Env[str, str]):
    """One game at a time for a language model, by exactly the rules of `demine.Game`.

    An observation is text: the instructions, what the last answer did, and the board with its rows
    and columns numbered from 1. An action is the whole answer of a model, of which the last action
    counts (`read_action`). An answer without one, or with one that the rules refuse, takes a turn
    in which nothing changes, and the next observation says why; so does a first cell from which
    there is no guess-free board, where the rules ask for one. For the same seed, boards are those
    of `MinesweeperEnv`.

    `rules`, `actions`, `reward`, `invalid` and `render_mode` are those of `MinesweeperEnv`;
    `actions` is "all" here, and an answer without an action counts as one that the rules refuse.
    `language` is that of all sentences, such as "zh_CN". `instructions` replace the usual ones,
    with which an episode begins. After `max_turns` answers, by default two for each cell, it is
    truncated.

    `info` has `turn`, `unreadable` and `illegal`, the counts of the episode, and `action`, the text
    of the action that was read, or None; at the end also `is_success`. Raises `EnvSettingError`,
    `RulesError` and `LanguageError`.
    """

    metadata: dict[str, Any] = MinesweeperEnv.metadata

    def __init__(
        self,
        rules: Rules | str = "beginner",
        *,
        actions: Actions = "all",
        reward: str | RewardFunction = "win_loss",
        invalid: Invalid = "ignore",
        render_mode: str | None = None,
        language: str = "en",
        instructions: str | None = None,
        max_turns: int | None = None,
    ) -> None:
        self._board = MinesweeperEnv(
            rules, actions=actions, reward=reward, invalid=invalid, render_mode=render_mode
        )
        self.render_mode = render_mode
        self.max_turns = 2 * self.rules.cells if max_turns is None else max_turns
        """After how many answers an episode is truncated."""
        if self.max_turns < 1:
            raise EnvSettingError("{count} turns are too few", count=quoted(max_turns))
        self._verbs = VERBS[actions]
        self._language = language
        with speaking(language):
            usual = usual_instructions(self.rules, self._verbs)
        self.instructions = usual if instructions is None else instructions
        """The rules and how to answer, with which the first observation of an episode begins."""
        self._faces = np.full(self.rules.shape, Face.COVERED, np.uint8)
        self._counts = TurnCounts()
        self._is_over = True
        self._longest = len(self._observation()) + _LONGEST_TOLD

    # A space with all Chinese characters takes megabytes, which a server of many games has no use
    # for: it never asks.

    @cached_property
    def observation_space(self) -> spaces.Text:  # type: ignore[override]  # made when asked for
        """Texts of the characters that sentences are made of."""
        return spaces.Text(self._longest, charset=_CHARACTERS.union(self.instructions))

    @cached_property
    def action_space(self) -> spaces.Text:  # type: ignore[override]  # made when asked for
        """Texts of these characters, as long as answers are read; others are answers too."""
        return spaces.Text(MOST_READ, charset=_CHARACTERS.union(self.instructions))

    @property
    def rules(self) -> Rules:
        """The rules of its games."""
        return self._board.rules

    @property
    def game(self) -> Game:
        """The present episode as a `Game`, to be saved, watched or reviewed."""
        return self._board.game

    @property
    def faces(self) -> NDArray[np.uint8]:
        """The board that the observation shows, uint8 of `Face`, `(height, width)`."""
        return self._faces.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin the next game, the first one of `seed` if that is given."""
        super().reset(seed=seed)
        self._faces, _ = self._board.reset(seed=seed, options=options)
        self._counts = TurnCounts()
        self._is_over = False
        return self._observation(), self._info(None)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the last action of an answer; raises `ResetNeeded` if no game is under way."""
        if self._is_over:
            raise ResetNeeded("the game is over: call reset")
        if not isinstance(action, str):
            raise EnvSettingError("an answer is text, not {value}", value=quoted(action))
        self._counts.turn += 1
        before = self._faces
        read, refusal, played = self._play(action)
        self._faces, reward, ended, _, board_info = played
        truncated = not ended and self._counts.turn >= self.max_turns
        self._is_over = ended or truncated
        info = self._info(read)
        with speaking(self._language):
            told = self._outcome(read, refusal, before)
            if self._is_over:
                info["is_success"] = bool(board_info.get("is_success"))
                end = _end_sentence(
                    won=info["is_success"], truncated=truncated, refused=refusal is not None
                )
                told = join_sentences([told, end])
        return self._observation(told), reward, ended, truncated, info

    def render(self) -> Any:  # noqa: ANN401 - as Gymnasium has it
        """Return the board as text ("ansi") or picture ("rgb_array"); None for "human"."""
        return self._board.render()

    def close(self) -> None:
        """Close the window of "human"."""
        self._board.close()

    def _play(self, answer: str) -> tuple[TextAction | None, DemineError | None, _Played]:
        """Return the action of an answer, why it cannot be played, and what the board returns."""
        read: TextAction | None = None
        refusal: DemineError
        try:
            read = read_action(answer)
            self._check(read)
            return read, None, self._board.step(self._number(read))
        except AnswerError as error:
            self._counts.unreadable += 1
            refusal = error
        except (ActError, NoGuessFreeBoard) as error:
            self._counts.illegal += 1
            refusal = error
        return read, refusal, self._board.step(_REFUSED_ACTION)

    def _check(self, read: TextAction) -> None:
        """Raise `ActError` with the reason if the rules refuse an action."""
        if read.verb not in self._verbs:
            raise ActError("in this game cells are only opened")
        height, width = self.rules.shape
        is_inside = read.row in range(height) and read.col in range(width)
        if not is_inside or not self._board.action_masks()[self._number(read)]:
            self.game.check(Act(self._counts.turn, *read))
            raise ActError("the rules do not allow it now")

    def _number(self, read: TextAction) -> int:
        """Return an action as the number that the board takes."""
        first = self._verbs.index(read.verb) * self.rules.cells
        return first + read.row * self.rules.width + read.col

    def _info(self, read: TextAction | None) -> dict[str, Any]:
        return {**asdict(self._counts), "action": None if read is None else str(read)}

    def _observation(self, told: str = "") -> str:
        """Return the text that is seen, after what the last answer did."""
        with speaking(self._language):
            parts = (
                "" if self._counts.turn else self.instructions,
                told,
                numbered_board(self._faces),
                "" if self._is_over else self._progress(),
            )
        return "\n\n".join(filter(None, parts))

    def _progress(self) -> str:
        """Return how far the game is, as sentences."""
        marked = int(np.isin(self._faces, (Face.FLAG, Face.BLOWN)).sum())
        progress = tr(
            "Turn {turn} of {most}. Mines without a flag: {left}.",
            turn=self._counts.turn + 1,
            most=self.max_turns,
            left=self.rules.mines - marked,
        )
        lives = self.rules.lives
        if lives == 1:
            return progress
        left = lives - _count(self._faces == Face.BLOWN)
        return join_sentences([progress, tr("Lives left: {lives}.", lives=left)])

    def _outcome(
        self, read: TextAction | None, refusal: DemineError | None, before: NDArray[np.uint8]
    ) -> str:
        """Return what an answer did to the board `before`, as a sentence."""
        if refusal is not None:
            why = explain(refusal)
            if read is None:
                return tr("Your answer was not understood: {reason}.", reason=why)
            return tr("{action} cannot be played: {reason}.", action=read, reason=why)
        if read is not None and read.verb is Verb.FLAG:
            is_set = self._faces[read.row, read.col] == Face.FLAG
            return tr("{action}: flag set." if is_set else "{action}: flag removed.", action=read)
        blown = _count(self._faces == Face.BLOWN) - _count(before == Face.BLOWN)
        if blown:
            return ntr("{action}: a mine.", "{action}: {n} mines.", blown, action=read)
        opened = _count(self._faces <= Face.EIGHT) - _count(before <= Face.EIGHT)
        return ntr("{action}: {n} cell opened.", "{action}: {n} cells opened.", opened, action=read)


def _count(cells: NDArray[np.bool_]) -> int:
    return int(cells.sum())


def _end_sentence(*, won: bool, truncated: bool, refused: bool) -> str:
    """Return how an episode ended."""
    if won:
        return tr("You have won.")
    if truncated:
        return tr("That was the last turn.")
    return tr("The game ends with it.") if refused else tr("You have lost.")
