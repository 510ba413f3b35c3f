"""Files as hostile as chance makes them, and what must be true of a reader whatever it is given."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from demine.logic.errors import DemineError
from demine.replay import ReplayError, load_save
from demine.replay.format import AnyFormat, WritableFormat
from demine.replay.model import Replay
from demine.replay.registry import all_formats, writable_replay_formats

_Found = TypeVar("_Found")

FEW: Final = 400
"""Replays of so many events are written in every format."""
EDGES: Final = (0, 1, 2, 6, 12, 127, 128, 200, 201, 254, 255)
"""Bytes where something ends, begins or changes its meaning."""


def damaged(data: bytes, source: random.Random, others: Sequence[bytes] = ()) -> bytes:
    """A file after a few accidents."""
    made = bytearray(data)
    for _ in range(1 + min(int(source.expovariate(0.7)), 12)):
        source.choice(_ACCIDENTS)(made, source, others)
    return bytes(made)


def _flip(made: bytearray, source: random.Random, others: Sequence[bytes]) -> None:
    if made:
        made[_place(made, source)] ^= 1 << source.randrange(8)


def _put(made: bytearray, source: random.Random, others: Sequence[bytes]) -> None:
    for at in range(
        (start := _place(made, source)), min(start + source.choice((1, 2, 4)), len(made))
    ):
        made[at] = source.choice(EDGES)


def _cut(made: bytearray, source: random.Random, others: Sequence[bytes]) -> None:
    del made[_place(made, source) :]


def _drop(made: bytearray, source: random.Random, others: Sequence[bytes]) -> None:
    start = _place(made, source)
    del made[start : start + source.choice((1, 2, 8, 64))]


def _repeat(made: bytearray, source: random.Random, others: Sequence[bytes]) -> None:
    start = _place(made, source)
    made[start:start] = made[start : start + source.choice((1, 6, 8, 100))] * source.choice((1, 9))


def _splice(made: bytearray, source: random.Random, others: Sequence[bytes]) -> None:
    if others:
        other = source.choice(others)
        made[_place(made, source) :] = other[_place(other, source) :]


_ACCIDENTS: Final = (_flip, _flip, _put, _put, _cut, _drop, _repeat, _splice)


def _place(made: bytes | bytearray, source: random.Random) -> int:
    """Any byte, the first hundred as likely as all the rest: that is where the numbers are."""
    most = len(made) if source.random() < 0.5 else min(len(made), 100)
    return source.randrange(most) if most else 0


def check(data: bytes, readers: Sequence[AnyFormat] = ()) -> bool:
    """Whether bytes are a game; raises whatever is no typed error.

    All readers are given them, or only those that are named; then it is whether one took them.
    """
    if readers:
        return max(_check_reader(known, data) for known in readers)
    for known in all_formats():
        _check_reader(known, data)
    try:
        list(load_save.load_all(data))
    except ReplayError:
        return False
    return True


def _check_reader(known: AnyFormat, data: bytes) -> bool:
    known.recognises(data)
    found = _tried(lambda: known.read(data))
    if found is None:
        return False
    assert all(isinstance(name, str) for name in found.facts)
    game = _tried(found.game)
    if game is not None:
        assert dict(game.facts) == dict(found.facts)
    for writer in writable_replay_formats():
        if writer is known:
            again = writer.read(writer.write(found))  # type: ignore[arg-type] # its own
            assert dict(again.facts) == dict(found.facts)
        elif isinstance(found, Replay) and found.recording.t.size < FEW:
            _check_writer(writer, found)
    return True


def _check_writer(writer: WritableFormat[Replay], found: Replay) -> None:
    """Whatever a damaged file says is written as a game that can be read, or refused."""
    data = _tried(lambda: writer.write(found))
    if data is not None:
        writer.losses(found)
        writer.read(data)


def _tried(make: Callable[[], _Found]) -> _Found | None:
    try:
        return make()
    except DemineError:
        return None
