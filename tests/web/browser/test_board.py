"""The game in a real Chromium: mouse, keys, fingers, screen readers, and lost connections."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from demine import Game
from tests.web.browser.board_page import BoardPage, Cell
from tests.web.browser.chromium import PHONE, Browser
from tests.web.browser.served_site import ServedSite

LARGEST_FIRST_LOAD = 100_000
"""Bytes that the page may take until it can be played."""
FIRST: Cell = (4, 4)
FAIL_ONCE = """
const send = window.fetch;
let failed = false;
window.fetch = (address, options) => {
  if (failed || address !== "/api/setup") return send(address, options);
  failed = true;
  return Promise.resolve(new Response("", {status: 500}));
};
"""


@pytest.fixture
def page(browser: Browser) -> BoardPage:
    return BoardPage(browser)


@pytest.fixture
def phone(browser: Browser) -> Iterator[BoardPage]:
    browser.resize(PHONE, touch=True, ratio=2)
    yield BoardPage(browser)
    browser.resize((1280, 800))


def mines(game: Game) -> list[Cell]:
    """Where the mines of a game that was begun are."""
    return [(int(row), int(col)) for row, col in np.argwhere(game.board.mine_map)]


def safe_and_covered(game: Game) -> list[Cell]:
    safe = ~game.board.mine_map & ~game.board.open_map
    return [(int(row), int(col)) for row, col in np.argwhere(safe)]


def number_with_mines(game: Game) -> tuple[Cell, list[Cell], list[Cell]]:
    """An opened number, the mines around it, and the safe covered cells around it."""
    board = game.board
    for row, col in np.argwhere(board.open_map & (board.hint_map > 0)).tolist():
        around = [
            (r, c)
            for r in range(max(0, row - 1), min(board.rules.height, row + 2))
            for c in range(max(0, col - 1), min(board.rules.width, col + 2))
        ]
        safe = [cell for cell in around if cell in safe_and_covered(game)]
        if safe:
            return (row, col), [cell for cell in around if cell in mines(game)], safe
    raise AssertionError("no number has a safe covered neighbour")


def test_a_game_is_won_with_the_mouse(page: BoardPage) -> None:
    game = page.begin()
    page.click(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    number, around, safe = number_with_mines(game)
    for cell in around:
        page.click(cell, "right")
        page.expect(cell, "flag")
        game.flag(*cell)
    assert page.figure("mines") == 10 - len(around)
    # Left, then right, then one is let go: a chord, which looks pressed until then.
    page.mouse("press", number, "left", 1)
    page.mouse("press", number, "right", 3)
    assert page.browser.wait(lambda: page.pixel(safe[0]) != page.pixel((0, 0)) or None)
    page.mouse("release", number, "left", 2)
    page.mouse("release", number, "right", 0)
    game.chord(*number)
    page.expect(safe[0], shown(game, safe[0]))
    while left := safe_and_covered(game):
        page.click(left[0])
        game.open(*left[0])
        page.expect(left[0], shown(game, left[0]))
    page.browser.wait(lambda: page.kind() == "won" or None)
    assert game.status == "won"
    assert page.figure("mines") == 0
    assert all(page.shows(cell) == "flag" for cell in mines(game))


def shown(game: Game, cell: Cell) -> str:
    """What a cell shows once it is opened, in words."""
    number = int(game.board.hint_map[cell])
    return str(number) if number else "empty"


def test_a_game_is_lost_and_begun_again_by_its_face(page: BoardPage) -> None:
    game = page.begin()
    page.click(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    hit, other = mines(game)[:2]
    page.click(hit)
    page.expect(hit, "the mine that went off")
    page.expect(other, "mine")
    assert page.kind() == "lost"
    address = page.browser.run("return location.pathname")
    press_slowly(page, "#face")
    page.browser.wait(lambda: page.browser.run("return location.pathname") != address or None)
    page.expect(hit, "covered")
    assert page.figure("mines") == 10


def test_buttons_at_the_end_of_a_game_stay_when_more_is_said(page: BoardPage) -> None:
    """Who has pressed one and not let go yet would else press in vain."""
    game = page.begin()
    page.click(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    page.browser.run(
        "window.timesOffered = 0;"
        "const count = (all) => {"
        " window.timesOffered += all.filter((each) => each.addedNodes.length).length };"
        "new MutationObserver(count)"
        ".observe(document.querySelector('.offers'), { childList: true })"
    )
    page.click(mines(game)[0])
    page.browser.wait(lambda: page.kind() == "lost")
    page.browser.wait(lambda: "1 guess" in page.message())
    assert page.browser.run("return window.timesOffered") == 1


def press_slowly(page: BoardPage, selector: str) -> None:
    """Press a button as a hand does: it is drawn anew before it is let go."""
    box = page.browser.one(selector).rect
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    event = {**point, "button": "left", "clickCount": 1}
    held = {"type": "mousePressed", "buttons": 1}
    page.browser.chrome.execute_cdp_cmd("Input.dispatchMouseEvent", event | held)
    page.browser.wait(lambda: page.browser.all("#face[aria-description=pressed]") or None)
    page.browser.chrome.execute_cdp_cmd(
        "Input.dispatchMouseEvent", event | {"type": "mouseReleased"}
    )


def test_a_cell_that_is_left_before_the_release_is_not_opened(page: BoardPage) -> None:
    page.begin()
    page.mouse("press", (0, 0), "left", 1)
    page.mouse("move", (8, 8), held=1)
    page.browser.run("return 0")
    x, y = page.point((8, 8))
    event = {"type": "mouseReleased", "x": x + 200, "y": y, "button": "left", "clickCount": 1}
    page.browser.chrome.execute_cdp_cmd("Input.dispatchMouseEvent", event)
    page.click(FIRST)
    page.browser.wait(lambda: page.shows(FIRST) != "covered" or None)
    assert page.browser.run("return document.getElementById('time').ariaLabel").startswith("Sec")


def test_the_keyboard_plays_and_the_cursor_is_read(page: BoardPage) -> None:
    game = page.begin()
    page.keys(Keys.ARROW_DOWN)
    page.keys(Keys.SPACE)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    focused = "return document.activeElement.ariaLabel"
    assert page.browser.run(focused) == f"row 5, column 5: {shown(game, FIRST)}"
    spoken = page.browser.run("return document.getElementById('live').textContent")
    assert spoken.startswith(shown(game, FIRST))
    assert "cells opened" in spoken
    page.keys(Keys.HOME)
    row = page.browser.run(focused)
    assert row.startswith("row 5, column 1: ")
    cell = mines(game)[0]
    for _ in range(9):
        page.keys(Keys.ARROW_UP)
    for _ in range(cell[0]):
        page.keys(Keys.ARROW_DOWN)
    for _ in range(cell[1]):
        page.keys(Keys.ARROW_RIGHT)
    page.keys("f")
    page.expect(cell, "flag")
    page.keys("f")
    page.expect(cell, "covered")
    page.keys("p")
    assert page.browser.one("#pause-card").is_displayed()
    assert set(page.labels()) == {each.split(": ")[0] + ": covered" for each in page.labels()}
    page.keys("p")
    page.browser.wait(lambda: page.shows(FIRST) == shown(game, FIRST) or None)
    page.keys("pp")  # quicker than the answer to the first
    page.browser.wait(lambda: not page.browser.all("#pause-card")[0].is_displayed() or None)
    page.expect(FIRST, shown(game, FIRST))


def test_a_game_is_played_without_sight(page: BoardPage, axe: str) -> None:
    game = page.begin()
    stops = "return document.querySelectorAll('#grid [tabindex=\"0\"]').length"
    assert page.browser.run(stops) == 1
    # A screen reader presses a cell, or asks for its menu.
    press = "document.querySelectorAll('[role=row]')[arguments[0]].children[arguments[1]].click()"
    page.browser.run(press, *FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    assert page.browser.axe_violations(axe) == []
    page.browser.prefer("dark")
    assert page.browser.axe_violations(axe) == []


def test_fingers_open_flag_and_move_the_board_and_do_nothing_else(phone: BoardPage) -> None:
    taps_flag_in_flag_mode(phone)
    game = phone.begin("30x16/99")
    first = 2, 2
    phone.tap(first)
    game.open(*first)
    phone.expect(first, shown(game, first))
    cell = next(each for each in mines(game) if each[0] < 9 and each[1] < 9)
    phone.fingers("start", [phone.point(cell)])
    phone.expect(cell, "flag")  # while the finger is still down
    phone.fingers("end")
    phone.keys("i")
    assumed = next(each for each in safe_and_covered(game) if each[0] < 9 and each[1] < 9)
    phone.tap(assumed)
    phone.expect(assumed, "covered, assumed to be safe")
    phone.browser.button("Drop").click()
    phone.expect(assumed, "covered")
    before, left = phone.labels(), phone.point((0, 0))[0]
    x, y = phone.point((8, 8))
    phone.fingers("start", [(x, y)])
    for step in range(1, 9):
        phone.fingers("move", [(x - 20 * step, y - 5 * step)])
    phone.fingers("end")
    phone.browser.wait(lambda: phone.point((0, 0))[0] < left - 40 or None)
    assert phone.labels() == before
    size = phone.browser.run("return document.querySelector('[role=gridcell]').clientWidth")
    pinch(phone)
    phone.browser.wait(
        lambda: (
            phone.browser.run("return document.querySelector('[role=gridcell]').clientWidth") > size
            or None
        )
    )
    assert phone.labels() == before


def pinch(phone: BoardPage) -> None:
    """Spread two fingers in the middle of a phone."""
    x, y = PHONE[0] / 2, PHONE[1] / 2
    phone.fingers("start", [(x - 40, y)])
    phone.fingers("start", [(x - 40, y), (x + 40, y)])
    for step in range(1, 8):
        phone.fingers("move", [(x - 40 - 10 * step, y), (x + 40 + 10 * step, y)])
    phone.fingers("end")


def taps_flag_in_flag_mode(phone: BoardPage) -> None:
    """Hold a tap to what the switch says, once, after a start that was tried again.

    Chromium turns touches of a device that is emulated for the second time into mere clicks, so
    that this cannot be a test of its own.
    """
    game = phone.begin()
    with phone.browser.runs_first(FAIL_ONCE):
        phone.browser.chrome.refresh()
        phone.browser.button("Try again").click()
    phone.wait_until_shown(81)
    phone.tap(FIRST)
    game.open(*FIRST)
    phone.expect(FIRST, shown(game, FIRST))
    switch = phone.browser.one("#flag-mode")
    switch.click()
    phone.browser.wait(lambda: switch.get_attribute("aria-pressed") == "true" or None)
    one, other = mines(game)[:2]
    phone.tap(one)
    phone.tap(other)  # whose answer says that all of the first is answered
    phone.expect(other, "flag")
    assert phone.shows(one) == "flag"


def test_a_board_that_does_not_fit_is_moved_by_its_overview_and_found_again(
    page: BoardPage,
) -> None:
    page.begin()
    assert not page.browser.all("#overview")[0].is_displayed()
    page.begin("40x30/200")
    for _ in range(5):
        page.keys("+")
    overview = page.browser.one("#overview")
    box = overview.rect
    at = {"x": box["x"] + box["width"] * 0.9, "y": box["y"] + box["height"] * 0.9}
    event = {**at, "button": "left", "clickCount": 1}
    last = 29, 39
    assert page.point(last)[0] > 1280
    page.browser.chrome.execute_cdp_cmd(
        "Input.dispatchMouseEvent", event | {"type": "mousePressed", "buttons": 1}
    )
    page.browser.chrome.execute_cdp_cmd(
        "Input.dispatchMouseEvent", event | {"type": "mouseReleased"}
    )
    page.browser.wait(lambda: page.point(last)[0] < 1280)
    assert set(page.labels()) == {each.split(": ")[0] + ": covered" for each in page.labels()}
    seen = page.point(last)
    page.browser.chrome.refresh()
    page.wait_until_shown(1200)
    assert page.point(last) == seen
    page.browser.one("#overview")
    address = page.browser.chrome.current_url
    page.browser.open("/history")
    page.browser.open(address.removeprefix(page.browser.address))
    page.wait_until_shown(1200)
    assert page.point(last) == seen
    page.keys("0")
    page.browser.wait(lambda: not page.browser.all("#overview")[0].is_displayed())


def test_a_hint_says_why_and_a_left_game_comes_back(page: BoardPage) -> None:
    game = page.begin()
    page.click(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    page.keys("h")
    page.browser.wait(lambda: "is safe." in page.message() or None)
    told = [label for label in page.labels() if label.endswith(", safe, open it")]
    assert len(told) == 1
    page.keys("y")
    page.browser.wait(lambda: "No need to guess" in page.message() or None)
    page.keys("H")
    page.browser.wait(lambda: "Lowest risk" in page.message() or None)
    page.browser.wait(lambda: any("% risk" in label for label in page.labels()) or None)
    address = page.browser.run("return location.pathname")
    page.keys(Keys.F2)
    page.browser.wait(lambda: page.browser.run("return location.pathname") != address or None)
    page.expect(FIRST, "covered")
    page.keys("z", held=Keys.CONTROL)
    page.browser.wait(lambda: page.browser.run("return location.pathname") == address or None)
    page.expect(FIRST, shown(game, FIRST))


OFFERS = "return [...document.querySelectorAll('#strip .offers button')].map((b) => b.textContent)"


def test_a_board_is_proven_step_by_step(page: BoardPage) -> None:
    page.begin("7x7/7 guess-free", 7)
    page.keys("p", held=Keys.CONTROL)
    page.browser.wait(lambda: "nothing to prove yet" in page.message())
    page.click(FIRST)
    page.browser.wait(lambda: page.shows(FIRST) != "covered")
    address = page.browser.run("return location.pathname")
    page.keys("p", held=Keys.CONTROL)
    page.browser.wait(lambda: "Press again" in page.message())
    assert page.browser.run("return location.pathname") == address
    page.keys("p", held=Keys.CONTROL)
    page.browser.wait(lambda: page.browser.run("return location.pathname") != address)
    steps: list[str] = []
    while page.kind() != "won":
        page.browser.wait(lambda: page.kind() == "won" or page.browser.run(OFFERS) == ["Next", "×"])
        if page.kind() != "won":
            assert "is safe." in page.message()
            steps.append(page.message())
            page.browser.run("document.querySelector('#strip .offers button').click()")
            page.browser.wait(lambda: page.message() != steps[-1])
    assert "needs no guess" in page.message()
    assert len(set(steps)) == len(steps) > 3


def test_a_draft_shows_what_breaks_and_is_checked(page: BoardPage) -> None:
    game = page.begin()
    page.keys("i")
    page.browser.wait(lambda: "needs a game that has begun" in page.message() or None)
    number, around, safe = begin_draft(page, game)
    page.browser.wait(lambda: "left click assumes a safe cell" in page.message() or None)
    before = page.pixel(around[0])
    for cell in around:
        page.click(cell, "right")
        page.expect(cell, "covered, assumed to be a mine")
    page.browser.wait(lambda: page.pixel(around[0]) != before or None)
    page.click(safe[0])
    page.expect(safe[0], "covered, assumed to be safe")
    page.browser.wait(lambda: page.message() == f"Draft: {len(around) + 1} cells assumed" or None)
    page.keys("z", held=Keys.CONTROL)
    page.expect(safe[0], "covered")
    page.click(safe[0], "right")
    page.expect(number, f"{shown(game, number)}, can no longer hold")
    page.browser.wait(lambda: "can no longer hold" in page.message() or None)
    page.keys("h")
    page.browser.wait(lambda: "Press again to confirm" in page.message() or None)
    page.keys("h")
    page.browser.wait(lambda: ", the " in page.message() or None)
    assert "cannot" in page.message()
    page.keys("u")
    page.browser.wait(lambda: "cannot" not in page.message() or None)
    page.keys("h")  # help counts already
    page.browser.wait(lambda: "All of this can be true" in page.message() or None)


LOSE_HELP = """
// As a connection that breaks between a question and its answer: the server took the question.
const Socket = window.WebSocket;
let isLost = false;
window.WebSocket = class extends Socket {
  set onmessage(hear) {
    super.onmessage = (event) => {
      if (isLost || !event.data.includes('"help"')) return hear(event);
      isLost = true;
      this.close();
    };
  }
};
"""


def test_a_question_whose_answer_was_lost_is_asked_again(page: BoardPage) -> None:
    with page.browser.runs_first(LOSE_HELP):
        game = page.begin()
    number, around, safe = begin_draft(page, game)
    for cell in [*around, safe[0]]:
        page.click(cell, "right")
    page.expect(number, f"{shown(game, number)}, can no longer hold")
    page.keys("hh")
    page.browser.wait(lambda: "cannot" in page.message() or None)
    page.keys(Keys.ESCAPE)
    page.keys("h")
    page.browser.wait(lambda: (page.kind() == "hint" and "Thinking" not in page.message()) or None)


def test_while_drafting_the_header_and_the_menu_are_about_the_draft(page: BoardPage) -> None:
    game = page.begin()
    label = "return document.getElementById('hint').ariaLabel"
    page.browser.wait(lambda: "Hint" in page.browser.run(label))
    begin_draft(page, game)
    page.browser.wait(lambda: "Check the draft" in page.browser.run(label))
    menu_entry(page, "Put the draft aside").click()
    page.browser.wait(lambda: "Hint" in page.browser.run(label))
    menu_entry(page, "Draft mines and safe cells")


def menu_entry(page: BoardPage, text: str) -> WebElement:
    """Open the menu; return its entry with a text."""
    page.browser.run("document.getElementById('menu').click()")
    entries = page.browser.all("[role=menuitem]")
    return next(each for each in entries if each.text.startswith(text))


def begin_draft(page: BoardPage, game: Game) -> tuple[Cell, list[Cell], list[Cell]]:
    """Begin a game and a draft; return what `number_with_mines` finds."""
    page.click(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    page.keys("i")
    return number_with_mines(game)


def test_a_draft_is_no_part_of_the_game_until_it_is_kept(page: BoardPage) -> None:
    game = page.begin()
    _, around, safe = begin_draft(page, game)
    page.click(safe[0], "right")
    page.expect(safe[0], "covered, assumed to be a mine")
    page.keys(Keys.ESCAPE)
    page.expect(safe[0], "covered")
    page.keys("i")
    for cell in around:
        page.click(cell, "right")
        page.expect(cell, "covered, assumed to be a mine")
    assert page.figure("mines") == 10
    page.keys(Keys.ENTER)
    for cell in around:
        page.expect(cell, "flag")
        game.flag(*cell)
    page.browser.chrome.refresh()
    page.wait_until_shown(81)
    if page.browser.one("#pause-card").is_displayed():
        page.keys("p")
    for cell in around:
        page.expect(cell, "flag")
    page.click(safe[0])  # opens again
    game.open(*safe[0])
    page.expect(safe[0], shown(game, safe[0]))


def test_a_killed_server_loses_nothing_and_says_so(page: BoardPage, site: ServedSite) -> None:
    game = page.begin()
    page.click(FIRST)
    game.open(*FIRST)
    page.expect(FIRST, shown(game, FIRST))
    before = page.labels()
    cell = mines(game)[0]
    site.kill()
    try:
        page.browser.wait(lambda: page.browser.one("#lost").is_displayed() or None)
        page.click(cell, "right")  # kept until the server is back
        page.expect(cell, "flag")
    finally:
        site.start()
    page.browser.wait(lambda: not page.browser.all("#lost")[0].is_displayed() or None)
    other = safe_and_covered(game)[0]
    page.click(other)
    game.open(*other)
    page.expect(other, shown(game, other))
    assert page.shows(cell) == "flag"
    page.browser.chrome.refresh()
    page.wait_until_shown(len(before))
    if page.browser.one("#pause-card").is_displayed():
        page.keys("p")
    page.expect(other, shown(game, other))
    page.expect(cell, "flag")
    page.browser.complaints()  # of addresses that could not be reached


def test_the_page_speaks_chinese(page: BoardPage) -> None:
    page.browser.speak("zh-CN")
    page.begin()
    assert page.labels()[0] == "第 1 行第 1 列：未打开"
    assert page.browser.run("return document.documentElement.lang") == "zh-CN"
    assert page.browser.one("#new").text == "新局"


def test_the_first_page_that_can_be_played_takes_little(page: BoardPage) -> None:
    page.begin()
    page.browser.chrome.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    page.browser.open("/")
    page.wait_until_shown(81)
    resources = page.browser.run(
        "return [...performance.getEntriesByType('navigation'),"
        " ...performance.getEntriesByType('resource')].map((e) => [e.name, e.transferSize])"
    )
    page.browser.chrome.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})
    taken = sum(size for _, size in resources)
    assert 10_000 < taken <= LARGEST_FIRST_LOAD, json.dumps(sorted(resources, key=lambda e: -e[1]))
