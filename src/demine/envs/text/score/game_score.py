"""One game of a model, played and judged by the exact solver."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from demine.envs.text.score.models import ModelError, NoAnswer, Turn
from demine.reviews.review import review
from demine.reviews.review_result import JUDGED, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.envs.text.score.models import Model
    from demine.envs.text.text_env import TextMinesweeperEnv
    from demine.game import Game

MOST_SILENT: Final = 3
"""After so many turns without any answer, one after the other, a model is given up."""
_LONGEST_NOTED: Final = 4000


@dataclass(slots=True)
class GameScore:
    """What came of one game."""

    seed: int
    """The board is the first one of this seed."""
    won: bool = False
    turns: int = 0
    unreadable: int = 0
    illegal: int = 0
    silent: int = 0
    """Turns in which the model gave no answer in time; they count as unreadable too."""
    openings: int = 0
    """Acts that opened cells and could be judged: all but the first."""
    forced: int = 0
    """Guesses where nothing was certain and no cell had clearly less risk."""
    avoidable: int = 0
    """Risks taken although another cell was certainly safe."""
    blunders: int = 0
    """Risks taken although another cell had clearly less."""
    certain_mines: int = 0
    """Openings of what was certainly a mine."""
    risk: float = 0.0
    """The sum of the chances of a mine in all these openings."""
    least_risk: float = 0.0
    """The same with the least risky cell in each position."""

    @classmethod
    def of_dict(cls, values: dict[str, Any]) -> GameScore:
        """Return the score of plain values; raises TypeError and ValueError for others."""
        kinds = {field.name: type(getattr(cls(0), field.name)) for field in fields(cls)}
        if any(type(values[name]) is not kind for name, kind in kinds.items() if name in values):
            raise ValueError("a field has another type")
        return cls(**values)


def play_game(
    env: TextMinesweeperEnv,
    model: Model,
    number: int,
    seed: int,
    on_turn: Callable[[int], object],
) -> tuple[GameScore, str]:
    """Have a model play the first board of a seed; return the score and the conversation.

    Raises `ModelError` if the model is silent too often, and what its `answer` raises.
    """
    text, info = env.reset(seed=seed)
    text = text.removeprefix(env.instructions)
    score, said = GameScore(seed), [env.instructions, text]
    silent, over = 0, False
    while not over:
        on_turn(info["turn"] + 1)
        asked = f"{env.instructions}\n\n{text.strip()}"
        try:
            answer = model.answer(Turn(number, info["turn"] + 1, asked, env.faces, env.rules))
            silent = 0
        except NoAnswer as error:
            silent, answer = silent + 1, ""
            score.silent += 1
            if silent == MOST_SILENT:
                raise ModelError("{count} times: {reason}", count=silent, reason=error) from error
        text, _, ended, truncated, info = env.step(answer)
        said += [f"> {answer[-_LONGEST_NOTED:]}", text]
        over = ended or truncated
    score.won, score.turns = info["is_success"], info["turn"]
    score.unreadable, score.illegal = info["unreadable"], info["illegal"]
    _judge(env.game, score)
    return score, "\n\n".join(said) + "\n"


def _judge(game: Game, score: GameScore) -> None:
    """Add what the review of a game says of its openings."""
    if not game.begun:
        return
    for act in review(game, why=False).acts:
        if act.verdict not in JUDGED or act.chance is None or act.lowest is None:
            continue
        score.openings += 1
        score.risk += act.chance
        score.least_risk += act.lowest
        score.forced += act.verdict is Verdict.FORCED
        score.avoidable += act.verdict is Verdict.AVOIDABLE
        score.blunders += act.verdict is Verdict.BLUNDER
        score.certain_mines += act.verdict is Verdict.CERTAIN_MINE
