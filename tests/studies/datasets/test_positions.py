"""What is in a dataset: which positions, and what is said about them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

import demine
from demine.logic.layout import deal, game_seed
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.studies.datasets import play
from demine.studies.datasets.plan import GAMES_PER_SHARD, DatasetPlan
from demine.studies.datasets.shard import shard_table
from demine.studies.datasets.solve import as_float32
from demine.studies.errors import StudyError
from demine.studies.plan import StudyPlan

if TYPE_CHECKING:
    from demine.studies.datasets.columns import Table

SMALL: Final = "8x8/12"


def table(rules: str = SMALL, policy: Any = "fast", positions: int = 60, **more: Any) -> Table:
    """The positions of a small dataset, with their mines."""
    study = StudyPlan.of_policies(Rules.of(rules), [policy], 5, 1)
    return shard_table(DatasetPlan(study, positions, mines=True, **more), 0)


@pytest.mark.parametrize(
    ("rules", "policy", "share"), [(SMALL, "fast", 0.0), ("expert", "strong", 0.02)]
)
def test_every_answer_is_that_of_the_library(rules: str, policy: str, share: float) -> None:
    found = table(rules, policy, random=share, per_game=3)
    mines = Rules.of(rules).mines
    exact = 0
    for at, board in enumerate(found["board"]):
        chance = demine.mine_probability(board, mines)
        np.testing.assert_array_equal(found["probability"][at], as_float32(chance))
        move = demine.best_move(board, mines)
        assert (move.row, move.col) == (found["best_row"][at], found["best_col"][at])
        assert move.risk == found["risk"][at] == chance[move.row, move.col]
        analysis = demine.analyse(board, mines, playouts=1)
        assert analysis.exact == (not np.isnan(found["win_chance"][at]))
        if analysis.exact:
            exact += 1
            assert analysis.best.win == pytest.approx(found["win_chance"][at], rel=1e-12)
    assert exact
    assert 0.0 < (found["risk"] > 0.0).mean() < 1.0


def test_positions_are_what_a_player_of_that_board_sees() -> None:
    rules = Rules.of(SMALL)
    found = table(random=0.1)
    for at, board in enumerate(found["board"]):
        mines = deal(rules, game_seed(5, int(found["game"][at])), (2, 2))
        np.testing.assert_array_equal(found["mines"][at], mines)
        is_open = board != Face.COVERED
        assert not (is_open & mines).any()
        np.testing.assert_array_equal(board[is_open], count_around(mines)[is_open])
        for row, col in np.argwhere(board == 0):
            around = board[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
            assert (around != Face.COVERED).all()
        assert is_open[2, 2]
        assert is_open.sum() < rules.safe_cells
    assert found["move"].min() >= 1


def test_no_game_has_more_positions_than_are_wanted() -> None:
    for most in (1, 3):
        games = Counter(table(per_game=most)["game"].tolist())
        assert max(games.values()) == most
    every = table(per_game=1000)
    for game in list(dict.fromkeys(every["game"].tolist()))[:-1]:
        moves = every["move"][every["game"] == game].tolist()
        assert moves == list(range(1, len(moves) + 1))
        opened = (every["board"][every["game"] == game] != Face.COVERED).sum(axis=(1, 2))
        assert (np.diff(opened) > 0).all()


def test_positions_are_drawn_evenly_from_a_game() -> None:
    """Each of a game's positions has the same chance: early and late ones alike."""
    study = StudyPlan(SMALL, "fast", seed=5, games=1)
    every = play.sample_positions(DatasetPlan(study, 60, per_game=1000), 0, 400)
    drawn = play.sample_positions(DatasetPlan(study, 60, per_game=1), 0, 400)
    lengths = Counter(every["game"].tolist())
    places = [
        (move - 0.5) / lengths[game]
        for game, move in zip(drawn["game"].tolist(), drawn["move"].tolist(), strict=True)
    ]
    assert len(places) > 300
    assert abs(np.mean(places) - 0.5) < 4 * np.sqrt(1 / 12 / len(places))


def test_who_plays_beside_a_game_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = table(random=0.1)
    monkeypatch.setattr("demine.studies.datasets.shard.MAX_GAMES_AT_ONCE", 3)
    found = table(random=0.1)
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name], values)


