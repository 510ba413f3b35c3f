"""Nothing that is sent before midnight tells more of a ranked board than its player has opened.

Every attempt is played twice, on two boards whose numbers agree wherever the player looks, and
whose mines differ elsewhere. All bytes that the player and others hear must be the same but for
ids and moments, after the end of the game too.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from starlette.applications import Starlette

from demine.game import Game
from demine.logic.daily_board import LEVELS, Daily
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Origin, Status
from demine.statistics.board_3bv import three_bv
from demine.web import identity, players
from demine.web.app import make_app
from demine.web.database.ranked_boards import boards_of_days, insert_boards, save_mines
from demine.web.services import Services
from tests.web.asgi_client import AsgiClient, AsgiSocket
from tests.web.ranked.ranked_site import BOARD, DAY, LEVEL, Calendar, random_mines
from tests.web.test_no_mines_sent import MOMENTS, laid_anew

ATTEMPTS = 16
TIMES = re.compile(r"\b\d+\.\d{3}\b")
Cell = tuple[int, int]
MineMap = NDArray[np.bool_]
OPEN_DOORS = (
    "/api/games/ID", "/api/history", "/api/records", "/api/plots", "/api/me", "/api/me/export",
    "/api/daily", "/api/daily?day=DAY", "/api/daily/DAY/beginner/places",
    "/api/daily/DAY/beginner/places?friends=true", "/api/leaderboards?deal=guess-free",
)  # fmt: skip
CLOSED_DOORS = (
    *(
        f"/api/games/ID/{each}"
        for each in ("journal", "watch", "statistics", "review", "chances?act=1")
    ),
    "/api/watch/ID.png",
)


class Attempt(NamedTuple):
    """What a player does on a day, on two boards that look the same meanwhile."""

    day: date
    acts: list[tuple[str, Cell]]
    boards: tuple[MineMap, MineMap]


def attempts(count: int, *, ends_with: str) -> list[Attempt]:
    """Attempts that end by a mine or by giving up."""
    random, found, seed = Random(4), list[Attempt](), 0
    while len(found) < count:
        seed += 1
        board = replace(BOARD, daily=Daily(DAY + timedelta(days=2 * len(found)), LEVEL))
        mines = random_mines(seed, board)
        game = Game(board.daily.rules, 0, origin=Origin.FRESH, start=board.start)
        game.lay(Lay(0, mines))
        acts: list[tuple[str, Cell]] = [("open", board.start)]
        game.play(Act(0, Verb.OPEN, *board.start))
        for _ in range(random.randrange(6)):
            covered = np.argwhere(~game.board.open_map & ~mines & ~game.board.flag_map)
            row, col = map(int, random.choice(covered))
            verb = random.choice(("open", "open", "flag"))
            if game.status is Status.RUNNING:
                game.play(Act(0, Verb(verb), row, col))
                acts.append((verb, (row, col)))
        other = laid_anew(mines, game.board.open_map, random)
        both = np.argwhere(mines & other)
        if game.status is Status.RUNNING and len(both) and three_bv(mines) != three_bv(other):
            row, col = map(int, random.choice(both))
            acts.append(("open", (row, col)) if ends_with == "mine" else ("resign", (-1, -1)))
            found.append(Attempt(board.daily.day, acts, (mines, other)))
    return found


class Site:
    """A server whose boards are given, all of them with the same secrets."""

    def __init__(self, app: Starlette, calendar: Calendar) -> None:
        self.app = app
        self.calendar = calendar
        self.services: Services = app.state.services

    async def give_boards(self, mine_map: MineMap) -> None:
        """Have today's boards of all levels with these mines, and tomorrow's."""
        today = self.calendar.day
        days = today, today + timedelta(days=1)
        boards = [replace(BOARD, daily=Daily(day, level)) for day in days for level in LEVELS]
        await self.services.database.write(lambda connection: insert_boards(connection, boards))
        stored = await self.services.database.read(lambda found: boards_of_days(found, days))
        for num, board, _ in stored:
            mines = random_mines(0)
            if board.daily == Daily(today, LEVEL):
                mines = mine_map
            await self.services.database.write(partial(save_mines, num=num, mine_map=mines))

    async def client(self, number: int) -> AsgiClient:
        """A new player."""
        player = (await players.create(self.services.database)).id
        cookie = f"demine={identity.signed(player, self.services.key)}"
        return AsgiClient(self.app, f"10.0.{number >> 8}.{number & 255}", cookie)

    async def play(self, client: AsgiClient, attempt: Attempt) -> str:
        """Play an attempt to its end, and connect once more; returns the game's id."""
        begun = await client.post(f"/api/daily/{self.calendar.day}/{LEVEL}")
        game_id = str(begun.json()["game"])
        path = f"/ws/games/{game_id}"
        async with AsgiSocket(client, path, "client=a") as socket:
            answer = await socket.hear()
            for number, (verb, cell) in enumerate(attempt.acts, 1):
                where = {"cell": cell} if cell[0] >= 0 else {}
                socket.say(seq=number, verb=verb, **where)
                answer = await socket.hear()
                assert "refused" not in answer
            assert answer["status"] == "lost"
            socket.say(seq=len(attempt.acts) + 1, verb="undo")
            assert (await socket.hear())["refused"]["what"] == "act"
            socket.say(seq=len(attempt.acts) + 2, ask="chances")
            assert (await socket.hear())["refused"]["what"] == "shared_board"
        async with AsgiSocket(client, path, "client=b") as socket:
            await socket.hear()
        return game_id

    async def knock(self, client: AsgiClient, game_id: str, *, is_mine: bool) -> None:
        """Try all doors that could tell something of the board."""
        for path in OPEN_DOORS:
            address = path.replace("ID", game_id).replace("DAY", str(self.calendar.day))
            expected = 200 if is_mine or "ID" not in path else 404
            assert await client.get(address) == expected, path
        for path in CLOSED_DOORS:
            assert await client.get(path.replace("ID", game_id)) == 409, path
        by_efficiency = f"/api/daily/{self.calendar.day}/{LEVEL}/places?measure=efficiency"
        assert await client.get(by_efficiency) == 409
        again = await client.post("/api/games", again=game_id)
        assert again.status_code == (409 if is_mine else 404)


