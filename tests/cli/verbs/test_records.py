"""`demine records`: what was played, as text and JSON, out of one player's hands into another's."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from demine.cli.main import run
from demine.logic import fast_replay
from demine.logic.game import Origin
from demine.logic.rules import BEGINNER, Rules
from demine.replay.read_write_folder import LIST_FILE
from demine.scene.board_title import board_title
from demine.scene.translation import set_language
from demine.store import Store
from demine.store.drills import DrillKey, DrillReview
from demine.terminal.text_width import width
from tests.store.playing import hit, keep_win, opened

SMALL = Rules(6, 5, 4)
IMPORTED = {
    "en": ["0 games added", "1 drill added", "1 answer to drills added"],
    "zh_CN": ["已加入 0 局", "已加入 1 道练习", "已加入 1 次练习作答"],
}


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


@pytest.fixture
def history(data_dir: Path) -> Path:
    """Two wins and a loss."""
    with Store.open() as store:
        keep_win(store, 2_500)
        keep_win(store, 1_234)
        lost = store.begin(opened(SMALL))
        hit(lost.game, 900)
        lost.record()
    return data_dir


def test_records_are_shown_where_nothing_can_be_written(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = history / "demine.db.lock"
    lock.unlink()
    lock.mkdir()
    assert run(["records", "--json"]) == 0
    said = capsys.readouterr()
    assert [game["time_ms"] for game in json.loads(said.out)["games"]][1:] == [1234, 2500]
    assert "Nothing can be saved" in said.err
    assert run(["records", "--export", str(history / "out.jsonl")]) == 0
    assert run(["records", "--import", str(history / "out.jsonl")]) == 2
    assert "cannot be saved" in capsys.readouterr().err
    assert sorted(each.name for each in history.iterdir()) == [
        "demine.db", "demine.db.lock", "out.jsonl",
    ]  # fmt: skip


def test_nothing_played_yet(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["records"]) == 0
    assert capsys.readouterr().out == "No finished games yet: play one with `demine`.\n"
    assert run(["records", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"records": [], "games": []}


def test_as_text(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["records"]) == 0
    text = capsys.readouterr().out
    heads, best, empty, games, *rows = text.splitlines()
    assert heads.split()[:2] == ["Rules", "Best"]
    assert best.startswith(board_title(SMALL))
    assert best.removeprefix(board_title(SMALL)).split()[0] == "1.234"
    assert empty == ""
    assert games.split() == ["Ended", "Rules", "Result", "Time", "Note"]
    assert [row.split()[-1] for row in rows] == ["0.900", "1.234", "2.500"]
    assert run(["records", "--last", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert run(["records", "--last", "0"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert run(["records", str(BEGINNER)]) == 0
    assert "1.234" not in capsys.readouterr().out


def test_rules_without_a_game_name_those_that_have_some(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    variant = "30x16/99 first=safe flags=hold"
    with Store.open() as store:
        hit_game = store.begin(opened(Rules.parse(variant)))
        hit(hit_game.game, 900)
        hit_game.record()
    assert run(["records", "expert"]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first == "No finished games with the rules 30x16/99. There are games with:"
    # The same size before what was played most.
    assert others == [
        f'  demine records "{variant}"  (1 game)',
        f"  demine records {SMALL}  (3 games)",
    ]
    assert run(["records", variant]) == 0
    assert board_title(variant) in capsys.readouterr().out
    assert run(["records", "beginner"]) == 0
    assert "(3 games)" in capsys.readouterr().out.splitlines()[1]
    assert run(["records", "expert", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"records": [], "games": []}


def test_games_that_do_not_count_are_no_records(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store.open() as store:
        live = store.begin(opened(SMALL, origin=Origin.SHARE))
        hit(live.game, 900)
        live.record()
    assert run(["records", "--last", "0"]) == 0
    assert capsys.readouterr().out == "No ranked games yet.\n"
    assert run(["records", "--last", "0", str(SMALL)]) == 0
    said = f"No ranked games with the rules {SMALL} yet.\n"
    assert capsys.readouterr().out == said
    assert run(["records"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("Ended")


def test_in_chinese_the_columns_stand_straight(
    history: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert run(["records"]) == 0
    heads, best, *_ = capsys.readouterr().out.splitlines()
    # A Chinese character takes two places on a terminal.
    assert width(heads[: heads.index("最佳")]) == width(best[: best.index("1.234")])


def test_as_json(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["records", "--json", str(SMALL)]) == 0
    found = json.loads(capsys.readouterr().out)
    (record,) = found["records"]
    assert (record["best_ms"], record["won"], record["games"]) == (1_234, 2, 3)
    assert record["win_rate"] == pytest.approx(2 / 3)
    assert [game["status"] for game in found["games"]] == ["lost", "won", "won"]


def test_out_and_in_again(
    history: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "all.jsonl"
    assert run(["records", "--export", str(file)]) == 0
    assert capsys.readouterr().err == "3 games written\n"
    assert run(["records", "--json"]) == 0
    before = capsys.readouterr().out
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path / "another"))
    for count in (3, 0):
        assert run(["records", "--import", str(file)]) == 0
        assert capsys.readouterr().err == f"{count} games added\n"
    assert run(["records", "--json"]) == 0
    assert capsys.readouterr().out == before


def test_through_a_pipe(
    history: Path,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run(["records", "--export", "-"]) == 0
    exported = capfdbinary.readouterr().out
    assert exported.count(b"\n") >= 4
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path / "another"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(exported), "ascii"))
    assert run(["records", "--import", "-"]) == 0
    assert capfdbinary.readouterr().err == b"3 games added\n"


def test_a_damaged_export_changes_nothing(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "all.jsonl"
    assert run(["records", "--export", str(file)]) == 0
    cut = file.read_text().splitlines()[:-1]
    file.write_text("\n".join(cut) + "\n")
    capsys.readouterr()
    assert run(["records", "--import", str(file)]) == 2
    assert "Nothing was imported" in capsys.readouterr().err


def test_damaged_records_are_told_beside_the_answer(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data_dir.mkdir()
    (data_dir / "demine.db").write_bytes(b"nonsense" * 999)
    assert run(["records", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"records": [], "games": []}
    assert err.startswith("demine records: ")
    assert err.count("\n") == 1


def test_a_folder_goes_out_and_comes_in(
    history: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = tmp_path / "games"
    assert run(["records", "--export-folder", str(target)]) == 0
    assert capsys.readouterr().err == "3 games written\n"
    assert run(["records", str(BEGINNER), "--export-folder", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().err == "0 games written\n"
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path / "other"))
    (target / "noise").write_text("no game")
    assert run(["records", "--import-folder", str(target)]) == 2
    added, *left = capsys.readouterr().err.splitlines()
    assert added == "3 games added"
    assert len(left) == 1
    assert "noise" in left[0]
    (target / "noise").unlink()
    assert run(["records", "--import-folder", str(target)]) == 0
    assert capsys.readouterr().err == "0 games added\n3 were already here\n"
    with Store.open() as store:
        assert store.record_of(SMALL).best_ms == 1_234


def test_an_import_says_how_many_drills_and_answers_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.jsonl"
    with Store.memory() as store, target.open("w") as stream:
        key = DrillKey("9x9/10 #7", 3, 8, 8, "speed", "1-1")
        store.add_drill_reviews([DrillReview(key, "2026-11-27T10:00:00.000000Z", True, 900)])
        store.export(stream)
    for lang in ("en", "zh_CN"):
        monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path / lang))
        assert run(["records", "--import", str(target), "--lang", lang]) == 0
        assert capsys.readouterr().err.splitlines() == IMPORTED[lang]


def test_games_of_ones_own_may_be_long(
    history: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = tmp_path / "games"
    assert run(["records", "--export-folder", str(target)]) == 0
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path / "other"))
    monkeypatch.setattr(fast_replay, "MOST_WORK", 1)
    assert run(["records", "--import-folder", str(target)]) == 0
    assert capsys.readouterr().err.endswith("3 games added\n")
    (target / LIST_FILE).unlink()
    # Those that nobody vouches for are not; and who reads that at a prompt learns what would.
    assert run(["records", "--import-folder", str(target)]) == 2
    assert "in Python, demine.load(path, trusted=True) reads" in capsys.readouterr().err


def test_a_folder_in_another_format_tells_what_it_cannot_hold(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["records", "--export-folder", str(tmp_path), "--to", "RawVF"]) == 0
    assert {path.suffix for path in tmp_path.iterdir() if path.is_file()} >= {".rawvf"}
    assert capsys.readouterr().err.startswith("3 games written\n")


def test_a_file_in_the_place_of_the_folder_is_no_folder(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pic.png"
    file.touch()
    for option in ("--export-folder", "--import-folder"):
        assert run(["records", option, str(file)]) == 2
        assert capsys.readouterr().err == f"demine records: {file}: it is not a folder\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--export-folder", "a", "--import-folder", "b"],
        ["--export", "a", "--export-folder", "b"],
        ["--to", "evf"],
        ["--import-folder", "nowhere"],
    ],
)
def test_folders_asked_for_wrongly(options: list[str], data_dir: Path) -> None:
    assert run(["records", *options]) == 2
