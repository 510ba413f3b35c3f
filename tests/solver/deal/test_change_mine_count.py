"""Guess-free boards that exist are found, however rare; what does not exist is proven not to."""

from __future__ import annotations

from itertools import combinations

import pytest

from demine.logic.layout import keeps_first_click_promise
from demine.logic.rules import Rules
from demine.solver.deal.change_mine_count import grow_guess_free
from demine.solver.deal.enumerate_guess_free import enumerate_guess_free
from demine.solver.deal.guess_free import GuessFreeLayout, find_guess_free_layout
from demine.solver.deal.layout_stream import LayoutStream
from demine.solver.errors import NoGuessFreeBoard, TooComplex
from demine.solver.exact.compiled_engine import ProbabilityKernel
from demine.solver.proof.play_by_proofs import ProofPlayer
from tests.solver import loaded
from tests.solver.deal.test_guess_free import Cell, check, laid_at, opens_all


@pytest.mark.parametrize(
    ("text", "first", "seeds"),
    [
        ("30x16/200", (8, 15), 8),
        ("30x16/300", (0, 0), 3),
        ("30x16/420", (8, 15), 2),
        ("10x10/50 first=safe", (5, 5), 8),
        ("8x8/30 first=safe", (4, 4), 8),
        ("60x2/4", (0, 30), 6),
        ("16x16/200", (8, 8), 3),
        ("5x30/90", (15, 2), 3),
        ("100x100/4500", (50, 50), 1),
    ],
)
def test_a_board_that_exists_is_found(
    text: str, first: Cell, seeds: int, fast: ProbabilityKernel
) -> None:
    rules = Rules.parse(text)
    for seed in range(seeds):
        check(rules, find_guess_free_layout(rules, seed, first, limit=20_000_000), first)


SHAPES = [(3, 3), (4, 3), (5, 2), (9, 1)]


@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_nothing_that_exists_is_refused(
    width: int, height: int, fast: ProbabilityKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Held to the list of all layouts, for every number of mines and every kind of first cell."""
    monkeypatch.setattr("demine.solver.deal.guess_free.first_round_steps", lambda _rules: 4000)
    cells = [(0, 0), (0, width // 2), (height // 2, 0), (height // 2, width // 2)]
    for mines in range(1, width * height):
        kinds = Rules(width, height, mines), Rules(width, height, mines, first="safe")
        for rules in dict.fromkeys(kinds):
            for first in dict.fromkeys(cells):
                layouts = [laid_at(rules, each) for each in combinations(range(rules.cells), mines)]
                exists = any(
                    keeps_first_click_promise(rules, layout, first) and opens_all(layout, first)
                    for layout in layouts
                )
                if exists:
                    check(rules, find_guess_free_layout(rules, 1, first), first)
                else:
                    with pytest.raises(NoGuessFreeBoard) as caught:
                        find_guess_free_layout(rules, 1, first, limit=None)
                    assert caught.value.proven


@pytest.mark.parametrize(
    ("text", "first"), [("12x12/80", (6, 6)), ("7x2/4 first=safe", (0, 0)), ("20x2/4", (0, 10))]
)
def test_a_long_search_is_the_same_compiled_and_stopped_by_a_limit_alone(
    text: str, first: Cell, built: ProbabilityKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit and who looks on change no board; kernels that come in the middle change none."""
    monkeypatch.setattr("demine.solver.deal.guess_free.first_round_steps", lambda _rules: 2000)
    monkeypatch.setattr("demine.solver.deal.guess_free.PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("demine.solver.deal.guess_free.numba_available", lambda: False)
    rules, heard = Rules.parse(text), list[tuple[int, int]]()
    slow = find_guess_free_layout(rules, 1, first, progress=lambda *so_far: heard.append(so_far))
    assert slow.method == "growth"
    check(rules, slow, first)
    assert heard == sorted(heard)
    assert heard[-1][0] >= slow.tries - 1
    steps = heard[-1][1]
    assert (
        find_guess_free_layout(rules, 1, first, limit=steps + 1).mine_map.tobytes()
        == slow.mine_map.tobytes()
    )
    with pytest.raises(NoGuessFreeBoard) as caught:
        find_guess_free_layout(rules, 1, first, limit=steps // 2)
    assert steps // 2 <= int(str(caught.value.params["steps"])) <= steps

    def warm(_tries: int, _steps: int) -> None:
        loaded.use_solver(monkeypatch, built)

    for look in (warm, None):
        quick = find_guess_free_layout(rules, 1, first, progress=look)
        assert (quick.tries, quick.mine_map.tobytes()) == (slow.tries, slow.mine_map.tobytes())


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(
    ("text", "first"), [("14x9/50", (4, 7)), ("10x10/60 first=safe", (0, 0)), ("9x9/20", (8, 8))]
)
def test_a_layout_grows_from_one_that_is_solved(text: str, first: Cell, *, full: bool) -> None:
    rules = Rules.parse(text)
    prover, draws = ProofPlayer(rules, first), LayoutStream(rules, 5, first)
    *looks, mine_map = grow_guess_free(prover, draws, 500_000, from_full=full)
    assert mine_map is not None
    assert looks == [None] * len(looks)
    check(rules, GuessFreeLayout(mine_map, "growth", len(looks)), first)


def test_growth_ends_when_its_effort_is_spent() -> None:
    rules, first = Rules.parse("60x2/9"), (0, 30)  # there is none
    prover, draws = ProofPlayer(rules, first), LayoutStream(rules, 5, first)
    for full in (False, True):
        before = prover.steps_spent
        assert set(grow_guess_free(prover, draws, 5000, from_full=full)) == {None}
        assert 5000 <= prover.steps_spent - before < 5500
    crowded, corner = Rules.parse("5x5/21 first=safe"), (2, 2)  # no room for an opening
    assert not [
        *grow_guess_free(
            ProofPlayer(crowded, corner), LayoutStream(crowded, 5, corner), 5000, from_full=True
        )
    ]


def test_what_was_too_complex_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def beyond(*_: object) -> None:
        raise TooComplex("too complex")

    rules, first = Rules.parse("7x2/3"), (0, 0)
    *_, every = enumerate_guess_free(rules, first, 1000)
    assert every == []
    monkeypatch.setattr("demine.solver.deal.enumerate_guess_free.deduce", beyond)
    monkeypatch.setattr("demine.solver.proof.play_by_proofs.deduce", beyond)
    assert None in list(enumerate_guess_free(rules, first, 1000))
    assert [] not in list(enumerate_guess_free(rules, first, 1000))
    with pytest.raises(NoGuessFreeBoard) as caught:
        find_guess_free_layout(rules, 1, first, effort=4000)
    assert not caught.value.proven
