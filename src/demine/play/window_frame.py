"""What a window with a panel and a board shows at one moment, as plain values.

Equal values look the same, so a scene draws only what differs from the last frame.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from demine.play.board_message import start_tip_line
from demine.scene.cell_faces import Face
from demine.scene.face_mood import FaceMood
from demine.scene.led_text import led_text
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.play.controller import Controller
    from demine.play.first_frame import UntouchedBoard
    from demine.play.presence import PauseSign
    from demine.scene.mouse_automaton import Cell
    from demine.scene.themes import Theme
    from demine.scene.window_layout import Layout


Sign: TypeAlias = Literal["", "cursor", "start"]


class CellSprite(NamedTuple):
    """How a cell looks: its `Face`, its `Look`, and the "cursor" or "start" sign over it."""

    face: int
    look: int = 0
    sign: Sign = ""


class PanelState(NamedTuple):
    """The content of the panel above the board."""

    mines: str
    """The digits of the mine counter."""
    time: str
    """The digits of the seconds."""
    mood: FaceMood
    line: str
    tail: str = "…"
    """The end of a status line that is cut off."""


class WindowFrame(NamedTuple):
    """Everything that the window shows."""

    theme: Theme
    layout: Layout
    panel: PanelState
    cells: dict[Cell, CellSprite]
    """How each visible cell looks."""
    pause_sign: PauseSign | None = None
    """What stands on the covered board of a paused game."""

    @classmethod
    def of(cls, controller: Controller, layout: Layout) -> WindowFrame:
        """Return what the window of a controller shows now."""
        shown = controller.frame()
        rows, cols = layout.view.visible_rows_and_cols()
        part = slice(rows.start, rows.stop), slice(cols.start, cols.stop)
        faces, looks = shown.faces[part].ravel(), shown.looks[part].ravel()
        styles = map(CellSprite, faces.tolist(), looks.tolist())
        cells = dict(zip(product(rows, cols), styles, strict=True))
        signs: tuple[tuple[Cell | None, Sign], ...] = (
            (shown.prescribed_start, "start"),
            (shown.cursor, "cursor"),
        )
        for cell, sign in signs:
            if cell is not None and cell in cells:
                cells[cell] = cells[cell]._replace(sign=sign)
        mines = led_text(shown.panel.mines_left, shown.mine_digits)
        seconds = led_text(shown.panel.seconds, max(3, len(str(shown.panel.seconds))))
        tail = tr("… (F1)") if shown.news_is_trouble else "…"
        line = shown.line(shown.hint)
        if not (controller.session.game.begun or shown.hint or shown.news):
            line = start_tip_line(controller.preferences, line)
        panel = PanelState(mines, seconds, shown.panel.mood, line, tail)
        return cls(controller.theme, layout, panel, cells, shown.pause_sign)

    @classmethod
    def of_untouched(cls, board: UntouchedBoard, layout: Layout) -> WindowFrame:
        """Return the first frame of an untouched board; it is made without NumPy."""
        mines = led_text(board.rules.mines, max(3, len(str(board.rules.mines))))
        line = start_tip_line(board.preferences, board.status_text)
        panel = PanelState(mines, led_text(0), FaceMood.IDLE, line)
        cells = dict.fromkeys(
            product(*layout.view.visible_rows_and_cols()), CellSprite(Face.COVERED)
        )
        return cls(board.preferences.chosen_theme(), layout, panel, cells)

    def needs_full_redraw(self, before: WindowFrame) -> bool:
        """Whether the whole window has to be drawn anew."""
        return self._replace(panel=before.panel, cells=before.cells) != before

    def changed_cells(self, before: WindowFrame) -> list[Cell]:
        """Return the cells that look different."""
        return [cell for cell, style in self.cells.items() if before.cells.get(cell) != style]
