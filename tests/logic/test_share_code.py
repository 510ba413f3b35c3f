"""Share codes: one line that opens the same board everywhere, and nothing else."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.errors import LayoutError, ShareError
from demine.logic.game import BaseGame
from demine.logic.layout import deal, keeps_first_click_promise
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.logic.share_code import decode, encode
from tests.logic.boards import all_rules, any_deal, refusal_of

GOLDEN = "1.9x9.10.zo.4-4.AgABgAQCCQAQIQA.TM7f"


def signed(body: str) -> str:
    """A body with its right check letters: what a liar would send."""
    digest = zlib.crc32(body.encode("ascii")).to_bytes(4, "big")[:3]
    return f"{body}.{base64.urlsafe_b64encode(digest).decode('ascii')}"


@given(all_rules(12), st.integers(0, 2**48), st.data())
def test_codes_decode(rules: Rules, seed: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, rules.height - 1)), data.draw(st.integers(0, rules.width - 1))
    mines = any_deal(rules, seed, first)
    code = encode(rules, mines, first)
    assert set(code) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    found_rules, found, found_first = decode(f" {code}\n")
    assert found_rules == rules
    assert np.array_equal(found, mines)
    assert found_first == first
    assert encode(found_rules, found, found_first) == code


def test_a_code_means_the_same_board_for_ever() -> None:
    code = encode(BEGINNER, deal(BEGINNER, 7, (4, 4)), (4, 4))
    assert code == GOLDEN
    assert BaseGame.from_share(GOLDEN).rules == BEGINNER


@given(st.integers(0, 200), st.sampled_from("ABZaz09-_.x"))
def test_one_wrong_letter_is_noticed(place: int, letter: str) -> None:
    place %= len(GOLDEN)
    mistyped = GOLDEN[:place] + letter + GOLDEN[place + 1 :]
    assert mistyped == GOLDEN or refusal_of(decode, mistyped)


@given(st.integers(0, 200))
def test_two_swapped_letters_are_noticed(place: int) -> None:
    place %= len(GOLDEN) - 1
    swapped = GOLDEN[:place] + GOLDEN[place + 1] + GOLDEN[place] + GOLDEN[place + 2 :]
    assert swapped == GOLDEN or refusal_of(decode, swapped)


@pytest.mark.parametrize("cut", range(0, 34, 3))
def test_a_cut_code_is_refused(cut: int) -> None:
    with pytest.raises(ShareError):
        decode(GOLDEN[:cut])
    with pytest.raises(ShareError):
        decode(GOLDEN[cut + 1 :])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("1.3x3.9.so.0-0._4A", "9 mines do not fit on 3x3"),
        ("1.0x3.0.so.0-0.", "a board of 0x3 has no cells"),
        ("1.99999999x99999999.1.so.0-0.AAAA", "is too big"),
        ("1.8192x8192.1.so.0-0.AAAA", "a packed layout of 8192x8192 has"),
        ("1.3x3.1.so.0-1.AAA", "the layout has 0 mines"),
        ("1.3x3.1.so.0-0.gAB", "bits beyond its last cell"),
        ("1.3x3.1.so.0-0.gAA", "the first cell breaks the promise first=safe"),
        ("1.9x9.1.zo.0-1.gAAAAAAAAAAAAAA", "the first cell breaks the promise first=zero"),
        ("1.3x3.1.so.3-0.gAA", "row 4, column 1 is outside the 3x3 board"),
        ("1.3x3.1.aog.0-0.gAA", "a guess-free board needs a safe first cell"),
        ("1.3x3.5.zo.0-0.gAA", "the first cell cannot always open an opening"),
        ("1.3x3.0.sf.0-0.AAA", "goal=flag needs at least one mine to flag"),
    ],
)
def test_signed_lies_are_refused(body: str, reason: str) -> None:
    with pytest.raises(ShareError) as caught:
        decode(signed(body))
    assert str(caught.value).startswith("the share code holds no playable board: ")
    assert reason in str(caught.value)


def test_a_losing_first_cell_is_no_lie_where_nothing_was_promised() -> None:
    rules, mines, first = decode(signed("1.3x3.1.ao.0-0.gAA"))
    assert mines[first]
    assert str(rules) == "3x3/1 first=any"


@pytest.mark.parametrize(
    "text",
    ["", " ", "1", "1.", "expert", "30x16/99", "2.3x3.1.so.0-1.gAA.AAAA", "1.3x3.1.so.0-1.gAA",
     "1.3x3.1.xo.0-1.gAA.AAAA", "1.3x3.1.so.0,1.gAA.AAAA", "1.٣x3.1.so.0-1.gAA.AAAA", "é" * 50,
     "1.3x3.1.so.0-1.gAA.AAA\n1.3x3", "x" * 10**6, "\x00", "1.3x3.1.so.0--1.gAA.AAAA"],
    ids=lambda text: ascii(text[:30]),
)  # fmt: skip
def test_texts_that_are_no_code(text: str) -> None:
    with pytest.raises(ShareError) as caught:
        decode(text)
    assert len(str(caught.value)) < 600


@given(
    st.text(max_size=60)
    | st.from_regex(r"1\.\dx\d\.\d\.[sza][of]g?\.\d-\d\.[\w-]{0,4}\.[\w-]{4}", fullmatch=True)
)
def test_any_text_is_a_code_or_a_refusal(text: str) -> None:
    for code in (text, signed(text.rpartition(".")[0]) if text.isascii() else text):
        if not refusal_of(decode, code):
            assert decode(encode(*decode(code)))[0] == decode(code)[0]


def test_a_board_that_breaks_its_promise_has_no_code() -> None:
    mines = deal(EXPERT, 1, (8, 8))
    mine = tuple(map(int, np.argwhere(mines)[0]))
    assert not keeps_first_click_promise(EXPERT, mines, (mine[0], mine[1]))
    with pytest.raises(ShareError, match="breaks the promise first=zero"):
        encode(EXPERT, mines, (mine[0], mine[1]))
    with pytest.raises(LayoutError, match="outside"):
        encode(EXPERT, mines, (-1, 0))
