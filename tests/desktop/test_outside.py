"""Text from outside in windows: it stands there letter by letter, and neither hides nor turns."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QWidget

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.choose_counters import CountersDialog
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.status_line import StatusLine
from demine.desktop.watch.replay_window import ReplayWindow
from demine.logic.errors import DemineError
from demine.scene.board_title import board_title
from demine.scene.preferences import Preferences
from demine.scene.translation import explain
from demine.statistics.chosen_counters import Counter
from demine.statistics.formula import Formula
from tests.desktop.dialogs_desk import app  # noqa: F401 - a fixture
from tests.outside import EVIL, OWNED, acting, evil_game

MARKUP = f"<img src='x'><b>{EVIL}</b>&lt;"
pytestmark = pytest.mark.usefixtures("app")


def read(tip: str) -> str:
    """A tool tip as Qt shows it."""
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()


def said(window: QWidget) -> list[str]:
    """All that a window says by itself: its title, tips, names and labels."""
    parts = [window, *window.findChildren(QWidget)]
    return [
        text
        for part in parts
        for text in (
            part.windowTitle(),
            part.toolTip(),
            part.accessibleName(),
            part.accessibleDescription(),
            part.text() if isinstance(part, QLabel) else "",
        )
        if text
    ]


@pytest.mark.parametrize("text", ["plain", "1 < 2", "a && b", "<b>bold</b>", "x &lt; y", "</b>x"])
def test_a_tip_shows_letter_by_letter_what_looks_like_html(text: str) -> None:
    assert read(plain_tool_tip(text)) == text


def test_a_tip_of_an_error_with_the_name_of_a_file() -> None:
    line = StatusLine()
    line.set_text_if_new(explain(DemineError("{path}: it is a folder", path=MARKUP)))
    found = read(line.toolTip())
    assert found.startswith("<img src='x'><b>owned")
    assert found.endswith("</b>&lt;: it is a folder")
    assert acting(line.toolTip() + line.accessibleName() + found) == []


def test_the_player_of_games_shows_names_inertly() -> None:
    window = ReplayWindow(evil_game(player=MARKUP), Preferences(), name=f"{MARKUP}\udcff.avf")
    try:
        assert OWNED in window.windowTitle()
        assert acting("".join(said(window))) == []
        rich = [text for text in said(window) if "<b>" in text and text != window.windowTitle()]
        assert rich == []
    finally:
        window.close()


def test_counters_that_somebody_else_named() -> None:
    dialog = CountersDialog(None, [Counter(MARKUP, Formula("bv / 2"))])
    try:
        assert OWNED in dialog.chosen.item(0).text()
        assert acting(dialog.chosen.item(0).text()) == []
    finally:
        dialog.close()


def test_rules_results_and_notes_that_no_demine_wrote() -> None:
    for tell in (
        board_title,
        formatting.game_result_text,
        formatting.unranked_reason_text,
    ):
        assert OWNED in tell(EVIL)
        assert acting(tell(EVIL)) == []
