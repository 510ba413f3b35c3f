"""`demine watch`: pictures without a window, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import demine
from demine.cli.main import run
from demine.game import Game
from demine.logic.event import Act, Touch, Verb
from demine.logic.rules import BEGINNER, Rules
from demine.picture.animation import playback_frame
from demine.scene.playback import Playback
from demine.scene.themes import THEMES, with_palette
from demine.scene.translation import set_language
from tests.png_reader import read_png

GOLDEN = Path(__file__).parents[2] / "golden" / "expert-won.jsonl"


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def said(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert not out
    assert len(err.splitlines()) == 1
    return err


def test_a_moment_as_a_picture(tmp_path: Path) -> None:
    game = Game(BEGINNER, 7)
    game.touch(Touch(-500, "", "move", 20, 20))
    game.touch(Touch(-100, "left", "press", 72, 72))
    game.touch(Touch(0, "left", "release", 72, 72))
    game.play(Act(0, Verb.OPEN, 4, 4))
    game.touch(Touch(2000, "", "move", 100, 100))
    file, target = tmp_path / "game.jsonl", tmp_path / "frame.png"
    demine.save(game, file)
    watched = Playback(game)
    dark, okabe = THEMES["dark"], with_palette(THEMES["dark"], "okabe-ito")
    for options, ms, path, look in (
        (["--at", "-0.05"], -50, False, dark),
        (["--at", "1", "--path"], 1000, True, dark),
        ([], watched.end, False, dark),
        (["--palette", "okabe-ito"], watched.end, False, okabe),
    ):
        assert run(["watch", str(file), "--png", str(target), "--theme", "dark", *options]) == 0
        watched.seek(ms)
        trail = watched.trail(None) if path else None
        wanted = playback_frame(watched, look, 24, trail=trail)
        assert np.array_equal(read_png(target.read_bytes()), wanted)


def test_a_game_as_an_animation(tmp_path: Path) -> None:
    target = tmp_path / "game.gif"
    assert run(["watch", str(GOLDEN), "--gif", str(target), "--speed", "16", "--cell", "8"]) == 0
    data = target.read_bytes()
    assert data[:6] == b"GIF89a"
    assert data[-1:] == b"\x3b"
    end = Game.from_journal(GOLDEN.read_text("utf-8")).time_ms
    assert end > 0


def test_pictures_need_no_screen_and_no_toolkit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "PySide6", None)
    target = tmp_path / "frame.PNG"
    assert run(["watch", str(GOLDEN), "--png", str(target)]) == 0
    assert target.exists()


def test_pipes(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for option, begin in (("--png", b"\x89PNG"), ("--gif", b"GIF89a")):
        data = io.TextIOWrapper(io.BytesIO(GOLDEN.read_bytes()))
        monkeypatch.setattr("sys.stdin", data)
        assert run(["watch", "-", option, "-", "--speed", "16", "--cell", "4"]) == 0
        out, err = capfdbinary.readouterr()
        assert out.startswith(begin)
        assert not err


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["nothing.avf"], "there is no such file"),
        (["nothing.avf", "--png", "x.png"], "there is no such file"),
        (["--png", "x.png"], "a picture needs a game"),
        ([], "no game given"),
        ([str(GOLDEN), "--speed", "99"], "99"),
        ([str(GOLDEN), "--gif", "x.gif", "--cell", "128"], "too large"),
        ([str(GOLDEN), "--png", "no/such/place/x.png"], "x.png: there is no folder no"),
        ([str(GOLDEN), "--png", "x.jpg"], "a picture's name must end in .png"),
        ([str(GOLDEN), "--png", "x"], "a picture's name must end in .png"),
        ([str(GOLDEN), "--gif", "x.png"], "an animation's name must end in .gif"),
        ([str(GOLDEN), "--png", "x.png", "--game", "2"], "no game 2"),
        ([str(GOLDEN), "--png", "x.png", "--at", "nan"], "'nan' is not a number"),
        ([str(GOLDEN), "--gif", "x.gif", "--speed", "nan"], "'nan' is not a number"),
    ],
)
def test_what_is_refused_is_said_in_one_line(
    args: list[str], what: str, capsys: pytest.CaptureFixture[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["watch", *args]) == 2
    assert what in said(capsys)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "size"),
    [
        (["--png", "x.png"], "24020 x 24052"),
        (["--gif", "x.gif"], "16012 x"),
        (["--png", "x.png", "--cell", "8", "--gif", "y.gif"], "8010 x 8037"),
        (["--png", "x.png", "--cell", "128", "--path", "--at", "0"], "too large"),
    ],
)
def test_what_is_too_large_is_refused_before_anything_is_drawn(
    options: list[str], size: str, capsys: pytest.CaptureFixture[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Not even the picture that is small enough is left behind by a command that is refused."""
    game = Game(Rules(1000, 1000, 1000), 1)
    game.play(Act(0, Verb.OPEN, 4, 4))
    demine.save(game, tmp_path / "large.jsonl")
    monkeypatch.chdir(tmp_path)
    # Whoever asks for a still is about to draw it.
    monkeypatch.setattr(Playback, "snapshot", None)
    assert run(["watch", "large.jsonl", *options]) == 2
    assert size in said(capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["large.jsonl"]
