"""Boards fit the terminal they are shown in, in both languages, with and without colour."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import demine
from demine.cli.main import run
from demine.cli.text_table import text_width
from demine.solver.hint import format_percent
from tests.table import environment

unix = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
LOW, HIGH = 80, 24


@pytest.fixture(scope="module")
def expert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A diagram of an expert board after its first click."""
    game = demine.Game(demine.EXPERT, seed=7)
    game.open(8, 15)
    file = tmp_path_factory.mktemp("boards") / "expert.txt"
    file.write_text(str(game))
    return str(file)


@cache
def shown(cols: int, rows: int, *args: str, lang: str = "en") -> list[str]:
    """The lines that a terminal of that size shows, with their colours."""
    import fcntl  # Windows has none of the three
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
    changes = {"TERM": "xterm-256color", "DEMINE_LANG": lang, "COLUMNS": None, "LINES": None}
    with subprocess.Popen(
        [sys.executable, "-m", "demine", *args],
        env=environment(**changes),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ) as running:
        os.close(theirs)
        data = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            data += part
        assert running.wait(60) == 0
    os.close(ours)
    return data.decode().splitlines()


def plain(lines: list[str]) -> list[str]:
    return [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]


def solved(file: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(["solve", "--json", file]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@unix
@pytest.mark.parametrize("lang", ["en", "zh_CN"])
@pytest.mark.parametrize("verb", ["hint", "solve", "analyse"])
def test_an_expert_board_fits_the_usual_terminal(verb: str, lang: str, expert: str) -> None:
    quick = ["--playouts", "20"] if verb == "analyse" else []
    lines = plain(shown(LOW, HIGH, verb, expert, *quick, lang=lang))
    assert max(map(text_width, lines)) <= LOW
    # The line that the shell then writes its prompt in is needed too.
    assert len(lines) < HIGH
    if verb != "analyse":
        ruler = next(at for at, line in enumerate(lines) if line.split()[:2] == ["1", "5"])
        board = lines[ruler + 1 : ruler + 17]
        assert [int(line.split()[0]) for line in board] == list(range(1, 17))
        assert {len(line.rstrip()) for line in board} == {62}
        assert lines[ruler].rstrip().endswith("30")
        assert lines[ruler].index("30") + 1 == 61


@unix
def test_letters_stand_for_the_risks(expert: str, capsys: pytest.CaptureFixture[str]) -> None:
    chances = solved(expert, capsys)["probability"]
    lines = plain(shown(LOW, HIGH, "solve", expert))
    board = [line.split()[1:] for line in lines if re.fullmatch(r" ?\d+( \S){30} ?", line)]
    legend = next(line for line in lines if line.startswith("+ "))
    meaning = dict(re.findall(r"(\w) ([<>]?[\d.]+%)", legend))
    assert legend.startswith("+ safe (18)  * mine (14)  ")
    for signs, risks in zip(board, chances, strict=True):
        for sign, risk in zip(signs, risks, strict=True):
            if risk is None:
                assert sign in ".12345678"
            else:
                assert {"+": "0%", "*": "100%", **meaning}[sign] == format_percent(risk)
    said = [float(text.strip("<>%")) for text in meaning.values()]
    assert all(low < high for low, high in pairwise(said))


@unix
def test_what_a_narrow_board_shows_is_read_again(
    expert: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = solved(expert, capsys)
    for verb in ("hint", "solve"):
        printed = tmp_path / f"{verb}.txt"
        printed.write_text("\n".join(plain(shown(LOW, HIGH, verb, expert))), "utf-8")
        assert run(["solve", "--json", str(printed), "--mines", "99"]) == 0
        assert json.loads(capsys.readouterr().out) == known


@unix
def test_a_board_wider_than_the_terminal_says_how_to_see_the_rest(expert: str) -> None:
    for verb in ("hint", "solve"):
        lines = plain(shown(40, HIGH, verb, expert))
        assert max(map(text_width, lines)) <= 40
        words = " ".join(lines)
        found = re.search(r"Columns (\d+) to (\d+) of 30; +--all shows every one", words)
        assert found is not None
        first, last = map(int, found.groups())
        # The advised cell is in what is shown.
        best = re.search(r"[Rr]ow \d+, column (\d+)", words)
        assert best is not None
        assert first <= int(best[1]) <= last
        assert last - first == 17
    whole = plain(shown(40, HIGH, "solve", expert, "--all"))
    assert max(map(len, whole)) == 2 + 6 * 30


@unix
def test_a_wide_drill_advises_no_option_that_training_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path))
    for lang, advice in (("en", "a wider window shows every one"), ("zh_CN", "窗口")):
        lines = plain(shown(50, HIGH, "train", "--level", "expert", lang=lang))
        assert max(map(text_width, lines)) <= 50
        words = " ".join(" ".join(lines).split())
        assert advice in words
        assert "--all" not in words


@unix
def test_colour_changes_nothing_but_colour(expert: str) -> None:
    for verb in ("hint", "solve"):
        coloured = shown(LOW, HIGH, verb, expert)
        bare = shown(LOW, HIGH, verb, expert, "--color", "never")
        assert any("\x1b[" in line for line in coloured)
        assert [line.rstrip() for line in plain(coloured)] == [line.rstrip() for line in bare]


def test_a_pipe_gets_the_whole_table(expert: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", expert]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines()[:19])) == 2 + 6 * 30
    assert "\x1b" not in out
