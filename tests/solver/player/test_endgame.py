"""The last layouts: the best cell, whoever is asked for it and whether anything is compiled."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.cli.solved_position import SolvedPosition
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.scene.diagram import parse_scene
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.hint import hint
from demine.solver.judge import JudgementKind, judge
from demine.solver.player import advise, endgame
from demine.solver.player.choose_cell import best_move
from demine.solver.player.endgame import Endgame, EndgameTooLong
from demine.solver.player.kernels import layout_rows, offsets
from demine.solver.player.move import Move
from demine.solver.player.player_arrays import PlayerArrays
from demine.solver.player.policy_table import DEEP_LAYOUTS, ENDGAME_LAYOUTS, policy_by_name
from demine.solver.win_chances import analyse
from tests.solver import loaded
from tests.solver.boards import played
from tests.solver.player.test_policies import Search, hint_table, positions

# Compiling takes a minute, more on a busy machine, and whichever test comes first waits for it.
pytestmark = pytest.mark.timeout(400)


MANY_LAYOUTS = """16x16/50
. . . 1 # 1 . . . 1 2 # 2 2 # 2
. . . 1 1 1 1 1 1 1 # 3 3 # 3 #
1 1 . . . . 1 # 3 3 3 3 # 3 4 2
# 2 1 2 1 1 1 2 # # 2 # 4 # 2 #
1 2 # 2 # 1 . 1 2 2 2 2 # 2 2 1
1 3 3 3 1 1 . . . . . 1 1 1 . .
1 # # 1 . 1 1 1 . . . . . . . .
1 2 2 2 1 2 # 1 . . 1 2 2 2 2 2
1 1 . 1 # 2 1 1 . . 1 # # 3 # #
# 1 . 1 1 1 . 1 2 2 2 2 3 # 4 #
1 1 . . . . . 2 # # 1 . 2 2 3 #
. . . . . . . 2 # 5 3 1 2 # 4 2
1 1 1 . . 1 1 2 3 # # 3 4 # # #
1 # 2 1 2 3 # 2 3 # # # # # # #
1 1 2 # 2 # # 4 3 # # # # # # #
. . 1 1 2 3 # # # 2 # # # # # #
"""
"""A position of 1,182 layouts, of a game of `deep`."""


class Late(NamedTuple):
    """A position, what each cell wins, and what the policy `strong` wins by looking ahead.

    They come from games of nine boards; the wins were counted by the kernels, cell by cell.
    """

    faces: NDArray[np.uint8]
    mines: int
    layouts: int
    wins: dict[tuple[int, int], int]
    strong: int


def late() -> list[Late]:
    """Read the positions."""
    found = []
    for each in json.loads(Path(__file__).parents[1].joinpath("last_layouts.json").read_text()):
        rows = [[int(face) if face.isdigit() else 0 for face in row] for row in each["rows"]]
        faces = np.array(rows, np.uint8)
        faces[np.array([[face == "#" for face in row] for row in each["rows"]])] = Face.COVERED
        wins = {(row, col): won for row, col, won in each["wins"]}
        mines = Rules.parse(each["rules"]).mines
        found.append(Late(faces, mines, each["layouts"], wins, each["strong"]))
    return found


LATE = late()


@pytest.fixture(params=["cold", "warm"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The player before it is compiled, and compiled."""
    found = request.getfixturevalue("player") if request.param == "warm" else None
    loaded.use_player(monkeypatch, found)
    monkeypatch.setattr(advise, "load_kernels", lambda: pytest.fail("waited for"))
    return str(request.param)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for the compiled player does without it."""
    monkeypatch.setattr(advise, "load_kernels", lambda: False)


def cell_of(move: Move | None) -> tuple[int, int]:
    assert move is not None
    return move.row, move.col


def test_the_positions_are_those_that_looking_ahead_gets_wrong() -> None:
    many = [each for each in LATE if each.layouts > 300]
    assert len(many) >= 24
    assert all(each.strong < max(each.wins.values()) for each in many)
    for each in LATE:
        assert count_layouts(each.faces, each.mines) == each.layouts <= ENDGAME_LAYOUTS


@pytest.mark.parametrize("at", range(len(LATE)))
def test_the_advised_cell_wins_most(at: int, kernel: str) -> None:
    each = LATE[at]
    most = max(each.wins.values())
    assert each.wins[cell_of(best_move(each.faces, each.mines))] == most, kernel


@pytest.mark.parametrize("at", range(0, len(LATE), 3))
def test_all_who_are_asked_say_the_same(at: int, kernel: str, unhurried: None) -> None:
    """The move, the hint, the analysis, what `solve` prints, and what a review would say."""
    each = LATE[at]
    move = best_move(each.faces, each.mines)
    cell = cell_of(move)
    found = hint(each.faces, each.mines)
    assert found is not None
    assert (found.row, found.col, found.risk) == move
    analysis = analyse(each.faces, each.mines)
    assert analysis.exact
    assert analysis.best is not None
    assert (analysis.best.row, analysis.best.col) == cell
    for prospect in analysis.cells:
        wins = each.wins.get((prospect.row, prospect.col), 0)
        assert prospect.win * each.layouts == pytest.approx(wins), kernel
    height, width = each.faces.shape
    rules = Rules(width, height, each.mines, "any")
    assert SolvedPosition.solve(rules, each.faces).best == move
    act = judge(each.faces, each.mines, [cell])
    assert act.kind is JudgementKind.FORCED


@pytest.mark.parametrize(
    ("size", "mines", "most"), [((4, 4), 5, 24), ((3, 6), 5, 24), ((5, 5), 6, 40), ((4, 5), 6, 90)]
)
def test_the_search_beside_one_that_tries_everything(
    size: tuple[int, int], mines: int, most: int
) -> None:
    for position in positions(11, 8, size, mines, most):
        _, layouts = hint_table(position)
        search, every = Search(layouts), frozenset(range(len(layouts)))
        values = [search.of(every, frozenset(), at) for at in range(len(layouts[0]))]
        numbers = np.array(layouts, np.uint8)
        assert [Endgame(numbers).wins_if_opened_first(at) for at in range(len(values))] == values
        assert values[Endgame(numbers).best_cell_index()] == max(values)
        # What was found before changes nothing.
        again = Endgame(numbers)
        assert [again.wins_if_opened_first(at) for at in range(len(values))] == values
        assert again.best_cell_index() == Endgame(numbers).best_cell_index()


def both(
    call: Callable[[], Any], player: Callable[..., float], patch: pytest.MonkeyPatch
) -> tuple[Any, Any]:
    """Return what is said before the player is compiled, and what compiled."""
    loaded.use_player(patch, None)
    before = call()
    loaded.use_player(patch, player)
    return before, call()


@pytest.mark.parametrize(
    ("size", "mines", "count"),
    [
        ((9, 9), 10, 30), ((16, 30), 99, 8), ((5, 5), 8, 60), ((6, 6), 12, 60), ((2, 12), 6, 60),
        ((1, 9), 3, 20), ((4, 4), 3, 40), ((9, 5), 2, 10), ((40, 40), 250, 3),
    ],
)  # fmt: skip
def test_what_is_advised_does_not_depend_on_what_is_compiled(
    size: tuple[int, int],
    mines: int,
    count: int,
    player: Callable[..., float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guesses = 0
    for position in positions(5, count, size, mines, 10**400):
        before, after = both(partial(hint, *position), player, monkeypatch)
        assert before == after
        guesses += before is not None and not before.safe
        before, after = both(partial(best_move, *position), player, monkeypatch)
        assert before == after
    assert guesses or size[0] * size[1] > 1000
    blank = np.full(size, Face.COVERED, np.uint8)
    before, after = both(lambda: best_move(blank, mines), player, monkeypatch)
    assert before == after


def test_played_boards_too(player: Callable[..., float], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(40):
        faces = played(np.random.default_rng(seed), 16, 16, 60, 6)
        before, after = both(partial(best_move, faces, 60), player, monkeypatch)
        assert before == after


def test_where_the_kernels_run_out_of_their_budget(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two mines anywhere on 45 cells: 990 layouts, hardly told apart, searched out all the same."""
    faces = np.full((5, 9), Face.COVERED, np.uint8)
    loaded.use_player(monkeypatch, player)
    assert advise.list_layouts_if_few(faces, 2) == 990
    assert advise._search_by_kernel(faces, 2, 990) is not None
    in_budget = both(lambda: best_move(faces, 2), player, monkeypatch)
    monkeypatch.setattr(
        advise, "policy_by_name", lambda name: replace(policy_by_name(name), search_budget=100_000)
    )
    loaded.use_player(monkeypatch, player)
    assert advise._search_by_kernel(faces, 2, 990) is None
    before, after = both(lambda: best_move(faces, 2), player, monkeypatch)
    assert before == after
    assert in_budget == (before, after)
    loaded.use_player(monkeypatch, None)
    search, cells = advise.endgame_of_listed_layouts(advise.list_layouts_if_few(faces, 2))
    wins = {
        advise.PaddedBoard(5, 9).cell_at(place): search.wins_if_opened_first(at)
        for at, place in enumerate(cells)
    }
    assert wins[cell_of(before)] == max(wins.values())
    # Among cells that are alike, the first.
    assert before[0] <= 2
    assert before[1] <= 4


