"""Hints, risks and verdicts, from a real solver beside the window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QGuiApplication, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.accessibility import describe_cell_contents
from demine.desktop.controller import QtController
from demine.desktop.message_strip import REVIEW
from demine.desktop.window.main_window import MainWindow
from demine.logic.event import Lay
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.picture.board import tile
from demine.play.board_message import BoardMessage, MessageKind
from demine.play.end_summary import EndSummary, luck_text
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.header_layout import Tool
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Cell
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.preferences import Preferences
from demine.scene.translation import set_language, tr
from demine.store import Store
from demine.store.errors import StoreError
from tests.desktop.asking import ask, entry, until
from tests.desktop.board.test_widget import painted
from tests.desktop.room import click, middle, room
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


def test_a_hint_out_of_sight_does_not_move_the_board_under_a_hand(row: MainWindow) -> None:
    row.board.set_cell_size_or_fit(row.board.width())
    row.board.centre_on_cell(0, 0)
    view, none = row.board.view, Qt.KeyboardModifier.NoModifier
    middle = row.board.rect().center()
    QTest.mousePress(row.board, Qt.MouseButton.LeftButton, none, middle)
    ask(row)
    assert marked(row, Mark.SAFE) == [(0, 3)]
    assert row.board.view == view
    assert not row.board.show_hint_out_of_sight()
    QTest.mouseRelease(row.board, Qt.MouseButton.LeftButton, none, middle)
    assert row.board.view == view  # the pointer may press at any moment
    assert row.board.hint_is_out_of_sight
    assert "H go there" in row.central.message_strip.footer
    overlay = row.controller.hints.overlay
    QTest.keyClick(row.board, Qt.Key.Key_H)  # at once, and it is the same hint
    assert row.board.cell_at(middle.toPointF()) == (0, 3)
    assert row.controller.hints.overlay is overlay
    assert "H hint" in row.central.message_strip.footer


def test_the_board_goes_to_a_hint_once_the_pointer_has_left(row: MainWindow) -> None:
    row.board.set_cell_size_or_fit(row.board.width())
    row.board.centre_on_cell(0, 0)
    middle = row.board.rect().center()
    QTest.mouseMove(row.board, middle)
    until(lambda: row.controller.pointer is not None)
    view = row.board.view
    ask(row)
    assert row.board.view == view
    QTest.mouseMove(row.central.message_strip, QPoint(9, 9))
    until(lambda: row.board.view != view)
    assert row.board.cell_at(middle.toPointF()) == (0, 3)
    row.board.centre_on_cell(0, 0)  # the player looks elsewhere, and stays there
    view = row.board.view
    QApplication.sendEvent(row.board, QEvent(QEvent.Type.Leave))
    assert row.board.view == view


def test_a_key_asks_for_a_hint_that_is_painted_said_and_played(row: MainWindow) -> None:
    QTest.keyClick(row.board, Qt.Key.Key_H)
    assert row.central.message_strip.text == "Thinking…"
    until(lambda: marked(row, Mark.SAFE))
    assert marked(row, Mark.SAFE) == [(0, 3)]
    assert (
        tile_at(row, (0, 3)) == tile(row.theme, Face.COVERED, Look.PLAIN, 24, Mark.SAFE).tobytes()
    )
    assert row.central.message_strip.text.startswith("Row 1, column 4 is safe.")
    assert describe_cell_contents(row.controller, 0, 3) == "covered, safe, open it"
    assert row.controller.session.game.unranked == "hint"
    assert "practice: helped" in row.windowTitle()
    click(row, 0, 3)
    assert row.controller.faces[0, 3] == 0
    assert row.controller.hints.overlay is None
    assert row.controller.board_message().kind is MessageKind.TIP
    assert row.central.message_strip.isVisible()  # the window keeps its size


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


def test_a_hint_stands_below_the_board_in_either_language(window: MainWindow) -> None:
    window.controller.act_at(Command.ACT, (4, 4))
    ask(window)
    QApplication.processEvents()
    strip = window.central.message_strip
    assert strip.shown_text.startswith(strip.text[:40])
    assert strip.geometry().top() > window.board.geometry().bottom()
    window.run_command(Command.LANGUAGE)
    assert strip.text == "简体中文"
    window.controller.news.clear()
    window.controller.tick()
    QApplication.processEvents()
    assert "安全" in strip.text
    assert "提示" in strip.footer
    assert strip.shown_text == strip.text
    window.run_command(Command.LANGUAGE)
    window.run_command(Command.CANCEL)
    assert window.controller.hints.overlay is None


def test_a_text_that_is_too_long_is_elided_and_whole_in_the_tool_tip(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.run_command(Command.HINT)  # before the first cell there is a word at once
    strip = window.central.message_strip
    assert strip.shown_text == strip.text == "Start anywhere: the first cell is safe"
    assert window.controller.session.game.unranked != "hint"
    long = "words " * 80
    monkeypatch.setattr(type(window.controller.hints), "text", property(lambda _: long))
    strip.refresh()
    assert strip.shown_text.endswith("…")
    room = strip.fontMetrics().boundingRect(
        QRect(0, 0, strip.width() - 16, 1000), int(Qt.TextFlag.TextWordWrap), strip.shown_text
    )
    assert 0 < room.height() < strip.height()
    assert strip.toolTip() == long


@pytest.mark.parametrize("text", ["9x9/10", "30x16/99", "100x80/1000"])
@pytest.mark.parametrize("wins", [False, True])
def test_the_board_never_moves(text: str, *, wins: bool) -> None:
    """From the start to the end of a game, whatever is said, every pixel of it stays."""
    with room(text, cell=24) as window:
        seen: dict[str, object] = {}

        def note(state: str) -> None:
            QApplication.processEvents()
            board, strip = window.board, window.central.message_strip
            corner = board.mapToGlobal(board.rect().topLeft())
            seen[state] = (
                corner,
                board.size(),
                board.view.board_rect,
                window.geometry(),
                strip.height(),
            )

        note("start")
        window.run_command(Command.HINT)
        note("no hint yet")
        window.controller.act_at(Command.ACT, (4, 4))
        note("running")
        ask(window)
        assert window.central.message_strip.text
        note("hint")
        window.run_command(Command.CANCEL)
        note("no hint any more")
        window.controller.show_error(StoreError("The records were damaged. " * 20))
        note("trouble")
        window.controller.dismiss_trouble()
        window.run_command(Command.PAUSE)
        note("paused")
        window.run_command(Command.PAUSE)
        game = window.controller.session.game
        if wins:
            for row, col in np.argwhere(~game.board.mine_map):
                window.controller.act_at(Command.ACT, (int(row), int(col)))
        else:
            row, col = np.argwhere(game.board.mine_map)[0]
            window.controller.act_at(Command.ACT, (int(row), int(col)))
            note("lost")
            until(lambda: not window.controller.hints.is_waiting_for_solver)
        assert game.status is (Status.WON if wins else Status.LOST)
        note("over")
        window.run_command(Command.NEW)
        note("new game")
        moved = {state: place for state, place in seen.items() if place != seen["start"]}
        assert not moved, seen["start"]


def test_a_full_window_gives_the_bar_room_of_the_board(window: MainWindow) -> None:
    window.showFullScreen()
    QApplication.processEvents()
    size = window.size()
    window.controller.act_at(Command.ACT, (4, 4))
    ask(window)
    QApplication.processEvents()
    assert window.size() == size
    assert window.board.view.shows_whole_board
    assert window.central.message_strip.geometry().bottom() < window.central.height()


def test_the_next_window_opens_as_if_nothing_had_been_said(store: Store) -> None:
    with room(HALL, store, cell=24) as window:
        before = window.size()
        window.run_command(Command.HINT)
    with room(HALL, store, cell=24) as window:
        assert window.size() == before
        assert window.board.logical_cell_size == 24


def test_what_is_said_goes_with_its_game(window: MainWindow) -> None:
    strip = window.central.message_strip
    high = strip.height()
    click(window, 4, 4)
    ask(window)
    assert window.controller.board_message().kind is MessageKind.HINT
    window.run_command(Command.NEW)
    assert window.controller.board_message().kind is MessageKind.TIP
    click(window, 4, 4)
    ask(window)
    window.run_command(Command.EXPERT)
    window.controller.dismiss_old_news()
    assert strip.text.startswith("Left click opens")
    assert window.board.view.shows_whole_board
    assert strip.height() == high


def test_what_is_said_while_a_board_is_laid_goes_when_it_is(window: MainWindow) -> None:
    window.controller.begin_game(Rules(30, 16, 99, guess_free=True))
    click(window, 8, 15)
    assert window.central.message_strip.text == "Making a guess-free board…"
    until(lambda: window.controller.session.game.begun)
    assert "Laying" not in window.central.message_strip.text


def test_a_click_on_the_cross_dismisses_a_hint(window: MainWindow) -> None:
    window.run_command(Command.HINT)
    strip = window.central.message_strip
    assert "Esc close" in strip.footer
    QTest.mouseClick(strip.close_button, Qt.MouseButton.LeftButton)
    assert strip.text.startswith("Left click opens")
    assert not strip.close_button.isVisible()


# The tip


def test_a_tip_is_shown_until_a_game_is_over_and_never_again(store: Store) -> None:
    with room(ROW, store, cell=24) as window:
        strip = window.central.message_strip
        assert strip.text.splitlines() == [
            "Left click opens, right click flags",
            "Both buttons on a number open its neighbours",
            "H gives a hint, F1 shows the keys",
        ]
        assert not strip.close_button.isVisible()
        lay(window.controller, (0, 1), (0, 5))
        assert strip.text.startswith("Left click opens")
        click(window, 0, 5)
        window.run_command(Command.NEW)
        window.controller.dismiss_old_news()
        assert strip.text == ""
    kept = Preferences.from_settings(store.settings.all())
    assert kept.start_tip is False
    with room(ROW, store, start_tip=kept.start_tip) as window:
        assert window.central.message_strip.text == ""


def test_flags_alone_do_not_end_the_tip(window: MainWindow) -> None:
    for col in range(5):
        click(window, 0, col, Qt.MouseButton.RightButton)
    assert window.controller.board_message().kind is MessageKind.TIP


def test_the_tip_names_the_key_that_gives_a_hint() -> None:
    with room(HALL, keys="vi") as window:
        assert "F4 gives a hint" in window.central.message_strip.text


def test_a_click_dismisses_the_tip_for_good(store: Store) -> None:
    with room(ROW, store) as window:
        QTest.mouseClick(window.central.message_strip, Qt.MouseButton.LeftButton)
        assert window.central.message_strip.text == ""
    assert Preferences.from_settings(store.settings.all()).start_tip is False


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_tip_fits_the_narrowest_strip(
    window: MainWindow, language: str, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: set_language("en"))
    set_language(language)
    strip = window.central.message_strip
    strip.retranslate_ui()
    strip.resize(348, strip.sizeHint().height())
    assert strip.shown_text == strip.text
    assert len(strip.text.splitlines()) == 3


def test_a_hint_never_stops_the_window(window: MainWindow) -> None:
    window.controller.act_at(Command.ACT, (4, 4))
    ticks: list[int] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start(1)
    window.run_command(Command.HINT)
    assert window.controller.hints.load().is_waiting_for_solver  # it did not wait
    until(lambda: not window.controller.hints.load().is_waiting_for_solver)
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
    written = tile(row.theme, Face.COVERED, Look.PLAIN, 24, risk=33).tobytes()
    assert [tile_at(row, (0, col)) == written for col in (4, 5, 6)] == [False, True, False]
    assert describe_cell_contents(row.controller, 0, 4) == "covered, 33% risk"
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


def test_the_exact_risk_is_said_where_the_player_looks(row: MainWindow) -> None:
    strip = row.central.message_strip
    QTest.keyClick(row.board, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    until(lambda: row.controller.hints.overlay)
    before = row.board.view
    assert strip.text == "Lowest risk 0%; point at a cell to see its own"
    QTest.mouseMove(row.board, middle(row, 0, 4))
    until(lambda: strip.text == "33.3% risk here")
    row.run_command(Command.LEFT)  # the cursor appears at a cell
    row.controller.move_cursor((0, 1))
    assert strip.text == "100% risk here"
    row.controller.move_cursor((0, 0))  # it is open, and has none
    assert strip.text.startswith("Lowest risk")
    row.run_command(Command.CHANCES)
    row.controller.move_cursor((0, 1))
    assert "risk" not in strip.text
    assert row.board.view == before


def test_there_are_no_risks_before_the_first_cell(window: MainWindow) -> None:
    entry(window, "Show risks").trigger()
    assert not entry(window, "Show risks").isChecked()
    assert window.central.message_strip.text


# A lost game


def test_a_lost_game_is_judged_and_undo_takes_it_back(row: MainWindow) -> None:
    click(row, 0, 5)
    assert row.controller.session.game.status is Status.LOST
    until(lambda: "%" in row.central.message_strip.text and row.controller.hints.text)
    assert "A needless " in row.central.message_strip.text
    assert marked(row, Mark.MISTAKE) == []  # nothing covers the red of the mine that was hit
    assert tile_at(row, (0, 5)) == tile(row.theme, Face.BLOWN, Look.PLAIN, 24).tobytes()
    assert marked(row, Mark.MISSED) == [(0, 3)]
    assert describe_cell_contents(row.controller, 0, 3) == "covered, was certainly safe"
    row.run_command(Command.UNDO)
    assert row.central.message_strip.text.startswith("Undone, 2 more to undo")
    assert row.controller.hints.overlay is None
    click(row, 0, 5)
    until(lambda: row.controller.hints.text)
    row.run_command(Command.NEW)
    assert row.central.message_strip.text == ""
    assert row.controller.session.game.ranked


def test_the_word_after_a_loss_can_be_turned_off(row: MainWindow) -> None:
    hints = row.controller.hints.load()
    row.change_preferences({"word_after_loss": False})
    click(row, 0, 5)
    assert row.controller.session.game.status is Status.LOST
    assert [each.purpose for each in hints._asked] == ["guesses"]
    assert "% open" in row.central.message_strip.text
    row.run_command(Command.UNDO)
    row.change_preferences({"word_after_loss": True})
    click(row, 0, 5)
    assert [each.purpose for each in hints._asked] == ["judge", "guesses"]


def test_the_end_is_told_with_buttons_and_covers_no_cell(row: MainWindow) -> None:
    strip, board = row.central.message_strip, row.board
    again, review, share = strip.buttons
    assert not any(button.isVisible() for button in strip.buttons)
    click(row, 0, 5)
    assert row.controller.board_message().headline.startswith("You hit a mine after ")
    assert strip.toolTip().startswith("You hit a mine after ")
    for button in strip.buttons:
        assert button.isVisible()
        assert strip.rect().contains(button.geometry())
        assert button.mapTo(row, button.rect().topLeft()).y() > board.geometry().bottom()
    QTest.mouseClick(share, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == row.controller.session.game.share()
    asked: list[object] = []
    strip.command_triggered.connect(asked.append)
    strip.command_triggered.disconnect(row.run_command)
    QTest.mouseClick(review, Qt.MouseButton.LeftButton)
    assert asked == [REVIEW]
    strip.command_triggered.connect(row.run_command)
    played = row.controller.session.game
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    assert row.controller.session.game.share() == played.share()
    click(row, 0, 5)
    QTest.mouseClick(row.panel.tools[Tool.NEW], Qt.MouseButton.LeftButton)
    assert not row.controller.session.game.begun
    assert not any(button.isVisible() for button in strip.buttons)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_end_fits_the_narrowest_strip(
    row: MainWindow, language: str, request: pytest.FixtureRequest
) -> None:
    """At 348 pixels nothing is cut: what an end means and its first figures stand in two lines."""
    request.addfinalizer(lambda: set_language("en"))
    set_language(language)
    strip = row.central.message_strip
    click(row, 0, 5)
    row.controller.hints.dismiss()
    strip.resize(348, strip.sizeHint().height())
    strip.retranslate_ui()
    assert all(strip.rect().contains(button.geometry()) for button in strip.buttons)
    figures = ("3BV/s 12.34", tr("efficiency {percent}%", percent=104), "3BV 132", "127")
    best = (tr("New best, {gain} s faster", gain="10.300"), tr("{n} wins in a row", n=10))
    won, lost = (
        tr("You won in {time} s", time="341.832"),
        tr("You hit a mine after {time} s", time=9),
    )
    luck = luck_text(2, 0.444)
    for headline, meaning in ((won, best), (won, best[1:]), (lost, (tr("practice: helped"),))):
        said = EndSummary(True, headline, meaning, "", figures)
        strip.show_message(BoardMessage.of_end(said, ""))
        bold, plain = QFontMetrics(strip._bold_font()), QFontMetrics(strip.font())
        assert bold.horizontalAdvance(strip.shown_headline) <= 332
        assert plain.horizontalAdvance(strip.shown_text) <= 332
        told = f"{strip.shown_headline} · {strip.shown_text}".split(" · ")
        assert told == [headline, *meaning, *figures][: len(told)]
        assert figures[0] in told
        before = strip.shown_text
        strip.show_message(BoardMessage.of_end(replace(said, luck=luck), ""))
        assert strip.shown_text in {before, f"{before} · {luck}"}  # nothing moves when it comes
        assert plain.horizontalAdvance(strip.shown_text) <= 332
        assert luck in strip.toolTip()
    assert strip.shown_text.endswith(luck)
    strip.resize(1000, strip.height())
    strip.place_between(0, 1000)
    assert strip.shown_text.endswith(f"{figures[-1]} · {luck}")


def test_a_win_is_told_in_green_and_a_loss_in_red(row: MainWindow) -> None:
    click(row, 0, 3)
    click(row, 0, 4)
    click(row, 0, 6)
    message = row.controller.board_message()
    assert message.kind is MessageKind.WON
    assert message.headline.startswith("You won in ")
    assert "efficiency" in message.full_text
    assert row.theme.won_text in colours_of(row)
    assert row.theme.lost_text not in colours_of(row)
    row.run_command(Command.NEW)
    lay(row.controller, (0, 1), (0, 5))
    click(row, 0, 5)
    assert row.theme.lost_text in colours_of(row)
    assert row.theme.won_text not in colours_of(row)


def colours_of(window: MainWindow) -> set[tuple[int, ...]]:
    """The colours in the strip."""
    QApplication.processEvents()
    seen = picture_of(window.central.message_strip).reshape(-1, 3)
    return {tuple(map(int, colour)) for colour in np.unique(seen, axis=0)}


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
    until(lambda: not window.controller.hints.load().is_waiting_for_solver)
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
        QApplication.sendEvent(window.board, QEvent(QEvent.Type.Leave))
        ask(window)
        advice = window.controller.hints.overlay
        assert advice is not None
        assert advice.main_cell is not None
        assert advice.main_cell[0] in window.board.view.visible_rows_and_cols()[0]
        window.board.centre_on_cell(98, 0)
        window.controller.hints.drop_outdated_hints()
        window.controller.hints_changed.emit()
        assert advice.main_cell[0] not in window.board.view.visible_rows_and_cols()[0]


def test_a_large_board_is_answered_or_refused_in_words(app: QApplication) -> None:
    with room("300x300/15000", cell=16) as window:
        window.controller.act_at(Command.ACT, (150, 150))
        window.run_command(Command.CHANCES)
        until(lambda: not window.controller.hints.load().is_waiting_for_solver)
        assert window.controller.hints.overlay or window.central.message_strip.text
