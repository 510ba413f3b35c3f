"""The player's page of keys: all that its menus bind, by F1 and by menu, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.watch.keys_help import KeysDialog
from demine.desktop.watch.menus import MENUS
from demine.scene.key_bindings import key_label
from demine.scene.translation import tr
from tests.desktop.dialogs_desk import access_keys, chinese, nameless, pixels, shown
from tests.desktop.test_pictures import letters  # noqa: F401  (a fixture)
from tests.desktop.watch_desk import watching
from tests.pictures import compare

pytestmark = pytest.mark.usefixtures("app")


@contextmanager
def closing() -> Iterator[list[str]]:
    """Close the page of keys that comes next, and keep what it says."""
    seen: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, KeysDialog):
            seen.append(dialog.page.text.toPlainText())
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(10)
    yield seen
    timer.stop()


@pytest.mark.parametrize("way", ["F1", "?", "menu"])
def test_f1_a_question_mark_and_the_menu_open_the_page_of_keys(way: str) -> None:
    with watching() as window, closing() as seen:
        if way == "F1":
            QTest.keyClick(window.board, Qt.Key.Key_F1)
        elif way == "?":
            QTest.keyClick(window.board, Qt.Key.Key_Question)
        else:
            window.menus.actions["help"].trigger()
        assert len(seen) == 1
        assert "Next guess" in seen[0]
        assert window.isVisible()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_page_has_every_key_of_the_menus_in_words(language: str) -> None:
    dialog = KeysDialog(None)
    english = dialog.page.text.toPlainText()
    with chinese() if language == "zh_CN" else watching():
        said = dialog.page.text.toPlainText()
        assert (said == english) is (language == "en")
        for _, entries in MENUS:
            for _, text, keys in entries:
                if keys:
                    named = tr(text).split("(&")[0].replace("&", "").rstrip("…")
                    line = f" {named} {', '.join(map(key_label, keys))} "
                    assert line in " ".join([*said.split(), ""])
        assert "&" not in said
        assert nameless(dialog) == []
    dialog.deleteLater()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.usefixtures("letters")
def test_the_page_of_keys(language: str, regenerate: bool) -> None:
    with watching(language=language):
        dialog = shown(KeysDialog(None))
        dialog.resize(600, 620)
        found = access_keys(dialog)
        assert len(set(found)) == len(found)
        compare(pixels(dialog), f"desktop/watch-keys-{language}", regenerate, mean=0.6, worst=255)
