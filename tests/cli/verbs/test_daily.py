"""`demine daily` and `demine play --daily`: what they print, and what they refuse."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from demine.cli.main import run
from demine.logic.daily_board import Daily
from demine.logic.event import Verb
from demine.play.game_session import GameSession
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store
from demine.store.daily import today_utc


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_DATA_DIR", str(tmp_path))


def win(board: Daily) -> None:
    """Win a daily board in the player's store."""
    with Store.open() as store:
        session = GameSession.begin(store, StartOptions(daily=board), Preferences())
        session.play(Verb.OPEN, *board.start)
        for row, col in zip(*(~session.game.board.mine_map).nonzero(), strict=True):
            session.play(Verb.OPEN, int(row), int(col))


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> date:
    """One day for all of a test, though midnight may come."""
    now = today_utc()
    for where in ("store.daily", "play.game_session", "cli.actions.daily"):
        monkeypatch.setattr(f"demine.{where}.today_utc", lambda: now)
    return now


def test_the_table_and_the_months(day: date, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["daily"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{day.isoformat()} UTC · next boards in ")
    assert [line.split()[0] for line in said.splitlines()[2:6]] == [
        "Level", "Beginner", "Intermediate", "Expert",
    ]  # fmt: skip
    win(Daily(day, "beginner"))
    assert run(["daily", "beginner"]) == 0
    said = capsys.readouterr().out
    assert "Beginner  won" in said
    assert "Expert" not in said


def test_the_line_to_share(day: date, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["daily", "--share"]) == 1
    assert capsys.readouterr().err == "demine daily: there is no daily result yet\n"
    win(Daily(day, "beginner"))
    assert run(["daily", "--share"]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"demine {day.isoformat()} beginner  won ")
    assert "  streak 1  " in line
    assert run(["daily", "expert", "--share"]) == 1
    yesterday = (day - timedelta(days=1)).isoformat()
    assert run(["daily", "--share", "--date", yesterday]) == 1


def test_json_names_the_board(day: date, capsys: pytest.CaptureFixture[str]) -> None:
    win(Daily(day, "intermediate"))
    assert run(["daily", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == ["beginner", "intermediate", "expert"]
    board = Daily(day, "intermediate")
    found = said["intermediate"]
    assert (found["date"], found["seed"], tuple(found["start"])) == (
        day.isoformat(), board.seed, board.start,
    )  # fmt: skip
    assert (found["result"], found["streak"], found["won"]) == ("won", 1, 1)
    assert found["days"][day.isoformat()]["result"] == "won"
    assert said["expert"]["result"] is None


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["daily", "hard"], "is not one of 'beginner', 'intermediate', 'expert'\n"),
        (["daily", "--date", "yesterday"], "'yesterday' is not a date; write it like 2026-11-21"),
        (["daily", "--date", "2999-01-01"], "the daily board of 2999-01-01 appears at 0:00 UTC"),
        (["daily", "--share", "--json"], "--share and --json do not go together"),
        (["play", "--daily", "9x9/10"], "there is no daily board '9x9/10'"),
        (["play", "--daily", "--seed", "3"], "a daily board has its own rules"),
        (["play", "--daily", "--date", "2999-01-01"], "appears at 0:00 UTC on that day"),
        (["play", "--date", "2026-11-01"], "--date goes with --daily"),
    ],
)
def test_what_is_refused(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 2
    assert said in capsys.readouterr().err
