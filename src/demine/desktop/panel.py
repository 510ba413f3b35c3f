"""The panel above the board: mines left, the face, the time, and the status line."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from demine.desktop.board.qt_board_painting import (
    focus_ring_image,
    led_image,
    restart_button_image,
    use_device_pixels,
)
from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.picture import seven_segment
from demine.scene.face_mood import FaceMood
from demine.scene.led_text import led_text
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QImage, QPaintEvent

    from demine.desktop.controller import QtController
    from demine.scene.panel import Panel
    from demine.scene.themes import Theme

    DrawLamps = Callable[[str, Theme, int], QImage]
    DrawButton = Callable[[FaceMood, Theme, int, bool], QImage]

MOODS: Final = {
    FaceMood.IDLE: mark("smiling"),
    FaceMood.PRESSED: mark("pressed"),
    FaceMood.WORRIED: mark("worried"),
    FaceMood.WON: mark("won"),
    FaceMood.LOST: mark("lost"),
}
"""What the face shows, for screen readers: message ids."""
_SMALL: Final = 0.8
"""The factor for the font of a text that does not fit into its line."""
CENTRE: Final = 0x0084
WRAP: Final = 0x1000
"""Qt's flags as numbers: the panel is painted before Qt's enumerations are built."""


class NumberDisplay(QWidget):
    """A number in seven-segment digits or plain type, with a name for screen readers."""

    def __init__(self, name: str, theme: Theme, draw: DrawLamps = led_image) -> None:
        super().__init__()
        self._name = name
        self._draw = draw
        self._value = 0
        self._digits = 3
        self.theme = theme
        self.plain = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_value(self, value: int, largest_expected: int) -> None:
        """Show a number, with enough digits for the largest one expected."""
        digits = max(3, len(str(value)), len(str(largest_expected)))
        if digits != self._digits:
            self._digits = digits
            self.updateGeometry()
        if value != self._value:
            self._value = value
            self.retranslate_ui()
            self.update()

    def retranslate_ui(self) -> None:
        """Set name and value in the current language."""
        # Screen readers read only the name of a widget without a role of its own.
        self.setAccessibleName(f"{tr(self._name)}: {self._value}")
        self.setToolTip(tr(self._name))

    def sizeHint(self) -> QSize:
        """Return room for three digits or more."""
        height, ratio = panel_display_height(self), self.devicePixelRatioF()
        return QSize(
            ceil(self._digits * seven_segment.digit_width(round(height * ratio)) / ratio), height
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the number."""
        del event
        painter = QPainter(self)
        if self.plain:
            font = QFont(self.font())
            font.setPixelSize(self.height() * 3 // 4)
            painter.setFont(font)
            painter.drawText(self.rect(), CENTRE, str(self._value))
        else:
            ratio = self.devicePixelRatioF()
            text, high = led_text(self._value, self._digits), round(self.height() * ratio)
            use_device_pixels(painter, ratio)
            painter.drawImage(0, 0, self._draw(text, self.theme, high))
        painter.end()


class FaceButton(QAbstractButton):
    """A button with the face of the game."""

    def __init__(self, theme: Theme, draw: DrawButton = restart_button_image) -> None:
        super().__init__()
        self.theme = theme
        self._draw = draw
        self._mood = FaceMood.IDLE
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_mood(self, mood: FaceMood) -> None:
        """Show the face of a mood."""
        if mood is not self._mood:
            self._mood = mood
            self.setAccessibleDescription(tr(MOODS[mood]))
            self.update()

    def retranslate_ui(self) -> None:
        """Set name and mood in the current language."""
        self.setAccessibleName(tr("New game"))
        self.setAccessibleDescription(tr(MOODS[self._mood]))
        self.setToolTip(tr("New game"))

    def sizeHint(self) -> QSize:
        """Return a square, a little higher than the digits."""
        height = panel_display_height(self) * 9 // 8
        return QSize(height, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, with a ring when it has the keyboard focus."""
        del event
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        size = round(self.height() * ratio)
        mood = FaceMood.PRESSED if self.isDown() else self._mood
        use_device_pixels(painter, ratio)
        painter.drawImage(0, 0, self._draw(mood, self.theme, size, self.isDown()))
        if self.hasFocus():
            painter.drawImage(0, 0, focus_ring_image(self.theme, size))
        painter.end()


class RestartButton(FaceButton):
    """A face button that Tab reaches."""

    def __init__(self, theme: Theme) -> None:
        from PySide6.QtCore import Qt

        super().__init__(theme)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class StatusLine(QWidget):
    """A line of text of fixed height: long texts are written smaller, on two rows."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """The text that is shown, whole even if it is elided on the screen."""
        return self._text

    def set_text_if_new(self, text: str) -> bool:
        """Show a text; return whether it differs from the one before."""
        if text == self._text:
            return False
        self._text = text
        self.setAccessibleName(text)
        self.setToolTip(plain_tool_tip(text))
        self.update()
        return True

    def sizeHint(self) -> QSize:
        """Return the height of two rows in small type."""
        return QSize(200, 2 * QFontMetrics(self._small_font()).height())

    def _small_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * _SMALL))
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text in the middle."""
        del event
        # The pen is the palette's already; to set one, PySide would build all of Qt's enumerations.
        painter = QPainter(self)
        flags = CENTRE
        if QFontMetrics(self.font()).horizontalAdvance(self._text) > self.width():
            painter.setFont(self._small_font())
            flags |= WRAP
        painter.drawText(self.rect(), flags, self._elided(painter.fontMetrics(), flags))
        painter.end()

    def _elided(self, metrics: QFontMetrics, flags: int) -> str:
        """Return the text, cut with an ellipsis if it is too long for two rows."""
        text = self._text
        room = QRect(0, 0, self.width(), 10_000)
        # The height of each row is rounded up, which the height of the line leaves out.
        most = self.height() + 2
        if metrics.boundingRect(room, flags, text).height() <= most:
            return text
        while text and metrics.boundingRect(room, flags, text + "…").height() > most:
            text = text[:-1]
        return text + "…"


class PanelWidget(QWidget):
    """The parts of a panel and their layout, without a game."""

    def __init__(self, theme: Theme, face: FaceButton, draw: DrawLamps = led_image) -> None:
        super().__init__()
        self.mines = NumberDisplay(mark("Mines left"), theme, draw)
        self.time = NumberDisplay(mark("Seconds"), theme, draw)
        self.face = face
        self.line = StatusLine()
        self.setAutoFillBackground(True)
        self._lay_out()
        self.apply_theme(theme, digit_style="led")

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

    def apply_theme(self, theme: Theme, digit_style: str) -> None:
        """Apply a theme and a digit style, `led` or `plain`."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, to_qcolor(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, to_qcolor(theme.panel_text))
        self.setPalette(palette)
        self.line.setPalette(palette)
        for part in (self.mines, self.time):
            part.theme, part.plain = theme, digit_style == "plain"
            part.update()
        self.face.theme = theme
        self.face.update()

    def retranslate_ui(self) -> None:
        """Set the names in the current language."""
        for part in (self.mines, self.time, self.face):
            part.retranslate_ui()


class GamePanel(PanelWidget):
    """The panel of the game that a controller plays."""

    line_changed = Signal(str)
    """The status line has another text."""

    def __init__(self, controller: QtController, theme: Theme) -> None:
        super().__init__(theme, RestartButton(theme))
        self._controller = controller
        self._shown: Panel | None = None
        self.face.clicked.connect(controller.begin_new_game)
        self.face.pressed.connect(self.refresh)
        self.face.released.connect(self.refresh)
        controller.panel_changed.connect(self.refresh)
        controller.words_changed.connect(self.refresh_status_line)
        self.retranslate_ui()

    def refresh(self) -> None:
        """Show the current mines left, time and face."""
        shown = self._controller.panel()
        if shown != self._shown:
            self._shown = shown
            self.mines.show_value(shown.mines_left, self._controller.session.game.rules.mines)
            self.time.show_value(shown.seconds, 0)
            self.face.show_mood(shown.mood)

    def refresh_status_line(self) -> None:
        """Show the current text of the status line."""
        if self.line.set_text_if_new(self._controller.status_text()):
            self.line_changed.emit(self.line.text)

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        super().retranslate_ui()
        self.refresh()
        self.refresh_status_line()


def panel_display_height(widget: QWidget) -> int:
    """Return the height of the panel's number displays in logical pixels; it follows the font."""
    return max(28, widget.fontMetrics().height() * 2)
