"""What other sites learn of a link to a recording: tags, oEmbed, and a picture of the board."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from demine import Game, sight
from demine.picture import render
from demine.scene.themes import theme
from demine.web.app import make_app
from tests.web.doors_app import browser, serve
from tests.web.races.race_site import Racer

HOSTILE = '"><script>alert(1)</script>&amp;.demine'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("site")
    with serve(make_app(folder / "server.sqlite")) as address:
        yield address


@pytest.fixture(scope="module")
def client(site: str) -> Iterator[httpx.Client]:
    with browser(site) as opened:
        yield opened


def lost_game() -> Game:
    game = Game("30x16/99", seed=7)
    game.open(8, 15, t=0)
    game.open(*np.argwhere(game.board.mine_map)[0].tolist(), t=1500)
    return game


def sent(client: httpx.Client, name: str) -> str:
    """Send a replay; return its id."""
    journal = lost_game().journal().encode()
    answer = client.post("/api/replays", params={"name": name}, content=journal)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


class Head(HTMLParser):
    """The tags of a page that tell of it, as a browser reads them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.properties: dict[str, str] = {}
        self.oembed = ""
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "meta" and "property" in found:
            self.properties[found["property"]] = found["content"]
        if found.get("type") == "application/json+oembed":
            self.oembed = found["href"]
        self.scripts += tag == "script"


def test_a_link_tells_of_the_game_and_leads_to_its_picture(client: httpx.Client) -> None:
    game = sent(client, "mine.demine")
    plain = head = Head(client.get("/").text)
    for path in (f"/w/{game}", f"/r/{game}"):
        answer = client.get(path)
        head = Head(answer.text)
        assert "Accept-Language" in answer.headers["vary"]
        assert head.properties["og:title"] == "mine.demine · Expert · lost after 1.500 s"
        assert head.properties["og:url"] == str(client.base_url).rstrip("/") + path
        assert head.scripts == plain.scripts
    picture = client.get(head.properties["og:image"])
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    pixels = np.asarray(Image.open(io.BytesIO(picture.content)).convert("RGB"))
    expected = render(sight(lost_game()), theme("light"), pixels.shape[0] // 16)
    assert np.array_equal(pixels, expected)
    said = head.properties["og:image:width"], head.properties["og:image:height"]
    assert said == (str(pixels.shape[1]), str(pixels.shape[0]))
    assert plain.properties == {}


def test_what_a_file_is_called_is_only_ever_text(client: httpx.Client) -> None:
    game = sent(client, HOSTILE)
    text = client.get(f"/w/{game}").text
    assert "<script>alert" not in text
    title = f"{HOSTILE} · Expert · lost after 1.500 s"
    assert Head(text).properties["og:title"] == title
    described = client.get(Head(text).oembed).json()
    assert described["title"] == title
    assert described["html"].count("<") == 2
    assert title in unescape(described["html"])


def test_it_speaks_the_language_of_whoever_asks(client: httpx.Client) -> None:
    game = sent(client, "x")
    text = client.get(f"/w/{game}", headers={"accept-language": "zh-CN"}).text
    assert "高级" in Head(text).properties["og:title"]


def test_oembed_offers_a_frame_that_fits(client: httpx.Client) -> None:
    game = sent(client, "x")
    link = str(client.base_url).rstrip("/") + f"/w/{game}"
    found = client.get("/api/oembed", params={"url": link}).json()
    assert (found["type"], found["version"], found["provider_name"]) == ("rich", "1.0", "demine")
    frame = re.search(r'src="([^"]+)" width="(\d+)" height="(\d+)"', found["html"])
    assert frame is not None
    assert frame[1] == link.replace("/w/", "/embed/")
    assert client.get(frame[1]).headers["content-security-policy"].endswith("frame-ancestors *")
    assert (int(frame[2]), int(frame[3])) == (found["width"], found["height"]) == (480, 460)
    room = {"url": link, "maxwidth": "300", "maxheight": "100"}
    small = client.get("/api/oembed", params=room).json()
    assert (small["width"], small["height"]) == (300, 240)


def test_oembed_knows_no_other_addresses(client: httpx.Client) -> None:
    own = str(client.base_url).rstrip("/")
    game = sent(client, "x")
    for url in (
        "", "x", "http://[", f"http://evil.example/w/{game}", f"{own}@evil.example/w/{game}",
        f"{own}/w/nosuch", f"{own}/g/{game}", f"{own}/w/{game}/..", f"https{own[4:]}/w/{game}",
    ):  # fmt: skip
        assert client.get("/api/oembed", params={"url": url}).status_code == 404, url
    params = {"url": f"{own}/w/{game}", "format": "xml"}
    assert client.get("/api/oembed", params=params).status_code == 501
    assert client.get("/api/oembed").status_code == 400


def test_a_running_game_is_told_of_nowhere(site: str, client: httpx.Client) -> None:
    with Racer(site) as player:
        game = player.ask("POST", "/api/games", rules="9x9/10", seed=3).json()["id"]
        player.play(game)
        player.act("open", 4, 4)
        assert Head(client.get(f"/w/{game}").text).properties == {}
        assert client.get(f"/api/watch/{game}.png").status_code == 409
        link = f"{site}/w/{game}"
        assert client.get("/api/oembed", params={"url": link}).status_code == 404
        player.act("resign")
        assert "Beginner" in Head(client.get(f"/w/{game}").text).properties["og:title"]
        assert client.get(f"/api/watch/{game}.png").status_code == 200
        assert client.get("/api/watch/nosuch.png").status_code == 404
