"""The strip below the board, the one place for words: it has the same height whatever it says.

So nothing that is said moves or resizes the board.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QSize, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.play.board_message import BoardMessage, MessageKind
from demine.scene.colours import mix
from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from demine.desktop.controller import QtController
    from demine.scene.key_bindings import KeyMap
    from demine.scene.themes import Theme

_SIDE: Final = 8
"""Margin left and right of the text, in logical pixels."""
_GAP: Final = 4
_ROWS: Final = 3
"""How many rows of text there is room for, or of text and a row of buttons below."""
TOP_LEFT_WRAPPED: Final = 0x1021
BOTTOM_LEFT: Final = 0x0041
"""Qt's flags as numbers: the strip is painted before Qt's enumerations are built."""


class MessageStrip(QWidget):
    """Shows a message, elided if it is too long, with the whole text as its tool tip.

    By itself it has no game: so it stands below the board of the first frame.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._message = BoardMessage()
        self._footer = ""
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        MessageStrip.apply_theme(self, theme)

    @property
    def text(self) -> str:
        """The whole text, even if it is elided on the screen."""
        return self._message.text

    @property
    def footer(self) -> str:
        """The useful keys, in small type below the text."""
        return self._footer

    def show_message(self, message: BoardMessage, footer: str = "") -> None:
        """Show a message, and below it in small type the useful keys, if there is room."""
        self._message, self._footer = message, footer
        self.setAccessibleName(message.text)
        self.setToolTip(plain_tool_tip(message.text))
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, to_qcolor(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, to_qcolor(theme.panel_text))
        self.setPalette(palette)

    def sizeHint(self) -> QSize:
        """Return room for some rows of text."""
        return QSize(200, _ROWS * QFontMetrics(self.font()).height() + 5 * _GAP)

    @property
    def shown_text(self) -> str:
        """The text as it is painted: cut with an ellipsis if it is too long."""
        return _elided(self.text, QFontMetrics(self.font()), self._text_rect())

    def _text_rect(self) -> QRect:
        """Return where the text may stand."""
        return self.rect().adjusted(_SIDE, _GAP, -_SIDE, 0)

    def _small_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.8))
        if font.pointSizeF() <= 0 or self.font().pointSizeF() <= 0:
            font.setPixelSize(max(9, round(self.font().pixelSize() * 0.8)))
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and the keys below it."""
        del event
        painter = QPainter(self)
        room, text = self._text_rect(), self.shown_text
        painter.drawText(room, TOP_LEFT_WRAPPED, text)
        if self._footer:
            bounds = painter.boundingRect(room, TOP_LEFT_WRAPPED, text)
            self._paint_footer(painter, room_below=self.height() - bounds.bottom())
        painter.end()

    def _paint_footer(self, painter: QPainter, room_below: int) -> None:
        # Qt's enumerations are built when the first is used; the first frame has no footer.
        from PySide6.QtCore import Qt

        painter.setFont(self._small_font())
        if painter.fontMetrics().height() + _GAP > room_below:
            return
        painter.setPen(to_qcolor(mix(self._theme.panel, self._theme.panel_text, 0.75)))
        room = self.rect().adjusted(_SIDE, 0, -_SIDE, -_GAP)
        keys = painter.fontMetrics().elidedText(
            self._footer, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, BOTTOM_LEFT, keys)


class GameMessageStrip(MessageStrip):
    """The strip of the game that a controller plays: its message and what can be done about it."""

    text_changed = Signal(str)
    copy_requested = Signal()
    """The player wants to copy the result of a daily board."""

    def __init__(self, controller: QtController, theme: Theme, keys: KeyMap) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QPushButton

        super().__init__(theme)
        self._controller = controller
        self.keys = keys
        self.close_button = CloseButton(self)
        self.close_button.clicked.connect(self.dismiss)
        self.close_button.hide()
        self.copy = QPushButton(self)
        self.copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.copy.clicked.connect(self.copy_requested)
        self.copy.hide()
        controller.words_changed.connect(self.refresh)
        self.refresh()

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        self.close_button.retranslate_ui()
        self.refresh()

    def refresh(self) -> None:
        """Show the current message."""
        message = self._controller.board_message()
        if not message.text and not self.text:
            return
        footer = self._helpful_keys(message)
        if (message, footer) == (self._message, self._footer):
            return
        news = message.text != self.text
        self.show_message(message, footer)
        self.close_button.setVisible(message.kind in _DISMISSIBLE)
        self._show_copy_button(shown=bool(message.text) and self._has_result)
        if news:
            self.text_changed.emit(message.text)

    @property
    def _has_result(self) -> bool:
        """Whether a daily board is over, so that its result can be copied."""
        session = self._controller.session
        return session.daily is not None and session.game.status.over

    def _show_copy_button(self, *, shown: bool) -> None:
        if shown:
            self.copy.setText(tr("Copy result"))
            self._place_buttons()
        self.copy.setVisible(shown)

    def _place_buttons(self) -> None:
        """Put the cross into the upper right corner and the buttons into the lower one."""
        cross, copy = self.close_button.sizeHint(), self.copy.sizeHint()
        self.close_button.setGeometry(
            self.width() - cross.width() - 2, 2, cross.width(), cross.height()
        )
        self.copy.setGeometry(
            self.width() - copy.width() - _SIDE,
            self.height() - copy.height() - 2,
            copy.width(),
            copy.height(),
        )

    def dismiss(self) -> None:
        """Dismiss hints and trouble."""
        self._controller.dismiss_hints()
        self._controller.dismiss_trouble()

    def _helpful_keys(self, message: BoardMessage) -> str:
        """Return the keys that are useful with a message, and what they do."""
        if message.kind is MessageKind.TROUBLE:
            named = [(Command.CANCEL, tr("close"))]
        elif self._has_result:
            named = [
                (Command.RESULT, tr("copies the result")),
                (Command.DAILY, tr("streaks and days")),
                (Command.CANCEL, tr("close")),
            ]
        elif self._controller.hints.is_showing_proof:
            named = [(Command.ACT, tr("next step")), (Command.CANCEL, tr("stop"))]
        elif message.kind is MessageKind.HINT:
            named = [
                (Command.HINT, tr("hint")),
                (Command.CHANCES, tr("risks")),
                (Command.CANCEL, tr("close")),
            ]
        else:
            return ""
        keyed = ((self.keys.keys(command), what) for command, what in named)
        said = [f"{key_label(keys[0])} {what}" for keys, what in keyed if keys]
        if self._controller.hints.is_showing_proof:
            said.append(tr("goes on by itself"))
        return " · ".join(said)

    def _text_rect(self) -> QRect:
        room = super()._text_rect()
        if not self.close_button.isHidden():
            room.setRight(room.right() - self.close_button.width())
        if not self.copy.isHidden():
            room.setBottom(self.copy.y() - 1)
        return room

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the buttons in their corners."""
        del event
        self._place_buttons()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the next step of a proof."""
        del event
        if self._controller.hints.is_showing_proof:
            self._controller.show_next_proof_step()


_DISMISSIBLE: Final = (MessageKind.HINT, MessageKind.TROUBLE)


def _elided(text: str, metrics: QFontMetrics, room: QRect) -> str:
    """Return a text, cut with an ellipsis if it does not fit, wrapped, into some room."""
    endless = QRect(0, 0, max(1, room.width()), 100_000)

    def is_too_high(part: str) -> bool:
        return metrics.boundingRect(endless, TOP_LEFT_WRAPPED, part).height() > room.height()

    if not is_too_high(text):
        return text
    cut = bisect_left(range(len(text)), True, key=lambda n: is_too_high(f"{text[: n + 1]}…"))
    return f"{text[:cut].rstrip()}…"


class CloseButton(QAbstractButton):
    """The cross that dismisses what the strip says."""

    def __init__(self, parent: QWidget) -> None:
        from PySide6.QtCore import Qt

        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Set its name in the current language."""
        self.setAccessibleName(tr("Close"))
        self.setToolTip(tr("Close"))

    def sizeHint(self) -> QSize:
        """Return a square as high as a line of text."""
        side = max(18, self.fontMetrics().height() + 2)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a cross, highlighted under the pointer and with the keyboard focus."""
        del event
        painter = QPainter(self)
        ink = self.palette().color(QPalette.ColorRole.WindowText)
        if self.underMouse() or self.hasFocus():
            ground = QColor(ink)
            ground.setAlpha(40)
            painter.fillRect(self.rect(), ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 1.5))
        inset = self.width() * 0.33
        low, high = inset, self.width() - inset
        painter.drawLine(QPointF(low, low), QPointF(high, high))
        painter.drawLine(QPointF(low, high), QPointF(high, low))
        painter.end()
