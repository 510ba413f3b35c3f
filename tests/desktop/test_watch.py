"""The player: played, sought, stepped, asked and left, in a window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from demine.desktop.watch.menus import MENUS
from demine.desktop.watch.replay_window import ReplayWindow
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.sight import sight
from demine.scene.translation import set_language
from demine.solver.exact.probability import mine_probability
from demine.store import Store
from tests.desktop.dialogs_desk import nameless, until
from tests.desktop.watch_desk import careless, watching
from tests.png_reader import read_png

pytestmark = pytest.mark.usefixtures("app")
SHIFT = Qt.KeyboardModifier.ShiftModifier


def key(window: ReplayWindow, which: Qt.Key, held: Qt.KeyboardModifier | None = None) -> None:
    QTest.keyClick(window.board, which, held or Qt.KeyboardModifier.NoModifier)


def test_space_plays_until_the_end_and_again() -> None:
    with watching() as window:
        window.set_speed(16)
        assert window.playback.ms == window.playback.start
        key(window, Qt.Key.Key_Space)
        until(lambda: window.playback.ended)
        until(lambda: not window.playing)
        assert window.playback.ended
        faces = window.playback.snapshot().faces
        assert np.array_equal(faces, sight(window.playback.game))
        key(window, Qt.Key.Key_Space)
        assert window.playback.ms < window.playback.end
        key(window, Qt.Key.Key_Space)
        now = window.playback.ms
        QApplication.processEvents()
        assert window.playback.ms == now


def test_arrows_step_by_act_and_by_second() -> None:
    with watching() as window:
        for done in (1, 2, 3):
            key(window, Qt.Key.Key_Right)
            assert window.playback.acts_done == done
        assert "3 of" in window.line.text
        assert "flags" in window.line.text
        key(window, Qt.Key.Key_Left)
        assert window.playback.acts_done == 2
        before = window.playback.ms
        key(window, Qt.Key.Key_Right, SHIFT)
        assert window.playback.ms == before + 1000
        key(window, Qt.Key.Key_Left, SHIFT)
        assert window.playback.ms == before
        key(window, Qt.Key.Key_End)
        assert window.playback.ended
        key(window, Qt.Key.Key_Home)
        assert window.playback.ms == window.playback.start


def test_speeds_by_keys_and_by_the_list() -> None:
    with watching() as window:
        for which in (Qt.Key.Key_Up, Qt.Key.Key_BracketRight):
            key(window, which)
        assert window.playback.speed == 2
        for which in (Qt.Key.Key_Down, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketLeft):
            key(window, which)
        assert window.playback.speed == 0.75
        assert window.transport.speed.currentText() == "0.75×"
        window.transport.speed.activated.emit(0)
        assert window.playback.speed == 0.1
        window.set_speed(3)
        assert window.transport.speed.currentIndex() == -1
        assert window.transport.speed.placeholderText() == "3×"


def test_the_bar_is_clicked_dragged_and_wheeled() -> None:
    with watching() as window:
        bar, playback = window.seek_bar, window.playback
        middle = QPoint(bar.width() // 2, bar.height() // 2)
        QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=middle)
        half = (playback.start + playback.end) / 2
        assert abs(playback.ms - half) < (playback.end - playback.start) / 100
        QTest.mouseMove(bar, QPoint(bar.width() + 50, 5))
        until(lambda: playback.ended)
        QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=middle)
        none = Qt.KeyboardModifier.NoModifier
        for turn, wanted in ((-120, playback.end - 1000), (240, playback.end)):
            turned = QWheelEvent(
                QPointF(middle), QPointF(middle), QPoint(), QPoint(0, turn),
                Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(bar, turned)
            assert playback.ms == wanted
        assert bar.value() == playback.end


def test_risks_are_those_of_the_solver() -> None:
    with watching() as window:
        key(window, Qt.Key.Key_Right)
        key(window, Qt.Key.Key_O)
        until(lambda: window.shown_overlay() is not None)
        overlay = window.shown_overlay()
        assert overlay is not None
        faces = window.playback.snapshot().faces
        wanted = mine_probability(faces, 10)
        assert np.array_equal(overlay.risk == UNKNOWN, np.isnan(wanted))
        assert np.array_equal(overlay.risk == 0, wanted == 0)
        key(window, Qt.Key.Key_O)
        assert window.shown_overlay() is None


def test_jumps_lead_to_each_guess_and_mistake_just_before_it() -> None:
    with watching() as window:
        key(window, Qt.Key.Key_M)
        assert "Judging" in window.line.text
        until(lambda: not window.jumps.waiting)
        seen = []
        while True:
            place = window.playback.place
            event = window.playback.events[place]
            assert isinstance(event, Act)
            assert not window.playback.snapshot().looks[event.row, event.col]
            overlay = window.shown_overlay()
            assert overlay is not None
            assert overlay.marks[event.row, event.col] == Mark.MISTAKE
            seen.append(place)
            key(window, Qt.Key.Key_M)
            if window.playback.place == place:
                break
        assert "No more mistakes" in window.line.text
        judged = window.jumps.judged
        mistakes = {"avoidable", "blunder", "certain-mine"}
        assert seen == [at for at, each in judged.items() if each.verdict.value in mistakes]
        assert seen
        key(window, Qt.Key.Key_Right)
        assert window.shown_overlay() is None
        key(window, Qt.Key.Key_Home)
        key(window, Qt.Key.Key_G)
        assert window.playback.place <= seen[0]


def test_a_game_without_openings_says_why_it_cannot_be_judged() -> None:
    with watching(Game(BEGINNER, 7)) as window:
        key(window, Qt.Key.Key_G)
        until(lambda: "nothing to judge" in window.line.text)
        key(window, Qt.Key.Key_Space)
        until(lambda: not window.playing)


def test_the_path_is_shown_as_chosen_and_remembered() -> None:
    with Store.memory() as store:
        with watching(store=store) as window:
            window.playback.seek(window.playback.end)
            window.refresh()
            last = window.shown_trail()
            key(window, Qt.Key.Key_P)
            whole = window.shown_trail()
            assert last is not None
            assert whole is not None
            assert 0 < len(last.points) < len(whole.points)
            key(window, Qt.Key.Key_P)
            assert window.shown_trail() is None
        with watching(store=store) as window:
            assert window.path == "off"
            assert window.menus.actions["path-off"].isChecked()


def test_the_pointer_and_its_way_are_painted() -> None:
    with watching() as window:
        window.playback.seek(window.playback.end - 1)
        window.set_path_mode("whole")
        ink = QColor(*window.theme.cursor).rgb()
        picture = window.board.grab().toImage()
        spots = [(x, y) for x in range(picture.width()) for y in range(picture.height())
                 if picture.pixel(x, y) == ink]  # fmt: skip
        assert len(spots) > 500


def test_a_frame_and_the_game_are_saved(tmp_path: Path) -> None:
    with watching() as window:
        key(window, Qt.Key.Key_Right)
        window.exporter.save_frame(str(tmp_path / "frame.png"))
        picture = read_png((tmp_path / "frame.png").read_bytes())
        assert picture.shape[0] > 9 * window.board.view.cell
        assert "frame.png" in window.line.text
        window.exporter.save_animation(str(tmp_path / "game.gif"), 8, 16.0)
        until(lambda: "game.gif" in window.line.text)
        assert (tmp_path / "game.gif").read_bytes()[:6] == b"GIF89a"
        window.exporter.save_frame(str(tmp_path / "no" / "where.png"))
        assert "there is no folder " in window.line.text


def test_a_recording_that_is_stopped_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "game.gif"
    target.write_bytes(b"before")
    with watching() as window:
        window.exporter.save_animation(str(target), 16, 0.1)
        window.exporter.stop()
        until(lambda: "Nothing was saved" in window.line.text)
    assert target.read_bytes() == b"before"
    assert list(tmp_path.glob("*")) == [target, *tmp_path.glob("player")]


def test_every_deed_of_the_menus_is_done_and_no_key_is_taken_twice() -> None:
    keys = [key for _, entries in MENUS for _, _, keys in entries for key in keys]
    assert len(set(keys)) == len(keys)
    asks = {
        "png",
        "gif",
        "analyse",
        "choose",
        "close",
        "fullscreen",
        "guess",
        "mistake",
        "help",
        "",
    }
    with watching() as window:
        for _, entries in MENUS:
            for deed, _, _ in entries:
                if deed not in asks:
                    window.run_command(deed)
        assert window.isVisible()


def test_escape_leaves_full_screen_and_then_the_window() -> None:
    with watching() as window:
        key(window, Qt.Key.Key_F)
        assert window.isFullScreen()
        key(window, Qt.Key.Key_Escape)
        assert not window.isFullScreen()
        assert window.isVisible()
        key(window, Qt.Key.Key_Escape)
        assert not window.isVisible()


def test_every_control_has_a_name_and_space_presses_the_one_with_the_keyboard() -> None:
    with watching() as window:
        assert nameless(window) == []
        button = window.transport.signs["forth"]
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert window.playback.acts_done == 1
        assert not window.playing
        buttons = [each for each in window.findChildren(QToolButton) if each.isVisible()]
        assert all(each.accessibleName() or each.text() for each in buttons)


def test_a_game_by_keyboard_shows_its_cursor() -> None:
    game = Game(BEGINNER, 7)
    game.play(Act(0, Verb.OPEN, 4, 4))
    with watching(game) as window:
        window.playback.seek(window.playback.end)
        window.refresh()
        assert window.playback.snapshot().cursor == (4, 4)


def test_another_language_is_spoken_at_once() -> None:
    with watching() as window:
        before = window.menus.actions["play"].text()
        set_language("zh_CN")
        QApplication.sendEvent(window, QEvent(QEvent.Type.LanguageChange))
        assert window.menus.actions["play"].text() != before
        assert window.transport.signs["play"].accessibleName() != "Play"
        set_language("en")


def test_the_title_says_what_is_watched() -> None:
    with watching() as window:
        seconds = f"{careless().time_ms / 1000:.3f}"
        assert window.windowTitle() == f"game.jsonl · Beginner · won in {seconds} s — demine"


def test_keeps_going_when_the_watcher_seeks_while_it_plays() -> None:
    with watching() as window:
        key(window, Qt.Key.Key_Space)
        key(window, Qt.Key.Key_Right, SHIFT)
        assert window.playing
        now = window.playback.ms
        until(lambda: window.playback.ms > now)
        key(window, Qt.Key.Key_Right)
        assert not window.playing
