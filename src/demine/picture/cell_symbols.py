"""The symbols on cells as shapes: flag, mine, burst, cross, start mark and focus ring.

`body` is the box of a cell to draw in, and `cell` the size of the cell in pixels.
"""

from __future__ import annotations

from math import pi
from typing import Literal

from demine.picture.box import Box, centrable_length
from demine.picture.vector_path import (
    Path,
    Shape,
    circle,
    rectangle,
    rounded_polygon,
    rounded_rectangle,
    segment,
    star,
)
from demine.scene.colours import RGB, contrast
from demine.scene.themes import Theme


def flag(theme: Theme, area: Box, cell_px: int) -> list[Shape]:
    """Return a flag on a pole with a base."""
    ink = theme.pole
    pole = max(1, round(cell_px * 0.08))
    high = centrable_length(cell_px * 0.72, area.height)
    wide = centrable_length(cell_px * 0.66, area.width)
    frame = area.centred(wide, high)
    base = max(1, round(cell_px * 0.08))
    x = frame.left + round(wide * 0.6)
    foot = frame.bottom - base
    step = frame.left + round(wide * 0.24), frame.right - round(wide * 0.16)
    cloth = rounded_polygon(
        (
            (x + pole, frame.top),
            (frame.left, frame.top + high * 0.3),
            (x + pole, frame.top + high * 0.6),
        ),
        cell_px * 0.05,
    )
    return [
        Shape(rectangle(x, frame.top + high * 0.4, x + pole, foot), ink),
        Shape(rounded_rectangle(step[0], foot - base, step[1], foot + base / 2, base * 0.6), ink),
        Shape(
            rounded_rectangle(
                frame.left + wide * 0.04, foot, frame.right, frame.bottom, base * 0.6
            ),
            ink,
        ),
        Shape(cloth, theme.flag),
    ]


def mine(theme: Theme, area: Box, cell_px: int) -> list[Shape]:
    """Return a round mine with eight spikes and a glint."""
    return _mine(area, cell_px, theme.mine, theme.shine)


def hit_mine(theme: Theme, area: Box, cell_px: int) -> list[Shape]:
    """Return the mine that was opened: dark on its explosion, in dark themes too."""
    ink, glint = theme.mine, theme.shine
    if contrast(ink, theme.burst) < contrast(glint, theme.burst):
        ink, glint = glint, ink
    return [*burst(theme, area, cell_px), *_mine(area, cell_px, ink, glint)]


def _mine(area: Box, cell_px: int, ink: RGB, shine: RGB) -> list[Shape]:
    x, y = area.centre
    pen = centrable_length(cell_px * 0.1, area.width)
    reach = centrable_length(cell_px * 0.76, area.width) / 2
    slant = reach * 0.56
    spikes = [
        Shape(segment(x - reach + pen / 2, y, x + reach - pen / 2, y), ink, pen),
        Shape(segment(x, y - reach + pen / 2, x, y + reach - pen / 2), ink, pen),
        Shape(segment(x - slant, y - slant, x + slant, y + slant), ink, pen),
        Shape(segment(x - slant, y + slant, x + slant, y - slant), ink, pen),
    ]
    glint = circle(x - cell_px * 0.1, y - cell_px * 0.1, max(0.75, cell_px * 0.068))
    return [*spikes, Shape(circle(x, y, cell_px * 0.265), ink), Shape(glint, shine)]


def burst(theme: Theme, area: Box, cell_px: int) -> list[Shape]:
    """Return the explosion behind a mine that was opened."""
    x, y = area.centre
    return [Shape(star(x, y, cell_px * 0.47, cell_px * 0.34, 12, pi / 24), theme.burst)]


def cross(theme: Theme, area: Box, cell_px: int) -> list[Shape]:
    """Return a bold cross over the whole cell."""
    pen = max(1.25, cell_px * 0.1)
    return _cross(theme, *area.centre, cell_px * 0.31, pen, pen + 2 * max(0.4, cell_px * 0.018))


def wrong_flag_badge(theme: Theme, area: Box, cell_px: int) -> list[Shape]:
    """Return a small cross in the lower right corner, which leaves the flag visible."""
    reach = cell_px * 0.16
    x, y = area.right - reach - cell_px * 0.1, area.bottom - reach - cell_px * 0.1
    pen = max(1.5, cell_px * 0.11)
    return _cross(theme, x, y, reach, pen, pen + 2 * max(0.5, cell_px * 0.035))


def _cross(theme: Theme, x: float, y: float, reach: float, pen: float, edge: float) -> list[Shape]:
    lines = (
        segment(x - reach, y - reach, x + reach, y + reach),
        segment(x - reach, y + reach, x + reach, y - reach),
    )
    return [
        *(Shape(line, theme.cross_edge, edge) for line in lines),
        *(Shape(line, theme.cross, pen) for line in lines),
    ]


def first_cell_mark(theme: Theme, cell_px: int) -> list[Shape]:
    """Return the mark on the cell to open first: a target."""
    x = y = cell_px / 2
    pen = max(1.0, cell_px * 0.075)
    edge = max(0.75, cell_px * 0.04)
    ring = circle(x, y, cell_px * 0.24)
    return [
        Shape(ring, theme.start_halo, pen + 2 * edge),
        Shape(circle(x, y, cell_px * 0.1 + edge), theme.start_halo),
        Shape(ring, theme.start, pen),
        Shape(circle(x, y, cell_px * 0.1), theme.start),
    ]


def focus_ring(theme: Theme, cell_px: int) -> list[Shape]:
    """Return the focus ring, in two tones so that it stands out from any background."""
    pen = max(1, round(cell_px * 0.09))
    halo = max(1, round(cell_px * 0.04))
    radius = 0.0 if theme.bevelled else cell_px * 0.16
    return [
        Shape(_square_frame(0, cell_px, pen + 2 * halo, radius), theme.cursor_halo),
        Shape(_square_frame(halo, cell_px - halo, pen, radius - halo), theme.cursor),
    ]


def _square_frame(start: float, end: float, pen: float, radius: float) -> Path:
    """Return a square frame as an outline with a hole, so that its edges lie on pixel borders."""
    path = rounded_rectangle(start, start, end, end, radius)
    inner = rounded_rectangle(
        start + pen, start + pen, end - pen, end - pen, max(0.0, radius - pen)
    )
    return path.cut_out(inner)


def cell_marker_shapes(mark: Literal["start", "cursor"], theme: Theme, cell_px: int) -> list[Shape]:
    """Return the focus ring ("cursor") or the mark on the first cell ("start")."""
    return focus_ring(theme, cell_px) if mark == "cursor" else first_cell_mark(theme, cell_px)


def too_many_flags_frame(theme: Theme, area: Box, cell_px: int) -> list[Shape]:
    """Return the frame around a number that has too many flags."""
    pen = max(1, round(cell_px * 0.06))
    return [
        Shape(rectangle(*area).cut_out(rectangle(*area.inset(pen))), theme.crowded_edge),
    ]
