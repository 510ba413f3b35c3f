"""`demine analyse`: what it prints, when it ends, what it refuses."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from demine.cli.main import run
from demine.cli.progress_line import Progress
from demine.scene.translation import set_language
from demine.solver import win_chances
from demine.solver.player import advise
from tests.solver import loaded

SMALL = "3x1/1\n# 1 #\n"
CORNER = "4x3/3\n####\n#2##\n####\n"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> object:
    """Compiling takes longer than all of this; commands set the language of the process."""
    loaded.use_player(monkeypatch, None)
    monkeypatch.setattr(advise, "load_kernels", lambda: False)
    yield
    set_language("en")


@pytest.fixture
def position(tmp_path: Path) -> str:
    """A file with a position that is not counted out."""
    path = tmp_path / "position.txt"
    path.write_text(CORNER)
    return str(path)


def test_by_exact_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    assert run(["analyse", str(path)]) == 0
    assert capsys.readouterr().out == (
        "  Cell   Risk    Wins\n"
        "(1, 1)  50.0%  50.00%\n"
        "(1, 3)  50.0%  50.00%\n"
        "\n"
        "Row 1, column 1 is the best, by exact count.\n"
    )


def test_by_playouts(
    position: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(win_chances, "MAX_EXACT_LAYOUTS", 0)
    assert run(["analyse", position, "--playouts", "20"]) == 0
    head, *_, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["Cell", "Risk", "Wins", "95%"]
    assert "after 20 playouts" in last
    said = []
    for _ in range(2):
        assert run(["analyse", position, "--playouts", "20", "--seed", "7", "--json"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    facts = json.loads(said[0])
    assert facts["rules"] == "4x3/3"
    assert (facts["exact"], facts["policy"], facts["seed"], facts["playouts"]) == (
        False, "fast", 7, 20,
    )  # fmt: skip
    wins = [each["win"] for each in facts["cells"]]
    assert wins == sorted(wins, reverse=True)


def test_in_chinese(
    position: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert run(["analyse", position]) == 0
    assert "第 " in capsys.readouterr().out


def test_ctrl_c_gives_what_is_known(
    position: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(win_chances, "MAX_EXACT_LAYOUTS", 0)
    monkeypatch.setattr(
        Progress,
        "update",
        lambda _self, done, _of: signal.raise_signal(signal.SIGINT) if done >= 4 else None,
    )
    assert run(["analyse", position, "--playouts", "1000", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["playouts"] == 4


def test_nothing_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "done.txt"
    path.write_text("2x1/1\n1 #\n")
    assert run(["analyse", str(path)]) == 0
    assert capsys.readouterr().out == "Every safe cell is open.\n"


def test_no_layout_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.txt"
    path.write_text("2x1/1\n8 #\n")
    assert run(["analyse", str(path)]) == 1
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith(f"demine analyse: {path}: the 8 at row 1, column 1 ")


@pytest.mark.parametrize(
    "args", [["--playouts", "0"], ["--seconds", "0"], ["--policy", "logic"], ["--seed", "-1"]]
)
def test_bad_usage(position: str, args: list[str]) -> None:
    assert run(["analyse", position, *args]) == 2
