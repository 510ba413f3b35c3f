"""Hints, risks and verdicts, from a real solver beside the window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.accessibility import describe_cell_contents
from demine.desktop.controller import QtController
from demine.desktop.window.main_window import MainWindow
from demine.logic.event import Lay
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.picture.board import tile
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Cell
from demine.scene.overlay import UNKNOWN, Mark
from demine.store import Store
from tests.desktop.asking import ask, entry, until
from tests.desktop.board.test_widget import painted
from tests.desktop.room import click, room
from tests.desktop.test_pictures import picture_of
from tests.table import ROOT

__all__ = ["painted"]

pytestmark = pytest.mark.usefixtures("app")
ROW = "7x1/2 first=any"
HALL = "9x9/10"


@pytest.fixture
def window() -> Iterator[MainWindow]:
    with room(HALL, cell=24) as opened:
        yield opened


@pytest.fixture
def row() -> Iterator[MainWindow]:
    """A board of one row: 1 # 1 # # # #, whose second and sixth cells are mines."""
    with room(ROW, cell=24) as opened:
        lay(opened.controller, (0, 1), (0, 5))
        yield opened


def lay(controller: QtController, *mines: Cell) -> None:
    """Put the mines where a test needs them, and open what tells them."""
    mine_map = np.zeros(controller.session.game.rules.shape, np.bool_)
    for mine in mines:
        mine_map[mine] = True
    controller.session.game.lay(Lay(0, mine_map))
    controller.act_at(Command.ACT, (0, 0))
    controller.act_at(Command.ACT, (0, 2) if mine_map.shape[1] > 2 else (2, 0))


def marked(window: MainWindow, mark: Mark) -> list[Cell]:
    """Where a mark lies."""
    advice = window.controller.hints.overlay
    if advice is None:
        return []
    return [(int(row), int(col)) for row, col in np.argwhere(advice.marks == mark)]


def tile_at(window: MainWindow, cell: Cell) -> bytes:
    """The pixels of a cell as the board shows it."""
    spot = window.board.view.cell_rect(*cell)
    seen = picture_of(window.board)
    return seen[spot.y : spot.y + spot.height, spot.x : spot.x + spot.width].tobytes()


def rects(regions: list[QRegion]) -> list[QRect]:
    """The rectangles that were painted."""
    # PySide's stubs do not know that a region can be walked through.
    return [rect for region in regions for rect in cast("Iterable[QRect]", region)]


