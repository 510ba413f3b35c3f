"""Seeds and daily boards keep their guess-free boards: a list of them, made once and for all."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from demine.logic.daily_board import LEVELS, Daily
from demine.logic.rules import Rules
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.errors import NoGuessFreeBoard
from demine.solver.exact.compiled_engine import ProbabilityKernel

LIST = Path(__file__).with_name("guess_free.txt")
SEEDS = 6
DAYS = 400
SOME_DAYS = 20
BEGIN = date(2026, 11, 1)
NOT_FOUND = "-"
"""What was given up when the list was made; since then it may be found, or proven not to exist."""

BOARDS = (
    *(
        "beginner",
        "intermediate",
        "expert",
        "8x8/10",
        "10x10/33",
        "9x9/20",
        "16x16/60",
        "30x16/120",
    ),
    *("8x8/18", "8x8/26", "8x8/30", "10x10/40", "10x10/45", "10x10/50", "20x20/110", "20x20/130"),
    *("30x16/140", "30x16/160", "30x16/180", "30x16/200", "24x24/99", "40x30/250", "60x40/500"),
    *(
        "30x1/5",
        "15x1/5",
        "12x2/18",
        "16x1/6",
        "60x2/4",
        "60x2/9",
        "40x3/20",
        "100x4/50",
        "5x30/40",
    ),
    *("6x6/12", "7x7/20", "7x7/26", "6x4/8", "5x5/16", "5x5/22", "100x100/2200", "80x60/800"),
    *("1x1/0", "2x1/1", "3x3/8", "4x4/15", "9x9/0", "9x9/72", "9x9/71", "16x16/200"),
)
SMALL = tuple(
    f"{width}x{height}/{mines}"
    for width, height in ((3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (7, 2), (9, 1))
    for mines in range(1, width * height, 2)
)

LINES = [] if not LIST.exists() else LIST.read_text(encoding="ascii").splitlines()


def cases() -> list[tuple[str, tuple[int, int]]]:
    """Rules and first cells: a corner, an edge, the middle."""
    found = []
    for text in (*BOARDS, *SMALL):
        for promise in ("", " first=safe"):
            rules = Rules.parse(text + promise)
            row, col = rules.height // 2, rules.width // 2
            found += [
                (text + promise, cell) for cell in dict.fromkeys([(0, 0), (0, col), (row, col)])
            ]
    return found


def line(text: str, first: tuple[int, int], seeds: range = range(SEEDS)) -> str:
    """Return what some seeds lay, as a line of the list."""
    return f"{text} {first[0]},{first[1]}: " + " ".join(laid(text, first, seed) for seed in seeds)


def laid(text: str, first: tuple[int, int], seed: int) -> str:
    """Return how a board was laid, after how many tries, and the beginning of its digest."""
    try:
        found = find_guess_free_layout(Rules.parse(text), seed, first)
    except NoGuessFreeBoard:
        return NOT_FOUND
    digest = hashlib.sha256(np.packbits(found.mine_map).tobytes()).hexdigest()[:10]
    return f"{found.method}:{found.tries}:{digest}"


def daily_line(level: str, days: int) -> str:
    """Return a digest of the daily boards of a level, from the first day of the list on."""
    digest = hashlib.sha256()
    for day in range(days):
        daily = Daily(BEGIN + timedelta(day), level)
        digest.update(
            np.packbits(
                find_guess_free_layout(daily.rules, daily.seed, daily.start).mine_map
            ).tobytes()
        )
    return f"daily {level} {days}: {digest.hexdigest()[:20]}"


def check(head: str, outcomes: list[str]) -> None:
    """Lay what a line tells of again; what was given up then is passed over."""
    text, _, cell = head.rpartition(" ")
    row, _, col = cell.partition(",")
    for seed, was in enumerate(outcomes):
        if was != NOT_FOUND:
            assert laid(text, (int(row), int(col)), seed) == was, (head, seed)


def parsed(begin: str) -> list[tuple[str, list[str]]]:
    """Return the lines whose rules have names that begin so, without the daily boards."""
    parts = (line.partition(": ") for line in LINES if line.startswith(begin))
    return [(head, rest.split()) for head, _, rest in parts if not head.startswith("daily")]


def test_the_list_is_whole() -> None:
    heads = [line.partition(": ")[0] for line in LINES]
    assert heads[2 * len(LEVELS) :] == [f"{text} {row},{col}" for text, (row, col) in cases()]
    assert heads[: 2 * len(LEVELS)] == [
        f"daily {level} {days}" for level in LEVELS for days in (SOME_DAYS, DAYS)
    ]
    found = [each for _, rest in parsed("") for each in rest if each != NOT_FOUND]
    methods = {each.partition(":")[0] for each in found}
    assert len(found) == 2700
    assert methods == {"rejection", "repair", "census"}


def test_seeds_keep_their_boards(fast: ProbabilityKernel) -> None:
    for head, outcomes in parsed(""):
        check(head, outcomes[:2])


def test_daily_boards_are_kept(fast: ProbabilityKernel) -> None:
    for level in LEVELS:
        assert daily_line(level, DAYS) in LINES


@pytest.mark.parametrize("begin", ["beginner", "expert first", "8x8/26 ", "5x4/", "16x1/6", "9x1/"])
def test_interpreted_seeds_keep_their_boards(begin: str) -> None:
    assert parsed(begin)
    for head, outcomes in parsed(begin):
        check(head, outcomes[:2])


@pytest.mark.parametrize("level", LEVELS)
def test_interpreted_daily_boards_are_kept(level: str) -> None:
    assert daily_line(level, SOME_DAYS) in LINES
