"""The same study on a real Dask cluster: a scheduler and workers in processes of their own."""

from __future__ import annotations

import signal
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import demine
from demine.cli.main import run
from demine.logic.rules import Rules
from demine.solver.exact.probability import mine_probability
from demine.solver.player.policy_error import PolicyError
from demine.studies.dask_cluster import dask_executor
from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger
from demine.studies.resumable_study import run_study
from demine.studies.run import play_missing_games
from tests.solver.player import sample_policies as samples
from tests.studies.local_cluster import Cluster
from tests.studies.samples import PAIR, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

distributed: Any = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals"),
    # Dask's own threads and sockets when a scheduler is killed.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
]


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.close()


@pytest.fixture(scope="module")
def whole_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for all tests that leave it whole."""
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


def test_a_cluster_comes_to_the_same_though_a_worker_is_killed(
    tmp_path: Path, dask: Cluster
) -> None:
    plan = replace(PAIR, games=400)
    killed: list[int] = []

    def kill(done: int) -> None:
        if done and not killed:
            killed.append(dask.workers[0].pid)
            dask.workers[0].send_signal(signal.SIGKILL)

    with dask_executor(dask.address) as (executor, threads):
        assert threads == 2
        with Ledger.open(tmp_path / "a", plan, rows=True) as ledger:
            assert play_missing_games(
                ledger, executor, workers=threads, rows=True, on_progress=kill
            )
            assert ledger.counts.without_time == outcome(plan)
            assert list(ledger.done) == [(0, 400)]
    assert killed


def test_a_scheduler_that_goes_keeps_what_is_done(
    tmp_path: Path, dask: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.studies.dask_cluster.CONNECT_SECONDS", 2)
    plan = replace(PAIR, games=100_000)

    def kill(done: int) -> None:
        if done:
            dask.close()

    with (
        pytest.raises(StudyError, match="connection to the Dask scheduler was lost"),
        dask_executor(dask.address) as (executor, threads),
    ):
        run_study(plan, executor, workers=threads, ledger=tmp_path / "a", on_progress=kill)
    with Ledger.open(tmp_path / "a", plan, resume=True) as ledger:
        assert ledger.counts.games > 0


def test_the_files_of_a_dataset_have_the_same_bytes_on_a_cluster(
    whole_cluster: Cluster, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    here, there = tmp_path / "here", tmp_path / "there"
    demine.dataset("8x8/12", here, positions=70, shard=20, seed=5, random=0.05)
    words = ["dataset", "8x8/12", "--positions", "7e1", "--shard", "20", "--seed", "5"]
    words += ["--random", "0.05", "-o", str(there), "--scheduler", whole_cluster.address]
    assert run(words) == 0
    names = sorted(path.name for path in here.iterdir())
    assert sorted(path.name for path in there.iterdir()) == names
    for name in names:
        assert (there / name).read_bytes() == (here / name).read_bytes()


def test_policies_of_ones_own_play_on_a_cluster(whole_cluster: Cluster) -> None:
    """Known by their names, or sent with their code; what they raise comes back."""
    client = distributed.Client(whole_cluster.address, set_as_default=False)
    best = 1.0

    def choose(scene: np.ndarray, rules: Rules) -> tuple[int, int]:
        chance = mine_probability(scene, rules.mines)
        row, col = divmod(int(np.nanargmin(chance * best)), rules.width)
        return row, col

    def on_cluster(policy: Any) -> demine.StudyResult:
        return demine.study(
            "6x6/7", games=30, policy=policy, seed=5, executor=client.get_executor(), workers=2,
        )  # fmt: skip

    try:
        here = demine.study("6x6/7", games=30, policy=(samples.safest, choose), seed=5)
        there = on_cluster((samples.safest, choose))
        assert there.counts.without_time == here.counts.without_time
        batched = on_cluster((samples.SafestInBatches, samples.SafestMade))
        assert [each.won for each in batched.policies] == [here.won, here.won]
        with pytest.raises(PolicyError, match=r"raises raised KeyError.*\(game \d+, board seed"):
            on_cluster(samples.raises)
        lock = threading.Lock()
        with pytest.raises(PolicyError, match="cannot be sent to other processes"):
            on_cluster(lambda scene, rules: (lock.locked(), scene.argmax() // rules.width))
    finally:
        client.close()


@pytest.mark.parametrize(
    "address", ["", "host", "tcp://host", "gopher://a:1", "a b:1", "x" * 10_000]
)
def test_what_is_no_address_is_told_at_once(address: str) -> None:
    with pytest.raises(StudyError, match="is not a scheduler's address"), dask_executor(address):
        pass


def test_where_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demine.studies.dask_cluster.CONNECT_SECONDS", 1)
    with (
        pytest.raises(StudyError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        dask_executor("tcp://127.0.0.1:9"),
    ):
        pass
