"""Which positions `hint`, `solve` and `analyse` take, and what is said of other files."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demine
from demine.cli.clipboard import read_clipboard
from demine.cli.main import run
from demine.scene.translation import set_language
from tests import samples

RULES = demine.Rules.parse("6x4/5")
DIAGRAM = "3x2/1\n1 1 F\n? # 1\n"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Commands set the language of the process."""
    yield
    set_language("en")


@pytest.fixture
def lost(tmp_path: Path) -> str:
    """The journal of a game that opened at 0, flagged at 4 s and lost at 12.5 s."""
    game = demine.Game(RULES, seed=7)
    game.open(1, 1)
    mine = tuple(np.argwhere(game.board.mine_map)[0].tolist())
    game.play(demine.Act(4000, "flag", 3, 3))
    game.play(demine.Act(12_500, "open", *mine))
    return saved(game, tmp_path / "lost.jsonl")


def saved(game: demine.Game, path: Path) -> str:
    demine.save(game, path)
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> tuple[str, str]:
    """What `demine` writes to standard output and to standard error."""
    assert run(args) == code, capsys.readouterr()
    found = capsys.readouterr()
    return found.out, found.err


def solved(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(told(capsys, "solve", "--json", *args)[0])
    return found


def opened(found: dict[str, Any]) -> int:
    return sum(risk is None for row in found["probability"] for risk in row)


# Moments of games


@pytest.mark.parametrize("moment", ["", "@last", "@#3", "@12.4", "@99%"])
def test_a_game_at_a_moment(moment: str, lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = opened(solved(capsys, f"{lost}@#2"))
    assert opened(solved(capsys, f"{lost}@start")) == 0
    assert opened(solved(capsys, lost + moment)) == whole > 1


def test_without_a_moment_it_says_which_one_it_is(
    lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for verb in ("hint", "solve"):
        err = told(capsys, verb, lost)[1]
        assert err == f"demine {verb}: this is the position before the last move, #3\n"
        assert told(capsys, verb, f"{lost}@#3")[1] == ""
    err = told(capsys, "analyse", lost, "--playouts", "10")[1]
    assert "before the last move, #3" in err


@pytest.mark.parametrize(
    ("moment", "reason"),
    [
        ("@12.5", "the game is over then: its last move is #3, at 12.500 s"),
        ("@20", "the game has only 12.500 s"),
        ("@#9", "there is no move 9: it has 3"),
        ("@soon", "'soon' is no moment of a game"),
    ],
)
def test_other_moments_are_refused(
    moment: str, reason: str, lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = told(capsys, "hint", lost + moment, code=2)
    assert out == ""
    assert err.startswith(f"demine hint: {lost}: {reason}")


def test_a_name_with_an_at_is_a_name(
    lost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "game@50%"
    shutil.copy(lost, odd)
    assert opened(solved(capsys, f"{odd}@start")) == 0
    assert opened(solved(capsys, str(odd))) > 1
    err = told(capsys, "hint", str(tmp_path / "me@home.avf"), code=2)[1]
    assert "me@home.avf: there is no such file" in err
    err = told(capsys, "hint", str(tmp_path / "gone.avf@12.5"), code=2)[1]
    assert "gone.avf: there is no such file" in err


def test_a_game_on_standard_input(
    lost: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for moment in ("-", "@12"):
        data = io.BytesIO(Path(lost).read_bytes())
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data, "utf-8"))
        assert opened(solved(capsys, moment)) > 1


@samples.needed
@pytest.mark.parametrize(
    "name",
    ["avf/exp_35.09_bv132.avf", "evf/sv_v3_expert.evf", "mvf/exp_38.82_bv122.mvf",
     "rmv/exp_98.763_bv134.rmv", "rawvf/converted/exp_49.25_bv127.rawvf"],
)  # fmt: skip
def test_real_replays(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(samples.path(name))
    found = solved(capsys, f"{path}@50%")
    assert found["rules"].startswith("30x16/99")
    assert 0 < opened(found) < 381
    assert opened(solved(capsys, path)) <= 381


@samples.needed
def test_a_file_of_several_games(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(samples.path("generated/three.evfs"))
    assert "choose one with --game" in told(capsys, "hint", path, code=2)[1]
    assert opened(solved(capsys, f"{path}@50%", "--game", "2")) > 0


# Boards that nobody has played


def test_a_share_code_is_seen_after_its_first_click(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = demine.Game(RULES, seed=7)
    game.open(1, 1)
    code = game.share()
    shown = int(game.board.open_map.sum())
    (tmp_path / "code.txt").write_text(code)
    assert opened(solved(capsys, code)) == shown
    assert opened(solved(capsys, str(tmp_path / "code.txt"))) == shown
    assert opened(solved(capsys, f"{code}@start")) == 0
    row, col = np.argwhere(~game.board.mine_map & ~game.board.open_map)[0].tolist()
    assert opened(solved(capsys, code, "--open", f"{row},{col}")) >= 1
    assert "@start is its only moment" in told(capsys, "solve", f"{code}@5", code=2)[1]


def test_a_layout_has_the_first_click_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "layout.txt"
    file.write_text("3x2/1\n*..\n...\n")
    assert opened(solved(capsys, str(file))) == 0
    assert opened(solved(capsys, str(file), "--open", "1,2")) == 4
    err = told(capsys, "hint", str(file), "--open", "0,0", code=2)[1]
    assert "row 1, column 1 is a mine (--open 0,0)" in err
    err = told(capsys, "hint", str(file), "--open", "2,0", code=2)[1]
    assert "row 3, column 1 is outside the 3x2 board (--open 2,0)" in err


# Diagrams


def test_the_mine_count_of_a_diagram(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.txt"
    file.write_text("🟦1️⃣\n1️⃣1️⃣\n", "utf-8")
    err = told(capsys, "hint", str(file), code=2)[1]
    assert "begin it with a line such as 2x2/1, or add --mines N" in err
    assert solved(capsys, str(file), "--mines", "1")["mines"] == [[0, 0]]


def test_what_is_wrong_in_a_diagram_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.txt"
    file.write_text("3x2/1\n1 1 F\n? Z 1\n")
    err = told(capsys, "solve", str(file), code=2)[1]
    assert err == f"demine solve: {file}: row 2, column 2: 'Z' is not a face\n"


def test_a_damaged_share_code_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    err = told(capsys, "hint", "1.6x4.5.zo.1-1.EBAN.YtyB", code=2)[1]
    assert err.startswith("demine hint: 1.6x4.5.zo.1-1.EBAN.YtyB: the share code is damaged")


def test_a_wrong_letter_is_told_in_chinese(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.txt"
    file.write_text("3x2/1\n1 1 F\n? Z 1\n")
    err = told(capsys, "solve", str(file), "--lang", "zh_CN", code=2)[1]
    assert err == f"demine solve: {file}：第 2 行第 2 列：'Z' 不是格面\n"


def test_options_that_do_not_suit(
    lost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.txt"
    file.write_text(DIAGRAM)
    for words, reason in (
        ((f"{file}@start",), "one position: @start is for games"),
        ((str(file), "--open", "1,1"), "one position: --open is for games"),
        ((str(file), "--game", "2"), "one position: --game is for games"),
        ((lost, "--mines", "7"), "its mine count comes with it"),
        ((lost, "--open", "1,1"), "for boards that nobody has played"),
        ((lost, "--paste"), "it takes no file"),
    ):
        assert reason in told(capsys, "solve", *words, code=2)[1]


def test_what_hint_and_solve_print_is_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, printed = tmp_path / "board.txt", tmp_path / "printed.txt"
    file.write_text("4x3/2\n# # # #\n1 1 F ?\n# # # #\n")
    known = solved(capsys, str(file))
    for verb in ("hint", "solve"):
        printed.write_text(told(capsys, verb, str(file))[0], "utf-8")
        assert solved(capsys, str(printed), "--mines", "2") == known


# The clipboard


@pytest.mark.skipif(sys.platform != "linux", reason="the selections of X11 and Wayland")
def test_without_a_program_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there is no screen" in told(capsys, "hint", "--paste", code=2)[1]
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":1")
    assert "install xclip / xsel" in told(capsys, "hint", "--paste", code=2)[1]
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert "install wl-clipboard / xclip" in told(capsys, "hint", "--paste", code=2)[1]


@pytest.mark.parametrize(
    ("platform", "program"), [("darwin", "pbpaste"), ("win32", "powershell.exe"), ("win32", "pwsh")]
)
@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts here")
def test_the_programs_of_other_systems(
    platform: str, program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Stand-ins under the names of the real programs."""
    script = tmp_path / program
    script.write_text(f"#!/bin/sh\ncat <<'END'\n{DIAGRAM}END\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert read_clipboard(100, platform).decode() == DIAGRAM
    assert read_clipboard(5, platform).decode() == DIAGRAM[:6]


@pytest.mark.skipif(shutil.which("xclip") is None, reason="no xclip here")
def test_the_real_clipboard(
    xvfb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", xvfb)
    copy(DIAGRAM.encode(), xvfb)
    assert solved(capsys, "--paste")["rules"] == "3x2/1"
    copy("🟦1️⃣\n1️⃣1️⃣".encode(), xvfb)
    assert told(capsys, "hint", "--paste", "--mines", "1")[0].startswith("Every safe cell is open")
    copy(b" ", xvfb)
    assert "the clipboard holds no text" in told(capsys, "hint", "--paste", code=2)[1]
    copy(b"#" * ((1 << 21) + 5), xvfb)
    assert "at most 2097152 bytes" in told(capsys, "hint", "--paste", code=2)[1]


def copy(data: bytes, display: str) -> None:
    """Put text on the clipboard."""
    subprocess.run(
        ["xclip", "-selection", "clipboard", "-in"],
        input=data,
        env={**os.environ, "DISPLAY": display},
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=30,
    )


# Files of other kinds


def other_files(folder: Path) -> dict[str, str]:
    """Files that are neither, and what is said of them."""
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (folder / "board.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (folder / "page.html").write_text("<!DOCTYPE html><title>Games</title>")
    with zipfile.ZipFile(folder / "games.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    with sqlite3.connect(folder / "other.db") as database:
        database.execute("CREATE TABLE a (b)")
    database.close()
    (folder / "table.parquet").write_bytes(b"PAR1" + bytes(range(200)))
    (folder / "study").write_text('0123abcd {"format": "demine study 1"}\n')
    (folder / "board.json").write_text('{"rules": "5x4/4", "seed": 3, "first": null}\n')
    assert run(["records", "--export", str(folder / "export")]) == 0
    shutil.copy(Path(os.environ["DEMINE_DATA_DIR"]) / "demine.db", folder / "demine.db")
    return {
        "picture.png": "it is a picture",
        "board.svg": "it is a picture",
        "page.html": "it is a web page",
        "games.zip": "it is an archive: unpack it first",
        "other.db": "it is an SQLite database",
        "demine.db": "it is the database of the games you played, which `demine records` reads",
        "table.parquet": "it is a table of figures in Parquet",
        "study": "it is the ledger of a study, which `demine study --resume` goes on with",
        "board.json": "it is a board as JSON: `demine make --format text`",
        "export": "it is an export of records, which `demine records --import` reads",
    }


def test_a_wrong_file_is_named_for_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = other_files(tmp_path)
    capsys.readouterr()
    for name, sentence in kinds.items():
        file = str(tmp_path / name)
        for args in (["hint", file], ["solve", file], ["analyse", file], ["review", file],
                     ["stats", file], ["convert", file, str(tmp_path / "x.evf")]):  # fmt: skip
            assert run(args) in {1, 2}
            assert sentence in capsys.readouterr().err, args


@samples.needed
def test_a_wrong_export_is_named_for_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    assert "it is a picture" in told(capsys, "records", "--import", str(picture), code=2)[1]
    replay = str(samples.path("avf/exp_35.09_bv132.avf"))
    err = told(capsys, "records", "--import", replay, code=2)[1]
    assert "it is a game or a board (AVF); `demine records --import-folder`" in err


def test_texts_that_are_no_diagrams(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "notes.md"
    for text, reason in (
        ("# Notes\nDear diary\n", "neither a diagram nor a game: row 1, column 2: 'N' is not"),
        ('{"name": "meadow"}', "it is JSON, but not the journal of a game"),
        ("\0\1\2", "neither a diagram nor a replay of a format that demine knows"),
    ):
        file.write_text(text)
        assert reason in told(capsys, "hint", str(file), code=2)[1]


def test_a_diagram_is_told_where_it_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (DIAGRAM, "🟦1️⃣\n1️⃣1️⃣\n"):
        file = tmp_path / "board.txt"
        file.write_text(text, "utf-8")
        for args in (["review", str(file)], ["convert", str(file), str(tmp_path / "x.evf")]):
            assert run(args) in {1, 2}
            assert re.search("it is a diagram.*`demine hint`", capsys.readouterr().err), args


def test_in_chinese(
    lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "图片" in told(capsys, "hint", str(picture), code=2)[1]
    assert "最后一步" in told(capsys, "hint", lost)[1]
    assert "没有第 9 步" in told(capsys, "hint", f"{lost}@#9", code=2)[1]
