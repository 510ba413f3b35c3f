"""`demine make`: boards in every form, the same again from their seeds, and clean ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demine
from demine.cli.main import run
from demine.logic.layout import deal, keeps_first_click_promise, parse_layout
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.replay.formats import mbf
from demine.scene.translation import set_language
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.rating import rate
from demine.statistics.board_3bv import three_bv

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled here: another test's cache is not this one's."""
    monkeypatch.setattr("demine.kernels.kernel_set.numba_available", lambda: False)


def made(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> str:
    """What `make` prints."""
    assert run(["make", *args]) == code
    return capsys.readouterr().out


def facts(capsys: pytest.CaptureFixture[str], *args: str) -> list[Any]:
    """The lines of `make --format json`."""
    return [json.loads(line) for line in made(capsys, *args, "--format", "json").splitlines()]


def map_of(found: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The mine map of a line of JSON."""
    mine_map = np.zeros(Rules.parse(found["rules"]).shape, np.bool_)
    for row, col in found["mines"]:
        mine_map[row, col] = True
    return mine_map


# The boards


def test_text_is_read_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = made(capsys, "beginner", "--seed", "3")
    rules, mine_map = parse_layout(text)
    assert rules == BEGINNER
    assert np.array_equal(mine_map, deal(BEGINNER, 3))
    (tmp_path / "board").write_text(text)
    assert np.array_equal(demine.load(tmp_path / "board").board.mine_map, mine_map)


def test_seeds_count_up_so_that_each_board_can_be_made_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    together = made(capsys, "9x9/10", "--seed", "5", "-n", "3")
    apart = [made(capsys, "9x9/10", "--seed", str(seed)) for seed in (5, 6, 7)]
    assert together == "\n".join(apart)
    assert [found["seed"] for found in facts(capsys, "9x9/10", "--seed", "5", "-n", "3")] == [
        5,
        6,
        7,
    ]


def test_json_says_everything(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = facts(capsys, "expert", "--seed", "9", "--first", "0,29")
    assert list(found) == [
        "rules", "seed", "first", "mines", "guess_free", "method", "rating", "3bv",
    ]  # fmt: skip
    assert found["3bv"] == three_bv(map_of(found))
    assert np.array_equal(map_of(found), deal(EXPERT, 9, (0, 29)))
    assert keeps_first_click_promise(EXPERT, map_of(found), (0, 29))
    assert (found["first"], found["guess_free"], found["method"]) == ([0, 29], False, "dealt")
    assert found["rating"] is None
    assert json.loads(made(capsys, "expert", "--seed", "9", "--first", "0,29", "--json")) == found


@pytest.mark.parametrize(("span", "low", "high"), [("230..300", 230, 300), (" 120 ", 120, 120)])
def test_boards_of_a_3bv(
    capsys: pytest.CaptureFixture[str], span: str, low: int, high: int
) -> None:
    args = ["expert", "--3bv", span, "--seed", "4", "--first", "3,7"]
    found = facts(capsys, *args, "-n", "3")
    assert all(low <= three_bv(map_of(each)) == each["3bv"] <= high for each in found)
    assert len({str(each["mines"]) for each in found}) == 3
    assert {(each["seed"], each["method"]) for each in found} == {(4, "searched")}
    assert all(keeps_first_click_promise(EXPERT, map_of(each), (3, 7)) for each in found)
    # The same seed finds the same boards, however many are wanted.
    assert facts(capsys, *args) == found[:1]


def test_guess_free_boards_of_a_3bv(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["9x9/10", "--guess-free", "--seed", "1", "--3bv", "10..16", "-n", "2"]
    found = facts(capsys, *args)
    for each in found:
        assert 10 <= three_bv(map_of(each)) <= 16
        again = find_guess_free_layout(Rules.parse(each["rules"]), each["seed"], (4, 4)).mine_map
        assert np.array_equal(map_of(each), again)
    easy = facts(capsys, *args, "--max-rating", "satisfied")
    assert {each["rating"]["hardest"] for each in easy} == {"satisfied"}
    assert all(10 <= each["3bv"] <= 16 for each in easy)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("9x9/10", "--3bv", "72..80"), "no board of 9x9/10 has a 3BV of 72 or more"),
        (("9x9/10", "--3bv", "71"), r"none of \d,\d{3} boards has a 3BV from 71 to 71"),
        (
            ("9x9/10", "--guess-free", "--3bv", "60"),
            "none of the 20 guess-free boards from seed 1 onwards matches, with a 3BV from 60 to",
        ),
    ],
)
def test_a_3bv_that_is_not_found(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    args: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.setattr("demine.boards.MAX_DEALT_CELLS", 1)
    monkeypatch.setattr("demine.boards.MAX_REJECTED_BOARDS", 20)
    assert run(["make", *args, "--seed", "1"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert re.match(f"demine make: {sentence}", err)


def test_rules_that_need_quotes_are_shown_with_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["make", "9x9/10", "first=zero", "guess-free", "--seed", "1"]) == 2
    err = capsys.readouterr().err
    assert err.endswith('; write the rules in quotes: "9x9/10 first=zero guess-free"\n')
    assert run(["make", "9x9/10", "neither"]) == 2
    assert "quotes" not in capsys.readouterr().err


@pytest.mark.parametrize("span", ["20-30", "30..20", "..5", "-1", "9999999999"])
def test_what_is_no_span(capsys: pytest.CaptureFixture[str], span: str) -> None:
    assert run(["make", "9x9/10", f"--3bv={span}"]) == 2
    assert "write LOW..HIGH, as in 100..120" in capsys.readouterr().err


def test_without_a_seed_one_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["make", "9x9/10"]) == 0
    out, err = capsys.readouterr()
    told = re.fullmatch(r"demine make: seed (\d+)\n", err)
    assert told is not None
    assert made(capsys, "9x9/10", "--seed", told[1]) == out
    assert run(["make", "9x9/10"]) == 0
    assert capsys.readouterr().err != err


def test_a_board_file(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    args = ["make", "expert", "--seed", "4", "--format", "mbf"]
    assert run(args) == 0
    data = capfdbinary.readouterr().out
    assert np.array_equal(mbf.loads(data), deal(EXPERT, 4))
    assert run([*args, "-o", str(tmp_path / "board.mbf")]) == 0
    assert (tmp_path / "board.mbf").read_bytes() == data


def test_a_file_is_replaced_once_all_is_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "boards"
    file.write_text("before")
    assert made(capsys, "9x9/10", "--seed", "1", "-n", "2", "-o", str(file)) == ""
    assert file.read_text() == made(capsys, "9x9/10", "--seed", "1", "-n", "2", "-o", "-")
    assert [each.name for each in tmp_path.iterdir()] == ["boards"]


@pytest.mark.usefixtures("plain")
def test_guess_free_boards(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "beginner", "--seed", "1", "-n", "3", "--guess-free")
    rules = Rules.parse("beginner guess-free")
    for number, each in enumerate(found):
        assert (each["rules"], each["first"]) == ("9x9/10 guess-free", [4, 4])
        assert (each["seed"], each["guess_free"]) == (1 + number, True)
        assert each["method"] in {"rejection", "repair"}
        assert np.array_equal(
            map_of(each), find_guess_free_layout(rules, 1 + number, (4, 4)).mine_map
        )
    words = made(capsys, "beginner guess-free", "--seed", "1", "--first", "4,4")
    assert np.array_equal(parse_layout(words)[1], map_of(found[0]))


# What is refused

MISTAKES = {
    "no rules": [],
    "strange rules": ["zzz"],
    "options without quotes": ["expert", "guess-free"],
    "no number": ["expert", "-n", "x"],
    "none": ["expert", "-n", "0"],
    "a seed below": ["expert", "--seed", "-1"],
    "a seed beyond": ["expert", "--seed", str(2**128)],
    "seeds beyond": ["expert", "--seed", str(2**128 - 2), "-n", "3"],
    "no cell": ["expert", "--first", "5"],
    "a strange cell": ["expert", "--first", "x,y"],
    "a long cell": ["expert", "--first", "1,2,99999999999"],
    "a cell outside": ["expert", "--first", "16,0"],
    "a cell before": ["expert", "--first=-1,0"],
    "a strange format": ["expert", "--format", "xml"],
    "two in a board file": ["expert", "--format", "mbf", "-n", "2", "--seed", "1"],
    "a wide board file": ["256x3/5", "--format", "mbf", "--seed", "1"],
    "a high board file": ["3x256/5", "--format", "mbf", "--seed", "1"],
    "a strange rating": ["expert", "--min-rating", "zzz"],
    "ratings the wrong way": ["expert", "--min-rating", "cases", "--max-rating", "inside"],
    "guess-free without promise": ["9x9/10 first=any", "--guess-free", "--seed", "1"],
    "a folder": ["expert", "-o", "/", "--seed", "1"],
    "no folder": ["expert", "-o", "/no/such/folder/file", "--seed", "1"],
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_answered_in_one_line_before_anything_is_written(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["make", *MISTAKES[name]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"demine make: [^\n]{10,400}\n", err)


def test_a_mistake_leaves_the_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "board"
    file.write_text("before")
    for args in (["256x3/5", "--format", "mbf"], ["9x9/10", "--first", "9,9"]):
        assert run(["make", *args, "-o", str(file)]) == 2
    assert file.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["board"]


def test_no_such_board_is_answered_by_no(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "board"
    assert run(["make", "300x300/9", "--guess-free", "--seed", "1", "-o", str(file)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("demine make: a guess-free board has 65536 cells at most")
    assert not file.exists()


# How it ends


def start(*args: str, **changes: str) -> subprocess.Popen[bytes]:
    """Start the command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "demine", *args],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **changes},
        bufsize=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_leaves_whole_boards() -> None:
    with start("make", "9x9/10", "-n", "100000000", "--seed", "1") as running:
        assert running.stdout is not None
        head = running.stdout.read(1000)  # some of it: nothing is kept back
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    boards = (head + out).decode().split("\n\n")
    assert running.returncode == 130
    assert err.decode() == f"demine make: {len(boards)} of 100000000 boards written\n"
    for number in (0, len(boards) - 1):
        mine_map = parse_layout(boards[number])[1]
        assert np.array_equal(mine_map, deal(BEGINNER, 1 + number))


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_keeps_the_boards_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "boards"
    args = ["make", "9x9/10", "-n", "100000000", "--seed", "1", "-o", str(file)]
    with start(*args) as running:
        while not any(each.stat().st_size > 5000 for each in tmp_path.glob(".boards.*")):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    count = int(re.findall(rb"make: (\d+) of", err)[0])
    assert [each.name for each in tmp_path.iterdir()] == ["boards"]
    boards = file.read_text().split("\n\n")
    assert len(boards) == count
    parse_layout(boards[-1])


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
@pytest.mark.parametrize(
    ("end", "code", "err"),
    [("| head -c 5", 0, ""), ("> /dev/full", 2, "demine make: the disk is full\n")],
)
def test_an_output_that_ends_early(end: str, code: int, err: str) -> None:
    if "full" in end and not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    command = f"'{sys.executable}' -m demine make expert --seed 1 -n 2000 {end}; "
    done = subprocess.run(
        ["bash", "-c", command + "exit ${PIPESTATUS[0]}"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, err)


def test_in_chinese(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    for args in ([], ["expert", "--first", "q"], ["expert", "--format", "mbf", "-n", "2"]):
        assert run(["make", *args]) == 2
        assert re.search("[一-鿿]", capsys.readouterr().err)


# Ratings


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("least", "most"),
    [("satisfied", "satisfied"), ("inside", "inside"), ("chain", None), (None, "inside")],
)
def test_boards_of_a_wanted_rating(
    least: str | None, most: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    bounds = ["--min-rating", least] if least else []
    bounds += ["--max-rating", most] if most else []
    found = facts(capsys, "9x9/14", "--seed", "1", "-n", "2", "--first", "4,4", *bounds)
    low, high = Pattern(least or "satisfied").level, Pattern(most or "cases").level
    for each in found:
        rating = rate(map_of(each), (4, 4))
        assert each["rating"]["hardest"] == rating.hardest.value
        assert each["rating"]["times"] == {key.value: n for key, n in rating.times.items()}
        assert low <= rating.hardest.level <= high
    # Those that were passed over are not of the wanted rating.
    rules = Rules.parse("9x9/14 guess-free")
    first, second = (each["seed"] for each in found)
    for seed in {*range(1, second)} - {first}:
        level = rate(find_guess_free_layout(rules, seed, (4, 4)).mine_map, (4, 4)).hardest.level
        assert not low <= level <= high


@pytest.mark.usefixtures("plain")
def test_a_search_in_vain_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One mine is found by one number or by the mine count, never by trying cases."""
    monkeypatch.setattr("demine.boards.MAX_REJECTED_BOARDS", 30)
    assert run(["make", "4x4/1", "--min-rating", "cases", "--seed", "7"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "demine make: none of the 30 boards from seed 7 onwards is rated from cases to cases\n"
    )


@pytest.mark.usefixtures("plain")
def test_a_search_that_fails_later_keeps_what_it_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("demine.boards.MAX_REJECTED_BOARDS", 2)
    file = tmp_path / "boards"
    args = ["9x9/10", "--max-rating", "inside", "--seed", "1", "-n", "1000"]
    assert run(["make", *args, "--json", "-o", str(file)]) == 1
    lines = file.read_text().splitlines()
    assert len(lines) > 0
    assert [json.loads(line)["rating"] for line in lines]
    *_, last = capsys.readouterr().err.splitlines()
    assert last == f"demine make: {len(lines)} of 1000 boards written"


# Searches that take long


def test_a_limit_ends_the_search_and_changes_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["60x2/9", "--guess-free", "--seed", "1", "--limit"]
    assert run(["make", *args, "3000"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(
        r"demine make: no guess-free board of 60x2/9 was found from row 2, column 31, "
        r"in \d+ tries and \d+ steps \(--first 1,30\)\n",
        err,
    )
    beginner = ["beginner", "--guess-free", "--seed", "1", "-n", "3"]
    assert facts(capsys, *beginner, "--limit", "400000") == facts(capsys, *beginner)
    assert run(["make", "9x9/10", "--limit", "5"]) == 2
    assert "add --guess-free" in capsys.readouterr().err


def test_what_is_proven_not_to_exist_is_refused_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["make", "5x5/22", "--guess-free", "--seed", "1"]) == 1
    assert capsys.readouterr().err == (
        "demine make: no board of 5x5/22 is guess-free from row 3, column 3: "
        "nothing follows from the number there (--first 2,2)\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="a terminal of Unix")
def test_a_search_tells_how_far_it_is_and_goes_on_until_ctrl_c() -> None:
    import pty

    screen, end = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, "-m", "demine", "make", "200x2/9", "--guess-free", "--seed", "1"],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.PIPE,
            stderr=end,
        ) as running:
            told = b""
            while len(set(re.findall(rb"0 of 1 boards .*?\(\+([\d,]+)\)", told))) < 3:
                told += os.read(screen, 1000)
            running.send_signal(signal.SIGINT)
            out, _ = running.communicate(timeout=60)
    finally:
        os.close(screen)
        os.close(end)
    assert (running.returncode, out) == (130, b"")
