"""The transport bar of a replay: step, play and pause, jumps, speed, and the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from demine.desktop.colour_scheme import to_qcolor
from demine.scene.colours import mix
from demine.scene.playback import SPEEDS
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from demine.scene.themes import Theme

# Icons in a square of 24: bars as (left, width), triangles as (tip, base).
_SIGNS: Final = {
    "start": ((("bar", 5, 3), ("tri", 9, 19)), mark("To the start"), "Home"),
    "back": ((("tri", 6, 13), ("tri", 12, 19)), mark("Back one move"), "←"),
    "play": ((("tri", 20, 6),), mark("Play"), mark("Space")),
    "pause": ((("bar", 6, 4), ("bar", 14, 4)), mark("Pause"), mark("Space")),
    "forth": ((("tri", 12, 5), ("tri", 18, 11)), mark("Forward one move"), "→"),
    "end": ((("tri", 15, 5), ("bar", 16, 3)), mark("To the end"), "End"),
}
"""The icon, the name and the key of each button."""


class IconButton(QAbstractButton):
    """A round button with a drawn icon in the colours of the panel."""

    def __init__(self, sign: str, theme: Theme) -> None:
        super().__init__()
        self._sign, self._theme = sign, theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.retranslate_ui()

    def set_icon_name(self, name: str) -> None:
        """Show another icon, with its name and key."""
        if name != self._sign:
            self._sign = name
            self.retranslate_ui()
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme
        self.update()

    def retranslate_ui(self) -> None:
        """Set the name in the current language."""
        _, name, key = _SIGNS[self._sign]
        self.setAccessibleName(tr(name))
        self.setToolTip(f"{tr(name)} ({tr(key)})")

    def sizeHint(self) -> QSize:
        """Return a square that grows with the font."""
        side = max(32, round(self.fontMetrics().height() * 2))
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icon, on a disc under the pointer and with the keyboard focus."""
        del event
        theme, side = self._theme, float(min(self.width(), self.height()))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isDown() or self.underMouse() or self.hasFocus():
            painter.setBrush(
                to_qcolor(mix(theme.panel, theme.panel_text, 0.3 if self.isDown() else 0.15))
            )
            if self.hasFocus():
                painter.setPen(to_qcolor(theme.cursor))
            painter.drawEllipse(QRectF(1, 1, side - 2, side - 2))
            painter.setPen(Qt.PenStyle.NoPen)
        painter.scale(side / 24, side / 24)
        painter.translate(12, 12)
        painter.scale(0.72, 0.72)
        painter.translate(-12, -12)
        painter.setBrush(to_qcolor(theme.panel_text))
        for kind, first, second in _SIGNS[self._sign][0]:
            if kind == "bar":
                painter.drawRoundedRect(QRectF(first, 5, second, 14), 1, 1)
            else:
                painter.drawPolygon(
                    QPolygonF([QPointF(first, 12), QPointF(second, 5), QPointF(second, 19)])
                )
        painter.end()


class TransportBar(QWidget):
    """The row of playback controls; their signals say what the user wants."""

    pressed = Signal(str)
    """One of `start`, `back`, `play`, `forth`, `end`, `guess`, `mistake`."""
    speed_chosen = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.signs = {
            name: IconButton(name, theme) for name in ("start", "back", "play", "forth", "end")
        }
        self.guess, self.mistake = QToolButton(), QToolButton()
        self.speed, self.time = QComboBox(), QLabel()
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}×", speed)
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 4)
        row.setSpacing(4)
        for name, button in self.signs.items():
            button.clicked.connect(lambda _on=False, name=name: self.pressed.emit(name))
            row.addWidget(button)
        row.addSpacing(6)
        row.addWidget(self.time)
        row.addStretch(1)
        for name, jump in (("guess", self.guess), ("mistake", self.mistake)):
            jump.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            jump.setAutoRaise(True)
            jump.clicked.connect(lambda _on=False, name=name: self.pressed.emit(name))
            row.addWidget(jump)
        row.addWidget(self.speed)
        self.speed.activated.connect(lambda at: self.speed_chosen.emit(SPEEDS[at]))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        for sign in self.signs.values():
            sign.retranslate_ui()
        self.guess.setText(tr("Guess"))
        self.guess.setToolTip(tr("To the next guess ({key})", key="G"))
        self.mistake.setText(tr("Mistake"))
        self.mistake.setToolTip(tr("To the next mistake ({key})", key="M"))
        for jump in (self.guess, self.mistake):
            jump.setAccessibleName(jump.toolTip())
        self.speed.setAccessibleName(tr("Speed"))
        self.speed.setToolTip(
            tr("Speed ({slower} slower, {faster} faster)", slower="[", faster="]")
        )

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        for sign in self.signs.values():
            sign.apply_theme(theme)

    def show_state(self, *, playing: bool, speed: float, time_text: str) -> None:
        """Show whether the game plays, the factor of speed, and the time as text."""
        self.signs["play"].set_icon_name("pause" if playing else "play")
        at = SPEEDS.index(speed) if speed in SPEEDS else -1
        self.speed.setPlaceholderText(f"{speed:g}×")
        if at != self.speed.currentIndex():
            self.speed.setCurrentIndex(at)
        if time_text != self.time.text():
            self.time.setText(time_text)
            self.time.setAccessibleName(tr("{time} in the game", time=time_text))
