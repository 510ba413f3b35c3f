"""What systems, fingers and networks ask of the page while it is open."""

from __future__ import annotations

from typing import Any

import pytest

from demine import Game
from tests.web.browser.board_page import BoardPage, Cell
from tests.web.browser.chromium import PHONE, Browser
from tests.web.browser.test_board import FIRST, mines, pinch, safe_and_covered, shown

THEME = "return getComputedStyle(document.documentElement).getPropertyValue('--theme')"
COUNT_SHAKES = "window.shakes = 0; navigator.vibrate = () => { window.shakes += 1; return true; };"
SHAKES = "return window.shakes"
PLACE = """
const {scale, offsetTop} = visualViewport;
const marked = window.shakes !== undefined;
return [scale, offsetTop, scrollY, document.scrollingElement.scrollHeight - innerHeight, marked];
"""
GROUND = "return getComputedStyle(document.querySelector('#hint')).backgroundColor"


@pytest.fixture
def page(browser: Browser) -> BoardPage:
    return BoardPage(browser)


def begun(page: BoardPage, rules: str = "9x9/10") -> Game:
    game = page.begin(rules)
    page.click(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    return game


def wish(page: BoardPage, **features: str) -> None:
    """Have the system wish for something, and for nothing else."""
    found = [{"name": key.replace("_", "-"), "value": value} for key, value in features.items()]
    page.browser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": found})


def test_fingers_that_move_the_board_do_nothing_else(page: BoardPage) -> None:
    page.browser.resize(PHONE, touch=True, ratio=2)
    game = page.begin("16x16/40")
    page.browser.run(COUNT_SHAKES)
    page.tap(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    cell = mines(game)[0]
    page.fingers("start", [page.point(cell)])
    page.expect(cell, "flag")
    page.fingers("end")
    assert page.browser.run(SHAKES) == 1
    before = page.labels()
    pinch(page)
    two_fingers_pan(page)
    drag(page, (PHONE[0] / 2, 300), (0, 60))  # from the edge of the board, as to load a page anew
    double_tap(page, FIRST)
    still_held = page.point((0, 0))
    page.browser.wait(lambda: page.point((0, 0)) == still_held)
    assert page.labels() == before
    assert page.browser.run(SHAKES) == 1
    assert page.browser.run(PLACE) == [1, 0, 0, 0, True], "neither zoomed nor scrolled nor loaded"
    page.browser.resize((1280, 800))


def two_fingers_pan(page: BoardPage) -> None:
    x, y = PHONE[0] / 2, PHONE[1] / 2
    page.fingers("start", [(x - 40, y)])
    page.fingers("start", [(x - 40, y), (x + 40, y)])
    for step in range(1, 8):
        page.fingers("move", [(x - 40 - 5 * step, y), (x + 40 - 5 * step, y)])
    page.fingers("end")


def drag(page: BoardPage, start: tuple[float, float], step: tuple[float, float]) -> None:
    page.fingers("start", [start])
    for times in range(1, 8):
        page.fingers("move", [(start[0] + times * step[0], start[1] + times * step[1])])
    page.fingers("end")


def double_tap(page: BoardPage, cell: Cell) -> None:
    for _ in range(2):
        page.tap(cell)


def test_the_page_follows_the_system_while_it_is_open(page: BoardPage) -> None:
    begun(page)
    light = page.pixel(FIRST)
    wish(page, prefers_color_scheme="dark")
    page.browser.wait(lambda: page.browser.run(THEME) == "dark")
    page.browser.wait(lambda: page.pixel(FIRST) != light)
    wish(page, prefers_contrast="more")
    page.browser.wait(lambda: page.browser.run(THEME) == "contrast")
    wish(page, prefers_color_scheme="light")
    page.browser.wait(lambda: page.pixel(FIRST) == light)
    wish(page, forced_colors="active", prefers_color_scheme="dark")
    page.browser.wait(lambda: page.browser.run(THEME) == "contrast")
    plain = page.browser.run(GROUND)
    page.browser.run("document.querySelector('#hint').setAttribute('aria-pressed', 'true')")
    assert page.browser.run(GROUND) != plain, "what is pressed shows without the page's colours"


def test_less_motion_stills_all_that_moves(page: BoardPage) -> None:
    moving = "return document.getAnimations().filter((each) => each.playState === 'running').length"
    begun(page)
    wish(page)
    page.browser.run(
        "const ring = document.getElementById('arming');"
        "ring.style.animationDuration = '60s'; ring.hidden = false"
    )
    assert page.browser.run(moving) == 1
    wish(page, prefers_reduced_motion="reduce")
    page.browser.wait(lambda: page.browser.run(moving) == 0)


def test_what_is_done_without_a_network_is_done_once(page: BoardPage) -> None:
    game = begun(page)
    flagged, other, hit = mines(game)[:3]
    safe = safe_and_covered(game)[0]
    network(page, offline=True)
    page.browser.wait(lambda: page.browser.one("#lost").is_displayed())
    page.click(flagged, "right")
    page.expect(flagged, "flag")
    page.click(safe)
    page.click(other, "right")
    page.browser.wait(lambda: "3 moves are kept" in page.browser.one("#lost").text)
    assert page.shows(safe) == "covered", "what it hides is the server's to say"
    network(page, offline=False)
    page.browser.wait(lambda: not page.browser.all("#lost")[0].is_displayed())
    game.open(*safe)
    page.expect(safe, shown(game, safe))
    page.click(hit)
    page.browser.wait(lambda: page.kind() == "lost")
    played = page.browser.chrome.execute_async_script(
        "const done = arguments[0];"
        "fetch(`/api${location.pathname.replace('/g/', '/games/')}/watch`)"
        ".then((answer) => answer.json()).then(({acts}) => done(acts.map((a) => [a.verb, a.cell])))"
    )
    acts: list[tuple[str, Cell]] = [
        ("open", FIRST), ("flag", flagged), ("open", safe), ("flag", other), ("open", hit),
    ]  # fmt: skip
    assert played == [[verb, 9 * row + col] for verb, (row, col) in acts]
    page.browser.complaints()  # of addresses that could not be reached


def network(page: BoardPage, *, offline: bool) -> None:
    conditions: dict[str, Any] = {
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    }  # fmt: skip
    page.browser.chrome.execute_cdp_cmd("Network.enable", {})
    page.browser.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
