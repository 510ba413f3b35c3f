"""Pictures for a page that people read, such as a notebook: their sizes, and a game's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.picture.window_picture import window_svg
from demine.scene.panel import panel_of
from demine.scene.sight import sight
from demine.scene.themes import theme

if TYPE_CHECKING:
    from demine.logic.game import Game

MOST_CELLS: Final = 10_000
"""A page shows at most so many cells."""
PAGE_WIDTH: Final = 960
"""In pixels."""
LARGEST_CELL, SMALLEST_CELL, READABLE_CELL = 28, 12, 26
"""Sizes of a cell in pixels, the last one the smallest whose percentage reads well."""


def is_too_large(cells: int) -> bool:
    """Return whether a page does not show a board of so many cells."""
    return cells > MOST_CELLS


def cell_size(columns: int, smallest: int = SMALLEST_CELL) -> int:
    """Return the size of a cell in pixels with which so many columns fit into a page."""
    return min(LARGEST_CELL, max(smallest, PAGE_WIDTH // max(1, columns)))


def shrinking(svg: str) -> str:
    """Return an SVG document that is never wider than the page it stands in."""
    return svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


def game_svg(game: Game) -> str:
    """Return a game with its panel, as its player sees it."""
    faces = sight(game)
    clock = panel_of(game, game.time_ms)
    return shrinking(window_svg(faces, theme("light"), clock, cell_size(faces.shape[1])))
