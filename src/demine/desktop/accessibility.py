"""The board for screen readers: a table of cells that say where they are and what they show.

Qt asks for these objects only while a screen reader (or a test) runs. Their names count rows and
columns from 1, as every sentence does; Qt's indices count from 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from demine.desktop.board.minimap import Minimap
from demine.desktop.board.qt_board_painting import from_device_pixels
from demine.desktop.board.scroll_bars import BoardScrollBar
from demine.desktop.board.widget import BoardWidget
from demine.desktop.message_strip import GameMessageStrip
from demine.desktop.panel import NumberDisplay
from demine.desktop.status_line import StatusLine
from demine.scene.cell_faces import Face
from demine.scene.cell_words import FACE_NAMES, MARK_NAMES
from demine.scene.key_bindings import Command, key_label
from demine.scene.overlay import UNKNOWN, Mark, Overlay
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Never

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QWindow

    from demine.desktop.controller import QtController
    from demine.scene.mouse_automaton import Cell

_MOST_CHILDREN: Final = 10_000
"""The most cells that are children of the board itself; those of a larger one stand in rows.

Screen readers ask for all children at once, and a million objects would take a minute.
"""
_RISKY: Final = (Face.COVERED, Face.FLAG, Face.QUESTION)
ACTIONS: Final = {
    mark("Open"): Command.ACT,
    mark("Flag"): Command.FLAG,
    mark("Chord"): Command.CHORD,
}
"""What a screen reader can do with a cell, the usual first: message ids and commands.

A number is chorded by `Open` too, as with the keys.
"""


def face_name(face: Face) -> str:
    """Return the name of a face in the current language; a number is its digit."""
    return tr(FACE_NAMES[face]) if face in FACE_NAMES else str(int(face))


def describe_cell_contents(controller: QtController, row: int, col: int) -> str:
    """Return the face, mark and risk of a cell as text in the current language."""
    face = Face(int(controller.faces[row, col]))
    said = face_name(face)
    advice = controller.overlay
    if advice is None:
        return said
    marked = Mark(int(advice.marks[row, col]))
    if marked in MARK_NAMES:
        said = tr("{face}, {advice}", face=said, advice=tr(MARK_NAMES[marked]))
    risk = int(advice.risk[row, col])
    if risk != UNKNOWN and face in _RISKY:
        said = tr("{face}, {percent}% risk", face=said, percent=risk)
    return said


class _BoardPart(QAccessibleWidget):
    """A cell or a row of the board, which is no widget; it has no children unless it says so.

    It stands for a part of the board's widget, and is a `QAccessibleWidget` because of the classes
    that PySide offers only those have actions that Qt can see.
    """

    def __init__(self, board: AccessibleBoard, role: QAccessible.Role) -> None:
        super().__init__(board.board, role)
        self._board = board

    def object(self) -> QObject | None:  # type: ignore[override]  # a part is no widget
        """Return None: a part is no QObject."""
        return None

    def window(self) -> QWindow | None:  # type: ignore[override]
        """Return the window of the board."""
        return self._board.window()

    def relations(self, match: QAccessible.RelationFlag) -> list[Never]:  # type: ignore[override]
        """Return nothing: a part is labelled by itself."""
        del match
        return []

    def state(self) -> QAccessible.State:
        """Return whether the part is off screen."""
        state = QAccessible.State()
        state.offscreen = not self.rect().isValid()
        return state

    def childCount(self) -> int:
        """Return 0."""
        return 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return None."""
        del index
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return None."""
        del x, y
        return None

    def indexOfChild(self, arg__1: QAccessibleInterface) -> int:
        """Return -1."""
        del arg__1
        return -1

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return None."""
        return None


