"""What the page is sent before anybody is known: kept, packed, and no other file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from demine.scene.themes import THEMES
from demine.web.app import make_app
from demine.web.page.files import address
from tests.web.doors_app import browser, serve

_HTML = "text/html; charset=utf-8"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder: Path = tmp_path_factory.mktemp("page")
    with serve(make_app(folder / "server.sqlite")) as address, browser(address) as found:
        yield found


@pytest.mark.parametrize(
    "path",
    [
        address("sprites/nope/32.json"),
        address("sprites/light/9999.json"),
        address("sprites/light/32.json?palette=nope"),
        address("sprites/light/32.json?codes=1.2.3"),
        address("sprites/light/32.json?codes=99.0.0.0.0"),
        address("sprites/light/32.json?codes=") + ",".join(f"9.0.{m}.1.0" for m in range(999)),
        address("header/light/1.json"),
        "/api/icon/5000.png",
        "/api/icon/maskable/5000.png",
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/index.html",
        "/static/0123456789abcdef/index.html",
        address("../page/files.py"),
        address("%2e%2e/page/files.py"),
        address("/etc/passwd"),
    ],
)
def test_no_other_file_is_ever_sent(client: httpx.Client, path: str) -> None:
    assert client.get(path, follow_redirects=True).status_code == 404


def test_answers_are_kept_by_their_tag(client: httpx.Client) -> None:
    first = client.get(address("sprites/dark/40.json"))
    assert first.headers["content-encoding"] == "gzip"
    assert "immutable" in first.headers["cache-control"]
    assert set(first.json()) == {"tiles", "over", "small"}
    again = client.get(
        address("sprites/dark/40.json"), headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_the_page_and_its_worker_are_asked_for_anew_and_name_their_version(
    client: httpx.Client,
) -> None:
    for path in ("/", "/history", "/worker.js", "/api/manifest.webmanifest"):
        assert client.get(path).headers["cache-control"] == "no-cache", path
    page, worker = client.get("/").text, client.get("/worker.js").text
    named = set(re.findall(r'"(/static/[^"]+)"', page))
    assert named
    assert all(name.startswith(address("")) for name in named)
    kept = re.findall(r'"(/static/[^"]+)"', worker)
    assert named <= {*kept}
    assert all(client.get(path).status_code == 200 for path in kept)


def test_the_manifest_speaks_the_browsers_language(client: httpx.Client) -> None:
    chinese = client.get("/api/manifest.webmanifest", headers={"Accept-Language": "zh-CN"})
    assert chinese.json()["lang"] == "zh-CN"
    assert "扫雷" in chinese.json()["description"]
    assert "Accept-Language" in chinese.headers["vary"]
    for icon in chinese.json()["icons"]:
        assert client.get(icon["src"]).headers["content-type"] == icon["type"]


def test_every_theme_is_in_the_style_sheet(client: httpx.Client) -> None:
    text = client.get(address("themes.css")).text
    assert all(f'[data-theme="{name}"]' in text for name in THEMES)


def test_words_of_a_language_without_any_are_english(client: httpx.Client) -> None:
    assert client.get(address("words/xx.json")).json()["language"] == "en"
    chinese = client.get(address("words/zh-Hans.json")).json()
    assert chinese["texts"]["Pause"] == "暂停"
    assert chinese["texts"]["{n} cell opened\n{n} cells opened"] == ["打开了 {n} 个格子"]


def test_tiles_for_the_asking_are_rationed(tmp_path: Path) -> None:
    # A server of its own: what this address may still ask for is used up afterwards.
    with serve(make_app(tmp_path / "server.sqlite")) as site, browser(site) as client:
        statuses = (
            client.get(address(f"sprites/light/{32 + n}.json?codes=9.0.1.0.0")).status_code
            for n in range(150)
        )
        assert next(statuses) == 200
        assert 429 in statuses


@pytest.mark.parametrize("path", ["/nosuch", "/g/nosuch", "/w/nosuch", "/r/nosuch"])
def test_a_wrong_address_is_answered_with_a_page_that_leads_to_the_game(
    client: httpx.Client, path: str
) -> None:
    english = client.get(path, headers={"Accept-Language": "en"})
    assert (english.status_code, english.headers["content-type"]) == (404, _HTML)
    assert "There is nothing here" in english.text
    assert '<a class="button accent" href="/">' in english.text
    chinese = client.get(path, headers={"Accept-Language": "zh-CN"})
    assert '<html lang="zh-CN">' in chinese.text
    assert "这里什么也没有" in chinese.text


def test_the_page_of_a_game_is_its_players_alone_until_it_is_over(client: httpx.Client) -> None:
    game = client.post("/api/games", json={"rules": "9x9/10"}).json()["id"]
    assert client.get(f"/g/{game}").status_code == 200
    assert client.get(f"/w/{game}").status_code == 200
    client.cookies.clear()
    assert client.get(f"/g/{game}").status_code == 404


def test_programs_are_not_sent_a_page_where_nothing_is(client: httpx.Client) -> None:
    assert client.get("/api/nosuch").text == "Not Found"