@pytest.mark.parametrize(
    ("size", "mines", "count"),
    [((9, 9), 10, 8), ((6, 6), 8, 8), ((16, 16), 40, 4), ((4, 12), 12, 6)],
)
def test_many_layouts_are_searched_as_plain_python_does(
    size: tuple[int, int],
    mines: int,
    count: int,
    player: Callable[..., float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The kernels drop cells and bound positions in ways that the plain search does not know."""
    most = 3000
    monkeypatch.setattr(advise, "ENDGAME_LAYOUTS", most)
    seen = 0
    for position in positions(23, 30 * count, size, mines, most):
        if count_layouts(*position) <= ENDGAME_LAYOUTS:
            continue
        before, after = both(
            partial(advise.best_move_if_few_layouts, *position), player, monkeypatch
        )
        assert before is not None
        assert before == after
        seen += 1
        if seen == count:
            break
    assert seen > 1


def test_deep_plays_out_what_best_looks_ahead_in(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`best` wins less there. A search that exceeds its budget is as if it had not begun."""
    loaded.use_player(monkeypatch, player)
    rules, faces = parse_scene(MANY_LAYOUTS)
    assert ENDGAME_LAYOUTS < count_layouts(faces, rules.mines) <= DEEP_LAYOUTS
    monkeypatch.setattr(advise, "ENDGAME_LAYOUTS", DEEP_LAYOUTS)
    search, cells = advise.endgame_of_listed_layouts(advise.list_layouts_if_few(faces, rules.mines))
    board = advise.PaddedBoard(*faces.shape)
    chosen = {name: advise.policy_choice(faces, rules.mines, name) for name in ("best", "deep")}
    best, deep = (
        search.wins_if_opened_first(cells.index(board.padded_index(cell)))
        for cell in chosen.values()
        if cell is not None
    )
    assert best < deep
    assert chosen["deep"] == board.cell_at(cells[search.best_cell_index()])

    limited = replace(policy_by_name("deep"), search_budget=1000)
    dials = {**dict(limited.dials), offsets.DIAL_LAYOUTS: 0.0}
    ahead = []
    for policy in (limited, replace(limited, dials=tuple(dials.items()))):
        monkeypatch.setattr(advise, "policy_by_name", lambda _, policy=policy: policy)
        ahead.append(advise.policy_choice(faces, rules.mines, "deep"))
    assert ahead[0] == ahead[1] != chosen["deep"]


def test_rows_have_room_for_all_layouts_that_are_listed() -> None:
    for cells in range(1, 251):
        layouts = min(offsets.LAYOUTS, offsets.HINTS_SIZE // cells)
        words = -(-cells // layout_rows.CELLS_IN_WORD)
        mine_words = -(-cells // layout_rows.MINES_IN_WORD)
        assert layouts * (2 * words + mine_words) <= offsets.ROWS_SIZE
    # What one thread may fill at most, in MB; pages that are never written take no memory.
    assert PlayerArrays().work.nbytes < 50e6


def test_a_search_ends(player: Callable[..., float], monkeypatch: pytest.MonkeyPatch) -> None:
    """One that would take too long is left to the kernels, and then to looking ahead."""
    each = next(each for each in LATE if each.layouts > 300)
    loaded.use_player(monkeypatch, player)
    right = best_move(each.faces, each.mines)
    _, cells = advise.endgame_of_listed_layouts(advise.list_layouts_if_few(each.faces, each.mines))
    assert cells
    monkeypatch.setattr(endgame.Endgame.__init__, "__defaults__", (3,))
    with pytest.raises(EndgameTooLong):
        advise.endgame_of_listed_layouts(each.layouts)[0].best_cell_index()
    assert best_move(each.faces, each.mines) == right
    monkeypatch.setattr(advise, "_search_by_kernel", lambda *_: None)
    ahead = best_move(each.faces, each.mines)
    assert ahead is not None
    assert each.wins[cell_of(ahead)] == each.strong
    # An analysis plays such a position out by games.
    found = analyse(each.faces, each.mines, playouts=4)
    assert not found.exact


def test_boards_that_are_too_large_are_answered_by_their_risk() -> None:
    faces = np.full((70, 70), Face.COVERED, np.uint8)
    faces[3, 3] = 8
    chance = mine_probability(faces, 1000)
    move = best_move(faces, 1000)
    assert move is not None
    assert move.risk == np.nanmin(chance)
    assert advise.list_layouts_if_few(faces, 1000) == 0


def test_a_cell_of_more_risk_is_told_as_such() -> None:
    """Half a chance to lose, where a third would do, is no 50/50 that nobody can help."""
    faces = np.array([[1, 9, 9], [9, 9, 9]], np.uint8)
    found = hint(faces, 2)
    assert found is not None
    assert found.risk == pytest.approx(0.5)
    assert found.lowest == pytest.approx(1 / 3)
    assert re.search(r"with 50% risk\. The lowest risk is 33\.3%", str(found))
