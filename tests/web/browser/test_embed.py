"""A recording in a frame of another site: a real Chromium, a server, and another one beside it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains

from demine import Game
from demine.logic.event import Touch
from tests.web.browser.chromium import Browser
from tests.web.browser.served_site import ServedSite
from tests.web.races.race_site import Racer

PIXELS = "return document.querySelector('.watch-canvas').toDataURL()"
COLOUR = "return getComputedStyle(document.body).backgroundColor"
CORNER = (
    "const pen = document.querySelector('.watch-canvas').getContext('2d');"
    "return `rgb(${[...pen.getImageData(1, 1, 1, 1).data].slice(0, 3).join(', ')})`"
)
OVERFLOWS = (
    "const {scrollWidth, scrollHeight} = document.documentElement;"
    "return [...document.querySelectorAll('.watch :is(button, input, h1, canvas)')]"
    ".filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()])"
    ".filter(([, box]) => box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)"
    ".map(([each]) => each.outerHTML)"
    ".concat(scrollWidth > innerWidth || scrollHeight > innerHeight ? ['scrolls'] : [])"
)


class OtherSite:
    """A site of somebody else, whose pages have frames."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self.address = f"http://localhost:{port}"

    def frame(self, source: str, width: int = 480, height: int = 460) -> str:
        """Make a page with a frame; return its address."""
        name = f"{len(list(self._folder.iterdir()))}.html"
        style = f"width:{width}px;height:{height}px;border:0"
        page = f'<!doctype html><title>x</title><iframe src="{source}" style="{style}"></iframe>'
        (self._folder / name).write_text(page + '<div style="height:3000px">', encoding="utf-8")
        return f"{self.address}/{name}"


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_said: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[OtherSite]:
    handler = partial(QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        yield OtherSite(tmp_path, other.server_port)
        other.shutdown()


@pytest.fixture(scope="module")
def lost(site: ServedSite) -> str:
    """The id of a game that was lost after an opening, a flag and eight seconds."""
    game = Game("9x9/10", seed=7)
    game.touch(Touch(0, "", "move", 72, 72))
    game.open(4, 4, t=0)
    mines = np.argwhere(game.board.mine_map).tolist()
    game.flag(*mines[1], t=4000)
    game.touch(Touch(7900, "left", "press", 16 * mines[0][1] + 8, 16 * mines[0][0] + 8))
    game.open(*mines[0], t=8000)
    with Racer(site.address) as player:
        sent = player.http.post("/api/replays?name=x", content=game.journal().encode())
        assert sent.status_code == 201, sent.text
        return str(sent.json()["id"])


def enter(browser: Browser, page: str) -> None:
    """Open a page of another site, and look into its frame."""
    browser.chrome.get(page)
    browser.chrome.switch_to.frame(browser.one("iframe"))


def says(browser: Browser, text: str, selector: str) -> None:
    browser.wait(lambda: any(text in each for each in browser.texts(selector)))


def is_drawn(browser: Browser) -> bool:
    blank = "const c = document.createElement('canvas'), of = document.querySelector('canvas');"
    blank += "[c.width, c.height] = [of.width, of.height]; return c.toDataURL() !== of.toDataURL()"
    return bool(browser.all("canvas")) and bool(browser.run(blank))


def is_at_rest(browser: Browser) -> bool:
    """Whether the board stays as it is: the page around it may still be laid out."""
    before = browser.run(PIXELS)
    time.sleep(0.3)
    return bool(browser.run(PIXELS) == before)


def test_another_site_shows_a_recording_and_nothing_else(
    chromium: Browser, elsewhere: OtherSite, site: ServedSite, lost: str
) -> None:
    browser = chromium
    enter(browser, elsewhere.frame(f"{site.address}/embed/{lost}"))
    says(browser, "lost after", "h1")
    browser.wait(lambda: is_drawn(browser))
    browser.wait(lambda: is_at_rest(browser))
    whole = browser.run(PIXELS)
    assert browser.run("return document.cookie + Object.keys(localStorage)") == ""
    assert browser.run(CORNER) == browser.run(COLOUR)
    browser.button("To the start").click()
    says(browser, "No moves yet.", ".watch-line")
    browser.wait(lambda: browser.run(PIXELS) != whole)
    assert browser.one(".counter output").text == "10"
    browser.run(
        "const s = document.querySelector('.transport select:last-child');"
        "s.value = '16'; s.dispatchEvent(new Event('change'))"
    )
    browser.button("Play").click()
    at_end = "const s = document.querySelector('.seek'); return s.value === s.max"
    browser.wait(lambda: browser.run(at_end))
    browser.wait(lambda: browser.run(PIXELS) == whole)
    link = browser.one("h1 a")
    assert link.get_attribute("href") == f"{site.address}/w/{lost}"
    assert link.get_attribute("target") == "_blank"
    assert [each.text for each in browser.all("button, a") if each.text] == [link.text]
    for path in (f"/w/{lost}", "/", "/history", "/train"):
        enter(browser, elsewhere.frame(site.address + path))
        assert not browser.all("#page, #game"), path
    assert any("frame-ancestors" in said for said in browser.complaints())
    foreign = browser.foreign_requests()
    assert all(each.startswith(elsewhere.address) for each in foreign)


def test_the_page_around_a_recording_scrolls_by_the_wheel_over_it(
    chromium: Browser, elsewhere: OtherSite, site: ServedSite, lost: str
) -> None:
    browser = chromium
    enter(browser, elsewhere.frame(f"{site.address}/embed/{lost}"))
    browser.wait(lambda: is_drawn(browser))
    browser.chrome.switch_to.default_content()
    wheel = {"type": "mouseWheel", "x": 200, "y": 200, "deltaX": 0, "deltaY": 300}
    browser.chrome.execute_cdp_cmd("Input.dispatchMouseEvent", wheel)
    browser.wait(lambda: browser.run("return scrollY") > 0)
    browser.complaints()


def test_keys_play_once_the_frame_has_the_focus(browser: Browser, lost: str) -> None:
    browser.open(f"/embed/{lost}")
    says(browser, "lost after", "h1")
    browser.one(".watch-board").click()
    ActionChains(browser.chrome).send_keys("\ue011").perform()  # Home
    says(browser, "No moves yet.", ".watch-line")
    ActionChains(browser.chrome).send_keys("\ue014").perform()  # right
    says(browser, "1 of 3", ".watch-line")


def test_the_address_chooses_colours_language_speed_and_start(browser: Browser, lost: str) -> None:
    browser.open(f"/embed/{lost}")
    says(browser, "lost after", "h1")
    light = browser.run(COLOUR)
    browser.prefer("dark")
    browser.wait(lambda: browser.run(COLOUR) != light)
    dark = browser.run(COLOUR)
    browser.prefer("light")
    browser.open(f"/embed/{lost}?theme=dark&language=zh_CN&speed=4")
    says(browser, "初级", "h1")
    assert browser.run(COLOUR) == dark
    assert browser.run("return document.documentElement.lang") == "zh-CN"
    assert browser.run("return document.querySelector('.transport select:last-child').value") == "4"
    browser.prefer("light", less_motion=False)
    browser.open(f"/embed/{lost}?autoplay=1&speed=0.1&theme=nosuch&language=%0d%0a")
    browser.button("Pause")
    assert browser.run(COLOUR) == light
    browser.prefer("light")
    browser.open(f"/embed/{lost}?autoplay=1")
    says(browser, "lost after", "h1")
    browser.button("Play")


@pytest.mark.parametrize("size", [(240, 240), (240, 420), (390, 300), (1280, 800)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_frame_of_any_size_has_all_and_no_scroll_bar(
    browser: Browser, lost: str, axe: str, size: tuple[int, int], theme: str
) -> None:
    browser.resize(size, touch=size[0] < 400)
    browser.open(f"/embed/{lost}?theme={theme}&language=zh_CN")
    browser.wait(lambda: is_drawn(browser))
    assert browser.run(OVERFLOWS) == []
    assert browser.run("return document.querySelector('.watch-board').clientHeight") >= 80
    assert browser.axe_violations(axe) == []


def test_a_running_game_is_shown_in_no_frame(browser: Browser, site: ServedSite) -> None:
    with Racer(site.address) as player:
        running = player.ask("POST", "/api/games", rules="9x9/10", seed=3).json()["id"]
        player.play(running)
        player.act("open", 4, 4)
    browser.open(f"/embed/{running}")
    says(browser, "not over yet", ".failure")
    assert not browser.all(".failure a")
    browser.open("/embed/nosuch")
    says(browser, "There is nothing here", "h1")
