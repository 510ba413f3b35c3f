"""The board for screen readers: a table of cells, each with its position and its face.

Qt asks for these objects only while a screen reader (or a test) runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleValueChangeEvent,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from demine.desktop.board.minimap import Minimap
from demine.desktop.board.qt_board_painting import from_device_pixels
from demine.desktop.board.widget import BoardWidget
from demine.desktop.message_strip import GameMessageStrip
from demine.desktop.panel import NumberDisplay, StatusLine
from demine.scene.cell_faces import Face
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from demine.desktop.controller import QtController
    from demine.scene.mouse_automaton import Cell

_RISKY: Final = (Face.COVERED, Face.FLAG, Face.QUESTION)
FACES: Final = {
    Face.ZERO: mark("empty"),
    Face.COVERED: mark("covered"),
    Face.FLAG: mark("flag"),
    Face.QUESTION: mark("question mark"),
    Face.MINE: mark("mine"),
    Face.BLOWN: mark("the mine that blew"),
    Face.WRONG: mark("wrong flag"),
}
"""What a cell shows, as message ids; numbers need none."""
MARKS: Final = {
    Mark.SAFE: mark("safe, open it"),
    Mark.MINE: mark("a mine for certain"),
    Mark.BECAUSE: mark("a number the proof rests on"),
    Mark.ABOUT: mark("a cell the proof is about"),
    Mark.GUESS: mark("the least risky guess"),
    Mark.MISTAKE: mark("the mistake"),
    Mark.MISSED: mark("was safe for certain"),
}
"""What a cell is marked as, as message ids."""
MAX_CELL_EVENTS: Final = 60
"""Up to this many changed cells are announced one by one; of more, only the cursor's is."""


def face_name(face: Face) -> str:
    """Return the name of a face in the current language; a number is its digit."""
    return tr(FACES[face]) if face in FACES else str(int(face))


def describe_cell_contents(controller: QtController, row: int, col: int) -> str:
    """Return the face, mark and risk of a cell as text in the current language."""
    face = Face(int(controller.faces[row, col]))
    said = face_name(face)
    advice = controller.hints.overlay
    if advice is None:
        return said
    marked = Mark(int(advice.marks[row, col]))
    if marked in MARKS:
        said = tr("{face}, {advice}", face=said, advice=tr(MARKS[marked]))
    risk = int(advice.risk[row, col])
    if risk != UNKNOWN and face in _RISKY:
        said = tr("{face}, {percent} % risk", face=said, percent=risk)
    return said


class AccessibleCell(QAccessibleInterface):
    """One cell: its name is its position, its value is its face."""

    def __init__(self, board: AccessibleBoard, cell: Cell) -> None:
        super().__init__()
        self._board = board
        self.cell = cell

    def isValid(self) -> bool:
        """Whether the board still has this cell."""
        rows, cols = self._board.shape
        return self._board.isValid() and self.cell[0] < rows and self.cell[1] < cols

    def object(self) -> QObject | None:  # type: ignore[override]  # a cell is no widget
        """Return None: a cell is no QObject."""
        return None

    def parent(self) -> QAccessibleInterface:
        """Return the interface of the board."""
        return self._board

    def role(self) -> QAccessible.Role:
        """Return the role of a table cell."""
        return QAccessible.Role.Cell

    def text(self, t: QAccessible.Text) -> str:
        """Return the position as the name, and the contents as the value and the description."""
        if not self.isValid():
            return ""
        row, col = self.cell
        if t is QAccessible.Text.Name:
            # Counted from 0, as in hints.
            return tr("row {row}, column {col}", row=row, col=col)
        if t in (QAccessible.Text.Value, QAccessible.Text.Description):
            return describe_cell_contents(self._board.board.controller, row, col)
        return ""

    def setText(self, t: QAccessible.Text, text: str) -> None:
        """Do nothing: the text of a cell cannot be set."""

    def state(self) -> QAccessible.State:
        """Return whether the cell is focusable, focused (the cursor is on it) and off screen."""
        state = QAccessible.State()
        board = self._board.board
        state.focusable = True
        focused = board.hasFocus() and board.controller.cursor == self.cell
        state.focused = focused
        state.offscreen = not self.rect().isValid()
        return state

    def rect(self) -> QRect:
        """Return the visible part of the cell in screen coordinates; empty if out of view."""
        board = self._board.board
        seen = board.view.cell_rect(*self.cell).intersection(board.view.viewport)
        if not self.isValid() or not seen.width:
            return QRect()
        spot = from_device_pixels(seen, board.ratio)
        return QRect(board.mapToGlobal(spot.topLeft()), spot.size())

    def childCount(self) -> int:
        """Return 0: a cell has no children."""
        return 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return None: a cell has no children."""
        del index
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return None: a cell has no children."""
        del x, y
        return None

    def indexOfChild(self, arg__1: QAccessibleInterface) -> int:
        """Return -1: a cell has no children."""
        del arg__1
        return -1


