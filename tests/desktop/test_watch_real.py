"""The player as people meet it: from the command line on a real screen, and from the records."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

import demine
from demine.desktop.dialogs.finished_game import FinishedGameDialog
from demine.desktop.dialogs.records import RecordsDialog
from demine.desktop.watch.replay_window import ReplayWindow
from demine.desktop.window.dialog_opener import DialogOpener
from demine.scene.themes import THEMES
from demine.store import Store
from tests.desktop.desk import environment
from tests.desktop.dialogs_desk import play, until
from tests.desktop.room import room
from tests.desktop.watch_desk import careless
from tests.hand import Hand, wait_for


@pytest.fixture
def file(tmp_path: Path) -> Path:
    target = tmp_path / "careless.jsonl"
    demine.save(careless(), target)
    return target


class Watcher:
    """One process of `demine watch` on a real display."""

    def __init__(self, display: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "demine", "watch", *arguments],
            env=environment(DISPLAY=display),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.hand = Hand(display)

    def end(self) -> tuple[int, str]:
        """Wait for the end of the process; return its code and what it said."""
        _, said = self.process.communicate(timeout=20)
        return self.process.returncode, said


Watch = Callable[..., Watcher]


@pytest.fixture
def watch(xvfb: str) -> Iterator[Watch]:
    found: list[Watcher] = []

    def start(*arguments: str) -> Watcher:
        found.append(Watcher(xvfb, *arguments))
        return found[-1]

    yield start
    for each in found:
        each.process.kill()
        each.process.communicate()
        wait_for(each.hand.gone, "the end of the window")
        each.hand.close()


def covered(picture: NDArray[np.uint8]) -> int:
    """How many pixels have the colour of a covered cell."""
    ink = np.array(THEMES["light"].covered, np.uint8)
    return int((picture == ink).all(axis=2).sum())


def test_a_file_is_played_stepped_and_left(watch: Watch, file: Path) -> None:
    seen = watch(str(file), "--theme", "light", "--at", "-5")
    seen.hand.find("demine")
    seen.hand.focus()
    first = wait_for(lambda: covered(seen.hand.look()), "a covered board")
    seen.hand.key("right")
    wait_for(lambda: 0 < covered(seen.hand.look()) < first, "the first opening")
    seen.hand.key("end")
    last = wait_for(lambda: covered(seen.hand.look()) < first / 2, "the end")
    assert last
    seen.hand.key("home")
    wait_for(lambda: covered(seen.hand.look()) == first, "the start")
    seen.hand.key("space")
    wait_for(lambda: covered(seen.hand.look()) < first, "the game going on")
    seen.hand.key("escape")
    assert seen.end() == (0, "")


def test_closing_and_interrupting_end_the_process(watch: Watch, file: Path) -> None:
    seen = watch(str(file))
    seen.hand.find("demine")
    seen.hand.ask_to_close()
    assert seen.end() == (0, "")
    seen = watch(str(file))
    seen.hand.find("demine")
    wait_for(lambda: covered(seen.hand.look()) >= 0, "a picture")
    seen.process.send_signal(signal.SIGINT)
    assert seen.end() == (130, "")


def test_a_damaged_file_opens_no_window(watch: Watch, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.avf"
    damaged.write_bytes(b"\x04" + b"\x00" * 50)
    code, said = watch(str(damaged)).end()
    assert code == 2
    assert len(said.splitlines()) == 1
    assert "damaged.avf" in said


@pytest.mark.usefixtures("app")
def test_records_open_a_game_in_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def look() -> None:
        game = QApplication.activeModalWidget()
        assert isinstance(game, FinishedGameDialog)
        button = next(each for each in game.findChildren(QPushButton) if "atch" in each.text())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        window = game.findChild(ReplayWindow)
        assert window is not None
        until(lambda: window.isVisible() and window.playing)
        looked.append(window.windowTitle())
        window.close()
        game.reject()

    with Store.memory() as store:
        play(store, 2, monkeypatch)
        with room(store=store) as main:
            QTimer.singleShot(0, lambda: QTimer.singleShot(0, look))
            pages = DialogOpener(main, main.controller, store, main.change_preferences)
            dialog = RecordsDialog(
                main, store, main.controller.session.game.rules, main.theme, pages.watch
            )
            dialog.show_game(store.games(limit=1)[0].id)
    assert len(looked) == 1
    # The board alone: what the first click does is no part of its name here.
    assert " · 20 × 14, 40 mines · " in looked[0]
