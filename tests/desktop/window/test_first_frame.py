"""The first picture of a board nobody has touched: to the pixel what is played a moment later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop import colour_scheme, panel
from demine.desktop.controller import QtController
from demine.desktop.qt_translation import Interpreter
from demine.desktop.window.main_window import MainWindow
from demine.desktop.window.saved_geometry import PLACE, Place
from demine.desktop.window.startup_window import StartupWindow
from demine.logic.event import Verb
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.play.session import Session, opened
from demine.scene.preferences import Preferences, Wishes, first_language
from demine.scene.translation import detect, set_language
from tests.desktop.desk import CELL, environment
from tests.hand import Hand, wait_for

pytestmark = pytest.mark.usefixtures("app")
NEW = Wishes(new=True)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The language of the system, and the colours as they were, before and after."""
    set_language(detect())
    yield
    set_language("en")
    colour_scheme.follow(Preferences(theme="light"))


def remember(**settings: object) -> None:
    """Keep settings as a player leaves them."""
    with opened() as (store, _):
        for name, value in settings.items():
            store.settings.set(name, value)


@contextmanager
def starting(wishes: Wishes) -> Iterator[tuple[MainWindow, QImage | None]]:
    """Open a window as a start does; yield it with the first picture, if there was one."""
    window = MainWindow()
    shown = StartupWindow(window).show(wishes)
    first = window.grab().toImage() if shown else None
    with opened() as (store, _):
        preferences = Preferences.read({**store.settings.all(), **wishes.settings})
        interpreter = Interpreter()
        interpreter.speak(first_language(preferences, wishes))
        session = Session.begin(store, wishes, preferences)
        window.furnish(QtController(session, preferences), store, preferences, interpreter)
        window.open(fullscreen=wishes.fullscreen, as_asked="cell" in wishes.settings)
        window.controller.tick()
        QTest.qWaitForWindowExposed(window)
        QApplication.processEvents()
        yield window, first
        window.close()
        interpreter.speak("en")
    window.deleteLater()


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(),
        NEW,
        Wishes(rules=EXPERT),
        Wishes(rules=BEGINNER, seed=7),
        Wishes(rules=Rules.parse("7x5/3")),
        Wishes(rules=Rules.parse("200x150/2000"), settings={"cell": 20}),
        Wishes(rules=Rules.parse("200x150/2000"), settings={"cell": 20, "minimap": False}),
        Wishes(settings={"theme": "dark"}),
        Wishes(settings={"theme": "contrast"}),
        Wishes(settings={"theme": "classic", "cell": 30}),
        Wishes(settings={"language": "zh_CN"}),
        Wishes(rules=EXPERT, seed=3, settings={"language": "zh_CN", "theme": "light"}),
        Wishes(settings={"digits": "plain", "palette": "strong"}),
    ],
    ids=str,
)
def test_it_is_what_comes(data_dir: Path, wishes: Wishes) -> None:
    with starting(wishes) as (window, first):
        assert first is not None
        assert window.grab().toImage() == first
        assert window.furnished


def test_it_is_what_comes_at_other_places_and_settings(data_dir: Path) -> None:
    remember(theme="dark", rules="12x10/15", cell=26)
    with starting(NEW) as (window, first):
        assert window.grab().toImage() == first
        window.resize(window.width() + 40, window.height() + 20)
        place = Place.of(window, 10, 12, 0)
        size = window.size()
    remember(**{PLACE: asdict(place)})
    with starting(NEW) as (window, first):
        assert window.size() == size
        assert window.grab().toImage() == first


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(rules=Rules.parse("9x9/10 guess-free")),
        Wishes(settings={"counters": True}),
        Wishes(fullscreen=True),
    ],
    ids=str,
)
def test_what_is_not_known_is_not_shown(data_dir: Path, wishes: Wishes) -> None:
    with starting(wishes) as (window, first):
        assert first is None
        assert window.furnished


def test_a_game_that_goes_on_is_not_shown_as_untouched(data_dir: Path) -> None:
    with opened() as (store, _):
        assert Session.begin(store, Wishes(), Preferences()).play(Verb.OPEN, 4, 4)
    assert not StartupWindow(MainWindow()).show(Wishes())


