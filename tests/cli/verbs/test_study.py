"""`demine study`: the same numbers for a seed, clean ends, and going on after them."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from demine.cli.main import run
from demine.cli.progress_line import Progress
from demine.scene.translation import set_language
from demine.solver.wilson_interval import wilson_interval
from demine.studies.errors import StudyError
from demine.studies.ledger import _encode_line
from demine.studies.resumable_study import study
from tests.hand import wait_for

# The first study compiles what plays.
pytestmark = pytest.mark.timeout(400)
KEYS = [
    "rules", "first", "start", "policy", "seed", "games", "won", "win_rate", "interval",
    "guesses_per_game", "games_per_cpu_second",
]  # fmt: skip


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def said(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> tuple[str, str]:
    """What `study` prints, and what it says on stderr."""
    assert run(["study", *args]) == code
    found = capsys.readouterr()
    return found.out, found.err


def facts(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(capsys, *args, "--json")[0])
    return found


def steady(found: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on how long it took."""
    return {name: value for name, value in found.items() if name != "games_per_cpu_second"}


def test_json_has_just_these_keys(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "beginner", "--games", "30", "--policy", "safest", "--seed", "7")
    assert list(found) == KEYS
    assert found["rules"] == "9x9/10"
    assert (found["first"], found["start"], found["policy"]) == ("zero", [2, 2], "safest")
    assert (found["seed"], found["games"]) == (7, 30)
    assert found["win_rate"] == found["won"] / 30
    assert found["interval"] == list(wilson_interval(found["won"], 30))
    assert found["games_per_cpu_second"] > 0