def processes() -> set[int]:
    """The processes this one has started."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(number) for task in tasks for number in task.read_text().split()}


# Hints


def test_a_key_asks_for_a_hint_that_is_painted_said_and_played(row: MainWindow) -> None:
    QTest.keyClick(row.board, Qt.Key.Key_H)
    assert row.central.message_bar.text == "thinking ..."
    until(lambda: marked(row, Mark.SAFE))
    assert marked(row, Mark.SAFE) == [(0, 3)]
    assert (
        tile_at(row, (0, 3)) == tile(row.theme, Face.COVERED, Look.PLAIN, 24, Mark.SAFE).tobytes()
    )
    assert row.central.message_bar.text.startswith("Row 0, column 3 is safe.")
    assert describe_cell_contents(row.controller, 0, 3) == "covered, safe, open it"
    assert row.controller.session.game.unranked == "hint"
    assert "practice: helped" in row.panel.line.text
    click(row, 0, 3)
    assert row.controller.faces[0, 3] == 0
    assert row.controller.hints.overlay is None
    assert row.central.message_bar.text == ""
    assert not row.central.message_bar.isHidden()  # the window keeps its size


def test_letting_go_of_a_hint_paints_its_cells_and_nothing_else(
    painted: list[QRegion], row: MainWindow
) -> None:
    ask(row)
    QApplication.processEvents()
    painted.clear()
    row.controller.dismiss_hints()
    QApplication.processEvents()
    area = sum(rect.width() * rect.height() for rect in rects(painted))
    assert area == 4 * 24 * 24  # two numbers, the mine between them and the cell


def test_the_bar_has_room_for_every_word_and_the_board_stays(window: MainWindow) -> None:
    window.controller.act_at(Command.ACT, (4, 4))
    QApplication.processEvents()
    before, board = window.size(), window.board.geometry()
    ask(window)
    QApplication.processEvents()
    bar = window.central.message_bar
    assert bar.height() >= bar.height_for(bar.text, bar.width())
    assert bar.geometry().top() > window.board.geometry().bottom()
    assert window.board.geometry() == board
    assert window.size().height() == before.height() + bar.height()
    window.run_command(Command.LANGUAGE)
    QApplication.processEvents()
    assert "安全" in bar.text
    assert "提示" in bar.footer
    assert bar.height() >= bar.height_for(bar.text, bar.width())
    window.run_command(Command.LANGUAGE)
    window.run_command(Command.CANCEL)
    QApplication.processEvents()
    assert bar.isHidden()
    assert window.board.geometry() == board
    assert window.size() == before
    assert window.controller.hints.overlay is None


def test_the_longest_sentence_makes_the_bar_grow(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.run_command(Command.HINT)  # before the first cell there is a word at once
    bar = window.central.message_bar
    low, board = bar.height(), window.board.geometry()
    assert "the first cell is safe" in bar.text
    assert window.controller.session.game.unranked != "hint"
    monkeypatch.setattr(type(window.controller.hints), "text", property(lambda _: "words " * 80))
    bar.refresh()
    QApplication.processEvents()
    assert bar.height() > low
    assert bar.height() >= bar.height_for(bar.text, bar.width())
    assert window.board.geometry() == board


def test_a_full_window_gives_the_bar_room_of_the_board(window: MainWindow) -> None:
    window.showFullScreen()
    QApplication.processEvents()
    size = window.size()
    window.controller.act_at(Command.ACT, (4, 4))
    ask(window)
    QApplication.processEvents()
    assert window.size() == size
    assert window.board.view.shows_whole_board
    assert window.central.message_bar.geometry().bottom() < window.central.height()


@pytest.mark.parametrize("text", ["9x9/10", "30x16/99", "100x80/1000"])
def test_the_bar_gives_back_what_it_took(text: str) -> None:
    with room(text, cell=40) as window:
        before, board = window.size(), window.board.geometry()
        window.run_command(Command.HINT)
        assert window.height() >= before.height()
        window.run_command(Command.CANCEL)
        QApplication.processEvents()
        assert (window.size(), window.board.geometry()) == (before, board)


def test_the_next_window_opens_as_if_there_had_been_no_bar(store: Store) -> None:
    with room(HALL, store, cell=24) as window:
        before = window.size()
        window.run_command(Command.HINT)
        assert window.size() != before
    with room(HALL, store, cell=24) as window:
        assert window.size() == before
        assert window.board.logical_cell_size == 24


def test_the_bar_goes_with_its_game(window: MainWindow) -> None:
    high = window.height()
    click(window, 4, 4)
    ask(window)
    assert not window.central.message_bar.isHidden()
    window.run_command(Command.NEW)
    assert window.central.message_bar.isHidden()
    assert window.height() == high
    click(window, 4, 4)
    ask(window)
    window.run_command(Command.EXPERT)
    assert window.central.message_bar.isHidden()
    assert window.board.view.shows_whole_board
    assert window.board.logical_cell_size == 24
    assert window.height() == (high - 9 * 24) + 16 * 24


def test_what_is_said_while_a_board_is_laid_goes_with_its_bar(window: MainWindow) -> None:
    window.controller.begin_game(Rules(30, 16, 99, guess_free=True))
    high = window.height()
    click(window, 8, 15)
    assert window.central.message_bar.text == "Laying a board that needs no guess ..."
    until(lambda: window.controller.session.game.begun)
    assert window.central.message_bar.isHidden()
    assert window.height() == high


def test_a_click_on_the_cross_puts_the_bar_away(window: MainWindow) -> None:
    window.run_command(Command.HINT)
    bar = window.central.message_bar
    assert not bar.isHidden()
    QTest.mouseClick(bar._close_button, Qt.MouseButton.LeftButton)
    assert bar.isHidden()


def test_a_hint_never_stops_the_window(window: MainWindow) -> None:
    window.controller.act_at(Command.ACT, (4, 4))
    ticks: list[int] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start(1)
    window.run_command(Command.HINT)
    assert window.controller.hints.load().is_waiting  # it did not wait
    until(lambda: not window.controller.hints.load().is_waiting)
    assert len(ticks) > 3
    timer.stop()


# Risks


def test_risks_follow_the_game(row: MainWindow) -> None:
    QTest.keyClick(row.board, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert entry(row, "Show risks").isChecked()
    until(lambda: row.controller.hints.overlay)
    advice = row.controller.hints.overlay
    assert advice is not None
    assert advice.risk.tolist() == [[UNKNOWN, 100, UNKNOWN, 0, 33, 33, 33]]
    assert tile_at(row, (0, 4)) == tile(row.theme, Face.COVERED, Look.PLAIN, 24, risk=33).tobytes()
    assert describe_cell_contents(row.controller, 0, 4) == "covered, 33 % risk"
    click(row, 0, 3)
    until(lambda: (found := row.controller.hints.overlay) and found.risk[0, 4] == 33)
    assert row.controller.session.game.unranked == "hint"
    row.run_command(Command.PAUSE)
    assert row.controller.hints.overlay is None
    row.run_command(Command.PAUSE)
    until(lambda: row.controller.hints.overlay)
    row.run_command(Command.CHANCES)
    assert row.controller.hints.overlay is None
    assert not entry(row, "Show risks").isChecked()


def test_there_are_no_risks_before_the_first_cell(window: MainWindow) -> None:
    entry(window, "Show risks").trigger()
    assert not entry(window, "Show risks").isChecked()
    assert window.central.message_bar.text


# A lost game


def test_a_lost_game_is_judged_and_undo_takes_it_back(row: MainWindow) -> None:
    click(row, 0, 5)
    assert row.controller.session.game.status is Status.LOST
    until(lambda: row.central.message_bar.text)
    assert "needless risk" in row.central.message_bar.text
    assert row.panel.line.text.startswith("Game over")
    assert marked(row, Mark.MISTAKE) == [(0, 5)]
    assert marked(row, Mark.MISSED) == [(0, 3)]
    assert describe_cell_contents(row.controller, 0, 3) == "covered, was safe for certain"
    row.run_command(Command.UNDO)
    assert row.central.message_bar.text == ""
    assert row.controller.hints.overlay is None
    click(row, 0, 5)
    until(lambda: row.central.message_bar.text)
    row.run_command(Command.NEW)
    assert row.central.message_bar.text == ""
    assert row.controller.session.game.ranked


# The other process


def test_nothing_of_the_solver_is_there_before_it_is_needed() -> None:
    program = """
