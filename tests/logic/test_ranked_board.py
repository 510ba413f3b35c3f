"""Ranked boards: fixed by their secret, checked by its digest, and shown by nothing before."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

import demine
from demine.logic.daily_board import LEVELS, Daily
from demine.logic.ranked_board import SECRET_BYTES, RankedBoard, SecretError
from demine.solver.deal.make_layout import make_layout

_DAILY = Daily(date(2026, 11, 27), "beginner")
_BOARD = RankedBoard(_DAILY, bytes(range(SECRET_BYTES)))


def test_secret_fixes_board() -> None:
    # Other programs draw published boards again, so these numbers must never change.
    assert _BOARD.digest == "cfcb19b3ebfe7a8722a3f9b5c1f303316a65e708b904f0d844b21955d72288bb"
    assert (_BOARD.seed, _BOARD.start) == (209513774291633068547711160463072752773, (5, 4))


@pytest.mark.parametrize("level", LEVELS)
def test_first_cell_opens_an_area(level: str) -> None:
    board = replace(_BOARD, daily=Daily(_DAILY.day, level))
    mines = make_layout(board.daily.rules, board.seed, board.start)
    assert mines.sum() == board.daily.rules.mines
    row, col = board.start
    assert not mines[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2].any()


def test_every_bit_of_the_secret_counts() -> None:
    boards = [_BOARD]
    for bit in range(8 * SECRET_BYTES):
        number = int.from_bytes(_BOARD.secret) ^ 1 << bit
        boards.append(replace(_BOARD, secret=number.to_bytes(SECRET_BYTES)))
    assert len({each.seed for each in boards}) == len({each.digest for each in boards}) == 257


def test_dealer_uses_the_high_bits_of_the_seed() -> None:
    rules = _DAILY.rules
    one = make_layout(rules, _BOARD.seed, _BOARD.start)
    other = make_layout(rules, _BOARD.seed ^ 1 << 127, _BOARD.start)
    assert not np.array_equal(one, other)


def test_days_and_levels_with_one_secret_differ() -> None:
    others = [Daily(date(2026, 11, 28), "beginner"), Daily(_DAILY.day, "expert")]
    assert len({replace(_BOARD, daily=each).seed for each in (_DAILY, *others)}) == 3


def test_digest_of_another_secret_is_refused() -> None:
    _BOARD.check_digest(_BOARD.digest.upper())
    with pytest.raises(SecretError, match="shown beforehand"):
        RankedBoard.draw(_DAILY).check_digest(_BOARD.digest)


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_malformed_secret_is_refused(secret: bytes) -> None:
    with pytest.raises(SecretError, match="32 bytes") as caught:
        RankedBoard(_DAILY, secret)
    assert isinstance(caught.value, demine.DemineError)


def test_repr_leaves_the_secret_out() -> None:
    text = repr(_BOARD)
    assert str(_BOARD.secret)[2:-1] not in text
    assert _BOARD.secret.hex() not in text
