"""Matches: the same boards for both, failures that cost one game, and who is stronger."""

from __future__ import annotations

import shlex
import sys
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import demine
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.solver.engine.errors import EngineEnded, EngineStartError
from demine.studies.chunk import Failures
from demine.studies.confidence_interval import sign_test
from demine.studies.match import match
from demine.studies.match_result import MatchEndedEarly, MatchResult
from demine.studies.resumable_study import study
from tests.solver.engine.players import engine

# The first game compiles what plays.
pytestmark = pytest.mark.timeout(400)
BOARDS = "8x8/12"


def first_covered(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    row, col = np.argwhere(scene == Face.COVERED)[0]
    return int(row), int(col)


def fails_sometimes(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    """Fail on boards that opened less than half a row at first."""
    if (scene != Face.COVERED).sum() < 24:
        raise RuntimeError("too little")
    return first_covered(scene, rules)


class FailsInBatches:
    def choose_batch(self, scenes: NDArray[np.uint8], rules: Rules) -> list[tuple[int, int]]:
        return [fails_sometimes(scene, rules) for scene in scenes]


def counts(result: MatchResult) -> tuple[int, ...]:
    pair = result.difference
    return pair.games, pair.both, pair.only_a, pair.only_b


def test_two_policies_are_a_study() -> None:
    """Same boards, same first cell, same pairs."""
    played = match("safest", "logic", rules=BOARDS, games=60, seed=3)
    same = study(BOARDS, policy=("safest", "logic"), games=60, seed=3)
    assert played.counts.tallies == tuple(
        tally.__class__(**{**tally.to_dict(), "ns": mine.ns})
        for tally, mine in zip(same.counts.tallies, played.counts.tallies, strict=True)
    )
    assert played.difference == same.difference
    assert [each.interval for each in played.players] == [each.interval for each in same.policies]
    assert played.stronger == played.players[0]
    assert [each.failed for each in played.players] == [0, 0]
    values = played.to_dict()
    assert values["stronger"] == "safest"
    assert {name: values[name] for name in same.difference.to_dict()} == same.difference.to_dict()


def test_our_engine_plays_as_the_policy() -> None:
    """What a process answers line by line wins the very boards that the kernels win."""
    command = shlex.join([sys.executable, "-m", "demine", "engine", "--policy", "strong"])
    played = match(command, "strong", rules="16x16/50 first=safe", games=16, seed=5)
    assert counts(played) == (16, played.players[0].won, 0, 0)
    assert 0 < played.players[0].won < 16
    assert played.players[0].guesses_per_game == played.players[1].guesses_per_game
    assert (played.p_value, played.stronger) == (1.0, None)


def test_a_policy_and_an_engine_of_ones_own() -> None:
    one = match(first_covered, demine.Engine(engine()), rules="6x6/1", games=20, seed=1)
    assert one.difference.only_a == one.difference.only_b == 0
    assert one.players[0].won > 0
    two = match(first_covered, demine.Engine(engine()), rules="6x6/1", games=20, seed=1, workers=2)
    assert counts(two) == counts(one)


def test_a_failure_costs_one_game() -> None:
    """The failing player loses, is told of, and plays the next game."""
    body = "def go():\n    if len(''.join(rows).replace('#', '')) < 24: sys.exit('too little')\n"
    body += "    say(first())"
    alone = match(first_covered, "logic", rules=BOARDS, games=24, seed=2)
    for player in (fails_sometimes, FailsInBatches(), demine.Engine(engine(body))):
        played = match(player, "logic", rules=BOARDS, games=24, seed=2)
        assert played.games == 24
        assert 0 < played.players[0].failed < 24
        assert played.players[1].won == alone.players[1].won
        assert played.players[1].failed == 0
        assert "too little" in str(played.players[0].failure)
        assert isinstance(played.players[0].failure, demine.PolicyError)
        assert f"Failed in {played.players[0].failed} games, which count as lost" in str(played)


def test_a_strict_match_ends_at_a_failure() -> None:
    with pytest.raises(MatchEndedEarly, match="too little") as caught:
        match(fails_sometimes, "logic", rules=BOARDS, games=24, seed=2, strict=True)
    assert caught.value.result is not None
    assert caught.value.result.games < 24
    assert isinstance(caught.value.__cause__, demine.PolicyError)


def test_engines_that_cannot_play_at_all_are_refused() -> None:
    with pytest.raises(EngineStartError, match="cannot be started"):
        match("./no-such-engine", "logic", games=2)
    with pytest.raises(EngineEnded):
        match(demine.Engine(engine("sys.exit(1)")), "logic", games=2)
    with pytest.raises(
        demine.PolicyError, match=r"there is no policy 'safes': .*; did you mean safest"
    ):
        match("safes", "logic", games=2)
    with pytest.raises(demine.PolicyError, match="there is no module no_such_module"):
        match("no_such_module:x", "logic", games=2)
    with pytest.raises(demine.StudyError, match="two different players, not logic twice"):
        match("logic", "logic", games=2)


def test_stopping_leaves_whole_pairs() -> None:
    told: list[tuple[int, int]] = []
    played = match(
        first_covered, "logic", rules="5x5/3", games=50, seed=1,
        progress=lambda done, games: told.append((done, games)), stop=lambda: len(told) > 2,
    )  # fmt: skip
    assert 0 < played.games < 50
    assert not played.is_complete
    assert all(each.games == played.games for each in played.players)
    assert told[-1] == (played.games, 50)


def test_a_match_is_resumed(tmp_path: Path) -> None:
    """With the failures of its first part."""
    whole = match(fails_sometimes, "logic", rules=BOARDS, games=60, seed=2)
    asked = iter(range(3))
    begun: dict[str, Any] = {"rules": BOARDS, "games": 60, "seed": 2, "ledger": tmp_path / "a"}
    part = match(fails_sometimes, "logic", **begun, stop=lambda: next(asked, None) is None)
    assert 0 < part.games < 60
    assert part.players[0].failed > 0
    rest = match(fails_sometimes, "logic", **begun, resume=True)
    assert counts(rest) == counts(whole)
    assert str(rest) == str(whole)
    with pytest.raises(demine.StudyError, match="is a different one"):
        match(first_covered, "logic", **begun, resume=True)
    slower = demine.Engine(engine(), movetime=50)
    match(demine.Engine(engine()), "logic", rules="5x5/3", games=2, ledger=tmp_path / "b")
    with pytest.raises(demine.StudyError, match="is a different one"):
        match(slower, "logic", rules="5x5/3", games=2, ledger=tmp_path / "b", resume=True)


@pytest.mark.parametrize("workers", [0, -1, 10**9, "2"])
def test_numbers_of_workers_are_checked(workers: Any) -> None:
    for play in (match, lambda *pair, **how: study("5x5/3", policy=pair, **how)):
        with pytest.raises(demine.StudyError, match="the number of workers is a whole number from"):
            play("safest", "logic", games=2, workers=workers)


def test_the_first_failure_is_told() -> None:
    late, early = Failures(2, 9, EngineEnded("late")), Failures(1, 4, EngineEnded("early"))
    assert late.plus(early) == early.plus(late) == (3, 4, early.error)
    assert Failures().plus(late) == late.plus(Failures()) == late


def test_the_sign_test_is_exact() -> None:
    for only_a in range(12):
        for only_b in range(12):
            tosses, fewer = only_a + only_b, min(only_a, only_b)
            tail = sum(comb(tosses, heads) for heads in range(fewer + 1))
            wanted = min(Fraction(1), Fraction(2 * tail, 2**tosses))
            assert sign_test(only_a, only_b) == pytest.approx(float(wanted), rel=1e-12)
    # By the normal distribution: 2 * (1 - Phi((40_500 - 39_500 - 1) / sqrt(80_000))).
    assert sign_test(40_500, 39_500) == pytest.approx(0.000412, rel=0.01)
    assert sign_test(10**9, 0) == 0.0
