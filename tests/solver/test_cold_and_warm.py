"""What is answered does not depend on whether the kernels are there: one table of calls and inputs.

Every public call that some kernel may answer meets every odd input twice, once in plain Python, as
in a process that has just begun or lacks Numba, and once with all that can be compiled. Values are
equal, or so are the kinds and the words of the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import demine
from demine.logic.errors import DemineError
from demine.logic.event import Touch
from demine.logic.game import BaseGame
from demine.logic.rules import First, Rules
from demine.scene.cell_faces import Face
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.exact.compiled_engine import ProbabilityKernel
from demine.solver.exact.probability import mine_probability_batch
from demine.solver.judge import judge
from demine.solver.player import advise
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.partial_deduction_fallback import deduce_some_cells
from demine.solver.proof.rating import rate
from demine.statistics.batch_3bv import three_bv_batch
from demine.statistics.board_3bv import three_bv
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.zini import hzini, hzini_batch, rzini, zini, zini_batch
from demine.statistics.zini_variants import hzini_wom, zini_8way, zini_chain, zini_wom
from tests.solver import loaded
from tests.solver.boards import small

Seat = Callable[..., float]
"""The compiled player."""

C, F, Q = int(Face.COVERED), int(Face.FLAG), int(Face.QUESTION)
MIDDLE = np.array([[1, C, C, C], [1, 2, C, F], [0, 1, Q, C], [0, 1, C, C]], np.uint8)
"""A position of 16 cells in the middle of a game; with 4 mines many layouts fit."""


def scenes() -> Iterator[tuple[str, Any, Any]]:
    """Yield a name, a scene and a number of mines: what can be asked, and what cannot."""
    for high, wide in ((0, 0), (0, 3), (3, 0), (1, 1), (1, 7), (7, 1), (2, 2), (3, 5)):
        covered = np.full((high, wide), C, np.uint8)
        for mines in sorted({0, 1, high * wide - 1, high * wide, high * wide + 1}):
            yield f"covered {high}x{wide}/{mines}", covered, mines
    yield "opened 1x1", np.zeros((1, 1), np.uint8), 0
    yield "all open", np.zeros((4, 4), np.uint8), 0
    yield "all open, but mines", np.zeros((4, 4), np.uint8), 3
    for mines in (-1, 0, 1, 2, 3, 4, 8, 9, 10, 16, 17, 255, 256, 2**31, 2**63, 2**70):
        yield f"middle/{mines}", MIDDLE, mines
    numbers = np.int8(4), np.uint64(2**63), np.array(4)
    for given in (4.0, 4.5, "4", None, True, [4], (1, 2), *numbers):
        yield f"middle/{given!r}", MIDDLE, given
    frozen = MIDDLE.copy()
    frozen.flags.writeable = False
    apart = np.zeros((8, 12), np.uint8)
    apart[::2, 1::3] = MIDDLE
    forms: dict[str, Any] = {
        "read-only": frozen, "Fortran": np.asfortranarray(MIDDLE), "turned": MIDDLE[::-1, ::-1],
        "slices": apart[::2, 1::3], "transposed": MIDDLE.T, "lists": MIDDLE.tolist(),
        "int64": MIDDLE.astype(np.int64), "int8": MIDDLE.astype(np.int8),
        "big-endian": MIDDLE.astype(">u2"), "uint64": MIDDLE.astype(np.uint64),
        "floats": MIDDLE.astype(float), "bools": MIDDLE > 3, "text": MIDDLE.astype(str),
        "objects": MIDDLE.astype(object), "subclass": MIDDLE.view(np.ma.MaskedArray),
        "one dimension": MIDDLE.reshape(-1), "three dimensions": MIDDLE[None], "number": 3,
        "none": None, "ragged": [[1, 2], [3]], "word": "###", "empty list": [], "nested": [[]],
        "flags alone": np.full((3, 3), F, np.uint8), "questions": np.full((3, 3), Q, np.uint8),
    }  # fmt: skip
    for name, scene in forms.items():
        yield name, scene, 4
    for value in (Q + 1, int(Face.MINE), int(Face.WRONG), len(Face), 100, 255):
        strange = MIDDLE.copy()
        strange[2, 3] = value
        yield f"face {value}", strange, 4
    for value in (-1, 265, 2**40):
        yield f"face {value}", np.where(MIDDLE == 0, value, MIDDLE.astype(np.int64)), 4
    for row, col, number in ((0, 0, 8), (1, 1, 0), (3, 1, 5)):
        wrong = MIDDLE.copy()
        wrong[row, col] = number
        yield f"a wrong {number}", wrong, 4
    yield "a long line", np.tile(np.array([[C, 1, C, C, 1]], np.uint8), 9), 20
    yield "a sea", np.pad(np.array([[3]], np.uint8), 8, constant_values=C), 60
    yield "sure and unsure", np.array([[C, 1, 0, 0], [C, 2, 1, 1], [C, C, C, C]], np.uint8), 2


def mine_maps() -> Iterator[tuple[str, Any]]:
    """Yield a name and a mine map, or something else."""
    random = np.random.default_rng(8)
    for high, wide in ((0, 0), (0, 3), (3, 0), (1, 1), (1, 9), (9, 1), (2, 2), (8, 8), (16, 30)):
        for share in (0.0, 0.2, 1.0):
            yield f"{high}x{wide} {share}", random.random((high, wide)) < share
    board = random.random((7, 9)) < 0.2
    frozen = board.copy()
    frozen.flags.writeable = False
    yield from {
        "read-only": frozen, "Fortran": np.asfortranarray(board), "slices": board[::2, ::-3],
        "transposed": board.T, "lists": board.tolist(), "numbers": board.astype(np.uint8),
        "twos": board.astype(int) * 2, "floats": board.astype(float), "text": board.astype(str),
        "line": board[0], "cube": board[None], "number": 1, "none": None, "ragged": [[1], []],
        "objects": board.astype(object),
    }.items()  # fmt: skip


def chance_scenes() -> Iterator[tuple[str, Any, Any]]:
    """Yield positions of all small shapes, of which some fit no layout."""
    random = np.random.default_rng(2026)
    for at in range(120):
        faces, mines = small(random)
        yield f"chance {at}", faces, mines


CASES = [*scenes(), *chance_scenes()]
MAPS = [*mine_maps()]


CELLS = ((0, 0), (0, 1), (1, 2), (9, 9))


def explained(cell: Any) -> Callable[[Any, Any], Any]:
    return lambda scene, mines: demine.explain(scene, mines, cell)


SOLVER: dict[str, Callable[[Any, Any], Any]] = {
    "mine_probability": demine.mine_probability,
    "few states": lambda scene, mines: demine.mine_probability(scene, mines, states=2),
    "deduce": demine.deduce,
    "count_layouts": demine.count_layouts,
    "hint": demine.hint,
    "best_move": demine.best_move,
    "best_move, zero": lambda scene, mines: demine.best_move(scene, mines, first="zero"),
    "best_move, safest": lambda scene, mines: demine.best_move(scene, mines, policy="safest"),
    "best_move, fast": lambda scene, mines: demine.best_move(scene, mines, policy="fast"),
    "best_move, random": lambda scene, mines: demine.best_move(scene, mines, policy="random"),
    "batch": lambda scene, mines: mine_probability_batch([scene, scene], mines),
    "batch of arrays": lambda scene, mines: mine_probability_batch(np.array([scene]), [mines]),
    "batch of counts": lambda scene, mines: mine_probability_batch(
        np.array([scene, MIDDLE]), np.array([mines, 4])
    ),
    "batch of none": lambda _, mines: mine_probability_batch(np.zeros((0, 2, 2), int), mines),
    "levels": levels,
    "partly": lambda scene, mines: deduce_some_cells(np.asarray(scene, np.uint8), mines, 5),
    "judge": lambda scene, mines: judge(scene, mines, [(0, 1), (2, 2)]),
    **{f"explain {cell}": explained(cell) for cell in (*CELLS, (-1, 0), ("a", 0))},
}  # fmt: skip

FIGURES: dict[str, Callable[[Any], Any]] = {
    "stats": lambda mines: dict(demine.stats(mines)),
    "rzini by name": lambda mines: demine.stats(mines)["rzini"],
    "zini": zini,
    "hzini": hzini,
    "rzini": lambda mines: rzini(mines, 3, seed=5),
    "zini_8way": zini_8way,
    "zini_chain": lambda mines: zini_chain(mines, 5),
    "hzini_wom": hzini_wom,
    "zini_wom": lambda mines: (zini_wom(mines), zini_wom(mines, exact=True)),
    "max_efficiency": lambda mines: demine.stats(mines)["max_efficiency"],
    "three_bv": three_bv,
    "three_bv_batch": lambda mines: three_bv_batch(np.array([mines])),
    "zini_batch": lambda mines: zini_batch(np.array([mines, mines[::-1]])),
    "hzini_batch": lambda mines: hzini_batch(np.array([mines, mines[::-1]])),
    "parts": lambda mines: LayoutRegions.of(mines).parts,
    "rate": lambda mines: rate(mines, (0, 0)),
    "stats of a game": lambda mines: dict(demine.stats(clicked(np.asarray(mines, bool)))),
}


class Answer(NamedTuple):
    """What a call came to."""

    value: Any
    error: str = ""


def answer(call: Callable[[], Any]) -> Answer:
    try:
        return Answer(plain_value(call()))
    except Exception as error:  # noqa: BLE001 - whatever it is, it has to be the same
        notes = getattr(error, "__notes__", [])
        return Answer(None, f"{type(error).__name__}: {error}; {notes}")


def plain_value(value: Any) -> Any:
    """Return a value taken apart into what can be compared."""
    if isinstance(value, np.ndarray):
        return value.shape, str(value.dtype), value.reshape(-1).tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, [plain_value(getattr(value, f.name)) for f in fields(value)]
    if isinstance(value, dict):
        return {name: plain_value(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(plain_value, value)]
    return value


def same(one: Any, other: Any) -> bool:
    """Equal to the last bit, and NaN where the other is."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (one != one and other != other)  # noqa: PLR0124 - NaN
    return type(one) is type(other) and bool(one == other)


