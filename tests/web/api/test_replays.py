"""Uploaded replays: listed, deleted, taken along and brought in again, each only by its player."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from demine.game import Game
from demine.store import Store
from demine.web.app import make_app
from demine.web.database import uploads
from demine.web.database.place import DatabasePlace
from tests.web.doors_app import new_player, serve


@pytest.fixture(scope="module")
def site(shared_place: DatabasePlace) -> Iterator[str]:
    with serve(make_app(shared_place)) as address:
        yield address


@pytest.fixture
def player(site: str) -> Iterator[httpx.Client]:
    with new_player(site) as opened:
        yield opened


@pytest.fixture
def other(site: str) -> Iterator[httpx.Client]:
    with new_player(site) as opened:
        yield opened


def replay(*, won: bool) -> bytes:
    game = Game("4x4/15", 7, facts={"player": "Ann"})
    if won:
        game.open(0, 0)
    else:
        game.flag(0, 0)
    return game.journal().encode()


def send(player: httpx.Client, name: str, *, won: bool = True) -> dict[str, Any]:
    answer = player.post("/api/replays", params={"name": name}, content=replay(won=won))
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def listed(player: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = player.get("/api/replays").json()["replays"]
    return found


def test_what_was_sent_is_listed_for_its_player_alone(
    player: httpx.Client, other: httpx.Client
) -> None:
    assert player.get("/api/replays").json() == {"replays": [], "most": uploads.MOST_UPLOADS}
    first, second = send(player, "first.demine"), send(player, "second.demine", won=False)
    found = listed(player)
    assert [(row["id"], row["title"]) for row in found] == [
        (second["id"], second["title"]), (first["id"], first["title"]),
    ]  # fmt: skip
    assert [(row["name"], row["rules"], row["status"]) for row in found] == [
        ("second.demine", "4x4/15", "running"), ("first.demine", "4x4/15", "won"),
    ]  # fmt: skip
    assert found[1]["title"].startswith("first.demine · Ann · 4 × 4, 15 mines · won in")
    chinese = player.get("/api/replays", headers={"Accept-Language": "zh-CN"}).json()["replays"]
    assert chinese[1]["title"] != found[1]["title"]
    assert listed(other) == []
    assert other.delete(f"/api/replays/{first['id']}").status_code == 404
    assert player.delete(f"/api/replays/{first['id']}").json() == {}
    assert player.delete(f"/api/replays/{first['id']}").status_code == 404
    assert [row["id"] for row in listed(player)] == [second["id"]]
    assert other.get(f"/api/games/{first['id']}/watch").status_code == 404
    assert other.get(f"/api/games/{second['id']}/watch").status_code == 200


def test_replays_are_taken_along_and_deleted_with_their_player(
    player: httpx.Client, other: httpx.Client, tmp_path: Path
) -> None:
    sent = [send(player, "won.demine"), send(player, "open.demine", won=False)]
    export = player.get("/api/me/export").content
    assert json.loads(export.splitlines()[-1])["end"]["replays"] == 2
    again = player.post("/api/me/import", content=export).json()
    assert (again["added"], again["known"], again["left"]) == (0, 2, 0)
    copied = other.post("/api/me/import", content=export).json()
    assert (copied["added"], copied["left"]) == (2, 0)
    there = listed(other)
    assert [row["title"] for row in there] == [row["title"] for row in listed(player)]
    assert not {row["id"] for row in there} & {each["id"] for each in sent}
    with Store.open(tmp_path / "desktop.db") as store:
        store.import_(io.BytesIO(export))
        (row,) = store.games()
        assert (row.id, row.unranked, row.result) == (sent[0]["id"], "imported", None)
    player.delete("/api/me")
    for each in sent:
        assert other.get(f"/api/games/{each['id']}/watch").status_code == 404
    assert len(listed(other)) == 2


def test_who_has_no_room_keeps_what_is_there(
    player: httpx.Client, other: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        send(other, name)
    export = other.get("/api/me/export").content
    mine = send(player, "mine")
    monkeypatch.setattr("demine.web.api.export_import.MOST_UPLOADS", 2)
    answer = player.post("/api/me/import", content=export).json()
    assert (answer["added"], answer["left"]) == (1, 1)
    assert {row["name"] for row in listed(player)} == {"mine", "one"}
    monkeypatch.setattr(uploads, "MOST_UPLOADS", 2)
    send(player, "newest")
    assert [row["name"] for row in listed(player)] == ["newest", "one"]
    assert mine["id"] not in {row["id"] for row in listed(player)}
