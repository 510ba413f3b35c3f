"""The hand that scenes share: mouse and cursor at a board that somebody else draws."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT
from demine.play.hand import Hand, Point
from demine.play.hint_timer import HintTimer
from demine.play.preference_switches import Switches
from demine.play.session import Session
from demine.scene.face import Face
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button, with_modifier
from demine.scene.preferences import Preferences, Wishes
from demine.scene.status_line import News
from demine.store import Store

FACE = (1000, 0)
SIZE = 16


class Plain(Hand):
    """A scene without a picture: cells of 16 points from (0, 0), the face far to the right."""

    def __init__(self, session: Session) -> None:
        self.brought: list[tuple[int, int]] = []
        self.shapes: list[tuple[int, int]] = []
        self.heard: list[tuple[int, int]] = []
        news = News()
        switches = Switches(Preferences(), session, news)
        super().__init__(session, news, HintTimer(session, nobody, lambda: None), switches)

    def _cell_at(self, at: Point) -> tuple[int, int] | None:
        row, col = at[1] // SIZE, at[0] // SIZE
        height, width = self._faces.shape
        return (row, col) if 0 <= row < height and 0 <= col < width else None

    def _board_point(self, at: Point) -> Point:
        return at

    def _on_face(self, at: Point) -> bool:
        return at == FACE

    def _bring(self, cell: tuple[int, int]) -> None:
        self.brought.append(cell)

    def _spread(self, shape: tuple[int, int]) -> None:
        self.shapes.append(shape)

    def _played(self, opened: int, flags: int) -> None:
        self.heard.append((opened, flags))

    # What tests ask of it

    def do(self, *commands: Command) -> None:
        for command in commands:
            self._do(command)

    def click(self, button: Button, at: Point, until: Point | None = None) -> None:
        self._down(button, at, shift=False, ctrl=False)
        self._up(button, until or at)

    def face(self, row: int, col: int) -> Face:
        return Face(int(self._faces[row, col]))

    def status(self) -> Status:
        return self._session.game.status

    def shown_cursor(self) -> tuple[int, int] | None:
        return self._cursor if self._cursor_shown else None


def nobody(*_: object, **__: object) -> Future[object]:
    """A solver that never answers."""
    return Future()


@pytest.fixture
def hand() -> Iterator[Plain]:
    store = Store.memory()
    session = Session.begin(store, Wishes(rules=BEGINNER, seed=7), Preferences())
    yield Plain(session)
    store.close()


def at(row: int, col: int) -> Point:
    return col * SIZE + 8, row * SIZE + 8


def test_nobody_acts_at_a_cell_unseen(hand: Plain) -> None:
    hand.do(Command.ACT)
    assert hand.status() is Status.READY
    assert hand.shown_cursor() == (4, 4)
    hand.do(Command.ACT)
    assert hand.status() is Status.RUNNING
    assert hand.brought == [(4, 4)]
    assert hand.heard == [(0, 0)]


def test_the_mouse_hides_the_cursor_and_says_where_it_is(hand: Plain) -> None:
    hand.do(Command.UP)
    hand.click(Button.RIGHT, at(2, 3))
    assert hand.shown_cursor() is None
    assert hand.face(2, 3) is Face.FLAG
    hand.do(Command.RIGHT)
    assert hand.shown_cursor() == (2, 4)


def test_the_face_begins_anew_only_where_it_is_let_go(hand: Plain) -> None:
    hand.click(Button.LEFT, at(4, 4))
    hand.click(Button.LEFT, FACE, until=at(0, 0))
    assert hand.status() is Status.RUNNING
    hand.click(Button.LEFT, FACE)
    assert hand.status() is Status.READY


def test_a_paused_board_is_only_woken(hand: Plain) -> None:
    hand.click(Button.LEFT, at(4, 4))
    hand.do(Command.PAUSE)
    hand.click(Button.RIGHT, at(0, 0))
    assert hand.status() is Status.RUNNING
    assert hand.face(0, 0) is not Face.FLAG
    hand.do(Command.PAUSE, Command.ACT)
    assert hand.status() is Status.RUNNING


def test_keys_at_the_pointer_need_a_pointer(hand: Plain) -> None:
    hand.do(Command.HOVER_FLAG)
    hand.move(at(1, 1))
    hand.do(Command.HOVER_FLAG)
    assert hand.face(1, 1) is Face.FLAG
    hand.move(None)
    hand.do(Command.HOVER_FLAG)
    assert hand.face(1, 1) is Face.FLAG


def test_another_board_has_another_cursor(hand: Plain) -> None:
    hand.do(Command.UP, Command.EXPERT)
    assert hand.shapes == [EXPERT.shape]
    assert hand.shown_cursor() is None


def test_what_a_scene_has_nothing_for_is_an_error_not_silence(hand: Plain) -> None:
    with pytest.raises(KeyError):
        hand.do(Command.ZOOM_IN)


@pytest.mark.parametrize(
    ("button", "shift", "ctrl", "name"),
    [
        (Button.LEFT, False, False, "left"),
        (Button.LEFT, True, True, "shift+left"),
        (Button.LEFT, False, True, "ctrl+left"),
        (Button.RIGHT, True, False, "right"),
    ],
)
def test_touches_name_the_key_that_was_held(
    button: Button, shift: bool, ctrl: bool, name: str
) -> None:
    assert with_modifier(button, shift=shift, ctrl=ctrl) == name
