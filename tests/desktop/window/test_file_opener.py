"""Files opened over the window: from the menu, dropped, damaged, recent, and what is not lost."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QMenu

import demine
from demine.desktop.watch.replay_window import ReplayWindow
from demine.desktop.window.main_window import MainWindow
from demine.logic.daily_board import Daily
from demine.logic.event import Verb
from demine.logic.game import Origin
from demine.play.opened_files import MOST_RECENT, RECENT_FILES_SETTING
from demine.replay.load_save import load, save
from demine.replay.model import Replay
from demine.replay.registry import writable_replay_formats
from demine.scene.key_bindings import Command
from demine.store.daily import today_utc
from tests.desktop.dialogs_desk import until
from tests.desktop.room import click

pytestmark = pytest.mark.usefixtures("app")
GOLDEN = Path(__file__).parents[2] / "golden"
LOST = GOLDEN / "beginner-lost-by-a-chord.jsonl"
BOARD = "4x3/2\n*...\n....\n...*\n"


def players(window: MainWindow) -> list[ReplayWindow]:
    """The players that stand over a window."""
    return [each for each in window.findChildren(ReplayWindow) if each.isVisible()]


def drop(window: MainWindow, *paths: Path, text: str = "") -> None:
    """Drag files or a text over the window, and let go of them."""
    dropped = QMimeData()
    if paths:
        dropped.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    if text:
        dropped.setText(text)
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    until(window.acceptDrops)
    entered = QDragEnterEvent(QPoint(9, 9), copy, dropped, left, none)
    QApplication.sendEvent(window, entered)
    assert entered.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), copy, dropped, left, none))


def test_a_recording_opens_beside_the_game_under_way(window: MainWindow) -> None:
    click(window, 4, 4)
    game = window.controller.session.game
    drop(window, LOST)
    until(lambda: bool(players(window)))
    player = players(window)[0]
    assert player.playback.game.seed == 7
    assert LOST.name in player.windowTitle()
    assert window.controller.session.game is game
    player.close()


def test_a_board_begins_and_a_slip_is_taken_back(window: MainWindow, tmp_path: Path) -> None:
    click(window, 4, 4)
    window.controller.session.play(Verb.FLAG, *_covered(window))
    game = window.controller.session.game
    path = tmp_path / "a board.txt"
    path.write_text(BOARD, encoding="utf-8")
    drop(window, path)
    until(lambda: window.controller.session.game is not game)
    opened = window.controller.session.game
    assert opened.rules.shape == (3, 4)
    assert opened.board.mine_map[0, 0]
    assert opened.origin is Origin.SHARE
    window.run_command(Command.UNDO)
    assert window.controller.session.game is game


def _covered(window: MainWindow) -> tuple[int, int]:
    opened = window.controller.session.game.board.open_map
    row, col = divmod(int((~opened).argmax()), opened.shape[1])
    return row, col


def test_a_share_code_is_dropped_as_text(window: MainWindow) -> None:
    other = demine.Game(demine.Rules.parse("16x16/40"), seed=3)
    other.play(demine.Act(0, Verb.OPEN, 5, 5))
    drop(window, text=f" {other.share()}\n")
    until(lambda: window.controller.session.game.rules.shape == (16, 16))
    assert (window.controller.session.game.board.mine_map == other.board.mine_map).all()


def test_of_several_files_the_first_is_opened(window: MainWindow, tmp_path: Path) -> None:
    drop(window, LOST, tmp_path / "another.avf")
    assert window.controller.news.text == "Opened the first of 2 files"
    until(lambda: bool(players(window)))
    players(window)[0].close()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n\xff\xfe", "it is a picture"),
        ("notes.txt", b"Dear diary,\n", "neither a replay nor a board"),
        ("empty.avf", b"", "“empty.avf” cannot be opened: it is empty"),
        (
            "cut.jsonl",
            b'{"demine":1,"rules":"9x9/10","seed":7}\n[0,"op\n[9]\n',
            "“cut.jsonl” cannot be",
        ),
        ("bad.txt", b"4x3/2\n*..\n", "“bad.txt” cannot be opened"),
        ("a\x1b[31m\u202e.avf", b"\0", "a\\x1b[31m\\u202e.avf” is neither"),
    ],
)
def test_what_cannot_be_opened_is_told(
    window: MainWindow, tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    game = window.controller.session.game
    path = tmp_path / name
    path.write_bytes(content)
    window.files.open_file(str(path))
    until(lambda: bool(window.controller.trouble))
    assert told in window.central.message_strip.text
    assert window.controller.session.game is game
    assert window.store.settings.get(RECENT_FILES_SETTING) is None


def test_a_missing_file_and_a_folder_are_told(window: MainWindow, tmp_path: Path) -> None:
    window.files.open_file(str(tmp_path / "gone.avf"))
    until(lambda: "“gone.avf” cannot be opened: there is no such" in window.controller.trouble)
    window.files.open_file(str(tmp_path))
    until(lambda: "it is a folder" in window.controller.trouble)


def is_told(window: MainWindow, text: str) -> bool:
    """Whether the window tells of some trouble."""
    return text in window.controller.trouble


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_and_a_device_are_told_at_once(window: MainWindow, tmp_path: Path) -> None:
    pipe, device = tmp_path / "pipe.txt", tmp_path / "zeros.txt"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    said = "cannot be opened: it is a pipe or a device, not a file"
    for path in (pipe, device):
        window.files.open_file(str(path))
        until(partial(is_told, window, f"“{path.name}” {said}"))


def test_a_recent_file_that_is_gone_leaves_the_list(window: MainWindow, tmp_path: Path) -> None:
    paths = [tmp_path / "kept.txt", tmp_path / "gone.txt"]
    for path in paths:
        path.write_text(BOARD, encoding="utf-8")
        window.files.open_file(str(path))
        until(partial(is_latest, window, path))
    paths[1].unlink()
    paths[0].write_text("nothing of a board", encoding="utf-8")
    for path in paths:  # what is there but not a board may be mended, and stays
        window.files.open_file(str(path))
        until(partial(is_told, window, path.name))
    assert recent(window) == ["&1  kept.txt", "&Clear list"]


def test_a_file_over_a_daily_attempt_is_opened_twice(window: MainWindow, tmp_path: Path) -> None:
    window.controller.resume_or_begin_daily(Daily(today_utc(), "beginner"))
    game = window.controller.session.game
    assert game.start is not None
    click(window, *game.start)
    assert window.controller.session.is_counted_daily_attempt
    path = tmp_path / "board.txt"
    path.write_text(BOARD, encoding="utf-8")
    window.files.open_file(str(path))
    said = "This gives up the daily board. Open it again to confirm."
    until(lambda: window.controller.news.text == said)
    assert window.controller.session.game is game
    window.files.open_file(str(path))
    until(lambda: window.controller.session.game is not game)


def recent(window: MainWindow) -> list[str]:
    """The entries of the menu of recent files, as it is shown now."""
    menu = QMenu(window)
    window.files.fill_recent_menu(menu)
    return [each.text() for each in menu.actions() if not each.isSeparator()]


def is_latest(window: MainWindow, path: Path) -> bool:
    """Whether a file is the one that was opened last."""
    kept = window.store.settings.get(RECENT_FILES_SETTING)
    return isinstance(kept, list) and kept[:1] == [str(path)]


def test_recent_files_come_first_and_once(window: MainWindow, tmp_path: Path) -> None:
    assert recent(window) == ["No recent files"]
    paths = [tmp_path / f"{number} & more.txt" for number in range(MOST_RECENT + 1)]
    for path in [*paths, paths[3]]:
        path.write_text(BOARD, encoding="utf-8")
        window.files.open_file(str(path))
        until(partial(is_latest, window, path))
    shown = recent(window)
    assert shown[0] == "&1  3 && more.txt"
    assert len(shown) == MOST_RECENT + 1
    menu = QMenu(window)
    window.files.fill_recent_menu(menu)
    menu.actions()[-1].trigger()
    assert recent(window) == ["No recent files"]


def test_a_stranger_setting_is_no_list_of_files(window: MainWindow) -> None:
    window.store.settings.set(RECENT_FILES_SETTING, [7, "", {"a": 1}, "/tmp/x.avf", "/tmp/x.avf"])
    assert recent(window) == ["&1  x.avf", "&Clear list"]


def test_the_menu_asks_for_a_file(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def choose(_parent: object, _title: str, _folder: str, kinds: str) -> tuple[str, str]:
        asked.append(kinds)
        return str(LOST), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    window.run_command(Command.OPEN_FILE)
    until(lambda: bool(players(window)))
    assert all(f"*{ending}" in asked[0] for ending in (".avf", ".evf", ".mbf", ".jsonl", ".txt"))
    players(window)[0].close()


def test_one_of_several_games_is_chosen(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evfs = next(known for known in writable_replay_formats() if known.name == "EVFS")
    assert evfs.write_all is not None
    path = tmp_path / "two.evfs"
    path.write_bytes(evfs.write_all([Replay.of(load(LOST))] * 2))
    monkeypatch.setattr(QInputDialog, "getInt", lambda *_: (2, True))
    drop(window, path)
    until(lambda: bool(players(window)))
    assert players(window)[0].playback.game.board.mine_map.sum() == 10
    players(window)[0].close()


def test_a_saved_untouched_game_is_played_as_practice(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "fresh.jsonl"
    save(demine.Game(demine.Rules.parse("9x9/10"), seed=5), path)
    before = window.controller.session.game
    drop(window, path)
    until(lambda: window.controller.session.game is not before)
    assert window.controller.session.game.origin is Origin.AGAIN