def test_a_window_moved_meanwhile_stays_there(data_dir: Path) -> None:
    window = MainWindow()
    assert StartupWindow(window).show(NEW)
    window.setGeometry(120, 80, window.width() + 60, window.height() + 30)
    QApplication.processEvents()
    moved = window.geometry()
    with opened() as (store, _):
        preferences = Preferences()
        session = Session.begin(store, NEW, preferences)
        window.furnish(QtController(session, preferences), store, preferences, Interpreter())
        window.open(fullscreen=False)
        QApplication.processEvents()
        assert window.geometry() == moved
        assert window.board.view.fitted
        window.close()


def test_the_menus_are_there_once(data_dir: Path) -> None:
    with starting(NEW) as (window, _):
        titles = [action.text() for action in window.menuBar().actions()]
    assert titles == ["&Game", "&View", "&Settings", "&Help"]


def test_flags_are_those_of_qt() -> None:
    assert int(Qt.AlignmentFlag.AlignCenter) == panel.CENTRE
    assert int(Qt.TextFlag.TextWordWrap) == panel.WRAP


@pytest.mark.parametrize("role", list(QPalette.ColorRole)[:10])
def test_a_light_look_on_a_light_system_changes_no_colour(role: QPalette.ColorRole) -> None:
    colour_scheme.follow(Preferences(theme="light"))
    before = QApplication.palette().color(role)
    colour_scheme.follow_quickly(Preferences(theme="classic"))
    assert QApplication.palette().color(role) == before
    assert colour_scheme.follow(Preferences(theme="classic")) == colour_scheme.follow_quickly(
        Preferences(theme="classic")
    )
    assert QApplication.palette().color(role) == before


PROBE = """
import sys
from demine.cli.scene_selection import _obstacle
assert _obstacle("desktop") is None
from demine.desktop.application import application
from demine.desktop.window.startup_window import StartupWindow
from demine.desktop.window.main_window import MainWindow
from demine.scene.preferences import Wishes
app = application()
assert StartupWindow(MainWindow()).show(Wishes())
from PySide6 import QtCore
slow = {"numpy", "sqlite3", "json", "demine.logic.game"} & set(sys.modules)
if "Qt" in vars(QtCore):
    slow.add("Qt's own names")
print(*slow)
"""


def test_nothing_slow_is_loaded_before_it(data_dir: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "\n"


# On a real screen

HALTING = f"""
import sys
from demine.desktop.window.startup_window import StartupWindow
from demine.cli.main import run

show = StartupWindow.show

def halt(self, wishes):
    shown = show(self, wishes)
    sys.stdin.readline()
    return shown

StartupWindow.show = halt
sys.exit(run(["play", "--scene", "desktop", "--new", "--cell", "{CELL}", "--theme", "light"]))
"""


class Halted:
    """A desktop that stands still after its first picture until it is told to go on."""

    def __init__(self, display: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HALTING],
            env=environment(DISPLAY=display),
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.hand = Hand(display)
        self.hand.find("demine")
        wait_for(lambda: self.hand.look().std() > 1, "the first picture")

    def go_on(self) -> None:
        """Let it load the rest."""
        if self.process.stdin is not None:
            self.process.stdin.write("\n")
            self.process.stdin.flush()


@pytest.fixture
def halted(xvfb: str, data_dir: Path) -> Iterator[Halted]:
    """One such desktop."""
    desktop = Halted(xvfb)
    yield desktop
    desktop.hand.close()
    desktop.process.kill()
    desktop.process.communicate()


def test_nothing_moves_when_the_rest_comes(halted: Halted) -> None:
    first = halted.hand.look()
    halted.go_on()
    # The icon is the last thing that is made.
    wait_for(halted.hand.has_icon, "an icon")
    np.testing.assert_array_equal(halted.hand.look(), first)


def test_a_hand_quicker_than_the_board_is_heard(halted: Halted) -> None:
    first = halted.hand.look()
    wide, high = halted.hand.size()
    halted.hand.click(wide // 2, high - 9 * CELL // 2)
    assert np.array_equal(halted.hand.look(), first)
    halted.go_on()
    wait_for(lambda: not np.array_equal(halted.hand.look(), first), "an opening")


def test_ctrl_c_at_the_picture_ends_it(halted: Halted) -> None:
    halted.process.send_signal(signal.SIGINT)
    halted.go_on()
    _, said = halted.process.communicate(timeout=20)
    assert (halted.process.returncode, said) == (130, "")
