"""The page of ranked boards in a real Chromium: from the menu to a recording of the day before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.logic.event import Lay
from tests.web.browser.board_page import BoardPage
from tests.web.browser.chromium import PHONE, Browser
from tests.web.browser.served_site import ServedSite
from tests.web.races.race_site import Racer
from tests.web.stored_rows import rows
from tests.web.waiting import until


class DailyPage:
    """The page, and the server's file."""

    def __init__(self, browser: Browser, site: ServedSite) -> None:
        self.browser = browser
        self.site = site
        self.database: Path = site.folder / "server.sqlite"
        self.today = datetime.now(UTC).date()

    def mines(self) -> NDArray[np.bool_]:
        """The mines of today's beginner board, which only the file has."""
        sql = "SELECT lay FROM ranked_boards WHERE day=? AND level='beginner'"
        ((lay,),) = rows(self.database, sql, str(self.today))
        return Lay.parse(lay).mine_map

    def says(self, text: str) -> None:
        self.browser.wait(lambda: text in self.text())

    def text(self) -> str:
        return self.browser.text()

    def until_laid(self) -> None:
        """Wait until the solver has laid the boards."""
        with Racer(self.site.address) as player:
            until(lambda: self._are_laid(player))

    def _are_laid(self, player: Racer) -> bool:
        told = player.ask("GET", "/api/daily").json()["boards"]
        return len(told) == 3 and all(each["is_ready"] for each in told)

    @contextmanager
    def past_midnight(self) -> Iterator[str]:
        """Have the boards of today be those of the day before, which is yielded."""
        before, today = str(self.today - timedelta(days=1)), str(self.today)
        self._move_boards(today, before)
        yield before
        self._move_boards(before, today)

    def _move_boards(self, day: str, other: str) -> None:
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute("UPDATE ranked_boards SET day=? WHERE day=?", [other, day])
            connection.commit()


@pytest.fixture
def page(browser: Browser, site: ServedSite) -> DailyPage:
    return DailyPage(browser, site)


def test_from_the_menu_to_the_recording_of_the_day_before(page: DailyPage, axe: str) -> None:
    page.until_laid()
    browser, board = page.browser, BoardPage(page.browser)
    browser.open("/")
    browser.wait(lambda: bool(board.labels()))
    browser.button("Menu").click()
    entries = browser.all(".menu [role=menuitem]")
    next(each for each in entries if each.text.startswith("Ranked daily boards…")).click()
    page.says("New boards in ")
    assert browser.axe_violations(axe) == []
    browser.button("Begin: Beginner").click()
    page.says("Ranked board of ")
    game = str(browser.run("return location.pathname")).rpartition("/")[2]
    for tool in ("undo", "hint", "pause"):
        assert not browser.one(f"#{tool}").is_enabled()
    mines = page.mines()
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'h', bubbles: true}))")
    page.says("A ranked board allows no pause, no undo and no help")
    start = tuple(map(int, browser.run(
        "return fetch(`/api/daily`).then((told) => told.json()).then(({boards}) => boards[0].start)"
    )))  # fmt: skip
    board.click((start[0], start[1]))
    browser.wait(lambda: "empty" in " ".join(board.labels()))
    with Racer(page.site.address) as player:
        for cookie in browser.chrome.get_cookies():
            player.http.cookies.set(cookie["name"], cookie["value"])
        # The other tab plays on: this one shows how it ends.
        player.play(game)
        assert player.win(mines)["status"] == "won"
    page.says("All of the board is shown when the day is over")
    # The strip may be drawn anew between finding its button and the click.
    browser.wait(lambda: [browser.button("Ranked daily boards").click()])  # type: ignore[func-returns-value]
    page.says("Won in ")
    page.says("Your place: 1")
    browser.button("Appear here…").click()
    browser.field("Name").send_keys("Ann")
    browser.button("Appear").click()
    page.says("Ann (you)")
    assert browser.axe_violations(axe) == []
    with page.past_midnight() as before:
        browser.button("Day before").click()
        page.says(before)
        page.says("Secret and digest")
        browser.button("Watch").click()
        browser.wait(lambda: browser.run("return location.pathname") == f"/w/{game}")
        browser.wait(lambda: bool(browser.all("#page canvas")))


def test_page_on_a_phone_in_chinese_and_of_tomorrow(page: DailyPage, axe: str) -> None:
    browser = page.browser
    browser.speak("zh-CN")
    browser.prefer("dark")
    browser.resize(PHONE, touch=True, ratio=2)
    page.until_laid()
    browser.open("/daily")
    page.says("初级")
    page.says("每日排位棋盘")
    for summary in browser.all(".daily-boards summary"):
        summary.click()
    assert browser.axe_violations(axe) == []
    assert not browser.run("return document.documentElement.scrollWidth > innerWidth")
    browser.button("后一天").click()
    page.says(str(page.today + timedelta(days=1)))
    page.says("尚未开放")
    assert browser.axe_violations(axe) == []
