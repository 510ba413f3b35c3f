"""Acts by the hundred thousand, and taking them back: the same boards, at a cost in step."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.logic import fast_replay, flood_by_rows, undoable_openings
from demine.logic.board_state import Board, board_after_events
from demine.logic.errors import JournalError
from demine.logic.event import BOARD_VERBS, Act, Lay, Verb
from demine.logic.event_log import Acts
from demine.logic.flood import WALL, flood
from demine.logic.game import BaseGame, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.kernels import OPENING_KERNELS
from demine.logic.layout import deal
from demine.logic.neighbours import count_around, flat_neighbours, neighbours
from demine.logic.rules import Flags, Goal, Rules
from tests.logic.boards import Mines, mine_maps, read_line_by_line


def by_rows(hints: NDArray[np.uint8], opened: NDArray[np.bool_], start: int) -> list[int]:
    """The cells of an opening; none if it winds too much."""
    limit = flood_by_rows.most_visits(len(hints))
    row, col = divmod(start, hints.shape[1])
    fill = flood_by_rows.fill_by_rows(hints, opened, row, col, limit)
    assert fill.row_visits or hints.shape == (1, hints.shape[1])
    if fill.fresh is None:
        return []
    found: list[int] = (np.flatnonzero(fill.fresh) + fill.first * hints.shape[1]).tolist()
    return found


@given(mine_maps(12), st.data())
def test_what_opens_by_rows_is_what_the_plain_flood_opens(
    mines: Mines, data: st.DataObject
) -> None:
    hints = count_around(mines)
    zeros = np.flatnonzero((hints == 0) & ~mines).tolist()
    if not zeros:
        return
    start = data.draw(st.sampled_from(zeros))
    height, width = mines.shape
    opened = bytearray(mines.size)
    found = flood(hints.tobytes(), opened, width, height, start)
    assert len(found) == len(set(found)) == sum(opened)
    assert all(opened[cell] for cell in found)
    closed = np.zeros(mines.shape, np.bool_)
    assert by_rows(hints, closed, start) in ([], sorted(found))


@given(mine_maps(12), st.data())
def test_walls_and_open_cells_are_not_passed(mines: Mines, data: st.DataObject) -> None:
    hints = count_around(mines)
    walls, opened = (
        np.array(data.draw(st.lists(st.booleans(), min_size=mines.size, max_size=mines.size)))
        for _ in range(2)
    )
    free = np.flatnonzero((hints.ravel() == 0) & ~mines.ravel() & ~walls & ~opened).tolist()
    if not free:
        return
    start = data.draw(st.sampled_from(free))
    height, width = mines.shape
    passed = np.where(walls, WALL, hints.ravel()).astype(np.uint8)
    expected = {start}
    waiting = [start]
    while waiting:
        cell = waiting.pop()
        for near in flat_neighbours(cell, height, width) if passed[cell] == 0 else ():
            if near not in expected and not walls[near] and not opened[near]:
                expected.add(near)
                waiting.append(near)
    board = bytearray(opened)
    assert set(flood(passed.tobytes(), board, width, height, start)) == expected
    rows = by_rows(passed.reshape(mines.shape), opened.reshape(mines.shape), start)
    assert rows in ([], sorted(expected))


def test_a_search_stops_when_it_has_found_enough() -> None:
    opened = bytearray(10_000)
    assert 20 < len(flood(bytes(10_000), opened, 100, 100, 0, 20)) < 400


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_places_around_are_the_neighbours(height: int, width: int, data: st.DataObject) -> None:
    row, col = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    near = [r * width + c for r, c in neighbours(row, col, height, width)]
    assert list(flat_neighbours(row * width + col, height, width)) == near


@pytest.mark.parametrize("flags", Flags)
@pytest.mark.parametrize("side", [6, 40, 300])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_whatever_was_changed_is_taken_back(flags: Flags, side: int, seed: int) -> None:
    rules = Rules(side, side, side * side // 12, first="any", flags=flags)
    rng = np.random.default_rng(seed)
    board = Board(rules)
    board.apply_unless_refused(Lay(0, deal(rules, seed)))
    verbs, acts, boards, changes = sorted(BOARD_VERBS), [], [], []
    for _ in range(30):
        act = Act(0, verbs[rng.integers(4)], *(int(rng.integers(side)) for _ in range(2)))
        if board.refusal(act) is None:
            boards.append(board.copy())
            acts.append(act)
            changes.append(board.apply_unchecked(act))
    assert board_after_events(rules, [Lay(0, board.mine_map), *acts]) == board
    while changes:
        board.take_back(changes.pop())
        assert board == boards.pop()


def test_quick_tries_refuse_what_is_refused() -> None:
    rules = Rules(7, 6, 9, first="any")
    for seed in range(40):
        rng = np.random.default_rng(seed)
        board = Board(rules)
        if seed % 4:
            board.apply_unless_refused(Lay(0, deal(rules, seed)))
        tries = board.handlers_by_verb()
        for _ in range(40):
            verb = sorted(BOARD_VERBS)[rng.integers(4)]
            act = Act(0, verb, int(rng.integers(6)), int(rng.integers(7)))
            other = copy.deepcopy(board)
            other.apply_unless_refused(act)
            refused = board.refusal(act) is not None
            change = tries[verb](act.row * 7 + act.col)
            assert (change is None) == refused
            assert board == other


def journal(rules: Rules, lines: list[str]) -> str:
    return "\n".join([format_journal(BaseGame(rules, 0)).rstrip("\n"), *lines, ""])


def test_undoing_many_acts_looks_at_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    followed, taken = [0], [0]

    def counted(method: Callable[..., object], count: list[int]) -> Callable[..., object]:
        def noted(board: Board, *args: object) -> object:
            count[0] += 1
            return method(board, *args)

        return noted

    for name, count in (("apply_unchecked", followed), ("_mark", taken)):
        monkeypatch.setattr(Board, name, counted(getattr(Board, name), count))
    for acts in (500, 1000):
        followed[0] = taken[0] = 0
        game = BaseGame(Rules(40, 40, 9), 0)
        for number in range(acts):
            game.play(Act(0, Verb.FLAG, *divmod(number % 1600, 40)))
        for _ in range(acts):
            game.play(Act(0, Verb.UNDO))
        assert (followed[0], taken[0]) == (acts, 2 * acts)
        assert game.board == Board(game.rules)


def test_a_long_journal_plays_each_act_once(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Act] = []
    play = BaseGame.play

    def noted(game: BaseGame, act: Act) -> Status:
        played.append(act)
        return play(game, act)

    monkeypatch.setattr(BaseGame, "play", noted)
    pair = ['[0,"flag",1,1]', '[0,"undo"]']
    text = journal(Rules(9, 9, 10), pair * 30_000)
    game = parse_journal(BaseGame, text)
    assert played == []
    assert len(game.events) == 60_000
    assert game.undone
    assert not game.board.flags


def test_what_no_hand_takes_back_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_replay, "MOST_WORK", 500)
    rules = Rules(9, 1, 1, first="any")
    mines = np.zeros((1, 9), np.bool_)
    mines[0, 4] = True
    opening = ['[0,"open",0,0]', '[0,"undo"]']
    text = journal(rules, [str(Lay(0, mines)), *opening * 20])
    with pytest.raises(JournalError, match=r"line \d+: this takes more work than opening 500 "):
        parse_journal(BaseGame, text)
    assert parse_journal(BaseGame, text, trusted=True).board.work.done > 500
    flags = journal(rules, ['[0,"flag",0,0]', '[0,"undo"]'] * 2000)
    monkeypatch.setattr(fast_replay, "MOST_WORK", 0)
    assert parse_journal(BaseGame, flags).board.work.done == 0


def corridors(height: int, width: int) -> Mines:
    """Columns of openings between walls of mines."""
    mines = np.zeros((height, width), np.bool_)
    mines[:, ::4] = True
    return mines


def opened_columns(mines: Mines) -> str:
    height, width = mines.shape
    rules = Rules(width, height, int(mines.sum()), first="any")
    opens = [f'[0,"open",1,{col}]' for col in range(2, width, 4)]
    return journal(rules, [str(Lay(0, mines)), *opens])


def test_openings_that_take_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = opened_columns(corridors(30, 81))
    game = parse_journal(BaseGame, text)
    assert game.status is Status.WON
    monkeypatch.setattr(fast_replay, "MOST_WORK", game.board.work.done - 1)
    with pytest.raises(JournalError, match=r"line 22: this takes more work .* trusted"):
        parse_journal(BaseGame, text)
    assert parse_journal(BaseGame, text, trusted=True) == game
    monkeypatch.setattr(fast_replay, "MOST_WORK", game.board.work.done)
    assert parse_journal(BaseGame, text) == game


def test_one_endless_opening_is_refused_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OPENING_KERNELS, "loaded", {})
    monkeypatch.setattr(undoable_openings, "_LARGE", 16)
    monkeypatch.setattr(flood_by_rows, "_PATIENCE", 0)
    monkeypatch.setattr(fast_replay, "MOST_WORK", 3000)
    opened = [0]
    over = flood

    def counted(*args: Any) -> list[int]:
        found = over(*args)
        opened[0] += len(found)
        return found

    monkeypatch.setattr("demine.logic.undoable_openings.flood", counted)
    mines = np.zeros((100, 100), np.bool_)
    mines[0, 0] = True
    lines = [str(Lay(0, mines)), '[0,"open",50,50]']
    text = journal(Rules(100, 100, 1, first="any"), lines)
    with pytest.raises(JournalError, match="line 3: this takes more work"):
        parse_journal(BaseGame, text)
    assert opened[0] < 3000
    assert parse_journal(BaseGame, text, trusted=True).status is Status.WON


def test_a_game_that_was_read_is_played_on_without_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    text = opened_columns(corridors(30, 41))
    monkeypatch.setattr(fast_replay, "MOST_WORK", parse_journal(BaseGame, text).board.work.done)
    text = text.rpartition("[0,")[0]
    game = parse_journal(BaseGame, text)
    game.play(Act(0, Verb.OPEN, 1, 38))
    assert game.status is Status.WON
    again = parse_journal(BaseGame, text)
    for _ in range(200):
        again.play(Act(0, Verb.UNDO))
        again.play(Act(0, Verb.OPEN, 1, 34))
    assert again.board.work.done > fast_replay.MOST_WORK


@pytest.mark.parametrize("kind", ["columns", "dots", "boxes", "corridor", "wide", "field"])
def test_no_board_of_500_by_500_comes_near_the_bound(kind: str) -> None:
    mines = np.zeros((500, 500), np.bool_)
    if kind == "columns":
        mines = corridors(500, 500)
    elif kind in {"dots", "boxes"}:
        mines[:: 4 if kind == "dots" else 6] = True
        mines[:, :: 4 if kind == "dots" else 6] = True
    elif kind == "corridor":
        mines = corridors(500, 500)
        mines[1:4, 4::8], mines[-4:-1, 8::8] = False, False
    elif kind == "wide":
        mines[:, ::10] = True
    else:
        mines = deal(Rules(500, 500, 12_500), 3)
    board = Board(Rules(500, 500, int(mines.sum()), first="any"))
    board.apply_unless_refused(Lay(0, mines))
    for row, col in np.argwhere((board.hint_map == 0) & ~mines).tolist():
        board.apply_unless_refused(Act(0, Verb.OPEN, row, col))
    assert board.opened > 100_000
    assert board.work.done < fast_replay.MOST_WORK * 3 // 4


def test_the_limit_is_far_beyond_a_hand() -> None:
    # All of an expert board, opened and taken back a thousand times.
    assert fast_replay.MOST_WORK > 1000 * (30 * 16 + 32)


def test_the_last_event_is_told_without_making_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    make = Acts.to_objects

    def noted(acts: Acts) -> tuple[Act | Lay, ...]:
        made.append(len(acts))
        return make(acts)

    monkeypatch.setattr(Acts, "to_objects", noted)
    lines = [f'[{t},"flag",0,0]' for t in range(3000)]
    game = parse_journal(BaseGame, journal(Rules(9, 9, 10), lines))
    assert game.events[-1] == Act(2999, Verb.FLAG, 0, 0)
    assert game.can(Act(2999, Verb.FLAG, 1, 1))
    assert sum(made) < 20
    assert game.events == [Act(t, Verb.FLAG, 0, 0) for t in range(3000)]


def test_flags_win_among_many_acts() -> None:
    rules = Rules(4, 1, 1, first="any", goal=Goal.FLAG)
    mines = np.array([[True, False, False, False]])
    lines = [str(Lay(0, mines)), '[0,"open",0,1]', '[0,"flag",0,2]', '[0,"flag",0,0]']
    texts = [
        journal(rules, [*lines, *more])
        for more in (['[0,"undo"]'], ['[0,"flag",0,2]'], ['[0,"flag",0,2]', '[0,"undo"]'])
    ]
    found = []
    for read in (partial(parse_journal, BaseGame), read_line_by_line):
        for text in texts:
            try:
                found.append(str(read(text).status))
            except JournalError as error:
                found.append(str(error))
    assert found[:3] == found[3:]
    assert found[1:3] == ["won", "line 7: a won game stays won"]


def test_small_openings_of_a_huge_board_never_look_at_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(OPENING_KERNELS, "loaded", {})
    side, wide, spread_over = 280, [0], [0]
    over, rows = flood, flood_by_rows.fill_by_rows

    def counted(*args: Any) -> list[int]:
        found = over(*args)
        spread_over[0] += len(found)
        return found

    def noted(*args: Any) -> Any:
        wide[0] += 1
        return rows(*args)

    monkeypatch.setattr("demine.logic.undoable_openings.flood", counted)
    monkeypatch.setattr(flood_by_rows, "fill_by_rows", noted)
    mines = np.zeros((side, side), np.bool_)
    mines[::4], mines[:, ::4] = True, True
    board = Board(Rules(side, side, int(mines.sum()), first="any"))
    board.apply_unless_refused(Lay(0, mines))
    for row in range(2, side, 4):
        for col in range(2, side, 4):
            board.apply_unless_refused(Act(0, Verb.OPEN, row, col))
    assert board.won
    assert (wide[0], spread_over[0]) == (0, board.opened)
    empty = Board(Rules(side, side, 0))
    empty.apply_unless_refused(Lay(0, np.zeros((side, side), np.bool_)))
    empty.apply_unless_refused(Act(0, Verb.OPEN, 9, 9))
    assert empty.won
    assert wide[0] == 1
    assert spread_over[0] < board.opened + side * side // 16
