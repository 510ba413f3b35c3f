"""The page of a question: the position, the answer with its proof, and how far the set is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QWidget

from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.train.drill_board import DrillBoard
from demine.desktop.widget_builders import hbox, vbox
from demine.scene.translation import explain, mark, tr

if TYPE_CHECKING:
    from demine.desktop.retranslator import Retranslator
    from demine.play.drills.session import DrillSession
    from demine.scene.key_bindings import KeyMap
    from demine.scene.themes import Theme

_TICK_MS: Final = 100
_SIGNS: Final = {True: "✓", False: "✗"}
_SIGN_DIGITS: Final = {True: 2, False: 3}
"""The digits whose colours the signs have: green and red in the usual palettes."""
_PRESENT, _COMING = "●", "○"
_ANSWER_LINES: Final = 4
"""Room for the answer is kept free from the start, so that the board stays where it is."""


class DrillPage(QWidget):
    """Asks the questions of a session, one after the other, and shows the answers."""

    next_wanted = Signal()
    """The answer was read; `advance` may take a while, so it is not done here."""

    def __init__(self, theme: Theme, keys: KeyMap, texts: Retranslator) -> None:
        super().__init__()
        self._theme = theme
        self._session: DrillSession | None = None
        self.board = DrillBoard(theme, keys)
        self.question, self.origin, self.answer = MessageLabel(), MessageLabel(), MessageLabel()
        self.sign, self.place, self.signs, self.time = QLabel(), QLabel(), QLabel(), QLabel()
        self.question.make_heading(1.2)
        self.guess = texts.make_button(mark("It is a &guess"), self._answer_guess)
        self.next = texts.make_button(mark("&Next drill"), self.next_wanted.emit)
        self.next.setDefault(True)
        self._guess_key = QShortcut(QKeySequence("G"), self, self.guess.click)
        self._guess_key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._show_time)
        self.board.cell_chosen.connect(lambda row, col: self._give((row, col)))
        self.board.go_on_pressed.connect(self.next_wanted)
        self._lay_out()

    def _lay_out(self) -> None:
        for label, scale in ((self.sign, 2.0), (self.signs, 1.2), (self.time, 1.2)):
            font = label.font()
            font.setPointSizeF(font.pointSizeF() * scale)
            label.setFont(font)
        top = Qt.AlignmentFlag.AlignTop
        self.sign.setAlignment(top | Qt.AlignmentFlag.AlignHCenter)
        self.answer.setAlignment(top)
        line = self.fontMetrics().lineSpacing()
        self.sign.setFixedWidth(2 * line)
        for label in (self.sign, self.answer):
            label.setMinimumHeight(_ANSWER_LINES * line)
        head = hbox((self.place, 0), (self.signs, 0), None, self.time)
        below = hbox(self.sign, (self.answer, 1), vbox(hbox(self.guess, self.next), None))
        vbox(head, self.question, self.origin, (self.board, 1), below, parent=self)

    # Asking

    def show_question(self, session: DrillSession) -> None:
        """Ask the present question of a session, and start its time."""
        if session.question is None:
            raise ValueError("no question is left")
        self._session = session
        self.board.show_question(session.question)
        self.board.setFocus()
        self.update_texts()
        session.clock.set(0, running=True)  # what computed the question has taken time
        self._timer.start()
        self.board.announce(session.question.text)

    def _answer_guess(self) -> None:
        self._give(None)

    def _give(self, cell: tuple[int, int] | None) -> None:
        session = self._session
        if session is None or session.question is None or session.is_answered:
            return
        self._timer.stop()
        answer = session.answer(cell)
        self.board.show_answer(answer.overlay)
        self.board.setFocus()
        self.update_texts()
        self.board.announce(self.answer.text())

    def pause_time(self) -> None:
        """Stop the ticks of the time that is shown."""
        self._timer.stop()

    # Texts

    def update_texts(self) -> None:
        """Write all texts of the question, and of its answer if there is one."""
        session = self._session
        if session is None or session.question is None:
            return
        question = session.question
        rows, cols = question.faces.shape
        self.board.setAccessibleName(
            tr("Board of {rows} rows and {cols} columns", rows=rows, cols=cols)
        )
        self.question.set_message(question.text)
        self.origin.set_message(f"{tr(question.drill.kind.heading)} · {question.origin}")
        self.place.setText(tr("{n} of {count}", n=session.number, count=session.count))
        self.signs.setText(_signs(session))
        self.guess.setVisible(question.may_be_a_guess)
        self.guess.setEnabled(question.may_be_a_guess and not session.is_answered)
        self.next.setEnabled(session.is_answered)
        self._show_time()
        self._show_answer(session)

    def _show_answer(self, session: DrillSession) -> None:
        if not session.is_answered:
            self.sign.clear()
            self.answer.set_message("")
            return
        given = session.answers[-1]
        self.sign.setText(_SIGNS[given.is_right])
        colour = to_qcolor(self._theme.digit_colour(_SIGN_DIGITS[given.is_right]))
        palette = self.sign.palette()
        palette.setColor(self.sign.foregroundRole(), colour)
        self.sign.setPalette(palette)
        lines = [str(given)]
        if session.trouble is not None:
            reason = explain(session.trouble)
            lines.append(tr("Not saved yet, and tried again later: {reason}", reason=reason))
        self.answer.set_message("\n".join(lines))

    def _show_time(self) -> None:
        if self._session is not None:
            time = f"{self._session.clock.ms / 1000:.1f}"
            self.time.setText(tr("{time} s", time=time))


def _signs(session: DrillSession) -> str:
    """Return a sign for each question of a session: right, wrong, present or coming."""
    signs = [_SIGNS[each.is_right] for each in session.answers]
    if not session.is_answered:
        signs.append(_PRESENT)
    return " ".join(signs + [_COMING] * (session.count - len(signs)))
