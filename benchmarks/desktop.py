"""The desktop window beside the classic one and GNOME Mines, on one display in one run.

Measured as in `benchmarks/window.py`: milliseconds from starting the program to the first picture
with something in it, memory after three seconds, processor time while nobody touches anything, and
the time from a real mouse press (XTest) to the changed pixel. GNOME Mines shows a choice of sizes
first, which counts as its picture, and is asked for a board of its middle size as well. Besides:
one notch of the wheel on a board of 500 x 500 cells, to the changed pixel; and from the release
over a cell of an opening, and from the right button, to that cell's new picture, with motion on and
off by turns. `desktop` begins as a player does, where it was left, with the picture it kept;
`desktop --new`, `desktop expert` and the very first start, which finds no records, draw an
untouched board before there is a game. A bare Qt window with the same menus and a rectangle, which
a press paints red, shows what PySide takes by itself, as the bare pygame window of
`benchmarks/window.py` does for the classic one.

Needs Xvfb and python-xlib.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import numpy as np
from Xlib import X

from benchmarks.measure import Row, Run
from benchmarks.window import (
    CELL,
    CHOICE,
    PEER,
    PRESSES,
    STARTS,
    Program,
    approach,
    delay,
    idle,
    own_command,
    rest_rows,
    screen,
    start_rows,
    starts,
    telling_pixel,
)
from demine.game import Game
from demine.logic.event import Verb
from demine.logic.rules import EXPERT, Rules
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.store import Store
from tests.desktop.desk import Desk

NOTCHES: Final = 60
HUGE: Final = "500x500/50000"
WHEEL_DOWN, WHEEL_UP = 5, 4
OPENINGS: Final = "38x26/200"
TURNS: Final = 2
BARE: Final = """
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

class Inside(QWidget):
    pressed = False

    def paintEvent(self, event):
        painter = QPainter(self)
        red, green, blue = (200, 0, 0) if self.pressed else (90, 120, 90)
        painter.fillRect(QRect(50, 50, 200, 200), QColor(red, green, blue))
        painter.end()

    def mousePressEvent(self, event):
        self.pressed = True
        self.update()

app = QApplication(["bare"])
window = QMainWindow()
for title in ("&Game", "&View", "&Settings", "&Help"):
    window.menuBar().addMenu(title)
