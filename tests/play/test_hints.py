"""The coach: hints, chances, verdicts and proofs, from a real solver in another process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest

from demine.logic.event import Lay, Verb
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.play.game_session import GameSession
from demine.play.hints import Hints
from demine.scene.overlay import UNKNOWN, Mark, Overlay
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.translation import set_language
from demine.solver.service.client import SolverClient
from demine.store import Store

SECONDS = 60.0
ROW = Rules(7, 1, 2, first="any")
"""One row of cells."""


class Table:
    """A player at a board with a coach beside it."""

    def __init__(
        self, store: Store, aside: SolverClient, rules: Rules, seed: int | None = None
    ) -> None:
        self.session = GameSession.begin(store, StartOptions(rules=rules, seed=seed), Preferences())
        self._woken = threading.Event()
        self._aside = aside
        self.has_progress_at_once = False
        """Whether every search has progress: a fast one is over before its first."""
        self.hints = Hints(self.session, self._ask, self._woken.set)

    def _ask(self, name: str, /, *args: object, **kwargs: Any) -> Future[object]:
        future = self._aside.ask(name, *args, **kwargs)
        if self.has_progress_at_once and "progress" in kwargs:
            kwargs["progress"](1, 1)
        return future

    def lay(self, *mines: tuple[int, int]) -> None:
        """Put the mines where a test needs them."""
        mine_map = np.zeros(self.session.game.rules.shape, np.bool_)
        for cell in mines:
            mine_map[cell] = True
        self.session.game.lay(Lay(0, mine_map))

    def play(self, verb: Verb, row: int, col: int) -> None:
        """Play as a window does."""
        self.session.play(verb, row, col)
        self.hints.drop_outdated_hints()

    def listen(self, until: Callable[[], object]) -> None:
        """Take answers up as they come, until something holds."""
        while not until():
            assert self._woken.wait(SECONDS), self.hints.text
            self._woken.clear()
            self.hints.take_solver_answers()

    def answered(self) -> None:
        """Wait for every answer the player asked for."""
        self.listen(lambda: not self.hints.is_waiting_for_solver)

    @property
    def overlay(self) -> Overlay:
        """What is laid over the board."""
        assert self.hints.overlay is not None
        return self.hints.overlay

    def marked(self, mark: Mark) -> list[tuple[int, int]]:
        """Where a mark lies."""
        found = np.argwhere(self.overlay.marks == mark)
        return [(int(row), int(col)) for row, col in found]


@pytest.fixture(scope="module")
def aside() -> Iterator[SolverClient]:
    with SolverClient() as aside:
        yield aside


@pytest.fixture
def sit(aside: SolverClient) -> Iterator[Callable[..., Table]]:
    with Store.memory() as store:
        yield lambda rules, seed=None: Table(store, aside, rules, seed)


def test_a_hint_marks_what_is_safe_and_why(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)  # 1 # # # # # #: the second is a mine
    table.play(Verb.OPEN, 0, 2)  # 1 # 1 # # # #: so the fourth is safe
    table.hints.ask_for_hint()
    assert table.hints.is_waiting_for_solver
    table.answered()
    assert table.marked(Mark.SAFE) == [(0, 3)]
    assert set(table.marked(Mark.BECAUSE)) == {(0, 0), (0, 2)}
    assert "Row 1, column 4 is safe" in table.hints.text
    assert table.session.game.unranked == "hint"
    table.play(Verb.FLAG, 0, 1)
    assert table.marked(Mark.SAFE) == [(0, 3)]  # a note changes nothing
    table.play(Verb.OPEN, 0, 3)
    assert not table.hints.overlay
    assert table.hints.text == ""


def test_chances_come_and_go_under_the_marks_of_a_hint(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.play(Verb.OPEN, 0, 2)
    table.hints.ask_for_hint()
    table.answered()
    hint = table.hints.overlay
    table.hints.toggle_chances()
    table.answered()
    assert table.marked(Mark.SAFE) == [(0, 3)]
    assert table.overlay.risk[0, 1] == 100
    table.hints.toggle_chances()
    assert table.hints.overlay == hint


def test_where_nothing_is_certain_the_hint_is_a_guess(sit: Callable[..., Table]) -> None:
    table = sit(Rules(3, 1, 1, first="any"))
    table.lay((0, 0))
    table.play(Verb.OPEN, 0, 1)
    table.hints.ask_for_hint()
    table.answered()
    assert len(table.marked(Mark.GUESS)) == 1
    assert "50" in table.hints.text


def test_before_the_first_cell_no_help_is_counted(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10))
    table.hints.ask_for_hint()
    assert table.hints.text == "Start anywhere: the first cell is safe"
    table.hints.toggle_chances()
    assert not table.hints.is_showing_chances
    assert not table.hints.is_waiting_for_solver
    table.hints.ask_for_proof()
    assert "nothing to prove" in table.hints.text
    assert table.session.game.ranked


def test_chances_follow_the_game_and_end_with_it(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.hints.toggle_chances()
    table.answered()
    assert table.overlay.risk.tolist() == [[UNKNOWN, 100, 20, 20, 20, 20, 20]]
    assert table.session.game.unranked == "hint"
    table.play(Verb.OPEN, 0, 4)  # 1 # # # 1 # #
    table.answered()
    assert table.overlay.risk.tolist() == [[UNKNOWN, 100, 0, 50, UNKNOWN, 50, 0]]
    table.session.try_pause()
    table.hints.drop_outdated_hints()
    assert not table.hints.overlay  # the board is hidden, and so is what is known of it
    table.session.try_resume()
    table.hints.drop_outdated_hints()
    table.answered()
    assert table.hints.overlay
    table.hints.toggle_chances()
    assert not table.hints.overlay
    table.hints.toggle_chances()
    table.session.begin_new_game(ROW)
    table.hints.drop_outdated_hints()
    assert not table.hints.is_showing_chances
    assert table.session.game.ranked


def test_an_answer_to_a_position_that_is_no_more_is_dropped(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.play(Verb.OPEN, 0, 2)
    table.hints.ask_for_hint()
    table.play(Verb.OPEN, 0, 3)
    table.answered()
    assert not table.hints.overlay
    assert table.session.game.ranked


def test_a_loss_is_judged_without_being_asked(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.play(Verb.OPEN, 0, 2)
    table.play(Verb.OPEN, 0, 5)
    assert table.session.game.status is Status.LOST
    assert not table.hints.is_waiting_for_solver  # nobody waits for it
    table.listen(lambda: table.hints.text)
    assert table.marked(Mark.MISTAKE) == []  # the mine that was hit is red already
    assert table.marked(Mark.MISSED) == [(0, 3)]
    assert "A needless " in table.hints.text
    assert table.session.game.unranked == ""


def test_a_resigned_game_is_not_judged(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.session.play(Verb.RESIGN)
    table.hints.drop_outdated_hints()
    assert table.hints.take_solver_answers() is False
    assert table.hints.text == ""


def test_a_guess_free_board_is_laid_rated_and_proven(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10, guess_free=True))
    table.play(Verb.OPEN, 4, 4)
    assert "guess-free" in table.hints.text
    table.play(Verb.OPEN, 0, 0)  # the hand is quicker: the first cell stays the first
    table.listen(lambda: table.hints.rating is not None)
    game = table.session.game
    assert game.first_cell() == (4, 4)
    assert game.ranked
    assert table.hints.title_with_difficulty().startswith("Beginner, guess-free · hardest: ")
    assert not table.hints.ask_for_proof()  # that gives the game up
    assert "Press again to confirm" in table.hints.text
    assert table.session.game is game
    assert table.hints.ask_for_proof()
    table.listen(lambda: table.hints.is_showing_proof)
    assert game.resigned
    assert table.session.game.status is Status.RUNNING
    assert table.session.game.unranked == "hint"
    steps = 0
    while table.hints.is_showing_proof:
        assert table.hints.text.startswith(f"Step {steps + 1} of ")
        assert table.hints.proof_step_ms >= 700
        assert table.marked(Mark.SAFE) or table.marked(Mark.MINE)
        table.hints.show_next_proof_step()
        steps += 1
    assert steps > 3
    assert table.session.game.status.value == Status.WON.value
    assert table.hints.text == "Proven: this board needs no guess"


def test_playing_on_ends_a_proof(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10, guess_free=True))
    table.play(Verb.OPEN, 4, 4)
    table.listen(lambda: table.session.game.begun)
    table.session.restart_same_board()  # nothing is lost with this one
    table.hints.drop_outdated_hints()
    assert table.hints.ask_for_proof()
    table.listen(lambda: table.hints.is_showing_proof)
    game = table.session.game
    safe = np.argwhere(~(game.board.mine_map | game.board.open_map))[0]
    table.play(Verb.OPEN, int(safe[0]), int(safe[1]))
    assert not table.hints.is_showing_proof
    assert table.hints.text == ""


def test_a_move_while_a_proof_is_worked_out_keeps_the_game(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10, guess_free=True), 3)
    table.play(Verb.OPEN, 4, 4)
    table.listen(lambda: table.session.game.begun)
    table.session.restart_same_board()
    table.play(Verb.OPEN, 4, 4)
    table.hints.drop_outdated_hints()
    game = table.session.game
    assert table.hints.ask_for_proof()  # nothing but a first click is given up
    safe = np.argwhere(~(game.board.mine_map | game.board.open_map))
    for row, col in safe[:2].tolist():
        table.play(Verb.OPEN, row, col)
    table.answered()
    assert table.session.game is game
    assert game.status is Status.RUNNING
    assert not table.hints.is_showing_proof
    assert table.hints.text == ""


def test_impossible_promises_are_told(sit: Callable[..., Table]) -> None:
    table = sit(Rules(5, 5, 22, guess_free=True))
    table.play(Verb.OPEN, 2, 2)
    table.answered()
    assert table.session.game.status is Status.READY
    assert "guess-free" in table.hints.text
    table.session.begin_new_game(Rules(9, 9, 10))
    table.hints.drop_outdated_hints()
    table.play(Verb.OPEN, 0, 0)
    assert table.session.game.begun


def test_a_board_that_needs_a_guess_is_left_as_it_is(sit: Callable[..., Table]) -> None:
    table = sit(Rules(3, 1, 1, first="any"))
    table.lay((0, 0))
    table.play(Verb.OPEN, 0, 1)
    table.play(Verb.OPEN, 0, 0)
    table.listen(lambda: table.hints.text)
    game = table.session.game
    assert table.hints.ask_for_proof()
    table.answered()
    assert "needs a guess" in table.hints.text
    assert table.session.game is game


def test_words_follow_the_language(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10))
    table.hints.ask_for_hint()
    set_language("zh_CN")
    try:
        assert table.hints.text == "从哪里开始都行：第一格一定安全"
    finally:
        set_language("en")


def test_a_blunder_is_shown_what_was_less_risky(sit: Callable[..., Table]) -> None:
    table = sit(Rules(8, 1, 2, first="any"))
    table.lay((0, 0), (0, 7))
    table.play(Verb.OPEN, 0, 1)  # # 1 # # # # # #
    table.play(Verb.OPEN, 0, 0)
    table.listen(lambda: table.hints.text)
    assert " had only " in table.hints.text
    assert len(table.marked(Mark.GUESS)) == 1
    assert not table.marked(Mark.MISSED)


def test_a_rare_board_is_searched_for_as_long_as_the_player_waits(
    sit: Callable[..., Table],
) -> None:
    table = sit(Rules(60, 2, 4, guess_free=True), 3)
    table.has_progress_at_once = True
    table.play(Verb.OPEN, 0, 30)  # the first round finds none
    assert "1 tried. Wait" in table.hints.text
    assert table.hints.is_waiting_for_solver
    first = table.hints.text
    table.play(Verb.FLAG, 0, 0)
    assert table.hints.text == first
    table.listen(lambda: table.hints.text != first)
    assert "Wait, or choose other rules" in table.hints.text or table.session.game.begun
    table.listen(lambda: table.session.game.begun)
    assert table.session.game.first_cell() == (0, 30)
    assert "no guess-free" not in table.hints.text


def test_other_rules_end_a_search(sit: Callable[..., Table]) -> None:
    table = sit(Rules(200, 2, 9, guess_free=True), 1)
    table.play(Verb.OPEN, 0, 100)
    table.listen(lambda: "tried. Wait" in table.hints.text)
    table.session.begin_new_game(Rules(9, 9, 10, guess_free=True))
    table.hints.drop_outdated_hints()
    assert table.hints.text == ""
    assert not table.hints.is_waiting_for_solver
    table.play(Verb.OPEN, 4, 4)
    table.listen(lambda: table.session.game.begun)
    table.session.begin_new_game(Rules(200, 2, 9, guess_free=True))
    table.hints.drop_outdated_hints()
    table.play(Verb.OPEN, 0, 100)
    table.listen(lambda: "tried. Wait" in table.hints.text)
    table.hints.dismiss()  # let go: nothing is begun, and the next click asks again
    assert table.hints.text == ""
    assert not table.session.game.begun
    table.play(Verb.OPEN, 0, 99)
    table.listen(lambda: "tried. Wait" in table.hints.text)
    table.hints.dismiss()


def test_a_practice_game_is_not_given_up_by_one_key_either(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10, guess_free=True))
    table.play(Verb.OPEN, 4, 4)
    table.listen(lambda: table.session.game.begun)
    game = table.session.game
    row, col = (int(at) for at in np.argwhere(game.board.mine_map)[0])
    table.session.play(Verb.HINT, row, col)
    table.session.play(Verb.FLAG, row, col)
    table.hints.drop_outdated_hints()
    assert not table.hints.ask_for_proof()
    assert table.session.game is game
    assert "Press again to confirm" in table.hints.text
    assert table.hints.ask_for_proof()


def test_the_end_tells_how_many_guesses_were_safe(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)  # 1 # # # # # #: one mine in the second, one in the other five
    assert table.hints.guesses is None
    for col in (2, 3, 6):  # a guess at one of those five; then all is certain
        table.play(Verb.OPEN, 0, col)
    assert table.session.game.status is Status.WON
    assert not table.hints.is_waiting_for_solver
    table.hints.dismiss()  # who clears the hints still sees it
    table.listen(lambda: table.hints.guesses)
    assert table.hints.guesses == pytest.approx((1, 4 / 5))


def test_a_new_game_drops_the_luck_of_the_last(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.play(Verb.OPEN, 0, 5)
    assert [each.purpose for each in table.hints._asked] == ["judge", "guesses"]
    table.session.begin_new_game(ROW)
    table.hints.drop_outdated_hints()
    table.listen(lambda: not table.hints._asked)  # an answer on its way is thrown away
    assert table.hints.guesses is None
    assert table.hints.text == ""
