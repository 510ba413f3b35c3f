"""The card on the covered board of a paused game: its layout and its picture without the words.

The words are drawn by the scenes, each with its own font, where the layout says.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.picture.box import Box
from demine.picture.cell_background import bevel_halves
from demine.picture.rasterise_shapes import make_read_only, paint
from demine.picture.vector_path import Shape, polygon, rectangle, rounded_rectangle
from demine.scene.board_geometry import Rect
from demine.scene.colours import RGB, contrast

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from demine.scene.board_geometry import View
    from demine.scene.themes import Theme

_SHRINKING: Final = (1.0, 0.85, 0.7)
"""The sizes that are tried for each choice of parts."""
_LEAST_PX: Final = 7
"""The smallest letters."""


class CardText(NamedTuple):
    """Words on the card, in the middle of a rectangle."""

    text: str
    place: Rect
    size_px: int
    """The size of the letters."""


class PauseCard(NamedTuple):
    """The layout of a card, in pixels of the room that it stands in."""

    place: Rect
    title: CardText
    button: Rect | None
    """The button that resumes; None if there is no room for it."""
    label: CardText | None
    how: CardText | None
    """How to resume, in a line; None if there is no room for it."""

    @property
    def texts(self) -> tuple[CardText, ...]:
        """The words, from the top."""
        return tuple(each for each in (self.title, self.label, self.how) if each is not None)


def pause_card(
    words: tuple[str, str, str],
    view: View,
    unit_px: int,
    measure: Callable[[str, int], int],
) -> PauseCard:
    """Lay out the title, the button's name and the line on how to resume, in the middle of a board.

    Where the board is small the letters shrink, then the line goes. Where it has no room for the
    button either the card reaches over its border. `unit_px` is the usual size of letters, and
    `measure` returns the width of a text in letters of a size.
    """
    board, around = view.visible_rect, view.viewport
    tries = (board, 3), (board, 2), (around, 3), (around, 2), (around, 1)
    for (room, parts), shrink in product(tries, _SHRINKING):
        card = _laid_out(words, parts, room, unit_px * shrink, measure)
        if card.place == card.place.intersection(room):
            return card
    # Not even the title has room: its letters are as large as its line.
    return _laid_out(words, 1, around, unit_px * _SHRINKING[-1], measure)


def _laid_out(
    words: tuple[str, str, str],
    parts: int,
    room: Rect,
    unit: float,
    measure: Callable[[str, int], int],
) -> PauseCard:
    """Return the card with the first parts of the words, which may be larger than the room."""
    largest = min(max(min(room.width, room.height) / 9, 1.7 * unit), 3.2 * unit)
    sizes = [max(_LEAST_PX, round(size)) for size in (largest, 1.15 * unit, unit)]
    widths = [measure(text, size) for text, size in zip(words, sizes, strict=True)]
    widths[1] += 4 * sizes[1]  # the sign before the name, and room at its sides
    heights = [round(sizes[0] * 1.35), round(sizes[1] * 2.4), round(sizes[2] * 1.5)]
    pad, gap = round((1.4 if parts > 1 else 0.5) * unit), round(0.7 * unit)
    wide = max(widths[:parts]) + 2 * pad
    high = sum(heights[:parts]) + gap * (parts - 1) + 2 * round(pad * 0.8)
    left, top = room.x + (room.width - wide) // 2, room.y + (room.height - high) // 2
    rows, y = [], top + round(pad * 0.8)
    for height in heights:
        rows.append(Rect(left + pad, y, wide - 2 * pad, height))
        y += height + gap
    button = Rect(left + (wide - widths[1]) // 2, rows[1].y, widths[1], rows[1].height)
    label = Rect(
        button.x + 2 * sizes[1], button.y, button.width - round(2.8 * sizes[1]), button.height
    )
    return PauseCard(
        Rect(left, top, wide, high),
        CardText(words[0], rows[0], sizes[0]),
        button if parts > 1 else None,
        CardText(words[1], label, sizes[1]) if parts > 1 else None,
        CardText(words[2], rows[2], sizes[2]) if parts > 2 else None,
    )


def card_colours(theme: Theme) -> tuple[RGB, RGB]:
    """Return the colours of the words on the card, and of those on its button."""
    if theme.bevelled:
        return theme.panel_text, theme.panel_text
    inks = (theme.panel, theme.panel_text)
    return theme.panel_text, max(inks, key=lambda ink: contrast(ink, theme.cursor))


@lru_cache(maxsize=4)
def card_picture(card: PauseCard, theme: Theme) -> NDArray[np.uint8]:
    """Draw a card and its button, without words, read-only uint8 (height, width, 4)."""
    left, top, wide, high = card.place
    edge = max(1, round(card.title.size_px / 14))
    shapes = _plate(theme, Box(0, 0, wide, high), edge, theme.panel, theme.edge)
    if card.button is not None and card.label is not None:
        x, y = card.button.x - left, card.button.y - top
        box = Box(x, y, x + card.button.width, y + card.button.height)
        ground = theme.panel if theme.bevelled else theme.cursor
        size = card.label.size_px
        shapes += _plate(theme, box, edge, ground, ground)
        shapes.append(_play_sign(box.left + 1.2 * size, box.centre[1], size, theme))
    return make_read_only(paint(shapes, wide, high))


def _plate(theme: Theme, box: Box, edge: int, ground: RGB, rim: RGB) -> list[Shape]:
    if theme.bevelled:
        light, dark = bevel_halves(box, 2 * edge)
        return [
            Shape(rectangle(*box), ground),
            Shape(light, theme.covered_light),
            Shape(dark, theme.covered_dark),
        ]
    radius = min(0.22 * box.height, 5.0 * edge)
    return [
        Shape(rounded_rectangle(*box, radius), rim),
        Shape(rounded_rectangle(*box.inset(edge), max(1.0, radius - edge)), ground),
    ]


def _play_sign(x: float, y: float, size: float, theme: Theme) -> Shape:
    """Return a triangle that points to the right, `x` its left side and `y` its middle."""
    half = 0.42 * size
    points = ((x, y - half), (x + 1.55 * half, y), (x, y + half))
    return Shape(polygon(points), card_colours(theme)[1])
