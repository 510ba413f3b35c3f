"""A client that lies gets nowhere in a leaderboard, over real sockets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import demine
from demine.web.app import make_app
from demine.web.database.place import DatabasePlace
from demine.web.latency import MOST_MS
from tests.web.doors_app import serve
from tests.web.leaderboards.leaderboard_games import begin
from tests.web.races.race_site import Racer
from tests.web.stored_rows import rows
from tests.web.waiting import SECONDS


@pytest.fixture
def site(place: DatabasePlace) -> Iterator[str]:
    with serve(make_app(place)) as address:
        yield address


@pytest.fixture
def client(site: str) -> Iterator[Racer]:
    with Racer(site) as opened:
        opened.http.put("/api/me", json={"name": "Liar", "is_listed": True})
        yield opened


def best(client: Racer, **asked: str) -> dict[str, Any]:
    answer = client.http.get("/api/leaderboards", params={"level": "beginner", **asked})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_false_stamps_and_repeated_acts_of_two_tabs_gain_nothing(
    client: Racer, place: DatabasePlace
) -> None:
    game, mines = begin(client, place, rules="beginner")
    first = client.playing
    tabs = [client.socket(f"/ws/games/{game}?client={name}") for name in "ab"]
    assert first is not None
    cells = np.argwhere(~mines).tolist()
    for number, cell in enumerate(cells, 1):
        for stamp in (10**9, 0):  # the second message repeats the number of the first
            for said_before, tab in zip((1, 0), tabs, strict=True):
                seq = number + said_before
                message = {"seq": seq, "verb": "open", "cell": cell, "t": stamp}
                tab.send(json.dumps(message))
    for tab in tabs:
        while json.loads(str(tab.recv(timeout=SECONDS))).get("status") != "won":
            pass
    ((time_ms, arrived_ms),) = rows(place, "SELECT time_ms, arrived_ms FROM games WHERE id=?", game)
    assert abs(time_ms - arrived_ms) <= MOST_MS
    page = best(client)
    assert [each["game"] for each in page["rows"]] == [game]
    assert (page["you"]["place"], page["you"]["time_ms"], page["total"]) == (1, time_ms, 1)
    assert rows(place, "SELECT count(*) FROM wins") == [(1,)]
    # Everybody can watch it.
    assert client.http.get(f"/w/{game}").status_code == 200


@pytest.mark.parametrize("known", [{"rules": "beginner", "seed": 7}, {"share": ""}])
def test_boards_that_may_be_known_enter_nothing(
    client: Racer, place: DatabasePlace, known: dict[str, object]
) -> None:
    if "share" in known:
        shared = demine.Game("beginner", 7)
        shared.open(4, 4)
        known = {"share": shared.share()}
    _, mines = begin(client, place, **known)
    assert client.win(mines)["status"] == "won"
    assert best(client)["rows"] == []


def test_a_won_board_that_is_played_again_enters_nothing(
    client: Racer, place: DatabasePlace
) -> None:
    game, mines = begin(client, place, rules="beginner")
    client.win(mines)
    before = best(client)["rows"]
    assert [each["game"] for each in before] == [game]
    again = client.ask("POST", "/api/games", again=game).json()["id"]
    client.play(again)
    assert client.act("open", 4, 4)["status"] == "running"
    assert client.win(mines)["status"] == "won"
    assert best(client)["rows"] == before


def test_imported_wins_enter_nothing(client: Racer, site: str, place: DatabasePlace) -> None:
    _, mines = begin(client, place, rules="beginner")
    client.win(mines)
    kept = client.http.get("/api/me/export").content
    with Racer(site) as other:
        other.http.put("/api/me", json={"name": "Thief", "is_listed": True})
        answer = other.http.post("/api/me/import", content=kept)
        assert answer.status_code == 200, answer.text
        assert other.http.get("/api/me").json()["games"] == 1
        page = best(other)
    assert [each["name"] for each in page["rows"]] == ["Liar"]
    assert page["you"] is None


def test_what_is_asked_is_checked(client: Racer) -> None:
    for wrong in ("level=ten", "after=-1", "after=100001", "count=1000", "measure=x", "x=1"):
        assert client.http.get(f"/api/leaderboards?{wrong}").status_code == 400, wrong
    assert best(client, deal="guess-free", period="week", friends="true")["total"] == 0
    assert best(client, deal="classic")["rules"] == "9x9/10 first=safe"
