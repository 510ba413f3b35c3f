"""The logic boards, by example: what opens, what a chord does, what flags count for."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic import board_state as board_module
from demine.logic import flood_by_rows
from demine.logic.board_state import Board, board_after_events, board_events_not_undone
from demine.logic.errors import LayoutError
from demine.logic.event import Act, Event, Lay, Touch, Verb
from demine.logic.game import BaseGame
from demine.logic.kernels import OPENING_KERNELS
from demine.logic.layout import deal, parse_layout
from demine.logic.neighbours import count_around
from demine.logic.rules import EXPERT, Rules
from tests.logic.boards import COMMON, Mines, mine_maps, slow_opening

LAYOUT = """5x4/3
    *....
    .....
    ....*
    ...*."""


def board_on(layout: str) -> Board:
    rules, mines = parse_layout(layout)
    board = Board(rules)
    board.apply_unless_refused(Lay(0, mines))
    return board


def do(board: Board, text: str) -> Board:
    """Follow acts given as `open 0,1; flag 2,2`; each has to change the board."""
    for words in text.split(";"):
        verb, cell = words.split()
        row, col = map(int, cell.split(","))
        act = Act(0, Verb(verb), row, col)
        assert board.refusal(act) is None, words
        board.apply_unless_refused(act)
    return board


def refusal(board: Board, verb: Verb, row: int, col: int) -> str:
    """The sentence that refuses an act, which then changes nothing."""
    act = Act(0, verb, row, col)
    error = board.refusal(act)
    before = copy.deepcopy(board)
    board.apply_unless_refused(act)
    assert error is None or board == before
    return str(error) if error else ""


def seen(board: Board) -> str:
    """The board as a player's diagram."""
    rows = np.where(board.open_map, board.hint_map.astype(str), "#")
    rows[board.flag_map] = "F"
    rows[board.question_map] = "?"
    for cell in board.blown:
        rows[cell] = "X"
    return "\n".join("".join(row) for row in rows)


def test_a_new_board_is_blank() -> None:
    board = Board(EXPERT)
    for view in (
        board.mine_map,
        board.hint_map,
        board.open_map,
        board.flag_map,
        board.question_map,
    ):
        assert view.shape == EXPERT.shape
        assert not view.any()
    assert (board.laid, board.opened, board.flags, board.blown) == (False, 0, 0, ())
    assert not board.won
    assert not board.lost


@pytest.mark.parametrize("size", ["5x4/3", "300x300/9"])
def test_views_are_read_only_and_live(size: str) -> None:
    rules = Rules.parse(size)
    board = Board(rules)
    views = {
        "mine_map": np.bool_, "hint_map": np.uint8, "open_map": np.bool_,
        "flag_map": np.bool_, "question_map": np.bool_,
    }  # fmt: skip
    before = board.flag_map
    for name, dtype in views.items():
        view = getattr(board, name)
        assert view.dtype == dtype
        with pytest.raises(ValueError, match="read-only"):
            view[0, 0] = 1
    board.apply_unless_refused(Act(0, Verb.FLAG, 1, 2))
    assert before[1, 2]
    assert np.count_nonzero(before) == 1


@given(mine_maps())
def test_laying_counts_the_hints(mines: Mines) -> None:
    if mines.all():
        return
    rules = Rules(mines.shape[1], mines.shape[0], np.count_nonzero(mines))
    board = Board(rules)
    board.apply_unless_refused(Lay(0, mines))
    assert board.laid
    assert np.array_equal(board.mine_map, mines)
    assert np.array_equal(board.hint_map, count_around(mines))


def test_mines_of_other_rules_are_not_laid() -> None:
    board = Board(Rules(5, 4, 3))
    with pytest.raises(LayoutError):
        board.apply_unless_refused(Lay(0, np.zeros((4, 5), dtype=np.bool_)))
    with pytest.raises(LayoutError):
        board.apply_unless_refused(Lay(0, np.eye(3, dtype=np.bool_)))
    assert board == Board(Rules(5, 4, 3))


def test_a_number_opens_alone_and_a_zero_opens_its_opening() -> None:
    board = do(board_on(LAYOUT), "open 0,1")
    assert seen(board) == "#1###\n#####\n#####\n#####"
    do(board, "open 0,4")
    assert seen(board) == "#1000\n11011\n0012#\n001##"
    assert board.opened == 16


def test_the_last_safe_cell_wins() -> None:
    assert not do(board_on(LAYOUT), "open 0,4").won
    board = do(board_on(LAYOUT), "open 0,4; open 3,4")
    assert board.won
    assert not board.lost


