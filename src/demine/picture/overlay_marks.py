"""The marks and risks of an overlay as shapes: outlines, small signs, and percentages.

Every mark has an outline, and most have a sign, so that no mark is recognised by colour alone. Each
is drawn in two tones, ink and halo, one of which stands out from any background.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

from demine.picture import number_glyphs
from demine.picture.box import Box
from demine.picture.vector_path import (
    Path,
    Shape,
    circle,
    polygon,
    polyline,
    rectangle,
    rounded_rectangle,
    segment,
)
from demine.scene.colours import RGB, luminance
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.themes import Theme

NUMBERED = 20
"""The smallest cell in which a percentage can be read; smaller ones only have their tint."""
_STRIP_NUMBERED = 26
"""The same for the percentage in the strip below a flag or a question mark."""
_BADGED = 20
"""The smallest cell with room for a badge; smaller ones only have their outlines."""

_SLANT = 2 - sqrt(2)
"""How much less is cut off the corners of a frame that lies one pixel further in."""

_CENTRAL = (
    Mark.SAFE, Mark.MINE, Mark.GUESS, Mark.MISSED, Mark.ASSUMED_MINE, Mark.ASSUMED_SAFE,
)  # fmt: skip
"""The marks whose sign may be drawn in the middle of a cell."""


class MarkedCell(NamedTuple):
    """A cell to draw a mark on."""

    theme: Theme
    cell: int
    body: Box
    """Where symbols go."""
    rim: Box
    """The outer edge of an outline."""

    def mark_colour(self, mark: Mark) -> RGB:
        """Return the theme's colour of a mark."""
        theme = self.theme
        return {
            Mark.SAFE: theme.safe,
            Mark.MINE: theme.proven,
            Mark.BECAUSE: theme.because,
            Mark.ABOUT: theme.about,
            Mark.GUESS: theme.guess,
            Mark.MISTAKE: theme.mistake,
            Mark.MISSED: theme.missed,
            Mark.ASSUMED_MINE: theme.guess,
            Mark.ASSUMED_SAFE: theme.guess,
            Mark.BROKEN: theme.mistake,
        }[mark]

    @property
    def outline_width(self) -> int:
        """Width of an outline in pixels."""
        return max(1, round(self.cell * 0.095))

    @property
    def halo_width(self) -> int:
        """Width of a halo in pixels."""
        return max(1, round(self.cell * 0.035))


def sign_is_central(mark: Mark, risk: int, cell_px: int) -> bool:
    """Return whether a mark's sign is drawn in the middle of a covered cell, instead of its risk.

    It is where there is no risk to show, where the sign says the same as the risk, and where the
    cell is too small for a percentage.
    """
    if mark not in _CENTRAL:
        return False
    return risk in (UNKNOWN, risk_implied_by_mark(mark)) or (cell_px < NUMBERED and 0 < risk < 100)


def risk_implied_by_mark(mark: Mark) -> int:
    """Return the risk in percent that a mark implies: 0, 100 or UNKNOWN."""
    if mark in (Mark.SAFE, Mark.MISSED):
        return 0
    return 100 if mark is Mark.MINE else UNKNOWN


def shapes_below_figure(site: MarkedCell, mark: Mark) -> list[Shape]:
    """Return what a mark draws below the symbol of a cell: the disc and ring around a number."""
    if mark is not Mark.BECAUSE:
        return []
    x, y = site.rim.centre
    pen = max(1.0, site.cell * 0.07)
    outer = min(site.rim.width, site.rim.height) / 2
    ring = circle(x, y, outer - pen / 2 - site.cell * 0.015)
    ground = site.theme.because_ground
    return [Shape(ring, ground), Shape(ring, site.theme.because, pen)]


def shapes_over_cell(site: MarkedCell, mark: Mark, risk: int, *, central: bool) -> list[Shape]:
    """Return what a mark draws over a cell: an outline, and its sign in the middle or a corner."""
    if mark in (Mark.NONE, Mark.BECAUSE):
        return []
    shapes = _OUTLINES[mark](site, site.mark_colour(mark))
    if central:
        tone = site.theme.risks.colour_at(risk) if risk in (0, 100) else None
        return shapes + _central_sign(site, mark, tone)
    if mark in (Mark.ABOUT, Mark.GUESS):
        return shapes
    return shapes + _corner_badge(site, mark)


def central_risk_shapes(site: MarkedCell, risk: int) -> list[Shape]:
    """Return the risk in the middle of a cell: a tick, a mine or a percentage."""
    if risk == UNKNOWN:
        return []
    return _percent_shapes(site, risk, site.body, site.cell, numbered=site.cell >= NUMBERED)