class AccessibleBoard(QAccessibleWidget):
    """The board: a table whose children are its cells, row by row."""

    def __init__(self, board: BoardWidget) -> None:
        super().__init__(board, QAccessible.Role.Table)
        self.board = board
        self._cells: dict[Cell, AccessibleCell] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, cols = self.board.controller.faces.shape
        return rows, cols

    def text(self, t: QAccessible.Text) -> str:
        """Return the board's size as its name, and the status line as its value."""
        rows, cols = self.shape
        if t is QAccessible.Text.Name:
            return tr("Board of {rows} rows and {cols} columns", rows=rows, cols=cols)
        if t is QAccessible.Text.Value:
            return self.board.controller.status_text()
        return super().text(t)

    def cell_interface(self, cell: Cell) -> AccessibleCell:
        """Return the interface of a cell, which is created once and then kept."""
        if cell not in self._cells:
            self._cells[cell] = AccessibleCell(self, cell)
            QAccessible.registerAccessibleInterface(self._cells[cell])
        return self._cells[cell]

    def childCount(self) -> int:
        """Return the number of cells."""
        rows, cols = self.shape
        return rows * cols

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell at an index, row by row; None out of range."""
        if not 0 <= index < self.childCount():
            return None
        return self.cell_interface(divmod(index, self.shape[1]))

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell at a point of the screen."""
        found = self.board.cell_at(self.board.mapFromGlobal(QPoint(x, y)).toPointF())
        return None if found is None else self.cell_interface(found)

    def indexOfChild(self, arg__1: QAccessibleInterface) -> int:
        """Return the index of a cell, row by row; -1 for anything else."""
        if not isinstance(arg__1, AccessibleCell):
            return -1
        return arg__1.cell[0] * self.shape[1] + arg__1.cell[1]

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell the cursor is on."""
        cursor = self.board.controller.cursor
        return None if cursor is None else self.cell_interface(cursor)


class ScreenReaderNotifier:
    """Notifies screen readers of what happens on a board and in its panel."""

    def __init__(self, board: BoardWidget) -> None:
        self._board = board
        board.controller.cursor_moved.connect(self._cursor_moved)
        board.cells_changed.connect(self._cells_changed)

    def announce(self, text: str) -> None:
        """Have a text read out after what the screen reader is saying now."""
        if text and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._board, text))

    def _interface(self) -> AccessibleBoard | None:
        found = QAccessible.queryAccessibleInterface(self._board)
        return found if isinstance(found, AccessibleBoard) else None

    def _cursor_moved(self) -> None:
        cursor = self._board.controller.cursor
        if cursor is None or not QAccessible.isActive():
            return
        if (board := self._interface()) is not None:
            cell = board.cell_interface(cursor)
            QAccessible.updateAccessibility(QAccessibleEvent(cell, QAccessible.Event.Focus))

    def _cells_changed(self, cells: list[Cell]) -> None:
        if not QAccessible.isActive() or (board := self._interface()) is None:
            return
        if len(cells) > MAX_CELL_EVENTS:
            cells = [cell for cell in cells if cell == self._board.controller.cursor]
        for cell in cells:
            told = board.cell_interface(cell)
            value = told.text(QAccessible.Text.Value)
            QAccessible.updateAccessibility(QAccessibleValueChangeEvent(told, value))


_ROLES: Final = {
    NumberDisplay: QAccessible.Role.StaticText,
    StatusLine: QAccessible.Role.StatusBar,
    GameMessageStrip: QAccessible.Role.StatusBar,
    Minimap: QAccessible.Role.Graphic,
}
"""The roles of the other widgets."""


def _make_interface(_key: str, widget: QObject | None) -> QAccessibleInterface | None:
    if isinstance(widget, BoardWidget):
        return AccessibleBoard(widget)
    role = _ROLES.get(type(widget))
    return QAccessibleWidget(widget, role) if isinstance(widget, QWidget) and role else None


def install_accessible_factory() -> None:
    """Register the factory that gives Qt the accessible interfaces of boards and panels."""
    QAccessible.installFactory(_make_interface)
