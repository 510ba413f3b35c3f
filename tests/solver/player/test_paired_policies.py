"""The measure of two policies beside what a long study says, and beside itself."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.cell_values import games_won, position
from benchmarks.engine_choices import Player, differences_of_game
from benchmarks.late_losses import losses_of_game
from benchmarks.paired_policies import (
    STAGES,
    Mean,
    PlayedGames,
    difference_less_luck,
    gains_of_game,
    play,
    policy_with_dials,
)
from demine.logic.rules import Rules
from demine.solver.player import advise
from demine.solver.player.kernels import offsets
from demine.solver.player.policy_table import policy_by_name
from tests.solver import loaded

# Compiling takes a minute, more on a busy machine, and whichever test comes first waits for it.
pytestmark = pytest.mark.timeout(400)
RULES = Rules.parse("5x5/6 first=safe")
STRONG_LESS_SAFEST = 0.0424
"""Of a million games: `demine study 5x5/6 --first safe --seed 3 --compare strong safest`."""


def test_what_choices_gain_is_what_a_policy_wins_more(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded.use_player(monkeypatch, player)
    policies, sums = ("strong", "safest"), []
    for seed in range(1500):
        gains = list(gains_of_game(RULES, policies, "safest", (0, 0), seed, 4))
        assert all(each.stage < len(STAGES) for each in gains)
        sums.append(sum(each.share for each in gains))
    found = Mean.of(np.array(sums, np.float64))
    assert found.half < 0.02
    assert 0 < found.mean - found.half < STRONG_LESS_SAFEST < found.mean + found.half


def test_a_policy_gains_nothing_over_itself() -> None:
    assert list(gains_of_game(RULES, ("fast", "fast"), "fast", (0, 0), 5, 2)) == []
    one, other = (play(RULES, "fast", (0, 0), 5, 20) for _ in range(2))
    assert 0 < one.won.sum() < 20
    assert difference_less_luck(one, other) == (0.0, 0.0)


def test_dials_are_changed_by_name(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one cell to compare and no search of the end, `strong` opens what `fast` does."""
    loaded.use_player(monkeypatch, player)
    changed = policy_with_dials("strong:layouts=0,two-ahead=3,margin=0.5")
    assert changed.name == "strong:layouts=0,two-ahead=3,margin=0.5"
    assert changed.number == policy_by_name("strong").number
    assert dict(changed.dials) == {
        **dict(policy_by_name("strong").dials),
        offsets.DIAL_LAYOUTS: 0.0,
        offsets.DIAL_TWO_AHEAD: 3.0,
        offsets.DIAL_MARGIN: 0.5,
    }
    assert policy_with_dials("deep") == policy_by_name("deep")
    blind = policy_with_dials("strong:layouts=0,choices=1")
    beside = {
        other: [
            each
            for seed in range(20)
            for each in gains_of_game(RULES, (blind, other), blind, (0, 0), seed, 2)
        ]
        for other in ("fast", "strong")
    }
    assert not beside["fast"]
    assert beside["strong"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("dee:late=0.5", "no policy 'dee'; choose from safest, fast"),
        ("logic", "no policy 'logic'"),
        ("deep:lat=0.5", "no dial 'lat'; choose from bonus, choices, early"),
        ("deep:", "no dial ''"),
        ("deep:late", "the dial late needs a number, not ''"),
        ("deep:late=0.5,share=x", "the dial share needs a number, not 'x'"),
    ],
)
def test_wrong_dials_are_told(text: str, told: str) -> None:
    with pytest.raises(ArgumentTypeError, match=told):
        policy_with_dials(text)


def test_luck_is_taken_out() -> None:
    """Two policies that guess by a coin win alike: what is left is the half that is no luck."""
    coins = np.array([0.0, 1.0] * 50)
    one = PlayedGames(coins, coins - 0.5, coins, 1.0)
    other = PlayedGames(coins[::-1].copy(), coins[::-1] - 0.5, coins, 1.0)
    assert Mean.of(one.won - other.won).half > 0.1
    assert difference_less_luck(one, other).half == pytest.approx(0.0, abs=1e-12)
    better = PlayedGames(np.ones(100), coins - 0.5, coins, 1.0)
    assert difference_less_luck(better, other).mean > 0


def test_late_losses_are_what_perfect_play_wins_more(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first cell on, 961 of 1,365 layouts can be won, and `safest` wins 0.66 of all."""
    loaded.use_player(monkeypatch, player)
    rules = Rules.parse("4x4/4 first=safe")
    lost = [
        sum(each.share for each in losses_of_game(rules, "safest", (0, 1), seed, 2000))
        for seed in range(400)
    ]
    found = Mean.of(np.array(lost, np.float64))
    assert found.half < 0.008
    assert abs(found.mean - (961 / 1365 - 0.6605)) < found.half
    assert all(each.share == 0 for each in losses_of_game(rules, "best", (0, 1), 3, 2000))


@pytest.mark.parametrize(("asked", "differs"), [("fast", False), ("safest", True)])
def test_an_engine_is_asked_before_each_guess(
    asked: str, differs: bool, player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`fast` and `safest` open cells of the same risk, and not always the same ones."""
    loaded.use_player(monkeypatch, player)
    rules = Rules.parse("16x16/40 first=safe")

    def engine(faces: NDArray[np.uint8], _: Rules) -> tuple[int, int]:
        cell = advise.policy_choice(faces, rules.mines, asked)
        assert cell is not None
        return cell

    beside = Player("fast", engine, rules)
    found = [
        each for seed in range(20) for each in differences_of_game(beside, (0, 0), seed, "fast", 4)
    ]
    assert bool(found) is differs
    assert {each.kind for each in found} <= {0}
    assert len({each.stage for each in found}) > 1 or not differs


def test_cells_are_valued_on_the_same_layouts(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of three cells is the mine: one that is opened survives twice in three, then a coin."""
    loaded.use_player(monkeypatch, player)
    rules = Rules.parse("2x2/1 first=safe")
    cells = [(0, 1), (1, 0), (0, 1)]
    won = games_won(position(rules, "0,0=1"), rules.mines, cells, "fast", 3000, 5)
    assert won.mean(axis=0) == pytest.approx(1 / 3, abs=0.04)
    assert (won[:, 0] == won[:, 2]).all()
