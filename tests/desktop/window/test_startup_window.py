"""A start of the desktop: what is its own about the first frame of every window."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from demine.desktop import colour_scheme, panel
from demine.desktop.window.main_window import MainWindow
from demine.desktop.window.saved_geometry import GEOMETRY_SETTING, SavedGeometry
from demine.desktop.window.startup_window import PixmapWidget, StartupWindow
from demine.game import Game
from demine.picture.board import tile
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.sight import sight
from demine.scene.themes import Theme, theme
from demine.scene.translation import detect_language, set_language
from tests.desktop.desk import CELL, Desk, place_of
from tests.hand import wait_for
from tests.play.start_windows import window_set_up
from tests.table import left_large

pytestmark = pytest.mark.usefixtures("app")
Sit = Callable[..., Desk]
NEW = StartOptions(new=True)
NOTHING_ASKED = ("--scene", "desktop")


@pytest.fixture(autouse=True)
def system() -> Iterator[None]:
    """The language of the system, and the colours as they were, before and after."""
    set_language(detect_language())
    yield
    set_language("en")
    colour_scheme.apply_colour_scheme(Preferences(theme="light"))


def remember(**settings: object) -> None:
    """Keep settings as a player leaves them."""
    with opened_store() as (store, _):
        for name, value in settings.items():
            store.settings.set(name, value)


def test_a_window_moved_meanwhile_stays_there(data_dir: Path) -> None:
    window = MainWindow()
    assert StartupWindow(window).show_first_frame(NEW)
    window.setGeometry(120, 80, window.width() + 60, window.height() + 30)
    QApplication.processEvents()
    moved = window.geometry()
    with window_set_up(window, NEW):
        assert window.geometry() == moved
        assert window.board.view.is_fitted


def test_a_place_that_was_kept_is_taken_at_once(data_dir: Path) -> None:
    remember(theme="dark", rules="12x10/15", cell=26)
    window = MainWindow()
    assert StartupWindow(window).show_first_frame(NEW)
    first = window.grab().toImage()
    with window_set_up(window, NEW):
        assert window.grab().toImage() == first
        window.resize(window.width() + 40, window.height() + 20)
        place = SavedGeometry.of(window, 10, 12, 0)
        size = window.size()
    remember(**{GEOMETRY_SETTING: asdict(place)})
    window = MainWindow()
    assert StartupWindow(window).show_first_frame(NEW)
    first = window.grab().toImage()
    with window_set_up(window, NEW):
        assert window.size() == size
        assert window.grab().toImage() == first


def test_counters_are_not_known_before_the_records(data_dir: Path) -> None:
    wishes = StartOptions(settings={"counters": True})
    window = MainWindow()
    assert not StartupWindow(window).show_first_frame(wishes)
    with window_set_up(window, wishes):
        assert window.isVisible()


def test_the_menus_are_there_once(data_dir: Path) -> None:
    window = MainWindow()
    assert StartupWindow(window).show_first_frame(NEW)
    with window_set_up(window, NEW):
        titles = [action.text() for action in window.menuBar().actions()]
    assert titles == ["&Game", "&View", "&Settings", "&Help"]


def test_flags_are_those_of_qt() -> None:
    assert int(Qt.AlignmentFlag.AlignCenter) == panel.CENTRE
    assert int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter) == panel.MIDDLE_LEFT


@pytest.mark.parametrize("role", list(QPalette.ColorRole)[:10])
def test_a_light_look_on_a_light_system_changes_no_colour(role: QPalette.ColorRole) -> None:
    colour_scheme.apply_colour_scheme(Preferences(theme="light"))
    before = QApplication.palette().color(role)
    colour_scheme.apply_colour_scheme_unless_light(Preferences(theme="classic"))
    assert QApplication.palette().color(role) == before
    assert colour_scheme.apply_colour_scheme(
        Preferences(theme="classic")
    ) == colour_scheme.apply_colour_scheme_unless_light(Preferences(theme="classic"))
    assert QApplication.palette().color(role) == before


# The picture of last time


def recall(window: MainWindow, wishes: StartOptions) -> bool:
    """Whether a window opens with the picture that was kept."""
    return StartupWindow(window).show_first_frame(wishes) and isinstance(
        window.centralWidget(), PixmapWidget
    )


@pytest.fixture
def kept(data_dir: Path) -> Path:
    """The folder in which a picture was just kept."""
    data_dir.mkdir()
    (data_dir / "demine.db").write_bytes(b"records")
    window = MainWindow()
    window.setMinimumWidth(0)
    window.resize(320, 240)
    parting = StartupWindow(window)
    parting.grab_picture()
    parting.save_picture()
    return data_dir


def test_a_picture_is_shown_in_a_window_of_its_size(kept: Path) -> None:
    window = MainWindow()
    assert recall(window, StartOptions())
    assert (window.width(), window.height()) == (320, 240)


def test_nothing_is_shown_in_another_font(kept: Path) -> None:
    before = QApplication.font()
    larger = QApplication.font()
    larger.setPointSize(before.pointSize() + 5)
    QApplication.setFont(larger)
    try:
        assert not recall(MainWindow(), StartOptions())
    finally:
        QApplication.setFont(before)


def test_nothing_is_shown_when_the_system_turned_dark(kept: Path) -> None:
    before, dark = QApplication.palette(), QPalette(QColor("black"))
    QApplication.setPalette(dark)
    try:
        assert not recall(MainWindow(), StartOptions())
    finally:
        QApplication.setPalette(before)


def test_a_window_of_which_no_picture_was_taken_keeps_none(data_dir: Path) -> None:
    StartupWindow(MainWindow()).save_picture()
    assert not data_dir.exists()


@pytest.mark.parametrize("look", ["light", "contrast"])
def test_the_next_start_shows_the_same_window(sit: Sit, data_dir: Path, look: str) -> None:
    first = sit("--theme", look, look=look, cell=40)
    faces = first.play_a_little()
    first.hand.key("p")  # a clock that stands shows the same second
    wait_for(lambda: not first.shows(faces), "a hidden board")
    assert first.stop() == (130, "")
    state = data_dir / "cache" / "desktop.txt"
    assert state.exists()
    second = sit(*NOTHING_ASKED, look=look, cell=40)
    assert not state.exists()
    early = second.hand.look()
    time.sleep(1.0)
    late = second.hand.look()
    assert np.array_equal(early, late)
    second.hand.key("p")
    second.expect_faces(faces)
    second.kill()
    assert not state.exists()


def test_a_game_that_is_over_is_not_what_the_next_start_shows(sit: Sit, data_dir: Path) -> None:
    first = sit()
    first.open(4, 4)
    first.lose()
    first.expect()
    assert first.stop() == (130, "")
    assert not (data_dir / "cache" / "desktop.txt").exists()
    second = sit(*NOTHING_ASKED)
    wait_for(lambda: second.shows(np.full((9, 9), Face.COVERED, np.uint8)), "a new board")


def block(look: Theme, game: Game, row: int, col: int) -> NDArray[np.uint8]:
    """The pixels of 3 x 3 cells as a board shows them."""
    faces = sight(game)[row : row + 3, col : col + 3]
    rows = [[tile(look, Face(int(face)), Look.PLAIN, CELL) for face in line] for line in faces]
    return np.concatenate([np.concatenate(line, axis=1) for line in rows])


@pytest.mark.parametrize("place", [(60, 75), (2, 1)])
def test_a_large_board_goes_on_where_it_was_played(
    sit: Sit, data_dir: Path, place: tuple[int, int]
) -> None:
    game = left_large(*place)
    wanted = block(theme("light"), game, *place)

    def seen(desk: Desk) -> bool:
        """Whether the cell opened last is in the middle, as far as the board reaches."""
        picture = desk.hand.look()
        high, wide, _ = picture.shape
        spot = place_of(picture, wanted)
        if spot is None or place[0] < 10:
            return spot is not None
        beside = max(abs(spot[0] - wide // 2), abs(spot[1] - high // 2))
        return bool(beside < 6 * CELL)

    first = sit("--theme", "light", "--cell", str(CELL), "--scene", "desktop", game=game)
    first.hand.key("p")
    wait_for(lambda: seen(first), "the cell opened last")
    for _ in range(20):
        first.hand.click(400, 500, 5)  # the wheel: the player looks elsewhere
    wait_for(lambda: not seen(first), "other cells")
    assert first.stop() == (130, "")
    state = data_dir / "cache" / "desktop.txt"
    assert state.exists()
    second = sit(*NOTHING_ASKED, game=game)
    early = second.hand.look()
    assert not state.exists()
    wait_for(second.hand.has_icon, "an icon")
    late = second.hand.look()
    clock = slice(0, 90)
    early[clock] = late[clock] = 0
    assert np.array_equal(early, late)
    second.hand.key("p")
    wait_for(lambda: seen(second), "the cell opened last once more")
