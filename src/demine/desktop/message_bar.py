"""The message bar below the board: hints, and trouble too long for the status line."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QWidget

from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.scene.colours import mix
from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from demine.desktop.controller import QtController
    from demine.scene.key_bindings import KeyMap
    from demine.scene.themes import Theme

_SIDE: Final = 8
"""Margin left and right of the text, in logical pixels."""
_GAP: Final = 4
_LETTERS: Final = 160
"""Length of an expected text: the bar opens with room for it, and grows for a longer one."""
_LEAST, _MOST = 2, 4
"""How many rows the bar opens with, at least and at most."""


class MessageBar(QWidget):
    """Shows the text of hints, and trouble that does not fit into the status line.

    It opens when there is a text, and stays open, so that the window keeps its size, until the
    player closes it or begins another game.
    """

    text_changed = Signal(str)
    copy_requested = Signal()
    """The player wants to copy the result of a daily board."""
    height_requested = Signal(int)
    """The height that the bar needs, in logical pixels; 0 hides it."""

    def __init__(
        self,
        controller: QtController,
        theme: Theme,
        keys: KeyMap,
        overflowing_trouble: Callable[[], str] = str,
    ) -> None:
        super().__init__()
        self._controller = controller
        self._overflowing_trouble = overflowing_trouble
        """Returns the trouble that does not fit elsewhere, or an empty text."""
        self._theme = theme
        self._text = ""
        self._footer = ""
        self._is_before_game = False
        """Whether the text was set before the game began."""
        self._shows_trouble = False
        """Whether the text is trouble."""
        self.keys = keys
        self._close_button = CloseButton(self)
        self._close_button.clicked.connect(self.dismiss)
        self.copy = QPushButton(self)
        self.copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.copy.clicked.connect(self.copy_requested)
        self.copy.hide()
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()
        controller.words_changed.connect(self.refresh)
        self.apply_theme(theme)

    @property
    def text(self) -> str:
        """The text that is shown."""
        return self._text

    @property
    def footer(self) -> str:
        """The useful keys, in small type below the text."""
        return self._footer

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, to_qcolor(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, to_qcolor(theme.panel_text))
        self.setPalette(palette)

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        self._close_button.retranslate_ui()
        self.refresh()

    def refresh(self) -> None:
        """Update the text from the hints, and request more height if it needs some."""
        text, begun = self._current_text(), self._controller.session.game.begun
        if text:
            self._is_before_game, self._shows_trouble = not begun, not self._controller.hints.text
        elif self._shows_trouble or (self._is_before_game and begun):
            # It showed trouble, how to begin, or that a board was laid: nobody needs that any more.
            self._is_before_game = self._shows_trouble = False
            self.hide_if_empty()
        self._show_copy_button(shown=bool(text) and self._has_result)
        foot = "" if self.isHidden() and not text else self._helpful_keys()
        if (text, foot) == (self._text, self._footer):
            return
        news, self._text, self._footer = text != self._text, text, foot
        self.setAccessibleName(text)
        self.setToolTip(plain_tool_tip(text))
        self._request_height()
        self.update()
        if news:
            self.text_changed.emit(text)

    @property
    def _has_result(self) -> bool:
        """Whether a daily board is over, so that its result can be copied."""
        session = self._controller.session
        return session.daily is not None and session.game.status.over

    def _current_text(self) -> str:
        """Return the text of hints, else trouble, else an empty text."""
        return self._controller.hints.text or self._overflowing_trouble()

    def _show_copy_button(self, *, shown: bool) -> None:
        if shown:
            self.copy.setText(tr("Copy result"))
            self._place_copy_button()
        self.copy.setVisible(shown)

    def _place_copy_button(self) -> None:
        """Put the button into the lower right corner."""
        size = self.copy.sizeHint()
        x, y = self.width() - size.width() - _SIDE, self.height() - size.height() - 2
        self.copy.setGeometry(x, y, size.width(), size.height())

    def dismiss(self) -> None:
        """Dismiss hints and trouble, and request to be hidden."""
        self._controller.dismiss_hints()
        self._controller.dismiss_trouble()
        self._text = self._footer = ""
        if not self.isHidden():
            self.height_requested.emit(0)

    def hide_if_empty(self) -> None:
        """Request to be hidden if there is no text any more."""
        if not (self.isHidden() or self._current_text()):
            self._text = self._footer = ""
            self.height_requested.emit(0)

    def _helpful_keys(self) -> str:
        """Return the keys that are useful now, with what they do."""
        if self._shows_trouble:
            named = [(Command.CANCEL, tr("close"))]
        elif self._has_result:
            named = [
                (Command.RESULT, tr("copies the result")),
                (Command.DAILY, tr("streaks and days")),
                (Command.CANCEL, tr("close")),
            ]
        elif self._controller.hints.is_showing_proof:
            named = [(Command.ACT, tr("next step")), (Command.CANCEL, tr("stop"))]
        else:
            named = [
                (Command.HINT, tr("hint")),
                (Command.CHANCES, tr("risks")),
                (Command.CANCEL, tr("close")),
            ]
        keyed = ((self.keys.keys(command), what) for command, what in named)
        said = [f"{key_label(keys[0])} {what}" for keys, what in keyed if keys]
        if self._controller.hints.is_showing_proof:
            said.append(tr("goes on by itself"))
        return " · ".join(said)

    # Height

    def _request_height(self) -> None:
        if not self._text:
            return
        high = 0 if self.isHidden() else self.height()
        needed = self.height_for(self._text, self._available_width())
        if needed > high:
            self.height_requested.emit(max(needed, self._opening_height()))

    def _available_width(self) -> int:
        parent = self.parentWidget()
        return self.width() if parent is None else parent.width()

    def _opening_height(self) -> int:
        """Return the height that the bar opens with."""
        metrics = QFontMetrics(self.font())
        room = max(1, self._text_width(self._available_width()))
        rows = ceil(metrics.horizontalAdvance("n" * _LETTERS) / room)
        return self._with_footer(metrics.height() * min(max(rows, _LEAST), _MOST))

    def height_for(self, text: str, width: int) -> int:
        """Return the height that a text needs in a bar of a width, in logical pixels."""
        metrics = QFontMetrics(self.font())
        room = QRect(0, 0, max(1, self._text_width(width)), 100_000)
        return self._with_footer(metrics.boundingRect(room, _FLAGS, text).height())

    def _with_footer(self, high: int) -> int:
        return high + 3 * _GAP + QFontMetrics(self._small_font()).height()

    def _text_width(self, wide: int) -> int:
        return wide - 3 * _SIDE - self._close_button.sizeHint().width()

    def _small_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.8))
        if font.pointSizeF() <= 0 or self.font().pointSizeF() <= 0:
            font.setPixelSize(max(9, round(self.font().pixelSize() * 0.8)))
        return font

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the buttons in their corners; request more height if the text wraps differently."""
        self._place_copy_button()
        size = self._close_button.sizeHint()
        self._close_button.setGeometry(
            self.width() - size.width() - 2, 2, size.width(), size.height()
        )
        if event.size().width() != event.oldSize().width():
            self._request_height()

    # Paint and mouse

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and the keys below it."""
        del event
        painter = QPainter(self)
        ink = self._theme.panel_text
        painter.setPen(to_qcolor(mix(self._theme.panel, ink, 0.3)))
        painter.drawLine(0, 0, self.width(), 0)
        painter.setPen(to_qcolor(ink))
        room = QRect(_SIDE, _GAP, self._text_width(self.width()), self.height())
        painter.drawText(room, _FLAGS, self._text)
        painter.setFont(self._small_font())
        painter.setPen(to_qcolor(mix(self._theme.panel, ink, 0.75)))
        taken = 0 if self.copy.isHidden() else self.copy.width() + _SIDE
        foot = self.rect().adjusted(_SIDE, 0, -_SIDE - taken, -_GAP)
        keys = painter.fontMetrics().elidedText(
            self._footer, Qt.TextElideMode.ElideRight, foot.width()
        )
        painter.drawText(foot, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom),
                         keys)  # fmt: skip
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the next step of a proof."""
        del event
        if self._controller.hints.is_showing_proof:
            self._controller.show_next_proof_step()


_FLAGS: Final = int(
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
)


class CloseButton(QAbstractButton):
    """The cross that closes the bar."""

    def __init__(self, parent: QWidget) -> None:
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
