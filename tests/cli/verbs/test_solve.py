"""`demine solve`: what it prints, reads, and refuses."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demine
from demine.cli.main import run
from demine.cli.solved_position import format_large_count
from demine.logic.event import Verb
from demine.scene.cell_faces import Face
from demine.scene.diagram import parse_scene
from demine.scene.translation import set_language
from demine.solver.hint import format_percent
from tests.solver.oracle import every_layout

SMALL = "4x3/2\n# # # #\n1 1 F ?\n# # # #\n"
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Let these bytes stand on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))


def process(
    *args: str, data: bytes | None = None, **changes: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "demine", *args],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **changes},
        input=data,
        capture_output=True,
        timeout=60,
        check=False,
    )


def solved(text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What `solve --json` says of a diagram."""
    typed(monkeypatch, text.encode())
    assert run(["solve", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


# What it says


def test_as_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, SMALL.encode())
    assert run(["solve"]) == 0
    assert capsys.readouterr().out == (
        "4 × 3, 2 mines: 12 layouts fit\n"
        "\n"
        "      1     2     3     4\n"
        "1 25.0% 25.0%    0% 33.3%\n"
        "2     1     1    0% 33.3%\n"
        "3 25.0% 25.0%    0% 33.3%\n"
        "\n"
        "Safe: (1, 3) (2, 3) (3, 3)\n"
        "Best move: row 1, column 3, which is safe\n"
    )


def test_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    third = 1 / 3
    assert solved(SMALL, monkeypatch, capsys) == {
        "rules": "4x3/2",
        "solutions": 12,
        "probability": [
            [0.25, 0.25, 0.0, third],
            [None, None, 0.0, third],
            [0.25, 0.25, 0.0, third],
        ],
        "safe": [[0, 2], [1, 2], [2, 2]],
        "mines": [],
        "best": [0, 2],
        "risk": 0.0,
    }


def test_what_it_says_is_what_every_layout_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "5x4/5\n#2###\n##3##\n##2##\n1####\n"
    found = solved(text, monkeypatch, capsys)
    rules, faces = parse_scene(text)
    truth = every_layout(faces, rules.mines)
    assert found["solutions"] == truth.layouts
    for (row, col), held in truth.mines.items():
        share = pytest.approx(held / truth.layouts, rel=1e-12, abs=0)
        assert found["probability"][row][col] == share
    shares = {cell: truth.share(cell) for cell in truth.mines}
    assert found["safe"] == [list(cell) for cell in sorted(shares) if shares[cell] == 0]
    assert found["mines"] == [list(cell) for cell in sorted(shares) if shares[cell] == 1]
    assert found["risk"] == pytest.approx(float(min(shares.values())), rel=1e-12, abs=0)
    assert faces[tuple(found["best"])] == Face.COVERED


def test_nothing_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = solved("2x1/1\n1F", monkeypatch, capsys)
    assert (found["best"], found["risk"], found["mines"]) == (None, None, [[0, 1]])
    typed(monkeypatch, b"2x1/1\n1F")
    assert run(["solve"]) == 0
    text = capsys.readouterr().out
    assert "100%" in text
    assert text.endswith("Mines: (1, 2)\nEvery safe cell is open.\n")


def test_a_guess_is_called_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, b"3x3/2\n" + b"###\n" * 3)
    assert run(["solve"]) == 0
    assert capsys.readouterr().out.endswith("Best guess: row 1, column 2, 22.2% risk\n")