window.setCentralWidget(Inside())
window.resize(339, 431)
window.show()
app.exec()
"""


def rows(run: Run) -> list[Row]:
    """Return the times of starts and acts, and memory and work at rest."""
    with tempfile.TemporaryDirectory() as folder, screen() as name:
        programs = candidates(Path(folder))
        found = start_rows(starts(name, programs, run.often(STARTS)), 1 / 1.2)
        for program in programs:
            if program.name in {"desktop", PEER} and not run.quick:
                found += rest_rows(program.name, idle(name, program))
        acts = presses(name, Path(folder) / "presses")
        if not run.quick:
            acts |= motions(name, Path(folder) / "motion")
        acts["notch of the wheel on 500 x 500 cells"] = notches(name, Path(folder) / "notches")
    return [
        *found,
        *(Row(f"{kind} to pixel", statistics.median(took), "ms") for kind, took in acts.items()),
    ]


def candidates(folder: Path) -> list[Program]:
    """The programs that can be started here; each with a home of its own."""
    home = {"HOME": str(folder), "GSETTINGS_BACKEND": "memory", "LC_ALL": "C.UTF-8"}
    names = ("own", "classic", "nobody")
    player = {name: {**home, "DEMINE_DATA_DIR": str(folder / name)} for name in names}
    own, classic = own_command(), (*own_command(), "play", "--scene", "classic")
    programs = [
        Program("desktop", own, player["own"]),
        Program("desktop --new", (*own, "play", "--new"), player["own"]),
        Program("desktop expert --seed 7", (*own, "expert", "--seed", "7"), player["own"]),
        Program("desktop, the very first start", own, player["nobody"], forgets=True),
        Program("a bare Qt window", (sys.executable, "-c", BARE), home),
        Program("classic", classic, player["classic"]),
    ]
    gnome = shutil.which("gnome-mines", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if gnome:
        programs.append(Program(PEER, (gnome,), home, CHOICE))
        programs.append(Program("gnome-mines --medium", (gnome, "--medium"), home))
    return programs


def presses(name: str, folder: Path) -> dict[str, list[float]]:
    """Milliseconds from press to the sunk cell, from release to the opened one."""
    game = Game(EXPERT, 7)
    desk = Desk(
        name,
        *("expert", "--seed", "7", "--cell", str(CELL), "--theme", "light"),
        game=game,
        cell=CELL,
        DEMINE_DATA_DIR=str(folder),
    )
    desk.appear()
    desk.open(8, 15)
    alone = ~(game.board.mine_map | game.board.open_map) & (game.board.hint_map > 0)
    found: dict[str, list[float]] = {"press": [], "release": []}
    for row, col in np.argwhere(alone)[:PRESSES]:
        x, y = desk.middle(int(row), int(col))
        number = Face(int(game.board.hint_map[row, col]))
        sunk = telling_pixel(Face.COVERED, Look.PLAIN, Face.COVERED, Look.PRESSED)
        opened = telling_pixel(Face.COVERED, Look.PRESSED, number, Look.PLAIN)
        left, top = x - CELL // 2, y - CELL // 2
        approach(desk.hand, x, y)
        spot = left + sunk[0], top + sunk[1]
        found["press"].append(delay(desk.hand, desk.hand.press, spot))
        time.sleep(0.03)
        spot = left + opened[0], top + opened[1]
        found["release"].append(delay(desk.hand, desk.hand.release, spot))
    desk.end()
    return found


def motions(name: str, folder: Path) -> dict[str, list[float]]:
    """Milliseconds from act to cell for openings and flags, with motion and without, by turns."""
    found: dict[str, list[float]] = {}
    for turn in range(TURNS):
        for moving in (True, False):
            here = folder / f"{turn}-{moving}"
            with Store.open(here / "demine.db") as store:
                store.settings.set("motion", moving)
            for kind, took in openings_and_flags(name, here, 7 + turn).items():
                found.setdefault(f"{kind}, motion {'on' if moving else 'off'}", []).extend(took)
    return found


def openings_and_flags(name: str, folder: Path, seed: int) -> dict[str, list[float]]:
    """Milliseconds from act to cell: one click into each opening of a board, and some flags."""
    game = Game(Rules.parse(OPENINGS), seed)
    desk = Desk(
        name,
        *(OPENINGS, "--seed", str(seed), "--cell", str(CELL), "--theme", "light"),
        game=game,
        cell=CELL,
        DEMINE_DATA_DIR=str(folder),
    )
    desk.appear()
    desk.open(13, 19)
    found: dict[str, list[float]] = {"opening": [], "flag": []}
    board = game.board
    for row, col in np.argwhere(~board.mine_map & (board.hint_map == 0)).tolist():
        if not board.open_map[row, col]:
            found["opening"].append(acted(desk, row, col, 1))
            desk.follow(Verb.OPEN, row, col)
    for row, col in np.argwhere(board.mine_map)[:20].tolist():
        found["flag"].append(acted(desk, row, col, 3))
        desk.follow(Verb.FLAG, row, col)
    desk.end()
    return found


def acted(desk: Desk, row: int, col: int, button: int) -> float:
    """Milliseconds until a cell looks different after a click; the left button acts when let go."""
    x, y = desk.middle(row, col)
    approach(desk.hand, x, y)
    if button == 1:
        desk.hand.press(button)
        time.sleep(0.05)
    before = square(desk, x, y)
    begin = time.perf_counter()
    (desk.hand.release if button == 1 else desk.hand.press)(button)
    while square(desk, x, y) == before:
        if time.perf_counter() - begin > 5:
            raise TimeoutError("the cell never changed")
    took = (time.perf_counter() - begin) * 1000
    if button != 1:
        desk.hand.release(button)
    return took


def square(desk: Desk, x: int, y: int) -> bytes:
    """The pixels in the middle of a cell."""
    window = desk.hand.window
    if window is None:
        raise LookupError("no window was found yet")
    side = CELL // 2
    corner = (x - side // 2, y - side // 2)
    return bytes(window.get_image(*corner, side, side, X.ZPixmap, 0xFFFFFFFF).data)


def notches(name: str, folder: Path) -> list[float]:
    """Milliseconds from a notch of the wheel to the moved board, 500 x 500 cells large."""
    rules = Rules.parse(HUGE)
    desk = Desk(
        name,
        *(HUGE, "--seed", "7", "--cell", "16", "--theme", "light"),
        game=Game(rules, 7),
        cell=16,
        DEMINE_DATA_DIR=str(folder),
    )
    desk.hand.find("demine")
    time.sleep(1)
    wide, high = desk.hand.size()
    desk.hand.point(wide // 2, high // 2)
    desk.hand.click(wide // 2, high // 2)
    time.sleep(1)
    took = []
    for number in range(NOTCHES):
        button = WHEEL_DOWN if number % 12 < 6 else WHEEL_UP
        took.append(turned(desk, button))
        time.sleep(0.05)
    desk.end()
    return took


def turned(desk: Desk, button: int) -> float:
    """Milliseconds until a strip of the window is another one after a notch of the wheel."""
    before = strip(desk)
    begin = time.perf_counter()
    desk.hand.press(button)
    desk.hand.release(button)
    while strip(desk) == before:
        if time.perf_counter() - begin > 5:
            raise TimeoutError("the board did not move")
    return (time.perf_counter() - begin) * 1000


def strip(desk: Desk) -> bytes:
    """A column of pixels through the opening in the middle: covered cells all look the same."""
    window = desk.hand.window
    if window is None:
        raise LookupError("no window was found yet")
    x = desk.hand.size()[0] // 2
    return bytes(window.get_image(x, 200, 1, 800, X.ZPixmap, 0xFFFFFFFF).data)
