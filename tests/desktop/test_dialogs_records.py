"""The records over games that were really played: best times, files, languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton

from demine.desktop.dialogs.records import RecordsDialog
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.play import record_table
from demine.scene.board_title import board_title
from demine.store import Store
from demine.store.history import COLUMNS
from demine.store.records import Record
from tests.desktop.dialogs_desk import (
    SAFE,
    access_keys,
    app,
    chinese,
    dark_palette,
    nameless,
    pixels,
    shown,
)
from tests.desktop.dialogs_past import (
    GAMES,
    LIGHT,
    cells,
    column,
    dialog,
    look_at_game,
    past,
    store,
)
from tests.store.playing import opened

__all__ = ["app", "dialog", "past", "store"]

# Best


def test_best_says_what_the_store_knows_the_most_played_first(
    dialog: RecordsDialog, store: Store
) -> None:
    wanted = [
        [
            board_title(record.rules),
            record_table.format_seconds(record.best_ms),
            str(record.games),
            str(record.wins),
            record_table.format_percent(record.win_rate),
            str(record.streak),
            str(record.best_streak),
            record_table.format_seconds(record.average_10),
            record_table.format_seconds(record.average_100),
        ]
        for record in store.records()
    ]
    assert [cells(dialog, row) for row in range(len(wanted))] == wanted
    assert {row[0] for row in wanted} == {"Beginner", "Expert", board_title(SAFE)}


def test_the_rules_of_best_are_read_in_a_narrow_window_and_fill_a_wide_one(
    dialog: RecordsDialog,
) -> None:
    table = dialog.best.table
    header, needed = table.horizontalHeader(), table.sizeHintForColumn(0)
    for wide in (300, 640, 1400, 640):
        dialog.resize(wide, 440)
        QApplication.processEvents()
        assert table.columnWidth(0) >= (needed if wide > 300 else 90)
    dialog.resize(1400, 440)
    QApplication.processEvents()
    assert header.length() == table.viewport().width()
    dialog.best.show_records(dialog._records, "")
    assert header.length() == table.viewport().width()


@pytest.mark.parametrize("language", [nullcontext, chinese])
def test_all_columns_of_best_are_in_sight_in_a_narrow_window(
    language: Callable[[], AbstractContextManager[None]], app: QApplication
) -> None:
    rules = str(Rules.parse("100x100/2000 goal=flag flags=hold lives=3"))
    record = Record(
        rules, 99_999, 99_999, 3_599_999, None, None, 3_600_000.0, 3_600_000.0, 999, 999
    )
    with Store.memory() as store, language():
        dialog = RecordsDialog(None, store, BEGINNER, LIGHT)
        table, header = dialog.best.table, dialog.best.table.horizontalHeader()
        shown(dialog)
        dialog.best.show_records([record], rules)
        dialog.tabs.setCurrentWidget(dialog.best)
        for wide, whole in ((640, False), (1400, True), (640, False)):
            dialog.resize(wide, 480)
            for sorted_by in range(header.count()):
                table.sortByColumn(sorted_by, Qt.SortOrder.AscendingOrder)
                QApplication.processEvents()
                assert header.length() == table.viewport().width()
                assert (table.columnWidth(0) >= table.needed_width(0)) == whole
        tip = table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
        assert tip == f"{board_title(rules)}\n{rules}"
        dialog.close()


@pytest.mark.parametrize("language", [nullcontext, chinese])
def test_all_columns_of_games_are_in_sight_in_a_narrow_window(
    dialog: RecordsDialog, language: Callable[[], AbstractContextManager[None]]
) -> None:
    dialog.resize(640, 560)
    table, header = dialog.games.table, dialog.games.table.horizontalHeader()
    with language():
        dialog.update_composed_texts()
        dialog.tabs.setCurrentWidget(dialog.games)
        QApplication.processEvents()
        for sorted_by in range(header.count()):
            table.sortByColumn(sorted_by, Qt.SortOrder.AscendingOrder)
            QApplication.processEvents()
            assert header.length() <= table.viewport().width()
            assert all(
                header.sectionSize(place) >= table.needed_width(place)
                for place in range(header.count())
                if place != COLUMNS.index("rules")
            )


def test_long_rules_of_games_are_whole_where_there_is_room(dialog: RecordsDialog) -> None:
    table, rules = dialog.games.table, COLUMNS.index("rules")
    dialog.tabs.setCurrentWidget(dialog.games)
    for wide, whole in ((640, False), (1000, True), (640, False)):
        dialog.resize(wide, 560)
        QApplication.processEvents()
        assert (table.columnWidth(rules) >= table.needed_width(rules)) == whole


def test_best_is_sorted_as_numbers(dialog: RecordsDialog) -> None:
    table = dialog.best.table
    header = table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(1) + 5, 5)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    times = [float(cells(dialog, row)[1]) for row in range(3)]
    assert times in (sorted(times), sorted(times, reverse=True))
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [float(cells(dialog, row)[1]) for row in range(3)] == times[::-1]


def test_enter_on_a_row_opens_its_best_game(dialog: RecordsDialog, store: Store) -> None:
    seen: list[str] = []
    dialog.best.show_requested.connect(seen.append)
    look_at_game(lambda game: game.reject())
    dialog.best.table.setFocus()
    QTest.keyClick(dialog.best.table, Qt.Key.Key_Return)
    assert seen == [store.record_of(BEGINNER).best_id]
    assert dialog.isVisible()


def test_best_stands_at_the_rules_being_played_and_stays_where_the_player_goes(
    app: QApplication, store: Store
) -> None:
    dialog = RecordsDialog(None, store, EXPERT, LIGHT)
    assert dialog.best.chosen_rules == str(EXPERT)
    table = dialog.best.table
    table.setCurrentIndex(table.model().index(0, 0))
    chosen = dialog.best.chosen_rules
    with chinese():
        dialog.update_composed_texts()
        assert dialog.best.chosen_rules == chosen != str(EXPERT)


def test_without_a_win_there_is_no_best_game_to_show(app: QApplication) -> None:
    with Store.memory() as store:
        dialog = RecordsDialog(None, store, None, LIGHT)
        for page, words in ((dialog.best, "best times"), (dialog.games, "statistics")):
            assert page.content.is_empty
            assert words in page.content.text.text()
        assert not dialog.best._button.isEnabled()
        assert not dialog.games._show.isEnabled()
        live = store.begin(opened())
        live.game.play(Act(5, Verb.RESIGN))
        live.record()
        dialog = RecordsDialog(None, store, None, LIGHT)
        assert cells(dialog, 0)[1:5] == ["–", "1", "0", "0.0%"]
        assert not dialog.best._button.isEnabled()
        assert dialog.games._show.isEnabled()


def test_records_begin_with_what_there_is(app: QApplication, store: Store) -> None:
    with Store.memory() as other:
        live = other.begin(Game(BEGINNER, 5, origin="seed"))
        live.game.play(Act(5, Verb.OPEN, 4, 4))
        live.game.play(Act(9, Verb.RESIGN))
        live.record()
        dialog = RecordsDialog(None, other, BEGINNER, LIGHT)
        shown(dialog)
        assert dialog.tabs.currentWidget() is dialog.games
        assert dialog.games.model.rowCount() == 1
        assert [dialog.games._rules.itemText(place) for place in (0, 1)] == ["All", "Beginner"]
        assert dialog.best.content.is_empty
        assert dialog.best.content.text.isVisibleTo(dialog.best)
        dialog.games._result.setCurrentIndex(dialog.games._result.findData("won"))
        assert dialog.games._count.text() == "No game matches these filters."
    dialog = RecordsDialog(None, store, BEGINNER, LIGHT)
    assert dialog.tabs.currentWidget() is dialog.best


# Out and in


def test_what_is_exported_is_imported_elsewhere(
    dialog: RecordsDialog, store: Store, tmp_path: Path, app: QApplication
) -> None:
    target = tmp_path / "all.jsonl"
    dialog.export_store(str(target))
    assert dialog._message.text() == f"{GAMES} games written to {target}."
    assert all(map(json.loads, target.read_text().splitlines()))
    with Store.memory() as other:
        empty = RecordsDialog(None, other, None, LIGHT)
        shown(empty)
        assert empty.progress.content.is_empty
        assert empty.progress.content.heading.text() == "No ranked games yet"
        empty.import_store(str(target))
        assert empty._message.text() == f"{GAMES} games added"
        assert empty.games.model.rowCount() == GAMES
        assert other.records() == store.records()
        empty.import_store(str(target))
        assert empty._message.text() == f"0 games added · {GAMES} were already here"


def test_troubles_with_files_are_said(dialog: RecordsDialog, tmp_path: Path) -> None:
    dialog.export_store(str(tmp_path / "no" / "where"))
    assert "cannot be written" in dialog._message.text()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("nothing\n")
    dialog.import_store(str(broken))
    assert "Line 1 is not the start of a demine export." in dialog._message.text()
    with chinese():
        dialog.import_store(str(broken))
        assert dialog._message.text() != "Line 1 is not the start of a demine export."


def test_the_menu_asks_for_files(
    dialog: RecordsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(tmp_path / "asked.jsonl")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (target, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (target, ""))
    for words in ("&Export records…", "&Import records…"):
        next(each for each in dialog.transfer.actions() if each.text() == words).trigger()
    assert dialog._message.text() == f"0 games added · {GAMES} were already here"


def test_a_closed_store_is_told_and_nothing_falls(dialog: RecordsDialog, store: Store) -> None:
    store.close()
    dialog.games.apply_filter()
    assert "already closed" in dialog._message.text()
    dialog.show_game("none")
    assert dialog.games.model.rowCount() == 0


# Language, names, keys


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_page_has_names_and_access_keys_in_both_languages(
    dialog: RecordsDialog, place: int
) -> None:
    dialog.tabs.setCurrentIndex(place)
    keys = access_keys(dialog)
    assert len(keys) == len(set(keys)) >= 5
    assert nameless(dialog) == []
    with chinese():
        keys = access_keys(dialog)
        assert len(keys) == len(set(keys)) >= 5
        assert dialog.windowTitle() == "成绩"


def test_a_language_switch_keeps_what_was_chosen(dialog: RecordsDialog) -> None:
    dialog.games._rules.setCurrentIndex(1)
    dialog.games._result.setCurrentIndex(1)
    count = dialog.games.model.rowCount()
    with chinese():
        assert dialog.games._result.currentText() == "胜"
        assert dialog.games.model.rowCount() == count
        assert set(column(dialog, 2)) == {"胜"}
        close = next(b for b in dialog.findChildren(QPushButton) if b.text() == "关闭")
        QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_escape_closes(dialog: RecordsDialog) -> None:
    QTest.keyClick(dialog.games.findChild(QLineEdit) or dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_dark_platform_makes_dark_tables(dialog: RecordsDialog) -> None:
    dialog.setPalette(dark_palette())
    assert pixels(dialog.games.table.viewport())[-5, 5].max() < 80


def test_a_game_of_the_list_is_watched_at_once(app: QApplication, store: Store) -> None:
    watched: list[tuple[str, Game]] = []
    dialog = RecordsDialog(
        None, store, BEGINNER, LIGHT, lambda _over, name, game: watched.append((name, game))
    )
    dialog.tabs.setCurrentWidget(dialog.games)
    shown(dialog)
    dialog.games.table.selectRow(3)
    QTest.mouseClick(dialog.games.watch, Qt.MouseButton.LeftButton)
    row = dialog.games.model.game_row(3)
    assert row is not None
    ((name, game),) = watched
    assert name == column(dialog, 0)[3]
    assert game.time_ms == row.time_ms
    keys = access_keys(dialog)
    assert len(keys) == len(set(keys))


def test_without_a_player_nothing_is_offered_to_be_watched(dialog: RecordsDialog) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    assert dialog.games.watch.isHidden()
