"""The page as an installed program: kept, started without a server, and brought up to date."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

import demine
from tests.web.browser.board_page import BoardPage
from tests.web.browser.chromium import Browser
from tests.web.browser.served_site import ServedSite

FIRST = (4, 4)
MOST_AGAIN = 2_000
"""Bytes that a second visit may take until it can be played."""
WORKER = """
const done = arguments[0];
navigator.serviceWorker.getRegistration().then((found) =>
  done(!!found && !found.installing && !found.waiting && found.active?.state === "activated"));
"""
KEPT = "const done = arguments[0]; caches.keys().then(done)"
HELD = """
const done = arguments[0];
navigator.locks.query().then(({held}) => done(held.map(({name}) => name)));
"""
SIZES = """
const loaded = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
return loaded.map((each) => [each.name, each.transferSize]);
"""
VERSION = "return document.querySelector('script[type=module]').src.split('/')[4]"

OTHER_VERSION = """
const send = window.fetch;
window.fetch = async (address, options) => {
  const answer = await send(address, options);
  if (address !== "/api/setup") return answer;
  return Response.json({...await answer.json(), page: "0123456789abcdef"});
};
"""
NO_SETUP = """
const send = window.fetch;
window.fetch = (address, options) =>
  address === "/api/setup" ? new Promise(() => {}) : send(address, options);
"""
OTHER_PROTOCOL = """
const read = JSON.parse;
JSON.parse = (text) => {
  const told = read(text);
  if (told.hello) told.hello.v += 1;
  return told;
};
"""


@pytest.fixture
def page(browser: Browser) -> BoardPage:
    return BoardPage(browser)


def wait_until_kept(page: BoardPage) -> None:
    """Wait until the worker keeps the page."""
    page.browser.wait(lambda: page.browser.chrome.execute_async_script(WORKER))


def kept_versions(page: BoardPage) -> list[str]:
    found: list[str] = page.browser.chrome.execute_async_script(KEPT)
    return found


def held_locks(page: BoardPage) -> list[str]:
    """The names of what pages hold."""
    found: list[str] = page.browser.chrome.execute_async_script(HELD)
    return found


def begun(page: BoardPage) -> list[str]:
    """What the cells show of a game that was begun."""
    page.begin()
    page.click(FIRST)
    page.browser.wait(lambda: page.shows(FIRST) != "covered")
    return page.labels()


def expect_board(page: BoardPage, labels: list[str]) -> None:
    """Wait until the cells show what they did; a game may have been paused when it was left."""

    card = "const card = document.getElementById('pause-card');"

    def shown() -> bool:
        if page.browser.run(f"{card} if (!card.hidden) card.click(); return card.hidden"):
            return page.labels() == labels
        page.browser.wait(lambda: page.browser.run(f"{card} return card.hidden"))
        return False

    page.browser.wait(shown)


def test_a_system_takes_the_page_for_a_program(page: BoardPage) -> None:
    page.begin()
    wait_until_kept(page)
    command = page.browser.chrome.execute_cdp_cmd
    assert command("Page.getInstallabilityErrors", {})["installabilityErrors"] == []
    found = command("Page.getAppManifest", {})
    assert found["errors"] == []
    assert json.loads(found["data"])["name"] == "demine"


def test_a_second_visit_takes_next_to_nothing(page: BoardPage) -> None:
    page.begin()
    wait_until_kept(page)
    page.browser.chrome.refresh()
    page.wait_until_shown(81)
    resources = page.browser.run(SIZES)
    assert len(resources) > 20
    taken = sum(size for _, size in resources)
    assert taken <= MOST_AGAIN, json.dumps(sorted(resources, key=lambda each: -each[1])[:9])


def test_without_a_server_the_page_starts_says_so_and_goes_on_by_itself(
    page: BoardPage, site: ServedSite
) -> None:
    before = begun(page)
    wait_until_kept(page)
    site.kill()
    try:
        page.browser.chrome.refresh()
        page.browser.wait(lambda: "cannot be reached" in page.browser.one("#lost").text)
        assert "/g/" in page.browser.chrome.current_url
    finally:
        site.start()
    page.browser.wait(lambda: not page.browser.all("#lost")[0].is_displayed())
    page.wait_until_shown(81)
    expect_board(page, before)
    page.browser.complaints()  # of addresses that could not be reached


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with demine whose page has another style."""
    folder = tmp_path_factory.mktemp("newer")
    package = Path(demine.__file__).parent
    shutil.copytree(package, folder / "demine", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "demine/web/static/page.css").open("a", encoding="utf-8") as style:
        style.write("#strip { outline: 7px solid; }\n")
    return folder


def test_a_new_version_takes_over_at_the_next_visit_and_the_old_one_goes(
    page: BoardPage, site: ServedSite, newer: Path
) -> None:
    before = begun(page)
    wait_until_kept(page)
    old = page.browser.run(VERSION)
    site.stop()
    try:
        site.start(source=newer)
        # The page that is open is still whole, and looks for the new version when it reconnects.
        page.browser.wait(lambda: len(kept_versions(page)) == 2)
        wait_until_kept(page)
        page.keys(",", held=Keys.CONTROL)
        page.browser.one("dialog[open]")
        page.browser.chrome.refresh()
        page.wait_until_shown(81)
        new = page.browser.run(VERSION)
        assert new != old
        outline = "return getComputedStyle(document.getElementById('strip')).outlineWidth"
        assert page.browser.run(outline) == "7px"
        page.browser.wait(lambda: kept_versions(page) == [f"demine-{new}"])
        expect_board(page, before)
        # Back to the old server while no page is open: the next one starts from the new version.
        address = page.browser.chrome.current_url
        page.browser.chrome.get("about:blank")
    finally:
        site.stop()
        site.start()
    page.browser.chrome.get(address)
    page.browser.wait(lambda: page.browser.run(VERSION) == old)
    page.wait_until_shown(81)
    expect_board(page, before)
    page.browser.wait(lambda: kept_versions(page) == [f"demine-{old}"])
    page.browser.complaints()


def test_a_page_that_is_never_of_the_servers_version_says_so(page: BoardPage) -> None:
    page.browser.speak("zh-CN")
    with page.browser.runs_first(OTHER_VERSION):
        page.browser.open("/")
        page.browser.wait(lambda: "另一个版本" in page.browser.one(".failure").text)


def test_a_version_is_held_from_the_first_moment(page: BoardPage) -> None:
    page.browser.open("/worker.js")
    page.browser.wait(lambda: not held_locks(page))
    with page.browser.runs_first(NO_SETUP):
        page.browser.open("/")
        page.browser.wait(lambda: held_locks(page) == [f"demine-{page.browser.run(VERSION)}"])


def test_a_server_that_speaks_otherwise_is_not_played_on(page: BoardPage) -> None:
    with page.browser.runs_first(OTHER_PROTOCOL):
        page.browser.open("/")
        page.browser.wait(lambda: "Reload the page" in page.browser.one("#lost").text)
    assert page.labels() == []
