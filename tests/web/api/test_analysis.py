"""The analysis of a position over HTTP, and the position of a game, which then counts as helped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

import demine
from demine.play.position_editor import MOST_CELLS
from demine.scene.overlay import Mark
from demine.web.api import analysis
from demine.web.app import make_app
from tests.web.doors_app import new_player, serve

ONE_TWO_ONE = "3x2/2\n1 2 1\n# # #"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(make_app(tmp_path_factory.mktemp("site") / "server.sqlite")) as address:
        yield address


@pytest.fixture
def player(site: str) -> Iterator[httpx.Client]:
    with new_player(site) as opened:
        yield opened


def analysed(player: httpx.Client, **asked: object) -> dict[str, Any]:
    answer = player.post("/api/analyse", json=asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_position_is_analysed_as_the_library_does(player: httpx.Client) -> None:
    found = analysed(player, text=ONE_TWO_ONE, prove=[1, 0])
    assert found["faces"] == ["121", "999"]
    assert found["risks"] == [None, None, None, 1.0, 0.0, 1.0]
    assert found["safe"] == [[1, 1]]
    assert found["certain_mines"] == [[1, 0], [1, 2]]
    assert found["best"] == {"cell": [1, 1], "risk": 0.0}
    assert found["win_chance"] == 1.0
    assert found["layouts"] == "1"
    assert found["proof"]["cell"] == [1, 0]
    assert not found["proof"]["safe"]
    assert str(demine.explain(ONE_TWO_ONE, cell=(1, 0))) in found["proof"]["text"]
    assert [1, 0, int(Mark.MINE)] in found["shown"]["marks"]
    assert found["shown"]["sentences"][0] == "1 layout fits"
    assert found["trouble"] is None


def test_rows_of_faces_are_the_same_and_the_reader_hears_their_language(
    player: httpx.Client,
) -> None:
    asked = {"faces": ["121", "999"], "mines": 2}
    answer = player.post("/api/analyse", json=asked, headers={"Accept-Language": "zh"})
    assert answer.json()["text"].split() == ["3x2/2", "1", "2", "1", "#", "#", "#"]
    assert "布局" in answer.json()["shown"]["sentences"][0]


def test_a_long_number_of_layouts_is_exact(player: httpx.Client) -> None:
    found = analysed(player, faces=["9" * 200] * 100, mines=9000)
    assert len(found["layouts"]) > 4300, "longer than `str` writes"
    assert found["shown"]["sentences"][0].count("×10^") == 1


def test_a_position_that_cannot_be_says_which_number_is_broken(player: httpx.Client) -> None:
    found = analysed(player, text="2x1/1\n3 #")
    assert found["trouble"]["what"] == "inconsistent_board"
    assert found["trouble"]["cell"] == [0, 0]
    assert found["shown"]["marks"] == [[0, 0, int(Mark.BROKEN)]]
    assert found["risks"] is None


@pytest.mark.parametrize(
    ("asked", "status", "what"),
    [
        ({}, 400, "malformed"),
        ({"text": ONE_TWO_ONE, "faces": ["9"]}, 400, "malformed"),
        ({"faces": ["99"]}, 400, "malformed"),
        ({"faces": ["99"], "mines": -1}, 400, "malformed"),
        ({"faces": ["99"], "mines": 1.5}, 400, "malformed"),
        ({"faces": ["99"], "mines": 9}, 422, "rules"),
        ({"faces": [], "mines": 1}, 422, "text"),
        ({"faces": ["", ""], "mines": 1}, 422, "rules"),
        ({"faces": ["99", "9"], "mines": 1}, 422, "text"),
        ({"faces": ["9f"], "mines": 1}, 422, "text"),
        ({"faces": ["9٣"], "mines": 1}, 422, "text"),
        ({"text": "###"}, 422, "mine_count_missing"),
        ({"text": "zzz", "mines": 1}, 422, "no_diagram"),
        ({"text": "9" * analysis.MOST_BYTES}, 413, "too_large"),
        ({"faces": ["9" * 300] * 300, "mines": 5}, 422, "text"),
    ],
)
def test_what_is_no_position_is_refused(
    player: httpx.Client, asked: dict[str, object], status: int, what: str
) -> None:
    answer = player.post("/api/analyse", json=asked)
    assert (answer.status_code, answer.json()["error"]["what"]) == (status, what)


def test_not_a_number_is_refused(player: httpx.Client) -> None:
    headers = {"Content-Type": "application/json"}
    body = '{"faces": ["99"], "mines": NaN}'
    assert player.post("/api/analyse", content=body, headers=headers).status_code == 400


def test_the_largest_position_fits_into_a_request() -> None:
    side = int(MOST_CELLS**0.5)
    text = demine.format_scene(f"{side}x{side}/9999", [[9] * side] * side)
    assert len(httpx.Request("POST", "http://x", json={"text": text}).content) < analysis.MOST_BYTES


def act(player: httpx.Client, site: str, game_id: str, *acts: dict[str, object]) -> list[str]:
    """Play acts of a game; return its faces as the page finds them afterwards."""
    address = f"{site.replace('http', 'ws')}/ws/games/{game_id}?client=test"
    cookie = {"Cookie": f"demine={player.cookies['demine']}"}
    with connect(address, additional_headers=cookie) as socket:
        number = json.loads(socket.recv())["hello"]["next_seq"]
        for each in acts:
            socket.send(json.dumps({"seq": number, **each}))
            while json.loads(socket.recv()).get("ack") != number:
                pass
            number += 1
    with connect(address, additional_headers=cookie) as socket:
        return list(json.loads(socket.recv())["hello"]["faces"])


def test_the_position_of_a_game_under_way_makes_it_practice(
    player: httpx.Client, site: str
) -> None:
    game_id = player.post("/api/games", json={"rules": "9x9/10"}).json()["id"]
    path = f"/api/games/{game_id}"
    assert player.post(f"{path}/position").json()["faces"] == ["9" * 9] * 9
    assert player.get(path).json()["unranked"] == "", "nothing is known yet, so nobody is helped"
    seen = act(player, site, game_id, {"verb": "open", "cell": [4, 4]})
    with new_player(site) as other:
        assert other.post(f"{path}/position").status_code == 404
    assert player.get(path).json()["unranked"] == ""
    act(player, site, game_id, {"verb": "pause"})
    found = player.post(f"{path}/position").json()
    assert (found["faces"], found["mines"]) == (seen, 10), "also of a board that is covered"
    known = player.get(path).json()
    assert (known["unranked"], known["status"]) == ("hint", "paused")