def clicked(mines: Any) -> BaseGame:
    """A game of some clicks in and beside the board, with whatever numbers a hand may bring."""
    high, wide = mines.shape
    game = BaseGame(Rules(wide, high, int(mines.sum()), first=First.ANY), 1)
    game.lay(demine.logic.event.Lay(0, mines))
    for t, (x, y) in enumerate([(8, 8), (-1, 5), (2**30, 0), (0, -(2**30)), (16 * wide, 0)]):
        game.touch(Touch(t, "left", "press", x, y))
        game.touch(Touch(t, "left", "release", x, y))
        game.touch(Touch(t, "right", "press", x, y))
    return game


@pytest.fixture(scope="module")
def engines(built: ProbabilityKernel, player: Seat) -> tuple[ProbabilityKernel, Seat]:
    """All that can be compiled."""
    return built, player


def set_kernels(
    patch: pytest.MonkeyPatch, engine: ProbabilityKernel | None, seat: Seat | None
) -> None:
    loaded.use_all(patch, engine)
    loaded.use_player(patch, seat)
    patch.setattr(advise, "load_kernels", lambda: seat is not None)


def differences(
    calls: dict[str, Callable[..., Any]],
    cases: list[tuple[Any, ...]],
    engines: tuple[ProbabilityKernel, Seat | None],
) -> list[str]:
    """Return where the two answers are not the same."""
    answers: list[dict[str, Answer]] = []
    for engine, seat in ((None, None), engines):
        with pytest.MonkeyPatch.context() as patch:
            set_kernels(patch, engine, seat)
            answers.append({
                f"{call}({case[0]})": answer(lambda: calls[call](*case[1:]))  # noqa: B023
                for call in calls
                for case in cases
            })  # fmt: skip
    cold, warm = answers
    return [
        f"{name}\n  cold {cold[name]}\n  warm {warm[name]}"
        for name in cold
        if cold[name].error != warm[name].error or not same(cold[name].value, warm[name].value)
    ]


