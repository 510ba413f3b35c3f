"""`demine admin suspicion` on a database, on files, and where there is nothing to compare."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import demine
from demine.logic.event import Act
from demine.store.game_rows import new_id
from demine.store.utc_text import utc_now_text
from demine.web import players
from demine.web.database.administration import Administration
from demine.web.database.database import Database
from demine.web.database.games import insert_game, summary_of_end
from demine.web.database.schema import GAMES
from tests.reviews.test_play_figures import bots_game
from tests.web.database.test_administration import admin

SLOW_MS = 700


def at_pace(game: demine.Game, every_ms: int) -> demine.Game:
    """The acts of a game on a board that nobody knew, one after the other at an even pace."""
    acts = [each for each in game.events if isinstance(each, Act)]
    slower = demine.Game(game.rules, game.seed, origin="fresh")
    for number, act in enumerate(acts):
        slower.play(Act(number * every_ms, act.verb, act.row, act.col))
    return slower


async def fill(path: Path) -> dict[str, str]:
    """Make a database of a quick player, Bot, and 21 slow ones; return ids by names."""
    database, ids = await Database.open(path), {}
    games = [bots_game("beginner", seed) for seed in (1, 2)]
    for number in range(22):
        name = f"Slow {number}" if number else "Bot"
        player = ids[name] = (await players.create(database)).id
        await players.change(database, player, {}, name=name)
        pace = SLOW_MS + 40 * number if number else 20
        for game in games[:1] if number else games:
            ids[f"game of {name}"] = await insert(database, player, at_pace(game, pace))
    await database.close()
    return ids


async def insert(database: Database, player: str, game: demine.Game) -> str:
    game_id, ended = new_id(), utc_now_text()

    def write(connection: Any) -> None:
        num = insert_game(connection, game_id, player, game)
        end = summary_of_end(game, ended, None)
        connection.execute(GAMES.update().where(GAMES.c.num == num).values(end))

    await database.write(write)
    return game_id


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    path = tmp_path_factory.mktemp("site") / "server.sqlite"
    return path, asyncio.run(fill(path))


def test_games_of_several_players_are_nobodys(
    made: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "copy.sqlite"
    shutil.copy(made[0], path)
    with closing(sqlite3.connect(path)) as connection, connection:
        mine = "SELECT num, 1, player FROM games WHERE id = ?"
        connection.execute(
            f"INSERT INTO partners (game, seat, player) {mine}",
            [made[1]["game of Bot"]],
        )
    with Administration.open(path) as opened:
        assert len(opened.games_of_subject(made[1]["Bot"])) == 1


def figures(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in found["figures"]}


def test_a_player_is_compared_with_all_others(made: tuple[Path, dict[str, str]]) -> None:
    path, ids = made
    code, out, _ = admin(path, "suspicion", ids["Bot"], "--json", "--why", "a report")
    assert code == 0
    told = json.loads(out)
    (found,) = told["compared"]
    assert (found["name"], found["rules"], found["games"]) == ("Bot", "9x9/10", 2)
    reaction = figures(found)["reaction"]
    assert reaction["value"] == 20
    assert reaction["others"] == 21
    assert (reaction["share_below"], reaction["unusual"]) == (0, True)
    assert SLOW_MS < reaction["p10"] < reaction["median"] < reaction["p90"]
    assert "verdict" in told["says"]
    with Administration.open(path) as opened:
        entry = opened.log()[0]
    assert (entry.action, entry.subject, entry.why) == ("suspicion", ids["Bot"], "a report")
    usual = json.loads(admin(path, "suspicion", ids["Slow 11"], "--json")[1])["compared"][0]
    assert not figures(usual)["reaction"]["unusual"]


def test_a_game_is_compared_and_told_in_words(made: tuple[Path, dict[str, str]]) -> None:
    path, ids = made
    code, out, _ = admin(path, "suspicion", ids["game of Bot"])
    assert code == 0
    assert out.startswith("Bot ")
    (line,) = [line for line in out.splitlines() if line.startswith("Quick reactions  ")]
    assert "100.0%" in line
    assert line.endswith("unusual")
    assert "None of this is a verdict." in out


def test_files_are_compared_with_each_other_and_with_a_database(
    made: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    folder = tmp_path / "replays"
    folder.mkdir()
    for number in range(3):
        demine.save(bots_game("beginner", number), folder / f"{number}.jsonl")
    (folder / "notes.txt").write_text("nothing")
    absent = tmp_path / "absent.sqlite"
    code, out, told = admin(absent, "suspicion", str(folder), "--json")
    assert code == 0
    assert "notes.txt" in told
    compared = json.loads(out)["compared"]
    assert [each["games"] for each in compared] == [1, 1, 1]
    assert {figures(each)["mistakes"]["others"] for each in compared} == {2}
    assert not absent.exists()
    path, _ = made
    out = admin(path, "suspicion", str(folder / "1.jsonl"), "--json")[1]
    assert figures(json.loads(out)["compared"][0])["mistakes"]["others"] == 22


@pytest.mark.parametrize("subject", ["0" * 36, "absent.evf"])
def test_what_is_not_there_is_said(made: tuple[Path, dict[str, str]], subject: str) -> None:
    code, _, told = admin(made[0], "suspicion", subject)
    assert code != 0
    assert "there is no such player or game" in told.lower()
