"""The player in somebody else's game: the same decisions as in its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.logic.flood import flood
from demine.logic.layout import deal, game_seed
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.solver.exact.kernels.offsets import NO_WAY
from demine.solver.exact.probability import mine_probability
from demine.solver.player import advise
from demine.solver.player.first_cell import usual_first_cell
from demine.solver.player.kernels import advice_tasks
from demine.studies import play_games as own
from tests.solver.exact.test_probability import faces_of


def advised(rules: Rules, seed: int, policy: str) -> tuple[bool, int, int]:
    """Play the game of a seed: certain cells by probability, guesses as the seat advises."""
    start = usual_first_cell(rules)
    mine_map = deal(rules, seed, start)
    numbers = bytes(count_around(mine_map).ravel())
    opened = bytearray(rules.cells)
    cells, guesses = [start[0] * rules.width + start[1]], 0
    while True:
        for cell in cells:
            if mine_map.flat[cell]:
                return False, sum(opened), guesses
            if numbers[cell] == 0:
                flood(numbers, opened, rules.width, rules.height, cell)
            opened[cell] = 1
        if sum(opened) == rules.safe_cells:
            return True, sum(opened), guesses
        faces = seen_by(numbers, opened, rules)
        chance = mine_probability(faces, rules.mines)
        cells = np.flatnonzero(chance.ravel() == 0.0).tolist()
        if not cells:
            choice = advise.policy_choice(faces, rules.mines, policy)
            assert choice is not None
            cells, guesses = [choice[0] * rules.width + choice[1]], guesses + 1


def seen_by(numbers: bytes, opened: bytearray, rules: Rules) -> NDArray[np.uint8]:
    shown = np.frombuffer(opened, np.bool_)
    faces = np.where(shown, np.frombuffer(numbers, np.uint8), np.uint8(Face.COVERED))
    return faces.reshape(rules.shape).astype(np.uint8)


@pytest.mark.parametrize("policy", ["safest", "fast", "strong"])
def test_it_decides_as_in_a_study(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("7x6/9 first=safe")
    monkeypatch.setattr(own, "_play_kernel", lambda: adviser_of_studies)
    games = own.play_games(rules, policy, 0, 0, 12)
    right = [(bool(g["won"]), int(g["opened"]), int(g["guesses"])) for g in games]
    assert [advised(rules, game_seed(0, at), policy) for at in range(12)] == right


def adviser_of_studies(*arguments: Any) -> float:
    """The table of a study, interpreted as the seat is."""
    words = list(arguments)
    words[-1] = advise.as_memoryview(words[-1])
    return own._play_seed_interpreted(*words)


def test_what_is_certain_needs_no_advice() -> None:
    """Single numbers prove the one, all numbers together the other."""
    faces = faces_of("1##", "###", "###")
    assert advise.policy_choice(faces_of("0#", "##"), 0, "strong") is not None
    place = advise.run_task(advice_tasks.CHOOSE_CELL, faces_of("11##", "####", "####"), 2, "fast")
    assert advise.PaddedBoard(3, 4).cell_at(int(place)) in {(0, 2), (1, 2)}
    assert advise.policy_choice(faces, 1, "fast") in {(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)}


@pytest.mark.parametrize(
    ("rows", "mines"), [(("8#",), 1), (("1#1", "###", "2#2"), 1), (("3##",), 2)]
)
def test_a_contradiction_is_told(rows: tuple[str, ...], mines: int) -> None:
    assert advise.run_task(advice_tasks.CHOOSE_CELL, faces_of(*rows), mines, "strong") == NO_WAY
    assert advise.policy_choice(faces_of(*rows), mines, "strong") is None


def test_nothing_is_left_to_open() -> None:
    assert (
        advise.run_task(advice_tasks.CHOOSE_CELL, faces_of("1#"), 1, "strong")
        == advice_tasks.NOTHING_LEFT
    )
    assert advise.policy_choice(faces_of("1#"), 1, "strong") is None


def test_too_large_for_the_player() -> None:
    assert advise.policy_choice(np.full((100, 100), Face.COVERED, np.uint8), 99, "strong") is None


def test_cells_are_numbered_with_a_rim() -> None:
    rims = advise.PaddedBoard(3, 4)
    cells = [(row, col) for row in range(3) for col in range(4)]
    assert [rims.cell_at(rims.padded_index(cell)) for cell in cells] == cells
    assert advise.padded_indices(cells, rims).tolist() == [
        rims.padded_index(cell) for cell in cells
    ]
    assert rims.cells_with_rim == 30
