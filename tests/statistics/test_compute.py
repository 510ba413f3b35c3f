"""Statistics of boards, games and recordings: values, moments, what has no value, hostile hands."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demine
from demine.logic.errors import LayoutError
from demine.logic.game import BaseGame
from demine.logic.layout import deal
from demine.logic.rules import EXPERT, Rules
from demine.statistics.compute import Timeline, stats
from demine.statistics.definitions import TABLE, Statistics
from demine.statistics.game_from_recording import game_from_recording
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.play_recording import play_recording
from demine.statistics.recording_type import Recording, Signal
from tests.statistics.hands import hand, recording, recordings, slowly
from tests.statistics.test_layout_regions import slow_label

PLAIN = """6x4/3
*.....
......
......
..**.."""


def test_the_package_is_the_function() -> None:
    mines = np.eye(4, dtype=np.bool_)
    assert demine.stats(mines) == stats(mines)
    assert demine.statistics.board_3bv.three_bv(mines) == demine.stats(mines).bv
    code = "import demine; print(demine.stats([[True, False, False]]).bv)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_a_board_has_the_statistics_of_boards() -> None:
    said = stats(deal(EXPERT, 1))
    slow = {name for name, row in TABLE.items() if row.slow}
    assert set(said) == {row.name for row in TABLE.values() if row.about == "board"} - slow
    assert "rzini" in slow
    assert isinstance(said.rzini, int)
    assert said["zini"] == said.zini
    with pytest.raises(KeyError):
        said["time"]
    with pytest.raises(AttributeError, match="no statistic 'time' here"):
        _ = said.time
    with pytest.raises(KeyError):
        said["nothing"]
    assert "zini" in dir(said)


@given(recordings(), st.one_of(st.none(), st.integers(-99, 999)))
def test_the_text_parses_back(recorded: Recording, at: int | None) -> None:
    said = stats(recorded, at)
    again = Statistics.parse(str(said))
    assert again == said
    assert list(again) == list(said)
    assert eval(repr(said)) == said
    assert len(said) == sum(not row.slow for row in TABLE.values())


@pytest.mark.parametrize("text", ["bv", "bv: x", "bv: true", "bv: [1]", "no: 1", "bv: 1\nbv: 2"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(LayoutError, match="is no"):
        Statistics.parse(text)


@given(recordings())
def test_every_value_is_a_number_or_nothing(recorded: Recording) -> None:
    timeline = Timeline(recorded)
    for at in (None, -5, 0, 1, timeline.end_ms // 2, timeline.end_ms, timeline.end_ms + 5):
        for name, value in timeline.at(at).items():
            assert value is None or math.isfinite(value), name


@given(recordings())
def test_the_sums_are_sums(recorded: Recording) -> None:
    said, counted = stats(recorded), play_recording(recorded).counted
    assert said["clicks"] == sum(int(said[name] or 0) for name in ("left", "right", "double"))
    for rule in ("arbiter", "strict"):
        effective = said[f"effective_{rule}"]
        assert effective == sum(
            int(said[name] or 0)
            for name in ("left_effective", f"right_effective_{rule}", "double_effective")
        )
    # What was flagged before counting began stays in the strict count, and in no other.
    strict, changing = (int(said[f"right_effective_{rule}"] or 0) for rule in ("strict", "arbiter"))
    assert strict <= changing + counted
    assert 0 <= int(said["flags_wasted"] or 0) <= int(said["flags_set"] or 0)
    assert float(said["path"] or 0) <= float(said["path_manhattan"] or 0) + 1e-9


@given(recordings())
def test_what_is_solved_is_what_the_board_shows(recorded: Recording) -> None:
    game, _ = slowly(recorded)
    said, regions, board = stats(recorded), LayoutRegions.of(recorded.mine_map), game.board
    openings = slow_label(regions.zero).reshape(regions.mines.shape)
    islands = slow_label(regions.lone).reshape(regions.mines.shape)
    done = [
        sum(board.open_map[pieces == piece].all() for piece in range(pieces.max() + 1))
        for pieces in (openings, islands)
    ]
    assert [said.openings_solved, said.islands_solved] == done
    assert said.bv_solved == done[0] + np.count_nonzero(board.open_map & regions.lone)
    if game.board.won and game.begun:
        assert (said.bv_solved, said.completion) == (said.bv, 1)


@given(recordings(), st.integers(0, 600))
def test_a_moment_is_the_end_of_what_came_before(recorded: Recording, ms: int) -> None:
    course = play_recording(recorded)
    if course.start < 0:
        return
    kept = int(np.searchsorted(recorded.t, course.start_ms + ms, "right"))
    before = Recording(
        recorded.mine_map, recorded.t[:kept], recorded.signal[:kept], recorded.x[:kept],
        recorded.y[:kept], recorded.cell, recorded.questions, recorded.left_chords,
        recorded.flags_hold,
    )  # fmt: skip
    now, end = stats(recorded, ms), stats(before)
    for name in now:
        row = TABLE[name]
        if "time" not in row.definition and row.unit in {"", "px"} and name != "time_legacy":
            assert now[name] == pytest.approx(end[name]), name


@given(recordings())
def test_a_game_counts_as_its_recording(recorded: Recording) -> None:
    game = game_from_recording(BaseGame, recorded)
    again = stats(game)
    if not game.begun:
        return
    direct = stats(recorded)
    for name in ("time", "bv_solved", "flags", "misflags", "flags_set", "effective_strict"):
        assert again[name] == direct[name], name


def test_an_instant_win_divides_nothing_by_zero() -> None:
    said = stats(hand("3x1/1\n*..", "lc 0,2; lr 0,2"))
    assert (said.time, said.bv, said.bv_solved, said.clicks) == (0, 1, 1, 1)
    assert said.bv_s is said.rqp is said.stnb_arbiter is None or said.stnb_arbiter == 0
    assert (said.ioe, said.qg, said.etime, said.path) == (1, 0, 0, 0)


def test_half_clicks_two_ways() -> None:
    said = stats(hand(PLAIN, "lc 1,1; lr 1,1; rc 0,0; lc 1,1; lr 1,1; rr 1,1"))
    assert (said.half_clicks, said.half_clicks_rawvf) == (1, 1)
    assert (said.flags_wasted, said.misflags, said.flags) == (0, 0, 1)
    # The right button goes up first: the other program does not count it.
    said = stats(hand(PLAIN, "lc 1,1; lr 1,1; rc 0,0; lc 1,1; rr 1,1; lr 1,1"))
    assert (said.half_clicks, said.half_clicks_rawvf) == (1, 0)
    # The second chord opens nothing: only the other program counts it.
    board = PLAIN.replace("6x4/3\n*.....", "6x4/4\n*....*")
    said = stats(hand(board, "lc 1,1; lr 1,1; rc 0,0; lc 1,1; lr 1,1; lc 1,1; lr 1,1; rr 1,1"))
    assert (said.half_clicks, said.half_clicks_rawvf) == (1, 2)


def test_two_rules_of_effective_right_clicks() -> None:
    text = "rc 0,0; rr 0,0; lc 1,5; lr 1,5; rc 0,0; rr 0,0; rc 0,0; rr 0,0; rc 3,0; rr 3,0"
    said = stats(hand("6x4/4\n*.....\n......\n.*....\n..**..", text))
    assert said.right == said.right_effective_arbiter
    assert said.right_effective_strict == 1
    assert (said.unflags, said.misunflags) == (1, 0)


@pytest.mark.parametrize(
    ("times", "strict", "arbiter", "right"),
    # What ms_toollib 1.5.20 counts by its rule.
    [(1, 1, 1, 1), (2, 1, 0, 0), (3, 2, 1, 1), (4, 2, 0, 0), (5, 3, 1, 1)],
)
def test_a_mine_counts_anew_once_its_flag_is_gone_before_the_first_open(
    times: int, strict: int, arbiter: int, right: int
) -> None:
    layout = "6x4/4\n*.....\n......\n.*....\n..**.."
    before = "rc 0,0; rr 0,0; " * times
    said = stats(hand(layout, f"{before} lc 1,5; lr 1,5"))
    assert said.right_effective_strict == strict
    assert (said.right_effective_arbiter, said.right) == (arbiter, right)
    # Another flag stands meanwhile: nothing begins anew.
    said = stats(hand(layout, f"rc 2,1; rr 2,1; {before} lc 1,5; lr 1,5"))
    assert said.right_effective_strict == 2
    # Nor after the first open.
    said = stats(hand(layout, f"{before} lc 1,5; lr 1,5; rc 0,0; rr 0,0; rc 0,0; rr 0,0"))
    assert said.right_effective_strict == strict + (times % 2 == 0)


def test_the_way_skips_what_is_outside() -> None:
    lines = [
        (0, Signal.LC, 8, 8), (0, Signal.LR, 8, 8), (10, Signal.MV, 8, 38), (20, Signal.MV, -9, 38),
        (30, Signal.MV, 48, 8), (40, Signal.MV, 48, 700), (50, Signal.MV, 48, 9),
    ]  # fmt: skip
    mines = np.zeros((3, 4), np.bool_)
    mines[2, 3] = mines[2, 1] = True
    said = stats(recording(mines, lines))
    assert said.path == 30 + 50 + 1
    assert said.path_manhattan == 30 + 70 + 1
    assert stats(recording(mines, lines, cell=16), at=15).path == 30


def test_levels_have_their_constants() -> None:
    for rules, factor, old in (
        (Rules(8, 8, 10), 36, 47.299), (Rules(16, 16, 40), 162, 153.73), (EXPERT, 435, 435.001),
    ):  # fmt: skip
        mines = deal(rules, 4)
        row, col = map(int, np.argwhere(LayoutRegions.of(mines).zero)[0])
        at = (col * 16 + 3, row * 16 + 3)
        lines = [(0, Signal.LC, *at), (0, Signal.LR, *at), (2000, Signal.MV, *at)]
        said = stats(recording(mines, lines))
        share = float(said.bv_solved or 0) / float(said.bv or 1)
        assert said.stnb == pytest.approx(factor / 2**1.7 * float(said.bv_solved or 0) * share**0.5)
        assert said.stnb_arbiter == pytest.approx(old / factor * float(said.stnb or 0))
        assert said.obv is not None
    said = stats(hand(PLAIN, "lc 1,5; lr 1,5; 100"))
    assert (said.stnb, said.obv, said.rv) == (0, None, None)


def test_a_game_before_its_first_open() -> None:
    with pytest.raises(LayoutError, match="without mines"):
        stats(BaseGame(EXPERT, 1))


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (50, 1), (2, 2)])
def test_boards_with_one_safe_cell(shape: tuple[int, int]) -> None:
    mines = np.ones(shape, np.bool_)
    mines[-1, -1] = False
    y, x = (size * 16 - 8 for size in shape)
    said = stats(recording(mines, [(0, Signal.LC, x, y), (0, Signal.LR, x, y)]))
    assert (said.bv, said.bv_solved, said.completion) == (1, 1, 1)


def test_a_hand_that_never_rests() -> None:
    rng = np.random.default_rng(5)
    count = 60_000
    signals = rng.choice([s.value for s in Signal if s is not Signal.PF], count)
    made = Recording(
        deal(EXPERT, 1), np.zeros(count, np.int64), signals.astype(np.uint8),
        rng.integers(-(2**31), 2**31 - 1, count).astype(np.int32),
        rng.integers(-(2**31), 2**31 - 1, count).astype(np.int32),
    )  # fmt: skip
    made.x[0] = made.y[0] = 8
    made.signal[0] = Signal.FLAG
    made.signal[1:] = np.where(made.signal[1:] == Signal.FLAG, Signal.MV, made.signal[1:])
    said = stats(made)
    assert dict(said)
    assert int(said.clicks or 0) > 10_000
    assert (said.bv_solved, said.time, said.path) == (0, 0, 0)


def test_a_huge_board_is_counted() -> None:
    mines = np.random.default_rng(1).random((1000, 1000)) < 0.2
    mines[:3, :3] = False
    said = stats(recording(mines, [(0, Signal.LC, 17, 17), (0, Signal.LR, 17, 17)]))
    assert (said.openings_solved, said.bv_solved) == (1, 1)
    assert said.bv == int(said.openings or 0) + int(np.count_nonzero(LayoutRegions.of(mines).lone))
