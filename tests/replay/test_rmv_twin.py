"""The compiled twin that reads the events of RMV files: the same events and the same refusals."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.kernels.kernel_set import numba_available
from demine.replay import ReplayError
from demine.replay.board_changes import RecordedBoardChanges
from demine.replay.formats import rmv
from demine.replay.kernels import RMV_KERNELS
from demine.replay.kernels.rmv import read_mouse_events
from tests import samples
from tests.replay.builders import every
from tests.replay.damage import damaged
from tests.replay.others import Vienna, vienna_event

FILES = {name: data for name, data in every().items() if rmv.recognises(data)}


def said(data: bytes, twin: Callable[..., int] | None) -> object:
    """All that reading comes to, or the error with its byte."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(RMV_KERNELS.loaded, "read_mouse_events", raising=False)
        if twin is not None:
            patch.setitem(RMV_KERNELS.loaded, "read_mouse_events", twin)
        try:
            replay = rmv.read(data)
        except ReplayError as error:
            return str(error), error.offset
        found = replay.recording
        columns: list[Any] = [found.t, found.signal, found.x, found.y]
        if replay.recorded_changes is not None:
            columns += [
                getattr(replay.recorded_changes, name) for name in RecordedBoardChanges.__slots__
            ]
        assert all(column.flags.writeable for column in columns[:4])
        told = [(str(column.dtype), column.tolist()) for column in columns]
        return told, dict(replay.facts), replay.recorded_changes is None


def alike(data: bytes, twin: Callable[..., int] = read_mouse_events) -> None:
    assert said(data, twin) == said(data, None)


@pytest.mark.parametrize("name", sorted(FILES))
def test_whole_files_and_their_beginnings(name: str) -> None:
    data = FILES[name]
    for end in range(len(data) + 1):
        alike(data[:end])


@pytest.mark.parametrize("name", sorted(FILES))
@given(seed=st.integers(0, 1 << 30))
def test_damaged_files(name: str, seed: int) -> None:
    alike(damaged(FILES[name], random.Random(seed), list(FILES.values())))


CODES = st.sampled_from([0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 18, 27, 28, 28, 28, 28, 29, 255])
RECORDS = st.tuples(CODES, st.integers(0, 255), st.integers(0, 9), st.integers(-9, 9))


@given(st.lists(RECORDS, max_size=40), st.sampled_from((1, 2)), st.booleans())
@settings(max_examples=200)
def test_any_records(records: list[tuple[int, int, int, int]], version: int, sound: bool) -> None:
    made, t = b"", 0
    for code, first, second, third in records:
        if sound and (code in {0, 8, 29, 255} or (code == 28 and (version == 1 or not made))):
            continue
        if 1 <= code <= 7:
            t += first
            made += vienna_event(t, code, 300 * second, 90 + third, version=version)
        elif code == 28:
            t += first if sound else 0
            made += bytes((28, first, 16 * second + (third & 15)))
        else:
            made += bytes((code, second % 4, abs(third) % 5))
    alike(Vienna(version=version, events=made, flags=None).data())


def test_sound_files_are_left_to_the_twin_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []

    def noted(*arguments: Any) -> int:
        answers.append(read_mouse_events(*arguments))
        return answers[-1]

    for data in FILES.values():
        said(data, noted)
    assert max(answers) > 0


@pytest.mark.skipif(not numba_available(), reason="Numba is not installed")
def test_compiled() -> None:
    RMV_KERNELS.load()
    twin = RMV_KERNELS.loaded["read_mouse_events"]
    for data in FILES.values():
        alike(data, twin)
        for seed in range(300):
            alike(damaged(data, random.Random(seed), list(FILES.values())), twin)


@pytest.mark.parametrize("name", samples.names("rmv/*.rmv"))
def test_samples(name: str) -> None:
    alike(samples.data(name))
