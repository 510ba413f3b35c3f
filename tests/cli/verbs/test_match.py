"""`demine match`: what it says, in which words, and how it ends."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from demine.cli.main import run
from demine.scene.translation import set_language
from tests.hand import wait_for
from tests.solver.engine.players import engine_file
from tests.table import environment

# The first match compiles what plays.
pytestmark = pytest.mark.timeout(400)
ROOT = Path(__file__).parents[3]
PERL = shutil.which("perl")


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def said(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> tuple[str, str]:
    assert run(["match", *args]) == code
    found = capsys.readouterr()
    return found.out, found.err


@pytest.mark.skipif(PERL is None, reason="there is no perl")
def test_the_perl_engine_plays_sensibly(capsys: pytest.CaptureFixture[str]) -> None:
    """The program of docs/engine.md against `safest`, on the same boards."""
    command = f"perl {shlex.quote(str(ROOT / 'docs' / 'examples' / 'engine.pl'))}"
    ask = ["--games", "40", "--rules", "beginner", "--seed", "7", "--workers", "1"]
    out, err = said(capsys, command, "safest", *ask, "--json")
    assert err == ""
    assert out.count("\n") == 1
    values = json.loads(out)
    assert list(values) == [
        "rules", "first", "start", "seed", "games", "players", "difference", "interval", "both",
        "only_a", "only_b", "p_value", "stronger",
    ]  # fmt: skip
    perl, safest = values["players"]
    assert list(perl) == [
        "player", "games", "won", "win_rate", "interval", "guesses_per_game", "failed", "failure",
    ]  # fmt: skip
    assert (perl["failed"], perl["failure"]) == (0, None)
    assert 30 <= perl["won"] <= safest["won"]
    assert run(["study", "beginner", "--games", "40", "--seed", "7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["won"] == safest["won"]


def test_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ask = [
        engine_file(tmp_path / "e.py"),
        "logic",
        "--rules",
        "8x8/12",
        "--games",
        "16",
        "--seed",
        "3",
    ]
    out, _ = said(capsys, *ask, "--first", "safe", "--start", "1,1", "--workers", "2")
    lines = out.splitlines()
    assert lines[0] == "8x8/12, first=safe, from row 2, column 2 (--start 1,1), seed 3"
    assert "Player: logic" in lines
    assert lines[-1].startswith(("logic is stronger (p = ", "Neither is shown to be stronger"))
    chinese, _ = said(capsys, *ask, "--lang", "zh_CN")
    assert "胜率" in chinese
    assert "Player" not in chinese


def test_a_seed_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = said(capsys, "safest", "logic", "--rules", "5x5/3", "--games", "3", "--json")
    assert f"demine match: seed {json.loads(out)['seed']}\n" in err


def test_a_policy_of_the_current_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_player_for_a_match.py").write_text(
        "import demine\n"
        "def choose(scene, rules):\n"
        "    print('this is no answer')\n"
        "    return demine.best_move(scene, rules.mines, policy='safest')\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    own = "own_player_for_a_match:choose"
    served = shlex.join([sys.executable, "-m", "demine", "engine", "--policy", own])
    out, _ = said(
        capsys, served, "safest", "--rules", "6x6/6", "--games", "8", "--seed", "1",
        "--workers", "1", "--json",
    )  # fmt: skip
    values = json.loads(out.splitlines()[-1])
    assert (values["only_a"], values["only_b"], values["players"][0]["failed"]) == (0, 0, 0)


def test_strict_ends_with_what_was_reached(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    body = "go_on = go\ndef go():\n    if rows[0][0] == '.': sys.exit('a corner')\n    go_on()"
    command = engine_file(tmp_path / "e.py", body)
    ask = [command, "logic", "--rules", "8x8/6", "--games", "30", "--seed", "1"]
    out, err = said(capsys, *ask, "--workers", "1", "--strict", code=2)
    assert err.count("\n") == 1
    assert "a corner" in err
    assert not out or "Player: logic" in out
    out, err = said(capsys, *ask, "--workers", "1")
    assert err == ""
    assert "which count as lost; the first: the engine" in out


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["safest"], "'B'. For example: demine match best safest"),
        (["safest", "safest"], "a match takes two different players, not safest twice"),
        (["safest", "stronges"], "did you mean strong"),
        (
            ["safest", "./nothing/here"],
            "the engine ./nothing/here cannot be started: there is no such file or folder",
        ),
        (
            ["safest", "./nothing/here", "--lang", "zh_CN"],
            "引擎 ./nothing/here 无法启动：没有这个文件或文件夹",
        ),
        (["safest", "nobody here"], "the engine nobody here cannot be started"),
        (["safest", "no_such_module:x"], "there is no module no_such_module"),
        (["safest", "logic", "--games", "0"], "the number of games"),
        (["safest", "logic", "--rules", "x"], "neither WIDTHxHEIGHT/MINES"),
        (["safest", "logic", "--rules", "exprt"], "did you mean expert?"),
        (["safest", "logic", "--workers", "0"], "--workers"),
        (["safest", "logic", "--resume"], "--resume needs the --seed"),
        (["safest", "logic", "--rules", "ten goal=flag"], "they cannot play goal=flag"),
        (["safest", "logic", "--start", "99,0"], "outside the 30x16 board"),
        (["safest", "logic", "--movetime", "9"], "neither is one"),
        (["safest", "logic", "--movetime", "0"], "--movetime"),
        (["safest", "logic", "--timeout", "nan"], "--timeout"),
        (["safest", "logic", "--timeout", "0"], "--timeout"),
    ],
)
def test_bad_usage_is_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], why: str
) -> None:
    out, err = said(capsys, *args, code=2)
    assert out == ""
    assert err.count("\n") == 1
    assert why in err


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to one process")
def test_ctrl_c_keeps_what_was_reached(tmp_path: Path) -> None:
    """One engine is at a move that never ends; the games before it count, and are gone on from."""
    games, stuck = tmp_path / "games", tmp_path / "stuck"
    stuck.touch()
    body = f"games = open({str(games)!r}, 'ab', 0)\ngo_on = go\nold = answer\n"
    body += "def answer(line):\n    if line.startswith('newgame'): games.write(b'.')\n"
    body += "    old(line)\n"
    body += (
        f"def go():\n    if os.path.exists({str(stuck)!r}) and os.path.getsize({str(games)!r}) > 9:"
    )
    body += " time.sleep(999)\n    go_on()"
    words = [engine_file(tmp_path / "e.py", body), "logic", "--rules", "5x5/3", "--games", "20"]
    command = [sys.executable, "-m", "demine", "match"]
    env = environment() | {"DEMINE_DATA_DIR": str(tmp_path / "data")}
    process = subprocess.Popen(
        [*command, *words, "--seed", "1", "--workers", "1", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        text=True,
    )
    wait_for(lambda: games.exists() and games.stat().st_size > 9, "ten games")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    reached = json.loads(out)["games"]
    assert 0 < reached < 10
    assert err.endswith(f"demine match: stopped: {reached} of 20 games were played\n")
    found = re.search(r"progress is saved; to continue: demine match (.*)", err)
    assert found is not None
    stuck.unlink()
    played = games.stat().st_size
    done = subprocess.run(
        [*command, *shlex.split(found[1])], capture_output=True, env=env, text=True, check=True
    )
    assert json.loads(done.stdout)["games"] == 20
    # At most a new game to begin with, and one for each board that was missing.
    assert games.stat().st_size - played <= 21 - reached
    alone = subprocess.run(
        [*command, *words, "--seed", "1", "--json"],
        capture_output=True,
        env=env,
        text=True,
        check=True,
    )
    assert alone.stdout == done.stdout


def test_it_says_which_engine_it_waits_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("demine.cli.actions.match.TELL_WAITING_SECONDS", 0.0)
    engine = engine_file(tmp_path / "e.py")
    ask = ["--rules", "5x5/3", "--games", "1", "--seed", "1", "--workers", "1"]
    _, err = said(capsys, engine, "logic", *ask)
    assert err.startswith("demine match: waiting for the engine ")
    assert err.endswith("e.py to answer `umi` by `umiok`\n")
    assert err.count("\n") == 1
