"""Counters of the player: what they say at each moment, and what may be chosen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from demine.desktop.dialogs.choose_counters import CountersDialog
from demine.desktop.watch.replay_window import ReplayWindow
from demine.statistics.chosen_counters import (
    COUNTERS_SETTING,
    DEFAULT_COUNTERS,
    MOST_COUNTERS,
    Counter,
    counter_title,
    counters_to_setting,
    format_value,
    parse_counters,
)
from demine.statistics.compute import stats
from demine.statistics.definitions import TABLE
from demine.statistics.formula import Formula
from demine.store import Store
from tests.desktop.dialogs_desk import nameless, shown, until
from tests.desktop.watch_desk import careless, watching

pytestmark = pytest.mark.usefixtures("app")


def said(window: ReplayWindow) -> dict[str, str]:
    panel = window.counters
    rows = zip(panel._names, panel._values, strict=True)
    return {name.toolTip(): value.text() for name, value in rows}


def test_they_say_what_the_statistics_of_the_moment_are() -> None:
    game = careless()
    with watching(game) as window:
        until(lambda: said(window)["bv"] != "–")
        for ms in (0, game.time_ms // 2, game.time_ms):
            window.seek(ms)
            wanted = stats(game, at=ms)
            for name, value in said(window).items():
                assert value == format_value(wanted[name]), (ms, name)


def test_a_formula_of_ones_own_is_counted_and_remembered() -> None:
    with Store.memory() as store:
        store.settings.set(COUNTERS_SETTING, [["Speed", "bv_s * ioe"], ["", "bv"]])
        with watching(store=store) as window:
            until(lambda: said(window)["bv"] != "–")
            window.seek(window.playback.end)
            end = stats(window.playback.game)
            bv_s, ioe = end["bv_s"], end["ioe"]
            assert bv_s is not None
            assert ioe is not None
            assert said(window)["bv_s * ioe"] == format_value(bv_s * ioe)
            assert window.counters._names[0].text() == "Speed"


def test_the_dialog_adds_moves_removes_and_refuses() -> None:
    with watching() as window:
        dialog = shown(CountersDialog(window, parse_counters(None)))
        assert isinstance(dialog, CountersDialog)
        assert nameless(dialog) == []
        assert dialog.counters == parse_counters(DEFAULT_COUNTERS)
        dialog.formula.setFocus()
        dialog.formula.setText("bv_s / nothing")
        QTest.keyClick(dialog.formula, Qt.Key.Key_Return)
        assert dialog.counters == parse_counters(DEFAULT_COUNTERS)
        assert any(
            "no statistic 'nothing'" in each.text()
            for each in dialog.findChildren(type(dialog._message))
        )
        dialog.name.setText("mine")
        dialog.formula.setText("(bv - zini) / bv")
        QTest.keyClick(dialog.formula, Qt.Key.Key_Return)
        assert dialog.isVisible()
        assert dialog.counters[-1] == Counter("mine", Formula("(bv - zini) / bv"))
        dialog.move_selected_row(-1)
        assert dialog.counters[-2].name == "mine"
        dialog.remove_selected()
        dialog.known.setCurrentRow(0)
        dialog.add_selected_statistic()
        assert dialog.counters == [*parse_counters(DEFAULT_COUNTERS), Counter("", Formula("bv"))]
        dialog.restore_defaults()
        assert dialog.counters == parse_counters(DEFAULT_COUNTERS)


def test_settings_that_any_hand_may_have_written() -> None:
    assert (
        parse_counters(None)
        == parse_counters(DEFAULT_COUNTERS)
        == parse_counters(counters_to_setting(parse_counters(DEFAULT_COUNTERS)))
    )
    assert parse_counters([]) == []
    assert parse_counters([["a", "bv"], ["b"], 3, ["c", "import os"], ["d", 4]]) == [
        Counter("a", Formula("bv"))
    ]
    assert len(parse_counters([["x" * 99, "bv"]] * 1000)) == MOST_COUNTERS
    assert counter_title(parse_counters([["", "ioe"]])[0]) == "IOE"
    assert counter_title(parse_counters([["", "numbers"]])[0]) == "Sum of numbers"
    assert counter_title(parse_counters([["", "bv + 1"]])[0]) == "bv + 1"


def test_every_statistic_to_choose_has_a_name_in_the_language_set() -> None:
    with watching(language="zh_CN") as window:
        dialog = CountersDialog(window, window.counters.counters)
        texts = [dialog.known.item(row).text() for row in range(dialog.known.count())]
        names = [dialog.known.item(row).data(Qt.ItemDataRole.UserRole) for row in range(len(texts))]
        assert texts == [f"{TABLE[name].title()} ({name})" for name in names]
        dialog.known.setCurrentRow(names.index("cells8"))
        dialog.add_selected_statistic()
        assert dialog.chosen.currentItem().text() == "显示 8 的格子"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (3.0, "3"),
        (0.5, "0.500"),
        (1234567.25, "1.235e+06"),
        (-2.0, "-2"),
        (2e15, "2e+15"),
    ],
)
def test_values_as_they_stand_there(value: float | None, text: str) -> None:
    assert format_value(value) == text
