"""Co-op games in real browsers: from the menu of one player to what everybody did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.logic.event import Lay
from tests.web.browser.board_page import BoardPage, Cell
from tests.web.browser.chromium import DESKTOP, PHONE, Browser, started_chromium
from tests.web.browser.served_site import ServedSite
from tests.web.stored_rows import rows


class CoopPage:
    """A player's browser at a co-op game."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.board = BoardPage(browser)

    def make(self, name: str = "") -> str:
        """Make a co-op game by the menu; return its address."""
        self.browser.open("/")
        self.browser.wait(lambda: bool(self.board.labels()))
        self.browser.button("Menu").click()
        self.browser.button("Play one board together…", ".menu").click()
        self.browser.field("Your name", "dialog").send_keys(name)
        self.browser.button("Make the game", "dialog").click()
        self.says("(you)")
        self.board.wait_until_shown(81)
        return str(self.browser.run("return location.pathname"))

    def join(self, path: str, name: str) -> None:
        """Open the link of a co-op game, and take a seat."""
        self.browser.open(path)
        field = self.browser.field("Your name")
        field.clear()
        field.send_keys(name)
        self.browser.button("Join the game").click()
        self.says(f"{name} (you)")
        self.board.wait_until_shown(81)

    def says(self, text: str) -> None:
        self.browser.wait(lambda: text in self.text())

    def text(self) -> str:
        return self.browser.text()

    def read_out(self) -> str:
        """What was read out last."""
        return str(self.browser.run("return document.getElementById('live').textContent"))

    def owner_pixel(self, cell: Cell) -> list[int]:
        """The colour of what lies over the middle of a cell, red, green, blue and opacity."""
        x, y = self.board.point(cell)
        found: list[int] = self.browser.run(
            "const over = document.querySelector('.coop-canvas');"
            "const box = over.getBoundingClientRect(), ratio = over.width / box.width;"
            "const at = [(arguments[0] - box.x) * ratio, (arguments[1] - box.y) * ratio];"
            "const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});"
            "pen.drawImage(over, ...at, 1, 1, 0, 0, 1, 1);"
            "return [...pen.getImageData(0, 0, 1, 1).data]",
            x,
            y,
        )
        return found

    def open_some(self, mines: NDArray[np.bool_], most: int = 999) -> None:
        """Open safe cells by clicks until there are no more, or some were opened."""
        for _ in range(most):
            labels = self.board.labels()
            covered = [divmod(at, 9) for at, each in enumerate(labels) if ": covered" in each]
            cell = next((each for each in covered if not mines[each]), None)
            if cell is None:
                return
            self.board.click(cell)
            self.browser.wait(lambda at=cell: self.board.shows(at) != "covered")  # type: ignore[misc]


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    site = ServedSite(tmp_path_factory.mktemp("coop"))
    yield site
    site.stop()


@pytest.fixture
def players(
    served: ServedSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[CoopPage]]:
    """Two new players, each with a Chromium; nothing may be complained of, no other host asked."""
    with ExitStack() as stack:
        browsers = []
        for _ in range(2):
            chrome = started_chromium(tmp_path_factory.mktemp("profile"))
            stack.callback(chrome.quit)
            browsers.append(Browser(chrome, served.address))
        for browser in browsers:
            browser.resize(DESKTOP)
            browser.prefer("light")
            browser.speak("en-GB")
        yield [CoopPage(browser) for browser in browsers]
        for browser in browsers:
            assert browser.complaints() == []
            assert browser.foreign_requests() == []


def mines_at(served: ServedSite, path: str) -> NDArray[np.bool_]:
    database = next(served.folder.rglob("*.sqlite"))
    game = path.rpartition("/")[2]
    sql = "SELECT line FROM events JOIN games ON num=game WHERE id=? AND line LIKE '%\"lay\"%'"
    ((line,),) = rows(database, sql, game)
    return Lay.parse(line).mine_map


def test_two_players_clear_one_board_and_see_what_each_does(
    players: list[CoopPage], served: ServedSite, axe: str
) -> None:
    first, second = players
    path = first.make("Ann")
    assert first.browser.axe_violations(axe) == []
    second.join(path, "Ben")
    first.says("Ben")
    second.says("Ann")
    first.board.click((4, 4))
    second.browser.wait(lambda: second.board.shows((4, 4)) != "covered")
    second.browser.wait(lambda: second.owner_pixel((4, 4))[3] > 0)
    mines = mines_at(served, path)
    mine = tuple(map(int, np.argwhere(mines)[0]))
    second.board.click(mine, "right")  # type: ignore[arg-type]
    first.board.expect(mine, "flag")  # type: ignore[arg-type]
    first.says("1 flag")
    # The pointer of the other, and a cell that is shown by a key.
    before = first.owner_pixel((8, 8))
    second.board.mouse("move", (8, 8))
    first.browser.wait(lambda: first.owner_pixel((8, 8)) != before)
    second.board.keys("x")
    first.browser.wait(lambda: "Ben points at row 9, column 9" in first.read_out())
    pause_and_resume(first, second)
    kill_and_start(served, players)
    second.open_some(mines, 2)
    first.open_some(mines)
    for each in players:
        each.says("You won")
        each.says("% of the 3BV")
        assert each.browser.axe_violations(axe) == []
    go_on_to_the_next_board(first, second, path)
    second.browser.open(f"/w/{path.rpartition('/')[2]}")
    second.says("Ann")
    second.browser.button("To the end").click()
    second.says("Ann: opens")


def pause_and_resume(first: CoopPage, second: CoopPage) -> None:
    """A board that somebody else pauses is covered for both, and anybody uncovers it."""
    second.board.keys("p")
    first.browser.wait(lambda: first.browser.one("#pause-card").is_displayed())
    first.says("Ben paused the game")
    first.board.keys("p")
    second.browser.wait(lambda: second.board.shows((4, 4)) != "covered")


def kill_and_start(served: ServedSite, players: list[CoopPage]) -> None:
    served.kill()
    for each in players:
        each.says("Connection lost")
    served.start()
    for each in players:
        each.browser.wait(lambda at=each: "Connection lost" not in at.text())  # type: ignore[misc]
        each.browser.complaints()  # the connections that were refused


def go_on_to_the_next_board(first: CoopPage, second: CoopPage, path: str) -> None:
    """The next board has the same players, who need not be asked."""
    first.browser.button("New board").click()
    first.browser.wait(lambda: first.browser.run("return location.pathname") != path)
    second.browser.wait(lambda: second.browser.run("return location.pathname") != path)
    second.says("Ben (you)")
    first.says("Ben")


def test_a_phone_shows_a_cell_by_a_button_and_two_speak_two_languages(
    players: list[CoopPage], axe: str
) -> None:
    first, second = players
    first.browser.resize(PHONE, touch=True)
    second.browser.speak("zh-CN")
    path = first.make()
    assert first.browser.axe_violations(axe) == []
    second.browser.open(path)
    second.browser.button("加入对局").click()
    second.says("P2")
    first.says("P2")
    first.browser.button("Show a cell").click()
    first.board.tap((2, 3))
    second.browser.wait(lambda: "P1 指着第 3 行第 4 列" in second.read_out())
    assert first.board.shows((2, 3)) == "covered"
    first.board.tap((2, 3))
    first.browser.wait(lambda: first.board.shows((2, 3)) != "covered")
    assert second.browser.axe_violations(axe) == []
    second.browser.chrome.refresh()
    second.says("P2")
