"""Studies by policies of one's own: the games of every study, on every kind of worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import demine
from demine.logic.rules import Rules
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_version import policy_name
from demine.studies.errors import StudyError
from demine.studies.plan import StudyPlan
from demine.studies.play_games import play_games
from demine.studies.process_pool import KillableProcessPool
from tests.solver.player import sample_policies as samples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HERE = "tests.solver.player.sample_policies"
RULES = Rules.parse("8x8/12")
SEED = 7
PLAYED = ("won", "opened", "guesses", "bv")


def outcome(policy: Any, games: int = 40, rules: Rules = RULES) -> np.ndarray:
    return play_games(rules, policy, SEED, 0, games)


@pytest.mark.parametrize("rules", ["8x8/12", "6x4/9 first=safe", "7x7/10 first=any", "16x16/40"])
@pytest.mark.parametrize(
    ("policy", "same"),
    [
        (samples.safest, "safest"),
        (samples.SafestInBatches, "safest"),
        (samples.proven_only, "logic"),
    ],
)
def test_it_comes_to_what_the_same_policy_of_demine_does(
    rules: str, policy: Any, same: str
) -> None:
    found, wanted = (outcome(each, 25, Rules.parse(rules)) for each in (policy, same))
    for name in PLAYED:
        assert found[name].tolist() == wanted[name].tolist(), name
    assert found["survival"] == pytest.approx(wanted["survival"])
    assert found["ns"].sum() > 0


def test_many_games_advance_together(monkeypatch: pytest.MonkeyPatch) -> None:
    batched = samples.SafestInBatches()
    together = outcome(batched)
    assert batched.asked[0] == 40
    assert batched.asked == sorted(batched.asked, reverse=True)
    monkeypatch.setattr("demine.studies.play_custom_policy.BATCH_GAMES", 6)
    few = samples.SafestInBatches()
    by_six = outcome(few)
    assert max(few.asked) == 6
    assert few.asked.count(6) > len(few.asked) / 2
    for name in (*PLAYED, "moves", "index"):
        assert together[name].tolist() == by_six[name].tolist(), name
        assert together[name].tolist() == outcome(samples.safest)[name].tolist(), name


def test_it_sees_numbers_and_covered_cells_only() -> None:
    seen: set[int] = set()

    def look(scene: np.ndarray, rules: Rules) -> tuple[int, int]:
        seen.update(scene.ravel().tolist())
        assert rules == RULES
        return samples.first_covered(scene, rules)

    outcome(look)
    assert seen <= set(range(10))


def study(policy: Any, **options: Any) -> demine.StudyResult:
    return demine.study("8x8/12", games=40, policy=policy, seed=SEED, **options)


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    """Two worker processes."""
    pool = KillableProcessPool(2)
    yield pool
    pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(
    "policy", [samples.safest, f"{HERE}:safest", samples.SafestMade, samples.SafestInBatches]
)
def test_processes_come_to_the_same(policy: Any, processes: Executor) -> None:
    """Of a class, each process makes its own."""
    here = study(policy)
    assert here.policies[0].policy == (policy if isinstance(policy, str) else policy_name(policy))
    there = study(policy, executor=processes, workers=2)
    assert there.counts.without_time == here.counts.without_time
    assert here.won == study("safest").won


def test_a_class_is_made_once_for_each_worker() -> None:
    made: list[int] = []

    class Made:
        def __init__(self) -> None:
            made.append(threading.get_ident())

        def __call__(self, scene: np.ndarray, rules: Rules) -> tuple[int, int]:
            return samples.first_covered(scene, rules)

    study(Made)
    study(Made)
    assert made == [threading.get_ident()] * 2
    with ThreadPoolExecutor(2) as threads:
        study(Made, executor=threads, workers=2)
    assert len(made[2:]) == len(set(made[2:])) <= 2


def test_a_standard_pool_of_processes() -> None:
    from multiprocessing import get_context

    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        found = study((samples.SafestMade, "safest"), executor=pool, workers=1)
        with pytest.raises(PolicyError, match=r"raises raised KeyError.*game \d") as caught:
            study(samples.raises, executor=pool, workers=1)
    assert found.difference is not None
    assert found.difference.only_a == found.difference.only_b == 0
    assert isinstance(caught.value.__cause__, KeyError)


SCRIPT = """
import sys
import demine

def choose(scene, rules):
    chance = demine.mine_probability(scene, rules.mines)
    return divmod(int((chance == chance[chance == chance].min()).argmax()), rules.width)
"""
STUDIES = """
print(demine.study("6x6/7", games=24, policy=choose, seed=3).won)
result = demine.study("6x6/7", games=24, policy=POLICY, seed=3, workers=2)
for each in result.policies:
    print(each.policy, each.won)
