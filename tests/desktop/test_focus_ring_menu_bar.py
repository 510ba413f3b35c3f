"""The menu bar shows where the keyboard is, also while no menu is open."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.window.main_window import MainWindow
from demine.scene.colours import RGB, contrast
from demine.scene.themes import THEMES
from tests.desktop.dialogs_desk import pixels, until

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_a_ring_is_around_the_title_that_has_the_keyboard(window: MainWindow, theme: str) -> None:
    window.change_preferences({"theme": theme})
    QApplication.processEvents()
    bar = window.menuBar()
    bare = pixels(bar)
    QTest.keyClick(window.board, Qt.Key.Key_Alt)
    until(bar.hasFocus)
    title = bar.actionGeometry(bar.actions()[0])
    ringed = pixels(bar)
    changed = (bare != ringed).any(axis=2)
    rows, cols = np.nonzero(changed)
    assert title.contains(cols.min(), rows.min())
    assert title.contains(cols.max(), rows.max())
    ring, ground = ringed[title.top() + 1, title.left() + 9], bare[0, -1]
    assert contrast(rgb(ring), rgb(ground)) >= 3

    QTest.keyClick(bar, Qt.Key.Key_Escape)
    until(window.board.hasFocus)
    assert (pixels(bar) == bare).all()


def rgb(pixel: NDArray[np.uint8]) -> RGB:
    """A pixel's colour."""
    red, green, blue = (int(each) for each in pixel[:3])
    return red, green, blue
