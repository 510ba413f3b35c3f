"""A chord on an open zero: by the mouse's buttons, by the left one alone, and by keys."""

from __future__ import annotations

import numpy as np
import pytest

from demine.logic.event import Verb
from demine.scene.key_bindings import Command
from demine.scene.keyboard_cursor import intended_act
from demine.scene.mouse_automaton import Button, Cell, Faces, Mouse, MouseOptions

# The flag that cut this opening was taken off; the cell that it kept covered is still so.
UNCUT: Faces = np.array([[0, 9, 0], [0, 0, 0], [9, 10, 0]], dtype=np.uint8)


def test_a_zero_chords_where_its_neighbour_was_kept_covered() -> None:
    mouse = Mouse()
    mouse.press(Button.MIDDLE, (0, 0), UNCUT)
    assert pressed(mouse) == ((0, 1),)
    assert mouse.release(Button.MIDDLE, (0, 0), UNCUT) == [(Verb.CHORD, 0, 0)]


def test_a_zero_with_a_flag_around_it_has_nothing_to_chord() -> None:
    mouse = Mouse()
    mouse.press(Button.MIDDLE, (1, 0), UNCUT)
    assert mouse.release(Button.MIDDLE, (1, 0), UNCUT) == []


def test_left_alone_chords_on_such_a_zero_where_the_player_wants_it() -> None:
    mouse = Mouse(MouseOptions(left_chords=True))
    mouse.press(Button.LEFT, (0, 2), UNCUT)
    assert pressed(mouse) == ((0, 1),)
    assert mouse.release(Button.LEFT, (0, 2), UNCUT) == [(Verb.CHORD, 0, 2)]
    mouse.press(Button.LEFT, (2, 2), UNCUT)
    assert pressed(mouse) == ()
    assert mouse.release(Button.LEFT, (2, 2), UNCUT) == []


def pressed(mouse: Mouse) -> tuple[Cell, ...]:
    """A call, so that the type checker does not take the preview for a constant."""
    return mouse.pressed


@pytest.mark.parametrize("command", [Command.ACT, Command.HOVER_ACT, Command.CHORD])
def test_keys_chord_on_such_a_zero(command: Command) -> None:
    assert intended_act(UNCUT, (0, 0), command) == (Verb.CHORD, 0, 0)
    assert intended_act(UNCUT, (1, 0), command) is None  # its flag makes it one too many
