"""Flags that hold: openings go around them, as the competitive clients play it."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic import board_state as board_module
from demine.logic.board_state import Board
from demine.logic.errors import RulesError
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import BaseGame
from demine.logic.journal import format_journal, parse_journal
from demine.logic.layout import deal
from demine.logic.rules import EXPERT, Flags, Rules
from tests.logic.boards import Mines, around


def play(text: str, mines: list[str], *acts: tuple[str, int, int]) -> Board:
    board = Board(Rules.parse(text))
    board.apply_unless_refused(Lay(0, np.array([[cell == "*" for cell in row] for row in mines])))
    for verb, row, col in acts:
        act = Act(0, Verb(verb), row, col)
        assert board.refusal(act) is None
        board.apply_unless_refused(act)
    return board


def shown(board: Board) -> list[str]:
    rows = np.where(board.open_map, board.hint_map.astype(str), "#")
    rows[board.flag_map] = "F"
    rows[board.question_map] = "?"
    return ["".join(row) for row in rows]


def test_the_choice_is_text_that_parses_back() -> None:
    rules = Rules.parse("expert flags=hold")
    assert rules.flags is Flags.HOLD
    assert str(rules) == "30x16/99 flags=hold"
    assert Rules.parse(str(rules)) == rules != EXPERT
    assert Rules.parse("expert flags=yield") == EXPERT
    with pytest.raises(RulesError, match="'stay' is not valid for flags: use yield, hold"):
        Rules.parse("expert flags=stay")


def test_a_flag_keeps_its_cell_closed() -> None:
    mines = ["......", "......", "*....."]
    flagged = (("flag", 0, 2), ("open", 0, 5))
    assert shown(play("6x3/1", mines, *flagged)) == ["000000", "110000", "#10000"]
    held = play("6x3/1 flags=hold", mines, *flagged)
    assert shown(held) == ["00F000", "110000", "#10000"]
    assert (held.opened, held.flags, held.won) == (16, 1, False)


def test_what_lies_behind_a_wall_of_flags_opens_by_another_click() -> None:
    wall = (("flag", 0, 1), ("flag", 1, 1), ("open", 0, 3))
    mines = ["....", "...."]
    board = play("4x2/0 flags=hold", mines, *wall)
    assert shown(board) == ["#F00", "#F00"]
    board = play("4x2/0 flags=hold", mines, *wall, ("flag", 0, 1), ("open", 0, 1))
    assert shown(board) == ["0000", "0F00"]
    assert not board.won
    board = play("4x2/0 flags=hold", mines, *wall, *wall[:2], ("open", 0, 1))
    assert board.won


def test_question_marks_hold_nothing() -> None:
    board = play("4x1/0 flags=hold", ["...."], ("question", 0, 1), ("open", 0, 3))
    assert shown(board) == ["0000"]


def test_the_choice_travels_in_journals_and_codes() -> None:
    game = BaseGame(Rules.parse("9x9/10 flags=hold"), 3)
    game.play(Act(0, Verb.FLAG, 0, 0))
    game.play(Act(0, Verb.OPEN, 4, 4))
    assert parse_journal(BaseGame, format_journal(game)) == game
    assert ".zoh." in game.share()
    assert BaseGame.from_share(game.share()).rules == game.rules


def spread(board: Board, start: tuple[int, int]) -> Mines:
    """What opens from a covered cell, cell by cell, as a client's own recursion does it."""
    opened, waiting = board.open_map.copy(), deque([start])
    while waiting:
        cell = waiting.popleft()
        if opened[cell] or board.flag_map[cell]:
            continue
        opened[cell] = True
        if not board.hint_map[cell]:
            waiting.extend(around(*cell, *board.rules.shape))
    return opened


def follow(seed: int, clicks: list[tuple[int, int, int]]) -> None:
    rules = Rules(9, 7, 5, flags="hold")
    board = Board(rules)
    board.apply_unless_refused(Lay(0, deal(rules, seed)))
    for row, col, kind in clicks:
        act = Act(0, (Verb.FLAG, Verb.FLAG, Verb.OPEN)[kind], row, col)
        if board.refusal(act) is None and not (kind == 2 and board.mine_map[row, col]):
            flags = board.flag_map.copy()
            expected = spread(board, (row, col)) if kind == 2 else board.open_map.copy()
            board.apply_unless_refused(act)
            assert np.array_equal(board.open_map, expected)
            assert board.opened == np.count_nonzero(expected)
            assert kind != 2 or np.array_equal(board.flag_map, flags)


CLICKS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 8), st.integers(0, 2)), max_size=60)


@given(st.integers(0, 99), CLICKS)
def test_openings_go_where_a_clients_recursion_goes(
    seed: int, clicks: list[tuple[int, int, int]]
) -> None:
    follow(seed, clicks)


@pytest.mark.parametrize("seed", range(30))
def test_huge_boards_open_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "_WIDE", 0)
    rng = np.random.default_rng(seed)
    follow(seed, [(int(r % 7), int(r % 9), int(r % 3)) for r in rng.integers(0, 10**6, 80)])
