"""Verified games as a Parquet file: which are in it, what it says, and what it keeps to itself."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sqlalchemy")
pytest.importorskip("pyarrow")
from click.testing import CliRunner
from pyarrow import parquet
from sqlalchemy import Connection, insert, select, update

import demine
from demine.cli.verbs.admin import command
from demine.logic.daily_board import DailyError
from demine.logic.event import Verb
from demine.store.daily import today_utc
from demine.store.utc_text import utc_now_text
from demine.web import verified_games
from demine.web.database import exportable_games
from demine.web.database.administration import Administration
from demine.web.database.database import Database
from demine.web.database.place import DatabasePlace, PostgresPlace
from demine.web.database.schema import (
    GAMES,
    JOURNALS,
    PARTNERS,
    PLAYERS,
    RACERS,
    RACES,
    RANKED_ATTEMPTS,
    RANKED_BOARDS,
)
from demine.web.open_games import OpenGame
from demine.web.verified_games import METADATA_KEY, VerifiedGame, write_verified_games
from tests.docs.pages import DOCS
from tests.web.leaderboards.leaderboard_games import BOARD, Clock, begun, named_player, won

HIDDEN = "Hidden"
"""The name of a player who does not want to appear."""
RANKED_MS = 40_000


@dataclass
class Site:
    """A database with games of some players."""

    place: DatabasePlace
    ids: list[str]
    """Of all its players and games."""

    def export(self, target: Path, *more: str) -> str:
        """Run the command; return what it says."""
        address = str(self.place)
        if isinstance(self.place, PostgresPlace):
            address = self.place.url.set(drivername="postgresql").render_as_string(False)
        said = ["export-games", str(target), "--database", address, *more]
        done = CliRunner().invoke(command(), said, standalone_mode=False)
        if done.exception is not None:
            raise done.exception
        return done.output

    def rows(self, target: Path) -> list[dict[str, Any]]:
        self.export(target)
        found: list[dict[str, Any]] = parquet.read_table(target).to_pylist()
        return found


@pytest.fixture(scope="module")
def site(shared_place: DatabasePlace) -> Site:
    return asyncio.run(fill(shared_place))


async def fill(place: DatabasePlace) -> Site:
    """Have players play games that are given away, and some that are not."""
    database, clock = await Database.open(place), Clock()
    ada = await named_player(database, "Ada")
    hidden = await named_player(database, HIDDEN, is_listed=False)
    eve = await named_player(database, "Eve")
    games = [
        await won(database, ada, clock, 20),
        await lost(database, hidden, clock, 1),
        await won(database, hidden, clock, 30),
    ]
    withheld = [await lost(database, ada, clock, seconds) for seconds in (40, 50, 60, 70, 80, 90)]
    withheld.append(await lost(database, eve, clock, 100))
    games += [
        *withheld,
        await lost(database, ada, clock, 10, seed=7),
        await lost(database, ada, clock, 11, pauses=True),
        (await begun(database, ada, clock))[1],
    ]
    nums = [await database.read(partial(num_of, game=game.id)) for game in withheld]
    await database.write(lambda connection: withhold(connection, nums, hidden, eve))
    await database.close()
    return Site(place, [ada, hidden, eve, *(game.id for game in games)])


async def lost(
    database: Database,
    player: str,
    clock: Clock,
    seconds: float,
    seed: int | None = None,
    *,
    pauses: bool = False,
) -> OpenGame:
    """A game of Beginner that was lost after so many seconds."""
    _, game = await begun(database, player, clock, seed)
    clock.seconds += seconds
    if pauses:
        await game.play(Verb.PAUSE, -1, -1, "client", 2)
        await game.play(Verb.RESUME, -1, -1, "client", 3)
    row, col = np.argwhere(game.game.board.mine_map)[0].tolist()
    await game.play(Verb.OPEN, row, col, "client", 4)
    return game


def num_of(connection: Connection, game: str) -> int:
    return int(connection.execute(select(GAMES.c.num).where(GAMES.c.id == game)).scalar_one())


def withhold(connection: Connection, nums: list[int], partner: str, banned: str) -> None:
    """Make games of those that are not given away, each for another reason."""
    ranked, raced, imported, together, slower, restarted, _ = nums
    board = {"num": 1, "day": today_utc().isoformat(), "level": "beginner", "secret": b""}
    connection.execute(insert(RANKED_BOARDS), board)
    attempt = {"board": 1, "player": partner, "game": ranked}
    connection.execute(insert(RANKED_ATTEMPTS), attempt)
    race = {"num": 1, "id": "r", "rules": "", "mine_costs": "", "seed": 0, "lay": ""}
    connection.execute(insert(RACES), {**race, "made_at": utc_now_text()})
    racer = {"race": 1, "seat": 0, "player": partner, "game": raced}
    connection.execute(insert(RACERS), racer)
    connection.execute(insert(JOURNALS), {"game": imported, "pack": b""})
    connection.execute(insert(PARTNERS), {"game": together, "seat": 1, "player": partner})
    for num, arrived_ms in ((slower, 70_000), (restarted, None)):
        changed = update(GAMES).where(GAMES.c.num == num).values(arrived_ms=arrived_ms)
        connection.execute(changed)
    changed = update(PLAYERS).where(PLAYERS.c.id == banned).values(banned_at=utc_now_text())
    connection.execute(changed)


def test_verified_games_are_in_it_and_nothing_of_who_is_hidden(site: Site, tmp_path: Path) -> None:
    target = tmp_path / "games.parquet"
    said = site.export(target, "--why", "a paper")
    assert said == (f"3 verified games are in {target}. 2 other games could not be verified.\n")
    table = parquet.read_table(target)
    rows = table.to_pylist()
    assert [(row["time_ms"], row["result"]) for row in rows] == [
        (20_000, "won"), (1000, "lost"), (30_000, "won"),
    ]  # fmt: skip
    assert [row["name"] for row in rows] == ["Ada", None, None]
    assert len({row["player"] for row in rows}) == 2
    assert rows[1]["player"] == rows[2]["player"]
    for row in rows:
        game = demine.Game.from_journal(row["journal"])
        found = demine.stats(game)
        assert (str(game.rules), game.status.value, game.time_ms) == (
            row["rules"], row["result"], row["time_ms"],
        )  # fmt: skip
        for name in ("bv", "bv_solved", "clicks", "bv_s", "ioe"):
            assert row[name] == found[name]
        assert (row["day"], row["leaderboard"], row["ranked_board"]) == (today_utc(), BOARD, None)
        assert not [each for each in (*site.ids, HIDDEN) if each in str(row)]
    assert json.loads(table.schema.metadata[METADATA_KEY])["day"] == today_utc().isoformat()
    with Administration.open(site.place) as opened:
        entry = opened.log()[0]
    assert (entry.action, entry.subject, entry.why) == ("export-games", str(target), "a paper")


def test_each_export_has_pseudonyms_of_its_own(site: Site, tmp_path: Path) -> None:
    first, second = (site.rows(tmp_path / name) for name in ("1.parquet", "2.parquet"))
    named = [{row.pop("player") for row in rows} for rows in (first, second)]
    assert first == second
    assert not named[0] & named[1]


def test_games_on_a_ranked_board_are_in_it_after_its_day(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow = today_utc() + timedelta(days=1)
    monkeypatch.setattr("demine.cli.actions.export_games.today_utc", lambda: tomorrow)
    added = [row for row in site.rows(tmp_path / "games.parquet") if row["ranked_board"]]
    assert [(row["time_ms"], row["ranked_board"]) for row in added] == [
        (RANKED_MS, f"{today_utc()} beginner")
    ]
    said = site.export(tmp_path / "games.parquet", "--since", str(tomorrow))
    assert said == f"0 verified games are in {tmp_path / 'games.parquet'}.\n"
    assert parquet.read_table(tmp_path / "games.parquet").num_rows == 0


def test_the_file_is_written_some_games_at_a_time(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [row["journal"] for row in site.rows(tmp_path / "whole.parquet")]
    monkeypatch.setattr(exportable_games, "_AT_ONCE", 2)
    monkeypatch.setattr(verified_games, "_ROWS_PER_GROUP", 2)
    target = tmp_path / "games.parquet"
    assert [row["journal"] for row in site.rows(target)] == whole
    assert parquet.ParquetFile(target).num_row_groups == 2
    monkeypatch.setattr(verified_games, "_CHARACTERS_PER_GROUP", 1)
    assert [row["journal"] for row in site.rows(target)] == whole
    assert parquet.ParquetFile(target).num_row_groups == 3


def test_an_export_that_is_interrupted_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "games.parquet"
    target.write_bytes(b"before")

    def interrupted() -> Iterator[VerifiedGame]:
        yield VerifiedGame._make([today_utc(), *[""] * 6, 1, 1, *[None] * 5, ""])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_verified_games(interrupted(), target, today_utc())
    assert target.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [target]


def test_what_is_asked_is_checked(tmp_path: Path) -> None:
    site = Site(tmp_path / "none.sqlite", [])
    with pytest.raises(DailyError, match="is not a date"):
        site.export(tmp_path / "games.parquet", "--since", "yesterday")
    with pytest.raises(demine.DemineError, match="games are written as Parquet"):
        site.export(tmp_path / "games.csv")
    with pytest.raises(demine.DemineError, match="there is no database of a server"):
        site.export(tmp_path / "games.parquet")
    assert not list(tmp_path.iterdir())


def test_the_page_describes_every_column() -> None:
    page = (DOCS / "verified_games.md").read_text("utf-8")
    told = re.findall(r"^\| `(\w+)` \| (\w+)", page, re.MULTILINE)
    schema = verified_games._schema()
    assert told == [(field.name, str(field.type).removesuffix("[day]")) for field in schema]
