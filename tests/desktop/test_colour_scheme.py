"""The colours of controls that no theme paints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollBar

from demine.desktop import colour_scheme
from demine.scene.colours import contrast
from demine.scene.preferences import Preferences
from tests.desktop.dialogs_desk import pixels


@pytest.fixture
def look(app: QApplication) -> Iterator[None]:
    yield
    colour_scheme.apply_colour_scheme(Preferences(theme="light"))


@pytest.mark.usefixtures("look")
def test_the_handle_of_a_scroll_bar_stands_out_of_its_groove() -> None:
    colour_scheme.apply_colour_scheme(Preferences(theme="contrast"))
    bar = QScrollBar(Qt.Orientation.Vertical)
    bar.setPageStep(30)
    bar.resize(16, 200)
    bar.show()
    seen = pixels(bar)
    handle, groove = (tuple(int(part) for part in seen[row, 8]) for row in (40, 150))
    assert contrast(handle, groove) >= 3  # type: ignore[arg-type]
    bar.close()
