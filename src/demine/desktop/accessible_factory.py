"""Gives Qt the accessible interfaces of boards and panels, and loads them when they are asked for.

Qt keeps the first interface that it has for a widget. So this is installed before the widgets of a
game are made, and costs nothing until a screen reader is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QAccessibleInterface


def install_accessible_factory() -> None:
    """Register the factory that gives Qt the accessible interfaces of boards and panels."""
    QAccessible.installFactory(_make_interface)


def _make_interface(_key: str, widget: QObject | None) -> QAccessibleInterface | None:
    from demine.desktop.accessibility import accessible_interface

    return accessible_interface(widget)