def test_many_layouts_are_exact_in_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python refuses to write whole numbers beyond 4300 digits unless asked."""
    from math import comb

    text = "150x150/7000\n" + ("#" * 150 + "\n") * 150
    typed(monkeypatch, text.encode())
    limit = sys.get_int_max_str_digits()
    assert run(["solve", "--json"]) == 0
    digits = re.search(r'"solutions": (\d+)', capsys.readouterr().out)
    assert sys.get_int_max_str_digits() == limit
    assert digits is not None
    assert len(digits[1]) > 4300
    assert int(digits[1][-4000:]) == comb(22500, 7000) % 10**4000


def test_on_a_wide_board_columns_stand_under_their_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, b"120x11/3 first=any\n" + b"#" * 60 + b"." * 60 + b"\n" + b"#" * 60)
    assert run(["solve"]) == 2
    capsys.readouterr()
    typed(monkeypatch, b"120x11/3\n" + (b"#" * 120 + b"\n") * 11)
    assert run(["solve"]) == 0
    _, _, heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split() == [str(col) for col in range(1, 121)]
    assert {len(row) for row in (heads, *rows[:11])} == {len(heads)}


@pytest.mark.parametrize(
    ("risk", "decimals", "text"),
    [
        (0.0, 1, "0%"),
        (1.0, 1, "100%"),
        (0.5, 1, "50.0%"),
        (0.1825, 0, "18%"),
        (1e-9, 1, "<0.1%"),
        (1e-9, 0, "<1%"),
        (0.004, 0, "<1%"),
        (0.006, 0, "1%"),
        (1 - 1e-12, 1, ">99.9%"),
        (0.9999, 0, ">99%"),
    ],
)
def test_only_what_is_proven_is_0_or_100_percent(risk: float, decimals: int, text: str) -> None:
    assert format_percent(risk, decimals) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (1, "1"),
        (12_345, "12,345"),
        (10**12, "1.000 × 10^12"),
        (2**400_000, "9.960 × 10^120411"),
    ],
    ids=["one", "thousands", "billions", "beyond"],
)
def test_numbers_for_eyes(count: int, text: str) -> None:
    assert format_large_count(count) == text


def test_in_chinese(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    typed(monkeypatch, SMALL.encode())
    assert run(["solve"]) == 0
    text = capsys.readouterr().out
    assert "符合" in text
    assert not re.search("[a-wyz]{3}", text)


# Colour


def test_colour_tells_risks_apart_and_adds_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {}
    for choice in ("always", "never", "auto"):
        typed(monkeypatch, SMALL.encode())
        assert run(["solve", "--color", choice]) == 0
        texts[choice] = capsys.readouterr().out
    plain = re.sub(r"\x1b\[[\d;]*m", "", texts["always"])
    assert plain == texts["never"] == texts["auto"]
    # Proven and the move to make; proven; a risk.
    assert "\x1b[1;32;7m   0%\x1b[0m" in texts["always"]
    assert "\x1b[1;32m   0%\x1b[0m" in texts["always"]
    assert "\x1b[33m33.3%\x1b[0m" in texts["always"]


@pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is Unix's")
@pytest.mark.parametrize(
    ("changes", "colours"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_is_coloured_unless_it_asks_not_to_be(
    changes: dict[str, str], colours: bool, tmp_path: Path
) -> None:
    file = tmp_path / "board"
    file.write_text(SMALL)
    assert ("\x1b[" in terminal(["solve", str(file)], "", changes)) is colours


@pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is Unix's")
def test_on_a_terminal_it_says_what_to_type_and_knows_when_it_has_all() -> None:
    """No end of file is sent: the first line says how many rows there are."""
    text = terminal(["solve"], "\n" + SMALL, {"NO_COLOR": "1"})
    assert "Type or paste a diagram" in text
    assert "Best move: row 1, column 3" in text


@pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is Unix's")
def test_a_diagram_without_rules_ends_with_an_empty_line() -> None:
    text = terminal(["solve", "--mines", "1"], "🟦🟦\n1️⃣1️⃣\n\n", {"NO_COLOR": "1"})
    assert "Best guess: row 1, column 1, 50% risk" in text


def terminal(args: list[str], keys: str, changes: dict[str, str]) -> str:
    """What the command shows on a terminal where these keys are typed."""
    import pty  # Windows has none

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "demine", *args],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", **changes},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        os.write(ours, keys.encode())
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            shown += part
        assert running.wait(30) == 0
    os.close(ours)
    return shown.decode()


# What it reads


def test_files_pipes_and_journals_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = set()
    for data in (
        SMALL.encode(),
        SMALL.encode("utf-16"),
        SMALL.encode("utf-8-sig"),
        SMALL.replace("\n", "\r\n").encode(),
        b"\n\n" + SMALL.replace(" ", "").encode().rstrip(),
    ):
        file = tmp_path / "board"
        file.write_bytes(data)
        assert run(["solve", str(file), "--json"]) == 0
        said.add(capsys.readouterr().out)
        typed(monkeypatch, data)
        assert run(["solve", "-", "--json"]) == 0
        said.add(capsys.readouterr().out)
    assert len(said) == 1


def test_a_journal_of_a_game_under_way_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = demine.Game(demine.BEGINNER, 7)
    game.play(demine.Act(0, Verb.OPEN, 4, 4))
    demine.save(game, tmp_path / "game")
    assert run(["solve", str(tmp_path / "game"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rules"] == "9x9/10"
    opened = [[risk is None for risk in row] for row in found["probability"]]
    assert np.array_equal(opened, game.board.open_map)


def test_a_journal_of_a_paused_game_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = demine.Game(demine.BEGINNER, 7)
    game.play(demine.Act(0, Verb.OPEN, 4, 4))
    game.play(demine.Act(5, "pause"))
    demine.save(game, tmp_path / "game")
    assert run(["solve", str(tmp_path / "game")]) == 2
    assert "the game is paused then" in capsys.readouterr().err


# What it refuses

DAMAGED = {
    "nothing": b"",
    "blank": b" \n\n ",
    "no rules": b"####\n####",
    "rules alone": b"4x3/2",
    "a row short": SMALL.encode()[:-9],
    "a row more": SMALL.encode() + b"####",
    "a cell short": SMALL.encode()[:-3],
    "a strange letter": SMALL.replace("F", "Z").encode(),
    "an escape": SMALL.replace("F", "\x1b").encode(),
    "a mine shown": SMALL.replace("F", "X").encode(),
    "zeros": bytes(5000),
    "noise": np.random.default_rng(1).bytes(5000),
    "half of UTF-16": b"\xff\xfe4",
    "a cut journal": b'{"demine": 1,',
    "too much": b"#" * (1 << 21) + b"#",
    "a board too big": b"99999x99999/3\n#",
    "a board that takes too long": b"257x256/3\n" + (b"#" * 257 + b"\n") * 256,
    "too many mines": b"2x1/9\n##",
}


@pytest.mark.parametrize("verb", ["solve"])
@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_damaged_is_refused_in_one_line(
    verb: str,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "board"
    file.write_bytes(DAMAGED[name])
    typed(monkeypatch, DAMAGED[name])
    for args in ([str(file)], []):
        assert run([verb, *args]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert re.fullmatch(rf"demine {verb}: [^\n]{{10,400}}\n", err)
        assert "\x1b" not in err


@pytest.mark.parametrize("path", ["/no/such/file", "/", "a\0b"])
def test_what_cannot_be_read_is_refused(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", path]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3x1/1\n#8#", "the 8 at row 1, column 2 cannot be satisfied"),
        ("3x1/2\n1#1", "no layout with 2 mines fits"),
    ],
)
def test_a_board_that_nothing_explains_is_answered_by_no(
    text: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for extra in ([], ["--json"]):
        typed(monkeypatch, text.encode())
        assert run(["solve", *extra]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"demine solve: standard input: {reason}")


def test_a_reader_that_leaves_early_is_no_mistake() -> None:
    command = f"'{sys.executable}' -m demine solve --json - | head -c 10"
    text = "256x256/10000\n" + ("#" * 256 + "\n") * 256
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"rules": ', b"")
