"""What the solver's process is asked about drills by a server, which must not compute itself."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from demine.play.drills.drill import Drill, DrillKind
from demine.play.drills.find import find_drills
from demine.play.drills.made_games import daily_drill, drills_of_made_game, is_made, made_drill
from demine.play.drills.question import DrillQuestion
from demine.scene.board_turn import turns_of

if TYPE_CHECKING:
    from datetime import date

    from demine.game import Game
    from demine.logic.rules import Rules
    from demine.store.drills import DrillKey


def keys_of_game(_rules: Rules, game: Game, game_id: str) -> tuple[DrillKey, ...]:
    """Return the drills of a game; `game_id` is the id that they carry."""
    return tuple(drill.key for drill in find_drills(game, game_id))


@lru_cache(maxsize=64)  # after midnight everybody's sets are filled up with the same boards
def keys_of_made_game(rules: Rules, seed: int) -> tuple[DrillKey, ...]:
    """Return the drills of a game that is made of rules and a seed."""
    return tuple(drill.key for drill in drills_of_made_game(rules, seed))


@lru_cache(maxsize=4)
def key_of_day(_rules: Rules, day: date) -> DrillKey:
    """Return the drill of a day."""
    return daily_drill(day).key


def solved_question(
    _rules: Rules, game: Game | None, key: DrillKey, turn_number: int
) -> DrillQuestion:
    """Return the question of a drill with everything computed that its answer needs.

    `game` is None for a made game. `turn_number` chooses one of the turns that the board has, in a
    circle. Raises a `DemineError` or `ValueError` if the drill cannot be asked.
    """
    if is_made(key.game):
        game = made_drill(key.game, key.act, DrillKind(key.kind)).game
    if game is None:
        raise ValueError(key.game)
    turns = turns_of(game.rules.shape)
    question = DrillQuestion(Drill.of(key, game), turns[turn_number % len(turns)])
    _ = question.solution, question.faded  # they are kept, and travel with the question
    return question
