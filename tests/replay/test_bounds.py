"""What a file may ask for while it is read, and how a refusal names the place."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from demine.game import Game
from demine.logic.errors import JournalError
from demine.logic.game import Status
from demine.logic.rules import EXPERT
from demine.replay import ReplayError, convert, load, load_all, model, read_replay
from demine.replay.formats import rawvf
from demine.replay.load_save import MAX_BUTTON_EVENTS
from demine.replay.model import Replay
from demine.statistics import game_from_recording
from demine.statistics.recording_type import Recording, Signal
from tests.replay.builders import corridors, mines

GOLDEN = Path(__file__).resolve().parent.parent / "golden"


def many(signals: tuple[int, ...], times: int) -> bytes:
    """A file whose hand does the same over and over at one cell."""
    signal = np.tile(np.array(signals, np.uint8), times)
    t, point = np.arange(signal.size), np.full(signal.size, 8, np.int32)
    board = mines()
    return convert(Replay("", "", Recording(board, t, signal, point, point)), "evf")[0]


def test_movements_may_be_many_and_clicks_may_not() -> None:
    moves = many((Signal.MV,), 2 * MAX_BUTTON_EVENTS)
    assert len(load(moves).events) == 2 * MAX_BUTTON_EVENTS + 1
    clicks = (Signal.RC, Signal.RR)
    assert read_replay(many(clicks, MAX_BUTTON_EVENTS // 2)).recording.t.size == MAX_BUTTON_EVENTS
    too_many = many((*clicks, Signal.RC), MAX_BUTTON_EVENTS // 2)
    for reads in (load, read_replay):
        with pytest.raises(ReplayError, match=r"EVF: a game has at most 200000 presses"):
            reads(too_many)
    assert len(load(too_many, trusted=True).events) > MAX_BUTTON_EVENTS
    assert read_replay(too_many, trusted=True).recording.t.size > MAX_BUTTON_EVENTS


@pytest.mark.parametrize("name", ["evf", "rawvf"])
def test_openings_that_take_too_long_are_refused_unless_trusted(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = convert(Replay("", "", corridors()), name)[0]
    game = load(data)
    assert game.status is Status.WON
    for part in (model, game_from_recording):
        monkeypatch.setattr(part, "MOST_WORK", 2000)
    path = tmp_path / "corridors"
    path.write_bytes(data)
    for source in (data, path):
        with pytest.raises(ReplayError, match=r"this takes more work .* trusted") as caught:
            load(source)
        assert (caught.value.format.lower(), caught.value.offset) == (name, 0)
        assert load(source, trusted=True) == game
        assert load_all(source, trusted=True) == [game]


def test_an_untold_end_that_takes_too_long_to_find_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    data = convert(Replay("", "", corridors()), "rawvf")[0]
    data = re.sub(rb"(?m)^(Status:.*|.* won)\n", b"", data)
    game = load(data)
    assert game.status is Status.WON
    for part in (model, game_from_recording, rawvf):
        monkeypatch.setattr(part, "MOST_WORK", 2000)
    with pytest.raises(ReplayError, match="this takes more work"):
        load(data)
    assert load(data, trusted=True) == game


@pytest.mark.parametrize(
    ("lead", "lines", "line"),
    [(b"", [b"[0]"], 0), (b"\xef\xbb\xbf \n", [b'[0,"flag",1,1]', b"\xe9\x9b\xb7"], 1)],
)
def test_what_is_wrong_in_a_journal_has_a_byte(
    lead: bytes, lines: list[bytes], line: int, tmp_path: Path
) -> None:
    head = Game(EXPERT, 1).journal().encode()
    data = lead + head + b"\n".join(lines) + b"\n"
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    for source in (data, path):
        with pytest.raises(ReplayError, match="is not an event") as caught:
            load(source)
        assert caught.value.format == "journal"
        assert caught.value.offset == len(lead + head) + sum(len(each) + 1 for each in lines[:line])
        assert isinstance(caught.value.reason, JournalError | ReplayError)


@pytest.mark.parametrize(
    ("data", "format", "offset"),
    [(b"{}", "journal", 0), (b"ab\xff", "text", 2), (b"", "text", 0), (b"1.9x9.x", "text", 0)],
)
def test_what_is_no_game_has_a_byte(data: bytes, format: str, offset: int) -> None:  # noqa: A002
    with pytest.raises(ReplayError) as caught:
        load(data)
    assert (caught.value.format, caught.value.offset) == (format, offset)
