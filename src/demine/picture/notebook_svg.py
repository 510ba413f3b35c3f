"""SVG pictures for notebooks: how large they are, and the picture of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.picture.window_picture import window_svg
from demine.scene.panel import panel_of
from demine.scene.sight import sight
from demine.scene.themes import theme

if TYPE_CHECKING:
    from demine.logic.game import BaseGame

MOST_CELLS: Final = 10_000
"""The most cells of a board that a page shows."""
PAGE_WIDTH: Final = 960
"""The width of a page in pixels."""
LARGEST_CELL, SMALLEST_CELL, READABLE_CELL = 28, 12, 26
"""Sizes of a cell in pixels; READABLE_CELL is the smallest whose percentage reads well."""


def is_too_large_for_page(cell_count: int) -> bool:
    """Return whether a board of this many cells is too large to show on a page."""
    return cell_count > MOST_CELLS


def page_cell_size(columns: int, smallest: int = SMALLEST_CELL) -> int:
    """Return the cell size in pixels at which a board fits the page's width.

    It is between `smallest` and LARGEST_CELL, even where the board is then wider than the page.
    """
    return min(LARGEST_CELL, max(smallest, PAGE_WIDTH // max(1, columns)))


def shrink_to_page_width(svg: str) -> str:
    """Return an SVG document styled so that it is never wider than its page."""
    return svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


def game_svg(game: BaseGame) -> str:
    """Draw a game and its panel, as its player sees it, as an SVG document."""
    faces = sight(game)
    clock = panel_of(game, game.time_ms)
    return shrink_to_page_width(
        window_svg(faces, theme("light"), clock, page_cell_size(faces.shape[1]))
    )
