"""`demine.make` and `make_batch`: plain and guess-free layouts, and those of a wanted 3BV."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import demine
from demine.boards import make, make_batch
from demine.cli.main import run
from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import deal
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.errors import NoGuessFreeBoard


def test_plain_layouts_are_dealt() -> None:
    assert demine.make is make
    assert np.array_equal(make(EXPERT, 7), deal(EXPERT, 7))
    assert np.array_equal(make(EXPERT, 7, (8, 15)), deal(EXPERT, 7, (8, 15)))


def test_guess_free_is_asked_for_in_two_ways() -> None:
    right = find_guess_free_layout(EXPERT, 5, (8, 15)).mine_map
    assert np.array_equal(make(EXPERT, 5, (8, 15), guess_free=True), right)
    assert np.array_equal(make(replace(EXPERT, guess_free=True), 5, (8, 15)), right)
    # Seed 5's plain board is another, so that this could fail.
    assert not np.array_equal(deal(EXPERT, 5, (8, 15)), right)


def test_what_cannot_be_made_is_refused() -> None:
    with pytest.raises(LayoutError, match="needs its first cell: first="):
        make(BEGINNER, 1, guess_free=True)
    with pytest.raises(RulesError, match="first=any is a guess"):
        make(Rules(9, 9, 10, first="any"), 1, (0, 0), guess_free=True)
    with pytest.raises(NoGuessFreeBoard):
        make(Rules.parse("300x300/9 guess-free"), 1, (0, 0))
    with pytest.raises(RulesError, match="need the solver"):
        deal(Rules.parse("9x9/10 guess-free"), 1, (0, 0))


def test_the_solver_is_loaded_only_for_guess_free_boards() -> None:
    code = """
import sys, demine
assert "numpy" not in sys.modules
demine.Game(demine.EXPERT, 1).play(demine.Act(0, "open", 8, 15))
demine.make(demine.EXPERT, 1)
assert "demine.solver.deal.guess_free" not in sys.modules
demine.Game(demine.Rules.parse("9x9/10 guess-free"), 1).play(demine.Act(0, "open", 4, 4))
assert "demine.solver.deal.guess_free" in sys.modules
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_batch_is_the_boards_of_its_seeds() -> None:
    many = make_batch(BEGINNER, 7, 3, (4, 4))
    one_by_one = [make(BEGINNER, (7 << 64) + at, (4, 4)) for at in range(3)]
    assert np.array_equal(many, one_by_one)
    assert make_batch("9x9/10", 7, 0).shape == (0, 9, 9)
    with pytest.raises(LayoutError, match=r"less than 2\*\*64"):
        make_batch(BEGINNER, 1 << 64, 1)
    with pytest.raises(LayoutError, match="-1 boards"):
        make_batch(BEGINNER, 1, -1)


@pytest.mark.parametrize("guess_free", [False, True])
def test_boards_of_a_wanted_3bv(guess_free: bool) -> None:
    first = (4, 4)
    wanted = make("9x9/10", 7, first, guess_free, three_bv=(20, 22))
    assert 20 <= demine.stats(wanted).bv <= 22
    assert not wanted[3:6, 3:6].any(), "the first cell opens an opening"
    if guess_free:
        assert demine.rate(wanted, first).hardest
    several = make_batch("9x9/10", 7, 3, first, guess_free, three_bv=(20, 22))
    assert np.array_equal(several[0], wanted)
    assert len({each.tobytes() for each in several}) == 3
    assert all(20 <= bv <= 22 for bv in demine.three_bv_batch(several))
    assert demine.stats(make("9x9/10", 7, first, guess_free, three_bv=15)).bv == 15
    assert make_batch("9x9/10", 7, 0, three_bv=15).shape == (0, 9, 9)


def test_the_board_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["make", "9x9/10", "--seed", "7", "--3bv", "20..22"]) == 0
    _, mine_map = demine.parse_layout(capsys.readouterr().out)
    assert np.array_equal(mine_map, make("9x9/10", 7, three_bv=(20, 22)))


def test_a_search_for_a_3bv_says_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demine.boards.MAX_DEALT_CELLS", 1)
    monkeypatch.setattr("demine.boards.MAX_REJECTED_BOARDS", 20)
    asked: list[tuple[int, int]] = []

    def progress(boards: int, steps: int) -> None:
        asked.append((boards, steps))

    with pytest.raises(demine.NoSuchBoard, match=r"from 70 to 71: the first .* have") as plain:
        make("9x9/10", 7, three_bv=(70, 71), progress=progress)
    assert asked
    with pytest.raises(demine.NoSuchBoard, match=r"they have \d+ to \d+") as guess_free:
        make("9x9/10", 7, (4, 4), guess_free=True, three_bv=(60, 71))
    for error in (plain.value, guess_free.value):
        least, most = error.params["least"], error.params["most"]
        assert isinstance(least, int)
        assert isinstance(most, int)
        assert 1 <= least < most < 60


@pytest.mark.parametrize(
    ("three_bv", "sentence"),
    [
        ((30, 20), "no 3BV lies from 30 to 20"),
        (-1, "no 3BV lies from -1 to -1"),
        ("15", "a 3BV is a number, or the least and the most, not '15'"),
        ((1, 2, 3), r"not \(1, 2, 3\)"),
        (1.5, "not 1.5"),
    ],
)
def test_what_is_no_3bv(three_bv: object, sentence: str) -> None:
    for guess_free in (False, True):
        with pytest.raises(LayoutError, match=sentence):
            make("9x9/10", 7, (4, 4), guess_free, three_bv=three_bv)  # type: ignore[arg-type]
    with pytest.raises(LayoutError, match="first=\\(row, col\\)"):
        make("9x9/10", 7, guess_free=True, three_bv=15)
