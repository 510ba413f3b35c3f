"""`demine hint`: what it prints and refuses; what it reads is tested with `solve`."""

from __future__ import annotations

import io
import json
import re

import pytest

from demine.cli.main import run
from demine.scene.translation import set_language

SMALL = "3x2/1\n11F\n?#1\n"
COIN = "3x1/1\n#1#\n"


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def asked(
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *args: str,
    code: int = 0,
) -> str:
    """What `hint` says of a diagram on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
    assert run(["hint", *args]) == code
    out, err = capsys.readouterr()
    return out or err


def test_a_proof_is_said_and_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, empty, *rows = asked(SMALL, monkeypatch, capsys).splitlines()
    assert sentence.startswith("Row 1, column 3 is safe. ")
    assert empty == ""
    assert [row.split() for row in rows] == [
        ["1", "2", "3"],
        ["1", "(1)", "(1)", "[F]"],
        ["2", "?", "#", "1"],
    ]


def test_a_guess_is_said_and_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, _, *rows = asked(COIN, monkeypatch, capsys).splitlines()
    assert sentence.startswith("No cell is certain, and it is a 50/50: row 1, column 1")
    assert rows[1].split() == ["1", "[#]", "1", "#"]


def test_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(asked(SMALL, monkeypatch, capsys, "--json"))
    text = found.pop("text")
    assert text.startswith("Row 1, column 3 is safe. ")
    assert (found.pop("solutions"), len(found.pop("probability"))) == (1, 2)
    assert found == {
        "rules": "3x2/1",
        "safe": [[0, 2], [1, 0]],
        "mines": [[1, 1]],
        "best": found["best"],
        "risk": 0.0,
        "cell": [0, 2],
        "is_safe": True,
        "pattern": "inside",
        "because": [[0, 0], [0, 1]],
        "uses_mine_count": False,
    }
    guess = json.loads(asked(COIN, monkeypatch, capsys, "--json"))
    assert (guess["cell"], guess["is_safe"], guess["pattern"]) == ([0, 0], False, None)
    assert (guess["risk"], guess["because"]) == (0.5, [])
    counted = json.loads(asked("4x1/1\n#1##", monkeypatch, capsys, "--json"))
    assert (counted["pattern"], counted["uses_mine_count"]) == ("count", True)


def test_nothing_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("2x1/1\n1F", monkeypatch, capsys) == "Every safe cell is open.\n"
    found = json.loads(asked("2x1/1\n1F", monkeypatch, capsys, "--json"))
    assert (found["cell"], found["best"], found["is_safe"]) == (None, None, None)
    assert found["text"] == "Every safe cell is open."


@pytest.mark.parametrize("args", [(), ("--json",)])
def test_the_first_click_is_no_risk_where_the_rules_promise_it(
    args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = "\n" + "#####\n" * 5
    said = asked("5x5/4" + board, monkeypatch, capsys, *args)
    assert "the first cell you open is never a mine" in said
    said = asked("5x5/4 first=any" + board, monkeypatch, capsys, *args)
    assert "16%" in said


def test_in_chinese(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    for text in (SMALL, COIN, "2x1/1\n1F", "5x5/4\n" + "#####\n" * 5):
        said = asked(text, monkeypatch, capsys)
        assert re.search("[一-鿿]", said)
        assert not re.search("[a-z]{2}", said)


def test_colour_adds_nothing_but_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bright = asked(SMALL, monkeypatch, capsys, "--color", "always")
    assert "\x1b[1;32m[F]\x1b[0m" in bright
    plain = re.sub(r"\x1b\[[\d;]*m", "", bright)
    assert re.sub(r" +$", "", plain, flags=re.MULTILINE) == asked(SMALL, monkeypatch, capsys)


@pytest.mark.parametrize("args", [(), ("--json",)])
def test_a_board_that_nothing_explains_is_answered_by_no(
    args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = asked("3x1/1\n#8#", monkeypatch, capsys, *args, code=1)
    assert said == "demine hint: standard input: the 8 at row 1, column 2 cannot be satisfied\n"


def test_a_position_too_complex_to_be_solved_has_a_hint_still(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lattice is too much; the corner beside it is not."""
    side = 51
    rows = [list("#3" * (side // 2) + "#" + "#" * 6) for _ in range(side)]
    for row in rows[::2]:
        row[:side] = "#" * side
    rows[0][-2:] = "11"
    board = f"{side + 6}x{side}/700\n" + "\n".join(map("".join, rows)) + "\n"
    said = asked(board, monkeypatch, capsys)
    assert said.startswith("Row 1, column 55 is safe. ")
    assert "[#]" in said
    found = json.loads(asked(board, monkeypatch, capsys, "--json"))
    assert found.pop("text").startswith("Row 1, column 55 is safe. ")
    assert found == {
        "rules": "57x51/700",
        "solutions": None,
        "probability": None,
        "safe": None,
        "mines": None,
        "best": [0, 54],
        "risk": 0.0,
        "cell": [0, 54],
        "is_safe": True,
        "pattern": "inside",
        "because": [[0, 55], [0, 56]],
        "uses_mine_count": False,
    }
