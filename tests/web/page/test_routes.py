"""What the page is sent before anybody is known: kept, packed, and no other file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from demine.scene.themes import THEMES
from demine.web.app import make_app
from tests.web.doors_app import browser, serve


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder: Path = tmp_path_factory.mktemp("page")
    with serve(make_app(folder / "server.sqlite")) as address, browser(address) as found:
        yield found


@pytest.mark.parametrize(
    "path",
    [
        "/api/sprites/nope/32",
        "/api/sprites/light/9999",
        "/api/sprites/light/32?palette=nope",
        "/api/sprites/light/32?codes=1.2.3",
        "/api/sprites/light/32?codes=99.0.0.0.0",
        "/api/sprites/light/32?codes=" + ",".join(f"9.0.{m}.1.0" for m in range(999)),
        "/api/header/light/1",
        "/api/icon/5000.png",
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "path", ["/static/../page_data.py", "/static/%2e%2e/page_data.py", "/static//etc/passwd"]
)
def test_no_other_file_is_ever_sent(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_answers_are_kept_by_their_tag(client: httpx.Client) -> None:
    first = client.get("/api/sprites/dark/40")
    assert first.headers["content-encoding"] == "gzip"
    assert set(first.json()) == {"tiles", "over", "small"}
    again = client.get("/api/sprites/dark/40", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_every_theme_is_in_the_style_sheet(client: httpx.Client) -> None:
    text = client.get("/api/themes.css").text
    assert all(f'[data-theme="{name}"]' in text for name in THEMES)


def test_words_of_a_language_without_any_are_english(client: httpx.Client) -> None:
    assert client.get("/api/words/xx").json()["language"] == "en"
    chinese = client.get("/api/words/zh-Hans").json()
    assert chinese["texts"]["Pause"] == "暂停"
    assert chinese["texts"]["{n} cell opened\n{n} cells opened"] == ["打开了 {n} 个格子"]


def test_tiles_for_the_asking_are_rationed(client: httpx.Client) -> None:
    statuses = [
        client.get(f"/api/sprites/light/{32 + n}?codes=9.0.1.0.0").status_code for n in range(150)
    ]
    assert statuses[0] == 200
    assert 429 in statuses
