"""The dialog Training: questions answered by mouse and keys, and what is saved of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import demine
from demine.desktop.train.training_dialog import TrainingDialog
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import BEGINNER
from demine.play.drills.drill import DrillKind
from demine.play.drills.pool import DrillPool
from demine.play.drills.question import DrillQuestion
from demine.play.drills.session import DrillSession
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import KeyMap
from demine.scene.overlay import Mark
from demine.scene.themes import THEMES
from demine.store import Store
from demine.store.drills import DrillReview
from demine.store.utc_text import utc_text
from tests.desktop.dialogs_desk import access_keys, chinese, nameless, pixels, shown, until

pytestmark = pytest.mark.usefixtures("app")
Cell = tuple[int, int]
Open = Callable[[Store], TrainingDialog]


@pytest.fixture
def opened() -> Iterator[Open]:
    """A function that opens the dialog over a store; it is closed in the end."""
    dialogs: list[TrainingDialog] = []

    def start(store: Store) -> TrainingDialog:
        dialog = TrainingDialog(None, store, THEMES["light"], KeyMap())
        dialogs.append(dialog)
        shown(dialog)
        return dialog

    yield start
    for dialog in dialogs:
        dialog.close()
        dialog.deleteLater()


def asked(dialog: TrainingDialog) -> DrillQuestion:
    """The question on the screen, as soon as there is one to answer."""
    until(lambda: dialog.pages.currentWidget() is dialog.drill and not dialog._is_waiting)
    assert dialog.session is not None
    assert dialog.session.question is not None
    return dialog.session.question


def ask_only(dialog: TrainingDialog, store: Store, kind: DrillKind) -> DrillQuestion:
    """Have drills of one kind asked instead."""
    asked(dialog)
    pool = DrillPool()
    pool.add(demine.drills(BEGINNER, kind=kind, count=2, seed=5))
    dialog._begin_session(DrillSession(pool, pool.keys, store))
    return asked(dialog)


def click(dialog: TrainingDialog, cell: Cell) -> None:
    board = dialog.drill.board
    rect = board.view.cell_rect(*cell)
    middle = QPoint(rect.x + rect.width // 2, rect.y + rect.height // 2) / board.ratio
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=middle)


def press(dialog: TrainingDialog, key: Qt.Key) -> None:
    QTest.keyClick(dialog.drill.board, key)


def wrong_cell(question: DrillQuestion) -> Cell:
    covered = [tuple(cell) for cell in np.argwhere(question.faces == Face.COVERED).tolist()]
    return next((row, col) for row, col in covered if (row, col) not in question.solution.right)


def test_a_set_is_answered_by_mouse_and_keys(opened: Open, store: Store) -> None:
    dialog = opened(store)
    assert "mistakes" in dialog.waiting.text()
    for number in range(1, 11):
        question = asked(dialog)
        assert dialog.drill.place.text() == f"{number} of 10"
        assert dialog.drill.question.text() == question.text
        assert dialog.drill.answer.text() == ""
        if not question.solution.right:
            press(dialog, Qt.Key.Key_G)
        elif number % 4:
            click(dialog, question.solution.cell)
        else:
            click(dialog, wrong_cell(question))
        assert dialog.session is not None
        given = dialog.session.answers[-1]
        assert dialog.drill.answer.text() == str(given)
        assert dialog.drill.sign.text() == ("✓" if given.is_right else "✗")
        assert dialog.drill.board._overlay == given.overlay
        assert len(store.drill_reviews()) == number
        press(dialog, Qt.Key.Key_Return)
    until(lambda: dialog.pages.currentWidget() is dialog.summary)
    assert dialog.session is not None
    assert dialog.summary.heading.text() == dialog.session.summary()
    assert "Today 10 of 10; streak 1" in dialog.summary.words.text()
    rights = [
        item.text() == "✓ right"
        for row in range(10)
        if (item := dialog.summary.table.item(row, 0)) is not None
    ]
    assert rights == [each.is_right for each in dialog.session.answers]
    first = {review.drill[:2] for review in store.drill_reviews()}
    QTest.mouseClick(dialog.summary.another, Qt.MouseButton.LeftButton)
    assert asked(dialog).drill.key[:2] not in first


def test_a_cell_is_answered_with_the_cursor(opened: Open, store: Store) -> None:
    dialog = opened(store)
    question = ask_only(dialog, store, DrillKind.SAFE)
    assert not dialog.drill.guess.isVisible()
    board = dialog.drill.board
    press(dialog, Qt.Key.Key_Return)  # only shows the cursor
    assert board.keyboard_cell is not None
    row, col = question.solution.cell
    while board.keyboard_cell[0] != row:
        press(dialog, Qt.Key.Key_Down if board.keyboard_cell[0] < row else Qt.Key.Key_Up)
    while board.keyboard_cell[1] != col:
        press(dialog, Qt.Key.Key_Right if board.keyboard_cell[1] < col else Qt.Key.Key_Left)
    assert board.accessibleDescription() == f"row {row + 1}, column {col + 1}: covered"
    press(dialog, Qt.Key.Key_Space)
    assert dialog.session is not None
    assert dialog.session.answers[-1].is_right
    QTest.mouseClick(dialog.drill.next, Qt.MouseButton.LeftButton)
    until(lambda: asked(dialog) is not question)
    assert board.keyboard_cell is None


def test_what_is_no_answer_is_left_alone(opened: Open, store: Store) -> None:
    dialog = opened(store)
    question = ask_only(dialog, store, DrillKind.SAFE)
    number_cell = tuple(np.argwhere(question.faces != Face.COVERED)[0].tolist())
    click(dialog, number_cell)
    press(dialog, Qt.Key.Key_G)  # a guess is none of the answers
    assert not store.drill_reviews()
    click(dialog, wrong_cell(question))
    click(dialog, question.solution.cell)
    assert [review.is_right for review in store.drill_reviews()] == [False]
    assert dialog.drill.board._overlay is not None
    assert (dialog.drill.board._overlay.marks == Mark.MISTAKE).sum() == 1


def test_what_does_not_matter_is_dim(opened: Open, store: Store) -> None:
    dialog = opened(store)
    question = ask_only(dialog, store, DrillKind.SAFE)
    veiled = pixels(dialog.drill.board)
    dialog.drill.board._faded = np.zeros_like(question.faded)
    differs = (pixels(dialog.drill.board) != veiled).any(axis=2)
    for cell in np.ndindex(*question.faded.shape):
        rect = dialog.drill.board.view.cell_rect(*cell)
        part = differs[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width]
        assert part.any() or not question.faded[cell]
        assert not part.any() or question.faded[cell]


def test_answers_stay_when_the_dialog_closes_at_any_time(opened: Open, store: Store) -> None:
    searching = opened(store)
    searching.close()
    dialog = opened(store)
    question = asked(dialog)
    click(dialog, wrong_cell(question))
    press(dialog, Qt.Key.Key_Return)  # the next question is worked out meanwhile
    dialog.close()
    assert [review.drill for review in store.drill_reviews()] == [question.drill.key]
    assert searching.session is None
    QApplication.processEvents()
    assert not dialog.drill._timer.isActive()


def test_games_of_the_store_give_the_drills(opened: Open, store: Store) -> None:
    for seed in range(12):
        game = Game(BEGINNER, seed)
        live = store.begin(game)
        game.play(Act(0, Verb.OPEN, 4, 4))
        for number, (row, col) in enumerate(np.ndindex(9, 9)):
            act = Act(1000 * (number + 1), Verb.OPEN, row, col)
            if game.can(act):
                game.play(act)
        live.record()
    dialog = opened(store)
    asked(dialog)
    until(lambda: not store.games_without_drills(1))
    own = {row.id for row in store.games()}
    assert own & {key.game for key in store.drills()}
    assert dialog.session is not None
    games = {dialog.session.question.drill.game_id} if dialog.session.question else set()
    games |= {key.game for key in dialog.session._waiting}
    assert games & own


def test_progress_is_empty_and_then_shows_patterns(opened: Open, store: Store) -> None:
    dialog = opened(store)
    dialog.tabs.setCurrentIndex(1)
    assert dialog.progress.content.is_empty
    drill = demine.drills(BEGINNER, count=1, seed=5)[0]
    day = datetime.now(UTC) - timedelta(days=30)
    reviews = [
        DrillReview(drill.key, utc_text(day + timedelta(days=at)), True, 8000 - 400 * at)
        for at in range(12)
    ]
    store.add_drill_reviews(reviews)
    dialog.tabs.setCurrentIndex(0)
    dialog.tabs.setCurrentIndex(1)
    table = dialog.progress.table
    row = [item.text() if (item := table.item(0, col)) else None for col in range(6)]
    since = day.date().isoformat()
    assert row == [str(drill.pattern), "12", "100%", "7.2 s", "4.4 s", since]
    times = table.item(0, 6)
    assert times is not None
    place = table.visualItemRect(times)
    drawn = pixels(table.viewport())[place.top() : place.bottom(), place.left() : place.right()]
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 3


def test_all_is_named_and_reached_by_keys(opened: Open, store: Store) -> None:
    dialog = opened(store)
    asked(dialog)
    assert nameless(dialog) == []
    keys = access_keys(dialog)
    assert len(keys) == len(set(keys))
    english = dialog.drill.question.text()
    with chinese():
        assert dialog.drill.question.text() != english
        assert dialog.drill.place.text() == "第 1 题，共 10 题"
    assert dialog.drill.question.text() == english


def test_a_store_that_cannot_be_read_is_told_of(opened: Open) -> None:
    store = Store.memory()
    store.close()
    dialog = opened(store)
    until(lambda: "mistakes" not in dialog.waiting.text())
    assert dialog.waiting.text()
    assert dialog.pages.currentWidget() is dialog.waiting


def test_a_kind_and_a_pattern_are_chosen(opened: Open, store: Store) -> None:
    dialog = opened(store)
    first, choice = asked(dialog), dialog.choice
    choice.kind.setCurrentIndex(choice.kind.findData("best-guess"))
    assert asked_or_none(dialog) is None
    until(lambda: asked_or_none(dialog) is not None)
    second = asked(dialog)
    assert second is not first
    assert dialog.session is not None
    kinds = {key.kind for key in (second.drill.key, *dialog.session._waiting)}
    assert kinds == {"best-guess"}
    offered = {choice.pattern.itemData(at) for at in range(choice.pattern.count())}
    assert offered == {None, "50-50", "guess-beside", "guess-away"}
    choice.pattern.setCurrentIndex(choice.pattern.findData("guess-beside"))
    until(lambda: asked_or_none(dialog) is not None)
    assert asked(dialog).drill.pattern.name == "guess-beside"
    choice.kind.setCurrentIndex(choice.kind.findData("safe"))
    assert choice.pattern.currentData() is None  # no proof is a guess
    until(lambda: asked_or_none(dialog) is not None)
    assert asked(dialog).drill.kind == "safe"


def asked_or_none(dialog: TrainingDialog) -> DrillQuestion | None:
    return None if dialog.session is None else dialog.session.question


def test_the_drill_of_the_day_is_asked(opened: Open, store: Store) -> None:
    dialog = opened(store)
    asked(dialog)
    QTest.mouseClick(dialog.choice.daily, Qt.MouseButton.LeftButton)
    assert not dialog.choice.kind.isEnabled()
    until(lambda: asked_or_none(dialog) is not None)
    question = asked(dialog)
    assert question.drill == demine.daily_drill(datetime.now(UTC).date())
    click(dialog, question.solution.cell)
    press(dialog, Qt.Key.Key_Return)
    until(lambda: dialog.pages.currentWidget() is dialog.summary)
    QTest.mouseClick(dialog.summary.another, Qt.MouseButton.LeftButton)
    assert not dialog.choice.daily.isChecked()
    assert dialog.choice.kind.isEnabled()
    until(lambda: asked_or_none(dialog) is not None)
    assert dialog.drill.place.text() == "1 of 10"


def test_a_choice_without_drills_says_so(opened: Open, store: Store) -> None:
    dialog = opened(store)
    asked(dialog)
    dialog.choice.kind.setCurrentIndex(dialog.choice.kind.findData("won"))
    until(lambda: "another kind" in dialog.waiting.text())
    assert dialog.pages.currentWidget() is dialog.waiting
    dialog.choice.kind.setCurrentIndex(0)
    until(lambda: asked_or_none(dialog) is not None)
    asked(dialog)
