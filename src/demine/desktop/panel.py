"""The panel above the board: mines left, the face, the time, and a line of words."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from demine.desktop.glass import image, on_pixels
from demine.desktop.scheme import colour
from demine.picture import segments
from demine.picture.board import overlay
from demine.picture.panel import led as led_picture
from demine.picture.panel import restart
from demine.scene.messages import mark, tr
from demine.scene.panel import Mood, Panel, led

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from demine.desktop.player import Player
    from demine.scene.theme import Theme

MOODS: Final = {
    Mood.IDLE: mark("smiling"),
    Mood.PRESSED: mark("pressed"),
    Mood.WORRIED: mark("worried"),
    Mood.WON: mark("won"),
    Mood.LOST: mark("lost"),
}
"""What the face tells, in words for those who do not see it."""
_SMALL: Final = 0.8
"""How much smaller a sentence is written that would not fit into its line."""


class Lamps(QWidget):
    """A number on lamps or in plain type, with a name for those who do not see it."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._name = name
        self._value = 0
        self._digits = 3
        self.theme = theme
        self.plain = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_value(self, value: int, most: int) -> None:
        """Show a number; `most` is the largest expected, so that the lamps need not grow later."""
        digits = max(3, len(str(value)), len(str(most)))
        if digits != self._digits:
            self._digits = digits
            self.updateGeometry()
        if value != self._value:
            self._value = value
            self.retranslate()
            self.update()

    def retranslate(self) -> None:
        """Say name and value in the language set."""
        # Screen readers read a widget without a role of its own by its name alone.
        self.setAccessibleName(f"{tr(self._name)}: {self._value}")
        self.setToolTip(tr(self._name))

    def sizeHint(self) -> QSize:
        """Three lamps or more, as high as the panel's unit."""
        height, ratio = unit(self), self.devicePixelRatioF()
        return QSize(ceil(self._digits * segments.width(round(height * ratio)) / ratio), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the number."""
        del event
        painter = QPainter(self)
        if self.plain:
            font = QFont(self.font())
            font.setPixelSize(self.height() * 3 // 4)
            painter.setFont(font)
            painter.setPen(colour(self.theme.panel_text))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self._value))
        else:
            ratio = self.devicePixelRatioF()
            lamps = led_picture(
                led(self._value, self._digits), self.theme, round(self.height() * ratio)
            )
            on_pixels(painter, ratio)
            painter.drawImage(0, 0, image(lamps))
        painter.end()


class Face(QAbstractButton):
    """The restart button with its face."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._mood = Mood.IDLE
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_mood(self, mood: Mood) -> None:
        """Show how the game stands."""
        if mood is not self._mood:
            self._mood = mood
            self.retranslate()
            self.update()

    def retranslate(self) -> None:
        """Say name and mood in the language set."""
        self.setAccessibleName(tr("New game"))
        self.setAccessibleDescription(tr(MOODS[self._mood]))
        self.setToolTip(tr("New game"))

    def sizeHint(self) -> QSize:
        """A square, a little higher than the lamps."""
        height = unit(self) * 9 // 8
        return QSize(height, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button, with a ring when the keyboard is on it."""
        del event
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        size = round(self.height() * ratio)
        mood = Mood.PRESSED if self.isDown() else self._mood
        on_pixels(painter, ratio)
        painter.drawImage(0, 0, image(restart(mood, self.theme, size, pressed=self.isDown())))
        if self.hasFocus():
            painter.drawImage(0, 0, image(overlay(self.theme, "cursor", size)))
        painter.end()


class Line(QWidget):
    """A line of words that keeps its height: long sentences are written smaller, on two rows."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """What stands there."""
        return self._text

    def show_text(self, text: str) -> bool:
        """Show a text; return whether it is another one."""
        if text == self._text:
            return False
        self._text = text
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.update()
        return True

    def sizeHint(self) -> QSize:
        """As high as two rows in small type."""
        return QSize(200, 2 * QFontMetrics(self._small()).height())

    def _small(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * _SMALL))
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the text in the middle."""
        del event
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        flags = Qt.AlignmentFlag.AlignCenter
        if QFontMetrics(self.font()).horizontalAdvance(self._text) > self.width():
            painter.setFont(self._small())
            flags |= Qt.TextFlag.TextWordWrap
        painter.drawText(self.rect(), int(flags), self._fitted(painter.fontMetrics(), int(flags)))
        painter.end()

    def _fitted(self, metrics: QFontMetrics, flags: int) -> str:
        """Return the text, cut with an ellipsis if two rows do not hold it; the tip has it all."""
        text = self._text
        room = QRect(0, 0, self.width(), 10_000)
        while text and metrics.boundingRect(room, flags, text + "…").height() > self.height():
            text = text[:-1]
        return self._text if text == self._text else text + "…"


class PanelBar(QWidget):
    """The panel of a player."""

    said = Signal(str)
    """The line of words says something else."""

    def __init__(self, player: Player, theme: Theme) -> None:
        super().__init__()
        self._player = player
        self._shown: Panel | None = None
        self.mines = Lamps(mark("Mines left"), theme)
        self.time = Lamps(mark("Seconds"), theme)
        self.face = Face(theme)
        self.line = Line()
        self.setAutoFillBackground(True)
        self._lay_out()
        self.face.clicked.connect(player.new)
        self.face.pressed.connect(self.refresh)
        self.face.released.connect(self.refresh)
        player.panel_changed.connect(self.refresh)
        player.hand_changed.connect(self.refresh)
        self.wear(theme, digits="led")
        self.retranslate()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.mines)
        row.addStretch(1)
        row.addWidget(self.face)
        row.addStretch(1)
        row.addWidget(self.time)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.line)

    def wear(self, theme: Theme, digits: str) -> None:
        """Take the colours of a theme and a style of digits."""
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, colour(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, colour(theme.panel_text))
        self.setPalette(palette)
        self.line.setPalette(palette)
        for lamps in (self.mines, self.time):
            lamps.theme, lamps.plain = theme, digits == "plain"
            lamps.update()
        self.face.theme = theme
        self.face.update()

    def refresh(self) -> None:
        """Show what the player's panel says now."""
        shown = self._player.panel()
        if shown != self._shown:
            self._shown = shown
            self.mines.show_value(shown.mines_left, self._player.sitting.game.rules.mines)
            self.time.show_value(shown.seconds, 0)
            self.face.show_mood(shown.mood)
        if self.line.show_text(self._player.line()):
            self.said.emit(self.line.text)

    def retranslate(self) -> None:
        """Say everything in the language set."""
        for part in (self.mines, self.time, self.face):
            part.retranslate()
        self.refresh()


def unit(widget: QWidget) -> int:
    """Return the panel's measure in Qt's pixels: it follows the font the player reads."""
    return max(28, widget.fontMetrics().height() * 2)