class AccessibleCell(_BoardPart):
    """One cell: its name is its position and what it shows, its actions are those of the keys."""

    def __init__(self, board: AccessibleBoard, cell: Cell) -> None:
        super().__init__(board, QAccessible.Role.Cell)
        self.cell = cell

    def isValid(self) -> bool:
        """Whether the board still has this cell."""
        rows, cols = self._board.shape
        return self._board.isValid() and self.cell[0] < rows and self.cell[1] < cols

    def parent(self) -> QAccessibleInterface:
        """Return the interface of the board, or of the row on a large one."""
        return self._board.parent_of(self.cell)

    def text(self, t: QAccessible.Text) -> str:
        """Return where the cell is and what it shows as its name; it has no other text."""
        if t is not QAccessible.Text.Name or not self.isValid():
            return ""
        row, col = self.cell
        return tr(
            "row {row}, column {col}: {contents}",
            row=row,
            col=col,
            contents=self.contents(),
        )

    def contents(self) -> str:
        """Return what the cell shows, with the advice about it."""
        return describe_cell_contents(self._board.board.controller, *self.cell)

    def actionNames(self) -> list[str]:
        """Return the actions of every cell; one that changes nothing there does nothing."""
        return [*ACTIONS, self.setFocusAction()]

    def doAction(self, actionName: str) -> None:  # noqa: N803  (Qt's name)
        """Bring the cursor to the cell, and carry the action out there."""
        if not self.isValid():
            return
        controller = self._board.board.controller
        controller.move_cursor(self.cell)
        if actionName in ACTIONS:
            controller.act_at(ACTIONS[actionName], self.cell)
        else:
            self._board.board.setFocus()

    def localizedActionName(self, name: str) -> str:
        """Return the name of an action in the current language."""
        return tr(name) if name in ACTIONS else super().localizedActionName(name)

    def localizedActionDescription(self, name: str) -> str:
        """Return what an action does in the current language."""
        if name in ACTIONS:
            return tr(ACTIONS[name].description)
        return super().localizedActionDescription(name)

    def keyBindingsForAction(self, name: str) -> list[str]:
        """Return the keys that do the same at the cursor."""
        if name not in ACTIONS:
            return []
        return [key_label(key) for key in self._board.board.keys.keys(ACTIONS[name])]

    def state(self) -> QAccessible.State:
        """Return whether the cell is focusable, focused (the cursor is on it) and off screen."""
        state = super().state()
        board = self._board.board
        state.focusable = True
        state.focused = board.hasFocus() and board.controller.cursor == self.cell
        return state

    def rect(self) -> QRect:
        """Return the visible part of the cell in screen coordinates; empty if out of view."""
        board = self._board.board
        seen = board.view.cell_rect(*self.cell).intersection(board.view.viewport)
        if not self.isValid() or not seen.width:
            return QRect()
        spot = from_device_pixels(seen, board.ratio)
        return QRect(board.mapToGlobal(spot.topLeft()), spot.size())


