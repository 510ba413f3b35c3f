"""Guess-free boards: proven by an independent player, uniform, bounded, the same everywhere."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import demine
from demine.logic.errors import LayoutError, RulesError
from demine.logic.event import Verb
from demine.logic.layout import deal, keeps_first_click_promise
from demine.logic.neighbours import count_around, neighbours
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.cell_faces import Face
from demine.solver.deal.enumerate_guess_free import enumerate_guess_free
from demine.solver.deal.guess_free import (
    GuessFreeLayout,
    _draw_from_enumeration,
    find_guess_free_layout,
)
from demine.solver.deal.layout_stream import LayoutStream
from demine.solver.errors import NoGuessFreeBoard, Stopped
from demine.solver.exact.compiled_engine import ProbabilityKernel
from demine.solver.exact.deduce import deduce
from demine.solver.proof.kernels import component_proof
from demine.solver.proof.play_by_proofs import ProofPlayer
from tests.solver import loaded

Cell = tuple[int, int]
Mines = NDArray[np.bool_]


def opens_all(mine_map: Mines, first: Cell) -> bool:
    """Whether proven cells alone open every safe cell: nothing here is shared with the dealer."""
    hints = count_around(mine_map)
    opened = np.zeros(mine_map.shape, np.bool_)
    waiting = [first]
    while waiting:
        row, col = waiting.pop()
        if not opened[row, col]:
            assert not mine_map[row, col]
            opened[row, col] = True
            if hints[row, col] == 0:
                waiting.extend(neighbours(row, col, *mine_map.shape))
        if not waiting and not (opened | mine_map).all():
            faces = np.where(opened, hints, Face.COVERED).astype(np.uint8)
            safe = deduce(faces, int(mine_map.sum())).safe
            waiting.extend((int(row), int(col)) for row, col in np.argwhere(safe))
    return bool((opened | mine_map).all())


def check(rules: Rules, laid: GuessFreeLayout, first: Cell) -> None:
    """A layout keeps all that was promised."""
    assert laid.mine_map.shape == rules.shape
    assert laid.mine_map.dtype == np.bool_
    assert laid.mine_map.sum() == rules.mines
    assert keeps_first_click_promise(rules, laid.mine_map, first)
    assert opens_all(laid.mine_map, first)


@pytest.mark.parametrize(
    ("text", "first", "count"),
    [
        ("expert", (8, 15), 6),
        ("expert", (0, 0), 2),
        ("expert first=safe", (0, 29), 2),
        ("intermediate goal=flag", (3, 3), 8),
        ("beginner", (4, 4), 25),
        ("8x8/10 first=safe", (0, 0), 10),
        ("6x6/12", (1, 4), 5),
        ("40x1/3", (0, 20), 2),
        ("1x1/0", (0, 0), 1),
        ("5x5/16", (2, 2), 1),
        ("3x3/8 first=safe", (1, 1), 1),
        ("9x9/0", (8, 0), 1),
    ],
)
def test_every_board_opens_by_proofs_alone(text: str, first: Cell, count: int) -> None:
    rules = Rules.parse(text)
    for seed in range(count):
        laid = find_guess_free_layout(rules, seed, first)
        assert laid.method == "rejection"
        assert laid.tries > 0
        check(rules, laid, first)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_board_is_guess_free_or_refused(data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    mines = data.draw(st.integers(0, height * width - 1))
    rules = Rules(width, height, mines)
    first = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    seed = data.draw(st.integers(0, 2**128 - 1))
    try:
        laid = find_guess_free_layout(rules, seed, first, effort=3000)
    except NoGuessFreeBoard:
        return
    check(rules, laid, first)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_rejected_needs_a_guess(data: st.DataObject) -> None:
    """The dealer and the independent player agree on every layout, not only on those taken."""
    height, width = data.draw(st.integers(2, 9)), data.draw(st.integers(2, 9))
    mines = data.draw(st.integers(1, max(1, height * width // 3)))
    rules = Rules(width, height, mines, first="safe")
    first = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    layouts = LayoutStream(rules, data.draw(st.integers(0, 99)), first).draw_layouts(8)
    prover = ProofPlayer(rules, first)
    for patient in (False, True):
        for mine_map in layouts:
            solved = prover.find_guess_free(mine_map[None], 1 << 60, stop_when_stuck=patient).solved
            assert solved == opens_all(mine_map, first)


def test_the_first_layout_drawn_is_the_one_dealt() -> None:
    for text, first in (("expert", (8, 15)), ("9x9/10 first=safe", (0, 0)), ("3x2/0", (0, 0))):
        rules = Rules.parse(text)
        for seed in (0, 7, 2**128 - 1):
            drawn = LayoutStream(rules, seed, first).draw_layouts(3)
            assert np.array_equal(drawn[0], deal(rules, seed, first))
            assert (drawn.sum(axis=(1, 2)) == rules.mines).all()
    seeds = [seed for seed in range(9) if find_guess_free_layout(BEGINNER, seed, (4, 4)).tries == 1]
    assert seeds
    for seed in seeds:
        assert np.array_equal(
            find_guess_free_layout(BEGINNER, seed, (4, 4)).mine_map, deal(BEGINNER, seed, (4, 4))
        )


def test_equal_keys_lay_as_many_mines_as_the_rules() -> None:
    class Stream:
        def random_raw(self, size: int) -> NDArray[np.uint64]:
            return np.repeat(np.uint64(5), size)

    draws = LayoutStream(Rules(4, 3, 5, first="safe"), 0, (0, 1))
    draws._stream = Stream()  # type: ignore[assignment]
    layouts = draws.draw_layouts(2)
    assert layouts.sum(axis=(1, 2)).tolist() == [5, 5]
    for mine_map in layouts:
        assert np.flatnonzero(mine_map).tolist() == [0, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("text", "first", "draws"), [("4x3/3 first=safe", (0, 0), 900), ("5x3/3", (0, 0), 700)]
)
def test_all_guess_free_layouts_are_equally_likely(text: str, first: Cell, draws: int) -> None:
    """Held to a list of all of them, made by trying every layout."""
    rules = Rules.parse(text)
    truth = {
        layout.tobytes()
        for mines in combinations(range(rules.cells), rules.mines)
        if keeps_first_click_promise(rules, layout := laid_at(rules, mines), first)
        and opens_all(layout, first)
    }
    found = Counter(
        find_guess_free_layout(rules, seed, first).mine_map.tobytes() for seed in range(draws)
    )
    assert set(found) <= truth
    assert len(truth) > 15
    expected = draws / len(truth)
    chi_square = sum((found[layout] - expected) ** 2 / expected for layout in truth)
    freedom = len(truth) - 1
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("4x3/3 first=safe", (0, 0)),
        ("5x3/4", (0, 2)),
        ("4x4/9 first=safe", (1, 1)),
        ("12x1/4", (0, 5)),
        ("6x2/6 first=safe", (1, 0)),
        ("3x3/8 first=safe", (1, 1)),
        ("5x1/0", (0, 0)),
        ("3x3/7 first=safe", (0, 0)),
    ],
)
def test_a_census_lists_all_guess_free_layouts(text: str, first: Cell) -> None:
    """Held to the same list; with one scene board less than it takes, there is no answer."""
    rules = Rules.parse(text)
    truth = {
        layout.tobytes()
        for mines in combinations(range(rules.cells), rules.mines)
        if keeps_first_click_promise(rules, layout := laid_at(rules, mines), first)
        and opens_all(layout, first)
    }
    *looks, found = enumerate_guess_free(rules, first, 5000)
    assert found is not None
    assert sorted(layout.tobytes() for layout in found) == sorted(truth)
    assert looks == [None] * len(looks)
    assert list(enumerate_guess_free(rules, first, len(looks) - 1)) == looks[1:]
    assert list(enumerate_guess_free(rules, first, 0)) == []


@pytest.mark.parametrize(
    ("text", "first", "there_are"),
    [("30x1/5", (0, 0), 1), ("15x1/5", (0, 0), 1), ("12x2/18 first=safe", (1, 6), 1)],
)
def test_a_needle_in_a_haystack_is_found(text: str, first: Cell, there_are: int) -> None:
    rules = Rules.parse(text)
    laid = find_guess_free_layout(rules, 1, first, effort=40_000)
    assert laid.method == "census"
    check(rules, laid, first)
    *_, every = enumerate_guess_free(rules, first, 1000)
    assert every is not None
    assert len(every) == there_are


def test_of_a_census_each_layout_is_equally_likely() -> None:
    rules, first = Rules.parse("16x1/6"), (0, 8)
    *_, every = enumerate_guess_free(rules, first, 1000)
    assert every is not None
    draws = 300
    found = Counter(
        found.mine_map.tobytes()
        for seed in range(draws)
        for found in _draw_from_enumeration(LayoutStream(rules, seed, first), first, 1000)
        if found.mine_map is not None
    )
    assert set(found) == {layout.tobytes() for layout in every}
    expected = draws / len(every)
    chi_square = sum((count - expected) ** 2 / expected for count in found.values())
    freedom = len(every) - 1
    assert 3 < len(every) < 20
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_a_census_can_be_stopped() -> None:
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 10

    with pytest.raises(Stopped):
        find_guess_free_layout(Rules.parse("100x1/30"), 1, (0, 0), effort=2000, should_stop=stop)
    assert len(asked) == 10


def laid_at(rules: Rules, mines: tuple[int, ...]) -> Mines:
    """The layout with mines at these places."""
    layout = np.zeros(rules.cells, np.bool_)
    layout[list(mines)] = True
    return layout.reshape(rules.shape)


@pytest.mark.parametrize(
    ("text", "first", "effort"),
    [("30x16/130", (8, 15), 200_000), ("10x10/40", (5, 5), 200_000), ("20x20/110", (0, 0), 99_000)],
)
def test_dense_boards_are_repaired(text: str, first: Cell, effort: int) -> None:
    rules = Rules.parse(text)
    laid = find_guess_free_layout(rules, 1, first, effort=effort)
    assert laid.method == "repair"
    check(rules, laid, first)


def test_a_search_in_vain_says_how_much_it_did() -> None:
    """Within the effort: what is beyond it is begun before it is spent."""
    rules = Rules.parse("30x16/300")
    with pytest.raises(
        NoGuessFreeBoard, match=r"no guess-free board of .*, in \d+ tries and \d+ steps"
    ) as caught:
        find_guess_free_layout(rules, 3, (0, 0), effort=30_000)
    assert caught.value.params["rules"] == rules
    assert 0 < int(str(caught.value.params["tries"])) < 1000
    assert 30_000 <= int(str(caught.value.params["steps"])) < 70_000
    assert not caught.value.proven


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5x5/23", "nothing follows from the number there"),
        ("2x2/2 first=safe", "every layout needs a guess"),
        ("2x3/4", "nothing follows from the number there"),
        ("7x2/3", "every layout needs a guess"),
        ("7x2/9", "every layout needs a guess"),
    ],
)
def test_what_is_proven_not_to_exist_is_refused_with_the_reason(text: str, why: str) -> None:
    rules = Rules.parse(text)
    with pytest.raises(NoGuessFreeBoard, match=f"no board of .* is guess-free .*: {why}") as caught:
        find_guess_free_layout(rules, 3, (0, 0), limit=None)
    assert caught.value.proven
    assert caught.value.params["rules"] == rules


def test_effort_bounds_the_work() -> None:
    rules, asked = Rules.parse("30x16/300"), []

    def never() -> bool:
        asked.append(1)
        return False

    for effort in (0, 1000, 20_000):
        with pytest.raises(NoGuessFreeBoard):
            find_guess_free_layout(rules, 1, (8, 8), effort=effort, should_stop=never)
    assert len(asked) < 80


def test_a_search_can_be_stopped() -> None:
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(Stopped):
        find_guess_free_layout(Rules.parse("30x16/300"), 1, (8, 8), should_stop=stop)
    assert len(asked) == 3


def test_what_nobody_can_lay_is_refused() -> None:
    with pytest.raises(LayoutError, match="needs its first cell: first="):
        find_guess_free_layout(EXPERT, 1, None)
    with pytest.raises(RulesError, match="first=any is a guess"):
        find_guess_free_layout(Rules(9, 9, 10, first="any"), 1, (0, 0))
    with pytest.raises(LayoutError, match="row 17, column 1 is outside"):
        find_guess_free_layout(EXPERT, 1, (16, 0))
    with pytest.raises(LayoutError, match="a seed is"):
        find_guess_free_layout(EXPERT, -1, (0, 0))
    with pytest.raises(NoGuessFreeBoard, match="65536 cells at most, not 90000"):
        find_guess_free_layout(Rules(300, 300, 10), 1, (0, 0))


FINGERPRINT = "005f563a1389"


def test_a_seed_means_the_same_board_for_ever() -> None:
    digest = hashlib.sha256()
    for text, first in SAMPLES:
        for seed in range(2):
            laid = find_guess_free_layout(Rules.parse(text), seed, first, effort=150_000)
            digest.update(np.packbits(laid.mine_map).tobytes())
    assert digest.hexdigest()[:12] == FINGERPRINT


SAMPLES: list[tuple[str, Cell]] = [
    ("expert", (8, 15)),
    ("intermediate first=safe", (0, 0)),
    ("beginner", (4, 4)),
    ("10x10/40", (5, 5)),
]


@pytest.mark.parametrize(
    ("text", "first"), [*SAMPLES, ("30x16/160", (1, 1)), ("5x5/23", (0, 0)), ("30x1/5", (0, 0))]
)
def test_compiled_and_interpreted_lay_the_same(
    text: str, first: Cell, built: ProbabilityKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, efforts = Rules.parse(text), (3000, 30_000)
    slow = [outcome(rules, seed, first, effort) for seed in range(2) for effort in efforts]

    loaded.use_solver(monkeypatch, built)
    quick = [outcome(rules, seed, first, effort) for seed in range(2) for effort in efforts]
    assert slow == quick


def outcome(rules: Rules, seed: int, first: Cell, effort: int) -> tuple[object, ...]:
    """What came of a search."""
    try:
        laid = find_guess_free_layout(rules, seed, first, effort=effort)
    except NoGuessFreeBoard as error:
        return "none", error.params["tries"]
    return laid.method, laid.tries, laid.mine_map.tobytes()


def test_what_is_beyond_the_kernels_is_asked_of_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    ask = ProofPlayer._safe_by_mine_count

    def counted(prover: ProofPlayer) -> list[int]:
        asked.append(1)
        return ask(prover)

    monkeypatch.setattr(ProofPlayer, "_safe_by_mine_count", counted)
    right = [find_guess_free_layout(EXPERT, seed, (8, 8)) for seed in range(8)]
    before = len(asked)
    monkeypatch.setattr(component_proof, "LAYER", 0)
    for seed, laid in enumerate(right):
        found = find_guess_free_layout(EXPERT, seed, (8, 8))
        assert found.tries == laid.tries
        assert np.array_equal(found.mine_map, laid.mine_map)
    assert len(asked) > 3 * before


def test_compiled_boards_open_by_proofs_alone(fast: ProbabilityKernel) -> None:
    for seed in range(200):
        check(EXPERT, find_guess_free_layout(EXPERT, seed, (8, 15)), (8, 15))
        check(INTERMEDIATE, find_guess_free_layout(INTERMEDIATE, seed, (0, 0)), (0, 0))
    large = Rules.parse("80x60/800")
    check(large, find_guess_free_layout(large, 1, (30, 40)), (30, 40))


def test_threads_do_not_disturb_each_other() -> None:
    found: dict[int, Mines] = {}

    def work(name: int) -> None:
        for seed in range(5):
            found[10 * name + seed] = find_guess_free_layout(INTERMEDIATE, seed, (0, 0)).mine_map
            find_guess_free_layout(BEGINNER, seed, (0, 0))

    threads = [threading.Thread(target=work, args=(name,)) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(5):
        right = find_guess_free_layout(INTERMEDIATE, seed, (0, 0)).mine_map
        assert all(np.array_equal(found[10 * name + seed], right) for name in range(3))


def test_a_game_is_laid_guess_free() -> None:
    game = demine.Game(Rules.parse("expert guess-free"), seed=1)
    assert game.play(demine.Act(0, Verb.OPEN, 8, 15)) is demine.Status.RUNNING
    assert np.array_equal(game.board.mine_map, find_guess_free_layout(EXPERT, 1, (8, 15)).mine_map)
