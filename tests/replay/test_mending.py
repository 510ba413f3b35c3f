"""Clocks that step back by a tick: the times are mended, and told; larger steps are damage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.cli.main import run
from demine.replay import ReplayError, load, read_replay, save
from demine.replay.big_endian_reader import MAX_BACKWARD_MS, BigEndianReader
from demine.replay.registry import writable_replay_formats
from tests.replay.builders import Arbiter, Line, Meta, free
from tests.replay.others import Clone, Raw, State, Vienna, beginner, old_vienna, vienna_event

Maker: TypeAlias = Callable[[Sequence[int]], bytes]
"""A file with a press, a release, and movements at these times."""


def told(times: Sequence[int]) -> list[Line]:
    moves = [(t, 1, 30 + number, 60) for number, t in enumerate(times[2:])]
    return [(times[0], 2, 9, 41), (times[1], 3, 9, 41), *moves]


def states(times: Sequence[int]) -> list[State]:
    return [(t, x, y, "l" if signal == 2 else "") for t, signal, x, y in told(times)]


def vienna(version: int) -> Maker:
    def make(times: Sequence[int]) -> bytes:
        events = b"".join(vienna_event(*line, version=version) for line in told(times))
        return Vienna(version=version, flags=None, events=events).data()

    return make


def old(times: Sequence[int]) -> bytes:
    events = b"".join(vienna_event(*line, version=1) for line in told(times))
    return old_vienna(flags=None, events=events)


MAKERS: dict[str, Maker] = {
    "AVF": lambda times: Arbiter(lines=told(times)).data(),
    "FSVF": lambda times: free([0] * len(times), lines=told(times)),
    "EVF 3": lambda times: Meta(lines=told(times)).data(),
    "RMV 1": vienna(1),
    "RMV 2": vienna(2),
    "UMF": old,
    "MVF": lambda times: Clone(states=states(times)).data(),
    "MVF 2007": lambda times: Clone(year=7, states=states(times)).data(),
    "MVF 0.96": lambda times: Clone(year=0, board=beginner(), states=states(times)).data(),
    "RawVF": lambda times: Raw(lines=told(times), extra=["nonstandard"]).data(),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_small_step_back_is_mended_and_told(name: str) -> None:
    data = MAKERS[name]([0, 0, 300, 290, 400, 380, 900])
    replay = read_replay(data)
    expected = [0, 0, 300, 300, 400, 400, 900]
    assert replay.recording.t.tolist()[: len(expected)] == expected
    assert replay.facts["mended_ms"] == 20
    assert load(data).facts["mended_ms"] == 20
    for writer in writable_replay_formats():
        if replay.format == writer.name:
            assert writer.write(replay) == data
            assert writer.losses(replay) == ()
        elif writer.name != "EVFS":
            told = [str(loss) for loss in writer.losses(replay)]
            assert "that its clock ran backwards (times were corrected by up to 20 ms)" in told


@pytest.mark.parametrize("name", MAKERS)
def test_a_clock_that_runs_on_is_told_of_nowhere(name: str) -> None:
    assert "mended_ms" not in read_replay(MAKERS[name]([0, 0, 300, 300, 400])).facts


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "MVF 0.96"])
@pytest.mark.parametrize("times", [[0, 0, 300, 270, 400], [0, 0, 300, 290, 280, 270, 400]])
def test_a_large_step_back_is_damage(name: str, times: list[int]) -> None:
    with pytest.raises(ReplayError, match="the time runs backwards"):
        read_replay(MAKERS[name](times))


def test_every_verb_that_tells_of_a_game_tells_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.avf"
    path.write_bytes(MAKERS["AVF"]([0, 0, 300, 290, 400]))
    said = "the file's clock ran backwards; times were corrected by up to 10 ms"
    assert said in [str(note) for note in load(path).notes]
    save(load(path), tmp_path / "game.jsonl")
    assert said in [str(note) for note in load(tmp_path / "game.jsonl").notes]
    for words in (["stats"], ["review"], ["watch", "--png", str(tmp_path / "a.png")]):
        assert run([*words, str(path)]) == 0
        printed = capsys.readouterr()
        # What is printed for people may be broken into lines.
        assert said in " ".join((printed.out + printed.err).split()), words
    assert run(["convert", str(path), str(tmp_path / "game.evf")]) == 0
    assert "times were corrected by up to 10 ms" in capsys.readouterr().err


def test_the_oldest_files_end_where_the_time_runs_back() -> None:
    # Nothing else marks the end of their events.
    found = read_replay(MAKERS["MVF 0.96"]([0, 0, 300, 270, 400])).recording.t
    assert found.tolist() == [0, 0, 300]


def test_the_last_time_says_how_long_the_game_took() -> None:
    replay = read_replay(MAKERS["AVF"]([0, 0, 2490, 2510, 2500]))
    assert replay.recording.t.tolist() == [0, 0, 2490, 2500, 2500]
    assert replay.facts["mended_ms"] == 10


@given(st.lists(st.integers(0, 60), max_size=12))
def test_no_time_is_moved_by_more(times: list[int]) -> None:
    t = np.array(times, np.int64)
    latest = np.maximum.accumulate(t) if t.size else t
    reader = BigEndianReader("X", b"")
    if (latest - t > MAX_BACKWARD_MS).any():
        with pytest.raises(ReplayError) as caught:
            reader.correct_backward_steps(t, lambda event: event)
        assert caught.value.offset == (latest - t > MAX_BACKWARD_MS).argmax()
        return
    steady, moved = reader.correct_backward_steps(t, lambda event: event)
    assert (np.diff(steady) >= 0).all()
    assert moved == int(np.abs(steady - t).max(initial=0)) <= MAX_BACKWARD_MS
    assert steady[-1:].tolist() == t[-1:].tolist()
    assert moved or steady.tolist() == times
