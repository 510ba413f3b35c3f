"""The page of all statistics: words, values, definitions, as text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from demine.desktop.dialogs.game_statistics import StatisticsDialog
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.scene.key_bindings import Command
from demine.statistics.chosen_counters import format_value
from demine.statistics.compute import stats
from demine.statistics.definitions import OF_ONE_GAME, TABLE
from tests.desktop.dialogs_desk import access_keys, app, chinese, nameless, shown, until
from tests.desktop.room import click, room
from tests.store.playing import opened, win

__all__ = ["app"]


@pytest.fixture
def game() -> Game:
    game = opened()
    win(game, 4_200)
    return game


@pytest.fixture
def dialog(app: QApplication, game: Game) -> Iterator[StatisticsDialog]:
    made = StatisticsDialog(None, game, "6 × 5, 4 mines · won")
    shown(made)
    until(lambda: made._message.text() == " ")
    yield made
    made.reject()


def cell(dialog: StatisticsDialog, name: str, col: int) -> str:
    item = dialog.table.item(OF_ONE_GAME.index(name), col)
    assert item is not None
    return item.text()


def test_every_statistic_stands_there_with_its_value(dialog: StatisticsDialog, game: Game) -> None:
    found = stats(game)
    for name in found:
        unit = TABLE[name].unit
        value = format_value(found[name])
        assert cell(dialog, name, 1) == (f"{value} {unit}" if unit and value != "–" else value)
    assert cell(dialog, "time", 1) == "4.200 s"
    assert cell(dialog, "bv_s", 0) == "3BV/s"


def test_words_and_definitions_are_there_in_both_languages(dialog: StatisticsDialog) -> None:
    english = {name: (TABLE[name].title(), TABLE[name].explanation()) for name in OF_ONE_GAME}
    assert len({said for said, _ in english.values()}) == len(OF_ONE_GAME)
    assert not any(TABLE[name].definition in what for name, (_, what) in english.items())
    item = dialog.table.item(0, 0)
    assert item is not None
    assert item.toolTip() == english["time"][1]
    with chinese():
        for name in OF_ONE_GAME:
            assert TABLE[name].explanation() != english[name][1]
        dialog.update_composed_texts()
        assert item.toolTip() == TABLE["time"].explanation()
        assert len({TABLE[name].title() for name in OF_ONE_GAME}) == len(OF_ONE_GAME)


def test_what_is_found_is_copied(dialog: StatisticsDialog) -> None:
    QTest.keyClicks(dialog.field, "openings")
    button = next(b for b in dialog.findChildren(QPushButton) if b.text() == "&Copy as text")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "6 × 5, 4 mines · won"
    assert [line.partition(":")[0] for line in lines[1:]] == ["Openings", "Openings done"]
    assert dialog._message.text() == "Statistics copied."
    dialog.field.clear()
    assert len(dialog.visible_rows_text().splitlines()) == len(OF_ONE_GAME) + 1


def test_names_and_access_keys(dialog: StatisticsDialog) -> None:
    keys = access_keys(dialog)
    assert len(keys) == len(set(keys)) >= 2
    assert nameless(dialog) == []


@pytest.mark.usefixtures("app")
def test_the_menu_opens_it_when_the_game_is_over() -> None:
    titles: list[str] = []

    def look() -> None:
        page = QApplication.activeModalWidget()
        assert isinstance(page, StatisticsDialog)
        titles.append(page._heading.text())
        page.reject()

    with room() as window:
        window.run_command(Command.STATISTICS)
        assert window.controller.status_text() == "Statistics are shown when the game is over"
        click(window, 4, 4)
        board = window.controller.session.game.board
        row, col = (int(at[0]) for at in board.mine_map.nonzero())
        click(window, row, col)
        QTimer.singleShot(100, look)
        window.run_command(Command.STATISTICS)
        (title,) = titles
        assert title.startswith("Beginner · chosen seed · ")
        assert "% open" in title


@pytest.mark.usefixtures("app")
def test_the_title_says_once_that_a_game_was_helped() -> None:
    with room() as window:
        click(window, 4, 4)
        game = window.controller.session.game
        game.play(Act(game.time_ms, Verb.HINT, 0, 0))
        row, col = (int(at[0]) for at in game.board.mine_map.nonzero())
        click(window, row, col)
        assert window.controller.game_summary().count("practice: helped") == 1
        assert window.controller.game_summary().startswith(
            "Beginner · practice: helped · Game over · "
        )
