"""The overlay over a video: a real Chromium shows what somebody else's program plays."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.common.keys import Keys

from demine import Game
from tests.web.browser.chromium import Browser
from tests.web.browser.served_site import ServedSite
from tests.web.browser.test_embed import OVERFLOWS, is_drawn, says
from tests.web.races.race_site import Racer

RULES, SEED = "9x9/10", 7


@pytest.fixture
def player(site: ServedSite) -> Iterator[Racer]:
    with Racer(site.address) as made:
        yield made


def overlay_of(player: Racer, *, risks: bool = False) -> str:
    """Make an overlay; return its path."""
    link = str(player.ask("POST", "/api/me/overlay", shows_risks=risks).json()["link"])
    return link.removeprefix(player.address)


def begin(player: Racer, rules: str = RULES, seed: int = SEED) -> str:
    """Begin a game of the player, and open its middle; return its id."""
    made: str = player.ask("POST", "/api/games", rules=rules, seed=seed).json()["id"]
    hello = player.play(made)
    player.act("open", hello["height"] // 2, hello["width"] // 2)
    return made


def wait_until_drawn(browser: Browser) -> None:
    """Wait until a board is shown."""
    browser.one(".overlay-canvas")
    browser.wait(lambda: is_drawn(browser))


def alpha(browser: Browser) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """How opaque each pixel of the page is, over nothing."""
    command = browser.chrome.execute_cdp_cmd
    nothing = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    command("Emulation.setDefaultBackgroundColorOverride", nothing)
    png = base64.b64decode(command("Page.captureScreenshot", {"format": "png"})["data"])
    command("Emulation.setDefaultBackgroundColorOverride", {})
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))[:, :, 3]


def test_the_board_stands_on_nothing_and_nothing_can_be_pressed(
    browser: Browser, player: Racer, axe: str
) -> None:
    path = overlay_of(player)
    browser.resize((400, 420))
    browser.open(path)
    says(browser, "Waiting for a game", ".overlay-said")
    begin(player)
    wait_until_drawn(browser)
    for theme in ("light", "dark"):
        browser.open(f"{path}?theme={theme}")
        wait_until_drawn(browser)
        opaque = alpha(browser)
        assert (opaque[-10:, -10:] == 0).all()
        assert (opaque[100:200, 100:200] == 255).all()
    assert not browser.all("button, a, input, select, [tabindex]")
    assert browser.run(OVERFLOWS) == []
    assert browser.run("return document.cookie + Object.keys(localStorage)") == ""
    assert browser.one("h1").text == "Beginner · chosen seed"
    assert browser.axe_violations(axe) == []


def test_it_follows_through_games_and_a_killed_server(
    browser: Browser, player: Racer, site: ServedSite
) -> None:
    browser.open(overlay_of(player))
    begin(player)
    game = Game(RULES, SEED)
    game.open(4, 4)
    mine = tuple(map(int, np.argwhere(game.board.mine_map)[0]))
    counter = "return document.querySelector('.overlay-line .figure').textContent"
    player.act("flag", *mine)
    browser.wait(lambda: browser.run(counter) == "9")
    site.kill()
    browser.wait(lambda: browser.all("#overlay.lost"))
    assert browser.run(counter) == "9"
    site.start()
    browser.wait(lambda: not browser.all("#overlay.lost"))
    says(browser, "Waiting for a game", ".overlay-said")
    with Racer(site.address) as again:
        again.http.cookies.update(player.http.cookies)
        made = begin(again, "16x16/40")
        browser.wait(lambda: browser.run(counter) == "40")
        says(browser, "Intermediate", "h1")
        again.play(made)
        again.act("resign")
        says(browser, "3BV/s", ".overlay-line")
        assert again.ask("DELETE", "/api/me/overlay").status_code == 200
    says(browser, "this overlay has ended", ".overlay-said")
    browser.complaints()  # of a server that was away


def test_the_address_chooses_what_is_shown(browser: Browser, player: Racer, axe: str) -> None:
    path = overlay_of(player, risks=True)
    begin(player)
    asked = "&size=16&theme=dark&language=zh_CN&parts=time,board"
    browser.open(path + asked)
    wait_until_drawn(browser)
    width = "return document.querySelector('.overlay-canvas').offsetWidth"
    assert browser.run(width) == 9 * 16 + 6
    assert browser.run("return document.documentElement.lang") == "zh-CN"
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    assert [each.get_attribute("aria-label") for each in browser.all("output")
            if each.is_displayed()] == ["时间（秒）"]  # fmt: skip
    assert browser.axe_violations(axe) == []
    pixels = "return document.querySelector('canvas').toDataURL()"
    browser.open(path.partition("?")[0] + "?" + asked[1:])
    wait_until_drawn(browser)
    without = browser.run(pixels)
    browser.open(path + asked)
    wait_until_drawn(browser)
    browser.wait(lambda: browser.run(pixels) != without)  # the risks of cells
    browser.resize((240, 200))
    browser.wait(lambda: browser.run(OVERFLOWS) == [])


def test_the_player_makes_and_ends_it_in_the_dialog(browser: Browser, axe: str) -> None:
    browser.open("/")
    browser.wait(lambda: browser.all("[role=gridcell][aria-label]"))
    browser.run("document.getElementById('menu').click()")
    browser.button("Player and devices…").click()
    browser.field("With the risk of every cell", "dialog").send_keys(Keys.SPACE)
    browser.button("Make an overlay address").click()
    address = browser.field("Overlay address", "dialog").get_attribute("value") or ""
    assert address.startswith(f"{browser.address}/overlay/")
    assert address.endswith("?risk=1")
    assert browser.axe_violations(axe) == []
    browser.button("End the overlay").click()
    says(browser, "The overlay has ended.", "dialog .status")
    browser.open(address.removeprefix(browser.address))
    says(browser, "this overlay has ended", ".overlay-said")
