"""The setup under a real hand: fields that follow each other, sentences, own boards, 3BV."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QInputMethodEvent, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QDialogButtonBox,
    QLabel,
    QSpinBox,
    QWidget,
)
from shiboken6 import isValid

from demine.desktop.dialogs import three_bv_estimator
from demine.desktop.dialogs.board_setup import SetupDialog
from demine.desktop.dialogs.setup_preview import faces_after_first_click
from demine.desktop.dialogs.three_bv_estimator import (
    BOARDS,
    LARGEST,
    DifficultyEstimator,
    rules_to_sample,
)
from demine.logic.layout import deal
from demine.logic.rules import BEGINNER, EXPERT, First, Goal, Option, Rules
from demine.scene.cell_faces import Face
from demine.scene.preferences import MAX_PRESETS, MOST_SIDE, Preferences
from demine.scene.themes import THEMES
from demine.statistics.board_3bv import three_bv
from tests.desktop.dialogs_desk import access_keys, app, chinese, nameless, pixels, shown, until
from tests.logic.rule_choices import EVERY

__all__ = ["app"]

LIGHT = THEMES["light"]
OWN = "20x14/40 first=safe"


@pytest.fixture
def dialog(app: QApplication) -> SetupDialog:
    dialog = SetupDialog(None, BEGINNER, [OWN, "no rules", "beginner", OWN], LIGHT)
    shown(dialog)
    return dialog


def typed(box: QAbstractSpinBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)


def ground(box: QSpinBox) -> QColor:
    return box.palette().color(QPalette.ColorRole.Base)


def accepts(dialog: SetupDialog) -> bool:
    return dialog._buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def rows(dialog: SetupDialog) -> list[str]:
    return [dialog._list.item(row).text() for row in range(dialog._list.count())]


@EVERY
def test_every_option_is_shown_and_kept(app: QApplication, option: Option, rules: Rules) -> None:
    """What no field says is kept all the same."""
    dialog = SetupDialog(None, rules, [], LIGHT)
    value = getattr(rules, option.name)
    if option.label and option.is_switch:
        assert dialog._switches[option.name].isChecked() == value
    elif option.label:
        assert dialog._choices[option.name].currentData() == value
    dialog.accept()
    assert dialog.rules == rules


def test_begins_with_the_rules_given_and_drops_presets_that_are_none(dialog: SetupDialog) -> None:
    assert dialog.presets == [OWN]
    assert dialog._list.currentItem().text() == "Beginner · 9 × 9, 10 mines"
    assert dialog._width.hasFocus()
    assert dialog.rules is None
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.rules == BEGINNER


def test_a_board_is_typed_by_keyboard_alone(dialog: SetupDialog) -> None:
    for text in ("30", "20", "130"):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClicks(focused, text)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.rules == Rules(30, 20, 130)


def test_every_typed_digit_stays_and_the_dialog_says_what_would_fit(dialog: SetupDialog) -> None:
    typed(dialog._mines, "120")
    assert dialog._mines.text() == "120"
    assert not accepts(dialog)
    sentence = "At most 80 mines fit 9 × 9. Make the board larger or use fewer mines."
    assert dialog._error_label.text() == sentence
    assert dialog._error_label.isVisible()
    assert dialog._mines.accessibleDescription() == sentence
    assert ground(dialog._mines) != ground(dialog._width)
    QTest.keyClick(dialog._mines, Qt.Key.Key_Tab)
    assert dialog._mines.text() == "120"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert (dialog.rules, dialog.isVisible()) == (None, True)
    # A board with room for them takes them, without typing them again.
    typed(dialog._width, "30")
    assert (dialog._mines.value(), accepts(dialog)) == (120, True)
    assert not dialog._error_label.isVisible()
    assert ground(dialog._mines) == ground(dialog._width)


@pytest.mark.parametrize("digits", ["9999999999", "12345678901234567890"])
def test_as_many_digits_stay_as_anybody_types(dialog: SetupDialog, digits: str) -> None:
    for box, sentence in (
        (dialog._mines, "At most 80 mines fit 9 × 9."),
        (dialog._width, "A board is 1 to 1000 cells wide."),
    ):
        typed(box, digits)
        QTest.keyClick(box, Qt.Key.Key_Tab)
        assert (box.text(), box.number) == (digits, int(digits))
        assert dialog._error_label.text().startswith(sentence)
        assert not accepts(dialog)
    QTest.keyClick(dialog._width, Qt.Key.Key_Down)
    QTest.keyClick(dialog._width, Qt.Key.Key_Up)
    assert dialog._width.number > 10**9
    QTest.mouseClick(dialog._fit, Qt.MouseButton.LeftButton)
    assert dialog._width.text() == "1000"
    assert accepts(dialog)
    typed(dialog._density, "12345678901")
    assert dialog._density.text() == "12345678901%"
    assert dialog._mines.number == round(12345678901 * 9000 / 100)


@pytest.mark.parametrize(("given", "shown_text"), [("３０", "30"), ("1,000", "1000"), ("12", "12")])
def test_digits_of_an_input_method_and_pasted_ones_stay_too(
    dialog: SetupDialog, given: str, shown_text: str
) -> None:
    for paste in (False, True):
        edit = dialog._width.lineEdit()
        edit.selectAll()
        if paste:
            edit.insert(given)
        else:
            event = QInputMethodEvent()
            event.setCommitString(given)
            QApplication.sendEvent(edit, event)
        assert edit.text() == shown_text
        assert dialog._width.number == int(shown_text)
        dialog._width.setValue(9)


def test_a_density_in_full_width_digits_stays(dialog: SetupDialog) -> None:
    edit = dialog._density.lineEdit()
    edit.selectAll()
    event = QInputMethodEvent()
    event.setCommitString("２５．５")
    QApplication.sendEvent(edit, event)
    assert dialog._mines.value() == round(0.255 * 81)


def test_what_does_not_fit_is_made_to_fit_by_a_button(dialog: SetupDialog) -> None:
    typed(dialog._mines, "120")
    assert dialog._title.text() == "9 × 9, 80 mines"  # what the preview shows
    QTest.mouseClick(dialog._fit, Qt.MouseButton.LeftButton)
    assert accepts(dialog)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.rules == Rules(9, 9, 80, First.SAFE)


def test_an_empty_field_is_no_board(dialog: SetupDialog) -> None:
    typed(dialog._width, "")
    QTest.keyClick(dialog._width, Qt.Key.Key_Delete)
    assert dialog._width.text() == ""
    assert not accepts(dialog)
    QTest.keyClicks(dialog._width, "12")
    assert dialog._read_fields().nearest == Rules(12, 9, 10)
    assert accepts(dialog)


def test_mines_and_density_follow_each_other(dialog: SetupDialog) -> None:
    typed(dialog._mines, "27")
    assert dialog._density.value() == pytest.approx(33.3, abs=0.05)
    dialog._density.setFocus()
    dialog._density.selectAll()
    QTest.keyClicks(dialog._density, "50")
    assert dialog._mines.value() == round(81 * 0.5)
    typed(dialog._width, "18")
    assert dialog._mines.value() == 40
    assert dialog._density.value() == pytest.approx(100 * 40 / 162, abs=0.05)


def test_a_density_beyond_the_board_is_kept_and_told(dialog: SetupDialog) -> None:
    dialog._density.setFocus()
    dialog._density.selectAll()
    QTest.keyClicks(dialog._density, "120.55")
    assert dialog._density.text() == "120.55%"
    assert dialog._mines.value() == 98
    assert not accepts(dialog)


def test_sides_have_limits(dialog: SetupDialog) -> None:
    typed(dialog._width, "99999")
    assert dialog._width.text() == "99999"
    assert dialog._error_label.text() == f"A board is 1 to {MOST_SIDE} cells wide."
    assert not accepts(dialog)
    huge = SetupDialog(None, Rules(3000, 2, 5), [], LIGHT)
    assert huge._width.value() == 3000
    assert accepts(huge)


def test_guess_free_is_a_tick_where_the_first_cell_is_safe(dialog: SetupDialog) -> None:
    assert dialog._switches["guess_free"].isEnabled()
    QTest.mouseClick(dialog._switches["guess_free"], Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    until(lambda: dialog._estimate_label.text().startswith("3BV about"))
    dialog._choices["first"].setCurrentIndex(dialog._choices["first"].findData(First.ANY))
    assert not dialog._switches["guess_free"].isEnabled()
    assert "need a safe first click" in dialog._no_guess_free_note.text()
    assert dialog._no_guess_free_note.isVisible()
    assert dialog._read_fields().nearest == Rules(9, 9, 10, "any")
    dialog._choices["first"].setCurrentIndex(dialog._choices["first"].findData(First.SAFE))
    assert not dialog._no_guess_free_note.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.rules == Rules(9, 9, 10, "safe", guess_free=True)


def test_a_board_too_large_to_be_guess_free_is_refused_before_it_is_begun(
    dialog: SetupDialog,
) -> None:
    typed(dialog._width, "300")
    typed(dialog._height, "300")
    assert accepts(dialog)
    dialog._switches["guess_free"].click()
    assert not accepts(dialog)
    assert "at most 65536 cells" in dialog._error_label.text()
    assert dialog._error_label.isVisible()
    dialog._switches["guess_free"].click()
    assert accepts(dialog)


def test_impossible_rules_are_refused_with_their_sentence(dialog: SetupDialog) -> None:
    typed(dialog._mines, "80")
    assert not accepts(dialog)
    sentence = dialog._error_label.text()
    assert sentence.startswith("To start with an opening, 9 × 9 has room for 72 mines at most.")
    assert dialog._error_label.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.rules is None
    assert dialog.isVisible()
    with chinese():
        assert "72" in dialog._error_label.text()
        assert dialog._error_label.text() != sentence
    dialog._choices["first"].setFocus()
    QTest.keyClick(dialog._choices["first"], Qt.Key.Key_Down)
    assert accepts(dialog)
    assert not dialog._error_label.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.rules == Rules(9, 9, 80, First.SAFE)


def test_escape_takes_no_rules_and_keeps_the_presets(dialog: SetupDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.rules is None
    assert dialog.presets == [OWN]
    assert not dialog.isVisible()


def test_goal_and_first_click_are_chosen(dialog: SetupDialog) -> None:
    dialog._choices["first"].setCurrentIndex(dialog._choices["first"].findData(First.ANY))
    dialog._choices["goal"].setCurrentIndex(dialog._choices["goal"].findData(Goal.FLAG))
    dialog.accept()
    assert dialog.rules == Rules(9, 9, 10, First.ANY, Goal.FLAG)


def test_own_boards_are_kept_used_and_removed(dialog: SetupDialog) -> None:
    assert rows(dialog)[5] == "20 × 14, 40 mines, safe first click"
    assert not dialog._add.isEnabled()
    assert not dialog._remove.isEnabled()
    typed(dialog._width, "12")
    assert dialog._list.currentRow() == -1
    QTest.mouseClick(dialog._add, Qt.MouseButton.LeftButton)
    assert dialog.presets == [OWN, "12x9/10"]
    assert dialog._list.currentRow() == 6
    place = dialog._list.visualItemRect(dialog._list.item(5)).center()
    QTest.mouseClick(dialog._list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (dialog._width.value(), dialog._mines.value()) == (20, 40)
    QTest.mouseClick(dialog._remove, Qt.MouseButton.LeftButton)
    assert dialog.presets == ["12x9/10"]
    assert len(rows(dialog)) == 6
    place = dialog._list.visualItemRect(dialog._list.item(2)).center()
    QTest.mouseClick(dialog._list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(dialog._list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert dialog.rules == EXPERT


def test_no_more_own_boards_are_kept_than_the_preferences_hold(app: QApplication) -> None:
    presets = [f"{width}x5/4" for width in range(10, 10 + MAX_PRESETS - 1)]
    dialog = SetupDialog(None, Rules(50, 5, 4), presets, LIGHT)
    shown(dialog)
    QTest.mouseClick(dialog._add, Qt.MouseButton.LeftButton)
    assert len(dialog.presets) == MAX_PRESETS
    typed(dialog._width, "51")
    assert not dialog._add.isEnabled()
    assert Preferences.from_settings({"presets": dialog.presets}).presets == tuple(dialog.presets)


def test_a_dialog_that_was_answered_is_not_kept_by_its_parent(app: QApplication) -> None:
    parent = QWidget()
    dialog = SetupDialog(parent, EXPERT, [], LIGHT)
    QTimer.singleShot(0, dialog.accept)
    assert dialog.exec()
    assert dialog.rules == EXPERT
    until(lambda: not isValid(dialog))


def test_arrows_go_through_the_boards(dialog: SetupDialog) -> None:
    dialog._list.setFocus()
    QTest.keyClick(dialog._list, Qt.Key.Key_Down)
    assert (dialog._width.value(), dialog._height.value(), dialog._mines.value()) == (16, 16, 40)


def test_counts_3bv_and_says_so(dialog: SetupDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(three_bv_estimator, "SECONDS", 60.0)  # however busy the machine is
    dialog._set_fields(EXPERT)
    until(lambda: f"{BOARDS} random boards" in dialog._estimate_label.text())
    mean, spread = map(int, re.findall(r"[0-9]+", dialog._estimate_label.text())[1:3])
    assert abs(mean - 172) < 8
    assert abs(spread - 19) < 6
    with chinese():
        until(
            lambda: (
                "3BV" in dialog._estimate_label.text()
                and str(BOARDS) in dialog._estimate_label.text()
            )
        )


def test_a_large_board_is_counted_without_holding_the_dialog_up(dialog: SetupDialog) -> None:
    dialog._set_fields(Rules(1000, 1000, 150_000))
    until(lambda: dialog._estimator is not None)
    answered = 0
    while dialog._estimator is not None and not dialog._estimator.done:
        QTest.keyClick(dialog._mines, Qt.Key.Key_Home)
        QTest.qWait(5)
        answered += 1
    assert answered > 20


def test_closing_stops_the_count(dialog: SetupDialog) -> None:
    dialog._set_fields(Rules(1000, 1000, 150_000))
    until(lambda: dialog._estimator is not None)
    estimator = dialog._estimator
    assert estimator is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog._estimator is None
    assert estimator.wait(10)
    found = estimator.estimate
    assert found is None or found.boards < BOARDS


def test_an_estimate_is_the_mean_and_spread_of_real_boards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(three_bv_estimator, "SECONDS", 60.0)
    rules = Rules(9, 9, 10)
    estimator = DifficultyEstimator(rules)
    assert estimator.wait(60)
    found = estimator.estimate
    assert found is not None
    assert (found.boards, found.piece) == (BOARDS, None)
    values = [three_bv(deal(rules, seed, (seed % 9, seed // 9 % 9))) for seed in range(600)]
    assert found.mean == pytest.approx(np.mean(values), abs=1.5)
    assert found.spread == pytest.approx(np.std(values), abs=1.5)


@pytest.mark.parametrize(
    "rules", [Rules(3000, 2000, 1_000_000), Rules(1 << 26, 1, 1 << 20), Rules(1, 1 << 25, 1 << 20)]
)
def test_a_piece_of_a_huge_board_is_as_dense_and_not_larger_than_can_be_counted(
    rules: Rules,
) -> None:
    piece, scale = rules_to_sample(rules)
    assert LARGEST // 2 < piece.cells <= LARGEST
    assert piece.cells * scale == pytest.approx(rules.cells)
    assert piece.mines * scale == pytest.approx(rules.mines, rel=0.01)
    assert piece.width <= rules.width
    assert piece.height <= rules.height


def test_boards_that_can_be_counted_are_counted_whole() -> None:
    assert rules_to_sample(EXPERT) == (EXPERT, 1.0)


@pytest.mark.parametrize(
    ("rules", "shape"),
    [
        (BEGINNER, (9, 9)),
        (EXPERT, (16, 30)),
        (Rules(1000, 500, 80_000), (500, 1000)),
        (Rules(3000, 3, 100), (1, 1000)),
        (Rules(1, 1, 0), (1, 1)),
        (Rules(10, 10, 99, "any"), (10, 10)),
    ],
)
def test_the_preview_is_that_very_board_and_no_mine_blown(
    rules: Rules, shape: tuple[int, int]
) -> None:
    faces = faces_after_first_click(rules)
    assert faces.shape == shape
    assert faces.max() <= Face.FLAG
    assert (faces != Face.COVERED).any()


def test_the_preview_shows_another_board_for_other_rules(dialog: SetupDialog) -> None:
    until(lambda: dialog._estimator is not None)
    square = pixels(dialog._preview)
    dialog._set_fields(EXPERT)
    until(lambda: dialog._estimator is not None)
    assert (square != pixels(dialog._preview)).any()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_everything_has_a_name_and_an_access_key_of_its_own(
    app: QApplication, language: str
) -> None:
    dialog = SetupDialog(None, BEGINNER, [OWN], LIGHT)
    if language == "en":
        shown(dialog)
        check(dialog)
    else:
        with chinese():
            shown(dialog)
            check(dialog)
            assert "宽度" in "".join(label.text() for label in dialog.findChildren(QLabel))


def check(dialog: SetupDialog) -> None:
    keys = access_keys(dialog)
    assert len(keys) == len(set(keys)) >= 8
    assert nameless(dialog) == []


def test_a_named_board_comes_as_the_player_wants_levels(app: QApplication) -> None:
    wanted = Preferences(guess_free=True).with_level_options
    dialog = SetupDialog(None, wanted(BEGINNER), [], LIGHT, wanted)
    assert dialog._list.currentItem().text().startswith("Beginner")
    row = next(row for row in range(3) if rows(dialog)[row].startswith("Expert"))
    dialog._list.setCurrentRow(row)
    assert dialog._switches["guess_free"].isChecked()
    dialog.accept()
    assert dialog.rules == wanted(EXPERT)


def test_rules_that_no_field_says_stay(app: QApplication) -> None:
    held = Rules(9, 9, 10, flags="hold")
    dialog = SetupDialog(None, held, [], LIGHT)
    dialog._mines.setValue(12)
    dialog._add.click()
    assert dialog.presets == ["9x9/12 flags=hold"]
    assert rows(dialog)[-1].endswith("openings leave flags")
    dialog.accept()
    assert dialog.rules == Rules(9, 9, 12, flags="hold")
