"""Tallies add up to the same in any order and any parts."""

from __future__ import annotations

import json
from functools import reduce
from itertools import pairwise
from math import log10
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.studies.play_games import GAME_DTYPE
from demine.studies.totals import MAX_GUESSES, SURVIVAL_BINS, GameTotals

if TYPE_CHECKING:
    from numpy.typing import NDArray


def games_of(seed: int, count: int) -> NDArray[np.void]:
    """Games as a study might have them."""
    dice = np.random.default_rng(seed)
    games = np.zeros(count, GAME_DTYPE)
    games["index"] = np.arange(count)
    games["won"] = dice.random(count) < 0.6
    games["guesses"] = dice.poisson(2, count)
    games["survival"] = np.where(games["guesses"] > 0, dice.random(count) ** 3 + 1e-6, 1.0)
    games["survival"] = np.minimum(games["survival"], 1.0)
    for name in ("opened", "moves", "bv", "ns"):
        games[name] = dice.integers(1, 400, count)
    return games


@given(
    st.integers(0, 99), st.integers(0, 300), st.lists(st.integers(0, 300), max_size=6), st.data()
)
def test_parts_in_any_order_come_to_the_whole(
    seed: int, count: int, cuts: list[int], data: st.DataObject
) -> None:
    games = games_of(seed, count)
    edges = [0, *sorted(min(cut, count) for cut in cuts), count]
    parts = [games[a:b] for a, b in pairwise(edges)]
    shuffled = data.draw(st.permutations(parts))
    assert reduce(add, map(GameTotals.from_games, shuffled), GameTotals()) == GameTotals.from_games(
        games
    )


@given(st.integers(0, 99), st.integers(0, 50))
def test_facts_are_read_back(seed: int, count: int) -> None:
    tally = GameTotals.from_games(games_of(seed, count))
    assert GameTotals.from_dict(json.loads(json.dumps(tally.to_dict()))) == tally


def test_it_counts_what_is_there() -> None:
    games = games_of(5, 1000)
    tally = GameTotals.from_games(games)
    won = games[games["won"]]
    assert (tally.games, tally.won) == (1000, won.size)
    assert tally.guesses == sum(games["guesses"].tolist())
    assert tally.weight / 2**20 == pytest.approx(sum(1 / won["survival"]), rel=1e-6)
    assert tally.pluck / 2**20 == pytest.approx(sum(-log10(each) for each in won["survival"]))
    assert sum(tally.by_guesses) == sum(tally.by_survival) == 1000
    assert tally.by_survival[SURVIVAL_BINS] == np.count_nonzero(games["survival"] == 1)
    assert len(tally.by_guesses) == MAX_GUESSES + 1
    assert tally.luckiest is not None
    assert tally.luckiest[0] == won["survival"].min()


@pytest.mark.parametrize(
    "wrong",
    [
        {"won": -1},
        {"won": True},
        {"won": 1.5},
        {"by_guesses": [1]},
        {"luckiest": [1]},
        {"ns": None},
    ],
)
def test_wrong_facts_are_refused(wrong: dict[str, Any]) -> None:
    facts = GameTotals.from_games(games_of(1, 20)).to_dict() | wrong
    with pytest.raises((TypeError, ValueError, IndexError)):
        GameTotals.from_dict(facts)
    with pytest.raises(KeyError):
        GameTotals.from_dict({})
