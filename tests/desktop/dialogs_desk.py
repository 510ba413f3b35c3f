"""What the tests of dialogs stand on: one application, a language, and a player's past."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("PySide6.QtWidgets")

from PySide6.QtCore import QDeadlineTimer, QEvent, QLibraryInfo, Qt, QTranslator
from PySide6.QtGui import QAccessible, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QHeaderView,
    QLabel,
    QTabBar,
    QTabWidget,
    QWidget,
)

from demine.desktop.colour_scheme import apply_colour_scheme
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.scene.preferences import Preferences
from demine.scene.translation import set_language
from demine.store import Store
from demine.store.utc_text import utc_text

SAFE = Rules(20, 14, 40, first="safe")
PATIENCE_MS = 40_000


def application() -> QApplication:
    """The one application of this process, in a style that every platform has."""
    found = QApplication.instance()
    if isinstance(found, QApplication):
        return found
    # Only while Qt starts: other tests see to it that nothing opens where nobody looks.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QT_QPA_PLATFORM", "offscreen")
        app = QApplication(["demine-tests"])
    app.setStyle("Fusion")
    return app


@pytest.fixture
def app() -> Iterator[QApplication]:
    """The application, in English and in light colours; windows left open are closed."""
    app = application()
    set_language("en")
    apply_colour_scheme(Preferences())  # whatever look the test before wore
    yield app
    set_language("en")
    for window in app.topLevelWidgets():
        window.close()
        window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    app.processEvents()


@contextmanager
def chinese() -> Iterator[None]:
    """Speak Chinese meanwhile, as the application does it: our messages, then Qt's own."""
    translator = QTranslator()
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    assert translator.load("qtbase_zh_CN", folder)
    set_language("zh_CN")
    application().installTranslator(translator)
    application().processEvents()
    try:
        yield
    finally:
        set_language("en")
        application().removeTranslator(translator)
        application().processEvents()


def until(fits: Callable[[], bool]) -> None:
    """Let the application work until something is so; a failure when it takes too long."""
    deadline = QDeadlineTimer(PATIENCE_MS)
    while not fits():
        assert not deadline.hasExpired(), f"waited {PATIENCE_MS} ms in vain"
        # Qt's own `qWait` holds Python's lock while it sleeps: no thread would get on.
        application().processEvents()
        application().sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        time.sleep(0.005)


def shown(dialog: QDialog) -> QDialog:
    """The dialog on the screen."""
    dialog.show()
    QTest.qWaitForWindowExposed(dialog)
    QTest.qWait(1)
    return dialog


def pixels(widget: QWidget) -> NDArray[np.uint8]:
    """What a widget looks like: uint8 (height, width, 3)."""
    grabbed = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    high, wide = grabbed.height(), grabbed.width()
    rows = np.frombuffer(grabbed.constBits(), np.uint8).reshape(high, grabbed.bytesPerLine())
    return rows[:, : wide * 3].reshape(high, wide, 3).copy()


def dark_palette() -> QPalette:
    """The colours of a dark platform, whole enough to look at."""
    palette = QPalette()
    for role, colour in (
        (QPalette.ColorRole.Window, "#2b2b2b"),
        (QPalette.ColorRole.WindowText, "#eeeeee"),
        (QPalette.ColorRole.Base, "#1e1e1e"),
        (QPalette.ColorRole.AlternateBase, "#262626"),
        (QPalette.ColorRole.Text, "#eeeeee"),
        (QPalette.ColorRole.Button, "#3a3a3a"),
        (QPalette.ColorRole.ButtonText, "#eeeeee"),
        (QPalette.ColorRole.PlaceholderText, "#999999"),
    ):
        palette.setColor(role, colour)
    return palette


# What a dialog says


def texts(widget: QWidget) -> list[str]:
    """Every text on visible buttons, labels and tabs."""
    written: list[QAbstractButton | QLabel] = [
        *widget.findChildren(QAbstractButton),
        *widget.findChildren(QLabel),
    ]
    found = [child.text() for child in written if child.isVisible() and child.text()]
    for tabs in widget.findChildren(QTabWidget):
        found += [tabs.tabText(place) for place in range(tabs.count())]
    return found


def access_keys(widget: QWidget) -> list[str]:
    """The letters that Alt reaches something visible by, one for each thing."""
    marked = [text.replace("&&", "") for text in texts(widget)]
    return [text[text.index("&") + 1].lower() for text in marked if "&" in text[:-1]]


def nameless(widget: QWidget) -> list[QWidget]:
    """The visible controls that a screen reader hears no name of, asked as it asks."""
    controls = [
        child
        for child in widget.findChildren(QWidget)
        if child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    # What lies inside a control (a header, the line of a spin box) speaks through it, and
    # a bar of tabs through its tabs.
    return [
        control
        for control in controls
        if not spoken_name(control)
        and not isinstance(control, QTabWidget | QTabBar | QHeaderView)
        and control.parentWidget() not in controls
    ]


def spoken_name(widget: QWidget) -> str:
    """The name of a widget in the accessibility tree."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


# A past


def play(store: Store, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play games through the rules, one every eleven hours: won, lost and resigned."""
    dice, start = random.Random(3), datetime(2026, 8, 1, tzinfo=UTC)
    for number in range(count):
        moment = utc_text(start + timedelta(hours=11 * number))
        monkeypatch.setattr("demine.store.store.utc_now_text", lambda moment=moment: moment)
        monkeypatch.setattr("demine.store.running_game.utc_now_text", lambda moment=moment: moment)
        rules = dice.choice([BEGINNER, BEGINNER, EXPERT, SAFE])
        origin = dice.choice(["fresh"] * 8 + ["seed", "again"])
        live = store.begin(Game(rules, dice.getrandbits(30), origin=origin))
        share = 1 - 0.4 * number / count
        time_ms = int((rules.cells * 80 + 2000) * dice.lognormvariate(0, 0.25) * share)
        finish(live.game, dice, time_ms, careless=dice.random() < 0.6 - 0.3 * number / count)
        live.record()


def finish(game: Game, dice: random.Random, time_ms: int, *, careless: bool) -> None:
    """Flag mines and open the rest in a random order; a careless player opens a mine half-way."""
    height, width = game.rules.shape
    game.play(Act(0, Verb.OPEN, height // 2, width // 2))
    cells = [(row, col) for row in range(height) for col in range(width)]
    dice.shuffle(cells)
    for number, (row, col) in enumerate(cells):
        if game.status.over:
            return
        t = time_ms * number // len(cells)
        if not game.board.mine_map[row, col]:
            if not game.board.open_map[row, col]:
                game.play(Act(t, Verb.OPEN, row, col))
        elif careless and 2 * number > len(cells):
            game.play(Act(t, Verb.OPEN, row, col))
        else:
            game.play(Act(t, Verb.FLAG, row, col))
    if not game.status.over:
        game.play(Act(time_ms, Verb.RESIGN))
