"""A main window that is sized for its board, unless it is maximized or full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow

from demine.desktop.focus_ring_menu_bar import FocusRingMenuBar
from demine.scene.board_geometry import LEAST_PLAYABLE_CELL

if TYPE_CHECKING:
    from demine.desktop.window.central_widget import CentralWidget
    from demine.desktop.window.saved_geometry import SavedGeometry
    from demine.scene.board_geometry import View

NARROWEST: Final = 300
_FRAME: Final = QSize(8, 32)
"""The estimated frame of a window that has none yet."""


class AutoSizedWindow(QMainWindow):
    """A main window that is as large as its board needs."""

    central: CentralWidget

    def __init__(self) -> None:
        super().__init__()
        self._previous_view: View | None = None
        """The view of the previous board in this window."""
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
        """Whether the window can be resized."""
        return not (self.isMaximized() or self.isFullScreen())

    def _size_beside_board(self) -> QSize:
        """Return the size of everything in the window but the board."""
        return self.central.size_beside_board() + QSize(0, self.menuBar().sizeHint().height())

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
        room, chrome = self._max_window_size(), self._size_beside_board()
        cell = cell or self.central.board.comfortable_cell_size(room - chrome, LEAST_PLAYABLE_CELL)
        wanted = (self.central.board.size_for_cell(cell) + chrome).expandedTo(QSize(NARROWEST, 0))
        self.resize(wanted.boundedTo(room))
        self._set_cell_size_or_fit(cell)
        if self.isVisible():
            self._keep_on_screen()

    def _set_cell_size_or_fit(self, cell: int) -> None:
        """Show cells of this size from the board's corner, 0 fits it; lay every part out now."""
        for _ in range(2):  # the minimap may appear or vanish, and change the room
            layout = self.layout()
            if layout is not None:
                layout.activate()
            self.central.activate_layout()
            self.central.board.set_cell_size_or_fit(cell)
            self.central.update_minimap_visibility()

    def _keep_on_screen(self) -> None:
        screen, frame = self.screen().availableGeometry(), self.frameGeometry()
        if not self.isVisible():  # it has no frame yet
            frame.setSize(self.size() + _FRAME)
        x = max(screen.x(), min(frame.x(), screen.right() - frame.width()))
        y = max(screen.y(), min(frame.y(), screen.bottom() - frame.height()))
        if (x, y) != (frame.x(), frame.y()):
            self.move(x, y)
