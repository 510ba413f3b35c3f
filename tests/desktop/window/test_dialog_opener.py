"""From the menus to the dialogs and back: what is chosen there is played here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog, QSpinBox

from demine.boards import make
from demine.desktop.dialogs.about import AboutDialog
from demine.desktop.dialogs.board_setup import SetupDialog
from demine.desktop.dialogs.help import HelpDialog
from demine.desktop.dialogs.records import RecordsDialog
from demine.desktop.dialogs.settings import SettingsDialog
from demine.desktop.dialogs.setup_preview import ExampleBoard
from demine.desktop.message_strip import REVIEW
from demine.desktop.train.training_dialog import TrainingDialog
from demine.desktop.watch.replay_window import ReplayWindow
from demine.desktop.window.dialog_opener import DialogOpener
from demine.desktop.window.main_window import MainWindow
from demine.desktop.window.menus import ABOUT, DAILY, HOW_TO_PLAY
from demine.logic.daily_board import Daily
from demine.logic.rules import Goal, Rules
from demine.reviews.watch_text import verdict_text
from demine.scene.key_bindings import Command
from demine.scene.themes import THEMES
from demine.store.daily import today_utc
from tests.desktop.dialogs_desk import until
from tests.desktop.room import click

pytestmark = pytest.mark.usefixtures("app")


def meet(act: Callable[[QDialog], object]) -> list[str]:
    """Do something to the next dialog as soon as it stands there; its class is then in the list."""
    met: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog):
            QTimer.singleShot(10, look)
            return
        met.append(type(dialog).__name__)
        act(dialog)

    QTimer.singleShot(0, look)
    return met


@pytest.mark.parametrize(
    ("command", "dialog"),
    [
        (Command.SETUP, SetupDialog),
        (Command.RECORDS, RecordsDialog),
        (Command.TRAIN, TrainingDialog),
        (Command.SETTINGS, SettingsDialog),
        (Command.HELP, HelpDialog),
        (HOW_TO_PLAY, HelpDialog),
        (ABOUT, AboutDialog),
        (Command.OPEN_SHARE, QInputDialog),
    ],
)
def test_every_dialog_opens_and_closes(
    window: MainWindow, command: Command | str, dialog: type[QDialog]
) -> None:
    game = window.controller.session.game
    met = meet(lambda shown: shown.reject())
    window.run_command(command)
    assert met == [dialog.__name__]
    assert window.controller.session.game is game


def test_the_title_of_the_share_code_dialog_has_room(window: MainWindow) -> None:
    widths: list[tuple[int, int]] = []

    def measure(dialog: QDialog) -> None:
        title = dialog.fontMetrics().horizontalAdvance(dialog.windowTitle())
        widths.append((dialog.width(), title))
        dialog.reject()

    meet(measure)
    window.run_command(Command.OPEN_SHARE)
    assert all(wide > 3 * title for wide, title in widths)
    assert widths


def test_setup_offers_levels_without_guesses_to_who_wants_them(window: MainWindow) -> None:
    window.change_preferences({"guess_free": True})

    def pick(dialog: QDialog) -> None:
        assert isinstance(dialog, SetupDialog)
        dialog._list.setCurrentRow(1)
        dialog.accept()

    meet(pick)
    window.run_command(Command.SETUP)
    assert window.controller.session.game.rules.guess_free


def test_guess_free_follows_what_was_set_up(window: MainWindow) -> None:
    def fill(dialog: QDialog) -> None:
        assert isinstance(dialog, SetupDialog)
        dialog._choices["goal"].setCurrentIndex(dialog._choices["goal"].findData(Goal.FLAG))
        dialog._switches["guess_free"].setChecked(True)
        dialog.accept()

    meet(fill)
    window.run_command(Command.SETUP)
    rules = window.controller.session.game.rules
    assert str(rules) == "9x9/10 goal=flag guess-free"
    entry = next(
        action for action in window.findChildren(QAction) if action.text() == "&Guess-free boards"
    )
    assert entry.isChecked()
    window.run_command(Command.GUESS_FREE)
    assert str(window.controller.session.game.rules) == "9x9/10 goal=flag"
    assert window.controller.status_text() == "Ordinary boards, which may need a guess"
    assert not entry.isChecked()
    window.run_command(Command.GUESS_FREE)
    assert window.controller.session.game.rules == rules
    assert entry.isChecked()


def test_guess_free_follows_a_board_begun_otherwise(window: MainWindow) -> None:
    window.controller.begin_game(Rules.parse("9x9/10 guess-free"))
    window.run_command(Command.GUESS_FREE)
    assert str(window.controller.session.game.rules) == "9x9/10"


def test_what_setup_says_is_played(window: MainWindow) -> None:
    def fill(dialog: QDialog) -> None:
        numbers = dialog.findChildren(QSpinBox)
        for field, value in zip(numbers, (20, 12, 30), strict=False):
            field.setValue(value)
        dialog.accept()

    met = meet(fill)
    window.run_command(Command.SETUP)
    assert met == ["SetupDialog"]
    assert window.controller.session.game.rules.shape == (12, 20)
    assert window.controller.session.game.rules.mines == 30
    assert window.board.view.shows_whole_board


def test_own_presets_are_kept(window: MainWindow) -> None:
    def add(dialog: QDialog) -> None:
        assert isinstance(dialog, SetupDialog)
        dialog.presets.append("20x12/30")
        dialog.reject()

    meet(add)
    window.run_command(Command.SETUP)
    assert window.preferences.presets == ("20x12/30",)
    assert window.store.settings.get("presets") == ["20x12/30"]


def test_settings_take_effect_while_the_dialog_stands_there(window: MainWindow) -> None:
    seen: list[str] = []

    def change(dialog: QDialog) -> None:
        assert isinstance(dialog, SettingsDialog)
        dialog.changed.emit({"theme": "dark", "left_chord": True})
        seen.append(window.board.theme.name)
        dialog.reject()

    meet(change)
    window.run_command(Command.SETTINGS)
    assert seen == ["dark"]
    assert window.controller.mouse.options.left_chords


def test_records_know_the_game_just_played(window: MainWindow) -> None:
    click(window, 4, 4)
    window.run_command(Command.NEW)
    met = meet(lambda dialog: dialog.reject())
    window.run_command(Command.RECORDS)
    assert met == ["RecordsDialog"]
    assert len(window.store.games(Rules.parse("9x9/10"))) == 1


def test_what_has_no_page_opens_none(window: MainWindow) -> None:
    DialogOpener(window, window.controller, window.store, window.change_preferences).open_dialog_of(
        Command.PAUSE
    )
    assert QApplication.activeModalWidget() is None


@pytest.mark.parametrize("name", THEMES)
def test_the_setup_shows_its_board_in_the_look_chosen(window: MainWindow, name: str) -> None:
    window.change_preferences({"theme": name, "palette": "strong"})
    seen: list[bool] = []

    def look(dialog: QDialog) -> None:
        preview = dialog.findChild(ExampleBoard)
        assert preview is not None
        seen.append(preview.theme == window.theme)
        dialog.reject()

    meet(look)
    window.run_command(Command.SETUP)
    assert seen == [True]


def test_a_daily_board_is_played_and_its_result_copied(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = today_utc()
    for where in ("store.daily", "play.game_session", "desktop.dialogs.daily_boards_page"):
        monkeypatch.setattr(f"demine.{where}.today_utc", lambda: day)
    controller = window.controller
    window.run_command(Command.RESULT)
    assert "no daily result yet" in controller.status_text()
    window.run_command(DAILY["beginner"])
    board = Daily(day, "beginner")
    assert controller.session.daily == board
    assert controller.title_with_difficulty() == f"Daily board {day.isoformat()}, Beginner"
    assert controller.prescribed_start == board.start
    mine_map = make(board.rules, board.seed, board.start)
    controller.session.open_on_laid_mines(board.start, mine_map)
    for row, col in zip(*(~mine_map).nonzero(), strict=True):
        controller.act_at(Command.ACT, (int(row), int(col)))
        if controller.session.game.status.over:
            break
    assert "streak 1" in controller.status_text()
    assert window.central.message_strip.text.startswith(f"demine {day.isoformat()} beginner  won ")
    *_, share = window.central.message_strip.buttons
    assert share.text() == "Copy result"
    assert share.toolTip() == "Shift+D"
    share.click()
    assert QGuiApplication.clipboard().text() == controller.session.daily_result_line()
    controller.begin_new_game()
    assert controller.title_with_difficulty() == "Beginner"
    assert not share.isVisible()
    assert controller.session.game.rules == Rules.parse("9x9/10")

    def choose(dialog: QDialog) -> None:
        assert isinstance(dialog, RecordsDialog)
        dialog.daily.table.selectRow(2)
        dialog.daily.play.click()

    meet(choose)
    window.run_command(Command.DAILY)
    assert controller.session.daily == Daily(day, "expert")


def test_the_review_of_a_game_that_is_over_judges_it(window: MainWindow) -> None:
    click(window, 4, 4)
    mines = window.controller.session.game.board.mine_map
    row, col = (int(at) for at in np.argwhere(mines)[0])
    click(window, row, col)
    assert window.controller.session.game.status.over
    window.run_command(REVIEW)
    (player,) = window.findChildren(ReplayWindow)
    assert not player.playing
    until(lambda: bool(player.jumps.judged))
    fatal = player.jumps.judged[max(player.jumps.judged)]
    assert (fatal.row, fatal.col) == (row, col)
    until(lambda: verdict_text(fatal) in player.line.text)
    player.step(-1)
    assert verdict_text(fatal) not in player.line.text
    player.step(1)
    assert verdict_text(fatal) in player.line.text, "each step tells what is judged of the next act"
    player.close()