def test_a_mine_loses() -> None:
    board = do(board_on(LAYOUT), "open 2,4")
    assert board.blown == ((2, 4),)
    assert board.lost
    assert not board.won
    assert board.opened == 0


def test_a_mine_blows_once() -> None:
    board = do(board_on(LAYOUT), "open 2,4")
    assert refusal(board, Verb.OPEN, 2, 4) == "row 3, column 5 is open already"
    do(board, "open 1,3; flag 2,3; chord 1,3")
    assert board.blown == ((2, 4),)


def test_an_opening_passes_over_wrong_notes_and_takes_them_off() -> None:
    board = do(board_on(LAYOUT), "flag 0,3; flag 1,1; question 0,2; question 2,2; flag 0,0")
    assert seen(board) == "F#?F#\n#F###\n##?##\n#####"
    do(board, "open 0,4")
    assert seen(board) == "F1000\n11011\n0012#\n001##"
    assert board.flags == 1
    assert not board.question_map.any()


def test_a_flagged_cell_does_not_open_and_a_question_does() -> None:
    board = do(board_on(LAYOUT), "flag 0,4; question 0,1")
    assert refusal(board, Verb.OPEN, 0, 4) == (
        "row 1, column 5 is flagged: take the flag off to open it"
    )
    do(board, "open 0,1")
    assert seen(board) == "#1##F\n#####\n#####\n#####"


def test_marks_give_way_to_each_other() -> None:
    board = do(board_on(LAYOUT), "flag 2,2; question 2,2")
    assert board.flags == 0
    assert board.question_map[2, 2]
    do(board, "flag 2,2")
    assert board.flags == 1
    assert not board.question_map.any()
    do(board, "flag 2,2")
    assert board.flags == 0
    do(board, "question 2,2; question 2,2")
    assert not board.question_map.any()


def test_a_chord_opens_what_is_left() -> None:
    board = do(board_on(LAYOUT), "open 0,1; flag 0,0; chord 0,1")
    assert seen(board) == "F1000\n11011\n0012#\n001##"


def test_a_chord_needs_its_flags() -> None:
    board = do(board_on(LAYOUT), "open 1,3; open 2,3")
    assert refusal(board, Verb.CHORD, 2, 3) == "the 2 at row 3, column 4 has 0 flags around it"
    do(board, "flag 2,4")
    assert refusal(board, Verb.CHORD, 2, 3) == "the 2 at row 3, column 4 has 1 flags around it"
    do(board, "flag 3,3; flag 3,4")
    assert refusal(board, Verb.CHORD, 2, 3) == "the 2 at row 3, column 4 has 3 flags around it"
    do(board, "flag 3,4; chord 2,3")
    assert not board.lost
    assert board.open_map[3, 4]


def test_questions_do_not_count_for_a_chord() -> None:
    board = do(board_on(LAYOUT), "open 0,1; question 0,0")
    assert refusal(board, Verb.CHORD, 0, 1) == "the 1 at row 1, column 2 has 0 flags around it"


def test_a_chord_has_to_have_something_to_open() -> None:
    board = do(board_on(LAYOUT), "open 0,1; flag 0,0; chord 0,1")
    assert refusal(board, Verb.CHORD, 1, 1) == ("nothing is left to open around row 2, column 2")
    assert refusal(board, Verb.CHORD, 0, 4) == ("nothing is left to open around row 1, column 5")
    assert refusal(board, Verb.CHORD, 3, 4) == (
        "row 4, column 5 is covered: only an opened number chords"
    )
    assert refusal(board, Verb.CHORD, 0, 0) == (
        "row 1, column 1 is covered: only an opened number chords"
    )


def test_an_open_zero_chords_where_a_flag_kept_its_neighbour_covered() -> None:
    """As in the clients whose flags hold, so that their files tell of the same game."""
    board = board_on("4x2/0 first=any flags=hold\n....\n....")
    do(board, "flag 0,2; open 1,0")
    assert refusal(board, Verb.CHORD, 1, 3) == "the 0 at row 2, column 4 has 1 flags around it"
    assert board.handlers_by_verb()[Verb.CHORD](7) is None
    do(board, "flag 0,2")
    assert board.opened == 7
    quick = board.copy()
    assert quick.handlers_by_verb()[Verb.CHORD](7) is not None
    do(board, "chord 1,3")
    assert board.won
    assert quick == board


