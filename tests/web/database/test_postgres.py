"""A database of PostgreSQL: opened by one server, lost and found again, filled from a file."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("psycopg")
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from click.testing import CliRunner
from sqlalchemy import Connection, Engine, create_engine, func, insert, select, text

from demine.game import Game
from demine.store.game_rows import new_id
from demine.web import players
from demine.web.app import make_app
from demine.web.database.administration import Administration
from demine.web.database.database import Database, open_beside_server
from demine.web.database.games import NewEvents, insert_game, journal_text
from demine.web.database.place import PostgresPlace, parse_place
from demine.web.database.schema import EVENTS, GAMES, METADATA, PLAYERS, SECRETS
from demine.web.database.transfer import transfer
from demine.web.errors import DatabaseError
from tests.docs.pages import DOCS
from tests.web.doors_app import serve
from tests.web.postgres_server import PostgresServer
from tests.web.races.race_site import Racer

GAMES_THERE = 25


@pytest.fixture
def target(postgres: PostgresServer) -> PostgresPlace:
    place = parse_place(postgres.new_database())
    assert isinstance(place, PostgresPlace)
    return place


@pytest.fixture
def engine(target: PostgresPlace) -> Iterator[Engine]:
    engine = create_engine(target.url)
    yield engine
    engine.dispose()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with some games of one player."""
    path = tmp_path / "server.sqlite"
    asyncio.run(fill(path))
    return path


async def fill(path: Path) -> None:
    opened = await Database.open(path)
    player = (await players.create(opened)).id
    await opened.write(_insert_secret)
    for seed in range(GAMES_THERE):
        game = Game("9x9/10", seed)
        game.open(4, 4)
        await opened.write(lambda each, game=game: insert_game(each, new_id(), player, game))  # type: ignore[misc]
    await opened.close()


def _insert_secret(connection: Connection) -> None:
    connection.execute(insert(SECRETS), {"name": "key", "value": bytes(range(256))})


def test_a_new_database_has_the_tables_of_the_schema(target: PostgresPlace, engine: Engine) -> None:
    asyncio.run(open_and_close(target))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


async def open_and_close(place: PostgresPlace) -> None:
    await (await Database.open(place)).close()


def test_one_database_has_one_server(
    target: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.web.database.postgres._WAIT_S", 0.1)

    async def both() -> None:
        first = await Database.open(target)
        with pytest.raises(DatabaseError, match="another program is using it"):
            await Database.open(target)
        await first.close()
        await open_and_close(target)

    asyncio.run(both())


def test_a_lost_connection_is_made_again(target: PostgresPlace, engine: Engine) -> None:
    async def play() -> None:
        opened = await Database.open(target)
        player = (await players.create(opened)).id
        game = Game("9x9/10", 1)
        num = await opened.write(lambda each: insert_game(each, "0" * 36, player, game))
        for seq in range(3):
            await asyncio.to_thread(cut_off, engine)
            line = f'[{seq},"flag",0,{seq}]'
            await opened.write(
                NewEvents(num, "0" * 36, seq, [line], (), "tab", seq + 1, {"acts": seq + 1})
            )
            assert line in await opened.read(lambda each: journal_text(each, num))
        await opened.close()

    asyncio.run(play())
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(EVENTS)).scalar_one() == 3


def cut_off(engine: Engine) -> None:
    """End all other connections to the database, as a restart of PostgreSQL does."""
    ended = text(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid != pg_backend_pid()"
    )
    with engine.connect() as connection:
        assert all(connection.execute(ended).scalars())


def test_a_server_that_lost_the_database_to_another_writes_no_more(
    target: PostgresPlace, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.web.database.postgres._WAIT_S", 0.1)

    async def both() -> None:
        first = await Database.open(target)
        await asyncio.to_thread(cut_off, engine)
        second = await Database.open(target)
        with pytest.raises(DatabaseError):
            await players.create(first)
        await players.create(second)
        await second.close()
        await players.create(first)
        await first.close()

    asyncio.run(both())
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(PLAYERS)).scalar_one() == 2


