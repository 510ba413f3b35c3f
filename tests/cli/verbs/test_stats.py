"""`demine stats`: the same values in every form, in the files' order, bad files or not."""

from __future__ import annotations

import csv
import io
import json
import math
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import demine
from demine.cli.file_statistics import (
    ALL_COLUMNS,
    DEFAULT_COLUMNS,
    RESULT,
    UncountedFile,
    checked_columns,
    expand_folders,
)
from demine.cli.main import run
from demine.cli.parallel_statistics import FILES_PER_PROCESS, process_count, rows_of_files
from demine.cli.row_writers import TableWriter, aligned_table
from demine.game import Game
from demine.logic.event import Act, Lay, Verb
from demine.logic.layout import deal, format_layout, parse_layout
from demine.logic.rules import BEGINNER, First, Rules
from demine.replay.load_save import read_replay, save
from demine.replay.model import FACTS
from demine.reviews.review import review
from demine.scene.translation import set_language
from demine.statistics.definitions import TABLE
from tests.replay import builders

ROOT = Path(__file__).parents[3]
BOARD = format_layout(BEGINNER, deal(BEGINNER, 3))


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


def honest() -> dict[str, bytes]:
    """Files whose claims are what their events come to, so that nothing is said of these."""
    stamp = builders.Arbiter().stamp.replace(b"B9T3.51", b"B7T3.24")
    true = builders.Meta(summary=0x20, bv=7, ms=2240)
    return {
        "avf": builders.Arbiter(stamp=stamp, real_time=b"RealTime: 2.24\r").data(),
        "evf3": true.data(),
        "evf4": true._replace(version=4).data(),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Replays of some formats, a board, two that are broken, and what is none of these."""
    made = honest()
    (tmp_path / "b.avf").write_bytes(made["avf"])
    (tmp_path / "a.EVF").write_bytes(made["evf4"])
    (tmp_path / "notes.txt").write_text("nothing")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "cut.avf").write_bytes(made["evf4"][:60])
    (inner / "day.evfs").write_bytes(builders.sitting([made["evf4"], made["evf3"]]))
    (inner / "empty.evf").write_bytes(b"")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> str:
    """What `stats` prints."""
    assert run(["stats", *map(str, args)]) == code
    return capsys.readouterr().out


def rows(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> list[dict[str, Any]]:
    """The lines of `stats --json`."""
    return [json.loads(line) for line in told(capsys, *args, "--json", code=code).splitlines()]


# What is counted


def test_a_folder_in_the_order_of_names(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(["stats", str(folder), "--json"]) == 2
    out, err = capsys.readouterr()
    found = [json.loads(line) for line in out.splitlines()]
    day = str(folder / "inner" / "day.evfs")
    assert [row["file"] for row in found] == [
        str(folder / "a.EVF"), str(folder / "b.avf"), f"{day}#1", f"{day}#2",
    ]  # fmt: skip
    assert found[0].keys() == {"file", *DEFAULT_COLUMNS}
    lines = err.splitlines()
    assert lines[2] == "demine stats: 2 of 5 files could not be counted"
    assert [line.split(": ")[1] for line in lines[:2]] == [
        str(folder / "inner" / "cut.avf"), str(folder / "inner" / "empty.evf"),
    ]  # fmt: skip
    assert "EVF, byte " in lines[0]
    assert lines[1].endswith(": it is empty")


def test_the_values_are_those_of_the_library(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (found,) = rows(capsys, folder / "b.avf", "--all")
    statistics = demine.stats(read_replay((folder / "b.avf").read_bytes()).recording)
    slow = {name: statistics[name] for name, row in TABLE.items() if row.slow}
    assert found == {
        "file": str(folder / "b.avf"), "result": found["result"], **statistics, **slow
    }  # fmt: skip
    assert list(found) == ["file", *ALL_COLUMNS]
    assert found["result"] == "unfinished"


def test_facts_and_slow_figures_are_columns_too(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (found,) = rows(capsys, folder / "a.EVF", "--columns", "rzini, level,bv,country,bv")
    facts = read_replay((folder / "a.EVF").read_bytes()).facts
    assert list(found) == ["file", "rzini", "level", "bv", "country"]
    assert (found["level"], found["country"]) == (facts["level"], facts["country"])
    assert 0 < found["rzini"] <= found["bv"] * 2


def test_a_board_has_the_figures_of_boards_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "board").write_text(BOARD)
    (found,) = rows(capsys, tmp_path / "board", "--all")
    for name, row in TABLE.items():
        if row.about == "board":
            assert found[name] == demine.stats(parse_layout(BOARD)[1])[name]
        else:
            assert found[name] is None
    assert found[RESULT] is None
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BOARD.encode())))
    (same,) = rows(capsys, "-", "--all")
    assert same == found | {"file": "-"}
    shares = demine.Game("9x9/10", seed=7)
    shares.open(4, 4)
    code = shares.share()
    (shared,) = rows(capsys, code)
    assert (shared["file"], shared["bv"], shared[RESULT]) == (
        code,
        demine.stats(shares.board.mine_map).bv,
        None,
    )


def test_what_was_only_begun_has_a_result_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = demine.Game(BEGINNER, 7)
    game.play(demine.Act(0, Verb.OPEN, 4, 4))
    demine.save(game, tmp_path / "game.jsonl")
    (found,) = rows(capsys, tmp_path)
    assert found["result"] == "unfinished"
    demine.save(demine.Game(BEGINNER, 7), tmp_path / "game.jsonl")
    assert run(["stats", str(tmp_path)]) == 2
    assert "a game without mines cannot be a recording" in capsys.readouterr().err


def test_there_may_be_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["stats", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "demine stats: no replay, journal or board found\n"
    assert run(["stats", str(tmp_path / "none"), "a\0b"]) == 2
    err = capsys.readouterr().err
    assert "none: there is no such file or folder\n" in err
    assert "a\\x00b: " in err


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="permissions of Unix")
def test_a_folder_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "inner").chmod(0)
    try:
        found = list(expand_folders([str(folder)]))
    finally:
        (folder / "inner").chmod(0o700)
    if os.geteuid():
        assert isinstance(found[2], UncountedFile)
        assert found[2].reason == "access is denied"
    else:
        assert len(found) == 5


# In which form


def test_csv_holds_what_json_holds(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "inner" / "board.jsonl").write_text(BOARD)
    expected = rows(capsys, folder, "--all", code=2)
    lines = list(csv.reader(io.StringIO(told(capsys, folder, "--all", "--csv", code=2))))
    assert lines[0] == ["file", *ALL_COLUMNS]
    texts = [["" if v is None else str(v) for v in row.values()] for row in expected]
    assert lines[1:] == texts


def test_parquet_holds_what_json_holds(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (folder / "inner" / "board.jsonl").write_text(BOARD)
    expected = rows(capsys, folder, "--all", code=2)
    target = folder / "out.parquet"
    assert run(["stats", str(folder), "--all", "--parquet", str(target)]) == 2
    assert "5 rows written" in capsys.readouterr().err
    table = parquet.read_table(target)
    assert table.to_pylist() == expected
    assert {str(table.schema.field(name).type) for name in ("bv", "flags", "cells8")} == {"int64"}
    assert str(table.schema.field("rv").type) == "double"
    assert str(table.schema.field("result").type) == "string"


def test_the_table_shows_what_json_holds(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    text = told(capsys, folder, "--columns", "result,player,bv,time,path,rv", code=2)
    heads, *lines = [re.split(r"  +", line.strip()) for line in text.splitlines()]
    assert heads == ["file", "result", "player", "bv", "time", "path", "rv"]
    (found,) = rows(capsys, folder / "b.avf", "--columns", "player,bv,time,path")
    assert lines[1] == [
        str(folder / "b.avf"), "unfinished", found["player"], str(found["bv"]),
        f"{found['time']:.3f}", f"{found['path']:.1f}", "–",
    ]  # fmt: skip
    assert len({text.index(" bv ") for text in [text.splitlines()[0]]}) == 1


def test_one_row_is_a_list(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    lines = told(capsys, folder / "b.avf").splitlines()
    assert [line.split()[0] for line in lines] == ["file", *DEFAULT_COLUMNS]


def test_columns_are_straight_in_chinese_too() -> None:
    text = aligned_table([["file", "player", "bv"], ["a", "小雷", "7"], ["long", "al", "123"]])
    assert text.splitlines() == ["file  player   bv", "a     小雷      7", "long  al      123"]


def test_nothing_in_a_file_moves_the_cursor(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "\x1b[31mred\n.jsonl").write_text(BOARD)
    text = told(capsys, tmp_path, "--columns", "bv")
    assert "\\x1b[31mred\\n.jsonl" in text
    assert "\x1b" not in text


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_names_that_are_no_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Path(os.fsdecode(bytes(tmp_path) + b"/\xff.jsonl")).write_text(BOARD)
    (found,) = rows(capsys, tmp_path)
    assert found["file"] == f"{tmp_path}/\\xff.jsonl"
    assert "\\xff" in told(capsys, tmp_path)
    assert "\\xff" in told(capsys, tmp_path, "--csv")


# Sorted and chosen


def test_sorting(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for seed in range(5):
        board = format_layout(BEGINNER, deal(BEGINNER, seed))
        (folder / f"{seed}.jsonl").write_text(board)
    up = [row["bv"] for row in rows(capsys, folder, "--sort", "bv", code=2)]
    down = [row["bv"] for row in rows(capsys, folder, "--sort", "-bv", code=2)]
    assert len(up) == 9
    assert up == sorted(up)
    assert down == up[::-1]
    assert len(set(up)) > 3
    # Not shown, and boards have none: they come last both ways, in the order of their names.
    for name in ("time", "-time", "result"):
        found = rows(capsys, folder, "--sort", name, "--columns", "bv", code=2)
        assert found[0].keys() == {"file", "bv"}
        assert [Path(row["file"]).name for row in found[4:]] == [f"{n}.jsonl" for n in range(5)]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (
            ("x", "--columns", "bvv"),
            "there is no column 'bvv': `demine stats --list-columns` lists them; did you mean bv?",
        ),
        (("x", "--columns", ""), "--columns names no column: `demine stats --list-columns` lists"),
        (("x", "--columns", " ,"), "--columns names no column"),
        (("x", "--sort", "-@"), "there is no column '@': `demine stats --list-columns` lists them"),
        (("x", "--all", "--columns", "bv"), "--columns and --all do not go together"),
        (("x", "--parquet", "x.csv"), "x.csv: games are written as Parquet, so name it *.parquet"),
        (("x", "--json", "--csv"), "--json, --csv and --parquet do not go together"),
        (("-", "-"), "standard input can be read only once"),
        ((), "name a file or a folder: demine stats FILE"),
    ],
)
def test_what_cannot_be(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], sentence: str
) -> None:
    assert run(["stats", *args]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"demine stats: {sentence}")
    assert err.count("\n") == 1


def test_parquet_needs_its_library(tmp_path: Path) -> None:
    code = (
        "import importlib.util, sys\n"
        "from demine.cli.main import run\n"
        "found = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda n, *a: None if n == 'pyarrow' else found(n, *a)\n"
        "sys.exit(run(['stats', 'x', '--parquet', 'y']))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False
    )
    assert ended.returncode == 2
    assert 'pip install "demine[study]"' in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_every_column_has_one_name() -> None:
    assert not TABLE.keys() & FACTS.keys()
    assert checked_columns(["bv", RESULT, "player"]) == ("bv", RESULT, "player")


def test_whole_numbers_are_told_beforehand(folder: Path) -> None:
    recording = read_replay((folder / "b.avf").read_bytes()).recording
    for name, value in demine.stats(recording).items():
        if value is None:
            assert not TABLE[name].whole, name
        else:
            assert isinstance(value, int) == TABLE[name].whole, name
            assert math.isfinite(value)


# Many at once


def test_pluck_is_a_column_and_that_of_the_review(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    rules, mines = parse_layout("5x1/1\n..*..")
    rules = Rules(rules.width, rules.height, rules.mines, first=First.ANY)
    plucks = {}
    for name, cells in {"won": (1, 0, 4), "lost": (0, 2), "only": (0,)}.items():
        game = Game(rules, 0, origin="share")
        game.lay(Lay(0, mines))
        for at, col in enumerate(cells):
            act = Act(1000 * at, Verb.OPEN, 0, col)
            if game.can(act):
                game.play(act)
        save(game, folder / f"{name}.jsonl")
        plucks[name] = review(game).luck.pluck
    (folder / "board.txt").write_text(BOARD)
    names = [str(folder / f"{name}.jsonl") for name in plucks] + [str(folder / "board.txt")]
    found = [row["pluck"] for row in rows(capsys, *names, "--columns", "result,pluck")]
    assert found == [plucks["won"], None, 0.0, None]
    assert plucks["won"] == pytest.approx(math.log10(2))
    assert math.isinf(plucks["lost"])
    assert told(capsys, *names, "--columns", "pluck", "--csv").splitlines()[2].endswith(",")
    ordered = rows(capsys, *names, "--columns", "pluck", "--sort=-pluck")
    assert [row["pluck"] for row in ordered] == [plucks["won"], 0.0, None, None]
    target = folder / "plucks.parquet"
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run(["stats", *names, "--columns", "pluck", "--parquet", str(target)]) == 0
    assert parquet.read_table(target)["pluck"].to_pylist() == found


def test_pluck_takes_long_and_is_shown_by_name_only() -> None:
    assert "pluck" not in {*DEFAULT_COLUMNS, *ALL_COLUMNS}
    assert checked_columns(["pluck"]) == ("pluck",)


def test_the_crew() -> None:
    assert process_count(FILES_PER_PROCESS - 1) == 1
    assert process_count(10, 4) == 4
    assert process_count(3, 8) == 3
    assert 1 <= process_count(10**6) <= (os.cpu_count() or 1)


def test_the_order_is_the_same_with_any_number_of_processes(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = honest()
    for number in range(70):
        name = ("avf", "evf4", "evf3")[number % 3]
        (folder / f"{number:02}.evf").write_bytes(made[name][: 50 if number % 10 == 7 else None])
    printed = []
    for jobs in (1, 3):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BOARD.encode())))
        args = ["stats", str(folder / "20.evf"), "-", str(folder), "--csv", "-j", str(jobs)]
        assert run([*args, "--lang", "zh_CN"]) == 2
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    assert len(printed[0].out.splitlines()) == 1 + 2 + 63 + 4
    assert printed[0].err.count("\n") == 1 + 9


def environment() -> dict[str, str]:
    """The environment of a command in a process of its own."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8", "LANGUAGE": "en"}


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_done(folder: Path, jobs: int) -> None:
    # Whoever opens the pipe waits for its other end.
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    file = str(folder / "b.avf")
    files = [*[file] * 20, str(pipe), file]
    with subprocess.Popen(
        [sys.executable, "-m", "demine", "stats", *files, "--csv", "-j", str(jobs)],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        lines = [running.stdout.readline() for _ in range(17)]
        if jobs == 1:
            # The file under way is counted to its end.
            with pipe.open("wb"):
                running.send_signal(signal.SIGINT)
        else:
            running.send_signal(signal.SIGINT)
        # `communicate` would pass over what `readline` has read ahead.
        lines += running.stdout.readlines()
        assert running.stderr is not None
        err = running.stderr.read()
    assert running.returncode == 130
    assert {line.split(",")[0] for line in lines[1:]} == {file}
    assert len(lines) == 1 + (20 if jobs == 1 else 16)
    done = 21 if jobs == 1 else 16
    assert err.endswith(f"demine stats: stopped after {done} of 22 files\n")


@pytest.mark.skipif(os.name == "nt", reason="named pipes of Unix")
def test_a_process_that_is_killed_takes_only_its_file_down(folder: Path) -> None:
    pipes = [str(folder / name) for name in ("one", "two")]
    for pipe in pipes:
        os.mkfifo(pipe)
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.05):
            for child in multiprocessing.active_children():
                child.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = [row for each in rows_of_files(pipes, ("bv",), 2, lambda: False) for row in each]
    finally:
        over.set()
        killer.join()
    assert found == [UncountedFile(pipe, "the process counting it was killed") for pipe in pipes]


def test_the_table_keeps_rows_until_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    table = TableWriter(("bv",))
    table.close()
    assert not capsys.readouterr().out
