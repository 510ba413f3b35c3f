"""The number of clicks of a game, however they were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.logic.event import Act, Lay, Touch, Verb
from demine.logic.game import BaseGame
from demine.logic.rules import Rules
from demine.scene.click_counter import ClickCounter
from demine.scene.mouse_automaton import Button, Mouse
from demine.scene.sight import sight

if TYPE_CHECKING:
    from demine.logic.event import Action
    from demine.scene.mouse_automaton import Cell

RULES = Rules.parse("5x4/2")
MINE = 0, 2
NUMBER = 1, 2
"""Shows a 1, beside the last safe cell, once the corner has been opened."""
BESIDE: Final = 9, 9


class Hand:
    """Plays a game with a mouse and keys as the windows do, and counts as it goes on."""

    def __init__(self) -> None:
        self.game, self.mouse = BaseGame(RULES, 1), Mouse()
        self.clicks = ClickCounter(self.game)
        mines = np.zeros(RULES.shape, np.bool_)
        mines[MINE] = mines[0, 4] = True
        self.game.lay(Lay(0, mines))

    def touch(self, button: str, action: Action, cell: Cell) -> None:
        """A button moves over a cell."""
        touch = Touch(0, button, action, cell[1] * 16 + 3, cell[0] * 16 + 9)
        faces = sight(self.game)
        if not self.game.status.over:
            self.game.touch(touch)
            self.clicks.count_new_events()
        for verb, row, col in self.mouse.replay_touch(touch, faces):
            self.key(verb, (row, col))

    def key(self, verb: Verb, cell: Cell) -> None:
        """An act on a cell, if the rules allow it."""
        act = Act(0, verb, *cell)
        if self.game.can(act):
            self.game.play(act)
            self.clicks.count_new_events()

    def click(self, button: Button, cell: Cell) -> None:
        """Press and release."""
        self.touch(button, "press", cell)
        self.touch("", "move", cell)
        self.touch(button, "release", cell)


def started() -> Hand:
    hand = Hand()
    hand.click(Button.LEFT, (3, 0))
    assert hand.clicks.count == 1
    assert hand.game.board.open_map[NUMBER]
    return hand


def test_an_act_of_the_mouse_is_the_click_that_asked_for_it() -> None:
    hand = started()
    hand.click(Button.RIGHT, MINE)
    hand.click(Button.MIDDLE, NUMBER)
    assert hand.game.board.won
    assert hand.clicks.count == 3


def test_wasted_clicks_count_and_clicks_beside_the_board_do_not_become_acts() -> None:
    hand = started()
    hand.click(Button.LEFT, NUMBER)
    hand.click(Button.RIGHT, NUMBER)
    hand.click(Button.LEFT, BESIDE)
    assert hand.clicks.count == 4


def test_a_chord_of_two_buttons_is_one_click() -> None:
    hand = started()
    hand.touch(Button.RIGHT, "press", NUMBER)
    hand.touch(Button.LEFT, "press", NUMBER)
    hand.touch(Button.LEFT, "release", NUMBER)
    hand.touch(Button.RIGHT, "release", NUMBER)
    assert hand.clicks.count == 2


def test_an_act_of_the_keyboard_is_one_click() -> None:
    hand = Hand()
    hand.key(Verb.OPEN, (3, 0))
    hand.key(Verb.FLAG, MINE)
    hand.key(Verb.CHORD, NUMBER)
    assert hand.game.board.won
    assert hand.clicks.count == 3


def test_a_key_after_a_click_elsewhere_is_another_click() -> None:
    hand = started()
    hand.click(Button.LEFT, NUMBER)
    hand.key(Verb.FLAG, MINE)
    assert hand.clicks.count == 3


def test_what_is_no_click_is_none() -> None:
    hand = started()
    for verb in (Verb.PAUSE, Verb.RESUME, Verb.UNDO):
        hand.game.play(Act(0, verb))
    assert hand.clicks.count == 1


CELLS = st.tuples(st.integers(-1, 4), st.integers(-1, 5))
TOUCHES = st.tuples(st.sampled_from(Button), st.sampled_from(["press", "release", "move"]), CELLS)
KEYS = st.tuples(st.sampled_from([Verb.OPEN, Verb.FLAG, Verb.CHORD, Verb.UNDO]), CELLS)


@settings(deadline=None)
@given(st.lists(TOUCHES | KEYS, max_size=40))
def test_counted_as_it_goes_on_or_from_the_journal_it_is_the_same(
    acts: list[tuple[Button, Action, Cell] | tuple[Verb, Cell]],
) -> None:
    hand = Hand()
    for act in acts:
        if hand.game.status.over:
            break
        if len(act) == 3:
            button, action, cell = act
            hand.touch("" if action == "move" else button, action, cell)
        else:
            verb, cell = act
            hand.key(verb, (-1, -1) if verb is Verb.UNDO else cell)
    done = [each for each in hand.game.events if isinstance(each, Act)]
    assert ClickCounter(hand.game).count == hand.clicks.count
    assert hand.clicks.count >= sum(act.verb is not Verb.UNDO for act in done)
