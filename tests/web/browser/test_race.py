"""Races in a real browser, each player in a profile of their own: from the menu to the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.web.browser.board_page import BoardPage, Cell
from tests.web.browser.chromium import DESKTOP, Browser, Profiles
from tests.web.browser.served_site import ServedSite
from tests.web.races.race_site import mines_of

CONSTANTS = {"demine.play.race:COUNTDOWN_MS": 1000}
NARROW = (360, 740)
ASK = """
const [path, body, done] = arguments;
const headers = {"Content-Type": "application/json"};
fetch(`/api/races${path}`, {method: "POST", headers, body: JSON.stringify(body)})
  .then((answer) => answer.json()).then(done);
"""


NOTE_TONES = """
const Tone = OscillatorNode;
window.tones = [];
window.OscillatorNode = class extends Tone {
  constructor(audio, options) { super(audio, options); tones.push(options.frequency); }
};
"""


class RacePage:
    """A window of a player at a race."""

    def __init__(self, browser: Browser, window: str) -> None:
        self._browser = browser
        self._window = window
        self._board = BoardPage(browser)

    @property
    def browser(self) -> Browser:
        """The browser, which this window has the attention of."""
        self._turn()
        return self._browser

    @property
    def board(self) -> BoardPage:
        self._turn()
        return self._board

    def _turn(self) -> None:
        """Have the browser attend to this window."""
        self._browser.chrome.switch_to.window(self._window)

    @property
    def path(self) -> str:
        return str(self.browser.run("return location.pathname"))

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

    def ask(self, path: str, body: dict[str, str]) -> dict[str, Any]:
        """Have the browser ask the server for something of races."""
        if "worker.js" not in self.browser.chrome.current_url:
            self.browser.open("/worker.js")
        found: dict[str, Any] = self.browser.chrome.execute_async_script(ASK, path, body)
        return found

    def join(self, path: str, name: str = "") -> None:
        """Open the link of a race, and take a seat."""
        self.browser.open(path)
        self.press("Join the race")
        if name:
            self.rename(name)

    def rename(self, name: str) -> None:
        field = self.browser.field("Your name")
        field.clear()
        field.send_keys(name, Keys.TAB)
        self.says(f"{name} (you)")

    def press(self, text: str) -> None:
        self.browser.button(text).click()

    def says(self, text: str) -> None:
        """Wait until the page says something."""
        self.browser.wait(lambda: text in self.text())

    def text(self) -> str:
        return self.browser.text()

    def begin(self) -> None:
        """Wait until one's board is there, and goes on."""
        self.browser.wait(
            lambda: "empty" in " ".join(self.board.labels()) and "Reconnecting" not in self.text()
        )

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


