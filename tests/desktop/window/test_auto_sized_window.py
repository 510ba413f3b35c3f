"""How large the window is and where it stands, in this process."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.window.main_window import MainWindow
from demine.desktop.window.saved_geometry import GEOMETRY_SETTING, SavedGeometry
from demine.scene.board_geometry import LEAST_PLAYABLE_CELL
from demine.scene.key_bindings import Command
from demine.store import Store
from tests.desktop.room import middle, room

pytestmark = pytest.mark.usefixtures("app")
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


@dataclass(frozen=True)
class Screen:
    """A screen of some size."""

    pixels: QSize

    def size(self) -> QSize:
        """Its size in logical pixels."""
        return self.pixels


def test_the_place_is_remembered(store: Store) -> None:
    with room(store=store) as window:
        window.resize(520, 610)
        QApplication.processEvents()
        cell = window.board.view.cell
    with room(store=store) as again:
        assert (again.width(), again.height()) == (520, 610)
        assert again.board.view.cell == cell
    with room("16x16/40", store=store) as other:
        assert other.board.view.shows_whole_board


def test_a_larger_board_where_a_small_one_stood_stays_on_the_screen(store: Store) -> None:
    with room(store=store) as window:
        free = window.screen().availableGeometry()
        window.move(free.right() - window.width() - 20, free.bottom() - window.height() - 20)
        QApplication.processEvents()
    with room("16x16/40", store=store) as larger:
        assert free.contains(larger.frameGeometry())


@pytest.mark.parametrize(
    "kept",
    [None, "x", {}, {"geometry": 3}, {"geometry": "%%%", "rows": 9, "cols": 9, "cell": -4}],
)
def test_a_senseless_place_is_none(kept: object, store: Store) -> None:
    store.settings.set(GEOMETRY_SETTING, kept)
    assert SavedGeometry.from_setting(kept).cell == 0
    with room(store=store) as window:
        assert window.board.view.shows_whole_board


def test_zooming_a_whole_board_takes_the_window_with_it(window: MainWindow) -> None:
    height, cell = window.height(), window.board.logical_cell_size
    window.run_command(Command.ZOOM_IN)
    assert window.board.logical_cell_size > cell
    assert window.height() > height
    assert window.board.view.shows_whole_board
    assert window.store.settings.get("cell") == window.board.logical_cell_size


def test_a_large_board_has_an_overview_that_moves_it() -> None:
    with room("500x500/50000") as window:
        assert window.minimap.isVisible()
        window.minimap.grab()
        QTest.mouseClick(window.minimap, LEFT, NONE, window.minimap.rect().center())
        before = window.board.view
        QTest.mousePress(window.minimap, LEFT, NONE, window.minimap.rect().center())
        assert window.board.view != before or 250 in window.board.view.visible_rows_and_cols()[0]
        rows, cols = window.board.view.visible_rows_and_cols()
        assert abs((rows.start + rows.stop) // 2 - 250) < 15
        assert abs((cols.start + cols.stop) // 2 - 250) < 15
        window.change_preferences({"minimap": False})
        assert not window.minimap.isVisible()


def test_the_overview_and_the_scroll_bars_take_nothing_from_the_board() -> None:
    with room("100x100/1500") as window:
        before = window.board.geometry()
        assert all(bar.isVisible() for bar in window.central.scroll_bars)
        assert not any(bar.geometry().intersects(before) for bar in window.central.scroll_bars)
        window.change_preferences({"minimap": False})
        QApplication.processEvents()
        assert window.board.geometry() == before
        for _ in range(9):
            window.run_command(Command.ZOOM_OUT)
        assert window.board.view.shows_whole_board
        assert not any(bar.isVisible() for bar in window.central.scroll_bars)


def test_a_scroll_bar_moves_the_board() -> None:
    with room("100x100/1500") as window:
        down, across = window.central.scroll_bars
        QTest.mousePress(down, LEFT, NONE, QPoint(3, 5))
        QTest.mouseMove(down, QPoint(3, down.height() + 50))
        assert window.board.view.visible_rows_and_cols()[0].stop == 100
        assert window.board.view.visible_rows_and_cols()[1].start == 0
        QTest.mouseRelease(down, LEFT, NONE, QPoint(3, down.height() - 1))
        QTest.mouseMove(down, QPoint(3, 5))
        assert window.board.view.visible_rows_and_cols()[0].stop == 100, "it was let go"
        QTest.mouseClick(across, LEFT, NONE, QPoint(across.width() - 1, 3))
        assert window.board.view.visible_rows_and_cols()[1].stop == 100
        across.grab()


MIDDLE = Qt.MouseButton.MiddleButton


def test_the_middle_button_drags_a_board_that_scrolls_and_chords_in_place() -> None:
    with room("100x100/1500") as window:
        spot = middle(window, 20, 20)
        QTest.mouseClick(window.board, LEFT, NONE, spot)
        opened = window.controller.session.game.board.opened
        before = window.board.view
        QTest.mousePress(window.board, MIDDLE, NONE, spot)
        drag(window, spot + QPoint(2, 2))
        assert window.board.view == before
        drag(window, spot - QPoint(100, 60))
        assert (before.left - window.board.view.left, before.top - window.board.view.top) == (
            100,
            60,
        )
        assert window.board.cursor().shape() is Qt.CursorShape.ClosedHandCursor
        QTest.mouseRelease(window.board, MIDDLE, NONE, spot - QPoint(100, 60))
        assert window.controller.session.game.board.opened == opened
        assert window.board.cursor().shape() is Qt.CursorShape.ArrowCursor
        QTest.mousePress(window.board, MIDDLE, NONE, spot)
        assert window.controller.mouse.is_holding_cell, "the next one chords again"
        QTest.mouseRelease(window.board, MIDDLE, NONE, spot)


def test_a_board_that_fits_is_not_dragged(window: MainWindow) -> None:
    before = window.board.view
    QTest.mousePress(window.board, MIDDLE, NONE, middle(window, 2, 2))
    drag(window, middle(window, 7, 7))
    assert window.board.view == before
    assert window.controller.mouse.is_holding_cell
    QTest.mouseRelease(window.board, MIDDLE, NONE, middle(window, 7, 7))


def drag(window: MainWindow, to: QPoint) -> None:
    """Move the pointer over the board."""
    QTest.mouseMove(window.board, to)
    QApplication.processEvents()


def test_space_drags_with_the_left_button_or_else_shows_the_cursor() -> None:
    with room("100x100/1500") as window:
        spot = middle(window, 20, 20)
        drag(window, spot)
        window.board.setFocus()
        QTest.keyPress(window.board, Qt.Key.Key_Space)
        before = window.board.view
        QTest.mousePress(window.board, LEFT, NONE, spot)
        drag(window, spot - QPoint(50, 40))
        QTest.mouseRelease(window.board, LEFT, NONE, spot - QPoint(50, 40))
        QTest.keyRelease(window.board, Qt.Key.Key_Space)
        assert before.left - window.board.view.left == 50
        assert window.controller.session.game.board.opened == 0
        assert window.controller.cursor is None
        QTest.keyClick(window.board, Qt.Key.Key_Space)
        assert window.controller.cursor is not None


def test_a_board_too_high_opens_with_its_whole_width() -> None:
    with room("20x300/900") as window:
        assert window.board.view.visible_rows_and_cols()[1] == range(20)
        assert window.board.logical_cell_size > LEAST_PLAYABLE_CELL


def test_levels_keep_the_cells_of_a_window_resized_by_hand(window: MainWindow) -> None:
    wanted = window.board.logical_cell_size - 6
    window.resize(window.size() - QSize(6 * 9, 6 * 9))
    QApplication.processEvents()
    assert window.board.logical_cell_size == wanted
    window.run_command(Command.INTERMEDIATE)
    assert window.board.logical_cell_size <= wanted
    window.run_command(Command.BEGINNER)
    assert window.board.logical_cell_size == wanted


def test_a_small_board_has_none(window: MainWindow) -> None:
    assert not window.minimap.isVisible()


def test_a_smaller_board_after_a_large_one_forgets_the_fingers() -> None:
    with room("100x100/1500") as window:
        QTest.mouseMove(window.board, middle(window, 20, 20))
        window.run_command(Command.BEGINNER)
        assert window.controller.faces.shape == (9, 9)
        assert window.board.view.shows_whole_board


def test_looking_a_large_board_over_makes_no_other_board_tiny() -> None:
    with room("500x500/50000") as large:
        for _ in range(9):
            large.run_command(Command.ZOOM_OUT)
        assert large.board.logical_cell_size < 8
        large.run_command(Command.BEGINNER)
        QApplication.processEvents()
        assert large.board.logical_cell_size >= 16
        large.run_command(Command.ZOOM_OUT)
        assert large.preferences.cell == large.board.logical_cell_size


@pytest.mark.parametrize(
    ("screen", "wanted"),
    [
        ((1280, 800), 32),
        ((1366, 768), 32),
        ((1920, 1080), 36),
        ((2560, 1440), 40),
        ((3840, 2160), 54),
    ],
)
def test_cells_are_easy_to_hit_from_the_start(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], wanted: int
) -> None:
    size = QSize(*screen)
    monkeypatch.setattr(window.board, "screen", lambda: Screen(size))
    assert window.board.comfortable_cell_size(size, LEAST_PLAYABLE_CELL) == wanted
    # A board that needs it gets smaller cells, but none that cannot be played on.
    assert window.board.comfortable_cell_size(QSize(230, 230), LEAST_PLAYABLE_CELL) == 24
    assert window.board.comfortable_cell_size(QSize(50, 50), LEAST_PLAYABLE_CELL) == 16
