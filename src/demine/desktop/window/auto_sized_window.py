"""The size and the place of the window: it follows the board as long as it may choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow

from demine.desktop.focus_ring_menu_bar import MenuBar
from demine.scene.board_geometry import LEAST_PLAYABLE_CELL

if TYPE_CHECKING:
    from demine.desktop.window.central_widget import CentralWidget
    from demine.desktop.window.saved_geometry import SavedGeometry
    from demine.scene.board_geometry import View

NARROWEST: Final = 300
_FRAME: Final = QSize(8, 32)
"""How much a frame may add that is not there yet."""


class AutoSizedWindow(QMainWindow):
    """A main window around a board, as large as the board wants it."""

    inside: CentralWidget

    def __init__(self) -> None:
        super().__init__()
        self._previous_view: View | None = None
        """The view of the board that was here before this one."""
        self._message_bar_growth = 0
        """How much higher the window is for the bar below the board, in Qt's pixels."""
        self.setMinimumWidth(NARROWEST)
        self.setMenuBar(MenuBar())

    def set_contents(self, inside: CentralWidget) -> None:
        """Set the central widget, in another one's place if there was one."""
        if hasattr(self, "inside"):
            self._previous_view = self.inside.board.view
        self.inside = inside
        self.setCentralWidget(inside)

    def restore_and_show(
        self, place: SavedGeometry, cell: int, *, fullscreen: bool = False, as_asked: bool = False
    ) -> None:
        """Show the window where it was and as it was, or as large as another board wants.

        `cell` is the size of cells wanted, 0 for a comfortable one. `as_asked`: it was asked for
        just now, so the board decides in any case.
        """
        shape, stood = self.inside.board.shape, self._previous_view
        if stood is not None and (stood.rows, stood.cols) == shape:
            # The very board stands here already, and its window may have been moved since.
            self._set_cell_size(0 if stood.is_fitted else self.inside.board.cell_size_of(stood))
            self.inside.board.restore_view(stood)
            return
        placed = place.apply_to(self)
        if placed and (place.rows, place.cols) == shape and not as_asked:
            self._set_cell_size(place.cell)
        else:
            self._resize_to_cells(cell)
            if placed and self._can_resize:
                self._keep_on_screen()  # it may be another board's place
        if fullscreen:
            self.showFullScreen()
        else:
            self.show()

    @property
    def _can_resize(self) -> bool:
        """Whether the window may choose its size."""
        return not (self.isMaximized() or self.isFullScreen())

    def _size_beside_board(self) -> QSize:
        """What the window needs beside the board."""
        return self.inside.size_beside_board() + QSize(0, self.menuBar().sizeHint().height())

    def _max_window_size(self) -> QSize:
        """The largest window the screen has room for."""
        room = self.screen().availableGeometry().size()
        frame = self.frameSize() - self.size()
        high = max(frame.height(), _FRAME.height())
        # Qt makes a window that was as wide as the screen so much narrower the next time.
        return QSize(room.width() - max(frame.width(), 2), room.height() - high)

    def _resize_to_cells(self, cell: int) -> None:
        """Take the size that shows the board in cells of so many pixels; 0 chooses them."""
        if not self._can_resize:
            self._set_cell_size(0)
            return
        room, chrome = self._max_window_size(), self._size_beside_board()
        cell = cell or self._comfortable_cell_size(room - chrome)
        wanted = (self.inside.board.size_for_cell(cell) + chrome).expandedTo(QSize(NARROWEST, 0))
        self.resize(wanted.boundedTo(room))
        self._message_bar_growth = self.inside.message_bar_height
        self._set_cell_size(cell)
        if self.isVisible():
            self._keep_on_screen()

    def _set_cell_size(self, cell: int) -> None:
        """Show the board in cells of this size, from its corner; every part gets its place now."""
        for _ in range(2):  # the overview may come or go, and changes the room
            layout = self.layout()
            if layout is not None:
                layout.activate()
            self.inside.activate_layout()
            self.inside.board.set_cell_size(cell)
            self.inside.place_minimap()

    def _comfortable_cell_size(self, room: QSize) -> int:
        """A thirty-fourth of the screen; smaller if the board needs it, but not below 16 pixels."""
        cell = min(max(self.screen().size().height() // 34, 20), 64)
        while cell > LEAST_PLAYABLE_CELL:
            size = self.inside.board.size_for_cell(cell)
            if size.width() <= room.width() and size.height() <= room.height():
                break
            cell -= 1
        return cell

    def _keep_on_screen(self) -> None:
        screen, frame = self.screen().availableGeometry(), self.frameGeometry()
        if not self.isVisible():  # it has no frame yet
            frame.setSize(self.size() + _FRAME)
        x = max(screen.x(), min(frame.x(), screen.right() - frame.width()))
        y = max(screen.y(), min(frame.y(), screen.bottom() - frame.height()))
        if (x, y) != (frame.x(), frame.y()):
            self.move(x, y)
