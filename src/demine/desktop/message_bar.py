"""The message bar below the board: what hints say, and trouble too long for the status line."""

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
"""Room left and right of the words, in Qt's pixels."""
_GAP: Final = 4
_LETTERS: Final = 160
"""A sentence that is expected: the bar opens with room for it, and grows for a longer one."""
_LEAST, _MOST = 2, 4
"""Rows that the bar opens with."""


class MessageBar(QWidget):
    """Says what hints say, and trouble that has no room in the line of words.

    It opens when there is something to say, and then stays, so that the window keeps its size,
    until the player puts it away, or begins another game.
    """

    text_changed = Signal(str)
    copy_requested = Signal()
    """The result of a daily board is to be copied."""
    height_requested = Signal(int)
    """The bar needs so much height, in Qt's pixels; 0 hides it."""

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
        """Returns the trouble that has no room elsewhere."""
        self._theme = theme
        self._text = ""
        self._footer = ""
        self._is_before_game = False
        """Whether what it says was said before the game began."""
        self._shows_trouble = False
        """Whether it tells of trouble."""
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
        """What it says."""
        return self._text

    @property
    def footer(self) -> str:
        """Which keys help, in small type below."""
        return self._footer

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, to_qcolor(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, to_qcolor(theme.panel_text))
        self.setPalette(palette)

    def retranslate_ui(self) -> None:
        """Say everything in the language set."""
        self._close_button.retranslate_ui()
        self.refresh()

    def refresh(self) -> None:
        """Say what hints say now; ask for room where there is too little."""
        text, begun = self._current_text(), self._controller.session.game.begun
        if text:
            self._is_before_game, self._shows_trouble = not begun, not self._controller.hints.text
        elif self._shows_trouble or (self._is_before_game and begun):
            # It told of trouble, how to begin, or that a board was laid: nobody asked for more.
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
        """Whether a daily board is over, and there is something to show to others."""
        session = self._controller.session
        return session.daily is not None and session.game.status.over

    def _current_text(self) -> str:
        """Return what there is to say: what hints say, else trouble."""
        return self._controller.hints.text or self._overflowing_trouble()

    def _show_copy_button(self, *, shown: bool) -> None:
        if shown:
            self.copy.setText(tr("Copy result"))
            self._place_copy_button()
        self.copy.setVisible(shown)

    def _place_copy_button(self) -> None:
        """Give the button its place in the lower right corner."""
        size = self.copy.sizeHint()
        x, y = self.width() - size.width() - _SIDE, self.height() - size.height() - 2
        self.copy.setGeometry(x, y, size.width(), size.height())

    def dismiss(self) -> None:
        """Say no more, and give the room back."""
        self._controller.dismiss_hints()
        self._controller.dismiss_trouble()
        self._text = self._footer = ""
        if not self.isHidden():
            self.height_requested.emit(0)

    def hide_if_empty(self) -> None:
        """Give the room back if there is nothing to say any more."""
        if not (self.isHidden() or self._current_text()):
            self._text = self._footer = ""
            self.height_requested.emit(0)

    def _helpful_keys(self) -> str:
        """Return which keys help now."""
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

    # Room

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
        """How high it opens."""
        metrics = QFontMetrics(self.font())
        room = max(1, self._text_width(self._available_width()))
        rows = ceil(metrics.horizontalAdvance("n" * _LETTERS) / room)
        return self._with_footer(metrics.height() * min(max(rows, _LEAST), _MOST))

    def height_for(self, text: str, width: int) -> int:
        """Return how high the bar must be for a text, where it is so wide."""
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
        """Keep the cross in its corner; ask for room where the words wrap otherwise now."""
        self._place_copy_button()
        size = self._close_button.sizeHint()
        self._close_button.setGeometry(
            self.width() - size.width() - 2, 2, size.width(), size.height()
        )
        if event.size().width() != event.oldSize().width():
            self._request_height()

    # Paint and hand

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the words, and the keys below them."""
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
        """A click goes on with a proof."""
        del event
        if self._controller.hints.is_showing_proof:
            self._controller.show_next_proof_step()


_FLAGS: Final = int(
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
)


class CloseButton(QAbstractButton):
    """The cross that puts the bar away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Say its name in the language set."""
        self.setAccessibleName(tr("Close"))
        self.setToolTip(tr("Close"))

    def sizeHint(self) -> QSize:
        """As large as a row of words is high."""
        side = max(18, self.fontMetrics().height() + 2)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a cross, on a ground of its own under the pointer or the keyboard."""
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
