"""The records over games that were really played: tables, plots, boards, out and in."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import QFont, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QToolTip

from demine.desktop.dialogs import words
from demine.desktop.dialogs.boardview import BoardView
from demine.desktop.dialogs.game import GameDialog
from demine.desktop.dialogs.history import PAGE, GamesModel, term
from demine.desktop.dialogs.plot import Plot, thinned, ticks
from demine.desktop.dialogs.progress import AVERAGED, RATED, rates, running
from demine.desktop.dialogs.records import RecordsDialog
from demine.logic.event import Act, Verb
from demine.logic.game import Game
from demine.logic.journal import loads
from demine.logic.rules import BEGINNER, EXPERT
from demine.picture import render
from demine.scene.face import Face
from demine.scene.look import looks
from demine.scene.sight import sight
from demine.scene.theme import THEMES
from demine.store import Store
from demine.store.history import COLUMNS, Wanted
from tests.desktop.dialogs_desk import (
    SAFE,
    access_keys,
    app,
    chinese,
    dark_palette,
    nameless,
    pixels,
    play,
    shown,
    until,
)
from tests.pictures import compare
from tests.store.playing import opened

__all__ = ["app"]

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
def store(past: Path) -> Store:
    return Store.open(past)


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


# Best


def test_best_says_what_the_store_knows_the_most_played_first(
    dialog: RecordsDialog, store: Store
) -> None:
    wanted = [
        [
            words.title(record.rules),
            words.seconds(record.best_ms),
            words.seconds(record.average_10),
            words.seconds(record.average_100),
            str(record.games),
            str(record.wins),
            words.percent(record.win_rate),
            str(record.streak),
            str(record.best_streak),
        ]
        for record in store.records()
    ]
    assert [cells(dialog, row) for row in range(len(wanted))] == wanted
    assert {row[0] for row in wanted} == {"Beginner", "Expert", str(SAFE)}


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
    dialog.best.wanted.connect(seen.append)
    look_at_game(lambda game: game.reject())
    dialog.best.table.setFocus()
    QTest.keyClick(dialog.best.table, Qt.Key.Key_Return)
    assert seen == [store.record_of(BEGINNER).best_id]
    assert dialog.isVisible()


def test_best_stands_at_the_rules_being_played_and_stays_where_the_player_goes(
    app: QApplication, store: Store
) -> None:
    dialog = RecordsDialog(None, store, EXPERT, LIGHT)
    assert dialog.best.chosen == str(EXPERT)
    table = dialog.best.table
    table.setCurrentIndex(table.model().index(0, 0))
    chosen = dialog.best.chosen
    with chinese():
        dialog.retranslate()
        assert dialog.best.chosen == chosen != str(EXPERT)


def test_without_a_win_there_is_no_best_game_to_show(app: QApplication) -> None:
    with Store.memory() as store:
        dialog = RecordsDialog(None, store, None, LIGHT)
        assert dialog.best._note.text() == "No game that counts has ended yet."
        assert not dialog.best._button.isEnabled()
        assert not dialog.games._button.isEnabled()
        live = store.begin(opened())
        live.game.play(Act(5, Verb.RESIGN))
        live.record()
        dialog = RecordsDialog(None, store, None, LIGHT)
        assert cells(dialog, 0)[1:5] == ["–", "–", "–", "1"]
        assert not dialog.best._button.isEnabled()
        assert dialog.games._button.isEnabled()


# Games


def test_games_lists_all_the_newest_first_and_keeps_their_words(
    dialog: RecordsDialog, store: Store
) -> None:
    rows = store.games(limit=-1)
    assert dialog.games.model.rowCount() == GAMES == len(rows)
    assert column(dialog, 0) == [words.moment(row.finished_at) for row in rows]
    assert column(dialog, 3) == [words.seconds(row.time_ms) for row in rows]
    assert {"won", "lost"} <= set(column(dialog, 2))
    assert {"", "chosen seed", "known board"} == set(column(dialog, 5))


@pytest.mark.parametrize("number", range(len(COLUMNS)))
def test_a_click_on_a_heading_sorts_by_it(dialog: RecordsDialog, number: int) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    header = dialog.games.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(number) + 5, 5)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    values = column(dialog, number)
    if number in (2, 5):  # words stand together, in the order of what they stand for
        assert len(list(groupby(values))) == len(set(values))
        return
    plain = {words.title(rules): (len(rules), rules) for rules in _rules()}
    keys: list[Any] = [plain[value] if number == 1 else value for value in values]
    if number in (3, 4):
        keys = [float(value) for value in values]
    assert keys in (sorted(keys), sorted(keys, reverse=True))


def _rules() -> list[str]:
    return [str(rules) for rules in (BEGINNER, EXPERT, SAFE)]


def test_filters_by_rules_result_and_counting(dialog: RecordsDialog, store: Store) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    page = dialog.games
    page._rules.setFocus()
    QTest.keyClick(page._rules, Qt.Key.Key_Down)
    assert set(column(dialog, 1)) == {words.title(store.records()[0].rules)}
    page._result.setCurrentIndex(page._result.findData("lost"))
    assert set(column(dialog, 2)) == {"lost"}
    page._ranked.setCurrentIndex(2)
    rows = store.games(store.records()[0].rules, "lost", ranked=False, limit=-1)
    assert dialog.games.model.rowCount() == len(rows) > 0


@pytest.mark.parametrize(
    ("typed", "number", "holds"),
    [
        ("expert", 1, lambda said: said == "Expert"),
        ("WON", 2, lambda said: said == "won"),
        ("2026-09", 0, lambda said: said.startswith("2026-09")),
        ("seed", 5, lambda said: said == "chosen seed"),
        ("20x14", 1, lambda said: said == str(SAFE)),
        ("20×14", 1, lambda said: said == str(SAFE)),
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
    found = term("Beginner")
    assert str(BEGINNER) in found.rules
    assert (found.text, found.states, found.reasons) == ("beginner", (), ())


def test_a_hundred_thousand_games_are_read_a_page_at_a_time(app: QApplication) -> None:
    with Store.memory() as store:
        fill(store, 100_000)
        model = GamesModel(store)
        began = time.perf_counter()
        model.want(Wanted())
        model.sort(3, Qt.SortOrder.AscendingOrder)
        assert [model.index(row, 3).data() for row in (0, 50_000, 99_999)] == [
            "0.000", "50.000", "99.999",
        ]  # fmt: skip
        assert model.rowCount() == 100_000
        assert len(model._pages) == 3
        for row in range(0, 100_000, PAGE):
            model.index(row, 0).data()
        assert len(model._pages) == 40
        # It takes half a second; what is shut out is reading every row.
        assert time.perf_counter() - began < 10


def fill(store: Store, count: int) -> None:
    """Rows without journals: only the table reads them."""
    sql = (
        "INSERT INTO games (id, rules, header, status, unranked, result, time_ms, hits, acts,"
        " began_at, seen_at, finished_at) VALUES (?, '9x9/10', '{}', 'won', '', 'won', ?, 0, 5,"
        " ?, ?, ?)"
    )
    moment = "2026-01-01T00:00:00.000000Z"
    rows = ((f"{number:036d}", number, moment, moment, moment) for number in range(count))
    store._database.write(lambda connection: connection.executemany(sql, rows))


# A game


def look_at_game(act: Callable[[GameDialog], object]) -> list[GameDialog]:
    """Do something with the next game that opens."""
    found: list[GameDialog] = []

    def look() -> None:
        game = QApplication.activeModalWidget()
        assert isinstance(game, GameDialog)
        found.append(game)
        act(game)

    QTimer.singleShot(200, look)
    return found


def test_a_double_click_opens_a_game_with_its_board(dialog: RecordsDialog, store: Store) -> None:
    dialog.tabs.setCurrentWidget(dialog.games)
    table = dialog.games.table
    row = store.games(limit=3)[2]
    heard: list[str] = []

    def hear(game: GameDialog) -> None:
        heard.append(game._heading.text())
        game.reject()

    looked = look_at_game(hear)
    place = table.visualRect(dialog.games.model.index(2, 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(looked) == 1
    assert heard == [f"{words.title(row.rules)} · {words.result(row.status)}"]


@pytest.fixture
def game(app: QApplication, store: Store) -> GameDialog:
    row = store.games(BEGINNER, "lost")[0]
    game = GameDialog(None, row, store.journal(row.id), LIGHT)
    shown(game)
    return game


def test_a_game_shows_its_final_scene_as_demine_draws_it(game: GameDialog) -> None:
    faces = sight(game._game)
    assert (faces == Face.BLOWN).any()
    view = game._view
    wanted = render(faces, LIGHT, view.cell, looks(faces))
    seen = pixels(view.viewport())
    corner = view._corner()
    high, wide = wanted.shape[:2]
    assert (seen[corner.y() : corner.y() + high, corner.x() : corner.x() + wide] == wanted).all()


def test_a_game_says_what_it_was(game: GameDialog) -> None:
    assert game._heading.text() == "Beginner · lost"
    said = game._verdict.text()
    assert words.seconds(game._row.time_ms) in said
    assert " % open" in said
    assert "3BV" in said
    with chinese():
        assert game._heading.text() == "初级 · 负"
        assert "已打开" in game._verdict.text()


def test_a_game_gives_its_share_code(game: GameDialog) -> None:
    button = next(b for b in game.findChildren(QPushButton) if "share" in b.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    shared = Game.from_share(QGuiApplication.clipboard().text())
    assert (shared.board.mine_map == game._game.board.mine_map).all()
    assert game._news.text() == "The share code is on the clipboard."


def test_a_game_saves_its_journal(game: GameDialog, tmp_path: Path) -> None:
    target = tmp_path / "kept.jsonl"
    game.save_journal(str(target))
    assert loads(target.read_text()) == game._game
    assert str(target) in game._news.text()
    game.save_journal(str(tmp_path / "no" / "where.jsonl"))
    assert "cannot be written" in game._news.text()


def test_the_save_dialog_asks_for_a_name(
    game: GameDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


def test_a_large_board_is_painted_where_it_is_seen_and_zooms(app: QApplication) -> None:
    faces = np.full((500, 500), Face.COVERED, np.uint8)
    faces[499, 499] = Face.BLOWN
    view = BoardView(faces, LIGHT)
    view.resize(300, 200)
    view.show()
    began = time.perf_counter()
    for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
        bar.setValue(bar.maximum())
    corner = pixels(view.viewport())[-view.cell :, -view.cell :]
    assert (corner == render(faces[-1:, -1:], LIGHT, view.cell)).all()
    assert time.perf_counter() - began < 1
    cell = view.cell
    QTest.keyClicks(view, "+")
    assert view.cell > cell
    QTest.keyClicks(view, "--")
    assert view.cell < cell


# Progress


def test_progress_begins_with_the_rules_being_played(app: QApplication, store: Store) -> None:
    dialog = RecordsDialog(None, store, EXPERT, LIGHT)
    assert dialog.progress._rules.currentText() == "Expert"
    record = store.record_of(EXPERT)
    said = dialog.progress._summary.text()
    assert said == (
        f"{record.games} games, {words.percent(record.win_rate)} won, "
        f"best {words.seconds(record.best_ms)} s"
    )
    assert dialog.progress._times.accessibleDescription() == said


def test_the_plots_hold_what_was_played(dialog: RecordsDialog, store: Store) -> None:
    chart = dialog.progress._times._chart
    assert chart is not None
    record = store.record_of(BEGINNER)
    dots, best, average = chart.series
    assert dots.x.size == record.wins
    assert best.y[-1] == record.best_ms / 1000 == dots.y.min()  # type: ignore[operator]
    assert average.y[-1] * 1000 == pytest.approx(record.average_10)
    assert len({series.shape for series in chart.series}) == 3
    won = dialog.progress._rates._chart
    assert won is not None
    last = store.results(BEGINNER)[-RATED:]
    assert won.series[1].y[-1] == pytest.approx(
        100 * sum(game[1] == "won" for game in last) / RATED
    )
    assert chart.hint(1).startswith("Win 1: ")
    assert (chart.hint(0), won.hint(10_000)) == ("", "")


def test_a_running_mean_is_the_mean_of_each_ten() -> None:
    values = np.random.default_rng(1).random(57)
    wanted = [values[at : at + AVERAGED].mean() for at in range(57 - AVERAGED + 1)]
    assert running(values, AVERAGED) == pytest.approx(wanted)
    assert running(values[:9], AVERAGED).size == 0


def test_a_running_rate_takes_what_there_is_until_there_are_fifty() -> None:
    won = np.random.default_rng(2).integers(0, 2, 130).astype(np.float64)
    wanted = [won[max(0, end - RATED) : end].mean() for end in range(1, 131)]
    assert rates(won) == pytest.approx(wanted)


@pytest.mark.parametrize("top", [0.1, 1.0, 2.0, 3.7, 14.2, 59.0, 100.0, 999.0, 12345.0])
def test_axes_have_three_to_seven_round_values_within_them(top: float) -> None:
    found = ticks(top, "")
    assert 3 <= len(found) <= 7
    assert found[0][0] == 0
    assert found[-1][0] <= top * 1.0001
    assert [float(text) for _, text in found] == pytest.approx([value for value, _ in found])


def test_whole_axes_have_whole_values() -> None:
    assert all(value == int(value) for value, _ in ticks(2.0, "", whole=True))


def test_a_thinned_line_keeps_its_heights_in_every_column() -> None:
    rng = np.random.default_rng(3)
    x = np.sort(rng.random(5000) * 40)
    y = rng.random(5000)
    few_x, few_y = thinned(x, y)
    assert few_x.size <= 80
    for at in range(40):
        inside, kept = y[np.floor(x) == at], few_y[np.floor(few_x) == at]
        assert (kept.min(), kept.max()) == (inside.min(), inside.max())
    same = thinned(x[::500], y[::500])
    assert (same[0] == x[::500]).all()


def test_plots_of_a_hundred_thousand_games_are_drawn_at_once(app: QApplication) -> None:
    with Store.memory() as store:
        fill(store, 100_000)
        dialog = RecordsDialog(None, store, BEGINNER, LIGHT)
        dialog.tabs.setCurrentWidget(dialog.progress)
        shown(dialog)
        began = time.perf_counter()
        dialog.progress._times.grab()
        dialog.progress._rates.grab()
        assert time.perf_counter() - began < 2


def test_the_pointer_asks_the_plot_what_stands_there(dialog: RecordsDialog, store: Store) -> None:
    dialog.tabs.setCurrentWidget(dialog.progress)
    plot = dialog.progress._times
    chart = plot._chart
    assert chart is not None
    at = plot._field(chart).bottomRight().toPoint()
    event = QHelpEvent(QEvent.Type.ToolTip, at, plot.mapToGlobal(at))
    QApplication.sendEvent(plot, event)
    wins = store.record_of(BEGINNER).wins
    assert QToolTip.text().startswith(f"Win {wins}: ")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_plots_look_as_they_did(
    app: QApplication, store: Store, look: str, regenerate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines and dots only: words and their room are each machine's own."""
    monkeypatch.setattr(Plot, "_paint_axes", lambda *_: None)
    monkeypatch.setattr(Plot, "_paint_legend", lambda *_: None)
    monkeypatch.setattr(Plot, "_field", lambda *_: QRectF(20, 20, 440, 180))
    dialog = RecordsDialog(None, store, BEGINNER, THEMES[look])
    plot = dialog.progress._times
    plot.setFont(QFont("Sans", 9))
    plot.resize(480, 220)
    seen = pixels(plot)
    theme = THEMES[look]
    colours = {tuple(colour) for colour in seen.reshape(-1, 3).tolist()}
    assert {theme.opened, theme.digit(2)} <= colours
    compare(seen, f"desktop_dialogs/plot-{look}", regenerate, mean=1.0, worst=255)


