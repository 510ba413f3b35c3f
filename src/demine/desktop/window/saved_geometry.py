"""Where the window was, value as a setting."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray

from demine.scene.board_geometry import MAX_CELL

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

GEOMETRY_SETTING: Final = "desktop_window"
"""The setting's name."""


@dataclass(frozen=True, slots=True)
class SavedGeometry:
    """A window's place and size, and the board that filled it."""

    geometry: str = ""
    """What Qt says of it, in base 64; empty when it never said anything."""
    rows: int = 0
    cols: int = 0
    cell: int = 0
    """The size of a cell in Qt's pixels; 0 for a board that fitted its window."""

    @classmethod
    def of(cls, window: QMainWindow, rows: int, cols: int, cell: int) -> SavedGeometry:
        """Return the place of a window."""
        geometry = base64.b64encode(window.saveGeometry().data()).decode("ascii")
        return cls(geometry, rows, cols, cell)

    @classmethod
    def from_setting(cls, value: object) -> SavedGeometry:
        """Return the place in a setting that any version or hand may have written."""
        if not isinstance(value, dict):
            return cls()
        geometry = value.get("geometry")
        rows, cols, cell = (value.get(name) for name in ("rows", "cols", "cell"))
        if not isinstance(geometry, str) or type(rows) is not int or type(cols) is not int:
            return cls()
        if type(cell) is not int or not 0 <= cell <= MAX_CELL:
            cell = 0
        return cls(geometry, rows, cols, cell)

    def apply_to(self, window: QMainWindow) -> bool:
        """Put a window there, as far as today's screens allow; return whether that was possible."""
        try:
            data = base64.b64decode(self.geometry, validate=True)
        except (binascii.Error, ValueError):
            return False
        return bool(data) and window.restoreGeometry(QByteArray(data))
