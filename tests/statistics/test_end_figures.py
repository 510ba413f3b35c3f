"""What a kernel counts of a game at its end, beside what plain counts of all clicks say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from demine.replay.load_save import read_replay
from demine.statistics import end_figures
from demine.statistics.compute import stats
from demine.statistics.kernels import STATISTICS_KERNELS, count_game
from demine.statistics.recording_type import Recording, Signal
from tests import samples
from tests.statistics.hands import hand, recording, recordings

BOARD = """6x4/3
*.....
......
......
..**.."""


def assert_twins(recorded: Recording) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(STATISTICS_KERNELS.loaded, "count_game", raising=False)
        plain = stats(recorded).to_dict()
        patch.setitem(STATISTICS_KERNELS.loaded, "count_game", count_game.count_game)
        counted = stats(recorded).to_dict()
    assert counted == plain
    assert {name: type(value) for name, value in counted.items()} == {
        name: type(value) for name, value in plain.items()
    }


@given(recordings())
def test_the_kernel_is_a_twin(recorded: Recording) -> None:
    assert_twins(recorded)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rc 0,0; rr 0,0; rc 0,0; rr 0,0; rc 0,0; rr 0,0; lc 1,1; lr 1,1; mv 3,3; mv out; mv 2,2",
        "lc 1,1; lr 1,1; rc 0,0; lc 1,1; lr 1,1; rr 1,1; lc out; lr out; lc 0,5; lr 0,5",
        "lc 1,1; lr 1,1; rc 0,0; rr 0,0; flag 0,1; mc 1,1; mr 1,1; chord 1,1; flag 3,3; flag 3,3",
        "lc 1,1; lr 1,1; rc 0,1; lc 0,1; lr 0,1; rr 0,1; question 0,1; sc 1,1; lr 1,1; open 0,0",
        "lc 1,1; lr 1,1; rc 0,0; lc 1,1; rr 1,1; lr 1,1; lc 2,2; lr 2,2",
        "flag 0,0; flag 3,3; flag 3,3; flag 0,0; flag 0,0; open 3,5; flag 3,3; chord 2,4",
    ],
)
@pytest.mark.parametrize("cell", [16, 20])
def test_usual_and_odd_hands(text: str, cell: int) -> None:
    assert_twins(hand(BOARD, text, cell=cell))
    assert_twins(hand(BOARD, text, cell=cell, questions=1, flags_hold=0, left_chords=1))


def test_a_chord_uses_no_flag_that_an_opening_took_away() -> None:
    layout = "6x4/3\n*.....\n......\n......\n.*.*.."
    assert_twins(hand(layout, "flag 2,2; open 1,2; flag 3,1; flag 3,3; chord 2,2", flags_hold=0))


@pytest.mark.parametrize("kind", ["avf", "rmv", "evf", "mvf"])
def test_real_games(kind: str) -> None:
    known = samples.manifest()
    names = [n for n in known if n.endswith(kind) and not known[n]["expected"].get("must_fail")]
    for name in sorted(names, key=lambda name: len(samples.data(name)))[:3]:
        assert_twins(read_replay(samples.data(name)).recording)


def test_the_kernel_counts_no_large_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise AssertionError("too large for the kernel")

    monkeypatch.setitem(STATISTICS_KERNELS.loaded, "count_game", refuse)
    mines = np.zeros((129, 128), np.bool_)
    mines[0, 0] = True
    lines = [(0, Signal.LC, 500, 500), (9, Signal.LR, 500, 500)]
    assert stats(recording(mines, lines)).left == 1
    with pytest.raises(AssertionError, match="too large"):
        stats(recording(mines[:128], lines))


def test_what_the_kernel_writes_has_room() -> None:
    assert count_game.LOG == end_figures.LOG
    assert count_game.COUNTS == end_figures.COUNTS
    assert count_game.LENGTHS == end_figures.LENGTHS
    assert count_game.WORK == end_figures.WORK


def test_points_may_be_every_other_of_an_array() -> None:
    recorded = hand(BOARD, "lc 1,1; lr 1,1; rc 0,0; rr 0,0")
    both = np.repeat(np.stack((recorded.x, recorded.y)), 2, axis=1)
    x, y = both[:, ::2]
    mines, t, signal = recorded.mine_map, recorded.t, recorded.signal
    assert_twins(Recording(mines, t, signal, x, y))