def test_a_policy_of_ones_own_is_asked_about_every_move_that_is_not_random() -> None:
    asked: list[bytes] = []

    def choose(scene: np.ndarray, rules: Rules) -> demine.Move:
        asked.append(scene.tobytes())
        return demine.best_move(scene, rules.mines)

    class InBatches:
        def choose_batch(self, scenes: np.ndarray, rules: Rules) -> np.ndarray:
            moves = [demine.best_move(scene, rules.mines) for scene in scenes]
            return np.array([(move.row, move.col) for move in moves])

    found = table(policy=choose, positions=20, per_game=1000)
    assert {board.tobytes() for board in found["board"]} <= set(asked)
    batched = table(policy=InBatches(), positions=20, per_game=1000)
    np.testing.assert_array_equal(found["board"], batched["board"])
    asked.clear()
    table(policy=choose, positions=20, random=1.0)
    assert not asked


def test_one_that_fails_is_told_with_its_board() -> None:
    def fail(scene: np.ndarray, rules: Rules) -> tuple[int, int]:
        raise KeyError(rules.mines)

    with pytest.raises(demine.PolicyError, match=r"raised KeyError.*\(game \d+, board seed"):
        table(policy=fail)


def test_giving_up_ends_a_game_after_its_position() -> None:
    found = table(policy="logic", positions=300, per_game=1000)
    risky = found["risk"] > 0.0
    assert risky.any()
    assert not found["won"][risky].any()
    assert found["won"].any()


def test_games_of_one_file_are_no_games_of_another() -> None:
    study = StudyPlan(SMALL, "fast", seed=5, games=1)
    games = shard_table(DatasetPlan(study, 60, shard=20), 2)["game"]
    assert games.min() >= 2 * GAMES_PER_SHARD
    assert games.max() < 3 * GAMES_PER_SHARD


def test_games_that_end_at_once_have_no_positions() -> None:
    with pytest.raises(StudyError, match=r"games of 4x4/0.* were over after their first click"):
        table("4x4/0")


def test_probabilities_stay_apart_from_what_is_proven() -> None:
    chances = np.array([0.0, 1e-60, 1e-9, 0.5, 1 - 1e-12, 1.0, np.nan])
    found = as_float32(chances)
    assert found.dtype == np.float32
    assert ((found == 0.0) == (chances == 0.0)).all()
    assert ((found == 1.0) == (chances == 1.0)).all()
    assert np.abs(found[:-1] - chances[:-1]).max() < 1e-7
    assert np.isnan(found[-1])


def test_random_numbers_of_a_game_are_its_own() -> None:
    plan = DatasetPlan(StudyPlan(SMALL, "fast", seed=5, games=1), 60)
    some = play.sample_positions(plan, 10, 6)
    alone = [play.sample_positions(plan, game, 1) for game in range(10, 16)]
    for name, values in some.items():
        np.testing.assert_array_equal(values, np.concatenate([each[name] for each in alone]))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"positions": 0}, "the number of positions is a whole number from 1"),
        ({"positions": 1e6}, "the number of positions is a whole number"),
        ({"per_game": -1}, "the number of positions of a game is a whole number from 1"),
        ({"shard": 0}, "the number of positions of a file is a whole number from 1"),
        ({"random": 1.5}, "the share of random moves is a number from 0 to 1, not 1.5"),
        ({"random": float("nan")}, "the share of random moves"),
        ({"random": "x"}, "the share of random moves"),
        ({"form": "csv"}, "written as parquet, npz, not as 'csv'"),
        ({"shard": 10**9, "positions": 10**9}, "files of 1000000000 positions are too large"),
        ({"shard": 1, "positions": 10**9}, "1000000000 files are too many"),
    ],
)
def test_senseless_plans_are_refused(more: dict[str, Any], message: str) -> None:
    given = {"positions": 60, **more}
    with pytest.raises(StudyError, match=message):
        DatasetPlan(StudyPlan(SMALL, "fast", seed=5, games=1), **given)


@pytest.mark.parametrize(
    ("rules", "policies", "message"),
    [
        ("100x100/1000", "fast", "boards of 10000 cells are too large"),
        ("9x9/10 guess-free", "fast", "guess-free"),
        (SMALL, ("fast", "safest"), "played by one policy"),
    ],
)
def test_games_that_no_dataset_can_have(rules: str, policies: Any, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        DatasetPlan(StudyPlan(rules, policies, seed=5, games=1), 60)