class FigureRoom(NamedTuple):
    """The room for the symbol of a cell."""

    body: Box
    cell: int
    """The size in pixels of the cell that the symbol is drawn for."""


def room_above_risk(site: MarkedCell, risk: int) -> FigureRoom:
    """Return the room for the symbol of a cell whose risk is drawn by `bottom_risk_shapes`."""
    body = site.body
    if _is_risk_badge(site, risk):
        return FigureRoom(body, site.cell)
    rest = Box(body.left, body.top, body.right, body.bottom - _strip_height(site))
    return FigureRoom(rest, round(site.cell * rest.height / body.height))


def bottom_risk_shapes(site: MarkedCell, risk: int) -> list[Shape]:
    """Return the risk of a cell with a flag or a question mark, below that symbol.

    A risk of 0 or 100 is a badge in the lower right corner where there is room; any other is a
    strip at the bottom.
    """
    if _is_risk_badge(site, risk):
        return _certainty_badge(site, risk)
    body, theme = site.body, site.theme
    box = Box(body.left, body.bottom - _strip_height(site), body.right, body.bottom)
    ground = rounded_rectangle(*box, 0 if theme.bevelled else site.cell * 0.08)
    numbered = site.cell >= _STRIP_NUMBERED
    number = _percent_shapes(site, risk, box, box.height * 1.9, numbered=True) if numbered else []
    return [Shape(ground, theme.risks.colour_at(risk)), *number]


def _is_risk_badge(site: MarkedCell, risk: int) -> bool:
    return risk in (0, 100) and site.cell >= 16


def _certainty_badge(site: MarkedCell, risk: int) -> list[Shape]:
    radius = max(3.0, site.cell * 0.19)
    x, y = (
        site.body.right - radius + site.halo_width / 2,
        site.body.bottom - radius + site.halo_width / 2,
    )
    tone = site.theme.risks.colour_at(risk)
    ink = black_or_white_on(tone)
    disc = [Shape(circle(x, y, radius + site.halo_width), ink), Shape(circle(x, y, radius), tone)]
    if risk == 0:
        return disc + _tick_shapes(x, y, radius * 1.15, ink)
    return disc + _small_mine(x, y, radius * 1.6, ink, tone)


def _strip_height(site: MarkedCell) -> int:
    return round(site.cell * (0.36 if site.cell >= _STRIP_NUMBERED else 0.25))


def _percent_shapes(
    site: MarkedCell, risk: int, box: Box, cell: float, *, numbered: bool
) -> list[Shape]:
    """Return a tick for 0, a mine for 100, and a number for other risks if `numbered`."""
    ink = black_or_white_on(site.theme.risks.colour_at(risk))
    x, y = box.centre
    if risk == 0:
        return _tick_shapes(x, y, cell * 0.42, ink)
    if risk == 100:
        return _small_mine(x, y, cell * 0.56, ink, site.theme.risks.colour_at(risk))
    return number_glyphs.numeral(str(risk), box, cell * 0.4, ink) if numbered else []


def black_or_white_on(background: RGB) -> RGB:
    """Return black or white, whichever has more contrast with the background."""
    return (0, 0, 0) if luminance(background) > 0.179 else (255, 255, 255)


def _solid_outline(site: MarkedCell, ink: RGB) -> list[Shape]:
    """Return a closed frame with round corners."""
    radius = 0.0 if site.theme.bevelled else site.cell * 0.14
    halo = site.rim.inset(site.outline_width)
    return [
        Shape(
            _frame_path(halo, radius - site.outline_width, site.halo_width), site.theme.mark_halo
        ),
        Shape(_frame_path(site.rim, radius, site.outline_width), ink),
    ]


def _octagon_outline(site: MarkedCell, ink: RGB) -> list[Shape]:
    """Return a closed frame with its corners cut off."""
    pen, hair = site.outline_width, site.halo_width
    cut = site.rim.width * 0.27
    # The halo starts under the outline, so that it does not show at the outer edge.
    under = pen / 2
    within = _octagon_ring(site.rim.inset(under), cut - _SLANT * under, pen - under + hair)
    return [
        Shape(within, site.theme.mark_halo),
        Shape(_octagon_ring(site.rim, cut, pen), ink),
    ]


def _octagon_ring(box: Box, cut: float, pen: float) -> Path:
    inner = box.inset(pen)
    return _octagon_path(box, cut).cut_out(_octagon_path(inner, max(0.0, cut - _SLANT * pen)))


def _octagon_path(box: Box, cut: float) -> Path:
    left, top, right, bottom = box
    return polygon(
        (
            (left + cut, top),
            (right - cut, top),
            (right, top + cut),
            (right, bottom - cut),
            (right - cut, bottom),
            (left + cut, bottom),
            (left, bottom - cut),
            (left, top + cut),
        )
    )


