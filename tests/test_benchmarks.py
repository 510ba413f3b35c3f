"""The page of the benchmarks is what the file of their last run gives, and they run."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import strength
from benchmarks.environment_peers import peers_actions
from benchmarks.environment_plays import SEED, recorded_actions
from benchmarks.environments import allocation_rows, vector_way
from benchmarks.measure import Row, Run
from benchmarks.page import PAGE, RESULTS, page, table
from benchmarks.served_processes import SQLITE, Served, demine_server
from benchmarks.server_load import Round, rows_of_round
from benchmarks.server_players import made_players
from benchmarks.table import BENCHMARKS
from benchmarks.websocket_players import Measured, act_for, connect_all
from demine.envs import MinesweeperVectorEnv
from demine.logic.rules import Rules
from tests.table import ROOT


def test_the_page_is_what_the_last_run_gave() -> None:
    """`python -m benchmarks --page` makes it anew."""
    assert PAGE.read_text("utf-8") == page(json.loads(RESULTS.read_text("utf-8")))


def test_the_table_of_strength_is_what_was_played() -> None:
    """`python -m benchmarks.strength` makes it anew."""
    figures = json.loads(strength.FIGURES.read_text("utf-8"))
    wanted = {study.name: study.games for study in strength.studies(1.0)}
    assert {name: each["games"] for name, each in figures["played"].items()} == wanted
    text = strength.PAGE.read_text("utf-8")
    assert text == strength.page_with_table(text, strength.table(figures))


def test_every_benchmark_has_a_module_and_figures_or_says_why_not() -> None:
    found = json.loads(RESULTS.read_text("utf-8"))["benchmarks"]
    assert list(found.keys() - {each.name for each in BENCHMARKS}) == []
    for benchmark in BENCHMARKS:
        assert find_spec(f"benchmarks.{benchmark.name}"), benchmark.name
        assert found[benchmark.name]["rows"] or found[benchmark.name]["failed"], benchmark.name


def test_every_module_that_has_rows_is_declared() -> None:
    declared = {each.name for each in BENCHMARKS}
    for file in (ROOT / "benchmarks").glob("*.py"):
        if "\ndef rows(" in file.read_text("utf-8"):
            assert file.stem in declared, file.stem


@pytest.mark.parametrize(
    ("row", "times", "misses"),
    [
        (Row("a", 2.0, "ms", "peer", 6.0, goal=3.0), 3.0, False),
        (Row("a", 2.0, "ms", "peer", 5.0, goal=3.0), 2.5, True),
        (Row("a", 6.0, "boards", "peer", 2.0, goal=3.0, more_is_better=True), 3.0, False),
        (Row("a", 2.0, "boards", "peer", 6.0, goal=1.0, more_is_better=True), 1 / 3, True),
        (Row("a", 16.0, "ms", "peer", 90.0, goal=1.0, limit=15.0), 5.625, True),
        (Row("a", 14.0, "ms", limit=15.0), None, False),
        (Row("a", 14.0, "ms"), None, False),
    ],
)
def test_ratios_are_how_many_times_as_good_demine_is(
    row: Row, times: float | None, misses: bool
) -> None:
    assert (row.times, row.misses) == (times, misses)


def test_a_table_marks_what_is_below_its_goal() -> None:
    rows = [Row("slow", 2.0, "ms", "peer", 5.0, goal=3.0), Row("alone", 1234.5, "ms", limit=2000.0)]
    assert table(rows) == (
        "| what | demine | peer | times | goal |\n|---|---|---|---|---|\n"
        "| slow | 2 ms | 5 (peer) | **2.5** | 3 times **missed** |\n"
        "| alone | 1,234 ms |  |  | 2,000 ms at most |\n"
    )


def test_one_benchmark_runs_and_is_written(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--only", "fold", "--quick", "--json", str(file)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    made = found["benchmarks"]["fold"]
    assert len(made["rows"]) == 3
    assert made["peers"]["numpy"]
    text = page(found)
    assert "## A whole expert game from its events" in text
    assert all(Row(**row).what in text and Row(**row).demine > 0 for row in made["rows"])


def test_a_benchmark_that_fails_says_so_on_the_page() -> None:
    found = json.loads(RESULTS.read_text("utf-8"))
    found["benchmarks"]["fold"] |= {"rows": [], "failed": "no memory"}
    assert "Not measured: no memory\n" in page(found)


@pytest.mark.parametrize("safe", [False, True])
def test_recorded_actions_are_legal_and_the_oracle_wins_every_game(safe: bool) -> None:
    rules, boards = Rules(6, 5, 4), 40
    envs = MinesweeperVectorEnv(boards, rules, copy=False)
    _, infos = envs.reset(seed=SEED)
    ended = np.zeros(boards, np.bool_)
    games = wins = 0
    for actions in recorded_actions(rules, boards, 60, safe=safe):
        legal = infos["action_mask"][np.arange(boards), actions] == 1
        assert (legal | ended).all()
        *_, ended, _, infos = envs.step(actions)
        games += int(ended.sum())
        wins += int(infos["is_success"].sum()) if ended.any() else 0
    assert games > boards
    assert wins == games if safe else 0 < wins < games


@pytest.mark.parametrize("threads", [1, 2])
def test_steps_of_many_boards_take_time(threads: int) -> None:
    assert vector_way(Rules(6, 5, 4), 40, Run(quick=True), safe=True, threads=threads)() > 0


def test_peers_open_no_cell_twice_in_a_game_and_the_oracle_no_mine() -> None:
    rules = Rules(6, 5, 4)
    mines = np.array([[0, 7, 11, 29], [1, 2, 3, 4]], np.int32)
    anywhere = peers_actions(rules, mines, 2 * rules.cells, safe=False)
    assert (np.arange(rules.cells) == np.sort(anywhere[: rules.cells], axis=0).T).all()
    assert (anywhere[rules.cells :] == anywhere[: rules.cells]).all()
    opened = peers_actions(rules, mines, rules.safe_cells, safe=True).T
    for cells, mined in zip(opened.tolist(), mines.tolist(), strict=True):
        assert sorted([*cells, *mined]) == list(range(rules.cells))


def test_steady_steps_allocate_no_observations() -> None:
    rows = list(allocation_rows(Rules(30, 16, 99), 2048, Run(quick=True)))
    allocated = [row for row in rows if row.unit == "kB"]
    assert len(allocated) == 2
    assert not any(row.misses for row in allocated)
    assert all(row.demine > 2048 * 8 / 1e3 for row in allocated), "rewards are counted"


def test_players_of_a_server_are_answered_and_begin_new_games(tmp_path: Path) -> None:
    with demine_server(tmp_path, SQLITE) as server:
        assert server is not None
        before = server.processor_seconds()
        noted = asyncio.run(players_of(server))
        assert server.processor_seconds() > before
        assert server.resident_kb() > 10_000
    assert noted.games >= 1
    assert len(noted.waits) == len(noted.lags) > 100
    assert min(noted.waits) > 0
    assert not noted.lost


async def players_of(server: Served) -> Measured:
    """Let some players play in a hurry until one of them has begun another game."""
    noted = Measured()
    players = made_players([server.address], server.database, 8, noted)
    for each in players:
        each.pause = 0.02
    await connect_all(players)
    async with asyncio.timeout(60):
        while not noted.games:
            await act_for(players, 1.0)
    for each in players:
        each.close()
    return noted


def test_the_rows_of_a_round_are_its_figures() -> None:
    noted = Measured([0.001 * wait for wait in range(1, 101)], [0.002] * 100, games=4)
    found = rows_of_round("all", Round(noted, 2.0, 0.02, 0.01), None, limit=50.0)
    figures = {row.what.removeprefix("all: "): row.demine for row in found}
    assert figures["acts answered in a second"] == 50
    assert figures["act to answer, median"] == pytest.approx(50.5)
    assert figures["act to answer, longest"] == pytest.approx(100)
    assert figures["processor time of the server for an act"] == pytest.approx(200)
    assert [row.what for row in found if row.misses] == ["all: act to answer, 99th percentile"]
