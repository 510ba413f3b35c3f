"""Lines and numbers read as arrays, beside a line-by-line reading of the same text."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.replay import line_blocks
from demine.replay.line_blocks import BlockNumbers, block_numbers, line_shapes

LINES = st.lists(
    st.sampled_from([
        b"", b"\r", b"12.345 mv 1 1 (34 567)", b"0.05 lc (1 1)", b"-1.23 mv -1 -1 (-3 -4) (lr)",
        b"won", b"number1 4 3", b"1234567", b"12345 6", b"a\0", b"a", b"fifteen letters",
        b"\xff" * 16,
    ])
)  # fmt: skip


@given(LINES, st.booleans(), st.integers(1, 60))
def test_blocks_are_the_lines_and_their_numbers(lines: list[bytes], ends: bool, most: int) -> None:
    text = b"\n".join(lines) + b"\n" * ends
    shapes: defaultdict[bytes, int] = defaultdict(lambda: len(shapes))
    which, numbers, sizes = [], [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_blocks, "_BLOCK", most)
        for at, block in line_blocks.line_blocks(b"head" + text, 4):
            assert (b"head" + text + b"\n").startswith(block, at)
            which += line_shapes(block, shapes).tolist()
            found = block_numbers(block, at)
            assert (found.too_long, found.wrong_time) == (-1, -1)
            numbers += found.numbers.tolist()
            sizes.append(len(block))
    names = list(shapes)
    assert [names[each] for each in which] == [
        re.sub(rb"[\d\r]", b"", x) for x in text.split(b"\n")
    ]
    assert numbers == [
        int(each.lstrip(b".").ljust(3 * each.startswith(b"."), b"0"))
        for each in re.findall(rb"\.?\d+", text)
    ]
    assert all(size <= most or block_of_one(size, text) for size in sizes)


def block_of_one(size: int, text: bytes) -> bool:
    return any(len(line) + 1 == size for line in text.split(b"\n"))


def test_lines_of_one_hash_are_not_taken_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_blocks, "_MIX", line_blocks._MIX * 0)
    shapes: defaultdict[bytes, int] = defaultdict(lambda: len(shapes))
    assert line_shapes(b"a\nb\na\n", shapes).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("block", "too_long", "wrong_time"),
    [
        (b"1 12345678 123456789\n", 10, -1),
        (b"1.23 4.5 6.\n", -1, 6),
        (b"1.2345\n", -1, 1),
        (b"1.23 .\n", -1, 5),
        (b"00000001", 8, -1),
    ],
)
def test_wrong_numbers_are_told(block: bytes, too_long: int, wrong_time: int) -> None:
    found = block_numbers(block, 100)
    places = [at + 100 if at >= 0 else -1 for at in (too_long, wrong_time)]
    assert found == BlockNumbers(found.numbers, *places)
