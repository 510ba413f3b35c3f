"""The coach: hints, chances, verdicts and proofs, from a real solver in another process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from demine.logic.event import Lay, Verb
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.play.hints import Coach
from demine.play.session import Sitting
from demine.scene.overlay import UNKNOWN, Mark
from demine.scene.preferences import Preferences, Wishes
from demine.scene.translation import set_language
from demine.solver.service.client import Aside
from demine.store import Store

SECONDS = 60.0
ROW = Rules(7, 1, 2, first="any")
"""One row of cells."""


class Table:
    """A player at a board with a coach beside it."""

    def __init__(self, store: Store, aside: Aside, rules: Rules, seed: int | None = None) -> None:
        self.sitting = Sitting.begin(store, Wishes(rules=rules, seed=seed), Preferences())
        self._woken = threading.Event()
        self.coach = Coach(self.sitting, aside.ask, self._woken.set)

    def lay(self, *mines: tuple[int, int]) -> None:
        """Put the mines where a test needs them."""
        mine_map = np.zeros(self.sitting.game.rules.shape, np.bool_)
        for cell in mines:
            mine_map[cell] = True
        self.sitting.game.lay(Lay(0, mine_map))

    def play(self, verb: Verb, row: int, col: int) -> None:
        """Play as a window does."""
        self.sitting.play(verb, row, col)
        self.coach.follow()

    def listen(self, until: Callable[[], object]) -> None:
        """Take answers up as they come, until something holds."""
        while not until():
            assert self._woken.wait(SECONDS), self.coach.words
            self._woken.clear()
            self.coach.hear()

    def answered(self) -> None:
        """Wait for every answer the player asked for."""
        self.listen(lambda: not self.coach.busy)

    def marked(self, mark: Mark) -> list[tuple[int, int]]:
        """Where a mark lies."""
        found = np.argwhere(self.coach.overlay.marks == mark)
        return [(int(row), int(col)) for row, col in found]


@pytest.fixture(scope="module")
def aside() -> Iterator[Aside]:
    with Aside() as aside:
        yield aside


@pytest.fixture
def sit(aside: Aside) -> Iterator[Callable[..., Table]]:
    with Store.memory() as store:
        yield lambda rules, seed=None: Table(store, aside, rules, seed)


def test_a_hint_marks_what_is_safe_and_why(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)  # 1 # # # # # #: the second is a mine
    table.play(Verb.OPEN, 0, 2)  # 1 # 1 # # # #: so the fourth is safe
    table.coach.hint()
    assert table.coach.busy
    table.answered()
    assert table.marked(Mark.SAFE) == [(0, 3)]
    assert set(table.marked(Mark.BECAUSE)) == {(0, 0), (0, 2)}
    assert "Row 0, column 3 is safe" in table.coach.words
    assert table.sitting.game.unranked == "hint"
    table.play(Verb.FLAG, 0, 1)
    assert table.marked(Mark.SAFE) == [(0, 3)]  # a note changes nothing
    table.play(Verb.OPEN, 0, 3)
    assert not table.coach.overlay
    assert table.coach.words == ""


def test_chances_come_and_go_under_the_marks_of_a_hint(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.play(Verb.OPEN, 0, 2)
    table.coach.hint()
    table.answered()
    hint = table.coach.overlay
    table.coach.toggle_chances()
    table.answered()
    assert table.marked(Mark.SAFE) == [(0, 3)]
    assert table.coach.overlay.risk[0, 1] == 100
    table.coach.toggle_chances()
    assert table.coach.overlay == hint


def test_where_nothing_is_certain_the_hint_is_a_guess(sit: Callable[..., Table]) -> None:
    table = sit(Rules(3, 1, 1, first="any"))
    table.lay((0, 0))
    table.play(Verb.OPEN, 0, 1)
    table.coach.hint()
    table.answered()
    assert len(table.marked(Mark.GUESS)) == 1
    assert "50" in table.coach.words


def test_before_the_first_cell_no_help_is_counted(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10))
    table.coach.hint()
    assert table.coach.words == "Begin anywhere: the first cell is safe"
    table.coach.toggle_chances()
    assert not table.coach.showing_chances
    assert not table.coach.busy
    table.coach.prove()
    assert "nothing to prove" in table.coach.words
    assert table.sitting.game.ranked


def test_chances_follow_the_game_and_end_with_it(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.coach.toggle_chances()
    table.answered()
    assert table.coach.overlay.risk.tolist() == [[UNKNOWN, 100, 20, 20, 20, 20, 20]]
    assert table.sitting.game.unranked == "hint"
    table.play(Verb.OPEN, 0, 4)  # 1 # # # 1 # #
    table.answered()
    assert table.coach.overlay.risk.tolist() == [[UNKNOWN, 100, 0, 50, UNKNOWN, 50, 0]]
    table.sitting.toggle_pause()
    table.coach.follow()
    assert not table.coach.overlay  # the board is hidden, and so is what is known of it
    table.sitting.toggle_pause()
    table.coach.follow()
    table.answered()
    assert table.coach.overlay
    table.coach.toggle_chances()
    assert not table.coach.overlay
    table.coach.toggle_chances()
    table.sitting.new(ROW)
    table.coach.follow()
    assert not table.coach.showing_chances
    assert table.sitting.game.ranked


def test_an_answer_to_a_position_that_is_no_more_is_dropped(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.play(Verb.OPEN, 0, 2)
    table.coach.hint()
    table.play(Verb.OPEN, 0, 3)
    table.answered()
    assert not table.coach.overlay
    assert table.sitting.game.ranked


def test_a_loss_is_judged_without_being_asked(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.play(Verb.OPEN, 0, 2)
    table.play(Verb.OPEN, 0, 5)
    assert table.sitting.game.status is Status.LOST
    assert not table.coach.busy  # nobody waits for it
    table.listen(lambda: table.coach.words)
    assert table.marked(Mark.MISTAKE) == [(0, 5)]
    assert table.marked(Mark.MISSED) == [(0, 3)]
    assert "needless risk" in table.coach.words
    assert table.sitting.game.unranked == ""


def test_a_resigned_game_is_not_judged(sit: Callable[..., Table]) -> None:
    table = sit(ROW)
    table.lay((0, 1), (0, 5))
    table.play(Verb.OPEN, 0, 0)
    table.sitting.play(Verb.RESIGN)
    table.coach.follow()
    assert table.coach.hear() is False
    assert table.coach.words == ""


def test_a_guess_free_board_is_laid_rated_and_proven(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10, guess_free=True))
    table.play(Verb.OPEN, 4, 4)
    assert "needs no guess" in table.coach.words
    table.play(Verb.OPEN, 0, 0)  # the hand is quicker: the first cell stays the first
    table.listen(lambda: table.coach.rating is not None)
    game = table.sitting.game
    assert game.first_cell() == (4, 4)
    assert game.ranked
    assert table.coach.title().startswith("Beginner, guess-free · hardest: ")
    assert not table.coach.prove()  # that gives the game up
    assert "ask once more" in table.coach.words
    assert table.sitting.game is game
    assert table.coach.prove()
    table.listen(lambda: table.coach.proving)
    assert game.resigned
    assert table.sitting.game.status is Status.RUNNING
    assert table.sitting.game.unranked == "hint"
    steps = 0
    while table.coach.proving:
        assert table.coach.words.startswith(f"{steps + 1} of ")
        assert table.coach.pace_ms >= 700
        assert table.marked(Mark.SAFE) or table.marked(Mark.MINE)
        table.coach.step()
        steps += 1
    assert steps > 3
    assert table.sitting.game.status.value == Status.WON.value
    assert table.coach.words == "Proven: this board needs no guess"


def test_playing_on_ends_a_proof(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10, guess_free=True))
    table.play(Verb.OPEN, 4, 4)
    table.listen(lambda: table.sitting.game.begun)
    table.sitting.again()  # nothing is lost with this one
    table.coach.follow()
    assert table.coach.prove()
    table.listen(lambda: table.coach.proving)
    game = table.sitting.game
    safe = np.argwhere(~(game.board.mine_map | game.board.open_map))[0]
    table.play(Verb.OPEN, int(safe[0]), int(safe[1]))
    assert not table.coach.proving
    assert table.coach.words == ""


def test_impossible_promises_are_told(sit: Callable[..., Table]) -> None:
    table = sit(Rules(5, 5, 22, guess_free=True))
    table.play(Verb.OPEN, 2, 2)
    table.answered()
    assert table.sitting.game.status is Status.READY
    assert "guess-free" in table.coach.words
    table.sitting.new(Rules(9, 9, 10))
    table.coach.follow()
    table.play(Verb.OPEN, 0, 0)
    assert table.sitting.game.begun


def test_a_board_that_needs_a_guess_is_left_as_it_is(sit: Callable[..., Table]) -> None:
    table = sit(Rules(3, 1, 1, first="any"))
    table.lay((0, 0))
    table.play(Verb.OPEN, 0, 1)
    table.play(Verb.OPEN, 0, 0)
    table.listen(lambda: table.coach.words)
    game = table.sitting.game
    assert table.coach.prove()
    table.answered()
    assert "needs a guess" in table.coach.words
    assert table.sitting.game is game


def test_words_follow_the_language(sit: Callable[..., Table]) -> None:
    table = sit(Rules(9, 9, 10))
    table.coach.hint()
    set_language("zh_CN")
    try:
        assert table.coach.words == "从哪里开始都行：第一个格子一定安全"
    finally:
        set_language("en")


def test_a_blunder_is_shown_what_was_less_risky(sit: Callable[..., Table]) -> None:
    table = sit(Rules(8, 1, 2, first="any"))
    table.lay((0, 0), (0, 7))
    table.play(Verb.OPEN, 0, 1)  # # 1 # # # # # #
    table.play(Verb.OPEN, 0, 0)
    table.listen(lambda: table.coach.words)
    assert "more risk than needed" in table.coach.words
    assert len(table.marked(Mark.GUESS)) == 1
    assert not table.marked(Mark.MISSED)


def test_a_rare_board_is_searched_for_as_long_as_the_player_waits(
    sit: Callable[..., Table],
) -> None:
    table = sit(Rules(60, 2, 4, guess_free=True), 3)
    table.play(Verb.OPEN, 0, 30)  # the first round finds none
    table.listen(lambda: "tried so far" in table.coach.words)
    assert table.coach.busy
    first = table.coach.words
    table.play(Verb.FLAG, 0, 0)
    table.listen(lambda: table.coach.words != first)
    assert "Wait, or choose other rules" in table.coach.words or table.sitting.game.begun
    table.listen(lambda: table.sitting.game.begun)
    assert table.sitting.game.first_cell() == (0, 30)
    assert "no guess-free" not in table.coach.words


def test_other_rules_end_a_search(sit: Callable[..., Table]) -> None:
    table = sit(Rules(200, 2, 9, guess_free=True), 1)
    table.play(Verb.OPEN, 0, 100)
    table.listen(lambda: "tried so far" in table.coach.words)
    table.sitting.new(Rules(9, 9, 10, guess_free=True))
    table.coach.follow()
    assert table.coach.words == ""
    assert not table.coach.busy
    table.play(Verb.OPEN, 4, 4)
    table.listen(lambda: table.sitting.game.begun)
    table.sitting.new(Rules(200, 2, 9, guess_free=True))
    table.coach.follow()
    table.play(Verb.OPEN, 0, 100)
    table.listen(lambda: "tried so far" in table.coach.words)
    table.coach.stop()  # let go: nothing is begun, and the next click asks again
    assert table.coach.words == ""
    assert not table.sitting.game.begun
    table.play(Verb.OPEN, 0, 99)
    table.listen(lambda: "tried so far" in table.coach.words)
    table.coach.stop()
