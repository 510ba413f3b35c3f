"""Damaged and hostile files of every format: a typed error or a game, soon and in little memory.

`python scripts/fuzz.py` does the same for as long as one likes.
"""

from __future__ import annotations

import random
import struct
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from demine.replay import ReplayError
from demine.replay.registry import all_formats
from tests.replay.builders import CLICKS, Arbiter, Meta, every, sitting
from tests.replay.damage import check, damaged

FILES = every()


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_files_are_whole(name: str) -> None:
    assert check(FILES[name])


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_beginning_of_a_file(name: str) -> None:
    data = FILES[name]
    for end in range(len(data)):
        check(data[:end])


@pytest.mark.parametrize("name", sorted(FILES))
@given(seed=st.integers(0, 1 << 30))
def test_damaged_files(name: str, seed: int) -> None:
    source = random.Random(seed)
    check(damaged(FILES[name], source, list(FILES.values())))


@given(st.binary(max_size=200))
@example(b"\0" * 200)
@example(b"\xff" * 200)
def test_any_bytes(data: bytes) -> None:
    check(data)


@given(st.sampled_from(sorted(FILES)), st.integers(0, 60), st.binary(max_size=80))
def test_any_bytes_after_a_good_beginning(name: str, end: int, rest: bytes) -> None:
    check(FILES[name][:end] + rest)


MANY = 24_000
_STEP = struct.pack(">BBhh", 1, 1, 1, 0)
_BACK = struct.pack(">BBhh", 1, 1, -1, 0)
_MOVES = [(10 * n, 1, n & 31, n & 15) for n in range(MANY)]
HUGE: dict[str, Callable[[], bytes]] = {
    "avf": lambda: Arbiter(lines=_MOVES).data(),
    "avf open end": lambda: Arbiter(lines=_MOVES).data()[:-MANY],
    "evf3": lambda: Meta(lines=_MOVES).data(),
    "evf4": lambda: Meta(version=4, events=(_STEP + _BACK) * MANY).data(),
    "evf4 alone": lambda: Meta(version=4, events=(_STEP + b"\x51\1" + _BACK) * MANY).data(),
    "evf4 pauses": lambda: Meta(version=4, events=b"\xff\0\1" * MANY).data(),
    "evf4 states": lambda: Meta(version=4, events=b"\x51\1" * MANY).data(),
    "evf4 board": lambda: Meta(version=4, events=bytes((101, 0, 1, 0)) * MANY).data(),
    "evf4 words": lambda: Meta(version=4, events=b"\xc9\0\0\0\0" * MANY).data(),
    "evf4 names": lambda: Meta(version=4, names=[b""] * 9999).data(),
    "evf text": lambda: Meta(player=b"x" * MANY).data(),
    "evfs": lambda: sitting([Meta(lines=CLICKS[:2]).data()] * 400, 0),
    "evfs names": lambda: b"\0\0\0" + b"x" * MANY,
    "zeros": lambda: bytes(MANY),
    "ones": lambda: b"\1" * MANY,
    "full": lambda: b"\xff" * MANY,
}


@pytest.mark.parametrize("name", HUGE)
def test_large_files_need_no_more_than_a_few_times_their_size(name: str) -> None:
    data = HUGE[name]()
    for known in all_formats():
        tracemalloc.start()
        try:
            known.recognises(data)
            known.read(data)
        except ReplayError:
            pass
        finally:
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert peak < 24 * len(data) + 400_000, known.name
