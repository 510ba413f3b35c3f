"""Export games to a folder and from one, through the records."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog

from demine.desktop.dialogs.history_export_import import (
    ExportDialog,
    ProgressDialog,
    export_summary,
)
from demine.desktop.dialogs.records import RecordsDialog
from demine.desktop.history_export_import import Report
from demine.logic.rules import BEGINNER
from demine.replay.read_write_folder import LIST_FILE
from demine.store import Store
from tests.desktop.dialogs_desk import access_keys, app, chinese, nameless, shown, until
from tests.desktop.dialogs_past import LIGHT
from tests.store.playing import keep_win

__all__ = ["app"]


@pytest.fixture
def dialog(app: QApplication, store: Store) -> RecordsDialog:
    for number in range(5):
        keep_win(store, 1000 + number)
    dialog = RecordsDialog(None, store, BEGINNER, LIGHT)
    shown(dialog)
    return dialog


def meet_work() -> list[tuple[str, str]]:
    """Wait for the next work to end, note what it says, and close it."""
    told: list[tuple[str, str]] = []

    def look() -> None:
        work = QApplication.activeModalWidget()
        if not isinstance(work, ProgressDialog) or work.bar.value() != work.bar.maximum():
            QTimer.singleShot(20, look)
            return
        told.append((work.message.text(), work.problems.toPlainText()))
        assert nameless(work) == []
        work.reject()

    QTimer.singleShot(0, look)
    return told


def test_marked_games_go_out_and_come_in(
    dialog: RecordsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    table = dialog.games.table
    for row in (1, 3):
        table.selectionModel().select(
            dialog.games.model.index(row, 0),
            QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows,
        )
    table.selectionModel().select(
        dialog.games.model.index(0, 0),
        QItemSelectionModel.SelectionFlag.Deselect | QItemSelectionModel.SelectionFlag.Rows,
    )
    told: list[list[tuple[str, str]]] = []

    def accept() -> None:
        asked = QApplication.activeModalWidget()
        assert isinstance(asked, ExportDialog)
        assert asked.which.currentText() == "selected in the list (2)"
        assert asked.which.count() == 3
        keys = access_keys(asked)
        assert len(keys) == len(set(keys)) >= 2
        told.append(meet_work())
        asked.accept()

    QTimer.singleShot(50, accept)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    dialog._ask_export_folder()
    assert told == [[("2 games written", "")]]
    assert len([path for path in tmp_path.iterdir() if path.name != LIST_FILE]) == 2
    (tmp_path / "noise").write_text("no game")
    with Store.memory() as store:
        other = RecordsDialog(None, store, BEGINNER, LIGHT)
        shown(other)
        came = meet_work()
        other._ask_import_folder()
        ((news, problem_lines),) = came
        assert news == "2 games added · 1 skipped"
        assert problem_lines.startswith("noise: ")
        assert other.games.model.rowCount() == 2
        until(lambda: not other.backfill.running)
        assert all(row.bv for row in store.games())
        other.reject()


def test_cancel_stops_the_work_and_close_closes(app: QApplication) -> None:
    go_on = threading.Event()

    def work(heard: object, stop: object) -> Report:
        assert callable(heard)
        assert callable(stop)
        heard(1, 4)
        while not stop():
            go_on.wait(0.01)
        return Report(done=1, stopped=True)

    dialog = ProgressDialog(None, "Export games to a folder", work, export_summary)
    shown(dialog)
    until(lambda: dialog.bar.maximum() == 4)
    cancel = dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel)
    cancel.click()
    until(lambda: dialog.ended and dialog.message.text() != "")
    assert dialog.message.text() == "1 game written · stopped early"
    assert dialog.isVisible()
    with chinese():
        dialog.update_composed_texts()
        assert "1" in dialog.message.text() != "1 game written · stopped early"
    dialog.buttons.button(QDialogButtonBox.StandardButton.Close).click()
    assert not dialog.isVisible()


def test_a_folder_that_cannot_be_used_is_told(dialog: RecordsDialog, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = meet_work()
    dialog.export_games_to_folder(str(tmp_path / "file"), dialog.games.model.game_ids(), "journal")
    ((news, _),) = told
    assert str(tmp_path / "file") in news


def test_what_a_format_loses_is_listed(dialog: RecordsDialog, tmp_path: Path) -> None:
    told = meet_work()
    dialog.export_games_to_folder(str(tmp_path), dialog.games.model.game_ids(), "EVF")
    ((news, problem_lines),) = told
    assert news == "5 games written"
    assert len(problem_lines.splitlines()) in (0, 5)
