"""The dialogs for games in a folder: what to export, and the progress of export and import."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QProgressBar

from demine.desktop.dialogs.base import Dialog, MessageLabel, StandardButton
from demine.desktop.widget_builders import fill_combo_box, vbox
from demine.logic.errors import DemineError
from demine.replay.load_save import joined_losses
from demine.replay.registry import JOURNAL, writable_game_format_names
from demine.scene.translation import explain, mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from demine.desktop.history_export_import import Report

    Work = Callable[[Callable[[int, int], object], Callable[[], bool]], Report]

_POLL_MS: Final = 60
_MOST_LINES: Final = 2000


class ExportDialog(Dialog):
    """Asks which games to export, and in what format; `choices` maps messages to game ids."""

    def __init__(self, parent: QWidget | None, choices: Mapping[str, Sequence[str]]) -> None:
        super().__init__(parent, mark("Export games to a folder"))
        self._choices = [(message, ids) for message, ids in choices.items() if ids]
        self.which, self.form = QComboBox(), QComboBox()
        note = MessageLabel()
        self.texts.bind(
            note.set_message,
            mark(
                "Journals hold everything and can be imported again as your own games. Games "
                "imported from other formats do not count for best times."
            ),
        )
        form = self.texts.make_form(((mark("&Games:"), self.which), (mark("&Format:"), self.form)))
        buttons = self.make_button_box(StandardButton.Ok | StandardButton.Cancel)
        buttons.button(StandardButton.Ok).setEnabled(bool(self._choices))
        vbox(form, note, buttons, parent=self)
        self.update_composed_texts()
        self.resize(self.fontMetrics().averageCharWidth() * 70, self.sizeHint().height())

    def update_composed_texts(self) -> None:
        """Fill in the choices again; the selection stays."""
        which = [
            (f"{tr(message)} ({len(ids)})", number)
            for number, (message, ids) in enumerate(self._choices)
        ]
        forms = [
            (tr("Journal") if name == JOURNAL else name, name)
            for name in writable_game_format_names()
        ]
        fill_combo_box(self.which, which, self.which.currentData())
        fill_combo_box(self.form, forms, self.form.currentData())

    @property
    def selected_game_ids(self) -> Sequence[str]:
        """The ids of the chosen games."""
        return self._choices[self.which.currentIndex()][1]

    @property
    def selected_format(self) -> str:
        """The name of the chosen format."""
        return str(self.form.currentData())


class _Worker(QObject):
    """Runs the work in a thread, and emits `ended`."""

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

    def _set_progress(self, done: int, count: int) -> None:
        self.done, self.count = done, count

    def _run(self) -> None:
        try:
            self.report = self._work(self._set_progress, self._stop.is_set)
        except DemineError as error:
            self.error = error
        self.ended.emit()


class ProgressDialog(Dialog):
    """Shows the progress of work in a thread, can stop it, and finally shows its result."""

    def __init__(
        self, parent: QWidget | None, title: str, work: Work, summarise: Callable[[Report], str]
    ) -> None:
        super().__init__(parent, title)
        self._summarise = summarise
        self.worker = _Worker(work)
        self.worker.ended.connect(self._show_end, Qt.ConnectionType.QueuedConnection)
        self.message = MessageLabel()
        self.bar, self.problems = QProgressBar(), QPlainTextEdit()
        self.bar.setRange(0, 0)
        self.problems.setReadOnly(True)
        self.problems.setTabChangesFocus(True)
        self.problems.hide()
        self.texts.bind(self.problems.setAccessibleName, mark("Skipped or lost"))
        self.texts.bind(self.bar.setAccessibleName, mark("Progress"))
        self.buttons = self.make_button_box(StandardButton.Cancel)
        vbox(self.message, self.bar, (self.problems, 1), self.buttons, parent=self)
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._show_progress)
        self._timer.start()
        self.worker.thread_of_work.start()
        self.resize_to_line_heights(34, 8)

    @property
    def ended(self) -> bool:
        """Whether the work has ended, be it with an error."""
        return self.worker.report is not None or self.worker.error is not None

    def _show_progress(self) -> None:
        worker = self.worker
        if worker.count:
            self.bar.setRange(0, worker.count)
            self.bar.setValue(worker.done)

    def _show_end(self) -> None:
        self._timer.stop()
        self.bar.setRange(0, 1)
        self.bar.setValue(1)
        self.buttons.setStandardButtons(StandardButton.Close)
        self.update_composed_texts()

    def update_composed_texts(self) -> None:
        """Show the result of the work, once it has ended."""
        if self.worker.error is not None:
            self.message.set_message(explain(self.worker.error))
        report = self.worker.report
        if report is None:
            return
        said = [self._summarise(report)]
        if report.stopped:
            said.append(tr("stopped early"))
        self.message.set_message(" · ".join(said))
        lines = problem_lines(report)
        if lines:
            self.problems.setPlainText("\n".join(lines))
            if self.problems.isHidden():
                self.problems.show()
                self.resize_to_line_heights(46, 24)

    def reject(self) -> None:
        """Ask the work to stop; close the dialog if it has ended."""
        if self.ended:
            super().reject()
        else:
            self.worker.stop()


def problem_lines(report: Report) -> list[str]:
    """Return a line for each game that was left out, and for each that lost something."""
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
    """Return a summary of an export: games written and left out."""
    said = [ntr("{n} game written", "{n} games written", report.done)]
    if report.bad:
        said.append(ntr("{n} skipped", "{n} were skipped", len(report.bad)))
    return " · ".join(said)


def import_summary(report: Report) -> str:
    """Return a summary of an import: games added, known and left out."""
    said = [ntr("{n} game added", "{n} games added", report.done)]
    if report.known:
        said.append(ntr("{n} was already here", "{n} were already here", report.known))
    if report.bad:
        said.append(ntr("{n} skipped", "{n} were skipped", len(report.bad)))
    return " · ".join(said)
