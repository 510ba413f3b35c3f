"""Layouts, tables, combo boxes and scroll areas, set up as all dialogs and panels need them."""

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
"""A widget or layout, or a pair of one with its stretch factor; None is stretchable space."""


def hbox(*parts: LayoutPart) -> QHBoxLayout:
    """Return a horizontal layout of parts."""
    layout = QHBoxLayout()
    _fill(layout, parts)
    return layout


def vbox(*parts: LayoutPart, parent: QWidget | None = None) -> QVBoxLayout:
    """Return a vertical layout of parts, set as the layout of `parent` if given."""
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
    """Set a table up to select one whole row at a time, read-only."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(round(table.fontMetrics().height() * 1.6))


def set_up_name_value_table(table: QTableWidget) -> None:
    """Set up a read-only table of two columns, the first of which is stretched."""
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
    """Return a scroll area around a page, without frame or background of its own."""
    area = QScrollArea()
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a focused field is scrolled into view
    for part in (area.viewport(), page):
        part.setAutoFillBackground(False)
    return area


def documents_folder() -> str:
    """Return the path of the user's documents folder."""
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
