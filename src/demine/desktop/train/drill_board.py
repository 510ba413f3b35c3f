"""The board of a drill: a position to answer with a click or the keyboard cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from demine.desktop.board.qt_board_painting import BoardSnapshot, paint_board
from demine.desktop.board.viewport import BoardViewport
from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.qt_keys import key_name
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import cell_looks
from demine.scene.cell_words import FACE_NAMES, MARK_NAMES
from demine.scene.key_bindings import Command
from demine.scene.keyboard_cursor import MOVES, moved_cursor
from demine.scene.overlay import Mark
from demine.scene.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter

    from demine.play.drills.question import DrillQuestion
    from demine.scene.board_geometry import Rect
    from demine.scene.key_bindings import KeyMap
    from demine.scene.overlay import Overlay
    from demine.scene.themes import Theme

    Cell = tuple[int, int]

_CELL: Final = 26
"""The side of a cell in the preferred size of the board, in logical pixels."""
_VEIL: Final = 150
"""How opaque the veil over cells that do not matter is, of 255."""
_ZOOMS: Final = {Command.ZOOM_IN: 1, Command.ZOOM_OUT: -1}
_NOTHING: Final = np.zeros((9, 9), np.uint8)


class DrillBoard(BoardViewport):
    """The board of a question; what cannot matter lies under a veil."""

    cell_chosen = Signal(int, int)
    """The row and column of a covered cell that was clicked, or acted on at the cursor."""
    go_on_pressed = Signal()
    """The key that acts was pressed when the question was answered already."""

    def __init__(self, theme: Theme, keys: KeyMap) -> None:
        super().__init__((9, 9), theme)
        self._keys = keys
        self._faces, self._faded = _NOTHING, _NOTHING.astype(np.bool_)
        self._overlay: Overlay | None = None
        self._pressed: Cell | None = None
        self.keyboard_cell: Cell | None = None
        """Where the keyboard acts; None until a key moves there."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)

    def show_question(self, question: DrillQuestion) -> None:
        """Show a question, without its answer."""
        self._faces, self._faded = question.faces, question.faded
        self._overlay = self._pressed = self.keyboard_cell = None
        self._shape = self._faces.shape[0], self._faces.shape[1]
        self.set_cell_size_or_fit(0)
        self.update()

    def show_answer(self, overlay: Overlay) -> None:
        """Show the marks of an answer on the question."""
        self._overlay, self.keyboard_cell = overlay, None
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for the whole board."""
        return self.size_for_cell(_CELL)

    # Painting

    def paint_region(self, painter: QPainter, region_px: Rect) -> None:
        """Paint a part of the board, and the veil over what does not matter."""
        looks = self._looks()
        shown = BoardSnapshot(self._faces, looks, self.keyboard_cell, None, self._overlay)
        painter.save()
        paint_board(painter, region_px, shown, self.view, self._theme, self.edge_px)
        veil = to_qcolor(self._theme.window)
        veil.setAlpha(_VEIL)
        painter.setClipRect(QRect(*region_px.intersection(self.view.viewport)))
        for row, col in np.argwhere(self._veiled()).tolist():
            painter.fillRect(QRect(*self.view.cell_rect(row, col)), veil)
        painter.restore()

    def _looks(self) -> NDArray[np.uint8]:
        held = [] if self._pressed is None else [self._pressed]
        return cell_looks(self._faces, held, fade_finished=False)

    def _veiled(self) -> NDArray[np.bool_]:
        """Return the cells that do not matter and have no mark of an answer."""
        if self._overlay is None:
            return self._faded
        veiled: NDArray[np.bool_] = self._faded & (self._overlay.marks == Mark.NONE)
        return veiled

    # Answering

    def _choose(self, cell: Cell | None) -> None:
        if cell is not None and self._faces[cell] == Face.COVERED and self._overlay is None:
            self.cell_chosen.emit(*cell)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Hold a covered cell down."""
        if event.button() is Qt.MouseButton.LeftButton and self._overlay is None:
            self._press(self.cell_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the cell go when the pointer leaves it."""
        if self._pressed is not None and self.cell_at(event.position()) != self._pressed:
            self._press(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Answer with the cell that was pressed."""
        pressed = self._pressed
        if event.button() is Qt.MouseButton.LeftButton and pressed is not None:
            self._press(None)
            self._choose(pressed)

    def _press(self, cell: Cell | None) -> None:
        self._pressed = cell
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor, answer at it, go on after an answer, or zoom."""
        command = self._keys.lookup(key_name(event))
        if command in MOVES and self._overlay is None:
            self._move_cursor(moved_cursor(self._faces, self.keyboard_cell, command))
        elif command is Command.ACT and not event.isAutoRepeat():
            self._act()
        elif command in _ZOOMS:
            self.zoom(_ZOOMS[command])
        elif command is Command.ZOOM_RESET:
            self.set_cell_size_or_fit(0)
        else:
            super().keyPressEvent(event)

    def _act(self) -> None:
        if self._overlay is not None:
            self.go_on_pressed.emit()
        elif self.keyboard_cell is None:
            self._move_cursor(moved_cursor(self._faces, None, Command.UP))
        else:
            self._choose(self.keyboard_cell)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor when the focus arrives by Tab."""
        by_tab = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if event.reason() in by_tab and self.keyboard_cell is None and self._overlay is None:
            self._move_cursor(moved_cursor(self._faces, None, Command.UP))
        super().focusInEvent(event)

    def _move_cursor(self, cell: Cell) -> None:
        self.keyboard_cell = cell
        self._set_view(self.view.scrolled_to(*cell))
        self.update()
        self.announce(self.describe_cell(*cell))

    # Screen readers

    def describe_cell(self, row: int, col: int) -> str:
        """Return where a cell is and what it shows, in the current language."""
        face = Face(int(self._faces[row, col]))
        said = tr(FACE_NAMES[face]) if face in FACE_NAMES else str(int(face))
        mark = Mark.NONE if self._overlay is None else Mark(int(self._overlay.marks[row, col]))
        if mark in MARK_NAMES:
            said = tr("{face}, {advice}", face=said, advice=tr(MARK_NAMES[mark]))
        return tr("row {row}, column {col}: {contents}", row=row, col=col, contents=said)

    def announce(self, text: str) -> None:
        """Have a text read out."""
        self.setAccessibleDescription(text)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
