"""Whatever is played, in whatever order: what is always true of a game."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from demine.logic.board_state import Board, board_after_events
from demine.logic.errors import ActError
from demine.logic.event import BOARD_VERBS, CELL_VERBS, Act, Lay, Touch, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.neighbours import neighbours
from demine.logic.rules import Goal, Rules
from demine.scene.cell_faces import Face
from demine.scene.sight import sight
from tests.logic.boards import Mines, playable

RUNNING = (Face.MINE, Face.BLOWN, Face.WRONG)
FAR = st.integers(0, 200)


class Play(RuleBasedStateMachine):
    """A player who tries everything, right or wrong, and looks at everything after each act."""

    @initialize(rules=playable(7), seed=st.integers(0, 2**48))
    def sit_down(self, rules: Rules, seed: int) -> None:
        self.game = BaseGame(rules, seed)
        self.t = 0
        self.boards: list[Board] = []
        self.history: dict[int, Board] = {}

    def cell(self, number: int) -> tuple[int, int]:
        return divmod(number % self.game.rules.cells, self.game.rules.width)

    def play(self, verb: Verb, row: int = -1, col: int = -1) -> bool:
        """Try an act through all three doors; whether it was allowed."""
        game = self.game
        act = Act(self.t, verb, row, col)
        events, status = game.events, game.status
        before = copy.deepcopy(game.board)
        if not game.can(act):
            for door in (game.check, game.play):
                with pytest.raises(ActError):
                    door(act)
            assert (game.events, game.status) == (events, status)
            assert game.board == before
            return False
        game.check(act)
        begun = game.begun
        assert game.play(act) is game.status
        if game.begun and not begun:
            self.t = 0
            assert game.time_ms == 0
        assert game.events[-1] == Act(self.t, verb, row, col)
        if verb in BOARD_VERBS:
            assert game.board != before
            self.boards.append(before)
        return True

    @rule(seconds=st.integers(0, 3000))
    def wait(self, seconds: int) -> None:
        self.t += seconds

    @rule(number=FAR)
    def open(self, number: int) -> None:
        row, col = self.cell(number)
        flagged = self.game.board.flag_map[row, col]
        if self.play(Verb.OPEN, row, col):
            assert not flagged
            board = self.game.board
            assert board.open_map[row, col] or (row, col) in board.blown
            # Opening is idempotent: the game refuses, the board does not move.
            before = copy.deepcopy(board)
            board.apply_unless_refused(Act(self.t, Verb.OPEN, row, col))
            assert board == before

    @rule(number=FAR, verb=st.sampled_from([Verb.FLAG, Verb.QUESTION]))
    def mark(self, number: int, verb: Verb) -> None:
        row, col = self.cell(number)
        opened = self.game.board.open_map[row, col]
        if self.play(verb, row, col):
            assert not opened
            board = self.game.board
            assert not (board.flag_map[row, col] and board.question_map[row, col])

    @rule(number=FAR)
    def chord(self, number: int) -> None:
        row, col = self.cell(number)
        board = self.game.board
        near = list(neighbours(row, col, *self.game.rules.shape))
        flags = sum(bool(board.flag_map[cell]) for cell in near)
        fits = bool(board.open_map[row, col]) and flags == board.hint_map[row, col]
        if self.play(Verb.CHORD, row, col):
            assert fits
            board = self.game.board
            assert all(board.open_map[c] or board.flag_map[c] or c in board.blown for c in near)

    @precondition(lambda self: self.game.begun)
    @rule(number=FAR)
    def flag_the_mines_around_and_chord(self, number: int) -> None:
        row, col = self.cell(number)
        for cell in neighbours(row, col, *self.game.rules.shape):
            if self.game.board.mine_map[cell] and not self.game.board.flag_map[cell]:
                self.play(Verb.FLAG, *cell)
        self.chord(number)

    @rule(number=FAR)
    def ask_for_help(self, number: int) -> None:
        before = copy.deepcopy(self.game.board)
        if self.play(Verb.HINT, *self.cell(number)):
            assert self.game.board == before
            assert self.game.hinted
            assert not self.game.ranked

    @rule()
    def undo(self) -> None:
        before, unranked = copy.deepcopy(self.game.board), self.game.unranked
        if self.play(Verb.UNDO):
            # The mines stay laid; everything else is what it was before the last act.
            expected, board = self.boards.pop(), self.game.board
            for name in ("open_map", "flag_map", "question_map"):
                assert np.array_equal(getattr(board, name), getattr(expected, name))
            assert (board.opened, board.flags, board.blown) == (
                expected.opened, expected.flags, expected.blown,
            )  # fmt: skip
            assert board == expected or not expected.laid
            # Flags and question marks tell nothing, so taking them back costs nothing.
            if (board.opened, board.blown) == (before.opened, before.blown):
                assert self.game.unranked == unranked
            else:
                helped_first = unranked == "hint"
                assert self.game.unranked == ("hint" if helped_first else "undo")

    @rule(verb=st.sampled_from([Verb.PAUSE, Verb.RESUME]))
    def stop_and_go(self, verb: Verb) -> None:
        if self.play(verb):
            assert (self.game.status is Status.PAUSED) == (verb is Verb.PAUSE)

    @rule(sure=st.integers(0, 9))
    def resign(self, sure: int) -> None:
        if sure == 0 and self.play(Verb.RESIGN):
            assert self.game.status is Status.LOST

    @rule(x=st.integers(-20, 200), y=st.integers(-20, 200))
    def touch(self, x: int, y: int) -> None:
        before = copy.deepcopy(self.game.board)
        self.game.touch(Touch(self.t, "left", "press", x, y))
        assert self.game.board == before

    @rule(verb=st.sampled_from(Verb), number=FAR)
    def act_in_the_past(self, verb: Verb, number: int) -> None:
        if self.game.events:
            cell = self.cell(number) if verb in CELL_VERBS else (-1, -1)
            assert not self.game.can(Act(self.game.events[-1].t - 1, verb, *cell))

    @invariant()
    def the_fold_is_the_board(self) -> None:
        if hasattr(self, "game"):
            assert board_after_events(self.game.rules, self.game.events) == self.game.board
            self.history[len(self.game.events)] = copy.deepcopy(self.game.board)

    @invariant()
    def counts_are_right(self) -> None:
        if hasattr(self, "game"):
            board = self.game.board
            assert board.opened == np.count_nonzero(board.open_map)
            assert board.flags == np.count_nonzero(board.flag_map)
            assert not (board.open_map & (board.mine_map | board.flag_map)).any()
            assert all(board.mine_map[cell] for cell in board.blown)

    @invariant()
    def time_is_in_order(self) -> None:
        if hasattr(self, "game"):
            times = [event.t for event in self.game.events]
            assert times == sorted(times)
            opens = [e for e in self.game.events if isinstance(e, Act) and e.verb is Verb.OPEN]
            assert not opens or opens[0].t == 0
            assert bool(opens) == self.game.begun

    @invariant()
    def a_game_that_goes_on_shows_no_mine(self) -> None:
        if hasattr(self, "game") and not self.game.status.over:
            faces = sight(self.game)
            forgiven = () if self.game.status is Status.PAUSED else self.game.board.blown
            for cell in forgiven:
                assert faces[cell] == Face.BLOWN
                faces[cell] = Face.COVERED
            assert not np.isin(faces, RUNNING).any()

    @invariant()
    def the_goal_is_what_wins(self) -> None:
        if not hasattr(self, "game") or not self.game.board.laid:
            return
        game, board = self.game, self.game.board
        if game.rules.goal is Goal.FLAG:
            known = board.flag_map.copy()
            for cell in board.blown:
                known[cell] = True
            reached = np.array_equal(known, board.mine_map)
        else:
            reached = np.array_equal(board.open_map, ~board.mine_map)
        dead = len(board.blown) >= game.rules.lives
        fair = game.begun and not dead and not game.resigned
        assert (game.status is Status.WON) == (reached and fair)
        assert (game.status is Status.LOST) == (dead or game.resigned)

    def teardown(self) -> None:
        if not hasattr(self, "game"):
            return
        for length, board in self.history.items():
            assert board_after_events(self.game.rules, self.game.events[:length]) == board
        assert parse_journal(BaseGame, format_journal(self.game)) == self.game


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


def other_mines(game: BaseGame, seed: int) -> Mines | None:
    """Other mines that give the same opened numbers, so far as a few random swaps find them."""
    board = game.board
    rng = np.random.default_rng(seed)
    covered = np.flatnonzero(~board.open_map.ravel())
    numbers = board.hint_map[board.open_map]
    for _ in range(60):
        mines = np.zeros(game.rules.cells, dtype=np.bool_)
        mines[rng.choice(covered, game.rules.mines, replace=False)] = True
        trial = Board(game.rules)
        trial.apply_unless_refused(Lay(0, mines.reshape(game.rules.shape)))
        same = np.array_equal(trial.hint_map[board.open_map], numbers)
        if same and not np.array_equal(trial.mine_map, board.mine_map):
            return trial.mine_map
    return None


def test_the_sight_of_a_game_does_not_depend_on_what_is_hidden() -> None:
    compared = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        rules = Rules(4, 3, 3, first="any")
        game = BaseGame(rules, seed)
        for _ in range(12):
            cell = divmod(int(rng.integers(rules.cells)), rules.width)
            verb = list(BOARD_VERBS)[int(rng.integers(4))] if game.begun else Verb.OPEN
            act = Act(0, verb, *cell)
            trial = copy.deepcopy(game)
            # A player who opens no mine, so that the game goes on.
            if game.can(act) and not trial.play(act).over:
                game.play(act)
        mines = other_mines(game, seed) if game.begun else None
        if mines is None:
            continue
        twin = BaseGame(rules, seed)
        for event in game.events:
            if isinstance(event, Lay):
                twin.lay(Lay(0, mines))
            elif isinstance(event, Act):
                twin.play(event)
        compared += 1
        assert np.array_equal(sight(twin), sight(game))
        assert twin.status is game.status
        for number in range(rules.cells):
            for verb in Verb:
                cell = divmod(number, rules.width) if verb in CELL_VERBS else (-1, -1)
                assert twin.can(Act(0, verb, *cell)) == game.can(Act(0, verb, *cell))
    assert compared > 50
