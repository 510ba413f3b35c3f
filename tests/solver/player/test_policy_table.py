"""The table of policies: whatever else names a policy is made from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from demine.scene.cell_faces import Face
from demine.solver.player.choose_cell import best_move
from demine.solver.player.kernels import offsets, policy_numbers
from demine.solver.player.kernels.policies import choose_by_policy
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_table import (
    GUESSING,
    POLICIES,
    POLICY_TABLE,
    BuiltInPolicy,
    checked_policy_table,
    describe_policies,
    policy_by_name,
)


@pytest.mark.parametrize("policy", POLICY_TABLE, ids=lambda policy: policy.name)
def test_every_policy_is_whole(policy: BuiltInPolicy) -> None:
    assert policy_by_name(policy.name) is policy
    assert policy.name in POLICIES
    assert policy.guesses == (policy.name in GUESSING)
    assert policy.description.startswith("{policy} ")
    assert policy.description.endswith(".")
    assert describe_policies([policy.name]).startswith(f"{policy.name} ")


@pytest.mark.parametrize("policy", POLICY_TABLE, ids=lambda policy: policy.name)
def test_a_desk_has_the_dials_of_its_policy_and_no_others(policy: BuiltInPolicy) -> None:
    desk, room = PlayerArrays(), offsets.VALUES - offsets.DIALS
    desk.values[offsets.DIALS : offsets.VALUES] = 7.0
    set_policy(desk, policy)
    expected = np.zeros(room)
    for dial, value in policy.dials:
        assert 0 <= dial < room
        expected[dial] = value
    np.testing.assert_array_equal(desk.values[offsets.DIALS : offsets.VALUES], expected)


def test_kernels_number_the_policies_as_ever() -> None:
    """The kernels compare these numbers, so that a policy keeps its own wherever it stands."""
    numbers = {policy.name: policy.number for policy in POLICY_TABLE}
    assert numbers == {"logic": 0, "safest": 1, "fast": 2, "strong": 3, "best": 4, "deep": 5}


@pytest.mark.parametrize("number", [policy_numbers.LOGIC, policy_numbers.DEEP + 1, -1])
def test_a_number_without_a_case_gives_up(number: int) -> None:
    nothing = np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.uint8)
    assert choose_by_policy(number, *nothing) == -1


@pytest.mark.parametrize("name", GUESSING)
def test_every_guessing_policy_has_a_case(name: str) -> None:
    faces = np.full((16, 30), Face.COVERED, np.uint8)
    faces[8, 15] = Face.TWO
    move = best_move(faces, 99, policy=name)
    assert move is not None
    assert move.risk > 0


def test_the_order_of_the_table_means_nothing_but_order() -> None:
    assert set(checked_policy_table(POLICY_TABLE[::-1])) == set(POLICY_TABLE)
    fresh = replace(policy_by_name("fast"), name="other", number=99)
    assert checked_policy_table((fresh, *POLICY_TABLE))[1:] == POLICY_TABLE


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        (replace(policy_by_name("fast"), number=99), "a name twice: fast"),
        (replace(policy_by_name("fast"), name="other"), "a number twice: 2"),
        (
            BuiltInPolicy("other", 99, "{policy} waits.", dials=((1, 2.0), (1, 3.0))),
            "a dial of other",
        ),
    ],
)
def test_nothing_is_declared_twice(entry: BuiltInPolicy, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        checked_policy_table((*POLICY_TABLE, entry))
