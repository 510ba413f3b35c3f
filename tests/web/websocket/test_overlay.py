"""Overlays on a real server: they follow a player's games, and help nobody unseen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from demine.game import Game
from demine.play import race as race_rules
from demine.web.app import make_app
from demine.web.database.place import DatabasePlace
from demine.web.limits import OVERLAYS_OF_PLAYER
from tests.web.doors_app import serve
from tests.web.races.race_site import Racer, mines_of
from tests.web.waiting import SECONDS

RULES, SEED = "9x9/10", 7


@pytest.fixture
def site(place: DatabasePlace, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(race_rules, "COUNTDOWN_MS", 200)
    with serve(make_app(place)) as address:
        yield address


@pytest.fixture
def player(site: str) -> Iterator[Racer]:
    with Racer(site) as made:
        yield made


@pytest.fixture
def viewer(site: str) -> Iterator[Racer]:
    """Somebody else, without a player of their own."""
    with Racer(site) as made:
        yield made


def address_of(player: Racer, *, risks: bool = False) -> str:
    """Make an overlay; return where its socket is."""
    answer = player.ask("POST", "/api/me/overlay", shows_risks=risks)
    assert answer.status_code == 200, answer.text
    link = str(answer.json()["link"])
    return "/ws/overlays/" + link.rpartition("/overlay/")[2].partition("?")[0]


def begin(player: Racer, **board: object) -> dict[str, Any]:
    """Begin a game of the player; return the first message."""
    made = player.ask("POST", "/api/games", **(board or {"rules": RULES, "seed": SEED}))
    return player.play(made.json()["id"])


def shown(viewer: Racer, socket: ClientConnection, **expected: object) -> dict[str, Any]:
    """The game that an overlay shows, once it is as expected."""
    while True:
        game: dict[str, Any] = viewer.hear(socket)["game"] or {}
        if all(game.get(name) == value for name, value in expected.items()):
            return game


def last_word(socket: ClientConnection) -> str:
    """Why the server closes a connection."""
    word = ""
    try:
        while True:
            word = json.loads(socket.recv(timeout=SECONDS)).get("bye", word)
    except ConnectionClosed:
        return word


def test_it_shows_what_its_player_sees_and_follows_to_the_next_game(
    player: Racer, viewer: Racer
) -> None:
    overlay = viewer.socket(address_of(player))
    assert viewer.hear(overlay) == {"v": 1, "game": None}
    assert begin(player)["status"] == "ready"
    ready = shown(viewer, overlay, status="ready")
    assert ready["faces"] == ["9" * 9] * 9
    player.act("open", 4, 4)
    game = Game(RULES, SEED)
    game.open(4, 4)
    running = shown(viewer, overlay, status="running")
    assert set("".join(running["faces"])) <= set("0123456789ab")
    assert (
        np.array([list(row) for row in running["faces"]]) != "9"
    ).sum() == game.board.open_map.sum()
    mine = tuple(map(int, np.argwhere(game.board.mine_map)[0]))
    player.act("flag", *mine)
    assert shown(viewer, overlay, mines_left=9)["status"] == "running"
    assert not any("three_bv" in told or "c" in json.loads(told)["game"]["faces"][0]
                   for told in viewer.heard if '"running"' in told)  # fmt: skip
    player.act("flag", *mine)
    player.act("open", *mine)
    over = shown(viewer, overlay, status="lost")
    assert "d" in over["faces"][mine[0]]
    assert over["three_bv"] > 0
    begin(player, rules="16x16/40")
    assert shown(viewer, overlay, status="ready")["width"] == 16


def test_a_game_that_is_played_on_comes_back(player: Racer, viewer: Racer) -> None:
    overlay = viewer.socket(address_of(player))
    begin(player)
    first, number = player.playing, player.number
    begin(player, rules="16x16/40")
    shown(viewer, overlay, width=16)
    player.playing, player.number = first, number
    player.act("open", 4, 4)
    assert shown(viewer, overlay, width=9)["status"] == "running"


def test_risks_that_the_player_did_not_allow_are_not_shown(player: Racer, viewer: Racer) -> None:
    overlay = viewer.socket(address_of(player) + "?risk=1")
    begin(player, rules=RULES)
    player.act("open", 4, 4)
    game = shown(viewer, overlay, status="running")
    player.act("pause")
    shown(viewer, overlay, status="paused")
    player.act("resume")
    shown(viewer, overlay, status="running")
    assert not any("risks" in told for told in viewer.heard)
    assert "practice" not in game["title"]


def test_risks_make_the_game_practice_before_anybody_sees_them(
    player: Racer, viewer: Racer
) -> None:
    secret = address_of(player, risks=True)
    without, overlay = viewer.socket(secret), viewer.socket(secret + "?risk=1")
    begin(player, rules=RULES)
    player.act("open", 4, 4)
    while not (risky := viewer.hear(overlay)["game"] or {}).get("risks"):
        assert risky.get("status") != "lost"
    assert "practice: helped" in risky["title"]
    rows, percents = [each[0] for each in risky["risks"]], [each[2] for each in risky["risks"]]
    assert set(rows) <= set(range(9))
    assert all(0 <= percent <= 100 for percent in percents)
    assert shown(viewer, without, status="running", title=risky["title"]).get("risks") is None
    assert player.playing is not None
    told = player.hear(player.playing)
    while told.get("unranked") != "hint":
        told = player.hear(player.playing)


def test_nobody_is_helped_in_a_race_and_its_board_is_hidden_until_its_end(
    site: str, player: Racer, viewer: Racer, place: DatabasePlace
) -> None:
    secret = address_of(player, risks=True)
    overlay = viewer.socket(secret + "?risk=1")
    with Racer(site) as rival:
        race = player.make(rules="9x9/12")
        for racer in (player, rival):
            racer.come_and_be_ready(race)
        game = player.until_phase("running")["game"]
        player.play(game)
        rival.play(rival.until_phase("running")["game"])
        assert "faces" not in shown(viewer, overlay, status="running")
        mines = mines_of(place, race)
        assert player.win(mines)["status"] == "won"
        hidden = shown(viewer, overlay, status="won")
        assert "faces" not in hidden
        assert "three_bv" not in hidden
        rival.win(mines)
        while "faces" not in (viewer.hear(overlay)["game"] or {}):
            pass
    running = [told for told in viewer.heard if '"running"' in told]
    assert running
    assert not any("faces" in told or "risks" in told for told in running)


def test_a_new_overlay_ends_the_one_before_and_the_player_ends_the_last(
    player: Racer, viewer: Racer
) -> None:
    assert player.ask("GET", "/api/me/overlay").json() == {"exists": False, "shows_risks": False}
    first = viewer.socket(address_of(player))
    viewer.hear(first)
    secret = address_of(player, risks=True)
    assert last_word(first) == "not_found"
    assert player.ask("GET", "/api/me/overlay").json() == {"exists": True, "shows_risks": True}
    second = viewer.socket(secret)
    viewer.hear(second)
    assert player.ask("DELETE", "/api/me/overlay").status_code == 200
    assert last_word(second) == "not_found"
    assert last_word(viewer.socket(secret)) == "not_found"
    assert last_word(viewer.socket("/ws/overlays/nosuch")) == "not_found"
    third = viewer.socket(address_of(player))
    viewer.hear(third)
    assert player.ask("DELETE", "/api/me").status_code == 200
    assert last_word(third) == "not_found"


def test_it_takes_pings_alone_and_there_are_not_too_many(player: Racer, viewer: Racer) -> None:
    secret = address_of(player)
    sockets = [viewer.socket(secret) for _ in range(OVERLAYS_OF_PLAYER)]
    for each in sockets:
        viewer.hear(each)
    assert last_word(viewer.socket(secret)) == "too_many"
    sockets[0].send('{"ping": 5}')
    assert viewer.hear(sockets[0])["pong"] == 5
    bad: tuple[str | bytes, ...] = '{"verb": "open"}', '{"ping": "x"}', b"\0"
    for each, said in zip(sockets, bad, strict=False):
        each.send(said)
        assert last_word(each) == "malformed"
