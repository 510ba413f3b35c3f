"""`demine.make`: the one door to plain and to guess-free layouts."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import demine
from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import deal
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.deal.make_layout import make, make_batch
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
