"""The seek bar of a replay: the time in the game, its acts, guesses and mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy

from demine.desktop.colour_scheme import to_qcolor
from demine.scene.colours import mix
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QWheelEvent

    from demine.scene.themes import Theme

_STEP_MS: Final = 1000
_GROOVE: Final = 6
_KNOB: Final = 8


class SeekBar(QAbstractSlider):
    """A slider over the milliseconds of a game; the wheel moves it by a second.

    Ticks mark acts; guesses are marked above the groove and mistakes below it.
    """

    seek_requested = Signal(int)
    """The user chose a time, in milliseconds."""

    def __init__(self, start: int, end: int, ticks: Sequence[int], theme: Theme) -> None:
        super().__init__()
        self._theme, self._ticks = theme, ticks
        self._guesses: Sequence[int] = ()
        self._mistakes: Sequence[int] = ()
        self._wheel = 0
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(start, max(end, start + 1))
        self.setSingleStep(_STEP_MS)
        self.setPageStep(10 * _STEP_MS)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Set the name in the current language."""
        self.setAccessibleName(tr("Time in the game"))
        self.setToolTip(tr("Drag, click or scroll to go to a time"))

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme
        self.update()

    def set_judged_times(self, guess_ms: Sequence[int], mistake_ms: Sequence[int]) -> None:
        """Mark the times of guesses and of mistakes, in milliseconds."""
        self._guesses, self._mistakes = guess_ms, mistake_ms
        self.update()

    def set_time(self, ms: float) -> None:
        """Move the knob to a time."""
        self.setValue(round(ms))

    def sizeHint(self) -> QSize:
        """Return the height of a line of text."""
        return QSize(240, max(26, self.fontMetrics().height() + 8))

    def sliderChange(self, change: QAbstractSlider.SliderChange) -> None:
        """Repaint the bar."""
        super().sliderChange(change)
        self.update()

    def _x(self, ms: int) -> float:
        room = self.width() - 2 * _KNOB
        span = self.maximum() - self.minimum()
        return _KNOB + room * (ms - self.minimum()) / span

    def _ms(self, x: float) -> int:
        room = max(1, self.width() - 2 * _KNOB)
        share = min(max((x - _KNOB) / room, 0.0), 1.0)
        return round(self.minimum() + share * (self.maximum() - self.minimum()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the groove, the time that has passed, the marks and the knob."""
        del event
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, here = self.height() / 2, self._x(self.value())
        groove = QRectF(_KNOB, middle - _GROOVE / 2, self.width() - 2 * _KNOB, _GROOVE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(to_qcolor(mix(theme.panel, theme.panel_text, 0.25)))
        painter.drawRoundedRect(groove, _GROOVE / 2, _GROOVE / 2)
        painter.setBrush(to_qcolor(theme.cursor))
        passed = QRectF(groove.x(), groove.y(), max(0.0, here - _KNOB), groove.height())
        painter.drawRoundedRect(passed, _GROOVE / 2, _GROOVE / 2)
        self._paint_ticks(painter, middle)
        ring = 2.5 if self.hasFocus() else 1.5
        painter.setPen(QPen(to_qcolor(theme.panel_text), ring))
        painter.setBrush(to_qcolor(theme.cursor))
        painter.drawEllipse(QPointF(here, middle), _KNOB - 1, _KNOB - 1)
        painter.end()

    def _paint_ticks(self, painter: QPainter, middle: float) -> None:
        painter.setPen(QPen(to_qcolor(mix(self._theme.panel, self._theme.panel_text, 0.6)), 1))
        # Acts on the same pixel share a tick.
        for left in {round(self._x(ms)) for ms in self._ticks}:
            painter.drawLine(QPointF(left + 0.5, middle + 5), QPointF(left + 0.5, middle + 8))
        painter.setPen(Qt.PenStyle.NoPen)
        for times, ink, side in (
            (self._guesses, self._theme.guess, -1),
            (self._mistakes, self._theme.mistake, 1),
        ):
            painter.setBrush(to_qcolor(ink))
            for ms in times:
                x, y = self._x(ms), middle + side * 4
                away = y + side * 7
                painter.drawPolygon([QPointF(x, y), QPointF(x - 4, away), QPointF(x + 4, away)])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the time under the pointer."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._seek(self._ms(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go to the time under the pointer while the button is held."""
        if self.isSliderDown():
            self._seek(self._ms(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stop dragging."""
        del event
        self.setSliderDown(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Go a second per notch, ten with Shift."""
        angle = event.angleDelta()
        self._wheel += angle.y() or angle.x()
        notches = int(self._wheel / 120)
        self._wheel -= notches * 120
        far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if notches:
            self._seek(self.value() + notches * _STEP_MS * (10 if far else 1))
        event.accept()

    def _seek(self, ms: int) -> None:
        self.seek_requested.emit(min(max(ms, self.minimum()), self.maximum()))
