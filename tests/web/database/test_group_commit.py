"""What tasks ask to be written together: one commit, in order, each with its own outcome."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from sqlalchemy import event, select

from demine.game import Game
from demine.web import players
from demine.web.database.database import Database
from demine.web.database.games import NewEvents, insert_game, journal_text
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import EVENTS, GAMES, PLAYERS
from demine.web.errors import DatabaseError, NotFound

GAMES_AT_ONCE = 20


def with_games(
    place: DatabasePlace, work: Callable[[Database, list[int]], Awaitable[None]]
) -> None:
    """Do something with a new database of some games, by the numbers of their rows."""

    async def run() -> None:
        database = await Database.open(place)
        player = (await players.create(database)).id
        numbers = [
            await database.write(
                partial(insert_game, game_id=f"{at:036}", player=player, game=game)
            )
            for at, game in enumerate(Game("9x9/10", seed) for seed in range(GAMES_AT_ONCE))
        ]
        await work(database, numbers)
        await database.close()

    asyncio.run(run())


def flagged(num: int, at: int, seq: int = 0) -> NewEvents:
    """A flag on a game, which is its act `seq`."""
    lines = [f'[{seq},"flag",0,{seq}]']
    return NewEvents(num, f"{at:036}", seq, lines, (), "tab", seq + 1, {"acts": seq + 1})


def test_what_is_asked_for_at_once_is_one_commit(place: DatabasePlace) -> None:
    async def work(database: Database, numbers: list[int]) -> None:
        commits: list[object] = []
        event.listen(database._engines.writer, "commit", commits.append)
        works = [flagged(num, at) for at, num in enumerate(numbers)]
        await asyncio.gather(*map(database.write, works))
        assert len(commits) == 1
        for num in numbers:
            assert 'flag",0,0' in await database.read(partial(journal_text, num=num))

    with_games(place, work)


def test_what_comes_while_a_commit_runs_is_gathered(place: DatabasePlace) -> None:
    async def work(database: Database, numbers: list[int]) -> None:
        commits: list[object] = []
        event.listen(database._engines.writer, "commit", commits.append)
        first = asyncio.ensure_future(database.write(flagged(numbers[0], 0)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the first is on its way
        rest = [database.write(flagged(num, at)) for at, num in enumerate(numbers) if at]
        await asyncio.gather(first, *rest)
        assert len(commits) == 2

    with_games(place, work)


def test_many_that_wait_are_handed_over_before_the_written_go_on(place: DatabasePlace) -> None:
    async def work(database: Database, _numbers: list[int]) -> None:
        may_end = threading.Event()
        first = asyncio.ensure_future(database.write(lambda _: may_end.wait(30)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the first is on its way
        rest = [asyncio.ensure_future(database.write(lambda _: None)) for _ in range(100)]
        await asyncio.sleep(0)
        assert database.waiting == 100
        may_end.set()
        assert await first
        assert database.waiting == 0
        await asyncio.gather(*rest)

    with_games(place, work)


def test_a_deleted_game_spoils_no_act_of_another(place: DatabasePlace) -> None:
    async def work(database: Database, numbers: list[int]) -> None:
        gone = numbers[7]
        await database.write(
            lambda connection: connection.execute(GAMES.delete().where(GAMES.c.num == gone))
        )
        works = [flagged(num, at) for at, num in enumerate(numbers)]
        found = await asyncio.gather(*map(database.write, works), return_exceptions=True)
        assert [type(each) for each in found] == [
            NotFound if at == 7 else type(None) for at in range(GAMES_AT_ONCE)
        ]
        lines = await database.read(
            lambda connection: connection.execute(select(EVENTS.c.game)).scalars().all()
        )
        assert sorted(lines) == sorted(set(numbers) - {gone})

    with_games(place, work)


def test_works_of_other_kinds_keep_their_place(place: DatabasePlace) -> None:
    async def work(database: Database, numbers: list[int]) -> None:
        def count(connection: object) -> int:
            return len(connection.execute(select(EVENTS.c.game)).all())  # type: ignore[attr-defined]

        num = numbers[0]
        works: list[Callable[..., object]] = [
            flagged(num, 0), count, flagged(num, 0, 1), flagged(numbers[1], 1), count,
        ]  # fmt: skip
        found = await asyncio.gather(*map(database.write, works))
        assert found == [None, 1, None, None, 3]

    with_games(place, work)


def test_an_act_that_is_there_already_is_refused_alone(place: DatabasePlace) -> None:
    async def work(database: Database, numbers: list[int]) -> None:
        num = numbers[0]
        await database.write(flagged(num, 0))
        again, other = await asyncio.gather(
            database.write(flagged(num, 0)),
            database.write(flagged(numbers[1], 1)),
            return_exceptions=True,
        )
        assert isinstance(again, DatabaseError)
        assert other is None

    with_games(place, work)


def test_what_waits_at_the_end_is_written(place: DatabasePlace) -> None:
    async def run() -> int:
        database = await Database.open(place)
        made = [asyncio.ensure_future(players.create(database)) for _ in range(600)]
        await asyncio.sleep(0)
        await database.close()
        await asyncio.gather(*made)
        with pytest.raises(DatabaseError):
            await players.create(database)
        again = await Database.open(place)
        found = await again.read(
            lambda connection: len(connection.execute(select(PLAYERS.c.id)).all())
        )
        await again.close()
        return found

    assert asyncio.run(run()) == 600