"""
PAIR = "[choose, lambda scene, rules: choose(scene, rules)]"
WITHOUT_CLOUDPICKLE = "sys.modules['cloudpickle'] = None\n"
GUARD = 'if __name__ == "__main__":'


def run_script(folder: Path, *parts: str) -> subprocess.CompletedProcess[str]:
    (folder / "my_script.py").write_text("".join(parts))
    run = [sys.executable, "my_script.py"]
    return subprocess.run(run, cwd=folder, capture_output=True, text=True, check=False)


def guarded(source: str) -> str:
    return f"{GUARD}\n{textwrap.indent(source, '    ')}"


@pytest.mark.parametrize("guard", [str, guarded], ids=["bare", "guarded"])
def test_a_script_gives_its_own_functions_to_processes(tmp_path: Path, guard: Any) -> None:
    """Its processes run no part of the script, so it needs no guard."""
    pytest.importorskip("cloudpickle")
    done = run_script(tmp_path, SCRIPT, guard(STUDIES.replace("POLICY", PAIR)))
    assert done.stderr == ""
    (wanted,), (named, won), (unnamed, same) = (line.split() for line in done.stdout.splitlines())
    assert (named, unnamed) == ("my_script:choose", "my_script:<lambda>")
    assert won == same == wanted


def test_without_cloudpickle_a_script_needs_its_guard(tmp_path: Path) -> None:
    studies = STUDIES.replace("POLICY", "choose")
    done = run_script(tmp_path, SCRIPT, WITHOUT_CLOUDPICKLE, guarded(studies))
    (wanted,), (named, won) = (line.split() for line in done.stdout.splitlines())
    assert (done.stderr, named, won) == ("", "my_script:choose", wanted)
    bare = run_script(tmp_path, SCRIPT, WITHOUT_CLOUDPICKLE, studies)
    assert bare.stderr.count("Traceback") <= 2
    assert GUARD in bare.stderr.splitlines()[-1]


def test_a_standard_pool_needs_the_guard_too(tmp_path: Path) -> None:
    """One sentence before any process has started, and nothing from processes."""
    study = (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "with ProcessPoolExecutor(2, get_context('spawn')) as pool:\n"
        "    print(demine.study('6x6/7', games=8, policy=choose, executor=pool).is_complete)\n"
    )
    bare = run_script(tmp_path, SCRIPT, study)
    assert bare.stdout == ""
    assert bare.stderr.count("Traceback") <= 2
    assert GUARD in bare.stderr.splitlines()[-1]
    done = run_script(tmp_path, SCRIPT, guarded(study))
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize("in_processes", [False, True])
@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (samples.opened, "answered (0, 0) (counted from 0), which is open already"),
        (samples.nothing, "answered None, which is no cell (row, col)"),
        (samples.raises, "raised KeyError: 'no such opening' (sample_policies.py:"),
        (samples.LastIsOpen, "LastIsOpen answered"),
        (samples.WrongShape, "choose_batch returns whole numbers of shape"),
    ],
)
def test_what_goes_wrong_names_policy_game_scene_and_answer(
    policy: Any, words: str, in_processes: bool, processes: Executor
) -> None:
    with pytest.raises(PolicyError) as caught:
        demine.study(
            "8x8/12 first=safe", games=9, policy=policy, seed=SEED, start=(0, 0),
            executor=processes if in_processes else None, workers=2 if in_processes else None,
        )  # fmt: skip
    error = caught.value
    assert words in str(error)
    assert str(error).startswith(f"{HERE}:{policy.__name__} ")
    assert error.index is not None
    assert error.seed == SEED << 64 | error.index
    assert f"game {error.index}, board seed {error.seed})" in str(error)
    if policy in {samples.opened, samples.nothing, samples.raises}:
        game = demine.Game("8x8/12 first=safe", seed=error.seed)
        game.open(0, 0)
        assert np.array_equal(demine.sight(game), np.asarray(error.scene))
    if policy is samples.raises:
        assert isinstance(error.__cause__, KeyError)


def test_games_played_before_an_error_are_kept(tmp_path: Path) -> None:
    class FailsLate:
        version = "1"

        def __init__(self) -> None:
            self.left = 30

        def __call__(self, scene: np.ndarray, rules: Rules) -> tuple[int, int]:
            self.left -= 1
            if not self.left:
                raise ZeroDivisionError
            return samples.first_covered(scene, rules)

    with pytest.raises(PolicyError, match="ZeroDivisionError"):
        study(FailsLate, ledger=tmp_path / "a")
    lines = (tmp_path / "a").read_text().splitlines()
    assert len(lines) > 1
    assert json.loads(lines[0].partition(" ")[2])["versions"] == ["1"]


def stops_after(chunks: int) -> Any:
    asked = iter(range(chunks))
    return lambda: next(asked, None) is None


def test_a_study_is_resumed(tmp_path: Path) -> None:
    whole = study(samples.safest)
    part = study(samples.safest, ledger=tmp_path / "a", stop=stops_after(3))
    assert 0 < part.counts.games < 40
    rest = study(samples.safest, ledger=tmp_path / "a", resume=True)
    assert rest.counts.without_time == whole.counts.without_time


def changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "LEAST_GAIN", 1e-7)


def test_a_study_is_not_resumed_with_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study(samples.safest, ledger=tmp_path / "a", stop=stops_after(3))
    changed(monkeypatch)
    with pytest.raises(StudyError, match=r"different one \(the code of the policy: \w+ there, \w"):
        study(samples.safest, ledger=tmp_path / "a", resume=True)
    # Another policy does not use what has changed.
    study(samples.Cautious(1), ledger=tmp_path / "b", stop=stops_after(3))
    assert study(samples.Cautious(1), ledger=tmp_path / "b", resume=True).is_complete
    with pytest.raises(StudyError, match=r"different one \(the policy: .*corner=1"):
        study(samples.Cautious(2), ledger=tmp_path / "b", resume=True)


def test_a_ledger_needs_code_that_can_be_compared(tmp_path: Path) -> None:
    exec_made: dict[str, Any] = {}
    exec("def choose(scene, rules): return 0, 0", exec_made)
    with pytest.raises(StudyError, match="give it an attribute `version`"):
        study(exec_made["choose"], ledger=tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_games_are_written_with_the_name_of_the_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "a.parquet"
    pair = (samples.safest, "safest")
    first = study(pair, output=target)
    table = parquet.read_table(target)
    assert table["policy"].to_pylist() == [f"{HERE}:safest", "safest"] * 40
    assert table["won"].to_pylist()[::2] == table["won"].to_pylist()[1::2]
    again = study(pair, output=target, resume=True)
    assert again.counts == first.counts
    changed(monkeypatch)
    with pytest.raises(StudyError, match="the code of the policy"):
        study(pair, output=target, resume=True)


def test_a_file_makes_demine_import_nothing() -> None:
    plan = StudyPlan.of_policies(RULES, (samples.safest, "fast"), 5, 9)
    facts = json.loads(json.dumps(plan.to_dict()))
    assert facts["policies"] == [f"{HERE}:safest", "fast"]
    read = StudyPlan.from_dict({**facts, "policies": ["no.such.module:choose", "fast"]})
    assert read.policies == ("no.such.module:choose", "fast")
    assert read.to_dict()["versions"] == facts["versions"]
    with pytest.raises(PolicyError, match="is known by its name only"):
        play_games(RULES, read.player("no.such.module:choose"), 5, 0, 1)
    assert StudyPlan.from_dict(facts) == plan
    assert "versions" not in StudyPlan(RULES, ("safest",), 5, 9).to_dict()


def test_a_plan_imports_what_is_named() -> None:
    plan = StudyPlan(RULES, (f"{HERE}:safest",), 5, 9)
    assert isinstance(plan.player(f"{HERE}:safest"), CustomPolicy)
    with pytest.raises(StudyError, match="two different ones"):
        StudyPlan.of_policies(RULES, (samples.safest, f"{HERE}:safest"), 5, 9)
    with pytest.raises(PolicyError, match="did you mean safest"):
        StudyPlan(RULES, ("safes",), 5, 9)


WITHOUT_CACHE = """
import demine
from demine.kernels.kernel_set import KernelSet
KernelSet.load = None  # to call it is an error

