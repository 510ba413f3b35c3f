"""Certain cells and the move to make."""

from __future__ import annotations

import numpy as np
import pytest

from demine.logic.errors import RulesError
from demine.scene.cell_faces import Face
from demine.solver.exact.deduce import deduce
from demine.solver.exact.probability import mine_probability
from demine.solver.player import advise
from demine.solver.player.choose_cell import best_move, find_best_move, least_risky_cell
from demine.solver.player.move import Move
from demine.solver.player.policy_error import PolicyError
from tests.solver import loaded
from tests.solver.boards import dealt, played, seen
from tests.solver.exact.test_probability import faces_of


def test_what_is_certain_is_told() -> None:
    """Two mines beside the ones, and the cells behind them are free; the third may be anywhere."""
    known = deduce(faces_of("#####", "11###"), 3)
    assert known.safe.tolist() == [
        [False, False, True, False, False],
        [False, False, True, False, False],
    ]
    assert not known.mines.any()
    known = deduce(faces_of("2##", "##1"), 2)
    assert known.mines.dtype == np.bool_


@pytest.mark.parametrize("seed", range(30))
def test_certain_cells_are_those_of_probability_0_and_1(seed: int) -> None:
    faces = played(np.random.default_rng(seed), 16, 16, 40, 8)
    found, known = mine_probability(faces, 40), deduce(faces, 40)
    assert np.array_equal(known.safe, found == 0.0)
    assert np.array_equal(known.mines, found == 1.0)


@pytest.mark.parametrize("seed", range(30))
def test_the_least_risky_cell_and_the_move(seed: int) -> None:
    faces = played(np.random.default_rng(seed), 16, 30, 99, 10)
    found, best = mine_probability(faces, 99), best_move(faces, 99)
    move = least_risky_cell(found)
    assert best is not None
    assert best.risk == found[best.row, best.col]
    assert move is not None
    assert best.risk > 0.0 or best == move
    assert move.risk == found[move.row, move.col]
    assert move.risk <= np.nanmin(found) * (1 + 1e-9)
    assert type(move.row) is int
    assert type(move.risk) is float


@pytest.mark.parametrize(
    ("rows", "mines", "move"),
    [
        pytest.param(
            ("###", "###", "###"), 2, Move(0, 0, 2 / 9), id="a corner shows zero most often"
        ),
        pytest.param(("1###", "1###", "1###"), 1, Move(0, 3, 0.0), id="far from the mine"),
        pytest.param(("1##", "###"), 2, Move(1, 0, 1 / 3), id="fewer unknown around"),
        pytest.param(("1F",), 1, None, id="only a mine is left"),
        pytest.param(("00",), 0, None, id="nothing is covered"),
        pytest.param(("0F",), 0, Move(0, 1, 0.0), id="a flag is a note"),
    ],
)
def test_ties_are_broken_by_what_a_cell_reveals(
    rows: tuple[str, ...], mines: int, move: Move | None
) -> None:
    faces = faces_of(*rows)
    assert least_risky_cell(mine_probability(faces, mines)) == move
    if move is None or move.risk == 0.0:
        assert find_best_move(faces, mines) == move


@pytest.mark.parametrize("seed", range(8))
def test_a_safe_move_is_never_a_mine(seed: int) -> None:
    """A whole game: what is called safe is safe, and the game ends when there is no move."""
    random = np.random.default_rng(seed)
    layout = dealt(random, 9, 9, 10)
    opened = np.zeros_like(layout)
    cover = np.full(layout.shape, Face.COVERED, np.uint8)
    while (move := find_best_move(seen(layout, opened, cover), 10)) is not None:
        assert not opened[move.row, move.col]
        if layout[move.row, move.col]:
            assert 0.0 < move.risk < 1.0
            cell = np.flatnonzero(~layout & ~opened)[0]
            opened.flat[cell] = True
        opened[move.row, move.col] = not layout[move.row, move.col]
    assert np.array_equal(opened, ~layout)


PROSPECTS = faces_of("####", "####", "1###")
"""Here another cell wins more often than the least risky cell."""


def test_a_named_policy_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advise, "load_kernels", lambda: False)
    assert best_move(PROSPECTS, 4, policy="strong") == pytest.approx((0, 2, 0.375))
    least = least_risky_cell(mine_probability(PROSPECTS, 4))
    assert best_move(PROSPECTS, 4, policy="fast") == least


def test_the_player_advises_before_it_is_ready_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for."""
    monkeypatch.setattr(advise, "load_kernels", lambda: pytest.fail("waited for"))
    loaded.use_player(monkeypatch, None)
    assert not advise.is_compiled()
    assert best_move(PROSPECTS, 4) == pytest.approx((0, 2, 0.375))
    loaded.use_player(monkeypatch, advise._interpreted)
    assert advise.is_compiled()
    assert best_move(PROSPECTS, 4) == pytest.approx((0, 2, 0.375))
    # Certain cells are the same with and without it.
    assert best_move(faces_of("11##", "####", "####"), 2) == Move(0, 2, 0.0)


def test_what_is_too_large_for_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded.use_player(monkeypatch, advise._interpreted)
    faces = np.full((70, 70), Face.COVERED, np.uint8)
    faces[3, 3] = 8
    move = best_move(faces, 1000, policy="strong")
    assert move is not None
    assert move.risk > 0.0


@pytest.mark.parametrize("policy", ["logic", "strongest", ""])
def test_a_policy_that_does_not_guess(policy: str) -> None:
    with pytest.raises(PolicyError, match="there are safest, fast, strong, best"):
        best_move([[9, 9]], 1, policy=policy)


def test_where_nothing_is_open() -> None:
    """A corner; by what the rules promise, if they are told, without risk."""
    faces = np.full((16, 30), Face.COVERED, np.uint8)
    assert best_move(faces, 99) == pytest.approx((0, 0, 99 / 480))
    assert best_move(faces, 99, first="any") == pytest.approx((0, 0, 99 / 480))
    assert best_move(faces, 99, first="safe") == Move(0, 0, 0.0)
    assert best_move(faces, 99, first="zero") == Move(3, 3, 0.0)
    with pytest.raises(RulesError):
        best_move(faces, 99, first="perhaps")
    faces[0, 0] = 1
    # What was promised has been kept.
    assert best_move(faces, 99, first="zero") == best_move(faces, 99)
