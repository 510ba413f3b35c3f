"""Drills of real and of made games: every answer against all layouts, on every turned board."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import demine
from demine.play.drills.drill import DrillKind
from demine.play.drills.find import find_drills, id_of_game
from demine.play.drills.made_games import daily_drill, made_drill
from demine.play.drills.patterns import DrillPattern, PatternName
from demine.play.drills.question import DrillQuestion
from demine.scene.board_turn import turned, turned_cell, turns_of
from tests import samples
from tests.play.drills import brute_force

REPLAYS = samples.names("avf/**/*.avf", "evf/**/*.evf", "rmv/**/*.rmv", "mvf/**/*.mvf")[::2][:20]
MOST_LAYOUTS = 5_000


def small(drills: Iterator[demine.Drill]) -> Iterator[demine.Drill]:
    """The drills whose layouts are few enough to be tried."""
    for drill in drills:
        faces = drill.faces()
        cells = brute_force.border(faces)
        tried = itertools.islice(brute_force.layouts(faces, cells), MOST_LAYOUTS + 1)
        if len(cells) <= 60 and sum(1 for _ in tried) <= MOST_LAYOUTS:
            yield drill


def check(drill: demine.Drill) -> None:
    """Compare the answer with all layouts, and the answers of all turned boards with it."""
    plain = drill.faces()
    risks = brute_force.risks(plain, drill.mines)
    safe = {(int(row), int(col)) for row, col in np.argwhere(risks == 0.0)}
    assert drill.kind.is_proven in (None, bool(safe))
    asked = DrillQuestion(drill)
    if safe:
        assert asked.solution.right == safe
        assert drill.cell in safe
        assert asked.solution.reason is not None
    elif asked.may_be_a_guess:
        assert not asked.solution.right
        assert asked.is_right(None)
    else:
        least = float(np.nanmin(risks))
        assert asked.solution.right
        assert asked.solution.win is not None or any(
            risks[cell] == pytest.approx(least) for cell in asked.solution.right
        )
    assert risks[asked.solution.cell] == pytest.approx(asked.solution.risk)
    for turn in turns_of(plain.shape):
        check_turned(DrillQuestion(drill, turn), asked)


def check_turned(shown: DrillQuestion, plain: DrillQuestion) -> None:
    """The turned question has the turned board, answers, and proof."""
    shape, turn = plain.faces.shape, shown.turn
    assert np.array_equal(shown.faces, turned(plain.faces, turn))
    assert np.array_equal(shown.faded, turned(plain.faded, turn))
    right = {turned_cell(cell, shape, turn) for cell in plain.solution.right}
    assert shown.solution.right == right
    assert shown.solution.cell == turned_cell(plain.solution.cell, shape, turn)
    assert (shown.solution.risk, shown.solution.win) == (plain.solution.risk, plain.solution.win)
    if plain.solution.reason is not None and shown.solution.reason is not None:
        assert shown.solution.reason.cell == shown.solution.cell
        assert shown.solution.reason.pattern == plain.solution.reason.pattern
        assert not shown.faded[shown.solution.cell]
    wrong = next(cell for cell in np.ndindex(shape) if cell not in right)
    assert not shown.is_right(wrong)


@samples.needed
def test_drills_of_replays_have_the_answers_of_all_layouts() -> None:
    found = [drill for name in REPLAYS for drill in find_drills(demine.load(samples.path(name)))]
    assert len(found) > 2 * len(REPLAYS)
    checked = list(itertools.islice(small(iter(found)), 40))
    assert len(checked) >= 20
    for drill in checked:
        check(drill)


@pytest.mark.parametrize(("rules", "games"), [("9x9/10", 12), ("12x8/18", 8), ("16x16/40", 4)])
def test_drills_of_made_games_have_the_answers_of_all_layouts(rules: str, games: int) -> None:
    found = demine.drills(rules, seed=100, count=6 * games)
    checked = list(itertools.islice(small(iter(found)), 3 * games))
    assert len(checked) > games
    for drill in checked:
        check(drill)


def lost_game() -> demine.Game:
    """A game in which a certain mine was opened while a safe cell was certain."""
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4, t=0)
    mine = np.argwhere(demine.deduce(game).mines)[0]
    game.open(*map(int, mine), t=5000)
    return game


def test_a_blunder_becomes_a_drill_for_the_safe_cell() -> None:
    game = lost_game()
    (drill,) = [each for each in find_drills(game) if each.kind is not demine.DrillKind.SPEED]
    assert drill.act == 2
    assert drill.kind in (demine.DrillKind.SAFE, demine.DrillKind.WON)
    assert drill.game_id == id_of_game(game)
    assert np.array_equal(drill.faces(), game.at("#2").scene)
    assert drill.cell in DrillQuestion(drill).solution.right


def test_flags_are_not_shown() -> None:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4, t=0)
    mine, other = np.argwhere(demine.deduce(game).mines)[:2].tolist()
    game.flag(*mine, t=1000)
    game.open(*other, t=5000)
    drill = next(iter(find_drills(game)))
    assert game.at(f"#{drill.act}").scene[tuple(mine)] == demine.Face.FLAG
    assert drill.faces()[tuple(mine)] == demine.Face.COVERED


def test_pauses_lead_to_no_other_position() -> None:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4, t=0)
    for moment in (500, 600):
        game.play(demine.Act(moment, "pause"))
        game.play(demine.Act(moment, "resume"))
    game.open(*map(int, np.argwhere(demine.deduce(game).safe)[0]), t=900)
    before = game.seen_position().scene
    game.open(*map(int, np.argwhere(demine.deduce(game).mines)[0]), t=5000)
    found = find_drills(game)
    assert [drill.act for drill in found] == [7]
    assert np.array_equal(found[0].faces(), before)


def test_a_slow_proof_becomes_a_drill_against_the_clock() -> None:
    game = demine.Game("9x9/10", seed=7)
    game.open(4, 4, t=0)
    clock = 0
    for number in range(8):
        if game.status.over:
            break
        clock += 9000 if number == 5 else 300
        game.open(*demine.best_move(game)[:2], t=clock)
    slow = [each for each in find_drills(game) if each.kind is demine.DrillKind.SPEED]
    assert [each.act for each in slow] == [7]


@pytest.mark.parametrize(
    "words",
    [
        {"kind": "best-guess", "pattern": "1-2"},
        {"kind": "safe", "pattern": "50-50"},
        {"kind": "chess"},
        {"pattern": "1-3"},
        {"count": -1},
        {"count": 2**70},
    ],
)
def test_what_there_is_not_is_an_error(words: dict[str, Any]) -> None:
    with pytest.raises(demine.DrillError):
        demine.drills("9x9/10", seed=1, **words)


def test_what_holds_no_games_is_an_error() -> None:
    with pytest.raises(demine.NotAGame):
        demine.drills([7])  # type: ignore[list-item]


def test_a_game_without_an_opening_has_no_drills() -> None:
    assert find_drills(demine.Game("9x9/10", seed=7)) == ()


def test_a_made_drill_is_made_again_from_its_key() -> None:
    for drill in demine.drills("16x16/40", seed=3, count=8):
        again = made_drill(drill.game_id, drill.act, drill.kind)
        assert again.key == drill.key
        assert np.array_equal(again.faces(), drill.faces())


def test_no_board_larger_than_an_expert_s_is_made_again() -> None:
    (drill,) = demine.drills("40x40/300", seed=3, count=1)
    with pytest.raises(ValueError, match=drill.game_id):
        made_drill(drill.game_id, drill.act, drill.kind)


def test_drills_against_the_clock_are_made_of_short_proofs() -> None:
    found = demine.drills("16x16/40", seed=1, count=400)
    long = {PatternName.CHAIN, PatternName.COUNT, PatternName.CASES}
    assert {drill.kind for drill in found if drill.pattern.name in long} == {
        DrillKind.SAFE, DrillKind.PROVE_OR_GUESS,
    }  # fmt: skip
    assert any(drill.kind is DrillKind.SPEED for drill in found)


def test_equally_good_guesses_are_counted() -> None:
    found = [DrillQuestion(each) for each in demine.drills("9x9/20", seed=1, kind="best-guess")]
    others = {len(each.solution.right) - 1 for each in found}
    assert {0, 1} < others
    for question in found:
        count = len(question.solution.right) - 1
        said = str(question.solution)
        assert said.endswith(
            f" {count} other cells are as good." if count > 1
            else " 1 other cell is as good." if count else "%."
        )  # fmt: skip


@pytest.mark.parametrize(
    "unfit",
    [
        {"cell": (99, 99)}, {"cell": (-1, 0)}, {"cell": (4, 4)},
        {"kind": DrillKind.BEST_GUESS}, {"pattern": DrillPattern.parse("50-50")},
    ],
)  # fmt: skip
def test_a_drill_that_does_not_fit_its_position_is_refused(unfit: dict[str, Any]) -> None:
    (drill,) = demine.drills("9x9/10", seed=1, kind="safe", count=1)
    assert DrillQuestion(drill).solution.risk == 0.0
    with pytest.raises(demine.DrillError, match="does not fit"):
        DrillQuestion(replace(drill, **unfit))


def test_a_drill_for_a_safe_cell_needs_one() -> None:
    (drill,) = demine.drills("9x9/20", seed=1, kind="best-guess", count=1)
    with pytest.raises(demine.DrillError, match="does not fit"):
        DrillQuestion(replace(drill, kind=DrillKind.SAFE))


def test_the_daily_drill_depends_on_the_date_alone() -> None:
    from datetime import date

    first, again, other = (daily_drill(date(2026, 11, day)) for day in (27, 27, 28))
    assert first.key == again.key != other.key
    assert not first.pattern.is_guess
