"""What a player did last."""

from __future__ import annotations

import numpy as np

from demine.game import Game
from demine.logic.event import Act, Lay, Verb
from demine.logic.rules import Rules
from demine.play.position_before_last_move import last_opening_move


def test_the_last_move_of_a_chord_is_all_it_asked_for() -> None:
    game = Game(Rules(3, 3, 1, first="any"), 0)
    game.lay(Lay(0, np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], np.bool_)))
    assert last_opening_move(game.rules, game.events)[1] == ()
    game.play(Act(0, Verb.OPEN, 1, 1))
    game.play(Act(1, Verb.FLAG, 0, 1))  # the wrong one
    game.play(Act(2, Verb.CHORD, 1, 1))
    before, cells = last_opening_move(game.rules, game.events)
    assert before.opened == 1
    assert cells == ((0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))
