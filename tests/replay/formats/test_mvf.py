"""Replays of Minesweeper Clone: every layout that is described, most of which nobody has seen."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.replay import Replay, ReplayError
from demine.replay.formats import mvf
from demine.replay.formats.mvf import record_bit_positions
from demine.statistics.board_3bv import three_bv
from tests import samples
from tests.replay.builders import Line, mines
from tests.replay.others import STATES, Clone, State, beginner, clone_permutation

EVENTS: tuple[Line, ...] = (
    (0, 2, 9, 41), (0, 3, 9, 41), (300, 1, 30, 60), (480, 1, 40, 40), (480, 4, 40, 40),
    (560, 1, 41, 40), (560, 5, 41, 40), (930, 1, 24, 40), (930, 2, 24, 40), (930, 4, 24, 40),
    (990, 5, 24, 40), (1010, 3, 24, 40), (1200, 6, 24, 40), (2500, 1, 23, 40), (2500, 7, 23, 40),
)  # fmt: skip


def lines(replay: Replay) -> list[Line]:
    found = replay.recording
    columns = (found.t, found.signal, found.x, found.y)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("year", [5, 6, 7])
def test_a_whole_file(year: int) -> None:
    data = Clone(year=year).data()
    assert mvf.recognises(data)
    replay = mvf.read(data)
    assert np.array_equal(replay.recording.mine_map, mines())
    assert replay.recording.questions
    assert lines(replay) == list(EVENTS)
    version = "0.97 beta" if year == 5 else "2007"
    facts = {
        "format": f"MVF {version}",
        "program": "Minesweeper Clone",
        "version": version,
        "player": "Ada",
        "level": "custom",
        "mode": "upk",
        "started": "2008-01-26T00:40:32",
        "claimed_ms": 2500,
        "marks": True,
        "cell_px": 16,
    }
    facts |= {"claimed_bv": 9, "claimed_bv_solved": 9, "claimed_won": True} if year == 5 else {}
    assert dict(replay.facts) == facts
    assert replay.original_parts["file"] == data
    assert replay.game().facts == facts


@pytest.mark.parametrize("tail", ["0.96", "0.76", "0.75"])
def test_the_oldest_files(tail: str) -> None:
    data = Clone(year=0, board=beginner(), tail=tail, states=STATES[:-1]).data()
    assert mvf.recognises(data)
    replay = mvf.read(data)
    assert replay.version == tail
    # Buttons that are still down at the end are let go.
    assert lines(replay) == [*EVENTS[:-2], (1200, 7, 24, 40)]
    assert replay.facts.get("player") == ("Ada" if tail != "0.75" else None)
    assert replay.facts["level"] == "beginner"
    assert replay.facts["claimed_ms"] == 1200


def test_the_clock_runs_from_the_press_where_the_file_says_so() -> None:
    held = [(0, 9, 41, "r"), (300, 9, 41, ""), (400, 40, 60, "l"), (600, 40, 60, "")]
    for late, time in ((2500, 2500), (2300, 2300), (2100, 2100), (1900, 1900), (1800, 1900)):
        states = [*held, (2500, 41, 60, "")]
        data = bytearray(Clone(year=7, states=states).data())
        at = data.index((2500).to_bytes(3, "big"))
        data[at : at + 3] = late.to_bytes(3, "big")
        replay = mvf.read(bytes(data))
        assert replay.course.time_ms == time, late
        assert replay.facts["claimed_ms"] == late
        # What came before the clock ran on keeps its order, and nothing after it moves.
        assert (np.diff(replay.recording.t) >= 0).all()
        assert replay.recording.t[-1] == 2500
        assert mvf.write(replay) == bytes(data)


def test_a_game_that_begins_with_a_click_is_not_played_to_time_it() -> None:
    states = [(0, 9, 41, ""), (100, 9, 41, "l"), (300, 9, 41, ""), (2500, 41, 60, "")]
    data = (
        Clone(year=7, states=states)
        .data()
        .replace((2500).to_bytes(3, "big"), (2400).to_bytes(3, "big"), 1)
    )
    replay = mvf.read(data)
    assert "course" not in vars(replay)
    assert replay.recording.t.tolist() == [0, 100, 100, 2500]
    assert replay.course.time_ms == 2400


def test_changed_programs() -> None:
    plain = Clone().data()
    funny = plain[:27] + b"8" + plain[28:]
    bare = b"\0\0" + b"x" * 5 + plain[74:]
    assert mvf.read(funny).facts["mode"] == mvf.read(bare).facts["mode"] == "upk"
    assert mvf.recognises(bare)
    for data in (funny, bare):
        assert mvf.read(data).version == "0.97 (changed)"
        assert lines(mvf.read(data)) == list(EVENTS)


def test_a_day_that_there_is_not() -> None:
    assert "started" not in mvf.read(Clone(year=7, day=0).data()).facts


@given(st.integers(0, 0xFFFF), st.sampled_from([5, 6]))
def test_every_key_permutes_the_bits(key: int, size: int) -> None:
    places = record_bit_positions(key, size)
    assert [divmod(place, 8) for place in places] == clone_permutation(key, size)
    assert sorted(places) == list(range(8 * size))


@given(
    st.integers(0, 0xFFFF),
    st.lists(
        st.tuples(
            st.integers(0, 40), st.integers(0, 500), st.integers(0, 500),
            st.sampled_from(["", "l", "r", "lr", "m"]),
        ),
        max_size=20,
    ),
)  # fmt: skip
def test_states_become_events(key: int, steps: list[tuple[int, int, int, str]]) -> None:
    t, states = 0, list[State]()
    for wait, x, y, held in steps:
        t += 10 * wait
        states.append((t, x, y, held))
    replay = mvf.read(Clone(key=key, states=states).data())
    down, last = set[int](), (-1, -1)
    for _, signal, x, y in lines(replay):
        if signal == 1:
            last = (x, y)
        elif signal in {2, 4, 6}:
            down.add(signal)
        else:
            down.remove(signal - 1)
    if states:
        assert {"lrm"[signal // 2 - 1] for signal in down} == set(states[-1][3])
        assert last in {(-1, -1), states[-1][1:3]} or len(states) == 1


_FILE = Clone().data()
_OLDEST = Clone(year=0, board=beginner()).data()


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"", 0, "this is not an MVF file"),
        (_FILE[:20], 20, "the version is not known"),
        (_FILE[:27] + b"9" + _FILE[28:], 27, "the version is not known"),
        (_FILE[:80], 80, "the file ends"),
        (_FILE[:-1], len(_FILE) - 1, "the file ends"),
        (Clone(board=mines() & False).data().replace(b"\4\5\0\0", b"\4\0\0\0"), 97, "has no cells"),
        (Clone(states=[(50, 1, 1, ""), (20, 1, 1, "")]).data(), 123, "the time runs backwards"),
        (_OLDEST[:47], 47, "the file ends"),
    ],
    ids=lambda value: str(value)[-12:],
)  # fmt: skip
def test_damage_is_told(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        mvf.read(data)
    assert reason in str(caught.value)
    assert (caught.value.format, caught.value.offset) == ("MVF", offset)


def test_large_files_need_no_more_than_a_few_times_their_size() -> None:
    one = replace_states(_FILE, 80_000)
    tracemalloc.start()
    try:
        mvf.read(one)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 24 * len(one) + 400_000


def replace_states(data: bytes, count: int) -> bytes:
    """The file with its last state so many times."""
    begin = len(data) - 5 * len(STATES)
    return data[: begin - 3] + count.to_bytes(3, "big") + data[-5:] * count


@pytest.mark.parametrize("name", samples.names("mvf/*.mvf"))
def test_samples(name: str) -> None:
    replay = mvf.read(samples.data(name))
    course, said = replay.course, samples.values("ms_toollib_1.5.20_stats.json")[name]
    board = replay.recording.mine_map
    assert course.won
    # ms_toollib counts from the release, and Clone from the press.
    assert course.time_ms == replay.facts["claimed_ms"] >= said["rtime_ms"]
    assert replay.recording.t.size == said["n_events"]
    assert three_bv(board) == replay.facts["claimed_bv"] == said["bbbv"]
    assert replay.facts["player"] == said["player_identifier"]
    assert mvf.read(replace(replay).original_parts["file"]).facts == replay.facts
