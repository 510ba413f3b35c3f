"""The geometry of the window, saved as a setting."""

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
"""The name of the setting."""


@dataclass(frozen=True, slots=True)
class SavedGeometry:
    """The position and size of a window, and the size of its board."""

    geometry: str = ""
    """Qt's saved geometry in base 64; empty if there is none."""
    rows: int = 0
    cols: int = 0
    cell: int = 0
    """The side of a cell in logical pixels; 0 for a board that fitted its window."""

    @classmethod
    def of(cls, window: QMainWindow, rows: int, cols: int, cell: int) -> SavedGeometry:
        """Return the geometry of a window, with the size of its board and of a cell."""
        geometry = base64.b64encode(window.saveGeometry().data()).decode("ascii")
        return cls(geometry, rows, cols, cell)

    @classmethod
    def from_setting(cls, value: object) -> SavedGeometry:
        """Return the geometry in the value of the setting, or an empty one if that is invalid."""
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
        """Restore a window's geometry as far as screens allow; return False if it is invalid."""
        try:
            data = base64.b64decode(self.geometry, validate=True)
        except (binascii.Error, ValueError):
            return False
        return bool(data) and window.restoreGeometry(QByteArray(data))
