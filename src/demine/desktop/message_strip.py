"""The strip below the board, the one place for words: it has the same height whatever it says.

So nothing that is said moves or resizes the board.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QSize, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.panel import ToolButton, name_with_key
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.play.board_message import (
    NO_MESSAGE,
    START_TIP,
    BoardMessage,
    MessageKind,
    labelled_proof_commands,
    start_tip,
)
from demine.scene.colours import mix
from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from demine.desktop.controller import QtController
    from demine.scene.key_bindings import KeyMap
    from demine.scene.themes import Theme

REVIEW: Final = "review"
"""What the button asks for that has no key: the game just played, in the player of replays."""
_SIDE: Final = 8
"""Margin left and right of the text, in logical pixels."""
_GAP: Final = 4
_BUTTON_MARGIN: Final = 9
"""Left and right of the text of a button: three of them have room below the smallest board."""
_WIDE: Final = 640
"""From this width on buttons stand beside the text, in logical pixels."""
_ROWS: Final = 3
"""How many rows of text there is room for, or of text and a row of buttons below."""
TOP_LEFT: Final = 0x0021
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
        self._span: tuple[int, int] | None = None
        """Where words begin and end, in pixels from the left; None for the whole width."""
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
        self.setAccessibleName(message.full_text)
        self.setToolTip(plain_tool_tip(message.full_text))
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, to_qcolor(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, to_qcolor(theme.panel_text))
        self.setPalette(palette)

    def place_between(self, left: int, right: int) -> None:
        """Keep words and buttons between two places, in pixels: where the header stands."""
        if (left, right) != self._span:
            self._span = left, right
            self.update()

    @property
    def _room(self) -> QRect:
        """Where words and buttons may stand."""
        room = self.rect().adjusted(_SIDE, 0, -_SIDE, 0)
        if self._span is None:
            return room
        left, right = self._span
        return room & QRect(left, 0, right - left, room.height())

    def sizeHint(self) -> QSize:
        """Return room for some rows of text."""
        return QSize(200, _ROWS * QFontMetrics(self.font()).height() + 5 * _GAP)

    @property
    def shown_text(self) -> str:
        """The text as it is painted: cut with an ellipsis if it is too long.

        Of an end the last parts are left out instead: no figure is cut in two.
        """
        metrics, room = QFontMetrics(self.font()), self._text_rect()
        end = self._message.end
        if end is None:
            return _elided(self.text, metrics, room)
        below = end.meaning[self._parts_in_headline() :]
        return _with_luck(
            (*below, *end.figures), len(below) + 1, self._message.luck, metrics, room.width()
        )

    @property
    def shown_headline(self) -> str:
        """The headline as it is painted: with what the end means, as far as that fits."""
        end = self._message.end
        meaning = () if end is None else end.meaning[: self._parts_in_headline()]
        return " · ".join((self._message.headline, *meaning))

    def _parts_in_headline(self) -> int:
        """Return how many parts of what the end means fit beside the headline."""
        end = self._message.end
        if end is None:
            return 0
        parts, room = (end.headline, *end.meaning), self._words_rect()
        fitting = _fitting(parts, QFontMetrics(self._bold_font()), room.width())
        return max(0, fitting.count(" · "))

    def _text_rect(self) -> QRect:
        """Return where the text may stand: below the headline, if there is one."""
        room = self._words_rect()
        if self._message.headline:
            room.setTop(room.top() + QFontMetrics(self._bold_font()).height())
        elif _is_higher(self.text, QFontMetrics(self.font()), room):
            room.setTop(0)  # which makes a row more
        return room

    def _words_rect(self) -> QRect:
        """Return where headline and text may stand."""
        return self._room.adjusted(0, _GAP, 0, 0)

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
        if self._message.headline:
            self._paint_headline(painter)
        room, text = self._text_rect(), self.shown_text
        painter.drawText(room, TOP_LEFT_WRAPPED, text)
        if self._footer:
            bounds = painter.boundingRect(room, TOP_LEFT_WRAPPED, text)
            self._paint_footer(painter, room_below=self.height() - bounds.bottom())
        painter.end()

    def _paint_headline(self, painter: QPainter) -> None:
        won = self._message.kind is MessageKind.WON
        painter.save()
        painter.setFont(self._bold_font())
        painter.setPen(to_qcolor(self._theme.won_text if won else self._theme.lost_text))
        painter.drawText(self._words_rect(), TOP_LEFT, self.shown_headline)
        painter.restore()

    def _bold_font(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def _paint_footer(self, painter: QPainter, room_below: int) -> None:
        # Qt's enumerations are built when the first is used; the first frame has no footer.
        from PySide6.QtCore import Qt

        painter.setFont(self._small_font())
        if painter.fontMetrics().height() + _GAP > room_below:
            return
        painter.setPen(to_qcolor(mix(self._theme.panel, self._theme.panel_text, 0.75)))
        words = self._words_rect()
        room = QRect(words.x(), 0, words.width(), self.height() - _GAP)
        keys = painter.fontMetrics().elidedText(
            self._footer, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, BOTTOM_LEFT, keys)


class GameMessageStrip(MessageStrip):
    """The strip of the game that a controller plays: its message and what can be done about it."""

    text_changed = Signal(str)
    command_triggered = Signal(object)
    """A button was pressed; with the `Command`, or `REVIEW`."""

    def __init__(self, controller: QtController, theme: Theme, keys: KeyMap) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QPushButton

        super().__init__(theme)
        self._controller = controller
        self.keys = keys
        self._tip_keys: KeyMap | None = None
        """The keys that the tip names; None for a tip in another language."""
        self.close_button = CloseButton(self)
        self.close_button.clicked.connect(self.dismiss)
        self.close_button.hide()
        self.buttons = tuple(QPushButton(self) for _ in range(3))
        """Same board, review and share at the end of a game; the header begins a new one."""
        self._play_button = ToolButton("resume", theme)
        self.proof_buttons = ToolButton("back", theme), ToolButton("next", theme), self._play_button
        """The way through a proof: back, next, and play or pause."""
        self._offers: tuple[tuple[Command | str, str], ...] = ()
        """What each shown button asks for, and its name; nothing while they are hidden."""
        self._offering: tuple[QAbstractButton, ...] = self.buttons
        """The buttons of which some are shown, or all were last."""
        for buttons in (self.buttons, self.proof_buttons):
            for place, button in enumerate(buttons):
                button.setParent(self)
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
                button.hide()
                button.clicked.connect(partial(self._press_button, place))
        self.hint_is_out_of_sight: Callable[[], bool] = bool
        """Whether the board shows another part than that of the hint."""
        controller.words_changed.connect(self.refresh)
        self.refresh()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme, to the buttons too."""
        super().apply_theme(theme)
        for button in self.proof_buttons:
            button.theme = theme

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        self.close_button.retranslate_ui()
        self._tip_keys = None
        self.refresh()

    def refresh(self) -> None:
        """Show the current message."""
        message = self._controller.board_message()
        if message == self._message == NO_MESSAGE:
            return
        if message is START_TIP:
            if self._message.kind is MessageKind.TIP and self._tip_keys is self.keys:
                return
            self._tip_keys = self.keys
            message = start_tip(self._controller.preferences)
        offers = self._offers_with(message)
        beside = message.kind is MessageKind.HINT or self._buttons_stand_beside
        footer = self._helpful_keys(message) if not offers or beside else ""
        if (message, footer, offers) == (self._message, self._footer, self._offers):
            return
        said, news = _announcement(self._message), _announcement(message)
        luck = "" if message.luck == self._message.luck else message.luck
        self.show_message(message, footer)
        self.close_button.setVisible(message.kind in _DISMISSIBLE)
        self._show_buttons(offers)
        if news != said or luck:
            # When the luck comes later, nothing that was said is said again.
            self.text_changed.emit(luck if news == said else news)

    @property
    def _share_command(self) -> Command:
        """What sharing is: the result of a daily board, of any other its code."""
        return Command.SHARE if self._controller.session.daily is None else Command.RESULT

    def _offers_with(self, message: BoardMessage) -> tuple[tuple[Command | str, str], ...]:
        """Return what the buttons ask for with a message, each with its text; perhaps nothing."""
        hints = self._controller.hints
        if message.kind is MessageKind.HINT and hints.is_showing_proof:
            return labelled_proof_commands(playing=hints.is_playing_proof)
        if not message.headline:
            return ()
        share = self._share_command
        share_text = tr("Share") if share is Command.SHARE else tr("Copy result")
        return (
            (Command.AGAIN, tr("Same board")),
            (REVIEW, tr("Review")),
            (share, share_text),
        )

    def _show_buttons(self, offers: tuple[tuple[Command | str, str], ...]) -> None:
        hints = self._controller.hints
        self._offers = offers
        self._play_button.set_icon_name("pause" if hints.is_playing_proof else "resume")
        for button in self._offering:
            button.hide()
        self._offering = self.proof_buttons if hints.is_showing_proof else self.buttons
        for button, (command, name) in zip(self._offering, offers, strict=False):
            keys = self.keys.keys(command) if isinstance(command, Command) else ()
            key, is_icon = key_label(keys[0]) if keys else "", button in self.proof_buttons
            button.setText("" if is_icon else name)
            button.setAccessibleName(name)
            button.setToolTip(name_with_key(name, key) if is_icon else key)
            button.setVisible(True)
        self._place_buttons()

    def _press_button(self, place: int, _checked: bool = False) -> None:
        self.command_triggered.emit(self._offers[place][0])

    @property
    def _buttons_stand_beside(self) -> bool:
        """Whether the strip is wide enough for buttons beside the text instead of below it."""
        return self._room.width() >= _WIDE - 2 * _SIDE

    def _place_buttons(self) -> None:
        """Put the cross into the upper right corner, and the buttons below or beside the text."""
        cross = self.close_button.sizeHint()
        room = self._room
        right = room.x() + room.width()
        self.close_button.setGeometry(
            right + _SIDE - cross.width() - 2, 2, cross.width(), cross.height()
        )
        if self._offering is self.proof_buttons:
            self._place_square(right)
        else:
            self._place_row(room)

    def _place_square(self, right: int) -> None:
        """Put the icons of a proof and the cross into two rows at the right.

        Names beside them would leave too little room for what a step says.
        """
        high = (self.height() - 3 * _GAP // 2) // 2
        wide = high + _GAP
        left, top = right - 2 * wide - _GAP, (self.height() - 2 * high - _GAP // 2) // 2
        for place, button in enumerate((*self.proof_buttons, self.close_button)):
            row, col = divmod(place, 2)
            x, y = left + col * (wide + _GAP), top + row * (high + _GAP // 2)
            button.setGeometry(x, y, wide, high)

    def _place_row(self, room: QRect) -> None:
        high = QFontMetrics(self.font()).height() + 2 * _GAP
        beside = self._buttons_stand_beside
        y = (self.height() - high) // 2 if beside else self.height() - high - _GAP // 2
        widths = self._button_widths()
        x = room.x()
        if beside:
            x += room.width() - sum(widths) - _GAP * (len(widths) - 1)
        for button, width in zip(self.buttons, widths, strict=False):
            button.setGeometry(x, y, width, high)
            x += width + _GAP

    def _button_widths(self) -> list[int]:
        """Return the widths of the shown buttons, with less beside their texts if it is narrow."""
        texts = [
            QFontMetrics(button.font()).horizontalAdvance(button.text())
            for button in self.buttons[: len(self._offers)]
        ]
        gaps = _GAP * (len(texts) - 1)
        spare = (self._room.width() - gaps - sum(texts)) // (2 * max(1, len(texts)))
        return [text + 2 * min(_BUTTON_MARGIN, max(1, spare)) for text in texts]

    def dismiss(self) -> None:
        """Dismiss a draft, else hints and trouble."""
        if self._controller.drafting.is_on:
            self._controller.run_command(Command.CANCEL)
            return
        self._controller.dismiss_hints()
        self._controller.dismiss_trouble()

    def _helpful_keys(self, message: BoardMessage) -> str:
        """Return the keys that are useful with a message, and what they do."""
        if message.kind is MessageKind.TROUBLE:
            named = [(Command.CANCEL, tr("close"))]
        elif self._controller.drafting.is_on:
            named = list(self._controller.drafting.commands)
        elif self._controller.hints.is_showing_proof:
            names = labelled_proof_commands(playing=self._controller.hints.is_playing_proof)
            named = [*names, (Command.CANCEL, tr("Stop"))]
        elif message.kind is MessageKind.HINT:
            named = [
                (Command.HINT, tr("go there") if self.hint_is_out_of_sight() else tr("hint")),
                (Command.CHANCES, tr("risks")),
                (Command.CANCEL, tr("close")),
            ]
        else:
            return ""
        keyed = ((self.keys.keys(command), what) for command, what in named)
        return " · ".join(f"{key_label(keys[0])} {what}" for keys, what in keyed if keys)

    def _words_rect(self) -> QRect:
        room = super()._words_rect()
        if not self.close_button.isHidden():
            room.setRight(room.right() - self.close_button.width())
        if not self._offers:
            return room
        first = self._offering[0]
        if self._buttons_stand_beside or self._offering is self.proof_buttons:
            room.setRight(first.x() - _SIDE)
        else:
            room.setBottom(first.y() - 1)
        return room

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the buttons in their corners."""
        del event
        self._place_buttons()

    def place_between(self, left: int, right: int) -> None:
        """Keep words and buttons between two places."""
        super().place_between(left, right)
        self._place_buttons()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the next step of a proof; a click on the tip dismisses it for good."""
        del event
        if self._message.kind is MessageKind.TIP:
            self._controller.end_start_tip()
        if self._controller.hints.is_showing_proof:
            self.command_triggered.emit(Command.ACT)


def _announcement(message: BoardMessage) -> str:
    """Return what a screen reader says of a message: the headline only when the game ends.

    That a game is paused stands on its board, where a screen reader does not see it.
    """
    if message.kind is MessageKind.PAUSED:
        return message.text or message.further
    if message.headline and not message.further:
        return f"{message.headline} · {message.text}" if message.text else message.headline
    return message.text


_DISMISSIBLE: Final = (MessageKind.HINT, MessageKind.TROUBLE)


def _fitting(parts: Sequence[str], metrics: QFontMetrics, width: int) -> str:
    """Return as many parts, the first ones, as fit into a line of so many pixels."""
    said = ""
    for part in parts:
        longer = f"{said} · {part}" if said else part
        if said and metrics.horizontalAdvance(longer) > width:
            break
        said = longer
    return said


def _with_luck(
    parts: Sequence[str], needed: int, luck: str, metrics: QFontMetrics, width: int
) -> str:
    """Return the parts that fit into a line of so many pixels, and the luck behind them.

    Its place is kept from the start, so that nothing moves when it comes; where the `needed` parts
    would not fit beside it, it stays in the tool tip.
    """
    # The first frame does without what is needed at the end of a game.
    from demine.play.end_summary import luck_text

    kept = metrics.horizontalAdvance(" · " + luck_text(10, 0.888))
    if metrics.horizontalAdvance(" · ".join(parts[:needed])) + kept > width:
        return _fitting(parts, metrics, width)
    return " · ".join(filter(None, (_fitting(parts, metrics, width - kept), luck)))


def _elided(text: str, metrics: QFontMetrics, room: QRect) -> str:
    """Return a text, cut with an ellipsis if it does not fit, wrapped, into some room."""
    if not _is_higher(text, metrics, room):
        return text
    cut = bisect_left(
        range(len(text)), True, key=lambda n: _is_higher(f"{text[: n + 1]}…", metrics, room)
    )
    return f"{text[:cut].rstrip()}…"


def _is_higher(text: str, metrics: QFontMetrics, room: QRect) -> bool:
    """Return whether a text, wrapped, is higher than some room."""
    endless = QRect(0, 0, max(1, room.width()), 100_000)
    return metrics.boundingRect(endless, TOP_LEFT_WRAPPED, text).height() > room.height()


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