def choose(scene, rules):
    return demine.best_move(scene, rules.mines)

print(demine.study("6x6/7", games=12, policy=choose, seed=3).won)
print(demine.Game("6x6/7", seed=3).play_out("strong").over)
print(demine.Game("6x6/7", seed=3).play_out(choose).over)
"""


def test_a_policy_of_ones_own_waits_for_no_compiler(tmp_path: Path) -> None:
    """Nor does a game played out by one of demine's."""
    (tmp_path / "plays.py").write_text(WITHOUT_CACHE)
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    words = [sys.executable, "plays.py"]
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    wanted = study_of_six().won
    assert (done.stdout.split(), done.stderr) == ([str(wanted), "True", "True"], "")


def study_of_six() -> demine.StudyResult:
    def choose(scene: np.ndarray, rules: Rules) -> demine.Move:
        return demine.best_move(scene, rules.mines)

    return demine.study("6x6/7", games=12, policy=choose, seed=3)


def test_a_class_that_cannot_be_asked_is_told_at_once() -> None:
    class Meth:
        def chose(self, *_: object) -> tuple[int, int]:
            raise AssertionError

    why = r" cannot be asked: a policy is a function policy\(scene, rules\)"
    for policy in (Meth, Meth()):
        with pytest.raises(PolicyError, match=why):
            demine.study("6x6/7", games=1, policy=policy)  # type: ignore[arg-type]
        with pytest.raises(PolicyError, match=why):
            demine.Game("6x6/7").play_out(policy)  # type: ignore[arg-type]