def _corner_outline(site: MarkedCell, ink: RGB) -> list[Shape]:
    """Return the four corners of a frame, as in the viewfinder of a camera."""
    # In small cells the percentage only fits between the arms.
    arm = round((0.3 if site.cell >= 24 else 0.24) * site.rim.width)
    return _stroked_with_halo(
        site, ink, lambda box, more: _corner_path(box, _corner_radius(site), arm + more)
    )


def _dashed_outline(site: MarkedCell, ink: RGB) -> list[Shape]:
    arm, half = round(0.2 * site.rim.width), round(0.22 * site.rim.width) / 2

    def dashes(box: Box, more: float) -> Path:
        lines = _corner_path(box, _corner_radius(site), arm + more)
        x, y = box.centre
        reach = half + more
        for side in (box.top, box.bottom):
            lines.add_outlines(segment(x - reach, side, x + reach, side))
        for side in (box.left, box.right):
            lines.add_outlines(segment(side, y - reach, side, y + reach))
        return lines

    return _stroked_with_halo(site, ink, dashes)


def _dotted_outline(site: MarkedCell, ink: RGB) -> list[Shape]:
    """Return a thin frame of dots, in alternating tones."""
    pen = max(2 if site.cell >= 20 else 1, round(site.cell * 0.06))
    left, top, right, bottom = site.rim
    steps = max(3, round((site.rim.width - 2 * pen) / (3.4 * pen)))
    solid = Path()
    for step in range(steps + 1):
        x = left + round((right - left - 2 * pen) * step / steps)
        y = top + round((bottom - top - 2 * pen) * step / steps)
        for box in (
            (x, top, x + 2 * pen, top + pen),
            (x, bottom - pen, x + 2 * pen, bottom),
            (left, y, left + pen, y + 2 * pen),
            (right - pen, y, right, y + 2 * pen),
        ):
            solid.add_outlines(rectangle(*box))
    return [Shape(_frame_path(site.rim, 0.0, pen), site.theme.mark_halo), Shape(solid, ink)]


def _corner_radius(site: MarkedCell) -> float:
    return 0.0 if site.theme.bevelled else site.cell * 0.1


def _corner_path(box: Box, radius: float, arm: float) -> Path:
    """Return the corners of a box, rounded, with arms of a length."""
    path = Path()
    for x, y, right, down in (
        (box.left, box.top, arm, arm),
        (box.right, box.top, -arm, arm),
        (box.right, box.bottom, -arm, -arm),
        (box.left, box.bottom, arm, -arm),
    ):
        along = radius / arm
        path.move(x, y + down)
        if radius:
            path.line(x, y + down * along).bend(x, y, x + right * along, y)
        else:
            path.line(x, y)
        path.line(x + right, y)
    return path


def _stroked_with_halo(
    site: MarkedCell, ink: RGB, draw: Callable[[Box, float], Path]
) -> list[Shape]:
    """Return the pieces of a frame with a halo inside it.

    `draw(box, more)` returns their path along a box, each piece longer by `more` pixels.
    """
    pen, hair = site.outline_width, site.halo_width
    below = draw(site.rim.inset((pen + hair) / 2), hair / 2)
    lines = draw(site.rim.inset(pen / 2), 0.0)
    return [
        Shape(below, site.theme.mark_halo, pen + hair, "butt"),
        Shape(lines, ink, pen, "butt"),
    ]


def _frame_path(box: Box, radius: float, pen: float) -> Path:
    inner = rounded_rectangle(*box.inset(pen), max(0.0, radius - pen))
    return rounded_rectangle(*box, max(0.0, radius)).cut_out(inner)


_OUTLINES = {
    Mark.SAFE: _solid_outline,
    Mark.MINE: _octagon_outline,
    Mark.ABOUT: _dotted_outline,
    Mark.GUESS: _corner_outline,
    Mark.MISTAKE: _solid_outline,
    Mark.MISSED: _dashed_outline,
    Mark.ASSUMED_MINE: _dotted_outline,
    Mark.ASSUMED_SAFE: _dotted_outline,
    Mark.BROKEN: _solid_outline,
}


