"""The analysis board: paint, paste or take over a position, and see what the solver says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QKeySequence, QPixmap
from PySide6.QtWidgets import QCheckBox, QGridLayout, QSizePolicy, QToolButton, QWidget

from demine.desktop.accessibility import face_name
from demine.desktop.board.qt_board_painting import BoardSnapshot, paint_board, to_qimage
from demine.desktop.board.viewport import BoardViewport
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.board_setup import NumberBox
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.qt_keys import key_name
from demine.desktop.widget_builders import hbox, make_scroll_area, vbox
from demine.picture.board import tile
from demine.play.lazy_solver import LazySolver
from demine.play.position_editor import PAINTING_KEYS, PROOF_KEYS, TOOLS, PositionEditor
from demine.scene.board_geometry import View
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import DEFAULT_KEYS
from demine.scene.keyboard_cursor import MOVES, moved_cursor
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

    from demine.play.game_session import GameSession
    from demine.play.position_editor import EditorView, Tool
    from demine.scene.board_geometry import Rect
    from demine.scene.mouse_automaton import Cell
    from demine.scene.themes import Theme

_CELL: Final = 40
"""The side of a cell in the preferred size of the board, in logical pixels."""
_LARGEST_CELL: Final = 64
_ICON: Final = 24
"""The side of a face on the palette, in logical pixels."""
_SIDE_LINES: Final = 24
"""The width of what stands beside the board, in line heights."""
_TOOLS_IN_ROW: Final = 7
_MOVE_KEYS: Final = {key: command for command in MOVES for key in DEFAULT_KEYS[command]}
_SIGNS: Final = {"cycle": "1→2", "why": "?"}
"""What stands on the buttons of the tools that paint no face of their own."""


class EditorBoard(BoardViewport):
    """The board of a position editor; mouse and keys change the position at once."""

    changed = Signal()

    def __init__(self, editor: PositionEditor, theme: Theme) -> None:
        self._editor = editor
        self._shown = editor.view
        rows, cols = self._shown.position.faces.shape
        super().__init__((rows, cols), theme)
        self.cursor_cell: Cell | None = None
        self._stroke: tuple[bool, Cell] | None = None
        """Whether the right button drags, and the last cell of the drag; None without one."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_view(self, shown: EditorView) -> None:
        """Show another state of the editor."""
        rows, cols = shown.position.faces.shape
        self._shown = shown
        if self._shape != (rows, cols):
            self._shape, self.cursor_cell = (rows, cols), None
            self._fit()
        self.update()
        self._describe_cursor()

    def _fit(self) -> None:
        largest = round(_LARGEST_CELL * self.ratio)
        self._set_view(View.fitted(self.shape, self._viewport(), max_cell=largest))

    def sizeHint(self) -> QSize:
        """Return room for the board, or for a part of a large one."""
        return self.size_for_cell(_CELL).boundedTo(QSize(760, 560)).expandedTo(QSize(360, 360))

    def paint_region(self, painter: QPainter, region_px: Rect) -> None:
        """Paint a part of the position with its overlay."""
        faces = self._shown.position.faces
        cursor = self.cursor_cell if self.hasFocus() else None
        looks = np.zeros(faces.shape, np.uint8)
        snapshot = BoardSnapshot(faces, looks, cursor, None, self._shown.overlay)
        painter.save()
        paint_board(painter, region_px, snapshot, self.view, self.theme, self.edge_px)
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Use the tool, and begin a drag."""
        cell = self.cell_at(event.position())
        if cell is not None and event.button() in (
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.RightButton,
        ):
            secondary = event.button() is Qt.MouseButton.RightButton
            self._stroke, self.cursor_cell = (secondary, cell), cell
            self._editor.click(cell, secondary=secondary)
            self.changed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Use the tool on every cell that is dragged over."""
        cell = self.cell_at(event.position())
        if self._stroke is None or cell in {None, self._stroke[1]}:
            return
        if cell is not None:
            self._stroke, self.cursor_cell = (self._stroke[0], cell), cell
            self._editor.click(cell, secondary=self._stroke[0], continues=True)
            self.changed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag."""
        del event
        self._stroke = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor, paint at it, ask for its proof, undo, redo, copy or paste."""
        if self._edits(event) or self._runs_key(key_name(event)):
            self.changed.emit()
        else:
            super().keyPressEvent(event)

    def _edits(self, event: QKeyEvent) -> bool:
        clipboard, editor = QGuiApplication.clipboard(), self._editor
        actions: dict[QKeySequence.StandardKey, Callable[[], None]] = {
            QKeySequence.StandardKey.Undo: editor.undo,
            QKeySequence.StandardKey.Redo: editor.redo,
            QKeySequence.StandardKey.Copy: lambda: clipboard.setText(editor.text_to_copy()),
            QKeySequence.StandardKey.Paste: lambda: editor.paste(clipboard.text()),
        }
        found = next((do for key, do in actions.items() if event.matches(key)), None)
        if found is not None:
            found()
        return found is not None

    def _runs_key(self, key: str) -> bool:
        faces, editor = self._shown.position.faces, self._editor
        cell = self.cursor_cell or moved_cursor(faces, None, next(iter(MOVES)))
        if key in _MOVE_KEYS:
            self.cursor_cell = moved_cursor(faces, self.cursor_cell, _MOVE_KEYS[key])
            self._set_view(self.view.scrolled_to(*self.cursor_cell))
        elif key in PAINTING_KEYS:
            editor.paint(cell, PAINTING_KEYS[key])
        elif key in PROOF_KEYS:
            editor.ask_for_proof(cell)
        elif key == "enter":
            editor.click(cell)
        else:
            return False
        return True

    def _describe_cursor(self) -> None:
        """Tell screen readers the cell of the cursor."""
        self.setAccessibleName(tr("Board"))
        if self.cursor_cell is not None:
            row, col = self.cursor_cell
            face = face_name(Face(int(self._shown.position.faces[row, col])))
            self.setAccessibleDescription(
                tr("Row {row}, column {col}: {face}", row=row, col=col, face=face)
            )


