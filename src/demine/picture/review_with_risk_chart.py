"""Pictures of a reviewed game: the final board, and below it a chart of the risk of each act.

There are no words to translate: every number stands beside the sign that the board has for it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.picture import cell_symbols, number_glyphs
from demine.picture import overlay_marks as signs
from demine.picture.box import Box
from demine.picture.cell_background import bevel_halves
from demine.picture.draw_request import DrawRequest, check_picture_size, checked_request
from demine.picture.errors import PictureError
from demine.picture.panel import sign_shapes
from demine.picture.rasterise_shapes import painted_bands
from demine.picture.svg_drawing import shape_elements, svg_document, translated_group
from demine.picture.vector_path import (
    Path,
    Shape,
    circle,
    polyline,
    rectangle,
    rounded_rectangle,
    segment,
)
from demine.picture.window_picture import WindowLayout, paint_window_on, window_layout, window_svg
from demine.scene.colours import RGB, contrast, mix
from demine.scene.overlay import Mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.overlay import Overlay
    from demine.scene.panel import Panel
    from demine.scene.themes import Theme

_STEPS_S: Final = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600, 7200, 18000, 36000)
"""The distances that the lines of the time axis may have, in seconds."""
_MOST_LINES: Final = 12
_MARGIN: Final = 0.72
"""The margin between the board and the edge of the window, in cells."""


class RiskTimeline(NamedTuple):
    """The acts of a game that open cells, in order; all arrays have the shape `(acts,)`."""

    times: NDArray[np.int64]
    """When each act was made, in milliseconds."""
    risks: NDArray[np.float64]
    """The probability that each act loses, 0 to 1."""
    lowest: NDArray[np.float64]
    """The lowest risk that any act had at that moment."""
    mistakes: NDArray[np.bool_]
    """Which acts took more risk than they should have."""
    blew: NDArray[np.bool_]
    """Which acts opened a mine."""
    end_ms: int
    """How long the game took, in milliseconds."""
    wrong_flags: int = 0


EMPTY_TIMELINE: Final = RiskTimeline(
    np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.bool_), 0
)
"""The timeline of a game without acts."""


def review_picture(
    scene: NDArray[np.uint8],
    theme: Theme,
    panel: Panel,
    marks: Overlay,
    timeline: RiskTimeline,
    cell: int = 32,
) -> NDArray[np.uint8]:
    """Draw a reviewed game, uint8 (height, width, 3).

    `scene` is the final board, and `marks` the overlay drawn over it. Raises PictureError as
    `picture_of_window` does, and for a timeline whose arrays have different lengths.
    """
    _check_timeline(timeline)
    asked, above, below = _request_and_layouts(scene, theme, panel, marks, timeline, cell)
    picture = np.empty((above.high + below.high, above.wide, 3), np.uint8)
    paint_window_on(picture[: above.high], above, asked, theme)
    for top, part in painted_bands(below.shapes(), below.wide, below.high, theme.panel):
        picture[above.high + top :][: part.shape[0]] = part
    return picture


def check_review_size(scene: NDArray[np.uint8], theme: Theme, panel: Panel, cell: int = 32) -> None:
    """Raise PictureError if `review_picture` of this board would be too large.

    It can be called before the game is reviewed, which takes long.
    """
    _request_and_layouts(scene, theme, panel, None, EMPTY_TIMELINE, cell)


def _request_and_layouts(
    scene: NDArray[np.uint8],
    theme: Theme,
    panel: Panel,
    marks: Overlay | None,
    timeline: RiskTimeline,
    cell: int,
) -> tuple[DrawRequest, WindowLayout, RiskChart]:
    """Return the checked board, the window above, and the chart below; raises PictureError."""
    asked = checked_request(scene, cell, advice=marks)
    above = window_layout(asked, theme, panel)
    below = RiskChart(theme, above.wide, round(asked.cell * _MARGIN), timeline)
    check_picture_size(above.high + below.high, above.wide)
    return asked, above, below


def review_svg(
    scene: NDArray[np.uint8],
    theme: Theme,
    panel: Panel,
    marks: Overlay,
    timeline: RiskTimeline,
    cell: int = 32,
) -> str:
    """Draw a reviewed game as SVG; the parameters and errors are those of `review_picture`."""
    _check_timeline(timeline)
    _request_and_layouts(scene, theme, panel, marks, timeline, cell)
    above = window_svg(scene, theme, panel, cell, advice=marks)
    wide, high = (int(above.split(f'{name}="', 1)[1].split('"', 1)[0]) for name in _SIZES)
    plan = RiskChart(theme, wide, round(cell * _MARGIN), timeline)
    ground = Shape(rectangle(0, 0, plan.wide, plan.high), theme.panel)
    inner = above[above.index("\n") : above.rindex("</svg>")]
    return svg_document(
        inner + translated_group(shape_elements([ground, *plan.shapes()]), 0, high),
        wide,
        high + plan.high,
    )


_SIZES: Final = ("width", "height")


def _check_timeline(timeline: RiskTimeline) -> None:
    times, risks, lowest, mistakes, blew, end_ms, _ = timeline
    shapes = {array.shape for array in (times, risks, lowest, mistakes, blew)}
    chances = np.concatenate((risks.ravel(), lowest.ravel()))
    if (
        len(shapes) != 1
        or times.ndim != 1
        or end_ms < 0
        or not ((chances >= 0) & (chances <= 1)).all()
    ):
        raise PictureError("a timeline has arrays of one length, and risks from 0 to 1")


class RiskChart:
    """The chart below the board: a row of numbers, and the risks of the game over time."""

    def __init__(self, theme: Theme, wide: int, pad: int, timeline: RiskTimeline) -> None:
        self.theme = theme
        self.wide = wide
        self.timeline = timeline
        self.text = min(max(10, wide // 64), 18)
        """Height of digits in pixels."""
        head = round(self.text * 2.6)
        tall = min(max(120, round(wide * 0.22)), 320)
        self.head = Box(pad, 0, wide - pad, head)
        left = pad + self._text_width("100%") + self.text // 2
        self.plot = Box(left, head + self.text // 2, wide - pad, head + tall)
        self.high = round(self.plot.bottom + self.text * 2.2)
        self.end_ms = max(1, timeline.end_ms)

    def shapes(self) -> list[Shape]:
        """Return the whole chart as shapes."""
        return [
            *self._plot_frame(),
            *self._summary_row(),
            self._area_below_curve(),
            *self._grid_and_axis_numbers(),
            *self._chance_curves(),
            *self._act_stems(),
        ]

    # Places and colours

    def x_at(self, ms: float) -> float:
        """Return the x in pixels of a time in milliseconds."""
        share = min(max(ms / self.end_ms, 0.0), 1.0)
        inset = self.text * 1.1
        return self.plot.left + inset + share * (self.plot.width - 2 * inset)

    def y_at(self, probability: float) -> float:
        """Return the y in pixels of a probability, 0 to 1."""
        inset = self.text * 0.7
        return self.plot.bottom - inset - probability * (self.plot.height - 2 * inset)

    @property
    def muted_colour(self) -> RGB:
        """The colour of what should not stand out."""
        return mix(self.theme.panel_text, self.theme.panel, 0.25)

    @property
    def survival_colour(self) -> RGB:
        """The colour of the probability of having survived so far."""
        return _readable_colour(self.theme.safe, self.theme.opened)

    # The parts

    def _plot_frame(self) -> list[Shape]:
        theme, edge = self.theme, 2
        around = self.plot.inset(-edge)
        ground = Shape(rectangle(*self.plot), theme.opened)
        if theme.bevelled:
            dark, light = bevel_halves(around, edge)
            return [
                ground,
                Shape(light, theme.covered_light),
                Shape(dark, theme.covered_dark),
            ]
        border = rounded_rectangle(*around, edge * 2).cut_out(rounded_rectangle(*self.plot, edge))
        return [ground, Shape(border, theme.edge)]

    def _summary_row(self) -> list[Shape]:
        """Return the signs above the plot, with a number after each."""
        found = self.timeline
        chance, best = (float(np.prod(1 - risk)) for risk in (found.risks, found.lowest))
        guessed = (found.risks > 0) & ~found.mistakes
        size = round(self.text * 1.9)
        top = round((self.head.height - size) / 2)
        parts: list[tuple[list[Shape], str]] = [
            (self._curve_sample(size, solid=True), _format_percent(chance)),
            (self._curve_sample(size, solid=False), _format_percent(best)),
            (self._die(size / 2, size / 2), str(int(guessed.sum()))),
            (self._alarm(size / 2, size / 2), str(int(found.mistakes.sum()))),
        ]
        if found.wrong_flags:
            body = Box(0, 0, size, size)
            flag = cell_symbols.flag(self.theme, body, size) + cell_symbols.wrong_flag_badge(
                self.theme, body, size
            )
            parts.append((flag, str(found.wrong_flags)))
        parts.append((sign_shapes("clock", self.theme, size), f"{found.end_ms / 1000:.3f}"))
        gap = round(self.text * 0.45)
        widths = [size + gap + self._text_width(text) for _, text in parts]
        room = self.head.width - sum(widths)
        between = max(gap, min(room / max(1, len(parts) - 1), self.text * 5.0))
        x = self.head.left
        shapes: list[Shape] = []
        for (sign, text), wide in zip(parts, widths, strict=True):
            shapes += [_moved_shape(shape, round(x), top) for shape in sign]
            shapes += self._text_shapes(text, round(x) + size + gap, self.head.height / 2)
            x += wide + between
        return shapes

    def _curve_sample(self, size: int, *, solid: bool) -> list[Shape]:
        high = size / 2
        points = ((1, high * 0.55), (size * 0.5, high * 0.55), (size * 0.5, high * 1.3))
        path = polyline((*points, (size - 1, high * 1.3)))
        on_panel = _readable_colour(self.survival_colour, self.theme.panel)
        if solid:
            return [Shape(path, on_panel, max(2.0, self.text / 5))]
        return [
            Shape(
                _dashed_line(points[0], (size - 1, high * 0.55), 3), self.muted_colour, 2.0, "butt"
            )
        ]

    def _grid_and_axis_numbers(self) -> list[Shape]:
        plot = self.plot
        shapes: list[Shape] = []
        for percent in (0, 25, 50, 75, 100):
            y = round(self.y_at(percent / 100)) + 0.5
            shapes.append(
                Shape(segment(plot.left, y, plot.right, y), self._grid_colour, 1.0, "butt")
            )
            if percent % 50 == 0:
                text = f"{percent}%"
                shapes += self._text_shapes(
                    text, plot.left - self.text * 0.6 - self._text_width(text), y
                )
        seconds = self.end_ms / 1000
        step = next((s for s in _STEPS_S if seconds / s <= _MOST_LINES), seconds)
        for at in np.arange(0, seconds + step / 1e6, step).tolist():
            x = round(self.x_at(at * 1000)) + 0.5
            shapes.append(
                Shape(segment(x, plot.top, x, plot.bottom), self._grid_colour, 1.0, "butt")
            )
            text = str(round(at))
            left = x - self._text_width(text) / 2
            shapes += self._text_shapes(text, round(left), plot.bottom + self.text * 1.15)
        return shapes

    @property
    def _grid_colour(self) -> RGB:
        return mix(self.theme.opened, self.theme.grid, 0.6)

    def _chance_curves(self) -> list[Shape]:
        """Return two survival curves: of the game as played, and of the least risk each time."""
        found = self.timeline
        played, best = (_survival_curve(found.times, risk) for risk in (found.risks, found.lowest))
        path = self._step_path(played)
        dashes = Path()
        points = [*best, (self.end_ms, best[-1][1])]
        for (t, chance), (then, _) in pairwise(points):
            dashes.add_outlines(
                _dashed_line(
                    (self.x_at(t), self.y_at(chance)), (self.x_at(then), self.y_at(chance)), 5
                )
            )
        ink = mix(
            _readable_colour(self.theme.panel_text, self.theme.opened), self.theme.opened, 0.35
        )
        return [
            Shape(dashes, ink, 1.5, "butt"),
            Shape(path, self.survival_colour, max(1.5, self.text / 7)),
        ]

    def _area_below_curve(self) -> Shape:
        """Return the area below the survival curve of the game as played."""
        path = self._step_path(_survival_curve(self.timeline.times, self.timeline.risks))
        floor = self.y_at(0)
        path.line(self.x_at(self.end_ms), floor).line(self.x_at(0), floor).close()
        return Shape(path, mix(self.theme.opened, self.survival_colour, 0.16))

    def _step_path(self, curve: list[tuple[float, float]]) -> Path:
        (t, chance), *rest = curve
        path = Path().move(self.x_at(t), self.y_at(chance))
        for then, less in rest:
            path.line(self.x_at(then), self.y_at(chance)).line(self.x_at(then), self.y_at(less))
            chance = less
        return path.line(self.x_at(self.end_ms), self.y_at(chance))

    def _act_stems(self) -> list[Shape]:
        """Return a tick for each safe act, and a stem for each risk, its forced part apart."""
        found, floor = self.timeline, self.y_at(0)
        ticks, forced, needless = Path(), Path(), Path()
        heads: list[Shape] = []
        for t, risk, least, mistake, blew in zip(*(a.tolist() for a in found[:5]), strict=True):
            x = round(self.x_at(t)) + 0.5
            if risk == 0:
                ticks.add_outlines(segment(x, floor + 1, x, floor + self.text * 0.45))
                continue
            if least > 0:
                forced.add_outlines(segment(x, floor, x, self.y_at(min(least, risk))))
            if risk > least:
                needless.add_outlines(segment(x, self.y_at(least), x, self.y_at(risk)))
            heads += self._act_sign(x, self.y_at(risk), mistake=mistake, blew=blew)
        pen = max(2.0, self.text / 5)
        guess, mistake_ink = self._mark_colour(Mark.GUESS), self._mark_colour(Mark.MISTAKE)
        return [
            Shape(ticks, self.survival_colour, 1.0, "butt"),
            Shape(forced, guess, pen, "butt"),
            Shape(needless, mistake_ink, pen, "butt"),
            *heads,
        ]

    def _act_sign(self, x: float, y: float, *, mistake: bool, blew: bool) -> list[Shape]:
        if blew:
            size = round(self.text * 1.7)
            body = Box(0, 0, size, size)
            shapes = cell_symbols.hit_mine(self.theme, body, size)
            return [
                _moved_shape(shape, round(x - size / 2), round(y - size / 2)) for shape in shapes
            ]
        return self._alarm(x, y) if mistake else self._die(x, y)

    # Signs

    def _mark_colour(self, mark: Mark) -> RGB:
        theme = self.theme
        return theme.guess if mark is Mark.GUESS else theme.mistake

    def _die(self, x: float, y: float) -> list[Shape]:
        size = max(9, round(self.text * 0.95))
        half = size / 2 + 1
        ground = rounded_rectangle(x - half, y - half, x + half, y + half, half * 0.4)
        halo = Shape(ground, self.theme.mark_halo)
        return [
            halo,
            *signs.die_showing_five(
                x, y, size, self._mark_colour(Mark.GUESS), self.theme.mark_halo
            ),
        ]

    def _alarm(self, x: float, y: float) -> list[Shape]:
        radius = max(5.0, self.text * 0.55)
        return [
            Shape(circle(x, y, radius + 1), self.theme.mark_halo),
            Shape(circle(x, y, radius), self._mark_colour(Mark.MISTAKE)),
            *signs.exclamation_mark(x, y, radius * 1.3, self.theme.mark_halo),
        ]

    # Numbers

    def _text_width(self, text: str) -> int:
        return sum(self._letter_advance(sign) for sign in text)

    def _letter_advance(self, sign: str) -> int:
        wide, gap = round(self.text * 0.62), max(1, round(self.text * 0.14))
        return round(wide * {".": 0.4, "%": 1.35}.get(sign, 1.0)) + gap

    def _text_shapes(self, text: str, left: float, middle: float) -> list[Shape]:
        """Return text of digits and . % <, starting at x = `left` and centred on y = `middle`."""
        ink, high = self.theme.panel_text, self.text
        top, x = round(middle - high / 2), round(left)
        pen = max(1.0, round(high * 0.31) / 2)
        shapes: list[Shape] = []
        for sign in text:
            wide = self._letter_advance(sign) - max(1, round(high * 0.14))
            box = Box(x, top, x + wide, top + high)
            if sign.isdigit():
                shapes += number_glyphs.numeral(sign, box, high, ink)
            else:
                shapes += _SIGNS[sign](box, pen, ink)
            x += self._letter_advance(sign)
        return shapes


def _decimal_point(box: Box, pen: float, ink: RGB) -> list[Shape]:
    return [Shape(circle(box.centre[0], box.bottom - pen * 0.7, pen * 0.7), ink)]


def _percent_sign(box: Box, pen: float, ink: RGB) -> list[Shape]:
    pen *= 0.8
    left, top, right, bottom = box.inset(pen / 2)
    radius = min(box.width * 0.21, box.height * 0.2)
    return [
        Shape(circle(left + radius, top + radius, radius), ink, pen),
        Shape(circle(right - radius, bottom - radius, radius), ink, pen),
        Shape(segment(left + radius * 0.6, bottom, right - radius * 0.6, top), ink, pen),
    ]


def _less_than_sign(box: Box, pen: float, ink: RGB) -> list[Shape]:
    left, top, right, bottom = box.inset(pen / 2)
    middle = (top + bottom) / 2
    reach = box.height * 0.3
    corner = polyline(((right, middle - reach), (left, middle), (right, middle + reach)))
    return [Shape(corner, ink, pen)]


_SIGNS: Final = {".": _decimal_point, "%": _percent_sign, "<": _less_than_sign}


def _format_percent(chance: float) -> str:
    """Format a probability in whole percent; only certainties are 0% and 100%."""
    if chance in {0.0, 1.0}:
        return f"{chance:.0%}"
    return "<1%" if chance < 0.005 else f"{min(round(chance * 100), 99)}%"


def _survival_curve(
    times: NDArray[np.int64], risks: NDArray[np.float64]
) -> list[tuple[float, float]]:
    """Return the points (ms, probability) where the survival curve falls, after a first at 1."""
    chances = np.cumprod(1 - risks)
    risky = np.flatnonzero(risks > 0)
    points = [(float(times[at]), float(chances[at])) for at in risky]
    return [(0.0, 1.0), *points]


def _dashed_line(start: tuple[float, float], end: tuple[float, float], dash: float) -> Path:
    path, (x, y) = Path(), start
    while x < end[0]:
        path.add_outlines(segment(x, y, min(x + dash, end[0]), y))
        x += dash * 1.8
    return path


def _readable_colour(colour: RGB, ground: RGB) -> RGB:
    """Return a colour, mixed with as little black or white as gives it contrast with a ground."""
    towards: RGB = max(((0, 0, 0), (255, 255, 255)), key=lambda end: contrast(end, ground))
    shares = np.linspace(0, 1, 11).tolist()
    tones = (mix(colour, towards, share) for share in shares)
    return next((tone for tone in tones if contrast(tone, ground) >= 3), towards)


def _moved_shape(shape: Shape, x: float, y: float) -> Shape:
    return shape._replace(path=shape.path.moved(x, y))
