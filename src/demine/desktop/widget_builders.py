"""Layouts, tables, combo boxes and scroll areas, set up as all dialogs and panels want them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QSignalBlocker, QStandardPaths, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QTableView,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

LayoutPart: TypeAlias = "QWidget | QLayout | tuple[QWidget | QLayout, int] | None"
"""What stands in a layout: a widget or a layout, with a stretch factor; None is empty room."""


def hbox(*parts: LayoutPart) -> QHBoxLayout:
    """Return a layout of parts beside each other."""
    layout = QHBoxLayout()
    _fill(layout, parts)
    return layout


def vbox(*parts: LayoutPart, parent: QWidget | None = None) -> QVBoxLayout:
    """Return a layout of parts below each other, that of `parent` if there is one."""
    layout = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    _fill(layout, parts)
    return layout


def _fill(layout: QBoxLayout, parts: Iterable[LayoutPart]) -> None:
    for each in parts:
        part, stretch = each if isinstance(each, tuple) else (each, 0)
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        else:
            layout.addWidget(part, stretch)


def set_up_row_table(table: QTableView) -> None:
    """Let a table show rows that are selected whole and one at a time, and edited never."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(round(table.fontMetrics().height() * 1.6))


def set_up_name_value_table(table: QTableWidget) -> None:
    """Let a table of two columns give the first all the room that the second leaves."""
    set_up_row_table(table)
    header = table.horizontalHeader()
    header.setSectionResizeMode(0, header.ResizeMode.Stretch)
    header.setSectionResizeMode(1, header.ResizeMode.ResizeToContents)


def fill_combo_box(
    box: QComboBox, items: Iterable[tuple[str, object]], selected: object = None
) -> None:
    """Replace the items, (text, data), without a signal; select one by its data, or the first."""
    with QSignalBlocker(box):
        box.clear()
        for text, data in items:
            box.addItem(text, data)
        box.setCurrentIndex(0 if selected is None else max(box.findData(selected), 0))


def make_scroll_area(page: QWidget) -> QScrollArea:
    """Return a page that scrolls where the window is too small, and looks as if it did not."""
    area = QScrollArea()
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what has the focus scrolls into sight
    for part in (area.viewport(), page):
        part.setAutoFillBackground(False)
    return area


def documents_folder() -> str:
    """Return the folder where the player's system keeps documents."""
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
