"""The games of a study as a Parquet file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demine.logic.layout import deal
from demine.statistics.board_3bv import three_bv
from demine.studies import parquet as own
from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger
from demine.studies.plan import StudyPlan
from demine.studies.play_games import play_games
from demine.studies.process_pool import InlineExecutor
from demine.studies.resumable_study import run_study, study
from tests.studies.samples import PAIR, SMALL, chunk, outcome

pytest.importorskip("pyarrow")
from pyarrow import parquet


def played(plan: StudyPlan, target: Path) -> None:
    assert run_study(plan, InlineExecutor(), output=target).is_complete


def test_a_row_for_each_game(tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    played(SMALL, target)
    table = parquet.read_table(target)
    games = play_games(SMALL.rules, "safest", SMALL.seed, 0, SMALL.games, SMALL.start)
    assert table["index"].to_pylist() == list(range(SMALL.games))
    for name, column in {
        "won": "won",
        "survival": "survival",
        "3bv": "bv",
        "moves": "moves",
    }.items():
        assert table[name].to_pylist() == games[column].tolist()
    assert set(table["policy"].to_pylist()) == {"safest"}
    assert min(table["ms"].to_pylist()) >= 0
    assert not list(tmp_path.glob("*ledger*"))


def test_the_seed_lays_the_board(tmp_path: Path) -> None:
    """What stands there is what `demine play --seed` takes."""
    played(replace(SMALL, seed=2**61, games=3), tmp_path / "out.parquet")
    for row in parquet.read_table(tmp_path / "out.parquet").to_pylist():
        mine_map = deal(SMALL.rules, int(row["seed"]), SMALL.start)
        assert three_bv(mine_map) == row["3bv"]


def test_two_policies_stand_beside_each_other(tmp_path: Path) -> None:
    played(PAIR, tmp_path / "out.parquet")
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["policy"] for row in rows[:4]] == ["logic", "safest"] * 2
    assert all(a["seed"] == b["seed"] for a, b in zip(rows[::2], rows[1::2], strict=True))


def test_row_groups_come_in_the_order_of_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "ROWS_PER_GROUP", 10)
    with Ledger.open(tmp_path / "a", SMALL, rows=True) as ledger:
        for first in (30, 0, 20, 10):
            ledger.add_chunk(chunk(SMALL, first, 10))
        own.write_games(ledger, tmp_path / "out.parquet")
    file = parquet.ParquetFile(tmp_path / "out.parquet")
    assert file.num_row_groups == 4
    found = [file.read_row_group(at)["index"].to_pylist() for at in range(4)]
    assert found == [list(range(at, at + 10)) for at in range(0, 40, 10)]


def test_it_says_of_which_study_it_is(tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    assert own.read_result(target) is None
    played(PAIR, target)
    found = own.read_result(target)
    assert found is not None
    assert (found.plan, found.counts.without_time) == (PAIR, outcome(PAIR))
    again = run_study(PAIR, InlineExecutor(), output=target, resume=True)
    assert again == found
    with pytest.raises(StudyError, match="the seed: 5 there, 6 here"):
        run_study(replace(PAIR, seed=6), InlineExecutor(), output=target, resume=True)


@pytest.mark.parametrize("cut", [0, 4, 400, -1, -200])
def test_a_damaged_file_is_refused_and_kept(tmp_path: Path, cut: int) -> None:
    target = tmp_path / "out.parquet"
    played(SMALL, target)
    damaged = target.read_bytes()[:cut]
    target.write_bytes(damaged)
    with pytest.raises(StudyError, match="is not the Parquet file of a study"):
        run_study(SMALL, InlineExecutor(), output=target, resume=True)
    assert target.read_bytes() == damaged
    played(SMALL, target)
    assert own.read_result(target) is not None


def test_a_study_that_was_stopped_goes_on(tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    asked = iter(range(3))
    part = run_study(SMALL, InlineExecutor(), output=target, should_stop=lambda: next(asked) == 2)
    assert not part.is_complete
    assert not target.exists()
    done = study("6x6/7", games=40, seed=5, output=target, resume=True, workers=1, policy="safest")
    assert done.counts.without_time == outcome(SMALL)
    index = np.array(parquet.read_table(target)["index"])
    assert index.tolist() == list(range(40))


def test_what_cannot_be_written_is_told_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="is a folder"):
        run_study(SMALL, InlineExecutor(), output=tmp_path)
    with pytest.raises(StudyError, match="its name is too long"):
        run_study(SMALL, InlineExecutor(), output=tmp_path / ("b" * 300))
    with pytest.raises(StudyError, match="there is no folder "):
        run_study(SMALL, InlineExecutor(), output=tmp_path / "a" / "b.parquet")
    with pytest.raises(StudyError, match="written as Parquet"):
        run_study(SMALL, InlineExecutor(), output=tmp_path / "b.csv")
    assert not list(tmp_path.iterdir())
