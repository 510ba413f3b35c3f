"""The painter: brings shots to a surface, and only what differs from the last one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pygame

from demine.classic import ground
from demine.classic.words import Words
from demine.picture.app_icon import icon
from demine.picture.board import overlay, render, tile
from demine.picture.panel import led as led_picture
from demine.picture.panel import restart
from demine.scene.cell_style import Look
from demine.scene.face import Face
from demine.scene.overlay import Mark
from demine.scene.panel import Mood, led
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from numpy.typing import NDArray

    from demine.classic.shot import Page, Shot
    from demine.scene.themes import Theme

Cell = tuple[int, int]

_MANY = 300
"""More changed cells than this are quicker drawn as a whole board."""


class Painter:
    """Draws shots; remembers the last one, which is what stands on the glass."""

    def __init__(self) -> None:
        self._last: Shot | None = None
        self._words = Words()

    def forget(self) -> None:
        """Draw everything next time: the glass was lost."""
        self._last = None

    def paint(self, surface: pygame.Surface, shot: Shot) -> list[pygame.Rect] | None:
        """Bring a shot to the surface; return the changed rectangles, or None for all of it."""
        last, self._last = self._last, shot
        if last is None or not shot.same_ground(last):
            self._paint_all(surface, shot)
            return None
        if shot.page is not None:
            return []
        changed = self._paint_panel(surface, shot, last)
        changed += _paint_cells(surface, shot, _changed_cells(shot, last))
        if shot.note != last.note:
            changed.append(self._paint_note(surface, shot))
        return changed

    def _paint_all(self, surface: pygame.Surface, shot: Shot) -> None:
        if shot.page is not None:
            self._paint_page(surface, shot, shot.page)
            return
        ground.paint(surface, shot.theme, shot.stage, shot.view)
        _paint_board(surface, shot)
        self._paint_panel(surface, shot, None)
        self._paint_note(surface, shot)

    def _paint_panel(
        self, surface: pygame.Surface, shot: Shot, last: Shot | None
    ) -> list[pygame.Rect]:
        """Draw what changed in the panel, or all of it when there is no last shot."""
        stage, panel, changed = shot.stage, shot.panel, []
        if last is None or panel.mines_left != last.panel.mines_left:
            changed.append(_paint_lamps(surface, shot, left=True))
        if last is None or panel.seconds != last.panel.seconds:
            changed.append(_paint_lamps(surface, shot, left=False))
        if last is None or panel.mood != last.panel.mood:
            surface.fill(shot.theme.panel, stage.face)
            changed.append(
                surface.blit(_mood(panel.mood, shot.theme, stage.face.width), stage.face)
            )
        if last is None or shot.line != last.line:
            around = ground.line(surface, self._words, shot.theme, shot.stage, shot.line, shot.tail)
            changed.append(around)
        return changed

    def _paint_note(self, surface: pygame.Surface, shot: Shot) -> pygame.Rect:
        """Draw the words below the board and return their strip."""
        stage, theme = shot.stage, shot.theme
        strip = surface.fill(theme.panel, stage.note)
        if stage.note_height:
            place, size = stage.note_text, stage.note_size
            self._words.block(surface, shot.note, theme.panel_text, place, size, tr("… (F1)"))
        return strip

    def _paint_page(self, surface: pygame.Surface, shot: Shot, page: Page) -> None:
        theme = shot.theme
        surface.fill(theme.panel)
        self._words.page(surface, page, theme.panel_text, theme.cursor, shot.stage.page)


def _paint_lamps(surface: pygame.Surface, shot: Shot, *, left: bool) -> pygame.Rect:
    """Draw a counter and return its half of the row: it may have had more digits before."""
    panel = shot.panel
    value = panel.mines_left if left else panel.seconds
    digits = shot.mine_lamps if left else max(3, len(str(value)))
    lamps = _lamps(led(value, digits), shot.theme, shot.stage.lamps.height)
    return ground.lamps(surface, shot.theme, shot.stage, lamps, left=left)


def _changed_cells(shot: Shot, last: Shot) -> list[Cell]:
    """Return the visible cells that look different, `(row, col)`; both shots see the same part."""
    rows, cols = shot.view.visible()
    differ = (shot.faces != last.faces) | (shot.looks != last.looks)
    differ |= shot.advice.changed(last.advice)
    for now, before in ((shot.cursor, last.cursor), (shot.start, last.start)):
        if now != before:
            for cell in (now, before):
                if cell is not None and cell[0] in rows and cell[1] in cols:
                    differ[cell[0] - rows.start, cell[1] - cols.start] = True
    return [(rows.start + int(row), cols.start + int(col)) for row, col in np.argwhere(differ)]


def _paint_board(surface: pygame.Surface, shot: Shot) -> pygame.Rect:
    """Draw all visible cells at once and return where they are."""
    view = shot.view
    rows, cols = view.visible()
    port = pygame.Rect(view.viewport)
    if not rows:
        return port
    pixels = render(shot.faces, shot.theme, view.cell, shot.looks, advice=shot.advice)
    surface.set_clip(port)
    surface.blit(_surface(pixels), view.rect(rows.start, cols.start)[:2])
    for cell in (shot.start, shot.cursor):
        if cell is not None and cell[0] in rows and cell[1] in cols:
            _paint_marks(surface, shot, cell)
    surface.set_clip(None)
    return port


def _paint_cells(surface: pygame.Surface, shot: Shot, cells: Sequence[Cell]) -> list[pygame.Rect]:
    """Draw some cells and return their rectangles on the glass."""
    if len(cells) > _MANY:
        return [_paint_board(surface, shot)]
    view, theme = shot.view, shot.theme
    rows, cols = view.visible()
    port = pygame.Rect(view.viewport)
    surface.set_clip(port)
    changed = []
    for row, col in cells:
        at = row - rows.start, col - cols.start
        spot = view.rect(row, col)
        face, look = int(shot.faces[at]), int(shot.looks[at])
        mark, risk = int(shot.advice.marks[at]), int(shot.advice.risk[at])
        tile_here = _tile(theme, face, look, view.cell, mark, risk)
        surface.blit(tile_here, spot[:2])
        _paint_marks(surface, shot, (row, col))
        changed.append(pygame.Rect(spot).clip(port))
    surface.set_clip(None)
    return changed


def _paint_marks(surface: pygame.Surface, shot: Shot, cell: Cell) -> None:
    spot = shot.view.rect(*cell)[:2]
    if shot.start == cell:
        surface.blit(_overlay(shot.theme, "start", shot.view.cell), spot)
    if shot.cursor == cell:
        surface.blit(_overlay(shot.theme, "cursor", shot.view.cell), spot)


def icon_surface() -> pygame.Surface:
    """Return the window's icon."""
    return _surface(icon(64))


@lru_cache(maxsize=512)
def _tile(theme: Theme, face: int, look: int, cell: int, mark: int, risk: int) -> pygame.Surface:
    return _surface(tile(theme, Face(face), Look(look), cell, Mark(mark), risk)).convert()


@lru_cache(maxsize=16)
def _overlay(theme: Theme, mark: Literal["cursor", "start"], cell: int) -> pygame.Surface:
    return _surface(overlay(theme, mark, cell)).convert_alpha()


@lru_cache(maxsize=64)
def _lamps(text: str, theme: Theme, height: int) -> pygame.Surface:
    return _surface(led_picture(text, theme, height)).convert()


@lru_cache(maxsize=16)
def _mood(mood: Mood, theme: Theme, size: int) -> pygame.Surface:
    return _surface(restart(mood, theme, size, pressed=mood is Mood.PRESSED)).convert()


def _surface(pixels: NDArray[np.uint8]) -> pygame.Surface:
    height, width, channels = pixels.shape
    kind: Literal["RGBA", "RGB"] = "RGBA" if channels == 4 else "RGB"
    return pygame.image.frombuffer(pixels.tobytes(), (width, height), kind)
