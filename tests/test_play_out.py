"""A game played to its end by a policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import demine
from demine import Face, Rules, Status
from tests.solver.player import sample_policies as samples

HERE = "tests.solver.player.sample_policies"


@pytest.mark.parametrize(
    "policy", [None, "safest", samples.safest, f"{HERE}:safest", samples.SafestInBatches]
)
def test_a_game_is_played_to_its_end(policy: Any) -> None:
    results = set()
    for seed in range(8):
        game = demine.Game("6x6/7", seed=seed)
        assert game.play_out(policy) is game.status
        assert game.status.over
        results.add(game.status)
        assert demine.Game.from_journal(game.journal()) == game
    assert results == {Status.WON, Status.LOST}


def test_it_plays_as_in_a_study() -> None:
    """The boards of a study, from its first cell."""
    won = []
    for index in range(12):
        game = demine.Game("6x6/7", seed=5 << 64 | index)
        game.open(2, 2)
        won.append(game.play_out(samples.safest) is Status.WON)
    study = demine.study("6x6/7", games=12, policy=samples.safest, seed=5)
    assert study.plan.start == (2, 2)
    assert sum(won) == study.won


def test_it_goes_on_where_the_game_stands() -> None:
    game = demine.Game("9x9/10", seed=3, start=(4, 4))
    seen: list[np.ndarray] = []

    def look(scene: np.ndarray, rules: Rules) -> tuple[int, int]:
        seen.append(scene)
        return samples.safest(scene, rules)

    for row in range(9):
        game.flag(row, 0)
    game.question(0, 8)
    game.play_out(look)
    assert game.first_cell() == (4, 4)
    assert all(set(scene.ravel().tolist()) <= {*range(9), Face.COVERED} for scene in seen)
    assert game.hinted
    assert not game.ranked
    before = len(game.events)
    assert game.play_out(samples.raises) is game.status
    assert len(game.events) == before


def test_lives_are_played_on() -> None:
    game = demine.Game("6x6/12 first=any lives=9", seed=3)
    assert game.play_out(samples.first_covered).over
    assert len(game.board.blown) > 1


def test_what_ends_it_before_leaves_the_game_as_it_is() -> None:
    game = demine.Game("6x6/7", seed=1)
    with pytest.raises(demine.PolicyError, match="raises raised KeyError"):
        game.play_out(samples.raises)
    assert game.status is Status.READY
    assert game.events == ()
    game.open(2, 2)
    with pytest.raises(demine.NothingCertain, match="gives the game up"):
        demine.Game("6x6/7", seed=1).play_out(samples.proven_only)
    with pytest.raises(demine.PolicyError, match="'logic' that guesses"):
        game.play_out("logic")
    with pytest.raises(demine.PolicyError, match="cannot play goal=flag"):
        demine.Game("6x6/7 goal=flag", seed=1).play_out()
    game.play(demine.Act(0, "pause"))
    with pytest.raises(demine.SceneError, match="paused"):
        game.play_out(samples.safest)