def test_a_chord_on_a_zero_goes_on_with_the_opening_and_is_taken_back() -> None:
    board = board_on("5x3/1 first=any flags=hold\n.....\n.....\n*....")
    do(board, "flag 0,3; flag 1,3; flag 2,3; open 0,4; flag 1,3")
    assert refusal(board, Verb.CHORD, 1, 4) == "the 0 at row 2, column 5 has 2 flags around it"
    do(board, "flag 0,3; flag 2,3")
    before = board.copy()
    change = board.apply_unchecked(Act(0, Verb.CHORD, 1, 4))
    assert board.won
    board.take_back(change)
    assert board == before


def test_a_wrong_chord_opens_every_mine_it_reaches() -> None:
    board = do(board_on("3x3/2\n*..\n..*\n..."), "open 1,1; flag 0,1; flag 2,1; chord 1,1")
    assert board.blown == ((0, 0), (1, 2))
    assert seen(board) == "XF1\n12X\n011"
    assert board.flags == 1, "the other wrong flag lay in an opening"
    assert board.lost


def test_a_chord_into_an_opening_takes_off_the_wrong_flag_it_counted() -> None:
    # The flag on row 1, column 3 is wrong; the chord opens the mine and the opening around it.
    board = do(board_on("4x3/1\n*...\n....\n...."), "open 1,1; flag 0,2; chord 1,1")
    assert board.blown == ((0, 0),)
    assert board.flags == 0
    assert board.opened == 11


@pytest.mark.parametrize("verb", [Verb.OPEN, Verb.FLAG, Verb.QUESTION, Verb.CHORD])
@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (4, 0), (0, 5), (2**50, 2**50)])
def test_outside_the_board(verb: Verb, cell: tuple[int, int]) -> None:
    board = do(board_on(LAYOUT), "open 0,4")
    assert refusal(board, verb, *cell) == (
        f"row {cell[0] + 1}, column {cell[1] + 1} is outside the 5x4 board"
    )


def test_open_cells_take_no_marks_and_do_not_open_again() -> None:
    board = do(board_on(LAYOUT), "open 0,4")
    assert refusal(board, Verb.OPEN, 0, 4) == "row 1, column 5 is open already"
    for verb in (Verb.FLAG, Verb.QUESTION):
        assert refusal(board, verb, 0, 1) == (
            "row 1, column 2 is open: only covered cells take marks"
        )


def test_nothing_opens_before_the_mines_are_laid() -> None:
    board = Board(EXPERT)
    assert refusal(board, Verb.OPEN, 0, 0) == "no mines are laid yet"
    assert refusal(board, Verb.FLAG, 0, 0) == ""


def test_flags_set_before_the_mines_count_as_right_or_wrong_afterwards() -> None:
    rules, mines = parse_layout("3x1/2 goal=flag\n*.*")
    board = Board(rules)
    board.apply_unless_refused(Act(0, Verb.FLAG, 0, 0))
    board.apply_unless_refused(Act(0, Verb.FLAG, 0, 1))
    board.apply_unless_refused(Lay(0, mines))
    assert not board.won
    do(board, "flag 0,1; flag 0,2")
    assert board.won


def test_goal_flag_wants_the_flags_exactly_on_the_mines() -> None:
    board = board_on(LAYOUT.replace("5x4/3", "5x4/3 goal=flag"))
    do(board, "open 0,4; open 3,4")
    assert not board.won, "every safe cell is open, and that is another goal"
    do(board, "flag 0,0; flag 2,4")
    assert not board.won
    do(board, "flag 3,3")
    assert board.won


def test_flagging_everything_does_not_win() -> None:
    board = board_on(LAYOUT.replace("5x4/3", "5x4/3 goal=flag"))
    for row in range(4):
        for col in range(5):
            do(board, f"flag {row},{col}")
            assert not board.won
    assert board.flags == 20


def test_flags_do_not_win_or_hinder_the_other_goal() -> None:
    board = do(board_on(LAYOUT), "flag 0,0; flag 2,4; flag 3,3")
    assert not board.won
    do(board, "open 0,4; open 3,4")
    assert board.won


def test_codes_are_those_of_the_first_pygame_game() -> None:
    board = do(board_on(LAYOUT), "flag 0,0; flag 3,4; open 0,4; open 2,4")
    assert board.pygame_cell_codes().dtype == np.int16
    assert board.pygame_cell_codes().tolist() == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 19, 11, 10, 10, 10, 0],
        [0, 11, 11, 10, 11, 11, 0],
        [0, 10, 10, 11, 12, -2, 0],
        [0, 10, 10, 11, -1, 22, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]