def test_workers_make_no_difference(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ask = ["8x8/10", "--games", "60", "--seed", "3", "--first", "safe"]
    one = facts(capsys, *ask, "--workers", "1")
    assert steady(facts(capsys, *ask, "--workers", "2")) == steady(one)
    assert steady(facts(capsys, *ask)) == steady(one)
    assert one["start"] == [0, 0]
    assert steady(facts(capsys, *ask[:4], "4", *ask[5:])) != steady(one)


def test_a_seed_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = said(capsys, "6x6/5", "--games", "5", "--json")
    assert err == f"demine study: seed {json.loads(out)['seed']}\n"


def test_words(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, "8x8/20", "--games", "40", "--seed", "1", "--start", "0,7")
    assert "8x8/20, first=zero, from row 1, column 8 (--start 0,7), seed 1" in out
    assert re.search(r"Win rate: [\d.]+% \([\d.]+% to [\d.]+% at 95%\), \d+ of 40 games", out)
    assert re.search(r"Guesses per game: \d\.\d{3}", out)
    assert re.search(r"Luck: [\d.]+ ± [\d.]+", out)
    chinese, _ = said(capsys, "8x8/20", "--games", "40", "--seed", "1", "--lang", "zh_CN")
    assert "胜率" in chinese
    assert "Win rate" not in chinese


def test_two_policies_on_the_same_boards(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["8x8/12", "--games", "60", "--seed", "3"]
    found = facts(capsys, *ask, "--compare", "logic", "safest")
    alone = [facts(capsys, *ask, "--policy", policy) for policy in ("logic", "safest")]
    assert [each["won"] for each in found["policies"]] == [each["won"] for each in alone]
    assert found["difference"] == pytest.approx((alone[0]["won"] - alone[1]["won"]) / 60)
    assert found["interval"][0] <= found["difference"] <= found["interval"][1]
    assert found["both"] + found["only_a"] == alone[0]["won"]
    out, _ = said(capsys, *ask, "--compare", "logic", "safest")
    assert re.search(r"logic minus safest: [+-][\d.]+ points \([+-]", out)


def test_a_sweep_is_a_study_for_each_number_of_mines(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["--games", "20", "--seed", "3", "--first", "safe"]
    found = facts(capsys, "8x8/10", *ask, "--sweep", "mines=4..12:4")
    points = found["points"]
    assert [point["rules"] for point in points] == [f"8x8/{n} first=safe" for n in (4, 8, 12)]
    assert steady(points[1]) == steady(facts(capsys, "8x8/8", *ask))
    out, _ = said(capsys, "8x8/10", *ask, "--sweep", "mines=4..6")
    assert len(out.splitlines()) == 4


def test_a_plot_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    target = tmp_path / "a.png"
    said(capsys, "6x6/5", "--games", "10", "--seed", "1", "--plot", str(target))
    assert target.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([], "'RULES'. For example: demine study expert"),
        (["nothing"], "neither WIDTHxHEIGHT/MINES"),
        (["begginer"], "did you mean beginner?"),
        (["beginner", "--games", "0"], "the number of games is a whole number from 1"),
        (["beginner", "--seed", "-1"], "the seed is a whole number from 0"),
        (["beginner", "--seed", str(2**62)], "the seed is a whole number from 0"),
        (["beginner", "--seed", "9" * 5000], ""),
        (["beginner", "--start", "9,9"], "outside the 9x9 board"),
        (["beginner", "--start", "x"], "is not a cell"),
        (["beginner", "--policy", "nobody"], "there is no policy 'nobody': use logic, safest"),
        (["beginner", "--policy", "safes"], "there is no policy 'safes': use "),
        (["beginner", "--compare", "safest", "fats"], "did you mean fast?"),
        (["beginner", "--policy", "no_such_mod:choose"], "there is no module no_such_mod"),
        (["beginner", "--policy", "own_policies:chose"], "has no chose; did you mean choose?"),
        (["beginner", "--policy", "own_policie:choose"], "did you mean own_policies?"),
        (["beginner", "--policy", "own_policies:broken"], "broken raised IndexError: list index"),
        (["beginner", "--first", "zero", "--sweep", "mines=70..80"], "72 at most"),
        (["beginner", "--sweep", "mines=9..1"], "is not a sweep"),
        (["beginner", "--sweep", "width=1..9"], "is not a sweep"),
        (["beginner", "--sweep", "mines=1..9", "-o", "x"], "a sweep writes no Parquet file"),
        (["beginner", "--policy", "logic", "--compare", "logic", "safest"], "either --policy"),
        (["beginner", "--workers", "2", "--scheduler", "a:1"], "either --workers"),
        (["beginner", "--workers", "0"], ""),
        (["beginner", "--scheduler", "nowhere"], "is not a scheduler's address"),
        (["beginner", "--plot", "a.gif"], "is not a picture demine draws"),
        (["beginner", "--plot", "no/such/a.png"], "a.png: there is no folder no"),
        (["beginner", "--plot", "file/a.png"], "part of its path is not a folder"),
        (["beginner", "-o", "no/such/a.parquet"], "a.parquet: there is no folder no"),
        (["beginner", "-o", "a.csv"], "a.csv: games are written as Parquet, so name it *.parquet"),
        (["beginner", "-o", "a.v2.JSON"], "name it *.parquet"),
        (["beginner", "-o", "folder"], "it is a folder"),
        (["beginner", "--resume"], "--resume needs the --seed"),
        (["beginner guess-free"], "cannot use guess-free boards"),
        (["ten goal=flag"], "they cannot play goal=flag"),
    ],
)
def test_bad_usage_is_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    args: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "own_policies.py").write_text(OWN_POLICIES)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "own_policies", raising=False)
    _, err = said(capsys, *args, code=2)
    last = err.splitlines()[-1]
    assert last.startswith("demine study: ")
    assert why in last
    assert len(last) < 400
    assert not Path("no").exists()


OWN_POLICIES = """
import demine

def choose(scene, rules):
    return demine.best_move(scene, rules.mines, policy="safest")

def broken(scene, rules):
    return [][0]
"""


def test_a_policy_of_the_current_folder(tmp_path: Path) -> None:
    """By the command as it is installed, which does not look there by itself."""
    (tmp_path / "own_policies.py").write_text(OWN_POLICIES)
    run = [
        sys.executable, "-P", "-m", "demine", "study", "6x6/7", "--games", "12", "--seed", "3",
        "--compare", "own_policies:choose", "safest", "--workers", "2", "--json",
    ]  # fmt: skip
    done = subprocess.run(
        run, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    own, safest = found["policies"]
    assert (own["policy"], safest["policy"]) == ("own_policies:choose", "safest")
    assert own["won"] == safest["won"] == found["both"]
    kept = list((tmp_path / "studies").iterdir())
    assert [path.name for path in kept] == ["6x6_7-zero-2,2-own_policies_choose+safest-3.ledger"]


def test_an_unwritable_ledger_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path / "file"))
    _, err = said(capsys, "beginner", "--games", "5", "--seed", "1", code=2)
    assert "games cannot be saved in" in err


