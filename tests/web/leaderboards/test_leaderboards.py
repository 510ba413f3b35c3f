"""Which games enter leaderboards, in which order they stand there, and what takes them away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import Connection, Table, event, func, select, update

import demine
from demine.logic.event import Verb
from demine.store.game_rows import new_id
from demine.web import players
from demine.web.backfill import fill_in_what_is_missing
from demine.web.database.administration import Administration
from demine.web.database.database import Database
from demine.web.database.games import insert_game
from demine.web.database.leaderboards import (
    Leaderboard,
    count_listed,
    enter_win,
    everybodys_page,
    place_of,
    rankings_among,
)
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import BESTS, EVENTS, GAMES, WINS
from demine.web.leaderboards import (
    Deal,
    Level,
    Measure,
    Period,
    RankedWin,
    board_name,
    board_of,
    rules_of,
)
from demine.web.open_games import OpenGame, OpenGames
from tests.web.leaderboards.leaderboard_games import (
    FASTEST,
    Clock,
    begun,
    named_player,
    now,
    places,
    ranking,
    win,
    won,
)


def with_database(place: DatabasePlace, work: Callable[[Database], Awaitable[None]]) -> None:
    """Do something with a new database."""

    async def opened() -> None:
        database = await Database.open(place)
        try:
            await work(database)
        finally:
            await database.close()

    asyncio.run(opened())


async def enter(database: Database, player: str, won_at: str, time_ms: int, ioe: float = 1) -> str:
    """Enter a win of Beginner; return the id of its game."""
    game_id = new_id()

    def write(connection: Connection) -> None:
        num = insert_game(connection, game_id, player, demine.Game("beginner"))
        enter_win(connection, RankedWin(num, player, FASTEST.board, won_at, time_ms, 2.0, ioe))

    await database.write(write)
    return game_id


async def count(database: Database, table: Table) -> int:
    found = select(func.count()).select_from(table)
    return int(await database.read(lambda connection: connection.execute(found).scalar_one()))


def test_every_level_and_promise_has_boards_of_its_own() -> None:
    names = {board_of(demine.Game(rules_of(a, b))) for a in Level for b in Deal}
    assert names == {board_name(a, b) for a in Level for b in Deal}
    assert board_of(demine.Game("expert flags=hold")) == "expert opening"
    assert board_of(demine.Game("expert first=safe")) == "expert classic"
    assert board_of(demine.Game("expert guess-free")) == "expert guess-free"
    for other in ("expert first=any", "expert lives=2", "beginner goal=flag", "10x10/10"):
        assert board_of(demine.Game(other)) is None
    assert board_of(demine.Game("beginner", 7)) is None
    assert board_of(demine.Game("beginner", 7).again()) is None


def test_a_win_enters_every_leaderboard_of_its_boards(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        ada, clock = await named_player(database, "Ada"), Clock()
        game = await won(database, ada, clock, 20)
        for period in Period:
            for measure in Measure:
                board = Leaderboard("beginner opening", period.name_at(now()), measure)
                (row,) = await ranking(database, board)
                assert (row.place, row.name, row.game) == (1, "Ada", game.id)
                assert row.time_ms == 20_000
                found = demine.stats(game.game)
                assert (row.bv_s, row.ioe) == (found.bv_s, found.ioe)
        assert await places(database, FASTEST._replace(board="beginner classic")) == []
        await won(database, ada, clock, 30)
        assert [each.game for each in await ranking(database)] == [game.id]
        better = await won(database, ada, clock, 10)
        assert [each.game for each in await ranking(database)] == [better.id]

    with_database(place, work)


async def with_hint(_: OpenGames, game: OpenGame, clock: Clock) -> None:
    await game.play(Verb.HINT, 0, 0, "client", 2)
    await win(game)


async def with_pause(_: OpenGames, game: OpenGame, clock: Clock) -> None:
    await game.play(Verb.PAUSE, -1, -1, "client", 2)
    await game.play(Verb.RESUME, -1, -1, "client", 3)
    await win(game)


async def with_a_false_time(_: OpenGames, game: OpenGame, clock: Clock) -> None:
    clock.seconds += 20
    await win(game, delay_ms=5000)


async def with_a_new_server(games: OpenGames, game: OpenGame, clock: Clock) -> None:
    await win(await OpenGames(games._database, clock).get(game.id))


async def after_undoing_a_loss(_: OpenGames, game: OpenGame, clock: Clock) -> None:
    row, col = np.argwhere(game.game.board.mine_map)[0].tolist()
    await game.play(Verb.OPEN, row, col, "client", 2)
    await game.play(Verb.UNDO, -1, -1, "client", 3)
    await win(game)


@pytest.mark.parametrize(
    "play",
    [with_hint, with_pause, with_a_false_time, with_a_new_server, after_undoing_a_loss],
)
def test_what_was_not_played_fairly_and_here_enters_nothing(
    place: DatabasePlace, play: Callable[[OpenGames, OpenGame, Clock], Awaitable[None]]
) -> None:
    async def work(database: Database) -> None:
        clock = Clock()
        ada = await named_player(database, "Ada")
        games, game = await begun(database, ada, clock)
        clock.seconds += 10
        await play(games, game, clock)
        assert await count(database, WINS) == await count(database, BESTS) == 0

    with_database(place, work)


def test_known_boards_enter_nothing(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        clock = Clock()
        ada = await named_player(database, "Ada")
        _, open_game = await begun(database, ada, clock, seed=7)
        await win(open_game)
        assert await count(database, WINS) == 0

    with_database(place, work)


def test_changed_events_enter_nothing(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        clock = Clock()
        ada = await named_player(database, "Ada")
        game = await won(database, ada, clock, 20)
        assert await places(database) == [(1, "Ada")]
        async with asyncio.timeout(60):
            await database.write(lambda c: c.execute(WINS.delete()))
            await database.write(lambda c: c.execute(BESTS.delete()))
            waiting = update(GAMES).values(statistics_version=None)
            await database.write(lambda c: c.execute(waiting))
            lines = select(EVENTS.c.seq, EVENTS.c.line).order_by(EVENTS.c.seq.desc())
            last = (await database.read(lambda c: c.execute(lines).all()))[0]
            faster = last.line.replace("20000", "10000")
            assert faster != last.line
            change = update(EVENTS).where(EVENTS.c.seq == last.seq).values(line=faster)
            await database.write(lambda c: c.execute(change))
            await fill_in_what_is_missing(database)
        assert await count(database, WINS) == 0
        assert game.game.time_ms == 20_000

    with_database(place, work)


def test_a_killed_server_enters_the_win_at_its_next_start(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        ada, clock = await named_player(database, "Ada"), Clock()
        game = await won(database, ada, clock, 20)
        # As it is on the disk between the end and what follows it.
        await database.write(lambda c: c.execute(WINS.delete()))
        await database.write(lambda c: c.execute(BESTS.delete()))
        await database.write(lambda c: c.execute(update(GAMES).values(statistics_version=None)))
        await fill_in_what_is_missing(database)
        assert [each.game for each in await ranking(database)] == [game.id]

    with_database(place, work)


def test_equal_games_share_a_place_and_the_first_stands_first(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        names = ("Ada", "Bo", "Cy", "Di")
        ada, bo, cy, di = [await named_player(database, name) for name in names]
        await enter(database, bo, "2026-11-27T12:00:00.000000Z", 9000)
        await enter(database, di, "2026-11-27T13:00:00.000000Z", 10_000)
        await enter(database, cy, "2026-11-27T11:00:00.000000Z", 9000)
        await enter(database, ada, "2026-11-27T10:00:00.000000Z", 8000)
        expected = [(1, "Ada"), (2, "Cy"), (2, "Bo"), (4, "Di")]
        assert await places(database) == expected
        for first in range(4):
            page = await ranking(database, first=first)
            assert [(each.place, each.name) for each in page] == expected[first:]
        for player, expected_place in ((ada, 1), (bo, 2), (cy, 2), (di, 4)):
            own = await database.read(partial(place_of, leaderboard=FASTEST, player=player))
            assert own is not None
            assert (own.place, own.player) == (expected_place, player)
        # The same time again is no better game.
        before = (await ranking(database))[2].game
        await enter(database, bo, "2026-11-27T14:00:00.000000Z", 9000)
        assert (await ranking(database))[2].game == before

    with_database(place, work)


def test_weeks_and_months_end_at_midnight_in_utc(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        moments = {
            "2026-11-29T23:59:59.999999Z": ("2026-11", "2026-W48"),
            "2026-11-30T00:00:00.000000Z": ("2026-11", "2026-W49"),
            "2026-11-30T23:59:59.999999Z": ("2026-11", "2026-W49"),
            "2026-12-01T00:00:00.000000Z": ("2026-12", "2026-W49"),
            "2027-01-01T00:00:00.000000Z": ("2027-01", "2026-W53"),
        }
        for number, moment in enumerate(moments):
            player = await named_player(database, moment[:16])
            await enter(database, player, moment, 9000 + number)
        for period in {name for names in moments.values() for name in names}:
            expected = [each[:16] for each, names in moments.items() if period in names]
            found = await places(database, FASTEST._replace(period=period))
            assert [name for _, name in found] == expected

    with_database(place, work)


def test_who_does_not_want_to_appear_has_a_place_but_takes_none(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        ada = await named_player(database, "Ada", is_listed=False)
        bo = await named_player(database, "Bo")
        cy = await named_player(database, "")
        for player, ms in ((ada, 5000), (bo, 7000), (cy, 9000)):
            await enter(database, player, "2026-11-27T12:00:00.000000Z", ms)
        assert await places(database) == [(1, "Bo")]
        assert await database.read(lambda c: count_listed(c, FASTEST)) == 1
        place = partial(place_of, leaderboard=FASTEST)
        own = [await database.read(partial(place, player=player)) for player in (ada, cy)]
        assert [each.place for each in own if each] == [1, 2]
        friends = await database.read(lambda c: rankings_among(c, FASTEST, [ada, cy]))
        assert [(each.place, each.name) for each in friends] == [(1, "Ada"), (2, "")]
        await players.change(database, ada, {}, is_listed=True)
        await players.change(database, bo, {}, name="")
        await players.change(database, cy, {}, name="Cy")
        assert await places(database) == [(1, "Ada"), (2, "Cy")]

    with_database(place, work)


def test_bans_and_deletions_leave_nothing_behind(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        clock = Clock()
        ada, bo = [await named_player(database, name) for name in ("Ada", "Bo")]
        best, _ = await won(database, ada, clock, 10), await won(database, ada, clock, 20)
        await won(database, bo, clock, 15)
        assert await places(database) == [(1, "Ada"), (2, "Bo")]
        with Administration.open(place) as opened:
            opened.delete_game(best.id)
            assert await places(database) == [(1, "Bo"), (2, "Ada")]
            opened.ban(bo)
            assert await places(database) == [(1, "Ada")]
            assert await database.read(lambda c: place_of(c, FASTEST, bo)) is None
            opened.unban(bo)
            assert await places(database) == [(1, "Bo"), (2, "Ada")]
            opened.delete_name(bo)
            assert await places(database) == [(1, "Ada")]
        await players.erase(database, ada)
        await players.erase(database, bo)
        assert await count(database, WINS) == await count(database, BESTS) == 0

    with_database(place, work)


def test_a_ban_in_the_middle_of_a_game_holds(place: DatabasePlace) -> None:
    async def work(database: Database) -> None:
        clock = Clock()
        ada = await named_player(database, "Ada")
        _, game = await begun(database, ada, clock)
        with Administration.open(place) as opened:
            opened.ban(ada)
            clock.seconds += 10
            await win(game)  # the server has not yet looked who is banned
            assert await places(database) == []
            opened.unban(ada)
        assert await places(database) == [(1, "Ada")]

    with_database(place, work)


def test_what_is_read_does_not_grow_with_the_number_of_games(tmp_path: Path) -> None:
    """Every row of a leaderboard is found by an index, and none has to be sorted."""

    async def work(database: Database) -> None:
        ada = await named_player(database, "Ada")

        def plans(connection: Connection) -> list[str]:
            asked: list[tuple[str, object]] = []

            def note(*told: object) -> None:
                asked.append((str(told[2]), told[3]))

            event.listen(connection, "before_cursor_execute", note)
            everybodys_page(connection, FASTEST, 0, 25)
            place_of(connection, FASTEST, ada)
            count_listed(connection, FASTEST)
            rankings_among(connection, FASTEST, [ada])
            event.remove(connection, "before_cursor_execute", note)
            return [
                str(row[3])
                for sql, values in asked
                for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)  # type: ignore[arg-type]
            ]

        await enter(database, ada, "2026-11-27T12:00:00.000000Z", 9000)
        steps = await database.read(plans)
        assert sum("bests" in step for step in steps) >= 4
        assert not [step for step in steps if step.startswith("SCAN") and "bests" in step], steps
        assert any("COVERING INDEX bests_board" in step for step in steps), steps

    with_database(tmp_path / "server.sqlite", work)
