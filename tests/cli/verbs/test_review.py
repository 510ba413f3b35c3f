"""`demine review`: what it prints, draws and refuses."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from demine.cli.main import run
from demine.game import Game
from demine.logic.event import Act, Lay
from demine.logic.game import Origin
from demine.logic.layout import parse_layout
from demine.logic.rules import First, Rules
from demine.replay.load_save import save
from demine.scene.digit_palettes import PALETTES
from demine.scene.translation import set_language
from tests.png_reader import read_png
from tests.replay.builders import Meta, sitting

LOST = (("open", 0, 0), ("flag", 0, 3), ("open", 0, 2))
WON = (("open", 0, 0), ("open", 0, 4))


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def game(*acts: tuple[str, int, int], layout: str = "5x1/1\n..*..", **facts: str) -> Game:
    """A game, an act a second."""
    rules, mines = parse_layout(layout)
    rules = Rules(rules.width, rules.height, rules.mines, first=First.ANY)
    made = Game(rules, 0, origin=Origin.SHARE, facts=facts)
    made.lay(Lay(0, mines))
    for at, act in enumerate(acts):
        made.play(Act(1000 * at, *act))  # type: ignore[arg-type]
    return made


@pytest.fixture
def lost(tmp_path: Path) -> str:
    """A file with a lost game."""
    path = tmp_path / "lost.journal"
    save(game(*LOST), path)
    return str(path)


@pytest.mark.parametrize(("mode", "moving"), [("weak-guessable", True), ("standard", False)])
def test_modes_in_which_mines_move(
    mode: str, moving: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "moving"
    save(game(*LOST, mode=mode), path)
    assert run(["review", str(path)]) == 0
    assert (f"Mode           {mode}: in this mode mines" in capsys.readouterr().out) == moving


def test_the_summary_and_the_acts_worth_reading(
    lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["review", lost]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "5 × 1, 1 mine, first click may be a mine: lost after 2.000 s\n\n"
        "Opening moves  certain mine 1\n"
    )
    assert "Flags          disproven flag 1" in out
    table = out.split("Verdict", 1)[1]
    assert "first click" not in table
    assert re.search(r"1\.000 s +flag +\(1, 4\) +disproven flag +0%", table)
    assert re.search(r"2\.000 s +open +\(1, 3\) +certain mine, blew up +100% +\(1, 5\) 0%", table)
    assert "The 1 at row 1, column 2" in table
    assert "\x1b" not in out


def test_all_lists_every_act(lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "--all", lost]) == 0
    assert re.search(r"0\.000 s +open +\(1, 1\) +first click", capsys.readouterr().out)


def test_a_clean_game_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(game(*WON), tmp_path / "won")
    assert run(["review", str(tmp_path / "won")]) == 0
    assert (
        "Every move that opened a cell was proven, and no flag was wrong."
        in capsys.readouterr().out
    )


def test_nothing_is_said_of_acts_that_there_are_none_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, drawn = str(tmp_path / "first"), tmp_path / "first.png"
    save(game(("open", 0, 0)), file)
    assert run(["review", file, "-o", str(drawn)]) == 0
    out = capsys.readouterr().out
    assert "Opening moves  0\n" in out
    assert "no move could be judged" in out
    assert "Every move that opened a cell" not in out
    assert drawn.read_bytes().startswith(b"\x89PNG")
    assert run(["review", file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["luck"]["acts"], told["luck"]["pluck"]) == (0, 0.0)
    assert (told["counts"]["first"], told["counts"]["proven"]) == (1, 0)


def test_colours_on_demand(lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "--color", "always", lost]) == 0
    assert "\x1b[1;31m" in capsys.readouterr().out


def test_json_is_whole(lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", "--json", lost]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [act["verdict"] for act in told["acts"]] == ["first", "flag-disproven", "certain-mine"]
    assert told["status"] == "lost"


def test_the_numbers_wear_a_palette(lost: str, tmp_path: Path) -> None:
    drawn = set()
    for palette in PALETTES:
        target = tmp_path / f"{palette}.svg"
        assert run(["review", lost, "-o", str(target), "--palette", palette]) == 0
        drawn.add(target.read_text("utf-8"))
    assert len(drawn) == len(PALETTES)


@pytest.mark.parametrize("theme", ["light", "dark", "classic", "contrast"])
def test_pictures(lost: str, tmp_path: Path, theme: str) -> None:
    target = tmp_path / "review.png"
    assert run(["review", lost, "-o", str(target), "--theme", theme]) == 0
    picture = read_png(target.read_bytes())
    assert picture.shape[1] > 200
    vector = tmp_path / "review.svg"
    assert run(["review", lost, "--output", str(vector), "--theme", theme]) == 0
    assert vector.read_text("utf-8").startswith("<svg")


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = io.BytesIO(game(*LOST).journal().encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data, "utf-8"))
    assert run(["review", "-"]) == 0
    assert "lost after" in capsys.readouterr().out


def test_one_game_of_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    day = tmp_path / "day.evfs"
    day.write_bytes(sitting([Meta().data(), Meta(version=4).data()]))
    assert run(["review", str(day), "--game", "2"]) == 0
    assert capsys.readouterr().out
    for options, said in (([], "choose one with --game"), (["--game", "3"], "only 2")):
        assert run(["review", str(day), *options]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"demine review: {day}: it ")
        assert said in err


def test_chinese(lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--lang", "zh", "review", lost]) == 0
    out = capsys.readouterr().out
    assert "必雷" in out
    assert "certain" not in out


def test_nothing_to_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(game(), tmp_path / "empty")
    assert run(["review", str(tmp_path / "empty")]) == 1
    err = capsys.readouterr().err
    assert err == ("demine review: nothing was opened in this game, so there is nothing to judge\n")
    shared = Game("9x9/10", 7)
    shared.open(4, 4)
    code = shared.share()
    assert run(["review", code]) == 1
    assert capsys.readouterr().err == err
    assert run(["review", code[:-1]]) == 2
    assert f"review: {code[:-1]}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere"], "there is no such file"),
        (["{lost}", "-o", "review.jpg"], "must end in .png or .svg"),
        (
            ["{lost}", "-o", "{folder}/none/review.png"],
            "none/review.png: there is no folder /",
        ),
        (["{lost}", "--theme", "pink"], "pink"),
        (["{lost}", "--palette", "neon"], "okabe-ito"),
        ([], "Missing argument"),
    ],
)
def test_bad_use(
    lost: str,
    tmp_path: Path,
    args: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["review", *(arg.format(lost=lost, folder=tmp_path) for arg in args)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_that_is_too_large_is_refused_before_the_game_is_judged(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    large = Game(Rules(1000, 1000, 1000), 1)
    large.play(Act(0, "open", 4, 4))
    path, target = tmp_path / "large", tmp_path / f"large.{ending}"
    save(large, path)
    monkeypatch.setattr("demine.cli.actions.review.review", None)
    assert run(["review", str(path), "-o", str(target)]) == 2
    assert "is too large" in capsys.readouterr().err
    assert not target.exists()
