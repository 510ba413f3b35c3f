"""The table of all games, and the dialog of one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QStyleOptionViewItem

from demine.desktop.dialogs import finished_game, formatting
from demine.desktop.dialogs.finished_game import BoardView, FinishedGameDialog
from demine.desktop.dialogs.history_table_model import PAGE, HistoryModel
from demine.desktop.dialogs.records import RecordsDialog
from demine.desktop.dialogs.row_table import SpacedDelegate
from demine.game import Game
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.picture import render
from demine.play import record_table
from demine.play.history_table import parse_search_word
from demine.scene.board_title import board_title
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import cell_looks
from demine.scene.sight import sight
from demine.store import Store
from demine.store.history import COLUMNS, HistoryFilter
from tests.desktop.dialogs_desk import (
    SAFE,
    app,
    chinese,
    pixels,
    shown,
    until,
)
from tests.desktop.dialogs_past import GAMES, LIGHT, column, dialog, fill, look_at_game, past, store
from tests.desktop.drawn import drawn
from tests.store.playing import keep_win

NOTE = COLUMNS.index("note")
__all__ = ["app", "dialog", "past", "store"]


def test_games_lists_all_the_newest_first_and_keeps_their_words(
    dialog: RecordsDialog, store: Store
) -> None:
    rows = store.games(limit=-1)
    assert dialog.games.model.rowCount() == GAMES == len(rows)
    assert column(dialog, 0) == [formatting.format_local_time(row.finished_at) for row in rows]
    assert column(dialog, 3) == [record_table.format_seconds(row.time_ms) for row in rows]
    assert {"won", "lost"} <= set(column(dialog, 2))
    assert {"", "chosen seed", "known board"} == set(column(dialog, NOTE))


@pytest.mark.parametrize("number", range(len(COLUMNS)))
def test_a_click_on_a_heading_sorts_by_it(dialog: RecordsDialog, number: int) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    until(lambda: not dialog.backfill.running)
    header = dialog.games.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(number) + 5, 5)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    values = column(dialog, number)
    if number in (2, NOTE):  # words stand together, in the order of what they stand for
        assert len(list(groupby(values))) == len(set(values))
        return
    plain = {board_title(rules): (len(rules), rules) for rules in _rules()}
    keys: list[Any] = [plain[value] if number == 1 else value for value in values]
    if 3 <= number < NOTE:
        known = [value for value in values if value != "–"]
        assert values == known + ["–"] * (len(values) - len(known))
        assert len(known) > GAMES // 2
        keys = [float(value) for value in known]
    assert keys in (sorted(keys), sorted(keys, reverse=True))


def _rules() -> list[str]:
    return [str(rules) for rules in (BEGINNER, EXPERT, SAFE)]


def test_filters_by_rules_result_and_counting(dialog: RecordsDialog, store: Store) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    page = dialog.games
    page._rules.setFocus()
    QTest.keyClick(page._rules, Qt.Key.Key_Down)
    assert set(column(dialog, 1)) == {board_title(store.records()[0].rules)}
    page._result.setCurrentIndex(page._result.findData("lost"))
    assert set(column(dialog, 2)) == {"lost"}
    page._ranked.setCurrentIndex(page._ranked.findData("practice"))
    rows = store.games(store.records()[0].rules, "lost", ranked=False, limit=-1)
    assert dialog.games.model.rowCount() == len(rows) > 0
    for box in (page._rules, page._result):
        box.setCurrentIndex(0)
    page._ranked.setCurrentIndex(page._ranked.findData("known"))
    assert set(column(dialog, NOTE)) == {"chosen seed", "known board"}
    page._ranked.setCurrentIndex(page._ranked.findData("imported"))
    assert dialog.games.model.rowCount() == 0


def test_filters_by_the_day_of_the_end(dialog: RecordsDialog, store: Store) -> None:
    page = dialog.games
    page._when.setCurrentIndex(page._when.findData("today"))
    since = page.current_filter().since
    assert since is not None
    midnight = datetime.fromisoformat(since).astimezone()
    assert (midnight.hour, midnight.minute) == (0, 0)
    rows = [row for row in store.games(limit=-1) if (row.finished_at or "") >= since]
    assert dialog.games.model.rowCount() == len(rows) < GAMES
    page._when.setCurrentIndex(0)
    assert dialog.games.model.rowCount() == GAMES


def test_statistics_come_while_the_games_are_looked_at(app: QApplication, tmp_path: Path) -> None:
    with Store.open(tmp_path / "demine.db") as store:
        live = keep_win(store, 2500)
        dialog = RecordsDialog(None, store, BEGINNER, LIGHT)
        shown(dialog)
        until(lambda: column(dialog, 4) == [str(store.game_row(live.id).bv)])
        assert column(dialog, 7) == [str(store.game_row(live.id).clicks)]
        dialog.reject()


@pytest.mark.parametrize(
    ("typed", "number", "holds"),
    [
        ("expert", 1, lambda said: said == "Expert"),
        ("WON", 2, lambda said: said == "won"),
        ("2026-09", 0, lambda said: said.startswith("2026-09")),
        ("seed", NOTE, lambda said: said == "chosen seed"),
        ("20x14", 1, lambda said: said == board_title(SAFE)),
        ("20×14", 1, lambda said: said == board_title(SAFE)),
    ],
)
def test_finds_words_of_the_screen(
    dialog: RecordsDialog, typed: str, number: int, holds: Callable[[str], bool]
) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    QTest.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert dialog.games.field.hasFocus()
    QTest.keyClicks(dialog.games.field, typed)
    until(lambda: dialog.games.model.rowCount() < GAMES)
    found = column(dialog, number)
    assert found
    assert all(map(holds, found))
    QTest.keyClick(dialog.games.field, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_several_words_all_have_to_fit_in_either_language(dialog: RecordsDialog) -> None:
    dialog.games.field.setText("expert won")
    until(lambda: set(column(dialog, 2)) == {"won"})
    assert set(column(dialog, 1)) == {"Expert"}
    with chinese():
        dialog.games.field.setText("高级 负")
        until(lambda: set(column(dialog, 2)) == {"负"})
        assert set(column(dialog, 1)) == {"高级"}


def test_a_term_knows_what_the_words_stand_for(app: QApplication) -> None:
    found = parse_search_word("Beginner")
    assert str(BEGINNER) in found.rules
    assert (found.text, found.states, found.reasons) == ("beginner", (), ())


def test_notes_are_painted_away_from_the_numbers_and_told_as_they_are(
    dialog: RecordsDialog,
) -> None:
    table, model = dialog.games.table, dialog.games.model
    option = QStyleOptionViewItem()
    row = column(dialog, NOTE).index("chosen seed")
    delegate = table.itemDelegateForColumn(NOTE)
    assert isinstance(delegate, SpacedDelegate)
    delegate.initStyleOption(option, model.index(row, NOTE))
    assert option.text.strip() == "chosen seed"
    assert option.text != "chosen seed" == model.index(row, NOTE).data()


def test_guess_free_boards_are_called_and_found_by_their_names(app: QApplication) -> None:
    beginner = Rules(9, 9, 10, guess_free=True)
    assert board_title(beginner) == board_title(str(beginner)) == "Beginner, guess-free"
    assert board_title("20x20/50 guess-free") == "20 × 20, 50 mines, guess-free"
    assert board_title("no rules") == "no rules"
    assert set(parse_search_word("beginner").rules) >= {str(BEGINNER), str(beginner)}
    assert str(BEGINNER) not in parse_search_word("guess-free").rules
    with chinese():
        assert board_title(beginner) == "初级，无猜"
        assert str(beginner) in parse_search_word("无猜").rules


def test_a_hundred_thousand_games_are_read_a_page_at_a_time(app: QApplication) -> None:
    with Store.memory() as store:
        fill(store, 100_000)
        model = HistoryModel(store)
        model.set_filter(HistoryFilter())
        model.sort(3, Qt.SortOrder.AscendingOrder)
        assert [model.index(row, 3).data() for row in (0, 50_000, 99_999)] == [
            "0.000", "50.000", "99.999",
        ]  # fmt: skip
        assert model.rowCount() == 100_000
        assert len(model._pages) == 3
        for row in range(0, 100_000, PAGE):
            model.index(row, 0).data()
        assert len(model._pages) == 40
        assert {len(page) for page in model._pages.values()} == {PAGE}


# A game


def test_a_double_click_opens_a_game_with_its_board(dialog: RecordsDialog, store: Store) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    table = dialog.games.table
    row = store.games(limit=3)[2]
    heard: list[str] = []

    def hear(game: FinishedGameDialog) -> None:
        heard.append(game._heading.text())
        game.reject()

    looked = look_at_game(hear)
    place = table.visualRect(dialog.games.model.index(2, 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(looked) == 1
    title = board_title(row.rules)
    assert heard == [f"{title} · {formatting.game_result_text(row.status)}"]


@pytest.fixture
def game(app: QApplication, store: Store) -> FinishedGameDialog:
    row = store.games(BEGINNER, "lost")[0]
    game = FinishedGameDialog(None, row, store.load_game(row.id), LIGHT)
    shown(game)
    return game


def test_a_game_shows_its_final_scene_as_demine_draws_it(game: FinishedGameDialog) -> None:
    faces = sight(game._game)
    assert (faces == Face.BLOWN).any()
    view = game._view
    wanted = render(faces, LIGHT, view.cell_size, cell_looks(faces, fade_finished=False))
    seen = pixels(view.viewport())
    corner = view._canvas.pos()
    high, wide = wanted.shape[:2]
    assert (seen[corner.y() : corner.y() + high, corner.x() : corner.x() + wide] == wanted).all()


def test_a_game_says_what_it_was(game: FinishedGameDialog) -> None:
    assert game._heading.text() == "Beginner · lost"
    said = game._summary.text()
    assert record_table.format_seconds(game._row.time_ms) in said
    assert "% open" in said
    assert "3BV" in said
    with chinese():
        assert game._heading.text() == "初级 · 负"
        assert "已打开" in game._summary.text()


def test_a_game_gives_its_share_code(game: FinishedGameDialog) -> None:
    button = next(b for b in game.findChildren(QPushButton) if "share" in b.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    shared = Game.from_share(QGuiApplication.clipboard().text())
    assert (shared.board.mine_map == game._game.board.mine_map).all()
    assert game._message.text() == "Share code copied."


def test_a_game_saves_its_journal(game: FinishedGameDialog, tmp_path: Path) -> None:
    target = tmp_path / "kept.jsonl"
    game.save_journal(str(target))
    assert Game.from_journal(target.read_text()) == game._game
    assert str(target) in game._message.text()
    game.save_journal(str(tmp_path / "no" / "where.jsonl"))
    assert "cannot be written" in game._message.text()


def test_the_save_dialog_asks_for_a_name(
    game: FinishedGameDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(_parent: object, title: str, start: str, _kinds: str) -> tuple[str, str]:
        asked.extend((title, start))
        return str(tmp_path / "asked.jsonl"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    button = next(b for b in game.findChildren(QPushButton) if "journal" in b.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked[0] == "Save journal"
    assert asked[1].endswith(".jsonl")
    assert (tmp_path / "asked.jsonl").exists()


def test_a_large_board_is_painted_where_it_is_seen_and_zooms(
    app: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = drawn(monkeypatch, finished_game)
    faces = np.full((500, 500), Face.COVERED, np.uint8)
    faces[499, 499] = Face.BLOWN
    view = BoardView(faces, LIGHT)
    view.resize(300, 200)
    view.show()
    for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
        bar.setValue(bar.maximum())
    corner = pixels(view.viewport())[-view.cell_size :, -view.cell_size :]
    assert (corner == render(faces[-1:, -1:], LIGHT, view.cell_size)).all()
    cell = view.cell_size
    assert 0 < max(painted) < 2 * (view.width() + 2 * cell) * (view.height() + 2 * cell)
    QTest.keyClicks(view, "+")
    assert view.cell_size > cell
    QTest.keyClicks(view, "--")
    assert view.cell_size < cell
