"""A main window that is sized for its board, unless it is maximized or full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow

from demine.desktop.board.viewport import MOST_COMFORTABLE_CELL
from demine.desktop.focus_ring_menu_bar import FocusRingMenuBar
from demine.scene.board_geometry import LEAST_PLAYABLE_CELL
from demine.scene.header_layout import LEAST_WINDOW, ONE_ROW_FROM, has_one_row

if TYPE_CHECKING:
    from demine.desktop.window.central_widget import CentralWidget
    from demine.desktop.window.saved_geometry import SavedGeometry
    from demine.scene.board_geometry import View

NARROWEST: Final = 300
_FRAME: Final = QSize(8, 32)
"""The estimated frame of a window that has none yet."""


def _fits(size: QSize, room: QSize) -> bool:
    return size == size.boundedTo(room)


class AutoSizedWindow(QMainWindow):
    """A main window that is as large as its board needs."""

    central: CentralWidget

    def __init__(self) -> None:
        super().__init__()
        self._previous_view: View | None = None
        """The view of the previous board in this window."""
        self._sized_to = self._resized_to = 0
        """The cell sizes that the program and the player's hand gave the window; 0 for none."""
        self.setMinimumWidth(NARROWEST)
        self.setMenuBar(FocusRingMenuBar())

    def set_central(self, central: CentralWidget) -> None:
        """Set the central widget, and remember the view of the board before."""
        if hasattr(self, "central"):
            self._previous_view = self.central.board.view
        self.central = central
        self.setCentralWidget(central)

    def show_restored(
        self,
        saved: SavedGeometry,
        logical_px: int,
        *,
        fullscreen: bool = False,
        ignore_saved_size: bool = False,
    ) -> None:
        """Show the window with its saved geometry, or sized for the board if that is another one.

        `logical_px` is the wanted side of a cell, 0 for a comfortable one. With
        `ignore_saved_size` the window is sized for the board in any case.
        """
        shape, stood = self.central.board.shape, self._previous_view
        if stood is not None and (stood.rows, stood.cols) == shape:
            # The same board is shown already, and its window may have been moved since.
            self._set_cell_size_or_fit(
                0 if stood.is_fitted else self.central.board.logical_cell_size_of(stood)
            )
            self.central.board.restore_scroll_position(stood)
            return
        placed = saved.apply_to(self)
        if placed and (saved.rows, saved.cols) == shape and not ignore_saved_size:
            self._set_cell_size_or_fit(saved.cell)
        else:
            self._resize_to_cells(logical_px)
            if placed and self._can_resize:
                self._keep_on_screen()  # it may be another board's place
        if fullscreen:
            self.showFullScreen()
        else:
            self.show()

    @property
    def _can_resize(self) -> bool:
        return not (self.isMaximized() or self.isFullScreen())

    def _size_beside_board(self, width: int) -> QSize:
        """Return the size of all but the board in a window of some width."""
        above = self.menuBar().sizeHint().height()
        return QSize(
            self.central.width_beside_board, self.central.height_beside_board(width) + above
        )

    def _window_width(self, cell: int, room: QSize) -> int:
        """Return the width of a window for cells of a size, in the room that the screen has."""
        board = self.central.board.size_for_cell(cell).width()
        return min(max(board + self.central.width_beside_board, LEAST_WINDOW), room.width())

    def _comfortable_cell_size(self, room: QSize) -> int:
        """Return a comfortable cell size; the header has one row if that makes it wide enough."""
        board = self.central.board
        cell = board.comfortable_cell_size(
            room - self._size_beside_board(ONE_ROW_FROM), LEAST_PLAYABLE_CELL
        )
        if not has_one_row(self._window_width(cell, room)):
            room = room - self._size_beside_board(LEAST_WINDOW)
            cell = board.comfortable_cell_size(room, LEAST_PLAYABLE_CELL)
            room = room.boundedTo(QSize(LEAST_WINDOW - self.central.width_beside_board, 10_000))
            # A small board in the narrowest window is as wide as the header over it.
            while cell < MOST_COMFORTABLE_CELL and _fits(board.size_for_cell(cell + 1), room):
                cell += 1
        return cell

    def _max_window_size(self) -> QSize:
        """Return the size of the largest window, without frame, that fits on the screen."""
        room = self.screen().availableGeometry().size()
        frame = self.frameSize() - self.size()
        high = max(frame.height(), _FRAME.height())
        # Qt restores a window as wide as the screen two pixels narrower.
        return QSize(room.width() - max(frame.width(), 2), room.height() - high)

    def _resize_to_cells(self, cell: int) -> None:
        """Resize for the board in cells of some logical pixels, or with 0 of a comfortable size."""
        if not self._can_resize:
            self._set_cell_size_or_fit(0)
            return
        room = self._max_window_size()
        cell = cell or self._comfortable_cell_size(room)
        width = self._window_width(cell, room)
        high = self.central.board.size_for_cell(cell).height()
        wanted = QSize(width, high + self._size_beside_board(width).height())
        self.resize(wanted.boundedTo(room))
        self._set_cell_size_or_fit(cell)
        self._sized_to = self.central.board.logical_cell_size
        if self.isVisible():
            self._keep_on_screen()

    def _resize_for_another_board(self, chosen_cell: int) -> None:
        """Resize for a board of another shape, in the cell size that the player chose.

        That is the one chosen by zooming or, for 0, by resizing the window, as far as it fits.
        """
        cell = self.central.board.logical_cell_size
        if self._can_resize and self.central.board.view.is_fitted and cell != self._sized_to:
            self._resized_to = cell
        if self._can_resize and not chosen_cell and self._resized_to:
            room = self._max_window_size() - self._size_beside_board(LEAST_WINDOW)
            chosen_cell = self.central.board.fitting_cell_size(
                self._resized_to, room, LEAST_PLAYABLE_CELL
            )
        self._resize_to_cells(chosen_cell)

    def _set_cell_size_or_fit(self, cell: int) -> None:
        """Show cells of this size from the board's corner, 0 fits it; lay every part out now."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.central.activate_layout()
        self.central.board.set_cell_size_or_fit(cell)
        self.central.update_scrolling()

    def _keep_on_screen(self) -> None:
        screen, frame = self.screen().availableGeometry(), self.frameGeometry()
        if not self.isVisible():  # it has no frame yet
            frame.setSize(self.size() + _FRAME)
        x = max(screen.x(), min(frame.x(), screen.right() - frame.width()))
        y = max(screen.y(), min(frame.y(), screen.bottom() - frame.height()))
        if (x, y) != (frame.x(), frame.y()):
            self.move(x, y)
