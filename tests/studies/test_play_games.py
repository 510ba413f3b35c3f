"""Games of a study: the board of the seed, the same in pieces, and won as often as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.logic.layout import deal, game_seed
from demine.logic.rules import Rules
from demine.solver.player import advise
from demine.solver.player.first_cell import (
    best_first_cell,
    best_first_cell_of_board,
    usual_first_cell,
)
from demine.solver.player.policy_table import POLICIES
from demine.statistics.board_3bv import three_bv
from demine.studies import play_games as module
from demine.studies.kernels import simulated_games
from demine.studies.plan import StudyPlan
from demine.studies.play_beyond_kernels import play_interpreted
from demine.studies.play_games import GAME_DTYPE, play_games
from scripts.exact import OPTIMA, SmallBoard, count_wins, optimal_wins, print_first_cells

SEED = 20
OUTCOME = ["won", "opened", "guesses", "survival", "bv", "moves"]
LEVELS = {"9x9/10": 1400, "16x16/40": 480, "30x16/99 first=safe": 120}
"""How many games of each level are played: 2,000 by each policy."""
WINS = Path(__file__).parent / "wins.json"
SLOWER = {
    *("5x4/6", "5x5/4", "5x5/5", "5x5/6", "6x5/4", "6x5/5", "6x6/4", "6x6/5", "7x7/3", "8x8/3"),
}
QUICK = [row for row in OPTIMA if row not in SLOWER]
"""Rows of the exact table that take a moment; `python scripts/exact.py` has the others."""


def outcome(games: NDArray[np.void]) -> list[Any]:
    """What does not depend on the processor."""
    found: list[Any] = games[OUTCOME].tolist()
    return found


@pytest.mark.parametrize("policy", POLICIES)
def test_wins_are_what_they_were(policy: str, regenerate: bool) -> None:
    """`pytest tests/studies/test_play_games.py --regenerate` writes the table anew."""
    wins = {
        level: int(play_games(Rules.parse(level), policy, SEED, 0, count)["won"].sum())
        for level, count in LEVELS.items()
    }
    expected = json.loads(WINS.read_text()) if WINS.exists() else {}
    if regenerate:
        expected[policy] = wins
        WINS.write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")
    assert wins == expected[policy]


@pytest.mark.parametrize("text", ["9x9/10", "16x16/40 first=safe", "7x4/6 first=any"])
def test_each_game_is_on_the_board_of_its_seed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, start = Rules.parse(text), (1, 2)
    laid: list[NDArray[np.bool_]] = []
    kernel = module._play_kernel()

    def watched(*arguments: Any) -> float:
        survival = kernel(*arguments)
        rimmed = arguments[9].reshape(rules.height + 2, rules.width + 2)
        laid.append(rimmed[1:-1, 1:-1].astype(np.bool_))
        return survival

    monkeypatch.setattr(module, "_play_kernel", lambda: watched)
    games = play_games(rules, "safest", SEED, 5, 30, start)
    assert games["index"].tolist() == [*range(5, 35)]
    for game, mine_map in zip(games, laid, strict=True):
        np.testing.assert_array_equal(
            mine_map, deal(rules, game_seed(SEED, int(game["index"])), start)
        )
        assert game["bv"] == three_bv(mine_map)
        assert game["won"] == (game["opened"] == rules.safe_cells)


@pytest.mark.parametrize("text", ["9x9/10", "9x9/16 first=safe", "16x16/40", "8x3/5"])
def test_logic_opens_what_the_plain_path_opens(text: str) -> None:
    rules = Rules.parse(text)
    start = usual_first_cell(rules)
    games = play_games(rules, "logic", SEED, 0, 40)
    plain = np.zeros(40, GAME_DTYPE)
    for at, game in enumerate(plain):
        play_interpreted(rules, "logic", game_seed(SEED, at), start, game)
    for name in ("won", "opened", "guesses", "survival", "bv"):
        np.testing.assert_array_equal(games[name], plain[name])


@pytest.mark.parametrize("policy", POLICIES)
def test_games_do_not_depend_on_what_was_played_before(policy: str) -> None:
    rules = Rules.parse("16x16/40 first=safe")
    whole = outcome(play_games(rules, policy, SEED, 0, 36))
    pieces = [outcome(play_games(rules, policy, SEED, at, 9)) for at in (27, 0, 18, 9)]
    assert whole == pieces[1] + pieces[3] + pieces[2] + pieces[0]


def test_interpreted_games_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("7x7/8 first=safe")
    compiled = {policy: outcome(play_games(rules, policy, SEED, 0, 3)) for policy in POLICIES}
    monkeypatch.setattr(module, "_play_kernel", lambda: module._play_seed_interpreted)
    for policy in POLICIES:
        assert outcome(play_games(rules, policy, SEED, 0, 3)) == compiled[policy]


class FromStart(np.ndarray):
    """An array that refuses indices which count from its end; compiled kernels do not look."""

    def __getitem__(self, index: Any) -> Any:
        assert isinstance(index, slice) or index >= 0
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        assert isinstance(index, slice) or index >= 0
        super().__setitem__(index, value)


@pytest.mark.parametrize(("text", "policy"), [("6x6/12", "deep"), ("8x8/16", "best")])
def test_no_index_of_a_game_counts_from_the_end(
    text: str, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def careful(*arguments: Any) -> float:
        views = (a.view(FromStart) if isinstance(a, np.ndarray) else a for a in arguments)
        return float(module._play_seed_interpreted(*views))

    rules = Rules.parse(text)
    quick = play_games(rules, policy, SEED, 0, 2)
    monkeypatch.setattr(module, "_play_kernel", lambda: careful)
    assert outcome(play_games(rules, policy, SEED, 0, 2)) == outcome(quick)


def test_a_game_beyond_the_kernels_is_played_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("9x9/10")
    kernel = module._play_kernel()

    def gives_up(*arguments: Any) -> float:
        survival = kernel(*arguments)
        arguments[13][simulated_games.UNSUPPORTED] = 1
        return survival

    expected = play_games(rules, "logic", SEED, 0, 20)
    monkeypatch.setattr(module, "_play_kernel", lambda: gives_up)
    games = play_games(rules, "logic", SEED, 0, 20)
    for name in ("index", "won", "opened", "guesses", "bv"):
        np.testing.assert_array_equal(games[name], expected[name])


def test_a_real_game_beyond_the_kernels_counts() -> None:
    """Game 37421 of seed 3 meets a position that is not for them."""
    rules = Rules.parse("30x16/99 first=safe")
    game = play_games(rules, "safest", 3, 37421, 1)[0]
    plain = np.zeros(1, GAME_DTYPE)[0]
    play_interpreted(rules, "safest", game_seed(3, 37421), (0, 0), plain)
    assert game["bv"] == plain["bv"] > 0
    assert game["opened"] > 100


@pytest.fixture(scope="session")
def warm() -> None:
    """The adviser is compiled."""
    pytest.importorskip("numba", exc_type=ImportError)
    assert advise.load_kernels()


@pytest.mark.parametrize("first", ["safe", "zero"])
@pytest.mark.parametrize("text", QUICK)
@pytest.mark.usefixtures("warm")
def test_best_wins_as_many_layouts_as_can_be_won(text: str, first: str) -> None:
    board = SmallBoard.parse(text)
    row, col = best_first_cell_of_board(board.height, board.width, board.mines, first == "zero")

    def choose(faces: NDArray[np.uint8], mines: int) -> int:
        cell = advise.policy_choice(faces, mines, "best")
        assert cell is not None
        return cell[0] * board.width + cell[1]

    score = count_wins(board, row * board.width + col, first == "zero", choose)
    assert score.wins == optimal_wins(text, first == "zero", score.layouts)


@pytest.mark.usefixtures("warm")
def test_every_first_cell_of_a_board_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    """Cells that are equal by symmetry are searched once; a board that is too large is refused."""
    print_first_cells(SmallBoard.parse("5x4/4"))
    found = dict(line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:])
    assert list(found) == ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2"]
    wins = [int(share.partition("/")[0]) for share in found.values()]
    assert max(wins) == OPTIMA["5x4/4"][0]
    assert min(wins) < max(wins)
    with pytest.raises(SystemExit, match="raise LAYOUTS"):
        print_first_cells(SmallBoard.parse("6x6/6"))


def test_best_begins_where_it_was_found_best() -> None:
    assert best_first_cell(Rules.parse("4x4/8 first=safe")) == (1, 1)
    assert best_first_cell(Rules.parse("30x16/99")) == usual_first_cell(Rules.parse("30x16/99"))
    rules = Rules.parse("4x4/8 first=safe")
    assert StudyPlan(rules, ("fast", "best"), 0, 1).start == (1, 1) != usual_first_cell(rules)
    assert StudyPlan(rules, ("fast",), 0, 1).start == usual_first_cell(rules)