def test_codes_of_a_covered_board_are_its_truth() -> None:
    assert board_on(LAYOUT).pygame_cell_codes()[1:-1, 1:-1].tolist() == [
        [-1, 1, 0, 0, 0],
        [1, 1, 0, 1, 1],
        [0, 0, 1, 2, -1],
        [0, 0, 1, -1, 2],
    ]


@given(mine_maps(7), st.lists(st.tuples(st.sampled_from(COMMON), st.integers(0, 48)), max_size=25))
def test_rows_of_bits_and_scan_lines_make_the_same_board(
    mines: Mines, acts: list[tuple[Verb, int]]
) -> None:
    if mines.all():
        return
    height, width = mines.shape
    rules = Rules(width, height, np.count_nonzero(mines))
    events: list[Event] = [Lay(0, mines)]
    events += [Act(0, verb, *divmod(cell % rules.cells, width)) for verb, cell in acts]
    plain = board_after_events(rules, events)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_module, "_WIDE", 0)
        wide = board_after_events(rules, events)
    assert wide == plain
    assert (wide.opened, wide.flags) == (plain.opened, plain.flags)


def test_a_maze_on_a_wide_board_opens_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    # Rows of mines with one gap each: corridors that the rows of bits hand back.
    monkeypatch.setattr(OPENING_KERNELS, "loaded", {})
    mines = np.zeros((301, 300), dtype=np.bool_)
    mines[:, 3::6] = True
    mines[:3, 9::12] = False
    mines[-3:, 3::12] = False
    rules = Rules(300, 301, np.count_nonzero(mines))
    board = Board(rules)
    board.apply_unless_refused(Lay(0, mines))
    handed_back = []
    by_rows = flood_by_rows.fill_by_rows

    def noted(*arguments: Any) -> flood_by_rows.RowFill:
        found = by_rows(*arguments)
        handed_back.append(found.fresh)
        return found

    monkeypatch.setattr(flood_by_rows, "fill_by_rows", noted)
    board.apply_unless_refused(Act(0, Verb.OPEN, 0, 0))
    assert handed_back == [None]
    assert np.array_equal(board.open_map, slow_opening(board.hint_map, (0, 0)))
    assert board.opened == np.count_nonzero(board.open_map)


def test_undone_acts_are_left_out() -> None:
    flag, chord = Act(1, Verb.FLAG, 0, 0), Act(4, Verb.CHORD, 0, 1)
    lay, opened = Lay(2, deal(EXPERT, 1)), Act(2, Verb.OPEN, 0, 1)
    undo, hint = Act(5, Verb.UNDO), Act(5, Verb.HINT, 3, 3)
    touch = Touch(3, "left", "press", 8, 8)
    assert board_events_not_undone([flag, lay, opened, touch, hint, chord]) == [
        flag,
        lay,
        opened,
        chord,
    ]
    assert board_events_not_undone([flag, lay, opened, touch, chord, undo]) == [flag, lay, opened]
    assert board_events_not_undone([flag, lay, opened, undo, undo, chord]) == [lay, chord]
    assert board_events_not_undone([undo, flag, undo, undo, opened]) == [opened]


def test_boards_compare_copy_and_travel() -> None:
    board = do(board_on(LAYOUT), "open 0,4; flag 0,0")
    assert board == do(board_on(LAYOUT), "flag 0,0; open 0,4")
    assert board != do(board_on(LAYOUT), "open 0,4")
    assert board != LAYOUT
    assert copy.deepcopy(board) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert repr(board) == "<Board 5x4/3: 16 open, 1 flags>"
    with pytest.raises(TypeError, match="unhashable"):
        hash(board)


@pytest.mark.parametrize("text", ["9x9/10", "300x300/9000"])
def test_a_copy_goes_its_own_way(text: str) -> None:
    game = BaseGame(Rules.parse(text), 7)
    empty = game.board.copy()
    assert empty == game.board
    game.play(Act(0, Verb.OPEN, 4, 4))
    assert not empty.laid
    copy = game.board.copy()
    assert copy == game.board
    row, col = (int(at) for at in np.argwhere(game.board.mine_map)[0])
    copy.apply_unless_refused(Act(1, Verb.FLAG, row, col))
    assert copy.flags == 1
    assert game.board.flags == 0
    assert not game.board.flag_map.any()