def test_a_finished_study_is_told_again_and_grows(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["6x6/7", "--seed", "5"]
    facts(capsys, *ask, "--games", "30")
    again = facts(capsys, *ask, "--games", "30", "--resume")
    assert again == facts(capsys, *ask, "--games", "30", "--resume")
    more = facts(capsys, *ask, "--games", "50", "--resume")
    assert steady(more) == steady(facts(capsys, *ask, "--games", "50"))
    _, err = said(capsys, *ask, "--games", "20", "--resume", code=2)
    assert "the number of games: 50 there, 20 here" in err


def test_what_was_never_begun_is_not_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped seed or rules of another study would begin a new one unnoticed."""
    _, err = said(capsys, "6x6/7", "--seed", "6", "--resume", code=2)
    assert "no games of safest on 6x6/7" in err
    assert err.endswith("--seed 6 are kept\n")
    facts(capsys, "6x6/7", "--seed", "5", "--games", "3")
    _, err = said(capsys, "6x6/7", "--seed", "6", "--resume", code=2)
    assert "--start 2,2 and --seed 6 are kept; the last that are: 6x6/7" in err
    assert err.endswith("safest --seed 5\n")
    assert run(["match", "safest", "logic", "--seed", "5", "--rules", "6x6/7", "--resume"]) == 2
    assert capsys.readouterr().err.endswith("--seed 5 are kept\n")
    with pytest.raises(StudyError, match="ledger or an output"):
        study("6x6/7", games=2, resume=True)


def environment(folder: Path) -> dict[str, str]:
    paths = (os.path.abspath(path) for path in sys.path)  # noqa: PTH100
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "DEMINE_DATA_DIR": str(folder),
    }


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    tmp_path: Path, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that it says then comes to the same as a study that nobody stopped."""
    pytest.importorskip("pyarrow")
    target = tmp_path / "out.parquet"
    ask = ["16x16/45", "--seed", "3", "--workers", workers]
    games = ["--games", "1000000"]
    env = environment(tmp_path / "data")
    process = subprocess.Popen(
        [sys.executable, "-m", "demine", "study", *ask, *games, "-o", str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    ledger = tmp_path / "out.parquet.ledger"
    wait_for(lambda: lines_of(ledger) > 2, "the first games")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Win rate" in out
    assert re.search(r"demine study: stopped: \d+ of 1000000 games were played\n$", err)
    found = re.search(r"progress is saved; to continue: (demine study .*)", err)
    assert found is not None
    words = shlex.split(found[1])
    assert words[-1] == "--resume" or "--resume" in words
    # A million games are too many for a test: the ledger goes on as one of fewer.
    head, *parts = [json.loads(line[9:]) for line in ledger.read_text("ascii").splitlines()]
    fewer = sum(part["count"] for part in parts) + 40
    ledger.write_bytes(b"".join(map(_encode_line, [head | {"games": fewer}, *parts])))
    words[words.index("1000000")] = str(fewer)
    again = subprocess.run(
        [sys.executable, "-m", "demine", *words[1:], "--json"],
        capture_output=True,
        text=True,
        env=env,
        check=True,
    )
    whole = facts(capsys, *ask, "--games", str(fewer))
    assert steady(json.loads(again.stdout)) == steady(whole)
    assert target.exists()
    assert not ledger.exists()
    assert "damaged" not in again.stderr


def test_the_line_that_tells_how_far_it_is() -> None:
    meter = Progress(10_000, "games", "9x9/10")
    meter.start_from(500)
    assert meter.line_text(4.0).endswith("500 of 10,000 games (5%), 0.0 games/s, ? left")
    meter.update(1000)  # what came before was starting and compiling
    assert meter.line_text(4.0).endswith("0.0 games/s, ? left")
    meter.update(3000)
    assert meter.line_text(4.0) == "9x9/10  3,000 of 10,000 games (30%), 500 games/s, 0:14 left"
    meter.update(1001)
    assert meter.line_text(4.0).endswith("0.2 games/s, 9:59:56 left")
