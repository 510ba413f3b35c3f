"""The painter: brings shots to a surface, and only what differs from the last one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pygame

from demine.classic.words import Words
from demine.picture.board import overlay, tile
from demine.picture.panel import led as led_picture
from demine.picture.panel import restart
from demine.scene.face import Face
from demine.scene.look import Look
from demine.scene.panel import Mood, led

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from numpy.typing import NDArray

    from demine.classic.shot import Page, Shot
    from demine.scene.theme import Theme


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
        return changed

    def _paint_all(self, surface: pygame.Surface, shot: Shot) -> None:
        if shot.page is not None:
            self._paint_page(surface, shot, shot.page)
            return
        surface.fill(shot.theme.window)
        surface.fill(shot.theme.panel, shot.stage.panel)
        _paint_edge(surface, shot)
        rows, cols = shot.view.visible()
        _paint_cells(surface, shot, ((row, col) for row in rows for col in cols))
        self._paint_panel(surface, shot, None)

    def _paint_panel(
        self, surface: pygame.Surface, shot: Shot, last: Shot | None
    ) -> list[pygame.Rect]:
        """Draw what changed in the panel, or all of it when there is no last shot."""
        stage, panel, changed = shot.stage, shot.panel, []
        if last is None or panel.mines_left != last.panel.mines_left:
            changed.append(self._paint_lamps(surface, shot, panel.mines_left, left=True))
        if last is None or panel.seconds != last.panel.seconds:
            changed.append(self._paint_lamps(surface, shot, panel.seconds, left=False))
        if last is None or panel.mood != last.panel.mood:
            surface.fill(shot.theme.panel, stage.face)
            changed.append(
                surface.blit(_mood(panel.mood, shot.theme, stage.face.width), stage.face)
            )
        if last is None or shot.line != last.line:
            surface.fill(shot.theme.panel, stage.line)
            self._words.centred(surface, shot.line, shot.theme.panel_text, stage.line)
            changed.append(pygame.Rect(stage.line))
        return changed

    def _paint_lamps(
        self, surface: pygame.Surface, shot: Shot, value: int, *, left: bool
    ) -> pygame.Rect:
        stage = shot.stage
        lamps = _lamps(led(value), shot.theme, stage.lamps.height)
        x = stage.lamps.x if left else stage.lamps.right - lamps.get_width()
        return surface.blit(lamps, (x, stage.lamps.y))

    def _paint_page(self, surface: pygame.Surface, shot: Shot, page: Page) -> None:
        theme = shot.theme
        surface.fill(theme.panel)
        self._words.page(surface, page, theme.panel_text, theme.cursor, shot.stage.page)


def _changed_cells(shot: Shot, last: Shot) -> list[tuple[int, int]]:
    """Return the visible cells that look different, `(row, col)`."""
    if shot.faces.shape != last.faces.shape:
        rows, cols = shot.view.visible()
        return [(row, col) for row in rows for col in cols]
    differ = (shot.faces != last.faces) | (shot.looks != last.looks)
    for now, before in ((shot.cursor, last.cursor), (shot.start, last.start)):
        if now != before:
            for cell in (now, before):
                if cell is not None:
                    differ[cell] = True
    rows, cols = shot.view.visible()
    part = differ[rows.start : rows.stop, cols.start : cols.stop]
    return [(rows.start + int(row), cols.start + int(col)) for row, col in np.argwhere(part)]


def _paint_edge(surface: pygame.Surface, shot: Shot) -> None:
    """Draw the line around the board, so that its end cannot be taken for the window's."""
    width = shot.stage.edge
    board = pygame.Rect(shot.view.board_rect).inflate(2 * width, 2 * width)
    port = pygame.Rect(shot.stage.viewport).inflate(2 * width, 2 * width)
    surface.fill(shot.theme.edge, board.clip(port))


def _paint_cells(
    surface: pygame.Surface, shot: Shot, cells: Iterable[tuple[int, int]]
) -> list[pygame.Rect]:
    """Draw cells and return their rectangles on the glass."""
    view, theme = shot.view, shot.theme
    port = pygame.Rect(view.viewport)
    surface.set_clip(port)
    changed = []
    for row, col in cells:
        spot = view.rect(row, col)
        face, look = int(shot.faces[row, col]), int(shot.looks[row, col])
        surface.blit(_tile(theme, face, look, view.cell), spot[:2])
        if shot.start == (row, col):
            surface.blit(_overlay(theme, "start", view.cell), spot[:2])
        if shot.cursor == (row, col):
            surface.blit(_overlay(theme, "cursor", view.cell), spot[:2])
        changed.append(pygame.Rect(spot).clip(port))
    surface.set_clip(None)
    return changed


@lru_cache(maxsize=256)
def _tile(theme: Theme, face: int, look: int, cell: int) -> pygame.Surface:
    return _surface(tile(theme, Face(face), Look(look), cell)).convert()


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
