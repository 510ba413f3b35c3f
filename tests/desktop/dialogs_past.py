"""Some hundred games that were really played, and the records over them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from demine.desktop.dialogs.finished_game import FinishedGameDialog
from demine.desktop.dialogs.records import RecordsDialog
from demine.logic.rules import BEGINNER
from demine.scene.themes import THEMES
from demine.store import Store, checksums
from tests.desktop.dialogs_desk import (
    play,
    shown,
)

GAMES = 240
LIGHT = THEMES["light"]


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with some hundred games."""
    path = tmp_path_factory.mktemp("past") / "demine.db"
    with pytest.MonkeyPatch.context() as patch, Store.open(path) as store:
        play(store, GAMES, patch)
    return path


@pytest.fixture
def store(past: Path) -> Iterator[Store]:
    with Store.open(past) as store:
        yield store


@pytest.fixture
def dialog(app: QApplication, store: Store) -> RecordsDialog:
    dialog = RecordsDialog(None, store, BEGINNER, LIGHT)
    shown(dialog)
    return dialog


def column(dialog: RecordsDialog, number: int) -> list[str]:
    model = dialog.games.model
    return [model.index(row, number).data() for row in range(model.rowCount())]


def cells(dialog: RecordsDialog, row: int) -> list[str]:
    model = dialog.best.table.model()
    return [model.index(row, column).data() for column in range(model.columnCount())]


def fill(store: Store, count: int) -> None:
    """Rows without journals: only the table reads them."""
    sql = (
        "INSERT INTO games (id, rules, header, status, unranked, result, time_ms, hits, acts,"
        " began_at, seen_at, finished_at) VALUES (?, '9x9/10', '{}', 'won', '', 'won', ?, 0, 5,"
        " ?, ?, ?)"
    )
    moment = "2026-01-01T00:00:00.000000Z"
    rows = ((f"{number:036d}", number, moment, moment, moment) for number in range(count))

    def write(connection: sqlite3.Connection) -> None:
        connection.executemany(sql, rows)
        connection.execute(checksums.UPDATE_CHECKSUMS_SQL)

    store._database.write(write)


def look_at_game(act: Callable[[FinishedGameDialog], object]) -> list[FinishedGameDialog]:
    """Do something with the next game that opens."""
    found: list[FinishedGameDialog] = []

    def look() -> None:
        game = QApplication.activeModalWidget()
        assert isinstance(game, FinishedGameDialog)
        found.append(game)
        act(game)

    QTimer.singleShot(200, look)
    return found
