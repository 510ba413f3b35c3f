"""The windows as they start: their first frame, and what they show once everything is loaded."""

from __future__ import annotations

import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import ClassVar, Final

import numpy as np
import pygame
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.classic import first_frame
from demine.classic.scene import Scene
from demine.classic.window import Window, screen_size
from demine.desktop.controller import QtController
from demine.desktop.install_translations import TranslationInstaller
from demine.desktop.window.main_window import MainWindow
from demine.desktop.window.startup_window import StartupWindow
from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, StartOptions, language_at_start
from demine.scene.translation import set_language
from tests.hand import Hand, wait_for
from tests.table import environment

Pixels = NDArray[np.uint8]
SIZE: Final = (360, 240)
"""Width and height of the picture that `StartingWindow.keep` keeps."""


class StartingWindow(ABC):
    """A window of one scene from its first frame to the loaded game."""

    name: ClassVar[str]
    file: ClassVar[str]
    """How the names of the files with its kept picture begin."""
    program: ClassVar[str]
    """Shows the first frame of a start with `wishes`, and adds to `slow` what else was loaded."""
    shower: ClassVar[tuple[str, str]]
    """Whose `show` does so: how it is imported, and its name."""

    @abstractmethod
    def first(self, wishes: StartOptions) -> bool:
        """Show the first frame in a new window; return whether there is one."""

    @abstractmethod
    def loaded(self, wishes: StartOptions) -> Pixels:
        """Begin the game in the same window; return what it shows when everything is loaded."""

    @abstractmethod
    def pixels(self) -> Pixels:
        """Return what the window shows, `(height, width, 3)`."""

    @abstractmethod
    def keep(self) -> None:
        """Keep a picture as a window does that is closed."""

    @abstractmethod
    def close(self) -> None:
        """Close the window."""

    def recalled(self, wishes: StartOptions) -> bool:
        """Whether a new window begins with the picture that was kept."""
        return self.first(wishes) and self.pixels().shape == (*SIZE[::-1], 3)


class Classic(StartingWindow):
    """The classic window, on SDL's dummy screen."""

    name = "classic"
    file = "window"
    program = """
from demine.classic.first_frame import show
from demine.classic.window import Window
assert show(Window("demine"), wishes)
"""
    shower = ("from demine.classic import first_frame", "first_frame.show")

    def __init__(self) -> None:
        self.window = Window("demine")

    def first(self, wishes: StartOptions) -> bool:
        return first_frame.show(self.window, wishes)

    def loaded(self, wishes: StartOptions) -> Pixels:
        with opened_store() as (store, _):
            preferences = Preferences.from_settings({**store.settings.all(), **wishes.settings})
            set_language(language_at_start(preferences, wishes))
            session = GameSession.begin(store, wishes, preferences)
            session.save_settings(wishes.settings)
            scene = Scene(self.window, session, preferences, screen_size(), _no_answer)
            scene.tick()
            scene.draw()
            session.close()
            return self.pixels()

    def pixels(self) -> Pixels:
        surface = self.window.surface
        found = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
        return found.reshape(surface.get_height(), surface.get_width(), 3)

    def keep(self) -> None:
        surface = pygame.Surface(SIZE)
        surface.fill((10, 200, 30), (20, 20, 30, 30))
        first_frame.save_for_next_start(surface)

    def close(self) -> None:
        pygame.display.quit()


def _no_answer(*_: object, **__: object) -> Future[object]:
    return Future()


class Desktop(StartingWindow):
    """The desktop's window, on Qt's offscreen platform."""

    name = "desktop"
    file = "desktop"
    program = """
from demine.cli.scene_selection import _scene_obstacle
assert _scene_obstacle("desktop") is None
from demine.desktop.qt_application import application
from demine.desktop.window.startup_window import StartupWindow
from demine.desktop.window.main_window import MainWindow
app = application()
assert StartupWindow(MainWindow()).show_first_frame(wishes)
from PySide6 import QtCore
if "Qt" in vars(QtCore):
    slow.add("Qt's own names")
"""
    shower = (
        "from demine.desktop.window.startup_window import StartupWindow",
        "StartupWindow.show_first_frame",
    )

    def __init__(self) -> None:
        self.window = MainWindow()

    def first(self, wishes: StartOptions) -> bool:
        self.close()
        self.window = MainWindow()
        return StartupWindow(self.window).show_first_frame(wishes)

    def loaded(self, wishes: StartOptions) -> Pixels:
        with window_set_up(self.window, wishes):
            return self.pixels()

    def pixels(self) -> Pixels:
        image = self.window.grab().toImage().convertToFormat(QImage.Format.Format_RGBA8888)
        found = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
        return found[:, :, :3].copy()

    def keep(self) -> None:
        window = MainWindow()
        window.resize(*SIZE)
        closing = StartupWindow(window)
        closing.grab_picture()
        closing.save_picture()

    def close(self) -> None:
        self.window.close()


@contextmanager
def window_set_up(window: MainWindow, wishes: StartOptions) -> Iterator[None]:
    """The desktop's window when everything is loaded; it is closed in the end."""
    with opened_store() as (store, _):
        preferences = Preferences.from_settings({**store.settings.all(), **wishes.settings})
        translations = TranslationInstaller()
        translations.install_language(language_at_start(preferences, wishes))
        session = GameSession.begin(store, wishes, preferences)
        window.setup_ui(QtController(session, preferences), store, preferences, translations)
        window.open(fullscreen=wishes.fullscreen, ignore_saved_size="cell" in wishes.settings)
        window.controller.tick()
        QTest.qWaitForWindowExposed(window)
        QApplication.processEvents()
        assert window.is_set_up
        yield
        window.close()
        translations.install_language("en")
    window.deleteLater()


HALTING = """
import sys
{statement}
from demine.cli.main import run

show = {function}

def halt(*args):
    shown = show(*args)
    sys.stdin.readline()
    return shown

{function} = halt
sys.exit(run(["play", "--scene", "{scene}", "--new", "--cell", "{cell}", "--theme", "light"]))
"""


class HaltedStart:
    """A window on a real screen that stands still after its first frame until it is to go on."""

    def __init__(self, scene: type[StartingWindow], display: str, cell: int) -> None:
        statement, function = scene.shower
        code = HALTING.format(statement=statement, function=function, scene=scene.name, cell=cell)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment(DISPLAY=display),
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.hand = Hand(display)
        self.hand.find("demine")
        wait_for(lambda: self.hand.look().std() > 1, "the first frame")
        self.hand.focus()

    def go_on(self) -> None:
        """Let it load the rest."""
        if self.process.stdin is not None:
            self.process.stdin.write("\n")
            self.process.stdin.flush()

    def end(self) -> None:
        """Leave nothing behind."""
        self.hand.close()
        self.process.kill()
        self.process.communicate()