class AnalysisDialog(Dialog):
    """The analysis board with its palette, its fields and the solver's answers.

    With a session its position can be taken over; of a game that is over it is, at once.
    """

    _woken = Signal()

    def __init__(
        self, parent: QWidget | None, theme: Theme, session: GameSession | None = None
    ) -> None:
        super().__init__(parent, mark("Analyse a position"))
        self._session, self._theme = session, theme
        self._solver = LazySolver()
        self.editor = PositionEditor(self._solver.ask, self._woken.emit)
        self.board = EditorBoard(self.editor, theme)
        self.tools = {tool: self._tool_button(tool) for tool in TOOLS}
        self.width_box, self.height_box, self.mines_box = NumberBox(), NumberBox(), NumberBox()
        self.risks = QCheckBox()
        self.texts.bind(self.risks.setText, mark("Show ris&ks"))
        self.answer_label, self.trouble_label = MessageLabel(), MessageLabel()
        self._create_buttons()
        self._lay_out()
        self._connect()
        self.disable_auto_default()
        self._take_first_position()
        self.update_composed_texts()
        self.board.setFocus()

    def _create_buttons(self) -> None:
        make, editor = self.texts.make_button, self.editor
        self.undo = make(mark("&Undo"), lambda: self._do(editor.undo))
        self.redo = make(mark("&Redo"), lambda: self._do(editor.redo))
        self.paste = make(mark("&Paste"), self._paste)
        self.copy = make(mark("&Copy"), self._copy)
        self.clear = make(mark("C&lear"), lambda: self._do(editor.clear))
        self.from_game = make(mark("From the &game"), self._take_game)
        self.prove = make(mark("Pro&ve the easiest cell"), lambda: self._do(editor.ask_for_proof))
        self.from_game.setEnabled(self._session is not None)

    def _lay_out(self) -> None:
        palette = QGridLayout()
        palette.setSpacing(2)
        for place, button in enumerate(self.tools.values()):
            palette.addWidget(button, *divmod(place, _TOOLS_IN_ROW))
        fields = (
            (mark("&Width:"), self.width_box),
            (mark("&Height:"), self.height_box),
            (mark("&Mines:"), self.mines_box),
        )
        side, answers = QWidget(), QWidget()
        vbox(self.trouble_label, self.answer_label, None, parent=answers).setContentsMargins(
            0, 0, 0, 0
        )
        vbox(
            palette,
            self.texts.make_form(fields),
            hbox(self.undo, self.redo, self.clear),
            hbox(self.paste, self.copy, self.from_game),
            hbox(self.risks, None, self.prove),
            (make_scroll_area(answers), 1),
            parent=side,
        ).setContentsMargins(0, 0, 0, 0)
        side.setFixedWidth(round(_SIDE_LINES * self.fontMetrics().height()))
        vbox((hbox((self.board, 1), side), 1), self.make_button_box(), parent=self)
        self.resize_to_line_heights(84, 48)

    def _connect(self) -> None:
        # Answers arrive in a thread of the solver; a queued signal moves them to this one.
        self._woken.connect(self._take_answers, Qt.ConnectionType.QueuedConnection)
        self.board.changed.connect(self.refresh)
        self.risks.toggled.connect(self._show_risks)
        for box in (self.width_box, self.height_box, self.mines_box):
            # A number that is only half typed would cut the board.
            box.setKeyboardTracking(False)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._resize_position)
        self.mines_box.valueChanged.connect(self._set_mines)

    def begin_with(self, faces: NDArray[np.uint8], mines: int) -> None:
        """Begin with a position, uint8 (height, width) of `Face`, which undoing keeps."""
        self.editor.take(faces, mines)
        self.editor.forget_changes()
        self.refresh()

    def _take_first_position(self) -> None:
        """Begin with the end of the game, or with an empty board of its size."""
        if self._session is None:
            self.editor.analyse()
            return
        game = self._session.game
        if game.status.over:
            self.editor.take_session(self._session)
        else:
            self.editor.take(np.full(game.rules.shape, Face.COVERED, np.uint8), game.rules.mines)
        self.editor.forget_changes()

    def _tool_button(self, tool: Tool) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setAutoExclusive(True)
        button.setIconSize(QSize(_ICON, _ICON))
        button.setMinimumSize(QSize(_ICON + 12, _ICON + 12))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if isinstance(tool, Face):
            ratio = self.devicePixelRatioF()
            drawn = np.ascontiguousarray(tile(self._theme, tool, cell=round(_ICON * ratio)))
            button.setIcon(QIcon(QPixmap.fromImage(to_qimage(drawn, ratio))))
        else:
            button.setText(_SIGNS[tool])
        button.clicked.connect(lambda: self._choose_tool(tool))
        return button

    # What the player does

    def _do(self, act: Callable[..., object], *args: object) -> None:
        """Run an action of the editor and show what came of it."""
        act(*args)
        self.refresh()

    def _choose_tool(self, tool: Tool) -> None:
        self.editor.tool = tool
        self.refresh()

    def _show_risks(self, on: bool) -> None:
        self.editor.shows_risks = on
        self.refresh()

    def _resize_position(self) -> None:
        self._do(self.editor.resize, self.width_box.number, self.height_box.number)

    def _set_mines(self) -> None:
        self._do(self.editor.set_mines, self.mines_box.number)

    def _paste(self) -> None:
        self._do(self.editor.paste, QGuiApplication.clipboard().text())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.editor.text_to_copy())

    def _take_game(self) -> None:
        if self._session is not None:
            self._do(self.editor.take_session, self._session)

    def _take_answers(self) -> None:
        if self.editor.take_solver_answers():
            self.refresh()

    # Showing

    def refresh(self) -> None:
        """Show the present state of the editor."""
        shown = self.editor.view
        self.board.show_view(shown)
        height, width = shown.position.faces.shape
        numbers = (width, height, shown.position.mines)
        boxes = (self.width_box, self.height_box, self.mines_box)
        for box, number in zip(boxes, numbers, strict=True):
            with QSignalBlocker(box):
                box.set_number(number)
        with QSignalBlocker(self.risks):
            self.risks.setChecked(shown.shows_risks)
        self.tools[shown.tool].setChecked(True)
        self.undo.setEnabled(shown.can_undo)
        self.redo.setEnabled(shown.can_redo)
        self.trouble_label.set_message(shown.trouble)
        self.trouble_label.setVisible(bool(shown.trouble))
        lines = [*shown.answers, *([shown.proof] if shown.proof else [])]
        thinking = [tr("Thinking…")] if shown.is_thinking else []
        self.answer_label.set_message("\n".join([*lines, *thinking]))

    def update_composed_texts(self) -> None:
        """Name the tools and show all texts in the current language."""
        for tool, button in self.tools.items():
            name = _tool_name(tool)
            button.setAccessibleName(name)
            button.setToolTip(plain_tool_tip(name))
        self.from_game.setToolTip(plain_tool_tip(tr("Of a running game this counts as help")))
        self.refresh()

    def done(self, result: int) -> None:
        """Stop the solver and close."""
        self._solver.close()
        super().done(result)


def _tool_name(tool: Tool) -> str:
    if tool == "cycle":
        return tr("Step through the numbers; right click flags")
    if tool == "why":
        return tr("Why is this cell safe or a mine? (W)")
    return face_name(tool)
