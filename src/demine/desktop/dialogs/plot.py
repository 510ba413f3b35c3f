"""Plots in the colours of a theme; their series differ in shape, not only in colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from math import ceil, floor, log10
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from demine.desktop.colour_scheme import to_qcolor

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from demine.scene.themes import Theme

Floats = NDArray[np.float64]


class Shape(Enum):
    """How a series is drawn; each series of a plot has another shape."""

    DOTS = "dots"
    STEPS = "steps"
    """A thick line that is level until the next value, with a square at each value."""
    DASHES = "dashes"
    LINE = "line"
    LEVEL = "level"
    """A thin dotted line."""


@dataclass(frozen=True, slots=True)
class Series:
    """Values `y` at ascending `x`, float64 of the same length, with a name for the legend."""

    name: str
    shape: Shape
    x: Floats
    y: Floats


@dataclass(frozen=True, slots=True)
class Chart:
    """The contents of a plot: titles, series, and the upper ends of its axes, which start at 0."""

    title: str
    x_title: str
    series: tuple[Series, ...]
    x_top: float
    y_top: float
    unit: str
    hint: Callable[[int], str]
    """Returns the tool tip at a whole number x, or an empty text."""
    x_text: Callable[[float], str] | None = None
    """Returns the label of a tick of the x axis; None for its number."""


class Plot(QWidget):
    """Shows a chart, with tool tips."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._chart: Chart | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_chart(self, chart: Chart | None) -> None:
        """Show a chart, or nothing for None."""
        self._chart = chart
        self.setAccessibleName("" if chart is None else chart.title)
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size that grows with the font."""
        line = self.fontMetrics().height()
        return QSize(36 * line, 13 * line)

    def minimumSizeHint(self) -> QSize:
        """Return the least readable size."""
        line = self.fontMetrics().height()
        return QSize(20 * line, 8 * line)

    # Geometry

    def _plot_area(self, chart: Chart) -> QRectF:
        """Return the rectangle between the axes."""
        metrics = self.fontMetrics()
        line = metrics.height()
        left = max(
            metrics.horizontalAdvance(text) for _, text in axis_ticks(chart.y_top, chart.unit)
        )
        return QRectF(
            left + line * 0.8,
            line * 2.9,
            max(self.width() - left - line * 1.8, 1.0),
            max(self.height() - line * 5.4, 1.0),
        )

    def _pixel_positions(self, chart: Chart, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        field = self._plot_area(chart)
        return (
            field.left() + x / chart.x_top * field.width(),
            field.bottom() - y / chart.y_top * field.height(),
        )

    def event(self, event: QEvent) -> bool:
        """Show the tool tip at the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._chart:
            field = self._plot_area(self._chart)
            place = (event.pos().x() - field.left()) / field.width() * self._chart.x_top
            QToolTip.showText(event.globalPos(), self._chart.hint(round(place)), self)
            return True
        return super().event(event)

    # Paint

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the chart."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), to_qcolor(self._theme.opened))
        if self._chart is not None:
            self._paint_axes(painter, self._chart)
            painter.save()
            painter.setClipRect(self._plot_area(self._chart).adjusted(-4, -4, 4, 4))
            for series in self._chart.series:
                self._paint_series(painter, self._chart, series)
            painter.restore()
            self._paint_legend(painter, self._chart)
        painter.end()

    def _paint_axes(self, painter: QPainter, chart: Chart) -> None:
        field, ink = self._plot_area(chart), to_qcolor(self._theme.mine)
        line = self.fontMetrics().height()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, text in axis_ticks(chart.y_top, chart.unit):
            y = field.bottom() - value / chart.y_top * field.height()
            painter.setPen(QPen(to_qcolor(self._theme.grid), 1))
            painter.drawLine(QLineF(field.left(), y, field.right(), y))
            painter.setPen(ink)
            painter.drawText(QRectF(0, y - line / 2, field.left() - line * 0.4, line), right, text)
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        for value, number in axis_ticks(chart.x_top, "", whole_numbers=True):
            text = number if chart.x_text is None else chart.x_text(value)
            x = field.left() + value / chart.x_top * field.width()
            painter.drawLine(QLineF(x, field.bottom(), x, field.bottom() + line * 0.25))
            half = min(self.fontMetrics().horizontalAdvance(text) / 2 + 2, self.width() / 2)
            centre = min(max(x, half), self.width() - half)  # keeps a label at the edge whole
            below = QRectF(centre - half, field.bottom() + line * 0.3, 2 * half, line)
            painter.drawText(below, middle, text)
        painter.setPen(QPen(ink, 1.2))
        painter.drawLine(QLineF(field.bottomLeft(), field.bottomRight()))
        painter.drawLine(QLineF(field.bottomLeft(), field.topLeft()))
        below = QRectF(field.left(), field.bottom() + line * 1.3, field.width(), line)
        painter.drawText(below, middle, chart.x_title)
        bold = painter.font()
        bold.setBold(True)
        painter.setFont(bold)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(line * 0.6, line * 0.25, self.width() - line, line), left,
                         chart.title)  # fmt: skip
        painter.setFont(self.font())

    def _pen(self, shape: Shape) -> QPen:
        rgb, width = {
            Shape.DOTS: (self._theme.digit_colour(1), 1.2),
            Shape.STEPS: (self._theme.digit_colour(2), 2.4),
            Shape.DASHES: (self._theme.digit_colour(3), 2.0),
            Shape.LINE: (self._theme.digit_colour(1), 2.0),
            Shape.LEVEL: (self._theme.mine, 1.2),
        }[shape]
        pen = QPen(to_qcolor(rgb), width)
        if shape is Shape.DASHES:
            pen.setStyle(Qt.PenStyle.DashLine)
        elif shape is Shape.LEVEL:
            pen.setStyle(Qt.PenStyle.DotLine)
        return pen

    def _paint_series(self, painter: QPainter, chart: Chart, series: Series) -> None:
        painter.setPen(self._pen(series.shape))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        x, y = self._pixel_positions(chart, series.x, series.y)
        if series.shape is Shape.DOTS:
            _paint_dots(painter, x, y)
        elif series.shape is Shape.STEPS:
            _paint_steps(painter, x, y, self._plot_area(chart).right())
        elif x.size:
            painter.drawPolyline(_polygon(*decimate_to_pixels(x, y)))

    def _paint_legend(self, painter: QPainter, chart: Chart) -> None:
        """Draw samples and names of the series in one line."""
        metrics, line = self.fontMetrics(), self.fontMetrics().height()
        x, y = line * 0.6, line * 1.95
        for series in chart.series:
            painter.setPen(self._pen(series.shape))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ends = np.array([x, x + line * 1.8]), np.array([y, y])
            if series.shape is Shape.DOTS:
                _paint_dots(painter, np.array([x + line * 0.9]), np.array([y]))
            elif series.shape is Shape.STEPS:
                _paint_steps(painter, ends[0][:1] + line * 0.9, ends[1][:1], x + line * 1.8)
            else:
                painter.drawPolyline(_polygon(*ends))
            painter.setPen(to_qcolor(self._theme.mine))
            wide = metrics.horizontalAdvance(series.name)
            place = QRectF(x + line * 2.2, y - line / 2, wide + 2, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, series.name)
            x += line * 3.4 + wide


