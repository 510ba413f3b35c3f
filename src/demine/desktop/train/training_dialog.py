"""The dialog Training: a set of drills, its summary, and the progress by pattern."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.train.drill_choice_bar import DrillChoiceBar
from demine.desktop.train.drill_page import DrillPage
from demine.desktop.train.pattern_progress_page import PatternProgressPage
from demine.desktop.train.set_summary_page import SetSummaryPage
from demine.desktop.train.thread_calls import ThreadCalls
from demine.desktop.widget_builders import vbox
from demine.play.drills.pool import DrillPool
from demine.play.drills.todays_session import todays_session
from demine.scene.translation import explain, mark, tr
from demine.store.errors import StoreError

if TYPE_CHECKING:
    from demine.play.drills.session import DrillSession
    from demine.play.drills.todays_session import DrillChoice
    from demine.scene.key_bindings import KeyMap
    from demine.scene.themes import Theme
    from demine.store import Store

_WHOLE_SEARCH_SECONDS: Final = 3600.0
_FIND_SECONDS: Final = 20.0
"""After so long a set begins with what was found: some patterns are on few boards."""


class TrainingDialog(Dialog):
    """Trains a player on drills; every answer is saved at once, so it may close at any time.

    What takes long is done in threads: drills are searched for, and the next one is worked out.
    """

    def __init__(self, parent: QWidget | None, store: Store, theme: Theme, keys: KeyMap) -> None:
        super().__init__(parent, mark("Training"))
        self._store = store
        self._calls = ThreadCalls()
        self.session: DrillSession | None = None
        self._wanted: DrillChoice | None = None
        """Of which drills a set is found, or is asked."""
        self._is_waiting = False
        """Whether the next question is being worked out."""
        self.waiting = MessageLabel()
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        # The board lies in the dialog, whose colour may be that of the platform.
        colour = self.palette().window().color()
        around = replace(theme, window=(colour.red(), colour.green(), colour.blue()))
        self.drill = DrillPage(around, keys, self.texts)
        self.summary = SetSummaryPage(store, self.texts)
        self.progress = PatternProgressPage(store, theme, self.texts)
        self.pages = QStackedWidget()
        for page in (self.waiting, self.drill, self.summary):
            self.pages.addWidget(page)
        self.choice = DrillChoiceBar(self.texts)
        drills = QWidget()
        vbox(self.choice, (self.pages, 1), parent=drills)
        self.tabs = QTabWidget(documentMode=True)
        self.texts.add_tab(self.tabs, drills, mark("&Drills"))
        self.texts.add_tab(self.tabs, self.progress, mark("Progress by &pattern"))
        self.tabs.currentChanged.connect(self._tab_changed)
        self.drill.next_wanted.connect(self._go_on)
        self.summary.another_wanted.connect(self._begin_another_set)
        self.choice.changed.connect(self._begin_set)
        vbox((self.tabs, 1), self.make_button_box(), parent=self)
        self.disable_auto_default()
        self.resize_to_line_heights(50, 46)
        self._begin_set()

    # A set

    def _begin_another_set(self) -> None:
        self.choice.leave_daily()
        self._begin_set()

    def _begin_set(self) -> None:
        self._leave_set()
        searching = tr("Looking for mistakes and slow proofs in your games…")
        self._wait(f"{searching}\n{tr('Where your games hold too few, boards are made.')}")
        choice, until = self.choice.choice, time.monotonic() + _FIND_SECONDS
        self._wanted = choice

        def is_too_late() -> bool:
            is_left = self._wanted is not choice or self._calls.should_stop()
            return is_left or time.monotonic() > until

        def find() -> DrillSession | StoreError:
            try:
                return todays_session(self._store, choice, should_stop=is_too_late)
            except StoreError as error:
                return error

        def begin(found: DrillSession | StoreError) -> None:
            if self._wanted is choice:
                self._begin_session(found)

        self._calls.start(find, begin)

    def _leave_set(self) -> None:
        self.drill.pause_time()
        self._is_waiting = False
        if self.session is not None:
            self.session.close()
            self.session = None

    def _begin_session(self, found: DrillSession | StoreError) -> None:
        if isinstance(found, StoreError):
            self._wait(explain(found))
            return
        self.session = found
        self._show_question_or_summary(found)
        # Games beyond the first seconds of searching give the drills of later sets.
        self._calls.start(self._search_further, lambda _: None)

    def _search_further(self) -> None:
        try:
            DrillPool(self._store).search_store(_WHOLE_SEARCH_SECONDS, self._calls.should_stop)
        except StoreError:
            return  # the next set says so if it lasts

    def _go_on(self) -> None:
        session = self.session
        if session is None or not session.is_answered or self._is_waiting:
            return
        self._is_waiting = True

        def show(_: None) -> None:
            if session is self.session:  # no other set was chosen meanwhile
                self._show_question_or_summary(session)

        self._calls.start(session.advance, show)

    def _show_question_or_summary(self, session: DrillSession) -> None:
        self._is_waiting = False
        if session.question is not None:
            self.pages.setCurrentWidget(self.drill)
            self.drill.show_question(session)
        elif session.answers:
            session.close()
            self.pages.setCurrentWidget(self.summary)
            self.summary.show_session(session)
        else:
            other = tr("Choose another kind or pattern.")
            self._wait(f"{tr('There are no drills to ask.')}\n{other}")

    def _wait(self, text: str) -> None:
        self.waiting.set_message(text)
        self.pages.setCurrentWidget(self.waiting)

    # The dialog

    def _tab_changed(self) -> None:
        if self.tabs.currentWidget() is self.progress:
            self.progress.reload()

    def update_composed_texts(self) -> None:
        """Write what the pages show in the current language."""
        self.choice.update_texts()
        self.drill.update_texts()
        self.summary.update_texts()
        self.progress.reload()

    def done(self, arg__1: int) -> None:
        """Stop the work in threads, and try once more to save what is not saved."""
        self._calls.close()
        self.drill.pause_time()
        if self.session is not None:
            self.session.close()
        super().done(arg__1)