@pytest.mark.parametrize("call", SOLVER)
def test_the_solver_answers_alike(call: str, engines: tuple[ProbabilityKernel, Seat]) -> None:
    found = differences({call: SOLVER[call]}, CASES, engines)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("call", FIGURES)
def test_figures_are_alike(call: str, engines: tuple[ProbabilityKernel, Seat]) -> None:
    found = differences({call: FIGURES[call]}, MAPS, engines)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("policy", ["strong", "best"])
def test_the_slow_policies_answer_alike(
    policy: str, engines: tuple[ProbabilityKernel, Seat]
) -> None:
    """Interpreted they take seconds a position: small ones and odd ones are asked."""
    small = [case for case in CASES if getattr(case[1], "size", 0) <= 16]
    found = differences(
        {policy: lambda scene, mines: demine.best_move(scene, mines, policy=policy)}, small, engines
    )
    assert not found, "\n".join(found)


def test_analyses_are_alike(engines: tuple[ProbabilityKernel, Seat]) -> None:
    small = [case for case in CASES if getattr(case[1], "size", 0) <= 16]
    found = differences(
        {"analyse": lambda scene, mines: demine.analyse(scene, mines, playouts=2)}, small, engines
    )
    assert not found, "\n".join(found)


RULES = [
    "1x1/0", "1x1/0 first=any", "1x2/1", "2x1/1 first=any", "1x9/3", "9x1/3", "3x3/0 first=zero",
    "4x4/15 first=safe", "4x4/16 first=any", "5x5/4 first=safe", "9x9/10", "30x16/99", "0x0/0",
    "3x3/10", "3x3/-1", "x",
]  # fmt: skip


@pytest.mark.parametrize("guess_free", [False, True])
def test_boards_are_made_alike(guess_free: bool, engines: tuple[ProbabilityKernel, Seat]) -> None:
    cases = [
        (f"{rules} {seed} {first}", rules, seed, first)
        for rules in RULES
        for seed in (0, 7, -1, 2**128, "s", None)
        for first in (None, (0, 0), (0, 1), (-1, 0), (99, 99), (0.5, 0), 3)
        if not (guess_free and rules == "30x16/99" and seed == 7)
    ]

    def made(rules: str, seed: Any, first: Any) -> Any:
        if guess_free:
            return find_guess_free_layout(Rules.parse(rules), seed, first, effort=20_000)
        return demine.make(rules, seed, first)

    found = differences({"make": made}, cases, engines)
    assert not found, "\n".join(found)


def test_a_board_without_cells_is_none_for_everybody(
    engines: tuple[ProbabilityKernel, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_kernels(monkeypatch, *engines)
    for shape in ((0, 0), (0, 5), (5, 0)):
        with pytest.raises(DemineError, match="a scene has the shape"):
            demine.mine_probability(np.zeros(shape, np.uint8), 0)


@pytest.mark.parametrize("mines", [2**63, 2**64 - 1, 10_000, -1])
def test_a_batch_names_the_mines_that_were_given(mines: int) -> None:
    with pytest.raises(DemineError, match=f"^{mines} mines cannot lie"):
        mine_probability_batch(MIDDLE[None], mines)