def _central_sign(site: MarkedCell, mark: Mark, tone: RGB | None) -> list[Shape]:
    """Return a mark's sign in the middle of a cell, in its colour or one readable on `tone`."""
    x, y = site.body.centre
    size, halo = site.cell * 0.5, site.theme.mark_halo
    ink = site.mark_colour(mark) if tone is None else black_or_white_on(tone)
    if mark in (Mark.MINE, Mark.ASSUMED_MINE):
        return _small_mine(x, y, size * 1.12, ink, halo if tone is None else tone)
    if mark is Mark.ASSUMED_SAFE:
        return _small_ring(x, y, size * 0.72, ink)
    if mark is Mark.GUESS:
        return die_showing_five(x, y, size * 0.84, ink, halo)
    return _tick_shapes(x, y, size * 0.9, ink)


def _corner_badge(site: MarkedCell, mark: Mark) -> list[Shape]:
    """Return a mark's sign on a disc in the upper right corner."""
    theme, ink = site.theme, site.mark_colour(mark)
    if site.cell < _BADGED:
        return _filled_corner(site, ink) if mark in (Mark.MISTAKE, Mark.BROKEN) else []
    radius = max(3.4, site.cell * 0.165)
    x, y = site.rim.right - radius - site.halo_width, site.rim.top + radius + site.halo_width
    disc = [
        Shape(circle(x, y, radius + site.halo_width), theme.mark_halo),
        Shape(circle(x, y, radius), ink),
    ]
    if mark in (Mark.MINE, Mark.ASSUMED_MINE):
        return disc + _small_mine(x, y, radius * 1.6, theme.mark_halo, ink)
    if mark is Mark.ASSUMED_SAFE:
        return disc + _small_ring(x, y, radius * 1.1, theme.mark_halo)
    if mark in (Mark.MISTAKE, Mark.BROKEN):
        return disc + exclamation_mark(x, y, radius * 1.3, theme.mark_halo)
    return disc + _tick_shapes(x, y, radius * 1.1, theme.mark_halo)


def _filled_corner(site: MarkedCell, ink: RGB) -> list[Shape]:
    """Return a filled upper right corner, for cells too small for a badge."""
    _, top, right, _ = site.rim
    size = max(4, round(site.cell * 0.34))
    halo = size + 1.5 * site.halo_width
    corners = [
        polygon(((right - reach, top), (right, top), (right, top + reach)))
        for reach in (halo, size)
    ]
    return [Shape(corners[0], site.theme.mark_halo), Shape(corners[1], ink)]


def _tick_shapes(x: float, y: float, size: float, ink: RGB) -> list[Shape]:
    half = size / 2
    line = polyline(
        (
            (x - half * 0.92, y + half * 0.06),
            (x - half * 0.26, y + half * 0.68),
            (x + half * 0.94, y - half * 0.66),
        )
    )
    return [Shape(line, ink, max(1.5, size * 0.26))]


def _small_ring(x: float, y: float, size: float, ink: RGB) -> list[Shape]:
    return [Shape(circle(x, y, size / 2), ink, max(1.5, size * 0.2))]


def _small_mine(x: float, y: float, size: float, ink: RGB, shine: RGB) -> list[Shape]:
    """Return a small mine in one colour; from 9 pixels on it has a glint."""
    pen, reach = max(1.0, size * 0.12), size / 2
    slant = reach * 0.6
    straight = reach - pen / 2
    spikes = (
        segment(x - straight, y, x + straight, y),
        segment(x, y - straight, x, y + straight),
        segment(x - slant, y - slant, x + slant, y + slant),
        segment(x - slant, y + slant, x + slant, y - slant),
    )
    glint = circle(x - size * 0.12, y - size * 0.12, size * 0.1)
    shapes = [Shape(spike, ink, pen) for spike in spikes]
    shapes.append(Shape(circle(x, y, size * 0.35), ink))
    return [*shapes, Shape(glint, shine)] if size >= 9 else shapes


def die_showing_five(x: float, y: float, size: float, ink: RGB, pip: RGB) -> list[Shape]:
    """Return a die that shows five, or fewer pips where five would run together."""
    half = round(size) / 2
    step = half * 0.52
    shapes = [Shape(rounded_rectangle(x - half, y - half, x + half, y + half, half * 0.34), ink)]
    spots = [(0, 0)]
    if size >= 8:
        spots += [(-1, -1), (1, 1)]
    if size >= 11:
        spots += [(-1, 1), (1, -1)]
    radius = max(0.7, half * 0.2)
    return shapes + [Shape(circle(x + a * step, y + b * step, radius), pip) for a, b in spots]


def exclamation_mark(x: float, y: float, size: float, ink: RGB) -> list[Shape]:
    """Return an exclamation mark centred on (x, y)."""
    half, pen = size / 2, max(1.0, size * 0.24)
    return [
        Shape(segment(x, y - half + pen / 2, x, y + half * 0.2), ink, pen),
        Shape(circle(x, y + half - pen * 0.5, pen * 0.58), ink),
    ]