class AccessibleRow(_BoardPart):
    """One row of a large board; its children are its cells."""

    def __init__(self, board: AccessibleBoard, row: int) -> None:
        super().__init__(board, QAccessible.Role.Row)
        self.row = row

    def isValid(self) -> bool:
        """Whether the board still has this row."""
        return self._board.isValid() and self._board.has_rows and self.row < self._board.shape[0]

    def parent(self) -> QAccessibleInterface:
        """Return the interface of the board."""
        return self._board

    def text(self, t: QAccessible.Text) -> str:
        """Return the number of the row as its name; it has no other text."""
        return tr("Row {row}", row=self.row) if t is QAccessible.Text.Name else ""

    def rect(self) -> QRect:
        """Return the visible part of the row in screen coordinates; empty if out of view."""
        columns = self._board.board.view.visible_rows_and_cols()[1]
        if not columns:
            return QRect()
        first, last = (
            self._board.cell_interface((self.row, col)).rect() for col in (columns[0], columns[-1])
        )
        return first.united(last)

    def childCount(self) -> int:
        """Return the number of cells in the row."""
        return self._board.shape[1] if self.isValid() else 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell of a column; None out of range."""
        if not 0 <= index < self.childCount():
            return None
        return self._board.cell_interface((self.row, index))

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell at a point of the screen, if it is in this row."""
        found = self._board.cell_at(x, y)
        return None if found is None or found.cell[0] != self.row else found

    def indexOfChild(self, arg__1: QAccessibleInterface) -> int:
        """Return the column of a cell of this row; -1 for anything else."""
        of_this = isinstance(arg__1, AccessibleCell) and arg__1.cell[0] == self.row
        return arg__1.cell[1] if of_this and isinstance(arg__1, AccessibleCell) else -1

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell the cursor is on, if it is in this row."""
        cursor = self._board.board.controller.cursor
        found = cursor is not None and cursor[0] == self.row
        return self._board.cell_interface(cursor) if found and cursor is not None else None


class AccessibleBoard(QAccessibleWidget):
    """The board: a table whose children are its cells, row by row, or the rows of a large one."""

    def __init__(self, board: BoardWidget) -> None:
        super().__init__(board, QAccessible.Role.Table)
        self.board = board
        self._cells: dict[Cell, AccessibleCell] = {}
        self._rows: dict[int, AccessibleRow] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, cols = self.board.controller.faces.shape
        return rows, cols

    @property
    def has_rows(self) -> bool:
        """Whether rows are the children of the board, and cells those of the rows."""
        rows, cols = self.shape
        return rows * cols > _MOST_CHILDREN

    def parent_of(self, cell: Cell) -> QAccessibleInterface:
        """Return what a cell is a child of."""
        return self._row_interface(cell[0]) if self.has_rows else self

    def _row_interface(self, row: int) -> AccessibleRow:
        if row not in self._rows:
            self._rows[row] = AccessibleRow(self, row)
            QAccessible.registerAccessibleInterface(self._rows[row])
        return self._rows[row]

    def cell_at(self, x: int, y: int) -> AccessibleCell | None:
        """Return the cell at a point of the screen."""
        found = self.board.cell_at(self.board.mapFromGlobal(QPoint(x, y)).toPointF())
        return None if found is None else self.cell_interface(found)

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

    def existing_interfaces(self, where: NDArray[np.bool_]) -> Iterator[AccessibleCell]:
        """Yield the cells a screen reader has asked for, of those where an array is true."""
        for cell, interface in self._cells.items():
            if interface.isValid() and where[cell]:
                yield interface

    def childCount(self) -> int:
        """Return the number of cells, or of the rows of a large board."""
        rows, cols = self.shape
        return rows if self.has_rows else rows * cols

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell at an index, row by row, or the row; None out of range."""
        if not 0 <= index < self.childCount():
            return None
        if self.has_rows:
            return self._row_interface(index)
        return self.cell_interface(divmod(index, self.shape[1]))

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the cell at a point of the screen, or its row on a large board."""
        found = self.cell_at(x, y)
        return None if found is None else self.parent_of(found.cell) if self.has_rows else found

    def indexOfChild(self, arg__1: QAccessibleInterface) -> int:
        """Return the index of a cell, row by row, or of a row; -1 for anything else."""
        if isinstance(arg__1, AccessibleRow):
            return arg__1.row
        if not isinstance(arg__1, AccessibleCell) or self.has_rows:
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
        self._faces = board.controller.faces
        self._overlay = board.controller.overlay
        board.controller.cursor_moved.connect(self._cursor_moved)
        board.controller.faces_changed.connect(self._faces_changed)

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

    def _faces_changed(self) -> None:
        """Tell the new names of the cells a reader has been given, and say what the cursor's is."""
        controller = self._board.controller
        faces, overlay = self._faces, self._overlay
        self._faces, self._overlay = controller.faces, controller.overlay
        if not QAccessible.isActive() or (board := self._interface()) is None:
            return
        if faces.shape != self._faces.shape:
            QAccessible.updateAccessibility(
                QAccessibleEvent(self._board, QAccessible.Event.NameChanged)
            )
            return
        differ = faces != self._faces
        if overlay is not self._overlay:
            plain = Overlay.empty(faces.shape)
            differ |= (self._overlay or plain).differences(overlay or plain)
        for cell in list(board.existing_interfaces(differ)):
            QAccessible.updateAccessibility(QAccessibleEvent(cell, QAccessible.Event.NameChanged))
        cursor = controller.cursor
        if cursor is not None and faces[cursor] != self._faces[cursor]:
            self.announce(board.cell_interface(cursor).contents())


_ROLES: Final = {
    NumberDisplay: QAccessible.Role.StaticText,
    StatusLine: QAccessible.Role.StatusBar,
    GameMessageStrip: QAccessible.Role.StatusBar,
    Minimap: QAccessible.Role.Graphic,
    BoardScrollBar: QAccessible.Role.ScrollBar,
}
"""The roles of the other widgets."""


def accessible_interface(widget: QObject | None) -> QAccessibleInterface | None:
    """Return the accessible interface of a board or a part of a panel; None for Qt's own."""
    if isinstance(widget, BoardWidget):
        return AccessibleBoard(widget)
    role = _ROLES.get(type(widget))
    return QAccessibleWidget(widget, role) if isinstance(widget, QWidget) and role else None
