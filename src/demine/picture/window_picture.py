"""Pictures of a whole window, panel and board, for pages that show a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from demine.picture import seven_segment
from demine.picture.board import draw_request_on
from demine.picture.box import Box
from demine.picture.cell_background import bevel_halves
from demine.picture.draw_request import CellPlace, DrawRequest, checked_request
from demine.picture.errors import PictureError
from demine.picture.rasterise_shapes import paint, painted_bands
from demine.picture.restart_button import button_shapes
from demine.picture.svg_drawing import board_markup, shape_elements, svg_document, translated_group
from demine.picture.vector_path import Shape, rectangle, rounded_rectangle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.colours import RGB
    from demine.scene.overlay import Overlay
    from demine.scene.panel import Panel
    from demine.scene.themes import Theme

MAX_PIXELS_OF_WINDOW = 1 << 22
"""The largest picture of a window: its frame is drawn without tiles, which is slow."""


class PanelPart(NamedTuple):
    """A rectangle of the panel: shapes on a background colour, at a place in the window."""

    left: int
    top: int
    wide: int
    high: int
    ground: RGB
    shapes: list[Shape]


class WindowLayout(NamedTuple):
    """The size of a window in pixels, and where its parts are."""

    wide: int
    high: int
    frame: list[Shape]
    parts: list[PanelPart]
    board: tuple[int, int]
    """The left and top of the board."""


def picture_of_window(
    scene: NDArray[np.uint8],
    theme: Theme,
    panel: Panel,
    cell: int = 32,
    looks: NDArray[np.uint8] | None = None,
    cursor: CellPlace | None = None,
    advice: Overlay | None = None,
) -> NDArray[np.uint8]:
    """Draw a panel and the board below it as one picture, uint8 (height, width, 3).

    Raises PictureError as `render` does, and for more than 4 million pixels.
    """
    asked = checked_request(scene, cell, looks, cursor, advice=advice)
    plan = window_layout(asked, theme, panel)
    picture = np.empty((plan.high, plan.wide, 3), np.uint8)
    paint_window_on(picture, plan, asked, theme)
    return picture


def paint_window_on(
    picture: NDArray[np.uint8], plan: WindowLayout, request: DrawRequest, theme: Theme
) -> None:
    """Draw a window on a picture of exactly its size, in place."""
    for top, rows in painted_bands(plan.frame, plan.wide, plan.high, theme.panel):
        picture[top : top + rows.shape[0]] = rows
    for part in plan.parts:
        spot = picture[part.top : part.top + part.high, part.left : part.left + part.wide]
        spot[:] = paint(part.shapes, part.wide, part.high, part.ground)
    left, top = plan.board
    high, wide = (size * request.cell for size in request.faces.shape)
    draw_request_on(picture[top : top + high, left : left + wide], request, theme)


def window_svg(
    scene: NDArray[np.uint8],
    theme: Theme,
    panel: Panel,
    cell: int = 32,
    looks: NDArray[np.uint8] | None = None,
    cursor: CellPlace | None = None,
    advice: Overlay | None = None,
) -> str:
    """Draw a window as SVG; the parameters and errors are those of `picture_of_window`."""
    asked = checked_request(scene, cell, looks, cursor, advice=advice)
    plan = window_layout(asked, theme, panel)
    ground = Shape(rectangle(0, 0, plan.wide, plan.high), theme.panel)
    body = [shape_elements([ground, *plan.frame])]
    for part in plan.parts:
        below = Shape(rectangle(0, 0, part.wide, part.high), part.ground)
        body.append(translated_group(shape_elements([below, *part.shapes]), part.left, part.top))
    body.append(translated_group(board_markup(asked, theme), *plan.board))
    return svg_document("\n".join(body), plan.wide, plan.high)


def window_layout(request: DrawRequest, theme: Theme, panel: Panel) -> WindowLayout:
    """Lay out a window in the proportions of Winmine; raises PictureError if it is too large."""
    rows, columns = request.faces.shape
    unit = request.cell / 16
    pad, edge, inner = round(9 * unit), max(1, round(3 * unit)), max(1, round(2 * unit))
    digits, face = round(23 * unit), round(26 * unit)
    texts = f"{panel.mines_left:03d}", f"{panel.seconds:03d}"
    room = sum(len(text) for text in texts) * seven_segment.digit_width(digits) + face + 6 * pad
    board = columns * request.cell, rows * request.cell
    wide = max(board[0] + 2 * edge, room) + 2 * pad
    bar = Box(pad, pad, wide - pad, pad + digits + 2 * inner + 2 * round(5 * unit))
    left, top = (wide - board[0]) // 2, round(bar.bottom) + pad + edge
    high = top + board[1] + edge + pad
    if wide * high > MAX_PIXELS_OF_WINDOW:
        raise PictureError(
            "a portrait of {wide} x {high} pixels is too large ({limit} at most):"
            " choose smaller cells",
            wide=wide,
            high=high,
            limit=MAX_PIXELS_OF_WINDOW,
        )
    field = Box(left, top, left + board[0], top + board[1])
    frame = _frame(theme, Box(0, 0, wide, high), bar, field, edge)
    parts = _panel_parts(theme, panel, texts, bar, digits, face)
    return WindowLayout(wide, high, frame, parts, (left, top))


def _panel_parts(
    theme: Theme, panel: Panel, texts: tuple[str, str], bar: Box, digits: int, face: int
) -> list[PanelPart]:
    """Return the digits of the two displays and the face, centred vertically in the bar."""
    top = round((bar.top + bar.bottom - digits) / 2)
    gap, step = round(top - bar.top), seven_segment.digit_width(digits)
    lefts = round(bar.left) + gap, round(bar.right) - gap - step * len(texts[1])
    parts = [
        PanelPart(
            left + at * step,
            top,
            step,
            digits,
            theme.led_back,
            seven_segment.digit_shapes(sign, theme, digits),
        )
        for left, text in zip(lefts, texts, strict=True)
        for at, sign in enumerate(text)
    ]
    x, y = bar.centre
    ground, shapes = button_shapes(panel.mood, theme, face, pressed=panel.mood == "pressed")
    return [*parts, PanelPart(round(x - face / 2), round(y - face / 2), face, face, ground, shapes)]


def _frame(theme: Theme, whole: Box, bar: Box, board: Box, edge: int) -> list[Shape]:
    around = board.inset(-edge)
    if not theme.bevelled:
        line = max(1, edge // 2)
        border = rounded_rectangle(*board.inset(-line), line * 2).cut_out(rectangle(*board))
        return [Shape(border, theme.edge)]
    shapes: list[Shape] = []
    thin = max(1, edge * 2 // 3)
    for box, width, raised in ((whole, edge, True), (bar, thin, False), (around, edge, False)):
        light, dark = bevel_halves(box, width)
        if not raised:
            light, dark = dark, light
        shapes += [Shape(light, theme.covered_light), Shape(dark, theme.covered_dark)]
    return shapes
