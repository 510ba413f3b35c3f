"""What the hand begins and lets go: previews, chords, slides, cancels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from demine.logic.event import Verb
from demine.scene.cell_highlights import Look
from demine.scene.face_mood import FaceMood
from tests.classic.desk import Kind, Table, chordable, mines_around, remaining
from tests.hand import wait_for

Sit = Callable[..., Table]


def pressed(table: Table) -> set[tuple[int, int]]:
    """The cells that look held down."""
    return {(int(row), int(col)) for row, col in np.argwhere(table.board()[1] == Look.PRESSED)}


def test_a_held_cell_sinks_and_the_face_worries(sit: Sit) -> None:
    table = sit()
    table.hand.point(*table.middle(3, 3))
    table.hand.press(1)
    wait_for(lambda: pressed(table) == {(3, 3)}, "the pressed cell")
    table.feels(FaceMood.WORRIED)
    table.hand.point(*table.middle(4, 5))
    wait_for(lambda: pressed(table) == {(4, 5)}, "the preview that follows")
    table.hand.release(1)
    table.follow(Verb.OPEN, 4, 5)
    table.feels(FaceMood.IDLE)


def test_a_right_click_on_the_face_begins_the_next_level(sit: Sit) -> None:
    table = sit()
    face = table.layout.face
    size = table.hand.size()
    table.hand.click(face.x + face.width // 2, face.y + face.height // 2, 3)
    wait_for(lambda: table.hand.size() > size, "the window of an intermediate board")


def test_leaving_the_board_cancels(sit: Sit) -> None:
    table = sit()
    table.hand.point(*table.middle(3, 3))
    table.hand.press(1)
    wait_for(lambda: pressed(table) == {(3, 3)}, "the pressed cell")
    table.hand.point(2, table.hand.size()[1] - 2)
    wait_for(lambda: not pressed(table), "no preview")
    table.hand.release(1)
    wait_for(lambda: table.mood() is FaceMood.IDLE, "an idle face")
    table.expect()


@pytest.mark.parametrize("buttons", [(1,), (2,), (1, 3)])
def test_escape_cancels(sit: Sit, buttons: tuple[int, ...]) -> None:
    table = sit()
    table.open(4, 4)
    row, col = chordable(table.game)
    for mine in mines_around(table.game, row, col):
        table.flag(*mine)
    at = remaining(table.game)[0] if buttons == (1,) else (row, col)
    table.hand.point(*table.middle(*at))
    for button in buttons:
        table.hand.press(button)
    wait_for(lambda: pressed(table), "a preview")
    table.hand.key("escape")
    wait_for(lambda: not pressed(table), "no preview")
    for button in buttons:
        table.hand.release(button)
    table.expect()
    table.open(*remaining(table.game)[0])  # the hand is free again


def test_losing_the_keyboard_cancels(sit: Sit) -> None:
    table = sit()
    table.hand.point(*table.middle(3, 3))
    table.hand.press(1)
    wait_for(lambda: pressed(table) == {(3, 3)}, "the pressed cell")
    table.hand.unfocus()
    wait_for(lambda: not pressed(table), "no preview")
    table.hand.release(1)
    table.expect()


def test_a_chord_shows_its_cells_and_needs_its_flags(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    row, col = chordable(table.game)
    block = table.game.board.open_map[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
    around = {(max(0, row - 1) + int(r), max(0, col - 1) + int(c)) for r, c in np.argwhere(~block)}
    table.hand.point(*table.middle(row, col))
    table.hand.press(2)
    wait_for(lambda: pressed(table) == around, "the preview of the chord")
    table.feels(FaceMood.WORRIED)
    table.hand.release(2)
    wait_for(lambda: not pressed(table), "no preview")
    table.expect()


@pytest.mark.parametrize("way", ["middle", "shift", "left first", "right first"])
def test_every_way_to_chord(sit: Sit, way: str) -> None:
    table = sit()
    table.open(4, 4)
    row, col = chordable(table.game)
    for mine in mines_around(table.game, row, col):
        table.flag(*mine)
    hand, spot = table.hand, table.middle(row, col)
    if way == "middle":
        hand.click(*spot, 2)
    elif way == "shift":
        with hand.holding("shift"):
            hand.click(*spot)
    else:
        hand.point(*spot)
        order = (1, 3) if way == "left first" else (3, 1)
        for button in order:
            hand.press(button)
        for button in order:
            hand.release(button)
    table.follow(Verb.CHORD, row, col)


def test_right_held_slides_to_a_number_and_left_taps(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    row, col = chordable(table.game)
    *others, last = mines_around(table.game, row, col)
    for mine in others:
        table.flag(*mine)
    table.hand.point(*table.middle(*last))
    table.hand.press(3)
    table.follow(Verb.FLAG, *last)
    table.hand.point(*table.middle(row, col))
    table.hand.press(1)
    table.hand.release(1)
    table.follow(Verb.CHORD, row, col)
    table.hand.release(3)
    table.expect()


def test_a_one_button_mouse_flags_with_control(sit: Sit) -> None:
    table = sit()
    with table.hand.holding("ctrl"):
        table.hand.click(*table.middle(2, 2))
    table.follow(Verb.FLAG, 2, 2)
    table.hand.click(*table.middle(2, 2))  # a flagged cell does not open
    table.flag(0, 0)
    table.counts("008")


def test_numbers_tell_whether_their_flags_are_set(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    row, col = chordable(table.game)
    mines = mines_around(table.game, row, col)
    for mine in mines:
        table.flag(*mine)
    assert table.board()[1][row, col] == Look.DIM
    too_many = next(
        cell
        for cell in remaining(table.game)
        if abs(cell[0] - row) <= 1 and abs(cell[1] - col) <= 1
    )
    table.flag(*too_many)
    assert table.board()[1][row, col] == Look.CROWDED


def test_the_counter_goes_below_zero(sit: Sit) -> None:
    kind = Kind("4x4/1", 1)
    table = sit(*kind.options, game=kind.game())
    table.flag(0, 0)
    table.flag(0, 1)
    table.flag(0, 2)
    table.counts("-02")
