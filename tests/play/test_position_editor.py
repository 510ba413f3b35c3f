"""The analysis board: what is edited, and what the solver says about it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

import demine
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.play.game_session import GameSession
from demine.play.position_analysis import format_layout_count
from demine.play.position_editor import MOST_CELLS, PositionEditor
from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.translation import set_language
from demine.solver.service.server import DONE, answer_question, encode_question
from demine.store import Store

ONE_TWO_ONE = "3x2/2\n1 2 1\n# # #"


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


class Bench:
    """An editor whose solver answers when the test says so, in the same process."""

    def __init__(self) -> None:
        self.asked: list[tuple[Future[object], bytes]] = []
        self.editor = PositionEditor(self._ask, lambda: None)

    def _ask(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        future: Future[object] = Future()
        self.asked.append((future, encode_question(name, args, kwargs)))
        return future

    def answer(self) -> None:
        """Answer everything, also what is asked because of an answer."""
        while self.asked:
            future, message = self.asked.pop(0)
            if not future.set_running_or_notify_cancel():
                continue
            kind, value = pickle.loads(answer_question(message))
            if kind == DONE:
                future.set_result(value)
            else:
                future.set_exception(value)
            self.editor.take_solver_answers()

    def marked(self, mark: Mark) -> list[list[int]]:
        """Where the overlay has a mark."""
        overlay = self.editor.view.overlay
        assert overlay is not None
        found: list[list[int]] = np.argwhere(overlay.marks == mark).tolist()
        return found


@pytest.fixture
def bench() -> Bench:
    """Return an editor with a solver in the same process."""
    return Bench()


def test_a_known_pattern_is_answered_exactly(bench: Bench) -> None:
    bench.editor.paste(ONE_TWO_ONE)
    bench.answer()
    view = bench.editor.view
    assert view.layouts == demine.count_layouts(ONE_TWO_ONE) == 1
    assert view.answers[0] == "1 layout fits"
    assert "Certain: 1 safe, 2 mines" in view.answers
    assert "Best: row 2, column 2, which is safe" in view.answers
    assert view.win_chance == 1.0
    assert bench.marked(Mark.SAFE) == [[1, 1]]
    assert bench.marked(Mark.MINE) == [[1, 0], [1, 2]]


def test_risks_are_those_of_the_library_and_can_be_hidden(bench: Bench) -> None:
    text = "4x3/3\n# # # #\n1 1 2 #\n# # # #"
    bench.editor.paste(text)
    bench.answer()
    overlay = bench.editor.view.overlay
    expected = demine.Overlay.empty((3, 4)).with_risks(demine.mine_probability(text))
    assert overlay is not None
    assert np.array_equal(overlay.risk, expected.risk)
    bench.editor.shows_risks = False
    shown = bench.editor.view.overlay
    assert shown is None or (shown.risk == demine.Overlay.empty((3, 4)).risk).all()


def test_the_best_guess_comes_with_its_exact_chance_to_win(bench: Bench) -> None:
    text = "3x1/1\n# 1 #"
    bench.editor.paste(text)
    bench.answer()
    view = bench.editor.view
    assert view.layouts == 2
    assert view.win_chance == demine.analyse(text).best.win == 0.5
    assert "Chance to win, exactly: 50.00%" in view.answers
    assert len(bench.marked(Mark.GUESS)) == 1


def test_proofs_of_the_easiest_and_of_a_chosen_cell(bench: Bench) -> None:
    bench.editor.paste(ONE_TWO_ONE)
    bench.editor.ask_for_proof()
    bench.answer()
    assert bench.editor.view.proof.startswith("Row 2, column 2 is safe.")
    assert str(demine.explain(ONE_TWO_ONE)) in bench.editor.view.proof
    bench.editor.tool = "why"
    bench.editor.click((1, 0))
    bench.answer()
    reason = demine.explain(ONE_TWO_ONE, cell=(1, 0))
    assert bench.editor.view.proof == f"Row 2, column 1 is a mine. {reason}"
    assert bench.marked(Mark.MINE) == [[1, 0]]
    assert bench.marked(Mark.BECAUSE) == sorted(map(list, reason.because))


def test_a_cell_that_may_be_either_is_said_to_be_so(bench: Bench) -> None:
    bench.editor.paste("3x1/1\n# 1 #")
    bench.editor.ask_for_proof((0, 0))
    bench.answer()
    assert bench.editor.view.proof == "row 1, column 1 may be a mine or safe"


def test_a_number_that_cannot_hold_is_named_and_marked(bench: Bench) -> None:
    bench.editor.paste("3x2/2\n1 2 1\n# # #")
    bench.editor.paint((0, 1), Face.FIVE)
    bench.answer()
    assert bench.editor.view.trouble == "the 5 at row 1, column 2 cannot be satisfied"
    assert bench.marked(Mark.BROKEN) == [[0, 1]]
    bench.editor.undo()
    bench.answer()
    assert bench.editor.view.trouble == ""


def test_an_answer_to_an_old_position_is_dropped(bench: Bench) -> None:
    bench.editor.paste(ONE_TWO_ONE)
    old = [future for future, _ in bench.asked]
    assert all(future.set_running_or_notify_cancel() for future in old)
    bench.editor.paint((0, 0), Face.COVERED)
    old[1].set_result(12345)
    bench.editor.take_solver_answers()
    assert bench.editor.view.layouts is None
    bench.asked = bench.asked[len(old) :]
    bench.answer()
    assert bench.editor.view.layouts == demine.count_layouts("3x2/2\n# 2 1\n# # #")


def test_clicks_cycle_paint_and_flag(bench: Bench) -> None:
    editor = bench.editor
    faces = []
    for _ in range(10):
        editor.click((0, 0))
        faces.append(int(editor.view.position.faces[0, 0]))
    assert faces == [*range(9), Face.COVERED]
    editor.click((0, 0), secondary=True)
    assert editor.view.position.faces[0, 0] == Face.FLAG
    editor.tool = Face.THREE
    editor.click((0, 1))
    editor.click((0, 2), continues=True)
    editor.click((0, 3), secondary=True)
    assert editor.view.position.faces[0, 1:4].tolist() == [3, 3, Face.FLAG]


def test_a_drag_is_one_change_to_undo_and_redo(bench: Bench) -> None:
    editor = bench.editor
    editor.paint((5, 5), Face.ONE)
    editor.tool = Face.COVERED
    editor.click((0, 0))  # which changes nothing, so the drag must not join the change before
    editor.tool = Face.TWO
    editor.click((0, 1), continues=True)
    editor.click((0, 2), continues=True)
    editor.undo()
    assert editor.view.position.faces[0, 1:3].tolist() == [Face.COVERED] * 2
    assert editor.view.position.faces[5, 5] == Face.ONE
    editor.redo()
    assert editor.view.position.faces[0, 1:3].tolist() == [2, 2]
    assert not editor.view.can_redo


def test_size_mines_and_clearing(bench: Bench) -> None:
    editor = bench.editor
    editor.paint((1, 1), Face.ONE)
    editor.resize(3, 2)
    position = editor.view.position
    assert (position.faces.shape, position.mines, position.faces[1, 1]) == ((2, 3), 5, Face.ONE)
    editor.set_mines(6)
    assert "5 at most" in editor.view.trouble
    assert editor.view.position.mines == 5
    editor.set_mines(2)
    editor.clear()
    assert editor.view.trouble == ""
    assert editor.view.position.mines == 2
    assert (editor.view.position.faces == Face.COVERED).all()


@pytest.mark.parametrize(
    ("text", "said"), [("", "it is empty"), ("# 1\n#", "row 2 has 1 cells instead of 2")]
)
def test_a_text_that_is_no_diagram_changes_nothing(bench: Bench, text: str, said: str) -> None:
    before = bench.editor.view.position
    bench.editor.paste(text)
    assert bench.editor.view.trouble == said
    assert bench.editor.view.position is before


def test_a_diagram_without_mines_keeps_their_number_and_is_copied_whole(bench: Bench) -> None:
    bench.editor.resize(3, 2)
    bench.editor.set_mines(2)
    bench.editor.paste("1 2 1\n# # #")
    assert bench.editor.text_to_copy() == f"{ONE_TWO_ONE}\n"


def test_a_board_beyond_the_limit_is_refused(bench: Bench) -> None:
    bench.editor.resize(MOST_CELLS, 2)
    assert bench.editor.view.trouble == f"the editor takes positions of up to {MOST_CELLS} cells"
    assert bench.editor.view.position.faces.shape == (9, 9)


@pytest.mark.parametrize("is_paused", [False, True])
def test_taking_a_game_over_that_is_not_over_counts_as_help(
    bench: Bench, tmp_path: Path, is_paused: bool
) -> None:
    with Store.open(tmp_path / "demine.db") as store:
        options = StartOptions(rules=demine.Rules(9, 9, 10))
        session = GameSession.begin(store, options, Preferences())
        session.play(Verb.OPEN, 4, 4)
        seen = demine.sight(session.game)
        if is_paused:
            session.play(Verb.PAUSE)
        bench.editor.take_session(session)
        assert session.game.hinted
        assert (session.game.status is Status.PAUSED) == is_paused
        view = bench.editor.view
        assert np.array_equal(view.position.faces, seen)
        assert view.position.mines == 10


def test_of_a_lost_game_the_position_before_the_end_is_taken(bench: Bench, tmp_path: Path) -> None:
    with Store.open(tmp_path / "demine.db") as store:
        options = StartOptions(rules=demine.Rules(9, 9, 10), seed=3)
        session = GameSession.begin(store, options, Preferences())
        session.play(Verb.OPEN, 4, 4)
        before = demine.sight(session.game)
        mine = np.argwhere(session.game.board.mine_map)[0]
        session.play(Verb.OPEN, int(mine[0]), int(mine[1]))
        assert session.game.status.over
        bench.editor.take_session(session)
        assert np.array_equal(bench.editor.view.position.faces, before)
        bench.answer()
        assert bench.editor.view.layouts == demine.count_layouts(before, 10)


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (1, "1"),
        (999_999_999_999, "999,999,999,999"),
        (10**12, "1.0×10^12"),
        (1_249 * 10**31, "1.2×10^34"),
        (996 * 10**20, "1.0×10^23"),
        (7 * 10**5000, "7.0×10^5000"),
    ],
    ids=range(6),
)
def test_long_numbers_of_layouts_are_powers_of_ten(count: int, shown: str) -> None:
    assert format_layout_count(count) == shown


def test_faces_that_only_an_ended_game_shows_are_covered(bench: Bench) -> None:
    game = demine.Game("9x9/10", 3)
    game.play(Act(0, Verb.OPEN, 4, 4))
    faces = demine.sight(game)
    faces[0, 0], faces[0, 1] = Face.MINE, Face.WRONG
    bench.editor.take(faces, 10)
    assert bench.editor.view.position.faces[0, :2].tolist() == [Face.COVERED] * 2
