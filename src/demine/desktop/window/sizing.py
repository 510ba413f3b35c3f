"""How large the window is and where it stands; it follows the board as long as it may choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize

from demine.desktop.menu_bar_focus import MenuBar
from demine.desktop.window.dialog_host_protocol import Host
from demine.scene.board_geometry import LEAST_PANNED

if TYPE_CHECKING:
    from demine.desktop.window.saved_geometry import Place
    from demine.desktop.window.window_layout import Frame
    from demine.scene.board_geometry import View

NARROWEST: Final = 300
_FRAME: Final = QSize(8, 32)
"""How much a frame may add that is not there yet."""


class SizedWindow(Host):
    """A window around a frame."""

    inside: Frame

    def __init__(self) -> None:
        super().__init__()
        self._stood: View | None = None
        """How the board was seen that stood here before this one."""
        self._lent = 0
        """How much higher the window is for the bar below the board, in Qt's pixels."""
        self.setMinimumWidth(NARROWEST)
        self.setMenuBar(MenuBar())

    def put(self, inside: Frame) -> None:
        """Put a frame in, another one's place."""
        if hasattr(self, "inside"):
            self._stood = self.inside.board.view
        self.inside = inside
        self.setCentralWidget(inside)

    def stand(
        self, place: Place, cell: int, *, fullscreen: bool = False, as_asked: bool = False
    ) -> None:
        """Show the window where it was and as it was, or as large as another board wants.

        `cell` is the size of cells wanted, 0 for a comfortable one. `as_asked`: it was asked for
        just now, so the board decides in any case.
        """
        shape, stood = self.inside.board.shape, self._stood
        if stood is not None and (stood.rows, stood.cols) == shape:
            # The very board stands here already, and its window may have been moved since.
            self._show_cells(0 if stood.fitted else self.inside.board.cell_of(stood))
            self.inside.board.see_as(stood)
            return
        placed = place.apply_to(self)
        if placed and (place.rows, place.cols) == shape and not as_asked:
            self._show_cells(place.cell)
        else:
            self._fit_window(cell)
            if placed and self._free:
                self._keep_on_screen()  # it may be another board's place
        if fullscreen:
            self.showFullScreen()
        else:
            self.show()

    @property
    def _free(self) -> bool:
        """Whether the window may choose its size."""
        return not (self.isMaximized() or self.isFullScreen())

    def _chrome(self) -> QSize:
        """What the window needs beside the board."""
        return self.inside.room_beside() + QSize(0, self.menuBar().sizeHint().height())

    def _room(self) -> QSize:
        """The largest window the screen has room for."""
        room = self.screen().availableGeometry().size()
        frame = self.frameSize() - self.size()
        high = max(frame.height(), _FRAME.height())
        # Qt makes a window that was as wide as the screen so much narrower the next time.
        return QSize(room.width() - max(frame.width(), 2), room.height() - high)

    def _fit_window(self, cell: int) -> None:
        """Take the size that shows the board in cells of so many pixels; 0 chooses them."""
        if not self._free:
            self._show_cells(0)
            return
        room, chrome = self._room(), self._chrome()
        cell = cell or self._comfortable(room - chrome)
        wanted = (self.inside.board.size_for(cell) + chrome).expandedTo(QSize(NARROWEST, 0))
        self.resize(wanted.boundedTo(room))
        self._lent = self.inside.bar_high
        self._show_cells(cell)
        if self.isVisible():
            self._keep_on_screen()

    def _show_cells(self, cell: int) -> None:
        """Show the board in cells of this size, from its corner; every part gets its place now."""
        for _ in range(2):  # the overview may come or go, and changes the room
            layout = self.layout()
            if layout is not None:
                layout.activate()
            self.inside.settle()
            self.inside.board.show_cells(cell)
            self.inside.place_minimap()

    def _comfortable(self, room: QSize) -> int:
        """A thirty-fourth of the screen; smaller if the board needs it, but not below 16 pixels."""
        cell = min(max(self.screen().size().height() // 34, 20), 64)
        while cell > LEAST_PANNED:
            size = self.inside.board.size_for(cell)
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