import sys
import time
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.desktop.room import room
with room() as window:
    window.finish_startup()
    heavy = ("concurrent.futures", "demine.solver", "numba")
    print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
def test_a_killed_solver_is_replaced(window: MainWindow) -> None:
    before = processes()
    window.controller.act_at(Command.ACT, (4, 4))
    assert processes() == before
    window.run_command(Command.HINT)
    until(lambda: processes() - before)
    for number in processes() - before:
        os.kill(number, signal.SIGKILL)
    until(lambda: not window.controller.hints.load().is_waiting)
    window.run_command(Command.CANCEL)
    ask(window)
    assert marked(window, Mark.SAFE) + marked(window, Mark.GUESS)
    window.controller.stop_solver()
    until(lambda: processes() <= before)


def test_a_hint_out_of_sight_is_brought_into_sight_once() -> None:
    with room("1x99/2", cell=24) as window:
        window.resize(300, 400)
        lay(window.controller, (1, 0), (5, 0))
        window.board.centre_on_cell(98, 0)
        assert 2 not in window.board.view.visible_rows_and_cols()[0]
        ask(window)
        advice = window.controller.hints.overlay
        assert advice is not None
        assert advice.main_cell is not None
        assert advice.main_cell[0] in window.board.view.visible_rows_and_cols()[0]
        window.board.centre_on_cell(98, 0)
        window.controller.hints.follow_board()
        window.controller.hints_changed.emit()
        assert advice.main_cell[0] not in window.board.view.visible_rows_and_cols()[0]


def test_a_large_board_is_answered_or_refused_in_words(app: QApplication) -> None:
    with room("300x300/15000", cell=16) as window:
        window.controller.act_at(Command.ACT, (150, 150))
        window.run_command(Command.CHANCES)
        until(lambda: not window.controller.hints.load().is_waiting)
        assert window.controller.hints.overlay or window.central.message_bar.text
