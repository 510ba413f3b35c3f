"""Python calls of one click on the desktop, from the press to the end of the paint, by module.

A number is opened on an expert board in a real window, with the store on. Counted are the `call`
events of `sys.setprofile`: unlike a time they are the same on every machine, and they show where a
click goes. On Linux without a screen, which may be `Xvfb`, Qt's own "offscreen" is taken.

    python -m benchmarks.click [--json]
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.measure import Row, Run
from demine.desktop.controller import QtController
from demine.desktop.install_translations import TranslationInstaller
from demine.desktop.window.main_window import MainWindow
from demine.logic.rules import EXPERT
from demine.play.clock import Clock
from demine.play.game_session import GameSession
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Mouse
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from PySide6.QtCore import QPoint

CLICKS: Final = 3
_PAINT_MS: Final = 60
"""A paint comes with the screen's next picture; nothing else is due for so long."""
_START_MS: Final = 800


@dataclass
class Calls:
    """The calls of one click; use `heard` with `sys.setprofile`."""

    modules: Counter[str] = field(default_factory=Counter)
    automata: set[int] = field(default_factory=set)
    """The mouse automata that heard the press."""

    def heard(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count a call."""
        if event != "call":
            return
        code = frame.f_code
        if code.co_filename == __file__:
            return  # the clock that stands is this program's, not the game's
        self.modules[module_name(code.co_filename)] += 1
        if code is Mouse.press.__code__:
            self.automata.add(id(frame.f_locals["self"]))


def rows(_run: Run) -> list[Row]:
    """Return the calls of the cheapest click."""
    return [Row("a number opened", counted().modules.total(), "calls", limit=400)]


def counted() -> Calls:
    """Return the cheapest click."""
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with TemporaryDirectory() as folder:
        return min(clicks(Path(folder)), key=lambda calls: calls.modules.total())


def main() -> None:
    """Print the calls of the cheapest click."""
    best = counted()
    if "--json" in sys.argv[1:]:
        calls = dict(best.modules.most_common())
        total, automata = best.modules.total(), len(best.automata)
        print(json.dumps({"calls": total, "automata": automata, "modules": calls}))
        return
    for name, count in best.modules.most_common():
        print(f"{count:>5}  {name}")
    print(f"{best.modules.total():>5}  in all; mouse automata: {len(best.automata)}")


def clicks(folder: Path) -> Iterator[Calls]:
    """Open a window on a new board and click on some of its numbers; yield the calls of each."""
    application = QApplication.instance() or QApplication(["demine-benchmark"])
    with Store.open(folder / "demine.db") as store:
        window = open_window(store)
        game = window.controller.session.game
        window.controller.act_at(Command.ACT, (8, 15))
        board = game.board
        covered = board.hint_map.astype(bool) & ~board.mine_map & ~board.open_map
        for row, col in np.argwhere(covered)[: CLICKS + 1].tolist():
            at = middle(window, row, col)
            QTest.mouseMove(window.board, at)
            QTest.qWait(_START_MS)  # hints are loaded beside the first picture
            yield click(window, at)
            assert board.open_map[row, col]
        window.close()
        window.controller.stop_solver()
    del application


def open_window(store: Store) -> MainWindow:
    """Return a window on an expert board whose clock stands: no second comes in between."""
    preferences, translations = Preferences(), TranslationInstaller()
    translations.install_language("en")
    clock = Clock(now=lambda: 0.5)
    session = GameSession.begin(store, StartOptions(rules=EXPERT, seed=7), preferences, clock)
    window = MainWindow()
    window.setup_ui(QtController(session, preferences), store, preferences, translations)
    window.open(fullscreen=False)
    QTest.qWaitForWindowExposed(window)
    return window


def middle(window: MainWindow, row: int, col: int) -> QPoint:
    """Return the middle of a cell as a point of the board."""
    spot, ratio = window.board.view.cell_rect(row, col), window.board.ratio
    at = window.board.rect().topLeft()
    at.setX(int((spot.x + spot.width / 2) / ratio))
    at.setY(int((spot.y + spot.height / 2) / ratio))
    return at


def click(window: MainWindow, at: QPoint) -> Calls:
    """Click at a point and wait for the paint; return the calls that took."""
    calls, left, none = Calls(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    sys.setprofile(calls.heard)
    try:
        QTest.mousePress(window.board, left, none, at)
        QTest.mouseRelease(window.board, left, none, at)
        QTest.qWait(_PAINT_MS)
    finally:
        sys.setprofile(None)
    return calls


def module_name(file: str) -> str:
    """Return the module of a code's file, from its library's folder on."""
    parts = Path(file).with_suffix("").parts
    for folder in ("src", "site-packages"):
        if folder in parts:
            return ".".join(parts[parts.index(folder) + 1 :])
    return "made by dataclasses and named tuples" if file == "<string>" else parts[-1]


if __name__ == "__main__":
    main()
