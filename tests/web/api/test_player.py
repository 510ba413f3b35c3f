"""Players: made when one is needed, renamed, moved to another device, deleted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from demine.web.api import player
from demine.web.database.database import open_beside_server
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import PLAYERS
from tests.web.doors_app import browser, serve_doors


@pytest.fixture
def client(place: DatabasePlace) -> Iterator[httpx.Client]:
    with (
        serve_doors(place, player.DOORS) as address,
        browser(address) as opened,
    ):
        yield opened


def another_browser(
    client: httpx.Client, **headers: str
) -> contextlib.AbstractContextManager[httpx.Client]:
    return browser(str(client.base_url), **headers)


def test_looking_makes_no_player(client: httpx.Client) -> None:
    answer = client.get("/api/me", headers={"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"})
    assert answer.json() | {"preferences": 0} == {
        "id": None, "name": "", "language": "", "preferences": 0, "games": 0,
        "is_listed": False,
    }  # fmt: skip
    assert "set-cookie" not in answer.headers
    assert client.delete("/api/me").status_code == 404


def test_changes_are_kept(client: httpx.Client) -> None:
    made = client.put("/api/me", json={"name": " Ada\u202e ", "preferences": {"sound": False}})
    assert made.status_code == 200, made.text
    assert client.put("/api/me", json={"preferences": {"theme": "classic"}}).status_code == 200
    found = client.get("/api/me").json()
    assert found["id"] == made.json()["id"]
    assert found["name"] == "Ada"
    assert (found["preferences"]["sound"], found["preferences"]["theme"]) == (False, "classic")


@pytest.mark.parametrize(
    "body",
    [
        {"name": 7},
        {"preferences": {"nothing": 1}},
        {"preferences": {"theme": 5}},
        {"preferences": {"rules": "9x9/99"}},
        [],
        "name",
    ],
)
def test_what_cannot_be_chosen_is_refused(client: httpx.Client, body: object) -> None:
    answer = client.put("/api/me", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["what"] == "malformed"


def test_other_types_than_json_are_refused(client: httpx.Client) -> None:
    # A form of another site can send these without asking.
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
    ):
        answer = client.put("/api/me", content=b"{}", headers={"content-type": kind})
        assert answer.status_code == 400, kind


def test_deep_and_large_json_is_refused(client: httpx.Client) -> None:
    kind = {"content-type": "application/json"}
    deep = b'{"preferences": ' + b'{"a":' * 20_000 + b"0" + b"}" * 20_001
    assert client.put("/api/me", content=deep, headers=kind).status_code in {400, 413}
    deep = b'{"preferences": ' + b'{"a":' * 5_000 + b"0" + b"}" * 5_001
    assert client.put("/api/me", content=deep, headers=kind).status_code == 400
    large = client.put("/api/me", json={"name": "x" * (1 << 16)})
    assert (large.status_code, large.json()["error"]["what"]) == (413, "too_large")


def test_each_browser_of_a_player_speaks_its_own_language(client: httpx.Client) -> None:
    """What the first browser speaks is nobody's choice; the page itself heeds each browser."""
    client.put("/api/me", json={"name": "Ada"}, headers={"accept-language": "en"})
    assert client.get("/api/me").json()["language"] == ""
    refused = client.put(
        "/api/me", json={"language": "xx"}, headers={"accept-language": "zh-CN"}
    ).json()["error"]["message"]
    assert any("\u4e00" <= letter <= "\u9fff" for letter in refused)


def test_errors_speak_the_players_language(client: httpx.Client) -> None:
    client.put("/api/me", json={"language": "zh"})
    said = client.put("/api/me", json={"language": "xx"}).json()["error"]["message"]
    assert "xx" in said
    assert any("\u4e00" <= letter <= "\u9fff" for letter in said)


def test_forged_and_stolen_cookies(client: httpx.Client) -> None:
    client.put("/api/me", json={"name": "Ada"})
    value = client.cookies["demine"]
    flipped = value[:-5] + ("A" if value[-5] != "A" else "B") + value[-4:]
    for forged in (
        flipped,
        value[::-1],
        "",
        "a" * 8000,
        value + "; demine=x",
        "%00",
        "' OR 1=1 --",
    ):
        with another_browser(client, cookie=f"demine={forged}") as other:
            assert other.get("/api/me").json()["id"] is None or forged.startswith(value)


def test_link_moves_the_player_to_another_device(client: httpx.Client) -> None:
    player = client.put("/api/me", json={"name": "Ada"}).json()["id"]
    first = client.post("/api/me/recovery").json()["link"]
    second = client.post("/api/me/recovery").json()["link"]
    with another_browser(client) as other:
        assert other.get(second).status_code == 200
        assert other.get("/api/me").json()["id"] is None, "looking at a link changes nothing"
        assert (
            other.post("/api/recover", json={"token": first.rsplit("/", 1)[1]}).status_code == 404
        )
        assert other.post(first).status_code == 404
        moved = other.post(second)
        assert (moved.status_code, moved.headers["location"]) == (303, "/")
        assert other.get("/api/me").json()["id"] == player
    with another_browser(client) as third:
        token = second.rsplit("/", 1)[1]
        assert third.post("/api/recover", json={"token": token}).json()["name"] == "Ada"
        assert third.get("/api/me").json()["id"] == player


def test_link_page_speaks_chinese_and_escapes(client: httpx.Client) -> None:
    page = client.get("/recover/<script>", headers={"accept-language": "zh"})
    assert "<script>" not in page.text
    assert 'lang="zh-CN"' in page.text


def test_tokens_are_not_in_the_database(client: httpx.Client, place: DatabasePlace) -> None:
    client.put("/api/me", json={"name": "Ada"})
    token = client.post("/api/me/recovery").json()["link"].rsplit("/", 1)[1].encode()
    readers, _ = open_beside_server(place)
    with readers.connect() as connection:
        found = connection.execute(select(PLAYERS)).all()
    readers.dispose()
    assert found
    assert token.decode() not in str(found)
    if isinstance(place, Path):
        for path in place.parent.iterdir():
            assert token not in path.read_bytes()


def test_deleting_leaves_nothing(client: httpx.Client) -> None:
    client.put("/api/me", json={"name": "Ada"})
    value = client.cookies["demine"]
    link = client.post("/api/me/recovery").json()["link"]
    assert client.delete("/api/me").status_code == 200
    assert "demine" not in client.cookies
    assert client.post(link).status_code == 404
    with another_browser(client, cookie=f"demine={value}") as other:
        assert other.get("/api/me").json()["id"] is None
        assert other.delete("/api/me").status_code == 404


@pytest.mark.parametrize("name", ["'; DROP TABLE players; --", '" OR ""="', "%", "\\", "\0"])
def test_names_are_values_and_no_sql(client: httpx.Client, name: str) -> None:
    kept = client.put("/api/me", json={"name": name}).json()["name"]
    assert client.get("/api/me").json()["name"] == kept == name.replace("\0", "")


def test_recovery_cannot_be_guessed_quickly(client: httpx.Client) -> None:
    codes = [client.post("/api/recover", json={"token": str(n)}).status_code for n in range(30)]
    assert set(codes) == {404, 429}
    last = client.post("/api/recover", json={"token": "x"})
    assert int(last.headers["retry-after"]) >= 1
