"""The picture a window opens with: what it will show, or none."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QMainWindow

from demine.desktop.afterimage import Afterimage, Picture
from demine.logic.rules import BEGINNER
from demine.scene.wishes import Wishes
from tests.desktop.desk import Desk
from tests.hand import wait_for

pytestmark = pytest.mark.usefixtures("app")
Sit = Callable[..., Desk]
NOTHING_ASKED = ("--scene", "desktop")


def recall(window: QMainWindow, wishes: Wishes) -> bool:
    """Whether a window opens with a picture."""
    return Afterimage(window).recall(wishes)


@pytest.fixture
def kept(data_dir: Path) -> Path:
    """The folder in which a picture was just kept."""
    data_dir.mkdir()
    (data_dir / "demine.db").write_bytes(b"records")
    window = QMainWindow()
    window.resize(320, 240)
    parting = Afterimage(window)
    parting.take()
    parting.keep()
    return data_dir


def test_a_picture_is_shown_once(kept: Path) -> None:
    window = QMainWindow()
    assert recall(window, Wishes())
    assert isinstance(window.centralWidget(), Picture)
    assert (window.width(), window.height()) == (320, 240)
    assert not recall(QMainWindow(), Wishes())


def test_nothing_is_shown_to_one_who_asks_for_something(kept: Path) -> None:
    assert not recall(QMainWindow(), Wishes(rules=BEGINNER))


def test_nothing_is_shown_when_the_records_are_others(kept: Path) -> None:
    (kept / "demine.db").write_bytes(b"other records")
    assert not recall(QMainWindow(), Wishes())


def test_nothing_is_shown_in_another_language(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert not recall(QMainWindow(), Wishes())


def test_nothing_is_shown_in_another_font(kept: Path) -> None:
    before = QApplication.font()
    larger = QApplication.font()
    larger.setPointSize(before.pointSize() + 5)
    QApplication.setFont(larger)
    try:
        assert not recall(QMainWindow(), Wishes())
    finally:
        QApplication.setFont(before)


@pytest.mark.parametrize("name", ["desktop.png", "desktop.place", "desktop.txt"])
def test_what_somebody_else_wrote_is_not_shown(kept: Path, name: str) -> None:
    (kept / "cache" / name).write_bytes(b"\xff\xfe nothing of ours")
    assert not recall(QMainWindow(), Wishes())


def test_nothing_is_shown_when_the_system_turned_dark(kept: Path) -> None:
    before, dark = QApplication.palette(), QPalette(QColor("black"))
    QApplication.setPalette(dark)
    try:
        assert not recall(QMainWindow(), Wishes())
    finally:
        QApplication.setPalette(before)


def test_a_window_of_which_no_picture_was_taken_keeps_none(data_dir: Path) -> None:
    Afterimage(QMainWindow()).keep()
    assert not data_dir.exists()


def test_a_folder_nobody_can_write_keeps_nothing(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_dir.parent.mkdir(exist_ok=True)
    data_dir.write_text("a file, no folder", encoding="utf-8")
    parting = Afterimage(QMainWindow())
    parting.take()
    parting.keep()
    assert not recall(QMainWindow(), Wishes())


@pytest.mark.parametrize("look", ["light", "contrast"])
def test_the_next_start_shows_the_same_window(sit: Sit, data_dir: Path, look: str) -> None:
    first = sit("--theme", look, look=look, cell=35)
    faces = first.play_a_little()
    first.hand.key("p")  # a clock that stands shows the same second
    wait_for(lambda: not first.shows(faces), "a hidden board")
    assert first.stop() == (130, "")
    state = data_dir / "cache" / "desktop.txt"
    assert state.exists()
    second = sit(*NOTHING_ASKED, look=look, cell=35)
    assert not state.exists()
    early = second.hand.look()
    time.sleep(1.0)
    late = second.hand.look()
    assert np.array_equal(early, late)
    second.hand.key("p")
    second.expect_faces(faces)
    second.kill()
    assert not state.exists()
