"""Races in real browsers: from the menu of one player to the result that all of them see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import numpy as np
import pytest
from numpy.typing import NDArray
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from tests.web.browser.board_page import BoardPage, Cell
from tests.web.browser.chromium import DESKTOP, Browser, started_chromium
from tests.web.browser.served_site import ServedSite
from tests.web.races.race_site import mines_of

CONSTANTS = {"demine.play.race:COUNTDOWN_MS": 1000, "demine.play.race:RETURN_MS": 20_000}


class RacePage:
    """A player's browser at a race."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.board = BoardPage(browser)

    def make(self, costs: str = "five seconds") -> str:
        """Make a race by the menu; return its address."""
        self.browser.open("/")
        self.browser.wait(lambda: bool(self.board.labels()))
        self.browser.button("Menu").click()
        self.browser.button("Race with others…", ".menu").click()
        Select(self.browser.field("A mine costs", "dialog")).select_by_visible_text(costs)
        self.browser.button("Make the race", "dialog").click()
        self.says("1 of 8 seats are taken.")
        return self.path

    @property
    def path(self) -> str:
        return str(self.browser.run("return location.pathname"))

    def join(self, path: str, name: str = "") -> None:
        """Open the link of a race, and take a seat."""
        self.browser.open(path)
        self.press("Join the race")
        if name:
            self.rename(name)

    def rename(self, name: str) -> None:
        field = self.browser.field("Your name")
        field.clear()
        field.send_keys(name, "\t")
        self.says(f"{name} (you)")

    def press(self, text: str) -> None:
        self.browser.button(text).click()

    def says(self, text: str) -> None:
        """Wait until the page says something."""
        self.browser.wait(lambda: text in self.text())

    def text(self) -> str:
        return str(self.browser.chrome.find_element(By.TAG_NAME, "body").text)

    def begin(self) -> None:
        """Wait until one's board is there."""
        self.browser.wait(lambda: "empty" in " ".join(self.board.labels()))

    def covered(self) -> list[Cell]:
        """The cells that are covered on one's board, row by row."""
        labels = self.board.labels()
        cols = int(self.browser.run("return document.getElementById('grid').ariaColCount"))
        found = [at for at, label in enumerate(labels) if label.endswith(": covered")]
        return [divmod(at, cols) for at in found]

    def open_some(self, mines: NDArray[np.bool_], most: int = 999) -> None:
        """Open safe cells by clicks until there are no more, or some were opened."""
        for _ in range(most):
            cell = next((each for each in self.covered() if not mines[each]), None)
            if cell is None:
                return
            self.board.click(cell)
            self.browser.wait(lambda at=cell: self.is_over() or at not in self.covered())  # type: ignore[misc]

    def is_over(self) -> bool:
        return "Result of the race" in self.text()

    def results(self) -> list[list[str]]:
        """The table of the result."""
        self.says("Result of the race")
        cells = "th, td"
        rows = self.browser.all("#page tbody tr")
        return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, cells)] for row in rows]


Open = Callable[[], RacePage]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    site = ServedSite(tmp_path_factory.mktemp("races"), CONSTANTS)
    yield site
    site.stop()


@pytest.fixture(scope="module")
def browsers(
    served: ServedSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Browser]]:
    """Two Chromiums, each with a profile of its own."""
    with ExitStack() as stack:
        found = []
        for _ in range(2):
            chrome = started_chromium(tmp_path_factory.mktemp("profile"))
            stack.callback(chrome.quit)
            found.append(Browser(chrome, served.address))
        yield found


@pytest.fixture
def racers(browsers: list[Browser]) -> Iterator[list[RacePage]]:
    """Two new players; nothing may be complained of, no other host asked."""
    for browser in browsers:
        browser.forget_player()
        browser.resize(DESKTOP)
        browser.prefer("light")
        browser.speak("en-GB")
        browser.complaints()
        browser.foreign_requests()
    yield [RacePage(browser) for browser in browsers]
    for browser in browsers:
        assert browser.complaints() == []
        assert browser.foreign_requests() == []


def mines_at(served: ServedSite, path: str) -> NDArray[np.bool_]:
    return mines_of(next(served.folder.rglob("*.sqlite")), path.rpartition("/")[2])


def test_two_players_race_from_the_menu_to_the_result(
    racers: list[RacePage], served: ServedSite, axe: str
) -> None:
    first, second = racers
    path = first.make()
    first.rename("Ann")
    second.join(path, "Ben")
    first.says("Ben")
    assert first.browser.axe_violations(axe) == []
    second.press("I am ready")
    first.says("ready")
    first.press("I am ready")
    for each in racers:
        each.begin()
    mines = mines_at(served, path)
    first.board.click(next(each for each in first.covered() if mines[each]))
    first.says("1 mine: +5 s")
    second.says("1 mine: +5 s")
    first.open_some(mines, 3)
    first.open_some(mines)
    second.says("place 1: ")
    second.open_some(mines)
    for each in racers:
        rows = each.results()
        assert sorted(row[1] for row in rows) == ["1", "2"]
        assert ["+5 s" in row[2] for row in rows if row[0].startswith("Ann")] == [True]
        assert each.browser.axe_violations(axe) == []
    first.press("Review")
