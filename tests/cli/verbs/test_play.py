"""`demine play FILE` and `demine FILE`: a board is played, a replay is watched."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from demine.cli import main as cli
from demine.cli.actions import watch
from demine.cli.verbs import play
from demine.logic.game import Origin
from demine.scene.preferences import StartOptions

LOST = Path(__file__).parents[2] / "golden" / "beginner-lost-by-a-chord.jsonl"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[StartOptions]:
    """What the scenes were asked to open."""
    asked: list[StartOptions] = []

    def start(_scene: str | None, options: StartOptions) -> int:
        asked.append(options)
        return 0

    monkeypatch.setattr(play, "open_scene", start)
    return asked


@pytest.mark.parametrize("verb", [["play"], []])
def test_a_board_file_is_played(
    verb: list[str], started: list[StartOptions], tmp_path: Path
) -> None:
    path = tmp_path / "corner.txt"
    path.write_text("4x3/2\n*...\n....\n...*\n", encoding="utf-8")
    assert cli.run([*verb, str(path), "--new"]) == 0
    board = started[0].board
    assert board is not None
    assert board.board.mine_map[0, 0]
    assert board.origin is Origin.SHARE
    assert not started[0].may_resume


def test_a_replay_is_watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown: list[str] = []

    def open_window(file: str, *_rest: object) -> int:
        shown.append(file)
        return 0

    monkeypatch.setattr(watch, "_open_window", open_window)
    monkeypatch.setattr(watch, "_choose_scene", lambda *_: "desktop")
    monkeypatch.chdir(tmp_path)
    Path("game.jsonl").write_bytes(LOST.read_bytes())
    assert cli.run(["game.jsonl"]) == 0
    assert shown == ["game.jsonl"]


def test_what_nobody_can_read_is_told_in_the_window_too(
    started: list[StartOptions],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    path = tmp_path / "photo.avf"
    path.write_bytes(b"\x89PNG")
    assert cli.run([str(path)]) == 0
    assert capsys.readouterr().err.startswith(f"demine play: {path}: ")
    assert "“photo.avf” cannot be opened: " in str(started[0].trouble)
    assert started[0].may_resume


def test_rules_come_before_files(
    started: list[StartOptions], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("expert").write_bytes(b"\x89PNG")
    assert cli.run(["expert"]) == 0
    assert str(started[0].rules) == "30x16/99"


def test_a_file_has_its_own_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([str(LOST), "--lives", "3"]) == 2
    assert "a file has its own rules" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["gone.avf"], ["play", "gone.avf"], ["--lang", "en", "gone.txt"]]
)
def test_a_missing_file_is_said_to_be_missing(
    words: list[str],
    started: list[StartOptions],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    assert cli.run(words) == 0
    said = "there is no such file or folder"
    assert capsys.readouterr().err == f"demine play: {words[-1]}: {said}\n"
    assert f"“{words[-1]}” cannot be opened: {said}" in str(started[0].trouble)
    if sys.platform.startswith("linux"):
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            monkeypatch.delenv(name, raising=False)
        assert cli.run(words) == 2
        assert capsys.readouterr().err == f"demine play: {words[-1]}: {said}\n"


@pytest.mark.parametrize("words", [["plya"], ["play", "30x16/20.5"]])
def test_other_words_are_no_files(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(words) == 2
    assert "cannot be opened" not in capsys.readouterr().err
