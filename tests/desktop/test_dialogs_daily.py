"""The page of the daily boards: its days, its buttons, its languages, and the way to a board."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from demine.desktop.dialogs.records import RecordsDialog
from demine.logic.daily_board import Daily
from demine.logic.event import Verb
from demine.play.game_session import GameSession
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.themes import THEMES
from demine.store import Store
from tests.desktop.dialogs_desk import app, chinese

__all__ = ["app"]

DAY = date(2026, 11, 21)
_ONE = timedelta(days=1)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store in which the beginners' board was won on two days and lost on the third, today."""
    day = [DAY]
    for where in ("store.daily", "play.game_session", "desktop.dialogs.daily_boards_page"):
        monkeypatch.setattr(f"demine.{where}.today_utc", lambda: day[0])
    monkeypatch.setattr(
        "demine.store.running_game.utc_now_text", lambda: f"{day[0]}T10:00:00.000000+00:00"
    )
    with Store.memory() as made:
        for back in (2, 1, 0):
            day[0] = DAY - back * _ONE
            board = Daily(day[0], "beginner")
            session = GameSession.begin(made, StartOptions(daily=board), Preferences())
            session.play(Verb.OPEN, *board.start)
            mines = session.game.board.mine_map
            for row, col in zip(*(~mines if back else mines).nonzero(), strict=True):
                session.play(Verb.OPEN, int(row), int(col))
        yield made


@pytest.fixture
def page(app: QApplication, store: Store) -> Iterator[RecordsDialog]:
    dialog = RecordsDialog(None, store, None, THEMES["light"])
    dialog.tabs.setCurrentWidget(dialog.daily)
    dialog.show()
    app.processEvents()
    yield dialog
    dialog.close()


def texts(dialog: RecordsDialog) -> list[list[str]]:
    model = dialog.daily.table.model()
    return [
        [model.index(row, col).data() for col in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_every_level_has_its_row(page: RecordsDialog) -> None:
    rows = texts(page)
    assert [row[0] for row in rows] == ["Beginner", "Intermediate", "Expert"]
    assert rows[0][1] == "lost"
    assert rows[0][3:7] == ["0", "2", "3", "2"]
    assert rows[2][1:] == ["–", "–", "0", "0", "0", "0", "–"]


def test_days_are_chosen_and_told(page: RecordsDialog) -> None:
    month = page.daily.month
    assert month.accessibleDescription().startswith("2026-11-21: lost, 0.0")
    month.setFocus()
    QTest.keyClick(month, Qt.Key.Key_Left)
    assert month.day == DAY - _ONE
    assert month.accessibleDescription().startswith("2026-11-20: won, ")
    QTest.keyClick(month, Qt.Key.Key_Up)
    assert page.daily._day.text() == "2026-11-13: not played"
    QTest.keyClick(month, Qt.Key.Key_Right, delay=0)
    for _ in range(12):
        QTest.keyClick(month, Qt.Key.Key_Down)
    assert month.day == DAY  # there is no day after today
    QTest.keyClick(month, Qt.Key.Key_PageUp)
    assert month.day == date(2026, 10, 21)
    assert page.daily._title.text() == "Beginner · 2026-10"
    month.select_day(date(2026, 5, 31))
    month.go_by_months(-3)
    assert month.day == date(2026, 2, 28)
    month.go_by_months(-2)
    assert month.day == date(2025, 12, 28)


def test_the_mouse_chooses_days_of_this_month_up_to_today(page: RecordsDialog) -> None:
    month = page.daily.month
    place = month._day_rect(date(2026, 11, 19)).center()
    assert month.day_at(place) == date(2026, 11, 19)
    QTest.mouseClick(month, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert month.day == date(2026, 11, 19)
    assert month.day_at(month._day_rect(date(2026, 11, 22)).center()) is None
    assert month.day_at(month._day_rect(date(2026, 10, 31)).center()) is None
    assert month.day_at(QPointF(QPoint(3, 3))) is None


def test_the_result_is_copied(page: RecordsDialog) -> None:
    page.daily.month.select_day(DAY - _ONE)
    page.daily.copy.click()
    line = QGuiApplication.clipboard().text()
    assert line.startswith("demine 2026-11-20 beginner  won ")
    assert line.endswith("streak 2  ➖➖➖➖➖✅✅")
    assert page._message.text() == f"Result copied: {line}"
    page.daily.month.select_day(date(2026, 11, 2))
    assert not page.daily.copy.isEnabled()


def test_a_board_is_asked_for(page: RecordsDialog) -> None:
    assert page.daily.play.text() == "Prac&tise this board"
    page.daily.table.selectRow(2)
    assert page.daily.play.text() == "P&lay this board"
    page.daily.play.click()
    assert page.daily.requested == Daily(DAY, "expert")
    assert not page.isVisible()


def test_it_follows_the_language(page: RecordsDialog) -> None:
    with chinese():
        assert texts(page)[0][0] == "初级"
        assert page.daily.copy.text() == "复制战绩(&R)"
        assert page.daily._title.text() == "初级 · 2026-11"
    assert page.daily._title.text() == "Beginner · 2026-11"


@pytest.mark.parametrize("look", ["light", "dark", "classic", "contrast"])
def test_won_and_lost_days_look_different(app: QApplication, store: Store, look: str) -> None:
    dialog = RecordsDialog(None, store, None, THEMES[look])
    dialog.tabs.setCurrentWidget(dialog.daily)
    dialog.show()
    app.processEvents()
    month = dialog.daily.month
    month.select_day(DAY - 10 * _ONE)
    picture = month.grab().toImage()
    crops = [
        picture.copy(month._day_rect(day).adjusted(20, 4, -4, -4).toRect())
        for day in (DAY - _ONE, DAY, DAY - 12 * _ONE)
    ]
    assert crops[0] != crops[1]
    assert crops[0] != crops[2]
    assert crops[1] != crops[2]
    dialog.close()


def test_large_letters_leave_the_buttons_on_a_small_screen(page: RecordsDialog) -> None:
    # A screen of 1000 pixels at letters of 220 to the inch.
    line = page.fontMetrics().height()
    assert page.minimumSizeHint().height() < 26 * line
    page.resize(42 * line, 26 * line)
    QApplication.processEvents()
    assert page.height() == 26 * line
    button = page.daily.play
    button.setFocus(Qt.FocusReason.TabFocusReason)
    (area,) = page.daily.findChildren(QScrollArea)
    area.ensureWidgetVisible(button)
    assert not button.visibleRegion().isEmpty()
