"""Games to a folder and from one: what is asked, how far it is, and what could not be held."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QVBoxLayout,
)

from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.logic.errors import DemineError
from demine.replay.load_save import joined_losses
from demine.replay.registry import JOURNAL, game_format_names
from demine.scene.translation import explain, mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from demine.desktop.import_export import Report

    Work = Callable[[Callable[[int, int], object], Callable[[], bool]], Report]

_LOOK_MS: Final = 60
_MOST_LINES: Final = 2000


class ExportDialog(Dialog):
    """Asks which games go to a folder, and in what format; `choices` are ids by a message."""

    def __init__(self, parent: QWidget | None, choices: Mapping[str, Sequence[str]]) -> None:
        super().__init__(parent, mark("Games to a folder"))
        self._choices = [(message, ids) for message, ids in choices.items() if ids]
        self.which, self.form = QComboBox(), QComboBox()
        self._note = MessageLabel()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(self._choices))
        form = QFormLayout()
        for message, field in ((mark("&Games:"), self.which), (mark("&Format:"), self.form)):
            label = QLabel()
            label.setBuddy(field)
            self.texts.say(label.setText, message)
            form.addRow(label, field)
        self.texts.say(
            self._note.tell,
            mark(
                "Journals hold everything, and come back as your own. From other formats games "
                "come back as imported ones, which enter no best times."
            ),
        )
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._note)
        layout.addWidget(buttons)
        self._offer()
        self.resize(self.fontMetrics().averageCharWidth() * 70, self.sizeHint().height())

    def retranslate_ui(self) -> None:
        """Say every text anew."""
        super().retranslate_ui()
        self._offer()

    def _offer(self) -> None:
        places = max(self.which.currentIndex(), 0), max(self.form.currentIndex(), 0)
        self.which.clear()
        self.form.clear()
        for message, ids in self._choices:
            self.which.addItem(f"{tr(message)} ({len(ids)})")
        for name in game_format_names():
            self.form.addItem(tr("Journal") if name == JOURNAL else name, name)
        self.which.setCurrentIndex(places[0])
        self.form.setCurrentIndex(places[1])

    @property
    def ids(self) -> Sequence[str]:
        """The games that are chosen."""
        return self._choices[self.which.currentIndex()][1]

    @property
    def format(self) -> str:
        """The format's name."""
        return str(self.form.currentData())


class _Worker(QObject):
    """Does the work in a thread; `ended` comes in the window's."""

    ended = Signal()

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work
        self.done = self.count = 0
        self.report: Report | None = None
        self.error: DemineError | None = None
        self._stop = threading.Event()
        self.thread_of_work = threading.Thread(target=self._run, name="folder", daemon=True)

    def stop(self) -> None:
        self._stop.set()

    def _reach(self, done: int, count: int) -> None:
        self.done, self.count = done, count

    def _run(self) -> None:
        try:
            self.report = self._work(self._reach, self._stop.is_set)
        except DemineError as error:
            self.error = error
        self.ended.emit()


class ProgressDialog(Dialog):
    """Shows the progress of work in a thread, can stop it, and shows its result in the end."""

    def __init__(
        self, parent: QWidget | None, title: str, work: Work, said: Callable[[Report], str]
    ) -> None:
        super().__init__(parent, title)
        self._said = said
        self.worker = _Worker(work)
        self.worker.ended.connect(self._show_end, Qt.ConnectionType.QueuedConnection)
        self.news = MessageLabel()
        self.bar, self.problem_lines = QProgressBar(), QPlainTextEdit()
        self.bar.setRange(0, 0)
        self.problem_lines.setReadOnly(True)
        self.problem_lines.setTabChangesFocus(True)
        self.problem_lines.hide()
        self.texts.say(self.problem_lines.setAccessibleName, mark("What was left out or got lost"))
        self.texts.say(self.bar.setAccessibleName, mark("How far it is"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.news)
        layout.addWidget(self.bar)
        layout.addWidget(self.problem_lines, 1)
        layout.addWidget(self.buttons)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        self.worker.thread_of_work.start()
        self.resize_to_lines(34, 8)

    @property
    def ended(self) -> bool:
        """Whether it is done."""
        return self.worker.report is not None or self.worker.error is not None

    def _look(self) -> None:
        worker = self.worker
        if worker.count:
            self.bar.setRange(0, worker.count)
            self.bar.setValue(worker.done)

    def _show_end(self) -> None:
        self._timer.stop()
        self.bar.setRange(0, 1)
        self.bar.setValue(1)
        self.buttons.setStandardButtons(QDialogButtonBox.StandardButton.Close)
        self._tell()

    def retranslate_ui(self) -> None:
        """Say every text anew."""
        super().retranslate_ui()
        if self.ended:
            self._tell()

    def _tell(self) -> None:
        worker = self.worker
        if worker.error is not None:
            self.news.tell(explain(worker.error))
        if worker.report is None:
            return
        said = [self._said(worker.report)]
        if worker.report.stopped:
            said.append(tr("stopped before the end"))
        self.news.tell(" · ".join(said))
        lines = problem_lines(worker.report)
        if lines:
            self.problem_lines.setPlainText("\n".join(lines))
            if self.problem_lines.isHidden():
                self.problem_lines.show()
                self.resize_to_lines(46, 24)

    def reject(self) -> None:
        """Stop the work if it goes on; close when it is done."""
        if self.ended:
            super().reject()
        else:
            self.worker.stop()


def problem_lines(report: Report) -> list[str]:
    """Return what was left out, and what of the rest got lost, a line each."""
    lines = [
        tr("{path}: {reason}", path=Path(bad.name).name, reason=explain(bad.error))
        for bad in report.bad
    ]
    lines += [
        tr(
            "{path} does not hold {losses}",
            path=each.name,
            losses=explain(joined_losses(each.lost)),
        )
        for each in report.lost
    ]
    if len(lines) > _MOST_LINES:
        more = len(lines) - _MOST_LINES
        lines = [*lines[:_MOST_LINES], ntr("and {n} more", "and {n} more", more)]
    return lines


def export_summary(report: Report) -> str:
    """Say what an export came to."""
    said = [ntr("{n} game written", "{n} games written", report.done)]
    if report.bad:
        said.append(ntr("{n} was left out", "{n} were left out", len(report.bad)))
    return " · ".join(said)


def import_summary(report: Report) -> str:
    """Say what an import came to."""
    said = [ntr("{n} game added", "{n} games added", report.done)]
    if report.known:
        said.append(ntr("{n} was here already", "{n} were here already", report.known))
    if report.bad:
        said.append(ntr("{n} was left out", "{n} were left out", len(report.bad)))
    return " · ".join(said)
