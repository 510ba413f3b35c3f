"""The compiled twin that reads the lines of RawVF files: the same events and the same refusals."""

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
from demine.replay.formats import rawvf
from demine.replay.kernels import RAWVF_KERNELS
from demine.replay.kernels.rawvf import read_event_lines
from tests import samples
from tests.replay.builders import every
from tests.replay.damage import damaged

FILES = {name: data for name, data in every().items() if rawvf.recognises(data)}
HEAD = b"RawVF_Version: Rev6.1\nWidth: 4\nHeight: 3\nMines: 1\nBoard:\n*000\n0000\n0000\nEvents:\n"
SOUND = [
    b"-0.010 mv 0 1 (-3 4)", b"0.000 start", b"0.00 lc 4 3 (60 40)", b"pressed 4 3",
    b"0.25 lr (60 40)", b"number0 4 3", b"", b"1.500 mv 1 1 (3 4)", b"1.500 won", b"",
]  # fmt: skip


def said(data: bytes, twin: Callable[..., int] | None) -> object:
    """All that reading comes to, or the error with its byte."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(RAWVF_KERNELS.loaded, "read_event_lines", raising=False)
        if twin is not None:
            patch.setitem(RAWVF_KERNELS.loaded, "read_event_lines", twin)
        try:
            replay = rawvf.read(data)
        except ReplayError as error:
            return str(error), error.offset
        found = replay.recording
        columns: list[Any] = [found.t, found.signal, found.x, found.y]
        if replay.recorded_changes is not None:
            columns += [
                getattr(replay.recorded_changes, name) for name in RecordedBoardChanges.__slots__
            ]
        assert all(column.flags.writeable and column.base is None for column in columns[:4])
        told = [(str(column.dtype), column.tolist()) for column in columns]
        return told, dict(replay.facts), found.questions, replay.recorded_changes is None


def alike(data: bytes, twin: Callable[..., int] = read_event_lines) -> None:
    assert said(data, twin) == said(data, None)


@pytest.mark.parametrize("name", sorted(FILES))
def test_whole_files_and_their_beginnings(name: str) -> None:
    data = FILES[name]
    for end in range(max(0, len(data) - 600), len(data) + 1):
        alike(data[:end])


@pytest.mark.parametrize("name", sorted(FILES))
@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=60)
def test_damaged_files(name: str, seed: int) -> None:
    alike(damaged(FILES[name], random.Random(seed), list(FILES.values())))


PIECES = st.sampled_from([
    *(b" ", b"  ", b"\t", b"-", b".", b"(", b")", b"1 ", b"0", b"3", b"-2", b"12345678", b"\r"),
    *(b"1.23 ", b"2.345 ", b"-0.50 ", b"4.5 ", b"mv ", b"lc", b"mt ", b"tr ", b"sx 1", b"(l)"),
    *(b"won", b"start", b"blast", b"number1", b"number9", b"closed", b"pressedqm", b"flag 1 1"),
    *(b"1 1 (3 4)", b"(-3 4)", b"-1 1 (3 4)", b"-1 1 (-3 4)", b"\r\n", b"\n"),
])  # fmt: skip
LINES = st.sampled_from([
    b"0.10 mv 1 1 (3 4)", b"0.200 lc (3 4)", b"-0.100 mv 0 1 (-3 4)", b"0.30 sc 1 1 (3 4)",
    b"pressed 1 1", b"number1 4 3", b"number9 1 1", b"closed 5 1", b"blast 1 1", b"blast", b"won",
    b"0.000 start", b"flag 0 1", b"", b"0.25 rc 2 2 (20 20)", b"9.99 mt 1 1 (3 4)", b"boom",
    b"0.5 mv (1 1)", b"0.05 mv (-1 -1)", b"1.000 won", b"0.10 flag 1 1", b"nonstandard",
])  # fmt: skip


@given(st.lists(LINES | st.lists(PIECES, max_size=6).map(b"".join), max_size=12), st.booleans())
@settings(max_examples=400)
def test_any_lines(lines: list[bytes], ends: bool) -> None:
    alike(HEAD + b"\n".join([*lines, b"won" if ends else b""]))


def test_more_kinds_of_lines_than_a_file_may_have_are_left_to_the_plain_reader() -> None:
    signs = [b"", b"-"]
    kinds = [
        b"%s0.0%d %s %s(%s1 %s1)" % (time, 1, word, cell, across, down)
        for time in reversed(signs)
        for word in (b"mv", b"lc", b"lr", b"rc", b"rr", b"mc", b"mr", b"sc")
        for cell in (b"", b"1 1 ", b"-1 1 ", b"1 -1 ", b"-1 -1 ")
        for across in signs
        for down in signs
    ]
    alike(HEAD + b"\n".join([*kinds, b"won"]))
    assert "too many kinds" in str(said(HEAD + b"\n".join([*kinds, b"won"]), read_event_lines))


def test_sound_files_are_left_to_the_twin_alone() -> None:
    written = rawvf.write(rawvf.read(HEAD + b"\n".join(SOUND)))
    for data in (HEAD + b"\r\n".join(SOUND), written):
        assert answer(data) == 4


def answer(data: bytes) -> int:
    """What the twin returns: how many events there are, or -1."""
    answers = []

    def noted(*arguments: Any) -> int:
        answers.append(read_event_lines(*arguments))
        return answers[-1]

    said(data, noted)
    return answers[-1]


@pytest.mark.skipif(not numba_available(), reason="Numba is not installed")
def test_compiled() -> None:
    RAWVF_KERNELS.load()
    twin = RAWVF_KERNELS.loaded["read_event_lines"]
    for data in FILES.values():
        alike(data, twin)
        for seed in range(300):
            alike(damaged(data, random.Random(seed), list(FILES.values())), twin)


@pytest.mark.parametrize("name", samples.names("rawvf/**/*.rawvf"))
def test_samples(name: str) -> None:
    alike(samples.data(name))
    if "converted" in name:
        assert answer(samples.data(name)) > 0