def test_a_database_of_another_program_is_left_alone(target: PostgresPlace, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE players (name text)"))
    with pytest.raises(DatabaseError, match="is not a database of demine's server"):
        asyncio.run(Database.open(target))
    with engine.begin() as connection:
        assert connection.execute(text("SELECT count(*) FROM players")).scalar_one() == 0


def test_a_password_is_in_no_message() -> None:
    place = parse_place("postgresql://ada:secret@127.0.0.1:1/games")
    with pytest.raises(DatabaseError) as caught:
        asyncio.run(Database.open(place))
    assert "ada:***@127.0.0.1:1/games" in str(caught.value)
    assert "secret" not in str(caught.value)
    with pytest.raises(DatabaseError) as caught:
        parse_place("postgresql://ada:secret@host:port/games")
    assert "secret" not in str(caught.value)


# From a file to PostgreSQL


def test_everything_of_a_file_comes_along(
    file: Path, target: PostgresPlace, engine: Engine
) -> None:
    steps: list[tuple[int, int]] = []
    assert transfer(file, target, "a test", lambda *step: steps.append(step)) == GAMES_THERE
    assert steps[-1][0] == steps[-1][1]
    readers, writer = open_beside_server(file)
    with readers.connect() as old, engine.connect() as new:
        for table in METADATA.sorted_tables:
            if table.name == "admin_log":
                continue
            rows = [sorted(map(tuple, each.execute(select(table)))) for each in (old, new)]
            assert rows[0] == rows[1], table.name
            assert rows[0] or table.name not in {"players", "games", "events", "secrets"}
    readers.dispose()
    writer.dispose()
    with Administration.open(target) as opened:
        (entry,) = opened.log()
        assert (entry.action, entry.why) == ("transfer", "a test")
    asyncio.run(fill_more(target))


async def fill_more(place: PostgresPlace) -> None:
    """Rows that are added later have numbers of their own."""
    opened = await Database.open(place)
    player = (await players.create(opened)).id
    await opened.write(lambda each: insert_game(each, new_id(), player, Game("9x9/10", 1)))
    count = await opened.read(
        lambda each: each.execute(select(func.count()).select_from(GAMES)).scalar_one()
    )
    assert count == GAMES_THERE + 1
    await opened.close()


def test_a_row_that_differs_stops_it_with_nothing_changed(
    file: Path, target: PostgresPlace, engine: Engine
) -> None:
    asyncio.run(open_and_close(target))
    with engine.begin() as connection:
        connection.execute(
            text(
                "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN NEW.line := NEW.line || ' '; RETURN NEW; END $$"
            )
        )
        connection.execute(
            text(
                "CREATE TRIGGER spoil BEFORE INSERT ON events FOR EACH ROW "
                "WHEN (NEW.game = 7) EXECUTE FUNCTION spoil()"
            )
        )
    with pytest.raises(DatabaseError, match="events is not the same after it was copied"):
        transfer(file, target)
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(GAMES)).scalar_one() == 0


def test_a_filled_database_is_left_as_it_is(file: Path, target: PostgresPlace) -> None:
    assert transfer(file, target) == GAMES_THERE
    with pytest.raises(DatabaseError, match="is not empty"):
        transfer(file, target)


def test_the_command_line_takes_a_file_there(file: Path, target: PostgresPlace) -> None:
    from demine.cli.verbs.admin import command

    arguments = ["transfer", str(target), "--database", str(file)]
    done = CliRunner().invoke(command(), arguments, standalone_mode=False)
    assert done.return_value == 0, done
    assert done.stdout == (
        f"{GAMES_THERE} games are copied and compared. The file stays as it is: {file}.\n"
    )
    with pytest.raises(DatabaseError, match="pg_dump"), Administration.open(target) as opened:
        opened.back_up(file.with_name("copy"))


# Backups


def commands_of_page(*programs: str) -> dict[str, list[str]]:
    """The commands of docs/serve.md about backups, by their programs."""
    page = (DOCS / "serve.md").read_text("utf-8").partition("### Backups")[2]
    lines = re.findall(r"^(\w+) (.*)$", "".join(page.split("```")[1:4:2]), re.MULTILINE)
    found = {program: shlex.split(words) for program, words in lines if program in programs}
    assert found.keys() == set(programs)
    return found


def test_a_server_goes_on_from_a_copy_that_was_made_while_it_ran(
    postgres: PostgresServer, target: PostgresPlace
) -> None:
    database, copy = str(target.url.database), f"{target.url.database}_copy"
    file = str(postgres.folder / "demine.dump")
    there = {"demine.dump": file, "demine_copy": copy} | {
        f"postgresql://demine@localhost/{name}": postgres.address(real)
        for name, real in (("demine", database), ("demine_copy", copy))
    }
    told = commands_of_page("pg_dump", "createdb", "pg_restore", "demine")
    words = {name: [there.get(word, word) for word in each] for name, each in told.items()}
    known = Game("9x9/10", 7)
    known.open(4, 4)
    mine = np.argwhere(known.board.mine_map)[0].tolist()
    with serve(make_app(target)) as address, Racer(address) as player:
        game = player.ask("POST", "/api/games", rules="9x9/10", seed=7).json()["id"]
        player.play(game)
        player.act("open", 4, 4)
        postgres.run("pg_dump", *words["pg_dump"])
        assert player.act("flag", *mine).get("refused") is None
        cookies = dict(player.http.cookies)
    for program in ("createdb", "pg_restore"):
        postgres.run(program, *words[program])
    verb, option, place = words["demine"]
    assert (verb, option) == ("serve", "--database")
    with serve(make_app(parse_place(place))) as address, Racer(address) as player:
        player.http.cookies.update(cookies)
        opened = player.play(game)
        assert (opened["status"], opened["next_seq"]) == ("running", 2)
        assert player.act("flag", *mine).get("refused") is None
    with pytest.raises(AssertionError, match="already exists"):
        postgres.run("pg_restore", *words["pg_restore"])
