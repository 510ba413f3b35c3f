"""Whole windows beside reference pictures: every look, both languages, several moments."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFont, QFontDatabase, QImage
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from demine.desktop.window.main_window import MainWindow
from demine.logic.event import Verb
from demine.scene.key_bindings import Command
from demine.scene.themes import THEMES
from tests.desktop.room import room
from tests.pictures import compare

pytestmark = pytest.mark.usefixtures("app", "letters")
CELL = 24


@pytest.fixture
def letters() -> Iterator[None]:
    """The program's own letters: every machine has others."""
    data = pkgutil.get_data("demine.picture", "fonts/NotoSansSC-demine.otf")
    assert data is not None
    number = QFontDatabase.addApplicationFontFromData(QByteArray(data))
    before, font = QApplication.font(), QFont(QFontDatabase.applicationFontFamilies(number)[0])
    font.setPixelSize(13)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    QApplication.setFont(font)
    yield
    QApplication.setFont(before)
    QFontDatabase.removeApplicationFont(number)


def picture_of(widget: QWidget) -> NDArray[np.uint8]:
    """What a widget shows, uint8 (height, width, 3)."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()


def played(window: MainWindow) -> None:
    """An opening, two flags, one of them one too many, and the cursor."""
    window.controller.act_at(Command.ACT, (4, 4))
    for cell in mines(window)[:2]:
        window.controller.act_at(Command.FLAG, cell)
    window.controller.act_at(Command.FLAG, (0, 8))
    window.controller.move_cursor((5, 5))


def mines(window: MainWindow) -> list[tuple[int, int]]:
    """Where the mines are."""
    found = np.argwhere(window.controller.session.game.board.mine_map)
    return [(int(row), int(col)) for row, col in found]


def stopped(window: MainWindow) -> None:
    """A clock that tells the same time on every machine."""
    window.controller.session._clock.set(12_345, running=False)
    window.controller.panel_changed.emit()
    window.controller.words_changed.emit()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("look", list(THEMES))
def test_a_game_under_way(look: str, language: str, regenerate: bool) -> None:
    with room(theme=look, language=language, cell=CELL) as window:
        played(window)
        stopped(window)
        compare(
            picture_of(window),
            f"desktop/playing-{look}-{language}",
            regenerate,
            mean=0.6,
            worst=255,
        )


@pytest.mark.parametrize(
    ("look", "language"), [*((look, "en") for look in THEMES), ("light", "zh_CN")]
)
def test_a_paused_game(look: str, language: str, regenerate: bool) -> None:
    with room(theme=look, language=language, cell=CELL) as window:
        played(window)
        stopped(window)
        window.controller.run_command(Command.PAUSE)
        name = f"desktop/paused-{look}-{language}"
        compare(picture_of(window), name, regenerate, mean=0.6, worst=255)


@pytest.mark.parametrize("look", list(THEMES))
def test_a_lost_game(look: str, regenerate: bool) -> None:
    with room(theme=look, digits="plain", cell=CELL) as window:
        played(window)
        stopped(window)
        window.controller.act_at(Command.ACT, mines(window)[3])
        compare(picture_of(window), f"desktop/lost-{look}", regenerate, mean=0.6, worst=255)


def test_a_won_game(regenerate: bool) -> None:
    with room(theme="light", cell=CELL) as window:
        played(window)
        stopped(window)
        board = window.controller.session.game.board
        while not window.controller.session.game.status.over:
            row, col = np.argwhere(~(board.mine_map | board.open_map | board.flag_map))[0]
            window.controller.session.play(Verb.OPEN, int(row), int(col))
        window.controller._refresh()
        compare(picture_of(window), "desktop/won", regenerate, mean=0.6, worst=255)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_large_board_with_its_overview(look: str, regenerate: bool) -> None:
    with room("100x80/1000", theme=look, cell=CELL) as window:
        window.controller.act_at(Command.ACT, (40, 50))
        window.controller.move_cursor((40, 50))
        compare(picture_of(window), f"desktop/large-{look}", regenerate, mean=0.6, worst=255)


def test_a_board_ends_with_a_line_and_a_window_does_not(regenerate: bool) -> None:
    with room("100x80/1000", theme="light", cell=CELL) as window:
        window.controller.move_cursor((79, 99))
        corner = picture_of(window.board)[-120:, -120:]
        compare(corner, "desktop/corner", regenerate)
        edge = np.array(window.theme.edge, np.uint8)
        assert (corner == edge).all(axis=2).any()
        window.controller.move_cursor((40, 50))
        assert not (picture_of(window.board)[-120:, -120:] == edge).all(axis=2).any()


@pytest.mark.parametrize("look", list(THEMES))
def test_the_menus(look: str, regenerate: bool) -> None:
    with room(theme=look) as window:
        menus = [each.menu() for each in window.menuBar().actions()]
        pictures = [picture_of(menu) for menu in menus if isinstance(menu, QMenu)]
        high = max(picture.shape[0] for picture in pictures)
        padded = [np.pad(each, ((0, high - each.shape[0]), (0, 0), (0, 0))) for each in pictures]
        compare(
            np.concatenate(padded, axis=1), f"desktop/menus-{look}", regenerate, mean=0.6, worst=255
        )


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_no_menu_is_cut_off_on_a_small_screen(language: str) -> None:
    with room(language=language) as window:
        for entry in window.menuBar().actions():
            menu = entry.menu()
            assert isinstance(menu, QMenu)
            assert picture_of(menu).shape[0] == menu.sizeHint().height(), menu.title()
