"""The board as a widget: what it paints, and what it makes of wheels, fingers and pens."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QInputDevice,
    QNativeGestureEvent,
    QPaintEvent,
    QPointingDevice,
    QRegion,
    QTabletEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.board.widget import BoardWidget
from demine.desktop.window.main_window import MainWindow
from demine.logic.game import Status
from demine.picture import board as board_pictures
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.key_bindings import Command
from demine.scene.sight import sight
from tests.desktop.drawn import drawn
from tests.desktop.room import click, middle, room

pytestmark = pytest.mark.usefixtures("app")

NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def large() -> Iterator[MainWindow]:
    with room("500x500/50000") as opened:
        yield opened


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[QRegion]:
    """The regions that boards paint from now on."""
    regions: list[QRegion] = []
    paint = BoardWidget.paintEvent

    def watch(board: BoardWidget, event: QPaintEvent) -> None:
        regions.append(QRegion(event.region()))
        paint(board, event)

    monkeypatch.setattr(BoardWidget, "paintEvent", watch)
    return regions


def cursor_shown(window: MainWindow) -> bool:
    return window.controller.cursor is not None


def faces(window: MainWindow) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return sight(window.controller.session.game)


def wheel(window: MainWindow, turn: int, keys: Qt.KeyboardModifier = NONE) -> None:
    """Turn the wheel by eighths of a degree over cell (3, 3)."""
    at = QPointF(middle(window, 3, 3))
    event = QWheelEvent(
        at,
        window.board.mapToGlobal(at),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(window.board, event)


def test_a_flag_paints_its_cell_and_nothing_else(
    painted: list[QRegion], window: MainWindow
) -> None:
    QApplication.processEvents()
    painted.clear()
    click(window, 2, 3, RIGHT)
    QApplication.processEvents()
    spot = window.board.view.cell_rect(2, 3)
    assert [each.boundingRect() for each in painted] == [QRect(*spot)]


def test_moving_the_pointer_paints_nothing(painted: list[QRegion], window: MainWindow) -> None:
    QApplication.processEvents()
    painted.clear()
    for col in range(9):
        QTest.mouseMove(window.board, middle(window, 4, col))
        QApplication.processEvents()
    assert painted == []


def test_an_opening_paints_no_more_than_what_opened(
    painted: list[QRegion], window: MainWindow
) -> None:
    QApplication.processEvents()
    painted.clear()
    click(window, 4, 4)
    QApplication.processEvents()
    opened = np.argwhere(faces(window) <= Face.EIGHT)
    cells = QRegion()
    for row, col in opened:
        cells += QRegion(*window.board.view.cell_rect(int(row), int(col)))
    everything = QRegion()
    for each in painted:
        everything += each
    assert cells.subtracted(everything).isEmpty()
    assert everything.subtracted(cells).isEmpty()


def test_a_large_board_paints_only_what_is_seen(
    large: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, cols = large.board.view.visible_rows_and_cols()
    assert len(rows) * len(cols) < 250_000 // 10
    painted = drawn(monkeypatch, board_pictures)
    for _ in range(20):
        large.board.pan(-40, -40)
        large.board.repaint()
    view = large.board.view
    seen = (view.visible_rect.width + 2 * view.cell) * (view.visible_rect.height + 2 * view.cell)
    assert 0 < max(painted) <= seen


def test_losing_the_focus_lets_go(window: MainWindow) -> None:
    QTest.mousePress(window.board, LEFT, NONE, middle(window, 2, 3))
    assert window.controller.cell_looks[2, 3] == Look.PRESSED
    QApplication.sendEvent(window.board, QFocusEvent(QEvent.Type.FocusOut))
    assert window.controller.cell_looks[2, 3] == Look.PLAIN
    QTest.mouseRelease(window.board, LEFT, NONE, middle(window, 2, 3))
    assert window.controller.session.game.status is Status.READY


def test_escape_lets_go(window: MainWindow) -> None:
    QTest.mousePress(window.board, LEFT, NONE, middle(window, 2, 3))
    QTest.keyClick(window.board, Qt.Key.Key_Escape)
    QTest.mouseRelease(window.board, LEFT, NONE, middle(window, 2, 3))
    assert window.controller.session.game.status is Status.READY


def test_both_buttons_chord(window: MainWindow) -> None:
    click(window, 4, 4)
    game = window.controller.session.game
    board = game.board
    row, col = next(
        (int(r), int(c))
        for r, c in np.argwhere(board.open_map & (board.hint_map == 1))
        if (faces(window)[max(0, r - 1) : r + 2, max(0, c - 1) : c + 2] == Face.COVERED).sum() > 1
    )
    block = np.s_[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
    mine = np.argwhere(board.mine_map[block])[0] + (max(0, row - 1), max(0, col - 1))
    click(window, int(mine[0]), int(mine[1]), RIGHT)
    opened = board.opened
    spot = middle(window, row, col)
    QTest.mousePress(window.board, LEFT, NONE, spot)
    QTest.mousePress(window.board, RIGHT, NONE, spot)
    QTest.mouseRelease(window.board, LEFT, NONE, spot)
    QTest.mouseRelease(window.board, RIGHT, NONE, spot)
    assert game.board.opened > opened


def test_ctrl_and_left_flag(window: MainWindow) -> None:
    QTest.mouseClick(window.board, LEFT, CTRL, middle(window, 2, 3))
    assert faces(window)[2, 3] == Face.FLAG


def test_tab_shows_the_cursor(window: MainWindow) -> None:
    QApplication.sendEvent(
        window.board, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason)
    )
    assert window.controller.cursor == (4, 4)


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_F])
def test_the_first_key_that_acts_shows_the_cursor_and_the_second_acts(
    window: MainWindow, key: Qt.Key
) -> None:
    QTest.keyClick(window.board, key)
    assert window.controller.cursor == (4, 4)
    assert (faces(window) == Face.COVERED).all()
    QTest.keyClick(window.board, key)
    assert faces(window)[4, 4] != Face.COVERED


def test_the_cursor_comes_back_where_the_mouse_hid_it(window: MainWindow) -> None:
    QTest.mouseClick(window.board, RIGHT, NONE, middle(window, 2, 3))
    assert not cursor_shown(window)
    QTest.keyClick(window.board, Qt.Key.Key_Space)
    assert window.controller.cursor == (2, 3)
    QTest.mouseClick(window.board, RIGHT, NONE, middle(window, 5, 6))
    QTest.keyClick(window.board, Qt.Key.Key_Right)
    assert window.controller.cursor == (5, 7)
    window.run_command(Command.INTERMEDIATE)
    QTest.keyClick(window.board, Qt.Key.Key_Space)
    assert window.controller.cursor == (8, 8)


def test_the_cursor_stands_where_a_shared_board_begins(window: MainWindow) -> None:
    QTest.mouseClick(window.board, LEFT, NONE, middle(window, 1, 2))
    code = window.controller.session.game.share()
    window.run_command(Command.NEW)
    window.controller.begin_shared_board(code)
    QTest.keyClick(window.board, Qt.Key.Key_Space)
    assert window.controller.cursor == (1, 2)
    QTest.keyClick(window.board, Qt.Key.Key_Down)
    window.controller.begin_shared_board(code)
    assert window.controller.cursor == (1, 2)


def test_space_on_a_pause_goes_on_and_shows_no_cursor(window: MainWindow) -> None:
    QTest.mouseClick(window.board, LEFT, NONE, middle(window, 4, 4))
    window.run_command(Command.PAUSE)
    QTest.keyClick(window.board, Qt.Key.Key_Space)
    assert window.controller.session.game.status is Status.RUNNING
    assert not cursor_shown(window)


def test_the_wheel_zooms_with_ctrl_about_the_pointer(large: MainWindow) -> None:
    board, at = large.board, QPointF(middle(large, 3, 3))
    cell = board.view.cell
    for turn in (60, 60, 120):
        wheel(large, turn, CTRL)
    assert board.view.cell > cell
    assert board.cell_at(at) == (3, 3)
    wheel(large, -360, CTRL)
    assert board.view.cell < cell


def test_the_wheel_scrolls(large: MainWindow) -> None:
    view = large.board.view
    wheel(large, -120)
    assert large.board.view.top == view.top - 2 * view.cell
    wheel(large, -120, SHIFT)
    assert large.board.view.left == view.left - 2 * view.cell


def test_the_cursor_stays_in_sight(large: MainWindow) -> None:
    QTest.keyClick(large.board, Qt.Key.Key_Down)
    assert large.controller.cursor == (250, 250)
    rows, cols = large.board.view.visible_rows_and_cols()
    assert 250 in rows
    assert 250 in cols
    # Out of sight it was, so it comes to the middle; from then on the board moves no more than
    # it has to.
    assert abs(rows.start + rows.stop - 501) <= 2
    assert abs(cols.start + cols.stop - 501) <= 2
    view = large.board.view
    QTest.keyClick(large.board, Qt.Key.Key_Down)
    assert large.board.view == view


def test_a_pinch_on_a_touchpad_zooms(large: MainWindow) -> None:
    board, at = large.board, QPointF(middle(large, 3, 3))
    cell = board.view.cell
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        at,
        at,
        board.mapToGlobal(at),
        0.5,
        QPointF(),
    )
    QApplication.sendEvent(board, event)
    assert board.view.cell == round(cell * 1.5)


# Fingers


@pytest.fixture(scope="module")
def glass() -> QPointingDevice:
    return QTest.createTouchDevice()


class Fingers:
    """Fingers on a board. Every event names all of them, as a touch screen does."""

    def __init__(self, window: MainWindow, glass: QPointingDevice) -> None:
        self._board = window.board
        self._events = QTest.touchEvent(window.board, glass, False)
        self._down: set[int] = set()

    def press(self, finger: int, at: QPoint) -> None:
        self._others(finger)
        self._events.press(finger, at, self._board)
        self._down.add(finger)
        self._events.commit()

    def move(self, finger: int, at: QPoint) -> None:
        self._others(finger)
        self._events.move(finger, at, self._board)
        self._events.commit()

    def release(self, finger: int, at: QPoint) -> None:
        self._others(finger)
        self._events.release(finger, at, self._board)
        self._down.discard(finger)
        self._events.commit()

    def _others(self, finger: int) -> None:
        for other in self._down - {finger}:
            self._events.stationary(other)


def test_a_tap_opens(window: MainWindow, glass: QPointingDevice) -> None:
    fingers, spot = Fingers(window, glass), middle(window, 4, 4)
    fingers.press(0, spot)
    assert window.controller.cell_looks[4, 4] == Look.PRESSED
    fingers.release(0, spot)
    assert faces(window)[4, 4] <= Face.EIGHT


def test_a_long_press_flags_before_the_finger_is_lifted(
    window: MainWindow, glass: QPointingDevice
) -> None:
    window.change_preferences({"hold_ms": 100})
    fingers, spot = Fingers(window, glass), middle(window, 4, 4)
    fingers.press(0, spot)
    QTest.qWait(250)
    assert faces(window)[4, 4] == Face.FLAG
    fingers.release(0, spot)
    assert faces(window)[4, 4] == Face.FLAG


def test_a_tap_may_flag(window: MainWindow, glass: QPointingDevice) -> None:
    window.change_preferences({"tap": "flag"})
    fingers, spot = Fingers(window, glass), middle(window, 4, 4)
    fingers.press(0, spot)
    fingers.release(0, spot)
    assert faces(window)[4, 4] == Face.FLAG


def test_a_finger_that_moves_drags_the_board(large: MainWindow, glass: QPointingDevice) -> None:
    fingers, spot, before = Fingers(large, glass), middle(large, 20, 20), large.board.view
    away = spot - QPoint(60, 40)
    fingers.press(0, spot)
    fingers.move(0, away)
    fingers.release(0, away)
    assert large.board.view == before.panned(-60, -40)
    assert large.controller.session.game.status is Status.READY


def test_two_fingers_zoom_and_play_nothing(large: MainWindow, glass: QPointingDevice) -> None:
    fingers, one, two = Fingers(large, glass), middle(large, 5, 5), middle(large, 5, 9)
    cell = large.board.view.cell
    fingers.press(0, one)
    fingers.press(1, two)
    apart = two + (two - one)
    fingers.move(1, apart)
    fingers.release(1, apart)
    fingers.release(0, one)
    assert large.board.view.cell == 2 * cell
    assert large.controller.session.game.status is Status.READY


def test_a_finger_that_comes_down_again_begins_another_pinch(
    large: MainWindow, glass: QPointingDevice
) -> None:
    fingers, one, two = Fingers(large, glass), middle(large, 5, 5), middle(large, 5, 9)
    fingers.press(0, one)
    fingers.press(1, two)
    fingers.move(1, two + (two - one))
    fingers.release(1, two + (two - one))
    cell = large.board.view.cell
    fingers.press(1, one + QPoint(40, 0))
    assert large.board.view.cell == cell
    fingers.move(1, one + QPoint(60, 0))
    assert large.board.view.cell == round(1.5 * cell)
    fingers.release(1, one)
    fingers.release(0, one)
    assert large.controller.session.game.status is Status.READY


def pen(window: MainWindow, kind: QEvent.Type, button: Qt.MouseButton) -> None:
    """Send an event of a pen over cell (4, 4)."""
    device = QPointingDevice(
        "pen",
        1,
        QInputDevice.DeviceType.Stylus,
        QPointingDevice.PointerType.Pen,
        QInputDevice.Capability.Position,
        1,
        2,
    )
    at = QPointF(middle(window, 4, 4))
    there = window.board.mapToGlobal(at)
    QApplication.sendEvent(
        window.board,
        QTabletEvent(kind, device, at, there, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, NONE, button, button),
    )


@pytest.mark.parametrize(("button", "flagged"), [(LEFT, False), (RIGHT, True)])
def test_a_pen_taps_and_its_button_flags(
    window: MainWindow, button: Qt.MouseButton, flagged: bool
) -> None:
    pen(window, QEvent.Type.TabletPress, button)
    pen(window, QEvent.Type.TabletRelease, button)
    shown = Face(int(faces(window)[4, 4]))
    assert shown is Face.FLAG if flagged else shown <= Face.EIGHT
