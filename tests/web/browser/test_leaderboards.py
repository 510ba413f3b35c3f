"""The page of leaderboards and friends in a real Chromium, with games that were really won."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.web.browser.chromium import DESKTOP, PHONE, Browser
from tests.web.browser.served_site import ServedSite
from tests.web.leaderboards.leaderboard_games import begin
from tests.web.races.race_site import Racer


class LeaderboardPage:
    """The page, and players who are not in this browser."""

    def __init__(self, browser: Browser, site: ServedSite) -> None:
        self.browser = browser
        self._site = site

    def wins_elsewhere(self, name: str, *, is_listed: bool = True) -> tuple[str, str]:
        """Have another player win a game; returns its id and the player's link for friends."""
        with Racer(self._site.address) as player:
            player.http.put("/api/me", json={"name": name, "is_listed": is_listed})
            link: str = player.ask("POST", "/api/friends/link").json()["link"]
            return self._win(player), link

    def wins_here(self) -> str:
        """Have the player of this browser win a game; returns its id."""
        with Racer(self._site.address) as player:
            for cookie in self.browser.chrome.get_cookies():
                player.http.cookies.set(cookie["name"], cookie["value"])
            return self._win(player)

    def _win(self, player: Racer) -> str:
        database: Path = self._site.folder / "server.sqlite"
        game, mines = begin(player, database, rules="beginner")
        assert player.win(mines)["status"] == "won"
        return game

    def open(self, path: str = "/leaderboards") -> None:
        self.browser.open(path)
        self.browser.wait(lambda: self.browser.all("#page :is(table, .empty)"))

    def choose(self, field: str, text: str) -> None:
        Select(self.browser.field(field)).select_by_visible_text(text)

    def names(self) -> list[str]:
        """The names in the table, best first."""
        return self.browser.texts("#page tbody td:first-of-type")

    def says(self, text: str) -> None:
        self.browser.wait(lambda: text in self.browser.text())

    def until_names(self, wanted: set[str]) -> None:
        self.browser.wait(lambda: set(self.names()) == wanted)


@pytest.fixture
def page(browser: Browser, site: ServedSite) -> LeaderboardPage:
    return LeaderboardPage(browser, site)


def test_a_player_appears_by_a_name_and_goes_again(page: LeaderboardPage, axe: str) -> None:
    browser = page.browser
    other, _ = page.wins_elsewhere("Ada")
    browser.open("/")
    browser.button("Menu").click()
    browser.button("Leaderboards…", ".menu").click()
    page.until_names({"Ada"})
    assert browser.axe_violations(axe) == []
    page.wins_here()
    page.open()
    assert page.names() == ["Ada"]
    page.says("Your place: ")
    browser.button("Appear here…").click()
    name = browser.field("Name")
    name.clear()
    name.send_keys(Keys.ENTER)
    page.says("Choose a name first")
    browser.field("Name").send_keys("Bo", Keys.ENTER)
    page.until_names({"Ada", "Bo (you)"})
    page.choose("Boards", "Guess-free")
    page.says("No game here yet")
    page.choose("Boards", "With an opening")
    page.choose("When", "This week")
    page.choose("By", "Efficiency")
    page.until_names({"Ada", "Bo (you)"})
    assert "measure=efficiency&period=week" in browser.run("return location.search")
    browser.chrome.refresh()
    page.until_names({"Ada", "Bo (you)"})
    assert Select(browser.field("By")).first_selected_option.text == "Efficiency"
    browser.button("No longer appear").click()
    page.until_names({"Ada"})
    browser.button("Ada").click()
    browser.wait(lambda: browser.run("return location.pathname") == f"/w/{other}")


def test_a_link_makes_friends_who_see_each_other(page: LeaderboardPage, axe: str) -> None:
    browser = page.browser
    _, link = page.wins_elsewhere("Cy", is_listed=False)
    browser.resize(PHONE, touch=True, ratio=2)
    page.open(link.removeprefix(browser.address))
    page.says("Cy invites you to be friends")
    assert browser.axe_violations(axe) == []
    browser.button("Become friends").click()
    page.says("End friendship…")
    assert browser.axe_violations(axe) == []
    browser.button("Make a link for friends").click()
    page.says("Your link for friends")
    browser.button("Best games").click()
    page.until_names({"Cy"})
    wide = "return document.documentElement.scrollWidth > innerWidth"
    assert not browser.run(wide)
    assert browser.axe_violations(axe) == []
    browser.button("Friends").click()
    browser.button("End friendship with Cy").click()
    browser.button("End friendship", "dialog").click()
    page.says("No friends here yet")
    browser.resize(DESKTOP)
    page.open("/friend/nobody")
    page.says("This link leads to no player")


def test_the_page_speaks_chinese_in_the_dark(page: LeaderboardPage, axe: str) -> None:
    page.browser.speak("zh-CN")
    page.browser.prefer("dark")
    page.wins_elsewhere("墨翟")
    page.open()
    page.says("排行榜")
    page.says("墨翟")
    assert page.browser.axe_violations(axe) == []
