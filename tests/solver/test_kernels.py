"""The kernels: equal bit for bit, interpreted and compiled, and as good as the plain engine."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.kernels import build
from demine.kernels.kernel_set import KernelSet
from demine.play.load_kernels import all_kernel_sets
from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard
from demine.solver.exact.compiled_engine import ProbabilityKernel, interpreted_mine_probability
from demine.solver.exact.deduce import deduce
from demine.solver.exact.kernels import offsets, solve_boards
from demine.solver.exact.probability import (
    mine_probability,
    mine_probability_batch,
    plain_probability,
)
from demine.solver.player.choose_cell import find_best_move
from demine.solver.player.kernels import PLAYER_KERNELS
from demine.studies.kernels import STUDY_KERNELS
from tests.solver import loaded, oracle
from tests.solver.boards import dealt, played, scattered, seen, small
from tests.solver.exact.test_probability import REACH, faces_of

Faces = NDArray[np.uint8]


@pytest.fixture(scope="module")
def interpreted() -> ProbabilityKernel:
    """The kernels as plain Python."""
    return ProbabilityKernel(solve_boards.solve_boards)


def middle(seed: int) -> tuple[Faces, int]:
    """A mid-game board of one of several sizes."""
    random = np.random.default_rng(seed)
    height, width, mines = [(16, 30, 99), (16, 16, 40), (9, 9, 10), (1, 60, 12), (20, 20, 90)][
        seed % 5
    ]
    if seed % 3 == 2:
        return scattered(random, height, width, mines), mines
    return played(random, height, width, mines, int(random.integers(0, 16))), mines


def close(found: NDArray[np.float64] | None, right: NDArray[np.float64]) -> None:
    """Compiled answers are within reach of the plain ones, and as certain."""
    assert found is not None
    assert np.array_equal(np.isnan(found), np.isnan(right))
    assert np.array_equal(found == 0.0, right == 0.0)
    assert np.array_equal(found == 1.0, right == 1.0)
    assert np.all((np.abs(found - right) <= REACH * right) | np.isnan(right))


@pytest.mark.parametrize("seed", range(12))
def test_interpreted_kernels_say_what_the_plain_engine_says(
    seed: int, interpreted: ProbabilityKernel
) -> None:
    faces, mines = middle(seed)
    close(interpreted.mine_probability(faces, mines), plain_probability(faces, mines))


def test_interpreted_kernels_solve_small_boards(interpreted: ProbabilityKernel) -> None:
    random = np.random.default_rng(17)
    refused = 0
    for _ in range(250):
        faces, mines = small(random)
        truth = oracle.count(faces, mines)
        found = interpreted.mine_probability(faces, mines)
        refused += found is None
        assert (found is None) == (truth.layouts == 0)
        if found is not None:
            for cell in truth.mines:
                assert abs(found[cell] - float(truth.share(cell))) <= REACH * found[cell]
    assert refused > 3


@pytest.mark.parametrize("seed", range(15))
def test_interpreted_and_compiled_kernels_agree_bit_for_bit(
    seed: int, interpreted: ProbabilityKernel, built: ProbabilityKernel
) -> None:
    faces, mines = middle(seed)
    slow, fast = interpreted.mine_probability(faces, mines), built.mine_probability(faces, mines)
    assert slow is not None
    assert fast is not None
    assert slow.tobytes() == fast.tobytes()
    listed = interpreted_mine_probability(faces, mines)
    assert listed is not None
    assert listed.tobytes() == fast.tobytes()


@pytest.mark.parametrize("seed", range(5))
def test_compiled_kernels_agree_with_the_oracle(seed: int, built: ProbabilityKernel) -> None:
    random = np.random.default_rng(1000 + seed)
    for _ in range(300):
        faces, mines = small(random)
        truth = oracle.count(faces, mines)
        found = built.mine_probability(faces, mines)
        assert (found is None) == (truth.layouts == 0)
        if found is not None:
            for cell, held in truth.mines.items():
                assert abs(found[cell] - float(truth.share(cell))) <= REACH * found[cell]
                assert (found[cell] == 0.0) == (held == 0)
                assert (found[cell] == 1.0) == (held == truth.layouts)


@pytest.mark.parametrize("seed", range(100, 250))
def test_compiled_kernels_agree_with_the_plain_engine(seed: int, built: ProbabilityKernel) -> None:
    faces, mines = middle(seed)
    close(built.mine_probability(faces, mines), plain_probability(faces, mines))


def test_public_answers_are_the_same_compiled(
    fast: ProbabilityKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = [middle(seed) for seed in range(300, 320)]
    quick = [(mine_probability(*p), deduce(*p), find_best_move(*p)) for p in positions]
    loaded.use_solver(monkeypatch, None)
    for position, (found, known, move) in zip(positions, quick, strict=True):
        assert found.tobytes() == mine_probability(*position).tobytes()
        plainly = deduce(*position)
        assert np.array_equal(known.safe, plainly.safe)
        assert np.array_equal(known.mines, plainly.mines)
        right = find_best_move(*position)
        assert (move is None) == (right is None)
        if move is not None and right is not None:
            assert move[:2] == right[:2]


@pytest.mark.parametrize("make", [np.asfortranarray, np.flipud, list, np.int64])
def test_any_form_of_a_scene_is_taken(make: type, fast: ProbabilityKernel) -> None:
    faces, mines = middle(0)
    faces.flags.writeable = False
    shown = make(faces)
    right = plain_probability(np.array(shown, np.uint8), mines)
    close(mine_probability(shown, mines), right)
    close(mine_probability(shown, np.int16(mines)), right)


def test_a_batch_is_its_boards(fast: ProbabilityKernel) -> None:
    """Boards beyond the kernels are solved by the plain engine, and contradictions are named."""
    positions = [played(np.random.default_rng(seed), 16, 30, 99, 8) for seed in range(40)]
    scenes = np.array(positions)
    found = mine_probability_batch(scenes, 99)
    for faces, answer in zip(positions, found, strict=True):
        assert answer.tobytes() == mine_probability(faces, 99).tobytes()
    scenes[7] = Face.COVERED
    scenes[7, 0, 0] = 4
    with pytest.raises(InconsistentBoard, match="the 4 at row 1, column 1") as caught:
        mine_probability_batch(scenes, 99)
    assert caught.value.__notes__ == ["board 7"]


@pytest.mark.parametrize(
    ("faces", "mines"),
    [
        pytest.param(np.full((70, 70), 9, np.uint8), 9, id="too many cells"),
        pytest.param(np.full((31, 31), 9, np.uint8), 9, id="too many unsettled"),
        pytest.param(faces_of("1"), 0, id="a number without room"),
        pytest.param(faces_of("1#", "#1"), 3, id="too many mines"),
        pytest.param(faces_of("####"), -1, id="fewer than none"),
        pytest.param(faces_of("1#1#", "#2##"), 0, id="too few mines"),
        pytest.param(np.array([[9, 12]], np.uint8), 1, id="an ended game"),
        pytest.param(np.array([[9, 255]], np.uint8), 1, id="no face"),
        pytest.param(faces_of("1#2#1"), 1, id="a contradiction"),
    ],
)
def test_what_is_beyond_the_kernels_is_left_alone(
    faces: Faces, mines: int, interpreted: ProbabilityKernel
) -> None:
    assert interpreted.mine_probability(faces, mines) is None


def wide() -> tuple[Faces, int]:
    """A board on which more numbers wait at once than a state has places for."""
    random = np.random.default_rng(2)
    layout = dealt(random, 29, 29, 160)
    opened = ~layout & (random.random(layout.shape) < 0.35)
    return seen(layout, opened, np.full(layout.shape, Face.COVERED, np.uint8)), 160


def test_wide_boards_are_beyond(built: ProbabilityKernel) -> None:
    faces, mines = wide()
    assert np.count_nonzero(faces >= Face.COVERED) <= offsets.UNSETTLED
    assert built.mine_probability(faces, mines) is None


def test_after_a_refusal_the_kernels_are_as_good_as_new(built: ProbabilityKernel) -> None:
    faces, mines = middle(0)
    before = built.mine_probability(faces, mines)
    assert built.mine_probability(*wide()) is None
    assert built.mine_probability(faces_of("1#2#1"), 1) is None
    after = built.mine_probability(faces, mines)
    assert before is not None
    assert after is not None
    assert before.tobytes() == after.tobytes()


def test_parts_of_the_work_arrays_do_not_overlap() -> None:
    """Constants are in the order of the parts, and the last is the end."""
    names = [name for name in vars(offsets) if name.isupper()]
    ints = names[names.index("COVER") : names.index("WORK_SIZE") + 1]
    floats = names[names.index("AHEAD") : names.index("VALUES_SIZE") + 1]
    for parts in (ints, floats):
        begins = [getattr(offsets, name) for name in parts]
        assert begins == sorted(set(begins))


SETS = (*all_kernel_sets(), PLAYER_KERNELS, STUDY_KERNELS)


@pytest.mark.parametrize("each", SETS, ids=lambda each: next(iter(each.entries)))
def test_every_kernel_is_compiled_with_the_constants_of_its_own_module(each: KernelSet) -> None:
    modules = each.import_modules()
    kernels = build.plain_kernels(modules)
    made: dict[str, Any] = {}

    def noted(kernel: FunctionType) -> FunctionType:
        made[kernel.__name__] = kernel
        return kernel

    build.compile_callees_first(noted, modules, each.entries)
    assert made.keys() == kernels.keys() == each.kernel_names()
    assert kernels.keys() >= each.entries.keys()
    for name, kernel in made.items():
        own = vars(sys.modules[kernels[name].__module__])
        for used in kernel.__code__.co_names:
            if used in own and used not in kernels:
                assert kernel.__globals__[used] is own[used], (name, used)
