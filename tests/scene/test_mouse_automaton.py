"""The button automaton, held to the field's table cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.event import Action, Touch, Verb
from demine.scene.cell_faces import Face
from demine.scene.mouse_automaton import (
    Button,
    Cell,
    ClickTally,
    Faces,
    Intention,
    Mouse,
    MouseOptions,
    Signal,
    State,
    next_state,
)

LEFT, MIDDLE, RIGHT = Button.LEFT, Button.MIDDLE, Button.RIGHT
UU, UD, UDN, DU = State.UU, State.UD, State.UDN, State.DU
CH, CHN, DUA = State.CH, State.CHN, State.DUA

# A board of every face a running game shows:
#   # F ?
#   # 2 0
#   # # #
BOARD: Faces = np.array([[9, 10, 11], [9, 2, 0], [9, 9, 9]], dtype=np.uint8)
COVERED, FLAG, QUESTION, NUMBER, ZERO = (0, 0), (0, 1), (0, 2), (1, 1), (1, 2)
BLOCK = ((0, 0), (0, 2), (1, 0), (2, 0), (2, 1), (2, 2))

# How to reach each state by the hand alone, asking for nothing but a flag on the way.
WAYS: dict[State, list[tuple[str, Button, Cell]]] = {
    UU: [],
    UD: [("press", RIGHT, COVERED)],
    UDN: [("press", RIGHT, NUMBER)],
    DU: [("press", LEFT, NUMBER)],
    CH: [("press", LEFT, NUMBER), ("press", RIGHT, NUMBER)],
    CHN: [("press", RIGHT, NUMBER), ("press", LEFT, NUMBER)],
    DUA: [("press", LEFT, NUMBER), ("press", RIGHT, NUMBER), ("release", RIGHT, ZERO)],
}

# The table, spelt out: (state, movement, where) -> state, verb, change of left, right, double.
Line = tuple[State, str, Button, Cell | None, State, Verb | None, tuple[int, int, int]]
TABLE: list[Line] = [
    (UU, "press", LEFT, COVERED, DU, None, (0, 0, 0)),
    (UU, "press", LEFT, None, DU, None, (0, 0, 0)),
    (UU, "press", RIGHT, COVERED, UD, Verb.FLAG, (0, 1, 0)),
    (UU, "press", RIGHT, FLAG, UD, Verb.FLAG, (0, 1, 0)),
    (UU, "press", RIGHT, QUESTION, UD, Verb.FLAG, (0, 1, 0)),
    (UU, "press", RIGHT, NUMBER, UDN, None, (0, 1, 0)),
    (UU, "press", RIGHT, ZERO, UDN, None, (0, 1, 0)),
    (UU, "press", RIGHT, None, UDN, None, (0, 1, 0)),
    (UU, "release", LEFT, COVERED, UU, None, (0, 0, 0)),
    (UU, "release", RIGHT, COVERED, UU, None, (0, 0, 0)),
    (DU, "press", LEFT, COVERED, DU, None, (0, 0, 0)),
    (DU, "release", LEFT, COVERED, UU, Verb.OPEN, (1, 0, 0)),
    (DU, "release", LEFT, QUESTION, UU, Verb.OPEN, (1, 0, 0)),
    (DU, "release", LEFT, FLAG, UU, None, (1, 0, 0)),
    (DU, "release", LEFT, NUMBER, UU, None, (1, 0, 0)),
    (DU, "release", LEFT, ZERO, UU, None, (1, 0, 0)),
    (DU, "release", LEFT, None, UU, None, (1, 0, 0)),
    (DU, "press", RIGHT, COVERED, CH, None, (0, 0, 0)),
    (DU, "press", RIGHT, None, CH, None, (0, 0, 0)),
    (DU, "release", RIGHT, COVERED, DU, None, (0, 0, 0)),
    (UD, "press", LEFT, COVERED, CH, None, (0, 0, 0)),
    (UD, "press", LEFT, None, CH, None, (0, 0, 0)),
    (UD, "release", LEFT, COVERED, UD, None, (0, 0, 0)),
    (UD, "press", RIGHT, COVERED, UD, None, (0, 0, 0)),
    (UD, "release", RIGHT, COVERED, UU, None, (0, 0, 0)),
    (UD, "release", RIGHT, None, UU, None, (0, 0, 0)),
    (UDN, "press", LEFT, NUMBER, CHN, None, (0, 0, 0)),
    (UDN, "release", LEFT, COVERED, UDN, None, (0, 0, 0)),
    (UDN, "press", RIGHT, COVERED, UDN, None, (0, 0, 0)),
    (UDN, "release", RIGHT, COVERED, UU, None, (0, 0, 0)),
    (CH, "release", LEFT, NUMBER, UD, Verb.CHORD, (0, 0, 1)),
    (CH, "release", LEFT, COVERED, UD, None, (0, 0, 1)),
    (CH, "release", LEFT, ZERO, UD, None, (0, 0, 1)),
    (CH, "release", LEFT, None, UD, None, (0, 0, 0)),
    (CH, "release", RIGHT, NUMBER, DUA, Verb.CHORD, (0, 0, 1)),
    (CH, "release", RIGHT, None, DUA, None, (0, 0, 0)),
    (CH, "press", LEFT, NUMBER, CH, None, (0, 0, 0)),
    (CH, "press", RIGHT, COVERED, CH, None, (0, 0, 0)),
    (CHN, "release", LEFT, NUMBER, UD, Verb.CHORD, (0, -1, 1)),
    (CHN, "release", LEFT, None, UD, None, (0, -1, 0)),
    (CHN, "release", RIGHT, NUMBER, DUA, Verb.CHORD, (0, -1, 1)),
    (CHN, "release", RIGHT, None, DUA, None, (0, -1, 0)),
    (CHN, "press", LEFT, NUMBER, CHN, None, (0, 0, 0)),
    (CHN, "press", RIGHT, NUMBER, CHN, None, (0, 0, 0)),
    (DUA, "release", LEFT, COVERED, UU, None, (0, 0, 0)),
    (DUA, "press", RIGHT, COVERED, CH, None, (0, 0, 0)),
    (DUA, "press", LEFT, COVERED, DUA, None, (0, 0, 0)),
    (DUA, "release", RIGHT, COVERED, DUA, None, (0, 0, 0)),
]


def do(mouse: Mouse, how: str, button: Button, cell: Cell | None) -> list[Intention]:
    if how == "press":
        return mouse.press(button, cell, BOARD)
    return mouse.release(button, cell, BOARD)


def counts(tally: ClickTally) -> tuple[int, int, int]:
    return tally.left, tally.right, tally.double


def preview(mouse: Mouse) -> tuple[Cell, ...]:
    """A call, so that the type checker does not take the preview for a constant."""
    return mouse.pressed


def worried(mouse: Mouse) -> bool:
    return mouse.is_holding_cell


def escaping(mouse: Mouse) -> bool:
    return mouse.is_ignoring_input


def reach(state: State, options: MouseOptions | None = None) -> Mouse:
    mouse = Mouse(options)
    for how, button, cell in WAYS[state]:
        do(mouse, how, button, cell)
    assert mouse.state is state
    mouse.tally = ClickTally()
    return mouse


@pytest.mark.parametrize(("before", "how", "button", "cell", "after", "verb", "clicks"), TABLE)
def test_table(
    before: State,
    how: str,
    button: Button,
    cell: Cell | None,
    after: State,
    verb: Verb | None,
    clicks: tuple[int, int, int],
) -> None:
    mouse = reach(before)
    asked = do(mouse, how, button, cell)
    assert mouse.state is after
    assert asked == ([] if verb is None or cell is None else [(verb, *cell)])
    assert mouse.tally is not None
    assert counts(mouse.tally) == clicks


def test_table_is_complete() -> None:
    lines = {(line[0], line[1], line[2]) for line in TABLE}
    assert lines == {(s, h, b) for s in State for h in ("press", "release") for b in (LEFT, RIGHT)}


def test_right_press_depends_on_the_cell() -> None:
    assert next_state(UU, Signal.RC, covered=True)[0] is UD
    assert next_state(UU, Signal.RC, covered=False)[0] is UDN
    assert next_state(DU, Signal.RC, covered=True) == next_state(DU, Signal.RC, covered=False)


def test_flag_hold_slide_tap_chords() -> None:
    mouse = Mouse(tally=(tally := ClickTally()))
    assert mouse.press(RIGHT, COVERED, BOARD) == [(Verb.FLAG, 0, 0)]
    assert mouse.move(NUMBER, BOARD) == []
    assert mouse.press(LEFT, NUMBER, BOARD) == []
    assert mouse.release(LEFT, NUMBER, BOARD) == [(Verb.CHORD, 1, 1)]
    # The right button is still held: another number can be tapped.
    assert mouse.press(LEFT, NUMBER, BOARD) == []
    assert mouse.release(LEFT, NUMBER, BOARD) == [(Verb.CHORD, 1, 1)]
    assert mouse.release(RIGHT, NUMBER, BOARD) == []
    assert counts(tally) == (0, 1, 2)


def test_failed_chord_never_opens_on_the_second_release() -> None:
    mouse = reach(CH)
    assert mouse.release(RIGHT, COVERED, BOARD) == []
    assert mouse.release(LEFT, COVERED, BOARD) == []


@pytest.mark.parametrize(
    ("cell", "verb"),
    [(COVERED, Verb.FLAG), (FLAG, Verb.QUESTION), (QUESTION, Verb.QUESTION)],
)
def test_question_cycle(cell: Cell, verb: Verb) -> None:
    mouse = Mouse(MouseOptions(questions=True))
    assert mouse.press(RIGHT, cell, BOARD) == [(verb, *cell)]


def test_middle_chords_on_release_where_it_was_slid_to() -> None:
    mouse = Mouse(tally=(tally := ClickTally()))
    assert mouse.press(MIDDLE, COVERED, BOARD) == []
    assert preview(mouse) == ((0, 0), (1, 0))
    assert worried(mouse)
    mouse.move(NUMBER, BOARD)
    assert preview(mouse) == BLOCK
    assert mouse.release(MIDDLE, NUMBER, BOARD) == [(Verb.CHORD, 1, 1)]
    assert preview(mouse) == ()
    assert not worried(mouse)
    assert counts(tally) == (0, 0, 1)


def test_middle_takes_the_opening_from_a_held_left() -> None:
    mouse = reach(DU)
    mouse.press(MIDDLE, NUMBER, BOARD)
    assert mouse.release(MIDDLE, NUMBER, BOARD) == [(Verb.CHORD, 1, 1)]
    assert mouse.release(LEFT, COVERED, BOARD) == []


def test_middle_outside_does_nothing() -> None:
    mouse = Mouse(tally=(tally := ClickTally()))
    mouse.press(MIDDLE, NUMBER, BOARD)
    assert mouse.release(MIDDLE, None, BOARD) == []
    assert counts(tally) == (0, 0, 0)


def test_shift_left_chords_even_if_shift_goes_up_first() -> None:
    mouse = Mouse(tally=(tally := ClickTally()))
    assert mouse.press(LEFT, NUMBER, BOARD, shift=True) == []
    assert preview(mouse) == BLOCK
    assert mouse.release(LEFT, NUMBER, BOARD) == [(Verb.CHORD, 1, 1)]
    assert counts(tally) == (0, 0, 1)


def test_shift_left_on_a_covered_cell_does_nothing() -> None:
    mouse = Mouse()
    mouse.press(LEFT, COVERED, BOARD, shift=True)
    assert mouse.release(LEFT, COVERED, BOARD) == []


def test_ctrl_left_is_the_right_button() -> None:
    mouse = Mouse(tally=(tally := ClickTally()))
    assert mouse.press(LEFT, COVERED, BOARD, ctrl=True) == [(Verb.FLAG, 0, 0)]
    assert mouse.state is UD
    assert mouse.release(LEFT, COVERED, BOARD) == []
    assert mouse.state is UU
    assert counts(tally) == (0, 1, 0)


def test_a_second_hand_on_the_same_button_is_ignored() -> None:
    mouse = Mouse()
    mouse.press(LEFT, COVERED, BOARD, ctrl=True)
    assert mouse.press(RIGHT, COVERED, BOARD) == []
    assert mouse.release(RIGHT, COVERED, BOARD) == []
    assert mouse.state is UD


def test_left_on_a_number_chords_if_asked() -> None:
    mouse = Mouse(MouseOptions(left_chords=True))
    mouse.press(LEFT, NUMBER, BOARD)
    assert preview(mouse) == BLOCK
    assert mouse.release(LEFT, NUMBER, BOARD) == [(Verb.CHORD, 1, 1)]
    mouse.press(LEFT, ZERO, BOARD)
    assert preview(mouse) == ()
    assert mouse.release(LEFT, ZERO, BOARD) == []


def test_sliding_moves_the_preview_and_opens_where_released() -> None:
    mouse = Mouse()
    mouse.press(LEFT, COVERED, BOARD)
    assert preview(mouse) == (COVERED,)
    mouse.move(QUESTION, BOARD)
    assert preview(mouse) == (QUESTION,)
    for cell in (FLAG, NUMBER, ZERO):
        mouse.move(cell, BOARD)
        assert preview(mouse) == ()
        assert worried(mouse)
    mouse.move(None, BOARD)
    assert preview(mouse) == ()
    assert not worried(mouse)
    mouse.move((2, 2), BOARD)
    assert mouse.release(LEFT, (2, 2), BOARD) == [(Verb.OPEN, 2, 2)]


@pytest.mark.parametrize("state", [UD, UDN, DUA])
def test_a_hand_that_opens_nothing_shows_no_preview(state: State) -> None:
    mouse = reach(state)
    mouse.move(COVERED, BOARD)
    assert preview(mouse) == ()
    assert not worried(mouse)


@pytest.mark.parametrize("state", [CH, CHN])
def test_chord_preview_at_the_edge(state: State) -> None:
    mouse = reach(state)
    mouse.move(ZERO, BOARD)
    assert preview(mouse) == ((0, 2), (2, 1), (2, 2))
    assert worried(mouse)


def test_escape_swallows_until_all_buttons_are_up() -> None:
    mouse = reach(CH)
    mouse.cancel()
    assert preview(mouse) == ()
    assert not worried(mouse)
    assert mouse.release(LEFT, NUMBER, BOARD) == []
    assert mouse.press(LEFT, COVERED, BOARD) == []
    assert preview(mouse) == ()
    assert mouse.release(LEFT, COVERED, BOARD) == []
    assert escaping(mouse)
    assert mouse.release(RIGHT, COVERED, BOARD) == []
    assert not escaping(mouse)
    mouse.press(LEFT, COVERED, BOARD)
    assert mouse.release(LEFT, COVERED, BOARD) == [(Verb.OPEN, 0, 0)]


def test_escape_with_no_button_down_swallows_nothing() -> None:
    mouse = Mouse()
    mouse.cancel()
    assert mouse.press(RIGHT, COVERED, BOARD) == [(Verb.FLAG, 0, 0)]


def test_a_lost_release_does_not_lock_the_mouse() -> None:
    mouse = reach(DU)
    mouse.cancel()
    mouse.press(LEFT, COVERED, BOARD)
    assert mouse.release(LEFT, COVERED, BOARD) == [(Verb.OPEN, 0, 0)]


def test_a_lost_window_forgets_every_button() -> None:
    mouse = reach(CH)
    mouse.cancel(releases_lost=True)
    assert mouse.release(LEFT, NUMBER, BOARD) == []
    assert mouse.press(RIGHT, COVERED, BOARD) == [(Verb.FLAG, 0, 0)]


def test_a_board_that_shrank_under_the_hand() -> None:
    mouse = reach(DU)
    small = BOARD[:1, :1]
    mouse.move((2, 2), small)
    assert preview(mouse) == ()
    assert mouse.release(LEFT, (2, 2), small) == []
    assert mouse.press(RIGHT, (-1, 0), small) == []


@pytest.mark.parametrize("face", [Face.MINE, Face.BLOWN, Face.WRONG])
def test_nothing_to_do_on_a_lost_board(face: Face) -> None:
    faces = np.full((3, 3), face, dtype=np.uint8)
    mouse = Mouse(MouseOptions(questions=True, left_chords=True))
    for button in Button:
        assert mouse.press(button, (1, 1), faces) == []
        assert preview(mouse) == ()
        assert mouse.release(button, (1, 1), faces) == []


CELLS = st.none() | st.tuples(st.integers(-1, 3), st.integers(-1, 3))
BUTTONS = st.sampled_from(Button)
MOVES = st.one_of(
    st.tuples(st.just("press"), BUTTONS, CELLS, st.booleans(), st.booleans()),
    st.tuples(st.just("release"), BUTTONS, CELLS),
    st.tuples(st.just("move"), CELLS),
    st.tuples(st.just("cancel"), st.booleans()),
)
BOARDS = st.lists(st.integers(0, 14), min_size=9, max_size=9).map(
    lambda codes: np.array(codes, dtype=np.uint8).reshape(3, 3)
)


def play(mouse: Mouse, move: tuple, faces: Faces) -> list[Intention]:  # type: ignore[type-arg]
    match move:
        case ("press", button, cell, shift, ctrl):
            return mouse.press(button, cell, faces, shift=shift, ctrl=ctrl)
        case ("release", button, cell):
            return mouse.release(button, cell, faces)
        case ("move", cell):
            return mouse.move(cell, faces)
        case _:
            mouse.cancel(releases_lost=move[1])
            return []


@given(BOARDS, st.lists(MOVES, max_size=30), st.builds(MouseOptions, st.booleans(), st.booleans()))
def test_any_hand(faces: Faces, moves: list, options: MouseOptions) -> None:  # type: ignore[type-arg]
    mouse = Mouse(options, tally := ClickTally())
    down: set[Button] = set()
    for move in moves:
        was_cancelled = mouse.is_ignoring_input
        asked = play(mouse, move, faces)
        if move[0] == "press":
            was_cancelled &= bool(down - {move[1]})
            down.add(move[1])
        elif move[0] == "release":
            down.discard(move[1])
        elif move == ("cancel", True):
            down.clear()
        assert not (asked and was_cancelled)
        assert not (asked and move[0] not in ("press", "release"))
        assert len(asked) <= 1
        for verb, row, col in asked:
            face = faces[row, col]
            assert (row, col) == move[2]
            if verb is Verb.OPEN:
                assert face in (Face.COVERED, Face.QUESTION)
            elif verb is Verb.CHORD:
                assert Face.ONE <= face <= Face.EIGHT
            else:
                assert face in (Face.COVERED, Face.FLAG, Face.QUESTION)
        if not down or mouse.is_ignoring_input:
            assert mouse.state is UU
            assert preview(mouse) == ()
            assert not worried(mouse)
        assert all(faces[cell] in (Face.COVERED, Face.QUESTION) for cell in mouse.pressed)
    assert tally.left >= 0
    assert tally.double >= 0
    assert tally.right >= 0


@given(BOARDS, st.lists(MOVES, max_size=30))
def test_all_buttons_up_is_a_fresh_mouse(faces: Faces, moves: list) -> None:  # type: ignore[type-arg]
    used, fresh = Mouse(), Mouse()
    for move in moves:
        play(used, move, faces)
    for button in Button:
        used.release(button, None, faces)
    for button in Button:
        assert used.press(button, (1, 1), faces) == fresh.press(button, (1, 1), faces)
        assert used.pressed == fresh.pressed
        assert used.release(button, (1, 1), faces) == fresh.release(button, (1, 1), faces)


def test_recorded_touches() -> None:
    recorded: list[tuple[str, Action, int, int]] = [
        ("ctrl+left", "press", 15, 0),
        ("ctrl+left", "release", 15, 0),
        ("shift+left", "press", 0, 0),
        ("", "move", 16, 31),
        ("left", "release", 16, 31),
        ("right", "press", -1, -1),
        ("right", "release", 0, 0),
        ("left", "press", 40, 40),
        ("left", "release", 47, 32),
        ("left", "press", 0, 0),
        ("left", "release", 48, 0),
    ]
    mouse = Mouse(tally=(tally := ClickTally()))
    asked = [
        ask for b, a, x, y in recorded for ask in mouse.replay_touch(Touch(0, b, a, x, y), BOARD)
    ]
    assert asked == [(Verb.FLAG, 0, 0), (Verb.CHORD, 1, 1), (Verb.OPEN, 2, 2)]
    assert counts(tally) == (2, 2, 1)


def test_the_faces_are_not_touched_or_kept() -> None:
    faces = BOARD.copy()
    faces.flags.writeable = False
    mouse = Mouse()
    mouse.press(MIDDLE, NUMBER, faces)
    assert preview(mouse) == BLOCK
    assert not any(isinstance(value, np.ndarray) for value in vars(mouse).values())
