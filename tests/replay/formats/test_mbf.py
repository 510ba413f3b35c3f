"""Board files of the field: bytes known from other programs, and every way to be damaged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from demine.logic.errors import LayoutError
from demine.replay.errors import ReplayError
from demine.replay.formats import mbf
from tests import samples


def test_the_bytes_are_the_fields() -> None:
    """Four columns, three rows; the mines go column by column, x before y."""
    mine_map = np.array([[0, 0, 1, 0], [1, 0, 0, 0], [1, 0, 0, 1]], np.bool_)
    assert mbf.dumps(mine_map).hex(" ") == "04 03 00 04 00 01 00 02 02 00 03 02"


def test_many_mines_are_counted_with_the_high_byte_first() -> None:
    data = mbf.dumps(np.ones((255, 255), np.bool_))
    assert data[:4].hex(" ") == "ff ff fe 01"
    assert mbf.loads(data).all()


@given(arrays(np.bool_, st.tuples(st.integers(1, 20), st.integers(1, 20))))
def test_what_is_written_is_read(mine_map: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> None:
    assert np.array_equal(mbf.loads(mbf.dumps(mine_map)), mine_map)


def test_mines_are_read_in_any_order() -> None:
    data = mbf.dumps([[1, 0], [1, 1]])
    assert mbf.loads(data[:4] + data[8:] + data[4:8]).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "at least 4"),
        (b"\x01\x01\x00", "at least 4"),
        (b"\x00\x05\x00\x00", "0x5 has no cells"),
        (b"\x05\x05\x00\x02\x00\x00", "8 bytes, not 6"),
        (b"\x05\x05\x00\x01\x00\x00\x00", "6 bytes, not 7"),
        (b"\x05\x05\xff\xff", "not 4"),
        (b"\x02\x03\x00\x01\x02\x00", "row 1, column 3 is outside the 2x3"),
        (b"\x02\x03\x00\x01\x00\x03", "row 4, column 1 is outside the 2x3"),
        (b"\x02\x03\x00\x02\x01\x01\x01\x01", "in one cell"),
    ],
)
def test_damage_is_told(data: bytes, word: str) -> None:
    with pytest.raises(ReplayError, match=word):
        mbf.loads(data)


@given(st.binary(max_size=40))
def test_any_bytes_are_a_board_or_an_error(data: bytes) -> None:
    try:
        mine_map = mbf.loads(data)
    except ReplayError:
        return
    assert sorted(mbf.dumps(mine_map)[4:]) == sorted(data[4:])


@pytest.mark.parametrize("shape", [(256, 1), (1, 256)])
def test_what_is_too_large_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ReplayError, match=f"not {shape[1]}x{shape[0]}"):
        mbf.dumps(np.zeros(shape, np.bool_))


def test_what_is_no_board_is_refused() -> None:
    for wrong in ([], [True], np.zeros((2, 2, 2))):
        with pytest.raises(ReplayError, match="shape"):
            mbf.dumps(wrong)
    with pytest.raises(LayoutError):
        mbf.dumps([[1], [1, 2]])


def test_a_board_file_is_a_layout() -> None:
    data = b"\4\5\0\2\3\4\0\0"
    assert mbf.recognises(data)
    layout = mbf.read(data)
    assert layout.mine_map.shape == (5, 4)
    assert mbf.write(layout) == data
    assert mbf.FORMAT.losses(layout) == ()
    facts = {"player": "Ada", "level": "custom"}
    again = mbf.write(replace(layout, format="", facts=facts))
    assert again == b"\4\5\0\2\0\0\3\4"
    assert [str(loss) for loss in mbf.FORMAT.losses(replace(layout, facts=facts))] == [
        "these facts: player"
    ]
    for wrong in (data[:3], data + b"\0", b"\4\5\0\1\4\4", b"\1\1\0\1\0\0"):
        assert not mbf.recognises(wrong)
    with pytest.raises(ReplayError, match="MBF, byte 4: the mine at row 5, column 5") as caught:
        mbf.read(b"\4\5\0\1\4\4")
    assert caught.value.format == "MBF"


@pytest.mark.parametrize("name", samples.names("generated/*.mbf"))
def test_samples(name: str) -> None:
    data = samples.data(name)
    assert mbf.dumps(mbf.read(data).mine_map) == data