Visit = Callable[[int], list[RacePage]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    served = ServedSite(tmp_path_factory.mktemp("races"), CONSTANTS)
    yield served
    served.stop()


@pytest.fixture(scope="module")
def profiles(chromium: Browser) -> Iterator[Profiles]:
    with Profiles.of(chromium.chrome) as found:
        yield found


@pytest.fixture
def visit(chromium: Browser, profiles: Profiles) -> Iterator[Visit]:
    """Opens windows of as many new players; nothing may be complained of, no other host asked."""
    first = chromium.chrome.current_window_handle
    made: list[str] = []

    def players(count: int) -> list[RacePage]:
        found = []
        for _ in range(count):
            made.append(profiles.make())
            found.append(window(chromium, profiles, made[-1]))
        return found

    yield players
    complaints, foreign = chromium.complaints(), chromium.foreign_requests()
    chromium.chrome.switch_to.window(first)
    for profile in made:
        profiles.remove(profile)
    assert complaints == []
    assert foreign == []


def window(chromium: Browser, profiles: Profiles, profile: str) -> RacePage:
    page = RacePage(chromium, profiles.open_window(profile))
    page.browser.resize(DESKTOP)
    page.browser.prefer("light")
    page.browser.speak("en-GB")
    return page


def mines_at(site: ServedSite, path: str) -> NDArray[np.bool_]:
    return mines_of(next(site.folder.rglob("*.sqlite")), path.rpartition("/")[2])


def start(racers: list[RacePage], costs: str = "time") -> str:
    """Have all players begin a race, without its lobby; return its address."""
    race = racers[0].ask("", {"rules": "9x9/10", "mine_costs": costs})["race"]
    path = f"/race/{race}"
    for each in racers:
        for wish in ("join", "ready"):
            each.ask(f"/{race}/wish", {"do": wish})
        each.browser.open(path)
    for each in racers:
        each.begin()
    return path


def test_a_race_from_the_menu_to_the_result_and_once_more(
    visit: Visit, site: ServedSite, axe: str
) -> None:
    first, second, spectator = visit(3)
    path = first.make()
    first.rename("Ann")
    second.join(path, "Ben")
    first.says("Ben")
    spectator.browser.open(path)
    spectator.says("2 of 8 seats are taken.")
    assert first.browser.axe_violations(axe) == []
    for each in (first, second):
        each.browser.run(NOTE_TONES)
    first.browser.field("Sound at the countdown").click()
    second.press("I am ready")
    first.press("I am ready")
    for each in (first, second):
        each.begin()
    assert first.browser.run("return tones") == [440, 880]
    assert second.browser.run("return tones") == []
    spectator.says("The boards show only what all who still race have opened.")
    mines = mines_at(site, path)
    first.board.click(next(each for each in first.covered() if mines[each]))
    for each in (first, second, spectator):
        each.says("1 mine: +5 s")
        assert each.browser.axe_violations(axe) == []
    first.open_some(mines)
    for each in (second, spectator):
        each.says("place 1: ")
    second.open_some(mines)
    for each in (first, second, spectator):
        rows = each.results()
        assert sorted(row[1] for row in rows) == ["1", "2"]
        assert ["+5 s" in row[2] for row in rows if row[0].startswith("Ann")] == [True]
        assert each.browser.axe_violations(axe) == []
    first.press("Race again")
    first.says("1 of 8 seats are taken.")
    second.press("Join the next race")
    first.says("2 of 8 seats are taken.")
    spectator.press("Look at the next race")
    spectator.says("2 of 8 seats are taken.")
    assert first.path == second.path == spectator.path != path
    spectator.browser.chrome.back()
    address = spectator.browser.one("#page tbody a").get_attribute("href")
    assert address is not None
    spectator.browser.open(address.removeprefix(site.address))
    spectator.says("Review")


def test_a_race_outlives_lost_connections_reloads_and_a_killed_server(
    visit: Visit, site: ServedSite
) -> None:
    first, second = visit(2)
    path = start([first, second])
    mines = mines_at(site, path)
    first.open_some(mines, 1)
    covered = first.covered()
    # Who looks elsewhere does not pause, and by any address of the site the race is found again.
    first.browser.run("window.dispatchEvent(new Event('blur'))")
    first.open_some(mines, 1)
    assert not first.browser.one("#board").get_attribute("class")
    first.browser.open("/")
    first.browser.wait(lambda: first.path == path)
    first.begin()
    assert len(first.covered()) < len(covered)
    # The others see who is away.
    first.browser.open("/api/icon.svg")
    second.says("away for ")
    first.browser.chrome.back()
    first.begin()
    second.browser.wait(lambda: "away for " not in second.text())
    # What is done without a network is sent afterwards.
    go_offline(first, True)
    first.says("Reconnecting")
    cell = next(each for each in first.covered() if not mines[each])
    first.board.click(cell)
    go_offline(first, False)
    first.browser.wait(lambda: cell not in first.covered())
    site.kill()
    second.says("Reconnecting")
    site.start()
    for each in (first, second):
        each.begin()
        each.open_some(mines)
    assert sorted(row[1] for row in first.results()) == ["1", "2"]


def go_offline(page: RacePage, offline: bool) -> None:
    """Take a window's network away, or give it back; what is open is closed by that."""
    page.browser.chrome.execute_cdp_cmd("Network.enable", {})
    conditions = {
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    }  # fmt: skip
    page.browser.chrome.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def test_two_tabs_of_a_player_play_one_game(
    visit: Visit, chromium: Browser, profiles: Profiles, site: ServedSite
) -> None:
    profile = profiles.make()
    first, tab = (window(chromium, profiles, profile) for _ in range(2))
    (second,) = visit(1)
    path = start([first, second], "race")
    tab.browser.open(path)
    tab.begin()
    mines = mines_at(site, path)
    covered = tab.covered()
    first.open_some(mines, 1)
    tab.browser.wait(lambda: len(tab.covered()) < len(covered))
    tab.board.click(next(each for each in tab.covered() if mines[each]))
    second.says("lost to a mine")
    first.browser.wait(lambda: "mine" in " ".join(first.board.labels()))
    # One of them closes: the player is not away.
    tab.browser.chrome.close()
    second.press("Leave the race")
    second.browser.button("Leave the race", "dialog").click()
    assert sorted(row[1] for row in first.results()) == ["has left", "lost to a mine"]
    profiles.remove(profile)


def test_eight_players_race(visit: Visit, site: ServedSite) -> None:
    racers = visit(8)
    path = start(racers, "race")
    mines = mines_at(site, path)
    for each in racers:
        each.board.click(next(cell for cell in each.covered() if mines[cell]))
    for each in racers:
        assert [row[1] for row in each.results()] == ["lost to a mine"] * 8


def test_a_race_by_keys_alone_and_one_by_fingers(visit: Visit, site: ServedSite, axe: str) -> None:
    keyboard, phone = visit(2)
    phone.browser.resize(NARROW, touch=True)
    phone.browser.prefer("dark")
    path = keyboard.make("the race")
    keyboard.browser.run("document.activeElement.blur()")
    phone.join(path)
    assert phone.browser.axe_violations(axe) == []
    phone.press("I am ready")
    focus(keyboard, "I am ready")
    keyboard.board.keys(Keys.ENTER)
    for each in (keyboard, phone):
        each.begin()
    mines = mines_at(site, path)
    assert phone.browser.axe_violations(axe) == []
    assert phone.browser.run("return document.documentElement.scrollWidth") == NARROW[0]
    cell = next(each for each in phone.covered() if not mines[each])
    phone.board.tap(cell)
    phone.browser.wait(lambda: cell not in phone.covered())
    # What a race does not allow is said, and nothing of it is done.
    keyboard.board.keys("h")
    keyboard.says("This cannot be done in a race")
    keyboard.board.keys(Keys.ARROW_UP)
    focused = "return document.activeElement.ariaLabel"
    keyboard.browser.wait(lambda: "row" in str(keyboard.browser.run(focused)))
    mine = next(each for each in keyboard.covered() if mines[each])
    keyboard.board.keys(Keys.HOME)
    keyboard.board.keys(Keys.HOME, held=Keys.CONTROL)
    keyboard.board.keys(Keys.ARROW_DOWN * mine[0] + Keys.ARROW_RIGHT * mine[1] + " ")
    phone.says("lost to a mine")
    phone.press("Leave the race")
    phone.browser.button("Leave the race", "dialog").click()
    for each in (keyboard, phone):
        each.says("Result of the race")
        assert each.browser.axe_violations(axe) == []


def focus(page: RacePage, text: str) -> None:
    """Go on with the Tab key until a button has the focus."""
    name = "return document.activeElement.textContent"
    for _ in range(30):
        page.board.keys(Keys.TAB)
        if page.browser.run(name) == text:
            return
    raise AssertionError(f"no Tab leads to {text}")
