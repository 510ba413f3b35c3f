"""The daily board: what follows from a date and a level, and that every machine has the same."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.boards import make
from demine.game import Game
from demine.logic.daily_board import FACT, LEVELS, Daily, DailyError, parse_day
from demine.logic.game import Origin
from demine.logic.journal import format_journal, parse_journal
from demine.logic.rules import First, Goal
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.proof.rating import rate

DAYS = st.dates(date(2020, 1, 1), date(2199, 12, 31))
DAILIES = st.builds(Daily, DAYS, st.sampled_from(sorted(LEVELS)))
NEAR = Daily(date(2026, 11, 21), "expert")

LAYOUTS = {
    "2026-11-21 beginner": "cefcfbffce60eb5e",
    "2026-11-21 intermediate": "6253a0beca26ea87",
    "2026-11-21 expert": "98e0487c596295b0",
    "2027-02-28 expert": "636b9a44b429d8ad",
}
"""The first half of the digest of each board's mines: a dealer that changes them is found out."""


def digest(daily: Daily) -> str:
    mine_map = make(daily.rules, daily.seed, daily.start)
    return hashlib.sha256(np.packbits(mine_map).tobytes()).hexdigest()[:16]


def test_the_boards_of_known_days() -> None:
    assert {text: digest(Daily.parse(text)) for text in LAYOUTS} == LAYOUTS


def test_the_rule_is_the_one_that_is_published() -> None:
    number = hashlib.sha256(b"demine daily 1 2026-11-21 expert").digest()
    assert NEAR.seed == int.from_bytes(number[:6], "big")
    row, col = int.from_bytes(number[6:10], "big"), int.from_bytes(number[10:14], "big")
    assert NEAR.start == (row % 16, col % 30)


LAY = """
import hashlib, sys
import numpy as np
from demine.logic.daily_board import Daily
from demine.logic.rules import Rules
from demine.kernels.kernel_set import load_sets
from demine.solver.proof.kernels import SOLVER_KERNELS
from demine.solver.deal.guess_free import find_guess_free_layout

if sys.argv[1] == "compiled" and not load_sets(SOLVER_KERNELS):
    sys.exit("no Numba")
boards = [Daily.parse(text) for text in sys.argv[2:]]
wanted = [(board.rules, board.seed, board.start) for board in boards]
wanted.append((Rules.parse("30x16/160"), 1, (1, 1)))
for rules, seed, first in wanted:
    laid = find_guess_free_layout(rules, seed, first)
    mines = hashlib.sha256(np.packbits(laid.mine_map).tobytes()).hexdigest()[:16]
    print(laid.method, laid.tries, mines)
"""


def test_compiled_and_plain_lay_the_same_boards() -> None:
    found = []
    for how in ("plain", "compiled"):
        command = [sys.executable, "-c", LAY, how, *LAYOUTS]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.splitlines())
    assert found[0] == found[1]
    *daily, dense = found[0]
    assert [line.split()[2] for line in daily] == list(LAYOUTS.values())
    assert {line.split()[0] for line in daily} == {"rejection"}
    assert dense.startswith("repair")


@given(daily=DAILIES)
def test_text_and_game_tell_the_board(daily: Daily) -> None:
    assert Daily.parse(str(daily)) == daily
    game = Game.from_daily(daily)
    assert Daily.of(game) == Daily.of(parse_journal(Game, format_journal(game))) == daily
    assert not game.ranked
    assert (game.rules.first, game.rules.goal, game.rules.guess_free) == (
        First.ZERO,
        Goal.OPEN,
        True,
    )
    row, col = daily.start
    assert 0 <= row < game.rules.height
    assert 0 <= col < game.rules.width


@settings(max_examples=20)
@given(daily=DAILIES)
def test_every_board_can_be_laid_and_needs_no_guess(daily: Daily) -> None:
    rate(find_guess_free_layout(daily.rules, daily.seed, daily.start).mine_map, daily.start)


def test_different_days_and_levels_have_different_seeds() -> None:
    days = [date(2026, 11, day) for day in range(1, 31)]
    seeds = {Daily(day, level).seed for day in days for level in LEVELS}
    assert len(seeds) == len(days) * len(LEVELS)


def test_a_game_that_only_says_so_is_none() -> None:
    facts = {FACT: str(NEAR)}
    assert Daily.of(Game(NEAR.rules, 7, start=NEAR.start, facts=facts)) is None
    assert Daily.of(Game(NEAR.rules, NEAR.seed, facts=facts)) is None
    other = LEVELS["beginner"]
    assert Daily.of(Game(other, NEAR.seed, start=(0, 0), facts=facts)) is None
    again = Game(NEAR.rules, NEAR.seed, origin=Origin.AGAIN, start=NEAR.start, facts=facts)
    assert Daily.of(again) is None
    assert Daily.of(Game(NEAR.rules, NEAR.seed, start=NEAR.start, facts={FACT: 3})) is None


@pytest.mark.parametrize(
    "text",
    ["", "2026-11-21", "2026-11-21 hard", "20261121 expert", "2026-W47-6 expert", "x expert"],
)
def test_what_names_no_board_is_refused(text: str) -> None:
    with pytest.raises(DailyError):
        Daily.parse(text)


def test_dates_are_read_one_way() -> None:
    assert parse_day("2026-11-21") == date(2026, 11, 21)
    with pytest.raises(DailyError, match=r"'21\.11\.2026' is not a date; write it like 2026-11-21"):
        parse_day("21.11.2026")