def _paint_dots(painter: QPainter, x: Floats, y: Floats) -> None:
    radius = painter.fontMetrics().height() / 6
    spots = np.unique(np.round(np.stack([x, y], axis=1)), axis=0)  # a pixel shows one dot
    for left, top in spots.tolist():
        painter.drawEllipse(QPointF(left, top), radius, radius)


def _paint_steps(painter: QPainter, x: Floats, y: Floats, end: float) -> None:
    if not x.size:
        return
    corners: list[QPointF] = []
    for place, (left, top) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        if place:
            corners.append(QPointF(left, y[place - 1]))
        corners.append(QPointF(left, top))
    corners.append(QPointF(end, y[-1]))
    painter.drawPolyline(QPolygonF(corners))
    half = painter.fontMetrics().height() / 5
    for left, top in zip(x.tolist(), y.tolist(), strict=True):
        square = QRectF(left - half, top - half, 2 * half, 2 * half)
        painter.fillRect(square, painter.pen().color())


def decimate_to_pixels(x_px: Floats, y_px: Floats) -> tuple[Floats, Floats]:
    """Return a line, in pixels, that looks the same with two points per pixel column at most."""
    columns = np.floor(x_px)
    starts = np.flatnonzero(np.diff(columns, prepend=-np.inf))
    if x_px.size <= 2 * starts.size:
        return x_px, y_px
    low, high = np.minimum.reduceat(y_px, starts), np.maximum.reduceat(y_px, starts)
    return np.repeat(x_px[starts], 2), np.stack([low, high], axis=1).ravel()


def axis_ticks(
    max_value: float, unit: str, *, whole_numbers: bool = False
) -> list[tuple[float, str]]:
    """Return three to seven round values from 0 to `max_value`, with their texts."""
    raw = max_value / 5
    power = 10.0 ** floor(log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    if whole_numbers:
        step = max(step, 1.0)
    places = max(0, ceil(-log10(step) - 1e-9))
    count = int(max_value / step + 1e-9)
    return [(number * step, f"{number * step:.{places}f}{unit}") for number in range(count + 1)]


def _polygon(x: Floats, y: Floats) -> QPolygonF:
    return QPolygonF([QPointF(*spot) for spot in zip(x.tolist(), y.tolist(), strict=True)])
