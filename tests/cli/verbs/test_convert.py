"""`demine convert`: one format to another, what gets lost, several files, and clean refusals."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import demine
from demine.cli.main import run
from demine.cli.verbs.convert import output_format_names
from demine.replay import load, read_replay, registry
from demine.scene.translation import set_language
from tests.logic.boards import game_on, played
from tests.replay.builders import Arbiter, Meta, sitting
from tests.replay.others import BOARD, Raw, Vienna


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def put(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


def test_every_writer_can_be_chosen() -> None:
    names = [known.name.lower() for known in registry.writable_formats()]
    assert list(output_format_names()) == ["journal", *names]


@pytest.mark.parametrize("form", ["rmv", "evf", "evfs", "rawvf"])
def test_a_replay(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = put(tmp_path, "game.avf", Arbiter().data())
    target = tmp_path / f"out.{form}"
    assert run(["convert", source, str(target)]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"demine convert: {source}: {target} does not hold these facts: checksum" in printed.err
    before, after = read_replay(Arbiter().data()), read_replay(target.read_bytes())
    assert after.course.opened.tolist() == before.course.opened.tolist()
    assert after.facts["player"] == "Ada"


@pytest.mark.parametrize("form", ["mbf", "ptta", "board"])
def test_a_board(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = put(tmp_path, "x", BOARD.encode()), tmp_path / f"out.{form}"
    assert run(["convert", source, str(target)]) == 0
    assert np.array_equal(load(target).board.mine_map, load(source).board.mine_map)
    lost = "does not hold these facts: author, comment" in capsys.readouterr().err
    assert lost is (form != "board")


def test_the_same_format_is_the_same_file(tmp_path: Path) -> None:
    for name, data in {"a.rmv": Vienna().data(), "b.rawvf": Raw().data()}.items():
        source = put(tmp_path, name, data)
        assert run(["convert", "--strict", source, str(tmp_path / f"copy-{name}")]) == 0
        assert (tmp_path / f"copy-{name}").read_bytes() == data


def test_a_journal_holds_everything(tmp_path: Path) -> None:
    game = played(game_on("4x3/2\n*...\n....\n...*\n"), "flag 0,0; open 0,3; pause; resume")
    demine.save(game, tmp_path / "game.jsonl")
    assert (
        run(["convert", "--strict", str(tmp_path / "game.jsonl"), str(tmp_path / "x.jsonl")]) == 0
    )
    assert load(tmp_path / "x.jsonl") == game


def test_strict_refuses_before_it_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = put(tmp_path, "game.avf", Arbiter().data()), tmp_path / "out.rmv"
    assert run(["convert", "--strict", source, str(target)]) == 1
    assert "it cannot hold these facts" in capsys.readouterr().err
    assert not target.exists()


def test_pipes(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    class Pipe:
        buffer = io.BytesIO(BOARD.encode())

    monkeypatch.setattr(sys, "stdin", Pipe)
    assert run(["convert", "--to", "mbf", "-", "-"]) == 0
    assert capfdbinary.readouterr().out == b"\3\2\0\1\0\0"


@pytest.mark.parametrize("size", ["9x9/10", "99x99/999"])  # the second is too long for a file name
def test_a_share_code(size: str, tmp_path: Path) -> None:
    board = demine.Game(size, seed=7)
    board.open(4, 4)
    assert run(["convert", board.share(), str(tmp_path / "x.mbf")]) == 0
    assert (load(tmp_path / "x.mbf").board.mine_map == board.board.mine_map).all()
    assert run(["convert", board.share(), f"{tmp_path}/out/", "--to", "mbf"]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["game.mbf"]


def test_strict_on_a_pipe(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    source = put(tmp_path, "game.avf", Arbiter().data())
    assert run(["convert", "--strict", "--to", "RMV", source, "-"]) == 1
    printed = capfdbinary.readouterr()
    assert printed.out == b""
    assert b"it cannot hold" in printed.err


def test_many_files_go_to_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside = tmp_path / "in" / "deep"
    inside.mkdir(parents=True)
    put(inside, "game.avf", Arbiter().data())
    put(inside.parent, "game.evf", Meta().data())
    put(inside.parent, "bad.evf", b"\3\0\0")
    many = put(tmp_path, "day.evfs", sitting([Meta().data(), Meta(version=4).data()]))
    out = tmp_path / "out"
    assert run(["convert", "--json", "--to", "rmv", str(inside.parent), many, str(out)]) == 2
    names = ["day-1.rmv", "day-2.rmv", "game-2.rmv", "game.rmv"]
    assert sorted(path.name for path in out.iterdir()) == names
    printed = capsys.readouterr()
    assert "1 of 4 files were not converted" in printed.err
    assert f"demine convert: {inside.parent / 'bad.evf'}: " in printed.err
    told = json.loads(printed.out)
    assert [Path(each["to"]).name for each in told["written"]] == [
        "game.rmv", "game-2.rmv", "day-1.rmv", "day-2.rmv",
    ]  # fmt: skip
    assert told["written"][0]["format"] == "AVF"
    assert told["written"][0]["as"] == "rmv"
    assert told["written"][0]["lost"][0].startswith("these facts: ")
    assert [Path(each["from"]).name for each in told["failed"]] == ["bad.evf"]


def test_several_games_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = sitting([Meta().data(), Meta(version=4).data()])
    many = put(tmp_path, "day.evfs", data)
    assert run(["convert", many, str(tmp_path / "x.rmv")]) == 1
    assert "it holds 2 games: convert them into a folder" in capsys.readouterr().err
    assert run(["convert", many, str(tmp_path / "x.evfs")]) == 0
    assert (tmp_path / "x.evfs").read_bytes() == data


@pytest.mark.parametrize(
    ("args", "code", "reason"),
    [
        (["{file}"], 2, "name the output: IN... OUT"),
        ([], 2, "Missing argument 'IN... OUT'. For example: demine convert"),
        (["--lang", "zh_CN"], 2, "缺少参数 'IN... OUT'。例如：demine convert"),
        (["{file}", "x.umf"], 1, "UMF files cannot be written"),
        (["{file}", "x.txt"], 2, "for a journal, which holds everything; or choose one"),
        (["{file}", "x.rvm"], 2, "did you mean .rmv?"),
        (["1.6x4.5.zo.1-1.EBAN.YtyB", "x.rmv"], 2, "YtyB: the share code is damaged: its check "),
        (["none", "x.rmv"], 2, "none: there is no such file"),
        (["--json", "{file}", "-"], 2, "standard output cannot take both"),
        (["{file}", "{file}", "-"], 2, "standard output takes only one game"),
        (["{file}", "{file}", "{folder}"], 2, "choose a format for the folder: --to FORMAT"),
        (["{file}", "{folder}/none/x.rmv"], 2, "convert: {folder}/none/x.rmv: there is no folder "),
        (["{file}", "x.zzz"], 2, "'.zzz' is not the ending of a format: use .evf, .evfs, "),
        (
            ["{file}", "{folder}/game.v2"],
            2,
            "holds everything; or choose one with --to FORMAT",
        ),
        (["--to", "umf", "{file}", "x"], 2, "'umf' is not one of"),
    ],
)
def test_what_is_refused(
    args: list[str], code: int, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = put(tmp_path, "game.rmv", Vienna().data())
    words = [word.format(file=source, folder=tmp_path) for word in args]
    assert run(["convert", *words]) == code
    printed = capsys.readouterr()
    assert reason.replace("{folder}", str(tmp_path)) in printed.err
    assert printed.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["game.rmv"]


@pytest.mark.parametrize("name", ["x", "x.jsonl", "x.journal", "x.JSONL"])
def test_names_of_journals(name: str, tmp_path: Path) -> None:
    source = put(tmp_path, "game.avf", Arbiter().data())
    assert run(["convert", source, str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(b"{")
    assert run(["convert", source, str(tmp_path / "x.zzz"), "--to", "rmv"]) == 0
    assert registry.recognised_format((tmp_path / "x.zzz").read_bytes()) is not None


def test_its_only_source_is_not_replaced_by_less(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = Arbiter().data()
    source = put(tmp_path, "same.evf", data)
    (tmp_path / "link.evf").symlink_to(source)
    for target in (source, str(tmp_path / "link.evf"), str(tmp_path / "." / "same.evf")):
        for more in ([], ["--to", "journal"]):
            assert run(["convert", source, target, *more]) == 1
            assert "choose another name" in capsys.readouterr().err
    assert run(["convert", source, f"{tmp_path}/", "--to", "evf"]) == 1
    assert Path(source).read_bytes() == data
    whole = put(tmp_path, "own.rmv", Vienna().data())
    assert run(["convert", whole, whole]) == 0
    assert Path(whole).read_bytes() == Vienna().data()


def test_nothing_is_written_over_what_is_still_to_be_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "a.avf", Arbiter().data())
    waiting = put(tmp_path, "a.rmv", Vienna().data())
    assert run(["convert", str(tmp_path), f"{tmp_path}/", "--to", "rmv"]) == 1
    assert "a.rmv is also an input: choose another folder" in capsys.readouterr().err
    assert Path(waiting).read_bytes() == Vienna().data()


def test_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = put(tmp_path, "game.avf", Arbiter().data())
    assert run(["convert", "--lang", "zh", source, str(tmp_path / "x.rmv")]) == 0
    assert "does not hold" not in capsys.readouterr().err


def test_a_folder_that_is_named_as_one_is_made(tmp_path: Path) -> None:
    many = put(tmp_path, "day.evfs", sitting([Meta().data(), Meta(version=4).data()]))
    assert run(["convert", "--to", "rmv", many, f"{tmp_path / 'new'}/"]) == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["day-1.rmv", "day-2.rmv"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_names_that_are_no_text(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    source = os.fsdecode(bytes(tmp_path) + b"/\xff.avf")
    Path(source).write_bytes(Arbiter().data())
    assert run(["convert", "--json", source, str(tmp_path / "out.evf")]) == 0
    told = json.loads(capfdbinary.readouterr().out.decode("utf-8"))
    assert told["written"][0]["from"] == f"{tmp_path}/\\xff.avf"