def test_the_plots_write_their_axes_in_the_ink_of_the_theme(
    app: QApplication, store: Store
) -> None:
    dialog = RecordsDialog(None, store, BEGINNER, THEMES["contrast"])
    dialog.progress._rates.resize(480, 220)
    seen = pixels(dialog.progress._rates).reshape(-1, 3).tolist()
    colours = {tuple(colour) for colour in seen}
    assert THEMES["contrast"].mine in colours
    assert THEMES["contrast"].opened in colours


# Out and in


def test_what_is_exported_is_imported_elsewhere(
    dialog: RecordsDialog, store: Store, tmp_path: Path, app: QApplication
) -> None:
    target = tmp_path / "all.jsonl"
    dialog.export_to(str(target))
    assert dialog._news.text() == f"{GAMES} games written to {target}."
    assert all(map(json.loads, target.read_text().splitlines()))
    with Store.memory() as other:
        empty = RecordsDialog(None, other, None, LIGHT)
        shown(empty)
        assert empty.progress._summary.text() == "No game that counts has ended yet."
        empty.import_from(str(target))
        assert empty._news.text() == f"{GAMES} games added"
        assert empty.games.model.rowCount() == GAMES
        assert other.records() == store.records()
        empty.import_from(str(target))
        assert empty._news.text() == f"0 games added · {GAMES} were here already"


def test_troubles_with_files_are_said(dialog: RecordsDialog, tmp_path: Path) -> None:
    dialog.export_to(str(tmp_path / "no" / "where"))
    assert "cannot be written" in dialog._news.text()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("nothing\n")
    dialog.import_from(str(broken))
    assert "Line 1 is no export of demine's records." in dialog._news.text()
    with chinese():
        dialog.import_from(str(broken))
        assert dialog._news.text() != "Line 1 is no export of demine's records."


def test_the_buttons_ask_for_files(
    dialog: RecordsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(tmp_path / "asked.jsonl")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (target, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (target, ""))
    for word in ("E&xport", "&Import"):
        button = next(b for b in dialog.findChildren(QPushButton) if b.text().startswith(word))
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert dialog._news.text() == f"0 games added · {GAMES} were here already"


def test_a_closed_store_is_told_and_nothing_falls(dialog: RecordsDialog, store: Store) -> None:
    store.close()
    dialog.games.refilter()
    assert "closed already" in dialog._news.text()
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