async def words(site: Site, number: int, attempt: Attempt) -> list[str]:
    """All that a player and another one hear of an attempt, ids and moments taken out."""
    player, other = await site.client(2 * number), await site.client(2 * number + 1)
    game_id = await site.play(player, attempt)
    await site.knock(player, game_id, is_mine=True)
    await site.knock(other, game_id, is_mine=False)
    return await heard_by(site, game_id, player, other)


async def heard_by(site: Site, game_id: str, *clients: AsgiClient) -> list[str]:
    """All that some have heard, ids and moments taken out."""
    ids = [game_id]
    for client in clients:
        await client.close()
        ids.append(identity.read_signed(client.cookie.partition("=")[2], site.services.key) or "")
    hidden = re.compile("|".join(ids))
    return [
        TIMES.sub("T", MOMENTS.sub(r"\1T", hidden.sub("ID", text)))
        for client in clients
        for text in client.heard
    ]


async def sites(stack: AsyncExitStack, folder: Path) -> list[Site]:
    found = []
    for name in ("one", "other"):
        calendar = Calendar(DAY - timedelta(days=10))  # nothing is drawn for the days of the test
        app = make_app(folder / f"{name}.sqlite", today=calendar)
        await stack.enter_async_context(app.router.lifespan_context(app))
        found.append(Site(app, calendar))
    return found


async def compare_all(folder: Path, played: list[Attempt]) -> int:
    length = 0
    async with AsyncExitStack() as stack:
        both = await sites(stack, folder)
        for number, attempt in enumerate(played):
            heard = []
            for site, mine_map in zip(both, attempt.boards, strict=True):
                site.calendar.day = attempt.day
                await site.give_boards(mine_map)
                heard.append(await words(site, number, attempt))
            assert heard[0] == heard[1], attempt.acts
            length += sum(map(len, heard[0]))
    return length


def test_nothing_more_is_told_to_those_who_hit_a_mine(tmp_path: Path) -> None:
    played = attempts(ATTEMPTS, ends_with="mine")
    assert asyncio.run(compare_all(tmp_path, played)) > 40_000


def test_nothing_more_is_told_to_those_who_give_up(tmp_path: Path) -> None:
    played = attempts(ATTEMPTS // 4, ends_with="resign")
    assert asyncio.run(compare_all(tmp_path, played)) > 10_000


def test_others_hear_nothing_of_a_board_that_was_won(tmp_path: Path) -> None:
    async def both() -> list[list[str]]:
        found = []
        async with AsyncExitStack() as stack:
            for site, seed in zip(await sites(stack, tmp_path), (1, 2), strict=True):
                site.calendar.day = DAY
                mines = random_mines(seed)
                await site.give_boards(mines)
                player, other = await site.client(1), await site.client(2)
                begun = await player.post(f"/api/daily/{DAY}/{LEVEL}")
                game_id = begun.json()["game"]
                async with AsgiSocket(player, f"/ws/games/{game_id}", "client=a") as socket:
                    await socket.hear()
                    cells = [BOARD.start, *map(tuple, np.argwhere(~mines).tolist())]
                    answer = {"status": "running"}
                    for number, cell in enumerate(cells, 1):
                        if answer["status"] == "running":
                            socket.say(seq=number, verb="open", cell=cell)
                            answer = await socket.hear()
                    assert answer["status"] == "won"
                await site.knock(other, game_id, is_mine=False)
                found.append(await heard_by(site, game_id, other))
                await player.close()
        return found

    one, two = asyncio.run(both())
    assert one == two
