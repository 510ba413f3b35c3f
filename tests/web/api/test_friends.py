"""Friends: made by a link, seen by each other alone, and parted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from sqlalchemy import Connection

import demine
from demine.store.game_rows import new_id
from demine.web.app import make_app
from demine.web.database.administration import Administration
from demine.web.database.database import Database, open_beside_server
from demine.web.database.friends import MOST_FRIENDS
from demine.web.database.games import insert_game
from demine.web.database.leaderboards import enter_win
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import FRIENDSHIPS, PLAYERS
from demine.web.leaderboards import RankedWin
from tests.web.doors_app import browser, serve


@pytest.fixture
def players(place: DatabasePlace) -> Iterator[list[httpx.Client]]:
    """Ada, Bo and Cy."""
    with ExitStack() as stack:
        address = stack.enter_context(serve(make_app(place)))
        clients = [stack.enter_context(browser(address)) for _ in range(3)]
        for client, name in zip(clients, ("Ada", "Bo", "Cy"), strict=True):
            client.put("/api/me", json={"name": name})
        yield clients


def link_of(client: httpx.Client) -> str:
    """Make a link; return its token."""
    link: str = client.post("/api/friends/link").json()["link"]
    assert link.startswith(str(client.base_url))
    return link.rpartition("/")[2]


def names(client: httpx.Client) -> list[str]:
    return [each["name"] for each in client.get("/api/friends").json()["friends"]]


def befriend(client: httpx.Client, token: str) -> httpx.Response:
    return client.post("/api/friends", json={"token": token})


def test_a_link_makes_two_players_friends_of_each_other(players: list[httpx.Client]) -> None:
    ada, bo, cy = players
    token = link_of(ada)
    assert bo.get(f"/api/friends/links/{token}").json() == {"name": "Ada", "yours": False}
    assert ada.get(f"/api/friends/links/{token}").json()["yours"]
    assert names(bo) == []  # looking changes nothing
    for _ in range(2):
        assert befriend(bo, token).status_code == 200
    assert (names(ada), names(bo), names(cy)) == (["Bo"], ["Ada"], [])
    assert befriend(ada, token).status_code == 409
    assert befriend(cy, "x" * 32).status_code == 404
    assert befriend(cy, "x" * 65).status_code == 400


def test_a_link_is_taken_back_and_friends_stay(players: list[httpx.Client]) -> None:
    ada, bo, cy = players
    first = link_of(ada)
    befriend(bo, first)
    second = link_of(ada)
    assert befriend(cy, first).status_code == 404
    assert ada.delete("/api/friends/link").json()["link"] is None
    assert befriend(cy, second).status_code == 404
    assert (names(ada), names(cy)) == (["Bo"], [])


def test_a_friendship_ends_for_both_and_by_them_alone(players: list[httpx.Client]) -> None:
    ada, bo, cy = players
    befriend(bo, link_of(ada))
    (friend,) = ada.get("/api/friends").json()["friends"]
    assert cy.delete(f"/api/friends/{friend['num']}").status_code == 404
    assert cy.delete("/api/friends/x").status_code == 404
    assert names(ada) == ["Bo"]
    assert ada.delete(f"/api/friends/{friend['num']}").json()["friends"] == []
    assert names(bo) == []


def test_bans_and_deletions_part_friends(players: list[httpx.Client], place: DatabasePlace) -> None:
    ada, bo, cy = players
    token = link_of(ada)
    for each in (bo, cy):
        befriend(each, token)
    with Administration.open(place) as opened:
        player = ada.get("/api/me").json()["id"]
        opened.ban(player)
        assert names(bo) == []
        assert bo.get(f"/api/friends/links/{token}").status_code == 404
        opened.unban(player)
    assert names(bo) == ["Ada"]
    assert ada.get("/api/friends").json()["link"] is None
    bo.delete("/api/me")
    assert names(ada) == ["Cy"]


def test_nobody_has_more_friends_than_there_may_be(
    players: list[httpx.Client], place: DatabasePlace
) -> None:
    ada, bo, _ = players
    token, player = link_of(ada), ada.get("/api/me").json()["id"]
    readers, writer = open_beside_server(place)
    others = [f"{number:036}" for number in range(MOST_FRIENDS)]
    with writer.begin() as connection:
        rows = [{"id": other, "created_at": ""} for other in others]
        connection.execute(PLAYERS.insert(), rows)
        pairs = [{"player": player, "friend": other, "since": ""} for other in others]
        connection.execute(FRIENDSHIPS.insert(), pairs)
    for engine in (readers, writer):
        engine.dispose()
    answer = befriend(bo, token)
    assert (answer.status_code, answer.json()["error"]["what"]) == (409, "no_friendship")


async def enter_win_of(place: DatabasePlace, player: str, time_ms: int) -> None:
    """Enter a win of a player, as if it had been played."""

    def write(connection: Connection) -> None:
        num = insert_game(connection, new_id(), player, demine.Game("beginner"))
        at = "2026-11-27T12:00:00.000000Z"
        enter_win(connection, RankedWin(num, player, "beginner opening", at, time_ms, 1.0, 1.0))

    database = await Database.open(place)
    await database.write(write)
    await database.close()


def test_friends_see_each_other_in_leaderboards_of_their_own(place: DatabasePlace) -> None:
    cookies, token = {}, ""
    with serve(make_app(place)) as address:
        for name in ("Ada", "Bo", "Cy"):
            with browser(address) as client:
                player = client.put("/api/me", json={"name": name, "is_listed": name == "Cy"})
                cookies[name] = dict(client.cookies), player.json()["id"]
                if name == "Bo":
                    befriend(client, token)
                token = token or link_of(client)
    for name, time_ms in (("Ada", 9000), ("Bo", 8000), ("Cy", 7000)):
        asyncio.run(enter_win_of(place, cookies[name][1], time_ms))
    with serve(make_app(place)) as address, browser(address) as client:
        client.cookies.update(cookies["Ada"][0])

        def page(**asked: str) -> tuple[list[tuple[int, str, bool]], int]:
            found = client.get("/api/leaderboards", params={"level": "beginner", **asked}).json()
            rows = [(each["place"], each["name"], each["you"]) for each in found["rows"]]
            return rows, found["you"]["place"]

        assert page() == ([(1, "Cy", False)], 2)
        assert page(friends="true") == ([(1, "Bo", False), (2, "Ada", True)], 2)
        assert page(friends="true", after="1", count="1") == ([(2, "Ada", True)], 2)
