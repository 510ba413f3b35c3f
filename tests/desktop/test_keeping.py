"""A win that cannot be written at once, in a real desktop window, is kept later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox

from demine.logic.event import Verb
from demine.scene.cell_faces import Face
from demine.store import Store
from demine.store.database_paths import spill_files
from tests.desktop.asking import until
from tests.desktop.desk import Desk
from tests.desktop.room import room
from tests.hand import wait_for
from tests.store.holding import held, results_of
from tests.store.playing import safe_cells

Sit = Callable[..., Desk]


def win_under(desk: Desk) -> None:
    """Open all that is left."""
    while not desk.game.status.over:
        desk.open(*safe_cells(desk.game)[0])


def before_the_win(desk: Desk) -> None:
    """Open the middle and all but one of the other safe cells."""
    desk.open(4, 4)
    while len(safe_cells(desk.game)) > 1:
        desk.open(*safe_cells(desk.game)[0])


@pytest.mark.parametrize("how", ["f2 and quit", "quit", "quit under the lock"])
def test_a_win_under_a_lock_is_in_the_records(sit: Sit, data_dir: Path, how: str) -> None:
    desk, path = sit(), data_dir / "demine.db"
    before_the_win(desk)
    with held(path) as holder:
        win_under(desk)
        if how == "f2 and quit":
            desk.hand.key("f2")
            wait_for(lambda: desk.shows(np.full((9, 9), Face.COVERED, np.uint8)), "a new board")
        if how != "quit under the lock":
            holder.kill()
            holder.wait()
        desk.hand.key("ctrl+q")
        assert desk.process.wait(40) == 0
        assert len(spill_files(path)) == (how == "quit under the lock")
    assert "won" in results_of(path)
    assert spill_files(path) == []


def test_a_start_under_a_lock_ends_in_the_records(sit: Sit, data_dir: Path) -> None:
    path = data_dir / "demine.db"
    Store.open(path).close()
    with held(path, "ALONE") as holder:
        desk = sit()
        before_the_win(desk)
        win_under(desk)
        holder.kill()
        holder.wait()
        desk.hand.key("ctrl+q")
        assert desk.process.wait(40) == 0
    assert results_of(path) == ["won"]
    assert spill_files(path) == []


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database for which there is no place at all, nor for what it does not take."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(blocked))
    monkeypatch.setattr("demine.play.unsaved_games_at_exit.TRY_FOR_S", 0.2)
    return blocked / "demine.db"


def question(window: Any) -> QMessageBox:
    """The question what to do with games that no place takes."""

    def asked() -> list[QMessageBox]:
        return [box for box in window.findChildren(QMessageBox) if box.isVisible()]

    until(asked)
    return asked()[0]


def answer(box: QMessageBox, text: str) -> None:
    """Press a button of a question."""
    found: list[QAbstractButton] = [each for each in box.buttons() if each.text() == text]
    found[0].click()


@pytest.mark.usefixtures("app")
def test_where_no_place_takes_it_a_file_is_offered(nowhere: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.jsonl"
    with Store.open_or_wait(nowhere) as store, room(store=store) as window:
        controller = window.controller
        controller.session.play(Verb.OPEN, 4, 4)
        while not controller.session.game.status.over:
            controller.session.play(Verb.OPEN, *safe_cells(controller.session.game)[0])
        window.close()
        assert window.isVisible()
        box = question(window)
        assert "cannot be saved anywhere" in box.text()
        answer(box, "Keep playing")
        assert window.isVisible()
        window.close()
        answer(question(window), "Save as a file…")
        (dialog,) = window.findChildren(QFileDialog)
        dialog.fileSelected.emit(str(nowhere / "no" / "place.jsonl"))
        dialog.close()
        assert window.isVisible()
        answer(question(window), "Save as a file…")
        dialog = window.findChildren(QFileDialog)[-1]
        dialog.fileSelected.emit(str(target))
        until(lambda: not window.isVisible())
    with Store.open(tmp_path / "demine.db") as store:
        assert store.import_(target).games == 1
        assert [row.status for row in store.games()] == ["won"]


@pytest.mark.usefixtures("app")
def test_who_closes_again_leaves_without_the_games(nowhere: Path) -> None:
    with Store.open_or_wait(nowhere) as store, room(store=store) as window:
        window.controller.session.play(Verb.OPEN, 4, 4)
        window.close()
        answer(question(window), "Close without saving")
        until(lambda: not window.isVisible())
        assert not store.retry_queue.has_unsaved_games
