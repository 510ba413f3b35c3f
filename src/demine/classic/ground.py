"""What is painted of a window without looking at a cell: grounds, the board's edge, the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

if TYPE_CHECKING:
    from demine.classic.stage import Stage
    from demine.classic.words import Words
    from demine.scene.board_geometry import View
    from demine.scene.themes import Theme


def paint(surface: pygame.Surface, theme: Theme, stage: Stage, view: View) -> None:
    """Paint everything that panel and board stand on."""
    surface.fill(theme.window)
    surface.fill(theme.panel, stage.panel)
    surface.fill(theme.edge, _edge(stage, view))


def _edge(stage: Stage, view: View) -> pygame.Rect:
    """Return the line around the board: where the board ends, and not where only the window does.

    What is inside the line is covered by the board.
    """
    wide = stage.edge
    board, port = view.board_rect, stage.viewport
    left = board.x - wide if board.x >= port.x else port.x
    top = board.y - wide if board.y >= port.y else port.y
    right = board.right + wide if board.right <= port.right else port.right
    bottom = board.bottom + wide if board.bottom <= port.bottom else port.bottom
    return pygame.Rect(left, top, right - left, bottom - top)


def lamps(
    surface: pygame.Surface, theme: Theme, stage: Stage, drawn: pygame.Surface, *, left: bool
) -> pygame.Rect:
    """Paint a counter and return its half of the row: it may have had more digits before."""
    row = pygame.Rect(stage.lamps)
    half = max(0, row.width - stage.face.width) // 2
    place = pygame.Rect(row.x if left else row.right - half, row.y, half, row.height)
    surface.fill(theme.panel, place)
    surface.blit(drawn, (place.x if left else place.right - drawn.get_width(), place.y))
    return place


def line(
    surface: pygame.Surface, words: Words, theme: Theme, stage: Stage, text: str, tail: str = "…"
) -> pygame.Rect:
    """Write the line of words in the panel and return what was painted."""
    # Letters that reach below their line stand in the gap around it.
    gap = stage.line.y - stage.lamps.bottom
    around = pygame.Rect(stage.line).inflate(0, 2 * gap)
    surface.fill(theme.panel, around)
    words.centred(surface, text, theme.panel_text, stage.line, tail)
    return around
